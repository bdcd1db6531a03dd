/* http.c -- requests.
 *
 * Every byte of a head goes past two readers.  The scanner, below, knows where
 * lines begin and end and what may stand in them; it says where the head ends
 * and stops at what llhttp would let pass.  Then llhttp gets the same bytes,
 * tells names from values, judges lengths and undoes chunks.  A byte that the
 * scanner does not like llhttp never sees, so that it is always the first
 * fault in the bytes that counts, however they are cut.
 *
 *     HEAD -> (WANTS_CONTINUE) -> BODY -> done -> http_next()
 *       \___________\______________\____-> refused */

#include "http.h"

#include <stdlib.h>
#include <string.h>

#include <llhttp.h>

#include "core/ascii.h"
#include "core/base.h"

#define NAME_SIZE HTTP_NAME_SIZE
#define TEXT_SIZE 512

/* The headers that are kept, and how often they may come. */
enum header {
    HOST,
    ORIGIN,
    AUTHORIZATION,
    COOKIE,
    CONTENT_TYPE,
    CONNECTION,
    UPGRADE,
    WS_KEY,
    WS_VERSION,
    WS_PROTOCOL,
    WS_EXTENSIONS,
    ACCEPT,
    ACCEPT_ENCODING,
    IF_NONE_MATCH,
    FORWARDED,
    FORWARDED_FOR,
    FORWARDED_HOST,
    FORWARDED_PROTO,
    FORWARDED_PREFIX,
    REAL_IP,
    FETCH_SITE,
    USER_AGENT,
    OWN, /* the owner's */
    EXPECT,
    TRANSFER_ENCODING,
    KNOWN,
};

enum times { ONCE, LIST, COOKIES };

#define OURS SIZE_MAX /* not for the caller */

static const struct known {
    const char *name;
    size_t name_len;
    enum times times;
    size_t offset; /* in struct http_request */
} known[KNOWN] = {
#define NAMED(name) name, sizeof(name) - 1
#define IN(field)   offsetof(struct http_request, field)
    [HOST] = {NAMED("host"), ONCE, IN(host)},
    [ORIGIN] = {NAMED("origin"), ONCE, IN(origin)},
    [AUTHORIZATION] = {NAMED("authorization"), ONCE, IN(authorization)},
    [COOKIE] = {NAMED("cookie"), COOKIES, IN(cookie)},
    [CONTENT_TYPE] = {NAMED("content-type"), ONCE, IN(content_type)},
    [CONNECTION] = {NAMED("connection"), LIST, IN(connection)},
    [UPGRADE] = {NAMED("upgrade"), LIST, IN(upgrade_to)},
    [WS_KEY] = {NAMED("sec-websocket-key"), ONCE, IN(ws_key)},
    [WS_VERSION] = {NAMED("sec-websocket-version"), ONCE, IN(ws_version)},
    [WS_PROTOCOL] = {NAMED("sec-websocket-protocol"), LIST, IN(ws_protocol)},
    [WS_EXTENSIONS] = {NAMED("sec-websocket-extensions"), LIST,
                       IN(ws_extensions)},
    [ACCEPT] = {NAMED("accept"), LIST, IN(accept)},
    [ACCEPT_ENCODING] = {NAMED("accept-encoding"), LIST, IN(accept_encoding)},
    [IF_NONE_MATCH] = {NAMED("if-none-match"), LIST, IN(if_none_match)},
    [FORWARDED] = {NAMED("forwarded"), LIST, IN(forwarded)},
    [FORWARDED_FOR] = {NAMED("x-forwarded-for"), LIST, IN(forwarded_for)},
    [FORWARDED_HOST] = {NAMED("x-forwarded-host"), LIST, IN(forwarded_host)},
    [FORWARDED_PROTO] = {NAMED("x-forwarded-proto"), LIST,
                         IN(forwarded_proto)},
    [FORWARDED_PREFIX] = {NAMED("x-forwarded-prefix"), LIST,
                          IN(forwarded_prefix)},
    [REAL_IP] = {NAMED("x-real-ip"), ONCE, IN(real_ip)},
    [FETCH_SITE] = {NAMED("sec-fetch-site"), ONCE, IN(fetch_site)},
    [USER_AGENT] = {NAMED("user-agent"), ONCE, IN(user_agent)},
    [OWN] = {"", 0, ONCE, IN(named)},
    [EXPECT] = {NAMED("expect"), ONCE, OURS},
    [TRANSFER_ENCODING] = {NAMED("transfer-encoding"), ONCE, OURS},
#undef IN
#undef NAMED
};

/* Where the scanner is. */
enum place {
    BEFORE, /* the request line; empty lines may come first */
    METHOD,
    TARGET,
    VERSION,
    LINE, /* at the first byte of a header line */
    NAME,
    VALUE,
    LAST_LINE, /* after the CR of the empty line */
    BODY,
};

/* A header line that was kept: its value lies in the text. */
struct line {
    uint16_t at;
    uint8_t header;
};

struct http_work {
    llhttp_t parser;
    struct http_request request;
    /* the scanner */
    enum place place;
    bool cr; /* a CR was the last byte */
    uint32_t head_bytes;
    uint32_t target_bytes;
    uint32_t version_bytes;
    uint32_t header_count;
    /* the body */
    uint64_t body_bytes; /* as they came */
    const char *shown;   /* the bytes that llhttp is at */
    bool complete;
    bool wants_continue;
    /* the header line that llhttp is in */
    const char *own; /* name of OWN, or NULL */
    uint8_t name_len;
    uint8_t header; /* KNOWN if it is none of these */
    char name[NAME_SIZE];
    uint16_t value_at;
    uint8_t line_count;
    struct line lines[HTTP_HEADERS_MAX];
    /* The target, values, joined values and the body, each with a NUL.  The
     * text moves while it grows, so until the request is complete all that
     * lies there is known by its place. */
    uint32_t path_at;
    uint32_t query_at;
    uint32_t body_at;
    uint16_t values[KNOWN]; /* 0 for none: there the target lies */
    uint32_t len;
    uint32_t cap;
    char *text;
    /* what is wrong, from within llhttp's callbacks */
    int status;
    const char *why;
};

_Static_assert(HTTP_HEAD_BYTES_MAX + HTTP_HEADERS_MAX <= UINT16_MAX,
               "struct line reaches all of a head");
_Static_assert(HTTP_HEADERS_MAX <= UINT8_MAX, "lines can be counted");

static void reserve(struct http_work *w, size_t n)
{
    if (w->cap - w->len >= n)
        return;
    size_t cap = w->cap > 0 ? w->cap : TEXT_SIZE;
    while (cap - w->len < n)
        cap *= 2;
    w->text = realloc(w->text, cap);
    if (w->text == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    w->cap = (uint32_t)cap;
}

static void put(struct http_work *w, const char *bytes, size_t n)
{
    reserve(w, n);
    if (n > 0)
        memcpy(w->text + w->len, bytes, n);
    w->len += (uint32_t)n;
}

static int fault(struct http_work *w, int status, const char *why)
{
    ASSERT(status >= 400);
    w->status = status;
    w->why = why;
    return -1;
}

/* ---- the scanner -------------------------------------------------------- */

/* tchar of RFC 9110: what names, methods and other tokens are made of. */
static bool is_token(uint8_t c)
{
    if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
        c == '-')
        return true;
    return c != '\0' && strchr("!#$%&'*+.^_`|~", c) != NULL;
}

static bool is_shown(uint8_t c)
{
    return c > ' ' && c < 0x7f;
}

static int scan_line_start(struct http_work *w, uint8_t c)
{
    if (c == '\r') {
        w->place = LAST_LINE;
        return 0;
    }
    if (c == ' ' || c == '\t')
        return fault(w, 400, "a folded header");
    if (!is_token(c))
        return fault(w, 400, "a header without a name");
    if (w->header_count++ >= HTTP_HEADERS_MAX)
        return fault(w, 431, "too many headers");
    w->place = NAME;
    return 0;
}

static int scan_after_cr(struct http_work *w, uint8_t c)
{
    if (c != '\n')
        return fault(w, 400, "a CR without LF");
    w->cr = false;
    w->place = w->place == BEFORE      ? BEFORE
               : w->place == LAST_LINE ? BODY
                                       : LINE;
    return 0;
}

/* Its digits llhttp judges, but it would take RTSP/1.0, too. */
static int scan_version(struct http_work *w, uint8_t c)
{
    static const char form[] = "HTTP/1.1";
    uint32_t at = w->version_bytes++;
    bool digit = at == 5 || at == 7;
    if (c == '\r' && at == sizeof(form) - 1) {
        w->cr = true;
        return 0;
    }
    if (at >= sizeof(form) - 1 ||
        (digit ? c < '0' || c > '9' : c != (uint8_t)form[at]))
        return fault(w, 400, "a bad version");
    return 0;
}

/* One byte of a head.  Places that end with CR LF keep to themselves that the
 * CR has come. */
static int scan(struct http_work *w, uint8_t c)
{
    if (w->head_bytes++ >= HTTP_HEAD_BYTES_MAX)
        return fault(w, 431, "too long a head");
    if (w->cr || w->place == LAST_LINE)
        return scan_after_cr(w, c);
    if (c == '\r' && (w->place == BEFORE || w->place == VALUE)) {
        w->cr = true;
        return 0;
    }

    switch (w->place) {
    case BEFORE:
        if (!is_token(c))
            return fault(w, 400, "no method");
        w->place = METHOD;
        return 0;
    case METHOD:
        if (c == ' ')
            w->place = TARGET;
        else if (!is_token(c))
            return fault(w, 400, "no method");
        return 0;
    case TARGET:
        if (c == ' ' && w->target_bytes > 0)
            w->place = VERSION;
        else if (!is_shown(c))
            return fault(w, 400, "a bad target");
        else if (w->target_bytes++ >= HTTP_TARGET_BYTES_MAX)
            return fault(w, 414, "too long a target");
        return 0;
    case VERSION: return scan_version(w, c);
    case LINE: return scan_line_start(w, c);
    case NAME:
        if (c == ':')
            w->place = VALUE;
        else if (!is_token(c))
            return fault(w, 400, "a bad header name");
        return 0;
    case VALUE:
        if (c != '\t' && (c < ' ' || c == 0x7f))
            return fault(w, 400, "a bad header value");
        return 0;
    case LAST_LINE:
    case BODY: break;
    }
    ASSERT(false);
    return -1;
}

/* How many of the bytes llhttp may see: up to a fault, or the head's end. */
static size_t scan_head(struct http_work *w, const struct bytes_in *in)
{
    for (size_t i = 0; i < in->len; i++) {
        if (scan(w, in->data[i]) != 0)
            return i;
        if (w->place == BODY)
            return i + 1;
    }
    return in->len;
}

/* ---- llhttp's callbacks ------------------------------------------------- */

static struct http_work *work_of(llhttp_t *parser)
{
    return parser->data;
}

static int on_url(llhttp_t *parser, const char *at, size_t len)
{
    put(work_of(parser), at, len);
    return 0;
}

static int on_url_complete(llhttp_t *parser)
{
    put(work_of(parser), "", 1);
    return 0;
}

static int on_header_field(llhttp_t *parser, const char *at, size_t len)
{
    struct http_work *w = work_of(parser);
    size_t room = NAME_SIZE - w->name_len;
    size_t n = len < room ? len : room;
    memcpy(w->name + w->name_len, at, n);
    w->name_len = (uint8_t)(w->name_len + n);
    return 0;
}

static uint8_t find_known(const struct http_work *w)
{
    size_t len = w->name_len;

    for (int i = 0; i < KNOWN; i++)
        if (i != OWN && known[i].name_len == len &&
            ascii_compare_n(known[i].name, w->name, len) == 0)
            return (uint8_t)i;
    return w->own != NULL && strlen(w->own) == len &&
                   ascii_compare_n(w->own, w->name, len) == 0
               ? OWN
               : KNOWN;
}

/* What stands behind the chunks is passed over. */
static int on_header_field_complete(llhttp_t *parser)
{
    struct http_work *w = work_of(parser);
    bool trailer = w->body_at > 0;
    w->header = trailer || w->name_len >= NAME_SIZE ? KNOWN : find_known(w);
    w->name_len = 0;
    w->value_at = (uint16_t)w->len;
    return 0;
}

static int on_header_value(llhttp_t *parser, const char *at, size_t len)
{
    struct http_work *w = work_of(parser);
    if (w->header != KNOWN)
        put(w, at, len);
    return 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int on_header_value_complete(llhttp_t *parser)
{
    struct http_work *w = work_of(parser);
    if (w->header == KNOWN)
        return 0;
    while (w->len > w->value_at && is_blank(w->text[w->len - 1]))
        w->len--;
    put(w, "", 1);
    ASSERT(w->line_count < HTTP_HEADERS_MAX);
    w->lines[w->line_count++] = (struct line){.at = w->value_at,
                                              .header = w->header};
    return 0;
}

static int on_headers_complete(llhttp_t *parser);

/* Chunks of a byte take six for it, and an extension may be as long as it
 * likes: so there is a bound to what is not body.  COME bytes have come. */
static bool is_wasteful(const struct http_work *w, uint64_t come)
{
    uint64_t body = w->len - w->body_at;
    return come - body > HTTP_CHUNK_BYTES_MAX + 8 * body;
}

static int on_body(llhttp_t *parser, const char *at, size_t len)
{
    struct http_work *w = work_of(parser);
    if (is_wasteful(w, w->body_bytes + (uint64_t)(at - w->shown)))
        return fault(w, 400, "more chunks than body");
    if (len > HTTP_BODY_BYTES_MAX - (w->len - w->body_at))
        return fault(w, 413, "too long a body");
    put(w, at, len);
    return 0;
}

static int on_message_complete(llhttp_t *parser)
{
    struct http_work *w = work_of(parser);
    w->complete = true;
    w->request.keep_alive = llhttp_should_keep_alive(parser) != 0;
    return HPE_PAUSED;
}

static const llhttp_settings_t settings = {
    .on_url = on_url,
    .on_url_complete = on_url_complete,
    .on_header_field = on_header_field,
    .on_header_field_complete = on_header_field_complete,
    .on_header_value = on_header_value,
    .on_header_value_complete = on_header_value_complete,
    .on_headers_complete = on_headers_complete,
    .on_body = on_body,
    .on_message_complete = on_message_complete,
};

/* ---- a complete head ---------------------------------------------------- */

static bool has(const struct http_work *w, enum header header)
{
    return w->values[header] != 0;
}

/* Good until the text grows. */
static char *value(const struct http_work *w, enum header header)
{
    return w->text + w->values[header];
}

/* Puts the lines of a list behind each other. */
static void join(struct http_work *w, int header)
{
    const char *between = known[header].times == COOKIES ? "; " : ", ";
    uint32_t at = w->len;
    for (size_t i = 0; i < w->line_count; i++) {
        if (w->lines[i].header != header)
            continue;
        if (w->len > at)
            put(w, between, 2);
        size_t len = strlen(w->text + w->lines[i].at);
        reserve(w, len);
        put(w, w->text + w->lines[i].at, len);
    }
    put(w, "", 1);
    w->values[header] = (uint16_t)at;
}

static int gather_values(struct http_work *w)
{
    uint8_t times[KNOWN] = {0};
    for (size_t i = 0; i < w->line_count; i++) {
        uint8_t header = w->lines[i].header;
        if (times[header]++ == 0)
            w->values[header] = w->lines[i].at;
        else if (known[header].times == ONCE)
            return fault(w, 400, "a header twice");
    }
    for (int header = 0; header < KNOWN; header++) {
        if (times[header] > 1)
            join(w, header);
    }
    return 0;
}

static bool is_host(const char *host)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789.-_~:[]";
    return host[0] != '\0' && host[strspn(host, allowed)] == '\0';
}

/* Takes `http://host` off a target, which must then be the host that Host
 * says: what proxies may make of two different ones is not ours to guess. */
static char *skip_authority(const struct http_work *w, char *target)
{
    char *at = ascii_compare_n(target, "http://", 7) == 0    ? target + 7
               : ascii_compare_n(target, "https://", 8) == 0 ? target + 8
                                                             : NULL;
    if (at == NULL)
        return NULL;
    const char *host = value(w, HOST);
    size_t len = strcspn(at, "/?");
    if (len != strlen(host) || ascii_compare_n(at, host, len) != 0)
        return NULL;
    return at + len;
}

/* RFC 9112, 3.2: `/path?query`, `http://host/path?query`, or `*`. */
static int read_target(struct http_work *w)
{
    char *path = w->text;
    if (strchr(path, '#') != NULL)
        return fault(w, 400, "a target with a fragment");
    if (strcmp(path, "*") == 0 && w->parser.method == HTTP_OPTIONS) {
        w->query_at = 1;
        return 0;
    }
    if (path[0] != '/') {
        path = skip_authority(w, path);
        if (path == NULL)
            return fault(w, 400, "a bad target");
    }
    char *mark = strchr(path, '?');
    char *query = mark != NULL ? mark + 1 : path + strlen(path);
    if (mark != NULL)
        *mark = '\0';
    w->query_at = (uint32_t)(query - w->text);
    w->path_at = (uint32_t)(path - w->text);
    if (path[0] == '\0') {
        w->path_at = w->len;
        put(w, "/", 2);
    } else if (!http_path_decode(path)) {
        return fault(w, 400, "a bad path");
    }
    return 0;
}

/* How long the body is may be said once, and in a way that nobody reads
 * differently.  That two ways contradict each other, and lengths that are no
 * numbers, llhttp has refused. */
static int judge_body(struct http_work *w)
{
    if (has(w, TRANSFER_ENCODING)) {
        if (w->request.http_1_0 ||
            ascii_compare(value(w, TRANSFER_ENCODING), "chunked") != 0)
            return fault(w, 400, "a bad Transfer-Encoding");
        if (w->parser.flags & F_CONTENT_LENGTH)
            return fault(w, 400, "a body of two lengths");
        ASSERT(w->parser.flags & F_CHUNKED);
    } else if (w->parser.content_length > HTTP_BODY_BYTES_MAX) {
        return fault(w, 413, "too long a body");
    }
    return 0;
}

static bool has_body(const struct http_work *w)
{
    return (w->parser.flags & F_CHUNKED) || w->parser.content_length > 0;
}

/* RFC 9110, 10.1.1: HTTP/1.0 does not know it. */
static int judge_expect(struct http_work *w)
{
    if (!has(w, EXPECT) || w->request.http_1_0)
        return 0;
    if (ascii_compare(value(w, EXPECT), "100-continue") != 0)
        return fault(w, 417, "an unknown expectation");
    w->wants_continue = has_body(w);
    return 0;
}

static enum http_method method_of(const llhttp_t *parser)
{
    switch (parser->method) {
    case HTTP_GET: return HTTP_METHOD_GET;
    case HTTP_HEAD: return HTTP_METHOD_HEAD;
    case HTTP_POST: return HTTP_METHOD_POST;
    case HTTP_PUT: return HTTP_METHOD_PUT;
    case HTTP_DELETE: return HTTP_METHOD_DELETE;
    case HTTP_OPTIONS: return HTTP_METHOD_OPTIONS;
    default: return HTTP_METHOD_OTHER;
    }
}

/* A wish for another protocol than WebSocket may be passed over, and is: curl
 * asks everybody for HTTP/2. */
static bool wants_upgrade(const struct http_work *w)
{
    return w->request.method == HTTP_METHOD_GET && !w->request.http_1_0 &&
           !has_body(w) && has(w, CONNECTION) && has(w, UPGRADE) &&
           http_has_token(value(w, CONNECTION), "upgrade") &&
           http_has_token(value(w, UPGRADE), "websocket");
}

static int on_headers_complete(llhttp_t *parser)
{
    struct http_work *w = work_of(parser);
    if (parser->http_major != 1 || parser->http_minor > 1)
        return fault(w, 505, "another version of HTTP");
    w->request.http_1_0 = parser->http_minor == 0;
    w->request.method = method_of(parser);
    if (gather_values(w) != 0)
        return -1;
    if (!has(w, HOST) || !is_host(value(w, HOST)))
        return fault(w, 400, "no Host, or a bad one");
    if (read_target(w) != 0 || judge_body(w) != 0 || judge_expect(w) != 0)
        return -1;
    w->request.upgrade = wants_upgrade(w);
    w->body_at = w->len;
    /* For llhttp there is no such thing: it is to stop after every request,
     * and what CONNECT would mean we have refused. */
    parser->upgrade = 0;
    return 0;
}

/* The request is complete, and its text moves no more. */
static void settle(struct http_work *w)
{
    struct http_request *r = &w->request;
    r->body_len = w->len - w->body_at;
    put(w, "", 1);
    r->body = w->text + w->body_at;
    r->path = w->text + w->path_at;
    r->query = w->text + w->query_at;
    for (size_t i = 0; i < KNOWN; i++) {
        if (w->values[i] != 0 && known[i].offset != OURS) {
            char *field = (char *)r + known[i].offset;
            *(const char **)(void *)field = w->text + w->values[i];
        }
    }
}

/* ---- a connection ------------------------------------------------------- */

void http_init(struct http *h)
{
    *h = (struct http){0};
}

static void drop_work(struct http *h)
{
    if (h->work != NULL)
        free(h->work->text);
    free(h->work);
    h->work = NULL;
    h->request = NULL;
}

void http_done(struct http *h)
{
    drop_work(h);
}

static void begin(struct http *h)
{
    h->work = calloc(1, sizeof(*h->work));
    if (h->work == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    llhttp_init(&h->work->parser, HTTP_REQUEST, &settings);
    h->work->parser.data = h->work;
    h->work->own = h->header;
}

static enum http_event refuse(struct http *h, int status, const char *why)
{
    h->status = status;
    h->why = why;
    h->ended = true;
    drop_work(h);
    return HTTP_REFUSES;
}

static enum http_event refuse_for(struct http *h, enum llhttp_errno error)
{
    if (h->work->status != 0)
        return refuse(h, h->work->status, h->work->why);
    if (error == HPE_INVALID_VERSION)
        return refuse(h, 505, "another version of HTTP");
    if (error == HPE_INVALID_METHOD)
        return refuse(h, 400, "no method");
    return refuse(h, 400, "not HTTP");
}

/* Shows N bytes to llhttp and takes them from IN, or fewer if the request ends
 * among them. */
static enum llhttp_errno execute(struct http_work *w, struct bytes_in *in,
                                 size_t n)
{
    const char *at = (const char *)in->data;
    w->shown = at;
    enum llhttp_errno error = llhttp_execute(&w->parser, at, n);
    if (error == HPE_PAUSED && w->complete)
        n = (size_t)(llhttp_get_error_pos(&w->parser) - at);
    in->data += n;
    in->len -= n;
    return error;
}

static enum http_event read_head(struct http *h, struct bytes_in *in)
{
    struct http_work *w = h->work;
    size_t n = scan_head(w, in);
    int status = w->status;
    w->status = 0;
    enum llhttp_errno error = execute(w, in, n);
    if (error != HPE_OK && !w->complete)
        return refuse_for(h, error);
    if (status != 0)
        return refuse(h, status, w->why);
    /* PRI, with which HTTP/2 begins, is no head for llhttp. */
    if (w->place == BODY && w->body_at == 0)
        return refuse(h, 505, "another version of HTTP");
    if (w->wants_continue)
        return HTTP_WANTS_CONTINUE;
    return HTTP_WANTS_MORE;
}

static enum http_event read_body(struct http *h, struct bytes_in *in)
{
    struct http_work *w = h->work;
    size_t before = in->len;
    enum llhttp_errno error = execute(w, in, in->len);
    if (error != HPE_OK && !w->complete)
        return refuse_for(h, error);
    w->body_bytes += before - in->len;
    if (is_wasteful(w, w->body_bytes))
        return refuse(h, 400, "more chunks than body");
    return HTTP_WANTS_MORE;
}

enum http_event http_read(struct http *h, struct bytes_in *in)
{
    if (h->ended)
        return HTTP_REFUSES;
    while (in->len > 0 && h->request == NULL) {
        if (h->work == NULL)
            begin(h);
        enum http_event event = h->work->place == BODY ? read_body(h, in)
                                                       : read_head(h, in);
        if (event != HTTP_WANTS_MORE)
            return event;
        if (h->work->complete) {
            settle(h->work);
            h->request = &h->work->request;
        }
    }
    if (h->request == NULL)
        return HTTP_WANTS_MORE;
    return h->request->upgrade ? HTTP_HAS_UPGRADE : HTTP_HAS_REQUEST;
}

void http_next(struct http *h)
{
    ASSERT(h->request != NULL);
    drop_work(h);
}

bool http_pending(const struct http *h)
{
    return h->work != NULL && h->request == NULL;
}

size_t http_held(const struct http *h)
{
    return h->work != NULL ? sizeof(*h->work) + h->work->cap : 0;
}
