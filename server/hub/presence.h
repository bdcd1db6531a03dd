/* presence.h -- what tables are told of when people are there: their hours, and
 * when they are away.
 *
 *     a change of either  -> a row for each open or running table of theirs, in
 *                            the transaction that makes it
 *     then                -> each table gets what it does not know yet as plies,
 *                            and its row goes, in one transaction of its own
 *
 * So whatever breaks off in between, no table is left behind: all that have rows
 * are loaded soon after a start, and what a table does not know is told before
 * anything else happens there.  As long as a table has a row no miss is decided
 * there (OP_REQUIRE_TOLD). */

#ifndef SERVER_HUB_PRESENCE_H
#define SERVER_HUB_PRESENCE_H

#include "change.h"
#include "request.h"
#include "table.h"

/* Something of ACCOUNT's has changed, and is stored: has their tables told. */
void presence_tell(struct hub *hub, id_num account);
/* The same for T, which was just loaded. */
void presence_due(struct hub *hub, struct table *t, id_num account);

/* T may have to be told of somebody: asks about all who play there. */
void presence_check(struct hub *hub, struct table *t);

/* Asks when ACCOUNT is there: ASK_AWAY. */
void presence_ask(struct hub *hub, struct request *q, id_num account,
                  answered_cb then);
/* Tells C's table what it does not know yet of ACCOUNT, who ANSWER is about. */
void presence_add(struct change *c, id_num account,
                  const struct answer *answer);
/* ACCOUNT has sat down with C, of whom nobody has asked: C's table is told
 * behind it. */
void presence_later(struct change *c, id_num account);

/* SEATS of Q's table, as bits, are about to miss their turns.  THEN is called if
 * they do; else Q is over, as one of them is away or will be. */
typedef void (*missing_cb)(struct hub *hub, struct request *q, uint16_t seats);
void presence_before_miss(struct hub *hub, struct request *q, uint16_t seats,
                          missing_cb then);

#endif
