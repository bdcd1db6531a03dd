/* test_timing.c -- whole random games with clocks, and every way to cheat with one
 * of them by a millisecond: each is refused where it happens.
 *
 * A log is made entry by entry, as a server would: people move, take back, go
 * away, come back, are away for the night, give and are given time, pause, and
 * miss turns; the server is away, too.  The audit accepts it.  Then each entry in
 * turn is bent, with all that is told behind it put right again, as somebody
 * would who has this program: and the audit says no at that entry. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/audit.h"
#include "core/base.h"
#include "tests/support/games/toys.h"
#include "tests/support/play.h"
#include "tests/support/scale.h"

extern const struct rules hacienda_rules, hadara_rules, greement_rules,
    tictactoe_rules;

#define SEED   "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define SECOND INT64_C(1000)
#define HOUR   (3600 * SECOND)
#define DAY    (24 * HOUR)
#define BEGAN  (INT64_C(20780) * DAY) /* a Monday */

enum { ENTRIES = 2000 };

/* ---- a log ------------------------------------------------------------------ */

/* An entry, and what it points to. */
struct said {
    struct audit_entry e;
    struct clock_hours hours;
    struct span outage;
};

/* A game in the making, or being gone through. */
struct table {
    const struct play_setup *setup;
    struct terms terms;
    struct said *log;
    uint32_t count;
};

/* The audit of a log so far, with room of its own. */
struct judge {
    struct audit a;
    struct audit_ply *plies;
    struct timing_entry *log;
    int64_t due[RULES_SEATS_MAX], bank[RULES_SEATS_MAX];
    int refusal;
};

static struct rng rng;

static uint32_t below(uint32_t n)
{
    return rng_below(&rng, n);
}

static void judge_begin(struct judge *j, const struct table *t)
{
    const struct rules *r = t->setup->rules;

    j->plies = calloc(r->plies_max, sizeof(*j->plies));
    j->log = calloc(ENTRIES, sizeof(*j->log));
    cr_assert(audit_init(&j->a, r, &t->setup->setup, SEED, j->plies,
                         r->plies_max, NULL) == RULES_OK);
    audit_time(&j->a, &t->terms, j->log, ENTRIES);
}

static void judge_done(struct judge *j)
{
    free(j->plies);
    free(j->log);
}

static void judge_copy(struct judge *to, const struct judge *from)
{
    const struct audit *a = &from->a;

    *to = *from;
    to->plies = malloc((a->count + 1) * sizeof(*to->plies));
    to->log = malloc((a->log_count + 2) * sizeof(*to->log));
    memcpy(to->plies, from->plies, a->count * sizeof(*to->plies));
    memcpy(to->log, from->log, a->log_count * sizeof(*to->log));
    to->a.at = to->plies;
    to->a.cap = a->count + 1;
    audit_room(&to->a, to->log, a->log_count + 2);
}

/* Has S tell what clocks show behind it. */
static void tell(const struct judge *j, struct said *s, int64_t *due,
                 int64_t *bank)
{
    struct judge trial;
    struct timing_shown shown;

    s->e.due = s->e.bank = NULL;
    judge_copy(&trial, j);
    (void)audit_step(&trial.a, &s->e, &trial.refusal);
    if (trial.a.timing.on && trial.a.timing.settled) {
        timing_show(&trial.a.timing, &shown);
        memcpy(due, shown.due, sizeof(shown.due));
        memcpy(bank, shown.bank, sizeof(shown.bank));
        s->e.due = due;
        s->e.bank = bank;
        s->e.due_count = s->e.bank_count = trial.a.seats;
    }
    judge_done(&trial);
}

/* What J says of S, which tells what is to be told. */
static const char *judge(struct judge *j, const struct said *s)
{
    struct said copy = *s;

    if (s->e.more.hours != NULL)
        copy.e.more.hours = &s->hours;
    if (s->e.more.outage_count > 0)
        copy.e.more.outages = &s->outage;
    tell(j, &copy, j->due, j->bank);
    return audit_step(&j->a, &copy.e, &j->refusal);
}

/* Puts S behind the log of T, which J has gone through; whether it may be. */
static bool put(struct table *t, struct judge *j, const struct said *s)
{
    struct judge trial;
    struct said *kept = &t->log[t->count];

    if (t->count == ENTRIES)
        return false;
    *kept = *s;
    if (s->e.more.hours != NULL)
        kept->e.more.hours = &kept->hours;
    if (s->e.more.outage_count > 0)
        kept->e.more.outages = &kept->outage;
    judge_copy(&trial, j);
    const char *wrong = judge(&trial, kept);
    judge_done(&trial);
    if (wrong != NULL)
        return false;
    wrong = judge(j, kept);
    cr_assert_null(wrong);
    t->count++;
    return true;
}

/* ---- a game ------------------------------------------------------------------- */

static struct said saying(int kind, int seat, int64_t at)
{
    return (struct said){
        .e = {.kind = (uint8_t)kind, .seat = (uint16_t)seat, .at = at}};
}

static uint64_t asked(const struct audit *a, int seat)
{
    uint32_t asked = a->any.state.asked[seat];
    uint64_t ply = asked == 0 ? a->start : a->at[asked - 1].ply;
    return ply > a->put[seat] ? ply : a->put[seat];
}

/* What follows by itself, if anything does. */
static bool follows(struct table *t, struct judge *j, int64_t at)
{
    const struct rules *r = t->setup->rules;
    struct audit *a = &j->a;
    struct rules_moment now = rules_moment(r, &a->any.state);
    uint16_t forced = timing_forced(&a->timing, &now);
    struct said s = saying(ENTRY_MOVE, RULES_NATURE, at);
    struct rng draw;

    if (a->state != AUDIT_PLAYING)
        return false;
    if (now.acting & RULES_BIT(RULES_NATURE)) {
        rng_init(&draw, a->key, a->draws);
        rules_chance(r, &a->any.state, &draw, &s.e.move);
    } else if ((now.acting & (a->resigned | forced)) != 0) {
        int seat = __builtin_ctz(now.acting & (a->resigned | forced));
        s.e.seat = (uint16_t)seat;
        s.e.decision = asked(a, seat);
        s.e.more.made = a->resigned & RULES_BIT(seat) ? MADE_BY_SEAT
                                                      : MADE_MILD;
        rules_default_move(r, &a->any.state, seat, &s.e.move);
    } else {
        return false;
    }
    return put(t, j, &s);
}

static void all_that_follows(struct table *t, struct judge *j, int64_t at)
{
    int n = 0;

    while (follows(t, j, at))
        cr_assert(n++ < 500);
    if (j->a.state == AUDIT_PLAYING)
        cr_assert_null(audit_end(&j->a));
}

/* One who is waited for moves. */
static bool moves(struct table *t, struct judge *j, int64_t at)
{
    static struct rules_choice choices[RULES_MOVES_MAX];
    const struct rules *r = t->setup->rules;
    struct audit *a = &j->a;
    int seat = (int)below(a->seats);

    if (!rules_can_move(&a->any.state, seat) ||
        (a->resigned & RULES_BIT(seat)))
        return false;
    size_t n = rules_legal(r, &a->any.state, seat, -1, choices,
                           RULES_MOVES_MAX);
    if (n == 0) /* who may do something need not be able to */
        return false;
    struct said s = saying(ENTRY_MOVE, seat, at);
    s.e.decision = asked(a, seat);
    s.e.move = play_choose(&choices[below((uint32_t)n)], &rng);
    return put(t, j, &s);
}

static bool takes_back(struct table *t, struct judge *j, int64_t at)
{
    struct audit *a = &j->a;
    struct said s = saying(ENTRY_UNDO, (int)below(a->seats), at);

    if (a->count == 0)
        return false;
    s.e.undoes = a->at[a->count - 1 - below(a->count < 3 ? a->count : 3)].ply;
    return put(t, j, &s);
}

static bool goes_back(struct table *t, struct judge *j, int64_t at)
{
    struct said s = saying(ENTRY_REWIND, ENTRY_NOBODY, at);
    uint64_t since = j->a.ply - j->a.start;

    s.e.to = j->a.start + below((uint32_t)since);
    return put(t, j, &s);
}

static bool has_hours(struct table *t, struct judge *j, int64_t at)
{
    struct said s = saying(ENTRY_HOURS, (int)below(j->a.seats), at);

    s.hours = (struct clock_hours){
        .hours = {(int16_t)below(1440), (int16_t)below(1440), 0x7f},
        .offsets = {1, {{0, 3600 * ((int)below(20) - 10)}}},
    };
    if (below(3) > 0)
        s.e.more.hours = &s.hours;
    return put(t, j, &s);
}

static bool is_away(struct table *t, struct judge *j, int64_t at)
{
    struct said s = saying(below(2) ? ENTRY_ABSENT : ENTRY_BACK,
                           (int)below(j->a.seats), at);

    s.e.more.from = at - below(20000);
    s.e.more.until = at + below(200000);
    return put(t, j, &s);
}

static bool agrees(struct table *t, struct judge *j, int64_t at)
{
    static const int kinds[] = {ENTRY_GIVE, ENTRY_PAUSE, ENTRY_RESUME};
    int kind = kinds[below(3)];
    bool given = kind == ENTRY_GIVE && below(2);
    struct said s = saying(kind, given ? (int)below(j->a.seats) : ENTRY_NOBODY,
                           at);

    s.e.more.to = (uint8_t)below(j->a.seats);
    s.e.more.seconds = (int32_t)below(60);
    s.e.more.until = at + below(200000);
    return put(t, j, &s);
}

/* What was agreed on comes. */
static void agreed(struct table *t, struct judge *j, int64_t at)
{
    const struct audit *a = &j->a;
    struct said s = saying(ENTRY_GIVE, ENTRY_NOBODY, at);
    bool came = false;

    s.e.kind = (uint8_t)votes_effect(&a->votes, &s.e.more);
    for (uint32_t i = a->count;
         s.e.kind == ENTRY_REWIND && !came && i-- > 0;) {
        s.e.to = a->at[i].ply - 1;
        came = put(t, j, &s);
    }
    cr_assert(came || put(t, j, &s));
}

/* Somebody opens a vote, or answers the one that is open: it passes if that is
 * what the audit makes of it. */
static bool votes(struct table *t, struct judge *j, int64_t at)
{
    const struct votes *v = &j->a.votes;
    struct said s = saying(ENTRY_VOTE, (int)below(j->a.seats), at);
    struct entry_more *m = &s.e.more;
    bool put_it = false;

    m->about = (uint8_t)below(VOTES);
    m->about = m->about == VOTE_CANCEL ? (uint8_t)below(VOTES) : m->about;
    m->to = (uint8_t)below(j->a.seats);
    m->seconds = (int32_t)below(30);
    m->until = at + below(200000);
    m->yes = below(8) > 0;
    if (votes_open(v, at)) {
        m->about = v->about;
        m->to = v->to;
        m->seconds = v->seconds;
        m->until = v->until;
    }
    for (int i = 0; i < 2 && !put_it; i++) {
        m->passed = i == 1;
        put_it = put(t, j, &s);
    }
    if (j->a.votes.owed)
        agreed(t, j, at);
    return put_it;
}

static bool hands_over(struct table *t, struct judge *j, int64_t at)
{
    static const uint8_t whys[] = {WHY_OPERATOR, WHY_OPEN, WHY_SELF, WHY_VOTE};
    struct said s = saying(ENTRY_REPLACED, (int)below(j->a.seats), at);

    s.e.more.why = whys[below(4)];
    return put(t, j, &s);
}

/* All who are late by then have missed their turns. */
static bool misses(struct table *t, struct judge *j, int64_t at)
{
    bool any = false;

    for (int seat = 0; seat < j->a.seats && j->a.state == AUDIT_PLAYING;
         seat++) {
        struct said s = saying(ENTRY_MISS, seat, at);
        s.e.more.then = (uint8_t)timing_then(&j->a.timing, seat);
        any = put(t, j, &s) || any;
    }
    return any;
}

/* The server was away, and something happens. */
static bool was_out(struct table *t, struct judge *j, int64_t at)
{
    struct said s = saying(ENTRY_RENAME, 0, at);

    s.outage.from_ms = at - below(30000);
    s.outage.to_ms = s.outage.from_ms + 1 + below(90000);
    s.e.more.outages = &s.outage;
    s.e.more.outage_count = 1;
    return put(t, j, &s);
}

static bool anything(struct table *t, struct judge *j, int64_t at)
{
    switch (below(46)) {
    case 0:
    case 1: return takes_back(t, j, at);
    case 2: return has_hours(t, j, at);
    case 3:
    case 4: return is_away(t, j, at);
    case 5: return agrees(t, j, at);
    case 6:
    case 7: return hands_over(t, j, at);
    case 8: return was_out(t, j, at);
    case 9: return below(3) == 0 && goes_back(t, j, at);
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15: return votes(t, j, at);
    default: return moves(t, j, at);
    }
}

static void begin(struct table *t, struct judge *j)
{
    struct said s = saying(ENTRY_CREATE, ENTRY_NOBODY, BEGAN);
    int seats = t->setup->setup.seats;

    judge_begin(j, t);
    cr_assert(put(t, j, &s));
    for (int seat = 0; seat < seats; seat++) {
        s = saying(ENTRY_JOIN, seat, BEGAN);
        cr_assert(put(t, j, &s));
    }
    s = saying(ENTRY_START, ENTRY_NOBODY, BEGAN);
    s.e.kept = (1u << seats) - 1;
    cr_assert(put(t, j, &s));
    all_that_follows(t, j, BEGAN);
}

static void play(struct table *t, const struct play_setup *setup)
{
    struct judge j;
    int64_t at = BEGAN;

    *t = (struct table){
        .setup = setup,
        .terms =
            {
                .pace = {(int32_t)below(2) * 40, 30 + (int32_t)below(60), 5,
                         120},
                .excused = (uint8_t)below(3),
                .policy = (uint8_t)(below(2) ? POLICY_MILD : below(POLICIES)),
                .hours = true,
                .absence = true,
            },
        .log = calloc(ENTRIES + 1, sizeof(*t->log)),
    };
    begin(t, &j);
    for (int i = 0;
         i < 150 && j.a.state == AUDIT_PLAYING && t->count + 100 < ENTRIES;
         i++) {
        at += below(below(8) == 0 ? 100000 : 8000);
        if (below(2) && misses(t, &j, at))
            all_that_follows(t, &j, at);
        else if (j.a.state == AUDIT_PLAYING && anything(t, &j, at))
            all_that_follows(t, &j, at);
    }
    judge_done(&j);
}

/* ---- cheats -------------------------------------------------------------------- */

static size_t tried[16];

/* Whether J, which has gone through all before it, refuses S. */
static void refused(const struct judge *j, const struct said *s, int cheat,
                    const char *what)
{
    struct judge trial;

    judge_copy(&trial, j);
    const char *wrong = judge(&trial, s);
    judge_done(&trial);
    tried[cheat]++;
    cr_assert_not_null(wrong, "%s, ply %llu", what,
                       (unsigned long long)j->a.ply);
}

/* What is told of clocks is a millisecond off, or not told. */
static void told_wrong(const struct judge *j, const struct said *s)
{
    struct judge trial;
    int64_t due[RULES_SEATS_MAX], bank[RULES_SEATS_MAX];
    struct said copy = *s;

    for (int cheat = 0; cheat < 4; cheat++) {
        tell(j, &copy, due, bank);
        if (copy.e.due == NULL)
            return;
        int seat = (int)below(copy.e.due_count);
        if (cheat == 0)
            due[seat] += due[seat] != 0 ? 1 : BEGAN;
        else if (cheat == 1)
            bank[seat] += (int)below(2) * 2 - 1;
        else if (cheat == 2)
            copy.e.due_count--;
        else
            due[seat] -= due[seat] != 0 ? 1 : -BEGAN;
        judge_copy(&trial, j);
        cr_assert_not_null(audit_step(&trial.a, &copy.e, &trial.refusal));
        judge_done(&trial);
        tried[0]++;
    }
}

/* A miss a millisecond early, or twice, or of which something else comes, or in
 * an outage, or while its seat is away or all pause. */
static void missed_wrong(const struct judge *j, const struct said *s)
{
    int seat = s->e.seat;
    const struct timing *is = &j->a.timing;
    int64_t due = timing_due(is, seat, s->e.at, NULL, 0);
    struct said bent = *s;

    if (due + MISS_AFTER_MS - 1 >= is->at) {
        bent.e.at = due + MISS_AFTER_MS - 1;
        refused(j, &bent, 1, "a miss that is early");
    }
    for (int then = 0; then < MISS_THENS; then++) {
        bent = *s;
        bent.e.more.then = (uint8_t)then;
        if (then != s->e.more.then)
            refused(j, &bent, 2, "another thing that comes of it");
    }
    bent = *s;
    bent.outage = (struct span){due - 1, s->e.at + 1};
    bent.e.more.outages = &bent.outage;
    bent.e.more.outage_count = 1;
    if (due - 1 > is->outage_from && due - 1 >= is->at)
        refused(j, &bent, 3, "a miss in an outage");

    struct judge after;
    judge_copy(&after, j);
    cr_assert_null(judge(&after, s));
    bent = *s;
    bent.e.more.then = (uint8_t)timing_then(&after.a.timing, seat);
    if (after.a.state == AUDIT_PLAYING)
        refused(&after, &bent, 4, "a miss that comes twice");
    judge_done(&after);

    struct said before = saying(ENTRY_PAUSE, ENTRY_NOBODY, is->at);
    before.e.more.until = s->e.at + 1;
    for (int i = 0; i < 2 && is->settled && due > is->at; i++) {
        judge_copy(&after, j);
        if (judge(&after, &before) == NULL)
            refused(&after, s, 5 + i, i ? "away" : "paused");
        judge_done(&after);
        before = saying(ENTRY_ABSENT, seat, is->at);
        before.e.more.from = is->at;
        before.e.more.until = s->e.at + 1;
    }
}

/* A moment that is credited twice, time that goes back, somebody who plays for
 * who is there. */
static void said_wrong(const struct judge *j, const struct said *s)
{
    const struct timing *is = &j->a.timing;
    struct said bent = *s;

    bent.e.at = is->at - 1;
    refused(j, &bent, 7, "time that goes back");
    if (is->outage_from != 0) {
        bent = *s;
        bent.outage = (struct span){is->outage_from, s->e.at + 1};
        bent.e.more.outages = &bent.outage;
        bent.e.more.outage_count = 1;
        refused(j, &bent, 8, "an outage that counts twice");
    }
    if (s->e.kind != ENTRY_MOVE || s->e.seat == RULES_NATURE)
        return;
    for (int made = 0; made < MADE_BYS; made++) {
        bent = *s;
        bent.e.more.made = (uint8_t)made;
        if (made != s->e.more.made)
            refused(j, &bent, 9, "a move by somebody else");
    }
}

/* A vote that passes without all, or does not with all; an answer to another
 * one; who says the same twice. */
static void voted_wrong(const struct judge *j, const struct said *s)
{
    struct said bent = *s;
    struct judge after;

    bent.e.more.passed = !s->e.more.passed;
    refused(j, &bent, 10, "a vote that passed, or did not");
    bent = *s;
    bent.e.seat = j->a.seats;
    refused(j, &bent, 10, "a vote of somebody's who is not there");
    bent.e.seat = ENTRY_NOBODY;
    refused(j, &bent, 10, "a vote of nobody's");
    if (votes_open(&j->a.votes, s->e.at)) {
        bent = *s;
        bent.e.more.about = (uint8_t)((s->e.more.about + 1) % VOTES);
        refused(j, &bent, 11, "an answer to another vote");
        bent = *s;
        bent.e.more.until++;
        refused(j, &bent, 11, "an answer to a longer pause");
    }
    judge_copy(&after, j);
    cr_assert_null(judge(&after, s));
    bent = saying(ENTRY_RENAME, 0, s->e.at);
    if (after.a.votes.owed)
        refused(&after, &bent, 12, "nothing that comes of a vote");
    if (votes_open(&after.a.votes, s->e.at))
        refused(&after, s, 12, "what was said twice");
    judge_done(&after);
}

/* What comes of a vote is something else, or comes without one. */
static void effect_wrong(const struct judge *j, const struct said *s)
{
    struct said bent = *s;

    bent.e.more.why = WHY_UNTOLD;
    refused(j, &bent, 13, "what nobody says was voted for");
    bent = *s;
    bent.e.more.until += s->e.kind == ENTRY_PAUSE;
    bent.e.more.seconds += s->e.kind == ENTRY_GIVE;
    bent.e.number -= s->e.kind == ENTRY_REWIND;
    if (s->e.kind != ENTRY_RESUME && s->e.kind != ENTRY_ABANDON)
        refused(j, &bent, 14, "more than was voted for");
    bent = *s;
    bent.e.at++;
    refused(j, &bent, 14, "what comes later than it was voted for");
}

/* ... at any time when nobody has agreed to it. */
static void effect_alone(const struct judge *j, const struct said *s)
{
    struct said bent = saying(ENTRY_PAUSE, ENTRY_NOBODY, s->e.at);

    bent.e.more.until = s->e.at + 1;
    bent.e.more.why = WHY_VOTE;
    refused(j, &bent, 15, "a pause that nobody voted for");
    bent.e.kind = ENTRY_ABANDON;
    refused(j, &bent, 15, "an end that nobody voted for");
}

static void cheat_votes(const struct judge *j, const struct said *s)
{
    if (s->e.kind == ENTRY_VOTE)
        voted_wrong(j, s);
    if (j->a.votes.owed)
        effect_wrong(j, s);
    else if (j->a.timing.on)
        effect_alone(j, s);
}

static void cheat(const struct table *t)
{
    struct judge j;

    judge_begin(&j, t);
    for (uint32_t i = 0; i < t->count; i++) {
        const struct said *s = &t->log[i];
        told_wrong(&j, s);
        if (s->e.kind == ENTRY_MISS)
            missed_wrong(&j, s);
        if (j.a.timing.on)
            said_wrong(&j, s);
        cheat_votes(&j, s);
        cr_assert_null(judge(&j, s), "what was right is right again");
    }
    judge_done(&j);
}

static void run(const struct rules *r, size_t games)
{
    static const uint8_t key[RNG_SEED_SIZE] = {14};

    for (size_t i = 0; i < games; i++) {
        struct table t;
        rng_init(&rng, key, i);
        play(&t, play_setup(r, i));
        cheat(&t);
        free(t.log);
    }
    fprintf(stderr, "# %s: cheats", r->name);
    for (size_t i = 0; i < COUNT_OF(tried); i++)
        fprintf(stderr, " %zu", tried[i]);
    fprintf(stderr, "\n");
    /* Of votes a few games tell too little. */
    for (size_t i = 0; i < (games < 30 ? 10 : COUNT_OF(tried)); i++)
        cr_expect_gt(tried[i], 0, "%zu", i);
}

Test(timing, tictactoe, .timeout = 1200)
{
    run(&tictactoe_rules, scaled(150, 10));
}

Test(timing, roshambo, .timeout = 1200)
{
    run(&roshambo_rules, scaled(150, 10));
}

Test(timing, haggle, .timeout = 1200)
{
    run(&haggle_rules, scaled(100, 10));
}

Test(timing, hacienda, .timeout = 1200)
{
    run(&hacienda_rules, scaled(10, 2));
}

Test(timing, hadara, .timeout = 1200)
{
    run(&hadara_rules, scaled(10, 2));
}

Test(timing, greement, .timeout = 1200)
{
    run(&greement_rules, scaled(10, 2));
}
