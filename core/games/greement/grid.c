/* grid.c -- distances and taxes, multipliers, profit and wealth. */

#include "parts.h"

/* ---- the grid --------------------------------------------------------- */

bool greement_walk_next(struct greement_walk *w, int *ret_to)
{
    static const int8_t right[] = {0, -1, 1, 0}, down[] = {-1, 0, 0, 1};
    int x = w->square % GREEMENT_SIDE, y = w->square / GREEMENT_SIDE;

    while (w->way < 4) {
        int to_x = x + right[w->way], to_y = y + down[w->way];
        w->way++;
        if (to_x < 0 || to_x >= GREEMENT_SIDE || to_y < 0 ||
            to_y >= GREEMENT_SIDE)
            continue;
        *ret_to = to_y * GREEMENT_SIDE + to_x;
        return true;
    }
    return false;
}

bool greement_next_to(const struct greement *g, int square, int kind)
{
    int to;
    for (struct greement_walk w = greement_walk(square);
         greement_walk_next(&w, &to);)
        if (g->square[to] == kind)
            return true;
    return false;
}

/* ---- distances -------------------------------------------------------- */

static int apart(int a, int b)
{
    return a < b ? b - a : a - b;
}

int greement_distance(int a, int b)
{
    return apart(a % GREEMENT_SIDE, b % GREEMENT_SIDE) +
           apart(a / GREEMENT_SIDE, b / GREEMENT_SIDE);
}

/* The squares of one player, gathered once where many distances are asked
 * for. */
struct lot {
    int count;
    uint8_t x[GREEMENT_SQUARES], y[GREEMENT_SQUARES];
};

static void gather(const struct greement *g, int seat, struct lot *lot)
{
    lot->count = 0;
    for (int y = 0; y < GREEMENT_SIDE; y++)
        for (int x = 0; x < GREEMENT_SIDE; x++)
            if (g->owner[y * GREEMENT_SIDE + x] == seat) {
                lot->x[lot->count] = (uint8_t)x;
                lot->y[lot->count++] = (uint8_t)y;
            }
}

/* The distance from X, Y to the nearest other square of LOT; 0 if there is
 * none. */
static int nearest(const struct lot *lot, int x, int y)
{
    int least = 0;

    for (int i = 0; i < lot->count; i++) {
        int distance = apart(lot->x[i], x) + apart(lot->y[i], y);
        if (distance > 0 && (least == 0 || distance < least))
            least = distance;
    }
    return least;
}

int greement_nearest(const struct greement *g, int seat, int square)
{
    struct lot lot;

    gather(g, seat, &lot);
    return nearest(&lot, square % GREEMENT_SIDE, square / GREEMENT_SIDE);
}

int greement_tax(const struct greement *g, int distance)
{
    if (distance <= 1) /* [G3] connected, or nothing to be distant from */
        return 0;
    return (g->full_tax ? distance : distance - 1) * g->value[DISTANCE_TAX];
}

int greement_square_tax(const struct greement *g, int seat, int square)
{
    return greement_tax(g, greement_nearest(g, seat, square));
}

void greement_pay_taxes(const struct greement *g, int seat, int32_t *taxes)
{
    int least[GREEMENT_SEATS_MAX] = {0};
    struct lot own;

    gather(g, seat, &own);
    for (int square = 0; own.count > 0 && square < GREEMENT_SQUARES;
         square++) {
        int owner = g->owner[square];
        if (owner == GREEMENT_NOBODY || owner == seat)
            continue;
        int distance = nearest(&own, square % GREEMENT_SIDE,
                               square / GREEMENT_SIDE);
        if (least[owner] == 0 || distance < least[owner])
            least[owner] = distance;
    }
    for (int other = 0; other < g->base.seats; other++)
        taxes[other] = greement_tax(g, least[other]);
}

int greement_pay_tax(const struct greement *g, int seat, int other)
{
    int32_t taxes[GREEMENT_SEATS_MAX];

    greement_pay_taxes(g, seat, taxes);
    return taxes[other];
}

static bool is_for_sale(const struct greement *g, int square)
{
    return g->square[square] != SQUARE_FACE_DOWN &&
           can_be_owned(g->square[square]) &&
           g->owner[square] == GREEMENT_NOBODY;
}

int greement_plain_price(const struct greement *g, int square)
{
    return g->value[g->square[square] == SQUARE_MINE ? MINE_PRICE
                                                     : LAND_PRICE]; /* [G6] */
}

int greement_price(const struct greement *g, int seat, int square)
{
    if (!is_for_sale(g, square))
        return -1;
    return greement_plain_price(g, square) +
           greement_square_tax(g, seat, square);
}

void greement_prices(const struct greement *g, int seat, int row,
                     int32_t *prices)
{
    struct lot lot;

    gather(g, seat, &lot);
    for (int x = 0; x < GREEMENT_SIDE; x++) {
        int square = row * GREEMENT_SIDE + x;
        prices[x] = is_for_sale(g, square)
                        ? greement_plain_price(g, square) +
                              greement_tax(g, nearest(&lot, x, row))
                        : FIELDS_NULL_I32;
    }
}

/* ---- what squares are worth ------------------------------------------- */

int64_t greement_multiplier(const struct greement *g, int square)
{
    int64_t times = 1;
    int to;

    for (struct greement_walk w = greement_walk(square);
         greement_walk_next(&w, &to);) {
        if (g->square[to] == SQUARE_LAKE)
            times *= g->value[LAKE_MULTIPLIER];
        else if (g->square[to] == SQUARE_MOUNTAIN)
            times *= g->value[MOUNTAIN_MULTIPLIER];
    }
    return times;
}

int64_t greement_profit(const struct greement *g, int square)
{
    switch (g->square[square]) {
    case SQUARE_CROP:
        return g->value[CROP_PROFIT] * greement_multiplier(g, square);
    case SQUARE_CATTLE:
        return g->value[CATTLE_PROFIT] * greement_multiplier(g, square);
    case SQUARE_MINE:
        return g->value[MINE_PROFIT] * greement_multiplier(g, square);
    default: return 0;
    }
}

int64_t greement_worth(const struct greement *g, int square)
{
    int32_t worth = 0;

    switch (g->square[square]) {                         /* [G12] */
    case SQUARE_CATTLE: worth += g->value[CATTLE_PRICE]; /* fall through */
    case SQUARE_CROP: worth += g->value[SEED_PRICE];     /* fall through */
    case SQUARE_LAND: worth += g->value[LAND_PRICE]; break;
    case SQUARE_MINE: worth = g->value[MINE_PRICE]; break;
    default: return 0;
    }
    return worth * greement_multiplier(g, square);
}

/* [G14] What passes the bound is lost: of the squares first; a value so vast
 * that a number cannot hold it beside the debt takes of the debt, too. */
int32_t greement_wealth(const struct greement *g, int seat,
                        int32_t parts[PARTS])
{
    const struct greement_player *p = &g->player[seat];
    int64_t squares = 0;

    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->owner[square] == seat)
            squares += greement_worth(g, square);
    int64_t all = p->money - p->debt + squares;
    if (all > GREEMENT_WEALTH_MAX)
        all = GREEMENT_WEALTH_MAX;
    squares = all - p->money + p->debt;
    if (squares > GREEMENT_WEALTH_MAX)
        squares = GREEMENT_WEALTH_MAX;
    parts[PART_MONEY] = p->money;
    parts[PART_SQUARES] = (int32_t)squares;
    parts[PART_DEBT] = (int32_t)(all - p->money - squares);
    return (int32_t)all;
}
