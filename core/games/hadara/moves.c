/* moves.c -- what players' moves change.  That they are legal has been seen to
 * in legal.c; what follows from them is course.c's affair. */

#include "parts.h"

/* ---- cards ------------------------------------------------------------- */

static void leave_game(struct hadara *h, int card)
{
    int e = hadara_card_epoch(card) - 1, at = h->gones[e];

    ASSERT(at < HADARA_GONE_MAX);
    for (; at > 0 && h->gone[e][at - 1] > card; at--)
        h->gone[e][at] = h->gone[e][at - 1];
    h->gone[e][at] = (uint8_t)card;
    h->gones[e]++;
}

static void buy(struct hadara *h, int seat, int card, int16_t tile,
                struct rules_events *out)
{
    int cost = hadara_cost(h, &h->player[seat], card);

    hadara_buy(h, &h->player[seat], card, to_field(tile));
    tell_all(out, EV_BOUGHT, seat, card, cost, tile);
}

/* Phase A: face down. */
static void sell_hidden(struct hadara *h, int seat, int card,
                        struct rules_events *out)
{
    struct hadara_player *p = &h->player[seat];
    int coins = hadara_sale(h, p), e = hadara_card_epoch(card) - 1;

    p->coins += coins;
    p->sold[e][hadara_card_color(card)] = 1;
    p->sold_card[e][hadara_card_color(card)] = (uint8_t)card;
    rules_emit(out, EV_SOLD, seat, RULES_BIT(seat), card, coins, RULES_NONE);
    rules_emit(out, EV_SOLD, seat, RULES_BUT(seat), RULES_HIDDEN, coins,
               RULES_NONE);
}

static void resolve_choice(struct hadara *h, int seat,
                           struct rules_events *out)
{
    struct hadara_player *p = &h->player[seat];
    int card = kept(p, p->discard);
    int color = hadara_card_color(p->discard);

    ASSERT(h->piles[color] < HADARA_SEATS_MAX);
    h->pile[color][h->piles[color]++] = p->discard;
    tell_one(out, EV_DISCARDED, seat, p->discard);
    if (p->keep == KEEP_BUY)
        buy(h, seat, card, (int16_t)to_arg(p->tile), out);
    else
        sell_hidden(h, seat, card, out);
    memset(p->drawn, HADARA_NOTHING, sizeof(p->drawn));
    p->discard = p->keep = p->tile = HADARA_NOTHING;
    p->changes = 0;
}

/* [D6] */
static int choose(struct hadara *h, int seat, const struct rules_move *move,
                  struct rules_events *out)
{
    struct hadara_player *p = &h->player[seat];
    bool last = h->base.acting == RULES_BIT(seat);

    if (last && h->base.viewer != RULES_ALL)
        return RULES_UNSEEN; /* the others' choices */
    p->changes = (uint8_t)(p->changes + has_chosen(h, seat));
    if (sees(h, seat)) {
        p->discard = (uint8_t)move->arg[0];
        p->keep = (uint8_t)move->arg[1];
        p->tile = to_field(move->arg[2]);
    }
    h->base.acting &= RULES_BUT(seat);
    h->base.may &= RULES_BUT(seat);
    if (p->changes < HADARA_CHANGES_MAX)
        h->base.may |= RULES_BIT(seat);
    rules_emit(out, EV_CHOICE, seat, RULES_BIT(seat), move->arg[0],
               move->arg[1], move->arg[2]);
    rules_emit(out, EV_CHOSE, seat, RULES_BUT(seat), RULES_NONE, RULES_NONE,
               RULES_NONE);
    if (!last) {
        out->flags |= RULES_INDEPENDENT;
        return RULES_OK;
    }
    out->flags |= RULES_REVEALED;
    for (int i = 0; i < h->base.seats; i++)
        resolve_choice(h, i, out);
    hadara_turn_wheel(h, out);
    return RULES_OK;
}

/* [D5] */
static int choose_side(struct hadara *h, int seat,
                       const struct rules_move *move, struct rules_events *out)
{
    bool last = h->base.acting == RULES_BIT(seat);

    if (last && h->base.viewer != RULES_ALL)
        return RULES_UNSEEN;
    if (sees(h, seat))
        h->player[seat].side = (uint8_t)move->arg[0];
    h->base.acting &= RULES_BUT(seat);
    rules_emit(out, EV_SIDE_CHOICE, seat, RULES_BIT(seat), move->arg[0],
               RULES_NONE, RULES_NONE);
    rules_emit(out, EV_SIDE_CHOSEN, seat, RULES_BUT(seat), RULES_NONE,
               RULES_NONE, RULES_NONE);
    if (!last) {
        out->flags |= RULES_INDEPENDENT;
        return RULES_OK;
    }
    out->flags |= RULES_REVEALED;
    hadara_begin(h, out);
    return RULES_OK;
}

static void take(struct hadara *h, int seat, const struct rules_move *move,
                 struct rules_events *out)
{
    int color = move->arg[0], card = top_card(h, color);

    h->pile[color][--h->piles[color]] = HADARA_NOTHING;
    tell_one(out, EV_TOOK, seat, card);
    if (move->arg[1] == KEEP_BUY) {
        buy(h, seat, card, move->arg[2], out);
    } else {
        int coins = hadara_sale(h, &h->player[seat]);
        h->player[seat].coins += coins;
        leave_game(h, card);
        tell_all(out, EV_SOLD, seat, card, coins, RULES_NONE);
    }
    hadara_after_take(h, out);
}

/* ---- colonies, statues, feeding, medals ------------------------------- */

static void pay_for_requirement(struct hadara_player *p, int16_t pay)
{
    if (pay == RULES_NONE)
        return;
    p->coins -= pay;
    p->paid = (uint8_t)(p->paid + pay);
}

static void take_colony(struct hadara *h, int seat,
                        const struct rules_move *move,
                        struct rules_events *out)
{
    struct hadara_player *p = &h->player[seat];
    int level = move->arg[0] - 1;
    const struct hadara_level *front = &hadara_tables(h)->level[level];

    pay_for_requirement(p, move->arg[2]);
    p->coins += colony_coins(h, p);
    p->colony[level] = (uint8_t)move->arg[1];
    tell_all(out, EV_COLONY, seat, move->arg[0], move->arg[1], move->arg[2]);
    if (move->arg[1] == MODE_PLUNDER) {
        p->coins += front->plunder;
        if (h->base.revision >= REVISION_PLUNDER_FINAL)
            out->flags |= RULES_FINAL; /* [D20] */
        hadara_after_turn(h, true, out);
    } else {
        p->coins -= front->integrate;
        ASSERT(p->coins >= 0);
        h->turning = (uint8_t)move->arg[0];
        h->base.acting = RULES_BIT(RULES_NATURE);
    }
}

static void carve(struct hadara *h, int seat, const struct rules_move *move,
                  struct rules_events *out)
{
    struct hadara_player *p = &h->player[seat];
    int statue = move->arg[0] - 1;

    pay_for_requirement(p, move->arg[3]);
    p->statue_tile[statue] = (uint8_t)move->arg[1];
    p->statue_face[statue] = (uint8_t)move->arg[2];
    tell_all(out, EV_STATUE, seat, move->arg[0], move->arg[1], move->arg[2]);
    out->at[out->count - 1].arg[3] = move->arg[3];
    hadara_after_turn(h, true, out);
}

static void remove_card(struct hadara *h, int seat, int card,
                        struct rules_events *out)
{
    struct hadara_player *p = &h->player[seat];
    int at = card_place(p, card);

    p->cards--;
    for (int i = at; i < p->cards; i++) {
        p->card[i] = p->card[i + 1];
        p->card_tile[i] = p->card_tile[i + 1];
    }
    p->card[p->cards] = p->card_tile[p->cards] = HADARA_NOTHING;
    leave_game(h, card);
    tell_one(out, EV_REMOVED, seat, card);
    hadara_after_feed(h, seat, out);
}

static void pay_feed(struct hadara *h, int seat, int cards,
                     struct rules_events *out)
{
    struct hadara_player *p = &h->player[seat];
    int price = hadara_feed_price(h, p) * cards;

    p->coins -= price;
    p->fed = (uint8_t)(p->fed + cards);
    tell_all(out, EV_FED, seat, cards, price, RULES_NONE);
    hadara_after_feed(h, seat, out);
}

static void buy_medal(struct hadara *h, int seat,
                      const struct rules_move *move, struct rules_events *out)
{
    struct hadara_player *p = &h->player[seat];
    bool gold = move->verb == BUY_GOLD;
    int price = hadara_medal_price(h, p, gold);

    p->coins -= price;
    p->bought = 1;
    if (gold) {
        p->golds++;
        tell_one(out, EV_GOLD, seat, price);
    } else {
        p->silver[p->silver[0] != HADARA_NOTHING] = (uint8_t)move->arg[0];
        tell_all(out, EV_SILVER, seat, move->arg[0], price, RULES_NONE);
    }
    hadara_after_feed(h, seat, out);
}

static void set_wheel(struct hadara *h, int seat, int offset,
                      struct rules_events *out)
{
    h->offset = (uint8_t)offset;
    tell_one(out, EV_WHEEL_SET, seat, offset);
    hadara_draw_step(h);
}

static void pass(struct hadara *h, int seat, struct rules_events *out)
{
    tell_one(out, EV_PASSED, seat, RULES_NONE);
    hadara_after_turn(h, false, out);
}

int hadara_apply(struct rules_state *s, int seat,
                 const struct rules_move *move, struct rules_events *events)
{
    struct hadara *h = (struct hadara *)s;

    if (seat == RULES_NATURE) {
        hadara_nature_apply(h, move, events);
        return RULES_OK;
    }
    switch (move->verb) {
    case CHOOSE_SIDE: return choose_side(h, seat, move, events);
    case CHOOSE: return choose(h, seat, move, events);
    case SET_WHEEL: set_wheel(h, seat, move->arg[0], events); break;
    case TAKE: take(h, seat, move, events); break;
    case TAKE_COLONY: take_colony(h, seat, move, events); break;
    case CARVE: carve(h, seat, move, events); break;
    case PASS: pass(h, seat, events); break;
    case REMOVE: remove_card(h, seat, move->arg[0], events); break;
    case PAY_FEED: pay_feed(h, seat, move->arg[0], events); break;
    case BUY_SILVER:
    case BUY_GOLD: buy_medal(h, seat, move, events); break;
    default: hadara_done(h, seat, events);
    }
    return RULES_OK;
}
