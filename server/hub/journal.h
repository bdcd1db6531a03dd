/* journal.h -- what is said to the operator about requests. */

#ifndef SERVER_HUB_JOURNAL_H
#define SERVER_HUB_JOURNAL_H

#include "host.h"
#include "hub.h"
#include "logline.h"
#include "peer.h"
#include "request.h"
#include "table.h"

/* A line about Q: EVENT, where it came from, then those of the COUNT fields at
 * MORE that say anything. */
void journal_fields(struct hub *hub, enum host_level level, const char *event,
                    const struct request *q, const struct log_field *more,
                    size_t count);
#define journal(hub, q, level, event, ...) \
    journal_fields(hub, level, event, q, LOG_FIELDS(__VA_ARGS__))
/* A line about a connection that comes or goes. */
void journal_peer(struct hub *hub, const struct peer *p, const char *event);
/* P, which thinks for bots, is cut off, and why. */
void journal_cut(struct hub *hub, const struct peer *p, const char *why);
/* T cannot be played on by this server. */
void journal_table(struct hub *hub, const struct table *t, const char *event);
/* Q was refused. */
void journal_refused(struct hub *hub, const struct request *q, enum error e);
/* Somebody tried to log in as USER; REASON is why that failed. */
void journal_login(struct hub *hub, const struct request *q,
                   enum login_result result, const char *user,
                   const char *reason);
/* Counts how long Q took, which is answered now. */
void journal_answered(struct hub *hub, const struct request *q, bool refused);

#endif
