/* rating.c -- rates the games that it reads, for test_rating.py.
 *
 * A line for a game: how many players, then for each mean, variance, seat, place
 * and whether they are a substitute, then how often each two had met.  A line is
 * printed for it: means and variances. */

#include <inttypes.h>
#include <stdio.h>

#include "core/base.h"
#include "core/rating.h"

static int64_t number(void)
{
    int64_t value = 0;

    ASSERT(scanf("%" SCNd64, &value) == 1);
    return value;
}

static void rate(int count)
{
    struct rating_player players[RATING_PLAYERS_MAX];
    uint32_t met[RATING_PLAYERS_MAX * RATING_PLAYERS_MAX] = {0};

    ASSERT(count <= RATING_PLAYERS_MAX);
    for (int i = 0; i < count; i++) {
        players[i].rating.mean = number();
        players[i].rating.variance = number();
        players[i].seat = (uint8_t)number();
        players[i].place = (uint8_t)number();
        players[i].substitute = number() != 0;
    }
    for (int i = 0; i < count * count; i++)
        met[i] = (uint32_t)number();
    rating_game(players, count, met);
    for (int i = 0; i < count; i++)
        printf("%" PRId64 " %" PRId64 "%c", players[i].rating.mean,
               players[i].rating.variance, i + 1 < count ? ' ' : '\n');
    (void)fflush(stdout);
}

int main(void)
{
    int count;

    while (scanf("%d", &count) == 1)
        rate(count);
    return 0;
}
