/* hacienda_screen.c -- the full screen of Hacienda.
 *
 *     title     half, round, whose turn, actions done, money
 *     board     as much of it as there is room for, with the cursor
 *       panel   beside it: players, points, stacks and log if it is wide,
 *               three lines for each player if it is not
 *     tools     the hand, and all that can be bought or done, each with a key
 *     info      what lies under the cursor, what the tool in hand would do
 *     log       what happened last
 *
 * One takes a tool -- a card of the hand, a water tile, the end of the turn --
 * and the hexes where it may be used light up; Enter uses it.  What is legal
 * and what it brings is asked of the rules, on the view. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"
#include "hacienda_ui.h"
#include "hacienda_hexes.h"
#include "protocol/sbuf_printf.h"
#include "screen.h"

enum {
    TOOL_CARD = 0, /* + card */
    TOOL_LAND_PILE = CARDS,
    TOOL_LAND_SLOT, /* + slot */
    TOOL_ANIMAL_PILE = TOOL_LAND_SLOT + HACIENDA_SLOTS,
    TOOL_ANIMAL_SLOT,
    TOOL_HACIENDA = TOOL_ANIMAL_SLOT + HACIENDA_SLOTS,
    TOOL_WATER, /* + shape */
    TOOL_HARVEST = TOOL_WATER + SHAPES,
    TOOL_END,
    TOOLS
};
#define NO_TOOL (-1)

/* Rows below the board: hand, animals, two of cards, things, info. */
#define TOOL_ROWS    6
#define TOOL_COLUMNS 84 /* what they take */
#define PANEL_NARROW 9
#define PANEL_WIDE   30

static struct {
    int tool;      /* taken, or NO_TOOL */
    int cursor;    /* a hex */
    int goal;      /* the x it would like to be in, moving up and down */
    size_t turn;   /* which of the moves at the cursor: water, whose chip */
    int zoom;      /* 0: as fits, 1: small, 2: large */
    int top, left; /* what of the board is seen: first row, first x */
    size_t legal[TOOLS];             /* legal moves of each tool */
    uint8_t target[BOARD_HEXES_MAX]; /* hexes where the tool can be used */
    bool begun;
} my = {.tool = NO_TOOL};

static const struct hacienda *table_of(const struct ui *ui)
{
    return (const struct hacienda *)&ui->view.state;
}

/* ---- tools -------------------------------------------------------------- */

static int tool_verb(int tool)
{
    if (tool < LAND_CARDS)
        return PLAY_LAND;
    if (tool < CARDS)
        return PLAY_ANIMAL;
    if (tool == TOOL_LAND_PILE)
        return BUY_LAND_SUPPLY;
    if (tool < TOOL_ANIMAL_PILE)
        return BUY_LAND_DISPLAY;
    if (tool == TOOL_ANIMAL_PILE)
        return BUY_ANIMAL_SUPPLY;
    if (tool < TOOL_HACIENDA)
        return BUY_ANIMAL_DISPLAY;
    if (tool == TOOL_HACIENDA)
        return BUY_HACIENDA;
    if (tool < TOOL_HARVEST)
        return BUY_WATER;
    return tool == TOOL_HARVEST ? HARVEST : END_TURN;
}

/* The first argument of the tool's moves; RULES_NONE if it is the hex or none
 * at all. */
static int tool_argument(const struct hacienda *h, int tool)
{
    int card;
    if (tool < CARDS)
        return tool;
    if (tool >= TOOL_LAND_SLOT && tool < TOOL_ANIMAL_PILE)
        card = h->display[STACK_LAND][tool - TOOL_LAND_SLOT];
    else if (tool >= TOOL_ANIMAL_SLOT && tool < TOOL_HACIENDA)
        card = h->display[STACK_ANIMALS][tool - TOOL_ANIMAL_SLOT];
    else if (tool >= TOOL_WATER && tool < TOOL_HARVEST)
        return tool - TOOL_WATER;
    else
        return RULES_NONE;
    return card == HACIENDA_NOBODY ? RULES_HIDDEN : card; /* never legal */
}

/* Which arguments of the tool's moves are hexes it is put on: from FIRST, so
 * many. */
static int tool_hexes(int tool, int *first)
{
    switch (tool_verb(tool)) {
    case PLAY_LAND:
    case PLAY_ANIMAL: *first = 1; return 1;
    case BUY_HACIENDA:
    case HARVEST: *first = 0; return 1;
    case BUY_WATER: *first = 1; return 3;
    default: *first = 0; return 0;
    }
}

static bool tool_has(const struct hacienda *h, int tool,
                     const struct rules_move *move)
{
    int argument = tool_argument(h, tool);
    return move->verb == tool_verb(tool) &&
           (argument == RULES_NONE || move->arg[0] == argument);
}

static bool tool_at(int tool, const struct rules_move *move, int hex)
{
    int first, count = tool_hexes(tool, &first);
    for (int i = first; i < first + count; i++)
        if (move->arg[i] == hex)
            return true;
    return false;
}

/* The move of the tool in hand at the cursor that is up now, or NULL; how many
 * there are to choose from goes to *COUNT. */
static const struct rules_move *candidate(const struct ui *ui, size_t *count)
{
    const struct hacienda *h = table_of(ui);
    int first;

    *count = 0;
    if (my.tool == NO_TOOL)
        return NULL;
    bool anywhere = tool_hexes(my.tool, &first) == 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t n = 0;
        for (size_t i = 0; i < ui->choice_count; i++) {
            const struct rules_move *move = &ui->choices[i].move;
            if (!tool_has(h, my.tool, move) ||
                !(anywhere || tool_at(my.tool, move, my.cursor)))
                continue;
            if (pass == 1 && n == my.turn % *count)
                return move;
            n++;
        }
        *count = n;
        if (n == 0)
            break;
    }
    return NULL;
}

static void take(struct ui *ui, int tool)
{
    const struct hacienda *h = table_of(ui);
    int first;

    my.tool = tool;
    my.turn = 0;
    memset(my.target, 0, sizeof(my.target));
    if (tool == NO_TOOL)
        return;
    int count = tool_hexes(tool, &first);
    for (size_t i = 0; i < ui->choice_count; i++) {
        const struct rules_move *move = &ui->choices[i].move;
        for (int a = first; tool_has(h, tool, move) && a < first + count; a++)
            if (move->arg[a] >= 0)
                my.target[move->arg[a]] = 1;
    }
}

/* Why a tool without a legal move has none. */
static const char *why_not(const struct ui *ui, int tool)
{
    static const char *const places[] = {
        "wrong_space",  "hex_taken",      "not_adjacent", "not_your_tile",
        "has_hacienda", "wrong_shape",    "wrong_order",  "not_your_land",
        "no_chain",     "chain_has_chip", "bad_argument",
    };
    const struct hacienda *h = table_of(ui);
    int argument = tool_argument(h, tool), first;
    int count = tool_hexes(tool, &first);
    struct rules_move move = RULES_MOVE(tool_verb(tool), argument, RULES_NONE,
                                        RULES_NONE);

    if (argument == RULES_HIDDEN)
        return "There is no card.";
    if (count > 0)
        move.arg[first] = (int16_t)my.cursor;
    int refusal = rules_check(ui->table->rules, &ui->view.state, ui->seat,
                              &move);
    const char *word = rules_reason(ui->table->rules, refusal);
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (strcmp(places[i], word) == 0)
            return "There is no place for that now.";
    return rules_reason_text(ui->table->rules, refusal);
}

static void try_take(struct ui *ui, int tool)
{
    if (my.legal[tool] > 0)
        take(ui, tool);
    else
        ui_say(ui, true, "%s", why_not(ui, tool));
}

/* The next tool with a legal move from FROM to before TO, after the one in
 * hand; those are tried in turn when a key is pressed again. */
static void take_next(struct ui *ui, int from, int to, int by)
{
    int n = to - from;
    int at = my.tool >= from && my.tool < to ? my.tool - from
             : by > 0                        ? -1
                                             : n;

    for (int i = 0; i < n; i++) {
        at = ((at + by) % n + n) % n;
        if (my.legal[from + at] > 0) {
            take(ui, from + at);
            return;
        }
    }
    ui_say(ui, true, "%s", why_not(ui, from));
}

static void tool_name(const struct ui *ui, int tool, char *buf, size_t cap)
{
    const struct hacienda *h = table_of(ui);
    int argument = tool_argument(h, tool);

    switch (tool_verb(tool)) {
    case PLAY_LAND:
    case PLAY_ANIMAL:
        (void)snprintf(buf, cap, "%s", hacienda_card_words[tool]);
        break;
    case BUY_LAND_SUPPLY: (void)snprintf(buf, cap, "a land card"); break;
    case BUY_ANIMAL_SUPPLY: (void)snprintf(buf, cap, "an animal card"); break;
    case BUY_LAND_DISPLAY:
    case BUY_ANIMAL_DISPLAY:
        (void)snprintf(buf, cap, "%s from the display",
                       argument >= 0 ? hacienda_card_words[argument] : "");
        break;
    case BUY_HACIENDA: (void)snprintf(buf, cap, "hacienda"); break;
    case BUY_WATER:
        (void)snprintf(buf, cap, "water (%s)", hacienda_shape_words[argument]);
        break;
    case HARVEST: (void)snprintf(buf, cap, "harvest"); break;
    default: (void)snprintf(buf, cap, "the end of your turn"); break;
    }
}

/* ---- the position ------------------------------------------------------- */

static void fresh(struct ui *ui)
{
    const struct hacienda *h = table_of(ui);
    int tool = my.tool;

    if (!my.begun) {
        my.cursor = board_hex_in(h->cols, h->rows, h->cols / 2,
                                 board_row_hexes(h->rows, h->cols / 2) / 2);
        my.goal = board_place(h->cols, h->rows, my.cursor).x;
        my.begun = true;
    }
    memset(my.legal, 0, sizeof(my.legal));
    for (size_t i = 0; i < ui->choice_count; i++)
        for (int t = 0; t < TOOLS; t++)
            my.legal[t] += tool_has(h, t, &ui->choices[i].move);
    /* A card of which there is another stays in hand; all else is put away. */
    bool keep = tool != NO_TOOL && tool < CARDS && my.legal[tool] > 0;
    take(ui, keep ? tool : NO_TOOL);
}

/* ---- drawing the board -------------------------------------------------- */

struct window {
    int y, x, height, width; /* on the screen, without the row letters */
    int unit;                /* columns of half a hex: 2 or 3 */
    int lines;               /* of a hex: 1 or 2 */
};

static int ground_pair(int ground)
{
    return PAIR_OF_GAME + ground;
}

/* Marks on that ground. */
static int mark_pair(int ground)
{
    return PAIR_OF_GAME + GROUNDS + ground;
}

static void start(struct ui *ui)
{
    static const short many[GROUNDS][2] = {
        [GROUND_VOID] = {240, -1},     [GROUND_PAMPAS] = {137, 229},
        [GROUND_MEADOW] = {22, 149},   [GROUND_FOREST] = {157, 28},
        [GROUND_SWAMP] = {230, 101},   [GROUND_ROCKS] = {239, 250},
        [GROUND_MOUNTAIN] = {223, 94}, [GROUND_RANDOM] = {16, 218},
        [GROUND_MARKET] = {16, 214},   [GROUND_WATER] = {231, 38},
    };
    static const short few[GROUNDS][2] = {
        [GROUND_VOID] = {-1, -1},
        [GROUND_PAMPAS] = {-1, -1},
        [GROUND_MEADOW] = {COLOR_GREEN, -1},
        [GROUND_FOREST] = {COLOR_BLACK, COLOR_GREEN},
        [GROUND_SWAMP] = {COLOR_CYAN, -1},
        [GROUND_ROCKS] = {COLOR_BLACK, COLOR_WHITE},
        [GROUND_MOUNTAIN] = {COLOR_YELLOW, -1},
        [GROUND_RANDOM] = {COLOR_MAGENTA, -1},
        [GROUND_MARKET] = {COLOR_BLACK, COLOR_YELLOW},
        [GROUND_WATER] = {COLOR_WHITE, COLOR_BLUE},
    };

    my.begun = false;
    my.tool = NO_TOOL;
    for (int g = 0; ui->colour && g < GROUNDS; g++)
        init_pair((short)ground_pair(g), (ui->many ? many : few)[g][0],
                  (ui->many ? many : few)[g][1]);
    for (int g = 0; ui->colour && ui->many && g < GROUNDS; g++)
        init_pair((short)mark_pair(g), 16, many[g][1]);
}

static attr_t hex_attr(const struct ui *ui, const struct hex_cell *cell)
{
    if (!ui->colour)
        return cell->tile == TILE_LAND || tile_is_animal(cell->tile)
                   ? A_BOLD
                   : A_NORMAL;
    if (cell->tile == TILE_WATER)
        return (attr_t)COLOR_PAIR(ground_pair(GROUND_WATER));
    if (cell->tile != TILE_NONE && cell->owner < RULES_SEATS_MAX)
        return A_BOLD | ui_attr(ui, STYLE_SEAT + cell->owner);
    return (attr_t)COLOR_PAIR(ground_pair(cell->ground)) |
           (cell->ground == GROUND_MARKET ? A_BOLD : A_NORMAL);
}

/* Of what is put beside the text of a hex. */
static attr_t mark_attr(const struct ui *ui, const struct hex_cell *cell)
{
    bool tile = cell->tile != TILE_NONE && cell->tile != TILE_WATER;
    if (!ui->colour || !ui->many || tile || cell->ground == GROUND_VOID)
        return hex_attr(ui, cell) | A_BOLD;
    return (attr_t)COLOR_PAIR(mark_pair(
               cell->tile == TILE_WATER ? GROUND_WATER : cell->ground)) |
           A_BOLD;
}

/* Where the left edge of HEX is on the screen; false if it is not there. */
static bool hex_at(const struct window *w, const struct hacienda *h, int hex,
                   int *y, int *x)
{
    struct board_place p = board_place(h->cols, h->rows, hex);
    *y = w->y + (p.y - my.top) * w->lines;
    *x = w->x + (p.x - my.left) * w->unit;
    return p.y >= my.top && *y + w->lines <= w->y + w->height &&
           p.x >= my.left && *x + 2 * w->unit < w->x + w->width + 1;
}

static void draw_hex(const struct ui *ui, const struct window *w, int hex)
{
    const struct hacienda *h = table_of(ui);
    struct hex_cell cell = hex_cell(h, hex);
    char text[HEX_TEXT_SIZE], name[BOARD_NAME_SIZE];
    int y, x;

    if (!hex_at(w, h, hex, &y, &x))
        return;
    hex_text(&cell, ui->unicode, text);
    attr_t attr = hex_attr(ui, &cell);
    if (w->lines == 1) {
        ui_text(y, x, 1, attr, " ", false);
        ui_text(y, x + 1, 3, attr, text, true);
        return;
    }
    (void)board_hex_write(h->cols, h->rows, hex, name, sizeof(name));
    bool empty = cell.ground == GROUND_VOID;
    ui_text(y, x, 2 * w->unit, attr, "", true);
    ui_text(y, x + 2, 3, attr, text, true);
    ui_text(y + 1, x, 2 * w->unit, attr, "", true);
    ui_text(y + 1, x + 2, 2 * w->unit - 2, ui->colour ? attr & ~A_BOLD : A_DIM,
            empty ? "" : name, false);
}

/* Puts marks to the left and to the right of what stands on HEX. */
static void draw_marks(const struct ui *ui, const struct window *w, int hex,
                       const char *left, const char *right, attr_t extra)
{
    const struct hacienda *h = table_of(ui);
    int y, x;

    if (!hex_at(w, h, hex, &y, &x))
        return;
    int to = x + (w->lines == 1 ? 4 : 5), from = x + (w->lines == 1 ? 0 : 1);
    /* Right of it another hex begins, whose ground shows through. */
    struct hex_cell cell = hex_cell(h, hex);
    attr_t attr = mark_attr(ui, &cell) | extra;
    ui_text(y, from, 1, attr, left, false);
    if (right == NULL)
        return;
    int next = w->lines == 1
                   ? board_hex_at(h->cols, h->rows,
                                  board_place(h->cols, h->rows, hex).y,
                                  board_place(h->cols, h->rows, hex).x + 2)
                   : -1;
    if (next >= 0) {
        cell = hex_cell(h, next);
        attr = mark_attr(ui, &cell) | extra;
    } else if (w->lines == 1) {
        attr = A_BOLD | extra;
    }
    ui_text(y, to, 1, attr, right, false);
}

/* Turns all that stands on HEX over: what the move in hand would fill. */
static void draw_filled(const struct ui *ui, const struct window *w, int hex)
{
    int y, x;
    if (!hex_at(w, table_of(ui), hex, &y, &x))
        return;
    for (int line = 0; line < w->lines; line++)
        (void)mvchgat(y + line, x + (w->lines == 1),
                      w->lines == 1 ? 3 : 2 * w->unit, A_REVERSE | A_BOLD, 0,
                      NULL);
}

/* Keeps the cursor in sight. */
static void scroll_to(const struct window *w, const struct hacienda *h)
{
    struct board_place p = board_place(h->cols, h->rows, my.cursor);
    int rows = w->height / w->lines, xs = w->width / w->unit - 1;

    if (p.y < my.top + 1)
        my.top = p.y - 1;
    if (p.y > my.top + rows - 2)
        my.top = p.y - rows + 2;
    if (my.top > h->cols - rows)
        my.top = h->cols - rows;
    if (my.top < 0)
        my.top = 0;
    if (p.x < my.left + 2)
        my.left = p.x - 2;
    if (p.x + 3 > my.left + xs)
        my.left = p.x + 3 - xs;
    if (my.left > h->rows - xs)
        my.left = h->rows - xs;
    if (my.left < 0)
        my.left = 0;
}

static void draw_board(const struct ui *ui, const struct window *w)
{
    const struct hacienda *h = table_of(ui);
    char name[BOARD_NAME_SIZE];
    size_t count;
    int first = 0, hexes = 0, y;

    scroll_to(w, h);
    for (int hex = 0; hex < h->hexes; hex++)
        draw_hex(ui, w, hex);
    for (int row = 0; row < h->cols; row++) {
        int hex = board_hex_in(h->cols, h->rows, row, 0);
        y = w->y + (row - my.top) * w->lines;
        if (hex < 0 || row < my.top || y + w->lines > w->y + w->height)
            continue;
        (void)board_hex_write(h->cols, h->rows, hex, name, sizeof(name));
        name[strcspn(name, "0123456789")] = '\0';
        ui_text(y, 0, w->x, ui_attr(ui, STYLE_DIM), name, false);
    }
    for (int hex = 0; hex < h->hexes; hex++)
        if (my.target[hex])
            draw_marks(ui, w, hex, "(", ")", A_NORMAL);
    for (int hex = 0; hex + 1 < h->hexes && w->lines == 1; hex++) {
        struct board_place p = board_place(h->cols, h->rows, hex);
        if (my.target[hex] && my.target[hex + 1] &&
            board_place(h->cols, h->rows, hex + 1).y == p.y)
            draw_marks(ui, w, hex + 1, "|", NULL, A_NORMAL);
    }
    const struct rules_move *move = candidate(ui, &count);
    if (move != NULL)
        hexes = tool_hexes(my.tool, &first);
    for (int i = first; i < first + hexes; i++)
        if (move->arg[i] >= 0)
            draw_filled(ui, w, move->arg[i]);
    if (move != NULL && my.tool == TOOL_HARVEST && move->arg[1] >= 0)
        draw_filled(ui, w, move->arg[1]);
    draw_marks(ui, w, my.cursor, "[", "]", A_REVERSE);
}

/* ---- drawing the rest --------------------------------------------------- */

static void draw_title(const struct ui *ui)
{
    const struct hacienda *h = table_of(ui);
    const char *done = ui->unicode ? "●" : "*";
    const char *todo = ui->unicode ? "◌" : ".";
    char actions[32] = "", line[256];

    for (int i = 0; i < HACIENDA_ACTIONS; i++)
        (void)strcat(actions, i < h->actions ? done : todo);
    if (rules_over(&ui->view.state) || h->turn >= ui->view.state.seats) {
        (void)snprintf(line, sizeof(line), " Hacienda   over, after %d rounds",
                       h->round);
    } else {
        (void)snprintf(line, sizeof(line),
                       " Hacienda  %s %s half  round %d   %s %s  "
                       "%d pesos%s",
                       ui->unicode ? (h->half == 1 ? "◐" : "●") : "",
                       h->half == 1 ? "first" : "second", h->round,
                       ui->table->names[h->turn], actions,
                       h->player[h->turn].money,
                       h->due == DUE_INTERIM
                           ? "   interim scoring after this round"
                       : h->due == DUE_FINAL ? "   LAST ROUND"
                                             : "");
    }
    ui_text(0, 0, ui->columns, ui_attr(ui, STYLE_BAR), line, true);
}

/* Three lines for each player. */
static void draw_narrow(const struct ui *ui, int y, int x, int height,
                        int width)
{
    const struct hacienda *h = table_of(ui);
    int seats = ui->view.state.seats, rows = height / seats;

    if (rows > 4)
        rows = 4;
    for (int seat = 0; seat < seats && rows > 0; seat++) {
        int row = y + seat * rows;
        char name[64];
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
        int interim = ui->score.parts & (1u << PART_INTERIM)
                          ? ui->score.part[PART_INTERIM][seat]
                          : 0;
        if (rows > 2 && ui->score.parts & (1u << PART_INTERIM))
            ui_print(row + 2, x, width, ui_attr(ui, STYLE_BOLD), "%d+%d pts",
                     interim, ui->score.total[seat] - interim);
        else if (rows > 2)
            ui_print(row + 2, x, width, ui_attr(ui, STYLE_BOLD), "%d pts",
                     ui->score.total[seat]);
    }
}

/* What could still be in a stack. */
static int draw_unseen(const struct ui *ui, int y, int x, int width, int stack)
{
    const struct hacienda *h = table_of(ui);
    int first = stack == STACK_LAND ? 0 : LAND_CARDS;
    int last = stack == STACK_LAND ? LAND_CARDS : CARDS;
    int row = y, column = 0;

    ui_print(row++, x, width, ui_attr(ui, STYLE_BOLD),
             stack == STACK_LAND ? "Land pile: %d"
             : h->half == 1      ? "Animal pile: %d, then %d"
                                 : "Animal pile: %d",
             h->supply[stack], h->aside);
    for (int card = first; card < last; card++) {
        char text[32];
        (void)snprintf(text, sizeof(text), "%s %d", hacienda_card_words[card],
                       hacienda_unseen(h, card));
        if (column > 0 && column + (int)strlen(text) > width - 2) {
            row++;
            column = 0;
        }
        ui_text(row, x + 1 + column, width - 1 - column,
                ui_attr(ui, STYLE_DIM), text, false);
        column += (int)strlen(text) + 2;
    }
    return row + 1 - y;
}

static void draw_wide(const struct ui *ui, int y, int x, int height, int width)
{
    const struct hacienda *h = table_of(ui);
    int seats = ui->view.state.seats, row = y, end = y + height;

    ui_print(row, x, width, ui_attr(ui, STYLE_BOLD), "%-*s %5s %5s %7s",
             width - 22, "Players", "pesos", "land", "animals");
    row++;
    for (int seat = 0; seat < seats && row < end; seat++, row++) {
        char name[64];
        (void)snprintf(name, sizeof(name), "%c%d %s%s",
                       h->turn == seat && !rules_over(&ui->view.state) ? '>'
                                                                       : ' ',
                       seat, ui->table->names[seat],
                       h->start == seat ? " (first)" : "");
        ui_text(row, x, width - 22, ui_attr(ui, STYLE_SEAT + seat), name,
                true);
        ui_print(row, x + width - 22, 22, A_NORMAL, " %5d %5d %7d",
                 h->player[seat].money, hacienda_hand(h, seat, STACK_LAND),
                 hacienda_hand(h, seat, STACK_ANIMALS));
    }
    row++;
    int used = ui_scores(ui, row, x, end - row, width);
    if (used == 0 && row + seats < end) { /* too narrow for categories */
        ui_text(row++, x, width, ui_attr(ui, STYLE_BOLD), "Scored now", false);
        for (int seat = 0; seat < seats; seat++)
            ui_print(row++, x + 1, width - 1, A_NORMAL, "%-*.*s %5d",
                     width - 8, width - 8, ui->table->names[seat],
                     ui->score.total[seat]);
    }
    row += used + 1;
    for (int stack = 0; stack < STACKS && row + 4 < end; stack++)
        row += draw_unseen(ui, row, x, width, stack);
    row++;
    if (row + 2 < end) {
        ui_text(row++, x, width, ui_attr(ui, STYLE_BOLD), "What happened",
                false);
        ui_log(ui, row, x, end - row, width);
    }
}

/* One tool, with its key; returns the columns it took and a space. */
static int draw_tool(const struct ui *ui, int y, int x, int tool,
                     const char *key, const char *text)
{
    int room = ui->columns - x, n = 0;

    if (room <= 0)
        return 0;
    attr_t attr = tool == my.tool      ? ui_attr(ui, STYLE_CHOSEN)
                  : my.legal[tool] > 0 ? A_NORMAL
                                       : ui_attr(ui, STYLE_DIM);
    if (key[0] != '\0') {
        n += ui_text(y, x, room,
                     tool == my.tool || my.legal[tool] == 0
                         ? attr
                         : ui_attr(ui, STYLE_KEY),
                     key, false);
        n += ui_text(y, x + n, room - n, attr, " ", false);
    }
    return n + ui_text(y, x + n, room - n, attr, text, false);
}

static int draw_cards(const struct ui *ui, int y, int first, int last)
{
    const struct hacienda *h = table_of(ui);
    int x = 6, gap = ui->columns >= 90 ? 3 : 1;

    for (int card = first; card < last; card++) {
        char key[2] = {(char)('0' + (card + 1) % 10), '\0'}, text[40];
        const struct hacienda_player *p = &h->player[ui->seat];
        int known = p->known[card], hidden = p->unknown[card];
        if (known > 0)
            (void)snprintf(text, sizeof(text), "%s %d+%d",
                           hacienda_card_words[card], hidden, known);
        else
            (void)snprintf(text, sizeof(text), "%s %d",
                           hacienda_card_words[card], hidden);
        x += draw_tool(ui, y, x, TOOL_CARD + card, key, text) + gap;
    }
    return x;
}

static bool any_of(int from, int to)
{
    for (int tool = from; tool < to; tool++)
        if (my.legal[tool] > 0)
            return true;
    return false;
}

static void draw_tools(const struct ui *ui, int y)
{
    const struct hacienda *h = table_of(ui);
    attr_t label = ui_attr(ui, STYLE_BOLD);
    char text[80];
    int x;

    ui_text(y, 0, 5, label, " Hand", false);
    if (ui->seat < ui->view.state.seats) {
        (void)draw_cards(ui, y, 0, LAND_CARDS);
        x = draw_cards(ui, y + 1, LAND_CARDS, CARDS) + 3;
        (void)snprintf(text, sizeof(text), "harvest %d", h->chips_left);
        x += 2 + draw_tool(ui, y + 1, x, TOOL_HARVEST, "v", text);
        (void)draw_tool(ui, y + 1, x, TOOL_END, "e", "end turn");
    }
    for (int stack = 0; stack < STACKS; stack++) {
        int land = stack == STACK_LAND, row = y + 2 + stack;
        int slot0 = land ? TOOL_LAND_SLOT : TOOL_ANIMAL_SLOT;
        ui_text(row, 0, 5, label, land ? " Buy" : "", false);
        (void)snprintf(text, sizeof(text), "%s pile %d, %d$",
                       land ? "land" : "animal", h->supply[stack],
                       hacienda_cost(h, BUY_LAND_SUPPLY));
        (void)draw_tool(ui, row, 6, land ? TOOL_LAND_PILE : TOOL_ANIMAL_PILE,
                        land ? "d" : "a", text);
        x = 30;
        (void)ui_text(row, x - 2, 2,
                      ui_attr(ui,
                              any_of(TOOL_LAND_SLOT, TOOL_ANIMAL_PILE) ||
                                      any_of(TOOL_ANIMAL_SLOT, TOOL_HACIENDA)
                                  ? STYLE_KEY
                                  : STYLE_DIM),
                      land ? "b" : "", false);
        for (int slot = 0; slot < HACIENDA_SLOTS; slot++) {
            int card = h->display[stack][slot];
            if (card != HACIENDA_NOBODY)
                x += draw_tool(ui, row, x, slot0 + slot, "",
                               hacienda_card_words[card]) +
                     2;
        }
        ui_print(row, x, 12, A_NORMAL, "%d$",
                 hacienda_cost(h,
                               land ? BUY_LAND_DISPLAY : BUY_ANIMAL_DISPLAY));
    }
    (void)snprintf(text, sizeof(text), "hacienda %d, %d$", h->haciendas_left,
                   hacienda_cost(h, BUY_HACIENDA));
    x = 6 + 2 + draw_tool(ui, y + 4, 6, TOOL_HACIENDA, "f", text);
    bool water = any_of(TOOL_WATER, TOOL_HARVEST);
    x += ui_text(y + 4, x, 2, ui_attr(ui, water ? STYLE_KEY : STYLE_DIM), "w ",
                 false);
    x += ui_text(y + 4, x, 6, ui_attr(ui, water ? STYLE_PLAIN : STYLE_DIM),
                 "water", false);
    for (int shape = 0; shape < SHAPES; shape++) {
        (void)snprintf(text, sizeof(text), "%s %d",
                       hacienda_shape_words[shape], h->waters_left[shape]);
        x += 1 + draw_tool(ui, y + 4, x + 1, TOOL_WATER + shape, "", text);
    }
    (void)ui_print(y + 4, x, 8, A_NORMAL, ", %d$",
                   hacienda_cost(h, BUY_WATER));
}

/* What the move would bring, as far as the view can tell. */
static void say_preview(const struct ui *ui, const struct rules_move *move,
                        char *buf, size_t cap)
{
    static struct rules_events events;
    static union rules_any after;
    struct sbuf s = sbuf_in(buf, cap);
    struct rules_score score;

    memcpy(&after, &ui->view, ui->table->rules->state_size);
    int refusal = rules_apply(ui->table->rules, &after.state, ui->seat, move,
                              &events);
    if (refusal == RULES_UNSEEN)
        sbuf_puts(&s, " (final)");
    if (refusal != RULES_OK)
        return;
    rules_score(ui->table->rules, &after.state, &score);
    const struct hacienda *then = (const struct hacienda *)&after;
    int pesos = then->player[ui->seat].money -
                table_of(ui)->player[ui->seat].money;
    int points = score.total[ui->seat] - ui->score.total[ui->seat];
    if (pesos != 0)
        sbuf_printf(&s, ": %+d pesos", pesos);
    if (points != 0 && !(events.flags & RULES_DREW))
        sbuf_printf(&s, "%s %+d points", s.len > 0 ? "," : ":", points);
    if (events.flags & (RULES_FINAL | RULES_DREW))
        sbuf_puts(&s, " (final)");
}

static void say_unseen(struct sbuf *s, const struct ui *ui, int stack)
{
    int first = stack == STACK_LAND ? 0 : LAND_CARDS;
    int last = stack == STACK_LAND ? LAND_CARDS : CARDS;
    const char *comma = "";

    sbuf_puts(s, "may be");
    for (int card = first; card < last; card++) {
        int unseen = hacienda_unseen(table_of(ui), card);
        if (unseen == 0)
            continue;
        sbuf_printf(s, "%s %s %d", comma, hacienda_card_words[card], unseen);
        comma = ",";
    }
}

static void say_tool(const struct ui *ui, char *buf, size_t cap)
{
    char name[80], preview[80];
    struct sbuf s = sbuf_in(buf, cap);
    size_t count;
    int first;
    const struct rules_move *move = candidate(ui, &count);

    tool_name(ui, my.tool, name, sizeof(name));
    if (move != NULL) {
        say_preview(ui, move, preview, sizeof(preview));
        sbuf_printf(&s, "Enter: %s%s%s", my.tool < CARDS ? "play " : "", name,
                    preview);
        if (count > 1 && tool_hexes(my.tool, &first) > 0)
            sbuf_printf(&s, "  r turns (%zu of %zu)", my.turn % count + 1,
                        count);
        if (my.tool == TOOL_LAND_PILE || my.tool == TOOL_ANIMAL_PILE) {
            sbuf_puts(&s, ", ");
            say_unseen(&s, ui,
                       my.tool == TOOL_LAND_PILE ? STACK_LAND : STACK_ANIMALS);
        }
        return;
    }
    struct rules_move here = RULES_MOVE(tool_verb(my.tool),
                                        tool_argument(table_of(ui), my.tool),
                                        RULES_NONE, RULES_NONE);
    (void)tool_hexes(my.tool, &first);
    here.arg[first] = (int16_t)my.cursor;
    int refusal = rules_check(ui->table->rules, &ui->view.state, ui->seat,
                              &here);
    sbuf_printf(&s, "%s: not here. %s  n: next place", name,
                refusal == RULES_OK || tool_verb(my.tool) == BUY_WATER
                    ? ""
                    : rules_reason_text(ui->table->rules, refusal));
}

/* Tools that have a move at the cursor. */
static void say_here(const struct ui *ui, char *buf, size_t cap)
{
    const struct hacienda *h = table_of(ui);
    struct sbuf s = sbuf_in(buf, cap);

    for (int tool = 0; tool < TOOLS; tool++) {
        bool fits = false;
        for (size_t i = 0; i < ui->choice_count && !fits; i++)
            fits = tool_has(h, tool, &ui->choices[i].move) &&
                   tool_at(tool, &ui->choices[i].move, my.cursor);
        if (!fits)
            continue;
        char name[80];
        tool_name(ui, tool, name, sizeof(name));
        sbuf_printf(&s, "%s%s", s.len > 0 ? ", " : "Possible: ", name);
    }
}

static void draw_info(const struct ui *ui, int y)
{
    const struct hacienda *h = table_of(ui);
    char name[BOARD_NAME_SIZE], words[120], text[300] = "";
    struct hex_cell cell = hex_cell(h, my.cursor);

    (void)board_hex_write(h->cols, h->rows, my.cursor, name, sizeof(name));
    hex_words(&cell,
              cell.owner < ui->view.state.seats ? ui->table->names[cell.owner]
                                                : "nobody",
              words, sizeof(words));
    int n = 0, first;
    if (my.tool == NO_TOOL || tool_hexes(my.tool, &first) > 0) {
        n = ui_print(y, 1, ui->columns - 1, ui_attr(ui, STYLE_BOLD), "%s",
                     name);
        n += ui_print(y, 1 + n, ui->columns - 1 - n, A_NORMAL, " %s.  ",
                      words);
    }
    if (rules_over(&ui->view.state))
        return;
    if (my.tool != NO_TOOL)
        say_tool(ui, text, sizeof(text));
    else if (h->actions >= HACIENDA_ACTIONS)
        (void)snprintf(text, sizeof(text),
                       "All actions done: e ends your "
                       "turn.");
    else
        say_here(ui, text, sizeof(text));
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    ui_text(y, 1 + n, ui->columns - 1 - n,
            my.tool != NO_TOOL ? ui_attr(ui, STYLE_GOOD) : A_NORMAL, text,
            false);
}

static void draw(struct ui *ui)
{
    const struct hacienda *h = table_of(ui);
    struct window w = {.y = 1, .x = h->cols > 26 ? 3 : 2};
    int free_rows = ui->lines - 2 - TOOL_ROWS - 1;
    int large = w.x + 3 * (h->rows + 1) + 2;
    bool fits = ui->columns >= large + PANEL_WIDE && free_rows >= 2 * h->cols;

    w.unit = my.zoom == 2 || (my.zoom == 0 && fits) ? 3 : 2;
    w.lines = w.unit == 3 ? 2 : 1;
    int whole = w.unit * (h->rows + 1) + 1;
    int panel = ui->columns - w.x - whole - 1;
    if (panel < PANEL_NARROW)
        panel = ui->columns >= 60 ? PANEL_NARROW : 0;
    else if (panel < PANEL_WIDE)
        panel = ui->columns >= 110 ? PANEL_WIDE : PANEL_NARROW;
    w.width = ui->columns - w.x - panel - (panel > 0);
    if (w.width > whole)
        w.width = whole;
    int panel_x = w.x + w.width + 1;
    panel = panel > 0 ? ui->columns - panel_x : 0;
    w.height = free_rows < w.lines * h->cols ? free_rows : w.lines * h->cols;
    w.height -= w.height % w.lines;

    draw_title(ui);
    draw_board(ui, &w);
    int below = 1 + w.height;
    bool tall = panel >= PANEL_WIDE && panel_x >= TOOL_COLUMNS;
    if (panel >= PANEL_WIDE)
        draw_wide(ui, 1, panel_x, tall ? ui->lines - 2 : w.height, panel);
    else if (panel > 0)
        draw_narrow(ui, 1, panel_x, w.height, panel);
    draw_tools(ui, below);
    draw_info(ui, below + 5);
    if (!tall) /* there the panel has the log */
        ui_log(ui, below + TOOL_ROWS, 0, ui->lines - 1 - below - TOOL_ROWS,
               ui->columns);
}

/* ---- keys --------------------------------------------------------------- */

static void go_to(int hex, bool keep_goal)
{
    if (hex < 0)
        return;
    my.cursor = hex;
    my.turn = 0;
    (void)keep_goal;
}

static void step(const struct hacienda *h, int dx, int dy)
{
    struct board_place p = board_place(h->cols, h->rows, my.cursor);
    int hex = -1;

    if (dy != 0 && dx == 0) { /* up or down: to the side of the goal */
        int side = my.goal < p.x ? -1 : my.goal > p.x ? 1 : (p.y & 1 ? 1 : -1);
        hex = board_hex_at(h->cols, h->rows, p.y + dy, p.x + side);
        if (hex < 0)
            hex = board_hex_at(h->cols, h->rows, p.y + dy, p.x - side);
        go_to(hex, true);
        return;
    }
    hex = board_hex_at(h->cols, h->rows, p.y + dy, p.x + dx);
    go_to(hex, false);
    my.goal = board_place(h->cols, h->rows, my.cursor).x;
}

/* To the next hex where the tool in hand can be used. */
static void go_next(struct ui *ui, int by)
{
    const struct hacienda *h = table_of(ui);
    for (int i = 1; i <= h->hexes; i++) {
        int hex = ((my.cursor + by * i) % h->hexes + h->hexes) % h->hexes;
        if (!my.target[hex])
            continue;
        go_to(hex, false);
        my.goal = board_place(h->cols, h->rows, hex).x;
        return;
    }
    ui_say(ui, false,
           my.tool == NO_TOOL ? "First take something: a number, "
                                "or Tab."
                              : "That needs no place: press Enter.");
}

/* Enter without a tool: takes the first that can be used here. */
static void take_here(struct ui *ui)
{
    const struct hacienda *h = table_of(ui);
    for (int tool = 0; tool < TOOLS; tool++) {
        for (size_t i = 0; i < ui->choice_count; i++) {
            if (tool_has(h, tool, &ui->choices[i].move) &&
                tool_at(tool, &ui->choices[i].move, my.cursor)) {
                take(ui, tool);
                return;
            }
        }
    }
    ui_say(ui, false,
           "Nothing can be done here. Take a card: a number, or "
           "Tab.");
}

static void use(struct ui *ui)
{
    size_t count;
    const struct rules_move *move = candidate(ui, &count);

    if (my.tool == NO_TOOL) {
        take_here(ui);
    } else if (move == NULL) {
        ui_say(ui, true, "Not here. n goes to where it can be.");
    } else {
        struct rules_move chosen = *move;
        (void)ui_play(ui, &chosen);
    }
}

static void show_cards(struct ui *ui)
{
    const struct hacienda *h = table_of(ui);
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    hacienda_ui.hand(to, ui->table, &ui->view.state);
    (void)fprintf(to, "\nMarkets pay animals of the herd %s.\n",
                  h->variant1 || h->crucible
                      ? "x own land tiles directly next to it"
                      : "+ land tiles of all chains it touches");
    (void)fprintf(to,
                  "Points: markets %s; land %d per tile in chains of 3 "
                  "or more; %shaciendas 1 per tile of their chain or herd; "
                  "water 1 per adjacent tile%s; money 1 per %d pesos.\n",
                  h->crucible ? "2, 5, 9, 14, 20 ..." : "1, 3, 6, 10, 15 ...",
                  h->crucible ? 1 : 2,
                  h->variant1 || h->crucible
                      ? "herds of 3 or more 1 per animal; "
                      : "",
                  h->crucible ? " (single water 2)" : "",
                  h->variant1 ? 20 : 10);
    if (h->variant2)
        (void)fputs("Points count after every action; there is no interim "
                    "scoring.\n",
                    to);
    (void)fclose(to);
    ui_page(ui, "Cards, prices and points", text);
    free(text);
}

static bool key(struct ui *ui, int key)
{
    const struct hacienda *h = table_of(ui);

    switch (key) {
    case KEY_LEFT:
    case 'h': step(h, -2, 0); return true;
    case KEY_RIGHT:
    case 'l': step(h, 2, 0); return true;
    case KEY_UP:
    case 'k': step(h, 0, -1); return true;
    case KEY_DOWN:
    case 'j': step(h, 0, 1); return true;
    case KEY_HOME:
    case 'y': step(h, -1, -1); return true;
    case KEY_PPAGE:
    case 'i': step(h, 1, -1); return true;
    case KEY_END:
    case ',': step(h, -1, 1); return true;
    case KEY_NPAGE:
    case '.': step(h, 1, 1); return true;
    case 'z': my.zoom = my.zoom == 1 ? 2 : my.zoom == 2 ? 0 : 1; return true;
    case 'c': show_cards(ui); return true;
    default: break;
    }
    if (rules_over(&ui->view.state) || ui->seat >= ui->view.state.seats)
        return false;
    if (key >= '0' && key <= '9') {
        try_take(ui, TOOL_CARD + (key == '0' ? 9 : key - '1'));
        return true;
    }
    switch (key) {
    case 'd': try_take(ui, TOOL_LAND_PILE); return true;
    case 'a': try_take(ui, TOOL_ANIMAL_PILE); return true;
    case 'f':
    case 'H': try_take(ui, TOOL_HACIENDA); return true;
    case 'v': try_take(ui, TOOL_HARVEST); return true;
    case 'e': try_take(ui, TOOL_END); return true;
    case 'w': take_next(ui, TOOL_WATER, TOOL_HARVEST, 1); return true;
    case 'b':
        /* The land cards face up, then the animals. */
        if (my.tool >= TOOL_LAND_SLOT && my.tool < TOOL_ANIMAL_PILE) {
            for (int t = my.tool + 1; t < TOOL_HACIENDA; t++) {
                if (my.legal[t] > 0 && t != TOOL_ANIMAL_PILE) {
                    take(ui, t);
                    return true;
                }
            }
        } else if (my.tool >= TOOL_ANIMAL_SLOT && my.tool < TOOL_HACIENDA) {
            for (int t = my.tool + 1; t < TOOL_HACIENDA; t++) {
                if (my.legal[t] > 0) {
                    take(ui, t);
                    return true;
                }
            }
        }
        for (int t = TOOL_LAND_SLOT; t < TOOL_HACIENDA; t++) {
            if (my.legal[t] > 0 && t != TOOL_ANIMAL_PILE) {
                take(ui, t);
                return true;
            }
        }
        try_take(ui, TOOL_LAND_SLOT);
        return true;
    case '\t': take_next(ui, 0, TOOLS, 1); return true;
    case KEY_BTAB: take_next(ui, 0, TOOLS, -1); return true;
    case KEY_ESCAPE: take(ui, NO_TOOL); return true;
    case 'n':
    case '>': go_next(ui, 1); return true;
    case 'p':
    case '<': go_next(ui, -1); return true;
    case 'r': my.turn++; return true;
    case 'R': my.turn += my.turn > 0 ? (size_t)-1 : 0; return true;
    case KEY_RETURN:
    case ' ': use(ui); return true;
    default: return false;
    }
}

const struct screen hacienda_screen = {
    .start = start,
    .fresh = fresh,
    .draw = draw,
    .key = key,
    .keys = " 1-0 card  Tab other  n place  Enter do  e end turn  u undo  "
            "? help  q quit",
    .help =
        "Take something, choose a place, press Enter.\n"
        "\n"
        "Take:\n"
        "  1-6  a land card: mountain, forest, meadow, rocks, swamp, pampas\n"
        "  7-0  an animal card: cattle, horse, pig, sheep\n"
        "  d a  draw from the land pile, the animal pile (final)\n"
        "  b    buy a face-up card; again: the next one (final)\n"
        "  f    a hacienda          w  water; again: the next shape\n"
        "  v    harvest             e  the end of the turn\n"
        "  Tab, Shift-Tab  whatever is possible, in turn     Esc  nothing\n"
        "\n"
        "Choose a place: (brackets) show where it can be.\n"
        "  arrows or h j k l  the next hex; y i , . or Home PgUp End PgDn  "
        "across\n"
        "  n p  the next, the previous place where it can be\n"
        "  r    turn a water tile, choose whose chip is taken\n"
        "Enter or space does it. Enter with nothing taken takes what can be "
        "used here.\n"
        "\n"
        "  c    cards: what may still be in the piles, prices, points\n"
        "  z    the board small, large, or as it fits\n"
        "\n"
        "Hexes: 0L land of player 0; c h p s cattle, horse, pig, sheep;\n"
        "  * a harvest chip, H or a little house a hacienda, & both;\n"
        "  $$$ market, and the grounds: . pampas, \" meadow, % swamp, and\n"
        "  forest Y or a club, rocks o or a square, mountain ^ or a "
        "triangle, water ~.\n"
        "In the hand `2+1` are two cards that nobody has seen and one that "
        "all have.\n",
};
