/* play.h -- tables played at random, from numbers that name them.
 *
 * The suites that hold for every game share this: which games there are (the
 * real ones and the toys of games/), all the ways to set them up, and a table
 * on which somebody who can move does something at random.
 *
 *     play_start(p, play_setup(r, number), number);
 *     while (play_next(p, &ply)) {
 *         ... look at p->s, the state; PLY is about to be played ...
 *         play_ply(p, &ply);
 *         ... p->before and p->s are the states around it ...
 *     }
 *
 * The same setup and number give the same game; what breaks prints both.  A
 * game has its own stream of chance; the test may draw from p->dice without
 * changing what is played. */

#ifndef TESTS_SUPPORT_PLAY_H
#define TESTS_SUPPORT_PLAY_H

#include "core/rules.h"

enum { PLAY_LABEL = 160, PLAY_GAMES_MAX = 16 };

/* One way to set up one game. */
struct play_setup {
    const struct rules *rules;
    struct rules_setup setup; /* OPTIONS points into this struct */
    int16_t options[RULES_OPTIONS_MAX];
    char label[PLAY_LABEL]; /* "hacienda 3 variant1=1 board=symmetric" */
};

struct play {
    const struct rules *r;
    const struct play_setup *setup;
    uint64_t number;
    struct rng choices; /* the players' */
    struct rng dice;    /* the test's own */
    uint64_t draws;     /* of nature so far */
    union rules_any before, s;
    struct rules_events events; /* of the last ply */
    struct rules_ply *log;      /* PLIES of them */
    struct rules_done *done;
    size_t plies, room;
    bool look; /* within play_run(): this ply is to be looked at */
};

/* What a suite does with each game; any may be NULL. */
struct play_suite {
    void (*start)(struct play *p);
    void (*before)(struct play *p, const struct rules_ply *ply);
    void (*after)(struct play *p, const struct rules_ply *ply);
    void (*over)(struct play *p);
};

/* The Ith game to test: those of rules_all, then the toys, then NULL. */
const struct rules *play_game(size_t i);

/* The setup for the Ith game of R: first come all combinations of options in
 * turn, and of each, in turn, all seats and assets that it goes with. */
const struct play_setup *play_setup(const struct rules *r, size_t i);

/* A table needs play_done() in the end, however often it is started. */
void play_start(struct play *p, const struct play_setup *setup,
                uint64_t number);
void play_done(struct play *p);

/* Decides what is played next: false if the game is over. */
bool play_next(struct play *p, struct rules_ply *ply);

/* Plays GAMES games, scaled (scale.h), of the one called NAME with SUITE; or, if
 * that is NULL, of each game that no suite calls by name: so a new one is tested
 * as soon as it is listed.  p->look is set at one ply in ONE_IN, at the first
 * and at the last. */
void play_run(const struct play_suite *suite, const char *name, size_t games,
              uint32_t one_in);

/* For who includes <criterion/criterion.h>: that as the test GAME of the test
 * suite TESTS, and as its test `others`. */
#define PLAY(tests, suite, game, games, one_in) \
    Test(tests, game) \
    { \
        play_run(suite, #game, games, one_in); \
    }
#define PLAY_OTHERS(tests, suite, games, one_in) \
    Test(tests, others) \
    { \
        play_run(suite, NULL, games, one_in); \
    }

/* Plays PLY, which must be legal, and puts it into the log. */
void play_ply(struct play *p, const struct rules_ply *ply);

/* Plays up to that many plies, or to the end. */
void play_on(struct play *p, size_t plies);

/* One of the moves that CHOICE stands for. */
struct rules_move play_choose(const struct rules_choice *choice,
                              struct rng *rng);

/* Whether CHOICE stands for MOVE, among others or alone. */
bool play_covers(const struct rules_choice *choice,
                 const struct rules_move *move);

/* Any sort of move, most of them nonsense: verbs that are not, arguments out
 * of range, absent, hidden, or too many. */
struct rules_move play_nonsense(const struct rules *r,
                                const struct rules_state *s, struct rng *rng);

/* The same, but different from MOVE in one argument or the verb only. */
struct rules_move play_spoiled(const struct rules *r,
                               const struct rules_state *s,
                               const struct rules_move *move, struct rng *rng);

/* How many verbs R has. */
int play_verbs(const struct rules *r);

/* All moves of a verb that its arguments' kinds allow, legal or not: begin
 * with play_first(), then play_another() until it says false.  How many there
 * are comes from play_count(). */
size_t play_count(const struct rules *r, const struct rules_state *s,
                  int verb);
struct rules_move play_first(const struct rules *r,
                             const struct rules_state *s, int verb);
bool play_another(const struct rules *r, const struct rules_state *s,
                  struct rules_move *move);

/* Viewers are numbered: the seats, the watcher, and who sees all.  For (int v
 * = 0; v < play_viewers(s); v++) ... play_viewer(s, v). */
int play_viewers(const struct rules_state *s);
int play_viewer(const struct rules_state *s, int v);

/* Whether two states of R are the same in all that rules_encode() tells. */
bool play_same(const struct rules *r, const struct rules_state *a,
               const struct rules_state *b);

/* Says which game broke where, and aborts.  MUST() is the assertion. */
_Noreturn void play_broken(const struct play *p, const char *file, int line,
                           const char *what);
#define MUST(p, cond) \
    ((cond) ? (void)0 : play_broken(p, __FILE__, __LINE__, #cond))

/* Boards for Hacienda: generated ones, some with open terrains, and a few of
 * the community's where the shared data is at hand; ends with a NULL name. */
const struct rules_asset *play_boards(void);

#endif
