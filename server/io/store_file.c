/* store_file.c -- the file itself: who may have it, its connections, its WAL.
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
#include "store_inner.h"
#include "thread.h"

/* ---- the lock --------------------------------------------------------- */

static int fail_locked(const char *dir, int file, char *error, size_t size)
{
    char text[32] = "";
    ssize_t n = pread(file, text, sizeof(text) - 1, 0);

    text[n > 0 ? strcspn(text, "\n") : 0] = '\0';
    snprintf(error, size, "%s is in use by another process%s%s", dir,
             text[0] != '\0' ? ", number " : "", text);
    return -EBUSY;
}

/* The process that has it writes its number there, for who finds it taken. */
int store_file_lock(const char *dir, struct store_lock *lock, char *error,
                    size_t size)
{
    char path[4200], text[32];

    *lock = (struct store_lock){-1, -1};
    snprintf(path, sizeof(path), "%s/lock", dir);
    lock->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock->file < 0) {
        int err = errno;
        snprintf(error, size, "cannot open %s: %s", path, strerror(err));
        return -err;
    }
    lock->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (flock(lock->file, LOCK_EX | LOCK_NB) != 0)
        return fail_locked(dir, lock->file, error, size);
    if (lock->dir >= 0 && flock(lock->dir, LOCK_EX | LOCK_NB) != 0 &&
        errno == EWOULDBLOCK)
        return fail_locked(dir, lock->file, error, size);
    int n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
    /* Only for people to read, so it does not matter if it fails. */
    if (ftruncate(lock->file, 0) != 0 ||
        pwrite(lock->file, text, (size_t)n, 0) != n)
        errno = 0;
    return 0;
}

void store_file_unlock(struct store_lock *lock)
{
    if (lock->file >= 0)
        close(lock->file);
    if (lock->dir >= 0)
        close(lock->dir);
    *lock = (struct store_lock){-1, -1};
}

/* ---- opening ---------------------------------------------------------- */

int store_pragma_int(sqlite3 *db, const char *text, int64_t *ret_value)
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

int store_file_connect(struct store *s, struct sql *sql, bool write)
{
    static const char *const syncs[] = {
        [STORE_SYNC_FULL] = "PRAGMA synchronous = FULL",
        [STORE_SYNC_NORMAL] = "PRAGMA synchronous = NORMAL",
        [STORE_SYNC_OFF] = "PRAGMA synchronous = OFF",
    };
    char limit[64];
    int rc = sql_open(sql, s->path,
                      write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY,
                      write ? writer_texts : reader_texts,
                      write ? WRITER_STATEMENTS : READER_STATEMENTS);

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
        /* A text that is removed, or an account, is gone from the file. */
        write ? "PRAGMA secure_delete = ON" : "",
    };
    for (size_t i = 0; i < COUNT_OF(pragmas) && rc == SQLITE_OK; i++)
        rc = sqlite3_exec(sql->db, pragmas[i], NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        sql_close(sql);
    return rc;
}

/* Makes the file what the statements here expect, and learns how it was left. */
static int prepare(struct store *s, char *error, size_t size)
{
    struct sql sql = {0};
    struct store_health *h = &s->health;
    int64_t restored = 0, running = 0;

    int rc = sql_open(&sql, s->path,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL, 0);
    if (rc == SQLITE_OK)
        rc = store_upgrade(s, sql.db, error, size);
    if (rc == SQLITE_OK)
        rc = store_pragma_int(sql.db, "SELECT restored FROM state", &restored);
    if (rc == SQLITE_OK)
        rc = store_pragma_int(sql.db, "SELECT running FROM state", &running);
    if (rc == SQLITE_OK)
        rc = store_pragma_int(sql.db, "SELECT backup_at FROM state",
                              &h->backup_ms);
    if (rc == SQLITE_OK)
        rc = store_pragma_int(sql.db, "SELECT backup_bytes FROM state",
                              &h->backup_bytes);
    if (rc != SQLITE_OK && error[0] == '\0')
        snprintf(error, size, "cannot open %s: %s%s", s->path,
                 sqlite3_errmsg(sql.db),
                 store_is_damage(rc) ? STORE_MEND : "");
    s->restored = restored != 0;
    h->unclean = running != 0;
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
    int err = store_file_lock(s->dir, &s->file_lock, error, size);
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
    store_file_unlock(&s->file_lock);
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
    bool hurt = store_hurt(s);

    for (int i = 0; i < 3 && rc == SQLITE_OK && !hurt; i++)
        rc = pass(s, &left);
    bool whole = rc == SQLITE_OK && !hurt && last_pass(s);
    store_notice(s, rc, "checkpointing");
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
        } else if (s->look_at_files) {
            s->look_at_files = false;
            store_unlock(s);
            if (!store_hurt(s))
                (void)store_files_moved(s);
            store_lock(s);
        } else if (s->rescue) {
            s->rescue = false;
            store_unlock(s);
            store_rescue(s);
            store_lock(s);
        } else if (s->checkpointer_stop)
            break;
        else
            pthread_cond_wait(&s->checkpointer_wakes, &s->lock);
    }
    store_unlock(s);
    return NULL;
}

/* ---- telling ---------------------------------------------------------- */

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

void store_refuse(struct store *s, void *context, store_backup_cb call,
                  const char *why)
{
    const struct store_progress told = {.finished = true, .error = why};
    store_progress(s, context, call, &told);
}

/* ---- vacuum ------------------------------------------------------------ */

static int file_bytes(sqlite3 *db, int64_t *ret_bytes)
{
    int64_t pages = 0;
    int rc = store_pragma_int(db, "PRAGMA page_count", &pages);
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
    void *context = s->vacuum_context;
    store_backup_cb call = s->vacuum_call;
    s->vacuum = s->vacuuming = false; /* the next may be asked for */
    store_unlock(s);
    if (rc != SQLITE_OK)
        told.error = s->writer.broken ? "the store cannot write"
                                      : sqlite3_errstr(rc);
    else
        store_wal(s, s->writer.wal_frames);
    store_progress(s, context, call, &told);
}

bool store_vacuum(struct store *s, void *context, store_backup_cb end)
{
    if (!s->engine->file) {
        store_refuse(s, context, end, "PostgreSQL vacuums by itself");
        return true;
    }
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

const struct store_engine sqlite_engine = {
    .file = true,
    .connect = store_file_connect,
    .open_writer = sqlite_open_writer,
    .close_writer = sqlite_close_writer,
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .append = sqlite_append,
    .tip = sqlite_tip,
    .drop_log = sqlite_drop_log,
    .read_log = sqlite_read_log,
};
