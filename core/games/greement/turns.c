/* turns.c -- what the moves of the setup and of a turn change. */

#include "parts.h"

/* ---- money and values ------------------------------------------------- */

int32_t greement_earn(struct greement *g, int seat, int64_t amount)
{
    int32_t *money = &g->player[seat].money;
    int32_t room = GREEMENT_MONEY_MAX - *money;
    int32_t got = amount > room ? room : (int32_t)amount; /* [G14] */

    *money += got;
    return got;
}

void greement_spend(struct greement *g, int seat, int64_t amount)
{
    ASSERT(amount >= 0 && g->player[seat].money >= amount);
    g->player[seat].money -= (int32_t)amount;
}

void greement_change(struct greement *g, int value, int by,
                     struct rules_events *out)
{
    int32_t most = value == LAKE_MULTIPLIER || value == MOUNTAIN_MULTIPLIER
                       ? GREEMENT_TIMES_MAX
                       : GREEMENT_VALUE_MAX;
    int32_t to = g->value[value] + by;

    if (to < 1)
        to = 1;
    if (to > most)
        to = most;
    g->value[value] = to; /* told even if it stops where it was */
    tell(out, EV_VALUE, RULES_NATURE, value, to, RULES_NONE);
}

/* ---- offers ----------------------------------------------------------- */

static void drop_offer(struct greement *g, int i)
{
    g->offers--;
    for (; i < g->offers; i++)
        g->offer[i] = g->offer[i + 1];
    g->offer[g->offers] = (struct greement_offer){0};
}

static void drop_number(struct greement *g, int number)
{
    for (int i = 0; i < g->offers; i++)
        if (g->offer[i].number == number) {
            drop_offer(g, i);
            return;
        }
}

/* [G16] A square changes its owner; offers about it lapse. */
static void give_square(struct greement *g, int square, int seat,
                        struct rules_events *out)
{
    g->owner[square] = (uint8_t)seat;
    for (int i = g->offers - 1; i >= 0; i--) {
        if (g->offer[i].square != square)
            continue;
        tell_one(out, EV_LAPSED, g->turn, g->offer[i].number);
        drop_offer(g, i);
    }
}

static void make_offer(struct greement *g, int seat,
                       const struct rules_move *move, struct rules_events *out)
{
    g->offers_made++;
    g->offer[g->offers++] = (struct greement_offer){
        .number = g->offers_made,
        .kind = (uint8_t)move->arg[0],
        .with = (uint8_t)move->arg[1],
        .square = (uint8_t)move->arg[2],
        .price = (uint16_t)move->arg[3],
        .tax_by = (uint8_t)move->arg[4],
    };
    tell(out, EV_OFFERED, seat, g->offers_made, move->arg[0], move->arg[1]);
    struct rules_event *e = &out->at[out->count - 1];
    e->arg[3] = move->arg[2];
    e->arg[4] = move->arg[3];
    e->arg[5] = move->arg[4];
}

static void accept(struct greement *g, int number, struct rules_events *out)
{
    const struct greement_offer o = *greement_offer(g, number);
    int buyer = o.kind == KIND_SELL ? o.with : g->turn;
    int seller = o.kind == KIND_SELL ? g->turn : o.with;
    int tax = greement_square_tax(g, buyer, o.square);

    greement_spend(g, buyer, o.price);
    greement_earn(g, seller, o.price);
    greement_spend(g, o.tax_by == SIDE_BUYER ? buyer : seller, tax);
    tell(out, EV_TRADED, buyer, number, o.square, seller);
    struct rules_event *e = &out->at[out->count - 1];
    e->arg[3] = (int16_t)o.price;
    e->arg[4] = (int16_t)tax;
    e->arg[5] = o.tax_by;
    drop_number(g, number);
    give_square(g, o.square, buyer, out);
}

/* ---- action cards ------------------------------------------------------ */

static void steal(struct greement *g, int seat, int square,
                  struct rules_events *out)
{
    int owner = g->owner[square];

    tell(out, EV_STOLE, seat, square,
         owner == GREEMENT_NOBODY ? RULES_NONE : owner, RULES_NONE);
    give_square(g, square, seat, out);
    g->stolen++;
    if (g->stolen < 2)
        return;
    g->stolen = 0;
    g->pending = GREEMENT_NOBODY;
}

static void collect(struct greement *g, int seat, int from,
                    struct rules_events *out)
{
    int32_t amount = 2 * g->value[DISTANCE_TAX];

    if (amount > g->player[from].money)
        amount = g->player[from].money;
    greement_spend(g, from, amount);
    greement_earn(g, seat, amount);
    tell(out, EV_COLLECTED, seat, from, amount, RULES_NONE);
    g->pending = GREEMENT_NOBODY;
}

/* A move that uses the pending card. */
static void use_card(struct greement *g, int seat,
                     const struct rules_move *move, struct rules_events *out)
{
    switch (move->verb) {
    case STEAL: steal(g, seat, move->arg[0], out); return;
    case COLLECT: collect(g, seat, move->arg[0], out); return;
    case RAISE: greement_change(g, move->arg[0], 2, out); break;
    case LOWER: greement_change(g, move->arg[0], -2, out); break;
    default: tell_one(out, EV_DONE, seat, RULES_NONE);
    }
    g->stolen = 0;
    g->pending = GREEMENT_NOBODY;
}

/* ---- buying, paying, borrowing ----------------------------------------- */

static void buy_land(struct greement *g, int seat, int square,
                     struct rules_events *out)
{
    int price = greement_price(g, seat, square);
    int tax = greement_square_tax(g, seat, square);

    greement_spend(g, seat, price);
    give_square(g, square, seat, out);
    tell(out, EV_BOUGHT, seat, square, price - tax, tax);
}

/* Seeds a square, or puts cattle on it. */
static void develop(struct greement *g, int seat, int verb, int square,
                    struct rules_events *out)
{
    int32_t price = g->value[verb == SEED ? SEED_PRICE : CATTLE_PRICE];

    greement_spend(g, seat, price);
    g->square[square] = verb == SEED ? SQUARE_CROP : SQUARE_CATTLE;
    tell(out, verb == SEED ? EV_SEEDED : EV_BOUGHT_CATTLE, seat, square, price,
         RULES_NONE);
}

static void pay(struct greement *g, int seat, int to, int amount,
                struct rules_events *out)
{
    int tax = greement_pay_tax(g, seat, to);

    greement_spend(g, seat, amount + tax);
    greement_earn(g, to, amount);
    tell(out, EV_PAID, seat, to, amount, tax);
    if (g->phase == PHASE_TURN)
        g->payments++;
    else
        g->player[seat].acts++;
}

static void loan(struct greement *g, int seat, int verb, int amount,
                 struct rules_events *out)
{
    if (verb == BORROW) {
        greement_earn(g, seat, amount);
        g->player[seat].debt += amount;
    } else {
        greement_spend(g, seat, amount);
        g->player[seat].debt -= amount;
    }
    g->payments++;
    tell_one(out, verb == BORROW ? EV_BORROWED : EV_REPAID, seat, amount);
}

/* ---- turns ------------------------------------------------------------ */

void greement_begin_turn(struct greement *g, int seat,
                         struct rules_events *out)
{
    int64_t profit = 0;

    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->owner[square] == seat)
            profit += greement_profit(g, square);
    g->phase = PHASE_TURN;
    g->turn = (uint8_t)seat;
    tell_one(out, EV_TURN_BEGAN, seat, g->round + 1);
    tell_amount(out, EV_PROFIT, seat, greement_earn(g, seat, profit));
    rules_ask(&g->base, seat);
}

static void end_turn(struct greement *g, int seat, struct rules_events *out)
{
    struct greement_player *p = &g->player[seat];
    int next = (seat + 1) % g->base.seats;

    tell_one(out, EV_TURN_ENDED, seat, RULES_NONE);
    for (int i = 0; i < g->offers; i++)
        tell_one(out, EV_LAPSED, seat, g->offer[i].number);
    while (g->offers > 0)
        drop_offer(g, g->offers - 1);
    g->offers_made = g->payments = 0;
    for (int card = 0; card < CARDS; card++)
        g->deck[card] = (uint8_t)greement_cards(card);
    g->deck[CARD_DECIDE] -= g->deciders; /* [G18] */
    if (p->debt > 0) {                   /* [G4] */
        p->debt = p->debt > GREEMENT_MONEY_MAX / 2 ? GREEMENT_MONEY_MAX
                                                   : 2 * p->debt;
        tell_amount(out, EV_DEBT, seat, p->debt);
    }
    if (next == g->start)
        greement_begin_events(g);
    else
        greement_begin_turn(g, next, out);
}

static uint16_t addressed(const struct greement *g)
{
    uint16_t seats = 0;
    for (int i = 0; i < g->offers; i++)
        seats |= RULES_BIT(g->offer[i].with);
    return seats;
}

/* Who is not done yet, or has not voted. */
static uint16_t undecided(const struct greement *g)
{
    uint16_t seats = 0;

    if (greement_decider(g) != GREEMENT_NOBODY)
        return RULES_BIT(greement_decider(g));
    for (int seat = 0; seat < g->base.seats; seat++)
        if (g->phase == PHASE_VOTE ? g->player[seat].vote == GREEMENT_NOBODY
                                   : !g->player[seat].done)
            seats |= RULES_BIT(seat);
    return seats;
}

void greement_pass_on(struct greement *g)
{
    uint16_t players = (uint16_t)(RULES_BIT(g->base.seats) - 1);
    uint16_t acting = 0, may = 0;

    switch (g->phase) {
    case PHASE_PICK: acting = RULES_BIT(g->turn); break;
    case PHASE_TURN:
        acting = RULES_BIT(g->turn);
        may = addressed(g); /* also while a card is drawn: their question
                             * stands */
        break;
    case PHASE_VOTE:
    case PHASE_PAY:
        acting = undecided(g);
        may = players & (uint16_t)~acting;
        break;
    case PHASE_DISEASE: acting = undecided(g); break;
    default: break;
    }
    g->base.acting = greement_need(g) < 0 ? acting : RULES_BIT(RULES_NATURE);
    g->base.may = may;
}

static void turn_move(struct greement *g, int seat,
                      const struct rules_move *move, struct rules_events *out)
{
    int a = move->arg[0];

    switch (move->verb) {
    case BUY_LAND: buy_land(g, seat, a, out); break;
    case SEED:
    case BUY_CATTLE: develop(g, seat, move->verb, a, out); break;
    case PAY: pay(g, seat, a, move->arg[1], out); break;
    case OFFER: make_offer(g, seat, move, out); break;
    case ACCEPT: accept(g, a, out); break;
    case DECLINE:
    case WITHDRAW:
        drop_number(g, a);
        tell_one(out, move->verb == DECLINE ? EV_DECLINED : EV_WITHDREW, seat,
                 a);
        break;
    case BUY_ACTION_CARD:
        greement_spend(g, seat, g->value[ACTION_CARD_PRICE]);
        tell_one(out, EV_BOUGHT_CARD, seat, g->value[ACTION_CARD_PRICE]);
        g->drawing = 1;
        break;
    case BORROW:
    case REPAY: loan(g, seat, move->verb, a, out); break;
    case END_TURN: end_turn(g, seat, out); break;
    default: use_card(g, seat, move, out);
    }
    if (move->verb == END_TURN || move->verb == ACCEPT ||
        move->verb == DECLINE)
        out->flags |= RULES_FINAL;
}

int greement_apply(struct rules_state *s, int seat,
                   const struct rules_move *move, struct rules_events *out)
{
    struct greement *g = (struct greement *)s;

    if (seat == RULES_NATURE) {
        greement_nature_apply(g, move, out);
    } else if (g->phase == PHASE_TURN) {
        turn_move(g, seat, move, out);
    } else {
        /* rules, Undo: only own moves of the turn can be taken back. */
        out->flags |= RULES_FINAL;
        if (move->verb == PICK)
            g->picked = (uint8_t)move->arg[0];
        else if (move->verb == PAY)
            pay(g, seat, move->arg[0], move->arg[1], out);
        else
            greement_event_move(g, seat, move, out);
    }
    greement_pass_on(g);
    return RULES_OK;
}
