/* guides.c -- the games that have a guide of their own.  Beside games.c, so that
 * programs that lead nobody need not link them. */

#include "guide.h"

/* clang-format off */
#define GUIDES \
    GUIDE(hacienda) \
    GUIDE(hadara) \
    GUIDE(greement) \
    GUIDE(tictactoe)
/* clang-format on */

#define GUIDE(name) extern const struct guide name##_guide;
GUIDES
#undef GUIDE

#define GUIDE(name) &name##_guide,
static const struct guide *const guides[] = {GUIDES NULL};

struct guide guide_of(const struct rules *r)
{
    for (size_t i = 0; guides[i] != NULL; i++)
        if (guides[i]->rules == r)
            return *guides[i];
    return (struct guide){.rules = r};
}
