/* tictactoe.c -- the smallest complete game, and the one to copy.
 *
 * Open information, no chance, one player at a time.  Hence no chance(),
 * redact(), redact_move() or guess(); core/README.md tells what those are for. */

#include "tictactoe.h"

#include "../../base.h"
#include "says.h"

enum { CELL_TAKEN = RULES_GAME };

/* ---- words ------------------------------------------------------------ */

/* clang-format off: tables are laid out by hand. */

/* Cells in reading order: columns a to c from the left, rows from the top. */
static const char *const cells[] = {
    "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", NULL,
};
static const struct rules_kind cell_kind = {
    .name = "cell",
    .form = RULES_WORD,
    .words = cells,
};
static const struct rules_word verbs[] = {
    [PLACE] = {"place",
               {{"cell", &cell_kind, false}},
               false,
               SAYS("Put your mark on an empty cell.")},
    {0},
};
static const struct rules_word events[] = {
    [PLACED] = {"placed",
                {{"cell", &cell_kind, false}},
                false,
                SAYS("A mark was put on a cell.")},
    [LINED] = {"lined", {{0}}, false, SAYS("Three marks stand in a line.")},
    {0},
};
static const struct rules_option options[] = {{0}};
static const struct rules_reason reasons[] = {
    {"cell_taken", SAYS("There is a mark on that cell already.")},
    {0},
};
static const struct rules_part parts[] = {
    {"line", SAYS("A line of three")},
    {0},
};

/* clang-format on */

/* ---- rules ------------------------------------------------------------ */

const uint8_t tictactoe_lines[LINES][SIDE] = {
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
    {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6},
};

bool tictactoe_has_line(const uint8_t *cell, int seat)
{
    for (int line = 0; line < LINES; line++) {
        const uint8_t *at = tictactoe_lines[line];
        if (cell[at[0]] == seat && cell[at[1]] == seat && cell[at[2]] == seat)
            return true;
    }
    return false;
}

static int marks(const struct tictactoe *t, int seat)
{
    int n = 0;
    for (int i = 0; i < CELLS; i++)
        n += t->cell[i] == seat;
    return n;
}

static int setup(struct rules_state *s, const struct rules_setup *chosen,
                 const int16_t *option, struct rules_problem *why)
{
    struct tictactoe *t = (struct tictactoe *)s;
    (void)chosen, (void)option, (void)why;
    memset(t->cell, EMPTY, sizeof(t->cell));
    s->acting = RULES_BIT(0);
    return RULES_OK;
}

static void propose(const struct rules_state *s, int seat,
                    struct rules_list *list)
{
    (void)s, (void)seat;
    for (int cell = 0; cell < CELLS; cell++)
        rules_offer(list, &RULES_MOVE(PLACE, cell, RULES_NONE, RULES_NONE));
}

static int check(const struct rules_state *s, int seat,
                 const struct rules_move *move)
{
    const struct tictactoe *t = (const struct tictactoe *)s;
    (void)seat;
    return t->cell[move->arg[0]] == EMPTY ? RULES_OK : CELL_TAKEN;
}

static int apply(struct rules_state *s, int seat,
                 const struct rules_move *move, struct rules_events *out)
{
    struct tictactoe *t = (struct tictactoe *)s;
    int16_t cell = move->arg[0];

    t->cell[cell] = (uint8_t)seat;
    rules_emit(out, PLACED, seat, RULES_EVERYONE, cell, RULES_NONE,
               RULES_NONE);
    s->acting = RULES_BIT(1 - seat);
    if (tictactoe_has_line(t->cell, seat)) {
        s->acting = 0;
        rules_emit(out, LINED, seat, RULES_EVERYONE, RULES_NONE, RULES_NONE,
                   RULES_NONE);
    } else if (marks(t, EMPTY) == 0) {
        s->acting = 0;
    }
    return RULES_OK;
}

static void score(const struct rules_state *s, struct rules_score *score)
{
    const struct tictactoe *t = (const struct tictactoe *)s;
    score->parts = 1;
    for (int seat = 0; seat < 2; seat++)
        score->part[0][seat] = tictactoe_has_line(t->cell, seat);
    rules_sum(score, 2);
    if (rules_over(s))
        rules_rank(score, 2, NULL);
}

/* Marks alternate, and who has a line has ended the game. */
static bool valid(const struct rules_state *s)
{
    const struct tictactoe *t = (const struct tictactoe *)s;
    int lead = marks(t, 0) - marks(t, 1);
    bool won[2] = {tictactoe_has_line(t->cell, 0),
                   tictactoe_has_line(t->cell, 1)};

    if (s->may != 0 || s->ply > (uint32_t)(CELLS - marks(t, EMPTY)) ||
        (lead != 0 && lead != 1) || (won[0] && won[1]) ||
        (won[0] && lead != 1) || (won[1] && lead != 0))
        return false;
    if (won[0] || won[1] || marks(t, EMPTY) == 0)
        return s->acting == 0;
    return s->acting == RULES_BIT(lead);
}

static void fields(struct fields *f, struct rules_state *s)
{
    static const struct fields_as seat_or_none = {.max = 1, .null = true};
    struct tictactoe *t = (struct tictactoe *)s;
    fields_u8s(f, "cells", t->cell, CELLS, &seat_or_none);
}

const struct rules tictactoe_rules = {
    .name = "tictactoe",
    .title = "Tic-tac-toe",
    .revision = 1,
    .seats_min = 2,
    .seats_max = 2,
    .plies_max = CELLS,
    .state_size = sizeof(struct tictactoe),
    .verbs = verbs,
    .events = events,
    .options = options,
    .reasons = reasons,
    .parts = parts,
    .says = SAYS_LISTS(tictactoe_says),
    .setup = setup,
    .propose = propose,
    .check = check,
    .apply = apply,
    .harmless = RULES_KIND(PLACED), /* a cell is free still, or is not */
    .score = score,
    .valid = valid,
    .fields = fields,
};
