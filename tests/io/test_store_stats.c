/* test_store_stats.c -- what /metrics is told of the store: each count, against
 * what was asked for. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/store_test.h"

#define PAGE 4096

static void begin(void)
{
    store_vfs_install();
    store_test_init();
    f.config.batch_max = 1;
    f.config.retry_ms_max = 20;
    store_test_open();
}

TestSuite(stats, .init = begin, .fini = store_test_end_faulty,
          .timeout = 1200);

static struct store_stats stats(void)
{
    struct store_stats s;

    store_stats(f.store, &s);
    return s;
}

static uint64_t all(const uint64_t *histogram)
{
    uint64_t n = 0;

    for (int i = 0; i < STORE_BUCKETS; i++)
        n += histogram[i];
    return n;
}

/* Whether the values of a histogram can add up to SUM. */
static bool adds_up(const uint64_t *histogram, uint64_t sum)
{
    uint64_t least = 0, most = 0;

    for (int i = 0; i < STORE_BUCKETS; i++) {
        least += i > 0 ? histogram[i] << (i - 1) : 0;
        most += histogram[i] * ((UINT64_C(1) << i) - 1);
    }
    return sum >= least && sum <= most;
}

/* Transactions are counted by what became of them, commits and rows as they
 * were made, and how long both took. */
Test(stats, writing)
{
    make_people(&u, 3);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    make_table(&u, 7, TABLE_PLAYING, 2, 2);
    make_plies(&u, 7, -1, 5, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    make_plies(&u, 7, 2, 4, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_CONFLICT);
    make_plies(&u, 7, 4, 2, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    struct store_stats s = stats();
    cr_assert_eq(s.transactions_stored, 3);
    cr_assert_eq(s.transactions_conflict, 1);
    cr_assert_eq(s.transactions_failed, 0);
    cr_assert_eq(s.transactions_waiting, 0);
    cr_assert_eq(s.plies, 7);
    cr_assert_eq(s.commits, 4);
    cr_assert_eq(s.commits_failed, 0);
    cr_assert_eq(s.batch[1], 4);
    cr_assert_eq(all(s.batch), 4);
    cr_assert_eq(all(s.commit_us), 4);
    cr_assert(adds_up(s.commit_us, s.commit_us_sum));
    cr_assert_gt(s.commit_us_sum, 0);
    cr_assert(s.cache == 1 && s.cache_dirty == 1);
    cr_assert_gt(s.wal_bytes, 0);
    cr_assert_eq(s.wal_bytes % (PAGE + 24), 0);
    cr_assert(s.writable);
}

/* Answers are counted, those that failed besides, and how long they took. */
Test(stats, reading)
{
    struct question q = {.kind = ASK_ACCOUNT, .u.account = 1};

    for (int i = 0; i < 10; i++)
        fixture_ask(&f, &q);
    struct store_stats s = stats();
    cr_assert(s.answers == 10 && s.answers_failed == 0);
    cr_assert_eq(s.questions_waiting, 0);
    cr_assert_eq(all(s.answer_us), 10);
    cr_assert(adds_up(s.answer_us, s.answer_us_sum));
    make_table(&u, 7, TABLE_PLAYING, 2, 2);
    make_plies(&u, 7, -1, 5, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    fixture_close(&f);
    fixture_sql(&f, "DELETE FROM log WHERE ply = 2");
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert(fixture_table(&f, 7)->failed);
    s = stats();
    cr_assert(s.answers == 1 && s.answers_failed == 1,
              "counted since the start");
}

/* What is written later is counted when it is, and the summaries that wait for it
 * until then. */
Test(stats, behind)
{
    fixture_close(&f);
    f.config.flush_ms = 20;
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    make_table(&u, 7, TABLE_PLAYING, 2, 2);
    make_plies(&u, 7, -1, 5, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    until_written();
    struct store_stats s = stats();
    cr_assert(s.cache_dirty == 0 && s.cache == 1);
    cr_assert_eq(s.flushed, 1);
    cr_assert_eq(s.commits, 2);
    cr_assert_eq(s.batch[0], 1, "a commit of none");
    for (id_num id = 1; id <= 5; id++) { /* others' commits */
        make_account(&u, id, (const char[]){(char)('a' + id), '\0'});
        cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    }
    cr_assert_eq(stats().cache, 1, "it is still remembered");
}

/* Whether what somebody wanted to store let the store write again. */
static bool writes_again(void)
{
    make_account(&u, 2, "bert");
    (void)fixture_store(&f, &u);
    return store_writable(f.store);
}

/* A disk that fails is counted, too, and told; when it works again the store
 * writes again. */
Test(stats, failing)
{
    make_people(&u, 1);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    store_vfs_fail(FAULT_SYNC, 1, 1);
    make_account(&u, 2, "bert");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_FAILED);
    struct store_stats s = stats();
    cr_assert_eq(s.transactions_stored, 1);
    cr_assert_eq(s.transactions_failed, 1);
    cr_assert_eq(s.commits, 1);
    cr_assert_eq(s.commits_failed, 1);
    cr_assert(!s.writable && !store_writable(f.store));
    store_vfs_fail(FAULT_NONE, 0, 0);
    UNTIL(store_writable(f.store) || writes_again());
    cr_assert(stats().writable);
    cr_assert_gt(f.lines[LOG_ERROR] + f.lines[LOG_WARNING], 0, "it failed");
    while (f.lines[LOG_NOTICE] == 0) /* the store writes again */
        fixture_poll(&f, 100);
}

/* The WAL is copied back when it is as long as was said, and begun anew. */
Test(stats, checkpoints)
{
    fixture_close(&f);
    f.config.wal_bytes = 64 << 10;
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    make_table(&u, 7, TABLE_PLAYING, 2, 2);
    make_plies(&u, 7, -1, 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(stats().checkpoints, 0);
    int64_t ply = 0;
    for (; ply < 2000 && stats().checkpoints < 3; ply++) {
        make_plies(&u, 7, ply, 1, TABLE_PLAYING, 2, 2);
        cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
        cr_assert_leq(stats().wal_bytes, UINT64_C(5) * (64 << 10));
    }
    struct store_stats s = stats();
    cr_assert_geq(s.checkpoints, 3);
    cr_assert_gt(ply, 10, "not for every commit");
    cr_assert_gt(s.checkpoint_held_us_max, 0);
}
