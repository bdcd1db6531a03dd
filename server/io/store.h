/* store.h -- what lasts: one SQLite file, one thread that writes it.
 *
 * The loop hands over transactions and questions and goes on; nothing here
 * makes it wait but store_open() and store_close().
 *
 *     loop      store_submit() -> queue -> writer -> COMMIT -+
 *               store_ask()    -> queue -> readers ----------+-> done
 *     wake() <-----------------------------------------------+    |
 *     store_poll() -> stored(), answered(), log(), ... <----------+
 *
 * - The writer takes all transactions that wait, runs them in one of SQLite, a
 *   transaction that conflicts taken back by itself, commits with an fsync,
 *   and only then reports.  TRANSACTION_STORED means: a power cut does not
 *   take it back.
 * - If a commit fails every transaction of it is reported TRANSACTION_FAILED.
 *   The writer then asks the file what is true, and until writing works again,
 *   which it tries by itself at growing intervals, transactions fail at once.
 *   Reading goes on.
 * - A question is answered from a moment at which every transaction handed
 *   over before it has been decided and reported.
 * - Checkpoints, backups and checks have threads of their own.
 * - Once SQLite, or a check, finds the file damaged nothing is written to it
 *   any more, and transactions fail, until it is opened anew.  Reading goes on.
 *
 * The tables and why they look so: schema/README.md.  No libuv in here: wake()
 * is uv_async_send() in the daemon, a condition variable in tests. */

#ifndef SERVER_IO_STORE_H
#define SERVER_IO_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/hub/host.h"
#include "server/hub/transaction.h"

#define STORE_READERS_MAX 4
#define STORE_BUCKETS     24 /* of the histograms */

struct store;

/* How the owner hears of things.  wake() may come from any thread, and already
 * before store_open() returns.  The others are called on the thread that calls
 * store_poll(), from within it (or store_close(), which refuses new work), and
 * may call store_submit() and store_ask().  ANSWER and what it points to are
 * gone when answered() returns, but for what was taken out of it, and so is
 * TEXT. */
typedef void (*store_wake_cb)(void *context); /* on any thread */
typedef void (*store_result_cb)(void *context, transaction_id transaction,
                                const struct unit_outcome *outcome);
typedef void (*store_answer_cb)(void *context, ask_id ask,
                                struct answer *answer);
typedef void (*store_log_cb)(void *context, enum host_level level,
                             const char *text);

/* Of a backup or vacuum: DONE of TOTAL pages so far; at the end once with FINISHED set,
 * ERROR NULL if it is there and whole, else why not. */
struct store_progress {
    int64_t done, total;
    bool finished;
    const char *error;
};
typedef void (*store_backup_cb)(void *context,
                                const struct store_progress *progress);

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
};

struct store_owner {
    void *context;
    store_wake_cb wake;
    store_result_cb stored;
    store_answer_cb answered;
    store_log_cb log; /* may be NULL */
    /* Whether store_poll() has called enough of them for now and is to come back
     * to the rest after wake(); NULL: never. */
    bool (*enough)(void *context);
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

/* Finishes and reports all that was handed over, writes what was to be written
 * later, checkpoints, closes.  NULL is fine. */
void store_close(struct store *store);

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

/* Stores TRANSACTION, taking over its contents: it is empty afterwards.  One
 * stored() with ID follows; they come in the order of the transactions. */
void store_submit(struct store *store, transaction_id id,
                  struct transaction *transaction);

/* The same for several at once, for an owner who has them: nothing is done
 * about what is queued before store_go().  store_ask() and store_close() go,
 * too. */
void store_queue(struct store *store, transaction_id id,
                 struct transaction *transaction);
void store_go(struct store *store);

/* Asks QUESTION, which is copied.  One answered() with ID follows; answers come
 * in any order, but after the stored() of all transactions handed over before.
 * What the answers hold beyond what transaction.h says:
 * - ASK_TABLES: newest by creation first, behind AFTER (an id that is not there
 *   ends the list).  Only those that the asker may see (access_sees()), but
 *   all with ALL.
 * - ASK_MINE: where ACCOUNT sits, and open tables it is invited to.  Those that
 *   wait for it first, the longest first; then the last changed first.  It goes
 *   on behind the place that AFTER, AFTER_WAITS and AFTER_AT name, whatever is
 *   there now.
 * - ASK_MINE, `unread`: others' texts beyond the mark that the asker may read
 *   (access_reads()), for who sits there or has a mark.
 * - ASK_TABLE: `names` are all who ever sat there, are invited, and the owner.
 * - ASK_TEXTS: in rising order; `more` if there are earlier ones.
 * - ASK_TOKENS: oldest first.
 * - LIMIT 0 is 100. */
void store_ask(struct store *store, ask_id id,
               const struct question *question);

/* Calls back for everything there is.  Call it after wake(). */
void store_poll(struct store *store);

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
    char damage[256]; /* how the file is damaged; "": nobody knows of any */
    enum store_check_state check;
    int64_t check_ms;                /* when the last one ended, 0: none */
    int64_t check_done, check_total; /* of the one that is RUNNING, pages */
    int64_t backup_ms, backup_bytes; /* the last good one, ever; 0: none */
    bool backup_running;
};
void store_health(struct store *store, struct store_health *health);

/* For /readyz: the last attempt to write was good. */
bool store_writable(struct store *store);

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
