/* wide.c -- a server where there is as much to do at Hacienda as there may be.
 *
 * No play has reached a position with 18 000 moves, which is what the largest
 * board may come to (core/games/hacienda/law.md): a board of nothing but pampas
 * begins with 7 432.  Here these are offered again and again until
 * they are as many, each checked as if it were another. */

#include "core/games/hacienda/hacienda.h"

enum { MOVES = 18000 };

static struct rules wide;
const struct rules *const rules_all[] = {&wide, NULL};

static void propose(const struct rules_state *s, int seat,
                    struct rules_list *list)
{
    hacienda_rules.propose(s, seat, list);
    size_t n = list->count;

    if (n < MOVES / 4 || n > list->cap)
        return;
    for (size_t i = 0; list->count < MOVES; i++)
        rules_offer(list, &list->at[i % n].move);
}

__attribute__((constructor)) static void widen(void)
{
    wide = hacienda_rules;
    wide.propose = propose;
}
