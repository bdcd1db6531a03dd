/* test_limits.c -- every limit of limits.h: up to it all goes well, beyond it
 * there is a refusal with its own word that changes nothing, and room that is
 * made can be used again.  Those of tokens, sessions, keys, failed log-ins and
 * plies before the start are with what they limit. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

static struct test_client d;
static peer_id anna, bert;
static char table[16];

static void begin(void)
{
    test_client_open(&d, 23);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(limits, .init = begin, .fini = end, .timeout = 600);

static json_t *about(peer_id p, const char *method, const char *id)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", id);
}

static json_t *at(peer_id p, const char *method)
{
    return about(p, method, table);
}

static json_t *create(peer_id p)
{
    return test_client_create(&d, p, NULL, table);
}

static json_t *login(peer_id p, const char *name)
{
    return test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name", name,
                           "password", "password");
}

static int64_t retry_after(const json_t *answer)
{
    return json_integer_value(
        json_object_get(json_object_get(json_object_get(answer, "error"),
                                        "data"),
                        "retry_after_ms"));
}

/* ---- requests ---------------------------------------------------------- */

/* Nesting has an end, wherever it is. */
Test(limits, depth)
{
    static const struct {
        int deep;
        const char *reason;
    } cases[] = {{29, "invalid_params"}, {31, "parse_error"}};

    for (int i = 0; i < 2; i++) {
        char text[400] = "{\"jsonrpc\":\"2.0\",\"id\":1,"
                         "\"method\":\"server.hello\",\"params\":{\"a\":";
        for (int k = 0; k < cases[i].deep; k++)
            strcat(text, "[");
        for (int k = 0; k < cases[i].deep; k++)
            strcat(text, "]");
        strcat(text, "}}");
        hub_message(d.world.hub, anna, text, strlen(text), d.world.now_ms);
        REASON(d.messages[d.count - 1].text, cases[i].reason);
    }
}

/* A text of more values than any request has is not even parsed. */
Test(limits, values)
{
    static const char *const reasons[] = {"invalid_params", "invalid_request"};

    /* The request, its four members, the list and the first in it are 7. */
    for (int more = 0; more < 2; more++) {
        static char text[8192];
        strcpy(text, "{\"jsonrpc\":\"2.0\",\"id\":1,"
                     "\"method\":\"server.hello\",\"params\":{\"a\":[1");
        for (int k = 0; k < LIMIT_VALUES - 7 + more; k++)
            strcat(text, ",1");
        strcat(text, "]}}");
        hub_message(d.world.hub, anna, text, strlen(text), d.world.now_ms);
        REASON(d.messages[d.count - 1].text, reasons[more]);
    }
}

/* A connection may have so many requests under way; what is beyond is refused
 * at once, and the others are answered. */
Test(limits, requests_of_a_connection)
{
    int first = 0, last = 0;

    for (int i = 0; i <= LIMIT_PEER_REQUESTS; i++) {
        last = test_client_send(&d, anna, "me.next", NULL);
        first = i == 0 ? last : first;
    }
    REASON(test_client_answer(&d, last), "too_many_requests");
    cr_assert_null(test_client_answer(&d, first));
    test_client_settle(&d);
    for (int id = first; id < last; id++)
        FINE(test_client_answer(&d, id));
    FINE(test_client_ask(&d, anna, "me.next", NULL));
}

/* So has a table, from wherever they come. */
Test(limits, requests_of_a_table)
{
    size_t fine = 0, many = 0;
    int first = d.ids + 2;

    FINE(create(anna));
    world_crash(&d.world); /* it has to be loaded first */
    for (int i = 0; i < 3; i++) {
        peer_id p = test_client_come(&d, 0);
        for (int k = 0; k < LIMIT_PEER_REQUESTS - 4; k++)
            test_client_send(&d, p, "table.get",
                             json_pack("{s:s}", "table", table));
    }
    test_client_settle(&d);
    for (int id = first; id <= d.ids; id++) {
        const char *reason = test_client_reason(test_client_answer(&d, id));
        fine += reason[0] == '\0';
        many += strcmp(reason, "too_many_requests") == 0;
    }
    cr_assert_eq(fine, LIMIT_TABLE_REQUESTS);
    cr_assert_eq(many, 3 * (LIMIT_PEER_REQUESTS - 4) - LIMIT_TABLE_REQUESTS);
    FINE(at(test_client_come(&d, 0), "table.get"));
}

/* ---- watching ---------------------------------------------------------- */

/* One connection watches so many tables; watching again is no other, and what
 * it gives up makes room. */
Test(limits, watched)
{
    char first[16] = "";

    for (int i = 0; i <= LIMIT_WATCHED; i++) {
        FINE(create(anna));
        if (i == 0)
            memcpy(first, table, sizeof(first));
        json_t *answer = at(bert, "table.watch");
        REASON(answer, i < LIMIT_WATCHED ? "" : "too_many_watched");
    }
    FINE(about(bert, "table.watch", first));
    size_t told, before;
    test_client_heard(&d, bert, "table.update", &before);
    FINE(at(anna, "table.leave"));
    test_client_heard(&d, bert, "table.update", &told);
    cr_assert_eq(told, before, "they do not watch the last one");
    FINE(about(bert, "table.unwatch", first));
    FINE(at(bert, "table.watch"));
}

/* One table is watched by so many strangers; who plays watches all the same. */
Test(limits, watchers)
{
    FINE(create(anna));
    peer_id first = 0;
    for (int i = 0; i < LIMIT_WATCHERS; i++) {
        peer_id p = test_client_come(&d, 0);
        first = i == 0 ? p : first;
        FINE(at(p, "table.watch"));
    }
    peer_id late = test_client_come(&d, 0);
    REASON(at(late, "table.watch"), "too_many_watchers");
    FINE(at(anna, "table.watch"));
    hub_close(d.world.hub, first, d.world.now_ms);
    REASON(at(late, "table.watch"), "too_many_watchers");
    FINE(at(anna, "table.unwatch"));
    FINE(at(late, "table.watch"));
}

/* ---- what an account has ----------------------------------------------- */

/* An account sits at so many tables that are not over.  What it is invited to
 * does not count: that is other people's doing. */
Test(limits, tables)
{
    char mine[16];

    for (int i = 0; i < LIMIT_TABLES; i++)
        FINE(create(anna));
    memcpy(mine, table, sizeof(mine));
    size_t before = d.world.disk.table_count;
    REASON(create(anna), "too_many_tables");
    cr_assert_eq(d.world.disk.table_count, before);
    for (int i = 0; i < 5; i++) {
        FINE(create(bert));
        FINE(test_client_ask(&d, bert, "table.invite", "{s:s,s:s}", "table",
                             table, "name", "anna"));
    }
    REASON(at(anna, "table.join"), "too_many_tables");
    cr_assert_eq(json_integer_value(json_object_get(
                     test_client_member(at(bert, "table.get"), "table"),
                     "ply")),
                 1);
    FINE(about(anna, "table.leave", mine));
    FINE(at(anna, "table.join"));
    REASON(create(anna), "too_many_tables");
    FINE(at(bert, "table.resign"));
    FINE(create(anna));
}

/* Who may have no further table has no board made for it either. */
Test(limits, no_board_in_vain)
{
    for (int i = 0; i < LIMIT_TABLES; i++)
        FINE(create(anna));
    d.world.config.turn_effort = 100;
    hub_configure(d.world.hub, &d.world.config);
    json_t *setup = json_pack("{s:s,s:i,s:{s:{}}}", "game", "hacienda",
                              "seats", 2, "board", "generate");
    int id = test_client_send(&d, anna, "table.create", setup);
    int turns = 0;
    for (; test_client_answer(&d, id) == NULL; turns++)
        world_step(&d.world);
    REASON(test_client_answer(&d, id), "too_many_tables");
    cr_assert_lt(turns, 20, "%d", turns);
}

/* So many people are invited to a table. */
Test(limits, invited)
{
    json_t *names = json_array();
    char name[24];

    for (int i = 0; i <= LIMIT_INVITED; i++) {
        snprintf(name, sizeof(name), "guest%d", i);
        test_client_user(&d, name);
        json_array_append_new(names, json_string(name));
    }
    REASON(test_client_ask(&d, anna, "table.create", "{s:s,s:i,s:o}", "game",
                           "tictactoe", "seats", 2, "invite", names),
           "invalid_params");
    FINE(create(anna));
    for (int i = 0; i <= LIMIT_INVITED; i++) {
        snprintf(name, sizeof(name), "guest%d", i);
        REASON(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table",
                               table, "name", name),
               i < LIMIT_INVITED ? "" : "too_many_invited");
    }
    cr_assert_eq(d.world.disk.tables[0]->invited_count, LIMIT_INVITED);
}

/* P, if it is asked, plays the first move there is.  The answer, or NULL; and
 * the move, or NULL if it cannot be taken back. */
static json_t *play(peer_id p, json_t **ret_move)
{
    json_t *legal = at(p, "table.legal");
    json_t *move = json_array_get(test_client_member(legal, "moves"), 0);

    *ret_move = NULL;
    if (move == NULL)
        return NULL;
    json_t *moved = test_client_ask(&d, p, "table.move", "{s:s,s:O,s:O}",
                                    "table", table, "decision",
                                    test_client_member(legal, "decision"),
                                    "move", move);
    FINE(moved);
    const json_t *view = test_client_member(at(p, "table.watch"), "view");
    FINE(at(p, "table.unwatch"));
    if (!json_is_null(json_object_get(view, "undo")))
        *ret_move = move;
    return moved;
}

/* Lets N people play until P has made a move that can be taken back. */
static json_t *play_until(const peer_id *people, size_t n, peer_id p,
                          json_t **ret_move)
{
    for (;;)
        for (size_t i = 0; i < n; i++) {
            json_t *moved = play(people[i], ret_move);
            if (people[i] == p && *ret_move != NULL)
                return moved;
        }
}

/* P takes back and plays again, until that is refused. */
static void undo_all(peer_id p, json_t *moved, json_t *move)
{
    for (int i = 0; i <= LIMIT_UNDOS; i++) {
        json_t *undone = test_client_ask(&d, p, "table.undo", "{s:s,s:O}",
                                         "table", table, "ply",
                                         test_client_member(moved, "ply"));
        if (i == LIMIT_UNDOS) {
            REASON(undone, "too_many_undos");
            break;
        }
        FINE(undone);
        moved = test_client_ask(&d, p, "table.move", "{s:s,s:O,s:O}", "table",
                                table, "decision",
                                test_client_member(undone, "ply"), "move",
                                move);
        FINE(moved);
    }
}

/* A seat takes back so much in one game, and the others' counts are their own.
 * The log is long then: record and replay come in pages that add up to all. */
Test(limits, undos)
{
    peer_id seats[] = {anna, bert, test_client_user(&d, "carl"),
                       test_client_user(&d, "dora")};
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i}",
                                   "game", "hacienda", "seats", 4);
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
    for (int seat = 1; seat < 4; seat++)
        FINE(at(seats[seat], "table.join"));
    for (int seat = 0; seat < 4; seat++) {
        json_t *move;
        json_t *moved = play_until(seats, 4, seats[seat], &move);
        undo_all(seats[seat], moved, move);
    }
    for (int seat = 0; seat < 3; seat++)
        FINE(at(seats[seat], "table.resign"));
    size_t last = d.world.disk.tables[0]->ply_count - 1;
    cr_assert_gt(last, 8 * LIMIT_UNDOS);

    size_t pages;
    char *record = test_client_record(&d, bert, table, &pages), why[256] = "";
    cr_assert_gt(pages, 1);
    cr_assert(test_client_verify(record, why, sizeof(why)), "%s", why);
    free(record);

    size_t plies = 0;
    pages = 0;
    json_int_t from = 0;
    for (const json_t *next = json_true(); next != NULL; pages++) {
        json_t *page = test_client_ask(&d, bert, "table.replay", "{s:s,s:I}",
                                       "table", table, "from", from);
        const json_t *list = test_client_member(page, "plies");
        cr_assert_gt(json_array_size(list), 0);
        for (size_t i = 0; i < json_array_size(list); i++)
            cr_assert_eq(json_integer_value(
                             json_object_get(json_array_get(list, i), "ply")),
                         (json_int_t)plies++);
        next = test_client_member(page, "next");
        from = json_integer_value(next);
    }
    cr_assert_eq(plies, last + 1);
    cr_assert_gt(pages, 1);
    /* What is asked for beyond the end is not there, and no trouble. */
    json_t *none = test_client_ask(&d, bert, "table.replay", "{s:s,s:I,s:I}",
                                   "table", table, "from",
                                   (json_int_t)last + 1, "to",
                                   (json_int_t)last + 9);
    cr_assert_eq(json_array_size(test_client_member(none, "plies")), 0);
    none = test_client_ask(&d, bert, "table.record", "{s:s,s:I}", "table",
                           table, "from", (json_int_t)last + 9);
    cr_assert_eq(json_array_size(test_client_member(none, "lines")), 0);
    cr_assert_null(test_client_member(none, "next"));
}

/* Who missed more plies than one update leads over gets the view. */
Test(limits, missed)
{
    char chain[65];

    FINE(create(anna));
    FINE(at(bert, "table.join"));
    const json_t *seen = at(anna, "table.watch");
    json_int_t since = test_client_number(seen, "ply");
    snprintf(chain, sizeof(chain), "%s", test_client_text(seen, "chain"));
    json_t *move, *moved = play(anna, &move);
    cr_assert_not_null(move);
    for (int i = 1; i <= LIMIT_MISSED_PLIES; i += 2) {
        json_t *back = test_client_ask(&d, anna, "table.watch",
                                       "{s:s,s:I,s:s}", "table", table,
                                       "since", since, "chain", chain);
        cr_assert_null(test_client_member(back, "view"), "%d", i);
        FINE(at(anna, "table.unwatch"));
        json_t *undone = test_client_ask(&d, anna, "table.undo", "{s:s,s:O}",
                                         "table", table, "ply",
                                         test_client_member(moved, "ply"));
        moved = test_client_ask(&d, anna, "table.move", "{s:s,s:O,s:O}",
                                "table", table, "decision",
                                test_client_member(undone, "ply"), "move",
                                move);
        FINE(moved);
    }
    json_t *back = test_client_ask(&d, anna, "table.watch", "{s:s,s:I,s:s}",
                                   "table", table, "since", since, "chain",
                                   chain);
    cr_assert_not_null(test_client_member(back, "view"));
}

/* ---- rates ------------------------------------------------------------- */

/* Asks METHOD until it is refused; how often it was not. */
static int burst(peer_id p, const char *method, const char *param,
                 const char *value, int most)
{
    for (int i = 0; i < most; i++) {
        json_t *params = param == NULL ? NULL
                                       : json_pack("{s:s}", param, value);
        const json_t *answer = test_client_ask_json(&d, p, method, params);
        if (strcmp(test_client_reason(answer), "rate_limited") != 0)
            continue;
        cr_assert_gt(retry_after(answer), 0);
        return i;
    }
    return most;
}

/* Of each kind of request a connection from afar may make so many at once, and
 * as soon as the refusal says one more; those from nearby as many as they
 * like. */
Test(limits, rates)
{
    static const struct {
        const char *method, *param, *value;
        int burst, rate;
    } cases[] = {
        {"server.hello", NULL, NULL, LIMIT_RATE_CHEAP_BURST, LIMIT_RATE_CHEAP},
        {"table.list", NULL, NULL, LIMIT_RATE_READ_BURST, LIMIT_RATE_READ},
        {"table.leave", "table", table, LIMIT_RATE_WRITE_BURST,
         LIMIT_RATE_WRITE},
        {"table.resign", "table", table, LIMIT_RATE_WRITE_BURST,
         LIMIT_RATE_WRITE},
        {"account.guest", NULL, NULL, LIMIT_RATE_LOGIN_BURST, 1},
    };

    FINE(create(anna));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        peer_id far = test_client_come(&d, 100 + i),
                near = test_client_come(&d, 0);
        int before = i < 4 ? 1 : 0; /* the log-in is of its own kind */
        if (before == 1) {
            FINE(login(far, "bert"));
            FINE(login(near, "bert"));
        }
        int64_t begin_ms = d.world.now_ms;
        int n = burst(far, cases[i].method, cases[i].param, cases[i].value,
                      300);
        int64_t ms = d.world.now_ms - begin_ms; /* things take their time */
        cr_assert_geq(n, cases[i].burst, "%s: %d", cases[i].method, n);
        cr_assert_leq(n, cases[i].burst + 1 + ms * cases[i].rate / 1000,
                      "%s: %d", cases[i].method, n);
        const json_t *again = test_client_ask_json(
            &d, far, cases[i].method,
            cases[i].param == NULL
                ? NULL
                : json_pack("{s:s}", cases[i].param, cases[i].value));
        REASON(again, "rate_limited");
        d.world.now_ms += retry_after(again);
        cr_assert_geq(burst(far, cases[i].method, cases[i].param,
                            cases[i].value, 5),
                      1);
        cr_assert_eq(burst(near, cases[i].method, cases[i].param,
                           cases[i].value, 300),
                     300);
    }
}

/* A long page takes more from the rate than an empty one: the store's readers
 * had more to do. */
Test(limits, rates_of_long_pages)
{
    peer_id far = test_client_come(&d, 300), other = test_client_come(&d, 301);
    json_int_t most = 100;
    int n = 0;

    for (int i = 0; i < most; i++)
        FINE(create(anna));
    while (n < LIMIT_RATE_READ_BURST &&
           strcmp(test_client_reason(test_client_ask(&d, far, "table.list",
                                                     "{s:I}", "limit", most)),
                  "") == 0)
        n++;
    cr_assert_leq(n, LIMIT_RATE_READ_BURST / 4, "%d long pages", n);
    cr_assert_geq(n, LIMIT_RATE_READ_BURST / 6, "%d long pages", n);
    n = 0;
    while (n < LIMIT_RATE_READ_BURST &&
           strcmp(test_client_reason(test_client_ask(&d, other, "table.list",
                                                     "{s:i}", "limit", 1)),
                  "") == 0)
        n++;
    cr_assert_eq(n, LIMIT_RATE_READ_BURST);
}

/* What is refused counts, whatever is wrong with it: its text, its envelope, its
 * method, its parameters, who asks. */
Test(limits, rates_of_refused_requests)
{
    static const struct {
        const char *text, *reason;
        int burst;
    } cases[] = {
        {"{", "parse_error", LIMIT_RATE_CHEAP_BURST},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"server.hello\"}",
         "invalid_request", LIMIT_RATE_CHEAP_BURST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", "invalid_request",
         LIMIT_RATE_CHEAP_BURST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no.such\"}",
         "unknown_method", LIMIT_RATE_CHEAP_BURST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"table.list\","
         "\"params\":{\"no\":1}}",
         "invalid_params", LIMIT_RATE_READ_BURST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"me.next\"}",
         "not_authenticated", LIMIT_RATE_READ_BURST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"admin.status\"}",
         "forbidden", LIMIT_RATE_CHEAP_BURST},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        peer_id p = test_client_come(&d, 500 + i);
        for (int n = 0; n <= cases[i].burst; n++) {
            hub_message(d.world.hub, p, cases[i].text, strlen(cases[i].text),
                        d.world.now_ms);
            REASON(d.messages[d.count - 1].text,
                   n < cases[i].burst ? cases[i].reason : "rate_limited");
        }
        const json_t *last = d.messages[d.count - 1].text;
        cr_assert_gt(retry_after(last), 0);
        d.world.now_ms += retry_after(last);
        hub_message(d.world.hub, p, cases[i].text, strlen(cases[i].text),
                    d.world.now_ms);
        REASON(d.messages[d.count - 1].text, cases[i].reason);
    }
}

/* Moves have a rate of their own. */
Test(limits, moves)
{
    peer_id far = test_client_come(&d, 99);
    const json_t *answer = NULL;
    int i = 0;

    FINE(login(far, "anna"));
    FINE(create(anna));
    for (; i < 300; i++) {
        answer = test_client_ask(&d, far, "table.move", "{s:s,s:i,s:{s:s}}",
                                 "table", table, "decision", 0, "move", "verb",
                                 "place");
        if (strcmp(test_client_reason(answer), "not_started") != 0)
            break;
    }
    REASON(answer, "rate_limited");
    cr_assert_eq(i, LIMIT_RATE_MOVE_BURST);
}

/* Connections of one address share three times that; another address has its
 * own, and with `limits.local` those from nearby have, too. */
Test(limits, rates_of_an_address)
{
    int sum = 0;

    for (int i = 0; i < 4; i++)
        sum += burst(test_client_come(&d, 50), "server.hello", NULL, NULL,
                     300);
    cr_assert_eq(sum, 3 * LIMIT_RATE_CHEAP_BURST);
    cr_assert_eq(burst(test_client_come(&d, 51), "server.hello", NULL, NULL,
                       300),
                 LIMIT_RATE_CHEAP_BURST);
    d.world.config.limits_local = true;
    hub_configure(d.world.hub, &d.world.config);
    cr_assert_eq(burst(test_client_come(&d, 0), "server.hello", NULL, NULL,
                       300),
                 LIMIT_RATE_CHEAP_BURST);
}

/* The administrator has none, whatever holds for those nearby: a long record
 * comes in hundreds of pieces. */
Test(limits, rates_of_the_administrator)
{
    peer_id admin = test_client_admin(&d);

    d.world.config.limits_local = true;
    hub_configure(d.world.hub, &d.world.config);
    cr_assert_eq(burst(admin, "server.hello", NULL, NULL,
                       4 * LIMIT_RATE_CHEAP_BURST),
                 4 * LIMIT_RATE_CHEAP_BURST);
}

/* As many as the configuration says. */
Test(limits, accounts_configured)
{
    d.world.config.accounts_day = 3;
    hub_configure(d.world.hub, &d.world.config);
    for (int i = 0; i < 4; i++) {
        const json_t *answer = test_client_ask(&d, test_client_come(&d, 60),
                                               "account.guest", NULL);
        REASON(answer, i < 3 ? "" : "too_many_accounts");
        d.world.now_ms += 60000 / LIMIT_RATE_LOGIN_MINUTE;
    }
    d.world.config.accounts_day = 4;
    hub_configure(d.world.hub, &d.world.config);
    d.world.now_ms += INT64_C(6) * 3600 * 1000;
    FINE(test_client_ask(&d, test_client_come(&d, 60), "account.guest", NULL));
}

/* From one address come so many accounts a day, guests or not. */
Test(limits, accounts)
{
    char name[24];
    const json_t *answer = NULL;
    int made = 0;

    for (int i = 0; i < 2 * LIMIT_ACCOUNTS_DAY; i++) {
        peer_id p = test_client_come(&d, 60);
        snprintf(name, sizeof(name), "user%d", i);
        answer = i % 2 == 0
                     ? test_client_ask(&d, p, "account.guest", NULL)
                     : test_client_ask(&d, p, "account.register", "{s:s,s:s}",
                                       "name", name, "password", "password");
        if (test_client_reason(answer)[0] != '\0')
            break;
        made++;
        d.world.now_ms += 60000 / LIMIT_RATE_LOGIN_MINUTE;
    }
    REASON(answer, "too_many_accounts");
    size_t before = d.world.disk.account_count;
    cr_assert_eq(made, LIMIT_ACCOUNTS_DAY);
    cr_assert_eq(before, LIMIT_ACCOUNTS_DAY + 2);
    FINE(test_client_ask(&d, test_client_come(&d, 61), "account.guest", NULL));
    cr_assert_gt(retry_after(answer), 0);
    d.world.now_ms += retry_after(answer);
    FINE(test_client_ask(&d, test_client_come(&d, 60), "account.guest", NULL));
    REASON(test_client_ask(&d, test_client_come(&d, 60), "account.guest",
                           NULL),
           "too_many_accounts");
}

/* Who tries one name from many addresses is slowed by the name; its owner gets
 * in again after a while, and an attempt that succeeds costs nothing. */
Test(limits, failures_of_a_name)
{
    const json_t *last = NULL;

    for (int i = 0; i < 3 * LIMIT_FAILED_BURST; i++)
        FINE(login(test_client_come(&d, 200 + (uint64_t)i), "anna"));
    for (int i = 0; i <= LIMIT_FAILED_BURST; i++) {
        peer_id p = test_client_come(&d, 300 + (uint64_t)i);
        last = test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name",
                               "anna", "password", "not the one");
        REASON(last,
               i < LIMIT_FAILED_BURST ? "bad_credentials" : "rate_limited");
    }
    cr_assert_leq(retry_after(last), LIMIT_FAILED_NAME_MS);
    REASON(login(test_client_come(&d, 400), "anna"), "rate_limited");
    FINE(login(test_client_come(&d, 401), "bert"));
    d.world.now_ms += LIMIT_FAILED_NAME_MS;
    FINE(login(test_client_come(&d, 402), "anna"));
}
