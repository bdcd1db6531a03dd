/* test_hacienda_course.c -- Hacienda, Passing [H17], the cut-off [H18], rounds
 * and both scorings [H19]. */

#include <criterion/criterion.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/hacienda_position.h"

static struct position p;

static const struct hacienda *table(void)
{
    return position_of(&p);
}

static void start(int seats, int first)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f f . $\n . . . . . .",
                           .seats = seats,
                           .start = first,
                           .hand = {"forest*4 pig*4"},
                       });
}

static void pass(int seat)
{
    position_do(&p, seat, "end_turn");
}

static bool over(void)
{
    return rules_over(&p.any.state);
}

/* How the game ended, by its last event. */
static int how(void)
{
    const struct rules_event *e = position_event(&p.events, EV_ENDED, 0);
    return e != NULL ? e->arg[0] : -1;
}

/* ---- passing ---------------------------------------------------------- */

/* Passing: if all players in succession end a turn with 0 actions the game
 * ends at once, with the final scoring and without an interim one. */
Test(hacienda_course, all_pass)
{
    for (int seats = 2; seats <= 5; seats++) {
        start(seats, seats - 1);
        for (int i = 0; i < seats; i++) {
            cr_assert(!over());
            pass((seats - 1 + i) % seats);
        }
        cr_assert(over());
        EXPECT_NUMBER(how(), END_ALL_PASSED);
        EXPECT_NUMBER(position_total(&p, 0), 2); /* 20 pesos, once */
        EXPECT_NUMBER(table()->scored, 0);
        EXPECT_REFUSAL(&p, 0, "end_turn", "game_over");
        EXPECT_NUMBER(position_legal(&p, 0, -1), 0);
        cr_assert(position_valid(&p));
    }
}

/* [H17] The succession may cross the end of a round: it ends with the turn of
 * whoever, before the round does. */
Test(hacienda_course, passing_across_rounds)
{
    start(3, 0);
    position_do(&p, 0, "buy_land_supply");
    pass(0);
    pass(1);
    pass(2);
    EXPECT_NUMBER(table()->round, 2);
    cr_assert(!over());
    pass(0);
    cr_assert(over());
    EXPECT_NUMBER(how(), END_ALL_PASSED);
}

/* Passing: any action breaks the succession, of whatever kind. */
Test(hacienda_course, action_breaks_succession)
{
    static const char *const actions[] = {
        "buy_land_supply",
        "play_land card=forest hex=A1",
        "buy_water shape=single hex1=B5",
        "buy_animal_supply",
    };
    for (size_t i = 0; i < COUNT_OF(actions); i++) {
        start(3, 1);
        pass(1);
        pass(2);
        position_do(&p, 0, actions[i]);
        pass(0);
        cr_assert(!over());
        pass(1);
        pass(2);
        cr_assert(!over());
        pass(0);
        cr_assert(over());
    }
}

/* [H17] An undone action does not count. */
Test(hacienda_course, undone_action_is_none)
{
    start(2, 0);
    position_do(&p, 0, "play_land card=forest hex=A1");
    cr_assert_str_eq(position_undo(&p, 0), "yes");
    pass(0);
    pass(1);
    cr_assert(over());
    EXPECT_NUMBER(how(), END_ALL_PASSED);
}

/* [H17] It can never coincide with a scoring that is due: who drew the last
 * card acted in that round, so somebody breaks the succession in it. */
Test(hacienda_course, passing_never_meets_a_scoring)
{
    start(2, 0);
    position_pesos(&p, 0, 100);
    for (int i = 0; i < 15; i++)
        position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(table()->due, DUE_INTERIM);
    pass(0);
    pass(1);
    cr_assert(!over());
    EXPECT_NUMBER(table()->scored, 1);
    pass(0);
    cr_assert(over());
    EXPECT_NUMBER(how(), END_ALL_PASSED);
    /* The interim scoring and the final one. */
    EXPECT_NUMBER(position_total(&p, 0), 7 + 7);
    EXPECT_NUMBER(position_total(&p, 1), 2 + 2);
}

/* ---- the cut-off ------------------------------------------------------ */

/* Puts the table into round 200: no game gets there in a test's time. */
static void round_200(void)
{
    position_of(&p)->round = HACIENDA_ROUNDS_MAX;
    cr_assert(position_valid(&p));
}

/* [H18] The game is cut off at the end of round 200, in the same way: the
 * final scoring, and an interim one that has not happened is skipped. */
Test(hacienda_course, cut_off_after_round_200)
{
    start(2, 1);
    position_of(&p)->round = HACIENDA_ROUNDS_MAX - 1;
    position_do(&p, 1, "buy_land_supply");
    pass(1);
    pass(0);
    cr_assert(!over());
    EXPECT_NUMBER(table()->round, 200);
    position_do(&p, 1, "buy_land_supply");
    pass(1);
    position_do(&p, 0, "play_land card=forest hex=A1");
    cr_assert(!over());
    pass(0);
    cr_assert(over());
    EXPECT_NUMBER(how(), END_ROUND_LIMIT);
    EXPECT_NUMBER(table()->scored, 0);
    EXPECT_NUMBER(position_total(&p, 0), 2);
    EXPECT_NUMBER(position_total(&p, 1), 1);
}

/* [H18] ... also when the interim scoring would be due just then. */
Test(hacienda_course, cut_off_skips_interim_scoring)
{
    start(2, 0);
    position_pesos(&p, 0, 100);
    for (int i = 0; i < 15; i++)
        position_go(&p, 0, "buy_animal_supply");
    round_200();
    EXPECT_NUMBER(table()->due, DUE_INTERIM);
    pass(0);
    pass(1);
    cr_assert(over());
    EXPECT_NUMBER(position_total(&p, 0), 7);
}

/* [H18] ... and a final scoring due then is held once. */
Test(hacienda_course, cut_off_with_final_scoring)
{
    start(2, 0);
    position_empty(&p, 0, STACK_ANIMALS);
    round_200();
    position_do(&p, 0, "buy_land_supply");
    pass(0);
    pass(1);
    cr_assert(over());
    EXPECT_NUMBER(how(), END_SCORED);
    EXPECT_NUMBER(position_total(&p, 1), 2);
}

/* ---- scorings --------------------------------------------------------- */

/* Rounds and scorings, [H19]: with the first stack's last card the second one
 * becomes the supply at once; the interim scoring comes after the end of that
 * round, not of the turn; points and money are as of then, money is kept. */
Test(hacienda_course, interim_scoring_at_round_end)
{
    start(3, 1);
    position_pesos(&p, 1, 100);
    for (int i = 0; i < 17; i++)
        position_go(&p, 1, "buy_animal_supply");
    EXPECT_NUMBER(table()->due, DUE_NOTHING);
    int round = table()->round;
    position_do(&p, 1, "buy_animal_supply");
    EXPECT_NUMBER(table()->half, 2);
    EXPECT_NUMBER(table()->supply[STACK_ANIMALS], 18);
    EXPECT_NUMBER(table()->due, DUE_INTERIM);
    EXPECT_NUMBER(table()->scored, 0);
    pass(1);
    EXPECT_NUMBER(table()->scored, 0);
    pass(2);
    EXPECT_NUMBER(table()->round, round);
    EXPECT_NUMBER(table()->scored, 0);
    position_do(&p, 0, "play_land card=forest hex=A1");
    position_do(&p, 0, "play_land card=forest hex=A2");
    position_do(&p, 0, "play_land card=forest hex=A3");
    EXPECT_NUMBER(position_total(&p, 0), 6 + 2);
    pass(0);
    EXPECT_NUMBER(table()->scored, 1);
    EXPECT_NUMBER(table()->due, DUE_NOTHING);
    EXPECT_NUMBER(table()->round, round + 1);
    EXPECT_NUMBER(table()->turn, 1);
    EXPECT_NUMBER(table()->player[0].interim[PART_LAND], 6);
    EXPECT_NUMBER(table()->player[0].interim[PART_MONEY], 2);
    EXPECT_NUMBER(table()->player[0].interim[PART_INTERIM], 8);
    EXPECT_NUMBER(table()->player[1].interim[PART_MONEY], 6);
    EXPECT_NUMBER(position_money(&p, 0), 20);
    EXPECT_NUMBER(position_money(&p, 1), 64);
    /* The points of both scorings add up. */
    EXPECT_NUMBER(position_points(&p, PART_INTERIM, 0), 8);
    EXPECT_NUMBER(position_total(&p, 0), 8 + 8);
    cr_assert(position_valid(&p));
}

/* Rounds and scorings: drawn by the last player of the round, the scoring
 * comes after their turn. */
Test(hacienda_course, last_player_draws_last_card)
{
    start(2, 0);
    position_pesos(&p, 1, 100);
    for (int i = 0; i < 15; i++)
        position_go(&p, 1, "buy_animal_supply");
    EXPECT_NUMBER(table()->scored, 0);
    pass(1);
    EXPECT_NUMBER(table()->scored, 1);
}

/* Rounds and scorings: ... bought or used to refill. */
Test(hacienda_course, refill_takes_last_card)
{
    start(2, 0);
    position_pesos(&p, 0, 100);
    for (int i = 0; i < 15; i++) {
        static const char *const words[] = {"cattle", "horse", "pig", "sheep"};
        char text[40] = "buy_animal_display card=";
        for (const char *w = words[table()->display[1][0] - LAND_CARDS],
                        *end = w;
             *end != '\0'; end++)
            text[24 + (end - w)] = *end;
        EXPECT_NUMBER(table()->half, 1);
        position_go(&p, 0, text);
    }
    EXPECT_NUMBER(table()->half, 2);
    EXPECT_NUMBER(table()->due, DUE_INTERIM);
    EXPECT_NUMBER(table()->supply[STACK_ANIMALS], 15);
}

/* Rounds and scorings: when the second stack is used up, the round is finished
 * and then comes the final scoring; the game is over.  Both scorings add. */
Test(hacienda_course, final_scoring_at_round_end)
{
    start(2, 0);
    position_pesos(&p, 0, 100);
    position_put(&p, 0, "forest A1, forest A2, forest A3");
    for (int i = 0; i < 30; i++)
        position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(table()->due, DUE_FINAL);
    EXPECT_NUMBER(table()->supply[STACK_ANIMALS], 0);
    EXPECT_NUMBER(table()->scored, 1);
    cr_assert_not_null(position_event(&p.events, EV_LAST_STACK, 0));
    pass(0);
    cr_assert(!over());
    position_do(&p, 1, "buy_land_supply");
    position_do(&p, 1, "buy_land_supply");
    position_do(&p, 1, "buy_land_supply");
    cr_assert(!over());
    pass(1);
    cr_assert(over());
    EXPECT_NUMBER(how(), END_SCORED);
    /* Interim: 6 + 7 (70 pesos); final: 6 + 4 (40). */
    EXPECT_NUMBER(position_total(&p, 0), 13 + 10);
    EXPECT_NUMBER(position_total(&p, 1), 2 + 1);
    cr_assert(position_valid(&p));
}

/* Rounds and scorings: both never fall into one round: at most three cards per
 * player leave a stack in a round, fewer than any stack has. */
Test(hacienda_course, never_both_in_a_round)
{
    for (int seats = 2; seats <= 5; seats++) {
        start(seats, 0);
        cr_assert_lt(3 * seats, table()->supply[STACK_ANIMALS]);
        cr_assert_lt(3 * seats, table()->aside);
    }
    position_start(&p, &(struct position_table){.crucible = true});
    cr_assert_lt(3 * 2, table()->aside);
}

/* `score now` is each player's points if a scoring happened this moment: all
 * categories of the position and the interim points, at all times. */
Test(hacienda_course, score_now)
{
    start(2, 0);
    EXPECT_NUMBER(position_total(&p, 0), 2);
    position_put(&p, 0, "forest A1, forest A2");
    EXPECT_NUMBER(position_total(&p, 0), 2);
    position_put(&p, 0, "forest A3");
    EXPECT_NUMBER(position_total(&p, 0), 8);
    position_go(&p, 0, "buy_hacienda hex=A3");
    EXPECT_NUMBER(position_total(&p, 0), 6 + 3);
}

/* Rounds and scorings: the events tell each category of each player. */
Test(hacienda_course, scoring_is_told)
{
    start(2, 0);
    pass(0);
    pass(1);
    size_t scored = 0;
    while (position_event(&p.events, EV_SCORED, scored) != NULL)
        scored++;
    EXPECT_NUMBER(scored, 2 * 5); /* markets land haciendas water money */
    const struct rules_event *e = position_event(&p.events, EV_SCORED, 0);
    EXPECT_NUMBER(e->arg[1], PART_MARKETS);
    EXPECT_NUMBER(e->seen_by, RULES_EVERYONE);
}
