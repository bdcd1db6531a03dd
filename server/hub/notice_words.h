/* notice_words.h -- what notices say, by name and language
 * (notice_words.def). */

#ifndef SERVER_HUB_NOTICE_WORDS_H
#define SERVER_HUB_NOTICE_WORDS_H

#include <stdint.h>

#include "core/sbuf.h"

enum language { LANGUAGE_EN, LANGUAGE_FR, LANGUAGES };

#define WORDS(name, en, fr) WORDS_##name,
enum words {
#include "notice_words.def"
    WORDS_COUNT
};
#undef WORDS

/* By its code, "fr"; English for any other, and for NULL. */
enum language language_find(const char *code);
extern const char *const language_codes[LANGUAGES];

/* As it stands in the catalogue, with its arguments in braces. */
const char *words_raw(enum language language, enum words words);

/* What stands for {name}. */
struct words_arg {
    const char *name, *value;
};

/* Puts WORDS with their arguments in, of which ARGS, ended by a NULL name, has
 * all.  What is in an argument is put as it is, braces too. */
void words_put(struct sbuf *s, enum language language, enum words words,
               const struct words_arg *args);

#define WORDS_ARGS(...) ((const struct words_arg[]){__VA_ARGS__, {0}})

#endif
