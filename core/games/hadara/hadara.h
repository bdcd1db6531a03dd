/* hadara.h -- what a table of Hadara consists of, for the rules and for
 * clients that draw it.  [Dn] and clauses are those of the rules text; see
 * README.md beside this file. */

#ifndef CORE_HADARA_HADARA_H
#define CORE_HADARA_HADARA_H

#include "../../rules.h"

#define HADARA_SEATS_MAX   5
#define HADARA_EPOCHS      3
#define HADARA_CARDS       162
#define HADARA_LEVELS      5 /* of colonies */
#define HADARA_COPIES      5 /* colonies of each level */
#define HADARA_STATUES     4
#define HADARA_SETUPS      5  /* setup cards */
#define HADARA_MEDALS      2  /* silver ones, and gold ones, of a player */
#define HADARA_TILES       2  /* bonus tiles of each track, of a player */
#define HADARA_STEPS       5  /* of a phase A */
#define HADARA_CHANGES_MAX 30 /* [D6] of a choice, in a step */
#define HADARA_TAKES       5  /* cards a player takes in a phase B */
#define HADARA_OWNED_MAX   30 /* cards of a player: ten an epoch */
#define HADARA_GONE_MAX    50 /* cards of an epoch that left the game */
#define HADARA_VALUE_MAX   99 /* [D1] of a number in the tables */
#define HADARA_PAY_MAX     30 /* coins for requirements, in a phase */
#define HADARA_FEED_MAX    6  /* cards paid for, in a feeding */

/* No card, tile, track, seat; or hidden from this viewer. */
#define HADARA_NOTHING FIELDS_NULL_U8

/* Not COLOR_…, which curses.h has. */
enum hadara_color {
    HUE_YELLOW,
    HUE_RED,
    HUE_BLUE,
    HUE_GREEN,
    HUE_PURPLE,
    HUES
};

/* Also of bonus tiles; in the order of the colours that go with them. */
enum hadara_track {
    TRACK_INCOME,
    TRACK_MILITARY,
    TRACK_CULTURE,
    TRACK_FOOD,
    TRACKS
};

/* rules, Purple effects, in that order: six of each epoch, four of them with
 * a star, as hadara_effect_starred() has it. */
enum hadara_effect {
    EFFECT_SELL_BONUS,
    EFFECT_BONUS_TILE,
    EFFECT_CULTURE_PER_BLUE,
    EFFECT_INCOME_PER_YELLOW,
    EFFECT_FOOD_PER_GREEN,
    EFFECT_MILITARY_PER_RED,
    EFFECT_COLONY_COINS,
    EFFECT_MEDAL_DISCOUNT,
    EFFECT_INCOME_PER_HIGHER_TRACK,
    EFFECT_FOOD_SURPLUS_COINS,
    EFFECT_STATUE_BONUS,
    EFFECT_FEED_WITH_COINS,
    EFFECT_SILVER_FULL,
    EFFECT_SET_POINTS,
    EFFECT_REQUIREMENT_MINUS_4,
    EFFECT_WILD_COLOUR,
    EFFECT_DOUBLE_STEP,
    EFFECT_PAY_REQUIREMENT,
    EFFECTS,
    EFFECTS_PER_EPOCH = EFFECTS / HADARA_EPOCHS,
    EFFECTS_PLAIN = 2 /* of those, without a star */
};

enum hadara_side { SIDE_A, SIDE_B, SIDES };
enum hadara_keep { KEEP_BUY, KEEP_SELL };
enum hadara_mode { MODE_PLUNDER, MODE_INTEGRATE };
enum hadara_face { FACE_UP, FACE_POINTS };

/* Where the game stands: what is to be decided next. */
enum hadara_stage {
    STAGE_RING,   /* nature: the order of the segments */
    STAGE_DEAL,   /* nature: setup cards */
    STAGE_SIDES,  /* all: sides of the setup cards; `advanced` only */
    STAGE_WHEEL,  /* the first player: the wheel */
    STAGE_CHOOSE, /* phase A: nature draws, then all choose */
    STAGE_TAKE,   /* phase B: one after the other takes a card */
    STAGE_COLONY,
    STAGE_STATUE,
    STAGE_FEED, /* all: feeding and medals, each at their own pace */
    STAGE_OVER,
    STAGES
};

/* Verbs, in the order in which legal moves are listed; nature's last. */
enum hadara_verb {
    CHOOSE_SIDE,
    SET_WHEEL,
    CHOOSE,
    TAKE,
    TAKE_COLONY,
    CARVE,
    REMOVE,
    PAY_FEED,
    BUY_SILVER,
    BUY_GOLD,
    PASS,
    DONE,
    NATURE_RING,   /* the order of the segments */
    NATURE_SETUP,  /* a player's setup card */
    NATURE_DRAW,   /* the two cards a player chooses from */
    NATURE_COLONY, /* the back of an integrated colony */
    HADARA_VERBS
};

/* Categories of points. */
enum hadara_part {
    PART_CARDS,
    PART_COLONIES,
    PART_STATUES,
    PART_SILVER, /* what silver_full adds is here, too */
    PART_GOLD,
    PART_EFFECTS, /* set_points */
    PART_COINS,
    HADARA_PARTS
};

/* ---- the numbers [D1] ------------------------------------------------- */

/* Cards are numbered in the order of epoch_cards.csv: 54 of each epoch, ten of
 * each colour and fourteen purple ones. */
struct hadara_card {
    uint8_t cost;
    uint8_t value[TRACKS];
    uint8_t points;
    uint8_t effect; /* enum hadara_effect, or HADARA_NOTHING */
};

struct hadara_level { /* the fronts of its colonies */
    uint8_t requirement, plunder, integrate, points;
};

struct hadara_back {
    uint8_t value[TRACKS];
    uint8_t points;
};

struct hadara_setup {
    uint8_t coins;
    uint8_t value[TRACKS];
};

struct hadara_prices {
    uint8_t silver, gold, silver_reduced, gold_reduced;
};

struct hadara_statue {
    uint8_t requirement, points, bonus;
};

struct hadara_tables {
    struct hadara_card card[HADARA_CARDS];
    struct hadara_level level[HADARA_LEVELS];
    struct hadara_back back[HADARA_LEVELS][HADARA_COPIES];
    struct hadara_setup setup[HADARA_SETUPS][SIDES]; /* by initiative - 1 */
    struct hadara_prices prices[HADARA_EPOCHS];
    struct hadara_statue statue[HADARA_STATUES];
};

/* ---- the table -------------------------------------------------------- */

struct hadara_player {
    int32_t coins;
    uint8_t initiative; /* the number of the setup card; 0: none yet */
    uint8_t side;       /* enum hadara_side; HADARA_NOTHING: not chosen, or
                          * hidden until all have */

    /* The board. */
    uint8_t cards;                       /* bought and not removed: */
    uint8_t card[HADARA_OWNED_MAX];      /* ... in the order of purchase */
    uint8_t card_tile[HADARA_OWNED_MAX]; /* the bonus tile on it, a track */
    uint8_t colony[HADARA_LEVELS];       /* enum hadara_mode */
    uint8_t copy[HADARA_LEVELS];         /* of an integrated one, from 1 */
    uint8_t statue_tile[HADARA_STATUES]; /* a track */
    uint8_t statue_face[HADARA_STATUES]; /* enum hadara_face */
    uint8_t silver[HADARA_MEDALS];       /* tracks */
    uint8_t golds;

    /* [D19] What was sold in phase A: of each epoch and colour, whether (all
     * know) and which card (only the seller does). */
    uint8_t sold[HADARA_EPOCHS][HUES];
    uint8_t sold_card[HADARA_EPOCHS][HUES];

    /* In a step of phase A.  Who is acting has not chosen. */
    uint8_t drawn[2]; /* cards; HADARA_NOTHING: none, or hidden */
    uint8_t discard;  /* the choice: a card, */
    uint8_t keep;     /* enum hadara_keep, */
    uint8_t tile;     /* and a track where it is needed */
    uint8_t changes;  /* how often it was changed */

    uint8_t paid;   /* coins for requirements in this phase */
    uint8_t fed;    /* cards paid for in this feeding */
    uint8_t bought; /* medals, in this step */
};

struct hadara {
    struct rules_state base;

    /* Fixed by the setup. */
    uint8_t advanced;         /* option, 0 or 1 */
    uint8_t version;          /* of the standard tables; 0: OWN holds others */
    struct hadara_tables own; /* all 0 unless VERSION is 0 */

    uint8_t ring[HADARA_STEPS]; /* colours, clockwise; HADARA_NOTHING until
                                 * drawn */
    uint8_t stage;              /* enum hadara_stage */
    uint8_t epoch;              /* from 1; 0 until sides are chosen */
    uint8_t phase;              /* of the epoch: 0 is A, 1 is B */
    uint8_t offset;             /* of the wheel; HADARA_NOTHING: not set */
    uint8_t step;               /* of phase A, from 0 */
    uint8_t draws;              /* players who have drawn in this step */
    uint8_t takes;              /* cards taken in this phase B */
    uint8_t turn;               /* whose turn it is; HADARA_NOTHING: all's */
    uint8_t again;              /* double_step: 1 in the second action */
    uint8_t turning;            /* level of the colony whose back is to be
                                 * drawn, from 1, or HADARA_NOTHING */
    uint8_t piles[HUES];        /* cards in each discard pile: */
    uint8_t pile[HUES][HADARA_SEATS_MAX]; /* ... from the bottom */
    uint8_t gones[HADARA_EPOCHS]; /* cards of each epoch all saw leave: */
    uint8_t gone[HADARA_EPOCHS][HADARA_GONE_MAX]; /* ... by number */

    struct hadara_player player[HADARA_SEATS_MAX];
};

_Static_assert(sizeof(struct hadara) <= RULES_STATE_MAX, "fits");

extern const struct rules hadara_rules;

#define HADARA_CSV_BYTES_MAX 65536 /* of all five tables together */

/* Generated from data/: the standard tables by version, from 1, and how many
 * there are; the latest as an asset; what is not certain about it; the cards'
 * ids. */
extern const struct hadara_tables hadara_standard[];
extern const uint8_t hadara_versions;
extern const struct rules_asset hadara_assets[];
extern const char *const hadara_notes[];
extern const char *const hadara_card_words[];

/* The other words, as on the wire; each list ends with NULL. */
extern const char *const hadara_color_words[];
extern const char *const hadara_track_words[];
extern const char *const hadara_effect_words[];
extern const char *const hadara_side_words[];
extern const char *const hadara_keep_words[];
extern const char *const hadara_mode_words[];
extern const char *const hadara_face_words[];
extern const char *const hadara_stage_words[];
/* What an effect means, in a sentence. */
extern const char *const hadara_effect_texts[];

static inline const struct hadara_tables *hadara_tables(const struct hadara *h)
{
    return h->version == 0 ? &h->own : &hadara_standard[h->version - 1];
}

enum {
    CARDS_OF_COLOR = 10,
    CARDS_OF_EPOCH = 54,
    CARDS_PURPLE = CARDS_OF_EPOCH - HUE_PURPLE * CARDS_OF_COLOR
};

static inline int hadara_card_epoch(int card) /* from 1 */
{
    return card / CARDS_OF_EPOCH + 1;
}

static inline int hadara_card_color(int card)
{
    int color = card % CARDS_OF_EPOCH / CARDS_OF_COLOR;
    return color < HUE_PURPLE ? color : HUE_PURPLE;
}

static inline bool hadara_effect_starred(int effect)
{
    return effect != HADARA_NOTHING &&
           effect % EFFECTS_PER_EPOCH >= EFFECTS_PLAIN;
}

/* ---- what follows from a state: scoring.c ----------------------------- */

/* The four tracks of a player: setup card, cards, integrated colonies, bonus
 * tiles, effects. */
void hadara_tracks(const struct hadara *h, const struct hadara_player *p,
                   int32_t track[TRACKS]);

/* Cards of COLOR that P owns; all of them is p->cards. */
int hadara_owned(const struct hadara_player *p, int color);

/* How many owned cards have EFFECT. */
int hadara_effects(const struct hadara *h, const struct hadara_player *p,
                   int effect);

/* What CARD costs P now, in coins; what selling one brings. */
int hadara_cost(const struct hadara *h, const struct hadara_player *p,
                int card);
int hadara_sale(const struct hadara *h, const struct hadara_player *p);

/* The price of a medal for P in this epoch. */
int hadara_medal_price(const struct hadara *h, const struct hadara_player *p,
                       bool gold);

/* Unused bonus tiles of a track. */
int hadara_tiles(const struct hadara_player *p, int track);

/* What the colony of LEVEL (from 0), or a statue, requires of P; effects that
 * lower it are taken into account, coins are not. */
int hadara_colony_requirement(const struct hadara *h,
                              const struct hadara_player *p, int level);
int hadara_statue_requirement(const struct hadara *h,
                              const struct hadara_player *p, int statue);

/* Feeding: cards that P still has to remove or to pay for; 0 or less: none. */
int hadara_excess(const struct hadara *h, const struct hadara_player *p);
/* What each of those costs that P pays for, in coins; -1 if they may not. */
int hadara_feed_price(const struct hadara *h, const struct hadara_player *p);

/* Points by category if the game ended now, and current points: those of
 * cards, colonies and statues. */
void hadara_points(const struct hadara *h, const struct hadara_player *p,
                   int32_t part[HADARA_PARTS]);

/* What a player's numbers are or would be. */
enum hadara_preview {
    PREVIEW_INCOME, /* the tracks */
    PREVIEW_MILITARY,
    PREVIEW_CULTURE,
    PREVIEW_FOOD,
    PREVIEW_COINS,
    PREVIEW_POINTS, /* cards, colonies, statues */
    PREVIEW_VALUE,  /* if the game ended */
    PREVIEWS
};

void hadara_now(const struct hadara *h, const struct hadara_player *p,
                int32_t now[PREVIEWS]);

/* The card that MOVE of SEAT, which chooses or takes one, keeps, or the one it
 * removes; HADARA_NOTHING if it is about none. */
int hadara_kept(const struct hadara *h, int seat,
                const struct rules_move *move);

/* What feeds the tracks of P: each column of which hadara_tracks() is the
 * sum.  A tile on a card or statue gives what the rules say it gives: all that
 * is not setup, card or colony is a tile's, or an effect's that counts cards. */
enum hadara_source {
    FROM_SETUP,
    FROM_CARDS,
    FROM_COLONIES,
    FROM_TILES,
    FROM_EFFECTS,
    SOURCES
};
void hadara_sources(const struct hadara *h, const struct hadara_player *p,
                    int32_t from[SOURCES][TRACKS]);

/* Purchases that SEAT, who is to choose or to take a card, cannot make, most
 * likely for want of coins: worth seeing beside those it can.  How many moves
 * were written to OUT. */
int hadara_dear(const struct rules_state *s, int seat,
                struct rules_move out[HUES]);

/* What hadara_now() would be after P bought or sold CARD; TILE is a track for
 * who needs one, or HADARA_NOTHING.  Whether that is legal; NOW is untouched
 * if not.  All other moves can be previewed by playing them on a view. */
bool hadara_preview_card(const struct hadara *h, const struct hadara_player *p,
                         int card, int keep, int tile, int32_t now[PREVIEWS]);
/* ... and after the sides were settled, with SIDE for SEAT. */
bool hadara_preview_side(const struct hadara *h, int seat, int side,
                         int32_t now[PREVIEWS]);

/* Who is first in EPOCH (from 1), or HADARA_NOTHING before all setup cards are
 * dealt; the extra coins of SEAT. */
int hadara_first(const struct hadara *h, int epoch);
int hadara_extra(const struct hadara *h, int seat);

/* The colour SEAT draws from in STEP of this epoch's phase A. */
int hadara_segment(const struct hadara *h, int seat, int step);

/* Cards face down in the deck of COLOR. */
int hadara_deck(const struct hadara *h, int color);

/* Reads tables in the words of README.md into T.  False, with WHY filled in,
 * if that is not what they are: csv.c. */
bool hadara_tables_read(struct hadara_tables *t, const char *text, size_t len,
                        struct rules_problem *why);

/* Tells of each row of tables that can be read whose provenance is something
 * else than "published"; the row's name is its id, or its numbers. */
void hadara_doubts(const char *text, size_t len, void *arg,
                   rules_doubt_cb *doubt);

/* Whether T is what a replacement may be, as far as its numbers tell. */
bool hadara_tables_valid(const struct hadara_tables *t);

#endif
