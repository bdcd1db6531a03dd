/* disk.c -- preloaded: a disk that fails.  As long as the file that DISK names is
 * there, whose words are CALL ERROR AFTER, each CALL (fdatasync or pwrite64) fails
 * with that number of errno, after so many that are as ever.  With 0 for an error
 * the process is killed instead. */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls;

/* Whether CALL is to fail now. */
static int fails(const char *call)
{
    const char *path = getenv("DISK");
    FILE *f = path != NULL ? fopen(path, "re") : NULL;
    char name[32];
    int error = 0, after = 0;

    if (f == NULL) {
        __atomic_store_n(&calls, 0, __ATOMIC_SEQ_CST);
        return 0;
    }
    int words = fscanf(f, "%31s %d %d", name, &error, &after);
    (void)fclose(f);
    if (words != 3 || strcmp(name, call) != 0 ||
        __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST) < after)
        return 0;
    if (error == 0)
        (void)kill(getpid(), SIGKILL);
    errno = error;
    return 1;
}

int fdatasync(int fd)
{
    return fails("fdatasync") ? -1 : (int)syscall(SYS_fdatasync, fd);
}

ssize_t pwrite64(int fd, const void *buf, size_t nbytes, off64_t offset)
{
    if (fails("pwrite64"))
        return -1;
    return syscall(SYS_pwrite64, fd, buf, nbytes, offset);
}
