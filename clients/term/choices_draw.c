/* choices_draw.c -- what can be done, on the screen and in sentences. */

#include <string.h>

#include "choices.h"
#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "layout.h"
#include "protocol/sbuf_printf.h"

/* ---- tools ------------------------------------------------------------------ */

int choices_draw_tool(const struct ui *ui, const struct choices *c, int y,
                      int x, int tool, const char *key, const char *text)
{
    int room = ui->columns - x, n = 0;
    bool here = tool == c->tool, can = c->legal[tool] > 0;

    if (room <= 0)
        return 0;
    attr_t attr = here  ? ui_attr(ui, STYLE_CHOSEN)
                  : can ? A_NORMAL
                        : ui_attr(ui, STYLE_DIM);
    if (key[0] != '\0') {
        n += ui_text(y, x, room, here || !can ? attr : ui_attr(ui, STYLE_KEY),
                     key, false);
        n += ui_text(y, x + n, room - n, attr, " ", false);
    }
    n += ui_text(y, x + n, room - n, attr, text, false);
    ui_place(y, x, 1, n, CELLS_MAX + tool);
    return n;
}

/* How ROW stands in the bar; returns its columns. */
static int say_row(const struct ui *ui, const struct choices *c,
                   const struct tool *row, char *buf, size_t cap)
{
    char key[16] = {row->keys[0], '\0'};
    struct sbuf s = sbuf_in(buf, cap);

    sbuf_puts(&s, row->shown != NULL ? _(row->shown) : key);
    sbuf_puts(&s, " ");
    sbuf_printf(&s, _(row->text),
                c->form->cost != NULL ? c->form->cost(ui, row->verb) : 0);
    return output_width(buf);
}

static void draw_row(const struct ui *ui, const struct choices *c,
                     const struct tool *row, int y, int x, int width,
                     const char *text)
{
    bool can = choices_legal_row(c, row) > 0;
    size_t key = row->shown != NULL ? strlen(_(row->shown)) : 1;
    int n = ui_print(y, x, width, ui_attr(ui, can ? STYLE_KEY : STYLE_DIM),
                     "%.*s", (int)key, text);

    n += ui_text(y, x + n, width - n, can ? A_NORMAL : ui_attr(ui, STYLE_DIM),
                 text + key, false);
    if (row->places > 0 && row->shown != NULL)
        ui_button(y, x, 1, n, KEY_RETURN);
    else if (row->shown == NULL)
        ui_button(y, x, 1, n, row->keys[0]);
}

int choices_bar(const struct ui *ui, const struct choices *c, int y, int width)
{
    unsigned now = c->form->moments(ui);
    int x = 1, line = 0;
    char text[100];

    for (const struct tool *row = c->form->tools; row->keys != NULL; row++) {
        if (!(row->in & now))
            continue;
        int n = say_row(ui, c, row, text, sizeof(text));
        if (x > 1 && x + n > width - 1) {
            line++;
            x = 1;
        }
        if (y >= 0)
            draw_row(ui, c, row, y + line, x, width - x, text);
        x += n + 3;
    }
    return x > 1 || line > 0 ? line + 1 : 0;
}

void choices_brief(const struct ui *ui, const struct choices *c, char *line,
                   size_t cap)
{
    size_t len = strlen(line);
    struct sbuf s = sbuf_in(line + len, cap - len);

    for (const struct tool *row = c->form->tools; row->keys != NULL; row++)
        if (row->brief != NULL && choices_legal_row(c, row) > 0 &&
            (c->form->moments == NULL || row->in & c->form->moments(ui)))
            sbuf_printf(&s, "   %c %s", row->keys[0], _(row->brief));
}

/* ---- the place under the cursor ------------------------------------------------ */

/* "Enter: play forest: +2 points", or why not: what is taken. */
static void say_taken(const struct ui *ui, const struct choices *c,
                      struct sbuf *s)
{
    const struct tool *row = choices_row(c, c->tool);
    char name[80], preview[120];
    size_t count;
    const struct rules_move *move = choices_move(ui, c, c->tool, &count);

    choices_name(ui, c, c->tool, name, sizeof(name));
    if (move == NULL) {
        /* Of a thing with several places a reason says little. */
        sbuf_printf(s, _("%s: not here. %s"), name,
                    row->places == 1 ? choices_not_here(ui, c, c->tool) : "");
        return;
    }
    ui_say_preview(ui, move, preview, sizeof(preview));
    sbuf_printf(s, row->card ? _("Enter: play %s") : _("Enter: %s"), name);
    sbuf_puts(s, preview);
    if (count > 1 && row->places > 0)
        sbuf_printf(s, "  r: %zu/%zu", c->variant[c->tool] % count + 1, count);
}

/* "Possible: forest, pampas": what could be taken. */
static void say_possible(const struct ui *ui, const struct choices *c,
                         struct sbuf *s)
{
    char name[80];

    for (int tool = 0; tool < c->tools; tool++) {
        if (!choices_here(ui, c, tool))
            continue;
        choices_name(ui, c, tool, name, sizeof(name));
        sbuf_printf(s, "%s%s", s->len > 0 ? ", " : _("Possible: "), name);
    }
}

/* "Enter: seed: -4 money.  a: ...": what a key does at once. */
static void say_at_once(const struct ui *ui, const struct choices *c,
                        struct sbuf *s)
{
    char name[80], preview[160];

    for (int tool = 0; tool < c->tools; tool++) {
        const struct tool *row = choices_row(c, tool);
        if (row->places != 1 || row->aside || !choices_here(ui, c, tool))
            continue;
        struct rules_move move = RULES_MOVE(row->verb, RULES_NONE, RULES_NONE,
                                            RULES_NONE);
        move.arg[row->first] = (int16_t)c->board->cursor;
        ui_say_preview(ui, &move, preview, sizeof(preview));
        choices_name(ui, c, tool, name, sizeof(name));
        if (s->len == 0)
            sbuf_printf(s, _("Enter: %s%s."), name, preview);
        else
            sbuf_printf(s, "  %c: %s%s.", choices_key_of(c, tool), name,
                        preview);
    }
}

void choices_info(const struct ui *ui, const struct choices *c, int y,
                  int width, int lines)
{
    char name[16], words[200], text[500] = "";
    struct sbuf s = sbuf_in(text, sizeof(text));
    bool taken = c->tool != NO_TOOL;
    int n = 0;

    if (!taken || choices_needs_place(c, c->tool)) {
        c->board->form->say(ui, c->board->cursor, name, words, sizeof(words));
        n = ui_print(y, 1, width - 1, ui_attr(ui, STYLE_BOLD), "%s", name);
        n += ui_print(y, 1 + n, width - 1 - n, A_NORMAL, " %s.  ", words);
    }
    if (rules_over(&ui->view.state))
        return;
    if (taken)
        say_taken(ui, c, &s);
    else if (c->form->at_once)
        say_at_once(ui, c, &s);
    else
        say_possible(ui, c, &s);
    bool does = taken || (c->form->at_once && s.len > 0);
    if (c->form->more != NULL)
        c->form->more(ui, &s);
    if (text[0] >= 'a' && text[0] <= 'z' && taken)
        text[0] = (char)(text[0] - 'a' + 'A');
    n = lines > 1 ? 0 : n;
    ui_text(y + lines - 1, 1 + n, width - 1 - n,
            does ? ui_attr(ui, STYLE_GOOD) : A_NORMAL, text, false);
}

void choices_draw_board(const struct ui *ui, const struct choices *c,
                        const struct cells_window *w)
{
    int filled[RULES_ARGS_MAX + 1], n = 0;
    size_t count;
    const struct rules_move *move = choices_move(ui, c, c->tool, &count);

    if (move != NULL) {
        const struct tool *row = choices_row(c, c->tool);
        int fills = row->fills > row->places ? row->fills : row->places;
        for (int i = 0; i < fills; i++)
            if (move->arg[row->first + i] >= 0)
                filled[n++] = move->arg[row->first + i];
    }
    filled[n] = -1;
    cells_draw(ui, c->board, w, filled);
}
