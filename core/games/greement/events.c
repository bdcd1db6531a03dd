/* events.c -- the event phase: votes, contributions, what events do. */

#include "parts.h"

/* ---- what events do to squares ----------------------------------------- */

static void become(struct greement *g, int square, int kind,
                   struct rules_events *out)
{
    g->square[square] = (uint8_t)kind;
    tell(out, EV_BECAME, RULES_NATURE, square, kind, RULES_NONE);
}

/* [G11] What is on a land is lost with its owner. */
static void lose(struct greement *g, int square, struct rules_events *out)
{
    tell_one(out, EV_LOST, g->owner[square], square);
    g->owner[square] = GREEMENT_NOBODY;
    if (ground_is_land(g->square[square]))
        g->square[square] = SQUARE_LAND;
}

/* Makes squares of one kind another: crops unseeded, cattle crops. */
static void become_all(struct greement *g, int from, int to,
                       struct rules_events *out)
{
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->square[square] == from)
            become(g, square, to, out);
}

static void lose_mines(struct greement *g, struct rules_events *out)
{
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->square[square] == SQUARE_MINE &&
            g->owner[square] != GREEMENT_NOBODY)
            lose(g, square, out);
}

/* [G9] Unowned land stays. */
static void lands_to_cattle(struct greement *g, struct rules_events *out)
{
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->owner[square] != GREEMENT_NOBODY &&
            (g->square[square] == SQUARE_LAND ||
             g->square[square] == SQUARE_CROP))
            become(g, square, SQUARE_CATTLE, out);
}

/* [G10], [G20] A square counts once, whatever it touches. */
static bool is_taken(const struct greement *g, int square, int effect)
{
    if (effect == EFFECT_TAKE_MINES)
        return g->square[square] == SQUARE_MINE;
    return greement_next_to(g, square,
                            effect == EFFECT_TAKE_LAKE ? SQUARE_LAKE
                                                       : SQUARE_MOUNTAIN);
}

static void appropriate(struct greement *g,
                        const struct greement_event_card *card,
                        struct rules_events *out)
{
    int32_t due[GREEMENT_SEATS_MAX] = {0};

    for (int square = 0; square < GREEMENT_SQUARES; square++) {
        int owner = g->owner[square];
        if (owner == GREEMENT_NOBODY || !is_taken(g, square, card->effect))
            continue;
        due[owner] += card->pays;
        lose(g, square, out);
    }
    for (int seat = 0; seat < g->base.seats; seat++)
        if (due[seat] > 0)
            tell_one(out, EV_COMPENSATED, seat,
                     greement_earn(g, seat, due[seat]));
}

/* ---- the disease ------------------------------------------------------- */

/* [G20] SEAT has chosen: what it has not paid for becomes crops. */
static void finish_treating(struct greement *g, int seat,
                            struct rules_events *out)
{
    g->player[seat].done = 1;
    for (int square = 0; square < GREEMENT_SQUARES; square++) {
        if (g->owner[square] != seat)
            continue;
        if (g->square[square] == SQUARE_CATTLE && !g->treated[square])
            become(g, square, SQUARE_CROP, out);
        g->treated[square] = 0;
    }
}

static bool all_done(const struct greement *g)
{
    for (int seat = 0; seat < g->base.seats; seat++)
        if (!g->player[seat].done)
            return false;
    return true;
}

/* Who has nothing to choose is done at once. */
static void begin_disease(struct greement *g, struct rules_events *out)
{
    g->phase = PHASE_DISEASE;
    for (int seat = 0; seat < g->base.seats; seat++) {
        g->player[seat].done = 0;
        if (!greement_can_treat(g, seat))
            finish_treating(g, seat, out);
        else
            rules_ask(&g->base, seat);
    }
}

/* ---- one event --------------------------------------------------------- */

void greement_begin_events(struct greement *g)
{
    g->phase = PHASE_EVENTS;
    g->turn = GREEMENT_NOBODY;
}

static void clear_players(struct greement *g)
{
    for (int seat = 0; seat < g->base.seats; seat++) {
        struct greement_player *p = &g->player[seat];
        p->vote = GREEMENT_NOBODY;
        p->done = p->contribution = p->acts = 0;
    }
}

void greement_turn_up(struct greement *g, int event, struct rules_events *out)
{
    g->event[g->events++] = (uint8_t)event;
    g->phase = greement_event_price(event) > 0 ? PHASE_PAY : PHASE_VOTE;
    tell_one(out, EV_EVENT, RULES_NATURE, event);
}

/* The event is over, and with the third one the round. */
static void end_event(struct greement *g, struct rules_events *out)
{
    clear_players(g);
    g->phase = PHASE_EVENTS;
    if (g->events < GREEMENT_EVENTS)
        return;
    g->events = 0;
    memset(g->event, GREEMENT_NOBODY, sizeof(g->event));
    g->round++;
    tell_one(out, EV_ROUND_ENDED, RULES_NATURE, g->round);
    if (g->round < g->turns) { /* [G5] */
        greement_begin_turn(g, g->start, out);
        return;
    }
    g->phase = PHASE_OVER;
    tell_one(out, EV_ENDED, RULES_NATURE, RULES_NONE);
}

static void trigger(struct greement *g, struct rules_events *out)
{
    int event = greement_event_now(g);
    const struct greement_event_card *card = &greement_event_deck[event];

    tell_one(out, EV_TRIGGERED, RULES_NATURE, event);
    for (size_t i = 0; i < COUNT_OF(card->change); i++)
        if (card->change[i].by != 0)
            greement_change(g, card->change[i].value, card->change[i].by, out);
    switch (card->effect) {
    case EFFECT_MINES_LOST: lose_mines(g, out); break;
    case EFFECT_CROPS_LOST:
        become_all(g, SQUARE_CROP, SQUARE_LAND, out);
        break;
    case EFFECT_CATTLE_TO_CROPS:
        become_all(g, SQUARE_CATTLE, SQUARE_CROP, out);
        break;
    case EFFECT_LANDS_TO_CATTLE:
        lose_mines(g, out);
        lands_to_cattle(g, out);
        break;
    case EFFECT_DISEASE: begin_disease(g, out); break;
    case EFFECT_TAKE_LAKE:
    case EFFECT_TAKE_MOUNTAIN:
    case EFFECT_TAKE_MINES: appropriate(g, card, out); break;
    default: break;
    }
    if (card->effect != EFFECT_DISEASE || all_done(g))
        end_event(g, out);
}

static void avoid(struct greement *g, struct rules_events *out)
{
    tell_one(out, EV_AVOIDED, RULES_NATURE, greement_event_now(g));
    end_event(g, out);
}

/* ---- votes ------------------------------------------------------------- */

/* [G18] The oldest waiting card is used up and returns to the deck. */
static void use_decider(struct greement *g)
{
    g->deciders--;
    for (int i = 0; i < g->deciders; i++)
        g->decider[i] = g->decider[i + 1];
    g->decider[g->deciders] = GREEMENT_NOBODY;
    g->deck[CARD_DECIDE]++;
}

static void vote(struct greement *g, int seat, int choice,
                 struct rules_events *out)
{
    struct greement_player *p = &g->player[seat];
    bool decided = greement_decider(g) != GREEMENT_NOBODY;
    int votes = 0, against = 0;

    if (p->vote != GREEMENT_NOBODY)
        p->acts++; /* [G17] */
    p->vote = (uint8_t)choice;
    tell_one(out, EV_VOTED, seat, choice);
    for (int voter = 0; voter < g->base.seats; voter++) {
        votes += g->player[voter].vote != GREEMENT_NOBODY;
        against += g->player[voter].vote == 1;
    }
    if (decided)
        use_decider(g);
    else if (votes < g->base.seats)
        return;
    if (decided ? choice == 1 : 2 * against > g->base.seats)
        avoid(g, out);
    else
        trigger(g, out);
}

/* ---- contributions ------------------------------------------------------ */

static void contribute(struct greement *g, int seat, int amount,
                       struct rules_events *out)
{
    int missing = greement_missing(g);

    if (amount > missing)
        amount = missing;
    greement_spend(g, seat, amount);
    g->player[seat].contribution += (uint8_t)amount;
    tell_one(out, EV_CONTRIBUTED, seat, amount);
    if (amount == missing)
        avoid(g, out);
}

/* [G8] Nobody contributes any more. */
static void give_back(struct greement *g, struct rules_events *out)
{
    for (int seat = 0; seat < g->base.seats; seat++) {
        struct greement_player *p = &g->player[seat];
        if (p->contribution == 0)
            continue;
        greement_earn(g, seat, p->contribution);
        tell_one(out, EV_GIVEN_BACK, seat, p->contribution);
        p->contribution = 0;
    }
}

static void done(struct greement *g, int seat, struct rules_events *out)
{
    tell_one(out, EV_DONE, seat, RULES_NONE);
    if (g->phase == PHASE_DISEASE) {
        finish_treating(g, seat, out);
        if (all_done(g))
            end_event(g, out);
        return;
    }
    g->player[seat].done = 1;
    if (!all_done(g))
        return;
    give_back(g, out);
    trigger(g, out);
}

static void treat(struct greement *g, int seat, int square,
                  struct rules_events *out)
{
    greement_spend(g, seat, GREEMENT_DISEASE_COST);
    g->treated[square] = 1;
    tell_one(out, EV_TREATED, seat, square);
    if (!greement_can_treat(g, seat))
        done(g, seat, out);
}

void greement_event_move(struct greement *g, int seat,
                         const struct rules_move *move,
                         struct rules_events *out)
{
    switch (move->verb) {
    case VOTE: vote(g, seat, move->arg[0], out); break;
    case CONTRIBUTE: contribute(g, seat, move->arg[0], out); break;
    case TREAT: treat(g, seat, move->arg[0], out); break;
    default: done(g, seat, out);
    }
}
