/* proxied.h -- people of whom a proxy says who they are. */

#ifndef SERVER_HUB_PROXIED_H
#define SERVER_HUB_PROXIED_H

#include "change.h"
#include "hub.h"
#include "protocol/json_out.h"
#include "request.h"

/* Puts into C that a proxy calls ACCOUNT USER (NULL: nothing); a conflict if it
 * IS_NEW and somebody has that name. */
void proxied_put(struct change *c, id_num account, const char *user,
                 bool is_new);
/* Writes the member `proxied`, what a proxy calls who asks Q, if one does. */
void proxied_write(struct json_out *o, const struct hub *hub,
                   const struct request *q);
/* THEN goes on with Q, which resumes a session of its entrance's account; but if
 * a proxy says that it is somebody else who asks it is refused, so that who logs
 * in after somebody there is not taken for them here. */
void proxied_resume(struct hub *hub, struct request *q,
                    void (*then)(struct hub *hub, struct request *q));

#endif
