/* guard.h -- which addresses the daemon calls that people give it: webhooks,
 * the endpoints of push subscriptions.
 *
 * Whoever may have a server call somewhere may have it call what only the
 * server reaches: its own admin pages, the router, a cloud's metadata.  So a
 * URL has to be https at port 443, and the address that is connected to, which
 * no name decides and no second answer of a name server changes, one of the
 * Internet.  What the operator names (notices.allow) is theirs and may be
 * anywhere. */

#ifndef SERVER_IO_GUARD_H
#define SERVER_IO_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#define GUARD_URL_MAX  2048
#define GUARD_HOST_MAX 256

struct guard_target {
    char origin[GUARD_HOST_MAX + 32]; /* https://HOST, or with its port */
    char host[GUARD_HOST_MAX];
    bool allowed; /* named by the operator: any address will do */
};

/* Whether URL may be called, ALLOW being the operator's origins by spaces; else
 * why not, in words in which it does not stand. */
const char *guard_url(const char *url, const char *allow,
                      struct guard_target *ret);

/* Whether ADDRESS is one of the Internet: not of this machine, of a private or
 * any other special network, however it is wrapped. */
bool guard_address(const struct sockaddr *address);

#endif
