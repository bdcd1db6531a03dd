/* test_store_versions.c -- files of other versions: refused if they are newer,
 * brought up step by step if they are older, after a copy of them was laid
 * beside them; killed anywhere on the way, nothing is lost. */

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base.h"
#include "schema/schema.h"
#include "tests/support/store_test.h"

FAULTY_STORE_TESTS(versions, 1200);

static const struct account_row *account(id_num id)
{
    struct question q = {.kind = ASK_ACCOUNT, .u.account = id};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(!a->failed);
    return a->account_count == 1 ? a->accounts : NULL;
}

static void wrong(void *context, id_num table, const char *why)
{
    (void)context;
    cr_assert_fail("table %d: %s", (int)table, why);
}

/* Whether the file PATH is whole. */
static bool is_whole(const char *path)
{
    struct store_verdict v;
    char error[256];

    int err = store_verify(path, NULL, wrong, &v, error, sizeof(error));
    if (err != 0)
        cr_log_warn("%s", error);
    return err == 0;
}

/* How many copies of VERSION there are; each is whole, and nothing is half. */
static size_t copies(int64_t version)
{
    char pattern[300];
    glob_t found;

    snprintf(pattern, sizeof(pattern), "%s/before-upgrade-v%d-*.db", f.dir,
             (int)version);
    size_t n = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    for (size_t i = 0; i < n; i++)
        cr_assert(is_whole(found.gl_pathv[i]), "%s", found.gl_pathv[i]);
    if (n > 0)
        globfree(&found);
    return n;
}

static int64_t newest(void)
{
    int64_t n = 0;
    while (schema_steps[n] != NULL)
        n++;
    return n;
}

static void set_version(int64_t version)
{
    char text[64];
    snprintf(text, sizeof(text), "PRAGMA user_version = %d", (int)version);
    fixture_sql(&f, text);
}

/* A file of a newer version is refused and left alone; so are those that are
 * not ours. */
Test(versions, newer)
{
    fixture_close(&f);
    cr_assert_eq(fixture_sql(&f, "PRAGMA user_version"), newest());
    set_version(newest() + 1);
    cr_assert_eq(fixture_open(&f), -EPROTO);
    cr_assert_not_null(strstr(f.error, "newer"), "%s", f.error);
    cr_assert_eq(fixture_sql(&f, "PRAGMA user_version"), newest() + 1);
    set_version(newest());
    fixture_sql(&f, "PRAGMA application_id = 5");
    cr_assert_eq(fixture_open(&f), -EPROTO);
    char path[300];
    snprintf(path, sizeof(path), "%s/sobremesa.db", f.dir);
    int fd = open(path, O_WRONLY | O_TRUNC);
    cr_assert_eq(write(fd,
                       "certainly not a database, but long enough to be "
                       "looked at by anybody who wants to know whether it is "
                       "one",
                       100),
                 100);
    close(fd);
    cr_assert_eq(fixture_open(&f), -EPROTO, "%s", f.error);
}

/* A file of VERSION, as a server of that time left it, with one account. */
static void make_old(int64_t version)
{
    char path[300], text[300];
    sqlite3 *db;

    fixture_close(&f);
    snprintf(path, sizeof(path), "%s/sobremesa.db", f.dir);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    for (int64_t i = 0; i < version; i++)
        cr_assert_eq(sqlite3_exec(db, schema_steps[i], NULL, NULL, NULL),
                     SQLITE_OK);
    snprintf(text, sizeof(text),
             "PRAGMA application_id = %d; PRAGMA user_version = %d;"
             "INSERT INTO accounts (id, kind, name, password, email, created,"
             " seen, banned_until) VALUES (7,0,'anna','argon2',NULL,1,2,0)",
             0x536f6272, (int)version);
    cr_assert_eq(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* An older file is brought up step by step, from whichever version, and what
 * was in it is there. */
Test(versions, older)
{
    cr_assert_geq(newest(), 2, "there is something to step over");
    for (int64_t version = 1; version <= newest(); version++) {
        make_old(version);
        cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
        cr_assert_str_eq(account(7)->name, "anna");
        cr_assert_eq(copies(version), version < newest());
        cr_assert_eq(strstr(f.line, "before-upgrade-v") != NULL,
                     version < newest(), "%s", f.line);
        f.line[0] = '\0';
        make_people(&u, 2);
        make_table(&u, 70, TABLE_OPEN, 2, 2);
        make_plies(&u, 70, -1, 1, TABLE_OPEN, 2, 2);
        cr_assert_eq(store(), TRANSACTION_STORED);
        fixture_close(&f);
        cr_assert_eq(fixture_sql(&f, "PRAGMA user_version"), newest());
        cr_assert_eq(fixture_open(&f), 0);
        cr_assert(plies_whole(fixture_table(&f, 70), 70));
    }
}

/* Whether NAME is in the store's directory; MAKE makes it first. */
static bool there(const char *name, bool make)
{
    char path[300];

    snprintf(path, sizeof(path), "%s/%s", f.dir, name);
    if (make)
        close(open(path, O_WRONLY | O_CREAT, 0600));
    return access(path, F_OK) == 0;
}

/* After an upgrade the newest three copies from before one are there, that of
 * this one among them, whatever the clock says; who is not one of them by name
 * stays, and so do all when nothing is upgraded or it does not succeed. */
Test(versions, old_copies)
{
    static const char *const old[] = {
        "before-upgrade-v1-20240101.db",    "before-upgrade-v3-20240101.db",
        "before-upgrade-v2-20240101-10.db", "before-upgrade-v2-20240101-9.db",
        "before-upgrade-v3-20240101-2.db",
    };
    static const char newer[] = "before-upgrade-v1-29990102.db";
    static const char *const others[] = {
        "before-upgrade-v1-20240101.db.mine",
        "before-upgrade-v1-20240101-1.db",
        "before-upgrade-v01-20240101.db",
        "before-upgrade-v1-2024.db",
        "before-upgrade.db",
    };
    make_old(newest() - 1);
    for (size_t i = 0; i < COUNT_OF(old); i++)
        cr_assert(there(old[i], true));
    cr_assert(there(newer, true));
    for (size_t i = 0; i < COUNT_OF(others); i++)
        cr_assert(there(others[i], true));

    set_version(newest() - 2); /* whose step was done already: it fails */
    cr_assert_neq(fixture_open(&f), 0);
    cr_assert(there(old[0], false), "nothing goes for an upgrade that failed");
    cr_assert_eq(copies(newest() - 2), 1);

    set_version(newest() - 1);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert_eq(copies(newest() - 1), 1);
    for (size_t i = 0; i < COUNT_OF(old); i++)
        cr_assert_not(there(old[i], false), "%s", old[i]);
    for (size_t i = 0; i < COUNT_OF(others); i++)
        cr_assert(there(others[i], false), "%s", others[i]);
    cr_assert(there(newer, false), "the newest by its name");
    cr_assert_eq(copies(newest() - 2), 1, "and that of the try before");
}

/* What lists are chosen by is filled in for tables that were there before: who
 * plays is waited for, what is over comes by when it was, what is archived not
 * at all. */
Test(versions, lists)
{
    static const char *const rows[] = {
        "INSERT INTO tables VALUES (1,11,7,'x',5,1,0,0,0,NULL,1,2,0,-1,x'010000'),"
        "(2,12,7,'x',6,1,0,0,0,NULL,2,2,2,0,x'00d00f00'),"
        "(3,13,7,'x',7,1,0,0,0,NULL,3,2,1,0,x'00e80700'),"
        "(4,14,7,'x',8,1,0,0,0,NULL,4,2,0,-1,x'000000'),"
        "(5,15,7,'x',9,1,0,0,0,NULL,0,2,0,-1,x'000000')",
        "INSERT INTO setups SELECT number, '00', '{}', '{}', NULL, NULL "
        "FROM tables",
        "INSERT INTO players SELECT number, 7, 0 FROM tables WHERE number < 5",
        "INSERT INTO invites VALUES (5, 7), (2, 7)",
        "INSERT INTO log VALUES (1, 3, 0, 0, '{\"at\":1000}', zeroblob(32), NULL), "
        "(2, 2, 0, 0, '{\"at\":2000}', zeroblob(32), NULL)",
    };
    static const id_num order[] = {11, 12, 13, 15};
    struct question q = {.kind = ASK_MINE,
                         .u.mine = {.account = 7, .state = -1}};

    make_old(7);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        fixture_sql(&f, rows[i]);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->listed_count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(a->tables[i].table.id, order[i], "%zu", i);
    cr_expect(a->tables[0].waits);
    cr_expect_eq(a->tables[1].at, 2000);
    cr_expect_eq(a->tables[2].at, 1000);
    q.u.mine.newer = 1500;
    cr_expect_eq(fixture_ask(&f, &q)->listed_count, 3);
}

/* Games that were laid aside before it was kept when they ended are given that
 * from what lists show of them; who is gone is rated no more. */
Test(versions, results)
{
    static const char *const rows[] = {
        "INSERT INTO tables (id, number, owner, game, created, private, rated, "
        "spectators, start_full, state, seats, now, clocked, head, ply) VALUES "
        "(11,1,7,'x',5,0,0,0,0,4,2,x'00d00f00',0,0,-1),"
        "(12,2,7,'x',6,1,0,0,0,4,2,x'8101e8c7cb91af3300',0,0,-1),"
        "(13,3,7,'x',7,0,0,0,0,2,2,x'00e80700',0,0,-1)",
        "INSERT INTO setups (number, seed, header, options) "
        "SELECT number, '00', '{}', '{}' FROM tables",
        "INSERT INTO players (number, account, seat, state, ended) "
        "SELECT number, 7, 0, state, iif(state = 4, 0, 1000) FROM tables",
        "INSERT INTO accounts (id, kind, name, created, seen, banned_until) "
        "VALUES (8, 2, '', 1, 2, 0)",
        "INSERT INTO ratings VALUES (7, 'x', 0, 1600000, 1000, 9, 3, 5), "
        "(8, 'x', 0, 1700000, 1000, 9, 3, 5)",
        "INSERT INTO pairs VALUES (7, 8, 'x', 0, 256, 5)",
    };
    static const id_num order[] = {12, 11, 13};
    struct question q = {
        .kind = ASK_RESULTS,
        .limit = 5,
        .u.results = {.account = 7, .asker = 7, .look = 9},
    };

    make_old(21);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        fixture_sql(&f, rows[i]);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->result_count, 3);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(a->results[i].table, order[i], "%zu", i);
    cr_expect_eq(a->results[0].ended, INT64_C(1765000012776));
    cr_expect_eq(a->results[1].ended, 2000);
    q = (struct question){.kind = ASK_RATINGS,
                          .limit = 5,
                          .u.ratings = {.game = "x"}};
    a = fixture_ask(&f, &q);
    cr_expect(a->rating_count == 1 && a->ratings[0].account == 7);
    fixture_close(&f);
    cr_expect_eq(fixture_sql(&f, "SELECT count(*) FROM pairs"), 0);
}

/* A step that fails leaves the version before it, whole: nothing of the step is
 * there, and when what was in the way is gone it is done. */
Test(versions, failing_step)
{
    make_old(1);
    /* In the way of the last thing that the second step makes. */
    fixture_sql(&f, "CREATE TABLE renames (x INTEGER)");
    int64_t before = fixture_sql(&f, "SELECT count(*) FROM sqlite_schema");
    cr_assert_eq(fixture_open(&f), -EIO);
    cr_assert_not_null(strstr(f.error, "version 1"), "%s", f.error);
    cr_assert_not_null(strstr(f.error, "renames"), "%s", f.error);
    cr_assert_eq(fixture_sql(&f, "PRAGMA user_version"), 1);
    cr_assert_eq(fixture_sql(&f, "SELECT count(*) FROM sqlite_schema"),
                 before);
    cr_assert_eq(fixture_sql(&f, "SELECT count(*) FROM accounts"), 1);
    /* Trying again makes no second copy; what was changed meanwhile does. */
    cr_assert_eq(fixture_open(&f), -EIO);
    cr_assert_eq(copies(1), 1);
    fixture_sql(&f, "DROP TABLE renames");
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert_str_eq(account(7)->name, "anna");
}

/* Where there is no room for the copy there is no upgrade. */
Test(versions, no_copy)
{
    char path[300];

    make_old(1);
    store_vfs_fail(FAULT_FULL, 1, 1);
    cr_assert_neq(fixture_open(&f), 0);
    cr_assert_gt(store_vfs_failed(), 0);
    store_vfs_fail(FAULT_NONE, 0, 0);
    cr_assert_eq(fixture_sql(&f, "PRAGMA user_version"), 1);
    cr_assert_eq(copies(1), 0);
    /* A damaged one is not copied, and so not upgraded. */
    snprintf(path, sizeof(path), "%s/sobremesa.db", f.dir);
    int fd = open(path, O_WRONLY);
    cr_assert_eq(pwrite(fd, f.dir, 200, 4096), 200);
    close(fd);
    cr_assert_neq(fixture_open(&f), 0);
    cr_assert_not_null(strstr(f.error, "damaged"), "%s", f.error);
    cr_assert_eq(copies(1), 0);
}

/* Killed before each write and each sync of an upgrade: the next start goes on,
 * all is there, and the copy that is named is whole. */
Test(versions, killed)
{
    int status = 0, n = 0;

    do {
        n += getenv("ASAN") != NULL ? 7 : 1;
        make_old(2);
        pid_t child = fork();
        if (child == 0) {
            store_vfs_fail(FAULT_KILL, n, 1);
            _exit(fixture_open(&f) != 0);
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        copies(2);
        cr_assert_eq(fixture_open(&f), 0, "%d: %s", n, f.error);
        cr_assert_str_eq(account(7)->name, "anna");
        cr_assert_geq(copies(2), 1);
        char command[300];
        snprintf(command, sizeof(command), "rm %s/before-*", f.dir);
        cr_assert_eq(system(command), 0);
    } while (WIFSIGNALED(status));
    cr_assert_eq(status, 0);
    cr_assert_gt(n, 50, "%d", n);
}
