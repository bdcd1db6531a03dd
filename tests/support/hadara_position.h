/* hadara_position.h -- positions of Hadara, and playing on from them in words.
 *
 * A test says where the game stands and what everybody has; all cards it does
 * not name are somewhere they can be, so that the state is valid:
 *
 *     struct hd p;
 *     hd_start(&p, &(struct hd_table){
 *         .stage = STAGE_COLONY, .epoch = 2,
 *         .player = {{.cards = "red-1-01 red-1-03", .coins = 7}},
 *     });
 *     HD_REFUSED(&p, 0, "take_colony level=5 mode=plunder", "too_weak");
 *     hd_do(&p, 0, "take_colony level=1 mode=integrate");
 *
 * Seat 0 has initiative 1, seat 1 has 2 and so on; the ring is yellow, red,
 * blue, green, purple unless the test says otherwise.  Chance draws what the
 * test wants next, and else anything.  Everything played is logged, so that
 * taking back is a replay. */

#ifndef TESTS_SUPPORT_HADARA_POSITION_H
#define TESTS_SUPPORT_HADARA_POSITION_H

#include "core/games/hadara/hadara.h"
#include "core/rng.h"
#include "core/rules.h"

enum { HD_PLIES = 4096, HD_WANTS = 16 };

struct hd_player {
    const char *cards; /* owned: "red-1-01 blue-1-05" */
    int coins;
    int initiative;       /* 0: the seat's number + 1 */
    char side;            /* 'b': side B, else A */
    const char *colonies; /* "1 2 4/3": levels, plundered or of copy 3 */
    const char *statues;  /* "1income 2food!": with a tile, ! for points */
    const char *silver;   /* "income income" */
    int golds;
};

struct hd_table {
    int seats;    /* 0: two */
    int revision; /* of the rules; 0: the latest */
    bool advanced;
    enum hadara_stage stage; /* STAGE_RING: a new game, and nothing else of
                              * this is looked at */
    int epoch, phase;        /* epoch 0: the first */
    int turn;                /* of a colony or statue step */
    struct hd_player player[HADARA_SEATS_MAX];
    const char *piles;                  /* STAGE_TAKE: the tops of piles */
    const struct hadara_tables *tables; /* NULL: the standard ones */
};

struct hd {
    union rules_any start, any;
    int16_t options[RULES_OPTIONS_MAX];
    struct rules_ply log[HD_PLIES];
    struct rules_done done[HD_PLIES];
    size_t plies;
    struct rules_events events; /* of the last player's ply */
    struct rng rng;
    uint8_t want[HD_WANTS]; /* cards to be drawn when they can be */
    size_t wants;
    int want_copy; /* back of a colony to be drawn; 0: any */
    int want_setup[HADARA_SEATS_MAX];
};

/* Makes the position; a valid one, or the test ends. */
void hd_start(struct hd *p, const struct hd_table *t);
/* An advanced game of five before its last feeding: seat 0 has what OWN says, and
 * the initiative that comes second, the others nothing. */
void hd_start_last(struct hd *p, const struct hd_player *own);
/* A new game after nature's first plies. */
void hd_new(struct hd *p, int seats, bool advanced);

struct hadara *hd_of(struct hd *p);
int hd_card(const char *id);

/* Cards to be drawn when anybody draws from their deck, in that order. */
void hd_want(struct hd *p, const char *cards);

/* Why SEAT may not do so, "ok" if it may.  A refusal must change nothing. */
const char *hd_why(struct hd *p, int seat, const char *text);
/* Plays a move and what nature answers. */
void hd_do(struct hd *p, int seat, const char *text);
/* The default move of who acts, up to that stage or the end. */
void hd_until(struct hd *p, enum hadara_stage stage);
/* Takes back SEAT's last ply: "yes", or why that cannot be. */
const char *hd_undo(struct hd *p, int seat);

int hd_coins(struct hd *p, int seat);
int hd_track(struct hd *p, int seat, enum hadara_track track);
/* Points of one category, current points, value if the game ended. */
int hd_part(struct hd *p, int seat, enum hadara_part part);
int hd_points(struct hd *p, int seat);
int hd_value(struct hd *p, int seat);
bool hd_acts(struct hd *p, int seat);
bool hd_owns(struct hd *p, int seat, const char *card);
size_t hd_legal(struct hd *p, int seat, int verb);
/* The view of SEAT. */
const struct hadara *hd_view(struct hd *p, int viewer, union rules_any *room);

#define HD_REFUSED(p, seat, text, word) \
    cr_assert_str_eq(hd_why(p, seat, text), word, "%s: %s, not %s", text, \
                     hd_why(p, seat, text), word)
#define HD_LEGAL(p, seat, text) HD_REFUSED(p, seat, text, "ok")
#define HD_IS(got, wanted) \
    do { \
        long got_ = (long)(got), wanted_ = (long)(wanted); \
        cr_assert_eq(got_, wanted_, "%s is %ld, not %ld", #got, got_, \
                     wanted_); \
    } while (0)
#define HD_TRACKS(p, seat, i, m, c, f) \
    do { \
        HD_IS(hd_track(p, seat, TRACK_INCOME), i); \
        HD_IS(hd_track(p, seat, TRACK_MILITARY), m); \
        HD_IS(hd_track(p, seat, TRACK_CULTURE), c); \
        HD_IS(hd_track(p, seat, TRACK_FOOD), f); \
    } while (0)

#endif
