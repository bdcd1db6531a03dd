/* canonical.h -- JSON in the form of RFC 8785, the one that is hashed.
 *
 * Members in the order of their names, nothing between them, and of numbers
 * only integers below 2^53 either way: no others occur here. */

#ifndef PROTOCOL_CANONICAL_H
#define PROTOCOL_CANONICAL_H

#include <jansson.h>

#include "json_out.h"

/* Writes VALUE, without its member WITHOUT if that is not NULL and VALUE an
 * object.  False if a number in it is none that can be written; what is in O
 * then is of no use.  VALUE may be no deeper than json_parse() lets through. */
bool canonical_write(struct json_out *o, const json_t *value,
                     const char *without);

#endif
