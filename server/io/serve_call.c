/* serve_call.c -- requests that need the hub.
 *
 * One becomes a peer of its own for as long as it takes: its token, if it brings
 * one, logs that peer in, then the request follows, and what the hub answers to
 * that is the body.  Only the cookie's pages and `GET /ws` look at the cookie;
 * `POST /rpc` never does, so that no other site's form can speak for
 * somebody. */

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/game_json.h"
#include "protocol/methods.h"
#include "serve.h"
#include "server/hub/limits.h"

/* ---- asking the hub ------------------------------------------------------ */

static void say(struct conn *c, const char *message, size_t len)
{
    if (c->peer != 0)
        hub_message(c->daemon->hub, c->peer, message, len, daemon_now());
}

void serve_log_in(struct conn *c, const char *token, json_t *id)
{
    json_t *message = json_pack("{s:s,s:O,s:s,s:{s:s}}", "jsonrpc", "2.0",
                                "id", id, "method", "session.resume", "params",
                                "token", token);
    char *line = message != NULL ? json_dumps(message, JSON_COMPACT) : NULL;

    json_decref(message);
    if (line == NULL)
        return; /* no UTF-8: nobody's token */
    c->to_come++;
    say(c, line, strlen(line));
    free(line);
}

/* Becomes a peer for one request; TOKEN may be NULL.  Should it be bad, that is
 * the answer, under the request's ID. */
static void begin_call(struct conn *c, enum call_kind kind, const char *token,
                       json_t *id)
{
    struct peer_info info = serve_info(c, false);

    c->call = kind;
    c->to_come = 0;
    info.admin = false;
    conn_join(c, &info);
    if (token != NULL)
        serve_log_in(c, token, id);
}

/* The same for a request that we make. */
static void begin_own_call(struct conn *c, enum call_kind kind,
                           const char *token)
{
    json_t *id = json_integer(0);

    begin_call(c, kind, token, id);
    json_decref(id);
}

/* ---- the cookie -------------------------------------------------------- */

static void set_cookie(struct conn *c, struct http_answer *a, char *cookie,
                       size_t size, const char *token)
{
    int64_t age = c->daemon->config.session_days * 24 * 3600;
    char path[PREFIX_SIZE];

    serve_prefix(c, path);
    size_t n = http_set_cookie(cookie, size, SERVE_COOKIE, token, path,
                               token[0] != '\0' ? age : 0, c->secure);
    ASSERT(n < size);
    a->set_cookie = cookie;
}

static void heard_logout(struct conn *c)
{
    struct http_answer a = {.status = 204};
    char cookie[256 + PREFIX_SIZE];

    set_cookie(c, &a, cookie, sizeof(cookie), "");
    serve_answer(c, &a, "", 0);
    serve_done(c);
}

/* The request's body as JSON; NULL if it is none, or not worth reading. */
static json_t *body_of(const struct conn *c)
{
    const struct http_request *r = c->http.request;
    char why[JSON_EXPECTED_MAX];

    if (json_values(r->body, r->body_len) > LIMIT_VALUES)
        return NULL;
    return json_parse(r->body, r->body_len, why);
}

/* ---- POST /rpc ----------------------------------------------------------- */

void serve_rpc(struct conn *c)
{
    const struct http_request *r = c->http.request;
    const char *token = http_bearer(r->authorization);

    if (!http_is_json(r->content_type)) {
        serve_status(c, 415, NULL);
        return;
    }
    json_t *body = token != NULL ? body_of(c) : NULL;
    json_t *id = json_object_get(body, "id");
    /* What has no id is refused, whoever asks. */
    bool named = json_is_string(id) || json_is_integer(id);
    begin_call(c, CALL_RPC, named ? token : NULL, id);
    json_decref(body);
    /* The answer may come on the spot, and with it the end of the request. */
    if (c->call == CALL_RPC)
        say(c, r->body, r->body_len);
}

static void answer_json(struct conn *c, const char *body, size_t len)
{
    struct http_answer a = {.status = 200, .type = "application/json"};
    serve_answer(c, &a, body, len);
    serve_done(c);
}

/* The answer to the token.  If it was bad, it is the answer to the request. */
static void heard_token(struct conn *c, const struct message *message)
{
    if (message->error == ERR_NONE)
        return;
    if (c->call == CALL_RPC)
        answer_json(c, message->text, message->len);
    else if (c->call == CALL_LOGOUT)
        heard_logout(c); /* the session is gone already */
}

/* ---- /session ------------------------------------------------------------ */

static bool session_method(const json_t *name)
{
    static const enum method taken[] = {
        M_SESSION_LOGIN,    M_SESSION_RESUME, M_SESSION_PROXY,
        M_ACCOUNT_REGISTER, M_ACCOUNT_GUEST,
    };
    for (size_t i = 0; i < COUNT_OF(taken); i++)
        if (json_text_is(name, methods[taken[i]].name))
            return true;
    return false;
}

static void bad_session(struct conn *c)
{
    static const char body[] =
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"
        "\"message\":\"This is not a way to log in.\",\"data\":{\"reason\":"
        "\"invalid_request\",\"expected\":\"method (session.login,"
        " session.resume, session.proxy, account.register or account.guest) and params\"}}}";
    answer_json(c, body, sizeof(body) - 1);
}

void serve_session(struct conn *c)
{
    const struct http_request *r = c->http.request;
    json_t *body = body_of(c);
    json_t *method = json_object_get(body, "method");
    json_t *params = json_object_get(body, "params");

    if (!http_is_json(r->content_type)) {
        serve_status(c, 415, NULL);
    } else if (!session_method(method) ||
               (params != NULL && !json_is_object(params))) {
        bad_session(c);
    } else {
        json_t *message = json_pack("{s:s,s:i,s:O,s:O*}", "jsonrpc", "2.0",
                                    "id", 1, "method", method, "params",
                                    params);
        char *line = json_dumps(message, JSON_COMPACT);
        ASSERT(line != NULL);
        c->secure = strcmp(serve_scheme(c), "https") == 0;
        begin_call(c, CALL_SESSION, NULL, NULL);
        if (c->peer != 0)
            hub_session(c->daemon->hub, c->peer, line, strlen(line),
                        daemon_now());
        free(line);
        json_decref(message);
    }
    json_decref(body);
}

/* Keeps the token from the page: it goes into the cookie. */
static void heard_session(struct conn *c, const struct message *message)
{
    struct http_answer a = {.status = 200, .type = "application/json"};
    char cookie[256 + PREFIX_SIZE];

    ASSERT(message->error != ERR_NONE || message->token != NULL);
    if (message->error == ERR_NONE)
        set_cookie(c, &a, cookie, sizeof(cookie), message->token);
    serve_answer(c, &a, message->text, message->len);
    serve_done(c);
}

void serve_logout(struct conn *c)
{
    static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
                               "\"session.logout\"}";
    char *token = serve_cookie(c);

    if (token == NULL) {
        struct http_answer a = {.status = 204};
        serve_answer(c, &a, "", 0);
        serve_done(c);
        return;
    }
    c->secure = strcmp(serve_scheme(c), "https") == 0;
    begin_own_call(c, CALL_LOGOUT, token);
    if (c->call == CALL_LOGOUT)
        say(c, line, sizeof(line) - 1);
    free(token);
}

/* ---- records -------------------------------------------------------------- */

static void ask_record(struct conn *c, int64_t from)
{
    if (c->peer != 0)
        hub_record(c->daemon->hub, c->peer, c->wanted, from, daemon_now());
}

bool serve_record(struct conn *c, const char *path)
{
    static const char head[] = "/api/v1/tables/", tail[] = "/record";
    size_t len = strlen(path), h = sizeof(head) - 1, t = sizeof(tail) - 1;
    const char *bearer = http_bearer(c->http.request->authorization);
    char *cookie = NULL;

    if (len <= h + t || memcmp(path, head, h) != 0 ||
        strcmp(path + len - t, tail) != 0 || len - h - t > 32)
        return false;
    c->wanted = strndup(path + h, len - h - t);
    for (const char *at = c->wanted; *at != '\0'; at++)
        if (!((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9')))
            return false;
    if (bearer == NULL)
        cookie = serve_cookie(c);
    c->record_begun = false;
    c->record_next = 0;
    begin_own_call(c, CALL_RECORD, bearer != NULL ? bearer : cookie);
    free(cookie);
    if (c->call == CALL_RECORD)
        ask_record(c, 0);
    return true;
}

static int status_of(enum error e)
{
    switch (error_code(e)) {
    case 1001: return 401;
    case 1002: return 403;
    case 1003: return 404;
    case 1004: return 409;
    case 1005: return 429;
    case 3001: return 503;
    default: return 400;
    }
}

/* ---- /unsubscribe ---------------------------------------------------------- */

#define CODE_MAX 64

/* The page is by script, so what it is about stands behind a '#'. */
static void lead_to_page(struct conn *c, const char *code)
{
    char prefix[PREFIX_SIZE], where[PREFIX_SIZE + CODE_MAX + 32];
    struct http_answer a = {.status = 303, .location = where};

    serve_prefix(c, prefix);
    snprintf(where, sizeof(where), "%s#unsubscribe/%s", prefix, code);
    serve_answer(c, &a, "", 0);
    serve_done(c);
}

bool serve_unsubscribe(struct conn *c, const char *path)
{
    static const char head[] = "/unsubscribe/";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    const char *code = path + sizeof(head) - 1;
    char line[256];

    if (strncmp(path, head, sizeof(head) - 1) != 0 || code[0] == '\0' ||
        strlen(code) > CODE_MAX || code[strspn(code, letters)] != '\0')
        return false;
    if (c->http.request->method != HTTP_METHOD_POST) {
        lead_to_page(c, code);
        return true;
    }
    int n = snprintf(line, sizeof(line),
                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
                     "\"notices.unsubscribe\",\"params\":{\"code\":\"%s\"}}",
                     code);
    begin_own_call(c, CALL_UNSUBSCRIBE, NULL);
    say(c, line, (size_t)n);
    return true;
}

static void heard_unsubscribe(struct conn *c, const struct message *message)
{
    static const char done[] = "There are no more mails of this kind.\n";
    struct http_answer a = {.status = 200,
                            .type = "text/plain; charset=utf-8"};

    if (message->error != ERR_NONE) {
        serve_status(c, status_of(message->error), NULL);
        return;
    }
    serve_answer(c, &a, done, sizeof(done) - 1);
    serve_done(c);
}

/* ---- records, page by page --------------------------------------------------- */

/* A record comes in pages, the first with the head.  Its length is not known
 * beforehand: it goes in chunks, or, to 1.0, up to the connection's end. */
static void begin_record(struct conn *c)
{
    bool chunked = !c->http.request->http_1_0;
    struct http_answer a = {
        .status = 200,
        .type = "application/x-ndjson",
        .chunked = chunked,
        .to_the_end = !chunked,
    };

    c->record_begun = true;
    c->keep_alive = c->keep_alive && chunked;
    serve_head(c, &a);
}

static void write_page(struct conn *c, const struct message *page)
{
    bool chunked = !c->http.request->http_1_0;
    char size[24];
    int n = snprintf(size, sizeof(size), "%" PRIx32 "\r\n", page->len);

    if (page->len == 0) /* an empty chunk would be the last */
        return;
    if (chunked)
        conn_write(c, size, (size_t)n);
    conn_write(c, page->text, page->len);
    if (chunked)
        conn_write(c, "\r\n", 2);
}

static void heard_record(struct conn *c, const struct message *page)
{
    if (page->error != ERR_NONE && !c->record_begun) {
        serve_status(c, status_of(page->error), NULL);
        return;
    }
    if (page->error != ERR_NONE) {
        conn_close(c, false); /* so that nobody takes it for whole */
        return;
    }
    if (!c->record_begun)
        begin_record(c);
    if (!c->head_only)
        write_page(c, page);
    if (page->next != 0 && !c->head_only) {
        c->record_next = page->next;
        conn_wait(c); /* not while the hub speaks */
        return;
    }
    if (!c->head_only && !c->http.request->http_1_0)
        conn_write(c, "0\r\n\r\n", 5);
    serve_done(c);
}

void serve_more(struct conn *c)
{
    int64_t from = c->record_next;

    if (c->call != CALL_RECORD || from == 0)
        return;
    c->record_next = 0;
    ask_record(c, from);
}

void serve_heard(struct conn *c, struct message *message)
{
    if (c->to_come > 0) {
        c->to_come--;
        heard_token(c, message);
        return;
    }
    switch (c->call) {
    case CALL_RPC: answer_json(c, message->text, message->len); break;
    case CALL_SESSION: heard_session(c, message); break;
    case CALL_LOGOUT: heard_logout(c); break;
    case CALL_RECORD: heard_record(c, message); break;
    case CALL_UNSUBSCRIBE: heard_unsubscribe(c, message); break;
    case CALL_NONE: break;
    }
    if (c->call == CALL_NONE && c->kind == CONN_HTTP)
        conn_wait(c);
}
