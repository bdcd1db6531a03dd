/* slow_fsync.c -- makes a disk slower: preloaded, it adds SLOW_FSYNC_US
 * microseconds to each fdatasync() and fsync(). */

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slow(const char *name, int fd)
{
    const char *text = getenv("SLOW_FSYNC_US");
    long us = text != NULL ? atol(text) : 0;
    struct timespec wait = {.tv_sec = us / 1000000,
                            .tv_nsec = us % 1000000 * 1000};
    int (*real)(int);

    nanosleep(&wait, NULL);
    *(void **)&real = dlsym(RTLD_NEXT, name);
    return real(fd);
}

int fsync(int fd);
int fdatasync(int fd);

int fsync(int fd)
{
    return slow("fsync", fd);
}

int fdatasync(int fd)
{
    return slow("fdatasync", fd);
}
