/* lobby.h -- tables made, and before their game. */

#ifndef SERVER_HUB_LOBBY_H
#define SERVER_HUB_LOBBY_H

#include "protocol/game_json.h"
#include "change.h"
#include "request.h"
#include "table.h"

/* The operator's own tables of numbers for new tables of R, or NULL. */
const struct rules_asset *hub_dataset(const struct hub *hub,
                                      const struct rules *r);
/* What lists show of the board, as JSON: the name, or that there is a file; of
 * tables of numbers their hash.  NULL if BOARD is the default. */
const char *board_text(struct region *r, const struct rules *rules,
                       const struct json_board *board);
/* Asks for the tables that count against the limit of who asks Q. */
void lobby_count(struct hub *hub, struct request *q, answered_cb then);
/* Adds to C: who asks takes SEAT; who has SEAT leaves, and with the last one the
 * table is given up; the start, if no seat is free; an invitation. */
void lobby_seat(struct change *c, int seat);
void lobby_leave(struct change *c, int seat);
void lobby_start_if_full(struct change *c);
void lobby_invite(struct change *c, id_num account, const char *name);
int lobby_free_seat(const struct table *t); /* the lowest, or -1 */
/* Refuses Q, which is about a table that is not there for who asks: a guess at
 * its password takes as long, and counts as much, as one at a table that is. */
void lobby_unknown(struct hub *hub, struct request *q);
/* Whether they need no password: made it, is invited or sits there. */
bool lobby_welcome(const struct table *t, id_num account);

#endif
