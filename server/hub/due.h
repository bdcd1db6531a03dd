/* due.h -- things to be done at their time: which is next (a binary heap). */

#ifndef SERVER_HUB_DUE_H
#define SERVER_HUB_DUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands in what is to be done. */
struct due {
    int64_t at_ms;
    size_t place; /* in its queue, from 1; 0: in none */
};

struct due_queue {
    struct due **items;
    size_t count;
    /* private */
    size_t cap;
};

void due_done(struct due_queue *q);
/* D is to be done at AT_MS; it may have been in Q with another time. */
void due_put(struct due_queue *q, struct due *d, int64_t at_ms);
/* No more, if it was. */
void due_take(struct due_queue *q, struct due *d);
/* All that stands in Q is to be done so much earlier. */
void due_advance(struct due_queue *q, int64_t ms);
/* The next one, which stays, or NULL. */
struct due *due_first(const struct due_queue *q);

#endif
