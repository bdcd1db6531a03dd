/* board.h -- a board of hexes: its geometry, its file, and a generator.
 *
 * A board is COLS by ROWS cells of a `.haz` file, of which those with an odd
 * (column + row) are hexes.  The file is turned 90 degrees clockwise for play
 * (rules, `.haz`): a column becomes a row of pointy-top hexes, the first one
 * on top, and x, counted in half hexes from the left, is rows - 1 - row.
 *
 * A hex is its index in reading order -- by y, then by x -- counted over all
 * hexes of the board, void included.  Rows of one kind are equally long, so
 * places, names and neighbours all follow from COLS and ROWS.  Neighbours are
 * what a rules engine asks for all the time; for them there is a byte for each
 * hex and a few numbers for each board:
 *
 *     uint8_t near[BOARD_HEXES_MAX];
 *     struct board_steps steps = board_steps(cols, rows);
 *     board_near(cols, rows, near);
 *     ...
 *     int to;
 *     for (struct board_walk w = board_walk(&steps, near, hex);
 *          board_walk_next(&w, &to);)
 *         ... TO is next to HEX ...
 *
 * Nothing here looks at the ground when it says what is adjacent: void, market
 * and water are for the rules to judge.
 *
 * In this file: limits and grounds; places; neighbours; names; the `.haz`
 * file; the generator. */

#ifndef CORE_HACIENDA_BOARD_H
#define CORE_HACIENDA_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../rng.h"

/* ---- Limits and grounds ---- */

/* rules, Boards: an uploaded board has at most 1760 cells, half of them hexes;
 * with more than 100 rows the keys of a file would collide. */
#define BOARD_CELLS_MAX  1760
#define BOARD_HEXES_MAX  880
#define BOARD_ROWS_MAX   100
#define BOARD_WATERS_MAX 9
#define BOARD_NAME_SIZE  8 /* room for any hex's name and a NUL */

/* What a hex is; a `.haz` code less one. */
enum ground {
    GROUND_VOID,
    GROUND_PAMPAS,
    GROUND_MEADOW,
    GROUND_FOREST,
    GROUND_SWAMP,
    GROUND_ROCKS,
    GROUND_MOUNTAIN,
    GROUND_RANDOM, /* [H10] a land terrain drawn at game start */
    GROUND_MARKET,
    GROUND_WATER,
    GROUNDS
};

struct board {
    uint16_t cols;                   /* ColCount: rows, as displayed */
    uint16_t rows;                   /* RowCount: half hexes across */
    uint8_t ground[BOARD_HEXES_MAX]; /* enum ground; past the last hex zero */
};

/* Whether a board may have this size. */
static inline bool board_size_ok(unsigned cols, unsigned rows)
{
    return cols > 0 && rows > 0 && rows <= BOARD_ROWS_MAX &&
           cols <= BOARD_CELLS_MAX / rows;
}

/* How many hexes a board of this size has, void included. */
static inline int board_hexes(uint16_t cols, uint16_t rows)
{
    return cols * rows / 2;
}

/* ---- Places ---- */

/* Where a hex lies as displayed. */
struct board_place {
    int16_t y; /* row from the top, from 0 */
    int16_t k; /* number within the row, from 0 */
    int16_t x; /* half hexes from the left, from 0 */
};

/* The hexes in row Y.  Rows of the same parity are equally long. */
static inline int board_row_hexes(uint16_t rows, int y)
{
    return (rows + (y & 1)) / 2;
}

/* The place of HEX, which must be on the board. */
struct board_place board_place(uint16_t cols, uint16_t rows, int hex);

/* The hex at X and Y, or the one numbered K in row Y; -1 if there is none.
 * Any numbers will do. */
int board_hex_at(uint16_t cols, uint16_t rows, int y, int x);
int board_hex_in(uint16_t cols, uint16_t rows, int y, int k);

/* ---- Neighbours ---- */

/* The six ways out of a hex, in the order used everywhere. */
enum board_way { WAY_W, WAY_E, WAY_NW, WAY_NE, WAY_SW, WAY_SE, BOARD_WAYS };

/* What board_near() says of a hex: a bit for each way that has a neighbour in
 * the grid, and whether the hex is in an odd row. */
#define BOARD_NEAR_WAYS    0x3f
#define BOARD_NEAR_ODD_BIT 6

/* The neighbour one way is this much further in reading order, by the parity
 * of the row one starts from. */
struct board_steps {
    int16_t step[2][BOARD_WAYS];
};

/* The steps of boards of this size. */
struct board_steps board_steps(uint16_t cols, uint16_t rows);

/* Fills NEAR[0 .. board_hexes() - 1]. */
void board_near(uint16_t cols, uint16_t rows, uint8_t *near);

/* The neighbour of HEX one WAY, or -1. */
static inline int board_neighbour(const struct board_steps *steps,
                                  const uint8_t *near, int hex, int way)
{
    unsigned n = near[hex];
    if (!(n >> way & 1u))
        return -1;
    return hex + steps->step[n >> BOARD_NEAR_ODD_BIT][way];
}

/* A walk around one hex, in the order of enum board_way.  See the top. */
struct board_walk {
    const int16_t *step;
    int hex;
    unsigned left; /* a bit for each way still to go */
};

static inline struct board_walk board_walk(const struct board_steps *steps,
                                           const uint8_t *near, int hex)
{
    unsigned n = near[hex];
    return (struct board_walk){
        .step = steps->step[n >> BOARD_NEAR_ODD_BIT],
        .hex = hex,
        .left = n & BOARD_NEAR_WAYS,
    };
}

/* Puts the next neighbour into *TO, or returns false. */
static inline bool board_walk_next(struct board_walk *walk, int *to)
{
    if (walk->left == 0)
        return false;
    *to = walk->hex + walk->step[__builtin_ctz(walk->left)];
    walk->left &= walk->left - 1;
    return true;
}

/* ---- Names ---- */

/* A hex is named by its row, A to Z, AA to ZZ, AAA and so on from the top, and
 * its number in the row from 1: `C7` (rules, `.haz`).
 *
 * Writes the name of HEX, which must be on the board, as snprintf() would:
 * returns its length, writes at most CAP bytes, the last of them NUL. */
size_t board_hex_write(uint16_t cols, uint16_t rows, int hex, char *buf,
                       size_t cap);

/* Reads a name exactly as board_hex_write() writes it into *HEX.  False, and
 * *HEX untouched, for any other text and for hexes not on the board. */
bool board_hex_read(uint16_t cols, uint16_t rows, const char *text, size_t len,
                    int16_t *hex);

/* ---- The `.haz` file ---- */

#define HAZ_BYTES_MAX 65536 /* four times what the largest board needs */
#define HAZ_TEXT_SIZE 64    /* a text of at most 63 bytes, and a NUL */

/* What a file says about its board, as UTF-8 without control characters, or
 * "" where it says nothing or `None`. */
struct haz_info {
    char author[HAZ_TEXT_SIZE];
    char name[HAZ_TEXT_SIZE];
    char version[HAZ_TEXT_SIZE];
};

/* Why a file was refused. */
struct haz_problem {
    const char *rule; /* a word for the wire; haz_sentence() explains it */
    uint32_t line;    /* from 1; the last for what is missing altogether */
    int32_t key;      /* the cell it is about, col * 100 + row, or -1 */
};

/* Reads LEN bytes of TEXT into *BOARD and, if INFO is not NULL, *INFO.  False,
 * with *WHY filled and the others untouched, if the rules refuse it.  TEXT may
 * be anything at all. */
bool haz_parse(struct board *board, struct haz_info *info, const char *text,
               size_t len, struct haz_problem *why);

/* Writes BOARD as a file in the map generator's order, as snprintf() would.
 * INFO may be NULL; its texts end at the first control character, so that they
 * cannot break out of their line.  Reading it gives BOARD back, and INFO if
 * that was read from a file. */
size_t haz_write(const struct board *board, const struct haz_info *info,
                 char *buf, size_t cap);

/* The sentence for a haz_problem's RULE; for no such word, a general one. */
const char *haz_sentence(const char *rule);

/* All rules by which haz_parse() refuses; NULL past the last. */
const char *haz_rule(size_t index);

/* ---- The generator ---- */

enum symmetry {
    SYMMETRY_NONE,
    SYMMETRY_HALF_TURN, /* the board turned by 180 degrees is the same */
    SYMMETRIES
};

/* What is wanted.  Shares are aimed at and give way to the rest. */
struct board_recipe {
    uint16_t cols, rows;  /* size, as in struct board */
    uint8_t symmetry;     /* enum symmetry */
    uint8_t markets;      /* exactly so many */
    uint8_t waters;       /* exactly so many */
    uint8_t land_percent; /* of hexes that are not void: the five terrains */
    uint8_t void_percent; /* of all hexes: cut off around the border */
};

/* Why a recipe was refused. */
struct recipe_problem {
    const char *rule;  /* a word for the wire; recipe_sentence() explains it */
    const char *field; /* what it is about: "columns", or as in board_recipe */
};

/* A recipe like the built-in Symmetric board, with as many markets and waters
 * as suit the size.  For 15 by 33: 11 markets, 4 waters, 27 % land, 9 % void.
 * Whether the size itself will do is for board_generate() to say. */
struct board_recipe board_recipe(uint16_t cols, uint16_t rows,
                                 enum symmetry symmetry);

/* Makes a board by RECIPE, the same one for the same chance.  It has
 *  - no two adjacent markets, and four pampas or more around each;
 *  - four pampas or more around each water;
 *  - as many hexes of each of the five terrains, within one, and some of each;
 *  - all its pampas in one piece, and from there all else that is not void.
 * False, with *WHY filled and *BOARD untouched, if that cannot be. */
bool board_generate(struct board *board, const struct board_recipe *recipe,
                    struct rng *rng, struct recipe_problem *why);

/* ---- A little at a time ---- */

enum board_stage {
    BOARD_BORDER,
    BOARD_MARKETS,
    BOARD_WATERS,
    BOARD_LAND,
    BOARD_MADE
};

/* Hexes by weight: weight << 10 | hex. */
struct board_ranking {
    uint32_t at[BOARD_HEXES_MAX];
    int count;
};

/* The hexes taken for land, one of each pair of twins. */
struct board_land {
    int16_t at[BOARD_HEXES_MAX];
    int count;
    bool centre; /* the centre is land as well, but not in the list */
};

/* A board in the making; some 9 kB, and nothing but BOARD is anybody else's. */
struct board_draft {
    struct board board; /* once it is made */
    /* private */
    struct board_recipe recipe;
    struct rng rng;
    struct board_steps steps;
    uint8_t near[BOARD_HEXES_MAX];
    int hexes;
    int pampas; /* hexes of it left */
    int centre; /* the hex that is its own twin under symmetry, or -1 */
    int attempt;
    int land_wanted; /* of all that is not void */
    enum board_stage stage;
    /* of the stage: */
    int wanted; /* hexes, of GROUND, about APART */
    int ground, apart;
    struct board_ranking order;
    int next; /* in ORDER */
    struct board_land land;
    uint32_t effort; /* of this step, in tenths of a microsecond, about */
};

enum board_progress { BOARD_MORE, BOARD_READY, BOARD_REFUSED };

/* The same in steps: D is begun, false if WHY says that it cannot be; and each
 * step works for EFFORT tenths of a microsecond, a few hundred more.  Which
 * steps are made has no influence on the board. */
bool board_draft_begin(struct board_draft *d,
                       const struct board_recipe *recipe,
                       const struct rng *rng, struct recipe_problem *why);
enum board_progress board_draft_step(struct board_draft *d, uint32_t effort,
                                     struct recipe_problem *why);

/* The sentence for a recipe_problem's RULE; for no such word, a general one. */
const char *recipe_sentence(const char *rule);

/* All rules by which board_generate() refuses; NULL past the last. */
const char *recipe_rule(size_t index);

#endif
