/* choices.h -- what one can do at a table, as one chooses it:
 *
 *     tool      what is taken: a card of the hand, a verb, the end of the turn
 *     place     where it is used: a cell of the board, if it needs one
 *     variant   which of the moves that are left: how a tile lies, whose chip
 *     move      what is played then
 *
 * A game says which tools there are: a table, from which come what a key takes,
 * what can be taken, where it can be used, what that would bring, why it cannot
 * be done, what stands on the screen for it and what a click there means, what
 * has to be asked for, and which key leads on to a move.  All of that is found
 * out here, from the moves of the seat at the keyboard. */

#ifndef TERM_CHOICES_H
#define TERM_CHOICES_H

#include "cells.h"
#include "core/sbuf.h"

#define CHOICES_TOOLS 200
#define NO_TOOL       (-1)

/* A row of the table of a game's tools: those that one verb makes. */
struct tool {
    int verb;
    /* What takes them: a key for each of COUNT, or one that goes through all. */
    const char *keys;
    /* As it is called within a sentence; %s is its first argument in words. */
    const char *name;
    int count; /* one for each of so many values of the first argument ... */
    int from;  /* ... of which this is the first; 0: one, whatever these are */
    int first, places; /* the arguments that are places, if any are */
    int fills;  /* so many from FIRST on stand out on the board, if that is
                        * more */
    bool card;  /* it is played; and there may be another like it */
    bool aside; /* its places are not marked, and it is not what Enter does */
    /* How it stands among those of the moment, choices_bar(); where the first of
     * KEYS is not what is shown, SHOWN is.  %d of TEXT is what it costs. */
    unsigned in;
    const char *shown, *text;
    const char *brief; /* in the last line while it can be used, or NULL */
};

/* Ends a table of them. */
#define TOOLS_END \
    { \
        .keys = NULL \
    }

struct choices_form {
    /* The tools, by number in this order; and what may be NULL of the rest. */
    const struct tool *tools;
    /* The value of the first argument of tool K of VERB, where it is not FROM +
     * K; RULES_HIDDEN: that one is not there now. */
    int (*value)(const struct ui *ui, int verb, int k);
    int (*cost)(const struct ui *ui, int verb);
    /* Those of the moment, bits as tool.in; NULL: there is no bar of them. */
    unsigned (*moments)(const struct ui *ui);
    const char *const *of_place; /* reasons that are about the place */
    /* Adds to what is said of the place under the cursor. */
    void (*more)(const struct ui *ui, struct sbuf *s);

    /* Where nothing is taken in hand: a key uses its tool at once, where the
     * cursor is, and what it leaves open is asked for. */
    bool at_once;
    /* Of which verb Enter tells why it cannot be done, or -1. */
    int (*refused)(const struct ui *ui);
    /* The reason that a verb is of another moment, or NULL: another verb of the
     * same key says more. */
    const char *of_moment;
    /* Fills in what MOVE, which cannot be played, would be about. */
    void (*guess)(const struct ui *ui, struct rules_move *move);
    /* Where argument ARG of MOVE names one of what stands there: writes these to
     * VALUES, at most CAP, also those of which no move is legal; how many, or -1:
     * it names nothing.  So it is asked which is meant, and none is taken just
     * because no other is legal. */
    int (*standing)(const struct ui *ui, const struct rules_move *move,
                    int arg, int *values, int cap);
    /* What is asked for argument ARG of MOVE, whose earlier ones are known; it
     * may lower *MAX.  What can be answered is told behind it, unless it is a
     * word. */
    void (*question)(const struct ui *ui, const struct rules_move *move,
                     int arg, int *max, char *buf, size_t cap);
    /* What is asked before VERB is done, or NULL: nothing. */
    const char *(*sure)(const struct ui *ui, int verb);

    /* Instead of a table of tools, for choices that are rows of a list: whether
     * MOVE is one of those of ROW; move I, or NULL behind the last. */
    bool (*has)(const struct ui *ui, int row, const struct rules_move *move);
    const struct rules_move *(*moves)(const struct ui *ui, size_t i);
};

struct choices {
    const struct choices_form *form;
    struct cells *board; /* where marks are set; NULL: there is none */
    /* read-only for games */
    int tools;
    int tool;                      /* taken, or NO_TOOL */
    size_t legal[CHOICES_TOOLS];   /* moves of each tool ... */
    size_t variant[CHOICES_TOOLS]; /* ... of which this one is up */
};

/* Another table; another position of it, for screens with a board: what is
 * marked, and where the cursor begins. */
void choices_begin(struct ui *ui);
void choices_position(struct ui *ui);
/* Another position, in which there are so many tools: counts their moves, and
 * puts away what is taken unless it is a card of which there is another. */
void choices_fresh(const struct ui *ui, struct choices *c, int tools);

/* ---- tools ---------------------------------------------------------------- */

/* The number of tool K of VERB; its row; the value of its first argument, or
 * RULES_NONE; the key that takes it. */
int choices_tool(const struct choices *c, int verb, int k);
const struct tool *choices_row(const struct choices *c, int tool);
int choices_value(const struct ui *ui, const struct choices *c, int tool);
char choices_key_of(const struct choices *c, int tool);
/* The moves of all tools of VERB, or of those in ROW. */
size_t choices_legal(const struct choices *c, int verb);
size_t choices_legal_row(const struct choices *c, const struct tool *row);
/* Whether MOVE is one of those of TOOL. */
bool choices_has(const struct ui *ui, const struct choices *c, int tool,
                 const struct rules_move *move);
/* What TOOL is called within a sentence. */
void choices_name(const struct ui *ui, const struct choices *c, int tool,
                  char *buf, size_t cap);

/* Takes TOOL, or puts away what is taken: marks where it can be used. */
void choices_take(const struct ui *ui, struct choices *c, int tool);
/* The same by a click: the cursor goes there; or says why not. */
void choices_pick(struct ui *ui, struct choices *c, int tool);
/* Picks the next one of FROM to before TO that can be used, and that KEY takes
 * (0: whatever does), after the one that is taken, or by -1 before it. */
void choices_next(struct ui *ui, struct choices *c, int from, int to, int by,
                  int key);

bool choices_needs_place(const struct choices *c, int tool);
/* Whether TOOL has a move at the cursor. */
bool choices_here(const struct ui *ui, const struct choices *c, int tool);
/* The move of TOOL, at the cursor if it needs a place, that is up; *RET_COUNT:
 * one of how many.  NULL: none. */
const struct rules_move *choices_move(const struct ui *ui,
                                      const struct choices *c, int tool,
                                      size_t *ret_count);
/* Another one of them. */
void choices_turn(const struct ui *ui, struct choices *c, int tool, int by);
/* Why TOOL, which is taken, cannot be used at the cursor. */
const char *choices_not_here(const struct ui *ui, const struct choices *c,
                             int tool);
/* The reason, as the rules write it, why TOOL cannot be used at the cursor, or
 * "ok". */
const char *choices_refusal(const struct ui *ui, const struct choices *c,
                            int tool);
/* Why TOOL cannot be taken, or be used at once. */
const char *choices_why_not(const struct ui *ui, const struct choices *c,
                            int tool);
/* Whether A and B are one move. */
bool move_same(const struct rules_move *a, const struct rules_move *b);

/* ---- on the screen ---------------------------------------------------------- */

/* TOOL, with its KEY ("": none) before TEXT: what is taken stands out, what
 * cannot be done is dim.  A click takes it.  Returns the columns it took. */
int choices_draw_tool(const struct ui *ui, const struct choices *c, int y,
                      int x, int tool, const char *key, const char *text);
/* What can be done in this moment, in lines of WIDTH columns from Y on, each
 * with its key; returns how many lines.  If Y is negative it only counts. */
int choices_bar(const struct ui *ui, const struct choices *c, int y,
                int width);
/* What lies under the cursor, and what Enter would do and bring or why not; or
 * else what can be done there.  In one line, or in two. */
void choices_info(const struct ui *ui, const struct choices *c, int y,
                  int width, int lines);
/* Adds what can be used and has a word in the last line. */
void choices_brief(const struct ui *ui, const struct choices *c, char *line,
                   size_t cap);
/* The board, on which the places of the move that is up stand out. */
void choices_draw_board(const struct ui *ui, const struct choices *c,
                        const struct cells_window *w);

/* ---- what keys and clicks do ------------------------------------------------ */

/* Takes what KEY takes, or uses it at once: for tables of keys. */
void choices_key(struct ui *ui, int key);
/* screen.toward and screen.go of all that have tools. */
bool choices_toward(const struct ui *ui, const struct rules_move *move,
                    char *buf, size_t cap);
bool choices_go(struct ui *ui, int at);
/* What all of them have besides; they act on ui->screen->choices. */
extern const struct ui_key choices_keys[], choices_once_keys[];

/* For choices.c: what is open of a tool that is used at once (choices_once.c).
 * Uses TOOL; says which keys do, for MOVE. */
void once_use(struct ui *ui, struct choices *c, int tool);
void once_toward(const struct ui *ui, const struct choices *c, int tool,
                 const struct rules_move *move, char *buf, size_t cap);
/* Whether TOOL can be used at once at the cursor. */
bool once_can(const struct ui *ui, const struct choices *c, int tool);

#endif
