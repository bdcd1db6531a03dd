/* minds.c -- the games that have a mind of their own.  Beside games.c, so that
 * programs that do not think need not link them. */

#include "mind.h"

/* clang-format off */
#define MINDS \
    MIND(hacienda) \
    MIND(hadara) \
    MIND(greement) \
    MIND(tictactoe)
/* clang-format on */

#define MIND(name) extern const struct rules_mind name##_mind;
MINDS
#undef MIND

#define MIND(name) &name##_mind,
static const struct rules_mind *const minds[] = {MINDS NULL};

const struct rules_mind *mind_find(const struct rules *r)
{
    static const struct rules_mind none = {
        .simulations = 1000,
        .plies = 10,
        .tries = 12,
    };

    for (size_t i = 0; minds[i] != NULL; i++)
        if (minds[i]->rules == r)
            return minds[i];
    return &none;
}
