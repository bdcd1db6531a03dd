/* mind.c -- playing Greement: what is worth a thought, how good a position is.
 *
 * Nothing is offered and no money is given away: there are thirty thousand
 * prices, and promises bind nobody.  What somebody offers is judged.  To avoid an
 * event one gives what is missing, or nothing.
 *
 * A position is worth its wealth and the profits to come; and as all of it grows
 * from round to round, what counts is one's share.  In a turn coins are few, so
 * there a purchase is judged by its gain per coin. */

#include "../../mind.h"
#include "parts.h"

/* The weights, of 256. */
enum {
    /* A round's profit, of those that are still to come: events take some of it,
     * and it buys more. */
    WEIGHT_PROFIT = 256,
    /* An action card, of what it can be expected to bring. */
    WEIGHT_CARD = 256,
    /* ... where that it decides a vote is this much of a round's profit. */
    WEIGHT_VOTE = 128,
};

/* Wealth that a share can still be made of (MIND_WHOLE in mind.c). */
#define WORTH_MAX (INT64_C(1) << 40)

/* ---- numbers ------------------------------------------------------------ */

/* How often SEAT will still collect its profit. */
static int profits_left(const struct greement *g, int seat)
{
    int seats = g->base.seats, left = g->turns - g->round;
    if (g->phase < PHASE_TURN)
        return g->turns;
    if (g->phase == PHASE_OVER)
        return 0;
    if (g->phase > PHASE_TURN)
        return left - 1;
    int place = (seat + seats - g->start) % seats;
    int now = (g->turn + seats - g->start) % seats;
    return place <= now ? left - 1 : left;
}

/* What SQUARE's being of KIND is worth to who will collect LEFT times. */
static int64_t worth_as(const struct greement *g, int64_t multiplier, int kind,
                        int left)
{
    const int32_t *v = g->value;
    int64_t profit = 0, price = 0;

    switch (kind) {
    case SQUARE_CROP:
        profit = v[CROP_PROFIT];
        price = v[LAND_PRICE] + v[SEED_PRICE];
        break;
    case SQUARE_CATTLE:
        profit = v[CATTLE_PROFIT];
        price = v[LAND_PRICE] + v[SEED_PRICE] + v[CATTLE_PRICE];
        break;
    case SQUARE_MINE:
        profit = v[MINE_PROFIT];
        price = v[MINE_PRICE];
        break;
    case SQUARE_LAND: price = v[LAND_PRICE]; break;
    default: return 0;
    }
    return multiplier * (price + profit * left * WEIGHT_PROFIT / 256);
}

static int64_t worth_of(const struct greement *g, int square, int left)
{
    int kind = g->square[square];
    int64_t worth = worth_as(g, greement_multiplier(g, square), kind, left);

    /* [G20] Cattle that is ill costs two, or is crops. */
    if (g->phase == PHASE_DISEASE && kind == SQUARE_CATTLE &&
        !g->treated[square] && g->owner[square] != GREEMENT_NOBODY &&
        !g->player[g->owner[square]].done)
        worth -= GREEMENT_DISEASE_COST;
    return worth;
}

static int64_t estate_of(const struct greement *g, int seat)
{
    int left = profits_left(g, seat);
    int64_t worth = g->player[seat].money - g->player[seat].debt;

    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->owner[square] == seat)
            worth += worth_of(g, square, left);
    return worth;
}

static int64_t judge(const struct rules_state *s, int seat)
{
    int64_t worth = MIND_POINT * estate_of(table_of(s), seat);
    return worth < WORTH_MAX ? worth : WORTH_MAX;
}

/* ---- what is worth a thought -------------------------------------------- */

struct thoughts {
    const struct greement *g;
    int seat;
    struct rules_move *at;
    size_t count, cap;
};

/* A move, if it is legal. */
static void think_of(struct thoughts *t, int verb, int a)
{
    struct rules_move move = RULES_MOVE(verb, a, RULES_NONE, RULES_NONE);
    if (t->count < t->cap &&
        greement_check(&t->g->base, t->seat, &move) == RULES_OK)
        t->at[t->count++] = move;
}

static void think_of_each(struct thoughts *t, int verb, int count)
{
    for (int a = 0; a < count; a++)
        think_of(t, verb, a);
}

static void think_of_squares(struct thoughts *t)
{
    const struct greement *g = t->g;
    int32_t money = g->player[t->seat].money, price[GREEMENT_SIDE];

    for (int square = 0; square < GREEMENT_SQUARES; square++) {
        int column = square % GREEMENT_SIDE;
        if (column == 0)
            greement_prices(g, t->seat, square / GREEMENT_SIDE, price);
        if (g->owner[square] == t->seat && g->square[square] == SQUARE_LAND)
            think_of(t, SEED, square);
        else if (g->owner[square] == t->seat &&
                 g->square[square] == SQUARE_CROP)
            think_of(t, BUY_CATTLE, square);
        else if (price[column] != FIELDS_NULL_I32 && price[column] <= money &&
                 t->count < t->cap)
            t->at[t->count++] = RULES_MOVE(BUY_LAND, square, RULES_NONE,
                                           RULES_NONE);
    }
}

static void think_of_turn(struct thoughts *t)
{
    const struct greement *g = t->g;
    const struct greement_player *p = &g->player[t->seat];

    if (g->pending != GREEMENT_NOBODY) {
        think_of(t, DONE, RULES_NONE);
        think_of_each(t, STEAL, GREEMENT_SQUARES);
        think_of_each(t, RAISE, VALUES);
        think_of_each(t, LOWER, VALUES);
        think_of_each(t, COLLECT, g->base.seats);
        return;
    }
    think_of(t, END_TURN, RULES_NONE);
    think_of(t, BUY_ACTION_CARD, RULES_NONE);
    if (p->debt > 0 && p->money > 0)
        think_of(t, REPAY, p->debt < p->money ? p->debt : p->money);
    think_of_squares(t);
}

/* An offer can be declined. */
static void think_of_offers(struct thoughts *t)
{
    for (int i = 0; i < t->g->offers; i++) {
        think_of(t, DECLINE, t->g->offer[i].number);
        think_of(t, ACCEPT, t->g->offer[i].number);
    }
}

static size_t consider(const struct rules_state *s, int seat,
                       struct rules_move *out, size_t cap)
{
    const struct greement *g = table_of(s);
    struct thoughts t = {.g = g, .seat = seat, .at = out, .cap = cap};

    if (g->phase == PHASE_TURN && seat != g->turn)
        think_of_offers(&t);
    if (!(s->acting & RULES_BIT(seat)))
        return t.count;
    switch (g->phase) {
    case PHASE_PICK: think_of_each(&t, PICK, GREEMENT_SQUARES); break;
    case PHASE_TURN: think_of_turn(&t); break;
    case PHASE_VOTE: think_of_each(&t, VOTE, 2); break;
    case PHASE_PAY:
        think_of(&t, DONE, RULES_NONE);
        if (g->player[seat].money >= greement_missing(g))
            think_of(&t, CONTRIBUTE, greement_missing(g));
        break;
    default:
        think_of(&t, DONE, RULES_NONE);
        think_of_each(&t, TREAT, GREEMENT_SQUARES);
    }
    return t.count;
}

/* ---- events ------------------------------------------------------------- */

/* What comes of it if all vote like SEAT, or are done like it. */
static int64_t judge_event(const struct greement *g, int seat,
                           const struct rules_move *move)
{
    struct greement after = *g;
    struct rules_events unread = {.count = 0};

    for (int i = 0; i < g->base.seats; i++) {
        if (move->verb == VOTE)
            after.player[i].vote = i == seat ? GREEMENT_NOBODY
                                             : (uint8_t)move->arg[0];
        else
            after.player[i].done = i != seat;
    }
    greement_event_move(&after, seat, move, &unread);
    struct mind mind = mind_of(&greement_rules, MIND_GREEDY);
    return mind_standing(&mind, &after.base, seat);
}

/* ---- cards -------------------------------------------------------------- */

/* What a player's squares would gain if values rose. */
struct gains {
    int64_t profit;     /* of a round */
    int64_t by[VALUES]; /* what the estate gains if a value rises by 1 */
};

/* The neighbours of SQUARE that are of KIND. */
static int count_next_to(const struct greement *g, int square, int kind)
{
    int n = 0, to;
    for (struct greement_walk w = greement_walk(square);
         greement_walk_next(&w, &to);)
        n += g->square[to] == kind;
    return n;
}

static void add_gains(const struct greement *g, int square, int left,
                      struct gains *a)
{
    static const uint8_t profit_of[] = {
        [SQUARE_CROP] = CROP_PROFIT,
        [SQUARE_CATTLE] = CATTLE_PROFIT,
        [SQUARE_MINE] = MINE_PROFIT,
    };
    int kind = g->square[square];
    int64_t multiplier = greement_multiplier(g, square);
    int64_t worth = worth_as(g, multiplier, kind, left);

    a->profit += greement_profit(g, square);
    if (kind != SQUARE_LAND)
        a->by[profit_of[kind]] += multiplier * left;
    a->by[kind == SQUARE_MINE ? MINE_PRICE : LAND_PRICE] += multiplier;
    if (kind == SQUARE_CROP || kind == SQUARE_CATTLE)
        a->by[SEED_PRICE] += multiplier;
    if (kind == SQUARE_CATTLE)
        a->by[CATTLE_PRICE] += multiplier;
    a->by[LAKE_MULTIPLIER] += worth * count_next_to(g, square, SQUARE_LAKE) /
                              g->value[LAKE_MULTIPLIER];
    a->by[MOUNTAIN_MULTIPLIER] += worth *
                                  count_next_to(g, square, SQUARE_MOUNTAIN) /
                                  g->value[MOUNTAIN_MULTIPLIER];
}

/* What SEAT and the richest of the others gain. */
static void gains_of(const struct greement *g, int seat, struct gains *own,
                     struct gains *other)
{
    struct gains each[GREEMENT_SEATS_MAX] = {{0}};

    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->owner[square] != GREEMENT_NOBODY)
            add_gains(g, square, profits_left(g, g->owner[square]),
                      &each[g->owner[square]]);
    *own = each[seat];
    *other = (struct gains){0};
    for (int i = 0; i < g->base.seats; i++)
        if (i != seat && each[i].profit >= other->profit)
            *other = each[i];
}

/* The best that a rise or a fall of a value does to SEAT beside another. */
static int64_t best_change(const struct greement *g, const struct gains *own,
                           const struct gains *other, int sign)
{
    int64_t best = 0;
    for (int value = 0; value < VALUES; value++) {
        int64_t gain = sign * (own->by[value] - other->by[value]);
        if (sign < 0 && g->value[value] == 1)
            continue;
        if (gain > best)
            best = gain;
    }
    return 2 * best;
}

/* The best square that can be stolen: what one gains, and another loses. */
static int64_t best_theft(const struct greement *g, int seat)
{
    int left = profits_left(g, seat);
    int64_t best = 0;

    for (int square = 0; square < GREEMENT_SQUARES; square++) {
        if (g->owner[square] == seat)
            continue;
        int64_t gain = worth_as(g, greement_multiplier(g, square),
                                g->square[square], left);
        if (g->owner[square] != GREEMENT_NOBODY)
            gain *= 2;
        if (gain > best)
            best = gain;
    }
    return best;
}

/* What the card that would be drawn brings, on an average, 256 for a coin. */
static int64_t gain_of_card(const struct greement *g, int seat)
{
    struct gains own, other;
    int all = 0;

    for (int card = 0; card < CARDS; card++)
        all += g->deck[card];
    if (all == 0)
        return 0;
    gains_of(g, seat, &own, &other);
    int64_t sum = g->deck[CARD_STEAL] * 2 * best_theft(g, seat) +
                  g->deck[CARD_DECIDE] * own.profit * WEIGHT_VOTE / 256 +
                  g->deck[CARD_RAISE] * best_change(g, &own, &other, 1) +
                  g->deck[CARD_LOWER] * best_change(g, &own, &other, -1) +
                  g->deck[CARD_COLLECT] * 4 * g->value[DISTANCE_TAX];
    return sum * WEIGHT_CARD / all;
}

/* ---- purchases ---------------------------------------------------------- */

/* 256 times the gain for each coin. */
static int64_t per_coin(int64_t gain, int64_t cost)
{
    return gain * 256 / (cost > 0 ? cost : 1);
}

/* Land is bought to be seeded, and then perhaps for cattle. */
static int64_t judge_land(const struct greement *g, int seat, int square)
{
    const int32_t *v = g->value;
    int left = profits_left(g, seat);
    int64_t price = greement_price(g, seat, square),
            m = greement_multiplier(g, square);

    if (g->square[square] == SQUARE_MINE)
        return per_coin(worth_as(g, m, SQUARE_MINE, left) - price, price);
    int64_t bare = per_coin(worth_as(g, m, SQUARE_LAND, left) - price, price);
    price += v[SEED_PRICE];
    int64_t crop = per_coin(worth_as(g, m, SQUARE_CROP, left) - price, price);
    if (g->player[seat].money < price && left == 0)
        return bare; /* nothing will come of it */
    price += v[CATTLE_PRICE];
    int64_t cattle = per_coin(worth_as(g, m, SQUARE_CATTLE, left) - price,
                              price);
    return crop > cattle || left == 0 ? crop : cattle;
}

static int64_t judge_growth(const struct greement *g, int seat, int square,
                            int kind, int price)
{
    int left = profits_left(g, seat);
    int64_t m = greement_multiplier(g, square);

    return per_coin(worth_as(g, m, kind, left) -
                        worth_as(g, m, g->square[square], left) - price,
                    price);
}

/* The middle has most neighbours, and is nearest to all. */
static int64_t judge_pick(int square)
{
    int x = 2 * (square % GREEMENT_SIDE) - (GREEMENT_SIDE - 1);
    int y = 2 * (square / GREEMENT_SIDE) - (GREEMENT_SIDE - 1);
    return -(x * x + y * y);
}

/* A debt doubles with each turn. */
static int64_t judge_repaying(const struct greement *g, int seat)
{
    int left = profits_left(g, seat);
    return (INT64_C(256) << (left < 16 ? left : 16)) - 256 + 1;
}

static bool judge_move(const struct rules_state *s, int seat,
                       const struct rules_move *move, int64_t *ret_worth)
{
    const struct greement *g = table_of(s);
    int a = move->arg[0];

    switch (move->verb) {
    case PICK: *ret_worth = judge_pick(a); return true;
    case BUY_LAND: *ret_worth = judge_land(g, seat, a); return true;
    case SEED:
        *ret_worth = judge_growth(g, seat, a, SQUARE_CROP,
                                  g->value[SEED_PRICE]);
        return true;
    case BUY_CATTLE:
        *ret_worth = judge_growth(g, seat, a, SQUARE_CATTLE,
                                  g->value[CATTLE_PRICE]);
        return true;
    case BUY_ACTION_CARD: {
        int64_t price = g->value[ACTION_CARD_PRICE];
        *ret_worth = per_coin(gain_of_card(g, seat) - 256 * price,
                              256 * price);
        return true;
    }
    case REPAY: *ret_worth = judge_repaying(g, seat); return true;
    case END_TURN: *ret_worth = 0; return true;
    case VOTE:
    case CONTRIBUTE: *ret_worth = judge_event(g, seat, move); return true;
    case DONE:
        if (g->phase != PHASE_PAY)
            return false;
        *ret_worth = judge_event(g, seat, move);
        return true;
    default: return false;
    }
}

/* What is bought greedy knows as well: the luck of the events to come is greater
 * than what the search can tell of a square.  It looks at votes, at what others
 * make one pay, and at how a card is used. */
static unsigned turn(const struct rules_state *s, int seat)
{
    const struct greement *g = table_of(s);

    (void)seat;
    return g->phase == PHASE_TURN && g->pending == GREEMENT_NOBODY ? 0 : 2;
}

/* To the end of the round, and another: by greement_rules.turn(). */
static uint32_t horizon(const struct rules_state *s)
{
    const struct greement *g = table_of(s);
    struct greement later = *g;

    if (g->phase < PHASE_TURN)
        return 0;
    later.phase = PHASE_TURN;
    later.events = 0;
    later.round = (uint8_t)(g->round + 2);
    return greement_rules.turn(&later.base);
}

const struct rules_mind greement_mind = {
    .rules = &greement_rules,
    .consider = consider,
    .judge = judge,
    .judge_move = judge_move,
    .turn = turn,
    .horizon = horizon,
    .share = true,
    .simulations = 600,
    .doubt = 2,
    .plies = 80,
};
