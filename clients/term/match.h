/* match.h -- minds that play each other again and again, and what that says.
 *
 * A round is as many games as there are players, all with the same chance: in
 * each everybody sits a seat further on.  What a round says of a player is one
 * number, their share of its wins; so the luck of cards and seats is little.
 * A game follows from its number, the seed and the minds: budgets are counted in
 * simulations, and no clock takes part. */

#ifndef TERM_MATCH_H
#define TERM_MATCH_H

#include "core/mind.h"

struct match {
    /* public */
    const struct rules *rules;
    struct rules_setup setup;
    struct mind player[RULES_SEATS_MAX]; /* as many as there are seats */
    uint64_t seed;
    /* A round in which the first player has this share of the wins, on an
     * average, or more, of 1: 0 if nothing is asked. */
    double least;
};

/* What came of a game for each player, whatever their seat. */
struct match_game {
    uint8_t place[RULES_SEATS_MAX];
    int32_t points[RULES_SEATS_MAX];
    uint32_t turns[RULES_SEATS_MAX]; /* moves one after the other are one */
    uint64_t thought_ns[RULES_SEATS_MAX]; /* in all of them */
    uint64_t longest_ns[RULES_SEATS_MAX]; /* in one of them */
    uint32_t plies;                       /* nature's, too */
};

/* What came of many. */
struct match_tally {
    size_t games, rounds, plies;
    struct {
        size_t first, shared; /* games won alone, and with others */
        double wins;          /* a win that is shared counts its part */
        double places, points;
        uint64_t turns, thought_ns, longest_ns;
    } player[RULES_SEATS_MAX];
    double round; /* wins of the first player in the round that is on */
    double
        evidence; /* for LEAST against five in a hundred less: a logarithm */
};

enum match_answer { MATCH_OPEN, MATCH_HELD, MATCH_MISSED };

/* Plays the game of that number, with ROOM to think in. */
void match_play(const struct match *m, size_t number, struct mind_room *room,
                struct match_game *game);

/* Adds a game; they come in the order of their numbers. */
void match_add(struct match_tally *t, const struct match *m,
               const struct match_game *game);

/* Whether the first player wins as much as M wants: a sequential test, wrong in
 * at most one of twenty cases either way.  As no two games of a round are
 * independent it counts rounds. */
enum match_answer match_answer(const struct match_tally *t,
                               const struct match *m);

/* Between what the share of wins lies, in 95 of 100 cases (Wilson). */
void match_bounds(double wins, size_t games, double *ret_low,
                  double *ret_high);

#endif
