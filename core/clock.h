/* clock.h -- how long each seat has: the arithmetic of pace.
 *
 * One source for who decides that time is up, who verifies that it was, and
 * who shows how much is left.  A clock is folded from a table's log, as its
 * state is: what happened, and when, in the order of plies.  No function here
 * reads a clock of the machine.
 *
 *     clock_begin     once the game starts
 *     clock_advance   everything up to a moment is counted
 *     clock_...       what the ply at that moment says: hours, absence, pause,
 *                     misses, gifts, players who come and go
 *     clock_asked     what a move made of the state
 *     clock_turns     who is waited for from then on
 *     clock_due       by when
 *
 * *Counted* is real time less what no clock runs in: outages, absence, pause
 * and what is outside a seat's hours.  All of these begin at or before the
 * moment at which they are told of, so that no more of them has to be kept than
 * when they end; none is counted twice.  Inside hours a clock runs so much
 * faster that a week of them is a week.
 *
 * Times are milliseconds since 1970, spans milliseconds, and all is done in
 * integers. */

#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "hours.h"
#include "rules.h"

/* What a table agreed on, in seconds.  A turn may use FREE, then what is in the
 * BANK; its end adds ADD to that, up to CAP. */
struct pace {
    int32_t free, bank, add, cap;
};
#define PACE_PERIOD_MIN 30               /* of FREE + BANK, in seconds */
#define PACE_PERIOD_MAX (90 * 24 * 3600) /* of these, of ADD and of CAP */
/* Tables with as long a period honour hours and absence, unless they were made
 * otherwise. */
#define PACE_PATIENT (12 * 3600)

/* Whether a table may have this pace. */
bool pace_valid(const struct pace *pace);

/* What becomes of a seat whose time is up, once no more of that is excused. */
enum policy {
    POLICY_MILD, /* default moves end its turn; the next is shorter */
    POLICY_BOT,  /* a bot has it until its owner comes back */
    POLICY_OPEN, /* it is offered to others */
    POLICY_OUT,  /* it resigns */
    POLICY_END,  /* the game ends: of two, they lose */
    POLICIES
};

/* All that a table agreed on about time. */
struct terms {
    struct pace pace;
    uint8_t excused;     /* how many misses of each seat, up to EXCUSED_MAX */
    uint8_t policy;      /* enum policy */
    bool hours, absence; /* whether it honours these */
};
#define EXCUSED_MAX 9

bool terms_valid(const struct terms *terms);

/* The hours of somebody, and what their zone is. */
struct clock_hours {
    struct hours hours;
    struct hours_offsets offsets;
};

/* One seat's. */
struct clock_seat {
    /* Of its present turn, and from its next one on; NULL: all day.  Whoever
     * keeps the log keeps these, too. */
    const struct clock_hours *hours, *next_hours;
    uint32_t turn;    /* number of its present turn, or its last one */
    int64_t since_ms; /* counted up to here, while it runs */
    int64_t used_ms;  /* of that turn, of the moments inside */
    int64_t over_ms;  /* when its time was up, if it is */
    int64_t extra_ms; /* that this turn has besides */
    int64_t bank_ms;
    int64_t absent_until_ms; /* 0: there */
    uint32_t turns;          /* that are over */
    uint8_t substitutes;     /* who had it after its first owner */
    uint8_t excused;         /* misses */
    uint8_t missed;          /* not excused, in a row */
    bool
        begun; /* its turn, which nothing says is over: it may be asked again */
    bool runs;
    bool late;        /* its turn is missed, and not excused */
    bool interrupted; /* its present turn, by absence */
    bool offered;     /* to others, while its turn goes on */
    bool gone;        /* it is played for at once */
};

struct clock {
    struct pace pace; /* all zero: there is none, and nothing runs */
    uint8_t seats;
    uint8_t excuses;         /* how many misses of a seat are excused */
    uint16_t asked;          /* since clock_turns() */
    int64_t outage_until_ms; /* the last one's end */
    int64_t paused_until_ms; /* 0: it is not */
    struct clock_seat seat[RULES_SEATS_MAX];
};

/* The clocks of SEATS seats, none of which runs yet. */
void clock_begin(struct clock *c, const struct pace *pace, int seats,
                 int excuses);

/* Counts up to AT_MS; a moment before the last one is that one. */
void clock_advance(struct clock *c, int64_t at_ms);

/* Nothing counts from FROM_MS, no earlier than what was counted up to, until
 * TO_MS: it was the server that was not there. */
void clock_outage(struct clock *c, int64_t from_ms, int64_t to_ms);

/* A move has made NOW of the state, and more may follow by itself. */
void clock_asked(struct clock *c, const struct rules_moment *now);

/* Who is waited for from AT_MS on, up to which was counted, if nothing follows
 * by itself: those who act begin or go on with their turns.  A turn is over when
 * another begins: until then nobody can tell whether it is gone on with. */
void clock_turns(struct clock *c, int64_t at_ms,
                 const struct rules_moment *now);

/* What SEAT has in the bank, if its turn is not gone on with. */
int64_t clock_bank(const struct clock *c, int seat);

/* How many turns in a row SEAT has missed, if its turn is not gone on with; and
 * whether it is offered to others. */
int clock_missed(const struct clock *c, int seat);
bool clock_offered(const struct clock *c, int seat);

/* When SEAT's time is up by all that is known, or was; 0: its clock does not
 * run. */
int64_t clock_due(const struct clock *c, int seat);
/* When SEAT will have used PERCENT of what its turn may take; if it has by now,
 * from when on its clock counts.  0: it does not run. */
int64_t clock_used(const struct clock *c, int seat, int percent);
/* Whether it was up before what was counted up to. */
bool clock_is_over(const struct clock *c, int seat);
/* Whether SEAT, who acts in NOW, is in a turn that it missed: which is played to
 * its end for it. */
bool clock_in_missed(const struct clock *c, int seat,
                     const struct rules_moment *now);

/* ---- what plies say ------------------------------------------------------- */

/* SEAT has HOURS from its next turn on. */
void clock_hours(struct clock *c, int seat, const struct clock_hours *hours);
/* SEAT is away from FROM_MS, or what was counted up to, until UNTIL_MS. */
void clock_absent(struct clock *c, int seat, int64_t from_ms,
                  int64_t until_ms);
/* ... and has come back at AT_MS, up to which was counted. */
void clock_back(struct clock *c, int seat, int64_t at_ms);
/* Nobody's clock runs from what was counted up to until UNTIL_MS; that moment
 * itself ends a pause. */
void clock_pause(struct clock *c, int64_t until_ms);
/* SEAT is given MS, above the cap, too. */
void clock_give(struct clock *c, int seat, int64_t ms);

/* Whether the next miss of SEAT is excused. */
bool clock_excuses(const struct clock *c, int seat);
/* SEAT's time was up: it is excused, and its turn stays open for longer. */
void clock_excuse(struct clock *c, int seat);
/* SEAT's time was up, and it is not excused: this turn ends somehow, and the
 * next one is shorter; after the third in a row, or if it is to be, the seat
 * is gone. */
void clock_miss(struct clock *c, int seat, bool gone);
/* SEAT's time was up: it is offered to others, and its turn stays open for as
 * long again as a turn takes at first. */
void clock_offer(struct clock *c, int seat);
/* SEAT's owner is back. */
void clock_return(struct clock *c, int seat);
/* Somebody else has SEAT, and begins as everybody did. */
void clock_substitute(struct clock *c, int seat);
/* Whoever is waited for next begins a turn: the game was set back. */
void clock_anew(struct clock *c);

#endif
