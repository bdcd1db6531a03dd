/* bench_store.c -- how fast the store is, beside the least that SQLite can do.
 *
 * usage: bench_store [SECONDS]
 *
 * For 1, 10, 100 and 1000 transactions in flight, each one move of a table of
 * its own: rows a second through the store, and of a bare loop that appends
 * the same rows, so many to a transaction, in the same run.  Then how long it
 * takes to load a table of 500 plies that lie between those of 99 others, to
 * list, to start with 100 000 tables, and to start after a crash. */

#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "tests/support/store_fixture.h"

static double seconds = 1.0;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static const char line[] =
    "{\"at\":1790000000000,\"decision\":1234,\"kind\":\"move\",\"move\":"
    "{\"card\":\"forest\",\"hex\":\"C7\",\"verb\":\"play_land\"},\"ply\":1235,"
    "\"seat\":1}";

/* ---- the floor --------------------------------------------------------- */

static double floor_rate(const char *dir, int in_flight)
{
    char path[300];
    uint8_t chain[32] = {1};
    sqlite3 *db;
    sqlite3_stmt *insert;

    snprintf(path, sizeof(path), "%s/floor.db", dir);
    sqlite3_open(path, &db);
    sqlite3_exec(db,
                 "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; "
                 "CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, "
                 "number INTEGER, before INTEGER, ply INTEGER, line TEXT, "
                 "chain BLOB) STRICT",
                 NULL, NULL, NULL);
    sqlite3_prepare_v2(db,
                       "INSERT INTO log (number, before, ply, line, chain)"
                       " VALUES (?,?,?,?,?)",
                       -1, &insert, NULL);
    double begin = now();
    long rows = 0;
    while (now() < begin + seconds) {
        sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
        for (int i = 0; i < in_flight; i++, rows++) {
            sqlite3_bind_int64(insert, 1, i);
            sqlite3_bind_int64(insert, 2, rows);
            sqlite3_bind_int64(insert, 3, rows);
            sqlite3_bind_text(insert, 4, line, -1, SQLITE_STATIC);
            sqlite3_bind_blob(insert, 5, chain, 32, SQLITE_STATIC);
            ASSERT(sqlite3_step(insert) == SQLITE_DONE);
            sqlite3_reset(insert);
        }
        ASSERT(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    }
    double rate = (double)rows / (now() - begin);
    sqlite3_finalize(insert);
    sqlite3_close(db);
    unlink(path);
    return rate;
}

/* ---- the store --------------------------------------------------------- */

static int64_t plies[100001];

static void submit_ply(struct store_fixture *f, id_num table)
{
    struct transaction u;
    transaction_init(&u);
    struct op *op = transaction_add(&u, OP_PLIES);
    struct ply_row *row = region_take(&u.region, sizeof(*row));

    op->table = table;
    op->u.plies.expect = make_chain(&u.region, table, plies[table]++);
    op->u.plies.rows = row;
    op->u.plies.count = 1;
    make_summary(&op->u.plies.summary, plies[table], TABLE_PLAYING, 2, 2);
    op->u.plies.summary.changed += 1790000000000;
    row->ply = (uint32_t)plies[table];
    row->line = region_text(&u.region, line, sizeof(line) - 1);
    row->len = sizeof(line) - 1;
    memcpy(row->chain, make_chain(&u.region, table, row->ply), SHA256_SIZE);
    fixture_submit(f, &u);
}

static void make_tables(struct store_fixture *f, id_num from, id_num to)
{
    struct transaction u;

    for (id_num id = from; id < to; id++) {
        transaction_init(&u);
        make_table(&u, id, TABLE_PLAYING, 2, 2);
        make_plies(&u, id, -1, 1, TABLE_PLAYING, 2, 2);
        plies[id] = 0;
        fixture_submit(f, &u);
        while (f->next_transaction - f->reported > 2000)
            fixture_poll(f, 1000);
    }
    while (f->reported < f->next_transaction)
        fixture_poll(f, 1000);
}

static double store_rate(struct store_fixture *f, int in_flight)
{
    uint64_t first = f->reported;
    double begin = now();
    id_num next = 0;

    while (now() < begin + seconds) {
        while (f->next_transaction - f->reported < (uint64_t)in_flight)
            submit_ply(f, 1 + next++ % (id_num)in_flight);
        fixture_poll(f, 1000);
    }
    while (f->reported < f->next_transaction)
        fixture_poll(f, 1000);
    return (double)(f->reported - first) / (now() - begin);
}

static void rates(struct store_fixture *f)
{
    struct store_stats a, b;

    printf("%9s %12s %12s %6s %10s %8s\n", "in flight", "bare rows/s",
           "store rows/s", "ratio", "commit us", "batch");
    for (int n = 1; n <= 1000; n *= 10) {
        double bare = floor_rate(f->dir, n);
        store_stats(f->store, &a);
        double rate = store_rate(f, n);
        store_stats(f->store, &b);
        double commits = (double)(b.commits - a.commits);
        printf("%9d %12.0f %12.0f %6.2f %10.0f %8.1f\n", n, bare, rate,
               rate / bare,
               (double)(b.commit_us_sum - a.commit_us_sum) / commits,
               (double)(b.transactions_stored - a.transactions_stored) /
                   commits);
    }
    store_stats(f->store, &b);
    printf("checkpoints %llu, the writer held for at most %llu us; "
           "WAL now %llu kB; written behind %llu\n",
           (unsigned long long)b.checkpoints,
           (unsigned long long)b.checkpoint_held_us_max,
           (unsigned long long)b.wal_bytes / 1024,
           (unsigned long long)b.flushed);
}

/* ---- questions --------------------------------------------------------- */

static void questions(struct store_fixture *f)
{
    struct question list = {
        .kind = ASK_TABLES,
        .limit = 100,
        .u.tables = {.state = -1, .account = 1},
    };
    struct question mine = {
        .kind = ASK_MINE,
        .limit = 100,
        .u.mine = {.state = -1, .account = 1},
    };
    double begin = now();

    for (int i = 0; i < 100; i++)
        ASSERT(fixture_table(f, 2000 + (id_num)i)->ply_count == 500);
    printf("load 500 plies among 100 tables: %.2f ms\n", (now() - begin) * 10);
    begin = now();
    for (int i = 0; i < 100; i++)
        ASSERT(fixture_ask(f, &list)->listed_count == 100);
    printf("a page of 100 tables: %.2f ms\n", (now() - begin) * 10);
    begin = now();
    size_t count = fixture_ask(f, &mine)->listed_count;
    printf("the first %zu of all tables of one account: %.2f ms\n", count,
           (now() - begin) * 1000);
}

static double open_ms(struct store_fixture *f)
{
    double begin = now();
    ASSERT(fixture_open(f) == 0);
    return (now() - begin) * 1000;
}

/* A child makes a tail and is killed. */
static void crash(struct store_fixture *f, int rows)
{
    pid_t child = fork();

    if (child == 0) {
        f->config.flush_ms = 1000000;
        f->config.tail_max = 1000000;
        open_ms(f);
        f->reported = f->next_transaction = f->last_stored = 0;
        for (int i = 0; i < rows; i++) {
            submit_ply(f, 1 + (id_num)i % 1000);
            while (f->next_transaction - f->reported > 2000)
                fixture_poll(f, 1000);
        }
        while (f->reported < f->next_transaction)
            fixture_poll(f, 1000);
        kill(getpid(), SIGKILL);
    }
    waitpid(child, NULL, 0);
    for (int i = 0; i < rows; i++)
        plies[1 + i % 1000]++;
    printf("start after a crash, %d rows behind: %.1f ms\n", rows, open_ms(f));
    fixture_close(f);
}

int main(int argc, char **argv)
{
    static struct store_fixture f;

    if (argc > 1)
        seconds = atof(argv[1]);
    fixture_init(&f);
    f.loud = true;
    open_ms(&f);
    make_tables(&f, 1, 2001);
    rates(&f);
    make_tables(&f, 2001, 2100);
    for (int i = 0; i < 499 * 100; i++) {
        submit_ply(&f, 2000 + (id_num)i % 100);
        while (f.next_transaction - f.reported > 2000)
            fixture_poll(&f, 1000);
    }
    double begin = now();
    make_tables(&f, 2100, 100001);
    printf("100 000 tables made, %.0f/s\n", 97900 / (now() - begin));
    questions(&f);
    begin = now();
    fixture_close(&f);
    printf("closed in %.1f ms\n", (now() - begin) * 1000);
    printf("start with 100 000 tables: %.1f ms\n", open_ms(&f));
    fixture_close(&f);
    crash(&f, 1000);
    crash(&f, 65536);
    fixture_done(&f);
    return 0;
}
