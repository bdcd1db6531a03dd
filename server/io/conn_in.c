/* conn_in.c -- what comes from a connection.
 *
 * Who has said something gets in line (fair.h); when its turn comes it is read
 * from, and a step of what came is worked on.  Until all of it is, whatever it
 * waits for (its turn, a rest, an answer of the hub), no more is read.
 *
 * That to read is part of the step matters: what the system does for a read, and
 * on the way for packets that wait, may be a millisecond's work. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "conn_inner.h"
#include "log.h"
#include "server/hub/limits.h"

#define READ_BYTES   16384
#define LINGER_BYTES 262144

void conn_pause(struct conn *c)
{
    if (c->reading)
        uv_read_stop(&c->uv.stream);
    c->reading = false;
}

static void hand_on(struct conn *c, const void *text, size_t len)
{
    c->since_ms = c->heard_ms;
    conn_charge(c, LIMIT_INPUT_MESSAGE);
    if (c->peer != 0)
        hub_message(c->daemon->hub, c->peer, text, len, daemon_now());
}

/* Each looks at input up to the next message or request, or to its end. */
static void take_lines(struct conn *c, struct bytes_in *in)
{
    struct bytes line;

    switch (lines_read(&c->lines, in, &line)) {
    case LINES_MORE: break;
    case LINES_LINE: hand_on(c, line.data, line.len); break;
    case LINES_TOO_LONG: {
        static const char text[] =
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"
            "\"message\":\"The line is too long.\",\"data\":{\"reason\":"
            "\"invalid_request\",\"expected\":\"at most 65536 bytes\"}}}\n";
        conn_write(c, text, sizeof(text) - 1);
        conn_close(c, true);
        break;
    }
    case LINES_HTTP: conn_close(c, false); break;
    }
}

static void echo(struct conn *c, enum ws_opcode opcode, struct bytes bytes)
{
    struct ws_outgoing *outgoing = ws_outgoing_new(opcode, bytes.data,
                                                   bytes.len);

    c->since_ms = c->heard_ms;
    conn_charge(c, LIMIT_INPUT_MESSAGE);
    conn_send_ws(c, outgoing);
}

static void take_ws(struct conn *c, struct bytes_in *in)
{
    struct ws_message m;
    enum ws_event event = ws_read(&c->ws, &c->daemon->kit, in, c->heard_ms,
                                  &m);

    conn_charge(c, m.inflated);
    switch (event) {
    case WS_MORE: break;
    case WS_TEXT:
    case WS_BINARY:
        if (c->kind == CONN_WS)
            hand_on(c, m.bytes.data, m.bytes.len);
        else
            echo(c, event == WS_TEXT ? WS_OPCODE_TEXT : WS_OPCODE_BINARY,
                 m.bytes);
        break;
    case WS_PONG: c->pinged = false; break;
    case WS_REPLY: conn_write(c, m.bytes.data, m.bytes.len); break;
    case WS_END:
        conn_write(c, m.bytes.data, m.bytes.len);
        conn_close(c, true);
        break;
    }
}

static void take_http(struct conn *c, struct bytes_in *in)
{
    const char *header = c->daemon->config.proxy_header;

    c->http.header = header[0] != '\0' ? header : NULL;
    switch (http_read(&c->http, in)) {
    case HTTP_WANTS_MORE: break;
    case HTTP_WANTS_CONTINUE:
        conn_write(c, HTTP_CONTINUE, sizeof(HTTP_CONTINUE) - 1);
        break;
    case HTTP_HAS_REQUEST:
    case HTTP_HAS_UPGRADE:
        c->since_ms = c->heard_ms;
        c->requested = true;
        serve_whose(c);
        break;
    case HTTP_REFUSES: serve_refusal(c, c->http.status); break;
    }
}

/* Whether there is a step to be worked on. */
static bool has_step(const struct conn *c)
{
    if (c->state != CONN_OPEN || conn_is_full(c))
        return false;
    return c->requested ||
           ((c->in.len > 0 || c->readable) && c->call == CALL_NONE);
}

void conn_drop_input(struct conn *c)
{
    free(c->in_room);
    c->in_room = NULL;
    c->in_cap = 0;
    c->in = (struct bytes_in){NULL, 0};
}

/* What waits in memory: messages and requests that are not complete or not
 * worked on, and what it does not take. */
static size_t held(const struct conn *c)
{
    size_t bytes = c->in_cap + c->out_bytes + c->written_bytes;

    if (c->info.admin)
        return 0;
    switch (c->kind) {
    case CONN_LINES: return bytes + lines_held(&c->lines);
    case CONN_HTTP: return bytes + http_held(&c->http);
    case CONN_WS:
    case CONN_ECHO: return bytes + ws_held(&c->ws);
    }
    return bytes;
}

/* What all connections together may have waiting in memory: messages and
 * requests that have begun and not ended, and answers that are not taken. */
static size_t held_most(const struct daemon *d)
{
    return (size_t)d->config.held_memory << 20;
}

/* Of those for whom most waits some go, many at once so that it is seldom. */
static void make_room(struct daemon *d)
{
    struct conn *next, *c = d->conns;

    for (; c != NULL && d->fair.held > held_most(d) / 8 * 7; c = next) {
        next = c->next;
        if (c->state == CONN_CLOSED || !fair_hoards(&d->fair, &c->member))
            continue;
        d->crowded_out++;
        log_line(LOG_INFO, log_event("crowded_out"),
                 log_number("conn", (int64_t)c->peer));
        conn_close(c, false);
    }
}

void conn_weigh(struct conn *c)
{
    struct daemon *d = c->daemon;

    if (c->state == CONN_CLOSED)
        return;
    fair_hold(&d->fair, &c->member, held(c));
    while (d->fair.held > held_most(d))
        make_room(d);
}

void conn_charge(struct conn *c, size_t bytes)
{
    fair_charge(&c->member, bytes, conn_clock(c));
}

void conn_count_asked(struct conn *c)
{
    size_t count = c->peer != 0 ? hub_owes(c->daemon->hub, c->peer) : 0;
    fair_asked(&c->daemon->fair, &c->member, count, conn_clock(c));
}

/* Works on what was read, up to the next message or request. */
static void take(struct conn *c)
{
    struct bytes_in in = c->in;

    switch (c->kind) {
    case CONN_HTTP: take_http(c, &in); break;
    case CONN_LINES: take_lines(c, &in); break;
    case CONN_WS:
    case CONN_ECHO: take_ws(c, &in); break;
    }
    conn_charge(c, c->in.len - in.len);
    c->in = in;
}

/* The other side has said all it will. */
static void hear_end(struct conn *c)
{
    c->heard_all = true;
    conn_pause(c);
    if (c->kind == CONN_LINES || c->kind == CONN_HTTP)
        conn_wait(c);
    else
        conn_close(c, false);
}

static void keep(struct conn *c, const uint8_t *data, size_t len)
{
    ASSERT(c->in_room == NULL);
    c->in_room = malloc(len);
    ASSERT(c->in_room != NULL);
    memcpy(c->in_room, data, len);
    c->in_cap = len;
    c->in = (struct bytes_in){c->in_room, len};
    c->heard_ms = conn_clock(c);
    conn_charge(c, LIMIT_INPUT_READ);
}

/* Reads what there is, or as much of it as is worked on before others are. */
static void read_now(struct conn *c)
{
    uint8_t room[READ_BYTES];
    uv_os_fd_t fd;
    ssize_t n;

    c->readable = false;
    if (uv_fileno(&c->uv.handle, &fd) < 0) {
        conn_close(c, false);
        return;
    }
    do
        n = read(fd, room, sizeof(room));
    while (n < 0 && errno == EINTR);
    if (n > 0)
        keep(c, room, (size_t)n);
    else if (n == 0)
        hear_end(c);
    else if (errno != EAGAIN)
        conn_close(c, false);
}

void conn_step(struct conn *c)
{
    if (!has_step(c))
        return;
    if (c->requested) {
        c->requested = false;
        conn_charge(c, LIMIT_INPUT_MESSAGE);
        serve_request(c);
    } else {
        if (c->in.len == 0)
            read_now(c);
        if (c->in.len > 0)
            take(c);
    }
    if (c->in.len == 0 || c->state != CONN_OPEN)
        conn_drop_input(c);
    if (c->state == CONN_CLOSED)
        return;
    conn_count_asked(c);
    conn_weigh(c);
    conn_go_on(c);
}

/* Only who is being closed is read from at once, for that costs nobody else
 * anything: what comes is passed over. */
static void alloc(uv_handle_t *handle, size_t wanted, uv_buf_t *buf)
{
    static char room[READ_BYTES]; /* one loop, one read at a time */
    struct conn *c = handle->data;
    (void)wanted;
    bool first = c->read_turn != c->daemon->turn_number;
    bool passes = c->state != CONN_OPEN && first;
    *buf = uv_buf_init(room, passes ? sizeof(room) : 0);
}

static void pass_over(struct conn *c, ssize_t count)
{
    c->read_turn = c->daemon->turn_number;
    c->passed_over += count > 0 ? (size_t)count : 0;
    if (count < 0 || c->passed_over > LINGER_BYTES)
        conn_close(c, false);
}

/* There is something to be read: it gets in line, once.  Where nobody is in
 * another's way it is read at once: as long as it is not, whoever has many to
 * look after is told of it again and again. */
static void on_readable(struct conn *c)
{
    bool idle = !c->readable && c->in.len == 0 && c->call == CALL_NONE &&
                !conn_is_full(c);

    if (!idle)
        conn_pause(c);
    c->readable = true;
    c->readable_ms = conn_clock(c);
    if (idle && daemon_all_near(c->daemon)) {
        read_now(c);
        conn_weigh(c);
    }
    conn_go_on(c);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct conn *c = stream->data;
    (void)buf;

    if (c->state == CONN_OPEN)
        on_readable(c);
    else if (c->state == CONN_DRAINING && count != UV_ENOBUFS)
        pass_over(c, count);
}

bool conn_read(struct conn *c)
{
    return uv_read_start(&c->uv.stream, alloc, on_read) == 0;
}

void conn_go_on(struct conn *c)
{
    if (c->state != CONN_OPEN)
        return;
    if (has_step(c)) {
        fair_want(&c->daemon->fair, &c->member, conn_clock(c));
    } else if (!c->reading && !c->readable && c->in.len == 0 &&
               !c->heard_all && c->call == CALL_NONE && !conn_is_full(c) &&
               !c->daemon->ending) {
        c->reading = true;
        if (!conn_read(c))
            conn_close(c, false);
    }
}

void conn_look_again(struct conn *c)
{
    if (c->state != CONN_OPEN)
        return;
    conn_count_asked(c);
    if (!c->daemon->ending && !conn_is_full(c))
        serve_more(c);
    conn_go_on(c);
}
