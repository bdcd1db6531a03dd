/* mind.h -- what to play, for a seat that no person plays.
 *
 * A mind sees what a person in its seat sees: it is asked on a view, and its
 * move follows from that view, a seed and a number of simulations, and from
 * nothing else.  Two worlds with one view get one move; there is no clock.
 *
 *     random   any legal move: a verb first, then one of its moves
 *     greedy   the best of the moves worth a thought, one ply ahead
 *     search   tries greedy's best moves in worlds that could be, and plays each
 *              of them on for a while: search.c
 *
 * What is particular about a game stands in core/games/NAME/mind.c, one
 * constant struct rules_mind.  It is no part of struct rules: a program that
 * does not think links none of this.  A game without one is thought about by
 * its legal moves and its score. */

#ifndef CORE_MIND_H
#define CORE_MIND_H

#include "rules.h"

#define MIND_MOVES_MAX 2048 /* worth a thought in one position */
#define MIND_POINT     256  /* what judge() counts a point as */

/* What a game knows about playing well; any hook may be NULL.  Each is asked
 * of a view of SEAT's, or of a true state, where it says the same: it looks at
 * nothing that SEAT may not see. */
struct rules_mind {
    const struct rules *rules;

    /* Writes to OUT, at most CAP, the legal moves of SEAT, who can move, that
     * are worth a thought, always in the same order, and returns how many.  Of
     * who is waited for there is one at least; who only may move can have none,
     * and then lets it be.  NULL: of who is waited for all that are legal, the
     * default move first, of a range its ends. */
    size_t (*consider)(const struct rules_state *s, int seat,
                       struct rules_move *out, size_t cap);
    /* How good it is for SEAT to be in S, in parts of a point (MIND_POINT):
     * its own prospects, whatever others have.  NULL: its score now. */
    int64_t (*judge)(const struct rules_state *s, int seat);
    /* Puts into *WORTH how good MOVE is for SEAT, to be compared with its other
     * moves; false where playing it on the view tells that.  For moves of which
     * nothing shows at once, and those whose worth is not where they lead. */
    bool (*judge_move)(const struct rules_state *s, int seat,
                       const struct rules_move *move, int64_t *ret_worth);
    /* How many moves SEAT's turn still has, about, this one included: among so
     * many the search divides what it may do in a turn.  0: greedy's move is as
     * good.  NULL: one. */
    unsigned (*turn)(const struct rules_state *s, int seat);
    /* Puts the best move there is into *MOVE, for a game that is solved: the
     * search has nothing to do there. */
    void (*solve)(const struct rules_state *s, int seat,
                  struct rules_move *move);

    /* Points grow as the game goes on, so that what counts is their share. */
    bool share;
    /* What the search may do in a turn where nothing else is said. */
    uint16_t simulations;
    /* By how many standard errors another move must be ahead of greedy's; more
     * where luck is great and greedy mostly right.  0: one. */
    uint8_t doubt;
    /* Until which turn, by its number in rules->turn(), the search plays on from
     * S: a moment that comes to all alike, or who dawdles would seem to be
     * ahead.  NULL: PLIES say. */
    uint32_t (*horizon)(const struct rules_state *s);
    /* How the search plays on: for so many plies of players, at most, ... */
    uint8_t plies;
    /* ... who take the best of so many moves, picked at random; 0: of all. */
    uint8_t tries;
};

/* What is known about playing R well; never NULL. */
const struct rules_mind *mind_find(const struct rules *r);

enum mind_level { MIND_RANDOM, MIND_GREEDY, MIND_SEARCH, MIND_LEVELS };
/* "random", "greedy", "search"; ends with NULL. */
extern const char *const mind_level_words[];

/* Who thinks about what, and how much. */
struct mind {
    const struct rules *rules;
    const struct rules_mind *own; /* mind_find(), or another */
    enum mind_level level;
    uint16_t simulations; /* of the search, in a turn */
    /* What chance is in it: a secret where others might guess moves, and
     * another one for each table. */
    uint8_t seed[RNG_SEED_SIZE];
};

/* A mind for tables of R, with as many simulations as it was measured with, and
 * a seed of zeros. */
struct mind mind_of(const struct rules *r, enum mind_level level);

/* Room to think in, some half a megabyte.  What is left in it means nothing. */
struct mind_room {
    struct rules_choice choice[RULES_MOVES_MAX];
    struct rules_move move[MIND_MOVES_MAX];
    int64_t worth[MIND_MOVES_MAX];
    struct rules_move tried[MIND_MOVES_MAX]; /* in worlds of the search */
    union rules_any guess, world, view, next;
    struct rules_events events;
};

/* Puts into *MOVE what the viewer of VIEW plays, who is a seat and can move.
 * False if it is not waited for and would rather let it be. */
bool mind_choose(const struct mind *mind, const struct rules_state *view,
                 struct mind_room *room, struct rules_move *move);

/* One of the N > 0 CHOICES by chance: first the verb, then one of its moves, or
 * a hand of cards and a wide board would leave every other verb none. */
void mind_any(struct rng *rng, const struct rules_choice *choices, size_t n,
              struct rules_move *move);

/* ---- for the search and for tests -------------------------------------- */

/* What of SEAT's moves in VIEW is worth a thought, as consider(). */
size_t mind_consider(const struct mind *mind, const struct rules_state *view,
                     int seat, struct mind_room *room, struct rules_move *out,
                     size_t cap);

/* How SEAT stands in S, a view of its own or a true state: its prospects less
 * those of the best other, or what share of all that is. */
int64_t mind_standing(const struct mind *mind, const struct rules_state *s,
                      int seat);

/* How good MOVE is for the viewer of VIEW, one ply ahead, beside the others or,
 * ALONE, for itself, which is quicker; only to be compared with its other moves
 * there. */
int64_t mind_worth(const struct mind *mind, const struct rules_state *view,
                   const struct rules_move *move, bool alone,
                   struct mind_room *room);

/* The search: which of the N moves in ROOM, whose worth stands there, the viewer
 * of VIEW is to play; greedy's is BEST. */
size_t mind_search(const struct mind *mind, const struct rules_state *view,
                   struct mind_room *room, size_t n, size_t best);

/* What a stream of chance is for. */
enum mind_stream {
    MIND_STREAM_WORLD,  /* a guess */
    MIND_STREAM_NATURE, /* what chance does in it */
    MIND_STREAM_PLAY,   /* which moves its players look at */
    MIND_STREAM_ANY,    /* the move of a mind that plays at random */
    MIND_STREAMS
};

/* The chance of MIND, asked on VIEW, for PURPOSE in the world of that number:
 * another stream for each seat and ply. */
void mind_chance(struct rng *rng, const struct mind *mind,
                 const struct rules_state *view, uint32_t world,
                 enum mind_stream purpose);

#endif
