/* fuzz_http.c -- requests from strangers.
 *
 * The same comes of the bytes whether they are read at once, byte by byte or
 * in pieces: events, statuses, every string of every request.  What comes is
 * in bounds, and whatever looks into headers can bear what stands there. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/base.h"
#include "../../protocol/http.h"
#include "../../protocol/ws.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A hash of all that was said (FNV-1a). */
static void say(uint64_t *sum, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < len; i++)
        *sum = (*sum ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void say_text(uint64_t *sum, const char *text)
{
    say(sum, text != NULL ? "+" : "-", 1);
    if (text == NULL)
        return;
    for (const char *c = text; *c != '\0'; c++)
        ASSERT(*c == '\t' || ((uint8_t)*c >= ' ' && *c != 0x7f));
    say(sum, text, strlen(text) + 1);
}

static void look_into(const struct http_request *r)
{
    size_t len;
    const char *part = http_cookie(r->cookie, "sid", &len);
    ASSERT(part == NULL || len <= strlen(part));
    part = http_list_last(r->forwarded_for, &len);
    ASSERT(part == NULL || (len > 0 && len <= strlen(part)));
    part = http_bearer(r->authorization);
    ASSERT(part == NULL || *part != '\0');
    http_accepts(r->accept_encoding, "gzip");
    http_etag_matches(r->if_none_match, "\"x\"");
    http_host_is_loopback(r->host);
    http_is_json(r->content_type);
    if (r->origin != NULL) {
        http_origin_is(r->origin, "http", r->host);
        http_origin_same(r->origin, r->origin);
    }
    struct ws_answer answer;
    int status = ws_handshake(r, &answer);
    ASSERT(status == 0 || status == 400 || status == 426);
    ASSERT(status != 0 || strlen(answer.accept) == WS_ACCEPT_SIZE - 1);
}

static void say_request(uint64_t *sum, const struct http_request *r)
{
    const char *const texts[] = {
        r->path,           r->query,           r->host,
        r->origin,         r->authorization,   r->cookie,
        r->content_type,   r->connection,      r->upgrade_to,
        r->ws_key,         r->ws_version,      r->ws_protocol,
        r->ws_extensions,  r->accept,          r->accept_encoding,
        r->if_none_match,  r->forwarded,       r->forwarded_for,
        r->forwarded_host, r->forwarded_proto, r->real_ip,
        r->fetch_site,     r->user_agent,
    };
    const uint8_t flags[] = {(uint8_t)r->method, r->http_1_0, r->keep_alive,
                             r->upgrade};
    say(sum, flags, sizeof(flags));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        say_text(sum, texts[i]);
    ASSERT(r->path[0] == '/' || strcmp(r->path, "*") == 0);
    ASSERT(r->host != NULL && r->host[0] != '\0');
    ASSERT(r->body_len <= HTTP_BODY_BYTES_MAX);
    ASSERT(r->body[r->body_len] == '\0');
    say(sum, &r->body_len, sizeof(r->body_len));
    say(sum, r->body, r->body_len);
    look_into(r);
}

/* False when nothing more can come.  What is left at the end counts, too. */
static bool say_events(struct http *h, struct bytes_in *in, uint64_t *sum)
{
    for (;;) {
        enum http_event event = http_read(h, in);
        if (event == HTTP_WANTS_MORE) {
            ASSERT(in->len == 0);
            return true;
        }
        say(sum, &event, sizeof(event));
        switch (event) {
        case HTTP_HAS_REQUEST:
            say_request(sum, h->request);
            http_next(h);
            break;
        case HTTP_HAS_UPGRADE: say_request(sum, h->request); return false;
        case HTTP_REFUSES:
            ASSERT(h->status >= 400 && h->status <= 505);
            ASSERT(http_status_name(h->status)[0] != '\0');
            say(sum, &h->status, sizeof(h->status));
            return false;
        case HTTP_WANTS_CONTINUE:
        case HTTP_WANTS_MORE: break;
        }
    }
}

/* Pieces of STEP bytes, or of changing sizes if it is 0. */
static uint64_t listen(const uint8_t *data, size_t size, size_t step)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    unsigned seed = (unsigned)size;
    struct http h;
    http_init(&h);
    for (size_t at = 0; at < size;) {
        size_t n = step > 0 ? step : 1 + (size_t)rand_r(&seed) % 50;
        if (n > size - at)
            n = size - at;
        uint8_t *piece = malloc(n);
        ASSERT(piece != NULL);
        memcpy(piece, data + at, n);
        struct bytes_in in = {.data = piece, .len = n};
        bool more = say_events(&h, &in, &sum);
        at += n - in.len;
        free(piece);
        if (!more) {
            if (h.request != NULL)
                say(&sum, &at, sizeof(at));
            break;
        }
    }
    bool pending = http_pending(&h);
    say(&sum, &pending, sizeof(pending));
    http_done(&h);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct ws_ask ask = {.host = "a",
                                      .path = "/",
                                      .deflate = true};
    struct ws_told told;
    if (size == 0)
        return 0;
    uint64_t sum = listen(data, size, size);
    ASSERT(listen(data, size, 1) == sum);
    ASSERT(listen(data, size, 0) == sum);
    int got = ws_ask_check(&ask, data, size, &told);
    ASSERT(got <= 0 || (told.status == 101 && told.used <= size));
    return 0;
}
