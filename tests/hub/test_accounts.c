/* test_accounts.c -- accounts, sessions and tokens, one method after the
 * other. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/desk.h"

static struct desk d;

static void begin(void)
{
    desk_open(&d, 7);
}

static void end(void)
{
    desk_close(&d);
}

TestSuite(accounts, .init = begin, .fini = end);

static json_t *login(peer_id p, const char *name, const char *password)
{
    return desk_ask(&d, p, "session.login", "{s:s,s:s}", "name", name,
                    "password", password);
}

static json_t *resume(peer_id p, const char *token)
{
    return desk_ask(&d, p, "session.resume", "{s:s}", "token", token);
}

/* A name is somebody's however it is written. */
Test(accounts, names_are_unique)
{
    desk_user(&d, "Anna");
    peer_id p = desk_come(&d, 0);
    REASON(desk_ask(&d, p, "account.register", "{s:s,s:s}", "name", "aNNa",
                    "password", "password"),
           "name_taken");
}

/* Unknown names and wrong passwords are told apart by nothing. */
Test(accounts, login)
{
    desk_user(&d, "anna");
    peer_id p = desk_come(&d, 0);
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
    peer_id p = desk_come(&d, 0), q = desk_come(&d, 0);

    FINE(desk_ask(&d, p, "account.register", "{s:s,s:s#}", "name", "anna",
                  "password", whole, 10));
    REASON(login(q, "anna", "aaaaaaaa"), "bad_credentials");
    REASON(desk_ask(&d, q, "session.login", "{s:s,s:s#}", "name", "anna",
                    "password", other, 10),
           "bad_credentials");
    REASON(desk_ask(&d, p, "account.password", "{s:s,s:s}", "old", "aaaaaaaa",
                    "new", "password"),
           "bad_credentials");
    FINE(desk_ask(&d, q, "session.login", "{s:s,s:s#}", "name", "anna",
                  "password", whole, 10));
    FINE(desk_ask(&d, p, "account.password", "{s:s#,s:s#}", "old", whole, 10,
                  "new", other, 10));
    p = desk_come(&d, 0);
    REASON(login(p, "anna", "aaaaaaaa"), "bad_credentials");
    FINE(desk_ask(&d, p, "session.login", "{s:s,s:s#}", "name", "anna",
                  "password", other, 10));
}

/* Requests without login are refused before anything else is looked at. */
Test(accounts, login_comes_first)
{
    peer_id p = desk_come(&d, 0);
    REASON(desk_ask(&d, p, "table.move", "{s:s}", "nonsense", "yes"),
           "not_authenticated");
    REASON(desk_ask(&d, p, "me.next", NULL), "not_authenticated");
}

/* What follows a log-in on the same connection waits for it. */
Test(accounts, log_ins_are_barriers)
{
    peer_id p = desk_come(&d, 0);
    int first = desk_send(&d, p, "account.guest", NULL);
    int second = desk_send(&d, p, "me.next", NULL);
    desk_settle(&d);
    FINE(desk_answer(&d, first));
    FINE(desk_answer(&d, second));
}

/* Failed log-ins are slowed by address; those nearby are not. */
Test(accounts, failures_are_slowed)
{
    char name[24];
    const char *last = "";
    desk_user(&d, "anna");
    for (int i = 0; i < 2 * LIMIT_FAILED_BURST; i++) {
        peer_id p = desk_come(&d, 99);
        snprintf(name, sizeof(name), "name%d", i);
        last = desk_reason(login(p, name, "password"));
    }
    cr_assert_str_eq(last, "rate_limited");
    FINE(login(desk_come(&d, 0), "anna", "password"));
}

/* Who fails as somebody, from as many addresses as there are, keeps others out
 * for a while who say they are; but not from where that somebody has come in
 * before.  Failures from there count as anybody's. */
Test(accounts, failures_of_others)
{
    desk_user(&d, "anna");
    FINE(login(desk_come(&d, 7), "Anna", "password"));
    for (uint64_t i = 0; i < 2 * LIMIT_FAILED_BURST; i++)
        login(desk_come(&d, 100 + i), "anna", "passwore");
    REASON(login(desk_come(&d, 8), "anna", "password"), "rate_limited");
    FINE(login(desk_come(&d, 7), "anna", "password"));
    const char *last = "";
    for (int i = 0; i < 2 * LIMIT_FAILED_BURST; i++)
        last = desk_reason(login(desk_come(&d, 7), "anna", "passwore"));
    cr_assert_str_eq(last, "rate_limited");
}

/* A session ends with its token, wherever it is in use. */
Test(accounts, logout_ends_the_token)
{
    peer_id p = desk_come(&d, 0), q = desk_come(&d, 0);
    char token[64];
    json_t *answer = desk_ask(&d, p, "account.guest", NULL);
    snprintf(token, sizeof(token), "%s", desk_text(answer, "token"));
    FINE(resume(q, token));
    FINE(desk_ask(&d, p, "session.logout", NULL));
    cr_assert(d.cut[q]);
    REASON(resume(desk_come(&d, 0), token), "token_expired");
}

/* A new password ends all other sessions. */
Test(accounts, password)
{
    peer_id p = desk_user(&d, "anna"), q = desk_come(&d, 0);
    FINE(login(q, "anna", "password"));
    REASON(desk_ask(&d, p, "account.password", "{s:s,s:s}", "old", "passwore",
                    "new", "new password"),
           "bad_credentials");
    json_t *answer = desk_ask(&d, p, "account.password", "{s:s,s:s}", "old",
                              "password", "new", "new password");
    cr_assert_eq(desk_number(answer, "ended"), 1);
    cr_assert(d.cut[q]);
    q = desk_come(&d, 0);
    REASON(login(q, "anna", "password"), "bad_credentials");
    FINE(login(q, "anna", "new password"));
}

/* A token does what it was made for, and makes none that may do more. */
Test(accounts, scopes)
{
    peer_id p = desk_user(&d, "anna"), bot = desk_come(&d, 0);
    json_t *answer = desk_ask(&d, p, "account.tokens.create", "{s:s,s:[ss]}",
                              "label", "bot", "scopes", "read", "account");
    FINE(answer);
    FINE(resume(bot, desk_text(answer, "token")));
    FINE(desk_ask(&d, bot, "me.next", NULL));
    REASON(desk_ask(&d, bot, "table.create", "{s:s,s:i}", "game", "tictactoe",
                    "seats", 2),
           "out_of_scope");
    REASON(desk_ask(&d, bot, "account.tokens.create", "{s:s,s:[s]}", "label",
                    "more", "scopes", "play"),
           "out_of_scope");
    FINE(desk_ask(&d, p, "account.tokens.revoke", "{s:s}", "id",
                  desk_text(answer, "id")));
    cr_assert(d.cut[bot]);
    REASON(desk_ask(&d, p, "account.tokens.revoke", "{s:s}", "id",
                    desk_text(answer, "id")),
           "no_such_token");
}

static json_t *make_keyed(peer_id p, const char *key)
{
    return desk_ask(&d, p, "account.tokens.create", "{s:s,s:[s],s:s}", "label",
                    "bot", "scopes", "play", "key", key);
}

/* With a key a token is made once.  Who asks again is told which it was, but
 * not its text, which is stored nowhere; so it can be ended by who never heard
 * it. */
Test(accounts, tokens_with_a_key)
{
    peer_id p = desk_user(&d, "anna");
    const json_t *first = make_keyed(p, "k"), *again = make_keyed(p, "k");
    const char *text = desk_text(first, "token");

    FINE(first);
    FINE(again);
    cr_assert(json_is_true(desk_member(again, "duplicate")));
    cr_assert_null(desk_member(again, "token"));
    cr_assert_str_eq(desk_text(first, "id"), desk_text(again, "id"));
    for (size_t i = 0; i < d.world.disk.key_count; i++)
        cr_assert_null(strstr(d.world.disk.keys[i].answer, text));
    cr_assert_str_neq(desk_text(make_keyed(p, "l"), "id"),
                      desk_text(first, "id"));
    size_t tokens = d.world.disk.token_count;
    FINE(desk_ask(&d, p, "account.tokens.revoke", "{s:s}", "id",
                  desk_text(again, "id")));
    cr_assert_eq(d.world.disk.token_count, tokens - 1);
    REASON(resume(desk_come(&d, 0), text), "token_expired");
}

/* Two requests with one key that meet before either is stored make one token,
 * and both are told of it. */
Test(accounts, tokens_with_a_key_at_once)
{
    peer_id p = desk_user(&d, "anna");
    size_t tokens = d.world.disk.token_count;
    int ids[2];

    for (int i = 0; i < 2; i++)
        ids[i] = desk_send(&d, p, "account.tokens.create",
                           json_pack("{s:s,s:[s],s:s}", "label", "bot",
                                     "scopes", "play", "key", "k"));
    desk_settle(&d);
    const json_t *one = desk_answer(&d, ids[0]);
    const json_t *two = desk_answer(&d, ids[1]);
    FINE(one);
    FINE(two);
    cr_assert_str_eq(desk_text(one, "id"), desk_text(two, "id"));
    cr_assert_neq(desk_member(one, "token") == NULL,
                  desk_member(two, "token") == NULL);
    cr_assert_eq(d.world.disk.token_count, tokens + 1);
}

/* Sessions and tokens do not grow without end. */
Test(accounts, tokens_are_limited)
{
    peer_id p = desk_user(&d, "anna");
    for (int i = 0; i < LIMIT_TOKENS; i++)
        FINE(desk_ask(&d, p, "account.tokens.create", "{s:s,s:[s]}", "label",
                      "bot", "scopes", "read"));
    REASON(desk_ask(&d, p, "account.tokens.create", "{s:s,s:[s]}", "label",
                    "bot", "scopes", "read"),
           "too_many_tokens");
    for (int i = 0; i < LIMIT_SESSIONS + 5; i++) {
        peer_id q = desk_come(&d, 0);
        FINE(login(q, "anna", "password"));
        hub_close(d.world.hub, q, d.world.now_ms);
    }
    size_t labelled = LIMIT_TOKENS;
    cr_assert_leq(d.world.disk.token_count, labelled + LIMIT_SESSIONS);
}

/* Who is barred neither logs in nor comes back. */
Test(accounts, bans)
{
    peer_id p = desk_come(&d, 0), q = desk_come(&d, 0);
    char token[64];
    json_t *answer = desk_ask(&d, p, "account.register", "{s:s,s:s}", "name",
                              "anna", "password", "password");
    snprintf(token, sizeof(token), "%s", desk_text(answer, "token"));
    d.world.disk.accounts[0].banned_until = d.world.now_ms + 1000000;
    REASON(login(q, "anna", "password"), "banned");
    REASON(resume(q, token), "banned");
}

/* A guest lasts a day after their last request, and becomes permanent. */
Test(accounts, guests)
{
    peer_id p = desk_come(&d, 0);
    char token[64];
    d.world.config.guest_ms = INT64_C(24) * 3600 * 1000;
    hub_configure(d.world.hub, &d.world.config);
    json_t *answer = desk_ask(&d, p, "account.guest", NULL);
    snprintf(token, sizeof(token), "%s", desk_text(answer, "token"));
    d.world.now_ms += INT64_C(20) * 3600 * 1000;
    FINE(desk_ask(&d, p, "me.next", NULL)); /* seen again */
    desk_settle(&d);
    d.world.now_ms += INT64_C(20) * 3600 * 1000;
    FINE(resume(desk_come(&d, 0), token));
    d.world.now_ms += INT64_C(26) * 3600 * 1000;
    REASON(resume(desk_come(&d, 0), token), "token_expired");
    FINE(desk_ask(&d, p, "account.keep", "{s:s,s:s}", "name", "anna",
                  "password", "password"));
    REASON(desk_ask(&d, p, "account.keep", "{s:s,s:s}", "name", "anna2",
                    "password", "password"),
           "not_a_guest");
    FINE(login(desk_come(&d, 0), "anna", "password"));
}

/* An id may be 64 bytes of anything. */
Test(accounts, long_ids)
{
    char text[600] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"server.hello\",\"id\":\"";
    peer_id p = desk_come(&d, 0);
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
    peer_id p = desk_come(&d, 0), silent = desk_come(&d, 0);
    size_t told;
    FINE(desk_ask(&d, p, "server.hello", NULL));
    hub_shutdown(d.world.hub, d.world.now_ms);
    desk_heard(&d, p, "server.notice", &told);
    cr_assert_eq(told, 1);
    desk_heard(&d, silent, "server.notice", &told);
    cr_assert_eq(told, 0);
    REASON(desk_ask(&d, p, "server.hello", NULL), "shutting_down");
    cr_assert(hub_idle(d.world.hub));
}
