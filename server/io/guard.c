#include "guard.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "core/ascii.h"
#include "core/base.h"
#include "network.h"

/* ---- addresses -------------------------------------------------------- */

/* IANA's special-purpose registries.  Of IPv6 only 2000::/3 is in use on the
 * Internet, so the rest need not be listed. */
static const char special[] =
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 "
    "172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 "
    "192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 "
    "198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 "
    "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20";
static const char internet_6[] = "2000::/3";
/* Where a network has no IPv4, addresses of it are reached by these. */
static const char nat64[] = "64:ff9b::/96";

static bool in(const char *list, const struct sockaddr *address)
{
    struct networks n;
    char why[200];

    bool good = networks_read(list, &n, why, sizeof(why));
    ASSERT(good);
    return networks_have(&n, address);
}

bool guard_address(const struct sockaddr *address)
{
    uint8_t bytes[16];

    if (!network_address(address, bytes))
        return false;
    if (network_is_v4(bytes))
        return !in(special, address);
    if (in(nat64, address)) {
        struct sockaddr_in in4 = {.sin_family = AF_INET};
        memcpy(&in4.sin_addr, bytes + 12, 4);
        return !in(special, (const struct sockaddr *)&in4);
    }
    return in(internet_6, address) && !in(special, address);
}

/* ---- URLs ------------------------------------------------------------- */

struct parts {
    char *scheme, *host, *port;
};

static void parts_free(struct parts *p)
{
    curl_free(p->scheme);
    curl_free(p->host);
    curl_free(p->port);
}

static bool parts_read(struct parts *p, const char *url)
{
    CURLU *u = curl_url();

    ASSERT(u != NULL);
    *p = (struct parts){0};
    bool good = curl_url_set(u, CURLUPART_URL, url, CURLU_DISALLOW_USER) ==
                    CURLUE_OK &&
                curl_url_get(u, CURLUPART_SCHEME, &p->scheme, 0) ==
                    CURLUE_OK &&
                curl_url_get(u, CURLUPART_HOST, &p->host, 0) == CURLUE_OK &&
                curl_url_get(u, CURLUPART_PORT, &p->port,
                             CURLU_DEFAULT_PORT) == CURLUE_OK &&
                strlen(p->host) < GUARD_HOST_MAX;
    curl_url_cleanup(u);
    return good;
}

static bool same_origin(const struct parts *p, const char *origin)
{
    struct parts o;

    bool same = parts_read(&o, origin) && strcmp(p->scheme, o.scheme) == 0 &&
                ascii_compare(p->host, o.host) == 0 &&
                strcmp(p->port, o.port) == 0;
    parts_free(&o);
    return same;
}

static bool is_allowed(const struct parts *p, const char *allow)
{
    char origin[GUARD_HOST_MAX + 32];

    for (const char *at = allow + strspn(allow, " ,"); *at != '\0';) {
        size_t len = strcspn(at, " ,");
        snprintf(origin, sizeof(origin), "%.*s", (int)len, at);
        if (len < sizeof(origin) && same_origin(p, origin))
            return true;
        at += len;
        at += strspn(at, " ,");
    }
    return false;
}

static const char *judge(const struct parts *p, bool allowed)
{
    if (allowed)
        return NULL;
    if (strcmp(p->scheme, "https") != 0)
        return "the address has to begin with https://";
    if (strcmp(p->port, "443") != 0)
        return "only port 443 is called";
    return NULL;
}

/* Nothing but what a URL is written with: curl would pass on much more. */
static bool is_plain(const char *url)
{
    for (; *url != '\0'; url++)
        if (*url <= ' ' || *url > '~' || strchr("\"<>\\^`{|}", *url) != NULL)
            return false;
    return true;
}

const char *guard_url(const char *url, const char *allow,
                      struct guard_target *ret)
{
    struct parts p = {0};

    if (strlen(url) >= GUARD_URL_MAX || !is_plain(url) ||
        !parts_read(&p, url)) {
        parts_free(&p);
        return "this is no address that can be called";
    }
    bool allowed = is_allowed(&p, allow);
    const char *why = judge(&p, allowed);
    if (why == NULL) {
        bool usual =
            strcmp(p.port, strcmp(p.scheme, "https") == 0 ? "443" : "80") == 0;
        ret->allowed = allowed;
        snprintf(ret->host, sizeof(ret->host), "%s", p.host);
        snprintf(ret->origin, sizeof(ret->origin), "%.8s://%s%s%.6s", p.scheme,
                 p.host, usual ? "" : ":", usual ? "" : p.port);
    }
    parts_free(&p);
    return why;
}
