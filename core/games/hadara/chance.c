/* chance.c -- what nature does: the ring, setup cards, draws, colony backs.
 *
 * Everything is drawn when it is needed, from all that has not been seen; the
 * unused cards and colonies are simply never drawn. */

#include "parts.h"

/* ---- which cards there are -------------------------------------------- */

static void mark(bool *met, const uint8_t *card, int n)
{
    for (int i = 0; i < n; i++)
        if (card[i] != HADARA_NOTHING)
            met[card[i]] = true;
}

/* Every card that lies somewhere, as far as the viewer of H knows. */
static void mark_all(const struct hadara *h, bool met[HADARA_CARDS])
{
    memset(met, 0, HADARA_CARDS * sizeof(met[0]));
    for (int color = 0; color < HUES; color++)
        mark(met, h->pile[color], h->piles[color]);
    for (int e = 0; e < HADARA_EPOCHS; e++)
        mark(met, h->gone[e], h->gones[e]);
    for (int seat = 0; seat < h->base.seats; seat++) {
        const struct hadara_player *p = &h->player[seat];
        mark(met, p->card, p->cards);
        mark(met, p->drawn, 2);
        for (int e = 0; e < HADARA_EPOCHS; e++)
            mark(met, p->sold_card[e], HUES);
    }
}

/* Cards of a kind that may be in its deck: 1 for each, 0 for all others. */
static void deck(const struct hadara *h, int epoch, int color,
                 uint16_t counts[HADARA_CARDS])
{
    bool met[HADARA_CARDS];

    mark_all(h, met);
    for (int card = 0; card < HADARA_CARDS; card++)
        counts[card] = !met[card] && hadara_card_epoch(card) == epoch &&
                       hadara_card_color(card) == color &&
                       (h->advanced ||
                        !hadara_effect_starred(card_of(h, card)->effect));
}

/* What the player who draws next may find. */
static void next_deck(const struct hadara *h, uint16_t counts[HADARA_CARDS])
{
    deck(h, h->epoch, hadara_segment(h, h->draws, h->step), counts);
}

/* ---- other things ----------------------------------------------------- */

/* The seat that is dealt the next setup card. */
static int next_setup(const struct hadara *h)
{
    int seat = 0;
    while (seat < h->base.seats && h->player[seat].initiative > 0)
        seat++;
    return seat;
}

/* Setup cards not dealt, by initiative - 1. */
static void setups_left(const struct hadara *h, uint16_t counts[HADARA_SETUPS])
{
    for (int i = 0; i < HADARA_SETUPS; i++)
        counts[i] = 1;
    for (int seat = 0; seat < h->base.seats; seat++)
        if (h->player[seat].initiative > 0)
            counts[h->player[seat].initiative - 1] = 0;
}

/* Colonies of the level to be turned of which nobody has seen the back. */
static void backs_left(const struct hadara *h, uint16_t counts[HADARA_COPIES])
{
    for (int i = 0; i < HADARA_COPIES; i++)
        counts[i] = 1;
    for (int seat = 0; seat < h->base.seats; seat++)
        if (h->player[seat].copy[h->turning - 1] != HADARA_NOTHING)
            counts[h->player[seat].copy[h->turning - 1] - 1] = 0;
}

static int nature_verb(const struct hadara *h)
{
    switch (h->stage) {
    case STAGE_RING: return NATURE_RING;
    case STAGE_DEAL: return NATURE_SETUP;
    case STAGE_CHOOSE: return NATURE_DRAW;
    default: return NATURE_COLONY;
    }
}

/* ---- judging ---------------------------------------------------------- */

static bool is_ring(const int16_t *color)
{
    unsigned met = 0;
    for (int i = 0; i < HADARA_STEPS; i++)
        met |= 1u << color[i];
    return met == (1u << HUES) - 1;
}

static bool is_draw(const struct hadara *h, const int16_t *arg)
{
    uint16_t counts[HADARA_CARDS];
    bool hidden = arg[1] == RULES_HIDDEN || arg[2] == RULES_HIDDEN;

    if (arg[0] != h->draws)
        return false;
    if (hidden) /* as it was told to others: both or none */
        return arg[1] == arg[2];
    next_deck(h, counts);
    return arg[1] != arg[2] && counts[arg[1]] > 0 && counts[arg[2]] > 0;
}

static bool is_natures(const struct hadara *h, const struct rules_move *move)
{
    const int16_t *arg = move->arg;
    uint16_t counts[HUES];

    if (move->verb != nature_verb(h))
        return false;
    switch (move->verb) {
    case NATURE_RING: return is_ring(arg);
    case NATURE_DRAW: return is_draw(h, arg);
    case NATURE_SETUP:
        setups_left(h, counts);
        return arg[0] == next_setup(h) && counts[arg[1] - 1] > 0;
    default:
        backs_left(h, counts);
        return arg[0] == h->turning && counts[arg[1] - 1] > 0;
    }
}

_Static_assert(HADARA_SETUPS == HUES && HADARA_COPIES == HUES, "counts");

int hadara_nature_check(const struct hadara *h, const struct rules_move *move)
{
    return is_natures(h, move) ? RULES_OK : NOT_NATURES;
}

/* All ways to join the ring: the digits of a number to the base of five. */
static void propose_rings(struct rules_list *list)
{
    for (int n = 0; n < 3125; n++) {
        struct rules_move move = RULES_MOVE(NATURE_RING, n / 625, n / 125 % 5,
                                            n / 25 % 5);
        move.arg[3] = (int16_t)(n / 5 % 5);
        move.arg[4] = (int16_t)(n % 5);
        if (is_ring(move.arg))
            rules_offer(list, &move);
    }
}

void hadara_nature_propose(const struct hadara *h, struct rules_list *list)
{
    uint16_t counts[HADARA_CARDS];
    int verb = nature_verb(h);

    if (!rules_wants(list, verb))
        return;
    switch (verb) {
    case NATURE_RING: propose_rings(list); break;
    case NATURE_DRAW:
        next_deck(h, counts);
        for (int a = 0; a < HADARA_CARDS; a++)
            for (int b = 0; counts[a] > 0 && b < HADARA_CARDS; b++)
                if (counts[b] > 0 && a != b)
                    rules_offer(list, &RULES_MOVE(verb, h->draws, a, b));
        break;
    default:
        for (int i = 1; i <= HADARA_SETUPS; i++)
            rules_offer(list, &RULES_MOVE(verb,
                                          verb == NATURE_SETUP ? next_setup(h)
                                                               : h->turning,
                                          i, RULES_NONE));
    }
}

/* ---- playing ---------------------------------------------------------- */

static void join_ring(struct hadara *h, const int16_t *color,
                      struct rules_events *out)
{
    for (int i = 0; i < HADARA_STEPS; i++)
        h->ring[i] = (uint8_t)color[i];
    tell_all(out, EV_RING, RULES_NATURE, color[0], color[1], color[2]);
    out->at[out->count - 1].arg[3] = color[3];
    out->at[out->count - 1].arg[4] = color[4];
    h->stage = STAGE_DEAL;
}

/* rules, Setup: side A in the basic game; [D5] else everybody chooses. */
static void deal_setup(struct hadara *h, int seat, int initiative,
                       struct rules_events *out)
{
    h->player[seat].initiative = (uint8_t)initiative;
    if (!h->advanced)
        h->player[seat].side = SIDE_A;
    tell_one(out, EV_SETUP_CARD, seat, initiative);
    if (seat + 1 < h->base.seats)
        return;
    if (h->advanced) {
        h->stage = STAGE_SIDES;
        h->base.acting = everyone(h);
    } else {
        hadara_begin(h, out);
    }
}

static void draw(struct hadara *h, const int16_t *arg,
                 struct rules_events *out)
{
    int seat = arg[0], color = hadara_segment(h, seat, h->step);

    if (sees(h, seat)) {
        h->player[seat].drawn[0] = (uint8_t)arg[1];
        h->player[seat].drawn[1] = (uint8_t)arg[2];
    }
    h->draws++;
    if (h->draws == h->base.seats)
        h->base.acting = everyone(h);
    rules_emit(out, EV_DREW, seat, RULES_BIT(seat), color, arg[1], arg[2]);
    rules_emit(out, EV_DREW, seat, RULES_BUT(seat), color, RULES_HIDDEN,
               RULES_HIDDEN);
}

static void turn_colony(struct hadara *h, const int16_t *arg,
                        struct rules_events *out)
{
    h->player[h->turn].copy[h->turning - 1] = (uint8_t)arg[1];
    h->turning = HADARA_NOTHING;
    tell_all(out, EV_COLONY_TURNED, h->turn, arg[0], arg[1], RULES_NONE);
    hadara_after_turn(h, true, out);
}

void hadara_nature_apply(struct hadara *h, const struct rules_move *move,
                         struct rules_events *out)
{
    switch (move->verb) {
    case NATURE_RING: join_ring(h, move->arg, out); break;
    case NATURE_SETUP: deal_setup(h, move->arg[0], move->arg[1], out); break;
    case NATURE_DRAW: draw(h, move->arg, out); break;
    default: turn_colony(h, move->arg, out);
    }
}

/* ---- drawing ---------------------------------------------------------- */

void hadara_chance(const struct rules_state *s, struct rng *rng,
                   struct rules_move *move)
{
    const struct hadara *h = table_of(s);
    uint8_t ring[HADARA_STEPS] = {0, 1, 2, 3, 4};
    uint16_t counts[HADARA_CARDS];

    move->verb = (uint16_t)nature_verb(h);
    switch (move->verb) {
    case NATURE_RING:
        rng_shuffle(rng, ring, HADARA_STEPS);
        for (int i = 0; i < HADARA_STEPS; i++)
            move->arg[i] = ring[i];
        break;
    case NATURE_SETUP:
        setups_left(h, counts);
        move->arg[0] = (int16_t)next_setup(h);
        move->arg[1] = (int16_t)(rng_pick(rng, counts, HADARA_SETUPS) + 1);
        break;
    case NATURE_DRAW:
        next_deck(h, counts);
        move->arg[0] = h->draws;
        move->arg[1] = (int16_t)rng_pick(rng, counts, HADARA_CARDS);
        counts[move->arg[1]] = 0;
        move->arg[2] = (int16_t)rng_pick(rng, counts, HADARA_CARDS);
        break;
    default:
        backs_left(h, counts);
        move->arg[0] = h->turning;
        move->arg[1] = (int16_t)(rng_pick(rng, counts, HADARA_COPIES) + 1);
    }
}

/* ---- secrets ---------------------------------------------------------- */

/* rules, What each viewer may see: drawn cards are their owner's secret, and
 * choices are until all have chosen. */
void hadara_redact_move(const struct rules_state *s, int seat, int viewer,
                        struct rules_move *move)
{
    (void)s, (void)seat;
    if (move->verb == NATURE_DRAW && move->arg[0] != viewer)
        move->arg[1] = move->arg[2] = RULES_HIDDEN;
    if (move->verb == CHOOSE)
        move->arg[0] = move->arg[1] = move->arg[2] = RULES_HIDDEN;
    if (move->verb == CHOOSE_SIDE)
        move->arg[0] = RULES_HIDDEN;
}

void hadara_redact(struct rules_state *s, int viewer)
{
    struct hadara *h = (struct hadara *)s;

    for (int seat = 0; seat < s->seats; seat++) {
        struct hadara_player *p = &h->player[seat];
        if (seat == viewer)
            continue;
        memset(p->drawn, HADARA_NOTHING, sizeof(p->drawn));
        p->discard = p->keep = p->tile = HADARA_NOTHING;
        memset(p->sold_card, HADARA_NOTHING, sizeof(p->sold_card)); /* [D19] */
        if (h->stage == STAGE_SIDES)
            p->side = HADARA_NOTHING;
    }
}

/* One of the cards of a kind that the viewer has not seen anywhere. */
static uint8_t draw_unseen(const struct hadara *h, int epoch, int color,
                           struct rng *rng)
{
    uint16_t counts[HADARA_CARDS];
    deck(h, epoch, color, counts);
    return (uint8_t)rng_pick(rng, counts, HADARA_CARDS);
}

/* A choice that P could have made of what they have drawn. */
static void guess_choice(const struct hadara *h, struct hadara_player *p,
                         struct rng *rng)
{
    uint8_t ways[2 * 2 * (1 + TRACKS)][3];
    uint32_t n = 0;

    for (int i = 0; i < 2; i++)
        for (int keep = KEEP_BUY; keep <= KEEP_SELL; keep++)
            for (int tile = -1; tile < TRACKS; tile++)
                if (hadara_check_keep(h, p, p->drawn[1 - i], keep,
                                      tile < 0 ? RULES_NONE : tile) ==
                    RULES_OK) {
                    ways[n][0] = p->drawn[i];
                    ways[n][1] = (uint8_t)keep;
                    ways[n++][2] = tile < 0 ? HADARA_NOTHING : (uint8_t)tile;
                }
    const uint8_t *way = ways[rng_below(rng, n)];
    p->discard = way[0];
    p->keep = way[1];
    p->tile = way[2];
}

void hadara_guess(struct rules_state *s, int viewer, struct rng *rng)
{
    struct hadara *h = (struct hadara *)s;

    for (int seat = 0; seat < s->seats; seat++) {
        struct hadara_player *p = &h->player[seat];
        if (seat == viewer)
            continue;
        for (int e = 0; e < HADARA_EPOCHS; e++)
            for (int color = 0; color < HUES; color++)
                if (p->sold[e][color])
                    p->sold_card[e][color] = draw_unseen(h, e + 1, color, rng);
        for (int i = 0; i < 2 && holds(h, seat); i++)
            p->drawn[i] = draw_unseen(h, h->epoch,
                                      hadara_segment(h, seat, h->step), rng);
        if (h->stage == STAGE_SIDES && !(s->acting & RULES_BIT(seat)))
            p->side = (uint8_t)rng_below(rng, SIDES);
        else if (has_chosen(h, seat))
            guess_choice(h, p, rng);
    }
}
