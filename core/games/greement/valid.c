/* valid.c -- what must hold of every state, and of every view.
 *
 * Bytes that decode field by field may still tell of a table that cannot be:
 * a sixth lake, a crop that is nobody's, a vote in the middle of a turn.  Play
 * rests on this being refused; see rules_decode().  Who is waited for follows
 * from the rest and is worked out again. */

#include "parts.h"

static bool in_event(const struct greement *g)
{
    return g->phase == PHASE_VOTE || g->phase == PHASE_PAY ||
           g->phase == PHASE_DISEASE;
}

/* ---- the grid --------------------------------------------------------- */

static bool square_valid(const struct greement *g, int square)
{
    int kind = g->square[square], owner = g->owner[square];

    if (owner != GREEMENT_NOBODY && owner >= g->base.seats)
        return false;
    if (g->treated[square] &&
        (g->phase != PHASE_DISEASE || kind != SQUARE_CATTLE ||
         owner == GREEMENT_NOBODY || g->player[owner].done))
        return false;
    if (kind == SQUARE_FACE_DOWN || !can_be_owned(kind))
        return owner == GREEMENT_NOBODY;
    /* [G11] */
    return kind == SQUARE_LAND || kind == SQUARE_MINE ||
           owner != GREEMENT_NOBODY;
}

/* Each square is there once, face up or face down. */
static bool squares_valid(const struct greement *g)
{
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (!square_valid(g, square))
            return false;
    for (int ground = 0; ground < GROUNDS; ground++)
        if (greement_face_down(g, ground) < 0)
            return false;
    return true;
}

/* How many starting squares SEAT has by now. */
static int starts(const struct greement *g, int seat)
{
    int n = g->base.seats, first = g->start % n;

    if (g->phase == PHASE_START)
        return 0;
    if (g->phase == PHASE_REVEAL)
        return 1;
    return (seat + n - first) % n < (g->turn + n - first) % n;
}

/* Before all is turned up: a crop for each who has picked, none connected to
 * another's, and nothing else that is anybody's.  Picks find land only to end
 * with it, so land that is up has been turned up with the rest, in order. */
static bool starts_valid(const struct greement *g)
{
    int crops[GREEMENT_SEATS_MAX] = {0};
    bool in_order = g->phase == PHASE_REVEAL;

    for (int square = 0; square < GREEMENT_SQUARES; square++) {
        int kind = g->square[square], owner = g->owner[square];
        if (kind == SQUARE_FACE_DOWN)
            in_order = false;
        if (kind == SQUARE_CATTLE || (kind == SQUARE_LAND && !in_order) ||
            (kind != SQUARE_FACE_DOWN && g->phase == PHASE_START) ||
            (owner != GREEMENT_NOBODY && kind != SQUARE_CROP))
            return false;
        if (owner == GREEMENT_NOBODY)
            continue;
        crops[owner]++;
        if (greement_next_to_start(g, owner, square))
            return false;
    }
    for (int seat = 0; seat < g->base.seats; seat++)
        if (crops[seat] != starts(g, seat))
            return false;
    return true;
}

/* ---- numbers ---------------------------------------------------------- */

/* [G14]; before play the values are those of the start. */
static bool values_valid(const struct greement *g)
{
    for (int value = 0; value < VALUES; value++)
        if (g->phase <= PHASE_REVEAL &&
            g->value[value] != greement_start_values[value])
            return false;
    return g->value[LAKE_MULTIPLIER] <= GREEMENT_TIMES_MAX &&
           g->value[MOUNTAIN_MULTIPLIER] <= GREEMENT_TIMES_MAX;
}

static bool player_valid(const struct greement *g, int seat)
{
    const struct greement_player *p = &g->player[seat];

    if (g->phase <= PHASE_REVEAL && (p->money != 0 || p->debt != 0))
        return false;
    if (p->debt > 0 && !g->loans)
        return false;
    if (p->vote != GREEMENT_NOBODY && g->phase != PHASE_VOTE)
        return false;
    if (p->contribution > 0 && g->phase != PHASE_PAY)
        return false;
    if (p->done && g->phase != PHASE_PAY && g->phase != PHASE_DISEASE)
        return false;
    /* [G20] Who is not done has something to choose. */
    if (g->phase == PHASE_DISEASE && !p->done && !greement_can_treat(g, seat))
        return false;
    return p->acts <= GREEMENT_LIMIT && (p->acts == 0 || in_event(g));
}

/* ---- cards and offers --------------------------------------------------- */

/* Each card is in its deck, waits, or was used in this turn. */
static bool action_cards_valid(const struct greement *g)
{
    bool turn = g->phase == PHASE_TURN;
    int left = 0;

    for (int card = 0; card < CARDS; card++) {
        int away = card == CARD_DECIDE ? g->deciders : 0;
        int most = greement_cards(card) - away;
        bool used = turn && card != CARD_DECIDE;
        if (g->deck[card] > most || (g->deck[card] < most && !used))
            return false;
        left += g->deck[card];
    }
    for (int i = 0; i < g->deciders; i++)
        if (g->decider[i] >= g->base.seats || g->phase <= PHASE_REVEAL)
            return false;
    if (g->drawing && (!turn || left == 0 || g->pending != GREEMENT_NOBODY))
        return false;
    if (g->stolen > (g->pending == CARD_STEAL))
        return false;
    if (g->pending == GREEMENT_NOBODY)
        return true;
    return turn && g->pending != CARD_DECIDE &&
           g->deck[g->pending] < greement_cards(g->pending);
}

static bool offers_valid(const struct greement *g)
{
    int last = 0;

    if (g->offers_made > GREEMENT_LIMIT || g->payments > GREEMENT_LIMIT)
        return false;
    if (g->phase != PHASE_TURN)
        return g->offers == 0 && g->offers_made == 0 && g->payments == 0;
    for (int i = 0; i < g->offers; i++) {
        const struct greement_offer *o = &g->offer[i];
        int owner = o->kind == KIND_SELL ? g->turn : o->with;
        if (o->number <= last || o->number > g->offers_made ||
            o->with >= g->base.seats || o->with == g->turn ||
            g->owner[o->square] != owner)
            return false;
        last = o->number;
    }
    return true;
}

static bool events_valid(const struct greement *g)
{
    for (int i = 0; i < g->events; i++)
        if (greement_events_left(g, g->event[i]) < 0)
            return false;
    if (g->phase == PHASE_EVENTS)
        return g->events < GREEMENT_EVENTS;
    if (!in_event(g))
        return g->events == 0;
    if (g->events == 0)
        return false;
    int event = greement_event_now(g);
    if (g->phase == PHASE_DISEASE)
        return event == EVENT_DISEASE;
    return (g->phase == PHASE_PAY) == (greement_event_price(event) > 0) &&
           (g->phase == PHASE_VOTE || greement_missing(g) > 0);
}

/* [G18] In a vote that one decides there is never a vote to be seen. */
static bool votes_valid(const struct greement *g)
{
    for (int seat = 0; seat < g->base.seats; seat++)
        if (greement_decider(g) != GREEMENT_NOBODY &&
            g->player[seat].vote != GREEMENT_NOBODY)
            return false;
    return true;
}

/* ---- the course of the game ------------------------------------------- */

static bool seats_valid(const struct greement *g)
{
    bool started = g->phase != PHASE_START;
    bool turns = g->phase == PHASE_PICK || g->phase == PHASE_TURN;

    return started == (g->start != GREEMENT_NOBODY) &&
           turns == (g->turn != GREEMENT_NOBODY) &&
           (!started || g->start < g->base.seats) &&
           (!turns || g->turn < g->base.seats);
}

static bool setup_valid(const struct greement *g)
{
    bool up = greement_need_square(g) < 0;

    if (g->phase > PHASE_REVEAL)
        return up && g->picked == GREEMENT_NOBODY;
    if (up || g->round > 0 || !starts_valid(g))
        return false;
    if (g->picked == GREEMENT_NOBODY)
        return true;
    return g->phase == PHASE_PICK &&
           g->square[g->picked] == SQUARE_FACE_DOWN &&
           !greement_next_to_start(g, g->turn, g->picked);
}

/* No more plies than the rounds so far can have had, so that what is still to
 * come fits, too. */
static bool plies_valid(const struct greement *g)
{
    uint32_t rounds = g->phase <= PHASE_REVEAL ? 0
                      : g->phase == PHASE_OVER ? g->round
                                               : g->round + 1u;
    return g->base.ply <= GREEMENT_SETUP_PLIES + rounds * GREEMENT_ROUND_PLIES;
}

static bool course_valid(const struct greement *g)
{
    struct greement same = *g;

    if (g->phase == PHASE_OVER ? g->round != g->turns : g->round >= g->turns)
        return false;
    greement_pass_on(&same);
    if (same.base.acting != g->base.acting || same.base.may != g->base.may)
        return false;
    return g->phase == PHASE_OVER || g->base.acting != 0; /* all are done */
}

bool greement_valid(const struct rules_state *s)
{
    const struct greement *g = table_of(s);

    if (!seats_valid(g) || !squares_valid(g) || !setup_valid(g) ||
        !values_valid(g))
        return false;
    for (int seat = 0; seat < s->seats; seat++)
        if (!player_valid(g, seat))
            return false;
    return action_cards_valid(g) && events_valid(g) && offers_valid(g) &&
           votes_valid(g) && plies_valid(g) && course_valid(g);
}
