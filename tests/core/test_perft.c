/* test_perft.c -- how many ways there are to play so many plies.
 *
 * Counts known from elsewhere prove a move generator; pinned ones tell that it
 * has changed.  Seats that may move or must are all tried in turn, a choice
 * with a range counts as many moves as it stands for.
 *
 * Nature's plies count like any other: all that it could draw, each once,
 * however likely.  In Hacienda the cards are first dealt with fixed chance, so
 * that the counts begin where players do. */

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/board.h"
#include "tests/support/games/toys.h"
#include "tests/support/play.h"

enum { MOVES = 2000 };

static uint64_t perft(const struct rules *r, const struct rules_state *s,
                      int depth);

static uint64_t after(const struct rules *r, const struct rules_state *s,
                      int seat, const struct rules_choice *choice, int depth)
{
    static struct rules_events events;
    struct rules_move move = choice->move;
    uint64_t nodes = 0;

    for (int value = choice->min; value <= choice->max; value++) {
        union rules_any next;
        if (choice->ranged >= 0)
            move.arg[choice->ranged] = (int16_t)value;
        memcpy(&next, s, r->state_size);
        cr_assert_eq(rules_apply(r, &next.state, seat, &move, &events),
                     RULES_OK);
        nodes += perft(r, &next.state, depth - 1);
        if (choice->ranged < 0)
            break;
    }
    return nodes;
}

static uint64_t perft(const struct rules *r, const struct rules_state *s,
                      int depth)
{
    struct rules_choice legal[MOVES];
    uint64_t nodes = 0;

    if (depth == 0)
        return 1;
    for (int seat = 0; seat <= RULES_NATURE; seat++) {
        size_t n = rules_legal(r, s, seat, -1, legal, MOVES);
        cr_assert_leq(n, MOVES);
        for (size_t i = 0; i < n; i++)
            nodes += after(r, s, seat, &legal[i], depth);
    }
    return nodes;
}

static void pinned(const char *what, const struct rules *r,
                   const struct rules_state *s, const uint64_t *known,
                   size_t depths)
{
    for (size_t depth = 0; depth < depths; depth++) {
        uint64_t nodes = perft(r, s, (int)depth);
        cr_log_info("%s %zu: %" PRIu64, what, depth, nodes);
        cr_assert_eq(nodes, known[depth],
                     "%s %zu: %" PRIu64 " instead of %" PRIu64, what, depth,
                     nodes, known[depth]);
    }
}

#define PINNED(what, r, s, ...) \
    pinned(what, r, s, (const uint64_t[]){__VA_ARGS__}, \
           COUNT_OF(((const uint64_t[]){__VA_ARGS__})))

static const struct rules_state *set_up(const struct rules *r, int seats,
                                        const char *asset)
{
    static union rules_any s;
    cr_assert_eq(rules_setup(r, &s.state,
                             &(struct rules_setup){.seats = seats,
                                                   .asset_name = asset},
                             NULL),
                 RULES_OK);
    return &s.state;
}

/* Sequences of n moves, counted elsewhere long before us. */
Test(perft, tictactoe)
{
    const struct rules *r = rules_find("tictactoe");
    PINNED("tictactoe", r, set_up(r, 2, NULL), 1, 9, 72, 504, 3024, 15120,
           54720, 148176, 200448, 127872);
}

/* Kuhn's own game: 3 x 2 deals, and then pp, pbp, pbb, bp or bb. */
Test(perft, kuhn)
{
    static const int16_t once_in_secret[] = {1, 0};
    union rules_any s;
    rules_setup(&kuhn_rules, &s.state,
                &(struct rules_setup){.seats = 2, .options = once_in_secret},
                NULL);
    PINNED("kuhn", &kuhn_rules, &s.state, 1, 3, 6, 12, 24, 12, 0);
}

/* Either begins with one of 3; then the other ends the round with one of 3, or
 * the same takes one of 2 others: 6 x 5; then there are 6 again, or 5. */
Test(perft, roshambo)
{
    PINNED("roshambo", &roshambo_rules, set_up(&roshambo_rules, 2, NULL), 1, 6,
           6 * (3 + 2), 6 * (3 * 6 + 2 * 5));
}

/* Either begins; then 100 face-down squares, each of four kinds; and where it
 * was no land, the same player picks one of 99. */
Test(perft, greement)
{
    const struct rules *r = rules_find("greement");
    PINNED("greement", r, set_up(r, 2, NULL), 1, 2, 200, 800);
}

/* The order of five segments; five setup cards, then four; five places of the
 * wheel. */
Test(perft, hadara)
{
    const struct rules *r = rules_find("hadara");
    PINNED("hadara", r, set_up(r, 2, NULL), 1, 120, 120 * 5, 120 * 5 * 4,
           120 * 5 * 4 * 5);
}

/* ---- Hacienda ---------------------------------------------------------- */

/* The table of SETUP with its cards dealt. */
static const struct rules_state *dealt(struct rules_setup setup)
{
    static struct play p;
    static struct play_setup kept;

    kept.rules = rules_find("hacienda");
    kept.setup = setup;
    play_start(&p, &kept, 1);
    while (p.s.state.acting == RULES_BIT(RULES_NATURE))
        play_on(&p, 1);
    return &p.s.state;
}

/* A board of five rows, small enough to look far ahead. */
static struct rules_setup tiny_board(void)
{
    static const char *const rows[] = {"mpf", "pMpe", "sp.", "rwpp", "ppM"};
    static const char codes[] = ".pefsrm?Mw"; /* enum ground */
    static char text[4096];
    struct board board = {.cols = 5, .rows = 7};
    int hex = 0;

    for (size_t y = 0; y < COUNT_OF(rows); y++)
        for (const char *c = rows[y]; *c != '\0'; c++)
            board.ground[hex++] = (uint8_t)(strchr(codes, *c) - codes);
    cr_assert_eq(hex, board_hexes(board.cols, board.rows));
    size_t len = haz_write(&board, NULL, text, sizeof(text));
    return (struct rules_setup){.seats = 2, .asset = text, .asset_len = len};
}

/* All that players and chance can do there in four plies. */
Test(perft, hacienda_tiny)
{
    PINNED("hacienda tiny", rules_find("hacienda"), dealt(tiny_board()), 1, 26,
           357, 5343, 41480);
}

/* The Crucible, where cards are fewer. */
Test(perft, hacienda_crucible)
{
    const struct rules_setup setup = {.seats = 2, .asset_name = "crucible"};
    PINNED("hacienda crucible", rules_find("hacienda"), dealt(setup), 1, 194,
           6601, 185689);
}

/* The usual board, for three. */
Test(perft, hacienda_symmetric)
{
    const struct rules_setup setup = {.seats = 3};
    PINNED("hacienda symmetric", rules_find("hacienda"), dealt(setup), 1, 640,
           50314);
}
