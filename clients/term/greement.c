/* greement.c -- how the terminal speaks of Greement and shows it in lines.
 * The full screen is in greement_screen.c. */

#include "core/games/greement/greement.h"

#include <string.h>

#include "core/base.h"
#include "greement_ui.h"
#include "protocol/sbuf_printf.h"

static const struct phrase_of phrases[] = {
    {"start_player", "is the first player."},
    {"turned_up", "={square} is turned up: {ground}."},
    {"settled", "settles on {square}, with a crop."},
    {"all_turned_up", "=All squares are turned up."},
    {"turn_began", "begins turn {round}."},
    {"profit", "collects {millions} million, {thousands} thousand and {amount}"
               " in profit."
               "|collects {thousands} thousand and {amount} in profit."
               "|collects a profit of {amount}."},
    {"bought_land", "buys {square} for {price} and a tax of {tax}."},
    {"seeded", "seeds {square} for {price}."},
    {"bought_cattle", "puts cattle on {square} for {price}."},
    {"paid", "gives {to} {amount} and pays a tax of {tax}."},
    {"offered", "makes offer {offer}: to {trade} {square}, with {with}, for "
                "{price}; the {tax_by} pays the tax."},
    {"traded", "gets {square} from {from} for {price}; the {tax_by} pays a "
               "tax of {tax}."},
    {"declined", "declines offer {offer}."},
    {"withdrew", "withdraws offer {offer}."},
    {"lapsed", "=Offer {offer} lapses."},
    {"bought_action_card", "buys an action card for {price}."},
    {"drew", "draws the action card: {card}."},
    {"stole", "steals {square} from {from}.|takes {square}, which was free."},
    {"value_changed", "={value} becomes {amount}."},
    {"collected", "collects {amount} from {from}."},
    {"borrowed", "borrows {amount}."},
    {"repaid", "repays {amount}."},
    {"debt_doubled",
     "now owes {millions} million, {thousands} thousand and {amount}."
     "|now owes {thousands} thousand and {amount}."
     "|now owes {amount}."},
    {"turn_ended", "ends the turn."},
    {"turned_up_event", "=Event: {event}."},
    {"voted", "votes, to avoid it: {avoid}."},
    {"contributed", "contributes {amount}."},
    {"done", "is done."},
    {"avoided", "=The event is avoided: {event}."},
    {"triggered", "=The event happens: {event}."},
    {"given_back", "gets {amount} back."},
    {"became", "={square} becomes {state}."},
    {"lost", "loses {square}."},
    {"compensated", "gets {amount} for what was taken."},
    {"treated", "pays for the cattle on {square}."},
    {"round_ended", "=Round {turn_count} is over."},
    {"ended", "=The game is over."},
    {0},
};

const char *const greement_value_says[VALUES] = {
    "land price",   "seed price",    "crop profit",  "mine price",
    "mine profit",  "lake times",    "mount. times", "distance tax",
    "cattle price", "cattle profit", "action card",
};

/* ---- numbers ------------------------------------------------------------ */

int64_t greement_income(const struct greement *g, int seat)
{
    int64_t sum = 0;
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->owner[square] == seat)
            sum += greement_profit(g, square);
    return sum;
}

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
    return kind == SQUARE_MINE        ? "gold mine"
           : kind == SQUARE_FACE_DOWN ? "face down"
                                      : greement_square_words[kind];
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
        sbuf_printf(&s, ": profit and value of connected squares times %d",
                    g->value[kind == SQUARE_LAKE ? LAKE_MULTIPLIER
                                                 : MOUNTAIN_MULTIPLIER]);
        return;
    }
    if (owner != GREEMENT_NOBODY)
        sbuf_printf(&s, " of %s", table->names[owner]);
    else
        sbuf_puts(&s, ", free");
    sbuf_printf(&s, ": earns %lld, is worth %lld",
                (long long)greement_profit(g, square),
                (long long)greement_worth(g, square));
    if (g->treated[square])
        sbuf_puts(&s, "; treated");
}

void greement_say_offer(const struct table *table, const struct greement *g,
                        const struct greement_offer *offer, char *buf,
                        size_t cap)
{
    bool sell = offer->kind == KIND_SELL;
    int buyer = sell ? offer->with : g->turn;

    (void)snprintf(buf, cap,
                   "%d: %s %s %s (%s) %s %s for %d; tax %d by the %s",
                   offer->number, table->names[g->turn],
                   sell ? "sells" : "buys",
                   greement_square_names[offer->square],
                   kind_says(g->square[offer->square]), sell ? "to" : "from",
                   table->names[offer->with], offer->price,
                   greement_square_tax(g, buyer, offer->square),
                   offer->tax_by == SIDE_BUYER ? "buyer" : "seller");
}

static void say_votes(const struct table *table, const struct greement *g,
                      struct sbuf *s)
{
    int decider = greement_decider(g);

    if (decider != GREEMENT_NOBODY) {
        sbuf_printf(s, "%s alone decides (an action card).",
                    table->names[decider]);
        return;
    }
    sbuf_printf(s, "Votes to avoid it, %d needed:", g->base.seats / 2 + 1);
    for (int seat = 0; seat < g->base.seats; seat++) {
        int vote = g->player[seat].vote;
        sbuf_printf(s, "%s %s %s", seat > 0 ? "," : "", table->names[seat],
                    vote == GREEMENT_NOBODY ? "-"
                    : vote                  ? "yes"
                                            : "no");
    }
    sbuf_puts(s, ".");
}

static void say_contributions(const struct table *table,
                              const struct greement *g, struct sbuf *s)
{
    int missing = greement_still_missing(g);
    int price = greement_event_price(greement_event_now(g));

    sbuf_printf(s, "To avoid it costs %d, paid %d, missing %d:", price,
                price - missing, missing);
    for (int seat = 0; seat < g->base.seats; seat++)
        sbuf_printf(s, "%s %s %d%s", seat > 0 ? "," : "", table->names[seat],
                    g->player[seat].contribution,
                    g->player[seat].done ? " (done)" : "");
    sbuf_puts(s, ".");
}

static void say_disease(const struct table *table, const struct greement *g,
                        struct sbuf *s)
{
    sbuf_printf(s, "Cattle not paid for (%d each):", GREEMENT_DISEASE_COST);
    for (int seat = 0; seat < g->base.seats; seat++) {
        if (g->player[seat].done)
            sbuf_printf(s, "%s %s done", seat > 0 ? "," : "",
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
    (void)fputs("Values:", to);
    for (int value = 0; value < VALUES; value++)
        (void)fprintf(to, "%s %s %d", value > 0 ? "," : "",
                      greement_value_says[value], g->value[value]);
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
    (void)fputs("  ? face down, . land, \" crop, & cattle (+ treated), $ gold "
                "mine, ~ lake, ^ mountain;\n  the number is its owner:",
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
            (void)fprintf(to, "%s%s %s (earns %lld, worth %lld)",
                          n++ > 0 ? ", " : "", greement_square_names[square],
                          kind_says(g->square[square]),
                          (long long)greement_profit(g, square),
                          (long long)greement_worth(g, square));
    (void)fputs(n == 0 ? "none.\n" : ".\n", to);
}

/* What SEAT could buy now and for how much. */
static void print_prices(FILE *to, const struct greement *g, int seat)
{
    int n = 0;

    (void)fputs("For sale within your means, tax included: ", to);
    for (int square = 0; square < GREEMENT_SQUARES; square++) {
        int price = greement_price(g, seat, square);
        if (price >= 0 && price <= g->player[seat].money)
            (void)fprintf(to, "%s%s %s %d", n++ > 0 ? ", " : "",
                          greement_square_names[square],
                          kind_says(g->square[square]), price);
    }
    (void)fputs(n == 0 ? "nothing.\n" : ".\n", to);
}

static void print_decks(FILE *to, const struct greement *g)
{
    int n = 0;

    (void)fputs("Action cards to be drawn:", to);
    for (int card = 0; card < CARDS; card++)
        if (g->deck[card] > 0)
            (void)fprintf(to, "%s %s %d", n++ > 0 ? "," : "",
                          greement_card_words[card], g->deck[card]);
    (void)fputs(n == 0 ? " none" : "", to);
    if (g->deciders > 0)
        (void)fprintf(to, "; waiting to decide a vote: %d", g->deciders);
    (void)fputs(".\n", to);
}

static void print_players(FILE *to, const struct table *table,
                          const struct greement *g)
{
    for (int seat = 0; seat < g->base.seats; seat++) {
        int32_t parts[PARTS];
        int32_t wealth = greement_wealth(g, seat, parts);
        (void)fprintf(to, "%s: money %d", table->names[seat],
                      g->player[seat].money);
        if (g->loans)
            (void)fprintf(to, ", debt %d", g->player[seat].debt);
        (void)fprintf(to,
                      ", wealth %d, profit of a turn %lld. Squares: ", wealth,
                      (long long)greement_income(g, seat));
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
        (void)fprintf(to, "Offer %s.\n", text);
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
        (void)fprintf(to, "%s picks a starting square.\n",
                      table->names[g->turn]);
    if (g->phase == PHASE_TURN) {
        (void)fprintf(to,
                      "Round %d of %d. It is the turn of %s, who has %d.\n",
                      g->round + 1, g->turns, table->names[g->turn],
                      g->player[g->turn].money);
        if (g->pending != GREEMENT_NOBODY)
            (void)fprintf(to, "Action card: %s\n",
                          greement_card_texts[g->pending]);
    }
    for (int i = 0; i < g->offers; i++) {
        greement_say_offer(table, g, &g->offer[i], text, sizeof(text));
        (void)fprintf(to, "Offer %s.\n", text);
    }
    if (event == GREEMENT_NOBODY)
        return;
    greement_say_event(table, g, text, sizeof(text));
    (void)fprintf(to, "Round %d of %d, event %d of %d: %s\n%s\n", g->round + 1,
                  g->turns, g->events, GREEMENT_EVENTS,
                  greement_event_texts[event], text);
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
    .phrases = phrases,
    .quiet = is_quiet,
    .asks = is_offered,
    .board = print_board,
    .hand = print_hand,
    .situation = print_situation,
    .screen = &greement_screen,
};
