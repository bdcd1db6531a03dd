/* plain.h -- a table in lines: what happens is told in sentences, the rest is
 * said when asked for.  For pipes, for screen readers, for people who like it.
 * Pure stdio, no colour, nothing that moves the cursor.
 *
 * Here is what all tables in lines have in common; offline_plain.c and
 * online_plain.c are the loops. */

#ifndef TERM_PLAIN_H
#define TERM_PLAIN_H

#include "play.h"

#define PLAIN_LINE_MAX 4096

struct plain {
    struct table *table;
    const struct game_ui *game_ui;
    int seat;      /* at the keyboard; RULES_WATCHER: nobody */
    bool terminal; /* somebody types */
    bool quit;
    const char *words; /* for `help`: what else can be said here, in lines */
    /* private */
    union rules_any view;
    /* A sentence waits to be printed, in case it comes again. */
    char sentence[512];
    int times;
};

/* Tells events, as far as the seat at the keyboard may know them. */
void plain_events(struct plain *p, const struct rules_event *events,
                  size_t count);
/* Prints what waits to be printed. */
void plain_flush(struct plain *p);
/* The table as the seat at the keyboard sees it. */
const struct rules_state *plain_view(struct plain *p);

/* The first word of LINE; *REST is what follows. */
size_t plain_word(const char *line, const char **rest);
/* Answers LINE if it only asks for something: help, legal, try, board, hand,
 * state, score, log, quit.  Whether it did. */
bool plain_answer(struct plain *p, const char *line);
/* Strips LINE of spaces around it. */
void plain_strip(char *line);

#endif
