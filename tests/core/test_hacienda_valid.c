/* test_hacienda_valid.c -- Hacienda: what no state may be.  Each line spoils one
 * thing of a state that is right, and no other. */

#include <criterion/criterion.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/hacienda_position.h"

static struct position p;

static struct hacienda *edit(struct position *q)
{
    return position_of(q);
}

/* Whether the state is right with STATEMENT done to a copy of it, in which it is
 * H. */
#define AFTER(statement) \
    ({ \
        static struct position spoiled_; \
        spoiled_ = p; \
        struct hacienda *h = edit(&spoiled_); \
        statement; \
        position_valid(&spoiled_); \
    })
#define WRONG(statement) cr_assert_not(AFTER(statement), "%s", #statement)
#define RIGHT(statement) cr_assert(AFTER(statement), "%s", #statement)

static int at(const char *name)
{
    return position_hex(&p, name);
}

/* Seat 0 has land on A1 and A2 and a pig on A3; A4 is a market, A7 water. */
static void start(int seats)
{
    position_start(&p, &(struct position_table){
                           .board = " f f . $ . . ~ .\n"
                                    "  . . . . . . . .\n"
                                    " . . . . . . . .",
                           .seats = seats,
                           .hand = {"forest*3 pig*4"},
                       });
    position_put(&p, 0, "forest A1, forest A2, pig A3");
    position_turn(&p, 1);
    RIGHT((void)h);
}

/* ---- the board ------------------------------------------------------------ */

/* A tile is somebody's who plays, and lies where such a tile may lie. */
Test(hacienda_valid, tiles)
{
    start(3);
    WRONG(h->owner[at("B1")] = 0);
    WRONG(h->owner[at("A1")] = HACIENDA_NOBODY);
    WRONG(h->owner[at("A1")] = 3);
    RIGHT(h->owner[at("A1")] = 2);
    WRONG(h->tile[at("A4")] = TILE_LAND; h->owner[at("A4")] = 0);
    WRONG(h->tile[at("A2")] = TILE_PIG);
    WRONG(h->ground[at("A3")] = GROUND_VOID);
    WRONG(h->ground[at("A1")] = GROUND_RANDOM);
    WRONG(h->ground[at("C1")] = GROUND_RANDOM);
}

/* Haciendas and chips are as many as there are, a chip on land, a hacienda on
 * somebody's tile. */
Test(hacienda_valid, haciendas_and_chips)
{
    start(2);
    RIGHT(h->hacienda[at("A1")] = 1; h->haciendas_left--);
    RIGHT(h->hacienda[at("A3")] = 1; h->haciendas_left--);
    WRONG(h->hacienda[at("A1")] = 1);
    WRONG(h->haciendas_left--);
    WRONG(h->hacienda[at("B3")] = 1; h->haciendas_left--);
    RIGHT(h->chip[at("A1")] = 1; h->chips_left--);
    WRONG(h->chip[at("A1")] = 1);
    WRONG(h->chips_left--);
    WRONG(h->chip[at("A3")] = 1; h->chips_left--);
    WRONG(h->chip[at("B3")] = 1; h->chips_left--);
}

/* Water lies on water and on pampas, in tiles of one to three hexes, of which
 * there are so many. */
Test(hacienda_valid, waters)
{
    start(2);
    int single = edit(&p)->water_tiles;
    WRONG(h->tile[at("A7")] = TILE_NONE; h->water[at("A7")] = HACIENDA_NOBODY);
    WRONG(h->water[at("A7")] = HACIENDA_NOBODY);
    WRONG(h->tile[at("A7")] = TILE_NONE);
    WRONG(h->water[at("A7")] = (uint8_t)single);
    WRONG(h->water_size[0] = 2);
    WRONG(h->water_tiles++);
    WRONG(h->water_tiles = HACIENDA_WATERS + 1);
    WRONG(h->waters_left[SHAPE_SINGLE]++);
    WRONG(h->waters_left[SHAPE_SINGLE]--);
    WRONG(h->waters_left[SHAPE_DOUBLE]--);
    WRONG(h->waters_left[SHAPE_TRIANGLE]++; h->waters_left[SHAPE_LINE]--);
    /* A double one, bought. */
    RIGHT(h->tile[at("C1")] = h->tile[at("C2")] = TILE_WATER;
          h->water[at("C1")] = h->water[at("C2")] = (uint8_t)single;
          h->water_size[single] = 2; h->water_tiles++;
          h->waters_left[SHAPE_DOUBLE]--);
    WRONG(h->tile[at("C1")] = h->tile[at("C2")] = TILE_WATER;
          h->water[at("C1")] = h->water[at("C2")] = (uint8_t)single;
          h->water_size[single] = 2; h->water_tiles++;
          h->waters_left[SHAPE_SINGLE]--);
    WRONG(h->tile[at("C1")] = TILE_WATER; h->water[at("C1")] = (uint8_t)single;
          h->water_size[single] = 2; h->water_tiles++;
          h->waters_left[SHAPE_DOUBLE]--);
    WRONG(h->tile[at("A1")] = TILE_WATER; h->owner[at("A1")] = HACIENDA_NOBODY;
          h->water[at("A1")] = (uint8_t)single; h->water_size[single] = 1;
          h->water_tiles++; h->waters_left[SHAPE_SINGLE]--);
}

/* ---- the cards ------------------------------------------------------------ */

/* Every card is somewhere, once; a hand's hidden ones are as many of each stack
 * as is said. */
Test(hacienda_valid, cards)
{
    start(2);
    WRONG(h->player[1].secrets[STACK_LAND]++);
    WRONG(h->player[1].secrets[STACK_ANIMALS]--);
    WRONG(h->player[1].unknown[CARD_FOREST]++);
    WRONG(h->player[1].unknown[CARD_PIG]++);
    WRONG(h->player[0].known[CARD_ROCKS]++);
    WRONG(h->discard[CARD_SHEEP]++);
    WRONG(h->discard[CARD_ROCKS] = 200);
    RIGHT(h->discard[CARD_SHEEP]++; h->supply[STACK_ANIMALS]--);
    RIGHT(h->discard[CARD_ROCKS]++; h->supply[STACK_LAND]--);
    WRONG(h->discard[CARD_SHEEP]++; h->supply[STACK_LAND]--);
    WRONG(h->supply[STACK_LAND]++);
    WRONG(h->supply[STACK_ANIMALS]--);
    WRONG(h->aside++);
    RIGHT(h->aside++; h->supply[STACK_ANIMALS]--);
    WRONG(h->removed++; h->supply[STACK_ANIMALS]--);
    WRONG(h->removed--; h->supply[STACK_ANIMALS]++);
}

/* The displays have their own cards, in the slots that there are. */
Test(hacienda_valid, display)
{
    start(2);
    int slots = numbers(edit(&p))->slots;
    WRONG(h->display[STACK_LAND][0] = h->display[STACK_ANIMALS][0]);
    WRONG(uint8_t card = h->display[STACK_LAND][0];
          h->display[STACK_LAND][0] = h->display[STACK_ANIMALS][0];
          h->display[STACK_ANIMALS][0] = card);
    if (slots < HACIENDA_SLOTS)
        WRONG(h->display[STACK_LAND][slots] = h->display[STACK_LAND][0];
              h->display[STACK_LAND][0] = HACIENDA_NOBODY);
    WRONG(h->refill[STACK_LAND] = (uint8_t)(slots + 1));
    WRONG(h->refill[STACK_ANIMALS] = (uint8_t)(slots + 1));
}

/* A viewer sees all of their own hand and nothing of the others'. */
Test(hacienda_valid, hands_in_views)
{
    union rules_any view;

    start(2);
    for (int viewer = 0; viewer < 3; viewer++) {
        int who = viewer < 2 ? viewer : RULES_WATCHER;
        struct hacienda *h = (struct hacienda *)&view;
        rules_view(&hacienda_rules, &p.any.state, who, &view.state);
        cr_assert(rules_valid(&hacienda_rules, &view.state));
        for (int seat = 0; seat < 2; seat++) {
            uint8_t *first = &h->player[seat].unknown[0], was = *first;
            uint8_t *last = &h->player[seat].unknown[CARDS - 1], old = *last;
            cr_assert_eq(was == FIELDS_NULL_U8, seat != who);
            *first = seat == who ? FIELDS_NULL_U8 : 0;
            cr_assert_not(rules_valid(&hacienda_rules, &view.state));
            *first = was;
            *last = seat == who ? FIELDS_NULL_U8 : 0;
            cr_assert_not(rules_valid(&hacienda_rules, &view.state));
            *last = old;
            h->player[seat].secrets[STACK_LAND]++;
            cr_assert_not(rules_valid(&hacienda_rules, &view.state));
            h->player[seat].secrets[STACK_LAND]--;
        }
        cr_assert(rules_valid(&hacienda_rules, &view.state));
    }
}

/* ---- before play ----------------------------------------------------------- */

/* Nothing is done before all is dealt. */
Test(hacienda_valid, dealing)
{
    position_setup(&p, &(struct position_table){
                           .board = " f f ? $ . . ~ .\n"
                                    "  . . ? . . . . .\n"
                                    " . . . . . . . .",
                       });
    RIGHT((void)h);
    WRONG(h->player[0].known[CARD_PAMPAS]++; h->supply[STACK_LAND]--);
    WRONG(h->player[0].known[CARD_PAMPAS]--; h->supply[STACK_LAND]++);
    WRONG(h->player[0].known[CARD_PAMPAS]--;
          h->player[0].known[CARD_FOREST]++);
    WRONG(h->player[0].known[CARD_PIG]++; h->supply[STACK_ANIMALS]--);
    WRONG(h->discard[CARD_SHEEP]++; h->supply[STACK_ANIMALS]--);
    WRONG(h->aside++; h->supply[STACK_ANIMALS]--);
    WRONG(h->half = 2);
    WRONG(h->half = 0);
    WRONG(h->owed = STACK_LAND);
    WRONG(h->actions = 1);
    WRONG(h->idle = 1);
    WRONG(h->due = DUE_FINAL);
    WRONG(h->due = DUE_INTERIM);
    WRONG(h->scored = 1);
    WRONG(h->base.acting = 0);
    WRONG(h->base.acting = 1);
    WRONG(h->base.may = 1);
    WRONG(h->tile[at("B1")] = TILE_LAND; h->owner[at("B1")] = 0);
    WRONG(h->tile[at("B1")] = TILE_PIG; h->owner[at("B1")] = 0);
    WRONG(h->spares++);
    WRONG(h->spares--);
    WRONG(h->terrains[0]++);
    WRONG(h->start = 2);
    RIGHT(h->base.ply = HACIENDA_SETUP_PLIES);
    WRONG(h->base.ply = HACIENDA_SETUP_PLIES + 1);
    for (int stack = 0; stack < STACKS; stack++) {
        int deal = numbers(edit(&p))->deal[stack];
        int card = stack == STACK_LAND ? CARD_PAMPAS : CARD_SHEEP;
        cr_assert(deal > 0 && deal < 9);
        RIGHT(h->player[1].unknown[card] = (uint8_t)deal;
              h->player[1].secrets[stack] = (uint8_t)deal;
              h->supply[stack] -= (uint8_t)deal);
        WRONG(h->player[1].unknown[card] = (uint8_t)(deal + 1);
              h->player[1].secrets[stack] = (uint8_t)(deal + 1);
              h->supply[stack] -= (uint8_t)(deal + 1));
    }
}

/* ---- in play ---------------------------------------------------------------- */

/* Whose turn it is, what they have done in it, and who is waited for. */
Test(hacienda_valid, turns)
{
    start(3);
    WRONG(h->start = 3);
    WRONG(h->start = HACIENDA_NOBODY);
    WRONG(h->turn = 3; h->base.acting = 8);
    WRONG(h->spares = 1);
    WRONG(h->terrains[0] = 1);
    WRONG(h->terrains[LAND_CARDS - 2] = 1);
    RIGHT(h->actions = HACIENDA_ACTIONS);
    WRONG(h->actions = HACIENDA_ACTIONS + 1);
    RIGHT(h->idle = 2);
    WRONG(h->idle = 4);
    WRONG(h->base.may = 1);
    WRONG(h->base.acting = 1);
    WRONG(h->base.acting = 3);
    WRONG(h->base.acting = RULES_BIT(RULES_NATURE));
    WRONG(h->refill[STACK_LAND] = 1);
    WRONG(h->refill[STACK_ANIMALS] = 1);
    WRONG(h->owed = STACK_LAND);
    RIGHT(h->owed = STACK_LAND; h->base.acting = RULES_BIT(RULES_NATURE));
}

/* In the first half the second stack lies aside and the first is not empty; in
 * the second nothing lies aside. */
Test(hacienda_valid, halves)
{
    start(2);
    WRONG(h->half = 2);
    WRONG(h->supply[STACK_ANIMALS] += h->aside; h->aside = 0);
    WRONG(h->aside += h->supply[STACK_ANIMALS]; h->supply[STACK_ANIMALS] = 0);
    RIGHT(h->supply[STACK_ANIMALS] += h->aside; h->aside = 0; h->half = 2);
    WRONG(h->supply[STACK_ANIMALS] += (uint8_t)(h->aside - 1); h->aside = 1;
          h->half = 2);
}

/* The interim scoring is in the second half, and not with variant 2. */
Test(hacienda_valid, interim)
{
    start(2);
    WRONG(h->scored = 1);
    WRONG(h->due = DUE_INTERIM);
    struct hacienda *second = edit(&p);
    second->supply[STACK_ANIMALS] += second->aside;
    second->aside = 0;
    second->half = 2;
    RIGHT((void)h);
    RIGHT(h->scored = 1);
    RIGHT(h->due = DUE_INTERIM);
    RIGHT(h->due = DUE_FINAL);
    RIGHT(h->variant2 = 1);
    WRONG(h->variant2 = 1; h->scored = 1);
    WRONG(h->variant2 = 1; h->due = DUE_INTERIM);
}

/* No more plies than the turns so far can have had. */
Test(hacienda_valid, plies)
{
    start(2); /* the first round, and in it the second turn */
    uint32_t most = HACIENDA_SETUP_PLIES + 2 * HACIENDA_TURN_PLIES;
    cr_assert_eq(edit(&p)->round, 1);
    RIGHT(h->base.ply = most);
    WRONG(h->base.ply = most + 1);
    RIGHT(h->base.ply = most + 2 * HACIENDA_TURN_PLIES; h->round = 2);
    WRONG(h->base.ply = most + 2 * HACIENDA_TURN_PLIES + 1; h->round = 2);
    WRONG(h->base.ply = most; h->turn = 0; h->base.acting = 1);
}

/* [H24] The Crucible is for two, without variants. */
Test(hacienda_valid, crucible)
{
    static const int seats[] = {2, 3};

    for (int i = 0; i < 2; i++) {
        start(seats[i]);
        WRONG(h->crucible = 1; h->variant1 = 1);
        WRONG(h->crucible = 1; h->variant2 = 1);
        if (seats[i] != 2)
            WRONG(h->crucible = 1);
    }
}
