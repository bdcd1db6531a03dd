/* conn.c -- one connection.
 *
 *     http -> (101) -> ws          open -> draining -> closed
 *     lines
 *
 * draining: what is queued goes out, then our side is shut, and what still
 * comes is passed over until the other side goes as well.  To close at once
 * would have the system send a reset, which overtakes our last words.
 *
 *     conn_in.c   what comes, step by step
 *     conn_out.c  what goes
 *     conn.c      beginning, time and end
 */

#include <stdlib.h>

#include "core/base.h"
#include "conn_inner.h"
#include "server/hub/limits.h"

#define DRAIN_MS  5000 /* without taking any output, while draining */
#define LINGER_MS 1000 /* for them to go as well */
#define WAITED_MS 100  /* for us: else it is they who are slow */

int64_t conn_clock(const struct conn *c)
{
    return daemon_clock(c->daemon);
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
    /* The hub may be in the midst of writing to them. */
    if (d->leaving_count == d->leaving_cap) {
        d->leaving_cap = d->leaving_cap ? 2 * d->leaving_cap : 64;
        d->leaving = realloc(d->leaving, d->leaving_cap * sizeof(peer));
        ASSERT(d->leaving != NULL);
    }
    d->leaving[d->leaving_count++] = peer;
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
              conn_clock(c));
}

void conn_stand_alone(struct conn *c)
{
    if (c->proxy)
        fair_join(&c->daemon->fair, &c->member, 0, false, conn_clock(c));
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
    conn_go_on(c);
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
    conn_free_outs(c->outs, c->out_count);
    conn_free_outs(c->written, c->written_count);
    conn_drop_input(c);
    free(c->wanted);
    free(c);
}

void conn_close_socket(struct conn *c)
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
    conn_unwait(c);
    if (!c->lent) /* else the sender might write to whoever comes next */
        conn_close_socket(c);
}

void conn_hang_up(struct conn *c)
{
    if (c->shut)
        return;
    c->shut = true;
    c->since_ms = daemon_clock(c->daemon);
    if (c->heard_all || uv_shutdown(&c->shutdown, &c->uv.stream, NULL) < 0 ||
        !conn_read(c))
        close_now(c);
}

void conn_close(struct conn *c, bool flush)
{
    if (c->state == CONN_CLOSED)
        return;
    conn_pause(c);
    if (!flush) {
        close_now(c);
        return;
    }
    if (c->state == CONN_DRAINING)
        return;
    c->state = CONN_DRAINING;
    conn_leave(c);
    conn_count_asked(c);
    conn_wait(c);
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

/* How long half a request, a line or a frame may wait for its other half. */
static int64_t slow_ms(const struct conn *c)
{
    return c->daemon->config.slow_seconds * 1000;
}

/* How long it may say nothing where it is to say something. */
static int64_t idle_ms(const struct conn *c)
{
    return c->daemon->config.idle_seconds * 1000;
}

/* Asks whether they are there while there is time for an answer that is late. */
static void tick_ws(struct conn *c, int64_t now_ms)
{
    if (now_ms - c->heard_ms > idle_ms(c)) {
        conn_close(c, false);
    } else if (now_ms - c->heard_ms > idle_ms(c) * 2 / 5 && !c->pinged) {
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

/* Whether it is we who are slow.  What came this moment has not waited yet: who
 * sends a byte now and then may not be believed to be quick for that. */
static bool waits_for_us(const struct conn *c, int64_t now_ms)
{
    return (c->in.len > 0 || c->readable || c->requested) &&
           now_ms - c->readable_ms >= WAITED_MS;
}

void conn_tick(struct conn *c, int64_t now_ms)
{
    if (c->state == CONN_DRAINING)
        tick_draining(c, now_ms);
    if (c->state != CONN_OPEN)
        return;
    if (stalled_ms(c, now_ms) > slow_ms(c) * 4 / 3) {
        conn_cut(c);
        return;
    }
    if (waits_for_us(c, now_ms))
        c->since_ms = c->heard_ms = now_ms;
    if (!is_pending(c))
        c->since_ms = now_ms;
    else if (now_ms - c->since_ms > slow_ms(c)) {
        if (c->kind == CONN_HTTP)
            serve_refusal(c, 408);
        else
            conn_close(c, false);
        return;
    }
    if (c->kind == CONN_WS || c->kind == CONN_ECHO)
        tick_ws(c, now_ms);
    else if (c->kind == CONN_HTTP && c->call == CALL_NONE &&
             now_ms - c->heard_ms > idle_ms(c))
        conn_close(c, false);
}
