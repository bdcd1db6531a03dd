/* input.h -- lines from files and people, of a length that has a bound. */

#ifndef COMMON_INPUT_H
#define COMMON_INPUT_H

#include <stddef.h>
#include <stdio.h>

enum input {
    INPUT_LINE,
    INPUT_END,  /* there is none */
    INPUT_LONG, /* it is longer than there is room; the rest was not read */
    INPUT_NUL,  /* it has a NUL, behind which nobody would look */
};

/* Reads the next line of FILE into SIZE bytes at TO, without "\n" or "\r\n" and
 * terminated, which it is in any case; *RET_LEN is its length. */
enum input input_line(FILE *file, char *to, size_t size, size_t *ret_len);

#endif
