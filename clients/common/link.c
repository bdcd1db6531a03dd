#include "link.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/sha256.h"
#include "lang.h"
#include "memory.h"
#include "protocol/game_json.h"
#include "protocol/methods.h"
#include "protocol/refusal.h"
#include "wire.h"

#define BACK_OFF_MS     500   /* the first wait; doubled each time ... */
#define BACK_OFF_MAX_MS 30000 /* ... up to this, give or take a quarter */
#define TRY_MS          15000 /* for a connection to come about */
#define QUIET_MS        25000 /* then the server is asked whether it is there */
#define ANSWER_MS       10000 /* after which it is not */
#define TICK_MS         5000
#define AGAIN_MS        1000 /* after storage_unavailable and the like */
#define ASK_TRIES       3 /* of link_ask(), where the server cannot just now */

_Static_assert(WIRE_WHY_MAX <= LINK_WHY_MAX, "a reason is handed on");

/* A request that is not answered yet. */
struct call {
    struct call *next;
    int64_t id;
    int method; /* methods.h; -1: it is not there */
    char *text; /* compact JSON */
    bool sent;  /* on this connection */
    int tries;  /* left, for what time heals */
    link_answer_cb cb;
    void *context;
};

struct link {
    uv_loop_t *loop;
    struct link_owner owner;
    struct wire_server server;
    char token[128], user[64];
    enum link_state state;
    bool was_ready;           /* once */
    bool resuming, logged_in; /* on this connection */
    char why[LINK_WHY_MAX], reason[64];
    struct wire *wire; /* the connection, or the try of one; NULL: none */
    uv_timer_t *timer; /* the next try, or the end of this one */
    uv_timer_t *tick;
    uv_timer_t *again; /* says once more what has to be */
    uint64_t back_off_ms, due_ms;
    uint64_t asked_ms; /* when it was asked that */
    int64_t last_id;
    struct call *calls, **last;
};

/* ---- small things ------------------------------------------------------- */

void link_key(char key[LINK_KEY_SIZE])
{
    uint8_t bytes[(LINK_KEY_SIZE - 1) / 2];

    bytes_random(bytes, sizeof(bytes));
    hex_write(key, bytes, sizeof(bytes));
    key[2 * sizeof(bytes)] = '\0';
}

static void set_state(struct link *l, enum link_state state)
{
    l->state = state;
    if (l->owner.changed != NULL)
        l->owner.changed(l->owner.context);
}

static void free_timer(uv_handle_t *handle)
{
    free(handle);
}

static uv_timer_t *new_timer(struct link *l)
{
    uv_timer_t *timer = must_alloc(sizeof(*timer));
    (void)uv_timer_init(l->loop, timer);
    timer->data = l;
    return timer;
}

/* ---- lost, and coming again -------------------------------------------- */

static void begin(struct link *l);
static void ready(struct link *l);

/* The connection is lost, or did not come about: comes again, or not. */
static void lose(struct link *l, const char *why)
{
    (void)snprintf(l->why, sizeof(l->why), "%s", why); /* the wire's, maybe */
    if (l->wire != NULL)
        wire_close(l->wire);
    l->wire = NULL;
    l->resuming = false;
    l->logged_in = false;
    for (struct call *c = l->calls; c != NULL; c = c->next)
        c->sent = false;
    if (!l->was_ready) {
        (void)uv_timer_stop(l->timer);
        set_state(l, LINK_FAILED);
        return;
    }
    uint8_t some;
    bytes_random(&some, 1);
    uint64_t wait = l->back_off_ms * 3 / 4 + l->back_off_ms * some / 512;
    l->back_off_ms = l->back_off_ms * 2 < BACK_OFF_MAX_MS ? l->back_off_ms * 2
                                                          : BACK_OFF_MAX_MS;
    l->due_ms = uv_now(l->loop) + wait;
    set_state(l, LINK_WAITING);
}

/* The server will not have us, for REASON, which may be NULL. */
static void fail(struct link *l, const char *why, const char *reason)
{
    l->was_ready = false;
    (void)snprintf(l->reason, sizeof(l->reason), "%s",
                   reason != NULL ? reason : "");
    lose(l, why);
}

static void on_timer(uv_timer_t *timer)
{
    struct link *l = timer->data;
    if (l->state == LINK_CONNECTING)
        lose(l, _("The server does not answer."));
    else
        begin(l);
    if (l->state == LINK_WAITING)
        (void)uv_timer_start(l->timer, on_timer, l->due_ms - uv_now(l->loop),
                             0);
}

/* lose() from within anything but on_timer(). */
static void drop(struct link *l, const char *why)
{
    lose(l, why);
    if (l->state == LINK_WAITING)
        (void)uv_timer_start(l->timer, on_timer, l->due_ms - uv_now(l->loop),
                             0);
}

/* ---- requests and answers ----------------------------------------------- */

static void send_call(struct link *l, struct call *c)
{
    c->sent = true;
    wire_send(l->wire, c->text, strlen(c->text));
}

static void send_all(struct link *l)
{
    if (l->state != LINK_READY)
        return;
    for (struct call *c = l->calls; c != NULL; c = c->next)
        if (!c->sent)
            send_call(l, c);
}

static void on_again(uv_timer_t *timer)
{
    send_all(timer->data);
}

/* Whether the refusal is one that time heals; then *MS is how much. */
static bool passes(const char *reason, const json_t *data, uint64_t *ms)
{
    *ms = AGAIN_MS;
    if (strcmp(reason, "rate_limited") == 0) {
        json_int_t wait = json_integer_value(
            json_object_get(data, "retry_after_ms"));
        *ms = wait > 0 && wait < 60000 ? (uint64_t)wait : AGAIN_MS;
        return wait < 60000;
    }
    return strcmp(reason, "storage_unavailable") == 0 ||
           strcmp(reason, "contended") == 0 ||
           strcmp(reason, "shutting_down") == 0 ||
           strcmp(reason, "too_many_requests") == 0;
}

static void resumed(struct link *l, const json_t *answer)
{
    const json_t *result = json_object_get(answer, "result");
    char why[LINK_WHY_MAX];

    l->resuming = false;
    if (result == NULL) {
        const json_t *error = json_object_get(answer, "error");
        const json_t *data = json_object_get(error, "data");
        const char *reason = json_string_value(
            json_object_get(data, "reason"));
        uint64_t ms;
        (void)refusal_text(error, lang_text, why, sizeof(why));
        if (reason != NULL && passes(reason, data, &ms))
            drop(l, why);
        else
            fail(l, why, reason);
        return;
    }
    const char *name = json_string_value(
        json_object_get(json_object_get(result, "user"), "name"));
    (void)snprintf(l->user, sizeof(l->user), "%s", name != NULL ? name : "");
    l->logged_in = true;
    ready(l);
}

/* The connection stands: logs in if that is to be, then all is ready. */
static void ready(struct link *l)
{
    if (l->token[0] != '\0' && !l->logged_in) {
        json_t *message = json_pack("{ss si ss s{ss}}", "jsonrpc", "2.0", "id",
                                    0, "method", "session.resume", "params",
                                    "token", l->token);
        char *text = json_dumps(message, JSON_COMPACT);
        ASSERT(text != NULL);
        l->resuming = true;
        wire_send(l->wire, text, strlen(text));
        free(text);
        json_decref(message);
        return;
    }
    (void)uv_timer_stop(l->timer);
    l->was_ready = true;
    l->back_off_ms = BACK_OFF_MS;

    /* What the owner asks now stands before what is said once more. */
    struct call *old = l->calls, **old_last = l->last;
    l->calls = NULL;
    l->last = &l->calls;
    l->state = LINK_READY;
    if (l->owner.ready != NULL)
        l->owner.ready(l->owner.context);
    *l->last = old;
    if (old != NULL)
        l->last = old_last;
    send_all(l);
    if (l->owner.changed != NULL)
        l->owner.changed(l->owner.context);
}

/* Takes C off the list; it will not be said again. */
static void remove_call(struct link *l, struct call *c)
{
    struct call **at = &l->calls;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    if (c->next == NULL)
        l->last = at;
    free(c->text);
    free(c);
}

static void answered(struct link *l, const json_t *answer)
{
    json_int_t id = json_integer_value(json_object_get(answer, "id"));
    const json_t *result = json_object_get(answer, "result");
    const json_t *error = json_object_get(answer, "error");
    struct call **at = &l->calls;

    if (l->resuming && id == 0) {
        resumed(l, answer);
        return;
    }
    while (*at != NULL && (*at)->id != id)
        at = &(*at)->next;
    struct call *c = *at;
    if (c == NULL)
        return;
    char why[LINK_WHY_MAX] = "";
    struct link_error told = {.reason = "", .text = why};
    if (result == NULL) {
        told.data = json_object_get(error, "data");
        const char *reason = json_string_value(
            json_object_get(told.data, "reason"));
        told.reason = reason != NULL ? reason : "internal_error";
        uint64_t ms;
        if (passes(told.reason, told.data, &ms) && c->tries-- > 0) {
            c->sent = false;
            (void)uv_timer_start(l->again, on_again, ms, 0);
            return;
        }
        (void)refusal_text(error, lang_text, why, sizeof(why));
    }
    link_answer_cb cb = c->cb;
    void *context = c->context;
    remove_call(l, c);
    if (cb != NULL)
        cb(context, result, result != NULL ? NULL : &told);
}

/* Nobody knows who runs the server: what it says is made harmless to be shown,
 * here, before anything is done with it. */
static void clean_message(const struct link *l, const char *method,
                          json_t *message)
{
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    const struct shape *result = NULL, *params = NULL;

    for (const struct call *c = l->calls; c != NULL; c = c->next)
        if (c->id == id && c->method >= 0)
            result = &methods[c->method].result;
    for (int n = 0; method != NULL && n < NOTIFICATIONS; n++)
        if (strcmp(notifications[n].name, method) == 0)
            params = &notifications[n].params;
    shape_clean(result, json_object_get(message, "result"));
    shape_clean(params, json_object_get(message, "params"));
    shape_clean(NULL, json_object_get(message, "error"));
}

/* The operator may have given us another name. */
static void hear_name(struct link *l, const json_t *params)
{
    const char *name = json_string_value(
        json_object_get(json_object_get(params, "user"), "name"));

    if (name != NULL)
        (void)snprintf(l->user, sizeof(l->user), "%s", name);
}

static void handle_message(struct link *l, const char *text, size_t len)
{
    char why[JSON_EXPECTED_MAX];
    json_t *message = json_parse(text, len, why);
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *params = json_object_get(message, "params");

    clean_message(l, method, message);
    if (method != NULL &&
        strcmp(method, notifications[N_SERVER_NOTICE].name) == 0)
        hear_name(l, params);
    if (message == NULL)
        drop(l, _("That is no Sobremesa: it speaks no JSON."));
    else if (method == NULL)
        answered(l, message);
    else if (l->owner.told != NULL)
        l->owner.told(l->owner.context, method, params);
    json_decref(message);
}

static struct call *add_call(struct link *l, const char *method,
                             json_t *params, link_answer_cb cb, void *context)
{
    struct call *c = must_alloc(sizeof(*c));
    json_t *message = json_pack("{ss sI ss}", "jsonrpc", "2.0", "id",
                                (json_int_t)++l->last_id, "method", method);

    if (params != NULL)
        (void)json_object_set_new(message, "params", params);
    c->text = json_dumps(message, JSON_COMPACT);
    if (c->text == NULL)
        core_panic(__FILE__, __LINE__, "a request that cannot be written");
    json_decref(message);
    c->id = l->last_id;
    c->method = method_find(method, strlen(method));
    c->tries = INT_MAX;
    c->cb = cb;
    c->context = context;
    *l->last = c;
    l->last = &c->next;
    if (l->state == LINK_READY)
        send_call(l, c);
    return c;
}

void link_call(struct link *l, const char *method, json_t *params,
               link_answer_cb cb, void *context)
{
    (void)add_call(l, method, params, cb, context);
}

struct asking {
    bool done;
    json_t *result;
    char *why, *reason;
};

static void on_asked(void *context, const json_t *result,
                     const struct link_error *error)
{
    struct asking *asking = context;

    asking->done = true;
    if (result != NULL) {
        asking->result = json_deep_copy(result);
        return;
    }
    (void)snprintf(asking->why, LINK_WHY_MAX, "%s", error->text);
    if (asking->reason != NULL)
        (void)snprintf(asking->reason, 64, "%s", error->reason);
}

json_t *link_ask(struct link *l, const char *method, json_t *params, char *why,
                 char *reason)
{
    struct asking asking = {.why = why, .reason = reason};

    why[0] = '\0';
    if (reason != NULL)
        reason[0] = '\0';
    struct call *c = add_call(l, method, params, on_asked, &asking);
    c->tries = ASK_TRIES;
    while (!asking.done && l->state != LINK_FAILED && l->state != LINK_WAITING)
        (void)uv_run(l->loop, UV_RUN_ONCE);
    if (!asking.done) {
        remove_call(l, c); /* it is not to happen later, unexpectedly */
        memcpy(why, l->why, sizeof(l->why));
    }
    return asking.result;
}

void link_forget(struct link *l, const void *context)
{
    for (struct call *c = l->calls; c != NULL; c = c->next)
        if (c->context == context)
            c->cb = NULL;
}

/* ---- the whole ---------------------------------------------------------- */

static void on_open(void *context)
{
    ready(context);
}

static void on_message(void *context, const char *text, size_t len)
{
    handle_message(context, text, len);
}

static void on_lost(void *context, const char *why)
{
    drop(context, why);
}

static void begin(struct link *l)
{
    const struct wire_owner owner = {
        .open = on_open,
        .message = on_message,
        .lost = on_lost,
        .context = l,
    };

    ASSERT(l->wire == NULL);
    l->wire = wire_new(l->loop, &l->server, &owner);
    l->due_ms = uv_now(l->loop) + TRY_MS;
    (void)uv_timer_start(l->timer, on_timer, TRY_MS, 0);
    set_state(l, LINK_CONNECTING);
    wire_start(l->wire);
}

/* A connection may be dead without anybody having said so.  This may come late, as
 * after a stop: silence counts from when the server was asked. */
static void on_tick(uv_timer_t *timer)
{
    struct link *l = timer->data;

    if (l->state != LINK_READY)
        return;
    uint64_t now = uv_now(l->loop), heard = wire_heard_ms(l->wire);
    if (now - heard <= QUIET_MS)
        return;
    if (l->asked_ms <= heard) {
        l->asked_ms = now;
        if (l->calls == NULL) /* else an answer is awaited anyway */
            link_call(l, "server.hello", NULL, NULL, NULL);
    } else if (now - l->asked_ms > ANSWER_MS) {
        drop(l, _("The server has fallen silent."));
    }
}

struct link *link_new(uv_loop_t *loop, const char *server, const char *token,
                      const char *ca_file, const struct link_owner *owner,
                      char *why)
{
    struct link *l = must_alloc(sizeof(*l));

    l->loop = loop;
    l->owner = *owner;
    l->last = &l->calls;
    l->back_off_ms = BACK_OFF_MS;
    if (!wire_server_init(&l->server, server, ca_file, why)) {
        free(l);
        return NULL;
    }
    if (token != NULL)
        (void)snprintf(l->token, sizeof(l->token), "%s", token);
    l->timer = new_timer(l);
    l->tick = new_timer(l);
    l->again = new_timer(l);
    /* A server that has gone is heard of by an error. */
    (void)signal(SIGPIPE, SIG_IGN);
    uv_update_time(loop);
    (void)uv_timer_start(l->tick, on_tick, TICK_MS, TICK_MS);
    begin(l);
    return l;
}

void link_free(struct link *l)
{
    if (l == NULL)
        return;
    if (l->wire != NULL)
        wire_close(l->wire);
    uv_close((uv_handle_t *)l->timer, free_timer);
    uv_close((uv_handle_t *)l->tick, free_timer);
    uv_close((uv_handle_t *)l->again, free_timer);
    for (struct call *c = l->calls; c != NULL;) {
        struct call *next = c->next;
        free(c->text);
        free(c);
        c = next;
    }
    wire_server_done(&l->server);
    free(l);
}

enum link_state link_state(const struct link *l)
{
    return l->state;
}

const char *link_why(const struct link *l)
{
    return l->why;
}

const char *link_reason(const struct link *l)
{
    return l->reason;
}

uint64_t link_wait_ms(const struct link *l)
{
    uint64_t now = uv_now(l->loop);
    return l->state == LINK_WAITING && l->due_ms > now ? l->due_ms - now : 0;
}

void link_hurry(struct link *l)
{
    if (l->state == LINK_WAITING) {
        l->back_off_ms = BACK_OFF_MS;
        begin(l);
    }
}

const char *link_user(const struct link *l)
{
    return l->user;
}

void link_become(struct link *l, const char *token, const char *name)
{
    (void)snprintf(l->token, sizeof(l->token), "%s", token);
    (void)snprintf(l->user, sizeof(l->user), "%s", name);
}
