/* table.h -- a table as the one before it sees it: which game, who plays, where
 * it stands, what has happened.
 *
 * Screens, game UIs and lines show this and nothing else; whence it comes is
 * not theirs to know: from a log kept here (offline.h), from a server
 * (online.h), or from a record (replay.h). */

#ifndef TERM_TABLE_H
#define TERM_TABLE_H

#include "core/rules.h"

/* Events of the table itself stand in its log beside the game's, under kinds
 * from here on. */
enum table_event {
    EVENT_JOINED = 224,
    EVENT_LEFT,
    EVENT_NONCE,
    EVENT_STARTED,
    EVENT_UNDONE,
    EVENT_RESIGNED,
    EVENT_ABANDONED,
    EVENT_RENAMED,
    EVENT_RESTORED,
    EVENT_REWOUND,
    EVENT_REPLACED,
    EVENT_MISSED, /* argument 0: enum miss_then */
    EVENT_MADE,   /* a move for somebody: the next event is of it */
    EVENT_ABSENT,
    EVENT_BACK,
    EVENT_GIVEN, /* time; the seat is who gets it */
    EVENT_PAUSED,
    EVENT_RESUMED,
    EVENT_VOTED, /* arguments: enum vote_about, yes, which seat it is about */
    EVENT_OTHER,
    EVENTS_OF_TABLE = EVENT_JOINED
};

/* Their names on the wire, by kind from EVENTS_OF_TABLE on. */
extern const char *const table_event_words[EVENT_OTHER - EVENTS_OF_TABLE + 1];

struct table {
    const struct rules *rules;
    int seats;
    uint16_t bots; /* RULES_BIT of each seat that a bot plays, if known */
    uint16_t resigned;
    char names[RULES_SEATS_MAX][32];
    struct rules_event *events; /* all there were, oldest first */
    size_t event_count, event_cap;
    union rules_any any;      /* the true state, or the view one has */
    struct rules_events last; /* what came of the last ply played here */
    /* The places, where they are not what the rules make of the state because
     * somebody gave up; 0: they are. */
    uint8_t places[RULES_SEATS_MAX];
    struct rules_choice *choices; /* room for RULES_MOVES_MAX */
};

/* Adds an event to the log. */
void table_event_add(struct table *t, const struct rules_event *event);
/* Whether EVENT is the game's own of that name. */
bool table_event_is(const struct table *t, const struct rules_event *event,
                    const char *name);
/* Points of S, a view of the table; places as they are. */
void table_points(const struct table *t, const struct rules_state *s,
                  struct rules_score *score);
/* Frees what it holds. */
void table_done(struct table *t);

#endif
