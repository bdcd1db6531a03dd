#include "screen.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "layout.h"

/* ---- keys, questions and pages------------------------------------------------ */

/* Whether there is something to be read, or the terminal's end. */
static bool input_waits(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

    return poll(&in, 1, 0) > 0;
}

/* A key, or ERR if none comes for a while: a signal that another size of the
 * window is told by does not wake who begins to wait just then, so nobody waits
 * for long. */
static int key_soon(void)
{
    timeout(UI_LOOK_MS);
    int key = getch();
    timeout(-1);
    return key;
}

/* A key that was pressed already, or ERR. */
static int pending_key(void)
{
    (void)nodelay(stdscr, TRUE);
    int key = getch();
    (void)nodelay(stdscr, FALSE);
    return key;
}

/* Behind an escape that curses could make nothing of: whether it begins a
 * sequence (ECMA-48), which then is taken whole, so that no part of it passes
 * for keys. */
static bool swallow_sequence(void)
{
    int key = pending_key();

    if (key == 'O') { /* one more */
        (void)pending_key();
        return true;
    }
    if (key == '[') { /* parameters, and what ends them */
        do
            key = pending_key();
        while (key >= 0x20 && key < 0x40);
        return true;
    }
    if (key == ']' || key == 'P' || key == '_' || key == '^') {
        do /* a string, up to BEL or ESC \ */
            key = pending_key();
        while (key != ERR && key != 7 && key != KEY_ESCAPE);
        if (key == KEY_ESCAPE)
            (void)pending_key();
        return true;
    }
    if (key != ERR)
        (void)ungetch(key);
    return false;
}

/* The next key; ERR at the terminal's end, of which there is nothing to be seen
 * but that something is to be read and it is no key. */
static int next_key(void)
{
    for (;;) {
        bool waits = input_waits();
        int key = key_soon();
        if (key != ERR || (waits && input_waits()))
            return key;
    }
}

int ui_key(struct ui *ui)
{
    int key;

    do {
        if (ui->controller->wait != NULL && !ui->controller->wait(ui))
            return KEY_NEWS;
        key = next_key();
    } while (key == KEY_ESCAPE && swallow_sequence());
    if (key == KEY_MOUSE)
        key = mouse_key(ui);
    return key == '\r' || key == KEY_ENTER ? KEY_RETURN : key;
}

int ui_page_width(void)
{
    return COLS > 4 ? COLS - 4 : 1;
}

void ui_page(struct ui *ui, const char *title, const char *text)
{
    int top = 0;

    for (;;) {
        int width = ui_page_width(), room = LINES - 2, row = 0;
        int lines = layout_lines(text, width);
        char head[128];
        if (top > lines - room)
            top = lines - room;
        if (top < 0)
            top = 0;
        ui_clear();
        (void)snprintf(head, sizeof(head), " %s", title);
        ui_draw_bar(ui, 0, head);
        for (const char *t = text; *t != '\0'; row++) {
            size_t n = layout_line(t, width);
            char part[512];
            (void)snprintf(part, sizeof(part), "%.*s", (int)n, t);
            if (row >= top && row < top + room)
                ui_text(1 + row - top, 2, width, A_NORMAL, part, false);
            t += n;
            t += *t == '\n' || *t == ' ';
        }
        ui_draw_bar(ui, LINES - 1,
                    lines > room ? _(" arrows, space: more   any other "
                                     "key: back")
                                 : _(" any key: back"));
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

void ui_page_of(struct ui *ui, const char *title,
                void (*write)(struct ui *ui, FILE *to))
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    write(ui, to);
    (void)fclose(to);
    ui_page(ui, title, text);
    free(text);
}

bool ui_sure(struct ui *ui, const char *question)
{
    char line[256];

    (void)snprintf(line, sizeof(line), _(" %s (y/n) "), question);
    ui_draw_bar(ui, LINES - 1, line);
    (void)refresh();
    int key = ui_key(ui);
    while (key == KEY_RESIZE || key == KEY_NEWS)
        key = ui_key(ui);
    const char *yes = _("yY"); /* the letters that are yes */
    return key == 'y' || key == 'Y' || key == ERR ||
           (key > 0 && key < 128 && strchr(yes, key) != NULL);
}

/* ---- what is to be read ------------------------------------------------- */

/* Behind a notice. */
static const char *notice_end(void)
{
    return _("   Esc: read ");
}

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
           output_width(last) + 1 <= COLS - output_width(notice_end());
}

void notice_draw(const struct ui *ui)
{
    attr_t attr = ui_attr(ui, STYLE_BAD) | A_REVERSE;
    int y = ui->message[0] != '\0' ? LINES - 2 : LINES - 1;
    int width = COLS - output_width(notice_end()), count;
    const char *last = last_notice(ui, &count);
    char line[700];

    (void)snprintf(line, sizeof(line), " %.*s", (int)strcspn(last, "\n"),
                   last);
    ui_text(y, 0, width, attr, line, true);
    if (!notice_fits(ui) && count == 1)
        ui_text(y, width - 1, 1, attr, ui->unicode ? "…" : ">", false);
    if (count > 1)
        ui_print(y, width - 4, 4, attr, " +%d", count - 1);
    ui_text(y, width, COLS - width, attr | A_BOLD, notice_end(), true);
}

void notice_read(struct ui *ui)
{
    char *text = ui->unread;
    bool page = !notice_fits(ui);

    ui->unread = NULL; /* more may come while that is read */
    if (page)
        ui_page(ui, _("What the operator says"), text);
    free(text);
}
