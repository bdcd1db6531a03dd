/* greement.c -- how the terminal speaks of Greement and shows it in lines.
 * The full screen is in greement_screen.c. */

#include "core/games/greement/greement.h"

#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "greement_ui.h"
#include "protocol/sbuf_printf.h"

/* ---- words -------------------------------------------------------------- */

const char *greement_value(int value)
{
    static const char *const says[VALUES] = {
        [LAND_PRICE] = N_("land price"),
        [SEED_PRICE] = N_("seed price"),
        [CROP_PROFIT] = N_("crop profit"),
        [MINE_PRICE] = N_("mine price"),
        [MINE_PROFIT] = N_("mine profit"),
        [LAKE_MULTIPLIER] = N_("lake times"),
        [MOUNTAIN_MULTIPLIER] = N_("mount. times"),
        [DISTANCE_TAX] = N_("distance tax"),
        [CATTLE_PRICE] = N_("cattle price"),
        [CATTLE_PROFIT] = N_("cattle profit"),
        [ACTION_CARD_PRICE] = N_("action card"),
    };

    return _(says[value]);
}

const char *greement_card_text(int card)
{
    return layout_word(&greement_rules, "card", card, "");
}

const char *greement_event_text(int event)
{
    return layout_word(&greement_rules, "event", event, "");
}

/* ---- numbers ------------------------------------------------------------ */

int greement_untreated(const struct greement *g, int seat)
{
    int n = 0;
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        n += g->owner[square] == seat && g->square[square] == SQUARE_CATTLE &&
             !g->treated[square];
    return n;
}

int greement_still_missing(const struct greement *g)
{
    int event = greement_event_now(g);
    int missing = event == GREEMENT_NOBODY ? 0 : greement_event_price(event);
    for (int seat = 0; seat < g->base.seats; seat++)
        missing -= g->player[seat].contribution;
    return missing;
}

int greement_cards_left(const struct greement *g)
{
    int left = 0;
    for (int card = 0; card < CARDS; card++)
        left += g->deck[card];
    return left;
}

/* ---- sentences ---------------------------------------------------------- */

static const char *kind_says(int kind)
{
    return kind == SQUARE_FACE_DOWN
               ? _("face down")
               : layout_word(&greement_rules, "state", kind, "");
}

void greement_cell(const struct greement *g, int square, bool unicode,
                   char buf[16])
{
    static const char marks[] = {'.', '"', '&', '$'};
    int kind = g->square[square], owner = g->owner[square];

    if (kind == SQUARE_FACE_DOWN)
        (void)strcpy(buf, unicode ? "░░░" : " ? ");
    else if (kind == SQUARE_LAKE)
        (void)strcpy(buf, unicode ? "≈≈≈" : "~~~");
    else if (kind == SQUARE_MOUNTAIN)
        (void)strcpy(buf, unicode ? "▲▲▲" : "^^^");
    else if (owner == GREEMENT_NOBODY)
        (void)snprintf(buf, 16, " %c ", marks[kind]);
    else
        (void)snprintf(buf, 16, "%d%c%c", owner % 10, marks[kind],
                       g->treated[square] ? '+' : marks[kind]);
}

void greement_say_square(const struct table *table, const struct greement *g,
                         int square, char *buf, size_t cap)
{
    int kind = g->square[square], owner = g->owner[square];
    struct sbuf s = sbuf_in(buf, cap);

    sbuf_puts(&s, kind_says(kind));
    if (kind == SQUARE_FACE_DOWN)
        return;
    if (kind == SQUARE_LAKE || kind == SQUARE_MOUNTAIN) {
        sbuf_printf(&s, _(": profit and value of connected squares times %d"),
                    g->value[kind == SQUARE_LAKE ? LAKE_MULTIPLIER
                                                 : MOUNTAIN_MULTIPLIER]);
        return;
    }
    if (owner != GREEMENT_NOBODY)
        sbuf_printf(&s, _(" of %s"), table->names[owner]);
    else
        sbuf_puts(&s, _(", free"));
    sbuf_printf(&s, _(": earns %lld, is worth %lld"),
                (long long)greement_profit(g, square),
                (long long)greement_worth(g, square));
    if (g->treated[square])
        sbuf_puts(&s, _("; treated"));
}

void greement_say_offer(const struct table *table, const struct greement *g,
                        const struct greement_offer *offer, char *buf,
                        size_t cap)
{
    bool sell = offer->kind == KIND_SELL;
    int buyer = sell ? offer->with : g->turn;

    (void)snprintf(buf, cap,
                   sell ? _("%d: %s sells %s (%s) to %s for %d; tax %d %s")
                        : _("%d: %s buys %s (%s) from %s for %d; tax %d %s"),
                   offer->number, table->names[g->turn],
                   greement_square_names[offer->square],
                   kind_says(g->square[offer->square]),
                   table->names[offer->with], offer->price,
                   greement_square_tax(g, buyer, offer->square),
                   offer->tax_by == SIDE_BUYER ? _("by the buyer")
                                               : _("by the seller"));
}

static void say_votes(const struct table *table, const struct greement *g,
                      struct sbuf *s)
{
    int decider = greement_decider(g);

    if (decider != GREEMENT_NOBODY) {
        sbuf_printf(s, _("%s alone decides (an action card)."),
                    table->names[decider]);
        return;
    }
    sbuf_printf(s, _("Votes to avoid it, %d needed:"), g->base.seats / 2 + 1);
    for (int seat = 0; seat < g->base.seats; seat++) {
        int vote = g->player[seat].vote;
        sbuf_printf(s, "%s %s %s", seat > 0 ? "," : "", table->names[seat],
                    vote == GREEMENT_NOBODY ? "-"
                    : vote                  ? _("yes")
                                            : _("no"));
    }
    sbuf_puts(s, ".");
}

static void say_contributions(const struct table *table,
                              const struct greement *g, struct sbuf *s)
{
    int missing = greement_still_missing(g);
    int price = greement_event_price(greement_event_now(g));

    sbuf_printf(s, _("To avoid it costs %d, paid %d, missing %d:"), price,
                price - missing, missing);
    for (int seat = 0; seat < g->base.seats; seat++)
        sbuf_printf(s, "%s %s %d%s", seat > 0 ? "," : "", table->names[seat],
                    g->player[seat].contribution,
                    g->player[seat].done ? _(" (done)") : "");
    sbuf_puts(s, ".");
}

static void say_disease(const struct table *table, const struct greement *g,
                        struct sbuf *s)
{
    sbuf_printf(s, _("Cattle not paid for (%d each):"), GREEMENT_DISEASE_COST);
    for (int seat = 0; seat < g->base.seats; seat++) {
        if (g->player[seat].done)
            sbuf_printf(s, _("%s %s done"), seat > 0 ? "," : "",
                        table->names[seat]);
        else
            sbuf_printf(s, "%s %s %d", seat > 0 ? "," : "", table->names[seat],
                        greement_untreated(g, seat));
    }
    sbuf_puts(s, ".");
}

void greement_say_event(const struct table *table, const struct greement *g,
                        char *buf, size_t cap)
{
    struct sbuf s = sbuf_in(buf, cap);

    if (g->phase == PHASE_VOTE)
        say_votes(table, g, &s);
    else if (g->phase == PHASE_PAY)
        say_contributions(table, g, &s);
    else if (g->phase == PHASE_DISEASE)
        say_disease(table, g, &s);
}

/* ---- in lines ----------------------------------------------------------- */

static void print_values(FILE *to, const struct greement *g)
{
    (void)fputs(_("Values:"), to);
    for (int value = 0; value < VALUES; value++)
        (void)fprintf(to, "%s %s %d", value > 0 ? "," : "",
                      greement_value(value), g->value[value]);
    (void)fputs(".\n", to);
}

static void print_board(FILE *to, const struct table *table,
                        const struct rules_state *view)
{
    const struct greement *g = greement_of(view);
    char cell[16];

    (void)fputs("  ", to);
    for (int x = 0; x < GREEMENT_SIDE; x++)
        (void)fprintf(to, "   %c", 'a' + x);
    (void)fputc('\n', to);
    for (int y = 0; y < GREEMENT_SIDE; y++) {
        (void)fprintf(to, "%2d ", y + 1);
        for (int x = 0; x < GREEMENT_SIDE; x++) {
            greement_cell(g, y * GREEMENT_SIDE + x, false, cell);
            (void)fprintf(to, " %s", cell);
        }
        (void)fputc('\n', to);
    }
    (void)
        fputs(_("  ? face down, . land, \" crop, & cattle (+ treated), $ gold "
                "mine, ~ lake, ^ mountain;\n  the number is its owner:"),
              to);
    for (int seat = 0; seat < view->seats; seat++)
        (void)fprintf(to, "%s %d %s", seat > 0 ? "," : "", seat,
                      table->names[seat]);
    (void)fputs(".\n", to);
    print_values(to, g);
}

static void print_squares(FILE *to, const struct greement *g, int seat)
{
    int n = 0;
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->owner[square] == seat)
            (void)fprintf(to, _("%s%s %s (earns %lld, worth %lld)"),
                          n++ > 0 ? ", " : "", greement_square_names[square],
                          kind_says(g->square[square]),
                          (long long)greement_profit(g, square),
                          (long long)greement_worth(g, square));
    (void)fputs(n == 0 ? _("none.\n") : ".\n", to);
}

/* What SEAT could buy now and for how much. */
static void print_prices(FILE *to, const struct greement *g, int seat)
{
    int n = 0;

    (void)fputs(_("For sale within your means, tax included: "), to);
    for (int square = 0; square < GREEMENT_SQUARES; square++) {
        int price = greement_price(g, seat, square);
        if (price >= 0 && price <= g->player[seat].money)
            (void)fprintf(to, "%s%s %s %d", n++ > 0 ? ", " : "",
                          greement_square_names[square],
                          kind_says(g->square[square]), price);
    }
    (void)fputs(n == 0 ? _("nothing.\n") : ".\n", to);
}

static void print_decks(FILE *to, const struct greement *g)
{
    static const char *const says[CARDS] = {
        [CARD_STEAL] = N_("steal"),     [CARD_DECIDE] = N_("decide"),
        [CARD_RAISE] = N_("raise"),     [CARD_LOWER] = N_("lower"),
        [CARD_COLLECT] = N_("collect"),
    };
    int n = 0;

    (void)fputs(_("Action cards to be drawn:"), to);
    for (int card = 0; card < CARDS; card++)
        if (g->deck[card] > 0)
            (void)fprintf(to, "%s %s %d", n++ > 0 ? "," : "", _(says[card]),
                          g->deck[card]);
    (void)fputs(n == 0 ? _(" none") : "", to);
    if (g->deciders > 0)
        (void)fprintf(to, _("; waiting to decide a vote: %d"), g->deciders);
    (void)fputs(".\n", to);
}

static void print_players(FILE *to, const struct table *table,
                          const struct greement *g)
{
    for (int seat = 0; seat < g->base.seats; seat++) {
        int32_t parts[PARTS];
        int32_t wealth = greement_wealth(g, seat, parts);
        (void)fprintf(to, _("%s: money %d"), table->names[seat],
                      g->player[seat].money);
        if (g->loans)
            (void)fprintf(to, _(", debt %d"), g->player[seat].debt);
        (void)fprintf(to, _(", wealth %d, profit of a turn %lld. Squares: "),
                      wealth, (long long)greement_income(g, seat));
        print_squares(to, g, seat);
    }
}

static void print_hand(FILE *to, const struct table *table,
                       const struct rules_state *view)
{
    const struct greement *g = greement_of(view);
    int seat = view->viewer;
    char text[256];

    print_players(to, table, g);
    if (seat < view->seats && g->turn == seat && g->phase == PHASE_TURN)
        print_prices(to, g, seat);
    for (int i = 0; i < g->offers; i++) {
        greement_say_offer(table, g, &g->offer[i], text, sizeof(text));
        (void)fprintf(to, _("Offer %s.\n"), text);
    }
    print_decks(to, g);
    print_values(to, g);
}

static void print_situation(FILE *to, const struct table *table,
                            const struct rules_state *view)
{
    const struct greement *g = greement_of(view);
    int event = greement_event_now(g);
    char text[400];

    if (g->phase == PHASE_PICK && g->turn < view->seats)
        (void)fprintf(to, _("%s picks a starting square.\n"),
                      table->names[g->turn]);
    if (g->phase == PHASE_TURN) {
        (void)fprintf(to,
                      _("Round %d of %d. It is the turn of %s, who has %d.\n"),
                      g->round + 1, g->turns, table->names[g->turn],
                      g->player[g->turn].money);
        if (g->pending != GREEMENT_NOBODY)
            (void)fprintf(to, _("Action card: %s\n"),
                          greement_card_text(g->pending));
    }
    for (int i = 0; i < g->offers; i++) {
        greement_say_offer(table, g, &g->offer[i], text, sizeof(text));
        (void)fprintf(to, _("Offer %s.\n"), text);
    }
    if (event == GREEMENT_NOBODY)
        return;
    greement_say_event(table, g, text, sizeof(text));
    (void)fprintf(to, _("Round %d of %d, event %d of %d: %s\n%s\n"),
                  g->round + 1, g->turns, g->events, GREEMENT_EVENTS,
                  greement_event_text(event), text);
}

/* ---- what need not be told ---------------------------------------------- */

/* The squares that are turned up all together: one look at the board tells
 * more than ninety sentences.  A square is turned up once in a game. */
static bool is_quiet(const struct table *table,
                     const struct rules_event *event)
{
    int settled = 0;

    if (!table_event_is(table, event, "turned_up"))
        return false;
    for (size_t i = 0; i < table->event_count; i++) {
        const struct rules_event *e = &table->events[i];
        if (e->kind == event->kind && e->arg[0] == event->arg[0])
            break;
        settled += table_event_is(table, e, "settled");
    }
    return settled == table->seats;
}

/* An offer to a human that they could accept as things are. */
static bool is_offered(const struct table *table)
{
    for (size_t i = 0; i < table->last.count; i++) {
        const struct rules_event *e = &table->last.at[i];
        if (!table_event_is(table, e, "offered"))
            continue;
        int with = e->arg[2];
        struct rules_move accept = RULES_MOVE(ACCEPT, e->arg[0], RULES_NONE,
                                              RULES_NONE);
        if (with >= 0 && with < table->seats &&
            !(table->bots & RULES_BIT(with)) &&
            rules_check(table->rules, &table->any.state, with, &accept) ==
                RULES_OK)
            return true;
    }
    return false;
}

const struct game_ui greement_ui = {
    .game = "greement",
    .quiet = is_quiet,
    .asks = is_offered,
    .board = print_board,
    .hand = print_hand,
    .situation = print_situation,
    .screen = &greement_screen,
};
