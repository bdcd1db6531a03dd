/* language.h -- which language the terminal client speaks: --language, which
 * every command takes; `language` in the config; the locale's. */

#ifndef TERM_LANGUAGE_H
#define TERM_LANGUAGE_H

#include <argp.h>

/* Once, at the start, after setlocale(). */
void language_start(int argc, char **argv);

/* The option --language, a child of each command's argp. */
extern const struct argp language_argp;
/* For argp.help_filter: says an option's or a command's help in the language. */
char *language_filter(int key, const char *text, void *input);

#endif
