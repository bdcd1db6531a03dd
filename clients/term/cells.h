/* cells.h -- a board on the full screen: squares or hexes, a cursor that keys and
 * mouse move, marks, what of it is seen.
 *
 * A game says where its cells are and paints them.  Places are counted in rows
 * and, across, in halves of a cell, so that the rows of a board of hexes are
 * out of step by one.  A cell takes four columns and a line, or six and two
 * where there is room; what is written on it stands one column from its left
 * edge, or two, so that marks go around it. */

#ifndef TERM_CELLS_H
#define TERM_CELLS_H

#include "keys.h"
#include "screen.h"

#define CELLS_MAX 1000

struct cells_form {
    /* Of squares "a1", "b1" ... row by row: how many across, and how many rows;
     * the next four are not asked then, nor the names.  0: of anything else. */
    int across, down;
    int (*cells)(const struct ui *ui);
    /* Where a cell is; which one is there, or -1; how far all go. */
    void (*place)(const struct ui *ui, int cell, int *row, int *half);
    int (*at)(const struct ui *ui, int row, int half);
    void (*size)(const struct ui *ui, int *rows, int *halves);
    /* Three columns of text for a cell, and what stands below it where it is
     * large ("" for nothing); how they look, and marks beside them. */
    void (*text)(const struct ui *ui, int cell, char text[16], char below[24]);
    attr_t (*attr)(const struct ui *ui, int cell);
    attr_t (*mark_attr)(const struct ui *ui, int cell); /* NULL: bold */
    /* Its name, and what lies there: for the line about the cursor. */
    void (*say)(const struct ui *ui, int cell, char name[16], char *words,
                size_t cap);
    void (*row_name)(const struct ui *ui, int row, char buf[8]);
};

struct cells {
    const struct cells_form *form;
    /* read-only for games */
    int cursor;
    /* Set by the game: where what is in hand can be used. */
    uint8_t marked[CELLS_MAX];
    /* Called when the cursor has moved; what to say where nothing is marked.
     * Each may be NULL. */
    void (*moved)(struct ui *ui);
    const char *(*none)(const struct ui *ui);
    /* private */
    int goal;      /* the half it would like to be in, moving up and down */
    int zoom;      /* 0: as fits, 1: small, 2: large */
    int top, left; /* what is seen: the first row, the first half */
    bool placed;   /* the cursor was put somewhere ... */
    bool begun;    /* ... where one can move */
};

/* Where it is on the screen. */
struct cells_window {
    int y, x, height, width; /* without the names of rows and columns */
    int unit;                /* columns of half a cell: 2 or 3 */
    int lines;               /* of a cell: 1 or 2 */
};

/* Begins with another table. */
void cells_start(struct cells *c);
/* There is another position: the cursor begins in the middle or, as soon as one
 * can move, on the nearest cell that is WANTED (one byte for each; NULL: none
 * are). */
void cells_fresh(const struct ui *ui, struct cells *c, const uint8_t *wanted);

/* Puts the cursor on CELL; on the nearest of those WANTED, if there is one. */
void cells_go(struct ui *ui, struct cells *c, int cell);
void cells_go_near(const struct ui *ui, struct cells *c,
                   const uint8_t *wanted);
/* To the next marked cell, or by -1 to the one before; false if there is
 * none. */
bool cells_go_next(struct ui *ui, struct cells *c, int by);

/* "n" or "p": which of them comes sooner to CELL, which is marked. */
const char *cells_toward(const struct ui *ui, const struct cells *c, int cell);

/* The lines that a pane with the board likes to have: LEAST, with which one can
 * play, then all its rows, in WIDTH columns beside a panel of at least PANEL as
 * lines of two if they fit; MORE lines besides. */
struct ui_pane cells_pane(const struct ui *ui, const struct cells *c,
                          int least, int more, int width, int panel);
/* How large it is to be in so much room, beside a panel of at least PANEL
 * columns if it is large. */
void cells_fit(const struct ui *ui, const struct cells *c, int height,
               int width, int panel, struct cells_window *w);
/* Draws the cells with the names of rows and columns, marks, and the cursor on
 * top; FILLED cells, an array that ends with -1 or NULL, stand out. */
void cells_draw(const struct ui *ui, struct cells *c,
                const struct cells_window *w, const int *filled);

/* What the keys of all boards do; they act on ui->screen->cells. */
extern const struct ui_key cells_keys[];

#endif
