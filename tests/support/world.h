/* world.h -- a world for the hub: a host of arrays, a number called now.
 *
 * Everything that the daemon's host does with sockets, threads and a disk is
 * here a list from which the next thing to happen is drawn by a seed.
 * Transactions are stored one after the other, questions answered when what
 * was handed over before them is stored, hashes whenever; any of it may fail,
 * and between any two steps the process may die.  What is on the disk
 * survives. */

#ifndef TESTS_SIM_WORLD_H
#define TESTS_SIM_WORLD_H

#include <jansson.h>

#include "core/rng.h"
#include "disk.h"
#include "server/hub/hub.h"

/* ---- the world -------------------------------------------------------- */

struct task;
struct world;

typedef void (*heard_cb)(struct world *w, peer_id peer, const char *text,
                         size_t len);
typedef void (*dropped_cb)(struct world *w, peer_id peer);
/* D arrives, or does not: what becomes of it. */
typedef struct delivery_outcome (*arrived_cb)(struct world *w,
                                              const struct delivery *d);
/* Whether D is still on its way. */
typedef bool (*underway_cb)(struct world *w, const struct delivery *d);
typedef void (*logged_cb)(struct world *w, enum host_level level,
                          const json_t *line);

struct world {
    struct host host; /* first: the hub's host is the world */
    struct hub *hub;
    struct hub_config config;
    struct disk disk;
    struct world *home; /* whose disk it has; NULL: its own */
    struct rng rng;
    /* What the hub draws; NULL: from RNG, so that it is another if anything else
     * befalls the world before. */
    struct rng *draws;
    int64_t now_ms;
    struct task *tasks;           /* in the order they were handed over */
    struct task *messages;        /* sent, waiting for their transaction */
    uint64_t transactions_stored; /* number of the last one */
    unsigned fail_per_1000;       /* transactions that fail ... */
    unsigned deaf_per_1000;       /* ... questions ... */
    size_t fail_at;               /* ... and the one of that number, from 1 */
    unsigned limbo_per_1000;      /* of those that fail, stored all the same */
    unsigned jumps_per_100000; /* steps before which the clock is set back */
    bool hashes_full;          /* the line for hashes takes no more */
    bool hashes_wait;          /* what stands in it stays there */
    bool hashes_fail;          /* no new ones are made */
    bool no_summer;            /* Paris has given it up */
    bool busy;                 /* an operation like it is under way */
    const char *wrong; /* what is wrong with the disk: operations fail */
    heard_cb heard;
    dropped_cb dropped;
    arrived_cb arrived;   /* NULL: there is no way to deliver anything */
    underway_cb underway; /* or NULL: nobody is slow */
    logged_cb logged;     /* or NULL: nobody reads the log */
    void *arg;
    uint64_t steps;
    /* What happened so far. */
    size_t handled;                /* transactions and questions */
    size_t failures;               /* of those */
    size_t loads;                  /* tables read */
    size_t plies;                  /* of their logs */
    size_t ends;                   /* the process was to end */
    enum operation_kind operation; /* the last one ... */
    char operand[64];              /* ... and its text */
    peer_id asker;                 /* on whose behalf a question was last */
    int64_t next;   /* where the file goes on that was last sent a page of */
    char token[64]; /* that was last kept from who began a session */
};

/* A world with an empty disk and a hub; SEED draws everything.  Others may be
 * given its disk by their `home`: several hubs on one store. */
void world_init(struct world *w, uint64_t seed, heard_cb heard,
                dropped_cb dropped, void *arg);
void world_done(struct world *w);
/* Does one of the things that are waiting to happen; false if none is. */
bool world_step(struct world *w);
/* Transactions and questions that are under way. */
size_t world_waits(const struct world *w);
/* The process dies and starts again: of the transactions under way a random
 * number had reached the disk, nobody has heard of them, all connections are
 * gone. */
void world_crash(struct world *w);
/* A number below N. */
uint32_t world_dice(struct world *w, uint32_t n);

#endif
