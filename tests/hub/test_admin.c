/* test_admin.c -- the server and its tables as the administrator sees and mends
 * them: each method with all of its answer, and the list of what was changed. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/limits.h"
#include "tests/support/disk_lists.h"
#include "tests/support/test_client.h"

#define STORE \
    "bytes", 8192, "free", 0, "wal", 0, "writable", 1, "damage", "check", \
        "state", "never", "at", "backup"
#define STORE_FORM "s:{s:i,s:i,s:i,s:b,s:n,s:{s:s,s:n},s:n}"

static struct test_client d;
static peer_id anna, bert, carl, admin;
static char table[16];

static void begin(void)
{
    test_client_open(&d, 11);
    admin = test_client_admin(&d);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    carl = test_client_user(&d, "carl");
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(admin, .init = begin, .fini = end, .timeout = 600);

static json_t *ask(const char *method)
{
    return test_client_ask(&d, admin, method, NULL);
}

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

static json_t *row(const json_t *answer, const char *list, size_t i)
{
    return json_array_get(test_client_member(answer, list), i);
}

static const char *word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *user_id(const char *name)
{
    static char text[ID_SIZE];

    for (size_t i = 0; i < d.world.disk.account_count; i++)
        if (strcmp(d.world.disk.accounts[i].name, name) == 0)
            id_write(d.world.disk.accounts[i].id, text);
    return text;
}

static const struct disk_table *stored(void)
{
    id_num id = 0;

    (void)id_read(table, &id);
    return disk_table(&d.world.disk, id);
}

/* What P was told last by the server. */
static const json_t *told(peer_id p)
{
    return test_client_heard(&d, p, "server.notice", NULL);
}

/* ---- how it is ---------------------------------------------------------- */

/* The state of the server is the store's, the hub's counts, and what is
 * announced; who looks does not count. */
Test(admin, status)
{
    struct hub_counts c;

    FINE(test_client_create(&d, anna, NULL, table));
    FINE(at(bert, "table.join"));
    FINE(at(bert, "table.resign"));
    int64_t now = d.world.now_ms;
    json_t *answer = ask("admin.status");
    int64_t later = test_client_number(answer, "now");
    cr_assert(later >= now && later <= d.world.now_ms);
    int64_t started = test_client_number(answer, "started");
    cr_assert_eq(started, INT64_C(1800000000000));
    hub_counts(d.world.hub, &c);
    cr_assert(c.requests > 0 && c.plies > 0 && c.transactions > 0);
    cr_assert_eq(c.tables, 1);
    cr_assert(test_client_is(
        answer,
        "{" STORE_FORM ",s:s,s:I,s:I,s:n,s:i,s:i,s:i,s:I,s:I,s:I,s:I,s:I,s:I,"
        "s:i,s:i,s:n,s:n}",
        "store", STORE, "version", "0", "now", (json_int_t)later, "started",
        (json_int_t)started, "ends", "peers", 3, "tables", 1, "accounts", 3,
        "requests", (json_int_t)c.requests, "refused", (json_int_t)c.refused,
        "moves", (json_int_t)c.moves, "plies", (json_int_t)c.plies, "updates",
        (json_int_t)c.updates, "units", (json_int_t)c.transactions,
        "units_failed", 0, "deadlines", 0, "motd", "maintenance"));
}

/* What is announced is part of the state. */
Test(admin, status_announced)
{
    FINE(test_client_ask(&d, admin, "admin.motd", "{s:s}", "text", "Cake!"));
    FINE(test_client_ask(&d, admin, "admin.maintenance", "{s:s}", "text",
                         "Soon back"));
    json_t *ends = test_client_ask(&d, admin, "admin.shutdown", "{s:i}",
                                   "seconds", 7200);
    json_t *answer = ask("admin.status");
    cr_assert_str_eq(test_client_text(answer, "motd"), "Cake!");
    cr_assert_str_eq(test_client_text(answer, "maintenance"), "Soon back");
    cr_assert_gt(test_client_number(answer, "ends"), d.world.now_ms);
    cr_assert_eq(test_client_number(answer, "ends"),
                 test_client_number(ends, "ends"));
}

/* What the process itself does is done with what was asked for, and the answer
 * is what came of it; what fails says why, what is under way is not begun
 * again. */
Test(admin, operations)
{
    static const struct {
        const char *method, *params;
        enum operation_kind operation;
        const char *operand, *result;
    } cases[] = {
        {"admin.backup", "{\"path\":\"/b/x.db\"}", OPERATION_BACKUP, "/b/x.db",
         "{\"bytes\":4096}"},
        {"admin.vacuum", "{}", OPERATION_VACUUM, "",
         "{\"before\":8192,\"after\":4096}"},
        {"admin.config", "{}", OPERATION_CONFIG, "", "{\"settings\":[]}"},
        {"admin.log", "{}", OPERATION_LOG_LEVEL, "", "{\"level\":\"info\"}"},
        {"admin.log", "{\"level\":\"debug\"}", OPERATION_LOG_LEVEL, "debug",
         "{\"level\":\"info\"}"},
        {"admin.check", "{}", OPERATION_STORE, "", NULL},
        {"admin.check", "{\"start\":true}", OPERATION_STORE, "check", NULL},
        {"admin.check", "{\"stop\":true}", OPERATION_STORE, "stop", NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        json_t *params = json_loads(cases[i].params, 0, NULL);
        json_t *answer = test_client_ask_json(&d, admin, cases[i].method,
                                              json_incref(params));
        FINE(answer);
        cr_assert_eq(d.world.operation, cases[i].operation);
        cr_assert_str_eq(d.world.operand, cases[i].operand);
        if (cases[i].result != NULL) {
            json_t *result = json_loads(cases[i].result, 0, NULL);
            cr_assert(json_equal(json_object_get(answer, "result"), result),
                      "%s", cases[i].method);
            json_decref(result);
        } else {
            cr_assert(
                test_client_is(answer, "{" STORE_FORM "}", "store", STORE));
        }
        d.world.wrong = "no such directory";
        answer = test_client_ask_json(&d, admin, cases[i].method,
                                      json_incref(params));
        REASON(answer, "operation_failed");
        const json_t *data = json_object_get(json_object_get(answer, "error"),
                                             "data");
        cr_assert_str_eq(word(data, "why"), "no such directory");
        d.world.wrong = NULL;
        d.world.busy = true;
        REASON(test_client_ask_json(&d, admin, cases[i].method, params),
               "busy");
        d.world.busy = false;
    }
    REASON(test_client_ask(&d, admin, "admin.backup", "{s:s}", "path",
                           "b/x.db"),
           "invalid_params");
}

/* ---- what was changed ---------------------------------------------------- */

/* The list of changes has who changed what and when, the last first, without
 * names and secrets; that of a table, of a user, or all of it, in pages. */
Test(admin, audit)
{
    const struct disk *disk = &d.world.disk;
    char id[ID_SIZE];

    FINE(test_client_create(&d, anna, NULL, table));
    snprintf(id, sizeof(id), "%s", user_id("anna"));
    FINE(test_client_ask(&d, admin, "admin.users.ban", "{s:s,s:s}", "user",
                         "anna", "why", "noise"));
    FINE(at(admin, "admin.abandon"));
    FINE(test_client_ask(&d, admin, "admin.motd", "{s:s}", "text", "Cake!"));
    cr_assert_eq(disk->audit_count, 3);
    json_t *ban = json_pack("{s:i,s:I,s:i,s:s,s:n,s:s,s:s,s:{s:s}}", "number",
                            (int)disk->audits[0].number, "at",
                            (json_int_t)disk->audits[0].at, "uid", 77,
                            "method", "admin.users.ban", "table", "account",
                            id, "user", "anna", "params", "why", "noise");
    json_t *abandon = json_pack("{s:i,s:I,s:i,s:s,s:s,s:n,s:n,s:{}}", "number",
                                (int)disk->audits[1].number, "at",
                                (json_int_t)disk->audits[1].at, "uid", 77,
                                "method", "admin.abandon", "table", table,
                                "account", "user", "params");
    json_t *motd = json_pack("{s:i,s:I,s:i,s:s,s:n,s:n,s:n,s:{s:s}}", "number",
                             (int)disk->audits[2].number, "at",
                             (json_int_t)disk->audits[2].at, "uid", 77,
                             "method", "admin.motd", "table", "account",
                             "user", "params", "text", "Cake!");
    cr_assert(test_client_is(ask("admin.audit"), "{s:[O,O,O]}", "changes",
                             motd, abandon, ban));
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.audit", "{s:i}",
                                             "limit", 2),
                             "{s:[O,O],s:i}", "changes", motd, abandon, "next",
                             (int)disk->audits[1].number));
    cr_assert(
        test_client_is(test_client_ask(&d, admin, "admin.audit", "{s:i}",
                                       "before", (int)disk->audits[1].number),
                       "{s:[O]}", "changes", ban));
    cr_assert(test_client_is(at(admin, "admin.audit"), "{s:[o]}", "changes",
                             abandon));
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.audit", "{s:s}",
                                             "user", "anna"),
                             "{s:[o]}", "changes", ban));
    json_decref(motd);
    REASON(test_client_ask(&d, admin, "admin.audit", "{s:s}", "user",
                           "nobody"),
           "no_such_user");
    snprintf(table, sizeof(table), "x");
    REASON(at(admin, "admin.audit"), "no_such_table");
}

/* No password, address or new name gets into the list of changes, nor what a proxy
 * calls somebody or a mail server says. */
Test(admin, audit_keeps_no_secrets)
{
    const struct disk *disk = &d.world.disk;

    FINE(test_client_ask(&d, admin, "admin.users.add", "{s:s,s:s,s:s}", "name",
                         "dora", "password", "a secret", "email",
                         "d@example.org"));
    FINE(test_client_ask(&d, admin, "admin.users.rename", "{s:s,s:s}", "user",
                         "dora", "name", "eve"));
    FINE(test_client_ask(&d, admin, "admin.users.bind", "{s:s,s:s}", "user",
                         "eve", "proxied", "eve@corp"));
    *NEXT(d.world.disk.sent, d.world.disk.sent_count) =
        (struct sent_row){.account = d.world.disk.accounts[0].id,
                          .message = 7};
    FINE(test_client_ask(&d, admin, "admin.notices.bounce", "{s:s,s:s}",
                         "message", "aaaaaaaaaaaah", "said",
                         "550 <d@example.org> is not known"));
    cr_assert_eq(disk->audit_count, 4);
    for (size_t i = 0; i < 3; i++)
        cr_assert_str_eq(disk->audits[i].what, "{}");
    cr_assert_str_eq(disk->audits[3].what, "{\"message\":\"aaaaaaaaaaaah\"}");
}

/* ---- telling everybody --------------------------------------------------- */

/* A full disk: what helps against it, or tells people of it, needs no room there. */
Test(admin, nothing_stored)
{
    static const struct {
        const char *method, *params, *reason;
    } cases[] = {
        {"admin.broadcast", "{s:s}", ""},
        {"admin.motd", "{s:s}", ""},
        {"admin.motd.end", NULL, ""},
        {"admin.maintenance", NULL, ""},
        {"admin.maintenance.end", NULL, ""},
        {"admin.vacuum", NULL, "storage_unavailable"},
    };

    d.world.fail_per_1000 = 1000;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        REASON(test_client_ask(&d, admin, cases[i].method, cases[i].params,
                               "text", "the disk is full"),
               cases[i].reason);
    /* The host's own disk fails, too: what counts is that it is asked. */
    (void)test_client_ask(&d, admin, "admin.log", "{s:s}", "level", "debug");
    cr_assert_eq(d.world.operation, OPERATION_LOG_LEVEL);
    (void)test_client_ask(&d, admin, "admin.backup", "{s:s}", "path",
                          "/other/disk.db");
    cr_assert_eq(d.world.operation, OPERATION_BACKUP);
    cr_assert_str_eq(d.world.operand, "/other/disk.db");
    REASON(test_client_ask(&d, admin, "admin.users.ban", "{s:s}", "user",
                           "anna"),
           "storage_unavailable");
    d.world.fail_per_1000 = 0;
    size_t noted = json_array_size(
        test_client_member(ask("admin.audit"), "changes"));
    cr_assert_eq(noted, 0);
}

/* A broadcast is heard by all who have spoken and can be told, once; who says it
 * is not counted. */
Test(admin, broadcast)
{
    peer_id silent = test_client_come(&d, 0);
    size_t count;

    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.broadcast",
                                             "{s:s}", "text", "Tea is ready"),
                             "{s:i}", "told", 3));
    json_t *note = test_client_heard(&d, anna, "server.notice", &count);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(word(note, "kind"), "broadcast");
    cr_assert_str_eq(word(note, "text"), "Tea is ready");
    test_client_heard(&d, silent, "server.notice", &count);
    cr_assert_eq(count, 0);
    struct peer_info info = {.direct = true, .admin = true, .notices = true};
    peer_id other = ++d.peers;
    hub_open(d.world.hub, other, &info, d.world.now_ms);
    cr_assert(test_client_is(test_client_ask(&d, other, "admin.broadcast",
                                             "{s:s}", "text", "It is cold"),
                             "{s:i}", "told", 3));
    cr_assert_str_eq(word(told(other), "text"), "It is cold");
}

/* ---- the end ------------------------------------------------------------- */

/* Who is there is told when the server ends at once, and again an hour, ten
 * minutes, a minute and ten seconds before; then it ends, once. */
Test(admin, shutdown)
{
    static const int64_t before_s[] = {3600, 600, 60, 10};
    size_t count;

    json_t *answer = test_client_ask(&d, admin, "admin.shutdown", "{s:i,s:s}",
                                     "seconds", 7200, "text", "a new disk");
    int64_t ends = test_client_number(answer, "ends");
    cr_assert_eq(json_object_size(json_object_get(answer, "result")), 1);
    cr_assert(ends > d.world.now_ms + 7190 * 1000 &&
              ends <= d.world.now_ms + 7200 * 1000);
    json_t *wanted = json_pack("{s:s,s:I,s:s}", "kind", "shutdown", "at",
                               (json_int_t)ends, "text", "a new disk");
    cr_assert(json_equal(told(anna), wanted));
    for (size_t i = 0; i < 4; i++) {
        int64_t due = ends - 1000 * before_s[i];
        /* A loop that stands still for longer is an outage, which is told. */
        while (due - d.world.now_ms > 30000)
            test_client_wait(&d, 20000);
        d.world.now_ms = due - 1;
        hub_tick(d.world.hub, due - 1);
        test_client_heard(&d, anna, "server.notice", &count);
        cr_assert_eq(count, i + 1);
        d.world.now_ms = due;
        hub_tick(d.world.hub, due);
        test_client_heard(&d, anna, "server.notice", &count);
        cr_assert_eq(count, i + 2);
        cr_assert(json_equal(told(anna), wanted));
    }
    json_decref(wanted);
    hub_tick(d.world.hub, ends - 1);
    cr_assert_eq(d.world.ends, 0);
    for (int i = 0; i < 2; i++)
        hub_tick(d.world.hub, ends + i);
    cr_assert_eq(d.world.ends, 1);
    test_client_heard(&d, anna, "server.notice", &count);
    cr_assert_eq(count, 5);
}

/* An end in five minutes is told at once and then a minute before; one that is
 * called off is none, and one at once needs no telling. */
Test(admin, shutdown_soon)
{
    size_t count;

    REASON(test_client_ask(&d, admin, "admin.shutdown", "{s:b}", "cancel", 1),
           "no_shutdown");
    FINE(
        test_client_ask(&d, admin, "admin.shutdown", "{s:i}", "seconds", 300));
    cr_assert_null(json_object_get(told(anna), "text"));
    test_client_wait(&d, 200 * 1000);
    test_client_heard(&d, anna, "server.notice", &count);
    cr_assert_eq(count, 1);
    test_client_wait(&d, 45 * 1000);
    test_client_heard(&d, anna, "server.notice", &count);
    cr_assert_eq(count, 2);
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.shutdown",
                                             "{s:b}", "cancel", 1),
                             "{s:n}", "ends"));
    cr_assert_str_eq(word(told(anna), "kind"), "shutdown_cancelled");
    test_client_wait(&d, 7200 * 1000);
    test_client_heard(&d, anna, "server.notice", &count);
    cr_assert(count == 3 && d.world.ends == 0);
    cr_assert_eq(d.world.disk.audit_count, 2);
    FINE(test_client_ask(&d, admin, "admin.shutdown", "{s:i}", "seconds", 0));
    test_client_heard(&d, anna, "server.notice", &count);
    cr_assert(count == 3 && d.world.ends == 1);
}

/* ---- what is over --------------------------------------------------------- */

/* What has expired is counted, and dropped unless it was only to be counted;
 * what has not stays. */
Test(admin, prune)
{
    struct disk *disk = &d.world.disk;

    FINE(test_client_create(&d, anna, json_pack("{s:s}", "key", "a"), table));
    FINE(test_client_create(&d, anna, json_pack("{s:s}", "key", "b"), table));
    disk->keys[0].at -= LIMIT_KEY_MS + 1000;
    disk->tokens[2].expires = d.world.now_ms - 1; /* carl's */
    for (int i = 0; i < 2; i++) {
        cr_assert(test_client_is(test_client_ask(&d, admin, "admin.prune",
                                                 "{s:b}", "dry_run", 1),
                                 "{s:i,s:i}", "tokens", 1, "keys", 1));
        cr_assert(disk->key_count == 2 && disk->token_count == 3);
    }
    cr_assert_eq(disk->audit_count, 0);
    cr_assert(test_client_is(ask("admin.prune"), "{s:i,s:i}", "tokens", 1,
                             "keys", 1));
    cr_assert(disk->key_count == 1 && disk->token_count == 2);
    cr_assert_eq(disk->audit_count, 1);
    cr_assert(test_client_is(ask("admin.prune"), "{s:i,s:i}", "tokens", 0,
                             "keys", 0));
}

/* ---- tables --------------------------------------------------------------- */

/* The administrator's list has private tables, too, and is chosen from. */
Test(admin, tables)
{
    char hidden[16];

    FINE(test_client_create(&d, anna, json_pack("{s:b}", "private", 1),
                            hidden));
    FINE(test_client_create(&d, anna, NULL, table));
    FINE(at(bert, "table.join"));
    json_t *answer = ask("admin.tables");
    cr_assert_eq(json_array_size(test_client_member(answer, "tables")), 2);
    cr_assert_null(test_client_member(answer, "next"));
    answer = test_client_ask(&d, admin, "admin.tables", "{s:s}", "state",
                             "open");
    cr_assert_eq(json_array_size(test_client_member(answer, "tables")), 1);
    cr_assert_str_eq(word(row(answer, "tables", 0), "table"), hidden);
    answer = test_client_ask(&d, admin, "admin.tables", "{s:i}", "limit", 1);
    cr_assert_eq(json_array_size(test_client_member(answer, "tables")), 1);
    cr_assert_str_eq(test_client_text(answer, "next"),
                     word(row(answer, "tables", 0), "table"));
    answer = test_client_ask(&d, admin, "admin.tables", "{s:s}", "game",
                             "hacienda");
    cr_assert_eq(json_array_size(test_client_member(answer, "tables")), 0);
    REASON(test_client_ask(&d, admin, "admin.tables", "{s:s}", "game",
                           "chess"),
           "no_such_game");
}

static json_t *ply_row(int ply, const char *kind, int seat, const char *verb)
{
    json_int_t when = 0;
    const struct ply_row *p = &stored()->plies[ply];
    json_t *line = json_loadb(p->line, p->len, 0, NULL);
    json_t *o = json_pack("{s:i,s:s}", "ply", ply, "kind", kind);

    when = number(line, "at");
    json_decref(line);
    json_object_set_new(o, "at", json_integer(when));
    if (seat >= 0)
        json_object_set_new(o, "seat", json_integer(seat));
    if (verb != NULL)
        json_object_set_new(o, "verb", json_string(verb));
    return o;
}

/* One table is shown as lists show it, with what a list has no room for and the
 * last plies of its log: of a move what kind it was, and no more. */
Test(admin, table)
{
    FINE(test_client_create(&d, anna, NULL, table));
    FINE(at(bert, "table.join"));
    FINE(at(carl, "table.watch"));
    FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table", table,
                         "text", "well"));
    json_t *legal = at(anna, "table.legal");
    FINE(test_client_ask(&d, anna, "table.move", "{s:s,s:O,s:O}", "table",
                         table, "decision",
                         test_client_member(legal, "decision"), "move",
                         row(legal, "moves", 4)));
    const struct table_row *t = &stored()->row;
    const struct summary *s = &t->summary;
    char annas[ID_SIZE], berts[ID_SIZE], owner[ID_SIZE];
    id_write(s->seat[0], annas);
    id_write(s->seat[1], berts);
    id_write(t->owner, owner);
    json_t *header = json_loads(t->header, 0, NULL);
    json_t *commitment = json_object_get(header, "commitment");
    json_t *revision = json_object_get(header, "revision");
    cr_assert(test_client_is(
        test_client_ask(&d, admin, "admin.table", "{s:s,s:i}", "table", table,
                        "plies", 3),
        "{s:{s:s,s:s,s:s,s:[{s:s,s:s,s:b},{s:s,s:s,s:b}],s:{},s:n,s:n,s:b,s:b,"
        "s:b,s:b,s:s,s:n,s:I,s:I,s:I,s:s,s:O,s:O,s:[],s:n,s:i,s:i,s:i,s:i,"
        "s:[o,o,o]}}",
        "table", "table", table, "game", "tictactoe", "state", "playing",
        "seats", "user", annas, "name", "anna", "acting", 0, "user", berts,
        "name", "bert", "acting", 1, "options", "board", "tables", "private",
        0, "password", 0, "rated", 0, "spectators", 1, "start", "full", "pace",
        "created", (json_int_t)t->created, "changed", (json_int_t)s->changed,
        "ply", (json_int_t)s->ply, "owner", owner, "revision", revision,
        "commitment", commitment, "resigned", "reason", "started", 3, "draws",
        0, "watchers", 1, "texts", 1, "plies", ply_row(2, "join", 1, NULL),
        ply_row(3, "start", -1, NULL), ply_row(4, "move", 0, "place")));
    json_decref(header);
}

/* Of a table that is over it is shown why, who had given up, and of a move that
 * was taken back that it was. */
Test(admin, table_over)
{
    FINE(test_client_create(&d, anna, NULL, table));
    json_t *open = test_client_member(at(admin, "admin.table"), "table");
    cr_assert(number(open, "started") == 0 && number(open, "watchers") == 0);
    cr_assert_eq(json_array_size(json_object_get(open, "plies")), 2);
    FINE(at(bert, "table.join"));
    json_t *legal = at(anna, "table.legal");
    FINE(test_client_ask(&d, anna, "table.move", "{s:s,s:O,s:O}", "table",
                         table, "decision",
                         test_client_member(legal, "decision"), "move",
                         row(legal, "moves", 4)));
    FINE(test_client_ask(&d, admin, "admin.rewind", "{s:s,s:i}", "table",
                         table, "ply", 3));
    FINE(at(bert, "table.resign"));
    json_t *over = test_client_member(at(admin, "admin.table"), "table");
    const json_t *gone = json_object_get(over, "resigned");
    cr_assert_eq(json_array_size(gone), 1);
    cr_assert_eq(json_integer_value(json_array_get(gone, 0)), 1);
    cr_assert_str_eq(word(over, "reason"), "resigned");
    const json_t *plies = json_object_get(over, "plies");
    for (size_t i = 0; i < json_array_size(plies); i++)
        cr_assert_eq(json_is_true(
                         json_object_get(json_array_get(plies, i), "undone")),
                     i == 4, "ply %zu", i);
}

/* ---- mending --------------------------------------------------------------- */

/* Only a game that goes on is taken back, to a ply of its own, and only if that
 * takes anything back; what is over is not given up once more. */
Test(admin, mending_refused)
{
    FINE(test_client_create(&d, anna, NULL, table));
    REASON(test_client_ask(&d, admin, "admin.rewind", "{s:s,s:i}", "table",
                           table, "ply", 0),
           "not_started");
    FINE(at(bert, "table.join"));
    static const struct {
        int ply;
        const char *reason;
    } cases[] = {{2, "before_start"},
                 {3, "nothing_to_rewind"},
                 {4, "no_such_ply"},
                 {5, "no_such_ply"}};
    for (size_t i = 0; i < 4; i++) {
        json_t *no = test_client_ask(&d, admin, "admin.rewind", "{s:s,s:i}",
                                     "table", table, "ply", cases[i].ply);
        REASON(no, cases[i].reason);
        const json_t *data = json_object_get(json_object_get(no, "error"),
                                             "data");
        cr_assert_eq(number(data, "started"), i == 0 ? 3 : 0);
    }
    cr_assert(test_client_is(at(admin, "admin.abandon"), "{s:i}", "ply", 4));
    REASON(at(admin, "admin.abandon"), "game_over");
    REASON(test_client_ask(&d, admin, "admin.rewind", "{s:s,s:i}", "table",
                           table, "ply", 3),
           "game_over");
    cr_assert_eq(d.world.disk.audit_count, 1);
}

static json_t *replace(int seat, const char *user)
{
    return test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}",
                           "table", table, "seat", seat, "user", user);
}

/* A seat is given to somebody who may play and does not sit there yet; who had
 * it and who gets it are told, the latter that it is their turn, if it is. */
Test(admin, replaced)
{
    FINE(test_client_create(&d, anna, NULL, table));
    REASON(replace(0, "carl"), "not_started");
    FINE(at(bert, "table.join"));
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    FINE(test_client_ask(&d, carl, "me.watch", NULL));
    REASON(replace(2, "carl"), "no_such_seat");
    REASON(replace(0, "nobody"), "no_such_user");
    REASON(replace(0, "bert"), "already_seated");
    REASON(replace(0, "anna"), "already_seated");
    FINE(test_client_ask(&d, admin, "admin.users.ban", "{s:s}", "user",
                         "bert"));
    test_client_user(&d, "dora");
    FINE(test_client_ask(&d, admin, "admin.users.ban", "{s:s,s:I}", "user",
                         "dora", "until", (json_int_t)d.world.now_ms + 60000));
    REASON(replace(1, "dora"), "banned");
    cr_assert(test_client_is(replace(0, "carl"), "{s:i}", "ply", 4));
    size_t count;
    const json_t *event = test_client_heard(&d, anna, "me.event", &count);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(word(event, "kind"), "unseated");
    event = test_client_heard(&d, carl, "me.event", &count);
    cr_assert_eq(count, 2);
    cr_assert_str_eq(word(event, "kind"), "turn");
    d.world.now_ms += 60000;
    cr_assert(test_client_is(replace(1, "dora"), "{s:i}", "ply", 5));
    FINE(at(admin, "admin.abandon"));
    REASON(replace(0, "anna"), "game_over");
}

/* ---- what was said ------------------------------------------------------- */

static json_t *text_row(int text, const char *room, const char *from,
                        const char *body)
{
    return json_pack("{s:i,s:s,s:s,s:s,s:I,s:s?}", "text", text, "table",
                     table, "room", room, "from", from, "at",
                     (json_int_t)stored()->texts[text - 1].at, "body", body);
}

/* What was said in both rooms is there for the administrator, the last first,
 * in pages; what they take away is gone for everybody, once, and who watches
 * is told. */
Test(admin, texts)
{
    size_t count;

    FINE(test_client_create(&d, anna, NULL, table));
    FINE(at(bert, "table.watch"));
    FINE(at(carl, "table.watch"));
    for (int i = 0; i < 3; i++)
        FINE(test_client_ask(&d, i == 1 ? bert : anna, "table.chat",
                             "{s:s,s:s,s:s}", "table", table, "text", "well",
                             "room", i == 1 ? "spectators" : "table"));
    cr_assert(test_client_is(at(admin, "admin.texts"), "{s:[o,o,o]}", "texts",
                             text_row(3, "table", "anna", "well"),
                             text_row(2, "spectators", "bert", "well"),
                             text_row(1, "table", "anna", "well")));
    cr_assert(
        test_client_is(test_client_ask(&d, admin, "admin.texts", "{s:s,s:i}",
                                       "table", table, "limit", 2),
                       "{s:[o,o],s:i}", "texts",
                       text_row(3, "table", "anna", "well"),
                       text_row(2, "spectators", "bert", "well"), "next", 2));
    cr_assert(
        test_client_is(test_client_ask(&d, admin, "admin.texts", "{s:s,s:i}",
                                       "table", table, "before", 2),
                       "{s:[o]}", "texts",
                       text_row(1, "table", "anna", "well")));
    test_client_heard(&d, carl, "table.chat", &count);
    cr_assert_eq(count, 3);
    for (int i = 0; i < 2; i++) {
        json_t *gone = test_client_ask(&d, admin, "admin.texts.remove",
                                       "{s:s,s:i}", "table", table, "text", 2);
        if (i == 0)
            cr_assert(test_client_is(gone, "{}"));
        else
            REASON(gone, "no_such_text");
        json_t *note = test_client_heard(&d, carl, "table.chat", &count);
        cr_assert_eq(count, 4);
        cr_assert_eq(number(note, "text"), 2);
        cr_assert(json_is_null(json_object_get(note, "body")));
    }
    REASON(test_client_ask(&d, admin, "admin.texts.remove", "{s:s,s:i}",
                           "table", table, "text", 4),
           "no_such_text");
    REASON(test_client_ask(&d, admin, "admin.texts.remove", "{s:s,s:i}",
                           "table", table, "text", 0),
           "no_such_text");
    const json_t *left = at(admin, "admin.texts");
    cr_assert(json_is_null(json_object_get(row(left, "texts", 1), "body")));
    cr_assert_str_eq(word(row(left, "texts", 0), "body"), "well");
    cr_assert_str_eq(word(row(left, "texts", 2), "body"), "well");
    cr_assert_eq(d.world.disk.audit_count, 1);
    cr_assert_str_eq(word(row(ask("admin.audit"), "changes", 0), "user"),
                     "bert");
}
