/* test_mind_same.c -- bots think as they did when it was measured how good they
 * are: what they make of positions of each game, down to the last part of a
 * point, and what the search plays.  Who changes a weight on purpose measures
 * again (clients/bot/README.md) and puts the number that is printed here in its
 * place; whoever meant to change nothing has. */

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "core/base.h"
#include "core/mind.h"
#include "tests/support/play.h"

static struct mind_room room;
static struct rules_move moves[MIND_MOVES_MAX];

/* FNV-1a. */
static uint64_t fold(uint64_t sum, int64_t value)
{
    for (int i = 0; i < 8; i++)
        sum = (sum ^ ((uint64_t)value >> (8 * i) & 0xff)) *
              UINT64_C(0x100000001b3);
    return sum;
}

static uint64_t fold_move(uint64_t sum, const struct rules_move *move)
{
    sum = fold(sum, move->verb);
    for (int i = 0; i < RULES_ARGS_MAX; i++)
        sum = fold(sum, move->arg[i]);
    return sum;
}

/* What SEAT makes of what it sees, and, if THOROUGH, of each move worth a
 * thought and by the search; greedy's choice is put into *CHOSEN. */
static uint64_t thought(const struct play *p, int seat, bool thorough,
                        struct rules_move *chosen, uint64_t sum)
{
    struct mind greedy = mind_of(p->r, MIND_GREEDY);
    struct mind search = mind_of(p->r, MIND_SEARCH);
    union rules_any view;

    rules_view(p->r, &p->s.state, seat, &view.state);
    sum = fold(sum, mind_standing(&greedy, &view.state, seat));
    if (!rules_can_move(&p->s.state, seat))
        return sum;
    if (mind_choose(&greedy, &view.state, &room, chosen))
        sum = fold_move(sum, chosen);
    if (!thorough)
        return sum;
    size_t n = mind_consider(&greedy, &view.state, seat, &room, moves,
                             MIND_MOVES_MAX);
    for (size_t i = 0; i < n; i++)
        sum = fold(fold_move(sum, &moves[i]),
                   mind_worth(&greedy, &view.state, &moves[i], i % 2 == 0,
                              &room));
    search.simulations = 12;
    if (mind_choose(&search, &view.state, &room, &moves[0]))
        sum = fold_move(sum, &moves[0]);
    return sum;
}

/* All thoughts of GAMES games; in every second one greedy plays, and else
 * chance, by which positions come that nobody meant. */
static uint64_t thoughts_of(const char *name, size_t games, size_t one_in)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    struct play p = {0};
    struct rules_ply ply;

    for (size_t i = 0; i < games; i++) {
        play_start(&p, play_setup(rules_find(name), 5 * i), i);
        for (size_t n = 0; play_next(&p, &ply); n++) {
            struct rules_move chosen = ply.move;
            bool look = n % 4 == 0;
            for (int seat = 0; look && seat < p.s.state.seats; seat++)
                sum = thought(&p, seat, n % one_in == 0, &chosen, sum);
            if (i % 2 == 0 && ply.seat != RULES_NATURE &&
                rules_check(p.r, &p.s.state, ply.seat, &chosen) == RULES_OK)
                ply.move = chosen;
            play_ply(&p, &ply);
        }
    }
    play_done(&p);
    return sum;
}

static void same(const char *name, size_t games, size_t one_in, uint64_t were)
{
    uint64_t are = thoughts_of(name, games, one_in);

    if (are != were)
        fprintf(stderr, "%s: now 0x%016" PRIx64 "\n", name, are);
    cr_assert(are == were, "%s is thought of otherwise", name);
}

Test(mind_same, hacienda)
{
    same("hacienda", 2, 24, UINT64_C(0x20b1f00f636948d7));
}

Test(mind_same, hadara)
{
    same("hadara", 8, 16, UINT64_C(0xff032b39bfc9a31c));
}

Test(mind_same, greement)
{
    same("greement", 14, 16, UINT64_C(0xbb79bb8fb6a12a54));
}

Test(mind_same, tictactoe)
{
    same("tictactoe", 8, 4, UINT64_C(0xb70d1cb9e01de73d));
}
