/* push_service.h -- the push services of the browsers there are.
 *
 * Behind one of these are everybody's subscriptions: more is under way to it at
 * once than to any other host, and what it says of us is believed.  Any other may
 * be somebody who tries what happens. */

#ifndef SERVER_HUB_PUSH_SERVICE_H
#define SERVER_HUB_PUSH_SERVICE_H

#include <stdbool.h>

bool push_is_service(const char *host);

#endif
