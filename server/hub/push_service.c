#include "push_service.h"

#include <string.h>

#include "core/ascii.h"
#include "core/base.h"

/* A host, or with a dot all that are below it. */
static const char *const services[] = {
    "fcm.googleapis.com",  ".push.services.mozilla.com", ".push.apple.com",
    ".notify.windows.com", "jmt17.google.com",
};

bool push_is_service(const char *host)
{
    size_t len = strlen(host);

    for (size_t i = 0; i < COUNT_OF(services); i++) {
        size_t n = strlen(services[i]);
        bool below = services[i][0] == '.';
        if (below ? len > n && ascii_compare(host + len - n, services[i]) == 0
                  : ascii_compare(host, services[i]) == 0)
            return true;
    }
    return false;
}
