/* test_hadara_epoch.c -- Hadara, the rules' chapter An epoch, in one piece:
 * which steps there are, in which order, who begins each, who is asked, and
 * what everybody's coins come to. */

#include <criterion/criterion.h>
#include <stdio.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static struct hd p;

static void stands(int line, enum hadara_stage stage, unsigned acting,
                   int coins_0, int coins_1)
{
    const struct hadara *h = hd_of(&p);

    cr_assert_eq(h->stage, stage, "line %d: %s, not %s", line,
                 hadara_stage_words[h->stage], hadara_stage_words[stage]);
    cr_assert_eq(h->base.acting, acting, "line %d: %x act", line,
                 h->base.acting);
    cr_assert_eq(hd_coins(&p, 0), coins_0, "line %d: seat 0 has %d", line,
                 hd_coins(&p, 0));
    cr_assert_eq(hd_coins(&p, 1), coins_1, "line %d: seat 1 has %d", line,
                 hd_coins(&p, 1));
}

/* Where the game stands, whose move it is, and the coins of seats 0 and 1. */
#define STANDS(stage, acting, coins_0, coins_1) \
    stands(__LINE__, stage, acting, coins_0, coins_1)

enum { ANA = 1, BEN = 2, BOTH = ANA | BEN };

/* ---- one whole epoch ----------------------------------------------------- */

/* Seat 0 (initiative 1, on A 8 coins, income 3, military 2, culture 1, food 4)
 * goes round from yellow, seat 1 (2; 8 coins and one more, 2, 1, 3, 4) from
 * red. */
static void phase_a(void)
{
    hd_new(&p, 2, false);
    STANDS(STAGE_WHEEL, ANA, 8, 9);
    hd_want(&p, "yellow-1-02 yellow-1-05 red-1-03 red-1-08");
    hd_do(&p, 0, "set_wheel offset=0");
    STANDS(STAGE_CHOOSE, BOTH, 8, 9);
    hd_do(&p, 0, "choose discard=yellow-1-02 keep=buy");
    STANDS(STAGE_CHOOSE, BEN, 8, 9); /* nothing is resolved yet */
    hd_want(&p, "red-1-01 red-1-02 blue-1-06 blue-1-07");
    hd_do(&p, 1, "choose discard=red-1-08 keep=buy");
    STANDS(STAGE_CHOOSE, BOTH, 8 - 2, 9 - 3);
    hd_do(&p, 1, "choose discard=blue-1-07 keep=buy");
    hd_want(&p, "blue-1-01 blue-1-02 green-1-03 green-1-08");
    hd_do(&p, 0, "choose discard=red-1-02 keep=buy");
    STANDS(STAGE_CHOOSE, BOTH, 6 - 2, 6 - 2);
    hd_do(&p, 0, "choose discard=blue-1-01 keep=sell");
    hd_want(&p, "green-1-04 green-1-10 purple-1-07 purple-1-09");
    hd_do(&p, 1, "choose discard=green-1-08 keep=buy");
    STANDS(STAGE_CHOOSE, BOTH, 4 + 2, 4 - 2);
    HD_REFUSED(&p, 1, "choose discard=purple-1-07 keep=buy", "too_expensive");
    hd_do(&p, 1, "choose discard=purple-1-07 keep=sell");
    hd_want(&p, "purple-1-03 purple-1-10 yellow-1-08 yellow-1-09");
    hd_do(&p, 0, "choose discard=green-1-10 keep=sell");
    STANDS(STAGE_CHOOSE, BOTH, 6 + 2, 2 + 2);
    hd_do(&p, 0, "choose discard=purple-1-10 keep=buy");
    hd_do(&p, 1, "choose discard=yellow-1-09 keep=buy");
    /* 3: income 3 + 2 and 2 + 1.  4: both have the military for a colony. */
    STANDS(STAGE_COLONY, ANA, 8 - 2 + 5, 4 - 2 + 3);
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    STANDS(STAGE_COLONY, BEN, 11 + 3, 5);
    p.want_copy = 3; /* income 1, military 1 */
    hd_do(&p, 1, "take_colony level=1 mode=integrate");
}

/* The discarded cards lie in the order of the steps, the last one on top. */
static void phase_b(void)
{
    static const struct {
        const char *color, *keep;
        int coins_0, coins_1;
    } takes[] = {
        {"blue", "buy", 14 - 3, 4},    /* blue-1-01, of the third step */
        {"blue", "buy", 11, 4 - 1},    /* blue-1-07, under it: cost 2 - 1 */
        {"yellow", "buy", 11 - 0, 3},  /* yellow-1-09: cost 1 - 1 */
        {"yellow", "sell", 11, 3 + 2}, /* yellow-1-02 */
        {"green", "sell", 11 + 2, 5},  /* green-1-10 */
        {"green", "sell", 13, 5 + 2},  /* green-1-08 */
        {"red", "buy", 13 - 0, 7},     /* red-1-02: cost 1 - 1 */
        {"red", "sell", 13, 7 + 2},    /* red-1-08 */
        {"purple", "buy", 13 - 2, 9},  /* purple-1-10: cost 3 - 1 */
    };
    char text[64];

    STANDS(STAGE_TAKE, ANA, 14, 4);
    for (size_t i = 0; i < COUNT_OF(takes); i++) {
        snprintf(text, sizeof(text), "take color=%s keep=%s%s", takes[i].color,
                 takes[i].keep, i == 8 ? " tile=culture" : "");
        hd_do(&p, (int)(i % 2), text);
        STANDS(STAGE_TAKE, i % 2 ? ANA : BEN, takes[i].coins_0,
               takes[i].coins_1);
    }
    hd_do(&p, 1, "take color=purple keep=sell");
    /* 2: income 3 + 2 + 1, and 2 + 1 + 1 of the colony.  Nobody has 9 military
     * for a second colony; both have culture 7 for a statue. */
    STANDS(STAGE_STATUE, ANA, 11 + 6, 9 + 2 + 4);
}

/* One epoch from the wheel to the next, with everybody's coins: phase A with
 * its income and colony, phase B with income and statue, feeding, medals; the
 * second epoch begins with the other one of two. */
Test(hadara_epoch, whole)
{
    phase_a();
    phase_b();
    hd_do(&p, 0, "carve statue=1 tile=income face=up");
    STANDS(STAGE_STATUE, BEN, 17, 15);
    hd_do(&p, 1, "pass");
    /* 3: seven cards and food 4; five and food 8, but coins for a medal. */
    STANDS(STAGE_FEED, BOTH, 17, 15);
    hd_do(&p, 1, "buy_silver track=culture");
    hd_do(&p, 0, "remove card=red-1-02");
    hd_do(&p, 0, "remove card=yellow-1-09");
    HD_REFUSED(&p, 0, "buy_gold", "wrong_step");
    hd_do(&p, 0, "remove card=purple-1-03");
    STANDS(STAGE_FEED, BOTH, 17, 15 - 5);
    hd_do(&p, 0, "buy_gold");
    hd_do(&p, 0, "done");
    cr_assert_gt(p.events.count, 0);
    cr_assert_str_eq(hadara_rules.events[p.events.at[0].kind].name, "done");
    HD_IS(p.events.at[0].seat, 0);
    STANDS(STAGE_FEED, BEN, 17 - 7, 10);
    hd_do(&p, 1, "done");
    STANDS(STAGE_WHEEL, BEN, 10, 10);
    HD_IS(hd_of(&p)->epoch, 2);
}

/* ---- who begins ------------------------------------------------------------ */

/* Three who can take a colony and carve a statue; the second lowest initiative
 * is that of seat 2. */
static void start_of_three(void)
{
    hd_start(&p, &(struct hd_table){
                     .seats = 3,
                     .stage = STAGE_WHEEL,
                     .epoch = 2,
                     .player = {{.cards = "blue-1-01 blue-1-03 red-1-02",
                                 .initiative = 3},
                                {.cards = "blue-1-04 blue-1-05 red-1-10",
                                 .initiative = 1},
                                {.cards = "blue-1-06 blue-1-08 red-1-04",
                                 .initiative = 2}},
                 });
}

static void all_pass_from_seat_2(enum hadara_stage stage)
{
    static const int order[] = {2, 0, 1};

    for (size_t i = 0; i < COUNT_OF(order); i++) {
        HD_IS(hd_of(&p)->stage, stage);
        HD_IS(p.any.state.acting, RULES_BIT(order[i]));
        hd_do(&p, order[i], "pass");
    }
}

/* Phase A 4 and 5, phase B 2: after either phase there is a colony step and
 * then a statue step, and both begin with the epoch's first player. */
Test(hadara_epoch, colony_and_statue_begin_with_the_first_player)
{
    start_of_three();
    HD_IS(p.any.state.acting, RULES_BIT(2));
    hd_until(&p, STAGE_COLONY);
    HD_IS(hd_of(&p)->phase, 0);
    all_pass_from_seat_2(STAGE_COLONY);
    all_pass_from_seat_2(STAGE_STATUE);
    HD_IS(hd_of(&p)->stage, STAGE_TAKE);
    HD_IS(p.any.state.acting, RULES_BIT(2));
    hd_until(&p, STAGE_COLONY);
    HD_IS(hd_of(&p)->phase, 1);
    all_pass_from_seat_2(STAGE_COLONY);
    all_pass_from_seat_2(STAGE_STATUE);
    HD_IS(hd_of(&p)->stage, STAGE_FEED);
}

/* 4: levels in any order: the highest one first, and the lower ones after. */
Test(hadara_epoch, level_5_first)
{
    struct hd_table t = {
        .seats = 5,
        .stage = STAGE_COLONY,
        .epoch = 3,
        .player = {{.cards = "red-3-01 red-3-02 red-3-03 red-3-05 red-3-06 "
                             "red-2-06 red-2-02",
                    .coins = 4,
                    .initiative = 3},
                   {.initiative = 1},
                   {.initiative = 2}},
    };
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 31);
    hd_do(&p, 0, "take_colony level=5 mode=integrate");
    HD_IS(hd_coins(&p, 0), 0);
    t.player[0].colonies = "5";
    hd_start(&p, &t);
    for (int level = 1; level <= 4; level++) {
        char text[] = "take_colony level=1 mode=plunder";
        text[18] = (char)('0' + level);
        HD_LEGAL(&p, 0, text);
    }
    HD_REFUSED(&p, 0, "take_colony level=5 mode=plunder", "level_taken");
}

/* ---- income, sales, discards ----------------------------------------------- */

/* 3: income is paid in the third epoch as in the others, after both phases. */
Test(hadara_epoch, income_in_epoch_3)
{
    hd_start(&p, &(struct hd_table){.stage = STAGE_WHEEL, .epoch = 3});
    hd_until(&p, STAGE_TAKE);
    STANDS(STAGE_TAKE, ANA, 5 * 4 + 3, 5 * 4 + 2); /* five sales, and income */
    hd_until(&p, STAGE_FEED);
    STANDS(STAGE_FEED, BOTH, 23 + 5 * 4 + 3, 22 + 5 * 4 + 2);
}

/* sell_bonus: whenever one sells a card, in phase B as in A. */
Test(hadara_epoch, sell_bonus_in_phase_b)
{
    hd_start(&p, &(struct hd_table){
                     .stage = STAGE_TAKE,
                     .player = {{.cards = "purple-1-09"}, {.coins = 0}},
                 });
    hd_do(&p, 0, "take color=red keep=sell");
    HD_IS(hd_coins(&p, 0), 2 + 1);
    hd_do(&p, 1, "take color=red keep=sell");
    HD_IS(hd_coins(&p, 1), 2);
}

/* 2: a discarded card goes on top of its pile, and is the first to be taken
 * off it again. */
Test(hadara_epoch, discards_lie_on_top)
{
    phase_a();
    HD_IS(hd_of(&p)->pile[HUE_YELLOW][0], hd_card("yellow-1-02"));
    HD_IS(hd_of(&p)->pile[HUE_YELLOW][1], hd_card("yellow-1-09"));
    hd_do(&p, 0, "take color=yellow keep=buy");
    cr_assert(hd_owns(&p, 0, "yellow-1-09"));
    HD_IS(hd_of(&p)->piles[HUE_YELLOW], 1);
}

/* ---- feeding and medals ------------------------------------------------------ */

#define HUNGRY "blue-1-01 blue-1-04 red-1-01 red-1-02 red-1-03" /* food 4 */

/* The last statue step of an epoch: only seat 0, who is hungry, can carve.
 * Seat 1 owns RICH and so many coins; seat 2 has four cards and food 3. */
static void end_phase_b(int epoch, const char *rich, int coins)
{
    hd_start(&p, &(struct hd_table){
                     .seats = 3,
                     .advanced = true,
                     .stage = STAGE_STATUE,
                     .epoch = epoch,
                     .phase = 1,
                     .player = {{.cards = HUNGRY},
                                {.cards = rich, .coins = coins},
                                {.cards = "yellow-1-01 yellow-1-02 "
                                          "yellow-1-03 yellow-1-04"}},
                 });
    hd_do(&p, 0, "pass");
    HD_IS(hd_of(&p)->stage, STAGE_FEED);
}

/* 3, [D9] [D10]: all who are hungry are asked at once, even without a coin; who
 * is fed and can buy nothing is not. */
Test(hadara_epoch, all_the_hungry_are_asked)
{
    end_phase_b(2, "", 0);
    HD_IS(p.any.state.acting, RULES_BIT(0) | RULES_BIT(2));
    hd_do(&p, 2, "remove card=yellow-1-01");
    HD_IS(p.any.state.acting, RULES_BIT(0));
    hd_do(&p, 0, "remove card=red-1-01");
    HD_IS(hd_of(&p)->epoch, 3);
    HD_IS(hd_of(&p)->stage, STAGE_WHEEL);
}

/* 3 and 4: in epoch III, too, people are fed and medals bought before the game
 * is over. */
Test(hadara_epoch, feeding_and_medals_in_epoch_3)
{
    end_phase_b(3, "", 21);
    HD_IS(p.any.state.acting, 7);
    hd_do(&p, 1, "buy_gold");
    HD_IS(hd_coins(&p, 1), 0);
    hd_do(&p, 1, "done");
    hd_do(&p, 0, "remove card=red-1-01");
    cr_assert(!rules_over(&p.any.state));
    hd_do(&p, 2, "remove card=yellow-1-01");
    cr_assert(rules_over(&p.any.state));
}

/* food_surplus_coins: of epoch II, and at work in III: food 4, one card. */
Test(hadara_epoch, food_surplus_in_epoch_3)
{
    for (int epoch = 2; epoch <= 3; epoch++) {
        end_phase_b(epoch, "purple-2-12", 1);
        HD_IS(hd_coins(&p, 1), 1 + 3 * (4 - 1));
    }
}
