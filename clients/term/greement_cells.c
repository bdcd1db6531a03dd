#include <stdio.h>

#include "greement_tools.h"

/* Colour pairs of grounds without an owner. */
enum { PAIR_DOWN, PAIR_LAND, PAIR_MINE, PAIR_LAKE, PAIR_MOUNTAIN, PAIRS };

void greement_colours(struct ui *ui)
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

    ui_pairs(ui, PAIR_OF_GAME, PAIRS, ui->many ? many : few);
}

int greement_buyer(const struct ui *ui)
{
    return ui->seat < ui->view.state.seats ? ui->seat : 0;
}

void greement_brief(int64_t n, char *buf, size_t cap)
{
    static const char units[] = {' ', 'k', 'M', 'G', 'T'};
    size_t unit = 0;

    while ((n >= 100000 || n <= -100000) && unit + 1 < sizeof(units)) {
        n /= 1000;
        unit++;
    }
    (void)snprintf(buf, cap, "%lld%.*s", (long long)n, unit > 0, &units[unit]);
}

static attr_t square_attr(const struct ui *ui, int square)
{
    static const int pairs[] = {
        [SQUARE_LAND] = PAIR_LAND,   [SQUARE_CROP] = PAIR_LAND,
        [SQUARE_CATTLE] = PAIR_LAND, [SQUARE_MINE] = PAIR_MINE,
        [SQUARE_LAKE] = PAIR_LAKE,   [SQUARE_MOUNTAIN] = PAIR_MOUNTAIN,
    };
    const struct greement *g = greement_table(ui);
    int kind = g->square[square], owner = g->owner[square];

    if (owner != GREEMENT_NOBODY)
        return A_BOLD | ui_attr(ui, STYLE_SEAT + owner);
    if (!ui->colour)
        return kind == SQUARE_FACE_DOWN ? A_DIM : A_NORMAL;
    return (attr_t)COLOR_PAIR(
        PAIR_OF_GAME + (kind == SQUARE_FACE_DOWN ? PAIR_DOWN : pairs[kind]));
}

/* Below the sign of a square: what a free one costs, what another earns. */
static void square_paint(const struct ui *ui, int square, char text[16],
                         char below[24])
{
    const struct greement *g = greement_table(ui);
    int price = greement_price(g, greement_buyer(ui), square);

    greement_cell(g, square, ui->unicode, text);
    if (g->owner[square] != GREEMENT_NOBODY) {
        below[0] = '+';
        greement_brief(greement_profit(g, square), below + 1, 23);
    } else if (price >= 0) {
        greement_brief(price, below, 24);
    }
}

static void square_say(const struct ui *ui, int square, char name[16],
                       char *words, size_t cap)
{
    (void)snprintf(name, 16, "%s", greement_square_names[square]);
    greement_say_square(ui->table, greement_table(ui), square, words, cap);
}

static const struct cells_form squares = {
    .across = GREEMENT_SIDE,
    .down = GREEMENT_SIDE,
    .text = square_paint,
    .attr = square_attr,
    .say = square_say,
};
struct cells greement_cells = {.form = &squares};
