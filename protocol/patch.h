/* patch.h -- applying JSON Patch (RFC 6902) to what jansson parsed.
 *
 * A client keeps a table's view by it: view, update, next view.  All six
 * operations are there, although this server sends nothing but `replace`. */

#ifndef PROTOCOL_PATCH_H
#define PROTOCOL_PATCH_H

#include <jansson.h>
#include <stddef.h>

#define PATCH_WHY_MAX 200

/* What PATCH, a list of operations, makes of DOCUMENT, which stays as it is: a
 * new document, the caller's; or NULL, with WHY (PATCH_WHY_MAX bytes) telling
 * which operation cannot be done: all of it is, or nothing. */
json_t *patch_apply(const json_t *document, const json_t *patch, char *why);

/* What POINTER (RFC 6901) leads to in DOCUMENT, borrowed; NULL if there is no
 * such thing. */
json_t *patch_find(json_t *document, const char *pointer);

#endif
