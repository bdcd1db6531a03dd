/* admin_clocks.c -- what the administrator sees of deadlines, and does about
 * them: who is late, time that is given, games that are paused. */

#include <stdlib.h>

#include "inner.h"

/* ---- who is late ------------------------------------------------------------ */

static int by_due(const void *a, const void *b)
{
    const struct due_table *x = a, *y = b;

    return x->at_ms < y->at_ms ? -1 : x->at_ms > y->at_ms;
}

void handle_admin_late(struct hub *hub, struct request *q)
{
    size_t limit = (size_t)param_int(q, "limit", 50), count;
    struct due_table *all = deadlines_all(hub, &count);

    if (count > 0)
        qsort(all, count, sizeof(*all), by_due);
    struct json_out *o = result_begin(hub, q);
    out_list(o, "tables");
    for (size_t i = 0; i < count && i < limit; i++) {
        out_object(o, NULL);
        write_id(o, "table", all[i].table);
        out_int(o, "due", all[i].at_ms - MISS_AFTER_MS);
        out_end(o);
    }
    out_end(o);
    out_int(o, "count", (int64_t)count);
    result_end(hub, q);
    free(all);
}

/* ---- what is done ----------------------------------------------------------- */

static void ply_stored(struct hub *hub, struct request *q)
{
    struct json_out *o = result_begin(hub, q);

    out_int(o, "ply", q->ply);
    result_end(hub, q);
}

/* Answers and returns false unless a game with clocks is going on. */
static bool is_timed(struct hub *hub, struct table *t, struct request *q)
{
    enum error e = t->clocks == NULL           ? ERR_NO_PACE
                   : t->state == TABLE_OPEN    ? ERR_NOT_STARTED
                   : t->state != TABLE_PLAYING ? ERR_GAME_OVER
                                               : ERR_NONE;

    if (e != ERR_NONE)
        refuse(hub, q, e);
    return e == ERR_NONE;
}

static void say(struct hub *hub, struct table *t, struct request *q,
                const struct entry *e)
{
    struct change *c = change_begin(hub, q, t);

    q->ply = t->log.count;
    change_add(c, e);
    audit_put(c, q, t->id, 0);
    change_submit(c, ply_stored);
}

void handle_admin_extend(struct hub *hub, struct table *t, struct request *q)
{
    int64_t seat = param_int(q, "seat", 0);

    if (!is_timed(hub, t, q))
        return;
    if (seat >= t->seats) {
        refuse(hub, q, ERR_NO_SUCH_SEAT);
        return;
    }
    say(hub, t, q,
        &(struct entry){
            .kind = ENTRY_GIVE,
            .seat = ENTRY_NOBODY,
            .more.to = (uint8_t)seat,
            .more.seconds = (int32_t)param_int(q, "seconds", 0),
        });
}

void handle_admin_pause(struct hub *hub, struct table *t, struct request *q)
{
    int64_t until = param_int(q, "until", 0);
    const struct entry e = {
        .kind = until != 0 ? ENTRY_PAUSE : ENTRY_RESUME,
        .seat = ENTRY_NOBODY,
        .more.until = until,
    };

    if (!is_timed(hub, t, q))
        return;
    if (!clocks_may_say(hub, t, &e))
        refuse_param(hub, q, "/until",
                     "a moment within 30 days, or null while it is paused");
    else
        say(hub, t, q, &e);
}
