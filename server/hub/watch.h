/* watch.h -- who watches which table, and what they are told; see watch.c. */

#ifndef SERVER_HUB_WATCH_H
#define SERVER_HUB_WATCH_H

#include "peer.h"
#include "table.h"

struct watched {
    struct watched *next;  /* of the same peer */
    struct watched *other; /* of the same table */
    struct peer *peer;
    struct table *table;
    int viewer;     /* whose view the peer has ... */
    uint32_t ply;   /* ... and of which ply ... */
    int was_viewer; /* ... if the unit under way is stored; else this */
    uint32_t was_ply;
    bool check; /* wants chain and view_hash */
};

/* Which viewer's places in arrays of VIEWERS. */
static inline int viewer_index(int viewer)
{
    return viewer == RULES_WATCHER ? RULES_SEATS_MAX : viewer;
}

/* Before a change: remembers the views of all who watch T.  Then events are
 * told as they happen, and after it each of them is sent the difference. */
void watch_before(struct hub *hub, struct table *t);
/* Forgets what T keeps for its watchers, but not who they are. */
void watch_forget(struct table *t);
/* Seats have other people or numbers now. */
void watch_seats(struct hub *hub, struct table *t);
/* The unit under way failed: what was sent with it was never heard. */
void watch_failed(struct table *t);
/* The word for what entries of that kind are as events, or NULL. */
extern const char *const entry_events[];
void watch_event(struct hub *hub, struct table *t, const char *kind, int seat);
void watch_events(struct hub *hub, struct table *t);
void watch_after(struct hub *hub, struct table *t, unit_id unit);
/* Tells those who watch ACCOUNT that something at T concerns it. */
void watch_tell(struct hub *hub, id_num account, const char *kind,
                const struct table *t, unit_id unit);
void tell_invited(struct hub *hub, const struct table *t, const id_num *who,
                  size_t count);
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
