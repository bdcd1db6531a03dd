/* config_values.c -- which values each kind of key takes. */

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_inner.h"
#include "core/ascii.h"
#include "core/utf8.h"
#include "io/mime.h"

static bool in_words(const char *words, const char *value)
{
    size_t len = strlen(value);
    for (const char *at = words; *at != '\0';) {
        size_t n = strcspn(at, " ");
        if (n == len && memcmp(at, value, n) == 0)
            return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

bool config_address(const char *text, struct sockaddr_storage *to)
{
    struct sockaddr_in *in = (struct sockaddr_in *)to;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)to;
    const char *colon = strrchr(text, ':');
    char host[64], *end;

    if (colon == NULL || colon[1] < '0' || colon[1] > '9')
        return false;
    long port = strtol(colon + 1, &end, 10);
    size_t len = (size_t)(colon - text);
    if (*end != '\0' || port > 65535 || len >= sizeof(host))
        return false;
    snprintf(host, sizeof(host), "%.*s", (int)len, text);
    if (strcmp(host, "localhost") == 0)
        snprintf(host, sizeof(host), "127.0.0.1");
    if (strcmp(host, "*") == 0 || len == 0)
        snprintf(host, sizeof(host), "0.0.0.0");
    *to = (struct sockaddr_storage){0};
    if (host[0] == '[' && host[len - 1] == ']') {
        host[len - 1] = '\0';
        in6->sin6_family = AF_INET6;
        in6->sin6_port = htons((uint16_t)port);
        return inet_pton(AF_INET6, host + 1, &in6->sin6_addr) == 1;
    }
    in->sin_family = AF_INET;
    in->sin_port = htons((uint16_t)port);
    return inet_pton(AF_INET, host, &in->sin_addr) == 1;
}

/* ---- addresses of pages ------------------------------------------------- */

#define HOST_LETTERS \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" \
    "0123456789.-_"

/* What follows http:// or https:// in TEXT, or NULL if it has neither. */
static const char *behind_scheme(const char *text)
{
    static const char *const schemes[] = {"http://", "https://"};

    for (size_t i = 0; i < 2; i++)
        if (ascii_compare_n(text, schemes[i], strlen(schemes[i])) == 0)
            return text + strlen(schemes[i]);
    return NULL;
}

/* The end of HOST, HOST:PORT or [ADDR]:PORT at AT, or NULL if it is none. */
static const char *behind_host(const char *at)
{
    size_t len = *at == '[' ? strspn(at + 1, "0123456789abcdefABCDEF:.")
                            : strspn(at, HOST_LETTERS);
    char *end;

    if (len == 0 || (*at == '[' && at[len + 1] != ']'))
        return NULL;
    at += *at == '[' ? len + 2 : len;
    if (*at != ':')
        return at;
    if (at[1] < '1' || at[1] > '9' || strtol(at + 1, &end, 10) > 65535)
        return NULL;
    return end;
}

/* Whether the LEN bytes at TEXT are an origin, as https://games.example. */
static bool is_origin(const char *text, size_t len)
{
    const char *host = behind_scheme(text);
    const char *end = host != NULL ? behind_host(host) : NULL;
    return end != NULL && end == text + len;
}

static bool are_origins(const char *text)
{
    for (const char *at = text + strspn(text, " ,"); *at != '\0';) {
        size_t len = strcspn(at, " ,");
        if (!is_origin(at, len))
            return false;
        at += len;
        at += strspn(at, " ,");
    }
    return true;
}

/* Whether TEXT has nothing in it that could end a link. */
static bool is_plain(const char *text)
{
    for (const char *at = text; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~' || strchr("\"'<>\\^`{|}", *at) != NULL)
            return false;
    return true;
}

static bool is_page(const char *text)
{
    const char *host = behind_scheme(text);
    const char *end = host != NULL ? behind_host(host) : NULL;
    /* strchr() finds the end, too. */
    return is_plain(text) && end != NULL && strchr("/?#", *end) != NULL;
}

/* Whether TEXT is what a page may link to: nothing that could run there. */
static bool is_link(const char *text)
{
    if (ascii_compare_n(text, "mailto:", 7) != 0)
        return is_page(text);
    const char *sign = strchr(text + 7, '@');
    return is_plain(text) && sign != NULL && sign > text + 7 &&
           sign[1] != '\0';
}

/* Whether TEXT is where mail is handed over. */
static bool is_mail_server(const char *text)
{
    static const char *const schemes[] = {"smtp://", "smtps://"};

    for (size_t i = 0; i < 2; i++) {
        size_t len = strlen(schemes[i]);
        const char *end = strncmp(text, schemes[i], len) == 0
                              ? behind_host(text + len)
                              : NULL;
        if (end != NULL && *end == '\0')
            return true;
    }
    return strncmp(text, "sendmail:/", 10) == 0 && text[10] != '\0';
}

/* ---- values ------------------------------------------------------------- */

static const char *take_networks(struct networks *to, const char *value,
                                 char *room, size_t size)
{
    char why[200];

    if (networks_read(value, to, why, sizeof(why)))
        return NULL;
    snprintf(room, size, "addresses or networks like 10.0.0.0/8 (%s)", why);
    return room;
}

static const char *take_text(char *at, const struct config_key *key,
                             const char *value)
{
    size_t len = strlen(value);

    if (utf8_printable_len(value, len, false) != len)
        return "printable text";
    if (len >= key->size)
        return "a shorter text";
    snprintf(at, key->size, "%s", strcmp(value, "off") == 0 ? "" : value);
    return NULL;
}

static const char *take_number(int64_t *to, const struct config_key *key,
                               const char *value, char *room, size_t size)
{
    char *end;

    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (*value == '\0' || *end != '\0' || errno != 0 || number < key->min ||
        number > key->max) {
        snprintf(room, size, "a number from %lld to %lld", (long long)key->min,
                 (long long)key->max);
        return room;
    }
    *to = number;
    return NULL;
}

/* A password in there would be shown with the settings. */
static bool is_database(const char *value)
{
    const char *host = strstr(value, "://");

    if (host == NULL || (strncmp(value, "postgresql://", 13) != 0 &&
                         strncmp(value, "postgres://", 11) != 0))
        return false;
    host += 3;
    const char *at = strchr(host, '@');
    const char *colon = strchr(host, ':');
    return strstr(host, "password=") == NULL &&
           (at == NULL || colon == NULL || colon > at);
}

const char *config_value(struct config *c, const struct config_key *key,
                         const char *value, char *room, size_t size)
{
    char *at = (char *)c + key->offset;
    struct sockaddr_storage address;
    const char *fault;

    switch (key->kind) {
    case ADDRESS:
        if (strcmp(value, "off") != 0 && !config_address(value, &address))
            return "ADDR:PORT, [ADDR]:PORT or off";
        return take_text(at, key, value);
    case NETWORKS:
        fault = take_networks(&c->proxy_networks, value, room, size);
        return fault != NULL ? fault : take_text(at, key, value);
    case LOGIN_NETWORKS:
        fault = take_networks(&c->login_networks, value, room, size);
        return fault != NULL ? fault : take_text(at, key, value);
    case HEADER:
        return strspn(value,
                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                      "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(value)
                   ? take_text(at, key, value)
                   : "the name of a header, like Remote-User";
    case ORIGINS:
        return are_origins(value)
                   ? take_text(at, key, value)
                   : "origins as browsers say them, like "
                     "https://games.example:8443, with nothing behind the host";
    case DATABASE:
        return value[0] == '\0' || is_database(value)
                   ? take_text(at, key, value)
                   : "postgresql://USER@HOST/DATABASE, without a password: "
                     "that stands in ~/.pgpass";
    case PAGE:
        return value[0] == '\0' || is_page(value)
                   ? take_text(at, key, value)
                   : "an address, https://... or http://...";
    case LINK:
        return value[0] == '\0' || is_link(value)
                   ? take_text(at, key, value)
                   : "a link, https://..., http://... or mailto:...";
    case MAIL_SERVER:
        return value[0] == '\0' || is_mail_server(value)
                   ? take_text(at, key, value)
                   : "smtp://HOST:PORT, smtps://HOST:PORT or "
                     "sendmail:/usr/sbin/sendmail";
    case MAIL_ADDRESS:
        return value[0] == '\0' || mail_address(value)
                   ? take_text(at, key, value)
                   : "an address like games@example.org, and nothing around it";
    case TEXT: return take_text(at, key, value);
    case SWITCH:
        if (!in_words("on off true false 1 0 yes no", value))
            return "on or off";
        *(bool *)at = in_words("on true 1 yes", value);
        return NULL;
    case WORD:
        snprintf(room, size, "one of: %s", key->words);
        if (!in_words(key->words, value) || strchr(value, ' ') != NULL)
            return room;
        return take_text(at, key, value);
    case NUMBER: return take_number((int64_t *)at, key, value, room, size);
    }
    return NULL;
}
