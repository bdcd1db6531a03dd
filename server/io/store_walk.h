/* store_walk.h -- all tables of a store's file, one after the other, as they
 * were made.
 *
 * For who looks at a file without being its server: nothing is locked, brought
 * up to date or written, so it may be the file of a server that is running, or
 * a backup, also of an older version.  Each table is read as it is when its
 * turn comes; no snapshot is held from one to the next, so that the WAL of a
 * running server does not grow.  Memory is that of the longest table. */

#ifndef SERVER_IO_STORE_WALK_H
#define SERVER_IO_STORE_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "server/hub/transaction.h"

struct store_walk;

/* A table and its log. */
struct walked_table {
    int64_t number; /* 1, 2, 3 ... as they were made; some may be gone */
    id_num id;
    uint8_t state; /* enum table_state */
    const char *game, *header;
    const struct ply_row *plies;
    const uint16_t *acting; /* after each: seats that lists had waited for,
                             * or ACTING_UNTOLD within a transaction */
    size_t count;
    bool whole; /* the links of its log lead back to its beginning; else there
                 * are no plies */
};
#define ACTING_UNTOLD UINT16_MAX

/* Opens PATH: a store's file, or the directory of a server.  Returns 0 and
 * *RET_WALK; or a negative errno and why, one sentence, in ERROR: -EUCLEAN if it
 * is damaged, -EPROTO if it is not ours or of a newer version. */
int store_walk_open(const char *path, struct store_walk **ret_walk,
                    char *error, size_t size);
/* The next table into T, whose contents last until the next call.  Returns 1; 0
 * if there are no more; or a negative errno and why in ERROR, as above. */
int store_walk_next(struct store_walk *w, struct walked_table *t, char *error,
                    size_t size);
/* From now on where a log ends is looked for in all of the log, whatever the
 * rows of tables say. */
void store_walk_mistrust(struct store_walk *w);
/* How many tables there were when it was opened. */
int64_t store_walk_total(const struct store_walk *w);
void store_walk_close(struct store_walk *w); /* NULL is fine */

#endif
