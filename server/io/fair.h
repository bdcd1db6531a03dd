/* fair.h -- whose turn it is, and who has had enough for now.
 *
 * Input is not worked on when it comes.  Its connection gets in line, and one
 * step after the other (a message, a request, a piece of one) is worked on
 * until the turn of the loop is long enough.  Whose step is next:
 *
 *     member    a connection
 *     flow      the members of one address; they take turns
 *
 * First of those flows that took least of the processor's time lately; those
 * that took about the same (a power of two of it) take turns, a step each.  So
 * who asks for little is not behind those who ask for much, however many those
 * are and from how many addresses they come, but waits only for the step that
 * is under way and for others who ask for as little.
 *
 * Besides, members that are limited have an allowance of input, in bytes as
 * they came and as they were inflated, each and again all of a flow.  It is
 * looked at before a step and charged after it, so it may be overdrawn by a
 * step, but not while it is, and never by more than an allowance.  Who has
 * overdrawn theirs rests: they keep their
 * place, their connection is not read, and after a while they go on, one after
 * the other: who rests for little is long forgotten, and thirty who come back
 * together would all be before who plays.  A flow
 * that has much under way in the hub gets no further until some of it is
 * answered.  And it is known who holds how much of what has begun and not
 * ended, so that in need those may go who hold more of it than others.
 *
 * No sockets and no clock here.  Milliseconds are of any clock that does not
 * go back. */

#ifndef SERVER_IO_FAIR_H
#define SERVER_IO_FAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/hub/map.h"

/* So much at once, and so much a millisecond after that. */
struct allowance {
    int64_t left;
    int64_t at_ms;
};

enum fair_place { FAIR_NOWHERE, FAIR_LINE, FAIR_REST, FAIR_RESTED };
enum flow_place { FLOW_NOWHERE, FLOW_LINE, FLOW_STALLED };

/* Up to 1/16, 1/8, 1/4 ... 16 ms of the last tenth of a second, and more. */
#define FAIR_LEVELS 10

struct member {
    /* read-only */
    struct flow *flow;
    bool limited;
    size_t asked; /* requests that are not answered yet */
    size_t held;  /* bytes of what has begun and not ended */
    /* private */
    enum fair_place place;
    struct allowance bytes;
    int64_t rests_till_ms;
    TAILQ_ENTRY(member) next;
};

TAILQ_HEAD(members, member);

struct flow {
    /* read-only */
    uint64_t source; /* 0: of one member alone */
    size_t members;
    size_t asked, held;
    size_t conns; /* the owner's: it stays as long as there are any */
    /* private */
    enum flow_place place;
    struct allowance bytes;
    int64_t used_ns, used_ms; /* of late, as of then */
    unsigned level;
    struct members line;
    TAILQ_ENTRY(flow) next;
};

TAILQ_HEAD(flows, flow);

struct fair {
    /* read-only */
    size_t limited; /* members that are */
    size_t held;
    uint64_t rests; /* how often somebody had to */
    /* private */
    struct map flows;                 /* by source */
    struct flows levels[FAIR_LEVELS]; /* none with an empty line */
    struct members resting, rested;
    size_t rested_count, let_count; /* so many of them at a time */
    struct flows stalled;
    bool busy;
    bool limits;              /* whether it is of somebody limited: */
    struct flow *served;      /* whose step is under way */
    size_t holders;           /* flows that hold something */
    int64_t woken_ms, let_ms; /* when both were last looked after */
};

void fair_init(struct fair *f);
/* All members have left. */
void fair_done(struct fair *f);

/* M, zeroed at first, is from SOURCE from now on, if it is not 0: else it is
 * apart from all others.  It may be in line, or have been elsewhere before. */
void fair_join(struct fair *f, struct member *m, uint64_t source, bool limited,
               int64_t now_ms);
/* Nothing, if it has left before. */
void fair_leave(struct fair *f, struct member *m);

/* M has something to do, and gets in line unless it is. */
void fair_want(struct fair *f, struct member *m, int64_t now_ms);
/* Takes out of the line whose step is next; NULL if nobody may have one now. */
struct member *fair_next(struct fair *f, int64_t now_ms);
/* The step of whom it gave last, who may have left meanwhile, took NS
 * nanoseconds. */
void fair_took(struct fair *f, int64_t ns, int64_t now_ms);
/* The same of what was done for M besides its steps: NS nanoseconds here, and
 * so many by OTHERS, as threads that read for it, who are shared, too. */
void fair_used(struct fair *f, struct member *m, int64_t ns, int64_t others_ns,
               int64_t now_ms);
/* M's input, or what it had for an answer, was BYTES more. */
void fair_charge(struct member *m, size_t bytes, int64_t now_ms);
/* How much of the processor's time M's flow took lately, below FAIR_LEVELS. */
unsigned fair_level(struct member *m, int64_t now_ms);
/* So many requests of M are not answered yet. */
void fair_asked(struct fair *f, struct member *m, size_t count,
                int64_t now_ms);
/* Whether those who are limited all wait, as too much is under way. */
void fair_busy(struct fair *f, bool busy, int64_t now_ms);
/* M holds BYTES now. */
void fair_hold(struct fair *f, struct member *m, size_t bytes);
/* Whether M's flow holds no less than they do on average: some do, as long as
 * anybody holds anything, so that from the others nothing need be taken. */
bool fair_hoards(const struct fair *f, const struct member *m);

/* Milliseconds until fair_next() should be asked again: 0 if there may be
 * somebody, -1 if nobody is in line. */
int64_t fair_wait_ms(const struct fair *f, int64_t now_ms);
/* Now and then: forgets flows that are as good as new. */
void fair_tick(struct fair *f, int64_t now_ms);

#endif
