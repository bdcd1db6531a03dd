/* unsubscribe.h -- no more mails of a kind, by one click and without a log-in
 * (RFC 8058).
 *
 * The code in such a mail says whose it is and which kinds it has, and is keyed
 * with a secret of the server, so nothing need be stored for it and nobody else
 * can make one.  It goes to `POST /unsubscribe/CODE`, which mail programs send by
 * themselves; opening the address changes nothing. */

#ifndef SERVER_HUB_UNSUBSCRIBE_H
#define SERVER_HUB_UNSUBSCRIBE_H

#include <stdint.h>

#include "base32.h"
#include "hub.h"

#define UNSUBSCRIBE_PROOF 16
#define UNSUBSCRIBE_BYTES (UNSUBSCRIBE_PROOF + 8 + 4)
#define UNSUBSCRIBE_CHARS BASE32_CHARS(UNSUBSCRIBE_BYTES)

/* The code by which ACCOUNT has no more mails of KINDS, a bit for each enum
 * notice_kind.  SECRET_NOTICES is known. */
void unsubscribe_write(const struct hub *hub, id_num account, uint32_t kinds,
                       char code[UNSUBSCRIBE_CHARS + 1]);

#endif
