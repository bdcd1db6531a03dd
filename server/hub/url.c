#include "url.h"

#include <stdio.h>
#include <string.h>

#include "transaction.h"

/* Where what leads somewhere begins in URL, NULL: nowhere; *RET_END: behind it. */
static const char *authority(const char *url, const char **ret_end)
{
    const char *at = strstr(url, "://");

    if (at == NULL)
        return NULL;
    at += 3;
    *ret_end = at + strcspn(at, "/?#");
    return at;
}

size_t url_origin(const char *url)
{
    const char *end;

    return authority(url, &end) != NULL ? (size_t)(end - url) : 0;
}

bool url_host(const char *url, char host[LIMIT_HOST_BYTES + 1])
{
    const char *end, *at = authority(url, &end);

    if (at == NULL)
        return false;
    const char *name = memrchr(at, '@', (size_t)(end - at));
    if (name != NULL)
        at = name + 1;
    size_t n = *at == '[' ? strcspn(at, "]") + 1 : strcspn(at, ":/?#");
    if (n == 0 || n > (size_t)(end - at) || n > LIMIT_HOST_BYTES)
        return false;
    for (size_t i = 0; i < n; i++)
        host[i] = (char)(at[i] >= 'A' && at[i] <= 'Z' ? at[i] | 0x20 : at[i]);
    host[n] = '\0';
    return true;
}

const char *url_below(struct region *r, const char *base, const char *path,
                      const char *rest)
{
    size_t len = strlen(base), size = len + strlen(path) + strlen(rest) + 2;
    char *text = region_take(r, size);

    while (len > 0 && base[len - 1] == '/')
        len--;
    (void)snprintf(text, size, "%.*s/%s%s", (int)len, base, path, rest);
    return text;
}
