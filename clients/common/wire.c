#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "lang.h"
#include "memory.h"
#include "protocol/lines.h"
#include "tls.h"

#define MESSAGE_MAX (2 << 20)
#define CLEAR_BYTES 16384 /* what TLS gives at once: a record */

_Static_assert(TLS_WHY_MAX <= WIRE_WHY_MAX, "a reason is handed on");

/* Freed when libuv lets go of it. */
struct wire {
    uv_loop_t *loop;
    struct wire_server *server;
    struct wire_owner owner;
    bool closed; /* nobody listens any more */
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } as;
    bool open; /* the handle is there */
    bool looking;
    uv_getaddrinfo_t lookup;
    struct addrinfo *found, *at;
    uv_connect_t connect;
    struct tls *tls; /* or NULL */
    bool asked;      /* for a WebSocket */
    bool greeted;    /* messages may pass: WebSocket has shaken hands */
    struct ws_ask ask;
    struct ws ws;
    uint64_t heard_ms;
    uint8_t *in; /* bytes that are no whole message yet */
    size_t in_len, in_cap;
    char chunk[65536];
};

static void chance(uint8_t *out, size_t n, void *context)
{
    (void)context;
    bytes_random(out, n);
}

/* ---- addresses ---------------------------------------------------------- */

/* HOST:PORT, where HOST may stand in [brackets]; PORT may be left out if there
 * is a DEFAULT_PORT. */
static bool split_address(struct wire_server *s, const char *text, size_t len,
                          const char *default_port)
{
    const char *colon = NULL;
    size_t host = len;

    for (size_t i = 0; i < len; i++)
        if (text[i] == ':')
            colon = &text[i];
        else if (text[i] == ']')
            colon = NULL;
    if (colon != NULL)
        host = (size_t)(colon - text);
    const char *number = colon != NULL ? colon + 1 : default_port;
    if (number == NULL)
        return false;
    size_t port = colon != NULL ? len - host - 1 : strlen(number);
    if (port == 0 || port >= sizeof(s->port) || host == 0 ||
        host >= sizeof(s->host) || strspn(number, "0123456789") < port)
        return false;
    memcpy(s->port, number, port);
    if (text[0] == '[' && text[host - 1] == ']')
        memcpy(s->host, text + 1, host - 2);
    else
        memcpy(s->host, text, host);
    return s->host[0] != '\0';
}

/* A path that is a folder is where the page is; what is spoken to is in it. */
static bool read_web(struct wire_server *s, enum wire_scheme scheme,
                     const char *at, const char *default_port)
{
    size_t len = strcspn(at, "/"), all = strlen(at);
    const char *path = at[len] == '\0' ? "/" : at + len;
    int n = snprintf(s->path, sizeof(s->path), "%s%s", path,
                     at[len] == '\0' || at[all - 1] == '/' ? "ws" : "");

    s->scheme = scheme;
    return n < (int)sizeof(s->path) && split_address(s, at, len, default_port);
}

static bool read_server(struct wire_server *s, const char *text)
{
    if (strncmp(text, "wss://", 6) == 0)
        return read_web(s, WIRE_WSS, text + 6, "443");
    if (strncmp(text, "ws://", 5) == 0)
        return read_web(s, WIRE_WS, text + 5, "80");
    if (strchr(text, '/') != NULL && strstr(text, "://") == NULL) {
        s->scheme = WIRE_PATH;
        int n = snprintf(s->path, sizeof(s->path), "%s", text);
        return n < 100; /* as long as a socket's name may be */
    }
    s->scheme = WIRE_TCP;
    return strchr(text, '/') == NULL &&
           split_address(s, text, strlen(text), NULL);
}

bool wire_server_init(struct wire_server *s, const char *text,
                      const char *ca_file, char *why)
{
    *s = (struct wire_server){0};
    if (!read_server(s, text)) {
        (void)snprintf(why, WIRE_WHY_MAX,
                       _("'%.200s' is no server: expected HOST:PORT, the path "
                         "of a socket, ws://HOST:PORT, wss://HOST or "
                         "https://HOST"),
                       text);
        return false;
    }
    if (s->scheme == WIRE_WSS) {
        s->trust = tls_trust_new(ca_file, why);
        if (s->trust == NULL)
            return false;
    }
    ws_kit_init(&s->ws, chance, NULL);
    return true;
}

void wire_server_done(struct wire_server *s)
{
    tls_trust_free(s->trust);
    ws_kit_done(&s->ws);
}

static bool speaks_ws(const struct wire *w)
{
    return w->server->scheme == WIRE_WS || w->server->scheme == WIRE_WSS;
}

/* ---- the end ----------------------------------------------------------- */

static void wire_gone(uv_handle_t *handle)
{
    struct wire *w = handle->data;
    if (w->found != NULL)
        uv_freeaddrinfo(w->found);
    tls_free(w->tls);
    ws_done(&w->ws);
    free(w->in);
    free(w);
}

static void lose(struct wire *w, const char *why)
{
    if (!w->closed)
        w->owner.lost(w->owner.context, why);
}

static void flush(struct wire *w);

void wire_close(struct wire *w)
{
    if (w->tls != NULL && !w->closed) {
        tls_close(w->tls);
        flush(w);
    }
    w->closed = true;
    if (w->looking) {
        (void)uv_cancel(
            (uv_req_t *)&w->lookup); /* it lets go in its callback */
        return;
    }
    if (!w->open) {
        w->as.handle.data = w;
        wire_gone(&w->as.handle);
        return;
    }
    if (!uv_is_closing(&w->as.handle))
        uv_close(&w->as.handle, wire_gone);
}

/* ---- out --------------------------------------------------------------- */

struct writing {
    uv_write_t request;
    struct wire *wire;
    char data[];
};

static void on_written(uv_write_t *request, int status)
{
    struct writing *writing = (struct writing *)request;
    struct wire *w = writing->wire;

    free(writing);
    if (status < 0 && status != UV_ECANCELED)
        lose(w, uv_strerror(status));
}

/* To the socket, as it is. */
static void write_bare(struct wire *w, const void *data, size_t len)
{
    struct writing *writing = must_alloc(sizeof(*writing) + len);
    uv_buf_t buf = uv_buf_init(writing->data, (unsigned)len);

    memcpy(writing->data, data, len);
    writing->wire = w;
    if (uv_write(&writing->request, &w->as.stream, &buf, 1, on_written) != 0)
        free(writing); /* the reader hears of it */
}

/* What TLS has for the server. */
static void flush(struct wire *w)
{
    char some[CLEAR_BYTES];

    for (;;) {
        size_t n = tls_take(w->tls, some, sizeof(some));
        if (n == 0)
            return;
        write_bare(w, some, n);
    }
}

static void write_bytes(struct wire *w, const void *data, size_t len)
{
    if (w->tls == NULL) {
        write_bare(w, data, len);
        return;
    }
    tls_write(w->tls, data, len);
    flush(w);
}

void wire_send(struct wire *w, const char *text, size_t len)
{
    ASSERT(w->greeted);
    uint8_t *out = must_alloc(len + WS_HEADER_BYTES_MAX + 1);
    size_t n = speaks_ws(w) ? ws_write(&w->ws, &w->server->ws, WS_OPCODE_TEXT,
                                       text, len, out)
                            : lines_write(out, text, len);
    write_bytes(w, out, n);
    free(out);
}

/* ---- WebSocket and lines ----------------------------------------------- */

static void greeted(struct wire *w)
{
    w->greeted = true;
    w->heard_ms = uv_now(w->loop);
    w->owner.open(w->owner.context);
}

/* Asks the server for a WebSocket. */
static void ask(struct wire *w)
{
    const struct wire_server *s = w->server;
    const char *default_port = s->scheme == WIRE_WSS ? "443" : "80";
    char head[2048], host[300];

    (void)snprintf(host, sizeof(host),
                   strchr(s->host, ':')                 ? "[%s]:%s"
                   : strcmp(s->port, default_port) == 0 ? "%s"
                                                        : "%s:%s",
                   s->host, s->port);
    w->asked = true;
    w->ask = (struct ws_ask){.host = host, .path = s->path, .deflate = true};
    bytes_random(w->ask.nonce, sizeof(w->ask.nonce));
    size_t len = ws_ask_head(head, sizeof(head), &w->ask);
    w->ask.host = NULL;
    w->ask.path = NULL;
    ASSERT(len < sizeof(head));
    write_bytes(w, head, len);
}

/* Why the server's answer STATUS to that will not do. */
static const char *refusal(const struct wire *w, int status)
{
    if (status == 0)
        return _("That speaks no WebSocket.");
    if (status > 300 && status < 400 && w->server->scheme == WIRE_WS)
        return _("That is no Sobremesa: it answers %d (try wss://).");
    if (status == 429 || (status >= 502 && status <= 504))
        return _("The server cannot just now: it answers %d.");
    return _("That is no Sobremesa: it answers %d.");
}

/* The head of the answer to a WebSocket's request; false if it is not all
 * here, or will not do. */
static bool shake_hands(struct wire *w)
{
    struct ws_told told;
    char why[128];

    int made = ws_ask_check(&w->ask, w->in, w->in_len, &told);
    if (made == 0)
        return false;
    if (made < 0) {
        (void)snprintf(why, sizeof(why), refusal(w, told.status), told.status);
        lose(w, why);
        return false;
    }
    struct ws_options options = {
        .side = WS_CLIENT,
        .deflate = told.deflate,
    };
    ws_init(&w->ws, &options);
    memmove(w->in, w->in + told.used, w->in_len - told.used);
    w->in_len -= told.used;
    greeted(w);
    return true;
}

/* Takes what has come apart; W may be closed by what is in it. */
static void take_frames(struct wire *w)
{
    struct bytes_in in = {w->in, w->in_len};
    struct ws_message message;

    while (!w->closed) {
        switch (ws_read(&w->ws, &w->server->ws, &in, (int64_t)uv_now(w->loop),
                        &message)) {
        case WS_MORE: w->in_len = 0; return;
        case WS_TEXT:
            w->owner.message(w->owner.context,
                             (const char *)message.bytes.data,
                             message.bytes.len);
            break;
        case WS_REPLY:
            write_bytes(w, message.bytes.data, message.bytes.len);
            break;
        case WS_END:
            if (message.bytes.len > 0)
                write_bytes(w, message.bytes.data, message.bytes.len);
            lose(w, message.code == WS_GOING_AWAY
                        ? _("The server is going down.")
                    : message.reason[0] != '\0'
                        ? message.reason
                        : _("The server has closed the connection."));
            return;
        case WS_BINARY:
        case WS_PONG:
        default: break;
        }
    }
}

static void take_lines(struct wire *w)
{
    size_t from = 0;

    while (!w->closed) {
        uint8_t *end = memchr(w->in + from, '\n', w->in_len - from);
        if (end == NULL)
            break;
        size_t len = (size_t)(end - (w->in + from));
        if (len > 0)
            w->owner.message(w->owner.context, (const char *)w->in + from,
                             len);
        from += len + 1;
    }
    memmove(w->in, w->in + from, w->in_len - from);
    w->in_len -= from;
    if (w->in_len > MESSAGE_MAX)
        lose(w, _("That is no Sobremesa: its lines have no end."));
}

/* Takes what there is in W->in. */
static void take(struct wire *w)
{
    if (!speaks_ws(w))
        take_lines(w);
    else if (w->greeted || shake_hands(w))
        take_frames(w);
}

/* ---- in ---------------------------------------------------------------- */

/* N bytes of TLS have come: as much of it as can be read now. */
static void take_sealed(struct wire *w, size_t n)
{
    tls_feed(w->tls, w->chunk, n);
    for (;;) {
        w->in = must_grow(w->in, w->in_len + CLEAR_BYTES, &w->in_cap, 1);
        size_t some = tls_read(w->tls, w->in + w->in_len, CLEAR_BYTES);
        if (some == 0)
            break;
        w->in_len += some;
    }
    flush(w);
    if (!w->asked && tls_state(w->tls) == TLS_OPEN)
        ask(w);
    if (w->in_len > 0)
        take(w);
    if (w->closed)
        return;
    if (tls_state(w->tls) == TLS_FAILED)
        lose(w, tls_why(w->tls));
    else if (tls_state(w->tls) == TLS_CLOSED)
        lose(w, _("The server has closed the connection."));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct wire *w = stream->data;

    (void)buf;
    if (w->closed || n == 0)
        return;
    if (n < 0) {
        lose(w, n != UV_EOF ? uv_strerror((int)n)
                : w->tls != NULL && tls_state(w->tls) == TLS_SHAKING
                    ? _("The server has closed the connection before TLS came "
                        "about.")
                    : _("The server has closed the connection."));
        return;
    }
    w->heard_ms = uv_now(w->loop);
    if (w->tls != NULL) {
        take_sealed(w, (size_t)n);
        return;
    }
    w->in = must_grow(w->in, w->in_len + (size_t)n, &w->in_cap, 1);
    memcpy(w->in + w->in_len, w->chunk, (size_t)n);
    w->in_len += (size_t)n;
    take(w);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf)
{
    struct wire *w = handle->data;
    (void)size;
    *buf = uv_buf_init(w->chunk, sizeof(w->chunk));
}

uint64_t wire_heard_ms(const struct wire *w)
{
    return w->heard_ms;
}

/* ---- connecting -------------------------------------------------------- */

static void connect_next(struct wire *w);

static void on_connected(uv_connect_t *request, int status)
{
    struct wire *w = request->data;
    const struct wire_server *s = w->server;
    char why[WIRE_WHY_MAX + 300];

    if (w->closed)
        return;
    if (status < 0) {
        if (w->at != NULL && w->at->ai_next != NULL) {
            w->at = w->at->ai_next;
            connect_next(w);
            return;
        }
        (void)snprintf(why, sizeof(why), "%s%s%s: %s.",
                       s->scheme == WIRE_PATH ? s->path : s->host,
                       s->scheme == WIRE_PATH ? "" : ":",
                       s->scheme == WIRE_PATH ? "" : s->port,
                       uv_strerror(status));
        lose(w, why);
        return;
    }
    if (s->scheme != WIRE_PATH) {
        (void)uv_tcp_nodelay(&w->as.tcp, 1);
        (void)uv_tcp_keepalive(&w->as.tcp, 1, 30);
    }
    (void)uv_read_start(&w->as.stream, on_alloc, on_read);
    if (s->scheme == WIRE_WSS) {
        w->tls = tls_new(s->trust, s->host);
        flush(w);
    } else if (s->scheme == WIRE_WS) {
        ask(w);
    } else {
        greeted(w);
    }
}

/* One address after the other: each needs a socket of its own. */
static void connect_again(uv_handle_t *handle)
{
    struct wire *w = handle->data;
    if (w->closed) {
        wire_gone(handle);
        return;
    }
    (void)uv_tcp_init(w->loop, &w->as.tcp);
    w->as.handle.data = w;
    w->open = true;
    int error = uv_tcp_connect(&w->connect, &w->as.tcp, w->at->ai_addr,
                               on_connected);
    if (error != 0)
        on_connected(&w->connect, error);
}

static void connect_next(struct wire *w)
{
    w->as.handle.data = w;
    if (!w->open)
        connect_again(&w->as.handle);
    else
        uv_close(&w->as.handle, connect_again);
}

static void on_found(uv_getaddrinfo_t *lookup, int status,
                     struct addrinfo *found)
{
    struct wire *w = lookup->data;
    char why[WIRE_WHY_MAX];

    w->looking = false;
    w->found = found;
    if (w->closed) {
        wire_close(w);
        return;
    }
    if (status < 0) {
        (void)snprintf(why, sizeof(why), "%s: %s.", w->server->host,
                       uv_strerror(status));
        lose(w, why);
        return;
    }
    w->at = found;
    connect_next(w);
}

struct wire *wire_new(uv_loop_t *loop, struct wire_server *server,
                      const struct wire_owner *owner)
{
    struct wire *w = must_alloc(sizeof(*w));

    w->loop = loop;
    w->server = server;
    w->owner = *owner;
    w->connect.data = w;
    w->lookup.data = w;
    return w;
}

void wire_start(struct wire *w)
{
    const struct wire_server *s = w->server;

    if (s->scheme == WIRE_PATH) {
        (void)uv_pipe_init(w->loop, &w->as.pipe, 0);
        w->as.handle.data = w;
        w->open = true;
        uv_pipe_connect(&w->connect, &w->as.pipe, s->path, on_connected);
        return;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    w->looking = true;
    int error = uv_getaddrinfo(w->loop, &w->lookup, on_found, s->host, s->port,
                               &hints);
    if (error != 0)
        on_found(&w->lookup, error, NULL);
}
