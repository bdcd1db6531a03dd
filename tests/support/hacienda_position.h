/* hacienda_position.h -- positions of Hacienda, made by playing them.
 *
 * A test draws a small board, says which cards everybody is dealt, and plays
 * moves in words; chance draws the cards the test wants:
 *
 *     struct position p;
 *     position_start(&p, &(struct position_table){
 *         .board = " f f . $\n"
 *                  "  f . . .",
 *         .hand = {"forest*3 pig*4"},
 *     });
 *     position_put(&p, 0, "forest A1, forest A2, pig A3");
 *     EXPECT_REFUSAL(&p, 0, "play_animal card=pig hex=B4", "no_actions_left");
 *
 * A drawing has a line for each row of the board, a character for each hex and
 * one between: rows are shifted against each other as the hexes are.  The
 * characters: - void, . pampas, e meadow, f forest, s swamp, r rocks, m
 * mountain, ? open, $ market, ~ water.  Hexes have the names of the rules:
 * A1 is the first character of the first line.
 *
 * What a test asks wrongly ends it: who is to play cannot, a card is not to be
 * had.  Everything played is logged, so that taking back is a replay. */

#ifndef TESTS_SUPPORT_HACIENDA_POSITION_H
#define TESTS_SUPPORT_HACIENDA_POSITION_H

#include "core/games/hacienda/hacienda.h"
#include "core/rules.h"

enum { POSITION_PLIES = 4096, POSITION_QUEUE = 64 };

struct position_table {
    /* A drawing; NULL: the built-in board NAME.  With CRUCIBLE, which no such
     * board goes with [H24], it is laid in place of the right one and has as
     * many water spaces, four. */
    const char *board;
    const char *name; /* NULL: the default */
    int seats;        /* 0: two */
    int start;        /* the start player */
    bool variant1, variant2, crucible;
    const char *hand[HACIENDA_SEATS_MAX]; /* "forest*3 pig"; what is missing
                                           * is filled up with anything */
    const char *display; /* likewise, from the first slots on */
    const char *keep;    /* not to be drawn but when asked for */
};

struct position {
    union rules_any any; /* the true state */
    struct rules_setup setup;
    int16_t options[RULES_OPTIONS_MAX];
    char haz[HAZ_BYTES_MAX];
    struct rules_ply log[POSITION_PLIES];
    struct rules_done done[POSITION_PLIES];
    size_t plies;
    struct rules_events events; /* of the last ply */
    struct rules_events action; /* of the last player's ply */
    int keep[CARDS];
    uint8_t queue[POSITION_QUEUE]; /* what chance draws next */
    size_t queued;
};

/* Sets up a table and deals.  Usual but for T; T->seats etc. may be 0. */
void position_start(struct position *p, const struct position_table *t);
/* Sets it up only: chance has still to choose the start player. */
void position_setup(struct position *p, const struct position_table *t);
/* Writes the `.haz` file of DRAWING; its length. */
size_t position_haz(const char *drawing, char *buf, size_t cap);

/* The state, for looking at -- and, with an assertion of position_valid()
 * afterwards, for what cannot reasonably be reached by play. */
struct hacienda *position_of(struct position *p);
/* Whether the state can be; computes what follows from its fields anew. */
bool position_valid(struct position *p);
/* Gives SEAT so many pesos, as by many harvests. */
void position_pesos(struct position *p, int seat, int pesos);
/* Gives SEAT all that could be drawn of a stack, as if bought from the display
 * one by one; the animals' second stack, too. */
void position_empty(struct position *p, int seat, enum hacienda_stack of);

/* Lets chance draw these cards next, for whatever it has to draw. */
void position_next(struct position *p, const char *cards);
/* Plays one ply of chance with CARD, or -1 for any. */
void position_draw(struct position *p, int card);

/* Reads a move in words; a bad argument is an answer, too. */
int position_read(const struct position *p, const char *text,
                  struct rules_move *move);
/* Why SEAT may not do so: "ok" if it may.  A refusal must change nothing. */
const char *position_why(struct position *p, int seat, const char *text);
/* Plays a move, and the draws it calls for. */
void position_do(struct position *p, int seat, const char *text);
/* The same, after all others' turns until SEAT has an action left. */
void position_go(struct position *p, int seat, const char *text);
/* Plays cards, "forest A1, pig B2": who does not hold one buys it first. */
void position_put(struct position *p, int seat, const char *plays);
/* Ends turns until it is SEAT's; its own, if it has done an action. */
void position_turn(struct position *p, int seat);
/* Plays a table for two to where all eight chips lie on chains of seat 0, on A1
 * A5 A7 A11 A13 C2 C4 C8.  It has a ninth chain, C10 C11, and seat 1 the
 * chains C13 C14 and E1 E2.  A pampas card on A3 joins A1 A2 with A4 A5. */
void position_chips_out(struct position *p);

/* Takes back SEAT's last ply: "yes", or why that cannot be. */
const char *position_undo(struct position *p, int seat);

int position_hex(const struct position *p, const char *name);
int position_card(const char *word);
int32_t position_money(struct position *p, int seat);
/* Points in one category of the score now. */
int32_t position_points(struct position *p, int part, int seat);
int32_t position_total(struct position *p, int seat);
/* How many legal moves of that verb; -1: of all. */
size_t position_legal(struct position *p, int seat, int verb);
/* The Nth event of that kind in EVENTS, or NULL. */
const struct rules_event *position_event(const struct rules_events *events,
                                         int kind, size_t nth);

#define EXPECT_REFUSAL(p, seat, text, rule) \
    cr_assert_str_eq(position_why(p, seat, text), rule, "%s: %s, not %s", \
                     text, position_why(p, seat, text), rule)
#define EXPECT_LEGAL(p, seat, text) EXPECT_REFUSAL(p, seat, text, "ok")
#define EXPECT_NUMBER(got, wanted) \
    do { \
        long got_ = (long)(got), wanted_ = (long)(wanted); \
        cr_assert_eq(got_, wanted_, "%s is %ld, not %ld", #got, got_, \
                     wanted_); \
    } while (0)

#endif
