/* test_hadara_board.c -- Hadara, the rules' chapter An epoch, colonies and
 * statues: requirements, plunder and integration, bonus tiles, whose turn it
 * is, who is skipped. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static const struct rules *const R = &hadara_rules;
static struct hd p;

/* Military 3 x 4 + 2 x 3 + 1 (setup card) = 19. */
#define MILITARY_19 "red-2-06 red-3-01 red-3-02 red-1-01 red-1-03"
#define CULTURE_13  "blue-3-06 blue-3-07 blue-1-02"

static struct hd_table colony(const char *cards, int coins)
{
    return (struct hd_table){
        .seats = 5,
        .stage = STAGE_COLONY,
        .epoch = 3,
        .player = {{.cards = cards, .coins = coins, .initiative = 2},
                   {.initiative = 1}},
    };
}

static void start_colony(const char *cards, int coins)
{
    struct hd_table t = colony(cards, coins);
    hd_start(&p, &t);
}

/* ---- colonies --------------------------------------------------------- */

/* Worked example: level 1: requirement 3, plunder 3, integrate 1, front 2
 * points; copy 3's back income 1, military 1. */
Test(hadara_board, level_1)
{
    start_colony("red-1-04", 5);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 3);
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    HD_IS(hd_coins(&p, 0), 8);
    HD_IS(hd_part(&p, 0, PART_COLONIES), 2);
    HD_TRACKS(&p, 0, 2, 3, 3, 4);
    start_colony("red-1-04", 5);
    p.want_copy = 3;
    hd_do(&p, 0, "take_colony level=1 mode=integrate");
    HD_IS(hd_coins(&p, 0), 4);
    HD_TRACKS(&p, 0, 3, 4, 3, 4);
    HD_IS(hd_part(&p, 0, PART_COLONIES), 2);
}

/* Worked example: military 19, level 3 (15): plunder + 5 coins, 8 points. */
Test(hadara_board, level_3_plundered)
{
    start_colony(MILITARY_19, 0);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 19);
    hd_do(&p, 0, "take_colony level=3 mode=plunder");
    HD_IS(hd_coins(&p, 0), 5);
    HD_IS(hd_part(&p, 0, PART_COLONIES), 8);
}

/* Worked example: military 12, level 2 (9) copy 4: - 1 coin, military 14,
 * culture + 1, 5 points. */
Test(hadara_board, level_2_integrated)
{
    start_colony("red-2-06 red-3-01 red-1-01", 6);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 12);
    p.want_copy = 4;
    hd_do(&p, 0, "take_colony level=2 mode=integrate");
    HD_IS(hd_coins(&p, 0), 5);
    HD_TRACKS(&p, 0, 2, 14, 4, 4);
    HD_IS(hd_part(&p, 0, PART_COLONIES), 5);
}

/* 4: the back's points count instead of the front's; before it is seen, those
 * of the front. */
Test(hadara_board, points_of_the_back)
{
    struct rules_events events;
    struct rules_move move = RULES_MOVE(TAKE_COLONY, 1, MODE_INTEGRATE,
                                        RULES_NONE);
    start_colony("red-1-04", 5);
    cr_assert_eq(rules_apply(R, &p.any.state, 0, &move, &events), RULES_OK);
    HD_IS(hd_part(&p, 0, PART_COLONIES), 2);
    HD_IS(p.any.state.acting, RULES_BIT(RULES_NATURE));
    cr_assert(events.flags & RULES_DREW);
    move = RULES_MOVE(NATURE_COLONY, 1, 4, RULES_NONE);
    cr_assert_eq(rules_apply(R, &p.any.state, RULES_NATURE, &move, &events),
                 RULES_OK);
    HD_IS(hd_part(&p, 0, PART_COLONIES), 7);
}

/* Taking a colony is refused in this order: level_taken, too_weak,
 * too_expensive, wrong_payment. */
Test(hadara_board, refusals_of_take_colony)
{
    struct hd_table t = colony("red-1-04", 0);
    t.player[0].colonies = "2";
    hd_start(&p, &t);
    HD_REFUSED(&p, 0, "take_colony level=2 mode=integrate", "level_taken");
    HD_REFUSED(&p, 0, "take_colony level=3 mode=integrate pay=3", "too_weak");
    HD_REFUSED(&p, 0, "take_colony level=1 mode=integrate pay=3",
               "too_expensive");
    HD_REFUSED(&p, 0, "take_colony level=1 mode=plunder pay=3",
               "too_expensive");
    hd_of(&p)->player[0].coins = 9;
    HD_REFUSED(&p, 0, "take_colony level=1 mode=plunder pay=3",
               "wrong_payment");
    HD_LEGAL(&p, 0, "take_colony level=1 mode=plunder pay=0");
    HD_LEGAL(&p, 0, "take_colony level=1 mode=integrate");
    HD_REFUSED(&p, 0, "take_colony level=6 mode=plunder", "bad_argument");
    HD_REFUSED(&p, 0, "carve statue=1 tile=food face=up", "wrong_step");
    HD_REFUSED(&p, 0, "done", "wrong_step");
    HD_REFUSED(&p, 1, "pass", "not_your_turn");
}

/* 4: one per step; levels in any order; one per level and game. */
Test(hadara_board, one_colony_a_step)
{
    start_colony(MILITARY_19, 9);
    hd_do(&p, 0, "take_colony level=3 mode=plunder");
    cr_assert(hd_of(&p)->stage != STAGE_COLONY || hd_of(&p)->turn != 0);
    struct hd_table t = colony(MILITARY_19, 9);
    t.player[0].colonies = "3";
    hd_start(&p, &t);
    HD_REFUSED(&p, 0, "take_colony level=3 mode=plunder", "level_taken");
    HD_LEGAL(&p, 0, "take_colony level=1 mode=plunder");
}

/* 4: never lost, even if military falls. */
Test(hadara_board, colonies_stay)
{
    hd_start(&p,
             &(struct hd_table){
                 .seats = 2,
                 .stage = STAGE_FEED,
                 .epoch = 2,
                 .player =
                     {{.cards = "red-1-01 red-1-02 red-1-03 red-1-04 red-2-01",
                       .colonies = "1 2/4"}},
             });
    int points = hd_part(&p, 0, PART_COLONIES);
    hd_do(&p, 0, "remove card=red-2-01");
    hd_until(&p, STAGE_WHEEL);
    HD_IS(hd_part(&p, 0, PART_COLONIES), points);
}

/* 4, from the first player clockwise; [D10] who could only pass is skipped,
 * nobody else is. */
Test(hadara_board, whose_turn_it_is)
{
    struct hd_table t = colony("red-1-04", 0);
    t.player[3].cards = "red-1-05 red-1-01";
    t.player[4].cards = "red-2-06 red-2-02";
    t.turn = 3;
    hd_start(&p, &t); /* first player of epoch III: seat 2 */
    HD_IS(hadara_first(hd_of(&p), 3), 2);
    hd_do(&p, 3, "pass");
    cr_assert(hd_acts(&p, 4));
    hd_do(&p, 4, "take_colony level=1 mode=plunder");
    cr_assert(hd_acts(&p, 0)); /* 1 and 2 are too weak; 2 began */
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    cr_assert_neq(hd_of(&p)->stage, STAGE_COLONY);
}

/* Undo: pass until another player has moved, never past an integration. */
Test(hadara_board, taking_colonies_back)
{
    struct hd_table t = colony("red-1-04", 5);
    t.player[1].cards = "red-1-05 red-1-01";
    hd_start(&p, &t);
    hd_do(&p, 0, "pass");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    hd_do(&p, 0, "pass");
    hd_do(&p, 1, "pass");
    cr_assert_str_eq(hd_undo(&p, 0), "others_moved");
    hd_start(&p, &t);
    hd_do(&p, 0, "take_colony level=1 mode=integrate");
    cr_assert_str_eq(hd_undo(&p, 0), "drawn");
}

/* [D20] Plunder is final, even before anybody else has moved. */
Test(hadara_board, plunder_is_final)
{
    start_colony("red-1-04", 5);
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    cr_assert_str_eq(hd_undo(&p, 0), "final");
    HD_IS(hd_of(&p)->player[0].colony[0], MODE_PLUNDER);
}

/* [D20] ... and what was done after it, like a statue in the same turn, can be
 * taken back down to it and no further. */
Test(hadara_board, nothing_is_taken_back_past_plunder)
{
    start_colony("red-1-04 " CULTURE_13, 5);
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    hd_do(&p, 0, "carve statue=1 tile=food face=up");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    HD_IS(hd_of(&p)->player[0].statue_tile[0], HADARA_NOTHING);
    cr_assert_str_eq(hd_undo(&p, 0), "final");
}

/* [D20] Tables of revision 1 keep the right they had: plunder until another
 * player has moved, and with it all that came of it. */
Test(hadara_board, plunder_before_it_was_final)
{
    struct hd_table t = colony("red-1-04", 5);
    t.revision = 1;
    t.player[1].cards = "red-1-05 red-1-01";
    hd_start(&p, &t);
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    HD_IS(hd_of(&p)->player[0].colony[0], HADARA_NOTHING);
    HD_IS(hd_coins(&p, 0), 5);
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    hd_do(&p, 1, "pass");
    cr_assert_str_eq(hd_undo(&p, 0), "others_moved");
}

/* Secrets: no two players turn the same colony; a plundered one's back is
 * never seen. */
Test(hadara_board, backs_are_drawn_once)
{
    struct hd_table t = colony("red-1-04", 5);
    t.player[1].colonies = "1/1";
    t.player[2].colonies = "1/2";
    t.player[3].colonies = "1/5";
    t.player[4].colonies = "1";
    int seen[6] = {0};
    for (int i = 0; i < 40; i++) {
        hd_start(&p, &t);
        for (int n = 0; n < i; n++)
            rng_next(&p.rng);
        hd_do(&p, 0, "take_colony level=1 mode=integrate");
        seen[hd_of(&p)->player[0].copy[0]]++;
    }
    HD_IS(seen[1] + seen[2] + seen[5], 0);
    cr_assert(seen[3] > 0 && seen[4] > 0);
    HD_IS(hd_of(&p)->player[4].copy[0], HADARA_NOTHING);
}

/* ---- statues ---------------------------------------------------------- */

static struct hd_table statue(const char *cards)
{
    struct hd_table t = colony(cards, 0);
    t.stage = STAGE_STATUE;
    return t;
}

static void start_statue(const char *cards)
{
    struct hd_table t = statue(cards);
    hd_start(&p, &t);
}

#define CULTURE_20 CULTURE_13 " blue-3-01 blue-3-03 blue-1-03"

/* Worked example: statue 1: 6 culture, 4 points. */
Test(hadara_board, statue_1)
{
    start_statue("blue-2-01");
    HD_IS(hd_track(&p, 0, TRACK_CULTURE), 6);
    hd_do(&p, 0, "carve statue=1 tile=food face=up");
    HD_IS(hd_part(&p, 0, PART_STATUES), 4);
    HD_TRACKS(&p, 0, 2, 1, 6, 6);
}

/* Worked example: culture 13, statue 2 (12), yellow up: income + 3, 8
 * points. */
Test(hadara_board, statue_2)
{
    start_statue(CULTURE_13);
    HD_IS(hd_track(&p, 0, TRACK_CULTURE), 13);
    hd_do(&p, 0, "carve statue=2 tile=income face=up");
    HD_IS(hd_track(&p, 0, TRACK_INCOME), 5);
    HD_IS(hd_part(&p, 0, PART_STATUES), 8);
    HD_IS(hadara_tiles(&hd_of(&p)->player[0], TRACK_INCOME), 1);
}

/* Worked example: culture 20, statue 3 (20), red as points: 14 + 4 = 18
 * points, military unchanged. */
Test(hadara_board, statue_3)
{
    start_statue(CULTURE_20);
    HD_IS(hd_track(&p, 0, TRACK_CULTURE), 20);
    int military = hd_track(&p, 0, TRACK_MILITARY);
    hd_do(&p, 0, "carve statue=3 tile=military face=points");
    HD_IS(hd_part(&p, 0, PART_STATUES), 18);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), military);
    HD_IS(hadara_tiles(&hd_of(&p)->player[0], TRACK_MILITARY), 1);
}

/* Carving is refused in this order: statue_carved, too_uncultured, no_tile,
 * too_expensive, wrong_payment. */
Test(hadara_board, refusals_of_carve)
{
    struct hd_table t = statue("blue-2-01 blue-2-02 blue-2-07");
    t.player[0].statues = "1food";
    t.player[0].silver = "food";
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_CULTURE), 12);
    HD_REFUSED(&p, 0, "carve statue=1 tile=food face=up", "statue_carved");
    HD_REFUSED(&p, 0, "carve statue=3 tile=food face=up pay=24",
               "too_uncultured");
    HD_REFUSED(&p, 0, "carve statue=2 tile=food face=up pay=3", "no_tile");
    HD_REFUSED(&p, 0, "carve statue=2 tile=income face=up pay=3",
               "too_expensive");
    hd_of(&p)->player[0].coins = 3;
    HD_REFUSED(&p, 0, "carve statue=2 tile=income face=up pay=3",
               "wrong_payment");
    HD_LEGAL(&p, 0, "carve statue=2 tile=income face=points pay=0");
    HD_REFUSED(&p, 0, "carve statue=2 face=points", "bad_argument");
    HD_REFUSED(&p, 0, "take_colony level=1 mode=plunder", "wrong_step");
}

/* 5: one per step, each once per player; [D10] who can carve none is
 * skipped, and then phase B begins. */
Test(hadara_board, one_statue_a_step)
{
    start_statue(CULTURE_13);
    hd_do(&p, 0, "carve statue=2 tile=income face=up");
    HD_IS(hd_of(&p)->stage, STAGE_TAKE);
    HD_IS(hd_of(&p)->phase, 1);
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    HD_IS(hd_of(&p)->stage, STAGE_STATUE);
    hd_do(&p, 0, "pass");
    HD_IS(hd_of(&p)->stage, STAGE_TAKE);
}

/* Undo: carve until another player has moved; [D20] that takes the whole statue
 * back, its tile included. */
Test(hadara_board, carving_taken_back)
{
    struct hd_table t = statue(CULTURE_13);
    t.player[1].cards = "blue-2-06 blue-2-07 blue-1-03";
    hd_start(&p, &t);
    hd_do(&p, 0, "carve statue=1 tile=food face=up");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    HD_IS(hd_of(&p)->player[0].statue_tile[0], HADARA_NOTHING);
    hd_do(&p, 0, "carve statue=1 tile=food face=up");
    hd_do(&p, 1, "carve statue=1 tile=food face=points");
    cr_assert_str_eq(hd_undo(&p, 0), "others_moved");
    cr_assert_str_eq(hd_undo(&p, 1), "yes");
}

/* ---- effects ---------------------------------------------------------- */

/* colony_coins: + 4 whenever one takes a colony, either way; [D12] before the
 * integration cost, which they may pay. */
Test(hadara_board, colony_coins)
{
    start_colony(MILITARY_19 " purple-2-09", 0);
    hd_do(&p, 0, "take_colony level=3 mode=plunder");
    HD_IS(hd_coins(&p, 0), 5 + 4);
    start_colony(MILITARY_19 " purple-2-09", 0);
    hd_do(&p, 0, "take_colony level=3 mode=integrate");
    HD_IS(hd_coins(&p, 0), 4 - 2);
}

/* requirement_minus_4: colony and statue requirements 4 lower. */
Test(hadara_board, requirement_minus_4)
{
    struct hd_table t = colony("red-2-06 purple-3-11", 0);
    t.advanced = true;
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 5);
    HD_LEGAL(&p, 0, "take_colony level=2 mode=plunder");
    HD_REFUSED(&p, 0, "take_colony level=3 mode=plunder", "too_weak");
    t.stage = STAGE_STATUE;
    t.player[0].cards = "blue-2-01 blue-1-04 purple-3-11";
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_CULTURE), 8);
    HD_LEGAL(&p, 0, "carve statue=2 tile=food face=up");
}

static struct hd_table paying(const char *cards, int coins)
{
    struct hd_table t = colony(cards, coins);
    t.advanced = true;
    return t;
}

/* Worked example: pay_requirement, military 14, level 3: pay 3. [D16] exactly
 * 3 x what is lacking, 0 if nothing is. */
Test(hadara_board, pay_requirement)
{
    struct hd_table t = paying("red-2-06 red-3-01 red-1-01 red-1-04 "
                               "purple-3-14",
                               10);
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 14);
    HD_REFUSED(&p, 0, "take_colony level=3 mode=plunder", "wrong_payment");
    HD_REFUSED(&p, 0, "take_colony level=3 mode=plunder pay=0",
               "wrong_payment");
    HD_REFUSED(&p, 0, "take_colony level=3 mode=plunder pay=6",
               "wrong_payment");
    HD_REFUSED(&p, 0, "take_colony level=2 mode=plunder pay=3",
               "wrong_payment");
    hd_do(&p, 0, "take_colony level=3 mode=plunder pay=3");
    HD_IS(hd_coins(&p, 0), 10 - 3 + 5);
}

/* [D16] Paid first, so plunder and colony_coins cannot pay it; they do pay the
 * integration that follows. */
Test(hadara_board, payment_comes_first)
{
    struct hd_table t = paying("red-2-06 red-3-01 red-1-01 red-1-04 "
                               "purple-3-14 purple-2-09",
                               2);
    hd_start(&p, &t);
    HD_REFUSED(&p, 0, "take_colony level=3 mode=plunder pay=3",
               "too_expensive");
    hd_of(&p)->player[0].coins = 3;
    hd_do(&p, 0, "take_colony level=3 mode=integrate pay=3");
    HD_IS(hd_coins(&p, 0), 3 - 3 + 4 - 2);
}

/* [D16] After requirement_minus_4. */
Test(hadara_board, payment_after_minus_4)
{
    struct hd_table t = paying("red-2-06 red-3-01 purple-3-14 purple-3-11",
                               30);
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 9);
    HD_LEGAL(&p, 0, "take_colony level=3 mode=plunder pay=6");
}

/* [D16] At most 30 coins per phase, colony and statue steps together. */
Test(hadara_board, payment_limit)
{
    struct hd_table t = paying("red-2-06 purple-3-14 blue-2-02", 99);
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 5);
    HD_IS(hd_track(&p, 0, TRACK_CULTURE), 6);
    HD_REFUSED(&p, 0, "take_colony level=4 mode=plunder pay=48",
               "payment_limit");
    hd_do(&p, 0, "take_colony level=3 mode=plunder pay=30");
    HD_IS(hd_of(&p)->stage, STAGE_STATUE);
    HD_IS(hd_of(&p)->player[0].paid, 30);
    HD_REFUSED(&p, 0, "carve statue=2 tile=food face=up pay=18",
               "payment_limit");
    HD_LEGAL(&p, 0, "carve statue=1 tile=food face=up");
    hd_do(&p, 0, "pass");
    HD_IS(hd_of(&p)->player[0].paid, 0);
}

/* [D16] What was paid for a colony leaves less for a statue. */
Test(hadara_board, payment_limit_of_both_steps)
{
    struct hd_table t = paying("red-2-06 purple-3-14 blue-2-02", 99);
    hd_start(&p, &t);
    hd_do(&p, 0, "take_colony level=2 mode=plunder pay=12");
    hd_do(&p, 0, "carve statue=2 tile=food face=up pay=18");
    HD_IS(hd_part(&p, 0, PART_STATUES), 8);
}

/* double_step: twice in each step; [D15] both in its own place, the second
 * with all the first brought; still one per level. */
Test(hadara_board, double_step)
{
    struct hd_table t = paying("red-2-06 purple-3-13", 5);
    t.player[1].cards = "red-1-05 red-1-03";
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 5);
    HD_REFUSED(&p, 0, "take_colony level=2 mode=plunder", "too_weak");
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    cr_assert(hd_acts(&p, 1)); /* could only pass in the second */
    t.player[0].cards = "red-2-06 red-1-01 purple-3-13";
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 8);
    p.want_copy = 3; /* military + 1 */
    hd_do(&p, 0, "take_colony level=1 mode=integrate");
    cr_assert(hd_acts(&p, 0));
    HD_IS(hd_of(&p)->again, 1);
    HD_REFUSED(&p, 0, "take_colony level=1 mode=plunder", "level_taken");
    hd_do(&p, 0, "take_colony level=2 mode=plunder");
    cr_assert(hd_acts(&p, 1));
}

/* [D15] pass ends both; a third action there is not. */
Test(hadara_board, pass_ends_both_steps)
{
    struct hd_table t = paying(MILITARY_19 " purple-3-13", 5);
    t.player[1].cards = "red-1-04 red-2-01";
    hd_start(&p, &t);
    hd_do(&p, 0, "pass");
    cr_assert(hd_acts(&p, 1));
    hd_start(&p, &t);
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    hd_do(&p, 0, "take_colony level=2 mode=plunder");
    cr_assert(hd_acts(&p, 1));
    HD_IS(hd_of(&p)->again, 0);
    t.stage = STAGE_STATUE;
    t.player[0].cards = CULTURE_20 " purple-3-13";
    t.player[1].cards = "";
    hd_start(&p, &t);
    hd_do(&p, 0, "carve statue=1 tile=food face=up");
    HD_REFUSED(&p, 0, "carve statue=1 tile=food face=up", "statue_carved");
    hd_do(&p, 0, "carve statue=2 tile=food face=up");
    HD_IS(hd_of(&p)->stage, STAGE_TAKE);
}

/* statue_bonus: every own statue's bonus, steps or points, is 2 higher,
 * earlier ones too; not the tile on bonus_tile. */
Test(hadara_board, statue_bonus)
{
    struct hd_table t = statue(CULTURE_20);
    t.advanced = true;
    t.player[0].statues = "1food 2income!";
    hd_start(&p, &t);
    HD_IS(hd_track(&p, 0, TRACK_FOOD), 4 + 1 + 2 + 2);
    HD_IS(hd_part(&p, 0, PART_STATUES), 4 + 8 + 3);
    t.player[0].cards = CULTURE_20 " purple-2-13 purple-1-10";
    hd_start(&p, &t);
    hd_of(&p)->player[0].card_tile[hd_of(&p)->player[0].cards - 1] =
        TRACK_FOOD;
    HD_IS(hd_track(&p, 0, TRACK_FOOD), 4 + 1 + 2 + 2 + (2 + 2));
    HD_IS(hd_part(&p, 0, PART_STATUES), 4 + 8 + 5);
    hd_do(&p, 0, "carve statue=3 tile=military face=points");
    HD_IS(hd_part(&p, 0, PART_STATUES), 4 + 8 + 5 + 14 + 6);
}

/* Default move: pass. */
Test(hadara_board, default_pass)
{
    struct rules_move move;
    start_colony(MILITARY_19, 0);
    rules_default_move(R, &p.any.state, 0, &move);
    HD_IS(move.verb, PASS);
}

/* A preview of taking a colony or carving is the move played on one's own
 * view: coins, tracks and points after it, but for a back not seen yet. */
Test(hadara_board, preview_on_the_view)
{
    struct rules_events events;
    union rules_any view;
    int32_t now[PREVIEWS];
    struct rules_move move = RULES_MOVE(TAKE_COLONY, 3, MODE_INTEGRATE,
                                        RULES_NONE);
    start_colony(MILITARY_19, 7);
    hd_view(&p, 0, &view);
    cr_assert_eq(rules_apply(R, &view.state, 0, &move, &events), RULES_OK);
    const struct hadara *h = (const struct hadara *)&view.state;
    hadara_now(h, &h->player[0], now);
    HD_IS(now[PREVIEW_COINS], 5);
    HD_IS(now[PREVIEW_MILITARY], 19);
    HD_IS(now[PREVIEW_POINTS], hd_points(&p, 0) + 8);
}
