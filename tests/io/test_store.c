/* test_store.c -- what goes into the store comes out of it, for every op and
 * question; see also test_store_faults.c and test_store_crash.c. */

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/hub/limits.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_vfs.h"

static struct store_fixture f;
static struct unit u;

static void setup(void)
{
    fixture_init(&f);
    unit_init(&u);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
}

static void teardown(void)
{
    cr_assert_eq(f.disorder, 0, "results came in another order");
    fixture_done(&f);
}

TestSuite(store, .init = setup, .fini = teardown, .timeout = 60);
/* Those that want a configuration of their own. */
TestSuite(store_apart, .fini = teardown, .timeout = 60);

static void reopen(void)
{
    fixture_close(&f);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
}

static void people(int n)
{
    make_people(&u, n);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
}

static void table(id_num id, int state, int seats, int filled)
{
    make_table(&u, id, state, seats, filled);
    make_plies(&u, id, -1, 1, state, seats, filled);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
}

static enum unit_result plies(id_num id, int64_t expect, size_t count)
{
    make_plies(&u, id, expect, count, TABLE_PLAYING, 2, 2);
    return fixture_store(&f, &u);
}

/* ---- accounts ---------------------------------------------------------- */

/* All fields of an account come back, by id and by name in any case. */
Test(store, account)
{
    struct op *op = unit_add(&u, OP_ACCOUNT);
    op->u.account_row = (struct account_row){
        .id = INT64_MAX,
        .kind = ACCOUNT_USER,
        .name = "Alice",
        .password = "hash",
        .email = "a@b",
        .created = 1,
        .seen = 2,
    };
    op = unit_add(&u, OP_BAN);
    op->account = INT64_MAX;
    op->u.ban.until = 3;
    op->u.ban.reason = "spam";
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    cr_assert_null(u.first, "the unit was taken over");
    struct question by_name = {.kind = ASK_ACCOUNT_NAME, .text = "aLICE"};
    struct question by_id = {.kind = ASK_ACCOUNT, .account = INT64_MAX};
    for (int i = 0; i < 2; i++) {
        const struct answer *a = fixture_ask(&f, i == 0 ? &by_name : &by_id);
        cr_assert_eq(a->account_count, 1);
        const struct account_row *row = a->accounts;
        cr_assert(row->id == INT64_MAX && row->kind == ACCOUNT_USER &&
                  row->created == 1 && row->seen == 2 &&
                  row->banned_until == 3);
        cr_assert_str_eq(row->name, "Alice");
        cr_assert_str_eq(row->password, "hash");
        cr_assert_str_eq(row->email, "a@b");
        cr_assert_str_eq(row->banned_reason, "spam");
    }
    by_name.text = "bob";
    cr_assert_eq(fixture_ask(&f, &by_name)->account_count, 0);
    cr_assert_not(f.answer.failed);
}

/* A name is one account's, whatever its case; the account may be put again; a
 * deleted one's name is free. */
Test(store, names)
{
    make_account(&u, 1, "Alice");
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    make_account(&u, 2, "alicE");
    cr_assert_eq(fixture_store(&f, &u), UNIT_CONFLICT);
    make_account(&u, 1, "ALICE");
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    make_account(&u, 1, "alice");
    u.first->u.account_row.kind = ACCOUNT_DELETED;
    u.first->u.account_row.password = NULL;
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    make_account(&u, 2, "alice");
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    struct question q = {.kind = ASK_ACCOUNT_NAME, .text = "Alice"};
    cr_assert_eq(fixture_ask(&f, &q)->accounts[0].id, 2);
    q = (struct question){.kind = ASK_ACCOUNT, .account = 1};
    cr_assert_eq(fixture_ask(&f, &q)->accounts[0].kind, ACCOUNT_DELETED);
    cr_assert_null(f.answer.accounts[0].password);
}

/* Several names at once: those that there are. */
Test(store, many_names)
{
    people(3);
    const char *texts[] = {"USER3", "nobody", "user1", NULL};
    struct question q = {.kind = ASK_ACCOUNTS_NAME, .texts = texts};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->account_count, 2);
    cr_assert_eq(a->accounts[0].id, 3);
    cr_assert_eq(a->accounts[1].id, 1);
}

static void token(id_num id, id_num account, uint8_t hash, int64_t created,
                  int64_t expires)
{
    struct op *op = unit_add(&u, OP_TOKEN);
    op->account = account;
    op->u.token = (struct token_row){
        .id = id,
        .account = account,
        .hash = {hash},
        .label = "bot",
        .scopes = 0xffff,
        .created = created,
        .expires = expires,
    };
}

static size_t tokens(id_num account)
{
    struct question q = {.kind = ASK_TOKENS, .account = account};
    return fixture_ask(&f, &q)->token_count;
}

/* Tokens are found by their hash, with their account; dropped one by one, only
 * by who has them, or all but one; and when their time is over. */
Test(store, tokens)
{
    people(2);
    token(10, 1, 10, 100, 0);
    token(11, 1, 11, 101, 150);
    token(12, 2, 12, 102, 0);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    struct question q = {.kind = ASK_TOKEN, .hash = {11}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->token_count == 1 && a->account_count == 1);
    cr_assert(a->tokens->id == 11 && a->tokens->account == 1 &&
              a->tokens->hash[0] == 11 && a->tokens->scopes == 0xffff &&
              a->tokens->created == 101 && a->tokens->expires == 150);
    cr_assert_str_eq(a->tokens->label, "bot");
    cr_assert_str_eq(a->accounts->name, "user1");
    q.hash[0] = 99;
    cr_assert_eq(fixture_ask(&f, &q)->token_count, 0);

    cr_assert_eq(tokens(1), 2);
    token(13, 1, 13, 150, 0);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    cr_assert_eq(tokens(1), 2, "11 has expired");
    cr_assert_eq(f.answer.tokens[1].id, 13);

    struct op *op = unit_add(&u, OP_TOKEN_DROP);
    op->u.token = (struct token_row){.id = 12, .account = 1};
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    cr_assert_eq(tokens(2), 1, "it is not theirs");
    op = unit_add(&u, OP_TOKEN_DROP);
    op->u.token = (struct token_row){.id = 12, .account = 2};
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    cr_assert_eq(tokens(2), 0);
    op = unit_add(&u, OP_TOKENS_DROP);
    op->u.token = (struct token_row){.id = 13, .account = 1};
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    cr_assert_eq(tokens(1), 1);
    cr_assert_eq(f.answer.tokens[0].id, 13);
}

/* ---- tables ------------------------------------------------------------ */

/* All fields of a table come back, with its log, names and who is invited. */
Test(store, table)
{
    people(4);
    make_table(&u, 77, TABLE_OPEN, 3, 1);
    struct table_row *t = &u.first->u.table_row;
    t->private_ = t->rated = true;
    t->owner = 3;
    t->door = "door";
    t->board = "{\"haz\":\"x\"}";
    t->asset = "a\0b";
    t->asset_len = 3;
    make_plies(&u, 77, -1, 3, TABLE_OPEN, 3, 1);
    unit_add(&u, OP_INVITE)->table = 77;
    struct op *op = unit_add(&u, OP_INVITE);
    op->table = 77;
    op->account = 4;
    u.first->next->next->account = 2;
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);

    for (int i = 0; i < 2; i++) {
        const struct answer *a = fixture_table(&f, 77);
        cr_assert(plies_whole(a, 77) && a->ply_count == 3);
        const struct table_row *b = a->table;
        cr_assert(b->owner == 3 && b->created == 1000 && b->private_ &&
                  b->rated && b->spectators && b->start_full);
        cr_assert_str_eq(b->game, "tictactoe");
        cr_assert_str_eq(b->door, "door");
        cr_assert_str_eq(b->seed, "00ff");
        cr_assert_str_eq(b->header, "{\"format\":\"sobremesa-record/1\"}");
        cr_assert_str_eq(b->options, "{}");
        cr_assert_str_eq(b->board, "{\"haz\":\"x\"}");
        cr_assert(b->asset_len == 3 && memcmp(b->asset, "a\0b", 4) == 0);
        struct summary now;
        make_summary(&now, 2, TABLE_OPEN, 3, 1);
        cr_assert_eq(memcmp(&now, &b->now, sizeof(now)), 0);
        cr_assert_eq(a->name_count, 4, "seats, owner, invited");
        for (int k = 0; k < 4; k++)
            cr_assert_null(a->names[k].password);
        cr_assert_eq(a->invited_count, 2);
        cr_assert_eq(a->invited[0] + a->invited[1], 6);
        reopen();
    }
    cr_assert_null(fixture_table(&f, 78)->table);
    cr_assert_not(f.answer.failed);
}

/* A table without an asset, a board or a door has none. */
Test(store, table_plain)
{
    make_table(&u, 5, TABLE_OPEN, 2, 0);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    const struct answer *a = fixture_table(&f, 5);
    cr_assert(a->table->asset == NULL && a->table->board == NULL &&
              a->table->door == NULL && a->ply_count == 0);
    cr_assert_eq(plies(5, -1, 2), UNIT_STORED);
    cr_assert_eq(fixture_table(&f, 5)->ply_count, 2);
}

/* An append that does not continue the log is refused, and so is all of its
 * unit, but nothing else. */
Test(store, fencing)
{
    table(5, TABLE_PLAYING, 2, 2);
    cr_assert_eq(plies(5, 0, 4), UNIT_STORED);
    cr_assert_eq(plies(5, 3, 1), UNIT_FAILED);
    cr_assert_eq(plies(5, 5, 1), UNIT_FAILED);
    cr_assert_eq(plies(5, -1, 1), UNIT_FAILED);
    cr_assert_eq(plies(6, -1, 1), UNIT_FAILED, "there is no such table");
    cr_assert_geq(f.lines[LOG_ERROR], 4);
    make_account(&u, 9, "nine");
    make_plies(&u, 5, 4, 1, TABLE_FINISHED, 2, 2);
    make_plies(&u, 5, 4, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), UNIT_FAILED);
    struct question q = {.kind = ASK_ACCOUNT, .account = 9};
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 0);
    const struct answer *a = fixture_table(&f, 5);
    cr_assert(plies_whole(a, 5) && a->ply_count == 5);
    cr_assert_eq(a->table->now.state, TABLE_PLAYING);
    make_plies(&u, 5, 4, 2, TABLE_PLAYING, 2, 2);
    u.first->u.plies.rows[1].ply = 9;
    cr_assert_eq(fixture_store(&f, &u), UNIT_FAILED, "a gap");
    make_plies(&u, 5, 4, 2, TABLE_PLAYING, 2, 2);
    u.first->u.plies.rows[1].line = NULL;
    cr_assert_eq(fixture_store(&f, &u), UNIT_FAILED, "no line");
    cr_assert_eq(plies(5, 4, 1), UNIT_STORED);
    reopen();
    cr_assert(plies_whole(fixture_table(&f, 5), 5));
    cr_assert_eq(f.answer.ply_count, 6);
    cr_assert_eq(plies(5, 5, 1), UNIT_STORED);
}

/* What is put waits for store_go() or a question, and shares a commit. */
Test(store, put_together)
{
    struct question nothing = {.kind = ASK_ACCOUNT, .account = 99};
    struct store_stats before, after;

    store_stats(f.store, &before);
    for (id_num id = 1; id <= 6; id++) {
        make_account(&u, id, (char[]){'n', (char)('a' + id), '\0'});
        store_put(f.store, ++f.next_unit, &u);
        cr_assert_null(u.first, "the unit was taken over");
        if (id == 3)
            store_go(f.store);
    }
    fixture_ask(&f, &nothing);
    cr_assert_eq(f.reported, f.next_unit, "before the answer");
    store_stats(f.store, &after);
    cr_assert_eq(after.units_stored - before.units_stored, 6);
    cr_assert(after.commits - before.commits <= 2);
}

/* Who has had enough of what is done gets the rest later, and in order. */
Test(store, one_at_a_time)
{
    f.one_at_a_time = true;
    for (id_num id = 1; id <= 6; id++) {
        make_account(&u, id, (char[]){'n', (char)('a' + id), '\0'});
        store_put(f.store, ++f.next_unit, &u);
    }
    store_go(f.store);
    for (uint64_t n = f.reported; f.reported < f.next_unit; n = f.reported) {
        fixture_poll(&f, 1000);
        cr_assert(f.reported <= n + 1);
    }
    cr_assert_eq(f.disorder, 0);
    make_account(&u, 7, "seven");
    fixture_submit(&f, &u);
    make_account(&u, 8, "eight");
    fixture_submit(&f, &u);
    fixture_close(&f);
    cr_assert_eq(f.reported, f.next_unit, "at the end all of it");
}

/* A unit that conflicts leaves nothing, and what is in the same batch before
 * and behind it, of the same table too, is stored. */
Test(store, conflict_alone)
{
    make_account(&u, 1, "one");
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    store_vfs_install();
    table(5, TABLE_PLAYING, 2, 2);
    make_plies(&u, 5, 0, 1, TABLE_PLAYING, 2, 2);
    unit_id first = fixture_submit(&f, &u);
    make_plies(&u, 5, 1, 1, TABLE_FINISHED, 2, 1);
    make_table(&u, 6, TABLE_OPEN, 2, 0);
    make_plies(&u, 6, -1, 1, TABLE_OPEN, 2, 0);
    make_account(&u, 2, "ONE");
    unit_id second = fixture_submit(&f, &u);
    make_plies(&u, 5, 1, 2, TABLE_PLAYING, 2, 2);
    make_table(&u, 6, TABLE_OPEN, 2, 0);
    unit_id third = fixture_submit(&f, &u);
    const struct answer *a = fixture_table(&f, 5);
    cr_assert_eq(f.results[first], UNIT_STORED + 1);
    cr_assert_eq(f.results[second], UNIT_CONFLICT + 1);
    cr_assert_eq(f.results[third], UNIT_STORED + 1);
    cr_assert(plies_whole(a, 5) && a->ply_count == 4);
    cr_assert_eq(a->table->now.state, TABLE_PLAYING);
    cr_assert_eq(fixture_table(&f, 6)->ply_count, 0);
    cr_assert_not_null(f.answer.table);
}

/* Two tables' rows lie between each other's, and are told apart. */
Test(store, interleaved)
{
    table(5, TABLE_PLAYING, 2, 2);
    table(6, TABLE_PLAYING, 2, 2);
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(plies(5, 2 * i, 2), UNIT_STORED);
        cr_assert_eq(plies(6, i, 1), UNIT_STORED);
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
    unit_init(&u);
    f.config.heads_max = 3;
    f.config.flush_ms = 1;
    cr_assert_eq(fixture_open(&f), 0);
    for (id_num id = 1; id <= 20; id++)
        table(id, TABLE_PLAYING, 2, 2);
    for (int ply = 0; ply < 10; ply++) {
        for (id_num id = 1; id <= 20; id++)
            cr_assert_eq(plies(id, ply, 1), UNIT_STORED);
        usleep(3000);
        struct question q = {.kind = ASK_TABLES, .state = TABLE_PLAYING};
        const struct answer *a = fixture_ask(&f, &q);
        cr_assert_eq(a->listed_count, 20);
        for (int i = 0; i < 20; i++)
            cr_assert_eq(a->tables[i].table.now.ply, (uint32_t)ply + 1);
    }
    struct store_stats stats;
    store_stats(f.store, &stats);
    cr_assert_gt(stats.flushed, 100);
    for (id_num id = 1; id <= 20; id++)
        cr_assert(plies_whole(fixture_table(&f, id), id));
}

/* ---- lists ------------------------------------------------------------- */

/* Newest first, a page after the other, by state and game. */
Test(store, lists)
{
    people(2);
    for (id_num id = 1; id <= 25; id++) {
        make_table(&u, 1000 - id, id % 5 == 0 ? TABLE_OPEN : TABLE_PLAYING, 2,
                   2);
        if (id % 10 == 0)
            u.first->u.table_row.game = "hacienda";
        cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    }
    struct question q = {.kind = ASK_TABLES, .state = -1, .limit = 10};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 10 && a->more);
    for (id_num i = 0; i < 10; i++)
        cr_assert_eq(a->tables[i].table.id, 1000 - (25 - i));
    cr_assert_str_eq(a->tables[0].name[0], "user1");
    cr_assert_str_eq(a->tables[0].name[1], "user2");
    cr_assert_null(a->tables[0].name[2]);
    cr_assert_null(a->tables[0].table.seed);
    q.after = 1000 - 16;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 10 && a->more);
    cr_assert_eq(a->tables[0].table.id, 1000 - 15);
    q.after = 1000 - 6;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 5 && !a->more);
    q.after = 1000 - 1;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
    q.after = 12345;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
    q.after = 0;
    q.state = TABLE_OPEN;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 5);
    q.game = "hacienda";
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 2);
    q.state = TABLE_PLAYING;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
    q.state = -1;
    q.limit = 1;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 1 && a->more);
    q.limit = 2;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 2 && !a->more, "just as many as there are");
}

/* A private table is in the lists of those who belong to it, and in those of
 * the server itself. */
Test(store, private)
{
    people(5);
    make_table(&u, 50, TABLE_OPEN, 2, 1);
    u.first->u.table_row.private_ = true;
    u.first->u.table_row.owner = 2;
    struct op *op = unit_add(&u, OP_INVITE);
    op->table = 50;
    op->account = 3;
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    struct question q = {.kind = ASK_TABLES, .state = -1};
    static const size_t seen[] = {0, 1, 1, 1, 0, 0};
    for (id_num who = 0; who < 6; who++) {
        q.account = who;
        cr_assert_eq(fixture_ask(&f, &q)->listed_count, seen[who], "%d",
                     (int)who);
    }
    q.all = true;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1);
}

/* What an account has to do with: it sits there or is invited; who left is no
 * longer on the list, but still among the names. */
Test(store, mine)
{
    people(3);
    for (id_num id = 1; id <= 6; id++)
        table(id, TABLE_OPEN, 2, (int)id % 3);
    struct op *op = unit_add(&u, OP_INVITE);
    op->table = 3;
    op->account = 2;
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    struct question q = {.kind = ASK_TABLES,
                         .state = -1,
                         .mine = true,
                         .account = 2};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->listed_count, 3);
    cr_assert_eq(a->tables[0].table.id, 5);
    cr_assert_eq(a->tables[1].table.id, 3);
    cr_assert_eq(a->tables[2].table.id, 2);
    q.game = "none";
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);

    make_plies(&u, 5, 0, 1, TABLE_OPEN, 2, 1);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    q = (struct question){.kind = ASK_MINE, .state = -1, .account = 2};
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 2);
    cr_assert_eq(fixture_table(&f, 5)->name_count, 2);
    make_plies(&u, 3, 0, 1, TABLE_PLAYING, 2, 1);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1,
                 "it began without them");
    q.running = true;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1);
    make_plies(&u, 2, 0, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
    q.kind = ASK_TABLES;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 5);
    q.mine = true;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1, "the invitation");
    q.running = false;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 2);
}

/* Those that wait for me first, the longest first, then the others, the last
 * changed first; as of the last ply, which is not in `tables` yet. */
Test(store, mine_order)
{
    people(2);
    for (id_num id = 1; id <= 6; id++)
        table(id, TABLE_PLAYING, 2, 2);
    /* Seat ply % 2 acts: 2, 4, 6 wait for seat 0, the others for seat 1. */
    static const int64_t ends[] = {0, 11, 8, 9, 10, 15, 6};
    for (id_num id = 1; id <= 6; id++)
        cr_assert_eq(plies(id, 0, (size_t)ends[id]), UNIT_STORED);
    struct question q = {.kind = ASK_MINE, .state = -1, .account = 1};
    for (int i = 0; i < 2; i++) {
        static const id_num order[] = {6, 2, 4, 5, 1, 3};
        const struct answer *a = fixture_ask(&f, &q);
        cr_assert_eq(a->listed_count, 6);
        for (int j = 0; j < 6; j++) {
            cr_assert_eq(a->tables[j].table.id, order[j]);
            cr_assert_eq(a->tables[j].table.now.ply, ends[order[j]]);
        }
        reopen();
    }
    q.limit = 2;
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 2 && a->more);
    /* Page by page, though in between a table that was shown is moved to the
     * front and one that was not is over. */
    q.after = a->tables[1].table.id;
    q.after_waits = a->tables[1].waits;
    q.after_at = a->tables[1].at;
    cr_assert(q.after == 2 && q.after_waits);
    make_plies(&u, 2, 8, 1, TABLE_PLAYING, 2, 2);
    make_plies(&u, 4, 10, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    q.running = true;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 2 && a->more);
    cr_assert_eq(a->tables[0].table.id, 5);
    cr_assert_eq(a->tables[1].table.id, 1);
    q.after = 1;
    q.after_waits = a->tables[1].waits;
    q.after_at = a->tables[1].at;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 2 && !a->more);
    cr_assert_eq(a->tables[0].table.id, 3);
    q.after = 0;
    q.limit = 0;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 5);
    q.running = false;
    q.newer = 12000;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 5, "and what is over");
    q.newer = 10000;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 6);
    q.newer = 0;
    q.state = TABLE_OPEN;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
}

/* ---- keys, texts, marks, notes ------------------------------------------ */

static enum unit_result key(const char *method, const char *name, int64_t at)
{
    struct op *op = unit_add(&u, OP_KEY);
    op->account = 1;
    op->u.key.method = method;
    op->u.key.key = name;
    op->u.key.at = at;
    op->u.key.answer = "{\"table\":\"x\"}";
    return fixture_store(&f, &u);
}

/* A key is good once within a day: the second unit conflicts. */
Test(store, keys)
{
    cr_assert_eq(key("create", "k", 1000), UNIT_STORED);
    cr_assert_eq(key("create", "k", 1000 + LIMIT_KEY_MS - 1), UNIT_CONFLICT);
    cr_assert_eq(key("join", "k", 1000), UNIT_STORED);
    struct question q = {.kind = ASK_KEY,
                         .account = 1,
                         .text = "create",
                         .key = "k"};
    cr_assert_str_eq(fixture_ask(&f, &q)->text, "{\"table\":\"x\"}");
    q.newer = 1000;
    cr_assert_null(fixture_ask(&f, &q)->text);
    q.newer = 0;
    q.account = 2;
    cr_assert_null(fixture_ask(&f, &q)->text);
    cr_assert_eq(key("create", "k", 1000 + LIMIT_KEY_MS), UNIT_STORED);
    q.account = 1;
    q.text = "join";
    cr_assert_null(fixture_ask(&f, &q)->text, "a day is over");
}

/* What is pruned is what nobody can repeat any more: a key keeps its answer for
 * the whole of its day. */
Test(store, keys_are_kept_a_day)
{
    struct question q = {.kind = ASK_KEY,
                         .account = 1,
                         .text = "create",
                         .key = "k"};
    struct question count = {.kind = ASK_PRUNE};

    cr_assert_eq(key("create", "k", 1000), UNIT_STORED);
    for (int late = 0; late < 2; late++) {
        int64_t now = 1000 + LIMIT_KEY_MS - 1 + late;
        count.newer = now;
        cr_assert_eq(fixture_ask(&f, &count)->counts[PRUNE_KEYS], late);
        unit_add(&u, OP_PRUNE)->u.at = now;
        cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
        cr_assert_eq(fixture_ask(&f, &q)->text == NULL, late);
    }
}

static void text(id_num from, uint64_t number, uint8_t room)
{
    struct op *op = unit_add(&u, OP_TEXT);
    op->u.text = (struct text_row){
        .number = number,
        .table = 7,
        .from = from,
        .room = room,
        .at = 100 + (int64_t)number,
        .body = "h\303\251llo",
    };
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
}

static void mark(id_num table_id, id_num account, uint64_t number)
{
    struct op *op = unit_add(&u, OP_MARK);

    op->table = table_id;
    op->account = account;
    op->u.number = number;
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
}

/* Texts come in pages from the last one back, each in order; a mark never goes
 * back; unread are others' texts in the rooms one may read. */
Test(store, texts)
{
    people(3);
    table(7, TABLE_PLAYING, 2, 2);
    for (uint64_t i = 1; i <= 12; i++)
        text(i % 2 + 1, i, i > 10);
    struct question q = {.kind = ASK_TEXTS,
                         .table = 7,
                         .account = 1,
                         .limit = 4};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->text_count == 4 && a->more && a->mark == 0);
    for (uint64_t i = 0; i < 4; i++)
        cr_assert_eq(a->texts[i].number, 7 + i);
    cr_assert_eq(a->texts[0].from, 2);
    cr_assert_eq(a->texts[0].at, 107);
    cr_assert_str_eq(a->texts[0].name, "user2");
    cr_assert_str_eq(a->texts[0].body, "h\303\251llo");
    q.before = 3;
    a = fixture_ask(&f, &q);
    cr_assert(a->text_count == 2 && !a->more && a->texts[0].number == 1);
    q.before = 0;
    q.room = 1;
    cr_assert_eq(fixture_ask(&f, &q)->text_count, 2);
    cr_assert_eq(fixture_table(&f, 7)->texts_last, 12);

    struct question mine = {.kind = ASK_MINE, .state = -1, .account = 1};
    cr_assert_eq(fixture_ask(&f, &mine)->tables[0].unread, 5);
    static const uint64_t marks[] = {9, 4};
    for (int i = 0; i < 2; i++) {
        mark(7, 1, marks[i]);
        cr_assert_eq(fixture_ask(&f, &q)->mark, 9);
    }
    cr_assert_eq(fixture_ask(&f, &mine)->tables[0].unread, 0);
    make_plies(&u, 7, 0, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    cr_assert_eq(fixture_ask(&f, &mine)->tables[0].unread, 1, "now, too");
    q.table = 8;
    cr_assert_eq(fixture_ask(&f, &q)->text_count, 0);
}

static void note(const char *body)
{
    struct op *op = unit_add(&u, OP_NOTE);
    op->table = 7;
    op->account = 1;
    op->u.note = body;
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
}

/* A note is one's own, can be changed, and dropped. */
Test(store, notes)
{
    table(7, TABLE_PLAYING, 2, 2);
    struct question q = {.kind = ASK_NOTE, .table = 7, .account = 1};
    cr_assert_null(fixture_ask(&f, &q)->text);
    note("first");
    note("second");
    cr_assert_str_eq(fixture_ask(&f, &q)->text, "second");
    q.account = 2;
    cr_assert_null(fixture_ask(&f, &q)->text);
    q.account = 1;
    note("");
    cr_assert_null(fixture_ask(&f, &q)->text);
}

/* ---- groups, order, reopening ------------------------------------------- */

/* What waits while a commit is under way goes into the next one together, and
 * a question waits for all that was handed over before it. */
Test(store_apart, groups)
{
    struct store_stats before, after;

    store_vfs_install();
    fixture_init(&f);
    unit_init(&u);
    cr_assert_eq(fixture_open(&f), 0);
    table(7, TABLE_PLAYING, 2, 2);
    store_stats(f.store, &before);
    store_vfs_delay(20000);
    for (int i = 0; i < 500; i++) {
        make_plies(&u, 7, i, 1, TABLE_PLAYING, 2, 2);
        fixture_submit(&f, &u);
    }
    const struct answer *a = fixture_table(&f, 7);
    cr_assert_eq(a->ply_count, 501);
    cr_assert_eq(a->table->now.ply, 500);
    cr_assert_eq(f.last_stored, f.next_unit, "results came before");
    store_stats(f.store, &after);
    cr_assert_leq(after.commits - before.commits, 10);
    cr_assert_eq(after.units_stored - before.units_stored, 500);
    cr_assert_eq(after.plies - before.plies, 500);
    cr_assert_eq(after.units_waiting, 0);
    store_vfs_delay(0);
}

/* Summaries that were only in memory are there after an orderly end, and after
 * none (the file is taken as it is while the store is open). */
Test(store, behind)
{
    table(7, TABLE_PLAYING, 2, 2);
    for (int i = 0; i < 30; i++)
        cr_assert_eq(plies(7, i, 1), UNIT_STORED);
    struct store_stats stats;
    store_stats(f.store, &stats);
    cr_assert_eq(stats.flushed, 0);
    cr_assert_eq(stats.heads_dirty, 1);
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
    struct store_stats stats;

    fixture_init(&f);
    unit_init(&u);
    f.config.flush_ms = 30;
    cr_assert_eq(fixture_open(&f), 0);
    table(7, TABLE_PLAYING, 2, 2);
    cr_assert_eq(plies(7, 0, 3), UNIT_STORED);
    for (int i = 0; i < 200; i++) {
        store_stats(f.store, &stats);
        if (stats.heads_dirty == 0)
            break;
        usleep(10000);
    }
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
    unit_init(&u);
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
        while (f.next_unit - f.reported > 40)
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
    text(1, 1, 0);
    note("x");
    token(10, 1, 10, 100, 0);
    cr_assert_eq(fixture_store(&f, &u), UNIT_STORED);
    cr_assert_eq(plies(7, 0, 3), UNIT_STORED);
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
    cr_assert_eq(plies(7, 0, 9), UNIT_STORED);
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
        cr_assert_eq(plies(7, ply, 1), UNIT_STORED);
    cr_assert(store_backup(f.store, path, &f, told));
    store_backup(f.store, path, &f, told);
    for (; ply < 60; ply++)
        cr_assert_eq(plies(7, ply, 1), UNIT_STORED);
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
    cr_assert_eq(plies(7, ply, 1), UNIT_STORED);
    store_settled(f.store);
    cr_assert_eq(plies(7, ply + 1, 1), UNIT_STORED);
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
