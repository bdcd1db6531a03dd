/* serve.c -- what HTTP requests get: the heads, and the table of paths. */

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "serve.h"
#include "web.h"

/* ---- answers ------------------------------------------------------------ */

static const char *date_now(char *date)
{
    http_date(date, daemon_now() / 1000);
    return date;
}

void serve_head(struct conn *c, const struct http_answer *what)
{
    char head[HTTP_ANSWER_BYTES_MAX + 1024], date[HTTP_DATE_SIZE];
    struct http_answer a = *what;

    a.date = date_now(date);
    a.close = !c->keep_alive;
    size_t n = http_head(head, sizeof(head), &a);
    ASSERT(n < sizeof(head));
    conn_write(c, head, n);
}

void serve_answer(struct conn *c, const struct http_answer *what,
                  const void *body, size_t len)
{
    struct http_answer a = *what;

    a.body_len = len;
    serve_head(c, &a);
    if (c->head_only)
        return;
    conn_write(c, body, len);
    conn_charge(c, len / 16);
}

void serve_done(struct conn *c)
{
    c->call = CALL_NONE;
    conn_leave(c);
    free(c->wanted);
    c->wanted = NULL;
    conn_stand_alone(c);
    if (!c->keep_alive) {
        conn_close(c, true);
        return;
    }
    http_next(&c->http);
}

void serve_status(struct conn *c, int status, const char *allow)
{
    char text[HTTP_ANSWER_BYTES_MAX], date[HTTP_DATE_SIZE];
    size_t n = http_plain(text, sizeof(text), status, date_now(date), allow,
                          !c->keep_alive, c->head_only);
    conn_write(c, text, n);
    serve_done(c);
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
    serve_answer(c, &a, body, strlen(body));
    serve_done(c);
}

/* ---- WebSocket ------------------------------------------------------------ */

static void serve_ws(struct conn *c, bool echo)
{
    const struct http_request *r = c->http.request;
    struct peer_info info = serve_info(c, true);
    char head[HTTP_ANSWER_BYTES_MAX], date[HTTP_DATE_SIZE];
    const char *bearer = http_bearer(r->authorization);
    char *token = bearer != NULL ? strdup(bearer) : serve_cookie(c);
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
        serve_status(c, status, NULL);
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
            serve_log_in(c, token, id);
            json_decref(id);
        }
    }
    free(token);
}

/* ---- the table of paths ---------------------------------------------------- */

/* The browser client.  The page itself is asked for every time, and so is its
 * service worker; they name the others by a folder that no later version has, so
 * those are kept for ever.  What the worker may do is said by its own head: the
 * same as the page. */
static bool serve_web(struct conn *c, const char *path)
{
    const struct http_request *r = c->http.request;
    const struct web_file *file = web_find(path);
    char etag[64];

    if (file == NULL)
        return false;
    bool page = web_changes(path);
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
        serve_answer(c, &a, "", 0);
    } else if (gzip) {
        serve_answer(c, &a, file->gzip, file->gzip_len);
    } else {
        unsigned char *whole = malloc(file->len);
        ASSERT(whole != NULL);
        web_unpack(file, whole);
        conn_charge(c, file->len / 2);
        serve_answer(c, &a, whole, file->len);
        free(whole);
    }
    serve_done(c);
    return true;
}

/* Why nobody should be sent here, or NULL. */
static const char *not_ready(struct daemon *d)
{
    struct store_health h;

    store_health(d->store, &h);
    if (d->ending)
        return "the server ends\n";
    if (h.moved)
        return "another file is in the place of the store's, or none\n";
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
    serve_answer(c, &a, why, strlen(why));
    serve_done(c);
}

static void serve_get(struct conn *c, const char *path)
{
    if (strcmp(path, "/healthz") == 0) {
        answer_text(c, "ok\n", "text/plain; charset=utf-8");
    } else if (strcmp(path, "/readyz") == 0) {
        serve_ready(c);
    } else if (strcmp(path, "/metrics") == 0) {
        if (!c->daemon->config.metrics_all && !serve_info(c, false).direct) {
            serve_status(c, 403, NULL);
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
        serve_status(c, 404, NULL);
    }
}

void serve_whose(struct conn *c)
{
    struct peer_info info = serve_info(c, false);

    conn_stand(c, info.source, info.direct);
}

void serve_request(struct conn *c)
{
    const struct http_request *r = c->http.request;
    bool get = r->method == HTTP_METHOD_GET || r->method == HTTP_METHOD_HEAD;
    bool ws = strcmp(r->path, "/ws") == 0;
    bool echo = strcmp(r->path, "/echo") == 0 && c->daemon->config.echo;

    c->keep_alive = r->keep_alive && !c->daemon->ending;
    c->head_only = r->method == HTTP_METHOD_HEAD;
    if (!serve_origin_ok(c))
        serve_status(c, 403, NULL);
    else if (ws || echo) {
        if (r->method == HTTP_METHOD_GET)
            serve_ws(c, echo);
        else
            serve_status(c, 405, "GET");
    } else if (strcmp(r->path, "/rpc") == 0) {
        if (r->method == HTTP_METHOD_POST)
            serve_rpc(c);
        else
            serve_status(c, 405, "POST");
    } else if (strcmp(r->path, "/session") == 0) {
        if (r->method == HTTP_METHOD_POST)
            serve_session(c);
        else if (r->method == HTTP_METHOD_DELETE)
            serve_logout(c);
        else
            serve_status(c, 405, "POST, DELETE");
    } else if ((get || r->method == HTTP_METHOD_POST) &&
               serve_unsubscribe(c, r->path)) {
        return;
    } else if (get)
        serve_get(c, r->path);
    else
        serve_status(c, 405, "GET, HEAD");
}
