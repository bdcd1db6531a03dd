/* test_store_people.c -- what the store knows of accounts beyond their rows:
 * whether they are as they were, when they were seen, what goes with a guest;
 * which tables are to learn of a name. */

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "schema/schema.h"
#include "server/hub/limits.h"
#include "tests/support/store_fixture.h"

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
    fixture_done(&f);
}

TestSuite(people, .init = setup, .fini = teardown, .timeout = 60);

static enum unit_result store(void)
{
    return fixture_store(&f, &u);
}

static struct account_row *person(id_num id, enum account_kind kind,
                                  const char *name, int64_t seen)
{
    make_account(&u, id, name);
    struct op *op = u.first;
    while (op->next != NULL)
        op = op->next;
    op->u.account_row.kind = (uint8_t)kind;
    op->u.account_row.seen = seen;
    return &op->u.account_row;
}

static const struct account_row *account(id_num id)
{
    struct question q = {.kind = ASK_ACCOUNT, .account = id};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(!a->failed);
    return a->account_count == 1 ? a->accounts : NULL;
}

static struct op *add(enum op_kind kind, id_num table, id_num who)
{
    struct op *op = unit_add(&u, kind);
    op->table = table;
    op->account = who;
    return op;
}

static void token(id_num id, id_num who)
{
    struct op *op = add(OP_TOKEN, 0, who);
    op->u.token = (struct token_row){.id = id,
                                     .account = who,
                                     .label = "",
                                     .hash = {(uint8_t)id}};
}

/* ---- as it was --------------------------------------------------------- */

/* What rests on an account as it was is stored only if it is still so. */
Test(people, still)
{
    person(1, ACCOUNT_USER, "anna", 6);
    cr_assert_eq(store(), UNIT_STORED);
    struct account_row was = {.id = 1,
                              .kind = ACCOUNT_USER,
                              .password = "argon2"};
    for (int i = 0; i < 6; i++) {
        struct op *op = add(OP_STILL, 0, 1);
        op->u.account_row = was;
        if (i == 1)
            op->u.account_row.password = "another";
        if (i == 2)
            op->u.account_row.password = NULL;
        if (i == 3)
            op->u.account_row.kind = ACCOUNT_GUEST;
        if (i == 4)
            op->u.account_row.banned_until = 1;
        if (i == 5)
            op->u.account_row.id = 2;
        token((id_num)(10 + i), 1);
        cr_assert_eq(store(), i == 0 ? UNIT_STORED : UNIT_CONFLICT, "%d", i);
    }
    struct question q = {.kind = ASK_TOKENS, .account = 1};
    cr_assert_eq(fixture_ask(&f, &q)->token_count, 1);
    person(3, ACCOUNT_GUEST, "guest", 6)->password = NULL;
    struct op *op = add(OP_STILL, 0, 3);
    op->u.account_row = (struct account_row){.id = 3, .kind = ACCOUNT_GUEST};
    cr_assert_eq(store(), UNIT_STORED, "no password is one, too");
}

/* No token comes of one that is gone. */
Test(people, token_still)
{
    person(1, ACCOUNT_USER, "anna", 6);
    token(7, 1);
    cr_assert_eq(store(), UNIT_STORED);
    add(OP_TOKEN_STILL, 0, 1)->u.token = (struct token_row){.id = 7,
                                                            .account = 1};
    token(8, 1);
    cr_assert_eq(store(), UNIT_STORED);
    add(OP_TOKEN_DROP, 0, 1)->u.token = (struct token_row){.id = 7,
                                                           .account = 1};
    cr_assert_eq(store(), UNIT_STORED);
    add(OP_TOKEN_STILL, 0, 1)->u.token = (struct token_row){.id = 7,
                                                            .account = 1};
    token(9, 1);
    cr_assert_eq(store(), UNIT_CONFLICT);
    add(OP_TOKEN_STILL, 0, 2)->u.token = (struct token_row){.id = 8,
                                                            .account = 2};
    cr_assert_eq(store(), UNIT_CONFLICT, "somebody else's");
}

/* A link with the number ID, good for so many USES, until EXPIRES. */
static void link_put(id_num id, int64_t uses, int64_t made, int64_t expires)
{
    add(OP_LINK, 0, 0)->u.link = (struct link_row){
        .id = id,
        .hash = {(uint8_t)id},
        .purpose = LINK_REGISTER,
        .made = made,
        .uses = uses,
        .expires = expires,
    };
    cr_assert_eq(store(), UNIT_STORED);
}

static enum unit_result link_use(id_num id, int64_t at)
{
    add(OP_LINK_USE, 0, 0)->u.link = (struct link_row){.id = id, .used = at};
    return store();
}

/* A link is used as often as it is good for, by whoever comes first, not a
 * millisecond after its time, and what else is in the unit of one who comes too
 * late is not stored. */
Test(people, links)
{
    link_put(1, 2, 10, 50);
    cr_assert_eq(link_use(1, 49), UNIT_STORED);
    cr_assert_eq(link_use(1, 50), UNIT_CONFLICT, "its time is over");
    person(7, ACCOUNT_USER, "late", 6);
    cr_assert_eq(link_use(1, 60), UNIT_CONFLICT);
    cr_assert_null(account(7));
    cr_assert_eq(link_use(1, 20), UNIT_STORED);
    cr_assert_eq(link_use(1, 20), UNIT_CONFLICT, "used up");
    cr_assert_eq(link_use(9, 20), UNIT_CONFLICT, "there is none");
    link_put(2, 1, 10, 0);
    cr_assert_eq(link_use(2, INT64_MAX), UNIT_STORED, "for ever");
    struct question q = {.kind = ASK_LINK, .hash = {1}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->link_count, 1);
    cr_assert_eq(a->links->uses, 0);
    cr_assert_eq(a->links->used, 20);
    /* Thirty days after their end they go when another is made. */
    link_put(3, 1, 50 + LIMIT_LINK_KEPT_MS - 1, 0);
    cr_assert_eq(fixture_ask(&f, &q)->link_count, 0, "used up at 20");
    q = (struct question){.kind = ASK_LINKS, .purpose = LINK_REGISTER};
    cr_assert_eq(fixture_ask(&f, &q)->link_count, 2);
}

/* To be seen changes nothing else, and never goes back. */
Test(people, seen)
{
    person(1, ACCOUNT_USER, "anna", 6);
    cr_assert_eq(store(), UNIT_STORED);
    static const int64_t at[] = {50, 40}, then[] = {50, 50};
    for (int i = 0; i < 2; i++) {
        add(OP_SEEN, 0, 1)->u.at = at[i];
        cr_assert_eq(store(), UNIT_STORED);
        const struct account_row *a = account(1);
        cr_assert_eq(a->seen, then[i]);
        cr_assert_str_eq(a->name, "anna");
        cr_assert_str_eq(a->password, "argon2");
    }
    add(OP_SEEN, 0, 2)->u.at = 60;
    cr_assert_eq(store(), UNIT_STORED, "nobody is no trouble");
    cr_assert_null(account(2));
}

/* ---- guests ------------------------------------------------------------ */

static enum unit_result drop(id_num who, int64_t seen)
{
    add(OP_GUEST_DROP, 0, who)->u.at = seen;
    return store();
}

/* A guest goes only if it is one, was away for long and sits nowhere; then all
 * that is theirs goes with them. */
Test(people, guests_go)
{
    person(1, ACCOUNT_USER, "user1", 5);
    person(2, ACCOUNT_GUEST, "guest2", 5);
    person(3, ACCOUNT_GUEST, "guest3", 7);
    person(4, ACCOUNT_GUEST, "guest4", 6);
    make_table(&u, 70, TABLE_PLAYING, 2, 2);
    make_plies(&u, 70, -1, 1, TABLE_PLAYING, 2, 2);
    token(7, 3);
    add(OP_INVITE, 70, 3);
    add(OP_MARK, 70, 3)->u.number = 1;
    add(OP_NOTE, 70, 3)->u.note = "mine";
    struct op *op = add(OP_KEY, 0, 3);
    op->u.key.method = op->u.key.key = op->u.key.answer = "x";
    op->u.key.at = 7;
    cr_assert_eq(store(), UNIT_STORED);

    struct question q = {.kind = ASK_GUESTS, .newer = 7, .limit = 2};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->account_count, 2, "guest2 plays");
    cr_assert_eq(a->accounts[0].id, 4, "the longest away first");
    cr_assert_eq(a->accounts[1].id, 3);
    q.limit = 1;
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 1);
    q.after = 4;
    q.after_at = 6;
    cr_assert_eq(fixture_ask(&f, &q)->accounts[0].id, 3, "behind them");
    q.after = 3;
    q.after_at = 7;
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 0);
    q.after = 0;
    q.after_at = 0;
    q.newer = 5;
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 0);

    cr_assert_eq(drop(1, 100), UNIT_CONFLICT, "no guest");
    cr_assert_eq(drop(2, 100), UNIT_CONFLICT, "they play");
    cr_assert_eq(drop(3, 6), UNIT_CONFLICT, "they came back");
    cr_assert_eq(drop(9, 6), UNIT_CONFLICT, "nobody");
    cr_assert_eq(drop(3, 7), UNIT_STORED);
    cr_assert_null(account(3));
    cr_assert_not_null(account(2));
    fixture_close(&f);
    static const char *const rows[] = {
        "SELECT count(*) FROM tokens", "SELECT count(*) FROM invites",
        "SELECT count(*) FROM marks",  "SELECT count(*) FROM notes",
        "SELECT count(*) FROM keys",
    };
    for (int i = 0; i < 5; i++)
        cr_assert_eq(fixture_sql(&f, rows[i]), 0, "%s", rows[i]);
    cr_assert_eq(fixture_sql(&f,
                             "SELECT count(*) FROM pragma_foreign_key_check "
                             "WHERE \"table\" <> 'log'"),
                 0);
}

/* Whom a finished game or a text names leaves a row that says nothing, and
 * their name is free. */
Test(people, guests_leave_a_row)
{
    person(1, ACCOUNT_GUEST, "guest1", 5);
    person(2, ACCOUNT_GUEST, "guest2", 5);
    person(3, ACCOUNT_GUEST, "guest3", 5);
    make_table(&u, 70, TABLE_FINISHED, 2, 1);
    make_plies(&u, 70, -1, 1, TABLE_FINISHED, 2, 1);
    struct op *op = add(OP_TEXT, 70, 2);
    op->u.text =
        (struct text_row){.number = 1, .table = 70, .from = 2, .body = "well"};
    cr_assert_eq(store(), UNIT_STORED);
    for (id_num id = 1; id <= 3; id++)
        cr_assert_eq(drop(id, 5), UNIT_STORED);
    for (id_num id = 1; id <= 2; id++) {
        const struct account_row *a = account(id);
        cr_assert(a != NULL && a->kind == ACCOUNT_DELETED);
        cr_assert_str_eq(a->name, "");
        cr_assert_null(a->password);
    }
    cr_assert_null(account(3));
    person(8, ACCOUNT_USER, "guest1", 5);
    cr_assert_eq(store(), UNIT_STORED);
}

/* ---- names ------------------------------------------------------------- */

static size_t due(id_num table, const char **ret_name)
{
    const struct answer *a = fixture_table(&f, table);
    if (a->rename_count > 0)
        *ret_name = a->renames[0].name;
    return a->rename_count;
}

/* Tables that are not over are to be told of another name, by the first of
 * those it had, until they know; whatever happens in between. */
Test(people, renames)
{
    const char *was = "";
    make_people(&u, 2);
    static const int states[] = {TABLE_OPEN, TABLE_PLAYING, TABLE_FINISHED};
    for (id_num id = 0; id < 3; id++) {
        make_table(&u, 70 + id, states[id], 2, 2);
        make_plies(&u, 70 + id, -1, 1, states[id], 2, 2);
    }
    cr_assert_eq(store(), UNIT_STORED);
    person(1, ACCOUNT_USER, "user1", 9);
    cr_assert_eq(store(), UNIT_STORED);
    cr_assert_eq(due(70, &was), 0, "the same name");
    person(1, ACCOUNT_USER, "User1", 9);
    person(1, ACCOUNT_USER, "anna", 9);
    cr_assert_eq(store(), UNIT_STORED);
    fixture_close(&f);
    cr_assert_eq(fixture_open(&f), 0);
    for (id_num id = 70; id < 72; id++) {
        cr_assert_eq(due(id, &was), 1);
        cr_assert_str_eq(was, "user1");
    }
    cr_assert_eq(due(72, &was), 0, "it is over");
    struct question q = {.kind = ASK_RENAMES, .limit = 1};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 1 && a->more);
    q.limit = 9;
    a = fixture_ask(&f, &q);
    cr_assert(a->listed_count == 2 && !a->more);
    add(OP_RENAMED, 70, 2);
    add(OP_RENAMED, 71, 1);
    cr_assert_eq(store(), UNIT_STORED);
    cr_assert_eq(due(70, &was), 1);
    cr_assert_eq(due(71, &was), 0);
    /* Told by the name they have, and by one that they had. */
    add(OP_NAMED, 70, 1)->u.note = "anna";
    add(OP_NAMED, 71, 1)->u.note = "user1";
    cr_assert_eq(store(), UNIT_STORED);
    cr_assert_eq(due(70, &was), 0);
    cr_assert_eq(due(71, &was), 1);
    cr_assert_str_eq(was, "user1");
}
