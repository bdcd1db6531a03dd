/* chores.h -- what the hub does of itself; see chores.c. */

#ifndef SERVER_HUB_CHORES_H
#define SERVER_HUB_CHORES_H

#include "request.h"
#include "table.h"

/* Does what is due by now. */
void chores_tick(struct hub *hub);
/* Tells the tables of ACCOUNT that it has another name now. */
void chores_rename(struct hub *hub, id_num account, const char *name);
/* The same for T, which was just loaded and has not been told. */
void chores_due(struct hub *hub, struct table *t, id_num account,
                const char *name);

#endif
