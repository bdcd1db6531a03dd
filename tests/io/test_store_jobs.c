/* test_store_jobs.c -- what goes through all of the file: looks at it, copies of
 * it, the file without its holes, a verdict on every table; and what becomes of a
 * store whose file is found damaged. */

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base.h"
#include "tests/support/standing_clock.h"
#include "tests/support/store_test.h"
#include "tests/support/test_client.h"

#define PAGE 4096

static char path[300];

static void begin(void)
{
    store_test_begin();
    snprintf(path, sizeof(path), "%s/sobremesa.db", f.dir);
}

TestSuite(jobs, .init = begin, .fini = store_test_end, .timeout = 1200);

static void tables(id_num n, size_t plies)
{
    for (id_num id = 1; id <= n; id++) {
        make_table(&u, id, TABLE_PLAYING, 2, 2);
        make_plies(&u, id, -1, plies, TABLE_PLAYING, 2, 2);
        cr_assert_eq(store(), TRANSACTION_STORED);
    }
}

static struct store_health health(void)
{
    struct store_health h;

    store_health(f.store, &h);
    return h;
}

static int lines(void)
{
    int sum = 0;

    for (size_t i = 0; i < COUNT_OF(f.lines); i++)
        sum += f.lines[i];
    return sum;
}

/* Waits for the end of the check that is under way, and for what it logs. */
static enum store_check_state check_ends(void)
{
    int before = lines();

    UNTIL(health().check != CHECK_RUNNING);
    fixture_poll(&f, 100);
    while (health().check == CHECK_WHOLE && lines() == before)
        fixture_poll(&f, 100);
    return health().check;
}

static void told(void *context, const struct store_progress *p)
{
    struct store_fixture *g = context;

    cr_assert_not(g->progress.finished, "told once of the end");
    cr_assert_leq(g->progress.done, p->done);
    g->progress_calls++;
    g->progress = *p;
    snprintf(g->progress_error, sizeof(g->progress_error), "%s",
             p->error != NULL ? p->error : "");
}

static void await_end(void)
{
    while (!f.progress.finished)
        fixture_poll(&f, 1000);
}

static int64_t file_bytes(const char *name)
{
    struct stat is;

    cr_assert_eq(stat(name, &is), 0);
    return is.st_size;
}

/* ---- checks ------------------------------------------------------------- */

/* A file that is whole is called so, in the log too, with the time; before the
 * first look nothing is said. */
Test(jobs, whole)
{
    struct store_health h = health();

    cr_assert(h.check == CHECK_NEVER && h.check_ms == 0);
    tables(5, 20);
    int64_t now_ms = clock_stands(CLOCK_REALTIME);
    cr_assert(store_check(f.store));
    cr_assert_eq(check_ends(), CHECK_WHOLE);
    h = health();
    cr_assert_eq(h.check_ms, now_ms);
    cr_assert_str_eq(h.damage, "");
    cr_assert_eq(f.lines[LOG_NOTICE], 1);
    cr_assert_not_null(strstr(f.line, "it is whole"));
    cr_assert(store_check(f.store), "and once more");
    cr_assert_eq(check_ends(), CHECK_WHOLE);
    cr_assert_eq(f.lines[LOG_NOTICE], 2);
}

/* While a check is under way it tells how far it is, and there is no second;
 * one that is stopped says nothing of the file. */
Test(jobs, stopped)
{
    int stopped = 0, seen = 0;

    tables(4, 20000);
    while (stopped == 0 || seen == 0) {
        cr_assert(store_check(f.store));
        struct store_health h = health();
        while (h.check == CHECK_RUNNING && h.check_total == 0)
            h = health();
        if (h.check == CHECK_RUNNING) {
            cr_assert_leq(h.check_done, h.check_total);
            int64_t pages = fixture_sql(&f, "PRAGMA page_count");
            cr_assert_geq(h.check_total, 100);
            cr_assert_leq(h.check_total, pages);
            seen++;
        }
        (void)store_check(f.store);
        store_check_stop(f.store);
        stopped += check_ends() == CHECK_STOPPED;
    }
    cr_assert_eq(f.lines[LOG_ERROR], 0);
    cr_assert_str_eq(health().damage, "");
    /* A look that is broken off says nothing of the next. */
    cr_assert(store_check(f.store));
    cr_assert_eq(check_ends(), CHECK_WHOLE);
    struct store_health h = health();
    cr_assert_gt(h.check_done, h.check_total / 2, "it was told how far it is");
}

/* A store that is closed while all of it is looked at ends. */
Test(jobs, closed_upon)
{
    tables(4, 20000);
    cr_assert(store_check(f.store));
    fixture_close(&f);
}

/* ---- damage ------------------------------------------------------------- */

/* Writes LEN times 0x55 at AT into the file, which is closed. */
static void overwrite(int64_t at, int len)
{
    FILE *file = fopen(path, "r+b");

    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, (long)at, SEEK_SET), 0);
    while (len-- > 0)
        cr_assert_eq(fputc(0x55, file), 0x55);
    cr_assert_eq(fclose(file), 0);
}

static void index_damaged(void)
{
    int64_t root = fixture_sql(&f, "SELECT rootpage FROM sqlite_schema WHERE "
                                   "name = 'accounts_name'");
    cr_assert_gt(root, 1);
    overwrite(root * PAGE - 3, 3); /* the end of the first name */
}

static const struct {
    const char *sql; /* NULL: an index's page */
    const char *what;
} damages[] = {
    {NULL, "accounts_name"},
    {"INSERT INTO notes VALUES (77, 1, 'of no table')",
     "a row of notes is of a table that is not there"},
    {"DELETE FROM setups WHERE number = 2",
     "table aaaaaaaaaaaac has no setup"},
    {"UPDATE log SET before = 0 WHERE ply = 5 AND number = 1",
     "of the log continues nothing"},
    {"UPDATE log SET before = 99999 WHERE ply = 5 AND number = 1",
     "of the log continues nothing"},
    {"UPDATE log SET before = id WHERE ply = 5 AND number = 1",
     "of the log continues nothing"},
    {"UPDATE log SET before = before - 1 WHERE ply = 5 AND number = 1",
     "of the log continues nothing"},
    {"UPDATE log SET ply = 1 WHERE before = 0 AND number = 1",
     "of the log continues nothing"},
    {"UPDATE tables SET head = 99999 WHERE number = 2",
     "the log of table aaaaaaaaaaaac has no end"},
    {"UPDATE tables SET head = (SELECT head FROM tables WHERE number = 1) "
     "WHERE number = 2",
     "the log of table aaaaaaaaaaaac has no end"},
    {"UPDATE tables SET ply = ply - 1 WHERE number = 2",
     "the log of table aaaaaaaaaaaac has no end"},
    {"INSERT INTO milestones VALUES (2, 5, 99999)",
     "a milestone of table aaaaaaaaaaaac is not in its log"},
    {"INSERT INTO milestones SELECT 2, ply, id FROM log WHERE number = 1 "
     "AND ply = 5",
     "a milestone of table aaaaaaaaaaaac is not in its log"},
    {"INSERT INTO milestones SELECT number, ply - 1, id FROM log "
     "WHERE number = 2 AND ply = 5",
     "a milestone of table aaaaaaaaaaaac is not in its log"},
};

static void no_wrong(void *context, id_num table, const char *why)
{
    (void)context, (void)table, (void)why;
    cr_assert_fail("tables of a file that is not whole are not looked at");
}

/* Each kind of damage is found by a look at all of the file: from then on
 * nothing is written, what can be read is read, and it is said once; nobody
 * calls such a file whole. */
Test(jobs, damaged)
{
    struct store_verdict v;
    char error[256];

    for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
        if (i > 0) {
            store_test_end();
            begin();
        }
        make_people(&u, 3);
        cr_assert_eq(store(), TRANSACTION_STORED);
        tables(3, 10);
        fixture_close(&f);
        if (damages[i].sql != NULL)
            fixture_sql(&f, damages[i].sql);
        else
            index_damaged();
        cr_assert_eq(store_verify(path, NULL, no_wrong, &v, error,
                                  sizeof(error)),
                     -EUCLEAN);
        cr_assert_not_null(strstr(error, damages[i].what), "%s", error);
        memset(f.lines, 0, sizeof(f.lines));
        cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
        cr_assert(store_writable(f.store));
        for (int again = 0; again < 2; again++) {
            cr_assert(store_check(f.store));
            cr_assert_eq(check_ends(), CHECK_DAMAGED);
            cr_assert_not_null(strstr(health().damage, damages[i].what), "%s",
                               health().damage);
            cr_assert_eq(f.lines[LOG_ERROR], 1, "it is said once");
            cr_assert_not(store_writable(f.store));
        }
        make_account(&u, 9, "late");
        cr_assert_eq(store(), TRANSACTION_FAILED);
        cr_assert(plies_whole(fixture_table(&f, 3), 3));
        f.progress = (struct store_progress){0};
        char copy[320];
        snprintf(copy, sizeof(copy), "%s/copy.db", f.dir);
        cr_assert(store_backup(f.store, copy, &f, told));
        await_end();
        cr_assert_neq(f.progress_error[0], '\0', "no copy is made of that");
        cr_assert_neq(access(copy, F_OK), 0);
    }
}

/* ---- backups ------------------------------------------------------------- */

/* A backup tells how far it is, and at the end, once, that it is there; when the
 * last good one was and how large is kept in the file, and one that failed
 * changes nothing of that. */
Test(jobs, backup)
{
    char copy[320];

    snprintf(copy, sizeof(copy), "%s/copy.db", f.dir);
    tables(4, 20000);
    struct store_health h = health();
    cr_assert(h.backup_ms == 0 && h.backup_bytes == 0 && !h.backup_running);
    int64_t now_ms = clock_stands(CLOCK_REALTIME);
    cr_assert(store_backup(f.store, copy, &f, told));
    cr_assert_not(store_backup(f.store, copy, &f, told), "one at a time");
    cr_assert(health().backup_running);
    await_end();
    cr_assert_str_eq(f.progress_error, "");
    cr_assert_gt(f.progress_calls, 1);
    cr_assert_gt(f.progress.total, 100);
    h = health();
    cr_assert_not(h.backup_running);
    cr_assert_eq(h.backup_ms, now_ms);
    cr_assert_eq(h.backup_bytes, file_bytes(copy));
    make_account(&u, 9, "late");
    cr_assert_eq(store(), TRANSACTION_STORED);
    fixture_close(&f);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    struct store_health later = health();
    cr_assert_eq(later.backup_ms, h.backup_ms);
    cr_assert_eq(later.backup_bytes, h.backup_bytes);
    f.progress = (struct store_progress){0};
    cr_assert(store_backup(f.store, copy, &f, told));
    await_end();
    cr_assert_neq(f.progress_error[0], '\0', "it is there already");
    later = health();
    cr_assert_eq(later.backup_ms, h.backup_ms);
}

/* ---- holes ---------------------------------------------------------------- */

/* What was taken out of the file leaves holes, and without them it is as much
 * smaller as is said; then it is written on as before, and so again. */
Test(jobs, vacuum)
{
    struct store_stats stats;

    make_account(&u, 1, "anna");
    cr_assert_eq(store(), TRANSACTION_STORED);
    for (int round = 0; round < 2; round++) {
        for (id_num id = 1; id <= 60; id++) {
            id_num table = id + 100 * (id_num)round;
            make_table(&u, table, TABLE_OPEN, 2, 0);
            make_plies(&u, table, -1, 1, TABLE_OPEN, 2, 0);
            struct op *op = transaction_add(&u, OP_NOTE);
            char *note = region_take(&u.region, 4001);
            memset(note, 'x', 4000);
            op->table = table;
            op->account = 1;
            op->u.note = note;
            cr_assert_eq(store(), TRANSACTION_STORED);
        }
        for (id_num id = 1; id <= 60; id++) {
            struct op *op = transaction_add(&u, OP_NOTE);
            op->table = id + 100 * (id_num)round;
            op->account = 1;
            op->u.note = "";
        }
        cr_assert_eq(store(), TRANSACTION_STORED);
        f.progress = (struct store_progress){0};
        f.progress_calls = 0;
        cr_assert(store_vacuum(f.store, &f, told));
        (void)store_vacuum(f.store, &f, told);
        await_end();
        cr_assert_str_eq(f.progress_error, "");
        cr_assert_eq(f.progress_calls, 1);
        cr_assert_geq(f.progress.total - f.progress.done, 50 * PAGE);
        make_account(&u, 10 + (id_num)round, round == 0 ? "bert" : "carl");
        cr_assert_eq(store(), TRANSACTION_STORED);
        store_stats(f.store, &stats);
        cr_assert_eq(stats.free_bytes, 0);
        cr_assert_eq(stats.file_bytes, (uint64_t)f.progress.done);
        fixture_close(&f);
        cr_assert_eq(file_bytes(path), f.progress.done);
        cr_assert_eq(fixture_sql(&f, "PRAGMA freelist_count"), 0);
        cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    }
}

/* ---- verdicts --------------------------------------------------------------- */

/* A game as the hub stored it, played to its end, is put into the file. */
static void keep(const struct disk_table *t)
{
    struct op *op = transaction_add(&u, OP_TABLE);

    op->table = t->row.id;
    op->u.table_row = t->row;
    op = transaction_add(&u, OP_PLIES);
    op->table = t->row.id;
    op->u.plies.rows = t->plies;
    op->u.plies.count = t->ply_count;
    op->u.plies.summary = t->row.summary;
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static struct {
    id_num table;
    char why[256];
    int count;
} wrong;

static void is_wrong(void *context, id_num table, const char *why)
{
    cr_assert_eq(context, &wrong);
    wrong.table = table;
    snprintf(wrong.why, sizeof(wrong.why), "%s", why);
    wrong.count++;
}

static struct store_verdict verify(void)
{
    struct store_verdict v;
    char error[256];

    memset(&wrong, 0, sizeof(wrong));
    cr_assert_eq(store_verify(path, &wrong, is_wrong, &v, error,
                              sizeof(error)),
                 0, "%s", error);
    return v;
}

/* Every table's log is judged: those that follow from their seeds are right, one
 * in which a line is another is wrong and it is said where, and of rules that
 * are newer nothing is said. */
Test(jobs, verify)
{
    struct test_client d;
    char table[16];

    test_client_open(&d, 3);
    peer_id anna = test_client_user(&d, "anna");
    peer_id bert = test_client_user(&d, "bert");
    for (int i = 0; i < 3; i++) {
        FINE(test_client_create(&d, anna, NULL, table));
        FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
        FINE(test_client_ask(&d, bert, "table.resign", "{s:s}", "table",
                             table));
        keep(d.world.disk.tables[i]);
    }
    id_num second = d.world.disk.tables[1]->row.id;
    fixture_close(&f);
    struct store_verdict v = verify();
    cr_assert(v.tables == 3 && v.wrong == 0 && v.newer == 0);
    cr_assert_eq(wrong.count, 0);
    fixture_sql(&f, "UPDATE log SET line = replace(line, '\"seat\":1', "
                    "'\"seat\":0') WHERE number = 2 AND ply = 4");
    v = verify();
    cr_assert(v.tables == 3 && v.wrong == 1 && v.newer == 0);
    cr_assert(wrong.count == 1 && wrong.table == second);
    cr_assert_not_null(strstr(wrong.why, "line 6"), "%s", wrong.why);
    fixture_sql(&f, "UPDATE setups SET header = replace(header, "
                    "'\"revision\":', '\"revision\":9') WHERE number = 3");
    v = verify();
    cr_assert(v.tables == 3 && v.wrong == 1 && v.newer == 1);
    test_client_close(&d);
}

/* What is no file, or none of ours, is not judged, and it is said why. */
Test(jobs, verify_nothing)
{
    struct store_verdict v;
    char error[256], name[320];

    snprintf(name, sizeof(name), "%s/none.db", f.dir);
    cr_assert_eq(store_verify(name, NULL, no_wrong, &v, error, sizeof(error)),
                 -ENOENT);
    cr_assert_not_null(strstr(error, "none.db"));
    snprintf(name, sizeof(name), "%s/lock", f.dir);
    cr_assert_lt(store_verify(name, NULL, no_wrong, &v, error, sizeof(error)),
                 0);
    cr_assert_neq(error[0], '\0');
    fixture_close(&f);
    fixture_sql(&f, "PRAGMA application_id = 77");
    cr_assert_eq(store_verify(path, NULL, no_wrong, &v, error, sizeof(error)),
                 -EPROTO);
    cr_assert_neq(error[0], '\0');
}
