/* rebuild.h -- ratings made anew from the logs of all games that were rated. */

#ifndef SERVER_HUB_REBUILD_H
#define SERVER_HUB_REBUILD_H

struct hub;
struct rebuild;

/* Forgets what was read so far; NULL is fine. */
void rebuild_free(struct rebuild *r);
/* The same once nobody has gone on with it for an hour. */
void rebuild_tick(struct hub *hub);

#endif
