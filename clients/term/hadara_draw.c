#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/preview.h"
#include "hadara_offers.h"
#include "protocol/sbuf_printf.h"

#define PANEL_FROM 118 /* columns from which on there is a panel */
#define PANEL_MIN  38
#define LABEL_MIN  14
#define TOLD_LINES 2

static void draw_title(const struct ui *ui)
{
    const struct hadara *h = hadara_table(ui);
    char stage[100], task[200], text[400];

    hadara_stage_text(h, stage, sizeof(stage));
    hadara_task_text(ui->table, &ui->view.state, ui->seat, task, sizeof(task));
    (void)snprintf(text, sizeof(text), _(" Hadara   %s   %s: %s"), stage,
                   ui->seat < ui->view.state.seats ? ui->table->names[ui->seat]
                                                   : "-",
                   task);
    if (output_width(text) > ui->columns)
        (void)snprintf(text, sizeof(text), " %s   %s", stage, task);
    ui_text(0, 0, ui->columns, ui_attr(ui, STYLE_BAR), text, true);
}

/* Numbers right-aligned in their columns; those that are other than BEFORE
 * with what they were. */
static void draw_numbers(const struct ui *ui, const struct hadara_plan *plan,
                         int y, const int64_t *now, const int64_t *before)
{
    for (int i = 0; i < PREVIEWS; i++) {
        char text[60];
        bool changed = before != NULL && before[i] != now[i];
        attr_t attr = changed ? ui_attr(ui, now[i] > before[i] ? STYLE_GOOD
                                                               : STYLE_BAD)
                      : before != NULL ? ui_attr(ui, STYLE_DIM)
                                       : A_NORMAL;
        const char *arrow = ui->unicode ? "→" : ">";
        if (changed)
            (void)snprintf(text, sizeof(text), "%d%s%d", (int)before[i], arrow,
                           (int)now[i]);
        if (changed && output_width(text) >= plan->number) /* too narrow */
            (void)snprintf(text, sizeof(text), "%s%d", arrow, (int)now[i]);
        if (!changed)
            (void)snprintf(text, sizeof(text),
                           i == PREVIEW_VALUE ? "(%d)" : "%d", (int)now[i]);
        int pad = plan->number - output_width(text);
        ui_text(y, plan->label + i * plan->number + (pad > 0 ? pad : 0),
                plan->number, attr, text, false);
    }
}

const char *const hadara_heads[2][PREVIEWS] = {
    {N_("inc"), N_("mil"), N_("cul"), N_("food"), N_("coin"), N_("pts"),
     N_("now")},
    {N_("income"), N_("milit."), N_("cultur"), N_("food"), N_("coins"),
     N_("points"), N_("if end")},
};

static void draw_heads(const struct ui *ui, const struct hadara_plan *plan,
                       int y)
{
    attr_t attr = ui_attr(ui, STYLE_BOLD);

    ui_text(y, 1, plan->label - 1, attr, _("Players"), false);
    for (int i = 0; i < PREVIEWS; i++) {
        const char *head = _(hadara_heads[plan->number > 6][i]);
        int pad = plan->number - output_width(head);
        ui_text(y, plan->label + i * plan->number + (pad > 1 ? pad : 1),
                plan->number - 1, attr, head, false);
    }
}

static void draw_player(const struct ui *ui, const struct hadara_plan *plan,
                        int y, int seat)
{
    const struct hadara *h = hadara_table(ui);
    const struct hadara_player *p = &h->player[seat];
    int64_t now[RULES_FIGURES_MAX];
    bool first = h->epoch > 0 && hadara_first(h, h->epoch) == seat;
    int room = plan->label - 1, name = room > 26 ? room - 18 : room - 8;

    if (name > 14)
        name = 14;
    hadara_rules.count(&ui->view.state, seat, now);
    ui_text(y, 0, 1, ui_attr(ui, STYLE_KEY), seat == ui->seat ? ">" : " ",
            false);
    int x = 1 + name;
    (void)ui_print(y, 1, name, ui_attr(ui, STYLE_SEAT + seat), "%d %s", seat,
                   ui->table->names[seat]);
    x += ui_text(y, x, plan->label - x, ui_attr(ui, STYLE_BOLD),
                 first ? _(" 1st") : "    ", false);
    ui_print(y, x, plan->label - x, A_NORMAL, " %2dc %s", p->cards,
             rules_over(&ui->view.state) ? "" : hadara_doing(h, seat));
    draw_numbers(ui, plan, y, now, NULL);
}

static void draw_way(const struct ui *ui, const struct hadara_plan *plan,
                     int y, size_t row)
{
    const struct rules_state *view = &ui->view.state;
    size_t count;
    const struct hadara_choice *choice = hadara_choice_of(ui, row, &count);
    static struct preview_room room;
    struct preview p;
    char words[160], text[240];
    bool chosen = row == hadara_here.at && !hadara_here.looking;
    attr_t attr = chosen                        ? ui_attr(ui, STYLE_CHOSEN)
                  : choice->refusal != RULES_OK ? ui_attr(ui, STYLE_DIM)
                                                : A_NORMAL;

    hadara_move_words(view, ui->seat, &choice->move, words, sizeof(words));
    struct sbuf s = sbuf_in(text, sizeof(text));
    sbuf_printf(&s, "%c%c %s",
                hadara_move_chosen(view, ui->seat, &choice->move) ? '*'
                : row == hadara_here.at                           ? '>'
                                                                  : ' ',
                row < 9 ? (int)('1' + row) : ' ', words);
    if (count > 1)
        sbuf_printf(&s, " <%zu/%zu>", hadara_offers.variant[row] + 1, count);
    ui_text(y, 0, plan->label, attr, text, chosen);
    ui_place(y, 0, 1, plan->width, (int)row);
    if (choice->refusal != RULES_OK) {
        ui_text(y, plan->label + 1, plan->width - plan->label - 1, attr,
                layout_reason(ui->table->rules, choice->refusal), chosen);
        return;
    }
    if (preview_move(ui->table->rules, view, ui->seat, &choice->move, &room,
                     &p) == RULES_OK &&
        !p.unseen)
        draw_numbers(ui, plan, y, p.after, p.before);
}

/* The rows as far as there is room, the one in hand among them. */
static void draw_ways(const struct ui *ui, const struct hadara_plan *plan)
{
    int y = plan->pane[PANE_WAYS].y;
    size_t room = (size_t)plan->pane[PANE_WAYS].lines;

    if (hadara_here.rows == 0 && room > 0 && rules_over(&ui->view.state))
        ui_text(y, 1, plan->width - 1, ui_attr(ui, STYLE_BOLD),
                _("The game is over: s shows the points by category."), false);
    hadara_here.top = (size_t)ui_scrolled((int)hadara_here.top,
                                          (int)hadara_here.at, 0, (int)room,
                                          (int)hadara_here.rows);
    for (size_t i = 0; i < room && hadara_here.top + i < hadara_here.rows;
         i++) {
        draw_way(ui, plan, y + (int)i, hadara_here.top + i);
        bool up = i == 0 && hadara_here.top > 0;
        bool down = i == room - 1 && hadara_here.top + room < hadara_here.rows;
        if (up || down)
            ui_text(y + (int)i, plan->label - 1, 1, ui_attr(ui, STYLE_KEY),
                    up ? "^" : "v", false);
    }
}

static void draw_told(const struct ui *ui, const struct hadara_plan *plan,
                      int y)
{
    const struct hadara_choice *choice = hadara_choice_at(ui, hadara_here.at);
    int card = hadara_card_at(ui);
    char text[700] = "";

    if (card != HADARA_NOTHING)
        hadara_card_text(hadara_table(ui), ui->seat, card, text, sizeof(text));
    else if (choice != NULL && !hadara_here.looking)
        hadara_move_text(ui->table, &ui->view.state, ui->seat, &choice->move,
                         text, sizeof(text));
    else if (hadara_here.looking)
        (void)snprintf(text, sizeof(text), _("There is no card here."));
    (void)ui_wrap(y, 1, TOLD_LINES, plan->width - 2, ui_attr(ui, STYLE_KEY),
                  text);
}

/* ---- all of it ---------------------------------------------------------- */

/* The first lines that are given are those with which one can play; then those
 * for which a window of 80 x 24 has room, and all that is asked for. */
static void make_panes(const struct ui *ui, struct hadara_plan *plan)
{
    int rows = hadara_here.rows > 0 ? (int)hadara_here.rows : 1;
    int few = rows < 3 ? rows : 3, some = rows < 5 ? rows : 5;
    int head = plan->head, names = hadara_name_lines(ui, plan);
    int cards = hadara_column_lines(ui), seats = ui->view.state.seats;
    bool log = plan->panel == 0;

    memcpy(plan->pane,
           (struct ui_pane[PANES]){
               [PANE_PLAYERS] = {.wants = {1 + seats}, .must = true},
               [PANE_WAYS] = {.wants = {few, few, some, rows}, .must = true},
               [PANE_TOLD] = {.wants = {TOLD_LINES}, .must = true},
               [PANE_RING] = {.wants = {head, head + 1, head + names,
                                        head + cards},
                              .whole = true},
               [PANE_BOARD] = {.wants = {HADARA_BOARD_LINES}},
               [PANE_LOG] = {.wants = {log, log, log, log ? ui->lines : 0}},
           },
           sizeof(plan->pane));
}

static void make_plan(struct ui *ui, struct hadara_plan *plan)
{
    *plan = (struct hadara_plan){0};
    if (ui->columns >= PANEL_FROM)
        plan->panel = PANEL_MIN + (ui->columns - PANEL_FROM) / 3;
    plan->width = ui->columns - plan->panel - (plan->panel > 0);
    plan->number = plan->width >= 100 ? 9 : plan->width >= 76 ? 7 : 5;
    while (plan->number > 4 &&
           plan->width - PREVIEWS * plan->number < LABEL_MIN)
        plan->number--;
    plan->label = plan->width - PREVIEWS * plan->number - 1;
    plan->head = HADARA_RING_LINES - !hadara_players_draw(ui);
    make_panes(ui, plan);
    ui->missing = ui_split(plan->pane, PANES, 1, ui->lines - 2);
    plan->cards = plan->pane[PANE_RING].lines - plan->head;
}

static void draw_panel(const struct ui *ui, const struct hadara_plan *plan)
{
    int x = plan->width + 1, width = plan->panel, y = 1;

    for (int row = 1; row < ui->lines - 1; row++)
        ui_text(row, x - 1, 1, ui_attr(ui, STYLE_DIM), ui->unicode ? "│" : "|",
                false);
    y += ui_scores(ui, y, x + 1, 13, width - 2) + 1;
    ui_log_box(ui, y, x, ui->lines - 1 - y, width);
}

void hadara_draw(struct ui *ui)
{
    struct hadara_plan plan;
    const struct ui_pane *pane = plan.pane;

    make_plan(ui, &plan);
    draw_title(ui);
    draw_heads(ui, &plan, pane[PANE_PLAYERS].y);
    for (int seat = 0; seat < ui->view.state.seats; seat++)
        draw_player(ui, &plan, pane[PANE_PLAYERS].y + 1 + seat, seat);
    draw_ways(ui, &plan);
    draw_told(ui, &plan, pane[PANE_TOLD].y);
    if (pane[PANE_RING].lines > 0)
        hadara_draw_ring(ui, &plan, pane[PANE_RING].y);
    if (pane[PANE_BOARD].lines > 0)
        hadara_draw_board(ui, &plan, pane[PANE_BOARD].y, hadara_shown(ui));
    if (plan.panel > 0 && pane[PANE_BOARD].lines > 0)
        hadara_draw_others(ui, &plan, pane[PANE_LOG].y);
    ui_log(ui, pane[PANE_LOG].y, 0, pane[PANE_LOG].lines, plan.width);
    if (plan.panel > 0)
        draw_panel(ui, &plan);
}
