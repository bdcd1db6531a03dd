/* timing.c -- the clocks of a table as its log makes them; see timing.h. */

#include "timing.h"

#include "base.h"

#define RETURNS_MAX     3 /* times that an owner may come back */
#define SUBSTITUTES_MAX 3 /* people who may take over a seat that is offered */
#define GIFTS_MAX       3 /* times that a seat may be given time by others */
#define PAUSE_MAX_MS    (30 * 24 * 3600 * INT64_C(1000))
#define SECOND_MS       INT64_C(1000)

void timing_begin(struct timing *t, const struct terms *terms)
{
    memset(t, 0, sizeof(*t));
    t->terms = *terms;
    t->settled = true;
}

static bool is_seat(const struct timing *t, int seat)
{
    return seat < (t->on ? t->clock.seats : RULES_SEATS_MAX);
}

/* ---- who is played for ---------------------------------------------------- */

uint16_t timing_forced(const struct timing *t, const struct rules_moment *now)
{
    bool bot = t->terms.policy == POLICY_BOT;
    uint16_t forced = 0;

    if (t->end != TIMING_GOES_ON)
        return 0;
    for (int i = 0; i < t->clock.seats; i++) {
        const struct clock_seat *s = &t->clock.seat[i];
        if ((now->acting & RULES_BIT(i)) != 0 && !(bot && s->gone) &&
            (s->gone || clock_in_missed(&t->clock, i, now)))
            forced |= RULES_BIT(i);
    }
    return forced;
}

/* All but one have given up. */
static bool given_up(const struct timing *t)
{
    int left = 0;

    for (int i = 0; i < t->clock.seats; i++)
        left += (t->resigned & RULES_BIT(i)) == 0;
    return t->resigned != 0 && left <= 1;
}

static bool nobody_left(const struct timing *t)
{
    for (int i = 0; i < t->clock.seats; i++)
        if (!t->clock.seat[i].gone && (t->resigned & RULES_BIT(i)) == 0)
            return false;
    return true;
}

static bool is_over(const struct timing *t)
{
    return t->end != TIMING_GOES_ON || t->now.acting == 0 || given_up(t);
}

/* Who has come back has their seat for good. */
static void withdraw_offers(struct timing *t)
{
    for (int i = 0; i < t->clock.seats; i++)
        if (t->clock.seat[i].missed == 0 && !t->clock.seat[i].gone)
            t->opened &= (uint16_t)~RULES_BIT(i);
}

/* Clocks run from now on, if it is for the players to say what is next. */
static void settle(struct timing *t)
{
    static const struct rules_moment nobody = {.turn = RULES_NO_TURN};
    uint16_t first = (uint16_t)(RULES_BIT(RULES_NATURE) | t->resigned |
                                timing_forced(t, &t->now));

    t->settled = is_over(t) || (t->now.acting & first) == 0;
    if (t->settled)
        clock_turns(&t->clock, t->at, is_over(t) ? &nobody : &t->now);
    withdraw_offers(t);
}

/* ---- outages ---------------------------------------------------------------- */

uint32_t timing_untold(const struct timing *t, const struct span *outages,
                       uint32_t count)
{
    uint32_t i = count;

    while (i > 0 && outages[i - 1].from_ms > t->outage_from &&
           outages[i - 1].to_ms > t->started)
        i--;
    return i;
}

static void reckon_outages(struct clock *c, int64_t at,
                           const struct span *outages, uint32_t count)
{
    for (uint32_t i = 0; i < count && outages[i].from_ms <= at; i++)
        clock_outage(c, outages[i].from_ms, outages[i].to_ms);
}

int64_t timing_due(const struct timing *t, int seat, int64_t at,
                   const struct span *outages, uint32_t count)
{
    uint32_t first = timing_untold(t, outages, count);

    if (first == count)
        return clock_due(&t->clock, seat);
    struct clock c = t->clock;
    reckon_outages(&c, at, outages + first, count - first);
    return clock_due(&c, seat);
}

int64_t timing_used(const struct timing *t, int seat, int percent, int64_t at,
                    const struct span *outages, uint32_t count)
{
    uint32_t first = timing_untold(t, outages, count);

    if (first == count)
        return clock_used(&t->clock, seat, percent);
    struct clock c = t->clock;
    reckon_outages(&c, at, outages + first, count - first);
    return clock_used(&c, seat, percent);
}

static const char *check_outages(const struct timing *t,
                                 const struct timing_entry *e)
{
    const struct entry_more *m = &e->more;
    int64_t last = t->outage_from;
    int64_t started = t->on ? t->started : e->at;

    if (m->outage_count > 0 && !t->on && e->kind != ENTRY_START)
        return "no clock ran that an outage could concern";
    for (uint32_t i = 0; i < m->outage_count; i++) {
        const struct span *o = &m->outages[i];
        if (o->from_ms <= last || o->from_ms > e->at ||
            o->to_ms <= o->from_ms || o->to_ms <= started)
            return "it is no outage that was still to be told";
        last = o->from_ms;
    }
    return NULL;
}

/* ---- misses ----------------------------------------------------------------- */

enum miss_then timing_then(const struct timing *t, int seat)
{
    static const enum miss_then thens[POLICIES] = {
        [POLICY_MILD] = MISS_MILD, [POLICY_BOT] = MISS_BOT,
        [POLICY_OPEN] = MISS_OPEN, [POLICY_OUT] = MISS_OUT,
        [POLICY_END] = MISS_END,
    };

    if (clock_excuses(&t->clock, seat))
        return MISS_EXCUSED;
    return t->clock.seat[seat].turns == 0 ? MISS_END : thens[t->terms.policy];
}

static const char *check_miss(const struct timing *t,
                              const struct timing_entry *e)
{
    const struct entry_more *m = &e->more;

    if (!t->settled && !(t->last == ENTRY_MISS && t->at == e->at))
        return "something else was to follow first";
    int64_t due = timing_due(t, e->seat, e->at, m->outages, m->outage_count);
    if (due == 0 || t->clock.seat[e->seat].late ||
        (t->resigned & RULES_BIT(e->seat)) != 0)
        return "no clock of that seat ran";
    if (e->at < due + MISS_AFTER_MS)
        return "that seat's time was not up";
    return m->then == timing_then(t, e->seat)
               ? NULL
               : "something else comes of this miss";
}

static void end(struct timing *t, enum timing_end how, int seat)
{
    t->end = (uint8_t)how;
    t->loser = (uint8_t)seat;
}

static void take_miss(struct timing *t, int seat, enum miss_then then)
{
    struct clock *c = &t->clock;
    bool counts = c->seats == 2 && c->seat[seat].turns > 0;

    switch (then) {
    case MISS_EXCUSED: clock_excuse(c, seat); break;
    case MISS_MILD: clock_miss(c, seat, false); break;
    case MISS_BOT: clock_miss(c, seat, true); break;
    case MISS_OPEN:
        if (c->seat[seat].offered)
            clock_miss(c, seat, true);
        else
            clock_offer(c, seat);
        break;
    case MISS_OUT: t->resigned |= RULES_BIT(seat); break;
    case MISS_END: end(t, counts ? TIMING_TIMEOUT : TIMING_VOID, seat); break;
    default: break;
    }
}

/* ---- hours and absence -------------------------------------------------------- */

static const char *check_hours(const struct timing *t,
                               const struct timing_entry *e)
{
    const struct clock_hours *h = e->more.hours;
    const struct hours_offsets *o;

    if (!t->terms.hours)
        return "this table honours no hours";
    if (h == NULL)
        return NULL;
    o = &h->offsets;
    if (!hours_valid(&h->hours) || o->count < 1 ||
        o->count > HOURS_OFFSETS_MAX)
        return "nobody can have such hours";
    for (int i = 0; i < o->count; i++)
        if (o->at[i].seconds <= -86400 || o->at[i].seconds >= 86400 ||
            (i > 0 && o->at[i].since_ms <= o->at[i - 1].since_ms))
            return "no zone has such offsets";
    return NULL;
}

static const char *check_absent(const struct timing *t,
                                const struct timing_entry *e)
{
    const struct entry_more *m = &e->more;

    if (!t->terms.absence)
        return "this table honours no absence";
    return m->from <= e->at && m->until > e->at
               ? NULL
               : "it does not begin by then and end later";
}

static const char *check_back(const struct timing *t,
                              const struct timing_entry *e)
{
    int64_t until = t->on ? t->clock.seat[e->seat].absent_until_ms
                          : t->away[e->seat].to_ms;

    return until > e->at ? NULL : "nobody was away";
}

/* ---- what one may agree on ---------------------------------------------------- */

static const char *check_gift(const struct timing *t,
                              const struct timing_entry *e)
{
    const struct entry_more *m = &e->more;
    const struct pace *pace = &t->terms.pace;

    if (m->to >= t->clock.seats || m->seconds < 1)
        return "there is nobody, or nothing, to be given that";
    if (e->seat == ENTRY_NOBODY && m->why != WHY_VOTE)
        return NULL;
    if (e->seat != ENTRY_NOBODY && (e->seat == m->to || t->clock.seats != 2))
        return "time is given by the opponent of two";
    if (m->seconds > pace->free + pace->bank || t->given[m->to] >= GIFTS_MAX)
        return "nobody is given so much";
    return NULL;
}

static const char *check_pause(const struct timing *t,
                               const struct timing_entry *e)
{
    bool pauses = t->clock.paused_until_ms > e->at;

    if (e->seat != ENTRY_NOBODY)
        return "nobody pauses a game alone";
    if (e->kind == ENTRY_RESUME)
        return pauses ? NULL : "there was no pause";
    return e->more.until > e->at && e->more.until <= e->at + PAUSE_MAX_MS
               ? NULL
               : "a pause is for up to 30 days";
}

bool timing_is_missing(const struct timing *t, int seat)
{
    return t->clock.seat[seat].gone || clock_missed(&t->clock, seat) > 0;
}

uint16_t timing_gone(const struct timing *t)
{
    uint16_t gone = 0;

    for (int i = 0; i < t->clock.seats; i++)
        gone |= (uint16_t)(t->clock.seat[i].gone ? RULES_BIT(i) : 0);
    return gone;
}

static bool may_change_hands(const struct timing *t, int seat)
{
    return t->end == TIMING_GOES_ON &&
           t->clock.seat[seat].substitutes < SUBSTITUTES_MAX;
}

/* By what the table agreed on. */
static bool offered_anyway(const struct timing *t, int seat)
{
    return may_change_hands(t, seat) &&
           (clock_offered(&t->clock, seat) ||
            (t->clock.seat[seat].gone && t->terms.policy == POLICY_OPEN));
}

bool timing_offered_by_vote(const struct timing *t, int seat)
{
    return may_change_hands(t, seat) && !offered_anyway(t, seat) &&
           (t->opened & RULES_BIT(seat)) != 0 && timing_is_missing(t, seat) &&
           (t->resigned & RULES_BIT(seat)) == 0;
}

bool timing_offered(const struct timing *t, int seat)
{
    return offered_anyway(t, seat) || timing_offered_by_vote(t, seat);
}

static const char *check_replaced(const struct timing *t,
                                  const struct timing_entry *e)
{
    const struct clock_seat *s = &t->clock.seat[e->seat];

    switch (e->more.why) {
    case WHY_OPERATOR: return NULL;
    case WHY_OPEN:
        return offered_anyway(t, e->seat) ? NULL : "that seat was not offered";
    case WHY_VOTE:
        return timing_offered_by_vote(t, e->seat)
                   ? NULL
                   : "nobody had voted to offer that seat";
    case WHY_SELF:
        if (!s->gone)
            return "that seat was not gone";
        return t->returns[e->seat] < RETURNS_MAX
                   ? NULL
                   : "nobody comes back so often";
    default: return "nothing says why";
    }
}

/* ---- votes ------------------------------------------------------------------- */

static const char *check_replace(const struct timing *t, int seat)
{
    if (seat >= t->clock.seats || (t->resigned & RULES_BIT(seat)) != 0)
        return "nobody is to be replaced there";
    if (!timing_is_missing(t, seat))
        return "that seat had missed nothing, or had come back";
    if (timing_offered(t, seat))
        return "that seat was offered already";
    return may_change_hands(t, seat) ? NULL
                                     : "as many had that seat as may have it";
}

/* Nobody's deadline passes by silence. */
static bool clocks_run(const struct timing *t)
{
    for (int i = 0; i < t->clock.seats; i++)
        if (clock_due(&t->clock, i) != 0)
            return true;
    return false;
}

const char *timing_check_vote(const struct timing *t,
                              const struct timing_entry *e)
{
    struct timing_entry then = *e;

    then.seat = ENTRY_NOBODY;
    then.more.why = WHY_VOTE;
    if (e->more.silent && clocks_run(t))
        return "silence agrees to nothing while a clock runs";
    switch (e->more.about) {
    case VOTE_PAUSE:
    case VOTE_RESUME:
        then.kind = e->more.about == VOTE_PAUSE ? ENTRY_PAUSE : ENTRY_RESUME;
        return check_pause(t, &then);
    case VOTE_GIVE:
        if (t->clock.seats == 2)
            return "of two, the opponent gives time";
        return check_gift(t, &then);
    case VOTE_REPLACE: return check_replace(t, e->more.to);
    default: return NULL;
    }
}

/* Whoever says no need not care whether it could still be. */
static const char *check_vote(const struct timing *t,
                              const struct timing_entry *e)
{
    if (e->seat != ENTRY_NOBODY && !is_seat(t, e->seat))
        return "there is no such seat";
    return e->more.yes ? timing_check_vote(t, e) : NULL;
}

/* ---- moves ------------------------------------------------------------------- */

static const char *check_move(const struct timing *t,
                              const struct timing_entry *e)
{
    uint16_t bit = (uint16_t)(e->seat < RULES_SEATS_MAX ? RULES_BIT(e->seat)
                                                        : 0);
    bool gone = bit != 0 && t->clock.seat[e->seat].gone;
    bool forced = (timing_forced(t, &t->now) & bit & ~t->resigned) != 0;
    bool bot = gone && t->terms.policy == POLICY_BOT &&
               (t->resigned & bit) == 0;

    switch (e->more.made) {
    case MADE_BY_SEAT: return forced || bot ? "that seat is played for" : NULL;
    case MADE_MILD:
        return forced || bot ? NULL : "that seat is not played for";
    case MADE_BY_BOT: return bot ? NULL : "no bot plays for that seat";
    default: return "nobody makes such moves";
    }
}

/* ---- entries ------------------------------------------------------------------ */

static bool needs_seat(int kind)
{
    return kind == ENTRY_HOURS || kind == ENTRY_ABSENT || kind == ENTRY_BACK ||
           kind == ENTRY_MISS || kind == ENTRY_REPLACED;
}

/* What its kind has to be. */
static const char *check_kind(const struct timing *t,
                              const struct timing_entry *e)
{
    if (needs_seat(e->kind) && !is_seat(t, e->seat))
        return "there is no such seat";
    if (!t->on && (e->kind == ENTRY_MISS || e->kind == ENTRY_GIVE ||
                   e->kind == ENTRY_PAUSE || e->kind == ENTRY_RESUME ||
                   e->kind == ENTRY_VOTE))
        return "the game had not started";
    switch (e->kind) {
    case ENTRY_MOVE: return check_move(t, e);
    case ENTRY_HOURS: return check_hours(t, e);
    case ENTRY_ABSENT: return check_absent(t, e);
    case ENTRY_BACK: return check_back(t, e);
    case ENTRY_MISS: return check_miss(t, e);
    case ENTRY_GIVE: return check_gift(t, e);
    case ENTRY_PAUSE:
    case ENTRY_RESUME: return check_pause(t, e);
    case ENTRY_REPLACED: return check_replaced(t, e);
    case ENTRY_VOTE: return check_vote(t, e);
    default: return NULL;
    }
}

const char *timing_check(const struct timing *t, const struct timing_entry *e)
{
    const char *wrong = check_outages(t, e);

    if (e->at < t->at)
        return "it was made before the entry before it";
    return wrong != NULL ? wrong : check_kind(t, e);
}

/* Seats that stay empty are removed; the others close up, with what was said of
 * them. */
static void start(struct timing *t, const struct timing_entry *e)
{
    int to = 0;

    for (int i = 0; i < RULES_SEATS_MAX; i++) {
        if ((e->kept & RULES_BIT(i)) == 0)
            continue;
        t->hours[to] = t->hours[i];
        t->away[to++] = t->away[i];
    }
    clock_begin(&t->clock, &t->terms.pace, to, t->terms.excused);
    for (int i = 0; i < to; i++) {
        clock_hours(&t->clock, i, t->hours[i]);
        if (t->away[i].to_ms > e->at)
            clock_absent(&t->clock, i, e->at, t->away[i].to_ms);
    }
    t->on = true;
    t->started = e->at;
    t->now = e->now;
    clock_asked(&t->clock, &e->now);
}

static void take_open(struct timing *t, const struct timing_entry *e)
{
    int seat = e->seat;

    if (e->kind == ENTRY_START)
        start(t, e);
    if (seat >= RULES_SEATS_MAX)
        return;
    switch (e->kind) {
    case ENTRY_JOIN:
    case ENTRY_LEAVE:
        t->hours[seat] = NULL;
        t->away[seat] = (struct span){0, 0};
        break;
    case ENTRY_HOURS: t->hours[seat] = e->more.hours; break;
    case ENTRY_ABSENT:
        t->away[seat] = (struct span){e->more.from, e->more.until};
        break;
    case ENTRY_BACK: t->away[seat] = (struct span){0, 0}; break;
    default: break;
    }
}

static void take_replaced(struct timing *t, const struct timing_entry *e)
{
    int seat = e->seat;

    t->resigned &= (uint16_t)~RULES_BIT(seat);
    t->opened &= (uint16_t)~RULES_BIT(seat);
    if (e->more.why == WHY_SELF) {
        /* Where the miss was taken back they had never been gone. */
        if (t->clock.seat[seat].gone)
            clock_return(&t->clock, seat);
        t->returns[seat]++;
        return;
    }
    clock_substitute(&t->clock, seat);
    t->returns[seat] = 0;
    t->fixed_of[seat] = e->ply;
}

/* What a game that goes back gets back with it. */
static void take_countable(struct timing *t, const struct timing_entry *e)
{
    switch (e->kind) {
    case ENTRY_MOVE:
        t->now = e->now;
        clock_asked(&t->clock, &e->now);
        break;
    case ENTRY_RESIGN: t->resigned |= RULES_BIT(e->seat); break;
    case ENTRY_MISS:
        take_miss(t, e->seat, e->more.then);
        t->fixed = e->ply;
        break;
    case ENTRY_GIVE:
        if (e->seat != ENTRY_NOBODY || e->more.why == WHY_VOTE)
            t->given[e->more.to]++;
        clock_give(&t->clock, e->more.to, e->more.seconds * SECOND_MS);
        break;
    default: break;
    }
}

static void take_on(struct timing *t, const struct timing_entry *e)
{
    switch (e->kind) {
    case ENTRY_ABANDON: end(t, TIMING_VOID, 0); break;
    case ENTRY_REWIND: clock_anew(&t->clock); break;
    case ENTRY_REPLACED: take_replaced(t, e); break;
    case ENTRY_HOURS: clock_hours(&t->clock, e->seat, e->more.hours); break;
    case ENTRY_BACK: clock_back(&t->clock, e->seat, e->at); break;
    case ENTRY_VOTE:
        if (e->more.passed && e->more.about == VOTE_REPLACE)
            t->opened |= RULES_BIT(e->more.to);
        break;
    case ENTRY_PAUSE: clock_pause(&t->clock, e->more.until); break;
    case ENTRY_RESUME: clock_pause(&t->clock, e->at); break;
    default:
        if (!e->undone)
            take_countable(t, e);
    }
    if (nobody_left(t) && !given_up(t))
        end(t, TIMING_VOID, 0);
}

/* Counts up to when E was made. */
static void count(struct timing *t, const struct timing_entry *e)
{
    const struct entry_more *m = &e->more;

    reckon_outages(&t->clock, e->at, m->outages, m->outage_count);
    if (m->outage_count > 0)
        t->outage_from = m->outages[m->outage_count - 1].from_ms;
    if (e->kind == ENTRY_ABSENT)
        clock_absent(&t->clock, e->seat, m->from, m->until);
    clock_advance(&t->clock, e->at);
}

void timing_take(struct timing *t, const struct timing_entry *e)
{
    bool on = t->on;

    t->at = e->at;
    if (!on)
        take_open(t, e);
    if (t->on) {
        count(t, e);
        if (on)
            take_on(t, e);
        settle(t);
    }
    t->last = e->kind;
}

/* ---- what is known of it ------------------------------------------------------ */

bool timing_undone_in_time(const struct timing *t, int seat)
{
    return !clock_is_over(&t->clock, seat);
}

void timing_show(const struct timing *t, struct timing_shown *shown)
{
    memset(shown, 0, sizeof(*shown));
    for (int i = 0; i < t->clock.seats; i++) {
        shown->due[i] = clock_due(&t->clock, i);
        shown->bank[i] = clock_bank(&t->clock, i);
    }
}
