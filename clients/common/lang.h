/* lang.h -- in which language a program speaks to people.
 *
 * English stands in the code and is the key: `_("...")` is the same sentence in
 * the language that was chosen, or in English where the catalogue lacks it.
 * The catalogues are gettext's (clients/term/po/LANG.po, made by msgfmt and
 * carried by the program), so that its tools find, check and merge them; they
 * are looked up here, because the C library does so only where the system has
 * such a locale.  What games say is not among it: core/says.h.
 *
 * What programs read -- words of commands and moves, JSON -- is in no language.
 */

#ifndef COMMON_LANG_H
#define COMMON_LANG_H

#include <stdbool.h>
#include <stddef.h>

/* The sentence in the language chosen; in the form for N of it. */
#define _(english)       lang_text(english)
#define P_(one, many, n) lang_plural(one, many, n)
/* A sentence that is said by _() later: for constants. */
#define N_(english) english

struct lang_catalogue {
    const char *lang;        /* "fr"; NULL ends a list of them */
    const char *name;        /* "Français" */
    const unsigned char *mo; /* the bytes that msgfmt makes of it */
    size_t len;
};

/* Those of the program, generated from its .po files. */
extern const struct lang_catalogue lang_catalogues[];

/* Whether WANTED begins with a language there is: "en", "fr", "fr_CA.UTF-8". */
bool lang_known(const struct lang_catalogue *catalogues, const char *wanted);
/* Has all be said in that language from now on, or else in English.  CATALOGUES
 * stay the caller's. */
void lang_choose(const struct lang_catalogue *catalogues, const char *wanted);

/* "en", or that of the catalogue. */
const char *lang_chosen(void);

__attribute__((format_arg(1))) const char *lang_text(const char *english);
__attribute__((format_arg(1), format_arg(2))) const char *
lang_plural(const char *one, const char *many, long long n);

#endif
