/* test_hadara_feed.c -- Hadara, the rules' chapter An epoch, feeding and
 * medals, each at their own pace [D9], and how epochs and the game end. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static const struct rules *const R = &hadara_rules;
static struct hd p;

/* A table of five about to feed; seat 0 has side A of card 2: food 4. */
static struct hd_table feeding(int epoch, const char *cards, int coins)
{
    return (struct hd_table){
        .seats = 5,
        .stage = STAGE_FEED,
        .epoch = epoch,
        .player = {{.cards = cards, .coins = coins, .initiative = 2},
                   {.coins = 40, .initiative = 1},
                   {.coins = 40},
                   {.coins = 40},
                   {.coins = 40}},
    };
}

static void start(int epoch, const char *cards, int coins)
{
    struct hd_table t = feeding(epoch, cards, coins);
    hd_start(&p, &t);
}

/* The same a move earlier, so that feeding is begun by play. */
static void start_before(int epoch, const char *cards, int coins)
{
    struct hd_table t = feeding(epoch, cards, coins);
    t.stage = STAGE_STATUE;
    t.phase = 1;
    hd_start(&p, &t);
    hd_do(&p, 0, "pass");
}

static int to_remove(int seat)
{
    int n = hadara_excess(hd_of(&p), &hd_of(&p)->player[seat]);
    return n > 0 ? n : 0;
}

#define SIX_FOOD_7 "green-1-08 red-1-01 red-1-02 red-1-03 red-1-04 red-1-05 "
#define NINE_FOOD  "green-1-03 green-1-08 "

/* ---- feeding ---------------------------------------------------------- */

/* Worked example: feeding 9 food, 6 cards: nothing. */
Test(hadara_feed, enough_food)
{
    start_before(2, NINE_FOOD "red-1-01 red-1-02 red-1-03 red-1-04", 0);
    HD_IS(hd_track(&p, 0, TRACK_FOOD), 9);
    HD_IS(hd_of(&p)->stage, STAGE_FEED);
    cr_assert(!hd_acts(&p, 0));
    HD_IS(hd_of(&p)->player[0].cards, 6);
}

/* Worked example: 6 food, 7 cards: remove 1; one with income 1, military 1:
 * both - 1, coins unchanged. */
Test(hadara_feed, one_too_many)
{
    start(2, SIX_FOOD_7 "yellow-1-08", 3);
    HD_IS(hd_track(&p, 0, TRACK_FOOD), 6);
    HD_IS(to_remove(0), 1);
    int military = hd_track(&p, 0, TRACK_MILITARY);
    hd_do(&p, 0, "remove card=yellow-1-08");
    HD_IS(hd_track(&p, 0, TRACK_INCOME), 2);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), military - 1);
    HD_IS(hd_coins(&p, 0), 3);
    HD_IS(hd_of(&p)->player[0].cards, 6);
    cr_assert(!hd_acts(&p, 0));
}

/* Worked example, [D7]: 6 food, 7 cards, the removed one had food 1: 5 food, 6
 * cards, remove another. */
Test(hadara_feed, food_removed)
{
    start(2,
          "blue-1-03 blue-2-05 red-1-02 red-1-03 red-1-04 red-1-05 "
          "red-1-06",
          0);
    HD_IS(hd_track(&p, 0, TRACK_FOOD), 6);
    HD_IS(to_remove(0), 1);
    hd_do(&p, 0, "remove card=blue-1-03");
    HD_IS(hd_track(&p, 0, TRACK_FOOD), 5);
    HD_IS(to_remove(0), 1);
    cr_assert(hd_acts(&p, 0));
    hd_do(&p, 0, "remove card=red-1-02");
    HD_IS(to_remove(0), 0);
}

/* 3: the refusals of remove and pay_feed; medals and done only when fed. */
Test(hadara_feed, refusals)
{
    start(2, SIX_FOOD_7 "yellow-1-08", 30);
    HD_REFUSED(&p, 0, "remove card=yellow-1-01", "not_your_card");
    HD_REFUSED(&p, 0, "remove card=red-9-01", "bad_argument");
    HD_REFUSED(&p, 0, "pay_feed cards=1", "no_such_effect");
    HD_REFUSED(&p, 0, "buy_gold", "wrong_step");
    HD_REFUSED(&p, 0, "buy_silver track=food", "wrong_step");
    HD_REFUSED(&p, 0, "done", "wrong_step");
    HD_IS(hd_legal(&p, 0, -1), 7);
    hd_do(&p, 0, "remove card=red-1-02");
    HD_REFUSED(&p, 0, "remove card=red-1-01", "wrong_step");
    HD_REFUSED(&p, 0, "pay_feed cards=1", "no_such_effect");
    HD_LEGAL(&p, 0, "done");
}

/* Removed cards leave the game, seen by all. */
Test(hadara_feed, removed_cards_are_gone)
{
    start(2, SIX_FOOD_7 "yellow-1-08", 0);
    hd_do(&p, 0, "remove card=red-1-04");
    bool gone = false;
    for (int i = 0; i < hd_of(&p)->gones[0]; i++)
        gone |= hd_of(&p)->gone[0][i] == hd_card("red-1-04");
    cr_assert(gone);
}

/* Default move: remove the card with the fewest points, then the lowest id. */
Test(hadara_feed, default_removal)
{
    struct rules_move move;
    start(2, "red-1-01 yellow-1-09 red-1-08 blue-1-09 red-1-06 red-1-07", 0);
    rules_default_move(R, &p.any.state, 0, &move);
    HD_IS(move.verb, REMOVE);
    HD_IS(move.arg[0], hd_card("blue-1-09"));
    start(2, "", 40);
    rules_default_move(R, &p.any.state, 0, &move);
    HD_IS(move.verb, DONE);
}

/* Worked example: feed_with_coins, 9 food, 11 cards: pay 4 and remove none, or
 * pay 2 and remove 1. */
Test(hadara_feed, feed_with_coins)
{
    struct hd_table t =
        feeding(2,
                NINE_FOOD
                "red-1-01 red-1-02 red-1-03 "
                "red-1-04 red-1-05 red-1-06 red-1-07 red-1-08 purple-2-14",
                9);
    t.advanced = true;
    hd_start(&p, &t);
    HD_IS(to_remove(0), 2);
    HD_REFUSED(&p, 0, "pay_feed cards=3", "too_many");
    hd_of(&p)->player[0].coins = 3;
    HD_REFUSED(&p, 0, "pay_feed cards=2", "too_expensive");
    HD_LEGAL(&p, 0, "pay_feed cards=1");
    hd_of(&p)->player[0].coins = 9;
    hd_do(&p, 0, "pay_feed cards=2");
    HD_IS(hd_coins(&p, 0), 5);
    HD_IS(hd_of(&p)->player[0].cards, 11);
    HD_IS(to_remove(0), 0);
    hd_start(&p, &t);
    hd_do(&p, 0, "pay_feed cards=1");
    HD_IS(hd_coins(&p, 0), 7);
    HD_IS(to_remove(0), 1);
    hd_do(&p, 0, "remove card=red-1-01");
    HD_IS(to_remove(0), 0);
}

/* feed_with_coins: at most 6 cards (12 coins) each feeding; [D7] an effect
 * ends with its card, what was paid with it stays paid. */
Test(hadara_feed, six_cards_a_feeding)
{
    struct hd_table t = feeding(
        3,
        "red-1-01 red-1-02 red-1-03 red-1-04 "
        "red-1-05 red-1-06 red-1-07 red-1-08 red-1-09 red-1-10 red-2-01 "
        "purple-2-14",
        90);
    t.advanced = true;
    hd_start(&p, &t);
    HD_IS(to_remove(0), 8);
    HD_REFUSED(&p, 0, "pay_feed cards=7", "too_many");
    hd_do(&p, 0, "pay_feed cards=4");
    HD_REFUSED(&p, 0, "pay_feed cards=3", "too_many");
    HD_IS(to_remove(0), 4);
    hd_do(&p, 0, "remove card=purple-2-14");
    HD_REFUSED(&p, 0, "pay_feed cards=1", "no_such_effect");
    HD_IS(to_remove(0), 3);
    HD_IS(hd_coins(&p, 0), 82);
}

/* pay_feed comes as one choice with a range. */
Test(hadara_feed, range_of_payments)
{
    struct rules_choice choice[4];
    struct hd_table t =
        feeding(2,
                NINE_FOOD
                "red-1-01 red-1-02 red-1-03 "
                "red-1-04 red-1-05 red-1-06 red-1-07 red-1-08 purple-2-14",
                9);
    t.advanced = true;
    hd_start(&p, &t);
    HD_IS(rules_legal(R, &p.any.state, 0, PAY_FEED, choice, 4), 1);
    HD_IS(choice[0].min, 1);
    HD_IS(choice[0].max, 2);
}

/* Worked example: food_surplus_coins, 9 food: 6 cards + 9, 5 cards + 12, 4
 * cards + 12. */
Test(hadara_feed, food_surplus_coins)
{
    static const char *const cards[] = {
        NINE_FOOD "purple-2-12 red-1-01 red-1-02 red-1-03",
        NINE_FOOD "purple-2-12 red-1-01 red-1-02",
        NINE_FOOD "purple-2-12 red-1-01",
    };
    static const int coins[] = {9, 12, 12};
    for (int i = 0; i < 3; i++) {
        struct hd_table t = feeding(2, cards[i], 0);
        t.advanced = true;
        t.stage = STAGE_STATUE;
        t.phase = 1;
        t.turn = 0;
        hd_start(&p, &t);
        HD_IS(hd_track(&p, 0, TRACK_FOOD), 9);
        hd_do(&p, 0, "pass");
        HD_IS(hd_of(&p)->stage, STAGE_FEED);
        HD_IS(hd_coins(&p, 0), coins[i]);
        HD_IS(hd_coins(&p, 1), 40);
    }
}

/* ---- medals ----------------------------------------------------------- */

/* 4: prices by epoch. */
Test(hadara_feed, medals)
{
    static const int silver[] = {5, 10, 15}, gold[] = {7, 14, 21};
    for (int epoch = 1; epoch <= 3; epoch++) {
        start(epoch, "", 100);
        hd_do(&p, 0, "buy_silver track=military");
        HD_IS(hd_coins(&p, 0), 100 - silver[epoch - 1]);
        hd_do(&p, 0, "buy_gold");
        HD_IS(hd_coins(&p, 0), 100 - silver[epoch - 1] - gold[epoch - 1]);
        HD_IS(hadara_tiles(&hd_of(&p)->player[0], TRACK_MILITARY), 1);
        HD_TRACKS(&p, 0, 2, 1, 3, 4);
    }
}

/* [D21] At most 2 silver and 2 gold per player in the game, not in a phase: who
 * has them from earlier epochs buys none. */
Test(hadara_feed, two_medals_of_each_a_game)
{
    struct hd_table t = feeding(3, "", 200);
    t.player[0].silver = "income";
    t.player[0].golds = 1;
    hd_start(&p, &t);
    hd_do(&p, 0, "buy_silver track=food");
    hd_do(&p, 0, "buy_gold");
    HD_REFUSED(&p, 0, "buy_silver track=food", "too_many_medals");
    HD_REFUSED(&p, 0, "buy_gold", "too_many_medals");
    HD_LEGAL(&p, 0, "done");
}

/* The reduced prices, with medal_discount, in epochs II and III. */
Test(hadara_feed, medal_discount)
{
    start(2, "purple-2-10", 100);
    hd_do(&p, 0, "buy_silver track=military");
    hd_do(&p, 0, "buy_gold");
    HD_IS(hd_coins(&p, 0), 100 - 7 - 10);
    start(3, "purple-2-10", 100);
    hd_do(&p, 0, "buy_silver track=military");
    hd_do(&p, 0, "buy_gold");
    HD_IS(hd_coins(&p, 0), 100 - 10 - 14);
}

/* The refusals of medals, in this order: too_many_medals, no_tile,
 * too_expensive; [D8] both silver ones may be on the same track. */
Test(hadara_feed, refusals_of_medals)
{
    struct hd_table t = feeding(1, "", 12);
    t.player[0].statues = "1food";
    t.player[0].silver = "food";
    hd_start(&p, &t);
    HD_REFUSED(&p, 0, "buy_silver track=food", "no_tile");
    hd_do(&p, 0, "buy_silver track=military");
    HD_REFUSED(&p, 0, "buy_silver track=food", "too_many_medals");
    HD_REFUSED(&p, 0, "buy_silver track=income", "too_many_medals");
    hd_do(&p, 0, "buy_gold");
    HD_IS(hd_coins(&p, 0), 0);
    HD_REFUSED(&p, 0, "buy_gold", "too_expensive");
    t.player[0].golds = 2;
    hd_start(&p, &t);
    hd_of(&p)->player[0].coins = 4;
    HD_REFUSED(&p, 0, "buy_gold", "too_many_medals");
    HD_REFUSED(&p, 0, "buy_silver track=income", "too_expensive");
    HD_REFUSED(&p, 0, "buy_silver track=food", "no_tile");
    start(1, "", 10);
    hd_do(&p, 0, "buy_silver track=food");
    hd_do(&p, 0, "buy_silver track=food");
    HD_IS(hadara_tiles(&hd_of(&p)->player[0], TRACK_FOOD), 0);
}

/* ---- all at the same time --------------------------------------------- */

/* [D9] All act at the same time, in the open, each going on to their medals
 * without waiting; the epoch ends when all are done. */
Test(hadara_feed, at_ones_own_pace)
{
    struct hd_table t = feeding(1,
                                "red-1-01 red-1-02 red-1-03 red-1-04 "
                                "red-1-05",
                                30);
    t.player[1].cards = "blue-1-01 blue-1-02 blue-1-04 blue-1-06 blue-1-08";
    hd_start(&p, &t);
    HD_IS(p.any.state.acting, 31);
    HD_IS(p.any.state.may, 0);
    hd_do(&p, 3, "buy_gold");
    hd_do(&p, 0, "remove card=red-1-01");
    hd_do(&p, 0, "buy_gold");
    hd_do(&p, 1, "remove card=blue-1-01");
    hd_do(&p, 0, "done");
    hd_do(&p, 4, "done");
    HD_REFUSED(&p, 4, "buy_gold", "not_your_turn");
    hd_do(&p, 3, "done");
    hd_do(&p, 2, "done");
    HD_IS(hd_of(&p)->stage, STAGE_FEED);
    hd_do(&p, 1, "done");
    HD_IS(hd_of(&p)->stage, STAGE_WHEEL);
    HD_IS(hd_of(&p)->epoch, 2);
    cr_assert(hd_acts(&p, 0));
}

/* [D10] Who could only be done is skipped; after an own purchase `done` is
 * theirs to say. */
Test(hadara_feed, skipped_unless_he_bought)
{
    start(1, "red-1-01 red-1-02 red-1-03 red-1-04 red-1-05", 4);
    hd_do(&p, 0, "remove card=red-1-01");
    cr_assert(!hd_acts(&p, 0));
    start(1, "", 5);
    hd_do(&p, 0, "buy_silver track=food");
    HD_IS(hd_coins(&p, 0), 0);
    cr_assert(hd_acts(&p, 0));
    HD_IS(hd_legal(&p, 0, -1), 1);
    hd_do(&p, 0, "done");
}

/* [D10] No other move is made for a player, however forced: five cards and no
 * food take five moves. */
Test(hadara_feed, forced_removals_are_moves)
{
    struct hd_table t = feeding(1, "", 0);
    struct hadara_tables none = hadara_standard[0];
    memset(none.setup, 0, sizeof(none.setup));
    t.tables = &none;
    t.player[0].cards = "red-1-01 red-1-02 red-1-03";
    hd_start(&p, &t);
    hd_do(&p, 0, "remove card=red-1-01");
    hd_do(&p, 0, "remove card=red-1-02");
    cr_assert(hd_acts(&p, 0));
    hd_do(&p, 0, "remove card=red-1-03");
    HD_IS(hd_of(&p)->player[0].cards, 0);
    cr_assert(!hd_acts(&p, 0));
}

/* Undo: remove, pay_feed, purchases and done until the epoch's last done,
 * whatever others did. */
Test(hadara_feed, taking_back)
{
    start(1, "red-1-01 red-1-02 red-1-03 red-1-04 red-1-05", 30);
    hd_do(&p, 0, "remove card=red-1-01");
    hd_do(&p, 1, "buy_gold");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    cr_assert(hd_owns(&p, 0, "red-1-01"));
    HD_IS(hd_of(&p)->player[1].golds, 1);
    hd_do(&p, 0, "remove card=red-1-02");
    hd_do(&p, 0, "buy_gold");
    hd_do(&p, 0, "done");
    hd_do(&p, 1, "done");
    hd_do(&p, 2, "done");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    HD_IS(hd_of(&p)->player[0].golds, 0);
    hd_do(&p, 0, "done");
    hd_do(&p, 3, "done");
    hd_do(&p, 4, "done");
    HD_IS(hd_of(&p)->epoch, 2);
    cr_assert_str_eq(hd_undo(&p, 4), "final");
    cr_assert_str_eq(hd_undo(&p, 0), "others_moved");
}

/* After epoch III: final scoring, and the game is over; the events tell the
 * points. */
Test(hadara_feed, the_end)
{
    start(3, "blue-1-01", 40);
    for (int seat = 0; seat < 5; seat++)
        if (hd_acts(&p, seat))
            hd_do(&p, seat, "done");
    cr_assert(rules_over(&p.any.state));
    HD_IS(hd_of(&p)->stage, STAGE_OVER);
    HD_REFUSED(&p, 0, "done", "game_over");
    int scored = 0;
    for (int i = 0; i < p.events.count; i++)
        scored += strcmp(R->events[p.events.at[i].kind].name, "scored") == 0;
    HD_IS(scored, 5 * HADARA_PARTS);
}
