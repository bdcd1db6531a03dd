/* test_hacienda_harvest.c -- Hacienda, the move harvest: chains [H5], chips
 * that lie where they lie [H16], and chips taken from others. */

#include <criterion/criterion.h>

#include "core/games/hacienda/parts.h"
#include "tests/support/hacienda_position.h"

static struct position p;

#define BOARD \
    "f f f . m m m m\n" \
    " f f f . m m m m\n" \
    ". . . . . . . .\n" \
    " f f f f . e e $"

static void start(void)
{
    position_start(&p, &(struct position_table){
                           .board = BOARD,
                           .hand = {"forest*6 pampas*2 pig*4",
                                    "mountain*7 meadow*1 cattle*4"},
                           .keep = "mountain*3",
                       });
}

static int chip(const char *hex)
{
    return position_of(&p)->chip[position_hex(&p, hex)];
}

/* Worked examples, harvest: a chain of 7: +21; again: `chain_has_chip`. */
Test(hacienda_harvest, example_chain_of_seven)
{
    start();
    position_put(&p, 0,
                 "forest A1, forest A2, forest A3, forest B1, "
                 "forest B2, forest B3, pampas C2");
    position_turn(&p, 0);
    position_do(&p, 0, "harvest hex=B2");
    EXPECT_NUMBER(position_money(&p, 0), 41);
    EXPECT_NUMBER(chip("B2"), 1);
    EXPECT_NUMBER(position_of(&p)->chips_left, 7);
    EXPECT_NUMBER(position_of(&p)->harvested, 1);
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "harvest hex=A1", "chain_has_chip");
    EXPECT_REFUSAL(&p, 0, "harvest hex=B2", "chain_has_chip");
}

/* A turn, harvest: 3 pesos per land tile of the chain, pampas included, herds
 * and other chains not; two tiles are a chain [H5]. */
Test(hacienda_harvest, three_pesos_a_tile)
{
    start();
    position_put(&p, 0, "forest A1, forest B1, pig C1, forest D3");
    position_turn(&p, 0);
    position_do(&p, 0, "harvest hex=A1");
    EXPECT_NUMBER(position_money(&p, 0), 26);
    position_put(&p, 0, "pampas C4");
    position_turn(&p, 0);
    position_do(&p, 0, "harvest hex=C4");
    EXPECT_NUMBER(position_money(&p, 0), 32);
}

/* [H9] The bank never runs dry: all the bills of the box are 672 pesos. */
Test(hacienda_harvest, bank_never_runs_dry)
{
    start();
    position_put(&p, 0, "forest A1, forest A2");
    position_pesos(&p, 0, 400);
    position_pesos(&p, 1, 400);
    position_do(&p, 0, "harvest hex=A1");
    EXPECT_NUMBER(position_money(&p, 0), 406);
    cr_assert(position_valid(&p));
}

/* A turn, harvest: once per turn, on another chain, too; then again. */
Test(hacienda_harvest, once_per_turn)
{
    start();
    position_put(&p, 0, "forest A1, forest A2, forest D1, forest D2");
    position_turn(&p, 0);
    position_do(&p, 0, "harvest hex=A1");
    EXPECT_REFUSAL(&p, 0, "harvest hex=D1", "once_per_turn");
    position_turn(&p, 0);
    EXPECT_LEGAL(&p, 0, "harvest hex=D1");
}

/* A turn, harvest: `once_per_turn` `not_your_land` `no_chain`
 * `chain_has_chip` `from_not_allowed`, each before the next ones. */
Test(hacienda_harvest, refusals_with_chips_left)
{
    start();
    position_turn(&p, 1);
    position_put(&p, 1, "mountain A5, mountain A6");
    position_go(&p, 1, "harvest hex=A5");
    position_put(&p, 0,
                 "forest A1, forest A2, forest D4, forest D2, "
                 "forest D1");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "harvest hex=A5 from=A5", "not_your_land");
    EXPECT_REFUSAL(&p, 0, "harvest hex=A3", "not_your_land");
    EXPECT_REFUSAL(&p, 0, "harvest hex=D8", "not_your_land");
    EXPECT_REFUSAL(&p, 0, "harvest hex=D4 from=A5", "no_chain");
    EXPECT_REFUSAL(&p, 0, "harvest hex=A2 from=A5", "from_not_allowed");
    EXPECT_REFUSAL(&p, 0, "harvest hex=A2 from=C8", "from_not_allowed");
    position_do(&p, 0, "harvest hex=A2");
    EXPECT_REFUSAL(&p, 0, "harvest hex=A5 from=A5", "once_per_turn");
    EXPECT_REFUSAL(&p, 0, "harvest hex=A2", "once_per_turn");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "harvest hex=A1 from=A5", "chain_has_chip");
    EXPECT_LEGAL(&p, 0, "harvest hex=D1");
}

/* An own animal tile is not land: `not_your_land`. */
Test(hacienda_harvest, not_on_animals)
{
    position_start(&p, &(struct position_table){
                           .board = "f . . $",
                           .hand = {"forest pig*2"},
                       });
    position_put(&p, 0, "forest A1, pig A2");
    EXPECT_REFUSAL(&p, 0, "harvest hex=A2", "not_your_land");
}

/* ---- no chip left ----------------------------------------------------- */

/* A turn, harvest: if there is none to take, no harvest: `no_chip_left`, with
 * and without `from`, after `chain_has_chip` and before the rest. */
Test(hacienda_harvest, none_to_take)
{
    position_chips_out(&p);
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "harvest hex=A1", "chain_has_chip");
    EXPECT_REFUSAL(&p, 0, "harvest hex=C10", "no_chip_left");
    EXPECT_REFUSAL(&p, 0, "harvest hex=C10 from=A1", "no_chip_left");
    EXPECT_REFUSAL(&p, 0, "harvest hex=C10 from=C13", "no_chip_left");
    EXPECT_NUMBER(position_legal(&p, 0, HARVEST), 0);
}

/* A turn, harvest: with the supply empty, `from` names an opponent's land
 * tile, any, whose chip is taken: `from_needed` and `no_chip_there`, own chips
 * being none. */
Test(hacienda_harvest, chips_of_others)
{
    position_chips_out(&p);
    position_turn(&p, 1);
    EXPECT_REFUSAL(&p, 1, "harvest hex=C13", "from_needed");
    EXPECT_REFUSAL(&p, 1, "harvest hex=C13 from=A1", "ok");
    EXPECT_REFUSAL(&p, 1, "harvest hex=C13 from=A2", "no_chip_there");
    EXPECT_REFUSAL(&p, 1, "harvest hex=C13 from=A6", "no_chip_there");
    EXPECT_REFUSAL(&p, 1, "harvest hex=C13 from=C13", "no_chip_there");
    EXPECT_NUMBER(position_legal(&p, 1, HARVEST), 4 * 8);
    int32_t money = position_money(&p, 1), others = position_money(&p, 0);
    position_do(&p, 1, "harvest hex=C14 from=A5");
    EXPECT_NUMBER(position_money(&p, 1), money + 6);
    EXPECT_NUMBER(position_money(&p, 0), others);
    EXPECT_NUMBER(chip("A5"), 0);
    EXPECT_NUMBER(chip("C14"), 1);
    EXPECT_NUMBER(position_of(&p)->chips_left, 0);
    const struct rules_event *e = position_event(&p.action, EV_HARVESTED, 0);
    EXPECT_NUMBER(e->arg[2], position_hex(&p, "A5"));
    cr_assert(position_valid(&p));

    /* One's own chip is none to take; and the robbed chain earns again. */
    position_turn(&p, 1);
    EXPECT_REFUSAL(&p, 1, "harvest hex=E1 from=C14", "no_chip_there");
    position_do(&p, 1, "buy_land_supply");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "harvest hex=A4", "from_needed");
    EXPECT_REFUSAL(&p, 0, "harvest hex=A4 from=A1", "no_chip_there");
    money = position_money(&p, 0);
    position_do(&p, 0, "harvest hex=A4 from=C14");
    EXPECT_NUMBER(position_money(&p, 0), money + 6);
}

/* [H16] When chains merge, haciendas and chips stay where they lie; the chain
 * with several chips cannot be harvested, new tiles included; once opponents
 * have taken the last, it can again, for all its tiles. */
Test(hacienda_harvest, merged_chains)
{
    position_chips_out(&p);
    position_turn(&p, 0);
    position_pesos(&p, 0, 50);
    position_do(&p, 0, "buy_hacienda hex=A1");
    position_turn(&p, 0);
    position_do(&p, 0, "buy_hacienda hex=A5");
    position_put(&p, 0, "pampas A3");
    EXPECT_NUMBER(chip("A1") + chip("A5"), 2);
    EXPECT_NUMBER(position_of(&p)->hacienda[position_hex(&p, "A1")], 1);
    EXPECT_NUMBER(position_of(&p)->hacienda[position_hex(&p, "A5")], 1);
    EXPECT_NUMBER(position_points(&p, PART_HACIENDAS, 0), 5);
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "harvest hex=A3", "chain_has_chip");
    position_do(&p, 0, "buy_land_supply");

    position_turn(&p, 1);
    position_do(&p, 1, "harvest hex=C13 from=A1");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "harvest hex=A3 from=C13", "chain_has_chip");
    EXPECT_REFUSAL(&p, 0, "harvest hex=A1 from=C13", "chain_has_chip");
    position_do(&p, 0, "buy_land_supply");
    position_turn(&p, 1);
    position_do(&p, 1, "harvest hex=E2 from=A5");
    position_turn(&p, 0);
    int32_t money = position_money(&p, 0);
    position_do(&p, 0, "harvest hex=A3 from=E2");
    EXPECT_NUMBER(position_money(&p, 0), money + 15);
    EXPECT_NUMBER(chip("E2"), 0);
    EXPECT_NUMBER(chip("A3"), 1);
    cr_assert(position_valid(&p));
}

/* [H16] A chain of two and one without a chip: the chip counts for all. */
Test(hacienda_harvest, chip_counts_for_new_tiles)
{
    start();
    position_put(&p, 0, "forest A1, forest A2");
    position_go(&p, 0, "harvest hex=A1");
    position_put(&p, 0, "forest B3, forest A3");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "harvest hex=B3", "chain_has_chip");
}
