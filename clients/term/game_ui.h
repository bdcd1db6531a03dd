/* game_ui.h -- what a game adds to the terminal client beyond its rules.
 *
 * Everything works for every game without one: moves are words, a state is
 * shown field by field.  A game_ui makes it pleasant.  Each member may be
 * NULL.  The state given is always a view of the seat at the keyboard. */

#ifndef TERM_GAME_UI_H
#define TERM_GAME_UI_H

#include "layout.h"
#include "table.h"

struct screen;

struct game_ui {
    const char *game;
    /* Whether an event of the log is better not told: one of very many. */
    bool (*quiet)(const struct table *table, const struct rules_event *event);
    /* Whether what a bot has just done asks something of a human who only may
     * move: on the full screen the bots wait for their answer then. */
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
bool game_ui_tells(const struct game_ui *game_ui, const struct table *table,
                   const struct rules_event *event, int seat);

/* The UI of a game, or one without anything. */
const struct game_ui *game_ui_find(const char *game);

/* Without one: the fields of VIEW, one in a line. */
void game_ui_fields(FILE *to, const struct table *table,
                    const struct rules_state *view);

#endif
