/* test_hacienda_markets.c -- Hacienda, the rules' Markets: what a market pays
 * for an animal, with the worked examples; variant1's pay. */

#include <criterion/criterion.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/hacienda_position.h"

static struct position p;

/* Plays CARD on HEX and returns what it brought. */
static int32_t pay(int seat, const char *play)
{
    position_turn(&p, seat);
    int32_t before = position_money(&p, seat);
    position_put(&p, seat, play);
    return position_money(&p, seat) - before;
}

/* Worked examples, market: beside a chain of 3 a pig that reaches no market
 * brings 0; a second one at a market 5 (2 + 3); a third at another side of it
 * 6 (3 + 3); still one market. */
Test(hacienda_markets, example_market)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f . $ .\n"
                                    " . . . . . .",
                           .hand = {"forest*3 pig*3"},
                       });
    position_put(&p, 0, "forest A1, forest A2, forest A3");
    EXPECT_NUMBER(pay(0, "pig B3"), 0);
    EXPECT_NUMBER(position_points(&p, PART_MARKETS, 0), 0);
    EXPECT_NUMBER(pay(0, "pig B4"), 5);
    EXPECT_NUMBER(position_points(&p, PART_MARKETS, 0), 1);
    EXPECT_NUMBER(pay(0, "pig B5"), 6);
    EXPECT_NUMBER(position_points(&p, PART_MARKETS, 0), 1);
}

/* Worked examples, merge: one pig at one market side joins herds to 6 that
 * touch chains of 2 and 3: +11. */
Test(hacienda_markets, example_merge)
{
    position_start(&p, &(struct position_table){
                           .board = "f f . . . . f f f\n"
                                    " . . . . . . . . .\n"
                                    ". . . . $ . . . .",
                           .hand = {"forest*5 pig*4"},
                       });
    position_put(&p, 0,
                 "forest A1, forest A2, forest A7, forest A8, "
                 "forest A9");
    EXPECT_NUMBER(pay(0, "pig A3"), 0);
    EXPECT_NUMBER(pay(0, "pig B3"), 0);
    EXPECT_NUMBER(pay(0, "pig A6"), 0);
    position_pesos(&p, 0, 40);
    position_put(&p, 0, "pig A5, pig B6");
    EXPECT_NUMBER(position_of(&p)->animals[0][CARD_PIG - LAND_CARDS], 5);
    position_next(&p, "pig");
    position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(pay(0, "pig B4"), 11);
}

/* Markets: a market side pays for a herd of one, too: 1 + land. */
Test(hacienda_markets, herd_of_one)
{
    position_start(&p, &(struct position_table){
                           .board = "f . $\n . . .",
                           .hand = {"forest pig"},
                       });
    position_put(&p, 0, "forest A1");
    EXPECT_NUMBER(pay(0, "pig A2"), 2);
}

/* Markets: growing a herd elsewhere pays nothing, and land played later does
 * not either. */
Test(hacienda_markets, growing_elsewhere_pays_nothing)
{
    position_start(&p, &(struct position_table){
                           .board = "f f . $ .\n . . . . .\n. . . . .",
                           .hand = {"forest*2 pig*3"},
                       });
    position_put(&p, 0, "forest A2");
    EXPECT_NUMBER(pay(0, "pig A3"), 2);
    EXPECT_NUMBER(pay(0, "pig B2"), 0);
    EXPECT_NUMBER(pay(0, "pig C2"), 0);
    EXPECT_NUMBER(pay(0, "forest A1"), 0);
}

/* Markets: each market adjacent to the space pays: two at once, twice. */
Test(hacienda_markets, two_markets_pay_twice)
{
    position_start(&p, &(struct position_table){
                           .board = "f f . $ .\n . . $ . .",
                           .hand = {"forest*2 pig*3"},
                       });
    position_put(&p, 0, "forest A1, forest A2");
    EXPECT_NUMBER(pay(0, "pig A3"), 6);
    EXPECT_NUMBER(position_points(&p, PART_MARKETS, 0), 3);
    cr_assert_not_null(position_event(&p.action, EV_MARKET_PAID, 1));
    cr_assert_null(position_event(&p.action, EV_MARKET_PAID, 2));
}

/* Markets: a side with land or water before it never pays; the animal next to
 * the land does not touch the market. */
Test(hacienda_markets, side_closed_by_land)
{
    position_start(&p, &(struct position_table){
                           .board = "f . f $\n . . . .",
                           .hand = {"forest*2 pig*3"},
                       });
    position_put(&p, 0, "forest A1, forest A3");
    EXPECT_NUMBER(pay(0, "pig A2"), 0);
    EXPECT_NUMBER(position_points(&p, PART_MARKETS, 0), 0);
    EXPECT_NUMBER(pay(0, "pig B2"), 0);
    /* ... all the connected land: two lone tiles. */
    EXPECT_NUMBER(pay(0, "pig B3"), 5);
}

/* Connected land of a herd: all own tiles in chains touching it, each counted
 * once, though the herd touches the chain in several places; a lone tile
 * counts, another's land and own land elsewhere do not. */
Test(hacienda_markets, connected_land)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f f . f\n"
                                    " . . . . . $\n"
                                    "m . . . . .",
                           .hand = {"forest*5 pig*4", "mountain pampas"},
                       });
    position_put(&p, 0, "forest A1, forest A2, forest A3, forest A6");
    position_turn(&p, 1);
    position_put(&p, 1, "mountain C1, pampas C2");
    position_put(&p, 0, "pig B2, pig B3, pig B4");
    /* 4 pigs, a chain of 3, the lone A6; not the mountains below. */
    EXPECT_NUMBER(pay(0, "pig B5"), 4 + 3 + 1);
    EXPECT_NUMBER(position_of(&p)->chain_tiles[0], 3);
}

/* [H15] A herd is of one animal: others' and own animals of another kind next
 * to it count neither as herd nor bring land. */
Test(hacienda_markets, herd_of_one_kind)
{
    position_start(&p, &(struct position_table){
                           .board = "f f . . $\n . . . . .\nm . . . .",
                           .hand = {"forest*2 pig sheep*3", "mountain pig"},
                       });
    position_put(&p, 0, "forest A1, forest A2, sheep A3, sheep B3");
    position_turn(&p, 1);
    position_put(&p, 1, "mountain C1, pig B1");
    EXPECT_NUMBER(pay(0, "pig B2"), 0);
    EXPECT_NUMBER(pay(0, "sheep B4"), 3 + 2);
    position_next(&p, "pig");
    position_do(&p, 0, "buy_animal_supply");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=C4", "not_adjacent");
    EXPECT_LEGAL(&p, 0, "play_animal card=pig hex=C3");
}

/* Markets: the player of the animal gets the pay, and the pay is in pesos of
 * the moment; a side paid to one can be next to one paid to another. */
Test(hacienda_markets, both_players_at_one_market)
{
    position_start(&p, &(struct position_table){
                           .board = "f . $ . m\n . . . . .",
                           .hand = {"forest pig", "mountain pig"},
                       });
    position_put(&p, 0, "forest A1, pig A2");
    EXPECT_NUMBER(position_money(&p, 0), 22);
    position_turn(&p, 1);
    position_put(&p, 1, "mountain A5, pig A4");
    EXPECT_NUMBER(position_money(&p, 1), 22);
    EXPECT_NUMBER(position_money(&p, 0), 22);
    EXPECT_NUMBER(position_points(&p, PART_MARKETS, 0), 1);
    EXPECT_NUMBER(position_points(&p, PART_MARKETS, 1), 1);
}

/* ---- variant1 --------------------------------------------------------- */

/* Worked examples, variant1 pay: 2 animals x 1 adjacent land: 2. */
Test(hacienda_markets, variant1_two_by_one)
{
    position_start(&p, &(struct position_table){
                           .board = "f . . $\n . . . .",
                           .variant1 = true,
                           .hand = {"forest pig*2"},
                       });
    position_put(&p, 0, "forest A1, pig A2");
    EXPECT_NUMBER(pay(0, "pig A3"), 2);
}

/* Worked examples, variant1 pay: beside a chain of 4, 2 of it adjacent: 4. */
Test(hacienda_markets, variant1_chain_of_four)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f f $\n . . . . .",
                           .variant1 = true,
                           .hand = {"forest*4 pig*2"},
                       });
    position_put(&p, 0, "forest A1, forest A2, forest A3, forest A4, pig B3");
    /* B3 touches A3 and A4; B4 touches A4, which counts once. */
    EXPECT_NUMBER(pay(0, "pig B4"), 4);
}

/* Worked examples, variant1 pay: beside a chain of 6, 3 adjacent: 6; later the
 * herd is joined to another one, and all 6 are adjacent to the 4 animals: 24. */
Test(hacienda_markets, variant1_merge)
{
    position_start(&p, &(struct position_table){
                           .board = "- f f f f -\n"
                                    " f . . . f\n"
                                    "- . . $ . -",
                           .variant1 = true,
                           .hand = {"forest*6 pig*4"},
                       });
    position_put(&p, 0,
                 "forest B1, forest A2, forest A3, forest A4, "
                 "forest A5, forest B5, pig B2");
    EXPECT_NUMBER(position_of(&p)->chain_tiles[0], 6);
    EXPECT_NUMBER(pay(0, "pig C3"), 6);
    EXPECT_NUMBER(pay(0, "pig B4"), 3); /* a herd of its own so far */
    EXPECT_NUMBER(pay(0, "pig B3"), 24);
}

/* ... the first animal of a herd lay next to own land, so the pay is never
 * 0. */
Test(hacienda_markets, variant1_never_zero)
{
    position_start(&p, &(struct position_table){
                           .board = "f . . . $\n . . . . .",
                           .variant1 = true,
                           .hand = {"forest pig*4"},
                       });
    position_put(&p, 0, "forest A1, pig A2, pig A3");
    EXPECT_NUMBER(pay(0, "pig A4"), 3);
}

/* Crucible: market pay as variant1. */
Test(hacienda_markets, crucible_pays_the_product)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "crucible";
    static struct rules_choice choice[RULES_MOVES_MAX];
    struct rng rng;
    int paid = 0;

    rng_init(&rng, seed, 0);
    position_start(&p, &(struct position_table){.crucible = true});
    struct hacienda *h = position_of(&p);
    /* Plays at random and compares each payment with the product. */
    for (int i = 0; i < 3000 && !rules_over(&p.any.state); i++) {
        int seat = h->turn;
        size_t n = rules_legal(&hacienda_rules, &p.any.state, seat, -1, choice,
                               RULES_MOVES_MAX);
        const struct rules_move *m =
            &choice[rng_below(&rng, (uint32_t)n)].move;
        rules_apply(&hacienda_rules, &p.any.state, seat, m, &p.action);
        while (p.any.state.acting == RULES_BIT(RULES_NATURE))
            position_draw(&p, -1);
        const struct rules_event *e = position_event(&p.action, EV_MARKET_PAID,
                                                     0);
        if (e == NULL)
            continue;
        int herd = 0, lands = 0;
        uint8_t in[BOARD_HEXES_MAX] = {0};
        int16_t hex[BOARD_HEXES_MAX];
        hex[herd++] = m->arg[1];
        in[m->arg[1]] = 1;
        for (int at = 0; at < herd; at++) {
            int to;
            for (struct board_walk w = board_walk(&h->steps, h->near, hex[at]);
                 board_walk_next(&w, &to);) {
                if (in[to] || h->owner[to] != seat)
                    continue;
                if (h->tile[to] == TILE_LAND)
                    lands += in[to] = 1;
                else if (h->tile[to] == h->tile[m->arg[1]])
                    in[to] = 1, hex[herd++] = (int16_t)to;
            }
        }
        EXPECT_NUMBER(e->arg[1], herd * lands);
        paid++;
    }
    cr_assert_gt(paid, 3);
}
