/* test_greement_setup.c -- Greement, the rules' Material, Players and options
 * and Setup: what there is, who picks where, and that nobody can know what
 * lies face down. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/greement_estate.h"

static const struct rules *const R = &greement_rules;

static struct estate e;

static void setup(int seats)
{
    estate_setup(&e, &(struct estate_table){.seats = seats});
}

static void start(int seats)
{
    estate_start(&e, &(struct estate_table){.seats = seats});
}

/* ---- material --------------------------------------------------------- */

/* Worked examples: 60 + 30 + 5 + 5 squares. */
Test(greement_setup, counts_of_squares)
{
    int count[SQUARE_KINDS] = {0};

    EXPECT_NUMBER(greement_grounds(GROUND_LAND), 60);
    EXPECT_NUMBER(greement_grounds(GROUND_MINE), 30);
    EXPECT_NUMBER(greement_grounds(GROUND_LAKE), 5);
    EXPECT_NUMBER(greement_grounds(GROUND_MOUNTAIN), 5);
    start(2);
    for (int i = 0; i < GREEMENT_SQUARES; i++)
        count[estate_of(&e)->square[i]]++;
    EXPECT_NUMBER(count[SQUARE_CROP], 2);
    EXPECT_NUMBER(count[SQUARE_LAND], 58);
    EXPECT_NUMBER(count[SQUARE_MINE], 30);
    EXPECT_NUMBER(count[SQUARE_LAKE], 5);
    EXPECT_NUMBER(count[SQUARE_MOUNTAIN], 5);
}

/* Worked examples: 56 + 10 = 66 event cards of 29 kinds, 25 of them voted on
 * and 4 paid for. */
Test(greement_setup, counts_of_events)
{
    static const int cards[EVENTS] = {
        1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 2, 1, 1,
        4, 5, 2, 5, 3, 2, 2, 5, 5, 5, 3, 3, 2, 2,
    };
    static const int price[] = {20, 15, 10, 50};
    int voted = 0, paid = 0;

    EXPECT_NUMBER(EVENTS, 29);
    for (int event = 0; event < EVENTS; event++) {
        EXPECT_NUMBER(greement_event_cards(event), cards[event]);
        if (event < EVENT_DISEASE) {
            voted += greement_event_cards(event);
            EXPECT_NUMBER(greement_event_price(event), 0);
        } else {
            paid += greement_event_cards(event);
            EXPECT_NUMBER(greement_event_price(event),
                          price[event - EVENT_DISEASE]);
        }
    }
    EXPECT_NUMBER(EVENT_DISEASE, 25);
    EXPECT_NUMBER(voted, 56);
    EXPECT_NUMBER(paid, 10);
    EXPECT_NUMBER(voted + paid, 66);
}

/* Worked examples, [G1]: 7 action cards of 5 kinds, collect once. */
Test(greement_setup, counts_of_action_cards)
{
    static const int cards[] = {1, 3, 1, 1, 1};
    int all = 0;

    EXPECT_NUMBER(CARDS, 5);
    setup(2);
    for (int card = 0; card < CARDS; card++) {
        EXPECT_NUMBER(greement_cards(card), cards[card]);
        EXPECT_NUMBER(estate_of(&e)->deck[card], cards[card]);
        all += greement_cards(card);
    }
    EXPECT_NUMBER(all, 7);
}

/* Material: the table of values and its start. */
Test(greement_setup, table_of_values)
{
    static const struct {
        const char *name;
        int start;
    } table[] = {
        {"land_price", 2},          {"seed_price", 2},
        {"crop_profit", 4},         {"mine_price", 6},
        {"mine_profit", 6},         {"lake_multiplier", 1},
        {"mountain_multiplier", 1}, {"distance_tax", 6},
        {"cattle_price", 8},        {"cattle_profit", 8},
        {"action_card_price", 15},
    };

    setup(2);
    EXPECT_NUMBER(VALUES, COUNT_OF(table));
    for (int i = 0; i < VALUES; i++) {
        cr_assert_str_eq(greement_value_words[i], table[i].name);
        EXPECT_NUMBER(estate_of(&e)->value[i], table[i].start);
    }
}

/* Grid coordinates: columns a to j from the left, rows 1 to 10 from the
 * top. */
Test(greement_setup, coordinates)
{
    EXPECT_NUMBER(estate_square("a1"), 0);
    EXPECT_NUMBER(estate_square("b1"), 1);
    EXPECT_NUMBER(estate_square("d7"), 63);
    EXPECT_NUMBER(estate_square("a10"), 90);
    EXPECT_NUMBER(estate_square("j10"), 99);
}

/* Distance is Manhattan. */
Test(greement_setup, distance)
{
    EXPECT_NUMBER(greement_distance(estate_square("b2"), estate_square("b2")),
                  0);
    EXPECT_NUMBER(greement_distance(estate_square("b2"), estate_square("c2")),
                  1);
    EXPECT_NUMBER(greement_distance(estate_square("b2"), estate_square("c3")),
                  2);
    EXPECT_NUMBER(greement_distance(estate_square("j10"), estate_square("a1")),
                  18);
}

/* ---- players and options ---------------------------------------------- */

/* [G2] 2 to 6 players. */
Test(greement_setup, seats)
{
    union rules_any s;
    for (int seats = 0; seats <= 8; seats++) {
        struct rules_setup chosen = {.seats = seats};
        bool ok = rules_setup(R, &s.state, &chosen, NULL) == RULES_OK;
        EXPECT_NUMBER(ok, seats >= 2 && seats <= 6);
    }
}

/* Options: turns 1 to 99, usually 20; tax_distance usually minus_one; loans
 * usually off. */
Test(greement_setup, options)
{
    union rules_any s;
    struct greement *g = (struct greement *)&s;
    int16_t options[RULES_OPTIONS_MAX] = {99, 1, 1};
    struct rules_setup chosen = {.seats = 2};

    cr_assert_eq(rules_setup(R, &s.state, &chosen, NULL), RULES_OK);
    EXPECT_NUMBER(g->turns, 20);
    EXPECT_NUMBER(g->full_tax, 0);
    EXPECT_NUMBER(g->loans, 0);
    chosen.options = options;
    cr_assert_eq(rules_setup(R, &s.state, &chosen, NULL), RULES_OK);
    EXPECT_NUMBER(g->turns, 99);
    EXPECT_NUMBER(g->full_tax, 1);
    EXPECT_NUMBER(g->loans, 1);
    options[0] = 0;
    cr_assert_eq(rules_setup(R, &s.state, &chosen, NULL), RULES_BAD_SETUP);
    options[0] = 100;
    cr_assert_eq(rules_setup(R, &s.state, &chosen, NULL), RULES_BAD_SETUP);
    cr_assert_str_eq(R->options[0].name, "turns");
    cr_assert_str_eq(R->options[1].name, "tax_distance");
    cr_assert_str_eq(R->options[1].words[0], "minus_one");
    cr_assert_str_eq(R->options[1].words[1], "full");
    cr_assert_str_eq(R->options[2].name, "loans");
}

/* Players: the first seat is drawn at random, evenly. */
Test(greement_setup, first_seat_is_drawn)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "first";
    struct rules_setup chosen = {.seats = 6};
    int drawn[6] = {0};
    struct rng rng;
    union rules_any s;

    cr_assert_eq(rules_setup(R, &s.state, &chosen, NULL), RULES_OK);
    for (uint64_t i = 0; i < 6000; i++) {
        struct rules_move move;
        rng_init(&rng, seed, i);
        rules_chance(R, &s.state, &rng, &move);
        EXPECT_NUMBER(move.verb, NATURE_START);
        drawn[move.arg[0]]++;
    }
    for (int seat = 0; seat < 6; seat++)
        cr_assert(drawn[seat] > 850 && drawn[seat] < 1150);
}

/* ---- setup ------------------------------------------------------------ */

/* Setup 1: all squares lie face down; money is 0. */
Test(greement_setup, begins_face_down)
{
    setup(3);
    for (int i = 0; i < GREEMENT_SQUARES; i++)
        EXPECT_KIND(&e, greement_square_names[i], "face_down");
    for (int seat = 0; seat < 3; seat++)
        EXPECT_NUMBER(estate_cash(&e, seat), 0);
    EXPECT_NUMBER(estate_legal(&e, 0, -1), 100);
}

/* Setup 2: in turn order from the first seat; the square becomes a crop of
 * its picker, free of charge. */
Test(greement_setup, picks_in_turn_order)
{
    estate_setup(&e, &(struct estate_table){.seats = 4, .first = 2});
    for (int i = 0; i < 4; i++) {
        static const char *const picks[] = {"a1", "c1", "e1", "g1"};
        char text[32];
        int seat = (2 + i) % 4;
        cr_assert_eq(e.any.state.acting, RULES_BIT(seat));
        snprintf(text, sizeof(text), "pick square=%s", picks[i]);
        EXPECT_REFUSAL(&e, (seat + 1) % 4, text, "not_your_turn");
        estate_do(&e, seat, text);
        EXPECT_KIND(&e, picks[i], "crop");
        EXPECT_NUMBER(estate_owner(&e, picks[i]), seat);
    }
    EXPECT_NUMBER(estate_of(&e)->turn, 2);
    EXPECT_NUMBER(estate_cash(&e, 0), 0);
}

/* Setup 2: not next to another player's starting square (up, down, left,
 * right), diagonally it may be; and face down. */
Test(greement_setup, refused_picks)
{
    setup(3);
    estate_do(&e, 0, "pick square=d4");
    EXPECT_REFUSAL(&e, 1, "pick square=d4", "not_face_down");
    EXPECT_REFUSAL(&e, 1, "pick square=d3", "next_to_start");
    EXPECT_REFUSAL(&e, 1, "pick square=d5", "next_to_start");
    EXPECT_REFUSAL(&e, 1, "pick square=c4", "next_to_start");
    EXPECT_REFUSAL(&e, 1, "pick square=e4", "next_to_start");
    EXPECT_NUMBER(estate_legal(&e, 1, -1), 95);
    EXPECT_REFUSAL(&e, 1, "buy_land square=a1", "not_now");
    EXPECT_REFUSAL(&e, 1, "end_turn", "not_now");
    estate_do(&e, 1, "pick square=e5");
    EXPECT_REFUSAL(&e, 2, "pick square=e4", "next_to_start");
}

/* Setup 2: that it is allowed is checked before it is turned up. */
Test(greement_setup, checked_before_turned_up)
{
    setup(2);
    estate_do(&e, 0, "pick square=a1");
    EXPECT_REFUSAL(&e, 1, "pick square=b1", "next_to_start");
    EXPECT_KIND(&e, "b1", "face_down");
}

/* Setup 2, [G15]: a mountain, lake or gold mine stays face up, is nobody's,
 * hinders nobody, and the same player picks again. */
Test(greement_setup, other_grounds_are_picked_again)
{
    estate_setup(&e, &(struct estate_table){.grid = "glm"});
    estate_do(&e, 0, "pick square=a1");
    EXPECT_KIND(&e, "a1", "gold_mine");
    cr_assert_eq(e.any.state.acting, RULES_BIT(0));
    estate_do(&e, 0, "pick square=b1");
    EXPECT_KIND(&e, "b1", "lake");
    cr_assert_eq(e.any.state.acting, RULES_BIT(0));
    estate_do(&e, 0, "pick square=c1");
    EXPECT_KIND(&e, "c1", "mountain");
    EXPECT_NUMBER(estate_owner(&e, "a1"), -1);
    EXPECT_REFUSAL(&e, 0, "pick square=a1", "not_face_down");
    estate_do(&e, 0, "pick square=e1");
    EXPECT_KIND(&e, "e1", "crop");
    cr_assert_eq(e.any.state.acting, RULES_BIT(1));
    EXPECT_LEGAL(&e, 1, "pick square=a2"); /* next to the gold mine */
}

/* Setup 2: 5 starts and their 20 neighbours bar 25 squares at most. */
Test(greement_setup, there_is_always_one)
{
    static const char *const apart[] = {"b2", "e2", "h2", "b5", "e5"};
    setup(6);
    for (int seat = 0; seat < 5; seat++) {
        char text[32];
        snprintf(text, sizeof(text), "pick square=%s", apart[seat]);
        estate_do(&e, seat, text);
    }
    EXPECT_NUMBER(estate_legal(&e, 5, -1), 75);
}

/* Setup 3: when everyone has a starting square all are turned up, and the
 * first player's turn begins. */
Test(greement_setup, all_are_turned_up)
{
    estate_start(&e, &(struct estate_table){.seats = 2,
                                            .first = 1,
                                            .grid = "..........\nlgm"});
    EXPECT_KIND(&e, "a2", "lake");
    EXPECT_KIND(&e, "b2", "gold_mine");
    EXPECT_KIND(&e, "c2", "mountain");
    EXPECT_KIND(&e, "b1", "land");
    EXPECT_NUMBER(estate_of(&e)->phase, PHASE_TURN);
    EXPECT_NUMBER(estate_of(&e)->turn, 1);
    /* One ply for each square, and one for each pick and the first seat. */
    EXPECT_NUMBER(e.plies, 1 + 2 + 100);
    EXPECT_REFUSAL(&e, 1, "pick square=a5", "not_now");
}

/* ---- secrecy ---------------------------------------------------------- */

/* What each viewer may see: nobody may learn the grid before step 3.  No bytes
 * of a state tell of it: they are the same whatever will be turned up. */
Test(greement_setup, grid_is_nowhere)
{
    static struct estate other;

    estate_setup(&e, &(struct estate_table){.seats = 2, .grid = "..lllll"});
    estate_setup(&other, &(struct estate_table){.seats = 2, .grid = "..g"});
    estate_do(&e, 0, "pick square=a1");
    estate_do(&other, 0, "pick square=a1");
    cr_assert_eq(memcmp(&e.any, &other.any, R->state_size), 0);
}

/* The same: a square is drawn when it is picked, with the odds of those that
 * lie face down: 60 to 30 to 5 to 5. */
Test(greement_setup, squares_are_drawn_late_and_evenly)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "grid";
    int drawn[GROUNDS] = {0};
    struct rules_events events;
    struct rules_move move;

    setup(2);
    cr_assert_eq(estate_read(&e, "pick square=d4", &move), RULES_OK);
    cr_assert_eq(rules_apply(R, &e.any.state, 0, &move, &events), RULES_OK);
    cr_assert_eq(e.any.state.acting, RULES_BIT(RULES_NATURE));
    for (uint64_t i = 0; i < 10000; i++) {
        struct rng rng;
        rng_init(&rng, seed, i);
        rules_chance(R, &e.any.state, &rng, &move);
        EXPECT_NUMBER(move.verb, NATURE_SQUARE);
        EXPECT_NUMBER(move.arg[0], estate_square("d4"));
        drawn[move.arg[1]]++;
    }
    cr_assert(drawn[GROUND_LAND] > 5700 && drawn[GROUND_LAND] < 6300);
    cr_assert(drawn[GROUND_MINE] > 2700 && drawn[GROUND_MINE] < 3300);
    cr_assert(drawn[GROUND_LAKE] > 380 && drawn[GROUND_LAKE] < 620);
    cr_assert(drawn[GROUND_MOUNTAIN] > 380 && drawn[GROUND_MOUNTAIN] < 620);
}

/* The same: no event and no card is known before it is drawn; all kinds that
 * are left are possible. */
Test(greement_setup, events_are_drawn_late)
{
    start(2);
    estate_event(&e, "lake_multiplier_up_mountain_down");
    EXPECT_NUMBER(estate_of(&e)->events, 1);
    EXPECT_NUMBER(greement_events_left(estate_of(&e), EVENT_LAKE_UP), 0);
    struct rules_move move = RULES_MOVE(VOTE, 1, RULES_NONE, RULES_NONE);
    struct rules_events events;
    for (int seat = 0; seat < 2; seat++)
        cr_assert_eq(rules_apply(R, &e.any.state, seat, &move, &events),
                     RULES_OK);
    cr_assert_eq(e.any.state.acting, RULES_BIT(RULES_NATURE));
    EXPECT_NUMBER(estate_legal(&e, RULES_NATURE, -1), EVENTS - 1);
    cr_assert_eq(events.flags & RULES_DREW, RULES_DREW);
}

/* What each viewer may see: everything else is public; every viewer's state is
 * the true one but for their name on it. */
Test(greement_setup, all_else_is_public)
{
    union rules_any view;

    start(3);
    for (int viewer = 0; viewer <= RULES_WATCHER; viewer++) {
        if (viewer >= 3 && viewer != RULES_WATCHER)
            continue;
        rules_view(R, &e.any.state, viewer, &view.state);
        view.state.viewer = RULES_ALL;
        cr_assert_eq(rules_hash(R, &view.state), rules_hash(R, &e.any.state));
    }
}

/* Undo: a pick is final.  Defaults: the first allowed square. */
Test(greement_setup, pick_is_final_and_has_a_default)
{
    struct rules_move move;

    setup(3);
    estate_do(&e, 0, "pick square=a2");
    cr_assert_eq(e.events.flags & RULES_FINAL, RULES_FINAL);
    cr_assert_str_neq(estate_undo(&e, 0), "yes");
    rules_default_move(R, &e.any.state, 1, &move);
    EXPECT_NUMBER(move.verb, PICK);
    EXPECT_NUMBER(move.arg[0], estate_square("b1")); /* a1 is next to a2 */
}
