/* test_hacienda_variants.c -- Hacienda, Variants: what variant1, variant2 and
 * crucible change.  The pay of markets is in test_hacienda_markets.c, setups
 * and [H24] in test_hacienda_setup.c, money [H22] in test_hacienda_scoring.c. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/doc.h"
#include "tests/support/hacienda_position.h"

static const struct rules *const R = &hacienda_rules;

static struct position p;

#define BOARD \
    "f f f f . . $\n" \
    " . . . . . . .\n" \
    ". . ~ . ~ ~ ~"

static void start(bool variant1, bool variant2, bool crucible)
{
    position_start(&p, &(struct position_table){
                           .board = BOARD,
                           .variant1 = variant1,
                           .variant2 = variant2,
                           .crucible = crucible,
                           .hand = {crucible ? "forest*2 pig*2"
                                             : "forest*4 pig*4"},
                           .keep = "forest*2 pig*4",
                       });
}

/* The member `points` of a player, as rules_show() tells it. */
static long shown_points(int seat)
{
    struct doc doc = doc_new();
    long points = -1;
    doc_show(&doc, R, &p.any.state);
    for (int at = doc.node[0].first; at >= 0; at = doc.node[at].next) {
        if (strcmp(doc.node[at].name, "players") != 0)
            continue;
        int player = doc.node[at].first;
        for (int i = 0; i < seat; i++)
            player = doc.node[player].next;
        for (int f = doc.node[player].first; f >= 0; f = doc.node[f].next)
            if (strcmp(doc.node[f].name, "points") == 0)
                points = (long)doc.node[f].number;
    }
    doc_free(&doc);
    return points;
}

/* ---- variant1 --------------------------------------------------------- */

/* variant1: a hacienda and a water tile cost 20, cards what they cost. */
Test(hacienda_variants, variant1_costs)
{
    start(true, false, false);
    position_put(&p, 0, "forest A1");
    position_pesos(&p, 0, 19);
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=A1", "too_expensive");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=single hex1=B7", "too_expensive");
    position_pesos(&p, 0, 40);
    position_do(&p, 0, "buy_hacienda hex=A1");
    EXPECT_NUMBER(position_money(&p, 0), 20);
    position_do(&p, 0, "buy_water shape=single hex1=B7");
    EXPECT_NUMBER(position_money(&p, 0), 0);
    position_pesos(&p, 1, 10);
    position_turn(&p, 1);
    position_do(&p, 1, "buy_land_supply");
    position_do(&p, 1, "buy_animal_supply");
    EXPECT_NUMBER(position_money(&p, 1), 6);
}

/* Crucible: costs as standard. */
Test(hacienda_variants, crucible_costs)
{
    start(false, false, true);
    position_put(&p, 0, "forest A1");
    position_pesos(&p, 0, 12);
    position_do(&p, 0, "buy_hacienda hex=A1");
    EXPECT_NUMBER(position_money(&p, 0), 0);
    position_turn(&p, 0);
    position_pesos(&p, 0, 12);
    EXPECT_LEGAL(&p, 0, "buy_water shape=double hex1=B5 hex2=B6");
}

/* variant1 and Crucible: herds of three and more, 1 point per animal; in the
 * standard game none. */
Test(hacienda_variants, herds_from_three_on)
{
    for (int kind = 0; kind < 3; kind++) {
        start(kind == 1, false, kind == 2);
        position_pesos(&p, 0, 60);
        position_put(&p, 0, "forest A1, pig B1, pig B2");
        EXPECT_NUMBER(position_points(&p, PART_HERDS, 0), 0);
        position_put(&p, 0, "pig B3");
        EXPECT_NUMBER(position_points(&p, PART_HERDS, 0), kind > 0 ? 3 : 0);
        position_put(&p, 0, "pig B4");
        EXPECT_NUMBER(position_points(&p, PART_HERDS, 0), kind > 0 ? 4 : 0);
    }
}

/* variant1: land, markets, haciendas and water as standard. */
Test(hacienda_variants, variant1_keeps_the_rest)
{
    start(true, false, false);
    position_put(&p, 0,
                 "forest A1, forest A2, forest A3, forest A4, "
                 "pig B4");
    position_go(&p, 0, "buy_hacienda hex=A1");
    EXPECT_NUMBER(position_points(&p, PART_LAND, 0), 8);
    EXPECT_NUMBER(position_points(&p, PART_HACIENDAS, 0), 4);
    EXPECT_NUMBER(position_points(&p, PART_WATER, 0), 1);
    position_put(&p, 0, "pig B5, pig B6");
    EXPECT_NUMBER(position_points(&p, PART_MARKETS, 0), 1);
}

/* Crucible: size-1 water 2 per adjacent tile, others 1; haciendas, harvest as
 * standard. */
Test(hacienda_variants, crucible_water)
{
    start(false, false, true);
    position_pesos(&p, 0, 60);
    position_put(&p, 0, "forest A1, forest A2, pig B2");
    EXPECT_NUMBER(position_points(&p, PART_WATER, 0), 2);
    position_go(&p, 0, "buy_water shape=line hex1=B3 hex2=B4 hex3=B5");
    /* B2 touches B3, C3; A1 and A2 neither. */
    EXPECT_NUMBER(position_points(&p, PART_WATER, 0), 3);
    position_go(&p, 0, "buy_hacienda hex=B2");
    EXPECT_NUMBER(position_points(&p, PART_HACIENDAS, 0), 1);
    int32_t money = position_money(&p, 0);
    position_go(&p, 0, "harvest hex=A1");
    EXPECT_NUMBER(position_money(&p, 0), money + 6);
    EXPECT_NUMBER(position_of(&p)->chips_left, 2);
}

/* Crucible: both scorings, from stacks of 13 and 12. */
Test(hacienda_variants, crucible_stacks)
{
    start(false, false, true);
    position_pesos(&p, 0, 100);
    for (int i = 0; i < 12; i++)
        position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(position_of(&p)->half, 1);
    position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(position_of(&p)->half, 2);
    EXPECT_NUMBER(position_of(&p)->supply[STACK_ANIMALS], 12);
    EXPECT_NUMBER(position_of(&p)->due, DUE_INTERIM);
    for (int i = 0; i < 12; i++)
        position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(position_of(&p)->scored, 1);
    EXPECT_NUMBER(position_of(&p)->due, DUE_FINAL);
    position_do(&p, 0, "end_turn");
    position_do(&p, 1, "end_turn");
    cr_assert(rules_over(&p.any.state));
}

/* ---- variant2 --------------------------------------------------------- */

/* Worked examples, variant2: one animal reaching the first two markets: +3;
 * the 7th market: +7 [H23]. */
Test(hacienda_variants, variant2_markets)
{
    position_start(&p, &(struct position_table){
                           .board = "$ $ $ $ $ $ $ $ $\n"
                                    " . . . . . . . .\n"
                                    "f . . . . . . . .",
                           .variant2 = true,
                           .hand = {"forest pig*4"},
                           .keep = "pig*3",
                       });
    static const int grows[] = {1 + 2, 3, 4, 5, 6, 7};
    position_put(&p, 0, "forest C1");
    for (size_t i = 0; i < COUNT_OF(grows); i++) {
        char text[] = "pig B1";
        long before = shown_points(0);
        text[5] = (char)('1' + i);
        position_put(&p, 0, text);
        EXPECT_NUMBER(shown_points(0) - before, grows[i]);
    }
}

/* [H23] After every action every player's points are those of the position,
 * without money, which is added once at the end; bought water can give points
 * to others. */
Test(hacienda_variants, variant2_points_of_the_position)
{
    start(false, true, false);
    EXPECT_NUMBER(shown_points(0), 0);
    position_put(&p, 0, "forest A1, forest A2, forest A3");
    EXPECT_NUMBER(shown_points(0), 6);
    position_put(&p, 0, "pig B3");
    EXPECT_NUMBER(shown_points(0), 7);
    position_turn(&p, 1);
    position_do(&p, 1, "buy_water shape=double hex1=B1 hex2=B2");
    EXPECT_NUMBER(shown_points(0), 7 + 4);
    EXPECT_NUMBER(shown_points(1), 0);
}

/* The same, through to the end: no interim scoring. */
Test(hacienda_variants, variant2_has_no_interim_scoring)
{
    start(false, true, false);
    position_pesos(&p, 0, 100);
    position_put(&p, 0, "forest A1, forest A2, forest A3");
    for (int i = 0; i < 15; i++)
        position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(position_of(&p)->half, 2);
    EXPECT_NUMBER(position_of(&p)->due, DUE_NOTHING);
    position_do(&p, 0, "end_turn");
    position_do(&p, 1, "end_turn");
    EXPECT_NUMBER(position_of(&p)->scored, 0);
    EXPECT_NUMBER(shown_points(0), 6);
    for (int i = 0; i < 15; i++)
        position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(position_of(&p)->due, DUE_FINAL);
    EXPECT_NUMBER(shown_points(0), 6);
    position_do(&p, 0, "end_turn");
    position_do(&p, 1, "end_turn");
    cr_assert(rules_over(&p.any.state));
    EXPECT_NUMBER(position_total(&p, 0), 6 + 4);
    EXPECT_NUMBER(shown_points(0), 6 + 4);
    EXPECT_NUMBER(position_points(&p, PART_INTERIM, 0), 0);
}

/* Without variant2 a player has no points before a scoring, then those of
 * it. */
Test(hacienda_variants, standard_points_come_at_scorings)
{
    start(false, false, false);
    position_pesos(&p, 0, 100);
    position_put(&p, 0, "forest A1, forest A2, forest A3");
    EXPECT_NUMBER(shown_points(0), 0);
    for (int i = 0; i < 15; i++)
        position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(shown_points(0), 0);
    position_do(&p, 0, "end_turn");
    position_do(&p, 1, "end_turn");
    EXPECT_NUMBER(shown_points(0), 6 + 7);
}

/* ---- [H23] growth ----------------------------------------------------- */

/* Points of the position, without money. */
static int32_t position_worth(int seat)
{
    struct rules_score score;
    rules_score(R, &p.any.state, &score);
    return score.total[seat] - score.part[PART_MONEY][seat];
}

/* One random ply; what categories were worth may only grow. */
static bool random_ply(struct rng *rng, int seats)
{
    static struct rules_choice choice[RULES_MOVES_MAX];
    int32_t before[PARTS][HACIENDA_SEATS_MAX];
    int32_t after[PARTS][HACIENDA_SEATS_MAX];
    struct rules_events events;
    int seat = position_of(&p)->turn;

    size_t n = rules_legal(R, &p.any.state, seat, -1, choice, RULES_MOVES_MAX);
    const struct rules_move *m = &choice[rng_below(rng, (uint32_t)n)].move;
    hacienda_points(position_of(&p), before);
    cr_assert_eq(rules_apply(R, &p.any.state, seat, m, &events), RULES_OK);
    if (rules_over(&p.any.state))
        return false;
    while (p.any.state.acting == RULES_BIT(RULES_NATURE))
        position_draw(&p, -1);
    hacienda_points(position_of(&p), after);
    for (int part = PART_MARKETS; part < PART_MONEY; part++)
        for (int s = 0; s < seats; s++)
            cr_assert_geq(after[part][s], before[part][s]);
    return true;
}

/* [H23] No category ever falls, so adding each action's growth equals the
 * points of the position: random games of all four kinds. */
Test(hacienda_variants, growth_adds_up)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "growth";
    for (unsigned kind = 0; kind < 4; kind++) {
        struct rng rng;
        int32_t grown = 0;
        rng_init(&rng, seed, kind);
        position_start(&p, &(struct position_table){
                               .variant1 = kind & 1,
                               .variant2 = true,
                               .seats = 3,
                           });
        for (int seat = 0; seat < 3; seat++)
            position_pesos(&p, seat, 100);
        for (int i = 0; i < 500; i++) {
            int32_t before = position_worth(1);
            if (!random_ply(&rng, 3))
                break;
            grown += position_worth(1) - before;
            EXPECT_NUMBER(grown, shown_points(1));
        }
        cr_assert_gt(grown, 0);
    }
}

/* variant2 combines with variant1: herds count there, too. */
Test(hacienda_variants, variant2_with_variant1)
{
    start(true, true, false);
    position_put(&p, 0, "forest A1, forest A2, pig B1, pig B2");
    long before = shown_points(0);
    position_put(&p, 0, "pig B3");
    EXPECT_NUMBER(shown_points(0) - before, 3 + 1); /* the herd, water C3 */
}
