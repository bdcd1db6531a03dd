#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Whether ERROR says that the file system does not know how. */
static bool cannot(int error)
{
    return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP ||
           error == EPERM;
}

static int by_link(int dir, const char *from, const char *to)
{
    if (linkat(dir, from, dir, to, 0) != 0)
        return -errno;
    (void)unlinkat(dir, from, 0); /* else it has two names */
    return 0;
}

static int by_place(int dir, const char *from, const char *to)
{
    int fd = openat(dir, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0)
        return -errno;
    close(fd);
    if (renameat(dir, from, dir, to) == 0)
        return 0;
    int error = errno;
    (void)unlinkat(dir, to, 0);
    return -error;
}

int file_rename_new(int dir, const char *from, const char *to)
{
    if (renameat2(dir, from, dir, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (!cannot(errno))
        return -errno;
    int error = by_link(dir, from, to);
    return cannot(-error) ? by_place(dir, from, to) : error;
}

void files_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", O_RDWR); /* which takes the lowest, this */
}
