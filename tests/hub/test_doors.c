/* test_doors.c -- a table's password: kept as the host hashes it, compared off
 * the loop while the table goes on, guessed no faster than an account's. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(doors, 31);
static char table[16];

/* Anna makes a table behind "sesame", with further parameters MORE. */
static json_t *create(json_t *more)
{
    json_t *params = json_pack("{s:s}", "password", "sesame");
    json_object_update(params, more);
    json_decref(more);
    return test_client_create(&d, anna, params, table);
}

static json_t *try_join(peer_id p, const char *password)
{
    return test_client_ask(&d, p, "table.join", "{s:s,s:s}", "table", table,
                           "password", password);
}

/* P logged in as NAME, from afar. */
static peer_id far(const char *name, uint64_t source)
{
    peer_id p = test_client_come(&d, source);
    FINE(test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name", name,
                         "password", "password"));
    return p;
}

static int64_t retry_after(const json_t *answer)
{
    return json_integer_value(
        json_object_get(json_object_get(json_object_get(answer, "error"),
                                        "data"),
                        "retry_after_ms"));
}

static int64_t plies(void)
{
    json_t *answer = test_client_ask(&d, anna, "table.get", "{s:s}", "table",
                                     table);
    return json_integer_value(
        json_object_get(test_client_member(answer, "table"), "ply"));
}

/* What is stored is what the host made of the password, and only the whole
 * password opens. */
Test(doors, hashed_by_the_host)
{
    FINE(create(NULL));
    cr_assert_str_eq(d.world.disk.tables[0]->row.join_password,
                     "plain:sesame");
    REASON(try_join(bert, "sesam"), "wrong_password");
    REASON(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table),
           "wrong_password");
    cr_assert_eq(plies(), 1);
    FINE(try_join(bert, "sesame"));
    REASON(try_join(bert, "sesame"), "already_seated");
    REASON(try_join(carl, "barley"), "wrong_password");
    REASON(try_join(carl, "sesame"), "already_started");
}

/* All of its bytes: what goes on behind a NUL is another password. */
Test(doors, whole)
{
    FINE(create(NULL));
    REASON(test_client_ask(&d, bert, "table.join", "{s:s,s:s#}", "table",
                           table, "password", "sesame\0x", 8),
           "wrong_password");
    FINE(try_join(bert, "sesame"));
}

/* Who is expected needs none, and none is compared. */
Test(doors, the_invited)
{
    FINE(create(json_pack("{s:[s]}", "invite", "bert")));
    d.world.hashes_full = true;
    FINE(try_join(bert, "barley"));
}

/* A full line refuses at once, and nothing has happened. */
Test(doors, line_full)
{
    d.world.hashes_full = true;
    json_t *answer = create(NULL);
    REASON(answer, "rate_limited");
    cr_assert_gt(retry_after(answer), 0);
    cr_assert_eq(d.world.disk.table_count, 0);
    d.world.hashes_full = false;
    FINE(create(NULL));
    d.world.hashes_full = true;
    REASON(try_join(bert, "sesame"), "rate_limited");
    REASON(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table),
           "wrong_password"); /* nothing to compare */
    cr_assert_eq(plies(), 1);
    d.world.hashes_full = false;
    FINE(try_join(bert, "sesame"));
}

/* The table goes on while a password is compared, and may be another then. */
Test(doors, full_meanwhile)
{
    FINE(create(json_pack("{s:s}", "start", "manual")));
    d.world.hashes_wait = true;
    int late = test_client_send(&d, carl, "table.join",
                                json_pack("{s:s,s:s}", "table", table,
                                          "password", "sesame"));
    test_client_settle(&d);
    FINE(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table", table,
                         "name", "bert"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    cr_assert_null(test_client_answer(&d, late));
    d.world.hashes_wait = false;
    test_client_settle(&d);
    REASON(test_client_answer(&d, late), "table_full");
}

/* So may who asks: they are asked again, and not seated twice. */
Test(doors, invited_and_started_meanwhile)
{
    FINE(create(NULL));
    d.world.hashes_wait = true;
    int late = test_client_send(&d, bert, "table.join",
                                json_pack("{s:s,s:s}", "table", table,
                                          "password", "sesame"));
    int other = test_client_send(&d, carl, "table.join",
                                 json_pack("{s:s,s:s}", "table", table,
                                           "password", "sesame"));
    test_client_settle(&d);
    FINE(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table", table,
                         "name", "bert"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    d.world.hashes_wait = false;
    test_client_settle(&d);
    REASON(test_client_answer(&d, late), "already_seated");
    REASON(test_client_answer(&d, other), "already_started");
}

/* A table that has left memory meanwhile is loaded again. */
Test(doors, dropped_meanwhile)
{
    FINE(create(NULL));
    d.world.hashes_wait = true;
    int late = test_client_send(&d, bert, "table.join",
                                json_pack("{s:s,s:s}", "table", table,
                                          "password", "sesame"));
    test_client_settle(&d);
    size_t loads = d.world.loads;
    test_client_wait(&d, 10 * d.world.config.idle_table_ms);
    d.world.hashes_wait = false;
    test_client_settle(&d);
    FINE(test_client_answer(&d, late));
    cr_assert_gt(d.world.loads, loads);
}

/* With a key, what was asked twice happens once, for makers and for comers. */
Test(doors, keys)
{
    d.world.hashes_wait = true;
    int ids[2];
    for (int i = 0; i < 2; i++)
        ids[i] = test_client_send(&d, anna, "table.create",
                                  json_pack("{s:s,s:i,s:s,s:s}", "game",
                                            "tictactoe", "seats", 2,
                                            "password", "sesame", "key", "k"));
    test_client_settle(&d);
    d.world.hashes_wait = false;
    test_client_settle(&d);
    json_t *one = test_client_answer(&d, ids[0]),
           *two = test_client_answer(&d, ids[1]);
    cr_assert_str_eq(test_client_text(one, "table"),
                     test_client_text(two, "table"));
    cr_assert_eq(d.world.disk.table_count, 1);
    snprintf(table, sizeof(table), "%s", test_client_text(one, "table"));
    d.world.hashes_wait = true;
    for (int i = 0; i < 2; i++)
        ids[i] = test_client_send(&d, bert, "table.join",
                                  json_pack("{s:s,s:s,s:s}", "table", table,
                                            "password", "sesame", "key", "k"));
    test_client_settle(&d);
    d.world.hashes_wait = false;
    test_client_settle(&d);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(test_client_number(test_client_answer(&d, ids[i]),
                                        "seat"),
                     1);
    cr_assert_neq(
        json_is_true(
            test_client_member(test_client_answer(&d, ids[0]), "duplicate")),
        json_is_true(
            test_client_member(test_client_answer(&d, ids[1]), "duplicate")));
}

/* Guesses are slowed by account and by address, as failed log-ins are; that
 * one's log-ins go on, and one that fits costs nothing. */
Test(doors, guesses_of_an_account)
{
    const json_t *last = NULL;

    FINE(create(NULL));
    for (int i = 0; i <= LIMIT_FAILED_BURST; i++) {
        last = try_join(far("bert", 100 + (uint64_t)i), "barley");
        REASON(last,
               i < LIMIT_FAILED_BURST ? "wrong_password" : "rate_limited");
    }
    int64_t wait = retry_after(last);
    cr_assert(wait > 0 && wait <= LIMIT_FAILED_NAME_MS);
    peer_id p = far("bert", 200);
    REASON(try_join(p, "sesame"), "rate_limited");
    d.world.now_ms += LIMIT_FAILED_NAME_MS;
    FINE(try_join(p, "sesame"));
}

Test(doors, guesses_of_an_address)
{
    const json_t *last = NULL;
    peer_id p[LIMIT_FAILED_BURST + 1];
    char name[24];

    FINE(create(NULL));
    for (int i = 0; i <= LIMIT_FAILED_BURST; i++) {
        snprintf(name, sizeof(name), "dora%d", i);
        test_client_user(&d, name);
        p[i] = far(name, 300);
    }
    for (int i = 0; i <= LIMIT_FAILED_BURST; i++) {
        last = try_join(p[i], "barley");
        REASON(last,
               i < LIMIT_FAILED_BURST ? "wrong_password" : "rate_limited");
    }
    cr_assert_leq(retry_after(last), LIMIT_FAILED_SOURCE_MS);
    FINE(try_join(far("carl", 301), "sesame"));
}

/* Who knows the password is never slowed, however often they come in by it: not
 * as the account, which comes from everywhere, and not as the address. */
Test(doors, what_fits_is_forgiven)
{
    enum { COMES = 2 * LIMIT_FAILED_BURST };

    FINE(create(json_pack("{s:s}", "start", "manual")));
    for (uint64_t i = 0; i < 2 * COMES; i++) {
        peer_id p = far("bert", i < COMES ? 400 : 400 + i);
        FINE(try_join(p, "sesame"));
        FINE(test_client_ask(&d, p, "table.leave", "{s:s}", "table", table));
    }
}

/* A private table is told from none by nothing: not by the words, not by the
 * work, not by how soon guesses are slowed. */
Test(doors, private_tables_are_nowhere)
{
    char name[24];

    for (int kind = 0; kind < 3; kind++) {
        FINE(create(json_pack("{s:b}", "private", 1)));
        if (kind == 1)
            d.world.disk.tables[1]->row.join_password = NULL;
        if (kind == 2)
            snprintf(table, sizeof(table), "aaaaaaaaaaaab");
        test_client_wait(&d, 10 * d.world.config.idle_table_ms);
        snprintf(name, sizeof(name), "emma%d", kind);
        test_client_user(&d, name);
        for (int i = 0; i <= LIMIT_FAILED_BURST; i++) {
            peer_id p = far(name, (uint64_t)(1000 + 100 * kind + i));
            d.world.hashes_full = true;
            REASON(test_client_ask(&d, p, "table.join", "{s:s}", "table",
                                   table),
                   "no_such_table");
            if (i == 0)
                REASON(try_join(p, "barley"), "rate_limited");
            d.world.hashes_full = false;
            if (i > 0)
                REASON(try_join(p, "barley"), i < LIMIT_FAILED_BURST
                                                  ? "no_such_table"
                                                  : "rate_limited");
        }
    }
}
