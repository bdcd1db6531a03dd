/* presence.c -- tables are told of when people are there; see presence.h. */

#include "presence.h"

#include "inner.h"
#include "outbox.h"

#define SOON_MS 10000

/* ---- what a table knows ------------------------------------------------------- */

static const struct clock_hours *known_hours(const struct table *t, int seat)
{
    const struct timing *k = &t->clocks->timing;
    return k->on ? k->clock.seat[seat].next_hours : k->hours[seat];
}

/* Until when it knows SEAT to be away; 0: they are there. */
static int64_t known_until(const struct table *t, int seat)
{
    const struct timing *k = &t->clocks->timing;
    return k->on ? k->clock.seat[seat].absent_until_ms : k->away[seat].to_ms;
}

/* ---- what is so ---------------------------------------------------------------- */

/* The hours in ANSWER, with the offsets of their zone; false if there are none,
 * or nobody knows the zone any more. */
static bool wanted_hours(struct hub *hub, const struct answer *answer,
                         struct clock_hours *ret)
{
    const struct hours_row *row = answer->hours;

    if (row == NULL || !hours_valid(&row->hours))
        return false;
    *ret = (struct clock_hours){.hours = row->hours};
    return hub->host->zone(hub->host, row->zone, hub->now_ms, &ret->offsets);
}

/* Either may be NULL: all day. */
static bool same_hours(const struct clock_hours *a,
                       const struct clock_hours *b, int64_t now_ms)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->hours.opens == b->hours.opens &&
           a->hours.closes == b->hours.closes &&
           a->hours.days == b->hours.days &&
           hours_same_zone(&a->offsets, &b->offsets, now_ms);
}

/* ---- plies --------------------------------------------------------------------- */

static void tell_hours(struct change *c, int seat, const struct answer *answer)
{
    struct clock_hours hours;
    bool any = wanted_hours(c->hub, answer, &hours);
    const struct clock_hours *wanted = any ? &hours : NULL;

    if (!same_hours(known_hours(c->table, seat), wanted, c->hub->now_ms))
        change_add(c, &(struct entry){
                          .kind = ENTRY_HOURS,
                          .seat = (uint16_t)seat,
                          .more.hours = wanted,
                      });
}

/* The others who play there are told that who has SEAT is away, or is BACK. */
static void tell_others(struct change *c, int seat, bool back)
{
    const struct table *t = c->table;

    for (int i = 0; i < t->seats && t->state == TABLE_PLAYING; i++)
        if (i != seat && t->seat[i] != 0)
            outbox_absence(c, t->seat[i], t->seat[seat], back);
}

static void tell_absence(struct change *c, int seat,
                         const struct answer *answer)
{
    const struct absence_row *is = absence_now(answer, c->hub->now_ms);
    int64_t until = known_until(c->table, seat);
    int64_t last = table_changed(c->table); /* no ply is of before */
    int64_t at = c->hub->now_ms > last ? c->hub->now_ms : last;

    bool away = is != NULL && is->until_ms > at && is->until_ms != until;
    bool back = is == NULL && until > at;
    if (away)
        change_add(c, &(struct entry){
                          .kind = ENTRY_ABSENT,
                          .seat = (uint16_t)seat,
                          .more = {.from = is->from_ms,
                                   .until = is->until_ms,
                                   .by_itself = is->auto_},
                      });
    else if (back)
        change_add(c, &(struct entry){
                          .kind = ENTRY_BACK,
                          .seat = (uint16_t)seat,
                      });
    if (away || back)
        tell_others(c, seat, back);
}

/* TABLE knows of ACCOUNT what there was after so many changes. */
static void put_knows(struct change *c, id_num account, int64_t hours,
                      int64_t away)
{
    struct op *op = change_op(c, OP_KNOWS);

    op->account = account;
    op->u.knows.hours = hours;
    op->u.knows.away = away;
}

void presence_add(struct change *c, id_num account,
                  const struct answer *answer)
{
    struct table *t = c->table;
    int seat = table_viewer(t, account);

    if (t->readable && seat != RULES_WATCHER && t->clocks != NULL &&
        t->state <= TABLE_PLAYING) {
        clocks_fold(t);
        if (t->clocks->timing.terms.hours)
            tell_hours(c, seat, answer);
        if (t->clocks->timing.terms.absence)
            tell_absence(c, seat, answer);
    }
    put_knows(c, account, answer->hours != NULL ? answer->hours->changed : 0,
              answer->away.changes);
}

/* ---- one table after the other ------------------------------------------------- */

void presence_ask(struct hub *hub, struct request *q, id_num account,
                  answered_cb then)
{
    struct question ask = {
        .kind = ASK_AWAY,
        .limit = LIMIT_ABSENCES_KEPT,
        .u.account = account,
    };
    hub_ask(hub, q, &ask, then);
}

static void told(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

static void found(struct hub *hub, struct request *q,
                  const struct answer *answer)
{
    struct change *c = change_begin(hub, q, q->table);

    presence_add(c, q->account, answer);
    change_submit(c, told);
}

/* Of who has just sat down and has never said when they are there the table knows
 * that already, and so does the store. */
static void newcomer_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    if (answer->hours == NULL && answer->away.changes == 0)
        result_empty(hub, q);
    else
        found(hub, q, answer);
}

/* What a table's clocks do not reckon with yet is to wait until it is known. */
static void tell_as(struct hub *hub, const struct table *t, struct request *q,
                    answered_cb then)
{
    if (t->readable && outages_known(hub)) {
        presence_ask(hub, q, q->account, then);
        return;
    }
    if (t->readable && hub->renames_ms > hub->now_ms + SOON_MS)
        hub->renames_ms = hub->now_ms + SOON_MS;
    result_empty(hub, q);
}

static void tell(struct hub *hub, struct table *t, struct request *q)
{
    tell_as(hub, t, q, found);
}

static void tell_newcomer(struct hub *hub, struct table *t, struct request *q)
{
    tell_as(hub, t, q, newcomer_found);
}

static struct request *tell_job(struct hub *hub, id_num account)
{
    struct request *job = job_new(hub);

    job->account = account;
    job->job = tell;
    return job;
}

static void tables_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    for (size_t i = 0; i < answer->listed_count; i++)
        table_job(hub, tell_job(hub, q->account), answer->tables[i].table.id);
    result_empty(hub, q);
}

void presence_tell(struct hub *hub, id_num account)
{
    struct request *q = job_new(hub);

    q->account = account;
    seats_ask(hub, q, account, LIMIT_TABLES, tables_found);
}

void presence_due(struct hub *hub, struct table *t, id_num account)
{
    queue_put_first(&t->queue, tell_job(hub, account));
}

void presence_check(struct hub *hub, struct table *t)
{
    for (int seat = 0; seat < t->seats && t->clocks != NULL; seat++)
        if (t->seat[seat] != 0)
            queue_put(&t->queue, tell_job(hub, t->seat[seat]));
}

void presence_later(struct change *c, id_num account)
{
    struct request *job = tell_job(c->hub, account);

    job->job = tell_newcomer;
    put_knows(c, account, 0, 0);
    queue_put(&c->table->queue, job);
}

/* ---- instead of a miss --------------------------------------------------------- */

static void ask_next(struct hub *hub, struct request *q);

static void missing_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    int seat = q->missing.seat;
    id_num account = q->table->seat[seat];

    if (absence_now(answer, hub->now_ms) != NULL &&
        known_until(q->table, seat) <= hub->now_ms) {
        struct change *c = change_begin(hub, q, q->table);
        presence_add(c, account, answer);
        change_submit(c, told);
    } else if (absence_instead(hub, answer) > hub->now_ms) {
        absence_begin(hub, account);
        result_empty(hub, q);
    } else {
        q->missing.seat++;
        ask_next(hub, q);
    }
}

static void ask_next(struct hub *hub, struct request *q)
{
    const struct table *t = q->table;
    int seat = q->missing.seat;

    while (seat < t->seats && (q->missing.seats & RULES_BIT(seat)) == 0)
        seat++;
    q->missing.seat = seat;
    if (seat == t->seats)
        q->missing.then(hub, q, q->missing.seats);
    else
        presence_ask(hub, q, t->seat[seat], missing_found);
}

/* What Q keeps is its maker's. */
void presence_before_miss(struct hub *hub, struct request *q, uint16_t seats,
                          missing_cb then)
{
    if (!q->table->clocks->timing.terms.absence) {
        then(hub, q, seats);
        return;
    }
    q->missing.seats = seats;
    q->missing.seat = 0;
    q->missing.then = then;
    ask_next(hub, q);
}
