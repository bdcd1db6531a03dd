/* guide.c -- a first game of tic-tac-toe, led; and the guide to copy. */

#include "../../guide.h"
#include "tictactoe.h"

/* ---- when ----------------------------------------------------------------- */

/* Whether a mark of SEAT on CELL would end the game. */
static bool lines_up(const struct rules_state *view, int seat, int cell)
{
    struct tictactoe t = *(const struct tictactoe *)view;

    t.cell[cell] = (uint8_t)seat;
    return tictactoe_has_line(t.cell, seat);
}

static bool always(const struct rules_state *view,
                   const struct rules_move *move)
{
    (void)view, (void)move;
    return true;
}

static bool wins(const struct rules_state *view, const struct rules_move *move)
{
    return lines_up(view, view->viewer, move->arg[0]);
}

static bool keeps_off(const struct rules_state *view,
                      const struct rules_move *move)
{
    return lines_up(view, 1 - view->viewer, move->arg[0]);
}

/* clang-format off: tables are laid out by hand. */

static const struct guide_step steps[] = {
    {"board", GUIDE_BOARD, always},
    {"win", GUIDE_MOVE, wins},
    {"block", GUIDE_MOVE, keeps_off},
    {"place", GUIDE_MOVE, always},
    {0},
};

/* ---- in words --------------------------------------------------------------- */

static const char *const moves_en[] = {"Put your mark on {cell}."};
static const char *const moves_fr[] = {"Mettez votre marque en {cell}."};

static const char *const steps_en[] = {
    ("Nine cells. You and your opponent put a mark on one of them in turn; who has"
     " three in a line wins."),
    "That makes three in a line, and wins.",
    "Else your opponent would have three in a line there.",
    ("Every line goes through some cell: the more lines that are still open, the"
     " better."),
    NULL,
};
static const char *const steps_fr[] = {
    ("Neuf cases. Vous et votre adversaire y mettez une marque à tour de rôle ; qui"
     " en aligne trois gagne."),
    "Cela en aligne trois, et gagne.",
    "Sinon votre adversaire en alignerait trois.",
    "Plus il reste de lignes ouvertes par une case, mieux elle vaut.",
    NULL,
};

/* clang-format on */

static const struct guide_says says[] = {
    {"en", moves_en, steps_en},
    {"fr", moves_fr, steps_fr},
    {0},
};

const struct guide tictactoe_guide = {
    .rules = &tictactoe_rules,
    .steps = steps,
    .says = says,
};
