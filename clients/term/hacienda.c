/* hacienda.c -- how the terminal speaks of Hacienda and shows it in lines.
 * The full screen is in hacienda_screen.c. */

#include <string.h>

#include "core/base.h"
#include "game_ui.h"
#include "hacienda_ui.h"
#include "hacienda_hexes.h"

static const struct phrase_of phrases[] = {
    {"start_player", "is the start player."},
    {"spare_terrain", "=The board gets one more space of {terrain}."},
    {"terrain", "={hex} becomes {terrain}."},
    {"drew", "draws {card}.|draws a card ({stack})."},
    {"turned_up", "={card} is turned up."},
    {"shuffled", "=The land discards become the new supply."},
    {"second_stack", "=The second animal stack comes into use."},
    {"last_stack", "=The last animal card is drawn: this round is the last."},
    {"bought_card", "buys from the supply ({stack}) for {amount} pesos."},
    {"took_card", "buys {card} from the display for {amount} pesos."},
    {"bought_hacienda", "buys a hacienda for {amount} pesos and builds it on "
                        "{hex}."},
    {"bought_water",
     "buys water ({shape}) for {amount} pesos: {hex1}, {hex2}, {hex3}."
     "|buys water ({shape}) for {amount} pesos: {hex1}, {hex2}."
     "|buys water ({shape}) for {amount} pesos: {hex1}."},
    {"played", "plays {card} on {hex}."},
    {"market_paid", "gets {amount} pesos from the market {hex}."},
    {"harvested", "harvests {amount} pesos at {hex} with the chip of {from}."
                  "|harvests {amount} pesos at {hex}."},
    {"turn_ended", "ends the turn."},
    {"round_began", "=Round {amount} begins."},
    {"scored", "scores {amount} for {part} ({scoring})."},
    {"ended", "=The game is over ({end})."},
    {0},
};

static const struct hacienda *table_of(const struct rules_state *s)
{
    return (const struct hacienda *)s;
}

static void print_board(FILE *to, const struct table *table,
                        const struct rules_state *view)
{
    (void)table;
    hexes_print_table(to, table_of(view));
}

/* ---- cards -------------------------------------------------------------- */

static void print_counts(FILE *to, const uint8_t *count, int first, int last)
{
    int n = 0;
    for (int card = first; card < last; card++) {
        if (count[card] == 0 || count[card] == HACIENDA_NOBODY)
            continue;
        (void)fprintf(to, "%s%s", n++ > 0 ? ", " : "",
                      hacienda_card_words[card]);
        if (count[card] > 1)
            (void)fprintf(to, " %d", count[card]);
    }
    if (n == 0)
        (void)fputs("none", to);
}

static void print_hand(FILE *to, const struct table *table,
                       const struct rules_state *view)
{
    const struct hacienda *h = table_of(view);
    int seat = view->viewer;

    if (seat < view->seats) {
        uint8_t all[CARDS];
        for (int card = 0; card < CARDS; card++)
            all[card] = (uint8_t)(h->player[seat].known[card] +
                                  h->player[seat].unknown[card]);
        (void)fprintf(to, "Hand of %s, land: ", table->names[seat]);
        print_counts(to, all, 0, LAND_CARDS);
        (void)fputs("; animals: ", to);
        print_counts(to, all, LAND_CARDS, CARDS);
        (void)fputs("\n  seen by all: ", to);
        print_counts(to, h->player[seat].known, 0, CARDS);
        (void)fprintf(to, "\nMoney: %d pesos\n", h->player[seat].money);
    }
    for (int stack = 0; stack < STACKS; stack++) {
        (void)fprintf(to, "%s for sale: ",
                      stack == STACK_LAND ? "Land" : "Animals");
        int n = 0;
        for (int slot = 0; slot < HACIENDA_SLOTS; slot++)
            if (h->display[stack][slot] != HACIENDA_NOBODY)
                (void)fprintf(to, "%s%s", n++ > 0 ? ", " : "",
                              hacienda_card_words[h->display[stack][slot]]);
        (void)fprintf(to, "%s (%d pesos each); %d face down (%d pesos)",
                      n == 0 ? "none" : "", hacienda_cost(h, BUY_LAND_DISPLAY),
                      h->supply[stack], hacienda_cost(h, BUY_LAND_SUPPLY));
        if (stack == STACK_ANIMALS && h->half == 1)
            (void)fprintf(to, ", %d in the second stack", h->aside);
        (void)fputs("\n  may still be face down: ", to);
        int first = stack == STACK_LAND ? 0 : LAND_CARDS;
        int last = stack == STACK_LAND ? LAND_CARDS : CARDS;
        n = 0;
        for (int card = first; card < last; card++)
            (void)fprintf(to, "%s%s %d", n++ > 0 ? ", " : "",
                          hacienda_card_words[card], hacienda_unseen(h, card));
        (void)fputc('\n', to);
    }
    (void)fprintf(to, "Water for sale:");
    for (int shape = 0; shape < SHAPES; shape++)
        (void)fprintf(to, " %s %d%s", hacienda_shape_words[shape],
                      h->waters_left[shape], shape < SHAPES - 1 ? "," : "");
    (void)fprintf(to,
                  " (%d pesos each)\nHaciendas for sale: %d (%d pesos "
                  "each); harvest chips left: %d\n",
                  hacienda_cost(h, BUY_WATER), h->haciendas_left,
                  hacienda_cost(h, BUY_HACIENDA), h->chips_left);
    for (int p = 0; p < view->seats; p++) {
        if (p == seat)
            continue;
        (void)fprintf(to, "%s: %d pesos, %d land and %d animal cards; seen: ",
                      table->names[p], h->player[p].money,
                      hacienda_hand(h, p, STACK_LAND),
                      hacienda_hand(h, p, STACK_ANIMALS));
        print_counts(to, h->player[p].known, 0, CARDS);
        (void)fputc('\n', to);
    }
}

static void print_situation(FILE *to, const struct table *table,
                            const struct rules_state *view)
{
    const struct hacienda *h = table_of(view);

    if (h->round == 0 || h->turn >= view->seats)
        return;
    (void)fprintf(to,
                  "Round %d, %s half%s. %s has done %d of %d actions and "
                  "has %d pesos.\n",
                  h->round, h->half == 1 ? "first" : "second",
                  h->due == DUE_INTERIM ? ", interim scoring after"
                                          " this round"
                  : h->due == DUE_FINAL ? ", the last round"
                                        : "",
                  table->names[h->turn], h->actions, HACIENDA_ACTIONS,
                  h->player[h->turn].money);
}

const struct game_ui hacienda_ui = {
    .game = "hacienda",
    .phrases = phrases,
    .board = print_board,
    .hand = print_hand,
    .situation = print_situation,
    .screen = &hacienda_screen,
};
