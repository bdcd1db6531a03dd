/* votes.h -- what the players of a table agree on, folded from its log.
 *
 * One vote at a time is open.  Its first entry says what it is about, and that
 * who opens it agrees; those that follow say it over again, with a yes or a no.
 * All have to agree who have a say: the seats that are neither given up nor
 * gone, and not the one that is to be replaced.  The last yes says that it
 * passed; what was agreed on is the very next entry, of a kind that says so
 * itself, why `vote`: but for a seat that is offered to others, of which
 * nothing follows.
 *
 * A vote comes to nothing by a no, by the next thing that happens in the game,
 * and when its time is over, of which no entry tells.  In a game where nothing
 * has happened for very long it may be *silent*: then who says nothing has
 * agreed once its time is over, and an entry of nobody's says so.
 *
 * As everybody may have been somewhere else when a vote passed, this is folded
 * once, in the order of the log, and not again when something is taken back:
 * what was agreed on stays, and what came of it goes back with the rest. */

#ifndef CORE_VOTES_H
#define CORE_VOTES_H

#include "timing.h"

#define VOTES_MAX  20 /* that one seat opens in a game */
#define VOTE_DAYS  7  /* that a vote is open, ... */
#define QUIET_DAYS 14 /* ... and one in which silence agrees */
/* Nothing has happened in the game for so long, at the least, before silence
 * agrees; whoever runs the server says how long. */
#define ASLEEP_DAYS_MIN 30

struct votes {
    /* read-only; the first ones of the last vote */
    bool open;     /* but see votes_open() */
    bool silent;   /* who says nothing agrees */
    bool owed;     /* it passed, and what was agreed on comes next */
    uint8_t about; /* enum vote_about */
    uint8_t opener, to;
    uint16_t agreed; /* seats, as bits */
    int32_t seconds;
    uint32_t ply; /* of its first entry, which is its number */
    int64_t until;
    int64_t ends;  /* when its time is over */
    int64_t moved; /* when the game went on last */
    int64_t last;  /* when the last entry of all was made */
    /* private */
    int64_t at; /* of the last of its entries */
    uint8_t opened[RULES_SEATS_MAX];
    int64_t waits[RULES_SEATS_MAX]; /* that seat opens none before, unless the
                                     * game goes on */
};

/* Whether a vote is open at AT. */
bool votes_open(const struct votes *v, int64_t at);
/* Whom it takes, of the seats PRESENT, who are neither given up nor gone: as
 * bits, with those that have agreed. */
uint16_t votes_asked(const struct votes *v, uint16_t present);
/* Whether it passes if SEAT agrees, too; ENTRY_NOBODY: as it is. */
bool votes_passes(const struct votes *v, int seat, uint16_t present);
/* Why SEAT, who has a say, may open none at AT. */
enum votes_why { VOTES_YES, VOTES_ENOUGH, VOTES_TOO_SOON };
enum votes_why votes_may_open(const struct votes *v, int seat, int64_t at);

/* Whether E can be the next entry, as far as votes go, given the seats that are
 * PRESENT: NULL, or a sentence about what is wrong with it.  Whether there is
 * anything to be paused, given, replaced or taken back others judge. */
const char *votes_check(const struct votes *v, const struct timing_entry *e,
                        uint16_t present);
void votes_take(struct votes *v, const struct timing_entry *e);
/* What comes of the vote that passed: an entry's kind, and in MORE what it
 * says. */
enum entry_kind votes_effect(const struct votes *v, struct entry_more *more);

#endif
