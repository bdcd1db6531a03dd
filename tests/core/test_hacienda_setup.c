/* test_hacienda_setup.c -- Hacienda, the rules' Material, Boards and Setup. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hacienda_position.h"

static const struct rules *const R = &hacienda_rules;

static struct position p;

/* Ground of one kind on the board, and hexes covered by single water tiles. */
static int count_ground(int ground)
{
    const struct hacienda *h = position_of(&p);
    int n = 0;
    for (int hex = 0; hex < h->hexes; hex++)
        n += h->ground[hex] == ground;
    return n;
}

static int sum(const uint8_t *counts, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += counts[i];
    return all;
}

/* ---- Material --------------------------------------------------------- */

/* Material: 14 cards of each terrain, 10 pampas, 18 of each animal: nothing of
 * it is seen before the deal. */
Test(hacienda_setup, cards_in_the_game)
{
    for (int seats = 2; seats <= 5; seats++) {
        position_setup(&p, &(struct position_table){.seats = seats});
        for (int card = 0; card < CARDS; card++)
            EXPECT_NUMBER(hacienda_unseen(position_of(&p), card),
                          card == CARD_PAMPAS ? 10
                          : card < LAND_CARDS ? 14
                                              : 18);
    }
}

/* Material, [H1]: 9 single, 4 double, 3 triangles, 2 lines, those printed on
 * the board among the singles. */
Test(hacienda_setup, water_tiles_in_the_game)
{
    position_start(&p, &(struct position_table){0});
    const struct hacienda *h = position_of(&p);
    EXPECT_NUMBER(h->waters_left[SHAPE_SINGLE] + h->water_tiles, 9);
    EXPECT_NUMBER(h->waters_left[SHAPE_DOUBLE], 4);
    EXPECT_NUMBER(h->waters_left[SHAPE_TRIANGLE], 3);
    EXPECT_NUMBER(h->waters_left[SHAPE_LINE], 2);
}

/* ---- Boards ----------------------------------------------------------- */

/* Boards, Built in: markets 11 and 10; 4 water spaces, five_lagoons 5. */
Test(hacienda_setup, built_in_boards)
{
    static const struct {
        const char *name;
        int markets, waters, singles_left;
    } boards[] = {
        {"symmetric", 11, 4, 5},
        {"asymmetric", 10, 4, 5},
        {"five_lagoons", -1, 5, 4},
        {"crucible", -1, 4, 0},
    };
    for (size_t i = 0; i < COUNT_OF(boards); i++) {
        bool crucible = strcmp(boards[i].name, "crucible") == 0;
        position_setup(&p, &(struct position_table){.name = boards[i].name,
                                                    .crucible = crucible});
        const struct hacienda *h = position_of(&p);
        if (boards[i].markets >= 0)
            EXPECT_NUMBER(count_ground(GROUND_MARKET), boards[i].markets);
        EXPECT_NUMBER(count_ground(GROUND_WATER), boards[i].waters);
        EXPECT_NUMBER(h->water_tiles, boards[i].waters);
        EXPECT_NUMBER(h->waters_left[SHAPE_SINGLE], boards[i].singles_left);
        EXPECT_NUMBER(count_ground(GROUND_RANDOM), 0);
    }
    cr_assert_null(R->assets[COUNT_OF(boards)].name);
}

/* Boards: `symmetric` is the default. */
Test(hacienda_setup, symmetric_is_the_default)
{
    struct position named;
    position_setup(&p, &(struct position_table){0});
    position_setup(&named, &(struct position_table){.name = "symmetric"});
    cr_assert_eq(rules_hash(R, &p.any.state), rules_hash(R, &named.any.state));
}

/* Setup: one single water tile lies on every water space, nothing else
 * anywhere; with n water spaces 9 - n singles are left, with 9 none. */
Test(hacienda_setup, water_on_every_water_space)
{
    position_start(&p, &(struct position_table){
                           .board = "~ ~ ~ . ~\n"
                                    " ~ ~ ~ ~ ~\n"
                                    "$ . . . .",
                       });
    const struct hacienda *h = position_of(&p);
    EXPECT_NUMBER(h->waters_left[SHAPE_SINGLE], 0);
    for (int hex = 0; hex < h->hexes; hex++) {
        bool water = h->ground[hex] == GROUND_WATER;
        EXPECT_NUMBER(h->tile[hex], water ? TILE_WATER : TILE_NONE);
        if (water)
            EXPECT_NUMBER(h->water_size[h->water[hex]], 1);
        EXPECT_NUMBER(h->hacienda[hex] + h->chip[hex], 0);
    }
}

static int load(const char *text, struct rules_problem *why)
{
    struct rules_setup setup = {
        .seats = 2,
        .asset = text,
        .asset_len = strlen(text),
    };
    return rules_setup(R, &p.any.state, &setup, why);
}

/* Boards: at most 9 water spaces, a market and pampas; columns x rows at most
 * 1760 and rows at most 100; a bad file is refused with line and reason. */
Test(hacienda_setup, limits_of_uploaded_boards)
{
    static const struct {
        const char *drawing, *rule;
    } bad[] = {
        {"~ ~ ~ ~ ~\n ~ ~ ~ ~ ~\n$ . . . .", "too_many_waters"},
        {". . f\n . . .", "no_market"},
        {"$ f f\n m f $", "no_pampas"},
    };
    static char haz[HAZ_BYTES_MAX + 1];
    struct rules_problem why;

    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        haz[position_haz(bad[i].drawing, haz, sizeof(haz))] = '\0';
        EXPECT_NUMBER(load(haz, &why), RULES_BAD_SETUP);
        cr_assert_str_eq(why.rule, bad[i].rule);
        cr_assert_gt(why.line, 0);
        cr_assert_gt(strlen(why.text), 0);
    }
    EXPECT_NUMBER(load("[Control]\nVersion=GRHIG0101\nColCount=40\n"
                       "RowCount=45\n[Hex]\n",
                       &why),
                  RULES_BAD_SETUP);
    cr_assert_str_eq(why.rule, "too_many_cells");
    EXPECT_NUMBER(load("[Control]\nVersion=GRHIG0101\nColCount=3\n"
                       "RowCount=101\n[Hex]\n",
                       &why),
                  RULES_BAD_SETUP);
    EXPECT_NUMBER(why.line, 4);
    EXPECT_NUMBER(load("rubbish", &why), RULES_BAD_SETUP);
    EXPECT_NUMBER(why.line, 1);
}

/* Boards: columns x rows <= 1760: 880 hexes; fewer than 18 000 legal moves at
 * once, however good the position.  All cards count as pampas cards here, and
 * every space is next to own land. */
Test(hacienda_setup, never_too_many_moves)
{
    struct board board = {.cols = 22, .rows = 80};
    static char haz[HAZ_BYTES_MAX];

    memset(board.ground, GROUND_PAMPAS, 880);
    board.ground[0] = GROUND_MARKET;
    p.setup = (struct rules_setup){.seats = 2, .asset = haz};
    p.setup.asset_len = haz_write(&board, NULL, haz, sizeof(haz));
    cr_assert_eq(rules_setup(R, &p.any.state, &p.setup, NULL), RULES_OK);
    struct hacienda *h = position_of(&p);
    h->start = h->turn = 0;
    h->round = 1;
    h->base.acting = 1;
    h->player[0].money = 100;
    memset(h->player[0].known, 1, sizeof(h->player[0].known));
    memset(h->display, 0, sizeof(h->display));
    for (int hex = 40; hex < 880; hex += 11) { /* 77 tiles, all over */
        h->tile[hex] = TILE_LAND;
        h->owner[hex] = hex % 2 == 0;
        h->chip[hex] = 1;
    }
    h->chips_left = 0;
    R->derive(&h->base);
    size_t n = position_legal(&p, 0, -1);
    cr_assert_gt(n, 7000);
    cr_assert_lt(n, 18000);
}

/* ---- the table of Setup ----------------------------------------------- */

/* Setup: per number of players the cards removed, haciendas, land supply,
 * both animal stacks; 8 chips; 8 + 4 cards and 20 pesos each; 4 + 4 face up. */
Test(hacienda_setup, by_players)
{
    static const struct {
        int removed, haciendas, land, animals;
    } row[] = {{30, 5, 60, 15},
               {20, 7, 52, 18},
               {10, 8, 44, 21},
               {0, 9, 36, 24}};

    for (int seats = 2; seats <= 5; seats++) {
        position_start(&p, &(struct position_table){.seats = seats});
        const struct hacienda *h = position_of(&p);
        EXPECT_NUMBER(h->removed, row[seats - 2].removed);
        EXPECT_NUMBER(h->haciendas_left, row[seats - 2].haciendas);
        EXPECT_NUMBER(h->chips_left, 8);
        EXPECT_NUMBER(h->supply[STACK_LAND], row[seats - 2].land);
        EXPECT_NUMBER(h->supply[STACK_ANIMALS], row[seats - 2].animals);
        EXPECT_NUMBER(h->aside, row[seats - 2].animals);
        EXPECT_NUMBER(h->half, 1);
        EXPECT_NUMBER(h->round, 1);
        EXPECT_NUMBER(sum(h->discard, CARDS), 0);
        for (int stack = 0; stack < STACKS; stack++)
            for (int slot = 0; slot < 4; slot++)
                EXPECT_NUMBER(card_stack(h->display[stack][slot]), stack);
        for (int seat = 0; seat < seats; seat++) {
            EXPECT_NUMBER(h->player[seat].money, 20);
            EXPECT_NUMBER(hacienda_hand(h, seat, STACK_LAND), 8);
            EXPECT_NUMBER(hacienda_hand(h, seat, STACK_ANIMALS), 4);
            EXPECT_NUMBER(sum(h->player[seat].known, CARDS), 0);
        }
        cr_assert(position_valid(&p));
    }
}

/* Material: 2 to 5 players. */
Test(hacienda_setup, two_to_five_players)
{
    struct rules_problem why;
    for (int seats = 0; seats <= 8; seats++) {
        struct rules_setup setup = {.seats = seats};
        EXPECT_NUMBER(rules_setup(R, &p.any.state, &setup, &why),
                      seats >= 2 && seats <= 5 ? RULES_OK : RULES_BAD_SETUP);
    }
}

/* Variants, crucible: 35 land cards left, 13 + 12 animals, hands of 2 pampas
 * known to all and 2 + 2 hidden cards, 3 + 3 face up, 20 pesos, 3 haciendas, 3
 * chips, one of each larger water tile [H8] and no single. */
Test(hacienda_setup, crucible)
{
    position_setup(&p, &(struct position_table){.crucible = true});
    for (int card = 0; card < CARDS; card++)
        EXPECT_NUMBER(hacienda_unseen(position_of(&p), card),
                      card == CARD_PAMPAS ? 6 - 4 : 8);

    position_start(&p, &(struct position_table){.crucible = true});
    const struct hacienda *h = position_of(&p);
    EXPECT_NUMBER(h->supply[STACK_LAND], 35);
    EXPECT_NUMBER(h->supply[STACK_ANIMALS], 13);
    EXPECT_NUMBER(h->aside, 12);
    EXPECT_NUMBER(h->removed, 0);
    EXPECT_NUMBER(h->haciendas_left, 3);
    EXPECT_NUMBER(h->chips_left, 3);
    EXPECT_NUMBER(h->water_tiles, 4);
    EXPECT_NUMBER(h->waters_left[SHAPE_SINGLE], 0);
    EXPECT_NUMBER(h->waters_left[SHAPE_DOUBLE], 1);
    EXPECT_NUMBER(h->waters_left[SHAPE_TRIANGLE], 1);
    EXPECT_NUMBER(h->waters_left[SHAPE_LINE], 1);
    for (int seat = 0; seat < 2; seat++) {
        EXPECT_NUMBER(h->player[seat].money, 20);
        EXPECT_NUMBER(h->player[seat].known[CARD_PAMPAS], 2);
        EXPECT_NUMBER(sum(h->player[seat].known, CARDS), 2);
        EXPECT_NUMBER(hacienda_hand(h, seat, STACK_LAND), 4);
        EXPECT_NUMBER(hacienda_hand(h, seat, STACK_ANIMALS), 2);
    }
    for (int stack = 0; stack < STACKS; stack++) {
        for (int slot = 0; slot < 3; slot++)
            EXPECT_NUMBER(card_stack(h->display[stack][slot]), stack);
        EXPECT_NUMBER(h->display[stack][3], HACIENDA_NOBODY);
    }
    EXPECT_REFUSAL(&p, 0, "buy_water shape=single hex1=A1", "supply_empty");
}

/* ---- [H11] the start player ------------------------------------------- */

/* [H11] The start player is drawn: any seat can be, each about as often. */
Test(hacienda_setup, start_player_is_drawn)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "start";
    int drawn[HACIENDA_SEATS_MAX] = {0};
    struct rules_move move;
    struct rng rng;

    position_setup(&p, &(struct position_table){.seats = 5});
    EXPECT_NUMBER(p.any.state.acting, RULES_BIT(RULES_NATURE));
    EXPECT_NUMBER(position_legal(&p, RULES_NATURE, -1), 5);
    for (uint64_t i = 0; i < 5000; i++) {
        rng_init(&rng, seed, i);
        rules_chance(R, &p.any.state, &rng, &move);
        EXPECT_NUMBER(move.verb, NATURE_START);
        drawn[move.arg[0]]++;
    }
    for (int seat = 0; seat < 5; seat++)
        cr_assert(drawn[seat] > 850 && drawn[seat] < 1150);
}

/* [H11] Clockwise is seat order; a round runs from the start player to the
 * seat before them. */
Test(hacienda_setup, order_of_turns)
{
    position_start(&p, &(struct position_table){.seats = 3, .start = 2});
    static const int order[] = {2, 0, 1, 2, 0, 1, 2};
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        const struct hacienda *h = position_of(&p);
        EXPECT_NUMBER(p.any.state.acting, RULES_BIT(order[i]));
        EXPECT_NUMBER(h->round, 1 + i / 3);
        EXPECT_REFUSAL(&p, (order[i] + 1) % 3, "end_turn", "not_your_turn");
        position_do(&p, order[i], "buy_land_supply");
        position_do(&p, order[i], "end_turn");
    }
}

/* Setup: chance draws in one order: start player, terrains, then seat by seat
 * land before animals, then both displays; then the start player is on. */
Test(hacienda_setup, order_of_chance)
{
    position_start(&p, &(struct position_table){
                           .board = "? ? ? . $ ? ? ?",
                           .seats = 3,
                           .start = 1,
                       });
    size_t at = 0;
    EXPECT_NUMBER(p.log[at++].move.verb, NATURE_START);
    EXPECT_NUMBER(p.log[at++].move.verb, NATURE_SPARE); /* 6 = 5 + 1 */
    for (int hex = 0; hex < 8; hex++) {
        if (hex == 3 || hex == 4)
            continue;
        EXPECT_NUMBER(p.log[at].move.verb, NATURE_TERRAIN);
        EXPECT_NUMBER(p.log[at++].move.arg[0], hex);
    }
    for (int seat = 0; seat < 3; seat++)
        for (int i = 0; i < 12; i++, at++) {
            EXPECT_NUMBER(p.log[at].move.verb, NATURE_DEAL);
            EXPECT_NUMBER(p.log[at].move.arg[0], seat);
            EXPECT_NUMBER(card_stack(p.log[at].move.arg[1]), i >= 8);
        }
    for (int i = 0; i < 8; i++, at++) {
        EXPECT_NUMBER(p.log[at].move.verb, NATURE_TURN_UP);
        EXPECT_NUMBER(card_stack(p.log[at].move.arg[0]), i >= 4);
    }
    EXPECT_NUMBER(p.plies, at);
    EXPECT_NUMBER(p.any.state.acting, RULES_BIT(1));
}

/* ---- [H10] open terrain ----------------------------------------------- */

/* Setup, [H10]: the K open spaces of a board of one row. */
static void setup_open(int k)
{
    static char drawing[256];
    memset(drawing, ' ', sizeof(drawing));
    for (int i = 0; i < k; i++)
        drawing[2 * i] = '?';
    drawing[2 * k] = '.';
    drawing[2 * k + 2] = '$';
    drawing[2 * k + 3] = '\0';
    position_setup(&p, &(struct position_table){.board = drawing});
}

/* [H10] Of k open spaces each terrain gets floor(k / 5) or one more, whatever
 * is drawn; then none is open. */
Test(hacienda_setup, open_terrain_is_even)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "terrain";
    struct rules_move move;
    struct rng rng;

    for (int k = 0; k <= 23; k++)
        for (uint64_t game = 0; game < 10; game++) {
            setup_open(k);
            rng_init(&rng, seed, game);
            while (position_of(&p)->player[0].secrets[STACK_LAND] == 0) {
                struct rules_events events;
                rules_chance(R, &p.any.state, &rng, &move);
                rules_apply(R, &p.any.state, RULES_NATURE, &move, &events);
            }
            EXPECT_NUMBER(count_ground(GROUND_RANDOM), 0);
            for (int t = GROUND_MEADOW; t <= GROUND_MOUNTAIN; t++) {
                int n = count_ground(t);
                cr_assert(n == k / 5 || (k % 5 > 0 && n == k / 5 + 1),
                          "%d of %d", n, k);
            }
        }
}

/* Until the last open space has its terrain there are as many of both, and nobody
 * has played anything: everything else is no state. */
Test(hacienda_setup, impossible_deals)
{
    static struct position whole;

    setup_open(7);
    whole = p;
    cr_assert(position_valid(&p));
#define SPOILED(change) \
    do { \
        struct hacienda *h = position_of(&p); \
        p = whole; \
        change; \
        cr_assert(!position_valid(&p), "%s", #change); \
    } while (0)
    SPOILED(h->ground[0] = GROUND_PAMPAS);
    SPOILED(h->terrains[0]++);
    SPOILED(h->spares++);
    SPOILED(h->discard[CARD_PAMPAS]++);
    SPOILED(h->aside = 1);
    SPOILED(h->half = 2);
    SPOILED(h->actions = 1);
    SPOILED(h->idle = 1);
    SPOILED(h->scored = true);
}

/* [H10] Every terrain can come to every open space, about as often: the first
 * of six. */
Test(hacienda_setup, open_terrain_is_drawn)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "terrains";
    int first[GROUNDS] = {0}, twice[GROUNDS] = {0};
    struct rules_events events;
    struct rules_move move;
    struct rng rng;

    rng_init(&rng, seed, 0);
    for (int game = 0; game < 2000; game++) {
        setup_open(6);
        do {
            rules_chance(R, &p.any.state, &rng, &move);
            rules_apply(R, &p.any.state, RULES_NATURE, &move, &events);
        } while (count_ground(GROUND_RANDOM) > 0);
        first[position_of(&p)->ground[0]]++;
        for (int t = GROUND_MEADOW; t <= GROUND_MOUNTAIN; t++)
            twice[t] += count_ground(t) == 2;
    }
    for (int t = GROUND_MEADOW; t <= GROUND_MOUNTAIN; t++) {
        cr_assert(first[t] > 320 && first[t] < 480, "%d", first[t]);
        cr_assert(twice[t] > 320 && twice[t] < 480, "%d", twice[t]);
    }
}

/* [H10] Code 8 is drawn at game start: before the cards. */
Test(hacienda_setup, open_terrain_before_the_cards)
{
    setup_open(2);
    position_draw(&p, -1);
    while (count_ground(GROUND_RANDOM) > 0) {
        EXPECT_NUMBER(position_of(&p)->player[0].secrets[STACK_LAND], 0);
        position_draw(&p, -1);
    }
}

/* [H28] Variant 1 is played on any board but Crucible, with any number of
 * players; the form may propose the symmetric one, the rules do not ask. */
Test(hacienda_setup, variant1_on_any_board)
{
    for (const struct rules_asset *a = R->assets; a->name != NULL; a++)
        for (int seats = 2; seats <= 5; seats++) {
            int16_t options[RULES_OPTIONS_MAX] = {1, 0, RULES_NONE};
            struct rules_setup setup = {
                .seats = seats,
                .options = options,
                .asset_name = a->name,
            };
            bool other = strcmp(a->name, "crucible") != 0;
            EXPECT_NUMBER(rules_setup(R, &p.any.state, &setup, NULL),
                          other ? RULES_OK : RULES_BAD_SETUP);
        }
}

/* ---- [H24] crucible --------------------------------------------------- */

enum { UNSAID = RULES_NONE };

/* Sets up SEATS with the option, or UNSAID, and a board; the rule it breaks,
 * or "ok" with h->crucible in *ON. */
static const char *try(int seats, int option, const char *board, int variant1,
                       int variant2, bool *on)
{
    int16_t options[RULES_OPTIONS_MAX] = {
        (int16_t)variant1,
        (int16_t)variant2,
        (int16_t)option,
    };
    struct rules_setup setup = {
        .seats = seats,
        .options = options,
        .asset_name = board,
    };
    struct rules_problem why;
    if (rules_setup(R, &p.any.state, &setup, &why) != RULES_OK)
        return why.rule;
    *on = position_of(&p)->crucible;
    return "ok";
}

/* [H24] Option and board imply each other; with another board, number of
 * players or a variant it is refused: all combinations. */
Test(hacienda_setup, crucible_combinations)
{
    static const char *const boards[] = {NULL, "symmetric", "asymmetric",
                                         "five_lagoons", "crucible"};
    static const int said[] = {UNSAID, 0, 1};

    for (size_t b = 0; b < COUNT_OF(boards); b++)
        for (int seats = 2; seats <= 5; seats++)
            for (size_t o = 0; o < COUNT_OF(said); o++)
                for (int v = 0; v < 9; v++) {
                    int v1 = said[v / 3], v2 = said[v % 3];
                    bool board = b == 4, other = b > 0 && b < 4;
                    bool wanted = said[o] == 1 || board, on = false;
                    bool fine = !wanted || (!other && said[o] != 0 &&
                                            seats == 2 && v1 != 1 && v2 != 1);
                    const char *got = try(seats, said[o], boards[b], v1, v2,
                                          &on);
                    cr_assert_eq(strcmp(got, "ok") == 0, fine,
                                 "%s %d option %d variants %d %d: %s",
                                 boards[b] ? boards[b] : "-", seats, said[o],
                                 v1, v2, got);
                    if (fine)
                        EXPECT_NUMBER(on, wanted);
                    if (fine && wanted)
                        EXPECT_NUMBER(position_of(&p)->waters_left[0], 0);
                }
}

/* [H24] ... an uploaded board is another board. */
Test(hacienda_setup, crucible_with_uploaded_board)
{
    static char haz[HAZ_BYTES_MAX];
    int16_t options[RULES_OPTIONS_MAX] = {0, 0, 1};
    struct rules_setup setup = {.seats = 2, .options = options, .asset = haz};
    struct rules_problem why;
    setup.asset_len = position_haz(". $ .\n . . .", haz, sizeof(haz));
    EXPECT_NUMBER(rules_setup(R, &p.any.state, &setup, &why), RULES_BAD_SETUP);
    cr_assert_str_eq(why.option, "crucible");
}
