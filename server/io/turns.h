/* turns.h -- how long the loop's turns are.
 *
 * While a turn lasts nobody else is served, so its length is the least that
 * somebody waits who comes meanwhile.  What counts is the processor's time of
 * the loop's thread: a turn is not longer because the machine does other
 * things, and waiting for something to happen takes none. */

#ifndef SERVER_IO_TURNS_H
#define SERVER_IO_TURNS_H

#include <stdint.h>

#define TURNS_BUCKETS 24 /* the last is for 4 s and more */

struct turns {
    uint64_t us[TURNS_BUCKETS]; /* below 1, 2, 4 ... microseconds */
    uint64_t us_sum;
    uint64_t us_longest;
    /* private */
    int64_t began_ns;
};

/* Nanoseconds of the processor that the calling thread has had. */
int64_t turns_clock(void);

/* The first turn begins now, on the calling thread. */
void turns_begin(struct turns *t);
/* A turn is over, and the next begins. */
void turns_next(struct turns *t);

#endif
