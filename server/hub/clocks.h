/* clocks.h -- the clocks of a table in memory: folded from its log, as far as
 * that goes, by core/timing.h. */

#ifndef SERVER_HUB_CLOCKS_H
#define SERVER_HUB_CLOCKS_H

#include "core/timing.h"
#include "entry.h"

struct hub;
struct table;

/* A rewind, at entry PLY, TO another. */
struct went_back {
    uint32_t ply, to;
};

struct clocks {
    /* read-only; after clocks_fold() */
    struct timing timing; /* as the entries make it */
    /* private */
    uint32_t folded; /* how many entries */
    size_t played;   /* ... and of them moves that count */
    bool stale;      /* something was taken back: all are to be folded again */
    bool told;       /* what clocks show, in a line: SHOWN */
    struct timing_shown shown;
    struct rules_moment first;    /* of the state at the start */
    struct rules_moment *moments; /* of that behind each move that counts */
    size_t cap;
    struct went_back *backs;
    size_t back_count;
};

/* The clocks of a table with TERMS, which has no entries yet. */
struct clocks *clocks_new(const struct terms *terms);
/* Those of PAST, of which the first PLAYED moves are those of T, which has
 * clocks. */
struct clocks *clocks_past(const struct table *t, size_t played);
void clocks_free(struct clocks *k); /* NULL is fine */
size_t clocks_bytes(const struct clocks *k);

/* Of a table that has clocks; nothing else does anything if it has none. */

/* The game has started, or set back to its start. */
void clocks_start(struct table *t);
/* Move I of those that count was played. */
void clocks_moved(struct table *t, size_t i);
/* E, the last entry of T's log, took something back. */
void clocks_took_back(struct table *t, const struct entry *e);
/* Brings the clocks up to the last entry. */
void clocks_fold(struct table *t);

/* The outages that E, which comes next in T's log, has to tell. */
void clocks_outages(const struct hub *hub, const struct table *t,
                    struct entry *e);
/* Has E, T's last entry, tell what clocks show, if it is time and they show
 * anything else than was told last. */
void clocks_tell(struct table *t, struct entry *e);
/* LINE, which was read, tells that. */
void clocks_told(struct table *t, const json_t *line);

/* Whether E may be the next entry, as far as clocks go; false without any. */
bool clocks_may_say(const struct hub *hub, const struct table *t,
                    const struct entry *e);
/* The seats that are played for as soon as they are waited for, as bits. */
uint16_t clocks_forced(const struct table *t);
/* Whether SEAT is gone, and played for until its owner comes back. */
bool clocks_gone(const struct table *t, int seat);
/* Whether what SEAT did at PLY stays, as it lies before a miss or somebody else
 * had the seat then. */
bool clocks_fixed(const struct table *t, int seat, uint32_t ply);
/* Whether SEAT, which can take back PLY, would have had the time until now. */
bool clocks_may_undo(const struct hub *hub, const struct table *t, int seat,
                     uint32_t ply);

#endif
