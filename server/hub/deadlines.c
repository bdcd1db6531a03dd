/* deadlines.c -- whose time is up; see deadlines.h. */

#include "deadlines.h"

#include <stdlib.h>

#include "inner.h"
#include "outbox.h"

/* A reminder is due when so much of a turn's time is used. */
static const int stages[] = {50, 80};
#define STAGES ((int)COUNT_OF(stages))

/* A table, and when to look at it. */
struct deadline {
    struct due due; /* first */
    id_num table;
    int64_t late_ms; /* when somebody there will have missed a turn */
    bool own;        /* by what this hub has done there */
};

/* ---- the list --------------------------------------------------------------- */

static struct deadline *one_of(struct hub *hub, id_num table)
{
    struct deadlines *d = &hub->deadlines;
    struct deadline *one = map_get(&d->tables, table);

    if (one == NULL) {
        one = calloc(1, sizeof(*one));
        ASSERT(one != NULL);
        one->table = table;
        map_put(&d->tables, table, one);
    }
    return one;
}

void deadlines_drop(struct hub *hub, id_num table)
{
    struct deadlines *d = &hub->deadlines;
    struct deadline *one = map_take(&d->tables, table);

    if (one != NULL)
        due_take(&d->queue, &one->due);
    free(one);
}

/* TABLE is looked at when somebody there is late, or is to be reminded, and if that
 * is not by this hub's OWN doing a little later; INT64_MAX is never. */
static void put(struct hub *hub, id_num table, int64_t late_ms,
                int64_t remind_ms, bool own)
{
    int64_t first = remind_ms < late_ms ? remind_ms : late_ms;

    if (late_ms == INT64_MAX) {
        deadlines_drop(hub, table);
        return;
    }
    struct deadline *one = one_of(hub, table);
    one->late_ms = late_ms;
    one->own = own;
    due_put(&hub->deadlines.queue, &one->due,
            first + (own ? 0 : news_patience(hub)));
}

/* When the first of those is late of whom S tells. */
static int64_t first_late(const struct summary *s)
{
    int64_t first = s->state == TABLE_PLAYING && s->quiet != 0 ? s->quiet
                                                               : INT64_MAX;

    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (s->state == TABLE_PLAYING && s->due[seat] != 0 &&
            s->due[seat] + MISS_AFTER_MS < first)
            first = s->due[seat] + MISS_AFTER_MS;
    return first;
}

/* How many reminders SEAT of T is to have had in this turn by AT; when the next
 * one is due, if that is before *RET_NEXT. */
static int stage_of(const struct hub *hub, const struct table *t, int seat,
                    int64_t at, int64_t *ret_next)
{
    const struct outages *o = &hub->outages;
    int stage = 0;

    for (int i = 0; i < STAGES && t->clocks != NULL; i++) {
        int64_t when = timing_used(&t->clocks->timing, seat, stages[i], at,
                                   o->at, o->count);
        if (when != 0 && when <= at)
            stage = i + 1;
        else if (when != 0 && when < *ret_next)
            *ret_next = when;
    }
    return stage;
}

/* When to look at T for whom to remind, AT. */
static int64_t next_remind(const struct hub *hub, const struct table *t,
                           int64_t at)
{
    int64_t next = INT64_MAX;

    for (int seat = 0; seat < t->seats; seat++) {
        int stage = stage_of(hub, t, seat, at, &next);
        if (stage > 0)
            return at; /* who knows whether they had it */
    }
    return next;
}

/* The same, but not later than an order of T's can be carried out that a pause
 * holds. */
static void put_table(struct hub *hub, const struct table *t, int64_t late_ms,
                      int64_t remind_ms, bool own)
{
    int64_t held = orders_held(hub, t);

    if (held != 0 && held < remind_ms)
        remind_ms = held;
    if (held != 0 && late_ms == INT64_MAX)
        late_ms = held;
    put(hub, t->id, late_ms, remind_ms, own);
}

void deadlines_change(struct hub *hub, const struct table *t,
                      const struct summary *s)
{
    put_table(hub, t, first_late(s), next_remind(hub, t, hub->now_ms), true);
}

void deadlines_of(const struct hub *hub, const struct table *t,
                  const struct summary *s, int64_t *ret_late,
                  int64_t *ret_remind)
{
    *ret_late = first_late(s);
    *ret_remind = next_remind(hub, t, hub->now_ms);
}

void deadlines_heard(struct hub *hub, id_num table, int64_t late_ms,
                     int64_t remind_ms)
{
    put(hub, table, late_ms, remind_ms, false);
}

void deadlines_loaded(struct hub *hub, const struct table *t)
{
    struct summary now;

    if (!t->readable || (t->clocks == NULL && voting_quiet(t) == 0))
        return;
    table_summary(t, &now);
    put_table(hub, t, first_late(&now), next_remind(hub, t, hub->now_ms),
              false);
}

void deadlines_lost(struct hub *hub, id_num table)
{
    struct deadline *one = one_of(hub, table);

    if (one->late_ms == 0)
        one->late_ms = hub->now_ms;
    due_put(&hub->deadlines.queue, &one->due,
            hub->now_ms + LIMIT_DEADLINE_AGAIN_MS);
}

void deadlines_done(struct deadlines *d)
{
    struct deadline *one;

    for (size_t at = 0; (one = map_next(&d->tables, &at)) != NULL;)
        free(one);
    map_done(&d->tables);
    due_done(&d->queue);
}

struct due_table *deadlines_all(const struct hub *hub, size_t *ret_count)
{
    const struct deadlines *d = &hub->deadlines;
    struct due_table *all = calloc(d->tables.count + 1, sizeof(*all));
    const struct deadline *one;

    ASSERT(all != NULL);
    *ret_count = 0;
    for (size_t at = 0; (one = map_next(&d->tables, &at)) != NULL;)
        all[(*ret_count)++] = (struct due_table){one->table, one->late_ms};
    return all;
}

/* ---- deciding --------------------------------------------------------------- */

static void looked(struct request *q)
{
    struct deadlines *d = q->kept;

    d->looking--;
}

static void decided(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

/* Now, but never before what T's log tells. */
static int64_t moment(const struct hub *hub, const struct table *t)
{
    int64_t changed = table_changed(t);
    return hub->now_ms > changed ? hub->now_ms : changed;
}

/* Who of T has missed a turn by AT, as bits; and when the next one will have, or
 * silence agrees. */
static uint16_t late(const struct hub *hub, const struct table *t, int64_t at,
                     int64_t *ret_next)
{
    const struct clocks *k = t->clocks;
    const struct outages *o = &hub->outages;
    int64_t quiet = voting_quiet(t);
    uint16_t seats = 0;

    *ret_next = quiet != 0 ? quiet : INT64_MAX;
    for (int seat = 0; k != NULL && seat < t->seats; seat++) {
        int64_t due = timing_due(&k->timing, seat, at, o->at, o->count);
        if (due == 0)
            continue;
        due += MISS_AFTER_MS;
        if (due <= at)
            seats |= RULES_BIT(seat);
        else if (due < *ret_next)
            *ret_next = due;
    }
    return seats;
}

static void miss(struct change *c, int seat)
{
    const struct table *t = c->table;
    struct entry e = {
        .kind = ENTRY_MISS,
        .seat = (uint16_t)seat,
        .more.then = (uint8_t)timing_then(&t->clocks->timing, seat),
    };

    change_concerns(c, t->seat[seat], "missed");
    change_put(c, &e);
}

/* Those of SEATS, who miss their turns at T, that are not excused; *RET_FIRST:
 * it is the very first turn of one of them. */
static uint16_t unexcused(const struct table *t, uint16_t seats,
                          bool *ret_first)
{
    const struct timing *is = &t->clocks->timing;
    uint16_t away = 0;

    *ret_first = false;
    for (int seat = 0; seat < t->seats; seat++) {
        if ((seats & RULES_BIT(seat)) == 0 ||
            timing_then(is, seat) == MISS_EXCUSED)
            continue;
        away |= RULES_BIT(seat);
        *ret_first = *ret_first || is->clock.seat[seat].turns == 0;
    }
    return away;
}

/* First all misses, then the moves that they bring; and none as long as the table
 * does not know when people are away. */
static void decide(struct hub *hub, struct request *q, uint16_t seats)
{
    struct table *t = q->table;
    struct change *c = change_begin(hub, q, t);
    bool first;
    uint16_t away = unexcused(t, seats, &first);

    change_op(c, OP_REQUIRE_TOLD);

    for (int seat = 0; seat < t->seats; seat++)
        if ((seats & RULES_BIT(seat)) != 0 && t->state == TABLE_PLAYING)
            miss(c, seat);
    change_follow(c);
    if (first && t->state == TABLE_ABANDONED)
        reopen(c, away | timing_gone(&t->clocks->timing));
    change_submit(c, decided);
}

/* ---- reminding -------------------------------------------------------------- */

/* When T is to be looked at next: all are reminded, and nobody was late when it
 * was looked at; who is by now is decided at once. */
static void look_later(struct hub *hub, const struct table *t)
{
    int64_t at = moment(hub, t), late_ms, next = INT64_MAX;

    if (late(hub, t, at, &late_ms) != 0)
        late_ms = at;
    for (int seat = 0; seat < t->seats; seat++)
        (void)stage_of(hub, t, seat, at, &next);
    const struct deadline *one = map_get(&hub->deadlines.tables, t->id);
    put_table(hub, t, late_ms, next, one != NULL && one->own);
}

static void reminded(struct hub *hub, struct request *q)
{
    look_later(hub, q->table);
    result_empty(hub, q);
}

/* Which turn SEAT is in: what a rewind took back comes again as another. */
static uint32_t turn_of(const struct table *t, int seat)
{
    const struct clocks *k = t->clocks;
    return (uint32_t)(k->back_count << 16) + k->timing.clock.seat[seat].turns +
           1;
}

/* How far ACCOUNT was reminded of TURN. */
static int told_of(const struct answer *answer, id_num account, uint32_t turn)
{
    for (size_t i = 0; i < answer->reminder_count; i++)
        if (answer->reminders[i].account == account &&
            answer->reminders[i].turn == turn)
            return answer->reminders[i].stage;
    return 0;
}

/* What was told before is known: the others are reminded. */
static void remind(struct hub *hub, struct request *q,
                   const struct answer *answer)
{
    struct table *t = q->table;
    struct change *c = change_begin(hub, q, t);
    int64_t at = moment(hub, t), next = INT64_MAX;
    int stage[RULES_SEATS_MAX];

    for (int seat = 0; seat < t->seats; seat++)
        stage[seat] = stage_of(hub, t, seat, at, &next);
    for (int seat = 0; seat < t->seats; seat++) {
        id_num account = t->seat[seat];
        uint32_t turn = turn_of(t, seat);
        if (account == 0 || stage[seat] <= told_of(answer, account, turn))
            continue;
        outbox_reminder(c, account, stage[seat] == STAGES);
        change_op(c, OP_REMINDER)->u.reminder = (struct reminder_row){
            .account = account,
            .turn = turn,
            .stage = (uint8_t)stage[seat],
            .ply = t->log.count - 1,
            .next = next,
        };
    }
    change_submit(c, reminded);
}

/* ---- looking ---------------------------------------------------------------- */

static void ask_reminders(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_STAGES,
        .limit = LIMIT_REMINDERS,
        .u.table.id = q->table->id,
    };
    hub_ask(hub, q, &ask, remind);
}

static void look(struct hub *hub, struct table *t, struct request *q)
{
    int64_t at, late_ms;

    if (!t->readable || t->state != TABLE_PLAYING) {
        deadlines_drop(hub, t->id);
        result_empty(hub, q);
        return;
    }
    if (!outages_decide(hub)) {
        deadlines_lost(hub, t->id);
        result_empty(hub, q);
        return;
    }
    at = moment(hub, t);
    if (voting_silence(hub, t, q, at) || orders_take_up(hub, t, q))
        return;
    uint16_t seats = late(hub, t, at, &late_ms);
    if (seats != 0) {
        presence_before_miss(hub, q, seats, decide);
    } else if (next_remind(hub, t, at) <= at) {
        ask_reminders(hub, q);
    } else {
        look_later(hub, t);
        result_empty(hub, q);
    }
}

/* Until it is known what became of it, it is looked at again. */
static void begin(struct hub *hub, struct deadline *one)
{
    struct request *job = job_new(hub);

    deadlines_lost(hub, one->table);
    hub->deadlines.looking++;
    job->kept = &hub->deadlines;
    job->done = looked;
    job->job = look;
    table_job(hub, job, one->table);
}

/* ---- at a start ------------------------------------------------------------- */

/* About when to look whom to remind, by S: half way from the question, which is
 * not too late but for who was there since. */
static int64_t guess_remind(const struct summary *s)
{
    int64_t first = INT64_MAX;

    for (int seat = 0; seat < RULES_SEATS_MAX; seat++) {
        int64_t half = s->since[seat] + (s->due[seat] - s->since[seat]) / 2;
        if (s->due[seat] != 0 && half < first)
            first = half;
    }
    return first;
}

static void read_page(struct hub *hub);

/* What happened meanwhile is newer than L, unless nobody heard of it: then to look
 * too early is harmless. */
static bool is_news(const struct hub *hub, const struct listed *l)
{
    const struct deadline *one = map_get(&hub->deadlines.tables, l->table.id);

    return one == NULL || (hub->news.gaps > 0 &&
                           first_late(&l->table.summary) < one->late_ms);
}

static void page_read(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    struct deadlines *d = &hub->deadlines;

    d->reading = false;
    d->read = !answer->more;
    for (size_t i = 0; i < answer->listed_count; i++) {
        const struct listed *l = &answer->tables[i];
        d->behind = l->table.id;
        if (is_news(hub, l))
            put(hub, l->table.id, first_late(&l->table.summary),
                l->at != 0 ? l->at : guess_remind(&l->table.summary), false);
        bots_found(hub, &l->table);
    }
    if (d->outdated)
        deadlines_again(hub);
    result_empty(hub, q);
    if (!d->read && !hub->closing)
        read_page(hub);
}

static void page_over(struct request *q)
{
    struct deadlines *d = q->kept;

    d->reading = false;
}

static void read_page(struct hub *hub)
{
    struct deadlines *d = &hub->deadlines;
    struct request *q = job_new(hub);
    struct question ask = {
        .kind = ASK_DUE,
        .limit = LIMIT_DEADLINES_PAGE,
        .u.behind = d->behind,
    };

    d->reading = true;
    q->kept = d;
    q->done = page_over;
    hub_ask(hub, q, &ask, page_read);
}

void deadlines_begin(struct hub *hub)
{
    read_page(hub);
}

void deadlines_again(struct hub *hub)
{
    struct deadlines *d = &hub->deadlines;

    d->outdated = d->reading;
    d->read = false;
    d->behind = 0;
}

void deadlines_tick(struct hub *hub)
{
    struct deadlines *d = &hub->deadlines;
    struct due *first;

    if (!d->read && !d->reading && !hub->closing)
        read_page(hub);
    if (!outages_decide(hub))
        return;
    while (d->looking < LIMIT_DEADLINES &&
           (first = due_first(&d->queue)) != NULL &&
           first->at_ms <= hub->now_ms)
        begin(hub, (struct deadline *)first);
}
