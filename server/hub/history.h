/* history.h -- states of the past; see history.c. */

#ifndef SERVER_HUB_HISTORY_H
#define SERVER_HUB_HISTORY_H

#include "table.h"

/* Who is where at a table and what was counted, but for the moves. */
struct standing {
    uint8_t state; /* enum table_state */
    uint8_t seats;
    uint16_t resigned; /* seats, as bits */
    uint32_t start_ply;
    uint64_t draws; /* number of the next draw */
    id_num seat[RULES_SEATS_MAX];
    uint32_t asked_ply[RULES_SEATS_MAX], undos[RULES_SEATS_MAX];
    struct votes votes;
};

/* A table at an earlier ply none of whose moves was taken back since. */
struct snapshot {
    uint32_t ply;
    uint32_t check;     /* of that entry */
    size_t played;      /* how many moves its state has */
    struct standing at; /* with that entry */
    struct rules_state *s;
};

/* States before the last moves that were played, so that one that is taken
 * back, mostly the last, does not need all from the last snapshot on again. */
#define STEPS 8
struct steps {
    struct rules_state *s[STEPS]; /* before played[i], at i % STEPS */
    size_t first;                 /* played[first] is the earliest of them */
};

enum walked {
    WALK_DONE,
    WALK_MORE,  /* the limit was reached: call it again */
    WALK_BROKEN /* the rules refuse what the log says */
};

/* The state before any move, in T->rules_state. */
bool history_first(struct table *t);
/* Plays E, the last entry of T's log, a move that was just added to the played
 * ones, in T->rules_state; EVENTS are what came of it.  False: it is
 * refused. */
bool history_play(struct hub *hub, struct table *t, const struct entry *e,
                  struct rules_events *events);
/* Keeps T's state as it is behind its last entry, if that is a move and it is
 * time; when the head of its chain is known. */
void history_snapshot(const struct hub *hub, struct table *t);
/* Move I of the played ones counts no more: T->rules_state goes back to before
 * it, and history_fold() has to follow. */
void history_cut(struct table *t, size_t i);
/* Plays in T->rules_state what is played and not in it yet, until HUB->effort
 * is LIMIT. */
enum walked history_fold(struct hub *hub, struct table *t, uint64_t limit);
/* Takes T's log back to its first COUNT entries, and T to its last snapshot
 * within them, or to before any of them.  history_stand() has to follow, and the
 * entries behind that once more, each with entry_apply().  False if that cannot
 * be, and all is to go. */
bool history_back(struct table *t, uint32_t count);
/* Who is where, and what was counted, as T's last snapshot says, if it has any.
 * Returns the ply of the entry that comes next. */
uint32_t history_stand(struct table *t);
void history_done(struct table *t);
size_t history_bytes(const struct table *t);

/* A way through the log of a table that is loaded, from a snapshot on. */
struct walk {
    struct table past; /* the table as it was with PAST.log.count entries */
    struct steps steps;
    struct log_reader reader;
    struct rules_events events; /* of the last entry */
    bool broken;                /* the rules refuse what the log says */
};

/* Begins it at COUNT entries or somewhat before.  T may change and be loaded
 * anew between calls of the others, if it is given to walk_attach() then. */
void walk_begin(struct walk *w, const struct table *t, uint32_t count);
void walk_attach(struct walk *w, const struct table *t);
/* Goes over the next entry, which there is, into *E; W->events are those of a
 * move.  walk_fold() has to follow.  False if it is broken. */
bool walk_step(struct hub *hub, struct walk *w, struct entry *e);
/* As history_fold(), of what W has gone over. */
enum walked walk_fold(struct hub *hub, struct walk *w, uint64_t limit);
/* Goes on until there are COUNT entries, or HUB->effort is LIMIT. */
enum walked walk_to(struct hub *hub, struct walk *w, uint32_t count,
                    uint64_t limit);
void walk_done(struct walk *w);
/* T as it was with COUNT entries, at once; NULL if what was played cannot be
 * played again. */
struct walk *walk_past(struct hub *hub, const struct table *t, uint32_t count);
void walk_free(struct walk *w); /* NULL is fine */

#endif
