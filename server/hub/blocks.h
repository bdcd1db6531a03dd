/* blocks.h -- people who do not want to meet; see blocks.c. */

#ifndef SERVER_HUB_BLOCKS_H
#define SERVER_HUB_BLOCKS_H

#include "change.h"
#include "request.h"
#include "table.h"

/* Whether Q, which is about T, has first to ask who blocks whom, or is refused
 * because of that: then there is nothing more to do for it now. */
bool blocks_first(struct hub *hub, struct table *t, struct request *q);
/* Whether who asks Q blocks ACCOUNT, or is blocked by it, by what Q has asked. */
bool blocks_own(const struct request *q, id_num account);
bool blocks_by(const struct request *q, id_num account);
/* Whether who asks Q blocks somebody who sits at T but in seat BUT (-1: none), or
 * who made it; and whether one of them blocks who asks. */
bool blocks_there(const struct table *t, const struct request *q, int but);
bool blocks_shut(const struct table *t, const struct request *q, int but);
/* Asks for the blocks between ACCOUNT and COUNT OTHERS, then THEN; they are Q's
 * from then on (blocks_keep()). */
void blocks_ask(struct hub *hub, struct request *q, id_num account,
                const id_num *others, size_t count, answered_cb then);
/* Keeps those of ANSWER with Q. */
void blocks_keep(struct request *q, const struct answer *answer);
/* Adds to C that its request's account and all at its table, but who is in seat
 * BUT, are still to be apart when it is stored.  Before they sit there. */
void blocks_require(struct change *c, int but);
/* Whom who asks Q blocks sees no more of T, which they are about to join. */
void blocks_hide(struct table *t, const struct request *q);
/* OTHER, whom ACCOUNT blocks, sees no more of the open tables where that sits, unless
 * they sit there. */
void blocks_part(struct hub *hub, id_num account, id_num other);
void block_write(struct json_out *o, const struct block_row *b);

#endif
