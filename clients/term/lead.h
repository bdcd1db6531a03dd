/* lead.h -- leading somebody through a first game (core/guide.h): what they are
 * told, on the full screen and in lines. */

#ifndef TERM_LEAD_H
#define TERM_LEAD_H

#include <stdio.h>

#include "core/guide.h"
#include "offline.h"

#define LEAD_TEXT 1000

struct lead {
    struct guide guide;
    uint32_t told; /* the steps that were */
    /* read-only: what is next, if there is anything */
    bool waits;
    struct guide_hint hint;
    struct mind_room room;
    int lines; /* for the full screen: what it takes of it */
};

/* Begins with the game of R; nothing was told. */
void lead_begin(struct lead *l, const struct rules *r);
/* Finds out what is next for the viewer of VIEW. */
void lead_find(struct lead *l, const struct rules_state *view);
/* That was told, and read. */
void lead_told(struct lead *l);
/* The same of the step called NAME, of LEN bytes, if there is one. */
void lead_told_of(struct lead *l, const char *name, size_t len);

/* What to do next, and why, and MORE.  Into BUF, of LEAD_TEXT bytes. */
void lead_say(const struct lead *l, const struct table *table,
              const struct rules_state *view, const char *more, char *buf);

/* The same in lines, for who types: all that is only looked at, then the move. */
void lead_print(struct lead *l, const struct table *table,
                const struct rules_state *view, FILE *to);

#endif
