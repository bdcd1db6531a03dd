/* test_hacienda_scoring.c -- Hacienda, Rounds and scorings: what each category
 * brings, with the worked examples; who wins. */

#include <criterion/criterion.h>
#include <stdio.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/hacienda_position.h"
#include "tests/support/play.h"

static const struct rules *const R = &hacienda_rules;

static struct position p;

static int32_t points(int part, int seat)
{
    return position_points(&p, part, seat);
}

/* ---- markets ---------------------------------------------------------- */

/* An animal on the kth space of row B touches market A(k + 1), and A(k) but
 * for the first: k animals in a row reach k markets. */
#define MARKETS \
    "- $ $ $ $ $ $ $ $ $ $ $ $ $ $\n" \
    " . . . . . . . . . . . . . .\n" \
    "f . . . . . . . . . . . . . .\n" \
    " ~ ~ ~ ~"

/* Worked examples, markets: n = 1 ... 11: 1 3 6 10 15 21 28 36 45 55 66, and
 * on without limit: the number of markets, however many sides are touched. */
Test(hacienda_scoring, markets_one_by_one)
{
    static const int wanted[] = {1,  3,  6,  10, 15, 21, 28,
                                 36, 45, 55, 66, 78, 91};
    char text[20];
    position_start(&p, &(struct position_table){
                           .board = MARKETS,
                           .seats = 5,
                           .hand = {"forest pig*4"},
                           .keep = "pig*14",
                       });
    position_pesos(&p, 0, 100);
    position_put(&p, 0, "forest C1");
    EXPECT_NUMBER(points(PART_MARKETS, 0), 0);
    for (int k = 1; k <= (int)COUNT_OF(wanted); k++) {
        snprintf(text, sizeof(text), "pig B%d", k);
        position_put(&p, 0, text);
        EXPECT_NUMBER(points(PART_MARKETS, 0), wanted[k - 1]);
        EXPECT_NUMBER(points(PART_MARKETS, 1), 0);
    }
}

/* Worked examples, markets: on Crucible n = 1 ... 5: 2 5 9 14 20 (n (n + 3) /
 * 2, so 27 for 6). */
Test(hacienda_scoring, crucible_markets)
{
    static const int wanted[] = {2, 5, 9, 14, 20, 27};
    char text[20];
    position_start(&p, &(struct position_table){
                           .board = MARKETS,
                           .crucible = true,
                           .hand = {"forest pig*2"},
                           .keep = "pig*6",
                       });
    position_pesos(&p, 0, 100);
    position_put(&p, 0, "forest C1");
    EXPECT_NUMBER(points(PART_MARKETS, 0), 0);
    for (int k = 1; k <= (int)COUNT_OF(wanted); k++) {
        snprintf(text, sizeof(text), "pig B%d", k);
        position_put(&p, 0, text);
        EXPECT_NUMBER(points(PART_MARKETS, 0), wanted[k - 1]);
    }
}

/* Markets touched by own animals of any kind and herd: a market that two herds
 * of one player touch counts once, and once for each player; own land next to
 * it counts nothing. */
Test(hacienda_scoring, market_of_several_herds)
{
    position_start(&p, &(struct position_table){
                           .board = "f . . m\n . $ .\n. . . . $",
                           .hand = {"forest pig sheep", "mountain pig"},
                       });
    position_put(&p, 0, "forest A1, pig A2, sheep B1");
    EXPECT_NUMBER(points(PART_MARKETS, 0), 1);
    position_turn(&p, 1);
    position_put(&p, 1, "mountain A4, pig A3");
    EXPECT_NUMBER(points(PART_MARKETS, 1), 1);
    EXPECT_NUMBER(points(PART_MARKETS, 0), 1);
}

/* ---- land ------------------------------------------------------------- */

/* Chains of 7, 3, 3, 2 and three single ones. */
#define CHAINS \
    "m m m m m m m - f f f\n" \
    " - - - - - - - - - - -\n" \
    "e e e - r r - s - s - s\n" \
    " - - - - - - - - - - -\n" \
    "~ ~ ~ ~ - . $"

static const char *const all_chains =
    "mountain A1, mountain A2, mountain A3, mountain A4, mountain A5, "
    "mountain A6, mountain A7, forest A9, forest A10, forest A11, "
    "meadow C1, meadow C2, meadow C3, rocks C5, rocks C6, swamp C8, "
    "swamp C10, swamp C12";

/* Worked examples, land: chains 7, 3, 3, 2 and three singles: 26. */
Test(hacienda_scoring, example_land)
{
    position_start(&p, &(struct position_table){
                           .board = CHAINS,
                           .hand = {"mountain*7"},
                           .keep = "forest*3 meadow*3 rocks*2 swamp*3",
                       });
    position_pesos(&p, 0, 60);
    position_put(&p, 0, all_chains);
    EXPECT_NUMBER(points(PART_LAND, 0), 26);
    EXPECT_NUMBER(points(PART_LAND, 1), 0);
}

/* ... on Crucible 13: 1 point per tile in chains of 3 or more. */
Test(hacienda_scoring, crucible_land)
{
    position_start(&p, &(struct position_table){
                           .board = CHAINS,
                           .crucible = true,
                           .hand = {"mountain*2"},
                           .keep = "mountain*5 forest*3 meadow*3 rocks*2 "
                                   "swamp*3",
                       });
    position_pesos(&p, 0, 60);
    position_put(&p, 0, all_chains);
    EXPECT_NUMBER(points(PART_LAND, 0), 13);
}

/* Land: a chain of two brings nothing, the third tile all three; another's
 * tiles between do not connect. */
Test(hacienda_scoring, chains_from_three_on)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f f f $ .",
                           .hand = {"forest*4", "forest"},
                       });
    position_put(&p, 0, "forest A1, forest A2");
    EXPECT_NUMBER(points(PART_LAND, 0), 0);
    position_turn(&p, 1);
    position_put(&p, 1, "forest A3");
    position_put(&p, 0, "forest A4, forest A5");
    EXPECT_NUMBER(points(PART_LAND, 0), 0);
}

/* Land chain: connected own land tiles on any terrain, pampas included. */
Test(hacienda_scoring, chain_over_terrains)
{
    position_start(&p, &(struct position_table){
                           .board = "f m . $ .\n . . . . .",
                           .hand = {"forest mountain pampas"},
                       });
    position_put(&p, 0, "forest A1, mountain A2");
    EXPECT_NUMBER(points(PART_LAND, 0), 0);
    position_put(&p, 0, "pampas A3");
    EXPECT_NUMBER(points(PART_LAND, 0), 6);
}

/* ---- haciendas -------------------------------------------------------- */

#define RANCH \
    "f f f f f f f . . $\n" \
    " . . . . . . . . . .\n" \
    "m . . . . . . . . ."

static void ranch(void)
{
    position_start(&p, &(struct position_table){
                           .board = RANCH,
                           .hand = {"forest*7 mountain pig*4"},
                           .keep = "pig*2",
                       });
    position_pesos(&p, 0, 100);
    position_put(&p, 0,
                 "forest A1, forest A2, forest A3, forest A4, "
                 "forest A5, forest A6, forest A7, pig B1, pig B2, "
                 "pig B3, pig B4, pig B5, pig B6, mountain C1");
}

static void hacienda(const char *hex)
{
    char text[40];
    snprintf(text, sizeof(text), "buy_hacienda hex=%s", hex);
    position_turn(&p, 0);
    position_pesos(&p, 0, 12);
    position_do(&p, 0, text);
}

/* Worked examples, hacienda: on a chain of 7 and on a herd of 6: 13; a second
 * one on the chain: still 13 [H3]; on the herd, likewise. */
Test(hacienda_scoring, example_haciendas)
{
    ranch();
    EXPECT_NUMBER(points(PART_HACIENDAS, 0), 0);
    hacienda("A3");
    EXPECT_NUMBER(points(PART_HACIENDAS, 0), 7);
    hacienda("B6");
    EXPECT_NUMBER(points(PART_HACIENDAS, 0), 13);
    hacienda("A7");
    EXPECT_NUMBER(points(PART_HACIENDAS, 0), 13);
    hacienda("B1");
    EXPECT_NUMBER(points(PART_HACIENDAS, 0), 13);
}

/* [H20] A lone tile: 1, though it brings no land points. */
Test(hacienda_scoring, lone_tile_with_hacienda)
{
    ranch();
    hacienda("C1");
    EXPECT_NUMBER(points(PART_HACIENDAS, 0), 1);
    EXPECT_NUMBER(points(PART_LAND, 0), 14);
}

/* [H20] A lone animal: 1; a herd of two: 2. */
Test(hacienda_scoring, lone_animal_with_hacienda)
{
    position_start(&p, &(struct position_table){
                           .board = "f . . $ .\n . . . . .",
                           .hand = {"forest pig*2"},
                       });
    position_put(&p, 0, "forest A1, pig A2");
    position_go(&p, 0, "buy_hacienda hex=A2");
    EXPECT_NUMBER(points(PART_HACIENDAS, 0), 1);
    position_put(&p, 0, "pig A3");
    EXPECT_NUMBER(points(PART_HACIENDAS, 0), 2);
}

/* ---- water ------------------------------------------------------------ */

/* Water: per water tile 1 for each own land or animal tile adjacent to it; no
 * points for others' tiles; tiles next to it only. */
Test(hacienda_scoring, water_by_tile)
{
    position_start(&p, &(struct position_table){
                           .board = "f . f . $\n . ~ . . .\nm . . . .",
                           .hand = {"forest*2 pig sheep", "mountain pig"},
                       });
    position_put(&p, 0, "forest A1");
    EXPECT_NUMBER(points(PART_WATER, 0), 0); /* two steps away */
    position_put(&p, 0, "pig B1");
    EXPECT_NUMBER(points(PART_WATER, 0), 1);
    position_put(&p, 0, "forest A3");
    EXPECT_NUMBER(points(PART_WATER, 0), 2);
    position_put(&p, 0, "sheep B3");
    EXPECT_NUMBER(points(PART_WATER, 0), 3);
    EXPECT_NUMBER(points(PART_WATER, 1), 0);
    position_turn(&p, 1);
    position_put(&p, 1, "mountain C1, pig C2");
    EXPECT_NUMBER(points(PART_WATER, 1), 1);
    EXPECT_NUMBER(points(PART_WATER, 0), 3);
}

/* Water: a tile of size 2 or 3 counts each adjacent own tile once, though it
 * touches it with two or three spaces. */
Test(hacienda_scoring, large_water_counts_once)
{
    static const char *const buy[] = {
        "buy_water shape=double hex1=B2 hex2=B3",
        "buy_water shape=triangle hex1=B2 hex2=B3 hex3=C3",
        "buy_water shape=line hex1=B2 hex2=B3 hex3=B4",
    };
    for (size_t i = 0; i < COUNT_OF(buy); i++) {
        position_start(&p, &(struct position_table){
                               .board = ". . f . .\n"
                                        " . . . . .\n"
                                        "m . . . $",
                               .hand = {"forest pig"},
                           });
        position_put(&p, 0, "forest A3");
        position_go(&p, 0, buy[i]);
        EXPECT_NUMBER(points(PART_WATER, 0), 1);
        position_put(&p, 0, "pig A2");
        EXPECT_NUMBER(points(PART_WATER, 0), 2);
    }
}

/* Water: adjacent water tiles, printed or bought, are never one lake: a tile
 * between two scores for both.  Who bought it does not matter. */
Test(hacienda_scoring, no_lakes)
{
    position_start(&p, &(struct position_table){
                           .board = ". ~ ~ . .\n . f . . .\n. . . . $",
                           .hand = {"forest"},
                       });
    position_put(&p, 0, "forest B2");
    EXPECT_NUMBER(points(PART_WATER, 0), 2);
    position_turn(&p, 1);
    position_do(&p, 1, "buy_water shape=double hex1=B3 hex2=C3");
    EXPECT_NUMBER(points(PART_WATER, 0), 3);
    EXPECT_NUMBER(points(PART_WATER, 1), 0);
    position_turn(&p, 0);
    position_do(&p, 0, "buy_water shape=single hex1=C2");
    EXPECT_NUMBER(points(PART_WATER, 0), 4);
}

/* ---- money ------------------------------------------------------------ */

/* Worked examples, money: 28 pesos: 2 (variant1: 1); 12: 1; 8: 0; and around
 * the steps [H22]. */
Test(hacienda_scoring, example_money)
{
    static const struct {
        int pesos, standard, variant1;
    } row[] = {{28, 2, 1}, {12, 1, 0}, {8, 0, 0},  {0, 0, 0},  {9, 0, 0},
               {10, 1, 0}, {19, 1, 0}, {20, 2, 1}, {39, 3, 1}, {40, 4, 2}};
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < COUNT_OF(row); i++) {
            position_start(&p, &(struct position_table){
                                   .variant1 = kind == 1,
                                   .crucible = kind == 2,
                               });
            position_pesos(&p, 0, row[i].pesos);
            EXPECT_NUMBER(points(PART_MONEY, 0),
                          kind == 1 ? row[i].variant1 : row[i].standard);
        }
}

/* Money is kept at a scoring: see test_hacienda_course.c.  The same by play:
 * 20 pesos, less 12, and 8 earned. */
Test(hacienda_scoring, money_by_play)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f f . $\n . . . . . .",
                           .hand = {"forest*4 pig*4"},
                       });
    position_put(&p, 0,
                 "forest A1, forest A2, forest A3, forest A4, pig B4, "
                 "pig B3, pig B2, pig A5");
    EXPECT_NUMBER(position_money(&p, 0), 28);
    EXPECT_NUMBER(points(PART_MONEY, 0), 2);
    position_turn(&p, 1);
    position_do(&p, 1, "buy_water shape=single hex1=B6");
    EXPECT_NUMBER(position_money(&p, 1), 8);
    EXPECT_NUMBER(points(PART_MONEY, 1), 0);
}

/* ---- categories and winners ------------------------------------------- */

/* Rounds and scorings: the categories in this order, `herds` after `land` and
 * only in variant1 and Crucible. */
Test(hacienda_scoring, categories_in_order)
{
    static const char *const order[] = {"interim", "markets",   "land",
                                        "herds",   "haciendas", "water",
                                        "money"};
    struct rules_score score;
    for (size_t i = 0; i < COUNT_OF(order); i++)
        cr_assert_str_eq(R->parts[i].name, order[i]);
    cr_assert_null(R->parts[COUNT_OF(order)].name);
    for (int kind = 0; kind < 3; kind++) {
        position_start(&p, &(struct position_table){
                               .variant1 = kind == 1,
                               .crucible = kind == 2,
                           });
        rules_score(R, &p.any.state, &score);
        EXPECT_NUMBER(score.parts >> PART_HERDS & 1, kind > 0);
        EXPECT_NUMBER(score.parts >> PART_INTERIM & 1, 0);
        EXPECT_NUMBER(score.total[0], kind == 1 ? 1 : 2);
        EXPECT_NUMBER(score.place[0], 0); /* it is not over */
    }
}

static void end_by_passing(int seats)
{
    for (int i = 0; i < 2 * seats && !rules_over(&p.any.state); i++)
        position_do(&p, position_of(&p)->turn, "end_turn");
    cr_assert(rules_over(&p.any.state));
}

static int place(int seat)
{
    struct rules_score score;
    rules_score(R, &p.any.state, &score);
    return score.place[seat];
}

/* Rounds and scorings: most points win. */
Test(hacienda_scoring, most_points_win)
{
    position_start(&p, &(struct position_table){
                           .seats = 3,
                           .board = "f f f - . $",
                           .hand = {"", "forest*3"},
                       });
    position_turn(&p, 1);
    position_put(&p, 1, "forest A1, forest A2, forest A3");
    position_go(&p, 1, "buy_animal_supply");
    end_by_passing(3);
    EXPECT_NUMBER(place(1), 1);
    EXPECT_NUMBER(place(0), 2);
    EXPECT_NUMBER(place(2), 2);
}

/* Tie: most pesos. */
Test(hacienda_scoring, tie_most_pesos)
{
    position_start(&p, &(struct position_table){
                           .board = "f ~ . $",
                           .hand = {"forest"},
                           .seats = 3,
                       });
    position_put(&p, 0, "forest A1"); /* water 1 */
    position_do(&p, 0, "buy_land_supply");
    position_do(&p, 0, "end_turn");
    end_by_passing(3);
    EXPECT_NUMBER(position_total(&p, 0), 2); /* 1 + 1 for 18 pesos */
    EXPECT_NUMBER(position_total(&p, 1), 2); /* 2 for 20 pesos */
    EXPECT_NUMBER(place(0), 3);
    EXPECT_NUMBER(place(1), 1);
    EXPECT_NUMBER(place(2), 1);
}

/* [H21] ... then the win is shared. */
Test(hacienda_scoring, shared_win)
{
    position_start(&p, &(struct position_table){.seats = 4});
    position_do(&p, 0, "buy_land_supply");
    position_do(&p, 0, "buy_land_supply");
    end_by_passing(4);
    EXPECT_NUMBER(place(0), 4);
    for (int seat = 1; seat < 4; seat++)
        EXPECT_NUMBER(place(seat), 1);
}

/* ---- what is kept ------------------------------------------------------ */

static void kept_value(struct play *played, const struct rules_ply *ply)
{
    struct hacienda *h = (struct hacienda *)&played->s.state;
    int32_t kept[PARTS][HACIENDA_SEATS_MAX];
    (void)ply;

    memcpy(kept, h->worth, sizeof(kept));
    hacienda_value(h);
    MUST(played, memcmp(kept, h->worth, sizeof(kept)) == 0);
}

/* After every ply the kept value of the board is what counting it anew would
 * give. */
Test(hacienda_scoring, value_is_kept)
{
    static const struct play_suite suite = {.after = kept_value};
    play_run(&suite, "hacienda", 200, 1);
}
