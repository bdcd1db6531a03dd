/* work.c -- work that is too long for one turn of the loop.
 *
 * What takes long is done in slices of a bounded effort, and each turn of the
 * loop does no more than a few of them (hub_work()): looking back into long
 * games, loading them, coming back to a table.  Nothing else waits for it: a
 * slice at a table stands in the table's queue like any other request, so that
 * what it tells is stored, and moves come in between.
 *
 * Who waits for a slice stands in a queue of their own; the queues of an
 * address take turns, and so do the addresses.  So who asks for much waits for
 * it alone:
 *
 *     address A    peer 1: at, at, at     peer 2: replay
 *     address B    peer 7: a table to be loaded          <- next after one of A
 *
 * Effort is counted and not measured, in steps of about a tenth of a
 * microsecond: the hub has no clock, and a simulated run is the same again. */

#include <stddef.h>
#include <stdlib.h>

#include "inner.h"

#define EFFORT_STEP 20 /* of taking anything up at all */

/* ---- queues ------------------------------------------------------------- */

/* One of those who take turns: a source, within which its peers do, or a peer,
 * whose work is done in order. */
struct turn {
    struct turn *next;
    uint64_t key; /* the source, or the peer */
    struct turn *peers;
    struct work *first, **end;
};

/* That of KEY among those from *AT on, the last of them if it is new. */
static struct turn *turn_of(struct turn **at, uint64_t key)
{
    while (*at != NULL && (*at)->key != key)
        at = &(*at)->next;
    if (*at == NULL) {
        *at = calloc(1, sizeof(**at));
        ASSERT(*at != NULL);
        (*at)->key = key;
        (*at)->end = &(*at)->first;
    }
    return *at;
}

/* The first, who had their turn, is the last from now on, or none of them if
 * nothing is left to be done. */
static void turn_over(struct turn **at)
{
    struct turn *first = *at;

    *at = first->next;
    if (first->peers == NULL && first->first == NULL) {
        free(first);
        return;
    }
    first->next = NULL;
    while (*at != NULL)
        at = &(*at)->next;
    *at = first;
}

void fair_queue_put(struct hub *hub, struct fair_queue *queue, struct work *w)
{
    const struct peer *p = peer_find(hub, w->peer);
    struct turn *source = turn_of(&queue->first,
                                  p != NULL ? p->info.source : 0);
    struct turn *peer = turn_of(&source->peers, w->peer);

    w->next = NULL;
    *peer->end = w;
    peer->end = &w->next;
    queue->count++;
}

struct work *fair_queue_take(struct fair_queue *queue)
{
    struct turn *source = queue->first;

    if (source == NULL)
        return NULL;
    struct turn *peer = source->peers;
    struct work *w = peer->first;
    peer->first = w->next;
    turn_over(&source->peers);
    turn_over(&queue->first);
    queue->count--;
    return w;
}

/* ---- turns -------------------------------------------------------------- */

/* What may be done in one turn of the loop. */
static uint64_t turn_effort(const struct hub *hub)
{
    uint64_t effort = hub->config.turn_effort;
    return effort != 0 ? effort : LIMIT_TURN_EFFORT;
}

bool work_is_over(const struct hub *hub)
{
    return hub->effort >= turn_effort(hub);
}

void work_done(struct hub *hub, const struct request *q)
{
    struct table *t = table_find(hub, q->home);

    if (t != NULL && t->looks > 0) /* it may be another one by now */
        t->looks--;
}

uint64_t work_limit(const struct hub *hub)
{
    return hub->effort + turn_effort(hub) * 2 / 5;
}

bool hub_work(struct hub *hub, int64_t now_ms)
{
    struct work *w;

    hub->now_ms = now_ms;
    hub->effort = 0;
    memory_keep(hub);
    load_work(hub);
    look_work(hub);
    while (!work_is_over(hub) && (w = fair_queue_take(&hub->slices)) != NULL) {
        hub->effort += EFFORT_STEP;
        w->step(hub, w);
    }
    bots_work(hub);
    return hub_works(hub);
}

bool hub_works(const struct hub *hub)
{
    return hub->slices.count > 0 || load_works(hub) || look_works(hub) ||
           bots_works(hub);
}

/* ---- requests ------------------------------------------------------------ */

static void slice(struct hub *hub, struct table *t, struct request *q)
{
    uint64_t before = hub->effort, spent = q->spent;
    peer_id peer = q->peer;

    if (t != NULL && !t->readable) {
        refuse(hub, q, table_unreadable(t));
        return;
    }
    bool more = work_is_over(hub) || q->slice(hub, t, q);
    rate_charge(hub, peer, &spent, hub->effort - before);
    if (!more)
        return;
    q->spent = spent;
    fair_queue_put(hub, &hub->slices, &q->work);
}

static void step(struct hub *hub, struct work *w)
{
    struct request *q = (struct request *)((char *)w -
                                           offsetof(struct request, work));

    if (peer_find(hub, q->peer) == NULL) {
        request_done(hub, q);
        return;
    }
    if (q->home == 0) {
        slice(hub, NULL, q);
        return;
    }
    q->job = slice;
    table_requeue(hub, q);
}

static void drop(struct hub *hub, struct work *w)
{
    request_done(hub, (struct request *)((char *)w -
                                         offsetof(struct request, work)));
}

void work_later(struct hub *hub, struct request *q, table_slice go_on)
{
    if (q->table != NULL) {
        q->home = q->table->id;
        q->table->looks++;
    }
    q->slice = go_on;
    q->work = (struct work){.step = step, .drop = drop, .peer = q->peer};
    fair_queue_put(hub, &hub->slices, &q->work);
}

void work_drop_all(struct hub *hub)
{
    struct work *w;

    while ((w = fair_queue_take(&hub->slices)) != NULL ||
           (w = fair_queue_take(&hub->loads)) != NULL)
        w->drop(hub, w);
}
