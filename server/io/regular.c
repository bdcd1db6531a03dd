#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a file of MODE is that is no regular one. */
static const char *other_kind(mode_t mode)
{
    return S_ISDIR(mode)    ? "it is a directory"
           : S_ISFIFO(mode) ? "it is a pipe"
           : S_ISSOCK(mode) ? "it is a socket"
                            : "it is a device";
}

static int fail(const char *path, const char *what, int error, char *why,
                size_t size)
{
    snprintf(why, size, "cannot read %s: %s", path, what);
    return -error;
}

static int check(const char *path, const struct stat *is, char *why,
                 size_t size)
{
    return S_ISREG(is->st_mode)
               ? 0
               : fail(path, other_kind(is->st_mode), EINVAL, why, size);
}

int regular_check(const char *path, char *why, size_t size)
{
    struct stat is;

    if (stat(path, &is) != 0)
        return fail(path, strerror(errno), errno, why, size);
    return check(path, &is, why, size);
}

FILE *regular_open(const char *path, char *why, size_t size)
{
    struct stat is;
    FILE *file = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0 || fstat(fd, &is) != 0)
        (void)fail(path, strerror(errno), errno, why, size);
    else if (check(path, &is, why, size) == 0)
        file = fdopen(fd, "r");
    if (file == NULL && fd >= 0)
        close(fd);
    return file;
}
