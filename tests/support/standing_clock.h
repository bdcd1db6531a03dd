/* standing_clock.h -- a clock that stands, and goes on as a test says, in place of
 * libc's; the others go.  For one file of a program. */

#ifndef TESTS_SUPPORT_STANDING_CLOCK_H
#define TESTS_SUPPORT_STANDING_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int standing_clock;
static atomic_int_fast64_t standing_us; /* 0: it goes */

int clock_gettime(clockid_t which, struct timespec *now)
{
    int64_t us = atomic_load(&standing_us);

    if (us == 0 || which != atomic_load(&standing_clock))
        return (int)syscall(SYS_clock_gettime, which, now);
    *now = (struct timespec){(time_t)(us / 1000000),
                             (long)(us % 1000000) * 1000};
    return 0;
}

/* It stands from now on; when, in ms. */
static inline int64_t clock_stands(clockid_t which)
{
    struct timespec now;

    atomic_store(&standing_us, 0);
    clock_gettime(which, &now);
    atomic_store(&standing_clock, which);
    atomic_store(&standing_us,
                 (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline void clock_passes(int ms)
{
    atomic_fetch_add(&standing_us, (int64_t)ms * 1000);
}

static inline void clock_goes(void)
{
    atomic_store(&standing_us, 0);
}

#endif
