/* test_mind_hacienda.c -- what playing Hacienda well is made of: each weight does
 * what it says, and what is not looked at is left out by name. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "core/mind.h"
#include "tests/support/hacienda_position.h"

static struct position p;
static struct mind_room room;

/* A market there has to be: one that nothing can be brought to. */
#define AFAR "\n - - - - - - - -\n- - - - - - - $"
#define BOARD \
    "f f f f . . . .\n" \
    " . . . . . . . .\n" \
    ". . . . . . . ." AFAR

static struct hacienda *start(const char *board)
{
    position_start(&p, &(struct position_table){.board = board});
    /* No cards that would matter: they are put there where they do. */
    struct hacienda_player *seat = &position_of(&p)->player[0];
    memset(seat->unknown, 0, sizeof(seat->unknown));
    memset(seat->secrets, 0, sizeof(seat->secrets));
    return position_of(&p);
}

static void put(const char *hex, int tile)
{
    struct hacienda *h = position_of(&p);
    h->tile[position_hex(&p, hex)] = (uint8_t)tile;
    h->owner[position_hex(&p, hex)] = 0;
    (void)position_valid(&p); /* computes what follows */
}

static int64_t judge(void)
{
    return mind_find(&hacienda_rules)->judge(&p.any.state, 0);
}

/* The game is at its end: no animal is left to draw. */
static void end_is_near(void)
{
    struct hacienda *h = position_of(&p);
    h->supply[STACK_ANIMALS] = h->aside = 0;
    h->half = 2;
    h->scored = 1;
}

/* ---- weights --------------------------------------------------------------- */

/* Money is room to act, the first more than the last; near the end it is what it
 * scores. */
Test(mind_hacienda, money)
{
    struct hacienda *h = start(BOARD);
    int64_t at[4];

    for (int i = 0; i < 4; i++) {
        h->player[0].money = 10 * i;
        at[i] = judge();
    }
    cr_assert_gt(at[1] - at[0], at[2] - at[1]);
    cr_assert_gt(at[2] - at[1], at[3] - at[2]);
    cr_assert_gt(at[3] - at[2], MIND_POINT, "more than the point it scores");
    end_is_near();
    int64_t rich = judge();
    h->player[0].money -= 10;
    cr_assert_eq(rich - judge(), MIND_POINT);
}

/* So are cards, and one of each stack more than two of one. */
Test(mind_hacienda, cards)
{
    struct hacienda *h = start(BOARD);
    int64_t none = judge();

    h->player[0].known[CARD_SWAMP] = 1;
    int64_t land = judge();
    h->player[0].known[CARD_SWAMP] = 2;
    int64_t lands = judge();
    h->player[0].known[CARD_SWAMP] = 1;
    h->player[0].known[CARD_PIG] = 1;
    int64_t both = judge();
    cr_assert_gt(land, none);
    cr_assert_gt(lands, land);
    cr_assert_gt(both, lands);
    h->player[0].known[CARD_SWAMP] = 0;
    cr_assert_gt(judge(), none, "an animal");
    end_is_near();
    int64_t late = judge();
    h->player[0].known[CARD_PIG] = 0;
    cr_assert_eq(judge(), late, "that is no use any more");
}

/* A card that is bought and not drawn yet counts. */
Test(mind_hacienda, owed)
{
    struct hacienda *h = start(BOARD);
    int64_t none = judge();

    h->turn = 0;
    h->owed = STACK_LAND;
    cr_assert_gt(judge(), none);
    h->turn = 1;
    cr_assert_eq(judge(), none, "another's");
}

/* A chain that can be harvested is as if some of its money was there; one with a
 * chip is not. */
Test(mind_hacienda, harvest)
{
    struct hacienda *h = start(BOARD);

    put("A1", TILE_LAND);
    put("A2", TILE_LAND);
    int64_t open = judge();
    h->chip[position_hex(&p, "A1")] = 1;
    (void)position_valid(&p);
    cr_assert_lt(judge(), open);
    h->player[0].money += 6;
    cr_assert_gt(judge(), open, "the money itself is better");
}

/* One tile is a beginning, two that hang together a better one than two apart,
 * and the third scores. */
Test(mind_hacienda, short_chains)
{
    struct hacienda *h = start(BOARD);
    int64_t none = judge();

    put("A1", TILE_LAND);
    int64_t one = judge();
    put("A3", TILE_LAND);
    int64_t apart = judge();
    h->tile[position_hex(&p, "A3")] = TILE_NONE;
    h->owner[position_hex(&p, "A3")] = HACIENDA_NOBODY;
    put("A2", TILE_LAND);
    h->chip[position_hex(&p, "A1")] = 1; /* the harvest is another matter */
    (void)position_valid(&p);
    int64_t two = judge();
    put("A3", TILE_LAND);
    int64_t three = judge();
    cr_assert_gt(one, none);
    cr_assert_gt(two, apart);
    cr_assert_gt(three, two);
}

/* The nearer a market the better, up to three tiles. */
Test(mind_hacienda, reach)
{
    static const char *const boards[] = {
        "f . $ . . . . .",
        "f . . $ . . . .",
        "f . . . $ . . .",
        "f . . . . $ . .",
    };
    int64_t at[4];

    for (size_t i = 0; i < COUNT_OF(boards); i++) {
        start(boards[i]);
        put("A1", TILE_LAND);
        at[i] = judge();
    }
    cr_assert_gt(at[0], at[1]);
    cr_assert_gt(at[1], at[2]);
    cr_assert_gt(at[2], at[3]);
    start("f . . . . . . ." AFAR);
    put("A1", TILE_LAND);
    cr_assert_eq(judge(), at[3], "too far is nowhere");
}

/* A terrain card in the hand reaches a market beside its terrain. */
Test(mind_hacienda, reach_by_a_card)
{
    int64_t worth[2];

    for (int near = 0; near < 2; near++) {
        struct hacienda *h = start(near ? "f . . . . f . $" AFAR
                                        : "f . . . . s . $" AFAR);
        h->player[0].known[CARD_FOREST] = 1;
        worth[near] = judge();
    }
    cr_assert_gt(worth[1], worth[0]);
}

/* An animal in the hand is worth more where a market would pay for it. */
Test(mind_hacienda, sides)
{
    int64_t gain[2];

    for (int market = 0; market < 2; market++) {
        struct hacienda *h = start(market ? "f f f . $ . . ." AFAR
                                          : "f f f . . . . ." AFAR);
        put("A1", TILE_LAND);
        put("A2", TILE_LAND);
        put("A3", TILE_LAND);
        h->player[0].money = 5;
        int64_t none = judge();
        h->player[0].known[CARD_PIG] = 1;
        gain[market] = judge() - none;
    }
    cr_assert_gt(gain[1], gain[0]);
}

/* Before the interim scoring the board counts twice. */
Test(mind_hacienda, scorings)
{
    int64_t gain[2];

    for (int late = 0; late < 2; late++) {
        struct hacienda *h = start(BOARD);
        h->supply[STACK_ANIMALS] = h->aside = 0; /* nothing but points */
        if (late)
            end_is_near();
        int64_t none = judge();
        put("A1", TILE_LAND);
        put("A2", TILE_LAND);
        put("A3", TILE_LAND);
        gain[late] = judge() - none;
    }
    cr_assert_eq(gain[0], 2 * 6 * MIND_POINT);
    cr_assert_eq(gain[1], 6 * MIND_POINT);
}

/* ---- what is left out ------------------------------------------------------ */

/* How many moves of VERB are worth a thought to SEAT. */
static size_t thoughts_of(int seat, int verb)
{
    struct mind mind = mind_of(&hacienda_rules, MIND_GREEDY);
    size_t n = mind_consider(&mind, &p.any.state, seat, &room, room.move,
                             MIND_MOVES_MAX);
    size_t of_verb = 0;
    for (size_t i = 0; i < n; i++)
        of_verb += room.move[i].verb == verb;
    return of_verb;
}

static size_t thoughts(int verb)
{
    return thoughts_of(0, verb);
}

/* Water where one has nothing is legal and not looked at; beside one's tile it
 * is. */
Test(mind_hacienda, water_at_home_only)
{
    start(BOARD);
    position_turn(&p, 0);
    cr_assert_gt(position_legal(&p, 0, BUY_WATER), 20);
    cr_assert_eq(thoughts(BUY_WATER), 0);
    put("A1", TILE_LAND);
    size_t near = thoughts(BUY_WATER);
    cr_assert_gt(near, 0);
    cr_assert_lt(near, position_legal(&p, 0, BUY_WATER));
}

/* A hacienda on one tile of a chain will do, and one harvest of it. */
Test(mind_hacienda, once_a_chain)
{
    start(BOARD);
    position_turn(&p, 0);
    put("A1", TILE_LAND);
    put("A2", TILE_LAND);
    put("A3", TILE_LAND);
    cr_assert_eq(position_legal(&p, 0, BUY_HACIENDA), 3);
    cr_assert_eq(thoughts(BUY_HACIENDA), 1);
    cr_assert_eq(position_legal(&p, 0, HARVEST), 3);
    cr_assert_eq(thoughts(HARVEST), 1);
    cr_assert_eq(thoughts(END_TURN), 1, "a move always remains");
}

/* Once no chip is left, each chain is thought of with one chip of each opponent, never
 * with one's own. */
Test(mind_hacienda, a_chip_of_each_opponent)
{
    position_chips_out(&p);
    position_turn(&p, 1);
    cr_assert_eq(position_legal(&p, 1, HARVEST), 4 * 8);
    cr_assert_eq(thoughts_of(1, HARVEST), 2);
    position_do(&p, 1, "harvest hex=C14 from=A5");
    position_turn(&p, 0);
    cr_assert_eq(thoughts_of(0, HARVEST), 2, "A4 A5, and C10 C11");
}
