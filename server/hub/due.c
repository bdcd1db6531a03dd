#include "due.h"

#include <stdlib.h>

#include "core/base.h"

void due_done(struct due_queue *q)
{
    free(q->items);
    *q = (struct due_queue){0};
}

static void set(struct due_queue *q, size_t place, struct due *d)
{
    q->items[place - 1] = d;
    d->place = place;
}

/* Nearer to the front, as long as who stands there is later. */
static void rise(struct due_queue *q, struct due *d)
{
    size_t at = d->place;

    while (at > 1 && q->items[at / 2 - 1]->at_ms > d->at_ms) {
        set(q, at, q->items[at / 2 - 1]);
        at /= 2;
    }
    set(q, at, d);
}

static void sink(struct due_queue *q, struct due *d)
{
    size_t at = d->place;

    for (;;) {
        size_t next = 2 * at;
        if (next > q->count)
            break;
        if (next < q->count &&
            q->items[next]->at_ms < q->items[next - 1]->at_ms)
            next++;
        if (q->items[next - 1]->at_ms >= d->at_ms)
            break;
        set(q, at, q->items[next - 1]);
        at = next;
    }
    set(q, at, d);
}

void due_put(struct due_queue *q, struct due *d, int64_t at_ms)
{
    if (d->place == 0) {
        if (q->count == q->cap) {
            q->cap = q->cap > 0 ? 2 * q->cap : 64;
            q->items = realloc(q->items, q->cap * sizeof(struct due *));
            ASSERT(q->items != NULL);
        }
        q->count++;
        set(q, q->count, d);
    }
    d->at_ms = at_ms;
    rise(q, d);
    sink(q, d);
}

void due_take(struct due_queue *q, struct due *d)
{
    size_t at = d->place;

    if (at == 0)
        return;
    d->place = 0;
    struct due *last = q->items[--q->count];
    if (last == d)
        return;
    set(q, at, last);
    rise(q, last);
    sink(q, last);
}

void due_advance(struct due_queue *q, int64_t ms)
{
    for (size_t i = 0; i < q->count; i++)
        q->items[i]->at_ms -= ms;
}

struct due *due_first(const struct due_queue *q)
{
    return q->count > 0 ? q->items[0] : NULL;
}
