/* reopen.h -- a new table in the place of one whose game came to nothing because
 * somebody did not make their very first turn.
 *
 * A log that has started does not go back to its beginning, so those who were
 * there find themselves at another table, of the same settings and with a seed of
 * its own, that waits for somebody else.  It is made by the change that ends the
 * first one, so there is either none of the two or both, and never a third.  Both
 * tell of each other, as those of a rematch do (`again_of`, `again_at`). */

#ifndef SERVER_HUB_REOPEN_H
#define SERVER_HUB_REOPEN_H

#include "change.h"

/* A table of OWNER's with the settings of WAS, for SEATS, and a seed of its own;
 * in memory alone. */
struct table *table_like(struct hub *hub, const struct table *was, int seats,
                         id_num owner);

/* C's table has just been given up: from here on C is about a new open one where
 * all sit who sat there but for AWAY, as bits, who are invited, and who had
 * resigned, who are not.  Nothing happens if nobody would sit there but bots; nor
 * to a fork, whose position is for the seats as they were: in another one somebody
 * would know what they saw in theirs. */
void reopen(struct change *c, uint16_t away);

#endif
