/* outages.h -- when the server was not there for people: no clock of a game runs
 * then.
 *
 * A sign of life is stored every half minute, and at an orderly end.  A start
 * finds the last one, and what lies between is an outage.  So is all else that
 * keeps moves away: the loop stood still, or the clock leapt (the host says so);
 * the store refused what it was handed, or took a minute over it; there was
 * maintenance.  Each lasts a tenth longer than it did, as people have to find
 * back.  They may overlap, and none changes any more once it is in the list: logs
 * tell each by when it began.
 *
 * What is found goes into the store at once, with another sign; if the process
 * ends before that, the next start finds it again, as it is behind the last sign
 * that there is.
 *
 * A clock that is behind the last sign is wrong, or was.  Until it is there, or
 * has been behind for a day, nothing is decided because time is up. */

#ifndef SERVER_HUB_OUTAGES_H
#define SERVER_HUB_OUTAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transaction.h"

struct hub;

/* What goes on. */
struct trouble {
    int64_t since_ms; /* 0: nothing does */
    int64_t told_ms;  /* up to where the list has it */
};

struct outages {
    /* read-only: those until now, by when they began, no two at once; they may
     * end in the future */
    struct span *at;
    uint32_t count;
    /* private */
    uint32_t cap;
    size_t unstored;    /* of them, at the end */
    bool asking;        /* the store, for what it has; ... */
    bool answered;      /* ... it has answered, if in vain; ... */
    bool known;         /* ... the list has it */
    int64_t sign_ms;    /* the last sign that is stored; 0: none */
    int64_t signing_ms; /* when one was handed over that is not yet; or 0 */
    int64_t next_ms;    /* when the next one is due */
    int64_t still_ms;   /* until when the process last stood still */
    int64_t behind_ms;  /* since when the clock is behind; 0: it is not */
    struct trouble refused; /* the store refuses */
    struct trouble rest;    /* there is maintenance */
};

/* Asks the store for what it has; see outages_waits(). */
void outages_begin(struct hub *hub);
void outages_done(struct hub *hub);
/* Does what is due by now. */
void outages_tick(struct hub *hub);
/* Nobody can do anything any more: the last sign. */
void outages_end(struct hub *hub);
/* What became of a transaction. */
void outages_heard(struct hub *hub, enum transaction_result result);

/* Whether tables are not to be loaded yet, as it will be known at once what
 * outages there were. */
bool outages_waits(const struct hub *hub);
/* Whether that is known: else nothing is to be written that reckons with
 * them. */
bool outages_known(const struct hub *hub);
/* Whether anything may be decided now because somebody's time is up. */
bool outages_decide(const struct hub *hub);
/* When time is up that was up at DUE_MS by a log that last changed at CHANGED_MS,
 * with the outages that it does not tell yet. */
int64_t outages_due(const struct hub *hub, int64_t due_ms, int64_t changed_ms);
/* Has the list tell up to now what goes on, and the rest later, as another one:
 * for who tells of it. */
void outages_cut(struct hub *hub);

#endif
