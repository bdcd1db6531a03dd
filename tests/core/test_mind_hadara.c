/* test_mind_hadara.c -- what playing Hadara well is made of: each weight does
 * what it says. */

#include <criterion/criterion.h>

#include "core/base.h"
#include "core/mind.h"
#include "tests/support/hadara_position.h"

static struct hd p;
static struct mind_room room;

/* Enough food for all the cards that are tried. */
#define FED "green-1-01 green-1-02 green-1-03 green-1-08 "

/* Seat 0 with CARDS, in the second epoch or at the last feeding. */
static void start(bool late, const char *cards)
{
    hd_start(&p, &(struct hd_table){
                     .seats = 5,
                     .advanced = true,
                     .stage = late ? STAGE_FEED : STAGE_COLONY,
                     .epoch = late ? 3 : 2,
                     .player = {{.cards = cards, .coins = 60},
                                {.coins = 60},
                                {.coins = 60},
                                {.coins = 60},
                                {.coins = 60}},
                 });
}

static int64_t judge(void)
{
    return mind_find(&hadara_rules)->judge(&p.any.state, 0);
}

/* What a bonus tile of TRACK, two steps on it, is worth. */
static int64_t tile_worth(bool late, int track, const char *cards)
{
    start(late, cards);
    struct hadara_player *seat = &hd_of(&p)->player[0];
    int64_t none = judge();

    for (int i = 0; i < seat->cards; i++)
        if (seat->card[i] == hd_card("purple-1-10"))
            seat->card_tile[i] = (uint8_t)track;
    return judge() - none;
}

/* A coin is a fifth of a point in the end, and more while it can buy. */
Test(mind_hadara, coins)
{
    int64_t gain[2];

    for (int late = 0; late < 2; late++) {
        start(late, FED);
        int64_t before = judge();
        hd_of(&p)->player[0].coins += 5;
        gain[late] = judge() - before;
    }
    cr_assert_lt(gain[1], MIND_POINT + 5);
    cr_assert_gt(gain[1], MIND_POINT - 10);
    cr_assert_gt(gain[0], 2 * gain[1]);
}

/* Income, military and culture are worth what they still bring, and at the end
 * nothing. */
Test(mind_hadara, tracks)
{
    static const int tracks[] = {TRACK_INCOME, TRACK_MILITARY, TRACK_CULTURE};

    for (size_t i = 0; i < COUNT_OF(tracks); i++) {
        cr_assert_gt(tile_worth(false, tracks[i], FED "purple-1-10"),
                     MIND_POINT / 2);
        cr_assert_eq(tile_worth(true, tracks[i], FED "purple-1-10"), 0);
    }
}

/* What greedy plays, the first word of it. */
static const char *greedy(int seat)
{
    struct mind mind = mind_of(&hadara_rules, MIND_GREEDY);
    struct rules_move move;
    union rules_any view;

    rules_view(&hadara_rules, &p.any.state, seat, &view.state);
    cr_assert(mind_choose(&mind, &view.state, &room, &move));
    return hadara_rules.verbs[move.verb].name;
}

/* The nearer a colony, the more a step towards it is worth; and one that can be
 * had is taken. */
Test(mind_hadara, colonies)
{
    int64_t far = tile_worth(false, TRACK_MILITARY, "purple-1-10");
    int64_t near = tile_worth(false, TRACK_MILITARY,
                              "purple-1-10 red-1-01 red-1-02");
    cr_assert_neq(far, near);
    start(false, FED "red-1-01 red-1-02");
    cr_assert_str_eq(greedy(0), "take_colony");
}

/* A statue that can be carved is carved. */
Test(mind_hadara, statues)
{
    start(false, FED "blue-1-01 blue-1-02 blue-1-03 blue-1-04");
    hd_of(&p)->stage = STAGE_STATUE;
    cr_assert_str_eq(greedy(0), "carve");
}

/* Food that is missing is dear, and what is there to spare worth little. */
Test(mind_hadara, food)
{
    int64_t hungry = tile_worth(false, TRACK_FOOD,
                                "purple-1-10 red-1-01 red-1-02 red-1-03 "
                                "red-1-04 red-1-05 red-1-06");
    int64_t fed = tile_worth(false, TRACK_FOOD, FED "purple-1-10");
    cr_assert_gt(hungry, 2 * fed);
    cr_assert_geq(fed, 0);
}

/* A card makes others of its colour cheaper, as long as there are others. */
Test(mind_hadara, colours)
{
    int64_t gain[2];

    for (int late = 0; late < 2; late++) {
        start(late, FED);
        int64_t none = judge();
        start(late, FED "purple-1-07"); /* 5 points and nothing else */
        gain[late] = judge() - none;
    }
    cr_assert_eq(gain[1], 5 * MIND_POINT);
    cr_assert_gt(gain[0], gain[1]);
}

/* Medals are worth what will be there in the end. */
Test(mind_hadara, medals)
{
    int64_t silver[2], gold[2];

    for (int late = 0; late < 2; late++) {
        start(late, FED);
        int64_t none = judge();
        hd_of(&p)->player[0].golds = 1;
        gold[late] = judge() - none;
        hd_of(&p)->player[0].golds = 0;
        hd_of(&p)->player[0].silver[0] = TRACK_FOOD;
        silver[late] = judge() - none;
    }
    cr_assert_eq(gold[1], 0, "there is no set of five");
    cr_assert_gt(gold[0], 7 * MIND_POINT);
    cr_assert_gt(silver[0], silver[1] + 3 * MIND_POINT);
    cr_assert_gt(silver[1], 0, "half the track");
}

/* What an effect will count is worth something before it is there. */
Test(mind_hadara, effects)
{
    static const char *const cards[] = {
        FED "purple-1-09",
        FED "purple-1-11",
        FED "purple-1-12",
        FED "purple-1-14",
    };
    for (size_t i = 0; i < COUNT_OF(cards); i++) {
        start(false, FED "purple-1-07");
        int64_t plain = judge() - 5 * MIND_POINT;
        start(false, cards[i]);
        cr_assert_gt(judge(), plain + MIND_POINT, "%s", cards[i]);
    }
}

/* A colony that is integrated and not turned yet is worth its backs' mean. */
Test(mind_hadara, a_back_is_expected)
{
    start(false, FED);
    struct hadara *h = hd_of(&p);
    h->player[0].colony[1] = MODE_INTEGRATE;
    int64_t front = judge();
    h->turn = 0;
    h->turning = 2;
    cr_assert_gt(judge(), front);
    h->turn = 1;
    cr_assert_eq(judge(), front, "another's");
}

/* A choice that shows nothing yet is judged by what it does to the own board: of
 * two cards the better one is kept, and bought if it can be. */
Test(mind_hadara, a_hidden_choice)
{
    struct mind mind = mind_of(&hadara_rules, MIND_GREEDY);
    struct rules_move move;
    union rules_any view;

    hd_new(&p, 2, false);
    hd_want(&p, "yellow-1-09 yellow-1-10");
    while (hd_of(&p)->stage != STAGE_CHOOSE) {
        int seat = __builtin_ctz(p.any.state.acting);
        hd_do(&p, seat, "set_wheel offset=0");
    }
    for (int seat = 0; seat < 2; seat++) {
        const struct hadara_player *drew = &hd_of(&p)->player[seat];
        int64_t keep[2];
        rules_view(&hadara_rules, &p.any.state, seat, &view.state);
        cr_assert(mind_choose(&mind, &view.state, &room, &move));
        cr_assert_eq(move.verb, CHOOSE);
        for (int i = 0; i < 2; i++)
            keep[i] = mind_worth(&mind, &view.state,
                                 &RULES_MOVE(CHOOSE, drew->drawn[i], KEEP_BUY,
                                             RULES_NONE),
                                 false, &room);
        if (move.arg[1] == KEEP_BUY)
            cr_assert_eq(move.arg[0], drew->drawn[keep[1] > keep[0]]);
    }
}
