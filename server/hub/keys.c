/* keys.c -- requests that must not count twice.
 *
 * A request may carry a `key`: the same account, method and key within a day
 * get the same result again, marked `duplicate`, and nothing happens.  The
 * result is stored in the transaction of what it tells of.  While the first is
 * not answered, and the store so knows of none, the others wait: so whoever sends
 * one twice in a packet is answered as later, and no transaction of one process
 * finds its key taken. */

#include <stdlib.h>

#include "core/sha256.h"
#include "inner.h"

/* ---- one at a time -------------------------------------------------------- */

/* People choose keys: so it is a hash that nobody can aim with. */
static uint64_t number_of(const struct request *q, const char *key)
{
    struct sha256 hash;
    uint8_t digest[SHA256_SIZE];
    uint64_t number;

    sha256_init(&hash);
    sha256_update(&hash, &q->account, sizeof(q->account));
    sha256_update(&hash, &q->method, sizeof(q->method));
    sha256_update(&hash, key, strlen(key));
    sha256_final(&hash, digest);
    memcpy(&number, digest, sizeof(number));
    return number != 0 ? number : 1;
}

bool key_hold(struct hub *hub, struct request *q)
{
    const char *key = param_text(q, "key");

    if (key[0] == '\0' || q->keyed != NULL)
        return true;
    uint64_t number = number_of(q, key);
    struct keyed *k = map_get(&hub->keyed, number);
    if (k != NULL) {
        queue_put(&k->waiting, q);
        return false;
    }
    k = q->keyed = calloc(1, sizeof(*k));
    ASSERT(k != NULL);
    k->number = number;
    k->holder = q;
    queue_init(&k->waiting);
    map_put(&hub->keyed, number, k);
    return true;
}

struct request *key_release(struct hub *hub, struct request *q)
{
    struct keyed *k = q->keyed;

    if (k == NULL)
        return NULL;
    struct request *next = queue_take(&k->waiting);
    q->keyed = NULL;
    if (next == NULL) {
        map_take(&hub->keyed, k->number);
        free(k);
        return NULL;
    }
    next->keyed = k;
    k->holder = next;
    return next;
}

void keys_drop_all(struct hub *hub)
{
    struct request *q;
    struct keyed *k;

    for (size_t at = 0; (k = map_next(&hub->keyed, &at)) != NULL;) {
        k->holder->keyed = NULL;
        while ((q = queue_take(&k->waiting)) != NULL)
            request_done(hub, q);
        free(k);
    }
    map_done(&hub->keyed);
}

/* ---- answers -------------------------------------------------------------- */

/* A request with a `key` is answered from what was answered before, if it was.
 * Returns whether Q was answered. */
bool key_answered(struct hub *hub, struct request *q,
                  const struct answer *answer)
{
    char why[JSON_EXPECTED_MAX];

    if (answer->text == NULL)
        return false;
    json_t *value = json_parse(answer->text, strlen(answer->text), why);
    if (!json_is_object(value)) {
        json_decref(value);
        return false;
    }
    json_object_set_new(value, "duplicate", json_true());
    char *text = json_dumps(value, JSON_COMPACT);
    ASSERT(text != NULL);
    result_raw(hub, q, text, strlen(text));
    free(text);
    json_decref(value);
    return true;
}

/* Asks for what was answered to the key of Q, if it has one; else calls THEN
 * with an empty answer. */
void key_ask(struct hub *hub, struct request *q, answered_cb then)
{
    struct answer none = {0};
    struct question ask = {
        .kind = ASK_KEY,
        .u.key =
            {
                .account = q->account,
                .method = methods[q->method].name,
                .key = param_text(q, "key"),
                .newer = hub->now_ms - LIMIT_KEY_MS,
            },
    };

    if (ask.u.key.key[0] == '\0')
        then(hub, q, &none);
    else
        hub_ask(hub, q, &ask, then);
}

void key_put(struct change *c, const char *answer, size_t len)
{
    const struct request *q = c->request;
    const char *key = param_text(q, "key");

    if (key[0] == '\0')
        return;
    struct op *op = change_op(c, OP_KEY);
    op->account = q->account;
    op->u.key.method = change_text(c, methods[q->method].name);
    op->u.key.key = change_text(c, key);
    op->u.key.answer = region_text(&c->transaction.region, answer, len);
    op->u.key.at = c->hub->now_ms;
}

/* Answers with a JSON object that was made before its transaction was
 * stored. */
void key_answer(struct hub *hub, struct request *q)
{
    const char *text = q->kept;
    result_raw(hub, q, text, strlen(text));
}

/* Keeps O's text as the answer to Q and puts it under its key. */
void key_keep(struct change *c, struct json_out *o)
{
    struct request *q = c->request;

    q->kept = region_text(&q->region, json_out_text(o), o->len);
    key_put(c, json_out_text(o), o->len);
}
