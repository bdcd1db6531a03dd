/* preview.h -- what a move would bring, before it is made: the numbers that
 * players look at, now and after it. */

#ifndef CORE_PREVIEW_H
#define CORE_PREVIEW_H

#include "rules.h"

/* Room for a position that is thought of: the caller's, as the core has none. */
struct preview_room {
    union rules_any
        after; /* the view after the move, where UNSEEN is not set */
    struct rules_events events;
};

struct preview {
    int count; /* of figures; see preview_figures() */
    int64_t before[RULES_FIGURES_MAX], after[RULES_FIGURES_MAX];
    bool final;  /* it cannot be taken back: chance answers, or hidden things
                  * show */
    bool unseen; /* what comes after is not known yet: AFTER is BEFORE */
};

/* The figures of R, ending with a NULL name. */
const struct rules_figure *preview_figures(const struct rules *r);

/* Tells what MOVE of SEAT in VIEW, its own, would bring: RULES_OK, or why it may
 * not, with AFTER as BEFORE. */
int preview_move(const struct rules *r, const struct rules_state *view,
                 int seat, const struct rules_move *move,
                 struct preview_room *room, struct preview *ret);

#endif
