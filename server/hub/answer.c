/* answer.c -- the way out: messages, results, refusals, notices. */

#include <stdlib.h>

#include "inner.h"

/* ---- messages ----------------------------------------------------------- */

struct message *message_new(const char *text, size_t len)
{
    struct message *p = malloc(sizeof(*p) + len + 1);
    ASSERT(p != NULL && len < UINT32_MAX);
    p->refs = 1;
    p->answer = false;
    p->error = ERR_NONE;
    p->next = 0;
    p->token = NULL;
    p->made = NULL;
    p->len = (uint32_t)len;
    memcpy(p->text, text, len);
    p->text[len] = '\0';
    return p;
}

struct message *message_ref(struct message *p)
{
    p->refs++;
    return p;
}

void message_unref(struct message *p)
{
    if (p == NULL || --p->refs > 0)
        return;
    if (p->made != NULL)
        p->unmake(p->made);
    free(p->token);
    free(p);
}

/* ---- answers ---------------------------------------------------------- */

/* What was written, as an answer. */
static struct message *written(struct hub *hub, enum error e)
{
    struct message *message = message_new(json_out_text(&hub->out),
                                          hub->out.len);
    message->answer = true;
    message->error = e;
    return message;
}

static void send_out(struct hub *hub, peer_id peer, struct message *message)
{
    hub->host->send(hub->host, peer, message, 0);
    message_unref(message);
}

static void envelope(struct hub *hub, const char *id)
{
    json_out_reset(&hub->out);
    out_object(&hub->out, NULL);
    out_string(&hub->out, "jsonrpc", "2.0");
    out_raw(&hub->out, "id", id, strlen(id));
}

struct json_out *answer_begin(struct hub *hub, struct request *q)
{
    ASSERT(q->form == FORM_MESSAGE);
    envelope(hub, q->id);
    return &hub->out;
}

static void answered(struct hub *hub, struct request *q, int64_t next)
{
    if (peer_find(hub, q->peer) != NULL) {
        struct message *message = written(hub, ERR_NONE);
        message->next = next;
        if (q->token != NULL)
            message->token = strdup(q->token);
        send_out(hub, q->peer, message);
    }
    journal_answered(hub, q, false);
    request_done(hub, q);
}

void answer_end(struct hub *hub, struct request *q)
{
    out_end(&hub->out);
    answered(hub, q, 0);
}

struct json_out *result_begin(struct hub *hub, struct request *q)
{
    struct json_out *o = &hub->out;

    if (q->form == FORM_RESULT) {
        json_out_reset(o);
        out_object(o, NULL);
    } else {
        out_object(answer_begin(hub, q), "result");
    }
    return o;
}

void result_end(struct hub *hub, struct request *q)
{
    out_end(&hub->out);
    if (q->form == FORM_RESULT)
        answered(hub, q, 0);
    else
        answer_end(hub, q);
}

void result_empty(struct hub *hub, struct request *q)
{
    (void)result_begin(hub, q);
    result_end(hub, q);
}

void result_raw(struct hub *hub, struct request *q, const char *text,
                size_t len)
{
    out_raw(answer_begin(hub, q), "result", text, len);
    answer_end(hub, q);
}

struct json_out *list_begin(struct hub *hub, struct request *q,
                            const char *name)
{
    struct json_out *o = result_begin(hub, q);

    out_list(o, name);
    return o;
}

void list_end(struct hub *hub, struct request *q, id_num next)
{
    out_end(&hub->out);
    if (next != 0)
        write_id(&hub->out, "next", next);
    result_end(hub, q);
}

void list_end_at(struct hub *hub, struct request *q, int64_t next)
{
    out_end(&hub->out);
    if (next != 0)
        out_int(&hub->out, "next", next);
    result_end(hub, q);
}

struct json_out *file_begin(struct hub *hub)
{
    json_out_reset(&hub->out);
    return &hub->out;
}

void file_end(struct hub *hub, struct request *q, int64_t next)
{
    answered(hub, q, next);
}

static void error_begin(struct hub *hub, const char *id, enum error e)
{
    struct json_out *o = &hub->out;
    envelope(hub, id);
    out_object(o, "error");
    out_int(o, "code", error_code(e));
    out_string(o, "message", error_sentence(e));
    out_object(o, "data");
    out_string(o, "reason", error_reason(e));
    hub->counts.refused++;
    hub->counts.refusals[e]++;
}

static void error_end(struct hub *hub)
{
    out_end(&hub->out);
    out_end(&hub->out);
    out_end(&hub->out);
}

struct json_out *refuse_begin(struct hub *hub, struct request *q, enum error e)
{
    error_begin(hub, q->id, e);
    /* What is our own fault can be found in the log by its number. */
    if (e == ERR_INTERNAL || e == ERR_STORAGE_UNAVAILABLE)
        out_int(&hub->out, "request", (int64_t)q->number);
    journal_refused(hub, q, e);
    q->error = e;
    return &hub->out;
}

void refuse_end(struct hub *hub, struct request *q)
{
    error_end(hub);
    if (peer_find(hub, q->peer) != NULL)
        send_out(hub, q->peer, written(hub, q->error));
    journal_answered(hub, q, true);
    request_done(hub, q);
}

void refuse(struct hub *hub, struct request *q, enum error e)
{
    refuse_begin(hub, q, e);
    refuse_end(hub, q);
}

void refuse_for(struct hub *hub, struct request *q, enum error e,
                int64_t wait_ms)
{
    struct json_out *o = refuse_begin(hub, q, e);
    out_int(o, "retry_after_ms", wait_ms);
    refuse_end(hub, q);
}

void refuse_param(struct hub *hub, struct request *q, const char *path,
                  const char *expected)
{
    struct json_out *o = refuse_begin(hub, q, ERR_INVALID_PARAMS);
    out_string(o, "path", path);
    out_string(o, "expected", expected);
    refuse_end(hub, q);
}

void refuse_text(struct hub *hub, struct peer *p, enum error e,
                 const char *why)
{
    int64_t wait = rate_wait(hub, p, RATE_CHEAP);

    if (wait > 0)
        e = ERR_RATE_LIMITED;
    error_begin(hub, "null", e);
    if (wait > 0)
        out_int(&hub->out, "retry_after_ms", wait);
    else
        out_string(&hub->out, "expected", why);
    error_end(hub);
    send_out(hub, p->id, written(hub, e));
}

/* ---- notices ---------------------------------------------------------- */

struct json_out *notice_begin(struct hub *hub, const char *kind)
{
    struct json_out *o = &hub->out;

    json_out_reset(o);
    out_object(o, NULL);
    out_string(o, "jsonrpc", "2.0");
    out_string(o, "method", notifications[N_SERVER_NOTICE].name);
    out_object(o, "params");
    out_string(o, "kind", kind);
    return o;
}

size_t notice_end(struct hub *hub, const struct peer *only)
{
    const struct peer *p;
    size_t at = 0, count = 0;

    out_end(&hub->out);
    out_end(&hub->out);
    struct message *message = message_new(json_out_text(&hub->out),
                                          hub->out.len);
    while ((p = map_next(&hub->peers, &at)) != NULL) {
        if (!p->info.notices || !p->spoke || p->dropped ||
            (only != NULL && p != only))
            continue;
        hub->host->send(hub->host, p->id, message, 0);
        count++;
    }
    message_unref(message);
    return count;
}
