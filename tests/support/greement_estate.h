/* greement_estate.h -- positions of Greement, made by playing them.
 *
 * A test says which squares lie where and who starts on which, and plays moves
 * in words; chance draws the cards the test wants:
 *
 *     struct estate e;
 *     estate_start(&e, &(struct estate_table){.seats = 2, .grid = ".l.m"});
 *     estate_give(&e, 0, "a2=cattle b2 g7=gold_mine");
 *     estate_money(&e, 0, 100);
 *     estate_next(&e, "raise");
 *     estate_do(&e, 0, "buy_action_card");
 *     EXPECT_REFUSAL(&e, 0, "end_turn", "card_pending");
 *
 * A grid is drawn row by row from a1: . land, g gold mine, l lake, m mountain,
 * a space for anything.  What is not drawn is filled up so that mountains,
 * lakes and gold mines lie as far down as they can.
 *
 * What a test asks wrongly ends it.  Everything played is logged, so that
 * taking back is a replay. */

#ifndef TESTS_SUPPORT_GREEMENT_ESTATE_H
#define TESTS_SUPPORT_GREEMENT_ESTATE_H

#include "core/games/greement/greement.h"
#include "core/rules.h"

enum { ESTATE_PLIES = 30000, ESTATE_QUEUE = 128 };

struct estate_table {
    int seats; /* 0: two */
    int first; /* the first seat */
    int turns; /* 0: the default */
    bool full_tax, loans;
    const char *grid;                      /* rows, separated by \n */
    const char *start[GREEMENT_SEATS_MAX]; /* NULL: a1, c1, e1, g1, i1, a3 */
};

struct estate {
    union rules_any any; /* the true state */
    struct rules_setup setup;
    int16_t options[RULES_OPTIONS_MAX];
    uint8_t ground[GREEMENT_SQUARES]; /* what chance will turn up */
    struct rules_ply log[ESTATE_PLIES];
    struct rules_done done[ESTATE_PLIES];
    size_t plies;
    struct rules_events events;      /* of the last player's ply */
    struct rules_events drawn;       /* of the last ply of chance */
    const char *queue[ESTATE_QUEUE]; /* cards that chance draws next */
    size_t queued;
    struct rng rng;
};

/* Sets up, lets all pick and turns all up: the first seat's turn. */
void estate_start(struct estate *e, const struct estate_table *t);
/* Sets up only: the first seat has been drawn and is to pick. */
void estate_setup(struct estate *e, const struct estate_table *t);

/* The state, for looking at -- and, with estate_valid() afterwards, for what
 * cannot reasonably be reached by play. */
struct greement *estate_of(struct estate *e);
bool estate_valid(struct estate *e);

/* Makes squares SEAT's own, "a2=cattle b2 c3=gold_mine"; a square of another
 * ground changes places with one. SEAT -1: nobody's. */
void estate_give(struct estate *e, int seat, const char *squares);
void estate_money(struct estate *e, int seat, int32_t money);
void estate_value(struct estate *e, int value, int32_t to);

/* Lets chance draw these cards or events next; one word each. */
void estate_next(struct estate *e, const char *card);
/* Plays one ply of chance. */
void estate_draw(struct estate *e);

int estate_read(const struct estate *e, const char *text,
                struct rules_move *move);
/* Why SEAT may not do so: "ok" if it may.  A refusal must change nothing. */
const char *estate_why(struct estate *e, int seat, const char *text);
/* Plays a move, and the draws it calls for. */
void estate_do(struct estate *e, int seat, const char *text);
/* The same for every seat, in order. */
void estate_all(struct estate *e, const char *text);
/* Plays the default move of SEAT. */
void estate_default(struct estate *e, int seat);
/* Ends turns until the event phase, in which EVENT is turned up first. */
void estate_event(struct estate *e, const char *event);
/* The same, and triggers it. */
void estate_trigger(struct estate *e, const char *event);
/* Plays defaults until it is SEAT's turn, or the game is over. */
void estate_turn(struct estate *e, int seat);

/* Takes back SEAT's last ply: "yes", or why that cannot be. */
const char *estate_undo(struct estate *e, int seat);

int estate_square(const char *name);
/* "crop", "face_down" ... and whose. */
const char *estate_kind(struct estate *e, const char *name);
int estate_owner(struct estate *e, const char *name);
int32_t estate_cash(struct estate *e, int seat);
int32_t estate_total(struct estate *e, int seat);
size_t estate_legal(struct estate *e, int seat, int verb);
/* The Nth event of that name in EVENTS, or NULL. */
const struct rules_event *estate_happened(const struct rules_events *events,
                                          const char *name, size_t nth);

#define EXPECT_REFUSAL(e, seat, text, rule) \
    cr_assert_str_eq(estate_why(e, seat, text), rule, "%s: %s, not %s", text, \
                     estate_why(e, seat, text), rule)
#define EXPECT_LEGAL(e, seat, text) EXPECT_REFUSAL(e, seat, text, "ok")
#define EXPECT_NUMBER(got, wanted) \
    cr_assert_eq((long)(got), (long)(wanted), "%s is %ld, not %ld", #got, \
                 (long)(got), (long)(wanted))
#define EXPECT_KIND(e, name, kind) \
    cr_assert_str_eq(estate_kind(e, name), kind, "%s is %s", name, \
                     estate_kind(e, name))

#endif
