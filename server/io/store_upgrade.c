/* store_upgrade.c -- a file of an older version brought up to date, step by
 * step, after a copy of it as it was has been laid beside it.
 *
 * There is no way back from a newer version but that copy.  Who tries again,
 * because a step failed or the machine died, finds it and makes no second. */

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

#define MIB (INT64_C(1) << 20)

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

/* A name that is free, or is that of such a copy: *RET_THERE. */
static char *copy_name(struct store *s, sqlite3 *db, int64_t version,
                       bool *ret_there)
{
    time_t now = time(NULL);
    struct tm utc;
    char day[16], *path;

    gmtime_r(&now, &utc);
    strftime(day, sizeof(day), "%Y%m%d", &utc);
    for (int i = 1;; i++) {
        char again[16] = "";
        if (i > 1)
            snprintf(again, sizeof(again), "-%d", i);
        int n = asprintf(&path, "%s/before-upgrade-v%d-%s%s.db", s->dir,
                         (int)version, day, again);
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

static int keep_copy(struct store *s, sqlite3 *db, int64_t version,
                     char *error, size_t size)
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
    free(path);
    return err;
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

    int rc = store_file_judge(db, &version, error, size);
    if (rc == SQLITE_OK && version > 0 && version < newest &&
        keep_copy(s, db, version, error, size) != 0)
        return SQLITE_IOERR;
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db,
                          "PRAGMA synchronous = FULL; "
                          "PRAGMA journal_mode = WAL",
                          NULL, NULL, NULL);
    for (int64_t i = version; i < newest && rc == SQLITE_OK; i++)
        rc = step(db, (int)i, error, size);
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
