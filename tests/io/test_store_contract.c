/* test_store_contract.c -- what goes into a store comes out of it, for every op
 * and question about tables; see test_store_people.c for those about people. */

#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/contract.h"

CONTRACTS(store);

static void people(int n)
{
    make_people(&u, n);
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static void table(id_num id, int state, int seats, int filled)
{
    make_table(&u, id, state, seats, filled);
    make_plies(&u, id, -1, 1, state, seats, filled);
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static enum transaction_result plies(id_num id, int64_t expect, size_t count)
{
    make_plies(&u, id, expect, count, TABLE_PLAYING, 2, 2);
    return store();
}

/* ---- accounts ---------------------------------------------------------- */

/* All fields of an account come back, by id and by name in any case. */
CONTRACT(store, account)
{
    struct op *op = transaction_add(&u, OP_ACCOUNT);
    op->u.account_row = (struct account_row){
        .id = INT64_MAX,
        .kind = ACCOUNT_USER,
        .name = "Alice",
        .password = "hash",
        .email = "a@b",
        .created = 1,
        .seen = 2,
    };
    op = transaction_add(&u, OP_BAN);
    op->account = INT64_MAX;
    op->u.ban.until = 3;
    op->u.ban.reason = "spam";
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_null(u.first, "the transaction was taken over");
    struct question by_name = {.kind = ASK_ACCOUNT_NAME, .u.name = "aLICE"};
    struct question by_id = {.kind = ASK_ACCOUNT, .u.account = INT64_MAX};
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
    by_name.u.name = "bob";
    cr_assert_eq(fixture_ask(&f, &by_name)->account_count, 0);
    cr_assert_not(f.answer.failed);
}

/* A name is one account's, whatever its case; the account may be put again; a
 * deleted one's name is free. */
CONTRACT(store, names)
{
    make_account(&u, 1, "Alice");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    make_account(&u, 2, "alicE");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_CONFLICT);
    make_account(&u, 1, "ALICE");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    make_account(&u, 1, "alice");
    u.first->u.account_row.kind = ACCOUNT_DELETED;
    u.first->u.account_row.password = NULL;
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    make_account(&u, 2, "alice");
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    struct question q = {.kind = ASK_ACCOUNT_NAME, .u.name = "Alice"};
    cr_assert_eq(fixture_ask(&f, &q)->accounts[0].id, 2);
    q = (struct question){.kind = ASK_ACCOUNT, .u.account = 1};
    cr_assert_eq(fixture_ask(&f, &q)->accounts[0].kind, ACCOUNT_DELETED);
    cr_assert_null(f.answer.accounts[0].password);
}

/* Several names at once: those that there are. */
CONTRACT(store, many_names)
{
    people(3);
    const char *texts[] = {"USER3", "nobody", "user1", NULL};
    struct question q = {.kind = ASK_ACCOUNTS_NAME, .u.names = texts};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->account_count, 2);
    cr_assert_eq(a->accounts[0].id, 3);
    cr_assert_eq(a->accounts[1].id, 1);
}

static void token(id_num id, id_num account, uint8_t hash, int64_t created,
                  int64_t expires)
{
    struct op *op = transaction_add(&u, OP_TOKEN);
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
    struct question q = {.kind = ASK_TOKENS, .u.account = account};
    return fixture_ask(&f, &q)->token_count;
}

/* Tokens are found by their hash, with their account; dropped one by one, only
 * by who has them, or all but one; and when their time is over. */
CONTRACT(store, tokens)
{
    people(2);
    token(10, 1, 10, 100, 0);
    token(11, 1, 11, 101, 150);
    token(12, 2, 12, 102, 0);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    struct question q = {.kind = ASK_TOKEN, .u.hash = {11}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->token_count == 1 && a->account_count == 1);
    cr_assert(a->tokens->id == 11 && a->tokens->account == 1 &&
              a->tokens->hash[0] == 11 && a->tokens->scopes == 0xffff &&
              a->tokens->created == 101 && a->tokens->expires == 150);
    cr_assert_str_eq(a->tokens->label, "bot");
    cr_assert_str_eq(a->accounts->name, "user1");
    q.u.hash[0] = 99;
    cr_assert_eq(fixture_ask(&f, &q)->token_count, 0);

    cr_assert_eq(tokens(1), 2);
    token(13, 1, 13, 150, 0);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(tokens(1), 2, "11 has expired");
    cr_assert_eq(f.answer.tokens[1].id, 13);

    struct op *op = transaction_add(&u, OP_TOKEN_DROP);
    op->u.token = (struct token_row){.id = 12, .account = 1};
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(tokens(2), 1, "it is not theirs");
    op = transaction_add(&u, OP_TOKEN_DROP);
    op->u.token = (struct token_row){.id = 12, .account = 2};
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(tokens(2), 0);
    op = transaction_add(&u, OP_TOKENS_DROP);
    op->u.token = (struct token_row){.id = 13, .account = 1};
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(tokens(1), 1);
    cr_assert_eq(f.answer.tokens[0].id, 13);
}

/* All fields of a table come back, with its log, names and who is invited. */
CONTRACT(store, table)
{
    people(4);
    make_table(&u, 77, TABLE_OPEN, 3, 1);
    struct table_row *t = &u.first->u.table_row;
    t->private_ = t->rated = true;
    t->owner = 3;
    t->join_password = "door";
    t->board = "{\"haz\":\"x\"}";
    t->asset = "a\0b";
    t->asset_len = 3;
    make_plies(&u, 77, -1, 3, TABLE_OPEN, 3, 1);
    transaction_add(&u, OP_INVITE)->table = 77;
    struct op *op = transaction_add(&u, OP_INVITE);
    op->table = 77;
    op->account = 4;
    u.first->next->next->account = 2;
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);

    for (int i = 0; i < 2; i++) {
        const struct answer *a = fixture_table(&f, 77);
        cr_assert(plies_whole(a, 77) && a->ply_count == 3);
        const struct table_row *b = a->table;
        cr_assert(b->owner == 3 && b->created == 1000 && b->private_ &&
                  b->rated && b->spectators && b->start_full);
        cr_assert_str_eq(b->game, "tictactoe");
        cr_assert_str_eq(b->join_password, "door");
        cr_assert_str_eq(b->seed, "00ff");
        cr_assert_str_eq(b->header, "{\"format\":\"sobremesa-record/1\"}");
        cr_assert_str_eq(b->options, "{}");
        cr_assert_str_eq(b->board, "{\"haz\":\"x\"}");
        cr_assert(b->asset_len == 3 && memcmp(b->asset, "a\0b", 4) == 0);
        struct summary now;
        make_summary(&now, 2, TABLE_OPEN, 3, 1);
        cr_assert_eq(memcmp(&now, &b->summary, sizeof(now)), 0);
        cr_assert_eq(a->name_count, 4, "seats, owner, invited");
        for (int k = 0; k < 4; k++)
            cr_assert_null(a->names[k].password);
        cr_assert_eq(a->invited_count, 2);
        cr_assert_eq(a->invited[0].account + a->invited[1].account, 6);
        reopen();
    }
    cr_assert_null(fixture_table(&f, 78)->table);
    cr_assert_not(f.answer.failed);
}

/* A table without an asset, a board or a door has none. */
CONTRACT(store, table_plain)
{
    make_table(&u, 5, TABLE_OPEN, 2, 0);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    const struct answer *a = fixture_table(&f, 5);
    cr_assert(a->table->asset == NULL && a->table->board == NULL &&
              a->table->join_password == NULL && a->ply_count == 0);
    cr_assert_eq(plies(5, -1, 2), TRANSACTION_STORED);
    cr_assert_eq(fixture_table(&f, 5)->ply_count, 2);
}

/* An append is made behind one ply, which it names by its chain: if another is
 * the last it is a conflict, and so is all of its transaction, but nothing
 * else. */
CONTRACT(store, fencing)
{
    table(5, TABLE_PLAYING, 2, 2);
    cr_assert_eq(plies(5, 0, 4), TRANSACTION_STORED);
    static const int64_t elsewhere[] = {3, 5, -1};
    for (int i = 0; i < 3; i++) {
        make_plies(&u, 5, elsewhere[i], 1, TABLE_PLAYING, 2, 2);
        cr_assert_eq(conflict(), OP_PLIES);
        cr_assert_eq(f.outcome.table, 5);
    }
    make_account(&u, 9, "nine");
    make_plies(&u, 5, 4, 1, TABLE_FINISHED, 2, 2);
    make_plies(&u, 5, 4, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(conflict(), OP_PLIES, "the second behind the first");
    struct question q = {.kind = ASK_ACCOUNT, .u.account = 9};
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 0);
    const struct answer *a = fixture_table(&f, 5);
    cr_assert(plies_whole(a, 5) && a->ply_count == 5);
    cr_assert_eq(a->table->summary.state, TABLE_PLAYING);
    cr_assert_eq(plies(5, 4, 1), TRANSACTION_STORED);
    reopen();
    make_plies(&u, 5, 4, 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(conflict(), OP_PLIES, "what the file says, too");
    cr_assert_eq(plies(5, 5, 1), TRANSACTION_STORED);
    cr_assert(plies_whole(fixture_table(&f, 5), 5));
    cr_assert_eq(f.answer.ply_count, 7);
    cr_assert_eq(f.lines[LOG_ERROR], 0, "somebody was faster: no error");
}

/* The number of a ply says nothing: another history of the same length is
 * another one. */
CONTRACT(store, other_history)
{
    table(5, TABLE_PLAYING, 2, 2);
    make_plies(&u, 5, 0, 1, TABLE_PLAYING, 2, 2);
    u.first->u.plies.rows[0].chain[31] ^= 1;
    cr_assert_eq(store(), TRANSACTION_STORED);
    make_plies(&u, 5, 1, 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(conflict(), OP_PLIES);
    cr_assert_eq(fixture_table(&f, 5)->ply_count, 2);
}

/* What cannot be is no conflict: nobody was faster, and trying again is of no
 * use. */
CONTRACT(store, impossible)
{
    table(5, TABLE_PLAYING, 2, 2);
    cr_assert_eq(plies(6, -1, 1), TRANSACTION_FAILED,
                 "there is no such table");
    make_plies(&u, 5, 0, 2, TABLE_PLAYING, 2, 2);
    u.first->u.plies.rows[1].ply = 9;
    cr_assert_eq(store(), TRANSACTION_FAILED, "a gap");
    make_plies(&u, 5, 0, 2, TABLE_PLAYING, 2, 2);
    u.first->u.plies.rows[1].line = NULL;
    cr_assert_eq(store(), TRANSACTION_FAILED, "no line");
    static const enum op_kind beside[] = {OP_INVITE, OP_RENAMED, OP_MARK};
    for (int i = 0; i < 3; i++) {
        add(beside[i], 6, 1);
        cr_assert_eq(store(), TRANSACTION_FAILED, "%d", i);
    }
    cr_assert_eq(fixture_table(&f, 5)->ply_count, 1);
}

/* A conflict says which op it was: the first that does not hold after those
 * before it. */
CONTRACT(store, conflicts_by_name)
{
    people(2);
    table(5, TABLE_PLAYING, 2, 2);
    make_table(&u, 6, TABLE_OPEN, 2, 0);
    make_account(&u, 3, "USER1");
    cr_assert_eq(conflict(), OP_ACCOUNT);
    cr_assert_eq(f.outcome.table, 0);
    cr_assert_null(fixture_table(&f, 6)->table);
    add(OP_NAME, 0, 2)->u.note = "user1";
    cr_assert_eq(conflict(), OP_NAME);
    make_table(&u, 6, TABLE_OPEN, 2, 0);
    make_table(&u, 5, TABLE_OPEN, 2, 0);
    cr_assert_eq(conflict(), OP_TABLE, "a number that is taken");
    cr_assert_eq(f.outcome.table, 5);
    for (int i = 0; i < 2; i++) {
        struct op *op = add(OP_KEY, 0, 1);
        op->u.key.method = op->u.key.key = op->u.key.answer = "x";
        op->u.key.at = 7;
    }
    cr_assert_eq(conflict(), OP_KEY);
    add(OP_REQUIRE_TOKEN, 0, 1)->u.token = (struct token_row){.account = 1};
    cr_assert_eq(conflict(), OP_REQUIRE_TOKEN);
    add(OP_LINK_USE, 0, 0)->u.link = (struct link_row){.id = 1};
    cr_assert_eq(conflict(), OP_LINK_USE);
    add(OP_ARCHIVE, 5, 0);
    cr_assert_eq(conflict(), OP_ARCHIVE);
    cr_assert_eq(f.outcome.table, 5);
    make_plies(&u, 5, 0, 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(store(), TRANSACTION_STORED, "and all is as before");
}

/* What an op does is there for those behind it. */
CONTRACT(store, one_behind_another)
{
    make_account(&u, 1, "anna");
    add(OP_REQUIRE_ACCOUNT, 0, 1)->u.account_row = (struct account_row){
        .id = 1,
        .kind = ACCOUNT_USER,
        .password = "argon2",
    };
    make_table(&u, 5, TABLE_OPEN, 2, 1);
    make_plies(&u, 5, -1, 1, TABLE_OPEN, 2, 1);
    make_plies(&u, 5, 0, 2, TABLE_OPEN, 2, 1);
    add(OP_NAME, 0, 1)->u.note = "berta";
    make_account(&u, 2, "anna");
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(fixture_table(&f, 5)->ply_count, 3);
    cr_assert_eq(f.answer.rename_count, 1);
    add(OP_TOKEN, 0, 1)->u.token =
        (struct token_row){.id = 7, .account = 1, .label = "", .hash = {7}};
    add(OP_TOKEN_DROP, 0, 1)->u.token = (struct token_row){.id = 7,
                                                           .account = 1};
    add(OP_REQUIRE_TOKEN, 0, 1)->u.token = (struct token_row){.id = 7,
                                                              .account = 1};
    cr_assert_eq(conflict(), OP_REQUIRE_TOKEN);
}

/* ---- lists ------------------------------------------------------------- */

/* Newest first, a page after the other, by state and game. */
CONTRACT(store, lists)
{
    people(2);
    for (id_num id = 1; id <= 25; id++) {
        make_table(&u, 1000 - id, id % 5 == 0 ? TABLE_OPEN : TABLE_PLAYING, 2,
                   2);
        if (id % 10 == 0)
            u.first->u.table_row.game = "hacienda";
        cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    }
    struct question q = {.kind = ASK_TABLES,
                         .limit = 10,
                         .u.tables = {.state = -1}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 10 && a->more);
    for (id_num i = 0; i < 10; i++)
        cr_assert_eq(a->tables[i].table.id, 1000 - (25 - i));
    cr_assert_str_eq(a->tables[0].name[0], "user1");
    cr_assert_str_eq(a->tables[0].name[1], "user2");
    cr_assert_null(a->tables[0].name[2]);
    cr_assert_null(a->tables[0].table.seed);
    q.u.tables.after = 1000 - 16;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 10 && a->more);
    cr_assert_eq(a->tables[0].table.id, 1000 - 15);
    q.u.tables.after = 1000 - 6;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 5 && !a->more);
    q.u.tables.after = 1000 - 1;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
    q.u.tables.after = 12345;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
    q.u.tables.after = 0;
    q.u.tables.state = TABLE_OPEN;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 5);
    q.u.tables.game = "hacienda";
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 2);
    q.u.tables.state = TABLE_PLAYING;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
    q.u.tables.state = -1;
    q.limit = 1;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 1 && a->more);
    q.limit = 2;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 2 && !a->more, "just as many as there are");
}

/* A private table is in the lists of those who belong to it, and in those of
 * the server itself. */
CONTRACT(store, private)
{
    people(5);
    make_table(&u, 50, TABLE_OPEN, 2, 1);
    u.first->u.table_row.private_ = true;
    u.first->u.table_row.owner = 2;
    struct op *op = transaction_add(&u, OP_INVITE);
    op->table = 50;
    op->account = 3;
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    struct question q = {.kind = ASK_TABLES, .u.tables = {.state = -1}};
    static const size_t seen[] = {0, 1, 1, 1, 0, 0};
    for (id_num who = 0; who < 6; who++) {
        q.u.tables.account = who;
        cr_assert_eq(fixture_ask(&f, &q)->listed_count, seen[who], "%d",
                     (int)who);
    }
    q.u.tables.all = true;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1);
}

/* Of a log only what is asked for is read: from a ply on, all else as ever. */
CONTRACT(store, log_from)
{
    static const size_t counts[] = {6, 5, 1, 0, 0, 2, 3, 0};
    static const uint32_t from[] = {0, 1, 5, 6, 100, 1, 3, 4};
    static const uint32_t until[] = {0, 0, 0, 0, 0, 3, 9, 4};

    people(2);
    table(7, TABLE_PLAYING, 2, 2);
    cr_assert_eq(plies(7, 0, 5), TRANSACTION_STORED);
    for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++) {
        struct question q = {
            .kind = ASK_TABLE,
            .u.table = {.id = 7, .from = from[i], .until = until[i]},
        };
        const struct answer *a = fixture_ask(&f, &q);
        cr_assert(!a->failed && a->table != NULL && a->name_count == 2);
        cr_assert_eq(a->ply_count, counts[i], "from %u", from[i]);
        cr_assert_eq(a->log_count, 6);
        for (size_t k = 0; k < a->ply_count; k++)
            cr_assert_eq(a->plies[k].ply, from[i] + k);
    }
}

/* So is a piece of a long log, wherever milestones lie. */
CONTRACT(store, log_pieces)
{
    static const uint32_t from[] = {0, 100, 250, 255, 256, 500, 690, 699};

    struct region r = {0};

    people(2);
    for (id_num id = 7; id <= 8; id++) {
        table(id, TABLE_PLAYING, 2, 2);
        cr_assert_eq(plies(id, 0, 699), TRANSACTION_STORED);
    }
    for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++) {
        struct question q = {
            .kind = ASK_TABLE,
            .u.table = {.id = 8, .from = from[i], .until = from[i] + 7},
        };
        const struct answer *a = fixture_ask(&f, &q);
        size_t count = from[i] + 7 < 700 ? 7 : 700 - from[i];
        cr_assert(!a->failed);
        cr_assert_eq(a->log_count, 700);
        cr_assert_eq(a->ply_count, count, "from %u", from[i]);
        for (size_t k = 0; k < count; k++) {
            cr_assert_eq(a->plies[k].ply, from[i] + k);
            cr_assert_arr_eq(a->plies[k].chain,
                             make_chain(&r, 8, from[i] + (int64_t)k), 32);
        }
    }
    region_done(&r);
}

/* What an account has to do with: it sits there or is invited; who left is no
 * longer on the list, but still among the names. */
CONTRACT(store, mine)
{
    people(3);
    for (id_num id = 1; id <= 6; id++)
        table(id, TABLE_OPEN, 2, (int)id % 3);
    struct op *op = transaction_add(&u, OP_INVITE);
    op->table = 3;
    op->account = 2;
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    struct question q = {
        .kind = ASK_TABLES,
        .u.tables = {.state = -1, .mine = true, .account = 2},
    };
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->listed_count, 3);
    cr_assert_eq(a->tables[0].table.id, 5);
    cr_assert_eq(a->tables[1].table.id, 3);
    cr_assert_eq(a->tables[2].table.id, 2);
    q.u.tables.game = "none";
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);

    make_plies(&u, 5, 0, 1, TABLE_OPEN, 2, 1);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    q = (struct question){.kind = ASK_MINE,
                          .u.mine = {.state = -1, .account = 2}};
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 2);
    cr_assert_eq(fixture_table(&f, 5)->name_count, 2);
    make_plies(&u, 3, 0, 1, TABLE_PLAYING, 2, 1);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1,
                 "it began without them");
    q.u.mine.running = true;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1);
    make_plies(&u, 2, 0, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
    q = (struct question){.kind = ASK_TABLES,
                          .u.tables = {.state = -1, .account = 2}};
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 6);
    q.u.tables.mine = true;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 2);
    q.u.tables.state = TABLE_PLAYING;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1, "the invitation");
}

/* Those that wait for me first, the longest first, then the others, the last
 * changed first; as of the last ply, which is not in `tables` yet. */
CONTRACT(store, mine_order)
{
    people(2);
    for (id_num id = 1; id <= 6; id++)
        table(id, TABLE_PLAYING, 2, 2);
    /* Seat ply % 2 acts: 2, 4, 6 wait for seat 0, the others for seat 1. */
    static const int64_t ends[] = {0, 11, 8, 9, 10, 15, 6};
    for (id_num id = 1; id <= 6; id++)
        cr_assert_eq(plies(id, 0, (size_t)ends[id]), TRANSACTION_STORED);
    struct question q = {.kind = ASK_MINE,
                         .u.mine = {.state = -1, .account = 1}};
    for (int i = 0; i < 2; i++) {
        static const id_num order[] = {6, 2, 4, 5, 1, 3};
        const struct answer *a = fixture_ask(&f, &q);
        cr_assert_eq(a->listed_count, 6);
        for (int j = 0; j < 6; j++) {
            cr_assert_eq(a->tables[j].table.id, order[j]);
            cr_assert_eq(a->tables[j].table.summary.ply, ends[order[j]]);
        }
        reopen();
    }
    q.limit = 2;
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 2 && a->more);
    /* Page by page, though in between a table that was shown is moved to the
     * front and one that was not is over. */
    q.u.mine.after = a->tables[1].table.id;
    q.u.mine.after_waits = a->tables[1].waits;
    q.u.mine.after_at = a->tables[1].at;
    cr_assert(q.u.mine.after == 2 && q.u.mine.after_waits);
    make_plies(&u, 2, 8, 1, TABLE_PLAYING, 2, 2);
    make_plies(&u, 4, 10, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    q.u.mine.running = true;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 2 && a->more);
    cr_assert_eq(a->tables[0].table.id, 5);
    cr_assert_eq(a->tables[1].table.id, 1);
    q.u.mine.after = 1;
    q.u.mine.after_waits = a->tables[1].waits;
    q.u.mine.after_at = a->tables[1].at;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 2 && !a->more);
    cr_assert_eq(a->tables[0].table.id, 3);
    q.u.mine.after = 0;
    q.limit = 0;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 5);
    q.u.mine.running = false;
    q.u.mine.newer = 12000;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 5, "and what is over");
    q.u.mine.newer = 10000;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 6);
    q.u.mine.newer = 0;
    q.u.mine.state = TABLE_OPEN;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
}

/* ---- keys, texts, marks, notes ------------------------------------------ */

static enum transaction_result key(const char *method, const char *name,
                                   int64_t at)
{
    struct op *op = transaction_add(&u, OP_KEY);
    op->account = 1;
    op->u.key.method = method;
    op->u.key.key = name;
    op->u.key.at = at;
    op->u.key.answer = "{\"table\":\"x\"}";
    return fixture_store(&f, &u);
}

/* A key is good once within a day: the second transaction conflicts. */
CONTRACT(store, keys)
{
    cr_assert_eq(key("create", "k", 1000), TRANSACTION_STORED);
    cr_assert_eq(key("create", "k", 1000 + LIMIT_KEY_MS - 1),
                 TRANSACTION_CONFLICT);
    cr_assert_eq(key("join", "k", 1000), TRANSACTION_STORED);
    struct question q = {
        .kind = ASK_KEY,
        .u.key =
            {
                .account = 1,
                .method = "create",
                .key = "k",
            },
    };
    cr_assert_str_eq(fixture_ask(&f, &q)->text, "{\"table\":\"x\"}");
    q.u.key.newer = 1000;
    cr_assert_null(fixture_ask(&f, &q)->text);
    q.u.key.newer = 0;
    q.u.key.account = 2;
    cr_assert_null(fixture_ask(&f, &q)->text);
    cr_assert_eq(key("create", "k", 1000 + LIMIT_KEY_MS), TRANSACTION_STORED);
    q.u.key.account = 1;
    q.u.key.method = "join";
    cr_assert_null(fixture_ask(&f, &q)->text, "a day is over");
}

/* What is pruned is what nobody can repeat any more: a key keeps its answer for
 * the whole of its day. */
CONTRACT(store, keys_are_kept_a_day)
{
    struct question q = {
        .kind = ASK_KEY,
        .u.key =
            {
                .account = 1,
                .method = "create",
                .key = "k",
            },
    };
    struct question count = {.kind = ASK_PRUNE};

    cr_assert_eq(key("create", "k", 1000), TRANSACTION_STORED);
    for (int late = 0; late < 2; late++) {
        int64_t now = 1000 + LIMIT_KEY_MS - 1 + late;
        count.u.prune_at = now;
        cr_assert_eq(fixture_ask(&f, &count)->counts[PRUNE_KEYS], late);
        transaction_add(&u, OP_PRUNE)->u.at = now;
        cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
        cr_assert_eq(fixture_ask(&f, &q)->text == NULL, late);
    }
}

static void text(id_num from, uint64_t number, uint8_t room)
{
    struct op *op = transaction_add(&u, OP_TEXT);
    op->u.text = (struct text_row){
        .number = number,
        .table = 7,
        .from = from,
        .room = room,
        .at = 100 + (int64_t)number,
        .body = "h\303\251llo",
    };
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
}

static void mark(id_num table_id, id_num account, uint64_t number)
{
    struct op *op = transaction_add(&u, OP_MARK);

    op->table = table_id;
    op->account = account;
    op->u.number = number;
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
}

/* Texts come in pages from the last one back, each in order; a mark never goes
 * back; unread are others' texts in the rooms one may read. */
CONTRACT(store, texts)
{
    people(3);
    table(7, TABLE_PLAYING, 2, 2);
    for (uint64_t i = 1; i <= 12; i++)
        text(i % 2 + 1, i, i > 10);
    static const uint64_t taken[] = {12, 14, 1};
    for (int i = 0; i < 3; i++) {
        add(OP_TEXT, 7, 1)->u.text = (struct text_row){.number = taken[i],
                                                       .table = 7,
                                                       .from = 1,
                                                       .body = "over it"};
        cr_assert_eq(conflict(), OP_TEXT, "nobody's words are written over");
        cr_assert_eq(f.outcome.table, 7);
    }
    struct question q = {
        .kind = ASK_TEXTS,
        .limit = 4,
        .u.texts = {.table = 7, .account = 1},
    };
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->text_count == 4 && a->more && a->mark == 0);
    for (uint64_t i = 0; i < 4; i++)
        cr_assert_eq(a->texts[i].number, 7 + i);
    cr_assert_eq(a->texts[0].from, 2);
    cr_assert_eq(a->texts[0].at, 107);
    cr_assert_str_eq(a->texts[0].name, "user2");
    cr_assert_str_eq(a->texts[0].body, "h\303\251llo");
    q.u.texts.before = 3;
    a = fixture_ask(&f, &q);
    cr_assert(a->text_count == 2 && !a->more && a->texts[0].number == 1);
    q.u.texts.before = 0;
    q.u.texts.room = 1;
    cr_assert_eq(fixture_ask(&f, &q)->text_count, 2);
    cr_assert_eq(fixture_table(&f, 7)->texts_last, 12);

    struct question mine = {.kind = ASK_MINE,
                            .u.mine = {.state = -1, .account = 1}};
    cr_assert_eq(fixture_ask(&f, &mine)->tables[0].unread, 5);
    static const uint64_t marks[] = {9, 4};
    for (int i = 0; i < 2; i++) {
        mark(7, 1, marks[i]);
        cr_assert_eq(fixture_ask(&f, &q)->mark, 9);
    }
    cr_assert_eq(fixture_ask(&f, &mine)->tables[0].unread, 0);
    make_plies(&u, 7, 0, 1, TABLE_FINISHED, 2, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &mine)->tables[0].unread, 1, "now, too");
    q.u.texts.table = 8;
    cr_assert_eq(fixture_ask(&f, &q)->text_count, 0);
}

static void note(const char *body)
{
    struct op *op = transaction_add(&u, OP_NOTE);
    op->table = 7;
    op->account = 1;
    op->u.note = body;
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
}

/* A note is one's own, can be changed, and dropped. */
CONTRACT(store, notes)
{
    table(7, TABLE_PLAYING, 2, 2);
    struct question q = {.kind = ASK_NOTE,
                         .u.note = {.table = 7, .account = 1}};
    cr_assert_null(fixture_ask(&f, &q)->text);
    note("first");
    note("second");
    cr_assert_str_eq(fixture_ask(&f, &q)->text, "second");
    q.u.note.account = 2;
    cr_assert_null(fixture_ask(&f, &q)->text);
    q.u.note.account = 1;
    note("");
    cr_assert_null(fixture_ask(&f, &q)->text);
}

static enum transaction_result study(id_num table, const char *body)
{
    struct op *op = transaction_add(&u, OP_STUDY);
    op->table = table;
    op->account = 1;
    op->u.note = body;
    return fixture_store(&f, &u);
}

/* A study stands beside the note; of as many tables as one may, and no more: it
 * can still be changed there, and another kept instead of one that is dropped. */
CONTRACT(store, studies)
{
    people(2);
    for (id_num id = 1; id <= LIMIT_STUDIES + 1; id++)
        table(id, TABLE_PLAYING, 2, 1);
    struct question q = {.kind = ASK_STUDY,
                         .u.note = {.table = 1, .account = 1}};
    cr_assert_null(fixture_ask(&f, &q)->text);
    for (id_num id = 1; id <= LIMIT_STUDIES; id++)
        cr_assert_eq(study(id, "first"), TRANSACTION_STORED);
    cr_assert_eq(study(LIMIT_STUDIES + 1, "more"), TRANSACTION_CONFLICT);
    cr_assert_eq(study(1, "second"), TRANSACTION_STORED);
    cr_assert_str_eq(fixture_ask(&f, &q)->text, "second");
    q.u.note.account = 2;
    cr_assert_null(fixture_ask(&f, &q)->text);
    q = (struct question){.kind = ASK_NOTE,
                          .u.note = {.table = 1, .account = 1}};
    cr_assert_null(fixture_ask(&f, &q)->text);
    cr_assert_eq(study(2, ""), TRANSACTION_STORED);
    cr_assert_eq(study(LIMIT_STUDIES + 1, "more"), TRANSACTION_STORED);
    transaction_add(&u, OP_ACCOUNT_DROP)->account = 1;
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(study(1, "late"), TRANSACTION_CONFLICT, "nobody's any more");
}

static enum transaction_result order(id_num who, uint32_t ply,
                                     const char *body)
{
    struct op *op = transaction_add(&u, OP_ORDER);
    op->table = 1;
    op->account = who;
    op->u.order.ply = ply;
    op->u.order.body = body;
    return fixture_store(&f, &u);
}

/* What people have ordered comes with their table, one of each; it rests on the
 * last ply, can be dropped one by one or all at once, and has a start look at the
 * table. */
CONTRACT(store, orders)
{
    struct question q = {.kind = ASK_TABLE, .u.table.id = 1};

    people(2);
    table(1, TABLE_PLAYING, 2, 1);
    table(2, TABLE_PLAYING, 2, 1);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->order_count, 0);
    uint32_t last = (uint32_t)a->log_count - 1;
    cr_assert_eq(order(1, last + 1, "{}"), TRANSACTION_CONFLICT);
    cr_assert_eq(order(1, last, "first"), TRANSACTION_STORED);
    cr_assert_eq(order(2, last, "other"), TRANSACTION_STORED);
    cr_assert_eq(order(1, last, "second"), TRANSACTION_STORED);
    a = fixture_ask(&f, &q);
    cr_assert_eq(a->order_count, 2);
    for (size_t i = 0; i < 2; i++)
        cr_assert_str_eq(a->orders[i].body,
                         a->orders[i].account == 1 ? "second" : "other");
    q.u.table.id = 2;
    cr_assert_eq(fixture_ask(&f, &q)->order_count, 0);
    q.u.table.id = 1;
    cr_assert_eq(order(2, last, NULL), TRANSACTION_STORED);
    cr_assert_eq(order(2, last, NULL), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->order_count, 1);
    transaction_add(&u, OP_ORDERS_DROP)->table = 1;
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->order_count, 0);
}

static enum transaction_result rematch(id_num table, id_num where)
{
    add(OP_REMATCH, table, 0)->u.rematch = where;
    return fixture_store(&f, &u);
}

/* What was played is played again at one table, unless that is given up. */
CONTRACT(store, rematch)
{
    people(2);
    table(7, TABLE_FINISHED, 2, 2);
    struct question q = {.kind = ASK_REMATCH, .u.table = {.id = 7}};
    cr_assert_eq(fixture_ask(&f, &q)->rematch, 0);
    table(8, TABLE_OPEN, 2, 1);
    cr_assert_eq(rematch(7, 8), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->rematch, 8);
    cr_assert_eq(rematch(7, 9), TRANSACTION_CONFLICT);
    cr_assert_eq(f.outcome.op, OP_REMATCH);
    table(9, TABLE_ABANDONED, 2, 2);
    table(10, TABLE_FINISHED, 2, 2);
    cr_assert_eq(rematch(10, 9), TRANSACTION_STORED);
    q.u.table.id = 10;
    cr_assert_eq(fixture_ask(&f, &q)->rematch, 0, "it was given up");
    cr_assert_eq(rematch(10, 8), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->rematch, 8);
}

/* The end of the game at table 7, whose log is known up to KNOWN, and table 8 that is
 * opened in its place, in the order in which the hub has them. */
static enum transaction_result reopened(int64_t known)
{
    add(OP_REMATCH, 7, 0)->u.rematch = 8;
    make_plies(&u, 7, known, 2, TABLE_ABANDONED, 2, 2);
    make_table(&u, 8, TABLE_OPEN, 2, 0);
    add(OP_INVITE, 8, 2);
    make_plies(&u, 8, -1, 2, TABLE_OPEN, 2, 1);
    return store();
}

/* A game that comes to nothing and the table in its place are stored as one, or
 * neither is. */
CONTRACT(store, reopened)
{
    struct question where = {.kind = ASK_REMATCH, .u.table = {.id = 7}};

    people(2);
    table(7, TABLE_PLAYING, 2, 2);
    cr_assert_eq(plies(7, 0, 3), TRANSACTION_STORED);
    cr_assert_eq(reopened(2), TRANSACTION_CONFLICT);
    cr_assert_eq(f.outcome.op, OP_PLIES);
    cr_assert_eq(fixture_ask(&f, &where)->rematch, 0);
    cr_assert_eq(fixture_table(&f, 7)->table->summary.state, TABLE_PLAYING);
    cr_assert_null(fixture_table(&f, 8)->table, "no table is left over");
    cr_assert_eq(reopened(3), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &where)->rematch, 8);
    const struct answer *a = fixture_table(&f, 7);
    cr_assert(a->table->summary.state == TABLE_ABANDONED && plies_whole(a, 7));
    cr_assert_eq(a->ply_count, 6);
    a = fixture_table(&f, 8);
    cr_assert(a->table->summary.state == TABLE_OPEN && plies_whole(a, 8));
    cr_assert_eq(a->invited_count, 1);
    cr_assert_eq(reopened(5), TRANSACTION_CONFLICT, "once");
    cr_assert_eq(f.outcome.op, OP_REMATCH);
}

/* Who is invited, and which seat is kept for them. */
CONTRACT(store, seat_kept)
{
    people(3);
    table(7, TABLE_OPEN, 3, 1);
    add(OP_INVITE, 7, 2)->u.invite.seat = 3;
    add(OP_INVITE, 7, 3);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    struct question q = {.kind = ASK_TABLE, .u.table = {.id = 7}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->invited_count, 2);
    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(a->invited[i].seat, a->invited[i].account == 2 ? 3 : 0);
}

/* Who is invited by whom and until when; one that is dropped is gone, and only
 * one that there is can be. */
CONTRACT(store, invitations)
{
    struct question over = {.kind = ASK_INVITES, .limit = 2, .u.until = 60};

    people(5);
    table(7, TABLE_OPEN, 3, 1);
    table(8, TABLE_PLAYING, 2, 2);
    for (id_num id = 2; id <= 5; id++)
        add(OP_INVITE, 7, id)->u.invite = (struct invitation){
            .inviter = 1,
            .until = id == 5 ? 0 : 30 + 10 * (int64_t)id,
        };
    add(OP_INVITE, 8, 3)->u.invite.until = 9;
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    struct question q = {.kind = ASK_TABLE, .u.table = {.id = 7}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->invited_count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_assert(a->invited[i].inviter == 1 &&
                  a->invited[i].until ==
                      (a->invited[i].account == 5
                           ? 0
                           : 30 + 10 * (int64_t)a->invited[i].account));
    a = fixture_ask(&f, &over);
    cr_assert_eq(a->place_count, 2, "of the open table, and not before");
    cr_assert(a->places[0].account == 2 && a->places[1].account == 3 &&
              a->places[0].table == 7 && a->places[1].table == 7);
    over.limit = 1;
    a = fixture_ask(&f, &over);
    cr_assert(a->place_count == 1 && a->more);
    add(OP_INVITE_DROP, 7, 2);
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_STORED);
    add(OP_INVITE_DROP, 7, 2);
    cr_assert_eq(conflict(), OP_INVITE_DROP);
    a = fixture_ask(&f, &over);
    cr_assert(a->place_count == 1 && a->places[0].account == 3);
}

/* A text that was removed keeps its place and says nothing; once. */
CONTRACT(store, text_removed)
{
    people(2);
    table(7, TABLE_PLAYING, 2, 2);
    text(1, 1, 0);
    text(2, 2, 0);
    for (int i = 0; i < 2; i++) {
        add(OP_TEXT_DROP, 0, 0)->u.text =
            (struct text_row){.number = 1, .table = 7, .at = 900};
        if (i == 0)
            cr_assert_eq(store(), TRANSACTION_STORED);
        else
            cr_assert_eq(conflict(), OP_TEXT_DROP);
    }
    struct question q = {.kind = ASK_TEXTS,
                         .u.texts = {.table = 7, .room = ROOM_ANY}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->text_count, 2);
    cr_assert_null(a->texts[0].body);
    cr_assert_str_eq(a->texts[0].name, "user1");
    text(1, 3, 0);
    cr_assert_eq(fixture_table(&f, 7)->texts_last, 3);
}

/* ---- logs that are elsewhere ---------------------------------------------- */

/* A finished game's log goes by its last chain, and comes back by it; nothing of
 * the table but the log is gone meanwhile. */
CONTRACT(store, archive)
{
    struct question q = {.kind = ASK_TABLES,
                         .u.tables = {.state = TABLE_ARCHIVED}};
    struct question mine = {.kind = ASK_MINE,
                            .u.mine = {.state = -1, .account = 1}};
    uint8_t chain[SHA256_SIZE];

    people(2);
    make_table(&u, 5, TABLE_PLAYING, 2, 2);
    make_plies(&u, 5, -1, 4, TABLE_FINISHED, 2, 2);
    memcpy(chain, u.first->next->u.plies.rows[3].chain, sizeof(chain));
    cr_assert_eq(store(), TRANSACTION_STORED);
    for (int i = 0; i < 2; i++) {
        memcpy(add(OP_ARCHIVE, 5, 0)->u.archive.chain, chain, sizeof(chain));
        u.first->u.archive.chain[7] ^= i == 0;
        if (i == 0)
            cr_assert_eq(conflict(), OP_ARCHIVE);
        else
            cr_assert_eq(store(), TRANSACTION_STORED);
    }
    const struct answer *a = fixture_table(&f, 5);
    cr_assert(a->ply_count == 0 && a->table->summary.state == TABLE_ARCHIVED);
    cr_assert_eq(a->table->summary.seat[1], 2);
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 1);
    cr_assert_eq(fixture_ask(&f, &mine)->listed_count, 0);
    q.u.tables.state = -1;
    cr_assert_eq(fixture_ask(&f, &q)->listed_count, 0);
    make_plies(&u, 5, 3, 1, TABLE_PLAYING, 2, 2);
    cr_assert_eq(conflict(), OP_PLIES, "nothing to go on from");
    for (int i = 0; i < 2; i++) {
        memcpy(add(OP_RETURN, 5, 0)->u.archive.chain, chain, sizeof(chain));
        u.first->u.archive.chain[7] ^= i == 0;
        make_plies(&u, 5, -1, 4, TABLE_FINISHED, 2, 2);
        if (i == 0)
            cr_assert_eq(conflict(), OP_RETURN);
        else
            cr_assert_eq(store(), TRANSACTION_STORED);
    }
    cr_assert(plies_whole(fixture_table(&f, 5), 5));
    cr_assert_eq(f.answer.ply_count, 4);
    cr_assert_eq(fixture_ask(&f, &mine)->listed_count, 1);
}
