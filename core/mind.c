/* mind.c -- what all games have in common in thinking one ply ahead. */

#include "mind.h"

#include "base.h"

/* ---- games without a mind of their own --------------------------------- */

static bool same_move(const struct rules_move *a, const struct rules_move *b)
{
    bool same = a->verb == b->verb;
    for (int i = 0; i < RULES_ARGS_MAX; i++)
        same = same && a->arg[i] == b->arg[i];
    return same;
}

/* The default move, so that what is no better is not done, and all others; of a
 * range the ends. */
static size_t consider_all(const struct rules *r,
                           const struct rules_state *view, int seat,
                           struct mind_room *room, struct rules_move *out,
                           size_t cap)
{
    size_t n = 1;

    if (!(view->acting & RULES_BIT(seat)))
        return 0;
    rules_default_move(r, view, seat, &out[0]);
    size_t legal = rules_legal(r, view, seat, -1, room->choice,
                               RULES_MOVES_MAX);
    for (size_t i = 0; i < 2 * legal && n < cap; i++) {
        const struct rules_choice *c = &room->choice[i / 2];
        bool most = i % 2 == 1;
        if (most && c->ranged < 0)
            continue;
        out[n] = c->move;
        if (most)
            out[n].arg[c->ranged] = c->max;
        n += !same_move(&out[n], &out[0]);
    }
    return n;
}

static int64_t judge_score(const struct rules *r, const struct rules_state *s,
                           int seat)
{
    struct rules_score score;

    rules_score(r, s, &score);
    return (int64_t)MIND_POINT * score.total[seat];
}

static int64_t prospects(const struct mind *mind, const struct rules_state *s,
                         int seat)
{
    return mind->own->judge == NULL || rules_over(s)
               ? judge_score(mind->rules, s, seat)
               : mind->own->judge(s, seat);
}

/* ---- positions and moves ----------------------------------------------- */

size_t mind_consider(const struct mind *mind, const struct rules_state *view,
                     int seat, struct mind_room *room, struct rules_move *out,
                     size_t cap)
{
    size_t n = mind->own->consider != NULL
                   ? mind->own->consider(view, seat, out, cap)
                   : consider_all(mind->rules, view, seat, room, out, cap);

    ASSERT(n <= cap);
    ASSERT(n > 0 || !(view->acting & RULES_BIT(seat)));
    return n;
}

/* A share of 1, in whole numbers. */
#define MIND_WHOLE (INT64_C(1) << 20)

int64_t mind_standing(const struct mind *mind, const struct rules_state *s,
                      int seat)
{
    int64_t own = 0, best = INT64_MIN, sum = 0;

    for (int i = 0; i < s->seats; i++) {
        int64_t value = prospects(mind, s, i);
        sum += value;
        if (i == seat)
            own = value;
        else if (value > best)
            best = value;
    }
    if (s->seats == 1)
        return own;
    if (!mind->own->share)
        return own - best;
    return (own - best) * MIND_WHOLE / (sum > 0 ? sum : 1);
}

int64_t mind_worth(const struct mind *mind, const struct rules_state *view,
                   const struct rules_move *move, bool alone,
                   struct mind_room *room)
{
    int seat = view->viewer;
    int64_t worth;

    if (mind->own->judge_move != NULL &&
        mind->own->judge_move(view, seat, move, &worth))
        return worth;
    memcpy(&room->next, view, mind->rules->state_size);
    int refusal = rules_apply(mind->rules, &room->next.state, seat, move,
                              &room->events);
    ASSERT(refusal == RULES_OK || refusal == RULES_UNSEEN);
    return alone ? prospects(mind, &room->next.state, seat)
                 : mind_standing(mind, &room->next.state, seat);
}

/* ---- levels ------------------------------------------------------------- */

struct mind mind_of(const struct rules *r, enum mind_level level)
{
    const struct rules_mind *own = mind_find(r);
    return (struct mind){
        .rules = r,
        .own = own,
        .level = level,
        .simulations = own->simulations,
    };
}

void mind_chance(struct rng *rng, const struct mind *mind,
                 const struct rules_state *view, uint32_t world,
                 enum mind_stream purpose)
{
    uint64_t ply = view->ply, seat = view->viewer;

    rng_init(rng, mind->seed,
             ply << 36 | seat << 32 | (world * MIND_STREAMS + purpose));
}

void mind_any(struct rng *rng, const struct rules_choice *choices, size_t n,
              struct rules_move *move)
{
    uint16_t counts[256] = {0};

    for (size_t i = 0; i < n; i++)
        counts[choices[i].move.verb] = 1;
    size_t verb = rng_pick(rng, counts, COUNT_OF(counts));
    uint32_t of_verb = 0;
    for (size_t i = 0; i < n; i++)
        of_verb += choices[i].move.verb == verb;
    uint32_t nth = rng_below(rng, of_verb);
    size_t at = 0;
    while (choices[at].move.verb != verb || nth-- > 0)
        at++;
    const struct rules_choice *c = &choices[at];
    *move = c->move;
    if (c->ranged >= 0)
        move->arg[c->ranged] =
            (int16_t)(c->min +
                      (int16_t)rng_below(rng,
                                         (uint32_t)(c->max - c->min) + 1));
}

static void choose_any(const struct mind *mind, const struct rules_state *view,
                       struct mind_room *room, struct rules_move *move)
{
    struct rng rng;
    size_t n = rules_legal(mind->rules, view, view->viewer, -1, room->choice,
                           RULES_MOVES_MAX);

    ASSERT(n > 0 && n <= RULES_MOVES_MAX);
    mind_chance(&rng, mind, view, 0, MIND_STREAM_ANY);
    mind_any(&rng, room->choice, n, move);
}

/* The best of N moves, one ply ahead; the first of those that are equal. */
static size_t best_of(const struct mind *mind, const struct rules_state *view,
                      struct mind_room *room, size_t n)
{
    size_t best = 0;

    for (size_t i = 0; i < n; i++) {
        room->worth[i] = mind_worth(mind, view, &room->move[i], false, room);
        if (room->worth[i] > room->worth[best])
            best = i;
    }
    return best;
}

bool mind_choose(const struct mind *mind, const struct rules_state *view,
                 struct mind_room *room, struct rules_move *move)
{
    bool search = mind->level == MIND_SEARCH;
    int seat = view->viewer;
    bool waited = (view->acting & RULES_BIT(seat)) != 0;
    size_t best = 0;

    ASSERT(seat < view->seats && rules_can_move(view, seat));
    if (mind->level == MIND_RANDOM) {
        if (waited)
            choose_any(mind, view, room, move);
        return waited;
    }
    if (search && mind->own->solve != NULL) {
        mind->own->solve(view, seat, move);
        return true;
    }
    size_t n = mind_consider(mind, view, seat, room, room->move,
                             MIND_MOVES_MAX);
    if (n == 0)
        return false;
    if (n > 1)
        best = best_of(mind, view, room, n);
    if (n > 1 && search && waited)
        best = mind_search(mind, view, room, n, best);
    *move = room->move[best];
    return true;
}
