/* hadara.c -- how the terminal speaks of Hadara and shows it in lines.  The
 * full screen is in hadara_screen.c. */

#include <string.h>

#include "core/base.h"
#include "core/text.h"
#include "hadara_ui.h"

static const struct phrase_of phrases[] = {
    {"ring", "=The segments are joined to a ring: {first}, {second}, {third}, "
             "{fourth}, {fifth}."},
    {"setup_card", "is dealt the setup card with initiative {initiative}."},
    {"chose_side", "has chosen a side."},
    {"side_choice", "chooses side {side}; nobody knows yet."},
    {"side", "plays side {side}."},
    {"extra_coin", "gets a coin more, being first less often."},
    {"epoch_began", "is first player of epoch {epoch}, which begins."},
    {"wheel_set", "sets the wheel."},
    {"drew",
     "draws {first} and {second}.|draws two {color} cards.|draws two cards."},
    {"chose", "has chosen."},
    {"choice", "will discard {discard} and {keep} the other card, with the "
               "{tile} tile; nobody knows yet."
               "|will discard {discard} and {keep} the other card; nobody "
               "knows yet."},
    {"discarded", "discards {card}."},
    {"took", "takes {card} from its pile."},
    {"bought", "buys {card} for {amount}$, with the {tile} tile on it."
               "|buys {card} for {amount}$."},
    {"sold", "sells {card} for {amount}$.|sells a card face down for "
             "{amount}$."},
    {"wheel_turned", "=The wheel turns."},
    {"income", "gets {amount}$ of income."},
    {"took_colony", "takes a colony of level {level} ({mode}), having paid "
                    "{pay+}$ for strength."
                    "|takes a colony of level {level} ({mode})."},
    {"colony_turned", "turns the colony of level {level} over."},
    {"carved", "carves statue {statue} with the {tile} tile ({face}), having "
               "paid {pay+}$ for culture."
               "|carves statue {statue} with the {tile} tile ({face})."},
    {"passed", "passes."},
    {"food_surplus", "gets {amount}$ for food to spare."},
    {"removed", "removes {card}."},
    {"paid_feed", "pays {amount}$ to feed {cards} cards."},
    {"bought_silver", "buys a silver medal ({track}) for {amount}$."},
    {"bought_gold", "buys a gold medal for {amount}$."},
    {"done", "is done with this epoch."},
    {"scored", "scores {amount} for {part}."},
    {"ended", "=The game is over."},
    {0},
};

/* ---- the board in lines ------------------------------------------------- */

static void print_ring(FILE *to, const struct table *table,
                       const struct hadara *h)
{
    char little[100];

    for (int i = 0; i < HADARA_STEPS; i++) {
        int color = h->ring[i];
        if (color == HADARA_NOTHING)
            continue;
        (void)fprintf(to, "%s: deck %d", hadara_color_words[color],
                      hadara_deck(h, color));
        for (int seat = 0; h->stage == STAGE_CHOOSE && seat < h->base.seats;
             seat++)
            if (hadara_segment(h, seat, h->step) == color)
                (void)fprintf(to, ", here is %s", table->names[seat]);
        (void)fprintf(to, "; pile %s", h->piles[color] == 0 ? "empty" : "");
        for (int k = h->piles[color]; k-- > 0;) {
            hadara_card_short(h, h->base.viewer, h->pile[color][k], true,
                              little, sizeof(little));
            (void)fprintf(to, "%s%s (%s)",
                          k + 1 < h->piles[color] ? ", below it " : "",
                          hadara_card_words[h->pile[color][k]], little);
        }
        (void)fputc('\n', to);
    }
}

static void print_numbers(FILE *to, const struct hadara *h, int seat)
{
    static const char *const names[PREVIEWS] = {
        "income",  "military", "culture",           "food",
        ", coins", "; points", "if the game ended",
    };
    int32_t now[PREVIEWS];

    hadara_now(h, &h->player[seat], now);
    for (int i = 0; i < PREVIEWS - 1; i++)
        (void)fprintf(to, "%s%s %d", i == 0 || names[i][0] < 'a' ? "" : ", ",
                      names[i], now[i]);
    (void)fprintf(to, " (%d %s)", now[PREVIEW_VALUE], names[PREVIEW_VALUE]);
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
                (void)fprintf(to, " (the %s tile is on it)",
                              hadara_track_words[p->card_tile[i]]);
            (void)fputc('\n', to);
        }
}

static void print_player(FILE *to, const struct table *table,
                         const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    char text[160];
    int n = 0;

    (void)fprintf(to, "%s (initiative %d%s%s): ", table->names[seat],
                  p->initiative, p->side == HADARA_NOTHING ? "" : ", side ",
                  p->side == HADARA_NOTHING ? "" : hadara_side_words[p->side]);
    print_numbers(to, h, seat);
    hadara_tiles_text(p, text, sizeof(text));
    (void)fprintf(to, "\n  %d cards; %s\n", p->cards, text);
    for (int i = 0; i < TRACKS; i++) {
        hadara_track_text(h, p, i, false, text, sizeof(text));
        (void)fprintf(to, "  %s %s\n", hadara_track_words[i], text);
    }
    for (int i = 0; i < HADARA_LEVELS; i++)
        if (p->colony[i] != HADARA_NOTHING) {
            hadara_colony_text(h, p, i, text, sizeof(text));
            (void)fprintf(to, "%s level %d %s", n++ == 0 ? "  colonies:" : ",",
                          i + 1, text);
        }
    for (int i = 0; i < HADARA_STATUES; i++)
        if (p->statue_tile[i] != HADARA_NOTHING) {
            hadara_statue_text(h, p, i, text, sizeof(text));
            (void)fprintf(to, "%s statue %d: %s", n++ == 0 ? " " : ";", i + 1,
                          text);
        }
    (void)fprintf(to, "%s", n > 0 ? "\n" : "");
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

static void print_choice(FILE *to, const struct table *table,
                         const struct rules_state *view, int seat,
                         const struct hadara_choice *choice)
{
    int32_t now[PREVIEWS], then[PREVIEWS];
    char words[200], text[500], typed[RULES_TEXT_MAX];
    int n = 0;

    hadara_move_words(view, seat, &choice->move, words, sizeof(words));
    (void)fprintf(to, "%s%s",
                  hadara_move_chosen(view, seat, &choice->move) ? "* " : "  ",
                  words);
    (void)text_move(table->rules, view, &choice->move, typed, sizeof(typed));
    (void)fprintf(to, " [%s]", typed);
    if (choice->refusal != RULES_OK) {
        (void)fprintf(to, ": %s",
                      rules_reason_text(table->rules, choice->refusal));
    } else if (hadara_move_preview(table->rules, view, seat, &choice->move,
                                   then)) {
        hadara_now(hadara_of(view), &hadara_of(view)->player[seat], now);
        for (int i = 0; i < PREVIEWS; i++)
            if (now[i] != then[i])
                (void)fprintf(to, "%s %s %d to %d", n++ == 0 ? ":" : ",",
                              i < TRACKS            ? hadara_track_words[i]
                              : i == PREVIEW_COINS  ? "coins"
                              : i == PREVIEW_POINTS ? "points"
                                                    : "if the game ended",
                              now[i], then[i]);
    }
    hadara_move_text(table, view, seat, &choice->move, text, sizeof(text));
    (void)fprintf(to, "%s", text[0] != '\0' ? "\n" : "");
    if (text[0] != '\0')
        layout_paragraph(to, "      ", text, 78);
    else
        (void)fputc('\n', to);
}

static void print_hand(FILE *to, const struct table *table,
                       const struct rules_state *view)
{
    static struct hadara_choice choices[HADARA_CHOICES_MAX];
    const struct hadara *h = hadara_of(view);
    int seat = view->viewer;
    char text[300];

    if (seat >= view->seats)
        return;
    hadara_task_text(table, view, seat, text, sizeof(text));
    (void)fprintf(to, "%s: %s.\n", table->names[seat], text);
    (void)fputs("Now: ", to);
    print_numbers(to, h, seat);
    hadara_tiles_text(&h->player[seat], text, sizeof(text));
    (void)fprintf(to, "; %d cards; %s\n", h->player[seat].cards, text);
    size_t n = hadara_choices(table->rules, view, seat, choices);
    for (size_t i = 0; i < n; i++)
        print_choice(to, table, view, seat, &choices[i]);
    for (int e = 0; e < HADARA_EPOCHS; e++)
        for (int c = 0; c < HUES; c++)
            if (h->player[seat].sold_card[e][c] != HADARA_NOTHING)
                (void)fprintf(
                    to, "You sold %s face down.\n",
                    hadara_card_words[h->player[seat].sold_card[e][c]]);
}

static void print_situation(FILE *to, const struct table *table,
                            const struct rules_state *view)
{
    const struct hadara *h = hadara_of(view);
    char text[300];

    if (rules_over(view))
        return;
    hadara_stage_text(h, text, sizeof(text));
    (void)fprintf(to, "Hadara, %s. ", text);
    if (view->viewer < view->seats) {
        const struct hadara_player *p = &h->player[view->viewer];
        hadara_task_text(table, view, view->viewer, text, sizeof(text));
        (void)fprintf(to, "%s: %s", table->names[view->viewer], text);
        if (p->drawn[0] != HADARA_NOTHING)
            (void)fprintf(to, ": %s, %s", hadara_card_words[p->drawn[0]],
                          hadara_card_words[p->drawn[1]]);
        (void)fprintf(to, ". `hand` tells what it would bring.");
    }
    (void)fputc('\n', to);
}

const struct game_ui hadara_ui = {
    .game = "hadara",
    .phrases = phrases,
    .board = print_board,
    .hand = print_hand,
    .situation = print_situation,
    .screen = &hadara_screen,
};
