/* serve.c -- what HTTP requests get.
 *
 * A request that needs the hub becomes a peer of its own for as long as it
 * takes: its token, if it brings one, logs that peer in, then the request
 * follows, and what the hub answers to that is the body.  Only the cookie's
 * pages and `GET /ws` look at the cookie; `POST /rpc` never does, so that no
 * other site's form can speak for somebody. */

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "daemon.h"
#include "protocol/game_json.h"
#include "protocol/methods.h"
#include "server/hub/limits.h"
#include "web.h"

#define COOKIE      "sobremesa"
#define PREFIX_SIZE 100 /* of a path: longer ones nobody types */

/* ---- answers ------------------------------------------------------------ */

static const char *date_now(char *date)
{
    http_date(date, daemon_now() / 1000);
    return date;
}

static void answer_head(struct conn *c, const struct http_answer *what)
{
    char head[HTTP_ANSWER_BYTES_MAX + 1024], date[HTTP_DATE_SIZE];
    struct http_answer a = *what;

    a.date = date_now(date);
    a.close = !c->keep_alive;
    size_t n = http_head(head, sizeof(head), &a);
    ASSERT(n < sizeof(head));
    conn_write(c, head, n);
}

static void answer(struct conn *c, const struct http_answer *what,
                   const void *body, size_t len)
{
    struct http_answer a = *what;

    a.body_len = len;
    answer_head(c, &a);
    if (c->head)
        return;
    conn_write(c, body, len);
    conn_charge(c, len / 16);
}

/* The request is answered; the next may come. */
static void finish(struct conn *c)
{
    c->call = CALL_NONE;
    conn_leave(c);
    free(c->wanted);
    free(c->token);
    c->wanted = c->token = NULL;
    conn_stand_alone(c);
    if (!c->keep_alive) {
        conn_close(c, true);
        return;
    }
    http_next(&c->http);
}

static void plain(struct conn *c, int status, const char *allow)
{
    char text[HTTP_ANSWER_BYTES_MAX], date[HTTP_DATE_SIZE];
    size_t n = http_plain(text, sizeof(text), status, date_now(date), allow,
                          !c->keep_alive, c->head);
    conn_write(c, text, n);
    finish(c);
}

void serve_refusal(struct conn *c, int status)
{
    char text[HTTP_ANSWER_BYTES_MAX], date[HTTP_DATE_SIZE];
    size_t n = http_plain(text, sizeof(text), status, date_now(date), NULL,
                          true, false);
    conn_write(c, text, n);
    conn_close(c, true);
}

static void answer_text(struct conn *c, const char *body, const char *type)
{
    struct http_answer a = {.status = 200, .type = type};
    answer(c, &a, body, strlen(body));
    finish(c);
}

/* ---- who asks ------------------------------------------------------------ */

/* Whether ORIGIN is one of LIST. */
static bool is_allowed(const char *list, const char *origin)
{
    char one[CONFIG_TEXT_MAX];

    for (const char *at = list; *at != '\0';) {
        size_t n = strcspn(at, " ,");
        (void)snprintf(one, sizeof(one), "%.*s", (int)n, at);
        if (n > 0 && http_origin_same(origin, one))
            return true;
        at += n + (at[n] != '\0');
    }
    return false;
}

/* What the nearest proxy wrote of a list (or NULL), to its end. */
static const char *last_of(const char *list)
{
    size_t len;
    return http_list_last(list, &len);
}

/* As the client sees us, if a proxy we trust stands between. */
static const char *scheme_of(const struct conn *c)
{
    const struct http_request *r = c->http.request;
    const char *proto = c->proxy ? last_of(r->forwarded_proto) : NULL;
    return proto != NULL && strcasecmp(proto, "https") == 0 ? "https" : "http";
}

static const char *host_of(const struct conn *c)
{
    const struct http_request *r = c->http.request;
    const char *host = c->proxy ? last_of(r->forwarded_host) : NULL;
    return host != NULL ? host : r->host;
}

/* Below which path the client sees us, with a slash at its end: "/games/"; "/"
 * if it is not said, or in a way that nobody says it. */
static void prefix_of(const struct conn *c, char path[PREFIX_SIZE])
{
    const struct http_request *r = c->http.request;
    size_t len = 0;
    const char *given = c->proxy ? http_list_last(r->forwarded_prefix, &len)
                                 : NULL;

    if (given == NULL || len > PREFIX_SIZE - 2 ||
        !http_path_is_plain(given, len) || memmem(given, len, "//", 2))
        len = 0;
    (void)snprintf(path, PREFIX_SIZE, "%.*s%s", (int)len, len > 0 ? given : "",
                   len > 0 && given[len - 1] == '/' ? "" : "/");
}

static bool is_forwarded(const struct http_request *r)
{
    return r->forwarded != NULL || r->forwarded_for != NULL ||
           r->forwarded_host != NULL || r->forwarded_proto != NULL ||
           r->forwarded_prefix != NULL || r->real_ip != NULL;
}

/* PROTOCOL, Transports: a direct peer comes over loopback or a Unix socket,
 * without forwarded headers and with a loopback Host. */
static struct peer_info info_of(const struct conn *c, bool notices)
{
    const struct http_request *r = c->http.request;
    struct peer_info info = c->info;
    size_t len;

    info.notices = notices;
    info.direct = info.direct && !is_forwarded(r) &&
                  http_host_is_loopback(r->host);
    if (c->proxy && r->forwarded_for != NULL) {
        const char *last = http_list_last(r->forwarded_for, &len);
        if (last != NULL)
            info.source = listen_source(last, len, info.address);
    }
    return info;
}

/* PROTOCOL, Browsers: an Origin must be our own, or one that is allowed. */
static bool origin_ok(const struct conn *c)
{
    const struct http_request *r = c->http.request;
    return r->origin == NULL ||
           http_origin_is(r->origin, scheme_of(c), host_of(c)) ||
           is_allowed(c->daemon->config.origins, r->origin);
}

/* The token in the request's cookie, copied, or NULL. */
static char *cookie_token(const struct conn *c)
{
    size_t len;
    const char *value = http_cookie(c->http.request->cookie, COOKIE, &len);

    if (value == NULL || len == 0 || len > 64)
        return NULL;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)value[i] < 0x21 || value[i] == '"' ||
            value[i] == '\\' || (unsigned char)value[i] > 0x7e)
            return NULL;
    return strndup(value, len);
}

/* ---- asking the hub ------------------------------------------------------ */

static void say(struct conn *c, const char *message, size_t len)
{
    if (c->peer != 0)
        hub_message(c->daemon->hub, c->peer, message, len, daemon_now());
}

/* Logs C's peer in; its answer, under ID, comes before the one that counts. */
static void say_token(struct conn *c, const char *token, json_t *id)
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
    struct peer_info info = info_of(c, false);

    c->call = kind;
    c->to_come = 0;
    info.admin = false;
    conn_join(c, &info);
    if (token != NULL)
        say_token(c, token, id);
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

    prefix_of(c, path);
    size_t n = http_set_cookie(cookie, size, COOKIE, token, path,
                               token[0] != '\0' ? age : 0, c->secure);
    ASSERT(n < size);
    a->set_cookie = cookie;
}

static void heard_logout(struct conn *c)
{
    struct http_answer a = {.status = 204};
    char cookie[256 + PREFIX_SIZE];

    set_cookie(c, &a, cookie, sizeof(cookie), "");
    answer(c, &a, "", 0);
    finish(c);
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

static void serve_rpc(struct conn *c)
{
    const struct http_request *r = c->http.request;
    const char *token = http_bearer(r->authorization);

    if (!http_is_json(r->content_type)) {
        plain(c, 415, NULL);
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
    answer(c, &a, body, len);
    finish(c);
}

/* The answer to the token.  If it was bad, it is the answer to the request. */
static void heard_token(struct conn *c, const struct parcel *parcel)
{
    if (parcel->error == ERR_NONE)
        return;
    if (c->call == CALL_RPC)
        answer_json(c, parcel->text, parcel->len);
    else if (c->call == CALL_LOGOUT)
        heard_logout(c); /* the session is gone already */
}

/* ---- /session ------------------------------------------------------------ */

static bool session_method(const json_t *name)
{
    static const enum method taken[] = {
        M_SESSION_LOGIN,
        M_SESSION_RESUME,
        M_ACCOUNT_REGISTER,
        M_ACCOUNT_GUEST,
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
        " session.resume, account.register or account.guest) and params\"}}}";
    answer_json(c, body, sizeof(body) - 1);
}

static void serve_session(struct conn *c)
{
    const struct http_request *r = c->http.request;
    json_t *body = body_of(c);
    json_t *method = json_object_get(body, "method");
    json_t *params = json_object_get(body, "params");

    if (!http_is_json(r->content_type)) {
        plain(c, 415, NULL);
    } else if (!session_method(method) ||
               (params != NULL && !json_is_object(params))) {
        bad_session(c);
    } else {
        const char *token = json_string_value(
            json_object_get(params, "token"));
        json_t *message = json_pack("{s:s,s:i,s:O,s:O}", "jsonrpc", "2.0",
                                    "id", 1, "method", method, "params",
                                    params);
        if (params == NULL)
            message = json_pack("{s:s,s:i,s:O}", "jsonrpc", "2.0", "id", 1,
                                "method", method);
        char *line = json_dumps(message, JSON_COMPACT);
        ASSERT(line != NULL);
        c->token = token != NULL ? strdup(token) : NULL;
        c->secure = strcmp(scheme_of(c), "https") == 0;
        begin_call(c, CALL_SESSION, NULL, NULL);
        say(c, line, strlen(line));
        free(line);
        json_decref(message);
    }
    json_decref(body);
}

/* Keeps the token from the page: it goes into the cookie, so this answer is
 * taken apart. */
static void heard_session(struct conn *c, const struct parcel *parcel)
{
    struct http_answer a = {.status = 200, .type = "application/json"};
    char cookie[256 + PREFIX_SIZE];

    if (parcel->error != ERR_NONE) {
        answer_json(c, parcel->text, parcel->len);
        return;
    }
    json_t *said = json_loadb(parcel->text, parcel->len, 0, NULL);
    json_t *result = json_object_get(said, "result");
    const char *token = json_string_value(json_object_get(result, "token"));
    json_t *user = json_pack("{s:O}", "user", json_object_get(result, "user"));
    char *body = json_dumps(user, JSON_COMPACT);

    if (token == NULL)
        token = c->token; /* with which it was resumed */
    ASSERT(token != NULL && body != NULL);
    set_cookie(c, &a, cookie, sizeof(cookie), token);
    answer(c, &a, body, strlen(body));
    finish(c);
    free(body);
    json_decref(user);
    json_decref(said);
}

static void serve_logout(struct conn *c)
{
    static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
                               "\"session.logout\"}";
    char *token = cookie_token(c);

    if (token == NULL) {
        struct http_answer a = {.status = 204};
        answer(c, &a, "", 0);
        finish(c);
        return;
    }
    c->secure = strcmp(scheme_of(c), "https") == 0;
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

/* /api/v1/tables/ID/record */
static bool serve_record(struct conn *c, const char *path)
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
        cookie = cookie_token(c);
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
    answer_head(c, &a);
}

static void write_page(struct conn *c, const struct parcel *page)
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

static void heard_record(struct conn *c, const struct parcel *page)
{
    if (page->error != ERR_NONE && !c->record_begun) {
        plain(c, status_of(page->error), NULL);
        return;
    }
    if (page->error != ERR_NONE) {
        conn_close(c, false); /* so that nobody takes it for whole */
        return;
    }
    if (!c->record_begun)
        begin_record(c);
    if (!c->head)
        write_page(c, page);
    if (page->next != 0 && !c->head) {
        c->record_next = page->next;
        conn_wait(c); /* not while the hub speaks */
        return;
    }
    if (!c->head && !c->http.request->http_1_0)
        conn_write(c, "0\r\n\r\n", 5);
    finish(c);
}

void serve_more(struct conn *c)
{
    int64_t from = c->record_next;

    if (c->call != CALL_RECORD || from == 0)
        return;
    c->record_next = 0;
    ask_record(c, from);
}

/* ---- WebSocket ------------------------------------------------------------ */

static void serve_ws(struct conn *c, bool echo)
{
    const struct http_request *r = c->http.request;
    struct peer_info info = info_of(c, true);
    char head[HTTP_ANSWER_BYTES_MAX], date[HTTP_DATE_SIZE];
    const char *bearer = http_bearer(r->authorization);
    char *token = bearer != NULL ? strdup(bearer) : cookie_token(c);
    struct ws_answer agreed;
    int status = ws_handshake(r, &agreed);

    if (status == 0 && bearer == NULL && token != NULL && r->origin == NULL)
        status = 403; /* a cookie comes with an Origin, or not from a page */
    if (status == 0 &&
        (info.source != c->info.source || info.direct != c->info.direct) &&
        !conn_count(c, info.source, info.direct)) {
        c->daemon->turned_away++;
        status = 429;
    }
    if (status != 0) {
        free(token);
        plain(c, status, NULL);
        return;
    }
    size_t n = ws_answer_head(head, sizeof(head), &agreed, date_now(date),
                              NULL);
    conn_write(c, head, n);
    http_done(&c->http);
    c->daemon->proxied -= c->proxy; /* whose it is is known from now on */
    c->proxy = false;
    c->kind = echo ? CONN_ECHO : CONN_WS;
    ws_init(&c->ws, &(struct ws_options){
                        .side = WS_SERVER,
                        .deflate = agreed.deflate,
                        .binary = echo,
                    });
    if (!echo) {
        info.admin = false;
        conn_join(c, &info);
        if (token != NULL) {
            json_t *id = json_integer(0);
            say_token(c, token, id);
            json_decref(id);
        }
    }
    free(token);
}

/* ---- the table of paths ---------------------------------------------------- */

/* The browser client.  The page itself is asked for every time; it names the
 * others by a folder that no later version has, so they are kept for ever. */
static bool serve_web(struct conn *c, const char *path)
{
    const struct http_request *r = c->http.request;
    const struct web_file *file = web_find(path);
    char etag[64];

    if (file == NULL)
        return false;
    bool page = strcmp(path, "/") == 0;
    bool gzip = http_accepts(r->accept_encoding, "gzip");
    (void)snprintf(etag, sizeof(etag), "\"%s%s\"", web_tag, gzip ? "-gz" : "");
    struct http_answer a = {
        .status = http_etag_matches(r->if_none_match, etag) ? 304 : 200,
        .type = file->type,
        .page = page,
        .etag = etag,
        .cache = page ? "no-cache" : "public, max-age=31536000, immutable",
        .encoding = gzip ? "gzip" : NULL,
        .more = gzip ? NULL : "Vary: Accept-Encoding\r\n",
    };
    if (a.status == 304) {
        answer(c, &a, "", 0);
    } else if (gzip) {
        answer(c, &a, file->gzip, file->gzip_len);
    } else {
        unsigned char *whole = malloc(file->len);
        ASSERT(whole != NULL);
        web_unpack(file, whole);
        conn_charge(c, file->len / 2);
        answer(c, &a, whole, file->len);
        free(whole);
    }
    finish(c);
    return true;
}

/* Why nobody should be sent here, or NULL. */
static const char *not_ready(struct daemon *d)
{
    struct store_health h;

    store_health(d->store, &h);
    if (d->ending)
        return "the server ends\n";
    if (h.damage[0] != '\0')
        return "the store is damaged\n";
    return store_writable(d->store) ? NULL : "the store cannot write\n";
}

static void serve_ready(struct conn *c)
{
    const char *why = not_ready(c->daemon);
    struct http_answer a = {
        .status = why != NULL ? 503 : 200,
        .type = "text/plain; charset=utf-8",
    };

    if (why == NULL)
        why = "ok\n";
    answer(c, &a, why, strlen(why));
    finish(c);
}

static void serve_get(struct conn *c, const char *path)
{
    if (strcmp(path, "/healthz") == 0) {
        answer_text(c, "ok\n", "text/plain; charset=utf-8");
    } else if (strcmp(path, "/readyz") == 0) {
        serve_ready(c);
    } else if (strcmp(path, "/metrics") == 0) {
        if (!c->daemon->config.metrics_all && !info_of(c, false).direct) {
            plain(c, 403, NULL);
            return;
        }
        char *body = NULL;
        size_t len;
        FILE *f = open_memstream(&body, &len);
        ASSERT(f != NULL);
        metrics_write(c->daemon, f);
        fclose(f);
        answer_text(c, body, "text/plain; version=0.0.4");
        free(body);
    } else if (!serve_web(c, path) && !serve_record(c, path)) {
        plain(c, 404, NULL);
    }
}

void serve_whose(struct conn *c)
{
    struct peer_info info = info_of(c, false);

    conn_stand(c, info.source, info.direct);
}

void serve_request(struct conn *c)
{
    const struct http_request *r = c->http.request;
    bool get = r->method == HTTP_METHOD_GET || r->method == HTTP_METHOD_HEAD;
    bool ws = strcmp(r->path, "/ws") == 0;
    bool echo = strcmp(r->path, "/echo") == 0 && c->daemon->config.echo;

    c->keep_alive = r->keep_alive && !c->daemon->ending;
    c->head = r->method == HTTP_METHOD_HEAD;
    if (!origin_ok(c))
        plain(c, 403, NULL);
    else if (ws || echo) {
        if (r->method == HTTP_METHOD_GET)
            serve_ws(c, echo);
        else
            plain(c, 405, "GET");
    } else if (strcmp(r->path, "/rpc") == 0) {
        if (r->method == HTTP_METHOD_POST)
            serve_rpc(c);
        else
            plain(c, 405, "POST");
    } else if (strcmp(r->path, "/session") == 0) {
        if (r->method == HTTP_METHOD_POST)
            serve_session(c);
        else if (r->method == HTTP_METHOD_DELETE)
            serve_logout(c);
        else
            plain(c, 405, "POST, DELETE");
    } else if (get)
        serve_get(c, r->path);
    else
        plain(c, 405, "GET, HEAD");
}

void serve_heard(struct conn *c, struct parcel *parcel)
{
    if (c->to_come > 0) {
        c->to_come--;
        heard_token(c, parcel);
        return;
    }
    switch (c->call) {
    case CALL_RPC: answer_json(c, parcel->text, parcel->len); break;
    case CALL_SESSION: heard_session(c, parcel); break;
    case CALL_LOGOUT: heard_logout(c); break;
    case CALL_RECORD: heard_record(c, parcel); break;
    case CALL_NONE: break;
    }
    if (c->call == CALL_NONE && c->kind == CONN_HTTP)
        conn_wait(c);
}
