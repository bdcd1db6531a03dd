/* store_replay.h -- a stored table's log through the verifier of records, entry
 * by entry: every draw, every hash and every rule.
 *
 *     replay_init(&r);
 *     while (store_walk_next(walk, &table, ...) > 0) {
 *         replay_begin(&r, &table);
 *         while (replay_next(&r))
 *             ... r.record->audit ...
 *         if (r.failed)
 *             ... r.fault.why ...
 *     }
 *     replay_done(&r); */

#ifndef SERVER_IO_STORE_REPLAY_H
#define SERVER_IO_STORE_REPLAY_H

#include <stdio.h>

#include "protocol/record.h"
#include "store_walk.h"

struct replay {
    /* read-only */
    const struct walked_table *table;
    struct record *record;
    struct record_fault fault; /* once an entry could not be replayed */
    bool failed;
    size_t at; /* entries so far */
    /* private: a line of the record, and what it is written with */
    char *text;
    size_t len;
    FILE *line;
};

void replay_init(struct replay *r);
void replay_done(struct replay *r);

/* Begins with TABLE, which must last. */
void replay_begin(struct replay *r, const struct walked_table *table);
/* The next entry; false if there are no more, or it could not be replayed. */
bool replay_next(struct replay *r);

#endif
