/* says.c -- what tic-tac-toe says, by language. */

#include "says.h"

/* clang-format off: tables are laid out by hand. */

static const char *const events_en[] = {
    "{name} takes {cell}.",
    "{name} has three in a line.",
    NULL,
};

static const char *const events_fr[] = {
    "{name} prend {cell}.",
    "{name} en aligne trois.",
    NULL,
};
static const char *const reasons_fr[] = {
    "Cette case porte déjà une marque.",
    NULL,
};
static const char *const options_fr[] = {NULL};
static const char *const parts_fr[] = {"Trois alignés", NULL};

static const char *const heads_fr[] = {"alignés", NULL};
static const char *const figures_fr[] = {"points", NULL};
static const char *const verbs_fr[] = {
    "Mettre votre marque sur une case vide.",
    NULL,
};

const struct says tictactoe_says[] = {
    {.lang = "en", .events = events_en},
    {
        .lang = "fr",
        .events = events_fr,
        .reasons = reasons_fr,
        .options = options_fr,
        .parts = parts_fr,
        .heads = heads_fr,
        .verbs = verbs_fr,
        .figures = figures_fr,
    },
    {0},
};
