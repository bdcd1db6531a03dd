/* lists.h -- tables in lists. */

#ifndef SERVER_HUB_LISTS_H
#define SERVER_HUB_LISTS_H

#include "request.h"
#include "transaction.h"

/* An id, or null for 0. */
void write_id(struct json_out *o, const char *key, id_num id);
/* The members of a summary; NAMES are those of the seats, or NULL. */
void write_summary(struct json_out *o, const struct hub *hub,
                   const struct table_row *row, const char *const *names);
/* Answers Q with the page of tables that was found. */
void tables_listed(struct hub *hub, struct request *q,
                   const struct answer *answer);
/* The parameter `state` as enum table_state, -1 if there is none. */
int state_param(const struct request *q);
/* Asks which tables ACCOUNT sits at that are open or running. */
void seats_ask(struct hub *hub, struct request *q, id_num account,
               size_t limit, answered_cb then);
/* Reads `after`; answers and returns false if it is no place in a list. */
bool read_after(struct hub *hub, struct request *q, id_num *ret_after);

#endif
