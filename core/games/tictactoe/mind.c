/* mind.c -- playing tic-tac-toe, and the mind to copy: small enough to be solved,
 * so that the search has nothing to do. */

#include "../../base.h"
#include "../../mind.h"
#include "tictactoe.h"

/* ---- one ply ahead ------------------------------------------------------ */

/* What a line is worth that has so many own marks and no other's: a line of
 * three is what it is all about. */
static const int32_t line_worth[SIDE + 1] = {0, 1, 8, MIND_POINT};

static int64_t judge(const struct rules_state *s, int seat)
{
    const struct tictactoe *t = (const struct tictactoe *)s;
    int64_t worth = 0;

    for (int line = 0; line < LINES; line++) {
        int own = 0, others = 0;
        for (int i = 0; i < SIDE; i++) {
            int mark = t->cell[tictactoe_lines[line][i]];
            own += mark == seat;
            others += mark != seat && mark != EMPTY;
        }
        if (others == 0)
            worth += line_worth[own];
    }
    return worth;
}

/* ---- to the end --------------------------------------------------------- */

/* What comes of it for SEAT, to move on CELL, if both play as well as they can:
 * cells that are left plus 1 if it wins, the same less than 0 if it loses, so
 * that a win comes soon and a loss late; and *BEST, the first cell that does it.
 * Nothing better than ENOUGH is looked for. */
static int outcome(uint8_t *cell, int seat, int left, int enough, int *best)
{
    int most = -(CELLS + 2), next;

    *best = 0;
    if (left == 0)
        return 0;
    for (int i = 0; i < CELLS && most < enough; i++) {
        if (cell[i] != EMPTY)
            continue;
        cell[i] = (uint8_t)seat;
        int found = tictactoe_has_line(cell, seat)
                        ? left
                        : -outcome(cell, 1 - seat, left - 1, -most, &next);
        cell[i] = EMPTY;
        if (found > most) {
            most = found;
            *best = i;
        }
    }
    return most;
}

static void solve(const struct rules_state *s, int seat,
                  struct rules_move *move)
{
    uint8_t cell[CELLS];
    int left = 0, best;

    for (int i = 0; i < CELLS; i++) {
        cell[i] = ((const struct tictactoe *)s)->cell[i];
        left += cell[i] == EMPTY;
    }
    (void)outcome(cell, seat, left, CELLS + 1, &best);
    *move = RULES_MOVE(PLACE, best, RULES_NONE, RULES_NONE);
}

const struct rules_mind tictactoe_mind = {
    .rules = &tictactoe_rules,
    .judge = judge,
    .solve = solve,
    .plies = CELLS,
};
