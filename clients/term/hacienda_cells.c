#include <string.h>

#include "clients/common/lang.h"
#include "hacienda_hexes.h"
#include "hacienda_tools.h"

static int ground_pair(int ground)
{
    return PAIR_OF_GAME + ground;
}

/* Marks on that ground. */
static int mark_pair(int ground)
{
    return PAIR_OF_GAME + GROUNDS + ground;
}

void hacienda_colours(struct ui *ui)
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

    ui_pairs(ui, ground_pair(0), GROUNDS, ui->many ? many : few);
    for (int g = 0; ui->colour && ui->many && g < GROUNDS; g++)
        init_pair((short)mark_pair(g), 16, many[g][1]);
}

static int hex_count(const struct ui *ui)
{
    return hacienda_of(ui)->hexes;
}

static void hex_place(const struct ui *ui, int hex, int *row, int *half)
{
    const struct hacienda *h = hacienda_of(ui);
    struct board_place p = board_place(h->cols, h->rows, hex);

    *row = p.y;
    *half = p.x;
}

static int hex_at(const struct ui *ui, int row, int half)
{
    const struct hacienda *h = hacienda_of(ui);
    return board_hex_at(h->cols, h->rows, row, half);
}

static void hex_size(const struct ui *ui, int *rows, int *halves)
{
    *rows = hacienda_of(ui)->cols;
    *halves = hacienda_of(ui)->rows;
}

static void hex_paint(const struct ui *ui, int hex, char text[16],
                      char below[24])
{
    const struct hacienda *h = hacienda_of(ui);
    struct hex_cell cell = hex_cell(h, hex);

    hex_text(&cell, ui->unicode, text);
    if (cell.ground != GROUND_VOID)
        (void)board_hex_write(h->cols, h->rows, hex, below, BOARD_NAME_SIZE);
}

static attr_t hex_attr(const struct ui *ui, int hex)
{
    struct hex_cell cell = hex_cell(hacienda_of(ui), hex);

    if (!ui->colour)
        return cell.tile == TILE_LAND || tile_is_animal(cell.tile) ? A_BOLD
                                                                   : A_NORMAL;
    if (cell.tile == TILE_WATER)
        return (attr_t)COLOR_PAIR(ground_pair(GROUND_WATER));
    if (cell.tile != TILE_NONE && cell.owner < RULES_SEATS_MAX)
        return A_BOLD | ui_attr(ui, STYLE_SEAT + cell.owner);
    return (attr_t)COLOR_PAIR(ground_pair(cell.ground)) |
           (cell.ground == GROUND_MARKET ? A_BOLD : A_NORMAL);
}

static attr_t mark_attr(const struct ui *ui, int hex)
{
    struct hex_cell cell = hex_cell(hacienda_of(ui), hex);
    bool tile = cell.tile != TILE_NONE && cell.tile != TILE_WATER;

    if (!ui->colour || !ui->many || tile || cell.ground == GROUND_VOID)
        return hex_attr(ui, hex) | A_BOLD;
    return (attr_t)COLOR_PAIR(mark_pair(
               cell.tile == TILE_WATER ? GROUND_WATER : cell.ground)) |
           A_BOLD;
}

static void row_name(const struct ui *ui, int row, char buf[8])
{
    const struct hacienda *h = hacienda_of(ui);
    int hex = board_hex_in(h->cols, h->rows, row, 0);

    buf[0] = '\0';
    if (hex < 0)
        return;
    (void)board_hex_write(h->cols, h->rows, hex, buf, BOARD_NAME_SIZE);
    buf[strcspn(buf, "0123456789")] = '\0';
}

static void hex_say(const struct ui *ui, int hex, char name[16], char *words,
                    size_t cap)
{
    const struct hacienda *h = hacienda_of(ui);
    struct hex_cell cell = hex_cell(h, hex);

    (void)board_hex_write(h->cols, h->rows, hex, name, 16);
    hex_words(&cell,
              cell.owner < ui->view.state.seats ? ui->table->names[cell.owner]
                                                : _("nobody"),
              words, cap);
}

static const struct cells_form hexes = {
    .cells = hex_count,
    .place = hex_place,
    .at = hex_at,
    .size = hex_size,
    .text = hex_paint,
    .attr = hex_attr,
    .mark_attr = mark_attr,
    .say = hex_say,
    .row_name = row_name,
};

struct cells hacienda_cells = {.form = &hexes};
