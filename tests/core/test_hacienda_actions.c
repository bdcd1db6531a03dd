/* test_hacienda_actions.c -- Hacienda, the rules' table A turn: what a turn
 * is, what each move costs and does, and every refusal of each verb in the
 * order of the table. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hacienda_position.h"

static const struct rules *const R = &hacienda_rules;

static struct position p;

/* C4 is the pampas in the middle; D7 and E1 touch no forest. */
#define BOARD \
    "f f f . . $ .\n" \
    " f f . . . . .\n" \
    "m m . . . . ~\n" \
    " e s r . . . .\n" \
    "$ . . . . . ."

#define HAND "forest*6 pampas*2 pig*4"

static void start(void)
{
    position_start(&p, &(struct position_table){
                           .board = BOARD,
                           .hand = {HAND, "mountain*3 meadow swamp cattle"},
                           .display = "rocks rocks swamp meadow "
                                      "sheep sheep horse cattle",
                       });
}

static int actions(void)
{
    return position_of(&p)->actions;
}

static int hand(int seat, enum hacienda_stack of)
{
    return hacienda_hand(position_of(&p), seat, of);
}

/* ---- a turn ----------------------------------------------------------- */

/* A turn, [H12]: up to three actions; a turn never ends by itself: after the
 * third only end_turn is left. */
Test(hacienda_actions, three_actions_and_no_end)
{
    start();
    for (int i = 0; i < 3; i++) {
        EXPECT_NUMBER(actions(), i);
        cr_assert_gt(position_legal(&p, 0, -1), 1);
        EXPECT_LEGAL(&p, 0, "end_turn");
        position_do(&p, 0, "buy_land_supply");
    }
    EXPECT_NUMBER(actions(), 3);
    EXPECT_NUMBER(position_of(&p)->turn, 0);
    EXPECT_NUMBER(position_legal(&p, 0, -1), 1);
    EXPECT_NUMBER(position_legal(&p, 0, END_TURN), 1);
    position_do(&p, 0, "end_turn");
    EXPECT_NUMBER(position_of(&p)->turn, 1);
    EXPECT_NUMBER(actions(), 0);
}

/* A turn: end_turn is possible after 0, 1, 2 or 3 actions, and the default
 * move. */
Test(hacienda_actions, end_turn_after_any_number)
{
    for (int done = 0; done <= 3; done++) {
        struct rules_move move;
        start();
        for (int i = 0; i < done; i++)
            position_do(&p, 0, "buy_land_supply");
        rules_default_move(R, &p.any.state, 0, &move);
        EXPECT_NUMBER(move.verb, END_TURN);
        position_do(&p, 0, "end_turn");
        EXPECT_NUMBER(position_of(&p)->turn, 1);
    }
}

/* A turn: each move but end_turn is one action, and what it costs. */
Test(hacienda_actions, one_action_each_and_its_cost)
{
    static const struct {
        const char *move;
        int pesos;
    } row[] = {
        {"buy_land_supply", -2},
        {"buy_land_display card=swamp", -3},
        {"buy_animal_supply", -2},
        {"buy_animal_display card=horse", -3},
        {"buy_hacienda hex=A2", -12},
        {"buy_water shape=single hex1=D7", -12},
        {"buy_water shape=double hex1=D6 hex2=D7", -12},
        {"buy_water shape=triangle hex1=D6 hex2=D7 hex3=E7", -12},
        {"buy_water shape=line hex1=E5 hex2=E6 hex3=E7", -12},
        {"play_land card=forest hex=B1", 0},
        {"play_land card=pampas hex=B3", 0},
        {"play_animal card=pig hex=B3", 0},
        {"harvest hex=A2", 6},
    };
    for (size_t i = 0; i < COUNT_OF(row); i++) {
        start();
        position_put(&p, 0, "forest A2, forest A3");
        position_turn(&p, 0);
        EXPECT_NUMBER(position_money(&p, 0), 20);
        position_do(&p, 0, row[i].move);
        EXPECT_NUMBER(actions(), 1);
        EXPECT_NUMBER(position_money(&p, 0), 20 + row[i].pesos);
        EXPECT_NUMBER(position_money(&p, 1), 20);
        cr_assert(position_valid(&p));
    }
}

/* A turn: actions in any order; income comes at once and may be spent in the
 * same turn. */
Test(hacienda_actions, income_at_once)
{
    start();
    position_put(&p, 0, "forest A1, forest A2");
    position_turn(&p, 0);
    position_do(&p, 0, "buy_water shape=single hex1=D7");
    position_do(&p, 0, "buy_animal_display card=sheep");
    position_do(&p, 0, "buy_animal_display card=sheep");
    position_turn(&p, 0);
    position_do(&p, 0, "buy_land_supply");
    EXPECT_NUMBER(position_money(&p, 0), 0);
    EXPECT_REFUSAL(&p, 0, "buy_land_supply", "too_expensive");
    position_do(&p, 0, "harvest hex=A1");
    EXPECT_NUMBER(position_money(&p, 0), 6);
    position_do(&p, 0, "buy_land_supply");
    EXPECT_NUMBER(position_money(&p, 0), 4);
}

/* Material: nobody can pay more than they have; all that they have they
 * can. */
Test(hacienda_actions, pays_to_the_last_peso)
{
    static const struct {
        const char *buy;
        int pesos;
    } row[] = {
        {"buy_land_supply", 2},      {"buy_land_display card=rocks", 3},
        {"buy_animal_supply", 2},    {"buy_animal_display card=sheep", 3},
        {"buy_hacienda hex=A1", 12}, {"buy_water shape=single hex1=D7", 12},
    };
    for (size_t i = 0; i < COUNT_OF(row); i++) {
        start();
        position_put(&p, 0, "forest A1");
        position_pesos(&p, 0, row[i].pesos - 1);
        EXPECT_REFUSAL(&p, 0, row[i].buy, "too_expensive");
        position_pesos(&p, 0, row[i].pesos);
        position_do(&p, 0, row[i].buy);
        EXPECT_NUMBER(position_money(&p, 0), 0);
    }
}

/* ---- what comes before ------------------------------------------------ */

/* A turn: a word or hex that does not exist is a bad argument, before
 * everything else -- even with no action left. */
Test(hacienda_actions, bad_arguments_before_everything)
{
    static const char *const bad[] = {
        "buy_land_display card=gold",
        "buy_land_display card=pig",
        "buy_land_display",
        "buy_animal_display card=forest",
        "buy_animal_display card=water",
        "buy_land_supply card=forest",
        "buy_hacienda hex=A8",
        "buy_hacienda hex=F1",
        "buy_hacienda",
        "buy_hacienda hex=A0",
        "buy_water shape=round hex1=A4",
        "buy_water shape=single",
        "buy_water hex1=A4",
        "buy_water shape=single hex1=Z9",
        "buy_water shape=double hex1=A4 hex2=A9",
        "buy_water shape=line hex1=A4 hex2=A5 hex3=?",
        "play_land card=cattle hex=A1",
        "play_land card=forest hex=A9",
        "play_land card=forest",
        "play_land hex=A1",
        "play_animal card=forest hex=A4",
        "play_animal card=lama hex=A4",
        "play_animal card=pig hex=a4",
        "harvest",
        "harvest hex=Q1",
        "harvest hex=A1 from=Q1",
        "end_turn hex=A1",
        "harvest hex=?",
    };
    start();
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < COUNT_OF(bad); i++)
            EXPECT_REFUSAL(&p, 0, bad[i], "bad_argument");
        EXPECT_REFUSAL(&p, 0, "sell_land", "unknown_verb");
        EXPECT_REFUSAL(&p, 0, "deal seat=0 card=pig", "unknown_verb");
        while (actions() < 3)
            position_do(&p, 0, "buy_land_supply");
    }
}

/* The same as numbers: hexes and cards out of range, and those that are absent
 * or hidden where they must not be. */
Test(hacienda_actions, bad_numbers)
{
    static const int16_t odd[] = {-1, 1000, RULES_NONE, RULES_HIDDEN,
                                  INT16_MAX};
    start();
    for (int done = 0; done < 2; done++) {
        for (size_t i = 0; i < COUNT_OF(odd); i++) {
            struct rules_move moves[] = {
                RULES_MOVE(PLAY_LAND, CARD_FOREST, odd[i], RULES_NONE),
                RULES_MOVE(PLAY_LAND, odd[i], 0, RULES_NONE),
                RULES_MOVE(PLAY_ANIMAL, odd[i], 0, RULES_NONE),
                RULES_MOVE(BUY_LAND_DISPLAY, odd[i], RULES_NONE, RULES_NONE),
                RULES_MOVE(BUY_WATER, SHAPE_SINGLE, odd[i], RULES_NONE),
                RULES_MOVE(BUY_WATER, odd[i], 3, RULES_NONE),
                RULES_MOVE(HARVEST, odd[i], RULES_NONE, RULES_NONE),
            };
            for (size_t m = 0; m < COUNT_OF(moves); m++)
                EXPECT_NUMBER(rules_check(R, &p.any.state, 0, &moves[m]),
                              RULES_BAD_ARGUMENT);
        }
        while (actions() < 3)
            position_do(&p, 0, "buy_land_supply");
    }
}

/* A turn: absent hex2, hex3, from are "none", not hex 0. */
Test(hacienda_actions, absent_is_not_hex_0)
{
    struct rules_move move;
    start();
    position_put(&p, 0, "forest A1, forest A2");
    position_read(&p, "harvest hex=A2", &move);
    EXPECT_NUMBER(move.arg[1], RULES_NONE);
    EXPECT_NUMBER(position_hex(&p, "A1"), 0);
    EXPECT_LEGAL(&p, 0, "harvest hex=A2");
    EXPECT_REFUSAL(&p, 0, "harvest hex=A2 from=A1", "from_not_allowed");
    EXPECT_LEGAL(&p, 0, "buy_water shape=single hex1=A4");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=single hex1=A4 hex2=A1",
                   "wrong_shape");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=A4", "wrong_shape");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=A4 hex2=A5 hex3=A1",
                   "wrong_shape");
}

/* A turn: before all others comes no_actions_left. */
Test(hacienda_actions, no_actions_left_before_the_rest)
{
    static const char *const moves[] = {
        "buy_land_supply",
        "buy_land_display card=forest",
        "buy_land_display card=rocks",
        "buy_animal_supply",
        "buy_animal_display card=pig",
        "buy_animal_display card=sheep",
        "buy_hacienda hex=E1",
        "buy_hacienda hex=A1",
        "buy_water shape=single hex1=E1",
        "buy_water shape=single hex1=D7",
        "play_land card=rocks hex=A1",
        "play_land card=forest hex=B1",
        "play_animal card=cattle hex=A1",
        "play_animal card=pig hex=B3",
        "harvest hex=E1",
        "harvest hex=A1",
    };
    start();
    position_put(&p, 0, "forest A1, forest A2, forest A3");
    for (size_t i = 0; i < COUNT_OF(moves); i++)
        EXPECT_REFUSAL(&p, 0, moves[i], "no_actions_left");
    EXPECT_LEGAL(&p, 0, "end_turn");
}

/* ---- buying cards ----------------------------------------------------- */

/* A turn, buy_land_supply and buy_animal_supply: the top card into the hand,
 * known to nobody else. */
Test(hacienda_actions, buy_from_supply)
{
    static const char *const verb[] = {"buy_land_supply", "buy_animal_supply"};
    static const char *const card[] = {"mountain", "horse"};
    for (int stack = 0; stack < STACKS; stack++) {
        start();
        struct hacienda *h = position_of(&p);
        int supply = h->supply[stack], held = hand(0, stack);
        int kind = position_card(card[stack]);
        int had = h->player[0].unknown[kind];
        position_next(&p, card[stack]);
        position_do(&p, 0, verb[stack]);
        EXPECT_NUMBER(h->supply[stack], supply - 1);
        EXPECT_NUMBER(hand(0, stack), held + 1);
        EXPECT_NUMBER(h->player[0].unknown[kind], had + 1);
        EXPECT_NUMBER(h->player[0].known[kind], 0);
    }
}

/* A turn, buy_land_supply: `supply_empty` (the discards are empty, too) comes
 * before `too_expensive`. */
Test(hacienda_actions, buy_land_supply_refusals)
{
    start();
    position_pesos(&p, 0, 1);
    EXPECT_REFUSAL(&p, 0, "buy_land_supply", "too_expensive");
    position_empty(&p, 1, STACK_LAND);
    EXPECT_REFUSAL(&p, 0, "buy_land_supply", "supply_empty");
    position_do(&p, 0, "play_land card=forest hex=A1");
    EXPECT_REFUSAL(&p, 0, "buy_land_supply", "too_expensive");
    position_pesos(&p, 0, 2);
    EXPECT_LEGAL(&p, 0, "buy_land_supply");
}

/* A turn, buy_animal_supply: `supply_empty` before `too_expensive`; used
 * animal cards never come back. */
Test(hacienda_actions, buy_animal_supply_refusals)
{
    start();
    position_pesos(&p, 0, 1);
    EXPECT_REFUSAL(&p, 0, "buy_animal_supply", "too_expensive");
    position_put(&p, 0, "forest A3, pig B3");
    position_empty(&p, 1, STACK_ANIMALS);
    EXPECT_REFUSAL(&p, 0, "buy_animal_supply", "supply_empty");
    position_pesos(&p, 0, 20);
    EXPECT_REFUSAL(&p, 0, "buy_animal_supply", "supply_empty");
}

/* A turn, buy_land_display and buy_animal_display: `not_in_display` before
 * `too_expensive`. */
Test(hacienda_actions, buy_display_refusals)
{
    start();
    position_pesos(&p, 0, 2);
    EXPECT_REFUSAL(&p, 0, "buy_land_display card=forest", "not_in_display");
    EXPECT_REFUSAL(&p, 0, "buy_land_display card=rocks", "too_expensive");
    EXPECT_REFUSAL(&p, 0, "buy_animal_display card=pig", "not_in_display");
    EXPECT_REFUSAL(&p, 0, "buy_animal_display card=sheep", "too_expensive");
    position_pesos(&p, 0, 3);
    EXPECT_REFUSAL(&p, 0, "buy_land_display card=forest", "not_in_display");
    EXPECT_LEGAL(&p, 0, "buy_land_display card=rocks");
    EXPECT_LEGAL(&p, 0, "buy_animal_display card=sheep");
}

/* A turn: a display's slot is refilled at once; the new card may be bought by
 * the next action.  Cards may be bought several times per turn. */
Test(hacienda_actions, refilled_card_can_be_bought)
{
    start();
    EXPECT_REFUSAL(&p, 0, "buy_land_display card=forest", "not_in_display");
    position_next(&p, "forest");
    position_do(&p, 0, "buy_land_display card=swamp");
    position_next(&p, "mountain");
    position_do(&p, 0, "buy_land_display card=forest");
    position_next(&p, "pig");
    position_do(&p, 0, "buy_animal_display card=cattle");
    position_turn(&p, 0);
    EXPECT_LEGAL(&p, 0, "buy_animal_display card=pig");
    EXPECT_NUMBER(position_money(&p, 0), 20 - 9);
}

/* ---- haciendas -------------------------------------------------------- */

/* A turn, buy_hacienda: `once_per_turn` `supply_empty` `too_expensive`
 * `not_your_tile` `has_hacienda`, each before all that follow. */
Test(hacienda_actions, buy_hacienda_refusals)
{
    start();
    position_put(&p, 0, "forest A1, forest B1");
    position_turn(&p, 1);
    position_put(&p, 1, "mountain C1");
    position_turn(&p, 0);
    position_pesos(&p, 0, 100);
    position_do(&p, 0, "buy_hacienda hex=A1");

    position_pesos(&p, 0, 11);
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=C1", "once_per_turn");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=C1", "too_expensive");
    position_pesos(&p, 0, 12);
    static const char *const not_his[] = {"C1", "A2", "C3", "C7", "E1"};
    for (size_t i = 0; i < COUNT_OF(not_his); i++) {
        char text[40] = "buy_hacienda hex=";
        EXPECT_REFUSAL(&p, 0, strcat(text, not_his[i]), "not_your_tile");
    }
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=A1", "has_hacienda");
    EXPECT_LEGAL(&p, 0, "buy_hacienda hex=B1");
}

/* ... while the supply lasts: five for two players, `supply_empty` coming
 * after `once_per_turn` and before the rest. */
Test(hacienda_actions, haciendas_run_out)
{
    static const char *const hex[] = {"A1", "A2", "A3", "B1", "B2"};
    char text[40];
    start();
    position_put(&p, 0,
                 "forest A1, forest A2, forest A3, forest B1, "
                 "forest B2, pampas B3");
    for (size_t i = 0; i < COUNT_OF(hex); i++) {
        position_turn(&p, 0);
        position_pesos(&p, 0, 12);
        strcat(strcpy(text, "buy_hacienda hex="), hex[i]);
        position_do(&p, 0, text);
        EXPECT_NUMBER(position_of(&p)->haciendas_left, 4 - i);
    }
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=B3", "once_per_turn");
    position_turn(&p, 0);
    EXPECT_NUMBER(position_money(&p, 0), 0);
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=B3", "supply_empty");
    position_pesos(&p, 0, 12);
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=C1", "supply_empty");
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=B3", "supply_empty");
}

/* A turn, buy_hacienda: on an own land or animal tile without hacienda; a
 * harvest chip on it does not matter; once per turn, then again. */
Test(hacienda_actions, hacienda_on_land_animal_or_chip)
{
    start();
    position_put(&p, 0, "forest A2, forest A3, pig B3");
    position_go(&p, 0, "harvest hex=A3");
    position_pesos(&p, 0, 40);
    position_do(&p, 0, "buy_hacienda hex=A3");
    EXPECT_NUMBER(position_of(&p)->chip[position_hex(&p, "A3")], 1);
    EXPECT_NUMBER(position_of(&p)->hacienda[position_hex(&p, "A3")], 1);
    EXPECT_REFUSAL(&p, 0, "buy_hacienda hex=B3", "once_per_turn");
    position_turn(&p, 0);
    position_do(&p, 0, "buy_hacienda hex=B3");
    EXPECT_NUMBER(position_of(&p)->hacienda[position_hex(&p, "B3")], 1);
    EXPECT_NUMBER(position_money(&p, 0), 40 - 24);
}

/* [H3] A second hacienda on the same chain or herd is allowed. */
Test(hacienda_actions, second_hacienda_on_a_chain_or_herd)
{
    start();
    position_put(&p, 0, "forest A2, forest A3, pig B3, pig C4");
    position_pesos(&p, 0, 48);
    position_go(&p, 0, "buy_hacienda hex=A2");
    position_turn(&p, 0);
    position_do(&p, 0, "buy_hacienda hex=A3");
    position_turn(&p, 0);
    position_do(&p, 0, "buy_hacienda hex=B3");
    position_turn(&p, 0);
    position_do(&p, 0, "buy_hacienda hex=C4");
    EXPECT_NUMBER(position_money(&p, 0), 0);
}

/* A turn: both once-per-turn purchases and a harvest fit into one turn. */
Test(hacienda_actions, each_once_per_turn)
{
    start();
    position_put(&p, 0, "forest A2, forest A3");
    position_turn(&p, 0);
    position_pesos(&p, 0, 24);
    position_do(&p, 0, "buy_hacienda hex=A2");
    position_do(&p, 0, "buy_water shape=single hex1=D7");
    position_do(&p, 0, "harvest hex=A2");
    EXPECT_NUMBER(position_money(&p, 0), 6);
}

/* ---- playing cards ---------------------------------------------------- */

/* A turn, play_land: any empty space of that terrain, near own land or not. */
Test(hacienda_actions, play_land_on_its_terrain)
{
    start();
    position_put(&p, 0, "forest A1, forest A3");
    const struct hacienda *h = position_of(&p);
    int a3 = position_hex(&p, "A3");
    EXPECT_NUMBER(h->tile[a3], TILE_LAND);
    EXPECT_NUMBER(h->owner[a3], 0);
    EXPECT_NUMBER(h->discard[CARD_FOREST], 2);
    EXPECT_NUMBER(h->player[0].unknown[CARD_FOREST], 4);
    EXPECT_NUMBER(hand(0, STACK_LAND), 6);
    EXPECT_NUMBER(position_money(&p, 0), 20);
}

/* A turn, play_land: `not_in_hand` `wrong_space` `hex_taken` `not_adjacent`
 * (`no_tile_left` is in test_hacienda_cards.c), each before the rest. */
Test(hacienda_actions, play_land_refusals)
{
    start();
    position_put(&p, 0, "forest A1, forest A2");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "play_land card=mountain hex=A1", "not_in_hand");
    EXPECT_REFUSAL(&p, 0, "play_land card=mountain hex=C1", "not_in_hand");
    /* Markets, printed water, another terrain, pampas. */
    static const char *const wrong[] = {"A6", "E1", "C7", "C1", "A4", "B7"};
    char text[60];
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        EXPECT_REFUSAL(&p, 0,
                       strcat(strcpy(text, "play_land card=forest hex="),
                              wrong[i]),
                       "wrong_space");
    EXPECT_REFUSAL(&p, 0, "play_land card=forest hex=A2", "hex_taken");
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=A3", "wrong_space");
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=A2", "wrong_space");
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=C4", "not_adjacent");
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=C7", "wrong_space");
    position_do(&p, 0, "play_land card=forest hex=B2");
    position_do(&p, 0, "play_land card=pampas hex=B3");
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=B3", "hex_taken");
}

/* A turn, hex_taken: a tile of anybody on the right ground, near or far; a
 * bought water tile on pampas is one, printed water is not. */
Test(hacienda_actions, taken_by_water_or_others)
{
    start();
    position_put(&p, 0, "forest A3");
    position_do(&p, 0, "buy_water shape=single hex1=D7");
    position_turn(&p, 1);
    position_put(&p, 1, "mountain C1");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=D7", "hex_taken");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=D7", "hex_taken");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=C7", "wrong_space");
    position_next(&p, "mountain");
    position_do(&p, 0, "buy_land_supply");
    EXPECT_REFUSAL(&p, 0, "play_land card=mountain hex=C1", "hex_taken");
}

/* A turn, play_land: a pampas card needs own *land* next to it: neither an own
 * animal nor another's land will do. */
Test(hacienda_actions, pampas_needs_own_land)
{
    start();
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=B3", "not_adjacent");
    position_put(&p, 0, "forest A3, pig B3");
    position_turn(&p, 1);
    position_put(&p, 1, "mountain C2");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=C4", "not_adjacent");
    EXPECT_REFUSAL(&p, 0, "play_land card=pampas hex=C3", "not_adjacent");
    EXPECT_LEGAL(&p, 0, "play_land card=pampas hex=A4");
    position_do(&p, 0, "play_land card=pampas hex=A4");
    EXPECT_LEGAL(&p, 0, "play_land card=pampas hex=A5");
}

/* [H4] If the whole board has no empty space of the terrain any more, the card
 * counts as a pampas card next to any own land tile -- here one on forest. */
Test(hacienda_actions, terrain_used_up)
{
    start();
    position_turn(&p, 1);
    position_put(&p, 1, "mountain C1");
    position_turn(&p, 0);
    position_put(&p, 0, "forest B2");
    position_turn(&p, 1);
    EXPECT_REFUSAL(&p, 1, "play_land card=mountain hex=C3", "wrong_space");
    position_put(&p, 1, "mountain C2");
    EXPECT_REFUSAL(&p, 1, "play_land card=mountain hex=C1", "wrong_space");
    EXPECT_REFUSAL(&p, 1, "play_land card=mountain hex=D1", "wrong_space");
    EXPECT_REFUSAL(&p, 1, "play_land card=mountain hex=B3", "not_adjacent");
    EXPECT_LEGAL(&p, 1, "play_land card=mountain hex=C3");
    position_turn(&p, 0);
    position_next(&p, "mountain");
    position_do(&p, 0, "buy_land_supply");
    EXPECT_REFUSAL(&p, 0, "play_land card=mountain hex=D6", "not_adjacent");
    position_do(&p, 0, "play_land card=mountain hex=B3");
    EXPECT_NUMBER(position_of(&p)->discard[CARD_MOUNTAIN], 3);
    EXPECT_REFUSAL(&p, 0, "play_land card=forest hex=A4", "wrong_space");
}

/* [H4] ... or never had one. */
Test(hacienda_actions, terrain_that_never_was)
{
    position_start(&p, &(struct position_table){
                           .board = "f . $\n . . .",
                           .hand = {"forest swamp"},
                       });
    EXPECT_REFUSAL(&p, 0, "play_land card=swamp hex=A2", "not_adjacent");
    EXPECT_REFUSAL(&p, 0, "play_land card=swamp hex=A1", "wrong_space");
    position_put(&p, 0, "forest A1, swamp A2");
    EXPECT_NUMBER(position_points(&p, PART_LAND, 0), 0);
}

/* A turn, play_animal: an empty pampas space next to own land or to an own
 * animal of the same kind; `not_in_hand` `wrong_space` `hex_taken`
 * `not_adjacent`. */
Test(hacienda_actions, play_animal_refusals)
{
    start();
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=C4", "not_adjacent");
    position_put(&p, 0, "forest A3, pig B3");
    position_turn(&p, 1);
    position_put(&p, 1, "mountain C2");
    position_turn(&p, 0);
    EXPECT_REFUSAL(&p, 0, "play_animal card=sheep hex=A1", "not_in_hand");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=A2", "wrong_space");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=A3", "wrong_space");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=A6", "wrong_space");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=C7", "wrong_space");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=B3", "hex_taken");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=E2", "not_adjacent");
    EXPECT_LEGAL(&p, 0, "play_animal card=pig hex=C4");
    EXPECT_LEGAL(&p, 0, "play_animal card=pig hex=A4");
    position_next(&p, "sheep");
    position_do(&p, 0, "buy_animal_supply");
    /* Next to the pig only: a herd is of one animal. */
    EXPECT_REFUSAL(&p, 0, "play_animal card=sheep hex=C4", "not_adjacent");
    EXPECT_LEGAL(&p, 0, "play_animal card=sheep hex=A4");
}

/* A turn, play_animal: another's animal of the same kind does not help, nor
 * does their land; a void has no neighbours (Boards). */
Test(hacienda_actions, play_animal_needs_own_tiles)
{
    position_start(&p, &(struct position_table){
                           .board = "f . . - . $\n"
                                    " . . - - . .\n"
                                    "f . . . . .",
                           .hand = {"forest pig*4", "forest pig*4"},
                       });
    position_put(&p, 0, "forest A1, pig A2");
    position_turn(&p, 1);
    EXPECT_REFUSAL(&p, 1, "play_animal card=pig hex=A3", "not_adjacent");
    EXPECT_REFUSAL(&p, 1, "play_animal card=pig hex=B1", "not_adjacent");
    position_put(&p, 1, "forest C1");
    EXPECT_LEGAL(&p, 1, "play_animal card=pig hex=B1");
    position_turn(&p, 0);
    position_put(&p, 0, "pig A3");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=A4", "wrong_space");
    EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=A5", "not_adjacent");
}

/* A turn: hands are unlimited. */
Test(hacienda_actions, hands_are_unlimited)
{
    start();
    position_pesos(&p, 0, 100);
    for (int i = 0; i < 40; i++)
        position_go(&p, 0, "buy_land_supply");
    EXPECT_NUMBER(hand(0, STACK_LAND), 48);
    cr_assert(position_valid(&p));
}
