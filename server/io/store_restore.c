/* store_restore.c -- a backup's copy in place of the store; see store.h.
 *
 *     FROM is looked at -> copied beside the store -> marked as a copy
 *       -> looked at as well -> what was there moves aside -> it gets its name
 *
 * Between the last two there is no store: a file called `restoring` says so,
 * and while it is there no store is opened. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "regular.h"
#include "store_inner.h"

/* The paths of one restore. */
struct restore {
    const char *dir, *from;
    char path[4100], part[4200], mark[4200];
    char kept[4200]; /* where what was there goes, or "" */
};

static int fail_errno(char *error, size_t size, const char *what,
                      const char *path)
{
    int err = errno;
    snprintf(error, size, "cannot %s %s: %s", what, path, strerror(err));
    return -err;
}

/* Root may do this for a server that is another user.  What is made in the
 * directory is then made as whoever has it, so that the server may open it and
 * no link that lies there leads root astray; only FROM is root's to read. */
static int become(uid_t uid, gid_t gid)
{
    if (getuid() != 0)
        return 0;
    return seteuid(0) == 0 && setegid(gid) == 0 ? seteuid(uid) : -1;
}

/* ---- looking at it ---------------------------------------------------- */

static int look(const struct restore *r, struct sql *from, char *error,
                size_t size)
{
    struct stat there, is;
    int err = regular_check(r->from, error, size);

    if (err != 0)
        return err;
    if (stat(r->from, &is) != 0)
        return fail_errno(error, size, "read", r->from);
    if (stat(r->path, &there) == 0 && there.st_dev == is.st_dev &&
        there.st_ino == is.st_ino) {
        snprintf(error, size, "%s is the store itself", r->from);
        return -EINVAL;
    }
    int rc = sql_open(from, r->from, SQLITE_OPEN_READONLY, NULL, 0);
    if (rc == SQLITE_OK)
        rc = store_file_check(from->db, NULL, error, size);
    else
        snprintf(error, size, "%s: %s", r->from, sqlite3_errstr(rc));
    return rc == SQLITE_OK ? 0 : rc == SQLITE_MISMATCH ? -EPROTO : -EIO;
}

/* ---- putting it in place ----------------------------------------------- */

/* Moves FILE of the directory aside, if it is there. */
static int move_aside(struct restore *r, const char *file)
{
    char from[4300], to[4300];

    snprintf(from, sizeof(from), "%s/%s", r->dir, file);
    snprintf(to, sizeof(to), "%s/%s", r->kept, file);
    return rename(from, to) == 0 || errno == ENOENT ? 0 : -1;
}

static int keep_old(struct restore *r)
{
    time_t now = time(NULL);
    struct tm utc;
    char when[32];

    if (access(r->path, F_OK) != 0)
        return 0;
    gmtime_r(&now, &utc);
    strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &utc);
    for (int i = 0;; i++) {
        snprintf(r->kept, sizeof(r->kept), "%.4000s/before-restore-%s%.*s%d",
                 r->dir, when, i > 0, "-", i);
        if (i == 0)
            r->kept[strlen(r->kept) - 1] = '\0';
        if (mkdir(r->kept, 0700) == 0)
            break;
        if (errno != EEXIST)
            return -1;
    }
    return move_aside(r, "sobremesa.db-wal") == 0 &&
                   move_aside(r, "sobremesa.db-shm") == 0 &&
                   move_aside(r, "sobremesa.db") == 0 &&
                   store_sync_dir(r->kept) == 0
               ? 0
               : -1;
}

static int put_in_place(struct restore *r, char *error, size_t size)
{
    int fd = open(r->mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0)
        return fail_errno(error, size, "make", r->mark);
    close(fd);
    if (store_sync_dir(r->dir) != 0 || keep_old(r) != 0 ||
        rename(r->part, r->path) != 0 || store_sync_dir(r->dir) != 0)
        return fail_errno(error, size, "move", r->path);
    if (unlink(r->mark) != 0 || store_sync_dir(r->dir) != 0)
        return fail_errno(error, size, "remove", r->mark);
    return 0;
}

int store_restore(const char *dir, const char *from, char *kept,
                  size_t kept_size, char *error, size_t size)
{
    struct restore r = {.dir = dir, .from = from};
    struct sql sql = {0};
    struct stat is;
    struct store_lock lock = {-1, -1};

    if (strlen(dir) > 4000) {
        snprintf(error, size, "the directory's path is too long");
        return -ENAMETOOLONG;
    }
    snprintf(r.path, sizeof(r.path), "%s/sobremesa.db", dir);
    snprintf(r.part, sizeof(r.part), "%s" STORE_PART, r.path);
    snprintf(r.mark, sizeof(r.mark), "%s/" STORE_RESTORING, dir);
    if (mkdir(dir, 0700) != 0 && errno != EEXIST)
        return fail_errno(error, size, "make", dir);
    if (stat(dir, &is) != 0 || become(is.st_uid, is.st_gid) != 0)
        return fail_errno(error, size, "be the owner of", dir);
    int err = store_file_lock(dir, &lock, error, size);
    if (err == 0 && become(0, 0) != 0)
        err = fail_errno(error, size, "read", from);
    if (err == 0)
        err = look(&r, &sql, error, size);
    if (err == 0 && become(is.st_uid, is.st_gid) != 0)
        err = fail_errno(error, size, "be the owner of", dir);
    if (err == 0)
        err = store_copy_part(sql.db, r.part, (int64_t)time(NULL) * 1000, NULL,
                              error, size);
    sql_close(&sql);
    if (err == 0)
        err = put_in_place(&r, error, size);
    if (err == 0)
        snprintf(kept, kept_size, "%s", r.kept);
    store_file_unlock(&lock);
    (void)become(0, 0);
    return err;
}
