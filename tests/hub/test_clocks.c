/* test_clocks.c -- tables with a pace: what was agreed on, deadlines in views and
 * lists, misses and what comes of them, and records that prove them. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/timing.h"
#include "protocol/record.h"
#include "server/hub/inner.h"
#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(clocks, 5);

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)

static char table[16];

/* ---- people at a table ------------------------------------------------------ */

/* Anna makes a table, with MORE besides its game, and Bert sits down. */
static void play(json_t *more)
{
    json_object_set_new(more, "start", json_string("full"));
    FINE(test_client_create(&d, anna, more, table));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
}

/* A table of FREE, BANK and ADD seconds, of whose misses none is excused and
 * THEN comes. */
static void play_at(int free, int bank, int add, const char *then)
{
    play(json_pack("{s:{s:i,s:i,s:i,s:i},s:{s:i,s:s}}", "pace", "free", free,
                   "bank", bank, "add", add, "cap", bank, "misses", "excused",
                   0, "then", then));
}

static json_t *view(peer_id p)
{
    return test_client_view(&d, p, table);
}

static json_t *seat_of(int seat)
{
    json_t *seats = json_object_get(view(anna), "seats");
    return json_array_get(seats, (size_t)seat);
}

static json_int_t number(int seat, const char *name)
{
    return json_integer_value(json_object_get(seat_of(seat), name));
}

static bool flag(int seat, const char *name)
{
    return json_is_true(json_object_get(seat_of(seat), name));
}

static const char *state(void)
{
    return json_string_value(json_object_get(view(anna), "state"));
}

static const char *reason(void)
{
    const json_t *result = json_object_get(view(anna), "result");
    return json_string_value(json_object_get(result, "reason"));
}

static json_t *move(peer_id p)
{
    return test_client_move(&d, p, table);
}

/* So much time, a second at a time. */
static void pass(int64_t ms)
{
    for (; ms > SECOND; ms -= SECOND)
        test_client_wait(&d, SECOND);
    test_client_wait(&d, ms);
}

static void verified(void)
{
    char why[400];

    cr_assert(test_client_judge(&d, table, why, sizeof(why)), "%s", why);
}

/* ---- what is agreed on ------------------------------------------------------ */

/* A table says what was agreed on, wherever it is shown; one without a pace that
 * there is none. */
Test(clocks, agreed)
{
    json_t *more = json_pack("{s:{s:i,s:i}}", "pace", "free", 86400, "bank",
                             3600);

    FINE(test_client_create(&d, anna, more, table));
    json_t *got = test_client_ask(&d, bert, "table.get", "{s:s}", "table",
                                  table);
    json_t *t = test_client_member(got, "table");
    json_t *wanted = json_pack("{s:i,s:i,s:i,s:i}", "free", 86400, "bank",
                               3600, "add", 0, "cap", 3600);
    cr_assert(json_equal(json_object_get(t, "pace"), wanted));
    cr_assert(json_is_true(json_object_get(t, "hours")));
    cr_assert(json_is_true(json_object_get(t, "absence")));
    json_t *misses = json_pack("{s:i,s:s}", "excused", 1, "then", "mild");
    cr_assert(json_equal(json_object_get(t, "misses"), misses));
    json_t *list = test_client_ask(&d, bert, "table.list", NULL);
    json_t *row = json_array_get(test_client_member(list, "tables"), 0);
    cr_assert(json_equal(json_object_get(row, "pace"), wanted));
    json_decref(wanted);
    json_decref(misses);

    FINE(test_client_create(&d, anna, NULL, table));
    got = test_client_ask(&d, bert, "table.get", "{s:s}", "table", table);
    t = test_client_member(got, "table");
    cr_assert(json_is_null(json_object_get(t, "pace")));
    cr_assert_null(json_object_get(t, "misses"));
    cr_assert_null(json_object_get(seat_of(0), "due"));
}

/* What nobody can agree on is refused, and says why; so are bots, as long as
 * there are none. */
Test(clocks, refused)
{
    static const char *const bad[] = {
        "{\"pace\":{\"free\":29}}",
        "{\"pace\":{}}",
        "{\"pace\":{\"free\":7776001}}",
        "{\"pace\":{\"bank\":300,\"cap\":299}}",
        "{\"pace\":{\"free\":300,\"cap\":1}}",
        "{\"pace\":{\"free\":300,\"more\":1}}",
        "{\"misses\":{}}",
        "{\"hours\":true}",
        "{\"pace\":{\"free\":300},\"misses\":{\"excused\":10}}",
        "{\"pace\":{\"free\":300},\"misses\":{\"then\":\"fire\"}}",
    };

    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        json_t *more = json_loads(bad[i], 0, NULL);
        json_t *answer = test_client_create(&d, anna, more, NULL);
        cr_expect_str_eq(test_client_reason(answer), "invalid_params", "%s",
                         bad[i]);
    }
    json_t *more = json_pack("{s:{s:i},s:{s:s}}", "pace", "free", 300,
                             "misses", "then", "bot");
    REASON(test_client_create(&d, anna, more, NULL), "no_bots");
}

/* ---- deadlines -------------------------------------------------------------- */

/* Who is waited for has a deadline, in their view and in their list, which comes
 * by it; who moves has none, and keeps what is in the bank. */
Test(clocks, due)
{
    char first[16];

    play_at(60, 300, 10, "mild");
    int64_t began = json_integer_value(json_object_get(seat_of(0), "due")) -
                    6 * MINUTE;
    cr_assert(d.world.now_ms - began < SECOND);
    cr_assert(json_is_null(json_object_get(seat_of(1), "due")));
    pass(2 * MINUTE);
    FINE(move(anna));
    cr_assert(json_is_null(json_object_get(seat_of(0), "due")));
    json_int_t bank = number(0, "bank");
    cr_assert(bank > 240 * SECOND && bank < 250 * SECOND, "%lld",
              (long long)bank);
    cr_assert_gt(number(1, "due"), d.world.now_ms + 5 * MINUTE);
    verified();

    memcpy(first, table, sizeof(first));
    play_at(30, 0, 0, "mild");
    FINE(move(anna));
    json_t *mine = test_client_ask(&d, bert, "me.tables", NULL);
    json_t *rows = test_client_member(mine, "tables");
    cr_assert_str_eq(json_string_value(
                         json_object_get(json_array_get(rows, 0), "table")),
                     table);
    cr_assert_str_eq(json_string_value(
                         json_object_get(json_array_get(rows, 1), "table")),
                     first);
    cr_assert_eq(json_integer_value(
                     json_object_get(json_array_get(rows, 0), "due")),
                 number(1, "due"));
    const json_t *seats = json_object_get(json_array_get(rows, 0), "seats");
    cr_assert_null(json_object_get(json_array_get(seats, 0), "due"));
    cr_assert_eq(json_integer_value(
                     json_object_get(json_array_get(seats, 1), "due")),
                 number(1, "due"), "others see it, too");
}

/* Whoever of the two is waited for does move number SOME of theirs. */
static void any_move(unsigned some)
{
    peer_id p = flag(0, "acting") ? anna : bert;
    json_t *legal = test_client_ask(&d, p, "table.legal", "{s:s}", "table",
                                    table);
    const json_t *moves = test_client_member(legal, "moves");

    cr_assert_gt(json_array_size(moves), 0);
    FINE(
        test_client_ask(&d, p, "table.move", "{s:s,s:O,s:O}", "table", table,
                        "decision", test_client_member(legal, "decision"),
                        "move",
                        json_array_get(moves, some % json_array_size(moves))));
}

/* Who only may move, as an offer is open to them, has no clock, and stops
 * nobody's: whose turn it is misses it all the same. */
Test(clocks, who_may)
{
    json_t *answer = test_client_ask(&d, anna, "table.create",
                                     "{s:s,s:i,s:s,s:{s:i},s:{s:i,s:s}}",
                                     "game", "greement", "seats", 2, "start",
                                     "full", "pace", "free", 60, "misses",
                                     "excused", 0, "then", "mild");
    unsigned i = 0;
    int who = -1;

    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    for (; who < 0 && i < 400; i++) {
        any_move(i * 7 + i / 5);
        for (int seat = 0; seat < 2; seat++) {
            cr_assert_eq(json_is_null(json_object_get(seat_of(seat), "due")),
                         !flag(seat, "acting"), "move %u", i);
            if (flag(seat, "may") && !flag(seat, "acting"))
                who = seat;
        }
    }
    cr_assert_geq(who, 0, "nobody offered anything");
    cr_assert(flag(1 - who, "acting"));
    pass(63 * SECOND);
    cr_assert_eq(number(who, "missed"), 0);
    cr_assert_eq(number(1 - who, "missed"), 1);
    verified();
}

/* What is taken back has never stopped a clock; after the old deadline nothing
 * is. */
Test(clocks, undo)
{
    play_at(60, 0, 0, "mild");
    json_int_t due = number(0, "due");
    pass(20 * SECOND);
    FINE(move(anna));
    pass(20 * SECOND);
    json_int_t ply = json_integer_value(json_object_get(view(anna), "undo"));
    FINE(test_client_ask(&d, anna, "table.undo", "{s:s,s:I}", "table", table,
                         "ply", ply));
    cr_assert_eq(number(0, "due"), due);
    cr_assert(json_is_null(json_object_get(seat_of(1), "due")));
    FINE(move(anna));
    pass(25 * SECOND);
    ply = json_integer_value(json_object_get(view(anna), "undo"));
    REASON(test_client_ask(&d, anna, "table.undo", "{s:s,s:I}", "table", table,
                           "ply", ply),
           "undo_not_allowed");
    verified();
}

/* Who moves on two devices at once, be it the same or something else, has moved
 * once, and has what a turn adds once. */
Test(clocks, two_devices)
{
    for (int same = 0; same < 2; same++) {
        play_at(0, 600, 30, "mild");
        peer_id other = test_client_come(&d, 0);
        FINE(test_client_ask(&d, other, "session.login", "{s:s,s:s}", "name",
                             "anna", "password", "password"));
        pass(120 * SECOND); /* or nothing could be added */
        FINE(move(anna));
        FINE(move(bert));
        json_int_t bank = number(0, "bank"), id[2];
        json_t *legal = test_client_ask(&d, anna, "table.legal", "{s:s}",
                                        "table", table);
        json_t *moves = test_client_member(legal, "moves");
        for (int i = 0; i < 2; i++)
            id[i] = test_client_send(
                &d, i == 0 ? anna : other, "table.move",
                json_pack("{s:s,s:O,s:O}", "table", table, "decision",
                          test_client_member(legal, "decision"), "move",
                          json_array_get(moves, same ? 0 : (size_t)i)));
        test_client_settle(&d);
        FINE(test_client_answer(&d, (int)id[0]));
        REASON(test_client_answer(&d, (int)id[1]),
               same ? "" : "not_your_turn");
        json_int_t gained = number(0, "bank") - bank;
        cr_assert(gained > 25 * SECOND && gained <= 30 * SECOND, "%lld",
                  (long long)gained);
        verified();
    }
}

/* ---- misses ----------------------------------------------------------------- */

/* Both have had a turn; Anna's next one goes by, of a minute. */
static void anna_misses(void)
{
    FINE(move(anna));
    FINE(move(bert));
    pass(63 * SECOND);
}

/* Two seconds after the deadline, and not before, it is missed; what is on its
 * way until then counts. */
Test(clocks, in_time)
{
    play_at(60, 0, 0, "mild");
    json_int_t due = number(0, "due");
    test_client_wait(&d, due + 1500 - d.world.now_ms);
    FINE(move(anna));
    cr_assert_eq(number(0, "missed"), 0);
    due = number(1, "due");
    test_client_wait(&d, due + 2100 - d.world.now_ms);
    cr_assert_str_eq(reason(), "abandoned", "it was the very first turn");
    verified();
}

/* One is excused: the turn goes on for as long again; a miss after it is played
 * to its end, and the next turn is shorter. */
Test(clocks, mild)
{
    play(json_pack("{s:{s:i}}", "pace", "free", 60));
    json_int_t due = number(0, "due");
    pass(63 * SECOND);
    json_int_t later = number(0, "due");
    cr_assert(later >= due + 62 * SECOND && later < due + 65 * SECOND);
    anna_misses();
    cr_assert_eq(number(0, "missed"), 1);
    cr_assert(flag(1, "acting"), "a move was made for her");
    FINE(move(bert));
    cr_assert(number(0, "due") - d.world.now_ms <= 30 * SECOND);
    verified();
    pass(10 * SECOND);
    FINE(move(anna));
    cr_assert_eq(number(0, "missed"), 0);
    verified();
}

/* Of two who misses may lose. */
Test(clocks, end)
{
    play_at(60, 0, 0, "end");
    anna_misses();
    cr_assert_str_eq(state(), "finished");
    cr_assert_str_eq(reason(), "timeout");
    json_t *places = json_object_get(json_object_get(view(bert), "result"),
                                     "places");
    cr_assert_eq(json_integer_value(json_array_get(places, 0)), 2);
    cr_assert_eq(json_integer_value(json_array_get(places, 1)), 1);
    verified();
}

/* ... or has given up. */
Test(clocks, out)
{
    play_at(60, 0, 0, "out");
    anna_misses();
    cr_assert_str_eq(reason(), "resigned");
    cr_assert(flag(0, "resigned"));
    json_t *again = test_client_ask(&d, anna, "table.resign", "{s:s}", "table",
                                    table);
    FINE(again);
    cr_assert(json_is_true(test_client_member(again, "duplicate")));
    verified();
}

/* The seat is offered, and gone if nobody takes it. */
Test(clocks, open)
{
    play_at(60, 0, 0, "open");
    anna_misses();
    cr_assert(flag(0, "offered"));
    cr_assert(flag(0, "acting"));
    verified();
    pass(63 * SECOND);
    cr_assert(flag(0, "gone"));
    cr_assert(flag(1, "acting"));
    verified();
}

/* Whoever takes a seat that is offered begins as everybody did; who had a seat
 * cannot take another. */
Test(clocks, taken)
{
    play_at(60, 30, 0, "open");
    FINE(move(anna));
    REASON(test_client_ask(&d, carl, "table.take", "{s:s,s:i}", "table", table,
                           "seat", 1),
           "not_offered");
    FINE(move(bert));
    pass(93 * SECOND);
    json_t *list = test_client_ask(&d, carl, "table.list", "{s:b}", "offered",
                                   1);
    json_t *row = json_array_get(test_client_member(list, "tables"), 0);
    cr_assert_str_eq(json_string_value(json_object_get(row, "table")), table);
    cr_assert(json_is_true(
        json_object_get(json_array_get(json_object_get(row, "seats"), 0),
                        "offered")));
    REASON(test_client_ask(&d, bert, "table.take", "{s:s,s:i}", "table", table,
                           "seat", 0),
           "already_seated");
    FINE(test_client_ask(&d, carl, "table.take", "{s:s,s:i}", "table", table,
                         "seat", 0));
    json_int_t left = number(0, "due") - d.world.now_ms;
    cr_assert(left > 89 * SECOND && left <= 90 * SECOND, "%lld",
              (long long)left);
    REASON(test_client_ask(&d, anna, "table.take", "{s:s,s:i}", "table", table,
                           "seat", 0),
           "not_offered");
    FINE(move(carl));
    FINE(move(bert));
    pass(93 * SECOND);
    REASON(test_client_ask(&d, anna, "table.take", "{s:s,s:i}", "table", table,
                           "seat", 0),
           "was_seated");
    verified();
}

/* Who is gone can come back, three times, and has an eighth at least. */
Test(clocks, back)
{
    play_at(80, 0, 0, "open");
    FINE(move(anna));
    REASON(test_client_ask(&d, anna, "table.return", "{s:s}", "table", table),
           "not_gone");
    FINE(move(bert));
    pass(83 * SECOND);
    pass(83 * SECOND);
    cr_assert(flag(0, "gone"));
    FINE(test_client_ask(&d, anna, "table.return", "{s:s}", "table", table));
    cr_assert(!flag(0, "gone"));
    FINE(move(bert));
    cr_assert_gt(number(0, "due"), d.world.now_ms + 80 * SECOND);
    verified();
}

/* Of two one may give the other time, three times, and no more at once than a
 * turn takes. */
Test(clocks, gift)
{
    play_at(60, 30, 0, "mild");
    json_int_t due = number(0, "due");
    REASON(test_client_ask(&d, bert, "table.give", "{s:s,s:i}", "table", table,
                           "seconds", 91),
           "given_enough");
    REASON(test_client_ask(&d, carl, "table.give", "{s:s,s:i}", "table", table,
                           "seconds", 90),
           "not_seated");
    for (int i = 1; i <= 3; i++) {
        FINE(test_client_ask(&d, bert, "table.give", "{s:s,s:i}", "table",
                             table, "seconds", 90));
        cr_assert_eq(number(0, "due"), due + i * 90 * SECOND);
    }
    REASON(test_client_ask(&d, bert, "table.give", "{s:s,s:i}", "table", table,
                           "seconds", 1),
           "given_enough");
    verified();
}

/* The operator sees who is late next, gives time and pauses; not where there are
 * no clocks. */
Test(clocks, operator)
{
    peer_id admin = test_client_admin(&d);
    char first[16];

    play_at(60, 0, 0, "mild");
    json_int_t due = number(0, "due");
    memcpy(first, table, sizeof(first));
    play_at(30, 0, 0, "mild");
    json_t *late = test_client_ask(&d, admin, "admin.late", NULL);
    const json_t *rows = test_client_member(late, "tables");
    cr_assert_eq(test_client_number(late, "count"), 2);
    cr_assert_str_eq(json_string_value(
                         json_object_get(json_array_get(rows, 1), "table")),
                     first);
    cr_assert_eq(json_integer_value(
                     json_object_get(json_array_get(rows, 1), "due")),
                 due);
    due = number(0, "due");
    FINE(test_client_ask(&d, admin, "admin.extend", "{s:s,s:i,s:i}", "table",
                         table, "seat", 0, "seconds", 100));
    cr_assert_eq(number(0, "due"), due + 100 * SECOND);
    REASON(test_client_ask(&d, admin, "admin.pause", "{s:s,s:n}", "table",
                           table, "until"),
           "invalid_params");
    json_int_t until = d.world.now_ms + MINUTE;
    FINE(test_client_ask(&d, admin, "admin.pause", "{s:s,s:I}", "table", table,
                         "until", until));
    cr_assert_gt(number(0, "due"), due + 100 * SECOND);
    cr_assert_eq(json_integer_value(json_object_get(view(anna), "paused")),
                 until);
    FINE(test_client_ask(&d, admin, "admin.pause", "{s:s,s:n}", "table", table,
                         "until"));
    cr_assert(json_is_null(json_object_get(view(anna), "paused")));
    verified();
    FINE(test_client_create(&d, anna, NULL, table));
    REASON(test_client_ask(&d, admin, "admin.extend", "{s:s,s:i,s:i}", "table",
                           table, "seat", 0, "seconds", 100),
           "no_pace");
}

/* When nobody comes any more the table ends. */
Test(clocks, nobody)
{
    play_at(0, 60, 0, "open");
    FINE(move(anna));
    FINE(move(bert));
    pass(10 * MINUTE);
    cr_assert_str_eq(reason(), "abandoned");
    verified();
}

/* An outage that the server knows of is credited, and told by the next ply. */
Test(clocks, outage)
{
    play_at(60, 0, 0, "mild");
    FINE(move(anna));
    FINE(move(bert));
    json_int_t due = number(0, "due");
    pass(10 * SECOND);
    int64_t at = d.world.now_ms;
    d.world.now_ms += 3 * MINUTE;
    hub_stood_still(d.world.hub, at, d.world.now_ms);
    pass(2 * MINUTE);
    cr_assert_eq(number(0, "missed"), 0);
    cr_assert_eq(number(0, "due"), due, "no ply has told it");
    FINE(move(anna));
    verified();
    pass(63 * SECOND);
    cr_assert_eq(number(1, "missed"), 1);
    verified();
}

/* Somebody who is here again, as the process has begun anew. */
static peer_id come(const char *name)
{
    peer_id p = test_client_come(&d, 0);

    FINE(test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name", name,
                         "password", "password"));
    return p;
}

/* A server that is away for a night, be it off, asleep or stuck, times nobody
 * out: in the morning there is what was left, and an hour to find back. */
Test(clocks, a_night)
{
    play_at(600, 0, 0, "mild");
    FINE(move(anna));
    FINE(move(bert));
    for (int how = 0; how < 2; how++) {
        pass(5 * MINUTE);
        int64_t at = d.world.now_ms;
        d.world.now_ms += 6 * 60 * MINUTE;
        if (how == 0)
            hub_stood_still(d.world.hub, at, d.world.now_ms);
        else
            world_crash(&d.world);
        test_client_settle(&d);
        if (how == 1) {
            anna = come("anna");
            bert = come("bert");
        }
        cr_assert_eq(number(0, "missed"), 0);
        pass(35 * MINUTE);
        FINE(move(anna));
        FINE(move(bert));
        verified();
    }
}

/* A process that dies forgets no deadline, and decides none twice. */
Test(clocks, restart)
{
    play_at(60, 0, 0, "mild");
    FINE(move(anna));
    FINE(move(bert));
    test_client_settle(&d);
    world_crash(&d.world);
    pass(2 * MINUTE + 63 * SECOND);
    anna = come("anna");
    cr_assert_eq(number(0, "missed"), 1);
    verified();
}

/* Whoever looks back, or was away, sees the clocks as they were. */
Test(clocks, history)
{
    play_at(60, 60, 0, "mild");
    for (int i = 0; i < 2; i++) {
        pass(5 * SECOND);
        FINE(move(anna));
        pass(5 * SECOND);
        FINE(move(bert));
    }
    json_t *before = json_deep_copy(view(carl));
    json_int_t ply = json_integer_value(json_object_get(before, "ply"));
    pass(5 * SECOND);
    FINE(move(anna));
    pass(125 * SECOND);
    json_t *then = test_client_ask(&d, carl, "table.at", "{s:s,s:I}", "table",
                                   table, "ply", ply);
    cr_assert(json_equal(test_client_member(then, "view"), before));
    json_decref(before);
}

/* ---- a record that is kept -------------------------------------------------- */

static void said(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

/* The server says E of the table by itself. */
static void say(const struct entry *e)
{
    struct hub *hub = d.world.hub;
    id_num id = 0;

    FINE(test_client_ask(&d, anna, "table.get", "{s:s}", "table", table));
    (void)id_read(table, &id);
    struct table *t = table_find(hub, id);
    cr_assert(t != NULL && t->busy == 0);
    struct change *c = change_begin(hub, job_new(hub), t);
    change_add(c, e);
    change_submit(c, said);
    test_client_settle(&d);
}

/* A vote that anna opens, and bert agrees to. */
static void agree(const char *about, int64_t until)
{
    json_t *params = json_pack("{s:s,s:s}", "table", table, "about", about);

    if (until != 0)
        json_object_set_new(params, "until", json_integer(until));
    json_t *vote = test_client_ask_json(&d, anna, "table.propose", params);
    FINE(vote);
    FINE(test_client_ask(&d, bert, "table.vote", "{s:s,s:O,s:b}", "table",
                         table, "vote", test_client_member(vote, "ply"), "yes",
                         1));
}

/* A game in which everything that concerns clocks happens once. */
static void eventful_game(void)
{
    const struct clock_hours office = {
        {9 * 60, 17 * 60, 0x7f},
        {2, {{0, 3600}, {d.world.now_ms + 5 * MINUTE, 7200}}},
    };

    play(json_pack("{s:{s:i,s:i,s:i,s:i},s:{s:i,s:s},s:b,s:b}", "pace", "free",
                   60, "bank", 30, "add", 5, "cap", 40, "misses", "excused", 1,
                   "then", "mild", "hours", 1, "absence", 1));
    say(&(
        struct entry){.kind = ENTRY_HOURS, .seat = 1, .more.hours = &office});
    pass(95 * SECOND); /* excused */
    say(&(struct entry){.kind = ENTRY_PAUSE,
                        .seat = ENTRY_NOBODY,
                        .more.until = d.world.now_ms + MINUTE});
    pass(20 * SECOND);
    say(&(struct entry){.kind = ENTRY_RESUME, .seat = ENTRY_NOBODY});
    FINE(move(anna));
    pass(5 * SECOND);
    json_int_t ply = json_integer_value(json_object_get(view(anna), "undo"));
    FINE(test_client_ask(&d, anna, "table.undo", "{s:s,s:I}", "table", table,
                         "ply", ply));
    int64_t at = d.world.now_ms;
    d.world.now_ms += MINUTE;
    hub_stood_still(d.world.hub, at, d.world.now_ms);
    pass(2 * MINUTE + 5 * SECOND);
    FINE(move(anna));
    say(&(struct entry){.kind = ENTRY_ABSENT,
                        .seat = 1,
                        .more.from = d.world.now_ms - SECOND,
                        .more.until = d.world.now_ms + MINUTE});
    pass(10 * SECOND);
    say(&(struct entry){.kind = ENTRY_BACK, .seat = 1});
    say(&(struct entry){
        .kind = ENTRY_GIVE, .seat = 0, .more.to = 1, .more.seconds = 30});
    FINE(move(bert));
    pass(100 * SECOND); /* missed */
    FINE(move(bert));
    agree("pause", d.world.now_ms + MINUTE);
    agree("resume", 0);
    agree("take_back", 0);
    FINE(move(bert));
    say(&(struct entry){.kind = ENTRY_REPLACED,
                        .seat = 1,
                        .u.account = 77,
                        .more.why = WHY_OPERATOR});
    verified();
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table));
}

/* tests/golden/clocks.record, which the page verifies, too (tests/core/
 * test_clocks.mjs), is true for ever; GOLDEN=write makes another one. */
Test(clocks, record)
{
    static const char path[] = "tests/golden/clocks.record";
    char why[400];
    size_t pages, len = 0;
    char *kept = NULL;

    eventful_game();
    char *text = test_client_record(&d, anna, table, &pages);
    cr_assert(test_client_verify(text, why, sizeof(why)), "%s", why);
    if (getenv("GOLDEN") != NULL) {
        FILE *f = fopen(path, "w");
        cr_assert(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
    }
    FILE *f = fopen(path, "r");
    cr_assert_not_null(f);
    cr_assert(getdelim(&kept, &len, '\0', f) > 0);
    fclose(f);
    cr_assert(test_client_verify(kept, why, sizeof(why)), "%s", why);
    free(kept);
    free(text);
}

/* The first of LIST whose MEMBER is WORD; NULL if there is none. */
static const json_t *find(const json_t *list, const char *member,
                          const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *is = json_string_value(json_object_get(one, member));
        if (is != NULL && strcmp(is, word) == 0)
            return one;
    }
    return NULL;
}

static const char *word(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

/* Who watches is told of a miss, what it brings, and which moves are not their
 * players' own; who comes later finds the same in the log. */
Test(clocks, told)
{
    play_at(60, 0, 0, "mild");
    FINE(move(anna));
    FINE(move(bert));
    FINE(test_client_ask(&d, bert, "table.watch", "{s:s}", "table", table));
    pass(70 * SECOND);
    json_t *heard = test_client_heard(&d, bert, "table.update", NULL);
    const json_t *events = json_object_get(heard, "events");
    cr_assert_str_eq(word(find(events, "kind", "missed"), "then"), "mild");
    const json_t *made = find(events, "kind", "made");
    cr_assert_str_eq(word(made, "for"), "mild");
    cr_assert_eq(json_integer_value(json_object_get(made, "seat")), 0);

    json_t *log = test_client_ask(&d, bert, "table.replay", "{s:s}", "table",
                                  table);
    const json_t *plies = test_client_member(log, "plies");
    cr_assert_str_eq(word(find(plies, "kind", "miss"), "then"), "mild");
    cr_assert_not_null(find(plies, "for", "mild"));
}
