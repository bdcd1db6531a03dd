/* load.h -- many tables of two connections each, one move under way at each.
 *
 *     load.c            connections, the loop, pace, clocks, what is printed
 *     load_sobremesa.c  the daemon's public protocol: whole games of our own
 *     load_games.c      those games, drawn and written out before the clock
 *                       runs
 *     load_others.c     what other servers speak
 *
 * The same loop drives all servers, so that what the load itself costs is the
 * same for each.  A *lane* is a table at which moves follow one another: the
 * next is due when the mover has its acknowledgement and both connections have
 * seen the update.  A server without acknowledgements has its update for one.
 */

#ifndef TESTS_BENCH_LOAD_H
#define TESTS_BENCH_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "protocol/ws.h"

#define SEATS 2

struct load;
struct lane;

struct client {
    uv_tcp_t tcp;
    struct load *load;
    struct lane *lane;
    int seat;
    bool asked; /* the handshake is sent ... */
    bool open;  /* ... and answered */
    struct ws_ask ask;
    struct ws ws;
    char head[2048]; /* of the answer to the handshake */
    size_t head_len;
    /* The driver's. */
    uint32_t ply; /* that it has seen */
    unsigned step;
    char path[160];
    char *kept; /* freed at the end */
};

struct lane {
    struct client client[SEATS];
    unsigned number;
    bool ready;       /* its next move can be sent */
    bool moving;      /* a move is under way ... */
    unsigned pending; /* ... and its acknowledgement (bit SEATS) and updates */
    bool over;        /* it has no more moves */
    int mover;
    double due; /* when the move should have left, and did, in seconds */
    uint64_t sent, acked;
    struct lane *next; /* of those that are ready */
    /* The driver's. */
    struct table *tables;
    unsigned table, prepared, joined;
};

/* How a server is spoken to. */
struct driver {
    const char *name;
    bool raw; /* bare TCP, no WebSocket */
    /* C is connected, and its handshake done: brings its lane closer to being
     * ready.  Then lane_ready() follows, once. */
    void (*opened)(struct client *c);
    /* Before connecting; may fill in c->path.  NULL: nothing. */
    void (*before)(struct client *c);
    void (*heard)(struct client *c, char *text, size_t len);
    /* Sends the lane's next move and returns its seat; or -1 and says
     * lane_ready() later, or sets lane->over. */
    int (*move)(struct lane *lane);
    /* All lanes have said lane_prepared(). */
    void (*prepared)(struct load *load);
    /* The last word: what was acknowledged, into F; may be NULL. */
    void (*tell)(struct load *load, FILE *f);
};

extern const struct driver sobremesa, boardgame, colyseus, bare, echo;

struct load {
    const struct driver *driver;
    uv_loop_t loop;
    struct sockaddr_in to;
    char host[64];
    struct ws_kit kit;
    struct lane *lanes;
    unsigned count;
    unsigned games; /* for each lane */
    const char *game, *data, *tokens;
    int pace; /* seconds that a turn may take; 0: as many as it likes */
    unsigned prepared, ready_lanes;
};

/* What drivers call. */
_Noreturn void load_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void client_say(struct client *c, const char *text, size_t len);
void client_say_bytes(struct client *c, const void *data, size_t len);
void client_say_text(struct client *c,
                     const char *text); /* with its NUL off */
/* The lane could go on; when all have said so driver.prepared() is called. */
void lane_prepared(struct lane *lane);
void lane_ready(struct lane *lane);
/* The move under way is acknowledged; SEAT has seen it. */
void lane_acked(struct lane *lane);
void lane_seen(struct lane *lane, int seat);

/* ---- load_games.c ------------------------------------------------------- */

struct step {
    uint8_t seat;
    uint32_t ply, after; /* of the move, and of the last draw it causes */
    const char *text;    /* the whole request */
    size_t len;
};

struct table {
    char id[16];
    struct step *steps;
    size_t step_count, at; /* AT: the next one */
    uint32_t first;        /* ply at which the first is due */
    uint32_t acked;        /* the last ply that was acknowledged */
    uint32_t acks;
};

/* Draws a game of NAME for two from SEED, at random, and writes its requests
 * for the table T; at most MAX of them. */
void game_make(struct table *t, const char *name, const char *seed,
               size_t max);

#endif
