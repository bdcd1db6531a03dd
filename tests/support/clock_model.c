#include "clock_model.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define SECOND_MS INT64_C(1000)
#define DAY_MS    (24 * 3600 * SECOND_MS)
/* A bot has so long for a move, and again if the server starts anew. */
#define BOT_MS (2 * 60 * SECOND_MS)

struct stops {
    struct span *at;
    size_t count, cap;
};

struct model_seat {
    bool begun, waited, late, gone, offered, interrupted;
    uint32_t turn, turns;
    int missed, excused, given_up;
    int64_t bank_ms, extra_ms;
    int64_t base_ms;  /* moments used by SINCE of this turn */
    int64_t since_ms; /* waited for since then, or judged anew */
    const struct clock_hours *hours, *next_hours;
    struct stops away;
    int64_t grace_at; /* when an absence that interrupted ends, or 0 */
};

struct model {
    const struct audit *a;
    struct terms terms;
    struct model_seat seat[RULES_SEATS_MAX];
    int seats;
    bool on, over;
    struct rules_moment now;
    uint16_t asked;
    struct stops stops; /* outages and pauses, of everybody */
    int64_t last_ms;    /* of the entry before */
    bool pausing;       /* the last of the stops is a pause */
    int64_t told_ms;    /* when the last outage began that was told */
    int64_t bots_ms;    /* bots are waited for since then, or 0 */
    const struct timing_entry *passed; /* a vote, by the entry before */
    uint16_t opened; /* seats that others voted to have taken over */
};

/* ---- what does not count -------------------------------------------------- */

static void stop(struct stops *s, int64_t from, int64_t to)
{
    if (s->count == s->cap) {
        s->cap = s->cap > 0 ? 2 * s->cap : 16;
        s->at = realloc(s->at, s->cap * sizeof(*s->at));
        ASSERT(s->at != NULL);
    }
    s->at[s->count++] = (struct span){from, to};
}

/* The last one ends at TO at the latest. */
static void stop_ends(struct stops *s, int64_t to)
{
    if (s->count > 0 && s->at[s->count - 1].to_ms > to)
        s->at[s->count - 1].to_ms = to;
}

/* From when on nothing stands still that did at AT; AT itself if nothing did. */
static int64_t goes_on_at(const struct model *m, const struct model_seat *s,
                          int64_t at)
{
    const struct stops *all[] = {&m->stops, &s->away};

    for (bool again = true; again;) {
        again = false;
        for (int k = 0; k < 2; k++)
            for (size_t i = all[k]->count; i-- > 0;)
                if (all[k]->at[i].from_ms <= at && at < all[k]->at[i].to_ms) {
                    at = all[k]->at[i].to_ms;
                    again = true;
                }
    }
    return at;
}

/* The first moment after AT at which something stands still, or TO. */
static int64_t stops_at(const struct model *m, const struct model_seat *s,
                        int64_t at, int64_t to)
{
    const struct stops *all[] = {&m->stops, &s->away};

    for (int k = 0; k < 2; k++)
        for (size_t i = all[k]->count; i-- > 0;) {
            const struct span *one = &all[k]->at[i];
            if (one->to_ms > one->from_ms && one->from_ms > at &&
                one->from_ms < to)
                to = one->from_ms;
        }
    return to;
}

/* ---- counting ------------------------------------------------------------- */

static int64_t inside(const struct model_seat *s, int64_t from, int64_t to)
{
    return s->hours == NULL
               ? to - from
               : hours_count(&s->hours->hours, &s->hours->offsets, from, to);
}

static int64_t counted(const struct model *m, const struct model_seat *s,
                       int64_t from, int64_t to)
{
    int64_t sum = 0;

    while ((from = goes_on_at(m, s, from)) < to) {
        int64_t end = stops_at(m, s, from, to);
        sum += inside(s, from, end);
        from = end;
    }
    return sum;
}

static int64_t all_ms(const struct model *m)
{
    return (m->terms.pace.free + m->terms.pace.bank) * SECOND_MS;
}

static int64_t more_ms(const struct model *m)
{
    const struct pace *p = &m->terms.pace;
    return p->free > 0 ? p->free * SECOND_MS : p->bank * SECOND_MS / 4;
}

/* MS by S's clock as moments inside their hours. */
static int64_t moments(const struct model_seat *s, int64_t ms)
{
    if (s->hours == NULL)
        return ms;
    int64_t week = hours_week(&s->hours->hours);
    return (ms * week + 10079) / 10080;
}

static int64_t budget(const struct model *m, const struct model_seat *s)
{
    int64_t ms = s->missed > 0 ? all_ms(m) / (1 << s->missed)
                               : m->terms.pace.free * SECOND_MS + s->bank_ms;
    return moments(s, ms + s->extra_ms);
}

/* What S has used by AT, which is counted up to first. */
static int64_t used(const struct model *m, const struct model_seat *s,
                    int64_t at)
{
    int64_t base = s->base_ms, since = s->since_ms;

    if (!s->waited || at <= since)
        return base;
    if (s->grace_at != 0 && s->grace_at <= at) {
        int64_t day = more_ms(m) < DAY_MS ? more_ms(m) : DAY_MS;
        int64_t grace = moments(s, day);
        base += counted(m, s, since, s->grace_at);
        since = s->grace_at;
        if (budget(m, s) - base < grace)
            base = budget(m, s) - grace;
    }
    return base + counted(m, s, since, at);
}

/* What S has used so far is what it used by AT. */
static void count_to(struct model *m, struct model_seat *s, int64_t at)
{
    if (!s->waited || at <= s->since_ms)
        return;
    s->base_ms = used(m, s, at);
    s->since_ms = at;
    if (s->grace_at <= at)
        s->grace_at = 0;
}

/* ---- turns ---------------------------------------------------------------- */

static void end_turn(struct model *m, struct model_seat *s)
{
    const struct pace *p = &m->terms.pace;
    int64_t shown = s->base_ms;

    if (!s->begun)
        return;
    s->begun = false;
    s->turns++;
    if (s->late)
        return;
    if (s->hours != NULL)
        shown = shown * 10080 / hours_week(&s->hours->hours);
    int64_t beyond = shown - p->free * SECOND_MS;
    if (beyond > 0)
        s->bank_ms -= beyond < s->bank_ms ? beyond : s->bank_ms;
    if ((s->missed > 0 || s->offered) && s->bank_ms < all_ms(m) / 8)
        s->bank_ms = all_ms(m) / 8;
    s->missed = 0;
    s->offered = false;
    int64_t cap = p->cap * SECOND_MS, more = s->bank_ms + p->add * SECOND_MS;
    if (s->bank_ms < cap)
        s->bank_ms = more < cap ? more : cap;
}

static bool same_turn(const struct model *m, int seat)
{
    const struct model_seat *s = &m->seat[seat];

    if (!s->begun)
        return false;
    return m->now.turn == RULES_NO_TURN ? (m->asked & RULES_BIT(seat)) == 0
                                        : s->turn == m->now.turn;
}

static uint16_t given_up(const struct model *m)
{
    uint16_t who = 0;

    for (int i = 0; i < m->seats; i++)
        if (m->seat[i].given_up)
            who |= RULES_BIT(i);
    return who;
}

/* All others have given up. */
static bool one_left(const struct model *m)
{
    uint16_t gone = given_up(m);

    return gone != 0 && __builtin_popcount(gone) >= m->seats - 1;
}

static bool is_over(const struct model *m)
{
    return m->over || m->now.acting == 0 || one_left(m);
}

/* Whether something follows by itself before anybody is waited for. */
static bool follows(const struct model *m)
{
    for (int i = 0; i < m->seats; i++) {
        const struct model_seat *s = &m->seat[i];
        bool bot = m->terms.policy == POLICY_BOT && s->gone;
        if ((m->now.acting & RULES_BIT(i)) != 0 &&
            (s->given_up ||
             (!bot && (s->gone || (s->late && same_turn(m, i))))))
            return true;
    }
    return (m->now.acting & RULES_BIT(RULES_NATURE)) != 0;
}

static void wait_for(struct model *m, int seat, int64_t at,
                     struct clock_verdicts *v)
{
    struct model_seat *s = &m->seat[seat];

    if (!same_turn(m, seat)) {
        count_to(m, s, at);
        v->moved += s->begun && !s->late;
        end_turn(m, s);
        s->hours = s->next_hours;
        s->turn = m->now.turn;
        s->base_ms = s->extra_ms = s->grace_at = 0;
        s->begun = true;
        s->late = s->waited = false;
    }
    if (!s->waited)
        s->since_ms = at;
    s->waited = true;
}

static void settle(struct model *m, int64_t at, struct clock_verdicts *v)
{
    bool over = is_over(m);

    if (!over && follows(m))
        return;
    for (int i = 0; i < m->seats; i++) {
        struct model_seat *s = &m->seat[i];
        if (!over && (m->now.acting & RULES_BIT(i)) != 0 && !s->gone) {
            wait_for(m, i, at, v);
        } else {
            count_to(m, s, at);
            s->waited = false;
            s->grace_at = 0;
        }
    }
    m->asked = 0;
}

/* ---- votes ---------------------------------------------------------------- */

/* Whether E ends whatever vote was open, or one about ABOUT. */
static bool ends_votes(const struct timing_entry *e, int about)
{
    switch (e->kind) {
    case ENTRY_START:
    case ENTRY_MOVE:
    case ENTRY_UNDO:
    case ENTRY_RESIGN:
    case ENTRY_REWIND:
    case ENTRY_REPLACED: return true;
    case ENTRY_MISS: return e->more.then != MISS_EXCUSED || about == VOTE_BACK;
    case ENTRY_PAUSE:
    case ENTRY_RESUME: return about == VOTE_PAUSE || about == VOTE_RESUME;
    case ENTRY_VOTE: return !e->more.yes || e->more.passed;
    default: return false;
    }
}

/* When the vote is over that FIRST opened. */
static int64_t vote_until(const struct timing_entry *first)
{
    int64_t until = first->at + 7 * DAY_MS;

    return first->more.about == VOTE_PAUSE && first->more.until < until
               ? first->more.until
               : until;
}

/* The seats that said yes in the vote that E, of the log, belongs to. */
static uint16_t agreed(const struct model *m, const struct timing_entry *e)
{
    const struct timing_entry *first = NULL, *v = e;
    uint16_t seats = 0;

    while (v > m->a->log && !ends_votes(v - 1, e->more.about))
        v--;
    for (; v <= e; v++) {
        if (first != NULL && v != e && ends_votes(v, first->more.about))
            first = NULL;
        if (v->kind != ENTRY_VOTE || v->seat >= RULES_SEATS_MAX)
            continue;
        if (first == NULL || v->at >= vote_until(first)) {
            first = v;
            seats = 0;
        }
        seats |= (uint16_t)RULES_BIT(v->seat);
    }
    return first != NULL && first->more.about == e->more.about ? seats : 0;
}

/* All who have a say in what E is about. */
static uint16_t asked_of(const struct model *m, const struct timing_entry *e)
{
    uint16_t seats = 0;

    for (int i = 0; i < m->seats; i++)
        if (!m->seat[i].gone && !m->seat[i].given_up &&
            !(e->more.about == VOTE_REPLACE && e->more.to == i))
            seats |= RULES_BIT(i);
    return seats;
}

/* Whether E is what comes of a vote about ABOUT. */
static bool comes_of(const struct timing_entry *e, int about)
{
    static const uint8_t kinds[VOTES] = {
        [VOTE_CANCEL] = ENTRY_ABANDON, [VOTE_PAUSE] = ENTRY_PAUSE,
        [VOTE_GIVE] = ENTRY_GIVE,      [VOTE_REPLACE] = ENTRY_KINDS,
        [VOTE_BACK] = ENTRY_REWIND,    [VOTE_RESUME] = ENTRY_RESUME,
    };
    return e->kind == kinds[about] && e->more.why == WHY_VOTE;
}

/* E, of the log, is what was voted for, if it says so, and only then. */
static const char *judge_votes(const struct model *m,
                               const struct timing_entry *e)
{
    bool effect = e->more.why == WHY_VOTE && e->kind != ENTRY_REPLACED;

    if (m->passed != NULL && !comes_of(e, m->passed->more.about))
        return "what was voted for did not come";
    if (effect && (m->passed == NULL || e->at != m->passed->at))
        return "nobody voted for that";
    if (e->kind == ENTRY_REPLACED && e->more.why == WHY_VOTE &&
        (m->opened & RULES_BIT(e->seat)) == 0)
        return "nobody voted to have that seat taken over";
    if (e->kind != ENTRY_VOTE || !e->more.yes || e->seat == ENTRY_NOBODY)
        return NULL;
    if ((asked_of(m, e) & ~agreed(m, e)) != 0)
        return e->more.passed ? "a vote passed to which not all agreed" : NULL;
    return e->more.passed ? NULL : "all agreed, and the vote did not pass";
}

static void take_votes(struct model *m, const struct timing_entry *e)
{
    bool passed = e->kind == ENTRY_VOTE && e->more.passed;

    m->passed = passed && e->more.about != VOTE_REPLACE ? e : NULL;
    if (passed && e->more.about == VOTE_REPLACE)
        m->opened |= RULES_BIT(e->more.to);
    else if (e->kind == ENTRY_REPLACED)
        m->opened &= (uint16_t)~RULES_BIT(e->seat);
}

/* ---- bots ----------------------------------------------------------------- */

/* Whether it is for a bot to move. */
static bool bots_wait(const struct model *m)
{
    bool any = false;

    if (m->terms.policy != POLICY_BOT || !m->on || is_over(m) || follows(m))
        return false;
    for (int i = 0; i < m->seats; i++)
        any = any || (m->seat[i].gone && !m->seat[i].given_up &&
                      (m->now.acting & RULES_BIT(i)) != 0);
    return any;
}

/* A bot had its time, or longer, and nobody moved for it, at AT. */
static const char *judge_bots(const struct model *m, int64_t at, int64_t slack)
{
    const struct model_seat nobody = {0};
    int64_t since = m->bots_ms;

    if (since == 0 || at - since <= BOT_MS + slack ||
        goes_on_at(m, &nobody, since) != since ||
        stops_at(m, &nobody, since, at) != at)
        return NULL;
    return "a move that no bot and nobody else made";
}

/* E is of the log: another question, or the same. */
static void wait_for_bots(struct model *m, const struct timing_entry *e)
{
    bool other = ends_votes(e, VOTE_CANCEL) || e->kind == ENTRY_MISS;

    if (!bots_wait(m))
        m->bots_ms = 0;
    else if (other || m->bots_ms == 0)
        m->bots_ms = e->at;
}

/* A move was made by whoever it was for to make. */
static const char *judge_move(const struct model *m,
                              const struct timing_entry *e)
{
    const struct model_seat *s;
    bool bot;

    if (e->seat >= m->seats)
        return NULL;
    s = &m->seat[e->seat];
    bot = m->terms.policy == POLICY_BOT && s->gone && !s->given_up;
    if (e->more.made == MADE_BY_BOT)
        return bot ? NULL : "a bot moved for who was there";
    if (s->given_up)
        return NULL;
    bool forced = s->gone || (s->late && same_turn(m, e->seat));
    if (e->more.made == MADE_MILD)
        return forced ? NULL : "a move was made for who was in time";
    return forced ? "who is played for moved" : NULL;
}

/* ---- entries -------------------------------------------------------------- */

/* The time that E has to itself is over when nothing counts: told from then on. */
static int64_t hear(struct model *m, const struct timing_entry *e)
{
    int64_t from = m->last_ms;

    for (uint32_t i = 0; i < e->more.outage_count; i++) {
        const struct span *o = &e->more.outages[i];
        m->told_ms = o->from_ms;
        if (o->from_ms > from)
            from = o->from_ms;
        if (m->pausing) { /* it stays the last */
            struct span pause = m->stops.at[--m->stops.count];
            stop(&m->stops, from, o->to_ms);
            stop(&m->stops, pause.from_ms, pause.to_ms);
        } else {
            stop(&m->stops, from, o->to_ms);
        }
    }
    return from;
}

static void go_away(struct model *m, struct model_seat *s,
                    const struct timing_entry *e, int64_t from)
{
    if (e->more.from > from)
        from = e->more.from;
    if (m->on)
        count_to(m, s, from);
    stop_ends(&s->away, from);
    stop(&s->away, from, e->more.until);
    s->grace_at = m->on && s->waited ? e->more.until : 0;
}

static void come_back(struct model_seat *s, int64_t at)
{
    stop_ends(&s->away, at);
    if (s->grace_at > at)
        s->grace_at = at;
}

static void start(struct model *m, const struct timing_entry *e)
{
    int to = 0;

    for (int i = 0; i < RULES_SEATS_MAX; i++) {
        struct model_seat *s = &m->seat[i];
        if ((e->kept & RULES_BIT(i)) == 0) {
            free(s->away.at);
            s->away = (struct stops){0};
            continue;
        }
        if (to != i) {
            m->seat[to] = *s;
            *s = (struct model_seat){0};
        }
        m->seat[to++].bank_ms = m->terms.pace.bank * SECOND_MS;
    }
    m->seats = to;
    m->on = true;
    m->now = e->now;
    m->asked = e->now.asked;
}

/* Whether S's time was up for longer than SLACK at AT, and nothing stood still for
 * as long: it should have been decided. */
static bool forgotten(const struct model *m, const struct model_seat *s,
                      int64_t at, int64_t slack)
{
    int64_t then = at - MISS_AFTER_MS - slack;

    return then >= s->since_ms && used(m, s, then) >= budget(m, s) &&
           goes_on_at(m, s, then) == then && stops_at(m, s, then, at) == at;
}

/* A miss of S is as it has to be, or what is wrong with it. */
static const char *judge_miss(const struct model *m, int seat,
                              const struct timing_entry *e, int64_t slack,
                              struct clock_verdicts *v)
{
    const struct model_seat *s = &m->seat[seat];
    static const enum miss_then thens[] = {MISS_MILD, MISS_BOT, MISS_OPEN,
                                           MISS_OUT, MISS_END};
    enum miss_then then = s->excused < m->terms.excused ? MISS_EXCUSED
                          : s->turns == 0               ? MISS_END
                                          : thens[m->terms.policy];

    if (!s->waited || s->late || s->given_up)
        return "a miss of who was not waited for";
    if (used(m, s, e->at - MISS_AFTER_MS) < budget(m, s))
        return "a miss before its time";
    if (forgotten(m, s, e->at, slack))
        return "a miss that was decided late";
    if (e->more.then != then)
        return "something else was to come of this miss";
    v->missed[then]++;
    return NULL;
}

/* S has used all that it had at AT, and no more. */
static void forget_late(struct model *m, struct model_seat *s, int64_t at)
{
    count_to(m, s, at);
    s->base_ms = budget(m, s);
}

static void take_miss(struct model *m, int seat, enum miss_then then,
                      int64_t at)
{
    struct model_seat *s = &m->seat[seat];

    switch (then) {
    case MISS_EXCUSED:
        s->excused++;
        forget_late(m, s, at);
        s->extra_ms += more_ms(m);
        return;
    case MISS_OPEN:
        if (!s->offered) {
            s->offered = true;
            forget_late(m, s, at);
            s->extra_ms += all_ms(m);
            return;
        }
        break;
    case MISS_OUT: s->given_up = true; return;
    case MISS_END: m->over = true; return;
    default: break;
    }
    s->late = true;
    s->offered = false;
    s->bank_ms = 0;
    s->missed += s->missed < 3;
    s->gone = then != MISS_MILD || s->missed == 3;
}

static void replace(struct model *m, struct model_seat *s,
                    enum replaced_why why, struct clock_verdicts *v)
{
    struct stops away = s->away;
    uint32_t turns = s->turns;

    s->given_up = false;
    if (why == WHY_SELF) {
        v->returns++;
        if (!s->gone) /* what they missed was taken back */
            return;
        end_turn(m, s);
        s->gone = s->offered = false;
        s->missed = 0;
        if (s->bank_ms < all_ms(m) / 8)
            s->bank_ms = all_ms(m) / 8;
        return;
    }
    v->taken++;
    away.count = 0;
    *s = (struct model_seat){.bank_ms = m->terms.pace.bank * SECOND_MS,
                             .turns = turns,
                             .away = away};
}

static void give(struct model *m, const struct timing_entry *e)
{
    struct model_seat *s = &m->seat[e->more.to];

    count_to(m, s, e->at); /* what an absence has left was given without it */
    if (s->waited && s->missed > 0)
        s->extra_ms += e->more.seconds * SECOND_MS;
    else
        s->bank_ms += e->more.seconds * SECOND_MS;
}

static void pause(struct model *m, const struct timing_entry *e)
{
    if (m->pausing)
        stop_ends(&m->stops, e->at);
    m->pausing = e->kind == ENTRY_PAUSE;
    if (m->pausing)
        stop(&m->stops, e->at, e->more.until);
}

static bool nobody_left(const struct model *m)
{
    for (int i = 0; i < m->seats; i++)
        if (!m->seat[i].gone && !m->seat[i].given_up)
            return false;
    return true;
}

/* E, of a game that goes on. */
static void take(struct model *m, const struct timing_entry *e,
                 struct clock_verdicts *v)
{
    struct model_seat *s = e->seat < RULES_SEATS_MAX ? &m->seat[e->seat]
                                                     : NULL;

    switch (e->kind) {
    case ENTRY_MOVE:
        if (e->undone)
            return;
        m->now = e->now;
        m->asked |= e->now.asked;
        break;
    case ENTRY_RESIGN:
        if (!e->undone)
            s->given_up = true;
        break;
    case ENTRY_ABANDON: m->over = true; break;
    case ENTRY_MISS:
        if (!e->undone)
            take_miss(m, e->seat, (enum miss_then)e->more.then, e->at);
        break;
    case ENTRY_GIVE:
        if (!e->undone)
            give(m, e);
        break;
    case ENTRY_REPLACED:
        replace(m, s, (enum replaced_why)e->more.why, v);
        break;
    case ENTRY_HOURS: s->next_hours = e->more.hours; break;
    case ENTRY_BACK: come_back(s, e->at); break;
    case ENTRY_PAUSE:
    case ENTRY_RESUME: pause(m, e); break;
    case ENTRY_REWIND:
        for (int i = 0; i < m->seats; i++)
            m->seat[i].begun = m->seat[i].waited = false;
        m->asked = 0;
        break;
    default: break;
    }
    if (nobody_left(m) && !one_left(m))
        m->over = true;
}

/* E, before the start. */
static void prepare(struct model *m, const struct timing_entry *e)
{
    struct model_seat *s = e->seat < RULES_SEATS_MAX ? &m->seat[e->seat]
                                                     : NULL;

    if (e->kind == ENTRY_START)
        start(m, e);
    if (s == NULL)
        return;
    if (e->kind == ENTRY_JOIN || e->kind == ENTRY_LEAVE) {
        s->next_hours = NULL;
        s->away.count = 0;
    } else if (e->kind == ENTRY_HOURS) {
        s->next_hours = e->more.hours;
    } else if (e->kind == ENTRY_ABSENT) {
        go_away(m, s, e, e->more.from);
    } else if (e->kind == ENTRY_BACK) {
        come_back(s, e->at);
    }
}

/* Nobody's time was up for longer than SLACK at AT, but who has missed it. */
static const char *overdue(const struct model *m, int64_t at, int64_t slack,
                           int but)
{
    for (int i = 0; i < m->seats; i++) {
        const struct model_seat *s = &m->seat[i];
        if (i != but && s->waited && !s->late && !s->given_up && !m->over &&
            forgotten(m, s, at, slack))
            return "a deadline that nobody decided";
    }
    return NULL;
}

/* E, of the log, as the game is. */
static const char *judge(const struct model *m, const struct timing_entry *e,
                         int64_t slack, struct clock_verdicts *v)
{
    const char *wrong = judge_votes(m, e);

    if (wrong == NULL && e->kind == ENTRY_MISS)
        wrong = judge_miss(m, e->seat, e, slack, v);
    if (wrong == NULL && e->kind == ENTRY_MOVE)
        wrong = judge_move(m, e);
    /* What a rewind took back was looked at before it was. */
    if (wrong == NULL && e->kind != ENTRY_REWIND)
        wrong = overdue(m, e->at, slack, e->kind == ENTRY_MISS ? e->seat : -1);
    if (wrong == NULL && e->kind != ENTRY_REWIND)
        wrong = judge_bots(m, e->at, slack);
    return wrong;
}

static void count_entry(const struct timing_entry *e, struct clock_verdicts *v)
{
    v->outages += e->more.outage_count;
    v->hours += e->kind == ENTRY_HOURS;
    v->absent += e->kind == ENTRY_ABSENT;
    v->gifts += e->kind == ENTRY_GIVE;
    v->pauses += e->kind == ENTRY_PAUSE;
    v->rewinds += e->kind == ENTRY_REWIND;
    v->undos += e->kind == ENTRY_UNDO;
    if (e->kind == ENTRY_VOTE && e->more.passed)
        v->votes[e->more.about]++;
    if (e->kind == ENTRY_MOVE)
        v->made[e->more.made]++;
}

/* E, of the log, which is to be judged if JUDGED. */
static const char *step(struct model *m, const struct timing_entry *e,
                        bool judged, int64_t slack, struct clock_verdicts *v)
{
    bool on = m->on;
    const char *wrong = NULL;
    int64_t from = hear(m, e);

    count_entry(e, v);
    if (!on)
        prepare(m, e);
    else if (judged)
        wrong = judge(m, e, slack, v);
    if (on && e->kind == ENTRY_ABSENT)
        go_away(m, &m->seat[e->seat], e, from);
    if (on)
        take(m, e, v);
    take_votes(m, e);
    if (m->on)
        settle(m, e->at, v);
    wait_for_bots(m, e);
    m->last_ms = e->at;
    return wrong;
}

/* What there is at the end, with what no entry told yet. */
static const char *judge_end(struct model *m, const struct clock_facts *facts)
{
    const char *wrong = NULL;

    if (m->on && is_over(m) != (m->a->state > AUDIT_PLAYING))
        return "it is over, or is not, by other rules";
    if (!m->on || is_over(m))
        return NULL;
    for (size_t i = 0; i < facts->outage_count; i++)
        if (facts->outages[i].from_ms > m->told_ms)
            stop(&m->stops, facts->outages[i].from_ms,
                 facts->outages[i].to_ms);
    wrong = overdue(m, facts->now_ms, facts->slack_ms, -1);
    return wrong != NULL ? wrong
                         : judge_bots(m, facts->now_ms, facts->slack_ms);
}

const char *clock_model_judge(const struct audit *a, uint32_t from,
                              const struct clock_facts *facts,
                              struct clock_verdicts *v, uint32_t *ret_ply)
{
    struct model m = {.a = a, .terms = a->timing.terms};
    struct clock_verdicts before = {0};
    const char *wrong = NULL;

    for (uint32_t i = 0; i < a->log_count && wrong == NULL; i++) {
        *ret_ply = i;
        wrong = step(&m, &a->log[i], i >= from, facts->slack_ms,
                     i >= from ? v : &before);
    }
    if (wrong == NULL)
        wrong = judge_end(&m, facts);
    free(m.stops.at);
    for (int i = 0; i < RULES_SEATS_MAX; i++)
        free(m.seat[i].away.at);
    return wrong;
}
