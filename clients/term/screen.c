#include "screen.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "core/text.h"
#include "core/utf8.h"
#include "protocol/sbuf_printf.h"

#define LOG_LINES 500

/* ---- drawing ------------------------------------------------------------ */

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

static void start_colours(struct ui *ui)
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
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        init_pair((short)(STYLE_SEAT + 1 + seat), seats[ui->many][seat][0],
                  seats[ui->many][seat][1]);
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

void ui_say(struct ui *ui, bool bad, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(ui->message, sizeof(ui->message), format, args);
    va_end(args);
    ui->bad = bad;
}

/* Where the next line of TEXT ends that fits in WIDTH bytes; words stay whole
 * where they can. */
static size_t line_end(const char *text, int width)
{
    size_t n = strcspn(text, "\n"), fit = (size_t)width;
    if (n <= fit)
        return n;
    for (size_t i = fit; i > fit / 2; i--)
        if (text[i] == ' ')
            return i;
    size_t whole = utf8_cut(text, fit);
    return whole > 0 ? whole : fit;
}

/* ---- the log ------------------------------------------------------------ */

struct log_line {
    char text[240];
    bool fresh; /* since the seat at the keyboard last moved */
};

/* The last lines of the log, at most CAP, oldest first. */
static size_t log_lines(const struct ui *ui, struct log_line *lines,
                        size_t cap)
{
    const struct table *table = ui->table;
    char sentence[200];
    size_t count = 0, first = table->event_count, found = 0;
    int times = 1;

    while (first > 0 && found < 2 * cap)
        found += game_ui_tells(ui->game_ui, table, &table->events[--first],
                               ui->seat);
    for (size_t i = first; i < table->event_count; i++) {
        if (!game_ui_tells(ui->game_ui, table, &table->events[i], ui->seat))
            continue;
        layout_sentence(table, ui->game_ui->phrases, &table->events[i],
                        sentence, sizeof(sentence));
        size_t len = strlen(sentence);
        if (count > 0 && strncmp(lines[count - 1].text, sentence, len) == 0 &&
            (lines[count - 1].text[len] == '\0' ||
             strncmp(lines[count - 1].text + len, " (", 2) == 0)) {
            (void)snprintf(lines[count - 1].text, sizeof(lines->text),
                           "%s (%d times)", sentence, ++times);
            continue;
        }
        times = 1;
        if (count == cap) {
            memmove(lines, lines + 1, (cap - 1) * sizeof(*lines));
            count--;
        }
        (void)snprintf(lines[count].text, sizeof(lines->text), "%s", sentence);
        lines[count++].fresh = i >= ui->seen;
    }
    return count;
}

/* All that is new in one line, as far as it fits, the newest at its end. */
static void log_in_a_line(const struct log_line *lines, size_t count, int y,
                          int x, int width)
{
    char text[2048];
    struct sbuf s = sbuf_in(text, sizeof(text));
    size_t first = count, len = 0;

    while (first > 0 && (lines[first - 1].fresh || first == count) &&
           len + strlen(lines[first - 1].text) + 1 < (size_t)width - 4) {
        first--;
        len += strlen(lines[first].text) + 1;
    }
    if (first == count && count > 0)
        first--;
    bool more = first > 0 && lines[first - 1].fresh;
    sbuf_puts(&s, more ? "g: ... " : "");
    for (size_t i = first; i < count; i++)
        sbuf_printf(&s, "%s ", lines[i].text);
    ui_text(y, x + 1, width - 1, A_NORMAL, text, false);
}

void ui_log(const struct ui *ui, int y, int x, int height, int width)
{
    static struct log_line lines[64];

    if (height <= 0 || width < 8)
        return;
    size_t count = log_lines(ui, lines, COUNT_OF(lines));
    if (height == 1) {
        log_in_a_line(lines, count, y, x, width);
        return;
    }
    int bottom = y + height;
    for (size_t i = count; i-- > 0 && bottom > y;) {
        int rows = 0;
        for (const char *t = lines[i].text; *t != '\0'; rows++) {
            t += line_end(t, width - 1 - (rows > 0));
            t += *t == ' ';
        }
        bottom -= rows;
        int row = bottom;
        for (const char *t = lines[i].text; *t != '\0'; row++) {
            int indent = row > bottom;
            size_t n = line_end(t, width - 1 - indent);
            char part[256];
            (void)snprintf(part, sizeof(part), "%.*s", (int)n, t);
            if (row >= y)
                ui_text(row, x + 1 + indent, width - 1 - indent,
                        lines[i].fresh ? A_NORMAL : ui_attr(ui, STYLE_DIM),
                        part, false);
            t += n;
            t += *t == ' ';
        }
        if (lines[i].fresh && bottom >= y)
            ui_text(bottom, x, 1, ui_attr(ui, STYLE_KEY), ">", false);
    }
}

static void show_log(struct ui *ui)
{
    struct log_line *lines = must_alloc(LOG_LINES * sizeof(*lines));
    size_t count = log_lines(ui, lines, LOG_LINES), len = 0;
    char *text = must_alloc(count * sizeof(lines->text) + 1);

    for (size_t i = count; i-- > 0;)
        len += (size_t)sprintf(text + len, "%s\n", lines[i].text);
    ui_page(ui, "What has happened, newest first", text);
    free(text);
    free(lines);
}

/* ---- scores ------------------------------------------------------------- */

int ui_scores(const struct ui *ui, int y, int x, int height, int width)
{
    const struct rules *r = ui->table->rules;
    int seats = ui->table->seats, column = 6;
    int names = width - column * seats, row = y;
    bool over = rules_over(&ui->view.state);

    if (height < 3 || names < 8)
        return 0;
    for (int seat = 0; seat < seats; seat++)
        ui_print(row, x + names + column * seat + 1, column - 1,
                 ui_attr(ui, STYLE_SEAT + seat), "%-*.*s", column - 1,
                 column - 1, ui->table->names[seat]);
    ui_text(row++, x, names, ui_attr(ui, STYLE_BOLD),
            over ? "Result" : "Scored now", false);
    for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++) {
        if (!(ui->score.parts & (1u << p)))
            continue;
        if (row >= y + height - 1)
            break;
        ui_text(row, x + 1, names - 1, A_NORMAL, r->parts[p].text, false);
        for (int seat = 0; seat < seats; seat++)
            ui_print(row, x + names + column * seat, column, A_NORMAL, "%*d",
                     column - 1, ui->score.part[p][seat]);
        row++;
    }
    ui_text(row, x + 1, names - 1, ui_attr(ui, STYLE_BOLD), "Total", false);
    for (int seat = 0; seat < seats; seat++)
        ui_print(row, x + names + column * seat, column,
                 ui_attr(ui, STYLE_BOLD), "%*d", column - 1,
                 ui->score.total[seat]);
    row++;
    if (over && row < y + height) {
        ui_text(row, x + 1, names - 1, ui_attr(ui, STYLE_BOLD), "Place",
                false);
        for (int seat = 0; seat < seats; seat++)
            ui_print(row, x + names + column * seat, column,
                     ui_attr(ui, STYLE_BOLD), "%*d.", column - 2,
                     ui->score.place[seat]);
        row++;
    }
    return row - y;
}

static char *score_text(struct ui *ui)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    if (rules_over(&ui->view.state)) {
        layout_result(to, ui->table);
    } else {
        (void)fputs("If it were scored now:\n\n", to);
        layout_scores(to, ui->table, &ui->score);
    }
    (void)fclose(to);
    return text;
}

void ui_show_scores(struct ui *ui)
{
    char *text = score_text(ui);
    ui_page(ui, "Points", text);
    free(text);
}

/* ---- questions and pages ------------------------------------------------ */

static void bar(const struct ui *ui, int y, const char *text)
{
    ui_text(y, 0, COLS, ui_attr(ui, STYLE_BAR), text, true);
}

int ui_key(struct ui *ui)
{
    int key;

    if (ui->controller->wait != NULL && !ui->controller->wait(ui))
        return KEY_NEWS;
    do {
        errno = 0;
        key = getch();
    } while (key == ERR && errno == EINTR);
    return key == '\r' || key == KEY_ENTER ? KEY_RETURN : key;
}

/* How many lines TEXT takes in WIDTH columns. */
static int page_lines(const char *text, int width)
{
    int lines = 0;
    for (; *text != '\0'; lines++) {
        text += line_end(text, width);
        text += *text == '\n' || *text == ' ';
    }
    return lines;
}

void ui_page(struct ui *ui, const char *title, const char *text)
{
    int top = 0;

    for (;;) {
        int width = COLS > 4 ? COLS - 4 : 1, room = LINES - 2, row = 0;
        int lines = page_lines(text, width);
        char head[128];
        if (top > lines - room)
            top = lines - room;
        if (top < 0)
            top = 0;
        (void)erase();
        (void)snprintf(head, sizeof(head), " %s", title);
        bar(ui, 0, head);
        for (const char *t = text; *t != '\0'; row++) {
            size_t n = line_end(t, width);
            char part[512];
            (void)snprintf(part, sizeof(part), "%.*s", (int)n, t);
            if (row >= top && row < top + room)
                ui_text(1 + row - top, 2, width, A_NORMAL, part, false);
            t += n;
            t += *t == '\n' || *t == ' ';
        }
        bar(ui, LINES - 1,
            lines > room ? " arrows, space: more   any other "
                           "key: back"
                         : " any key: back");
        (void)refresh();
        int key = ui_key(ui);
        if (key == KEY_RESIZE || key == KEY_NEWS)
            continue;
        if (key == KEY_DOWN || key == 'j')
            top++;
        else if (key == KEY_UP || key == 'k')
            top--;
        else if ((key == KEY_NPAGE || key == ' ') && lines > room)
            top += room - 1;
        else if (key == KEY_PPAGE)
            top -= room - 1;
        else
            return;
    }
}

/* The line QUESTION TEXT in the last line, its end if it is too long. */
static void ask_line(const struct ui *ui, const char *question,
                     const char *text)
{
    char line[4096];

    while (output_width(question) + output_width(text) + 4 > COLS && *text) {
        text++;
        while (((unsigned char)*text & 0xc0) == 0x80)
            text++;
    }
    (void)snprintf(line, sizeof(line), " %s %s", question, text);
    bar(ui, LINES - 1, line);
    (void)curs_set(1);
    int at = output_width(line);
    (void)move(LINES - 1, at < COLS ? at : COLS - 1);
    (void)refresh();
}

bool ui_ask(struct ui *ui, const char *question, char *buf, size_t cap)
{
    size_t len = 0;

    buf[0] = '\0';
    for (;;) {
        ask_line(ui, question, buf);
        int key = ui_key(ui);
        (void)curs_set(0);
        if (key == KEY_RETURN)
            return true;
        if (key == KEY_ESCAPE || key == ERR)
            return false;
        if ((key == KEY_BACKSPACE || key == 127 || key == 8) && len > 0) {
            len = utf8_cut(buf, len - 1);
            buf[len] = '\0';
        } else if (key >= ' ' && key < 256 && key != 127 && len + 1 < cap) {
            buf[len++] = (char)key;
            buf[len] = '\0';
        }
    }
}

bool ui_sure(struct ui *ui, const char *question)
{
    char line[256];

    (void)snprintf(line, sizeof(line), " %s (y/n) ", question);
    bar(ui, LINES - 1, line);
    (void)refresh();
    int key = ui_key(ui);
    while (key == KEY_RESIZE || key == KEY_NEWS)
        key = ui_key(ui);
    return key == 'y' || key == 'Y' || key == ERR;
}

/* ---- the course of the game --------------------------------------------- */

void ui_fresh(struct ui *ui)
{
    const struct table *table = ui->table;

    rules_view(table->rules, &table->any.state, ui->seat, &ui->view.state);
    table_points(table, &ui->view.state, &ui->score);
    ui->choice_count = ui->seat < ui->view.state.seats &&
                               ui->controller->play != NULL
                           ? rules_legal(table->rules, &ui->view.state,
                                         ui->seat, -1, ui->choices,
                                         RULES_MOVES_MAX)
                           : 0;
    if (ui->screen->fresh != NULL)
        ui->screen->fresh(ui);
}

bool ui_play(struct ui *ui, const struct rules_move *move)
{
    if (ui->controller->play == NULL) {
        ui_say(ui, true, "You are only looking on.");
        return false;
    }
    return ui->controller->play(ui, move);
}

static void ask_move(struct ui *ui)
{
    struct rules_move move;
    char text[200], why[400];

    if (!ui_ask(ui, "Move:", text, sizeof(text)) || text[0] == '\0')
        return;
    if (move_read(ui->table, text, &move, why, sizeof(why)) != RULES_OK)
        ui_say(ui, true, "%s", why);
    else
        (void)ui_play(ui, &move);
}

static void show_help(struct ui *ui)
{
    static const char *const common =
        "\nAlways:\n"
        "  u  take back your last move   :  type a move in words\n"
        "  s  points by category         g  what has happened\n";
    static const char *const looking =
        "\nAlways:\n"
        "  s  points by category         g  what has happened\n";
    static const char *const end = "  ?  this help                  q  leave\n"
                                   "  Ctrl-L  draw the screen anew\n";
    const char *own = ui->screen->help != NULL && ui->controller->play != NULL
                          ? ui->screen->help
                          : "";
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    (void)fprintf(to, "%s%s", own,
                  ui->controller->play != NULL ? common : looking);
    (void)fprintf(to, "%s%s", ui->controller->help_keys, end);
    if (ui->controller->help != NULL)
        ui->controller->help(ui, to);
    (void)fclose(to);
    ui_page(ui, ui->table->rules->title, text);
    free(text);
}

/* ---- what is to be read ------------------------------------------------- */

#define NOTICE_END "   Esc: read "

void ui_notice(struct ui *ui, const char *text)
{
    const char *before = ui->unread != NULL ? ui->unread : "";
    char *all = NULL;

    if (asprintf(&all, "%s%s\n", before, text) < 0)
        core_panic(__FILE__, __LINE__, "out of memory");
    free(ui->unread);
    ui->unread = all;
}

/* The last line of it, and how many there are. */
static const char *last_notice(const struct ui *ui, int *ret_count)
{
    const char *last = ui->unread, *line = last;

    for (*ret_count = 0; *line != '\0'; ++*ret_count) {
        last = line;
        line = strchr(line, '\n') + 1;
    }
    return last;
}

/* Whether all of it is to be seen in the line at the bottom. */
static bool notice_fits(const struct ui *ui)
{
    int count;
    const char *last = last_notice(ui, &count);

    return count == 1 &&
           output_width(last) + 1 <= COLS - (int)strlen(NOTICE_END);
}

static void draw_notice(const struct ui *ui)
{
    attr_t attr = ui_attr(ui, STYLE_BAD) | A_REVERSE;
    int y = ui->message[0] != '\0' ? LINES - 2 : LINES - 1;
    int width = COLS - (int)strlen(NOTICE_END), count;
    const char *last = last_notice(ui, &count);
    char line[700];

    (void)snprintf(line, sizeof(line), " %.*s", (int)strcspn(last, "\n"),
                   last);
    ui_text(y, 0, width, attr, line, true);
    if (!notice_fits(ui) && count == 1)
        ui_text(y, width - 1, 1, attr, ui->unicode ? "…" : ">", false);
    if (count > 1)
        ui_print(y, width - 4, 4, attr, " +%d", count - 1);
    ui_text(y, width, COLS - width, attr | A_BOLD, NOTICE_END, true);
}

static void read_notice(struct ui *ui)
{
    char *text = ui->unread;
    bool page = !notice_fits(ui);

    ui->unread = NULL; /* more may come while that is read */
    if (page)
        ui_page(ui, "What the operator says", text);
    free(text);
}

static void handle(struct ui *ui, int key)
{
    if (key == KEY_RESIZE || key == KEY_NEWS)
        return;
    ui->message[0] = '\0';
    if (key == KEY_ESCAPE && ui->unread != NULL) {
        read_notice(ui);
        return;
    }
    if (key != ERR && ui->controller->key != NULL &&
        ui->controller->key(ui, key))
        return;
    switch (key) {
    case ERR:
        ui->done = true;
        ui->status = complain("the terminal is gone");
        return;
    case '?':
    case KEY_F(1): show_help(ui); return;
    case 'q':
    case 'Q': ui->controller->quit(ui); return;
    case 'g': show_log(ui); return;
    case 's': ui_show_scores(ui); return;
    case 12: (void)clearok(curscr, TRUE); return;
    default: break;
    }
    if (ui->controller->play != NULL && !rules_over(&ui->view.state)) {
        switch (key) {
        case 'u':
        case 'U': ui->controller->undo(ui); return;
        case ':': ask_move(ui); return;
        default: break;
        }
    }
    if (ui->screen->key == NULL || !ui->screen->key(ui, key))
        ui_say(ui, false, "Press ? for help.");
}

static void draw(struct ui *ui)
{
    (void)erase();
    ui->lines = LINES;
    ui->columns = COLS;
    if (LINES < 8 || COLS < 30) {
        ui_text(0, 0, COLS, A_NORMAL, "The window is too small.", false);
        (void)refresh();
        return;
    }
    if (ui->controller->room != NULL)
        ui->controller->room(ui);
    ui->screen->draw(ui);
    if (ui->message[0] != '\0') {
        char line[300];
        (void)snprintf(line, sizeof(line), " %s", ui->message);
        ui_text(LINES - 1, 0, COLS,
                ui->bad ? ui_attr(ui, STYLE_BAD) | A_REVERSE
                        : ui_attr(ui, STYLE_BAR),
                line, true);
    } else {
        bar(ui, LINES - 1,
            ui->controller->keys != NULL ? ui->controller->keys(ui)
            : rules_over(&ui->view.state)
                ? " The game is over.   s points   g log   q leave"
                : ui->screen->keys);
    }
    if (ui->controller->frame != NULL)
        ui->controller->frame(ui);
    if (ui->unread != NULL)
        draw_notice(ui);
    (void)refresh();
}

static void leave_curses(void)
{
    (void)endwin();
    term_emergency = NULL;
}

bool ui_open(struct ui *ui)
{
    ui->terminal = newterm(NULL, output_terminal(), stdin);
    if (ui->terminal == NULL) {
        (void)complain("this terminal (TERM=%s) has no full screen; lines "
                       "then",
                       getenv("TERM"));
        return false;
    }
    ui->choices = must_alloc(RULES_MOVES_MAX * sizeof(struct rules_choice));
    term_emergency = leave_curses;
    (void)set_escdelay(25);
    (void)cbreak();
    (void)noecho();
    (void)nonl();
    (void)keypad(stdscr, TRUE);
    (void)curs_set(0);
    start_colours(ui);
    return true;
}

void ui_draw_bar(const struct ui *ui, int y, const char *text)
{
    bar(ui, y, text);
}

void ui_table(struct ui *ui, struct table *table,
              const struct game_ui *game_ui)
{
    ui->table = table;
    ui->game_ui = game_ui;
    ui->screen = game_ui->screen != NULL ? game_ui->screen : &list_screen;
    ui->seen = 0;
    if (ui->screen->start != NULL)
        ui->screen->start(ui);
}

void ui_run(struct ui *ui)
{
    while (!ui->done) {
        if (ui->stale) {
            ui->stale = false;
            ui->controller->go_on(ui);
        }
        draw(ui);
        handle(ui, ui_key(ui));
    }
}

void ui_close(struct ui *ui)
{
    leave_curses();
    delscreen(ui->terminal);
    free(ui->choices);
    free(ui->unread);
}
