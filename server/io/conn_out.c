/* conn_out.c -- what goes to a connection.
 *
 * Output is queued and written at the end of the turn, or of one of the next.
 * Who does not take it is first no longer read from, then cut. */

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "conn_inner.h"
#include "log.h"

#define OUT_PAUSE_BYTES (256 * 1024) /* they are not listened to any more */
/* They are cut.  Answers that were under way when they were paused must fit: a
 * client that pipelines and reads shall not be punished for it. */
#define OUT_CUT_BYTES (16 * 1048576)

/* ---- the queue ---------------------------------------------------------- */

void conn_wait(struct conn *c)
{
    struct daemon *d = c->daemon;

    if (c->dirty)
        return;
    c->dirty = true;
    c->dirty_level = daemon_all_near(d)
                         ? 0
                         : fair_level(&c->member, conn_clock(c));
    TAILQ_INSERT_TAIL(&d->dirty[c->dirty_level], c, dirty_next);
    d->dirty_count++;
}

void conn_unwait(struct conn *c)
{
    struct daemon *d = c->daemon;

    if (!c->dirty)
        return;
    c->dirty = false;
    TAILQ_REMOVE(&d->dirty[c->dirty_level], c, dirty_next);
    d->dirty_count--;
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
    conn_wait(c);
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

static void drop_outgoing(void *outgoing)
{
    ws_outgoing_unref(outgoing);
}

void conn_send_ws(struct conn *c, struct ws_outgoing *outgoing)
{
    add_out(c, ws_outgoing_frame(outgoing, &c->daemon->kit, &c->ws), outgoing,
            drop_outgoing);
}

static void drop_message(void *message)
{
    message_unref(message);
}

/* The message's text as a frame for connections that agreed to compression. */
static struct bytes squeezed(struct conn *c, struct message *message)
{
    if (message->made == NULL) {
        message->made = ws_outgoing_new(WS_OPCODE_TEXT, message->text,
                                        message->len);
        message->unmake = drop_outgoing;
    }
    return ws_outgoing_frame(message->made, &c->daemon->kit, &c->ws);
}

/* The same where it lies, as a frame or a line for any number of others. */
static struct bytes plain(struct message *message)
{
    uint8_t *text = (uint8_t *)message->text;
    size_t n = ws_header(text, WS_OPCODE_TEXT, message->len);

    return (struct bytes){text - n, n + message->len};
}

static struct bytes line(struct message *message)
{
    message->text[message->len] = '\n';
    return (struct bytes){(uint8_t *)message->text, message->len + 1};
}

_Static_assert(MESSAGE_ROOM >= WS_HEADER_BYTES_MAX &&
                   offsetof(struct message, text) ==
                       offsetof(struct message, room) + MESSAGE_ROOM,
               "a frame's header has room before the text");

void conn_cut(struct conn *c)
{
    c->daemon->cut++;
    log_line(LOG_INFO, log_event("slow_consumer_cut"),
             log_number("conn", (int64_t)c->peer));
    conn_close(c, false);
}

void conn_send(struct conn *c, struct message *message)
{
    if (c->state != CONN_OPEN)
        return;
    conn_wait(c); /* a request less is under way, perhaps */
    if (c->kind == CONN_HTTP) {
        serve_heard(c, message);
        return;
    }
    if (c->to_come > 0) { /* to the token it came with, which said no more */
        c->to_come--;
        return;
    }
    bool squeeze = c->kind == CONN_WS && c->ws.deflate &&
                   message->len >= WS_DEFLATE_BYTES_MIN;
    struct bytes bytes = c->kind == CONN_LINES ? line(message)
                         : squeeze             ? squeezed(c, message)
                                               : plain(message);
    add_out(c, bytes, message_ref(message), drop_message);
    /* What others do is not at the cost of who hears it. */
    if (message->answer)
        conn_charge(c, message->len / (squeeze ? 2 : 16));
    if (c->out_bytes + c->written_bytes > OUT_CUT_BYTES)
        conn_cut(c);
}

void conn_free_outs(struct out *outs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        outs[i].drop(outs[i].whose);
    free(outs);
}

static void on_written(uv_write_t *write, int status)
{
    struct conn *c = write->data;

    conn_free_outs(c->written, c->written_count);
    c->written = NULL;
    c->written_count = c->written_bytes = 0;
    c->writing = false;
    if (c->state == CONN_CLOSED)
        return;
    if (status < 0) {
        conn_close(c, false);
        return;
    }
    conn_wait(c); /* the rest, what it waited for, or its end */
}

/* They may be answered after they have shut their side: `nc -N`. */
static bool is_owed(const struct conn *c)
{
    return c->call != CALL_NONE ||
           (c->peer != 0 && hub_owes(c->daemon->hub, c->peer) > 0);
}

bool conn_is_full(const struct conn *c)
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
    bool full = conn_is_full(c);
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
    if (full && !conn_is_full(c))
        conn_wait(c); /* they are listened to again */
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
    conn_free_outs(c->written, c->written_count);
    c->written = NULL;
    c->written_count = c->written_bytes = 0;
    return status;
}

/* Has the sender write what is queued, if many are written to this turn.
 * Nothing else touches what it reads meanwhile: a message got its frame's
 * header for all who hear it before any of them is written to. */
static bool lend(struct conn *c)
{
    struct daemon *d = c->daemon;
    int fd;

    if (!d->many || c->out_count == 0 || uv_fileno(&c->uv.handle, &fd) < 0)
        return false;
    c->socket_write = (struct socket_write){
        .fd = fd,
        .outs = c->outs,
        .count = c->out_count,
    };
    c->lent = true;
    begin_writing(c);
    sender_take(d->sender, &c->socket_write);
    return true;
}

void conn_sent(struct socket_write *s)
{
    struct conn *c = (struct conn *)((char *)s -
                                     offsetof(struct conn, socket_write));
    size_t lent = c->written_bytes, taken = 0;
    bool full = conn_is_full(c);

    c->lent = false;
    end_writing(c);
    if (c->state == CONN_CLOSED) {
        conn_close_socket(c);
        return;
    }
    if (s->result > 0)
        taken = (size_t)s->result;
    written(c, taken);
    if ((s->result < 0 && s->result != -EAGAIN) ||
        (taken < lent && write_later(c) < 0))
        conn_close(c, false);
    else if (c->out_count > 0 || full || c->heard_all || c->state != CONN_OPEN)
        conn_wait(c);
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
        conn_hang_up(c);
}

void conn_flush(struct conn *c)
{
    conn_unwait(c);
    if (c->dropped != 0)
        conn_drop(c, (enum drop_reason)(c->dropped - 1));
    conn_look_again(c);
    if (c->state == CONN_OPEN && c->heard_all && !is_owed(c))
        conn_close(c, true);
    if (c->state != CONN_CLOSED && !c->writing && !lend(c))
        write_out(c);
    conn_weigh(c);
}
