/* test_board.c -- Hacienda's boards: geometry, names, files, generator.
 *
 * What is asked of geometry is worked out here a second time from the rules'
 * own words, in the coordinates of the file.  The boards of the community are
 * tried when they are there: beside the tree, or where $HAZ_COMMUNITY says. */

#include <criterion/criterion.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/base.h"
#include "../../core/games/hacienda/board.h"

#define BOARDS    "core/games/hacienda/boards/"
#define COMMUNITY "../shared/data/hacienda/community"

/* Under the sanitizers everything takes its time. */
static int seeds(int count)
{
    return getenv("ASAN") != NULL ? (count + 9) / 10 : count;
}

/* ---- The grid, by the rules ---- */

/* A grid numbered by looking at every cell. */
struct grid {
    int cols, rows, hexes;
    int16_t hex[BOARD_CELLS_MAX]; /* by x + y * rows; -1 where there is none */
    struct {
        int16_t x, y, k;
    } at[BOARD_HEXES_MAX];
};

/* rules, `.haz`: x = RowCount - 1 - row, y = col; reading order: by row, then
 * by number. */
static void grid_fill(struct grid *g, int cols, int rows)
{
    g->cols = cols;
    g->rows = rows;
    g->hexes = 0;
    for (int y = 0; y < cols; y++) {
        int16_t k = 0;
        for (int x = 0; x < rows; x++) {
            int col = y, row = rows - 1 - x;
            bool is_hex = (col + row) % 2 == 1;
            g->hex[x + y * rows] = (int16_t)(is_hex ? g->hexes : -1);
            if (!is_hex)
                continue;
            g->at[g->hexes].x = (int16_t)x;
            g->at[g->hexes].y = (int16_t)y;
            g->at[g->hexes++].k = k++;
        }
    }
}

/* The hex at a cell of the file, or -1. */
static int grid_cell(const struct grid *g, int col, int row)
{
    if (col < 0 || col >= g->cols || row < 0 || row >= g->rows)
        return -1;
    return g->hex[g->rows - 1 - row + col * g->rows];
}

/* rules, `.haz`: neighbours of (c, r) are (c, r +- 2), (c +- 1, r +- 1); the
 * row is counted from the right. */
static int grid_neighbour(const struct grid *g, int hex, enum board_way way)
{
    int c = g->at[hex].y, r = g->rows - 1 - g->at[hex].x;
    switch (way) {
    case WAY_W: return grid_cell(g, c, r + 2);
    case WAY_E: return grid_cell(g, c, r - 2);
    case WAY_NW: return grid_cell(g, c - 1, r + 1);
    case WAY_NE: return grid_cell(g, c - 1, r - 1);
    case WAY_SW: return grid_cell(g, c + 1, r + 1);
    case WAY_SE: return grid_cell(g, c + 1, r - 1);
    default: return -1;
    }
}

#define EACH_SIZE(cols, rows) \
    for (uint16_t rows = 1; rows <= BOARD_ROWS_MAX; rows++) \
        for (uint16_t cols = 1; board_size_ok(cols, rows); cols++)

/* Exactly the sizes of the rules are boards, and none is too large for us. */
Test(geometry, sizes)
{
    cr_assert(board_size_ok(1, 1));
    cr_assert(board_size_ok(1760, 1));
    cr_assert(board_size_ok(17, 100));
    cr_assert_not(board_size_ok(0, 9));
    cr_assert_not(board_size_ok(9, 0));
    cr_assert_not(board_size_ok(1761, 1));
    cr_assert_not(board_size_ok(18, 98));
    cr_assert_not(board_size_ok(17, 101));
    cr_assert_not(board_size_ok(UINT_MAX, 2));
    cr_assert_not(board_size_ok(2, UINT_MAX));
    EACH_SIZE(cols, rows)
    cr_assert_leq(board_hexes(cols, rows), BOARD_HEXES_MAX);
}

/* Every hex of every size has the index, row, number and x of the rules. */
Test(geometry, places)
{
    static struct grid g;
    EACH_SIZE(cols, rows)
    {
        grid_fill(&g, cols, rows);
        cr_assert_eq(board_hexes(cols, rows), g.hexes);
        for (int hex = 0; hex < g.hexes; hex++) {
            struct board_place at = board_place(cols, rows, hex);
            cr_assert_eq(at.x, g.at[hex].x);
            cr_assert_eq(at.y, g.at[hex].y);
            cr_assert_eq(at.k, g.at[hex].k);
            cr_assert_lt(at.k, board_row_hexes(rows, at.y));
            cr_assert_eq(board_hex_in(cols, rows, at.y, at.k), hex);
        }
        for (int y = -1; y <= cols; y++) {
            for (int x = -1; x <= rows; x++) {
                int hex = grid_cell(&g, y, rows - 1 - x);
                cr_assert_eq(board_hex_at(cols, rows, y, x), hex);
            }
        }
    }
}

/* What is not on the board has no hex, however far off. */
Test(geometry, nowhere)
{
    static const int far[] = {INT_MIN, -2, -1, 1000, INT_MAX};
    for (size_t i = 0; i < COUNT_OF(far); i++) {
        cr_assert_eq(board_hex_at(15, 33, far[i], 0), -1);
        cr_assert_eq(board_hex_at(15, 33, 0, far[i]), -1);
        cr_assert_eq(board_hex_in(15, 33, far[i], 0), -1);
        cr_assert_eq(board_hex_in(15, 33, 0, far[i]), -1);
    }
    cr_assert_eq(board_hex_in(15, 33, 0, 15), 15);
    cr_assert_eq(board_hex_in(15, 33, 0, 16), -1);
    cr_assert_eq(board_hex_in(15, 33, 1, 16), 32);
    cr_assert_eq(board_hex_in(15, 33, 1, 17), -1);
}

/* Every hex of every size has the neighbours of the rules, each in its place,
 * and no others. */
Test(geometry, neighbours)
{
    static struct grid g;
    uint8_t near[BOARD_HEXES_MAX + 1];
    EACH_SIZE(cols, rows)
    {
        grid_fill(&g, cols, rows);
        near[g.hexes] = 0xa5;
        board_near(cols, rows, near);
        cr_assert_eq(near[g.hexes], 0xa5, "wrote past the last hex");
        struct board_steps steps = board_steps(cols, rows);
        for (int hex = 0; hex < g.hexes; hex++) {
            int to = -1;
            struct board_walk w = board_walk(&steps, near, hex);
            for (int way = 0; way < BOARD_WAYS; way++) {
                int want = grid_neighbour(&g, hex, (enum board_way)way);
                cr_assert_eq(board_neighbour(&steps, near, hex, way), want);
                if (want < 0)
                    continue;
                cr_assert(board_walk_next(&w, &to));
                cr_assert_eq(to, want);
            }
            cr_assert_not(board_walk_next(&w, &to));
        }
    }
}

/* ---- Names ---- */

static const char *name_of(uint16_t cols, uint16_t rows, int y, int k)
{
    static char name[BOARD_NAME_SIZE];
    int hex = board_hex_in(cols, rows, y, k);
    size_t len = board_hex_write(cols, rows, hex, name, sizeof(name));
    cr_assert_eq(len, strlen(name));
    return name;
}

/* Rows are lettered like the columns of a spreadsheet, hexes count from 1. */
Test(names, known)
{
    cr_assert_str_eq(name_of(15, 33, 0, 0), "A1");
    cr_assert_str_eq(name_of(15, 33, 2, 6), "C7");
    cr_assert_str_eq(name_of(15, 33, 14, 15), "O16");
    cr_assert_str_eq(name_of(30, 58, 25, 28), "Z29");
    cr_assert_str_eq(name_of(30, 58, 26, 0), "AA1");
    cr_assert_str_eq(name_of(60, 29, 51, 0), "AZ1");
    cr_assert_str_eq(name_of(60, 29, 52, 0), "BA1");
    cr_assert_str_eq(name_of(880, 2, 701, 0), "ZZ1");
    cr_assert_str_eq(name_of(880, 2, 702, 0), "AAA1");
    cr_assert_str_eq(name_of(1760, 1, 1759, 0), "BOR1");
    cr_assert_str_eq(name_of(17, 100, 16, 49), "Q50");
}

/* The name of every hex of every size fits, is its own and is read back. */
Test(names, round_trip)
{
    EACH_SIZE(cols, rows)
    {
        for (int hex = 0; hex < board_hexes(cols, rows); hex++) {
            char name[BOARD_NAME_SIZE];
            int16_t back = -1;
            size_t len = board_hex_write(cols, rows, hex, name, sizeof(name));
            cr_assert_lt(len, sizeof(name));
            cr_assert(board_hex_read(cols, rows, name, len, &back));
            cr_assert_eq(back, hex);
        }
    }
}

/* A name is cut to the room there is, and its whole length still told. */
Test(names, room)
{
    char name[4] = "xyz";
    int hex = board_hex_in(15, 33, 14, 15);
    cr_assert_eq(board_hex_write(15, 33, hex, NULL, 0), 3);
    cr_assert_eq(board_hex_write(15, 33, hex, name, 1), 3);
    cr_assert_str_eq(name, "");
    cr_assert_eq(board_hex_write(15, 33, hex, name, 3), 3);
    cr_assert_str_eq(name, "O1");
    cr_assert_eq(board_hex_write(15, 33, hex, name, 4), 3);
    cr_assert_str_eq(name, "O16");
}

/* Any other way to write a name, and any hex not on the board, is refused. */
Test(names, refused)
{
    static const char *const wrong[] = {
        "",          "C",   "7",    "c7",   "C07",          "C0",
        " C7",       "C7 ", "C7x",  "CC7",  "P1",           "A17",
        "B18",       "C-1", "C+1",  "C7C",  "7C",           "C 7",
        "C1000",     "[1",  "@1",   "C:",   "AAAAAAA",      "OAIOOAI",
        "AAAAAAAA1", "C/",  "\xc3", "ZZZ1", "C99999999999",
    };
    int16_t hex = -7;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        size_t len = strlen(wrong[i]);
        cr_assert_not(board_hex_read(15, 33, wrong[i], len, &hex), "%s",
                      wrong[i]);
    }
    cr_assert_not(board_hex_read(15, 33, "C7\0", 3, &hex));
    cr_assert_eq(hex, -7);
    cr_assert(board_hex_read(15, 33, "C7 and more", 2, &hex));
    cr_assert_eq(hex, board_hex_in(15, 33, 2, 6));
}

/* ---- Files ---- */

struct file {
    char text[HAZ_BYTES_MAX + 1];
    size_t len;
};

static bool file_read(struct file *file, const char *path)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return false;
    file->len = fread(file->text, 1, sizeof(file->text), in);
    fclose(in);
    return true;
}

/* Parses from memory that ends where the text does, for the sanitizers. */
static bool parse(struct board *board, struct haz_info *info, const char *text,
                  size_t len, struct haz_problem *why)
{
    char *exact = malloc(len > 0 ? len : 1);
    cr_assert_not_null(exact);
    if (len > 0)
        memcpy(exact, text, len);
    bool ok = haz_parse(board, info, exact, len, why);
    free(exact);
    return ok;
}

static int ground_count(const struct board *board, int ground)
{
    int count = 0;
    for (int hex = 0; hex < board_hexes(board->cols, board->rows); hex++)
        count += board->ground[hex] == ground;
    return count;
}

static void assert_round_trip(const struct board *board,
                              const struct haz_info *info)
{
    static struct file file;
    struct board back;
    struct haz_info back_info;
    struct haz_problem why;
    file.len = haz_write(board, info, file.text, sizeof(file.text));
    cr_assert_lt(file.len, sizeof(file.text));
    cr_assert_eq(strlen(file.text), file.len);
    cr_assert(parse(&back, &back_info, file.text, file.len, &why), "%s",
              why.rule);
    cr_assert_arr_eq(&back, board, sizeof(back));
    if (info != NULL) {
        cr_assert_str_eq(back_info.author, info->author);
        cr_assert_str_eq(back_info.name, info->name);
        cr_assert_str_eq(back_info.version, info->version);
    }
}

/* rules, Boards: the built-in ones have the published counts, are written
 * back to the letter, and have 12 or 13 of each terrain (Crucible 7 or 8). */
Test(haz, built_in)
{
    static const struct {
        const char *path, *name;
        int cols, rows, markets, waters, terrain;
    } want[] = {
        {BOARDS "symmetric.haz", "Symmetric", 15, 33, 11, 4, 12},
        {BOARDS "asymmetric.haz", "Asymmetric", 15, 33, 10, 4, 13},
        {BOARDS "five_lagoons.haz", "Five Lagoons", 15, 35, 12, 5, 13},
        {BOARDS "crucible.haz", "Crucible", 11, 25, 8, 4, 7},
    };
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        static struct file file, written;
        struct board board;
        struct haz_info info;
        struct haz_problem why;
        cr_assert(file_read(&file, want[i].path), "%s", want[i].path);
        cr_assert(parse(&board, &info, file.text, file.len, &why));
        cr_assert_eq(board.cols, want[i].cols);
        cr_assert_eq(board.rows, want[i].rows);
        cr_assert_str_eq(info.name, want[i].name);
        cr_assert_str_eq(info.author, "Sobremesa project");
        cr_assert_str_eq(info.version, "1");
        cr_assert_eq(ground_count(&board, GROUND_MARKET), want[i].markets);
        cr_assert_eq(ground_count(&board, GROUND_WATER), want[i].waters);
        for (int g = GROUND_MEADOW; g <= GROUND_MOUNTAIN; g++) {
            int count = ground_count(&board, g);
            cr_assert(count == want[i].terrain ||
                      count == want[i].terrain + 1);
        }
        assert_round_trip(&board, &info);

        written.len = haz_write(&board, &info, written.text,
                                sizeof(written.text));
        cr_assert_eq(written.len, file.len);
        cr_assert_arr_eq(written.text, file.text, file.len);
    }
}

/* The file is turned 90 degrees clockwise: its last row comes to the left, its
 * first column on top. */
Test(haz, turned)
{
    static const char text[] = "[Control]\nVersion=GRHIG0101\n"
                               "ColCount=2\nRowCount=4\n"
                               "[Hex]\n1=2\n3=9\n100=5\n102=10\n";
    struct board board;
    struct haz_problem why;
    cr_assert(parse(&board, NULL, text, sizeof(text) - 1, &why));
    cr_assert_eq(board.ground[board_hex_at(2, 4, 0, 0)], GROUND_MARKET);
    cr_assert_eq(board.ground[board_hex_at(2, 4, 0, 2)], GROUND_PAMPAS);
    cr_assert_eq(board.ground[board_hex_at(2, 4, 1, 1)], GROUND_WATER);
    cr_assert_eq(board.ground[board_hex_at(2, 4, 1, 3)], GROUND_SWAMP);
    cr_assert_eq(board.ground[4], 0, "past the last hex");
}

/* Every board of the community is read and written back. */
Test(haz, community)
{
    const char *path = getenv("HAZ_COMMUNITY");
    DIR *dir = opendir(path != NULL ? path : COMMUNITY);
    if (dir == NULL)
        cr_skip_test("no boards of the community here");
    int count = 0;
    for (;;) {
        static struct file file;
        char name[PATH_MAX];
        struct board board;
        struct haz_info info;
        struct haz_problem why;
        const struct dirent *entry = readdir(dir);
        if (entry == NULL)
            break;
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".haz") != 0)
            continue;
        snprintf(name, sizeof(name), "%s/%s", path != NULL ? path : COMMUNITY,
                 entry->d_name);
        cr_assert(file_read(&file, name));
        cr_assert(parse(&board, &info, file.text, file.len, &why),
                  "%s, line %u: %s", name, why.line, why.rule);
        cr_assert_eq(ground_count(&board, GROUND_RANDOM), 0);
        assert_round_trip(&board, &info);
        count++;
    }
    closedir(dir);
    cr_assert_gt(count, 0);
}

#define HEAD  "[Control]\nVersion=GRHIG0101\nColCount=2\nRowCount=3\n"
#define CELLS "[Hex]\n1=2\n100=9\n102=1\n"

/* Reads TEXT, which must be the small board of HEAD and CELLS, and INFO. */
static void assert_small(const char *text, size_t len, struct haz_info *info)
{
    static const uint8_t want[] = {GROUND_PAMPAS, GROUND_VOID, GROUND_MARKET};
    struct board board;
    struct haz_problem why = {.rule = "?"};
    cr_assert(parse(&board, info, text, len, &why), "%s, line %u: %s", text,
              why.line, why.rule);
    cr_assert_eq(board.cols, 2);
    cr_assert_eq(board.rows, 3);
    cr_assert_arr_eq(board.ground, want, sizeof(want));
}

/* Line ends, a byte order mark, blanks, comments, capitals, the order of keys
 * and sections and whatever else is ignored make no difference. */
Test(haz, lenient)
{
    static const char *const same[] = {
        HEAD CELLS,
        "[Control]\r\nVersion=GRHIG0101\r\nColCount=2\r\nRowCount=3\r\n"
        "[Hex]\r\n1=2\r\n100=9\r\n102=1\r\n",
        "[Control]\r\nVersion=GRHIG0101\nColCount=2\r\nRowCount=3\n"
        "[Hex]\n1=2\r\n100=9\n102=1",
        "\xef\xbb\xbf" HEAD CELLS,
        "\n; made by hand\n\t\n# really\n" HEAD "\n ; \n" CELLS "\n\n",
        " [ Control ]\n\tVersion = GRHIG0101 \nColCount\t=\t2\n RowCount=3\n"
        "[Hex] \n 1 = 2\n100 =9\n102= 1 \n",
        "[CONTROL]\nversion=GRHIG0101\nCOLCOUNT=2\nrowCount=3\n"
        "[hex]\n1=2\n100=9\n102=1\n",
        HEAD "[Hex]\n102=1\n1=2\n100=9\n",
        CELLS HEAD,
        "[Hex]\n102=1\n[Control]\nRowCount=3\nColCount=2\n[Hex]\n1=2\n"
        "[Control]\nVersion=GRHIG0101\n[HEX]\n100=9\n",
        HEAD "Colour=red\nColour=blue\nEmpty=\n"
             "[Window]\nleft=7\n1=99\nColCount=8\n" CELLS,
        HEAD "Author=\nMapName=None\n" CELLS,
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        struct haz_info info;
        assert_small(same[i], strlen(same[i]), &info);
        cr_assert_str_empty(info.author);
        cr_assert_str_empty(info.name);
        cr_assert_str_empty(info.version);
    }
}

/* Texts are UTF-8, and byte by byte Latin-1 where they are not. */
Test(haz, texts)
{
    static const struct {
        const char *value, *want;
    } texts[] = {
        {"Plain", "Plain"},
        {"  a = b ; c  ", "a = b ; c"},
        {"Jos\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x84",
         "Jos\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x84"},
        {"Jos\xe9", "Jos\xc3\xa9"},
        {"\xff\xa0", "\xc3\xbf\xc2\xa0"},
        {"\xc3", "\xc3\x83"},             /* cut short */
        {"\xe2\x82", 0},                  /* 0x82 is a control character */
        {"\xc0\xaf", "\xc3\x80\xc2\xaf"}, /* longer than needed */
        {"\xe0\xa0", "\xc3\xa0\xc2\xa0"}, /* cut short */
        {"\xed\xa0\xa0", "\xc3\xad\xc2\xa0\xc2\xa0"}, /* a surrogate */
        {"\xf4\xbf\xbf\xbf", "\xc3\xb4\xc2\xbf\xc2\xbf\xc2\xbf"}, /* too far */
        {"\xf5\xbf\xbf\xbf", "\xc3\xb5\xc2\xbf\xc2\xbf\xc2\xbf"},
        {"None", ""},
        {"none", "none"},
        {"None of it", "None of it"},
        {"0123456789012345678901234567890123456789012345678901234567890\xe9",
         "0123456789012345678901234567890123456789012345678901234567890\xc3\xa9"},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char text[500];
        struct haz_info info;
        int len = snprintf(text, sizeof(text), HEAD "MapName=%s\n" CELLS,
                           texts[i].value);
        if (texts[i].want == NULL) {
            struct board board;
            struct haz_problem why;
            cr_assert_not(parse(&board, &info, text, (size_t)len, &why));
            cr_assert_str_eq(why.rule, "bad_text");
            cr_assert_eq(why.line, 5);
            continue;
        }
        assert_small(text, (size_t)len, &info);
        cr_assert_str_eq(info.name, texts[i].want);
        cr_assert_str_empty(info.author);
    }
}

/* Each rule refuses with its word, the line and, if it is about one, the cell;
 * no rule is missing here but that of the size of the file. */
Test(haz, refused)
{
    static const struct {
        const char *text, *rule;
        uint32_t line;
        int32_t key;
    } wrong[] = {
        {"", "missing_key", 1, -1},
        {"\n\n\n", "missing_key", 3, -1},
        {"; nothing", "missing_key", 1, -1},
        {"\xef\xbb\xbf", "missing_key", 1, -1},
        {CELLS, "missing_key", 4, -1},
        {"[Control]\nVersion=GRHIG0101\nColCount=2\n" CELLS, "missing_key", 7,
         -1},
        {"[Control]\nVersion=GRHIG0101\nRowCount=3\n" CELLS, "missing_key", 7,
         -1},
        {"[Control]\nColCount=2\nRowCount=3\n" CELLS, "missing_key", 7, -1},
        {"<html>\n", "bad_line", 1, -1},
        {HEAD CELLS "oops", "bad_line", 9, -1},
        {HEAD CELLS "\n\n=2\n", "bad_line", 11, -1},
        {HEAD "[Hex\n1=2\n", "bad_line", 5, -1},
        {HEAD "[\n", "bad_line", 5, -1},
        {HEAD "[Hex] ; cells\n", "bad_line", 5, -1},
        {"Version=GRHIG0101\n" HEAD CELLS, "key_outside_section", 1, -1},
        {"\n\n1=2\n" HEAD CELLS, "key_outside_section", 3, -1},
        {HEAD "Version=GRHIG0101\n" CELLS, "duplicate_key", 5, -1},
        {HEAD "colcount=2\n" CELLS, "duplicate_key", 5, -1},
        {HEAD CELLS "[control]\nROWCOUNT=3\n", "duplicate_key", 10, -1},
        {HEAD "Author=a\nMapName=a\nMapVersion=1\nAuthor=a\n" CELLS,
         "duplicate_key", 8, -1},
        {"[Control]\nVersion=GRHIG0102\n", "bad_version", 2, -1},
        {"[Control]\nVersion=\n", "bad_version", 2, -1},
        {"[Control]\nVersion=grhig0101\n", "bad_version", 2, -1},
        {"[Control]\nVersion=GRHIG01011\n", "bad_version", 2, -1},
        {"[Control]\nColCount=0\n", "bad_size", 2, -1},
        {"[Control]\nColCount=02\n", "bad_size", 2, -1},
        {"[Control]\nColCount=\n", "bad_size", 2, -1},
        {"[Control]\n\nRowCount=-3\n", "bad_size", 3, -1},
        {"[Control]\n\nRowCount=+3\n", "bad_size", 3, -1},
        {"[Control]\n\nRowCount=3.0\n", "bad_size", 3, -1},
        {"[Control]\n\nRowCount=0x3\n", "bad_size", 3, -1},
        {"[Control]\nRowCount=101\n", "too_many_rows", 2, -1},
        {"[Control]\nRowCount=4294967299\n", "too_many_rows", 2, -1},
        {"[Control]\nColCount=1761\n", "too_many_cells", 2, -1},
        {"[Control]\nColCount=18446744073709551618\n", "too_many_cells", 2,
         -1},
        {"[Control]\nVersion=GRHIG0101\nColCount=18\nRowCount=98\n\n",
         "too_many_cells", 4, -1},
        {"[Control]\nRowCount=98\nVersion=GRHIG0101\nX=\nColCount=18\n",
         "too_many_cells", 5, -1},
        {HEAD "Author=0123456789012345678901234567890123456789"
              "012345678901234567890123\n" CELLS,
         "text_too_long", 5, -1},
        {HEAD "MapName=\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9"
              "\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9"
              "\xe9\xe9\xe9\xe9\n" CELLS,
         "text_too_long", 5, -1},
        {HEAD "MapVersion=1\x01\n" CELLS, "bad_text", 5, -1},
        {HEAD "MapVersion=1\t2\n" CELLS, "bad_text", 5, -1},
        {HEAD "MapVersion=1\x80\n" CELLS, "bad_text", 5, -1},
        {HEAD "MapVersion=1\xc2\x9f\n" CELLS, "bad_text", 5, -1},
        {HEAD "; \x7f\n" CELLS, "bad_text", 5, -1},
        {HEAD "a\rb\n" CELLS, "bad_text", 5, -1},
        {HEAD "Other=1\x1b[2J\n" CELLS, "bad_text", 5, -1},
        {"\xff\xfe[\x01", "bad_text", 1, -1},
        {HEAD "[Hex]\n0=2\n", "not_a_cell", 6, -1},
        {HEAD "[Hex]\n2=2\n", "not_a_cell", 6, -1},
        {HEAD "[Hex]\n1=2\n3=2\n", "not_a_cell", 7, -1},
        {HEAD "[Hex]\n1=2\n104=2\n", "not_a_cell", 7, -1},
        {HEAD "[Hex]\n1=2\n201=2\n", "not_a_cell", 7, -1},
        {HEAD "[Hex]\n1=2\n01=2\n", "not_a_cell", 7, -1},
        {HEAD "[Hex]\n1=2\n-1=2\n", "not_a_cell", 7, -1},
        {HEAD "[Hex]\n1=2\nx=2\n", "not_a_cell", 7, -1},
        {HEAD "[Hex]\n1=2\n4294967396=2\n", "not_a_cell", 7, -1},
        {"[Hex]\n5=2\n" HEAD, "not_a_cell", 2, -1},
        {HEAD "[Hex]\n1=0\n", "unknown_code", 6, 1},
        {HEAD "[Hex]\n102=11\n", "unknown_code", 6, 102},
        {HEAD "[Hex]\n1=02\n", "unknown_code", 6, 1},
        {HEAD "[Hex]\n1=\n", "unknown_code", 6, 1},
        {HEAD "[Hex]\n1=2 x\n", "unknown_code", 6, 1},
        {HEAD "[Hex]\n1=2=2\n", "unknown_code", 6, 1},
        {HEAD "[Hex]\n1=4294967298\n", "unknown_code", 6, 1},
        {HEAD CELLS "100=9\n", "duplicate_cell", 9, 100},
        {HEAD CELLS "\n1=0\n", "duplicate_cell", 10, 1},
        {HEAD "[Hex]\n1=2\n102=2\n\n", "missing_cell", 8, 100},
        {HEAD, "missing_cell", 4, 1},
        {HEAD "[Hexes]\n1=2\n102=2\n100=9", "missing_cell", 8, 1},
        {HEAD "[Hex]\n1=2\n100=3\n102=1\n; the end", "no_market", 9, -1},
        {HEAD "[Hex]\n1=9\n100=8\n102=1\n", "no_pampas", 8, -1},
        {"[Control]\nVersion=GRHIG0101\nColCount=1\nRowCount=1\n", "no_market",
         4, -1},
        {"[Control]\nVersion=GRHIG0101\nColCount=1\nRowCount=24\n[Hex]\n"
         "1=10\n3=10\n5=10\n7=10\n9=10\n11=10\n13=10\n15=10\n17=10\n19=2\n"
         "21=9\n23=10\n",
         "too_many_waters", 17, 23},
    };
    size_t rule = 0;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct board board = {.cols = 7}, before = board;
        struct haz_info info = {.name = "kept"};
        struct haz_problem why = {0};
        const char *text = wrong[i].text;
        cr_assert_not(parse(&board, &info, text, strlen(text), &why), "%s",
                      text);
        cr_assert_str_eq(why.rule, wrong[i].rule, "%s: %s", why.rule, text);
        cr_assert_eq(why.line, wrong[i].line, "%u: %s", why.line, text);
        cr_assert_eq(why.key, wrong[i].key, "%d: %s", why.key, text);
        cr_assert_arr_eq(&board, &before, sizeof(board));
        cr_assert_str_eq(info.name, "kept");
    }
    for (; haz_rule(rule) != NULL; rule++) {
        size_t i = 0;
        while (i < COUNT_OF(wrong) && strcmp(wrong[i].rule, haz_rule(rule)))
            i++;
        cr_assert(i < COUNT_OF(wrong) ||
                      strcmp(haz_rule(rule), "too_long") == 0,
                  "%s is not tried", haz_rule(rule));
    }
    cr_assert_eq(rule, 18);
}

/* Nine waters are allowed. */
Test(haz, nine_waters)
{
    static const char text[] =
        "[Control]\nVersion=GRHIG0101\nColCount=1\nRowCount=22\n[Hex]\n"
        "1=10\n3=10\n5=10\n7=10\n9=10\n11=10\n13=10\n15=10\n17=10\n19=2\n"
        "21=9\n";
    struct board board;
    struct haz_problem why;
    cr_assert(parse(&board, NULL, text, sizeof(text) - 1, &why));
}

/* A file may be 65536 bytes long and no longer; the line is that of the last
 * byte allowed. */
Test(haz, too_long)
{
    static char text[HAZ_BYTES_MAX + 1];
    struct board board;
    struct haz_problem why;
    memset(text, '\n', sizeof(text));
    memcpy(text, HEAD CELLS, strlen(HEAD CELLS));
    cr_assert(parse(&board, NULL, text, HAZ_BYTES_MAX, &why));
    cr_assert_not(parse(&board, NULL, text, HAZ_BYTES_MAX + 1, &why));
    cr_assert_str_eq(why.rule, "too_long");
    cr_assert_eq(why.line, 8 + HAZ_BYTES_MAX - strlen(HEAD CELLS) + 1);
    memset(text, 'x', sizeof(text));
    cr_assert_not(parse(&board, NULL, text, sizeof(text), &why));
    cr_assert_str_eq(why.rule, "too_long");
    cr_assert_eq(why.line, 1);
}

/* No NUL ends a text: one in it is a control character, and what follows the
 * length is not looked at. */
Test(haz, length_counts)
{
    struct board board;
    struct haz_problem why;
    static const char nul[] = HEAD "Other=\0\n" CELLS;
    cr_assert_not(parse(&board, NULL, nul, sizeof(nul) - 1, &why));
    cr_assert_str_eq(why.rule, "bad_text");
    cr_assert_eq(why.line, 5);
    static const char more[] = HEAD CELLS "1=2\n";
    cr_assert(haz_parse(&board, NULL, more, strlen(HEAD CELLS), &why));
    cr_assert_not(haz_parse(&board, NULL, more, sizeof(more) - 1, &why));
}

/* Every beginning of a file is refused, with a line it has, but for those that
 * only miss the end of the last line. */
Test(haz, cut_short)
{
    static struct file file;
    cr_assert(file_read(&file, BOARDS "crucible.haz"));
    for (size_t len = 0; len <= file.len; len++) {
        struct board board;
        struct haz_problem why = {0};
        uint32_t lines = 1;
        for (size_t i = 0; i + 1 < len; i++)
            lines += file.text[i] == '\n';
        bool ok = parse(&board, NULL, file.text, len, &why);
        cr_assert_eq(ok, len + 2 >= file.len, "%zu", len);
        cr_assert(ok || (why.line >= 1 && why.line <= lines), "%zu", len);
    }
}

/* Any byte of a file may be changed to any other: it is read or refused, and
 * what is read can be written. */
Test(haz, damaged)
{
    static struct file file;
    struct rng rng;
    uint8_t seed[RNG_SEED_SIZE] = {1};
    rng_init(&rng, seed, 0);
    cr_assert(file_read(&file, BOARDS "crucible.haz"));
    for (int i = 0; i < seeds(20000); i++) {
        size_t at = rng_below(&rng, (uint32_t)file.len);
        char held = file.text[at];
        struct board board;
        struct haz_info info;
        struct haz_problem why = {0};
        file.text[at] = (char)rng_next(&rng);
        if (parse(&board, &info, file.text, file.len, &why))
            assert_round_trip(&board, &info);
        else
            cr_assert_str_neq(haz_sentence(why.rule), haz_sentence("?"));
        file.text[at] = held;
    }
}

/* Every rule is one word in small letters with its own sentence. */
Test(haz, rules)
{
    for (size_t i = 0; haz_rule(i) != NULL; i++) {
        const char *rule = haz_rule(i), *sentence = haz_sentence(rule);
        cr_assert_eq(strspn(rule, "abcdefghijklmnopqrstuvwxyz_"),
                     strlen(rule));
        cr_assert_eq(sentence[strlen(sentence) - 1], '.');
        cr_assert_str_neq(sentence, haz_sentence("no_such_rule"));
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(sentence, haz_sentence(haz_rule(j)));
    }
    cr_assert_str_eq(haz_sentence(""), haz_sentence("no_such_rule"));
    cr_assert_str_eq(haz_sentence("no_marke"), haz_sentence("no_such_rule"));
    cr_assert_str_eq(haz_sentence("no_markets"), haz_sentence("no_such_rule"));
}

/* A board is written with CRLF, in the map generator's order, and cut to the
 * room there is. */
Test(haz, written)
{
    static const char want[] =
        "[Control]\r\nVersion=GRHIG0101\r\nColCount=2\r\nRowCount=3\r\n"
        "Author=Jos\xc3\xa9\r\nMapName=None\r\nMapVersion=1.0\r\n"
        "[Hex]\r\n100=9\r\n1=2\r\n102=1\r\n";
    struct haz_info info = {.author = "Jos\xc3\xa9", .version = "1.0"};
    struct board board;
    struct haz_problem why;
    char text[sizeof(want) + 10];
    cr_assert(parse(&board, NULL, HEAD CELLS, strlen(HEAD CELLS), &why));
    cr_assert_eq(haz_write(&board, &info, NULL, 0), sizeof(want) - 1);
    for (size_t cap = 1; cap <= sizeof(text); cap++) {
        memset(text, '#', sizeof(text));
        cr_assert_eq(haz_write(&board, &info, text, cap), sizeof(want) - 1);
        size_t len = cap < sizeof(want) ? cap - 1 : sizeof(want) - 1;
        cr_assert_eq(strlen(text), len);
        cr_assert_arr_eq(text, want, len);
        for (size_t i = len + 1; i < sizeof(text); i++)
            cr_assert_eq(text[i], '#');
    }
    assert_round_trip(&board, NULL);
}

/* A text cannot bring lines of its own into a file. */
Test(haz, no_injection)
{
    struct haz_info info = {.author = "me\r\nColCount=9",
                            .name = "\n[Hex]",
                            .version = "1\t2"};
    struct board board;
    struct haz_problem why;
    char text[500];
    cr_assert(parse(&board, NULL, HEAD CELLS, strlen(HEAD CELLS), &why));
    size_t len = haz_write(&board, &info, text, sizeof(text));
    assert_small(text, len, &info);
    cr_assert_str_eq(info.author, "me");
    cr_assert_str_empty(info.name);
    cr_assert_str_eq(info.version, "1");
}

/* Boards of every size, with anything on them, are written and read back. */
Test(haz, round_trip)
{
    struct rng rng;
    uint8_t seed[RNG_SEED_SIZE] = {2};
    rng_init(&rng, seed, 0);
    EACH_SIZE(cols, rows)
    {
        struct board board = {.cols = cols, .rows = rows};
        int hexes = board_hexes(cols, rows), waters = 0;
        if (hexes < 2 || (getenv("ASAN") != NULL && rows % 9 != 0))
            continue;
        for (int hex = 0; hex < hexes; hex++) {
            uint32_t ground = rng_below(&rng, GROUNDS);
            if (ground == GROUND_WATER && ++waters > BOARD_WATERS_MAX)
                ground = GROUND_VOID;
            board.ground[hex] = (uint8_t)ground;
        }
        board.ground[0] = GROUND_MARKET;
        board.ground[hexes - 1] = GROUND_PAMPAS;
        assert_round_trip(&board, NULL);
    }
}

/* ---- The generator ---- */

/* Everything that board.h says of a generated board; returns it. */
static struct board generate(const struct board_recipe *recipe, uint64_t seed)
{
    uint8_t key[RNG_SEED_SIZE] = {3};
    struct rng rng;
    struct board board;
    struct recipe_problem why = {0};
    rng_init(&rng, key, seed);
    cr_assert(board_generate(&board, recipe, &rng, &why),
              "%d x %d, %d markets, %d waters: %s", recipe->cols, recipe->rows,
              recipe->markets, recipe->waters, why.rule);
    return board;
}

/* How many hexes of the sorts in the bit set GROUNDS_WANTED can be reached
 * from the first of them without leaving them. */
static int reached(const struct grid *g, const struct board *board,
                   unsigned wanted)
{
    bool seen[BOARD_HEXES_MAX] = {false};
    int16_t stack[BOARD_HEXES_MAX];
    int depth = 0, count = 0;
    for (int hex = 0; hex < g->hexes && depth == 0; hex++) {
        if (wanted >> board->ground[hex] & 1u) {
            seen[hex] = true;
            stack[depth++] = (int16_t)hex;
        }
    }
    while (depth > 0) {
        int hex = stack[--depth];
        count++;
        for (int way = 0; way < BOARD_WAYS; way++) {
            int to = grid_neighbour(g, hex, (enum board_way)way);
            if (to < 0 || seen[to] || !(wanted >> board->ground[to] & 1u))
                continue;
            seen[to] = true;
            stack[depth++] = (int16_t)to;
        }
    }
    return count;
}

static int around(const struct grid *g, const struct board *board, int hex,
                  int ground)
{
    int count = 0;
    for (int way = 0; way < BOARD_WAYS; way++) {
        int to = grid_neighbour(g, hex, (enum board_way)way);
        count += to >= 0 && board->ground[to] == ground;
    }
    return count;
}

static void assert_good(const struct board *board,
                        const struct board_recipe *recipe)
{
    static struct grid g;
    grid_fill(&g, recipe->cols, recipe->rows);
    cr_assert_eq(board->cols, recipe->cols);
    cr_assert_eq(board->rows, recipe->rows);

    int count[GROUNDS] = {0}, least = INT_MAX, most = 0;
    for (int hex = 0; hex < g.hexes; hex++) {
        cr_assert_lt(board->ground[hex], GROUNDS);
        count[board->ground[hex]]++;
    }
    for (int i = g.hexes; i < BOARD_HEXES_MAX; i++)
        cr_assert_eq(board->ground[i], 0);
    cr_assert_eq(count[GROUND_MARKET], recipe->markets);
    cr_assert_eq(count[GROUND_WATER], recipe->waters);
    cr_assert_eq(count[GROUND_RANDOM], 0);
    for (int terrain = GROUND_MEADOW; terrain <= GROUND_MOUNTAIN; terrain++) {
        least = count[terrain] < least ? count[terrain] : least;
        most = count[terrain] > most ? count[terrain] : most;
    }
    cr_assert_geq(least, 1);
    cr_assert_leq(most - least, 1);
    cr_assert_leq(count[GROUND_VOID] * 100,
                  g.hexes * recipe->void_percent + 150);

    unsigned pampas = 1u << GROUND_PAMPAS;
    unsigned tiles = pampas | 1u << GROUND_MEADOW | 1u << GROUND_FOREST |
                     1u << GROUND_SWAMP | 1u << GROUND_ROCKS |
                     1u << GROUND_MOUNTAIN;
    unsigned all = tiles | 1u << GROUND_MARKET | 1u << GROUND_WATER;
    int solid = g.hexes - count[GROUND_VOID];
    cr_assert_eq(reached(&g, board, pampas), count[GROUND_PAMPAS]);
    cr_assert_eq(reached(&g, board, tiles),
                 solid - count[GROUND_MARKET] - count[GROUND_WATER]);
    cr_assert_eq(reached(&g, board, all), solid);

    for (int hex = 0; hex < g.hexes; hex++) {
        int ground = board->ground[hex];
        if (ground == GROUND_MARKET)
            cr_assert_eq(around(&g, board, hex, GROUND_MARKET), 0);
        if (ground == GROUND_MARKET || ground == GROUND_WATER)
            cr_assert_geq(around(&g, board, hex, GROUND_PAMPAS), 4);
        if (recipe->symmetry != SYMMETRY_HALF_TURN)
            continue;
        int col = g.at[hex].y, row = g.rows - 1 - g.at[hex].x;
        int twin = grid_cell(&g, g.cols - 1 - col, g.rows - 1 - row);
        cr_assert_eq(twin, g.hexes - 1 - hex);
        cr_assert_eq(board->ground[twin], ground);
    }
}

/* The usual recipe is that of the Symmetric board, in proportion. */
Test(generator, default_recipe)
{
    struct board_recipe r = board_recipe(15, 33, SYMMETRY_HALF_TURN);
    cr_assert_eq(r.cols, 15);
    cr_assert_eq(r.rows, 33);
    cr_assert_eq(r.symmetry, SYMMETRY_HALF_TURN);
    cr_assert_eq(r.markets, 11);
    cr_assert_eq(r.waters, 4);
    cr_assert_eq(board_recipe(15, 33, SYMMETRY_NONE).markets, 11);
    /* No centre hex, so an even number. */
    cr_assert_eq(board_recipe(15, 35, SYMMETRY_NONE).markets, 12);
    cr_assert_eq(board_recipe(14, 34, SYMMETRY_NONE).markets, 11);
    cr_assert_eq(board_recipe(14, 34, SYMMETRY_HALF_TURN).markets, 12);
    cr_assert_eq(board_recipe(11, 25, SYMMETRY_NONE).waters, 4);
    cr_assert_eq(board_recipe(7, 15, SYMMETRY_NONE).waters, 2);
    (void)board_recipe(65535, 65535, SYMMETRY_NONE);
    (void)board_recipe(0, 0, SYMMETRY_HALF_TURN);
}

/* Thousands of boards of the usual size, with and without symmetry, are what
 * was asked for, land and void included. */
Test(generator, many_seeds)
{
    for (int seed = 0; seed < seeds(3000); seed++) {
        struct board_recipe r = board_recipe(15, 33,
                                             seed % 2 ? SYMMETRY_HALF_TURN
                                                      : SYMMETRY_NONE);
        struct board board = generate(&r, (uint64_t)seed);
        assert_good(&board, &r);
        int voids = ground_count(&board, GROUND_VOID);
        int land = 247 - voids - 15 - ground_count(&board, GROUND_PAMPAS);
        cr_assert_eq(voids, 22);
        cr_assert(land >= 59 && land <= 61, "%d", land);
    }
}

/* Without symmetry land and pampas may be on any hex, the first and the last
 * among them. */
Test(generator, everywhere)
{
    unsigned seen[BOARD_HEXES_MAX] = {0};
    unsigned lands = 0, pampas = 1u << GROUND_PAMPAS;
    struct board_recipe r = board_recipe(9, 17, SYMMETRY_NONE);
    struct grid g;

    for (int ground = GROUND_MEADOW; ground <= GROUND_MOUNTAIN; ground++)
        lands |= 1u << ground;
    grid_fill(&g, r.cols, r.rows);
    for (uint64_t seed = 0; seed < 2500; seed++) {
        struct board board = generate(&r, seed);
        for (int hex = 0; hex < g.hexes; hex++)
            seen[hex] |= 1u << board.ground[hex];
    }
    for (int hex = 0; hex < g.hexes; hex++)
        cr_assert((seen[hex] & lands) && (seen[hex] & pampas), "hex %d", hex);
}

/* Sizes of every kind have their usual boards. */
Test(generator, many_sizes)
{
    int nth = 0;
    EACH_SIZE(cols, rows)
    {
        if (cols < 5 || rows < 9 || nth++ % 40 >= seeds(10))
            continue;
        struct board_recipe r = board_recipe(cols, rows, SYMMETRY_NONE);
        struct board board = generate(&r, (uint64_t)nth);
        assert_good(&board, &r);
        if ((cols + rows) % 2 != 0)
            continue;
        r = board_recipe(cols, rows, SYMMETRY_HALF_TURN);
        board = generate(&r, (uint64_t)nth);
        assert_good(&board, &r);
    }
}

/* Whatever is asked for within the limits can be had, up to the last market
 * that there is room for. */
Test(generator, any_recipe)
{
    uint8_t key[RNG_SEED_SIZE] = {4};
    struct rng rng;
    rng_init(&rng, key, 0);
    for (int seed = 0; seed < seeds(2000); seed++) {
        uint16_t rows = (uint16_t)(9 + rng_below(&rng, 92));
        uint16_t room = (uint16_t)(BOARD_CELLS_MAX / rows - 4);
        uint16_t cols = (uint16_t)(5 + rng_below(&rng, room));
        int hexes = board_hexes(cols, rows);
        int waters = (int)rng_below(&rng, 10);
        int most = (hexes - 10) / 6;
        if (waters >= most)
            waters = most - 1;
        int markets = most - waters;
        if (rng_below(&rng, 2))
            markets = 1 + (int)rng_below(&rng, (uint32_t)markets);
        struct board_recipe r = {
            .cols = cols,
            .rows = rows,
            .symmetry = (uint8_t)rng_below(&rng, SYMMETRIES),
            .markets = (uint8_t)markets,
            .waters = (uint8_t)waters,
            .land_percent = (uint8_t)rng_below(&rng, 61),
            .void_percent = (uint8_t)rng_below(&rng, 51),
        };
        struct board board;
        struct recipe_problem why;
        struct rng again = rng;
        if (!board_generate(&board, &r, &again, &why)) {
            /* Only what symmetry cannot do. */
            cr_assert(r.symmetry == SYMMETRY_HALF_TURN);
            cr_assert(strcmp(why.rule, "uneven_size") == 0 ||
                          strcmp(why.rule, "no_centre") == 0 ||
                          strcmp(why.rule, "one_centre") == 0,
                      "%s", why.rule);
            continue;
        }
        assert_good(&board, &r);
    }
}

/* A single odd number of things goes to the centre under a half turn. */
Test(generator, centre)
{
    struct board_recipe r = board_recipe(15, 33, SYMMETRY_HALF_TURN);
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct board board = generate(&r, seed);
        cr_assert_eq(board.ground[123], GROUND_MARKET);
        r.markets = 10;
        r.waters = 5;
        board = generate(&r, seed);
        assert_good(&board, &r);
        cr_assert_eq(board.ground[123], GROUND_WATER);
        r.waters = 4;
        board = generate(&r, seed);
        assert_good(&board, &r);
        cr_assert(board.ground[123] >= GROUND_PAMPAS &&
                  board.ground[123] <= GROUND_MOUNTAIN);
        r.markets = 11;
    }
}

/* The same chance gives the same board, another one another. */
Test(generator, reproducible)
{
    struct board_recipe r = board_recipe(15, 33, SYMMETRY_NONE);
    struct board one = generate(&r, 1), again = generate(&r, 1);
    struct board two = generate(&r, 2);
    cr_assert_arr_eq(&one, &again, sizeof(one));
    cr_assert_arr_neq(&one, &two, sizeof(one));
}

/* What cannot be is refused with a word and the part it is about. */
Test(generator, refused)
{
    static const struct {
        struct board_recipe recipe;
        const char *rule, *field;
    } wrong[] = {
        {{15, 33, 2, 11, 4, 27, 9}, "bad_symmetry", "symmetry"},
        {{4, 33, 0, 1, 0, 27, 9}, "too_small", "columns"},
        {{0, 0, 0, 1, 0, 27, 9}, "too_small", "columns"},
        {{15, 8, 0, 1, 0, 27, 9}, "too_small", "rows"},
        {{17, 101, 0, 1, 0, 27, 9}, "too_large", "rows"},
        {{65535, 65535, 0, 1, 0, 27, 9}, "too_large", "rows"},
        {{18, 98, 0, 1, 0, 27, 9}, "too_large", "columns"},
        {{65535, 9, 1, 1, 0, 27, 9}, "too_large", "columns"},
        {{15, 34, 1, 11, 4, 27, 9}, "uneven_size", "rows"},
        {{15, 33, 0, 11, 4, 61, 9}, "too_much_land", "land_percent"},
        {{15, 33, 0, 11, 4, 27, 51}, "too_much_void", "void_percent"},
        {{15, 33, 0, 0, 4, 27, 9}, "no_markets", "markets"},
        {{15, 33, 0, 11, 10, 27, 9}, "too_many_waters", "waters"},
        {{15, 35, 1, 11, 4, 27, 9}, "no_centre", "markets"},
        {{15, 35, 1, 12, 5, 27, 9}, "no_centre", "waters"},
        {{15, 33, 1, 11, 5, 27, 9}, "one_centre", "waters"},
        {{15, 33, 0, 36, 4, 27, 9}, "too_crowded", "markets"},
        {{15, 33, 0, 255, 9, 27, 9}, "too_crowded", "markets"},
        {{5, 9, 0, 1, 2, 27, 9}, "too_crowded", "markets"},
    };
    uint8_t key[RNG_SEED_SIZE] = {5};
    struct rng rng;
    rng_init(&rng, key, 0);
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct board board = {.cols = 7}, before = board;
        struct recipe_problem why = {0};
        cr_assert_not(board_generate(&board, &wrong[i].recipe, &rng, &why));
        cr_assert_str_eq(why.rule, wrong[i].rule);
        cr_assert_str_eq(why.field, wrong[i].field);
        cr_assert_arr_eq(&board, &before, sizeof(board));
    }
    struct board_recipe fullest = {15, 33, 0, 35, 4, 27, 9};
    struct board board = generate(&fullest, 0);
    assert_good(&board, &fullest);
}

/* A board that is made a little at a time, however little, is the one that is
 * made at once; and none of its steps is long, whatever is asked for. */
Test(generator, in_steps)
{
    static const struct board_recipe recipes[] = {
        {15, 33, 1, 11, 4, 27, 9},   {15, 33, 0, 11, 4, 27, 9},
        {22, 80, 0, 130, 9, 60, 50}, {5, 9, 0, 1, 0, 60, 50},
        {15, 33, 0, 35, 4, 60, 50},
    };
    static const uint32_t efforts[] = {1, 300, 4000};
    static struct board_draft draft;

    for (size_t i = 0; i < COUNT_OF(recipes); i++) {
        struct board whole = generate(&recipes[i], i);
        for (size_t k = 0; k < COUNT_OF(efforts); k++) {
            uint8_t key[RNG_SEED_SIZE] = {3};
            struct recipe_problem why;
            struct rng rng;
            rng_init(&rng, key, i);
            cr_assert(board_draft_begin(&draft, &recipes[i], &rng, &why));
            while (board_draft_step(&draft, efforts[k], &why) == BOARD_MORE)
                cr_assert_lt(draft.effort, efforts[k] + 5000);
            cr_assert_eq(draft.stage, BOARD_MADE);
            cr_assert_arr_eq(&draft.board, &whole, sizeof(whole));
        }
    }
}

/* Every rule is one word in small letters with its own sentence. */
Test(generator, rules)
{
    size_t i = 0;
    for (; recipe_rule(i) != NULL; i++) {
        const char *rule = recipe_rule(i), *sentence = recipe_sentence(rule);
        cr_assert_eq(strspn(rule, "abcdefghijklmnopqrstuvwxyz_"),
                     strlen(rule));
        cr_assert_eq(sentence[strlen(sentence) - 1], '.');
        cr_assert_str_neq(sentence, recipe_sentence("no_such_rule"));
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(sentence, recipe_sentence(recipe_rule(j)));
    }
    cr_assert_eq(i, 12);
}
