/* test_mind.c -- what every mind promises: it thinks of legal moves, always of
 * one, and of the same whoever asks; what it plays follows from the view, the
 * seed and the simulations. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/mind.h"
#include "tests/support/play.h"

static struct mind_room room, other_room;
static struct rules_move considered[2][MIND_MOVES_MAX];

static bool same_move(const struct rules_move *a, const struct rules_move *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* ---- moves worth a thought ----------------------------------------------- */

/* They are legal and none comes twice; who is waited for has one; a list that is
 * too short for all of them has the first; and the true state, which knows more,
 * makes no other. */
static void considers(struct play *p, const struct mind *mind,
                      const struct rules_state *view, int seat)
{
    size_t n = mind_consider(mind, view, seat, &room, considered[0],
                             MIND_MOVES_MAX);

    MUST(p, n > 0 || !(view->acting & RULES_BIT(seat)));
    for (size_t i = 0; i < n; i++) {
        MUST(p, rules_check(p->r, view, seat, &considered[0][i]) == RULES_OK);
        for (size_t k = 0; k < i; k++)
            MUST(p, !same_move(&considered[0][i], &considered[0][k]));
    }
    MUST(p, mind_consider(mind, &p->s.state, seat, &room, considered[1],
                          MIND_MOVES_MAX) == n);
    MUST(p, memcmp(considered[0], considered[1],
                   n * sizeof(considered[0][0])) == 0);
    if (n == 0)
        return;
    MUST(p, mind_consider(mind, view, seat, &room, considered[1], 1) == 1);
    MUST(p, same_move(&considered[0][0], &considered[1][0]));
}

/* Its own prospects are the same on its view and in truth. */
static void judges(struct play *p, const struct mind *mind,
                   const struct rules_state *view, int seat)
{
    if (mind->own->judge != NULL)
        MUST(p, mind->own->judge(view, seat) ==
                    mind->own->judge(&p->s.state, seat));
}

/* ---- what is played ------------------------------------------------------- */

/* A legal move, the same one whatever was in the room before. */
static void chooses(struct play *p, enum mind_level level, uint16_t budget,
                    const struct rules_state *view, int seat)
{
    struct mind mind = mind_of(p->r, level);
    struct rules_move move, again;

    mind.simulations = budget;
    mind.seed[0] = (uint8_t)p->number;
    bool moves = mind_choose(&mind, view, &room, &move);
    MUST(p, moves || !(view->acting & RULES_BIT(seat)));
    memset(&other_room, 0xa5, sizeof(other_room));
    MUST(p, mind_choose(&mind, view, &other_room, &again) == moves);
    if (!moves)
        return;
    MUST(p, same_move(&move, &again));
    MUST(p, rules_check(p->r, view, seat, &move) == RULES_OK);
}

static void before(struct play *p, const struct rules_ply *ply)
{
    const struct rules_state *s = &p->s.state;
    struct mind mind = mind_of(p->r, MIND_GREEDY);

    (void)ply;
    for (int seat = 0; p->look && seat < s->seats; seat++) {
        union rules_any view;
        if (!rules_can_move(s, seat))
            continue;
        rules_view(p->r, s, seat, &view.state);
        considers(p, &mind, &view.state, seat);
        judges(p, &mind, &view.state, seat);
        chooses(p, MIND_RANDOM, 0, &view.state, seat);
        chooses(p, MIND_GREEDY, 0, &view.state, seat);
        if (rng_below(&p->dice, 8) == 0)
            chooses(p, MIND_SEARCH, 24, &view.state, seat);
    }
}

static const struct play_suite suite = {NULL, before, NULL, NULL};

PLAY(mind, &suite, hacienda, 12, 60)
PLAY(mind, &suite, hadara, 24, 12)
PLAY(mind, &suite, greement, 24, 200)
PLAY(mind, &suite, tictactoe, 60, 1)
PLAY(mind, &suite, kuhn, 200, 1)
PLAY(mind, &suite, roshambo, 200, 1)
PLAY(mind, &suite, haggle, 60, 1)
PLAY_OTHERS(mind, &suite, 20, 12)

/* ---- levels ---------------------------------------------------------------- */

/* The levels have the words by which people choose them. */
Test(mind, words)
{
    cr_assert_str_eq(mind_level_words[MIND_RANDOM], "random");
    cr_assert_str_eq(mind_level_words[MIND_GREEDY], "greedy");
    cr_assert_str_eq(mind_level_words[MIND_SEARCH], "search");
    cr_assert_null(mind_level_words[MIND_LEVELS]);
}

/* A game that nobody has taught anything about is played by its score. */
Test(mind, plain)
{
    struct play p = {0};
    for (size_t i = 0; play_game(i) != NULL; i++) {
        const struct rules *r = play_game(i);
        cr_assert_not_null(mind_find(r));
        if (strcmp(r->name, "kuhn") == 0)
            cr_assert_null(mind_find(r)->judge);
    }
    play_done(&p);
}

/* Random plays otherwise with another seed, and at another ply. */
Test(mind, random_is_random)
{
    struct mind mind = mind_of(rules_find("tictactoe"), MIND_RANDOM);
    union rules_any s;
    struct rules_move move;
    unsigned met = 0, at_plies = 0;

    rules_setup(mind.rules, &s.state, &(struct rules_setup){.seats = 2}, NULL);
    s.state.viewer = 0;
    for (int seed = 0; seed < 100; seed++) {
        mind.seed[0] = (uint8_t)seed;
        cr_assert(mind_choose(&mind, &s.state, &room, &move));
        met |= 1u << move.arg[0];
    }
    cr_assert_eq(met, 0x1ff, "each cell");
    for (unsigned ply = 0; ply < 100; ply++) {
        s.state.ply = ply;
        cr_assert(mind_choose(&mind, &s.state, &room, &move));
        at_plies |= 1u << move.arg[0];
    }
    cr_assert_eq(at_plies, 0x1ff);
}

/* How often the search plays something else than greedy in a game of Hadara, with
 * so many standard errors of doubt. */
static size_t departures(uint8_t doubt)
{
    const struct rules *r = rules_find("hadara");
    struct mind greedy = mind_of(r, MIND_GREEDY);
    struct mind search = mind_of(r, MIND_SEARCH);
    struct rules_mind own = *search.own;
    struct play p = {0};
    struct rules_ply ply;
    size_t n = 0;

    own.doubt = doubt;
    search.own = &own;
    search.simulations = 48;
    play_start(&p, play_setup(r, 0), 4);
    for (; play_next(&p, &ply); play_ply(&p, &ply)) {
        struct rules_move move[2];
        union rules_any view;
        if (ply.seat == RULES_NATURE ||
            !(p.s.state.acting & RULES_BIT(ply.seat)))
            continue;
        rules_view(r, &p.s.state, ply.seat, &view.state);
        cr_assert(mind_choose(&greedy, &view.state, &room, &move[0]));
        cr_assert(mind_choose(&search, &view.state, &room, &move[1]));
        n += !same_move(&move[0], &move[1]);
    }
    play_done(&p);
    return n;
}

/* Greedy's move stays unless another is better beyond doubt. */
Test(mind, doubt)
{
    cr_assert_gt(departures(1), 0);
    cr_assert_eq(departures(255), 0);
}

/* ---- tic-tac-toe is solved ------------------------------------------------ */

/* Every game that can be played against who searches as SEAT; it may lose
 * none. */
static void never_loses(const struct rules_state *s, int seat, size_t *games)
{
    static struct rules_events events;
    struct mind mind = mind_of(rules_find("tictactoe"), MIND_SEARCH);
    struct rules_score score;
    struct rules_choice choice[9];
    union rules_any view, next;
    size_t n = 1;

    if (rules_over(s)) {
        rules_score(mind.rules, s, &score);
        cr_assert_eq(score.place[seat], 1, "lost, or drawn at worst");
        ++*games;
        return;
    }
    if (s->acting & RULES_BIT(seat)) {
        rules_view(mind.rules, s, seat, &view.state);
        cr_assert(mind_choose(&mind, &view.state, &room, &choice[0].move));
    } else {
        n = rules_legal(mind.rules, s, 1 - seat, -1, choice, 9);
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(&next, s, mind.rules->state_size);
        cr_assert_eq(rules_apply(mind.rules, &next.state,
                                 __builtin_ctz(s->acting), &choice[i].move,
                                 &events),
                     RULES_OK);
        never_loses(&next.state, seat, games);
    }
}

Test(mind, tictactoe_is_solved)
{
    union rules_any s;
    size_t games = 0;

    for (int seat = 0; seat < 2; seat++) {
        rules_setup(rules_find("tictactoe"), &s.state,
                    &(struct rules_setup){.seats = 2}, NULL);
        never_loses(&s.state, seat, &games);
    }
    cr_assert_gt(games, 100);
}

/* It wins where it can, at once, and greedy does so, too, and sees no further. */
Test(mind, tictactoe_wins)
{
    const struct rules *r = rules_find("tictactoe");
    static const int16_t cells[] = {0, 3, 1, 4}; /* a1 a2 b1 b2 */
    static struct rules_events events;
    union rules_any s;
    struct rules_move move;

    rules_setup(r, &s.state, &(struct rules_setup){.seats = 2}, NULL);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(rules_apply(r, &s.state, i % 2,
                                 &RULES_MOVE(0, cells[i], RULES_NONE,
                                             RULES_NONE),
                                 &events),
                     RULES_OK);
    s.state.viewer = 0;
    for (int level = MIND_GREEDY; level <= MIND_SEARCH; level++) {
        struct mind mind = mind_of(r, (enum mind_level)level);
        cr_assert(mind_choose(&mind, &s.state, &room, &move));
        cr_assert_eq(move.arg[0], 2, "c1");
    }
}
