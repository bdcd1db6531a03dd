/* moves.c -- what players do: which moves there are, which are legal, and what
 * they change.  The refusals of each verb are tried in the order of the rules'
 * table (A turn). */

#include "parts.h"

/* ---- water tiles ------------------------------------------------------ */

static const uint8_t shape_hexes[SHAPES] = {1, 2, 3, 3};

/* The way from hex A to its neighbour B, or -1. */
static int way_to(const struct hacienda *h, int a, int b)
{
    for (int way = 0; way < BOARD_WAYS; way++)
        if (board_neighbour(&h->steps, h->near, a, way) == b)
            return way;
    return -1;
}

static void sort3(int16_t *hex, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && hex[j] < hex[j - 1]; j--) {
            int16_t held = hex[j];
            hex[j] = hex[j - 1];
            hex[j - 1] = held;
        }
}

/* [H1] Whether HEX, in reading order, are COUNT spaces of that shape. */
static bool has_shape(const struct hacienda *h, int shape, const int16_t *hex)
{
    if (shape == SHAPE_SINGLE)
        return true;
    int first = way_to(h, hex[0], hex[1]);
    if (shape == SHAPE_DOUBLE)
        return first >= 0;
    if (shape == SHAPE_LINE)
        return first >= 0 && way_to(h, hex[1], hex[2]) == first;
    return first >= 0 && way_to(h, hex[1], hex[2]) >= 0 &&
           way_to(h, hex[0], hex[2]) >= 0;
}

static int check_shape(const struct hacienda *h, const struct rules_move *move)
{
    int shape = move->arg[0], count = 0;
    int16_t hex[3];

    for (int i = 1; i <= 3; i++)
        if (move->arg[i] != RULES_NONE)
            hex[count++] = move->arg[i];
    if (count != shape_hexes[shape] ||
        (count == 2 && move->arg[2] == RULES_NONE))
        return WRONG_SHAPE;
    sort3(hex, count);
    for (int i = 1; i < count; i++)
        if (hex[i] == hex[i - 1])
            return WRONG_SHAPE;
    if (!has_shape(h, shape, hex))
        return WRONG_SHAPE;
    for (int i = 0; i < count; i++)
        if (hex[i] != move->arg[1 + i])
            return WRONG_ORDER;
    return RULES_OK;
}

static int check_water(const struct hacienda *h, int seat,
                       const struct rules_move *move)
{
    if (h->bought_water)
        return ONCE_PER_TURN;
    if (h->waters_left[move->arg[0]] == 0)
        return SUPPLY_EMPTY;
    if (h->player[seat].money < hacienda_cost(h, BUY_WATER))
        return TOO_EXPENSIVE;
    int refusal = check_shape(h, move);
    if (refusal != RULES_OK)
        return refusal;
    for (int i = 1; i <= shape_hexes[move->arg[0]]; i++)
        if (h->ground[move->arg[i]] != GROUND_PAMPAS)
            return WRONG_SPACE;
    for (int i = 1; i <= shape_hexes[move->arg[0]]; i++)
        if (h->tile[move->arg[i]] != TILE_NONE)
            return HEX_TAKEN;
    return RULES_OK;
}

/* ---- cards ------------------------------------------------------------ */

static const uint8_t ground_of[LAND_CARDS] = {
    [CARD_MOUNTAIN] = GROUND_MOUNTAIN, [CARD_FOREST] = GROUND_FOREST,
    [CARD_MEADOW] = GROUND_MEADOW,     [CARD_ROCKS] = GROUND_ROCKS,
    [CARD_SWAMP] = GROUND_SWAMP,       [CARD_PAMPAS] = GROUND_PAMPAS,
};

int hacienda_card_ground(const struct hacienda *h, int card)
{
    if (card_stack(card) == STACK_ANIMALS || h->open[ground_of[card]] == 0)
        return GROUND_PAMPAS;
    return ground_of[card];
}

bool hacienda_in_hand(const struct hacienda *h, int seat, int card)
{
    const struct hacienda_player *p = &h->player[seat];
    if (p->known[card] > 0)
        return true;
    if (p->unknown[card] == FIELDS_NULL_U8)
        return p->secrets[card_stack(card)] > 0;
    return p->unknown[card] > 0;
}

/* [H7] */
bool hacienda_tile_left(const struct hacienda *h, int seat, int card)
{
    int all = 0;
    if (card_stack(card) == STACK_LAND)
        return h->lands < HACIENDA_LANDS_MAX;
    for (int i = 0; i < ANIMAL_CARDS; i++)
        all += h->animals[seat][i];
    return all < HACIENDA_HERD_MAX &&
           h->animals[seat][card - LAND_CARDS] < HACIENDA_FACES_MAX;
}

static int check_play(const struct hacienda *h, int seat, int card, int hex)
{
    int ground = hacienda_card_ground(h, card);

    if (!hacienda_in_hand(h, seat, card))
        return NOT_IN_HAND;
    if (!hacienda_tile_left(h, seat, card))
        return NO_TILE_LEFT;
    if (h->ground[hex] != ground)
        return WRONG_SPACE;
    if (h->tile[hex] != TILE_NONE)
        return HEX_TAKEN;
    if (ground != GROUND_PAMPAS || hacienda_next_to(h, hex, seat, TILE_LAND) ||
        (card_stack(card) == STACK_ANIMALS &&
         hacienda_next_to(h, hex, seat, (int)card_tile(card))))
        return RULES_OK;
    return NOT_ADJACENT;
}

static int slot_of(const struct hacienda *h, int card)
{
    for (int slot = 0; slot < HACIENDA_SLOTS; slot++)
        if (h->display[card_stack(card)][slot] == card)
            return slot; /* [H14] the first */
    return -1;
}

static int check_buy_card(const struct hacienda *h, int seat,
                          const struct rules_move *move)
{
    bool display = move->verb == BUY_LAND_DISPLAY ||
                   move->verb == BUY_ANIMAL_DISPLAY;
    int stack = move->verb == BUY_LAND_SUPPLY ? STACK_LAND : STACK_ANIMALS;

    if (display && slot_of(h, move->arg[0]) < 0)
        return NOT_IN_DISPLAY;
    if (!display && hacienda_drawable(h, stack) == 0)
        return SUPPLY_EMPTY;
    if (h->player[seat].money < hacienda_cost(h, move->verb))
        return TOO_EXPENSIVE;
    return RULES_OK;
}

/* ---- haciendas and harvest -------------------------------------------- */

static int check_hacienda(const struct hacienda *h, int seat, int hex)
{
    if (h->bought_hacienda)
        return ONCE_PER_TURN;
    if (h->haciendas_left == 0)
        return SUPPLY_EMPTY;
    if (h->player[seat].money < hacienda_cost(h, BUY_HACIENDA))
        return TOO_EXPENSIVE;
    if (h->owner[hex] != seat)
        return NOT_YOUR_TILE;
    return h->hacienda[hex] ? HAS_HACIENDA : RULES_OK;
}

static int chips_of_others(const struct hacienda *h, int seat)
{
    int n = 0;
    for (int other = 0; other < h->base.seats; other++)
        n += other != seat ? h->chips[other] : 0;
    return n;
}

static int check_harvest(const struct hacienda *h, int seat, int hex, int from)
{
    if (h->harvested)
        return ONCE_PER_TURN;
    if (h->tile[hex] != TILE_LAND || h->owner[hex] != seat)
        return NOT_YOUR_LAND;
    if (h->chain_tiles[h->chain[hex]] < 2)
        return NO_CHAIN; /* [H5] */
    if (h->chain_chips[h->chain[hex]] > 0)
        return CHAIN_HAS_CHIP;
    if (h->chips_left > 0)
        return from == RULES_NONE ? RULES_OK : FROM_NOT_ALLOWED;
    if (chips_of_others(h, seat) == 0)
        return NO_CHIP_LEFT;
    if (from == RULES_NONE)
        return FROM_NEEDED;
    return h->chip[from] && h->owner[from] != seat ? RULES_OK : NO_CHIP_THERE;
}

/* ---- the gate --------------------------------------------------------- */

/* "A word that does not exist": an animal cannot be played as land. */
static bool card_fits(const struct rules_move *move)
{
    switch (move->verb) {
    case BUY_LAND_DISPLAY:
    case PLAY_LAND: return card_stack(move->arg[0]) == STACK_LAND;
    case BUY_ANIMAL_DISPLAY:
    case PLAY_ANIMAL: return card_stack(move->arg[0]) == STACK_ANIMALS;
    default: return true;
    }
}

int hacienda_check(const struct rules_state *s, int seat,
                   const struct rules_move *move)
{
    const struct hacienda *h = table_of(s);

    if (seat == RULES_NATURE)
        return hacienda_nature_check(h, move);
    if (!card_fits(move))
        return RULES_BAD_ARGUMENT;
    if (move->verb == END_TURN)
        return RULES_OK;
    if (h->actions == HACIENDA_ACTIONS)
        return NO_ACTIONS_LEFT;
    switch (move->verb) {
    case BUY_HACIENDA: return check_hacienda(h, seat, move->arg[0]);
    case BUY_WATER: return check_water(h, seat, move);
    case PLAY_LAND:
    case PLAY_ANIMAL: return check_play(h, seat, move->arg[0], move->arg[1]);
    case HARVEST: return check_harvest(h, seat, move->arg[0], move->arg[1]);
    default: return check_buy_card(h, seat, move);
    }
}

/* ---- which moves there are -------------------------------------------- */

static void offer_verb(struct rules_list *list, int verb)
{
    rules_offer(list, &RULES_MOVE(verb, RULES_NONE, RULES_NONE, RULES_NONE));
}

static void offer_cards(struct rules_list *list, int verb, int from, int to)
{
    for (int card = from; card < to; card++)
        rules_offer(list, &RULES_MOVE(verb, card, RULES_NONE, RULES_NONE));
}

static bool empty_pampas(const struct hacienda *h, int hex)
{
    return hex >= 0 && h->ground[hex] == GROUND_PAMPAS &&
           h->tile[hex] == TILE_NONE;
}

static void offer_water(struct rules_list *list, int shape, int a, int b,
                        int c)
{
    struct rules_move move = RULES_MOVE(BUY_WATER, shape, a, b);
    move.arg[3] = (int16_t)c;
    rules_offer(list, &move);
}

bool hacienda_water_tile(const struct hacienda *h, int shape, int hex, int i,
                         int tile[3])
{
    static const uint8_t onward[HACIENDA_WATER_WAYS] = {WAY_E, WAY_SW, WAY_SE};
    int way = onward[i];

    tile[0] = hex;
    tile[1] = tile[2] = RULES_NONE;
    if (shape == SHAPE_SINGLE)
        return i == 0 && empty_pampas(h, hex);
    tile[1] = board_neighbour(&h->steps, h->near, hex, way);
    if (!empty_pampas(h, hex) || !empty_pampas(h, tile[1]))
        return false;
    if (shape == SHAPE_DOUBLE)
        return true;
    if (shape == SHAPE_LINE)
        tile[2] = board_neighbour(&h->steps, h->near, tile[1], way);
    else /* a triangle: both ways end in the row below */
        tile[2] = way == WAY_SE
                      ? -1
                      : board_neighbour(&h->steps, h->near, hex, WAY_SE);
    return empty_pampas(h, tile[2]);
}

static void offer_waters_at(const struct hacienda *h, int shape, int hex,
                            struct rules_list *list)
{
    int tile[3];

    for (int i = 0; i < HACIENDA_WATER_WAYS; i++)
        if (hacienda_water_tile(h, shape, hex, i, tile))
            offer_water(list, shape, tile[0], tile[1], tile[2]);
}

static void propose_waters(const struct hacienda *h, int seat,
                           struct rules_list *list)
{
    if (h->bought_water || !rules_wants(list, BUY_WATER) ||
        h->player[seat].money < hacienda_cost(h, BUY_WATER))
        return;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int hex = 0; h->waters_left[shape] > 0 && hex < h->hexes; hex++)
            if (empty_pampas(h, hex))
                offer_waters_at(h, shape, hex, list);
}

static void propose_plays(const struct hacienda *h, int seat,
                          struct rules_list *list)
{
    for (int card = 0; card < CARDS; card++) {
        int verb = card_stack(card) == STACK_LAND ? PLAY_LAND : PLAY_ANIMAL;
        int ground = hacienda_card_ground(h, card);
        if (!rules_wants(list, verb) || !hacienda_in_hand(h, seat, card))
            continue;
        for (int hex = 0; hex < h->hexes; hex++)
            if (h->ground[hex] == ground && h->tile[hex] == TILE_NONE)
                rules_offer(list, &RULES_MOVE(verb, card, hex, RULES_NONE));
    }
}

static void propose_harvests(const struct hacienda *h, int seat,
                             struct rules_list *list)
{
    if (h->harvested || !rules_wants(list, HARVEST))
        return;
    for (int hex = 0; hex < h->hexes; hex++) {
        if (h->tile[hex] != TILE_LAND || h->owner[hex] != seat)
            continue;
        rules_offer(list, &RULES_MOVE(HARVEST, hex, RULES_NONE, RULES_NONE));
        for (int from = 0; h->chips_left == 0 && from < h->hexes; from++)
            if (h->chip[from] && h->owner[from] != seat)
                rules_offer(list, &RULES_MOVE(HARVEST, hex, from, RULES_NONE));
    }
}

static void propose_actions(const struct hacienda *h, int seat,
                            struct rules_list *list)
{
    offer_verb(list, BUY_LAND_SUPPLY);
    offer_cards(list, BUY_LAND_DISPLAY, 0, LAND_CARDS);
    offer_verb(list, BUY_ANIMAL_SUPPLY);
    offer_cards(list, BUY_ANIMAL_DISPLAY, LAND_CARDS, CARDS);
    for (int hex = 0; !h->bought_hacienda && hex < h->hexes; hex++)
        if (h->owner[hex] == seat)
            rules_offer(list, &RULES_MOVE(BUY_HACIENDA, hex, RULES_NONE,
                                          RULES_NONE));
    propose_waters(h, seat, list);
    propose_plays(h, seat, list);
    propose_harvests(h, seat, list);
}

void hacienda_propose(const struct rules_state *s, int seat,
                      struct rules_list *list)
{
    const struct hacienda *h = table_of(s);

    if (seat == RULES_NATURE) {
        hacienda_nature_propose(h, list);
        return;
    }
    if (h->actions < HACIENDA_ACTIONS)
        propose_actions(h, seat, list);
    offer_verb(list, END_TURN);
}

/* ---- what they change ------------------------------------------------- */

static void pay(struct hacienda *h, int seat, int amount)
{
    h->player[seat].money -= amount;
    ASSERT(h->player[seat].money >= 0);
}

static void buy_card(struct hacienda *h, int seat,
                     const struct rules_move *move, struct rules_events *out)
{
    int cost = hacienda_cost(h, move->verb);
    int card = move->arg[0];

    pay(h, seat, cost);
    out->flags |= RULES_FINAL; /* [H26] */
    if (card == RULES_NONE) {
        h->owed = move->verb == BUY_LAND_SUPPLY ? STACK_LAND : STACK_ANIMALS;
        tell_all(out, EV_BOUGHT_CARD, seat, h->owed, cost, RULES_NONE);
        h->refill[STACK_LAND] = h->owed == STACK_LAND; /* [H6] */
        return;
    }
    int slot = slot_of(h, card);
    h->display[card_stack(card)][slot] = HACIENDA_NOBODY;
    h->player[seat].known[card]++;
    h->refill[card_stack(card)] = (uint8_t)(slot + 1);
    tell_all(out, EV_TOOK_CARD, seat, card, cost, RULES_NONE);
}

static void buy_hacienda(struct hacienda *h, int seat, int hex,
                         struct rules_events *out)
{
    int cost = hacienda_cost(h, BUY_HACIENDA);

    pay(h, seat, cost);
    h->hacienda[hex] = 1;
    h->haciendas_left--;
    h->bought_hacienda = 1;
    hacienda_value(h);
    tell_all(out, EV_BOUGHT_HACIENDA, seat, hex, cost, RULES_NONE);
}

static void buy_water(struct hacienda *h, int seat,
                      const struct rules_move *move, struct rules_events *out)
{
    int shape = move->arg[0], cost = hacienda_cost(h, BUY_WATER);

    pay(h, seat, cost);
    h->waters_left[shape]--;
    h->bought_water = 1;
    h->water_size[h->water_tiles] = shape_hexes[shape];
    for (int i = 1; i <= shape_hexes[shape]; i++) {
        h->tile[move->arg[i]] = TILE_WATER;
        h->water[move->arg[i]] = h->water_tiles;
        h->open[GROUND_PAMPAS]--;
    }
    h->water_tiles++;
    hacienda_value(h);
    tell_all(out, EV_BOUGHT_WATER, seat, shape, cost, move->arg[1]);
    out->at[out->count - 1].arg[3] = move->arg[2];
    out->at[out->count - 1].arg[4] = move->arg[3];
}

/* rules, Markets: after the tile is placed. */
static void bring_to_market(struct hacienda *h, int seat, int hex,
                            struct rules_events *out)
{
    int amount = hacienda_market_pay(h, hex), to;

    for (struct board_walk w = board_walk(&h->steps, h->near, hex);
         board_walk_next(&w, &to);) {
        if (h->ground[to] != GROUND_MARKET)
            continue;
        h->player[seat].money += amount;
        tell_all(out, EV_MARKET_PAID, seat, to, amount, RULES_NONE);
    }
}

static void play_card(struct hacienda *h, int seat, int card, int hex,
                      struct rules_events *out)
{
    struct hacienda_player *p = &h->player[seat];

    if (p->known[card] > 0) { /* [H25] */
        p->known[card]--;
    } else {
        p->secrets[card_stack(card)]--;
        if (p->unknown[card] != FIELDS_NULL_U8)
            p->unknown[card]--;
    }
    h->discard[card]++;
    h->tile[hex] = (uint8_t)card_tile(card);
    h->owner[hex] = (uint8_t)seat;
    h->open[h->ground[hex]]--;
    hacienda_value(h);
    tell_all(out, EV_PLAYED, seat, card, hex, RULES_NONE);
    if (card_stack(card) == STACK_LAND) {
        h->lands++;
        hacienda_link(h);
    } else {
        h->animals[seat][card - LAND_CARDS]++;
        bring_to_market(h, seat, hex, out);
    }
}

static void harvest(struct hacienda *h, int seat, int hex, int from,
                    struct rules_events *out)
{
    int amount = 3 * h->chain_tiles[h->chain[hex]];

    if (from == RULES_NONE)
        h->chips_left--;
    else
        h->chip[from] = 0;
    h->chip[hex] = 1;
    h->harvested = 1;
    h->player[seat].money += amount;
    hacienda_link(h);
    tell_all(out, EV_HARVESTED, seat, hex, amount, from);
}

/* ---- turns, rounds and scorings --------------------------------------- */

/* Tells everybody's points by category, and keeps them if it is the interim
 * scoring. */
static void hold_scoring(struct hacienda *h, int final,
                         struct rules_events *out)
{
    int32_t points[PARTS][HACIENDA_SEATS_MAX];

    hacienda_points(h, points);
    for (int seat = 0; seat < h->base.seats; seat++) {
        int32_t sum = 0;
        for (int part = PART_MARKETS; part < PARTS; part++) {
            if (part == PART_HERDS && !h->variant1 && !h->crucible)
                continue;
            sum += points[part][seat];
            if (!final)
                h->player[seat].interim[part] = points[part][seat];
            tell_all(out, EV_SCORED, seat, final, part, points[part][seat]);
        }
        if (!final)
            h->player[seat].interim[PART_INTERIM] = sum;
    }
    if (!final) {
        h->scored = 1;
        h->due = DUE_NOTHING;
    }
}

static void end_game(struct hacienda *h, int how, struct rules_events *out)
{
    hold_scoring(h, true, out);
    h->base.acting = 0;
    tell_all(out, EV_ENDED, RULES_NATURE, how, RULES_NONE, RULES_NONE);
}

/* The last player's turn is over. */
static void end_round(struct hacienda *h, struct rules_events *out)
{
    if (h->due == DUE_FINAL) {
        end_game(h, END_SCORED, out);
        return;
    }
    /* [H18] In the same way as passing: an interim scoring is skipped. */
    if (h->round == HACIENDA_ROUNDS_MAX) {
        end_game(h, END_ROUND_LIMIT, out);
        return;
    }
    if (h->due == DUE_INTERIM)
        hold_scoring(h, false, out);
    h->round++;
    tell_all(out, EV_ROUND_BEGAN, RULES_NATURE, h->round, RULES_NONE,
             RULES_NONE);
}

static void end_turn(struct hacienda *h, int seat, struct rules_events *out)
{
    h->idle = h->actions > 0 ? 0 : (uint8_t)(h->idle + 1);
    tell_all(out, EV_TURN_ENDED, seat, h->actions, RULES_NONE, RULES_NONE);
    out->flags |= RULES_FINAL;
    if (h->idle == h->base.seats) { /* rules, Passing; [H17] */
        end_game(h, END_ALL_PASSED, out);
        return;
    }
    h->turn = (uint8_t)((seat + 1) % h->base.seats);
    h->actions = 0;
    h->bought_hacienda = h->bought_water = h->harvested = 0;
    if (h->turn == h->start)
        end_round(h, out);
}

void hacienda_pass_on(struct hacienda *h)
{
    if (hacienda_need(h).verb >= 0) {
        h->base.acting = RULES_BIT(RULES_NATURE);
        return;
    }
    h->refill[STACK_LAND] = h->refill[STACK_ANIMALS] = 0;
    h->base.acting = RULES_BIT(h->turn);
}

static void act(struct hacienda *h, int seat, const struct rules_move *move,
                struct rules_events *out)
{
    switch (move->verb) {
    case BUY_HACIENDA: buy_hacienda(h, seat, move->arg[0], out); break;
    case BUY_WATER: buy_water(h, seat, move, out); break;
    case PLAY_LAND:
    case PLAY_ANIMAL:
        play_card(h, seat, move->arg[0], move->arg[1], out);
        break;
    case HARVEST: harvest(h, seat, move->arg[0], move->arg[1], out); break;
    default: buy_card(h, seat, move, out);
    }
    h->actions++;
}

int hacienda_apply(struct rules_state *s, int seat,
                   const struct rules_move *move, struct rules_events *events)
{
    struct hacienda *h = (struct hacienda *)s;

    if (seat == RULES_NATURE)
        hacienda_nature_apply(h, move, events);
    else if (move->verb == END_TURN)
        end_turn(h, seat, events);
    else
        act(h, seat, move, events);
    if (!rules_over(s))
        hacienda_pass_on(h);
    return RULES_OK;
}
