/* host.c -- the world as the hub knows it (hub/host.h): the send queue, the
 * store, passwords, chance, the log.
 *
 * A message waits in the send queue for its transaction.  When the store says
 * the transaction is on the disk, its messages go to their connections, and
 * then the hub hears of it. */

#include <sodium.h>
#include <stdlib.h>

#include "core/base.h"
#include "daemon.h"
#include "log.h"
#include "webpush.h"

#define TRANSACTIONS_PUT_MIN 32

static struct daemon *daemon_of(struct host *host)
{
    return (struct daemon *)host;
}

static void deliver(struct daemon *d, peer_id peer, struct message *message)
{
    struct conn *c = map_get(&d->peers, peer);
    if (c != NULL)
        conn_send(c, message);
}

static void host_send(struct host *host, peer_id peer, struct message *message,
                      transaction_id transaction)
{
    struct daemon *d = daemon_of(host);

    if (transaction == 0) {
        deliver(d, peer, message);
        return;
    }
    struct queued_message *w = malloc(sizeof(*w));
    ASSERT(w != NULL);
    *w = (struct queued_message){NULL, transaction, peer,
                                 message_ref(message)};
    *d->send_queue_end = w;
    d->send_queue_end = &w->next;
}

void host_release(struct daemon *d, transaction_id transaction, bool stored)
{
    while (d->send_queue != NULL &&
           d->send_queue->transaction <= transaction) {
        struct queued_message *w = d->send_queue;
        d->send_queue = w->next;
        if (d->send_queue == NULL)
            d->send_queue_end = &d->send_queue;
        if (stored)
            deliver(d, w->peer, w->message);
        message_unref(w->message);
        free(w);
    }
}

static void host_drop(struct host *host, peer_id peer, enum drop_reason reason)
{
    struct conn *c = map_get(&daemon_of(host)->peers, peer);

    /* The hub is in the midst of something: it hears of it next turn. */
    if (c != NULL) {
        c->dropped = 1 + (int)reason;
        conn_wait(c);
    }
}

static void host_random(struct host *host, void *buf, size_t len)
{
    (void)host;
    randombytes_buf(buf, len);
}

static void host_store(struct host *host, transaction_id id,
                       struct transaction *transaction)
{
    struct daemon *d = daemon_of(host);

    /* Transactions of one turn share a commit, and cost the less the more they
     * are; but the writer is not to wait while there is work for both, nor for
     * the last of all that can come. */
    store_queue(d->store, id, transaction);
    d->under_way++;
    if (++d->unsubmitted >= TRANSACTIONS_PUT_MIN &&
        d->unsubmitted >= d->under_way / 4) {
        store_go(d->store);
        d->unsubmitted = 0;
    }
}

static void host_ask(struct host *host, ask_id id, const struct question *q)
{
    struct daemon *d = daemon_of(host);

    store_ask(d->store, id, q);
    if (d->questions++ == 0)
        d->answered_ms = daemon_clock(d);
}

static bool host_hash(struct host *host, ask_id id, enum hash_kind kind,
                      uint64_t source, const char *password, size_t len,
                      const char *against)
{
    return hasher_add(daemon_of(host)->hasher, id, kind, source, password, len,
                      against);
}

static void host_deliver(struct host *host, ask_id id,
                         const struct delivery *delivery)
{
    courier_add(daemon_of(host)->courier, id, delivery);
}

static void host_push_key(struct host *host, const char *secret,
                          char ret[PUSH_KEY_SIZE])
{
    (void)host;
    webpush_key(secret, ret);
}

static void host_operate(struct host *host, ask_id id,
                         enum operation_kind kind, const char *text)
{
    operate(daemon_of(host), id, kind, text);
}

static bool host_zone(struct host *host, const char *name, int64_t from_ms,
                      struct hours_offsets *ret)
{
    return zones_offsets(daemon_of(host)->zones, name, from_ms, ret);
}

static void host_log(struct host *host, enum host_level level,
                     const struct log_field *fields, size_t count)
{
    (void)host;
    log_write(level, fields, count);
}

void host_init(struct daemon *d)
{
    d->send_queue_end = &d->send_queue;
    d->host = (struct host){
        .send = host_send,
        .drop = host_drop,
        .random = host_random,
        .store = host_store,
        .ask = host_ask,
        .hash = host_hash,
        .deliver = host_deliver,
        .push_key = host_push_key,
        .operate = host_operate,
        .zone = host_zone,
        .log = host_log,
    };
}
