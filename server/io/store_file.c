/* store_file.c -- the file itself: who may have it, what version it is, its
 * WAL, copies of it.
 *
 * The WAL is copied back into the file by a thread with a connection of its
 * own, while the writer goes on: a few passes, each of which finds less that
 * has come meanwhile, and a last short one during which the writer is held
 * between two transactions.  Then nothing in the WAL is needed any more, and
 * the writer begins it anew.  A reader in the middle of a long question, or a
 * backup, keeps it from that; then it grows and the next try comes later. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base.h"
#include "schema/schema.h"
#include "store_inner.h"
#include "thread.h"

#define APPLICATION_ID 0x536f6272 /* "Sobr" */
#define PAGE_BYTES     4096

/* ---- the lock --------------------------------------------------------- */

/* The process that has it writes its number there, for who finds it taken. */
int store_file_lock(const char *dir, int *ret_fd, char *error, size_t size)
{
    char path[4200], text[32] = "";

    snprintf(path, sizeof(path), "%s/lock", dir);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    *ret_fd = fd;
    if (fd < 0) {
        int err = errno;
        snprintf(error, size, "cannot open %s: %s", path, strerror(err));
        return -err;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        ssize_t n = read(fd, text, sizeof(text) - 1);
        text[n > 0 ? strcspn(text, "\n") : 0] = '\0';
        snprintf(error, size, "%s is in use by another process%s%s", dir,
                 text[0] != '\0' ? ", number " : "", text);
        return -EBUSY;
    }
    int n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
    /* Only for people to read, so it does not matter if it fails. */
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) != n)
        errno = 0;
    return 0;
}

/* ---- opening ---------------------------------------------------------- */

static int pragma_int(sqlite3 *db, const char *text, int64_t *ret_value)
{
    sqlite3_stmt *stmt;
    int rc = sqlite3_prepare_v2(db, text, -1, &stmt, NULL);

    if (rc != SQLITE_OK)
        return rc;
    rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        *ret_value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int store_file_connect(struct store *s, struct sql *sql, bool write,
                       const char *const *texts, size_t count)
{
    static const char *const syncs[] = {
        [STORE_SYNC_FULL] = "PRAGMA synchronous = FULL",
        [STORE_SYNC_NORMAL] = "PRAGMA synchronous = NORMAL",
        [STORE_SYNC_OFF] = "PRAGMA synchronous = OFF",
    };
    char limit[64];
    int rc = sql_open(sql, s->path,
                      write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY,
                      texts, count);

    if (rc != SQLITE_OK)
        return rc;
    snprintf(limit, sizeof(limit), "PRAGMA journal_size_limit = %lld",
             (long long)s->config.wal_bytes);
    const char *const pragmas[] = {
        write ? syncs[s->config.sync] : "PRAGMA query_only = 1",
        "PRAGMA wal_autocheckpoint = 0",
        "PRAGMA temp_store = MEMORY",
        write ? "PRAGMA cache_size = -16384" : "PRAGMA cache_size = -4096",
        write ? limit : "",
    };
    for (size_t i = 0; i < COUNT_OF(pragmas) && rc == SQLITE_OK; i++)
        rc = sqlite3_exec(sql->db, pragmas[i], NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        sql_close(sql);
    return rc;
}

/* Takes the file from version FROM on, one step a transaction. */
static int migrate(sqlite3 *db, int64_t from, int64_t to, char *error,
                   size_t size)
{
    char version[96];
    int rc = SQLITE_OK;

    for (int64_t i = from; i < to && rc == SQLITE_OK; i++) {
        snprintf(version, sizeof(version),
                 "PRAGMA application_id = %d; PRAGMA user_version = %d; "
                 "COMMIT",
                 APPLICATION_ID, (int)i + 1);
        rc = sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
        if (rc == SQLITE_OK)
            rc = sqlite3_exec(db, schema_steps[i], NULL, NULL, NULL);
        if (rc == SQLITE_OK)
            rc = sqlite3_exec(db, version, NULL, NULL, NULL);
        if (rc != SQLITE_OK)
            snprintf(error, size,
                     "the file cannot be brought from version %d of the "
                     "schema to %d: %s",
                     (int)i, (int)i + 1, sqlite3_errmsg(db));
    }
    return rc;
}

int store_file_judge(sqlite3 *db, int64_t newest, int64_t *ret_version,
                     char *error, size_t size)
{
    int64_t application = 0, tables = 0;

    int rc = pragma_int(db, "PRAGMA user_version", ret_version);
    if (rc == SQLITE_OK)
        rc = pragma_int(db, "PRAGMA application_id", &application);
    if (rc == SQLITE_OK)
        rc = pragma_int(db, "SELECT count(*) FROM sqlite_schema", &tables);
    if (rc != SQLITE_OK && rc != SQLITE_NOTADB)
        return rc;
    if (rc == SQLITE_NOTADB ||
        application != (tables > 0 ? APPLICATION_ID : 0)) {
        snprintf(error, size, "the file is not one of Sobremesa's");
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

static int prepare(struct store *s, char *error, size_t size)
{
    struct sql sql = {0};
    int64_t newest = 0, version = 0, restored = 0;

    while (schema_steps[newest] != NULL)
        newest++;
    int rc = sql_open(&sql, s->path,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL, 0);
    if (rc == SQLITE_OK)
        rc = store_file_judge(sql.db, newest, &version, error, size);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(sql.db,
                          "PRAGMA synchronous = FULL; "
                          "PRAGMA journal_mode = WAL",
                          NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = migrate(sql.db, version, newest, error, size);
    if (rc == SQLITE_OK)
        rc = pragma_int(sql.db, "SELECT restored FROM state", &restored);
    if (rc != SQLITE_OK && error[0] == '\0')
        snprintf(error, size, "cannot open %s: %s", s->path,
                 sqlite3_errmsg(sql.db));
    s->restored = restored != 0;
    sql_close(&sql);
    return rc == SQLITE_MISMATCH ? -EPROTO : rc == SQLITE_OK ? 0 : -EIO;
}

int store_file_open(struct store *s, char *error, size_t size)
{
    char mark[4200];

    if (mkdir(s->dir, 0700) != 0 && errno != EEXIST) {
        int err = errno;
        snprintf(error, size, "cannot make %s: %s", s->dir, strerror(err));
        return -err;
    }
    int err = store_file_lock(s->dir, &s->lock_fd, error, size);
    if (err != 0)
        return err;
    snprintf(mark, sizeof(mark), "%s/" STORE_RESTORING, s->dir);
    if (access(mark, F_OK) == 0) {
        snprintf(error, size,
                 "%s: a backup was being restored here and that "
                 "was broken off; restore it again",
                 s->dir);
        return -EPROTO;
    }
    /* Made here so that it is nobody else's to read; its WAL is as it is. */
    int fd = open(s->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        err = errno;
        snprintf(error, size, "cannot open %s: %s", s->path, strerror(err));
        return -err;
    }
    close(fd);
    return prepare(s, error, size);
}

void store_file_close(struct store *s)
{
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    s->lock_fd = -1;
}

/* ---- checkpoints ------------------------------------------------------- */

void store_wal(struct store *s, int64_t frames)
{
    store_lock(s);
    s->wal_frames = frames;
    s->stats.wal_bytes = (uint64_t)frames * (PAGE_BYTES + 24);
    int64_t wanted = s->config.wal_bytes / PAGE_BYTES;
    if (frames < wanted)
        s->checkpoint_at = wanted;
    else if (frames >= s->checkpoint_at && !s->checkpoint) {
        s->checkpoint = true;
        s->checkpoint_at = frames + wanted / 4;
        pthread_cond_signal(&s->checkpointer_wakes);
    }
    store_unlock(s);
}

/* Copies what can be copied; *RET_LEFT is what there was left at its end. */
static int pass(struct store *s, int *ret_left)
{
    int in_wal = 0, copied = 0;
    int rc = sqlite3_wal_checkpoint_v2(s->checkpointer_sql.db, NULL,
                                       SQLITE_CHECKPOINT_PASSIVE, &in_wal,
                                       &copied);
    *ret_left = in_wal - copied;
    return rc;
}

/* A pass with the writer held; true if everything was copied. */
static bool last_pass(struct store *s)
{
    int left = 1;

    store_lock(s);
    s->hold = true;
    while (s->writer_busy)
        pthread_cond_wait(&s->checkpointer_wakes, &s->lock);
    store_unlock(s);
    int64_t begin_us = store_now_us();
    int rc = pass(s, &left);
    uint64_t us = (uint64_t)(store_now_us() - begin_us);
    store_lock(s);
    s->hold = false;
    if (us > s->stats.checkpoint_held_us_max)
        s->stats.checkpoint_held_us_max = us;
    pthread_cond_signal(&s->writer_wakes);
    store_unlock(s);
    return rc == SQLITE_OK && left == 0;
}

static void checkpoint(struct store *s)
{
    int left = 0;
    int rc = SQLITE_OK;

    for (int i = 0; i < 3 && rc == SQLITE_OK; i++)
        rc = pass(s, &left);
    bool whole = rc == SQLITE_OK && last_pass(s);
    if (rc != SQLITE_OK && rc != SQLITE_BUSY)
        store_say(s, LOG_WARNING, "the WAL cannot be copied back: %s (%d)",
                  sqlite3_errstr(rc), rc);
    store_lock(s);
    s->stats.checkpoints += whole;
    s->checkpoint = false;
    pthread_cond_signal(&s->writer_wakes);
    store_unlock(s);
}

void *store_checkpointer(void *store)
{
    struct store *s = store;

    store_lock(s);
    for (;;) {
        if (s->checkpoint) {
            store_unlock(s);
            checkpoint(s);
            store_lock(s);
        } else if (s->checkpointer_stop)
            break;
        else
            pthread_cond_wait(&s->checkpointer_wakes, &s->lock);
    }
    store_unlock(s);
    return NULL;
}

/* ---- backups ---------------------------------------------------------- */

void store_progress(struct store *s, void *context, store_backup_cb call,
                    const struct store_progress *told)
{
    const char *error = told->error;
    size_t len = error != NULL ? strlen(error) + 1 : 0;
    struct progress_work *p = calloc(1, sizeof(*p) + len);

    ASSERT(p != NULL);
    p->work.kind = WORK_PROGRESS;
    p->context = context;
    p->call = call;
    p->progress = *told;
    if (error != NULL) {
        memcpy(p->error, error, len);
        p->progress.error = p->error;
    }
    store_lock(s);
    bool wake = store_done(s, &p->work);
    store_unlock(s);
    if (wake)
        s->owner.wake(s->owner.context);
}

static void progress(struct store *s, int64_t done, int64_t total,
                     bool finished, const char *error)
{
    struct store_progress told = {done, total, finished, error};

    if (finished) {
        store_lock(s);
        s->backup_running = false;
        store_unlock(s);
    }
    store_progress(s, s->backup_context, s->backup_call, &told);
}

static bool stopped(struct store *s)
{
    store_lock(s);
    bool stop = s->backup_stop;
    store_unlock(s);
    return stop;
}

/* Copies FROM, which holds a snapshot, so that no commit makes the copying
 * begin anew. */
static int copy(struct store *s, sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
    int rc = SQLITE_OK, steps = 0;

    if (b == NULL)
        return sqlite3_extended_errcode(to);
    while (rc == SQLITE_OK) {
        rc = sqlite3_backup_step(b, 256);
        int64_t total = sqlite3_backup_pagecount(b);
        if (rc == SQLITE_OK && steps++ % 16 == 0)
            progress(s, total - sqlite3_backup_remaining(b), total, false,
                     NULL);
        if (rc == SQLITE_OK && stopped(s))
            rc = SQLITE_ABORT;
    }
    int end = sqlite3_backup_finish(b);
    return rc == SQLITE_DONE ? end : rc;
}

/* Makes the copy at PATH; it says of itself that it is one. */
static int backup(struct store *s, const char *path, char *error, size_t size)
{
    struct sql from = {0}, to = {0};

    int rc = sql_open(&to, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                      NULL, 0);
    if (rc == SQLITE_OK)
        rc = sql_open(&from, s->path, SQLITE_OPEN_READONLY, NULL, 0);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(from.db, "BEGIN; SELECT one FROM state", NULL, NULL,
                          NULL);
    if (rc == SQLITE_OK)
        rc = copy(s, from.db, to.db);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(to.db,
                          "PRAGMA journal_mode = DELETE; "
                          "PRAGMA synchronous = FULL; "
                          "UPDATE state SET restored = 1",
                          NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        snprintf(error, size, "%s",
                 rc == SQLITE_ABORT ? "stopped" : sqlite3_errstr(rc));
    sql_close(&from);
    sql_close(&to);
    return rc;
}

static void sync_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash == NULL ? strdup(".")
                              : strndup(path, (size_t)(slash - path) + 1);

    ASSERT(dir != NULL);
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(dir);
}

/* Under another name first, so that PATH is never half a copy. */
static void *run_backup(void *store)
{
    struct store *s = store;
    char error[256] = "", *part = NULL;

    int n = asprintf(&part, "%s.sobremesa-part", s->backup_path);
    ASSERT(n > 0);
    unlink(part); /* of one that was killed */
    int fd = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        snprintf(error, sizeof(error), "cannot make %s: %s", part,
                 strerror(errno));
    else {
        close(fd);
        if (backup(s, part, error, sizeof(error)) == SQLITE_OK &&
            renameat2(AT_FDCWD, part, AT_FDCWD, s->backup_path,
                      RENAME_NOREPLACE) != 0)
            snprintf(error, sizeof(error), "cannot make %s: %s",
                     s->backup_path, strerror(errno));
        if (error[0] != '\0')
            unlink(part);
        else
            sync_parent(s->backup_path);
    }
    free(part);
    progress(s, 0, 0, true, error[0] != '\0' ? error : NULL);
    return NULL;
}

bool store_backup(struct store *s, const char *path, void *context,
                  store_backup_cb call)
{
    store_lock(s);
    bool busy = s->backup_running || s->closing;
    if (!busy)
        s->backup_running = true;
    store_unlock(s);
    if (busy)
        return false;
    if (s->backup_started)
        pthread_join(s->backup_thread, NULL);
    free(s->backup_path);
    s->backup_path = strdup(path);
    ASSERT(s->backup_path != NULL);
    s->backup_context = context;
    s->backup_call = call;
    s->backup_started = thread_start(&s->backup_thread, "backup", run_backup,
                                     s) == 0;
    if (!s->backup_started)
        progress(s, 0, 0, true, "there is no thread for it");
    return true;
}

/* ---- vacuum ------------------------------------------------------------ */

static int file_bytes(sqlite3 *db, int64_t *ret_bytes)
{
    int64_t pages = 0;
    int rc = pragma_int(db, "PRAGMA page_count", &pages);
    *ret_bytes = pages * PAGE_BYTES;
    return rc;
}

/* The new file is first made in another one: in memory it might not fit. */
static int vacuum(sqlite3 *db, struct store_progress *told)
{
    int rc = file_bytes(db, &told->total);

    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, "PRAGMA temp_store = FILE; VACUUM", NULL, NULL,
                          NULL);
    (void)sqlite3_exec(db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = file_bytes(db, &told->done);
    return rc;
}

void store_run_vacuum(struct store *s)
{
    struct store_progress told = {.finished = true};

    store_lock(s);
    bool wanted = s->vacuum && !s->closing;
    s->vacuuming = wanted;
    store_unlock(s);
    int rc = SQLITE_INTERRUPT;
    if (wanted && !s->writer.broken)
        rc = vacuum(s->writer.sql.db, &told);
    store_lock(s);
    s->vacuum = s->vacuuming = false;
    store_unlock(s);
    if (rc != SQLITE_OK)
        told.error = s->writer.broken ? "the store cannot write"
                                      : sqlite3_errstr(rc);
    else
        store_wal(s, s->writer.wal_frames);
    store_progress(s, s->vacuum_context, s->vacuum_call, &told);
}

bool store_vacuum(struct store *s, void *context, store_backup_cb end)
{
    store_lock(s);
    bool busy = s->vacuum || s->closing;
    if (!busy) {
        s->vacuum = true;
        s->vacuum_context = context;
        s->vacuum_call = end;
        pthread_cond_signal(&s->writer_wakes);
    }
    store_unlock(s);
    return !busy;
}
