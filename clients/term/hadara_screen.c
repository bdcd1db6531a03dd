/* hadara_screen.c -- the full screen of Hadara.
 *
 *     title     epoch, phase, step; what the player at the keyboard is to do
 *     players   tracks, coins, points (and value if the game ended now) of all
 *     choices   what one can do, and what these numbers would be after it: the
 *               same columns, so that both are read from top to bottom
 *     text      all about the choice in hand, or the card under the cursor
 *     ring      the five colours as columns: deck, who draws there, pile,
 *               and the cards of the board that is shown
 *     board     whose it is, tiles, medals, what feeds the tracks, colonies,
 *               statues
 *     log       what happened last; beside all of it where there is room
 *
 * One picks a choice and presses Enter.  Tab goes to the cards and back. */

#include <stdlib.h>
#include <string.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "hadara_ui.h"
#include "protocol/sbuf_printf.h"
#include "screen.h"

#define PANEL_FROM   118 /* columns from which on there is a panel */
#define PANEL_MIN    38
#define LABEL_MIN    14
#define PAIR_PLATE   PAIR_OF_GAME          /* + colour: on a ground of it */
#define PAIR_INK     (PAIR_OF_GAME + HUES) /* + colour: in it */
#define TOLD_LINES   2
#define RING_LINES   3 /* heads, players if they draw, piles; then cards */
#define BOARD_LINES  5
#define COLUMN_CARDS (HADARA_SEATS_MAX + HADARA_OWNED_MAX)

static struct {
    struct hadara_choice choice[HADARA_CHOICES_MAX];
    size_t choices;
    size_t row[HADARA_CHOICES_MAX]; /* the choice of each row that is up */
    size_t rows, at, top;
    int shown;      /* whose board, or -1: one's own */
    bool looking;   /* among the cards */
    int column, in; /* where: a segment, and a card of it */
} my;

/* Where things are, for a window of this size. */
struct plan {
    int width;          /* without the panel */
    int number, label;  /* of the columns of numbers; before them */
    int cards, choices; /* lines */
    bool board, ring;   /* there is room for them */
    int head;           /* lines of the ring above the cards */
    int panel;          /* columns, 0: none */
    int log;            /* lines below everything */
};

static const struct hadara *table_of(const struct ui *ui)
{
    return hadara_of(&ui->view.state);
}

static int shown_seat(const struct ui *ui)
{
    if (my.shown >= 0)
        return my.shown;
    return ui->seat < ui->view.state.seats ? ui->seat : 0;
}

/* ---- the position ------------------------------------------------------- */

static void start(struct ui *ui)
{
    static const short plates[2][HUES][2] = {
        {{COLOR_BLACK, COLOR_YELLOW},
         {COLOR_WHITE, COLOR_RED},
         {COLOR_WHITE, COLOR_BLUE},
         {COLOR_BLACK, COLOR_GREEN},
         {COLOR_WHITE, COLOR_MAGENTA}},
        {{16, 220}, {231, 160}, {231, 26}, {231, 28}, {231, 91}},
    };
    static const short inks[2][HUES] = {
        {COLOR_YELLOW, COLOR_RED, COLOR_BLUE, COLOR_GREEN, COLOR_MAGENTA},
        {178, 167, 68, 71, 134},
    };

    memset(&my, 0, sizeof(my));
    my.shown = -1;
    for (int i = 0; ui->colour && i < HUES; i++) {
        init_pair((short)(PAIR_PLATE + i), plates[ui->many][i][0],
                  plates[ui->many][i][1]);
        init_pair((short)(PAIR_INK + i), inks[ui->many][i], -1);
    }
}

/* The rows: of choices that differ in a detail, the first. */
static void make_rows(void)
{
    my.rows = 0;
    for (size_t i = 0; i < my.choices; i++) {
        bool is_new = true;
        for (size_t k = 0; k < my.rows && is_new; k++)
            is_new = !hadara_same_choice(&my.choice[my.row[k]].move,
                                         &my.choice[i].move);
        if (is_new)
            my.row[my.rows++] = i;
    }
}

static const struct hadara_choice *choice_at(size_t row)
{
    return row < my.rows ? &my.choice[my.row[row]] : NULL;
}

static void fresh(struct ui *ui)
{
    const struct rules_state *view = &ui->view.state;

    my.choices = hadara_choices(ui->table->rules, view, ui->seat, my.choice);
    make_rows();
    my.at = my.top = 0;
    my.shown = -1;
    my.looking = false;
    while (my.at + 1 < my.rows && choice_at(my.at)->refusal != RULES_OK)
        my.at++;
    for (size_t i = 0; i < my.choices; i++) {
        if (!hadara_move_chosen(view, ui->seat, &my.choice[i].move))
            continue;
        for (size_t k = 0; k < my.rows; k++) {
            if (!hadara_same_choice(&my.choice[my.row[k]].move,
                                    &my.choice[i].move))
                continue;
            my.row[k] = i;
            my.at = k;
        }
    }
}

/* How many choices there are in a row, and which one is up, from 1. */
static size_t variants(size_t row, size_t *which)
{
    size_t n = 0;
    for (size_t i = 0; i < my.choices; i++) {
        if (!hadara_same_choice(&my.choice[i].move,
                                &my.choice[my.row[row]].move))
            continue;
        n++;
        if (i == my.row[row])
            *which = n;
    }
    return n;
}

static void turn_variant(size_t row, int by)
{
    size_t which = 0, n = variants(row, &which), k = 0;
    if (n == 0)
        return;
    size_t want = (which - 1 + (by < 0 ? n - 1 : 1)) % n;

    for (size_t i = 0, is = my.row[row]; i < my.choices; i++)
        if (hadara_same_choice(&my.choice[i].move, &my.choice[is].move) &&
            k++ == want)
            my.row[row] = i;
}

/* ---- cards of a segment ------------------------------------------------- */

/* From the top of its pile down, then those on the board that is shown. */
static int column_cards(const struct ui *ui, int column,
                        uint8_t cards[COLUMN_CARDS])
{
    const struct hadara *h = table_of(ui);
    const struct hadara_player *p = &h->player[shown_seat(ui)];
    int color = h->ring[column], n = 0;

    if (color == HADARA_NOTHING)
        return 0;
    for (int i = h->piles[color]; i-- > 0;)
        cards[n++] = h->pile[color][i];
    for (int i = 0; i < p->cards; i++)
        if (hadara_card_color(p->card[i]) == color)
            cards[n++] = p->card[i];
    return n;
}

static int pile_of(const struct ui *ui, int column)
{
    const struct hadara *h = table_of(ui);
    return h->ring[column] == HADARA_NOTHING ? 0 : h->piles[h->ring[column]];
}

static bool is_looked_at(int column, int in)
{
    return my.looking && my.column == column && my.in == in;
}

static int card_looked_at(const struct ui *ui)
{
    uint8_t cards[COLUMN_CARDS];

    if (!my.looking || my.in >= column_cards(ui, my.column, cards))
        return HADARA_NOTHING;
    return cards[my.in];
}

/* ---- drawing ------------------------------------------------------------ */

static attr_t plate(const struct ui *ui, int color)
{
    return ui->colour ? (attr_t)COLOR_PAIR(PAIR_PLATE + color) : A_REVERSE;
}

static attr_t ink(const struct ui *ui, int color)
{
    return ui->colour ? (attr_t)COLOR_PAIR(PAIR_INK + color) : A_NORMAL;
}

static void draw_title(const struct ui *ui)
{
    const struct hadara *h = table_of(ui);
    char stage[100], task[200], text[400];

    hadara_stage_text(h, stage, sizeof(stage));
    hadara_task_text(ui->table, &ui->view.state, ui->seat, task, sizeof(task));
    (void)snprintf(text, sizeof(text), " Hadara   %s   %s: %s", stage,
                   ui->seat < ui->view.state.seats ? ui->table->names[ui->seat]
                                                   : "-",
                   task);
    if (output_width(text) > ui->columns)
        (void)snprintf(text, sizeof(text), " %s   %s", stage, task);
    ui_text(0, 0, ui->columns, ui_attr(ui, STYLE_BAR), text, true);
}

/* Numbers right-aligned in their columns; those that are other than BEFORE
 * with what they were. */
static void draw_numbers(const struct ui *ui, const struct plan *plan, int y,
                         const int32_t *now, const int32_t *before,
                         bool chosen)
{
    for (int i = 0; i < PREVIEWS; i++) {
        char text[32];
        bool changed = before != NULL && before[i] != now[i];
        attr_t attr = changed ? ui_attr(ui, now[i] > before[i] ? STYLE_GOOD
                                                               : STYLE_BAD)
                      : before != NULL ? ui_attr(ui, STYLE_DIM)
                                       : A_NORMAL;
        if (chosen)
            attr = ui_attr(ui, STYLE_CHOSEN);
        if (changed)
            (void)snprintf(text, sizeof(text), "%d%s%d", before[i],
                           ui->unicode ? "→" : ">", now[i]);
        else
            (void)snprintf(text, sizeof(text),
                           i == PREVIEW_VALUE ? "(%d)" : "%d", now[i]);
        int pad = plan->number - output_width(text);
        int x = plan->label + i * plan->number;
        if (chosen)
            ui_text(y, x, plan->number, attr, "", true);
        ui_text(y, x + (pad > 0 ? pad : 0), plan->number, attr, text, false);
    }
}

static void draw_heads(const struct ui *ui, const struct plan *plan, int y)
{
    static const char *const heads[2][PREVIEWS] = {
        {"inc", "mil", "cul", "food", "coin", "pts", "now"},
        {"income", "milit.", "cultur", "food", "coins", "points", "if end"},
    };
    attr_t attr = ui_attr(ui, STYLE_BOLD);

    ui_text(y, 1, plan->label - 1, attr, "Players", false);
    for (int i = 0; i < PREVIEWS; i++)
        ui_print(y, plan->label + i * plan->number, plan->number, attr,
                 "%*.*s", plan->number, plan->number - 1,
                 heads[plan->number > 6][i]);
}

static void draw_player(const struct ui *ui, const struct plan *plan, int y,
                        int seat)
{
    const struct hadara *h = table_of(ui);
    const struct hadara_player *p = &h->player[seat];
    int32_t now[PREVIEWS];
    bool first = h->epoch > 0 && hadara_first(h, h->epoch) == seat;
    int room = plan->label - 1, name = room > 26 ? room - 18 : room - 8;

    if (name > 14)
        name = 14;
    hadara_now(h, p, now);
    ui_text(y, 0, 1, ui_attr(ui, STYLE_KEY), seat == ui->seat ? ">" : " ",
            false);
    int x = 1 + name;
    (void)ui_print(y, 1, name, ui_attr(ui, STYLE_SEAT + seat), "%d %s", seat,
                   ui->table->names[seat]);
    x += ui_text(y, x, plan->label - x, ui_attr(ui, STYLE_BOLD),
                 first ? " 1st" : "    ", false);
    ui_print(y, x, plan->label - x, A_NORMAL, " %2dc %s", p->cards,
             rules_over(&ui->view.state) ? "" : hadara_doing(h, seat));
    draw_numbers(ui, plan, y, now, NULL, false);
}

static void draw_way(const struct ui *ui, const struct plan *plan, int y,
                     size_t row)
{
    const struct rules_state *view = &ui->view.state;
    const struct hadara_choice *choice = choice_at(row);
    int32_t now[PREVIEWS], then[PREVIEWS];
    char words[160], text[240];
    size_t which = 1, count = variants(row, &which);
    bool chosen = row == my.at && !my.looking;
    attr_t attr = chosen                        ? ui_attr(ui, STYLE_CHOSEN)
                  : choice->refusal != RULES_OK ? ui_attr(ui, STYLE_DIM)
                                                : A_NORMAL;

    hadara_move_words(view, ui->seat, &choice->move, words, sizeof(words));
    struct sbuf s = sbuf_in(text, sizeof(text));
    sbuf_printf(&s, "%c%c %s",
                hadara_move_chosen(view, ui->seat, &choice->move) ? '*'
                : row == my.at                                    ? '>'
                                                                  : ' ',
                row < 9 ? (int)('1' + row) : ' ', words);
    if (count > 1)
        sbuf_printf(&s, " <%zu/%zu>", which, count);
    ui_text(y, 0, plan->label, attr, text, chosen);
    if (choice->refusal != RULES_OK) {
        ui_text(y, plan->label + 1, plan->width - plan->label - 1, attr,
                rules_reason_text(ui->table->rules, choice->refusal), chosen);
        return;
    }
    if (!hadara_move_preview(ui->table->rules, view, ui->seat, &choice->move,
                             then))
        return;
    hadara_now(table_of(ui), &table_of(ui)->player[ui->seat], now);
    draw_numbers(ui, plan, y, then, now, false);
}

/* The rows as far as there is room, the one in hand among them. */
static void draw_ways(const struct ui *ui, const struct plan *plan, int y)
{
    size_t room = (size_t)plan->choices;

    if (my.rows == 0 && plan->choices > 0 && rules_over(&ui->view.state))
        ui_text(y, 1, plan->width - 1, ui_attr(ui, STYLE_BOLD),
                "The game is over: s shows the points by category.", false);
    if (my.at < my.top)
        my.top = my.at;
    if (room > 0 && my.at >= my.top + room)
        my.top = my.at - room + 1;
    for (size_t i = 0; i < room && my.top + i < my.rows; i++) {
        draw_way(ui, plan, y + (int)i, my.top + i);
        bool up = i == 0 && my.top > 0;
        bool down = i == room - 1 && my.top + room < my.rows;
        if (up || down)
            ui_text(y + (int)i, plan->label - 1, 1, ui_attr(ui, STYLE_KEY),
                    up ? "^" : "v", false);
    }
}

/* TEXT in lines of WIDTH, at most HEIGHT of them. */
static void draw_text(int y, int x, int height, int width, attr_t attr,
                      const char *text)
{
    for (int row = 0; row < height && *text != '\0'; row++) {
        size_t n = strlen(text), fit = (size_t)width;
        if (n > fit) {
            n = fit;
            while (n > fit / 2 && text[n] != ' ')
                n--;
            if (n == fit / 2)
                n = fit;
        }
        ui_print(y + row, x, width, attr, "%.*s", (int)n, text);
        text += n;
        text += *text == ' ';
    }
}

static void draw_told(const struct ui *ui, const struct plan *plan, int y)
{
    const struct hadara_choice *choice = choice_at(my.at);
    int card = card_looked_at(ui);
    char text[700] = "";

    if (card != HADARA_NOTHING)
        hadara_card_text(table_of(ui), ui->seat, card, text, sizeof(text));
    else if (choice != NULL && !my.looking)
        hadara_move_text(ui->table, &ui->view.state, ui->seat, &choice->move,
                         text, sizeof(text));
    else if (my.looking)
        (void)snprintf(text, sizeof(text), "There is no card here.");
    draw_text(y, 1, TOLD_LINES, plan->width - 2, ui_attr(ui, STYLE_KEY), text);
}

/* ---- the ring ----------------------------------------------------------- */

static int column_x(const struct plan *plan, int column)
{
    return column * plan->width / HADARA_STEPS;
}

static int column_width(const struct plan *plan, int column)
{
    return column_x(plan, column + 1) - column_x(plan, column) - 1;
}

/* What a card brings, with the name of its effect if there is room for it. */
static void draw_little(const struct ui *ui, int y, int x, int width,
                        attr_t attr, int seat, int card)
{
    char text[100];

    hadara_card_short(table_of(ui), seat, card, true, text, sizeof(text));
    if (output_width(text) > width)
        hadara_card_short(table_of(ui), seat, card, false, text, sizeof(text));
    ui_text(y, x, width, attr, text, false);
}

/* Whether players stand at the ring. */
static bool drawing(const struct ui *ui)
{
    return table_of(ui)->stage == STAGE_CHOOSE;
}

static const char *star(const struct ui *ui, int card)
{
    return hadara_tables(table_of(ui))->card[card].effect != HADARA_NOTHING
               ? "*"
               : "";
}

/* Who draws in this segment, and the pile's top card. */
static void draw_segment(const struct ui *ui, const struct plan *plan, int y,
                         int column)
{
    const struct hadara *h = table_of(ui);
    int color = h->ring[column], x = column_x(plan, column);
    int width = column_width(plan, column), n = 0;
    char text[100];

    (void)snprintf(text, sizeof(text), " %s", hadara_color_words[color]);
    ui_text(y, x, width, plate(ui, color), text, true);
    ui_print(y, x + width - 3, 3, plate(ui, color), "%2d",
             hadara_deck(h, color));
    for (int seat = 0; drawing(ui) && seat < h->base.seats; seat++)
        if (hadara_segment(h, seat, h->step) == color)
            n += ui_print(y + 1, x + n, width - n,
                          ui_attr(ui, STYLE_SEAT + seat), "%d %s", seat,
                          ui->table->names[seat]);
    y += 1 + drawing(ui);
    if (h->piles[color] == 0) {
        ui_text(y, x, width, ui_attr(ui, STYLE_DIM), "no pile", false);
        return;
    }
    int card = h->pile[color][h->piles[color] - 1];
    n = ui_print(y, x, width,
                 is_looked_at(column, 0) ? ui_attr(ui, STYLE_CHOSEN)
                                         : ui_attr(ui, STYLE_BOLD),
                 "%d:%s%s", h->piles[color], hadara_card_number(card),
                 star(ui, card));
    draw_little(ui, y, x + n + 1, width - n - 1, A_NORMAL, ui->seat, card);
}

static attr_t card_attr(const struct ui *ui, int column, int in)
{
    bool pile = in < pile_of(ui, column);
    if (is_looked_at(column, in))
        return ui_attr(ui, STYLE_CHOSEN);
    return pile ? ui_attr(ui, STYLE_DIM)
                : ink(ui, table_of(ui)->ring[column]) | A_BOLD;
}

/* A line for each card, with what it brings; those in the pile in
 * parentheses, as they are nobody's. */
static void draw_column_wide(const struct ui *ui, const struct plan *plan,
                             int y, int column)
{
    uint8_t cards[COLUMN_CARDS];
    int n = column_cards(ui, column, cards), x = column_x(plan, column);
    int width = column_width(plan, column), pile = pile_of(ui, column);

    for (int i = 1 - (pile == 0), row = 0; i < n && row < plan->cards;
         i++, row++) {
        bool below = i < pile;
        int used = ui_print(y + row, x, width, card_attr(ui, column, i),
                            "%s%s%s%s", below ? "(" : "",
                            hadara_card_number(cards[i]), star(ui, cards[i]),
                            below ? ")" : "");
        draw_little(ui, y + row, x + used + 1, width - used - 1,
                    below ? ui_attr(ui, STYLE_DIM) : A_NORMAL,
                    below ? ui->seat : RULES_WATCHER, cards[i]);
    }
}

/* Names only, several in a line; what lies in the pile stays out. */
static void draw_column_narrow(const struct ui *ui, const struct plan *plan,
                               int y, int column)
{
    uint8_t cards[COLUMN_CARDS];
    int n = column_cards(ui, column, cards), x = column_x(plan, column);
    int width = column_width(plan, column), pile = pile_of(ui, column);
    int each = width >= 5 ? width / 5 : 1, room = each * plan->cards;
    int from = pile; /* or from where the cursor is seen */

    if (my.looking && my.column == column && my.in >= pile + room)
        from = my.in - room + 1;
    if (my.looking && my.column == column && my.in > 0 && my.in < pile)
        from = my.in;
    for (int i = from; i < n && i - from < room; i++) {
        bool more = i - from == room - 1 && i < n - 1;
        ui_print(y + (i - from) / each, x + (i - from) % each * 5, 5,
                 card_attr(ui, column, i), "%s%s",
                 hadara_card_number(cards[i]),
                 more ? "+" : star(ui, cards[i]));
    }
}

/* The lines that the fullest column would like, a card in each. */
static int column_lines(const struct ui *ui)
{
    uint8_t cards[COLUMN_CARDS];
    int most = 1;

    for (int c = 0; c < HADARA_STEPS; c++) {
        int n = column_cards(ui, c, cards) - (pile_of(ui, c) > 0);
        most = n > most ? n : most;
    }
    return most;
}

/* The same where only the names on the board are shown. */
static int name_lines(const struct ui *ui, const struct plan *plan)
{
    uint8_t cards[COLUMN_CARDS];
    int each = plan->width / HADARA_STEPS / 5, most = 1;

    for (int c = 0; c < HADARA_STEPS && each > 0; c++) {
        int n = column_cards(ui, c, cards) - pile_of(ui, c);
        most = (n + each - 1) / each > most ? (n + each - 1) / each : most;
    }
    return most;
}

static void draw_ring(const struct ui *ui, const struct plan *plan, int y)
{
    bool wide = column_lines(ui) <= plan->cards;

    for (int c = 0; c < HADARA_STEPS; c++) {
        if (table_of(ui)->ring[c] == HADARA_NOTHING)
            continue;
        draw_segment(ui, plan, y, c);
        if (wide)
            draw_column_wide(ui, plan, y + plan->head, c);
        else
            draw_column_narrow(ui, plan, y + plan->head, c);
    }
}

/* ---- a board ------------------------------------------------------------ */

static void draw_board_head(const struct ui *ui, const struct plan *plan,
                            int y, int seat)
{
    const struct hadara *h = table_of(ui);
    int n;
    const struct hadara_player *p = &h->player[seat];
    char text[120];

    ui_text(y, 0, plan->width, ui_attr(ui, STYLE_DIM) | A_UNDERLINE, "", true);
    n = ui_print(y, 1, plan->width - 1, ui_attr(ui, STYLE_SEAT + seat), "%s",
                 ui->table->names[seat]);
    hadara_tiles_text(p, text, sizeof(text));
    n += ui_print(y, 1 + n, plan->width - 1 - n, A_UNDERLINE,
                  " setup %d%s%s  ", p->initiative,
                  p->side == HADARA_NOTHING ? "" : hadara_side_words[p->side],
                  h->advanced ? " advanced" : "");
    ui_text(y, 1 + n, plan->width - 1 - n, A_UNDERLINE, text, false);
}

static void draw_colonies(const struct ui *ui, const struct plan *plan, int y,
                          int seat)
{
    const struct hadara *h = table_of(ui);
    const struct hadara_player *p = &h->player[seat];
    int32_t track[TRACKS];
    int each = (plan->width - 4) / HADARA_LEVELS;
    char text[80];

    hadara_tracks(h, p, track);
    ui_text(y, 1, 3, ui_attr(ui, STYLE_BOLD), "col", false);
    for (int i = 0; i < HADARA_LEVELS; i++) {
        hadara_colony_text(h, p, i, text, sizeof(text));
        bool taken = p->colony[i] != HADARA_NOTHING;
        bool near = track[TRACK_MILITARY] >=
                    hadara_colony_requirement(h, p, i);
        ui_text(y, 5 + i * each, i == HADARA_LEVELS - 1 ? each : each - 1,
                taken  ? ui_attr(ui, STYLE_GOOD)
                : near ? ui_attr(ui, STYLE_BOLD)
                       : ui_attr(ui, STYLE_DIM),
                text, false);
    }
}

static void draw_statues(const struct ui *ui, const struct plan *plan, int y,
                         int seat)
{
    const struct hadara *h = table_of(ui);
    const struct hadara_player *p = &h->player[seat];
    int32_t track[TRACKS];
    int each = (plan->width - 4) / HADARA_STATUES;
    char text[80];

    hadara_tracks(h, p, track);
    ui_text(y, 1, 3, ui_attr(ui, STYLE_BOLD), "sta", false);
    for (int i = 0; i < HADARA_STATUES; i++) {
        hadara_statue_text(h, p, i, text, sizeof(text));
        bool taken = p->statue_tile[i] != HADARA_NOTHING;
        bool near = track[TRACK_CULTURE] >= hadara_statue_requirement(h, p, i);
        ui_text(y, 5 + i * each, each - 1,
                taken  ? ui_attr(ui, STYLE_GOOD)
                : near ? ui_attr(ui, STYLE_BOLD)
                       : ui_attr(ui, STYLE_DIM),
                text, false);
    }
}

static void draw_board(const struct ui *ui, const struct plan *plan, int y,
                       int seat)
{
    const struct hadara *h = table_of(ui);
    const struct hadara_player *p = &h->player[seat];

    draw_board_head(ui, plan, y, seat);
    for (int i = 0; i < TRACKS; i++) {
        char text[120];
        int x = 1 + i % 2 * (plan->width / 2), row = y + 1 + i / 2;
        int n = ui_print(row, x, plan->width / 2 - 1, ink(ui, i) | A_BOLD,
                         plan->width < 100 && i < TRACK_FOOD ? "%.3s " : "%s ",
                         hadara_track_words[i]);
        int room = plan->width / 2 - 2 - n;
        hadara_track_text(h, p, i, false, text, sizeof(text));
        if (output_width(text) > room)
            hadara_track_text(h, p, i, true, text, sizeof(text));
        ui_text(row, x + n, room, A_NORMAL, text, false);
    }
    draw_colonies(ui, plan, y + 3, seat);
    draw_statues(ui, plan, y + 4, seat);
}

/* The cards on a board that is not shown in the ring. */
static void draw_others_cards(const struct ui *ui, const struct plan *plan,
                              int y, int seat)
{
    const struct hadara_player *p = &table_of(ui)->player[seat];
    int x = 1;

    for (int color = 0; color < HUES; color++)
        for (int i = 0; i < p->cards; i++)
            if (hadara_card_color(p->card[i]) == color)
                x += 1 + ui_print(y, x, plan->width - x,
                                  ink(ui, color) | A_BOLD, "%c%s%s",
                                  hadara_color_words[color][0],
                                  hadara_card_number(p->card[i]),
                                  star(ui, p->card[i]));
}

/* The boards of the others, as many as there is room for. */
static void draw_others(const struct ui *ui, const struct plan *plan, int y)
{
    int seats = ui->view.state.seats;

    for (int i = 1; i < seats; i++) {
        int seat = (shown_seat(ui) + i) % seats;
        if (y + BOARD_LINES + 1 > ui->lines - 1)
            return;
        draw_board(ui, plan, y, seat);
        draw_others_cards(ui, plan, y + BOARD_LINES, seat);
        y += BOARD_LINES + 1;
    }
}

/* ---- all of it ---------------------------------------------------------- */

static int at_most(int n, int most)
{
    return n < most ? n : most < 0 ? 0 : most;
}

/* Gives lines to what wants them; returns what is left. */
static int give(int *to, int wanted, int left)
{
    int more = at_most(wanted - *to, left);
    more = more < 0 ? 0 : more;
    *to += more;
    return left - more;
}

static void make_plan(const struct ui *ui, struct plan *plan)
{
    int rows = my.rows > 0 ? (int)my.rows : 1;
    int left = ui->lines - 3 - ui->view.state.seats - TOLD_LINES;

    *plan = (struct plan){0};
    if (ui->columns >= PANEL_FROM)
        plan->panel = PANEL_MIN + (ui->columns - PANEL_FROM) / 3;
    plan->width = ui->columns - plan->panel - (plan->panel > 0);
    plan->number = plan->width >= 100 ? 9 : plan->width >= 76 ? 7 : 6;
    while (plan->number > 4 &&
           plan->width - PREVIEWS * plan->number < LABEL_MIN)
        plan->number--;
    plan->label = plan->width - PREVIEWS * plan->number - 1;
    plan->choices = at_most(rows < 3 ? rows : 3, left);
    left -= plan->choices;
    plan->head = RING_LINES - !drawing(ui);
    plan->ring = left >= plan->head;
    left -= plan->ring ? plan->head : 0;
    plan->board = left >= BOARD_LINES + 1;
    left -= plan->board ? BOARD_LINES : 0;
    left = plan->panel > 0 ? left : give(&plan->log, 1, left);
    left = plan->ring ? give(&plan->cards, 1, left) : left;
    left = give(&plan->choices, at_most(rows, 5), left);
    int names = name_lines(ui, plan), cards = column_lines(ui);
    left = plan->ring ? give(&plan->cards, names, left) : left;
    left = give(&plan->choices, rows, left);
    if (plan->ring && plan->cards + left >= cards)
        left = give(&plan->cards, cards, left);
    if (plan->panel == 0)
        plan->log += left;
}

static void draw_panel(const struct ui *ui, const struct plan *plan)
{
    int x = plan->width + 1, width = plan->panel, y = 1;

    for (int row = 1; row < ui->lines - 1; row++)
        ui_text(row, x - 1, 1, ui_attr(ui, STYLE_DIM), ui->unicode ? "│" : "|",
                false);
    y += ui_scores(ui, y, x + 1, 13, width - 2) + 1;
    ui_text(y++, x + 1, width - 2, ui_attr(ui, STYLE_BOLD), "What happened",
            false);
    ui_log(ui, y, x, ui->lines - 1 - y, width);
}

static void draw(struct ui *ui)
{
    struct plan plan;
    int y = 1;

    make_plan(ui, &plan);
    draw_title(ui);
    draw_heads(ui, &plan, y++);
    for (int seat = 0; seat < ui->view.state.seats; seat++)
        draw_player(ui, &plan, y++, seat);
    draw_ways(ui, &plan, y);
    y += plan.choices;
    draw_told(ui, &plan, y);
    y += TOLD_LINES;
    if (plan.ring)
        draw_ring(ui, &plan, y);
    y += plan.ring ? plan.head + plan.cards : 0;
    if (plan.board)
        draw_board(ui, &plan, y, shown_seat(ui));
    y += plan.board ? BOARD_LINES : 0;
    if (plan.panel > 0 && plan.board)
        draw_others(ui, &plan, y);
    ui_log(ui, y, 0,
           ui->lines - 1 - y < plan.log ? ui->lines - 1 - y : plan.log,
           plan.width);
    if (plan.panel > 0)
        draw_panel(ui, &plan);
}

/* ---- keys --------------------------------------------------------------- */

static void look(struct ui *ui, int dx, int dy)
{
    uint8_t cards[COLUMN_CARDS];

    my.column = (my.column + dx + HADARA_STEPS) % HADARA_STEPS;
    int n = column_cards(ui, my.column, cards);
    my.in += dy;
    if (my.in >= n)
        my.in = dy != 0 ? 0 : n - 1;
    if (my.in < 0)
        my.in = dy != 0 && n > 0 ? n - 1 : 0;
}

static void step(struct ui *ui, int by)
{
    if (my.looking) {
        look(ui, 0, by);
    } else if (my.rows > 0) {
        my.at = (my.at + my.rows + (size_t)(by < 0 ? my.rows - 1 : 1)) %
                my.rows;
    }
}

static void sideways(struct ui *ui, int by)
{
    if (my.looking)
        look(ui, by, 0);
    else if (my.at < my.rows)
        turn_variant(my.at, by);
}

static void use(struct ui *ui)
{
    const struct hadara_choice *choice = choice_at(my.at);

    if (my.looking) {
        my.looking = false;
    } else if (choice == NULL) {
        ui_say(ui, false, "There is nothing to be done.");
    } else {
        struct rules_move move = choice->move;
        (void)ui_play(ui, &move);
    }
}

/* To the first row with a move of VERB. */
static void go_to_verb(struct ui *ui, int verb)
{
    my.looking = false;
    for (size_t i = 0; i < my.rows; i++) {
        if (choice_at(i)->move.verb == verb) {
            my.at = i;
            return;
        }
    }
    ui_say(ui, true, "Not now.");
}

/* To the next row that buys, or that sells. */
static void go_to_keep(struct ui *ui, int keep)
{
    my.looking = false;
    for (size_t i = 1; i <= my.rows; i++) {
        size_t row = (my.at + i) % my.rows;
        const struct rules_move *move = &choice_at(row)->move;
        if ((move->verb == CHOOSE || move->verb == TAKE) &&
            move->arg[1] == keep) {
            my.at = row;
            return;
        }
    }
    ui_say(ui, true, "There is no card to %s now.", hadara_keep_words[keep]);
}

static void show_next(const struct ui *ui, int by)
{
    int seats = ui->view.state.seats;
    int seat = (shown_seat(ui) + by + seats) % seats;
    my.shown = seat == ui->seat ? -1 : seat;
    my.in = 0;
}

static void show_boards(struct ui *ui)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    hadara_ui.board(to, ui->table, &ui->view.state);
    (void)fputs("\nEffects of purple cards:\n", to);
    for (int i = 0; hadara_effect_words[i] != NULL; i++)
        (void)fprintf(to, "  %s%s: %s\n", hadara_effect_words[i],
                      hadara_effect_starred(i) ? "*" : "",
                      hadara_effect_texts[i]);
    (void)fputs("\nAbout the numbers:\n", to);
    for (int i = 0; hadara_notes[i] != NULL; i++)
        (void)fprintf(to, "  %s\n", hadara_notes[i]);
    (void)fclose(to);
    ui_page(ui, "Piles, boards and effects", text);
    free(text);
}

static bool key_of_card(struct ui *ui, int key)
{
    switch (key) {
    case KEY_UP:
    case 'k': step(ui, -1); return true;
    case KEY_DOWN:
    case 'j': step(ui, 1); return true;
    case KEY_LEFT:
    case 'h': sideways(ui, -1); return true;
    case KEY_RIGHT:
    case 'l': sideways(ui, 1); return true;
    case '\t':
        my.looking = !my.looking;
        my.in = my.looking ? my.in : 0;
        if (my.looking)
            look(ui, 0, 0);
        return true;
    case KEY_ESCAPE:
        my.looking = false;
        my.shown = -1;
        return true;
    case 'o':
    case 'n': show_next(ui, 1); return true;
    case 'p': show_next(ui, -1); return true;
    case 'c': show_boards(ui); return true;
    default: return false;
    }
}

static bool key(struct ui *ui, int key)
{
    if (key_of_card(ui, key))
        return true;
    if (rules_over(&ui->view.state) || my.rows == 0)
        return false;
    if (key >= '1' && key <= '9') {
        my.looking = false;
        if ((size_t)(key - '1') < my.rows)
            my.at = (size_t)(key - '1');
        else
            ui_say(ui, true, "There are only %zu ways.", my.rows);
        return true;
    }
    switch (key) {
    case 'b': go_to_keep(ui, KEEP_BUY); return true;
    case 'v': go_to_keep(ui, KEEP_SELL); return true;
    case 'e':
        go_to_verb(ui, table_of(ui)->stage == STAGE_FEED ? DONE : PASS);
        return true;
    case KEY_RETURN:
    case ' ': use(ui); return true;
    default: return false;
    }
}

const struct screen hadara_screen = {
    .start = start,
    .fresh = fresh,
    .draw = draw,
    .key = key,
    .keys = " arrows choose  Enter do  Tab cards  o other board  u undo  "
            "? help  q quit",
    .help =
        "Choose what to do and press Enter. Beside each way stand your numbers"
        " after\nit.\n"
        "\n"
        "  up down, k j  the next way       1-9  the way of that number\n"
        "  left right    another tile, or amount, where <1/4> is shown\n"
        "  b v           the next card to buy, to sell\n"
        "  e             pass; done with the epoch\n"
        "  Enter, space  do it. In phase A you may change it until all have\n"
        "                chosen; t if another one sits at the keyboard\n"
        "\n"
        "  Tab           to the cards and back: the arrows go from card to\n"
        "                card; its cost for you and its effect stand below the"
        "\n                ways\n"
        "  o n p         the next player's board (n), the previous one's (p)\n"
        "  Esc           back to your own board and ways\n"
        "  c             all piles, boards and purple effects; which numbers\n"
        "                are estimates\n"
        "\n"
        "Players: 1st is the first player of the epoch, 7c are seven cards.\n"
        "Points are those of cards, colonies and statues, (in parentheses) the"
        "\nvalue if the game ended now.\n"
        "The ring: cards left in the deck, who draws there, the pile (3:1-05 is"
        "\nthree cards, 1-05 on top), the cards below it (in parentheses), and"
        "\nthen those on the board that is shown. * is a purple effect.\n"
        "Cards in little: 3$ is the cost for you, i m c f income, military,\n"
        "culture and food, p points.\n"
        "Colonies: 9: +4/-1$ 5p needs military 9, plundered for 4, integrated"
        "\nfor 1, 5 points. Statues: 12: 8p, bonus 3 needs culture 12.\n",
};
