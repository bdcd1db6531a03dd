#include "match.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base.h"
#include "core/fair.h"
#include "core/sha256.h"

/* ---- a game ------------------------------------------------------------- */

/* The processor's time of this thread alone. */
static uint64_t thread_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

struct table_now {
    const struct match *match;
    struct mind mind[RULES_SEATS_MAX]; /* by seat */
    int player_of[RULES_SEATS_MAX];
    union rules_any any;
    uint8_t key[RNG_SEED_SIZE]; /* of nature */
    uint64_t draws;
    int last; /* the seat that moved last, or -1 */
    uint64_t turn_ns;
};

/* A seed for each seat of each game, so that nobody's chance is another's. */
static void seed_of(uint64_t seed, size_t number, int seat,
                    uint8_t key[RNG_SEED_SIZE])
{
    char text[80];
    (void)snprintf(text, sizeof(text), "match %llu %zu %d",
                   (unsigned long long)seed, number, seat);
    sha256(text, strlen(text), key);
}

static void sit_down(struct table_now *t, const struct match *m, size_t number)
{
    int seats = m->setup.seats;
    size_t round = number / (size_t)seats, shift = number % (size_t)seats;

    *t = (struct table_now){.match = m, .last = -1};
    for (int seat = 0; seat < seats; seat++) {
        int player = (int)(((size_t)seat + shift) % (size_t)seats);
        t->player_of[seat] = player;
        t->mind[seat] = m->player[player];
        seed_of(m->seed, number, seat, t->mind[seat].seed);
    }
    seed_of(m->seed, round, RULES_NATURE, t->key);
    int refusal = rules_setup(m->rules, &t->any.state, &m->setup, NULL);
    ASSERT(refusal == RULES_OK);
}

/* Counts what SEAT has just thought. */
static void count_thought(struct table_now *t, int seat, uint64_t ns,
                          struct match_game *game)
{
    int player = t->player_of[seat];

    if (seat != t->last) {
        game->turns[player]++;
        t->turn_ns = 0;
        t->last = seat;
    }
    t->turn_ns += ns;
    game->thought_ns[player] += ns;
    if (t->turn_ns > game->longest_ns[player])
        game->longest_ns[player] = t->turn_ns;
}

/* Whom it is to move now: chance, who may and wants to, or who is waited for. */
static int next_move(struct table_now *t, struct mind_room *room,
                     struct match_game *game, struct rules_move *move)
{
    const struct rules *r = t->match->rules;
    struct rules_state *s = &t->any.state;
    union rules_any view;

    if (s->acting == RULES_BIT(RULES_NATURE)) {
        struct rng rng;
        rng_init(&rng, t->key, t->draws++);
        rules_chance(r, s, &rng, move);
        return RULES_NATURE;
    }
    uint16_t order[2] = {s->may, s->acting};
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        for (int seat = 0; seat < s->seats; seat++) {
            if (!(order[i] & RULES_BIT(seat)))
                continue;
            rules_view(r, s, seat, &view.state);
            uint64_t from = thread_ns();
            bool moves = mind_choose(&t->mind[seat], &view.state, room, move);
            if (!moves)
                continue;
            count_thought(t, seat, thread_ns() - from, game);
            return seat;
        }
    }
    core_panic(__FILE__, __LINE__, "nobody moves");
}

void match_play(const struct match *m, size_t number, struct mind_room *room,
                struct match_game *game)
{
    static _Thread_local struct rules_events unread;
    struct table_now t;
    struct rules_score score;
    struct rules_move move;

    *game = (struct match_game){0};
    sit_down(&t, m, number);
    while (!rules_over(&t.any.state)) {
        int seat = next_move(&t, room, game, &move);
        int refusal = rules_apply(m->rules, &t.any.state, seat, &move,
                                  &unread);
        ASSERT(refusal == RULES_OK);
        game->plies++;
    }
    rules_score(m->rules, &t.any.state, &score);
    for (int seat = 0; seat < m->setup.seats; seat++) {
        game->place[t.player_of[seat]] = score.place[seat];
        game->points[t.player_of[seat]] = score.total[seat];
    }
}

/* ---- many --------------------------------------------------------------- */

#define LESS 0.05 /* than LEAST: what it is told from */

void match_add(struct match_tally *t, const struct match *m,
               const struct match_game *game)
{
    size_t seats = (size_t)m->setup.seats, firsts = 0;

    for (size_t i = 0; i < seats; i++)
        firsts += game->place[i] == 1;
    for (size_t i = 0; i < seats; i++) {
        bool won = game->place[i] == 1;
        t->player[i].first += won && firsts == 1;
        t->player[i].shared += won && firsts > 1;
        t->player[i].wins += won ? 1.0 / (double)firsts : 0;
        t->player[i].places += game->place[i];
        t->player[i].points += game->points[i];
        t->player[i].turns += game->turns[i];
        t->player[i].thought_ns += game->thought_ns[i];
        if (game->longest_ns[i] > t->player[i].longest_ns)
            t->player[i].longest_ns = game->longest_ns[i];
    }
    t->round += game->place[0] == 1 ? 1.0 / (double)firsts : 0;
    t->plies += game->plies;
    if (++t->games % seats != 0)
        return;
    /* Whatever a round's share is distributed like between 0 and 1: if its mean
     * is that of the worse case or less, the mean of the likelihood ratio is at
     * most 1, so that Wald's bounds hold. */
    double share = t->round / (double)seats;
    double more = m->least, less = m->least - LESS;
    t->rounds++;
    t->round = 0;
    if (m->least > 0)
        t->evidence += share * log(more / less) +
                       (1 - share) * log((1 - more) / (1 - less));
}

enum match_answer match_answer(const struct match_tally *t,
                               const struct match *m)
{
    const double enough = log(0.95 / 0.05);

    if (m->least <= 0 || fabs(t->evidence) < enough)
        return MATCH_OPEN;
    return t->evidence > 0 ? MATCH_HELD : MATCH_MISSED;
}

void match_bounds(double wins, size_t games, double *ret_low, double *ret_high)
{
    const double z = 1.959964;
    double n = (double)games, p = wins / n;
    double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    double reach = z / (1 + z * z / n) *
                   sqrt(p * (1 - p) / n + z * z / (4 * n * n));

    *ret_low = middle - reach;
    *ret_high = middle + reach;
}
