/* clock.c -- how long each seat has; see clock.h. */

#include "clock.h"

#include "base.h"

#define SECOND_MS INT64_C(1000)
#define DAY_MS    (24 * 3600 * SECOND_MS)
/* A seat that misses so many turns in a row is gone. */
#define MISSES_MAX 3
/* What a seat has again at least, of what all began with, that played in time
 * or came back. */
#define RESTORED 8

static bool within(int32_t seconds, int32_t max)
{
    return seconds >= 0 && seconds <= max;
}

bool pace_valid(const struct pace *p)
{
    return within(p->free, PACE_PERIOD_MAX) &&
           within(p->bank, PACE_PERIOD_MAX) &&
           within(p->add, PACE_PERIOD_MAX) &&
           within(p->cap, PACE_PERIOD_MAX) &&
           p->free + p->bank >= PACE_PERIOD_MIN &&
           p->free + p->bank <= PACE_PERIOD_MAX && p->cap >= p->bank &&
           (p->add > 0 || p->cap == p->bank);
}

bool terms_valid(const struct terms *t)
{
    return pace_valid(&t->pace) && t->excused <= EXCUSED_MAX &&
           t->policy < POLICIES;
}

/* ---- spans ---------------------------------------------------------------- */

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t free_ms(const struct clock *c)
{
    return c->pace.free * SECOND_MS;
}

/* What everybody begins with. */
static int64_t start_ms(const struct clock *c)
{
    return (c->pace.free + c->pace.bank) * SECOND_MS;
}

/* What a turn gets besides, where it gets anything: as much as each has, or of
 * a pace where they have nothing of their own a part of the bank. */
static int64_t more_ms(const struct clock *c)
{
    return c->pace.free > 0 ? free_ms(c) : c->pace.bank * SECOND_MS / 4;
}

/* What a turn that absence interrupted has left at least. */
static int64_t grace_ms(const struct clock *c)
{
    return lesser(DAY_MS, more_ms(c));
}

/* What S's present turn may take. */
static int64_t budget_ms(const struct clock *c, const struct clock_seat *s)
{
    int64_t base = s->missed > 0 ? start_ms(c) >> s->missed
                                 : free_ms(c) + s->bank_ms;
    return base + s->extra_ms;
}

/* MS of a clock, as moments inside S's hours: none too few. */
static int64_t moments_of(const struct clock_seat *s, int64_t ms)
{
    if (s->hours == NULL)
        return ms;
    return (ms * hours_week(&s->hours->hours) + HOURS_WEEK_MINUTES - 1) /
           HOURS_WEEK_MINUTES;
}

/* Moments inside S's hours, as what its clock shows of them. */
static int64_t shown_of(const struct clock_seat *s, int64_t ms)
{
    if (s->hours == NULL)
        return ms;
    return ms * HOURS_WEEK_MINUTES / hours_week(&s->hours->hours);
}

static int64_t inside(const struct clock_seat *s, int64_t from, int64_t to)
{
    return s->hours == NULL
               ? to - from
               : hours_count(&s->hours->hours, &s->hours->offsets, from, to);
}

/* From when on S's clock counts again. */
static int64_t counts_from(const struct clock *c, const struct clock_seat *s)
{
    return later(later(s->since_ms, s->absent_until_ms),
                 later(c->outage_until_ms, c->paused_until_ms));
}

/* How much of its moments S's present turn has left. */
static int64_t left_of(const struct clock *c, const struct clock_seat *s)
{
    return moments_of(s, budget_ms(c, s)) - s->used_ms;
}

static int64_t left_after_absence(const struct clock *c,
                                  const struct clock_seat *s)
{
    return later(left_of(c, s), moments_of(s, grace_ms(c)));
}

/* ---- counting --------------------------------------------------------------- */

void clock_begin(struct clock *c, const struct pace *pace, int seats,
                 int excuses)
{
    memset(c, 0, sizeof(*c));
    c->pace = *pace;
    c->seats = (uint8_t)seats;
    c->excuses = (uint8_t)excuses;
    for (int i = 0; i < seats; i++)
        c->seat[i].bank_ms = pace->bank * SECOND_MS;
}

/* The absence of S is over, at the moment up to which was counted. */
static void end_absence(const struct clock *c, struct clock_seat *s)
{
    if (s->interrupted)
        s->used_ms += left_of(c, s) - left_after_absence(c, s);
    s->interrupted = false;
    s->absent_until_ms = 0;
}

/* When MS moments inside S's hours will have passed from FROM on. */
static int64_t reach(const struct clock_seat *s, int64_t from, int64_t ms)
{
    return s->hours == NULL
               ? from + later(ms, 0)
               : hours_pass(&s->hours->hours, &s->hours->offsets, from, ms);
}

static void count(const struct clock *c, struct clock_seat *s, int64_t at)
{
    int64_t from = counts_from(c, s);

    if (s->absent_until_ms != 0 && at >= s->absent_until_ms)
        end_absence(c, s);
    if (!s->runs || at <= s->since_ms)
        return;
    s->since_ms = at;
    if (at <= from)
        return;
    int64_t passed = inside(s, from, at), left = left_of(c, s);
    if (left > 0)
        s->over_ms = 0;
    if (passed >= left && s->over_ms == 0)
        s->over_ms = reach(s, from, left);
    s->used_ms += passed;
}

void clock_advance(struct clock *c, int64_t at_ms)
{
    for (int i = 0; i < c->seats; i++)
        count(c, &c->seat[i], at_ms);
}

void clock_outage(struct clock *c, int64_t from_ms, int64_t to_ms)
{
    clock_advance(c, from_ms);
    c->outage_until_ms = later(c->outage_until_ms, to_ms);
}

int64_t clock_due(const struct clock *c, int seat)
{
    const struct clock_seat *s = &c->seat[seat];

    if (!s->runs)
        return 0;
    int64_t left = s->interrupted ? left_after_absence(c, s) : left_of(c, s);
    if (left <= 0 && s->over_ms != 0)
        return s->over_ms;
    return reach(s, counts_from(c, s), left);
}

int64_t clock_used(const struct clock *c, int seat, int percent)
{
    const struct clock_seat *s = &c->seat[seat];

    if (!s->runs)
        return 0;
    int64_t left = s->interrupted ? left_after_absence(c, s) : left_of(c, s);
    int64_t rest = moments_of(s, budget_ms(c, s)) * (100 - percent) / 100;
    return left <= rest ? counts_from(c, s)
                        : reach(s, counts_from(c, s), left - rest);
}

bool clock_is_over(const struct clock *c, int seat)
{
    const struct clock_seat *s = &c->seat[seat];

    return s->runs && !s->interrupted && left_of(c, s) < 0;
}

/* ---- turns ------------------------------------------------------------------ */

static void fill(struct clock_seat *s, int64_t ms)
{
    s->bank_ms = later(s->bank_ms, ms);
}

static void drain(const struct clock *c, struct clock_seat *s)
{
    int64_t beyond = later(shown_of(s, s->used_ms) - free_ms(c), 0);

    s->bank_ms -= lesser(beyond, s->bank_ms);
}

/* S had a turn, which is over: it is played in time, or missed. */
static void end_turn(const struct clock *c, struct clock_seat *s)
{
    int64_t cap = c->pace.cap * SECOND_MS;

    if (!s->begun)
        return;
    s->begun = false;
    s->turns++;
    if (s->late)
        return;
    drain(c, s);
    if (s->missed > 0 || s->offered)
        fill(s, start_ms(c) / RESTORED);
    s->missed = 0;
    s->offered = false;
    if (s->bank_ms < cap)
        s->bank_ms = lesser(s->bank_ms + c->pace.add * SECOND_MS, cap);
}

static void begin_turn(struct clock_seat *s, uint32_t turn)
{
    s->hours = s->next_hours;
    s->turn = turn;
    s->used_ms = s->extra_ms = s->over_ms = 0;
    s->begun = true;
    s->late = false;
}

/* Whether S, who acts in NOW, is still in the turn that it had. */
static bool goes_on_with(const struct clock *c, int seat,
                         const struct rules_moment *now)
{
    const struct clock_seat *s = &c->seat[seat];

    return s->begun &&
           (now->turn == RULES_NO_TURN ? (c->asked & RULES_BIT(seat)) == 0
                                       : s->turn == now->turn);
}

bool clock_in_missed(const struct clock *c, int seat,
                     const struct rules_moment *now)
{
    return c->seat[seat].late && goes_on_with(c, seat, now);
}

/* S is waited for, in the turn it has or in another. */
static void wait_for(const struct clock *c, struct clock_seat *s,
                     int64_t at_ms, uint32_t turn, bool goes_on)
{
    if (!goes_on) {
        end_turn(c, s);
        begin_turn(s, turn);
        s->interrupted = false;
    }
    if (!goes_on || !s->runs)
        s->since_ms = at_ms;
    s->runs = true;
}

void clock_asked(struct clock *c, const struct rules_moment *now)
{
    c->asked |= now->asked;
}

void clock_turns(struct clock *c, int64_t at_ms,
                 const struct rules_moment *now)
{
    if (c->pace.free + c->pace.bank == 0)
        return;
    for (int i = 0; i < c->seats; i++) {
        struct clock_seat *s = &c->seat[i];
        if ((now->acting & RULES_BIT(i)) != 0 && !s->gone)
            wait_for(c, s, at_ms, now->turn, goes_on_with(c, i, now));
        else
            s->runs = s->interrupted = false;
    }
    c->asked = 0;
}

int64_t clock_bank(const struct clock *c, int seat)
{
    struct clock_seat s = c->seat[seat];

    if (s.runs)
        drain(c, &s);
    else
        end_turn(c, &s);
    return s.bank_ms;
}

int clock_missed(const struct clock *c, int seat)
{
    struct clock_seat s = c->seat[seat];

    if (!s.runs)
        end_turn(c, &s);
    return s.missed;
}

bool clock_offered(const struct clock *c, int seat)
{
    return c->seat[seat].offered && c->seat[seat].runs;
}

/* ---- what plies say ----------------------------------------------------------- */

void clock_hours(struct clock *c, int seat, const struct clock_hours *hours)
{
    c->seat[seat].next_hours = hours;
}

void clock_absent(struct clock *c, int seat, int64_t from_ms, int64_t until_ms)
{
    struct clock_seat *s = &c->seat[seat];

    count(c, s, from_ms);
    s->absent_until_ms = until_ms;
    s->interrupted = s->runs;
}

void clock_back(struct clock *c, int seat, int64_t at_ms)
{
    struct clock_seat *s = &c->seat[seat];

    count(c, s, at_ms);
    if (s->absent_until_ms != 0)
        end_absence(c, s);
}

void clock_pause(struct clock *c, int64_t until_ms)
{
    c->paused_until_ms = until_ms;
}

void clock_give(struct clock *c, int seat, int64_t ms)
{
    struct clock_seat *s = &c->seat[seat];

    /* A turn that is shortened has no bank. */
    if (s->runs && s->missed > 0)
        s->extra_ms += ms;
    else
        s->bank_ms += ms;
}

bool clock_excuses(const struct clock *c, int seat)
{
    return c->seat[seat].excused < c->excuses;
}

/* S has used all that it had, and no more: what came after the deadline is
 * forgotten. */
static void take_all(const struct clock *c, struct clock_seat *s)
{
    s->used_ms += left_of(c, s);
    s->over_ms = 0;
}

void clock_excuse(struct clock *c, int seat)
{
    struct clock_seat *s = &c->seat[seat];

    s->excused++;
    take_all(c, s);
    s->extra_ms += more_ms(c);
}

void clock_offer(struct clock *c, int seat)
{
    struct clock_seat *s = &c->seat[seat];

    s->offered = true;
    take_all(c, s);
    s->extra_ms += start_ms(c);
}

void clock_miss(struct clock *c, int seat, bool gone)
{
    struct clock_seat *s = &c->seat[seat];

    s->late = true;
    s->offered = false;
    s->bank_ms = 0;
    if (s->missed < MISSES_MAX)
        s->missed++;
    s->gone = gone || s->missed == MISSES_MAX;
}

void clock_return(struct clock *c, int seat)
{
    struct clock_seat *s = &c->seat[seat];

    end_turn(c, s);
    s->gone = s->offered = false;
    s->missed = 0;
    fill(s, start_ms(c) / RESTORED);
}

void clock_substitute(struct clock *c, int seat)
{
    const struct clock_seat fresh = {
        .bank_ms = c->pace.bank * SECOND_MS,
        .turns = c->seat[seat].turns,
        .substitutes = (uint8_t)(c->seat[seat].substitutes + 1)};

    c->seat[seat] = fresh;
}

void clock_anew(struct clock *c)
{
    for (int i = 0; i < c->seats; i++)
        c->seat[i].begun = c->seat[i].runs = c->seat[i].interrupted = false;
    c->asked = 0;
}
