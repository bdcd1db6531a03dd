/* test_accounts.c -- accounts, sessions and tokens, one method after the
 * other. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

static struct test_client d;

static void begin(void)
{
    test_client_open(&d, 7);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(accounts, .init = begin, .fini = end);

static json_t *login(peer_id p, const char *name, const char *password)
{
    return test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name", name,
                           "password", password);
}

static json_t *resume(peer_id p, const char *token)
{
    return test_client_ask(&d, p, "session.resume", "{s:s}", "token", token);
}

/* A name is somebody's however it is written. */
Test(accounts, names_are_unique)
{
    test_client_user(&d, "Anna");
    peer_id p = test_client_come(&d, 0);
    REASON(test_client_ask(&d, p, "account.register", "{s:s,s:s}", "name",
                           "aNNa", "password", "password"),
           "name_taken");
}

/* Unknown names and wrong passwords are told apart by nothing. */
Test(accounts, login)
{
    test_client_user(&d, "anna");
    peer_id p = test_client_come(&d, 0);
    REASON(login(p, "anna", "passwore"), "bad_credentials");
    REASON(login(p, "nobody", "password"), "bad_credentials");
    FINE(login(p, "ANNA", "password"));
    REASON(login(p, "anna", "password"), "already_logged_in");
}

/* A password is all of its bytes: one that goes on behind a NUL is another,
 * where it is made, where it is compared and where it is changed. */
Test(accounts, passwords_are_whole)
{
    static const char whole[] = "aaaaaaaa\0x", other[] = "aaaaaaaa\0y";
    peer_id p = test_client_come(&d, 0), q = test_client_come(&d, 0);

    FINE(test_client_ask(&d, p, "account.register", "{s:s,s:s#}", "name",
                         "anna", "password", whole, 10));
    REASON(login(q, "anna", "aaaaaaaa"), "bad_credentials");
    REASON(test_client_ask(&d, q, "session.login", "{s:s,s:s#}", "name",
                           "anna", "password", other, 10),
           "bad_credentials");
    REASON(test_client_ask(&d, p, "account.password", "{s:s,s:s}", "old",
                           "aaaaaaaa", "new", "password"),
           "bad_credentials");
    FINE(test_client_ask(&d, q, "session.login", "{s:s,s:s#}", "name", "anna",
                         "password", whole, 10));
    FINE(test_client_ask(&d, p, "account.password", "{s:s#,s:s#}", "old",
                         whole, 10, "new", other, 10));
    p = test_client_come(&d, 0);
    REASON(login(p, "anna", "aaaaaaaa"), "bad_credentials");
    FINE(test_client_ask(&d, p, "session.login", "{s:s,s:s#}", "name", "anna",
                         "password", other, 10));
}

/* Requests without login are refused before anything else is looked at. */
Test(accounts, login_comes_first)
{
    peer_id p = test_client_come(&d, 0);
    REASON(test_client_ask(&d, p, "table.move", "{s:s}", "nonsense", "yes"),
           "not_authenticated");
    REASON(test_client_ask(&d, p, "me.next", NULL), "not_authenticated");
}

/* What follows a log-in on the same connection waits for it. */
Test(accounts, log_ins_are_barriers)
{
    peer_id p = test_client_come(&d, 0);
    int first = test_client_send(&d, p, "account.guest", NULL);
    int second = test_client_send(&d, p, "me.next", NULL);
    test_client_settle(&d);
    FINE(test_client_answer(&d, first));
    FINE(test_client_answer(&d, second));
}

/* Failed log-ins are slowed by address; those nearby are not. */
Test(accounts, failures_are_slowed)
{
    char name[24];
    const char *last = "";
    test_client_user(&d, "anna");
    for (int i = 0; i < 2 * LIMIT_FAILED_BURST; i++) {
        peer_id p = test_client_come(&d, 99);
        snprintf(name, sizeof(name), "name%d", i);
        last = test_client_reason(login(p, name, "password"));
    }
    cr_assert_str_eq(last, "rate_limited");
    FINE(login(test_client_come(&d, 0), "anna", "password"));
}

/* Who fails as somebody, from as many addresses as there are, keeps others out
 * for a while who say they are; but not from where that somebody has come in
 * before.  Failures from there count as anybody's. */
Test(accounts, failures_of_others)
{
    test_client_user(&d, "anna");
    FINE(login(test_client_come(&d, 7), "Anna", "password"));
    for (uint64_t i = 0; i < 2 * LIMIT_FAILED_BURST; i++)
        login(test_client_come(&d, 100 + i), "anna", "passwore");
    REASON(login(test_client_come(&d, 8), "anna", "password"), "rate_limited");
    FINE(login(test_client_come(&d, 7), "anna", "password"));
    const char *last = "";
    for (int i = 0; i < 2 * LIMIT_FAILED_BURST; i++)
        last = test_client_reason(
            login(test_client_come(&d, 7), "anna", "passwore"));
    cr_assert_str_eq(last, "rate_limited");
}

/* A session ends with its token, wherever it is in use. */
Test(accounts, logout_ends_the_token)
{
    peer_id p = test_client_come(&d, 0), q = test_client_come(&d, 0);
    char token[64];
    json_t *answer = test_client_ask(&d, p, "account.guest", NULL);
    snprintf(token, sizeof(token), "%s", test_client_text(answer, "token"));
    FINE(resume(q, token));
    FINE(test_client_ask(&d, p, "session.logout", NULL));
    cr_assert(d.cut[q]);
    REASON(resume(test_client_come(&d, 0), token), "token_expired");
}

/* A new password ends all other sessions. */
Test(accounts, password)
{
    peer_id p = test_client_user(&d, "anna"), q = test_client_come(&d, 0);
    FINE(login(q, "anna", "password"));
    REASON(test_client_ask(&d, p, "account.password", "{s:s,s:s}", "old",
                           "passwore", "new", "new password"),
           "bad_credentials");
    json_t *answer = test_client_ask(&d, p, "account.password", "{s:s,s:s}",
                                     "old", "password", "new", "new password");
    cr_assert_eq(test_client_number(answer, "ended"), 1);
    cr_assert(d.cut[q]);
    q = test_client_come(&d, 0);
    REASON(login(q, "anna", "password"), "bad_credentials");
    FINE(login(q, "anna", "new password"));
}

/* A token does what it was made for, and makes none that may do more. */
Test(accounts, scopes)
{
    peer_id p = test_client_user(&d, "anna"), bot = test_client_come(&d, 0);
    json_t *answer = test_client_ask(&d, p, "account.tokens.create",
                                     "{s:s,s:[ss]}", "label", "bot", "scopes",
                                     "read", "account");
    FINE(answer);
    FINE(resume(bot, test_client_text(answer, "token")));
    FINE(test_client_ask(&d, bot, "me.next", NULL));
    REASON(test_client_ask(&d, bot, "table.create", "{s:s,s:i}", "game",
                           "tictactoe", "seats", 2),
           "out_of_scope");
    REASON(test_client_ask(&d, bot, "account.tokens.create", "{s:s,s:[s]}",
                           "label", "more", "scopes", "play"),
           "out_of_scope");
    FINE(test_client_ask(&d, p, "account.tokens.revoke", "{s:s}", "id",
                         test_client_text(answer, "id")));
    cr_assert(d.cut[bot]);
    REASON(test_client_ask(&d, p, "account.tokens.revoke", "{s:s}", "id",
                           test_client_text(answer, "id")),
           "no_such_token");
}

static json_t *make_keyed(peer_id p, const char *key)
{
    return test_client_ask(&d, p, "account.tokens.create", "{s:s,s:[s],s:s}",
                           "label", "bot", "scopes", "play", "key", key);
}

/* With a key a token is made once.  Who asks again is told which it was, but
 * not its text, which is stored nowhere; so it can be ended by who never heard
 * it. */
Test(accounts, tokens_with_a_key)
{
    peer_id p = test_client_user(&d, "anna");
    const json_t *first = make_keyed(p, "k"), *again = make_keyed(p, "k");
    const char *text = test_client_text(first, "token");

    FINE(first);
    FINE(again);
    cr_assert(json_is_true(test_client_member(again, "duplicate")));
    cr_assert_null(test_client_member(again, "token"));
    cr_assert_str_eq(test_client_text(first, "id"),
                     test_client_text(again, "id"));
    for (size_t i = 0; i < d.world.disk.key_count; i++)
        cr_assert_null(strstr(d.world.disk.keys[i].answer, text));
    cr_assert_str_neq(test_client_text(make_keyed(p, "l"), "id"),
                      test_client_text(first, "id"));
    size_t tokens = d.world.disk.token_count;
    FINE(test_client_ask(&d, p, "account.tokens.revoke", "{s:s}", "id",
                         test_client_text(again, "id")));
    cr_assert_eq(d.world.disk.token_count, tokens - 1);
    REASON(resume(test_client_come(&d, 0), text), "token_expired");
}

/* Two requests with one key that meet before either is stored make one token,
 * and both are told of it. */
Test(accounts, tokens_with_a_key_at_once)
{
    peer_id p = test_client_user(&d, "anna");
    size_t tokens = d.world.disk.token_count;
    int ids[2];

    for (int i = 0; i < 2; i++)
        ids[i] = test_client_send(&d, p, "account.tokens.create",
                                  json_pack("{s:s,s:[s],s:s}", "label", "bot",
                                            "scopes", "play", "key", "k"));
    test_client_settle(&d);
    const json_t *one = test_client_answer(&d, ids[0]);
    const json_t *two = test_client_answer(&d, ids[1]);
    FINE(one);
    FINE(two);
    cr_assert_str_eq(test_client_text(one, "id"), test_client_text(two, "id"));
    cr_assert_neq(test_client_member(one, "token") == NULL,
                  test_client_member(two, "token") == NULL);
    cr_assert_eq(d.world.disk.token_count, tokens + 1);
}

/* Sessions and tokens do not grow without end. */
Test(accounts, tokens_are_limited)
{
    peer_id p = test_client_user(&d, "anna");
    for (int i = 0; i < LIMIT_TOKENS; i++)
        FINE(test_client_ask(&d, p, "account.tokens.create", "{s:s,s:[s]}",
                             "label", "bot", "scopes", "read"));
    REASON(test_client_ask(&d, p, "account.tokens.create", "{s:s,s:[s]}",
                           "label", "bot", "scopes", "read"),
           "too_many_tokens");
    for (int i = 0; i < LIMIT_SESSIONS + 5; i++) {
        peer_id q = test_client_come(&d, 0);
        FINE(login(q, "anna", "password"));
        hub_close(d.world.hub, q, d.world.now_ms);
    }
    size_t labelled = LIMIT_TOKENS;
    cr_assert_leq(d.world.disk.token_count, labelled + LIMIT_SESSIONS);
}

/* Who is barred neither logs in nor comes back. */
Test(accounts, bans)
{
    peer_id p = test_client_come(&d, 0), q = test_client_come(&d, 0);
    char token[64];
    json_t *answer = test_client_ask(&d, p, "account.register", "{s:s,s:s}",
                                     "name", "anna", "password", "password");
    snprintf(token, sizeof(token), "%s", test_client_text(answer, "token"));
    d.world.disk.accounts[0].banned_until = d.world.now_ms + 1000000;
    REASON(login(q, "anna", "password"), "banned");
    REASON(resume(q, token), "banned");
}

/* A guest lasts a day after their last request, and becomes permanent. */
Test(accounts, guests)
{
    peer_id p = test_client_come(&d, 0);
    char token[64];
    d.world.config.guest_ms = INT64_C(24) * 3600 * 1000;
    hub_configure(d.world.hub, &d.world.config);
    json_t *answer = test_client_ask(&d, p, "account.guest", NULL);
    snprintf(token, sizeof(token), "%s", test_client_text(answer, "token"));
    d.world.now_ms += INT64_C(20) * 3600 * 1000;
    FINE(test_client_ask(&d, p, "me.next", NULL)); /* seen again */
    test_client_settle(&d);
    d.world.now_ms += INT64_C(20) * 3600 * 1000;
    FINE(resume(test_client_come(&d, 0), token));
    d.world.now_ms += INT64_C(26) * 3600 * 1000;
    REASON(resume(test_client_come(&d, 0), token), "token_expired");
    FINE(test_client_ask(&d, p, "account.keep", "{s:s,s:s}", "name", "anna",
                         "password", "password"));
    REASON(test_client_ask(&d, p, "account.keep", "{s:s,s:s}", "name", "anna2",
                           "password", "password"),
           "not_a_guest");
    FINE(login(test_client_come(&d, 0), "anna", "password"));
}

/* An id may be 64 bytes of anything. */
Test(accounts, long_ids)
{
    char text[600] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"server.hello\",\"id\":\"";
    peer_id p = test_client_come(&d, 0);
    for (int i = 0; i < 64; i++)
        strcat(text, "\\u0001");
    strcat(text, "\"}");
    hub_message(d.world.hub, p, text, strlen(text), d.world.now_ms);
    cr_assert_eq(d.count, 1);
    FINE(d.messages[0].text);
}

/* When the server goes, all who have spoken are told, and nothing begins. */
Test(accounts, shutdown)
{
    peer_id p = test_client_come(&d, 0), silent = test_client_come(&d, 0);
    size_t told;
    FINE(test_client_ask(&d, p, "server.hello", NULL));
    hub_shutdown(d.world.hub, d.world.now_ms);
    test_client_heard(&d, p, "server.notice", &told);
    cr_assert_eq(told, 1);
    test_client_heard(&d, silent, "server.notice", &told);
    cr_assert_eq(told, 0);
    REASON(test_client_ask(&d, p, "server.hello", NULL), "shutting_down");
    test_client_settle(&d); /* the last sign of life is stored */
    cr_assert(hub_idle(d.world.hub));
}
