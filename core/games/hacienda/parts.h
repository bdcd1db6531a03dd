/* parts.h -- what the files of Hacienda share among themselves.
 *
 *     tables.c   words and numbers
 *     hacienda.c setup, fields, what views leave out, the table of the game
 *     moves.c    what players do
 *     chance.c   what nature does
 *     scoring.c  chains, herds, pay and points
 *     mind.c     what is worth a thought, and how good a position is
 *     valid.c    what must hold of every state */

#ifndef CORE_HACIENDA_PARTS_H
#define CORE_HACIENDA_PARTS_H

#include "../../base.h"
#include "../../says.h"
#include "hacienda.h"

enum {
    NO_ACTIONS_LEFT = RULES_GAME,
    ONCE_PER_TURN = RULES_GAME - 1,
    SUPPLY_EMPTY = RULES_GAME - 2,
    TOO_EXPENSIVE = RULES_GAME - 3,
    NOT_IN_DISPLAY = RULES_GAME - 4,
    NOT_YOUR_TILE = RULES_GAME - 5,
    HAS_HACIENDA = RULES_GAME - 6,
    WRONG_SHAPE = RULES_GAME - 7,
    WRONG_ORDER = RULES_GAME - 8,
    WRONG_SPACE = RULES_GAME - 9,
    HEX_TAKEN = RULES_GAME - 10,
    NOT_IN_HAND = RULES_GAME - 11,
    NO_TILE_LEFT = RULES_GAME - 12,
    NOT_ADJACENT = RULES_GAME - 13,
    NOT_YOUR_LAND = RULES_GAME - 14,
    NO_CHAIN = RULES_GAME - 15,
    CHAIN_HAS_CHIP = RULES_GAME - 16,
    FROM_NOT_ALLOWED = RULES_GAME - 17,
    NO_CHIP_LEFT = RULES_GAME - 18,
    FROM_NEEDED = RULES_GAME - 19,
    NO_CHIP_THERE = RULES_GAME - 20,
    NOT_NATURES = RULES_GAME - 21
};

enum hacienda_event {
    EV_START_PLAYER,
    EV_SPARE_TERRAIN,
    EV_TERRAIN,
    EV_DREW,
    EV_TURNED_UP,
    EV_SHUFFLED,
    EV_SECOND_STACK,
    EV_LAST_STACK,
    EV_BOUGHT_CARD,
    EV_TOOK_CARD,
    EV_BOUGHT_HACIENDA,
    EV_BOUGHT_WATER,
    EV_PLAYED,
    EV_MARKET_PAID,
    EV_HARVESTED,
    EV_TURN_ENDED,
    EV_ROUND_BEGAN,
    EV_SCORED,
    EV_ENDED
};

/* How a game ended, for EV_ENDED. */
enum { END_SCORED, END_ALL_PASSED, END_ROUND_LIMIT };

/* ---- tables.c ---- */

extern const struct rules_word hacienda_verbs[], hacienda_events[];
extern const struct rules_option hacienda_options[];
extern const struct rules_reason hacienda_reasons[];
extern const struct rules_part hacienda_parts[];
extern const char *const hacienda_part_names[];
extern const char *const hacienda_stack_words[];
extern const char *const hacienda_terrain_words[];

extern const struct says hacienda_says[]; /* ends with a NULL lang */
enum { OPTION_VARIANT1, OPTION_VARIANT2, OPTION_CRUCIBLE, OPTIONS };

/* Material and setup of a table, by its number of players (rules, Setup). */
struct hacienda_numbers {
    uint8_t cards[CARDS]; /* of each kind in the game */
    uint8_t removed;      /* animal cards taken out unseen */
    uint8_t deal[STACKS]; /* drawn into each hand */
    uint8_t pampas;       /* given to each besides, known to all */
    uint8_t slots;        /* of each display */
    uint8_t haciendas, chips;
    uint8_t waters[SHAPES]; /* tiles of each shape, printed ones included */
};

const struct hacienda_numbers *hacienda_numbers(int seats, bool crucible);

static inline const struct hacienda_numbers *numbers(const struct hacienda *h)
{
    return hacienda_numbers(h->base.seats, h->crucible);
}

/* ---- scoring.c ---- */

/* Numbers the land chains and counts the chips; after any change of land
 * tiles or chips. */
void hacienda_link(struct hacienda *h);

/* Counts what the board is worth; after any change of tiles or haciendas. */
void hacienda_value(struct hacienda *h);

/* Whether a hex next to HEX bears a tile of that kind owned by SEAT. */
bool hacienda_next_to(const struct hacienda *h, int hex, int seat, int tile);

/* ---- chance.c ---- */

/* What chance is to decide next. */
struct hacienda_need {
    int verb; /* NATURE_…, or -1: nothing */
    int seat; /* NATURE_DEAL: who draws */
    int stack;
    int slot; /* NATURE_TURN_UP: where the card goes */
    int hex;  /* NATURE_TERRAIN */
};

struct hacienda_need hacienda_need(const struct hacienda *h);

/* Cards that can be drawn of a stack; the land discards are its reserve. */
int hacienda_drawable(const struct hacienda *h, int stack);

void hacienda_nature_propose(const struct hacienda *h,
                             struct rules_list *list);
int hacienda_nature_check(const struct hacienda *h,
                          const struct rules_move *move);
void hacienda_nature_apply(struct hacienda *h, const struct rules_move *move,
                           struct rules_events *events);
void hacienda_chance(const struct rules_state *s, struct rng *rng,
                     struct rules_move *move);
void hacienda_redact_move(const struct rules_state *s, int seat, int viewer,
                          struct rules_move *move);
void hacienda_guess(struct rules_state *s, int viewer, struct rng *rng);

/* ---- moves.c ---- */

void hacienda_propose(const struct rules_state *s, int seat,
                      struct rules_list *list);
int hacienda_check(const struct rules_state *s, int seat,
                   const struct rules_move *move);
int hacienda_apply(struct rules_state *s, int seat,
                   const struct rules_move *move, struct rules_events *events);

/* The ground a card goes on: its terrain's, or pampas for animals, pampas and
 * cards whose terrain has no empty space any more. */
int hacienda_card_ground(const struct hacienda *h, int card);
/* Whether SEAT holds CARD, as far as the viewer of H knows. */
bool hacienda_in_hand(const struct hacienda *h, int seat, int card);
/* [H7] Whether SEAT has a tile left for CARD. */
bool hacienda_tile_left(const struct hacienda *h, int seat, int card);

/* The hexes of a water tile of SHAPE that begins, in reading order, on HEX, as
 * it lies the Ith way: RULES_NONE for those it does not have.  Whether it can
 * lie there: on empty pampas, and as no other way does. */
enum { HACIENDA_WATER_WAYS = 3 };
bool hacienda_water_tile(const struct hacienda *h, int shape, int hex, int i,
                         int tile[3]);

/* Gives the move to chance while it owes something, else to who is on turn. */
void hacienda_pass_on(struct hacienda *h);

/* ---- valid.c ---- */

/* Whether what no single field can say holds: each card, tile, chip and
 * hacienda in one place, and the course of the game where it can be. */
bool hacienda_valid(const struct rules_state *s);

/* After the plies of the setup, a turn has at most its three actions, each
 * with a drawn card and four refilled slots, and its end. */
#define HACIENDA_SETUP_PLIES \
    (1 + 4 + BOARD_HEXES_MAX + HACIENDA_SEATS_MAX * 12 + 8)
#define HACIENDA_TURN_PLIES (HACIENDA_ACTIONS * (2 + HACIENDA_SLOTS) + 1)
#define HACIENDA_MONEY_MAX  1000000

/* ---- helpers ---- */

static inline const struct hacienda *table_of(const struct rules_state *s)
{
    return (const struct hacienda *)s;
}

static inline void tell_all(struct rules_events *events, int kind, int seat,
                            int a, int b, int c)
{
    rules_emit(events, kind, seat, RULES_EVERYONE, a, b, c);
}

#endif
