/* test_results.c -- results, ratings and statistics as they are told: each column, what
 * is asked for and nothing besides, page by page. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/limits.h"
#include "tests/support/disk_lists.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(results, 23);

static struct disk *const disk = &d.world.disk;
static char table[16];

/* Anna's game with P of tic-tac-toe, which they give up; over a second later than the
 * one before. */
static struct disk_table *game_with(peer_id p)
{
    test_client_wait(&d, 1000);
    FINE(test_client_create(&d, anna, NULL, table));
    FINE(test_client_ask(&d, p, "table.join", "{s:s}", "table", table));
    (void)test_client_ask(&d, anna, "table.start", "{s:s}", "table", table);
    FINE(test_client_ask(&d, p, "table.resign", "{s:s}", "table", table));
    return disk->tables[disk->table_count - 1];
}

static const char *id_of(id_num number)
{
    static char text[4][ID_SIZE];
    static int at;

    at = (at + 1) % 4;
    id_write(number, text[at]);
    return text[at];
}

/* ---- results ------------------------------------------------------------------ */

/* Anna's results as those of MORE, which become the client's. */
static json_t *asked(json_t *more)
{
    json_object_set_new(more, "name", json_string("anna"));
    json_t *answer = test_client_ask_json(&d, carl, "results.list", more);
    FINE(answer);
    return answer;
}

static size_t count(json_t *more)
{
    return json_array_size(test_client_member(asked(more), "results"));
}

static json_t *player(int i)
{
    json_t *list = test_client_member(asked(json_object()), "results");

    return json_array_get(json_object_get(json_array_get(list, 0), "players"),
                          (size_t)i);
}

/* Everything that is known of a game, and of each who was there: points and place
 * while they are known, a rating if it was rated, a name while they have one. */
Test(results, columns)
{
    const struct disk_table *t = game_with(bert);
    id_num a = t->row.summary.seat[0], b = t->row.summary.seat[1];
    const json_t *list = test_client_member(asked(json_object()), "results");
    json_t *want = json_pack("[{s:s,s:s,s:I,s:b,s:b,s:[{s:s,s:s,s:i,s:i,s:i},"
                             "{s:s,s:s,s:i,s:i,s:i}]}]",
                             "table", table, "game", "tictactoe", "ended",
                             (json_int_t)t->row.summary.changed, "private", 0,
                             "rated", 0, "players", "user", id_of(a), "name",
                             "anna", "seat", 0, "place", 1, "points",
                             t->results[0].row.points, "user", id_of(b),
                             "name", "bert", "seat", 1, "place", 2, "points",
                             t->results[1].row.points);

    cr_assert(json_equal(list, want));
    json_decref(want);
}

/* Of a rated game each has the rating they had after it. */
Test(results, rated_columns)
{
    struct disk_table *t = game_with(bert);

    for (int i = 0; i < 2; i++) {
        t->results[i].rated = true;
        t->results[i].rating = (struct rating){
            .mean = 1400600 + 1000 * i,
            .variance = INT64_C(90000) * 1000000,
        };
    }
    t->results[1].row.points = -7;
    t->results[0].row.place = 0;
    json_t *p = player(0);
    cr_assert_eq(json_integer_value(json_object_get(p, "rating")), 1401);
    cr_assert_eq(json_integer_value(json_object_get(p, "deviation")), 300);
    cr_assert(json_is_null(json_object_get(p, "place")) &&
              json_is_null(json_object_get(p, "points")));
    p = player(1);
    cr_assert_eq(json_integer_value(json_object_get(p, "rating")), 1402);
    cr_assert_eq(json_integer_value(json_object_get(p, "points")), -7);
    cr_assert(json_is_true(json_object_get(
        json_array_get(test_client_member(asked(json_object()), "results"), 0),
        "rated")));
}

/* The first stands first; who share a place stand by seat, who left last. */
Test(results, order_of_players)
{
    struct disk_table *t = game_with(bert);
    json_t *p;

    t->results[0].row.place = 2;
    t->results[1].row.place = 1;
    p = player(0);
    cr_assert_str_eq(json_string_value(json_object_get(p, "name")), "bert");
    t->results[0].row.place = 1;
    p = player(0);
    cr_assert_str_eq(json_string_value(json_object_get(p, "name")), "anna");
    t->row.summary.seat[0] = 0;
    p = player(0);
    cr_assert_str_eq(json_string_value(json_object_get(p, "name")), "bert");
    p = player(1);
    cr_assert(json_is_null(json_object_get(p, "seat")));
}

/* Those that ended since then, up to then, of that game, with that person, or rated:
 * only those; the last one first. */
Test(results, filters)
{
    int64_t ended[3];

    for (int i = 0; i < 3; i++)
        ended[i] = game_with(i < 2 ? bert : carl)->row.summary.changed;
    cr_assert_eq(count(json_object()), 3);
    cr_assert_eq(count(json_pack("{s:I}", "since", (json_int_t)ended[1])), 2);
    cr_assert_eq(count(json_pack("{s:I}", "since", (json_int_t)ended[1] + 1)),
                 1);
    cr_assert_eq(count(json_pack("{s:I}", "until", (json_int_t)ended[1])), 2);
    cr_assert_eq(count(json_pack("{s:I}", "until", (json_int_t)ended[1] - 1)),
                 1);
    cr_assert_eq(count(json_pack("{s:s}", "with", "bert")), 2);
    cr_assert_eq(count(json_pack("{s:s}", "with", "carl")), 1);
    cr_assert_eq(count(json_pack("{s:s}", "game", "tictactoe")), 3);
    cr_assert_eq(count(json_pack("{s:s}", "game", "hadara")), 0);
    cr_assert_eq(count(json_pack("{s:b}", "rated", 1)), 0);
    disk->tables[1]->results[0].rated = true;
    cr_assert_eq(count(json_pack("{s:b}", "rated", 1)), 1);
    cr_assert_eq(count(json_pack("{s:b}", "rated", 0)), 3);
    REASON(test_client_ask(&d, carl, "results.list", "{s:s,s:s}", "name",
                           "anna", "with", "nobody"),
           "no_such_user");
}

/* A list goes on behind its last row: all pages together are all of it, each once, and
 * the last page tells of no other. */
Test(results, pages)
{
    json_t *page, *list;
    json_t *more = json_pack("{s:i}", "limit", 2);
    int64_t last = INT64_MAX;
    size_t rows = 0, pages = 0;

    for (int i = 0; i < 5; i++)
        (void)game_with(bert);
    for (; more != NULL; pages++) {
        page = asked(more);
        list = test_client_member(page, "results");
        for (size_t i = 0; i < json_array_size(list); i++, rows++) {
            int64_t ended = json_integer_value(
                json_object_get(json_array_get(list, i), "ended"));
            cr_assert_lt(ended, last);
            last = ended;
        }
        const char *next = json_string_value(test_client_member(page, "next"));
        more = next == NULL
                   ? NULL
                   : json_pack("{s:i,s:s}", "limit", 2, "after", next);
    }
    cr_assert(rows == 5 && pages == 3);
}

/* Nobody goes on behind what no list has told. */
Test(results, no_such_place)
{
    static const char *const wrong[] = {
        "",
        "12",
        "12-",
        "-aaaaaaaaaaaah",
        "x-aaaaaaaaaaaah",
        "12-aaaaaaaaaaaah ",
        "12-aaaaaaaaaaaahx",
        "12-aaaaaaaaaaa!h",
        "12_aaaaaaaaaaaah",
    };

    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        REASON(test_client_ask(&d, anna, "results.list", "{s:s}", "after",
                               wrong[i]),
               "invalid_params");
        REASON(test_client_ask(&d, anna, "ratings.list", "{s:s,s:s,s:s}",
                               "game", "tictactoe", "seats", "two", "after",
                               wrong[i]),
               "invalid_params");
    }
    FINE(test_client_ask(&d, anna, "results.list", "{s:s}", "after",
                         "12-aaaaaaaaaaaah"));
}

/* ---- ratings ------------------------------------------------------------------ */

/* User number I has that rating with one other, of which enough is known. */
static struct rating_row *rate(int i, int64_t mean)
{
    struct rating_row *row = NEXT(disk->ratings, disk->rating_count);

    *row = (struct rating_row){
        .account = disk->accounts[i].id,
        .game = "tictactoe",
        .rating = {.mean = mean, .variance = RATING_SURE_VARIANCE},
        .games = 9,
        .met = RATING_SURE_MET,
        .at = d.world.now_ms,
    };
    return row;
}

static json_t *best(json_t *more)
{
    json_object_set_new(more, "game", json_string("tictactoe"));
    if (json_object_get(more, "seats") == NULL)
        json_object_set_new(more, "seats", json_string("two"));
    return test_client_ask_json(&d, carl, "ratings.list", more);
}

static size_t best_count(json_t *more)
{
    return json_array_size(test_client_member(best(more), "ratings"));
}

/* Who is told among the best, column by column; not who has not played for half a
 * year, of whom too little is known, or who plays with more. */
Test(results, best_of_whom)
{
    struct rating_row *row = rate(0, 1600500);

    cr_assert(test_client_is(best(json_object()),
                             "{s:[{s:s,s:s,s:i,s:i,s:b,s:i,s:I}]}", "ratings",
                             "user", id_of(row->account), "name", "anna",
                             "rating", 1601, "deviation", 175, "provisional",
                             0, "games", 9, "played", (json_int_t)row->at));
    cr_assert_eq(best_count(json_pack("{s:s}", "seats", "more")), 0);
    row->many = true;
    cr_assert_eq(best_count(json_pack("{s:s}", "seats", "more")), 1);
    cr_assert_eq(best_count(json_object()), 0);
    row->many = false;
    row->met--;
    cr_assert_eq(best_count(json_object()), 0);
    row->met++;
    row->rating.variance++;
    cr_assert_eq(best_count(json_object()), 0);
    row->rating.variance--;
    row->at = d.world.now_ms - LIMIT_RANKED_MS + 1000;
    cr_assert_eq(best_count(json_object()), 1);
    row->at = d.world.now_ms - LIMIT_RANKED_MS - 1000;
    cr_assert_eq(best_count(json_object()), 0);
    REASON(test_client_ask(&d, carl, "ratings.list", "{s:s,s:s}", "game", "go",
                           "seats", "two"),
           "no_such_game");
}

/* The best come first, and a list of them goes on behind its last row, as well among
 * those of the same rating. */
Test(results, best_in_pages)
{
    char next[64] = "";
    int64_t last = INT64_MAX;
    size_t rows = 0;

    (void)test_client_user(&d, "dora");
    (void)test_client_user(&d, "emil");
    for (int i = 0; i < 5; i++)
        (void)rate(i, i % 2 == 0 ? 1500000 : 1700000);
    do {
        json_t *page = best(next[0] == '\0' ? json_pack("{s:i}", "limit", 2)
                                            : json_pack("{s:i,s:s}", "limit",
                                                        2, "after", next));
        const json_t *list = test_client_member(page, "ratings");
        for (size_t i = 0; i < json_array_size(list); i++, rows++) {
            int64_t rating = json_integer_value(
                json_object_get(json_array_get(list, i), "rating"));
            cr_assert_leq(rating, last);
            last = rating;
        }
        const char *more = json_string_value(test_client_member(page, "next"));
        snprintf(next, sizeof(next), "%s", more != NULL ? more : "");
    } while (next[0] != '\0');
    cr_assert_eq(rows, 5);
}

/* Somebody's ratings are told game by game, each with its columns. */
Test(results, ratings_of_somebody)
{
    struct rating_row *row = rate(0, 1500400);

    row->many = true;
    row->met--;
    json_t *answer = test_client_ask(&d, carl, "ratings.get", "{s:s}", "name",
                                     "anna");
    json_t *want = json_pack("[{s:s,s:s,s:i,s:i,s:b,s:i,s:I}]", "game",
                             "tictactoe", "seats", "more", "rating", 1500,
                             "deviation", 175, "provisional", 1, "games", 9,
                             "played", (json_int_t)row->at);
    cr_assert(json_equal(test_client_member(answer, "ratings"), want));
    json_decref(want);
    cr_assert_str_eq(json_string_value(
                         json_object_get(test_client_member(answer, "user"),
                                         "name")),
                     "anna");
    REASON(test_client_ask(&d, test_client_come(&d, 0), "ratings.get", NULL),
           "not_authenticated");
}

/* ---- statistics --------------------------------------------------------------- */

static void counted(int seats, int seat, int64_t games, int64_t wins,
                    int64_t points)
{
    *NEXT(disk->statistics, disk->statistics_count) = (struct disk_statistics){
        .game = "tictactoe",
        .row = {.seats = (uint8_t)seats,
                .seat = (uint8_t)seat,
                .games = games,
                .wins = wins * WIN_PARTS,
                .points = points,
                .plies = games * 30 + 1,
                .took_ms = games * 7000 + 6999},
    };
}

/* What a game comes to is told by number of seats: how often, how long, and of each
 * seat how often it wins, in thousandths, and with how many points, in hundredths. */
Test(results, statistics)
{
    counted(2, 0, 4, 3, 50);
    counted(2, 1, 4, 1, -50);
    counted(3, 0, 1, 0, 1);
    counted(3, 1, 1, 1, 2);
    counted(3, 2, 1, 0, 3);
    json_t *answer = test_client_ask(&d, test_client_come(&d, 0),
                                     "results.statistics", "{s:s}", "game",
                                     "tictactoe");
    cr_assert(
        test_client_is(answer,
                       "{s:[{s:i,s:i,s:i,s:i,s:[{s:i,s:i},{s:i,s:i}]},"
                       "{s:i,s:i,s:i,s:i,s:[{s:i,s:i},{s:i,s:i},{s:i,s:i}]}]}",
                       "statistics", "seats", 2, "games", 4, "moves", 30,
                       "took", 8, "seat", "wins", 750, "points", 1250, "wins",
                       250, "points", -1250, "seats", 3, "games", 1, "moves",
                       31, "took", 13, "seat", "wins", 0, "points", 100,
                       "wins", 1000, "points", 200, "wins", 0, "points", 300));
    REASON(test_client_ask(&d, carl, "results.statistics", "{s:s}", "game",
                           "go"),
           "no_such_game");
}
