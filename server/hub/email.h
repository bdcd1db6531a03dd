/* email.h -- addresses: how they are given, confirmed, and written to no more.
 *
 *     given      -> a mail asks whether it is theirs; it may go astray, so that
 *                   is all that is sent there, with no word of anybody's in it
 *     confirmed  -> by the link in that mail: it is in force, and what was in
 *                   force before is told
 *     never      -> by the other link: nothing is sent there any more
 *
 * A mail lies in the outbox without its links.  They are made when it leaves,
 * each time it does, so that the store has no more of them than a hash. */

#ifndef SERVER_HUB_EMAIL_H
#define SERVER_HUB_EMAIL_H

#include "change.h"
#include "outbox.h"
#include "request.h"

/* Takes one from the mails that Q's address may cause, and refuses Q if there is
 * none. */
bool mails_refuse(struct hub *hub, struct request *q);
/* Has ROW's owner asked whether ADDRESS is theirs, if the server sends mail, Q's
 * address may cause one, and not too many went there. */
void email_ask(struct hub *hub, const struct request *q,
               const struct account_row *row, const char *address);
/* Tells ROW's owner of something at the address that is confirmed, if one is, once
 * C is stored; FROM is where it came from, or NULL. */
void email_tell(struct change *c, const struct account_row *row,
                enum account_mail mail, const char *from);

/* What N, of MADE_MS, still needs to leave, its links, is put into it: in Q's
 * region, their hashes stored; then THEN is called.  N->to is NULL then if it is
 * not to leave any more.  Q is refused if the store cannot do it now. */
void email_links(struct hub *hub, struct request *q, struct account_notice *n,
                 int64_t made_ms, handler then);

#endif
