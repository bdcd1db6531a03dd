/* test_proxied.c -- people of whom a proxy says who they are: each has an account
 * of their own, with a name like what the proxy calls them. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/test_client.h"

static struct test_client d;
static peer_id admin;

static void begin(void)
{
    test_client_open(&d, 66);
    admin = test_client_admin(&d);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(proxied, .init = begin, .fini = end, .timeout = 600);

/* A connection of which the proxy says that it is USER's. */
static peer_id come(const char *user)
{
    struct peer_info info = {.source = 1, .direct = true, .notices = true};

    snprintf(info.user, sizeof(info.user), "%s", user);
    hub_open(d.world.hub, ++d.peers, &info, d.world.now_ms);
    return d.peers;
}

static json_t *enter(peer_id p)
{
    return test_client_ask(&d, p, "session.proxy", NULL);
}

/* The name under which USER comes in. */
static const char *name_of(const char *user)
{
    json_t *answer = enter(come(user));

    FINE(answer);
    return json_string_value(
        json_object_get(test_client_member(answer, "user"), "name"));
}

static json_t *resume(peer_id p, const char *token)
{
    return test_client_ask(&d, p, "session.resume", "{s:s}", "token", token);
}

static json_t *bind(const char *user, const char *proxied)
{
    return test_client_ask(&d, admin, "admin.users.bind", "{s:s,s:s*}", "user",
                           user, "proxied", proxied);
}

/* What a proxy calls somebody becomes a name: up to an @, of the letters that names
 * have, with one dash for any others between them, and no longer than names are. */
Test(proxied, names)
{
    static const struct {
        const char *user, *name;
    } tries[] = {
        {"ana", "ana"},
        {"_Zz-Aa09_", "_Zz-Aa09_"},
        {"ben@example.org", "ben"},
        {"J\303\266rg M\303\274ller", "J-rg-M-ller"},
        {"{c[`d/:e", "c-d-e"},
        {"..dots..", "dots"},
        {"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst"},
        {"abcdefghijklmnopqrs.tuv", "abcdefghijklmnopqrs"},
        {"ab", "ab"},
        {"!", "player"},
        {"x", "player-2"},
        {"@example.org", "player-3"},
    };

    for (size_t i = 0; i < COUNT_OF(tries); i++)
        cr_assert_str_eq(name_of(tries[i].user), tries[i].name, "%s",
                         tries[i].user);
}

/* Who comes again has the same account, another person another one, however alike
 * they are called; of nine names one is tried after the other, then any. */
Test(proxied, alike)
{
    char user[20], want[20];

    test_client_user(&d, "Anna");
    cr_assert_str_eq(name_of("anna"), "anna-2", "the other has a password");
    cr_assert_str_eq(name_of("anna"), "anna-2");
    for (int i = 3; i <= 9; i++) {
        snprintf(user, sizeof(user), "anna@%d", i);
        snprintf(want, sizeof(want), "anna-%d", i);
        cr_assert_str_eq(name_of(user), want);
    }
    size_t accounts = d.world.disk.account_count;
    const char *last = name_of("anna@10");
    cr_assert(strlen(last) == strlen("anna-abc") &&
              strncmp(last, "anna-", 5) == 0);
    cr_assert_str_eq(name_of("anna@10"), last);
    cr_assert_eq(d.world.disk.account_count, accounts + 1);
}

/* Nobody gets a name like those of bots, whatever they are called elsewhere. */
Test(proxied, no_bots)
{
    cr_assert_str_eq(name_of("bot-greedy"), "player");
    cr_assert_str_eq(name_of("Bot.Clever"), "player-2");
    cr_assert_str_eq(name_of("bot"), "bot");
}

/* An account that is made is a user's, from now on, without a password. */
Test(proxied, account)
{
    peer_id p = come("ana");
    json_t *hello = test_client_ask(&d, p, "server.hello", NULL);
    int64_t now = d.world.now_ms;

    cr_assert_str_eq(test_client_text(hello, "proxied"), "ana");
    FINE(enter(p));
    const struct account_row *row = &d.world.disk.accounts[0];
    cr_assert(row->kind == ACCOUNT_USER && row->password == NULL &&
              row->created >= now && row->created <= d.world.now_ms &&
              row->seen == row->created);
    json_t *part = test_client_ask(&d, p, "account.export", "{s:s}", "part",
                                   "proxied");
    cr_assert(test_client_is(part, "{s:[{s:s}]}", "rows", "user", "ana"));
    REASON(enter(p), "already_logged_in");
    p = test_client_come(&d, 0);
    hello = test_client_ask(&d, p, "server.hello", NULL);
    cr_assert_null(test_client_member(hello, "proxied"));
    REASON(enter(p), "not_proxied");
    FINE(
        test_client_ask(&d, admin, "admin.users.ban", "{s:s}", "user", "ana"));
    REASON(enter(come("ana")), "banned");
}

/* A session goes on where the proxy says the same, or nothing; not for somebody
 * else who comes by the proxy. */
Test(proxied, resumed)
{
    json_t *answer = enter(come("ana"));
    char token[64];

    snprintf(token, sizeof(token), "%s", test_client_text(answer, "token"));
    cr_assert_str_eq(name_of("ben"), "ben");
    FINE(resume(come("ana"), token));
    FINE(resume(test_client_come(&d, 0), token));
    REASON(resume(come("ben"), token), "token_expired");
    REASON(resume(come("carl"), token), "token_expired");
}

/* The operator says whose account somebody has who comes by the proxy: their
 * sessions end, and it stands among what was changed; or that they have none. */
Test(proxied, bound)
{
    peer_id old = test_client_user(&d, "old"), guest = test_client_come(&d, 0);
    json_t *made = test_client_ask(&d, guest, "account.guest", NULL);

    FINE(bind("old", "olaf"));
    cr_assert(d.cut[old] && !d.cut[guest]);
    cr_assert_eq(d.world.disk.audit_count, 1);
    cr_assert_str_eq(d.world.disk.audits[0].method, "admin.users.bind");
    cr_assert_str_eq(name_of("olaf"), "old");
    FINE(bind("old", NULL));
    cr_assert_str_eq(name_of("olaf"), "olaf");
    REASON(bind("nobody", "x"), "no_such_user");
    REASON(bind(json_string_value(
                    json_object_get(test_client_member(made, "user"), "name")),
                "x"),
           "is_a_guest");
}

/* Who goes while they are asked about has no account made, or one that is theirs when
 * they come again; and nothing breaks. */
Test(proxied, gone_meanwhile)
{
    for (int steps = 0; steps < 12; steps++) {
        char user[16];
        snprintf(user, sizeof(user), "user%d", steps);
        peer_id p = come(user);
        test_client_send(&d, p, "session.proxy", NULL);
        for (int i = 0; i < steps; i++)
            world_step(&d.world);
        hub_close(d.world.hub, p, d.world.now_ms);
        test_client_settle(&d);
        cr_assert_str_eq(name_of(user), user);
    }
}
