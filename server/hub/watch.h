/* watch.h -- who watches which table, and what they are told; see watch.c. */

#ifndef SERVER_HUB_WATCH_H
#define SERVER_HUB_WATCH_H

#include "peer.h"
#include "protocol/methods.h"
#include "table.h"

struct watched {
    struct watched *next; /* of the same peer */
    struct watched *next_at_table;
    struct peer *peer;
    struct table *table;
    int viewer;     /* whose view the peer has ... */
    uint32_t ply;   /* ... and of which ply ... */
    int was_viewer; /* ... if the transaction under way is stored; else this */
    uint32_t was_ply;
    bool check; /* wants chain and view_hash */
};

/* Which viewer's places in arrays of VIEWERS. */
static inline int viewer_index(int viewer)
{
    return viewer == RULES_WATCHER ? RULES_SEATS_MAX : viewer;
}

/* The account of who has it, or 0. */
id_num watched_account(const struct watched *w);
void watched_free(struct watched *w);
/* Begins a notification in O; then its params, and the end. */
void notify_begin(struct json_out *o, enum notification n);
struct message *notify_end(struct json_out *o);
/* Forgets what T keeps for its watchers, but not who they are. */
void watch_forget(struct table *t);
/* The change under way failed: what was sent with it was never heard. */
void watch_failed(struct table *t);
/* Tells those who watch ACCOUNT that KIND happened at TABLE, when TRANSACTION is
 * stored. */
void watch_tell(struct hub *hub, id_num account, const char *kind,
                id_num table, transaction_id transaction);
/* Has P watch its account, or no more. */
void watch_me(struct hub *hub, struct peer *p, bool on);
/* T was loaded anew: who has another ply than it has now is told to ask. */
void watch_resumed(struct hub *hub, struct table *t);
/* T leaves memory: who still watches it is cut off, to come back. */
void watch_drop(struct hub *hub, struct table *t);
/* Nobody watches T any more; there will be nothing to tell. */
void watch_end(struct table *t);

void watch_leave(struct hub *hub, struct peer *p);

#endif
