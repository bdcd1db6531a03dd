/* test_fork.c -- forks: new tables that begin where others are, or were. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/inner.h"
#include "tests/support/long_game.h"

THREE_CLIENTS(fork, 5);

static char from[16], table[16];

/* Anna's and Bert's game, with about PLIES entries. */
static void play(const char *game, size_t plies)
{
    peer_id peers[] = {anna, bert};

    long_game_start(&d, game, 0, peers, 2, from);
    long_game_play(&d, from, plies);
}

/* P's table.fork of the table FROM, with MORE, which becomes its own. */
static json_t *make(peer_id p, json_t *more)
{
    json_t *params = json_pack("{s:s}", "table", from);

    if (more != NULL)
        json_object_update(params, more);
    json_decref(more);
    json_t *answer = test_client_ask_json(&d, p, "table.fork", params);
    if (test_client_reason(answer)[0] == '\0')
        snprintf(table, sizeof(table), "%s",
                 test_client_text(answer, "table"));
    return answer;
}

static json_t *get(peer_id p, const char *which, const char *member)
{
    json_t *answer = test_client_ask(&d, p, "table.get", "{s:s}", "table",
                                     which);
    FINE(answer);
    return json_object_get(test_client_member(answer, "table"), member);
}

/* What P sees of WHICH: a member of the view. */
static json_t *seen(peer_id p, const char *which, const char *member)
{
    return json_object_get(test_client_view(&d, p, which), member);
}

static int64_t last_of(const char *which)
{
    return json_integer_value(get(anna, which, "ply"));
}

/* What P saw of the table FROM at PLY; AS, or by themselves. */
static json_t *was(peer_id p, int64_t ply, const char *as)
{
    json_t *params = json_pack("{s:s,s:I}", "table", from, "ply",
                               (json_int_t)ply);

    if (as != NULL)
        json_object_set_new(params, "as", json_string(as));
    json_t *answer = test_client_ask_json(&d, p, "table.at", params);
    FINE(answer);
    return json_object_get(test_client_member(answer, "view"), "game_state");
}

static void join(peer_id p)
{
    FINE(test_client_ask(&d, p, "table.join", "{s:s}", "table", table));
}

/* Of a game that goes on one plays on from what one sees: it is seen alike in
 * the fork, whatever was guessed of the rest, and the others are who is
 * asked to come. */
Test(fork, goes_on_from_ones_view)
{
    static const char *const games[] = {"hacienda", "hadara", "greement"};

    for (size_t i = 0; i < COUNT_OF(games); i++) {
        play(games[i], 40);
        int64_t last = last_of(from);
        FINE(make(bert, json_pack("{s:[s]}", "invite", "carl")));
        cr_assert(json_is_true(get(bert, table, "private")));
        cr_assert_eq(json_integer_value(
                         json_object_get(get(bert, table, "from"), "ply")),
                     last);
        REASON(test_client_ask(&d, anna, "table.get", "{s:s}", "table", table),
               "no_such_table");
        join(carl);
        cr_assert_str_eq(json_string_value(get(bert, table, "state")),
                         "playing");
        json_t *was_seen = was(bert, last, NULL);
        json_t *now_seen = seen(bert, table, "game_state");
        cr_assert(json_equal(was_seen, now_seen), "%s", games[i]);
        /* The first game does not know. */
        cr_assert_eq(last_of(from), last);
        cr_assert_null(get(anna, from, "from"));
    }
}

/* Who takes another seat than their own there sees what was guessed. */
Test(fork, another_seat)
{
    play("hacienda", 60);
    FINE(make(anna, json_pack("{s:i,s:[s]}", "seat", 1, "invite", "carl")));
    join(carl);
    cr_assert_eq(json_integer_value(seen(anna, table, "you")), 1);
    cr_assert(json_is_true(get(anna, table, "mine")));
    cr_assert(json_is_false(get(carl, table, "mine")));
    json_t *own = was(anna, last_of(from), NULL);
    cr_assert(json_equal(own, seen(carl, table, "game_state")));
    REASON(make(anna, json_pack("{s:i}", "seat", 2)), "no_such_seat");
}

/* Of a game that is over one plays on from any of its positions as it was; that
 * game is open to all, and its record true to the last draw. */
Test(fork, of_a_game_that_is_over)
{
    char why[300];
    size_t pages;

    play("hacienda", 10000);
    cr_assert_str_eq(json_string_value(get(anna, from, "state")), "finished");
    FINE(make(carl, json_pack("{s:i,s:i}", "ply", 90, "seat", 1)));
    cr_assert(json_is_false(get(anna, table, "private")));
    join(anna);
    json_t *all = was(carl, 90, "all");
    long_game_play(&d, table, 10000);
    cr_assert_str_eq(json_string_value(get(anna, table, "state")), "finished");
    json_t *first = test_client_ask(&d, carl, "table.at", "{s:s,s:i,s:s}",
                                    "table", table, "ply", 3, "as", "all");
    FINE(first);
    cr_assert(
        json_equal(all, json_object_get(test_client_member(first, "view"),
                                        "game_state")));
    char *record = test_client_record(&d, bert, table, &pages);
    cr_assert(test_client_verify(record, why, sizeof(why)), "%s", why);
    char *position = strstr(record, "\"viewer\":\"all\"");
    cr_assert_not_null(position);
    memcpy(position, "\"viewer\":  1  ", 14);
    cr_assert_not(test_client_verify(record, why, sizeof(why)));
    free(record);
}

/* Statistics are of whole games: a fork's end alone does not count. */
Test(fork, in_no_statistics)
{
    play("tictactoe", 10000);
    size_t rows = d.world.disk.statistics_count;
    cr_assert_gt(rows, 0);
    int64_t games = d.world.disk.statistics[0].row.games;
    FINE(make(carl, json_pack("{s:i,s:i}", "ply", 5, "seat", 0)));
    join(anna);
    long_game_play(&d, table, 10000);
    cr_assert_str_eq(json_string_value(get(anna, table, "state")), "finished");
    cr_assert_eq(d.world.disk.statistics[0].row.games, games);
    cr_assert_eq(d.world.disk.statistics_count, rows);
}

/* A fork is what its row and its log say, before its start and after it. */
Test(fork, loaded_again)
{
    char why[300];

    play("hadara", 60);
    FINE(make(anna, json_pack("{s:[s]}", "invite", "carl")));
    for (int i = 0; i < 2; i++) {
        world_crash(&d.world);
        const char *names[] = {"anna", "bert", "carl"};
        peer_id *peers[] = {&anna, &bert, &carl};
        for (int k = 0; k < 3; k++) {
            *peers[k] = test_client_come(&d, 0);
            FINE(test_client_ask(&d, *peers[k], "session.login", "{s:s,s:s}",
                                 "name", names[k], "password", "password"));
        }
        if (i == 0)
            join(carl);
    }
    json_t *own = was(anna, last_of(from), NULL);
    cr_assert(json_equal(own, seen(anna, table, "game_state")));
    cr_assert_not_null(get(anna, table, "from"));
    long_game_play(&d, table, 60);
    cr_assert(test_client_judge(&d, table, why, sizeof(why)), "%s", why);
}

/* A fork of a fork is one, too. */
Test(fork, of_a_fork)
{
    play("tictactoe", 5);
    FINE(make(anna, json_pack("{s:[s]}", "invite", "carl")));
    join(carl);
    FINE(test_client_move(&d, carl, table));
    json_t *now = seen(anna, table, "game_state");
    snprintf(from, sizeof(from), "%s", table);
    FINE(make(carl, json_pack("{s:[s]}", "invite", "bert")));
    cr_assert(json_equal(now, seen(carl, from, "game_state")));
    join(bert);
    cr_assert(json_equal(now, seen(bert, table, "game_state")));
}

/* The same request twice makes one fork. */
Test(fork, once)
{
    play("tictactoe", 5);
    json_t *one = make(anna, json_pack("{s:s}", "key", "k"));
    json_t *two = make(anna, json_pack("{s:s}", "key", "k"));
    FINE(one);
    cr_assert_str_eq(test_client_text(one, "table"),
                     test_client_text(two, "table"));
    cr_assert(json_is_true(test_client_member(two, "duplicate")));
}

/* Nobody goes on from where no game was, nor from what they may not see, nor with
 * fewer than there were; and nobody tries out a rated game that goes on. */
Test(fork, refused)
{
    play("tictactoe", 6);
    REASON(make(anna, json_pack("{s:i}", "ply", 2)), "before_start");
    REASON(make(anna, json_pack("{s:i}", "ply", 99)), "no_such_ply");
    REASON(make(anna, json_pack("{s:s}", "table", "nothere")),
           "no_such_table");
    REASON(make(anna, json_pack("{s:[s,s]}", "bots", "greedy", "greedy")),
           "invalid_params");
    FINE(make(anna, json_pack("{s:s}", "start", "manual")));
    REASON(test_client_ask(&d, anna, "table.start", "{s:s}", "table", table),
           "too_few_seated");
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", from));
    REASON(make(anna, NULL), "game_over");
    FINE(test_client_create(&d, anna,
                            json_pack("{s:b,s:b,s:{s:i}}", "spectators", 0,
                                      "rated", 1, "pace", "free", 3600),
                            from));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", from));
    REASON(make(anna, NULL), "not_finished");
    REASON(make(carl, NULL), "spectators_not_allowed");
}
