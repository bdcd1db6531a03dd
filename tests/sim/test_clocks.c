/* test_clocks.c -- tables with a pace among people who come and go, on a disk that
 * fails, over outages and crashes: every log that is stored is one that the audit
 * accepts, to the millisecond of each deadline; every deadline is decided; and
 * where nobody comes any more each table has an end.
 *
 *     SEED=n build/test/sim/test_clocks    that run alone
 *     RUNS=n build/test/sim/test_clocks    n percent of the usual runs */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "tests/support/crowd.h"
#include "tests/support/games/all.h"
#include "tests/support/scale.h"

static const char *const small[] = {"tictactoe", "kuhn", "roshambo", "haggle",
                                    NULL};
static const char *const large[] = {"hacienda", "hadara", "greement", NULL};

enum { LOBBY, SMALL, LARGE, KINDS };

static const struct habits habits[KINDS] = {
    [LOBBY] = {.name = "a lobby with clocks",
               .people = 5,
               .steps = 6000,
               .fail = 10,
               .crash_per_100000 = 100,
               .jumps_per_100000 = 20,
               .wander = 400,
               .again = 30,
               .spoil = 40,
               .reign = 120,
               .tables = 10,
               .pace = 700,
               .votes = 60,
               .leaps_per_100000 = 1500,
               .deserted = true},
    [SMALL] = {.name = "small games with clocks",
               .people = 6,
               .steps = 12000,
               .fail = 20,
               .crash_per_100000 = 150,
               .jumps_per_100000 = 20,
               .wander = 150,
               .again = 30,
               .spoil = 20,
               .reign = 60,
               .tables = 12,
               .games = small,
               .pace = 900,
               .votes = 150,
               .leaps_per_100000 = 2500,
               .deserted = true},
    [LARGE] = {.name = "large games with clocks",
               .people = 6,
               .steps = 20000,
               .fail = 10,
               .crash_per_100000 = 50,
               .wander = 80,
               .again = 20,
               .spoil = 10,
               .reign = 30,
               .tables = 2,
               .games = large,
               .turns = 4,
               .pace = 1000,
               .votes = 30,
               .leaps_per_100000 = 600,
               .deserted = true},
};

static void print_counts(const char *name, const struct crowd_counts *n)
{
    fprintf(stderr,
            "# %s: %zu runs, %zu steps, %zu moves, %zu undos, %zu rewinds, %zu"
            " plies audited, %zu crashes, %zu failures, %zu outages, %zu"
            " tables with a pace; misses: %zu excused, %zu mild, %zu open, %zu"
            " out, %zu end; votes: %zu to cancel, %zu pause, %zu give, %zu"
            " replace, %zu take back, %zu resume; %zu timeouts, %zu resigned,"
            " %zu abandoned, %zu records verified\n",
            name, n->runs, n->steps, n->moves, n->undos, n->rewinds, n->plies,
            n->crashes, n->failures, n->outages, n->paced,
            n->misses[MISS_EXCUSED], n->misses[MISS_MILD],
            n->misses[MISS_OPEN], n->misses[MISS_OUT], n->misses[MISS_END],
            n->votes[VOTE_CANCEL], n->votes[VOTE_PAUSE], n->votes[VOTE_GIVE],
            n->votes[VOTE_REPLACE], n->votes[VOTE_BACK], n->votes[VOTE_RESUME],
            n->timeouts, n->resigned, n->abandoned, n->records);
}

static void run_many(int kind, size_t runs)
{
    const char *one = getenv("SEED");
    struct crowd_counts n = {0};

    if (one != NULL) {
        uint64_t seed = strtoull(one, NULL, 10);
        if (seed % KINDS != (uint64_t)kind)
            return;
        crowd_run(seed, &habits[kind], &n);
        print_counts(habits[kind].name, &n);
        return;
    }
    for (size_t i = 0; i < runs; i++)
        crowd_run(i * KINDS + (uint64_t)kind, &habits[kind], &n);
    print_counts(habits[kind].name, &n);
    bool all = runs >= 30; /* in make test small games alone */
    for (int then = 0; then < MISS_THENS; then++)
        if (then != MISS_BOT && all)
            cr_assert_gt(n.misses[then], 0, "%s", miss_words[then]);
    for (int about = 0; about < VOTES; about++)
        if (kind == SMALL && all)
            cr_assert_gt(n.votes[about], 0, "%s", vote_words[about]);
}

Test(clocks, lobby)
{
    run_many(LOBBY, scaled(40, 6));
}

Test(clocks, small_games)
{
    run_many(SMALL, scaled(100, 6));
}

Test(clocks, large_games)
{
    run_many(LARGE, scaled(30, 6));
}
