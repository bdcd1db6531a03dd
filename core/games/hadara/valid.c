/* valid.c -- what must hold of every state, and of every view.
 *
 * Bytes that decode field by field may still tell of a table that cannot be: a
 * card in two places, a choice that cannot be paid, a colony nobody could have
 * turned.  Play rests on this being refused; see rules_decode(). */

#include "parts.h"

static bool is_nothing(const uint8_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] != HADARA_NOTHING)
            return false;
    return true;
}

/* ---- the wheel -------------------------------------------------------- */

/* Whether the wheel is set: from the first draw of an epoch on. */
static bool wheel_set(const struct hadara *h)
{
    return h->epoch > 0 && h->stage != STAGE_WHEEL;
}

static bool ring_valid(const struct hadara *h)
{
    unsigned met = 0;

    if ((h->offset != HADARA_NOTHING) != wheel_set(h))
        return false;
    if (h->stage == STAGE_RING)
        return is_nothing(h->ring, HADARA_STEPS);
    for (int i = 0; i < HADARA_STEPS; i++)
        if (h->ring[i] < HUES)
            met |= 1u << h->ring[i];
    return met == (1u << HUES) - 1;
}

/* ---- cards ------------------------------------------------------------ */

/* Where the cards of each epoch and colour are, and which are met. */
struct census {
    bool met[HADARA_CARDS];
    int count[HADARA_EPOCHS][HUES];
};

/* Puts CARD into the census; false if it is there already, or cannot be in
 * this game yet, or is not one of EPOCH and COLOR (0 and -1: of any). */
static bool meet(const struct hadara *h, struct census *c, int card, int epoch,
                 int color)
{
    if (card >= HADARA_CARDS || c->met[card] ||
        hadara_card_epoch(card) > h->epoch ||
        (epoch > 0 && hadara_card_epoch(card) != epoch) ||
        (color >= 0 && hadara_card_color(card) != color) ||
        (!h->advanced && hadara_effect_starred(card_of(h, card)->effect)))
        return false;
    c->met[card] = true;
    c->count[hadara_card_epoch(card) - 1][hadara_card_color(card)]++;
    return true;
}

/* Steps of phase A in EPOCH (from 1) that are resolved. */
static int steps_done(const struct hadara *h, int epoch)
{
    if (epoch < h->epoch)
        return HADARA_STEPS;
    return epoch == h->epoch ? h->step : 0;
}

/* Whether SEAT has kept a card of COLOR in EPOCH's phase A. */
static bool has_kept(const struct hadara *h, int seat, int epoch, int color)
{
    if (epoch < h->epoch)
        return true;
    for (int step = 0; step < steps_done(h, epoch); step++)
        if (hadara_segment(h, seat, step) == color)
            return true;
    return false;
}

/* Cards that SEAT has taken in this phase B. */
static int taken(const struct hadara *h, int seat)
{
    int first = hadara_first(h, h->epoch), seats = h->base.seats;
    int place = (seat - first + seats) % seats;
    return (h->takes + seats - 1 - place) / seats;
}

/* What SEAT sold in phase A, which only it knows. */
static bool sold_valid(const struct hadara *h, struct census *c, int seat)
{
    const struct hadara_player *p = &h->player[seat];

    for (int e = 0; e < HADARA_EPOCHS; e++) {
        for (int color = 0; color < HUES; color++) {
            int card = p->sold_card[e][color];
            bool sold = p->sold[e][color] == 1;
            if (sold && !has_kept(h, seat, e + 1, color))
                return false;
            if ((card != HADARA_NOTHING) != (sold && sees(h, seat)))
                return false;
            if (card != HADARA_NOTHING) {
                if (!meet(h, c, card, e + 1, color))
                    return false;
            } else {
                c->count[e][color] += sold;
            }
        }
    }
    return true;
}

/* The cards that SEAT owns: of no epoch more than it can have bought, so that
 * they never outgrow their place. */
static bool owned_valid(const struct hadara *h, struct census *c, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    int of_epoch[HADARA_EPOCHS] = {0};

    for (int i = 0; i < p->cards; i++) {
        int card = p->card[i];
        if (!meet(h, c, card, 0, -1))
            return false;
        of_epoch[hadara_card_epoch(card) - 1]++;
        if (p->card_tile[i] != HADARA_NOTHING &&
            card_of(h, card)->effect != EFFECT_BONUS_TILE)
            return false;
    }
    for (int e = 0; e < HADARA_EPOCHS; e++) {
        int most = steps_done(h, e + 1);
        for (int color = 0; color < HUES; color++)
            most -= p->sold[e][color];
        if (e + 1 < h->epoch)
            most += HADARA_TAKES;
        else if (e + 1 == h->epoch)
            most += taken(h, seat);
        if (of_epoch[e] > most)
            return false;
    }
    return true;
}

/* The cards that SEAT has drawn and its choice, which only it knows. */
static bool hand_valid(const struct hadara *h, struct census *c, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    bool chosen = has_chosen(h, seat);

    if (p->changes > 0 && !chosen)
        return false;
    if (holds(h, seat) && !sees(h, seat))
        c->count[h->epoch - 1][hadara_segment(h, seat, h->step)] += 2;
    if (!holds(h, seat) || !sees(h, seat))
        return is_nothing(p->drawn, 2) && p->discard == HADARA_NOTHING &&
               p->keep == HADARA_NOTHING && p->tile == HADARA_NOTHING;
    for (int i = 0; i < 2; i++)
        if (!meet(h, c, p->drawn[i], h->epoch,
                  hadara_segment(h, seat, h->step)))
            return false;
    if (!chosen)
        return p->discard == HADARA_NOTHING && p->keep == HADARA_NOTHING &&
               p->tile == HADARA_NOTHING;
    if (p->keep > KEEP_SELL ||
        (p->discard != p->drawn[0] && p->discard != p->drawn[1]))
        return false;
    return hadara_check_keep(h, p, kept(p, p->discard), p->keep,
                             to_arg(p->tile)) == RULES_OK;
}

/* In phase A a discard of everybody who has drawn from the deck; in phase B
 * what is left of those. */
static bool piles_valid(const struct hadara *h, struct census *c)
{
    int all = 0;

    for (int color = 0; color < HUES; color++) {
        int discards = 0;
        for (int seat = 0; h->epoch > 0 && seat < h->base.seats; seat++)
            discards += wheel_set(h) && has_kept(h, seat, h->epoch, color);
        if (h->piles[color] > discards ||
            (h->phase == 0 && h->piles[color] != discards))
            return false;
        for (int i = 0; i < h->piles[color]; i++)
            if (!meet(h, c, h->pile[color][i], h->epoch, color))
                return false;
        all += h->piles[color];
    }
    return h->phase == 0 || all + h->takes == HADARA_TAKES * h->base.seats;
}

static bool gone_valid(const struct hadara *h, struct census *c)
{
    for (int e = 0; e < HADARA_EPOCHS; e++)
        for (int i = 0; i < h->gones[e]; i++)
            if (!meet(h, c, h->gone[e][i], e + 1, -1) ||
                (i > 0 && h->gone[e][i] < h->gone[e][i - 1]))
                return false;
    return true;
}

/* Every card that was ever drawn is somewhere, and no other is. */
static bool cards_valid(const struct hadara *h)
{
    struct census c = {0};

    for (int seat = 0; seat < h->base.seats; seat++)
        if (!sold_valid(h, &c, seat) || !owned_valid(h, &c, seat) ||
            !hand_valid(h, &c, seat))
            return false;
    if (!piles_valid(h, &c) || !gone_valid(h, &c))
        return false;
    for (int epoch = 1; epoch <= HADARA_EPOCHS; epoch++) {
        for (int color = 0; color < HUES; color++) {
            int drawn = epoch < h->epoch ? 2 * h->base.seats : 0;
            if (epoch == h->epoch)
                drawn = 2 * h->base.seats - hadara_deck(h, color);
            if (c.count[epoch - 1][color] != drawn)
                return false;
        }
    }
    return true;
}

/* ---- boards ----------------------------------------------------------- */

static bool colonies_valid(const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];

    for (int i = 0; i < HADARA_LEVELS; i++) {
        bool turning = h->turning == i + 1 && h->turn == seat;
        bool turned = p->colony[i] == MODE_INTEGRATE && !turning;
        if (turning && p->colony[i] != MODE_INTEGRATE)
            return false;
        if ((p->copy[i] != HADARA_NOTHING) != turned)
            return false;
        for (int other = 0; turned && other < seat; other++)
            if (h->player[other].copy[i] == p->copy[i])
                return false;
    }
    return true;
}

static bool tiles_valid(const struct hadara_player *p)
{
    for (int i = 0; i < HADARA_STATUES; i++)
        if ((p->statue_tile[i] == HADARA_NOTHING) !=
            (p->statue_face[i] == HADARA_NOTHING))
            return false;
    for (int track = 0; track < TRACKS; track++)
        if (hadara_tiles(p, track) < 0)
            return false;
    return p->silver[0] != HADARA_NOTHING || p->silver[1] == HADARA_NOTHING;
}

static bool has_nothing(const struct hadara_player *p)
{
    return p->coins == 0 && p->golds == 0 &&
           is_nothing(p->colony, HADARA_LEVELS) &&
           is_nothing(p->statue_tile, HADARA_STATUES) &&
           is_nothing(p->silver, HADARA_MEDALS);
}

/* What is counted within a step is counted in that step only. */
static bool counters_valid(const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    bool medals = p->golds > 0 || p->silver[0] != HADARA_NOTHING;
    bool paying = h->stage == STAGE_COLONY || h->stage == STAGE_STATUE;

    if (p->paid % EFFECT_STEP != 0 ||
        (p->paid > 0 &&
         !(paying && hadara_effects(h, p, EFFECT_PAY_REQUIREMENT) > 0)))
        return false;
    if (h->stage != STAGE_FEED)
        return p->fed == 0 && p->bought == 0;
    return !p->bought || (medals && hadara_excess(h, p) <= 0);
}

/* Setup cards are dealt in seat order, each once; [D5] who has a side. */
static bool setup_valid(const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    bool sided = h->epoch > 0;

    for (int other = 0; other < seat; other++)
        if (h->player[other].initiative == p->initiative && p->initiative > 0)
            return false;
    if (p->initiative > 0 && seat > 0 && h->player[seat - 1].initiative == 0)
        return false;
    if (p->initiative > 0 && h->stage == STAGE_RING)
        return false;
    if (p->initiative == 0 && h->stage > STAGE_DEAL)
        return false;
    if (h->stage == STAGE_SIDES)
        sided = sees(h, seat) && !(h->base.acting & RULES_BIT(seat));
    else if (h->stage == STAGE_DEAL)
        sided = p->initiative > 0 && !h->advanced;
    if (!h->advanced && p->side == SIDE_B)
        return false;
    return (p->side != HADARA_NOTHING) == sided;
}

static bool player_valid(const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];

    if (h->epoch == 0 && !has_nothing(p))
        return false;
    return tiles_valid(p) && colonies_valid(h, seat) &&
           counters_valid(h, seat);
}

/* ---- the course of the game ------------------------------------------- */

/* Who may change a choice. */
static uint16_t may_change(const struct hadara *h)
{
    uint16_t may = 0;
    for (int seat = 0; seat < h->base.seats; seat++)
        if (has_chosen(h, seat) &&
            h->player[seat].changes < HADARA_CHANGES_MAX)
            may |= RULES_BIT(seat);
    return may;
}

/* Who acts follows from the stage, but for who of all has not acted yet. */
static bool acting_valid(const struct hadara *h)
{
    const struct rules_state *s = &h->base;
    bool nature = s->acting == RULES_BIT(RULES_NATURE);
    bool players = s->acting != 0 && !nature;

    if (s->may != may_change(h))
        return false;
    switch (h->stage) {
    case STAGE_RING:
    case STAGE_DEAL: return nature;
    case STAGE_SIDES:
    case STAGE_FEED: return players;
    case STAGE_CHOOSE: return h->draws < s->seats ? nature : players;
    case STAGE_OVER: return s->acting == 0;
    default:
        if (h->turning != HADARA_NOTHING)
            return nature;
        return h->turn < s->seats && s->acting == RULES_BIT(h->turn);
    }
}

/* Whose turn it is, where it is anybody's. */
static bool turn_valid(const struct hadara *h)
{
    int seats = h->base.seats;

    switch (h->stage) {
    case STAGE_WHEEL: return h->turn == hadara_first(h, h->epoch);
    case STAGE_TAKE:
        return h->turn == (hadara_first(h, h->epoch) + h->takes) % seats;
    case STAGE_COLONY:
    case STAGE_STATUE: return h->turn < seats;
    default: return h->turn == HADARA_NOTHING;
    }
}

static bool again_valid(const struct hadara *h)
{
    bool turns = h->stage == STAGE_COLONY || h->stage == STAGE_STATUE;

    if (h->turning != HADARA_NOTHING && h->stage != STAGE_COLONY)
        return false;
    return !h->again || (turns && hadara_effects(h, &h->player[h->turn],
                                                 EFFECT_DOUBLE_STEP) > 0);
}

static bool counts_valid(const struct hadara *h)
{
    int all = HADARA_TAKES * h->base.seats;

    if (h->draws > h->base.seats ||
        (h->draws > 0 && h->stage != STAGE_CHOOSE) ||
        (h->stage == STAGE_CHOOSE && h->step == HADARA_STEPS))
        return false;
    switch (h->stage) {
    case STAGE_RING:
    case STAGE_DEAL:
    case STAGE_SIDES:
        return h->epoch == 0 && h->phase == 0 && h->step == 0 && h->takes == 0;
    case STAGE_WHEEL:
        return h->epoch > 0 && h->phase == 0 && h->step == 0 && h->takes == 0;
    case STAGE_CHOOSE: return h->epoch > 0 && h->phase == 0 && h->takes == 0;
    case STAGE_TAKE:
        return h->epoch > 0 && h->phase == 1 && h->step == HADARA_STEPS &&
               h->takes < all;
    case STAGE_COLONY:
    case STAGE_STATUE:
        return h->epoch > 0 && h->step == HADARA_STEPS &&
               h->takes == (h->phase == 1 ? all : 0);
    default:
        return h->epoch > 0 && h->phase == 1 && h->step == HADARA_STEPS &&
               h->takes == all &&
               (h->stage == STAGE_FEED || h->epoch == HADARA_EPOCHS);
    }
}

/* No more plies than the epochs begun can have had; see plies_max. */
static bool plies_valid(const struct hadara *h)
{
    return h->base.ply <=
           HADARA_SETUP_PLIES + (uint32_t)h->epoch * HADARA_EPOCH_PLIES;
}

/* The order matters: what comes later reads what was judged before. */
bool hadara_valid(const struct rules_state *s)
{
    const struct hadara *h = table_of(s);

    if (h->version == 0 && !hadara_tables_valid(&h->own))
        return false;
    if (h->stage == STAGE_SIDES && !h->advanced)
        return false;
    if (!counts_valid(h) || !ring_valid(h))
        return false;
    for (int seat = 0; seat < s->seats; seat++)
        if (!setup_valid(h, seat))
            return false;
    if (!turn_valid(h) || !cards_valid(h))
        return false;
    for (int seat = 0; seat < s->seats; seat++)
        if (!player_valid(h, seat))
            return false;
    return again_valid(h) && acting_valid(h) && plies_valid(h);
}
