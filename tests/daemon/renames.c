/* renames.c -- preloaded: a file system that knows no RENAME_NOREPLACE, as NFS and
 * ZFS; with LINKS=0 in the environment, no hard links either, as much of FUSE. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat2(int from_dir, const char *from, int to_dir, const char *to,
              unsigned flags)
{
    if (flags == 0)
        return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
    errno = EINVAL;
    return -1;
}

int linkat(int from_dir, const char *from, int to_dir, const char *to,
           int flags)
{
    const char *links = getenv("LINKS");

    if (links == NULL || strcmp(links, "0") != 0)
        return (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
    errno = EPERM;
    return -1;
}
