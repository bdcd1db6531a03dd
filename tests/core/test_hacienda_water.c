/* test_hacienda_water.c -- Hacienda, buying water: shapes [H1] in every
 * rotation, the order of hexes [H13], and what is refused. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/hacienda_position.h"

static const struct rules *const R = &hacienda_rules;

static struct position p;

/* C3 has six pampas around it and six more around those. */
#define OPEN \
    ". . . . . f\n" \
    " . . . . . .\n" \
    ". . . . . .\n" \
    " . . . . . .\n" \
    ". . . . . $"

static void start(const char *board)
{
    position_start(&p, &(struct position_table){
                           .board = board,
                           .hand = {"forest*4 pig*4"},
                       });
}

/* ---- shapes ----------------------------------------------------------- */

/* The places of hexes, to say what a shape is in words of geometry: hexes are
 * adjacent at a distance of (2, 0) or (1, 1) half hexes. */
static bool adjacent(int a, int b)
{
    const struct hacienda *h = position_of(&p);
    struct board_place at = board_place(h->cols, h->rows, a);
    struct board_place to = board_place(h->cols, h->rows, b);
    int dx = abs(at.x - to.x), dy = abs(at.y - to.y);
    return (dx == 2 && dy == 0) || (dx == 1 && dy == 1);
}

/* Whether B lies in the middle between A and C. */
static bool between(int a, int b, int c)
{
    const struct hacienda *h = position_of(&p);
    struct board_place l = board_place(h->cols, h->rows, a);
    struct board_place m = board_place(h->cols, h->rows, b);
    struct board_place r = board_place(h->cols, h->rows, c);
    return l.x + r.x == 2 * m.x && l.y + r.y == 2 * m.y;
}

/* [H1] Two adjacent spaces; a triangle: three mutually adjacent; a line: three
 * in a straight row. */
static bool is_shape(int shape, int a, int b, int c)
{
    switch (shape) {
    case SHAPE_DOUBLE: return adjacent(a, b);
    case SHAPE_TRIANGLE:
        return adjacent(a, b) && adjacent(b, c) && adjacent(a, c);
    default:
        return (between(a, b, c) && adjacent(a, b)) ||
               (between(b, a, c) && adjacent(a, b)) ||
               (between(a, c, b) && adjacent(a, c));
    }
}

static const char *buy(int shape, int a, int b, int c)
{
    struct rules_move move = RULES_MOVE(BUY_WATER, shape, a, b);
    move.arg[3] = (int16_t)c;
    int refusal = rules_check(R, &p.any.state, 0, &move);
    return refusal == RULES_OK ? "ok" : rules_reason(R, refusal);
}

/* [H1] [H13] Every pair of hexes in every order: those of the shape pass in
 * reading order, in another order they are `wrong_order`, all else and equal
 * hexes are `wrong_shape`. */
Test(hacienda_water, all_doubles)
{
    int fine = 0;
    start(OPEN);
    const struct hacienda *h = position_of(&p);
    for (int a = 0; a < h->hexes; a++)
        for (int b = 0; b < h->hexes; b++) {
            if (h->ground[a] != GROUND_PAMPAS || h->ground[b] != GROUND_PAMPAS)
                continue;
            const char *wanted = !is_shape(SHAPE_DOUBLE, a, b, 0)
                                     ? "wrong_shape"
                                 : a < b ? "ok"
                                         : "wrong_order";
            cr_assert_str_eq(buy(SHAPE_DOUBLE, a, b, RULES_NONE), wanted);
            fine += a < b && is_shape(SHAPE_DOUBLE, a, b, 0);
        }
    cr_assert_gt(fine, 50);
    struct rules_choice out;
    EXPECT_NUMBER(rules_legal(R, &p.any.state, 0, BUY_WATER, &out, 1) > 0, 1);
}

/* [H1] [H13] The same for every triple, of both shapes of size 3. */
Test(hacienda_water, all_triples)
{
    start(OPEN);
    const struct hacienda *h = position_of(&p);
    for (int shape = SHAPE_TRIANGLE; shape <= SHAPE_LINE; shape++)
        for (int a = 0; a < h->hexes; a++)
            for (int b = 0; b < h->hexes; b++)
                for (int c = 0; c < h->hexes; c++) {
                    if (h->ground[a] != GROUND_PAMPAS ||
                        h->ground[b] != GROUND_PAMPAS ||
                        h->ground[c] != GROUND_PAMPAS)
                        continue;
                    bool differ = a != b && b != c && a != c;
                    const char *wanted = !differ || !is_shape(shape, a, b, c)
                                             ? "wrong_shape"
                                         : a < b && b < c ? "ok"
                                                          : "wrong_order";
                    cr_assert_str_eq(buy(shape, a, b, c), wanted,
                                     "%d: %d %d %d", shape, a, b, c);
                }
}

/* [H1] Any rotation: a double has three around a space, a triangle two, a line
 * three; all that can be laid are offered, once each. */
Test(hacienda_water, all_are_offered)
{
    static struct rules_choice choice[RULES_MOVES_MAX];
    int offered[SHAPES] = {0}, fit[SHAPES] = {0};
    start(OPEN);
    const struct hacienda *h = position_of(&p);
    size_t n = rules_legal(R, &p.any.state, 0, BUY_WATER, choice,
                           RULES_MOVES_MAX);
    for (size_t i = 0; i < n; i++)
        offered[choice[i].move.arg[0]]++;
    for (int a = 0; a < h->hexes; a++) {
        fit[SHAPE_SINGLE] += h->ground[a] == GROUND_PAMPAS;
        for (int b = a + 1; b < h->hexes; b++) {
            fit[SHAPE_DOUBLE] += strcmp(buy(SHAPE_DOUBLE, a, b, RULES_NONE),
                                        "ok") == 0;
            for (int c = b + 1; c < h->hexes; c++)
                for (int s = SHAPE_TRIANGLE; s <= SHAPE_LINE; s++)
                    fit[s] += strcmp(buy(s, a, b, c), "ok") == 0;
        }
    }
    for (int shape = 0; shape < SHAPES; shape++)
        EXPECT_NUMBER(offered[shape], fit[shape]);
    EXPECT_LEGAL(&p, 0, "buy_water shape=line hex1=C2 hex2=C3 hex3=C4");
    EXPECT_LEGAL(&p, 0, "buy_water shape=line hex1=A2 hex2=B2 hex3=C3");
    EXPECT_LEGAL(&p, 0, "buy_water shape=line hex1=A4 hex2=B3 hex3=C3");
    EXPECT_LEGAL(&p, 0, "buy_water shape=triangle hex1=B2 hex2=B3 hex3=C3");
    EXPECT_LEGAL(&p, 0, "buy_water shape=triangle hex1=B2 hex2=C2 hex3=C3");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=line hex1=B2 hex2=B3 hex3=C3",
                   "wrong_shape");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=line hex1=C2 hex2=C3 hex3=B3",
                   "wrong_shape");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=triangle hex1=C2 hex2=C3 hex3=C4",
                   "wrong_shape");
}

/* A turn, wrong_shape: too few or too many hexes, for each shape. */
Test(hacienda_water, wrong_number_of_hexes)
{
    static const char *const bad[] = {
        "single hex1=C2 hex2=C3",
        "single hex1=C2 hex3=C3",
        "single hex1=C2 hex2=C3 hex3=C4",
        "single hex1=C2 hex2=C2",
        "double hex1=C2",
        "double hex1=C2 hex3=C3",
        "double hex1=C2 hex2=C3 hex3=C4",
        "double hex1=C2 hex2=C2",
        "double hex1=C2 hex2=C2 hex3=C3",
        "triangle hex1=B2",
        "triangle hex1=B2 hex2=B3",
        "triangle hex1=B2 hex3=B3",
        "triangle hex1=B2 hex2=B3 hex3=B3",
        "line hex1=C2 hex2=C3",
        "line hex1=C2 hex2=C3 hex3=C3",
    };
    char text[80];
    start(OPEN);
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        snprintf(text, sizeof(text), "buy_water shape=%s", bad[i]);
        EXPECT_REFUSAL(&p, 0, text, "wrong_shape");
    }
}

/* ---- refusals --------------------------------------------------------- */

/* Row C: market, water, forest, pampas; B2 and the rest pampas. */
#define MIXED \
    "f . . . . .\n" \
    " . . . . . .\n" \
    "$ ~ f . . .\n" \
    " . . . - . .\n" \
    "m . . . . ."

/* A turn, buy_water: `once_per_turn` `supply_empty` `too_expensive`
 * `wrong_shape` `wrong_order` `wrong_space` `hex_taken`, each before the
 * next ones. */
Test(hacienda_water, refusals_in_order)
{
    start(MIXED "\n ~ ~ ~ ~ ~ ~\n~ ~ . . . ."); /* no single is left */
    position_put(&p, 0, "forest A1, pig B1");
    position_turn(&p, 0);
    position_pesos(&p, 0, 11);
    EXPECT_REFUSAL(&p, 0, "buy_water shape=single hex1=B1 hex2=B1",
                   "supply_empty");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=B1", "too_expensive");
    position_pesos(&p, 0, 12);
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=C1 hex2=A1",
                   "wrong_shape");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=C1 hex2=B1",
                   "wrong_order");
    /* The pig on B1 is on pampas, the market C1 is not: in any order. */
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=B1 hex2=C1",
                   "wrong_space");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=A1 hex2=B1",
                   "wrong_space");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=B1 hex2=B2",
                   "hex_taken");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=A2 hex2=B1",
                   "hex_taken");
    position_do(&p, 0, "buy_water shape=double hex1=A5 hex2=A6");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=single hex1=B1 hex2=B1",
                   "once_per_turn");
    EXPECT_REFUSAL(&p, 0, "buy_water shape=double hex1=B3 hex2=B4",
                   "once_per_turn");
}

/* A turn, wrong_space: void, market, printed water, land of any terrain,
 * occupied or not; hex_taken: land, animals and water on pampas. */
Test(hacienda_water, where_water_goes)
{
    static const struct {
        const char *hex, *rule;
    } row[] = {
        {"A1", "wrong_space"}, {"C1", "wrong_space"}, {"C2", "wrong_space"},
        {"C3", "wrong_space"}, {"D4", "wrong_space"}, {"E1", "wrong_space"},
        {"B1", "hex_taken"},   {"A2", "hex_taken"},   {"A6", "hex_taken"},
        {"A3", "ok"},          {"E6", "ok"},          {"D3", "ok"},
    };
    char text[60];
    position_start(&p, &(struct position_table){
                           .board = MIXED,
                           .hand = {"forest pampas pig"},
                       });
    position_put(&p, 0, "forest A1, pig B1, pampas A2");
    position_pesos(&p, 0, 50);
    position_go(&p, 0, "buy_water shape=single hex1=A6");
    position_turn(&p, 0);
    for (size_t i = 0; i < COUNT_OF(row); i++) {
        snprintf(text, sizeof(text), "buy_water shape=single hex1=%s",
                 row[i].hex);
        EXPECT_REFUSAL(&p, 0, text, row[i].rule);
    }
}

/* A turn, buy_water: anywhere, no own tile need be near: here with no tile on
 * the board at all. */
Test(hacienda_water, no_own_tile_needed)
{
    start(OPEN);
    EXPECT_LEGAL(&p, 0, "buy_water shape=single hex1=E1");
    EXPECT_LEGAL(&p, 0, "buy_water shape=line hex1=D1 hex2=D2 hex3=D3");
}

/* Material: 4 doubles, 3 triangles, 2 lines, 5 singles to be bought; each shape
 * runs out by itself. */
Test(hacienda_water, each_shape_runs_out)
{
    static const struct {
        int shape, tiles;
    } row[] = {{SHAPE_SINGLE, 5},
               {SHAPE_DOUBLE, 4},
               {SHAPE_TRIANGLE, 3},
               {SHAPE_LINE, 2}};
    static struct rules_choice choice[RULES_MOVES_MAX];

    for (size_t i = 0; i < COUNT_OF(row); i++) {
        position_start(&p, &(struct position_table){0});
        position_pesos(&p, 0, 200);
        for (int tile = 0; tile <= row[i].tiles; tile++) {
            position_turn(&p, 0);
            size_t n = rules_legal(R, &p.any.state, 0, BUY_WATER, choice,
                                   RULES_MOVES_MAX);
            size_t at = 0;
            while (at < n && choice[at].move.arg[0] != row[i].shape)
                at++;
            EXPECT_NUMBER(at < n, tile < row[i].tiles);
            if (at < n)
                rules_apply(R, &p.any.state, 0, &choice[at].move, &p.events);
        }
        EXPECT_NUMBER(position_of(&p)->waters_left[row[i].shape], 0);
        cr_assert_str_eq(buy(row[i].shape, 0, 0, 0), "supply_empty");
        cr_assert(position_valid(&p));
    }
}

/* A turn: the tile lies on all its spaces, as one; nobody owns it. */
Test(hacienda_water, one_tile_on_its_spaces)
{
    start(OPEN);
    position_do(&p, 0, "buy_water shape=triangle hex1=B2 hex2=C2 hex3=C3");
    const struct hacienda *h = position_of(&p);
    int a = position_hex(&p, "B2");
    EXPECT_NUMBER(h->water_tiles, 1);
    EXPECT_NUMBER(h->water_size[h->water[a]], 3);
    EXPECT_NUMBER(h->water[position_hex(&p, "C2")], h->water[a]);
    EXPECT_NUMBER(h->water[position_hex(&p, "C3")], h->water[a]);
    EXPECT_NUMBER(h->owner[a], HACIENDA_NOBODY);
    EXPECT_NUMBER(h->bought_water, 1);
    EXPECT_NUMBER(h->waters_left[SHAPE_TRIANGLE], 2);
    const struct rules_event *e = position_event(&p.events, EV_BOUGHT_WATER,
                                                 0);
    EXPECT_NUMBER(e->arg[4], position_hex(&p, "C3"));
}
