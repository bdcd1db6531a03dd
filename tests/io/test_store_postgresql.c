/* test_store_postgresql.c -- what is PostgreSQL's alone: that its statements are
 * statements, who may have the database, and what happens when the server goes
 * away.  What every store does is in test_store_contract.c and its like. */

#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "schema/schema.h"
#include "server/io/store_inner.h"
#include "tests/support/contract.h"

TestSuite(postgresql, .init = contract_on_postgresql, .fini = store_test_end,
          .timeout = 1200);

/* ---- statements --------------------------------------------------------- */

/* What only SQLite runs: it keeps its log in another way. */
static const enum writer_statement lites[] = {
    W_PLY,     W_MILESTONE, W_MILESTONES_DROP, W_CACHED_BY_NUMBER,
    W_CHANGED, W_FLUSH,     W_FLUSHED,         W_OPENED,
    W_SETTLED, W_BACKED_UP, W_ENDED,           W_STATE,
    W_LAST,    W_TAIL,
};

static bool is_lite(size_t which)
{
    for (size_t i = 0; i < COUNT_OF(lites); i++)
        if (lites[i] == which)
            return true;
    return false;
}

/* A connection of the test's own. */
static void connect_own(struct sql *sql)
{
    static const struct pq_text none[1];
    char why[256];

    cr_assert_eq(pq_open(sql, f.url, NULL, none, 0, why, sizeof(why)),
                 SQLITE_OK, "%s", why);
}

/* Types of arguments, where the statement alone does not say them. */
static const struct {
    const char *const *texts;
    size_t which;
    const char *types;
} typed[] = {
    {writer_texts, W_EMAIL, "(bigint, text)"},
    {writer_texts, W_RATING,
     "(bigint, text, bigint, bigint, bigint, bigint, bigint, bigint, bigint)"},
    {writer_texts, W_NAMED, "(bigint, bigint, text)"},
    {writer_texts, W_LOG_APPEND, "(bigint[], bigint[], text[], bytea[])"},
    {writer_texts, W_TIPS,
     "(bigint[], bigint[], bytea[], bytea[], bigint[], bigint[])"},
    {reader_texts, R_TABLES, "(bigint, bigint)"},
    {reader_texts, R_TABLES_GAME, "(bigint, bigint)"},
    {reader_texts, R_RESULTS, "(bigint, bigint, bigint, bigint, text)"},
};

static const char *types_of(const char *const *texts, size_t which)
{
    for (size_t i = 0; i < COUNT_OF(typed); i++)
        if (typed[i].texts == texts && typed[i].which == which)
            return typed[i].types;
    return "";
}

/* A connection on which nothing is read from one end to the other, or sorted, that
 * an index could lead to: what is then left of that has none. */
static PGconn *connect_planner(void)
{
    PGconn *conn = PQconnectdb(f.url);
    PGresult *result =
        PQexec(conn, "SET plan_cache_mode = force_generic_plan;"
                     "SET enable_seqscan = off; SET enable_hashjoin = off;"
                     "SET enable_mergejoin = off; SET enable_sort = off;"
                     "SET enable_bitmapscan = off; SET jit = off");

    cr_assert_eq(PQresultStatus(result), PGRES_COMMAND_OK);
    PQclear(result);
    return conn;
}

/* Statements that read a table from one end to the other, or sort, and why they
 * may. */
static const struct {
    const char *const *texts;
    size_t which;
    const char *why;
} scans[] = {
    {writer_texts, W_PRUNE_TOKENS, "at the operator's word"},
    {writer_texts, W_RATINGS_NONE, "at the operator's word: ratings rebuild"},
    {writer_texts, W_PAIRS_NONE, "as W_RATINGS_NONE"},
    {writer_texts, W_RATINGS_GONE, "as W_RATINGS_NONE"},
    {writer_texts, W_PAIRS_GONE, "as W_RATINGS_NONE"},
    {writer_texts, W_LINKS_OLD, "links are few, and made rarely"},
    {writer_texts, W_DEVICES_OLD, "sorted; one account's"},
    {writer_texts, W_OUTAGES_OLD, "every half minute, and they are few"},
    {writer_texts, W_NEWS_OLD, "once a minute; all but the last one go"},
    {writer_texts, W_EMPTY_NOTICES, "all of it"},
    {writer_texts, W_EMPTY_MESSAGES, "all of it"},
    {writer_texts, W_EMPTY_TOLD, "all of it"},
    {writer_texts, W_EMPTY_LINKS, "all of it"},
    {reader_texts, R_RENAMES, "there are as many as there is work to do"},
    {reader_texts, R_TOKENS, "sorted; one account's"},
    {reader_texts, R_LOG, "sorted; of one table, and all are wanted"},
    {reader_texts, R_PERSON + PERSON_KEYS, "sorted; one person's"},
    {reader_texts, R_PERSON + PERSON_LINKS, "sorted; one person's"},
    {reader_texts, R_PRUNE + PRUNE_TOKENS, "counted for the operator"},
    {reader_texts, R_ACCOUNTS_OF, "counted for the operator"},
    {reader_texts, R_TABLES, "sorted; a page of each arm"},
    {reader_texts, R_TABLES_GAME, "sorted; a page of each arm"},
    {reader_texts, R_TABLES_SEEN, "sorted; a page of each arm"},
    {reader_texts, R_TABLES_SEEN_GAME, "sorted; a page of each arm"},
    {reader_texts, R_TABLES_MINE, "sorted; a page of each arm"},
    {reader_texts, R_TABLES_MINE_GAME, "sorted; a page of each arm"},
    {reader_texts, R_RESULTS, "sorted; a page of each arm"},
    {reader_texts, R_LINKS, "the operator's list, in its order"},
    {reader_texts, R_ACCOUNTS, "the operator's list, in its order"},
    {reader_texts, R_SESSIONS, "the operator's list, in its order"},
    {reader_texts, R_AUDIT, "the operator's list, in its order"},
    {reader_texts, R_OUTAGES, "at the start; from the last one on"},
    {reader_texts, R_ABSENT, "those to come alone, and the first of them"},
    {reader_texts, R_ZONES, "each week; hours that people have set"},
};

static bool may_scan(const char *const *texts, size_t which)
{
    for (size_t i = 0; i < COUNT_OF(scans); i++)
        if (scans[i].texts == texts && scans[i].which == which)
            return true;
    return false;
}

/* Line AT of PLAN; behind its end there are empty ones. */
static const char *plan_line(const PGresult *plan, int at)
{
    return at < PQntuples(plan) ? PQgetvalue(plan, at, 0) : "";
}

/* Whether line AT of PLAN reads, or sorts, more than it has to.  An index that
 * only says where to begin, when most of what comes is not wanted, is no help. */
static bool is_scan(const PGresult *plan, int at)
{
    const char *line = plan_line(plan, at);
    const char *cond = strstr(plan_line(plan, at + 1), "Index Cond: ");

    if (strstr(line, "Scan using ") != NULL ||
        strstr(line, "Scan Backward using ") != NULL)
        return cond == NULL ||
               (strstr(cond, " = ") == NULL &&
                strstr(plan_line(plan, at + 2), " Filter: ") != NULL);
    return strstr(line, "Seq Scan on ") != NULL ||
           strstr(line, "Sort Key: ") != NULL;
}

/* The statement that CONN has prepared, with as many parameters as HERE. */
static PGresult *explain(PGconn *conn, const char *here)
{
    char text[128] = "EXPLAIN (COSTS OFF) EXECUTE one";
    long count = 0;

    for (const char *at = here; (at = strchr(at, '$')) != NULL; at++)
        if (strtol(at + 1, NULL, 10) > count)
            count = strtol(at + 1, NULL, 10);
    for (long i = 0; i < count; i++)
        strcat(text, i == 0 ? "(NULL" : ",NULL");
    strcat(text, count > 0 ? ")" : "");
    PGresult *plan = PQexec(conn, text);
    cr_assert_eq(PQresultStatus(plan), PGRES_TUPLES_OK, "%s: %s",
                 PQerrorMessage(conn), here);
    return plan;
}

static void judge(PGconn *conn, const char *const *texts, size_t which,
                  const char *here)
{
    PGresult *plan = explain(conn, here);
    int found = 0;

    for (int i = 0; i < PQntuples(plan); i++) {
        if (is_scan(plan, i) && !may_scan(texts, which))
            cr_expect_fail("%s\n    %s", here, PQgetvalue(plan, i, 0));
        found += is_scan(plan, i);
    }
    PQclear(plan);
    /* Of a UNION nothing but the pages of its arms is sorted. */
    bool one = here[0] == '(';
    cr_expect(!one || found <= 1, "%d sorts: %s", found, here);
    cr_expect(found > 0 || !may_scan(texts, which), "does not scan: %s", here);
}

/* Has PostgreSQL plan statement WHICH of TEXTS or, if it has one, of OTHERS. */
static void plan(PGconn *conn, const char *const *texts,
                 const struct pq_text *others, size_t which)
{
    const char *other = others[which].sql;
    char *here = other == NULL ? pq_translate(texts[which]) : strdup(other);
    char *prepare = NULL;
    int n = asprintf(&prepare, "PREPARE one %s AS %s", types_of(texts, which),
                     here);

    cr_assert(n > 0);
    /* What ends or begins a transaction cannot be prepared. */
    bool plain = here[0] == '(' || strncmp(here, "SELECT", 6) == 0 ||
                 strncmp(here, "INSERT", 6) == 0 ||
                 strncmp(here, "UPDATE", 6) == 0 ||
                 strncmp(here, "DELETE", 6) == 0;
    PGresult *result = plain ? PQexec(conn, prepare) : NULL;
    if (PQresultStatus(result) == PGRES_COMMAND_OK) {
        judge(conn, texts, which, here);
        PQclear(PQexec(conn, "DEALLOCATE one"));
    } else if (plain)
        cr_expect_fail("%s: %s", PQerrorMessage(conn), here);
    PQclear(result);
    free(prepare);
    free(here);
}

/* PostgreSQL understands every statement there is, those that no test runs, too,
 * and an index leads it to what each is about: somebody who adds one for SQLite
 * hears of it here. */
Test(postgresql, statements)
{
    PGconn *conn = connect_planner();

    for (size_t i = 0; i < WRITER_STATEMENTS; i++)
        if (!is_lite(i))
            plan(conn, writer_texts, pq_writer_texts, i);
    for (size_t i = 0; i < READER_STATEMENTS; i++)
        if (i != R_PLY && i != R_MILESTONE)
            plan(conn, reader_texts, pq_reader_texts, i);
    PQfinish(conn);
}

/* Every table and column that SQLite's schema has is in this one but for those of
 * the log and of the file, so a migration is not forgotten here. */
Test(postgresql, schema)
{
    struct sql sql = {0};
    sqlite3 *db;
    sqlite3_stmt *stmt;

    connect_own(&sql);
    cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    for (size_t i = 0; schema_steps[i] != NULL; i++)
        cr_assert_eq(sqlite3_exec(db, schema_steps[i], NULL, NULL, NULL),
                     SQLITE_OK);
    int rc = sqlite3_prepare_v2(
        db,
        "SELECT m.name, c.name FROM sqlite_schema m, "
        "pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name "
        "NOT IN ('log', 'milestones', 'state') "
        "AND NOT (m.name = 'tables' AND c.name = 'head')",
        -1, &stmt, NULL);
    cr_assert_eq(rc, SQLITE_OK);
    int columns = 0;
    for (; sqlite3_step(stmt) == SQLITE_ROW; columns++) {
        char text[256];
        int64_t n = 0;
        snprintf(text, sizeof(text),
                 "SELECT count(*) FROM information_schema.columns "
                 "WHERE table_name = '%s' AND column_name = '%s'",
                 (const char *)sqlite3_column_text(stmt, 0),
                 (const char *)sqlite3_column_text(stmt, 1));
        cr_assert_eq(pq_exec(&sql, text, &n), SQLITE_OK);
        cr_expect_eq(n, 1, "%s", text);
    }
    cr_assert_gt(columns, 150);
    pq_close(&sql);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

/* Whatever is spelled differently comes out as it should. */
Test(postgresql, translated)
{
    static const char *const pairs[][2] = {
        {"SELECT ?, ?2 FROM a", "SELECT $1, $2 FROM a"},
        {"INSERT OR IGNORE INTO a VALUES (?, ?)",
         "INSERT INTO a VALUES ($1, $2) ON CONFLICT DO NOTHING"},
        {"FROM a x INDEXED BY a_b WHERE y", "FROM a x  WHERE y"},
        {"b CROSS JOIN c ON d", "b JOIN c ON d"},
        {"SELECT (a UNION b) LIMIT ?", "SELECT (a UNION b) LIMIT $1"},
        {"SELECT a UNION SELECT (b ORDER BY c) UNION ALL SELECT d "
         "ORDER BY 1 DESC LIMIT ?4",
         "(SELECT a ORDER BY 1 DESC LIMIT $4) UNION "
         "(SELECT (b ORDER BY c) ORDER BY 1 DESC LIMIT $4) UNION ALL "
         "(SELECT d ORDER BY 1 DESC LIMIT $4) ORDER BY 1 DESC LIMIT $4"},
    };

    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        char *here = pq_translate(pairs[i][0]);
        cr_expect_str_eq(here, pairs[i][1]);
        free(here);
    }
}

/* ---- who has it ----------------------------------------------------------- */

static void wake_nobody(void *context)
{
    (void)context;
}

static void stored_nobody(void *context, transaction_id id,
                          const struct transaction_outcome *outcome)
{
    (void)context;
    (void)id;
    (void)outcome;
}

static void answered_nobody(void *context, ask_id id, struct answer *answer)
{
    (void)context;
    (void)id;
    (void)answer;
}

static int open_another(struct store **ret_store, char *why, size_t size)
{
    const struct store_config config = {0};
    const struct store_owner owner = {
        .wake = wake_nobody,
        .stored = stored_nobody,
        .answered = answered_nobody,
    };

    return store_postgresql_open(f.url, &config, &owner, ret_store, why, size);
}

/* One process at a time has it; who comes second is told so. */
Test(postgresql, locked)
{
    struct store *other = NULL;
    char why[256];

    cr_assert_eq(open_another(&other, why, sizeof(why)), -EBUSY);
    cr_assert_not_null(strstr(why, "another process"), "%s", why);
    fixture_close(&f);
    cr_assert_eq(open_another(&other, why, sizeof(why)), 0, "%s", why);
    store_close(other);
}

/* One of a later version is left alone. */
Test(postgresql, newer)
{
    fixture_close(&f);
    fixture_sql(&f, "UPDATE state SET version = 1000");
    cr_assert_eq(fixture_open(&f), -EPROTO);
    cr_assert_not_null(strstr(f.error, "1000"), "%s", f.error);
    cr_assert_eq(fixture_sql(&f, "SELECT version FROM state"), 1000);
}

/* ---- when the server goes away ---------------------------------------------- */

static void cut_off(void)
{
    fixture_sql(&f, "SELECT count(pg_terminate_backend(pid)) "
                    "FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                    "AND datname = current_database()");
}

/* Stores as often as it takes; how often it failed. */
static int store_until_good(id_num id)
{
    for (int failed = 0; failed < 1000; failed++) {
        char name[32];
        snprintf(name, sizeof(name), "name%d", (int)id);
        make_account(&u, id, name);
        if (store() == TRANSACTION_STORED)
            return failed;
        fixture_poll(&f, 10);
    }
    cr_assert(false, "it never writes again");
    return -1;
}

/* Connections that are cut are made again, the writer's and the readers'; what
 * failed meanwhile was not stored, and what was stored is there. */
Test(postgresql, cut)
{
    cr_assert_eq(store_until_good(1), 0);
    struct question q = {.kind = ASK_ACCOUNT, .u.account = 1};
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 1);
    cut_off();
    cr_assert_geq(store_until_good(2), 1, "nobody hears of the first");
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 1);
    cr_assert_not(f.answer.failed);
    q.u.account = 2;
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 1);
    cr_assert(store_writable(f.store));
}

/* Whether anybody may connect to the test's database. */
static void let_in(bool may)
{
    char url[300], text[80];

    snprintf(url, sizeof(url), "postgresql:///postgres%s", strchr(f.url, '?'));
    snprintf(text, sizeof(text), "ALTER DATABASE t%d ALLOW_CONNECTIONS %s",
             (int)getpid(), may ? "true" : "false");
    postgresql_number(url, text);
}

/* Why it is not there is said in PostgreSQL's words, once for each reason and not
 * each time that it is tried. */
Test(postgresql, away)
{
    cr_assert_eq(store_until_good(1), 0);
    cut_off();
    let_in(false);
    for (int i = 0; i < 50; i++) {
        fixture_poll(&f, 10);
        make_account(&u, 2, "bob");
        cr_assert_eq(store(), TRANSACTION_FAILED);
    }
    cr_assert_not_null(strstr(f.line, "not currently accepting"), "%s",
                       f.line);
    cr_assert_leq(f.lines[LOG_ERROR], 2);
    let_in(true);
    store_until_good(3);
    cr_assert(store_writable(f.store));
}

/* A connection whose other end is gone without a word does not stay: whoever
 * waits gives up, and the server gives up the locks. */
Test(postgresql, keepalive)
{
    struct sql sql = {0};
    int64_t n = 0;

    connect_own(&sql);
    cr_assert_eq(pq_exec(&sql,
                         "SELECT count(*) FROM pg_settings "
                         "WHERE name ~ '^tcp_' AND source = 'session'",
                         &n),
                 SQLITE_OK);
    cr_assert_eq(n, 4);
    pq_close(&sql);
}

/* Whoever had the connection cut and finds that another server was there in
 * between must not go on by what it remembers. */
Test(postgresql, strange)
{
    struct store *other = NULL;
    char why[256];

    cr_assert_eq(store_until_good(1), 0);
    /* Nothing is tried before something is to be written. */
    cut_off();
    int err = -EBUSY;
    while (err == -EBUSY)
        err = open_another(&other, why, sizeof(why));
    cr_assert_eq(err, 0, "%s", why);
    store_close(other);
    make_account(&u, 2, "bob");
    cr_assert_eq(store(), TRANSACTION_FAILED);
    make_account(&u, 3, "eve");
    for (int i = 0; i < 50; i++) {
        fixture_poll(&f, 10);
        make_account(&u, 3, "eve");
        cr_assert_eq(store(), TRANSACTION_FAILED);
    }
    cr_assert_not_null(strstr(f.line, "another server"), "%s", f.line);
    cr_assert_leq(f.lines[LOG_ERROR], 2);
    cr_assert_eq(fixture_sql(&f, "SELECT count(*) FROM accounts"), 1);
}

/* ---- many at once ----------------------------------------------------------- */

/* A batch of many tables, some of whose transactions are refused: each is whole
 * or not there, and all are as if they had come one by one. */
Test(postgresql, batch)
{
    enum { TABLES = 40 };

    make_people(&u, 2);
    for (id_num t = 1; t <= TABLES; t++)
        make_table(&u, t, TABLE_PLAYING, 2, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    transaction_id first = f.next_transaction + 1;
    for (int ply = -1; ply < 9; ply++)
        for (id_num t = 1; t <= TABLES; t++) {
            make_plies(&u, t, ply, 1, TABLE_PLAYING, 2, 2);
            fixture_submit(&f, &u);
            if (t % 10 != 0)
                continue;
            /* Behind another ply than the last, with something before it. */
            make_account(&u, 100 + t, "nobody");
            make_plies(&u, t, ply, 1, TABLE_PLAYING, 2, 2);
            fixture_submit(&f, &u);
        }
    while (f.last_stored < f.next_transaction)
        fixture_poll(&f, 1000);
    int stored = 0, conflicts = 0;
    for (transaction_id id = first; id <= f.next_transaction; id++) {
        int result = f.results[id % FIXTURE_TRANSACTIONS] - 1;
        stored += result == TRANSACTION_STORED;
        conflicts += result == TRANSACTION_CONFLICT;
    }
    cr_assert_eq(stored, 10 * TABLES);
    cr_assert_eq(conflicts, TABLES);
    for (id_num t = 1; t <= TABLES; t++) {
        const struct answer *a = fixture_table(&f, t);
        cr_assert_eq(a->ply_count, 10);
        cr_assert(plies_whole(a, t));
    }
    struct question q = {.kind = ASK_ACCOUNT_NAME, .u.name = "nobody"};
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 0);
    struct store_stats stats;
    store_stats(f.store, &stats);
    cr_assert_lt(stats.commits, 10 * TABLES / 2, "many go with one commit");
}

/* ---- many rows -------------------------------------------------------------- */

/* What is found some rows at a time is all found, once, those of one moment, too;
 * and what is looked through in vain comes to an end. */
Test(postgresql, some_rows)
{
    enum { TABLES = 600, PAGE = 290 };
    static bool seen[TABLES + 1];
    struct question q = {.kind = ASK_MINE,
                         .limit = PAGE,
                         .u.mine = {.state = TABLE_FINISHED, .account = 1}};
    struct question offered = {
        .kind = ASK_TABLES,
        .limit = 10,
        .u.tables = {.state = TABLE_PLAYING, .account = 1, .offered = true},
    };
    size_t found = 0, more = 1;

    make_people(&u, 2);
    for (id_num t = 1; t <= TABLES; t++)
        make_table(&u, t, TABLE_PLAYING, 2, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    fixture_sql(&f, "UPDATE tables SET clocked = 1");
    cr_assert_eq(fixture_ask(&f, &offered)->listed_count, 0);
    cr_assert_not(f.answer.failed);
    for (id_num t = 1; t <= TABLES; t++)
        make_plies(&u, t, -1, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    fixture_sql(&f, "UPDATE players SET ended = 1000000 + number / 300");
    while (more > 0) {
        const struct answer *a = fixture_ask(&f, &q);
        cr_assert_not(a->failed);
        more = a->listed_count > PAGE ? PAGE : a->listed_count;
        for (size_t i = 0; i < more; i++) {
            id_num id = a->tables[i].table.id;
            cr_assert_not(seen[id], "%d", (int)id);
            seen[id] = true;
            q.u.mine.after = id;
            q.u.mine.after_at = a->tables[i].at;
        }
        found += more;
    }
    cr_assert_eq(found, TABLES);
}
