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
/* The seed of a new table, in R. */
const char *lobby_seed(struct hub *hub, struct region *r);
/* A new table of ROW, whose log is empty; its row as part of a change. */
struct table *lobby_table(struct hub *hub, const struct table_row *row);
void lobby_put_row(struct change *c);
/* What lists show of the board, as JSON: the name, or that there is a file; of
 * tables of numbers their hash.  NULL if BOARD is the default. */
/* What a table's players agreed on about time, for its row; NULL for NULL. */
const char *terms_text(struct region *r, const struct terms *terms);
const char *board_text(struct region *r, const struct rules *rules,
                       const struct json_board *board);
/* Asks for the tables that count against the limit of who asks Q. */
void lobby_count(struct hub *hub, struct request *q, answered_cb then);
/* Adds to C: who asks, or ACCOUNT, whose NAME that is, takes SEAT; who has SEAT
 * leaves, and with the last one the table is given up; the start, if no seat is
 * free. */
void lobby_seat(struct change *c, int seat);
void lobby_seat_for(struct change *c, int seat, id_num account,
                    const char *name);
/* Adds to C: NONCE is the part of who sits in SEAT in the key of the draws. */
void lobby_nonce(struct change *c, int seat, const char *nonce);
void lobby_leave(struct change *c, int seat);
void lobby_start_if_full(struct change *c);
/* The seat of who asks Q at T, which has not started; else refuses Q: -1. */
int lobby_own_seat(struct hub *hub, struct table *t, struct request *q);
int lobby_free_seat(const struct table *t); /* the lowest, or -1 */
/* That which ACCOUNT gets if they wish for none: the one kept for them, or the
 * lowest that is kept for nobody, or the lowest; -1: there is none. */
int lobby_seat_of(const struct table *t, id_num account);
/* Refuses Q, which is about a table that is not there for who asks: a guess at
 * its password takes as long, and counts as much, as one at a table that is. */
void lobby_unknown(struct hub *hub, struct request *q);
/* Whether they need no password: made it, is invited or sits there. */
bool lobby_welcome(const struct table *t, id_num account);

#endif
