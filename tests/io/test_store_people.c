/* test_store_people.c -- what the store knows of accounts beyond their rows:
 * whether they are as they were, when they were seen, what goes with a guest;
 * which tables are to learn of a name. */

#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/contract.h"

CONTRACTS(people);

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
    struct question q = {.kind = ASK_ACCOUNT, .u.account = id};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(!a->failed);
    return a->account_count == 1 ? a->accounts : NULL;
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
CONTRACT(people, still)
{
    person(1, ACCOUNT_USER, "anna", 6);
    cr_assert_eq(store(), TRANSACTION_STORED);
    struct account_row was = {.id = 1,
                              .kind = ACCOUNT_USER,
                              .password = "argon2"};
    for (int i = 0; i < 6; i++) {
        struct op *op = add(OP_REQUIRE_ACCOUNT, 0, 1);
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
        cr_assert_eq(store(),
                     i == 0 ? TRANSACTION_STORED : TRANSACTION_CONFLICT, "%d",
                     i);
    }
    struct question q = {.kind = ASK_TOKENS, .u.account = 1};
    cr_assert_eq(fixture_ask(&f, &q)->token_count, 1);
    person(3, ACCOUNT_GUEST, "guest", 6)->password = NULL;
    struct op *op = add(OP_REQUIRE_ACCOUNT, 0, 3);
    op->u.account_row = (struct account_row){.id = 3, .kind = ACCOUNT_GUEST};
    cr_assert_eq(store(), TRANSACTION_STORED, "no password is one, too");
}

/* No token comes of one that is gone. */
CONTRACT(people, token_still)
{
    person(1, ACCOUNT_USER, "anna", 6);
    token(7, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    add(OP_REQUIRE_TOKEN, 0, 1)->u.token = (struct token_row){.id = 7,
                                                              .account = 1};
    token(8, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    add(OP_TOKEN_DROP, 0, 1)->u.token = (struct token_row){.id = 7,
                                                           .account = 1};
    cr_assert_eq(store(), TRANSACTION_STORED);
    add(OP_REQUIRE_TOKEN, 0, 1)->u.token = (struct token_row){.id = 7,
                                                              .account = 1};
    token(9, 1);
    cr_assert_eq(store(), TRANSACTION_CONFLICT);
    add(OP_REQUIRE_TOKEN, 0, 2)->u.token = (struct token_row){.id = 8,
                                                              .account = 2};
    cr_assert_eq(store(), TRANSACTION_CONFLICT, "somebody else's");
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
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static enum transaction_result link_use(id_num id, int64_t at)
{
    add(OP_LINK_USE, 0, 0)->u.link = (struct link_row){.id = id, .used = at};
    return store();
}

/* A link is used as often as it is good for, by whoever comes first, not a
 * millisecond after its time, and what else is in the transaction of one who
 * comes too late is not stored. */
CONTRACT(people, links)
{
    link_put(1, 2, 10, 50);
    cr_assert_eq(link_use(1, 49), TRANSACTION_STORED);
    cr_assert_eq(link_use(1, 50), TRANSACTION_CONFLICT, "its time is over");
    person(7, ACCOUNT_USER, "late", 6);
    cr_assert_eq(link_use(1, 60), TRANSACTION_CONFLICT);
    cr_assert_null(account(7));
    cr_assert_eq(link_use(1, 20), TRANSACTION_STORED);
    cr_assert_eq(link_use(1, 20), TRANSACTION_CONFLICT, "used up");
    cr_assert_eq(link_use(9, 20), TRANSACTION_CONFLICT, "there is none");
    link_put(2, 1, 10, 0);
    cr_assert_eq(link_use(2, INT64_MAX), TRANSACTION_STORED, "for ever");
    struct question q = {.kind = ASK_LINK, .u.hash = {1}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->link_count, 1);
    cr_assert_eq(a->links->uses, 0);
    cr_assert_eq(a->links->used, 20);
    /* Thirty days after their end they go when another is made. */
    link_put(3, 1, 50 + LIMIT_LINK_KEPT_MS - 1, 0);
    cr_assert_eq(fixture_ask(&f, &q)->link_count, 0, "used up at 20");
    q = (struct question){.kind = ASK_LINKS,
                          .u.links = {.purpose = LINK_REGISTER}};
    cr_assert_eq(fixture_ask(&f, &q)->link_count, 2);
}

/* Links to a table are listed by table, and go with who made them. */
CONTRACT(people, links_of_a_table)
{
    struct question q = {
        .kind = ASK_LINKS,
        .limit = 2,
        .u.links = {.purpose = LINK_TABLE, .table = 70},
    };

    make_people(&u, 2);
    for (id_num id = 1; id <= 5; id++)
        add(OP_LINK, 0, 0)->u.link = (struct link_row){
            .id = id,
            .hash = {(uint8_t)id},
            .purpose = LINK_TABLE,
            .table = id == 2 ? 71 : 70,
            .maker = id == 5 ? 2 : 1,
            .uses = 1,
        };
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->link_count == 2 && a->more);
    cr_assert(a->links[0].id == 1 && a->links[1].id == 3);
    cr_assert(a->links[0].table == 70 && a->links[0].maker == 1);
    q.u.links.after = 3;
    a = fixture_ask(&f, &q);
    cr_assert(a->link_count == 2 && a->links[1].id == 5 && !a->more);
    add(OP_ACCOUNT_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    q.u.links.after = 0;
    a = fixture_ask(&f, &q);
    cr_assert(a->link_count == 1 && a->links[0].id == 5);
}

/* To be seen changes nothing else, and never goes back. */
CONTRACT(people, seen)
{
    person(1, ACCOUNT_USER, "anna", 6);
    cr_assert_eq(store(), TRANSACTION_STORED);
    static const int64_t at[] = {50, 40}, then[] = {50, 50};
    for (int i = 0; i < 2; i++) {
        add(OP_SEEN, 0, 1)->u.at = at[i];
        cr_assert_eq(store(), TRANSACTION_STORED);
        const struct account_row *a = account(1);
        cr_assert_eq(a->seen, then[i]);
        cr_assert_str_eq(a->name, "anna");
        cr_assert_str_eq(a->password, "argon2");
    }
    add(OP_SEEN, 0, 2)->u.at = 60;
    cr_assert_eq(store(), TRANSACTION_STORED, "nobody is no trouble");
    cr_assert_null(account(2));
}

/* ---- guests ------------------------------------------------------------ */

static enum transaction_result drop(id_num who, int64_t seen)
{
    add(OP_GUEST_DROP, 0, who)->u.at = seen;
    return store();
}

/* A guest goes only if it is one, was away for long and sits nowhere; then all
 * that is theirs goes with them. */
CONTRACT(people, guests_go)
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
    cr_assert_eq(store(), TRANSACTION_STORED);

    struct question q = {.kind = ASK_GUESTS,
                         .limit = 2,
                         .u.guests = {.until = 7}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->account_count, 2, "guest2 plays");
    cr_assert_eq(a->accounts[0].id, 4, "the longest away first");
    cr_assert_eq(a->accounts[1].id, 3);
    q.limit = 1;
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 1);
    q.u.guests.after = 4;
    q.u.guests.after_seen = 6;
    cr_assert_eq(fixture_ask(&f, &q)->accounts[0].id, 3, "behind them");
    q.u.guests.after = 3;
    q.u.guests.after_seen = 7;
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 0);
    q.u.guests.after = 0;
    q.u.guests.after_seen = 0;
    q.u.guests.until = 5;
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 0);

    cr_assert_eq(drop(1, 100), TRANSACTION_CONFLICT, "no guest");
    cr_assert_eq(drop(2, 100), TRANSACTION_CONFLICT, "they play");
    cr_assert_eq(drop(3, 6), TRANSACTION_CONFLICT, "they came back");
    cr_assert_eq(drop(9, 6), TRANSACTION_CONFLICT, "nobody");
    cr_assert_eq(drop(3, 7), TRANSACTION_STORED);
    cr_assert_null(account(3));
    cr_assert_not_null(account(2));
    if (f.arrays)
        return;
    fixture_close(&f);
    static const char *const rows[] = {
        "SELECT count(*) FROM tokens", "SELECT count(*) FROM invites",
        "SELECT count(*) FROM marks",  "SELECT count(*) FROM notes",
        "SELECT count(*) FROM keys",
    };
    for (int i = 0; i < 5; i++)
        cr_assert_eq(fixture_sql(&f, rows[i]), 0, "%s", rows[i]);
    if (f.url[0] != '\0')
        return; /* nothing is declared to refer to anything there */
    cr_assert_eq(fixture_sql(&f,
                             "SELECT count(*) FROM pragma_foreign_key_check "
                             "WHERE \"table\" <> 'log'"),
                 0);
}

/* Whom a finished game or a text names leaves a row that says nothing, and
 * their name is free. */
CONTRACT(people, guests_leave_a_row)
{
    person(1, ACCOUNT_GUEST, "guest1", 5);
    person(2, ACCOUNT_GUEST, "guest2", 5);
    person(3, ACCOUNT_GUEST, "guest3", 5);
    make_table(&u, 70, TABLE_FINISHED, 2, 1);
    make_plies(&u, 70, -1, 1, TABLE_FINISHED, 2, 1);
    struct op *op = add(OP_TEXT, 70, 2);
    op->u.text =
        (struct text_row){.number = 1, .table = 70, .from = 2, .body = "well"};
    cr_assert_eq(store(), TRANSACTION_STORED);
    for (id_num id = 1; id <= 3; id++)
        cr_assert_eq(drop(id, 5), TRANSACTION_STORED);
    for (id_num id = 1; id <= 2; id++) {
        const struct account_row *a = account(id);
        cr_assert(a != NULL && a->kind == ACCOUNT_DELETED);
        cr_assert_str_eq(a->name, "");
        cr_assert_null(a->password);
    }
    cr_assert_null(account(3));
    person(8, ACCOUNT_USER, "guest1", 5);
    cr_assert_eq(store(), TRANSACTION_STORED);
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
CONTRACT(people, renames)
{
    const char *was = "";
    make_people(&u, 2);
    static const int states[] = {TABLE_OPEN, TABLE_PLAYING, TABLE_FINISHED};
    for (id_num id = 0; id < 3; id++) {
        make_table(&u, 70 + id, states[id], 2, 2);
        make_plies(&u, 70 + id, -1, 1, states[id], 2, 2);
    }
    cr_assert_eq(store(), TRANSACTION_STORED);
    person(1, ACCOUNT_USER, "user1", 9);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(due(70, &was), 0, "the same name");
    person(1, ACCOUNT_USER, "User1", 9);
    person(1, ACCOUNT_USER, "anna", 9);
    cr_assert_eq(store(), TRANSACTION_STORED);
    reopen();
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
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(due(70, &was), 1);
    cr_assert_eq(due(71, &was), 0);
    /* Told by the name they have, and by one that they had. */
    add(OP_NAMED, 70, 1)->u.note = "anna";
    add(OP_NAMED, 71, 1)->u.note = "user1";
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(due(70, &was), 0);
    cr_assert_eq(due(71, &was), 1);
    cr_assert_str_eq(was, "user1");
}

/* ---- when they are there ---------------------------------------------------- */

static void put_hours(id_num who, int opens, int64_t was, int64_t changed)
{
    struct op *op = add(OP_HOURS, 0, who);

    op->u.hours.row = (struct hours_row){
        .hours = {(int16_t)opens, 30, 0x5f},
        .zone = "Europe/Paris",
        .changed = changed,
    };
    op->u.hours.was = was;
}

/* When OPENS of WHO's hours is; -1: they have none. */
static int opens(id_num who)
{
    struct question q = {
        .kind = ASK_PERSON,
        .limit = 1,
        .u.person = {.account = who, .part = PERSON_HOURS},
    };
    const struct answer *a = fixture_ask(&f, &q);

    if (a->part_count == 0)
        return -1;
    const struct hours_row *row = &a->parts[0].u.hours;
    cr_assert_str_eq(row->zone, "Europe/Paris");
    cr_assert(row->hours.closes == 30 && row->hours.days == 0x5f);
    return row->hours.opens;
}

/* Of two who change somebody's hours at once the second is a conflict; they are
 * of that account alone, and go with it. */
CONTRACT(people, hours)
{
    make_people(&u, 2);
    person(3, ACCOUNT_GUEST, "guest", 6);
    put_hours(1, 540, 0, 70);
    put_hours(3, 600, 0, 70);
    cr_assert_eq(store(), TRANSACTION_STORED);
    reopen();
    cr_assert(opens(1) == 540 && opens(2) == -1 && opens(3) == 600);
    put_hours(1, 541, 0, 80);
    cr_assert_eq(store(), TRANSACTION_CONFLICT);
    put_hours(2, 541, 70, 80);
    cr_assert_eq(store(), TRANSACTION_CONFLICT);
    cr_assert(opens(1) == 540 && opens(2) == -1);
    put_hours(1, 542, 70, 80);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(opens(1), 542);

    add(OP_ACCOUNT_DROP, 0, 1);
    add(OP_GUEST_DROP, 0, 3)->u.at = 6;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(opens(1) == -1 && opens(3) == -1);
    put_hours(1, 540, 80, 90); /* it was under way when they left */
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(opens(1), -1);
}

/* ---- whom a proxy calls something -------------------------------------------- */

static void proxied(id_num who, const char *user, bool is_new)
{
    struct op *op = add(OP_PROXIED, 0, who);

    op->u.proxied.user = user;
    op->u.proxied.is_new = is_new;
}

/* Who is called USER by a proxy, or 0. */
static id_num called(const char *user)
{
    struct question q = {.kind = ASK_PROXIED, .u.name = user};
    const struct answer *a = fixture_ask(&f, &q);

    return a->account_count == 1 ? a->accounts->id : 0;
}

/* One name is one account's, as it is written, and an account has one; of two
 * who come by it first the second is a conflict, the operator's word is none. */
CONTRACT(people, proxied)
{
    make_people(&u, 3);
    person(4, ACCOUNT_GUEST, "guest", 6);
    proxied(1, "ana", true);
    proxied(4, "gast", true);
    cr_assert_eq(store(), TRANSACTION_STORED);
    reopen();
    cr_assert(called("ana") == 1 && called("Ana") == 0 && called("gast") == 0);
    proxied(2, "ana", true);
    cr_assert_eq(store(), TRANSACTION_CONFLICT);
    proxied(2, "Ana", true);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(called("ana") == 1 && called("Ana") == 2);
    proxied(2, "ana", false);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert(called("ana") == 2 && called("Ana") == 0);
    proxied(2, NULL, false);
    proxied(3, "ana", false);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(called("ana"), 3);
    add(OP_ACCOUNT_DROP, 0, 3);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(called("ana"), 0);
    proxied(1, "ana", true);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(called("ana"), 1);
}

/* ---- who was deleted --------------------------------------------------------- */

/* All that is somebody's own goes with them; the row stays, says nothing, and is
 * nobody's again. */
CONTRACT(people, deleted)
{
    const char *was = "";

    make_people(&u, 2);
    make_table(&u, 70, TABLE_PLAYING, 2, 2);
    make_plies(&u, 70, -1, 1, TABLE_PLAYING, 2, 2);
    token(7, 1);
    add(OP_INVITE, 70, 1);
    add(OP_MARK, 70, 1)->u.number = 1;
    add(OP_NOTE, 70, 1)->u.note = "mine";
    cr_assert_eq(store(), TRANSACTION_STORED);
    add(OP_ACCOUNT_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct account_row *a = account(1);
    cr_assert(a->kind == ACCOUNT_DELETED && a->created == 5 && a->seen == 6);
    cr_assert_eq(due(70, &was), 1);
    cr_assert_str_eq(was, "user1");
    cr_assert_eq(f.answer.invited_count, 0);
    struct question q = {.kind = ASK_NOTE,
                         .u.note = {.table = 70, .account = 1}};
    cr_assert_null(fixture_ask(&f, &q)->text);
    q = (struct question){.kind = ASK_TEXTS,
                          .u.texts = {.table = 70, .account = 1}};
    cr_assert_eq(fixture_ask(&f, &q)->mark, 0);
    q = (struct question){.kind = ASK_TOKENS, .u.account = 1};
    cr_assert_eq(fixture_ask(&f, &q)->token_count, 0);

    add(OP_NAME, 0, 1)->u.note = "again";
    add(OP_PASSWORD, 0, 1)->u.note = "argon2";
    add(OP_BAN, 0, 1)->u.ban.until = 9;
    add(OP_SEEN, 0, 1)->u.at = 900;
    person(1, ACCOUNT_USER, "again", 7);
    add(OP_RENAMED, 70, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    a = account(1);
    cr_assert_str_eq(a->name, "");
    cr_assert(a->kind == ACCOUNT_DELETED && a->password == NULL &&
              a->banned_until == 0 && a->seen == 6);
    add(OP_NAME, 0, 1)->u.note = "user2";
    cr_assert_eq(store(), TRANSACTION_STORED,
                 "is called nothing: no conflict");
    cr_assert_eq(due(70, &was), 0);
    add(OP_NAME, 0, 99)->u.note = "user2";
    cr_assert_eq(store(), TRANSACTION_STORED, "neither is nobody");
}

/* A password is a user's; a ban and a name anybody's. */
CONTRACT(people, changes)
{
    person(1, ACCOUNT_GUEST, "guest", 6)->password = NULL;
    add(OP_PASSWORD, 0, 1)->u.note = "argon3";
    struct op *op = add(OP_BAN, 0, 1);
    op->u.ban.until = 70;
    op->u.ban.reason = "spam";
    add(OP_NAME, 0, 1)->u.note = "Guest";
    cr_assert_eq(store(), TRANSACTION_STORED);
    const struct account_row *a = account(1);
    cr_assert_null(a->password);
    cr_assert_str_eq(a->name, "Guest");
    cr_assert_str_eq(a->banned_reason, "spam");
    person(1, ACCOUNT_USER, "Guest", 6);
    add(OP_PASSWORD, 0, 1)->u.note = "argon3";
    cr_assert_eq(store(), TRANSACTION_STORED);
    a = account(1);
    cr_assert_str_eq(a->password, "argon3");
    cr_assert_eq(a->banned_until, 70, "that is not in the row");
}

/* ---- for the operator --------------------------------------------------------- */

/* People by name, from a name on, of a kind, banned; sessions by their number,
 * each with its account. */
CONTRACT(people, lists)
{
    make_people(&u, 3);
    person(4, ACCOUNT_GUEST, "Ulla", 6);
    add(OP_BAN, 0, 2)->u.ban.until = 70;
    person(5, ACCOUNT_DELETED, "gone", 6);
    token(12, 1);
    token(11, 2);
    token(13, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    struct question q = {.kind = ASK_ACCOUNTS,
                         .limit = 2,
                         .u.accounts = {.kind = -1}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->account_count == 2 && a->more);
    cr_assert_str_eq(a->accounts[0].name, "Ulla");
    q.u.accounts.after = "user1";
    a = fixture_ask(&f, &q);
    cr_assert(a->account_count == 2 && !a->more);
    cr_assert_str_eq(a->accounts[0].name, "user2");
    q = (struct question){.kind = ASK_ACCOUNTS,
                          .u.accounts = {.kind = ACCOUNT_GUEST}};
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 1);
    q = (struct question){
        .kind = ASK_ACCOUNTS,
        .u.accounts = {.kind = -1, .banned = 69},
    };
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 1);
    cr_assert_eq(f.answer.accounts[0].id, 2);

    q = (struct question){.kind = ASK_SESSIONS, .limit = 2};
    a = fixture_ask(&f, &q);
    cr_assert(a->token_count == 2 && a->account_count == 2 && a->more);
    cr_assert(a->tokens[0].id == 11 && a->accounts[0].id == 2);
    q.u.sessions.after = 11;
    q.u.sessions.account = 1;
    a = fixture_ask(&f, &q);
    cr_assert(a->token_count == 2 && !a->more && a->tokens[0].id == 12);
}

/* Whether ROW is the first of PART that is stored in the test below. */
static bool part_is(enum person_part part, const struct person_row *row)
{
    switch (part) {
    case PERSON_SEATS:
    case PERSON_OWNED:
    case PERSON_INVITES:
        return row->u.table.table == (part == PERSON_INVITES ? 71 : 70) &&
               strcmp(row->u.table.game, "tictactoe") == 0 &&
               row->u.table.state == TABLE_OPEN &&
               (part != PERSON_SEATS ||
                (row->u.table.seat == 0 && row->u.table.place == 0));
    case PERSON_TEXTS:
        return row->u.text.table == 70 && row->u.text.number == 1 &&
               row->u.text.at == 5 && strcmp(row->u.text.body, "hello") == 0;
    case PERSON_NOTES:
    case PERSON_STUDIES:
        return row->u.note.table == 71 &&
               strcmp(row->u.note.text, "mine") == 0;
    case PERSON_MARKS:
        return row->u.mark.table == 71 && row->u.mark.number == 1;
    case PERSON_KEYS:
        return strcmp(row->u.key.method, "m") == 0 &&
               strcmp(row->u.key.key, "k") == 0 && row->u.key.at == 7;
    case PERSON_LINKS:
        return row->u.link.purpose == LINK_RESET && row->u.link.made == 8 &&
               row->u.link.expires == 0 && row->u.link.uses == 1 &&
               strcmp(row->u.link.email, "ana@example.org") == 0;
    case PERSON_HOURS:
        return row->u.hours.hours.opens == 540 && row->u.hours.changed == 70;
    case PERSON_DEVICES: return row->u.used == 70;
    case PERSON_TOTP:
        return row->u.totp.made == 60 && row->u.totp.confirmed == 61 &&
               row->u.totp.recovery == 2;
    case PERSON_PROXIED: return strcmp(row->u.user, "ana@x") == 0;
    case PERSON_ABSENCES:
        return row->u.absence.from_ms == 80 && row->u.absence.until_ms == 81;
    case PERSON_AWAY: return row->u.auto_;
    case PERSON_RATINGS:
        return strcmp(row->u.rating.game, "go") == 0 && row->u.rating.at == 90;
    case PERSON_BLOCKS:
        return row->u.block.other == 2 && row->u.block.at == 95 &&
               strcmp(row->u.block.name, "user2") == 0;
    default: return false;
    }
}

/* All that is stored of somebody, part by part, a page after the other. */
CONTRACT(people, export)
{
    static const size_t counts[PERSON_PARTS] = {
        [PERSON_SEATS] = 2,    [PERSON_OWNED] = 2,  [PERSON_INVITES] = 1,
        [PERSON_TEXTS] = 2,    [PERSON_NOTES] = 1,  [PERSON_MARKS] = 1,
        [PERSON_KEYS] = 1,     [PERSON_LINKS] = 1,  [PERSON_HOURS] = 1,
        [PERSON_DEVICES] = 2,  [PERSON_TOTP] = 1,   [PERSON_PROXIED] = 1,
        [PERSON_ABSENCES] = 1, [PERSON_AWAY] = 1,   [PERSON_STUDIES] = 1,
        [PERSON_RATINGS] = 1,  [PERSON_BLOCKS] = 1,
    };
    make_people(&u, 2);
    for (id_num id = 70; id < 72; id++) {
        make_table(&u, id, TABLE_OPEN, 2, 1);
        make_plies(&u, id, -1, 1, TABLE_OPEN, 2, 1);
        add(OP_TEXT, id, 1)->u.text = (struct text_row){
            .number = 1, .table = id, .from = 1, .at = 5, .body = "hello"};
    }
    add(OP_INVITE, 71, 1);
    add(OP_MARK, 71, 1)->u.number = 1;
    add(OP_NOTE, 71, 1)->u.note = "mine";
    add(OP_STUDY, 71, 1)->u.note = "mine";
    struct op *op = add(OP_KEY, 0, 1);
    op->u.key.method = "m";
    op->u.key.key = op->u.key.answer = "k";
    op->u.key.at = 7;
    add(OP_LINK, 0, 0)->u.link = (struct link_row){
        .id = 3,
        .account = 1,
        .purpose = LINK_RESET,
        .uses = 1,
        .made = 8,
        .email = "ana@example.org",
    };
    put_hours(1, 540, 0, 70);
    op = add(OP_AWAY, 0, 1);
    op->u.away.absences = &(struct absence_row){.from_ms = 80, .until_ms = 81};
    op->u.away.count = 1;
    op->u.away.row.auto_ = true;
    for (int i = 0; i < 2; i++) {
        op = add(OP_DEVICE, 0, 1);
        op->u.device.hash[0] = (uint8_t)(1 + i);
        op->u.device.at = 70 + i;
    }
    op = add(OP_TOTP, 0, 1);
    op->u.totp = (struct totp_row){.account = 1, .made = 60};
    uint8_t hashes[2][SHA256_SIZE] = {{1}, {2}};
    op = add(OP_RECOVERY, 0, 1);
    op->u.recovery.hashes = hashes;
    op->u.recovery.count = 2;
    op = add(OP_TOTP_USE, 0, 1);
    op->u.totp_use.step = 9;
    op->u.totp_use.made = 60;
    op->u.totp_use.at = 61;
    add(OP_PROXIED, 0, 1)->u.proxied.user = "ana@x";
    add(OP_BLOCK, 0, 0)->u.block = (struct block_row){1, 2, NULL, 95};
    op = add(OP_RESULTS, 71, 0);
    op->u.results.rows = &(struct result_row){.account = 1, .place = 1};
    op->u.results.count = op->u.results.seats = 1;
    op->u.results.game = "go";
    op->u.results.rated = true;
    op->u.results.at = 90;
    cr_assert_eq(store(), TRANSACTION_STORED);
    for (int part = 0; part < PERSON_PARTS; part++) {
        struct question q = {
            .kind = ASK_PERSON,
            .limit = 1,
            .u.person = {.account = 1, .part = (enum person_part)part},
        };
        const struct answer *a = fixture_ask(&f, &q);
        cr_expect_eq(a->part_count, 1, "%d", part);
        cr_expect(part_is(q.u.person.part, a->parts), "%d", part);
        cr_expect_eq(a->more, counts[part] > 1, "%d", part);
        q.u.person.from = 1;
        cr_expect_eq(fixture_ask(&f, &q)->part_count, counts[part] - 1);
        q.u.person.from = 0;
        q.u.person.account = 2;
        cr_expect_eq(fixture_ask(&f, &q)->part_count, 0, "%d", part);
    }
}

/* What the operator changed, the last first; what is over and goes at their
 * word; how much there is. */
CONTRACT(people, operator)
{
    make_people(&u, 1);
    token(7, 1);
    add(OP_TOKEN, 0, 1)->u.token = (struct token_row){
        .id = 8, .account = 1, .label = "", .hash = {8}, .expires = 50};
    make_table(&u, 70, TABLE_OPEN, 2, 0);
    for (int i = 1; i <= 3; i++)
        add(OP_AUDIT, 0, 0)->u.audit = (struct audit_row){
            .at = i,
            .uid = 4,
            .table = i == 2 ? 70 : 0,
            .account = i == 3 ? 1 : 0,
            .method = "m",
            .what = "{}",
        };
    cr_assert_eq(store(), TRANSACTION_STORED);
    struct question q = {.kind = ASK_AUDIT, .limit = 2};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->audit_count == 2 && a->more && a->audits[0].at == 3);
    cr_assert_str_eq(a->audits[0].name, "user1");
    cr_assert_null(a->audits[1].name);
    q.u.audit.before = a->audits[1].number;
    a = fixture_ask(&f, &q);
    cr_assert(a->audit_count == 1 && !a->more && a->audits[0].at == 1);
    q = (struct question){.kind = ASK_AUDIT, .u.audit = {.table = 70}};
    cr_assert_eq(fixture_ask(&f, &q)->audits[0].at, 2);

    q = (struct question){.kind = ASK_PRUNE, .u.prune_at = 50};
    cr_assert_eq(fixture_ask(&f, &q)->counts[PRUNE_TOKENS], 1);
    add(OP_PRUNE, 0, 0)->u.at = 50;
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->counts[PRUNE_TOKENS], 0);
    q = (struct question){.kind = ASK_SIZES};
    a = fixture_ask(&f, &q);
    cr_assert_eq(a->counts[SIZE_TABLES + TABLE_OPEN], 1);
    cr_assert_eq(a->counts[SIZE_USERS], 1);
    cr_assert_eq(a->counts[SIZE_GUESTS], 0);
}
