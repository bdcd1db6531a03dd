/* test_match.c -- bots play each other: that greedy beats random, that a weak
 * greedy would be noticed, and that what is counted is what was played. */

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "clients/term/match.h"
#include "core/base.h"

static struct mind_room room;
static int16_t defaults[RULES_OPTIONS_MAX];

static struct match match_of(const char *game, enum mind_level first,
                             enum mind_level second)
{
    const struct rules *r = rules_find(game);
    for (size_t i = 0; i < COUNT_OF(defaults); i++)
        defaults[i] = RULES_NONE;
    return (struct match){
        .rules = r,
        .setup = {.seats = 2, .options = defaults},
        .player = {mind_of(r, first), mind_of(r, second)},
        .seed = 7,
    };
}

static struct match_tally play_rounds(const struct match *m, size_t rounds)
{
    struct match_tally tally = {0};
    struct match_game game;

    for (size_t i = 0; i < rounds * (size_t)m->setup.seats; i++) {
        match_play(m, i, &room, &game);
        match_add(&tally, m, &game);
    }
    return tally;
}

/* ---- greedy is worth playing --------------------------------------------- */

/* Of GAMES games against random greedy wins all but one at least; the bounds of
 * clients/bot/README.md are for `make arena`. */
static void beats_random(const char *game, size_t rounds)
{
    struct match m = match_of(game, MIND_GREEDY, MIND_RANDOM);
    struct match_tally tally = play_rounds(&m, rounds);

    cr_assert_geq(tally.player[0].wins, (double)tally.games - 1,
                  "%s: %g of %zu", game, tally.player[0].wins, tally.games);
}

Test(match, hacienda)
{
    beats_random("hacienda", 10);
}

Test(match, hadara)
{
    beats_random("hadara", 10);
}

Test(match, greement)
{
    beats_random("greement", 4);
}

/* Who does not know what is good, and plays for as little as it can, does not
 * pass this test. */
static int64_t backwards(const struct rules_state *s, int seat)
{
    const struct rules *r = rules_find("hacienda");
    return -mind_find(r)->judge(s, seat);
}

Test(match, a_weak_greedy_fails)
{
    struct match m = match_of("hacienda", MIND_GREEDY, MIND_RANDOM);
    struct rules_mind weak = *m.player[0].own;

    weak.judge = backwards;
    m.player[0].own = &weak;
    struct match_tally tally = play_rounds(&m, 5);
    cr_assert_lt(tally.player[0].wins, (double)tally.games / 2);
}

/* ---- games ---------------------------------------------------------------- */

/* A number is a game: played again, in a room where other things were thought,
 * it is the same one; another number and another seed are others. */
Test(match, the_same_again)
{
    struct match m = match_of("hadara", MIND_RANDOM, MIND_GREEDY);
    struct match_game first, again, other;

    m.player[1] = mind_of(m.rules, MIND_SEARCH);
    m.player[1].simulations = 16;
    match_play(&m, 3, &room, &first);
    memset(&room, 0x5a, sizeof(room));
    match_play(&m, 3, &room, &again);
    cr_assert_eq(memcmp(first.points, again.points, sizeof(first.points)), 0);
    cr_assert_eq(first.plies, again.plies);
    match_play(&m, 4, &room, &other);
    cr_assert_neq(memcmp(first.points, other.points, sizeof(first.points)), 0);
    m.seed++;
    match_play(&m, 3, &room, &other);
    cr_assert_neq(memcmp(first.points, other.points, sizeof(first.points)), 0);
}

/* In a round everybody sits in each seat once, with the same chance: who plays
 * alike has the same results there, changed about. */
Test(match, rounds_change_seats)
{
    struct match m = match_of("hacienda", MIND_GREEDY, MIND_GREEDY);
    struct match_game game[2];

    for (size_t round = 0; round < 3; round++) {
        match_play(&m, 2 * round, &room, &game[0]);
        match_play(&m, 2 * round + 1, &room, &game[1]);
        cr_assert_eq(game[0].points[0], game[1].points[1]);
        cr_assert_eq(game[0].points[1], game[1].points[0]);
    }
}

/* With more than two there are as many games in a round, and places. */
Test(match, three_players)
{
    struct match m = match_of("hadara", MIND_GREEDY, MIND_RANDOM);

    m.setup.seats = 3;
    m.player[2] = m.player[1];
    struct match_tally tally = play_rounds(&m, 2);
    cr_assert_eq(tally.games, 6);
    cr_assert_eq(tally.rounds, 2);
    cr_assert_lt(tally.player[0].places, tally.player[1].places);
    cr_assert_float_eq(tally.player[0].wins + tally.player[1].wins +
                           tally.player[2].wins,
                       6, 1e-9);
}

/* ---- counting -------------------------------------------------------------- */

static struct match_game result(int first, int second)
{
    return (struct match_game){.place = {(uint8_t)first, (uint8_t)second},
                               .points = {40, 30},
                               .turns = {10, 11}};
}

/* Adds rounds of which the first player wins so many games of two. */
static void add_rounds(struct match_tally *t, const struct match *m,
                       size_t rounds, int won)
{
    for (size_t i = 0; i < 2 * rounds; i++) {
        struct match_game game = (int)(i % 2) < won ? result(1, 2)
                                                    : result(2, 1);
        match_add(t, m, &game);
    }
}

Test(match, counts)
{
    struct match m = match_of("tictactoe", MIND_GREEDY, MIND_GREEDY);
    struct match_tally t = {0};
    struct match_game shared = result(1, 1);

    add_rounds(&t, &m, 2, 1);
    match_add(&t, &m, &shared);
    cr_assert_eq(t.games, 5);
    cr_assert_eq(t.rounds, 2);
    cr_assert_eq(t.player[0].first, 2);
    cr_assert_eq(t.player[0].shared, 1);
    cr_assert_float_eq(t.player[0].wins, 2.5, 1e-9);
    cr_assert_float_eq(t.player[0].places, 7, 1e-9);
    cr_assert_float_eq(t.player[1].points, 150, 1e-9);
    cr_assert_eq(t.player[1].turns, 55);
}

/* Wilson's bounds, as tables have them: of 16 games won, of 32 of which 22. */
Test(match, bounds)
{
    double low, high;

    match_bounds(16, 16, &low, &high);
    cr_assert_float_eq(low, 0.806, 0.001);
    cr_assert_float_eq(high, 1, 1e-9);
    match_bounds(22, 32, &low, &high);
    cr_assert_float_eq(low, 0.514, 0.001);
    cr_assert_float_eq(high, 0.820, 0.001);
}

/* The question is open until enough was played, and then it is answered as it
 * was; who wins every second game has not 60 of a hundred. */
Test(match, answers)
{
    struct match m = match_of("tictactoe", MIND_GREEDY, MIND_GREEDY);
    struct match_tally t = {0};

    m.least = 0.85;
    add_rounds(&t, &m, 40, 2);
    cr_assert_eq(match_answer(&t, &m), MATCH_OPEN);
    add_rounds(&t, &m, 20, 2);
    cr_assert_eq(match_answer(&t, &m), MATCH_HELD);
    t = (struct match_tally){0};
    m.least = 0.60;
    add_rounds(&t, &m, 200, 1);
    cr_assert_eq(match_answer(&t, &m), MATCH_MISSED);
    m.least = 0;
    cr_assert_eq(match_answer(&t, &m), MATCH_OPEN, "nothing was asked");
}
