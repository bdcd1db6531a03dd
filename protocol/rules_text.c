#include "rules_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/ascii.h"

/* Whether WANTED, "fr" or "fr-CA", is LANG. */
static bool lang_is(const char *wanted, const char *lang)
{
    size_t n = strcspn(wanted, "-_.");
    return strlen(lang) == n && ascii_compare_n(wanted, lang, n) == 0;
}

const struct rules_text *rules_text_find(const char *game, const char *detail,
                                         const char *lang)
{
    const struct rules_text *english = NULL;

    for (const struct rules_text *t = rules_texts; t->game != NULL; t++) {
        if (strcmp(t->game, game) != 0 || strcmp(t->detail, detail) != 0)
            continue;
        if (lang != NULL && lang_is(lang, t->lang))
            return t;
        if (strcmp(t->lang, "en") == 0)
            english = t;
    }
    return english;
}
