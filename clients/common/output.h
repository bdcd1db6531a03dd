/* output.h -- what a program shows on its terminal is filtered.
 *
 * What others wrote may hold escape sequences, turn the direction of a line or
 * be no UTF-8 at all.  Behind output_open() nothing of that reaches stdout or
 * stderr, whoever prints it and by whatever function: the two streams are
 * replaced by such that let printable characters (core/utf8.h) and line feeds
 * through and show U+FFFD for anything else (a tab is a space).  On a terminal
 * that takes no UTF-8, where any byte may be a command, `?` stands for all
 * beyond ASCII.
 *
 * That a stranger's text brings no lines of its own is seen to where it comes
 * in, by shape_clean() (protocol/shape.h). */

#ifndef COMMON_OUTPUT_H
#define COMMON_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Once, after setlocale() and before anything is printed. */
void output_open(void);

/* JSON from here on: nothing is lost of it, what cannot be shown is escaped. */
void output_json(bool json);

/* Until it is called with false, stdout is the terminal itself: for the
 * program's own words to it. */
void output_own(bool own);

/* Stdout as it was, for who speaks to the terminal on their own: curses. */
FILE *output_terminal(void);

/* The columns that TEXT takes when it is shown. */
int output_width(const char *text);

/* Puts spaces for the line feeds in TEXT: what is to be one line is one. */
void output_line(char *text);

#endif
