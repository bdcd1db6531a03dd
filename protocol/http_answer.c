/* http_answer.c -- answers, and what stands in headers. */

#include "core/ascii.h"
#include "http.h"

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/sha256.h"
#include "core/utf8.h"
#include "sbuf_printf.h"
#include "ws.h"

/* ---- writing ------------------------------------------------------------ */

static bool is_plain(const char *text)
{
    for (; *text != '\0'; text++) {
        if ((uint8_t)*text < ' ' || *text == 0x7f)
            return false;
    }
    return true;
}

/* A header line, if there is a value. */
static void add_header(struct sbuf *o, const char *name, const char *text)
{
    if (text == NULL)
        return;
    ASSERT(is_plain(text));
    sbuf_puts(o, name);
    sbuf_puts(o, ": ");
    sbuf_puts(o, text);
    sbuf_puts(o, "\r\n");
}

static const struct {
    int status;
    const char *name;
} names[] = {
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {204, "No Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {411, "Length Required"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

const char *http_status_name(int status)
{
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (names[i].status == status)
            return names[i].name;
    }
    return "";
}

/* Pages take scripts, styles and pictures from here only, speak to here only,
 * and stand in nobody's frame.  Other answers are no pages at all. */
#define PAGE_POLICY \
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; " \
    "style-src 'self'; img-src 'self' data:; font-src 'self'; " \
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; " \
    "form-action 'self'; " \
    "base-uri 'none'; frame-ancestors 'none'"
#define OTHER_POLICY "default-src 'none'; frame-ancestors 'none'; sandbox"

/* How the body ends, if there is one. */
static void add_length(struct sbuf *o, const struct http_answer *a)
{
    char number[32];

    if (a->status < 200 || a->status == 204 || a->status == 304 ||
        a->to_the_end)
        return;
    snprintf(number, sizeof(number), "%zu", a->body_len);
    add_header(o, a->chunked ? "Transfer-Encoding" : "Content-Length",
               a->chunked ? "chunked" : number);
}

static void add_safety(struct sbuf *o, bool page)
{
    add_header(o, "Content-Security-Policy",
               page ? PAGE_POLICY : OTHER_POLICY);
    add_header(o, "X-Content-Type-Options", "nosniff");
    add_header(o, "X-Frame-Options", "DENY");
    add_header(o, "Referrer-Policy", "no-referrer");
    add_header(o, "Cross-Origin-Opener-Policy", "same-origin");
    add_header(o, "Cross-Origin-Resource-Policy", "same-origin");
}

size_t http_head(char *buf, size_t cap, const struct http_answer *a)
{
    struct sbuf o = sbuf_in(buf, cap);

    ASSERT(a->status >= 100 && a->status <= 599);
    ASSERT(!a->close || !a->keep_alive);
    ASSERT(!a->to_the_end || a->close);
    sbuf_printf(&o, "HTTP/1.1 %d %s\r\n", a->status,
                http_status_name(a->status));
    add_header(&o, "Date", a->date);
    add_header(&o, "Content-Type", a->type);
    add_length(&o, a);
    if (a->encoding != NULL) {
        add_header(&o, "Content-Encoding", a->encoding);
        add_header(&o, "Vary", "Accept-Encoding");
    }
    add_header(&o, "Cache-Control", a->cache != NULL ? a->cache : "no-store");
    add_header(&o, "ETag", a->etag);
    add_header(&o, "Allow", a->allow);
    add_header(&o, "Location", a->location);
    add_header(&o, "Set-Cookie", a->set_cookie);
    add_header(&o, "Retry-After", a->retry_after);
    if (a->close)
        add_header(&o, "Connection", "close");
    if (a->keep_alive)
        add_header(&o, "Connection", "keep-alive");
    add_safety(&o, a->page);
    if (a->more != NULL)
        sbuf_puts(&o, a->more);
    sbuf_puts(&o, "\r\n");
    return o.len;
}

size_t http_plain(char *buf, size_t cap, int status, const char *date,
                  const char *allow, bool close, bool head)
{
    char body[64];
    int len = snprintf(body, sizeof(body), "%d %s\n", status,
                       http_status_name(status));
    ASSERT(len > 0 && (size_t)len < sizeof(body));
    const struct http_answer answer = {
        .status = status,
        .date = date,
        .type = "text/plain; charset=utf-8",
        .body_len = (size_t)len,
        .close = close,
        .allow = allow,
        .more = status == 426 ? "Upgrade: websocket\r\n"
                                "Sec-WebSocket-Version: 13\r\n"
                              : NULL,
    };
    struct sbuf o = sbuf_in(buf, cap);
    o.len = http_head(buf, cap, &answer);
    if (!head && status != 204 && status != 304)
        sbuf_puts(&o, body);
    return o.len;
}

/* The days of a year counted from March, so that the odd one is the last:
 * Howard Hinnant's civil_from_days(), for days since 1970. */
void http_date(char out[HTTP_DATE_SIZE], int64_t unix_s)
{
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun",
                                       "Mon", "Tue", "Wed"};
    static const char *const months[] = {"Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct",
                                         "Nov", "Dec", "Jan", "Feb"};
    ASSERT(unix_s >= 0 && unix_s < INT64_C(253402300800));
    int day = (int)(unix_s / 86400), second = (int)(unix_s % 86400);
    int shifted = day + 719468; /* since 1 March 0000 */
    int era = shifted / 146097, in_era = shifted % 146097;
    int year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) /
               365;
    int in_year = in_era - (365 * year + year / 4 - year / 100);
    int month = (5 * in_year + 2) / 153;
    int in_month = in_year - (153 * month + 2) / 5 + 1;
    int n = snprintf(out, HTTP_DATE_SIZE,
                     "%s, %02d %s %04d %02d:%02d:%02d GMT", days[day % 7],
                     in_month, months[month], era * 400 + year + (month >= 10),
                     second / 3600, second / 60 % 60, second % 60);
    ASSERT(n == HTTP_DATE_SIZE - 1);
}

bool http_path_is_plain(const char *path, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!(path[i] >= 'a' && path[i] <= 'z') &&
            !(path[i] >= 'A' && path[i] <= 'Z') &&
            !(path[i] >= '0' && path[i] <= '9') &&
            memchr("/-._~", path[i], 5) == NULL)
            return false;
    return len > 0 && path[0] == '/';
}

size_t http_set_cookie(char *buf, size_t cap, const char *name,
                       const char *value, const char *path, int64_t age_s,
                       bool secure)
{
    struct sbuf o = sbuf_in(buf, cap);
    ASSERT(http_path_is_plain(path, strlen(path)));
    ASSERT(is_plain(value) && strpbrk(value, " \",;\\") == NULL);
    sbuf_printf(&o, "%s=%s; Path=%s; HttpOnly; SameSite=Strict%s", name, value,
                path, secure ? "; Secure" : "");
    if (age_s >= 0)
        sbuf_printf(&o, "; Max-Age=%lld", (long long)age_s);
    return o.len;
}

/* ---- reading ------------------------------------------------------------ */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next element of a list that has SEPARATORs, trimmed; the place behind it
 * comes back.  *RET is NULL at the end. */
static const char *next_item(const char *list, char separator,
                             const char **ret, size_t *ret_len)
{
    while (is_blank(*list) || *list == separator)
        list++;
    *ret = *list != '\0' ? list : NULL;
    size_t len = 0;
    bool quoted = false;
    while (list[len] != '\0' && (quoted || list[len] != separator)) {
        if (list[len] == '"')
            quoted = !quoted;
        len += list[len] == '\\' && quoted && list[len + 1] != '\0' ? 2 : 1;
    }
    const char *rest = list + len;
    while (len > 0 && is_blank(list[len - 1]))
        len--;
    *ret_len = len;
    return rest;
}

static bool is_word(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && ascii_compare_n(text, word, len) == 0;
}

const char *http_cookie(const char *cookies, const char *name, size_t *ret_len)
{
    size_t name_len = strlen(name);
    while (cookies != NULL && *cookies != '\0') {
        cookies += strspn(cookies, " \t;");
        size_t len = strcspn(cookies, ";");
        const char *value = cookies + name_len + 1;
        if (len > name_len && strncmp(cookies, name, name_len) == 0 &&
            cookies[name_len] == '=') {
            size_t n = len - name_len - 1;
            while (n > 0 && is_blank(value[n - 1]))
                n--;
            if (n >= 2 && value[0] == '"' && value[n - 1] == '"') {
                value++;
                n -= 2;
            }
            *ret_len = n;
            return value;
        }
        cookies += len;
    }
    return NULL;
}

/* RFC 6750: `Bearer` in any case, one space at least, and a b64token. */
const char *http_bearer(const char *authorization)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789-._~+/";
    if (authorization == NULL ||
        ascii_compare_n(authorization, "bearer ", 7) != 0)
        return NULL;
    const char *token = authorization + 7 + strspn(authorization + 7, " ");
    const char *rest = token + strspn(token, allowed);
    if (rest == token || rest[strspn(rest, "=")] != '\0')
        return NULL;
    return token;
}

bool http_has_token(const char *list, const char *token)
{
    const char *item;
    size_t len;
    for (const char *at = list; at != NULL;) {
        at = next_item(at, ',', &item, &len);
        if (item == NULL)
            return false;
        const char *mark = memchr(item, ';', len);
        if (mark != NULL)
            len = (size_t)(mark - item);
        while (len > 0 && is_blank(item[len - 1]))
            len--;
        if (is_word(item, len, token))
            return true;
    }
    return false;
}

/* Whether an element has the parameter q=0, q=0., q=0.000. */
static bool is_declined(const char *item, size_t len)
{
    for (size_t i = 0; i + 1 < len; i++) {
        if ((item[i] | 0x20) != 'q' || item[i + 1] != '=' || i == 0 ||
            (item[i - 1] != ';' && !is_blank(item[i - 1])))
            continue;
        for (size_t k = i + 2; k < len; k++) {
            if (item[k] >= '1' && item[k] <= '9')
                return false;
        }
        return true;
    }
    return false;
}

bool http_accepts(const char *list, const char *coding)
{
    const char *item;
    size_t len;
    bool any = false;
    for (const char *at = list; at != NULL;) {
        at = next_item(at, ',', &item, &len);
        if (item == NULL)
            break;
        const char *mark = memchr(item, ';', len);
        size_t name_len = mark != NULL ? (size_t)(mark - item) : len;
        while (name_len > 0 && is_blank(item[name_len - 1]))
            name_len--;
        if (is_word(item, name_len, coding))
            return !is_declined(item, len);
        if (is_word(item, name_len, "*"))
            any = !is_declined(item, len);
    }
    return any;
}

static const char *strip_weak(const char *etag, size_t *len)
{
    if (*len < 2 || strncmp(etag, "W/", 2) != 0)
        return etag;
    *len -= 2;
    return etag + 2;
}

bool http_etag_matches(const char *if_none_match, const char *etag)
{
    const char *item;
    size_t len, etag_len = strlen(etag);
    etag = strip_weak(etag, &etag_len);
    for (const char *at = if_none_match; at != NULL;) {
        at = next_item(at, ',', &item, &len);
        if (item == NULL)
            return false;
        if (len == 1 && item[0] == '*')
            return true;
        item = strip_weak(item, &len);
        if (len == etag_len && memcmp(item, etag, len) == 0)
            return true;
    }
    return false;
}

const char *http_list_before(const char *list, const char *item,
                             size_t *ret_len)
{
    const char *one, *last = NULL;
    size_t len;
    for (const char *at = list; at != NULL;) {
        at = next_item(at, ',', &one, &len);
        if (one == NULL || one == item)
            break;
        last = one;
        *ret_len = len;
    }
    return last;
}

const char *http_list_last(const char *list, size_t *ret_len)
{
    return http_list_before(list, NULL, ret_len);
}

/* Takes the port off HOST if it is SCHEME's own, and says what is left. */
static size_t host_len(const char *host, const char *scheme)
{
    const char *port = ascii_compare(scheme, "https") == 0 ? ":443" : ":80";
    size_t len = strlen(host), port_len = strlen(port);
    if (len > port_len && strcmp(host + len - port_len, port) == 0)
        return len - port_len;
    return len;
}

bool http_origin_is(const char *origin, const char *scheme, const char *host)
{
    size_t scheme_len = strlen(scheme);
    if (ascii_compare_n(origin, scheme, scheme_len) != 0 ||
        strncmp(origin + scheme_len, "://", 3) != 0)
        return false;
    const char *origin_host = origin + scheme_len + 3;
    size_t len = host_len(origin_host, scheme);
    return len > 0 && len == host_len(host, scheme) &&
           ascii_compare_n(origin_host, host, len) == 0;
}

bool http_origin_same(const char *a, const char *b)
{
    const char *mark = strstr(b, "://");
    char scheme[8];
    if (mark == NULL || (size_t)(mark - b) >= sizeof(scheme))
        return false;
    memcpy(scheme, b, (size_t)(mark - b));
    scheme[mark - b] = '\0';
    return http_origin_is(a, scheme, mark + 3);
}

/* Whether TEXT is nothing, or a colon and a number. */
static bool is_port(const char *text)
{
    return text[0] == '\0' ||
           (text[0] == ':' &&
            text[1 + strspn(text + 1, "0123456789")] == '\0');
}

/* Numbers only, so that 127.evil.example is not among them. */
bool http_host_is_loopback(const char *host)
{
    if (ascii_compare_n(host, "localhost", 9) == 0)
        return is_port(host + 9);
    if (strncmp(host, "[::1]", 5) == 0)
        return is_port(host + 5);
    if (strncmp(host, "127.", 4) != 0)
        return false;
    size_t dots = 0, len = strspn(host, "0123456789.");
    for (size_t i = 0; i < len; i++) {
        if (host[i] == '.' && (host[i + 1] < '0' || host[i + 1] > '9'))
            return false;
        dots += host[i] == '.';
    }
    return dots == 3 && is_port(host + len);
}

bool http_is_json(const char *content_type)
{
    static const char json[] = "application/json";
    if (content_type == NULL ||
        ascii_compare_n(content_type, json, sizeof(json) - 1) != 0)
        return false;
    const char *rest = content_type + sizeof(json) - 1;
    rest += strspn(rest, " \t");
    return *rest == '\0' || *rest == ';';
}

/* Whether a path has a segment that means another place. */
static bool has_dots(const char *path)
{
    while (*path == '/') {
        size_t len = strcspn(path + 1, "/");
        if ((len == 1 && path[1] == '.') ||
            (len == 2 && path[1] == '.' && path[2] == '.'))
            return true;
        path += 1 + len;
    }
    return false;
}

bool http_path_decode(char *text)
{
    char *to = text;
    if (text[0] != '/')
        return false;
    for (const char *from = text; *from != '\0'; from++) {
        char c = *from;
        if (c == '%') {
            int high = hex_digit(from[1]);
            int low = high >= 0 ? hex_digit(from[2]) : -1;
            if (low < 0)
                return false;
            c = (char)(high << 4 | low);
            from += 2;
            if (c == '/')
                return false;
        }
        if ((uint8_t)c < ' ' || c == 0x7f || c == '\\')
            return false;
        *to++ = c;
    }
    *to = '\0';
    return !has_dots(text) && utf8_valid(text, (size_t)(to - text));
}
