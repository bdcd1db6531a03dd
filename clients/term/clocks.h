/* clocks.h -- what a table with a pace tells of its seats' time, in words. */

#ifndef TERM_CLOCKS_H
#define TERM_CLOCKS_H

#include <stdio.h>

#include "client.h"

/* What is out of the common: who is away, which seat is offered or gone, that
 * the game is paused.  A line each; in lines the words to type stand there. */
void clocks_note(FILE *to, const struct client *c);
/* All of it, seat by seat, and what was agreed on. */
void clocks_write(FILE *to, const struct client *c);

/* "Tue 24 Nov 09:00" by the clocks here. */
void clocks_moment(int64_t at_ms, char *buf, size_t cap);
/* The first seat that C's table offers to whoever has none there, or -1. */
int clocks_offered(const struct online *o);
/* Whether one's own seat is gone and can be taken back. */
bool clocks_gone(const struct online *o);
/* Whether there is an opponent, of two, whose clock runs. */
bool clocks_opponent(const struct online *o);

#endif
