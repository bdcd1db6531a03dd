/* test_hacienda_undo.c -- Hacienda, Undo and [H26]. */

#include <criterion/criterion.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/hacienda_position.h"

static const struct rules *const R = &hacienda_rules;

static struct position p;

static void start(bool variant1)
{
    position_start(&p,
                   &(struct position_table){
                       .board = "f f f . $ .\n"
                                " . . . . . .\n"
                                "m m . . . .",
                       .variant1 = variant1,
                       .hand = {"forest*3 pampas*2 pig*4", "mountain*2 pig"},
                       .display = "forest swamp pig sheep",
                   });
}

static uint64_t hash(void)
{
    return rules_hash(R, &p.any.state);
}

/* Undo: each undo takes back the last action; everything is restored exactly:
 * money, once-per-turn rights, tiles, cards.  Every action but purchases of
 * cards, one by one. */
Test(hacienda_undo, every_other_action)
{
    static const char *const actions[] = {
        "play_land card=forest hex=A3",
        "play_land card=pampas hex=B1",
        "play_animal card=pig hex=A4",
        "play_animal card=pig hex=B1",
        "buy_hacienda hex=A1",
        "harvest hex=A2",
        "buy_water shape=single hex1=B5",
        "buy_water shape=triangle hex1=B4 hex2=B5 hex3=C5",
    };
    for (size_t i = 0; i < COUNT_OF(actions); i++) {
        start(false);
        position_put(&p, 0,
                     i == 2 ? "forest A2, forest A3" : "forest A1, forest A2");
        position_turn(&p, 0);
        uint64_t before = hash();
        position_do(&p, 0, actions[i]);
        cr_assert_neq(hash(), before);
        cr_assert_str_eq(position_undo(&p, 0), "yes");
        cr_assert_eq(hash(), before);
        EXPECT_LEGAL(&p, 0, actions[i]);
    }
}

/* Undo: action by action, back to the beginning of the turn and no further. */
Test(hacienda_undo, three_steps_back)
{
    static const char *const actions[] = {
        "play_land card=forest hex=A3",
        "buy_hacienda hex=A3",
        "play_animal card=pig hex=A4",
    };
    uint64_t before[COUNT_OF(actions)];

    start(false);
    position_turn(&p, 1);
    position_put(&p, 1, "mountain C1");
    position_turn(&p, 0);
    for (size_t i = 0; i < COUNT_OF(actions); i++) {
        before[i] = hash();
        position_do(&p, 0, actions[i]);
    }
    EXPECT_NUMBER(position_money(&p, 0), 20 - 12 + 2);
    for (size_t i = COUNT_OF(actions); i-- > 0;) {
        cr_assert_str_eq(position_undo(&p, 0), "yes");
        cr_assert_eq(hash(), before[i]);
    }
    cr_assert_str_eq(position_undo(&p, 0), "others_moved");
}

/* [H26] All four card purchases are final. */
Test(hacienda_undo, card_purchases_are_final)
{
    static const char *const buys[] = {
        "buy_land_supply",
        "buy_land_display card=swamp",
        "buy_animal_supply",
        "buy_animal_display card=sheep",
    };
    for (size_t i = 0; i < COUNT_OF(buys); i++) {
        start(false);
        position_do(&p, 0, "play_land card=forest hex=A1");
        position_do(&p, 0, buys[i]);
        cr_assert(p.action.flags & RULES_FINAL);
        cr_assert_str_eq(position_undo(&p, 0), "drawn");
        /* What comes after it can be taken back: up to the purchase. */
        position_do(&p, 0, "play_land card=forest hex=A2");
        cr_assert_str_eq(position_undo(&p, 0), "yes");
        cr_assert_str_eq(position_undo(&p, 0), "drawn");
    }
}

/* [H26] ... even if nothing was refilled. */
Test(hacienda_undo, purchase_without_refill_is_final)
{
    static const char *const buys[] = {"buy_land_display card=swamp",
                                       "buy_animal_display card=sheep"};
    for (enum hacienda_stack of = STACK_LAND; of < STACKS; of++) {
        start(false);
        position_empty(&p, 1, of);
        position_do(&p, 0, buys[of]);
        EXPECT_NUMBER(p.events.flags & RULES_DREW, 0);
        cr_assert_str_eq(position_undo(&p, 0), "final");
    }
}

/* Undo: end_turn is final. */
Test(hacienda_undo, end_turn_is_final)
{
    start(false);
    position_do(&p, 0, "play_land card=forest hex=A1");
    position_do(&p, 0, "end_turn");
    cr_assert_str_eq(position_undo(&p, 0), "final");
    cr_assert_str_neq(position_undo(&p, 1), "yes");
}

/* Undo: only one's own turn. */
Test(hacienda_undo, only_ones_own)
{
    start(false);
    position_do(&p, 0, "play_land card=forest hex=A1");
    cr_assert_str_eq(position_undo(&p, 1), "others_moved");
}

/* Undo: once-per-turn rights come back: to buy another hacienda and water. */
Test(hacienda_undo, once_per_turn_rights)
{
    start(false);
    position_put(&p, 0, "forest A1, forest A2");
    position_turn(&p, 0);
    position_do(&p, 0, "buy_hacienda hex=A1");
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=A2", "once_per_turn");
    cr_assert_str_eq(position_undo(&p, 0), "yes");
    position_do(&p, 0, "harvest hex=A1");
    cr_assert_str_eq(position_undo(&p, 0), "yes");
    EXPECT_LEGAL(&p, 0, "harvest hex=A2");
    position_do(&p, 0, "buy_water shape=single hex1=B5");
    cr_assert_str_eq(position_undo(&p, 0), "yes");
    EXPECT_LEGAL(&p, 0, "buy_water shape=double hex1=B5 hex2=B6");
    position_do(&p, 0, "buy_hacienda hex=A2");
    EXPECT_NUMBER(position_money(&p, 0), 8);
    EXPECT_NUMBER(position_of(&p)->actions, 1);
}

/* Undo: whether the card counts as hidden [H25]: a known card played and taken
 * back is known, a hidden one hidden, and tells others no more than before. */
Test(hacienda_undo, hidden_stays_hidden)
{
    const struct hacienda_player *hand;
    start(false);
    position_do(&p, 0, "buy_land_display card=forest");
    hand = &position_of(&p)->player[0];
    position_do(&p, 0, "play_land card=forest hex=A1");
    EXPECT_NUMBER(hand->known[CARD_FOREST], 0);
    position_do(&p, 0, "play_land card=forest hex=A2");
    EXPECT_NUMBER(hand->unknown[CARD_FOREST], 2);
    cr_assert_str_eq(position_undo(&p, 0), "yes");
    EXPECT_NUMBER(hand->unknown[CARD_FOREST], 3);
    EXPECT_NUMBER(hand->secrets[STACK_LAND], 8);
    EXPECT_NUMBER(hand->known[CARD_FOREST], 0);
    cr_assert_str_eq(position_undo(&p, 0), "yes");
    EXPECT_NUMBER(hand->known[CARD_FOREST], 1);
    EXPECT_NUMBER(hand->unknown[CARD_FOREST], 3);
}

/* Undo: the chip's old place, in the supply or on an opponent's tile. */
Test(hacienda_undo, chip_goes_back)
{
    start(false);
    position_put(&p, 0, "forest A1, forest A2");
    uint64_t before = hash();
    position_do(&p, 0, "harvest hex=A1");
    cr_assert_str_eq(position_undo(&p, 0), "yes");
    cr_assert_eq(hash(), before);
    EXPECT_NUMBER(position_of(&p)->chips_left, 8);

    position_chips_out(&p);
    position_turn(&p, 1);
    before = hash();
    position_do(&p, 1, "harvest hex=C13 from=A5");
    EXPECT_NUMBER(position_of(&p)->chip[position_hex(&p, "A5")], 0);
    cr_assert_str_eq(position_undo(&p, 1), "yes");
    cr_assert_eq(hash(), before);
    EXPECT_NUMBER(position_of(&p)->chip[position_hex(&p, "A5")], 1);
}

/* Undo, of any sequence of random actions: back to the last purchase, and the
 * state is that of then, bit by bit; the states on the way, too. */
Test(hacienda_undo, random_turns)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "undo";
    static struct rules_choice choice[RULES_MOVES_MAX];
    struct rng rng;
    int undone = 0;

    rng_init(&rng, seed, 0);
    start(true);
    for (int i = 0; i < 150 && !rules_over(&p.any.state); i++) {
        uint64_t before = hash();
        int seat = position_of(&p)->turn;
        size_t n = rules_legal(R, &p.any.state, seat, -1, choice,
                               RULES_MOVES_MAX);
        const struct rules_move *m =
            &choice[rng_below(&rng, (uint32_t)n)].move;
        bool buys = m->verb <= BUY_ANIMAL_DISPLAY || m->verb == END_TURN;
        struct rules_ply ply = {(uint16_t)seat, *m};
        cr_assert_eq(rules_apply(R, &p.any.state, seat, m, &p.events),
                     RULES_OK);
        p.log[p.plies] = ply;
        p.done[p.plies++] = (struct rules_done){(uint16_t)seat,
                                                p.events.flags};
        while (p.any.state.acting == RULES_BIT(RULES_NATURE))
            position_draw(&p, -1);
        if (buys) {
            cr_assert_str_neq(position_undo(&p, seat), "yes");
        } else if (rng_below(&rng, 2) == 0) {
            cr_assert_str_eq(position_undo(&p, seat), "yes");
            cr_assert_eq(hash(), before);
            undone++;
        }
    }
    cr_assert_gt(undone, 10);
}
