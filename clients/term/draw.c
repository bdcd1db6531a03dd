#include "screen.h"

#include <stdarg.h>
#include <string.h>
#include <wchar.h>

#include "clients/common/output.h"
#include "core/utf8.h"

attr_t ui_attr(const struct ui *ui, int style)
{
    static const attr_t plain[STYLE_SEAT] = {
        [STYLE_DIM] = A_DIM,     [STYLE_BOLD] = A_BOLD,
        [STYLE_BAR] = A_REVERSE, [STYLE_CHOSEN] = A_REVERSE | A_BOLD,
        [STYLE_GOOD] = A_BOLD,   [STYLE_BAD] = A_BOLD,
        [STYLE_KEY] = A_BOLD,
    };
    attr_t attr = style < STYLE_SEAT ? plain[style] : A_BOLD;

    if (!ui->colour || style == STYLE_PLAIN || style == STYLE_DIM ||
        style == STYLE_BOLD || style == STYLE_CHOSEN)
        return attr;
    if (style == STYLE_BAR)
        attr = A_NORMAL;
    return attr | COLOR_PAIR(style + 1);
}

void ui_clear(void)
{
    (void)erase();
    mouse_forget();
}

void ui_pairs(const struct ui *ui, int first, int count,
              const short (*colours)[2])
{
    for (int i = 0; ui->colour && i < count; i++)
        init_pair((short)(first + i), colours[i][0], colours[i][1]);
}

void ui_colours(struct ui *ui)
{
    static const short seats[2][RULES_SEATS_MAX][2] = {
        {{COLOR_WHITE, COLOR_RED},
         {COLOR_WHITE, COLOR_BLUE},
         {COLOR_WHITE, COLOR_MAGENTA},
         {COLOR_BLACK, COLOR_YELLOW},
         {COLOR_BLACK, COLOR_WHITE},
         {COLOR_BLACK, COLOR_CYAN},
         {COLOR_BLACK, COLOR_GREEN},
         {COLOR_WHITE, COLOR_BLACK}},
        {{231, 160},
         {231, 26},
         {231, 91},
         {16, 208},
         {16, 255},
         {231, 23},
         {231, 52},
         {231, 240}},
    };

    if (!ui->colour || !has_colors() || start_color() != OK) {
        ui->colour = false;
        return;
    }
    (void)use_default_colors();
    ui->many = COLORS >= 256 && COLOR_PAIRS >= 128;
    init_pair(STYLE_BAR + 1, ui->many ? 231 : COLOR_WHITE,
              ui->many ? 24 : COLOR_BLUE);
    init_pair(STYLE_GOOD + 1, ui->many ? 34 : COLOR_GREEN, -1);
    init_pair(STYLE_BAD + 1, ui->many ? 160 : COLOR_RED, -1);
    init_pair(STYLE_KEY + 1, ui->many ? 31 : COLOR_CYAN, -1);
    ui_pairs(ui, STYLE_SEAT + 1, RULES_SEATS_MAX, seats[ui->many]);
}

int ui_text(int y, int x, int width, attr_t attr, const char *text, bool fill)
{
    size_t left = strlen(text);
    int used = 0, height, columns;

    getmaxyx(stdscr, height, columns);
    if (y < 0 || y >= height || x < 0 || x >= columns)
        return 0;
    if (width > columns - x)
        width = columns - x;
    (void)attrset((int)attr);
    (void)move(y, x);
    while (left > 0) {
        uint32_t code = 0;
        size_t n = utf8_read(text, left, &code);
        wchar_t c[2] = {(wchar_t)code};
        int w = n > 0 && utf8_printable(code) ? wcwidth(c[0]) : -1;
        if (w < 0) {
            c[0] = L'?';
            w = 1;
        }
        if (used + w > width)
            break;
        if (used + w > 0) /* nothing joins what stands before */
            (void)addwstr(c);
        used += w;
        text += n > 0 ? n : 1;
        left -= n > 0 ? n : 1;
    }
    for (int i = used; fill && i < width; i++)
        (void)addch(' ');
    (void)attrset(A_NORMAL);
    return used;
}

int ui_print(int y, int x, int width, attr_t attr, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return ui_text(y, x, width, attr, text, false);
}

/* Leaves parts of LINE out, from its end on, until it fits; they stand three
 * spaces apart.  The first stays, and the last, which is how one gets help. */
static void fit_keys(char *line, int width)
{
    for (;;) {
        char *last = NULL, *before = NULL;
        for (char *at = line; (at = strstr(at, "   ")) != NULL; at += 3) {
            before = last;
            last = at;
        }
        if (output_width(line) <= width || before == NULL)
            return;
        memmove(before, last, strlen(last) + 1);
    }
}

void ui_draw_bar(const struct ui *ui, int y, const char *text)
{
    char line[800];

    (void)snprintf(line, sizeof(line), "%s", text);
    if (y == LINES - 1)
        fit_keys(line, COLS);
    ui_text(y, 0, COLS, ui_attr(ui, STYLE_BAR), line, true);
}

int ui_wrap(int y, int x, int height, int width, attr_t attr, const char *text)
{
    int row = 0;

    for (; *text != '\0' && row < height && width > 0; row++) {
        size_t n = layout_line(text, width);
        ui_print(y + row, x, width, attr, "%.*s", (int)n, text);
        text += n;
        text += *text == ' ' || *text == '\n';
    }
    return row;
}

int ui_scrolled(int first, int at, int margin, int seen, int all)
{
    if (at < first + margin)
        first = at - margin;
    if (at > first + seen - 1 - margin)
        first = at - seen + 1 + margin;
    if (first > all - seen)
        first = all - seen;
    return first > 0 ? first : 0;
}

/* Gives PANE what it has for its WISH of LEFT lines; returns those left. */
static int give(struct ui_pane *pane, int wish, int left)
{
    int more = pane->wants[wish] - pane->lines;

    bool whole = wish == 0 || (pane->whole && wish == UI_WISHES - 1);

    if (more > left && whole && !pane->must)
        return left;
    more = more < left ? more : left;
    if (more <= 0 || (wish > 0 && pane->lines < pane->wants[0]))
        return left;
    pane->lines += more;
    return left - more;
}

int ui_split(struct ui_pane *panes, size_t count, int y, int lines)
{
    int missing = 0;

    for (size_t i = 0; i < count; i++)
        panes[i].lines = 0;
    for (size_t i = 0; i < count; i++)
        if (panes[i].must) {
            lines = give(&panes[i], 0, lines);
            missing += panes[i].wants[0] - panes[i].lines;
        }
    for (int wish = 0; wish < UI_WISHES; wish++)
        for (size_t i = 0; i < count; i++)
            lines = give(&panes[i], wish, lines);
    for (size_t i = 0; i < count; i++) {
        panes[i].y = y;
        y += panes[i].lines;
    }
    return missing;
}
