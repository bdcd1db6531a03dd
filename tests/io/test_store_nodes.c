/* test_store_nodes.c -- several servers on one database of PostgreSQL's: each sees
 * what the others have stored, nothing is stored twice or lost, and what they tell
 * each other comes whole and in one order. */

#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "server/io/store_inner.h"
#include "tests/support/contract.h"

static struct store_fixture g; /* the other one */

static void begin(void)
{
    char why[128];

    if (!postgresql_is_there(why))
        cr_skip_test("%s", why);
    store_test_init();
    postgresql_database(f.url);
    f.config.node = "a";
    store_test_open();
    fixture_init(&g);
    snprintf(g.url, sizeof(g.url), "%s", f.url);
    g.config.node = "b";
    cr_assert_eq(fixture_open(&g), 0, "%s", g.error);
}

static void end(void)
{
    if (g.dir[0] != '\0')
        fixture_done(&g);
    store_test_end();
}

TestSuite(nodes, .init = begin, .fini = end, .timeout = 1200);

/* What is in U is told as TEXT. */
static void tell(const char *text)
{
    u.news = region_copy(&u.region, text);
}

static uint64_t last_news(struct store_fixture *at)
{
    struct question q = {.kind = ASK_NEWS, .limit = 10, .u.after = UINT64_MAX};
    const struct answer *a = fixture_ask(at, &q);

    cr_assert_not(a->failed);
    cr_assert_eq(a->news_count, 0);
    return a->news_last;
}

static const struct answer *news(struct store_fixture *at, uint64_t after,
                                 size_t limit)
{
    struct question q = {.kind = ASK_NEWS, .limit = limit, .u.after = after};
    const struct answer *a = fixture_ask(at, &q);

    cr_assert_not(a->failed);
    return a;
}

/* ---- who has it ------------------------------------------------------------ */

/* Waits until the server has noticed that who closed is gone, whose locks it keeps
 * until then: so many have it. */
static void until_have_it(int64_t stores)
{
    UNTIL(fixture_sql(&f, "SELECT count(DISTINCT pid) FROM pg_locks l "
                          "JOIN pg_database d ON d.oid = l.database "
                          "WHERE locktype = 'advisory' AND granted "
                          "AND datname = current_database()") <= stores);
}

/* No two by one name, and nobody who is to have it alone beside one of several. */
Test(nodes, names)
{
    struct store_fixture h;

    fixture_init(&h);
    snprintf(h.url, sizeof(h.url), "%s", f.url);
    h.config.node = "b";
    cr_assert_eq(fixture_open(&h), -EBUSY);
    cr_assert_not_null(strstr(h.error, "by this name"), "%s", h.error);
    h.config.node = NULL;
    cr_assert_eq(fixture_open(&h), -EBUSY);
    fixture_close(&f);
    until_have_it(1);
    cr_assert_eq(fixture_open(&h), -EBUSY, "one of them is still there");
    fixture_close(&g);
    until_have_it(0);
    cr_assert_eq(fixture_open(&h), 0, "%s", h.error);
    cr_assert_eq(fixture_open(&g), -EBUSY);
    fixture_close(&h);
    until_have_it(0);
    cr_assert_eq(fixture_open(&g), 0, "%s", g.error);
    fixture_done(&h);
}

/* Nobody changes what is there for a new version while another server has it. */
Test(nodes, upgrade)
{
    int64_t version = fixture_sql(&f, "SELECT version FROM state");

    fixture_close(&g);
    until_have_it(1);
    fixture_sql(&f, "UPDATE state SET version = version - 1");
    cr_assert_eq(fixture_open(&g), -EBUSY);
    cr_assert_not_null(strstr(g.error, "started alone"), "%s", g.error);
    fixture_close(&f);
    until_have_it(0);
    fixture_sql(&f, "DROP INDEX links_table, links_maker");
    cr_assert_eq(fixture_open(&g), 0, "%s", g.error);
    cr_assert_eq(fixture_sql(&f, "SELECT version FROM state"), version);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
}

/* ---- what is stored -------------------------------------------------------- */

static int result_of(const struct store_fixture *at, transaction_id id)
{
    return at->results[id % FIXTURE_TRANSACTIONS] - 1;
}

/* Of two who put the same ply there one has done it, and the other is told. */
Test(nodes, fence)
{
    enum { PLIES = 200 };
    int won = 0;

    make_people(&u, 2);
    make_table(&u, 7, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    for (int ply = -1; ply < PLIES - 1; ply++) {
        make_plies(&u, 7, ply, 1, TABLE_PLAYING, 2, 2);
        transaction_id mine = fixture_submit(&f, &u);
        make_plies(&u, 7, ply, 1, TABLE_PLAYING, 2, 2);
        transaction_id theirs = fixture_submit(&g, &u);
        while (f.last_stored < mine)
            fixture_poll(&f, 1000);
        while (g.last_stored < theirs)
            fixture_poll(&g, 1000);
        bool stored = result_of(&f, mine) == TRANSACTION_STORED;
        won += stored;
        cr_assert_eq(result_of(stored ? &g : &f, stored ? theirs : mine),
                     TRANSACTION_CONFLICT);
        cr_assert_eq(result_of(stored ? &f : &g, stored ? mine : theirs),
                     TRANSACTION_STORED);
    }
    const struct answer *a = fixture_table(&g, 7);
    cr_assert_eq(a->ply_count, PLIES);
    cr_assert(plies_whole(a, 7));
}

/* Two who write much at once, about the same things in another order, never stand
 * in each other's way. */
Test(nodes, no_deadlock)
{
    enum { TABLES = 20, ROUNDS = 30 }; /* of the even ones */
    char name[32];

    make_people(&u, 2);
    for (id_num t = 1; t <= TABLES; t++)
        make_table(&u, t, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < TABLES; i++) {
            struct store_fixture *at = i % 2 ? &f : &g;
            snprintf(name, sizeof(name), "n%d-%d", round, i);
            make_account(&u, (id_num)(100 + (i % 2 ? i : TABLES - i)), name);
            make_plies(&u, (id_num)(i % 2 ? i + 1 : TABLES - i), -1, 1,
                       TABLE_PLAYING, 2, 2);
            fixture_submit(at, &u);
        }
    struct store_fixture *both[] = {&f, &g};
    for (int i = 0; i < 2; i++) {
        while (both[i]->last_stored < both[i]->next_transaction)
            fixture_poll(both[i], 1000);
        for (transaction_id id = 1; id <= both[i]->next_transaction; id++)
            cr_assert_neq(result_of(both[i], id), TRANSACTION_FAILED, "%s",
                          both[i]->line);
    }
    cr_assert_eq(fixture_sql(&f, "SELECT count(*) FROM log"), TABLES / 2);
}

/* ---- what is told ---------------------------------------------------------- */

/* What one stores the other is told, with the line of each transaction that held;
 * of what was refused, or has none, nothing. */
Test(nodes, told)
{
    uint64_t before = last_news(&g);

    make_account(&u, 1, "anna");
    tell("first");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    make_account(&u, 2, "Anna");
    tell("refused");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_CONFLICT);
    make_account(&u, 3, "bert");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    make_account(&u, 4, "carl");
    tell("second");
    cr_assert_eq(fixture_store(&g, &u), TRANSACTION_STORED);
    const struct answer *a = news(&g, before, 10);
    cr_assert_eq(a->news_count, 2);
    cr_assert_str_eq(a->news[0].text, "first");
    cr_assert_str_eq(a->news[1].text, "second");
    cr_assert_lt(a->news[0].number, a->news[1].number);
    cr_assert_eq(a->news_last, a->news[1].number);
    cr_assert_not(a->more || a->news_lost);
    cr_assert_eq(news(&f, a->news_last, 10)->news_count, 0);
}

/* However two write at once, who goes through the numbers hears of each once: none
 * comes to be there behind one that was heard of. */
Test(nodes, in_one_order)
{
    enum { EACH = 400 };
    static int heard[2 * EACH];
    uint64_t seen = last_news(&f);
    int count = 0, sent = 0;
    char text[32];

    make_people(&u, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    while (count < 2 * EACH) {
        for (int i = 0; i < 8 && sent < 2 * EACH; i++, sent++) {
            snprintf(text, sizeof(text), "n%d", sent);
            make_account(&u, (id_num)(100 + sent), text);
            snprintf(text, sizeof(text), "%d", sent);
            tell(text);
            fixture_submit(sent % 2 ? &f : &g, &u);
        }
        store_poll(g.store);
        /* Of F, whose own are done first: those of G are in the middle. */
        const struct answer *a = news(&f, seen, 5);
        cr_assert_not(a->news_lost);
        for (size_t i = 0; i < a->news_count; i++) {
            heard[atoi(a->news[i].text)]++;
            seen = a->news[i].number;
            count++;
        }
        if (a->news_count == 0)
            fixture_poll(&g, 20);
    }
    for (int i = 0; i < 2 * EACH; i++)
        cr_assert_eq(heard[i], 1, "%d", i);
}

/* How many connections wait for somebody's lock. */
static int64_t waiting(void)
{
    return fixture_sql(&f, "SELECT count(*) FROM pg_stat_activity "
                           "WHERE datname = current_database() "
                           "AND wait_event_type = 'Lock'");
}

/* Whoever is in the middle of a batch, with a number for it, is waited for. */
Test(nodes, one_at_a_time)
{
    for (id_num i = 1; i <= 2; i++) {
        make_account(&u, i, i == 1 ? "anna" : "bert");
        tell("old");
        cr_assert_eq(fixture_store(i == 1 ? &g : &f, &u), TRANSACTION_STORED);
    }
    fixture_close(&f); /* who begins anew drops old ones at once */
    until_have_it(1);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    f.next_transaction = f.last_stored = 0;
    fixture_sql(&f, "UPDATE news SET at = at - 3600000");
    PGconn *conn = PQconnectdb(f.url);
    PQclear(PQexec(conn, "BEGIN"));
    PGresult *rows = PQexec(conn, "SELECT number FROM news FOR UPDATE");
    cr_assert_eq(PQntuples(rows), 2);
    PQclear(rows);
    make_account(&u, 3, "carl");
    tell("first");
    transaction_id first = fixture_submit(&f, &u);
    while (waiting() == 0)
        fixture_poll(&f, 10);
    make_account(&u, 4, "dora");
    tell("second");
    transaction_id second = fixture_submit(&g, &u);
    while (waiting() < 2 && g.last_stored < second)
        fixture_poll(&g, 10);
    cr_assert_lt(g.last_stored, second, "before the one that is under way");
    PQclear(PQexec(conn, "COMMIT"));
    PQfinish(conn);
    while (f.last_stored < first)
        fixture_poll(&f, 1000);
    while (g.last_stored < second)
        fixture_poll(&g, 1000);
    const struct answer *a = news(&f, last_news(&f) - 2, 10);
    cr_assert_str_eq(a->news[0].text, "first");
    cr_assert_str_eq(a->news[1].text, "second");
}

/* What is old goes, but for the last; who was told less than that learns that
 * something is missing, and so does who was told more than there is. */
Test(nodes, old_ones_go)
{
    uint64_t before = last_news(&g);

    make_account(&u, 1, "anna");
    tell("first");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    make_account(&u, 2, "bert");
    tell("second");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    fixture_sql(&f, "UPDATE news SET at = at - 3600000");
    cr_assert_eq(news(&g, before, 10)->news_count, 2);
    make_account(&u, 3, "carl");
    tell("third");
    cr_assert_eq(fixture_store(&g, &u), TRANSACTION_STORED);
    cr_assert_eq(fixture_sql(&f, "SELECT count(*) FROM news"), 1);
    cr_assert(news(&g, before, 10)->news_lost);
    uint64_t last = last_news(&f);
    cr_assert_not(news(&g, last, 10)->news_lost);
    cr_assert(news(&g, last + 1, 10)->news_lost);
}

/* ---- hints ----------------------------------------------------------------- */

static void hears(struct store_fixture *at, int more_than)
{
    while (at->news <= more_than)
        fixture_poll(at, 1000);
}

/* Whoever listens hears at once that there is something, of others; and after a
 * connection was cut that there may be. */
Test(nodes, hints)
{
    hears(&f, 0); /* they have begun to listen */
    hears(&g, 0);
    int own = f.news, others = g.news;
    make_account(&u, 1, "anna");
    tell("first");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    hears(&g, others);
    make_account(&u, 2, "bert");
    tell("second");
    cr_assert_eq(fixture_store(&g, &u), TRANSACTION_STORED);
    hears(&f, own);
    cr_assert_eq(f.news, own + 1, "not of its own");
    others = g.news;
    fixture_sql(&f,
                "SELECT count(pg_terminate_backend(pid)) "
                "FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                "AND datname = current_database() AND query LIKE 'LISTEN%'");
    hears(&g, others);
    others = g.news;
    make_account(&u, 3, "carl");
    tell("third");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    hears(&g, others);
}

/* ---- when the server goes away ---------------------------------------------- */

/* Both write again, by their names, and what one has stored the other knows. */
Test(nodes, cut)
{
    struct store_fixture *both[] = {&f, &g};

    make_people(&u, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    fixture_sql(&f, "SELECT count(pg_terminate_backend(pid)) "
                    "FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                    "AND datname = current_database()");
    for (int i = 0; i < 2; i++) {
        int result = TRANSACTION_FAILED;
        while (result != TRANSACTION_STORED) {
            char name[32];
            snprintf(name, sizeof(name), "again%d", i);
            make_account(&u, (id_num)(10 + i), name);
            result = (int)fixture_store(both[i], &u);
            if (result != TRANSACTION_STORED)
                fixture_poll(both[i], 10);
        }
    }
    struct question q = {.kind = ASK_ACCOUNT, .u.account = 11};
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 1);
}

/* ---- alone ------------------------------------------------------------------ */

static void say_alone(void)
{
    store_test_open();
    make_account(&u, 1, "anna");
    tell("unheard");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(last_news(&f), 0);
    const struct answer *a = news(&f, 0, 10);
    cr_assert_eq(a->news_count, 0);
    cr_assert_not(a->more || a->news_lost);
    cr_assert_eq(f.news, 0);
    store_test_end();
}

/* Who has the store for themselves has nobody to tell, on either. */
Test(alone, on_postgresql)
{
    char why[128];

    if (!postgresql_is_there(why))
        cr_skip_test("%s", why);
    store_test_init();
    postgresql_database(f.url);
    say_alone();
}

Test(alone, on_a_file)
{
    store_test_init();
    say_alone();
}
