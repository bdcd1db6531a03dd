/* haz.c -- the map generator's board files, in and out.
 *
 * A file is read twice.  The first time every line is looked at and [Control]
 * is understood, so that a cell can be judged by the size of its board the
 * second time, wherever in the file the two sections stand. */

#include "board.h"

#include "../../base.h"
#include "../../sbuf.h"
#include "../../utf8.h"

#define VERSION "GRHIG0101"

enum rule {
    TOO_LONG,
    BAD_TEXT,
    BAD_LINE,
    KEY_OUTSIDE_SECTION,
    DUPLICATE_KEY,
    MISSING_KEY,
    BAD_VERSION,
    BAD_SIZE,
    TOO_MANY_ROWS,
    TOO_MANY_CELLS,
    TEXT_TOO_LONG,
    NOT_A_CELL,
    UNKNOWN_CODE,
    DUPLICATE_CELL,
    TOO_MANY_WATERS,
    MISSING_CELL,
    NO_MARKET,
    NO_PAMPAS,
    RULES
};

/* Words are on the wire: never rename one. */
static const struct {
    const char *word, *sentence;
} rules[RULES] = {
    [TOO_LONG] = {"too_long", "The file is longer than 65536 bytes."},
    [BAD_TEXT] = {"bad_text", "The line has control characters, as a binary "
                              "file or one in UTF-16 would."},
    [BAD_LINE] = {"bad_line", "The line is no [section], no key=value, no "
                              "comment and not empty."},
    [KEY_OUTSIDE_SECTION] = {"key_outside_section",
                             "A key stands before the first section."},
    [DUPLICATE_KEY] = {"duplicate_key", "The key was given before."},
    [MISSING_KEY] = {"missing_key", "[Control] must give Version, ColCount "
                                    "and RowCount."},
    [BAD_VERSION] = {"bad_version", "Version must be " VERSION "."},
    [BAD_SIZE] = {"bad_size", "ColCount and RowCount are whole numbers from 1 "
                              "without leading zeros."},
    [TOO_MANY_ROWS] = {"too_many_rows", "RowCount is at most 100."},
    [TOO_MANY_CELLS] = {"too_many_cells",
                        "ColCount times RowCount is at most 1760."},
    [TEXT_TOO_LONG] = {"text_too_long", "Author, MapName and MapVersion have "
                                        "at most 63 bytes in UTF-8."},
    [NOT_A_CELL] = {"not_a_cell", "A key in [Hex] is column * 100 + row, "
                                  "without leading zeros, of a cell on the "
                                  "board whose column + row is odd."},
    [UNKNOWN_CODE] = {"unknown_code", "A cell's code is a number from 1 to 10 "
                                      "without leading zeros."},
    [DUPLICATE_CELL] = {"duplicate_cell", "The cell was given before."},
    [TOO_MANY_WATERS] = {"too_many_waters",
                         "A board has at most 9 water spaces."},
    [MISSING_CELL] = {"missing_cell", "[Hex] must give every cell whose "
                                      "column + row is odd."},
    [NO_MARKET] = {"no_market", "A board needs a market."},
    [NO_PAMPAS] = {"no_pampas", "A board needs a pampas space."},
};

/* The keys of [Control] that mean something; others are ignored, as are whole
 * sections but [Control] and [Hex]. */
enum key { VERSION_KEY, COLS_KEY, ROWS_KEY, AUTHOR, NAME, EDITION, KEYS };

static const char *const keys[KEYS] = {
    "Version", "ColCount", "RowCount", "Author", "MapName", "MapVersion",
};

enum section { SECTION_NONE, SECTION_CONTROL, SECTION_HEX, SECTION_OTHER };

/* A stretch of the file; nothing ends it but its length. */
struct span {
    const char *at;
    size_t len;
};

/* Reading a file from one key=value to the next. */
struct scan {
    struct span rest;
    uint32_t line; /* of the pair, or the last one of the file */
    enum section section;
    struct span key, value;
};

/* What is known of a file so far. */
struct reading {
    struct board board;
    struct haz_info info;
    uint32_t line[KEYS]; /* where each key was, or 0 */
    struct haz_problem *why;
};

/* ---- Spans ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct span trimmed(struct span s)
{
    while (s.len > 0 && is_blank(s.at[0]))
        s.at++, s.len--;
    while (s.len > 0 && is_blank(s.at[s.len - 1]))
        s.len--;
    return s;
}

static bool span_is(struct span s, const char *word)
{
    size_t i = 0;
    while (i < s.len && word[i] != '\0' && s.at[i] == word[i])
        i++;
    return i == s.len && word[i] == '\0';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Sections and keys are the same in capitals and in small letters, as they
 * are to the Windows functions that such files are written with. */
static bool span_names(struct span s, const char *word)
{
    size_t i = 0;
    while (i < s.len && word[i] != '\0' && lower(s.at[i]) == lower(word[i]))
        i++;
    return i == s.len && word[i] == '\0';
}

/* A decimal number without padding, any large one as 1000000; else -1. */
static int32_t span_number(struct span s)
{
    int32_t number = 0;
    if (s.len == 0 || (s.len > 1 && s.at[0] == '0'))
        return -1;
    for (size_t i = 0; i < s.len; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return -1;
        number = number * 10 + (s.at[i] - '0');
        if (number > 1000000)
            number = 1000000;
    }
    return number;
}

static bool is_control(char c)
{
    return (uint8_t)c < 0x20 || c == 0x7f;
}

/* ---- Lines ---- */

static bool refuse(struct haz_problem *why, enum rule rule, uint32_t line,
                   int32_t key)
{
    why->rule = rules[rule].word;
    why->line = line;
    why->key = key;
    return false;
}

/* Takes the next line off the file, without its end. */
static struct span scan_line(struct scan *scan)
{
    struct span line = {scan->rest.at, 0};
    while (line.len < scan->rest.len && line.at[line.len] != '\n')
        line.len++;
    size_t taken = line.len + (line.len < scan->rest.len);
    scan->rest.at += taken;
    scan->rest.len -= taken;
    scan->line++;
    if (line.len > 0 && line.at[line.len - 1] == '\r')
        line.len--;
    return line;
}

static struct scan scan_start(const char *text, size_t len)
{
    struct scan scan = {.rest = {text, len}};
    /* A byte order mark, which some editors put before UTF-8. */
    if (len >= 3 && text[0] == '\xef' && text[1] == '\xbb' &&
        text[2] == '\xbf') {
        scan.rest.at += 3;
        scan.rest.len -= 3;
    }
    return scan;
}

static enum section section_named(struct span name)
{
    if (span_names(name, "Control"))
        return SECTION_CONTROL;
    return span_names(name, "Hex") ? SECTION_HEX : SECTION_OTHER;
}

/* Goes to the next key=value.  False at the end of the file, with nothing in
 * WHY, and at a line that is refused. */
static bool scan_pair(struct scan *scan, struct haz_problem *why)
{
    why->rule = NULL;
    while (scan->rest.len > 0) {
        struct span line = scan_line(scan);
        for (size_t i = 0; i < line.len; i++) {
            if (is_control(line.at[i]) && line.at[i] != '\t')
                return refuse(why, BAD_TEXT, scan->line, -1);
        }
        line = trimmed(line);
        if (line.len == 0 || line.at[0] == ';' || line.at[0] == '#')
            continue;
        if (line.at[0] == '[') {
            if (line.at[line.len - 1] != ']')
                return refuse(why, BAD_LINE, scan->line, -1);
            struct span name = {line.at + 1, line.len - 2};
            scan->section = section_named(trimmed(name));
            continue;
        }

        size_t equals = 0;
        while (equals < line.len && line.at[equals] != '=')
            equals++;
        scan->key = trimmed((struct span){line.at, equals});
        if (equals == line.len || scan->key.len == 0)
            return refuse(why, BAD_LINE, scan->line, -1);
        scan->value = trimmed(
            (struct span){line.at + equals + 1, line.len - equals - 1});
        if (scan->section == SECTION_NONE)
            return refuse(why, KEY_OUTSIDE_SECTION, scan->line, -1);
        return true;
    }
    if (scan->line == 0)
        scan->line = 1; /* an empty file has one line to point at */
    return false;
}

/* ---- [Control] ---- */

/* UTF-8 as it is, any other byte as Latin-1; `None` is nothing. */
static bool read_text(struct reading *in, const struct scan *scan, char *to)
{
    size_t len = 0;
    struct span from = scan->value;
    if (span_is(from, "None"))
        from.len = 0;
    while (from.len > 0) {
        const uint8_t *at = (const uint8_t *)from.at;
        size_t size = utf8_read(at, from.len, NULL);
        size_t out = size > 0 ? size : 2;
        if (len + out >= HAZ_TEXT_SIZE)
            return refuse(in->why, TEXT_TOO_LONG, scan->line, -1);
        if (size > 0) {
            memcpy(to + len, at, size);
        } else {
            to[len] = (char)(0xc0 | at[0] >> 6);
            to[len + 1] = (char)(0x80 | (at[0] & 0x3f));
        }
        /* A tab, or one of Latin-1's own controls, U+0080 to U+009F. */
        if (is_control(to[len]) ||
            (to[len] == '\xc2' && (uint8_t)to[len + 1] < 0xa0))
            return refuse(in->why, BAD_TEXT, scan->line, -1);
        len += out;
        from.at += size > 0 ? size : 1;
        from.len -= size > 0 ? size : 1;
    }
    to[len] = '\0';
    return true;
}

static bool read_size(struct reading *in, const struct scan *scan,
                      int32_t most, enum rule too_many, uint16_t *size)
{
    int32_t number = span_number(scan->value);
    if (number < 1)
        return refuse(in->why, BAD_SIZE, scan->line, -1);
    if (number > most)
        return refuse(in->why, too_many, scan->line, -1);
    *size = (uint16_t)number;
    return true;
}

static bool read_key(struct reading *in, const struct scan *scan)
{
    int key = 0;
    while (key < KEYS && !span_names(scan->key, keys[key]))
        key++;
    if (key == KEYS)
        return true; /* rules: other keys are ignored */
    if (in->line[key] != 0)
        return refuse(in->why, DUPLICATE_KEY, scan->line, -1);
    in->line[key] = scan->line;

    switch ((enum key)key) {
    case VERSION_KEY:
        return span_is(scan->value, VERSION) ||
               refuse(in->why, BAD_VERSION, scan->line, -1);
    case COLS_KEY:
        return read_size(in, scan, BOARD_CELLS_MAX, TOO_MANY_CELLS,
                         &in->board.cols);
    case ROWS_KEY:
        return read_size(in, scan, BOARD_ROWS_MAX, TOO_MANY_ROWS,
                         &in->board.rows);
    case AUTHOR: return read_text(in, scan, in->info.author);
    case NAME: return read_text(in, scan, in->info.name);
    case EDITION: return read_text(in, scan, in->info.version);
    case KEYS: break;
    }
    return true;
}

static bool read_control(struct reading *in, struct scan scan)
{
    while (scan_pair(&scan, in->why)) {
        if (scan.section == SECTION_CONTROL && !read_key(in, &scan))
            return false;
    }
    if (in->why->rule != NULL)
        return false;
    for (int key = VERSION_KEY; key <= ROWS_KEY; key++) {
        if (in->line[key] == 0)
            return refuse(in->why, MISSING_KEY, scan.line, -1);
    }
    if (in->board.cols * in->board.rows > BOARD_CELLS_MAX) {
        uint32_t cols = in->line[COLS_KEY], rows = in->line[ROWS_KEY];
        return refuse(in->why, TOO_MANY_CELLS, cols > rows ? cols : rows, -1);
    }
    return true;
}

/* ---- [Hex] ---- */

/* rules, `.haz`: turned 90 degrees clockwise for play. */
static int hex_of_cell(const struct board *board, int col, int row)
{
    return board_hex_at(board->cols, board->rows, col, board->rows - 1 - row);
}

static int32_t key_of_hex(const struct board *board, int hex)
{
    struct board_place at = board_place(board->cols, board->rows, hex);
    return at.y * 100 + board->rows - 1 - at.x;
}

/* Stands for a cell that the file has not given yet. */
#define GROUND_UNSEEN 0xff

static bool read_cell(struct reading *in, const struct scan *scan,
                      int count[GROUNDS])
{
    int32_t key = span_number(scan->key);
    int hex = key < 0 ? -1 : hex_of_cell(&in->board, key / 100, key % 100);
    if (hex < 0)
        return refuse(in->why, NOT_A_CELL, scan->line, -1);
    if (in->board.ground[hex] != GROUND_UNSEEN)
        return refuse(in->why, DUPLICATE_CELL, scan->line, key);
    int32_t code = span_number(scan->value);
    if (code < 1 || code > GROUNDS)
        return refuse(in->why, UNKNOWN_CODE, scan->line, key);
    in->board.ground[hex] = (uint8_t)(code - 1);
    count[code - 1]++;
    if (count[GROUND_WATER] > BOARD_WATERS_MAX)
        return refuse(in->why, TOO_MANY_WATERS, scan->line, key);
    return true;
}

static bool read_hexes(struct reading *in, struct scan scan)
{
    int count[GROUNDS] = {0};
    int hexes = board_hexes(in->board.cols, in->board.rows);
    memset(in->board.ground, GROUND_UNSEEN, (size_t)hexes);
    while (scan_pair(&scan, in->why)) {
        if (scan.section == SECTION_HEX && !read_cell(in, &scan, count))
            return false;
    }
    for (int hex = 0; hex < hexes; hex++) {
        if (in->board.ground[hex] == GROUND_UNSEEN)
            return refuse(in->why, MISSING_CELL, scan.line,
                          key_of_hex(&in->board, hex));
    }
    if (count[GROUND_MARKET] == 0)
        return refuse(in->why, NO_MARKET, scan.line, -1);
    if (count[GROUND_PAMPAS] == 0)
        return refuse(in->why, NO_PAMPAS, scan.line, -1);
    return true;
}

bool haz_parse(struct board *board, struct haz_info *info, const char *text,
               size_t len, struct haz_problem *why)
{
    if (len > HAZ_BYTES_MAX) {
        uint32_t line = 1;
        for (size_t i = 0; i < HAZ_BYTES_MAX; i++)
            line += text[i] == '\n';
        return refuse(why, TOO_LONG, line, -1);
    }
    struct reading in = {.why = why};
    struct scan scan = scan_start(text, len);
    if (!read_control(&in, scan) || !read_hexes(&in, scan))
        return false;
    *board = in.board;
    if (info != NULL)
        *info = in.info;
    return true;
}

/* ---- Rules ---- */

const char *haz_rule(size_t index)
{
    return index < RULES ? rules[index].word : NULL;
}

const char *haz_sentence(const char *rule)
{
    for (size_t i = 0; i < RULES; i++) {
        const char *word = rules[i].word;
        size_t n = 0;
        while (word[n] != '\0' && word[n] == rule[n])
            n++;
        if (word[n] == rule[n])
            return rules[i].sentence;
    }
    return "The board file is not valid.";
}

/* ---- Writing ---- */

/* Up to its first control character. */
static void put_text(struct sbuf *out, const char *text)
{
    for (; *text != '\0' && !is_control(*text); text++)
        sbuf_putc(out, *text);
}

static void put_end(struct sbuf *out)
{
    sbuf_puts(out, "\r\n");
}

static void put_pair(struct sbuf *out, enum key key, const char *value)
{
    sbuf_puts(out, keys[key]);
    sbuf_putc(out, '=');
    put_text(out, value[0] != '\0' ? value : "None");
    put_end(out);
}

static void put_size(struct sbuf *out, enum key key, uint16_t size)
{
    sbuf_puts(out, keys[key]);
    sbuf_putc(out, '=');
    sbuf_int(out, size);
    put_end(out);
}

static void put_section(struct sbuf *out, const char *name)
{
    sbuf_puts(out, name);
    put_end(out);
}

static void put_cell(struct sbuf *out, const struct board *board, int hex)
{
    ASSERT(board->ground[hex] < GROUNDS);
    sbuf_int(out, key_of_hex(board, hex));
    sbuf_putc(out, '=');
    sbuf_int(out, board->ground[hex] + 1);
    put_end(out);
}

size_t haz_write(const struct board *board, const struct haz_info *info,
                 char *buf, size_t cap)
{
    static const struct haz_info nothing;
    ASSERT(board_size_ok(board->cols, board->rows));
    struct sbuf out = sbuf_in(buf, cap);
    if (info == NULL)
        info = &nothing;

    put_section(&out, "[Control]");
    put_pair(&out, VERSION_KEY, VERSION);
    put_size(&out, COLS_KEY, board->cols);
    put_size(&out, ROWS_KEY, board->rows);
    put_pair(&out, AUTHOR, info->author);
    put_pair(&out, NAME, info->name);
    put_pair(&out, EDITION, info->version);

    put_section(&out, "[Hex]");
    for (int row = 0; row < board->rows; row++) {
        for (int col = 0; col < board->cols; col++) {
            int hex = hex_of_cell(board, col, row);
            if (hex >= 0)
                put_cell(&out, board, hex);
        }
    }

    return out.len;
}
