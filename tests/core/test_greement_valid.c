/* test_greement_valid.c -- Greement: what no state may be, and games played at
 * random, in which every state is what it may be. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/games/greement/parts.h"
#include "tests/support/greement_estate.h"

static const struct rules *const R = &greement_rules;

static struct estate e;

/* ---- what no state may be ------------------------------------------------ */

/* Spoils a copy of the state with STATEMENT, in which it is G. */
#define UNSOUND(statement) \
    do { \
        static struct estate spoiled; \
        spoiled = e; \
        struct greement *g = estate_of(&spoiled); \
        statement; \
        cr_assert_not(estate_valid(&spoiled), "%s", #statement); \
    } while (0)

static int at(const char *square)
{
    return estate_square(square);
}

static void start(int seats)
{
    estate_start(&e, &(struct estate_table){.seats = seats});
    cr_assert(estate_valid(&e));
}

/* The grid: each square once, no owner of what nobody can own, no crop or
 * cattle without one [G11]. */
Test(greement_valid, grid)
{
    start(3);
    UNSOUND(g->square[at("a10")] = SQUARE_MOUNTAIN);
    UNSOUND(g->square[at("b1")] = SQUARE_MINE);
    UNSOUND(g->square[at("b1")] = SQUARE_CROP);
    UNSOUND(g->square[at("b1")] = SQUARE_CATTLE);
    UNSOUND(g->owner[at("a10")] = 0);
    UNSOUND(g->owner[at("j10")] = 2);
    UNSOUND(g->owner[at("b1")] = 3);
    UNSOUND(g->owner[at("a1")] = GREEMENT_NOBODY);
    UNSOUND(g->square[at("b1")] = SQUARE_FACE_DOWN);
    UNSOUND(g->treated[at("a1")] = 1);
    UNSOUND(g->picked = 5);
}

/* Setup: a crop for each who has picked, not connected; nothing bought. */
Test(greement_valid, setup)
{
    estate_setup(&e, &(struct estate_table){.seats = 3, .grid = "..g"});
    cr_assert(estate_valid(&e));
    UNSOUND(g->square[at("a1")] = SQUARE_LAND);
    estate_do(&e, 0, "pick square=a1");
    UNSOUND(g->square[at("b1")] = SQUARE_CROP; g->owner[at("b1")] = 1);
    UNSOUND(g->square[at("d4")] = SQUARE_CROP; g->owner[at("d4")] = 0);
    UNSOUND(g->square[at("a1")] = SQUARE_CATTLE);
    UNSOUND(g->square[at("a1")] = SQUARE_FACE_DOWN;
            g->owner[at("a1")] = GREEMENT_NOBODY);
    UNSOUND(g->turn = 2);
    UNSOUND(g->turn = GREEMENT_NOBODY);
    UNSOUND(g->start = 1);
    UNSOUND(g->player[0].money = 1);
    UNSOUND(g->value[LAND_PRICE] = 3);
    UNSOUND(g->round = 1);
    UNSOUND(g->deck[CARD_STEAL] = 0);
    UNSOUND(g->deck[CARD_DECIDE] = 2; g->deciders = 1; g->decider[0] = 0);
    UNSOUND(g->picked = (uint8_t)at("b1"));
    UNSOUND(g->picked = (uint8_t)at("a1"));
    UNSOUND(g->picked = (uint8_t)at("d1")); /* nature would be acting */
    UNSOUND(g->square[at("d1")] = SQUARE_MINE; g->owner[at("d1")] = 0);
    UNSOUND(for (int i = 1; i < 7; i++) g->square[10 * i + 9] = SQUARE_LAKE);
}

/* A turn: cards, offers and limits. */
Test(greement_valid, turn)
{
    start(3);
    estate_money(&e, 0, 100);
    estate_do(&e, 0, "offer kind=sell with=1 square=a1 price=1 tax_by=buyer");
    estate_do(&e, 0, "offer kind=buy with=2 square=e1 price=1 tax_by=buyer");
    UNSOUND(g->offer[0].with = 0; g->base.may = 4);
    UNSOUND(g->offer[0].with = 3);
    UNSOUND(g->offer[0].number = 2);
    UNSOUND(g->offer[1].number = 3);
    UNSOUND(g->offer[0].square = (uint8_t)at("e1"));
    UNSOUND(g->offer[0].kind = KIND_BUY);
    UNSOUND(g->offer[1].square = (uint8_t)at("c1"));
    UNSOUND(g->offer[0].price = 30001);
    UNSOUND(g->offers = 1);
    UNSOUND(g->offers_made = 31);
    UNSOUND(g->payments = 31);
    UNSOUND(g->base.may = 0);
    UNSOUND(g->base.acting = 2);
    UNSOUND(g->turn = 1);
    UNSOUND(g->turn = 3);
    UNSOUND(g->start = GREEMENT_NOBODY);
    UNSOUND(g->pending = CARD_STEAL);
    UNSOUND(g->pending = CARD_DECIDE);
    UNSOUND(g->stolen = 1);
    UNSOUND(g->drawing = 1);
    UNSOUND(g->deck[CARD_RAISE] = 2);
    UNSOUND(g->deck[CARD_DECIDE] = 2);
    UNSOUND(g->deciders = 1; g->decider[0] = 0);
    UNSOUND(g->deciders = 1; g->decider[0] = 3; g->deck[CARD_DECIDE] = 2);
    UNSOUND(g->events = 1; g->event[0] = 0);
    UNSOUND(g->player[0].vote = 1);
    UNSOUND(g->player[0].done = 1);
    UNSOUND(g->player[0].contribution = 1);
    UNSOUND(g->player[0].acts = 1);
    UNSOUND(g->player[0].debt = 1); /* no loans */
    UNSOUND(g->value[LAKE_MULTIPLIER] = 100);
    UNSOUND(g->value[MOUNTAIN_MULTIPLIER] = 100);
    UNSOUND(g->value[SEED_PRICE] = 1000);
    UNSOUND(g->value[SEED_PRICE] = 0);
    UNSOUND(g->player[0].money = -1);
    UNSOUND(g->player[0].money = 1000000000);
    UNSOUND(g->round = 20);
    UNSOUND(g->turns = 0);
    UNSOUND(g->base.ply = 100000);
    estate_next(&e, "steal");
    estate_do(&e, 0, "buy_action_card");
    UNSOUND(g->deck[CARD_STEAL] = 1);
    UNSOUND(g->stolen = 2);
    UNSOUND(g->pending = CARD_LOWER);
    UNSOUND(g->drawing = 1; g->base.acting = RULES_BIT(RULES_NATURE));
}

/* The event phase. */
Test(greement_valid, events)
{
    start(3);
    estate_event(&e, "cattle_price_and_profit_up");
    UNSOUND(g->events = 0);
    UNSOUND(g->event[0] = EVENT_DISEASE);
    UNSOUND(g->events = 2; g->event[1] = EVENT_CATTLE_UP); /* only one */
    UNSOUND(g->phase = PHASE_PAY);
    UNSOUND(g->phase = PHASE_DISEASE);
    UNSOUND(g->turn = 0);
    UNSOUND(g->offers_made = 1);
    UNSOUND(g->payments = 1);
    UNSOUND(g->deck[CARD_STEAL] = 0);
    UNSOUND(g->player[0].acts = 31);
    UNSOUND(g->player[0].contribution = 1);
    UNSOUND(g->player[0].done = 1);
    UNSOUND(g->deciders = 1; g->decider[0] = 1; g->deck[CARD_DECIDE] = 2;
            g->player[0].vote = 1; g->base.acting = 2; g->base.may = 5);
    UNSOUND(for (int i = 0; i < 3; i++) g->player[i].vote = 1;
            g->base.acting = 0; g->base.may = 0);
    UNSOUND(g->player[0].vote = 1); /* still waited for */
    estate_next(&e, "cattle_disease");
    estate_all(&e, "vote avoid=true");
    UNSOUND(g->player[0].contribution = 20);
    UNSOUND(g->player[0].vote = 1);
    UNSOUND(for (int i = 0; i < 3; i++) g->player[i].done = 1;
            g->base.acting = 0; g->base.may = 0);
    estate_give(&e, 0, "d4=cattle d5=cattle");
    estate_money(&e, 0, 10);
    estate_all(&e, "done");
    cr_assert_eq(e.any.state.acting, 1);
    UNSOUND(g->player[0].money = 1);
    UNSOUND(g->treated[at("a1")] = 1);
    UNSOUND(g->treated[at("d4")] = 1; g->treated[at("d5")] = 1);
    UNSOUND(g->player[1].done = 0; g->base.acting = 3);
    UNSOUND(g->base.may = 2);
    UNSOUND(g->player[0].contribution = 1);
}

/* The end. */
Test(greement_valid, end)
{
    estate_start(&e, &(struct estate_table){.turns = 1});
    while (!rules_over(&e.any.state))
        estate_default(&e, __builtin_ctz(e.any.state.acting));
    cr_assert(estate_valid(&e));
    UNSOUND(g->round = 0);
    UNSOUND(g->turn = 0);
    UNSOUND(g->base.acting = 1);
    UNSOUND(g->turns = 2);
    UNSOUND(g->events = 1; g->event[0] = 0);
    UNSOUND(g->phase = PHASE_TURN);
}

/* ---- random games --------------------------------------------------------- */

enum { VERB_ROOM = 32, EVENT_ROOM = 48 };

static struct rules_choice choice[RULES_MOVES_MAX];
static size_t played[VERB_ROOM], seen[EVENT_ROOM], longest;

static struct rules_move pick(struct rng *rng, size_t n)
{
    /* A verb, then one of its choices, then an amount. */
    size_t first[VERB_ROOM], verbs = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || choice[i].move.verb != choice[i - 1].move.verb)
            first[verbs++] = i;
    size_t verb = rng_below(rng, (uint32_t)verbs);
    size_t end = verb + 1 < verbs ? first[verb + 1] : n;
    const struct rules_choice *c =
        &choice[first[verb] + rng_below(rng, (uint32_t)(end - first[verb]))];
    struct rules_move move = c->move;
    if (c->ranged >= 0) {
        int16_t span = (int16_t)(c->max - c->min);
        if (rng_below(rng, 3) > 0 && span > 5)
            span = 5; /* small amounts leave something to play with */
        move.arg[c->ranged] =
            (int16_t)(c->min + (int)rng_below(rng, (uint32_t)span + 1));
    }
    return move;
}

static void check_ply(const union rules_any *s)
{
    static uint8_t bytes[RULES_STATE_MAX];
    union rules_any read;
    size_t len = rules_encode(R, &s->state, bytes, sizeof(bytes));

    cr_assert_leq(len, sizeof(bytes));
    cr_assert(rules_valid(R, &s->state));
    cr_assert_eq(rules_decode(R, &read.state, bytes, len), RULES_OK);
    cr_assert_eq(rules_hash(R, &read.state), rules_hash(R, &s->state));
}

static void play_game(const struct rules_setup *setup, uint64_t number)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "games";
    struct rules_events events;
    union rules_any s;
    struct rng rng;

    rng_init(&rng, seed, number);
    cr_assert_eq(rules_setup(R, &s.state, setup, NULL), RULES_OK);
    check_ply(&s);
    while (!rules_over(&s.state)) {
        uint16_t can = s.state.acting | s.state.may;
        int seat = RULES_NATURE;
        struct rules_move move;
        if (s.state.acting == RULES_BIT(RULES_NATURE)) {
            rules_chance(R, &s.state, &rng, &move);
        } else {
            do {
                seat = (int)rng_below(&rng, s.state.seats);
            } while (!(can & RULES_BIT(seat)));
            size_t n = rules_legal(R, &s.state, seat, -1, choice,
                                   RULES_MOVES_MAX);
            cr_assert_leq(n, RULES_MOVES_MAX);
            if (n == 0) {
                cr_assert_not(s.state.acting & RULES_BIT(seat));
                continue;
            }
            if (number % 3 == 0 && rng_below(&rng, 2) == 0)
                rules_default_move(R, &s.state, seat, &move);
            else
                move = pick(&rng, n);
            /* In every other game people are thrifty, and come to wealth. */
            for (int i = 0; number % 2 && i < 4 &&
                            (move.verb == PAY || move.verb == SEED ||
                             move.verb == BUY_LAND || move.verb == END_TURN);
                 i++)
                move = pick(&rng, n);
        }
        cr_assert_eq(rules_apply(R, &s.state, seat, &move, &events), RULES_OK);
        played[move.verb]++;
        for (size_t i = 0; i < events.count; i++)
            seen[events.at[i].kind]++;
        check_ply(&s);
    }
    if (s.state.ply > longest)
        longest = s.state.ply;
}

/* Random games with all seats and options end, are valid after each ply, and
 * between them play every verb and see every event. */
Test(greement_valid, random_games)
{
    uint64_t number = 0;
    int games = getenv("ASAN") != NULL ? 4 : 12;

    for (int seats = 2; seats <= 6; seats++)
        for (int16_t tax = 0; tax <= 1; tax++)
            for (int16_t loans = 0; loans <= 1; loans++)
                for (int game = 0; game < games; game++) {
                    int16_t options[RULES_OPTIONS_MAX] = {
                        (int16_t)(1 + number % 6),
                        tax,
                        loans,
                    };
                    struct rules_setup setup = {
                        .seats = seats,
                        .options = options,
                    };
                    play_game(&setup, number++);
                }
    cr_assert_leq(longest, R->plies_max);
    for (int verb = 0; R->verbs[verb].name != NULL; verb++)
        cr_assert_gt(played[verb], 0, "%s", R->verbs[verb].name);
    for (int event = 0; R->events[event].name != NULL; event++)
        cr_assert_gt(seen[event], 0, "%s", R->events[event].name);
}

/* The usual 20 turns, and 99, once each. */
Test(greement_valid, long_random_games)
{
    int16_t options[RULES_OPTIONS_MAX] = {RULES_NONE, 0, 1};
    struct rules_setup setup = {.seats = 3, .options = options};

    play_game(&setup, 1000);
    if (getenv("ASAN") != NULL)
        return;
    options[0] = 99;
    setup.seats = 2;
    play_game(&setup, 1001);
    cr_assert_leq(longest, R->plies_max);
}

/* Bytes that have been changed are refused, or tell of a state that plays. */
Test(greement_valid, spoiled_bytes)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "spoil";
    static uint8_t bytes[RULES_STATE_MAX];
    union rules_any s;
    struct rng rng;

    rng_init(&rng, seed, 0);
    start(3);
    estate_event(&e, "cattle_disease");
    size_t len = rules_encode(R, &e.any.state, bytes, sizeof(bytes));
    for (size_t i = 0; i < len; i++) {
        cr_assert_eq(rules_decode(R, &s.state, bytes, i), RULES_MALFORMED);
        uint8_t held = bytes[i];
        bytes[i] = (uint8_t)(held + 1 + rng_below(&rng, 255));
        cr_assert_eq(rules_decode(R, &s.state, bytes, len), RULES_MALFORMED);
        bytes[i] = held;
    }
    cr_assert_eq(rules_decode(R, &s.state, bytes, len), RULES_OK);
}

/* States that are valid though nobody has played them: play goes on from them
 * without a bug, and stays valid. */
Test(greement_valid, made_up_states)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "made up";
    size_t from = offsetof(struct greement, phase), tried = 0;
    int rounds = getenv("ASAN") != NULL ? 20 : 60;
    struct rules_events events;
    struct rng rng;

    rng_init(&rng, seed, 0);
    for (int i = 0; i < rounds; i++) {
        estate_start(&e, &(struct estate_table){.seats = 2 + i % 5,
                                                .loans = i % 2,
                                                .full_tax = i % 3 == 0,
                                                .turns = 3});
        for (int k = 0; k < i; k++)
            if (!rules_over(&e.any.state))
                estate_default(&e, __builtin_ctz(e.any.state.acting));
        for (int k = 0; k < 400; k++) {
            union rules_any s = e.any;
            for (uint32_t n = 1 + rng_below(&rng, 3); n > 0; n--)
                s.bytes[from +
                        rng_below(&rng, (uint32_t)(R->state_size - from))] =
                    (uint8_t)(rng_below(&rng, 4) ? rng_below(&rng, 8)
                                                 : rng_below(&rng, 256));
            const struct greement *g = (const struct greement *)&s;
            if (g->deciders > GREEMENT_DECIDERS ||
                g->events > GREEMENT_EVENTS || g->offers > GREEMENT_OFFERS)
                continue; /* there would be nothing to encode */
            static uint8_t bytes[RULES_STATE_MAX];
            size_t len = rules_encode(R, &s.state, bytes, sizeof(bytes));
            if (rules_decode(R, &s.state, bytes, len) != RULES_OK)
                continue;
            tried++;
            for (int ply = 0; ply < 40 && !rules_over(&s.state); ply++) {
                struct rules_move move;
                int seat = __builtin_ctz(s.state.acting);
                if (seat == RULES_NATURE) {
                    rules_chance(R, &s.state, &rng, &move);
                } else {
                    size_t n = rules_legal(R, &s.state, seat, -1, choice,
                                           RULES_MOVES_MAX);
                    cr_assert_gt(n, 0);
                    move = pick(&rng, n);
                }
                cr_assert_eq(rules_apply(R, &s.state, seat, &move, &events),
                             RULES_OK);
                check_ply(&s);
            }
        }
    }
    cr_assert_gt(tried, 100);
}
