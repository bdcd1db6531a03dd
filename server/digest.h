/* digest.h -- what a game has come to, in a few numbers: for two programs to
 * compare, an older one and a newer one, that replay the same log.
 *
 * All that may differ without any rule being another must not show: how a
 * state lies in memory, in which order its fields are, and fields that a newer
 * program has besides.  So the state is taken as it is shown, member by
 * member, each under its name and place; the older program tells which names it
 * knows, and the newer one passes over the others. */

#ifndef SERVER_DIGEST_H
#define SERVER_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/audit.h"

#define VOCABULARY_MAX 1024

/* Names of members of a game's state.  Zeroes are an empty one. */
struct vocabulary {
    bool learns;                      /* takes in names it does not know */
    const char *name[VOCABULARY_MAX]; /* as they were learnt; the core's */
    size_t count;
    uint64_t slot[2 * VOCABULARY_MAX]; /* their hashes; 0: empty */
};

/* NAME, of LEN bytes, is known from now on. */
void vocabulary_add(struct vocabulary *v, const char *name, size_t len);

enum digest_part {
    DIGEST_TURN,   /* who acts, who may, since when; whether it is over */
    DIGEST_STATE,  /* all members */
    DIGEST_POINTS, /* totals and places if it ended now */
    DIGEST_UNDO,   /* whether the last move can be taken back */
    DIGEST_PARTS
};
extern const char *const digest_words[DIGEST_PARTS];

/* Takes A, as it is after an entry; all 0 before the start. */
void digest_take(const struct audit *a, struct vocabulary *v,
                 uint32_t digest[DIGEST_PARTS]);

#endif
