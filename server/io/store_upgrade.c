/* store_upgrade.c -- a file of an older version brought up to date, step by
 * step, after a copy of it as it was has been laid beside it.
 *
 * There is no way back from a newer version but that copy.  Who tries again,
 * because a step failed or the machine died, finds it and makes no second.  When
 * the upgrade is done, copies before the newest three go. */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "schema/schema.h"
#include "store_inner.h"

#define MIB        (INT64_C(1) << 20)
#define COPIES_MAX 3

/* ---- the copy --------------------------------------------------------- */

/* How often the file behind DB had been opened: who changes it opens it. */
static int opened(sqlite3 *db, int64_t *ret_times)
{
    return store_pragma_int(db, "SELECT opened FROM state", ret_times);
}

/* Whether PATH is such a copy already. */
static bool is_copy(sqlite3 *db, int64_t version, const char *path)
{
    struct sql copy = {0};
    int64_t times = 0, its_times = -1, its_version = -1;

    bool same = sql_open(&copy, path,
                         SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW, NULL,
                         0) == SQLITE_OK &&
                opened(copy.db, &its_times) == SQLITE_OK &&
                store_pragma_int(copy.db, "PRAGMA user_version",
                                 &its_version) == SQLITE_OK &&
                opened(db, &times) == SQLITE_OK && times == its_times &&
                version == its_version;
    sql_close(&copy);
    return same;
}

/* The name of the NUMBERth copy of VERSION of a day like 20261122. */
static void name_copy(char name[64], int version, int day, int number)
{
    char again[16] = "";

    if (number > 1)
        snprintf(again, sizeof(again), "-%d", number);
    snprintf(name, 64, "before-upgrade-v%d-%08d%s.db", version, day, again);
}

/* A name that is free, or is that of such a copy: *RET_THERE. */
static char *copy_name(struct store *s, sqlite3 *db, int64_t version,
                       bool *ret_there)
{
    time_t now = time(NULL);
    struct tm utc;
    char name[64], *path;

    gmtime_r(&now, &utc);
    int day = (utc.tm_year + 1900) * 10000 + (utc.tm_mon + 1) * 100 +
              utc.tm_mday;
    for (int i = 1;; i++) {
        name_copy(name, (int)version, day, i);
        int n = asprintf(&path, "%s/%s", s->dir, name);
        ASSERT(n > 0);
        bool there = access(path, F_OK) == 0;
        *ret_there = there && is_copy(db, version, path);
        if (!there || *ret_there)
            return path;
        free(path);
    }
}

/* Whether there is room for BYTES more, and as much again for the steps. */
static int check_room(struct store *s, int64_t bytes, char *error, size_t size)
{
    struct statvfs disk;
    int64_t wanted = 2 * bytes + 16 * MIB;

    if (statvfs(s->dir, &disk) != 0)
        return 0; /* then the copy itself will tell */
    int64_t room = (int64_t)(disk.f_bavail * disk.f_frsize);
    if (room >= wanted)
        return 0;
    snprintf(error, size,
             "before the upgrade a copy is made: %s needs %lld MiB of free "
             "space for that, and has %lld",
             s->dir, (long long)(wanted / MIB), (long long)(room / MIB));
    return -ENOSPC;
}

/* *RET_PATH is the copy's, and the caller's to free. */
static int keep_copy(struct store *s, sqlite3 *db, int64_t version,
                     char **ret_path, char *error, size_t size)
{
    int64_t pages = 0, now_ms = (int64_t)time(NULL) * 1000;
    bool there;
    char *path = copy_name(s, db, version, &there);

    int err = store_pragma_int(db, "PRAGMA page_count", &pages) == SQLITE_OK
                  ? 0
                  : -EIO;
    if (err == 0 && !there)
        err = check_room(s, pages * PAGE_BYTES, error, size);
    if (err == 0 && !there)
        err = store_copy(db, path, now_ms, NULL, error, size);
    if (err == 0)
        store_say(s, LOG_NOTICE,
                  "the store is upgraded; as it was, version %d of the "
                  "schema, it is in %s",
                  (int)version, path);
    *ret_path = path;
    return err;
}

/* ---- those of earlier upgrades ------------------------------------------ */

/* What NAME, if it is such a copy's, tells of its age: day, version, number. */
static bool read_copy(const char *name, int age[static 3])
{
    char again[64];

    age[2] = 1;
    if (sscanf(name, "before-upgrade-v%9d-%8d-%9d", &age[1], &age[0],
               &age[2]) < 2)
        return false;
    name_copy(again, age[1], age[0], age[2]);
    return strcmp(name, again) == 0; /* so nothing else is taken for one */
}

static int is_name_of_copy(const struct dirent *entry)
{
    int age[3];
    return read_copy(entry->d_name, age) ? 1 : 0;
}

static int newest_first(const struct dirent **a, const struct dirent **b)
{
    int x[3] = {0}, y[3] = {0};

    (void)read_copy((*a)->d_name, x);
    (void)read_copy((*b)->d_name, y);
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? 1 : -1;
    return 0;
}

/* Removes those that are older than the newest; MADE, the path of the one that
 * was just made, stays whatever the clock says. */
static void drop_old_copies(struct store *s, const char *made)
{
    struct dirent **list = NULL;
    int count = scandir(s->dir, &list, is_name_of_copy, newest_first);
    int others = 0;
    char path[4400];

    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof(path), "%s/%s", s->dir, list[i]->d_name);
        free(list[i]);
        if (strcmp(path, made) == 0 || ++others < COPIES_MAX)
            continue;
        if (unlink(path) == 0)
            store_say(s, LOG_NOTICE,
                      "%s is removed: there are %d newer copies from before "
                      "an upgrade",
                      path, COPIES_MAX);
        else
            store_say(s, LOG_WARNING, "%s cannot be removed: %s", path,
                      strerror(errno));
    }
    free(list);
}

/* ---- the steps -------------------------------------------------------- */

static int64_t newest_version(void)
{
    int64_t newest = 0;

    while (schema_steps[newest] != NULL)
        newest++;
    return newest;
}

/* Takes the file from version I on, in a transaction. */
static int step(sqlite3 *db, int i, char *error, size_t size)
{
    char version[96];

    snprintf(version, sizeof(version),
             "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
             APPLICATION_ID, i + 1);
    int rc = sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, schema_steps[i], NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, version, NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        snprintf(error, size,
                 "the file cannot be brought from version %d of the schema "
                 "to %d: %s",
                 i, i + 1, sqlite3_errmsg(db));
    return rc;
}

int store_upgrade(struct store *s, sqlite3 *db, char *error, size_t size)
{
    int64_t newest = newest_version(), version = 0;
    char *copy = NULL;

    int rc = store_file_judge(db, &version, error, size);
    if (rc == SQLITE_OK && version > 0 && version < newest &&
        keep_copy(s, db, version, &copy, error, size) != 0)
        rc = SQLITE_IOERR;
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db,
                          "PRAGMA synchronous = FULL; "
                          "PRAGMA journal_mode = WAL",
                          NULL, NULL, NULL);
    for (int64_t i = version; i < newest && rc == SQLITE_OK; i++)
        rc = step(db, (int)i, error, size);
    if (rc == SQLITE_OK && copy != NULL)
        drop_old_copies(s, copy);
    free(copy);
    return rc;
}

/* ---- what it is ------------------------------------------------------- */

int store_file_judge(sqlite3 *db, int64_t *ret_version, char *error,
                     size_t size)
{
    int64_t application = 0, tables = 0, newest = newest_version();

    int rc = store_pragma_int(db, "PRAGMA user_version", ret_version);
    if (rc == SQLITE_OK)
        rc = store_pragma_int(db, "PRAGMA application_id", &application);
    if (rc == SQLITE_OK)
        rc = store_pragma_int(db, "SELECT count(*) FROM sqlite_schema",
                              &tables);
    if (rc != SQLITE_OK && rc != SQLITE_NOTADB)
        return rc;
    if (rc == SQLITE_NOTADB ||
        application != (tables > 0 ? APPLICATION_ID : 0)) {
        snprintf(error, size,
                 "the file is not one of Sobremesa's, or its beginning is "
                 "damaged");
        return SQLITE_MISMATCH;
    }
    if (*ret_version > newest) {
        snprintf(error, size,
                 "the file is of a newer Sobremesa (version "
                 "%lld of the schema, this one knows %lld)",
                 (long long)*ret_version, (long long)newest);
        return SQLITE_MISMATCH;
    }
    return SQLITE_OK;
}
