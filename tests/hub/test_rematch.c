/* test_rematch.c -- games that are played again by those who played them: who is
 * asked, where they sit, and that there is one such table, whatever happens. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/inner.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(rematch, 11);

static char from[16], table[16];

/* Anna's table of GAME with MORE, where BERT and, of three, Carl sit down; it
 * becomes FROM. */
static void play(const char *game, int seats, json_t *more)
{
    json_t *all = json_pack("{s:s,s:i}", "game", game, "seats", seats);

    if (more != NULL)
        json_object_update(all, more);
    json_decref(more);
    json_t *answer = test_client_ask_json(&d, anna, "table.create", all);
    FINE(answer);
    snprintf(from, sizeof(from), "%s", test_client_text(answer, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", from));
    if (seats > 2)
        FINE(test_client_ask(&d, carl, "table.join", "{s:s}", "table", from));
}

static void resign(peer_id p)
{
    FINE(test_client_ask(&d, p, "table.resign", "{s:s}", "table", from));
}

/* P's rematch of FROM, which becomes TABLE; whether P made it. */
static bool again(peer_id p)
{
    json_t *answer = test_client_ask(&d, p, "table.rematch", "{s:s}", "table",
                                     from);
    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
    return json_is_true(test_client_member(answer, "made"));
}

static const char *refused(peer_id p)
{
    return test_client_reason(
        test_client_ask(&d, p, "table.rematch", "{s:s}", "table", from));
}

/* P joins TABLE without wishing for a seat; which one they get. */
static int64_t join(peer_id p)
{
    json_t *answer = test_client_ask(&d, p, "table.join", "{s:s}", "table",
                                     table);
    FINE(answer);
    return test_client_number(answer, "seat");
}

static json_t *get(peer_id p, const char *member)
{
    json_t *answer = test_client_ask(&d, p, "table.get", "{s:s}", "table",
                                     table);
    FINE(answer);
    return json_object_get(test_client_member(answer, "table"), member);
}

static bool is_state(const char *state)
{
    return strcmp(json_string_value(get(anna, "state")), state) == 0;
}

static void log_in(peer_id *p, const char *name)
{
    *p = test_client_come(&d, 0);
    FINE(test_client_ask(&d, *p, "session.login", "{s:s,s:s}", "name", name,
                         "password", "password"));
}

/* Of two who was second begins; the settings are the same, chance is another, and
 * the record of each game is true.  The other one is told, and finds the table
 * by the same click. */
Test(rematch, of_two)
{
    char why[300];

    play("tictactoe", 2,
         json_pack("{s:b,s:{s:i},s:b,s:[s]}", "private", true, "pace", "free",
                   3600, "spectators", false, "invite", "bert"));
    FINE(test_client_move(&d, anna, from));
    resign(bert);
    FINE(test_client_ask(&d, bert, "me.watch", NULL));
    cr_assert(again(anna));
    cr_assert_str_neq(table, from);
    json_t *heard = test_client_heard(&d, bert, "me.event", NULL);
    cr_assert_str_eq(json_string_value(json_object_get(heard, "kind")),
                     "invited");
    cr_assert(json_is_true(get(bert, "private")));
    cr_assert(json_is_false(get(bert, "spectators")));
    cr_assert_eq(json_integer_value(
                     json_object_get(get(bert, "pace"), "free")),
                 3600);
    cr_assert(is_state("open"));
    cr_assert_not(again(bert));
    cr_assert_eq(join(bert), 0, "who was second begins");
    cr_assert(is_state("playing"));
    cr_assert_not(again(anna), "she is told of the same table");
    FINE(test_client_move(&d, bert, table));
    FINE(test_client_move(&d, anna, table));
    cr_assert(test_client_judge(&d, from, why, sizeof(why)), "%s", why);
    cr_assert(test_client_judge(&d, table, why, sizeof(why)), "%s", why);
}

/* Of more everybody has a seat kept for them, in whatever order they come, that
 * a stranger gets last; and as many play as played, not as could have. */
Test(rematch, seats_are_kept)
{
    play("hacienda", 4, json_pack("{s:s}", "start", "manual"));
    FINE(test_client_ask(&d, anna, "table.start", "{s:s}", "table", from));
    resign(carl);
    resign(bert);
    cr_assert(again(bert));
    cr_assert_eq(json_array_size(get(carl, "seats")), 3);
    world_crash(&d.world);
    log_in(&anna, "anna");
    log_in(&bert, "bert");
    log_in(&carl, "carl");
    peer_id dora = test_client_user(&d, "dora");
    cr_assert_eq(join(dora), 1, "none is kept for her, the lower for nobody");
    FINE(test_client_ask(&d, dora, "table.leave", "{s:s}", "table", table));
    cr_assert_eq(join(carl), 1);
    cr_assert_eq(join(anna), 2);
    cr_assert(is_state("playing"));
}

/* What was given up before it began does not count: there is another one. */
Test(rematch, given_up)
{
    char first[16];

    play("tictactoe", 2, NULL);
    resign(anna);
    cr_assert(again(anna));
    snprintf(first, sizeof(first), "%s", table);
    FINE(test_client_ask(&d, anna, "table.leave", "{s:s}", "table", table));
    cr_assert(again(bert));
    cr_assert_str_neq(first, table);
    cr_assert_eq(join(anna), 1);
}

/* Who makes it gives their part of the key of the draws with it, as whoever else
 * joins: the game may begin at once. */
Test(rematch, nonces)
{
    play("tictactoe", 2, NULL);
    resign(bert);
    json_t *answer = test_client_ask(&d, anna, "table.rematch", "{s:s,s:s}",
                                     "table", from, "nonce",
                                     "00112233445566778899aabbccddeeff");
    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
    json_t *nonces = get(anna, "nonces");
    cr_assert(json_is_null(json_array_get(nonces, 0)));
    cr_assert_str_eq(json_string_value(json_array_get(nonces, 1)),
                     "00112233445566778899aabbccddeeff");
}

/* A table of a rematch is played again itself, and the seats go on turning. */
Test(rematch, of_a_rematch)
{
    play("hacienda", 3, NULL);
    for (int i = 1; i <= 3; i++) {
        resign(anna);
        resign(bert);
        cr_assert(again(carl));
        join(anna);
        join(bert);
        json_t *seat = json_array_get(get(anna, "seats"),
                                      (size_t)(3 - i % 3) % 3);
        cr_assert_str_eq(json_string_value(json_object_get(seat, "name")),
                         "anna");
        snprintf(from, sizeof(from), "%s", table);
    }
}

/* Only who sat there asks, once it is over; and a fork, of which everybody knows
 * by then what the others had, is forked again. */
Test(rematch, refused)
{
    play("tictactoe", 2, NULL);
    cr_assert_str_eq(refused(anna), "not_finished");
    FINE(test_client_move(&d, anna, from));
    json_t *fork = test_client_ask(&d, anna, "table.fork", "{s:s,s:[s]}",
                                   "table", from, "invite", "bert");
    FINE(fork);
    resign(anna);
    cr_assert_str_eq(refused(carl), "not_seated");
    snprintf(from, sizeof(from), "%s", test_client_text(fork, "table"));
    cr_assert_str_eq(refused(anna), "not_finished");
    cr_assert_str_eq(refused(carl), "no_such_table");
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", from));
    resign(bert);
    cr_assert_str_eq(refused(anna), "is_a_fork");
    cr_assert_eq(d.world.disk.table_count, 2);
}

/* Who has been deleted is not asked to come; their seat is anybody's. */
Test(rematch, somebody_is_gone)
{
    play("tictactoe", 2, NULL);
    resign(anna);
    FINE(test_client_ask(&d, bert, "account.delete", "{s:s}", "password",
                         "password"));
    cr_assert(again(anna));
    cr_assert_eq(json_array_size(get(anna, "invited")), 0);
    cr_assert_eq(join(carl), 0);
}

/* Who has as many tables as one may gets no more. */
Test(rematch, limited)
{
    play("tictactoe", 2, NULL);
    resign(anna);
    for (int i = 0; i < LIMIT_TABLES; i++) {
        FINE(test_client_create(&d, anna, NULL, table));
        test_client_wait(&d, 1000);
    }
    cr_assert_str_eq(refused(anna), "too_many_tables");
    cr_assert(again(bert));
}

/* Two who ask at once, whenever the process dies and whatever the disk loses, are
 * told of one table. */
Test(rematch, once)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        char first[16];
        test_client_close(&d);
        test_client_open(&d, seed);
        anna = test_client_user(&d, "anna");
        bert = test_client_user(&d, "bert");
        play("tictactoe", 2, NULL);
        resign(bert);
        test_client_send(&d, anna, "table.rematch",
                         json_pack("{s:s}", "table", from));
        test_client_send(&d, bert, "table.rematch",
                         json_pack("{s:s}", "table", from));
        for (uint64_t i = 0; i < seed; i++)
            world_step(&d.world);
        world_crash(&d.world);
        log_in(&anna, "anna");
        log_in(&bert, "bert");
        (void)again(anna);
        snprintf(first, sizeof(first), "%s", table);
        cr_assert_not(again(bert));
        cr_assert_str_eq(first, table);
        cr_assert_eq(d.world.disk.table_count, 2);
    }
}
