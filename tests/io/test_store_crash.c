/* test_store_crash.c -- killed with SIGKILL, the store has every transaction
 * that it reported, and of the others all or nothing.
 *
 * It is killed at fixed counts: before its nth write, sync or truncation, as it
 * opens, writes and copies its log back, or after it reported the nth
 * transaction, whatever its threads do just then. */

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_vfs.h"

#define TABLES 40
#define PLIES  3 /* of a transaction; then a text */

struct report {
    id_num table;
    int64_t ply; /* the last one that was reported stored */
};

static struct store_fixture f;
static int64_t last[TABLES + 1];

/* ---- the one that is killed --------------------------------------------- */

static id_num table_of[FIXTURE_TRANSACTIONS];

static void submit(id_num id)
{
    struct transaction u;
    transaction_init(&u);
    if (last[id] < 0) {
        make_table(&u, id, TABLE_PLAYING, 2, 2);
        make_account(&u, id, "x");
        char name[16];
        snprintf(name, sizeof(name), "user%d", (int)id);
        u.first->next->u.account_row.name = region_text(&u.region, name,
                                                        strlen(name));
    }
    int state = last[id] % 7 == 0 ? TABLE_OPEN : TABLE_PLAYING;
    make_plies(&u, id, last[id], PLIES, state, 2, last[id] % 11 == 0 ? 1 : 2);
    struct op *op = transaction_add(&u, OP_TEXT);
    op->u.text = (struct text_row){
        .table = id,
        .from = id,
        .number = (uint64_t)(last[id] + PLIES + 1) / PLIES,
        .body = "at the same time",
    };
    table_of[fixture_submit(&f, &u) % FIXTURE_TRANSACTIONS] = id;
}

/* When it is killed: before so many writes, or after so many reports. */
struct end {
    int writes, reports;
};

/* Plays at all tables at once, one transaction under way at each, and writes
 * what is reported into FD, until it is killed. */
static void play(int fd, struct end end)
{
    transaction_id seen = 0;

    f.config.flush_ms = 3;
    f.config.wal_bytes = 128 << 10;
    f.next_transaction = f.last_stored = f.reported = 0;
    store_vfs_install();
    if (end.writes > 0)
        store_vfs_fail(FAULT_KILL, end.writes, 1);
    if (fixture_open(&f) != 0)
        _exit(2);
    for (id_num id = 1; id <= TABLES; id++)
        submit(id);
    for (;;) {
        fixture_poll(&f, 1000);
        while (seen < f.last_stored) {
            id_num id = table_of[++seen % FIXTURE_TRANSACTIONS];
            if (f.results[seen % FIXTURE_TRANSACTIONS] !=
                TRANSACTION_STORED + 1)
                _exit(3);
            last[id] += PLIES;
            struct report r = {id, last[id]};
            if (write(fd, &r, sizeof(r)) != sizeof(r))
                _exit(4);
            if (seen == (transaction_id)end.reports)
                raise(SIGKILL);
            submit(id);
        }
    }
}

/* ---- the one that looks -------------------------------------------------- */

/* Lets a child play until END; what it reported is then in `last`.  How many
 * transactions these were. */
static int run(struct end end)
{
    int ends[2], count = 0, status;
    struct report r;

    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        play(ends[1], end);
        _exit(0);
    }
    close(ends[1]);
    for (; read(ends[0], &r, sizeof(r)) == sizeof(r); count++)
        last[r.table] = r.ply;
    close(ends[0]);
    waitpid(child, &status, 0);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "%x",
              (unsigned)status);
    return count;
}

static void check(id_num id)
{
    struct question q = {.kind = ASK_ACCOUNT, .u.account = id};
    const struct answer *a = fixture_table(&f, id);

    cr_assert_not(a->failed);
    if (a->table == NULL) {
        cr_assert_lt(last[id], 0, "a stored table is lost");
        cr_assert_eq(fixture_ask(&f, &q)->account_count, 0);
        return;
    }
    cr_assert(plies_whole(a, id));
    int64_t end = (int64_t)a->ply_count - 1;
    cr_assert_geq(end, last[id], "a stored ply is lost");
    cr_assert_leq(end, last[id] + PLIES, "more than was under way");
    cr_assert_eq((end + 1) % PLIES, 0, "half a transaction");
    cr_assert_eq(a->texts_last, (uint64_t)(end + 1) / PLIES,
                 "half a transaction");
    int64_t before = end - PLIES;
    struct summary now;
    make_summary(&now, end, before % 7 == 0 ? TABLE_OPEN : TABLE_PLAYING, 2,
                 before % 11 == 0 ? 1 : 2);
    cr_assert_eq(memcmp(&now, &a->table->summary, sizeof(now)), 0);
    last[id] = end;
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 1);
}

/* The database is opened by another one, who finds all of it. */
static void look(void)
{
    static int64_t shown[TABLES + 1];
    struct question list = {
        .kind = ASK_TABLES,
        .limit = 1000,
        .u.tables = {.state = -1, .all = true},
    };

    f.next_transaction = f.last_stored = f.reported = 0;
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    size_t listed = fixture_ask(&f, &list)->listed_count;
    for (size_t j = 0; j < listed; j++)
        shown[f.answer.tables[j].table.id] =
            f.answer.tables[j].table.summary.ply;
    for (id_num id = 1; id <= TABLES; id++) {
        check(id);
        if (last[id] >= 0)
            cr_assert_eq(shown[id], last[id], "the list is behind");
    }
    fixture_close(&f);
    cr_assert_eq(f.lines[LOG_ERROR], 0, "%s", f.line);
}

static void begin(void)
{
    fixture_init(&f);
    for (id_num id = 1; id <= TABLES; id++)
        last[id] = -1;
}

TestSuite(crash, .timeout = 1200);

/* From a new database on: each of its first writes, and some of the later ones. */
Test(crash, before_a_write)
{
    bool asan = getenv("ASAN") != NULL;

    begin();
    for (int n = 1; n <= (asan ? 300 : 1200); n += n < 30 ? 1 : n / 8) {
        run((struct end){.writes = n});
        look();
    }
    fixture_done(&f);
}

/* Transactions are reported in the order in which they were given, so that each
 * table has its share of them. */
Test(crash, after_a_report)
{
    static const int reports[] = {1,   40,  41,  160, 3,   233, 400, 97,
                                  640, 120, 555, 20,  777, 60,  7,   1200};
    size_t rounds = getenv("ASAN") != NULL ? 8 : COUNT_OF(reports);
    int64_t least = -1;

    begin();
    for (size_t i = 0; i < rounds; i++) {
        cr_assert_eq(run((struct end){.reports = reports[i]}), reports[i]);
        look();
        least += PLIES * (reports[i] / TABLES);
    }
    for (id_num id = 1; id <= TABLES; id++)
        cr_assert_geq(last[id], least);
    fixture_done(&f);
}

/* ---- numbers of rows ----------------------------------------------------- */

/* Stores a transaction of which the last op conflicts and then one that does
 * not, and ends as if killed: 0, or what went otherwise. */
static int conflict_and_go_on(void)
{
    struct transaction u;

    transaction_init(&u);
    if (fixture_open(&f) != 0)
        return 1;
    make_plies(&u, 5, 0, 10, TABLE_PLAYING, 2, 2);
    make_account(&u, 3, "user1");
    if (fixture_store(&f, &u) != TRANSACTION_CONFLICT)
        return 2;
    make_plies(&u, 5, 0, 1, TABLE_PLAYING, 2, 2);
    return fixture_store(&f, &u) == TRANSACTION_STORED ? 0 : 3;
}

/* A transaction that conflicted had rows, too, and the next ones get their
 * numbers: these are not taken for rows that `tables` knows of. */
Test(crash, behind_a_conflict)
{
    struct transaction u;
    int status;

    fixture_init(&f);
    transaction_init(&u);
    f.config.flush_ms = 60000;
    f.config.tail_max = 4;
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    make_people(&u, 2);
    make_table(&u, 5, TABLE_PLAYING, 2, 2);
    make_plies(&u, 5, -1, 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    fixture_close(&f);
    pid_t child = fork();
    if (child == 0)
        _exit(conflict_and_go_on());
    waitpid(child, &status, 0);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%x",
              (unsigned)status);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    make_plies(&u, 5, 1, 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert(plies_whole(fixture_table(&f, 5), 5));
    cr_assert_eq(f.answer.ply_count, 3);
    fixture_done(&f);
}
