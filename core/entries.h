/* entries.h -- what the entries of a table's log are called, and what they say
 * at a table with a pace: in the daemon, in records and in the audit. */

#ifndef CORE_ENTRIES_H
#define CORE_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"

#define ENTRY_NOBODY UINT16_MAX /* no seat */

enum entry_kind {
    ENTRY_CREATE,
    ENTRY_JOIN,
    ENTRY_LEAVE,
    ENTRY_NONCE,
    ENTRY_START,
    ENTRY_MOVE,
    ENTRY_UNDO,
    ENTRY_RESIGN,
    ENTRY_ABANDON,
    ENTRY_RENAME,
    ENTRY_RESTORED,
    ENTRY_REWIND,
    ENTRY_REPLACED,
    /* At tables with a pace alone. */
    ENTRY_HOURS,  /* SEAT has other hours */
    ENTRY_ABSENT, /* SEAT is away */
    ENTRY_BACK,   /* ... no more */
    ENTRY_MISS,   /* SEAT's time was up */
    ENTRY_GIVE,   /* somebody is given time */
    ENTRY_PAUSE,  /* nobody's clock runs */
    ENTRY_RESUME, /* ... again they do */
    ENTRY_VOTE,   /* SEAT says what it wants: votes.h; at any table */
    ENTRY_KINDS
};
extern const char *const entry_words[]; /* by kind; ends with NULL */

/* What a MISS brought. */
enum miss_then {
    MISS_EXCUSED,
    MISS_MILD, /* from here on as enum policy */
    MISS_BOT,
    MISS_OPEN,
    MISS_OUT,
    MISS_END,
    MISS_THENS
};
extern const char *const miss_words[];   /* by that; ends with NULL */
extern const char *const policy_words[]; /* by enum policy; the same */

/* Who made a MOVE for a seat that missed its turn. */
enum made_by { MADE_BY_SEAT, MADE_MILD, MADE_BY_BOT, MADE_BYS };
extern const char *const made_words[]; /* by that; the first is "" */

/* Why a seat is REPLACED; and why anything else is, if it was voted for. */
enum replaced_why {
    WHY_UNTOLD, /* at tables without a pace; else whoever runs the server */
    WHY_OPERATOR,
    WHY_OPEN, /* it was offered */
    WHY_VOTE,
    WHY_SELF, /* its owner is back */
    WHYS
};
extern const char *const why_words[]; /* by that; the first is "" */

/* What a VOTE is about. */
enum vote_about {
    VOTE_CANCEL,  /* the game ends unrated */
    VOTE_PAUSE,   /* no clock runs until a moment */
    VOTE_GIVE,    /* time to a seat */
    VOTE_REPLACE, /* a seat is offered to others */
    VOTE_BACK,    /* the game goes back to before its last move */
    VOTE_RESUME,  /* the pause ends */
    VOTES
};
extern const char *const vote_words[]; /* by that; ends with NULL */

/* Which of WORDS is TEXT, or -1. */
int word_find(const char *const *words, const char *text);

struct span {
    int64_t from_ms, to_ms;
};

/* What an entry says besides, by its kind, at a table with a pace. */
struct entry_more {
    uint8_t then;        /* MISS: enum miss_then */
    uint8_t made;        /* MOVE: enum made_by */
    uint8_t why;         /* REPLACED, and what was voted for: enum
                          * replaced_why */
    uint8_t about;       /* VOTE: enum vote_about */
    bool yes;            /* VOTE */
    bool passed;         /* VOTE: all have agreed */
    bool silent;         /* VOTE that opens one: who says nothing agrees */
    bool by_itself;      /* ABSENT: instead of a miss */
    uint8_t to;          /* GIVE, VOTE: whom */
    int32_t seconds;     /* GIVE, VOTE: how much */
    int64_t from, until; /* ABSENT; PAUSE and VOTE have UNTIL alone */
    const struct clock_hours *hours; /* HOURS; NULL: all day */
    /* Any: outages that no entry before has told, rising.  They may end after
     * it. */
    const struct span *outages;
    uint32_t outage_count;
};

#endif
