/* offline.h -- a table without a server: its log, its chance and its bots.
 *
 * The table is its setup and the plies since; the state is what comes of them.
 * Nature's plies are drawn as a server would draw them, draw n from stream n
 * of the key that fair.h makes of a number, so that the same number and the
 * same moves give the same game again.  An undo plays the log again without
 * the ply taken back; draws go on counting, so that it draws nothing twice.
 *
 * Bots know what a person in their seat would know, and play by chance of their
 * own, so that the same number and moves give the same game again. */

#ifndef TERM_OFFLINE_H
#define TERM_OFFLINE_H

#include "ahead.h"
#include "core/mind.h"
#include "table.h"
#include "term.h"

/* A ply of the log and what came of it. */
struct offline_ply {
    struct rules_ply ply;
    uint16_t flags;  /* of its events, RULES_REVEALED … */
    uint64_t number; /* as a script counts it */
    size_t event;    /* index of its first event */
    size_t event_count;
};

struct offline {
    /* public */
    struct table table;    /* names and bots may be set */
    enum mind_level level; /* of the bots */
    uint64_t next_number;  /* the next ply's number */
    const char *file;      /* where it is kept, or NULL; the caller's */
    struct lead *lead; /* who leads the only human, or NULL; the caller's */

    /* read-only */
    struct rules_setup setup;
    struct json_board board;
    int16_t options[RULES_OPTIONS_MAX];
    bool seeded; /* nature's plies can be drawn */
    uint64_t seed;
    uint64_t draws;    /* those taken back among them */
    uint64_t thoughts; /* moves that bots have chosen at random */
    struct offline_ply *log;
    size_t count, cap;

    /* private */
    uint8_t key[RNG_SEED_SIZE];
    struct mind_room *room; /* once a bot thinks */
};

/* Sets up a table of SEATS with OPTIONS and *BOARD, which it takes over, for
 * the rules of REVISION (0: the latest).
 * False after a complaint; then O need not be closed. */
bool offline_open(struct offline *o, const struct rules *r, int revision,
                  int seats, const int16_t *options, struct json_board *board);
void offline_close(struct offline *o);
/* Calls SEAT by the LEN bytes of NAME; false, if they are no name. */
bool offline_name(struct offline *o, int seat, const char *name, size_t len);
/* Writes the game to its file, if it has one; whether it could. */
bool offline_keep(const struct offline *o);
/* Opens the game that offline_keep() wrote to PATH, which is its file from then
 * on; O->lead, if it is not NULL, is told what was told.  As offline_open(). */
bool offline_resume(struct offline *o, const char *path);
/* Plays the script PATH, silently, on a table of its own, O, and puts its header
 * into *RET_HEADER, the caller's to free.  As offline_open(). */
bool script_load(const char *path, struct offline *o, json_t **ret_header);
/* From now on nature draws by this number. */
void offline_seed(struct offline *o, uint64_t seed);

static inline struct rules_state *offline_state(struct offline *o)
{
    return &o->table.any.state;
}

/* Plays MOVE and logs it; table.last is what came of it.  RULES_OK or why
 * not. */
int offline_play(struct offline *o, int seat, const struct rules_move *move);

/* What is done without a human: whose ply it was, RULES_NATURE or a bot's
 * seat; -1 if the table waits for a human or is over. */
int offline_step(struct offline *o);

/* The human seats of O that can move; who is waited for comes first if SEAT is
 * -1, else the next one after SEAT.  -1 if there is none. */
int offline_human(const struct offline *o, int seat);
/* How many seats are played by humans. */
int offline_humans(const struct offline *o);

/* The level of bots called TEXT; of NULL greedy, which is worth playing against
 * and quick.  False after a complaint. */
bool level_read(const char *text, enum mind_level *ret_level);

/* What SEAT looks ahead from: the table as they see it.  Nobody else's game is
 * spoilt: the machine may be asked. */
struct ahead_from offline_ahead_from(const struct offline *o, int seat);

/* Takes back the last ply of SEAT, or says why not. */
enum rules_undo offline_undo(struct offline *o, int seat);
/* The same without asking who may: takes back all plies numbered NUMBER and
 * higher, as an administrator's rewind does. */
void offline_rewind(struct offline *o, uint64_t number);
/* Why a ply cannot be taken back, as a sentence. */
const char *undo_sentence(enum rules_undo why);

#endif
