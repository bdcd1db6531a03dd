/* ahead.h -- what people ordered ahead at a table (server/hub/orders.h), told once
 * more: from what was acknowledged, from the lines of the log and from the rules.
 *
 * It shares no line with the hub.  Each line that is stored is judged by the game
 * record's verifier; a move that nobody asked for just then must be the order of
 * its seat, and one that stands and can be carried out must come before anything
 * that people do.  After each change of the table what stands must be what is
 * stored, and nobody may be asked who has an answer. */

#ifndef TESTS_SUPPORT_AHEAD_H
#define TESTS_SUPPORT_AHEAD_H

#include "disk.h"
#include "protocol/record.h"

enum { AHEAD_WHY = 400 };

struct ahead_order {
    bool stands;
    bool pass;
    uint32_t round; /* of a pass */
    uint32_t after; /* the ply */
    struct rules_move move;
};

/* What became of orders. */
struct ahead_counts {
    size_t given, answers, passes; /* given; carried out */
    size_t illegal; /* answers that were not legal when they were asked */
    size_t harmed;  /* ... that something else than what is harmless dropped */
    size_t back;    /* dropped by what takes moves back */
    size_t rounds;  /* passes whose round was over */
    size_t gone;    /* with their seat, by resignation or replacement */
    size_t over;    /* with the game */
};

struct ahead {
    struct record *record; /* as far as the log was read */
    size_t plies;
    struct ahead_order seat[RULES_SEATS_MAX];
    id_num account[RULES_SEATS_MAX]; /* who has the seat */
    unsigned moved[RULES_SEATS_MAX]; /* orders' moves in this change */
    struct ahead_counts *count;
    char why[AHEAD_WHY];
};

void ahead_open(struct ahead *a, struct ahead_counts *count);
void ahead_close(struct ahead *a);

/* ACCOUNT has SEAT from now on. */
void ahead_seated(struct ahead *a, int seat, id_num account);

/* Reads what is new in T's log, which came of what ASKER (a seat, or -1) asked
 * for.  False, with A->why. */
bool ahead_read(struct ahead *a, const struct disk_table *t, int asker);

/* ORDER was acknowledged to SEAT. */
void ahead_given(struct ahead *a, int seat, const struct ahead_order *order);
/* SEAT gave ORDER and got no answer that says whether it stands: D does. */
void ahead_unsure(struct ahead *a, const struct disk *d, id_num table,
                  int seat, const struct ahead_order *order);

/* Whether what is stored on D for TABLE is what stands.  False, with A->why. */
bool ahead_stored(struct ahead *a, const struct disk *d, id_num table);

/* Makes ORDER a pass for the round in which the game is; false: it has none. */
bool ahead_pass(const struct ahead *a, struct ahead_order *order);

#endif
