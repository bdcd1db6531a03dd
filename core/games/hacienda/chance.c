/* chance.c -- what nature does: the start player, open terrains, cards.
 *
 * Cards are drawn when they are needed, from the multiset of those unseen:
 * all of a kind less those on display, discarded or in hands.  For animals
 * that multiset holds the removed cards and the stack set aside, too, which is
 * as good as having shuffled and parted them beforehand. */

#include "parts.h"

/* ---- what is needed --------------------------------------------------- */

int hacienda_hand(const struct hacienda *h, int seat, enum hacienda_stack s)
{
    int from = s == STACK_LAND ? 0 : LAND_CARDS;
    int to = s == STACK_LAND ? LAND_CARDS : CARDS;
    int n = h->player[seat].secrets[s];
    for (int card = from; card < to; card++)
        n += h->player[seat].known[card];
    return n;
}

static int land_discards(const struct hacienda *h)
{
    int n = 0;
    for (int card = 0; card < LAND_CARDS; card++)
        n += h->discard[card];
    return n;
}

int hacienda_drawable(const struct hacienda *h, int stack)
{
    int n = h->supply[stack];
    return n == 0 && stack == STACK_LAND ? land_discards(h) : n; /* [H6] */
}

/* The slot of the card just bought, then the first of those that could not be
 * filled before ([H14], [H6]). */
static int empty_slot(const struct hacienda *h, int stack)
{
    int bought = h->refill[stack] - 1;
    if (bought >= 0 && h->display[stack][bought] == HACIENDA_NOBODY)
        return bought;
    for (int slot = 0; slot < numbers(h)->slots; slot++)
        if (h->display[stack][slot] == HACIENDA_NOBODY)
            return slot;
    return -1;
}

static int open_terrain(const struct hacienda *h)
{
    for (int hex = 0; h->open[GROUND_RANDOM] > 0 && hex < h->hexes; hex++)
        if (h->ground[hex] == GROUND_RANDOM)
            return hex;
    return -1;
}

/* While the cards are dealt: seat by seat, land before animals. */
static struct hacienda_need dealing_need(const struct hacienda *h)
{
    const struct hacienda_numbers *n = numbers(h);

    for (int seat = 0; seat < h->base.seats; seat++)
        for (int stack = 0; stack < STACKS; stack++)
            if (h->player[seat].secrets[stack] < n->deal[stack])
                return (struct hacienda_need){
                    .verb = NATURE_DEAL,
                    .seat = seat,
                    .stack = stack,
                };
    for (int stack = 0; stack < STACKS; stack++)
        if (empty_slot(h, stack) >= 0)
            return (struct hacienda_need){
                .verb = NATURE_TURN_UP,
                .stack = stack,
                .slot = empty_slot(h, stack),
            };
    return (struct hacienda_need){.verb = -1};
}

struct hacienda_need hacienda_need(const struct hacienda *h)
{
    int hex = h->round == 0 ? open_terrain(h) : -1;

    if (h->start == HACIENDA_NOBODY)
        return (struct hacienda_need){.verb = NATURE_START};
    if (h->spares > 0)
        return (struct hacienda_need){.verb = NATURE_SPARE};
    if (hex >= 0)
        return (struct hacienda_need){.verb = NATURE_TERRAIN, .hex = hex};
    if (h->round == 0)
        return dealing_need(h);
    if (h->owed != HACIENDA_NOBODY)
        return (struct hacienda_need){
            .verb = NATURE_DEAL,
            .seat = h->turn,
            .stack = h->owed,
        };
    for (int stack = 0; stack < STACKS; stack++)
        if (h->refill[stack] && empty_slot(h, stack) >= 0 &&
            hacienda_drawable(h, stack) > 0)
            return (struct hacienda_need){
                .verb = NATURE_TURN_UP,
                .stack = stack,
                .slot = empty_slot(h, stack),
            };
    return (struct hacienda_need){.verb = -1};
}

/* ---- which cards there are -------------------------------------------- */

int hacienda_unseen(const struct hacienda *h, int card)
{
    int n = numbers(h)->cards[card] - h->discard[card];

    for (int slot = 0; slot < HACIENDA_SLOTS; slot++)
        n -= h->display[card_stack(card)][slot] == card;
    for (int seat = 0; seat < h->base.seats; seat++) {
        n -= h->player[seat].known[card];
        if (h->player[seat].unknown[card] != FIELDS_NULL_U8)
            n -= h->player[seat].unknown[card];
    }
    return n;
}

/* How many of CARD the next draw may find. */
static int in_stack(const struct hacienda *h, int card)
{
    int stack = (int)card_stack(card);
    if (h->supply[stack] == 0 && stack == STACK_LAND)
        return h->discard[card]; /* [H6] about to be shuffled */
    return h->supply[stack] > 0 ? hacienda_unseen(h, card) : 0;
}

/* ---- judging and playing ---------------------------------------------- */

static int check_card(const struct hacienda *h, int card, int stack)
{
    if (card == RULES_HIDDEN) /* as it was told to who may not know */
        return hacienda_drawable(h, stack) > 0 ? RULES_OK : NOT_NATURES;
    if ((int)card_stack(card) != stack)
        return NOT_NATURES;
    return in_stack(h, card) > 0 ? RULES_OK : NOT_NATURES;
}

int hacienda_nature_check(const struct hacienda *h,
                          const struct rules_move *move)
{
    struct hacienda_need need = hacienda_need(h);
    int terrains = 0;

    if (move->verb != need.verb)
        return NOT_NATURES;
    switch (need.verb) {
    case NATURE_START: return RULES_OK;
    case NATURE_SPARE:
        /* One more at most of each: those that have one are above others. */
        for (int t = 0; t < LAND_CARDS - 1; t++)
            terrains += h->terrains[t];
        return h->terrains[move->arg[0]] <= terrains / (LAND_CARDS - 1)
                   ? RULES_OK
                   : NOT_NATURES;
    case NATURE_TERRAIN:
        return move->arg[0] == need.hex && h->terrains[move->arg[1]] > 0
                   ? RULES_OK
                   : NOT_NATURES;
    case NATURE_DEAL:
        return move->arg[0] == need.seat
                   ? check_card(h, move->arg[1], need.stack)
                   : NOT_NATURES;
    case NATURE_TURN_UP: return check_card(h, move->arg[0], need.stack);
    default: return NOT_NATURES;
    }
}

void hacienda_nature_propose(const struct hacienda *h, struct rules_list *list)
{
    struct hacienda_need need = hacienda_need(h);

    for (int n = 0; n < RULES_SEATS_MAX + CARDS; n++) {
        struct rules_move move = RULES_MOVE(need.verb, n, RULES_NONE,
                                            RULES_NONE);
        if (need.verb == NATURE_TERRAIN)
            move.arg[0] = (int16_t)need.hex, move.arg[1] = (int16_t)n;
        else if (need.verb == NATURE_DEAL)
            move.arg[0] = (int16_t)need.seat, move.arg[1] = (int16_t)n;
        int most = need.verb == NATURE_START     ? h->base.seats
                   : need.verb == NATURE_SPARE   ? LAND_CARDS - 1
                   : need.verb == NATURE_TERRAIN ? LAND_CARDS - 1
                                                 : CARDS;
        if (n < most)
            rules_offer(list, &move);
    }
}

/* A card leaves its stack.  The last of an animal stack brings the second one
 * into use, or the end near (rules, Rounds and scorings). */
static void draw(struct hacienda *h, int stack, struct rules_events *events)
{
    if (h->supply[stack] == 0) { /* [H6] */
        ASSERT(stack == STACK_LAND);
        h->supply[stack] = (uint8_t)land_discards(h);
        memset(h->discard, 0, LAND_CARDS);
        tell_all(events, EV_SHUFFLED, RULES_NATURE, RULES_NONE, RULES_NONE,
                 RULES_NONE);
    }
    h->supply[stack]--;
    if (h->round == 0 || stack == STACK_LAND || h->supply[stack] > 0)
        return;
    if (h->half == 1) {
        h->half = 2;
        h->supply[stack] = h->aside;
        h->aside = 0;
        if (!h->variant2)
            h->due = DUE_INTERIM;
    } else {
        h->due = DUE_FINAL;
    }
    tell_all(events, h->due == DUE_FINAL ? EV_LAST_STACK : EV_SECOND_STACK,
             RULES_NATURE, RULES_NONE, RULES_NONE, RULES_NONE);
}

static void deal(struct hacienda *h, int seat, int card, int stack,
                 struct rules_events *events)
{
    struct hacienda_player *p = &h->player[seat];

    draw(h, stack, events);
    p->secrets[stack]++;
    if (card != RULES_HIDDEN && p->unknown[card] != FIELDS_NULL_U8)
        p->unknown[card]++;
    h->owed = HACIENDA_NOBODY;
    rules_emit(events, EV_DREW, seat, RULES_BIT(seat), stack, card,
               RULES_NONE);
    rules_emit(events, EV_DREW, seat, RULES_BUT(seat), stack, RULES_HIDDEN,
               RULES_NONE);
}

/* The cards are dealt: the animals left are parted, play begins. */
static void begin(struct hacienda *h, struct rules_events *events)
{
    h->aside = h->supply[STACK_ANIMALS] / 2;
    h->supply[STACK_ANIMALS] -= h->aside;
    h->half = 1;
    h->round = 1;
    h->turn = h->start;
    tell_all(events, EV_ROUND_BEGAN, RULES_NATURE, 1, RULES_NONE, RULES_NONE);
}

static void set_terrain(struct hacienda *h, int hex, int terrain)
{
    static const uint8_t ground[] = {
        [CARD_MOUNTAIN] = GROUND_MOUNTAIN, [CARD_FOREST] = GROUND_FOREST,
        [CARD_MEADOW] = GROUND_MEADOW,     [CARD_ROCKS] = GROUND_ROCKS,
        [CARD_SWAMP] = GROUND_SWAMP,
    };
    h->open[GROUND_RANDOM]--;
    h->ground[hex] = ground[terrain];
    h->open[ground[terrain]]++;
    h->terrains[terrain]--;
}

void hacienda_nature_apply(struct hacienda *h, const struct rules_move *move,
                           struct rules_events *events)
{
    struct hacienda_need need = hacienda_need(h);

    switch (need.verb) {
    case NATURE_START:
        h->start = h->turn = (uint8_t)move->arg[0];
        tell_all(events, EV_START_PLAYER, h->start, RULES_NONE, RULES_NONE,
                 RULES_NONE);
        break;
    case NATURE_SPARE:
        h->terrains[move->arg[0]]++;
        h->spares--;
        tell_all(events, EV_SPARE_TERRAIN, RULES_NATURE, move->arg[0],
                 RULES_NONE, RULES_NONE);
        break;
    case NATURE_TERRAIN:
        set_terrain(h, need.hex, move->arg[1]);
        tell_all(events, EV_TERRAIN, RULES_NATURE, need.hex, move->arg[1],
                 RULES_NONE);
        break;
    case NATURE_DEAL:
        deal(h, need.seat, move->arg[1], need.stack, events);
        break;
    default:
        draw(h, need.stack, events);
        h->display[need.stack][need.slot] = (uint8_t)move->arg[0];
        tell_all(events, EV_TURNED_UP, RULES_NATURE, move->arg[0], RULES_NONE,
                 RULES_NONE);
    }
    if (h->round == 0 && hacienda_need(h).verb < 0)
        begin(h, events);
}

/* ---- drawing ---------------------------------------------------------- */

/* Counts of what may come, by value: cards or terrains. */
static size_t weights(const struct hacienda *h, struct hacienda_need need,
                      uint16_t *counts)
{
    if (need.verb == NATURE_SPARE || need.verb == NATURE_TERRAIN) {
        for (int t = 0; t < LAND_CARDS - 1; t++) {
            struct rules_move move = RULES_MOVE(NATURE_SPARE, t, RULES_NONE,
                                                RULES_NONE);
            counts[t] = need.verb == NATURE_TERRAIN
                            ? h->terrains[t]
                            : hacienda_nature_check(h, &move) == RULES_OK;
        }
        return LAND_CARDS - 1;
    }
    for (int card = 0; card < CARDS; card++)
        counts[card] = (int)card_stack(card) == need.stack
                           ? (uint16_t)in_stack(h, card)
                           : 0;
    return CARDS;
}

void hacienda_chance(const struct rules_state *s, struct rng *rng,
                     struct rules_move *move)
{
    const struct hacienda *h = table_of(s);
    struct hacienda_need need = hacienda_need(h);
    uint16_t counts[CARDS];

    move->verb = (uint16_t)need.verb;
    if (need.verb == NATURE_START) {
        move->arg[0] = (int16_t)rng_below(rng, s->seats);
        return;
    }
    int16_t drawn = (int16_t)rng_pick(rng, counts, weights(h, need, counts));
    if (need.verb == NATURE_TERRAIN) {
        move->arg[0] = (int16_t)need.hex;
        move->arg[1] = drawn;
    } else if (need.verb == NATURE_DEAL) {
        move->arg[0] = (int16_t)need.seat;
        move->arg[1] = drawn;
    } else {
        move->arg[0] = drawn;
    }
}

/* ---- secrets ---------------------------------------------------------- */

/* rules, What each viewer may see: drawn cards are their owner's secret. */
void hacienda_redact_move(const struct rules_state *s, int seat, int viewer,
                          struct rules_move *move)
{
    (void)s, (void)seat;
    if (move->verb == NATURE_DEAL && move->arg[0] != viewer)
        move->arg[1] = RULES_HIDDEN;
}

/* Draws the hidden cards of everybody but VIEWER from all that they have not
 * seen; what is left is what the stacks hold. */
void hacienda_guess(struct rules_state *s, int viewer, struct rng *rng)
{
    struct hacienda *h = (struct hacienda *)s;
    uint16_t counts[STACKS][CARDS] = {{0}};

    for (int seat = 0; seat < s->seats; seat++)
        if (seat != viewer)
            memset(h->player[seat].unknown, 0, CARDS);
    for (int card = 0; card < CARDS; card++)
        counts[card_stack(card)][card] = (uint16_t)hacienda_unseen(h, card);
    for (int seat = 0; seat < s->seats; seat++) {
        for (int stack = 0; seat != viewer && stack < STACKS; stack++) {
            for (int n = h->player[seat].secrets[stack]; n > 0; n--) {
                size_t card = rng_pick(rng, counts[stack], CARDS);
                counts[stack][card]--;
                h->player[seat].unknown[card]++;
            }
        }
    }
}
