/* test_hadara_cards.c -- Hadara, the rules' chapter An epoch, where cards come
 * to players: the wheel, choosing in phase A, taking in phase B, income. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static const struct rules *const R = &hadara_rules;
static struct hd p;

/* Seats 0 and 1 draw yellow and red, as offset 0 has it. */
static void draw(const char *cards)
{
    hd_new(&p, 2, false);
    hd_want(&p, cards);
    hd_do(&p, 0, "set_wheel offset=0");
}

#define FOUR "yellow-1-01 yellow-1-10 red-1-01 red-1-08"

/* ---- the wheel -------------------------------------------------------- */

/* 1, [D3]: seat k starts at segment (k + offset) mod 5 of the ring, so no two
 * share one; then the wheel turns one segment clockwise. */
Test(hadara_cards, segments)
{
    char text[40];
    for (int offset = 0; offset < 5; offset++) {
        hd_new(&p, 5, false);
        snprintf(text, sizeof(text), "set_wheel offset=%d", offset);
        hd_do(&p, 0, text);
        for (int seat = 0; seat < 5; seat++)
            for (int step = 0; step < 5; step++)
                HD_IS(hadara_segment(hd_of(&p), seat, step),
                      (seat + offset + step) % 5);
        for (int seat = 0; seat < 5; seat++)
            HD_IS(hadara_card_color(hd_of(&p)->player[seat].drawn[0]),
                  (seat + offset) % 5);
    }
    HD_REFUSED(&p, 0, "set_wheel offset=0", "wrong_step");
    hd_new(&p, 5, false);
    HD_REFUSED(&p, 0, "set_wheel offset=5", "bad_argument");
    HD_REFUSED(&p, 1, "set_wheel offset=0", "not_your_turn");
    HD_IS(hd_legal(&p, 0, -1), 5);
}

/* Worked example: ring with yellow clockwise after red: an icon at red, after
 * the turn at yellow. */
Test(hadara_cards, yellow_after_red)
{
    hd_new(&p, 2, false);
    struct hadara *h = hd_of(&p);
    const uint8_t ring[] = {1, 0, 2, 3, 4};
    memcpy(h->ring, ring, sizeof(ring));
    h->offset = 0;
    HD_IS(hadara_segment(h, 0, 0), HUE_RED);
    HD_IS(hadara_segment(h, 0, 1), HUE_YELLOW);
}

/* Worked example: drawing 2 from red: red deck - 2; a deck is empty exactly
 * when phase A ends. */
Test(hadara_cards, decks_run_out)
{
    hd_new(&p, 3, false);
    hd_do(&p, 0, "set_wheel offset=1"); /* red, blue, green */
    HD_IS(hadara_deck(hd_of(&p), HUE_RED), 4);
    HD_IS(hadara_deck(hd_of(&p), HUE_YELLOW), 6);
    for (int step = 0; step < 5; step++) {
        int all = 0;
        for (int color = 0; color < HUES; color++)
            all += hadara_deck(hd_of(&p), color);
        HD_IS(all, 30 - 6 * (step + 1));
        for (int seat = 0; seat < 3; seat++) {
            char text[80];
            snprintf(text, sizeof(text), "choose discard=%s keep=sell",
                     hadara_card_words[hd_of(&p)->player[seat].drawn[0]]);
            hd_do(&p, seat, text);
        }
    }
    for (int color = 0; color < HUES; color++) {
        HD_IS(hadara_deck(hd_of(&p), color), 0);
        HD_IS(hd_of(&p)->piles[color], 3);
    }
}

/* Setup: in the basic game no starred card is drawn, with `advanced` all 14
 * purple cards are. */
Test(hadara_cards, stars_only_in_the_advanced_game)
{
    bool starred[2] = {false, false};
    for (int advanced = 0; advanced < 2; advanced++) {
        struct hd_table t = {
            .seats = 5,
            .stage = STAGE_WHEEL,
            .advanced = advanced,
        };
        hd_start(&p, &t);
        hd_of(&p)->offset = 0;
        hd_of(&p)->stage = STAGE_CHOOSE;
        hd_of(&p)->turn = HADARA_NOTHING;
        hd_of(&p)->draws = 4;
        p.any.state.acting = RULES_BIT(RULES_NATURE);
        HD_IS(rules_legal(R, &p.any.state, RULES_NATURE, -1, NULL, 0),
              advanced ? 14 * 13 : 10 * 9);
        for (int i = 0; i < 200; i++) {
            struct rules_move move;
            rules_chance(R, &p.any.state, &p.rng, &move);
            starred[advanced] |= hadara_effect_starred(
                hadara_standard[0].card[move.arg[1]].effect);
        }
    }
    cr_assert(!starred[0]);
    cr_assert(starred[1]);
}

/* ---- choosing --------------------------------------------------------- */

/* 2: the discarded card goes face up on its colour's pile, the bought card to
 * its owner, a sold one leaves the game; the coins follow. */
Test(hadara_cards, resolution)
{
    draw(FOUR);
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=buy");
    HD_IS(hd_coins(&p, 0), 8);
    HD_IS(hd_of(&p)->piles[HUE_YELLOW], 0);
    hd_do(&p, 1, "choose discard=red-1-08 keep=sell");
    cr_assert(hd_owns(&p, 0, "yellow-1-10"));
    HD_IS(hd_coins(&p, 0), 8 - 4);
    HD_TRACKS(&p, 0, 3 + 2, 2, 1, 4);
    HD_IS(hd_points(&p, 0), 4);
    HD_IS(hd_of(&p)->piles[HUE_YELLOW], 1);
    HD_IS(hd_of(&p)->pile[HUE_YELLOW][0], hd_card("yellow-1-01"));
    HD_IS(hd_of(&p)->player[1].cards, 0);
    HD_IS(hd_coins(&p, 1), 9 + 2);
    HD_IS(hd_of(&p)->pile[HUE_RED][0], hd_card("red-1-08"));
    HD_IS(hd_of(&p)->step, 1);
    HD_IS(hadara_card_color(hd_of(&p)->player[0].drawn[0]), HUE_RED);
}

/* Worked example: card blue-1-05: cost 3, culture 2, food 1, 2 points. */
Test(hadara_cards, blue_1_05)
{
    hd_new(&p, 2, false);
    hd_want(&p, "blue-1-05 blue-1-01 green-1-01 green-1-02");
    hd_do(&p, 0, "set_wheel offset=2");
    hd_do(&p, 0, "choose discard=blue-1-01 keep=buy");
    hd_do(&p, 1, "choose discard=green-1-01 keep=sell");
    HD_IS(hd_coins(&p, 0), 8 - 3);
    HD_TRACKS(&p, 0, 3, 2, 1 + 2, 4 + 1);
    HD_IS(hd_points(&p, 0), 2);
}

/* Choosing is refused in this order: not_drawn, too_expensive, no_tile,
 * tile_needed, tile_not_needed. */
Test(hadara_cards, refusals_of_choose)
{
    draw(FOUR);
    hd_of(&p)->player[0].coins = 3;
    HD_REFUSED(&p, 0, "choose discard=red-1-01 keep=buy", "not_drawn");
    HD_REFUSED(&p, 0, "choose discard=yellow-1-02 keep=sell", "not_drawn");
    HD_REFUSED(&p, 0, "choose discard=yellow-1-01 keep=buy", "too_expensive");
    HD_REFUSED(&p, 0, "choose discard=yellow-1-01 keep=buy tile=food",
               "too_expensive");
    HD_REFUSED(&p, 0, "choose discard=yellow-1-01 keep=sell tile=food",
               "tile_not_needed");
    HD_REFUSED(&p, 0, "choose discard=yellow-1-10 keep=buy tile=food",
               "tile_not_needed");
    HD_LEGAL(&p, 0, "choose discard=yellow-1-10 keep=buy");
    hd_of(&p)->player[0].coins = 2; /* exactly */
    HD_LEGAL(&p, 0, "choose discard=yellow-1-10 keep=buy");
    hd_of(&p)->player[0].coins = 1;
    HD_REFUSED(&p, 0, "choose discard=yellow-1-10 keep=buy", "too_expensive");
    hd_of(&p)->player[0].coins = 3;
    HD_LEGAL(&p, 0, "choose discard=yellow-1-01 keep=sell");
    HD_IS(hd_legal(&p, 0, -1), 3);
    HD_REFUSED(&p, 0, "take color=red keep=buy", "wrong_step");
    HD_REFUSED(&p, 0, "pass", "wrong_step");
}

/* Undo, [D6]: a choice is hidden and can be changed until the last player has
 * chosen; only those who have not are waited for. */
Test(hadara_cards, changing_ones_mind)
{
    draw(FOUR);
    HD_IS(p.any.state.acting, 3);
    HD_IS(p.any.state.may, 0);
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=sell");
    HD_IS(p.any.state.acting, 2);
    HD_IS(p.any.state.may, 1);
    hd_do(&p, 0, "choose discard=yellow-1-10 keep=buy");
    HD_IS(hd_of(&p)->player[0].changes, 1);
    hd_do(&p, 1, "choose discard=red-1-01 keep=sell");
    cr_assert(hd_owns(&p, 0, "yellow-1-01"));
    HD_IS(hd_of(&p)->player[0].changes, 0);
}

/* [D6] ... at most 30 times a step, so that games end. */
Test(hadara_cards, thirty_changes)
{
    draw(FOUR);
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=sell");
    for (int i = 0; i < 30; i++) {
        HD_IS(p.any.state.may, 1);
        hd_do(&p, 0,
              i % 2 ? "choose discard=yellow-1-01 keep=sell"
                    : "choose discard=yellow-1-10 keep=sell");
    }
    HD_IS(p.any.state.may, 0);
    HD_REFUSED(&p, 0, "choose discard=yellow-1-10 keep=sell", "not_your_turn");
    hd_do(&p, 1, "choose discard=red-1-01 keep=sell");
    HD_IS(p.any.state.acting, 3);
}

/* Undo: choose until the last has chosen, whatever others did; never past the
 * draws that set_wheel or the last choice brought. */
Test(hadara_cards, taking_choices_back)
{
    hd_new(&p, 3, false);
    hd_want(&p, FOUR " blue-1-01 blue-1-02");
    hd_do(&p, 0, "set_wheel offset=0");
    cr_assert_str_eq(hd_undo(&p, 0), "drawn");
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=sell");
    hd_do(&p, 1, "choose discard=red-1-01 keep=sell");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    HD_IS(p.any.state.acting, 5);
    HD_IS(hd_of(&p)->player[0].discard, HADARA_NOTHING);
    HD_IS(hd_of(&p)->player[1].discard, hd_card("red-1-01"));
    hd_do(&p, 0, "choose discard=yellow-1-10 keep=sell");
    hd_do(&p, 2, "choose discard=blue-1-01 keep=sell");
    cr_assert_str_eq(hd_undo(&p, 2), "drawn");
    cr_assert_str_neq(hd_undo(&p, 0), "yes");
}

/* Undo: the last choice of a step shows the others' choices, even when no draw
 * follows. */
Test(hadara_cards, the_last_choice_of_phase_a)
{
    hd_new(&p, 2, false);
    hd_until(&p, STAGE_CHOOSE);
    while (hd_of(&p)->step < 4)
        for (int seat = 0; seat < 2; seat++) {
            char text[80];
            snprintf(text, sizeof(text), "choose discard=%s keep=sell",
                     hadara_card_words[hd_of(&p)->player[seat].drawn[0]]);
            hd_do(&p, seat, text);
        }
    hd_until(&p, STAGE_TAKE);
    cr_assert_str_eq(hd_undo(&p, 1), "revealed");
}

/* Default move: discard the first drawn card, sell the other. */
Test(hadara_cards, default_choice)
{
    struct rules_move move;
    draw(FOUR);
    rules_default_move(R, &p.any.state, 1, &move);
    HD_IS(move.verb, CHOOSE);
    HD_IS(move.arg[0], hd_card("red-1-01"));
    HD_IS(move.arg[1], KEEP_SELL);
    HD_IS(move.arg[2], RULES_NONE);
    hd_new(&p, 2, false);
    rules_default_move(R, &p.any.state, 0, &move);
    HD_IS(move.verb, SET_WHEEL);
    HD_IS(move.arg[0], 0);
}

/* ---- costs and sales -------------------------------------------------- */

static int cost(const char *owned, const char *card)
{
    hd_start(&p, &(struct hd_table){
                     .seats = 5,
                     .stage = STAGE_COLONY,
                     .epoch = 2,
                     .player = {{.cards = owned}},
                 });
    return hadara_cost(hd_of(&p), &hd_of(&p)->player[0], hd_card(card));
}

/* Buying costs the card's cost - cards of that colour owned, never below 0:
 * cost 5 with 2 cards of the colour: pay 3. */
Test(hadara_cards, reduced_costs)
{
    HD_IS(cost("", "blue-2-03"), 5);
    HD_IS(cost("blue-1-01 blue-2-01 red-1-01", "blue-2-03"), 3);
    HD_IS(cost("blue-1-01 blue-1-02 blue-1-03 blue-1-04", "blue-2-05"), 0);
    HD_IS(cost("blue-1-01 blue-1-02 blue-1-03 blue-1-04 blue-1-05",
               "blue-2-05"),
          0);
}

static int sale(int epoch, const char *cards)
{
    hd_start(&p, &(struct hd_table){
                     .seats = 5,
                     .stage = STAGE_TAKE,
                     .epoch = epoch,
                     .player = {{.cards = cards}},
                 });
    hd_do(&p, hadara_first(hd_of(&p), epoch), "take color=red keep=sell");
    return hd_coins(&p, hadara_first(hd_of(&p), epoch));
}

/* Selling gives 2, 3, 4 coins in epoch I, II, III. */
Test(hadara_cards, sales)
{
    HD_IS(sale(1, ""), 2);
    HD_IS(sale(2, ""), 3);
    HD_IS(sale(3, ""), 4);
}

/* ---- phase B ---------------------------------------------------------- */

static void phase_b(int seats, int epoch, const char *piles)
{
    hd_start(&p, &(struct hd_table){
                     .seats = seats,
                     .stage = STAGE_TAKE,
                     .epoch = epoch,
                     .piles = piles,
                     .player = {{.coins = 9}, {.coins = 9}, {.coins = 9}},
                 });
}

/* Phase B 1: take the top card of any pile and buy or sell it; a sold one was
 * seen by all. */
Test(hadara_cards, taking)
{
    phase_b(3, 1, "green-1-05 red-1-02");
    hd_do(&p, 0, "take color=green keep=buy");
    cr_assert(hd_owns(&p, 0, "green-1-05"));
    HD_IS(hd_coins(&p, 0), 6);
    HD_IS(hd_of(&p)->piles[HUE_GREEN], 2);
    int next = hd_of(&p)->pile[HUE_GREEN][1];
    hd_do(&p, 1, "take color=red keep=sell");
    HD_IS(hd_coins(&p, 1), 11);
    bool gone = false;
    for (int i = 0; i < hd_of(&p)->gones[0]; i++)
        gone |= hd_of(&p)->gone[0][i] == hd_card("red-1-02");
    cr_assert(gone);
    hd_do(&p, 2, "take color=green keep=sell");
    HD_IS(hd_of(&p)->piles[HUE_GREEN], 1);
    cr_assert_neq(hd_of(&p)->pile[HUE_GREEN][0], next);
    cr_assert(hd_acts(&p, 0));
}

/* Taking is refused in this order: pile_empty, too_expensive, ... */
Test(hadara_cards, refusals_of_take)
{
    phase_b(2, 1, "green-1-01 red-1-02");
    HD_REFUSED(&p, 1, "take color=red keep=buy", "not_your_turn");
    hd_of(&p)->player[0].coins = 3;
    HD_REFUSED(&p, 0, "take color=green keep=buy", "too_expensive");
    HD_REFUSED(&p, 0, "take color=green keep=buy tile=food", "too_expensive");
    HD_REFUSED(&p, 0, "take color=red keep=buy tile=food", "tile_not_needed");
    HD_REFUSED(&p, 0, "take color=red keep=sell tile=food", "tile_not_needed");
    HD_REFUSED(&p, 0, "take color=red", "bad_argument");
    hd_do(&p, 0, "take color=green keep=sell");
    hd_do(&p, 1, "take color=green keep=sell");
    HD_REFUSED(&p, 0, "take color=green keep=buy tile=food", "pile_empty");
}

/* Phase B: from the first player clockwise until none are left, 5 each; then
 * income, and nobody is ever skipped. */
Test(hadara_cards, five_each)
{
    phase_b(3, 2, "");
    for (int i = 0; i < 15; i++) {
        HD_IS(hd_of(&p)->turn, (1 + i) % 3);
        HD_IS(hd_of(&p)->stage, STAGE_TAKE);
        hd_until(&p, STAGE_TAKE);
        char text[40];
        int color = 0;
        while (hd_of(&p)->piles[color] == 0)
            color++;
        snprintf(text, sizeof(text), "take color=%s keep=sell",
                 hadara_color_words[color]);
        hd_do(&p, (1 + i) % 3, text);
    }
    cr_assert_neq(hd_of(&p)->stage, STAGE_TAKE);
    for (int seat = 0; seat < 3; seat++)
        HD_IS(hd_coins(&p, seat), 9 + 5 * 3 + hd_track(&p, seat, 0));
}

/* Default move: take and sell from the first pile of the ring that has a
 * card. */
Test(hadara_cards, default_take)
{
    struct rules_move move;
    phase_b(2, 1, "");
    hd_do(&p, 0, "take color=yellow keep=sell");
    hd_do(&p, 1, "take color=yellow keep=sell");
    rules_default_move(R, &p.any.state, 0, &move);
    HD_IS(move.verb, TAKE);
    HD_IS(move.arg[0], HUE_RED);
    HD_IS(move.arg[1], KEEP_SELL);
}

/* Undo: take until another player has moved. */
Test(hadara_cards, taking_back_what_was_taken)
{
    phase_b(2, 1, "");
    hd_do(&p, 0, "take color=yellow keep=sell");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
    HD_IS(hd_of(&p)->piles[HUE_YELLOW], 2);
    hd_do(&p, 0, "take color=yellow keep=sell");
    hd_do(&p, 1, "take color=yellow keep=sell");
    cr_assert_str_eq(hd_undo(&p, 0), "others_moved");
    cr_assert_str_eq(hd_undo(&p, 1), "yes");
    cr_assert_str_eq(hd_undo(&p, 0), "yes");
}

/* ---- income ----------------------------------------------------------- */

/* 3: coins equal to the income track, everybody: income 12: + 12 coins. */
Test(hadara_cards, income)
{
    hd_start(&p,
             &(struct hd_table){
                 .seats = 3,
                 .stage = STAGE_TAKE,
                 .epoch = 2,
                 .player = {{.cards = "yellow-2-02 yellow-2-06 yellow-2-09"}},
             });
    HD_IS(hd_track(&p, 0, TRACK_INCOME), 12);
    int sold = 0;
    while (hd_of(&p)->stage == STAGE_TAKE) {
        int color = 0, seat = hd_of(&p)->turn;
        char text[40];
        while (hd_of(&p)->piles[color] == 0)
            color++;
        snprintf(text, sizeof(text), "take color=%s keep=sell",
                 hadara_color_words[color]);
        sold += seat == 0 ? 3 : 0;
        hd_do(&p, seat, text);
    }
    HD_IS(hd_coins(&p, 0), 12 + sold);
    HD_IS(hd_coins(&p, 1), 2 + sold);
    HD_IS(hd_coins(&p, 2), 3 + sold);
}
