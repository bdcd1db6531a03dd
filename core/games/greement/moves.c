/* moves.c -- which moves players have, and why not.
 *
 * Reasons come in this order: the move belongs to another moment; a card waits
 * to be used; what the rules name for the move, in their order; its limit
 * [G17]; the money. */

#include "parts.h"

#define BIT(verb) (UINT32_C(1) << (verb))

/* What can be done when. */
static const uint32_t verbs_of[PHASES] = {
    [PHASE_PICK] = BIT(PICK),
    [PHASE_TURN] = BIT(BUY_LAND) | BIT(SEED) | BIT(BUY_CATTLE) | BIT(PAY) |
                   BIT(OFFER) | BIT(ACCEPT) | BIT(DECLINE) | BIT(WITHDRAW) |
                   BIT(BUY_ACTION_CARD) | BIT(STEAL) | BIT(RAISE) |
                   BIT(LOWER) | BIT(COLLECT) | BIT(BORROW) | BIT(REPAY) |
                   BIT(DONE) | BIT(END_TURN),
    [PHASE_VOTE] = BIT(PAY) | BIT(VOTE),
    [PHASE_PAY] = BIT(PAY) | BIT(CONTRIBUTE) | BIT(DONE),
    [PHASE_DISEASE] = BIT(TREAT) | BIT(DONE),
};

/* ---- what the state says ---------------------------------------------- */

int greement_event_now(const struct greement *g)
{
    bool one = g->phase == PHASE_VOTE || g->phase == PHASE_PAY ||
               g->phase == PHASE_DISEASE;
    return one ? g->event[g->events - 1] : GREEMENT_NOBODY;
}

int greement_decider(const struct greement *g)
{
    return g->phase == PHASE_VOTE && g->deciders > 0 ? g->decider[0]
                                                     : GREEMENT_NOBODY;
}

bool greement_next_to_start(const struct greement *g, int seat, int square)
{
    int to;
    for (struct greement_walk w = greement_walk(square);
         greement_walk_next(&w, &to);)
        if (g->owner[to] != GREEMENT_NOBODY && g->owner[to] != seat)
            return true;
    return false;
}

const struct greement_offer *greement_offer(const struct greement *g,
                                            int number)
{
    for (int i = 0; i < g->offers; i++)
        if (g->offer[i].number == number)
            return &g->offer[i];
    return NULL;
}

static bool is_untreated(const struct greement *g, int seat, int square)
{
    return g->owner[square] == seat && g->square[square] == SQUARE_CATTLE &&
           !g->treated[square];
}

bool greement_can_treat(const struct greement *g, int seat)
{
    if (g->player[seat].money < GREEMENT_DISEASE_COST)
        return false;
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (is_untreated(g, seat, square))
            return true;
    return false;
}

int greement_missing(const struct greement *g)
{
    int missing = greement_event_price(greement_event_now(g));
    for (int seat = 0; seat < g->base.seats; seat++)
        missing -= g->player[seat].contribution;
    return missing;
}

static bool can_spend(const struct greement *g, int seat, int64_t amount)
{
    return g->player[seat].money >= amount;
}

static int afford(const struct greement *g, int seat, int64_t amount)
{
    return can_spend(g, seat, amount) ? RULES_OK : TOO_EXPENSIVE;
}

/* ---- squares ---------------------------------------------------------- */

static int check_pick(const struct greement *g, int seat, int square)
{
    if (g->square[square] != SQUARE_FACE_DOWN)
        return NOT_FACE_DOWN;
    return greement_next_to_start(g, seat, square) ? NEXT_TO_START : RULES_OK;
}

static int check_buy_land(const struct greement *g, int seat, int square)
{
    if (g->owner[square] != GREEMENT_NOBODY)
        return NOT_FREE;
    if (!can_be_owned(g->square[square]))
        return NOT_OWNABLE;
    /* The tax takes a look at all squares; not for what is too dear as it
     * is. */
    if (!can_spend(g, seat, greement_plain_price(g, square)))
        return TOO_EXPENSIVE;
    return afford(g, seat, greement_price(g, seat, square));
}

static int check_seed(const struct greement *g, int seat, int square)
{
    if (g->owner[square] != seat)
        return NOT_YOURS;
    if (g->square[square] != SQUARE_LAND)
        return NOT_UNSEEDED;
    return afford(g, seat, g->value[SEED_PRICE]);
}

static int check_buy_cattle(const struct greement *g, int seat, int square)
{
    if (g->owner[square] != seat)
        return NOT_YOURS;
    if (g->square[square] != SQUARE_CROP)
        return NOT_A_CROP;
    return afford(g, seat, g->value[CATTLE_PRICE]);
}

static int check_treat(const struct greement *g, int seat, int square)
{
    if (g->owner[square] != seat)
        return NOT_YOURS;
    if (g->square[square] != SQUARE_CATTLE)
        return NOT_CATTLE;
    if (g->treated[square])
        return ALREADY_TREATED;
    return afford(g, seat, GREEMENT_DISEASE_COST);
}

/* ---- money ------------------------------------------------------------ */

static bool payments_used_up(const struct greement *g, int seat)
{
    int n = g->phase == PHASE_TURN ? g->payments : g->player[seat].acts;
    return n >= GREEMENT_LIMIT;
}

static int check_pay(const struct greement *g, int seat, int to, int amount)
{
    if (to == seat)
        return YOURSELF;
    if (payments_used_up(g, seat))
        return TOO_MANY_MOVES;
    return afford(g, seat, amount + greement_pay_tax(g, seat, to));
}

static int check_loan(const struct greement *g, int seat, int verb, int amount)
{
    int32_t debt = g->player[seat].debt;

    if (!g->loans)
        return LOANS_OFF;
    if (verb == BORROW ? debt + amount > GREEMENT_LOAN_MAX : amount > debt)
        return DEBT_LIMIT;
    if (payments_used_up(g, seat))
        return TOO_MANY_MOVES;
    return verb == BORROW ? RULES_OK : afford(g, seat, amount);
}

static int check_contribute(const struct greement *g, int seat, int amount)
{
    int missing = greement_missing(g);
    return afford(g, seat, amount < missing ? amount : missing);
}

/* ---- offers ----------------------------------------------------------- */

static int check_offer(const struct greement *g, int seat,
                       const struct rules_move *move)
{
    int with = move->arg[1], owner = g->owner[move->arg[2]];

    if (move->arg[0] == KIND_SELL && owner != seat)
        return NOT_YOURS;
    if (move->arg[0] == KIND_BUY && owner != with)
        return NOT_THEIRS;
    if (with == seat)
        return YOURSELF;
    if (g->offers == GREEMENT_OFFERS)
        return TOO_MANY_OFFERS;
    return g->offers_made < GREEMENT_LIMIT ? RULES_OK : TOO_MANY_MOVES;
}

/* [G16] First the price changes hands, then the tax is paid. */
static int check_trade(const struct greement *g,
                       const struct greement_offer *o)
{
    int buyer = o->kind == KIND_SELL ? o->with : g->turn;
    int seller = o->kind == KIND_SELL ? g->turn : o->with;
    int tax = greement_square_tax(g, buyer, o->square);

    if (!can_spend(g, buyer, o->price + (o->tax_by == SIDE_BUYER ? tax : 0)))
        return BUYER_CANNOT_PAY;
    if (o->tax_by == SIDE_SELLER && !can_spend(g, seller, tax - o->price))
        return SELLER_CANNOT_PAY;
    return RULES_OK;
}

static int check_answer(const struct greement *g, int seat, int verb,
                        int number)
{
    const struct greement_offer *o = greement_offer(g, number);

    if (o == NULL)
        return NO_SUCH_OFFER;
    if (seat != (verb == WITHDRAW ? g->turn : o->with))
        return NOT_YOUR_OFFER;
    return verb == ACCEPT ? check_trade(g, o) : RULES_OK;
}

/* ---- action cards ------------------------------------------------------ */

static int check_buy_card(const struct greement *g, int seat)
{
    int left = 0;
    for (int card = 0; card < CARDS; card++)
        left += g->deck[card];
    return left == 0 ? DECK_EMPTY
                     : afford(g, seat, g->value[ACTION_CARD_PRICE]);
}

static int check_steal(const struct greement *g, int seat, int square)
{
    if (!can_be_owned(g->square[square]))
        return NOT_OWNABLE;
    return g->owner[square] == seat ? ALREADY_YOURS : RULES_OK;
}

/* The card a move uses, or GREEMENT_NOBODY. */
static int card_of(int verb)
{
    switch (verb) {
    case STEAL:
    case DONE: return CARD_STEAL;
    case RAISE: return CARD_RAISE;
    case LOWER: return CARD_LOWER;
    case COLLECT: return CARD_COLLECT;
    default: return GREEMENT_NOBODY;
    }
}

/* ---- the gate --------------------------------------------------------- */

static int check_own(const struct greement *g, int seat,
                     const struct rules_move *move)
{
    int a = move->arg[0];

    switch (move->verb) {
    case BUY_LAND: return check_buy_land(g, seat, a);
    case SEED: return check_seed(g, seat, a);
    case BUY_CATTLE: return check_buy_cattle(g, seat, a);
    case PAY: return check_pay(g, seat, a, move->arg[1]);
    case OFFER: return check_offer(g, seat, move);
    case WITHDRAW: return check_answer(g, seat, WITHDRAW, a);
    case BUY_ACTION_CARD: return check_buy_card(g, seat);
    case STEAL: return check_steal(g, seat, a);
    case COLLECT: return a == seat ? YOURSELF : RULES_OK;
    case BORROW:
    case REPAY: return check_loan(g, seat, move->verb, a);
    default: return RULES_OK;
    }
}

static int check_turn(const struct greement *g, int seat,
                      const struct rules_move *move)
{
    int card = card_of(move->verb);

    if (move->verb == ACCEPT || move->verb == DECLINE)
        return check_answer(g, seat, move->verb, move->arg[0]);
    if (seat != g->turn)
        return move->verb == WITHDRAW
                   ? check_answer(g, seat, WITHDRAW, move->arg[0])
                   : RULES_NOT_YOUR_TURN;
    if (g->pending != card) /* [G7] */
        return g->pending == GREEMENT_NOBODY ? NOT_NOW : CARD_PENDING;
    return check_own(g, seat, move);
}

static int check_event(const struct greement *g, int seat,
                       const struct rules_move *move)
{
    const struct greement_player *p = &g->player[seat];

    switch (move->verb) {
    case PAY: return check_pay(g, seat, move->arg[0], move->arg[1]);
    case CONTRIBUTE: return check_contribute(g, seat, move->arg[0]);
    case TREAT: return check_treat(g, seat, move->arg[0]);
    case DONE: return p->done ? ALREADY_DONE : RULES_OK;
    default: /* VOTE */
        if (g->deciders > 0 && greement_decider(g) != seat)
            return NOT_THE_DECIDER;
        return p->vote != GREEMENT_NOBODY && payments_used_up(g, seat)
                   ? TOO_MANY_MOVES
                   : RULES_OK;
    }
}

int greement_check(const struct rules_state *s, int seat,
                   const struct rules_move *move)
{
    const struct greement *g = table_of(s);

    if (seat == RULES_NATURE)
        return greement_nature_check(g, move);
    if (!(verbs_of[g->phase] & BIT(move->verb)))
        return NOT_NOW;
    switch (g->phase) {
    case PHASE_PICK: return check_pick(g, seat, move->arg[0]);
    case PHASE_TURN: return check_turn(g, seat, move);
    default: return check_event(g, seat, move);
    }
}

/* ---- which moves there are -------------------------------------------- */

static void offer_verb(struct rules_list *list, int verb)
{
    rules_offer(list, &RULES_MOVE(verb, RULES_NONE, RULES_NONE, RULES_NONE));
}

static void offer_each(struct rules_list *list, int verb, int from, int to)
{
    for (int a = from; rules_wants(list, verb) && a < to; a++)
        rules_offer(list, &RULES_MOVE(verb, a, RULES_NONE, RULES_NONE));
}

static int16_t up_to(int64_t most)
{
    return (int16_t)(most < 0                     ? 0
                     : most > GREEMENT_AMOUNT_MAX ? GREEMENT_AMOUNT_MAX
                                                  : most);
}

static void propose_payments(const struct greement *g, int seat,
                             struct rules_list *list)
{
    int32_t taxes[GREEMENT_SEATS_MAX];

    if (!rules_wants(list, PAY) || payments_used_up(g, seat))
        return;
    greement_pay_taxes(g, seat, taxes);
    for (int to = 0; to < g->base.seats; to++)
        if (to != seat)
            rules_offer_range(list, &RULES_MOVE(PAY, to, 1, RULES_NONE), 1,
                              up_to(g->player[seat].money - taxes[to]));
}

static void propose_offer(struct rules_list *list, int kind, int with,
                          int square)
{
    struct rules_move move = RULES_MOVE(OFFER, kind, with, square);

    move.arg[3] = 0;
    for (int side = SIDE_BUYER; side <= SIDE_SELLER; side++) {
        move.arg[4] = (int16_t)side;
        rules_offer_range(list, &move, 3, GREEMENT_AMOUNT_MAX);
    }
}

static void propose_offers(const struct greement *g, int seat,
                           struct rules_list *list)
{
    if (!rules_wants(list, OFFER))
        return;
    for (int square = 0; square < GREEMENT_SQUARES; square++) {
        int owner = g->owner[square];
        if (owner == GREEMENT_NOBODY)
            continue;
        if (owner != seat)
            propose_offer(list, KIND_BUY, owner, square);
        for (int with = 0; owner == seat && with < g->base.seats; with++)
            propose_offer(list, KIND_SELL, with, square);
    }
}

static void propose_loans(const struct greement *g, int seat,
                          struct rules_list *list)
{
    const struct greement_player *p = &g->player[seat];

    if (!g->loans)
        return;
    rules_offer_range(list, &RULES_MOVE(BORROW, 1, RULES_NONE, RULES_NONE), 0,
                      up_to(GREEMENT_LOAN_MAX - p->debt));
    rules_offer_range(list, &RULES_MOVE(REPAY, 1, RULES_NONE, RULES_NONE), 0,
                      up_to(p->debt < p->money ? p->debt : p->money));
}

static void propose_turn(const struct greement *g, int seat,
                         struct rules_list *list)
{
    if (seat != g->turn) {
        offer_each(list, ACCEPT, 1, g->offers_made + 1);
        offer_each(list, DECLINE, 1, g->offers_made + 1);
        return;
    }
    if (g->pending != GREEMENT_NOBODY) {
        offer_each(list, STEAL, 0, GREEMENT_SQUARES);
        offer_each(list, RAISE, 0, VALUES);
        offer_each(list, LOWER, 0, VALUES);
        offer_each(list, COLLECT, 0, g->base.seats);
        offer_verb(list, DONE);
        return;
    }
    offer_each(list, BUY_LAND, 0, GREEMENT_SQUARES);
    offer_each(list, SEED, 0, GREEMENT_SQUARES);
    offer_each(list, BUY_CATTLE, 0, GREEMENT_SQUARES);
    propose_payments(g, seat, list);
    propose_offers(g, seat, list);
    offer_each(list, WITHDRAW, 1, g->offers_made + 1);
    offer_verb(list, BUY_ACTION_CARD);
    propose_loans(g, seat, list);
    offer_verb(list, END_TURN);
}

static void propose_event(const struct greement *g, int seat,
                          struct rules_list *list)
{
    if (g->phase != PHASE_DISEASE)
        propose_payments(g, seat, list);
    offer_each(list, VOTE, 0, 2);
    if (g->phase == PHASE_PAY) {
        /* More than what is missing is cut to it. */
        int32_t money = g->player[seat].money;
        bool enough = money >= greement_missing(g);
        rules_offer_range(list,
                          &RULES_MOVE(CONTRIBUTE, 1, RULES_NONE, RULES_NONE),
                          0, up_to(enough ? GREEMENT_AMOUNT_MAX : money));
    }
    offer_each(list, TREAT, 0, GREEMENT_SQUARES);
    offer_verb(list, DONE);
}

void greement_propose(const struct rules_state *s, int seat,
                      struct rules_list *list)
{
    const struct greement *g = table_of(s);

    if (seat == RULES_NATURE)
        greement_nature_propose(g, list);
    else if (g->phase == PHASE_PICK)
        offer_each(list, PICK, 0, GREEMENT_SQUARES);
    else if (g->phase == PHASE_TURN)
        propose_turn(g, seat, list);
    else
        propose_event(g, seat, list);
}
