/* maintenance.h -- what the hub does of itself; see maintenance.c. */

#ifndef SERVER_HUB_MAINTENANCE_H
#define SERVER_HUB_MAINTENANCE_H

#include "request.h"
#include "table.h"

/* Does what is due by now. */
void maintenance_tick(struct hub *hub);
/* Tells the tables of ACCOUNT that it has another name now. */
void maintenance_rename(struct hub *hub, id_num account, const char *name);
/* The same for T, which was just loaded and has not been told. */
void maintenance_due(struct hub *hub, struct table *t, id_num account,
                     const char *name);

#endif
