/* pending.c -- what the host was asked for and has not done: on behalf of a
 * request or a table, and gone on with when it comes. */

#include <stdlib.h>

#include "inner.h"
#include "outbox.h"

static struct pending *pending_new(struct hub *hub, uint64_t id,
                                   struct request *q, struct table *t)
{
    struct pending *pending = calloc(1, sizeof(*pending));
    ASSERT(pending != NULL);
    pending->id = id;
    pending->request = q;
    pending->table = t;
    if (t != NULL) {
        ASSERT(t->busy == 0);
        t->busy = pending->id;
    }
    map_put(&hub->pending, pending->id, pending);
    return pending;
}

void hub_ask(struct hub *hub, struct request *q,
             const struct question *question, answered_cb then)
{
    q->answered = then;
    struct pending *pending = pending_new(hub, ++hub->last, q, q->table);
    hub->host->ask(hub->host, pending->id, question);
}

bool hub_hash(struct hub *hub, struct request *q, enum hash_kind kind,
              const char *password, const char *against, hashed_cb then)
{
    struct peer *p = peer_find(hub, q->peer);
    const json_t *text = password != NULL ? param(q, password) : NULL;

    q->hashed = then;
    struct pending *pending = pending_new(hub, ++hub->last, q, NULL);
    if (hub->host->hash(hub->host, pending->id, kind, p ? p->info.source : 0,
                        json_string_value(text), json_string_length(text),
                        against))
        return true;
    free(map_take(&hub->pending, pending->id));
    return false;
}

void hub_store(struct hub *hub, transaction_id id,
               struct transaction *transaction, struct table *t,
               struct table *opened, struct request *q,
               struct outbox_share outbox, stored_cb then)
{
    ASSERT(id > hub->stored); /* as host.h wants it */
    hub->stored = id;
    if (q != NULL)
        q->stored = then;
    struct pending *pending = pending_new(hub, id, q, t);
    pending->transaction = true;
    pending->opened = opened;
    if (opened != NULL)
        opened->busy = id;
    pending->outbox = outbox;
    hub->counts.transactions++;
    hub->host->store(hub->host, id, transaction);
}

static struct pending *pending_take(struct hub *hub, uint64_t id)
{
    struct pending *pending = map_take(&hub->pending, id);
    if (pending != NULL && pending->table != NULL) {
        ASSERT(pending->table->busy == id);
        pending->table->busy = 0;
    }
    if (pending != NULL && pending->opened != NULL)
        pending->opened->busy = 0;
    return pending;
}

/* What the store's readers had to do for an answer is the asker's, too. */
static void charge(struct hub *hub, const struct request *q,
                   const struct answer *answer)
{
    uint64_t spent = 0;
    rate_charge(hub, q->peer, &spent,
                answer->listed_count * LIMIT_LISTED_EFFORT +
                    answer->ply_count * LIMIT_PLY_EFFORT);
}

peer_id hub_asker(const struct hub *hub, ask_id ask)
{
    const struct pending *pending = map_get(&hub->pending, ask);

    if (pending == NULL)
        return 0;
    if (pending->request != NULL)
        return pending->request->peer;
    return pending->table != NULL ? load_asker(hub, pending->table) : 0;
}

void hub_answered(struct hub *hub, ask_id ask, struct answer *answer,
                  int64_t now_ms)
{
    struct pending *pending = pending_take(hub, ask);

    hub->now_ms = now_ms;
    ASSERT(pending != NULL && !pending->transaction);
    struct request *q = pending->request;
    struct table *t = pending->table;
    id_num id = t != NULL ? t->id : 0; /* T may go on the way */
    free(pending);
    if (q != NULL)
        charge(hub, q, answer);
    if (q == NULL)
        table_loaded(hub, t, answer);
    else if (answer->failed)
        refuse(hub, q, ERR_STORAGE_UNAVAILABLE);
    else
        q->answered(hub, q, answer);
    t = table_find(hub, id);
    if (t != NULL)
        table_go_on(hub, t);
}

void hub_hashed(struct hub *hub, ask_id ask, const char *hash, bool fits,
                int64_t now_ms)
{
    struct pending *pending = pending_take(hub, ask);

    hub->now_ms = now_ms;
    ASSERT(pending != NULL && pending->request != NULL);
    struct request *q = pending->request;
    free(pending);
    q->hashed(hub, q, hash, fits);
}

/* Somebody was faster: with the same key, or at a name. */
static void conflict_keyed(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    if (key_answered(hub, q, answer))
        return;
    refuse(hub, q,
           q->tries >= LIMIT_TRIES   ? ERR_CONTENDED
           : q->conflict != ERR_NONE ? q->conflict
                                     : ERR_STORAGE_UNAVAILABLE);
}

/* Q was stored nothing of, as OP did not find what it wants. */
static void conflicted(struct hub *hub, struct request *q, enum op_kind op)
{
    if (q == NULL)
        return;
    if (op == OP_LINK_USE) /* somebody else had its last use */
        q->conflict = ERR_LINK_USED;
    q->table = NULL; /* which loads itself anew */
    key_ask(hub, q, conflict_keyed);
}

/* Whether O says that T is not as Q found it, as somebody else has stored
 * something there: then Q is tried from its start once T is known, before all
 * others that wait for it. */
static bool tried_again(struct table *t, struct request *q,
                        const struct transaction_outcome *o)
{
    bool outdated = o->op == OP_PLIES || o->op == OP_TEXT ||
                    o->op == OP_REMATCH || o->op == OP_ORDER ||
                    o->op == OP_INVITE_DROP || o->op == OP_REQUIRE_APART;

    if (o->result != TRANSACTION_CONFLICT || !outdated || t == NULL ||
        q == NULL || (q->job == NULL && commands[q->method].at_table == NULL))
        return false;
    if (++q->tries == LIMIT_TRIES)
        return false;
    request_reset(q);
    queue_put_first(&t->queue, q);
    return true;
}

/* ADDED to table ID, or 0, is stored. */
static void table_stored(struct hub *hub, id_num id, struct added added)
{
    struct table *t = table_find(hub, id);

    hub->counts.plies += added.plies;
    hub->counts.moves += added.moves;
    if (t != NULL)
        bots_look(hub, t);
    if (t != NULL)
        table_go_on(hub, t);
}

/* ADDED to T, or NULL, was not stored, or nobody knows: what is in memory may be
 * ahead of what is stored, behind it, or both. */
static void table_failed(struct hub *hub, struct table *t, struct added added)
{
    if (t == NULL)
        return;
    t->lost = added.plies > 0;
    if (t->clocks != NULL)
        deadlines_lost(hub, t->id);
    if (t->lost)
        watch_failed(t);
    table_refetch(hub, t);
}

/* What the transaction under way adds to T, which is over; *RET_ID: T's id. */
static struct added take_added(struct table *t, id_num *ret_id)
{
    struct added added = {0};

    *ret_id = 0;
    if (t == NULL)
        return added;
    *ret_id = t->id;
    added = t->adding;
    t->adding = (struct added){0};
    return added;
}

void hub_stored(struct hub *hub, transaction_id transaction,
                const struct transaction_outcome *o, int64_t now_ms)
{
    struct pending *pending = pending_take(hub, transaction);

    hub->now_ms = now_ms;
    ASSERT(pending != NULL && pending->transaction);
    struct request *q = pending->request;
    struct table *t = pending->table, *opened = pending->opened;
    id_num id, opened_id; /* they may go on the way */
    struct added added = take_added(t, &id);
    struct added first = take_added(opened, &opened_id);
    struct outbox_share outbox = pending->outbox;
    free(pending);
    outages_heard(hub, o->result);
    if (outbox.messages)
        outbox_stored(hub, transaction, o->result == TRANSACTION_STORED);
    if (o->result != TRANSACTION_STORED)
        outbox_lost(hub, &outbox, o->result == TRANSACTION_FAILED);
    if (o->result == TRANSACTION_STORED) {
        if (q != NULL)
            q->stored(hub, q);
        table_stored(hub, id, added);
        table_stored(hub, opened_id, first);
        return;
    }
    bool again = tried_again(t, q, o);
    table_failed(hub, t, added);
    table_failed(hub, opened, first);
    if (again)
        return;
    if (o->result == TRANSACTION_CONFLICT) {
        conflicted(hub, q, o->op);
        return;
    }
    hub->counts.transactions_failed++;
    if (q != NULL && q->regardless)
        q->stored(hub, q);
    else if (q != NULL)
        refuse(hub, q, ERR_STORAGE_UNAVAILABLE);
}

void hub_operate(struct hub *hub, struct request *q, enum operation_kind kind,
                 const char *text, operated_cb then)
{
    q->operated = then;
    struct pending *pending = pending_new(hub, ++hub->last, q, NULL);
    hub->host->operate(hub->host, pending->id, kind, text);
}

void hub_operated(struct hub *hub, ask_id ask, bool busy, const char *error,
                  const char *result, int64_t now_ms)
{
    struct pending *pending = pending_take(hub, ask);

    hub->now_ms = now_ms;
    ASSERT(pending != NULL && pending->request != NULL);
    struct request *q = pending->request;
    free(pending);
    if (busy) {
        refuse(hub, q, ERR_BUSY);
    } else if (error != NULL) {
        struct json_out *o = refuse_begin(hub, q, ERR_OPERATION_FAILED);
        out_string(o, "why", error);
        refuse_end(hub, q);
    } else {
        q->operated(hub, q, result);
    }
}

void hub_deliver(struct hub *hub, struct request *q, uint64_t about,
                 const struct delivery *delivery, delivered_cb then)
{
    struct pending *pending = pending_new(hub, ++hub->last, q, NULL);
    pending->delivered = then;
    pending->about = about;
    hub->host->deliver(hub->host, pending->id, delivery);
}

void hub_delivered(struct hub *hub, ask_id ask,
                   const struct delivery_outcome *o, int64_t now_ms)
{
    struct pending *pending = pending_take(hub, ask);

    hub->now_ms = now_ms;
    ASSERT(pending != NULL && pending->delivered != NULL);
    struct pending was = *pending;
    free(pending);
    was.delivered(hub, was.request, was.about, o);
}
