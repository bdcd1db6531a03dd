/* test_admin_users.c -- people as the administrator sees and treats them: each
 * method with all of its answer, what it changes, and what it refuses. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

#define DAY_MS (24 * 3600 * INT64_C(1000))

static struct test_client d;
static peer_id anna, bert, admin;
static char table[16];

static void begin(void)
{
    test_client_open(&d, 5);
    admin = test_client_admin(&d);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(admin_users, .init = begin, .fini = end, .timeout = 600);

/* What METHOD answers about USER. */
static json_t *about(const char *method, const char *user)
{
    return test_client_ask(&d, admin, method, "{s:s}", "user", user);
}

static json_t *login(peer_id p, const char *name, const char *password)
{
    return test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name", name,
                           "password", password);
}

/* Another connection of a user with the usual password. */
static peer_id enter(const char *name)
{
    peer_id p = test_client_come(&d, 0);

    FINE(login(p, name, "password"));
    return p;
}

static json_t *sit(const char *method, peer_id p)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

/* What is stored of who has that name. */
static struct account_row *stored(const char *name)
{
    struct disk *disk = &d.world.disk;
    size_t i = 0;

    while (i < disk->account_count &&
           strcmp(disk->accounts[i].name, name) != 0)
        i++;
    cr_assert_lt(i, disk->account_count, "nobody is called %s", name);
    return &disk->accounts[i];
}

static const char *id_of(id_num id)
{
    static char text[4][ID_SIZE];
    static int next;
    char *at = text[next++ % 4];

    id_write(id, at);
    return at;
}

/* As the list shows who has NAME, with so many connections. */
static json_t *person(const char *name, int connections, json_t *ban)
{
    const struct account_row *row = stored(name);

    return json_pack("{s:s,s:s,s:b,s:I,s:I,s:i,s:o}", "id", id_of(row->id),
                     "name", name, "guest", row->kind == ACCOUNT_GUEST,
                     "created", (json_int_t)row->created, "seen",
                     (json_int_t)row->seen, "connections", connections,
                     "banned", ban != NULL ? ban : json_null());
}

/* ---- found ------------------------------------------------------------- */

/* The list has everybody with all that is known of them, by name, in pages,
 * and only those who were asked for. */
Test(admin_users, list)
{
    peer_id guest = test_client_come(&d, 0);
    json_t *made = test_client_ask(&d, guest, "account.guest", NULL);
    const char *name = json_string_value(
        json_object_get(test_client_member(made, "user"), "name"));
    json_int_t until = d.world.now_ms + DAY_MS;

    enter("anna");
    FINE(test_client_ask(&d, admin, "admin.users.ban", "{s:s,s:I,s:s}", "user",
                         "bert", "until", until, "why", "noise"));
    json_t *ban = json_pack("{s:I,s:s}", "until", until, "why", "noise");
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users", NULL),
                             "{s:[o,o,o]}", "users", person("anna", 2, NULL),
                             person("bert", 0, json_incref(ban)),
                             person(name, 1, NULL)));
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users", "{s:i}",
                                             "limit", 2),
                             "{s:[o,o],s:s}", "users", person("anna", 2, NULL),
                             person("bert", 0, json_incref(ban)), "next",
                             "bert"));
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users", "{s:s}",
                                             "after", "bert"),
                             "{s:[o]}", "users", person(name, 1, NULL)));
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users", "{s:b}",
                                             "guests", 1),
                             "{s:[o]}", "users", person(name, 1, NULL)));
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users", "{s:b}",
                                             "guests", 0),
                             "{s:[o,o]}", "users", person("anna", 2, NULL),
                             person("bert", 0, json_incref(ban))));
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users", "{s:b}",
                                             "banned", 1),
                             "{s:[o]}", "users", person("bert", 0, ban)));
    /* A bar that is over is none. */
    d.world.now_ms += DAY_MS;
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users", "{s:b}",
                                             "banned", 1),
                             "{s:[]}", "users"));
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users", "{s:i}",
                                             "limit", 3),
                             "{s:[o,o,o]}", "users", person("anna", 2, NULL),
                             person("bert", 0, NULL), person(name, 1, NULL)));
}

/* One user is shown with their address, how many sessions and bots' tokens that
 * are good, the tables they sit at that are not over, and how long the next
 * log-in is refused. */
Test(admin_users, shown)
{
    char waiting[16];

    stored("anna")->email = "a@example.org";
    enter("anna");
    FINE(test_client_ask(&d, anna, "account.tokens.create", "{s:s,s:[s]}",
                         "label", "b", "scopes", "read"));
    FINE(test_client_create(&d, anna, NULL, table)); /* one that is over */
    FINE(sit("table.join", bert));
    FINE(sit("table.resign", bert));
    FINE(test_client_create(&d, bert, json_pack("{s:[s]}", "invite", "anna"),
                            table));
    FINE(test_client_create(&d, anna, NULL, table));
    FINE(sit("table.join", bert));
    memcpy(waiting, table, sizeof(table));
    FINE(test_client_create(&d, anna, NULL, table));
    cr_assert(test_client_is(
        about("admin.user", "anna"),
        "{s:o,s:s,s:b,s:b,s:b,s:i,s:i,"
        "s:[{s:s,s:s,s:s,s:b},{s:s,s:s,s:s,s:b}],"
        "s:{s:i,s:i,s:i},s:i}",
        "user", person("anna", 2, NULL), "email", "a@example.org",
        "email_confirmed", 0, "password", 1, "totp", 0, "sessions", 2,
        "tokens", 1, "tables", "table", waiting, "game", "tictactoe", "state",
        "playing", "waits", 1, "table", table, "game", "tictactoe", "state",
        "open", "waits", 0, "limits", "tables", LIMIT_TABLES, "sessions",
        LIMIT_SESSIONS, "tokens", LIMIT_TOKENS, "login_wait_ms", 0));
    /* Of tokens that are over nothing is said. */
    for (size_t i = 0; i < d.world.disk.token_count; i++)
        if (d.world.disk.tokens[i].account == stored("anna")->id)
            d.world.disk.tokens[i].expires = d.world.now_ms;
    json_t *answer = about("admin.user", "anna");
    cr_assert_eq(test_client_number(answer, "sessions"), 0);
    cr_assert_eq(test_client_number(answer, "tokens"), 0);
    REASON(about("admin.user", "nobody"), "no_such_user");
}

/* It is told of a guest that they have neither address nor password; and of who
 * was guessed at too often how long they are kept out, which asking does not
 * make longer. */
Test(admin_users, shown_slowed)
{
    json_t *made = test_client_ask(&d, test_client_come(&d, 0),
                                   "account.guest", NULL);
    json_t *answer =
        about("admin.user",
              json_string_value(
                  json_object_get(test_client_member(made, "user"), "name")));

    cr_assert(json_is_null(test_client_member(answer, "email")));
    cr_assert(json_is_false(test_client_member(answer, "password")));
    for (uint64_t i = 0; i < LIMIT_FAILED_BURST; i++)
        REASON(login(test_client_come(&d, 100 + i), "anna", "wrong password"),
               "bad_credentials");
    int64_t wait = test_client_number(about("admin.user", "anna"),
                                      "login_wait_ms");
    cr_assert_gt(wait, LIMIT_FAILED_NAME_MS / 2);
    cr_assert_leq(wait, LIMIT_FAILED_NAME_MS);
    cr_assert_leq(test_client_number(about("admin.user", "anna"),
                                     "login_wait_ms"),
                  wait);
}

/* ---- added ------------------------------------------------------------- */

/* An account that the administrator makes is one to log in with, also where
 * nobody may register; its name is free, and its password can be kept. */
Test(admin_users, add)
{
    d.world.config.registration = REGISTRATION_CLOSED;
    hub_configure(d.world.hub, &d.world.config);
    json_t *made = test_client_ask(&d, admin, "admin.users.add",
                                   "{s:s,s:s,s:s}", "name", "Carl", "password",
                                   "password", "email", "c@example.org");
    const struct account_row *row = stored("Carl");
    cr_assert(test_client_is(made, "{s:{s:s,s:s,s:b}}", "user", "id",
                             id_of(row->id), "name", "Carl", "guest", 0));
    cr_assert_str_eq(row->email, "c@example.org");
    cr_assert_gt(row->created, 0);
    cr_assert_eq(row->seen, row->created);
    enter("carl");
    REASON(test_client_ask(&d, admin, "admin.users.add", "{s:s,s:s}", "name",
                           "ANNA", "password", "password"),
           "name_taken");
    size_t before = d.world.disk.account_count;
    d.world.hashes_fail = true;
    REASON(test_client_ask(&d, admin, "admin.users.add", "{s:s,s:s}", "name",
                           "dora", "password", "password"),
           "internal_error");
    cr_assert_eq(d.world.disk.account_count, before);
}

/* Another name is free, and is told to who is there by it. */
Test(admin_users, rename)
{
    size_t told;
    const char *id = id_of(stored("anna")->id);

    REASON(test_client_ask(&d, admin, "admin.users.rename", "{s:s,s:s}",
                           "user", "nobody", "name", "xaver"),
           "no_such_user");
    REASON(test_client_ask(&d, admin, "admin.users.rename", "{s:s,s:s}",
                           "user", "anna", "name", "Bert"),
           "name_taken");
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users.rename",
                                             "{s:s,s:s}", "user", "anna",
                                             "name", "Anna-Maria"),
                             "{s:{s:s,s:s,s:b}}", "user", "id", id, "name",
                             "Anna-Maria", "guest", 0));
    json_t *note = test_client_heard(&d, anna, "server.notice", &told);
    cr_assert_eq(told, 1);
    cr_assert_str_eq(json_string_value(json_object_get(note, "text")),
                     "You are Anna-Maria from now on.");
    test_client_heard(&d, bert, "server.notice", &told);
    cr_assert_eq(told, 0);
    enter("anna-maria");
}

/* ---- passwords ---------------------------------------------------------- */

/* A new password ends whatever was logged in by the old one, and is the only
 * one; guests have none. */
Test(admin_users, password)
{
    json_t *guest = test_client_ask(&d, test_client_come(&d, 0),
                                    "account.guest", NULL);
    const char *name = json_string_value(
        json_object_get(test_client_member(guest, "user"), "name"));
    peer_id again = enter("anna");

    FINE(test_client_ask(&d, anna, "account.tokens.create", "{s:s,s:[s]}",
                         "label", "bot", "scopes", "read"));
    size_t tokens = d.world.disk.token_count;
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users.password",
                                             "{s:s,s:s}", "user", "anna",
                                             "password", "another one"),
                             "{s:i}", "ended", 2));
    cr_assert(d.cut[anna] && d.cut[again] && !d.cut[bert]);
    cr_assert_eq(d.world.disk.token_count, tokens - 3);
    cr_assert_str_eq(json_string_value(json_object_get(
                         test_client_heard(&d, anna, "server.notice", NULL),
                         "kind")),
                     "session_ended");
    REASON(login(test_client_come(&d, 0), "anna", "password"),
           "bad_credentials");
    FINE(login(test_client_come(&d, 0), "anna", "another one"));
    REASON(test_client_ask(&d, admin, "admin.users.password", "{s:s,s:s}",
                           "user", name, "password", "another one"),
           "is_a_guest");
    REASON(test_client_ask(&d, admin, "admin.users.password", "{s:s,s:s}",
                           "user", "nobody", "password", "another one"),
           "no_such_user");
    d.world.hashes_fail = true;
    REASON(test_client_ask(&d, admin, "admin.users.password", "{s:s,s:s}",
                           "user", "bert", "password", "another one"),
           "internal_error");
    d.world.hashes_fail = false;
    enter("bert");
}

/* ---- barred ------------------------------------------------------------- */

/* Who is barred is told until when and why, cut off, and not let in; until then,
 * or until the administrator lets them in. */
Test(admin_users, ban)
{
    peer_id again = enter("anna");
    json_int_t until = d.world.now_ms + DAY_MS;

    REASON(test_client_ask(&d, admin, "admin.users.ban", "{s:s,s:I}", "user",
                           "anna", "until", (json_int_t)d.world.now_ms - 1),
           "invalid_params");
    REASON(about("admin.users.ban", "nobody"), "no_such_user");
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users.ban",
                                             "{s:s,s:I,s:s}", "user", "anna",
                                             "until", until, "why", "noise"),
                             "{s:i}", "ended", 2));
    cr_assert(d.cut[anna] && d.cut[again] && !d.cut[bert]);
    json_t *note = test_client_heard(&d, anna, "server.notice", NULL);
    json_t *wanted = json_pack("{s:s,s:I,s:s}", "kind", "banned", "until",
                               until, "why", "noise");
    cr_assert(json_equal(note, wanted));
    json_decref(wanted);
    json_t *refused = login(test_client_come(&d, 0), "anna", "password");
    REASON(refused, "banned");
    const json_t *data = json_object_get(json_object_get(refused, "error"),
                                         "data");
    cr_assert_eq(json_integer_value(json_object_get(data, "until")), until);
    cr_assert_str_eq(json_string_value(json_object_get(data, "why")), "noise");
    d.world.now_ms = until;
    enter("anna");
    REASON(about("admin.users.unban", "anna"), "not_banned");
}

/* A bar with no end has none, and no reason; it is lifted once. */
Test(admin_users, ban_for_good)
{
    cr_assert(
        test_client_is(about("admin.users.ban", "anna"), "{s:i}", "ended", 1));
    d.world.now_ms += 10000 * DAY_MS;
    json_t *refused = login(test_client_come(&d, 0), "anna", "password");
    REASON(refused, "banned");
    const json_t *data = json_object_get(json_object_get(refused, "error"),
                                         "data");
    cr_assert(json_is_null(json_object_get(data, "until")));
    cr_assert(json_is_null(json_object_get(data, "why")));
    cr_assert(test_client_is(about("admin.users.unban", "anna"), "{}"));
    enter("anna");
    REASON(about("admin.users.unban", "anna"), "not_banned");
    REASON(about("admin.users.unban", "nobody"), "no_such_user");
}

/* ---- sessions ----------------------------------------------------------- */

static json_t *session(const struct token_row *t, const char *user,
                       const char *label, int connections)
{
    return json_pack("{s:s,s:s,s:b,s:s,s:I,s:o,s:i}", "id", id_of(t->id),
                     "user", user, "guest", 0, "label", label, "created",
                     (json_int_t)t->created, "expires",
                     t->expires != 0 ? json_integer(t->expires) : json_null(),
                     "connections", connections);
}

static int by_id(const void *a, const void *b)
{
    id_num x = ((const struct token_row *)a)->id;
    id_num y = ((const struct token_row *)b)->id;

    return x < y ? -1 : x > y;
}

/* Sessions and bots' tokens are listed with whose they are, what they are
 * called, how long they last, and how many are there by them; those of
 * everybody, or of one, in pages; not those that are over. */
Test(admin_users, sessions)
{
    struct disk *disk = &d.world.disk;
    json_t *made = test_client_ask(&d, bert, "account.tokens.create",
                                   "{s:s,s:[s]}", "label", "bot", "scopes",
                                   "read");

    for (int i = 0; i < 2; i++)
        FINE(test_client_ask(&d, test_client_come(&d, 0), "session.resume",
                             "{s:s}", "token",
                             test_client_text(made, "token")));
    cr_assert_eq(disk->token_count, 3);
    qsort(disk->tokens, 3, sizeof(*disk->tokens), by_id);
    json_t *all[3];
    for (size_t i = 0; i < 3; i++) {
        const struct token_row *t = &disk->tokens[i];
        bool bot = t->label[0] != '\0';
        bool is_anna = t->account == stored("anna")->id;
        all[i] = session(t, is_anna ? "anna" : "bert", bot ? "bot" : "session",
                         bot ? 2 : 1);
    }
    cr_assert(
        test_client_is(test_client_ask(&d, admin, "admin.sessions", NULL),
                       "{s:[O,O,O]}", "sessions", all[0], all[1], all[2]));
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.sessions",
                                             "{s:i}", "limit", 2),
                             "{s:[O,O],s:s}", "sessions", all[0], all[1],
                             "next", id_of(disk->tokens[1].id)));
    cr_assert(
        test_client_is(test_client_ask(&d, admin, "admin.sessions", "{s:s}",
                                       "after", id_of(disk->tokens[1].id)),
                       "{s:[O]}", "sessions", all[2]));
    const json_t *mine = test_client_member(about("admin.sessions", "anna"),
                                            "sessions");
    cr_assert_eq(json_array_size(mine), 1);
    cr_assert_str_eq(json_string_value(
                         json_object_get(json_array_get(mine, 0), "user")),
                     "anna");
    REASON(about("admin.sessions", "nobody"), "no_such_user");
    disk->tokens[1].expires = d.world.now_ms;
    cr_assert(
        test_client_is(test_client_ask(&d, admin, "admin.sessions", NULL),
                       "{s:[o,o]}", "sessions", all[0], all[2]));
    json_decref(all[1]);
}

/* The token of NAME that is a bot's, or else one of a session. */
static const struct token_row *token_of(const char *name, bool bot)
{
    const struct disk *disk = &d.world.disk;
    id_num id = stored(name)->id;

    for (size_t i = 0; i < disk->token_count; i++)
        if (disk->tokens[i].account == id &&
            (disk->tokens[i].label[0] != '\0') == bot)
            return &disk->tokens[i];
    return NULL;
}

/* One session is ended, and who is there by it hears so; their other ones stay,
 * and so do others'.  Or all of somebody's are. */
Test(admin_users, sessions_end)
{
    json_t *made = test_client_ask(&d, anna, "account.tokens.create",
                                   "{s:s,s:[s]}", "label", "bot", "scopes",
                                   "read");
    peer_id bot = test_client_come(&d, 0);
    FINE(test_client_ask(&d, bot, "session.resume", "{s:s}", "token",
                         test_client_text(made, "token")));
    const char *id = test_client_text(made, "id");
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.sessions.end",
                                             "{s:s}", "id", id),
                             "{s:i}", "ended", 1));
    cr_assert(d.cut[bot] && !d.cut[anna] && !d.cut[bert]);
    json_t *note = test_client_heard(&d, bot, "server.notice", NULL);
    cr_assert_eq(json_object_size(note), 1);
    cr_assert_str_eq(json_string_value(json_object_get(note, "kind")),
                     "session_ended");
    cr_assert_null(token_of("anna", true));
    cr_assert_not_null(token_of("anna", false));
    REASON(test_client_ask(&d, test_client_come(&d, 0), "session.resume",
                           "{s:s}", "token", test_client_text(made, "token")),
           "token_expired");
    static const char *const none[] = {"aaaaaaaaaaaab", "aaaaaaaaaaaaa", "x"};
    for (size_t i = 0; i < 3; i++)
        REASON(test_client_ask(&d, admin, "admin.sessions.end", "{s:s}", "id",
                               none[i]),
               "no_such_token");
    REASON(test_client_ask(&d, admin, "admin.sessions.end", "{s:s}", "id", id),
           "no_such_token");
    REASON(test_client_ask(&d, admin, "admin.sessions.end", NULL),
           "invalid_params");
    REASON(test_client_ask(&d, admin, "admin.sessions.end", "{s:s,s:s}", "id",
                           id, "user", "anna"),
           "invalid_params");
    REASON(about("admin.sessions.end", "nobody"), "no_such_user");
    enter("anna");
    cr_assert(test_client_is(about("admin.sessions.end", "anna"), "{s:i}",
                             "ended", 2));
    cr_assert(d.cut[anna] && !d.cut[bert]);
    cr_assert_null(token_of("anna", false));
    cr_assert_not_null(token_of("bert", false));
}

/* Who comes back while their session is ended is not let in by what was true
 * before. */
Test(admin_users, sessions_end_under_a_log_in)
{
    for (int steps = 0; steps < 8; steps++) {
        peer_id p = test_client_come(&d, 0), q = test_client_come(&d, 0);
        json_t *in = login(p, "anna", "password");
        int back = test_client_send(&d, q, "session.resume",
                                    json_pack("{s:s}", "token",
                                              test_client_text(in, "token")));
        int ended = test_client_send(&d, admin, "admin.sessions.end",
                                     json_pack("{s:s}", "user", "anna"));
        for (int i = 0; i < steps; i++)
            world_step(&d.world);
        test_client_settle(&d);
        FINE(test_client_answer(&d, ended));
        cr_assert(d.cut[p]);
        cr_assert(d.cut[q] ||
                  test_client_reason(test_client_answer(&d, back))[0] != '\0');
    }
}

/* ---- handed out ----------------------------------------------------------- */

static json_t *export(const char *part)
{
    return test_client_ask(&d, admin, "admin.users.export", "{s:s,s:s}",
                           "user", "anna", "part", part);
}

static const struct disk_table *there(const char *id)
{
    id_num number;

    cr_assert(id_read(id, &number));
    return disk_table(&d.world.disk, number);
}

/* A table as it stands in a part; in that of seats SEAT stands there, too. */
static json_t *part_table(const char *id, const char *state, json_t *seat)
{
    json_t *row = json_pack("{s:s,s:s,s:s,s:I}", "table", id, "game",
                            "tictactoe", "state", state, "created",
                            (json_int_t)there(id)->row.created);

    if (seat != NULL)
        json_object_set_new(row, "seat", seat);
    return row;
}

/* Somebody is given what is stored of them as an account, with their tokens and
 * a bar. */
Test(admin_users, export_account)
{
    const struct account_row *row = stored("anna");
    const struct token_row *t = &d.world.disk.tokens[0];
    json_t *rows = test_client_member(about("admin.users.export", "anna"),
                                      "rows");

    cr_assert_eq(json_array_size(rows), 1);
    json_t *tokens = json_object_get(json_array_get(rows, 0), "tokens");
    cr_assert_eq(json_array_size(tokens), 1);
    cr_assert_str_eq(json_string_value(
                         json_object_get(json_array_get(tokens, 0), "id")),
                     id_of(t->id));
    cr_assert(test_client_is(about("admin.users.export", "anna"),
                             "{s:[{s:s,s:s,s:b,s:n,s:i,s:n,s:b,s:I,s:I,s:O}]}",
                             "rows", "id", id_of(row->id), "name", "anna",
                             "guest", 0, "email", "confirmed", 0, "pending",
                             "password", 1, "created",
                             (json_int_t)row->created, "seen",
                             (json_int_t)row->seen, "tokens", tokens));
    stored("anna")->email = "a@example.org";
    stored("anna")->confirmed = 77;
    stored("anna")->pending = "b@example.org";
    FINE(about("admin.users.ban", "anna"));
    cr_assert(test_client_is(
        about("admin.users.export", "anna"),
        "{s:[{s:s,s:s,s:b,s:s,s:i,s:s,s:b,s:I,s:I,s:{s:n,s:n},s:[]}]}", "rows",
        "id", id_of(row->id), "name", "anna", "guest", 0, "email",
        "a@example.org", "confirmed", 77, "pending", "b@example.org",
        "password", 1, "created", (json_int_t)row->created, "seen",
        (json_int_t)row->seen, "banned", "until", "why", "tokens"));
    REASON(about("admin.users.export", "nobody"), "no_such_user");
}

/* They are given the tables where they sit or sat, which they made, and to
 * which they are invited. */
Test(admin_users, export_tables)
{
    char left[16], invited[16];

    FINE(test_client_create(&d, bert, NULL, left));
    memcpy(table, left, sizeof(table));
    FINE(sit("table.join", anna));
    FINE(sit("table.resign", anna));
    FINE(test_client_create(&d, bert,
                            json_pack("{s:[s],s:s}", "invite", "anna", "start",
                                      "manual"),
                            invited));
    FINE(test_client_create(&d, anna, NULL, table));
    json_t *lost = part_table(left, "finished", json_integer(1));
    json_object_set_new(lost, "place", json_integer(2));
    json_object_set_new(lost, "points", json_integer(0));
    cr_assert(test_client_is(export("seats"), "{s:[o,o]}", "rows", lost,
                             part_table(table, "open", json_integer(0))));
    cr_assert(test_client_is(export("made"), "{s:[o]}", "rows",
                             part_table(table, "open", NULL)));
    cr_assert(test_client_is(export("invited"), "{s:[o]}", "rows",
                             part_table(invited, "open", NULL)));
    memcpy(table, invited, sizeof(table));
    FINE(sit("table.join", anna));
    FINE(sit("table.leave", anna));
    json_t *rows = test_client_member(export("seats"), "rows");
    cr_assert_eq(json_array_size(rows), 3);
    json_t *was = part_table(invited, "open", json_null());
    cr_assert(json_equal(json_array_get(rows, 1), was));
    json_decref(was);
    cr_assert(test_client_is(test_client_ask(&d, admin, "admin.users.export",
                                             "{s:s,s:s,s:i}", "user", "anna",
                                             "part", "made", "from", 1),
                             "{s:[]}", "rows"));
}

/* They are given what they said and noted, how far they have read, the keys of
 * their requests and the links that were made for them. */
Test(admin_users, export_words)
{
    const struct disk *disk = &d.world.disk;

    FINE(test_client_create(&d, bert, json_pack("{s:s}", "key", "k"), table));
    FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s,s:s,s:s}", "table",
                         table, "text", "hm", "room", "spectators", "key",
                         "once"));
    FINE(sit("table.join", anna));
    FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table", table,
                         "text", "well"));
    const struct disk_table *t = there(table);
    cr_assert(test_client_is(
        export("texts"), "{s:[{s:s,s:i,s:s,s:I,s:s},{s:s,s:i,s:s,s:I,s:s}]}",
        "rows", "table", table, "number", 1, "room", "spectators", "at",
        (json_int_t)t->texts[0].at, "text", "hm", "table", table, "number", 2,
        "room", "table", "at", (json_int_t)t->texts[1].at, "text", "well"));
    FINE(test_client_ask(&d, admin, "admin.texts.remove", "{s:s,s:i}", "table",
                         table, "text", 2));
    json_t *rows = test_client_member(export("texts"), "rows");
    cr_assert_str_eq(json_string_value(
                         json_object_get(json_array_get(rows, 1), "text")),
                     "");
    FINE(test_client_ask(&d, anna, "table.note", "{s:s,s:s}", "table", table,
                         "text", "to the left"));
    cr_assert(test_client_is(export("notes"), "{s:[{s:s,s:s}]}", "rows",
                             "table", table, "text", "to the left"));
    FINE(test_client_ask(&d, anna, "table.read", "{s:s,s:i}", "table", table,
                         "text", 2));
    cr_assert(test_client_is(export("marks"), "{s:[{s:s,s:i}]}", "rows",
                             "table", table, "read", 2));
    cr_assert_eq(disk->key_count, 2);
    cr_assert(test_client_is(export("keys"), "{s:[{s:s,s:s,s:I}]}", "rows",
                             "method", "table.chat", "key", "once", "at",
                             (json_int_t)disk->keys[1].at));
    FINE(test_client_ask(&d, admin, "admin.links.create", "{s:s,s:s}",
                         "purpose", "reset", "user", "anna"));
    const struct link_row *link = &disk->links[0];
    cr_assert(test_client_is(export("links"), "{s:[{s:s,s:n,s:I,s:I,s:i}]}",
                             "rows", "purpose", "reset", "email", "made",
                             (json_int_t)link->made, "expires",
                             (json_int_t)link->expires, "uses", 1));
}

/* What is more than a page goes on where the answer says: all pages together are
 * all of it, each once. */
Test(admin_users, export_in_pages)
{
    enum { TEXTS = 450, LEN = 500 };
    char text[LEN + 1] = "";
    json_int_t from = 0, number = 0;
    size_t pages = 0;

    FINE(test_client_create(&d, anna, NULL, table));
    memset(text, 'x', LEN);
    for (int i = 0; i < TEXTS; i++)
        FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table",
                             table, "text", text));
    for (const json_t *next = json_true(); next != NULL; pages++) {
        json_t *page = test_client_ask(&d, admin, "admin.users.export",
                                       "{s:s,s:s,s:I}", "user", "anna", "part",
                                       "texts", "from", from);
        const json_t *rows = test_client_member(page, "rows");
        for (size_t i = 0; i < json_array_size(rows); i++)
            cr_assert_eq(json_integer_value(
                             json_object_get(json_array_get(rows, i),
                                             "number")),
                         ++number);
        next = test_client_member(page, "next");
        from = json_integer_value(next);
        cr_assert(next == NULL || from == number);
    }
    cr_assert_eq(number, TEXTS);
    cr_assert_eq(pages, TEXTS * (LEN + 100) / LIMIT_PAGE_BYTES + 1);
}

/* ---- deleted ------------------------------------------------------------- */

/* Who is deleted gives up running tables, leaves open ones, is cut off, and is
 * nobody to anybody; what is over stays as it was. */
Test(admin_users, delete)
{
    char over[16], playing[16], given_up[16];
    peer_id again = enter("anna"), carl = test_client_user(&d, "carl");

    FINE(test_client_create(&d, anna, NULL, over));
    memcpy(table, over, sizeof(table));
    FINE(sit("table.join", bert));
    FINE(sit("table.resign", bert));
    FINE(
        test_client_create(&d, bert, json_pack("{s:i}", "seats", 2), playing));
    memcpy(table, playing, sizeof(table));
    FINE(sit("table.join", anna));
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i}",
                                   "game", "hacienda", "seats", 3);
    snprintf(given_up, sizeof(given_up), "%s",
             test_client_text(made, "table"));
    memcpy(table, given_up, sizeof(table));
    FINE(sit("table.join", bert));
    FINE(sit("table.join", carl));
    FINE(sit("table.resign", anna));
    FINE(test_client_create(&d, bert, NULL, table));
    FINE(sit("table.join", carl));
    FINE(sit("table.resign", carl));
    FINE(test_client_create(&d, anna, NULL, table));
    cr_assert(test_client_is(about("admin.users.delete", "anna"),
                             "{s:i,s:i,s:i}", "ended", 2, "resigned", 1,
                             "left", 1));
    cr_assert(d.cut[anna] && d.cut[again] && !d.cut[bert]);
    cr_assert_str_eq(json_string_value(json_object_get(
                         test_client_heard(&d, anna, "server.notice", NULL),
                         "kind")),
                     "account_deleted");
    cr_assert_eq(there(over)->row.summary.state, TABLE_FINISHED);
    cr_assert_eq(there(playing)->row.summary.state, TABLE_FINISHED);
    cr_assert_eq(there(given_up)->row.summary.state, TABLE_PLAYING);
    cr_assert_eq(there(table)->row.summary.seat[0], 0);
    REASON(login(test_client_come(&d, 0), "anna", "password"),
           "bad_credentials");
    REASON(about("admin.users.delete", "anna"), "no_such_user");
    REASON(about("admin.user", "anna"), "no_such_user");
    test_client_user(&d, "anna");
}
