#include "cells.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"

/* ---- where cells are ------------------------------------------------------ */

static int cell_count(const struct ui *ui, const struct cells *c)
{
    const struct cells_form *f = c->form;
    return f->across > 0 ? f->across * f->down : f->cells(ui);
}

static void place_of(const struct ui *ui, const struct cells *c, int cell,
                     int *row, int *half)
{
    const struct cells_form *f = c->form;

    if (f->across == 0) {
        f->place(ui, cell, row, half);
        return;
    }
    *row = cell / f->across;
    *half = cell % f->across * 2;
}

static int cell_in(const struct ui *ui, const struct cells *c, int row,
                   int half)
{
    const struct cells_form *f = c->form;

    if (f->across == 0)
        return f->at(ui, row, half);
    return row < 0 || row >= f->down || half < 0 || half >= 2 * f->across ||
                   half % 2 != 0
               ? -1
               : row * f->across + half / 2;
}

static void size_of(const struct ui *ui, const struct cells *c, int *rows,
                    int *halves)
{
    const struct cells_form *f = c->form;

    if (f->across == 0) {
        f->size(ui, rows, halves);
        return;
    }
    *rows = f->down;
    *halves = 2 * f->across - 1;
}

/* ---- the cursor ----------------------------------------------------------- */

void cells_start(struct cells *c)
{
    c->placed = c->begun = false;
    c->top = c->left = 0;
    memset(c->marked, 0, sizeof(c->marked));
}

static void put(const struct ui *ui, struct cells *c, int cell)
{
    int row;

    c->cursor = cell;
    place_of(ui, c, cell, &row, &c->goal);
}

void cells_go(struct ui *ui, struct cells *c, int cell)
{
    put(ui, c, cell);
    if (c->moved != NULL)
        c->moved(ui);
}

void cells_go_near(const struct ui *ui, struct cells *c, const uint8_t *wanted)
{
    int row, half, from_row, from_half, best = INT_MAX, found = -1;

    place_of(ui, c, c->cursor, &from_row, &from_half);
    for (int cell = 0; cell < cell_count(ui, c); cell++) {
        place_of(ui, c, cell, &row, &half);
        int way = abs(half - from_half) + 2 * abs(row - from_row);
        if (!wanted[cell] || way >= best)
            continue;
        best = way;
        found = cell;
    }
    if (found >= 0)
        put(ui, c, found);
}

void cells_fresh(const struct ui *ui, struct cells *c, const uint8_t *wanted)
{
    int rows, halves, cell = -1;

    if (!c->placed) {
        size_of(ui, c, &rows, &halves);
        for (int half = halves / 2; cell < 0 && half < halves; half++)
            cell = cell_in(ui, c, rows / 2, half);
        put(ui, c, cell >= 0 ? cell : 0);
        c->placed = true;
    }
    if (!c->begun && wanted != NULL) {
        cells_go_near(ui, c, wanted);
        c->begun = true;
    }
}

bool cells_go_next(struct ui *ui, struct cells *c, int by)
{
    int cells = cell_count(ui, c);

    for (int i = 1; i <= cells; i++) {
        int cell = ((c->cursor + by * i) % cells + cells) % cells;
        if (c->marked[cell]) {
            cells_go(ui, c, cell);
            return true;
        }
    }
    return false;
}

const char *cells_toward(const struct ui *ui, const struct cells *c, int cell)
{
    int cells = cell_count(ui, c), marked[2] = {0, 0};

    for (int way = 0; way < 2; way++)
        for (int at = c->cursor; at != cell; marked[way] += c->marked[at])
            at = (at + cells + (way == 0 ? 1 : -1)) % cells;
    return marked[0] <= marked[1] ? "n" : "p";
}

/* Up or down: straight on, or else to the side of the goal. */
static int above_or_below(const struct ui *ui, const struct cells *c, int by)
{
    int row, half;

    place_of(ui, c, c->cursor, &row, &half);
    int cell = cell_in(ui, c, row + by, half);
    int side = c->goal < half   ? -1
               : c->goal > half ? 1
                                : ((row & 1) != 0 ? 1 : -1);
    if (cell < 0)
        cell = cell_in(ui, c, row + by, half + side);
    return cell >= 0 ? cell : cell_in(ui, c, row + by, half - side);
}

static void step(struct ui *ui, int direction)
{
    struct cells *c = ui->screen->cells;
    int row, half, cell, goal = c->goal;

    place_of(ui, c, c->cursor, &row, &half);
    if (direction == KEY_LEFT || direction == KEY_RIGHT)
        cell = cell_in(ui, c, row, half + (direction == KEY_LEFT ? -2 : 2));
    else
        cell = above_or_below(ui, c, direction == KEY_UP ? -1 : 1);
    if (cell < 0)
        return;
    cells_go(ui, c, cell);
    if (direction == KEY_UP || direction == KEY_DOWN)
        c->goal = goal;
}

/* As far as it goes. */
static void to_edge(struct ui *ui, int direction)
{
    int before;

    do {
        before = ui->screen->cells->cursor;
        step(ui, direction);
    } while (ui->screen->cells->cursor != before);
}

static void zoom(struct ui *ui, int unused)
{
    struct cells *c = ui->screen->cells;

    (void)unused;
    c->zoom = c->zoom == 1 ? 2 : c->zoom == 2 ? 0 : 1;
}

static void next(struct ui *ui, int by)
{
    struct cells *c = ui->screen->cells;

    if (!cells_go_next(ui, c, by))
        ui_say(ui, false, "%s",
               c->none != NULL ? c->none(ui)
                               : _("There is no place to do anything with "
                                   "now."));
}

static bool any_marked(const struct ui *ui)
{
    const struct cells *c = ui->screen->cells;

    return memchr(c->marked, 1, sizeof(c->marked)) != NULL;
}

const struct ui_key cells_keys[] = {
    {N_("arrows, h j k l"), "h", KEY_LEFT, step, KEY_LEFT, NULL,
     N_("the next place; Home End PgUp PgDn: the edge"), NULL},
    {NULL, "l", KEY_RIGHT, step, KEY_RIGHT, NULL, NULL, NULL},
    {NULL, "k", KEY_UP, step, KEY_UP, NULL, NULL, NULL},
    {NULL, "j", KEY_DOWN, step, KEY_DOWN, NULL, NULL, NULL},
    {NULL, NULL, KEY_HOME, to_edge, KEY_LEFT, NULL, NULL, NULL},
    {NULL, NULL, KEY_END, to_edge, KEY_RIGHT, NULL, NULL, NULL},
    {NULL, NULL, KEY_PPAGE, to_edge, KEY_UP, NULL, NULL, NULL},
    {NULL, NULL, KEY_NPAGE, to_edge, KEY_DOWN, NULL, NULL, NULL},
    {"n", "n", 0, next, 1, any_marked,
     N_("the next place where it can be, or where something can be done: those "
        "in (brackets); p: the one before"),
     N_("next place")},
    {NULL, "p", 0, next, -1, NULL, NULL, NULL},
    {"z", "z", 0, zoom, 0, NULL, N_("the board small, large, or as it fits"),
     NULL},
    KEYS_END,
};

/* ---- drawing -------------------------------------------------------------- */

/* Whether it is to be in lines of two, with so much room. */
static bool is_large(const struct ui *ui, const struct cells *c, int height,
                     int width, int panel)
{
    int rows, halves;

    size_of(ui, c, &rows, &halves);
    int whole = 3 * (halves + 1) + 1;
    bool fits = height >= 2 * rows && width >= whole + (panel > 0) + panel;
    return c->zoom == 2 || (c->zoom == 0 && fits);
}

struct ui_pane cells_pane(const struct ui *ui, const struct cells *c,
                          int least, int more, int width, int panel)
{
    int rows, halves;

    size_of(ui, c, &rows, &halves);
    int all = more + (is_large(ui, c, INT_MAX, width, panel) ? 2 : 1) * rows;
    least = least < rows ? least : rows;
    return (struct ui_pane){
        .wants = {more + least, more + rows, more + rows, all},
        .must = true,
        .whole = c->zoom == 0,
    };
}

void cells_fit(const struct ui *ui, const struct cells *c, int height,
               int width, int panel, struct cells_window *w)
{
    int rows, halves;

    size_of(ui, c, &rows, &halves);
    bool large = is_large(ui, c, height, width, panel);
    w->unit = large ? 3 : 2;
    w->lines = large ? 2 : 1;
    w->width = w->unit * (halves + 1) + 1;
    if (w->width > width)
        w->width = width;
    w->height = height < w->lines * rows ? height : w->lines * rows;
    w->height -= w->height % w->lines;
}

/* Where the left edge of CELL is on the screen; false if it is not there. */
static bool cell_at(const struct ui *ui, const struct cells *c,
                    const struct cells_window *w, int cell, int *y, int *x)
{
    int row, half;

    place_of(ui, c, cell, &row, &half);
    *y = w->y + (row - c->top) * w->lines;
    *x = w->x + (half - c->left) * w->unit;
    return row >= c->top && *y + w->lines <= w->y + w->height &&
           half >= c->left && *x + 2 * w->unit < w->x + w->width + 1;
}

/* Keeps the cursor in sight. */
static void scroll_to(const struct ui *ui, struct cells *c,
                      const struct cells_window *w)
{
    int rows, halves, row, half;

    size_of(ui, c, &rows, &halves);
    place_of(ui, c, c->cursor, &row, &half);
    c->top = ui_scrolled(c->top, row, 1, w->height / w->lines, rows);
    c->left = ui_scrolled(c->left, half, 2, w->width / w->unit - 1, halves);
}

static void draw_cell(const struct ui *ui, const struct cells *c,
                      const struct cells_window *w, int cell)
{
    char text[16], below[24] = "";
    int y, x;

    if (!cell_at(ui, c, w, cell, &y, &x))
        return;
    ui_place(y, x, w->lines, 2 * w->unit, cell);
    c->form->text(ui, cell, text, below);
    attr_t attr = c->form->attr(ui, cell);
    if (w->lines == 1) {
        ui_text(y, x, 1, attr, " ", false);
        ui_text(y, x + 1, 3, attr, text, true);
        return;
    }
    ui_text(y, x, 2 * w->unit, attr, "", true);
    ui_text(y, x + 2, 3, attr, text, true);
    ui_text(y + 1, x, 2 * w->unit, attr, "", true);
    ui_text(y + 1, x + 2, 2 * w->unit - 2, ui->colour ? attr & ~A_BOLD : A_DIM,
            below, false);
}

static attr_t mark_attr(const struct ui *ui, const struct cells *c, int cell)
{
    return c->form->mark_attr != NULL ? c->form->mark_attr(ui, cell) : A_BOLD;
}

/* Puts marks to the left and to the right of what stands on CELL.  Right of it
 * another begins where they are small, whose ground shows through. */
static void draw_marks(const struct ui *ui, const struct cells *c,
                       const struct cells_window *w, int cell,
                       const char *left, const char *right, attr_t extra)
{
    int y, x, row, half;
    bool small = w->lines == 1;

    if (!cell_at(ui, c, w, cell, &y, &x))
        return;
    attr_t attr = mark_attr(ui, c, cell) | extra;
    ui_text(y, x + (small ? 0 : 1), 1, attr, left, false);
    if (right == NULL)
        return;
    place_of(ui, c, cell, &row, &half);
    int next = small ? cell_in(ui, c, row, half + 2) : -1;
    if (next >= 0)
        attr = mark_attr(ui, c, next) | extra;
    else if (small)
        attr = A_BOLD | extra;
    ui_text(y, x + (small ? 4 : 5), 1, attr, right, false);
}

/* (Brackets) around all that are marked; one stroke between two. */
static void draw_marked(const struct ui *ui, const struct cells *c,
                        const struct cells_window *w)
{
    int row, half, cells = cell_count(ui, c);

    for (int cell = 0; cell < cells; cell++)
        if (c->marked[cell])
            draw_marks(ui, c, w, cell, "(", ")", A_NORMAL);
    for (int cell = 0; cell < cells && w->lines == 1; cell++) {
        place_of(ui, c, cell, &row, &half);
        int before = cell_in(ui, c, row, half - 2);
        if (c->marked[cell] && before >= 0 && c->marked[before])
            draw_marks(ui, c, w, cell, "|", NULL, A_NORMAL);
    }
}

/* Turns all that stands on CELL over. */
static void draw_filled(const struct ui *ui, const struct cells *c,
                        const struct cells_window *w, int cell)
{
    int y, x;

    if (!cell_at(ui, c, w, cell, &y, &x))
        return;
    for (int line = 0; line < w->lines; line++)
        (void)mvchgat(y + line, x + (w->lines == 1),
                      w->lines == 1 ? 3 : 2 * w->unit, A_REVERSE | A_BOLD, 0,
                      NULL);
}

static void row_name(const struct ui *ui, const struct cells *c, int row,
                     char buf[8])
{
    if (c->form->across > 0)
        (void)snprintf(buf, 8, "%2d", (row + 1) % 100);
    else
        c->form->row_name(ui, row, buf);
}

static void draw_names(const struct ui *ui, const struct cells *c,
                       const struct cells_window *w)
{
    int rows, halves;
    char name[8];

    size_of(ui, c, &rows, &halves);
    for (int row = c->top; row < rows; row++) {
        int y = w->y + (row - c->top) * w->lines;
        if (y + w->lines > w->y + w->height)
            break;
        row_name(ui, c, row, name);
        ui_text(y, 0, w->x, ui_attr(ui, STYLE_DIM), name, false);
    }
    for (int half = c->left; c->form->across > 0 && half < halves; half += 2) {
        int x = w->x + (half - c->left) * w->unit;
        ui_print(w->y - 1, x + (w->lines == 1 ? 2 : 3), 2,
                 ui_attr(ui, STYLE_DIM), "%c", 'a' + half / 2);
    }
}

void cells_draw(const struct ui *ui, struct cells *c,
                const struct cells_window *w, const int *filled)
{
    scroll_to(ui, c, w);
    for (int cell = 0; cell < cell_count(ui, c); cell++)
        draw_cell(ui, c, w, cell);
    draw_names(ui, c, w);
    draw_marked(ui, c, w);
    for (; filled != NULL && *filled >= 0; filled++)
        draw_filled(ui, c, w, *filled);
    draw_marks(ui, c, w, c->cursor, "[", "]", A_REVERSE);
}
