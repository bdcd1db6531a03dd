/* store_sqlite.h -- the store that is one SQLite file, one thread that writes
 * it: how it is opened, and what a file needs beyond what every store does
 * (store.h): copies of it, a look at all of it, its holes.
 *
 *     loop      store_submit() -> queue -> writer -> COMMIT -+
 *               store_ask()    -> queue -> readers ----------+-> done
 *     wake() <-----------------------------------------------+    |
 *     store_poll() -> stored(), answered(), log(), ... <----------+
 *
 * - The writer takes all transactions that wait, runs them in one of SQLite, a
 *   transaction that conflicts taken back by itself, commits with an fsync,
 *   and only then reports.
 * - If a commit fails every transaction of it is reported TRANSACTION_FAILED.
 *   The writer then asks the file what is true, and tries to write at growing
 *   intervals.
 * - Checkpoints, backups and checks have threads of their own.
 * - Once SQLite, or a check, finds the file damaged nothing is written to it
 *   any more, and transactions fail, until it is opened anew.  Reading goes on.
 *
 * The tables and why they look so: schema/README.md. */

#ifndef SERVER_IO_STORE_SQLITE_H
#define SERVER_IO_STORE_SQLITE_H

#include "store.h"

#define STORE_READERS_MAX 4
#define STORE_BUCKETS     24 /* of the histograms */

/* ---- opening, putting in place, judging ----------------------------------- */

enum store_sync {
    STORE_SYNC_FULL,   /* survives a power cut; the default */
    STORE_SYNC_NORMAL, /* survives a SIGKILL; a power cut may take the last
                        * seconds back */
    STORE_SYNC_OFF     /* for benchmarks and tests */
};

/* Zeroes are the defaults. */
struct store_config {
    enum store_sync sync;
    unsigned readers;     /* threads, 1..STORE_READERS_MAX; default 2 */
    size_t batch_max;     /* transactions of one commit; default 1024 */
    int64_t flush_ms;     /* how old what lists show may get in the file;
                           * default 5000 */
    int64_t tail_max;     /* log rows to be read after a crash; def. 65536 */
    int64_t wal_bytes;    /* when to checkpoint; default 16 MiB.  At four
                           * times that the writer waits for it */
    size_t cache_max;     /* tables the writer remembers; default 32768 */
    int64_t retry_ms_max; /* the longest wait between attempts to write again
                           * after a failure; default 1000.  The first is 10 */
    /* Of PostgreSQL alone: what this server is called among several that have the
     * database.  NULL: it is to have it for itself. */
    const char *node;
};

/* Opens the store in the directory DIR, which is made (0700) if it is not
 * there: DIR/sobremesa.db, DIR/lock.  Brings an older file up to date and
 * finishes what a crash left.  OWNER is copied.  Returns 0 and *RET_STORE; or a
 * negative errno and why, one sentence, in ERROR (of SIZE bytes): -EBUSY if
 * another process has it, -EPROTO if the file is of a newer version or not
 * ours, -EIO for the rest. */
int store_open(const char *dir, const struct store_config *config,
               const struct store_owner *owner, struct store **ret_store,
               char *error, size_t size);

/* Puts the file FROM, a backup's copy or any sound store of this or an older
 * version, in place of the store in DIR, which nobody has open and which is
 * made if it is not there.  What was there is in the new directory KEPT (""
 * if there was nothing).  0, or a negative errno and why in ERROR: as
 * store_open(), and -EINVAL if FROM is the store itself; then DIR is as it was,
 * or, after an error in the last moment, opened by nobody until it is restored
 * again. */
int store_restore(const char *dir, const char *from, char *kept,
                  size_t kept_size, char *error, size_t size);

/* A table whose log is wrong, and why. */
typedef void (*store_wrong_cb)(void *context, id_num table, const char *why);

struct store_verdict {
    uint64_t tables; /* all there are, of them ... */
    uint64_t wrong;
    uint64_t newer; /* by rules that this program does not know: not judged */
};

/* Judges the file PATH, a store or a backup's copy, without changing anything:
 * all of it, then every table's log; WRONG is called for those that are.  0, or
 * a negative errno and why in ERROR if the file itself is not whole (-EUCLEAN)
 * or cannot be read; then the tables are not looked at. */
int store_verify(const char *path, void *context, store_wrong_cb wrong,
                 struct store_verdict *verdict, char *error, size_t size);

/* ---- while it is open ---------------------------------------------------- */

/* Of a backup or vacuum: DONE of TOTAL pages so far; at the end once with
 * FINISHED set, ERROR NULL if it is there and whole, else why not. */
struct store_progress {
    int64_t done, total;
    bool finished;
    const char *error;
};
typedef void (*store_backup_cb)(void *context,
                                const struct store_progress *progress);

/* Copies the file as it is now to PATH, which must not exist, while everything
 * goes on.  The copy is looked at, all of it, before it gets its name: at PATH
 * there is a whole one or nothing.  It says that it is one, see
 * store_restored().  One at a time.  CONTEXT and PROGRESS are called
 * back from store_poll(), now and then and at the end.  Returns false if one is
 * under way. */
bool store_backup(struct store *store, const char *path, void *context,
                  store_backup_cb progress);

/* Looks at all of the file, in the background; store_health() tells how far it
 * is and what came of it.  False if that is under way. */
bool store_check(struct store *store);
void store_check_stop(struct store *store);

/* Writes the file anew without its holes.  Transactions wait meanwhile,
 * questions do not.  Called back once, at the end, with the bytes of the file
 * before (TOTAL) and now (DONE).  Returns false if it is under way. */
bool store_vacuum(struct store *store, void *context, store_backup_cb end);

/* Whether the file was once a backup's copy and store_settled() has not been
 * called since: people may have seen what came after it.  store_settled()
 * takes effect with the next commit; submit what it is about before. */
bool store_restored(const struct store *store);
void store_settled(struct store *store);

enum store_check_state {
    CHECK_NEVER, /* since the start */
    CHECK_RUNNING,
    CHECK_WHOLE,
    CHECK_DAMAGED,
    CHECK_STOPPED,
    CHECK_FAILED /* the file could not be read */
};

struct store_health {
    bool unclean;     /* the last end was not orderly */
    char damage[256]; /* how the file is damaged, or that another one is in its
                       * place; "": nobody knows of any */
    bool moved;       /* so it is the latter */
    enum store_check_state check;
    int64_t check_ms;                /* when the last one ended, 0: none */
    int64_t check_done, check_total; /* of the one that is RUNNING, pages */
    int64_t backup_ms, backup_bytes; /* the last good one, ever; 0: none */
    bool backup_running;
};
void store_health(struct store *store, struct store_health *health);

/* Looks, on a thread of the store's, whether the file, its WAL and its index are
 * still those of their names; if not it is as with a damaged file, and what was
 * stored until then is copied to DIR/rescued-TIME.db.  Call it every few seconds. */
void store_watch_files(struct store *store);

/* For /metrics: counted since the start, or as it is now.  Bucket I of a
 * histogram counts what is < 2^I, and is not in an earlier one; the last also
 * what is larger. */
struct store_stats {
    uint64_t transactions_stored, transactions_conflict, transactions_failed;
    uint64_t plies; /* rows appended */
    uint64_t commits, commits_failed;
    uint64_t batch[STORE_BUCKETS];     /* transactions of a commit */
    uint64_t commit_us[STORE_BUCKETS]; /* BEGIN to COMMIT's return */
    uint64_t commit_us_sum;
    uint64_t answers, answers_failed;
    uint64_t answer_us[STORE_BUCKETS];
    uint64_t answer_us_sum;
    uint64_t flushed;                /* table rows written later */
    uint64_t checkpoints;            /* that got to the end of the WAL */
    uint64_t checkpoint_held_us_max; /* the writer, by one of them */
    /* As it is now. */
    uint64_t transactions_waiting, questions_waiting;
    uint64_t cache, cache_dirty; /* tables the writer remembers */
    uint64_t wal_bytes;
    uint64_t file_bytes, free_bytes; /* of the file; of them, its holes */
    bool writable;
};
void store_stats(struct store *store, struct store_stats *stats);

#endif
