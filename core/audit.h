/* audit.h -- whether a table's log is what the rules, the draws and the undos
 * make of it.
 *
 * A log is given entry by entry, in words of the core and not of the wire: so
 * that the daemon, `sobremesa verify` and the browser judge by the same code.
 * Everything that the daemon decides about a running game is decided here
 * again from nothing but the setup, the seed and the entries so far: who sits
 * where, the key, each draw, which question a move answered, what could be
 * taken back, whose default move had to follow, when it was over.
 *
 * Texts and hashes are protocol/record.h's affair. */

#ifndef CORE_AUDIT_H
#define CORE_AUDIT_H

#include "entries.h"
#include "fair.h"
#include "rules.h"
#include "timing.h"
#include "votes.h"

struct audit_entry {
    uint8_t kind;
    uint16_t seat; /* a player, RULES_NATURE or ENTRY_NOBODY */
    union {
        uint64_t decision; /* MOVE of a player: what it answers */
        uint64_t undoes;   /* UNDO: the ply */
        uint64_t to;       /* REWIND: the last ply it leaves */
        uint64_t kept;     /* START: the seats, as bits */
        uint64_t number;   /* any of these */
    };
    const char *nonce; /* NONCE */
    struct rules_move move;
    int64_t at;
    struct entry_more more; /* at a table without a pace, of votes alone */
    /* At a table with a pace. */
    /* What clocks are told to show: so many numbers, 0 for no deadline; NULL:
     * they are not told. */
    const int64_t *due, *bank;
    uint32_t due_count, bank_count;
};

/* A move that was not taken back. */
struct audit_ply {
    uint64_t ply;
    uint16_t seat, flags;
    uint8_t made; /* enum made_by */
    struct rules_move move;
};

enum audit_state {
    AUDIT_OPEN,
    AUDIT_PLAYING,
    AUDIT_FINISHED,
    AUDIT_RESIGNED, /* finished, too: all but one have given up */
    AUDIT_TIMEOUT,  /* finished, too: somebody's time was up */
    AUDIT_ABANDONED
};

/* Whether a game that is so far is over and has a result. */
static inline bool audit_has_result(enum audit_state state)
{
    return state == AUDIT_FINISHED || state == AUDIT_RESIGNED ||
           state == AUDIT_TIMEOUT;
}

struct audit {
    /* read-only */
    enum audit_state state;
    uint64_t ply; /* of the next entry */
    uint8_t seats;
    uint16_t taken, resigned;      /* seats, as bits */
    uint8_t from[RULES_SEATS_MAX]; /* the seat before the start */
    union rules_any any;           /* once started */
    /* private */
    const struct rules *rules;
    struct rules_setup setup;
    const char *seed;
    char nonce[RULES_SEATS_MAX][FAIR_NONCE_DIGITS_MAX + 1];
    uint8_t key[SHA256_SIZE];
    uint64_t draws, start;
    uint64_t put[RULES_SEATS_MAX]; /* what last put the seat's question anew,
                                     * other than a move */
    uint64_t gave_up[RULES_SEATS_MAX]; /* ply at which the seat resigned */
    struct audit_ply *at;
    uint32_t count, cap;
    struct rules_events events;
    struct votes votes;
    /* At a table with a pace: all entries, from which clocks are folded. */
    bool timed;
    struct timing timing;
    struct timing_entry *log;
    uint32_t log_count, log_cap;
    bool told; /* what clocks show: SHOWN */
    struct timing_shown shown;
};

/* Begins the log of a table with SETUP, whose seats are those it was made
 * with, and SEED, for which fair_seed_ok().  AT has room for CAP moves;
 * rules->plies_max are enough.  What SETUP and SEED point to must last.
 * RULES_OK or what rules_setup() says, with WHY. */
int audit_init(struct audit *a, const struct rules *r,
               const struct rules_setup *setup, const char *seed,
               struct audit_ply *at, uint32_t cap, struct rules_problem *why);

/* The table has a pace, and TERMS; before the first entry.  LOG has room for CAP
 * entries, and what hours and outages they point to must last. */
void audit_time(struct audit *a, const struct terms *terms,
                struct timing_entry *log, uint32_t cap);
/* LOG, with room for CAP, has from now on what was in the one before. */
void audit_room(struct audit *a, struct timing_entry *log, uint32_t cap);

/* The next entry.  NULL, or a sentence about what is wrong with it; after that
 * A is of no more use.  For a move the rules refuse *REFUSAL says why; it is
 * RULES_OK otherwise. */
const char *audit_step(struct audit *a, const struct audit_entry *entry,
                       int *refusal);

/* NULL if the log can end here: nothing was to follow at once. */
const char *audit_end(const struct audit *a);

/* Points and, of a finished game, places: who gave up is behind all who did
 * not.  Once it has started. */
void audit_score(const struct audit *a, struct rules_score *score);

#endif
