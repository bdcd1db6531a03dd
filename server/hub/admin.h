/* admin.h -- what the administrator does. */

#ifndef SERVER_HUB_ADMIN_H
#define SERVER_HUB_ADMIN_H

#include "change.h"
#include "request.h"
#include "transaction.h"

struct import;
void import_free(struct import *import); /* NULL is fine */
/* Asks for who is named in Q's `user`; then whether there is such an account,
 * refusing Q if not. */
void user_find(struct hub *hub, struct request *q, answered_cb then);
bool user_found(struct hub *hub, struct request *q,
                const struct answer *answer);
/* An account with its connections and ban, as the member KEY or an item. */
void person_write(struct json_out *o, const char *key, const struct hub *hub,
                  const struct account_row *row);
/* Puts into C that Q was done, with its parameters, of which passwords, names and
 * lines of records are left out; TABLE and ACCOUNT may be 0. */
void audit_put(struct change *c, const struct request *q, id_num table,
               id_num account);
/* Stores that, and nothing else, before THEN does it. */
void audit_first(struct hub *hub, struct request *q, stored_cb then);
/* Tells of the end that was announced, and brings it about. */
void admin_tick(struct hub *hub);

#endif
