/* conn.c -- one connection.
 *
 *     http -> (101) -> ws          open -> draining -> closed
 *     lines
 *
 * draining: what is queued goes out, then our side is shut, and what still
 * comes is passed over until the other side goes as well.  To close at once
 * would have the system send a reset, which overtakes our last words.
 *
 * Input is looked at as it comes; what cannot be handled yet (a pipelined
 * request behind one that waits for the hub) is kept, and no more is read.
 * Output is queued and written at the end of the turn.  Who does not take his
 * output is first no longer read from, then cut. */

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "daemon.h"
#include "log.h"

#define READ_BYTES      65536
#define OUT_PAUSE_BYTES (256 * 1024) /* stop listening to him */
/* Cut him.  Answers that were under way when he was paused must fit: a client
 * that pipelines and reads shall not be punished for it. */
#define OUT_CUT_BYTES (16 * 1048576)
#define HEAD_MS       15000 /* for a request, a line, a frame */
#define KEEP_ALIVE_MS 75000
#define QUIET_MS      30000 /* then we ask whether he is there */
#define DEAD_MS       75000
#define STALL_MS      20000 /* without taking any output */
#define DRAIN_MS      5000  /* the same, while draining */
#define LINGER_MS     1000  /* for him to go as well */
#define LINGER_BYTES  1048576

/* ---- output ------------------------------------------------------------ */

static void mark_dirty(struct conn *c)
{
    if (c->dirty)
        return;
    c->dirty = true;
    c->dirty_next = c->daemon->dirty;
    c->daemon->dirty = c;
    c->daemon->dirty_count++;
}

/* BYTES lie in WHOSE, which is dropped when they are written. */
static void add_out(struct conn *c, struct bytes bytes, void *whose,
                    void (*drop)(void *whose))
{
    if (c->out_count == c->out_cap) {
        c->out_cap = c->out_cap ? 2 * c->out_cap : 4;
        c->outs = realloc(c->outs, c->out_cap * sizeof(*c->outs));
        ASSERT(c->outs != NULL);
    }
    c->outs[c->out_count++] = (struct out){bytes, whose, drop};
    c->out_bytes += bytes.len;
    mark_dirty(c);
}

void conn_write(struct conn *c, const void *data, size_t len)
{
    if (c->state == CONN_CLOSED || c->shut || len == 0)
        return;
    uint8_t *copy = malloc(len);
    ASSERT(copy != NULL);
    memcpy(copy, data, len);
    add_out(c, (struct bytes){copy, len}, copy, free);
}

static void drop_post(void *post)
{
    ws_post_unref(post);
}

static void drop_parcel(void *parcel)
{
    parcel_unref(parcel);
}

/* The parcel's text as a frame for connections that agreed to compression. */
static struct bytes squeezed(struct conn *c, struct parcel *parcel)
{
    if (parcel->made == NULL) {
        parcel->made = ws_post_new(WS_OPCODE_TEXT, parcel->text, parcel->len);
        parcel->unmake = drop_post;
    }
    return ws_post_frame(parcel->made, &c->daemon->kit, &c->ws);
}

/* The same where it lies, as a frame or a line for any number of others. */
static struct bytes plain(struct parcel *parcel)
{
    uint8_t *text = (uint8_t *)parcel->text;
    size_t n = ws_header(text, WS_OPCODE_TEXT, parcel->len);

    return (struct bytes){text - n, n + parcel->len};
}

static struct bytes line(struct parcel *parcel)
{
    parcel->text[parcel->len] = '\n';
    return (struct bytes){(uint8_t *)parcel->text, parcel->len + 1};
}

_Static_assert(PARCEL_ROOM >= WS_HEADER_BYTES_MAX &&
                   offsetof(struct parcel, text) ==
                       offsetof(struct parcel, room) + PARCEL_ROOM,
               "a frame's header has room before the text");

/* He does not read. */
static void cut(struct conn *c)
{
    c->daemon->cut++;
    log_line(LOG_INFO, log_event("slow_consumer_cut"),
             log_number("conn", (int64_t)c->peer));
    conn_close(c, false);
}

void conn_send(struct conn *c, struct parcel *parcel)
{
    if (c->state != CONN_OPEN)
        return;
    if (c->kind == CONN_HTTP) {
        serve_heard(c, parcel);
        return;
    }
    if (c->to_come > 0) { /* to the token it came with, which said no more */
        c->to_come--;
        return;
    }
    bool squeeze = c->kind == CONN_WS && c->ws.deflate &&
                   parcel->len >= WS_DEFLATE_BYTES_MIN;
    struct bytes bytes = c->kind == CONN_LINES ? line(parcel)
                         : squeeze             ? squeezed(c, parcel)
                                               : plain(parcel);
    add_out(c, bytes, parcel_ref(parcel), drop_parcel);
    if (c->out_bytes + c->written_bytes > OUT_CUT_BYTES)
        cut(c);
}

static void free_outs(struct out *outs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        outs[i].drop(outs[i].whose);
    free(outs);
}

static void close_now(struct conn *c);
static void close_socket(struct conn *c);
static void hang_up(struct conn *c);

static void on_written(uv_write_t *write, int status)
{
    struct conn *c = write->data;

    free_outs(c->written, c->written_count);
    c->written = NULL;
    c->written_count = c->written_bytes = 0;
    c->writing = false;
    if (c->state == CONN_CLOSED)
        return;
    if (status < 0) {
        conn_close(c, false);
        return;
    }
    mark_dirty(c); /* the rest, what it waited for, or its end */
}

/* He may be answered after he has shut his side: `nc -N`. */
static bool is_owed(const struct conn *c)
{
    return c->call != CALL_NONE ||
           (c->peer != 0 && hub_owes(c->daemon->hub, c->peer));
}

/* Whether he has enough to read before he says more. */
static bool is_full(const struct conn *c)
{
    return c->out_bytes + c->written_bytes > OUT_PAUSE_BYTES;
}

/* Drops what of the output has been written: BYTES of it. */
static void written(struct conn *c, size_t bytes)
{
    size_t n = 0;

    c->out_bytes -= bytes;
    for (; n < c->out_count && bytes >= c->outs[n].bytes.len; n++) {
        bytes -= c->outs[n].bytes.len;
        c->outs[n].drop(c->outs[n].whose);
    }
    c->out_count -= n;
    memmove(c->outs, c->outs + n, c->out_count * sizeof(*c->outs));
    if (c->out_count > 0) {
        c->outs[0].bytes.data += bytes;
        c->outs[0].bytes.len -= bytes;
    }
}

/* Writes what the socket takes at once, which nearly always is all. */
static int write_now(struct conn *c)
{
    bool full = is_full(c);
    ssize_t n = 1;
    int fd;

    if (c->out_count > 0 && uv_fileno(&c->uv.handle, &fd) < 0)
        return -EBADF;
    while (c->out_count > 0 && n > 0) {
        n = outs_write(fd, c->outs, c->out_count);
        if (n < 0 && n != -EAGAIN)
            return (int)n;
        if (n > 0)
            written(c, (size_t)n);
    }
    if (full && !is_full(c))
        mark_dirty(c); /* he is listened to again */
    return 0;
}

/* What is queued is being written from now on. */
static void begin_writing(struct conn *c)
{
    c->written = c->outs;
    c->written_count = c->out_count;
    c->written_bytes = c->out_bytes;
    c->outs = NULL;
    c->out_count = c->out_cap = c->out_bytes = 0;
    c->writing = true;
}

/* What was being written is queued again, before the rest. */
static void end_writing(struct conn *c)
{
    size_t count = c->written_count + c->out_count;
    struct out *all = realloc(c->written, count * sizeof(*all));

    ASSERT(all != NULL);
    if (c->out_count > 0)
        memcpy(all + c->written_count, c->outs, c->out_count * sizeof(*all));
    free(c->outs);
    c->outs = all;
    c->out_count = c->out_cap = count;
    c->out_bytes += c->written_bytes;
    c->written = NULL;
    c->written_count = c->written_bytes = 0;
    c->writing = false;
}

/* Has the rest written when the socket takes it. */
static int write_later(struct conn *c)
{
    uv_buf_t *list = calloc(c->out_count, sizeof(*list));

    ASSERT(list != NULL);
    for (size_t i = 0; i < c->out_count; i++)
        list[i] = uv_buf_init((char *)(uintptr_t)c->outs[i].bytes.data,
                              (unsigned)c->outs[i].bytes.len);
    begin_writing(c);
    c->write.data = c;
    int status = uv_write(&c->write, &c->uv.stream, list,
                          (unsigned)c->written_count, on_written);
    free(list);
    if (status == 0)
        return 0;
    c->writing = false;
    free_outs(c->written, c->written_count);
    c->written = NULL;
    c->written_count = c->written_bytes = 0;
    return status;
}

/* Has the sender write what is queued, if many are written to this turn.
 * Nothing else touches what it reads meanwhile: a parcel got its frame's
 * header for all who hear it before any of them is written to. */
static bool lend(struct conn *c)
{
    struct daemon *d = c->daemon;
    int fd;

    if (!d->many || c->out_count == 0 || uv_fileno(&c->uv.handle, &fd) < 0)
        return false;
    c->sending = (struct sending){
        .fd = fd,
        .outs = c->outs,
        .count = c->out_count,
    };
    c->lent = true;
    begin_writing(c);
    sender_take(d->sender, &c->sending);
    return true;
}

void conn_sent(struct sending *s)
{
    struct conn *c = (struct conn *)((char *)s -
                                     offsetof(struct conn, sending));
    size_t lent = c->written_bytes, taken = 0;
    bool full = is_full(c);

    c->lent = false;
    end_writing(c);
    if (c->state == CONN_CLOSED) {
        close_socket(c);
        return;
    }
    if (s->result > 0)
        taken = (size_t)s->result;
    written(c, taken);
    if ((s->result < 0 && s->result != -EAGAIN) ||
        (taken < lent && write_later(c) < 0))
        conn_close(c, false);
    else if (c->out_count > 0 || full || c->heard_all || c->state != CONN_OPEN)
        mark_dirty(c);
}

void conn_flush(struct conn *c)
{
    if (c->dropped != 0)
        conn_drop(c, (enum drop_reason)(c->dropped - 1));
    conn_go_on(c);
    if (c->state == CONN_OPEN && c->heard_all && !is_owed(c))
        conn_close(c, true);
    if (c->state == CONN_CLOSED || c->writing || lend(c))
        return;
    int status = write_now(c);
    if (status == 0 && c->out_count > 0)
        status = write_later(c);
    if (status < 0)
        conn_close(c, false);
    else if (c->state == CONN_DRAINING && !c->writing)
        hang_up(c);
}

/* ---- the hub's side ----------------------------------------------------- */

void conn_join(struct conn *c, const struct peer_info *info)
{
    c->peer = ++c->daemon->last_peer;
    map_put(&c->daemon->peers, c->peer, c);
    hub_open(c->daemon->hub, c->peer, info, daemon_now());
}

void conn_leave(struct conn *c)
{
    struct daemon *d = c->daemon;
    peer_id peer = c->peer;

    if (peer == 0)
        return;
    c->peer = 0;
    map_take(&d->peers, peer);
    /* The hub may be in the midst of writing to him. */
    if (d->leaving_count == d->leaving_cap) {
        d->leaving_cap = d->leaving_cap ? 2 * d->leaving_cap : 64;
        d->leaving = realloc(d->leaving, d->leaving_cap * sizeof(peer));
        ASSERT(d->leaving != NULL);
    }
    d->leaving[d->leaving_count++] = peer;
}

/* ---- input --------------------------------------------------------------- */

static void pause_reading(struct conn *c)
{
    if (c->reading)
        uv_read_stop(&c->uv.stream);
    c->reading = false;
}

static void hand_on(struct conn *c, const void *text, size_t len)
{
    c->since_ms = c->heard_ms;
    if (c->peer != 0)
        hub_message(c->daemon->hub, c->peer, text, len, daemon_now());
}

/* Each looks at input until there is no more, or something has to be waited
 * for; false if that is so. */
static bool take_lines(struct conn *c, struct bytes_in *in)
{
    struct bytes line;

    switch (lines_read(&c->lines, in, &line)) {
    case LINES_MORE: return true;
    case LINES_LINE: hand_on(c, line.data, line.len); return true;
    case LINES_TOO_LONG: {
        static const char text[] =
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"
            "\"message\":\"The line is too long.\",\"data\":{\"reason\":"
            "\"invalid_request\",\"expected\":\"at most 65536 bytes\"}}}\n";
        conn_write(c, text, sizeof(text) - 1);
        conn_close(c, true);
        return false;
    }
    case LINES_HTTP: conn_close(c, false); return false;
    }
    return false;
}

static bool take_ws(struct conn *c, struct bytes_in *in)
{
    struct ws_kit *kit = &c->daemon->kit;
    struct ws_message m;
    enum ws_event event = ws_read(&c->ws, kit, in, c->heard_ms, &m);

    switch (event) {
    case WS_MORE: return true;
    case WS_TEXT:
    case WS_BINARY:
        if (c->kind == CONN_WS) {
            hand_on(c, m.bytes.data, m.bytes.len);
        } else {
            struct ws_post *post = ws_post_new(event == WS_BINARY
                                                   ? WS_OPCODE_BINARY
                                                   : WS_OPCODE_TEXT,
                                               m.bytes.data, m.bytes.len);
            c->since_ms = c->heard_ms;
            add_out(c, ws_post_frame(post, kit, &c->ws), post, drop_post);
        }
        return true;
    case WS_PONG: c->pinged = false; return true;
    case WS_REPLY: conn_write(c, m.bytes.data, m.bytes.len); return true;
    case WS_END:
        conn_write(c, m.bytes.data, m.bytes.len);
        conn_close(c, true);
        return false;
    }
    return false;
}

static bool take_http(struct conn *c, struct bytes_in *in)
{
    if (c->call != CALL_NONE)
        return false; /* one at a time */
    switch (http_read(&c->http, in)) {
    case HTTP_WANTS_MORE: return true;
    case HTTP_WANTS_CONTINUE:
        conn_write(c, HTTP_CONTINUE, sizeof(HTTP_CONTINUE) - 1);
        return true;
    case HTTP_HAS_REQUEST:
    case HTTP_HAS_UPGRADE:
        c->since_ms = c->heard_ms;
        serve_request(c);
        return c->state == CONN_OPEN;
    case HTTP_REFUSES: serve_refusal(c, c->http.status); return false;
    }
    return false;
}

static bool take_one(struct conn *c, struct bytes_in *in)
{
    switch (c->kind) {
    case CONN_LINES: return take_lines(c, in);
    case CONN_HTTP: return take_http(c, in);
    case CONN_WS:
    case CONN_ECHO: return take_ws(c, in);
    }
    return false;
}

static void take(struct conn *c, struct bytes_in *in)
{
    while (c->state == CONN_OPEN && in->len > 0 && !is_full(c))
        if (!take_one(c, in))
            break;
}

static void alloc(uv_handle_t *handle, size_t wanted, uv_buf_t *buf)
{
    static char room[READ_BYTES]; /* one loop, one read at a time */
    (void)handle, (void)wanted;
    *buf = uv_buf_init(room, sizeof(room));
}

/* Keeps what was not looked at. */
static void keep_left(struct conn *c, const struct bytes_in *in)
{
    if (in->len == 0 || c->state != CONN_OPEN)
        return;
    uint8_t *copy = malloc(in->len);
    ASSERT(copy != NULL);
    memcpy(copy, in->data, in->len);
    c->left = (struct bytes){copy, in->len};
    pause_reading(c);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct conn *c = stream->data;
    struct bytes_in in = {(uint8_t *)buf->base, count > 0 ? (size_t)count : 0};

    if (c->state == CONN_DRAINING) {
        c->passed_over += in.len;
        if (count < 0 || c->passed_over > LINGER_BYTES)
            conn_close(c, false);
        return;
    }
    if (count < 0) {
        c->heard_all = true;
        if (count == UV_EOF && (c->kind == CONN_LINES || c->kind == CONN_HTTP))
            conn_wait(c);
        else
            conn_close(c, false);
        return;
    }
    c->heard_ms = daemon_clock(c->daemon);
    take(c, &in);
    keep_left(c, &in);
    if (c->state == CONN_OPEN && is_full(c))
        pause_reading(c);
}

void conn_go_on(struct conn *c)
{
    if (c->state != CONN_OPEN || c->daemon->ending || is_full(c))
        return;
    serve_more(c);
    if (c->left.len > 0) {
        uint8_t *data = (uint8_t *)(uintptr_t)c->left.data;
        struct bytes_in in = {data, c->left.len};
        c->left = (struct bytes){NULL, 0};
        take(c, &in);
        keep_left(c, &in);
        free(data);
    }
    if (c->state == CONN_OPEN && c->left.len == 0 && !c->reading &&
        !c->heard_all && c->call == CALL_NONE && !is_full(c)) {
        c->reading = true;
        if (uv_read_start(&c->uv.stream, alloc, on_read) < 0)
            conn_close(c, false);
    }
}

void conn_wait(struct conn *c)
{
    mark_dirty(c); /* what is left is looked at when this turn ends */
}

/* ---- life --------------------------------------------------------------- */

struct conn *conn_new(struct daemon *d, enum conn_kind kind)
{
    struct conn *c = calloc(1, sizeof(*c));

    ASSERT(c != NULL);
    c->daemon = d;
    c->kind = kind;
    c->since_ms = c->heard_ms = c->taken_ms = daemon_clock(d);
    if (kind == CONN_LINES)
        lines_init(&c->lines);
    else
        http_init(&c->http);
    c->next = d->conns;
    if (d->conns != NULL)
        d->conns->before = c;
    d->conns = c;
    d->conn_count++;
    return c;
}

/* Takes C from the count of its address. */
static void count_less(struct conn *c)
{
    struct daemon *d = c->daemon;
    struct address *a = map_get(&d->addresses, c->info.source);

    if (c->counted && --a->conns == 0)
        free(map_take(&d->addresses, a->source));
    c->counted = false;
}

bool conn_count(struct conn *c, uint64_t source, bool direct)
{
    struct daemon *d = c->daemon;

    count_less(c);
    c->info.source = source;
    struct address *a = map_get(&d->addresses, source);
    if (a == NULL) {
        a = calloc(1, sizeof(*a));
        ASSERT(a != NULL);
        a->source = source;
        map_put(&d->addresses, source, a);
    }
    a->conns++;
    c->counted = true;
    if (direct && !d->config.limits_local)
        return true;
    return (int64_t)a->conns <= d->config.connections_address;
}

void conn_start(struct conn *c)
{
    c->uv.handle.data = c;
    if (c->kind == CONN_LINES)
        conn_join(c, &c->info);
    conn_go_on(c);
}

static void on_closed(uv_handle_t *handle)
{
    struct conn *c = handle->data;
    struct daemon *d = c->daemon;

    count_less(c);
    if (c->before != NULL)
        c->before->next = c->next;
    else
        d->conns = c->next;
    if (c->next != NULL)
        c->next->before = c->before;
    d->conn_count--;
    switch (c->kind) {
    case CONN_LINES: lines_done(&c->lines); break;
    case CONN_HTTP: http_done(&c->http); break;
    case CONN_WS:
    case CONN_ECHO: ws_done(&c->ws); break;
    }
    free_outs(c->outs, c->out_count);
    free_outs(c->written, c->written_count);
    free((void *)(uintptr_t)c->left.data);
    free(c->wanted);
    free(c->token);
    free(c);
}

static void close_socket(struct conn *c)
{
    uv_close(&c->uv.handle, on_closed);
}

static void close_now(struct conn *c)
{
    if (c->state == CONN_CLOSED)
        return;
    c->state = CONN_CLOSED;
    conn_leave(c);
    if (c->dirty) {
        struct conn **at = &c->daemon->dirty;
        while (*at != c)
            at = &(*at)->dirty_next;
        *at = c->dirty_next;
        c->dirty = false;
        c->daemon->dirty_count--;
    }
    if (!c->lent) /* else the sender might write to whoever comes next */
        close_socket(c);
}

static void hang_up(struct conn *c)
{
    if (c->shut)
        return;
    c->shut = true;
    c->since_ms = daemon_clock(c->daemon);
    if (c->heard_all || uv_shutdown(&c->shutdown, &c->uv.stream, NULL) < 0 ||
        uv_read_start(&c->uv.stream, alloc, on_read) < 0)
        close_now(c);
}

void conn_close(struct conn *c, bool flush)
{
    if (c->state == CONN_CLOSED)
        return;
    pause_reading(c);
    if (!flush) {
        close_now(c);
        return;
    }
    if (c->state == CONN_DRAINING)
        return;
    c->state = CONN_DRAINING;
    conn_leave(c);
    mark_dirty(c);
}

void conn_drop(struct conn *c, enum drop_reason reason)
{
    static const enum ws_code codes[] = {
        [DROP_SHUTDOWN] = WS_GOING_AWAY,
        [DROP_POLICY] = WS_POLICY,
        [DROP_OVERLOAD] = WS_TRY_LATER,
    };

    if (c->state != CONN_OPEN)
        return;
    if (c->kind == CONN_WS || c->kind == CONN_ECHO) {
        struct bytes bytes = ws_close(&c->ws, &c->daemon->kit, codes[reason],
                                      NULL);
        conn_write(c, bytes.data, bytes.len);
    }
    conn_close(c, true);
}

/* Whether something has begun that its sender should end soon. */
static bool is_pending(const struct conn *c)
{
    switch (c->kind) {
    case CONN_LINES: return lines_pending(&c->lines) > 0;
    case CONN_HTTP: return c->call == CALL_NONE && http_pending(&c->http);
    case CONN_WS:
    case CONN_ECHO: return ws_pending(&c->ws);
    }
    return false;
}

static void tick_ws(struct conn *c, int64_t now_ms)
{
    if (now_ms - c->heard_ms > DEAD_MS) {
        conn_close(c, false);
    } else if (now_ms - c->heard_ms > QUIET_MS && !c->pinged) {
        struct bytes ping = ws_ping(&c->ws, &c->daemon->kit, NULL, 0);
        c->pinged = true;
        conn_write(c, ping.data, ping.len);
    }
}

/* How long it has not taken any of its output. */
static int64_t stalled_ms(struct conn *c, int64_t now_ms)
{
    size_t queued = uv_stream_get_write_queue_size(&c->uv.stream);

    if (!c->writing || queued != c->queued)
        c->taken_ms = now_ms;
    c->queued = queued;
    return now_ms - c->taken_ms;
}

static void tick_draining(struct conn *c, int64_t now_ms)
{
    if (c->shut ? now_ms - c->since_ms > LINGER_MS
                : stalled_ms(c, now_ms) > DRAIN_MS)
        conn_close(c, false);
}

void conn_tick(struct conn *c, int64_t now_ms)
{
    if (c->state == CONN_DRAINING)
        tick_draining(c, now_ms);
    if (c->state != CONN_OPEN)
        return;
    if (stalled_ms(c, now_ms) > STALL_MS) {
        cut(c);
        return;
    }
    if (!is_pending(c))
        c->since_ms = now_ms;
    else if (now_ms - c->since_ms > HEAD_MS) {
        if (c->kind == CONN_HTTP)
            serve_refusal(c, 408);
        else
            conn_close(c, false);
        return;
    }
    if (c->kind == CONN_WS || c->kind == CONN_ECHO)
        tick_ws(c, now_ms);
    else if (c->kind == CONN_HTTP && c->call == CALL_NONE &&
             now_ms - c->heard_ms > KEEP_ALIVE_MS)
        conn_close(c, false);
}
