/* clocks.c -- preloaded: clocks that are set.  The file that CLOCKS names has two
 * numbers of 64 bits: by how many milliseconds the wall's clock is ahead of what
 * the system says, and the one that never goes back. */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *shifts;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("CLOCKS");
    int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *at = fd < 0 ? MAP_FAILED
                      : mmap(NULL, 16, PROT_READ, MAP_SHARED, fd, 0);

    if (fd >= 0)
        close(fd);
    if (at != MAP_FAILED)
        shifts = at;
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, which, now);

    if (result != 0 || shifts == NULL)
        return result;
    int64_t ms = which == CLOCK_REALTIME ? shifts[0]
                 : which == CLOCK_MONOTONIC || which == CLOCK_MONOTONIC_COARSE
                     ? shifts[1]
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
