/* invitations.h -- who is asked to an open table; see invitations.c. */

#ifndef SERVER_HUB_INVITATIONS_H
#define SERVER_HUB_INVITATIONS_H

#include "change.h"
#include "request.h"
#include "table.h"

/* That of ACCOUNT by INVITER to any seat, for as long as one lasts if nobody says
 * anything else. */
struct invitation invitation_by(const struct hub *hub, id_num inviter,
                                id_num account);
/* That of ACCOUNT to T; NULL: there is none. */
const struct invitation *invitation_of(const struct table *t, id_num account);
/* Adds WHO, whose NAME that is, to C's table; of the first they are told. */
void invitations_add(struct change *c, const struct invitation *who,
                     const char *name);
void invitations_let_in(struct change *c, const struct invitation *who,
                        const char *name);
/* Looks for those that are over. */
void invitations_tick(struct hub *hub);

#endif
