/* face.h -- what a game adds to the terminal client beyond its rules.
 *
 * Everything works for every game without one: moves are words, a state is
 * shown field by field.  A face makes it pleasant.  Each member may be NULL.
 * The state given is always a view of the seat at the keyboard. */

#ifndef TERM_FACE_H
#define TERM_FACE_H

#include "layout.h"
#include "table.h"

struct screen;

struct face {
    const char *game;
    const struct phrase_of *phrases; /* events as sentences */
    /* Whether an event of the log is better not told: one of very many. */
    bool (*quiet)(const struct table *table, const struct rules_event *event);
    /* Whether what a bot has just done asks something of a human who only may
     * move: on the full screen the bots wait for his answer then. */
    bool (*asks)(const struct table *table);

    /* In lines, for reading aloud: the board; a seat's hand and what it can
     * be bought for; and one line about where the game stands. */
    void (*board)(FILE *to, const struct table *table,
                  const struct rules_state *view);
    void (*hand)(FILE *to, const struct table *table,
                 const struct rules_state *view);
    void (*situation)(FILE *to, const struct table *table,
                      const struct rules_state *view);

    /* A full screen; see screen.h. */
    const struct screen *screen;
};

/* Whether SEAT is to be told of EVENT, one of those in the log of TABLE. */
bool face_tells(const struct face *face, const struct table *table,
                const struct rules_event *event, int seat);

/* The face of a game, or one without anything. */
const struct face *face_find(const char *game);

/* Without a face: the fields of VIEW, one in a line. */
void face_fields(FILE *to, const struct table *table,
                 const struct rules_state *view);

#endif
