/* replay.h -- looking back, and records. */

#ifndef SERVER_HUB_REPLAY_H
#define SERVER_HUB_REPLAY_H

#include "history.h"
#include "request.h"

/* The events since W->past as VIEWER was told them, as a member; W is at the
 * end then.  False if it does not get there: then O is good for nothing. */
bool replay_events(struct hub *hub, struct json_out *o, struct table *t,
                   struct walk *w, int viewer);
/* What T's log says was played cannot be played again, and Q cannot be answered:
 * somebody has to look into that. */
void replay_broken(struct hub *hub, const struct table *t, struct request *q);
/* Answers Q with lines of T's record, from its parameter `from` on. */
void record_ask(struct hub *hub, struct request *q, const struct table *t);

#endif
