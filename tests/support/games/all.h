/* all.h -- the games of a program that plays the toys, too.
 *
 * It takes the place of core/games.c there: include it in one file. */

#ifndef TESTS_SUPPORT_GAMES_ALL_H
#define TESTS_SUPPORT_GAMES_ALL_H

#include "tests/support/games/toys.h"

extern const struct rules hacienda_rules, hadara_rules, greement_rules,
    tictactoe_rules;

const struct rules *const rules_all[] = {
    &hacienda_rules, &hadara_rules,   &greement_rules, &tictactoe_rules,
    &kuhn_rules,     &roshambo_rules, &haggle_rules,   NULL,
};

#endif
