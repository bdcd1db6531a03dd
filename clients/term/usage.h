/* usage.h -- command lines, in the language that was chosen: what a command
 * takes, and what is wrong with what it was given.
 *
 * argp tells both, in English alone unless the system has a locale with words
 * for it; so what it writes comes by here. */

#ifndef TERM_USAGE_H
#define TERM_USAGE_H

#include <argp.h>
#include <stdbool.h>

/* The option of ARGP, or of its children, that WORD, `--name` or `-n` of LEN
 * bytes, is; NULL if there is none. */
const struct argp_option *usage_option(const struct argp *argp,
                                       const char *word, size_t len);

/* Whether all options in ARGV, of NAME, are ones that ARGP has, with a value
 * where they take one; if IN_ORDER, only those before the first word that is
 * none.  Says what is wrong, and which option may have been meant. */
bool usage_check(const struct argp *argp, const char *name, int argc,
                 char **argv, bool in_order);

/* For a parser at ARGP_KEY_INIT: what argp complains of is said in the
 * language, when the program ends. */
void usage_listen(struct argp_state *state);
/* Shows the help of STATE's command, as argp_state_help(), and ends the
 * program. */
void usage_help(const struct argp_state *state, unsigned flags);

#endif
