/* test_records.c -- records out and in again: in pieces, by one administrator
 * at a time; whatever is wrong with one leaves nothing behind. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test_client.h"

static struct test_client d;
static peer_id anna, bert, admin;
static char table[16];

static void begin(void)
{
    test_client_open(&d, 53);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    admin = test_client_admin(&d);
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i}",
                                   "game", "tictactoe", "seats", 2);
    FINE(made);
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(records, .init = begin, .fini = end, .timeout = 600);

/* The lines of the table's record as it is now, finished or not. */
static json_t *exported(void)
{
    json_t *page = test_client_ask(&d, admin, "admin.export", "{s:s}", "table",
                                   table);
    FINE(page);
    return json_deep_copy(test_client_member(page, "lines"));
}

static json_t *finished(void)
{
    FINE(test_client_ask(&d, bert, "table.resign", "{s:s}", "table", table));
    return exported();
}

/* Sends lines FROM to before TO, which are kept. */
static json_t *import(peer_id p, const json_t *lines, size_t from, size_t to)
{
    json_t *some = json_array();

    for (size_t i = from; i < to; i++)
        json_array_append(some, json_array_get(lines, i));
    return test_client_ask(&d, p, "admin.import", "{s:o,s:b,s:b}", "lines",
                           some, "first", from == 0, "last",
                           to == json_array_size(lines));
}

static json_t *import_all(const json_t *lines)
{
    return import(admin, lines, 0, json_array_size(lines));
}

static const json_t *data_of(const json_t *answer)
{
    return json_object_get(json_object_get(answer, "error"), "data");
}

/* It is refused at that line, 0: none, and nothing is kept of it: neither a
 * table nor what has come so far. */
static void refused(const json_t *lines, const char *reason, int64_t line)
{
    size_t before = d.world.disk.table_count;
    json_t *answer = import_all(lines);

    REASON(answer, reason);
    cr_assert_eq(json_integer_value(json_object_get(data_of(answer), "line")),
                 line);
    if (line > 0)
        cr_assert_gt(json_string_length(
                         json_object_get(data_of(answer), "why")),
                     0);
    cr_assert_eq(d.world.disk.table_count, before);
    REASON(import(admin, lines, 1, 2), "invalid_params");
}

/* LINES with line I changed: WHAT, which is in it, becomes AS. */
static json_t *spoiled(const json_t *lines, size_t i, const char *what,
                       const char *as)
{
    json_t *copy = json_deep_copy(lines);
    const char *line = json_string_value(json_array_get(lines, i));
    const char *at = strstr(line, what);
    char text[4096];

    cr_assert_not_null(at, "%s", line);
    snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - line), line, as,
             at + strlen(what));
    json_array_set_new(copy, i, json_string(text));
    return copy;
}

/* In however many pieces it comes, it is the same record again. */
Test(records, in_pieces)
{
    json_t *lines = finished();
    size_t n = json_array_size(lines);

    for (size_t piece = 1; piece <= n; piece += 2) {
        json_t *answer = NULL;
        for (size_t at = 0; at < n; at += piece) {
            size_t to = at + piece < n ? at + piece : n;
            answer = import(admin, lines, at, to);
            FINE(answer);
            cr_assert_eq(test_client_number(answer, "lines"), (int64_t)to);
        }
        snprintf(table, sizeof(table), "%s",
                 test_client_text(answer, "table"));
        json_t *again = exported();
        cr_assert(json_equal(lines, again));
        json_decref(again);
    }
    json_decref(lines);
}

/* Each kind of line may be wrong, and the answer says which one is. */
Test(records, bad_lines)
{
    json_t *lines = finished();
    int64_t n = (int64_t)json_array_size(lines);
    const struct {
        size_t line;
        const char *what, *as;
    } cases[] = {
        {0, "{", "["},
        {0, "sobremesa-record/1", "sobremesa-record/2"},
        {0, "\"revision\":1", "\"revision\":9"},
        {0, "\"tictactoe\"", "\"checkers\""},
        {0, "\"seats\":2", "\"seats\":7"},
        {1, "\"ply\":0", "\"ply\":1"},
        {2, "\"kind\":\"join\"", "\"kind\":\"gate\""},
        {3, "\"at\":", "\"at\":1"},
        {(size_t)n - 1, "resigned", "finished"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        json_t *bad = spoiled(lines, cases[i].line, cases[i].what,
                              cases[i].as);
        refused(bad, "bad_record", (int64_t)cases[i].line + 1);
        json_decref(bad);
    }
    FINE(import_all(lines));
    json_decref(lines);
}

/* A record that ends too early, or goes on behind its end. */
Test(records, bad_ends)
{
    json_t *lines = finished(), *longer = json_deep_copy(lines);
    size_t n = json_array_size(lines);

    json_array_append(longer, json_array_get(lines, n - 1));
    refused(longer, "bad_record", (int64_t)n + 1);
    json_decref(longer);
    json_array_remove(lines, n - 1);
    json_t *answer = import_all(lines);
    REASON(answer, "bad_record");
    json_decref(lines);
    REASON(test_client_ask(&d, admin, "admin.import", "{s:[],s:b,s:b}",
                           "lines", "first", 1, "last", 1),
           "bad_record");
    cr_assert_eq(d.world.disk.table_count, 1);
}

/* Only finished games are kept: who could go on with another's? */
Test(records, not_finished)
{
    json_t *lines = exported();

    refused(lines, "not_finished", 0);
    json_decref(lines);
}

/* A record is begun before it goes on, by who goes on with it; who begins
 * another drops it. */
Test(records, one_at_a_time)
{
    json_t *lines = finished();
    size_t n = json_array_size(lines);
    peer_id other = test_client_admin(&d);

    REASON(import(admin, lines, 1, 2), "invalid_params");
    FINE(import(admin, lines, 0, 2));
    REASON(import(other, lines, 2, n), "invalid_params");
    FINE(import(admin, lines, 2, 3));
    FINE(import(other, lines, 0, 1));
    REASON(import(admin, lines, 3, n), "invalid_params");
    FINE(import(other, lines, 1, n));
    REASON(import(other, lines, 1, n), "invalid_params");
    REASON(import(anna, lines, 0, n), "forbidden");
    cr_assert_eq(d.world.disk.table_count, 2);
    json_decref(lines);
}

/* When it cannot be stored it is refused, and can be sent again. */
Test(records, storage)
{
    json_t *lines = finished();

    d.world.fail_per_1000 = 1000;
    refused(lines, "storage_unavailable", 0);
    d.world.fail_per_1000 = 0;
    FINE(import_all(lines));
    json_decref(lines);
}

/* ---- archived ----------------------------------------------------------- */

static json_t *archive(const json_t *lines)
{
    const char *last = json_string_value(
        json_array_get(lines, json_array_size(lines) - 1));
    json_t *footer = json_loads(last, 0, NULL);
    json_t *answer = test_client_ask(&d, admin, "admin.archive", "{s:s,s:O}",
                                     "table", table, "chain",
                                     json_object_get(footer, "chain"));

    json_decref(footer);
    return answer;
}

static json_t *get(peer_id p)
{
    return test_client_ask(&d, p, "table.get", "{s:s}", "table", table);
}

/* Only what is over goes, and only for who has its record; who watches stays
 * connected, who asks hears where it is, and lists do without. */
Test(records, archived)
{
    char zeros[65] = "";

    memset(zeros, '0', 64);
    REASON(test_client_ask(&d, admin, "admin.archive", "{s:s,s:s}", "table",
                           table, "chain", zeros),
           "not_finished");
    FINE(test_client_ask(&d, anna, "table.watch", "{s:s}", "table", table));
    json_t *lines = finished();
    REASON(test_client_ask(&d, admin, "admin.archive", "{s:s,s:s}", "table",
                           table, "chain", zeros),
           "bad_record");
    FINE(get(anna));
    FINE(archive(lines));
    cr_assert_not(d.cut[anna]);
    REASON(get(anna), "archived");
    REASON(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table", table,
                           "text", "hello"),
           "archived");
    REASON(archive(lines), "archived");
    cr_assert_eq(json_array_size(test_client_member(
                     test_client_ask(&d, anna, "me.tables", NULL), "tables")),
                 0);
    json_t *listed = test_client_ask(&d, admin, "admin.tables", "{s:s}",
                                     "state", "archived");
    cr_assert_eq(json_array_size(test_client_member(listed, "tables")), 1);
    json_t *back = import_all(lines);
    FINE(back);
    cr_assert_str_eq(test_client_text(back, "table"), table);
    FINE(get(anna));
    json_t *again = exported();
    cr_assert(json_equal(again, lines));
    json_decref(again);
    json_decref(lines);
}

/* How many finished tables the lists of P name. */
static size_t listed(peer_id p)
{
    json_t *answer = test_client_ask(&d, p, "me.tables", "{s:s}", "state",
                                     "finished");
    FINE(answer);
    return json_array_size(test_client_member(answer, "tables"));
}

/* Whoever took over a seat has the table in their lists when it comes back, or
 * comes in as another one, and who had the seat before has not. */
Test(records, replaced)
{
    peer_id carl = test_client_user(&d, "carl"),
            dora = test_client_user(&d, "dora");
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i}",
                                   "game", "greement", "seats", 4);

    FINE(made);
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    FINE(test_client_ask(&d, carl, "table.join", "{s:s}", "table", table));
    FINE(test_client_ask(&d, bert, "table.leave", "{s:s}", "table", table));
    FINE(test_client_ask(&d, anna, "table.start", "{s:s}", "table", table));
    FINE(test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}", "table",
                         table, "seat", 1, "user", "dora"));
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table));
    json_t *lines = exported();
    FINE(archive(lines));
    cr_assert_eq(listed(dora), 0);
    for (size_t tables = 1; tables <= 2; tables++) {
        FINE(import_all(lines));
        cr_assert_eq(listed(anna), tables);
        cr_assert_eq(listed(dora), tables);
        cr_assert_eq(listed(carl), 0);
        cr_assert_eq(listed(bert), 0);
    }
    json_decref(lines);
}

/* A disk that fails leaves it here or there, and either can be gone on from. */
Test(records, archived_storage)
{
    json_t *lines = finished();

    for (int i = 0; i < 40; i++) {
        d.world.fail_per_1000 = 1000;
        REASON(archive(lines), "storage_unavailable");
        d.world.fail_per_1000 = 0;
        const char *now = test_client_reason(get(anna));
        if (now[0] == '\0')
            FINE(archive(lines));
        else
            cr_assert_str_eq(now, "archived");
        REASON(get(bert), "archived");
        d.world.deaf_per_1000 = 1000;
        REASON(import_all(lines), "storage_unavailable");
        d.world.deaf_per_1000 = 0;
        json_t *back = import_all(lines);
        FINE(back);
        cr_assert_str_eq(test_client_text(back, "table"), table);
        json_t *again = exported();
        cr_assert(json_equal(again, lines));
        json_decref(again);
    }
    json_decref(lines);
}

/* ---- as a file ----------------------------------------------------------- */

/* A page of the table's record from line FROM on as P gets it for a file. */
static const json_t *page(peer_id p, const char *id, int64_t from)
{
    size_t before = d.count;

    d.world.next = -1;
    hub_record(d.world.hub, p, id, from, d.world.now_ms);
    test_client_settle(&d);
    cr_assert_eq(d.count, before + 1, "one answer");
    cr_assert_eq(d.messages[before].peer, p);
    return d.messages[before].text;
}

/* A move that is taken back makes the log longer, and that is all. */
static void there_and_back(void)
{
    json_t *moved = test_client_move(&d, anna, table);
    FINE(moved);
    FINE(test_client_ask(&d, anna, "table.undo", "{s:s,s:O}", "table", table,
                         "ply", test_client_member(moved, "ply")));
}

/* For a file a record comes as the lines it is, page by page, and they are what
 * table.record tells; what is refused is refused as ever. */
Test(records, as_a_file)
{
    size_t pages = 0, wanted = 0, at = 0;
    peer_id reader = test_client_come(&d, 0);

    REASON(page(reader, table, 0), "not_finished");
    REASON(page(reader, "aaaaaaaaaaaab", 0), "no_such_table");
    for (int i = 0; i < 500; i++)
        there_and_back();
    FINE(test_client_ask(&d, bert, "table.resign", "{s:s}", "table", table));
    char *whole = test_client_record(&d, reader, table, &wanted);
    for (int64_t from = 0; pages == 0 || from != 0; pages++) {
        const json_t *text = page(reader, table, from);
        cr_assert(json_is_string(text));
        size_t len = json_string_length(text);
        cr_assert_leq(at + len, strlen(whole));
        cr_assert_eq(memcmp(whole + at, json_string_value(text), len), 0);
        at += len;
        cr_assert(d.world.next == 0 || d.world.next > from);
        from = d.world.next;
    }
    cr_assert_eq(at, strlen(whole));
    cr_assert(pages >= 2 && pages <= wanted, "%zu of %zu", pages, wanted);
    free(whole);
    size_t before = d.count;
    hub_record(d.world.hub, 99, table, 0, d.world.now_ms);
    test_client_settle(&d);
    cr_assert_eq(d.count, before, "nobody is there to be told");
}

/* A request is owed until it is answered, and what is asked of the store for it
 * is asked on behalf of its connection. */
Test(records, owed)
{
    peer_id p = test_client_come(&d, 0);

    cr_assert_eq(hub_owes(d.world.hub, p), 0);
    cr_assert_eq(hub_owes(d.world.hub, 99), 0);
    cr_assert_eq(hub_asker(d.world.hub, 1), 0);
    for (int i = 0; i < 2; i++)
        test_client_send(&d, p, "session.login",
                         json_pack("{s:s,s:s}", "name", "anna", "password",
                                   "passwore"));
    cr_assert_eq(hub_owes(d.world.hub, p), 2);
    test_client_settle(&d);
    cr_assert_eq(hub_owes(d.world.hub, p), 0);
    cr_assert_eq(d.world.asker, p);
    FINE(test_client_ask(&d, anna, "me.next", NULL));
    cr_assert_eq(d.world.asker, anna);
}
