/* hadara.c -- how the terminal speaks of Hadara and shows it in lines.  The
 * full screen is in hadara_screen.c. */

#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "core/preview.h"
#include "core/says.h"
#include "core/text.h"
#include "hadara_ui.h"

/* ---- the board in lines ------------------------------------------------- */

static void print_ring(FILE *to, const struct table *table,
                       const struct hadara *h)
{
    char little[100], name[40];

    for (int i = 0; i < HADARA_STEPS; i++) {
        int color = h->ring[i];
        if (color == HADARA_NOTHING)
            continue;
        (void)fprintf(to, _("%s: deck %d"), hadara_color(color),
                      hadara_deck(h, color));
        for (int seat = 0; h->stage == STAGE_CHOOSE && seat < h->base.seats;
             seat++)
            if (hadara_segment(h, seat, h->step) == color)
                (void)fprintf(to, _(", here is %s"), table->names[seat]);
        (void)fprintf(to, "; %s",
                      h->piles[color] == 0 ? _("pile empty") : _("pile "));
        for (int k = h->piles[color]; k-- > 0;) {
            int card = h->pile[color][k];
            hadara_card_short(h, h->base.viewer, card, true, little,
                              sizeof(little));
            (void)fprintf(to, "%s%s (%s)",
                          k + 1 < h->piles[color] ? _(", below it ") : "",
                          hadara_card_name(card, name), little);
        }
        (void)fputc('\n', to);
    }
}

static const char *figure(int i)
{
    return says_figure(&hadara_rules, layout_says(&hadara_rules), i);
}

static void print_numbers(FILE *to, const struct hadara *h, int seat)
{
    int32_t now[PREVIEWS];

    hadara_now(h, &h->player[seat], now);
    for (int i = 0; i < PREVIEW_VALUE; i++)
        (void)fprintf(to, "%s%s %d",
                      i == 0                ? ""
                      : i == PREVIEW_POINTS ? "; "
                                            : ", ",
                      figure(i), now[i]);
    (void)fprintf(to, " (%d %s)", now[PREVIEW_VALUE], figure(PREVIEW_VALUE));
}

static void print_cards(FILE *to, const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    char text[300];

    for (int color = 0; color < HUES; color++)
        for (int i = 0; i < p->cards; i++) {
            if (hadara_card_color(p->card[i]) != color)
                continue;
            hadara_card_text(h, RULES_WATCHER, p->card[i], text, sizeof(text));
            (void)fprintf(to, "  %s", text);
            if (p->card_tile[i] != HADARA_NOTHING)
                (void)fprintf(to, _(" (the %s tile is on it)"),
                              hadara_track(p->card_tile[i]));
            (void)fputc('\n', to);
        }
}

static void print_player(FILE *to, const struct table *table,
                         const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    char text[160];
    int n = 0;

    (void)fprintf(to, _("%s (initiative %d"), table->names[seat],
                  p->initiative);
    if (p->side != HADARA_NOTHING)
        (void)fprintf(to, _(", side %c"), "AB"[p->side]);
    (void)fputs("): ", to);
    print_numbers(to, h, seat);
    hadara_tiles_text(p, text, sizeof(text));
    (void)fputs("\n  ", to);
    (void)fprintf(to, P_("%d card", "%d cards", p->cards), p->cards);
    (void)fprintf(to, "; %s\n", text);
    for (int i = 0; i < TRACKS; i++) {
        hadara_track_text(h, p, i, false, text, sizeof(text));
        (void)fprintf(to, "  %s %s\n", hadara_track(i), text);
    }
    for (int i = 0; i < HADARA_LEVELS; i++)
        if (p->colony[i] != HADARA_NOTHING) {
            hadara_colony_text(h, p, i, text, sizeof(text));
            (void)fputs(n++ == 0 ? _("  colonies:") : ",", to);
            (void)fprintf(to, _(" level %d %s"), i + 1, text);
        }
    for (int i = 0; i < HADARA_STATUES; i++)
        if (p->statue_tile[i] != HADARA_NOTHING) {
            hadara_statue_text(h, p, i, text, sizeof(text));
            (void)fputs(n++ == 0 ? " " : ";", to);
            (void)fprintf(to, _(" statue %d: %s"), i + 1, text);
        }
    (void)fputs(n > 0 ? "\n" : "", to);
    print_cards(to, h, seat);
}

static void print_board(FILE *to, const struct table *table,
                        const struct rules_state *view)
{
    const struct hadara *h = hadara_of(view);

    print_ring(to, table, h);
    for (int seat = 0; seat < view->seats; seat++)
        print_player(to, table, h, seat);
}

/* ---- what one can do, with the numbers after it ------------------------- */

static void print_preview(FILE *to, const struct rules_state *view, int seat,
                          const struct rules_move *move)
{
    static struct preview_room room;
    struct preview p;
    int n = 0;

    if (preview_move(&hadara_rules, view, seat, move, &room, &p) != RULES_OK)
        return;
    for (int i = 0; i < p.count; i++) {
        if (p.before[i] == p.after[i])
            continue;
        (void)fputs(n++ == 0 ? ": " : ", ", to);
        (void)fprintf(to, _("%s %d to %d"), figure(i), (int)p.before[i],
                      (int)p.after[i]);
    }
}

static void print_choice(FILE *to, const struct table *table,
                         const struct rules_state *view, int seat,
                         const struct hadara_choice *choice)
{
    char words[200], text[500], typed[RULES_TEXT_MAX];

    hadara_move_words(view, seat, &choice->move, words, sizeof(words));
    (void)text_move(table->rules, view, &choice->move, typed, sizeof(typed));
    (void)fprintf(to, "%s%s [%s]",
                  hadara_move_chosen(view, seat, &choice->move) ? "* " : "  ",
                  words, typed);
    if (choice->refusal != RULES_OK)
        (void)fprintf(to, ": %s",
                      layout_reason(table->rules, choice->refusal));
    else
        print_preview(to, view, seat, &choice->move);
    hadara_move_text(table, view, seat, &choice->move, text, sizeof(text));
    (void)fputc('\n', to);
    if (text[0] != '\0')
        layout_paragraph(to, "      ", text, 78);
}

static void print_hand(FILE *to, const struct table *table,
                       const struct rules_state *view)
{
    static struct hadara_choice choices[HADARA_CHOICES_MAX];
    const struct hadara *h = hadara_of(view);
    int seat = view->viewer;
    char text[300], name[40];

    if (seat >= view->seats)
        return;
    hadara_task_text(table, view, seat, text, sizeof(text));
    (void)fprintf(to, "%s: %s.\n%s ", table->names[seat], text, _("Now:"));
    print_numbers(to, h, seat);
    hadara_tiles_text(&h->player[seat], text, sizeof(text));
    int cards = h->player[seat].cards;
    (void)fputs("; ", to);
    (void)fprintf(to, P_("%d card", "%d cards", cards), cards);
    (void)fprintf(to, "; %s\n", text);
    size_t n = hadara_choices(table->rules, view, seat, choices);
    for (size_t i = 0; i < n; i++)
        print_choice(to, table, view, seat, &choices[i]);
    for (int e = 0; e < HADARA_EPOCHS; e++)
        for (int c = 0; c < HUES; c++)
            if (h->player[seat].sold_card[e][c] != HADARA_NOTHING)
                (void)fprintf(to, _("You sold %s face down.\n"),
                              hadara_card_name(h->player[seat].sold_card[e][c],
                                               name));
}

static void print_situation(FILE *to, const struct table *table,
                            const struct rules_state *view)
{
    const struct hadara *h = hadara_of(view);
    char text[300], name[2][40];

    if (rules_over(view))
        return;
    hadara_stage_text(h, text, sizeof(text));
    (void)fprintf(to, "Hadara, %s. ", text);
    if (view->viewer < view->seats) {
        const struct hadara_player *p = &h->player[view->viewer];
        hadara_task_text(table, view, view->viewer, text, sizeof(text));
        (void)fprintf(to, "%s: %s", table->names[view->viewer], text);
        if (p->drawn[0] != HADARA_NOTHING)
            (void)fprintf(to, ": %s, %s",
                          hadara_card_name(p->drawn[0], name[0]),
                          hadara_card_name(p->drawn[1], name[1]));
        (void)fprintf(to, ". %s", _("`hand` tells what it would bring."));
    }
    (void)fputc('\n', to);
}

const struct game_ui hadara_ui = {
    .game = "hadara",
    .board = print_board,
    .hand = print_hand,
    .situation = print_situation,
    .screen = &hadara_screen,
};
