/* http.h -- HTTP/1.1 of the server: bytes in, requests out; answers as bytes.
 *
 *     bytes -> http_read() -> a request at a time -> somebody decides ->
 *     http_head() + body -> bytes -> http_read() ...
 *
 * The parsing is llhttp's.  What it lets pass and a server behind a proxy must
 * not, is refused here: a request has exactly one Host, is HTTP/1.0 or 1.1,
 * ends its lines with CR LF, folds no header, puts no space before a colon and
 * says in one way only how long its body is.  Two programs that read the same
 * bytes differently are what request smuggling lives on.
 *
 * Nothing is decided here: which paths exist, who may, is the caller's.  But
 * for what has to do with the form of requests there are helpers below.
 *
 * Memory: nothing while no request is under way; then one block that grows
 * with what has come, up to about HTTP_HEAD_BYTES_MAX + HTTP_BODY_BYTES_MAX.
 * Running out of it ends the process. */

#ifndef PROTOCOL_HTTP_H
#define PROTOCOL_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

/* What a stranger can make grow. */
#define HTTP_HEAD_BYTES_MAX   16384 /* request line and headers; over: 431 */
#define HTTP_TARGET_BYTES_MAX 4096  /* path and query; over: 414 */
#define HTTP_NAME_SIZE        32    /* longer than any name we look for */
#define HTTP_HEADERS_MAX      100   /* lines of them; over: 431 */
#define HTTP_BODY_BYTES_MAX   65536 /* after chunks are undone; over: 413 */
/* Sizes, extensions and trailers of chunks, beyond eight bytes for each byte
 * of body; over: 400. */
#define HTTP_CHUNK_BYTES_MAX 16384

enum http_event {
    HTTP_WANTS_MORE,     /* all of IN is used up */
    HTTP_WANTS_CONTINUE, /* write HTTP_CONTINUE, then go on */
    HTTP_HAS_REQUEST,    /* answer h->request, then http_next() */
    HTTP_HAS_UPGRADE,    /* the same, or speak WebSocket with what is left */
    HTTP_REFUSES,        /* answer h->status, then close */
};

/* What to write at HTTP_WANTS_CONTINUE. */
#define HTTP_CONTINUE "HTTP/1.1 100 Continue\r\n\r\n"

enum http_method {
    HTTP_METHOD_OTHER, /* one that the parser knows and we have no use for */
    HTTP_METHOD_GET,
    HTTP_METHOD_HEAD,
    HTTP_METHOD_POST,
    HTTP_METHOD_PUT,
    HTTP_METHOD_DELETE,
    HTTP_METHOD_OPTIONS,
};

/* A request, complete with its body.  Strings end with NUL, hold no control
 * character but tab, and are NULL where the request has no such header, unless
 * said otherwise.  Headers that are lists and come several times are joined
 * with ", " (cookies with "; "); any other of these that comes twice has been
 * refused.  Everything is good until http_next(). */
struct http_request {
    enum http_method method;
    bool http_1_0;
    bool keep_alive;   /* the connection may stay after the answer */
    bool upgrade;      /* a well-formed wish for WebSocket: a GET of 1.1 with
                        * `Connection: upgrade`, `Upgrade: websocket` and no
                        * body; what else it needs, ws_handshake() judges */
    const char *path;  /* decoded, see http_path_decode(); never NULL */
    const char *query; /* as it came, without the "?"; "" if there is none */

    const char *host; /* never NULL, of characters that a host may have */
    const char *origin;
    const char *authorization;
    const char *cookie;
    const char *content_type;
    const char *connection;
    const char *upgrade_to; /* Upgrade */
    const char *ws_key;     /* Sec-WebSocket-Key ... */
    const char *ws_version;
    const char *ws_protocol;
    const char *ws_extensions;
    const char *accept;
    const char *accept_encoding;
    const char *if_none_match;
    const char *forwarded;
    const char *forwarded_for; /* X-Forwarded-For ... */
    const char *forwarded_host;
    const char *forwarded_proto;
    const char *forwarded_prefix;
    const char *real_ip;    /* X-Real-IP */
    const char *fetch_site; /* Sec-Fetch-Site */
    const char *user_agent;
    const char *named; /* the one that the owner of struct http named */

    const char *body; /* NUL after its last byte; may hold NULs; never NULL */
    size_t body_len;
};

/* The requests of one connection, in the caller's memory. */
struct http {
    /* read-only */
    const struct http_request *request; /* at HAS_REQUEST and HAS_UPGRADE */
    int status;                         /* at REFUSES: what to answer */
    const char *why;                    /* a few words for the log */
    /* the owner's */
    const char
        *header; /* one more that is kept, as `named`, and may come once;
                         * or NULL.  None of the others, shorter than
                         * HTTP_NAME_SIZE, there while a request is read */
    /* private */
    struct http_work *work; /* NULL between requests */
    bool ended;
};

void http_init(struct http *h);
/* Frees what H holds, at any time; it may be used again after http_init(). */
void http_done(struct http *h);

/* Takes bytes from the front of IN up to the next event.
 *
 * HTTP_HAS_REQUEST and HTTP_HAS_UPGRADE leave what follows the request in IN,
 * to the byte, and are the answer to every call until http_next().  After
 * HTTP_HAS_UPGRADE the caller either answers 101, calls http_done() and hands
 * what is left to ws_read(), or answers like any other request.
 *
 * HTTP_REFUSES comes as soon as the bytes can no longer be a request we would
 * take; it leaves the rest of IN alone and is the answer to every later call.
 * STATUS is one of 400, 413, 414, 417, 431 and 505; 405, 415, 426 and what
 * else depends on the path are the caller's to say. */
enum http_event http_read(struct http *h, struct bytes_in *in);

/* Forgets the request, after it has been answered.  If it was not to be kept
 * alive the caller closes instead. */
void http_next(struct http *h);

/* Whether a request has begun and not ended: who leaves it so for long is slow
 * on purpose.  False between requests. */
bool http_pending(const struct http *h);
/* Bytes of memory that requests take, about. */
size_t http_held(const struct http *h);

/* ---- answers ------------------------------------------------------------ */

/* An answer's head.  Only STATUS is a must.  Strings are the caller's and are
 * written as they are: control characters in them are a bug and asserted, so
 * nothing that a stranger said belongs here unchecked. */
struct http_answer {
    int status;
    const char *date;  /* as http_date() writes it; NULL: no Date */
    const char *type;  /* Content-Type */
    size_t body_len;   /* Content-Length, which 1xx, 204 and 304 go without;
                         * for HEAD, that of the body that GET would get */
    bool chunked;      /* the body comes in chunks instead, or ... */
    bool to_the_end;   /* ... ends with the connection */
    bool close;        /* Connection: close */
    bool keep_alive;   /* Connection: keep-alive, which HTTP/1.0 needs */
    bool page;         /* HTML or a worker's script: its policy (CSP) lets it
                         * use what comes from here */
    const char *etag;  /* with its quotes */
    const char *cache; /* Cache-Control; NULL: no-store */
    const char *encoding; /* Content-Encoding; adds Vary */
    const char *allow;    /* for 405 */
    const char *location;
    const char *set_cookie;  /* see http_set_cookie() */
    const char *retry_after; /* seconds */
    const char *more;        /* further header lines, each with its CR LF */
};

/* Writes the head with its empty line to BUF, as snprintf() does: at most CAP
 * bytes with the final NUL, and the length it has or would have.
 * HTTP_ANSWER_BYTES_MAX is enough where the strings are of usual length.
 * The headers that keep browsers from harm are always among it.  The body
 * follows as the caller likes; to HEAD there is none. */
size_t http_head(char *buf, size_t cap, const struct http_answer *a);
#define HTTP_ANSWER_BYTES_MAX 2048

/* A whole answer whose body is a line of plain text saying the same as the
 * status line: what a refusal gets.  405 needs ALLOW, 426 says which version
 * of WebSocket it means; others take NULL.  The connection is to be closed if
 * CLOSE; for HEAD the body is left out if HEAD. */
size_t http_plain(char *buf, size_t cap, int status, const char *date,
                  const char *allow, bool close, bool head);

/* "Not Found" for 404; "" for a number without a name. */
const char *http_status_name(int status);

/* Writes seconds since 1970 as `Sun, 06 Nov 1994 08:49:37 GMT`; years 1970 to
 * 9999. */
#define HTTP_DATE_SIZE 30
void http_date(char out[HTTP_DATE_SIZE], int64_t unix_s);

/* Writes the value of a Set-Cookie as PROTOCOL wants it (HttpOnly,
 * SameSite=Strict, for what is below PATH, which is http_path_is_plain()), as
 * snprintf() does: with AGE_S seconds to live, 0 to delete it, under 0 for as
 * long as the browser runs. */
size_t http_set_cookie(char *buf, size_t cap, const char *name,
                       const char *value, const char *path, int64_t age_s,
                       bool secure);
/* The LEN bytes at PATH are a path that needs no quotes anywhere: a slash, then
 * letters, digits, slashes and -._~ */
bool http_path_is_plain(const char *path, size_t len);

/* ---- helpers, for what stands in headers -------------------------------- */

/* The value of cookie NAME in the value of a Cookie header (or NULL), of
 * LEN bytes, without quotes around it; the first if there are several, as the
 * browser puts the most specific first.  NULL if there is none. */
const char *http_cookie(const char *cookies, const char *name,
                        size_t *ret_len);

/* The token in `Bearer TOKEN`, to the end of the string, or NULL if
 * AUTHORIZATION is NULL, of another kind or holds what no token may. */
const char *http_bearer(const char *authorization);

/* Whether a comma-separated list (or NULL) names TOKEN, in any case; what
 * follows a ";" in an element is not looked at. */
bool http_has_token(const char *list, const char *token);

/* Whether a list like Accept-Encoding allows CODING: names it, or "*", and not
 * with q=0. */
bool http_accepts(const char *list, const char *coding);

/* Whether an If-None-Match (or NULL) holds ETAG or is "*".  Weak and strong
 * tags compare alike. */
bool http_etag_matches(const char *if_none_match, const char *etag);

/* The last element of a comma-separated list (or NULL), trimmed, of *RET_LEN
 * bytes; NULL if there is none.  In X-Forwarded-For it is the one that the
 * nearest proxy wrote, the only one that can be trusted if it can. */
const char *http_list_last(const char *list, size_t *ret_len);

/* The same of what stands before ITEM, which one of these two has given. */
const char *http_list_before(const char *list, const char *item,
                             size_t *ret_len);

/* Whether ORIGIN, as a browser sends it, is the page of SCHEME ("http" or
 * "https") and HOST (with a port unless it is the scheme's own), in any case.
 * "null" is nobody's page. */
bool http_origin_is(const char *origin, const char *scheme, const char *host);
/* Whether two origins (`https://example.org:8443`) are the same. */
bool http_origin_same(const char *a, const char *b);

/* Whether HOST, with or without a port, says localhost, 127.x.x.x or ::1. */
bool http_host_is_loopback(const char *host);

/* Whether a Content-Type (or NULL) is application/json, with or without
 * parameters; otherwise 415. */
bool http_is_json(const char *content_type);

/* Decodes %41 in place.  False, with TEXT no longer good for anything, if it
 * does not begin with "/", holds a "%" without its two digits, or then holds
 * control characters, "\", an encoded "/", a segment "." or "..", or is not
 * UTF-8.  "+" stands for itself. */
bool http_path_decode(char *text);

#endif
