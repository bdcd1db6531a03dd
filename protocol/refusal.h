/* refusal.h -- what a refusal says to a person, in English or, by whoever asks,
 * in another language. */

#ifndef PROTOCOL_REFUSAL_H
#define PROTOCOL_REFUSAL_H

#include <jansson.h>
#include <stddef.h>

#include "game_json.h"

/* An English sentence in another language, or as it is. */
typedef const char *refusal_say(const char *english);

/* Writes to BUF, which it returns, what ERROR, the member of an answer, tells:
 * one sentence or several, each beginning with a capital and ending with a full
 * stop, and what stood in the wrong place with what was expected there.  SAY
 * may be NULL: it is English. */
const char *refusal_text(const json_t *error, refusal_say *say, char *buf,
                         size_t cap);

/* The same of something WITHIN which ("/options") something was not read: where
 * that is, and what was expected there or what is wrong with it. */
const char *refusal_read_text(const char *within,
                              const struct json_refusal *why, char *buf,
                              size_t cap);

#endif
