/* chance.c -- what nature does: the first seat, squares, cards, events.
 *
 * Everything is drawn at the moment it is turned up, from the multiset of what
 * has not been seen: a picked square when it is picked, the others one by one
 * when all are turned up, an action card when it is bought, an event card when
 * its turn has come.  That is as good as having shuffled beforehand, and there
 * is no order that could leak. */

#include "parts.h"

/* ---- what is needed, and what there is --------------------------------- */

int greement_need_square(const struct greement *g)
{
    if (g->picked != GREEMENT_NOBODY)
        return g->picked;
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->square[square] == SQUARE_FACE_DOWN)
            return square;
    return -1;
}

int greement_need(const struct greement *g)
{
    switch (g->phase) {
    case PHASE_START: return NATURE_START;
    case PHASE_PICK: return g->picked == GREEMENT_NOBODY ? -1 : NATURE_SQUARE;
    case PHASE_REVEAL: return NATURE_SQUARE;
    case PHASE_TURN: return g->drawing ? NATURE_CARD : -1;
    case PHASE_EVENTS: return NATURE_EVENT;
    default: return -1;
    }
}

static bool is_ground(int square, int ground)
{
    switch (ground) {
    case GROUND_LAND: return ground_is_land(square);
    case GROUND_MINE: return square == SQUARE_MINE;
    case GROUND_LAKE: return square == SQUARE_LAKE;
    default: return square == SQUARE_MOUNTAIN;
    }
}

int greement_face_down(const struct greement *g, int ground)
{
    int n = greement_grounds(ground);
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        n -= is_ground(g->square[square], ground);
    return n;
}

int greement_events_left(const struct greement *g, int event)
{
    int n = greement_event_cards(event);
    for (int i = 0; i < g->events; i++)
        n -= g->event[i] == event;
    return n;
}

/* Counts of what VERB may draw, by value; how many values there are. */
static size_t weights(const struct greement *g, int verb, uint16_t *counts)
{
    int n = verb == NATURE_SQUARE ? (int)GROUNDS
            : verb == NATURE_CARD ? (int)CARDS
                                  : (int)EVENTS;

    for (int i = 0; i < n; i++)
        counts[i] = (uint16_t)(verb == NATURE_SQUARE ? greement_face_down(g, i)
                               : verb == NATURE_CARD
                                   ? g->deck[i]
                                   : greement_events_left(g, i));
    return (size_t)n;
}

/* ---- judging and drawing ------------------------------------------------ */

static struct rules_move draw_of(const struct greement *g, int verb, int what)
{
    if (verb == NATURE_SQUARE)
        return RULES_MOVE(verb, greement_need_square(g), what, RULES_NONE);
    return RULES_MOVE(verb, what, RULES_NONE, RULES_NONE);
}

int greement_nature_check(const struct greement *g,
                          const struct rules_move *move)
{
    if (move->verb != greement_need(g))
        return NOT_NATURES;
    switch (move->verb) {
    case NATURE_START: return RULES_OK;
    case NATURE_SQUARE:
        return move->arg[0] == greement_need_square(g) &&
                       greement_face_down(g, move->arg[1]) > 0
                   ? RULES_OK
                   : NOT_NATURES;
    case NATURE_CARD:
        return g->deck[move->arg[0]] > 0 ? RULES_OK : NOT_NATURES;
    default:
        return greement_events_left(g, move->arg[0]) > 0 ? RULES_OK
                                                         : NOT_NATURES;
    }
}

void greement_nature_propose(const struct greement *g, struct rules_list *list)
{
    int verb = greement_need(g);
    int most = verb == NATURE_START    ? g->base.seats
               : verb == NATURE_SQUARE ? (int)GROUNDS
               : verb == NATURE_CARD   ? (int)CARDS
                                       : (int)EVENTS;

    for (int what = 0; verb >= 0 && what < most; what++) {
        struct rules_move move = draw_of(g, verb, what);
        rules_offer(list, &move);
    }
}

void greement_chance(const struct rules_state *s, struct rng *rng,
                     struct rules_move *move)
{
    const struct greement *g = table_of(s);
    int verb = greement_need(g);
    uint16_t counts[EVENTS];

    if (verb == NATURE_START)
        *move = draw_of(g, verb, (int)rng_below(rng, s->seats));
    else
        *move = draw_of(g, verb,
                        (int)rng_pick(rng, counts, weights(g, verb, counts)));
}

/* ---- playing ------------------------------------------------------------ */

/* rules, Setup 2: the picked land becomes a crop, and the next player picks,
 * or all is turned up. */
static void settle(struct greement *g, int square, struct rules_events *out)
{
    g->square[square] = SQUARE_CROP;
    g->owner[square] = g->turn;
    tell_one(out, EV_SETTLED, g->turn, square);
    g->turn = (uint8_t)((g->turn + 1) % g->base.seats);
    if (g->turn != g->start)
        return;
    g->turn = GREEMENT_NOBODY;
    g->phase = PHASE_REVEAL;
}

static void turn_up_square(struct greement *g, int square, int ground,
                           struct rules_events *out)
{
    static const uint8_t kind[GROUNDS] = {
        [GROUND_LAND] = SQUARE_LAND,
        [GROUND_MINE] = SQUARE_MINE,
        [GROUND_LAKE] = SQUARE_LAKE,
        [GROUND_MOUNTAIN] = SQUARE_MOUNTAIN,
    };

    g->square[square] = kind[ground];
    g->picked = GREEMENT_NOBODY;
    tell(out, EV_TURNED_UP, RULES_NATURE, square, ground, RULES_NONE);
    if (g->phase == PHASE_PICK && ground == GROUND_LAND)
        settle(g, square, out);
    if (g->phase == PHASE_REVEAL && greement_need_square(g) < 0) {
        tell_one(out, EV_ALL_TURNED_UP, RULES_NATURE, RULES_NONE);
        greement_begin_turn(g, g->start, out);
    }
}

static void draw_card(struct greement *g, int card, struct rules_events *out)
{
    g->drawing = 0;
    g->deck[card]--;
    tell_one(out, EV_DREW, g->turn, card);
    if (card == CARD_DECIDE) /* [G18] used at once, and waits */
        g->decider[g->deciders++] = g->turn;
    else
        g->pending = (uint8_t)card;
}

void greement_nature_apply(struct greement *g, const struct rules_move *move,
                           struct rules_events *out)
{
    switch (move->verb) {
    case NATURE_START:
        g->start = g->turn = (uint8_t)move->arg[0];
        g->phase = PHASE_PICK;
        tell_one(out, EV_START_PLAYER, g->start, RULES_NONE);
        break;
    case NATURE_SQUARE:
        turn_up_square(g, move->arg[0], move->arg[1], out);
        break;
    case NATURE_CARD: draw_card(g, move->arg[0], out); break;
    default: greement_turn_up(g, move->arg[0], out);
    }
}
