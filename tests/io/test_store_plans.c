/* test_store_plans.c -- what questions cost: how SQLite goes about each
 * statement, how many of them a page takes, and that it does not read what is
 * not on it. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "server/io/store_inner.h"
#include "tests/support/store_test.h"

static int statements;

static int traced(unsigned what, void *context, void *stmt, void *text)
{
    (void)what, (void)context, (void)text;
    statements += sqlite3_stmt_isexplain(stmt) == 0;
    return 0;
}

static void begin(void)
{
    store_test_init();
    f.config.readers = 1;
    f.config.sync = STORE_SYNC_OFF;
    store_test_open();
    make_people(&u, 4);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    sqlite3_trace_v2(f.store->reader_sql[0].db, SQLITE_TRACE_STMT, traced,
                     NULL);
}

TestSuite(plans, .init = begin, .fini = store_test_end, .timeout = 1200);

/* ---- how SQLite goes about it ------------------------------------------- */

/* Statements that read a table from one end to the other, and why they may. */
static const struct {
    const char *const *texts;
    int which;
    const char *why;
} scans[] = {
    {reader_texts, R_RENAMES, "there are as many as there is work to do"},
    {reader_texts, R_PERSON + PERSON_KEYS, "sorted; one person's"},
    {reader_texts, R_PERSON + PERSON_LINKS, "sorted; one person's"},
    {reader_texts, R_PRUNE + PRUNE_TOKENS, "counted for the operator"},
    {reader_texts, R_ACCOUNTS_OF, "counted for the operator"},
    {reader_texts, R_TOKENS, "sorted; one account's"},
    {reader_texts, R_LISTED_UNREAD, "a group for each table of a page"},
    {reader_texts, R_ABSENT, "those to come alone, and the first of them"},
    {reader_texts, R_OUTAGES, "at the start; from the last one on"},
    {reader_texts, R_ZONES, "each week; hours that people have set"},
    {writer_texts, W_PRUNE_TOKENS, "at the operator's word"},
    {writer_texts, W_RATINGS_GONE, "at the operator's word: ratings rebuild"},
    {writer_texts, W_PAIRS_GONE, "as W_RATINGS_GONE"},
    {writer_texts, W_OUTAGES_OLD, "every half minute, and they are few"},
    {writer_texts, W_GUEST_RENAMES, "as R_RENAMES"},
    {writer_texts, W_LINKS_OLD, "links are few, and made rarely"},
    {writer_texts, W_DEVICES_OLD, "sorted; one account's"},
    {writer_texts, W_STATE, "one row"},
    {writer_texts, W_FLUSHED, "one row"},
    {writer_texts, W_OPENED, "one row"},
    {writer_texts, W_SETTLED, "one row"},
    {writer_texts, W_BACKED_UP, "one row"},
    {writer_texts, W_ENDED, "one row"},
};

static bool may_scan(const char *const *texts, int which)
{
    for (size_t i = 0; i < COUNT_OF(scans); i++)
        if (scans[i].texts == texts && scans[i].which == which)
            return true;
    return false;
}

/* Whether a step of a plan reads, or sorts, more than it has to. */
static bool is_scan(const char *step)
{
    if (strncmp(step, "SCAN ", 5) == 0)
        return strstr(step, " VIRTUAL TABLE") == NULL && /* json_each() */
               strcmp(step, "SCAN CONSTANT ROW") != 0 &&
               strcmp(step, "SCAN l") != 0 && /* of a recursion */
               strcmp(step, "SCAN r") != 0;
    return strncmp(step, "USE TEMP B-TREE", 15) == 0 ||
           strstr(step, "AUTOMATIC") != NULL;
}

static void judge(sqlite3 *db, const char *const *texts, int which)
{
    char text[8192];
    sqlite3_stmt *stmt;
    bool scan = false;

    if (texts[which] == NULL)
        return; /* PostgreSQL's alone */
    snprintf(text, sizeof(text), "EXPLAIN QUERY PLAN %s", texts[which]);
    int rc = sqlite3_prepare_v2(db, text, -1, &stmt, NULL);
    cr_assert_eq(rc, SQLITE_OK, "%s: %s", texts[which], sqlite3_errmsg(db));
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        const char *step = (const char *)sqlite3_column_text(stmt, 3);
        if (is_scan(step) && !may_scan(texts, which))
            cr_expect_fail("%s\n    %s", texts[which], step);
        scan = scan || is_scan(step);
    }
    sqlite3_finalize(stmt);
    cr_expect(scan || !may_scan(texts, which), "does not scan: %s",
              texts[which]);
}

/* No statement reads a table, or sorts, where an index could lead it there:
 * who takes an index away, or writes a statement that needs one, hears of it. */
Test(plans, searches)
{
    sqlite3 *db = f.store->reader_sql[0].db;

    for (int i = 0; i < READER_STATEMENTS; i++)
        judge(db, reader_texts, i);
    for (int i = 0; i < WRITER_STATEMENTS; i++)
        judge(db, writer_texts, i);
}

/* ---- how much it is ------------------------------------------------------ */

/* Asks; how many steps of SQLite's machine that took. */
static int64_t steps(const struct question *q)
{
    struct sql *sql = &f.store->reader_sql[0];
    int64_t n = 0;

    for (int i = 0; i < READER_STATEMENTS; i++)
        if (sql->stmts[i].lite != NULL)
            sqlite3_stmt_status(sql->stmts[i].lite, SQLITE_STMTSTATUS_VM_STEP,
                                1);
    statements = 0;
    cr_assert_not(fixture_ask(&f, q)->failed);
    for (int i = 0; i < READER_STATEMENTS; i++)
        if (sql->stmts[i].lite != NULL)
            n += sqlite3_stmt_status(sql->stmts[i].lite,
                                     SQLITE_STMTSTATUS_VM_STEP, 0);
    return n;
}

/* An index grows deeper; that is all. */
static void expect_near(int64_t now, int64_t few)
{
    cr_expect_leq(now, few + few / 50, "%d steps, %d before", (int)now,
                  (int)few);
}

/* COUNT tables from FIRST on, in STATE, where accounts 1 and 2 sit. */
static void tables(id_num first, int count, int state, bool private)
{
    for (int i = 0; i < count; i++) {
        make_table(&u, first + (id_num)i, state, 2, 2);
        u.first->u.table_row.private_ = private;
        make_plies(&u, first + (id_num)i, -1, 2, state, 2, 2);
        u.first->next->u.plies.summary.changed = 1000 + (int64_t)first + i;
        fixture_submit(&f, &u);
    }
    while (f.reported < f.next_transaction)
        fixture_poll(&f, 1000);
}

/* A page takes as many statements with a hundred tables on it as with two, and
 * few: the transaction's two, choosing, and what is shown of all of them. */
Test(plans, statements)
{
    static const struct question list = {
        .kind = ASK_TABLES,
        .u.tables = {.account = 1, .state = -1},
    };
    static const struct question mine = {
        .kind = ASK_MINE,
        .u.mine = {.account = 1, .state = -1},
    };
    static const struct question next = {
        .kind = ASK_MINE,
        .limit = 1,
        .u.mine = {.account = 1, .state = TABLE_PLAYING},
    };
    tables(100, 2, TABLE_PLAYING, false);
    for (int i = 0; i < 2; i++) {
        steps(&list);
        cr_expect_eq(f.answer.listed_count, i == 0 ? 2 : 100);
        cr_expect_leq(statements, 6, "%d", statements);
        steps(&mine);
        cr_expect_eq(f.answer.listed_count, i == 0 ? 2 : 100);
        cr_expect_leq(statements, 12, "%d", statements);
        steps(&next);
        cr_expect_leq(statements, 8, "%d", statements);
        tables(200, 98, TABLE_PLAYING, false);
    }
}

/* What a person asks for costs no more if a thousand games lie behind them, and
 * neither do pages of those. */
Test(plans, behind_them)
{
    struct question next = {
        .kind = ASK_MINE,
        .limit = 1,
        .u.mine = {.account = 1, .state = TABLE_PLAYING},
    };
    struct question all = {
        .kind = ASK_MINE,
        .limit = 10,
        .u.mine = {.account = 1, .state = -1},
    };
    struct question open = {
        .kind = ASK_TABLES,
        .u.tables =
            {
                .account = 1,
                .state = TABLE_OPEN,
                .mine = true,
            },
    };

    tables(100, 1, TABLE_PLAYING, false);
    tables(200, 20, TABLE_FINISHED, false);
    int64_t few[] = {steps(&next), steps(&all), steps(&open)};
    tables(1000, 1000, TABLE_FINISHED, false);
    expect_near(steps(&next), few[0]);
    expect_near(steps(&all), few[1]);
    expect_near(steps(&open), few[2]);
}

/* Whoever looks for tables is not made to wait by those they may not see. */
Test(plans, strangers)
{
    struct question q = {.kind = ASK_TABLES,
                         .u.tables = {.account = 3, .state = -1}};

    tables(100, 20, TABLE_PLAYING, false);
    int64_t few = steps(&q);
    tables(1000, 1000, TABLE_PLAYING, true);
    expect_near(steps(&q), few);
    cr_expect_eq(f.answer.listed_count, 20);
    q.u.tables.state = TABLE_PLAYING;
    q.u.tables.game = "tictactoe";
    expect_near(steps(&q), few);
    cr_expect_eq(f.answer.listed_count, 20);
}

/* Who is told of the best does not wait for those of whom too little is known,
 * or who do not play any more. */
Test(plans, the_best)
{
    static const char add[] =
        "WITH RECURSIVE n (n) AS (VALUES (%d) UNION ALL SELECT n + 1 FROM n "
        "WHERE n < %d) INSERT INTO ratings (account, game, many, mean, "
        "variance, games, met, at, sure) "
        "SELECT n, 'tictactoe', 0, 1500000 + n, 1, 9, %d, 9, %d FROM n";
    const struct question q = {
        .kind = ASK_RATINGS,
        .limit = 3,
        .u.ratings = {.game = "tictactoe"},
    };
    char text[500];

    snprintf(text, sizeof(text), add, 1, 4, 9, 1);
    fixture_sql(&f, text);
    int64_t few = steps(&q);
    cr_expect_eq(f.answer.rating_count, 3);
    snprintf(text, sizeof(text), add, 1000, 2000, 1, 0);
    fixture_sql(&f, text);
    expect_near(steps(&q), few);
    cr_expect_eq(f.answer.ratings[0].account, 4);
}

/* What somebody played is told at no more cost if they played a thousand games of
 * which the asker may not know. */
Test(plans, results)
{
    const struct question q = {
        .kind = ASK_RESULTS,
        .limit = 5,
        .u.results = {.account = 1, .asker = 3, .look = 100},
    };

    tables(100, 4, TABLE_FINISHED, false);
    int64_t few = steps(&q);
    tables(1000, 1000, TABLE_FINISHED, true);
    expect_near(steps(&q), few);
    cr_expect_eq(f.answer.result_count, 4);
}

/* ---- what is written ------------------------------------------------------ */

static uint64_t wal_pages(void)
{
    struct store_stats stats;

    store_stats(f.store, &stats);
    return stats.wal_bytes / 4120;
}

/* A game that ends is written into few pages, each of which is written twice,
 * and once more when the log is taken over: into its log, its row, and what
 * lists of tables and of its two players choose it by. */
Test(plans, end_of_a_game)
{
    tables(1000, 2000, TABLE_PLAYING, false);
    fixture_close(&f);
    cr_assert_eq(fixture_open(&f), 0);
    uint64_t before = wal_pages(), pages;

    make_plies(&u, 2000, 1, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    while ((pages = wal_pages()) == before) /* it is told a little later */
        fixture_poll(&f, 1);
    cr_expect_leq(pages - before, 13, "%d pages", (int)(pages - before));
}
