/* test_hacienda_boards.c -- Hacienda is played on all boards there are: the
 * built-in ones and the community's, beside the tree or where $HAZ_COMMUNITY
 * says. */

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"

#define COMMUNITY "../shared/data/hacienda/community"

enum { COMMUNITY_BOARDS = 83 };

static const struct rules *const R = &hacienda_rules;

static union rules_any s;

/* Random play of SEATS by NUMBER to the end: one of the verbs, then one of its
 * moves, ending a turn only when it has come to three actions or nothing else
 * is drawn three times. */
static void pick(struct rng *rng, struct rules_move *move)
{
    static struct rules_choice choice[RULES_MOVES_MAX];
    int seat = __builtin_ctz(s.state.acting);
    size_t n = rules_legal(R, &s.state, seat, -1, choice, RULES_MOVES_MAX);

    cr_assert(n > 0 && n < 18000, "%zu legal moves", n);
    for (int tries = 0; tries < 4; tries++) {
        size_t at = rng_below(rng, (uint32_t)n);
        uint16_t verb = (uint16_t)rng_below(rng, END_TURN + 1);
        for (size_t i = 0; i < n && choice[at].move.verb != verb; i++)
            at = (at + 1) % n;
        *move = choice[at].move;
        if (move->verb != END_TURN)
            return;
    }
}

static uint32_t play_out(struct rng *rng)
{
    struct rules_events events;
    struct rules_move move;

    while (!rules_over(&s.state)) {
        int seat = __builtin_ctz(s.state.acting);
        if (seat == RULES_NATURE)
            rules_chance(R, &s.state, rng, &move);
        else
            pick(rng, &move);
        cr_assert_eq(rules_apply(R, &s.state, seat, &move, &events), RULES_OK);
        if (s.state.ply % 64 == 0)
            cr_assert(rules_valid(R, &s.state));
    }
    cr_assert(rules_valid(R, &s.state));
    return s.state.ply;
}

static void play_board(const char *name, const struct rules_setup *setup,
                       uint64_t number)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "boards";
    struct rules_problem why;
    struct rules_score score;
    struct rng rng;

    int refusal = rules_setup(R, &s.state, setup, &why);
    cr_assert_eq(refusal, RULES_OK, "%s: %s, line %u", name, why.rule,
                 why.line);
    rng_init(&rng, seed, number);
    cr_assert_gt(play_out(&rng), 50, "%s", name);
    rules_score(R, &s.state, &score);
    int winners = 0;
    for (int seat = 0; seat < s.state.seats; seat++)
        winners += score.place[seat] == 1;
    cr_assert_gt(winners, 0);
}

/* Boards: the built-in ones, with every number of players. */
Test(hacienda_boards, built_in)
{
    for (const struct rules_asset *a = R->assets; a->name != NULL; a++)
        for (int seats = 2; seats <= 5; seats++) {
            struct rules_setup setup = {
                .seats = strcmp(a->name, "crucible") == 0 ? 2 : seats,
                .asset_name = a->name,
            };
            play_board(a->name, &setup, (uint64_t)seats);
        }
}

static int is_board(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".haz") == 0;
}

static size_t load(const char *folder, const char *name, char *text)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    size_t len = fread(text, 1, HAZ_BYTES_MAX, file);
    fclose(file);
    return len;
}

/* Boards: each of the community's can be set up, and a random game on it
 * comes to its end. */
Test(hacienda_boards, community)
{
    static char text[HAZ_BYTES_MAX];
    const char *folder = getenv("HAZ_COMMUNITY");
    struct dirent **entry;

    if (folder == NULL)
        folder = COMMUNITY;
    int n = scandir(folder, &entry, is_board, alphasort);
    if (n < 0)
        cr_skip_test("there is no %s; $HAZ_COMMUNITY can say where", folder);
    cr_assert_eq(n, COMMUNITY_BOARDS);
    for (int i = 0; i < n; i++) {
        struct rules_setup setup = {.seats = 2 + i % 4, .asset = text};
        setup.asset_len = load(folder, entry[i]->d_name, text);
        play_board(entry[i]->d_name, &setup, (uint64_t)i);
        free(entry[i]);
    }
    free(entry);
}
