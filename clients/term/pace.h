/* pace.h -- how long a turn may take at a table, as people write and read it,
 * and how long there still is. */

#ifndef TERM_PACE_H
#define TERM_PACE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#define PACE_TEXT_MAX 120

/* What is offered, as pace_read() takes it; ends with NULL. */
extern const char *const pace_presets[];

/* "90s", "30m", "6h", "7d" in seconds; -1: it is nothing like that. */
int64_t span_read_all(const char *text);
/* What table.create takes for TEXT: "3d" a move, "10m+15s" for all moves and
 * more with each, "1d/10d" with a bank, "/30m" a bank alone.  The caller's, or
 * NULL: it is no pace. */
json_t *pace_read(const char *text);
/* The same for "open", "out,2": what comes of a miss, and how many are excused.
 * Which there are the server says. */
json_t *misses_read(const char *text);

/* SECONDS in the largest unit that they are a whole number of: "6 hours". */
void span_text(int64_t seconds, char *buf, size_t cap);
/* "3 days a move", into CAP bytes at BUF; "" if PACE is null. */
void pace_text(const json_t *pace, char *buf, size_t cap);

/* "2 days left", "until Tue 14:05", "9:48" of a deadline by the server's clock,
 * which is AHEAD_MS ahead of this one; "" for 0. */
void due_text(int64_t due_ms, int64_t ahead_ms, char *buf, size_t cap);
/* Whose time is up first of those that are waited for in VIEW, but that of YOU
 * if it is: when; 0: nobody's. */
int64_t due_first(const json_t *view, int you);

#endif
