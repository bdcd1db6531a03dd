/* test_nodes.c -- several hubs on one store, among people who come to any of
 * them: what tests/support/crowd.h promises, whichever they come to.  Each of
 * the hubs fails, dies, and stands still while the others go on; what it hears
 * of them comes late, twice or not at all.
 *
 *     SEED=n build/test/sim/test_nodes   that run alone
 *     RUNS=n build/test/sim/test_nodes   n percent of the usual runs */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "tests/support/crowd.h"
#include "tests/support/games/all.h"
#include "tests/support/scale.h"

static const char *const small[] = {"tictactoe", "kuhn", "roshambo", "haggle",
                                    NULL};
static const char *const greement[] = {"greement", NULL};

enum { LOBBY, SMALL, GREEMENT, KINDS };

static const struct habits habits[KINDS] = {
    [LOBBY] = {.name = "lobby",
               .people = 6,
               .steps = 8000,
               .fail = 10,
               .crash_per_100000 = 100,
               .wander = 400,
               .again = 30,
               .spoil = 60,
               .reign = 120,
               .tables = 10,
               .nodes = 2},
    [SMALL] = {.name = "small games",
               .people = 6,
               .steps = 20000,
               .fail = 10,
               .crash_per_100000 = 60,
               .wander = 150,
               .again = 40,
               .spoil = 20,
               .reign = 100,
               .tables = 10,
               .games = small,
               .nodes = 2},
    [GREEMENT] = {.name = "greement",
                  .people = 7,
                  .steps = 150000,
                  .fail = 4,
                  .crash_per_100000 = 20,
                  .wander = 40,
                  .again = 15,
                  .spoil = 10,
                  .reign = 100,
                  .tables = 2,
                  .games = greement,
                  .turns = 3,
                  .nodes = 1},
};

/* MOVES and FINISHED games are about half of what a hundred runs reach. */
static void run_many(int kind, size_t runs, size_t moves, size_t finished)
{
    const char *one = getenv("SEED");
    struct crowd_counts n = {0};
    size_t over = 0;

    if (one != NULL && strtoull(one, NULL, 10) % KINDS == (uint64_t)kind)
        crowd_run(strtoull(one, NULL, 10), &habits[kind], &n);
    for (size_t i = 0; i < runs && one == NULL; i++)
        crowd_run(i * KINDS + (uint64_t)kind, &habits[kind], &n);
    for (size_t i = 0; i < CROWD_GAMES; i++)
        over += n.finished[i];
    fprintf(stderr,
            "# %s: %zu runs, %zu steps, %zu requests (%zu refused), %zu moves,"
            " %zu duplicates, %zu updates, %zu compared, %zu resumed, %zu"
            " crashes, %zu failures, %zu stood still, %zu left, %zu dropped,"
            " %zu texts, %zu games over, %zu records\n",
            habits[kind].name, n.runs, n.steps, n.requests, n.refused, n.moves,
            n.duplicates, n.updates, n.compared, n.resumed, n.crashes,
            n.failures, n.frozen, n.leaves, n.drops, n.texts, over, n.records);
    if (one != NULL)
        return;
    cr_assert(runs < 10 || n.texts > 0);
    /* Of a few runs, which may be short ones, only some move is expected. */
    cr_assert(runs < 10 ? n.moves > 0 : n.moves * 100 >= runs * moves);
    cr_assert(runs < 10 || over * 100 >= runs * finished);
    cr_assert(runs < 10 || (n.frozen > 0 && n.crashes > 0 && n.failures > 0));
}

Test(nodes, lobby)
{
    run_many(LOBBY, scaled(40, 6), 900, 15);
}

Test(nodes, small_games)
{
    run_many(SMALL, scaled(40, 6), 3500, 240);
}

Test(nodes, greement)
{
    run_many(GREEMENT, scaled(10, 2), 8000, 50);
}
