/* toys.h -- games that only the tests know.
 *
 * Small, and together they use all of rules.h: each stands for a trait of real
 * games, so that the suites meet it even where no real game has it (yet). */

#ifndef TESTS_SUPPORT_GAMES_TOYS_H
#define TESTS_SUPPORT_GAMES_TOYS_H

#include "core/rules.h"

/* Hidden cards dealt late, a showdown, a legal move that only the own card
 * decides about, nature's moves enumerated. */
extern const struct rules kuhn_rules;
/* All choose at once and in secret, may change their minds, and can take it
 * back whatever others did. */
extern const struct rules roshambo_rules;
/* Amounts, seats, flags, places and absent arguments; offers that others may
 * accept; a secret number; an asset; every kind of field. */
extern const struct rules haggle_rules;

#endif
