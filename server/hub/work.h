/* work.h -- what is done in slices, in turns; see work.c. */

#ifndef SERVER_HUB_WORK_H
#define SERVER_HUB_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"

struct hub;
struct request;
struct table;

/* Something to be done in slices; see work.c.  It belongs to what it is in. */
struct work {
    struct work *next;
    peer_id peer; /* on whose behalf, or 0 */
    void (*step)(struct hub *hub, struct work *w);
    void (*drop)(struct hub *hub, struct work *w); /* at the hub's end */
};

/* Work that waits for its turn. */
struct fair_queue {
    struct turn *first; /* sources */
    size_t count;
};

/* A slice of one: false once Q is answered, and gone. */
typedef bool (*table_slice)(struct hub *hub, struct table *t,
                            struct request *q);

#define BYTES_EFFORT 32 /* that are written for one step of effort */

/* W comes after all that its peer has in QUEUE. */
void fair_queue_put(struct hub *hub, struct fair_queue *queue, struct work *w);
struct work *
fair_queue_take(struct fair_queue *queue); /* NULL: there is none */
/* Has GO_ON called with Q and its table, or NULL, whenever it is Q's turn and
 * the table has nothing under way, until it says false; if Q's peer is gone by
 * then Q is done instead. */
void work_later(struct hub *hub, struct request *q, table_slice go_on);
/* Q is done, if it was done so. */
void work_done(struct hub *hub, const struct request *q);
/* Nothing more is to be begun in this turn of the loop. */
bool work_is_over(const struct hub *hub);
/* What HUB->effort may come to before a slice that begins now has to end. */
uint64_t work_limit(const struct hub *hub);
void work_drop_all(struct hub *hub);

#endif
