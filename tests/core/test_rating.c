/* test_rating.c -- ratings: what must hold of them whatever the model; how near
 * they are to it test_rating.py says. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/rating.h"

TestSuite(rating, .timeout = 1200);

#define COUNT 5

/* COUNT people who have not played, at places PLACES. */
static void begin(struct rating_player *players, const uint8_t *places)
{
    for (int i = 0; i < COUNT; i++)
        players[i] = (struct rating_player){
            .rating = rating_new(),
            .seat = (uint8_t)i,
            .place = places[i],
        };
}

static void rate(struct rating_player *players, const uint8_t *places)
{
    static const uint32_t met[COUNT * COUNT];

    begin(players, places);
    rating_game(players, COUNT, met);
}

/* Equals who tie get the same, and who comes before another never gets less:
 * also two who share the first place of five, whom others' code gives less than
 * the third. */
Test(rating, ties)
{
    static const uint8_t all[][COUNT] = {
        {1, 1, 3, 4, 5}, {1, 2, 3, 4, 5}, {1, 1, 1, 1, 1},
        {1, 2, 2, 2, 5}, {1, 1, 1, 1, 5}, {1, 2, 3, 3, 3},
    };
    struct rating_player p[COUNT];

    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        rate(p, all[k]);
        int64_t sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += p[i].rating.mean - RATING_MEAN;
            for (int m = 0; m < COUNT; m++) {
                if (p[i].place == p[m].place)
                    cr_expect_eq(p[i].rating.mean, p[m].rating.mean);
                if (p[i].place < p[m].place)
                    cr_expect_gt(p[i].rating.mean, p[m].rating.mean,
                                 "%zu: %d, %d", k, i, m);
            }
        }
        cr_expect(sum >= -COUNT && sum <= COUNT, "nothing comes from nowhere");
    }
}

/* In whatever order people are named, each gets the same to the last bit. */
Test(rating, order)
{
    static const uint8_t places[COUNT] = {2, 1, 4, 2, 5};
    struct rating_player p[COUNT], turned[COUNT];
    uint32_t met[COUNT * COUNT], met_turned[COUNT * COUNT];

    begin(p, places);
    for (int i = 0; i < COUNT; i++) {
        p[i].rating.mean += 37123 * i;
        p[i].rating.variance -= INT64_C(9876543210) * i;
        p[i].substitute = i == 3;
        for (int k = 0; k < COUNT; k++)
            met[i * COUNT + k] = (uint32_t)(100 * (i + k) + i * k);
    }
    for (int i = 0; i < COUNT; i++) {
        turned[i] = p[COUNT - 1 - i];
        for (int k = 0; k < COUNT; k++)
            met_turned[i * COUNT + k] =
                met[(COUNT - 1 - i) * COUNT + COUNT - 1 - k];
    }
    rating_game(p, COUNT, met);
    rating_game(turned, COUNT, met_turned);
    for (int i = 0; i < COUNT; i++)
        cr_expect(p[i].rating.mean == turned[COUNT - 1 - i].rating.mean &&
                  p[i].rating.variance ==
                      turned[COUNT - 1 - i].rating.variance);
}

/* The same numbers as ever, on whatever machine: ratings that are stored are
 * computed again from logs and have to come out the same. */
Test(rating, bits)
{
    static const uint8_t places[COUNT] = {1, 2, 3, 4, 5};
    static const uint32_t met[COUNT * COUNT];
    struct rating_player p[COUNT];

    begin(p, places);
    for (int game = 0; game < 10; game++)
        rating_game(p, COUNT, met);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++)
        hash = hash * 31 + (uint64_t)p[i].rating.mean * 7 +
               (uint64_t)p[i].rating.variance;
    cr_expect_eq(hash, UINT64_C(21161854379376771), "%llu",
                 (unsigned long long)hash);
}

/* Who took over a seat gains, or stays as they are, and nobody else's rating
 * depends on them; who had the seat before did not play against them. */
Test(rating, substitutes)
{
    static const uint32_t met[9];
    struct rating_player with[3] = {
        {rating_new(), 0, 1, false},
        {rating_new(), 1, 3, false},
        {rating_new(), 1, 2, true},
    };
    struct rating_player without[2] = {with[0], with[1]};

    rating_game(with, 3, met);
    rating_game(without, 2, met);
    cr_expect_eq(with[0].rating.mean, without[0].rating.mean);
    cr_expect_eq(with[1].rating.mean, without[1].rating.mean);
    cr_expect_eq(with[2].rating.mean, RATING_MEAN, "lost, but not that");
    with[0] = without[0];
    with[0].place = 2;
    with[2].place = 1;
    rating_game(with, 3, met);
    cr_expect_gt(with[2].rating.mean, RATING_MEAN);
}

/* A pair that meets all the time counts less and less, until it has not met for
 * long. */
Test(rating, met)
{
    const int64_t half = RATING_MET_HALF_MS;

    cr_expect_eq(rating_met(1000, 0), 1000);
    cr_expect_eq(rating_met(1000, -5), 1000);
    cr_expect_eq(rating_met(1000, half / 2), 750);
    cr_expect_eq(rating_met(1000, half), 500);
    cr_expect_eq(rating_met(1000, 3 * half), 125);
    cr_expect_eq(rating_met(UINT32_MAX, 32 * half), 0);
    cr_expect_eq(rating_met(UINT32_MAX, 1000 * half), 0);
    int64_t gains[3];
    for (int i = 0; i < 3; i++) {
        uint32_t n = (uint32_t)i * 20 * RATING_MET_ONE;
        const uint32_t met[4] = {0, n, n, 0};
        struct rating_player p[2] = {
            {rating_new(), 0, 1, false},
            {rating_new(), 1, 2, false},
        };
        rating_game(p, 2, met);
        gains[i] = p[0].rating.mean - RATING_MEAN;
    }
    cr_expect(gains[0] > 3 * gains[1] && gains[1] > gains[2] && gains[2] > 0);
}

/* One of two who lets the other win again and again lifts them no higher than a
 * few good games would, and not into the list of the best. */
Test(rating, fraud)
{
    struct rating_player p[2] = {
        {{RATING_MEAN, INT64_C(60000) * 60000}, 0, 1, false},
        {rating_new(), 1, 2, false},
    };
    uint32_t n = 0;

    for (int game = 0; game < 300; game++) {
        n = rating_met(n, INT64_C(12) * 3600 * 1000);
        const uint32_t met[4] = {0, n, n, 0};
        rating_game(p, 2, met);
        n += RATING_MET_ONE;
    }
    cr_expect_lt(p[0].rating.mean, RATING_MEAN + 75000, "%lld",
                 (long long)p[0].rating.mean);
    cr_expect_not(rating_is_sure(&p[0].rating, 1));
}

/* However lopsided, nothing overflows, and a deviation stays within bounds. */
Test(rating, extremes)
{
    static const uint32_t met[4];
    struct rating_player p[2] = {
        {rating_new(), 0, 1, false},
        {rating_new(), 1, 2, false},
    };

    p[0].rating.mean = -(INT64_C(1) << 40);
    p[1].rating.mean = INT64_C(1) << 40;
    rating_game(p, 2, met);
    cr_expect_gt(p[0].rating.mean, -(INT64_C(1) << 40));
    for (int game = 0; game < 3000; game++) {
        p[0].place = (uint8_t)(1 + game % 2);
        p[1].place = (uint8_t)(2 - game % 2);
        rating_game(p, 2, met);
    }
    for (int i = 0; i < 2; i++)
        cr_expect(p[i].rating.variance >= RATING_VARIANCE_MIN &&
                  p[i].rating.variance <= RATING_VARIANCE);
}
