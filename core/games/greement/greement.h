/* greement.h -- what a table of Greement consists of, for the rules and for
 * clients that draw it.  [Gn] and clauses are those of the rules text; see
 * README.md beside this file.
 *
 * Nothing in a state is hidden from anybody.  What nobody may know -- squares
 * that lie face down, the order of the decks, the events to come -- is not in
 * it either: nature draws each at the moment it is turned up. */

#ifndef CORE_GREEMENT_GREEMENT_H
#define CORE_GREEMENT_GREEMENT_H

#include "../../rules.h"

#define GREEMENT_SEATS_MAX    6
#define GREEMENT_SIDE         10 /* squares in a row, and rows */
#define GREEMENT_SQUARES      (GREEMENT_SIDE * GREEMENT_SIDE)
#define GREEMENT_TURNS_MAX    99
#define GREEMENT_EVENTS       3          /* event cards of a round */
#define GREEMENT_DECIDERS     3          /* [G18] waiting cards, at most */
#define GREEMENT_OFFERS       8          /* that stand at once */
#define GREEMENT_LIMIT        30         /* [G17] offers; payments; votes */
#define GREEMENT_LOAN_MAX     20         /* [G4] debt after borrowing */
#define GREEMENT_AMOUNT_MAX   30000      /* [G14] in a move */
#define GREEMENT_VALUE_MAX    999        /* [G14] in the table of values ... */
#define GREEMENT_TIMES_MAX    99         /* ... and of a multiplier */
#define GREEMENT_MONEY_MAX    999999999  /* [G14] also of debt */
#define GREEMENT_WEALTH_MAX   2000000000 /* [G14] */
#define GREEMENT_DISEASE_COST 2          /* of a treated square */

#define GREEMENT_NOBODY FIELDS_NULL_U8 /* no seat, no card, no square */

/* The table of values; the words of the argument `value`. */
enum greement_value {
    LAND_PRICE,
    SEED_PRICE,
    CROP_PROFIT,
    MINE_PRICE,
    MINE_PROFIT,
    LAKE_MULTIPLIER,
    MOUNTAIN_MULTIPLIER,
    DISTANCE_TAX,
    CATTLE_PRICE,
    CATTLE_PROFIT,
    ACTION_CARD_PRICE,
    VALUES
};

/* What a square is; the first three are states of land. */
enum greement_square {
    SQUARE_LAND, /* unseeded */
    SQUARE_CROP,
    SQUARE_CATTLE,
    SQUARE_MINE,
    SQUARE_LAKE,
    SQUARE_MOUNTAIN,
    SQUARE_KINDS,
    SQUARE_FACE_DOWN = FIELDS_NULL_U8
};

/* What a square is when it is turned up; the words of `kind`. */
enum greement_ground {
    GROUND_LAND,
    GROUND_MINE,
    GROUND_LAKE,
    GROUND_MOUNTAIN,
    GROUNDS
};

/* Action cards; the words of `card`. */
enum greement_card {
    CARD_STEAL,
    CARD_DECIDE,
    CARD_RAISE,
    CARD_LOWER,
    CARD_COLLECT,
    CARDS
};

/* The kinds of event cards, in the order of the rules; the words of `event`.
 * Those from EVENT_DISEASE on are avoided by paying. */
enum greement_event {
    EVENT_LAKE_UP,
    EVENT_MOUNTAIN_UP,
    EVENT_MULTIPLIERS_UP,
    EVENT_LAND_DEARER,
    EVENT_LAND_CHEAPER,
    EVENT_CATTLE_UP,
    EVENT_CATTLE_DOWN,
    EVENT_CROPS_UP,
    EVENT_CROPS_DOWN,
    EVENT_CROP_UP_MINE_DOWN,
    EVENT_CROP_DOWN_MINE_UP,
    EVENT_CATTLE_UP_MINE_DOWN,
    EVENT_CATTLE_DOWN_MINE_UP,
    EVENT_CROP_UP_CATTLE_DOWN,
    EVENT_CROP_DOWN_CATTLE_UP,
    EVENT_TAX_DOWN_CROP_DOWN,
    EVENT_TAX_DOWN_MINE_UP,
    EVENT_MINES_LOST,
    EVENT_CROPS_LOST,
    EVENT_CATTLE_TO_CROPS,
    EVENT_LANDS_TO_CATTLE,
    EVENT_MINE_DOWN,
    EVENT_MINE_UP,
    EVENT_TAX_MULTIPLIERS_DOWN,
    EVENT_CARDS_CHEAPER,
    EVENT_DISEASE,
    EVENT_LAKE_TAKEN,
    EVENT_MOUNTAIN_TAKEN,
    EVENT_MINES_TAKEN,
    EVENTS
};

/* Verbs, in the order in which legal moves are listed; nature's last. */
enum greement_verb {
    PICK,
    BUY_LAND,
    SEED,
    BUY_CATTLE,
    PAY,
    OFFER,
    ACCEPT,
    DECLINE,
    WITHDRAW,
    BUY_ACTION_CARD,
    STEAL,
    RAISE,
    LOWER,
    COLLECT,
    BORROW,
    REPAY,
    VOTE,
    CONTRIBUTE,
    TREAT,
    DONE,
    END_TURN,
    NATURE_START,  /* the first seat */
    NATURE_SQUARE, /* a square is turned up */
    NATURE_CARD,   /* an action card is drawn */
    NATURE_EVENT,  /* an event card is turned up */
    VERBS
};

/* Where the game stands. */
enum greement_phase {
    PHASE_START,  /* the first seat is to be drawn */
    PHASE_PICK,   /* starting squares */
    PHASE_REVEAL, /* the other squares are turned up */
    PHASE_TURN,
    PHASE_EVENTS, /* an event card is to be turned up */
    PHASE_VOTE,
    PHASE_PAY,
    PHASE_DISEASE, /* [G20] */
    PHASE_OVER,
    PHASES
};

enum greement_kind { KIND_SELL, KIND_BUY };     /* of an offer */
enum greement_side { SIDE_BUYER, SIDE_SELLER }; /* who pays its tax */

/* Parts of wealth. */
enum greement_part { PART_MONEY, PART_DEBT, PART_SQUARES, PARTS };

struct greement_offer {
    uint8_t number; /* 1, 2 ... within the turn */
    uint8_t kind;   /* enum greement_kind, seen from who is in turn */
    uint8_t with;   /* the seat it is made to */
    uint8_t square;
    uint8_t tax_by; /* enum greement_side */
    uint16_t price;
};

struct greement_player {
    int32_t money;
    int32_t debt;         /* [G4] */
    uint8_t vote;         /* 1: avoid; GREEMENT_NOBODY: none */
    uint8_t done;         /* with paying, or with treating */
    uint8_t contribution; /* to the event that can be avoided so */
    uint8_t acts;         /* [G17] payments and changed votes of the event */
};

struct greement {
    struct rules_state base;

    /* Options. */
    uint8_t turns, full_tax, loans;

    uint8_t phase; /* enum greement_phase */
    uint8_t start; /* the first seat, or GREEMENT_NOBODY */
    uint8_t turn;  /* who picks or is in turn, or GREEMENT_NOBODY */
    uint8_t round; /* the turn count: rounds that are over */

    int32_t value[VALUES];
    uint8_t square[GREEMENT_SQUARES];  /* enum greement_square */
    uint8_t owner[GREEMENT_SQUARES];   /* a seat, or GREEMENT_NOBODY */
    uint8_t treated[GREEMENT_SQUARES]; /* 1: paid for in the disease */
    uint8_t picked;                    /* the square that is being turned up */

    struct greement_player player[GREEMENT_SEATS_MAX];

    /* The turn. */
    uint8_t deck[CARDS];           /* action cards that can be drawn */
    uint8_t drawing;               /* one is bought and has not been drawn */
    uint8_t pending;               /* [G7] the card that must be used */
    uint8_t stolen;                /* squares its steal has taken so far */
    uint8_t offers_made, payments; /* [G17] */
    uint8_t offers;
    struct greement_offer offer[GREEMENT_OFFERS];

    /* The event phase. */
    uint8_t deciders; /* [G18] cards that wait, the oldest first */
    uint8_t decider[GREEMENT_DECIDERS];
    uint8_t events; /* turned up in this phase; the last one is current */
    uint8_t event[GREEMENT_EVENTS];
};

extern const struct rules greement_rules;

/* ---- words, for clients that draw the table ---- */

extern const char *const greement_square_names[]; /* "a1", "b1" ... "j10" */
extern const char *const greement_square_words[];
extern const char *const greement_value_words[];
extern const char *const greement_card_words[];
extern const char *const greement_event_words[];
extern const char *const greement_phase_words[];

/* What an action card and an event card do, in a sentence each. */
extern const char *const greement_card_texts[];
extern const char *const greement_event_texts[];

/* ---- numbers ---- */

/* Copies of a card in its deck; what a kind of square has in all. */
int greement_cards(int card);
int greement_event_cards(int event);
int greement_grounds(int ground);

/* What an event costs to avoid; 0 for one that is voted on. */
int greement_event_price(int event);

/* Cards of that kind which can still be turned up in this event phase. */
int greement_events_left(const struct greement *g, int event);

/* Squares of that kind that lie face down. */
int greement_face_down(const struct greement *g, int ground);

/* The event that is being decided, or GREEMENT_NOBODY. */
int greement_event_now(const struct greement *g);

/* [G18] Who alone decides the vote that is held, or GREEMENT_NOBODY. */
int greement_decider(const struct greement *g);

/* The Manhattan distance of two squares. */
int greement_distance(int a, int b);

/* The distance from SQUARE to SEAT's nearest other one; 0 if it has none. */
int greement_nearest(const struct greement *g, int seat, int square);

/* [G3] The distance tax for a distance, and that for SEAT to get SQUARE. */
int greement_tax(const struct greement *g, int distance);
int greement_square_tax(const struct greement *g, int seat, int square);

/* The distance tax on a payment between two players. */
int greement_pay_tax(const struct greement *g, int seat, int other);

/* What SEAT pays for an unowned square, tax included; -1 if nobody may buy
 * it. */
int greement_price(const struct greement *g, int seat, int square);

/* What a square earns, and what it is worth, whoever owns it; not yet cut to
 * the bounds of money and wealth. */
int64_t greement_profit(const struct greement *g, int square);
int64_t greement_worth(const struct greement *g, int square);

/* What SEAT's squares earn in a turn, not cut to any bound. */
int64_t greement_income(const struct greement *g, int seat);

/* SEAT's wealth if the game ended now, as its parts; returns the whole. */
int32_t greement_wealth(const struct greement *g, int seat,
                        int32_t parts[PARTS]);

#endif
