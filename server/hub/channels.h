/* channels.h -- where somebody is told things: their mail, browsers, addresses
 * that are called; see channels.c. */

#ifndef SERVER_HUB_CHANNELS_H
#define SERVER_HUB_CHANNELS_H

#include "change.h"
#include "protocol/notice_kinds.h"

/* The channels of ANSWER's account, the answer to ASK_OUTBOX; how many.  Mail is
 * one if its address was confirmed, and goes by the account's id. */
size_t channels_of(const struct answer *answer,
                   struct channel_row list[LIMIT_CHANNELS]);
/* Its channel ID in *RET; false if there is none. */
bool channel_find(const struct answer *answer, id_num id,
                  struct channel_row *ret);
/* Whether C's owner is told of KIND there. */
bool channel_wants(const struct channel_row *c, enum notice_kind kind);
/* Puts ROW into C. */
void channel_put(struct change *c, const struct channel_row *row);
/* Tells its owner, if they are there, that ROW is off. */
void channel_told(struct hub *hub, const struct channel_row *row);

/* ROW as its owner sees it, an item of a list. */
void channel_write(struct json_out *o, const struct channel_row *row);

extern const uint32_t channel_usual_kinds[CHANNELS];
extern const char *const channel_state_words[], *const webhook_words[];

#endif
