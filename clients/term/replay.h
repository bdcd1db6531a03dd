/* replay.h -- a game looked at again, step by step.
 *
 * A step is what somebody did, with all that chance answered.  Of a game that
 * is over everything is known, from its record: a step holds the true state,
 * and one may look at it as anybody.  Of a game that goes on, a step is as one
 * was told then, and its state is asked for when one gets there. */

#ifndef TERM_REPLAY_H
#define TERM_REPLAY_H

#include "ahead.h"
#include "online_play.h"

struct replay_step {
    json_int_t ply;          /* the first of the step's */
    void *state;             /* rules->state_size bytes; NULL: not asked for */
    size_t event, event_end; /* in the log */
    uint16_t resigned;
};

struct replay {
    struct table table; /* at the step one looks at: see replay_go() */
    char name[80];      /* of the table, or the file */
    struct replay_step *steps;
    size_t count, cap, at;
    bool whole;  /* one may look as anybody */
    int seat;    /* as whom one looks */
    char *study; /* what was tried from its positions, as text; or NULL */
    bool study_changed; /* since then */
    /* private */
    json_int_t last_ply;
    uint8_t places[RULES_SEATS_MAX]; /* at the end, if somebody gave up */
    struct session *session;         /* where states are asked for, or NULL */
    uint16_t revision;
};

/* Goes to step N, the last one if there are not so many: then table.any is its
 * state and the log ends with it.  False after a complaint. */
bool replay_go(struct replay *r, size_t n);
/* The step that ply PLY belongs to. */
size_t replay_step_of(const struct replay *r, json_int_t ply);
/* The next one to look as: a seat, or RULES_WATCHER. */
void replay_turn_round(struct replay *r);
/* "step 12 of 80, ply 31, as Ana sees it" */
void replay_where(const struct replay *r, char *buf, size_t cap);

/* What one looks ahead from: the step one looks at. */
struct ahead_from replay_ahead_from(const struct replay *r);
/* A is left: what it has tried is the study from now on. */
void replay_ahead_done(struct replay *r, struct ahead *a);

/* In lines; ALL prints everything there is. */
int replay_plain(struct replay *r, bool all);
/* Full screen; negative if there is none. */
int replay_screen(struct replay *r, struct display_look look);

#endif
