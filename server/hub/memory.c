/* memory.c -- which tables stay in memory, and how much they may take.
 *
 * A table is a cache of its log, so any that has nothing under way may go.  It
 * does when nobody has looked at it for ten minutes, or earlier if together
 * they take more than limits.tables_memory: those that are over first, whose
 * turn it is with nobody, then those that were used longest ago.  One that is
 * over and that nobody watches goes after a few seconds in any case: who walks
 * through the list of finished games leaves nothing behind, while who looks
 * back at one asks again and again.
 *
 * A table that somebody watches stays; how many these can be the limits on
 * connections and on what each may watch say.  If it is over, nothing happens
 * there by itself: where room is wanted only its name and who watches stay
 * (it sleeps), and the next request loads it again. */

#include <stdlib.h>

#include "inner.h"

#define OVER_KEPT_MS (10 * INT64_C(1000))
/* How many go in one turn of the loop: a millisecond's work. */
#define GO_AT_ONCE 200

/* ---- lists -------------------------------------------------------------- */

static void unlink_from(struct table_list *list, struct table *t)
{
    if (t->older != NULL)
        t->older->newer = t->newer;
    else
        list->oldest = t->newer;
    if (t->newer != NULL)
        t->newer->older = t->older;
    else
        list->newest = t->older;
}

static void link_to(struct table_list *list, struct table *t)
{
    t->older = list->newest;
    t->newer = NULL;
    if (t->older != NULL)
        t->older->newer = t;
    else
        list->oldest = t;
    list->newest = t;
}

static size_t kind_of(const struct table *t)
{
    return t->state == TABLE_FINISHED || t->state == TABLE_ABANDONED ||
                   t->sleeps
               ? TABLES_OVER
               : TABLES_ON;
}

/* ---- how much a table takes --------------------------------------------- */

/* With what the allocator adds to each piece.  While a table is read anew its
 * rules are not known though what it had is kept: it is counted whole again
 * when that is done. */
static size_t bytes_of(const struct table *t)
{
    size_t bytes = bytes_held(sizeof(*t)) + region_bytes(&t->region) +
                   log_bytes(&t->log) + history_bytes(t) +
                   bytes_held(t->played_cap * sizeof(*t->played)) +
                   bytes_held(t->known_count * sizeof(*t->known)) +
                   clocks_bytes(t->clocks) + orders_bytes(t->orders);

    if (t->rules_state != NULL && t->rules != NULL)
        bytes += bytes_held(t->rules->state_size);
    for (int i = 0; i < VIEWERS; i++)
        if (t->headers[i] != NULL)
            bytes += bytes_held(sizeof(*t->headers[i]));
    return bytes;
}

static void count_bytes(struct hub *hub, struct table *t)
{
    size_t bytes = bytes_of(t);

    hub->tables_bytes += bytes - t->bytes;
    t->bytes = bytes;
}

void memory_used(struct hub *hub, struct table *t)
{
    size_t kind = kind_of(t);

    count_bytes(hub, t);
    if (t->listed)
        unlink_from(&hub->lists[t->list], t);
    t->listed = true;
    t->list = (uint8_t)kind;
    t->used_ms = hub->now_ms;
    link_to(&hub->lists[kind], t);
}

void memory_gone(struct hub *hub, struct table *t)
{
    if (!t->listed)
        return;
    unlink_from(&hub->lists[t->list], t);
    t->listed = false;
    hub->tables_bytes -= t->bytes;
    t->bytes = 0;
}

/* ---- who goes ----------------------------------------------------------- */

static bool is_idle(const struct table *t)
{
    return t->busy == 0 && t->queue.count == 0 && t->looks == 0;
}

/* Whether nothing but a request changes what T is. */
static bool may_sleep(const struct table *t)
{
    return kind_of(t) == TABLES_OVER && !t->sleeps;
}

/* Lets T go, or sleep if it is FOR_ROOM; false if it is in use. */
static bool let_one_go(struct hub *hub, struct table *t, bool for_room)
{
    bool idle = is_idle(t);

    if (idle && t->watchers == NULL)
        table_forget(hub, t, ERR_NONE);
    else if (idle && for_room && may_sleep(t))
        table_sleep(hub, t);
    else
        return false;
    return true;
}

/* Lets up to COUNT tables of LIST go, those that were used last before UNTIL,
 * as long as all together take more than BYTES; how many. */
static size_t let_go(struct hub *hub, struct table_list *list, size_t count,
                     int64_t until, size_t bytes)
{
    size_t gone = 0, looks = count;
    struct table *t;

    while (gone < count && looks-- > 0 && (t = list->oldest) != NULL &&
           hub->tables_bytes > bytes) {
        if (t->used_ms > hub->now_ms) /* the clock was set back */
            t->used_ms = hub->now_ms;
        if (t->used_ms > until)
            break;
        if (let_one_go(hub, t, bytes > 0))
            gone++;
        else
            memory_used(hub, t);
    }
    return gone;
}

void memory_tick(struct hub *hub)
{
    int64_t idle = hub->now_ms - hub->config.idle_table_ms;
    int64_t over = hub->now_ms - OVER_KEPT_MS;

    let_go(hub, &hub->lists[TABLES_OVER], GO_AT_ONCE,
           over > idle ? over : idle, 0);
    let_go(hub, &hub->lists[TABLES_ON], GO_AT_ONCE, idle, 0);
}

void memory_keep(struct hub *hub)
{
    size_t most = hub->config.tables_bytes;

    if (most == 0 || hub->tables_bytes <= most)
        return;
    size_t gone = let_go(hub, &hub->lists[TABLES_OVER], GO_AT_ONCE, INT64_MAX,
                         most);
    let_go(hub, &hub->lists[TABLES_ON], GO_AT_ONCE - gone, INT64_MAX, most);
}
