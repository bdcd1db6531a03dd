/* pending.c -- what the host was asked for and has not done: on behalf of a
 * request or a table, and gone on with when it comes. */

#include <stdlib.h>

#include "inner.h"

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
               struct request *q, stored_cb then)
{
    ASSERT(id > hub->stored); /* as host.h wants it */
    hub->stored = id;
    if (q != NULL)
        q->stored = then;
    struct pending *pending = pending_new(hub, id, q, t);
    pending->transaction = true;
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
    return pending != NULL && pending->request != NULL ? pending->request->peer
                                                       : 0;
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

static void conflicted(struct hub *hub, struct request *q)
{
    if (q == NULL)
        return;
    q->table = NULL; /* which loads itself anew */
    key_ask(hub, q, conflict_keyed);
}

/* Whether O says that T is not as Q found it, as somebody else has stored
 * something there: then Q is tried from its start once T is known, before all
 * others that wait for it. */
static bool tried_again(struct table *t, struct request *q,
                        const struct transaction_outcome *o)
{
    bool outdated = o->op == OP_PLIES || o->op == OP_TEXT;

    if (o->result != TRANSACTION_CONFLICT || !outdated || t == NULL ||
        q == NULL || (q->job == NULL && commands[q->method].at_table == NULL))
        return false;
    if (++q->tries == LIMIT_TRIES)
        return false;
    request_reset(q);
    queue_put_first(&t->queue, q);
    return true;
}

void hub_stored(struct hub *hub, transaction_id transaction,
                const struct transaction_outcome *o, int64_t now_ms)
{
    struct pending *pending = pending_take(hub, transaction);

    hub->now_ms = now_ms;
    ASSERT(pending != NULL && pending->transaction);
    struct request *q = pending->request;
    struct table *t = pending->table;
    id_num id = t != NULL ? t->id : 0; /* T may go on the way */
    bool changing = t != NULL && t->changing;
    free(pending);
    if (t != NULL)
        t->changing = false;
    if (o->result == TRANSACTION_STORED) {
        if (q != NULL)
            q->stored(hub, q);
        t = table_find(hub, id);
        if (t != NULL)
            table_go_on(hub, t);
        return;
    }
    bool again = tried_again(t, q, o);
    /* What is in memory may be ahead of what is stored, behind it, or both. */
    if (t != NULL) {
        if (changing)
            watch_failed(t);
        t->lost = changing;
        table_refetch(hub, t);
    }
    if (again)
        return;
    if (o->result == TRANSACTION_CONFLICT) {
        conflicted(hub, q);
        return;
    }
    hub->counts.transactions_failed++;
    if (q != NULL)
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
