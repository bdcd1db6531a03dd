/* test_memory.c -- which tables stay in memory when there is no room for all,
 * and how long. */

#include <criterion/criterion.h>
#include <stdio.h>

#include "server/hub/inner.h"
#include "tests/support/long_game.h"
#include "tests/support/test_client.h"

enum { TABLES = 6 };

static struct test_client d;
static peer_id anna, bert;
static char table[TABLES][16];

static void allow(size_t bytes)
{
    d.world.config.tables_bytes = bytes;
    d.world.config.idle_table_ms = INT64_C(600000);
    hub_configure(d.world.hub, &d.world.config);
}

static void touch(int i)
{
    d.world.now_ms += 100;
    FINE(test_client_ask(&d, anna, "table.get", "{s:s}", "table", table[i]));
}

static void begin(void)
{
    test_client_open(&d, 60);
    allow(0);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    for (int i = 0; i < TABLES; i++) {
        FINE(test_client_create(&d, anna, NULL, table[i]));
        FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table",
                             table[i]));
    }
    for (int i = 0; i < TABLES; i++)
        touch(i);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(memory, .init = begin, .fini = end, .timeout = 600);

static struct table *there(int i)
{
    id_num id;
    bool is_id = id_read(table[i], &id);

    cr_assert(is_id);
    return table_find(d.world.hub, id);
}

static size_t taken(void)
{
    struct hub_counts counts;

    hub_counts(d.world.hub, &counts);
    return counts.tables_bytes;
}

/* Those that are over go first, then those that were used longest ago, and who
 * is watched stays; what is told of them all is what they take. */
Test(memory, order)
{
    static const int order[] = {4, 0, 1, 5};

    FINE(test_client_ask(&d, bert, "table.watch", "{s:s}", "table", table[3]));
    FINE(
        test_client_ask(&d, bert, "table.resign", "{s:s}", "table", table[4]));
    touch(2);
    touch(5); /* now 0 and 1 are older than 2 and 5, and 4 is over */
    touch(2);
    for (size_t gone = 0; gone < COUNT_OF(order); gone++) {
        for (size_t i = 0; i < COUNT_OF(order); i++)
            cr_assert_eq(there(order[i]) == NULL, i < gone, "%zu %zu", i,
                         gone);
        allow(taken() - 1);
        test_client_settle(&d);
        hub_work(d.world.hub, d.world.now_ms);
    }
    cr_assert_not_null(there(2));
    allow(1);
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert_null(there(2));
    cr_assert_not_null(there(3)); /* it is watched */
    cr_assert_eq(taken(), there(3)->bytes);
    touch(0);
    cr_assert_not_null(there(0));
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert_null(there(0));
}

/* How often bert has heard METHOD. */
static size_t heard(const char *method)
{
    size_t count;

    (void)test_client_heard(&d, bert, method, &count);
    return count;
}

/* One that is over and watched leaves hardly anything in memory where there is no
 * room.  Who watches it hears what is said there all the same. */
Test(memory, asleep)
{
    FINE(test_client_ask(&d, bert, "table.watch", "{s:s}", "table", table[0]));
    FINE(
        test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table[0]));
    const json_t *before = test_client_view(&d, anna, table[0]);
    test_client_settle(&d);
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert(!there(0)->sleeps);
    size_t awake = there(0)->bytes;
    allow(1);
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert(there(0)->sleeps);
    cr_assert_eq(taken(), there(0)->bytes);
    cr_assert_lt(2 * there(0)->bytes, awake);
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert(there(0)->sleeps);
    cr_assert_eq(there(0)->watcher_count, 1);

    size_t before_chat = heard("table.chat");
    FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table",
                         table[0], "text", "good game"));
    test_client_settle(&d);
    cr_assert_eq(heard("table.chat"), before_chat + 1);
    cr_assert(json_equal(before, test_client_view(&d, anna, table[0])));
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert(there(0)->sleeps);
    FINE(test_client_ask(&d, bert, "table.unwatch", "{s:s}", "table",
                         table[0]));
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert_null(there(0));
    cr_assert_eq(taken(), 0);
}

/* Its watchers leave without a word, and one of them while it is asleep. */
Test(memory, left_asleep)
{
    FINE(test_client_ask(&d, bert, "table.watch", "{s:s}", "table", table[0]));
    FINE(
        test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table[0]));
    test_client_settle(&d);
    allow(1);
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert(there(0)->sleeps);
    hub_close(d.world.hub, bert, d.world.now_ms);
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert_null(there(0));
    cr_assert_eq(taken(), 0);
}

/* Who looks back at it keeps it there until that is answered, however little
 * room there is. */
Test(memory, looked_at)
{
    size_t loads = d.world.loads;

    d.world.config.turn_effort = 50;
    allow(1);
    FINE(
        test_client_ask(&d, anna, "table.replay", "{s:s}", "table", table[1]));
    cr_assert_eq(d.world.loads, loads);
    test_client_settle(&d);
    hub_work(d.world.hub, d.world.now_ms);
    cr_assert_null(there(1));
}

/* One that is over goes soon after the last look, another after ten minutes. */
Test(memory, in_time)
{
    FINE(
        test_client_ask(&d, bert, "table.resign", "{s:s}", "table", table[4]));
    touch(0);
    touch(4);
    test_client_wait(&d, 9000);
    cr_assert_not_null(there(4));
    touch(4);
    test_client_wait(&d, 9000);
    cr_assert_not_null(there(4)); /* who looks back asks again and again */
    test_client_wait(&d, 2000);
    cr_assert_null(there(4));
    cr_assert_not_null(there(0));
    test_client_wait(&d, 500000);
    cr_assert_not_null(there(0));
    test_client_wait(&d, 100000);
    cr_assert_null(there(0));
    cr_assert_eq(taken(), 0);
}

/* Those that many waited to have loaded, who have gone since, are forgotten a
 * few in each turn of the loop; and whoever is still there does not miss
 * theirs. */
Test(memory, unwanted)
{
    enum { OTHERS = 60 };
    struct hub *hub = d.world.hub;
    char other[OTHERS][16];
    int ids[TABLES];
    size_t at = 0;
    struct table *t;

    for (int i = 0; i < OTHERS; i++) {
        json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i}",
                                       "game", "tictactoe", "seats", 2);
        FINE(made);
        snprintf(other[i], sizeof(other[i]), "%s",
                 test_client_text(made, "table"));
    }
    test_client_settle(&d);
    while ((t = map_next(&hub->tables, &at)) != NULL) {
        table_forget(hub, t, ERR_NONE);
        at = 0;
    }
    peer_id some = test_client_come(&d, 0), many = test_client_come(&d, 0);
    for (int i = 0; i < OTHERS; i++)
        test_client_send(&d, i < LIMIT_LOADS ? some : many, "table.get",
                         json_pack("{s:s}", "table", other[i]));
    for (int i = 0; i < TABLES; i++)
        ids[i] = test_client_send(&d, anna, "table.get",
                                  json_pack("{s:s}", "table", table[i]));
    size_t waiting = hub->loads.count;
    cr_assert_eq(waiting, OTHERS - LIMIT_LOADS + TABLES);
    hub_close(hub, some, d.world.now_ms);
    hub_close(hub, many, d.world.now_ms);
    d.world.config.turn_effort = 100;
    allow(0);
    while (!hub_idle(hub)) {
        cr_assert(world_step(&d.world));
        cr_assert_leq(waiting - hub->loads.count, 10);
        waiting = hub->loads.count;
    }
    for (int i = 0; i < TABLES; i++)
        FINE(test_client_answer(&d, ids[i]));
    cr_assert_eq(hub->tables.count, TABLES);
}

/* A game of Hacienda of 400 plies, all of them by five who play on, takes no
 * more than 20 kB: as it was played, and loaded again, when somebody has looked
 * back into it, too. */
Test(memory, hacienda_of_400_plies)
{
    enum { SEATS = 5, PLIES = 400, MOST = 20000 };
    peer_id peers[SEATS] = {anna, bert, test_client_user(&d, "carl"),
                            test_client_user(&d, "dora"),
                            test_client_user(&d, "emil")};

    long_game_start(&d, "hacienda", 0, peers, SEATS, table[0]);
    cr_assert_geq(long_game_play(&d, table[0], PLIES), PLIES);
    touch(0);
    cr_assert_eq(there(0)->state, TABLE_PLAYING);
    cr_assert_leq(there(0)->bytes, MOST, "played: %zu", there(0)->bytes);
    table_forget(d.world.hub, there(0), ERR_NONE);
    touch(0);
    cr_assert_geq(there(0)->log.count, PLIES);
    cr_assert_leq(there(0)->bytes, MOST, "loaded: %zu", there(0)->bytes);
    for (int ply = 3; ply < PLIES; ply += 31)
        FINE(test_client_ask(&d, anna, "table.at", "{s:s,s:i}", "table",
                             table[0], "ply", ply));
    cr_assert_leq(there(0)->bytes, MOST, "looked at: %zu", there(0)->bytes);
}
