/* parts.h -- what the files of Greement share among themselves.
 *
 *     tables.c   words, numbers, the cards
 *     greement.c setup, fields, defaults, the table of the game
 *     grid.c     distances, taxes, multipliers, profit and wealth
 *     moves.c    which moves there are and why not
 *     turns.c    what the moves of the setup and of a turn change
 *     events.c   the event phase
 *     chance.c   what nature does
 *     valid.c    what must hold of every state
 *     mind.c     what is worth a thought, and how good a position is */

#ifndef CORE_GREEMENT_PARTS_H
#define CORE_GREEMENT_PARTS_H

#include "../../base.h"
#include "../../says.h"
#include "greement.h"

enum {
    NOT_FACE_DOWN = RULES_GAME,
    NEXT_TO_START = RULES_GAME - 1,
    TOO_EXPENSIVE = RULES_GAME - 2,
    NOT_FREE = RULES_GAME - 3,
    NOT_OWNABLE = RULES_GAME - 4,
    NOT_YOURS = RULES_GAME - 5,
    NOT_UNSEEDED = RULES_GAME - 6,
    NOT_A_CROP = RULES_GAME - 7,
    YOURSELF = RULES_GAME - 8,
    NOT_THEIRS = RULES_GAME - 9,
    TOO_MANY_OFFERS = RULES_GAME - 10,
    NO_SUCH_OFFER = RULES_GAME - 11,
    NOT_YOUR_OFFER = RULES_GAME - 12,
    BUYER_CANNOT_PAY = RULES_GAME - 13,
    SELLER_CANNOT_PAY = RULES_GAME - 14,
    CARD_PENDING = RULES_GAME - 15,
    DECK_EMPTY = RULES_GAME - 16,
    LOANS_OFF = RULES_GAME - 17,
    DEBT_LIMIT = RULES_GAME - 18,
    TOO_MANY_MOVES = RULES_GAME - 19,
    ALREADY_YOURS = RULES_GAME - 20,
    NOT_THE_DECIDER = RULES_GAME - 21,
    NOT_CATTLE = RULES_GAME - 22,
    /* Beyond those that the rules text names: */
    NOT_NOW = RULES_GAME - 23,
    ALREADY_DONE = RULES_GAME - 24,
    ALREADY_TREATED = RULES_GAME - 25,
    NOT_NATURES = RULES_GAME - 26
};

enum greement_happening {
    EV_START_PLAYER,
    EV_TURNED_UP,
    EV_SETTLED,
    EV_ALL_TURNED_UP,
    EV_TURN_BEGAN,
    EV_PROFIT,
    EV_BOUGHT,
    EV_SEEDED,
    EV_BOUGHT_CATTLE,
    EV_PAID,
    EV_OFFERED,
    EV_TRADED,
    EV_DECLINED,
    EV_WITHDREW,
    EV_LAPSED,
    EV_BOUGHT_CARD,
    EV_DREW,
    EV_STOLE,
    EV_VALUE,
    EV_COLLECTED,
    EV_BORROWED,
    EV_REPAID,
    EV_DEBT,
    EV_TURN_ENDED,
    EV_EVENT,
    EV_VOTED,
    EV_CONTRIBUTED,
    EV_DONE,
    EV_AVOIDED,
    EV_TRIGGERED,
    EV_GIVEN_BACK,
    EV_BECAME,
    EV_LOST,
    EV_COMPENSATED,
    EV_TREATED,
    EV_ROUND_ENDED,
    EV_ENDED
};

/* ---- tables.c ---- */

extern const struct rules_word greement_verbs[], greement_events[];
extern const struct rules_option greement_options[];
extern const struct rules_reason greement_reasons[];
extern const struct rules_part greement_parts[];
extern const struct rules_glossary greement_glossary[];
extern const char *const greement_ground_words[];
extern const char *const greement_tax_words[];
extern const char *const greement_kind_words[];
extern const char *const greement_side_words[];
extern const int32_t greement_start_values[VALUES];

extern const struct says greement_says[]; /* ends with a NULL lang */
enum { OPTION_TURNS, OPTION_TAX, OPTION_LOANS, OPTIONS };

/* What a triggered event does besides changing values. */
enum greement_effect {
    EFFECT_NONE,
    EFFECT_MINES_LOST,
    EFFECT_CROPS_LOST,
    EFFECT_CATTLE_TO_CROPS,
    EFFECT_LANDS_TO_CATTLE,
    EFFECT_DISEASE,
    EFFECT_TAKE_LAKE, /* an appropriation, by what squares are next to */
    EFFECT_TAKE_MOUNTAIN,
    EFFECT_TAKE_MINES
};

/* An event card. */
struct greement_event_card {
    uint8_t cards; /* of this kind in the deck */
    uint8_t price; /* to avoid it; 0: by a vote */
    struct {
        uint8_t value;
        int8_t by; /* 0: no more changes */
    } change[3];
    uint8_t effect; /* enum greement_effect */
    uint8_t pays;   /* for each square an appropriation takes */
};

extern const struct greement_event_card greement_event_deck[EVENTS];

/* ---- grid.c ---- */

/* The up to four squares that are connected to one.
 *
 *     for (struct greement_walk w = greement_walk(square);
 *          greement_walk_next(&w, &to);) */
struct greement_walk {
    int square, way;
};

static inline struct greement_walk greement_walk(int square)
{
    return (struct greement_walk){square, 0};
}

bool greement_walk_next(struct greement_walk *w, int *ret_to);

/* Whether SQUARE is connected to one of that kind. */
bool greement_next_to(const struct greement *g, int square, int kind);

/* greement_pay_tax() to every seat; 0 to SEAT itself. */
void greement_pay_taxes(const struct greement *g, int seat, int32_t *taxes);

/* What lakes and mountains make of SQUARE's profit and worth; at most 99 to the
 * power of four. */
int64_t greement_multiplier(const struct greement *g, int square);

/* What a land or gold mine costs, without the tax. */
int greement_plain_price(const struct greement *g, int square);

/* greement_price() of a row of squares; FIELDS_NULL_I32 for what nobody may
 * buy. */
void greement_prices(const struct greement *g, int seat, int row,
                     int32_t *prices);

/* ---- moves.c ---- */

void greement_propose(const struct rules_state *s, int seat,
                      struct rules_list *list);
int greement_check(const struct rules_state *s, int seat,
                   const struct rules_move *move);

/* Whether SQUARE is connected to a starting square of another than SEAT. */
bool greement_next_to_start(const struct greement *g, int seat, int square);

/* The offer of that number, or NULL. */
const struct greement_offer *greement_offer(const struct greement *g,
                                            int number);

/* [G20] Whether SEAT has anything left to choose in the disease. */
bool greement_can_treat(const struct greement *g, int seat);

/* What is still missing to avoid the event that can be avoided by paying. */
int greement_missing(const struct greement *g);

/* ---- turns.c ---- */

int greement_apply(struct rules_state *s, int seat,
                   const struct rules_move *move, struct rules_events *out);

/* Sets who is waited for and who may move, by where the game stands. */
void greement_pass_on(struct greement *g);

/* SEAT's turn begins, with its profit. */
void greement_begin_turn(struct greement *g, int seat,
                         struct rules_events *out);

/* Changes a value, which stops at its bounds. */
void greement_change(struct greement *g, int value, int by,
                     struct rules_events *out);

/* SEAT gets AMOUNT, as far as money goes; returns what it got. */
int32_t greement_earn(struct greement *g, int seat, int64_t amount);

/* SEAT pays AMOUNT, which it has. */
void greement_spend(struct greement *g, int seat, int64_t amount);

/* ---- events.c ---- */

/* The round's event phase begins. */
void greement_begin_events(struct greement *g);

/* EVENT is turned up. */
void greement_turn_up(struct greement *g, int event, struct rules_events *out);

/* A move of the event phase. */
void greement_event_move(struct greement *g, int seat,
                         const struct rules_move *move,
                         struct rules_events *out);

/* ---- chance.c ---- */

/* The verb nature owes, or -1. */
int greement_need(const struct greement *g);

/* The square to turn up, when it owes one. */
int greement_need_square(const struct greement *g);

void greement_nature_propose(const struct greement *g,
                             struct rules_list *list);
int greement_nature_check(const struct greement *g,
                          const struct rules_move *move);
void greement_nature_apply(struct greement *g, const struct rules_move *move,
                           struct rules_events *out);
void greement_chance(const struct rules_state *s, struct rng *rng,
                     struct rules_move *move);

/* ---- valid.c ---- */

/* Whether what no single field can say holds: each square and card once, and
 * nothing that belongs to another phase. */
bool greement_valid(const struct rules_state *s);

/* No game is longer.  [G17] and the material bound it.
 *
 * Setup: the first seat; a pick and a square for each of the 30 + 5 + 5 that
 * are no land and for each player; the rest of the squares.
 *
 * A turn: 90 squares bought, 60 seeded, 60 with cattle; 30 offers and an end
 * to each; 30 payments; 7 cards bought, drawn and used, one of them in two
 * moves; its end.
 *
 * An event: turned up; 30 payments and changed votes of each player, and their
 * vote or their `done`; 50 contributions (that is the dearest); then a disease
 * with at most 60 cattle, and a `done` each. */
#define GREEMENT_SETUP_PLIES (1 + 40 + GREEMENT_SEATS_MAX + GREEMENT_SQUARES)
#define GREEMENT_TURN_PLIES \
    (90 + 60 + 60 + 2 * GREEMENT_LIMIT + GREEMENT_LIMIT + 3 * 7 + 1 + 1)
#define GREEMENT_EVENT_PLIES \
    (1 + GREEMENT_SEATS_MAX * (GREEMENT_LIMIT + 1) + 50 + 60 + \
     GREEMENT_SEATS_MAX)
#define GREEMENT_ROUND_PLIES \
    (GREEMENT_SEATS_MAX * GREEMENT_TURN_PLIES + \
     GREEMENT_EVENTS * GREEMENT_EVENT_PLIES)

/* ---- helpers ---- */

static inline const struct greement *table_of(const struct rules_state *s)
{
    return (const struct greement *)s;
}

static inline void tell(struct rules_events *out, int kind, int seat, int a,
                        int b, int c)
{
    rules_emit(out, kind, seat, RULES_EVERYONE, a, b, c);
}

/* An event with at most one argument. */
static inline void tell_one(struct rules_events *out, int kind, int seat,
                            int a)
{
    tell(out, kind, seat, a, RULES_NONE, RULES_NONE);
}

/* An event about an amount of any size: see `millions` in tables.c. */
static inline void tell_amount(struct rules_events *out, int kind, int seat,
                               int32_t amount)
{
    if (amount <= GREEMENT_AMOUNT_MAX)
        tell_one(out, kind, seat, amount);
    else
        tell(out, kind, seat, amount % 1000, amount / 1000 % 1000,
             amount / 1000000);
}

static inline bool ground_is_land(int square)
{
    return square == SQUARE_LAND || square == SQUARE_CROP ||
           square == SQUARE_CATTLE;
}

/* [G13] */
static inline bool can_be_owned(int square)
{
    return ground_is_land(square) || square == SQUARE_MINE;
}

#endif
