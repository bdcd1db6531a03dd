/* test_tables.c -- tables: made, found, joined, left, started, played, taken
 * back, watched, given up; and what is refused with which word. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(tables, 11);
static char table[16];

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

/* Makes a table for two with what else PARAMS says. */
static void create(const char *more, json_t *params)
{
    if (more != NULL)
        json_object_set_new(params, more, json_true());
    FINE(test_client_create(&d, anna, params, table));
}

static json_t *move(peer_id p, int64_t decision, const char *cell)
{
    return test_client_ask(&d, p, "table.move", "{s:s,s:I,s:{s:s,s:s}}",
                           "table", table, "decision", (json_int_t)decision,
                           "move", "verb", "place", "cell", cell);
}

static int64_t decision(peer_id p)
{
    return test_client_number(at(p, "table.legal"), "decision");
}

/* anna and bert play; who begins is seat 0. */
static void play(void)
{
    create(NULL, json_object());
    FINE(at(bert, "table.join"));
}

/* The same move for the same question is played once, whatever came since. */
Test(tables, moves_are_idempotent)
{
    play();
    int64_t asked = decision(anna);
    json_t *first = move(anna, asked, "a1");
    FINE(first);
    json_t *second = move(anna, asked, "a1");
    cr_assert_eq(test_client_number(first, "ply"),
                 test_client_number(second, "ply"));
    cr_assert(json_is_true(test_client_member(second, "duplicate")) != 0);
    cr_assert(test_client_member(second, "undone") == NULL);
}

/* A move is judged in the order of the protocol. */
Test(tables, order_of_refusals)
{
    REASON(move(test_client_come(&d, 0), 0, "a1"), "not_authenticated");
    snprintf(table, sizeof(table), "aaaaaaaaaaaaa");
    REASON(move(anna, 0, "zz"), "no_such_table");
    create(NULL, json_object());
    REASON(move(bert, 0, "zz"), "not_seated");
    REASON(move(anna, 0, "zz"), "not_started");
    FINE(at(bert, "table.join"));
    REASON(move(carl, 0, "zz"), "not_seated");
    REASON(move(bert, 77, "zz"), "not_your_turn");
    REASON(move(anna, 77, "zz"), "stale_decision");
    REASON(move(anna, decision(anna), "zz"), "illegal_move");
    FINE(move(anna, decision(anna), "b2"));
    REASON(move(bert, decision(bert), "b2"), "illegal_move");
    FINE(at(anna, "table.resign"));
    REASON(move(bert, 77, "zz"), "game_over");
    json_t *again = at(anna, "table.resign");
    FINE(again);
    cr_assert(json_is_true(test_client_member(again, "duplicate")) != 0);
}

/* After an undo the question has another number: the old answer is known as
 * taken back, another answer to it is stale. */
Test(tables, undo_puts_the_question_anew)
{
    play();
    int64_t asked = decision(anna);
    int64_t ply = test_client_number(move(anna, asked, "a1"), "ply");
    json_t *undo = test_client_ask(&d, anna, "table.undo", "{s:s,s:I}",
                                   "table", table, "ply", (json_int_t)ply);
    FINE(undo);
    json_t *again = test_client_ask(&d, anna, "table.undo", "{s:s,s:I}",
                                    "table", table, "ply", (json_int_t)ply);
    cr_assert_eq(test_client_number(undo, "ply"),
                 test_client_number(again, "ply"));
    again = move(anna, asked, "a1");
    cr_assert(json_is_true(test_client_member(again, "undone")) != 0);
    REASON(move(anna, asked, "b2"), "stale_decision");
    REASON(test_client_ask(&d, bert, "table.undo", "{s:s,s:I}", "table", table,
                           "ply", (json_int_t)ply),
           "no_such_ply");
    FINE(move(anna, decision(anna), "a1"));
}

/* Strangers cannot tell a private table from none. */
Test(tables, private_tables_are_not_there)
{
    static const char *const methods[] = {"table.get",    "table.join",
                                          "table.watch",  "table.legal",
                                          "table.start",  "table.resign",
                                          "table.replay", "table.record",
                                          "table.texts",  "table.leave",
                                          "table.unwatch"};
    create("private", json_object());
    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
        REASON(at(bert, methods[i]), "no_such_table");
    json_t *list = test_client_ask(&d, bert, "table.list", NULL);
    cr_assert_eq(json_array_size(test_client_member(list, "tables")), 0);
    REASON(test_client_ask(&d, bert, "table.invite", "{s:s,s:s}", "table",
                           table, "name", "carl"),
           "no_such_table");
    FINE(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table", table,
                         "name", "bert"));
    json_t *got = test_client_member(at(bert, "table.get"), "table");
    cr_assert_str_eq(json_string_value(
                         json_array_get(json_object_get(got, "invited"), 0)),
                     "bert");
    FINE(at(bert, "table.join"));
    FINE(at(bert, "table.watch"));
    REASON(at(carl, "table.watch"), "no_such_table");
}

/* A password lets in whoever knows it, and nobody who guesses. */
Test(tables, passwords)
{
    create("private", json_pack("{s:s}", "password", "sesame"));
    REASON(at(bert, "table.join"), "no_such_table");
    REASON(test_client_ask(&d, bert, "table.join", "{s:s,s:s}", "table", table,
                           "password", "barley"),
           "no_such_table");
    FINE(test_client_ask(&d, bert, "table.join", "{s:s,s:s}", "table", table,
                         "password", "sesame"));
    create(NULL, json_pack("{s:s}", "password", "sesame"));
    REASON(at(bert, "table.join"), "wrong_password");
}

/* Without spectators only the seated watch, and who leaves hears no more. */
Test(tables, spectators)
{
    size_t before, after;
    create(NULL, json_pack("{s:b,s:s}", "spectators", 0, "start", "manual"));
    FINE(at(bert, "table.join"));
    FINE(at(bert, "table.watch"));
    REASON(at(carl, "table.watch"), "spectators_not_allowed");
    FINE(at(bert, "table.leave"));
    test_client_heard(&d, bert, "table.update", &before);
    FINE(at(carl, "table.join"));
    FINE(at(anna, "table.start"));
    test_client_heard(&d, bert, "table.update", &after);
    cr_assert_eq(before, after);
}

/* Who logs out watches nothing any more, even if their request was slower. */
Test(tables, watching_ends_with_the_session)
{
    size_t told;
    create("private", json_object());
    FINE(at(anna, "table.watch"));
    FINE(test_client_ask(&d, anna, "session.logout", NULL));
    anna = test_client_come(&d, 0);
    FINE(test_client_ask(&d, anna, "session.login", "{s:s,s:s}", "name",
                         "anna", "password", "password"));
    int watch = test_client_send(&d, anna, "table.watch",
                                 json_pack("{s:s}", "table", table));
    FINE(test_client_ask(&d, anna, "session.logout", NULL));
    test_client_settle(&d);
    cr_assert(test_client_answer(&d, watch) != NULL);
    peer_id other = test_client_come(&d, 0);
    test_client_ask(&d, other, "session.login", "{s:s,s:s}", "name", "anna",
                    "password", "password");
    FINE(at(other, "table.leave"));
    test_client_heard(&d, anna, "table.update", &told);
    cr_assert_eq(told, 0);
}

/* The same key, the same table; even if both are under way at once. */
Test(tables, keys)
{
    int id[2];
    for (int i = 0; i < 2; i++)
        id[i] = test_client_send(&d, anna, "table.create",
                                 json_pack("{s:s,s:i,s:s}", "game",
                                           "tictactoe", "seats", 2, "key",
                                           "once"));
    test_client_settle(&d);
    const char *one = test_client_text(test_client_answer(&d, id[0]), "table");
    cr_assert_str_eq(one,
                     test_client_text(test_client_answer(&d, id[1]), "table"));
    cr_assert_eq(d.world.disk.table_count, 1);
    d.world.now_ms += LIMIT_KEY_MS + 1000;
    json_t *later = test_client_ask(&d, anna, "table.create", "{s:s,s:i,s:s}",
                                    "game", "tictactoe", "seats", 2, "key",
                                    "once");
    cr_assert_str_neq(test_client_text(later, "table"), one);
}

/* Each nonce of an open table is told as whoever gave it did, whoever sits there
 * now. */
Test(tables, nonces_of_who_left)
{
    static const char *const nonces[] = {"0123456789abcdef0123456789abcdef",
                                         "fedcba9876543210fedcba9876543210"};
    peer_id people[] = {bert, carl};
    size_t found = 0, i;
    const json_t *ply;

    FINE(test_client_create(&d, anna, json_pack("{s:s}", "start", "manual"),
                            table));
    for (i = 0; i < 2; i++) {
        FINE(test_client_ask(&d, people[i], "table.join", "{s:s,s:s}", "table",
                             table, "nonce", nonces[i]));
        if (i == 0)
            FINE(at(bert, "table.leave"));
    }
    json_t *told = test_client_ask(&d, anna, "table.replay", "{s:s}", "table",
                                   table);
    json_array_foreach(test_client_member(told, "plies"), i, ply)
    {
        const char *nonce = json_string_value(json_object_get(ply, "nonce"));
        if (nonce != NULL)
            cr_assert_str_eq(nonce, nonces[found++]);
    }
    cr_assert_eq(found, 2);
}

/* Who comes back with the chain of what they saw gets what they missed. */
Test(tables, resume)
{
    play();
    json_t *seen = at(anna, "table.watch");
    char chain[65];
    int64_t ply = test_client_number(seen, "ply");
    snprintf(chain, sizeof(chain), "%s", test_client_text(seen, "chain"));
    hub_close(d.world.hub, anna, d.world.now_ms);
    anna = test_client_come(&d, 0);
    test_client_ask(&d, anna, "session.login", "{s:s,s:s}", "name", "anna",
                    "password", "password");
    FINE(move(anna, decision(anna), "a1"));
    FINE(move(bert, decision(bert), "b2"));
    json_t *missed = test_client_ask(&d, anna, "table.watch", "{s:s,s:I,s:s}",
                                     "table", table, "since", (json_int_t)ply,
                                     "chain", chain);
    const json_t *updates = test_client_member(missed, "updates");
    cr_assert_eq(json_array_size(updates), 1);
    cr_assert_eq(json_integer_value(
                     json_object_get(json_array_get(updates, 0), "from")),
                 ply);
    /* Somebody else, or with another chain, gets the view. */
    json_t *other = test_client_ask(&d, anna, "table.watch", "{s:s,s:I,s:s}",
                                    "table", table, "since",
                                    (json_int_t)ply - 1, "chain", chain);
    cr_assert(test_client_member(other, "view") != NULL);
    other = test_client_ask(&d, anna, "table.watch", "{s:s,s:I,s:s}", "table",
                            table, "since", (json_int_t)0, "chain", chain);
    cr_assert(test_client_member(other, "view") != NULL);
}

/* The view at a ply is the one that was had then. */
Test(tables, views_at_plies)
{
    play();
    FINE(move(anna, decision(anna), "a1"));
    json_t *then = test_client_member(at(bert, "table.watch"), "view");
    FINE(move(bert, decision(bert), "b2"));
    FINE(at(anna, "table.resign"));
    json_t *view = test_client_member(
        test_client_ask(&d, bert, "table.at", "{s:s,s:O}", "table", table,
                        "ply", json_object_get(then, "ply")),
        "view");
    cr_assert(json_equal(then, view) != 0);
    REASON(test_client_ask(&d, bert, "table.at", "{s:s,s:i}", "table", table,
                           "ply", 99),
           "no_such_ply");
}

/* Of a finished table all may be seen, of a running one nothing but one's own.
 */
Test(tables, as_somebody_else)
{
    play();
    REASON(test_client_ask(&d, bert, "table.replay", "{s:s,s:s}", "table",
                           table, "as", "all"),
           "not_finished");
    FINE(at(anna, "table.resign"));
    FINE(test_client_ask(&d, carl, "table.replay", "{s:s,s:s}", "table", table,
                         "as", "all"));
    FINE(test_client_ask(&d, carl, "table.at", "{s:s,s:i,s:i}", "table", table,
                         "ply", 2, "as", 1));
    REASON(test_client_ask(&d, carl, "table.at", "{s:s,s:i,s:i}", "table",
                           table, "ply", 2, "as", 2),
           "no_such_seat");
    FINE(at(carl, "table.record"));
}

/* A table nobody starts is given up after a while. */
Test(tables, open_tables_end)
{
    d.world.config.open_table_ms = 1000000;
    hub_configure(d.world.hub, &d.world.config);
    create(NULL, json_object());
    d.world.now_ms += 900000;
    hub_tick(d.world.hub, d.world.now_ms);
    test_client_settle(&d);
    FINE(at(bert, "table.get"));
    d.world.now_ms += 200000;
    hub_tick(d.world.hub, d.world.now_ms);
    test_client_settle(&d);
    const json_t *got = test_client_member(at(bert, "table.get"), "table");
    cr_assert_str_eq(json_string_value(json_object_get(got, "state")),
                     "abandoned");
}

/* A guest who stays is called otherwise at their tables, by a ply. */
Test(tables, names_change_by_a_ply)
{
    peer_id guest = test_client_come(&d, 0);
    play();
    FINE(test_client_ask(&d, guest, "account.guest", NULL));
    create(NULL, json_pack("{s:s}", "start", "manual"));
    FINE(at(guest, "table.join"));
    FINE(at(anna, "table.watch"));
    FINE(test_client_ask(&d, guest, "account.keep", "{s:s,s:s}", "name",
                         "gina", "password", "password"));
    test_client_settle(&d);
    size_t told;
    test_client_heard(&d, anna, "table.update", &told);
    cr_assert_eq(told, 1);
    const json_t *view = test_client_member(at(anna, "table.watch"), "view");
    cr_assert_eq(json_integer_value(json_object_get(view, "ply")), 3);
}

/* me.watch tells of turns, invitations, ends and texts. */
Test(tables, me_events)
{
    size_t told;
    json_t *answer = test_client_ask(&d, bert, "me.watch", NULL);
    FINE(answer);
    create(NULL, json_object());
    FINE(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table", table,
                         "name", "bert"));
    json_t *event = test_client_heard(&d, bert, "me.event", &told);
    cr_assert_str_eq(json_string_value(json_object_get(event, "kind")),
                     "invited");
    FINE(at(bert, "table.join"));
    FINE(move(anna, decision(anna), "a1"));
    event = test_client_heard(&d, bert, "me.event", NULL);
    cr_assert_str_eq(json_string_value(json_object_get(event, "kind")),
                     "turn");
    FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table", table,
                         "text", "well?"));
    event = test_client_heard(&d, bert, "me.event", NULL);
    cr_assert_str_eq(json_string_value(json_object_get(event, "kind")),
                     "chat");
    FINE(at(anna, "table.resign"));
    event = test_client_heard(&d, bert, "me.event", NULL);
    cr_assert_str_eq(json_string_value(json_object_get(event, "kind")),
                     "finished");
    json_t *since = test_client_ask(&d, bert, "me.watch", "{s:I}", "since",
                                    (json_int_t)test_client_number(answer,
                                                                   "seq"));
    cr_assert_eq(json_array_size(test_client_member(since, "tables")), 1);
}

static const char *last_told(peer_id p, size_t *told)
{
    json_t *event = test_client_heard(&d, p, "me.event", told);
    return json_string_value(json_object_get(event, "kind"));
}

/* me.watch tells that a turn is gone, too: by one's own answer, by an
 * opponent's undo; and at the end nothing but that. */
Test(tables, me_events_of_turns_that_are_over)
{
    size_t told, before;

    play();
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    FINE(test_client_ask(&d, bert, "me.watch", NULL));
    json_t *moved = move(anna, decision(anna), "a1");
    FINE(moved);
    cr_assert_str_eq(last_told(anna, NULL), "turn_over");
    cr_assert_str_eq(last_told(bert, &told), "turn");
    FINE(test_client_ask(&d, anna, "table.undo", "{s:s,s:O}", "table", table,
                         "ply", test_client_member(moved, "ply")));
    cr_assert_str_eq(last_told(bert, &before), "turn_over");
    cr_assert_eq(before, told + 1);
    cr_assert_str_eq(last_told(anna, NULL), "turn");
    FINE(at(anna, "table.resign"));
    cr_assert_str_eq(last_told(bert, &told), "finished");
    cr_assert_eq(told, before + 1);
    cr_assert_str_eq(last_told(anna, NULL), "finished");
}

/* Players do not read beside the table while they play. */
Test(tables, rooms)
{
    play();
    FINE(test_client_ask(&d, carl, "table.chat", "{s:s,s:s,s:s}", "table",
                         table, "text", "b2!", "room", "spectators"));
    REASON(test_client_ask(&d, carl, "table.chat", "{s:s,s:s}", "table", table,
                           "text", "b2!"),
           "forbidden");
    REASON(test_client_ask(&d, anna, "table.texts", "{s:s,s:s}", "table",
                           table, "room", "spectators"),
           "forbidden");
    FINE(at(anna, "table.resign"));
    json_t *texts = test_client_ask(&d, anna, "table.texts", "{s:s,s:s}",
                                    "table", table, "room", "spectators");
    cr_assert_eq(json_array_size(test_client_member(texts, "texts")), 1);
    REASON(test_client_ask(&d, anna, "table.read", "{s:s,s:i}", "table", table,
                           "text", 2),
           "no_such_text");
    FINE(test_client_ask(&d, anna, "table.note", "{s:s,s:s}", "table", table,
                         "text", "b2 was it"));
    cr_assert_str_eq(test_client_text(at(anna, "table.note"), "text"),
                     "b2 was it");
    cr_assert_str_eq(test_client_text(at(carl, "table.note"), "text"), "");
}

/* Answers stay below their limit, whatever people wrote. */
Test(tables, texts_are_cut)
{
    char body[2001];
    memset(body, '"', 2000);
    body[2000] = '\0';
    play();
    for (int i = 0; i < 300; i++)
        FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table",
                             table, "text", body));
    json_t *texts = test_client_ask(&d, anna, "table.texts", "{s:s,s:i}",
                                    "table", table, "limit", 200);
    FINE(texts);
    cr_assert(json_is_true(test_client_member(texts, "more")) != 0);
}

/* A table's log does not grow by people who come and go. */
Test(tables, coming_and_going_ends)
{
    const char *last = "";
    create(NULL, json_pack("{s:s}", "start", "manual"));
    for (int i = 0; i < LIMIT_LOBBY_PLIES && last[0] == '\0'; i++) {
        last = test_client_reason(at(bert, "table.join"));
        if (last[0] == '\0')
            FINE(at(bert, "table.leave"));
    }
    cr_assert_str_eq(last, "too_many_plies");
}

/* What a rewind has taken back is nothing that its player can take back, or has:
 * the simulation's seed 95 was told that they had, at ply 0. */
Test(tables, undo_after_a_rewind)
{
    struct peer_info info = {.direct = true, .admin = true};

    play();
    FINE(move(anna, decision(anna), "a1"));
    int64_t ply = test_client_number(at(anna, "table.watch"), "ply");
    hub_open(d.world.hub, ++d.peers, &info, d.world.now_ms);
    FINE(test_client_ask(&d, d.peers, "admin.rewind", "{s:s,s:I}", "table",
                         table, "ply", (json_int_t)(ply - 1)));
    json_t *answer = test_client_ask(&d, anna, "table.undo", "{s:s,s:I}",
                                     "table", table, "ply", (json_int_t)ply);
    REASON(answer, "undo_not_allowed");
}

/* The rules are told in words, in the language asked for if they are there in
 * it; the answer says in which. */
Test(tables, rules_for_people)
{
    json_t *answer = test_client_ask(&d, anna, "rules.text", "{s:s,s:s}",
                                     "game", "hacienda", "detail", "detailed");
    FINE(answer);
    cr_assert(strstr(test_client_text(answer, "text"), "# Hacienda") != NULL);
    cr_assert_str_eq(test_client_text(answer, "lang"), "en");
    answer = test_client_ask(&d, anna, "rules.text", "{s:s,s:s,s:s}", "game",
                             "hacienda", "detail", "summary", "lang", "fr");
    cr_assert_str_eq(test_client_text(answer, "lang"), "fr");
    cr_assert(strstr(test_client_text(answer, "text"), "Votre tour") != NULL);
    answer = test_client_ask(&d, anna, "rules.text", "{s:s,s:s,s:s}", "game",
                             "hacienda", "detail", "summary", "lang", "de");
    cr_assert_str_eq(test_client_text(answer, "lang"), "en");
    REASON(test_client_ask(&d, anna, "rules.text", "{s:s,s:s}", "game",
                           "chess", "detail", "summary"),
           "no_such_game");
}

/* Of three, who gives up has no more say, and their seat plays on by
 * itself. */
Test(tables, resigning_of_three)
{
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i}",
                                   "game", "hacienda", "seats", 3);
    FINE(made);
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
    FINE(at(bert, "table.join"));
    FINE(at(carl, "table.join"));
    FINE(at(bert, "table.resign"));
    for (int i = 0; i < 12; i++) {
        peer_id p = i % 2 == 0 ? anna : carl;
        json_t *legal = at(p, "table.legal");
        const json_t *moves = test_client_member(legal, "moves");
        size_t n = json_array_size(moves);
        if (n > 0)
            FINE(test_client_ask(&d, p, "table.move", "{s:s,s:O,s:O}", "table",
                                 table, "decision",
                                 test_client_member(legal, "decision"), "move",
                                 json_array_get(moves, 0)));
        legal = at(bert, "table.legal");
        cr_assert(json_is_null(test_client_member(legal, "decision")) != 0);
        const json_t *view = test_client_member(at(bert, "table.watch"),
                                                "view");
        cr_assert(json_is_null(json_object_get(view, "undo")) != 0);
        const json_t *seat = json_array_get(json_object_get(view, "seats"), 1);
        cr_assert(json_is_false(json_object_get(seat, "acting")) != 0);
    }
    FINE(at(anna, "table.resign"));
    const json_t *view = test_client_member(at(carl, "table.watch"), "view");
    const json_t *places = json_object_get(json_object_get(view, "result"),
                                           "places");
    cr_assert_eq(json_integer_value(json_array_get(places, 2)), 1);
    cr_assert_eq(json_integer_value(json_array_get(places, 1)), 2);
}
