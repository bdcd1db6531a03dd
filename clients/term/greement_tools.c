#include "greement_tools.h"

#include "clients/common/lang.h"
#include "protocol/sbuf_printf.h"

/* clang-format off: a table is laid out by hand. */
static const struct tool tools[] = {
    {.verb = PICK,
     .keys = "b",
     .name = N_("pick"),
     .places = 1,
     .in = PICKING,
     .shown = N_("Enter"),
     .text = N_("pick the square under the cursor")},
    {.verb = STEAL,
     .keys = "b",
     .name = N_("steal"),
     .places = 1,
     .in = STEALING,
     .shown = N_("Enter"),
     .text = N_("steal what is under the cursor")},
    {.verb = TREAT,
     .keys = "b",
     .name = N_("treat the cattle"),
     .places = 1,
     .in = DISEASE,
     .shown = N_("Enter"),
     .text = N_("pay 2 for the cattle here")},
    {.verb = BUY_LAND,
     .keys = "b",
     .name = N_("buy"),
     .places = 1,
     .in = TURN,
     .text = N_("buy")},
    {.verb = SEED,
     .keys = "d",
     .name = N_("seed"),
     .places = 1,
     .in = TURN,
     .text = N_("seed %d")},
    {.verb = BUY_CATTLE,
     .keys = "a",
     .name = N_("put cattle"),
     .places = 1,
     .in = TURN,
     .text = N_("cattle %d")},
    {.verb = BUY_ACTION_CARD,
     .keys = "f",
     .in = TURN,
     .text = N_("action card %d")},
    {.verb = OFFER,
     .keys = "o",
     .first = 2,
     .places = 1,
     .aside = true,
     .in = TURN,
     .text = N_("offer")},
    {.verb = WITHDRAW, .keys = "O", .in = OFFERED, .text = N_("withdraw")},
    {.verb = BORROW, .keys = "+", .in = LOANS, .text = N_("borrow")},
    {.verb = REPAY, .keys = "-", .in = LOANS, .text = N_("repay")},
    {.verb = ACCEPT,
     .keys = "y",
     .in = ANSWER,
     .text = N_("accept"),
     .brief = N_("accept")},
    {.verb = DECLINE,
     .keys = "x",
     .in = ANSWER,
     .text = N_("decline"),
     .brief = N_("decline")},
    {.verb = COLLECT,
     .keys = "012345",
     .count = GREEMENT_SEATS_MAX,
     .in = COLLECTING,
     .shown = "0-5",
     .text = N_("collect from that player")},
    {.verb = RAISE,
     .keys = "1234567890-",
     .count = VALUES,
     .in = RAISING,
     .shown = "1-9 0 -",
     .text = N_("raise that value by 2")},
    {.verb = LOWER,
     .keys = "1234567890-",
     .count = VALUES,
     .in = LOWERING,
     .shown = "1-9 0 -",
     .text = N_("lower that value by 2")},
    {.verb = VOTE,
     .keys = "y",
     .count = 1,
     .from = 1,
     .in = VOTING,
     .text = N_("vote to avoid it"),
     .brief = N_("avoid it")},
    {.verb = VOTE,
     .keys = "x",
     .count = 1,
     .from = 0,
     .in = VOTING,
     .text = N_("let it happen"),
     .brief = N_("let it happen")},
    {.verb = CONTRIBUTE,
     .keys = "+",
     .in = PAYING,
     .text = N_("contribute"),
     .brief = N_("contribute")},
    {.verb = PAY,
     .keys = "$",
     .in = TURN | VOTING | PAYING,
     .text = N_("pay somebody")},
    {.verb = END_TURN,
     .keys = "e",
     .in = TURN,
     .text = N_("end turn"),
     .brief = N_("end turn")},
    {.verb = DONE,
     .keys = "e",
     .in = STEALING | PAYING | DISEASE,
     .text = N_("done"),
     .brief = N_("done")},
    TOOLS_END,
};
/* clang-format on */

static int cost(const struct ui *ui, int verb)
{
    const struct greement *g = greement_table(ui);

    return verb == SEED         ? g->value[SEED_PRICE]
           : verb == BUY_CATTLE ? g->value[CATTLE_PRICE]
                                : g->value[ACTION_CARD_PRICE];
}

unsigned greement_moments(const struct ui *ui)
{
    static const uint16_t phases[PHASES] = {
        [PHASE_PICK] = PICKING,
        [PHASE_VOTE] = VOTING,
        [PHASE_PAY] = PAYING,
        [PHASE_DISEASE] = DISEASE,
    };
    static const uint16_t cards[CARDS] = {
        [CARD_RAISE] = RAISING,
        [CARD_LOWER] = LOWERING,
        [CARD_STEAL] = STEALING,
        [CARD_COLLECT] = COLLECTING,
    };
    const struct greement *g = greement_table(ui);
    const struct choices *c = &greement_choices;
    bool mine = g->turn == ui->seat;

    if (!ui_plays(ui))
        return 0;
    if (g->phase != PHASE_TURN)
        return phases[g->phase];
    if (mine && g->pending != GREEMENT_NOBODY)
        return cards[g->pending];
    if (mine)
        return TURN | (g->loans ? LOANS : 0u) | (g->offers > 0 ? OFFERED : 0u);
    return choices_legal(c, ACCEPT) + choices_legal(c, DECLINE) > 0 ? ANSWER
                                                                    : 0;
}

/* What Enter tries where nothing is legal: the reason is of use. */
static int refused(const struct ui *ui)
{
    const struct greement *g = greement_table(ui);
    unsigned now = greement_moments(ui);

    if (now & (PICKING | DISEASE | STEALING))
        return now & PICKING ? PICK : now & DISEASE ? TREAT : STEAL;
    if (!(now & TURN))
        return -1;
    if (g->owner[greement_cells.cursor] != ui->seat)
        return BUY_LAND;
    return g->square[greement_cells.cursor] == SQUARE_CROP ? BUY_CATTLE : SEED;
}

/* The offers that MOVE may answer, or withdraw: those that stand, payable or
 * not; -1 if it is no answer. */
static int standing(const struct ui *ui, const struct rules_move *move,
                    int arg, int *values, int cap)
{
    const struct greement *g = greement_table(ui);
    int n = 0;

    (void)arg; /* they have but one */
    if (move->verb != ACCEPT && move->verb != DECLINE &&
        move->verb != WITHDRAW)
        return -1;
    for (int i = 0; i < g->offers && n < cap; i++)
        if ((move->verb == WITHDRAW ? g->turn : g->offer[i].with) == ui->seat)
            values[n++] = g->offer[i].number;
    return n;
}

/* An offer that is there; the owner of the square, or an amount of one. */
static void guess(const struct ui *ui, struct rules_move *move)
{
    const struct greement *g = greement_table(ui);
    int seat = ui->seat == 0, offer;

    if (standing(ui, move, 0, &offer, 1) > 0) {
        move->arg[0] = (int16_t)offer;
    } else if (move->verb == OFFER) {
        int owner = g->owner[move->arg[2]];
        move->arg[0] = owner == ui->seat ? KIND_SELL : KIND_BUY;
        move->arg[1] = (int16_t)(owner < g->base.seats && owner != ui->seat
                                     ? owner
                                     : seat);
        move->arg[3] = move->arg[4] = 0;
    } else if (move->verb == PAY) {
        move->arg[0] = (int16_t)seat;
        move->arg[1] = 1;
    } else if (move->arg[0] == RULES_NONE &&
               greement_rules.verbs[move->verb].arg[0].name != NULL) {
        move->arg[0] = 1;
    }
}

/* ---- what is asked --------------------------------------------------------- */

static const char *sure(const struct ui *ui, int verb)
{
    if (verb == END_TURN)
        return _("End your turn?");
    if (verb == DONE && greement_table(ui)->phase == PHASE_DISEASE &&
        choices_legal(&greement_choices, TREAT) > 0)
        return _("The other cattle becomes crops?");
    return NULL;
}

static void ask_offer(const struct ui *ui, const struct rules_move *move,
                      int arg, char *buf, size_t cap)
{
    bool sell = move->arg[0] == KIND_SELL;
    int tax = greement_square_tax(greement_table(ui),
                                  sell ? move->arg[1] : ui->seat,
                                  move->arg[2]);

    if (arg == 1)
        (void)snprintf(buf, cap, "%s", _("Sell it to whom?"));
    else if (arg == 3)
        (void)snprintf(buf, cap,
                       sell ? _("Sell %s to %s for how much?")
                            : _("Buy %s from %s for how much?"),
                       greement_square_names[move->arg[2]],
                       ui->table->names[move->arg[1]]);
    else if (tax > 0)
        (void)snprintf(buf, cap,
                       _("The tax of %d: b the buyer pays, s the seller?"),
                       tax);
    else
        buf[0] = '\0'; /* nobody pays */
}

static void question(const struct ui *ui, const struct rules_move *move,
                     int arg, int *max, char *buf, size_t cap)
{
    static const char *const questions[VERBS] = {
        [PAY] = N_("Pay whom?"),
        [BORROW] = N_("Borrow how much?"),
        [REPAY] = N_("Repay how much?"),
        [CONTRIBUTE] = N_("Contribute how much?"),
        [ACCEPT] = N_("Accept which offer?"),
        [DECLINE] = N_("Decline which offer?"),
        [WITHDRAW] = N_("Withdraw which offer?"),
    };
    const struct greement *g = greement_table(ui);

    if (move->verb == OFFER)
        ask_offer(ui, move, arg, buf, cap);
    else if (move->verb == PAY && arg == 1)
        (void)snprintf(buf, cap, _("How much to %s, besides a tax of %d?"),
                       ui->table->names[move->arg[0]],
                       greement_pay_tax(g, ui->seat, move->arg[0]));
    else
        (void)snprintf(buf, cap, "%s", _(questions[move->verb]));
    if (move->verb == CONTRIBUTE && greement_still_missing(g) < *max)
        *max = greement_still_missing(g);
}

/* What a square that is for sale costs, as long as one can buy; or that one
 * could trade it. */
static void more(const struct ui *ui, struct sbuf *s)
{
    const struct greement *g = greement_table(ui);
    int square = greement_cells.cursor, buyer = greement_buyer(ui);
    int price = greement_price(g, buyer, square);
    int tax = greement_square_tax(g, buyer, square);

    if (choices_here(ui, &greement_choices,
                     choices_tool(&greement_choices, OFFER, 0)))
        sbuf_printf(s, "%s%s", s->len > 0 ? "  " : "",
                    g->owner[square] == ui->seat ? _("o: offer to sell it.")
                                                 : _("o: offer to buy it."));
    if (s->len == 0 && price >= 0 && (greement_moments(ui) & TURN) != 0)
        sbuf_printf(s, _("Costs %s %d (%d + tax %d)."),
                    ui->table->names[buyer], price, price - tax, tax);
}

static const struct choices_form form = {
    .tools = tools,
    .cost = cost,
    .moments = greement_moments,
    .more = more,
    .at_once = true,
    .refused = refused,
    .of_moment = "not_now",
    .guess = guess,
    .standing = standing,
    .question = question,
    .sure = sure,
};
struct choices greement_choices = {.form = &form,
                                   .board = &greement_cells,
                                   .tool = NO_TOOL};
