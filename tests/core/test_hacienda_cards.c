/* test_hacienda_cards.c -- Hacienda: displays and stacks, the land discards
 * [H6], the tile limits [H7] and slots [H14]. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/hacienda_position.h"

static const struct rules *const R = &hacienda_rules;

static struct position p;

#define SMALL "f f f . .\n f f . . $\nf f f . ."

static const uint8_t *display(enum hacienda_stack of)
{
    return position_of(&p)->display[of];
}

static void expect_display(enum hacienda_stack of, int a, int b, int c, int d)
{
    const int wanted[] = {a, b, c, d};
    for (int slot = 0; slot < 4; slot++)
        EXPECT_NUMBER(display(of)[slot], wanted[slot]);
}

static int discards(void)
{
    int n = 0;
    for (int card = 0; card < LAND_CARDS; card++)
        n += position_of(&p)->discard[card];
    return n;
}

enum {
    F = CARD_FOREST,
    M = CARD_MOUNTAIN,
    E = CARD_MEADOW,
    K = CARD_ROCKS,
    S = CARD_SWAMP,
    P = CARD_PAMPAS,
    NO = HACIENDA_NOBODY
};

/* ---- displays --------------------------------------------------------- */

/* [H14] Of equal display cards the one in the first slot is taken; the new
 * card lies in the same slot. */
Test(hacienda_cards, first_slot_is_taken)
{
    position_start(&p, &(struct position_table){
                           .board = SMALL,
                           .display = "forest swamp swamp swamp "
                                      "pig sheep horse sheep",
                       });
    position_next(&p, "rocks");
    position_do(&p, 0, "buy_land_display card=swamp");
    expect_display(STACK_LAND, F, K, S, S);
    position_next(&p, "swamp");
    position_do(&p, 0, "buy_land_display card=swamp");
    expect_display(STACK_LAND, F, K, S, S);
    position_next(&p, "cattle");
    position_do(&p, 0, "buy_animal_display card=sheep");
    expect_display(STACK_ANIMALS, CARD_PIG, CARD_CATTLE, CARD_HORSE,
                   CARD_SHEEP);
}

/* A turn: the refill comes off the supply, one card for one; the other display
 * and a purchase from a supply leave the displays alone. */
Test(hacienda_cards, refill_takes_one_card)
{
    position_start(&p, &(struct position_table){
                           .board = SMALL,
                           .display = "forest swamp pig sheep",
                       });
    const struct hacienda *h = position_of(&p);
    position_do(&p, 0, "buy_land_display card=swamp");
    EXPECT_NUMBER(h->supply[STACK_LAND], 59);
    EXPECT_NUMBER(h->supply[STACK_ANIMALS], 15);
    EXPECT_NUMBER(h->player[0].known[S], 1);
    position_do(&p, 0, "buy_animal_display card=pig");
    EXPECT_NUMBER(h->supply[STACK_LAND], 59);
    EXPECT_NUMBER(h->supply[STACK_ANIMALS], 14);
    uint8_t before[STACKS][HACIENDA_SLOTS];
    memcpy(before, h->display, sizeof(before));
    position_do(&p, 0, "buy_animal_supply");
    cr_assert_arr_eq(before, h->display, sizeof(before));
}

/* Crucible: three cards lie face up, after a purchase, too. */
Test(hacienda_cards, crucible_has_three_slots)
{
    position_start(&p, &(struct position_table){
                           .crucible = true,
                           .display = "swamp*3 pig*3",
                       });
    position_next(&p, "forest");
    position_do(&p, 0, "buy_land_display card=swamp");
    expect_display(STACK_LAND, F, S, S, NO);
    position_next(&p, "sheep");
    position_do(&p, 0, "buy_animal_display card=pig");
    expect_display(STACK_ANIMALS, CARD_SHEEP, CARD_PIG, CARD_PIG, NO);
    EXPECT_NUMBER(position_of(&p)->supply[STACK_LAND], 34);
}

/* A turn: played cards go to the discards, of animals, too. */
Test(hacienda_cards, played_cards_are_discarded)
{
    position_start(&p, &(struct position_table){
                           .board = SMALL,
                           .hand = {"forest*3 pig"},
                       });
    position_put(&p, 0, "forest A3, pig A4");
    EXPECT_NUMBER(position_of(&p)->discard[F], 1);
    EXPECT_NUMBER(position_of(&p)->discard[CARD_PIG], 1);
}

/* ---- [H6] land cards run out ------------------------------------------ */

/* A table on which LEFT land cards are in the supply and none is discarded:
 * seat 1 holds the others. */
static void almost_out(int left, const char *shown)
{
    position_start(&p, &(struct position_table){
                           .board = SMALL,
                           .hand = {"forest*8 cattle"},
                           .display = shown,
                           .keep = "rocks*4",
                       });
    struct hacienda *h = position_of(&p);
    for (int card = 0; card < LAND_CARDS; card++)
        while (h->supply[STACK_LAND] > left && hacienda_unseen(h, card) > 0 &&
               (card != K || hacienda_unseen(h, card) > left)) {
            h->player[1].known[card]++;
            h->supply[STACK_LAND]--;
        }
    cr_assert(position_valid(&p));
    EXPECT_NUMBER(h->supply[STACK_LAND], left);
    position_pesos(&p, 0, 50);
}

/* [H6] The discards are not shuffled when the last card is drawn, but when the
 * next one is needed: they are the new supply then, less that card. */
Test(hacienda_cards, discards_become_the_supply)
{
    almost_out(1, "swamp*2 meadow*2");
    const struct hacienda *h = position_of(&p);
    position_put(&p, 0, "forest A1, forest A2");
    position_next(&p, "rocks");
    position_do(&p, 0, "buy_land_supply");
    EXPECT_NUMBER(h->supply[STACK_LAND], 0);
    EXPECT_NUMBER(discards(), 2);
    cr_assert_null(position_event(&p.events, EV_SHUFFLED, 0));
    position_turn(&p, 0);

    position_next(&p, "forest");
    position_do(&p, 0, "buy_land_supply");
    cr_assert_not_null(position_event(&p.events, EV_SHUFFLED, 0));
    EXPECT_NUMBER(h->supply[STACK_LAND], 1);
    EXPECT_NUMBER(discards(), 0);
    EXPECT_NUMBER(h->player[0].unknown[F], 7);
    cr_assert(position_valid(&p));
}

/* [H6] Only what was discarded can be drawn then; animals' discards are
 * another matter. */
Test(hacienda_cards, only_discards_are_drawn)
{
    almost_out(0, "swamp*2 meadow*2");
    position_put(&p, 0, "forest A1, forest A2, forest A3");
    position_turn(&p, 0);
    struct rules_move move = RULES_MOVE(BUY_LAND_SUPPLY, RULES_NONE,
                                        RULES_NONE, RULES_NONE);
    struct rules_events events;
    rules_apply(R, &p.any.state, 0, &move, &events);
    for (int card = 0; card < CARDS; card++) {
        move = RULES_MOVE(NATURE_DEAL, 0, card, RULES_NONE);
        EXPECT_NUMBER(rules_check(R, &p.any.state, RULES_NATURE, &move) ==
                          RULES_OK,
                      card == F);
    }
}

/* [H6] A refill, too, is drawn from the discards; the animals' stay. */
Test(hacienda_cards, refill_from_discards)
{
    almost_out(0, "swamp*2 meadow*2");
    position_put(&p, 0, "forest A1, forest A3, cattle A4");
    position_turn(&p, 0);
    position_next(&p, "forest");
    position_do(&p, 0, "buy_land_display card=meadow");
    EXPECT_NUMBER(position_of(&p)->discard[CARD_CATTLE], 1);
    expect_display(STACK_LAND, S, S, F, E);
    EXPECT_NUMBER(position_of(&p)->supply[STACK_LAND], 1);
    EXPECT_NUMBER(discards(), 0);
}

/* [H6] If there are no discards either, the slot stays empty; display cards
 * can still be bought; the supply cannot. */
Test(hacienda_cards, slot_stays_empty)
{
    almost_out(0, "swamp*2 meadow*2");
    position_do(&p, 0, "buy_land_display card=swamp");
    expect_display(STACK_LAND, NO, S, E, E);
    EXPECT_NUMBER(p.any.state.acting, 1);
    EXPECT_REFUSAL(&p, 0, "buy_land_supply", "supply_empty");
    position_do(&p, 0, "buy_land_display card=meadow");
    expect_display(STACK_LAND, NO, S, NO, E);
    EXPECT_LEGAL(&p, 0, "buy_land_display card=swamp");
    cr_assert(position_valid(&p));
}

/* [H6] Each later land purchase ends by filling empty slots as far as there
 * are cards: playing a card does not, buying from the supply does, and so does
 * buying from the display. */
Test(hacienda_cards, later_purchases_fill_slots)
{
    almost_out(0, "swamp*2 meadow*2");
    position_do(&p, 0, "buy_land_display card=swamp");
    position_do(&p, 0, "buy_land_display card=meadow");
    position_do(&p, 0, "play_land card=forest hex=A1");
    expect_display(STACK_LAND, NO, S, NO, E);
    position_turn(&p, 0);
    position_do(&p, 0, "play_land card=forest hex=A2");
    position_do(&p, 0, "play_land card=forest hex=A3");
    expect_display(STACK_LAND, NO, S, NO, E);
    position_do(&p, 0, "buy_animal_supply");
    expect_display(STACK_LAND, NO, S, NO, E);
    position_turn(&p, 0);

    position_do(&p, 0,
                "buy_land_supply"); /* one of three; two for the slots */
    expect_display(STACK_LAND, F, S, F, E);
    EXPECT_NUMBER(position_of(&p)->supply[STACK_LAND], 0);
    position_do(&p, 0, "buy_land_display card=swamp");
    expect_display(STACK_LAND, F, NO, F, E);
    position_do(&p, 0, "play_land card=forest hex=C1");
    position_turn(&p, 0);
    position_do(&p, 0, "play_land card=forest hex=C2");
    position_do(&p, 0, "buy_land_display card=meadow");
    expect_display(STACK_LAND, F, F, F, F);
}

/* [H6] [H14] With fewer cards than empty slots, the bought card's slot is
 * refilled at once, before those that were empty. */
Test(hacienda_cards, own_slot_first)
{
    almost_out(0, "swamp*2 meadow*2");
    position_do(&p, 0, "buy_land_display card=swamp");
    position_do(&p, 0, "play_land card=forest hex=A1");
    position_do(&p, 0, "buy_land_display card=meadow");
    expect_display(STACK_LAND, NO, S, F, E);
    cr_assert(position_valid(&p));
}

/* [H6] The supply's last card goes into the hand before slots are filled. */
Test(hacienda_cards, hand_before_slots)
{
    almost_out(0, "swamp*2 meadow*2");
    position_do(&p, 0, "buy_land_display card=swamp");
    position_do(&p, 0, "play_land card=forest hex=A1");
    position_do(&p, 0, "buy_land_supply");
    expect_display(STACK_LAND, NO, S, E, E);
    EXPECT_NUMBER(hacienda_hand(position_of(&p), 0, STACK_LAND), 9);
}

/* ---- animals run out -------------------------------------------------- */

/* [H6] Used animal cards never come back: with the second stack gone, display
 * cards can still be bought but are not replaced. */
Test(hacienda_cards, animals_run_out)
{
    position_start(&p, &(struct position_table){
                           .board = SMALL,
                           .hand = {"forest*2 pig*4"},
                           .display = "pig*2 sheep*2",
                       });
    position_put(&p, 0, "forest A3, pig A4");
    position_turn(&p, 0);
    position_empty(&p, 1, STACK_ANIMALS);
    position_do(&p, 0, "buy_animal_display card=pig");
    expect_display(STACK_ANIMALS, NO, CARD_PIG, CARD_SHEEP, CARD_SHEEP);
    EXPECT_REFUSAL(&p, 0, "buy_animal_supply", "supply_empty");
    EXPECT_NUMBER(p.any.state.acting, 1);
    EXPECT_NUMBER(position_of(&p)->discard[CARD_PIG], 1);
    cr_assert(position_valid(&p));
}

/* Rounds and scorings: a refill that takes the first stack's last card is
 * drawn from it, the next one from the second stack, used at once. */
Test(hacienda_cards, second_stack_at_once)
{
    position_start(&p, &(struct position_table){.board = SMALL});
    const struct hacienda *h = position_of(&p);
    position_pesos(&p, 0, 100);
    for (int i = 0; i < 14; i++)
        position_go(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(h->supply[STACK_ANIMALS], 1);
    EXPECT_NUMBER(h->half, 1);
    EXPECT_NUMBER(h->aside, 15);
    position_do(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(h->supply[STACK_ANIMALS], 15);
    EXPECT_NUMBER(h->half, 2);
    EXPECT_NUMBER(h->aside, 0);
    cr_assert_not_null(position_event(&p.events, EV_SECOND_STACK, 0));
    position_turn(&p, 0);
    position_do(&p, 0, "buy_animal_supply");
    EXPECT_NUMBER(h->supply[STACK_ANIMALS], 14);
}

/* ---- [H7] tile limits ------------------------------------------------- */

#define WIDE \
    ". . . . . . . . . . . .\n" \
    " . . . . . . . . . . . .\n" \
    "f . . . . . . . . . . . $\n" \
    " . . . . . . . . . . . .\n"

/* Puts N tiles of one animal in a row from PLACE on, as WIDE is laid out. */
static void put_row(const char *animal, char row, int from, int n)
{
    char text[40];
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof(text), "%s %c%d", animal, row, from + i);
        position_put(&p, 0, text);
    }
}

/* [H7] Per player at most 15 of each animal; `no_tile_left` comes after
 * `not_in_hand` and before `wrong_space`. */
Test(hacienda_cards, fifteen_of_an_animal)
{
    position_start(&p, &(struct position_table){
                           .board = WIDE,
                           .seats = 5,
                           .hand = {"forest pig*4"},
                           .keep = "pig*14 sheep*4",
                       });
    position_pesos(&p, 0, 100);
    position_put(&p, 0, "forest C1");
    put_row("pig", 'B', 1, 11);
    put_row("pig", 'D', 1, 3);
    EXPECT_NUMBER(position_of(&p)->animals[0][CARD_PIG - LAND_CARDS], 14);
    position_turn(&p, 0);
    position_next(&p, "pig*2 sheep");
    position_do(&p, 0, "buy_animal_supply");
    position_do(&p, 0, "buy_animal_supply");
    EXPECT_LEGAL(&p, 0, "play_animal card=pig hex=D4");
    position_put(&p, 0, "pig D4");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=D5", "no_tile_left");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=C1", "no_tile_left");
    EXPECT_REFUSAL(&p, 0, "play_animal card=sheep hex=C1", "not_in_hand");
    position_do(&p, 0, "buy_animal_supply");
    EXPECT_LEGAL(&p, 0, "play_animal card=sheep hex=C2");
    cr_assert(position_valid(&p));
}

/* [H7] Per player at most 30 animal tiles, of whatever kinds. */
Test(hacienda_cards, thirty_animals)
{
    position_start(&p, &(struct position_table){
                           .board = WIDE,
                           .seats = 5,
                           .hand = {"forest pig*4", "cattle horse"},
                           .keep = "pig*14 sheep*12 horse*6 cattle",
                       });
    position_pesos(&p, 0, 100);
    position_put(&p, 0, "forest C1");
    put_row("pig", 'B', 1, 12);
    put_row("horse", 'C', 2, 6);
    put_row("sheep", 'D', 1, 11);
    EXPECT_NUMBER(position_of(&p)->animals[0][0], 0);
    position_turn(&p, 0);
    position_next(&p, "sheep pig");
    position_do(&p, 0, "buy_animal_supply");
    position_do(&p, 0, "play_animal card=sheep hex=D12");
    position_do(&p, 0, "buy_animal_supply");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=A1", "no_tile_left");
    EXPECT_REFUSAL(&p, 0, "play_animal card=cattle hex=A1", "not_in_hand");
    /* The others have theirs. */
    EXPECT_LEGAL(&p, 0, "end_turn");
    cr_assert(position_valid(&p));
}

#define TERRAINS \
    "m m m m m m m m m m m m m m\n" \
    " f f f f f f f f f f f f f f\n" \
    "e e e e e e e e e e e e e e\n" \
    " r r r r r r r r r r r r r r\n" \
    "s s s s s s s s s s s s s s\n" \
    " . . . . . . . . . . . . . .\n" \
    ". . . . . . . . . . . . . . $"

/* Plays a land card somewhere if SEAT has one, else buys one. */
static void lay_land(int seat)
{
    static struct rules_choice choice[RULES_MOVES_MAX];
    size_t n = rules_legal(R, &p.any.state, seat, PLAY_LAND, choice,
                           RULES_MOVES_MAX);
    char text[RULES_TEXT_MAX];
    if (n == 0) {
        position_go(&p, seat, "buy_land_supply");
        return;
    }
    snprintf(text, sizeof(text), "play_land card=%s hex=",
             hacienda_card_words[choice[0].move.arg[0]]);
    board_hex_write(position_of(&p)->cols, position_of(&p)->rows,
                    choice[0].move.arg[1], text + strlen(text), 8);
    position_go(&p, seat, text);
}

/* [H7] At most 80 land tiles on the board, all players' together; that is
 * `no_tile_left`, before `wrong_space`. */
Test(hacienda_cards, eighty_land_tiles)
{
    position_start(&p,
                   &(struct position_table){.board = TERRAINS, .seats = 5});
    const struct hacienda *h = position_of(&p);
    for (int seat = 0; seat < 5; seat++)
        position_pesos(&p, seat, 200);
    while (h->lands < 80) {
        int seat = h->turn;
        while (h->turn == seat && h->actions < 3 && h->lands < 80)
            lay_land(seat);
        position_turn(&p, (seat + 1) % 5);
    }
    int seat = h->turn;
    position_next(&p, "pampas");
    position_go(&p, seat, "buy_land_supply");
    EXPECT_REFUSAL(&p, seat, "play_land card=pampas hex=G1", "no_tile_left");
    EXPECT_REFUSAL(&p, seat, "play_land card=pampas hex=A1", "no_tile_left");
    EXPECT_NUMBER(position_legal(&p, seat, PLAY_LAND), 0);
    EXPECT_NUMBER(h->lands, 80);
    cr_assert(position_valid(&p));
}
