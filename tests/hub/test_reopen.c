/* test_reopen.c -- a game to which somebody never came: those who did find
 * themselves at a new table, whatever happens meanwhile. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/inner.h"
#include "tests/support/games/toys.h"
#include "tests/support/test_client.h"

extern const struct rules hacienda_rules, tictactoe_rules;

const struct rules *const rules_all[] = {&hacienda_rules, &tictactoe_rules,
                                         &roshambo_rules, NULL};

THREE_CLIENTS(reopen, 9);

#define SECOND INT64_C(1000)

static char table[16];

/* Anna makes a table of GAME for SEATS with MORE besides, at which nobody is
 * excused; Bert sits down there, and of three Carl. */
static void play(const char *game, int seats, json_t *more)
{
    json_t *all = json_pack("{s:s,s:i,s:s,s:{s:i},s:{s:i,s:s}}", "game", game,
                            "seats", seats, "start", "full", "pace", "free",
                            60, "misses", "excused", 0, "then", "mild");
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

/* What P's list shows of the one table there that is open, or NULL. */
static json_t *open_one(peer_id p)
{
    json_t *list = test_client_member(test_client_ask(&d, p, "me.tables",
                                                      "{s:s}", "state",
                                                      "open"),
                                      "tables");
    cr_assert_leq(json_array_size(list), 1);
    return json_array_get(list, 0);
}

static const char *text(const json_t *object, const char *name)
{
    const char *is = json_string_value(json_object_get(object, name));
    return is != NULL ? is : "";
}

/* Who sits there, "bert-" with a free seat. */
static const char *sitting(const json_t *one)
{
    static char names[200];
    const json_t *seats = json_object_get(one, "seats");

    names[0] = '\0';
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const char *name = text(json_array_get(seats, i), "name");
        strcat(names, name[0] != '\0' ? name : "-");
    }
    return names;
}

/* How many tables the disk has of STATE. */
static size_t count(enum table_state state)
{
    size_t n = 0;

    for (size_t i = 0; i < d.world.disk.table_count; i++)
        n += d.world.disk.tables[i]->row.summary.state == state;
    return n;
}

/* P moves, if it is their turn. */
static void move_if_waited_for(peer_id p)
{
    json_t *answer = test_client_ask(&d, p, "table.legal", "{s:s}", "table",
                                     table);

    if (json_array_size(
            json_object_get(json_object_get(answer, "result"), "moves")) > 0)
        FINE(test_client_move(&d, p, table));
}

/* Both tables tell of each other, and who asks to play the OLD one again is told of
 * the NEW one. */
static void linked(const char *old, const char *new)
{
    json_t *was = test_client_ask(&d, bert, "table.get", "{s:s}", "table",
                                  old);
    json_t *is = test_client_ask(&d, anna, "table.get", "{s:s}", "table", new);
    json_t *again = test_client_ask(&d, anna, "table.rematch", "{s:s}",
                                    "table", old);

    cr_assert_str_eq(text(test_client_member(was, "table"), "again_at"), new);
    cr_assert_str_eq(text(test_client_member(was, "table"), "again_of"), "");
    cr_assert_str_eq(text(test_client_member(is, "table"), "again_of"), old);
    cr_assert_str_eq(text(test_client_member(is, "table"), "again_at"), "");
    FINE(again);
    cr_assert_str_eq(test_client_text(again, "table"), new);
    cr_assert(json_is_false(test_client_member(again, "made")));
}

/* Where a rematch came to nothing and was opened again, who asks for it is told of
 * that table, and makes no other. */
Test(reopen, of_a_rematch)
{
    char first[16];

    play("tictactoe", 2, NULL);
    snprintf(first, sizeof(first), "%s", table);
    FINE(test_client_move(&d, anna, table));
    FINE(test_client_ask(&d, bert, "table.resign", "{s:s}", "table", table));
    json_t *again = test_client_ask(&d, anna, "table.rematch", "{s:s}",
                                    "table", first);
    FINE(again);
    snprintf(table, sizeof(table), "%s", test_client_text(again, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    test_client_wait(&d, 63 * SECOND);
    cr_assert(count(TABLE_ABANDONED) == 1 && count(TABLE_OPEN) == 1);
    again = test_client_ask(&d, bert, "table.rematch", "{s:s}", "table",
                            first);
    FINE(again);
    cr_assert(json_is_false(test_client_member(again, "made")));
    cr_assert_str_eq(test_client_text(again, "table"),
                     text(open_one(anna), "table"));
    cr_assert_eq(count(TABLE_OPEN), 1);
}

/* Of two who came sits at a new table of the same settings, hears of it, and plays
 * there with whoever comes, be it who had not come; that game's record is true. */
Test(reopen, same_settings)
{
    char why[200], old[16];

    play("tictactoe", 2, NULL);
    snprintf(old, sizeof(old), "%s", table);
    FINE(test_client_ask(&d, bert, "me.watch", NULL));
    test_client_wait(&d, 63 * SECOND);
    cr_assert(count(TABLE_ABANDONED) == 1 && count(TABLE_OPEN) == 1);
    json_t *one = open_one(bert);
    cr_assert_str_eq(sitting(one), "bert-");
    cr_assert_str_neq(text(one, "table"), old);
    cr_assert_eq(json_integer_value(
                     json_object_get(json_object_get(one, "pace"), "free")),
                 60);
    cr_assert_str_eq(text(json_object_get(one, "misses"), "then"), "mild");
    linked(old, text(one, "table"));
    json_t *heard = test_client_heard(&d, bert, "me.event", NULL);
    cr_assert_str_eq(text(heard, "kind"), "seated");
    cr_assert_str_eq(text(heard, "table"), text(one, "table"));

    one = open_one(anna);
    cr_assert(json_is_null(json_object_get(one, "you")), "she is invited");
    snprintf(table, sizeof(table), "%s", text(one, "table"));
    FINE(test_client_ask(&d, anna, "table.join", "{s:s}", "table", table));
    FINE(test_client_move(&d, bert, table));
    FINE(test_client_move(&d, anna, table));
    cr_assert(test_client_judge(&d, table, why, sizeof(why)), "%s", why);
    cr_assert(test_client_judge(&d, old, why, sizeof(why)), "%s", why);
}

/* Whose the table was keeps it, if they came; all others sit there, too, and a
 * private one lets in who had not come. */
Test(reopen, of_three)
{
    play("hacienda", 3,
         json_pack("{s:b,s:[s,s]}", "private", true, "invite", "bert",
                   "carl"));
    while (count(TABLE_PLAYING) > 0) {
        move_if_waited_for(anna);
        move_if_waited_for(carl);
        test_client_wait(&d, 2 * SECOND);
    }
    cr_assert_eq(count(TABLE_ABANDONED), 1);
    json_t *one = open_one(anna);
    cr_assert_str_eq(sitting(one), "annacarl-");
    snprintf(table, sizeof(table), "%s", text(one, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    cr_assert_eq(count(TABLE_PLAYING), 1);
}

/* Where nobody came there is no new table, nor where a later turn was missed. */
Test(reopen, nobody)
{
    play("roshambo", 2, NULL);
    test_client_wait(&d, 63 * SECOND);
    cr_assert(count(TABLE_ABANDONED) == 1 && count(TABLE_OPEN) == 0);
    play("tictactoe", 2,
         json_pack("{s:{s:i,s:s}}", "misses", "excused", 0, "then", "end"));
    FINE(test_client_move(&d, anna, table));
    FINE(test_client_move(&d, bert, table));
    test_client_wait(&d, 63 * SECOND);
    cr_assert(count(TABLE_FINISHED) == 1 && count(TABLE_OPEN) == 0);
}

/* Who had resigned is neither seated nor asked to come. */
Test(reopen, who_resigned)
{
    play("hacienda", 3, NULL);
    FINE(test_client_ask(&d, carl, "table.resign", "{s:s}", "table", table));
    test_client_wait(&d, 63 * SECOND);
    cr_assert(count(TABLE_ABANDONED) == 1 && count(TABLE_OPEN) == 1);
    const struct disk_table *one = NULL;
    for (size_t i = 0; i < d.world.disk.table_count; i++)
        if (d.world.disk.tables[i]->row.summary.state == TABLE_OPEN)
            one = d.world.disk.tables[i];
    cr_assert_not_null(one);
    int came = 0;
    for (int seat = 0; seat < 3; seat++)
        came += one->row.summary.seat[seat] != 0;
    cr_assert_eq(came, 1);
    cr_assert_null(open_one(carl));
}

/* A fork is not opened again: its position is for the seats as they were, and who
 * closes up would know what they saw in their own. */
Test(reopen, no_fork)
{
    play("tictactoe", 2, NULL);
    FINE(test_client_move(&d, anna, table));
    json_t *answer = test_client_ask(&d, anna, "table.fork",
                                     "{s:s,s:[s],s:{s:i},s:{s:i,s:s}}",
                                     "table", table, "invite", "carl", "pace",
                                     "free", 60, "misses", "excused", 0,
                                     "then", "mild");
    FINE(answer);
    const char *fork = test_client_text(answer, "table");
    FINE(test_client_ask(&d, carl, "table.join", "{s:s}", "table", fork));
    FINE(test_client_move(&d, bert, table));
    test_client_wait(&d, 63 * SECOND);
    cr_assert_geq(count(TABLE_ABANDONED), 1);
    cr_assert_null(open_one(carl));
    cr_assert_null(open_one(anna));
}

/* Of a table that could not be stored nothing is looked for. */
Test(reopen, never_stored)
{
    d.world.fail_per_1000 = 1000;
    json_t *answer = test_client_ask(&d, anna, "table.create",
                                     "{s:s,s:i,s:{s:i}}", "game", "tictactoe",
                                     "seats", 2, "pace", "free", 60);
    cr_assert_str_neq(test_client_reason(answer), "");
    d.world.fail_per_1000 = 0;
    test_client_wait(&d, 60 * SECOND);
    cr_assert_eq(d.world.hub->deadlines.tables.count, 0);
}

/* Whenever the process dies, and whatever the disk loses: in the end the game has
 * come to nothing and there is one new table, with its seat taken. */
Test(reopen, once)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        test_client_close(&d);
        test_client_open(&d, seed);
        anna = test_client_user(&d, "anna");
        bert = test_client_user(&d, "bert");
        play("tictactoe", 2, NULL);
        test_client_settle(&d);
        d.world.fail_per_1000 = d.world.deaf_per_1000 = seed % 2 * 200;
        d.world.limbo_per_1000 = 500;
        d.world.now_ms += 62 * SECOND;
        hub_tick(d.world.hub, d.world.now_ms);
        for (uint32_t k = world_dice(&d.world, 12); k > 0; k--)
            world_step(&d.world);
        if (seed % 4 < 3) {
            world_crash(&d.world);
            hub_tick(d.world.hub, d.world.now_ms);
        }
        d.world.fail_per_1000 = d.world.deaf_per_1000 = 0;
        for (int i = 0; i < 100; i++)
            test_client_wait(&d, 10 * SECOND);
        cr_assert_eq(count(TABLE_ABANDONED), 1, "seed %d", (int)seed);
        cr_assert_eq(count(TABLE_OPEN), 1, "seed %d", (int)seed);
        bert = test_client_come(&d, 0);
        FINE(test_client_ask(&d, bert, "session.login", "{s:s,s:s}", "name",
                             "bert", "password", "password"));
        cr_assert_str_eq(sitting(open_one(bert)), "bert-");
        cr_assert_eq(d.world.hub->deadlines.tables.count, 0,
                     "nothing is looked at that is not there");
    }
}
