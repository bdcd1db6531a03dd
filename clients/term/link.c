#include "link.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "core/base.h"
#include "protocol/game_json.h"
#include "protocol/lines.h"
#include "protocol/ws.h"
#include "term.h"

#define BACK_OFF_MS     500   /* the first wait; doubled each time ... */
#define BACK_OFF_MAX_MS 30000 /* ... up to this, give or take a quarter */
#define TRY_MS          15000 /* for a connection to come about */
#define QUIET_MS        30000 /* then the server is asked whether it is there */
#define DEAD_MS         60000 /* then it is not */
#define TICK_MS         5000
#define AGAIN_MS        1000 /* after storage_unavailable */
#define ASK_TRIES       3 /* of link_ask(), where the server cannot just now */
#define MESSAGE_MAX     (2 << 20)

/* A request that is not answered yet. */
struct call {
    struct call *next;
    int64_t id;
    char *text; /* compact JSON */
    bool sent;  /* on this connection */
    int tries;  /* left, for what time heals */
    link_answer_cb cb;
    void *context;
};

/* One connection, or the try of one; freed when libuv lets go of it. */
struct wire {
    struct link *link; /* NULL: nobody listens any more */
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } as;
    bool open; /* the handle is there */
    uv_getaddrinfo_t lookup;
    struct addrinfo *found, *at;
    uv_connect_t connect;
    bool greeted; /* messages may pass: WebSocket has shaken hands */
    struct ws_ask ask;
    struct ws ws;
    uint8_t *in; /* bytes that are no whole message yet */
    size_t in_len, in_cap;
    char chunk[65536];
};

enum scheme { SCHEME_TCP, SCHEME_PATH, SCHEME_WS };

struct link {
    uv_loop_t *loop;
    struct link_owner owner;
    enum scheme scheme;
    char host[256], port[8], path[512];
    char token[128], user[64];
    enum link_state state;
    bool was_ready;           /* once */
    bool resuming, logged_in; /* on this connection */
    char why[LINK_WHY_MAX];
    struct wire *wire;
    uv_timer_t *timer; /* the next try, or the end of this one */
    uv_timer_t *tick;
    uv_timer_t *again; /* says once more what has to be */
    uint64_t back_off_ms, due_ms, heard_ms;
    struct ws_kit kit;
    int64_t last_id;
    struct call *calls, **last;
};

/* ---- small things ------------------------------------------------------- */

static void random_bytes(uint8_t *out, size_t n, void *context)
{
    (void)context;
    if (getrandom(out, n, 0) != (ssize_t)n)
        core_panic(__FILE__, __LINE__, "the system has no chance to give");
}

void link_key(char key[LINK_KEY_SIZE])
{
    uint8_t bytes[(LINK_KEY_SIZE - 1) / 2];

    random_bytes(bytes, sizeof(bytes), NULL);
    for (size_t i = 0; i < sizeof(bytes); i++)
        (void)snprintf(key + 2 * i, 3, "%02x", bytes[i]);
}

static void set_state(struct link *l, enum link_state state)
{
    l->state = state;
    if (l->owner.changed != NULL)
        l->owner.changed(l->owner.context);
}

static void free_timer(uv_handle_t *handle)
{
    free(handle);
}

static uv_timer_t *new_timer(struct link *l)
{
    uv_timer_t *timer = must_alloc(sizeof(*timer));
    (void)uv_timer_init(l->loop, timer);
    timer->data = l;
    return timer;
}

/* ---- addresses ---------------------------------------------------------- */

/* HOST:PORT, where HOST may stand in [brackets]; PORT may be left out if there
 * is a USUAL one. */
static bool split_address(struct link *l, const char *text, size_t len,
                          const char *usual)
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
    const char *number = colon != NULL ? colon + 1 : usual;
    if (number == NULL)
        return false;
    size_t port = colon != NULL ? len - host - 1 : strlen(number);
    if (port == 0 || port >= sizeof(l->port) || host == 0 ||
        host >= sizeof(l->host) || strspn(number, "0123456789") < port)
        return false;
    memcpy(l->port, number, port);
    if (text[0] == '[' && text[host - 1] == ']')
        memcpy(l->host, text + 1, host - 2);
    else
        memcpy(l->host, text, host);
    return true;
}

static bool read_server(struct link *l, const char *server)
{
    if (strncmp(server, "ws://", 5) == 0) {
        const char *at = server + 5;
        size_t len = strcspn(at, "/");
        l->scheme = SCHEME_WS;
        int n = snprintf(l->path, sizeof(l->path), "%s",
                         at[len] == '\0' || at[len + 1] == '\0' ? "/ws"
                                                                : at + len);
        return n < (int)sizeof(l->path) && split_address(l, at, len, "80");
    }
    if (strchr(server, '/') != NULL && strstr(server, "://") == NULL) {
        l->scheme = SCHEME_PATH;
        int n = snprintf(l->path, sizeof(l->path), "%s", server);
        return n < 100; /* as long as a socket's name may be */
    }
    l->scheme = SCHEME_TCP;
    return strchr(server, '/') == NULL &&
           split_address(l, server, strlen(server), NULL);
}

/* ---- the wire ----------------------------------------------------------- */

static void begin(struct link *l);
static void handle_message(struct link *l, const char *text, size_t len);
static void ready(struct link *l);

static void wire_gone(uv_handle_t *handle)
{
    struct wire *w = handle->data;
    if (w->found != NULL)
        uv_freeaddrinfo(w->found);
    ws_done(&w->ws);
    free(w->in);
    free(w);
}

static void wire_close(struct wire *w)
{
    w->link = NULL;
    if (!w->open) {
        (void)uv_cancel(
            (uv_req_t *)&w->lookup); /* it lets go in its callback */
        return;
    }
    if (!uv_is_closing(&w->as.handle))
        uv_close(&w->as.handle, wire_gone);
}

/* The connection is lost, or did not come about: comes again, or not. */
static void lose(struct link *l, const char *why)
{
    if (l->wire != NULL)
        wire_close(l->wire);
    l->wire = NULL;
    l->resuming = false;
    l->logged_in = false;
    (void)snprintf(l->why, sizeof(l->why), "%s", why);
    for (struct call *c = l->calls; c != NULL; c = c->next)
        c->sent = false;
    if (!l->was_ready) {
        (void)uv_timer_stop(l->timer);
        set_state(l, LINK_FAILED);
        return;
    }
    uint8_t some;
    random_bytes(&some, 1, NULL);
    uint64_t wait = l->back_off_ms * 3 / 4 + l->back_off_ms * some / 512;
    l->back_off_ms = l->back_off_ms * 2 < BACK_OFF_MAX_MS ? l->back_off_ms * 2
                                                          : BACK_OFF_MAX_MS;
    l->due_ms = uv_now(l->loop) + wait;
    set_state(l, LINK_WAITING);
}

static void fail(struct link *l, const char *why)
{
    l->was_ready = false;
    lose(l, why);
}

static void on_timer(uv_timer_t *timer)
{
    struct link *l = timer->data;
    if (l->state == LINK_CONNECTING)
        lose(l, "The server does not answer.");
    else
        begin(l);
    if (l->state == LINK_WAITING)
        (void)uv_timer_start(l->timer, on_timer, l->due_ms - uv_now(l->loop),
                             0);
}

/* lose() from within anything but on_timer(). */
static void drop(struct link *l, const char *why)
{
    lose(l, why);
    if (l->state == LINK_WAITING)
        (void)uv_timer_start(l->timer, on_timer, l->due_ms - uv_now(l->loop),
                             0);
}

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
    if (status < 0 && status != UV_ECANCELED && w->link != NULL)
        drop(w->link, uv_strerror(status));
}

static void write_bytes(struct wire *w, const void *data, size_t len)
{
    struct writing *writing = must_alloc(sizeof(*writing) + len);
    uv_buf_t buf = uv_buf_init(writing->data, (unsigned)len);

    memcpy(writing->data, data, len);
    writing->wire = w;
    if (uv_write(&writing->request, &w->as.stream, &buf, 1, on_written) != 0)
        free(writing); /* the reader hears of it */
}

static void write_message(struct wire *w, const char *text, size_t len)
{
    uint8_t *out = must_alloc(len + WS_HEADER_BYTES_MAX + 1);
    size_t n = w->link->scheme == SCHEME_WS
                   ? ws_write(&w->ws, &w->link->kit, WS_OPCODE_TEXT, text, len,
                              out)
                   : lines_write(out, text, len);
    write_bytes(w, out, n);
    free(out);
}

/* The head of the answer to a WebSocket's request; false if it is not all
 * here, or will not do. */
static bool shake_hands(struct wire *w)
{
    struct link *l = w->link;
    struct ws_told told;
    char why[128];

    int made = ws_ask_check(&w->ask, w->in, w->in_len, &told);
    if (made == 0)
        return false;
    if (made < 0) {
        (void)snprintf(why, sizeof(why),
                       told.status > 0 ? "That is no Sobremesa: it answers %d."
                                       : "That speaks no WebSocket.",
                       told.status);
        drop(l, why);
        return false;
    }
    struct ws_options options = {
        .side = WS_CLIENT,
        .deflate = told.deflate,
    };
    ws_init(&w->ws, &options);
    w->greeted = true;
    memmove(w->in, w->in + told.used, w->in_len - told.used);
    w->in_len -= told.used;
    ready(l);
    return true;
}

/* Takes what has come apart; W may be closed by what is in it. */
static void take_frames(struct wire *w)
{
    struct bytes_in in = {w->in, w->in_len};
    struct ws_message message;

    while (w->link != NULL) {
        struct link *l = w->link;
        switch (ws_read(&w->ws, &l->kit, &in, (int64_t)uv_now(l->loop),
                        &message)) {
        case WS_MORE: w->in_len = 0; return;
        case WS_TEXT:
            handle_message(l, (const char *)message.bytes.data,
                           message.bytes.len);
            break;
        case WS_REPLY:
            write_bytes(w, message.bytes.data, message.bytes.len);
            break;
        case WS_END:
            if (message.bytes.len > 0)
                write_bytes(w, message.bytes.data, message.bytes.len);
            drop(l, message.code == WS_GOING_AWAY ? "The server is going down."
                    : message.reason[0] != '\0'
                        ? message.reason
                        : "The server has closed the connection.");
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

    while (w->link != NULL) {
        uint8_t *end = memchr(w->in + from, '\n', w->in_len - from);
        if (end == NULL)
            break;
        size_t len = (size_t)(end - (w->in + from));
        if (len > 0)
            handle_message(w->link, (const char *)w->in + from, len);
        from += len + 1;
    }
    memmove(w->in, w->in + from, w->in_len - from);
    w->in_len -= from;
    if (w->link != NULL && w->in_len > MESSAGE_MAX)
        drop(w->link, "That is no Sobremesa: its lines have no end.");
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct wire *w = stream->data;

    (void)buf;
    if (w->link == NULL || n == 0)
        return;
    if (n < 0) {
        drop(w->link, n == UV_EOF ? "The server has closed the connection."
                                  : uv_strerror((int)n));
        return;
    }
    w->link->heard_ms = uv_now(w->link->loop);
    w->in = must_grow(w->in, w->in_len + (size_t)n, &w->in_cap, 1);
    memcpy(w->in + w->in_len, w->chunk, (size_t)n);
    w->in_len += (size_t)n;
    if (w->link->scheme != SCHEME_WS)
        take_lines(w);
    else if (w->greeted || shake_hands(w))
        take_frames(w);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf)
{
    struct wire *w = handle->data;
    (void)size;
    *buf = uv_buf_init(w->chunk, sizeof(w->chunk));
}

static void connect_next(struct wire *w);

static void on_connected(uv_connect_t *request, int status)
{
    struct wire *w = request->data;
    struct link *l = w->link;
    char why[LINK_WHY_MAX + 300], head[2048], host[300];

    if (l == NULL)
        return;
    if (status < 0) {
        if (w->at != NULL && w->at->ai_next != NULL) {
            w->at = w->at->ai_next;
            connect_next(w);
            return;
        }
        (void)snprintf(why, sizeof(why), "%s%s%s: %s.",
                       l->scheme == SCHEME_PATH ? l->path : l->host,
                       l->scheme == SCHEME_PATH ? "" : ":",
                       l->scheme == SCHEME_PATH ? "" : l->port,
                       uv_strerror(status));
        drop(l, why);
        return;
    }
    if (l->scheme != SCHEME_PATH) {
        (void)uv_tcp_nodelay(&w->as.tcp, 1);
        (void)uv_tcp_keepalive(&w->as.tcp, 1, 30);
    }
    (void)uv_read_start(&w->as.stream, on_alloc, on_read);
    if (l->scheme != SCHEME_WS) {
        w->greeted = true;
        ready(l);
        return;
    }
    (void)snprintf(host, sizeof(host),
                   strchr(l->host, ':')         ? "[%s]:%s"
                   : strcmp(l->port, "80") == 0 ? "%s"
                                                : "%s:%s",
                   l->host, l->port);
    w->ask = (struct ws_ask){.host = host, .path = l->path, .deflate = true};
    random_bytes(w->ask.nonce, sizeof(w->ask.nonce), NULL);
    size_t len = ws_ask_head(head, sizeof(head), &w->ask);
    w->ask.host = NULL;
    w->ask.path = NULL;
    ASSERT(len < sizeof(head));
    write_bytes(w, head, len);
}

/* One address after the other: each needs a socket of its own. */
static void connect_again(uv_handle_t *handle)
{
    struct wire *w = handle->data;
    if (w->link == NULL) {
        w->open = true;
        wire_gone(handle);
        return;
    }
    (void)uv_tcp_init(w->link->loop, &w->as.tcp);
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
    char why[LINK_WHY_MAX];

    w->found = found;
    if (w->link == NULL) {
        w->as.handle.data = w;
        wire_gone(&w->as.handle);
        return;
    }
    if (status < 0) {
        struct link *l = w->link;
        (void)snprintf(why, sizeof(why), "%s: %s.", l->host,
                       uv_strerror(status));
        w->link = NULL;
        l->wire = NULL;
        w->as.handle.data = w;
        wire_gone(&w->as.handle);
        drop(l, why);
        return;
    }
    w->at = found;
    connect_next(w);
}

static void begin(struct link *l)
{
    struct wire *w = must_alloc(sizeof(*w));

    ASSERT(l->wire == NULL);
    l->wire = w;
    w->link = l;
    w->connect.data = w;
    w->lookup.data = w;
    l->due_ms = uv_now(l->loop) + TRY_MS;
    (void)uv_timer_start(l->timer, on_timer, TRY_MS, 0);
    set_state(l, LINK_CONNECTING);
    if (l->scheme == SCHEME_PATH) {
        (void)uv_pipe_init(l->loop, &w->as.pipe, 0);
        w->as.handle.data = w;
        w->open = true;
        uv_pipe_connect(&w->connect, &w->as.pipe, l->path, on_connected);
        return;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    int error = uv_getaddrinfo(l->loop, &w->lookup, on_found, l->host, l->port,
                               &hints);
    if (error != 0)
        on_found(&w->lookup, error, NULL);
}

/* ---- requests and answers ----------------------------------------------- */

static void send_call(struct link *l, struct call *c)
{
    c->sent = true;
    write_message(l->wire, c->text, strlen(c->text));
}

static void send_all(struct link *l)
{
    if (l->state != LINK_READY)
        return;
    for (struct call *c = l->calls; c != NULL; c = c->next)
        if (!c->sent)
            send_call(l, c);
}

static void on_again(uv_timer_t *timer)
{
    send_all(timer->data);
}

/* Whether the refusal is one that time heals; then *MS is how much. */
static bool passes(const char *reason, const json_t *data, uint64_t *ms)
{
    *ms = AGAIN_MS;
    if (strcmp(reason, "rate_limited") == 0) {
        json_int_t wait = json_integer_value(
            json_object_get(data, "retry_after_ms"));
        *ms = wait > 0 && wait < 60000 ? (uint64_t)wait : AGAIN_MS;
        return wait < 60000;
    }
    return strcmp(reason, "storage_unavailable") == 0 ||
           strcmp(reason, "shutting_down") == 0 ||
           strcmp(reason, "too_many_requests") == 0;
}

/* "It is not your turn." and what more there is to know. */
static void say_error(const json_t *error, char *buf, size_t cap)
{
    const json_t *data = json_object_get(error, "data");
    const char *message = json_string_value(json_object_get(error, "message"));
    const char *sentence = json_string_value(
        json_object_get(data, "sentence"));
    const char *expected = json_string_value(
        json_object_get(data, "expected"));
    const char *path = json_string_value(json_object_get(data, "path"));
    json_int_t wait = json_integer_value(
        json_object_get(data, "retry_after_ms"));

    size_t n = (size_t)snprintf(buf, cap, "%s",
                                sentence != NULL  ? sentence
                                : message != NULL ? message
                                                  : "The server refuses.");
    if (expected != NULL && n < cap)
        n += (size_t)snprintf(buf + n, cap - n, " %s%sexpected %s.",
                              path != NULL ? path : "",
                              path != NULL ? ": " : "", expected);
    if (wait > 0 && n < cap)
        (void)snprintf(buf + n, cap - n, " Try again in %lld s.",
                       (long long)(wait + 999) / 1000);
}

static void resumed(struct link *l, const json_t *answer)
{
    const json_t *result = json_object_get(answer, "result");
    char why[LINK_WHY_MAX];

    l->resuming = false;
    if (result == NULL) {
        const json_t *error = json_object_get(answer, "error");
        const json_t *data = json_object_get(error, "data");
        const char *reason = json_string_value(
            json_object_get(data, "reason"));
        uint64_t ms;
        say_error(error, why, sizeof(why));
        if (reason != NULL && passes(reason, data, &ms))
            drop(l, why);
        else
            fail(l, why);
        return;
    }
    const char *name = json_string_value(
        json_object_get(json_object_get(result, "user"), "name"));
    (void)snprintf(l->user, sizeof(l->user), "%s", name != NULL ? name : "");
    l->logged_in = true;
    ready(l);
}

/* The connection stands: logs in if that is to be, then all is ready. */
static void ready(struct link *l)
{
    if (l->token[0] != '\0' && !l->logged_in) {
        json_t *message = json_pack("{ss si ss s{ss}}", "jsonrpc", "2.0", "id",
                                    0, "method", "session.resume", "params",
                                    "token", l->token);
        char *text = json_dumps(message, JSON_COMPACT);
        ASSERT(text != NULL);
        l->resuming = true;
        write_message(l->wire, text, strlen(text));
        free(text);
        json_decref(message);
        return;
    }
    (void)uv_timer_stop(l->timer);
    l->was_ready = true;
    l->back_off_ms = BACK_OFF_MS;
    l->heard_ms = uv_now(l->loop);

    /* What the owner asks now stands before what is said once more. */
    struct call *old = l->calls, **old_last = l->last;
    l->calls = NULL;
    l->last = &l->calls;
    l->state = LINK_READY;
    if (l->owner.ready != NULL)
        l->owner.ready(l->owner.context);
    *l->last = old;
    if (old != NULL)
        l->last = old_last;
    send_all(l);
    if (l->owner.changed != NULL)
        l->owner.changed(l->owner.context);
}

/* Takes C off the list; it will not be said again. */
static void remove_call(struct link *l, struct call *c)
{
    struct call **at = &l->calls;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    if (c->next == NULL)
        l->last = at;
    free(c->text);
    free(c);
}

static void answered(struct link *l, const json_t *answer)
{
    json_int_t id = json_integer_value(json_object_get(answer, "id"));
    const json_t *result = json_object_get(answer, "result");
    const json_t *error = json_object_get(answer, "error");
    struct call **at = &l->calls;

    if (l->resuming && id == 0) {
        resumed(l, answer);
        return;
    }
    while (*at != NULL && (*at)->id != id)
        at = &(*at)->next;
    struct call *c = *at;
    if (c == NULL)
        return;
    char why[LINK_WHY_MAX] = "";
    struct link_error told = {.reason = "", .text = why};
    if (result == NULL) {
        told.data = json_object_get(error, "data");
        const char *reason = json_string_value(
            json_object_get(told.data, "reason"));
        told.reason = reason != NULL ? reason : "internal_error";
        uint64_t ms;
        if (passes(told.reason, told.data, &ms) && c->tries-- > 0) {
            c->sent = false;
            (void)uv_timer_start(l->again, on_again, ms, 0);
            return;
        }
        say_error(error, why, sizeof(why));
    }
    link_answer_cb cb = c->cb;
    void *context = c->context;
    remove_call(l, c);
    if (cb != NULL)
        cb(context, result, result != NULL ? NULL : &told);
}

static void handle_message(struct link *l, const char *text, size_t len)
{
    char why[JSON_EXPECTED_MAX];
    json_t *message = json_parse(text, len, why);
    const char *method = json_string_value(json_object_get(message, "method"));

    if (message == NULL)
        drop(l, "That is no Sobremesa: it speaks no JSON.");
    else if (method == NULL)
        answered(l, message);
    else if (l->owner.told != NULL)
        l->owner.told(l->owner.context, method,
                      json_object_get(message, "params"));
    json_decref(message);
}

static struct call *add_call(struct link *l, const char *method,
                             json_t *params, link_answer_cb cb, void *context)
{
    struct call *c = must_alloc(sizeof(*c));
    json_t *message = json_pack("{ss sI ss}", "jsonrpc", "2.0", "id",
                                (json_int_t)++l->last_id, "method", method);

    if (params != NULL)
        (void)json_object_set_new(message, "params", params);
    c->text = json_dumps(message, JSON_COMPACT);
    if (c->text == NULL)
        core_panic(__FILE__, __LINE__, "a request that cannot be written");
    json_decref(message);
    c->id = l->last_id;
    c->tries = INT_MAX;
    c->cb = cb;
    c->context = context;
    *l->last = c;
    l->last = &c->next;
    if (l->state == LINK_READY)
        send_call(l, c);
    return c;
}

void link_call(struct link *l, const char *method, json_t *params,
               link_answer_cb cb, void *context)
{
    (void)add_call(l, method, params, cb, context);
}

struct asking {
    bool done;
    json_t *result;
    char *why, *reason;
};

static void on_asked(void *context, const json_t *result,
                     const struct link_error *error)
{
    struct asking *asking = context;

    asking->done = true;
    if (result != NULL) {
        asking->result = json_deep_copy(result);
        return;
    }
    (void)snprintf(asking->why, LINK_WHY_MAX, "%s", error->text);
    if (asking->reason != NULL)
        (void)snprintf(asking->reason, 64, "%s", error->reason);
}

json_t *link_ask(struct link *l, const char *method, json_t *params, char *why,
                 char *reason)
{
    struct asking asking = {.why = why, .reason = reason};

    why[0] = '\0';
    if (reason != NULL)
        reason[0] = '\0';
    struct call *c = add_call(l, method, params, on_asked, &asking);
    c->tries = ASK_TRIES;
    while (!asking.done && l->state != LINK_FAILED && l->state != LINK_WAITING)
        (void)uv_run(l->loop, UV_RUN_ONCE);
    if (!asking.done) {
        remove_call(l, c); /* it is not to happen later, unexpectedly */
        memcpy(why, l->why, sizeof(l->why));
    }
    return asking.result;
}

void link_forget(struct link *l, const void *context)
{
    for (struct call *c = l->calls; c != NULL; c = c->next)
        if (c->context == context)
            c->cb = NULL;
}

/* ---- the whole ---------------------------------------------------------- */

/* A connection may be dead without anybody having said so. */
static void on_tick(uv_timer_t *timer)
{
    struct link *l = timer->data;
    uint64_t quiet = uv_now(l->loop) - l->heard_ms;

    if (l->state != LINK_READY)
        return;
    if (quiet > DEAD_MS)
        drop(l, "The server has fallen silent.");
    else if (quiet > QUIET_MS && l->calls == NULL)
        link_call(l, "server.hello", NULL, NULL, NULL);
}

struct link *link_new(uv_loop_t *loop, const char *server, const char *token,
                      const struct link_owner *owner, char *why)
{
    struct link *l = must_alloc(sizeof(*l));

    l->loop = loop;
    l->owner = *owner;
    l->last = &l->calls;
    l->back_off_ms = BACK_OFF_MS;
    if (!read_server(l, server)) {
        (void)snprintf(why, LINK_WHY_MAX,
                       "'%.200s' is no server: expected HOST:PORT, the path "
                       "of a socket, or ws://HOST:PORT",
                       server);
        free(l);
        return NULL;
    }
    if (token != NULL)
        (void)snprintf(l->token, sizeof(l->token), "%s", token);
    ws_kit_init(&l->kit, random_bytes, NULL);
    l->timer = new_timer(l);
    l->tick = new_timer(l);
    l->again = new_timer(l);
    /* A server that has gone is heard of by an error. */
    (void)signal(SIGPIPE, SIG_IGN);
    uv_update_time(loop);
    (void)uv_timer_start(l->tick, on_tick, TICK_MS, TICK_MS);
    begin(l);
    return l;
}

void link_free(struct link *l)
{
    if (l == NULL)
        return;
    if (l->wire != NULL)
        wire_close(l->wire);
    uv_close((uv_handle_t *)l->timer, free_timer);
    uv_close((uv_handle_t *)l->tick, free_timer);
    uv_close((uv_handle_t *)l->again, free_timer);
    for (struct call *c = l->calls; c != NULL;) {
        struct call *next = c->next;
        free(c->text);
        free(c);
        c = next;
    }
    ws_kit_done(&l->kit);
    free(l);
}

enum link_state link_state(const struct link *l)
{
    return l->state;
}

const char *link_why(const struct link *l)
{
    return l->why;
}

uint64_t link_wait_ms(const struct link *l)
{
    uint64_t now = uv_now(l->loop);
    return l->state == LINK_WAITING && l->due_ms > now ? l->due_ms - now : 0;
}

void link_hurry(struct link *l)
{
    if (l->state == LINK_WAITING) {
        l->back_off_ms = BACK_OFF_MS;
        begin(l);
    }
}

const char *link_user(const struct link *l)
{
    return l->user;
}

void link_become(struct link *l, const char *token, const char *name)
{
    (void)snprintf(l->token, sizeof(l->token), "%s", token);
    (void)snprintf(l->user, sizeof(l->user), "%s", name);
}
