/* rules.c -- `sobremesa rules`: a game's rules for people.
 *
 * The pages are Markdown of the few kinds that core/README.md allows.  A pipe
 * gets them as they are, a terminal set in its width: headings and emphasis
 * bold, tables in columns whose cells are wrapped. */

#include <iconv.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <curses.h>
#include <term.h> /* with a macro for many a word, columns among them */

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/ascii.h"
#include "core/base.h"
#include "layout.h"
#include "protocol/rules_text.h"
#include "clients/term/term.h"

enum { WIDTH_MIN = 40, WIDTH_MAX = 100, CELLS_MAX = 8, CELL_MIN = 8 };

/* How the page is set. */
struct setting {
    int width;              /* columns of the terminal that are used */
    const char *bold, *off; /* what the terminal wants to hear; "" */
    bool is_bold;           /* it has heard BOLD last */
};

/* A stretch of the page. */
struct span {
    const char *at;
    size_t len;
};

/* ---- words ------------------------------------------------------------- */

/* The columns that the N bytes at TEXT take without their marks. */
static int span_width(const char *text, size_t n)
{
    char plain[1024];
    size_t len = 0;

    for (size_t i = 0; i < n && len + 1 < sizeof(plain); i++)
        if (text[i] != '*' && text[i] != '`')
            plain[len++] = text[i];
    plain[len] = '\0';
    return output_width(plain);
}

static void set_bold(struct setting *s, bool bold)
{
    if (bold != s->is_bold)
        (void)fputs(bold ? s->bold : s->off, stdout);
    s->is_bold = bold;
}

/* The N bytes at TEXT: `code` and **words** stand out, their marks vanish. */
static void put_marked(struct setting *s, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '`') {
            set_bold(s, !s->is_bold);
        } else if (text[i] == '*' && i + 1 < n && text[i + 1] == '*') {
            set_bold(s, !s->is_bold);
            i++;
        } else {
            (void)fputc(text[i], stdout);
        }
    }
}

/* As many words from REST as fit in WIDTH columns, at least one. */
static struct span take_line(struct span *rest, int width)
{
    struct span line = {rest->at, 0};
    size_t at = 0;

    while (at < rest->len) {
        size_t end = at;
        while (end < rest->len && rest->at[end] != ' ')
            end++;
        if (line.len > 0 && span_width(line.at, end) > width)
            break;
        line.len = end;
        while (end < rest->len && rest->at[end] == ' ')
            end++;
        at = end;
    }
    rest->at += at;
    rest->len -= at;
    return line;
}

static void put_flow(struct setting *s, const char *first, const char *indent,
                     struct span text)
{
    const char *before = first;

    while (text.len > 0) {
        struct span line = take_line(&text, s->width - (int)strlen(indent));
        (void)fputs(before, stdout);
        put_marked(s, line.at, line.len);
        (void)fputc('\n', stdout);
        before = indent;
    }
}

/* ---- tables ------------------------------------------------------------ */

/* Parts "| a | b |" into cells; how many there are. */
static int part_row(struct span row, struct span cell[CELLS_MAX])
{
    int count = 0;
    size_t at = 1;

    while (at < row.len && count < CELLS_MAX) {
        size_t end = at;
        while (end < row.len && row.at[end] != '|')
            end++;
        if (end == row.len)
            break;
        size_t from = at, to = end;
        while (from < to && row.at[from] == ' ')
            from++;
        while (to > from && row.at[to - 1] == ' ')
            to--;
        cell[count++] = (struct span){row.at + from, to - from};
        at = end + 1;
    }
    return count;
}

static bool is_rule(struct span row)
{
    for (size_t i = 0; i < row.len; i++)
        if (strchr("|-: ", row.at[i]) == NULL)
            return false;
    return true;
}

/* Takes what is too much from the widest columns. */
static void shrink(int width[CELLS_MAX], int across, int most)
{
    for (;;) {
        int sum = 2 * (across - 1), widest = 0;
        for (int i = 0; i < across; i++) {
            sum += width[i];
            if (width[i] > width[widest])
                widest = i;
        }
        if (sum <= most || width[widest] <= CELL_MIN)
            return;
        width[widest]--;
    }
}

static void put_row(struct setting *s, struct span cell[CELLS_MAX],
                    const int width[CELLS_MAX], int across, bool head)
{
    bool more = true;

    while (more) {
        more = false;
        for (int i = 0; i < across; i++) {
            struct span line = take_line(&cell[i], width[i]);
            int pad = width[i] - span_width(line.at, line.len);
            set_bold(s, head);
            put_marked(s, line.at, line.len);
            more = more || cell[i].len > 0;
            for (; i + 1 < across && pad > -2; pad--)
                (void)fputc(' ', stdout);
        }
        set_bold(s, false);
        (void)fputc('\n', stdout);
    }
}

/* The COUNT rows of a table, whose first one is its head. */
static void put_table(struct setting *s, const struct span *row, size_t count)
{
    struct span cell[CELLS_MAX] = {{0}};
    int width[CELLS_MAX] = {0}, across = 0;

    for (size_t i = 0; i < count; i++) {
        int n = is_rule(row[i]) ? 0 : part_row(row[i], cell);
        for (int k = 0; k < n; k++) {
            int w = span_width(cell[k].at, cell[k].len);
            width[k] = w > width[k] ? w : width[k];
        }
        across = n > across ? n : across;
    }
    shrink(width, across, s->width);
    for (size_t i = 0; i < count; i++) {
        if (is_rule(row[i]))
            continue;
        memset(cell, 0, sizeof(cell));
        (void)part_row(row[i], cell);
        put_row(s, cell, width, across, i == 0);
    }
}

/* ---- blocks ------------------------------------------------------------ */

static struct span next_line(struct span *rest)
{
    const char *end = memchr(rest->at, '\n', rest->len);
    struct span line = {
        rest->at,
        end != NULL ? (size_t)(end - rest->at) : rest->len,
    };
    size_t taken = line.len + (end != NULL);
    rest->at += taken;
    rest->len -= taken;
    return line;
}

/* The bytes of the mark that makes LINE an item of a list, or 0. */
static size_t item_mark(struct span line)
{
    size_t n = 0;

    if (line.len > 1 && line.at[0] == '-' && line.at[1] == ' ')
        return 2;
    while (n < line.len && line.at[n] >= '0' && line.at[n] <= '9')
        n++;
    return n > 0 && n + 1 < line.len && memcmp(line.at + n, ". ", 2) == 0
               ? n + 2
               : 0;
}

/* What LINE begins: '#', '|', '-' for an item, '\0' for nothing, or 'a' for
 * words. */
static int kind_of(struct span line)
{
    if (line.len == 0)
        return '\0';
    if (line.at[0] == '#' || line.at[0] == '|')
        return line.at[0];
    return item_mark(line) > 0 ? '-' : 'a';
}

static void put_heading(struct setting *s, struct span line)
{
    bool title = line.len > 1 && line.at[1] != '#';

    while (line.len > 0 && (line.at[0] == '#' || line.at[0] == ' '))
        line.at++, line.len--;
    set_bold(s, true);
    (void)printf("%.*s\n", (int)line.len, line.at);
    for (int i = span_width(line.at, line.len); title && i >= 0; i--)
        (void)fputc(i > 0 ? '=' : '\n', stdout);
    set_bold(s, false);
}

static void put_item(struct setting *s, struct span item)
{
    char mark[16], indent[16];
    size_t n = item_mark(item);

    (void)snprintf(mark, sizeof(mark), "%.*s", (int)n, item.at);
    (void)snprintf(indent, sizeof(indent), "%*s", (int)n, "");
    put_flow(s, mark, indent, (struct span){item.at + n, item.len - n});
}

/* LINE and the lines that go on with it, as one; in BUF. */
static struct span gather(struct span line, struct span *rest, char *buf,
                          size_t cap)
{
    size_t len = 0;

    for (;;) {
        while (line.len > 0 && line.at[0] == ' ')
            line.at++, line.len--;
        for (size_t i = 0; i < line.len && len < cap; i++)
            buf[len++] = line.at[i];
        struct span ahead = *rest, next = next_line(&ahead);
        if (rest->len == 0 || kind_of(next) != 'a')
            return (struct span){buf, len};
        if (len < cap)
            buf[len++] = ' ';
        line = next_line(rest);
    }
}

static void put_page(struct setting *s, const char *text)
{
    struct span rest = {text, strlen(text)}, row[64];
    char buf[4096];

    while (rest.len > 0) {
        struct span line = next_line(&rest);
        size_t rows = 0;
        switch (kind_of(line)) {
        case '#': put_heading(s, line); break;
        case '|':
            for (;;) {
                if (rows < COUNT_OF(row))
                    row[rows++] = line;
                if (rest.len == 0 || rest.at[0] != '|')
                    break;
                line = next_line(&rest);
            }
            put_table(s, row, rows);
            break;
        case '-': put_item(s, gather(line, &rest, buf, sizeof(buf))); break;
        case '\0': (void)fputc('\n', stdout); break;
        default: put_flow(s, "", "", gather(line, &rest, buf, sizeof(buf)));
        }
    }
}

/* ---- the terminal ------------------------------------------------------ */

static int terminal_width(void)
{
    struct winsize size = {0};
    int width = 80;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
    return width < WIDTH_MIN   ? WIDTH_MIN
           : width > WIDTH_MAX ? WIDTH_MAX
                               : width;
}

/* How the terminal says bold; false if nothing is known of it, otherwise the
 * words are cur_term's. */
static bool terminal_words(struct setting *s)
{
    int error;
    char bold[] = "bold", off[] = "sgr0";

    s->bold = s->off = "";
    if (setupterm(NULL, STDOUT_FILENO, &error) != OK)
        return false;
    const char *on = tigetstr(bold), *end = tigetstr(off);
    if (on != NULL && end != NULL && on != (char *)-1 && end != (char *)-1) {
        s->bold = on;
        s->off = end;
    }
    return true;
}

/* TEXT in what the locale can show; the caller's to free. */
static char *in_locale(const char *text)
{
    size_t len = strlen(text), left = 4 * len;
    char *copy = must_alloc(left + 1), *to = copy;
    char *from = (char *)(uintptr_t)text, name[64];

    (void)snprintf(name, sizeof(name), "%s//TRANSLIT", nl_langinfo(CODESET));
    iconv_t converter = iconv_open(name, "UTF-8");
    if (converter == (iconv_t)-1 ||
        iconv(converter, &from, &len, &to, &left) == (size_t)-1) {
        memcpy(copy, text, strlen(text) + 1);
    } else {
        *to = '\0';
    }
    if (converter != (iconv_t)-1)
        (void)iconv_close(converter);
    return copy;
}

static void show_page(const struct rules_text *page)
{
    if (!isatty(STDOUT_FILENO)) {
        (void)fputs(page->text, stdout);
        return;
    }
    struct setting s = {.width = terminal_width()};
    char *text = in_locale(page->text);
    bool known = terminal_words(&s);
    output_own(true); /* in the terminal's words and letters */
    put_page(&s, text);
    output_own(false);
    if (known)
        (void)del_curterm(cur_term);
    free(text);
}

/* ---- the command ------------------------------------------------------- */

struct rules_arguments {
    const char *game, *lang;
    bool summary, detailed;
};

enum { OPT_SUMMARY = 1000, OPT_DETAILED };

static error_t rules_parse(int key, char *arg, struct argp_state *state)
{
    struct rules_arguments *a = state->input;

    switch (key) {
    case OPT_SUMMARY: a->summary = true; return 0;
    case OPT_DETAILED: a->detailed = true; return 0;
    case 'l': a->lang = arg; return 0;
    default:
        return argument_parse(key, arg, state, &a->game,
                              _("one GAME at a time"),
                              _("the rules of which GAME?"));
    }
}

static void show_detail(const struct rules *r, const char *detail,
                        const char *lang)
{
    const struct rules_text *page = rules_text_find(r->name, detail, lang);

    ASSERT(page != NULL); /* tests/protocol/test_rules_text.c */
    if (lang != NULL && ascii_compare_n(lang, page->lang, 2) != 0)
        (void)complain(strcmp(detail, "summary") == 0
                           ? _("the summary is in %s only")
                           : _("the detailed page is in %s only"),
                       page->lang);
    show_page(page);
}

int rules_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"summary", OPT_SUMMARY, NULL, 0, N_("only the summary"), 0},
        {"detailed", OPT_DETAILED, NULL, 0, N_("only the detailed rules"), 0},
        {"lang", 'l', "en|fr", 0, N_("in which language, where there is one"),
         0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = rules_parse,
        .args_doc = "GAME",
        .doc = N_("Shows the rules of GAME: first in short, then in full."),
    };
    struct rules_arguments a = {0};

    if (command_parse(&argp, "rules", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    const struct rules *r = game_find(a.game);
    if (r == NULL)
        return STATUS_FAILED;
    bool both = a.summary == a.detailed;
    if (a.summary || both)
        show_detail(r, "summary", a.lang);
    if (both)
        (void)fputc('\n', stdout);
    if (a.detailed || both)
        show_detail(r, "detailed", a.lang);
    return STATUS_DONE;
}
