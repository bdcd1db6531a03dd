/* test_watching.c -- who watches keeps up by updates alone: whatever happens at
 * the table, whatever fails, their view is the one that is had by asking. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/patch.h"
#include "tests/support/test_client.h"

enum { ANNA, BERT, CARL, PEOPLE };

static const char *const names[PEOPLE] = {"anna", "bert", "carl"};

static struct test_client d;
static peer_id peer[PEOPLE];  /* asks */
static peer_id watch[PEOPLE]; /* the same person, who watches meanwhile */
static json_t *view[PEOPLE];  /* theirs, kept by updates */
static size_t heard[PEOPLE];  /* messages of the client that they have read */
static char table[16];

static peer_id login(const char *name)
{
    peer_id p = test_client_come(&d, 0);
    FINE(test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name", name,
                         "password", "password"));
    return p;
}

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

/* All three watch from here on. */
static void watch_all(void)
{
    for (int i = 0; i < PEOPLE; i++) {
        json_t *seen = at(watch[i], "table.watch");
        FINE(seen);
        json_decref(view[i]);
        view[i] = json_deep_copy(test_client_member(seen, "view"));
        heard[i] = d.count;
    }
}

/* Anna's table for two, with bert if they are SEATED, and all three watch. */
static void create(bool seated)
{
    json_t *made = test_client_ask(&d, peer[ANNA], "table.create", "{s:s,s:i}",
                                   "game", "tictactoe", "seats", 2);
    FINE(made);
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
    if (seated)
        FINE(at(peer[BERT], "table.join"));
    watch_all();
}

static void begin(void)
{
    test_client_open(&d, 53);
    for (int i = 0; i < PEOPLE; i++) {
        peer[i] = test_client_user(&d, names[i]);
        watch[i] = login(names[i]);
    }
}

static void end(void)
{
    for (int i = 0; i < PEOPLE; i++)
        json_decref(view[i]);
    test_client_close(&d);
}

TestSuite(watching, .init = begin, .fini = end, .timeout = 600);

/* Reads the updates that I was sent since they last read; how many. */
static size_t read_updates(int i)
{
    size_t count = 0;
    char why[256];

    for (; heard[i] < d.count; heard[i]++) {
        const struct test_client_message *l = &d.messages[heard[i]];
        const char *method = json_string_value(
            json_object_get(l->text, "method"));
        if (l->peer != watch[i] || method == NULL ||
            strcmp(method, "table.update") != 0)
            continue;
        const json_t *update = json_object_get(l->text, "params");
        cr_assert(json_equal(json_object_get(update, "from"),
                             json_object_get(view[i], "ply")),
                  "%s has not been told of all", names[i]);
        json_t *next = patch_apply(view[i], json_object_get(update, "patch"),
                                   why);
        cr_assert_not_null(next, "%s", why);
        json_decref(view[i]);
        view[i] = next;
        count++;
    }
    return count;
}

/* All have been told of it in one update, and see what who comes now does. */
static void all_know(const char *what)
{
    test_client_settle(&d);
    for (int i = 0; i < PEOPLE; i++) {
        cr_assert_eq(read_updates(i), 1, "%s of %s", names[i], what);
        const json_t *fresh = test_client_member(at(peer[i], "table.watch"),
                                                 "view");
        char *is = json_dumps(view[i], JSON_SORT_KEYS),
             *should = json_dumps(fresh, JSON_SORT_KEYS);
        cr_assert_str_eq(is, should, "%s of %s", names[i], what);
        free(is);
        free(should);
        FINE(at(peer[i], "table.unwatch"));
    }
}

static int64_t decision(int i)
{
    return test_client_number(at(peer[i], "table.legal"), "decision");
}

static json_t *answer(int i, int64_t asked, const char *cell)
{
    return test_client_ask(&d, peer[i], "table.move", "{s:s,s:I,s:{s:s,s:s}}",
                           "table", table, "decision", (json_int_t)asked,
                           "move", "verb", "place", "cell", cell);
}

static int64_t move(int i, const char *cell)
{
    json_t *moved = answer(i, decision(i), cell);
    FINE(moved);
    return test_client_number(moved, "ply");
}

static peer_id operator(void)
{
    struct peer_info info = {.direct = true, .admin = true};
    hub_open(d.world.hub, ++d.peers, &info, d.world.now_ms);
    return d.peers;
}

static json_t *take_back(int i, int64_t ply)
{
    return test_client_ask(&d, peer[i], "table.undo", "{s:s,s:I}", "table",
                           table, "ply", (json_int_t)ply);
}

static json_t *rewind_to(peer_id p, int64_t ply)
{
    return test_client_ask(&d, p, "admin.rewind", "{s:s,s:I}", "table", table,
                           "ply", (json_int_t)ply);
}

/* Seats, whose turn it is, what may be taken back, points and result are never
 * those of before: an update brings the whole view up to date. */
Test(watching, whole_views)
{
    create(false);
    FINE(at(peer[BERT], "table.join"));
    all_know("the start");
    move(ANNA, "a1");
    all_know("a move");
    int64_t ply = move(BERT, "b2");
    all_know("an answer");
    FINE(take_back(BERT, ply));
    all_know("an undo");
    FINE(rewind_to(operator(), ply - 2));
    all_know("a rewind");
    move(ANNA, "c3");
    all_know("another move");
    FINE(at(peer[BERT], "table.resign"));
    all_know("the end");
}

/* Who was away meanwhile is brought on from what they see now, and not from what
 * they were told last: whose turn it is may be the same as then. */
Test(watching, after_a_while)
{
    create(true);
    move(ANNA, "a1");
    all_know("a move");
    move(BERT, "b2");
    all_know("the last one before they go");
    FINE(at(watch[ANNA], "table.unwatch"));
    FINE(at(watch[BERT], "table.unwatch")); /* carl stays */
    move(ANNA, "c3");
    watch_all();
    move(BERT, "a3");
    all_know("the first one after they came back");
}

/* What failed to be stored has not happened, and is told of when it has. */
Test(watching, nothing_stored)
{
    create(true);
    int64_t asked = decision(ANNA);
    d.world.fail_at = d.world.handled + 1;
    REASON(answer(ANNA, asked, "a1"), "storage_unavailable");
    test_client_settle(&d);
    for (int i = 0; i < PEOPLE; i++)
        cr_assert_eq(read_updates(i), 0);
    FINE(answer(ANNA, asked, "a1"));
    all_know("the move at last");
}

/* What was stored all the same is told of as soon as that is known, and what
 * comes next goes on from there. */
Test(watching, stored_all_the_same)
{
    create(true);
    d.world.limbo_per_1000 = 1000;
    d.world.fail_at = d.world.handled + 1;
    REASON(answer(ANNA, decision(ANNA), "a1"), "storage_unavailable");
    all_know("what nobody acknowledged");
    move(BERT, "b2");
    all_know("the answer to it");
}

/* ---- retries and rewinds ------------------------------------------------- */

/* A move is known again by the decision that it answered, too: as the answer to
 * an earlier one it is stale, as the answer to a later one it is played. */
Test(watching, another_decision)
{
    create(true);
    int64_t first = decision(ANNA), ply = move(ANNA, "a1");
    FINE(take_back(ANNA, ply));
    int64_t second = decision(ANNA);
    cr_assert_neq(first, second);
    json_t *again = answer(ANNA, second, "a1");
    FINE(again);
    cr_assert_null(test_client_member(again, "duplicate"));
    cr_assert_gt(test_client_number(again, "ply"), ply);
    FINE(take_back(ANNA, test_client_number(again, "ply")));
    move(ANNA, "c3");
    REASON(answer(ANNA, first, "c3"), "not_your_turn");
    REASON(answer(ANNA, second, "c3"), "not_your_turn");
    move(BERT, "b2");
    REASON(answer(ANNA, first, "c3"), "stale_decision");
    again = answer(ANNA, second, "a1");
    cr_assert(json_is_true(test_client_member(again, "duplicate")));
    cr_assert(json_is_true(test_client_member(again, "undone")));
}

static json_t *state_at(int64_t ply)
{
    return json_object_get(
        test_client_member(test_client_ask(&d, peer[CARL], "table.at",
                                           "{s:s,s:I}", "table", table, "ply",
                                           (json_int_t)ply),
                           "view"),
        "game_state");
}

/* A rewind to a ply leaves all that was played up to it, and nothing since. */
Test(watching, rewinds_to_that_ply)
{
    static const char *const cells[] = {"a1", "b2", "c3", "a3"};
    int64_t ply[COUNT_OF(cells)];
    peer_id admin = operator();

    create(true);
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        ply[i] = move(i % 2 == 0 ? ANNA : BERT, cells[i]);
    REASON(rewind_to(admin, ply[3]), "nothing_to_rewind");
    for (size_t i = COUNT_OF(cells) - 1; i-- > 0;) {
        json_t *then = state_at(ply[i]);
        FINE(rewind_to(admin, ply[i]));
        const json_t *now = test_client_member(at(peer[CARL], "table.watch"),
                                               "view");
        cr_assert(json_equal(json_object_get(now, "game_state"), then));
        cr_assert_gt(decision(i % 2 == 0 ? BERT : ANNA), 0);
    }
    FINE(rewind_to(admin, ply[0] - 1));
    move(ANNA, "a1");
}
