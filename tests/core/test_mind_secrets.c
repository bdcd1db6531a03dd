/* test_mind_secrets.c -- a mind cannot know what it may not see: in two worlds
 * that look the same to it, it plays the same.
 *
 * Whole games are played by greedy; at each of its decisions another world is
 * drawn that its view could be a view of, and it is asked there, too.  TWINS=whole
 * asks a hundred thousand times, and ten thousand times with 64 simulations
 * (`make twins`). */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hadara/hadara.h"
#include "core/mind.h"
#include "tests/support/play.h"
#include "tests/support/scale.h"

enum { SIMULATIONS = 64 };

static struct mind_room room;

/* How often it was asked, and how often in worlds that differ. */
static struct {
    size_t asked, differ;
} tally;

static bool whole(void)
{
    const char *twins = getenv("TWINS");
    return twins != NULL && strcmp(twins, "whole") == 0;
}

/* SEAT plays the same in P and in a world that it cannot tell from it. */
static void plays_the_same(struct play *p, const struct mind *mind, int seat)
{
    union rules_any twin, view[2];
    struct rules_move move[2];

    rules_resample(p->r, &p->s.state, seat, &p->dice, &twin.state);
    rules_view(p->r, &p->s.state, seat, &view[0].state);
    rules_view(p->r, &twin.state, seat, &view[1].state);
    tally.asked++;
    tally.differ += !play_same(p->r, &p->s.state, &twin.state);
    bool moves = mind_choose(mind, &view[0].state, &room, &move[0]);
    MUST(p, mind_choose(mind, &view[1].state, &room, &move[1]) == moves);
    if (moves)
        MUST(p, memcmp(&move[0], &move[1], sizeof(move[0])) == 0);
}

/* What is played next: by chance, or by greedy in the place of who is waited
 * for. */
static bool greedy_next(struct play *p, struct rules_ply *ply)
{
    struct mind mind = mind_of(p->r, MIND_GREEDY);
    union rules_any view;

    if (rules_over(&p->s.state))
        return false;
    if (p->s.state.acting == RULES_BIT(RULES_NATURE))
        return play_next(p, ply);
    ply->seat = (uint16_t)__builtin_ctz(p->s.state.acting);
    rules_view(p->r, &p->s.state, ply->seat, &view.state);
    return mind_choose(&mind, &view.state, &room, &ply->move);
}

/* Asks COUNT times, at one decision of ONE_IN; the search, which takes its time,
 * at tables as they usually are. */
static void ask(const char *game, enum mind_level level, size_t count,
                uint32_t one_in)
{
    const struct rules *r = rules_find(game);
    struct mind mind = mind_of(r, level);
    struct play p = {0};
    struct rules_ply ply;

    mind.simulations = SIMULATIONS;
    tally.asked = tally.differ = 0;
    for (uint64_t number = 0; tally.asked < count; number++) {
        size_t setup = level == MIND_SEARCH ? 0 : (size_t)number;
        play_start(&p, play_setup(r, setup), number);
        mind.seed[0] = (uint8_t)number;
        while (tally.asked < count && greedy_next(&p, &ply)) {
            if (ply.seat != RULES_NATURE && rng_below(&p.dice, one_in) == 0)
                plays_the_same(&p, &mind, ply.seat);
            play_ply(&p, &ply);
        }
    }
    cr_log_info("%s: %zu asked, %zu in worlds that differ", game, tally.asked,
                tally.differ);
    cr_assert_gt(5 * tally.differ, tally.asked, "little was hidden");
    play_done(&p);
}

Test(mind_secrets, hacienda)
{
    ask("hacienda", MIND_GREEDY, whole() ? 100000 : scaled(1000, 15), 2);
    ask("hacienda", MIND_SEARCH, whole() ? 10000 : scaled(40, 15), 10);
}

Test(mind_secrets, hadara)
{
    ask("hadara", MIND_GREEDY, whole() ? 100000 : scaled(1000, 15), 2);
    ask("hadara", MIND_SEARCH, whole() ? 10000 : scaled(60, 15), 10);
}

/* What would be found: a view in which the hidden is left, and a mind that plays
 * by it. */
static bool peek(const struct rules_state *s, int seat,
                 const struct rules_move *move, int64_t *ret_worth)
{
    const struct hadara *h = (const struct hadara *)s;
    int hidden = h->player[(seat + 1) % s->seats].drawn[0];

    *ret_worth = hidden % 2 ? move->arg[0] : -move->arg[0];
    return true;
}

Test(mind_secrets, planted)
{
    struct rules open = hadara_rules;
    struct rules_mind peeking = *mind_find(&hadara_rules);
    struct mind mind = mind_of(&hadara_rules, MIND_GREEDY);
    struct play p = {0};
    struct rules_ply ply;
    size_t others = 0;

    open.redact = NULL;
    peeking.judge_move = peek;
    mind.rules = &open;
    mind.own = &peeking;
    play_start(&p, play_setup(&hadara_rules, 0), 1);
    for (; greedy_next(&p, &ply); play_ply(&p, &ply)) {
        union rules_any twin;
        struct rules_move move[2];
        if (((const struct hadara *)&p.s)->stage != STAGE_CHOOSE ||
            ply.seat == RULES_NATURE)
            continue;
        rules_resample(p.r, &p.s.state, ply.seat, &p.dice, &twin.state);
        twin.state.viewer = (uint8_t)ply.seat;
        cr_assert(mind_choose(&mind, &twin.state, &room, &move[0]));
        rules_view(&open, &p.s.state, ply.seat, &twin.state);
        cr_assert(mind_choose(&mind, &twin.state, &room, &move[1]));
        others += memcmp(&move[0], &move[1], sizeof(move[0])) != 0;
    }
    cr_assert_gt(others, 0);
    play_done(&p);
}
