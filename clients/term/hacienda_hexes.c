#include "hacienda_hexes.h"

#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "layout.h"

struct hex_cell hex_cell(const struct hacienda *h, int hex)
{
    return (struct hex_cell){
        .ground = h->ground[hex],
        .tile = h->tile[hex],
        .owner = h->owner[hex],
        .hacienda = h->hacienda[hex],
        .chip = h->chip[hex],
    };
}

void hex_text(const struct hex_cell *cell, bool unicode,
              char buf[HEX_TEXT_SIZE])
{
    static const char *const grounds[2][GROUNDS] = {
        {"   ", " . ", "\"\"\"", "YYY", "%%%", "ooo", "^^^", "???", "$$$",
         "~~~"},
        {"   ", " · ", "\"\"\"", "♣♣♣", "%%%", "■■■", "▲▲▲", "???", "$$$",
         "≈≈≈"},
    };
    static const char animals[] = "chps";

    if (cell->tile == TILE_NONE || cell->tile == TILE_WATER) {
        int ground = cell->tile == TILE_WATER ? GROUND_WATER : cell->ground;
        (void)snprintf(buf, HEX_TEXT_SIZE, "%s", grounds[unicode][ground]);
        return;
    }
    char kind = cell->tile == TILE_LAND ? 'L'
                                        : animals[cell->tile - TILE_CATTLE];
    const char *mark = cell->hacienda && cell->chip ? "&"
                       : cell->hacienda             ? (unicode ? "⌂" : "H")
                       : cell->chip                 ? "*"
                                                    : " ";
    (void)snprintf(buf, HEX_TEXT_SIZE, "%u%c%s", cell->owner % 10u, kind,
                   mark);
}

/* What lies there, as people call it. */
static const char *const ground_says[GROUNDS] = {
    [GROUND_VOID] = N_("void"),         [GROUND_PAMPAS] = N_("pampas"),
    [GROUND_MEADOW] = N_("meadow"),     [GROUND_FOREST] = N_("forest"),
    [GROUND_SWAMP] = N_("swamp"),       [GROUND_ROCKS] = N_("rocks"),
    [GROUND_MOUNTAIN] = N_("mountain"), [GROUND_RANDOM] = N_("random"),
    [GROUND_MARKET] = N_("market"),     [GROUND_WATER] = N_("water"),
};

const char *hex_ground(int ground)
{
    return _(ground_says[ground]);
}

/* Of whom a tile is, with or without a hacienda and a chip on it. */
static const char *tile_says(const struct hex_cell *cell)
{
    if (cell->hacienda && cell->chip)
        return _("%s, %s of %s with a hacienda and a harvest chip");
    if (cell->hacienda)
        return _("%s, %s of %s with a hacienda");
    return cell->chip ? _("%s, %s of %s with a harvest chip")
                      : _("%s, %s of %s");
}

void hex_words(const struct hex_cell *cell, const char *owner, char *buf,
               size_t cap)
{
    static const char *const tiles[] = {
        [TILE_LAND] = N_("land"),   [TILE_CATTLE] = N_("cattle"),
        [TILE_HORSE] = N_("horse"), [TILE_PIG] = N_("pig"),
        [TILE_SHEEP] = N_("sheep"),
    };
    const char *ground = hex_ground(cell->ground);
    bool bare = cell->ground == GROUND_MARKET || cell->ground == GROUND_VOID;

    if (cell->tile == TILE_WATER)
        (void)snprintf(buf, cap, "%s", _("water"));
    else if (cell->tile == TILE_NONE)
        (void)snprintf(buf, cap, bare ? "%s" : _("%s, empty"), ground);
    else
        (void)snprintf(buf, cap, tile_says(cell), ground, _(tiles[cell->tile]),
                       owner);
}

/* The numbers of the hexes of rows with Y's parity, over their middles. */
static void print_ruler(FILE *to, uint16_t cols, uint16_t rows, int y)
{
    int column = 0, last = board_row_hexes(rows, y);

    (void)cols;
    (void)fputs("    ", to);
    for (int k = 0; k < last; k++) {
        int hex = board_hex_in(cols, rows, y, k);
        int x = 2 * board_place(cols, rows, hex).x;
        for (; column < x; column++)
            (void)fputc(' ', to);
        column += fprintf(to, "%2d", k + 1);
    }
    (void)fputc('\n', to);
}

static void print_row(FILE *to, uint16_t cols, uint16_t rows, int y,
                      struct hex_cell (*at)(const void *board, int hex),
                      const void *board)
{
    char name[BOARD_NAME_SIZE], text[HEX_TEXT_SIZE], line[2048];
    size_t len = 0;
    int column = 0;

    for (int k = 0; k < board_row_hexes(rows, y); k++) {
        int hex = board_hex_in(cols, rows, y, k);
        struct hex_cell cell = at(board, hex);
        if (k == 0) {
            (void)board_hex_write(cols, rows, hex, name, sizeof(name));
            (void)fprintf(to, "%-4.*s", (int)strcspn(name, "0123456789"),
                          name);
        }
        for (int x = 2 * board_place(cols, rows, hex).x; column < x; column++)
            line[len++] = ' ';
        hex_text(&cell, layout_unicode(), text);
        size_t n = strlen(text);
        ASSERT(len + n + 4 < sizeof(line));
        memcpy(line + len, text, n);
        len += n;
        column += 3;
    }
    while (len > 0 && line[len - 1] == ' ')
        len--;
    (void)fwrite(line, 1, len, to);
    (void)fputc('\n', to);
}

void hexes_print(FILE *to, uint16_t cols, uint16_t rows,
                 struct hex_cell (*at)(const void *board, int hex),
                 const void *board, bool tiles)
{
    char text[HEX_TEXT_SIZE];

    print_ruler(to, cols, rows, 0);
    for (int y = 0; y < cols; y++)
        print_row(to, cols, rows, y, at, board);
    if (cols > 1)
        print_ruler(to, cols, rows, 1);
    (void)fputs("\n ", to);
    for (int ground = GROUND_PAMPAS; ground < GROUNDS; ground++) {
        struct hex_cell cell = {.ground = (uint8_t)ground};
        if (ground == GROUND_RANDOM && tiles)
            continue;
        hex_text(&cell, layout_unicode(), text);
        (void)fprintf(to, " %s %s%s", text + (text[0] == ' '),
                      hex_ground(ground), ground < GROUNDS - 1 ? " " : "\n");
    }
    if (tiles)
        (void)fprintf(to,
                      _("  0L land of player 0   1c cattle of player 1, h "
                        "horse, p pig, s sheep\n"
                        "  * harvest chip   %s hacienda   & both\n"),
                      layout_unicode() ? "⌂" : "H");
}

static struct hex_cell cell_of_table(const void *board, int hex)
{
    return hex_cell(board, hex);
}

void hexes_print_table(FILE *to, const struct hacienda *h)
{
    hexes_print(to, h->cols, h->rows, cell_of_table, h, true);
}
