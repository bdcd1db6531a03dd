/* conn.c -- one connection.
 *
 *     http -> (101) -> ws          open -> draining -> closed
 *     lines
 *
 * draining: what is queued goes out, then our side is shut, and what still
 * comes is passed over until the other side goes as well.  To close at once
 * would have the system send a reset, which overtakes our last words.
 *
 * What comes is kept and gets in line (fair.h); when its turn comes a step of it
 * is worked on.  Until all of it is, whatever it waits for (its turn, a rest, an
 * answer of the hub), no more is read.
 * Output is queued and written at the end of the turn.  Who does not take his
 * output is first no longer read from, then cut. */

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "daemon.h"
#include "log.h"
#include "server/hub/limits.h"

#define READ_BYTES      16384
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
#define LINGER_BYTES  262144

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
    mark_dirty(c); /* a request less is under way, perhaps */
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
    if (parcel->answer) /* what others do is not at the cost of who hears it */
        conn_charge(c, parcel->len / (squeeze ? 2 : 16));
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
static void go_on(struct conn *c);
static void look_again(struct conn *c);
static void weigh(struct conn *c);

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
           (c->peer != 0 && hub_owes(c->daemon->hub, c->peer) > 0);
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

/* What is not lent is written by the loop. */
static void write_out(struct conn *c)
{
    int status = write_now(c);

    if (status == 0 && c->out_count > 0)
        status = write_later(c);
    if (status < 0)
        conn_close(c, false);
    else if (c->state == CONN_DRAINING && !c->writing)
        hang_up(c);
}

void conn_flush(struct conn *c)
{
    if (c->dropped != 0)
        conn_drop(c, (enum drop_reason)(c->dropped - 1));
    look_again(c);
    if (c->state == CONN_OPEN && c->heard_all && !is_owed(c))
        conn_close(c, true);
    if (c->state != CONN_CLOSED && !c->writing && !lend(c))
        write_out(c);
    weigh(c);
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

static int64_t clock_of(const struct conn *c)
{
    return daemon_clock(c->daemon);
}

static void pause_reading(struct conn *c)
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
    struct ws_post *post = ws_post_new(opcode, bytes.data, bytes.len);

    c->since_ms = c->heard_ms;
    conn_charge(c, LIMIT_INPUT_MESSAGE);
    add_out(c, ws_post_frame(post, &c->daemon->kit, &c->ws), post, drop_post);
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
    if (c->state != CONN_OPEN || is_full(c))
        return false;
    return c->requested || (c->in.len > 0 && c->call == CALL_NONE);
}

static void drop_input(struct conn *c)
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

/* Of those for whom most waits some go, many at once so that it is seldom. */
static void make_room(struct daemon *d)
{
    struct conn *next, *c = d->conns;

    for (; c != NULL && d->fair.held > LIMIT_HELD / 8 * 7; c = next) {
        next = c->next;
        if (c->state == CONN_CLOSED || !fair_hoards(&d->fair, &c->member))
            continue;
        d->crowded_out++;
        log_line(LOG_INFO, log_event("crowded_out"),
                 log_number("conn", (int64_t)c->peer));
        conn_close(c, false);
    }
}

static void weigh(struct conn *c)
{
    struct daemon *d = c->daemon;

    if (c->state == CONN_CLOSED)
        return;
    fair_hold(&d->fair, &c->member, held(c));
    while (d->fair.held > LIMIT_HELD)
        make_room(d);
}

void conn_charge(struct conn *c, size_t bytes)
{
    fair_charge(&c->member, bytes, clock_of(c));
}

/* The hub answered, or has something more to answer. */
static void count_asked(struct conn *c)
{
    size_t count = c->peer != 0 ? hub_owes(c->daemon->hub, c->peer) : 0;
    fair_asked(&c->daemon->fair, &c->member, count, clock_of(c));
}

void conn_step(struct conn *c)
{
    struct bytes_in in = c->in;

    if (!has_step(c))
        return;
    if (c->requested) {
        c->requested = false;
        conn_charge(c, LIMIT_INPUT_MESSAGE);
        serve_request(c);
    } else if (c->kind == CONN_HTTP) {
        take_http(c, &in);
    } else if (c->kind == CONN_LINES) {
        take_lines(c, &in);
    } else {
        take_ws(c, &in);
    }
    conn_charge(c, c->in.len - in.len);
    c->in = in;
    if (in.len == 0 || c->state != CONN_OPEN)
        drop_input(c);
    if (c->state == CONN_CLOSED)
        return;
    count_asked(c);
    weigh(c);
    go_on(c);
}

static void alloc(uv_handle_t *handle, size_t wanted, uv_buf_t *buf)
{
    static char room[READ_BYTES]; /* one loop, one read at a time */
    struct conn *c = handle->data;
    (void)wanted;
    bool listens = c->state != CONN_OPEN ||
                   (c->in.len == 0 && !c->requested && !is_full(c));
    bool first = c->read_turn != c->daemon->turn_number;
    *buf = uv_buf_init(room, listens && first ? sizeof(room) : 0);
}

/* Puts what came in line. */
static void keep(struct conn *c, const char *data, size_t len)
{
    ASSERT(c->in_room == NULL);
    c->in_room = malloc(len);
    ASSERT(c->in_room != NULL);
    memcpy(c->in_room, data, len);
    c->in_cap = len;
    c->in = (struct bytes_in){c->in_room, len};
    conn_charge(c, LIMIT_INPUT_READ);
    weigh(c);
    go_on(c);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct conn *c = stream->data;

    if (count == UV_ENOBUFS) { /* alloc() gave no room: not now */
        if (c->state == CONN_OPEN)
            pause_reading(c);
        return;
    }
    if (count > 0)
        c->read_turn = c->daemon->turn_number;
    if (c->state == CONN_DRAINING) {
        c->passed_over += count > 0 ? (size_t)count : 0;
        if (count < 0 || c->passed_over > LINGER_BYTES)
            conn_close(c, false);
    } else if (count < 0) {
        c->heard_all = true;
        if (count == UV_EOF && (c->kind == CONN_LINES || c->kind == CONN_HTTP))
            conn_wait(c);
        else
            conn_close(c, false);
    } else if (count > 0) {
        c->heard_ms = clock_of(c);
        keep(c, buf->base, (size_t)count);
    }
}

/* Gets in line if there is something to be worked on, and is read from if
 * there is not. */
static void go_on(struct conn *c)
{
    if (c->state != CONN_OPEN)
        return;
    if (has_step(c)) {
        fair_want(&c->daemon->fair, &c->member, clock_of(c));
    } else if (!c->reading && c->in.len == 0 && !c->heard_all &&
               c->call == CALL_NONE && !is_full(c) && !c->daemon->ending) {
        c->reading = true;
        if (uv_read_start(&c->uv.stream, alloc, on_read) < 0)
            conn_close(c, false);
    }
}

static void look_again(struct conn *c)
{
    if (c->state != CONN_OPEN)
        return;
    count_asked(c);
    if (!c->daemon->ending && !is_full(c))
        serve_more(c);
    go_on(c);
}

void conn_wait(struct conn *c)
{
    mark_dirty(c);
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

static void count_less(struct conn *c)
{
    if (c->counted != NULL)
        c->counted->conns--;
    c->counted = NULL;
}

/* Whose allowance C has: of the administrator, or of who is near and trusted,
 * none has to be. */
static bool is_limited(const struct conn *c, bool direct)
{
    return !c->info.admin && (!direct || c->daemon->config.limits_local);
}

void conn_stand(struct conn *c, uint64_t source, bool direct)
{
    fair_join(&c->daemon->fair, &c->member, source, is_limited(c, direct),
              clock_of(c));
}

void conn_stand_alone(struct conn *c)
{
    if (c->proxy)
        fair_join(&c->daemon->fair, &c->member, 0, false, clock_of(c));
    else
        conn_stand(c, c->info.source, c->info.direct);
}

bool conn_count(struct conn *c, uint64_t source, bool direct)
{
    count_less(c);
    c->info.source = source;
    conn_stand(c, source, direct);
    c->counted = c->member.flow;
    conn_charge(c, LIMIT_INPUT_CONNECTION);
    size_t conns = ++c->counted->conns;
    return (direct && !c->daemon->config.limits_local) ||
           (int64_t)conns <= c->daemon->config.connections_address;
}

void conn_start(struct conn *c)
{
    c->uv.handle.data = c;
    conn_stand_alone(c);
    if (c->kind == CONN_LINES)
        conn_join(c, &c->info);
    go_on(c);
}

static void on_closed(uv_handle_t *handle)
{
    struct conn *c = handle->data;
    struct daemon *d = c->daemon;

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
    drop_input(c);
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
    count_less(c);
    c->daemon->proxied -= c->proxy;
    fair_leave(&c->daemon->fair, &c->member);
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
    count_asked(c);
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
    if (c->in.len > 0 || c->requested) /* it is we who are slow */
        c->since_ms = c->heard_ms = now_ms;
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
