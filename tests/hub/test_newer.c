/* test_newer.c -- what a server does not know: tables that a newer one made,
 * games it lacks, games that come without words. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/test_client.h"
#include "tests/support/games/toys.h"

extern const struct rules tictactoe_rules;

const struct rules *const rules_all[] = {
    &tictactoe_rules, &kuhn_rules, NULL, /* of which no page tells */
};

static struct test_client d;
static peer_id anna, bert, admin;
static char table[16];

static void begin(void)
{
    test_client_open(&d, 47);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    admin = test_client_admin(&d);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(newer, .init = begin, .fini = end, .timeout = 600);

static void login(peer_id *p, const char *name)
{
    *p = test_client_come(&d, 0);
    FINE(test_client_ask(&d, *p, "session.login", "{s:s,s:s}", "name", name,
                         "password", "password"));
}

static json_t *about(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

/* A table that anna made and, if PLAYED, bert lost. */
static void create(bool private_, bool played)
{
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i,s:b}",
                                   "game", "tictactoe", "seats", 2, "private",
                                   private_);
    FINE(made);
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
    FINE(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table", table,
                         "name", "bert"));
    FINE(about(bert, "table.join"));
    if (played)
        FINE(about(bert, "table.resign"));
}

/* The server dies, and what comes up is older than the tables it finds: their
 * games have another revision here, or with GAME there is no such game. */
static void go_back(bool game)
{
    static const char known[] = "\"revision\":1";

    for (size_t i = 0; i < d.world.disk.table_count; i++) {
        struct table_row *row = &d.world.disk.tables[i]->row;
        char *at = strstr((char *)(uintptr_t)row->header, known);
        cr_assert_not_null(at);
        if (game)
            row->game = "checkers";
        else
            at[strlen(known) - 1] = '9';
    }
    world_crash(&d.world);
    login(&anna, "anna");
    login(&bert, "bert");
    admin = test_client_admin(&d);
}

static json_t *with(const char *more)
{
    json_t *params = json_pack("{s:s}", "table", table);
    json_t *value = json_loads(more, 0, NULL);

    cr_assert_not_null(value, "%s", more);
    json_object_update(params, value);
    json_decref(value);
    return params;
}

/* Every method that is about a table. */
static const struct {
    const char *method, *params;
    bool admin;
} methods[] = {
    {"table.get", "{}", false},
    {"table.join", "{}", false},
    {"table.invite", "{\"name\":\"bert\"}", false},
    {"table.nonce", "{\"nonce\":\"00112233445566778899aabbccddeeff\"}", false},
    {"table.leave", "{}", false},
    {"table.start", "{}", false},
    {"table.resign", "{}", false},
    {"table.watch", "{}", false},
    {"table.unwatch", "{}", false},
    {"table.move", "{\"decision\":1,\"move\":{\"verb\":\"place\"}}", false},
    {"table.undo", "{\"ply\":1}", false},
    {"table.legal", "{}", false},
    {"table.preview", "{\"moves\":[{\"verb\":\"place\"}]}", false},
    {"table.replay", "{}", false},
    {"table.at", "{\"ply\":1}", false},
    {"table.record", "{}", false},
    {"table.chat", "{\"text\":\"hm\"}", false},
    {"table.texts", "{}", false},
    {"table.read", "{\"text\":1}", false},
    {"table.note", "{}", false},
    {"table.study", "{}", false},
    {"admin.table", "{}", true},
    {"admin.abandon", "{}", true},
    {"admin.rewind", "{\"ply\":1}", true},
    {"admin.texts", "{}", true},
    {"admin.texts.remove", "{\"text\":1}", true},
    {"admin.replace", "{\"seat\":0,\"user\":\"bert\"}", true},
};

/* Such a table is kept and listed, and not played: each method says so to who
 * may know of it, and to strangers that it is not there. */
static void kept_not_played(bool game)
{
    create(true, false);
    size_t plies = d.world.disk.tables[0]->ply_count;
    go_back(game);
    for (size_t i = 0; i < COUNT_OF(methods); i++) {
        json_t *answer = test_client_ask_json(&d,
                                              methods[i].admin ? admin : anna,
                                              methods[i].method,
                                              with(methods[i].params));
        cr_assert_str_eq(test_client_reason(answer), "newer_core", "%s: %s",
                         methods[i].method, test_client_reason(answer));
        if (methods[i].admin)
            continue;
        peer_id stranger = test_client_come(&d, 0);
        FINE(test_client_ask(&d, stranger, "account.guest", NULL));
        answer = test_client_ask_json(&d, stranger, methods[i].method,
                                      with(methods[i].params));
        cr_assert_str_eq(test_client_reason(answer), "no_such_table", "%s: %s",
                         methods[i].method, test_client_reason(answer));
    }
    cr_assert_eq(d.world.disk.tables[0]->ply_count, plies);
    json_t *mine = test_client_ask(&d, bert, "me.tables", NULL);
    const json_t *listed = json_array_get(test_client_member(mine, "tables"),
                                          0);
    cr_assert_str_eq(json_string_value(json_object_get(listed, "table")),
                     table);
    cr_assert_str_eq(json_string_value(json_object_get(listed, "state")),
                     "playing");
}

Test(newer, revision)
{
    kept_not_played(false);
}

Test(newer, game)
{
    kept_not_played(true);
}

/* Nobody is the worse off elsewhere: other tables are made and played, and
 * names change. */
Test(newer, others_go_on)
{
    create(false, false);
    go_back(false);
    d.world.disk.tables[0]->row.summary.changed = 1;
    test_client_wait(&d, INT64_C(100) * 24 * 3600 * 1000);
    login(&anna, "anna");
    login(&bert, "bert");
    create(false, true);
    cr_assert_eq(d.world.disk.table_count, 2);
}

/* The log of one that goes on is there for the operator, with the names of who
 * sits there; that of one that is over lacks the result, which nobody here can
 * tell, and is no record. */
Test(newer, export_)
{
    create(false, false);
    go_back(false);
    json_t *record = about(admin, "admin.export");
    FINE(record);
    const json_t *lines = test_client_member(record, "lines");
    cr_assert_eq(json_array_size(lines),
                 d.world.disk.tables[0]->ply_count + 2);
    const char *header = json_string_value(json_array_get(lines, 0));
    cr_assert_not_null(strstr(header, "\"name\":\"anna\""));
    cr_assert_not_null(strstr(header, "\"name\":\"bert\""));
    cr_assert_not_null(strstr(
        json_string_value(json_array_get(lines, json_array_size(lines) - 1)),
        "\"result\":null"));
    REASON(about(anna, "admin.export"), "forbidden");
}

Test(newer, export_finished)
{
    create(false, true);
    FINE(about(admin, "admin.export"));
    go_back(false);
    REASON(about(admin, "admin.export"), "newer_core");
    REASON(about(anna, "table.record"), "newer_core");
}

/* A game without pages has all but those; a game that is none has nothing. */
Test(newer, pages)
{
    static const char *const details[] = {"summary", "detailed"};

    for (size_t i = 0; i < COUNT_OF(details); i++) {
        FINE(test_client_ask(&d, anna, "rules.text", "{s:s,s:s}", "game",
                             "tictactoe", "detail", details[i]));
        REASON(test_client_ask(&d, anna, "rules.text", "{s:s,s:s}", "game",
                               kuhn_rules.name, "detail", details[i]),
               "no_such_text");
        REASON(test_client_ask(&d, anna, "rules.text", "{s:s,s:s}", "game",
                               "chess", "detail", details[i]),
               "no_such_game");
    }
    FINE(test_client_ask(&d, anna, "rules.info", "{s:s}", "game",
                         kuhn_rules.name));
}
