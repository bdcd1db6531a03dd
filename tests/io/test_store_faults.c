/* test_store_faults.c -- a disk that fails: nothing is called stored that is
 * not, reading goes on, and writing resumes by itself. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/standing_clock.h"
#include "tests/support/store_test.h"

#define TABLES 3

static int64_t known[TABLES + 1]; /* last ply reported stored */

static void begin(void)
{
    store_vfs_install();
    store_test_init();
    f.config.retry_ms_max = 20;
    f.config.wal_bytes = 64 << 10;
    f.config.flush_ms = 5;
    store_test_open();
    for (id_num id = 1; id <= TABLES; id++) {
        make_table(&u, id, TABLE_PLAYING, 2, 2);
        make_plies(&u, id, -1, 1, TABLE_PLAYING, 2, 2);
        cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
        known[id] = 0;
    }
}

TestSuite(faults, .init = begin, .fini = store_test_end_faulty,
          .timeout = 1200);

/* Asks for the table as the hub does after a failure, and checks that what was
 * reported is there; what was not may be. */
static void resume(id_num id)
{
    const struct answer *a = fixture_table(&f, id);

    cr_assert(plies_whole(a, id), "table %d", (int)id);
    int64_t last = (int64_t)a->ply_count - 1;
    cr_assert_geq(last, known[id], "a stored ply is lost");
    cr_assert_leq(last, known[id] + 2);
    cr_assert_eq(a->table->summary.ply, (uint32_t)last);
    known[id] = last;
}

/* Two plies to each table, as transactions that wait together; returns how
 * many were stored. */
static int round_of_moves(void)
{
    transaction_id ids[TABLES + 1];
    int stored = 0;

    for (id_num id = 1; id <= TABLES; id++) {
        make_plies(&u, id, known[id], 2, TABLE_PLAYING, 2, 2);
        ids[id] = fixture_submit(&f, &u);
    }
    while (f.last_stored != ids[TABLES])
        fixture_poll(&f, 1000);
    for (id_num id = 1; id <= TABLES; id++) {
        cr_assert_neq(f.results[ids[id] % FIXTURE_TRANSACTIONS],
                      TRANSACTION_CONFLICT + 1);
        if (f.results[ids[id] % FIXTURE_TRANSACTIONS] ==
            TRANSACTION_STORED + 1) {
            known[id] += 2;
            stored++;
        } else
            resume(id);
    }
    return stored;
}

static void until_writable(void)
{
    UNTIL(round_of_moves() == TABLES && store_writable(f.store));
}

/* As if the process had been killed: a copy of the files, opened anew, has
 * everything that was reported. */
static void check_copy(void)
{
    struct store_fixture *copy = calloc(1, sizeof(*copy));
    char command[700];

    fixture_init(copy);
    snprintf(command, sizeof(command), "cp %s/sobremesa.db* %s/", f.dir,
             copy->dir);
    /* Nothing changes while it is copied. */
    store_vfs_fail(FAULT_FULL, 1, -1);
    store_vfs_settle();
    cr_assert_eq(system(command), 0);
    store_vfs_fail(FAULT_NONE, 0, 0);
    cr_assert_eq(fixture_open(copy), 0, "%s", copy->error);
    for (id_num id = 1; id <= TABLES; id++) {
        const struct answer *a = fixture_table(copy, id);
        cr_assert(plies_whole(a, id));
        cr_assert_geq((int64_t)a->ply_count - 1, known[id]);
    }
    fixture_done(copy);
    free(copy);
}

static void nth(enum store_fault fault, int n, int repeat)
{
    store_vfs_fail(fault, n, repeat);
    int failed = 0;
    for (int i = 0; i < 6 || store_vfs_failed() == 0; i++) {
        failed += TABLES - round_of_moves();
        if (i == 200)
            break;
    }
    store_vfs_fail(FAULT_NONE, 0, 0);
    check_copy();
    until_writable();
    for (id_num id = 1; id <= TABLES; id++)
        resume(id);
    (void)failed;
}

static int rounds(void)
{
    return getenv("ASAN") != NULL ? 10 : 40;
}

/* The nth sync fails, once and for a while. */
Test(faults, syncs)
{
    for (int n = 1; n <= rounds(); n++)
        nth(FAULT_SYNC, n, n % 3 == 0 ? 5 : 1);
}

/* The nth write is torn. */
Test(faults, writes)
{
    for (int n = 1; n <= rounds(); n++)
        nth(FAULT_WRITE, n, n % 3 == 0 ? 5 : 1);
}

/* The disk is full at the nth write. */
Test(faults, full)
{
    for (int n = 1; n <= rounds(); n++)
        nth(FAULT_FULL, n, n % 3 == 0 ? 5 : 1);
}

/* Whether the disk has failed so often; until then nothing can be written. */
static bool has_failed(int times)
{
    cr_assert_not(store_writable(f.store), "nothing was written");
    return store_vfs_failed() >= times;
}

/* While nothing can be written transactions fail at once, tables and lists can
 * be read as they are stored, and nobody has to start it again. */
Test(faults, long_failure)
{
    static const enum store_fault faults[] = {FAULT_SYNC, FAULT_WRITE,
                                              FAULT_FULL};
    for (int i = 0; i < 3; i++) {
        struct question list = {.kind = ASK_MINE,
                                .u.mine = {.state = -1, .account = 1}};
        until_writable();
        until_written();
        store_vfs_fail(faults[i], 1, -1);
        cr_assert_eq(round_of_moves(), 0);
        UNTIL(has_failed(10)); /* without anybody writing */
        for (int j = 0; j < 50; j++) {
            cr_assert_eq(round_of_moves(), 0, "a false TRANSACTION_STORED");
            cr_assert_not(store_writable(f.store), "%d %d: %s", i, j, f.line);
            const struct answer *a = fixture_ask(&f, &list);
            cr_assert_eq(a->listed_count, TABLES);
            for (int k = 0; k < TABLES; k++)
                cr_assert_eq(a->tables[k].table.summary.ply,
                             known[a->tables[k].table.id]);
        }
        check_copy();
        store_vfs_fail(FAULT_NONE, 0, 0);
        UNTIL(store_writable(f.store)); /* again without */
        cr_assert_eq(round_of_moves(), TABLES);
    }
    cr_assert_leq(f.lines[LOG_ERROR], 30, "%s", f.line);
}

/* A failure does not make the cached tables of other tables forgotten: who did
 * not write in the failed batch goes on where they were. */
Test(faults, others)
{
    until_writable();
    store_vfs_fail(FAULT_SYNC, 1, -1);
    make_plies(&u, 1, known[1], 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_FAILED);
    store_vfs_fail(FAULT_NONE, 0, 0);
    resume(1);
    UNTIL(store_writable(f.store));
    make_plies(&u, 2, known[2], 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    make_plies(&u, 1, known[1], 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
}

/* What is closed in the middle of a failure loses nothing either. */
Test(faults, closed)
{
    until_writable();
    store_vfs_fail(FAULT_FULL, 1, -1);
    cr_assert_eq(round_of_moves(), 0);
    fixture_close(&f);
    store_vfs_fail(FAULT_NONE, 0, 0);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    for (id_num id = 1; id <= TABLES; id++)
        resume(id);
    cr_assert_eq(round_of_moves(), TABLES);
}

/* A disk that fails while the store is opened is an error, nothing else. */
Test(faults, opening)
{
    static const enum store_fault faults[] = {FAULT_SYNC, FAULT_WRITE,
                                              FAULT_FULL};
    for (int n = 1; n < 40; n++) {
        char *command = NULL;
        fixture_close(&f);
        cr_assert_gt(asprintf(&command, "rm -f %s/sobremesa.db*", f.dir), 0);
        cr_assert_eq(system(command), 0);
        free(command);
        store_vfs_fail(faults[n % 3], n / 3 + 1, 1);
        int err = fixture_open(&f);
        bool failed = store_vfs_failed() > 0;
        store_vfs_fail(FAULT_NONE, 0, 0);
        if (err != 0) {
            cr_assert(failed && f.error[0] != '\0');
            cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
        }
        make_table(&u, 9, TABLE_OPEN, 2, 0);
        cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    }
}

/* How often the disk has failed, after MS and ten who wanted to store something. */
static int failures_after(int ms)
{
    clock_passes(ms);
    for (int i = 0; i < 10; i++) {
        make_plies(&u, 1, known[1], 1, TABLE_PLAYING, 2, 2);
        cr_assert_eq(fixture_store(&f, &u), TRANSACTION_FAILED);
    }
    return store_vfs_failed();
}

/* A disk that is full is tried again after 10 ms, and then every 20 ms at most, however
 * much somebody wants to store meanwhile. */
Test(faults, pauses)
{
    clock_stands(CLOCK_MONOTONIC);
    store_vfs_fail(FAULT_FULL, 1, -1);
    int failures = failures_after(0);
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(failures_after(i == 0 ? 9 : 19), failures, "%d", i);
        int next = failures_after(1);
        cr_assert(next > failures && next <= failures + 2, "%d: %d", i, next);
        failures = next;
    }
    clock_goes();
    store_vfs_fail(FAULT_NONE, 0, 0);
    until_writable();
}
