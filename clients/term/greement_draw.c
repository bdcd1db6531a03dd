#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "greement_tools.h"
#include "protocol/sbuf_printf.h"

#define PANEL_WIDTH 35
#define VALUE_ROWS  6

/* ---- beside the grid ---------------------------------------------------- */

/* A value, and the key that chooses it while a card raises or lowers one. */
static void draw_value(const struct ui *ui, int y, int x, int width, int value)
{
    char number[16];
    int n = 0;

    if (greement_moments(ui) & (RAISING | LOWERING)) {
        char key = choices_key_of(&greement_choices,
                                  choices_tool(&greement_choices, RAISE,
                                               value));
        n = ui_print(y, x, 2, ui_attr(ui, STYLE_KEY), "%c ", key);
        ui_button(y, x, 1, width, key);
    }
    (void)snprintf(number, sizeof(number), "%d",
                   greement_table(ui)->value[value]);
    int digits = (int)strlen(number);
    ui_text(y, x + n, width - digits - 1 - n, A_NORMAL, greement_value(value),
            false);
    ui_text(y, x + width - digits, digits, ui_attr(ui, STYLE_BOLD), number,
            false);
}

static void draw_values(const struct ui *ui, int y, int x, int width)
{
    static const uint8_t order[2][VALUE_ROWS] = {
        {LAND_PRICE, SEED_PRICE, CROP_PROFIT, CATTLE_PRICE, CATTLE_PROFIT,
         ACTION_CARD_PRICE},
        {MINE_PRICE, MINE_PROFIT, LAKE_MULTIPLIER, MOUNTAIN_MULTIPLIER,
         DISTANCE_TAX, VALUES},
    };
    int left = (width + 1) / 2;

    for (int row = 0; row < VALUE_ROWS; row++) {
        draw_value(ui, y + row, x, left - 1, order[0][row]);
        if (order[1][row] != VALUES)
            draw_value(ui, y + row, x + left, width - left, order[1][row]);
        else
            ui_print(y + row, x + left, width - left, ui_attr(ui, STYLE_DIM),
                     _("deck %d of 7"),
                     greement_cards_left(greement_table(ui)));
    }
}

/* All players in a line: money, and what a turn earns. */
static void draw_players_narrow(const struct ui *ui, int y, int width)
{
    const struct greement *g = greement_table(ui);
    int each = width / g->base.seats;

    for (int seat = 0; seat < g->base.seats; seat++) {
        char line[80], money[24], income[24];
        bool waited = (g->base.acting & RULES_BIT(seat)) != 0;
        greement_brief(g->player[seat].money, money, sizeof(money));
        greement_brief(greement_income(g, seat), income, sizeof(income));
        (void)snprintf(line, sizeof(line), "%c%d %s+%s %s", waited ? '>' : ' ',
                       seat, money, income, ui->table->names[seat]);
        ui_text(y, seat * each, each - 1, ui_attr(ui, STYLE_SEAT + seat), line,
                true);
    }
}

static void say_money(const struct ui *ui, int seat, char *buf, size_t cap)
{
    greement_brief(greement_table(ui)->player[seat].money, buf, cap);
}

static void say_profit(const struct ui *ui, int seat, char *buf, size_t cap)
{
    greement_brief(greement_income(greement_table(ui), seat), buf, cap);
}

static void say_wealth(const struct ui *ui, int seat, char *buf, size_t cap)
{
    int32_t parts[PARTS];
    greement_brief(greement_wealth(greement_table(ui), seat, parts), buf, cap);
}

static void say_debt(const struct ui *ui, int seat, char *buf, size_t cap)
{
    greement_brief(greement_table(ui)->player[seat].debt, buf, cap);
}

/* The last one only where there are loans. */
static const struct ui_column columns[] = {
    {N_("money"), 7, say_money},
    {N_("profit"), 7, say_profit},
    {N_("wealth"), 7, say_wealth},
    {N_("debt"), 7, say_debt},
};

/* ---- the title ---------------------------------------------------------- */

static void draw_title(const struct ui *ui)
{
    const struct greement *g = greement_table(ui);
    char line[400];
    struct sbuf s = sbuf_in(line, sizeof(line));

    sbuf_puts(&s, " Greement");
    if (g->phase == PHASE_OVER)
        sbuf_printf(&s, _("   over, after %d rounds"), g->turns);
    else if (g->phase == PHASE_PICK)
        sbuf_puts(&s, _("   starting squares"));
    else
        sbuf_printf(&s, _("   round %d of %d"), g->round + 1, g->turns);
    if (greement_event_now(g) != GREEMENT_NOBODY)
        sbuf_printf(&s, _("   event %d of %d"), g->events, GREEMENT_EVENTS);
    else if (g->turn < g->base.seats && g->phase != PHASE_OVER)
        sbuf_printf(&s, _("   turn: %s"), ui->table->names[g->turn]);
    if (ui_plays(ui))
        sbuf_printf(&s, _("   %s has %d"), ui->table->names[ui->seat],
                    g->player[ui->seat].money);
    ui_text(0, 0, ui->columns, ui_attr(ui, STYLE_BAR), line, true);
}

/* ---- below the grid ----------------------------------------------------- */

/* The card that waits, offers, the event; how many lines. */
static int draw_matters(const struct ui *ui, int y, int height, int width)
{
    const struct greement *g = greement_table(ui);
    int event = greement_event_now(g), row = 0;
    char text[400], line[500];

    if (g->phase == PHASE_TURN && g->pending != GREEMENT_NOBODY) {
        (void)snprintf(line, sizeof(line), _("Action card of %s: %s"),
                       ui->table->names[g->turn],
                       greement_card_texts[g->pending]);
        row += ui_wrap(y, 1, height, width, ui_attr(ui, STYLE_BOLD), line);
    }
    for (int i = 0; i < g->offers && row < height; i++) {
        const struct greement_offer *offer = &g->offer[i];
        greement_say_offer(ui->table, g, offer, text, sizeof(text));
        bool other = offer->with != ui->seat &&
                     (ui->table->bots >> offer->with & 1) == 0;
        (void)snprintf(line, sizeof(line), _("Offer %s%s"), text,
                       other ? _("   (t: answer)") : "");
        row += ui_wrap(y + row, 1, height - row, width,
                       offer->with == ui->seat ? ui_attr(ui, STYLE_GOOD)
                                               : A_NORMAL,
                       line);
    }
    if (event != GREEMENT_NOBODY && row < height) {
        (void)snprintf(line, sizeof(line), _("Event: %s"),
                       greement_event_texts[event]);
        row += ui_wrap(y + row, 1, height - row, width,
                       ui_attr(ui, STYLE_BOLD), line);
        greement_say_event(ui->table, g, text, sizeof(text));
        row += ui_wrap(y + row, 1, height - row, width, A_NORMAL, text);
    }
    if (g->deciders > 0 && event == GREEMENT_NOBODY && row < height) {
        (void)snprintf(line, sizeof(line),
                       _("%s alone will decide the next vote."),
                       ui->table->names[g->decider[0]]);
        row += ui_wrap(y + row, 1, height - row, width, ui_attr(ui, STYLE_DIM),
                       line);
    }
    return row;
}

/* ---- all of it ----------------------------------------------------------- */

enum pane { PANE_GRID, PANE_LINE, PANE_TOOLS, PANE_INFO, PANE_REST, PANES };

struct plan {
    struct cells_window w;
    struct ui_pane pane[PANES];
    int panel; /* columns beside the grid */
    int below; /* columns of what is below it */
    int log;   /* of the log beside all of it, or 0 */
};

/* Beside the grid there are the values and below them the players, or only the
 * values: then the players are a line below. */
static bool has_players(const struct plan *p)
{
    return p->panel >= PANEL_WIDTH - 2;
}

static void make_plan(struct ui *ui, struct plan *p)
{
    int seats = ui->view.state.seats;
    struct ui_pane grid = cells_pane(ui, &greement_cells, GREEMENT_SIDE, 1,
                                     ui->columns - 2, PANEL_WIDTH);

    *p = (struct plan){.w = {.y = 2, .x = 2}, .below = ui->columns};
    for (int pass = 0; pass < 2; pass++) { /* what is beside tells how high */
        bool wide = pass > 0 && has_players(p);
        int tall = wide ? VALUE_ROWS + seats : VALUES;
        struct ui_pane panes[PANES] = {
            [PANE_GRID] = grid,
            [PANE_LINE] = {.wants = {!wide}, .must = true},
            [PANE_TOOLS] = {.wants = {choices_bar(ui, &greement_choices, -1,
                                                  p->below)},
                            .must = true},
            [PANE_INFO] = {.wants = {2}, .must = true},
            [PANE_REST] = {.wants = {1, 3, 6, ui->lines}},
        };
        for (int i = 0; i < UI_WISHES; i++)
            if (panes[PANE_GRID].wants[i] < tall)
                panes[PANE_GRID].wants[i] = tall;
        ui->missing = ui_split(panes, PANES, 1, ui->lines - 2);
        for (int i = 0; i < PANES; i++)
            p->pane[i] = panes[i];
        cells_fit(ui, &greement_cells, panes[PANE_GRID].lines - 1,
                  ui->columns - p->w.x, PANEL_WIDTH, &p->w);
        p->panel = ui->columns - p->w.x - p->w.width - 1;
        int log_x = p->w.x + p->w.width + PANEL_WIDTH + 13;
        if (p->w.lines == 2 && ui->columns - log_x >= PANEL_WIDTH) {
            p->log = ui->columns - log_x;
            p->below = log_x - 1;
        }
    }
}

/* The table of values and the players beside the grid. */
static void draw_panel(const struct ui *ui, const struct plan *p)
{
    const struct greement *g = greement_table(ui);
    int x = p->w.x + p->w.width + 1, row = 1 + VALUE_ROWS;
    int width = p->panel < PANEL_WIDTH + 10 ? p->panel : PANEL_WIDTH + 10;
    int end = p->pane[PANE_GRID].y + p->pane[PANE_GRID].lines;

    if (!has_players(p)) {
        for (int value = 0; value < VALUES; value++)
            draw_value(ui, 1 + value, x, p->panel, value);
        draw_players_narrow(ui, p->pane[PANE_LINE].y, ui->columns);
        return;
    }
    draw_values(ui, 1, x, width);
    row += end - row > g->base.seats + 1;
    ui_players(ui, row, x, end - row, width, columns, g->loans ? 4 : 3, NULL);
}

/* The log goes where there is most room for it. */
void greement_draw(struct ui *ui)
{
    struct plan p;

    make_plan(ui, &p);
    const struct ui_pane *rest = &p.pane[PANE_REST];
    draw_title(ui);
    cells_draw(ui, &greement_cells, &p.w, NULL);
    draw_panel(ui, &p);
    (void)choices_bar(ui, &greement_choices, p.pane[PANE_TOOLS].y, p.below);
    choices_info(ui, &greement_choices, p.pane[PANE_INFO].y, p.below, 2);
    int matters = draw_matters(ui, rest->y, rest->lines - (p.log == 0),
                               p.below - 2);
    if (p.log == 0)
        ui_log(ui, rest->y + matters, 0, rest->lines - matters, p.below);
    else
        ui_log_box(ui, 1, ui->columns - p.log, ui->lines - 2, p.log);
}
