/* test_conformance_moves.c -- what every game promises of moves.
 *
 * rules_legal() and rules_check() say the same, in one order, whoever asks;
 * what is refused changes nothing; the default move is legal.  Random games
 * of every game, from numbers; see tests/support/play.h. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/play.h"

enum { EDGE = 2, LONG_RANGE = 200 };

static struct rules_choice legal[RULES_MOVES_MAX + 1];
static struct rules_choice other[RULES_MOVES_MAX + 1];

/* ---- the list --------------------------------------------------------- */

/* Listing again gives the same; a list too short ends early, but counts. */
static void is_stable(struct play *p, int seat, size_t n)
{
    static const struct rules_choice untouched = {.ranged = 77};
    size_t cap = n == 0 ? 0 : rng_below(&p->dice, (uint32_t)n + 1);

    MUST(p, rules_legal(p->r, &p->s.state, seat, -1, other, RULES_MOVES_MAX) ==
                n);
    MUST(p, memcmp(legal, other, n * sizeof(legal[0])) == 0);
    MUST(p, rules_legal(p->r, &p->s.state, seat, -1, NULL, 0) == n);
    other[cap] = untouched;
    MUST(p, rules_legal(p->r, &p->s.state, seat, -1, other, cap) == n);
    MUST(p, memcmp(legal, other, cap * sizeof(legal[0])) == 0);
    MUST(p, memcmp(&other[cap], &untouched, sizeof(untouched)) == 0);
}

/* The moves of each verb are what the whole list has of it, in its order. */
static void verbs_filter(struct play *p, int seat, size_t n)
{
    size_t all = 0;
    for (int verb = 0; verb < play_verbs(p->r); verb++) {
        size_t k = rules_legal(p->r, &p->s.state, seat, verb, other,
                               RULES_MOVES_MAX);
        size_t at = 0;
        for (size_t i = 0; i < n; i++)
            if (legal[i].move.verb == verb)
                MUST(p, at < k && memcmp(&legal[i], &other[at++],
                                         sizeof(legal[0])) == 0);
        MUST(p, at == k);
        all += k;
    }
    MUST(p, all == n);
    MUST(p, rules_legal(p->r, &p->s.state, seat, play_verbs(p->r), other,
                        RULES_MOVES_MAX) == 0);
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct rules_choice));
}

static bool covered(size_t n, const struct rules_move *move)
{
    for (size_t i = 0; i < n; i++)
        if (play_covers(&legal[i], move))
            return true;
    return false;
}

/* Nothing stands there twice, neither alone nor within a range. */
static void nothing_twice(struct play *p, size_t n)
{
    memcpy(other, legal, n * sizeof(legal[0]));
    qsort(other, n, sizeof(other[0]), by_bytes);
    for (size_t i = 1; i < n; i++)
        MUST(p, by_bytes(&other[i - 1], &other[i]) != 0);
    for (size_t i = 0; i < n; i++) {
        if (legal[i].ranged < 0)
            continue;
        for (size_t k = 0; k < n; k++) {
            struct rules_move move = legal[k].move;
            MUST(p, k == i || !play_covers(&legal[i], &move));
        }
    }
}

/* The next value of a range to try: those at its ends, and of a long one every
 * so often one of the others. */
static int next_value(struct play *p, const struct rules_choice *c, int value)
{
    bool within = value > c->min + EDGE && value < c->max - EDGE;

    if (!within || c->max - c->min <= LONG_RANGE)
        return value + 1;
    int step = 1 + (int)rng_below(&p->dice, (uint32_t)(c->max - c->min) / 8);
    return step < c->max - EDGE - value ? value + step : c->max - EDGE;
}

/* All that is listed is legal, from one end of a range to the other, and what
 * lies past its ends is not, unless it is listed elsewhere. */
static void listed_is_legal(struct play *p, int seat, size_t n)
{
    const struct rules_state *s = &p->s.state;
    for (size_t i = 0; i < n; i++) {
        struct rules_choice *c = &legal[i];
        struct rules_move move = c->move;
        MUST(p, rules_check(p->r, s, seat, &move) == RULES_OK);
        if (c->ranged < 0)
            continue;
        MUST(p, c->ranged < RULES_ARGS_MAX && c->min < c->max);
        MUST(p, move.arg[c->ranged] == c->min);
        for (int value = c->min - 1; value <= c->max + 1;
             value = next_value(p, c, value)) {
            move.arg[c->ranged] = (int16_t)value;
            bool in = value >= c->min && value <= c->max;
            bool ok = rules_check(p->r, s, seat, &move) == RULES_OK;
            MUST(p, ok == (in || covered(n, &move)));
        }
    }
}

/* ---- what is not listed ----------------------------------------------- */

/* A refused move has a reason with a name and a sentence, the same when it is
 * played, and changes not a byte. */
static void refused_changes_nothing(struct play *p, int seat,
                                    const struct rules_move *move, int refusal)
{
    static struct rules_events events;
    union rules_any s;

    MUST(p, refusal < 0 && refusal != RULES_UNSEEN &&
                refusal != RULES_BAD_SETUP && refusal != RULES_MALFORMED);
    MUST(p, rules_reason(p->r, refusal)[0] != '\0');
    MUST(p, rules_reason_text(p->r, refusal)[0] != '\0');
    memcpy(&s, &p->s, p->r->state_size);
    events.count = 9;
    events.flags = RULES_REVEALED;
    MUST(p, rules_apply(p->r, &s.state, seat, move, &events) == refusal);
    MUST(p, memcmp(&s, &p->s, p->r->state_size) == 0);
    MUST(p, events.count == 0 && events.flags == 0);
}

/* What else might be thought of is legal only if it is listed. */
static void legal_is_listed(struct play *p, int seat, size_t n, int tries)
{
    const struct rules_state *s = &p->s.state;
    for (int i = 0; i < tries; i++) {
        struct rules_move move = play_nonsense(p->r, s, &p->dice);
        if (n > 0 && i % 2 == 0) {
            uint32_t near = rng_below(&p->dice, (uint32_t)n);
            struct rules_move like = play_choose(&legal[near], &p->dice);
            move = play_spoiled(p->r, s, &like, &p->dice);
        }
        int refusal = rules_check(p->r, s, seat, &move);
        MUST(p, (refusal == RULES_OK) == covered(n, &move));
        if (refusal != RULES_OK)
            refused_changes_nothing(p, seat, &move, refusal);
    }
}

/* Of verbs with few enough moves all are tried: as many are legal as there are
 * listed.  (All listed are, and none twice.) */
static void all_legal_are_listed(struct play *p, int seat, size_t n)
{
    const struct rules_state *s = &p->s.state;
    for (int verb = 0; verb < play_verbs(p->r); verb++) {
        if (p->r->verbs[verb].nature != (seat == RULES_NATURE) ||
            play_count(p->r, s, verb) > 6000)
            continue;
        struct rules_move move = play_first(p->r, s, verb);
        size_t found = 0, listed = 0;
        do
            found += rules_check(p->r, s, seat, &move) == RULES_OK;
        while (play_another(p->r, s, &move));
        for (size_t i = 0; i < n; i++)
            if (legal[i].move.verb == verb)
                listed += legal[i].ranged < 0
                              ? 1u
                              : (size_t)(legal[i].max - legal[i].min + 1);
        MUST(p, found == listed);
    }
}

/* Arguments that the verb does not have, must have, or cannot be shown. */
static void arguments_are_judged(struct play *p, int seat, size_t n)
{
    for (int i = 0; n > 0 && i < RULES_ARGS_MAX; i++) {
        struct rules_move move = legal[rng_below(&p->dice, (uint32_t)n)].move;
        const struct rules_arg *arg = p->r->verbs[move.verb].arg;
        int arity = 0;
        while (arity < RULES_ARGS_MAX && arg[arity].name != NULL)
            arity++;
        move.arg[i] = i < arity ? RULES_HIDDEN : 0;
        MUST(p, rules_check(p->r, &p->s.state, seat, &move) ==
                    RULES_BAD_ARGUMENT);
        move.arg[i] = RULES_NONE;
        if (i < arity && !arg[i].optional)
            MUST(p, rules_check(p->r, &p->s.state, seat, &move) ==
                        RULES_BAD_ARGUMENT);
    }
}

/* Who cannot move is told so, and nobody has a verb of chance. */
static void others_cannot(struct play *p)
{
    static const int nobody[] = {-1, 7, RULES_WATCHER, RULES_ALL, 255, 1000};
    const struct rules_state *s = &p->s.state;
    struct rules_move move = play_nonsense(p->r, s, &p->dice);
    int why = rules_over(s) ? RULES_GAME_OVER : RULES_NOT_YOUR_TURN;

    for (size_t i = 0; i < COUNT_OF(nobody); i++) {
        MUST(p, rules_legal(p->r, s, nobody[i], -1, other, 1) == 0);
        MUST(p, rules_check(p->r, s, nobody[i], &move) == why);
    }
    for (int seat = 0; seat < s->seats; seat++) {
        if (!rules_can_move(s, seat)) {
            refused_changes_nothing(p, seat, &move, why);
            continue;
        }
        for (int verb = 0; verb <= play_verbs(p->r); verb++) {
            move.verb = (uint16_t)verb;
            bool own = verb < play_verbs(p->r) && !p->r->verbs[verb].nature;
            MUST(p, own || rules_check(p->r, s, seat, &move) ==
                               RULES_UNKNOWN_VERB);
        }
    }
}

/* ---- positions -------------------------------------------------------- */

static void seat_keeps_promises(struct play *p, int seat, int tries)
{
    const struct rules_state *s = &p->s.state;
    size_t n = rules_legal(p->r, s, seat, -1, legal, RULES_MOVES_MAX);
    struct rules_move move;

    MUST(p, n <= RULES_MOVES_MAX);
    MUST(p, n > 0 || !(s->acting & RULES_BIT(seat)));
    MUST(p, n == 0 || rules_can_move(s, seat));
    is_stable(p, seat, n);
    verbs_filter(p, seat, n);
    nothing_twice(p, n);
    listed_is_legal(p, seat, n);
    legal_is_listed(p, seat, n, tries);
    all_legal_are_listed(p, seat, n);
    if (seat == RULES_NATURE || n == 0)
        return;
    arguments_are_judged(p, seat, n);
    rules_default_move(p->r, s, seat, &move);
    MUST(p, covered(n, &move));
}

/* Chance draws what is legal for nature, and only that. */
static void chance_is_legal(struct play *p)
{
    struct rules_move move;
    size_t n = rules_legal(p->r, &p->s.state, RULES_NATURE, -1, legal,
                           RULES_MOVES_MAX);
    for (int i = 0; i < 8; i++) {
        rules_chance(p->r, &p->s.state, &p->dice, &move);
        MUST(p, covered(n, &move));
    }
}

static void position(struct play *p, const struct rules_ply *ply)
{
    (void)ply;
    if (!p->look)
        return;
    for (int seat = 0; seat < p->s.state.seats; seat++)
        seat_keeps_promises(p, seat, 16);
    if (p->s.state.acting & RULES_BIT(RULES_NATURE)) {
        seat_keeps_promises(p, RULES_NATURE, 16);
        chance_is_legal(p);
    }
    others_cannot(p);
}

static void last_position(struct play *p)
{
    position(p, NULL);
}

static const struct play_suite moves = {
    .before = position,
    .over = last_position,
};

PLAY(moves, &moves, hacienda, 600, 25)
PLAY(moves, &moves, hadara, 300, 12)
PLAY(moves, &moves, greement, 500, 60)
PLAY(moves, &moves, tictactoe, 400, 1)
PLAY(moves, &moves, kuhn, 2000, 1)
PLAY(moves, &moves, roshambo, 2000, 1)
PLAY(moves, &moves, haggle, 1000, 2)
PLAY_OTHERS(moves, &moves, 100, 20)
