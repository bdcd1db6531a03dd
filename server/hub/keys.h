/* keys.h -- requests that must not count twice; see keys.c. */

#ifndef SERVER_HUB_KEYS_H
#define SERVER_HUB_KEYS_H

#include "change.h"
#include "request.h"

/* Of the requests of one account, method and key one at a time is worked on:
 * the holder, from before its handler until it is answered, however often it is
 * tried; the others wait, and hold nothing meanwhile. */
struct keyed {
    uint64_t number; /* of those three, in the map of the hub */
    struct request *holder;
    struct queue waiting;
};

/* Whether Q may be worked on: it holds its key, or has none.  Else it waits and
 * is no more the caller's. */
bool key_hold(struct hub *hub, struct request *q);
/* Q is about to be freed.  The next that is to be dispatched in its place, which
 * holds the key now, or NULL. */
struct request *key_release(struct hub *hub, struct request *q);
/* Lets go of all that wait, and of the keys. */
void keys_drop_all(struct hub *hub);

/* Asks for what was answered to the key of Q, if it has one, and calls THEN:
 * at once, with an empty answer, if it has none. */
void key_ask(struct hub *hub, struct request *q, answered_cb then);
/* Answers Q with that, if there was such; whether it did. */
bool key_answered(struct hub *hub, struct request *q,
                  const struct answer *answer);
/* Keeps O's text, an object, as the result of C's request and puts it under its
 * key into C; key_answer(), as what is called when that is stored, sends it. */
void key_keep(struct change *c, struct json_out *o);
/* Puts ANSWER, an object of LEN bytes, under the request's key into C, if it has
 * one: for results that are not to be kept as they are sent. */
void key_put(struct change *c, const char *answer, size_t len);
void key_answer(struct hub *hub, struct request *q);

#endif
