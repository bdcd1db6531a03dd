/* clocks.c -- preloaded: clocks that are set.  The file that CLOCKS names has four
 * numbers of 64 bits: by how many milliseconds the wall's clock is ahead of what
 * the system says, by how many the one that never goes back, and what they show
 * besides while time stands, or 0.  Then no time passes but by the first two, and
 * nobody uses any of the processor: what takes turns, rests or is refilled by the
 * clock does so the same in every run. */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NUMBERS_SIZE 32

static volatile int64_t *numbers;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("CLOCKS");
    int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *at = fd < 0 ? MAP_FAILED
                      : mmap(NULL, NUMBERS_SIZE, PROT_READ, MAP_SHARED, fd, 0);

    if (fd >= 0)
        close(fd);
    if (at != MAP_FAILED)
        numbers = at;
}

/* What a clock shows while time stands. */
static struct timespec stood_at(clockid_t which)
{
    int64_t ms = which == CLOCK_THREAD_CPUTIME_ID ? 0
                 : which == CLOCK_REALTIME        ? numbers[2]
                                                  : numbers[3];

    return (struct timespec){(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, which, now);

    if (result != 0 || numbers == NULL)
        return result;
    if (numbers[3] != 0)
        *now = stood_at(which);
    int64_t ms = which == CLOCK_REALTIME ? numbers[0]
                 : which == CLOCK_MONOTONIC || which == CLOCK_MONOTONIC_COARSE
                     ? numbers[1]
                     : 0;
    now->tv_sec += (time_t)(ms / 1000);
    now->tv_nsec += (long)(ms % 1000) * 1000000;
    if (now->tv_nsec >= 1000000000 || now->tv_nsec < 0) {
        int carry = now->tv_nsec < 0 ? -1 : 1;
        now->tv_sec += carry;
        now->tv_nsec -= carry * 1000000000L;
    }
    return result;
}

/* So long by these clocks. */
int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    const struct timespec moment = {0, 10000000};
    struct timespec now, until;

    if (numbers == NULL)
        return (int)syscall(SYS_nanosleep, wanted, left);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += wanted->tv_sec;
    until.tv_nsec += wanted->tv_nsec;
    do {
        syscall(SYS_nanosleep, &moment, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - until.tv_sec) * 1000000000 + now.tv_nsec <
             until.tv_nsec);
    return 0;
}
