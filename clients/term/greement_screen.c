/* greement_screen.c -- the full screen of Greement.
 *
 *     title     round, whose turn or which event, money
 *     grid      ten by ten, with the cursor (cells.h)
 *       panel   beside it: the table of values and the players
 *     tools     what can be done now, each with its key (choices.h)
 *     info      what lies under the cursor, and what could be done with it
 *     matters   the action card that waits, offers, the event
 *     log       what happened last
 *
 * One moves to a square and presses the key of what is to be done with it;
 * where Enter is enough, it is.  Squares on which something is possible stand
 * in (brackets).  Amounts are typed in.  What is legal and what it brings is
 * asked of the rules, on the view. */

#include "clients/common/lang.h"
#include "core/base.h"
#include "greement_tools.h"

static void write_all(struct ui *ui, FILE *to)
{
    const struct greement *g = greement_table(ui);

    greement_ui.hand(to, ui->table, &ui->view.state);
    (void)fprintf(to, "\n%s\n",
                  _("Event cards that may still come in this round:"));
    for (int event = 0; event < EVENTS; event++) {
        int price = greement_event_price(event);
        if (greement_events_left(g, event) == 0)
            continue;
        (void)fprintf(to, "  %d  %s", greement_events_left(g, event),
                      greement_event_text(event));
        if (price > 0)
            (void)fprintf(to, _(" (to avoid it: %d)"), price);
        (void)fputc('\n', to);
    }
}

static const struct ui_key keys[] = {
    {"1-9 0 -", "1234567890-", 0, choices_key, KEY_ITSELF, NULL,
     N_("which value a card raises or lowers; whom to collect from"), NULL},
    {"b", "b", 0, choices_key, KEY_ITSELF, NULL,
     N_("buy the square (in the beginning: pick it; with the card: steal "
        "it)"),
     NULL},
    {"d", "d", 0, choices_key, KEY_ITSELF, NULL, N_("seed it"), NULL},
    {"a", "a", 0, choices_key, KEY_ITSELF, NULL, N_("put cattle on it"), NULL},
    {"f", "f", 0, choices_key, KEY_ITSELF, NULL, N_("buy an action card"),
     NULL},
    {"o O", "oO", 0, choices_key, KEY_ITSELF, NULL,
     N_("offer to sell the square, or to buy it from its owner; withdraw an "
        "offer"),
     NULL},
    {"y", "y", 0, choices_key, KEY_ITSELF, NULL,
     N_("yes: accept an offer, vote to avoid the event"), NULL},
    {"x", "x", 0, choices_key, KEY_ITSELF, NULL,
     N_("no: decline an offer, vote to let the event happen"), NULL},
    {"$", "$", 0, choices_key, KEY_ITSELF, NULL, N_("pay somebody"), NULL},
    {"+ -", "+", 0, choices_key, KEY_ITSELF, NULL,
     N_("contribute; borrow, repay (where there are loans)"), NULL},
    {"e", "e", 0, choices_key, KEY_ITSELF, NULL, N_("end the turn; be done"),
     NULL},
    KEYS_END,
};

static void say_now(const struct ui *ui, char *buf, size_t cap)
{
    static const struct {
        unsigned in;
        const char *says;
    } all[] = {
        {PICKING, N_("Pick a square to start with")},
        {TURN, N_("Your turn")},
        {ANSWER, N_("An offer for you")},
        {VOTING, N_("Avoid the event?")},
        {PAYING, N_("Pay to avoid the event?")},
        {DISEASE, N_("Your cattle is ill: pay for it")},
        {RAISING, N_("Raise a value: press its key")},
        {LOWERING, N_("Lower a value: press its key")},
        {STEALING, N_("Steal a square")},
        {COLLECTING, N_("Collect from a player: press their number")},
    };

    buf[0] = '\0';
    for (size_t i = 0; i < COUNT_OF(all) && buf[0] == '\0'; i++)
        if (greement_moments(ui) & all[i].in)
            (void)snprintf(buf, cap, "%s", _(all[i].says));
}

const struct screen greement_screen = {
    .start = greement_colours,
    .draw = greement_draw,
    .toward = choices_toward,
    .go = choices_go,
    .cells = &greement_cells,
    .choices = &greement_choices,
    .keys = keys,
    .now = say_now,
    .all = N_("Players, squares, offers and cards"),
    .write_all = write_all,
    .lines_min = 17,
    .columns_min = 60,
    .help = N_(
        "Go to a square and press the key of what is to be done with "
        "it.\n"
        "Signs: . land, \" crop, & cattle, $ gold mine, with its "
        "owner's number; ~ or waves a lake, ^ or a triangle a mountain; "
        "? and grey are face down; + is cattle that is paid for. A "
        "large grid has the prices of free squares, tax included, and "
        "what others earn."),
};
