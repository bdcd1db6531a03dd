/* store_fixture.h -- a store with an owner for tests: no loop, one thread that
 * waits, transactions that can be recognised again. */

#ifndef TESTS_SUPPORT_STORE_FIXTURE_H
#define TESTS_SUPPORT_STORE_FIXTURE_H

#include <pthread.h>

#include "disk.h"
#include "server/io/store_postgresql.h"

#define FIXTURE_TRANSACTIONS 65536

struct store_fixture {
    char dir[256];
    char error[256];
    struct store_config config;
    struct store *store;
    bool arrays;      /* instead of a file; then there is no STORE */
    char url[256];    /* of a database instead of a file, if not "" */
    struct disk disk; /* the arrays */

    /* What was called back. */
    unsigned char results
        [FIXTURE_TRANSACTIONS]; /* by id % FIXTURE_TRANSACTIONS: result + 1 */
    transaction_id last_stored; /* the last id reported */
    struct transaction_outcome outcome; /* of that */
    uint64_t reported, answered, disorder;
    ask_id last_answered; /* the last id */
    ask_id awaited;       /* by fixture_ask(); 0: it is there */
    struct answer answer; /* the one awaited last; the fixture's */
    struct store_progress progress;
    char progress_error[256];
    int progress_calls;
    int news; /* hints that there is something of other servers */
    int lines[LOG_DEBUG + 1]; /* of the log, by level */
    char line[256];           /* the last one */
    bool loud;
    bool one_at_a_time; /* of what a poll could report */
    ask_id favoured;    /* is answered before others */

    transaction_id next_transaction;
    ask_id next_ask;
    pthread_mutex_t lock;
    pthread_cond_t wakes;
    bool awake;
};

/* An empty directory, no store.  Then as store_open(). */
void fixture_init(struct store_fixture *f);
int fixture_open(struct store_fixture *f);
void fixture_close(struct store_fixture *f);
/* Removes the directory. */
void fixture_done(struct store_fixture *f);

/* Waits for a wake(), MS at most, and polls. */
void fixture_poll(struct store_fixture *f, int ms);
/* Hands U over; returns its id. */
transaction_id fixture_submit(struct store_fixture *f, struct transaction *u);
/* The same, and waits for the result. */
enum transaction_result fixture_store(struct store_fixture *f,
                                      struct transaction *u);
/* Asks and waits; the answer stays until the next one. */
const struct answer *fixture_ask(struct store_fixture *f,
                                 const struct question *q);
const struct answer *fixture_table(struct store_fixture *f, id_num table);

/* The first number that a statement finds in the file while the store is
 * closed; -1: none. */
int64_t fixture_sql(const struct store_fixture *f, const char *text);

/* Transactions to be had again: everything in them follows from the
 * numbers. */
void make_account(struct transaction *u, id_num id, const char *name);
/* Accounts 1 .. N, named user1 ... */
void make_people(struct transaction *u, int n);
/* With SEATS seats, the first FILLED of which accounts 1, 2 ... have. */
void make_table(struct transaction *u, id_num id, int state, int seats,
                int filled);
/* COUNT plies behind EXPECT; table state PLAYING, seat (ply % 2) acting since
 * the last one was made at 1000 * ply. */
void make_plies(struct transaction *u, id_num id, int64_t expect, size_t count,
                int state, int seats, int filled);
void make_summary(struct summary *summary, int64_t ply, int state, int seats,
                  int filled);
/* The chain of that ply of that table; NULL for -1. */
const uint8_t *make_chain(struct region *r, id_num id, int64_t ply);
/* Whether the plies of A are whole: 0, 1, 2 ... of table ID, as made. */
bool plies_whole(const struct answer *a, id_num id);

#endif
