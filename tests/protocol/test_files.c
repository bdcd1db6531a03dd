/* test_files.c -- a file gets its name and takes nobody's, on file systems that
 * know RENAME_NOREPLACE, that know only links, and that know neither. */

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/files.h"

enum { KNOWS_ALL, KNOWS_LINKS, KNOWS_NEITHER, FILE_SYSTEMS };

static int knows;

/* In place of libc's. */
int renameat2(int from_dir, const char *from, int to_dir, const char *to,
              unsigned flags)
{
    if (knows == KNOWS_ALL || flags == 0)
        return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
    errno = EINVAL;
    return -1;
}

int linkat(int from_dir, const char *from, int to_dir, const char *to,
           int flags)
{
    if (knows != KNOWS_NEITHER)
        return (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
    errno = EPERM;
    return -1;
}

static int dir = -1;

static void write_file(const char *name, const char *text)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static bool holds(const char *name, const char *text)
{
    char read_text[32] = "";
    int fd = openat(dir, name, O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, read_text, sizeof(read_text) - 1) : -1;

    if (fd >= 0)
        close(fd);
    return n >= 0 && strcmp(read_text, text) == 0;
}

static bool is_there(const char *name)
{
    return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void begin(int file_system)
{
    char path[] = "rename.XXXXXX";
    const char *room = getenv("TMPDIR");

    knows = file_system;
    cr_assert(chdir(room != NULL ? room : "/tmp") == 0);
    cr_assert_not_null(mkdtemp(path));
    dir = open(path, O_RDONLY | O_DIRECTORY);
    cr_assert_geq(dir, 0);
}

Test(files, free_name)
{
    for (int i = 0; i < FILE_SYSTEMS; i++) {
        begin(i);
        write_file("part", "new");
        cr_expect_eq(file_rename_new(dir, "part", "name"), 0);
        cr_expect(holds("name", "new"));
        cr_expect(!is_there("part"));
        close(dir);
    }
}

Test(files, taken_name)
{
    for (int i = 0; i < FILE_SYSTEMS; i++) {
        begin(i);
        write_file("part", "new");
        write_file("name", "old");
        cr_assert_eq(symlinkat("nowhere", dir, "dangling"), 0);
        cr_expect_eq(file_rename_new(dir, "part", "name"), -EEXIST);
        cr_expect_eq(file_rename_new(dir, "part", "dangling"), -EEXIST);
        cr_expect(holds("name", "old") && holds("part", "new"));
        cr_expect(!is_there("nowhere"));
        close(dir);
    }
}

/* A failure leaves nothing behind. */
Test(files, no_file)
{
    for (int i = 0; i < FILE_SYSTEMS; i++) {
        begin(i);
        cr_expect_eq(file_rename_new(dir, "none", "name"), -ENOENT);
        cr_expect(!is_there("name"));
        close(dir);
    }
}

/* Whatever of the three is closed, nothing else gets its number. */
Test(files, standard)
{
    for (int closed = 0; closed < 8; closed++) {
        pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0) {
            for (int fd = 0; fd < 3; fd++)
                if (closed & 1 << fd)
                    close(fd);
            files_standard();
            _exit(open("/dev/null", O_RDONLY) < 3 || fcntl(0, F_GETFD) < 0 ||
                  fcntl(1, F_GETFD) < 0 || fcntl(2, F_GETFD) < 0);
        }
        int status;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect_eq(status, 0, "%d", closed);
    }
}
