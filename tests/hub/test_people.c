/* test_people.c -- what must hold of people whatever happens at once: passwords
 * changed under log-ins, tokens revoked under requests, names changed under
 * crashes, guests who do not come back. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

#define HOUR_MS (3600 * INT64_C(1000))
#define DAY_MS  (24 * HOUR_MS)

static struct test_client d;
static char table[16];

static void end(void)
{
    test_client_close(&d);
}

TestSuite(people, .fini = end);

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

static json_t *pack(const char *a, const char *x, const char *b, const char *y)
{
    return json_pack("{s:s,s:s}", a, x, b, y);
}

static json_t *resume(peer_id p, const char *token)
{
    return test_client_ask(&d, p, "session.resume", "{s:s}", "token", token);
}

static peer_id guest(char token[64])
{
    peer_id p = test_client_come(&d, 0);
    json_t *answer = test_client_ask(&d, p, "account.guest", NULL);

    FINE(answer);
    snprintf(token, 64, "%s", test_client_text(answer, "token"));
    return p;
}

static void create(peer_id p, json_t *more)
{
    FINE(test_client_create(&d, p, more, table));
}

/* ---- at once ----------------------------------------------------------- */

/* Whatever the order in which hashes, questions and transactions get their
 * turn: when a new password is there nobody is in by the old one, or will
 * be. */
Test(people, password_against_logins)
{
    size_t early = 0, late = 0;

    for (uint64_t seed = 1; seed <= 200; seed++) {
        if (seed > 1)
            test_client_close(&d);
        test_client_open(&d, seed);
        peer_id p = test_client_user(&d, "anna"), q = test_client_come(&d, 0);
        int change = test_client_send(&d, p, "account.password",
                                      pack("old", "password", "new",
                                           "passwore"));
        int login = test_client_send(&d, q, "session.login",
                                     pack("name", "anna", "password",
                                          "password"));
        test_client_settle(&d);
        FINE(test_client_answer(&d, change));
        const json_t *in = test_client_answer(&d, login);
        if (test_client_reason(in)[0] != '\0') {
            REASON(in, "bad_credentials");
            late++;
            continue;
        }
        early++;
        cr_assert(d.cut[q], "seed %d", (int)seed);
        REASON(resume(test_client_come(&d, 0), test_client_text(in, "token")),
               "token_expired");
    }
    cr_assert(early > 10 && late > 10, "%zu early, %zu late", early, late);
}

/* The same for tokens that are made, and for who comes back with one. */
Test(people, password_against_tokens)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        if (seed > 1)
            test_client_close(&d);
        test_client_open(&d, seed);
        peer_id p = test_client_user(&d, "anna"), q = test_client_come(&d, 0);
        peer_id r = test_client_come(&d, 0);
        json_t *in = test_client_ask_json(&d, q, "session.login",
                                          pack("name", "anna", "password",
                                               "password"));
        FINE(in);
        int change = test_client_send(&d, p, "account.password",
                                      pack("old", "password", "new",
                                           "passwore"));
        for (uint64_t i = 0; i < seed % 8; i++)
            world_step(&d.world);
        int made = test_client_send(&d, q, "account.tokens.create",
                                    json_pack("{s:s,s:[s]}", "label", "bot",
                                              "scopes", "read"));
        int back = test_client_send(&d, r, "session.resume",
                                    json_pack("{s:s}", "token",
                                              test_client_text(in, "token")));
        test_client_settle(&d);
        FINE(test_client_answer(&d, change));
        cr_assert(d.cut[q]);
        const json_t *bot = test_client_answer(&d, made);
        const json_t *again = test_client_answer(&d, back);
        if (bot != NULL && test_client_reason(bot)[0] == '\0')
            REASON(resume(test_client_come(&d, 0),
                          test_client_text(bot, "token")),
                   "token_expired");
        cr_assert(d.cut[r] || test_client_reason(again)[0] != '\0');
    }
}

/* ---- names ------------------------------------------------------------- */

static const char *name_in(const json_t *view, size_t seat)
{
    const json_t *seats = json_object_get(view, "seats");
    return json_string_value(
        json_object_get(json_array_get(seats, seat), "name"));
}

/* How often KIND occurs in the table's log. */
static size_t count_plies(peer_id p, const char *kind)
{
    const json_t *plies = test_client_member(at(p, "table.replay"), "plies");
    size_t n = 0;

    for (size_t i = 0; i < json_array_size(plies); i++)
        n += strcmp(json_string_value(
                        json_object_get(json_array_get(plies, i), "kind")),
                    kind) == 0;
    return n;
}

static json_t *keep(peer_id p, const char *name)
{
    return test_client_ask(&d, p, "account.keep", "{s:s,s:s}", "name", name,
                           "password", "password");
}

/* A guest who stays in the middle of a game: each of their tables gets one
 * ply, who watches is told their name, the record is true and says it. */
Test(people, names_in_the_record)
{
    char token[64], other[16], why[256] = "";

    test_client_open(&d, 3);
    peer_id anna = test_client_user(&d, "anna"), g = guest(token);
    create(g, json_object());
    snprintf(other, sizeof(other), "%s", table);
    create(anna, json_object());
    FINE(at(g, "table.join"));
    json_t *seen = at(anna, "table.watch");
    FINE(seen);
    FINE(keep(g, "gina"));
    test_client_settle(&d);
    const json_t *update = test_client_heard(&d, anna, "table.update", NULL);
    const json_t *patch = json_object_get(update, "patch");
    bool told = false;
    for (size_t i = 0; i < json_array_size(patch); i++)
        told = told ||
               strcmp(json_string_value(
                          json_object_get(json_array_get(patch, i), "path")),
                      "/seats/1/name") == 0;
    cr_assert(told);
    cr_assert_str_eq(json_string_value(json_object_get(
                         json_array_get(json_object_get(update, "events"), 0),
                         "kind")),
                     "renamed");
    cr_assert_str_eq(
        name_in(test_client_member(at(anna, "table.watch"), "view"), 1),
        "gina");
    cr_assert_eq(count_plies(anna, "rename"), 1);
    FINE(at(g, "table.resign"));
    char *record = test_client_record(&d, anna, table, NULL);
    cr_assert(test_client_verify(record, why, sizeof(why)), "%s", why);
    cr_assert_not_null(strstr(record, "\"name\":\"gina\""));
    cr_assert_not_null(strstr(record, "\"kind\":\"rename\""));
    free(record);
    snprintf(table, sizeof(table), "%s", other);
    cr_assert_eq(count_plies(anna, "rename"), 1);
    REASON(keep(g, "gina2"), "not_a_guest");
}

/* How often P was told that it is called NAME from now on, by the notice that
 * clients show. */
static size_t told_own_name(peer_id p, const char *name)
{
    size_t count;
    const json_t *notice = test_client_heard(&d, p, "server.notice", &count);
    const json_t *user = json_object_get(notice, "user");
    char text[64];

    if (count == 0)
        return 0;
    snprintf(text, sizeof(text), "You are %s from now on.", name);
    cr_assert_str_eq(json_string_value(json_object_get(notice, "kind")),
                     "broadcast");
    cr_assert_str_eq(json_string_value(json_object_get(notice, "text")), text);
    cr_assert_str_eq(json_string_value(json_object_get(user, "name")), name);
    return count;
}

/* Who is called something else is told, on each of their connections but the
 * one that gets it as its answer; nobody else is. */
Test(people, own_name)
{
    struct peer_info info = {.source = 1, .admin = true, .notices = true};
    char token[64], other[64];

    test_client_open(&d, 3);
    peer_id anna = test_client_user(&d, "anna"), g = guest(token),
            h = guest(other);
    peer_id again = test_client_come(&d, 0), admin = ++d.peers;
    hub_open(d.world.hub, admin, &info, d.world.now_ms);
    FINE(resume(again, token));
    FINE(keep(g, "gina"));
    test_client_settle(&d);
    cr_assert_eq(told_own_name(again, "gina"), 1);
    cr_assert_eq(told_own_name(g, "gina"), 0, "they heard it as their answer");
    FINE(test_client_ask_json(&d, admin, "admin.users.rename",
                              pack("user", "gina", "name", "gerda")));
    test_client_settle(&d);
    cr_assert_eq(told_own_name(again, "gerda"), 2);
    cr_assert_eq(told_own_name(g, "gerda"), 1);
    cr_assert_eq(told_own_name(anna, ""), 0);
    cr_assert_eq(told_own_name(h, ""), 0);
}

/* Who was away while somebody got another name learns it when they come
 * back. */
Test(people, names_for_who_comes_back)
{
    char token[64], chain[65];

    test_client_open(&d, 4);
    peer_id anna = test_client_user(&d, "anna"), g = guest(token);
    create(anna, json_object());
    FINE(at(g, "table.join"));
    const json_t *seen = at(anna, "table.watch");
    json_int_t ply = test_client_number(seen, "ply");
    snprintf(chain, sizeof(chain), "%s", test_client_text(seen, "chain"));
    FINE(at(anna, "table.unwatch"));
    FINE(keep(g, "gina"));
    test_client_settle(&d);
    json_t *missed = test_client_ask(&d, anna, "table.watch", "{s:s,s:I,s:s}",
                                     "table", table, "since", ply, "chain",
                                     chain);
    const json_t *patch = json_object_get(
        json_array_get(test_client_member(missed, "updates"), 0), "patch");
    const char *name = NULL;
    for (size_t i = 0; i < json_array_size(patch); i++) {
        const json_t *op = json_array_get(patch, i);
        if (strcmp(json_string_value(json_object_get(op, "path")),
                   "/seats/1/name") == 0)
            name = json_string_value(json_object_get(op, "value"));
    }
    cr_assert_not_null(name);
    cr_assert_str_eq(name, "gina");
}

/* Another client, of SEED, which begins with 1: Anna has made a table, and
 * there is a guest. */
static peer_id another_desk(uint64_t seed, char token[64], peer_id *ret_anna)
{
    if (seed > 1)
        test_client_close(&d);
    test_client_open(&d, seed);
    *ret_anna = test_client_user(&d, "anna");
    peer_id g = guest(token);
    create(*ret_anna, json_object());
    return g;
}

/* The process dies somewhere between the new name and the plies that say so:
 * afterwards the name is the old one everywhere, or the new one with a ply. */
Test(people, names_and_crashes)
{
    size_t between = 0;

    for (uint64_t seed = 1; seed <= 60; seed++) {
        char token[64];
        peer_id anna, g = another_desk(seed, token, &anna);
        FINE(at(g, "table.join"));
        const json_t *seen = test_client_member(at(anna, "table.watch"),
                                                "view");
        char before[25];
        snprintf(before, sizeof(before), "%s", name_in(seen, 1));
        test_client_send(&d, g, "account.keep",
                         pack("name", "gina", "password", "password"));
        for (uint64_t i = 0; i < seed % 12; i++)
            world_step(&d.world);
        const struct disk *disk = &d.world.disk;
        bool half = disk->tables[0]->rename_count > 0;
        world_crash(&d.world);
        half = half || disk->tables[0]->rename_count > 0;
        between += half;
        if (seed % 2 == 0)
            test_client_wait(&d,
                             2000); /* by itself, or when it is asked for */
        anna = test_client_come(&d, 0);
        FINE(test_client_ask_json(&d, anna, "session.login",
                                  pack("name", "anna", "password",
                                       "password")));
        const json_t *view = test_client_member(at(anna, "table.watch"),
                                                "view");
        size_t plies = count_plies(anna, "rename");
        cr_assert_eq(disk->tables[0]->rename_count, 0);
        cr_assert_str_eq(name_in(view, 1), plies == 1 ? "gina" : before,
                         "seed %d", (int)seed);
        cr_assert(plies == 1 || !half);
    }
    cr_assert(between > 5, "%zu", between);
}

/* The same at a table that ends meanwhile, whose log is closed then: whoever looks
 * at it first is told the name that the account has. */
Test(people, names_and_crashes_at_the_end)
{
    size_t between = 0;

    for (uint64_t seed = 1; seed <= 60; seed++) {
        char token[64];
        peer_id anna, g = another_desk(seed, token, &anna);
        FINE(at(g, "table.join"));
        test_client_send(&d, g, "account.keep",
                         pack("name", "gina", "password", "password"));
        for (uint64_t i = 0; i < seed % 4; i++)
            world_step(&d.world);
        test_client_send(&d, anna, "table.resign",
                         json_pack("{s:s}", "table", table));
        for (uint64_t i = 0; i < seed % 12; i++)
            world_step(&d.world);
        world_crash(&d.world);
        const struct disk_table *t = d.world.disk.tables[0];
        between += t->rename_count > 0 && t->row.summary.state > TABLE_PLAYING;
        anna = test_client_come(&d, 0);
        FINE(test_client_ask_json(&d, anna, "session.login",
                                  pack("name", "anna", "password",
                                       "password")));
        const json_t *view = test_client_member(at(anna, "table.watch"),
                                                "view");
        id_num account = t->row.summary.seat[1];
        cr_assert_str_eq(name_in(view, 1),
                         disk_account(&d.world.disk, account)->name, "seed %d",
                         (int)seed);
    }
    cr_assert(between > 5, "%zu", between);
}

/* The name that the last update told for the second seat, or NULL. */
static const char *told_name(peer_id p)
{
    const json_t *update = test_client_heard(&d, p, "table.update", NULL);
    const json_t *patch = json_object_get(update, "patch");
    const char *name = NULL;

    for (size_t i = 0; i < json_array_size(patch); i++) {
        const json_t *op = json_array_get(patch, i);
        const json_t *value = json_object_get(op, "value");
        const char *path = json_string_value(json_object_get(op, "path"));
        if (strcmp(path, "/seats/1/name") == 0)
            name = json_string_value(value);
        else if (strcmp(path, "/seats/1") == 0)
            name = json_string_value(json_object_get(value, "name"));
        else if (strcmp(path, "/seats") == 0)
            name = json_string_value(
                json_object_get(json_array_get(value, 1), "name"));
    }
    return name;
}

/* They sit down, on another connection, while their new name is being stored,
 * and the process dies before the tables are told: whoever heard the old name
 * hears the new one by a ply. */
Test(people, names_of_who_just_sat_down)
{
    size_t between = 0;

    for (uint64_t seed = 1; seed <= 240; seed++) {
        char token[64];
        peer_id anna, g = another_desk(seed, token, &anna);
        FINE(at(anna, "table.watch"));
        peer_id same = test_client_come(&d, 0);
        FINE(test_client_ask_json(&d, same, "session.resume",
                                  json_pack("{s:s}", "token", token)));
        test_client_send(&d, g, "account.keep",
                         pack("name", "gina", "password", "password"));
        for (uint64_t i = 0; i < seed % 3; i++)
            world_step(&d.world);
        test_client_send(&d, same, "table.join",
                         json_pack("{s:s}", "table", table));
        for (uint64_t i = 0; i < seed % 8; i++)
            world_step(&d.world);
        const char *told = told_name(anna);
        world_crash(&d.world);
        peer_id again = test_client_come(&d, 0);
        FINE(test_client_ask_json(&d, again, "session.login",
                                  pack("name", "anna", "password",
                                       "password")));
        const json_t *view = test_client_member(at(again, "table.watch"),
                                                "view");
        if (told == NULL)
            continue;
        size_t plies = count_plies(again, "rename");
        between += plies > 0;
        cr_assert_str_eq(name_in(view, 1), plies > 0 ? "gina" : told,
                         "seed %d", (int)seed);
    }
    cr_assert(between > 5, "%zu", between);
}

/* ---- guests ------------------------------------------------------------ */

static void guests_last(int64_t ms)
{
    d.world.config.guest_ms = ms;
    hub_configure(d.world.hub, &d.world.config);
}

static size_t accounts_of_kind(enum account_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < d.world.disk.account_count; i++)
        n += d.world.disk.accounts[i].kind == kind;
    return n;
}

/* Guests who do not come back go, with their tokens, some at a time; not those
 * who are connected or play. */
Test(people, guests_go)
{
    char token[64];
    enum { N = 60, STAY = 20 };

    test_client_open(&d, 5);
    guests_last(DAY_MS);
    peer_id anna = test_client_user(&d, "anna"), g = guest(token);
    create(anna, json_object());
    FINE(at(g, "table.join"));
    hub_close(d.world.hub, g, d.world.now_ms);
    for (int i = 0; i < N; i++) {
        g = guest(token);
        if (i >= STAY) /* the first stay connected: more than a step's */
            hub_close(d.world.hub, g, d.world.now_ms);
    }
    test_client_wait(&d, DAY_MS);
    cr_assert_eq(accounts_of_kind(ACCOUNT_GUEST), N + 1, "not yet");
    test_client_wait(&d, 3 * HOUR_MS);
    size_t left = accounts_of_kind(ACCOUNT_GUEST);
    cr_assert(left > STAY + 1 && left <= N + 1, "a step: %zu", left);
    for (int i = 0; i < 5; i++)
        test_client_wait(&d, 15000);
    cr_assert_eq(accounts_of_kind(ACCOUNT_GUEST), STAY + 1);
    cr_assert_eq(d.world.disk.token_count, STAY + 2);
    REASON(resume(test_client_come(&d, 0), token), "token_expired");
    REASON(test_client_ask(&d, anna, "account.get", "{s:s}", "name",
                           "guest-x"),
           "no_such_user");
}

/* A guest at a running table lives on; when that is over they do not. */
Test(people, guests_who_play)
{
    char token[64];

    test_client_open(&d, 6);
    guests_last(DAY_MS);
    peer_id anna = test_client_user(&d, "anna"), g = guest(token);
    create(anna, json_object());
    FINE(at(g, "table.join"));
    hub_close(d.world.hub, g, d.world.now_ms);
    for (int i = 0; i < 10; i++)
        test_client_wait(&d, DAY_MS);
    g = test_client_come(&d, 0);
    FINE(resume(g, token));
    FINE(at(g, "table.legal"));
    test_client_settle(&d);
    hub_close(d.world.hub, g, d.world.now_ms);
    FINE(at(anna, "table.resign"));
    for (int i = 0; i < 3; i++)
        test_client_wait(&d, DAY_MS);
    REASON(resume(test_client_come(&d, 0), token), "token_expired");
    cr_assert_eq(accounts_of_kind(ACCOUNT_GUEST), 0);
    cr_assert_eq(accounts_of_kind(ACCOUNT_DELETED), 1);
    json_t *got = test_client_member(at(anna, "table.get"), "table");
    cr_assert_eq(json_array_size(json_object_get(got, "seats")), 2);
    FINE(at(anna, "table.record"));
}

/* They get up from tables that have not started before they go. */
Test(people, guests_get_up)
{
    char token[64];

    test_client_open(&d, 7);
    guests_last(DAY_MS);
    peer_id anna = test_client_user(&d, "anna"), g = guest(token);
    create(anna, json_pack("{s:s}", "start", "manual"));
    FINE(at(g, "table.join"));
    hub_close(d.world.hub, g, d.world.now_ms);
    test_client_wait(&d, DAY_MS + 3 * HOUR_MS);
    cr_assert_eq(count_plies(anna, "leave"), 1);
    test_client_wait(&d, 2 * HOUR_MS);
    cr_assert_eq(accounts_of_kind(ACCOUNT_GUEST), 0);
    peer_id bert = test_client_user(&d, "bert");
    FINE(at(bert, "table.join"));
    FINE(at(anna, "table.start"));
}

/* A request puts a guest's end off by a day from then on. */
Test(people, guests_are_seen)
{
    char token[64];

    test_client_open(&d, 8);
    guests_last(DAY_MS);
    peer_id g = guest(token);
    for (int i = 0; i < 5; i++) {
        test_client_wait(&d, 20 * HOUR_MS);
        FINE(test_client_ask(&d, g, "me.next", NULL));
        test_client_settle(&d);
    }
    hub_close(d.world.hub, g, d.world.now_ms);
    test_client_wait(&d, 20 * HOUR_MS);
    FINE(resume(test_client_come(&d, 0), token));
}
