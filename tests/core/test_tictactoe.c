/* test_tictactoe.c -- tic-tac-toe, the game to copy: its few rules, each. */

#include <criterion/criterion.h>

#include "core/base.h"
#include "core/rules.h"
#include "core/text.h"

static const struct rules *game(void)
{
    return rules_find("tictactoe");
}

static union rules_any table;
static struct rules_events events;

/* Plays cells in turn from the start, "a1 b2 ..."; what the last one said. */
static int play(const char *cells)
{
    int answer = RULES_OK;
    rules_setup(game(), &table.state, &(struct rules_setup){.seats = 2}, NULL);
    for (int ply = 0; *cells != '\0'; ply++) {
        int16_t cell;
        const struct rules_kind *kind = game()->verbs[0].arg[0].kind;
        cr_assert(text_word_read(kind, &table.state, cells, 2, &cell));
        answer = rules_apply(game(), &table.state, ply % 2,
                             &RULES_MOVE(0, cell, RULES_NONE, RULES_NONE),
                             &events);
        cells += cells[2] == ' ' ? 3 : 2;
    }
    return answer;
}

static struct rules_score score(void)
{
    struct rules_score s;
    rules_score(game(), &table.state, &s);
    return s;
}

/* Seat 0 begins; they alternate. */
Test(tictactoe, turns)
{
    play("");
    cr_assert_eq(table.state.acting, RULES_BIT(0));
    play("a1");
    cr_assert_eq(table.state.acting, RULES_BIT(1));
    play("a1 b2");
    cr_assert_eq(table.state.acting, RULES_BIT(0));
}

/* A cell holds one mark. */
Test(tictactoe, cell_taken)
{
    cr_assert_str_eq(rules_reason(game(), play("a1 a1")), "cell_taken");
    cr_assert_str_eq(rules_reason(game(), play("a1 b2 b2")), "cell_taken");
}

/* Each of the eight lines ends the game and wins it. */
Test(tictactoe, lines)
{
    static const char *const won[] = {
        "a1 a2 b1 b2 c1", "a2 a1 b2 b1 c2", "a3 a1 b3 b1 c3", "a1 b1 a2 b2 a3",
        "b1 a1 b2 a2 b3", "c1 a1 c2 a2 c3", "a1 b1 b2 a2 c3", "c1 b1 b2 a2 a3",
    };
    for (size_t i = 0; i < COUNT_OF(won); i++) {
        cr_assert_eq(play(won[i]), RULES_OK);
        cr_assert(rules_over(&table.state), "%s", won[i]);
        cr_assert_eq(events.count, 2);
        cr_assert_eq(score().total[0], 1);
        cr_assert_eq(score().place[0], 1);
        cr_assert_eq(score().place[1], 2);
    }
}

/* The second player can win too. */
Test(tictactoe, second_wins)
{
    play("a1 a3 a2 b3 b1 c3");
    cr_assert(rules_over(&table.state));
    cr_assert_eq(score().place[1], 1);
    cr_assert_eq(score().place[0], 2);
}

/* A full board without a line is shared; a line on the last cell wins. */
Test(tictactoe, full_board)
{
    play("a1 b1 c1 b2 a2 c2 b3 a3 c3");
    cr_assert(rules_over(&table.state));
    cr_assert_eq(score().place[0], 1);
    cr_assert_eq(score().place[1], 1);
    cr_assert_eq(score().total[0] + score().total[1], 0);
    play("a1 b1 c1 a2 c2 b3 a3 c3 b2");
    cr_assert(rules_over(&table.state));
    cr_assert_eq(score().place[0], 1);
    cr_assert_eq(score().place[1], 2);
}

/* When it is over, it is over. */
Test(tictactoe, game_over)
{
    cr_assert_eq(play("a1 a2 b1 b2 c1 c2"), RULES_GAME_OVER);
}
