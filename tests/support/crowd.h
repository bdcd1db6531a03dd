/* crowd.h -- people who come, move, leave, repeat themselves and say nonsense,
 * in a world (world.h) that fails and dies; and what must be true after
 * everything they hear and everything that is stored.
 *
 * A run is named by its seed: whoever plays what, every fault and every crash
 * follow from it, down to the last byte that is said (crowd.trace).
 *
 *     crowd.c        what they do
 *     crowd_heard.c  what they make of what they hear
 *     ledger.c       what must be true of the disk
 *
 * The properties:
 *   - every answer is what the schema says, and each request is answered once;
 *   - what was acknowledged is on the disk, then and ever after;
 *   - every log on the disk is one that core/audit accepts, ply by ply as it
 *     is stored, and could end after any of them: so nothing is played twice,
 *     and what was not acknowledged is wholly there or not at all;
 *   - plies never go back, for anybody, over crashes and failures;
 *   - an update leads from the view that its receiver has to the next one, whose
 *     hash is that of a fresh view; a fresh view equals the patched one; the
 *     chain that is told is the one on the disk;
 *   - the record of a finished table is true. */

#ifndef TESTS_SUPPORT_CROWD_H
#define TESTS_SUPPORT_CROWD_H

#include <jansson.h>

#include "ledger.h"
#include "play.h"
#include "protocol/methods.h"
#include "world.h"

enum { NODES_MAX = 3 };
enum { PEOPLE_MAX = 8, TABLES_MAX = 24, ASKED_MAX = 512, LATE_MAX = 16 };

/* What sort of days they have.  Chances are in a thousand, or as named. */
struct habits {
    const char *name;
    unsigned people;
    size_t steps;  /* at the most, of the world and of people */
    unsigned fail; /* of a thousand transactions and questions */
    unsigned crash_per_100000;
    unsigned jumps_per_100000; /* of the clock, back by up to an hour */
    size_t crash_at; /* the step at which the process dies, 0: none ... */
    size_t fail_at;  /* ... and the one that fails, from 1 */
    unsigned wander; /* of a thousand acts: anything; else they play on */
    unsigned again;  /* of a thousand requests: sent twice, or late */
    unsigned spoil;  /* of a thousand: with a spoiled one before it */
    unsigned reign; /* of a thousand wandering acts of the last of them, who is
                      * the administrator, who rewinds, replaces, abandons */
    size_t tables;  /* that are made, at the most */
    /* The games, as play_setup() knows them; ends with NULL.  No name: any
     * game, in a small lobby. */
    const char *const *games;
    int turns; /* of each game with the option but one in eight; 0: default */
    unsigned pace;  /* of a thousand tables: with one */
    unsigned votes; /* of a thousand things done at a table: to ask for one */
    unsigned
        leaps_per_100000; /* of the clock, ahead by a minute or two; one in
                                * eight is an outage */
    unsigned nodes; /* hubs on one store besides the first; people come to
                     * any of them, each dies and stands still by itself */
    bool deserted;  /* in the end all go for good, and time passes */
};

/* A request that was sent and not heard of, or one that is to be sent. */
struct asked {
    int id;
    enum method method;
    int table; /* index of the crowd's tables, or -1 */
    json_t *params;
};

struct person {
    peer_id peer; /* 0: away */
    char name[32], token[64];
    bool logged_in;
    struct asked asked[ASKED_MAX];
    size_t asked_count;
    struct asked late[LATE_MAX]; /* what they will send again, or at last */
    size_t late_count;
    json_t *view[TABLES_MAX]; /* of watched tables */
    int64_t seen[TABLES_MAX]; /* the highest ply they ever heard of */
    char chain[TABLES_MAX][65];
    int64_t text[TABLES_MAX];  /* the last that they heard of */
    json_t *legal[TABLES_MAX]; /* last answer of table.legal */
    bool watching[TABLES_MAX]; /* is sent what changes */
};

/* A ply that somebody was told is there. */
struct acked {
    const struct person *who;
    enum method method;
    int table;
    int64_t ply, decision; /* the latter of a move */
    char *says;            /* what its line must say, or NULL */
};

enum { CROWD_GAMES = 16 };

/* What was reached, in all runs together. */
struct crowd_counts {
    size_t runs, steps, requests, refused;
    size_t made[CROWD_GAMES], finished[CROWD_GAMES]; /* as play_game() */
    size_t resigned, abandoned, records;
    size_t moves, undos, resigns, chats, duplicates, late, stale;
    size_t rewinds, replaced, ended; /* by the administrator */
    size_t mutants, updates, compared, resumed, looked_back;
    size_t crashes, failures, loads, leaves, drops, plies, texts;
    size_t misses[MISS_THENS], timeouts, outages; /* by the clock */
    size_t paced;                                 /* tables with a pace */
    size_t frozen;                                /* nodes that stood still */
    size_t votes[VOTES]; /* that passed there, by what they were about */
};

struct crowd {
    struct world world; /* the first one, with the disk */
    struct world others[NODES_MAX - 1];
    const struct world *frozen; /* does nothing ... */
    uint64_t thaw;              /* ... before so many steps; or NULL */
    uint64_t seed;
    const struct habits *habits;
    peer_id peers;
    int ids;
    struct person people[PEOPLE_MAX];
    char table[TABLES_MAX][14];
    bool over[TABLES_MAX];
    size_t tables, asked_for; /* known, and asked for */
    size_t fresh;             /* setups taken from play_setup() */
    struct acked *acked;
    size_t acked_count;
    struct ledger ledger;
    char *record; /* lines of one being read */
    size_t record_len;
    bool record_whole;
    uint64_t trace; /* of every byte said */
    struct crowd_counts count;
};

/* A run; what was reached is added to TOTAL, and crowd.trace returned. */
uint64_t crowd_run(uint64_t seed, const struct habits *habits,
                   struct crowd_counts *total);

/* ---- shared by the files above ---------------------------------------- */

/* Says which run broke where, and aborts. */
_Noreturn void crowd_broken(const struct crowd *c, const char *file, int line,
                            const char *what);
#define HOLDS(c, cond) \
    ((cond) ? (void)0 : crowd_broken(c, __FILE__, __LINE__, #cond))

struct person *crowd_person(struct crowd *c, peer_id peer);
void crowd_ask(struct crowd *c, struct person *p, enum method m, int table,
               json_t *params);
void crowd_watch(struct crowd *c, struct person *p, int table, bool again);
/* P's view of TABLE and what hangs on it is of no more use. */
void crowd_forget_view(struct person *p, int table);
void crowd_heard(struct world *w, peer_id peer, const char *text, size_t len);
/* What was acknowledged is on the disk. */
void crowd_check_acked(struct crowd *c);
void crowd_trace(struct crowd *c, peer_id peer, const char *text, size_t len);
int64_t json_number(const json_t *object, const char *name);

#endif
