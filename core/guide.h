/* guide.h -- a first game that is led: what one might do next, and why.
 *
 * Somebody who never saw the game plays a whole one, against greedy, and at each
 * of their decisions is pointed to a move: what greedy would play.  What is said
 * of it comes from two lists: what the move does, in the imperative, by verb; and
 * why, by steps.  A step is told once, the first time that it is about what there
 * is to do: it has a condition on the position, a sentence, and what it points to,
 * which is the move or, for a look at something, a part of the screen.  When all
 * have been told the moves go on, to the end of the game.
 *
 * The lists stand in core/games/NAME/guide.c, one constant struct guide with a
 * catalogue for each language, English first.  Page and terminal say the same;
 * they know no more of a game than how one gets from here to a move.  A game
 * without a guide has no steps, and its moves are told by its verbs. */

#ifndef CORE_GUIDE_H
#define CORE_GUIDE_H

#include "mind.h"

#define GUIDE_STEPS_MAX 32 /* they are bits of a set */

/* Parts of a screen that a step may point to, instead of a move. */
enum guide_part { GUIDE_MOVE, GUIDE_BOARD, GUIDE_HAND, GUIDE_PLAYERS };
/* "move", "board" ...; ends with NULL. */
extern const char *const guide_part_words[];

struct guide_step {
    const char *name; /* by which it is kept that it was told; NULL ends a
                       * list */
    uint8_t part;     /* enum guide_part */
    /* Whether it is about MOVE, or just VIEW, which is of who is led. */
    bool (*when)(const struct rules_state *view,
                 const struct rules_move *move);
};

struct guide_says {
    const char *lang;         /* NULL ends a list of them */
    const char *const *moves; /* by verb, "Play {card} on {hex}.", as
                               * says_filled(); NULL for what greedy never
                               * plays */
    const char *const *steps; /* by steps */
};

struct guide_option {
    const char *name; /* NULL ends a list of them */
    int16_t value;
};

struct guide {
    const struct rules *rules;
    const struct guide_step *steps;
    const struct guide_says *says;      /* ends with a NULL lang */
    const struct guide_option *options; /* not as usual; or NULL */
};

/* The guide of R, which may have no steps and no sentences. */
struct guide guide_of(const struct rules *r);

/* What to tell who is led. */
struct guide_hint {
    int step; /* that is told now, or -1: all about this was */
    enum guide_part part;
    struct rules_move move; /* that is pointed to, or will be */
};

/* Finds what to tell the viewer of VIEW, who has been told the steps in the set
 * TOLD.  False if nobody waits for them. */
bool guide_next(const struct guide *g, const struct rules_state *view,
                uint32_t told, struct mind_room *room,
                struct guide_hint *ret_hint);

/* What the hint's move does, to be filled in, and why, in LANG or else English;
 * "" for nothing. */
const char *guide_move_text(const struct guide *g, const char *lang,
                            const struct guide_hint *hint);
const char *guide_step_text(const struct guide *g, const char *lang,
                            const struct guide_hint *hint);

#endif
