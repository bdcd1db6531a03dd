/* world.h -- a world for the hub: a host of arrays, a number called now.
 *
 * Everything that the daemon's host does with sockets, threads and a disk is
 * here a list from which the next thing to happen is drawn by a seed.  Units
 * are stored one after the other, questions answered when what was handed over
 * before them is stored, hashes whenever; any of it may fail, and between any
 * two steps the process may die.  What is on the disk survives. */

#ifndef TESTS_SIM_WORLD_H
#define TESTS_SIM_WORLD_H

#include "core/rng.h"
#include "server/hub/hub.h"

/* ---- the disk --------------------------------------------------------- */

struct disk_table {
    struct table_row row;
    struct region region;
    struct ply_row *plies;
    size_t ply_count, ply_cap;
    id_num invited[64];
    size_t invited_count;
    struct text_row *texts;
    size_t text_count;
    struct account_row *renames; /* due: ids and the names it knows */
    size_t rename_count;
};

struct disk_key {
    id_num account;
    char *method, *key, *answer;
    int64_t at;
};

struct disk_note {
    id_num account, table;
    uint64_t mark;
    char *note;
};

struct disk {
    struct region region;
    struct account_row *accounts;
    size_t account_count;
    struct token_row *tokens;
    size_t token_count;
    struct link_row *links;
    size_t link_count;
    struct disk_table **tables;
    size_t table_count;
    struct disk_key *keys;
    size_t key_count;
    struct disk_note *notes;
    size_t note_count;
};

void disk_done(struct disk *d);
/* Makes TO, which is empty, hold what FROM does.  The texts stay FROM's, which
 * must outlast it. */
void disk_copy(struct disk *to, const struct disk *from);
struct disk_table *disk_table(const struct disk *d, id_num id);
/* Stores all of UNIT, or nothing if it conflicts. */
enum unit_result disk_store(struct disk *d, const struct unit *unit);
void disk_answer(const struct disk *d, const struct question *q,
                 struct answer *a);

/* ---- the world -------------------------------------------------------- */

struct task;
struct world;

typedef void (*heard_cb)(struct world *w, peer_id peer, const char *text,
                         size_t len);
typedef void (*dropped_cb)(struct world *w, peer_id peer);

struct world {
    struct host host; /* first: the hub's host is the world */
    struct hub *hub;
    struct hub_config config;
    struct disk disk;
    struct rng rng;
    int64_t now;
    struct task *tasks;        /* in the order they were handed over */
    struct task *letters;      /* sent, waiting for their unit */
    uint64_t units_stored;     /* number of the last unit dealt with */
    unsigned fail_per_1000;    /* units that fail ... */
    unsigned deaf_per_1000;    /* ... questions ... */
    size_t fail_at;            /* ... and the one of that number, from 1 */
    unsigned limbo_per_1000;   /* of those that fail, stored all the same */
    unsigned jumps_per_100000; /* steps before which the clock is set back */
    bool hashes_full;          /* the line for hashes takes no more */
    bool hashes_wait;          /* what stands in it stays there */
    heard_cb heard;
    dropped_cb dropped;
    void *arg;
    uint64_t steps;
    /* What happened so far. */
    size_t handled;  /* units and questions */
    size_t failures; /* of those */
    size_t loads;    /* tables read whole */
};

/* A world with an empty disk and a hub; SEED draws everything. */
void world_init(struct world *w, uint64_t seed, heard_cb heard,
                dropped_cb dropped, void *arg);
void world_done(struct world *w);
/* Does one of the things that are waiting to happen; false if none is. */
bool world_step(struct world *w);
/* The process dies and starts again: of the units under way a random number
 * had reached the disk, nobody has heard of them, all connections are gone. */
void world_crash(struct world *w);
/* A number below N. */
uint32_t world_dice(struct world *w, uint32_t n);

#endif
