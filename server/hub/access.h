/* access.h -- how somebody stands to a table, and what they may see of it.
 *
 * The hub asks it of a table in memory, a store of what it lists: nobody else
 * decides who sees what. */

#ifndef SERVER_HUB_ACCESS_H
#define SERVER_HUB_ACCESS_H

#include "transaction.h"

struct access {
    bool owner;   /* they made it */
    bool sits;    /* now */
    bool invited; /* while it was open */
    bool shut;    /* a block is between them and who sits there, or made it */
};

/* That of ACCOUNT (0: somebody who has none) to a table that OWNER made, with
 * these SEATS. */
struct access access_of(id_num account, id_num owner, const id_num *seat,
                        int seats, bool invited);
/* Whether they need no password to join, and see it though it is private. */
bool access_belongs(struct access s);
/* Whether they may know that there is such a table: not of an open one that a
 * block keeps them from, unless they sit there. */
bool access_sees(struct access s, const struct table_row *row);
/* Whether they may follow the game. */
bool access_watches(struct access s, const struct table_row *row);
/* Whether they may read what is said in ROOM of a table they may watch: who
 * plays does not listen beside the table until their game is over. */
bool access_reads(struct access s, uint8_t state, uint8_t room);

#endif
