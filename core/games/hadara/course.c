/* course.c -- how the game goes on: epochs, phases, steps.
 *
 *     wheel -> choose (5 times) -> colony -> statue     phase A
 *           -> take (5 each)    -> colony -> statue     phase B
 *           -> feed -> the next epoch, or the end
 *
 * [D10] Who could only pass or be done is not asked; nothing else is ever done
 * in a player's place. */

#include "parts.h"

/* ---- who is first ----------------------------------------------------- */

/* How many have a lower initiative than SEAT. */
static int rank_of(const struct hadara *h, int seat)
{
    int rank = 0;
    for (int other = 0; other < h->base.seats; other++)
        rank += h->player[other].initiative < h->player[seat].initiative;
    return rank;
}

/* rules, Setup: the lowest in epoch I, then the second lowest, then the third
 * lowest; of two, the lowest again. */
int hadara_first(const struct hadara *h, int epoch)
{
    int rank = h->base.seats == 2 ? (epoch - 1) % 2 : epoch - 1;

    for (int seat = 0; seat < h->base.seats; seat++) {
        if (h->player[seat].initiative == 0)
            return HADARA_NOTHING;
    }
    for (int seat = 0; seat < h->base.seats; seat++)
        if (rank_of(h, seat) == rank)
            return seat;
    return HADARA_NOTHING;
}

/* rules, Setup: of four or five, who is never first; of two, who is first only
 * once. */
int hadara_extra(const struct hadara *h, int seat)
{
    int rank = rank_of(h, seat);
    return h->base.seats == 2 ? rank == 1 : rank >= HADARA_EPOCHS;
}

int hadara_segment(const struct hadara *h, int seat, int step)
{
    return h->ring[(seat + h->offset + step) % HADARA_STEPS]; /* [D3] */
}

int hadara_deck(const struct hadara *h, int color)
{
    int cards = 2 * h->base.seats;

    for (int seat = 0; seat < h->base.seats; seat++) {
        int drawn = h->step + (seat < h->draws);
        for (int step = 0; h->offset != HADARA_NOTHING && step < drawn; step++)
            cards -= 2 * (hadara_segment(h, seat, step) == color);
    }
    return cards;
}

/* ---- helpers ---------------------------------------------------------- */

/* Everybody of WHO is waited for, with a new question. */
static void ask(struct hadara *h, uint16_t who)
{
    h->base.acting = who;
    h->base.may = 0;
    for (int seat = 0; seat < h->base.seats; seat++)
        if (who & RULES_BIT(seat))
            rules_ask(&h->base, seat);
}

static void start_epoch(struct hadara *h, struct rules_events *out)
{
    h->epoch++;
    h->stage = STAGE_WHEEL;
    h->phase = 0;
    h->step = h->draws = h->takes = 0;
    h->offset = HADARA_NOTHING;
    h->turn = (uint8_t)hadara_first(h, h->epoch);
    tell_one(out, EV_EPOCH, h->turn, h->epoch);
    ask(h, RULES_BIT(h->turn));
}

void hadara_begin(struct hadara *h, struct rules_events *out)
{
    for (int seat = 0; seat < h->base.seats; seat++) {
        struct hadara_player *p = &h->player[seat];
        const struct hadara_setup *setup =
            &hadara_tables(h)->setup[p->initiative - 1][p->side];
        int extra = hadara_extra(h, seat);
        p->coins = setup->coins + extra;
        if (h->advanced)
            tell_one(out, EV_SIDE, seat, p->side);
        if (extra > 0)
            tell_one(out, EV_EXTRA_COIN, seat, extra);
    }
    start_epoch(h, out);
}

/* ---- colonies and statues --------------------------------------------- */

static void start_feed(struct hadara *h, struct rules_events *out);

static void start_takes(struct hadara *h)
{
    h->phase = 1;
    h->stage = STAGE_TAKE;
    h->takes = 0;
    h->turn = (uint8_t)hadara_first(h, h->epoch);
    ask(h, RULES_BIT(h->turn));
}

static bool can_act(const struct hadara *h)
{
    return h->stage == STAGE_COLONY ? hadara_can_take_colony(h, h->turn)
                                    : hadara_can_carve(h, h->turn);
}

/* To the next player clockwise; false when all have been asked. */
static bool next_player(struct hadara *h)
{
    h->again = 0;
    h->turn = (uint8_t)((h->turn + 1) % h->base.seats);
    return h->turn != hadara_first(h, h->epoch);
}

/* From the player on turn, if MORE are to be asked at all, to the first who
 * can do anything; then to the statues, and to what follows them. */
static void seek(struct hadara *h, bool more, struct rules_events *out)
{
    for (;;) {
        while (more && !can_act(h))
            more = next_player(h);
        if (more) {
            ask(h, RULES_BIT(h->turn));
            return;
        }
        if (h->stage == STAGE_STATUE)
            break;
        h->stage = STAGE_STATUE;
        more = true;
    }
    for (int seat = 0; seat < h->base.seats; seat++)
        h->player[seat].paid = 0; /* [D16] by phase */
    if (h->phase == 0)
        start_takes(h);
    else
        start_feed(h, out);
}

void hadara_after_turn(struct hadara *h, bool acted, struct rules_events *out)
{
    bool twice = hadara_effects(h, &h->player[h->turn], EFFECT_DOUBLE_STEP) >
                 0;

    if (acted && twice && !h->again) { /* [D15] */
        h->again = 1;
        seek(h, true, out);
        return;
    }
    bool more = next_player(h);
    seek(h, more, out);
}

/* rules, Phase A 3: coins equal to the income track, and what
 * income_per_higher_track adds. */
static void pay_income(struct hadara *h, struct rules_events *out)
{
    for (int seat = 0; seat < h->base.seats; seat++) {
        struct hadara_player *p = &h->player[seat];
        int32_t track[TRACKS];
        hadara_tracks(h, p, track);
        int32_t coins = track[TRACK_INCOME];
        int each = EFFECT_HIGHER *
                   hadara_effects(h, p, EFFECT_INCOME_PER_HIGHER_TRACK);
        for (int t = TRACK_INCOME + 1; t < TRACKS; t++)
            coins += track[t] > track[TRACK_INCOME] ? each : 0;
        p->coins += coins;
        tell_one(out, EV_INCOME, seat, amount_of(coins));
    }
}

/* The cards of a phase are dealt with. */
static void end_cards(struct hadara *h, struct rules_events *out)
{
    pay_income(h, out);
    h->stage = STAGE_COLONY;
    h->turn = (uint8_t)hadara_first(h, h->epoch);
    seek(h, true, out);
}

/* ---- cards ------------------------------------------------------------ */

void hadara_draw_step(struct hadara *h)
{
    h->stage = STAGE_CHOOSE;
    h->turn = HADARA_NOTHING;
    h->draws = 0;
    h->base.acting = RULES_BIT(RULES_NATURE);
    h->base.may = 0;
}

void hadara_turn_wheel(struct hadara *h, struct rules_events *out)
{
    h->step++;
    if (h->step < HADARA_STEPS) {
        tell_one(out, EV_WHEEL_TURNED, RULES_NATURE, RULES_NONE);
        hadara_draw_step(h);
    } else {
        h->draws = 0;
        end_cards(h, out);
    }
}

void hadara_after_take(struct hadara *h, struct rules_events *out)
{
    h->takes++;
    if (h->takes == HADARA_TAKES * h->base.seats) {
        end_cards(h, out);
        return;
    }
    h->turn = (uint8_t)((h->turn + 1) % h->base.seats);
    ask(h, RULES_BIT(h->turn));
}

/* ---- feeding, medals, and the end ------------------------------------- */

static void end_game(struct hadara *h, struct rules_events *out)
{
    h->stage = STAGE_OVER;
    h->base.acting = 0;
    h->base.may = 0;
    for (int seat = 0; seat < h->base.seats; seat++) {
        int32_t points[HADARA_PARTS];
        hadara_points(h, &h->player[seat], points);
        for (int part = 0; part < HADARA_PARTS; part++)
            tell_all(out, EV_SCORED, seat, part, amount_of(points[part]),
                     RULES_NONE);
    }
    tell_one(out, EV_ENDED, RULES_NATURE, RULES_NONE);
    out->flags |= RULES_FINAL;
}

static void end_epoch(struct hadara *h, struct rules_events *out)
{
    for (int seat = 0; seat < h->base.seats; seat++)
        h->player[seat].fed = h->player[seat].bought = 0;
    if (h->epoch < HADARA_EPOCHS)
        start_epoch(h, out);
    else
        end_game(h, out);
}

/* Whether SEAT has to feed, or could still buy, or has yet to say that it is
 * done. */
static bool is_needed(const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    return hadara_excess(h, p) > 0 || p->bought > 0 ||
           hadara_can_buy_medal(h, seat);
}

static void start_feed(struct hadara *h, struct rules_events *out)
{
    uint16_t who = 0;

    h->stage = STAGE_FEED;
    h->turn = HADARA_NOTHING;
    for (int seat = 0; seat < h->base.seats; seat++) {
        struct hadara_player *p = &h->player[seat];
        int32_t coins = -hadara_excess(h, p) * EFFECT_SURPLUS;
        if (coins > EFFECT_SURPLUS_MAX)
            coins = EFFECT_SURPLUS_MAX;
        if (coins > 0 && hadara_effects(h, p, EFFECT_FOOD_SURPLUS_COINS) > 0) {
            p->coins += coins;
            tell_one(out, EV_SURPLUS, seat, coins);
        }
        if (is_needed(h, seat))
            who |= RULES_BIT(seat);
    }
    if (who == 0)
        end_epoch(h, out);
    else
        ask(h, who);
}

/* [D9] Nobody here waits for another; rules, Undo: what was done can be taken
 * back until the epoch's last `done`. */
static void finish(struct hadara *h, int seat, struct rules_events *out)
{
    h->base.acting &= RULES_BUT(seat);
    if (h->base.acting != 0) {
        out->flags |= RULES_INDEPENDENT;
        return;
    }
    out->flags |= RULES_FINAL;
    end_epoch(h, out);
}

void hadara_after_feed(struct hadara *h, int seat, struct rules_events *out)
{
    if (is_needed(h, seat))
        out->flags |= RULES_INDEPENDENT;
    else
        finish(h, seat, out);
}

void hadara_done(struct hadara *h, int seat, struct rules_events *out)
{
    tell_one(out, EV_DONE, seat, RULES_NONE);
    finish(h, seat, out);
}
