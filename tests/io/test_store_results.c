/* test_store_results.c -- what became of games, and the ratings that come of it,
 * go into a store and come out of it, on the file and on arrays. */

#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/contract.h"

CONTRACTS(results);

/* Account N + 1 in seat N, at these places. */
static void put(id_num table, int seats, const uint8_t *places, bool rated,
                int64_t at)
{
    struct op *op = add(OP_RESULTS, table, 0);

    op->u.results.rows =
        region_take(&u.region, RESULTS_MAX * sizeof(*op->u.results.rows));
    for (int i = 0; i < seats; i++)
        op->u.results.rows[i] = (struct result_row){
            .account = (id_num)i + 1,
            .seat = (uint8_t)i,
            .place = places[i],
            .points = 10 * (i + 1),
        };
    op->u.results.count = (size_t)seats;
    op->u.results.game = "tictactoe";
    op->u.results.seats = (uint8_t)seats;
    op->u.results.rated = rated;
    op->u.results.whole = true;
    op->u.results.plies = 7;
    op->u.results.at = at;
    op->u.results.took_ms = 3000;
}

/* A finished table of the first SEATS people, which ended with ply N, a second
 * each. */
static void over(id_num id, int seats, size_t plies, const uint8_t *places,
                 bool rated)
{
    make_table(&u, id, TABLE_OPEN, seats, seats);
    make_plies(&u, id, -1, plies, TABLE_FINISHED, seats, seats);
    put(id, seats, places, rated, (int64_t)plies * 1000);
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static void begin(int n)
{
    make_people(&u, n);
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static const struct answer *ratings(bool many, size_t limit, int64_t since)
{
    struct question q = {
        .kind = ASK_RATINGS,
        .limit = limit,
        .u.ratings = {.game = "tictactoe", .many = many, .since = since},
    };
    cr_assert_not(fixture_ask(&f, &q)->failed);
    return &f.answer;
}

static const struct rating_row *rating_of(id_num account, size_t n)
{
    struct question q = {
        .kind = ASK_PERSON,
        .limit = 5,
        .u.person = {.account = account, .part = PERSON_RATINGS},
    };
    const struct answer *a = fixture_ask(&f, &q);

    cr_assert(!a->failed && a->part_count > n);
    return &a->parts[n].u.rating;
}

static struct question results_of(id_num account, id_num asker, size_t limit)
{
    return (struct question){
        .kind = ASK_RESULTS,
        .limit = limit,
        .u.results = {.account = account, .asker = asker, .look = 100},
    };
}

/* A rated game moves the ratings of who played it as the model does, games of two
 * apart from those of more; how often they met and whom is counted. */
CONTRACT(results, rated)
{
    static const uint8_t two[] = {1, 2}, three[] = {2, 1, 2};
    struct rating_player p[2] = {
        {rating_new(), 0, 1, false},
        {rating_new(), 1, 2, false},
    };

    begin(3);
    over(100, 2, 3, two, true);
    over(101, 2, 4, two, true);
    over(102, 3, 5, three, true);
    over(103, 2, 6, two, false);
    rating_game(p, 2, (uint32_t[4]){0});
    uint32_t met = rating_met(RATING_MET_ONE, 1000);
    rating_game(p, 2, (uint32_t[]){0, met, met, 0});
    const struct rating_row *row = rating_of(1, 0);
    cr_expect(!row->many && row->games == 2 && row->met == 1 &&
              row->at == 4000 && strcmp(row->game, "tictactoe") == 0);
    cr_expect(row->rating.mean == p[0].rating.mean &&
              row->rating.variance == p[0].rating.variance);
    cr_expect_eq(rating_of(2, 0)->rating.mean, p[1].rating.mean);
    row = rating_of(2, 1);
    cr_expect(row->many && row->games == 1 && row->met == 2);
    cr_expect_gt(row->rating.mean, RATING_MEAN);
}

/* All of it or nothing: a transaction that does not hold leaves no rating. */
CONTRACT(results, together)
{
    static const uint8_t two[] = {1, 2};

    begin(2);
    make_table(&u, 100, TABLE_OPEN, 2, 2);
    make_plies(&u, 100, -1, 2, TABLE_FINISHED, 2, 2);
    put(100, 2, two, true, 2000);
    add(OP_REQUIRE_TOKEN, 0, 0)->u.token.id = 99;
    cr_assert_eq(conflict(), OP_REQUIRE_TOKEN);
    struct question q = {
        .kind = ASK_PERSON,
        .limit = 5,
        .u.person = {.account = 1, .part = PERSON_RATINGS},
    };
    cr_expect_eq(fixture_ask(&f, &q)->part_count, 0);
    put(100, 2, two, true, 2000);
    cr_expect_eq(store(), TRANSACTION_FAILED, "of no table");
}

/* Who is deleted while a game goes on is not rated after it, and nobody gains or
 * loses by them; nor does it count that they had met before. */
CONTRACT(results, gone)
{
    static const uint8_t three[] = {1, 2, 3};
    struct rating_player p[3] = {
        {rating_new(), 0, 1, false},
        {rating_new(), 1, 2, false},
        {rating_new(), 2, 3, false},
    };
    struct question q = {
        .kind = ASK_PERSON,
        .limit = 5,
        .u.person = {.account = 3, .part = PERSON_RATINGS},
    };
    uint32_t met = rating_met(RATING_MET_ONE, 1000);

    begin(3);
    over(100, 3, 3, three, true);
    add(OP_ACCOUNT_DROP, 0, 3);
    cr_assert_eq(store(), TRANSACTION_STORED);
    over(101, 3, 4, three, true);
    cr_expect_eq(fixture_ask(&f, &q)->part_count, 0);
    rating_game(p, 3, (uint32_t[9]){0});
    p[2].substitute = true;
    rating_game(p, 3, (uint32_t[]){0, met, 0, met, 0, 0, 0, 0, 0});
    for (id_num who = 1; who < 3; who++) {
        const struct rating_row *row = rating_of(who, 0);
        cr_expect(row->rating.mean == p[who - 1].rating.mean &&
                  row->rating.variance == p[who - 1].rating.variance);
        cr_expect(row->games == 2 && row->met == 2);
    }
    q = results_of(1, 1, 1);
    const struct result *r = fixture_ask(&f, &q)->results;
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(r->players[i].rated, r->players[i].account != 3);
}

/* The best come first, page by page: of whom enough is known, who played lately,
 * and who is still there. */
CONTRACT(results, ranked)
{
    static const uint8_t places[] = {1, 2, 3, 4, 5};

    begin(5);
    cr_expect_eq(ratings(true, 5, 0)->rating_count, 0);
    for (id_num id = 100; id < 120; id++)
        over(id, 5, 2, places, true);
    const struct answer *a = ratings(true, 3, 0);
    cr_assert(a->rating_count == 3 && a->more);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(a->ratings[i].account, i + 1);
        cr_expect_eq(a->ratings[i].games, 20);
    }
    cr_expect_str_eq(a->ratings[0].name, "user1");
    struct question q = {
        .kind = ASK_RATINGS,
        .limit = 3,
        .u.ratings = {.game = "tictactoe",
                      .many = true,
                      .after_mean = a->ratings[2].rating.mean,
                      .after_account = a->ratings[2].account},
    };
    cr_expect_eq(fixture_ask(&f, &q)->rating_count, 2);
    cr_expect(!f.answer.more && f.answer.ratings[1].account == 5);
    cr_expect_eq(ratings(false, 3, 0)->rating_count, 0);
    cr_expect_eq(ratings(true, 3, 2000)->rating_count, 0);
    add(OP_ACCOUNT_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_expect_eq(ratings(true, 3, 0)->ratings[0].account, 2);
}

/* What somebody has played, the last first and page by page; with whom, of which
 * game, when, and what of it was rated. */
CONTRACT(results, listed)
{
    static const uint8_t two[] = {1, 2}, three[] = {3, 1, 2};

    begin(3);
    over(100, 2, 3, two, true);
    over(101, 3, 5, three, false);
    over(102, 2, 5, two, false);
    struct question q = results_of(1, 1, 2);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(a->result_count == 2 && a->more);
    cr_expect(a->results[0].table == 102 && a->results[1].table == 101);
    cr_expect_eq(a->results[1].player_count, 3);
    cr_expect_str_eq(a->results[0].game, "tictactoe");
    for (size_t i = 0; i < 3; i++) {
        const struct player_result *p = &a->results[1].players[i];
        cr_expect(p->place == three[p->seat] && !p->rated &&
                  p->points == 10 * (p->seat + 1) &&
                  p->account == (id_num)p->seat + 1);
    }
    q.u.results.before = a->result_at;
    q.u.results.before_table = a->result_table;
    a = fixture_ask(&f, &q);
    cr_assert(a->result_count == 1 && !a->more && a->results[0].rated);
    cr_expect(a->results[0].players[0].rated &&
              a->results[0].players[0].rating.mean != RATING_MEAN);
    int64_t ended = a->results[0].ended;

    q = results_of(1, 1, 5);
    q.u.results.with = 3;
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 1);
    q.u.results.with = 0;
    q.u.results.rated = true;
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 1);
    q.u.results.rated = false;
    q.u.results.until = ended;
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 1);
    q.u.results.until = 0;
    q.u.results.since = ended + 1;
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 2);
    q.u.results.game = "hadara";
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 0);
}

/* A private table is told of to those alone who may see it, and pages are as full
 * for the others and end as if it were not there. */
CONTRACT(results, seen)
{
    static const uint8_t two[] = {1, 2};

    begin(3);
    make_table(&u, 100, TABLE_OPEN, 2, 2);
    u.first->u.table_row.private_ = true;
    make_plies(&u, 100, -1, 2, TABLE_FINISHED, 2, 2);
    put(100, 2, two, false, 2000);
    cr_assert_eq(store(), TRANSACTION_STORED);
    over(101, 2, 2, two, false);
    struct question q = results_of(1, 3, 5);
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 1);
    q.u.results.asker = 2;
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 2);
    over(102, 2, 2, two, false);
    make_table(&u, 103, TABLE_OPEN, 2, 2);
    u.first->u.table_row.private_ = true;
    make_plies(&u, 103, -1, 2, TABLE_FINISHED, 2, 2);
    put(103, 2, two, false, 2000);
    cr_assert_eq(store(), TRANSACTION_STORED);
    q = results_of(1, 0, 1);
    cr_expect_eq(fixture_ask(&f, &q)->results[0].table, 102);
    cr_expect(f.answer.more && f.answer.result_table == 102);
    q.limit = 2;
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 2);
    cr_expect(!f.answer.more && f.answer.result_table == 101);
    q.u.results.asker = 3;
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 2);
    add(OP_INVITE, 103, 3);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_expect_eq(fixture_ask(&f, &q)->results[0].table, 103);
}

/* Of many games so many are looked at, and the next request goes on behind them;
 * what the asker may not see is not counted. */
CONTRACT(results, looked_at)
{
    static const uint8_t two[] = {1, 2};

    begin(3);
    over(100, 2, 2, two, true);
    for (id_num id = 101; id < 105; id++)
        over(id, 2, 2, two, false);
    make_table(&u, 105, TABLE_OPEN, 2, 2);
    u.first->u.table_row.private_ = true;
    make_plies(&u, 105, -1, 2, TABLE_FINISHED, 2, 2);
    put(105, 2, two, true, 2000);
    cr_assert_eq(store(), TRANSACTION_STORED);
    struct question q = results_of(1, 3, 5);
    q.u.results.rated = true;
    q.u.results.look = 3;
    const struct answer *a = fixture_ask(&f, &q);
    cr_expect(a->result_count == 0 && a->more && a->result_table == 102);
    q.u.results.before = a->result_at;
    q.u.results.before_table = a->result_table;
    a = fixture_ask(&f, &q);
    cr_expect(a->result_count == 1 && !a->more);
    cr_expect_eq(a->results[0].table, 100);
}

/* Of private tables those are looked at that the asker was at or invited to, so
 * that nobody else's count, whoever is asked about. */
CONTRACT(results, own_private)
{
    static const uint8_t two[] = {1, 2}, three[] = {1, 2, 3};

    begin(3);
    over(100, 3, 2, three, false);
    for (id_num id = 101; id < 105; id++) {
        make_table(&u, id, TABLE_OPEN, 3, id < 103 ? 3 : 2);
        u.first->u.table_row.private_ = true;
        make_plies(&u, id, -1, (size_t)(id - 98), TABLE_FINISHED, 3,
                   id < 103 ? 3 : 2);
        put(id, id < 103 ? 3 : 2, id < 103 ? three : two, false, 2000);
        if (id == 104)
            add(OP_INVITE, id, 3);
        cr_assert_eq(store(), TRANSACTION_STORED);
    }
    struct question q = results_of(1, 3, 5);
    const struct answer *a = fixture_ask(&f, &q);
    static const id_num order[] = {104, 102, 101, 100};
    cr_assert_eq(a->result_count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(a->results[i].table, order[i], "%zu", i);
    q.u.results.with = 3;
    q.u.results.look = 2;
    a = fixture_ask(&f, &q);
    cr_expect(a->result_count == 1 && a->more && a->result_table == 102);
    q.u.results.before = a->result_at;
    q.u.results.before_table = a->result_table;
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 2);
    q = results_of(3, 1, 5);
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 3);
    q = results_of(1, 1, 5);
    cr_expect_eq(fixture_ask(&f, &q)->result_count, 5);
}

/* A game whose log was laid aside is told of where it ended. */
CONTRACT(results, archived)
{
    static const uint8_t two[] = {1, 2};

    begin(2);
    over(100, 2, 2, two, false);
    make_table(&u, 101, TABLE_OPEN, 2, 2);
    make_plies(&u, 101, -1, 3, TABLE_FINISHED, 2, 2);
    put(101, 2, two, true, 3000);
    struct op *op = add(OP_ARCHIVE, 101, 0);
    const struct op *plies = u.first->next;
    memcpy(op->u.archive.chain, plies->u.plies.rows[2].chain, SHA256_SIZE);
    cr_assert_eq(store(), TRANSACTION_STORED);
    over(102, 2, 4, two, false);
    struct question q = results_of(1, 3, 5);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->result_count, 3);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(a->results[i].table, 102 - i);
    cr_expect(a->results[1].rated && a->results[1].player_count == 2);
    cr_expect(a->results[0].ended > a->results[1].ended &&
              a->results[1].ended > a->results[2].ended);
}

/* Games are counted by seats: who won, points, moves and time; a shared win is
 * shared. */
CONTRACT(results, statistics)
{
    static const uint8_t won[] = {1, 2}, tied[] = {1, 1};
    struct question q = {.kind = ASK_STATISTICS, .u.name = "tictactoe"};

    begin(2);
    over(100, 2, 3, won, false);
    over(101, 2, 3, tied, true);
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->statistics_count, 2);
    const struct statistics_row *s = a->statistics;
    cr_expect(s[0].seats == 2 && s[0].seat == 0 && s[1].seat == 1);
    cr_expect(s[0].games == 2 && s[0].wins == 3 * WIN_PARTS / 2 &&
              s[1].wins == WIN_PARTS / 2);
    cr_expect(s[1].points == 40 && s[0].plies == 14 && s[0].took_ms == 6000);
    q.u.name = "hadara";
    cr_expect_eq(fixture_ask(&f, &q)->statistics_count, 0);
}

/* ---- made anew ---------------------------------------------------------------- */

static const struct answer *all_ratings(size_t limit,
                                        const struct rating_row *after)
{
    struct question q = {.kind = ASK_RATINGS_ALL, .limit = limit};

    if (after != NULL) {
        q.u.ratings_all.account = after->account;
        q.u.ratings_all.game = after->game;
        q.u.ratings_all.many = after->many;
    }
    cr_assert_not(fixture_ask(&f, &q)->failed);
    return &f.answer;
}

static const struct answer *rated_behind(int64_t turn)
{
    struct question q = {.kind = ASK_RATED, .u.rated = {turn, true}};

    cr_assert_not(fixture_ask(&f, &q)->failed);
    return &f.answer;
}

static int64_t last_rated(void)
{
    int64_t last = 0, next;

    while ((next = rated_behind(last)->rated.turn) != 0)
        last = next;
    return last;
}

/* The game of two that was put() as TABLE, again. */
static struct op *again(id_num table, const uint8_t *places, int64_t at)
{
    put(table, 2, places, true, at);
    struct op *op = u.first;
    while (op->next != NULL)
        op = op->next;
    op->u.results.again = true;
    return op;
}

/* Games are told of in the order in which they were rated, each with who came
 * where; behind the last one there is none. */
CONTRACT(results, rated_order)
{
    static const uint8_t two[] = {1, 2}, three[] = {2, 1, 2};

    begin(3);
    over(100, 2, 5, two, true);
    over(101, 2, 3, two, false);
    over(102, 3, 4, three, true);
    const struct answer *a = rated_behind(0);
    cr_assert_eq(a->result_count, 1);
    cr_expect(a->rated.left == 2 && a->rated.seats == 2);
    cr_expect(a->results[0].table == 100 && a->results[0].ended > 0);
    cr_expect_eq(a->results[0].player_count, 2);
    cr_expect(a->results[0].players[0].rated);
    a = rated_behind(a->rated.turn);
    cr_expect(a->results[0].table == 102 && a->rated.left == 1);
    cr_expect_eq(a->rated.seats, 3);
    cr_expect_eq(rated_behind(a->rated.turn)->rated.turn, 0);
}

/* All ratings come page by page. */
CONTRACT(results, all)
{
    static const uint8_t two[] = {1, 2}, three[] = {2, 1, 2};

    begin(3);
    over(100, 2, 5, two, true);
    over(102, 3, 4, three, true);
    const struct answer *a = all_ratings(3, NULL);
    cr_assert(a->rating_count == 3 && a->more);
    cr_expect(a->ratings[0].account == 1 && !a->ratings[0].many);
    cr_expect(a->ratings[1].account == 1 && a->ratings[1].many);
    cr_expect_str_eq(a->ratings[2].name, "user2");
    struct rating_row last = a->ratings[2];
    a = all_ratings(3, &last);
    cr_assert(a->rating_count == 2 && !a->more);
    cr_expect(a->ratings[0].account == 2 && a->ratings[0].many);
}

/* The same games again make the same ratings, and are counted once; others make
 * others.  Nothing is stored if one was rated meanwhile. */
CONTRACT(results, anew)
{
    static const uint8_t two[] = {1, 2}, turned[] = {2, 1};
    struct question counted = {.kind = ASK_STATISTICS, .u.name = "tictactoe"};

    begin(2);
    over(100, 2, 3, two, true);
    over(101, 2, 4, two, true);
    struct rating_row before = *rating_of(1, 0);
    int64_t last = last_rated();
    add(OP_RATINGS_ANEW, 0, 0)->u.turn = last - 1;
    cr_expect_eq(conflict(), OP_RATINGS_ANEW);
    for (int i = 0; i < 2; i++) {
        last = last_rated();
        add(OP_RATINGS_ANEW, 0, 0)->u.turn = last;
        again(100, two, 3000);
        again(101, i == 0 ? two : turned, 4000);
        add(OP_RATINGS_GONE, 0, 0);
        cr_assert_eq(store(), TRANSACTION_STORED);
        const struct rating_row *row = rating_of(1, 0);
        cr_expect_eq(row->rating.mean == before.rating.mean, i == 0);
        cr_expect(row->games == 2 && row->met == 1 && row->at == 4000);
    }
    cr_expect_eq(fixture_ask(&f, &counted)->statistics[0].games, 2);
    struct question q = results_of(1, 1, 5);
    const struct player_result *p = fixture_ask(&f, &q)->results[0].players;
    cr_expect_eq(p[p[0].account != 1].place, 2);
}

/* Games keep their turns: all of it once more, as if nobody had heard that it was
 * stored, or behind half of it, holds and rates each of them once; the next one
 * is behind them. */
CONTRACT(results, anew_twice)
{
    static const uint8_t two[] = {1, 2};
    int64_t turns[2];

    begin(2);
    over(100, 2, 3, two, true);
    over(101, 2, 4, two, true);
    turns[0] = rated_behind(0)->rated.turn;
    turns[1] = last_rated();
    for (int i = 0; i < 3; i++) {
        add(OP_RATINGS_ANEW, 0, 0)->u.turn = turns[1];
        again(100, two, 3000);
        again(101, two, 4000);
        add(OP_RATINGS_GONE, 0, 0);
        cr_assert_eq(store(), TRANSACTION_STORED);
        cr_expect_eq(rated_behind(0)->rated.turn, turns[0]);
        cr_expect_eq(rated_behind(turns[0])->rated.turn, turns[1]);
        cr_expect_eq(rated_behind(turns[1])->rated.turn, 0);
        cr_expect_eq(rating_of(1, 0)->games, 2);
    }
    over(102, 2, 5, two, true);
    cr_expect_gt(last_rated(), turns[1]);
    cr_expect_eq(rated_behind(turns[1])->results[0].table, 102);
}

/* Who was gone by then is left out as they were; who is gone by now counts for
 * the others, and is rated no more.  What is kept is as it is said to be. */
CONTRACT(results, anew_gone)
{
    static const uint8_t two[] = {1, 2};

    begin(2);
    over(100, 2, 3, two, true);
    int64_t mean = rating_of(1, 0)->rating.mean;
    add(OP_ACCOUNT_DROP, 0, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    over(101, 2, 4, two, true);
    cr_assert_eq(rating_of(1, 0)->rating.mean, mean, "nobody to gain by");
    for (int i = 0; i < 2; i++) {
        int64_t last = last_rated();
        add(OP_RATINGS_ANEW, 0, 0)->u.turn = last;
        again(100, two, 3000);
        struct op *op = again(101, two, 4000);
        op->u.results.rows[1].gone = true;
        op->u.results.kept = i == 1;
        op->u.results.rows[0].rating = (struct rating){1234567, 1000000000};
        add(OP_RATINGS_GONE, 0, 0);
        cr_assert_eq(store(), TRANSACTION_STORED);
        cr_expect_eq(rating_of(1, 0)->rating.mean, i == 0 ? mean : 1234567);
        cr_expect_eq(all_ratings(5, NULL)->rating_count, 1);
    }
}
