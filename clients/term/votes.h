/* votes.h -- what the players of a table agree on together, as people type and
 * read it. */

#ifndef TERM_VOTES_H
#define TERM_VOTES_H

#include <stdio.h>

#include "client.h"

#define PROPOSAL_WHY_MAX 200

/* What table.propose takes for WORDS, but for the table: "cancel", "take-back",
 * "pause 7d" or "pause 2026-12-20", "resume", "give NAME 6h", "replace NAME",
 * where a seat's number will do for a name of T's.  The caller's; or NULL, and
 * WHY tells what is wrong. */
json_t *proposal_read(const struct table *t, const char *words,
                      char why[PROPOSAL_WHY_MAX]);

/* What a VOTE of a view is about, as part of a sentence: "a pause until ...". */
void vote_about(const struct table *t, const json_t *vote, char *buf,
                size_t cap);
/* All that is to be said of VOTE, in whole lines; YOU is a seat, or
 * RULES_WATCHER.  False, and nothing, for one that is null or over at NOW_MS by
 * the server's clock. */
bool vote_write(FILE *to, const struct table *t, const json_t *vote, int you,
                int64_t now_ms);

/* The vote of C's table, if one is open; NULL: none is. */
const json_t *vote_open(const struct client *c);
/* Whether it waits for you; whether it is yours. */
bool vote_asked(const struct client *c);
bool vote_mine(const struct client *c);
/* Whether the game is paused, which a vote could end. */
bool vote_paused(const struct client *c);
/* The vote that is open, with the words to type, if there is one. */
void vote_note(FILE *to, const struct client *c);

#endif
