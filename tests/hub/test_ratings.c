/* test_ratings.c -- rated games: what may be rated, who is, what becomes of them,
 * and how that is shown. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/rating.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(ratings, 17);

static char table[16];

static json_t *made(int free, const char *then)
{
    return json_pack("{s:b,s:{s:i},s:{s:i,s:s},s:s}", "rated", 1, "pace",
                     "free", free, "misses", "excused", 0, "then", then,
                     "start", "full");
}

/* Anna and Bert at a rated table. */
static void play(const char *then)
{
    FINE(test_client_create(&d, anna, made(600, then), table));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
}

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

/* P's first legal move. */
static json_t *move(peer_id p)
{
    json_t *legal = at(p, "table.legal");

    FINE(legal);
    return test_client_ask(&d, p, "table.move", "{s:s,s:O,s:O}", "table",
                           table, "decision",
                           test_client_member(legal, "decision"), "move",
                           json_array_get(test_client_member(legal, "moves"),
                                          0));
}

static json_t *ratings_of(peer_id p, const char *name)
{
    json_t *answer = test_client_ask(&d, p, "ratings.get", "{s:s}", "name",
                                     name);
    FINE(answer);
    return test_client_member(answer, "ratings");
}

/* Of the only game that NAME was rated in. */
static json_int_t points(const char *name)
{
    const json_t *list = ratings_of(carl, name);

    cr_assert_eq(json_array_size(list), 1);
    return json_integer_value(
        json_object_get(json_array_get(list, 0), "rating"));
}

static json_t *results(peer_id p, const char *name)
{
    json_t *answer = test_client_ask(&d, p, "results.list", "{s:s}", "name",
                                     name);
    FINE(answer);
    return test_client_member(answer, "results");
}

/* Who gave up lost; both ratings move, in the transaction that ends the game, and
 * everybody may look. */
Test(ratings, resigned)
{
    play("mild");
    cr_assert_eq(json_array_size(ratings_of(anna, "anna")), 0);
    FINE(at(bert, "table.resign"));
    json_int_t gained = points("anna") - 1500;
    cr_assert_gt(gained, 0);
    cr_assert_eq(points("bert"), 1500 - gained);
    json_t *mine = json_array_get(ratings_of(test_client_come(&d, 0), "anna"),
                                  0);
    cr_assert(json_is_true(json_object_get(mine, "provisional")));
    cr_assert_str_eq(json_string_value(json_object_get(mine, "seats")), "two");
    json_t *result = json_array_get(results(carl, "bert"), 0);
    cr_assert(json_is_true(json_object_get(result, "rated")));
    json_t *last = json_array_get(json_object_get(result, "players"), 1);
    cr_assert_str_eq(json_string_value(json_object_get(last, "name")), "bert");
    cr_assert_eq(json_integer_value(json_object_get(last, "place")), 2);
    cr_assert_eq(json_integer_value(json_object_get(last, "rating")),
                 1500 - gained);
}

/* Whose time was up lost, too; a game that nobody has won moves nobody. */
Test(ratings, by_the_clock)
{
    play("end");
    FINE(move(anna));
    FINE(move(bert));
    FINE(move(anna));
    test_client_wait(&d, 603 * 1000);
    test_client_settle(&d);
    cr_assert_gt(points("anna"), 1500);
    json_int_t before = points("anna");
    play("mild");
    peer_id admin = test_client_admin(&d);
    FINE(at(admin, "admin.abandon"));
    cr_assert_eq(points("anna"), before);
}

/* What is not made as rated is not, but it is known what became of it; against
 * somebody, of a game, or since when only that. */
Test(ratings, unrated)
{
    FINE(test_client_create(&d, anna, NULL, table));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    (void)at(anna, "table.start");
    FINE(at(anna, "table.resign"));
    cr_assert_eq(json_array_size(ratings_of(anna, "anna")), 0);
    cr_assert_eq(json_array_size(results(anna, "anna")), 1);
    json_t *with = test_client_ask(&d, anna, "results.list", "{s:s,s:s}",
                                   "with", "bert", "game", "tictactoe");
    cr_assert_eq(json_array_size(test_client_member(with, "results")), 1);
    with = test_client_ask(&d, anna, "results.list", "{s:s}", "with", "carl");
    cr_assert_eq(json_array_size(test_client_member(with, "results")), 0);
    json_t *late = test_client_ask(&d, anna, "results.list", "{s:I}", "since",
                                   (json_int_t)d.world.now_ms + 1);
    cr_assert_eq(json_array_size(test_client_member(late, "results")), 0);
    REASON(test_client_ask(&d, test_client_come(&d, 0), "results.list", NULL),
           "not_authenticated");
    REASON(test_client_ask(&d, anna, "results.list", "{s:s}", "game", "go"),
           "no_such_game");
    REASON(test_client_ask(&d, anna, "ratings.get", "{s:s}", "name", "dora"),
           "no_such_user");
}

/* Rated are games with a pace, of people who stay: no guest makes, joins or takes
 * over one. */
Test(ratings, admitted)
{
    json_t *none = json_pack("{s:b}", "rated", 1);
    REASON(test_client_create(&d, anna, none, NULL), "invalid_params");
    peer_id guest = test_client_come(&d, 0);
    FINE(test_client_ask(&d, guest, "account.guest", NULL));
    REASON(test_client_create(&d, guest, made(600, "mild"), NULL),
           "rated_guest");
    FINE(test_client_create(&d, anna, made(600, "mild"), table));
    REASON(test_client_ask(&d, guest, "table.join", "{s:s}", "table", table),
           "rated_guest");
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
}

/* A seat that changed hands: who left is last, who took it over loses nothing. */
Test(ratings, replaced)
{
    play("mild");
    peer_id admin = test_client_admin(&d);
    FINE(test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}", "table",
                         table, "seat", 1, "user", "carl"));
    FINE(at(carl, "table.resign"));
    cr_assert_gt(points("anna"), 1500);
    cr_assert_lt(points("bert"), 1500);
    cr_assert_eq(points("carl"), 1500);
    json_t *players = json_object_get(json_array_get(results(anna, "bert"), 0),
                                      "players");
    cr_assert_eq(json_array_size(players), 3);
}

/* A rated Hacienda of all three. */
static void three(void)
{
    json_t *setup = made(600, "mild");

    json_object_set_new(setup, "game", json_string("hacienda"));
    json_object_set_new(setup, "seats", json_integer(3));
    json_t *answer = test_client_ask_json(&d, anna, "table.create", setup);
    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    FINE(test_client_ask(&d, carl, "table.join", "{s:s}", "table", table));
}

/* Who is deleted while the others play on is not rated when it is over, and the
 * others are rated as if they had been alone. */
Test(ratings, deleted)
{
    peer_id dora = test_client_user(&d, "dora");

    three();
    FINE(test_client_ask(&d, carl, "account.delete", "{s:s}", "password",
                         "password"));
    FINE(at(bert, "table.resign"));
    carl = dora;
    json_int_t gained = points("anna") - 1500;
    cr_assert_gt(gained, 0);
    cr_assert_eq(points("bert"), 1500 - gained);
    json_t *players = json_object_get(json_array_get(results(dora, "bert"), 0),
                                      "players");
    cr_assert_eq(json_array_size(players), 3);
    for (size_t i = 0; i < 3; i++) {
        json_t *player = json_array_get(players, i);
        cr_assert_eq(json_is_null(json_object_get(player, "name")),
                     json_object_get(player, "rating") == NULL);
    }
}

/* Nobody comes into a game twice: who began in a seat and has lost it is given
 * that one back, and no other. */
Test(ratings, once)
{
    peer_id admin = test_client_admin(&d), dora = test_client_user(&d, "dora");

    three();
    (void)dora;
    FINE(test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}", "table",
                         table, "seat", 1, "user", "dora"));
    REASON(test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}",
                           "table", table, "seat", 2, "user", "bert"),
           "was_seated");
    FINE(test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}", "table",
                         table, "seat", 1, "user", "bert"));
}

/* What one is given of one's own says what became of each game. */
Test(ratings, exported)
{
    play("mild");
    FINE(at(bert, "table.resign"));
    json_t *rows = test_client_member(
        test_client_ask(&d, bert, "account.export", "{s:s}", "part", "seats"),
        "rows");
    const json_t *row = json_array_get(rows, 0);
    cr_assert_eq(json_integer_value(json_object_get(row, "place")), 2);
    cr_assert_eq(json_integer_value(json_object_get(row, "points")), 0);
    cr_assert_eq(json_integer_value(json_object_get(row, "rating")),
                 points("bert"));
    cr_assert_gt(json_integer_value(json_object_get(row, "deviation")), 100);
}

/* Whoever's turn it is takes the first cell that is free: X wins. */
static void whole_game(void)
{
    for (int i = 0; i < 7; i++)
        FINE(move(i % 2 == 0 ? anna : bert));
}

/* A game that was played to its end is counted, one that was given up is not. */
Test(ratings, statistics)
{
    play("mild");
    FINE(at(bert, "table.resign"));
    play("mild");
    whole_game();
    json_t *answer = test_client_ask(&d, carl, "results.statistics", "{s:s}",
                                     "game", "tictactoe");
    FINE(answer);
    json_t *two = json_array_get(test_client_member(answer, "statistics"), 0);
    cr_assert_eq(json_integer_value(json_object_get(two, "games")), 1);
    cr_assert_eq(json_integer_value(json_object_get(two, "moves")), 7);
    json_t *first = json_array_get(json_object_get(two, "seat"), 0);
    cr_assert_eq(json_integer_value(json_object_get(first, "wins")), 1000);
}

/* The best of a game are those of whom enough is known. */
Test(ratings, best)
{
    static const char *const who[] = {"anna", "bert", "carl"};
    peer_id p[] = {anna, bert, carl};
    json_t *answer;

    peer_id dora = test_client_user(&d, "dora");
    for (int game = 0; game < 40; game++) {
        FINE(test_client_create(&d, dora, made(600, "mild"), table));
        FINE(test_client_ask(&d, p[game % 3], "table.join", "{s:s}", "table",
                             table));
        FINE(at(p[game % 3], "table.resign"));
        test_client_wait(&d, 240 * 3600 * INT64_C(1000));
    }
    answer = test_client_ask(&d, anna, "ratings.list", "{s:s,s:s}", "game",
                             "tictactoe", "seats", "two");
    FINE(answer);
    json_t *list = test_client_member(answer, "ratings");
    cr_assert_eq(json_array_size(list), 1, "the others met nobody but her");
    json_t *best = json_array_get(list, 0);
    cr_assert_str_eq(json_string_value(json_object_get(best, "name")), "dora");
    for (size_t i = 0; i < 3; i++)
        cr_assert_lt(points(who[i]), 1500);
    answer = test_client_ask(&d, anna, "ratings.list", "{s:s,s:s}", "game",
                             "tictactoe", "seats", "more");
    cr_assert_eq(json_array_size(test_client_member(answer, "ratings")), 0);
}

/* ---- made anew ------------------------------------------------------------------ */

/* What `admin.ratings.rebuild` says at its end. */
static json_t *rebuilt(peer_id admin)
{
    for (;;) {
        json_t *answer = test_client_ask(&d, admin, "admin.ratings.rebuild",
                                         NULL);
        FINE(answer);
        if (test_client_member(answer, "changes") != NULL)
            return answer;
    }
}

/* Games of all kinds: played out, given up, with a seat that changed hands, with
 * somebody who is deleted in the middle, and afterwards. */
static void many_games(peer_id admin)
{
    peer_id dora = test_client_user(&d, "dora");

    play("mild");
    whole_game();
    for (int i = 0; i < 4; i++) {
        play("mild");
        FINE(at(i == 1 ? anna : bert, "table.resign"));
        test_client_wait(&d, 240 * 3600 * INT64_C(1000));
    }
    play("mild");
    FINE(test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}", "table",
                         table, "seat", 1, "user", "dora"));
    FINE(at(dora, "table.resign"));
    three();
    FINE(at(carl, "table.resign"));
    FINE(at(anna, "table.resign"));
    three();
    FINE(test_client_ask(&d, carl, "account.delete", "{s:s}", "password",
                         "password"));
    FINE(at(bert, "table.resign"));
    carl = dora;
}

/* All that `ratings`, `pairs` and games have of ratings. */
static void expect_same(const struct disk *was)
{
    const struct disk *is = &d.world.disk;

    cr_assert_eq(is->rating_count, was->rating_count);
    for (size_t i = 0; i < is->rating_count; i++) {
        const struct rating_row *row = &is->ratings[i];
        size_t k = 0;
        while (k < was->rating_count &&
               (was->ratings[k].account != row->account ||
                was->ratings[k].many != row->many))
            k++;
        cr_assert_lt(k, was->rating_count);
        const struct rating_row *old = &was->ratings[k];
        cr_assert(row->rating.mean == old->rating.mean &&
                  row->rating.variance == old->rating.variance &&
                  row->games == old->games && row->met == old->met &&
                  row->at == old->at);
    }
    cr_assert_eq(is->pair_count, was->pair_count);
    for (size_t i = 0; i < is->pair_count; i++)
        cr_assert(is->pairs[i].met == was->pairs[i].met &&
                  is->pairs[i].at == was->pairs[i].at);
    for (size_t i = 0; i < is->table_count; i++)
        for (size_t k = 0; k < is->tables[i]->result_count; k++) {
            const struct disk_result *a = &is->tables[i]->results[k];
            const struct disk_result *b = &was->tables[i]->results[k];
            cr_assert(a->row.place == b->row.place && a->rated == b->rated &&
                      a->rating.mean == b->rating.mean &&
                      a->rating.variance == b->rating.variance);
        }
}

/* Made anew from the logs they are what they were, bit for bit; and after damage
 * what they had been, and it is told whose were not. */
Test(ratings, rebuilt)
{
    peer_id admin = test_client_admin(&d);
    struct disk *disk = &d.world.disk, before = {0};

    many_games(admin);
    disk_copy(&before, disk);
    json_t *answer = rebuilt(admin);
    cr_assert_eq(test_client_number(answer, "games"), 8);
    cr_assert_eq(test_client_number(answer, "changed"), 0);
    cr_assert_eq(test_client_number(answer, "misplaced"), 0);
    expect_same(&before);

    disk->ratings[0].rating.mean += 1000 * 1000;
    disk->ratings[1] = disk->ratings[--disk->rating_count];
    disk->pairs[0].met = 0;
    disk->tables[0]->results[0].row.place = 2;
    disk->tables[1]->results[0].rating.variance = 1;
    answer = rebuilt(admin);
    cr_assert_eq(test_client_number(answer, "changed"), 2);
    cr_assert_eq(test_client_number(answer, "misplaced"), 1);
    json_t *changes = test_client_member(answer, "changes");
    int lost = 0;
    for (size_t i = 0; i < 2; i++)
        lost += json_is_null(
            json_object_get(json_array_get(changes, i), "before"));
    cr_assert_eq(lost, 1, "one was not there at all");
    expect_same(&before);
    cr_assert_eq(json_array_size(ratings_of(anna, "anna")), 2);
    disk_done(&before);
}

/* Who breaks off is gone on with, and nobody else is at it before; a game that ends
 * meanwhile is read, too. */
Test(ratings, rebuilt_meanwhile)
{
    peer_id admin = test_client_admin(&d);

    many_games(admin);
    for (int i = 1; i < 4; i++) {
        json_t *answer = test_client_ask(&d, admin, "admin.ratings.rebuild",
                                         NULL);
        cr_assert(
            test_client_is(answer, "{s:i,s:i}", "games", i, "left", 8 - i));
    }
    play("mild");
    FINE(at(bert, "table.resign"));
    peer_id other = test_client_admin(&d);
    REASON(test_client_ask(&d, other, "admin.ratings.rebuild", NULL), "busy");
    REASON(test_client_ask(&d, other, "admin.ratings.rebuild", "{s:b}", "anew",
                           1),
           "busy");
    hub_close(d.world.hub, admin, d.world.now_ms);
    admin = other;
    json_t *answer = rebuilt(admin);
    cr_assert_eq(test_client_number(answer, "games"), 9);
    cr_assert_eq(test_client_number(answer, "changed"), 0);
    answer = test_client_ask(&d, admin, "admin.ratings.rebuild", "{s:b}",
                             "anew", 1);
    cr_assert_eq(test_client_number(answer, "games"), 1);
}

/* What nobody goes on with is forgotten after an hour, not before; and who is
 * there and asks no more is in nobody's way. */
Test(ratings, rebuilt_forgotten)
{
    static const int64_t waits[] = {50 * 60000, 61 * 60000};
    peer_id admin = test_client_admin(&d);

    many_games(admin);
    for (int i = 0; i < 2; i++) {
        FINE(test_client_ask(&d, admin, "admin.ratings.rebuild", NULL));
        test_client_wait(&d, waits[i]);
        admin = test_client_admin(&d);
        json_t *answer = test_client_ask(&d, admin, "admin.ratings.rebuild",
                                         NULL);
        cr_assert_eq(test_client_number(answer, "games"), i == 0 ? 2 : 1);
    }
}

/* A game that the store has as rated twice is rated once. */
Test(ratings, rebuilt_twice)
{
    peer_id admin = test_client_admin(&d);
    struct disk *disk = &d.world.disk, before = {0};

    many_games(admin);
    disk_copy(&before, disk);
    disk->rated[1] = disk->rated[0];
    for (int i = 0; i < 2; i++) {
        json_t *answer = rebuilt(admin);
        cr_assert_eq(test_client_number(answer, "games"), 7);
    }
    cr_assert_eq(disk->rated_count, before.rated_count);
    disk->rated[1] = before.rated[1];
    (void)rebuilt(admin);
    expect_same(&before);
    disk_done(&before);
}

/* Of a game whose log lies elsewhere the places are as good; where a seat changed
 * hands in it, what all were rated at stays, and of the two who had the seat it is
 * not known any more that they did not meet. */
Test(ratings, rebuilt_archived)
{
    peer_id admin = test_client_admin(&d);
    struct disk *disk = &d.world.disk;

    many_games(admin);
    for (size_t i = 0; i < disk->table_count; i++) {
        char id[ID_SIZE], chain[2 * SHA256_SIZE + 1];
        const struct disk_table *t = disk->tables[i];
        id_write(t->row.id, id);
        hex_write(chain, t->plies[t->ply_count - 1].chain, SHA256_SIZE);
        FINE(test_client_ask(&d, admin, "admin.archive", "{s:s,s:s}", "table",
                             id, "chain", chain));
    }
    json_t *answer = rebuilt(admin);
    cr_assert_eq(test_client_number(answer, "games"), 8);
    cr_assert_eq(test_client_number(answer, "kept"), 1);
    cr_assert_eq(test_client_number(answer, "changed"), 2);
    json_t *changes = test_client_member(answer, "changes");
    for (size_t i = 0; i < 2; i++)
        cr_assert(
            json_equal(json_object_get(json_array_get(changes, i), "before"),
                       json_object_get(json_array_get(changes, i), "after")));
    disk->ratings[0].rating.mean -= 4000;
    cr_assert_eq(test_client_number(rebuilt(admin), "changed"), 1);
}
