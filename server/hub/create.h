/* create.h -- a table in the making: a new one (create.c), or one that begins
 * where another one was (fork.c). */

#ifndef SERVER_HUB_CREATE_H
#define SERVER_HUB_CREATE_H

#include "core/timing.h"
#include "id.h"
#include "limits.h"
#include "protocol/game_json.h"
#include "request.h"

/* What is known of a table to be made. */
struct making {
    const struct rules *rules;
    int seats, seat;   /* how many, and whose who makes it takes */
    uint16_t revision; /* 0: the latest */
    int16_t options[RULES_OPTIONS_MAX];
    struct json_board board; /* its text is the request's */
    uint64_t effort;         /* that it took to make */
    struct rules_setup setup;
    id_num invited[LIMIT_INVITED];
    char names[LIMIT_INVITED][25];
    size_t invited_count;
    const char *join_password; /* hash of its password, or NULL */
    bool timed;
    struct terms terms;            /* about time, if TIMED */
    uint8_t bots[RULES_SEATS_MAX]; /* levels, of those that play */
    size_t bot_count;
    /* Of a fork; NULL: it begins at the beginning. */
    const struct rules_state *position; /* the request's */
    id_num from;                        /* the table, ... */
    uint32_t from_ply;                  /* ... and where it was left */
    bool hidden;                        /* private, whatever was asked for */
};

/* Q, in which a fork's M is kept, goes on like a table.create from where the
 * setup is known. */
void create_fork(struct hub *hub, struct request *q, struct making *m);

#endif
