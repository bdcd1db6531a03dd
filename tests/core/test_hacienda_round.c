/* test_hacienda_round.c -- Hacienda, the rules' chapters A turn and Rounds and
 * scorings in one piece: who acts when, what everybody's pesos come to, and
 * what of all categories a scoring counts. */

#include <criterion/criterion.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/hacienda_position.h"

static struct position p;

static void stands(int line, int round, unsigned acting, int a, int b, int c)
{
    const int pesos[] = {a, b, c};

    cr_assert_eq(position_of(&p)->round, round, "line %d: round %d", line,
                 position_of(&p)->round);
    cr_assert_eq(p.any.state.acting, acting, "line %d: %x act", line,
                 p.any.state.acting);
    for (int seat = 0; seat < p.any.state.seats; seat++)
        cr_assert_eq(position_money(&p, seat), pesos[seat],
                     "line %d: seat %d has %d", line, seat,
                     (int)position_money(&p, seat));
}

/* The round, whose turn it is, and the pesos of three. */
#define STANDS(round, acting, a, b, c) stands(__LINE__, round, acting, a, b, c)

enum { ANA = 1, BEN = 2, CLEO = 4 };

/* ---- a round ---------------------------------------------------------------- */

/* [H11] [H12] A round runs from the start player to the seat before them; a
 * turn ends when its player says so, with pesos paid and earned on the way. */
Test(hacienda_round, whole)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f f . $\n . . . . . .",
                           .seats = 3,
                           .start = 1,
                           .hand = {"forest*3 pig", "", "forest*2 pig"},
                           .display = "mountain cattle",
                       });
    STANDS(1, BEN, 20, 20, 20);
    position_do(&p, 1, "buy_land_supply");
    STANDS(1, BEN, 20, 20 - 2, 20);
    position_do(&p, 1, "buy_animal_display card=cattle");
    STANDS(1, BEN, 20, 18 - 3, 20);
    position_do(&p, 1, "buy_water shape=double hex1=B5 hex2=B6");
    STANDS(1, BEN, 20, 15 - 12, 20);
    EXPECT_REFUSAL(&p, 1, "buy_land_supply", "no_actions_left");
    position_do(&p, 1, "end_turn");
    STANDS(1, CLEO, 20, 3, 20);
    position_do(&p, 2, "play_land card=forest hex=A3");
    position_do(&p, 2, "play_land card=forest hex=A4");
    position_do(&p, 2, "play_animal card=pig hex=A5");
    STANDS(1, CLEO, 20, 3, 20 + 1 + 2); /* the market: 1 pig, 2 tiles */
    position_do(&p, 2, "end_turn");
    STANDS(1, ANA, 20, 3, 23);
    position_do(&p, 0, "play_land card=forest hex=A1");
    position_do(&p, 0, "play_land card=forest hex=A2");
    position_do(&p, 0, "harvest hex=A1");
    STANDS(1, ANA, 20 + 6, 3, 23);
    position_do(&p, 0, "end_turn");
    STANDS(2, BEN, 26, 3, 23);
    position_do(&p, 1, "end_turn");
    STANDS(2, CLEO, 26, 3, 23);
    position_do(&p, 2, "buy_hacienda hex=A5");
    STANDS(2, CLEO, 26, 3, 23 - 12);
}

/* ---- scorings ----------------------------------------------------------------- */

/* Draws all that is left of the animal stack in use, then ends the round. */
static void use_up_stack(int seat)
{
    int half = position_of(&p)->half, round = position_of(&p)->round;

    while (position_of(&p)->half == half &&
           position_of(&p)->due != DUE_FINAL) {
        position_go(&p, seat, "buy_animal_supply");
        round = position_of(&p)->round;
    }
    while (!rules_over(&p.any.state) && position_of(&p)->round == round)
        position_do(&p, __builtin_ctz(p.any.state.acting), "end_turn");
}

/* Seat 0 has something in every category: one market; a chain of three with a
 * hacienda; under variant 1 a herd of four; and two of these at the water. */
static void start_with_all(bool variant1, bool variant2)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f . $\n . . . ~",
                           .variant1 = variant1,
                           .variant2 = variant2,
                           .hand = {"forest*3 pig*4"},
                       });
    position_pesos(&p, 0, 100);
    position_put(&p, 0,
                 "forest A1, forest A2, forest A3, pig B1, pig B2, "
                 "pig B3, pig A4");
    position_go(&p, 0, "buy_hacienda hex=A1");
}

static void interim_is(int part, int points)
{
    cr_assert_eq(position_of(&p)->player[0].interim[part], points, "%s: %d",
                 hacienda_parts[part].name,
                 (int)position_of(&p)->player[0].interim[part]);
}

/* Rounds and scorings: the interim scoring counts every category, under variant
 * 1 herds, too; both scorings add up. */
Test(hacienda_round, interim_scoring_counts_all)
{
    for (int variant1 = 0; variant1 < 2; variant1++) {
        start_with_all(variant1, false);
        use_up_stack(0);
        EXPECT_NUMBER(position_of(&p)->scored, 1);
        int pesos = position_money(&p, 0);
        int all = 1 + 6 + 4 * variant1 + 3 + 2 + pesos / (variant1 ? 20 : 10);
        interim_is(PART_MARKETS, 1);
        interim_is(PART_LAND, 6);
        interim_is(PART_HERDS, 4 * variant1);
        interim_is(PART_HACIENDAS, 3);
        interim_is(PART_WATER, 2);
        interim_is(PART_MONEY, pesos / (variant1 ? 20 : 10));
        interim_is(PART_INTERIM, all);
        EXPECT_NUMBER(position_points(&p, PART_INTERIM, 0), all);
        EXPECT_NUMBER(position_total(&p, 0), 2 * all);
    }
}

/* Variants 1 and 2 together: prices, herds and money of the one, 1 point per 20
 * pesos; no interim scoring, of the other. */
Test(hacienda_round, variants_together)
{
    struct rules_score score;

    start_with_all(true, true);
    use_up_stack(0);
    EXPECT_NUMBER(position_of(&p)->half, 2);
    EXPECT_NUMBER(position_of(&p)->scored, 0);
    EXPECT_NUMBER(position_of(&p)->due, DUE_NOTHING);
    interim_is(PART_INTERIM, 0);
    position_pesos(&p, 0, 119);
    use_up_stack(0);
    cr_assert(rules_over(&p.any.state));
    rules_score(&hacienda_rules, &p.any.state, &score);
    EXPECT_NUMBER(score.parts >> PART_INTERIM & 1, 0);
    EXPECT_NUMBER(score.part[PART_HERDS][0], 4);
    EXPECT_NUMBER(score.part[PART_MONEY][0], position_money(&p, 0) / 20);
    EXPECT_NUMBER(score.total[0],
                  1 + 6 + 4 + 3 + 2 + position_money(&p, 0) / 20);
}

/* Tie: of equal points who has more pesos wins, whichever seat it is, though
 * the pesos bring both the same points. */
Test(hacienda_round, tie_goes_to_more_pesos)
{
    for (int richer = 0; richer < 2; richer++) {
        struct rules_score score;
        position_start(&p, &(struct position_table){0});
        position_pesos(&p, richer, 29);
        position_pesos(&p, 1 - richer, 28);
        while (!rules_over(&p.any.state))
            position_do(&p, __builtin_ctz(p.any.state.acting), "end_turn");
        rules_score(&hacienda_rules, &p.any.state, &score);
        EXPECT_NUMBER(score.total[0], 2);
        EXPECT_NUMBER(score.total[1], 2);
        EXPECT_NUMBER(score.place[richer], 1);
        EXPECT_NUMBER(score.place[1 - richer], 2);
    }
}

/* ---- whose animals, and next to what --------------------------------------------- */

/* Herd: connected *own* animals of one kind.  An opponent's pig beside one's own
 * is not paid for, nor the land beyond it. */
Test(hacienda_round, market_pays_for_own_animals_only)
{
    position_start(&p, &(struct position_table){
                           .board = "f . $ .\n . . f .",
                           .hand = {"forest pig", "forest pig"},
                       });
    position_turn(&p, 1);
    position_put(&p, 1, "forest B3, pig B2");
    position_turn(&p, 0);
    position_put(&p, 0, "forest A1");
    int before = position_money(&p, 0);
    position_put(&p, 0, "pig A2");
    EXPECT_NUMBER(position_money(&p, 0) - before, 1 + 1);
}

/* [H4] A card whose terrain is used up counts as a pampas card: next to an own
 * land tile.  Beside own animals only it cannot be played. */
Test(hacienda_round, used_up_terrain_beside_animals)
{
    position_start(&p, &(struct position_table){
                           .board = "f . . . $\n . . . .",
                           .hand = {"forest*2 pampas pig*2"},
                       });
    position_put(&p, 0, "forest A1, pig A2, pig A3");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "play_land card=forest hex=A4", "not_adjacent");
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=A4", "not_adjacent");
    EXPECT_LEGAL(&p, 0, "play_land card=forest hex=B1");
}
