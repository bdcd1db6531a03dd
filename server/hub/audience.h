/* audience.h -- what those who watch a table are told of a change; see
 * audience.c. */

#ifndef SERVER_HUB_AUDIENCE_H
#define SERVER_HUB_AUDIENCE_H

#include "entry.h"
#include "host.h"
#include "table.h"
#include "view.h"

/* What they had before it, and hear of it; about 150 kB. */
struct audience {
    uint32_t ply;     /* of what they had */
    bool started;     /* the game, by then */
    unsigned hearing; /* who is told of an entry, bits of viewer_index() */
    /* Of each kind of viewer there is. */
    struct view_header headers[VIEWERS];
    union rules_any views[VIEWERS];
    struct json_out told[VIEWERS]; /* events */
};

void audience_init(struct audience *a);
void audience_done(struct audience *a);
/* Before the first entry of a change of T. */
void audience_begin(struct audience *a, const struct table *t);
/* E has been applied to T; EVENTS are those of a move. */
void audience_hear(struct audience *a, const struct table *t,
                   const struct entry *e, const struct rules_events *events);
/* Sends each of those who watch T the step from what they had to what they are
 * to have, when TRANSACTION is stored. */
void audience_update(struct hub *hub, struct audience *a, struct table *t,
                     transaction_id transaction);

#endif
