/* test_store_ends.c -- how a store begins and ends: what it is opened with, what
 * becomes of what is under way when it is closed, what is left in the file. */

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/io/store_walk.h"
#include "tests/support/store_test.h"

STORE_TESTS(ends, 1200);

static bool knows(const char *name)
{
    struct question q = {.kind = ASK_ACCOUNT_NAME, .u.name = name};
    return fixture_ask(&f, &q)->account_count == 1;
}

static const char *path_of(const char *name)
{
    static char path[400];

    snprintf(path, sizeof(path), "%s/%s", f.dir, name);
    return path;
}

static void told(void *context, const struct store_progress *p)
{
    struct store_fixture *g = context;
    g->progress = *p;
}

/* ---- closing -------------------------------------------------------------- */

/* What was queued and has not gone yet is stored when the store is closed, and
 * reported before that returns. */
Test(ends, queued_and_closed)
{
    make_account(&u, 1, "anna");
    store_queue(f.store, ++f.next_transaction, &u);
    make_account(&u, 2, "bert");
    store_queue(f.store, ++f.next_transaction, &u);
    fixture_close(&f);
    cr_assert_eq(f.reported, 2);
    cr_assert_eq(f.outcome.result, TRANSACTION_STORED);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert(knows("anna") && knows("bert"));
}

/* Many transactions and questions under way at the end: each gets its report or
 * answer, and what was reported stored is there. */
Test(ends, much_under_way)
{
    enum { MANY = 200 };
    struct question q = {.kind = ASK_ACCOUNT, .u.account = 1};
    char name[16];

    for (int i = 1; i <= MANY; i++) {
        snprintf(name, sizeof(name), "user%d", i);
        make_account(&u, (id_num)i, name);
        (void)fixture_submit(&f, &u);
        store_ask(f.store, ++f.next_ask, &q);
    }
    fixture_close(&f);
    cr_assert(f.reported == MANY && f.answered == MANY);
    for (int i = 1; i <= MANY; i++)
        cr_assert_eq(f.results[i], TRANSACTION_STORED + 1);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    cr_assert(knows("user1") && knows("user200") && !knows("user201"));
}

/* ---- opening -------------------------------------------------------------- */

/* What cannot be opened is told in words that begin anew, whatever stood where
 * they go. */
Test(ends, cannot_be_opened)
{
    fixture_close(&f);
    fixture_sql(&f, "DROP TABLE state");
    snprintf(f.error, sizeof(f.error), "of another day");
    cr_assert_lt(fixture_open(&f), 0);
    cr_assert_eq(strncmp(f.error, "cannot open ", 12), 0, "%s", f.error);
    cr_assert_not_null(strstr(f.error, "sobremesa.db: "), "%s", f.error);
}

/* A lock that cannot be made and a file that cannot be opened are errors that
 * name them. */
Test(ends, in_the_way)
{
    static const char *const names[] = {"lock", "sobremesa.db"};

    for (int i = 0; i < 2; i++) {
        fixture_close(&f);
        cr_assert_eq(unlink(path_of(names[i])), 0);
        cr_assert_eq(mkdir(path_of(names[i]), 0700), 0);
        f.error[0] = '\0';
        cr_assert_eq(fixture_open(&f), -EISDIR);
        cr_assert_not_null(strstr(f.error, names[i]), "%s", f.error);
        cr_assert_not_null(strstr(f.error, "cannot open "), "%s", f.error);
        cr_assert_eq(rmdir(path_of(names[i])), 0);
        cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    }
}

/* More readers than there may be are as many as there may be; one transaction a
 * commit is one. */
Test(ends, configured)
{
    struct store_stats stats;
    struct question q = {.kind = ASK_ACCOUNT, .u.account = 1};

    fixture_close(&f);
    f.config.readers = STORE_READERS_MAX + 5;
    f.config.batch_max = 1;
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    for (int i = 0; i < 50; i++)
        store_ask(f.store, ++f.next_ask, &q);
    for (int i = 1; i <= 20; i++) {
        char name[16];
        snprintf(name, sizeof(name), "user%d", i);
        make_account(&u, (id_num)i, name);
        store_queue(f.store, ++f.next_transaction, &u);
    }
    store_go(f.store);
    while (f.reported < 20 || f.answered < 50)
        fixture_poll(&f, 1000);
    store_stats(f.store, &stats);
    cr_assert_eq(stats.commits, 20);
    cr_assert_eq(stats.transactions_stored, 20);
    cr_assert_eq(stats.answers, 50);
    cr_assert_eq(stats.batch[1], 20, "all of one");
}

/* Whether the last end was orderly is known: after a crash the file says that it
 * is running. */
Test(ends, unclean)
{
    struct store_health h;

    store_health(f.store, &h);
    cr_assert_not(h.unclean);
    cr_assert_eq(fixture_sql(&f, "SELECT running FROM state"), 1);
    fixture_close(&f);
    cr_assert_eq(fixture_sql(&f, "SELECT running FROM state"), 0);
    fixture_sql(&f, "UPDATE state SET running = 1");
    for (int crashed = 1; crashed >= 0; crashed--) {
        cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
        store_health(f.store, &h);
        cr_assert_eq(h.unclean, crashed);
        fixture_close(&f);
    }
}

/* That a backup is there is written at once, though nothing else is. */
Test(ends, backup_noted)
{
    cr_assert(store_backup(f.store, path_of("copy.db"), &f, told));
    while (!f.progress.finished)
        fixture_poll(&f, 1000);
    int64_t at;
    UNTIL((at = fixture_sql(&f, "SELECT backup_at FROM state")) > 0);
    struct store_health h;
    store_health(f.store, &h);
    cr_assert(at > 0 && at == h.backup_ms);
}

/* ---- what is left ----------------------------------------------------------- */

/* Whether the closed store's file has TEXT anywhere. */
static bool holds(const char *text)
{
    FILE *file = fopen(path_of("sobremesa.db"), "rb");
    size_t len = strlen(text), at = 0;
    int c;

    cr_assert_not_null(file);
    while (at < len && (c = fgetc(file)) != EOF)
        at = c == text[at] ? at + 1 : c == text[0];
    cr_assert_eq(fclose(file), 0);
    return at == len;
}

/* What is taken away is gone from the file, not only from what is told: a text
 * that the administrator removed, a note, a password. */
Test(ends, removed_for_good)
{
    make_account(&u, 1, "anna");
    make_table(&u, 7, TABLE_OPEN, 2, 0);
    make_plies(&u, 7, -1, 1, TABLE_OPEN, 2, 0);
    struct op *op = transaction_add(&u, OP_TEXT);
    op->u.text = (struct text_row){.number = 1,
                                   .table = 7,
                                   .from = 1,
                                   .body = "unheard of insults"};
    op = transaction_add(&u, OP_NOTE);
    op->table = 7;
    op->account = 1;
    op->u.note = "a note to nobody";
    cr_assert_eq(store(), TRANSACTION_STORED);
    fixture_close(&f);
    cr_assert(holds("unheard of insults") && holds("a note to nobody"));
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
    op = transaction_add(&u, OP_TEXT_DROP);
    op->u.text = (struct text_row){.number = 1, .table = 7};
    op = transaction_add(&u, OP_NOTE);
    op->table = 7;
    op->account = 1;
    op->u.note = "";
    cr_assert_eq(store(), TRANSACTION_STORED);
    fixture_close(&f);
    cr_assert(!holds("unheard of insults") && !holds("a note to nobody"));
}

/* ---- walks ----------------------------------------------------------------- */

/* The plies of T are those of table ID, in order, and after each it is told who
 * was waited for. */
static void check_walked(const struct walked_table *t, id_num id, size_t count)
{
    struct answer a = {
        .table = &(struct table_row){.id = id},
        .plies = (struct ply_row *)t->plies,
        .ply_count = t->count,
    };

    cr_assert(t->whole && t->id == id && t->count == count);
    cr_assert(plies_whole(&a, id));
    cr_assert_str_eq(t->game, "tictactoe");
    cr_assert_str_eq(t->header, "{\"format\":\"sobremesa-record/1\"}");
    /* Those of one transaction were never waited for but after the last. */
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(t->acting[i],
                     i + 1 < count ? ACTING_UNTOLD : 1 << (count + 1) % 2);
}

/* A walk sees every table once, as it was made, by the file or the directory, of
 * a store that is closed or open; what was stored since the last one, too. */
Test(ends, walked)
{
    struct store_walk *w;
    struct walked_table t;
    char error[256];

    for (id_num id = 11; id <= 13; id++) {
        make_table(&u, id, TABLE_PLAYING, 2, 2);
        make_plies(&u, id, -1, 3 + (size_t)(id % 2) * 600, TABLE_PLAYING, 2,
                   2);
        cr_assert_eq(store(), TRANSACTION_STORED);
    }
    for (int closed = 0; closed < 2; closed++) {
        for (int mistrust = 0; mistrust < 2; mistrust++) {
            const char *path = closed ? path_of("sobremesa.db") : f.dir;
            cr_assert_eq(store_walk_open(path, &w, error, sizeof(error)), 0,
                         "%s", error);
            cr_assert_eq(store_walk_total(w), 3);
            if (mistrust)
                store_walk_mistrust(w);
            for (int i = 0; i < 3; i++) {
                strcpy(error, "of before");
                cr_assert_eq(store_walk_next(w, &t, error, sizeof(error)), 1,
                             "%s", error);
                cr_assert_str_empty(error);
                cr_assert_eq(t.number, i + 1);
                cr_assert_eq(t.state, TABLE_PLAYING);
                check_walked(&t, (id_num)i + 11, i == 1 ? 3 : 603);
            }
            cr_assert_eq(store_walk_next(w, &t, error, sizeof(error)), 0);
            store_walk_close(w);
        }
        fixture_close(&f);
    }
    cr_assert_eq(store_walk_open("/none", &w, error, sizeof(error)), -EIO);
    cr_assert_not_null(strstr(error, "/none: "), "%s", error);
    fixture_sql(&f, "UPDATE log SET before = 77777 WHERE ply = 1 AND "
                    "number = 2");
    cr_assert_eq(store_walk_open(f.dir, &w, error, sizeof(error)), 0);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(store_walk_next(w, &t, error, sizeof(error)), 1);
        cr_assert_eq(t.whole, i != 1);
        cr_assert(i != 1 || t.count == 0);
    }
    store_walk_close(w);
    store_walk_close(NULL);
    fixture_sql(&f, "PRAGMA application_id = 77");
    cr_assert_eq(store_walk_open(f.dir, &w, error, sizeof(error)), -EPROTO);
    cr_assert_neq(error[0], '\0');
}
