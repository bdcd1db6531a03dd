/* mind.c -- playing Hacienda: what is worth a thought, how good a position is.
 *
 * Not everything legal is looked at: water only where it touches something of
 * one's own, a hacienda on one tile of a chain or herd, a harvest on one tile of
 * a chain and one chip of each opponent.  A turn can always be ended.
 *
 * A position is worth its points, as often as they will still be scored, and
 * what one can make of it while the game lasts. */

#include "../../mind.h"
#include "parts.h"

/* The weights, in parts of a point (MIND_POINT), when the whole game is still to
 * come; they fade with the cards that are left to draw. */
enum {
    /* Room to act: for each doubling of money, of land cards and of animal
     * cards in hand.  Without it all goes into water, and the game dries up. */
    WEIGHT_MONEY = 8 * MIND_POINT,
    WEIGHT_LANDS = 5 * MIND_POINT,
    WEIGHT_ANIMALS = 5 * MIND_POINT,
    /* Of each peso that a harvest could bring, as if so much of it was there
     * already: an unharvested chain is better than its money once only. */
    WEIGHT_HARVEST = 128,
    /* Chains that are too short to score: of one tile, of two. */
    WEIGHT_ONE = 192,
    WEIGHT_TWO = 640,
    /* Of the points that a further market would bring, for one that is a tile
     * away; half of it for each tile more. */
    WEIGHT_REACH = 128,
    /* Of each peso that a market would pay for an animal from the hand, as of
     * those of a harvest. */
    WEIGHT_SIDES = 128,
};

enum { REACH_MAX = 3 }; /* tiles to a market, at most, that are looked at */

/* ---- what is worth a thought -------------------------------------------- */

struct thoughts {
    struct rules_move *at;
    size_t count, cap;
};

static void think_of(struct thoughts *t, int verb, int a, int b)
{
    if (t->count < t->cap)
        t->at[t->count++] = RULES_MOVE(verb, a, b, RULES_NONE);
}

/* What a hex is next to of SEAT's own, as bits by enum hacienda_tile. */
static void mark_near(const struct hacienda *h, int seat,
                      uint8_t near[BOARD_HEXES_MAX])
{
    memset(near, 0, h->hexes);
    for (int hex = 0; hex < h->hexes; hex++) {
        int to;
        if (h->owner[hex] != seat)
            continue;
        for (struct board_walk w = board_walk(&h->steps, h->near, hex);
             board_walk_next(&w, &to);)
            near[to] |= (uint8_t)(1u << h->tile[hex]);
    }
}

static void think_of_cards(const struct hacienda *h, int seat,
                           struct thoughts *t)
{
    static const uint8_t supply[STACKS] = {BUY_LAND_SUPPLY, BUY_ANIMAL_SUPPLY};
    static const uint8_t open[STACKS] = {BUY_LAND_DISPLAY, BUY_ANIMAL_DISPLAY};
    int32_t money = h->player[seat].money;

    for (int stack = 0; stack < STACKS; stack++) {
        unsigned met = 0;
        if (hacienda_drawable(h, stack) > 0 &&
            money >= hacienda_cost(h, supply[stack]))
            think_of(t, supply[stack], RULES_NONE, RULES_NONE);
        if (money < hacienda_cost(h, open[stack]))
            continue;
        for (int slot = 0; slot < HACIENDA_SLOTS; slot++) {
            int card = h->display[stack][slot];
            if (card == HACIENDA_NOBODY || (met >> card & 1))
                continue;
            met |= 1u << card;
            think_of(t, open[stack], card, RULES_NONE);
        }
    }
}

/* Whether a tile of the same chain or herd comes before HEX and next to it. */
static bool has_elder(const struct hacienda *h, int hex)
{
    static const uint8_t back[] = {WAY_W, WAY_NW, WAY_NE};
    for (size_t i = 0; i < COUNT_OF(back); i++) {
        int to = board_neighbour(&h->steps, h->near, hex, back[i]);
        if (to >= 0 && h->tile[to] == h->tile[hex] &&
            h->owner[to] == h->owner[hex])
            return true;
    }
    return false;
}

static void think_of_haciendas(const struct hacienda *h, int seat,
                               struct thoughts *t)
{
    if (h->bought_hacienda || h->haciendas_left == 0 ||
        h->player[seat].money < hacienda_cost(h, BUY_HACIENDA))
        return;
    for (int hex = 0; hex < h->hexes; hex++)
        if (h->owner[hex] == seat && !h->hacienda[hex] && !has_elder(h, hex))
            think_of(t, BUY_HACIENDA, hex, RULES_NONE);
}

/* Water that touches nothing of one's own brings one nothing. */
static void think_of_waters(const struct hacienda *h, int seat,
                            const uint8_t *near, struct thoughts *t)
{
    int tile[3];

    if (h->bought_water || h->player[seat].money < hacienda_cost(h, BUY_WATER))
        return;
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int hex = 0; h->waters_left[shape] > 0 && hex < h->hexes; hex++) {
            if (h->ground[hex] != GROUND_PAMPAS || h->tile[hex] != TILE_NONE)
                continue;
            for (int i = 0; i < HACIENDA_WATER_WAYS; i++) {
                if (!hacienda_water_tile(h, shape, hex, i, tile))
                    continue;
                bool close = near[hex] || (tile[1] >= 0 && near[tile[1]]) ||
                             (tile[2] >= 0 && near[tile[2]]);
                if (!close || t->count == t->cap)
                    continue;
                think_of(t, BUY_WATER, shape, hex);
                t->at[t->count - 1].arg[2] = (int16_t)tile[1];
                t->at[t->count - 1].arg[3] = (int16_t)tile[2];
            }
        }
    }
}

static void think_of_plays(const struct hacienda *h, int seat,
                           const uint8_t *near, struct thoughts *t)
{
    for (int card = 0; card < CARDS; card++) {
        int ground = hacienda_card_ground(h, card);
        unsigned wants = 1u << TILE_LAND | 1u << card_tile(card);
        bool land = card_stack(card) == STACK_LAND;
        if (!hacienda_in_hand(h, seat, card) ||
            !hacienda_tile_left(h, seat, card))
            continue;
        for (int hex = 0; hex < h->hexes; hex++)
            if (h->ground[hex] == ground && h->tile[hex] == TILE_NONE &&
                (ground != GROUND_PAMPAS || (near[hex] & wants)))
                think_of(t, land ? PLAY_LAND : PLAY_ANIMAL, card, hex);
    }
}

/* A chip of each opponent, the first: which it is makes little difference. */
static void think_of_stealing(const struct hacienda *h, int seat, int hex,
                              struct thoughts *t)
{
    unsigned met = 1u << seat;
    for (int from = 0; from < h->hexes; from++) {
        if (!h->chip[from] || (met >> h->owner[from] & 1))
            continue;
        met |= 1u << h->owner[from];
        think_of(t, HARVEST, hex, from);
    }
}

static void think_of_harvests(const struct hacienda *h, int seat,
                              struct thoughts *t)
{
    uint8_t met[HACIENDA_LANDS_MAX] = {0};

    for (int hex = 0; !h->harvested && hex < h->hexes; hex++) {
        if (h->tile[hex] != TILE_LAND || h->owner[hex] != seat)
            continue;
        int chain = h->chain[hex];
        if (met[chain] || h->chain_tiles[chain] < 2 || h->chain_chips[chain])
            continue;
        met[chain] = 1;
        if (h->chips_left > 0)
            think_of(t, HARVEST, hex, RULES_NONE);
        else
            think_of_stealing(h, seat, hex, t);
    }
}

/* The end of the turn comes first: it is there however full the list is, and
 * what is no better than it is not done. */
static size_t consider(const struct rules_state *s, int seat,
                       struct rules_move *out, size_t cap)
{
    const struct hacienda *h = table_of(s);
    struct thoughts t = {.at = out, .cap = cap};
    uint8_t near[BOARD_HEXES_MAX];

    if (!(s->acting & RULES_BIT(seat)))
        return 0;
    think_of(&t, END_TURN, RULES_NONE, RULES_NONE);
    if (h->actions == HACIENDA_ACTIONS)
        return t.count;
    mark_near(h, seat, near);
    think_of_cards(h, seat, &t);
    think_of_haciendas(h, seat, &t);
    think_of_harvests(h, seat, &t);
    think_of_plays(h, seat, near, &t);
    think_of_waters(h, seat, near, &t);
    return t.count;
}

/* ---- how good a position is --------------------------------------------- */

/* 256 times the logarithm to base 2 of 1 + X, near enough: straight between
 * powers of 2. */
static int log_of(int32_t x)
{
    uint64_t v = (uint64_t)x + 1;
    int k = 63 - __builtin_clzll(v);
    return k * 256 + (int)((v << 8 >> k) - 256);
}

/* What is left of the game, of 256: animal cards, which end it. */
static int left_of(const struct hacienda *h)
{
    const struct hacienda_numbers *n = numbers(h);
    int all = -n->removed - n->slots - h->base.seats * n->deal[STACK_ANIMALS];

    for (int card = LAND_CARDS; card < CARDS; card++)
        all += n->cards[card];
    int left = 256 * (h->supply[STACK_ANIMALS] + h->aside) / all;
    return left < 256 ? left : 256;
}

/* How often the board will still be scored. */
static int scorings_of(const struct hacienda *h)
{
    return !h->variant2 && !h->scored &&
                   (h->half == 1 || h->due == DUE_INTERIM)
               ? 2
               : 1;
}

/* Short chains; and *HARVEST, the money of those without a chip. */
static int64_t judge_chains(const struct hacienda *h, int seat,
                            int32_t *harvest)
{
    uint8_t met[HACIENDA_LANDS_MAX] = {0};
    int64_t worth = 0;

    *harvest = 0;
    for (int hex = 0; hex < h->hexes; hex++) {
        if (h->tile[hex] != TILE_LAND || h->owner[hex] != seat ||
            met[h->chain[hex]])
            continue;
        int chain = h->chain[hex], tiles = h->chain_tiles[chain];
        met[chain] = 1;
        worth += tiles == 1 ? WEIGHT_ONE : tiles == 2 ? WEIGHT_TWO : 0;
        if (tiles >= 2 && h->chain_chips[chain] == 0)
            *harvest += 3 * tiles;
    }
    return worth;
}

/* How many tiles it takes to fill each space, where it is few. */
struct reach {
    uint8_t tiles[BOARD_HEXES_MAX]; /* 0: too many */
    int16_t at[BOARD_HEXES_MAX];    /* those that were reached, in order */
    int count;
};

static void reach_round(const struct hacienda *h, int hex, int tiles,
                        struct reach *r)
{
    int to;
    for (struct board_walk w = board_walk(&h->steps, h->near, hex);
         board_walk_next(&w, &to);) {
        if (h->ground[to] != GROUND_PAMPAS || h->tile[to] != TILE_NONE ||
            r->tiles[to] > 0)
            continue;
        r->tiles[to] = (uint8_t)tiles;
        r->at[r->count++] = (int16_t)to;
    }
}

/* Spaces next to what SEAT has; those next to a terrain for which it holds a
 * card; and from there on. */
static void reach_out(const struct hacienda *h, int seat, struct reach *r)
{
    r->count = 0;
    memset(r->tiles, 0, h->hexes);
    for (int hex = 0; hex < h->hexes; hex++)
        if (h->owner[hex] == seat)
            reach_round(h, hex, 1, r);
    unsigned grounds = 0;
    for (int card = 0; card < CARD_PAMPAS; card++)
        if (hacienda_in_hand(h, seat, card))
            grounds |= 1u << hacienda_card_ground(h, card);
    grounds &= ~(1u << GROUND_PAMPAS);
    for (int hex = 0; hex < h->hexes; hex++)
        if (h->tile[hex] == TILE_NONE && (grounds >> h->ground[hex] & 1))
            reach_round(h, hex, 2, r);
    for (int i = 0; i < r->count && r->tiles[r->at[i]] < REACH_MAX; i++)
        reach_round(h, r->at[i], r->tiles[r->at[i]] + 1, r);
}

/* The tiles it takes SEAT to bring an animal to the market on HEX: 0 if there is
 * one, or if it is too far. */
static int way_to_market(const struct hacienda *h, int seat,
                         const struct reach *r, int hex)
{
    int least = 0, to;
    for (struct board_walk w = board_walk(&h->steps, h->near, hex);
         board_walk_next(&w, &to);) {
        if (tile_is_animal(h->tile[to]) && h->owner[to] == seat)
            return 0;
        int tiles = r->tiles[to];
        if (tiles > 0 && (least == 0 || tiles < least))
            least = tiles;
    }
    return least;
}

/* What a market would pay for an animal on HEX, about: the longest chain that it
 * would lie next to, and itself. */
static int pay_at(const struct hacienda *h, int seat, int hex)
{
    int longest = 0, markets = 0, to;
    for (struct board_walk w = board_walk(&h->steps, h->near, hex);
         board_walk_next(&w, &to);) {
        markets += h->ground[to] == GROUND_MARKET;
        if (h->tile[to] == TILE_LAND && h->owner[to] == seat &&
            h->chain_tiles[h->chain[to]] > longest)
            longest = h->chain_tiles[h->chain[to]];
    }
    return markets * (longest + 1);
}

/* What the markets beside which an animal can be put would pay for those in the
 * hand. */
static int32_t judge_sides(const struct hacienda *h, int seat,
                           const struct reach *r)
{
    int animals = hacienda_hand(h, seat, STACK_ANIMALS);
    int best[HACIENDA_ACTIONS] = {0};
    int32_t sum = 0;

    for (int i = 0; i < r->count && r->tiles[r->at[i]] == 1; i++) {
        int pay = pay_at(h, seat, r->at[i]);
        for (int k = 0; k < HACIENDA_ACTIONS; k++)
            if (pay > best[k]) {
                int held = best[k];
                best[k] = pay;
                pay = held;
            }
    }
    for (int k = 0; k < HACIENDA_ACTIONS && k < animals; k++)
        sum += best[k];
    return sum;
}

/* The markets within reach, by what the next one would bring. */
static int64_t judge_reach(const struct hacienda *h, int seat,
                           const struct reach *reach)
{
    int64_t ways = 0;
    int32_t next = 1;

    while (next * (next + (h->crucible ? 3 : 1)) / 2 <=
           h->worth[PART_MARKETS][seat])
        next++;
    for (int hex = 0; hex < h->hexes; hex++) {
        if (h->ground[hex] != GROUND_MARKET)
            continue;
        int tiles = way_to_market(h, seat, reach, hex);
        if (tiles > 0)
            ways += WEIGHT_REACH >> (tiles - 1);
    }
    return ways * (next + h->crucible);
}

/* Room to act, in parts of a point. */
static int64_t judge_room(const struct hacienda *h, int seat, int32_t to_come)
{
    int lands = hacienda_hand(h, seat, STACK_LAND);
    int animals = hacienda_hand(h, seat, STACK_ANIMALS);

    if (h->turn == seat && h->owed == STACK_LAND)
        lands++;
    if (h->turn == seat && h->owed == STACK_ANIMALS)
        animals++;
    int64_t room = WEIGHT_MONEY *
                   (int64_t)log_of(h->player[seat].money + to_come);
    room += WEIGHT_LANDS * (int64_t)log_of(lands);
    room += WEIGHT_ANIMALS * (int64_t)log_of(animals);
    return room / 256;
}

static int64_t judge(const struct rules_state *s, int seat)
{
    const struct hacienda *h = table_of(s);
    const struct hacienda_player *p = &h->player[seat];
    struct reach reach;
    int64_t board = 0;
    int32_t harvest;

    for (int part = PART_MARKETS; part < PART_MONEY; part++)
        board += h->worth[part][seat];
    reach_out(h, seat, &reach);
    int64_t promise = judge_chains(h, seat, &harvest) +
                      judge_reach(h, seat, &reach);
    int32_t to_come = (harvest * WEIGHT_HARVEST +
                       judge_sides(h, seat, &reach) * WEIGHT_SIDES) /
                      256;
    int64_t hope = judge_room(h, seat, to_come) + scorings_of(h) * promise;
    return MIND_POINT * (p->interim[PART_INTERIM] + scorings_of(h) * board +
                         p->money / (h->variant1 ? 20 : 10)) +
           hope * left_of(h) / 256;
}

static unsigned turn(const struct rules_state *s, int seat)
{
    int left = HACIENDA_ACTIONS - table_of(s)->actions;
    (void)seat;
    return left > 0 ? (unsigned)left : 1;
}

/* To the end of the round, and another. */
static uint32_t horizon(const struct rules_state *s)
{
    return table_of(s)->round + 2u;
}

const struct rules_mind hacienda_mind = {
    .rules = &hacienda_rules,
    .consider = consider,
    .judge = judge,
    .turn = turn,
    .horizon = horizon,
    .simulations = 500,
    .plies = 24,
    .tries = 12,
};
