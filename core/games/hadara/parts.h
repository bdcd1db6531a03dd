/* parts.h -- what the files of Hadara share among themselves.
 *
 *     tables.c   words: verbs, events, kinds, options, reasons, parts
 *     says.c     sentences about them, in each language
 *     csv.c      replacement tables of numbers, read and checked
 *     hadara.c   setup, score, the table of the game
 *     fields.c   the state's fields, and what is shown besides
 *     legal.c    what players may do, and why not
 *     moves.c    what it changes
 *     course.c   epochs, phases and steps; income, feeding, the end
 *     chance.c   what nature does, and what of it is secret
 *     scoring.c  tracks, costs, points: all that follows from a state
 *     valid.c    what must hold of every state
 *     mind.c     what is worth a thought, and how good a position is */

#ifndef CORE_HADARA_PARTS_H
#define CORE_HADARA_PARTS_H

#include "../../base.h"
#include "../../says.h"
#include "hadara.h"

enum {
    NOT_DRAWN = RULES_GAME,
    PILE_EMPTY = RULES_GAME - 1,
    LEVEL_TAKEN = RULES_GAME - 2,
    TOO_WEAK = RULES_GAME - 3,
    STATUE_CARVED = RULES_GAME - 4,
    TOO_UNCULTURED = RULES_GAME - 5,
    NOT_YOUR_CARD = RULES_GAME - 6,
    NO_SUCH_EFFECT = RULES_GAME - 7,
    TOO_MANY = RULES_GAME - 8,
    TOO_MANY_MEDALS = RULES_GAME - 9,
    TOO_EXPENSIVE = RULES_GAME - 10,
    WRONG_PAYMENT = RULES_GAME - 11,
    PAYMENT_LIMIT = RULES_GAME - 12,
    NO_TILE = RULES_GAME - 13,
    TILE_NEEDED = RULES_GAME - 14,
    TILE_NOT_NEEDED = RULES_GAME - 15,
    WRONG_STEP = RULES_GAME - 16,
    NOT_NATURES = RULES_GAME - 17
};

enum hadara_event {
    EV_RING,
    EV_SETUP_CARD,
    EV_SIDE_CHOSEN, /* that, for the others; */
    EV_SIDE_CHOICE, /* which, for oneself; */
    EV_SIDE,        /* which, when all have */
    EV_EXTRA_COIN,
    EV_EPOCH,
    EV_WHEEL_SET,
    EV_DREW,
    EV_CHOSE,  /* that, for the others; */
    EV_CHOICE, /* what, for oneself */
    EV_DISCARDED,
    EV_TOOK,
    EV_BOUGHT,
    EV_SOLD,
    EV_WHEEL_TURNED,
    EV_INCOME,
    EV_COLONY,
    EV_COLONY_TURNED,
    EV_STATUE,
    EV_PASSED,
    EV_SURPLUS,
    EV_REMOVED,
    EV_FED,
    EV_SILVER,
    EV_GOLD,
    EV_DONE,
    EV_SCORED,
    EV_ENDED
};

/* What changed with each revision of these rules; tables keep the one that
 * they were set up under. */
enum {
    REVISION_PLUNDER_FINAL = 2, /* [D20]; before, it could be taken back */
    HADARA_REVISION = REVISION_PLUNDER_FINAL
};

/* ---- tables.c ---- */

extern const struct rules_word hadara_verbs[], hadara_events[];
extern const struct rules_option hadara_options[];
extern const struct rules_reason hadara_reasons[];
extern const struct rules_part hadara_parts[];
extern const struct rules_glossary hadara_glossary[];
extern const struct says hadara_says[]; /* ends with a NULL lang */
extern const char *const hadara_part_words[];
extern const char *const hadara_preview_words[];

enum { OPTION_ADVANCED, OPTIONS };

/* Coins for a sold card, by epoch from 1 on. */
#define SALE(epoch) ((epoch) + 1)

#define EFFECT_COINS       4 /* colony_coins */
#define EFFECT_TILE        2 /* bonus_tile, statue_bonus: steps */
#define EFFECT_LOWER       4 /* requirement_minus_4 */
#define EFFECT_HIGHER      2 /* income_per_higher_track, each */
#define EFFECT_SURPLUS     3 /* food_surplus_coins, each */
#define EFFECT_SURPLUS_MAX 12
#define EFFECT_FEED        2 /* feed_with_coins, a card */
#define EFFECT_SET         4 /* set_points, a set */
#define EFFECT_STEP        3 /* pay_requirement, a point */
#define GOLD_SET           7 /* points of a gold medal, a set */
#define COINS_A_POINT      5 /* [D17] */

/* ---- fields.c ---- */

void hadara_fields(struct fields *f, struct rules_state *s);

/* ---- scoring.c ---- */

/* As hadara_preview_card(), on P itself; legality is the caller's affair. */
void hadara_buy(const struct hadara *h, struct hadara_player *p, int card,
                int tile);

/* ---- legal.c ---- */

void hadara_propose(const struct rules_state *s, int seat,
                    struct rules_list *list);
int hadara_check(const struct rules_state *s, int seat,
                 const struct rules_move *move);
void hadara_default_move(const struct rules_state *s, int seat,
                         struct rules_move *move);

/* Whether P may keep CARD so: RULES_OK, or why not.  TILE is a track or
 * RULES_NONE. */
int hadara_check_keep(const struct hadara *h, const struct hadara_player *p,
                      int card, int keep, int tile);

/* Whether SEAT has anything to do in its colony or statue step but to pass,
 * or among the medals but to be done. */
bool hadara_can_take_colony(const struct hadara *h, int seat);
bool hadara_can_carve(const struct hadara *h, int seat);
bool hadara_can_buy_medal(const struct hadara *h, int seat);

/* ---- moves.c ---- */

int hadara_apply(struct rules_state *s, int seat,
                 const struct rules_move *move, struct rules_events *events);

/* ---- course.c ---- */

/* The sides are settled: coins are given and epoch I begins. */
void hadara_begin(struct hadara *h, struct rules_events *out);

/* The wheel is set, or has been turned: players draw. */
void hadara_draw_step(struct hadara *h);

/* A step of phase A is resolved. */
void hadara_turn_wheel(struct hadara *h, struct rules_events *out);

/* A card of phase B was taken. */
void hadara_after_take(struct hadara *h, struct rules_events *out);

/* The player on turn took a colony or carved a statue (ACTED), or passed: the
 * turn goes on to who can do something. */
void hadara_after_turn(struct hadara *h, bool acted, struct rules_events *out);

/* SEAT removed, paid or bought something: whether it is done follows. */
void hadara_after_feed(struct hadara *h, int seat, struct rules_events *out);

/* SEAT says that it is done. */
void hadara_done(struct hadara *h, int seat, struct rules_events *out);

/* ---- chance.c ---- */

void hadara_nature_propose(const struct hadara *h, struct rules_list *list);
int hadara_nature_check(const struct hadara *h, const struct rules_move *move);
void hadara_nature_apply(struct hadara *h, const struct rules_move *move,
                         struct rules_events *out);
void hadara_chance(const struct rules_state *s, struct rng *rng,
                   struct rules_move *move);
void hadara_redact_move(const struct rules_state *s, int seat, int viewer,
                        struct rules_move *move);
void hadara_redact(struct rules_state *s, int viewer);
void hadara_guess(struct rules_state *s, int viewer, struct rng *rng);

/* ---- valid.c ---- */

bool hadara_valid(const struct rules_state *s);

/* What can happen at most: the ring, setup cards and sides; of an epoch the
 * wheel; draws and choices, changed ones too; takes; in both phases two
 * colonies with their backs and two statues for each; in the feeding every
 * card removed, payments, medals and `done`. */
#define HADARA_SETUP_PLIES (1 + 2 * HADARA_SEATS_MAX)
#define HADARA_EPOCH_PLIES \
    (1 + HADARA_SEATS_MAX * (HADARA_STEPS * (2 + HADARA_CHANGES_MAX) + \
                             HADARA_TAKES + 2 * (4 + 2) + HADARA_OWNED_MAX + \
                             HADARA_FEED_MAX + 2 * HADARA_MEDALS + 1))
#define HADARA_COINS_MAX 1000000

/* ---- helpers ---- */

static inline const struct hadara *table_of(const struct rules_state *s)
{
    return (const struct hadara *)s;
}

static inline const struct hadara_card *card_of(const struct hadara *h,
                                                int card)
{
    return &hadara_tables(h)->card[card];
}

static inline uint16_t everyone(const struct hadara *h)
{
    return (uint16_t)(RULES_BIT(h->base.seats) - 1);
}

/* Whether the viewer of H knows what SEAT alone may know. */
static inline bool sees(const struct hadara *h, int seat)
{
    return h->base.viewer == RULES_ALL || h->base.viewer == seat;
}

/* Whether SEAT has drawn in this step of phase A and not kept anything yet. */
static inline bool holds(const struct hadara *h, int seat)
{
    return h->stage == STAGE_CHOOSE && seat < h->draws;
}

/* Whether they have chosen, too. */
static inline bool has_chosen(const struct hadara *h, int seat)
{
    return h->stage == STAGE_CHOOSE && h->draws == h->base.seats &&
           !(h->base.acting & RULES_BIT(seat));
}

/* Of the two cards that P drew, the one they keep if they discard this. */
static inline int kept(const struct hadara_player *p, int discard)
{
    return p->drawn[p->drawn[0] == discard];
}

/* The card that can be taken from a pile, which is not empty. */
static inline int top_card(const struct hadara *h, int color)
{
    return h->pile[color][h->piles[color] - 1];
}

/* Which of P's cards CARD is, or -1. */
static inline int card_place(const struct hadara_player *p, int card)
{
    for (int i = 0; i < p->cards; i++)
        if (p->card[i] == card)
            return i;
    return -1;
}

/* [D12] What P gets for taking a colony, besides. */
static inline int colony_coins(const struct hadara *h,
                               const struct hadara_player *p)
{
    return EFFECT_COINS * hadara_effects(h, p, EFFECT_COLONY_COINS);
}

static inline void tell_all(struct rules_events *out, int kind, int seat,
                            int a, int b, int c)
{
    rules_emit(out, kind, seat, RULES_EVERYONE, a, b, c);
}

static inline void tell_one(struct rules_events *out, int kind, int seat,
                            int a)
{
    tell_all(out, kind, seat, a, RULES_NONE, RULES_NONE);
}

/* As much of N as an event can tell. */
static inline int amount_of(int32_t n)
{
    return n < INT16_MAX ? n : INT16_MAX;
}

/* An absent argument and an absent field. */
static inline uint8_t to_field(int16_t arg)
{
    return arg == RULES_NONE ? HADARA_NOTHING : (uint8_t)arg;
}

static inline int to_arg(uint8_t field)
{
    return field == HADARA_NOTHING ? RULES_NONE : field;
}

#endif
