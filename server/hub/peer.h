/* peer.h -- who is connected, from where, as whom, and how much they ask for. */

#ifndef SERVER_HUB_PEER_H
#define SERVER_HUB_PEER_H

#include "hub.h"
#include "protocol/methods.h"
#include "request.h"

struct watched;

#define RATES METHOD_RATES

struct bucket {
    int64_t at_ms;   /* when LEFT was right; 0: never used */
    int64_t left_ms; /* what is left, as the time it takes to fill */
};

/* An account of somebody who is connected. */
struct account {
    id_num id;
    char name[25];
    int64_t seen;       /* as stored, to the hour */
    uint64_t events;    /* things that concerned it, watched or not */
    uint64_t doubt;     /* it was heard of elsewhere; see look.c */
    bool listed;        /* it waits to be looked at */
    int64_t missed_ms;  /* nobody knows what concerned it since; 0: all is */
    size_t peers;       /* connections logged in as it, ... */
    struct peer *here;  /* ... by next_here */
    struct peer *first; /* of those that watch it, by next_of_account */
};

struct peer {
    peer_id id;
    struct peer_info info;
    struct account *account; /* NULL: not logged in */
    id_num token;            /* by which it is */
    uint16_t scopes;
    bool spoke;              /* has asked something */
    bool dropped;            /* the host was told to close it */
    size_t requests;         /* not answered yet */
    struct request *barrier; /* that later ones wait for */
    struct queue waiting;
    struct watched *watched;
    size_t watched_count;
    bool watches_me;
    struct peer *next_here;       /* of its account */
    struct peer *next_of_account; /* that watches it, too */
    struct bucket rates[RATES];
};

/* Where connections come from. */
struct source {
    uint64_t id;
    size_t peers;
    struct bucket rates[RATES];
    struct bucket accounts; /* made */
    struct bucket failed;   /* log-ins */
    struct bucket mails;    /* that one may cause without being known */
};

struct peer *peer_find(const struct hub *hub, peer_id id);
/* Cuts P off: nothing more is heard of it or said to it. */
void peer_drop(struct hub *hub, struct peer *p, enum drop_reason reason);

id_num random_id(struct hub *hub);

/* Whether P has limits: not the administrator, nor who is near and trusted. */
bool peer_is_limited(const struct hub *hub, const struct peer *p);
/* Takes one from BUCKET, which holds BURST, one of which takes ONE_MS to come
 * back; else how long to wait, in milliseconds. */
int64_t bucket_take(struct bucket *b, int64_t now_ms, int64_t burst,
                    int64_t one_ms);
/* The same for a request of that rate from P; 0 if it need not wait. */
int64_t rate_wait(struct hub *hub, struct peer *p, enum method_rate r);
/* Whether P, a process that thinks for bots, may make COUNT such requests now. */
bool rate_lasts(const struct hub *hub, const struct peer *p,
                enum method_rate r, int64_t count);
/* Takes COUNT more of what PEER and its address may do; they may be in debt
 * after that. */
void rate_take(struct hub *hub, peer_id peer, enum method_rate r,
               uint64_t count);
/* A read of PEER, on which *SPENT was spent, has taken so much EFFORT more: for
 * each LIMIT_READ_EFFORT another read is taken from what PEER and its address
 * may do, or is owed by them. */
void rate_charge(struct hub *hub, peer_id peer, uint64_t *spent,
                 uint64_t effort);

#endif
