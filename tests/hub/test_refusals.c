/* test_refusals.c -- every error a method can give that is not tested with what
 * it is about; each changes nothing. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(refusals, 37);
static char table[16];

/* ---- asking ------------------------------------------------------------ */

/* How much there is on the disk. */
static size_t stored(void)
{
    const struct disk *disk = &d.world.disk;
    size_t n = disk->account_count + disk->token_count + disk->table_count +
               disk->key_count + disk->note_count;

    for (size_t i = 0; i < disk->table_count; i++)
        n += disk->tables[i]->ply_count + disk->tables[i]->text_count +
             disk->tables[i]->invited_count;
    return n;
}

/* METHOD is refused with REASON, and nothing has changed. */
static json_t *refused(peer_id p, const char *method, json_t *params,
                       const char *reason)
{
    size_t before = stored();
    json_t *answer = test_client_ask_json(&d, p, method, params);

    cr_assert_str_eq(test_client_reason(answer), reason, "%s: %s, not %s",
                     method, test_client_reason(answer), reason);
    cr_assert_eq(stored(), before, "%s: %s", method, reason);
    return answer;
}

/* Parameters with the table, and one more if KEY is not NULL. */
static json_t *with(const char *key, json_t *value)
{
    json_t *params = json_pack("{s:s}", "table", table);
    if (key != NULL)
        json_object_set_new(params, key, value);
    else
        json_decref(value);
    return params;
}

static json_t *fine(peer_id p, const char *method, json_t *params)
{
    json_t *answer = test_client_ask_json(&d, p, method, params);
    cr_assert_str_eq(test_client_reason(answer), "", "%s: %s", method,
                     test_client_reason(answer));
    return answer;
}

static void create(peer_id p, json_t *more)
{
    if (more == NULL)
        more = json_object();
    json_object_set_new(more, "game", json_string("tictactoe"));
    json_object_set_new(more, "seats", json_integer(2));
    json_t *answer = fine(p, "table.create", more);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
}

/* anna and bert play; anna begins. */
static void play(void)
{
    create(anna, NULL);
    fine(bert, "table.join", with(NULL, NULL));
}

static json_t *place(const char *cell)
{
    return json_pack("{s:s,s:s}", "verb", "place", "cell", cell);
}

static json_t *move(peer_id p, const char *cell)
{
    json_t *legal = fine(p, "table.legal", with(NULL, NULL));
    json_t *params = with("move", place(cell));
    json_object_set(params, "decision", test_client_member(legal, "decision"));
    return fine(p, "table.move", params);
}

static const char nonce[] = "00112233445566778899aabbccddeeff";

/* ---- accounts ---------------------------------------------------------- */

/* Where registration is not open, or guests are not wanted, nobody comes in
 * that way; who is in stays. */
Test(refusals, registration)
{
    peer_id guest = test_client_come(&d, 0);

    fine(guest, "account.guest", NULL);
    d.world.config.registration = REGISTRATION_CLOSED;
    hub_configure(d.world.hub, &d.world.config);
    refused(test_client_come(&d, 0), "account.register",
            json_pack("{s:s,s:s}", "name", "dora", "password", "password"),
            "registration_closed");
    refused(guest, "account.keep",
            json_pack("{s:s,s:s}", "name", "dora", "password", "password"),
            "registration_closed");
    d.world.config.guests = false;
    hub_configure(d.world.hub, &d.world.config);
    refused(test_client_come(&d, 0), "account.guest", NULL,
            "registration_closed");
    fine(guest, "me.next", NULL);
    refused(anna, "account.register",
            json_pack("{s:s,s:s}", "name", "dora", "password", "password"),
            "already_logged_in");
}

/* Where one comes in by invitation it takes the operator's code, for an account
 * of one's own as for a guest who stays; guessing is slowed. */
Test(refusals, invitation)
{
    const json_t *last = NULL;
    peer_id guest = test_client_come(&d, 0);

    fine(guest, "account.guest", NULL);
    d.world.config.registration = REGISTRATION_INVITE;
    d.world.config.invitation = "come-and-play";
    hub_configure(d.world.hub, &d.world.config);
    for (int i = 0; i < 3; i++) {
        static const char *const given[] = {NULL, "come-and-pla",
                                            "come-and-plays"};
        refused(test_client_come(&d, 0), "account.register",
                json_pack("{s:s,s:s,s:s*}", "name", "dora", "password",
                          "password", "invite", given[i]),
                "not_invited");
        refused(guest, "account.keep",
                json_pack("{s:s,s:s,s:s*}", "name", "dora", "password",
                          "password", "invite", given[i]),
                "not_invited");
    }
    fine(test_client_come(&d, 0), "account.register",
         json_pack("{s:s,s:s,s:s}", "name", "dora", "password", "password",
                   "invite", "come-and-play"));
    fine(guest, "account.keep",
         json_pack("{s:s,s:s,s:s}", "name", "emma", "password", "password",
                   "invite", "come-and-play"));

    /* Whoever guesses from one place is slowed there, and nowhere else. */
    for (int i = 0; i <= LIMIT_FAILED_BURST; i++)
        last = test_client_ask_json(&d, test_client_come(&d, 77),
                                    "account.register",
                                    json_pack("{s:s,s:s,s:s}", "name", "frida",
                                              "password", "password", "invite",
                                              "open-sesame"));
    cr_assert_str_eq(test_client_reason(last), "rate_limited");
    fine(test_client_come(&d, 78), "account.register",
         json_pack("{s:s,s:s,s:s}", "name", "frida", "password", "password",
                   "invite", "come-and-play"));

    /* No code is no invitation, not one for everybody. */
    d.world.config.invitation = "";
    hub_configure(d.world.hub, &d.world.config);
    refused(test_client_come(&d, 0), "account.register",
            json_pack("{s:s,s:s,s:s}", "name", "gerda", "password", "password",
                      "invite", "x"),
            "not_invited");
}

/* A guest keeps no name that somebody has, and stays a guest then; they have
 * no password to change. */
Test(refusals, guests)
{
    peer_id guest = test_client_come(&d, 0);

    fine(guest, "account.guest", NULL);
    refused(guest, "account.keep",
            json_pack("{s:s,s:s}", "name", "ANNA", "password", "password"),
            "name_taken");
    refused(guest, "account.password",
            json_pack("{s:s,s:s}", "old", "password", "new", "passwore"),
            "not_a_guest");
    json_t *me = fine(guest, "account.get", NULL);
    cr_assert(json_is_true(
        json_object_get(test_client_member(me, "user"), "guest")));
    fine(guest, "account.keep",
         json_pack("{s:s,s:s}", "name", "dora", "password", "password"));
    me = fine(guest, "account.get", NULL);
    cr_assert(json_is_false(
        json_object_get(test_client_member(me, "user"), "guest")));
    refused(anna, "account.get", json_pack("{s:s}", "name", "nobody"),
            "no_such_user");
}

/* ---- before the start -------------------------------------------------- */

static const char *pointer(const json_t *answer)
{
    const json_t *error = json_object_get(answer, "error");
    const json_t *path = json_object_get(json_object_get(error, "data"),
                                         "path");
    return json_string_value(path);
}

/* What cannot be set up is refused, with what is wrong. */
Test(refusals, create)
{
    json_t *answer = refused(anna, "table.create",
                             json_pack("{s:s,s:i}", "game", "tictactoe",
                                       "seats", 3),
                             "bad_setup");
    const json_t *data = json_object_get(json_object_get(answer, "error"),
                                         "data");
    cr_assert_not_null(json_object_get(data, "rule"));
    refused(anna, "table.create",
            json_pack("{s:s,s:i,s:[ss]}", "game", "tictactoe", "seats", 2,
                      "invite", "bert", "nobody"),
            "no_such_user");
    refused(anna, "table.create",
            json_pack("{s:s,s:i}", "game", "chess", "seats", 2),
            "no_such_game");
    answer = refused(anna, "table.create",
                     json_pack("{s:s,s:i,s:{s:b}}", "game", "hacienda",
                               "seats", 2, "options", "nonsense", 1),
                     "invalid_params");
    data = json_object_get(json_object_get(answer, "error"), "data");
    cr_assert_str_eq(json_string_value(json_object_get(data, "path")),
                     "/options/nonsense");
    answer = refused(anna, "table.create",
                     json_pack("{s:s,s:i,s:{s:{s:i}}}", "game", "hacienda",
                               "seats", 2, "board", "generate", "columns", 1),
                     "invalid_params");
    cr_assert_str_eq(pointer(answer), "/board/generate/columns");
    answer = refused(anna, "table.create",
                     json_pack("{s:s,s:i,s:{s:{s:i}}}", "game", "hacienda",
                               "seats", 2, "board", "generate", "a/b~c", 1),
                     "invalid_params");
    cr_assert_str_eq(pointer(answer), "/board/generate/a~1b~0c");
    answer = refused(anna, "table.create",
                     json_pack("{s:s,s:i,s:{s:{s:s}}}", "game", "hacienda",
                               "seats", 2, "board", "generate", "symmetry",
                               "mirror"),
                     "invalid_params");
    cr_assert_str_eq(pointer(answer), "/board/generate/symmetry");
    answer = refused(anna, "table.create",
                     json_pack("{s:s,s:i,s:{s:s}}", "game", "hacienda",
                               "seats", 2, "board", "haz", "not a board"),
                     "invalid_params");
    data = json_object_get(json_object_get(answer, "error"), "data");
    cr_assert_gt(json_integer_value(json_object_get(data, "line")), 0);
    cr_assert_not_null(json_object_get(data, "rule"));
    refused(anna, "table.create",
            json_pack("{s:s,s:i,s:{s:s}}", "game", "hacienda", "seats", 2,
                      "board", "builtin", "atlantis"),
            "invalid_params");
}

/* Seats are taken by one each, once, while there are any. */
Test(refusals, join)
{
    create(anna, json_pack("{s:s}", "start", "manual"));
    refused(anna, "table.join", with(NULL, NULL), "already_seated");
    refused(bert, "table.join", with("seat", json_integer(0)), "seat_taken");
    refused(bert, "table.join", with("seat", json_integer(2)), "no_such_seat");
    fine(bert, "table.join", with("seat", json_integer(1)));
    refused(carl, "table.join", with(NULL, NULL), "table_full");
    refused(carl, "table.join", with("seat", json_integer(1)), "seat_taken");
    fine(anna, "table.start", with(NULL, NULL));
    refused(carl, "table.join", with(NULL, NULL), "already_started");
    refused(anna, "table.join", with(NULL, NULL), "already_seated");
}

/* Who sits there invites, whoever there is, once. */
Test(refusals, invite)
{
    create(anna, json_pack("{s:s}", "start", "manual"));
    refused(bert, "table.invite", with("name", json_string("carl")),
            "not_seated");
    refused(anna, "table.invite", with("name", json_string("nobody")),
            "no_such_user");
    refused(anna, "table.invite", with("name", json_string("anna")),
            "already_invited");
    fine(anna, "table.invite", with("name", json_string("bert")));
    refused(anna, "table.invite", with("name", json_string("BERT")),
            "already_invited");
    fine(bert, "table.join", with(NULL, NULL));
    fine(anna, "table.start", with(NULL, NULL));
    refused(anna, "table.invite", with("name", json_string("carl")),
            "already_started");
}

/* A nonce is given once, by who sits there, before the start. */
Test(refusals, nonce)
{
    create(anna, json_pack("{s:s}", "start", "manual"));
    refused(bert, "table.nonce", with("nonce", json_string(nonce)),
            "not_seated");
    json_t *given = fine(anna, "table.nonce",
                         with("nonce", json_string(nonce)));
    size_t before = stored();
    json_t *again = fine(anna, "table.nonce",
                         with("nonce", json_string(nonce)));
    cr_assert_eq(stored(), before);
    cr_assert(json_is_true(test_client_member(again, "duplicate")));
    cr_assert_eq(test_client_number(given, "ply"),
                 test_client_number(again, "ply"));
    refused(anna, "table.nonce",
            with("nonce", json_string("ffeeddccbbaa99887766554433221100")),
            "nonce_given");
    json_t *params = with("nonce", json_string(nonce));
    fine(bert, "table.join", params);
    json_t *got = fine(carl, "table.get", with(NULL, NULL));
    const json_t *nonces = json_object_get(test_client_member(got, "table"),
                                           "nonces");
    for (size_t i = 0; i < 2; i++)
        cr_assert_str_eq(json_string_value(json_array_get(nonces, i)), nonce);
    fine(anna, "table.start", with(NULL, NULL));
    refused(bert, "table.nonce", with("nonce", json_string(nonce)),
            "already_started");
}

/* Only who made the table starts it, with enough people, once; who plays does
 * not leave. */
Test(refusals, start)
{
    create(anna, json_pack("{s:s}", "start", "manual"));
    refused(anna, "table.start", with(NULL, NULL), "too_few_seated");
    refused(bert, "table.leave", with(NULL, NULL), "not_seated");
    fine(bert, "table.join", with(NULL, NULL));
    refused(bert, "table.start", with(NULL, NULL), "forbidden");
    refused(anna, "table.resign", with(NULL, NULL), "not_started");
    fine(anna, "table.start", with(NULL, NULL));
    refused(anna, "table.start", with(NULL, NULL), "already_started");
    refused(anna, "table.leave", with(NULL, NULL), "already_started");
}

/* The last who leaves closes the door: nobody joins a table given up. */
Test(refusals, given_up)
{
    create(anna, NULL);
    fine(anna, "table.leave", with(NULL, NULL));
    json_t *got = fine(bert, "table.get", with(NULL, NULL));
    cr_assert_str_eq(json_string_value(
                         json_object_get(test_client_member(got, "table"),
                                         "state")),
                     "abandoned");
    refused(bert, "table.join", with(NULL, NULL), "already_started");
    refused(anna, "table.start", with(NULL, NULL), "already_started");
}

/* ---- while it is played ------------------------------------------------ */

/* Who has no seat asks for nothing that a seat may. */
Test(refusals, not_seated)
{
    play();
    refused(carl, "table.undo", with("ply", json_integer(4)), "not_seated");
    refused(carl, "table.legal", with(NULL, NULL), "not_seated");
    refused(carl, "table.resign", with(NULL, NULL), "not_seated");
    refused(carl, "table.preview",
            with("moves", json_pack("[o]", place("a1"))), "not_seated");
}

/* An undo is refused with what stands in its way. */
Test(refusals, undo)
{
    create(anna, NULL);
    refused(anna, "table.undo", with("ply", json_integer(0)), "not_started");
    fine(bert, "table.join", with(NULL, NULL));
    int64_t first = test_client_number(move(anna, "a1"), "ply");
    move(bert, "b2");
    json_t *answer = refused(anna, "table.undo",
                             with("ply", json_integer(first)),
                             "undo_not_allowed");
    const json_t *data = json_object_get(json_object_get(answer, "error"),
                                         "data");
    cr_assert_str_eq(json_string_value(json_object_get(data, "why")),
                     "others_moved");
    refused(anna, "table.undo", with("ply", json_integer(0)), "no_such_ply");
    refused(anna, "table.undo", with("ply", json_integer(first + 1)),
            "no_such_ply");
    refused(anna, "table.undo", with("ply", json_integer(9999)),
            "no_such_ply");
    int64_t last = test_client_number(move(anna, "a2"), "ply");
    fine(bert, "table.resign", with(NULL, NULL));
    answer = refused(anna, "table.undo", with("ply", json_integer(last)),
                     "undo_not_allowed");
    data = json_object_get(json_object_get(answer, "error"), "data");
    cr_assert_str_eq(json_string_value(json_object_get(data, "why")), "final");
}

/* What a rewind has taken back nobody takes back any more; what one had taken
 * back oneself is still known. */
Test(refusals, undo_of_what_was_rewound)
{
    struct peer_info info = {.source = 1,
                             .direct = true,
                             .admin = true,
                             .notices = true};
    peer_id admin = ++d.peers;

    hub_open(d.world.hub, admin, &info, d.world.now_ms);
    play();
    int64_t first = test_client_number(move(anna, "a1"), "ply");
    fine(anna, "table.undo", with("ply", json_integer(first)));
    int64_t second = test_client_number(move(anna, "a1"), "ply");
    fine(admin, "admin.rewind", with("ply", json_integer(second - 1)));
    json_t *answer = refused(anna, "table.undo",
                             with("ply", json_integer(second)),
                             "undo_not_allowed");
    const json_t *data = json_object_get(json_object_get(answer, "error"),
                                         "data");
    cr_assert_str_eq(json_string_value(json_object_get(data, "why")),
                     "nothing");
    answer = fine(anna, "table.undo", with("ply", json_integer(first)));
    cr_assert(json_is_true(test_client_member(answer, "duplicate")));
    cr_assert_eq(test_client_number(answer, "ply"), first + 1);
}

/* A preview is of a game that is on, of one's own turn, of legal moves; it
 * stores nothing. */
Test(refusals, preview)
{
    create(anna, NULL);
    refused(anna, "table.preview",
            with("moves", json_pack("[o]", place("a1"))), "not_started");
    fine(bert, "table.join", with(NULL, NULL));
    refused(bert, "table.preview",
            with("moves", json_pack("[o]", place("a1"))), "not_your_turn");
    refused(anna, "table.preview",
            with("moves", json_pack("[o]", place("z9"))), "illegal_move");
    size_t before = stored();
    json_t *answer = fine(anna, "table.preview",
                          with("moves", json_pack("[o]", place("a1"))));
    cr_assert_eq(stored(), before);
    cr_assert_eq(test_client_number(answer, "played"), 1);
    cr_assert_not_null(test_client_member(answer, "view"));
    fine(anna, "table.resign", with(NULL, NULL));
    refused(anna, "table.preview",
            with("moves", json_pack("[o]", place("a1"))), "game_over");
    refused(bert, "table.resign", with(NULL, NULL), "game_over");
}

/* ---- watching and looking back ----------------------------------------- */

/* A table without spectators is nobody else's to look into, though all may
 * know of it. */
Test(refusals, spectators)
{
    static const struct {
        const char *method, *key;
        int number;
    } cases[] = {
        {"table.watch", NULL, 0}, {"table.replay", NULL, 0},
        {"table.at", "ply", 0},   {"table.record", NULL, 0},
        {"table.texts", NULL, 0}, {"table.read", "text", 0},
        {"table.note", NULL, 0},  {"table.study", NULL, 0},
    };

    create(anna, json_pack("{s:b}", "spectators", 0));
    fine(bert, "table.join", with(NULL, NULL));
    for (int over = 0; over < 2; over++) {
        for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
            refused(carl, cases[i].method,
                    with(cases[i].key, json_integer(cases[i].number)),
                    "spectators_not_allowed");
        refused(carl, "table.chat", with("text", json_string("hm")),
                "spectators_not_allowed");
        fine(carl, "table.get", with(NULL, NULL));
        fine(carl, "table.unwatch", with(NULL, NULL));
        if (over == 0)
            fine(anna, "table.resign", with(NULL, NULL));
    }
    fine(bert, "table.record", with(NULL, NULL));
}

/* Records and other people's views are of what is finished, of seats there
 * are. */
Test(refusals, looking_back)
{
    play();
    refused(anna, "table.record", with(NULL, NULL), "not_finished");
    json_t *params = with("ply", json_integer(0));
    json_object_set_new(params, "as", json_integer(1));
    refused(anna, "table.at", params, "not_finished");
    fine(anna, "table.resign", with(NULL, NULL));
    refused(anna, "table.replay", with("as", json_integer(2)), "no_such_seat");
    refused(anna, "table.replay", with("as", json_integer(-1)),
            "no_such_seat");
    refused(anna, "table.replay", with("as", json_string("nobody")),
            "invalid_params");
    refused(anna, "table.replay", with("as", json_null()), "invalid_params");
    fine(carl, "table.replay", with("as", json_string("watcher")));
    fine(carl, "table.replay", with("as", json_integer(1)));
    refused(anna, "table.read", with("text", json_integer(1)), "no_such_text");
}

/* Games that are known tell their rules. */
Test(refusals, rules)
{
    static const char *const methods[] = {"rules.info", "rules.schema"};

    for (int i = 0; i < 2; i++) {
        fine(anna, methods[i], json_pack("{s:s}", "game", "hacienda"));
        refused(anna, methods[i], json_pack("{s:s}", "game", "chess"),
                "no_such_game");
    }
}

/* ---- storage ----------------------------------------------------------- */

/* What is read from the store is answered so. */
static void reads(const char *reason)
{
    static const char *const of_a_table[] = {"table.texts", "table.get",
                                             "table.watch", "table.replay"};
    static const char *const lists[] = {"table.list", "me.tables", "me.next",
                                        "account.get", "account.tokens.list"};

    for (size_t i = 0; i < sizeof(of_a_table) / sizeof(*of_a_table); i++) {
        json_t *answer = test_client_ask_json(&d, anna, of_a_table[i],
                                              with(NULL, NULL));
        cr_assert_str_eq(test_client_reason(answer), reason, "%s",
                         of_a_table[i]);
    }
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        json_t *answer = test_client_ask(&d, anna, lists[i], NULL);
        cr_assert_str_eq(test_client_reason(answer), reason, "%s", lists[i]);
    }
}

/* When nothing can be stored the answer says so, nothing has happened, and the
 * same request works later; what there is can be read all the while.  By its
 * number the operator finds it in the log. */
Test(refusals, storage)
{
    create(anna, json_pack("{s:s}", "start", "manual"));
    d.world.fail_per_1000 = 1000;
    const json_t *error = json_object_get(
        test_client_ask_json(&d, bert, "table.join", with(NULL, NULL)),
        "error");
    cr_assert(json_is_integer(
        json_object_get(json_object_get(error, "data"), "request")));
    refused(bert, "table.join", with(NULL, NULL), "storage_unavailable");
    refused(anna, "table.chat", with("text", json_string("hm")),
            "storage_unavailable");
    refused(anna, "table.note", with("text", json_string("hm")),
            "storage_unavailable");
    refused(anna, "table.study", with("text", json_string("hm")),
            "storage_unavailable");
    refused(anna, "table.nonce", with("nonce", json_string(nonce)),
            "storage_unavailable");
    refused(anna, "table.invite", with("name", json_string("bert")),
            "storage_unavailable");
    refused(anna, "table.create",
            json_pack("{s:s,s:i}", "game", "tictactoe", "seats", 2),
            "storage_unavailable");
    refused(anna, "account.tokens.create",
            json_pack("{s:s,s:[s]}", "label", "bot", "scopes", "read"),
            "storage_unavailable");
    refused(anna, "account.password",
            json_pack("{s:s,s:s}", "old", "password", "new", "passwore"),
            "storage_unavailable");
    refused(test_client_come(&d, 0), "session.login",
            json_pack("{s:s,s:s}", "name", "anna", "password", "password"),
            "storage_unavailable");
    refused(test_client_come(&d, 0), "account.guest", NULL,
            "storage_unavailable");
    refused(test_client_come(&d, 0), "account.register",
            json_pack("{s:s,s:s}", "name", "dora", "password", "password"),
            "storage_unavailable");
    reads("");
    d.world.fail_per_1000 = 0;
    fine(bert, "table.join", with(NULL, NULL));
    fine(anna, "table.invite", with("name", json_string("carl")));
    fine(test_client_come(&d, 0), "session.login",
         json_pack("{s:s,s:s}", "name", "anna", "password", "password"));
}

/* When nothing can be read, what is in memory goes on; the rest says so, and is
 * there again later. */
Test(refusals, reading)
{
    play();
    d.world.deaf_per_1000 = 1000;
    fine(carl, "table.watch", with(NULL, NULL));
    move(anna, "a1");
    move(bert, "b2");
    /* Who blocks her is not to read it. */
    refused(anna, "table.chat", with("text", json_string("hm")),
            "storage_unavailable");
    refused(anna, "table.texts", with(NULL, NULL), "storage_unavailable");
    refused(carl, "table.create",
            json_pack("{s:s,s:i}", "game", "tictactoe", "seats", 2),
            "storage_unavailable");
    refused(test_client_come(&d, 0), "session.login",
            json_pack("{s:s,s:s}", "name", "anna", "password", "password"),
            "storage_unavailable");
    d.world.config.idle_table_ms = 1;
    hub_configure(d.world.hub, &d.world.config);
    fine(carl, "table.unwatch", with(NULL, NULL));
    test_client_wait(&d, 60000);
    test_client_wait(&d, 60000);
    reads("storage_unavailable");
    d.world.deaf_per_1000 = 0;
    reads("");
    move(anna, "a2");
}
