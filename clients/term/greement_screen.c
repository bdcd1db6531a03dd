/* greement_screen.c -- the full screen of Greement.
 *
 *     title     round, whose turn or which event, money
 *     grid      ten by ten, with the cursor
 *       panel   beside it: the table of values and the players
 *     keys      what can be done now, each with its key
 *     info      what lies under the cursor, and what could be done with it
 *     matters   the action card that waits, offers, the event
 *     log       what happened last
 *
 * One moves to a square and presses the key of what is to be done with it;
 * where Enter is enough, it is.  Squares on which something is possible stand
 * in (brackets).  Amounts are typed in.  What is legal and what it brings is
 * asked of the rules, on the view. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"
#include "core/utf8.h"
#include "greement_ui.h"
#include "protocol/sbuf_printf.h"
#include "screen.h"

#define PANEL_WIDTH 35
#define VALUE_ROWS  6

/* Those of the values, in their order. */
static const char value_keys[] = "1234567890-";

/* Colour pairs of grounds without an owner. */
enum { PAIR_DOWN, PAIR_LAND, PAIR_MINE, PAIR_LAKE, PAIR_MOUNTAIN, PAIRS };

static struct {
    int cursor;                     /* a square */
    int zoom;                       /* 0: as fits, 1: small, 2: large */
    int width;                      /* of what is below the grid */
    size_t legal[VERBS];            /* legal choices of each verb */
    uint32_t can[GREEMENT_SQUARES]; /* bits of the verbs that work there */
} my;

/* What is done with one square and nothing else, the first one first when
 * Enter is pressed. */
static const struct {
    int verb, key;
    const char *says; /* what it does to the square */
} acts[] = {
    {PICK, 'b', "pick"},
    {STEAL, 'b', "steal"},
    {TREAT, 'b', "treat the cattle"},
    {BUY_LAND, 'b', "buy"},
    {SEED, 'd', "seed"},
    {BUY_CATTLE, 'c', "put cattle"},
};

static const struct greement *table_of(const struct ui *ui)
{
    return greement_of(&ui->view.state);
}

static bool plays(const struct ui *ui)
{
    return ui->seat < ui->view.state.seats && !rules_over(&ui->view.state);
}

/* Whose prices are shown. */
static int buyer_of(const struct ui *ui)
{
    return ui->seat < ui->view.state.seats ? ui->seat : 0;
}

/* ---- the position ------------------------------------------------------- */

static void fresh(struct ui *ui)
{
    memset(my.legal, 0, sizeof(my.legal));
    memset(my.can, 0, sizeof(my.can));
    for (size_t i = 0; i < ui->choice_count; i++) {
        const struct rules_move *move = &ui->choices[i].move;
        my.legal[move->verb]++;
        for (size_t k = 0; k < COUNT_OF(acts); k++)
            if (acts[k].verb == move->verb)
                my.can[move->arg[0]] |= UINT32_C(1) << move->verb;
    }
}

static bool can_here(int verb)
{
    return (my.can[my.cursor] >> verb & 1) != 0;
}

static void start(struct ui *ui)
{
    static const short many[PAIRS][2] = {
        [PAIR_DOWN] = {250, 238},    [PAIR_LAND] = {22, 151},
        [PAIR_MINE] = {94, 222},     [PAIR_LAKE] = {231, 32},
        [PAIR_MOUNTAIN] = {223, 94},
    };
    static const short few[PAIRS][2] = {
        [PAIR_DOWN] = {-1, -1},
        [PAIR_LAND] = {COLOR_GREEN, -1},
        [PAIR_MINE] = {COLOR_YELLOW, -1},
        [PAIR_LAKE] = {COLOR_WHITE, COLOR_BLUE},
        [PAIR_MOUNTAIN] = {COLOR_BLACK, COLOR_YELLOW},
    };

    my.cursor = 4 * GREEMENT_SIDE + 4;
    for (int i = 0; ui->colour && i < PAIRS; i++)
        init_pair((short)(PAIR_OF_GAME + i), (ui->many ? many : few)[i][0],
                  (ui->many ? many : few)[i][1]);
}

/* ---- the grid ----------------------------------------------------------- */

struct window {
    int y, x;  /* of the first square's left mark */
    int unit;  /* columns of a square: 4 or 6 */
    int lines; /* of a square: 1 or 2 */
};

static attr_t square_attr(const struct ui *ui, int square)
{
    static const int pairs[] = {
        [SQUARE_LAND] = PAIR_LAND,   [SQUARE_CROP] = PAIR_LAND,
        [SQUARE_CATTLE] = PAIR_LAND, [SQUARE_MINE] = PAIR_MINE,
        [SQUARE_LAKE] = PAIR_LAKE,   [SQUARE_MOUNTAIN] = PAIR_MOUNTAIN,
    };
    const struct greement *g = table_of(ui);
    int kind = g->square[square], owner = g->owner[square];

    if (owner != GREEMENT_NOBODY)
        return A_BOLD | ui_attr(ui, STYLE_SEAT + owner);
    if (!ui->colour)
        return kind == SQUARE_FACE_DOWN ? A_DIM : A_NORMAL;
    return (attr_t)COLOR_PAIR(
        PAIR_OF_GAME + (kind == SQUARE_FACE_DOWN ? PAIR_DOWN : pairs[kind]));
}

/* Numbers too long for a column get a letter. */
static void brief(int64_t n, char *buf, size_t cap)
{
    static const char units[] = {' ', 'k', 'M', 'G', 'T'};
    size_t unit = 0;

    while ((n >= 100000 || n <= -100000) && unit + 1 < sizeof(units)) {
        n /= 1000;
        unit++;
    }
    (void)snprintf(buf, cap, "%lld%.*s", (long long)n, unit > 0, &units[unit]);
}

/* Below the sign of a square, where there is room: what a free one costs, what
 * another earns. */
static void figure(const struct ui *ui, int square, char buf[24])
{
    const struct greement *g = table_of(ui);
    int price = greement_price(g, buyer_of(ui), square);

    buf[0] = '\0';
    if (g->owner[square] != GREEMENT_NOBODY) {
        buf[0] = '+';
        brief(greement_profit(g, square), buf + 1, 23);
    } else if (price >= 0) {
        brief(price, buf, 24);
    }
}

static void draw_square(const struct ui *ui, const struct window *w,
                        int square)
{
    const struct greement *g = table_of(ui);
    int y = w->y + square / GREEMENT_SIDE * w->lines;
    int x = w->x + square % GREEMENT_SIDE * w->unit;
    attr_t attr = square_attr(ui, square);
    char text[16], number[24];

    greement_cell(g, square, ui->unicode, text);
    if (w->lines == 1) {
        ui_text(y, x + 1, 3, attr, text, true);
        return;
    }
    ui_text(y, x, w->unit - 1, attr, "", true);
    ui_text(y, x + 1, 3, attr, text, true);
    figure(ui, square, number);
    ui_text(y + 1, x, w->unit - 1, attr & ~A_BOLD, "", true);
    ui_text(y + 1, x + 1, w->unit - 2, attr & ~A_BOLD, number, false);
}

static void draw_marks(const struct window *w, int square, const char *left,
                       const char *right, attr_t attr)
{
    int y = w->y + square / GREEMENT_SIDE * w->lines;
    int x = w->x + square % GREEMENT_SIDE * w->unit;

    ui_text(y, x, 1, attr, left, false);
    ui_text(y, x + 4, 1, attr, right, false);
}

static void draw_grid(const struct ui *ui, const struct window *w)
{
    for (int i = 0; i < GREEMENT_SIDE; i++) {
        ui_print(w->y - 1, w->x + i * w->unit + 2, 1, ui_attr(ui, STYLE_DIM),
                 "%c", 'a' + i);
        ui_print(w->y + i * w->lines, 0, 2, ui_attr(ui, STYLE_DIM), "%2d",
                 i + 1);
    }
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        draw_square(ui, w, square);
    for (int square = 0; square < GREEMENT_SQUARES; square++) {
        bool next = w->lines == 1 && square % GREEMENT_SIDE > 0 &&
                    my.can[square - 1] != 0;
        if (my.can[square] != 0)
            draw_marks(w, square, next ? "|" : "(", ")", A_BOLD);
    }
    draw_marks(w, my.cursor, "[", "]", A_REVERSE | A_BOLD);
}

/* ---- beside the grid ---------------------------------------------------- */

/* Each value with the key that chooses it while a card raises or lowers one. */
static void draw_values(const struct ui *ui, int y, int x, int width)
{
    static const uint8_t order[2][VALUE_ROWS] = {
        {LAND_PRICE, SEED_PRICE, CROP_PROFIT, CATTLE_PRICE, CATTLE_PROFIT,
         ACTION_CARD_PRICE},
        {MINE_PRICE, MINE_PROFIT, LAKE_MULTIPLIER, MOUNTAIN_MULTIPLIER,
         DISTANCE_TAX, VALUES},
    };
    const struct greement *g = table_of(ui);
    bool choosing = my.legal[RAISE] + my.legal[LOWER] > 0;

    for (int column = 0; column < 2; column++) {
        int at = column == 0 ? x : x + (width + 1) / 2;
        int edge = column == 0 ? at + (width + 1) / 2 - 1 : x + width;
        for (int row = 0; row < VALUE_ROWS; row++) {
            int value = order[column][row], n = 0;
            char number[16];
            if (value == VALUES) {
                ui_print(y + row, at, edge - at, ui_attr(ui, STYLE_DIM),
                         "deck %d of 7", greement_cards_left(g));
                continue;
            }
            if (choosing)
                n = ui_print(y + row, at, 2, ui_attr(ui, STYLE_KEY), "%c ",
                             value_keys[value]);
            ui_text(y + row, at + n, edge - at - n, A_NORMAL,
                    greement_value_says[value], false);
            (void)snprintf(number, sizeof(number), "%d", g->value[value]);
            int digits = (int)strlen(number);
            ui_text(y + row, edge - digits, digits, ui_attr(ui, STYLE_BOLD),
                    number, false);
        }
    }
}

static int draw_players(const struct ui *ui, int y, int x, int width,
                        bool heading)
{
    const struct greement *g = table_of(ui);
    int columns = g->loans ? 4 : 3, names = width - 7 * columns;
    int row = y;

    if (heading) {
        ui_print(row, x, width, ui_attr(ui, STYLE_BOLD), "%-*s%7s%7s%7s%7s",
                 names, "Players", "money", "profit", "wealth",
                 g->loans ? "debt" : "");
        row++;
    }
    for (int seat = 0; seat < g->base.seats; seat++, row++) {
        int32_t parts[PARTS];
        char name[64], number[4][24];
        bool waited = (g->base.acting & RULES_BIT(seat)) != 0;

        brief(g->player[seat].money, number[0], 24);
        brief(greement_income(g, seat), number[1], 24);
        brief(greement_wealth(g, seat, parts), number[2], 24);
        brief(g->player[seat].debt, number[3], 24);
        (void)snprintf(name, sizeof(name), "%c%d %s", waited ? '>' : ' ', seat,
                       ui->table->names[seat]);
        ui_text(row, x, names, ui_attr(ui, STYLE_SEAT + seat), name, true);
        for (int i = 0; i < columns; i++)
            ui_print(row, x + names + 7 * i, 7, A_NORMAL, "%7s", number[i]);
    }
    return row - y;
}

/* ---- the title ---------------------------------------------------------- */

static void draw_title(const struct ui *ui)
{
    const struct greement *g = table_of(ui);
    char line[400];
    struct sbuf s = sbuf_in(line, sizeof(line));

    sbuf_puts(&s, " Greement");
    if (g->phase == PHASE_OVER)
        sbuf_printf(&s, "   over, after %d rounds", g->turns);
    else if (g->phase == PHASE_PICK)
        sbuf_puts(&s, "   starting squares");
    else
        sbuf_printf(&s, "   round %d of %d", g->round + 1, g->turns);
    if (greement_event_now(g) != GREEMENT_NOBODY)
        sbuf_printf(&s, "   event %d of %d", g->events, GREEMENT_EVENTS);
    else if (g->turn < g->base.seats && g->phase != PHASE_OVER)
        sbuf_printf(&s, "   turn: %s", ui->table->names[g->turn]);
    if (plays(ui))
        sbuf_printf(&s, "   %s has %d", ui->table->names[ui->seat],
                    g->player[ui->seat].money);
    ui_text(0, 0, ui->columns, ui_attr(ui, STYLE_BAR), line, true);
}

/* ---- below the grid ----------------------------------------------------- */

/* TEXT in at most HEIGHT lines; how many it took. */
static int draw_lines(int y, int x, int height, int width, attr_t attr,
                      const char *text)
{
    int row = 0;

    while (*text != '\0' && row < height && width > 0) {
        size_t n = strlen(text), fit = (size_t)width;
        char part[512];
        if (n > fit) {
            for (n = fit; n > fit / 2 && text[n] != ' ';)
                n--;
            if (text[n] != ' ')
                n = fit;
            if (utf8_cut(text, n) > 0)
                n = utf8_cut(text, n);
        }
        (void)snprintf(part, sizeof(part), "%.*s", (int)n, text);
        ui_text(y + row++, x, width, attr, part, false);
        text += n;
        text += *text == ' ';
    }
    return row;
}

struct tool {
    const char *key, *text;
    bool possible;
};

/* The tools in lines; returns how many lines. */
static int draw_tools(const struct ui *ui, int y, const struct tool *tools,
                      size_t count)
{
    int x = 1, row = 0;

    for (size_t i = 0; i < count; i++) {
        int n = (int)(strlen(tools[i].key) + 1 + strlen(tools[i].text));
        if (x > 1 && x + n > my.width - 1) {
            row++;
            x = 1;
        }
        attr_t dim = ui_attr(ui, STYLE_DIM);
        x += ui_text(y + row, x, my.width - x,
                     tools[i].possible ? ui_attr(ui, STYLE_KEY) : dim,
                     tools[i].key, false);
        x += 1 + ui_text(y + row, x + 1, my.width - x - 1,
                         tools[i].possible ? A_NORMAL : dim, tools[i].text,
                         false);
        x += 2;
    }
    return row + 1;
}

static bool answers(const struct ui *ui)
{
    return my.legal[ACCEPT] + my.legal[DECLINE] > 0 && plays(ui);
}

static int draw_turn_tools(const struct ui *ui, int y)
{
    const struct greement *g = table_of(ui);
    char seed[32], cattle[32], card[40];
    size_t n = 0;
    struct tool tools[12];

    (void)snprintf(seed, sizeof(seed), "seed %d", g->value[SEED_PRICE]);
    (void)snprintf(cattle, sizeof(cattle), "cattle %d",
                   g->value[CATTLE_PRICE]);
    (void)snprintf(card, sizeof(card), "action card %d",
                   g->value[ACTION_CARD_PRICE]);
    if (g->turn == ui->seat) {
        tools[n++] = (struct tool){"b", "buy", my.legal[BUY_LAND] > 0};
        tools[n++] = (struct tool){"d", seed, my.legal[SEED] > 0};
        tools[n++] = (struct tool){"c", cattle, my.legal[BUY_CATTLE] > 0};
        tools[n++] = (struct tool){"f", card, my.legal[BUY_ACTION_CARD] > 0};
        tools[n++] = (struct tool){"p", "pay", my.legal[PAY] > 0};
        tools[n++] = (struct tool){"o", "offer", my.legal[OFFER] > 0};
        if (g->offers > 0)
            tools[n++] = (struct tool){"w", "withdraw",
                                       my.legal[WITHDRAW] > 0};
        if (g->loans) {
            tools[n++] = (struct tool){"+", "borrow", my.legal[BORROW] > 0};
            tools[n++] = (struct tool){"-", "repay", my.legal[REPAY] > 0};
        }
        tools[n++] = (struct tool){"e", "end turn", my.legal[END_TURN] > 0};
    }
    if (answers(ui)) {
        tools[n++] = (struct tool){"a", "accept", my.legal[ACCEPT] > 0};
        tools[n++] = (struct tool){"x", "decline", my.legal[DECLINE] > 0};
    }
    return draw_tools(ui, y, tools, n);
}

static int draw_card_tools(const struct ui *ui, int y)
{
    const struct greement *g = table_of(ui);
    struct tool tools[3];
    size_t n = 0;

    if (g->pending == CARD_STEAL) {
        tools[n++] = (struct tool){"Enter", "steal what is under the cursor",
                                   my.legal[STEAL] > 0};
        tools[n++] = (struct tool){"e", "done", my.legal[DONE] > 0};
    } else if (g->pending == CARD_COLLECT) {
        tools[n++] = (struct tool){"0-5", "collect from that player", true};
    } else {
        tools[n++] = (struct tool){"1-9 0 -",
                                   g->pending == CARD_RAISE
                                       ? "raise that value by 2"
                                       : "lower that value by 2",
                                   true};
    }
    return draw_tools(ui, y, tools, n);
}

static int draw_event_tools(const struct ui *ui, int y)
{
    const struct greement *g = table_of(ui);
    struct tool tools[6];
    size_t n = 0;

    if (g->phase == PHASE_PICK)
        tools[n++] = (struct tool){"Enter", "pick the square under the cursor",
                                   my.legal[PICK] > 0};
    if (g->phase == PHASE_VOTE) {
        tools[n++] = (struct tool){"y", "vote to avoid it",
                                   my.legal[VOTE] > 0};
        tools[n++] = (struct tool){"x", "let it happen", my.legal[VOTE] > 0};
    }
    if (g->phase == PHASE_PAY)
        tools[n++] = (struct tool){"c", "contribute",
                                   my.legal[CONTRIBUTE] > 0};
    if (g->phase == PHASE_VOTE || g->phase == PHASE_PAY)
        tools[n++] = (struct tool){"p", "pay somebody", my.legal[PAY] > 0};
    if (g->phase == PHASE_DISEASE)
        tools[n++] = (struct tool){"Enter", "pay 2 for the cattle here",
                                   my.legal[TREAT] > 0};
    if (g->phase == PHASE_PAY || g->phase == PHASE_DISEASE)
        tools[n++] = (struct tool){"e", "done", my.legal[DONE] > 0};
    return draw_tools(ui, y, tools, n);
}

/* What the move would bring, as far as it is known. */
static void say_preview(const struct ui *ui, int verb, char *buf, size_t cap)
{
    static struct rules_events events;
    static union rules_any after;
    const struct greement *g = table_of(ui), *then;
    struct rules_move move = RULES_MOVE(verb, my.cursor, RULES_NONE,
                                        RULES_NONE);
    struct sbuf s = sbuf_in(buf, cap);
    int32_t parts[PARTS];

    memcpy(&after, &ui->view, ui->table->rules->state_size);
    if (rules_apply(ui->table->rules, &after.state, ui->seat, &move,
                    &events) != RULES_OK)
        return;
    then = greement_of(&after.state);
    int paid = g->player[ui->seat].money - then->player[ui->seat].money;
    int64_t more = greement_income(then, ui->seat) -
                   greement_income(g, ui->seat);
    int wealth = greement_wealth(then, ui->seat, parts) -
                 greement_wealth(g, ui->seat, parts);
    if (verb == BUY_LAND) {
        int tax = greement_square_tax(g, ui->seat, my.cursor);
        sbuf_printf(&s, " for %d", paid);
        if (tax > 0)
            sbuf_printf(&s, " (%d + tax %d)", paid - tax, tax);
    } else if (verb != PICK && verb != STEAL) {
        sbuf_printf(&s, " for %d", paid);
    }
    if (verb == PICK || verb == TREAT)
        return;
    if (more != 0)
        sbuf_printf(&s, ", profit %+lld", (long long)more);
    if (wealth != 0)
        sbuf_printf(&s, ", wealth %+d", wealth);
}

/* Why a free square cannot be bought. */
static void say_price(const struct ui *ui, char *buf, size_t cap)
{
    const struct greement *g = table_of(ui);
    int price = greement_price(g, buyer_of(ui), my.cursor);
    int tax = greement_square_tax(g, buyer_of(ui), my.cursor);

    buf[0] = '\0';
    if (price >= 0 && g->phase == PHASE_TURN && g->turn == ui->seat &&
        g->pending == GREEMENT_NOBODY)
        (void)snprintf(buf, cap, "Costs %s %d (%d + tax %d).",
                       ui->table->names[buyer_of(ui)], price, price - tax,
                       tax);
}

static void draw_info(const struct ui *ui, int y)
{
    const struct greement *g = table_of(ui);
    char says[200], text[300], preview[100];
    struct sbuf s = sbuf_in(text, sizeof(text));
    int done = 0;

    greement_say_square(ui->table, g, my.cursor, says, sizeof(says));
    int n = ui_print(y, 1, 4, ui_attr(ui, STYLE_BOLD), "%s",
                     greement_square_names[my.cursor]);
    ui_print(y, 2 + n, my.width - 2 - n, A_NORMAL, "%s.", says);
    for (size_t i = 0; i < COUNT_OF(acts) && plays(ui); i++) {
        if (!can_here(acts[i].verb))
            continue;
        say_preview(ui, acts[i].verb, preview, sizeof(preview));
        if (done++ == 0)
            sbuf_printf(&s, "Enter: %s%s.", acts[i].says, preview);
        else
            sbuf_printf(&s, "  %c: %s%s.", acts[i].key, acts[i].says, preview);
    }
    bool trade = my.legal[OFFER] > 0 && g->owner[my.cursor] < g->base.seats;
    if (trade)
        sbuf_printf(&s, "  o: offer to %s it.",
                    g->owner[my.cursor] == ui->seat ? "sell" : "buy");
    if (text[0] == '\0')
        say_price(ui, text, sizeof(text));
    ui_text(y + 1, 1, my.width - 2,
            done > 0 ? ui_attr(ui, STYLE_GOOD) : A_NORMAL,
            text + (text[0] == ' ' ? 2 : 0), false);
}

/* The card that waits, offers, the event; how many lines. */
static int draw_matters(const struct ui *ui, int y, int height)
{
    const struct greement *g = table_of(ui);
    int event = greement_event_now(g), row = 0, width = my.width - 2;
    char text[400], line[500];

    if (g->phase == PHASE_TURN && g->pending != GREEMENT_NOBODY) {
        (void)snprintf(line, sizeof(line), "Action card of %s: %s",
                       ui->table->names[g->turn],
                       greement_card_texts[g->pending]);
        row += draw_lines(y, 1, height, width, ui_attr(ui, STYLE_BOLD), line);
    }
    for (int i = 0; i < g->offers && row < height; i++) {
        const struct greement_offer *offer = &g->offer[i];
        greement_say_offer(ui->table, g, offer, text, sizeof(text));
        (void)snprintf(line, sizeof(line), "Offer %s%s", text,
                       offer->with == ui->seat ||
                               (ui->table->bots >> offer->with & 1) != 0
                           ? ""
                           : "   (t: answer)");
        row += draw_lines(y + row, 1, height - row, width,
                          offer->with == ui->seat ? ui_attr(ui, STYLE_GOOD)
                                                  : A_NORMAL,
                          line);
    }
    if (event != GREEMENT_NOBODY && row < height) {
        (void)snprintf(line, sizeof(line), "Event: %s",
                       greement_event_texts[event]);
        row += draw_lines(y + row, 1, height - row, width,
                          ui_attr(ui, STYLE_BOLD), line);
        greement_say_event(ui->table, g, text, sizeof(text));
        row += draw_lines(y + row, 1, height - row, width, A_NORMAL, text);
    }
    if (g->deciders > 0 && event == GREEMENT_NOBODY && row < height) {
        (void)snprintf(line, sizeof(line),
                       "%s alone will decide the next vote.",
                       ui->table->names[g->decider[0]]);
        row += draw_lines(y + row, 1, height - row, width,
                          ui_attr(ui, STYLE_DIM), line);
    }
    return row;
}

static void draw_below(const struct ui *ui, int y, bool log)
{
    const struct greement *g = table_of(ui);
    int end = ui->lines - 1;

    if (plays(ui)) {
        if (g->phase != PHASE_TURN)
            y += draw_event_tools(ui, y);
        else if (g->pending != GREEMENT_NOBODY && g->turn == ui->seat)
            y += draw_card_tools(ui, y);
        else
            y += draw_turn_tools(ui, y);
    }
    draw_info(ui, y);
    y += 2;
    int matters = draw_matters(ui, y, end - y - (log ? 1 : 0));
    if (log)
        ui_log(ui, y + matters, 0, end - y - matters, my.width);
}

static void draw(struct ui *ui)
{
    const struct greement *g = table_of(ui);
    bool fits = ui->columns >= 3 + 6 * GREEMENT_SIDE + PANEL_WIDTH &&
                ui->lines >= 2 * GREEMENT_SIDE + 12;
    bool can = ui->columns >= 3 + 6 * GREEMENT_SIDE &&
               ui->lines >= 2 * GREEMENT_SIDE + 6;
    bool large = (my.zoom == 2 && can) || (my.zoom == 0 && fits);
    struct window w = {2, 2, large ? 6 : 4, large ? 2 : 1};
    int x = w.x + w.unit * GREEMENT_SIDE + 2;
    int below = w.y + w.lines * GREEMENT_SIDE, used = 0;

    draw_title(ui);
    draw_grid(ui, &w);
    int width = ui->columns - x < 2 * PANEL_WIDTH ? ui->columns - x
                                                  : 2 * PANEL_WIDTH;
    if (width >= PANEL_WIDTH - 2) {
        int columns = width < PANEL_WIDTH + 10 ? width : PANEL_WIDTH + 10;
        bool roomy = g->base.seats <= 4 || large;
        draw_values(ui, 1, x, columns);
        used = 1 + VALUE_ROWS + large;
        used += draw_players(ui, used, x, columns, roomy);
        if (used > below)
            below = used;
    }
    /* The log goes where there is most room for it. */
    int log_x = x, log_y = used + 1, log_end = below;
    if (large && ui->columns - x - PANEL_WIDTH - 12 >= PANEL_WIDTH) {
        log_x = x + PANEL_WIDTH + 12;
        log_y = 1;
        log_end = ui->lines - 1;
    }
    bool beside = large && width >= PANEL_WIDTH &&
                  (log_x > x || log_end - log_y - 1 > ui->lines - below - 7);
    my.width = log_x > x ? log_x - 1 : ui->columns;
    draw_below(ui, below, !beside);
    if (beside) {
        ui_text(log_y, log_x, ui->columns - log_x, ui_attr(ui, STYLE_BOLD),
                "What happened", false);
        ui_log(ui, log_y + 1, log_x, log_end - log_y - 1, ui->columns - log_x);
    }
}

/* ---- moves that are typed ----------------------------------------------- */

static bool play(struct ui *ui, int verb, int a, int b)
{
    return ui_play(ui, &RULES_MOVE(verb, a, b, RULES_NONE));
}

/* Asks for a number; false if it was given up or is none. */
static bool ask_number(struct ui *ui, const char *question, int min, int max,
                       int *ret_number)
{
    char text[16];
    uint64_t number;

    if (!ui_ask(ui, question, text, sizeof(text)) || text[0] == '\0')
        return false;
    if (!number_read(text, (uint64_t)max, &number) || (int)number < min) {
        ui_say(ui, true, "A number from %d to %d.", min, max);
        return false;
    }
    *ret_number = (int)number;
    return true;
}

/* Another player; the only one is not asked for. */
static bool ask_player(struct ui *ui, const char *question, int *ret_seat)
{
    char text[300];
    struct sbuf s = sbuf_in(text, sizeof(text));
    int others = 0;

    sbuf_printf(&s, "%s (", question);
    for (int seat = 0; seat < ui->view.state.seats; seat++) {
        if (seat == ui->seat)
            continue;
        *ret_seat = seat;
        sbuf_printf(&s, "%s%d %s", others++ > 0 ? ", " : "", seat,
                    ui->table->names[seat]);
    }
    if (others == 1)
        return true;
    sbuf_putc(&s, ')');
    return ask_number(ui, text, 0, ui->view.state.seats - 1, ret_seat);
}

/* The range of the amount of VERB's moves, with TO as the first argument if
 * the amount is the second; or why there is none. */
static bool range_of(struct ui *ui, int verb, int to, int *min, int *max)
{
    for (size_t i = 0; i < ui->choice_count; i++) {
        const struct rules_choice *c = &ui->choices[i];
        if (c->move.verb != verb || (verb == PAY && c->move.arg[0] != to))
            continue;
        int16_t only = c->move.arg[verb == PAY ? 1 : 0];
        *min = c->ranged >= 0 ? c->min : only;
        *max = c->ranged >= 0 ? c->max : only;
        return true;
    }
    struct rules_move one = RULES_MOVE(verb, verb == PAY ? to : 1,
                                       verb == PAY ? 1 : RULES_NONE,
                                       RULES_NONE);
    ui_say(ui, true, "%s",
           rules_reason_text(ui->table->rules,
                             rules_check(ui->table->rules, &ui->view.state,
                                         ui->seat, &one)));
    return false;
}

static void ask_pay(struct ui *ui)
{
    const struct greement *g = table_of(ui);
    int to, min, max, amount;
    char text[120];

    if (!ask_player(ui, "Pay whom?", &to) ||
        !range_of(ui, PAY, to, &min, &max))
        return;
    (void)snprintf(text, sizeof(text),
                   "How much to %s, besides a tax of %d? (%d to %d)",
                   ui->table->names[to], greement_pay_tax(g, ui->seat, to),
                   min, max);
    if (ask_number(ui, text, min, max, &amount))
        (void)play(ui, PAY, to, amount);
}

/* Borrowing, repaying, contributing. */
static void ask_amount(struct ui *ui, int verb, const char *question)
{
    int min, max, amount;
    char text[120];

    if (!range_of(ui, verb, 0, &min, &max))
        return;
    int missing = verb == CONTRIBUTE ? greement_still_missing(table_of(ui))
                                     : max;
    if (missing < max)
        max = missing;
    (void)snprintf(text, sizeof(text), "%s (%d to %d)", question, min, max);
    if (ask_number(ui, text, min, max, &amount))
        (void)play(ui, verb, amount, RULES_NONE);
}

/* Who pays the tax of a trade; without one nobody is asked. */
static bool ask_side(struct ui *ui, int buyer, int *ret_side)
{
    char text[16], question[80];
    int tax = greement_square_tax(table_of(ui), buyer, my.cursor);

    *ret_side = SIDE_BUYER;
    if (tax == 0)
        return true;
    (void)snprintf(question, sizeof(question),
                   "The tax of %d: b the buyer pays, s the seller?", tax);
    if (!ui_ask(ui, question, text, sizeof(text)))
        return false;
    *ret_side = text[0] == 's' ? SIDE_SELLER : SIDE_BUYER;
    return true;
}

/* The square under the cursor is offered, or asked for. */
static void ask_offer(struct ui *ui)
{
    const struct greement *g = table_of(ui);
    int owner = g->owner[my.cursor], with = owner, price, side;
    bool sell = owner == ui->seat;
    char text[120];

    if (my.legal[OFFER] == 0 || owner == GREEMENT_NOBODY) {
        ui_say(ui, true,
               my.legal[OFFER] > 0 ? "Nobody owns that square: b buys it."
                                   : "You can make no offer now.");
        return;
    }
    if (sell && !ask_player(ui, "Sell it to whom?", &with))
        return;
    (void)snprintf(text, sizeof(text), "%s %s %s %s for how much? (0 to %d)",
                   sell ? "Sell" : "Buy", greement_square_names[my.cursor],
                   sell ? "to" : "from", ui->table->names[with],
                   GREEMENT_AMOUNT_MAX);
    if (!ask_number(ui, text, 0, GREEMENT_AMOUNT_MAX, &price) ||
        !ask_side(ui, sell ? with : ui->seat, &side))
        return;
    struct rules_move move = RULES_MOVE(OFFER, sell ? KIND_SELL : KIND_BUY,
                                        with, my.cursor);
    move.arg[3] = (int16_t)price;
    move.arg[4] = (int16_t)side;
    (void)ui_play(ui, &move);
}

/* Answers an offer, or withdraws one: the only one, or the one whose number is
 * typed. */
static void ask_answer(struct ui *ui, int verb, const char *question)
{
    const struct greement *g = table_of(ui);
    int number = 0, count = 0;

    for (int i = 0; i < g->offers; i++) {
        if ((verb == WITHDRAW ? g->turn : g->offer[i].with) != ui->seat)
            continue;
        number = g->offer[i].number;
        count++;
    }
    if (count == 0)
        ui_say(ui, true, "There is no such offer.");
    else if (count == 1 ||
             ask_number(ui, question, 1, GREEMENT_LIMIT, &number))
        (void)play(ui, verb, number, RULES_NONE);
}

/* ---- keys --------------------------------------------------------------- */

static void step(int dx, int dy)
{
    int x = my.cursor % GREEMENT_SIDE + dx, y = my.cursor / GREEMENT_SIDE + dy;
    if (x >= 0 && x < GREEMENT_SIDE && y >= 0 && y < GREEMENT_SIDE)
        my.cursor = y * GREEMENT_SIDE + x;
}

/* To the next square on which something can be done. */
static void go_next(struct ui *ui, int by)
{
    for (int i = 1; i <= GREEMENT_SQUARES; i++) {
        int square = (my.cursor + by * i + GREEMENT_SQUARES) %
                     GREEMENT_SQUARES;
        if (my.can[square] != 0) {
            my.cursor = square;
            return;
        }
    }
    ui_say(ui, false, "There is no square to do anything with now.");
}

/* Does VERB with the square under the cursor, or says why not. */
static void act(struct ui *ui, int verb)
{
    (void)play(ui, verb, my.cursor, RULES_NONE);
}

/* What `b` and Enter try where nothing is legal: the reason is of use. */
static int verb_to_refuse(const struct greement *g, int seat)
{
    if (g->phase == PHASE_PICK)
        return PICK;
    if (g->phase == PHASE_DISEASE)
        return TREAT;
    if (g->pending == CARD_STEAL)
        return STEAL;
    if (g->owner[my.cursor] != seat)
        return BUY_LAND;
    return g->square[my.cursor] == SQUARE_CROP ? BUY_CATTLE : SEED;
}

static void use(struct ui *ui)
{
    const struct greement *g = table_of(ui);

    for (size_t i = 0; i < COUNT_OF(acts); i++) {
        if (can_here(acts[i].verb)) {
            act(ui, acts[i].verb);
            return;
        }
    }
    if (g->phase == PHASE_VOTE)
        ui_say(ui, false, "y votes to avoid the event, x to let it happen.");
    else if (g->phase == PHASE_PAY)
        ui_say(ui, false, "c contributes, e is done.");
    else
        act(ui, verb_to_refuse(g, ui->seat));
}

static void end(struct ui *ui)
{
    const struct greement *g = table_of(ui);

    if (g->phase == PHASE_TURN && g->pending == GREEMENT_NOBODY) {
        if (g->turn != ui->seat || ui_sure(ui, "End your turn?"))
            (void)play(ui, END_TURN, RULES_NONE, RULES_NONE);
    } else if (g->phase != PHASE_DISEASE || my.legal[TREAT] == 0 ||
               ui_sure(ui, "The other cattle becomes crops?")) {
        (void)play(ui, DONE, RULES_NONE, RULES_NONE);
    }
}

/* Digits: which value, or whom to collect from. */
static bool choose(struct ui *ui, int key)
{
    const struct greement *g = table_of(ui);
    const char *at = key > 0 && key < 128 ? strchr(value_keys, key) : NULL;

    if (at == NULL || *at == '\0')
        return false;
    if (g->pending == CARD_RAISE || g->pending == CARD_LOWER)
        (void)play(ui, g->pending == CARD_RAISE ? RAISE : LOWER,
                   (int)(at - value_keys), RULES_NONE);
    else if (g->pending == CARD_COLLECT && key >= '0' &&
             key < '0' + g->base.seats)
        (void)play(ui, COLLECT, key - '0', RULES_NONE);
    else
        return false;
    return true;
}

static void show_all(struct ui *ui)
{
    const struct greement *g = table_of(ui);
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    greement_ui.hand(to, ui->table, &ui->view.state);
    (void)fputs("\nEvent cards that may still come in this round:\n", to);
    for (int event = 0; event < EVENTS; event++) {
        int price = greement_event_price(event);
        if (greement_events_left(g, event) == 0)
            continue;
        (void)fprintf(to, "  %d  %s", greement_events_left(g, event),
                      greement_event_texts[event]);
        if (price > 0)
            (void)fprintf(to, " (to avoid it: %d)", price);
        (void)fputc('\n', to);
    }
    (void)fclose(to);
    ui_page(ui, "Players, squares, offers and cards", text);
    free(text);
}

static bool moved(int key)
{
    switch (key) {
    case KEY_LEFT:
    case 'h': step(-1, 0); return true;
    case KEY_RIGHT:
    case 'l': step(1, 0); return true;
    case KEY_UP:
    case 'k': step(0, -1); return true;
    case KEY_DOWN:
    case 'j': step(0, 1); return true;
    case KEY_HOME: my.cursor -= my.cursor % GREEMENT_SIDE; return true;
    case KEY_END:
        my.cursor += GREEMENT_SIDE - 1 - my.cursor % GREEMENT_SIDE;
        return true;
    case KEY_PPAGE: my.cursor %= GREEMENT_SIDE; return true;
    case KEY_NPAGE:
        my.cursor = GREEMENT_SQUARES - GREEMENT_SIDE +
                    my.cursor % GREEMENT_SIDE;
        return true;
    case 'z': my.zoom = my.zoom == 1 ? 2 : my.zoom == 2 ? 0 : 1; return true;
    default: return false;
    }
}

static bool key(struct ui *ui, int key)
{
    const struct greement *g = table_of(ui);

    if (moved(key))
        return true;
    if (key == 'v') {
        show_all(ui);
        return true;
    }
    if (!plays(ui))
        return false;
    if (choose(ui, key))
        return true;
    switch (key) {
    case 'n':
    case '>':
    case '\t': go_next(ui, 1); return true;
    case 'N':
    case '<':
    case KEY_BTAB: go_next(ui, -1); return true;
    case KEY_RETURN:
    case ' ': use(ui); return true;
    case 'b':
        act(ui, g->phase == PHASE_TURN && g->pending == GREEMENT_NOBODY
                    ? BUY_LAND
                    : verb_to_refuse(g, ui->seat));
        return true;
    case 'd': act(ui, SEED); return true;
    case 'c':
        if (g->phase == PHASE_PAY)
            ask_amount(ui, CONTRIBUTE, "Contribute how much?");
        else
            act(ui, BUY_CATTLE);
        return true;
    case 'f':
        (void)play(ui, BUY_ACTION_CARD, RULES_NONE, RULES_NONE);
        return true;
    case 'p': ask_pay(ui); return true;
    case 'o': ask_offer(ui); return true;
    case 'a': ask_answer(ui, ACCEPT, "Accept which offer?"); return true;
    case 'w': ask_answer(ui, WITHDRAW, "Withdraw which offer?"); return true;
    case '+': ask_amount(ui, BORROW, "Borrow how much?"); return true;
    case '-': ask_amount(ui, REPAY, "Repay how much?"); return true;
    case 'y': (void)play(ui, VOTE, 1, RULES_NONE); return true;
    case 'x':
        if (g->phase == PHASE_TURN)
            ask_answer(ui, DECLINE, "Decline which offer?");
        else
            (void)play(ui, VOTE, 0, RULES_NONE);
        return true;
    case 'e': end(ui); return true;
    default: return false;
    }
}

const struct screen greement_screen = {
    .start = start,
    .fresh = fresh,
    .draw = draw,
    .key = key,
    .keys = " arrows n square  Enter do  e end, done  v all  u undo  g log  "
            "? help  q quit",
    .help =
        "Go to a square and press the key of what is to be done with it.\n"
        "\n"
        "Squares:\n"
        "  arrows or h j k l  the next square; Home End PgUp PgDn the edge\n"
        "  n N  the next, the previous square on which something can be done:\n"
        "       those stand in (brackets)\n"
        "  Enter, space  what the line below the keys says\n"
        "  b    buy it (in the beginning: pick it; with the card: steal it)\n"
        "  d    seed it               c  put cattle on it\n"
        "  o    offer to sell it, or to buy it from its owner\n"
        "In your turn:\n"
        "  f    an action card        p  pay somebody\n"
        "  w    withdraw an offer     e  end the turn, be done with a card\n"
        "  + -  borrow, repay (where there are loans)\n"
        "  1-9 0 -  which value a card raises or lowers; whom to collect from\n"
        "Offers made to you (t: the next person at this keyboard):\n"
        "  a    accept                x  decline\n"
        "Events:\n"
        "  y    vote to avoid it      x  vote to let it happen\n"
        "  c    contribute            p  pay somebody    e  be done\n"
        "  Enter  pay for the cattle under the cursor, in the disease\n"
        "\n"
        "  v    everything: squares, offers, and which cards may come\n"
        "  z    the grid small, large, or as it fits\n"
        "\n"
        "Signs: . land, \" crop, & cattle, $ gold mine, with its owner's "
        "number;\n"
        "  ~ or waves a lake, ^ or a triangle a mountain; ? and grey are face "
        "down;\n"
        "  + is cattle that is paid for. A large grid has the prices of free "
        "squares,\n"
        "  tax included, and what others earn.\n",
};
