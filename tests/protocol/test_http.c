/* test_http.c -- requests in, answers out.
 *
 * What comes out of some bytes is written down as a transcript, an item for
 * each event, and compared with what should.  Every input is fed as a whole,
 * byte by byte, and in pieces; the transcript must be the same. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../core/base.h"
#include "../../protocol/http.h"

#define HOST "Host: a.example\r\n"

/* ---- transcripts -------------------------------------------------------- */

struct said {
    char text[8192];
    size_t len;
};

static void say(struct said *s, const char *text)
{
    size_t n = strlen(text);
    cr_assert(s->len + n < sizeof(s->text));
    memcpy(s->text + s->len, text, n + 1);
    s->len += n;
}

static void say_request(struct said *s, const struct http_request *r)
{
    static const char *const methods[] = {"OTHER", "GET",    "HEAD",   "POST",
                                          "PUT",   "DELETE", "OPTIONS"};
    char text[160];
    say(s, methods[r->method]);
    say(s, " ");
    say(s, strlen(r->path) < 100 ? r->path : "LONG");
    if (r->query[0] != '\0') {
        say(s, "?");
        say(s, strlen(r->query) < 100 ? r->query : "LONG");
    }
    if (r->http_1_0)
        say(s, " 1.0");
    if (r->body_len > 0) {
        bool text_body = r->body_len < 100 && r->body[r->body_len] == '\0';
        snprintf(text, sizeof(text), " body %zu %s", r->body_len,
                 text_body ? r->body : "");
        say(s, text);
    }
    if (!r->keep_alive)
        say(s, " close");
}

/* Says what comes of the bytes; false when nothing more can. */
static bool say_events(struct http *h, struct bytes_in *in, struct said *s)
{
    for (;;) {
        char text[600];
        switch (http_read(h, in)) {
        case HTTP_WANTS_MORE: cr_assert(in->len == 0); return true;
        case HTTP_WANTS_CONTINUE: say(s, "continue; "); break;
        case HTTP_HAS_REQUEST:
            say_request(s, h->request);
            say(s, "; ");
            http_next(h);
            break;
        case HTTP_HAS_UPGRADE:
            say_request(s, h->request);
            say(s, " upgrade; ");
            return false;
        case HTTP_REFUSES:
            cr_assert(h->why != NULL);
            cr_assert(http_read(h, in) == HTTP_REFUSES);
            snprintf(text, sizeof(text), "%d; ", h->status);
            say(s, text);
            return false;
        }
    }
}

/* STEP is the size of the pieces, 0 for pieces of any size. */
static void listen(const char *bytes, size_t len, size_t step, unsigned seed,
                   struct said *s)
{
    struct http h;
    http_init(&h);
    s->len = 0;
    s->text[0] = '\0';
    for (size_t at = 0; at < len;) {
        size_t n = step > 0 ? step : 1 + (size_t)rand_r(&seed) % 97;
        if (n > len - at)
            n = len - at;
        /* A piece of its own, so that reading past it shows. */
        uint8_t *piece = malloc(n);
        memcpy(piece, bytes + at, n);
        struct bytes_in in = {.data = piece, .len = n};
        bool more = say_events(&h, &in, s);
        at += n - in.len;
        if (!more) {
            char rest[64];
            snprintf(rest, sizeof(rest), "left %zu", len - at);
            if (h.request != NULL)
                say(s, rest);
            free(piece);
            break;
        }
        free(piece);
    }
    if (http_pending(&h))
        say(s, "pending");
    http_done(&h);
}

static void expect_n(const char *bytes, size_t len, const char *want)
{
    static struct said said;
    for (unsigned run = 0; run < 12; run++) {
        size_t step = run == 0 ? len : run < 4 ? run : run == 4 ? 17 : 0;
        if (step == 0 && run < 4)
            continue;
        listen(bytes, len, step, run, &said);
        while (said.len > 0 && said.text[said.len - 1] == ' ')
            said.text[--said.len] = '\0';
        cr_expect_str_eq(said.text, want,
                         "run %u of %.300s: \"%s\", not \"%s\"", run, bytes,
                         said.text, want);
        if (strcmp(said.text, want) != 0)
            return;
    }
}

static void expect(const char *bytes, const char *want)
{
    expect_n(bytes, strlen(bytes), want);
}

/* A request with one header more than it needs. */
static void expect_header(const char *header, const char *want)
{
    char bytes[1024];
    snprintf(bytes, sizeof(bytes), "POST / HTTP/1.1\r\n" HOST "%s\r\n\r\n",
             header);
    expect(bytes, want);
}

/* ---- requests ----------------------------------------------------------- */

/* Requests of usual form are taken, with and without bodies. */
Test(http, takes_requests)
{
    expect("GET / HTTP/1.1\r\n" HOST "\r\n", "GET /;");
    expect("GET /a/b.c?d=e&f HTTP/1.1\r\n" HOST "\r\n", "GET /a/b.c?d=e&f;");
    expect("HEAD / HTTP/1.1\r\n" HOST "\r\n", "HEAD /;");
    expect("DELETE /session HTTP/1.1\r\n" HOST "\r\n", "DELETE /session;");
    expect("OPTIONS * HTTP/1.1\r\n" HOST "\r\n", "OPTIONS *;");
    expect("PATCH / HTTP/1.1\r\n" HOST "\r\n", "OTHER /;");
    expect("TRACE / HTTP/1.1\r\n" HOST "\r\n", "OTHER /;");
    expect("POST /rpc HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello",
           "POST /rpc body 5 hello;");
    expect("PUT /rpc HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n",
           "PUT /rpc;");
    expect("\r\n\r\nGET / HTTP/1.1\r\n" HOST "\r\n", "GET /;");
    expect("GET / HTTP/1.1\r\n" HOST "Empty:\r\n\r\n", "GET /;");
    expect("GET / HTTP/1.1\r\nhOsT:a.example\t \r\n\r\n", "GET /;");
}

/* A connection stays, or not, as its version and its headers say. */
Test(http, keeps_connections)
{
    expect("GET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n",
           "GET / close;");
    expect("GET / HTTP/1.1\r\n" HOST "Connection: x, Close\r\n\r\n",
           "GET / close;");
    expect("GET / HTTP/1.0\r\n" HOST "\r\n", "GET / 1.0 close;");
    expect("GET / HTTP/1.0\r\n" HOST "Connection: Keep-Alive\r\n\r\n",
           "GET / 1.0;");
}

/* Requests behind each other come out one by one, bodies and all. */
Test(http, pipelines)
{
    expect("POST /1 HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nGET"
           "GET /2 HTTP/1.1\r\n" HOST "\r\n"
           "\r\nPOST /3 HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"
           "3\r\nabc\r\n0\r\n\r\n"
           "GET /4 HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n",
           "POST /1 body 3 GET; GET /2; POST /3 body 3 abc; GET /4 close;");
    expect("GET / HTTP/1.1\r\n" HOST "\r\nGET", "GET /; pending");
}

/* Everything the server needs of a request's headers is there, trimmed; what
 * is not there is NULL. */
Test(http, tells_headers)
{
    static char text[] =
        "GET /ws?x=1 HTTP/1.1\r\nHost: b.example:81 \r\n"
        "Origin:\thttp://b.example:81\r\n"
        "Authorization: Bearer abc\r\nCookie: a=1; b=2\r\n"
        "Content-Type: application/json\r\nConnection: keep-alive\r\n"
        "Upgrade: h2c\r\nSec-WebSocket-Key: k\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: p\r\nSec-WebSocket-Extensions: e\r\n"
        "Accept: */*\r\nAccept-Encoding: gzip\r\nIf-None-Match: \"x\"\r\n"
        "Forwarded: for=1\r\nX-Forwarded-For: 1.2.3.4\r\n"
        "X-Forwarded-Host: h\r\nX-Forwarded-Proto: https\r\n"
        "X-Real-IP: 1.2.3.4\r\nSec-Fetch-Site: none\r\nUser-Agent: me\r\n"
        "X-Other: not kept\r\n\r\n";
    struct http h;
    http_init(&h);
    struct bytes_in in = {.data = (uint8_t *)text, .len = strlen(text)};
    cr_assert(http_read(&h, &in) == HTTP_HAS_REQUEST);
    cr_assert(http_read(&h, &in) == HTTP_HAS_REQUEST);
    const struct http_request *r = h.request;
    cr_expect_str_eq(r->path, "/ws");
    cr_expect_str_eq(r->query, "x=1");
    cr_expect_str_eq(r->host, "b.example:81");
    cr_expect_str_eq(r->origin, "http://b.example:81");
    cr_expect_str_eq(r->authorization, "Bearer abc");
    cr_expect_str_eq(r->cookie, "a=1; b=2");
    cr_expect_str_eq(r->content_type, "application/json");
    cr_expect_str_eq(r->connection, "keep-alive");
    cr_expect_str_eq(r->upgrade_to, "h2c");
    cr_expect_str_eq(r->ws_key, "k");
    cr_expect_str_eq(r->ws_version, "13");
    cr_expect_str_eq(r->ws_protocol, "p");
    cr_expect_str_eq(r->ws_extensions, "e");
    cr_expect_str_eq(r->accept, "*/*");
    cr_expect_str_eq(r->accept_encoding, "gzip");
    cr_expect_str_eq(r->if_none_match, "\"x\"");
    cr_expect_str_eq(r->forwarded, "for=1");
    cr_expect_str_eq(r->forwarded_for, "1.2.3.4");
    cr_expect_str_eq(r->forwarded_host, "h");
    cr_expect_str_eq(r->forwarded_proto, "https");
    cr_expect_str_eq(r->real_ip, "1.2.3.4");
    cr_expect_str_eq(r->fetch_site, "none");
    cr_expect_str_eq(r->user_agent, "me");
    cr_expect_str_eq(r->body, "");
    cr_expect(!r->upgrade && r->keep_alive);
    http_done(&h);

    static char bare[] = "GET / HTTP/1.1\r\n" HOST "\r\n";
    http_init(&h);
    in = (struct bytes_in){.data = (uint8_t *)bare, .len = strlen(bare)};
    cr_assert(http_read(&h, &in) == HTTP_HAS_REQUEST);
    cr_expect_null(h.request->origin);
    cr_expect_null(h.request->cookie);
    cr_expect_null(h.request->user_agent);
    http_done(&h);
}

/* Lists that come in several lines are joined in their order; what may come
 * once may not come twice. */
Test(http, joins_lists)
{
    static char text[] =
        "GET / HTTP/1.1\r\n" HOST "X-Forwarded-For: 1.1.1.1\r\n"
        "Cookie: a=1\r\nX-Forwarded-For: 2.2.2.2, 3.3.3.3 \r\n"
        "Cookie: b=2\r\nx-forwarded-for:4.4.4.4\r\n\r\n";
    struct http h;
    http_init(&h);
    struct bytes_in in = {.data = (uint8_t *)text, .len = strlen(text)};
    cr_assert(http_read(&h, &in) == HTTP_HAS_REQUEST);
    cr_expect_str_eq(h.request->forwarded_for,
                     "1.1.1.1, 2.2.2.2, 3.3.3.3, 4.4.4.4");
    cr_expect_str_eq(h.request->cookie, "a=1; b=2");
    http_done(&h);

    expect_header("Origin: http://a\r\nOrigin: http://a", "400;");
    expect_header("Authorization: a\r\nauthorization: a", "400;");
    expect_header("Content-Type: a\r\nContent-Type: a", "400;");
    expect_header("Sec-WebSocket-Key: a\r\nSec-WebSocket-Key: a", "400;");
}

/* An upgrade to WebSocket stops at the byte after its request, and other
 * wishes of the kind are passed over. */
Test(http, stops_after_upgrade)
{
#define UPGRADE "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
    static const char frame[] = "GET /ws HTTP/1.1\r\n" HOST UPGRADE
                                "\r\n\x81\x80\0\0\0\0";
    expect_n(frame, sizeof(frame) - 1, "GET /ws upgrade; left 6");
    expect("GET /ws HTTP/1.1\r\n" HOST "Connection: upgrade\r\n"
           "Upgrade: foo, WebSocket\r\n\r\n",
           "GET /ws upgrade; left 0");
    expect("GET /ws HTTP/1.0\r\n" HOST UPGRADE "\r\n", "GET /ws 1.0;");
    expect("POST /ws HTTP/1.1\r\n" HOST UPGRADE "\r\n", "POST /ws;");
    expect("GET /ws HTTP/1.1\r\n" HOST UPGRADE "Content-Length: 1\r\n\r\nxGET",
           "GET /ws body 1 x; pending");
    expect("GET /ws HTTP/1.1\r\n" HOST "Upgrade: websocket\r\n\r\nGET",
           "GET /ws; pending");
    expect("GET / HTTP/1.1\r\n" HOST "Connection: Upgrade, HTTP2-Settings\r\n"
           "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQA\r\n\r\n",
           "GET /;");
}

/* A client that waits before it sends the body is told to go on, once, and one
 * that expects something else is refused. */
Test(http, continues)
{
    expect_header("Expect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
                  "continue; POST / body 2 hi; pending");
    expect_header("Expect: 100-Continue\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "0",
                  "continue; POST /;");
    expect_header("Expect: 100-continue", "POST /;");
    expect_header("Expect: 200-maybe\r\nContent-Length: 2", "417;");
    expect_header("Expect: 100-continue\r\nContent-Length: 65537", "413;");
    expect("POST / HTTP/1.0\r\n" HOST "Expect: 100-continue\r\n"
           "Content-Length: 2\r\n\r\nhi",
           "POST / 1.0 body 2 hi close;");
}

/* Bodies in chunks are put together; extensions and trailers are passed
 * over. */
Test(http, undoes_chunks)
{
#define CHUNKED "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"
    expect(CHUNKED "0\r\n\r\n", "POST /;");
    expect(CHUNKED "1\r\na\r\n0A\r\nbcdefghijk\r\n000\r\n\r\n",
           "POST / body 11 abcdefghijk;");
    expect(CHUNKED "2;x=y\r\nab\r\n0\r\nTrailer: x\r\nHost: b\r\n\r\n",
           "POST / body 2 ab;");
    expect("POST / HTTP/1.1\r\n" HOST "transfer-encoding: Chunked\r\n\r\n"
           "0\r\n\r\n",
           "POST /;");
    expect(CHUNKED "x\r\n", "400;");
    expect(CHUNKED "-1\r\n", "400;");
    expect(CHUNKED "0x1\r\na\r\n", "400;");
    expect(CHUNKED "1\r\nab\r\n0\r\n\r\n", "400;");
    expect(CHUNKED "1 \r\na\r\n0\r\n\r\n", "400;");
    expect(CHUNKED "\r\n", "400;");
    expect(CHUNKED "fffffffffffffffff\r\n", "400;");
    expect(CHUNKED "1\na\r\n0\r\n\r\n", "400;");
    expect(CHUNKED "1\r\na\n0\r\n\r\n", "400;");
}

/* ---- what is refused ---------------------------------------------------- */

/* There is exactly one Host, and it could be one. */
Test(http, wants_one_host)
{
    expect("GET / HTTP/1.1\r\n\r\n", "400;");
    expect("GET / HTTP/1.0\r\n\r\n", "400;");
    expect("GET / HTTP/1.1\r\n" HOST HOST "\r\n", "400;");
    expect("GET / HTTP/1.1\r\nHost:\r\n\r\n", "400;");
    expect("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "400;");
    expect("GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", "400;");
    expect("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "400;");
    expect("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", "400;");
    expect("GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "GET /;");
}

/* HTTP/1.0 and HTTP/1.1 are spoken, and nothing else that sounds like it. */
Test(http, knows_two_versions)
{
    expect("GET / HTTP/2.0\r\n" HOST "\r\n", "505;");
    expect("GET / HTTP/1.2\r\n" HOST "\r\n", "505;");
    expect("GET / HTTP/9.9\r\n" HOST "\r\n", "505;");
    expect("GET / HTTP/0.9\r\n" HOST "\r\n", "505;");
    expect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505;");
    expect("GET /\r\n", "400;");
    expect("GET / \r\n" HOST "\r\n", "400;");
    expect("GET / HTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET / http/1.1\r\n" HOST "\r\n", "400;");
    expect("GET / RTSP/1.0\r\n" HOST "\r\n", "400;");
    expect("SOURCE / ICE/1.0\r\n" HOST "\r\n", "400;");
    expect("GET / HTTP/11.1\r\n" HOST "\r\n", "400;");
    expect("GET / HTTP/1.10\r\n" HOST "\r\n", "400;");
    expect("GET / HTTP/1.\r\n" HOST "\r\n", "400;");
}

/* A request line has a method, a target and a version, with one space between
 * each. */
Test(http, wants_a_request_line)
{
    expect("get / HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("NONESUCH / HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect(" GET / HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET  / HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /  HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET\t/ HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET / HTTP/1.1 \r\n" HOST "\r\n", "400;");
    expect("GET / HTTP/1.1x\r\n" HOST "\r\n", "400;");
    expect("GET / HTTP/1.1\n" HOST "\r\n", "400;");
    expect("\nGET / HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("\rGET / HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("\x16\x03\x01\x02\x01\x01", "400;");
    expect("{\"jsonrpc\":\"2.0\"}\n", "400;");
}

/* A target is a path, or a URL of the host that Host names. */
Test(http, wants_a_target)
{
    expect("GET http://A.example/b?c HTTP/1.1\r\n" HOST "\r\n", "GET /b?c;");
    expect("GET https://a.example HTTP/1.1\r\n" HOST "\r\n", "GET /;");
    expect("GET http://a.example?c HTTP/1.1\r\n" HOST "\r\n", "GET /?c;");
    expect("GET http://b.example/ HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET http://x@a.example/ HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET http:///b HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET b HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET * HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /a#b HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("CONNECT a.example:80 HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /\xc3\xa9 HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /%C3%A9%20%3F HTTP/1.1\r\n" HOST "\r\n", "GET /\xc3\xa9 ?;");
    expect("GET /a/../b HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /%2e%2e/b HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /a%2Fb HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /a%5Cb HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /%FF HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /%00 HTTP/1.1\r\n" HOST "\r\n", "400;");
    expect("GET /% HTTP/1.1\r\n" HOST "\r\n", "400;");
}

/* Headers that two programs could read differently are refused. */
Test(http, wants_plain_headers)
{
    expect_header("A: b\r\n c", "400;");
    expect_header("A: b\r\n\tc", "400;");
    expect("GET / HTTP/1.1\r\n Host: a\r\n\r\n", "400;");
    expect("GET / HTTP/1.1\r\nHost : a\r\n\r\n", "400;");
    expect("GET / HTTP/1.1\r\nHost\t: a\r\n\r\n", "400;");
    expect_header("A : b", "400;");
    expect_header("A b: c", "400;");
    expect_header(": b", "400;");
    expect_header("A", "400;");
    expect_header("A: b\nC: d", "400;");
    expect_header("A: b\rC: d", "400;");
    expect_header("A: b\r\r", "400;");
    expect_header("A: \x01", "400;");
    expect_header("A: \x7f", "400;");
    expect_header("A: tab\there", "POST /;");
    expect_header("A: \xe9\xff", "POST /;");
    expect_header("A\xe9: b", "400;");
    expect_header("A(: b", "400;");
    static const char nul[] = "GET / HTTP/1.1\r\n" HOST "A: b\0c\r\n\r\n";
    expect_n(nul, sizeof(nul) - 1, "400;");
    static const char early[] = "GET /\0 HTTP/1.1\r\n" HOST "\r\n";
    expect_n(early, sizeof(early) - 1, "400;");
    expect("GET / HTTP/1.1\r\n" HOST "\n", "400;");
    expect("GET / HTTP/1.1\r\n" HOST "\rX", "400;");
}

/* How long a body is may be said in one way only: what request smuggling
 * needs is refused. */
Test(http, wants_one_length)
{
    expect_header("Content-Length: 5\r\nTransfer-Encoding: chunked", "400;");
    expect_header("Transfer-Encoding: chunked\r\nContent-Length: 5", "400;");
    expect_header("Content-Length: 5\r\nContent-Length: 6", "400;");
    expect_header("Content-Length: 5\r\nContent-Length: 5", "400;");
    expect_header("Content-Length: 5, 5", "400;");
    expect_header("Content-Length: +5", "400;");
    expect_header("Content-Length: -5", "400;");
    expect_header("Content-Length: 0x5", "400;");
    expect_header("Content-Length: 5 5", "400;");
    expect_header("Content-Length: 5a", "400;");
    expect_header("Content-Length: 1_0", "400;");
    expect_header("Content-Length: \"5\"", "400;");
    expect_header("Content-Length: 99999999999999999999999", "400;");
    expect_header("Transfer-Encoding: gzip", "400;");
    expect_header("Transfer-Encoding: identity", "400;");
    expect_header("Transfer-Encoding: xchunked", "400;");
    expect_header("Transfer-Encoding: gzip, chunked", "400;");
    expect_header("Transfer-Encoding: chunked, gzip", "400;");
    expect_header("Transfer-Encoding: chunked, chunked", "400;");
    expect_header("Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
                  "400;");
    expect_header("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                  "400;");
    expect_header("Transfer-Encoding:\r\nContent-Length: 1", "400;");
    expect_header("Transfer-Encoding: \"chunked\"", "400;");
    expect_header("Transfer-Encoding:\x0b"
                  "chunked",
                  "400;");
    expect_header("Transfer-Encoding : chunked", "400;");
    expect_header("Transfer_Encoding: chunked", "POST /;");
    expect("POST / HTTP/1.0\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n",
           "400;");
}

/* ---- limits ------------------------------------------------------------- */

static char *filled(const char *before, size_t n, const char *after)
{
    size_t a = strlen(before), b = strlen(after);
    char *text = malloc(a + n + b + 1);
    memcpy(text, before, a);
    memset(text + a, 'x', n);
    memcpy(text + a + n, after, b + 1);
    return text;
}

static void expect_filled(const char *before, size_t n, const char *after,
                          const char *want)
{
    char *text = filled(before, n, after);
    expect(text, want);
    free(text);
}

/* Each part of a head has its limit, which holds to the byte. */
Test(http, limits_heads)
{
#define LINE "GET / HTTP/1.1\r\n" HOST
    size_t rest = strlen(LINE "A: \r\n\r\n");
    expect_filled(LINE "A: ", HTTP_HEAD_BYTES_MAX - rest, "\r\n\r\n",
                  "GET /;");
    expect_filled(LINE "A: ", HTTP_HEAD_BYTES_MAX - rest + 1, "\r\n\r\n",
                  "431;");
    expect_filled(LINE "", HTTP_HEAD_BYTES_MAX, "", "431;");
    expect_filled("GET /", HTTP_TARGET_BYTES_MAX - 1,
                  " HTTP/1.1\r\n" HOST "\r\n", "GET LONG;");
    expect_filled("GET /?", HTTP_TARGET_BYTES_MAX - 2,
                  " HTTP/1.1\r\n" HOST "\r\n", "GET /?LONG;");
    expect_filled("GET /", HTTP_TARGET_BYTES_MAX, " HTTP/1.1\r\n", "414;");
    expect_filled("GET /", 100000, "", "414;");

    static char many[8192];
    strcpy(many, LINE);
    for (int i = 1; i < HTTP_HEADERS_MAX; i++)
        strcat(many, "Cookie: a\r\n");
    char *end = many + strlen(many);
    strcpy(end, "\r\n");
    expect(many, "GET /;");
    strcpy(end, "A: b\r\n");
    expect(many, "431;");

    /* Empty lines before a request are counted, too. */
    char *lines = malloc(HTTP_HEAD_BYTES_MAX + 3);
    for (size_t i = 0; i <= HTTP_HEAD_BYTES_MAX + 1; i += 2)
        memcpy(lines + i, "\r\n", 3);
    expect(lines, "431;");
    free(lines);
}

/* A body of 65 536 bytes is taken and one more is not, in one piece as in
 * chunks, announced or not. */
Test(http, limits_bodies)
{
    expect_filled("POST / HTTP/1.1\r\n" HOST "Content-Length: 65536\r\n\r\n",
                  65536, "", "POST / body 65536 ;");
    expect_header("Content-Length: 65537", "413;");
    expect_header("Content-Length: 999999999999", "413;");
    expect_filled(CHUNKED "10000\r\n", 65536, "\r\n0\r\n\r\n",
                  "POST / body 65536 ;");
    expect_filled(CHUNKED "1\r\nx\r\n10000\r\n", 65536, "\r\n0\r\n\r\n",
                  "413;");
    expect_filled(CHUNKED "fffffff\r\n", 65537, "", "413;");
}

/* Chunks may be small, and may not cost without end what is not body. */
Test(http, limits_chunks)
{
    static char text[500000];
    size_t n = 0;
    n += (size_t)sprintf(text, "%s", CHUNKED);
    for (int i = 0; i < 65536; i++)
        n += (size_t)sprintf(text + n, "1\r\nx\r\n");
    sprintf(text + n, "0\r\n\r\n");
    expect(text, "POST / body 65536 ;");
    expect_filled(CHUNKED "1;", 20000, "", "400;");
    expect_filled(CHUNKED "1;", 20000, "\r\nx\r\n0\r\n\r\n", "400;");
    expect_filled(CHUNKED "1;", 2000, "\r\nx\r\n0\r\n\r\n",
                  "POST / body 1 x;");
    expect_filled(CHUNKED "0\r\nTrailer: ", 20000, "", "400;");
}

size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

/* Only the address sanitizer's allocator tells; without it, nothing. */
static size_t allocated(void)
{
    if (__sanitizer_get_current_allocated_bytes == NULL)
        return 0;
    return __sanitizer_get_current_allocated_bytes();
}

/* Between requests a connection holds no memory but the struct, and within one
 * no more than its limits. */
Test(http, is_small)
{
    static char text[] = "POST / HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\n"
                         "hi";
    struct http h;
    http_init(&h);
    cr_assert_lt(sizeof(h), 64);
    size_t before = allocated();
    for (int i = 0; i < 1000; i++) {
        struct bytes_in in = {.data = (uint8_t *)text, .len = strlen(text)};
        cr_assert(http_read(&h, &in) == HTTP_HAS_REQUEST);
        cr_assert_lt(allocated() - before, 4096);
        http_next(&h);
        cr_assert_eq(allocated(), before);
    }
    char *most = filled("POST / HTTP/1.1\r\n" HOST "Cookie: a\r\nCookie: ",
                        16000, "\r\nContent-Length: 65536\r\n\r\n");
    before = allocated();
    struct bytes_in in = {.data = (uint8_t *)most, .len = strlen(most)};
    cr_assert(http_read(&h, &in) == HTTP_WANTS_MORE);
    for (int i = 0; i < 65535; i++) {
        uint8_t byte = 'x';
        in = (struct bytes_in){.data = &byte, .len = 1};
        cr_assert(http_read(&h, &in) == HTTP_WANTS_MORE);
    }
    cr_assert_lt(allocated() - before, 140000);
    http_done(&h);
    cr_assert_eq(allocated(), before);
    free(most);
}

/* ---- answers ------------------------------------------------------------ */

/* A head says what it is told and what browsers need, ends with an empty line,
 * and is cut like snprintf() cuts. */
Test(http, writes_heads)
{
    char text[HTTP_ANSWER_BYTES_MAX], cut[40];
    const struct http_answer a = {
        .status = 200,
        .date = "Sun, 06 Nov 1994 08:49:37 GMT",
        .type = "text/html; charset=utf-8",
        .body_len = 12,
        .close = true,
        .page = true,
        .etag = "\"1\"",
        .cache = "no-cache",
        .encoding = "gzip",
        .more = "X-More: 1\r\n",
    };
    size_t len = http_head(text, sizeof(text), &a);
    cr_assert_eq(len, strlen(text));
    cr_assert_lt(len, sizeof(text));
    const char *const lines[] = {
        "HTTP/1.1 200 OK\r\n",
        "\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
        "\r\nContent-Type: text/html; charset=utf-8\r\n",
        "\r\nContent-Length: 12\r\n",
        "\r\nConnection: close\r\n",
        "\r\nETag: \"1\"\r\n",
        "\r\nCache-Control: no-cache\r\n",
        "\r\nContent-Encoding: gzip\r\nVary: Accept-Encoding\r\n",
        "\r\nX-Content-Type-Options: nosniff\r\n",
        "script-src 'self' 'wasm-unsafe-eval'",
        "frame-ancestors 'none'",
        "\r\nX-More: 1\r\n\r\n",
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        cr_expect_not_null(strstr(text, lines[i]), "%s", lines[i]);
    cr_assert_eq(http_head(cut, sizeof(cut), &a), len);
    cr_assert_eq(strlen(cut), sizeof(cut) - 1);
    cr_assert_eq(strncmp(cut, text, sizeof(cut) - 1), 0);
    cr_assert_eq(http_head(NULL, 0, &a), len);

    http_head(text, sizeof(text), &(struct http_answer){.status = 304});
    cr_expect_null(strstr(text, "Content-Length"));
    cr_expect_not_null(strstr(text, "Cache-Control: no-store\r\n"));
    cr_expect_not_null(strstr(text, "sandbox"));
}

/* Refusals carry a body that says so, except to HEAD, and what their status
 * wants. */
Test(http, writes_refusals)
{
    char text[HTTP_ANSWER_BYTES_MAX];
    size_t len = http_plain(text, sizeof(text), 405, NULL, "GET, HEAD", true,
                            false);
    cr_assert_eq(len, strlen(text));
    cr_expect_not_null(strstr(text, "\r\nAllow: GET, HEAD\r\n"));
    cr_expect_not_null(strstr(text, "\r\nContent-Length: 23\r\n"));
    cr_expect_not_null(strstr(text, "\r\n\r\n405 Method Not Allowed\n"));
    http_plain(text, sizeof(text), 404, NULL, NULL, false, true);
    cr_expect_not_null(strstr(text, "\r\nContent-Length: 14\r\n"));
    cr_expect_str_eq(text + strlen(text) - 4, "\r\n\r\n");
    http_plain(text, sizeof(text), 426, NULL, NULL, true, false);
    cr_expect_not_null(strstr(text, "\r\nSec-WebSocket-Version: 13\r\n"));
    cr_expect_not_null(strstr(text, "\r\nUpgrade: websocket\r\n"));
    cr_expect_str_eq(http_status_name(431), "Request Header Fields Too Large");
    cr_expect_str_eq(http_status_name(299), "");
}

/* Dates are those of the C library, all over the calendar. */
Test(http, writes_dates)
{
    char ours[HTTP_DATE_SIZE], theirs[64];
    http_date(ours, 784111777);
    cr_assert_str_eq(ours, "Sun, 06 Nov 1994 08:49:37 GMT");
    for (int64_t t = 0; t < INT64_C(253402300800); t += 86399 * 37 + 11) {
        time_t when = (time_t)t;
        struct tm tm;
        strftime(theirs, sizeof(theirs), "%a, %d %b %Y %H:%M:%S GMT",
                 gmtime_r(&when, &tm));
        http_date(ours, t);
        cr_assert_str_eq(ours, theirs);
    }
    http_date(ours, INT64_C(253402300799));
    cr_assert_str_eq(ours, "Fri, 31 Dec 9999 23:59:59 GMT");
}

/* The session's cookie is written as PROTOCOL wants it. */
Test(http, writes_cookies)
{
    char text[200];
    http_set_cookie(text, sizeof(text), "s", "abc", "/", 60, true);
    cr_expect_str_eq(text, "s=abc; Path=/; HttpOnly; SameSite=Strict; Secure; "
                           "Max-Age=60");
    http_set_cookie(text, sizeof(text), "s", "", "/", 0, false);
    cr_expect_str_eq(text, "s=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    http_set_cookie(text, sizeof(text), "s", "abc", "/games/", -1, false);
    cr_expect_str_eq(text, "s=abc; Path=/games/; HttpOnly; SameSite=Strict");
}

/* What may stand in a cookie's Path without being anything else. */
Test(http, plain_paths)
{
    static const char *const good[] = {"/", "/games/", "/~ana/a.b/c_d-e"};
    static const char *const bad[] = {"",      "games/",     "/a;b",
                                      "/a b",  "/a\r\nb",    "/a,b",
                                      "/a%2f", "/\xc3\xa4/", "/\"a\""};

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_expect(http_path_is_plain(good[i], strlen(good[i])), "%s", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect(!http_path_is_plain(bad[i], strlen(bad[i])), "%s", bad[i]);
    cr_expect(!http_path_is_plain("/a\0b", 4));
}

/* ---- helpers ------------------------------------------------------------ */

static void cookie_is(const char *cookies, const char *want)
{
    size_t len = 99;
    const char *value = http_cookie(cookies, "sid", &len);
    if (want == NULL) {
        cr_expect_null(value, "%s", cookies);
        return;
    }
    cr_assert_not_null(value, "%s", cookies);
    cr_expect_eq(len, strlen(want));
    cr_expect_eq(strncmp(value, want, len), 0);
}

/* A cookie is found by its whole name, the first of several. */
Test(http, reads_cookies)
{
    cookie_is("sid=a", "a");
    cookie_is("x=y; sid=ab ; z", "ab");
    cookie_is("x=y;sid=\"ab\"", "ab");
    cookie_is("sid=1; sid=2", "1");
    cookie_is("sid=", "");
    cookie_is("xsid=a; sidx=b; sid", NULL);
    cookie_is("Sid=a", NULL);
    cookie_is("x=sid=a", NULL);
    cookie_is("", NULL);
    cookie_is(" ; ;", NULL);
    cookie_is(NULL, NULL);
}

/* A bearer's token is of the characters of tokens, and is all there is. */
Test(http, reads_bearers)
{
    cr_expect_str_eq(http_bearer("Bearer ab-._~+/=="), "ab-._~+/==");
    cr_expect_str_eq(http_bearer("bearer   x"), "x");
    cr_expect_null(http_bearer(NULL));
    cr_expect_null(http_bearer("Bearer"));
    cr_expect_null(http_bearer("Bearer "));
    cr_expect_null(http_bearer("Bearer a b"));
    cr_expect_null(http_bearer("Bearer =a"));
    cr_expect_null(http_bearer("Basic YTpi"));
}

/* Lists are searched by their elements, in any case. */
Test(http, reads_lists)
{
    size_t len;
    cr_expect(http_has_token("keep-alive, Upgrade", "upgrade"));
    cr_expect(http_has_token(",, a ;q=1,B", "b"));
    cr_expect(http_has_token("a ;q=1", "a"));
    cr_expect(!http_has_token("upgraded, x-upgrade", "upgrade"));
    cr_expect(!http_has_token("\"a, upgrade\"", "upgrade"));
    cr_expect(!http_has_token(NULL, "a"));
    cr_expect(!http_has_token("", "a"));
    cr_expect(http_accepts("deflate, gzip;q=0.5", "gzip"));
    cr_expect(http_accepts("*", "gzip"));
    cr_expect(!http_accepts("gzip; q=0, *", "gzip"));
    cr_expect(!http_accepts("gzip;q=0.000", "gzip"));
    cr_expect(!http_accepts("br", "gzip"));
    cr_expect(!http_accepts(NULL, "gzip"));
    cr_expect(http_etag_matches("\"a\", W/\"b,c\"", "\"b,c\""));
    cr_expect(http_etag_matches("*", "\"a\""));
    cr_expect(!http_etag_matches("\"a\"", "\"b\""));
    cr_expect(!http_etag_matches(NULL, "\"b\""));
    const char *last = http_list_last("1.1.1.1, 2.2.2.2 ,", &len);
    cr_expect(len == 7 && strncmp(last, "2.2.2.2", 7) == 0);
    const char *list = ", 1.1.1.1,, 2.2.2.2 ,3";
    last = http_list_last(list, &len);
    cr_expect(len == 1 && last == list + 21);
    last = http_list_before(list, last, &len);
    cr_expect(len == 7 && last == list + 12);
    last = http_list_before(list, last, &len);
    cr_expect(len == 7 && last == list + 2);
    cr_expect_null(http_list_before(list, last, &len));
    cr_expect_null(http_list_last(" , ", &len));
    cr_expect_null(http_list_last(NULL, &len));
}

/* A page is the server's own by scheme, host and port. */
Test(http, compares_origins)
{
    cr_expect(http_origin_is("http://a.b", "http", "a.b"));
    cr_expect(http_origin_is("HTTP://A.b", "http", "a.B"));
    cr_expect(http_origin_is("http://a.b:80", "http", "a.b"));
    cr_expect(http_origin_is("https://a.b", "https", "a.b:443"));
    cr_expect(http_origin_is("http://a:81", "http", "a:81"));
    cr_expect(http_origin_is("http://[::1]:81", "http", "[::1]:81"));
    cr_expect(!http_origin_is("https://a.b", "http", "a.b"));
    cr_expect(!http_origin_is("http://a.b", "https", "a.b"));
    cr_expect(!http_origin_is("http://a.b:81", "http", "a.b"));
    cr_expect(!http_origin_is("http://a.b.c", "http", "a.b"));
    cr_expect(!http_origin_is("http://a", "http", "a.b"));
    cr_expect(!http_origin_is("http://a.b:443", "http", "a.b"));
    cr_expect(!http_origin_is("null", "http", "null"));
    cr_expect(!http_origin_is("", "http", "a"));
    cr_expect(!http_origin_is("http://", "http", ""));
    cr_expect(http_origin_same("https://a.b", "https://A.b:443"));
    cr_expect(!http_origin_same("https://a.b", "http://a.b"));
    cr_expect(!http_origin_same("null", "null"));
}

/* Only names and numbers of this machine are of this machine. */
Test(http, knows_loopback)
{
    cr_expect(http_host_is_loopback("localhost"));
    cr_expect(http_host_is_loopback("LocalHost:8080"));
    cr_expect(http_host_is_loopback("127.0.0.1:1"));
    cr_expect(http_host_is_loopback("127.1.2.3"));
    cr_expect(http_host_is_loopback("[::1]:8080"));
    cr_expect(!http_host_is_loopback("localhost.example"));
    cr_expect(!http_host_is_loopback("127.0.0.1.example"));
    cr_expect(!http_host_is_loopback("127.0.0.1.2"));
    cr_expect(!http_host_is_loopback("127.0.0."));
    cr_expect(!http_host_is_loopback("127.evil.example"));
    cr_expect(!http_host_is_loopback("localhost:x"));
    cr_expect(!http_host_is_loopback("[::1]x"));
    cr_expect(!http_host_is_loopback("a"));
}

/* JSON is what is called so, with or without parameters. */
Test(http, knows_json)
{
    cr_expect(http_is_json("application/json"));
    cr_expect(http_is_json("Application/JSON ; charset=utf-8"));
    cr_expect(!http_is_json("application/jsonp"));
    cr_expect(!http_is_json("application/json text/plain"));
    cr_expect(!http_is_json("text/plain; application/json"));
    cr_expect(!http_is_json(NULL));
}
