/* ascii.h -- letters A to Z, whatever the locale.
 *
 * The functions of the C library do as the locale says: in a Turkish one "IRIS" is not
 * "iris".  Names, words and headers are compared by these. */

#ifndef CORE_ASCII_H
#define CORE_ASCII_H

#include <stddef.h>

/* C, or the small letter if it is a great one of ASCII; and the other way. */
char ascii_lower(char c);
char ascii_upper(char c);

/* As strcmp() and strncmp(), but great and small letters are the same. */
int ascii_compare(const char *a, const char *b);
int ascii_compare_n(const char *a, const char *b, size_t n);

#endif
