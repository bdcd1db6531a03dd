/* generate.c -- boards nobody has drawn.
 *
 * A board starts as nothing but pampas.  Void eats into it from the border,
 * then markets, waters and land take hexes from what is left.  Each step is
 * taken only if what the header promises stays true: the pampas in one piece,
 * no two markets side by side, enough pampas around markets and waters.  So a
 * board that is finished needs no checking, and one that cannot be finished
 * is begun again, a few times, with humbler shares of void and land.
 *
 * The largest take milliseconds, so whoever has others to look after can have
 * one made a little at a time: a draft knows how far it is, and what it did is
 * counted in tenths of a microsecond, about, as no clock is here.
 *
 * For symmetry every step is taken at a hex and its twin, or at neither. */

#include "board.h"

#include "../../base.h"

#define PAMPAS_AROUND 4 /* at least, around markets and waters */
#define TERRAINS      5
#define SPACE_EACH    6  /* hexes to be had for each market and water ... */
#define SPACE_LAND    10 /* ... and for land, at least */
#define COLS_MIN      5
#define ROWS_MIN      9
#define LAND_MAX      60 /* per cent */
#define VOID_MAX      50
#define ATTEMPTS      16
#define HUMBLE        8 /* the attempt that wants no void and the least land */
#define CANDIDATES    8 /* places looked at before a market takes the best */
/* What a few things cost, in tenths of a microsecond, about. */
#define LOOK_EFFORT 2 /* at a hex and its neighbours */
#define WALK_EFFORT 6 /* hexes of a walk for one */

enum rule {
    BAD_SYMMETRY,
    TOO_SMALL,
    TOO_LARGE,
    UNEVEN_SIZE,
    TOO_MUCH_LAND,
    TOO_MUCH_VOID,
    NO_MARKETS,
    TOO_MANY_WATERS,
    NO_CENTRE,
    ONE_CENTRE,
    TOO_CROWDED,
    NO_ROOM,
    RULES
};

/* Words are on the wire: never rename one. */
static const struct {
    const char *word, *sentence;
} rules[RULES] = {
    [BAD_SYMMETRY] = {"bad_symmetry", "There is no such symmetry."},
    [TOO_SMALL] = {"too_small", "A generated board has at least 5 columns and "
                                "9 rows."},
    [TOO_LARGE] = {"too_large", "A board has at most 100 rows, and columns "
                                "times rows are at most 1760."},
    [UNEVEN_SIZE] = {"uneven_size", "For a half turn columns and rows must "
                                    "both be even or both be odd."},
    [TOO_MUCH_LAND] = {"too_much_land", "At most 60 % can be land."},
    [TOO_MUCH_VOID] = {"too_much_void", "At most 50 % can be void."},
    [NO_MARKETS] = {"no_markets", "A board needs a market."},
    [TOO_MANY_WATERS] = {"too_many_waters",
                         "A board has at most 9 water spaces."},
    [NO_CENTRE] = {"no_centre", "With a half turn an odd number needs a hex "
                                "in the centre, which this size has not."},
    [ONE_CENTRE] = {"one_centre", "With a half turn markets and waters cannot "
                                  "both be odd: there is one centre."},
    [TOO_CROWDED] = {"too_crowded", "That many markets and waters need a "
                                    "larger board: 6 hexes each and 10 more."},
    [NO_ROOM] = {"no_room", "No such board was found; ask for less."},
};

/* ---- Small helpers ---- */

static int twin(const struct board_draft *d, int hex)
{
    return d->recipe.symmetry == SYMMETRY_HALF_TURN ? d->hexes - 1 - hex : hex;
}

static int percent(int of, int share)
{
    return (of * share + 50) / 100;
}

/* How many neighbours of HEX have GROUND. */
static int count_around(const struct board_draft *d, int hex, int ground)
{
    int count = 0, to;
    for (struct board_walk w = board_walk(&d->steps, d->near, hex);
         board_walk_next(&w, &to);)
        count += d->board.ground[to] == ground;
    return count;
}

/* How many neighbours of HEX are void or beyond the grid. */
static int count_outside(const struct board_draft *d, int hex)
{
    int count = BOARD_WAYS, to;
    for (struct board_walk w = board_walk(&d->steps, d->near, hex);
         board_walk_next(&w, &to);)
        count -= d->board.ground[to] != GROUND_VOID;
    return count;
}

static int distance(const struct board_draft *d, int a, int b)
{
    struct board_place p = board_place(d->board.cols, d->board.rows, a);
    struct board_place q = board_place(d->board.cols, d->board.rows, b);
    int across = p.x < q.x ? q.x - p.x : p.x - q.x;
    int down = p.y < q.y ? q.y - p.y : p.y - q.y;
    return across > down ? (across + down) / 2 : down;
}

/* Shell sort, heaviest first; no two entries are equal. */
static void ranking_sort(struct board_ranking *ranking)
{
    static const int gaps[] = {301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < COUNT_OF(gaps); g++) {
        int gap = gaps[g];
        for (int i = gap; i < ranking->count; i++) {
            uint32_t held = ranking->at[i];
            int j = i;
            for (; j >= gap && ranking->at[j - gap] < held; j -= gap)
                ranking->at[j] = ranking->at[j - gap];
            ranking->at[j] = held;
        }
    }
}

static void ranking_add(struct board_ranking *ranking, int weight, int hex)
{
    ASSERT(weight >= 0 && ranking->count < BOARD_HEXES_MAX);
    ranking->at[ranking->count++] = (uint32_t)weight << 10 | (uint32_t)hex;
}

static int ranking_hex(const struct board_ranking *ranking, int i)
{
    return (int)(ranking->at[i] & 1023u);
}

/* One of each pair of twins, in any order. */
static void ranking_shuffle(struct board_ranking *ranking,
                            struct board_draft *d)
{
    ranking->count = 0;
    d->effort += (uint32_t)d->hexes;
    for (int hex = 0; hex < d->hexes; hex++) {
        if (hex <= twin(d, hex))
            ranking_add(ranking, (int)rng_below(&d->rng, 1u << 20), hex);
    }
    ranking_sort(ranking);
}

/* Gentle hills from 0 to 4095: chance, smoothed by averaging neighbours, and
 * the same for twins.  Beyond the border lie the plains. */
static void make_hills(struct board_draft *d, int *hill, int smoothing)
{
    int rough[BOARD_HEXES_MAX];
    for (int hex = 0; hex < d->hexes; hex++) {
        int other = twin(d, hex);
        hill[hex] = other < hex ? hill[other] : (int)rng_below(&d->rng, 4096);
    }
    while (smoothing-- > 0) {
        memcpy(rough, hill, sizeof(rough[0]) * (size_t)d->hexes);
        for (int hex = 0; hex < d->hexes; hex++) {
            int sum = 2 * rough[hex] + BOARD_WAYS * 2048, to;
            for (struct board_walk w = board_walk(&d->steps, d->near, hex);
                 board_walk_next(&w, &to);)
                sum += rough[to] - 2048;
            hill[hex] = sum / (2 + BOARD_WAYS);
        }
    }
}

/* ---- Staying in one piece ---- */

/* Whether those of HEX's neighbours that are (or are not) GROUND lie side by
 * side.  If so, what they belong to does not fall apart without HEX: whoever
 * went through it can go around. */
static bool ring_is_whole(const struct board_draft *d, int hex, int ground,
                          bool are)
{
    static const uint8_t clockwise[BOARD_WAYS] = {
        WAY_W, WAY_NW, WAY_NE, WAY_E, WAY_SE, WAY_SW,
    };
    unsigned ring = 0;
    for (unsigned i = 0; i < BOARD_WAYS; i++) {
        int to = board_neighbour(&d->steps, d->near, hex, clockwise[i]);
        if (to >= 0 && (d->board.ground[to] == ground) == are)
            ring |= 1u << i;
    }
    unsigned ends = ring & ~(ring << 1 | ring >> (BOARD_WAYS - 1));
    return ring == BOARD_NEAR_WAYS || (ends != 0 && (ends & (ends - 1)) == 0);
}

/* Whether the pampas is in one piece without HEX, by walking all over it. */
static bool pampas_is_whole(struct board_draft *d, int hex)
{
    bool seen[BOARD_HEXES_MAX] = {false};
    int16_t queue[BOARD_HEXES_MAX];
    int head = 0, tail = 0, to;

    seen[hex] = true;
    for (struct board_walk w = board_walk(&d->steps, d->near, hex);
         tail == 0 && board_walk_next(&w, &to);) {
        if (d->board.ground[to] == GROUND_PAMPAS) {
            seen[to] = true;
            queue[tail++] = (int16_t)to;
        }
    }
    while (head < tail) {
        struct board_walk w = board_walk(&d->steps, d->near, queue[head++]);
        while (board_walk_next(&w, &to)) {
            if (d->board.ground[to] == GROUND_PAMPAS && !seen[to]) {
                seen[to] = true;
                queue[tail++] = (int16_t)to;
            }
        }
    }
    d->effort += (uint32_t)tail / WALK_EFFORT;
    return tail == d->pampas - 1;
}

/* ---- Taking pampas ---- */

/* Whether HEX can turn from pampas into GROUND. */
static bool fits(struct board_draft *d, int hex, int ground)
{
    d->effort += LOOK_EFFORT;
    if (d->board.ground[hex] != GROUND_PAMPAS || d->pampas < 3)
        return false;
    bool needy = ground == GROUND_MARKET || ground == GROUND_WATER;
    if (needy && count_around(d, hex, GROUND_PAMPAS) < PAMPAS_AROUND)
        return false;

    int to;
    for (struct board_walk w = board_walk(&d->steps, d->near, hex);
         board_walk_next(&w, &to);) {
        int there = d->board.ground[to];
        if (there == GROUND_MARKET && ground == GROUND_MARKET)
            return false;
        if ((there == GROUND_MARKET || there == GROUND_WATER) &&
            count_around(d, to, GROUND_PAMPAS) <= PAMPAS_AROUND)
            return false;
    }
    return ring_is_whole(d, hex, GROUND_PAMPAS, true) ||
           pampas_is_whole(d, hex);
}

static void turn_into(struct board_draft *d, int hex, int ground)
{
    d->pampas -= d->board.ground[hex] == GROUND_PAMPAS;
    d->pampas += ground == GROUND_PAMPAS;
    d->board.ground[hex] = (uint8_t)ground;
}

/* Turns HEX and its twin into GROUND if both fit. */
static bool take(struct board_draft *d, int hex, int ground)
{
    int other = twin(d, hex);
    if (!fits(d, hex, ground))
        return false;
    turn_into(d, hex, ground);
    if (other == hex)
        return true;
    if (fits(d, other, ground)) {
        turn_into(d, other, ground);
        return true;
    }
    turn_into(d, hex, GROUND_PAMPAS);
    return false;
}

static void give_back(struct board_draft *d, int hex)
{
    turn_into(d, hex, GROUND_PAMPAS);
    if (twin(d, hex) != hex)
        turn_into(d, twin(d, hex), GROUND_PAMPAS);
}

/* ---- Void ---- */

/* Whether HEX is a corner of the board's outline, can go without the rest
 * falling apart, and leaves no neighbour hanging on by a single hex. */
static bool can_be_void(struct board_draft *d, int hex)
{
    d->effort += LOOK_EFFORT;
    if (d->board.ground[hex] == GROUND_VOID || count_outside(d, hex) < 3 ||
        !ring_is_whole(d, hex, GROUND_VOID, false))
        return false;
    int to;
    for (struct board_walk w = board_walk(&d->steps, d->near, hex);
         board_walk_next(&w, &to);) {
        if (d->board.ground[to] == GROUND_PAMPAS &&
            count_around(d, to, GROUND_PAMPAS) < 3)
            return false;
    }
    return true;
}

/* Makes HEX and its twin void if both can be.  The centre stays. */
static bool carve(struct board_draft *d, int hex)
{
    int other = twin(d, hex);
    if (hex == d->centre || !can_be_void(d, hex))
        return false;
    turn_into(d, hex, GROUND_VOID);
    if (other == hex)
        return true;
    if (can_be_void(d, other)) {
        turn_into(d, other, GROUND_VOID);
        return true;
    }
    turn_into(d, hex, GROUND_PAMPAS);
    return false;
}

/* How far out HEX is, from 0 in the middle to 2048 in the corners: an oval's
 * x * x + y * y. */
static int outness(const struct board_draft *d, int hex)
{
    struct board_place at = board_place(d->board.cols, d->board.rows, hex);
    int x = (2 * at.x - (d->board.rows - 1)) * 1024 / (d->board.rows - 1);
    int y = (2 * at.y - (d->board.cols - 1)) * 1024 / (d->board.cols - 1);
    return (x * x + y * y) / 1024;
}

/* WANTED hexes are to go, from the corners inwards and a little unevenly, as far
 * as the shape allows. */
static void carve_begin(struct board_draft *d, int wanted)
{
    int hill[BOARD_HEXES_MAX];

    make_hills(d, hill, 2);
    d->order.count = 0;
    for (int hex = 0; hex < d->hexes; hex++) {
        if (hex <= twin(d, hex))
            ranking_add(&d->order, outness(d, hex) + hill[hex] / 2, hex);
    }
    ranking_sort(&d->order);
    d->effort += (uint32_t)d->hexes;
    d->wanted = wanted;
    d->next = 0;
}

/* Looks at the next of them; false if there is nothing more to do.  It is always
 * the outermost that can go: its neighbours may be next. */
static bool carve_step(struct board_draft *d)
{
    if (d->next >= d->order.count || d->hexes - d->pampas >= d->wanted)
        return false;
    d->next = carve(d, ranking_hex(&d->order, d->next)) ? 0 : d->next + 1;
    return true;
}

/* ---- Markets and waters ---- */

/* How far HEX is from the nearest other hex of GROUND, at most FAR. */
static int distance_to(const struct board_draft *d, int hex, int ground,
                       int far)
{
    for (int to = 0; to < d->hexes; to++) {
        if (d->board.ground[to] == ground && to != hex) {
            int way = distance(d, hex, to);
            far = way < far ? way : far;
        }
    }
    return far;
}

/* How good a place HEX, just taken, is: away from its like, though not further
 * than need be, and in the open. */
static int merit(const struct board_draft *d, int hex, int ground, int apart)
{
    int open = count_around(d, hex, GROUND_PAMPAS);
    if (ground == GROUND_WATER)
        open += 2 * distance_to(d, hex, GROUND_MARKET, 2);
    return 2 * distance_to(d, hex, ground, apart) + open;
}

/* As many are put down at once. */
static int place_pair(const struct board_draft *d)
{
    return d->recipe.symmetry == SYMMETRY_HALF_TURN ? 2 : 1;
}

/* COUNT hexes of GROUND are to be put down, each on the best of a few places.
 * False if the one that has to be in the centre cannot. */
static bool place_begin(struct board_draft *d, int ground, int count)
{
    d->ground = ground;
    d->wanted = count;
    if (count == 0)
        return true;
    int each = d->pampas / count; /* hexes in a patch of APART by APART */
    d->apart = 2;
    while ((d->apart + 1) * (d->apart + 1) <= each)
        d->apart++;
    if (count % place_pair(d) == 0)
        return true;
    d->wanted--;
    return take(d, d->centre, ground);
}

/* Puts the next one down, and its twin; false if there is no place for it. */
static bool place_step(struct board_draft *d)
{
    int best = -1, best_merit = 0, seen = 0;

    ranking_shuffle(&d->order, d);
    for (int i = 0; i < d->order.count && seen < CANDIDATES; i++) {
        int hex = ranking_hex(&d->order, i);
        if (hex == d->centre || !take(d, hex, d->ground))
            continue;
        int found = merit(d, hex, d->ground, d->apart);
        give_back(d, hex);
        if (seen++ == 0 || found > best_merit) {
            best = hex;
            best_merit = found;
        }
    }
    if (best < 0)
        return false;
    take(d, best, d->ground);
    d->wanted -= place_pair(d);
    return true;
}

/* ---- Land ---- */

/* About WANTED hexes are to be land, in clumps: the highest hills, but rather
 * not at markets nor at the border.
 *
 * Terrains have to come out even.  Without symmetry any number can do that.
 * Twins have the same terrain, so that there each terrain has an even number,
 * and these can only be all equal; but if the centre is land, its terrain may
 * have one more or one less than the others.  So the number of pairs is 5 k,
 * or with the centre 5 k or 5 k - 1. */
static void land_begin(struct board_draft *d, int wanted)
{
    int hill[BOARD_HEXES_MAX];
    bool turned = d->recipe.symmetry == SYMMETRY_HALF_TURN;

    make_hills(d, hill, 1);
    d->order.count = 0;
    for (int hex = 0; hex < d->hexes; hex++) {
        int worse = 512 * count_around(d, hex, GROUND_MARKET) +
                    96 * count_outside(d, hex);
        if (hex <= twin(d, hex) && hex != d->centre)
            ranking_add(&d->order, 4096 + hill[hex] - worse, hex);
    }
    ranking_sort(&d->order);
    d->effort += 2 * (uint32_t)d->hexes;

    d->land.count = 0;
    d->land.centre = false;
    if (turned)
        wanted = (wanted + 5) / 10 * TERRAINS; /* pairs, 5 k */
    if (wanted < TERRAINS)
        wanted = TERRAINS;
    if (d->centre >= 0 && rng_below(&d->rng, 3) > 0) {
        d->land.centre = take(d, d->centre, GROUND_RANDOM);
        if (d->land.centre)
            wanted -= (int)rng_below(&d->rng, 2); /* 5 k or 5 k - 1 */
    }
    d->wanted = wanted;
    d->next = 0;
}

/* Takes the next hill if it can; false if there is nothing more to do. */
static bool land_step(struct board_draft *d)
{
    if (d->next >= d->order.count || d->land.count >= d->wanted)
        return false;
    int hex = ranking_hex(&d->order, d->next++);
    if (take(d, hex, GROUND_RANDOM))
        d->land.at[d->land.count++] = (int16_t)hex;
    return true;
}

/* If there was less room, down to the next number that comes out even.  False if
 * that is not one for each terrain. */
static bool land_end(struct board_draft *d)
{
    struct board_land *land = &d->land;
    bool turned = d->recipe.symmetry == SYMMETRY_HALF_TURN;

    while (turned && land->count % TERRAINS != 0 &&
           !(land->centre && land->count % TERRAINS == TERRAINS - 1))
        give_back(d, land->at[--land->count]);
    return land->count + land->centre >= TERRAINS;
}

/* Whether TERRAIN at HEX makes a patch of at most two with what is there. */
static bool is_small_patch(const struct board_draft *d, int hex, int terrain)
{
    int same = 0, to;
    for (struct board_walk w = board_walk(&d->steps, d->near, hex);
         board_walk_next(&w, &to);) {
        if (d->board.ground[to] == terrain)
            same += 1 + count_around(d, to, terrain);
    }
    return same <= 1;
}

/* A terrain for HEX: any of those LEFT, rather one that makes a small patch. */
static int pick_terrain(struct board_draft *d, int hex,
                        const uint16_t left[TERRAINS])
{
    int terrain = 0;
    for (int tries = 0; tries < 4; tries++) {
        terrain = (int)rng_pick(&d->rng, left, TERRAINS);
        if (is_small_patch(d, hex, GROUND_MEADOW + terrain))
            break;
    }
    return terrain;
}

/* Gives land its terrains: equally many of each, and those pairs (or hexes)
 * that remain to different ones. */
static void sow(struct board_draft *d)
{
    const struct board_land *land = &d->land;
    uint8_t terrains[TERRAINS] = {0, 1, 2, 3, 4};
    uint16_t left[TERRAINS];

    d->effort += LOOK_EFFORT * (uint32_t)land->count;
    rng_shuffle(&d->rng, terrains, TERRAINS);
    for (int i = 0; i < TERRAINS; i++) {
        int more = i < land->count % TERRAINS;
        left[terrains[i]] = (uint16_t)(land->count / TERRAINS + more);
    }
    if (land->centre)
        turn_into(d, d->centre, GROUND_MEADOW + terrains[TERRAINS - 1]);

    for (int i = 0; i < land->count; i++) {
        int hex = land->at[i];
        int terrain = pick_terrain(d, hex, left);
        left[terrain]--;
        turn_into(d, hex, GROUND_MEADOW + terrain);
        turn_into(d, twin(d, hex), GROUND_MEADOW + terrain);
    }
}

/* ---- Recipes ---- */

static bool refuse(struct recipe_problem *why, enum rule rule,
                   const char *field)
{
    why->rule = rules[rule].word;
    why->field = field;
    return false;
}

/* The hexes that must not be void. */
static int space_needed(const struct board_recipe *r)
{
    return (r->markets + r->waters) * SPACE_EACH + SPACE_LAND;
}

static bool check_recipe(const struct board_recipe *r,
                         struct recipe_problem *why)
{
    if (r->symmetry >= SYMMETRIES)
        return refuse(why, BAD_SYMMETRY, "symmetry");
    if (r->cols < COLS_MIN)
        return refuse(why, TOO_SMALL, "columns");
    if (r->rows < ROWS_MIN)
        return refuse(why, TOO_SMALL, "rows");
    if (!board_size_ok(r->cols, r->rows))
        return refuse(why, TOO_LARGE,
                      r->rows > BOARD_ROWS_MAX ? "rows" : "columns");
    if (r->land_percent > LAND_MAX)
        return refuse(why, TOO_MUCH_LAND, "land_percent");
    if (r->void_percent > VOID_MAX)
        return refuse(why, TOO_MUCH_VOID, "void_percent");
    if (r->markets == 0)
        return refuse(why, NO_MARKETS, "markets");
    if (r->waters > BOARD_WATERS_MAX)
        return refuse(why, TOO_MANY_WATERS, "waters");

    int hexes = board_hexes(r->cols, r->rows);
    if (r->symmetry == SYMMETRY_HALF_TURN) {
        if ((r->cols + r->rows) % 2 != 0)
            return refuse(why, UNEVEN_SIZE, "rows");
        if (hexes % 2 == 0 && (r->markets % 2 != 0 || r->waters % 2 != 0))
            return refuse(why, NO_CENTRE,
                          r->markets % 2 != 0 ? "markets" : "waters");
        if (r->markets % 2 != 0 && r->waters % 2 != 0)
            return refuse(why, ONE_CENTRE, "waters");
    }
    if (space_needed(r) > hexes)
        return refuse(why, TOO_CROWDED, "markets");
    return true;
}

struct board_recipe board_recipe(uint16_t cols, uint16_t rows,
                                 enum symmetry symmetry)
{
    int hexes = board_size_ok(cols, rows) ? board_hexes(cols, rows) : 0;
    int markets = (hexes * 11 + 123) / 247; /* 11 on Symmetric's 247 hexes */
    int waters = hexes / 50 * 2;
    if (markets == 0)
        markets = 1;
    if (symmetry == SYMMETRY_HALF_TURN && hexes % 2 == 0)
        markets += markets % 2;
    return (struct board_recipe){
        .cols = cols,
        .rows = rows,
        .symmetry = (uint8_t)symmetry,
        .markets = (uint8_t)markets,
        .waters = (uint8_t)(waters < 4 ? waters : 4),
        .land_percent = 27,
        .void_percent = 9,
    };
}

/* ---- Drafts ---- */

/* How much of the void and land that was asked for this attempt wants: the
 * first few ask for ever less. */
static int humble(const struct board_draft *d, int wanted)
{
    int share = d->attempt < HUMBLE ? HUMBLE - d->attempt : 0;
    return wanted * share / HUMBLE;
}

/* Begins with a grid full of pampas, whose border is to go. */
static void attempt_begin(struct board_draft *d)
{
    const struct board_recipe *r = &d->recipe;

    d->pampas = d->hexes;
    memset(d->board.ground, GROUND_PAMPAS, (size_t)d->hexes);
    int voids = humble(d, percent(d->hexes, r->void_percent));
    int spare = d->hexes - space_needed(r);
    carve_begin(d, voids < spare ? voids : spare);
    d->stage = BOARD_BORDER;
}

bool board_draft_begin(struct board_draft *d,
                       const struct board_recipe *recipe,
                       const struct rng *rng, struct recipe_problem *why)
{
    if (!check_recipe(recipe, why))
        return false;
    int hexes = board_hexes(recipe->cols, recipe->rows);
    bool turned = recipe->symmetry == SYMMETRY_HALF_TURN;
    *d = (struct board_draft){
        .recipe = *recipe,
        .rng = *rng,
        .board = {.cols = recipe->cols, .rows = recipe->rows},
        .steps = board_steps(recipe->cols, recipe->rows),
        .hexes = hexes,
        .centre = turned && hexes % 2 != 0 ? hexes / 2 : -1,
    };
    board_near(recipe->cols, recipe->rows, d->near);
    attempt_begin(d);
    return true;
}

/* Goes on to STAGE; false if what has to be there at its beginning cannot. */
static bool stage_begin(struct board_draft *d, enum board_stage stage)
{
    const struct board_recipe *r = &d->recipe;

    d->stage = stage;
    switch (stage) {
    case BOARD_MARKETS:
        d->land_wanted = humble(d, percent(d->pampas, r->land_percent));
        return place_begin(d, GROUND_MARKET, r->markets);
    case BOARD_WATERS: return place_begin(d, GROUND_WATER, r->waters);
    case BOARD_LAND: land_begin(d, d->land_wanted); return true;
    case BOARD_MADE:
        if (!land_end(d))
            return false;
        sow(d);
        return true;
    case BOARD_BORDER: break;
    }
    return true;
}

/* A step of the attempt; false if it leads nowhere. */
static bool attempt_step(struct board_draft *d)
{
    bool more = false;

    switch (d->stage) {
    case BOARD_BORDER: more = carve_step(d); break;
    case BOARD_MARKETS:
    case BOARD_WATERS:
        more = d->wanted > 0;
        if (more && !place_step(d))
            return false;
        break;
    case BOARD_LAND: more = land_step(d); break;
    case BOARD_MADE: return true;
    }
    return more || stage_begin(d, d->stage + 1);
}

enum board_progress board_draft_step(struct board_draft *d, uint32_t effort,
                                     struct recipe_problem *why)
{
    d->effort = 0;
    while (d->effort < effort && d->stage != BOARD_MADE) {
        if (attempt_step(d))
            continue;
        if (++d->attempt == ATTEMPTS) {
            (void)refuse(why, NO_ROOM, "markets");
            return BOARD_REFUSED;
        }
        attempt_begin(d);
    }
    return d->stage == BOARD_MADE ? BOARD_READY : BOARD_MORE;
}

bool board_generate(struct board *board, const struct board_recipe *recipe,
                    struct rng *rng, struct recipe_problem *why)
{
    struct board_draft draft;

    if (!board_draft_begin(&draft, recipe, rng, why) ||
        board_draft_step(&draft, UINT32_MAX, why) != BOARD_READY)
        return false;
    *board = draft.board;
    return true;
}

const char *recipe_rule(size_t index)
{
    return index < RULES ? rules[index].word : NULL;
}

const char *recipe_sentence(const char *rule)
{
    for (size_t i = 0; i < RULES; i++) {
        const char *word = rules[i].word;
        size_t n = 0;
        while (word[n] != '\0' && word[n] == rule[n])
            n++;
        if (word[n] == rule[n])
            return rules[i].sentence;
    }
    return "The board cannot be generated.";
}
