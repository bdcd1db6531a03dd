/* pending.h -- what the host was asked for and has not done yet; see
 * pending.c. */

#ifndef SERVER_HUB_PENDING_H
#define SERVER_HUB_PENDING_H

#include "host.h"
#include "request.h"
#include "table.h"

/* ABOUT is the asker's number for it; Q is NULL if nobody asked. */
typedef void (*delivered_cb)(struct hub *hub, struct request *q,
                             uint64_t about, const struct delivery_outcome *o);

struct pending {
    uint64_t id;
    struct request *request; /* or NULL */
    struct table *table;     /* being loaded or stored, or NULL */
    struct table *opened;    /* a new one, stored with it, or NULL */
    bool transaction;
    struct outbox_share outbox;
    delivered_cb delivered; /* of a delivery, which is ABOUT that; or NULL */
    uint64_t about;
};

/* Asks the store on behalf of Q, which is kept until THEN is called; the table
 * that Q is about, if any, waits with it. */
void hub_ask(struct hub *hub, struct request *q,
             const struct question *question, answered_cb then);
/* Hashes Q's parameter PASSWORD, or compares it with AGAINST; NULL: as
 * host.h's hash().  On false Q is still the caller's. */
bool hub_hash(struct hub *hub, struct request *q, enum hash_kind kind,
              const char *password, const char *against, hashed_cb then);
/* Hands TRANSACTION to the host, under an ID later than the last one's, on
 * behalf of Q and T (either may be NULL), and OPENED, a table that it makes
 * besides, or NULL; see change_submit(), for which it is.  Q, if not NULL, is
 * kept and THEN called when it is stored.  If it fails Q is refused, and both
 * tables are loaded anew. */
void hub_store(struct hub *hub, transaction_id id,
               struct transaction *transaction, struct table *t,
               struct table *opened, struct request *q,
               struct outbox_share outbox, stored_cb then);

/* Has DELIVERY carried to its receiver, on behalf of Q, which is kept, or of
 * nobody (NULL).  THEN is called with ABOUT when it is known what became of
 * it. */
void hub_deliver(struct hub *hub, struct request *q, uint64_t about,
                 const struct delivery *delivery, delivered_cb then);

/* Has the host do something on behalf of Q; a failure is refused. */
void hub_operate(struct hub *hub, struct request *q, enum operation_kind kind,
                 const char *text, operated_cb then);

#endif
