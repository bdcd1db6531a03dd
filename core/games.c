/* games.c -- the games we have.  A new one is a folder and two lines here. */

#include "rules.h"

extern const struct rules greement_rules, hacienda_rules, hadara_rules,
    tictactoe_rules;

const struct rules *const rules_all[] = {
    &hacienda_rules, &hadara_rules, &greement_rules, &tictactoe_rules, NULL,
};
