/* test_store_blocks.c -- what the store knows of people who do not want to meet:
 * which tables it lists and which texts it reads for whom, and what it refuses to
 * make true. */

#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/contract.h"

CONTRACTS(blocks);

static void block(id_num account, id_num other)
{
    add(OP_BLOCK, 0, 0)->u.block = (struct block_row){account, other, NULL, 5};
}

static void unblock(id_num account, id_num other)
{
    add(OP_BLOCK_DROP, 0, 0)->u.block = (struct block_row){account, other,
                                                           NULL, 0};
}

/* The blocks of ACCOUNT. */
static const struct answer *of(id_num account)
{
    struct question q = {.kind = ASK_BLOCKS, .u.account = account};

    return fixture_ask(&f, &q);
}

/* The blocks between ACCOUNT and the COUNT people from 2 on. */
static size_t between(id_num account, size_t count)
{
    id_num others[8];
    struct question q = {
        .kind = ASK_BLOCKED,
        .u.blocked = {.account = account, .others = others, .count = count},
    };

    for (size_t i = 0; i < count; i++)
        others[i] = (id_num)(2 + i);
    return fixture_ask(&f, &q)->block_count;
}

/* They are listed by whom, once each, with when, and go with either of the two. */
CONTRACT(blocks, listed)
{
    make_people(&u, 4);
    block(1, 3);
    block(1, 2);
    block(2, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    block(1, 2);
    cr_assert_eq(store(), TRANSACTION_STORED, "once more is fine");
    const struct answer *a = of(1);
    cr_assert_eq(a->block_count, 2);
    cr_assert_str_eq(a->blocks[0].name, "user2");
    cr_assert(a->blocks[1].other == 3 && a->blocks[1].at == 5);
    cr_assert_eq(between(1, 1), 2, "either way");
    cr_assert_eq(between(1, 3), 3);
    cr_assert_eq(between(4, 2), 0);
    cr_assert_eq(between(1, 0), 0);
    unblock(1, 2);
    unblock(1, 4);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(of(1)->block_count == 1 && of(2)->block_count == 1);
    add(OP_ACCOUNT_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(of(1)->block_count == 0 && of(2)->block_count == 0);
}

/* One more than one may is a conflict; one that is there already is none. */
CONTRACT(blocks, as_many_as_one_may)
{
    make_people(&u, LIMIT_BLOCKS + 2);
    for (id_num id = 2; id <= LIMIT_BLOCKS + 1; id++)
        block(1, id);
    cr_assert_eq(store(), TRANSACTION_STORED);
    block(1, LIMIT_BLOCKS + 2);
    cr_assert_eq(store(), TRANSACTION_CONFLICT);
    cr_assert_eq(f.outcome.op, OP_BLOCK);
    block(1, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    block(2, LIMIT_BLOCKS + 2);
    cr_assert_eq(store(), TRANSACTION_STORED, "somebody else's limit");
}

static enum transaction_result apart(id_num account, id_num other)
{
    struct op *op = add(OP_REQUIRE_APART, 0, account);

    op->u.other = other;
    return store();
}

/* What rests on that nobody of two blocks the other is stored only if so. */
CONTRACT(blocks, apart)
{
    make_people(&u, 3);
    block(1, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(apart(1, 2), TRANSACTION_CONFLICT);
    cr_assert_eq(f.outcome.op, OP_REQUIRE_APART);
    cr_assert_eq(apart(2, 1), TRANSACTION_CONFLICT);
    cr_assert_eq(apart(1, 3), TRANSACTION_STORED);
    cr_assert_eq(apart(3, 2), TRANSACTION_STORED);
}

/* The tables that are listed for WHO, LIMIT of them. */
static const struct answer *tables(id_num who, size_t limit)
{
    struct question q = {
        .kind = ASK_TABLES,
        .limit = limit,
        .u.tables = {.state = -1, .account = who},
    };
    return fixture_ask(&f, &q);
}

/* An open table is not listed for whom a block keeps from it, but for who sits
 * there; others are, and so are games that go on.  A page is not empty as long as
 * there is something behind what is left out. */
CONTRACT(blocks, hidden)
{
    struct question mine = {.kind = ASK_MINE,
                            .limit = 10,
                            .u.mine = {.state = -1, .account = 4}};
    struct question all = {.kind = ASK_TABLES,
                           .limit = 10,
                           .u.tables = {.state = -1,
                                        .account = 4,
                                        .all = true}};

    make_people(&u, 5);
    make_table(&u, 10, TABLE_PLAYING, 2, 2);
    make_plies(&u, 10, -1, 1, TABLE_PLAYING, 2, 2);
    for (id_num id = 11; id < 14; id++) {
        make_table(&u, id, TABLE_OPEN, 3, 2);
        make_plies(&u, id, -1, 1, TABLE_OPEN, 3, 2);
    }
    add(OP_INVITE, 12, 4);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(tables(4, 10)->listed_count, 4);
    cr_assert_eq(fixture_ask(&f, &mine)->listed_count, 1);
    block(2, 4);
    block(1, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct answer *a = tables(4, 2);
    cr_assert_eq(a->listed_count, 1);
    cr_assert_eq(a->tables[0].table.id, 10);
    cr_assert_eq(fixture_ask(&f, &mine)->listed_count, 0);
    cr_assert_eq(fixture_ask(&f, &all)->listed_count, 4);
    cr_assert_eq(tables(5, 10)->listed_count, 4);
    cr_assert_eq(tables(0, 10)->listed_count, 4);
    cr_assert_eq(tables(1, 10)->listed_count, 4, "they sit there");
    unblock(2, 4);
    block(4, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(tables(4, 10)->listed_count, 1, "the other way round");
    cr_assert_eq(fixture_ask(&f, &mine)->listed_count, 0);
}

static void text(uint64_t number, id_num from)
{
    add(OP_TEXT, 7, 0)->u.text = (struct text_row){
        .number = number, .table = 7, .from = from, .at = 5, .body = "hello"};
}

/* Who blocks somebody reads nothing of theirs, nor is anything of it unread; all
 * others do, and so does whoever is blocked. */
CONTRACT(blocks, texts)
{
    struct question q = {.kind = ASK_TEXTS,
                         .limit = 10,
                         .u.texts = {.table = 7, .account = 1}};
    struct question mine = {.kind = ASK_MINE,
                            .limit = 10,
                            .u.mine = {.state = -1, .account = 1}};

    make_people(&u, 3);
    make_table(&u, 7, TABLE_PLAYING, 3, 3);
    make_plies(&u, 7, -1, 1, TABLE_PLAYING, 3, 3);
    text(1, 2);
    text(2, 3);
    text(3, 1);
    block(1, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->text_count, 2);
    cr_assert(a->texts[0].from == 3 && a->texts[1].from == 1);
    cr_assert_eq(fixture_ask(&f, &mine)->tables[0].unread, 1);
    q.u.texts.account = mine.u.mine.account = 2;
    cr_assert_eq(fixture_ask(&f, &q)->text_count, 3);
    cr_assert_eq(fixture_ask(&f, &mine)->tables[0].unread, 2);
    q.u.texts.account = 0;
    cr_assert_eq(fixture_ask(&f, &q)->text_count, 3, "the operator");
}
