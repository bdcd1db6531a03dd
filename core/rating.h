/* rating.h -- how well people play, estimated from who came before whom.
 *
 * A rating is a mean and a variance: a guess of a strength, and how sure it is.
 * A game is compared pair by pair, as Bradley and Terry have it: of two people
 * with the means a and b the first is ahead with the probability
 *
 *     1 / (1 + exp((b - a) / c))    c^2 = variance of a + of b + 2 BETA^2
 *
 * and a tie is half of each.  Both ratings are moved from there as Weng and Lin
 * do it in "A Bayesian Approximation Method for Online Ranking" (JMLR 12, 2011,
 * algorithm 1, every pair).  BETA is such that between people who are well known
 * 400 points are ten to one.
 *
 * Who left came last.  Who took over a seat can only gain, and nobody loses or
 * gains by them: others have played against who left.  Two people who play each
 * other again and again count less and less, so that nobody is lifted by one
 * partner.
 *
 * All is integers, and sums of them, so that it is the same on every machine,
 * in whatever order people are named. */

#ifndef CORE_RATING_H
#define CORE_RATING_H

#include <stdbool.h>
#include <stdint.h>

/* In thousandths of a point, and their squares. */
#define RATING_MEAN         INT64_C(1500000)
#define RATING_VARIANCE     (INT64_C(250000) * 250000)
#define RATING_BETA2_TWICE  INT64_C(30177871000) /* 2 (400 / ln 10)^2 / 2 */
#define RATING_DRIFT        INT64_C(16000000) /* what a game adds to a variance */
#define RATING_VARIANCE_MIN INT64_C(100000000)

/* Whose standard deviation is above this, or who has met fewer people, is not
 * known well enough to be compared: "provisional". */
#define RATING_SURE_VARIANCE (INT64_C(175000) * 175000)
#define RATING_SURE_MET      3

/* How often a pair has met lately, in 256ths of a game; it halves in so long. */
#define RATING_MET_ONE     256u
#define RATING_MET_HALF_MS (INT64_C(30) * 24 * 3600 * 1000)

/* Eight who began and three more at each of their seats. */
#define RATING_PLAYERS_MAX 32

struct rating {
    int64_t mean, variance;
};

/* Somebody in a game. */
struct rating_player {
    struct rating rating; /* before it, and after it */
    uint8_t seat;
    uint8_t place;   /* 1 is first, ties share */
    bool substitute; /* took over that seat */
};

/* That of somebody who has not played. */
static inline struct rating rating_new(void)
{
    return (struct rating){RATING_MEAN, RATING_VARIANCE};
}

static inline bool rating_is_sure(const struct rating *r, int64_t met)
{
    return r->variance <= RATING_SURE_VARIANCE && met >= RATING_SURE_MET;
}

/* Rates the game that the COUNT PLAYERS have played, at most
 * RATING_PLAYERS_MAX.  MET[i * COUNT + k] is how often players I and K had met
 * before, by rating_met(). */
void rating_game(struct rating_player *players, int count,
                 const uint32_t *met);

/* What of MET is left ELAPSED_MS later; negative times are none. */
uint32_t rating_met(uint32_t met, int64_t elapsed_ms);

/* In points, as people are shown them. */
int64_t rating_points(const struct rating *r);
int64_t rating_deviation(const struct rating *r);

#endif
