/* test_leaks.c -- that test_secrets.c can fail: what is told too much is
 * noticed, wherever it is told.
 *
 * The hub is given games that leak.  Each is a real one (or a toy) in a
 * wrapper whose state goes on behind the game's own: what is put there before a
 * view is made, a number that hangs on all of the true state, is still there
 * when hands have been erased.  So a wrapper's functions can betray, through
 * one way at a time, what the view they are asked about does not tell.  The
 * pairs of runs are judged by the game itself.
 *
 * Without a leak a wrapper is not to be told from the game; with one the pairs
 * have to differ.  What is not in the game's power, which messages are sent, is
 * spoiled on the way. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/games/toys.h"
#include "tests/support/noninterference.h"

extern const struct rules hacienda_rules, hadara_rules;

enum leak {
    LEAK_NONE,
    LEAK_VIEW,        /* others' hands are not erased */
    LEAK_WATCHER,     /* nor for who watches */
    LEAK_SCORE,       /* score_now counts what is hidden */
    LEAK_EVENTS,      /* everybody is told every event */
    LEAK_EVENT_COUNT, /* an event more, that says nothing */
    LEAK_LEGAL,       /* a legal move is missing */
    LEAK_REASON,      /* another reason for the same refusal */
    LEAK_PREVIEW,     /* a preview goes on where something is revealed */
    LEAK_UNDO,        /* it cannot be taken back */
    LEAK_REPLAY,      /* the log tells hidden plies */
    LEAK_MAY,         /* who else may move */
    LEAKS
};

static const char *const names[LEAKS] = {
    "none",  "view",    "watcher's view", "score_now", "events", "event count",
    "legal", "reasons", "preview",        "undo",      "replay", "may",
};

static enum leak leak;

/* ---- wrappers ------------------------------------------------------------- */

enum { WRAPPED = 5 };

static const struct rules *const games[WRAPPED] = {
    &hacienda_rules, &hadara_rules, &kuhn_rules,
    &roshambo_rules, &haggle_rules,
};

static struct rules wrapper[WRAPPED];

const struct rules *const rules_all[] = {
    &wrapper[0], &wrapper[1], &wrapper[2], &wrapper[3], &wrapper[4], NULL,
};

/* Behind the game's own state. */
static uint64_t *shadow(const struct rules *r, struct rules_state *s)
{
    size_t at = (r->state_size + 7) / 8 * 8;
    return (uint64_t *)(void *)((unsigned char *)s + at);
}

/* A number that hangs on all of the true state, also where S is a view. */
static uint64_t secret(const struct rules *r, const struct rules_state *s)
{
    if (s->viewer != RULES_ALL)
        return *shadow(r, (struct rules_state *)(uintptr_t)s);
    return rules_hash(r, s);
}

static bool bit(const struct rules *r, const struct rules_state *s)
{
    return secret(r, s) >> 7 & 1;
}

/* Whether VIEWER is shown everything. */
static bool shows_all(int viewer)
{
    return (leak == LEAK_VIEW && viewer != RULES_WATCHER) ||
           (leak == LEAK_WATCHER && viewer == RULES_WATCHER);
}

static void leaky_redact(const struct rules *r, struct rules_state *s,
                         int viewer)
{
    uint8_t as = s->viewer;

    s->viewer = RULES_ALL; /* which it still is */
    uint64_t hash = rules_hash(r, s);
    s->viewer = as;
    *shadow(r, s) = hash;
    if (!shows_all(viewer))
        r->redact(s, viewer);
    if (leak == LEAK_MAY && !rules_over(s) && bit(r, s))
        s->may |= RULES_BIT(0) & (uint16_t)~s->acting;
}

/* Where nothing is hidden there is nothing to guess. */
static void leaky_guess(const struct rules *r, struct rules_state *s,
                        int viewer, struct rng *rng)
{
    if (!shows_all(viewer))
        r->guess(s, viewer, rng);
}

static void leaky_score(const struct rules *r, const struct rules_state *s,
                        struct rules_score *score)
{
    r->score(s, score);
    if (leak == LEAK_SCORE && s->viewer != RULES_ALL)
        score->total[0] += (int32_t)(secret(r, s) & 7);
}

static void leaky_propose(const struct rules *r, const struct rules_state *s,
                          int seat, struct rules_list *list)
{
    r->propose(s, seat, list);
    if (leak == LEAK_LEGAL && s->viewer != RULES_ALL && list->count > 1 &&
        bit(r, s))
        list->count--;
}

static int leaky_check(const struct rules *r, const struct rules_state *s,
                       int seat, const struct rules_move *move)
{
    int refusal = r->check(s, seat, move);

    if (leak == LEAK_REASON && refusal <= RULES_GAME &&
        s->viewer != RULES_ALL && bit(r, s))
        refusal = refusal == RULES_GAME ? RULES_GAME - 1 : RULES_GAME;
    return refusal;
}

static void leak_events(struct rules_events *out)
{
    for (int i = 0; i < out->count; i++)
        out->at[i].seen_by = RULES_EVERYONE;
}

static int leaky_apply(const struct rules *r, struct rules_state *s, int seat,
                       const struct rules_move *move, struct rules_events *out)
{
    int refusal = r->apply(s, seat, move, out);
    bool viewed = s->viewer != RULES_ALL;

    if (leak == LEAK_PREVIEW && refusal == RULES_UNSEEN && bit(r, s))
        return RULES_OK;
    if (refusal != RULES_OK || viewed)
        return refusal;
    if (leak == LEAK_EVENTS)
        leak_events(out);
    if (leak == LEAK_EVENT_COUNT && out->count > 0 && bit(r, s))
        out->at[out->count++] = out->at[0];
    if (leak == LEAK_UNDO && bit(r, s))
        out->flags |= RULES_FINAL;
    return RULES_OK;
}

static void leaky_redact_move(const struct rules *r,
                              const struct rules_state *s, int seat,
                              int viewer, struct rules_move *move)
{
    if (leak != LEAK_REPLAY)
        r->redact_move(s, seat, viewer, move);
}

/* The functions of a table cannot know whose they are: one set for each. */
#define WRAP(n) \
    static void redact_##n(struct rules_state *s, int viewer) \
    { \
        leaky_redact(games[n], s, viewer); \
    } \
    static void guess_##n(struct rules_state *s, int viewer, struct rng *rng) \
    { \
        leaky_guess(games[n], s, viewer, rng); \
    } \
    static void score_##n(const struct rules_state *s, \
                          struct rules_score *score) \
    { \
        leaky_score(games[n], s, score); \
    } \
    static void propose_##n(const struct rules_state *s, int seat, \
                            struct rules_list *list) \
    { \
        leaky_propose(games[n], s, seat, list); \
    } \
    static int check_##n(const struct rules_state *s, int seat, \
                         const struct rules_move *move) \
    { \
        return leaky_check(games[n], s, seat, move); \
    } \
    static int apply_##n(struct rules_state *s, int seat, \
                         const struct rules_move *move, \
                         struct rules_events *out) \
    { \
        return leaky_apply(games[n], s, seat, move, out); \
    } \
    static void redact_move_##n(const struct rules_state *s, int seat, \
                                int viewer, struct rules_move *move) \
    { \
        leaky_redact_move(games[n], s, seat, viewer, move); \
    } \
    static void wrap_##n(void) \
    { \
        wrapper[n] = *games[n]; \
        wrapper[n].state_size = (games[n]->state_size + 7) / 8 * 8 + 8; \
        wrapper[n].redact = redact_##n; \
        wrapper[n].guess = games[n]->guess != NULL ? guess_##n : NULL; \
        wrapper[n].score = score_##n; \
        wrapper[n].propose = propose_##n; \
        wrapper[n].check = check_##n; \
        wrapper[n].apply = apply_##n; \
        wrapper[n].redact_move = redact_move_##n; \
    }

WRAP(0)
WRAP(1)
WRAP(2)
WRAP(3)
WRAP(4)

static void wrap(void)
{
    wrap_0(), wrap_1(), wrap_2(), wrap_3(), wrap_4();
    for (int i = 0; i < WRAPPED; i++)
        ASSERT(wrapper[i].state_size <= RULES_STATE_MAX);
}

TestSuite(leaks, .init = wrap);

/* ---- the tests ------------------------------------------------------------ */

/* Whether any of so many pairs of GAME differ; WHY tells of the first. */
static bool noticed(int game, size_t pairs, enum noninterference_tamper tamper,
                    char why[NONINTERFERENCE_WHY])
{
    struct noninterference_count n = {0};

    for (uint64_t number = 0; number < pairs; number++)
        if (!noninterference_run(&wrapper[game], games[game], number, tamper,
                                 &n, why))
            return true;
    return false;
}

/* In which games there is what is to leak; a bit for each of GAMES. */
enum {
    ALL_GAMES = 31,
    HACIENDA = 1,
    HADARA = 2,
    KUHN = 4,
    ROSHAMBO = 8,
    HAGGLE = 16
};

static void must_be_noticed(enum leak planted, unsigned in)
{
    char why[NONINTERFERENCE_WHY] = "";

    leak = planted;
    for (int i = 0; i < WRAPPED; i++) {
        if (!(in & 1u << i))
            continue;
        bool seen = noticed(i, 400, TAMPER_NOT, why);
        cr_assert(seen, "%s: a leak in %s was not noticed", games[i]->name,
                  names[planted]);
        fprintf(stderr, "# %s, %s: %.300s\n", games[i]->name, names[planted],
                why);
    }
}

/* A wrapper that does not leak tells no more than the game. */
Test(leaks, none)
{
    char why[NONINTERFERENCE_WHY] = "";

    leak = LEAK_NONE;
    for (int i = 0; i < WRAPPED; i++)
        cr_assert(!noticed(i, getenv("ASAN") != NULL ? 3 : 12, TAMPER_NOT,
                           why),
                  "%s", why);
}

Test(leaks, view)
{
    must_be_noticed(LEAK_VIEW, ALL_GAMES);
}

Test(leaks, watcher)
{
    must_be_noticed(LEAK_WATCHER, ALL_GAMES);
}

Test(leaks, score_now)
{
    must_be_noticed(LEAK_SCORE, ALL_GAMES);
}

Test(leaks, events)
{
    must_be_noticed(LEAK_EVENTS, ALL_GAMES);
}

Test(leaks, event_count)
{
    must_be_noticed(LEAK_EVENT_COUNT, ALL_GAMES);
}

Test(leaks, legal)
{
    must_be_noticed(LEAK_LEGAL, ALL_GAMES);
}

Test(leaks, reasons)
{
    must_be_noticed(LEAK_REASON, ALL_GAMES);
}

Test(leaks, preview)
{
    must_be_noticed(LEAK_PREVIEW, KUHN | ROSHAMBO | HADARA);
}

Test(leaks, undo)
{
    must_be_noticed(LEAK_UNDO, HACIENDA | HADARA | ROSHAMBO);
}

Test(leaks, replay)
{
    must_be_noticed(LEAK_REPLAY, ALL_GAMES);
}

Test(leaks, may)
{
    must_be_noticed(LEAK_MAY, ALL_GAMES);
}

/* A message more, one less, two in another order. */
Test(leaks, messages)
{
    static const enum noninterference_tamper ways[] = {TAMPER_DROP,
                                                       TAMPER_SWAP,
                                                       TAMPER_TWICE};
    char why[NONINTERFERENCE_WHY] = "";

    leak = LEAK_NONE;
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        cr_assert(noticed(2, 20, ways[i], why));
}
