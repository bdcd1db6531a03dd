/* test_orders.c -- standing orders: what is played as soon as somebody is asked,
 * when it is not, and that nobody else knows of it before. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/inner.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(orders, 17);

#define SECOND INT64_C(1000)

static char table[16];

/* ---- at a table ------------------------------------------------------------ */

/* Anna, Bert and, of three, Carl play GAME, with MORE. */
static void play(const char *game, int seats, json_t *more)
{
    json_t *all = json_pack("{s:s,s:i,s:s}", "game", game, "seats", seats,
                            "start", "full");

    if (more != NULL)
        json_object_update(all, more);
    json_decref(more);
    json_t *answer = test_client_ask_json(&d, anna, "table.create", all);
    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    if (seats > 2)
        FINE(test_client_ask(&d, carl, "table.join", "{s:s}", "table", table));
}

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

static json_t *view(peer_id p)
{
    return test_client_view(&d, p, table);
}

static int64_t last_ply(void)
{
    return json_integer_value(json_object_get(view(anna), "ply"));
}

static bool asked(peer_id p, int seat)
{
    json_t *s = json_array_get(json_object_get(view(p), "seats"),
                               (size_t)seat);
    return json_is_true(json_object_get(s, "acting"));
}

static json_t *give(peer_id p, json_t *order)
{
    return test_client_ask(&d, p, "table.order", "{s:s,s:o}", "table", table,
                           "order", order);
}

static json_t *to_pass(void)
{
    return json_pack("{s:s,s:I}", "pass", "round", "after",
                     (json_int_t)last_ply());
}

static json_t *to_place(const char *cell)
{
    return json_pack("{s:{s:s,s:s},s:I}", "move", "verb", "place", "cell",
                     cell, "after", (json_int_t)last_ply());
}

/* What P is told that they have ordered, or NULL. */
static json_t *stands(peer_id p)
{
    json_t *got = at(p, "table.get");
    FINE(got);
    return json_object_get(test_client_member(got, "table"), "order");
}

static json_t *move(peer_id p, const char *verb, const char *cell)
{
    json_int_t decision = json_integer_value(
        json_object_get(view(p), "decision"));
    json_t *m = json_pack("{s:s}", "verb", verb);

    if (cell != NULL)
        json_object_set_new(m, "cell", json_string(cell));
    return test_client_ask(&d, p, "table.move", "{s:s,s:I,s:o}", "table",
                           table, "decision", decision, "move", m);
}

static const char *cell_of(int cell)
{
    json_t *state = json_object_get(view(anna), "game_state");
    json_t *cells = json_object_get(state, "cells");
    json_t *is = json_array_get(cells, (size_t)cell);

    cr_assert_not_null(cells);
    return json_is_null(is)              ? "free"
           : json_integer_value(is) == 0 ? "anna"
                                         : "bert";
}

static struct table *there(void)
{
    id_num id;
    bool is_id = id_read(table, &id);

    cr_assert(is_id);
    return table_find(d.world.hub, id);
}

static void log_in(peer_id *p, const char *name)
{
    *p = test_client_come(&d, 0);
    FINE(test_client_ask(&d, *p, "session.login", "{s:s,s:s}", "name", name,
                         "password", "password"));
}

static void crash(void)
{
    test_client_settle(&d);
    world_crash(&d.world);
    log_in(&anna, "anna");
    log_in(&bert, "bert");
    log_in(&carl, "carl");
}

static void verified(void)
{
    char why[400];

    cr_assert(test_client_judge(&d, table, why, sizeof(why)), "%s", why);
}

static size_t told_of(peer_id p, const char *kind)
{
    size_t n = 0;

    for (size_t i = 0; i < d.count; i++) {
        json_t *params = json_object_get(d.messages[i].text, "params");
        const char *is = json_string_value(json_object_get(params, "kind"));
        n += d.messages[i].peer == p && is != NULL && strcmp(is, kind) == 0;
    }
    return n;
}

/* ---- answers --------------------------------------------------------------- */

/* It is played in the transaction that asks, once, as any ply of theirs; who is
 * asked by that hears of it, though the change is theirs, and its owner, too. */
Test(orders, answer)
{
    play("tictactoe", 2, NULL);
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    FINE(test_client_ask(&d, bert, "me.watch", NULL));
    json_t *given = give(bert, to_place("b2"));
    FINE(given);
    json_t *order = test_client_member(given, "order");
    cr_assert(json_equal(order, stands(bert)));
    cr_assert_eq(json_integer_value(json_object_get(order, "after")),
                 last_ply());
    cr_assert_eq(d.world.disk.order_count, 1);
    size_t turns = told_of(anna, "turn"), mine = told_of(bert, "order");
    int64_t before = last_ply();
    FINE(move(anna, "place", "a1"));
    cr_assert_eq(last_ply(), before + 2);
    cr_assert_str_eq(cell_of(4), "bert");
    cr_assert(asked(anna, 0) && !asked(anna, 1));
    cr_assert_eq(told_of(anna, "turn"), turns + 1, "she is asked again");
    cr_assert_eq(told_of(bert, "order"), mine + 1);
    cr_assert_eq(told_of(anna, "order"), 0);
    cr_assert_null(stands(bert));
    cr_assert_eq(d.world.disk.order_count, 0);
    FINE(move(anna, "place", "c1"));
    cr_assert(asked(anna, 1), "once, and no more");
    verified();
}

/* What is not legal then is dropped, and they are asked. */
Test(orders, illegal)
{
    play("tictactoe", 2, NULL);
    FINE(test_client_ask(&d, bert, "me.watch", NULL));
    FINE(give(bert, to_place("a1")));
    FINE(move(anna, "place", "a1"));
    cr_assert(asked(bert, 1));
    cr_assert_null(stands(bert));
    cr_assert_eq(d.world.disk.order_count, 0);
    cr_assert_eq(told_of(bert, "turn"), 1);
    cr_assert_str_eq(cell_of(0), "anna");
}

/* An order answers what there is: one that was given on sight of less is refused,
 * so is one of who is asked, and what is none. */
Test(orders, refused)
{
    json_t *no;

    FINE(test_client_create(&d, anna, NULL, table));
    REASON(give(anna, to_pass()), "not_started");
    play("tictactoe", 2, NULL);
    json_t *old = to_place("b2");
    REASON(give(carl, to_place("b2")), "not_seated");
    REASON(give(anna, to_place("b2")), "your_turn");
    REASON(give(bert, to_pass()), "no_pass");
    REASON(give(bert, json_pack("{s:I}", "after", last_ply())),
           "invalid_params");
    REASON(give(bert,
                json_pack("{s:{s:s,s:s},s:s,s:I}", "move", "verb", "place",
                          "cell", "a1", "pass", "round", "after", last_ply())),
           "invalid_params");
    REASON(give(bert, json_pack("{s:{s:s,s:s}}", "move", "verb", "place",
                                "cell", "a1")),
           "invalid_params");
    no = give(bert, to_place("z9"));
    REASON(no, "illegal_move");
    no = json_object_get(json_object_get(no, "error"), "data");
    cr_assert_str_eq(json_string_value(json_object_get(no, "path")),
                     "/order/move/cell");
    cr_assert_eq(d.world.disk.order_count, 0);
    FINE(move(anna, "place", "a1"));
    FINE(move(bert, "place", "b1"));
    no = give(bert, old);
    REASON(no, "stale_ply");
    no = json_object_get(json_object_get(no, "error"), "data");
    cr_assert_eq(json_integer_value(json_object_get(no, "ply")), last_ply());
    FINE(give(bert, to_place("b2")));
    FINE(give(bert, to_place("c3")));
    cr_assert_eq(d.world.disk.order_count, 1, "one at a time");
    FINE(give(bert, json_null()));
    FINE(give(bert, json_null()));
    cr_assert_null(stands(bert));
    cr_assert_eq(d.world.disk.order_count, 0);
    FINE(move(anna, "place", "a2"));
    cr_assert(asked(bert, 1), "it was taken back");
    FINE(at(anna, "table.resign"));
    REASON(give(bert, to_place("c3")), "game_over");
}

/* Nobody else is told of it: not at the table, and not by what they watch. */
Test(orders, unseen)
{
    play("tictactoe", 2, NULL);
    json_t *anna_saw = json_deep_copy(view(anna));
    FINE(test_client_ask(&d, carl, "table.watch", "{s:s}", "table", table));
    FINE(test_client_ask(&d, anna, "table.watch", "{s:s}", "table", table));
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    FINE(test_client_ask(&d, carl, "me.watch", NULL));
    json_t *order = to_place("b2");
    size_t heard = d.count;
    FINE(give(bert, order));
    test_client_settle(&d);
    for (size_t i = heard; i < d.count; i++)
        cr_assert_eq(d.messages[i].peer, bert);
    cr_assert_null(stands(anna));
    cr_assert_null(stands(carl));
    cr_assert(json_equal(anna_saw, view(anna)));
    json_decref(anna_saw);
    json_t *again = at(bert, "table.watch");
    cr_assert_not_null(test_client_member(again, "order"));
    cr_assert_null(
        json_object_get(json_object_get(at(carl, "table.watch"), "result"),
                        "order"));
}

/* What takes the moves away on which it rests, or somebody from their seat, or the
 * game, takes the order away, too. */
Test(orders, dropped)
{
    peer_id admin = test_client_admin(&d);

    play("tictactoe", 2, NULL);
    FINE(move(anna, "place", "a1"));
    json_t *mine = move(bert, "place", "b1");
    FINE(mine);
    FINE(give(bert, to_place("b2")));
    FINE(test_client_ask(&d, bert, "table.undo", "{s:s,s:O}", "table", table,
                         "ply", test_client_member(mine, "ply")));
    cr_assert_null(stands(bert));
    cr_assert_eq(d.world.disk.order_count, 0);

    FINE(move(bert, "place", "b1"));
    FINE(give(bert, to_place("b2")));
    FINE(test_client_ask(&d, admin, "admin.rewind", "{s:s,s:I}", "table",
                         table, "ply", (json_int_t)last_ply() - 1));
    cr_assert_null(stands(bert));
    cr_assert_eq(d.world.disk.order_count, 0);

    FINE(move(bert, "place", "b1"));
    FINE(give(bert, to_place("b2")));
    FINE(test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}", "table",
                         table, "seat", 1, "user", "carl"));
    cr_assert_eq(d.world.disk.order_count, 0);
    cr_assert_null(stands(carl));
    FINE(move(anna, "place", "a2"));
    cr_assert(asked(carl, 1), "it was Bert's");
    FINE(move(carl, "place", "b2"));
    FINE(give(carl, to_place("b3")));
    FINE(at(anna, "table.resign"));
    cr_assert_eq(d.world.disk.order_count, 0, "the game is over");

    play("tictactoe", 2, NULL);
    FINE(give(bert, to_place("b2")));
    FINE(at(bert, "table.resign"));
    cr_assert_eq(d.world.disk.order_count, 0);
}

/* ---- passes ---------------------------------------------------------------- */

static json_int_t round_now(void)
{
    json_t *game = json_object_get(view(anna), "game_state");
    json_t *round = json_object_get(game, "round");

    cr_assert_not_null(round);
    return json_integer_value(round);
}

/* Who asks for that passes in this round and not in the next one: orders that
 * bring about each other's turns come to an end, and who is asked then knows. */
Test(orders, passes)
{
    play("hacienda", 3, NULL);
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    peer_id seats[] = {anna, bert, carl};
    int first = 0;
    while (!asked(anna, first))
        first++;
    peer_id one = seats[first], two = seats[(first + 1) % 3],
            three = seats[(first + 2) % 3];
    REASON(give(one, to_pass()), "your_turn");
    FINE(move(one, "buy_land_supply", NULL)); /* or the game would be over */
    FINE(give(two, to_pass()));
    FINE(give(three, to_pass()));
    cr_assert_eq(round_now(), 1);
    int64_t before = last_ply();
    FINE(move(one, "end_turn", NULL));
    cr_assert_eq(last_ply(), before + 3);
    cr_assert_eq(round_now(), 2);
    cr_assert(asked(anna, first));
    cr_assert_null(stands(two));
    cr_assert_null(stands(three));
    cr_assert_eq(d.world.disk.order_count, 0);
    FINE(move(one, "buy_land_supply", NULL));
    FINE(move(one, "end_turn", NULL));
    cr_assert(asked(anna, (first + 1) % 3), "not in this round");
    FINE(give(one, to_pass()));
    FINE(move(two, "end_turn", NULL));
    FINE(move(three, "end_turn", NULL));
    cr_assert(asked(anna, first), "who has passed before is asked again");
    verified();
}

/* Its owner is told of each pass that is played, also while it stands. */
Test(orders, told_of_pass)
{
    play("hacienda", 3, NULL);
    peer_id seats[] = {anna, bert, carl};
    int first = 0;
    while (!asked(anna, first))
        first++;
    peer_id one = seats[first], two = seats[(first + 1) % 3];
    FINE(test_client_ask(&d, two, "me.watch", NULL));
    FINE(move(one, "buy_land_supply", NULL)); /* or the game would be over */
    FINE(give(two, to_pass()));
    size_t told = told_of(two, "order");
    FINE(move(one, "end_turn", NULL));
    cr_assert(asked(anna, (first + 2) % 3));
    cr_assert_not_null(stands(two), "for the round");
    cr_assert_eq(told_of(two, "order"), told + 1);
}

/* A pass waits where there is no pass, and stands for both steps of a phase. */
Test(orders, pass_waits)
{
    play("hadara", 2, NULL);
    for (int n = 0; n < 2; n++) { /* the wheel, and a choice */
        if (asked(anna, 0))
            FINE(test_client_move(&d, anna, table));
        if (asked(anna, 1) && n == 0)
            FINE(test_client_move(&d, bert, table));
    }
    int bert_first = asked(anna, 0) ? 0 : 1;
    peer_id one = bert_first ? anna : bert, two = bert_first ? bert : anna;
    FINE(give(one, to_pass()));
    for (int n = 0; n < 12 && stands(one) != NULL; n++) {
        if (asked(anna, one == anna ? 0 : 1)) {
            json_t *state = json_object_get(view(anna), "game_state");
            const char *stage = json_string_value(
                json_object_get(state, "stage"));
            cr_assert_str_eq(stage, "choose", "%s can be passed", stage);
            FINE(test_client_move(&d, one, table));
        } else {
            FINE(test_client_move(&d, two, table));
        }
    }
    verified();
}

/* An order of one's own may come between others' moves, by hand. */
Test(orders, by_turns)
{
    play("tictactoe", 2, NULL);
    FINE(move(anna, "place", "a1"));
    FINE(give(anna, to_place("c3")));
    FINE(test_client_ask(&d, bert, "me.watch", NULL));
    FINE(move(bert, "place", "b1"));
    cr_assert_str_eq(cell_of(8), "anna");
    cr_assert(asked(bert, 1));
    cr_assert_eq(told_of(bert, "turn"), 1);
}

/* ---- what happens to the server --------------------------------------------- */

/* It stands after a crash; what was played or dropped does not come back. */
Test(orders, crashes)
{
    play("tictactoe", 2, NULL);
    FINE(give(bert, to_place("b2")));
    crash();
    cr_assert_not_null(stands(bert));
    FINE(move(anna, "place", "a1"));
    cr_assert_str_eq(cell_of(4), "bert");
    crash();
    cr_assert_null(stands(bert));
    FINE(move(anna, "place", "c1"));
    cr_assert(asked(bert, 1));
    verified();
}

/* What could not be stored does not stand. */
Test(orders, not_stored)
{
    play("tictactoe", 2, NULL);
    d.world.fail_per_1000 = 1000;
    REASON(give(bert, to_place("b2")), "storage_unavailable");
    d.world.fail_per_1000 = 0;
    cr_assert_null(stands(bert));
    FINE(give(bert, to_place("b2")));
    d.world.fail_per_1000 = 1000;
    REASON(move(anna, "place", "a1"), "storage_unavailable");
    d.world.fail_per_1000 = 0;
    cr_assert_not_null(stands(bert), "it was not played");
    FINE(move(anna, "place", "a1"));
    cr_assert_str_eq(cell_of(4), "bert");
}

/* What was stored though nobody was told so holds: an order that was given stands,
 * and one that was played is gone, and not played again. */
Test(orders, limbo)
{
    play("tictactoe", 2, NULL);
    d.world.fail_per_1000 = d.world.limbo_per_1000 = 1000;
    REASON(give(bert, to_place("b2")), "storage_unavailable");
    d.world.fail_per_1000 = 0;
    cr_assert_not_null(stands(bert));
    cr_assert_eq(d.world.disk.order_count, 1);
    int64_t before = last_ply();
    d.world.fail_per_1000 = 1000;
    REASON(move(anna, "place", "a1"), "storage_unavailable");
    d.world.fail_per_1000 = 0;
    cr_assert_eq(last_ply(), before + 2);
    cr_assert_str_eq(cell_of(4), "bert");
    cr_assert_null(stands(bert));
    cr_assert_eq(d.world.disk.order_count, 0);
    FINE(move(anna, "place", "c1"));
    cr_assert(asked(bert, 1), "once, and no more");
    verified();
}

/* In a backup that is brought back there may be some that were played since. */
Test(orders, restored)
{
    play("tictactoe", 2, NULL);
    FINE(give(bert, to_place("b2")));
    crash();
    hub_restore(d.world.hub, d.world.now_ms);
    test_client_settle(&d);
    cr_assert_eq(d.world.disk.order_count, 0);
    cr_assert_null(stands(bert));
    FINE(move(anna, "place", "a1"));
    cr_assert(asked(bert, 1));
}

static size_t unreadable;

static void logged(struct world *w, enum host_level level, const json_t *line)
{
    const char *event = json_string_value(json_object_get(line, "event"));

    (void)w, (void)level;
    unreadable += event != NULL && strcmp(event, "order_unreadable") == 0;
}

/* What cannot be read is logged, and gone; the table is played on. */
Test(orders, unreadable)
{
    static const char *const bad[] = {
        "",
        "{",
        "[]",
        "{\"after\":4}",
        "{\"after\":4,\"move\":{\"verb\":\"fly\"}}",
        "{\"after\":4,\"pass\":\"round\",\"round\":7}",
        "{\"after\":99,\"move\":{\"cell\":\"b2\",\"verb\":\"place\"}}",
    };

    play("tictactoe", 2, NULL);
    d.world.logged = logged;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        unreadable = 0;
        FINE(give(bert, to_place("b2")));
        d.world.disk.orders[0].row.body = bad[i];
        crash();
        cr_assert_null(stands(bert), "%s", bad[i]);
        cr_assert_eq(unreadable, 1, "%s", bad[i]);
        test_client_settle(&d);
        cr_assert_eq(d.world.disk.order_count, 0, "%s", bad[i]);
    }
    FINE(move(anna, "place", "a1"));
    cr_assert(asked(bert, 1));
}

/* What they take in memory is counted, and given back. */
Test(orders, memory)
{
    play("tictactoe", 2, NULL);
    at(bert, "table.get");
    size_t before = there()->bytes, all = d.world.hub->tables_bytes;
    FINE(give(bert, to_place("b2")));
    at(bert, "table.get");
    size_t more = orders_bytes(there()->orders);
    cr_assert_gt(more, 0);
    cr_assert_eq(there()->bytes, before + more);
    cr_assert_eq(d.world.hub->tables_bytes, all + more);
}

/* ---- clocks ------------------------------------------------------------------ */

static void pause_for(int64_t ms)
{
    json_t *vote = test_client_ask(&d, anna, "table.propose", "{s:s,s:s,s:I}",
                                   "table", table, "about", "pause", "until",
                                   (json_int_t)(d.world.now_ms + ms));
    FINE(vote);
    FINE(test_client_ask(&d, bert, "table.vote", "{s:s,s:O,s:b}", "table",
                         table, "vote", test_client_member(vote, "ply"), "yes",
                         true));
}

static void wait(int64_t ms)
{
    for (; ms > 0; ms -= 10 * SECOND)
        test_client_wait(&d, 10 * SECOND);
    test_client_settle(&d);
}

/* A pause holds an order; when it ends, it is played by itself, and also by a
 * server that was started meanwhile; or when it is ended. */
Test(orders, paused)
{
    for (int i = 0; i < 3; i++) {
        play("tictactoe", 2, json_pack("{s:{s:i}}", "pace", "free", 86400));
        FINE(test_client_ask(&d, anna, "me.watch", NULL));
        pause_for(3600 * SECOND);
        FINE(give(bert, to_place("b2")));
        FINE(move(anna, "place", "a1"));
        cr_assert(asked(bert, 1));
        cr_assert_not_null(stands(bert));
        wait(1800 * SECOND);
        cr_assert_str_eq(cell_of(4), "free");
        if (i == 1)
            crash();
        if (i == 2) {
            json_t *vote = test_client_ask(&d, anna, "table.propose",
                                           "{s:s,s:s}", "table", table,
                                           "about", "resume");
            FINE(vote);
            FINE(test_client_ask(&d, bert, "table.vote", "{s:s,s:O,s:b}",
                                 "table", table, "vote",
                                 test_client_member(vote, "ply"), "yes",
                                 true));
        } else {
            wait(1820 * SECOND);
        }
        cr_assert_eq(d.world.disk.order_count, 0, "%d", i);
        cr_assert_str_eq(cell_of(4), "bert", "%d", i);
        cr_assert(asked(anna, 0));
        verified();
    }
}

/* A pass that cannot be played when the pause is over waits for a change, and the
 * table is not looked at for it again and again. */
Test(orders, pause_is_over)
{
    play("hadara", 2, json_pack("{s:{s:i}}", "pace", "free", 86400));
    for (int n = 0; n < 2; n++) { /* the wheel, and a choice */
        if (asked(anna, 0))
            FINE(test_client_move(&d, anna, table));
        if (asked(anna, 1) && n == 0)
            FINE(test_client_move(&d, bert, table));
    }
    int waits = asked(anna, 0) ? 1 : 0;
    peer_id one = waits == 0 ? anna : bert, two = waits == 0 ? bert : anna;
    pause_for(3600 * SECOND);
    FINE(give(one, to_pass()));
    FINE(test_client_move(&d, two, table));
    cr_assert(asked(anna, waits));
    cr_assert_not_null(stands(one));
    wait(3620 * SECOND);
    cr_assert(asked(anna, waits), "this cannot be passed");
    cr_assert_not_null(stands(one));
    (void)hub_tick(d.world.hub, d.world.now_ms);
    test_client_settle(
        &d); /* or it is looked at for ever, and this times out */
    FINE(test_client_move(&d, one, table));
}

/* Somebody's miss takes away prepared answers; who has an order misses nothing, as
 * their time does not run. */
Test(orders, missed)
{
    play("tictactoe", 2,
         json_pack("{s:{s:i},s:{s:i,s:s}}", "pace", "free", 3600, "misses",
                   "excused", 0, "then", "mild"));
    FINE(move(anna, "place", "a1"));
    FINE(move(bert, "place", "b1"));
    FINE(give(bert, to_place("b2")));
    wait(3620 * SECOND);
    cr_assert_eq(d.world.disk.order_count, 0);
    cr_assert_null(stands(bert));
    cr_assert(asked(bert, 1), "Anna was played for");
    verified();
}
