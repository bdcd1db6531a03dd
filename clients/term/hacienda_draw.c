#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "core/utf8.h"
#include "hacienda_hexes.h"
#include "hacienda_tools.h"
#include "protocol/sbuf_printf.h"

#define BOARD_LEAST  4  /* rows of hexes with which one can play */
#define TOOL_LINES   5  /* below them: hand, animals, two of cards, things */
#define TOOL_COLUMNS 90 /* what they take */
#define PANEL_NARROW 9
#define PANEL_WIDE   30

static void draw_title(const struct ui *ui)
{
    const struct hacienda *h = hacienda_of(ui);
    const char *done = ui->unicode ? "●" : "*";
    const char *todo = ui->unicode ? "◌" : ".";
    char actions[32] = "", line[256];

    for (int i = 0; i < HACIENDA_ACTIONS; i++)
        (void)strcat(actions, i < h->actions ? done : todo);
    if (rules_over(&ui->view.state) || h->turn >= ui->view.state.seats) {
        (void)snprintf(line, sizeof(line),
                       _(" Hacienda   over, after %d rounds"), h->round);
    } else {
        (void)snprintf(line, sizeof(line),
                       _(" Hacienda  %s %s  round %d   %s %s  %d pesos%s"),
                       ui->unicode ? (h->half == 1 ? "◐" : "●") : "",
                       h->half == 1 ? _("first half") : _("second half"),
                       h->round, ui->table->names[h->turn], actions,
                       h->player[h->turn].money,
                       h->due == DUE_INTERIM
                           ? _("   interim scoring after this round")
                       : h->due == DUE_FINAL ? _("   LAST ROUND")
                                             : "");
    }
    ui_text(0, 0, ui->columns, ui_attr(ui, STYLE_BAR), line, true);
}

/* "3+7 pts": what was scored, and what would be now. */
static void say_points(const struct ui *ui, int seat, char *buf, size_t cap)
{
    bool scored = (ui->score.parts & (1u << PART_INTERIM)) != 0;
    int interim = scored ? ui->score.part[PART_INTERIM][seat] : 0;
    int now = ui->score.total[seat] - interim;

    if (scored)
        (void)snprintf(buf, cap, _("%d+%d pts"), interim, now);
    else
        (void)snprintf(buf, cap, _("%d pts"), now);
}

/* Three lines for each player. */
static void draw_narrow(const struct ui *ui, int y, int x, int height,
                        int width)
{
    const struct hacienda *h = hacienda_of(ui);
    int seats = ui->view.state.seats, rows = height / seats;

    if (rows > 4)
        rows = 4;
    for (int seat = 0; seat < seats && rows > 0; seat++) {
        int row = y + seat * rows;
        char name[64], points[32];
        (void)snprintf(name, sizeof(name), "%d %s", seat,
                       ui->table->names[seat]);
        ui_text(row, x, width,
                ui_attr(ui, STYLE_SEAT + seat) |
                    (h->turn == seat ? A_REVERSE : A_NORMAL),
                name, true);
        if (rows > 1)
            ui_print(row + 1, x, width, A_NORMAL, "%d$ %d+%d",
                     h->player[seat].money, hacienda_hand(h, seat, STACK_LAND),
                     hacienda_hand(h, seat, STACK_ANIMALS));
        say_points(ui, seat, points, sizeof(points));
        if (rows > 2)
            ui_text(row + 2, x, width, ui_attr(ui, STYLE_BOLD), points, false);
    }
}

/* What could still be in a stack. */
static int draw_unseen(const struct ui *ui, int y, int x, int width, int stack)
{
    const struct hacienda *h = hacienda_of(ui);
    int first = stack == STACK_LAND ? 0 : LAND_CARDS;
    int last = stack == STACK_LAND ? LAND_CARDS : CARDS;
    int row = y + 1, column = 0;
    char text[80];

    ui_print(y, x, width, ui_attr(ui, STYLE_BOLD),
             stack == STACK_LAND ? _("Land pile: %d")
             : h->half == 1      ? _("Animal pile: %d, then %d")
                                 : _("Animal pile: %d"),
             h->supply[stack], h->aside);
    for (int card = first; card < last; card++) {
        (void)snprintf(text, sizeof(text), "%s %d", hacienda_card_name(card),
                       hacienda_unseen(h, card));
        if (column > 0 && column + output_width(text) > width - 2) {
            row++;
            column = 0;
        }
        column += 2 + ui_text(row, x + 1 + column, width - 1 - column,
                              ui_attr(ui, STYLE_DIM), text, false);
    }
    return row + 1 - y;
}

static void say_money(const struct ui *ui, int seat, char *buf, size_t cap)
{
    (void)snprintf(buf, cap, "%d", hacienda_of(ui)->player[seat].money);
}

static void say_land(const struct ui *ui, int seat, char *buf, size_t cap)
{
    (void)snprintf(buf, cap, "%d",
                   hacienda_hand(hacienda_of(ui), seat, STACK_LAND));
}

static void say_animals(const struct ui *ui, int seat, char *buf, size_t cap)
{
    (void)snprintf(buf, cap, "%d",
                   hacienda_hand(hacienda_of(ui), seat, STACK_ANIMALS));
}

static const struct ui_column columns[] = {
    {N_("pesos"), 6, say_money},
    {N_("land"), 6, say_land},
    {N_("animals"), 8, say_animals},
};

static const char *behind_name(const struct ui *ui, int seat)
{
    return hacienda_of(ui)->start == seat ? _(" (first)") : "";
}

static void draw_wide(const struct ui *ui, int y, int x, int height, int width)
{
    int end = y + height, row = y;

    row += ui_players(ui, row, x, height, width, columns, COUNT_OF(columns),
                      behind_name) +
           1;
    row += ui_scores(ui, row, x, end - row, width) + 1;
    for (int stack = 0; stack < STACKS && row + 4 < end; stack++)
        row += draw_unseen(ui, row, x, width, stack);
    if (end - row > 3)
        ui_log_box(ui, row + 1, x, end - row - 1, width);
}

/* TOOL K of VERB, with its key if it has one of its own. */
static int draw_tool(const struct ui *ui, int y, int x, int verb, int k,
                     bool has_key, const char *text)
{
    int tool = choices_tool(&hacienda_choices, verb, k);
    char key[2] = {has_key ? choices_key_of(&hacienda_choices, tool) : '\0'};

    return choices_draw_tool(ui, &hacienda_choices, y, x, tool, key, text);
}

/* WORD, or its beginning where there is little room. */
static const char *brief(const struct ui *ui, const char *word, char buf[40])
{
    size_t fit = ui->columns < TOOL_COLUMNS - 12 ? 4 : 38;

    (void)snprintf(buf, 40, "%s", word);
    if (strlen(word) > fit)
        buf[utf8_cut(word, fit)] = '\0';
    return buf;
}

static int draw_cards(const struct ui *ui, int y, int first, int last)
{
    const struct hacienda_player *p = &hacienda_of(ui)->player[ui->seat];
    int x = 6, gap = ui->columns >= 90 ? 3 : 1;

    for (int card = first; card < last; card++) {
        char text[80];
        char word[40];
        if (p->known[card] > 0)
            (void)snprintf(text, sizeof(text), "%s %d+%d",
                           brief(ui, hacienda_card_name(card), word),
                           p->unknown[card], p->known[card]);
        else
            (void)snprintf(text, sizeof(text), "%s %d",
                           brief(ui, hacienda_card_name(card), word),
                           p->unknown[card]);
        bool land = card < LAND_CARDS;
        x += draw_tool(ui, y, x, land ? PLAY_LAND : PLAY_ANIMAL,
                       land ? card : card - LAND_CARDS, true, text) +
             gap;
    }
    return x;
}

static void draw_hand(const struct ui *ui, int y)
{
    char text[80], word[40];

    ui_text(y, 0, 5, ui_attr(ui, STYLE_BOLD), _(" Hand"), false);
    if (ui->seat >= ui->view.state.seats)
        return;
    (void)draw_cards(ui, y, 0, LAND_CARDS);
    int x = draw_cards(ui, y + 1, LAND_CARDS, CARDS) + 2;
    (void)snprintf(text, sizeof(text), "%s %d", brief(ui, _("harvest"), word),
                   hacienda_of(ui)->chips_left);
    x += 2 + draw_tool(ui, y + 1, x, HARVEST, 0, true, text);
    (void)draw_tool(ui, y + 1, x, END_TURN, 0, true, _("end turn"));
}

/* A pile and the cards face up beside it. */
static void draw_stack(const struct ui *ui, int y, int stack)
{
    const struct hacienda *h = hacienda_of(ui);
    bool land = stack == STACK_LAND;
    char text[80], word[40];
    int x = 30;

    (void)snprintf(text, sizeof(text),
                   land ? _("land pile %d, %d$") : _("animal pile %d, %d$"),
                   h->supply[stack], hacienda_cost(h, BUY_LAND_SUPPLY));
    (void)draw_tool(ui, y, 6, land ? BUY_LAND_SUPPLY : BUY_ANIMAL_SUPPLY, 0,
                    true, text);
    bool any = choices_legal(&hacienda_choices, BUY_LAND_DISPLAY) +
                   choices_legal(&hacienda_choices, BUY_ANIMAL_DISPLAY) >
               0;
    (void)ui_text(y, x - 2, 2, ui_attr(ui, any ? STYLE_KEY : STYLE_DIM),
                  land ? "b" : "", false);
    for (int slot = 0; slot < HACIENDA_SLOTS; slot++) {
        int card = h->display[stack][slot];
        if (card != HACIENDA_NOBODY)
            x += 2 + draw_tool(ui, y, x,
                               land ? BUY_LAND_DISPLAY : BUY_ANIMAL_DISPLAY,
                               slot, false,
                               brief(ui, hacienda_card_name(card), word));
    }
    ui_print(y, x, 12, A_NORMAL, "%d$", hacienda_cost(h, BUY_LAND_DISPLAY));
}

/* Haciendas and water. */
static void draw_things(const struct ui *ui, int y)
{
    static const char *const shapes[SHAPES] = {
        [SHAPE_SINGLE] = N_("single"),
        [SHAPE_DOUBLE] = N_("double"),
        [SHAPE_TRIANGLE] = N_("triangle"),
        [SHAPE_LINE] = N_("line"),
    };
    const struct hacienda *h = hacienda_of(ui);
    char text[80], word[40];

    (void)snprintf(text, sizeof(text), "%s %d, %d$",
                   brief(ui, _("hacienda"), word), h->haciendas_left,
                   hacienda_cost(h, BUY_HACIENDA));
    int x = 6 + 2 + draw_tool(ui, y, 6, BUY_HACIENDA, 0, true, text);
    bool water = choices_legal(&hacienda_choices, BUY_WATER) > 0;
    x += ui_text(y, x, 2, ui_attr(ui, water ? STYLE_KEY : STYLE_DIM), "w ",
                 false);
    x += ui_text(y, x, 6, ui_attr(ui, water ? STYLE_PLAIN : STYLE_DIM),
                 _("water"), false);
    for (int shape = 0; shape < SHAPES; shape++) {
        (void)snprintf(text, sizeof(text), "%s %d",
                       brief(ui, _(shapes[shape]), word),
                       h->waters_left[shape]);
        x += 1 + draw_tool(ui, y, x + 1, BUY_WATER, shape, false, text);
    }
    (void)ui_print(y, x, 8, A_NORMAL, ", %d$", hacienda_cost(h, BUY_WATER));
}

static void draw_tools(const struct ui *ui, int y)
{
    draw_hand(ui, y);
    ui_text(y + 2, 0, 6, ui_attr(ui, STYLE_BOLD), _(" Buy"), false);
    for (int stack = 0; stack < STACKS; stack++)
        draw_stack(ui, y + 2 + stack, stack);
    draw_things(ui, y + 4);
}

/* ---- all of it ----------------------------------------------------------- */

enum { PANE_BOARD, PANE_TOOLS, PANE_INFO, PANE_LOG, PANES };

/* The columns of the panel: where a wide one has no room there is a narrow one,
 * or none. */
static int panel_width(const struct ui *ui, int room)
{
    if (room < PANEL_NARROW)
        return ui->columns >= 60 ? PANEL_NARROW : 0;
    if (room < PANEL_WIDE)
        return ui->columns >= 110 ? PANEL_WIDE : PANEL_NARROW;
    return room;
}

void hacienda_draw(struct ui *ui)
{
    struct cells *board = &hacienda_cells;
    struct cells_window w = {.y = 1, .x = hacienda_of(ui)->cols > 26 ? 3 : 2};
    int room = ui->columns - w.x;
    struct ui_pane pane[PANES] = {
        [PANE_BOARD] = cells_pane(ui, board, BOARD_LEAST, 0, room, PANEL_WIDE),
        [PANE_TOOLS] = {.wants = {TOOL_LINES}, .must = true},
        [PANE_INFO] = {.wants = {1}, .must = true},
        [PANE_LOG] = {.wants = {1, 1, 1, ui->lines}},
    };

    ui->missing = ui_split(pane, PANES, 1, ui->lines - 2);
    int height = pane[PANE_BOARD].lines;
    cells_fit(ui, board, height, room, PANEL_WIDE, &w);
    int panel = panel_width(ui, room - w.width - 1);
    cells_fit(ui, board, height, room - panel - (panel > 0), 0, &w);
    int x = w.x + w.width + 1;
    bool tall = panel >= PANEL_WIDE && x >= TOOL_COLUMNS;

    draw_title(ui);
    choices_draw_board(ui, &hacienda_choices, &w);
    if (panel >= PANEL_WIDE)
        draw_wide(ui, 1, x, tall ? ui->lines - 2 : height, ui->columns - x);
    else if (panel > 0)
        draw_narrow(ui, 1, x, height, ui->columns - x);
    draw_tools(ui, pane[PANE_TOOLS].y);
    choices_info(ui, &hacienda_choices, pane[PANE_INFO].y, ui->columns, 1);
    if (!tall) /* there the panel has the log */
        ui_log(ui, pane[PANE_LOG].y, 0, pane[PANE_LOG].lines, ui->columns);
}
