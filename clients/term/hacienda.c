/* hacienda.c -- how the terminal speaks of Hacienda and shows it in lines.
 * The full screen is in hacienda_screen.c. */

#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "game_ui.h"
#include "hacienda_hexes.h"
#include "hacienda_ui.h"

static const struct hacienda *table_of(const struct rules_state *s)
{
    return (const struct hacienda *)s;
}

const char *hacienda_word(const char *kind, int value,
                          const char *const *words)
{
    return layout_word(&hacienda_rules, kind, value, words[value]);
}

static void print_board(FILE *to, const struct table *table,
                        const struct rules_state *view)
{
    (void)table;
    hexes_print_table(to, table_of(view));
}

/* ---- cards -------------------------------------------------------------- */

static const char *card_name(int card)
{
    return hacienda_word("card", card, hacienda_card_words);
}

static void print_counts(FILE *to, const uint8_t *count, int first, int last)
{
    int n = 0;
    for (int card = first; card < last; card++) {
        if (count[card] == 0 || count[card] == HACIENDA_NOBODY)
            continue;
        (void)fprintf(to, "%s%s", n++ > 0 ? ", " : "", card_name(card));
        if (count[card] > 1)
            (void)fprintf(to, " %d", count[card]);
    }
    if (n == 0)
        (void)fputs(_("none"), to);
}

static void print_own(FILE *to, const struct table *table,
                      const struct hacienda *h, int seat)
{
    uint8_t all[CARDS];

    for (int card = 0; card < CARDS; card++)
        all[card] = (uint8_t)(h->player[seat].known[card] +
                              h->player[seat].unknown[card]);
    (void)fprintf(to, _("Hand of %s, land: "), table->names[seat]);
    print_counts(to, all, 0, LAND_CARDS);
    (void)fprintf(to, "; %s ", _("animals:"));
    print_counts(to, all, LAND_CARDS, CARDS);
    (void)fprintf(to, "\n  %s ", _("seen by all:"));
    print_counts(to, h->player[seat].known, 0, CARDS);
    (void)fprintf(to, "\n%s %d pesos\n", _("Money:"), h->player[seat].money);
}

static void print_stack(FILE *to, const struct hacienda *h, int stack)
{
    int first = stack == STACK_LAND ? 0 : LAND_CARDS;
    int last = stack == STACK_LAND ? LAND_CARDS : CARDS;
    int n = 0;

    (void)fprintf(to, "%s ",
                  stack == STACK_LAND ? _("Land for sale:")
                                      : _("Animals for sale:"));
    for (int slot = 0; slot < HACIENDA_SLOTS; slot++)
        if (h->display[stack][slot] != HACIENDA_NOBODY)
            (void)fprintf(to, "%s%s", n++ > 0 ? ", " : "",
                          card_name(h->display[stack][slot]));
    (void)fputs(n == 0 ? _("none") : "", to);
    (void)fprintf(to, _(" (%d pesos each); %d face down (%d pesos)"),
                  hacienda_cost(h, BUY_LAND_DISPLAY), h->supply[stack],
                  hacienda_cost(h, BUY_LAND_SUPPLY));
    if (stack == STACK_ANIMALS && h->half == 1)
        (void)fprintf(to, _(", %d in the second stack"), h->aside);
    (void)fprintf(to, "\n  %s ", _("may still be face down:"));
    for (int card = first; card < last; card++)
        (void)fprintf(to, "%s%s %d", card > first ? ", " : "", card_name(card),
                      hacienda_unseen(h, card));
    (void)fputc('\n', to);
}

static void print_things(FILE *to, const struct hacienda *h)
{
    (void)fprintf(to, "%s ", _("Water for sale:"));
    for (int shape = 0; shape < SHAPES; shape++)
        (void)fprintf(to, "%s%s %d", shape > 0 ? ", " : "",
                      hacienda_word("shape", shape, hacienda_shape_words),
                      h->waters_left[shape]);
    (void)fprintf(to, _(" (%d pesos each)"), hacienda_cost(h, BUY_WATER));
    (void)fprintf(to,
                  _("\nHaciendas for sale: %d (%d pesos each); harvest chips "
                    "left: %d\n"),
                  h->haciendas_left, hacienda_cost(h, BUY_HACIENDA),
                  h->chips_left);
}

static void print_hand(FILE *to, const struct table *table,
                       const struct rules_state *view)
{
    const struct hacienda *h = table_of(view);
    int seat = view->viewer;

    if (seat < view->seats)
        print_own(to, table, h, seat);
    for (int stack = 0; stack < STACKS; stack++)
        print_stack(to, h, stack);
    print_things(to, h);
    for (int p = 0; p < view->seats; p++) {
        if (p == seat)
            continue;
        (void)fprintf(to,
                      _("%s: %d pesos, %d land and %d animal cards; seen: "),
                      table->names[p], h->player[p].money,
                      hacienda_hand(h, p, STACK_LAND),
                      hacienda_hand(h, p, STACK_ANIMALS));
        print_counts(to, h->player[p].known, 0, CARDS);
        (void)fputc('\n', to);
    }
}

void hacienda_print_points(FILE *to, const struct hacienda *h)
{
    bool herds = h->variant1 || h->crucible;

    (void)fprintf(
        to, "\n%s\n",
        herds ? _("Markets pay animals of the herd x own land tiles directly "
                  "next to it.")
              : _("Markets pay animals of the herd + land tiles of all chains "
                  "it touches."));
    (void)fprintf(to,
                  _("Points: markets %s; land %d per tile in chains of 3 or "
                    "more; %shaciendas 1 per tile of their chain or herd; "
                    "water 1 per adjacent tile%s; money 1 per %d pesos.\n"),
                  h->crucible ? "2, 5, 9, 14, 20 ..." : "1, 3, 6, 10, 15 ...",
                  h->crucible ? 1 : 2,
                  herds ? _("herds of 3 or more 1 per animal; ") : "",
                  h->crucible ? _(" (single water 2)") : "",
                  h->variant1 ? 20 : 10);
    if (h->variant2)
        (void)fprintf(to, "%s\n",
                      _("Points count after every action; there is no interim "
                        "scoring."));
}

static void print_situation(FILE *to, const struct table *table,
                            const struct rules_state *view)
{
    const struct hacienda *h = table_of(view);

    if (h->round == 0 || h->turn >= view->seats)
        return;
    (void)fprintf(to,
                  _("Round %d, %s%s. %s has done %d of %d actions and has %d "
                    "pesos.\n"),
                  h->round, h->half == 1 ? _("first half") : _("second half"),
                  h->due == DUE_INTERIM
                      ? _(", interim scoring after this round")
                  : h->due == DUE_FINAL ? _(", the last round")
                                        : "",
                  table->names[h->turn], h->actions, HACIENDA_ACTIONS,
                  h->player[h->turn].money);
}

const struct game_ui hacienda_ui = {
    .game = "hacienda",
    .board = print_board,
    .hand = print_hand,
    .situation = print_situation,
    .screen = &hacienda_screen,
};
