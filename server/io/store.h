/* store.h -- what lasts: what every store does.
 *
 * A store takes transactions and answers questions; what these are is in
 * server/hub/transaction.h.  The loop hands them over and goes on; nothing here
 * makes it wait but store_close().
 *
 *     store_submit() ---+                          +-> stored()
 *     store_ask()    ---+-> the store -> wake()    +-> answered()
 *                              store_poll() -------+-> log()
 *
 * - A transaction is stored whole or not at all.  TRANSACTION_STORED means: a
 *   power cut does not take it back.
 * - One that conflicts is nobody else's matter: others that are stored with it
 *   are.
 * - After TRANSACTION_FAILED only a question tells what is true.  Until writing
 *   works again, which the store tries by itself, transactions fail at once;
 *   reading goes on.
 * - A question is answered from a moment at which every transaction handed
 *   over before it has been decided and reported.
 *
 * The daemon's store is one SQLite file: how to open it, and all that only a
 * file needs, is in store_sqlite.h; or a database of PostgreSQL's, see
 * store_postgresql.h.  The simulation's (tests/support/disk.h) is arrays.  One
 * suite holds all of them to what is said here: tests/io/test_store_contract.c,
 * test_store_people.c.  No libuv in here:
 * wake() is uv_async_send() in the daemon, a condition variable in tests. */

#ifndef SERVER_IO_STORE_H
#define SERVER_IO_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/hub/host.h"
#include "server/hub/transaction.h"

struct store;

/* How the owner hears of things.  wake() may come from any thread, and already
 * before the store is open.  The others are called on the thread that calls
 * store_poll(), from within it (or store_close(), which refuses new work), and
 * may call store_submit() and store_ask().  ANSWER and what it points to are
 * gone when answered() returns, but for what was taken out of it, and so is
 * TEXT. */
typedef void (*store_wake_cb)(void *context); /* on any thread */
typedef void (*store_result_cb)(void *context, transaction_id transaction,
                                const struct transaction_outcome *outcome);
typedef void (*store_answer_cb)(void *context, ask_id ask,
                                struct answer *answer);
typedef void (*store_news_cb)(void *context);
typedef void (*store_log_cb)(void *context, enum host_level level,
                             const char *text);

struct store_owner {
    void *context;
    store_wake_cb wake;
    store_result_cb stored;
    store_answer_cb answered;
    store_log_cb log; /* may be NULL */
    /* Another server may have stored something (ASK_NEWS); may be NULL. */
    store_news_cb news;
    /* Whether store_poll() has called enough of them for now and is to come back
     * to the rest after wake(); NULL: never. */
    bool (*enough)(void *context);
    /* Which question is looked up first, and which answer store_poll() calls
     * first: the one whose ASK has the lowest rank, each at that time.  NULL: in
     * the order in which they were asked, and found. */
    unsigned (*rank)(void *context, ask_id ask);
};

/* Finishes and reports all that was handed over, and closes.  NULL is fine. */
void store_close(struct store *store);

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
 *   Its log begins with ply FROM; none of it is there if it ends before that.
 * - ASK_TEXTS: in rising order; `more` if there are earlier ones.
 * - ASK_TOKENS: oldest first.
 * - LIMIT 0 is 100. */
void store_ask(struct store *store, ask_id id,
               const struct question *question);

/* Calls back for everything there is: answers last, for to go on from one may
 * be long, and who waits to hear that a move is stored has waited for the disk
 * already.  Call it after wake(). */
void store_poll(struct store *store);

/* For /readyz: the last attempt to write was good. */
bool store_writable(struct store *store);

#endif
