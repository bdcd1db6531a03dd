#include "notice_words.h"

#include <string.h>

#include "core/base.h"

const char *const language_codes[LANGUAGES] = {"en", "fr"};

#define WORDS(name, en, fr) [WORDS_##name] = {en, fr},
static const char *const catalogue[WORDS_COUNT][LANGUAGES] = {
#include "notice_words.def"
};
#undef WORDS

enum language language_find(const char *code)
{
    for (int i = 0; code != NULL && i < LANGUAGES; i++)
        if (strcmp(code, language_codes[i]) == 0)
            return (enum language)i;
    return LANGUAGE_EN;
}

const char *words_raw(enum language language, enum words words)
{
    return catalogue[words][language];
}

static const char *value_of(const struct words_arg *args, const char *name,
                            size_t len)
{
    while (args->name != NULL &&
           (strlen(args->name) != len || memcmp(args->name, name, len) != 0))
        args++;
    ASSERT(args->name != NULL); /* what the catalogue has the caller has */
    return args->value;
}

void words_put(struct sbuf *s, enum language language, enum words words,
               const struct words_arg *args)
{
    static const struct words_arg none[] = {{0}};
    const char *at = words_raw(language, words), *open;

    while ((open = strchr(at, '{')) != NULL) {
        const char *close = strchr(open, '}');
        ASSERT(close != NULL);
        sbuf_put(s, at, (size_t)(open - at));
        sbuf_puts(s, value_of(args != NULL ? args : none, open + 1,
                              (size_t)(close - open - 1)));
        at = close + 1;
    }
    sbuf_puts(s, at);
}
