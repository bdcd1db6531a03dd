/* store_inner.h -- what the files of the store share; see store_sqlite.h and
 * store_postgresql.h.
 *
 *     store.c        queues, threads, results, opening and closing
 *     store_file.c   lock, connections, checkpoints, vacuum
 *     store_upgrade.c  what version it is; migrations, after a copy
 *     store_check.c  whether a file is whole
 *     store_copy.c   a copy of a file, checked before it gets its name
 *     store_jobs.c   backups and checks while everything goes on; damage
 *     store_moved.c  whether the open files still have their names
 *     store_verify.c  a file judged without a server
 *     store_restore.c  a backup's copy in place of the store
 *     store_write.c  the writer: transactions, batches, failures
 *     store_ops.c    what the ops of a transaction write
 *     store_accounts.c  those about addresses, second factors, devices
 *     store_cache.c  what the writer knows of tables; writing it behind
 *     store_read.c   the readers, and what their answers share
 *     store_one.c    questions about one thing
 *     store_lists.c  questions about many tables
 *     store_admin.c  questions of the administrator
 *     store_outbox.c  ops and questions of what people are told
 *     store_time.c   those about hours, absences and outages
 *     store_results.c  those about what became of games, and ratings
 *     store_walk.c   every table's log in a file, for who has no server
 *     store_replay.c  the same, played again by this version's rules
 *     store_sql.c    prepared statements, of whatever database
 *     store_pq.c     those of PostgreSQL
 *     store_pq_texts.c  statements that are others there
 *     store_pq_batch.c  a batch there: what it judges by, what it writes at once
 *     store_pq_news.c  several servers on one
 *     store_postgresql.c  opening one, connections, who may have it
 *
 * One mutex, `lock`, guards what several threads share; nobody holds it while
 * they work with the file. */

#ifndef SERVER_IO_STORE_INNER_H
#define SERVER_IO_STORE_INNER_H

#include <pthread.h>
#include <sys/types.h>

#include "server/hub/map.h"
#include "store_sqlite.h"
#include "store_sql.h"

#define SUMMARY_BYTES_MAX 224 /* bytes of a packed summary */
#define PAGE_BYTES        4096
#define MILESTONE_PLIES   256        /* 0014_milestones.sql has them, too */
#define APPLICATION_ID    0x536f6272 /* "Sobr" */
#define STORE_PART        ".sobremesa-part" /* of a copy to be */

/* ---- work ------------------------------------------------------------- */

enum work_kind {
    WORK_TRANSACTION,
    WORK_ASK,
    WORK_LOG,
    WORK_NEWS,
    WORK_PROGRESS
};

/* What is handed over or handed back: the beginning of the structs below. */
struct work {
    struct work *next;
    enum work_kind kind;
    uint64_t id;
    uint64_t after; /* ASK: transactions that must be decided before */
    int64_t at_us;  /* ASK: when it was asked */
    unsigned rank;  /* ASK: by then, below STORE_RANKS */
};

struct transaction_work {
    struct work work;
    struct transaction transaction;
    struct transaction_outcome outcome;
};

struct ask_work {
    struct work work;
    struct region region; /* of the question */
    struct question question;
    struct answer answer;
};

struct log_work {
    struct work work;
    enum host_level level;
    char text[];
};

struct progress_work {
    struct work work;
    struct store_progress progress;
    void *context;
    store_backup_cb call;
    char error[];
};

/* What has a higher rank is as the last of these. */
#define STORE_RANKS 10

struct work_queue {
    struct work *first, **end;
    size_t count;
};

/* The questions of which one may be answered by now, and next; NULL: none.
 * Under the lock. */
struct work_queue *store_next_asks(struct store *s);

/* ---- the cache of tables ------------------------------------------------ */

/* Where a table's log ends, and what lists show of it. */
struct log_tip {
    int64_t row;                /* id of its last row in the log; 0: none */
    int64_t ply;                /* of that; -1: none */
    uint8_t chain[SHA256_SIZE]; /* of that */
    struct summary summary;
};

/* What the writer knows of a table.  `tables` has the same, but only now and
 * then: what is `dirty` is still to be written there.  A change of state or
 * seats, by which lists choose, is written at once. */
struct cached_table {
    id_num id;
    int64_t number;
    struct log_tip tip;    /* the writer's, in the middle of a commit */
    struct log_tip stored; /* what is committed; under the lock */
    bool known;            /* STORED is there; under the lock */
    bool used;             /* since the last look for what to forget */
    bool touched;          /* TIP is ahead of STORED */
    bool dirty;
    int64_t dirty_row; /* the first row that `tables` does not know of */
    int64_t dirty_ms;  /* since when */
    struct cached_table *older, *newer; /* dirty ones by dirty_row */
    struct cached_table *touched_next;
};

struct table_cache {
    struct map map; /* by table id; changed under the lock */
    struct cached_table *oldest, *newest; /* dirty */
    size_t dirty_count;
    struct cached_table *touched;
    int64_t last_row; /* of the log */
    int64_t flushed;  /* state.flushed */
};

/* ---- the store -------------------------------------------------------- */

struct reader;

/* What a database does in a way of its own. */
struct store_engine {
    bool file; /* it is one: what is done with a whole file can be done */
    /* Opens SQL for the writer or for a reader. */
    int (*connect)(struct store *s, struct sql *sql, bool write);
    /* Opens the writer's connection and learns what is true. */
    int (*open_writer)(struct store *s);
    /* What is to be done at an orderly end. */
    void (*close_writer)(struct store *s);
    /* BEGIN, and what is to be known of the tables that BATCH is about. */
    int (*begin)(struct store *s, const struct work_queue *batch);
    /* Before TRANSACTION of the batch; and if it is taken back. */
    int (*next)(struct store *s, const struct transaction *transaction);
    void (*undo)(struct store *s);
    /* The rest of the batch, and COMMIT; after it, whatever came of it. */
    int (*commit)(struct store *s);
    void (*end)(struct store *s);
    /* Puts the plies of OP behind H; the number of the first row. */
    int (*append)(struct store *s, struct cached_table *h, const struct op *op,
                  int64_t *ret_first);
    /* Writes where H's log ends, and its SUMMARY, now if CHANGED. */
    int (*tip)(struct store *s, struct cached_table *h,
               const struct summary *summary, bool changed, int64_t first);
    /* The log of H goes. */
    int (*drop_log)(struct store *s, struct cached_table *h);
    /* Whether READER can be asked; else a result code, and why in
     * READER->why. */
    int (*ready)(struct reader *reader);
    /* Reads the log of table NUMBER, which ends at TIP, from and to where it is
     * asked for. */
    int (*read_log)(struct reader *reader, int64_t number,
                    const struct log_tip *tip);
};

/* To put back what a transaction that was taken back has done to a cached
 * table. */
struct undo {
    struct cached_table *cached;
    struct log_tip tip;
    bool was_dirty;
    bool was_new;
};

/* The writer thread's own. */
struct writer {
    struct sql sql;
    struct table_cache cache;
    struct undo *undo;
    size_t undo_count, undo_cap;
    bool broken;      /* the last commit failed */
    int64_t retry_us; /* when to try again, and how long after that */
    int64_t pause_us;
    int64_t now_ms;     /* of this batch */
    int64_t wal_frames; /* after the last commit */
    uint64_t rows;      /* appended in this batch */
    uint64_t flushed;   /* cached tables written behind in it */
    bool settle;        /* state.restored is to be cleared */
    bool shrunk;        /* rows of the log went in this batch */
    bool note_backup;   /* state.backup_at and _bytes are to be written */
    int rc;             /* why the batch failed */
    char why[160];      /* and the last transaction that is a bug, why it is */
    char said[256];     /* why it cannot write, as people were told last */
};

/* Whoever goes through a file tells here how far they are, and by which
 * connection, NULL when they are done with it; they stop if GO_ON says false, or
 * the connection is interrupted. */
struct file_watch {
    void *context;
    bool (*go_on)(void *context, int64_t done, int64_t total);
    void (*working)(void *context, sqlite3 *db); /* or NULL */
};

/* What goes through all of the file; see store_jobs.c. */
struct job {
    struct store *store;
    pthread_t thread;
    bool started; /* the thread; its owner's */
    int steps;    /* the thread's own */
    /* Under the lock. */
    bool running, stop;
    sqlite3 *db; /* that may be interrupted, or NULL */
    int64_t done, total;
};

/* What says that a directory is this process's: the directory, as somebody may
 * remove a file, and the file `lock` in it, as not every file system locks
 * directories.  -1: not held. */
struct store_lock {
    int dir, file;
};

/* The file, its WAL and the index of that. */
#define STORE_FILES 3

struct store_file {
    bool known;
    dev_t device;
    ino_t inode;
};

struct store {
    const struct store_engine *engine;
    struct store_config config;
    struct store_owner owner;
    char *dir, *path; /* of a file */
    struct store_lock file_lock;
    struct store_file files[STORE_FILES]; /* as they were opened */
    struct postgresql *postgresql;        /* or NULL */

    struct work_queue queued; /* by store_queue(); the owner's thread's */

    pthread_mutex_t lock;
    pthread_cond_t writer_wakes, readers_wake, checkpointer_wakes;
    /* Under the lock. */
    struct work_queue transactions, asks[STORE_RANKS];
    size_t asked;                     /* in all of those */
    struct work_queue done, answered; /* for the loop */
    bool woken;         /* wake() was called, store_poll() was not */
    uint64_t submitted; /* transactions so far */
    uint64_t decided;   /* of them, and reported */
    bool closing;       /* no more work is taken */
    bool readers_stop, checkpointer_stop;
    bool restored, settle;
    bool writer_busy;           /* between BEGIN and the end of COMMIT */
    bool hold;                  /* the checkpointer wants it not to be */
    bool checkpoint;            /* wanted, or running */
    bool look_at_files, rescue; /* wanted of the checkpointer */
    int64_t wal_frames, checkpoint_at; /* where the next one is wanted */
    struct map *shown;  /* the cached tables as readers see them */
    uint64_t forgotten; /* rounds in which some were dropped */
    struct store_stats stats;
    struct store_health health;
    bool note_backup; /* the writer is to keep when the last one was */
    bool vacuum;      /* wanted, or running */
    bool vacuuming;   /* running: may be interrupted */
    void *vacuum_context;
    store_backup_cb vacuum_call;

    struct writer writer;
    struct sql checkpointer_sql;
    struct sql reader_sql[STORE_READERS_MAX];
    pthread_t writer_thread, checkpointer_thread;
    pthread_t reader_threads[STORE_READERS_MAX];
    unsigned readers_started;
    bool writer_started, checkpointer_started;
    struct job backup, check;
    char *backup_path;
    void *backup_context;
    store_backup_cb backup_call;
};

/* ---- store.c ---------------------------------------------------------- */

int64_t store_now_us(void);
void store_lock(struct store *s);
void store_unlock(struct store *s);
void work_put(struct work_queue *q, struct work *w);
struct work *work_take(struct work_queue *q);
/* Hands W back to the loop.  The lock is held; after it is released,
 * store_wake() is due if this returns true. */
bool store_done(struct store *s, struct work *w);
/* A line for the operator; the lock is not held. */
void store_say(struct store *s, enum host_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void store_count(uint64_t *histogram, uint64_t value);
/* One with nothing open; and all that opening it leaves to do, once what it is
 * can be opened. */
struct store *store_new(const struct store_engine *engine,
                        const struct store_config *config,
                        const struct store_owner *owner);
int store_start(struct store *s);

/* ---- store_postgresql.c, store_pq_batch.c, store_pq_texts.c ---------------- */

/* In place of those of writer_texts and reader_texts. */
extern const struct pq_text pq_writer_texts[], pq_reader_texts[];
/* Of the engine: what a batch does. */
int batch_begin(struct store *s, const struct work_queue *batch);
int batch_next(struct store *s, const struct transaction *transaction);
void batch_undo(struct store *s);
int batch_commit(struct store *s);
void batch_end(struct store *s);
int batch_append(struct store *s, struct cached_table *h, const struct op *op,
                 int64_t *ret_first);
int batch_tip(struct store *s, struct cached_table *h,
              const struct summary *summary, bool changed, int64_t first);
int batch_drop_log(struct store *s, struct cached_table *h);
/* The statement by which a server gets hold of the database, into TEXT. */
int pq_news_lock(const struct postgresql *p, char *text, size_t size);
/* What of a batch is about other servers, as the above. */
int pq_news_begin(struct store *s);
void pq_news_next(struct postgresql *p, const struct transaction *transaction);
void pq_news_undo(struct postgresql *p);
int pq_news_write(struct store *s);
int pq_news_prune(struct store *s);
void pq_news_tell(struct store *s);
void pq_news_end(struct postgresql *p);
int reader_news(struct reader *r);
/* Begins and ends hearing of what others store; to end NULL is fine. */
int pq_news_listen(struct store *s);
void pq_news_close(struct postgresql *p);
/* A row of the log that waits for the end of the batch; what it points to is its
 * transaction's. */
struct batch_row {
    int64_t number;
    const struct ply_row *ply;
};

/* The part of a store that is PostgreSQL's. */
struct postgresql {
    char *url;
    int64_t server;  /* what this process is called in `state` */
    bool begun;      /* it has written its name there */
    bool in_doubt;   /* whether a transaction is stored; under the lock */
    char why[256];   /* it could not be opened */
    struct map none; /* readers are shown no cached tables */
    struct batch_row *rows;
    size_t row_count, row_cap;
    size_t row_kept; /* before the transaction under way */
    /* Several servers have it; see store_pq_news.c. */
    char *node; /* what this one is called; NULL: it is alone */
    char *news; /* lines that the batch has for others */
    size_t news_len, news_cap;
    size_t news_kept;  /* before the transaction under way */
    int64_t pruned_us; /* when old ones went */
    pthread_t listener;
    bool listening; /* that thread */
    int stop[2];    /* a byte in here ends it */
};
/* Frees it; NULL is fine. */
void postgresql_free(struct postgresql *p);

/* ---- store_file.c, store_upgrade.c ----------------------------------------------------- */

/* What to do about a file that is damaged. */
#define STORE_MEND \
    "; put the last good backup in its place: sobremesactl restore FILE"
/* A file of this name in the directory: a restore was broken off. */
#define STORE_RESTORING "restoring"
/* Makes this process the only one that has DIR; 0 or as store_open().  LOCK is to
 * be let go in either case. */
int store_file_lock(const char *dir, struct store_lock *lock, char *error,
                    size_t size);
void store_file_unlock(struct store_lock *lock);
/* What the file is, and whether it can be this version's: SQLITE_OK,
 * SQLITE_MISMATCH with why in ERROR, or the file's troubles. */
int store_file_judge(sqlite3 *db, int64_t *ret_version, char *error,
                     size_t size);
/* Opens PATH for somebody who is not its server and leaves nothing beside it;
 * as sql_open(). */
int store_open_to_read(struct sql *sql, const char *path,
                       const char *const *statements, size_t count);
/* Brings the file behind DB to this version; if it was of an older one, a copy
 * of it is beside it then.  As store_file_judge(). */
int store_upgrade(struct store *s, sqlite3 *db, char *error, size_t size);
/* The number that TEXT finds. */
int store_pragma_int(sqlite3 *db, const char *text, int64_t *ret_value);
/* Makes the directory, locks it, makes or migrates the file. */
int store_file_open(struct store *s, char *error, size_t size);
void store_file_close(struct store *s);
int store_file_connect(struct store *s, struct sql *sql, bool write);
/* Tells CALL that what it waits for cannot be done here. */
void store_refuse(struct store *s, void *context, store_backup_cb call,
                  const char *why);
void *store_checkpointer(void *store);
/* Tells CALL how far something is. */
void store_progress(struct store *s, void *context, store_backup_cb call,
                    const struct store_progress *told);
/* Does what store_vacuum() asked for, on the writer's thread and between two
 * transactions. */
void store_run_vacuum(struct store *s);
/* Told after each commit how long the WAL is. */
void store_wal(struct store *s, int64_t frames);

/* ---- store_check.c, store_copy.c ---------------------------------------- */

/* Looks at all of the file behind DB, which nobody need have in use: SQLITE_OK
 * if it is whole, and ours; SQLITE_MISMATCH if it is not ours or newer;
 * something that store_is_damage(); SQLITE_INTERRUPT; or the file's troubles.
 * Why is in ERROR, one sentence.  WATCH may be NULL. */
int store_file_check(sqlite3 *db, const struct file_watch *watch, char *error,
                     size_t size);
/* Makes PATH, which must not be there, a copy of what FROM sees, marked as one
 * of NOW_MS and checked before it gets its name.  0, or a negative errno and
 * why, -EUCLEAN if it is damaged; then nothing of it is left. */
int store_copy(sqlite3 *from, const char *path, int64_t now_ms,
               const struct file_watch *watch, char *error, size_t size);
/* The same without the name: PART, on the disk and checked. */
int store_copy_part(sqlite3 *from, const char *part, int64_t now_ms,
                    const struct file_watch *watch, char *error, size_t size);
/* 0, or -1 and errno. */
int store_sync_dir(const char *dir);

/* ---- store_jobs.c ----------------------------------------------------- */

/* ---- store_moved.c ------------------------------------------------------ */

/* Takes note of what files these are, which were just opened. */
void store_files_note(struct store *s);
/* Whether one of them has lost its name; then nothing is written any more. */
bool store_files_moved(struct store *s);
/* Copies what is open into a file of its own, by the checkpointer. */
void store_rescue(struct store *s);

/* ---- damage --------------------------------------------------------------- */

/* Whether RC says that the file is damaged. */
bool store_is_damage(int rc);
/* The file is, WHAT says how: nothing is written from now on. */
void store_damaged(struct store *s, const char *what);
/* The same, but of its name: WHAT was done to it. */
void store_lost(struct store *s, const char *what);
/* Takes notice of what a statement, WHERE, ended with. */
void store_notice(struct store *s, int rc, const char *where);
/* Whether that has been found. */
bool store_hurt(struct store *s);
void store_jobs_stop(struct store *s); /* the lock is held */
void store_jobs_join(struct store *s);

/* ---- store_write.c ---------------------------------------------------- */

void writer_close(struct store *s);
void *store_writer(void *store);

/* The engine of a file: writing, and store_one.c: reading. */
int sqlite_open_writer(struct store *s);
void sqlite_close_writer(struct store *s);
int sqlite_begin(struct store *s, const struct work_queue *batch);
int sqlite_commit(struct store *s);
int sqlite_append(struct store *s, struct cached_table *h, const struct op *op,
                  int64_t *ret_first);
int sqlite_tip(struct store *s, struct cached_table *h,
               const struct summary *summary, bool changed, int64_t first);
int sqlite_drop_log(struct store *s, struct cached_table *h);
int sqlite_read_log(struct reader *r, int64_t number,
                    const struct log_tip *tip);

/* What became of an op or a transaction; the file's troubles are in
 * writer.rc. */
enum outcome { DONE, CONFLICT, BUG, BROKEN };

/* Judges what SQLite said to an op, for which a row that is there already is
 * TAKEN. */
enum outcome writer_judge(struct writer *w, int rc, enum outcome taken);
/* store_ops.c: which table OP is about, or 0. */
id_num op_table(const struct op *op);
/* Writes OP, within a transaction. */
enum outcome writer_op(struct store *s, const struct op *op);
/* store_outbox.c: the same for an op of the outbox; and what goes with ACCOUNT,
 * as an extended result code. */
enum outcome writer_outbox_op(struct store *s, const struct op *op);
int writer_outbox_forget(struct writer *w, id_num account);
/* store_results.c: the same for an OP_RESULTS, and one by which all ratings are
 * made anew. */
enum outcome writer_results(struct store *s, const struct op *op);
enum outcome writer_ratings(struct store *s, const struct op *op);
/* store_time.c: the same for an op about time. */
enum outcome writer_time_op(struct store *s, const struct op *op);

enum writer_statement {
    W_BEGIN,
    W_COMMIT,
    W_ROLLBACK,
    W_SAVE,
    W_RELEASE,
    W_BACK,
    W_RENAMES,
    W_ACCOUNT,
    W_REQUIRE_ACCOUNT,
    W_SEEN,
    W_GUEST,
    W_GUEST_TOKENS,
    W_GUEST_LINKS,
    W_GUEST_LINKS_MADE,
    W_GUEST_DEVICES,
    W_GUEST_TOTP,
    W_GUEST_RECOVERY,
    W_GUEST_KEYS,
    W_GUEST_INVITES,
    W_GUEST_MARKS,
    W_GUEST_NOTES,
    W_GUEST_STUDIES,
    W_GUEST_HOURS,
    W_GUEST_AWAY,
    W_GUEST_ABSENCES,
    W_GUEST_RATINGS,
    W_GUEST_PAIRS,
    W_GUEST_BLOCKS,
    W_GUEST_PROXIED,
    W_GUEST_RENAMES,
    W_GUEST_UNTOLD,
    W_GUEST_DROP,
    W_GUEST_EMPTY,
    W_BAN,
    W_PASSWORD,
    W_NAME,
    W_IS_THERE,
    W_HOURS,
    W_IS_PROXIED,
    W_PROXIED_DROP,
    W_PROXIED,
    W_AUDIT,
    W_PRUNE_TOKENS,
    W_PRUNE_KEYS,
    W_TOKEN,
    W_TOKENS_OLD,
    W_REQUIRE_TOKEN,
    W_TOKEN_DROP,
    W_TOKENS_DROP,
    W_LINK,
    W_LINKS_OLD,
    W_LINK_USE,
    W_LINK_DROP,
    W_LINKS_DROP,
    W_LINKS_DROP_EMAIL,
    W_EMAIL,
    W_EMAIL_CONFIRM,
    W_MAILED,
    W_MAILED_OLD,
    W_MAIL_STOP,
    W_MAIL_STOPPED,
    W_MAIL_LINKS,
    W_MAIL_ALLOW,
    W_SECRET,
    W_DEVICE,
    W_DEVICES_OLD,
    W_TOTP,
    W_TOTP_USE,
    W_RECOVERY,
    W_RECOVERY_USE,
    W_TABLE,
    W_SETUP,
    W_PLY,
    W_MILESTONE,
    W_RESULT,
    W_STATISTICS,
    W_RATING_OF,
    W_RATING,
    W_PLAYER_RATING,
    W_PAIR_OF,
    W_PAIR,
    W_RATED,
    W_RATED_LAST,
    W_RATINGS_NONE,
    W_PAIRS_NONE,
    W_RATINGS_GONE,
    W_PAIRS_GONE,
    W_ARCHIVED,
    W_LOG_DROP,
    W_MILESTONES_DROP,
    W_SET_ASIDE,
    W_IS_ARCHIVED,
    W_UNARCHIVED,
    W_INVITE,
    W_INVITE_DROP,
    W_REMATCH,
    W_RENAMED,
    W_NAMED,
    W_KEY,
    W_KEYS_OLD,
    W_TEXT,
    W_TEXT_DROP,
    W_MARK,
    W_NOTE,
    W_NOTE_DROP,
    W_STUDY,
    W_STUDY_DROP,
    W_BLOCK,
    W_BLOCK_DROP,
    W_APART,
    W_NOTICE,
    W_NOTICE_DROP,
    W_TOLD,
    W_LOOKED,
    W_MESSAGE,
    W_MESSAGE_DROP,
    W_SENT,
    W_SENT_OLD,
    W_WISHES,
    W_CHANNEL,
    W_CHANNEL_DROP,
    W_CHANNEL_MESSAGES,
    W_MUTED,
    W_UNMUTED,
    W_REMINDED,
    W_SIGN,
    W_OUTAGES_OLD,
    W_OUTAGE,
    W_UNTOLD,
    W_KNOWS,
    W_DUE,
    W_TOLD_ALL,
    W_REQUIRE_TOLD,
    W_ZONE,
    W_ZONE_UNTOLD,
    W_REMINDER,
    W_REMINDERS_DROP,
    W_ORDER,
    W_ORDER_DROP,
    W_ORDERS_DROP,
    W_AWAY,
    W_ABSENCES_OLD,
    W_ABSENCE,
    W_ABSENCE_DROP,
    W_EMPTY_NOTICES,
    W_EMPTY_MESSAGES,
    W_EMPTY_TOLD,
    W_EMPTY_LINKS,
    W_FORGET_MESSAGES,
    W_FORGET_TOLD,
    W_FORGET_SENT,
    W_FORGET_WISHES,
    W_FORGET_CHANNELS,
    W_FORGET_MUTED,
    W_CACHED_BY_ID,
    W_CACHED_BY_NUMBER,
    W_SEATS,
    W_CHANGED,
    W_PLAYERS_STATE,
    W_INVITES_STATE,
    W_SEATED,
    W_STOOD_UP,
    W_FLUSH,
    W_FLUSHED,
    W_OPENED,
    W_SETTLED,
    W_BACKED_UP,
    W_ENDED,
    W_PAGES,
    W_FREE,
    W_STATE,
    W_LAST,
    W_TAIL,
    /* PostgreSQL alone has these. */
    W_JUDGE,
    W_JUDGE_SEATS,
    W_LOG_APPEND,
    W_TIPS,
    W_TURN,
    W_NEWS,
    W_NEWS_OLD,
    W_NOTIFY,
    WRITER_STATEMENTS
};
extern const char *const writer_texts[];
extern const struct store_engine sqlite_engine;

/* DONE if STATEMENT counts something, else a conflict. */
enum outcome writer_there(struct writer *w, enum writer_statement statement,
                          const struct sql_arg *args, size_t count);
/* DONE if STATEMENT changes something, else a conflict. */
enum outcome writer_change(struct writer *w, enum writer_statement statement,
                           const struct sql_arg *args, size_t count);
/* store_accounts.c: writes OP; BUG if it is none of those. */
enum outcome writer_account_op(struct writer *w, const struct op *op);

/* ---- store_cache.c ------------------------------------------------------ */

/* Packs what moves change of SUMMARY into BYTES; returns the length. */
size_t summary_pack(const struct summary *summary,
                    uint8_t bytes[SUMMARY_BYTES_MAX]);
/* False, and SUMMARY as it was, if these are not such BYTES. */
bool summary_unpack(struct summary *summary, const void *bytes, size_t len);

/* The head of table ID, from memory or the file.  SQLITE_OK and NULL if there
 * is no such table. */
int cache_find(struct store *s, id_num id, struct cached_table **ret_cached);
/* Fills H but for its seats from the row of W_CACHED_BY_... or W_JUDGE that STMT
 * stands at; and a seat; and remembers it. */
int cache_read(struct sql_stmt *stmt, struct cached_table *h);
void cache_seat(struct cached_table *h, int64_t seat, id_num account);
void cache_put(struct store *s, struct cached_table *h);
/* A new cached table. */
struct cached_table *cache_add(struct store *s, id_num id, int64_t number);
/* Notes that the transaction under way is about to change CACHED. */
void cache_touch(struct store *s, struct cached_table *h, bool is_new);
/* Marks it for writing later, ROW being the first that `tables` lacks. */
void cache_dirty(struct store *s, struct cached_table *h, int64_t row);
/* Nothing is to be written later of it after all. */
void cache_clean(struct store *s, struct cached_table *h);
/* The end of the log has moved back to ROW; within a transaction. */
int cache_shorter(struct store *s, int64_t row);
/* Takes back the transaction's changes; or makes them the batch's. */
void cache_undo(struct store *s);
void cache_keep(struct store *s);
/* What the batch changed is committed.  The lock is held. */
void cache_stored(struct store *s);
/* Whether something has to be written at the moment NOW_MS, with no
 * transaction to take it along; and when it will. */
bool cache_due(const struct store *s, int64_t now_ms, int64_t *ret_ms);
/* Writes what is due, or ALL of it; within a transaction. */
int cache_flush(struct store *s, bool all, size_t max);
/* Forgets what was not used lately.  Between transactions. */
void cache_trim(struct store *s);
/* Forgets all, and learns from the file what it does not say in `tables`. */
int cache_derive(struct store *s);
void cache_done(struct table_cache *h);

/* ---- store_read.c, _one.c, _lists.c, _admin.c ------------------------------------ */

struct reader {
    struct store *store;
    struct sql *sql;
    struct ask_work *ask;
    struct region *region; /* of the answer */
    bool gone;             /* the table's log is not whole */
    char why[256];         /* it cannot be asked at all, or "" */
};

extern const char *const reader_texts[];
enum reader_statement {
    R_BEGIN,
    R_END,
    R_ACCOUNT,
    R_ACCOUNT_NAME,
    R_TOKEN,
    R_TOKENS,
    R_PROXIED,
    R_LINK,
    R_LINKS,
    R_LINKS_TABLE,
    R_EMAIL,
    R_EMAIL_EXACT,
    R_SECRET,
    R_STOPPED,
    R_DEVICE,
    R_TOTP,
    R_RECOVERY,
    R_RECOVERY_CODE,
    R_TABLE,
    R_TABLE_NUMBER,
    R_LISTED,
    R_LISTED_SEATS,
    R_LISTED_NAMES,
    R_LISTED_MARKS,
    R_LISTED_UNREAD,
    R_PLY,
    R_MILESTONE,
    R_LOG, /* PostgreSQL alone has this */
    R_SEATS,
    R_NAMES,
    R_INVITED,
    R_INVITES,
    R_REMATCH,
    R_RENAMES,
    R_RENAMED,
    R_GUESTS,
    R_TEXTS_LAST,
    R_KEY,
    R_TEXTS,
    R_MARK,
    R_NOTE,
    R_STUDY,
    R_BLOCKS,
    R_BLOCKS_OF,
    R_BLOCKS_BY,
    R_MINE,
    R_MINE_ENDED,
    R_MINE_INVITED,
    R_ACCOUNTS,
    R_SESSIONS,
    R_PERSON, /* a statement for each part */
    R_AUDIT = R_PERSON + PERSON_PARTS,
    R_PRUNE, /* and for each count */
    R_PRUNE_END = R_PRUNE + PRUNE_COUNTS - 1,
    R_TABLES_IN,
    R_ACCOUNTS_OF,
    R_TABLES, /* and each of these with a game behind it */
    R_TABLES_GAME,
    R_TABLES_SEEN,
    R_TABLES_SEEN_GAME,
    R_TABLES_MINE,
    R_TABLES_MINE_GAME,
    R_NOTICES,
    R_MESSAGES,
    R_TOLD,
    R_TOLD_OF,
    R_WISHES,
    R_CHANNELS,
    R_MUTED,
    R_MAILED,
    R_OTHER,
    R_SENT,
    R_BOUNCED,
    R_DIGESTS,
    R_DUE,
    R_OFFERED,
    R_REMINDED,
    R_SIGN,
    R_OUTAGES,
    R_AWAY,
    R_ABSENCES,
    R_ABSENT,
    R_UNTOLD,
    R_ZONES,
    R_REMINDERS,
    R_ORDERS,
    R_REMINDED_NEXT,
    R_RATINGS,
    R_RATINGS_ALL,
    R_RATED,
    R_RATED_LEFT,
    R_RESULTS,
    R_RESULT_PLAYERS,
    R_STATISTICS,
    /* Only on PostgreSQL. */
    R_NEWS_LAST,
    R_NEWS_FIRST,
    R_NEWS,
    READER_STATEMENTS
};

/* READER, a struct reader, is freed by the thread. */
void *store_reader(void *reader);

/* The next of COUNT things of SIZE bytes in a growing array. */
void *reader_next(void **array, size_t *count, size_t *cap, size_t size);
/* Column AT as a text of the answer, NULL if it is NULL; "" if it is. */
const char *column_text(struct reader *r, struct sql_stmt *stmt, int at);
const char *column_word(struct reader *r, struct sql_stmt *stmt, int at);
id_num column_id(struct sql_stmt *stmt, int at);
/* False if it is not one. */
bool column_hash(struct sql_stmt *stmt, int at, uint8_t hash[SHA256_SIZE]);
/* The ply in columns AT (number), AT + 1 (line) and AT + 2 (chain); false if it
 * is none. */
bool column_ply(struct reader *r, struct sql_stmt *stmt, int at,
                struct ply_row *p);
/* What the writer knows of table ID that is committed; false if nothing. */
bool reader_tip(struct reader *r, id_num id, struct log_tip *ret_tip);
/* The table in the columns that both R_TABLE and R_LISTED begin with; then its
 * number, head's row and ply. */
#define TABLE_COLUMNS \
    "t.id, t.owner, t.game, t.created, t.private, t.rated, t.spectators, " \
    "t.start_full, t.door, t.state, t.seats, t.now, t.number, t.head, t.ply, " \
    "s.options, s.board, s.terms"
#define TABLE_COLUMN_COUNT 18
void reader_table(struct reader *r, struct sql_stmt *stmt, struct table_row *t,
                  int64_t *ret_number, struct log_tip *ret_tip);
/* What was opened in the place of the table t for which THE_TABLE holds, and
 * in that one's, as long as each was given up: the CTE l. */
#define REMATCHES(the_table) \
    "l (id, state, rematch) AS (SELECT n.id, n.state, n.rematch " \
    "FROM tables t JOIN tables n ON n.id = t.rematch WHERE " the_table \
    " UNION SELECT n.id, n.state, n.rematch FROM l JOIN tables n " \
    "ON n.id = l.rematch WHERE l.state = 3) "

/* The account, or the token, in the columns from AT on. */
#define ACCOUNT_COLUMNS \
    "a.id, a.kind, a.name, a.password, a.email, a.created, a.seen, " \
    "a.banned_until, a.banned_reason, a.email_confirmed, a.email_pending"
#define TOKEN_COLUMNS \
    "k.id, k.account, k.hash, k.label, k.scopes, k.created, k.expires"
#define TOKEN_COLUMN_COUNT 7
#define LINK_COLUMNS \
    "l.id, l.hash, l.purpose, l.account, l.table_id, l.maker, l.made, " \
    "l.expires, l.uses, l.used, l.email"
void column_account(struct reader *r, struct sql_stmt *stmt, int at,
                    struct account_row *a);
void column_token(struct reader *r, struct sql_stmt *stmt,
                  struct token_row *t);
/* Somebody's hours, the columns of PERSON_HOURS. */
void column_hours(struct reader *r, struct sql_stmt *stmt,
                  struct hours_row *h);
void column_rating(struct reader *r, struct sql_stmt *stmt,
                   struct rating_row *row);
void column_absence(struct sql_stmt *stmt, struct absence_row *a);
void column_block(struct reader *r, struct sql_stmt *stmt,
                  struct block_row *b);
void column_link(struct reader *r, struct sql_stmt *stmt, struct link_row *l);
/* Moves an array of reader_next()'s to the answer. */
void *reader_keep(struct reader *r, void *array, size_t count, size_t size);
/* The accounts at the seats of table NUMBER. */
int reader_seats(struct reader *r, int64_t number, struct summary *summary);

/* The accounts that STMT finds. */
int reader_accounts(struct reader *r, struct sql_stmt *stmt,
                    struct account_row **ret_rows, size_t *ret_count);
/* The one text that STMT finds, if any, is the answer's. */
int reader_text(struct reader *r, struct sql_stmt *stmt);
/* store_accounts.c: answers ASK_EMAIL, ASK_SECRET, ASK_STOPPED, ASK_FACTORS. */
int reader_account(struct reader *r);
/* Answers all but the questions for lists; KNOWN is what the writer knew of
 * the table, or NULL. */
int reader_one(struct reader *r, const struct log_tip *known);
int reader_tables(struct reader *r);
int reader_mine(struct reader *r);
int reader_renames(struct reader *r);
int reader_admin(struct reader *r);
int reader_outbox(struct reader *r);
int reader_time(struct reader *r);
/* ACCOUNT's absences, up to LIMIT, as they begin. */
int reader_absences(struct reader *r, id_num account, size_t limit);
int reader_results(struct reader *r);
/* The tables that ASK_OUTBOX names, with what is unread. */
int reader_these(struct reader *r);
int reader_due(struct reader *r);
/* Calls TAKE for what STMT finds, LIMIT of it at most; the answer has more if
 * there was one more. */
typedef void (*row_cb)(struct reader *r, struct sql_stmt *stmt);
int reader_each(struct reader *r, struct sql_stmt *stmt, size_t limit,
                row_cb take);

#endif
