/* store_copy.c -- a copy of a store, checked before it gets its name.
 *
 *     FROM -> PATH.sobremesa-part -> marked as a copy, synced -> looked at,
 *       all of it -> PATH -> the directory is synced
 *
 * So what is at PATH is whole, whenever the process dies; a part that a dead
 * one left is removed by the next.  PATH is never something that was there
 * already, and no link is followed to it. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base.h"
#include "protocol/files.h"
#include "store_inner.h"

#define PAGES_STEP 256

static bool go_on(const struct file_watch *watch, sqlite3_backup *b)
{
    int64_t total = sqlite3_backup_pagecount(b);

    return watch == NULL ||
           watch->go_on(watch->context, total - sqlite3_backup_remaining(b),
                        total);
}

/* Says which connection is at work, so that it can be interrupted. */
static void working(const struct file_watch *watch, sqlite3 *db)
{
    if (watch != NULL && watch->working != NULL)
        watch->working(watch->context, db);
}

static int copy_pages(sqlite3 *from, sqlite3 *to,
                      const struct file_watch *watch)
{
    sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
    int rc = SQLITE_OK;

    if (b == NULL)
        return sqlite3_extended_errcode(to);
    while (rc == SQLITE_OK) {
        rc = sqlite3_backup_step(b, PAGES_STEP);
        if (rc == SQLITE_OK && !go_on(watch, b))
            rc = SQLITE_INTERRUPT;
    }
    int end = sqlite3_backup_finish(b);
    return rc == SQLITE_DONE ? end : rc;
}

/* Says in the copy that it is one, of the moment NOW_MS: nobody has it open, and
 * it is the last backup of what is restored from it. */
static int mark(sqlite3 *to, int64_t now_ms)
{
    char text[160];
    int64_t knows = 0;

    int rc = sqlite3_exec(to,
                          "PRAGMA journal_mode = DELETE; "
                          "PRAGMA synchronous = FULL; "
                          "UPDATE state SET restored = 1",
                          NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = store_pragma_int(to,
                              "SELECT count(*) FROM pragma_table_info('state')"
                              " WHERE name = 'running'",
                              &knows);
    if (rc != SQLITE_OK || knows == 0) /* it is older */
        return rc;
    snprintf(text, sizeof(text),
             "UPDATE state SET running = 0, backup_at = %lld, backup_bytes = "
             "(SELECT page_count * page_size FROM pragma_page_count, "
             "pragma_page_size)",
             (long long)now_ms);
    return sqlite3_exec(to, text, NULL, NULL, NULL);
}

/* ---- parts ------------------------------------------------------------- */

#define PART_OLD_S (24 * 3600)

/* With the journal that SQLite may have left beside it. */
static void remove_part(const char *part)
{
    char journal[4300];

    (void)unlink(part);
    snprintf(journal, sizeof(journal), "%s-journal", part);
    (void)unlink(journal);
}

static bool ends_with(const char *name, const char *end)
{
    size_t len = strlen(name), end_len = strlen(end);
    return len > end_len && strcmp(name + len - end_len, end) == 0;
}

/* Removes from DIR the parts of copies that were broken off under other names.
 * One that is being made is written to all the time. */
static void remove_old_parts(const char *dir, int64_t now_ms)
{
    DIR *d = opendir(dir);
    const struct dirent *entry;
    struct stat is;

    while (d != NULL && (entry = readdir(d)) != NULL) {
        bool part = ends_with(entry->d_name, STORE_PART) ||
                    ends_with(entry->d_name, STORE_PART "-journal");
        if (part &&
            fstatat(dirfd(d), entry->d_name, &is, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(is.st_mode) &&
            now_ms / 1000 - (int64_t)is.st_mtime > PART_OLD_S)
            (void)unlinkat(dirfd(d), entry->d_name, 0);
    }
    if (d != NULL)
        closedir(d);
}

/* PART, on the disk. */
static int make_part(sqlite3 *from, const char *part, int64_t now_ms,
                     const struct file_watch *watch, char *error, size_t size)
{
    struct sql to = {0};

    remove_part(part); /* of one that was killed */
    int fd = open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                  0600);
    if (fd < 0) {
        int err = errno;
        snprintf(error, size, "cannot make %s: %s", part, strerror(err));
        return -err;
    }
    int rc = sql_open(&to, part, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW,
                      NULL, 0);
    if (rc == SQLITE_OK)
        rc = copy_pages(from, to.db, watch);
    if (rc == SQLITE_OK)
        rc = mark(to.db, now_ms);
    sql_close(&to);
    int err = rc == SQLITE_OK && fsync(fd) != 0 ? errno : 0;
    close(fd);
    if (rc == SQLITE_OK && err == 0)
        return 0;
    snprintf(error, size, "cannot copy%s: %s",
             store_is_damage(rc) ? ", the file is damaged" : "",
             err != 0                          ? strerror(err)
             : (rc & 0xff) == SQLITE_INTERRUPT ? "stopped"
                                               : sqlite3_errstr(rc));
    remove_part(part);
    return store_is_damage(rc) ? -EUCLEAN : -EIO;
}

/* The copy as it lies on the disk, by a connection that knows nothing of it. */
static int check_part(const char *part, const struct file_watch *watch,
                      char *error, size_t size)
{
    struct sql sql = {0};
    int rc = sql_open(&sql, part, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW,
                      NULL, 0);

    if (rc == SQLITE_OK) {
        working(watch, sql.db);
        rc = store_file_check(sql.db, watch, error, size);
        working(watch, NULL);
    } else
        snprintf(error, size, "cannot look at the copy: %s",
                 sqlite3_errstr(rc));
    sql_close(&sql);
    return rc == SQLITE_OK ? 0 : store_is_damage(rc) ? -EUCLEAN : -EIO;
}

int store_copy_part(sqlite3 *from, const char *part, int64_t now_ms,
                    const struct file_watch *watch, char *error, size_t size)
{
    int err = make_part(from, part, now_ms, watch, error, size);

    if (err != 0)
        return err;
    err = check_part(part, watch, error, size);
    if (err != 0)
        remove_part(part);
    return err;
}

int store_sync_dir(const char *dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int rc = fd >= 0 ? fsync(fd) : -1;

    if (fd >= 0)
        close(fd);
    return rc;
}

/* The directory of PATH, the caller's to free. */
static char *parent_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash == NULL ? strdup(".")
                              : strndup(path, (size_t)(slash - path) + 1);

    ASSERT(dir != NULL);
    return dir;
}

static int sync_parent(const char *path)
{
    char *dir = parent_of(path);
    int rc = store_sync_dir(dir);
    free(dir);
    return rc;
}

/* Gives the part its name. */
static int give_name(const char *part, const char *path, char *error,
                     size_t size)
{
    int err = -file_rename_new(AT_FDCWD, part, path);
    bool named = err == 0;

    if (named && sync_parent(path) == 0)
        return 0;
    if (named)
        err = errno;
    snprintf(error, size, "cannot make %s: %s", path, strerror(err));
    (void)unlink(named ? path : part);
    return -err;
}

int store_copy(sqlite3 *from, const char *path, int64_t now_ms,
               const struct file_watch *watch, char *error, size_t size)
{
    char *part = NULL, *dir = parent_of(path);
    int n = asprintf(&part, "%s" STORE_PART, path);

    ASSERT(n > 0);
    remove_old_parts(dir, now_ms);
    free(dir);
    int err = store_copy_part(from, part, now_ms, watch, error, size);
    if (err == 0)
        err = give_name(part, path, error, size);
    free(part);
    return err;
}
