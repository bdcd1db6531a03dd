/* patience.c -- preloaded: a daemon that was told to end gives its disk a hundred
 * times as long before it leaves without an answer.  A machine that is busy with
 * other tests is no disk that does not answer.  Tests of that very end load
 * clocks.c before it. */

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LONG_S   5 /* nothing else sleeps as long */
#define PATIENCE 100

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    struct timespec longer = *wanted;

    if (longer.tv_sec >= LONG_S)
        longer.tv_sec *= PATIENCE;
    return (int)syscall(SYS_nanosleep, &longer, left);
}
