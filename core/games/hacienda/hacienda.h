/* hacienda.h -- what a table of Hacienda consists of, for the rules and for
 * clients that draw it.  [Hn] and clauses are those of the rules text; see
 * README.md beside this file. */

#ifndef CORE_HACIENDA_HACIENDA_H
#define CORE_HACIENDA_HACIENDA_H

#include "../../rules.h"
#include "board.h"

#define HACIENDA_SEATS_MAX  5
#define HACIENDA_ACTIONS    3   /* A turn */
#define HACIENDA_ROUNDS_MAX 200 /* [H18] */
#define HACIENDA_SLOTS      4   /* face-up cards of a stack, at most */
#define HACIENDA_WATERS     18  /* tiles, printed ones included */
#define HACIENDA_LANDS_MAX  80  /* [H7] land tiles of all players */
#define HACIENDA_HERD_MAX   30  /* [H7] animal tiles of a player */
#define HACIENDA_FACES_MAX  15  /* [H7] of each animal */

/* Cards, land first; the words of the argument `card`. */
enum hacienda_card {
    CARD_MOUNTAIN,
    CARD_FOREST,
    CARD_MEADOW,
    CARD_ROCKS,
    CARD_SWAMP,
    CARD_PAMPAS,
    LAND_CARDS,
    CARD_CATTLE = LAND_CARDS,
    CARD_HORSE,
    CARD_PIG,
    CARD_SHEEP,
    CARDS,
    ANIMAL_CARDS = CARDS - LAND_CARDS
};

/* The two kinds of cards, each with stacks and a display of its own. */
enum hacienda_stack { STACK_LAND, STACK_ANIMALS, STACKS };

static inline enum hacienda_stack card_stack(int card)
{
    return card < LAND_CARDS ? STACK_LAND : STACK_ANIMALS;
}

/* What lies on a hex. */
enum hacienda_tile {
    TILE_NONE,
    TILE_LAND,
    TILE_CATTLE, /* animals in the order of their cards */
    TILE_HORSE,
    TILE_PIG,
    TILE_SHEEP,
    TILE_WATER,
    TILES
};

static inline enum hacienda_tile card_tile(int card)
{
    return card < LAND_CARDS
               ? TILE_LAND
               : (enum hacienda_tile)(TILE_CATTLE + card - LAND_CARDS);
}

static inline bool tile_is_animal(int tile)
{
    return tile >= TILE_CATTLE && tile <= TILE_SHEEP;
}

enum hacienda_shape {
    SHAPE_SINGLE,
    SHAPE_DOUBLE,
    SHAPE_TRIANGLE,
    SHAPE_LINE,
    SHAPES
};

/* Verbs, in the order in which legal moves are listed; nature's last. */
enum hacienda_verb {
    BUY_LAND_SUPPLY,
    BUY_LAND_DISPLAY,
    BUY_ANIMAL_SUPPLY,
    BUY_ANIMAL_DISPLAY,
    BUY_HACIENDA,
    BUY_WATER,
    PLAY_LAND,
    PLAY_ANIMAL,
    HARVEST,
    END_TURN,
    NATURE_START,   /* [H11] the start player */
    NATURE_SPARE,   /* [H10] a terrain of which there will be one more */
    NATURE_TERRAIN, /* [H10] the terrain of a hex of code 8 */
    NATURE_DEAL,    /* a card into a hand, seen by its owner alone */
    NATURE_TURN_UP, /* a card into the display */
    VERBS
};

/* Categories of points, in the order of the rules. */
enum hacienda_part {
    PART_INTERIM, /* what the interim scoring brought, in the second half */
    PART_MARKETS,
    PART_LAND,
    PART_HERDS, /* variant1 and crucible */
    PART_HACIENDAS,
    PART_WATER,
    PART_MONEY,
    PARTS
};

enum hacienda_due { DUE_NOTHING, DUE_INTERIM, DUE_FINAL };

#define HACIENDA_NOBODY FIELDS_NULL_U8 /* no seat, no card, no tile */

struct hacienda_player {
    int32_t money;           /* pesos */
    uint8_t known[CARDS];    /* [H25] cards in hand that all have seen */
    uint8_t unknown[CARDS];  /* those only they know; FIELDS_NULL_U8 in the
                                * views of others */
    uint8_t secrets[STACKS]; /* how many of each stack those are */
    int32_t interim[PARTS];  /* points of the interim scoring by category;
                                * PART_INTERIM: their sum */
};

struct hacienda {
    struct rules_state base;

    /* Fixed by the setup. */
    uint8_t variant1, variant2, crucible; /* options, 0 or 1 */
    uint16_t cols, rows;                  /* of the board */

    /* The board, by hex. */
    uint8_t ground[BOARD_HEXES_MAX];   /* enum ground */
    uint8_t tile[BOARD_HEXES_MAX];     /* enum hacienda_tile */
    uint8_t owner[BOARD_HEXES_MAX];    /* of a land or animal tile, a seat */
    uint8_t water[BOARD_HEXES_MAX];    /* number of the water tile that covers
                                        * it, from 0 */
    uint8_t hacienda[BOARD_HEXES_MAX]; /* 1: one stands there */
    uint8_t chip[BOARD_HEXES_MAX];     /* 1: a harvest chip lies there */

    /* The bank. */
    uint8_t haciendas_left, chips_left;
    uint8_t waters_left[SHAPES];
    uint8_t water_tiles; /* lying on the board, printed or bought */
    uint8_t water_size[HACIENDA_WATERS]; /* hexes of each of those */
    uint8_t supply[STACKS];              /* cards face down to draw from */
    uint8_t aside;   /* the second animal stack, till its turn */
    uint8_t removed; /* animal cards taken out of the game */
    uint8_t half;    /* which animal stack is in use: 1, 2 */
    uint8_t display[STACKS][HACIENDA_SLOTS]; /* cards or HACIENDA_NOBODY */
    uint8_t discard[CARDS];

    struct hacienda_player player[HACIENDA_SEATS_MAX];

    /* The game's course. */
    uint8_t start;   /* the start player; HACIENDA_NOBODY until drawn */
    uint8_t turn;    /* whose turn it is */
    uint8_t round;   /* from 1; 0 while cards are dealt */
    uint8_t actions; /* done in this turn */
    uint8_t bought_hacienda, bought_water, harvested; /* in this turn */
    uint8_t idle;   /* turns without an action in succession */
    uint8_t due;    /* enum hacienda_due: the scoring after this round */
    uint8_t scored; /* the interim scoring has been */

    /* What chance still owes. */
    uint8_t spares;                   /* extra terrains to draw, [H10] */
    uint8_t terrains[LAND_CARDS - 1]; /* of each, hexes still to be drawn */
    uint8_t owed; /* stack of which the player on turn draws
                                     * one, or HACIENDA_NOBODY */
    /* Not 0: empty slots are to be filled, first of all this one, from 1. */
    uint8_t refill[STACKS];

    /* Follows from the fields above; see derive(). */
    struct board_steps steps;
    uint8_t near[BOARD_HEXES_MAX];
    uint16_t hexes;
    uint16_t open[GROUNDS]; /* hexes of each ground without a tile */
    uint8_t lands;          /* land tiles on the board */
    uint8_t animals[HACIENDA_SEATS_MAX][ANIMAL_CARDS]; /* tiles of each */
    uint8_t chips[HACIENDA_SEATS_MAX]; /* chips on the tiles of each */
    /* Land chains, single tiles included, are numbered from 0. */
    uint8_t chain[BOARD_HEXES_MAX];          /* of a land tile, its chain */
    uint8_t chain_tiles[HACIENDA_LANDS_MAX]; /* how many tiles it has */
    uint8_t chain_chips[HACIENDA_LANDS_MAX]; /* how many chips lie on it */
    /* What the board alone is worth to each, by enum hacienda_part. */
    int32_t worth[PARTS][HACIENDA_SEATS_MAX];
};

_Static_assert(sizeof(struct hacienda) <= RULES_STATE_MAX, "fits");

extern const struct rules hacienda_rules;
extern const struct rules_asset hacienda_boards[]; /* generated */
extern const struct rules_asset_kind hacienda_board_kind;

/* The words of cards, tiles, grounds and shapes, as on the wire. */
extern const char *const hacienda_card_words[];
extern const char *const hacienda_tile_words[];
extern const char *const hacienda_ground_words[];
extern const char *const hacienda_shape_words[];

/* What a purchase costs at this table, in pesos; 0 for what is free. */
int hacienda_cost(const struct hacienda *h, int verb);

/* Cards of KIND that could still be in the stacks, as far as the viewer of H
 * knows: what is face down anywhere but in their own hand. */
int hacienda_unseen(const struct hacienda *h, int card);

/* Cards in SEAT's hand, of one stack. */
int hacienda_hand(const struct hacienda *h, int seat, enum hacienda_stack s);

/* Points of every seat by category if a scoring happened on this board now:
 * scoring.c. */
void hacienda_points(const struct hacienda *h,
                     int32_t points[PARTS][HACIENDA_SEATS_MAX]);

/* What a market pays to SEAT for the animal just put on HEX. */
int hacienda_market_pay(const struct hacienda *h, int hex);

#endif
