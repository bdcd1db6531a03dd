/* hang.c -- preloaded: a disk that neither works nor fails.  As long as the
 * file that HANG names is there, nothing is synced and nobody comes back. */

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/support/until.h"

int fdatasync(int fd)
{
    const char *flag = getenv("HANG");

    UNTIL(flag == NULL || access(flag, F_OK) != 0);
    return (int)syscall(SYS_fdatasync, fd);
}
