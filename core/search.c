/* search.c -- looking further where things are hidden: flat, and determinised.
 *
 * Of greedy's best moves a field is made.  Again and again a world is guessed
 * that the view could be a view of, each move of the field is played in it, with
 * the same chance for all, and everybody plays on for a while: each judges by
 * their own view of that world, so that choices made at once stay hidden until
 * all are made.  As simulations go on the field is halved.  No tree is kept.
 *
 * Greedy's own move is in the field to the end.  Another is played only if it
 * was ahead of it by more than a standard error of their differences, world by
 * world, or by some: noise alone does not move the hand. */

#include "base.h"
#include "mind.h"

enum { FIELD = 8 };

/* The most that one world can tell for or against a move: enough, and the sum of
 * all that there can be still has a square. */
#define AHEAD_MAX (INT64_C(1) << 16)

struct runner {
    size_t move;         /* index in the room */
    int64_t sum, square; /* of what it was ahead of the first by */
};

struct search {
    const struct mind *mind;
    const struct rules_state *view;
    struct mind_room *room;
    size_t field; /* moves in it, greedy's first: */
    struct runner at[FIELD];
    uint32_t worlds; /* so far */
};

/* ---- the field ---------------------------------------------------------- */

static bool in_field(const struct search *s, size_t move)
{
    for (size_t i = 0; i < s->field; i++)
        if (s->at[i].move == move)
            return true;
    return false;
}

/* Adds the best of the N moves that is not in the field: of a verb not MET, or,
 * where that is NULL, of any.  Whether there was one. */
static bool add_best(struct search *s, size_t n, bool *met)
{
    const struct mind_room *room = s->room;
    size_t best = n;

    for (size_t i = 0; i < n; i++) {
        if ((met != NULL && met[room->move[i].verb]) || in_field(s, i))
            continue;
        if (best == n || room->worth[i] > room->worth[best])
            best = i;
    }
    if (best == n)
        return false;
    if (met != NULL)
        met[room->move[best].verb] = true;
    s->at[s->field++] = (struct runner){.move = best};
    return true;
}

/* The best of each verb first: what greedy thinks little of may be right. */
static void make_field(struct search *s, size_t n)
{
    bool met[256] = {false};

    while (s->field < FIELD && add_best(s, n, met))
        ;
    while (s->field < FIELD && add_best(s, n, NULL))
        ;
}

/* ---- a world ------------------------------------------------------------ */

/* Puts COUNT of the N moves, drawn evenly, to the front. */
static void draw_some(struct rules_move *move, size_t n, size_t count,
                      struct rng *rng)
{
    for (size_t i = 0; i < count; i++) {
        size_t j = i + rng_below(rng, (uint32_t)(n - i));
        struct rules_move held = move[i];
        move[i] = move[j];
        move[j] = held;
    }
}

/* What SEAT plays in the world, by its own view of it. */
static struct rules_move choose(struct search *s, int seat, struct rng *rng)
{
    struct mind_room *room = s->room;
    size_t best = 0;
    int64_t most = INT64_MIN;

    rules_view(s->mind->rules, &room->world.state, seat, &room->view.state);
    size_t n = mind_consider(s->mind, &room->view.state, seat, room,
                             room->tried, MIND_MOVES_MAX);
    size_t some = s->mind->own->tries;
    if (some == 0 || some > n)
        some = n;
    if (some < n)
        draw_some(room->tried, n, some, rng);
    for (size_t i = 0; some > 1 && i < some; i++) {
        int64_t worth = mind_worth(s->mind, &room->view.state, &room->tried[i],
                                   true, room);
        if (worth > most) {
            most = worth;
            best = i;
        }
    }
    return room->tried[best];
}

static void play(struct search *s, int seat, const struct rules_move *move)
{
    int refusal = rules_apply(s->mind->rules, &s->room->world.state, seat,
                              move, &s->room->events);
    ASSERT(refusal == RULES_OK);
}

/* How MOVE leaves who searches when all have played on from the guess. */
static int64_t play_on(struct search *s, const struct rules_move *move)
{
    struct rules_state *world = &s->room->world.state;
    const struct rules_mind *own = s->mind->own;
    uint32_t until = own->horizon != NULL ? own->horizon(s->view) : 0;
    struct rng nature, rng;
    struct rules_move next;

    mind_chance(&nature, s->mind, s->view, s->worlds, MIND_STREAM_NATURE);
    mind_chance(&rng, s->mind, s->view, s->worlds, MIND_STREAM_PLAY);
    memcpy(world, &s->room->guess, s->mind->rules->state_size);
    play(s, s->view->viewer, move);
    for (int plies = 0; !rules_over(world);) {
        int seat = RULES_NATURE;
        if (world->acting == RULES_BIT(RULES_NATURE)) {
            rules_chance(s->mind->rules, world, &nature, &next);
        } else if (plies++ < own->plies &&
                   (until == 0 || s->mind->rules->turn(world) < until)) {
            seat = __builtin_ctz(world->acting);
            next = choose(s, seat, &rng);
        } else {
            break;
        }
        play(s, seat, &next);
    }
    return mind_standing(s->mind, world, s->view->viewer);
}

/* Guesses a world and plays the first COUNT moves of the field in it. */
static void try_world(struct search *s, size_t count)
{
    struct rng rng;
    int64_t first = 0;

    mind_chance(&rng, s->mind, s->view, s->worlds, MIND_STREAM_WORLD);
    rules_guess(s->mind->rules, s->view, &rng, &s->room->guess.state);
    for (size_t i = 0; i < count; i++) {
        int64_t ahead = play_on(s, &s->room->move[s->at[i].move]);
        if (i == 0)
            first = ahead;
        ahead -= first;
        if (ahead > AHEAD_MAX)
            ahead = AHEAD_MAX;
        if (ahead < -AHEAD_MAX)
            ahead = -AHEAD_MAX;
        s->at[i].sum += ahead;
        s->at[i].square += ahead * ahead;
    }
    s->worlds++;
}

/* ---- the search --------------------------------------------------------- */

/* Brings the best of the COUNT to the front, behind greedy's move. */
static void sort_field(struct search *s, size_t count)
{
    for (size_t i = 2; i < count; i++)
        for (size_t j = i; j > 1 && s->at[j].sum > s->at[j - 1].sum; j--) {
            struct runner held = s->at[j];
            s->at[j] = s->at[j - 1];
            s->at[j - 1] = held;
        }
}

/* Rounds in which a field of so many is halved to two, the last one that of the
 * two. */
static uint32_t rounds_of(size_t field)
{
    uint32_t rounds = 1;
    for (; field > 2; field = (field + 1) / 2)
        rounds++;
    return rounds;
}

size_t mind_search(const struct mind *mind, const struct rules_state *view,
                   struct mind_room *room, size_t n, size_t best)
{
    struct search s = {.mind = mind, .view = view, .room = room};
    unsigned moves = mind->own->turn != NULL
                         ? mind->own->turn(view, view->viewer)
                         : 1;

    if (moves == 0)
        return best;
    make_field(&s, n);
    uint32_t budget = mind->simulations / moves / rounds_of(s.field);
    for (size_t left = s.field; left > 1;
         left = left > 2 ? (left + 1) / 2 : 1) {
        for (uint32_t done = 0; done == 0 || done + left <= budget;
             done += (uint32_t)left)
            try_world(&s, left);
        sort_field(&s, left);
    }
    /* The mean of the differences is above their standard error just if the
     * square of their sum is above the sum of their squares. */
    int64_t sum = s.at[1].sum;
    int64_t doubt = mind->own->doubt > 0 ? mind->own->doubt : 1;
    bool ahead = sum > 0 && sum / doubt * (sum / doubt) > s.at[1].square;
    return s.at[ahead].move;
}
