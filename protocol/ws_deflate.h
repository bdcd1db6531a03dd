/* ws_deflate.h -- permessage-deflate (RFC 7692) without memory of earlier
 * messages.  Private to ws.c. */

#ifndef PROTOCOL_WS_DEFLATE_H
#define PROTOCOL_WS_DEFLATE_H

#include "ws.h"

/* Inflates a message into a buffer of KIT's, which is good until the next
 * call.  0, or the code to close with: WS_TOO_BIG if it would be over MAX
 * bytes, WS_BAD_TEXT if it cannot be inflated. */
int deflate_unpack(struct ws_kit *kit, const uint8_t *data, size_t len,
                   size_t max, struct bytes *ret);

/* Deflates a message into another buffer of KIT's, likewise.  False if that
 * would not make it shorter. */
bool deflate_pack(struct ws_kit *kit, const uint8_t *data, size_t len,
                  struct bytes *ret);

/* Takes NULL. */
void deflate_free(struct ws_deflate *d);

#endif
