/* store_jobs.c -- what goes through all of the file while everything goes on:
 * backups, and looking whether it is whole.
 *
 * Each has a thread of its own, which gives way to all others.  A backup reads
 * a snapshot, so that no commit makes it begin anew; the WAL grows until it is
 * done. */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base.h"
#include "store_inner.h"
#include "thread.h"

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- jobs ------------------------------------------------------------- */

/* Takes note of how far JOB is; false if it has to stop. */
static bool go_on(void *job, int64_t done, int64_t total)
{
    struct job *j = job;

    store_lock(j->store);
    j->done = done;
    j->total = total;
    bool stop = j->stop;
    store_unlock(j->store);
    return !stop;
}

static void working(void *job, sqlite3 *db)
{
    struct job *j = job;

    store_lock(j->store);
    j->db = db;
    store_unlock(j->store);
}

static struct file_watch watch_of(struct job *j)
{
    return (struct file_watch){j, go_on, working};
}

/* Begins JOB by RUN; false if it is under way, or the store closes. */
static bool begin(struct store *s, struct job *j, const char *name,
                  void *(*run)(void *))
{
    store_lock(s);
    bool busy = j->running || s->closing;
    if (!busy) {
        j->running = true;
        j->stop = false;
        j->done = j->total = 0;
    }
    store_unlock(s);
    if (busy)
        return false;
    if (j->started)
        pthread_join(j->thread, NULL);
    j->store = s;
    j->started = thread_start(&j->thread, name, run, j) == 0;
    return true;
}

/* The lock is held. */
static void stop(struct job *j)
{
    j->stop = true;
    if (j->db != NULL)
        sqlite3_interrupt(j->db);
}

void store_jobs_stop(struct store *s)
{
    stop(&s->backup);
    stop(&s->check);
}

void store_jobs_join(struct store *s)
{
    if (s->backup.started)
        pthread_join(s->backup.thread, NULL);
    if (s->check.started)
        pthread_join(s->check.thread, NULL);
    free(s->backup_path);
}

/* Opens the store's file with a snapshot of it. */
static int open_snapshot(struct store *s, struct sql *sql)
{
    int rc = sql_open(sql, s->path, SQLITE_OPEN_READONLY, NULL, 0);

    if (rc == SQLITE_OK)
        rc = sqlite3_exec(sql->db, "BEGIN; SELECT one FROM state", NULL, NULL,
                          NULL);
    return rc;
}

/* ---- backups ---------------------------------------------------------- */

/* A part of a file that is being made is told now and then.  Once it is not
 * running any more the next may begin: whom to tell is read before that. */
static void tell_backup(struct store *s, bool finished, const char *error)
{
    store_lock(s);
    struct store_progress told = {
        .done = s->backup.done,
        .total = s->backup.total,
        .finished = finished,
        .error = error,
    };
    void *context = s->backup_context;
    store_backup_cb call = s->backup_call;
    if (finished)
        s->backup.running = false;
    store_unlock(s);
    store_progress(s, context, call, &told);
}

static bool backup_goes_on(void *job, int64_t done, int64_t total)
{
    struct job *j = job;
    bool on = go_on(job, done, total);

    if (on && j->steps++ % 16 == 0)
        tell_backup(j->store, false, NULL);
    return on;
}

/* The moment of the last good one is kept in the file, by the writer. */
static void note_backup(struct store *s, int64_t at_ms, int64_t bytes)
{
    store_lock(s);
    s->health.backup_ms = at_ms;
    s->health.backup_bytes = bytes;
    s->note_backup = true;
    pthread_cond_signal(&s->writer_wakes);
    store_unlock(s);
}

/* Copies a snapshot of the store; its pages, or why not in ERROR. */
static int64_t copy_snapshot(struct job *j, int64_t began_ms, char *error,
                             size_t size)
{
    struct store *s = j->store;
    struct file_watch watch = watch_of(j);
    struct sql from = {0};
    int64_t pages = 0;

    watch.go_on = backup_goes_on;
    int rc = open_snapshot(s, &from);
    if (rc == SQLITE_OK)
        rc = store_pragma_int(from.db, "PRAGMA page_count", &pages);
    if (rc != SQLITE_OK) {
        store_notice(s, rc, "copying it");
        snprintf(error, size, "%s", sqlite3_errstr(rc));
    } else if (store_copy(from.db, s->backup_path, began_ms, &watch, error,
                          size) == -EUCLEAN)
        (void)store_check(s); /* so is it the store, or only the copy? */
    sql_close(&from);
    return pages;
}

static void *run_backup(void *job)
{
    struct job *j = job;
    struct store *s = j->store;
    char error[512] = "";
    int64_t began_ms = now_ms(), pages = 0;

    thread_give_way();
    if (store_files_moved(s))
        snprintf(error, sizeof(error),
                 "another file is in the place of the store's, or none");
    else
        pages = copy_snapshot(j, began_ms, error, sizeof(error));
    if (error[0] == '\0')
        note_backup(s, began_ms, pages * PAGE_BYTES);
    tell_backup(s, true, error[0] != '\0' ? error : NULL);
    return NULL;
}

bool store_backup(struct store *s, const char *path, void *context,
                  store_backup_cb call)
{
    if (!s->engine->file) {
        store_refuse(s, context, call,
                     "a store on PostgreSQL is copied by pg_dump or "
                     "pg_basebackup");
        return true;
    }
    store_lock(s);
    bool busy = s->backup.running || s->closing;
    store_unlock(s);
    if (busy)
        return false;
    free(s->backup_path);
    s->backup_path = strdup(path);
    ASSERT(s->backup_path != NULL);
    s->backup_context = context;
    s->backup_call = call;
    (void)begin(s, &s->backup, "backup", run_backup);
    if (!s->backup.started)
        tell_backup(s, true, "there is no thread for it");
    return true;
}

/* ---- whether it is whole ------------------------------------------------ */

static void end_check(struct store *s, enum store_check_state state)
{
    store_lock(s);
    s->check.running = false;
    s->health.check = state;
    s->health.check_ms = now_ms();
    store_unlock(s);
}

static void *run_check(void *job)
{
    struct job *j = job;
    struct store *s = j->store;
    struct file_watch watch = watch_of(j);
    struct sql sql = {0};
    char error[512] = "";
    int64_t began_us = store_now_us();

    thread_give_way();
    if (store_files_moved(s)) {
        end_check(s, CHECK_FAILED);
        return NULL;
    }
    int rc = sql_open(&sql, s->path, SQLITE_OPEN_READONLY, NULL, 0);
    if (rc == SQLITE_OK) {
        working(j, sql.db);
        rc = store_file_check(sql.db, &watch, error, sizeof(error));
        working(j, NULL);
    }
    sql_close(&sql);
    int64_t ms = (store_now_us() - began_us) / 1000;
    if (rc == SQLITE_OK) {
        end_check(s, CHECK_WHOLE);
        store_say(s, LOG_NOTICE,
                  "all of the file was looked at, for %lld ms: it is whole",
                  (long long)ms);
    } else if (store_is_damage(rc) || rc == SQLITE_MISMATCH) {
        store_damaged(s, error);
        end_check(s, CHECK_DAMAGED);
    } else {
        bool stopped = (rc & 0xff) == SQLITE_INTERRUPT;
        end_check(s, stopped ? CHECK_STOPPED : CHECK_FAILED);
        if (!stopped)
            store_say(s, LOG_ERROR, "the file cannot be looked at: %s (%d)",
                      sqlite3_errstr(rc), rc);
    }
    return NULL;
}

bool store_check(struct store *s)
{
    if (!s->engine->file)
        return false; /* PostgreSQL looks after its pages itself */
    if (!begin(s, &s->check, "check", run_check))
        return false;
    if (!s->check.started)
        end_check(s, CHECK_FAILED);
    return true;
}

void store_check_stop(struct store *s)
{
    store_lock(s);
    stop(&s->check);
    store_unlock(s);
}

/* ---- damage ----------------------------------------------------------- */

bool store_is_damage(int rc)
{
    return (rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB;
}

/* Nothing is made worse: what is in the file and its WAL stays as it is, and
 * what is whole of it can be read.  False if that is so already. */
static bool stop_writing(struct store *s, const char *why)
{
    store_lock(s);
    bool known = s->health.damage[0] != '\0';
    if (!known) {
        snprintf(s->health.damage, sizeof(s->health.damage), "%s", why);
        s->stats.writable = false;
        pthread_cond_signal(&s->writer_wakes);
    }
    store_unlock(s);
    return !known;
}

void store_damaged(struct store *s, const char *what)
{
    if (stop_writing(s, what))
        store_say(s, LOG_ERROR,
                  "%s; from now on nothing is written, what can be read is "
                  "read. Stop the server and put the last good backup in its "
                  "place: sobremesactl restore FILE",
                  what);
}

void store_lost(struct store *s, const char *what)
{
    if (!stop_writing(s, what))
        return;
    store_say(s, LOG_ERROR, "%s; from now on nothing is written", what);
    store_lock(s);
    s->health.moved = s->rescue = true;
    pthread_cond_signal(&s->checkpointer_wakes);
    store_unlock(s);
}

void store_notice(struct store *s, int rc, const char *where)
{
    char what[160];

    if (!store_is_damage(rc))
        return;
    snprintf(what, sizeof(what), "the file is damaged: %s, %s",
             sqlite3_errstr(rc), where);
    store_damaged(s, what);
}

bool store_hurt(struct store *s)
{
    store_lock(s);
    bool hurt = s->health.damage[0] != '\0';
    store_unlock(s);
    return hurt;
}

void store_health(struct store *s, struct store_health *health)
{
    store_lock(s);
    *health = s->health;
    if (s->check.running)
        health->check = CHECK_RUNNING;
    health->check_done = s->check.done;
    health->check_total = s->check.total;
    health->backup_running = s->backup.running;
    store_unlock(s);
}
