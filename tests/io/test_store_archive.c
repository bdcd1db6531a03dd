/* test_store_archive.c -- logs that leave the store, and come back: nothing of
 * other tables is touched, whatever happens next. */

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/store_test.h"

#define PLIES 40

FAULTY_STORE_TESTS(archive, 1200);

/* Table ID after all of its plies. */
static void finished(id_num id)
{
    make_table(&u, id, TABLE_PLAYING, 2, 2);
    make_plies(&u, id, -1, PLIES, TABLE_FINISHED, 2, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static void plies(id_num id, int64_t behind, size_t count)
{
    make_plies(&u, id, behind, count, TABLE_PLAYING, 2, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
}

/* Puts the op about ID's log into the transaction; SPOILT: with another
 * hash. */
static void put(enum op_kind kind, id_num id, bool spoilt)
{
    struct transaction made;
    struct op *op;

    transaction_init(&made);
    make_plies(&made, id, -1, PLIES, TABLE_FINISHED, 2, 2);
    op = transaction_add(&u, kind);
    op->table = id;
    memcpy(op->u.archive.chain, made.first->u.plies.rows[PLIES - 1].chain,
           SHA256_SIZE);
    op->u.archive.chain[3] ^= spoilt;
    transaction_done(&made);
}

static enum transaction_result archive(id_num id, bool spoilt)
{
    put(OP_ARCHIVE, id, spoilt);
    return store();
}

static enum transaction_result bring_back(id_num id, bool spoilt)
{
    put(OP_RETURN, id, spoilt);
    make_plies(&u, id, -1, PLIES, TABLE_FINISHED, 2, 2);
    return store();
}

static bool is_archived(id_num id)
{
    const struct answer *a = fixture_table(&f, id);

    cr_assert(!a->failed && a->table != NULL);
    if (a->table->summary.state != TABLE_ARCHIVED)
        return false;
    cr_assert_eq(a->ply_count, 0);
    cr_assert_neq(a->table->summary.seat[0], 0, "who sat there is known");
    return true;
}

static size_t listed(int state, bool mine)
{
    struct question q = {
        .kind = ASK_TABLES,
        .u.tables = {.account = 1, .state = state, .all = true},
    };

    if (mine)
        q = (struct question){
            .kind = ASK_MINE,
            .u.mine = {.account = 1, .state = state},
        };

    return fixture_ask(&f, &q)->listed_count;
}

static bool whole(id_num id, size_t count)
{
    const struct answer *a = fixture_table(&f, id);

    return !a->failed && plies_whole(a, id) && a->ply_count == count;
}

/* A log goes only with its last hash, and only when the game is finished; lists
 * show its table no more, others are as they were, and it comes back whole. */
Test(archive, there_and_back)
{
    make_people(&u, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    finished(1);
    finished(2);
    make_table(&u, 3, TABLE_PLAYING, 2, 2);
    plies(3, -1, 5);
    struct op *op = transaction_add(&u, OP_TEXT);
    op->u.text = (struct text_row){.table = 1,
                                   .from = 1,
                                   .number = 1,
                                   .body = "well played"};
    cr_assert_eq(store(), TRANSACTION_STORED);

    cr_assert_eq(archive(1, true), TRANSACTION_CONFLICT);
    cr_assert_eq(archive(3, false), TRANSACTION_CONFLICT);
    cr_assert_eq(archive(77, false), TRANSACTION_CONFLICT);
    cr_assert(whole(1, PLIES));
    cr_assert_eq(archive(1, false), TRANSACTION_STORED);
    cr_assert_eq(archive(1, false), TRANSACTION_CONFLICT);
    for (int again = 0; again < 2; again++, reopen()) {
        cr_assert(is_archived(1));
        cr_assert(whole(2, PLIES) && whole(3, 5));
        cr_assert_eq(listed(-1, false), 2);
        cr_assert_eq(listed(-1, true), 2);
        cr_assert_eq(listed(TABLE_FINISHED, false), 1);
        cr_assert_eq(listed(TABLE_ARCHIVED, false), 1);
    }
    cr_assert_eq(bring_back(2, false), TRANSACTION_CONFLICT);
    cr_assert_eq(bring_back(1, true), TRANSACTION_CONFLICT);
    cr_assert(is_archived(1));
    cr_assert_eq(bring_back(1, false), TRANSACTION_STORED);
    for (int again = 0; again < 2; again++, reopen()) {
        cr_assert(whole(1, PLIES) && whole(2, PLIES) && whole(3, 5));
        cr_assert_eq(listed(-1, true), 3);
        cr_assert_eq(fixture_table(&f, 1)->texts_last, 1);
    }
    cr_assert_eq(archive(1, false), TRANSACTION_STORED);
    fixture_close(&f);
    cr_assert_eq(fixture_sql(&f, "SELECT count(*) FROM log WHERE number = 1"),
                 0);
    cr_assert_eq(fixture_open(&f), 0);
}

/* Goes on at table 3 in a child that is killed. */
static void killed_at_play(void)
{
    int status;

    fixture_close(&f);
    pid_t child = fork();
    if (child == 0) {
        f.next_transaction = f.last_stored = 0;
        if (fixture_open(&f) != 0)
            _exit(1);
        if (archive(1, false) != TRANSACTION_STORED)
            _exit(2);
        plies(3, 4, 7);
        raise(SIGKILL);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFSIGNALED(status), "%x", (unsigned)status);
    f.next_transaction = f.last_stored = f.reported = 0;
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
}

/* The last rows of the log went, so those of the next moves get their numbers:
 * after a crash they are found all the same. */
Test(archive, numbers_come_again)
{
    make_people(&u, 2);
    make_table(&u, 3, TABLE_PLAYING, 2, 2);
    plies(3, -1, 5);
    finished(1);
    reopen(); /* all is flushed up to the end of the log */
    f.config.flush_ms = 60000;
    killed_at_play();
    cr_assert(is_archived(1));
    cr_assert(whole(3, 12), "what came after is lost");
    cr_assert_eq(fixture_table(&f, 3)->table->summary.ply, 11);
    plies(3, 11, 2);
    cr_assert(whole(3, 14));
    cr_assert_eq(f.lines[LOG_ERROR], 0, "%s", f.line);
}

/* What was still to be written of the table, and of others, does not get into
 * the way. */
Test(archive, while_others_move)
{
    f.config.flush_ms = 20;
    fixture_close(&f);
    cr_assert_eq(fixture_open(&f), 0);
    make_table(&u, 3, TABLE_PLAYING, 2, 2);
    plies(3, -1, 1);
    for (id_num id = 10; id < 40; id++) {
        finished(id);
        plies(3, 2 * (int64_t)(id - 10), 1);
        cr_assert_eq(archive(id, false), TRANSACTION_STORED);
        plies(3, 2 * (int64_t)(id - 10) + 1, 1);
        if (id % 7 == 0)
            reopen();
        cr_assert(is_archived(id));
    }
    cr_assert(whole(3, 61));
    reopen();
    cr_assert(whole(3, 61));
    cr_assert_eq(f.lines[LOG_ERROR], 0, "%s", f.line);
}

/* Killed before any write: the log is there, or it is archived. */
Test(archive, killed)
{
    int status = 0, n = 0;

    make_people(&u, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    finished(1);
    do {
        n += 1;
        fixture_close(&f);
        pid_t child = fork();
        if (child == 0) {
            f.next_transaction = f.last_stored = 0;
            if (fixture_open(&f) != 0)
                _exit(1);
            store_vfs_fail(FAULT_KILL, n, 1);
            _exit(archive(1, false) != TRANSACTION_STORED);
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        f.next_transaction = f.last_stored = f.reported = 0;
        cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
        if (is_archived(1))
            cr_assert_eq(bring_back(1, false), TRANSACTION_STORED);
        cr_assert(whole(1, PLIES));
    } while (WIFSIGNALED(status));
    cr_assert_eq(status, 0);
    cr_assert_gt(n, 5);
}
