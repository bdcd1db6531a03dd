/* games.c -- the games we have, in the order they are offered.  A new one is a
 * folder and a line here. */

#include "rules.h"

/* clang-format off */
#define GAMES \
    GAME(hacienda) \
    GAME(hadara) \
    GAME(greement) \
    GAME(tictactoe)
/* clang-format on */

#define GAME(name) extern const struct rules name##_rules;
GAMES
#undef GAME

#define GAME(name) &name##_rules,
const struct rules *const rules_all[] = {GAMES NULL};
