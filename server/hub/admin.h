/* admin.h -- what the administrator does. */

#ifndef SERVER_HUB_ADMIN_H
#define SERVER_HUB_ADMIN_H

#include "change.h"
#include "request.h"
#include "transaction.h"

struct import;
void import_free(struct import *import); /* NULL is fine */
#define ADMIN_PAGE 200 /* of a list, unless asked for another */

/* Asks for who is named in Q's `user`; then whether there is such an account,
 * refusing Q if not.  user_keep() also keeps it, for user_of(). */
void user_find(struct hub *hub, struct request *q, answered_cb then);
bool user_found(struct hub *hub, struct request *q,
                const struct answer *answer);
bool user_keep(struct hub *hub, struct request *q,
               const struct answer *answer);
struct account_row *user_of(const struct request *q);
/* Puts the end of all of ACCOUNT's sessions into C. */
void sessions_end(struct change *c, id_num account);
/* Tells the connections logged in as ACCOUNT, or by TOKEN if that is not 0,
 * why, and cuts them off; how many. */
int64_t sessions_cut(struct hub *hub, id_num account, id_num token,
                     const char *kind, const struct account_row *ban);
/* Answers how many that were. */
void sessions_answer(struct hub *hub, struct request *q, int64_t ended);
/* Both, for those of user_of(): their sessions have ended. */
void sessions_ended(struct hub *hub, struct request *q);
/* An account with its connections and ban, as the member KEY or an item. */
void person_write(struct json_out *o, const char *key, const struct hub *hub,
                  const struct account_row *row);
/* Puts into C that Q was done, with its parameters, of which passwords, names and
 * lines of records are left out; TABLE and ACCOUNT may be 0. */
void audit_put(struct change *c, const struct request *q, id_num table,
               id_num account);
/* Stores that, and nothing else, before THEN does it. */
void audit_first(struct hub *hub, struct request *q, stored_cb then);
/* The same, but THEN is done also where nothing can be stored: what helps against
 * a full disk must not need room on it.  The log of the process has it in any case. */
void audit_if_possible(struct hub *hub, struct request *q, stored_cb then);
/* Tells of the end that was announced, and brings it about. */
void admin_tick(struct hub *hub);

#endif
