/* store.c -- opening, handing over, handing back, closing. */

#include "store_sqlite.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base.h"
#include "store_inner.h"
#include "thread.h"

#define LIST_DEFAULT 100
#define RANKED_MAX   64 /* answers that are compared to find the next */

/* ---- small things ------------------------------------------------------ */

int64_t store_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void store_lock(struct store *s)
{
    int err = pthread_mutex_lock(&s->lock);
    ASSERT(err == 0);
}

void store_unlock(struct store *s)
{
    int err = pthread_mutex_unlock(&s->lock);
    ASSERT(err == 0);
}

void work_put(struct work_queue *q, struct work *w)
{
    w->next = NULL;
    *q->end = w;
    q->end = &w->next;
    q->count++;
}

struct work *work_take(struct work_queue *q)
{
    struct work *w = q->first;

    if (w == NULL)
        return NULL;
    q->first = w->next;
    if (q->first == NULL)
        q->end = &q->first;
    q->count--;
    return w;
}

bool store_done(struct store *s, struct work *w)
{
    bool wake = !s->woken;

    work_put(w->kind == WORK_ASK ? &s->answered : &s->done, w);
    s->woken = true;
    return wake;
}

void store_say(struct store *s, enum host_level level, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    ASSERT(len >= 0);
    struct log_work *l = calloc(1, sizeof(*l) + (size_t)len + 1);
    ASSERT(l != NULL);
    vsnprintf(l->text, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    l->work.kind = WORK_LOG;
    l->level = level;
    store_lock(s);
    bool wake = store_done(s, &l->work);
    store_unlock(s);
    if (wake)
        s->owner.wake(s->owner.context);
}

void store_count(uint64_t *histogram, uint64_t value)
{
    unsigned i = 0;

    while (i + 1 < STORE_BUCKETS && value >> i != 0)
        i++;
    histogram[i]++;
}

/* ---- opening ---------------------------------------------------------- */

static struct store_config complete(const struct store_config *config)
{
    struct store_config c = *config;

    if (c.readers == 0)
        c.readers = 2;
    if (c.readers > STORE_READERS_MAX)
        c.readers = STORE_READERS_MAX;
    if (c.batch_max == 0)
        c.batch_max = 1024;
    if (c.flush_ms == 0)
        c.flush_ms = 5000;
    if (c.tail_max == 0)
        c.tail_max = 65536;
    if (c.wal_bytes == 0)
        c.wal_bytes = 16 << 20;
    if (c.cache_max == 0)
        c.cache_max = 32768;
    if (c.retry_ms_max == 0)
        c.retry_ms_max = 1000;
    return c;
}

struct store *store_new(const struct store_engine *engine,
                        const struct store_config *config,
                        const struct store_owner *owner)
{
    struct store *s = calloc(1, sizeof(*s));
    pthread_condattr_t monotonic;

    ASSERT(s != NULL);
    s->engine = engine;
    s->config = complete(config);
    s->owner = *owner;
    s->file_lock = (struct store_lock){-1, -1};
    s->queued.end = &s->queued.first;
    s->transactions.end = &s->transactions.first;
    for (unsigned i = 0; i < STORE_RANKS; i++)
        s->asks[i].end = &s->asks[i].first;
    s->done.end = &s->done.first;
    s->answered.end = &s->answered.first;
    s->shown = &s->writer.cache.map;
    s->backup.store = s->check.store = s;
    s->checkpoint_at = s->config.wal_bytes / PAGE_BYTES;
    s->stats.writable = true;
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->writer_wakes, &monotonic);
    pthread_cond_init(&s->readers_wake, NULL);
    pthread_cond_init(&s->checkpointer_wakes, NULL);
    pthread_condattr_destroy(&monotonic);
    return s;
}

static int start_readers(struct store *s)
{
    for (unsigned i = 0; i < s->config.readers; i++) {
        struct reader *r = calloc(1, sizeof(*r));
        ASSERT(r != NULL);
        r->store = s;
        r->sql = &s->reader_sql[i];
        int rc = s->engine->connect(s, r->sql, false);
        if (rc != SQLITE_OK || thread_start(&s->reader_threads[i], "reader",
                                            store_reader, r) != 0) {
            free(r);
            return rc != SQLITE_OK ? rc : SQLITE_NOMEM;
        }
        s->readers_started++;
    }
    return SQLITE_OK;
}

int store_start(struct store *s)
{
    int rc = s->engine->open_writer(s);

    if (rc == SQLITE_OK)
        rc = start_readers(s);
    if (rc != SQLITE_OK)
        return rc;
    s->writer_started = thread_start(&s->writer_thread, "writer", store_writer,
                                     s) == 0;
    return s->writer_started ? SQLITE_OK : SQLITE_NOMEM;
}

static int start_checkpointer(struct store *s)
{
    int rc = store_file_connect(s, &s->checkpointer_sql, true);

    if (rc != SQLITE_OK)
        return rc;
    s->checkpointer_started = thread_start(&s->checkpointer_thread,
                                           "checkpointer", store_checkpointer,
                                           s) == 0;
    return s->checkpointer_started ? SQLITE_OK : SQLITE_NOMEM;
}

int store_open(const char *dir, const struct store_config *config,
               const struct store_owner *owner, struct store **ret_store,
               char *error, size_t size)
{
    ASSERT(size > 0 && owner->wake != NULL);
    ASSERT(owner->stored != NULL && owner->answered != NULL);

    /* A mutex around every malloc() less; has no effect a second time. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    /* Where a vacuum makes the new file: /var/tmp may have less room. */
    sqlite3_free(sqlite3_temp_directory);
    sqlite3_temp_directory = sqlite3_mprintf("%s", dir);
    error[0] = '\0';
    struct store *s = store_new(&sqlite_engine, config, owner);
    s->dir = strdup(dir);
    int n = asprintf(&s->path, "%s/sobremesa.db", dir);
    ASSERT(s->dir != NULL && n > 0);
    int err = store_file_open(s, error, size);
    if (err == 0) {
        int rc = start_checkpointer(s);
        if (rc == SQLITE_OK)
            rc = store_start(s);
        if (rc == SQLITE_OK) {
            store_files_note(s);
            *ret_store = s;
            return 0;
        }
        snprintf(error, size, "cannot open %s: %s%s", s->path,
                 sqlite3_errstr(rc), store_is_damage(rc) ? STORE_MEND : "");
        err = -EIO;
    }
    s->owner = (struct store_owner){.wake = owner->wake,
                                    .context = owner->context};
    store_close(s);
    return err;
}

/* ---- handing over ------------------------------------------------------ */

void store_queue(struct store *s, transaction_id id,
                 struct transaction *transaction)
{
    struct transaction_work *u = calloc(1, sizeof(*u));

    ASSERT(u != NULL);
    u->work.kind = WORK_TRANSACTION;
    u->work.id = id;
    u->transaction = *transaction;
    transaction_init(transaction);
    work_put(&s->queued, &u->work);
}

void store_go(struct store *s)
{
    bool wake = false;
    struct work *w;

    if (s->queued.count == 0)
        return;
    store_lock(s);
    bool idle = s->transactions.count == 0;
    s->submitted += s->queued.count;
    while ((w = work_take(&s->queued)) != NULL) {
        if (!s->closing) {
            work_put(&s->transactions, w);
            continue;
        }
        s->decided++;
        ((struct transaction_work *)w)->outcome.result = TRANSACTION_FAILED;
        wake |= store_done(s, w);
    }
    if (idle && s->transactions.count > 0)
        pthread_cond_signal(&s->writer_wakes);
    store_unlock(s);
    if (wake)
        s->owner.wake(s->owner.context);
}

void store_submit(struct store *s, transaction_id id,
                  struct transaction *transaction)
{
    store_queue(s, id, transaction);
    store_go(s);
}

void store_ask(struct store *s, ask_id id, const struct question *question)
{
    struct ask_work *a = calloc(1, sizeof(*a));
    bool wake = false;

    ASSERT(a != NULL);
    a->work.kind = WORK_ASK;
    a->work.id = id;
    a->work.at_us = store_now_us();
    a->question = question_copy(&a->region, question);
    if (question->limit == 0)
        a->question.limit = LIST_DEFAULT;
    unsigned rank = s->owner.rank != NULL ? s->owner.rank(s->owner.context, id)
                                          : 0;
    a->work.rank = rank < STORE_RANKS ? rank : STORE_RANKS - 1;
    store_go(s);
    store_lock(s);
    a->work.after = s->submitted;
    if (!s->closing) {
        work_put(&s->asks[a->work.rank], &a->work);
        s->asked++;
        pthread_cond_signal(&s->readers_wake);
    } else {
        a->answer.failed = true;
        wake = store_done(s, &a->work);
    }
    store_unlock(s);
    if (wake)
        s->owner.wake(s->owner.context);
}

/* Of one rank they are in the order of what they wait for. */
struct work_queue *store_next_asks(struct store *s)
{
    for (unsigned i = 0; i < STORE_RANKS; i++)
        if (s->asks[i].first != NULL && s->asks[i].first->after <= s->decided)
            return &s->asks[i];
    return NULL;
}

/* ---- handing back ------------------------------------------------------ */

static void hand_back(struct store *s, struct work *w)
{
    const struct store_owner *o = &s->owner;
    struct transaction_work *u = (struct transaction_work *)w;
    struct ask_work *a = (struct ask_work *)w;
    struct log_work *l = (struct log_work *)w;
    struct progress_work *p = (struct progress_work *)w;

    switch (w->kind) {
    case WORK_TRANSACTION:
        transaction_done(&u->transaction);
        if (o->stored != NULL)
            o->stored(o->context, w->id, &u->outcome);
        break;
    case WORK_ASK:
        if (o->answered != NULL)
            o->answered(o->context, w->id, &a->answer);
        answer_done(&a->answer);
        region_done(&a->region);
        break;
    case WORK_LOG:
        if (o->log != NULL)
            o->log(o->context, l->level, l->text);
        break;
    case WORK_NEWS:
        if (o->news != NULL)
            o->news(o->context);
        break;
    case WORK_PROGRESS: p->call(p->context, &p->progress); break;
    }
    free(w);
}

/* Puts what FROM has behind what Q has. */
static void work_append(struct work_queue *q, struct work_queue *from)
{
    if (from->count == 0)
        return;
    *q->end = from->first;
    q->end = from->end;
    q->count += from->count;
    *from = (struct work_queue){.end = &from->first};
}

/* Puts what was taken of what is done back, before all that is by now. */
static void put_back(struct store *s, struct work_queue *results,
                     struct work_queue *answers)
{
    store_lock(s);
    work_append(results, &s->done);
    work_append(&s->done, results);
    work_append(answers, &s->answered);
    work_append(&s->answered, answers);
    s->woken = true;
    store_unlock(s);
    s->owner.wake(s->owner.context);
}

/* The answer that is called next; NULL if there is none. */
static struct work *take_answer(struct store *s, struct work_queue *answers)
{
    struct work **best = &answers->first;
    unsigned least = UINT_MAX, looks = 0;

    if (answers->count < 2 || s->owner.rank == NULL)
        return work_take(answers);
    for (struct work **at = best;
         *at != NULL && least > 0 && looks++ < RANKED_MAX; at = &(*at)->next) {
        unsigned rank = s->owner.rank(s->owner.context, (*at)->id);
        if (rank < least) {
            best = at;
            least = rank;
        }
    }
    struct work *w = *best;
    ASSERT(w != NULL);
    *best = w->next;
    if (w->next == NULL)
        answers->end = best;
    answers->count--;
    return w;
}

void store_poll(struct store *s)
{
    struct work_queue results = {.end = &results.first};
    struct work_queue answers = {.end = &answers.first};
    struct work *w;

    store_lock(s);
    work_append(&results, &s->done);
    work_append(&answers, &s->answered);
    s->woken = false;
    store_unlock(s);
    while ((w = work_take(&results)) != NULL ||
           (w = take_answer(s, &answers)) != NULL) {
        hand_back(s, w);
        if (results.count + answers.count > 0 && !s->closing &&
            s->owner.enough != NULL && s->owner.enough(s->owner.context)) {
            put_back(s, &results, &answers);
            break;
        }
    }
}

/* ---- closing ---------------------------------------------------------- */

static void stop_threads(struct store *s)
{
    store_lock(s);
    s->closing = true;
    store_jobs_stop(s);
    if (s->vacuuming)
        sqlite3_interrupt(s->writer.sql.db);
    pthread_cond_signal(&s->writer_wakes);
    store_unlock(s);
    if (s->writer_started)
        pthread_join(s->writer_thread, NULL);
    store_lock(s);
    s->readers_stop = s->checkpointer_stop = true;
    pthread_cond_broadcast(&s->readers_wake);
    pthread_cond_broadcast(&s->checkpointer_wakes);
    store_unlock(s);
    for (unsigned i = 0; i < s->readers_started; i++)
        pthread_join(s->reader_threads[i], NULL);
    if (s->checkpointer_started)
        pthread_join(s->checkpointer_thread, NULL);
    store_jobs_join(s);
}

/* The last one to close copies the WAL into the file and removes it; what is
 * damaged is left as it is. */
static void close_file(struct store *s)
{
    sqlite3 *db = s->checkpointer_sql.db;

    if (db != NULL && store_hurt(s))
        sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    else if (db != NULL)
        store_notice(s,
                     sqlite3_wal_checkpoint_v2(db, NULL,
                                               SQLITE_CHECKPOINT_TRUNCATE,
                                               NULL, NULL),
                     "closing it");
    sql_close(&s->checkpointer_sql);
    store_file_close(s);
}

void store_close(struct store *s)
{
    if (s == NULL)
        return;
    store_go(s);
    pq_news_close(s->postgresql);
    stop_threads(s);
    for (unsigned i = 0; i < STORE_READERS_MAX; i++)
        sql_close(&s->reader_sql[i]);
    writer_close(s);
    if (s->engine->file)
        close_file(s);
    while (s->done.count + s->answered.count > 0) {
        store_poll(s);
        store_go(s);
    }
    pthread_cond_destroy(&s->writer_wakes);
    pthread_cond_destroy(&s->readers_wake);
    pthread_cond_destroy(&s->checkpointer_wakes);
    pthread_mutex_destroy(&s->lock);
    postgresql_free(s->postgresql);
    free(s->dir);
    free(s->path);
    free(s);
}

/* ---- asking about the store itself -------------------------------------- */

bool store_restored(const struct store *s)
{
    struct store *any = (struct store *)s; /* for the lock */

    store_lock(any);
    bool restored = s->restored;
    store_unlock(any);
    return restored;
}

void store_settled(struct store *s)
{
    store_lock(s);
    if (s->restored) {
        s->settle = true;
        pthread_cond_signal(&s->writer_wakes);
    }
    store_unlock(s);
}

bool store_writable(struct store *s)
{
    store_lock(s);
    bool writable = s->stats.writable;
    store_unlock(s);
    return writable;
}

void store_stats(struct store *s, struct store_stats *stats)
{
    store_lock(s);
    *stats = s->stats;
    stats->transactions_waiting = s->submitted - s->decided;
    stats->questions_waiting = s->asked;
    store_unlock(s);
}
