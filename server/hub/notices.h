/* notices.h -- what everybody has to know. */

#ifndef SERVER_HUB_NOTICES_H
#define SERVER_HUB_NOTICES_H

#include "request.h"

/* What is in force, "" if nothing is. */
const char *notices_motd(const struct hub *hub);
const char *notices_read_only(const struct hub *hub);
/* Nobody is there yet who would have to be told. */
void notices_begin(struct hub *hub);
/* Tells everybody what has changed since they were told. */
void notices_tell(struct hub *hub);
/* What who comes has to know, as members of server.hello. */
void notices_write(struct json_out *o, const struct hub *hub);
/* Answers and returns true if Q would change something during maintenance. */
bool notices_refuse(struct hub *hub, struct request *q);

#endif
