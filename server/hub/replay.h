/* replay.h -- looking back, and records. */

#ifndef SERVER_HUB_REPLAY_H
#define SERVER_HUB_REPLAY_H

#include "history.h"
#include "request.h"

/* The events since W->past as VIEWER was told them, as a member; W is at the
 * end then.  False if it does not get there: then O is good for nothing. */
bool replay_events(struct hub *hub, struct json_out *o, struct table *t,
                   struct walk *w, int viewer);
/* Answers Q with lines of its table's record, from its parameter `from` on:
 * what ASK_TABLE was answered with. */
void record_read(struct hub *hub, struct request *q,
                 const struct answer *answer);

#endif
