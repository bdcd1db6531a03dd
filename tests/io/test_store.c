/* test_store.c -- what the store does with its file: groups, order, what is
 * written later, whose it is, copies.  What every store does is in
 * test_store_contract.c; see also test_store_faults.c and test_store_crash.c. */

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/hub/limits.h"
#include "tests/support/store_test.h"

STORE_TESTS(store, 1200);
/* Those that want a configuration of their own. */
TestSuite(store_apart, .fini = store_test_end, .timeout = 1200);

static void people(int n)
{
    make_people(&u, n);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
}

static void table(id_num id, int state, int seats, int filled)
{
    make_table(&u, id, state, seats, filled);
    make_plies(&u, id, -1, 1, state, seats, filled);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
}

static enum transaction_result plies(id_num id, int64_t expect, size_t count)
{
    make_plies(&u, id, expect, count, TABLE_PLAYING, 2, 2);
    return fixture_store(&f, &u);
}

/* ---- transactions ------------------------------------------------------- */

/* What is put waits for store_go() or a question, and shares a commit. */
Test(store, put_together)
{
    struct question nothing = {.kind = ASK_ACCOUNT, .u.account = 99};
    struct store_stats before, after;

    store_stats(f.store, &before);
    for (id_num id = 1; id <= 6; id++) {
        make_account(&u, id, (char[]){'n', (char)('a' + id), '\0'});
        store_queue(f.store, ++f.next_transaction, &u);
        cr_assert_null(u.first, "the transaction was taken over");
        if (id == 3)
            store_go(f.store);
    }
    fixture_ask(&f, &nothing);
    cr_assert_eq(f.reported, f.next_transaction, "before the answer");
    store_stats(f.store, &after);
    cr_assert_eq(after.transactions_stored - before.transactions_stored, 6);
    cr_assert(after.commits - before.commits <= 2);
}

/* Who has had enough of what is done gets the rest later, and in order. */
Test(store, one_at_a_time)
{
    f.one_at_a_time = true;
    for (id_num id = 1; id <= 6; id++) {
        make_account(&u, id, (char[]){'n', (char)('a' + id), '\0'});
        store_queue(f.store, ++f.next_transaction, &u);
    }
    store_go(f.store);
    for (uint64_t n = f.reported; f.reported < f.next_transaction;
         n = f.reported) {
        fixture_poll(&f, 1000);
        cr_assert(f.reported <= n + 1);
    }
    cr_assert_eq(f.disorder, 0);
    make_account(&u, 7, "seven");
    fixture_submit(&f, &u);
    make_account(&u, 8, "eight");
    fixture_submit(&f, &u);
    fixture_close(&f);
    cr_assert_eq(f.reported, f.next_transaction, "at the end all of it");
}

/* Waits until all that was handed over is done, and polls nothing. */
static void wait_done(uint64_t answers)
{
    struct store_stats now;

    do
        store_stats(f.store, &now);
    while (now.transactions_waiting > 0 || now.answers < answers);
}

/* That something is stored is told before answers that were found earlier, and
 * of these first what somebody waits for who asks for little. */
Test(store, answers_in_rank)
{
    struct question nothing = {.kind = ASK_ACCOUNT, .u.account = 99};

    f.one_at_a_time = true;
    for (int i = 0; i < 3; i++)
        store_ask(f.store, ++f.next_ask, &nothing);
    wait_done(3);
    f.favoured = f.next_ask;
    make_account(&u, 1, "one");
    fixture_submit(&f, &u);
    wait_done(3);
    store_poll(f.store);
    cr_assert(f.reported == 1 && f.answered == 0);
    store_poll(f.store);
    cr_assert(f.answered == 1 && f.last_answered == f.favoured);
    store_ask(f.store, ++f.next_ask, &nothing);
    wait_done(4);
    for (uint64_t n = 2; n <= 4; n++) {
        store_poll(f.store);
        cr_assert_eq(f.answered, n);
    }
    cr_assert_eq(f.last_answered, f.next_ask, "the one asked last");
}

/* A transaction that conflicts leaves nothing, and what is in the same batch
 * before and behind it, of the same table too, is stored. */
Test(store, conflict_alone)
{
    make_account(&u, 1, "one");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    store_vfs_install();
    table(5, TABLE_PLAYING, 2, 2);
    make_plies(&u, 5, 0, 1, TABLE_PLAYING, 2, 2);
    transaction_id first = fixture_submit(&f, &u);
    make_plies(&u, 5, 1, 1, TABLE_FINISHED, 2, 1);
    make_table(&u, 6, TABLE_OPEN, 2, 0);
    make_plies(&u, 6, -1, 1, TABLE_OPEN, 2, 0);
    make_account(&u, 2, "ONE");
    transaction_id second = fixture_submit(&f, &u);
    make_plies(&u, 5, 1, 2, TABLE_PLAYING, 2, 2);
    make_table(&u, 6, TABLE_OPEN, 2, 0);
    transaction_id third = fixture_submit(&f, &u);
    const struct answer *a = fixture_table(&f, 5);
    cr_assert_eq(f.results[first], TRANSACTION_STORED + 1);
    cr_assert_eq(f.results[second], TRANSACTION_CONFLICT + 1);
    cr_assert_eq(f.results[third], TRANSACTION_STORED + 1);
    cr_assert(plies_whole(a, 5) && a->ply_count == 4);
    cr_assert_eq(a->table->summary.state, TABLE_PLAYING);
    cr_assert_eq(fixture_table(&f, 6)->ply_count, 0);
    cr_assert_not_null(f.answer.table);
}

/* Two tables' rows lie between each other's, and are told apart. */
Test(store, interleaved)
{
    table(5, TABLE_PLAYING, 2, 2);
    table(6, TABLE_PLAYING, 2, 2);
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(plies(5, 2 * i, 2), TRANSACTION_STORED);
        cr_assert_eq(plies(6, i, 1), TRANSACTION_STORED);
    }
    cr_assert(plies_whole(fixture_table(&f, 5), 5));
    cr_assert_eq(f.answer.ply_count, 101);
    cr_assert(plies_whole(fixture_table(&f, 6), 6));
    cr_assert_eq(f.answer.ply_count, 51);
}

/* More tables than the writer remembers. */
Test(store_apart, forgetful)
{
    fixture_init(&f);
    transaction_init(&u);
    f.config.cache_max = 3;
    f.config.flush_ms = 1;
    cr_assert_eq(fixture_open(&f), 0);
    for (id_num id = 1; id <= 20; id++)
        table(id, TABLE_PLAYING, 2, 2);
    for (int ply = 0; ply < 10; ply++) {
        for (id_num id = 1; id <= 20; id++)
            cr_assert_eq(plies(id, ply, 1), TRANSACTION_STORED);
        until_written();
        struct question q = {.kind = ASK_TABLES,
                             .u.tables = {.state = TABLE_PLAYING}};
        const struct answer *a = fixture_ask(&f, &q);
        cr_assert_eq(a->listed_count, 20);
        for (int i = 0; i < 20; i++)
            cr_assert_eq(a->tables[i].table.summary.ply, (uint32_t)ply + 1);
    }
    struct store_stats stats;
    store_stats(f.store, &stats);
    cr_assert_gt(stats.flushed, 100);
    for (id_num id = 1; id <= 20; id++)
        cr_assert(plies_whole(fixture_table(&f, id), id));
}

/* ---- groups, order, reopening ------------------------------------------- */

/* What waits while a commit is under way goes into the next one together, and
 * a question waits for all that was handed over before it. */
Test(store_apart, groups)
{
    struct store_stats before, after;

    store_vfs_install();
    fixture_init(&f);
    transaction_init(&u);
    cr_assert_eq(fixture_open(&f), 0);
    table(7, TABLE_PLAYING, 2, 2);
    store_stats(f.store, &before);
    store_vfs_hold(true);
    for (int i = 0; i < 500; i++) {
        make_plies(&u, 7, i, 1, TABLE_PLAYING, 2, 2);
        fixture_submit(&f, &u);
    }
    store_vfs_hold(false);
    const struct answer *a = fixture_table(&f, 7);
    cr_assert_eq(a->ply_count, 501);
    cr_assert_eq(a->table->summary.ply, 500);
    cr_assert_eq(f.last_stored, f.next_transaction, "results came before");
    store_stats(f.store, &after);
    cr_assert_leq(after.commits - before.commits, 10);
    cr_assert_eq(after.transactions_stored - before.transactions_stored, 500);
    cr_assert_eq(after.plies - before.plies, 500);
    cr_assert_eq(after.transactions_waiting, 0);
}

/* Of the questions that wait theirs is looked up first who asks for little, and
 * not only told first. */
Test(store_apart, questions_in_rank)
{
    struct question nothing = {.kind = ASK_ACCOUNT, .u.account = 99};

    store_vfs_install();
    fixture_init(&f);
    transaction_init(&u);
    f.config.readers = 1;
    cr_assert_eq(fixture_open(&f), 0);
    store_vfs_hold(true);
    make_account(&u, 1, "one");
    fixture_submit(&f, &u); /* which they all wait for */
    f.favoured = 3;
    while (f.next_ask < 4)
        store_ask(f.store, ++f.next_ask, &nothing);
    f.favoured = 0; /* now they are told as they were found */
    store_vfs_hold(false);
    wait_done(4);
    f.one_at_a_time = true;
    while (f.answered == 0)
        store_poll(f.store);
    cr_assert_eq(f.last_answered, 3);
}

/* Summaries that were only in memory are there after an orderly end, and after
 * none (the file is taken as it is while the store is open). */
Test(store, behind)
{
    table(7, TABLE_PLAYING, 2, 2);
    for (int i = 0; i < 30; i++)
        cr_assert_eq(plies(7, i, 1), TRANSACTION_STORED);
    struct store_stats stats;
    store_stats(f.store, &stats);
    cr_assert_eq(stats.flushed, 0);
    cr_assert_eq(stats.cache_dirty, 1);
    cr_assert_lt(fixture_sql(&f, "SELECT ply FROM tables"), 30);
    reopen();
    cr_assert_eq(fixture_sql(&f, "SELECT ply FROM tables"), 30);
    cr_assert_eq(
        fixture_sql(&f,
                    "SELECT flushed = (SELECT max(id) FROM log) FROM state"),
        1);
}

/* An idle store writes behind by itself. */
Test(store_apart, behind_by_time)
{
    fixture_init(&f);
    transaction_init(&u);
    f.config.flush_ms = 30;
    cr_assert_eq(fixture_open(&f), 0);
    table(7, TABLE_PLAYING, 2, 2);
    cr_assert_eq(plies(7, 0, 3), TRANSACTION_STORED);
    until_written();
    cr_assert_eq(fixture_sql(&f, "SELECT ply FROM tables"), 3);
}

/* A WAL that grows is copied back while the writer is never idle, and begun
 * anew; it does not get much longer than four times what was said. */
Test(store_apart, checkpoints)
{
    struct store_stats stats;
    static int64_t last[41];
    uint64_t most = 0;

    fixture_init(&f);
    transaction_init(&u);
    f.config.wal_bytes = 256 << 10;
    f.config.sync = STORE_SYNC_OFF;
    f.config.batch_max = 8;
    cr_assert_eq(fixture_open(&f), 0);
    for (id_num id = 1; id <= 40; id++)
        table(id, TABLE_PLAYING, 2, 2);
    for (int i = 0; i < 20000; i++) {
        id_num id = (id_num)i % 40 + 1;
        make_plies(&u, id, last[id]++, 1, TABLE_PLAYING, 2, 2);
        fixture_submit(&f, &u);
        while (f.next_transaction - f.reported > 40)
            fixture_poll(&f, 1000);
        store_stats(f.store, &stats);
        if (stats.wal_bytes > most)
            most = stats.wal_bytes;
    }
    cr_assert_gt(stats.checkpoints, 5);
    cr_assert_gt(stats.checkpoint_held_us_max, 0);
    cr_assert_leq(most, 5 * (256 << 10), "%llu", (unsigned long long)most);
    for (id_num id = 1; id <= 40; id++) {
        cr_assert(plies_whole(fixture_table(&f, id), id));
        cr_assert_eq(f.answer.ply_count, 501);
    }
}

/* ---- whose file it is --------------------------------------------------- */

/* One store per directory; it says whose it is. */
Test(store, locked)
{
    static struct store_fixture second;
    char number[32];

    fixture_init(&second);
    rmdir(second.dir);
    snprintf(second.dir, sizeof(second.dir), "%s", f.dir);
    cr_assert_eq(fixture_open(&second), -EBUSY);
    snprintf(number, sizeof(number), "number %d", (int)getpid());
    cr_assert_not_null(strstr(second.error, number), "%s", second.error);
    fixture_close(&f);
    cr_assert_eq(fixture_open(&second), 0, "%s", second.error);
    fixture_close(&second);
    cr_assert_eq(fixture_open(&f), 0);
}

/* A directory that cannot be made is an error that says so. */
Test(store, nowhere)
{
    fixture_close(&f);
    char dir[sizeof(f.dir)];
    memcpy(dir, f.dir, sizeof(dir));
    snprintf(f.dir, sizeof(f.dir), "/nowhere/at/all");
    cr_assert_eq(fixture_open(&f), -ENOENT);
    cr_assert_not_null(strstr(f.error, "/nowhere/at/all"));
    memcpy(f.dir, dir, sizeof(dir));
}

/* The files are nobody else's to read. */
Test(store, modes)
{
    static const char *const names[] = {"sobremesa.db", "sobremesa.db-wal",
                                        "lock"};
    struct stat st;
    char path[300];

    table(7, TABLE_PLAYING, 2, 2);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s/%s", f.dir, names[i]);
        cr_assert_eq(stat(path, &st), 0);
        cr_assert_eq(st.st_mode & 077, 0, "%s", path);
    }
}

/* The foreign keys, which are declared and not enforced, hold. */
Test(store, foreign_keys)
{
    people(3);
    table(7, TABLE_PLAYING, 2, 2);
    struct op *op = transaction_add(&u, OP_TEXT);
    op->u.text = (struct text_row){.number = 1,
                                   .table = 7,
                                   .from = 1,
                                   .body = "well played"};
    op = transaction_add(&u, OP_NOTE);
    op->table = 7;
    op->account = 1;
    op->u.note = "x";
    op = transaction_add(&u, OP_TOKEN);
    op->u.token = (struct token_row){.id = 10, .account = 1, .label = ""};
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(plies(7, 0, 3), TRANSACTION_STORED);
    fixture_close(&f);
    cr_assert_eq(fixture_sql(&f,
                             "SELECT count(*) FROM pragma_foreign_key_check "
                             "WHERE \"table\" <> 'log' OR parent <> 'log'"),
                 0);
    cr_assert_eq(
        fixture_sql(&f,
                    "SELECT count(*) FROM log WHERE before <> 0 AND before "
                    "NOT IN (SELECT id FROM log)"),
        0);
    cr_assert_eq(fixture_sql(&f, "SELECT count(*) FROM pragma_integrity_check "
                                 "WHERE integrity_check <> 'ok'"),
                 0);
}

/* A log with a row missing is not shown as if it were whole. */
Test(store, damaged)
{
    table(7, TABLE_PLAYING, 2, 2);
    cr_assert_eq(plies(7, 0, 9), TRANSACTION_STORED);
    table(8, TABLE_PLAYING, 2, 2);
    fixture_close(&f);
    fixture_sql(&f, "DELETE FROM log WHERE ply = 4");
    cr_assert_eq(fixture_open(&f), 0);
    cr_assert(fixture_table(&f, 7)->failed);
    cr_assert_null(f.answer.table);
    cr_assert_geq(f.lines[LOG_ERROR], 1);
    cr_assert(plies_whole(fixture_table(&f, 8), 8));
}

/* ---- backups ------------------------------------------------------------ */

static void told(void *context, const struct store_progress *p)
{
    struct store_fixture *g = context;

    g->progress_calls++;
    g->progress = *p;
    snprintf(g->progress_error, sizeof(g->progress_error), "%s",
             p->error != NULL ? p->error : "");
}

static void await_backup(void)
{
    while (!f.progress.finished)
        fixture_poll(&f, 1000);
}

/* A backup taken while moves go on opens as a store of its own, with every
 * table whole, and knows that it is a copy until told otherwise. */
Test(store, backup)
{
    char path[300], copy_dir[256], from[sizeof(f.dir)];
    int64_t ply = 0;

    for (id_num id = 1; id <= 30; id++)
        table(id, TABLE_PLAYING, 2, 2);
    cr_assert_not(store_restored(f.store));
    snprintf(copy_dir, sizeof(copy_dir), "%.200s/copy", f.dir);
    cr_assert_eq(mkdir(copy_dir, 0700), 0);
    snprintf(path, sizeof(path), "%s/sobremesa.db", copy_dir);
    for (; ply < 20; ply++)
        cr_assert_eq(plies(7, ply, 1), TRANSACTION_STORED);
    cr_assert(store_backup(f.store, path, &f, told));
    store_backup(f.store, path, &f, told);
    for (; ply < 60; ply++)
        cr_assert_eq(plies(7, ply, 1), TRANSACTION_STORED);
    await_backup();
    cr_assert_str_eq(f.progress_error, "");

    f.progress.finished = false;
    cr_assert(store_backup(f.store, path, &f, told));
    await_backup();
    cr_assert_not_null(strstr(f.progress_error, "File exists"), "%s",
                       f.progress_error);
    fixture_close(&f);

    memcpy(from, f.dir, sizeof(from));
    snprintf(f.dir, sizeof(f.dir), "%s", copy_dir);
    cr_assert_eq(access(path, R_OK), 0);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert(store_restored(f.store));
    const struct answer *a = fixture_table(&f, 7);
    cr_assert(plies_whole(a, 7) && a->ply_count >= 21);
    ply = (int64_t)a->ply_count - 1;
    cr_assert_eq(plies(7, ply, 1), TRANSACTION_STORED);
    store_settled(f.store);
    cr_assert_eq(plies(7, ply + 1, 1), TRANSACTION_STORED);
    reopen();
    cr_assert_not(store_restored(f.store));
    fixture_close(&f);
    memcpy(f.dir, from, sizeof(from));
}

/* A backup to nowhere says so, and one that is closed upon ends. */
Test(store, backup_fails)
{
    cr_assert(store_backup(f.store, "/nowhere/copy.db", &f, told));
    await_backup();
    cr_assert_neq(f.progress_error[0], '\0');
    char path[300];
    snprintf(path, sizeof(path), "%s/copy.db", f.dir);
    f.progress.finished = false;
    cr_assert(store_backup(f.store, path, &f, told));
    fixture_close(&f);
    cr_assert(f.progress.finished);
}
