/* play.h -- what those have in common who are asked to play something. */

#ifndef SERVER_HUB_PLAY_H
#define SERVER_HUB_PLAY_H

#include "core/rules.h"
#include "protocol/game_json.h"
#include "request.h"
#include "table.h"

/* The asker's seat at T; if they have none Q is refused, and it is -1. */
int play_seat(struct hub *hub, struct table *t, struct request *q);
/* Why nobody plays at T now, or ERR_NONE. */
enum error play_not_on(const struct table *t);
/* Refuses Q because of a move, with the rules' REFUSAL; and WHY, which may have
 * nothing to say, if the move, which stands at WHERE, could not be read. */
void play_refuse(struct hub *hub, struct table *t, struct request *q,
                 int refusal, const char *where, struct json_refusal *why);

#endif
