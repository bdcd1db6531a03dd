/* test_journal.c -- what the operator reads: who came how, what failed and why,
 * line by line; and the counts. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "protocol/methods.h"
#include "tests/support/test_client.h"

#define ADDRESS "192.0.2.7"

static struct test_client d;
static char lines[64][400];
static size_t count;

/* A line without its time: the level, then each field. */
static void read_line(struct world *w, enum host_level level,
                      const json_t *line)
{
    static const char *const levels[] = {"error", "warning", "notice", "info",
                                         "debug"};
    const char *key;
    json_t *value;

    (void)w;
    cr_assert_lt(count, 64);
    char *to = lines[count++];
    int len = snprintf(to, sizeof(lines[0]), "%s", levels[level]);
    json_object_foreach((json_t *)line, key, value)
    {
        if (strcmp(key, "time") == 0 || strcmp(key, "level") == 0)
            continue;
        size_t room = sizeof(lines[0]) - (size_t)len;
        if (json_is_string(value))
            len += snprintf(to + len, room, " %s=%s", key,
                            json_string_value(value));
        else
            len += snprintf(to + len, room, " %s=%lld", key,
                            (long long)json_integer_value(value));
    }
}

static void begin(void)
{
    test_client_open(&d, 7);
    d.world.logged = read_line;
    count = 0;
}

static void end(void)
{
    d.world.logged = NULL;
    test_client_close(&d);
}

TestSuite(journal, .init = begin, .fini = end, .timeout = 600);

/* A connection from an address. */
static peer_id come(void)
{
    struct peer_info info = {
        .source = 1,
        .direct = true,
        .notices = true,
        .address = ADDRESS,
    };
    hub_open(d.world.hub, ++d.peers, &info, d.world.now_ms);
    return d.peers;
}

/* Whether what was logged about P since the last call is LINES, in which all
 * between the address and the event's own fields is left out; ends with
 * NULL. */
static void logged(peer_id p, const char *const *wanted)
{
    char conn[64];
    size_t i = 0;

    snprintf(conn, sizeof(conn),
             " address=" ADDRESS " conn=%d request=", (int)p);
    for (; wanted[i] != NULL && i < count; i++) {
        char *about = strstr(lines[i], conn);
        if (about != NULL) {
            char *rest = about + strlen(conn) +
                         strspn(about + strlen(conn), "0123456789");
            memmove(about, rest, strlen(rest) + 1);
        }
        cr_assert_str_eq(lines[i], wanted[i]);
    }
    cr_assert(wanted[i] == NULL && i == count, "%zu lines: %s", count,
              count > i ? lines[i] : "");
    count = 0;
}
#define LOGGED(p, ...) logged(p, (const char *const[]){__VA_ARGS__, NULL})

static json_t *ask2(peer_id p, const char *method, const char *a,
                    const char *x, const char *b, const char *y)
{
    return test_client_ask(&d, p, method, "{s:s,s:s}", a, x, b, y);
}

/* ---- lines ------------------------------------------------------------- */

/* A connection comes and goes with its number and address, if it has one; the
 * administrator's socket has none. */
Test(journal, connections)
{
    peer_id p = come();
    hub_close(d.world.hub, p, d.world.now_ms);
    test_client_admin(&d);
    LOGGED(p, "debug event=connected conn=1 address=" ADDRESS,
           "debug event=disconnected conn=1 address=" ADDRESS,
           "debug event=connected conn=2");
}

/* Each way in is told with the name, each that failed with the reason, and what
 * a request was refused for. */
Test(journal, log_ins)
{
    peer_id p = come();
    FINE(ask2(p, "account.register", "name", "anna", "password", "password"));
    LOGGED(p, "debug event=connected conn=1 address=" ADDRESS,
           "info event=registered user=anna");
    p = come();
    count = 0;
    REASON(ask2(p, "session.login", "name", "anna", "password", "passwore"),
           "bad_credentials");
    LOGGED(p, "info event=login_failed user=anna reason=bad_credentials",
           "debug event=refused reason=bad_credentials method=session.login");
    REASON(ask2(p, "session.login", "name", "bert", "password", "passwore"),
           "bad_credentials");
    LOGGED(p, "info event=login_failed user=bert reason=bad_credentials",
           "debug event=refused reason=bad_credentials method=session.login");
    json_t *in = ask2(p, "session.login", "name", "anna", "password",
                      "password");
    LOGGED(p, "info event=login user=anna");
    peer_id q = come();
    count = 0;
    FINE(test_client_ask(&d, q, "session.resume", "{s:s}", "token",
                         test_client_text(in, "token")));
    LOGGED(q, "debug event=resumed user=anna");
    d.world.disk.accounts[0].banned_until = d.world.now_ms + 100000;
    p = come();
    count = 0;
    REASON(ask2(p, "session.login", "name", "anna", "password", "password"),
           "banned");
    LOGGED(p, "info event=login_failed user=anna reason=banned",
           "debug event=refused reason=banned method=session.login");
}

/* So are guests, who they become, and new passwords. */
Test(journal, accounts)
{
    char was[64], line[128];
    peer_id p = come();

    count = 0;
    json_t *made = test_client_ask(&d, p, "account.guest", NULL);
    snprintf(was, sizeof(was), "%s",
             json_string_value(
                 json_object_get(test_client_member(made, "user"), "name")));
    snprintf(line, sizeof(line), "info event=guest user=%s", was);
    LOGGED(p, line);
    FINE(ask2(p, "account.keep", "name", "anna", "password", "password"));
    snprintf(line, sizeof(line), "info event=registered user=anna was=%s",
             was);
    LOGGED(p, line);
    REASON(ask2(p, "account.password", "old", "passwore", "new", "passwort"),
           "bad_credentials");
    LOGGED(p, "info event=login_failed user=anna reason=bad_old_password",
           "debug event=refused reason=bad_credentials "
           "method=account.password user=anna");
    FINE(ask2(p, "account.password", "old", "password", "new", "passwort"));
    LOGGED(p, "info event=password_changed user=anna");
}

/* So are bots' tokens, passwords of tables, and codes that were no good. */
Test(journal, tokens_and_codes)
{
    char table[16];
    peer_id p = come(), q = come();

    FINE(ask2(p, "account.register", "name", "anna", "password", "password"));
    FINE(ask2(q, "account.register", "name", "bert", "password", "password"));
    FINE(test_client_create(&d, p, json_pack("{s:s}", "password", "12345678"),
                            table));
    count = 0;
    json_t *made = test_client_ask(&d, p, "account.tokens.create",
                                   "{s:s,s:[s]}", "label", "bot", "scopes",
                                   "read");
    LOGGED(p, "info event=token_created user=anna label=bot");
    FINE(test_client_ask(&d, p, "account.tokens.revoke", "{s:s}", "id",
                         test_client_text(made, "id")));
    LOGGED(p, "info event=token_revoked user=anna");
    REASON(ask2(q, "table.join", "table", table, "password", "87654321"),
           "wrong_password");
    LOGGED(q, "info event=table_password_failed user=bert",
           "debug event=refused reason=wrong_password method=table.join "
           "user=bert");
    p = come();
    count = 0;
    REASON(ask2(p, "account.reset", "code", "abcdefghijklmnopqrstuvwxyz234567",
                "password", "password"),
           "no_such_link");
    LOGGED(p, "info event=password_reset_failed reason=no_such_link",
           "debug event=refused reason=no_such_link method=account.reset");
    d.world.config.registration = REGISTRATION_INVITE;
    hub_configure(d.world.hub, &d.world.config);
    REASON(test_client_ask(&d, p, "account.register", "{s:s,s:s,s:s}", "name",
                           "carl", "password", "password", "invite",
                           "abcdefghijklmnopqrstuvwxyz234567"),
           "not_invited");
    LOGGED(p, "info event=invitation_failed reason=no_such_code",
           "debug event=refused reason=not_invited method=account.register");
}

/* A password that was set by a link is told, and what the administrator changed
 * with who it was about, but no secret. */
Test(journal, administrator)
{
    peer_id admin = test_client_admin(&d), p = come();

    FINE(ask2(p, "account.register", "name", "anna", "password", "password"));
    count = 0;
    json_t *link = ask2(admin, "admin.links.create", "purpose", "reset",
                        "user", "anna");
    cr_assert_eq(count, 1);
    cr_assert_str_eq(lines[0], "notice event=admin conn=1 request=2 "
                               "method=admin.links.create uid=77 user=anna "
                               "params={\"purpose\":\"reset\"}");
    p = come();
    count = 0;
    FINE(ask2(p, "account.reset", "code", test_client_text(link, "code"),
              "password", "passwort"));
    LOGGED(p, "info event=password_reset user=anna");
    FINE(ask2(admin, "admin.users.rename", "user", "anna", "name", "eve"));
    cr_assert_str_eq(lines[0], "notice event=admin conn=1 request=4 "
                               "method=admin.users.rename uid=77 user=anna "
                               "name=eve params={}");
}

/* What is the server's own fault is a warning with the request's number, which
 * the answer has, too. */
Test(journal, our_fault)
{
    peer_id p = come();

    d.world.deaf_per_1000 = 1000;
    count = 0;
    json_t *no = ask2(p, "session.login", "name", "anna", "password",
                      "password");
    REASON(no, "storage_unavailable");
    const json_t *data = json_object_get(json_object_get(no, "error"), "data");
    cr_assert_eq(json_integer_value(json_object_get(data, "request")), 1);
    /* What the hub asks of itself meanwhile fails, too, and is no warning. */
    size_t at = 0;
    while (at + 1 < count && strncmp(lines[at], "warning", 7) != 0)
        at++;
    cr_assert_eq(count, at + 1);
    cr_assert_str_eq(lines[at],
                     "warning event=refused address=" ADDRESS " conn=1 "
                     "request=1 reason=storage_unavailable "
                     "method=session.login");
    REASON(test_client_ask(&d, p, "session.nonsense", NULL), "unknown_method");
    cr_assert_str_eq(lines[at + 1],
                     "debug event=refused address=" ADDRESS " conn=1 "
                     "request=2 reason=unknown_method");
}

/* ---- counts -------------------------------------------------------------- */

static struct hub_counts counts(void)
{
    struct hub_counts c;

    hub_counts(d.world.hub, &c);
    return c;
}

/* Log-ins are counted by how they ended, accounts by what they are, refusals by
 * their reason. */
Test(journal, counts)
{
    d.world.logged = NULL;
    peer_id p = test_client_user(&d, "anna"), q = come();
    REASON(ask2(q, "session.login", "name", "anna", "password", "passwore"),
           "bad_credentials");
    FINE(ask2(q, "session.login", "name", "anna", "password", "password"));
    FINE(test_client_ask(&d, come(), "account.guest", NULL));
    FINE(test_client_ask(&d, come(), "account.guest", NULL));
    d.world.disk.accounts[0].banned_until = d.world.now_ms + 100000;
    REASON(ask2(come(), "session.login", "name", "anna", "password",
                "password"),
           "banned");
    REASON(test_client_ask(&d, p, "table.get", "{s:s}", "table",
                           "aaaaaaaaaaaab"),
           "no_such_table");
    struct hub_counts c = counts();
    cr_assert_eq(c.logins[LOGIN_GOOD], 1);
    cr_assert_eq(c.logins[LOGIN_FAILED], 1);
    cr_assert_eq(c.logins[LOGIN_BANNED], 1);
    cr_assert_eq(c.registered, 1);
    cr_assert_eq(c.guests, 2);
    cr_assert_eq(c.refused, 3);
    cr_assert_eq(c.refusals[ERR_BAD_CREDENTIALS], 1);
    cr_assert_eq(c.refusals[ERR_BANNED], 1);
    cr_assert_eq(c.refusals[ERR_NO_SUCH_TABLE], 1);
    cr_assert_eq(c.peers, 5);
    cr_assert_eq(c.accounts, 3);
    cr_assert_eq(c.requests, 7);
}

static uint64_t sum(const struct latency *l)
{
    uint64_t n = 0;

    for (int i = 0; i < LATENCY_BUCKETS; i++)
        n += l->buckets[i];
    return n;
}

/* How long an answer took is counted in the bucket of that many milliseconds,
 * and in the last one if it is longer than all of them. */
Test(journal, latency)
{
    static const int64_t waits[] = {0, 1,   2,     3,     4,
                                    5, 100, 16384, 16385, 99999};

    d.world.logged = NULL;
    d.world.hashes_wait = true;
    for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
        peer_id p = come();
        struct latency before = counts().answers[RATE_LOGIN];
        int id = test_client_send(&d, p, "session.login",
                                  json_pack("{s:s,s:s}", "name", "anna",
                                            "password", "password"));
        test_client_settle(&d);
        cr_assert_null(test_client_answer(&d, id));
        /* Hashes take no time but this. */
        int64_t came = d.world.now_ms;
        d.world.hashes_wait = false;
        d.world.now_ms += waits[i];
        test_client_settle(&d);
        d.world.hashes_wait = true;
        REASON(test_client_answer(&d, id), "bad_credentials");
        struct latency after = counts().answers[RATE_LOGIN];
        uint64_t took = after.sum_ms - before.sum_ms;
        cr_assert_geq(took, (uint64_t)waits[i]);
        cr_assert_leq(took, (uint64_t)(d.world.now_ms - came) + 1000);
        cr_assert_eq(sum(&after), sum(&before) + 1);
        for (int b = 0; b < LATENCY_BUCKETS; b++)
            if (after.buckets[b] != before.buckets[b])
                cr_assert((b == LATENCY_BUCKETS - 1 || took <= UINT64_C(1)
                                                                   << b) &&
                              (b == 0 || took > UINT64_C(1) << (b - 1)),
                          "%d ms in bucket %d", (int)took, b);
    }
}

/* A move is counted when it is stored, by itself and among all; one that was
 * refused is not. */
Test(journal, moves)
{
    char table[16];

    d.world.logged = NULL;
    peer_id p = test_client_user(&d, "anna"), q = test_client_user(&d, "bert");
    FINE(test_client_create(&d, p, NULL, table));
    FINE(test_client_ask(&d, q, "table.join", "{s:s}", "table", table));
    json_t *legal = test_client_ask(&d, p, "table.legal", "{s:s}", "table",
                                    table);
    json_t *move = json_array_get(test_client_member(legal, "moves"), 0);
    struct hub_counts before = counts();
    for (int i = 0; i < 2; i++)
        test_client_ask(&d, i == 0 ? p : q, "table.move", "{s:s,s:O,s:O}",
                        "table", table, "decision",
                        test_client_member(legal, "decision"), "move", move);
    struct hub_counts after = counts();
    cr_assert_eq(after.refused, before.refused + 1);
    cr_assert_eq(sum(&after.moves_stored), sum(&before.moves_stored) + 1);
    cr_assert_eq(sum(&after.answers[RATE_MOVE]),
                 sum(&before.answers[RATE_MOVE]) + 2);
    cr_assert_eq(after.moves, before.moves + 1);
    cr_assert_eq(after.plies, before.plies + 1);
}
