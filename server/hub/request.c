/* request.c -- a request's way in: the envelope, the guards in one place and in
 * order, dispatch. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

/* ---- queues ----------------------------------------------------------- */

void queue_init(struct queue *queue)
{
    *queue = (struct queue){.end = &queue->first};
}

void queue_put(struct queue *queue, struct request *q)
{
    q->next = NULL;
    *queue->end = q;
    queue->end = &q->next;
    queue->count++;
}

void queue_put_first(struct queue *queue, struct request *q)
{
    q->next = queue->first;
    queue->first = q;
    if (q->next == NULL)
        queue->end = &q->next;
    queue->count++;
}

struct request *queue_take(struct queue *queue)
{
    struct request *q = queue->first;
    if (q == NULL)
        return NULL;
    queue->first = q->next;
    if (queue->first == NULL)
        queue->end = &queue->first;
    queue->count--;
    q->next = NULL;
    return q;
}

/* ---- parameters ------------------------------------------------------- */

json_t *param(const struct request *q, const char *name)
{
    return json_object_get(q->params, name);
}

const char *param_text(const struct request *q, const char *name)
{
    const char *text = json_string_value(param(q, name));
    return text != NULL ? text : "";
}

int64_t param_int(const struct request *q, const char *name, int64_t absent)
{
    const json_t *value = param(q, name);
    return json_is_integer(value) ? json_integer_value(value) : absent;
}

bool param_bool(const struct request *q, const char *name, bool absent)
{
    const json_t *value = param(q, name);
    return json_is_boolean(value) ? json_is_true(value) : absent;
}

/* ---- requests --------------------------------------------------------- */

static void peer_go_on(struct hub *hub, struct peer *p);
static void dispatch(struct hub *hub, struct request *q);

struct request *request_new(const char *id)
{
    size_t size = strlen(id) + 1;
    struct request *q = calloc(1, sizeof(*q) + size);

    ASSERT(q != NULL);
    memcpy(q->id, id, size);
    return q;
}

struct request *job_new(struct hub *hub)
{
    (void)hub;
    return request_new("null");
}

void request_reset(struct request *q)
{
    q->table = NULL;
    q->judged = false;
    q->blocks = NULL;
    q->block_count = 0;
    q->conflict = ERR_NONE;
    if (q->job != NULL)
        return;
    if (q->done != NULL)
        q->done(q);
    q->done = NULL;
    q->kept = NULL;
    region_done(&q->region);
}

/* Q, which waited for another's key, is worked on, NULL: none is.  One after the
 * other, however many are answered at once. */
static void dispatch_next(struct hub *hub, struct request *q)
{
    if (q == NULL)
        return;
    queue_put(&hub->next, q);
    if (hub->dispatching)
        return;
    hub->dispatching = true;
    while ((q = queue_take(&hub->next)) != NULL)
        dispatch(hub, q);
    hub->dispatching = false;
}

void request_done(struct hub *hub, struct request *q)
{
    peer_id peer = q->peer;
    struct peer *p = peer_find(hub, peer);
    struct request *next = key_release(hub, q);

    if (p != NULL) {
        p->requests--;
        if (p->barrier == q)
            p->barrier = NULL;
    }
    work_done(hub, q);
    if (q->done != NULL)
        q->done(q);
    json_decref(q->params);
    region_done(&q->region);
    free(q);
    dispatch_next(hub, next);
    p = peer_find(hub, peer); /* who may have gone with it */
    if (p != NULL)
        peer_go_on(hub, p);
}

/* Whether Q, of that rate, comes too soon; it is refused then. */
static bool too_soon(struct hub *hub, struct peer *p, struct request *q,
                     enum method_rate r)
{
    int64_t wait = rate_wait(hub, p, r);

    if (wait == 0)
        return false;
    refuse_for(hub, q, ERR_RATE_LIMITED, wait);
    if (p->info.bots) {
        journal_cut(hub, p, "too many requests");
        peer_drop(hub, p, DROP_POLICY);
    }
    return true;
}

static void dispatch(struct hub *hub, struct request *q)
{
    if (!key_hold(hub, q))
        return;
    if (methods[q->method].table)
        table_request(hub, q);
    else
        commands[q->method].plain(hub, q);
}

/* Whether it may be done after what comes behind it, which would be another
 * thing: who watches and then no more does not watch. */
static bool is_resumption(const struct request *q)
{
    return q->method == M_TABLE_WATCH && param(q, "since") != NULL;
}

/* The guards, in order: rate, login, scope, parameters. */
static void admit(struct hub *hub, struct peer *p, struct request *q)
{
    const struct method_info *m = &methods[q->method];
    struct shape_fault fault;

    if (p->account != NULL) {
        q->account = p->account->id;
        memcpy(q->name, p->account->name, sizeof(q->name));
    }
    q->uid = p->info.uid;
    if (too_soon(hub, p, q, m->rate))
        return;
    if ((m->role == ROLE_ADMIN && !p->info.admin) ||
        (m->role == ROLE_BOTS) != p->info.bots) {
        refuse(hub, q, ERR_FORBIDDEN);
        return;
    }
    if (m->role == ROLE_USER && p->account == NULL) {
        refuse(hub, q, ERR_NOT_AUTHENTICATED);
        return;
    }
    if (m->role == ROLE_USER && !(p->scopes & (1u << m->scope))) {
        refuse(hub, q, ERR_OUT_OF_SCOPE);
        return;
    }
    if (!shape_check(&m->params, q->params, &fault)) {
        refuse_param(hub, q, fault.path, fault.expected);
        return;
    }
    if (hub->closing) {
        refuse(hub, q, ERR_SHUTTING_DOWN);
        return;
    }
    if (notices_refuse(hub, q))
        return;
    account_touch(hub, p);
    if (m->barrier || is_resumption(q))
        p->barrier = q;
    dispatch(hub, q);
}

/* Takes up what waited behind a barrier. */
static void peer_go_on(struct hub *hub, struct peer *p)
{
    peer_id id = p->id;
    struct request *q;

    while (p != NULL && p->barrier == NULL &&
           (q = queue_take(&p->waiting)) != NULL) {
        admit(hub, p, q);
        p = peer_find(hub, id);
    }
}

/* The id of a request as JSON; false for what is none. */
static bool take_id(const json_t *value, char *text)
{
    if (json_is_integer(value)) {
        snprintf(text, ID_TEXT_MAX, "%lld",
                 (long long)json_integer_value(value));
        return true;
    }
    if (!json_is_string(value) || json_string_length(value) > 64)
        return false;
    struct json_out o;
    json_out_init(&o);
    out_string_n(&o, NULL, json_string_value(value),
                 json_string_length(value));
    bool fits = o.len < ID_TEXT_MAX;
    if (fits)
        memcpy(text, json_out_text(&o), o.len + 1);
    json_out_done(&o);
    return fits;
}

/* What is wrong with the envelope, or NULL. */
static const char *envelope_fault(const json_t *text)
{
    const char *name;
    json_t *value;

    if (!json_is_object(text))
        return "one object; batches are not taken";
    if (!json_text_is(json_object_get(text, "jsonrpc"), "2.0"))
        return "\"jsonrpc\": \"2.0\"";
    if (!json_is_string(json_object_get(text, "method")))
        return "\"method\": a string";
    value = json_object_get(text, "params");
    if (value != NULL && !json_is_object(value))
        return "\"params\": an object, or none";
    json_object_foreach((json_t *)(uintptr_t)text, name, value)
    {
        if (strcmp(name, "jsonrpc") != 0 && strcmp(name, "id") != 0 &&
            strcmp(name, "method") != 0 && strcmp(name, "params") != 0)
            return "jsonrpc, id, method and params, nothing else";
    }
    return NULL;
}

/* A request of P; PARAMS are taken over. */
static struct request *asked(struct hub *hub, struct peer *p, const char *id,
                             json_t *params, enum answer_form form)
{
    struct request *q = request_new(id);

    q->peer = p->id;
    q->number = ++hub->counts.requests;
    q->came_ms = hub->now_ms;
    memcpy(q->address, p->info.address, sizeof(q->address));
    q->params = params;
    q->form = (uint8_t)form;
    p->requests++;
    return q;
}

/* METHOD is -1 if there is none such; FAULT what is wrong with Q, or NULL. */
static void take(struct hub *hub, struct peer *p, struct request *q,
                 int method, const char *fault)
{
    enum error e = fault != NULL                       ? ERR_INVALID_REQUEST
                   : method < 0                        ? ERR_UNKNOWN_METHOD
                   : hub->closing                      ? ERR_SHUTTING_DOWN
                   : p->requests > LIMIT_PEER_REQUESTS ? ERR_TOO_MANY_REQUESTS
                                                       : ERR_NONE;

    if (method >= 0) {
        q->method = (enum method)method;
        q->method_known = true;
    }
    if (e == ERR_NONE && p->barrier != NULL) {
        queue_put(&p->waiting, q);
    } else if (e == ERR_NONE) {
        admit(hub, p, q);
    } else if (!too_soon(hub, p, q, RATE_CHEAP)) {
        struct json_out *o = refuse_begin(hub, q, e);
        if (fault != NULL)
            out_string(o, "expected", fault);
        refuse_end(hub, q);
    }
}

static void receive(struct hub *hub, struct peer *p, const json_t *text,
                    enum answer_form form)
{
    char id[ID_TEXT_MAX];
    const char *fault = envelope_fault(text);

    if (!take_id(json_object_get(text, "id"), id)) {
        refuse_text(hub, p, ERR_INVALID_REQUEST,
                    fault ? fault
                          : "\"id\": an integer, or a string of at"
                            " most 64 bytes");
        return;
    }
    json_t *params = json_object_get(text, "params");
    const json_t *name = json_object_get(text, "method");
    struct request *q =
        asked(hub, p, id, params != NULL ? json_incref(params) : json_object(),
              form);
    int method = fault ? -1
                       : method_find(json_string_value(name),
                                     json_string_length(name));
    take(hub, p, q, method, fault);
}

static void hear(struct hub *hub, peer_id peer, const char *text, size_t len,
                 enum answer_form form)
{
    struct peer *p = peer_find(hub, peer);
    char why[JSON_EXPECTED_MAX];

    if (p == NULL || p->dropped)
        return;
    p->spoke = true;
    if (!p->info.admin && json_values(text, len) > LIMIT_VALUES) {
        snprintf(why, sizeof(why), "at most %d values", LIMIT_VALUES);
        refuse_text(hub, p, ERR_INVALID_REQUEST, why);
        return;
    }
    json_t *value = json_parse(text, len, why);
    if (value == NULL) {
        refuse_text(hub, p, ERR_PARSE, why);
        if (p->info.bots)
            peer_drop(hub, p, DROP_POLICY);
        return;
    }
    receive(hub, p, value, form);
    json_decref(value);
}

void hub_message(struct hub *hub, peer_id peer, const char *text, size_t len,
                 int64_t now_ms)
{
    hub->now_ms = now_ms;
    hear(hub, peer, text, len, FORM_MESSAGE);
}

void hub_session(struct hub *hub, peer_id peer, const char *text, size_t len,
                 int64_t now_ms)
{
    hub->now_ms = now_ms;
    hear(hub, peer, text, len, FORM_RESULT);
}

void hub_record(struct hub *hub, peer_id peer, const char *table, int64_t from,
                int64_t now_ms)
{
    struct peer *p = peer_find(hub, peer);
    json_t *params = json_pack("{s:s,s:I}", "table", table, "from",
                               (json_int_t)from);

    ASSERT(params != NULL);
    hub->now_ms = now_ms;
    if (p == NULL || p->dropped) {
        json_decref(params);
        return;
    }
    struct request *q = asked(hub, p, "null", params, FORM_LINES);
    take(hub, p, q, M_TABLE_RECORD, NULL);
}
