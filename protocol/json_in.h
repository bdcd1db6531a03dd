/* json_in.h -- JSON as it comes from strangers: parsed within limits, or not at
 * all.  json_out.h is the other way. */

#ifndef PROTOCOL_JSON_IN_H
#define PROTOCOL_JSON_IN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define JSON_EXPECTED_MAX 400 /* bytes of a sentence about what is wrong */

/* Text -> value, at most LEN bytes of it, as the protocol wants it: duplicate
 * keys and nesting deeper than JSON_DEPTH_MAX are refused.  NULL, with WHY
 * (at least JSON_EXPECTED_MAX bytes) telling what is wrong; else the caller
 * owns the value. */
json_t *json_parse(const char *text, size_t len, char *why);

/* How many values LEN bytes of JSON hold: lists and objects, empty ones twice,
 * and what is in them; names are none.  For text that is no JSON, any number.
 * It tells what parsing costs, at a fraction of that. */
size_t json_values(const char *text, size_t len);
/* Whether VALUE is the string WORD, all of it: what has a NUL in it is not. */
bool json_text_is(const json_t *value, const char *word);

#endif
