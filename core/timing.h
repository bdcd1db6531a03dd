/* timing.h -- the clocks of a table, and what comes of them, folded from the
 * entries of its log.
 *
 * There is one such fold: the daemon decides by it, the audit judges records by
 * it, in programs and in the browser.
 *
 *     struct timing t;
 *     timing_begin(&t, &terms);
 *     for (each entry of the log) {
 *         timing_check(&t, &entry)     whether it may say that, if one doubts it
 *         timing_take(&t, &entry)      what it makes of the clocks
 *     }
 *
 * Clocks are as if what was taken back had never been: so when an entry takes
 * something back all are folded once more from the first, those that count no
 * longer marked.  They still tell of time that passed, and of outages.
 *
 * Who is waited for is known when nothing follows by itself: no draw, no move of
 * a seat that has given up, missed its turn, or is gone.  Then clocks run, and
 * only then an entry tells what they show, if that is not what was told last. */

#ifndef CORE_TIMING_H
#define CORE_TIMING_H

#include "clock.h"
#include "entries.h"

/* So much after a seat's time was up it has missed its turn: what was on its
 * way has come. */
#define MISS_AFTER_MS 2000

/* An entry, as far as clocks are concerned. */
struct timing_entry {
    uint8_t kind; /* enum entry_kind */
    bool undone;  /* it was taken back, by what is among the entries folded */
    uint16_t seat;
    uint32_t ply;
    uint32_t kept;           /* START: the seats, as bits */
    int64_t at;              /* when it was made */
    struct rules_moment now; /* of a START and a MOVE that counts: of the state
                              * that they led to */
    struct entry_more more;
};

/* How a game may end because of time. */
enum timing_end {
    TIMING_GOES_ON,
    TIMING_VOID,    /* it does not count */
    TIMING_TIMEOUT, /* LOSER loses */
};

struct timing {
    /* read-only */
    struct terms terms;
    struct clock clock;
    bool on;       /* it has started */
    bool settled;  /* nothing follows by itself: clocks are as they show */
    uint8_t end;   /* enum timing_end */
    uint8_t loser; /* of a TIMING_TIMEOUT */
    uint16_t resigned;
    uint16_t opened; /* seats that all others want to be taken over */
    /* Nothing up to here can be taken back any more: of all, and of a seat that
     * has another player. */
    uint32_t fixed;
    uint32_t fixed_of[RULES_SEATS_MAX];
    uint8_t returns[RULES_SEATS_MAX]; /* how often its owner came back */
    uint8_t given[RULES_SEATS_MAX];   /* how often it was given time */
    int64_t at;                       /* when the last entry was made */
    int64_t started;                  /* when the game was */
    int64_t outage_from;              /* when the last outage told began */
    /* private */
    struct rules_moment now;
    uint8_t last; /* the last entry's kind */
    const struct clock_hours *hours[RULES_SEATS_MAX]; /* before the start */
    struct span away[RULES_SEATS_MAX];                /* the same */
};

/* What clocks show, by seat. */
struct timing_shown {
    int64_t due[RULES_SEATS_MAX];  /* 0: no clock runs */
    int64_t bank[RULES_SEATS_MAX]; /* in milliseconds */
};

/* The clocks of a table with TERMS, which has not started. */
void timing_begin(struct timing *t, const struct terms *terms);

/* Whether E can be the next entry: NULL, or a sentence about what is wrong with
 * it.  What it does to the game others judge. */
const char *timing_check(const struct timing *t, const struct timing_entry *e);
void timing_take(struct timing *t, const struct timing_entry *e);

/* What comes of it if SEAT misses its turn now. */
enum miss_then timing_then(const struct timing *t, int seat);
/* When SEAT's time is up, given those of the COUNT OUTAGES, rising, that no entry
 * has told yet and that it is time to tell at AT; 0: no clock runs. */
int64_t timing_due(const struct timing *t, int seat, int64_t at,
                   const struct span *outages, uint32_t count);
/* When SEAT will have used PERCENT of its time, or from when on it counts if it
 * has; given the same. */
int64_t timing_used(const struct timing *t, int seat, int percent, int64_t at,
                    const struct span *outages, uint32_t count);
/* The first of the COUNT OUTAGES, rising, that an entry made now is to tell. */
uint32_t timing_untold(const struct timing *t, const struct span *outages,
                       uint32_t count);

/* The seats that are played for as soon as they are waited for in NOW, as
 * bits. */
uint16_t timing_forced(const struct timing *t, const struct rules_moment *now);
/* Whether others may take SEAT; and whether that is so because it was voted
 * for. */
bool timing_offered(const struct timing *t, int seat);
bool timing_offered_by_vote(const struct timing *t, int seat);
/* Whether SEAT has missed a turn and not come back. */
bool timing_is_missing(const struct timing *t, int seat);
/* The seats that are gone, as bits. */
uint16_t timing_gone(const struct timing *t);
/* Why a vote about what E says would come to nothing, or NULL: what it is about
 * could not come next. */
const char *timing_check_vote(const struct timing *t,
                              const struct timing_entry *e);
/* Whether SEAT, which now has taken back something, could do so in time. */
bool timing_undone_in_time(const struct timing *t, int seat);

/* What clocks show by the last entry, by seat; all that is none is 0. */
void timing_show(const struct timing *t, struct timing_shown *shown);

#endif
