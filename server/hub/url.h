/* url.h -- where a URL leads, and URLs below another.
 *
 * Nothing is called by what is read here: only whose turn it is, and what people
 * are shown, is decided by it.  What is called curl reads (io/guard.h). */

#ifndef SERVER_HUB_URL_H
#define SERVER_HUB_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "limits.h"

struct region;

/* How many bytes of URL say where it leads: https://host:port.  0: none do. */
size_t url_origin(const char *url);
/* The host of URL in small letters, an IPv6 address in its brackets; false if
 * there is none that could be called. */
bool url_host(const char *url, char host[LIMIT_HOST_BYTES + 1]);
/* BASE, one slash, PATH and REST: in R. */
const char *url_below(struct region *r, const char *base, const char *path,
                      const char *rest);

#endif
