/* ask.c -- a line that is typed at the bottom of the full screen. */

#include <string.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "core/utf8.h"
#include "protocol/sbuf_printf.h"
#include "screen.h"

#define CANDIDATES_MAX 200
#define CTRL(letter)   ((letter)&0x1f)

/* The line QUESTION TEXT in the last line, its end if it is too long. */
static void draw_line(const struct ui *ui, const char *question,
                      const char *text)
{
    char line[4096];

    while (output_width(question) + output_width(text) + 4 > COLS && *text) {
        text++;
        while (((unsigned char)*text & 0xc0) == 0x80)
            text++;
    }
    (void)snprintf(line, sizeof(line), " %s %s", question, text);
    ui_draw_bar(ui, LINES - 1, line);
    (void)curs_set(1);
    int at = output_width(line);
    (void)move(LINES - 1, at < COLS ? at : COLS - 1);
    (void)refresh();
}

/* ---- Tab ---------------------------------------------------------------- */

/* What the candidates have in common at their beginning, in bytes. */
static size_t common(char (*word)[TYPED_WORD_SIZE], size_t count)
{
    size_t n = strlen(word[0]);

    for (size_t i = 1; i < count; i++) {
        size_t k = 0;
        while (k < n && word[i][k] == word[0][k])
            k++;
        n = k;
    }
    return utf8_cut(word[0], n);
}

/* Shows them above the line. */
static void show_candidates(const struct ui *ui, char (*word)[TYPED_WORD_SIZE],
                            size_t count)
{
    char text[1024];
    struct sbuf s = sbuf_in(text, sizeof(text));

    for (size_t i = 0; i < count; i++)
        sbuf_printf(&s, " %s", word[i]);
    ui_text(LINES - 2, 0, COLS, ui_attr(ui, STYLE_KEY), text, true);
}

/* Completes the last word of BUF as far as it is certain. */
static void complete(const struct ui *ui, const struct ask_help *help,
                     char *buf, size_t cap)
{
    static char word[CANDIDATES_MAX][TYPED_WORD_SIZE];
    size_t count = help->complete(ui, buf, word, CANDIDATES_MAX);
    const char *space = strrchr(buf, ' ');
    size_t from = space != NULL ? (size_t)(space + 1 - buf) : 0;
    const char *equals = strchr(buf + from, '=');

    if (count == 0)
        return;
    if (equals != NULL)
        from = (size_t)(equals + 1 - buf);
    (void)snprintf(buf + from, cap - from, "%.*s%s", (int)common(word, count),
                   word[0], count == 1 ? " " : "");
    if (count > 1)
        show_candidates(ui, word, count);
}

/* ---- lines typed before ------------------------------------------------- */

static void remember(struct ask_history *h, const char *line)
{
    if (line[0] == '\0' ||
        (h->count > 0 && strcmp(h->line[h->count - 1], line) == 0))
        return;
    if (h->count == ASK_LINES)
        memmove(h->line[0], h->line[1], --h->count * sizeof(h->line[0]));
    (void)snprintf(h->line[h->count++], ASK_BYTES, "%s", line);
}

/* ---- the line ----------------------------------------------------------- */

/* Whether KEY has changed the line, one of LEN bytes. */
static bool edit(int key, char *buf, size_t len, size_t cap)
{
    if (key == CTRL('u'))
        buf[0] = '\0';
    else if (key == CTRL('w')) {
        while (len > 0 && buf[len - 1] == ' ')
            len--;
        while (len > 0 && buf[len - 1] != ' ')
            len--;
        buf[len] = '\0';
    } else if (key == KEY_BACKSPACE || key == 127 || key == CTRL('h')) {
        if (len > 0)
            buf[utf8_cut(buf, len - 1)] = '\0';
    } else if (key >= ' ' && key < 256 && len + 1 < cap) {
        buf[len] = (char)key;
        buf[len + 1] = '\0';
    } else {
        return false;
    }
    return true;
}

bool ui_ask_with(struct ui *ui, const char *question, char *buf, size_t cap,
                 const struct ask_help *help)
{
    struct ask_history *h = help != NULL ? help->history : NULL;
    size_t at = h != NULL ? h->count : 0; /* the line of it that is up */

    buf[0] = '\0';
    for (;;) {
        draw_line(ui, question, buf);
        int key = ui_key(ui);
        (void)curs_set(0);
        if (key == KEY_ESCAPE || key == ERR)
            return false;
        if (key == KEY_RETURN)
            break;
        if (edit(key, buf, strlen(buf), cap) || help == NULL)
            continue;
        if (key == '\t')
            complete(ui, help, buf, cap);
        else if (key == KEY_UP && at > 0)
            (void)snprintf(buf, cap, "%s", h->line[--at]);
        else if (key == KEY_DOWN && at < h->count)
            (void)snprintf(buf, cap, "%s", ++at < h->count ? h->line[at] : "");
    }
    if (h != NULL)
        remember(h, buf);
    return true;
}

bool ui_ask(struct ui *ui, const char *question, char *buf, size_t cap)
{
    return ui_ask_with(ui, question, buf, cap, NULL);
}
