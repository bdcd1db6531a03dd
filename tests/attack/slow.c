/* slow.c -- preloaded: a disk that takes its time.  As long as the file that
 * SLOW names is there each read from where it is wanted takes 50 ms. */

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t pread64(int fd, void *buf, size_t nbytes, off64_t offset)
{
    const char *flag = getenv("SLOW");

    if (flag != NULL && access(flag, F_OK) == 0)
        usleep(50000);
    return syscall(SYS_pread64, fd, buf, nbytes, offset);
}
