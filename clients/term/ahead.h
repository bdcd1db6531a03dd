/* ahead.h -- looking ahead: from a position that one may see, moves are tried for
 * all seats, as a tree with comments.  Nothing of it gets to any table.
 *
 * What is hidden is guessed, once for a tree; from there on there is a whole
 * world.  Chance moves when it is its turn, as a move of the tree like others,
 * and its answer can be drawn again.  As text a tree is what table.study keeps:
 * protocol/README.md, Studies. */

#ifndef TERM_AHEAD_H
#define TERM_AHEAD_H

#include <stdio.h>

#include "core/mind.h"
#include "display.h"
#include "game_ui.h"
#include "table.h"

#define AHEAD_NODES_MAX 4000
#define AHEAD_NOTE_MAX  2000  /* bytes of a comment */
#define AHEAD_TEXT_MAX  16000 /* bytes that a server keeps */
#define AHEAD_CHANCES   200   /* of what chance might do, to be chosen from */

/* A move that was tried; node 0 is the position itself. */
struct ahead_node {
    int parent; /* -1: of none; -2: it was dropped */
    int seat;   /* or RULES_NATURE */
    struct rules_move move;
    char *note; /* or NULL */
    void *state;
    struct rules_event *events;
    size_t event_count;
};

/* What one looks ahead from. */
struct ahead_from {
    const struct table *table; /* its names, and how it stands */
    int viewer;                /* who sees it so: RULES_ALL of a game that is
                                * over, a seat, or RULES_WATCHER */
    uint64_t ply;              /* of the table */
    bool machine;              /* whether the machine may be asked */
    const char *study;         /* what was tried before, or NULL */
};

struct ahead {
    /* read-only */
    struct table table; /* as it is where one is */
    struct ahead_node *nodes;
    size_t count;
    int at;       /* the node where one is */
    bool hidden;  /* something had to be guessed */
    bool machine; /* may be asked */
    bool changed; /* since it was opened */
    /* public */
    int seat; /* whom one plays for, if they can move; -1: who is waited for */
    /* private */
    size_t cap;
    int viewer;
    uint64_t ply;
    uint32_t guess;
    union rules_any from;
    char *others; /* studies of other positions */
    struct mind_room *room;
};

void ahead_open(struct ahead *a, const struct ahead_from *from);
void ahead_close(struct ahead *a);
/* All of the study as text, "" if nothing was tried or said; the caller's to
 * free. */
char *ahead_text(const struct ahead *a);

/* Who moves where one is: the seat that was chosen or is waited for; -1 if the
 * game is over there. */
int ahead_seat(const struct ahead *a);
/* Tries a move of that seat, with chance's answer; RULES_OK, or why not, or
 * RULES_BAD_ARGUMENT if there is no more room. */
int ahead_play(struct ahead *a, const struct rules_move *move);

/* Each says whether it could. */
bool ahead_go(struct ahead *a, int node);
bool ahead_back(struct ahead *a);  /* to before the last move of a seat */
bool ahead_on(struct ahead *a);    /* along the main line */
bool ahead_other(struct ahead *a); /* to the next move tried instead */
bool ahead_drop(struct ahead *a);  /* where one is, and all that follows */
bool ahead_redraw(struct ahead *a);
/* Lets chance answer the last move with number N, from 1, of what it might. */
bool ahead_choose(struct ahead *a, size_t n);
/* Guesses anew; what cannot be played then is dropped. */
void ahead_reguess(struct ahead *a);
/* TEXT, cut at AHEAD_NOTE_MAX, stands with where one is; "": nothing does. */
void ahead_note(struct ahead *a, const char *text);
/* What the machine would play there for the seat that moves. */
bool ahead_think(struct ahead *a, struct rules_move *ret_move);

/* What chance might have answered the last move with, in numbered lines, what it
 * did marked by `>`.  How many: 0 where it had no say, or too much to be told. */
size_t ahead_chances(FILE *to, const struct ahead *a);
/* The tree in lines, where one is marked by `>`. */
void ahead_tree(FILE *to, const struct ahead *a);
/* That it is none of the table, and what is guessed: a sentence or two. */
const char *ahead_says(const struct ahead *a);

/* Until somebody leaves it: in lines; on the full screen, if there is one. */
void ahead_plain(struct ahead *a);
void ahead_screen(struct ahead *a, struct display_look look);

#endif
