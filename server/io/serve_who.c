/* serve_who.c -- who asks, and from where. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "core/utf8.h"
#include "log.h"
#include "serve.h"

/* Whether ORIGIN is one of LIST. */
static bool is_allowed(const char *list, const char *origin)
{
    char one[CONFIG_TEXT_MAX];

    for (const char *at = list; *at != '\0';) {
        size_t n = strcspn(at, " ,");
        (void)snprintf(one, sizeof(one), "%.*s", (int)n, at);
        if (n > 0 && http_origin_same(origin, one))
            return true;
        at += n + (at[n] != '\0');
    }
    return false;
}

/* What the nearest proxy wrote of a list (or NULL), to its end. */
static const char *last_of(const char *list)
{
    size_t len;
    return http_list_last(list, &len);
}

const char *serve_scheme(const struct conn *c)
{
    const struct http_request *r = c->http.request;
    const char *proto = c->proxy ? last_of(r->forwarded_proto) : NULL;
    return proto != NULL && ascii_compare(proto, "https") == 0 ? "https"
                                                               : "http";
}

static const char *host_of(const struct conn *c)
{
    const struct http_request *r = c->http.request;
    const char *host = c->proxy ? last_of(r->forwarded_host) : NULL;
    return host != NULL ? host : r->host;
}

void serve_prefix(const struct conn *c, char path[PREFIX_SIZE])
{
    const struct http_request *r = c->http.request;
    size_t len = 0;
    const char *given = c->proxy ? http_list_last(r->forwarded_prefix, &len)
                                 : NULL;

    if (given == NULL || len > PREFIX_SIZE - 2 ||
        !http_path_is_plain(given, len) || memmem(given, len, "//", 2))
        len = 0;
    (void)snprintf(path, PREFIX_SIZE, "%.*s%s", (int)len, len > 0 ? given : "",
                   len > 0 && given[len - 1] == '/' ? "" : "/");
}

/* Whether who is at the other end may say who somebody is. */
static bool is_trusted(struct conn *c)
{
    struct sockaddr_storage from = {0};
    int len = sizeof(from);

    return uv_tcp_getpeername(&c->uv.tcp, (struct sockaddr *)&from, &len) ==
               0 &&
           networks_have(&c->daemon->config.login_networks,
                         (const struct sockaddr *)&from);
}

/* What a proxy calls who asks; from all others that is no header of ours. */
static void take_user(struct conn *c, struct peer_info *info)
{
    const char *name = c->http.request->named;
    size_t len = name != NULL ? strlen(name) : 0;

    if (len == 0 || c->daemon->config.proxy_header[0] == '\0' ||
        !is_trusted(c))
        return;
    if (len < sizeof(info->user) &&
        utf8_printable_len(name, len, false) == len)
        memcpy(info->user, name, len + 1);
    else
        log_line(LOG_WARNING, log_event("bad_proxied_name"),
                 log_number("bytes", (int64_t)len));
}

static bool is_forwarded(const struct http_request *r)
{
    return r->forwarded != NULL || r->forwarded_for != NULL ||
           r->forwarded_host != NULL || r->forwarded_proto != NULL ||
           r->forwarded_prefix != NULL || r->real_ip != NULL ||
           r->named != NULL;
}

/* Whom X-Forwarded-For names: each proxy wrote at its end who had come to it, so
 * it is the last one that is no proxy that we trust, or the first of all. */
static void take_source(struct conn *c, struct peer_info *info)
{
    const char *list = c->http.request->forwarded_for;
    size_t len, len_before;
    uint8_t address[16];

    const char *from = http_list_last(list, &len);
    if (from == NULL)
        return;
    while (network_read_address(from, len, address) &&
           networks_have_address(&c->daemon->config.proxy_networks, address)) {
        const char *before = http_list_before(list, from, &len_before);
        if (before == NULL)
            break;
        from = before;
        len = len_before;
    }
    info->source = listen_source(from, len, info->address);
}

struct peer_info serve_info(struct conn *c, bool notices)
{
    const struct http_request *r = c->http.request;
    struct peer_info info = c->info;

    info.notices = notices;
    info.direct = info.direct && !is_forwarded(r) &&
                  http_host_is_loopback(r->host);
    if (c->proxy)
        take_source(c, &info);
    take_user(c, &info);
    return info;
}

bool serve_origin_ok(const struct conn *c)
{
    const struct http_request *r = c->http.request;
    return r->origin == NULL ||
           http_origin_is(r->origin, serve_scheme(c), host_of(c)) ||
           is_allowed(c->daemon->config.origins, r->origin);
}

char *serve_cookie(const struct conn *c)
{
    size_t len;
    const char *value = http_cookie(c->http.request->cookie, SERVE_COOKIE,
                                    &len);

    if (value == NULL || len == 0 || len > 64)
        return NULL;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)value[i] < 0x21 || value[i] == '"' ||
            value[i] == '\\' || (unsigned char)value[i] > 0x7e)
            return NULL;
    return strndup(value, len);
}
