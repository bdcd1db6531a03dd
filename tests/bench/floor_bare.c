/* floor_bare.c -- WebSocket, JSON and a group commit, and nothing else: what a
 * server without rules, views, chains or accounts would do with a move.
 *
 * usage: floor_bare DIR | none
 *
 *     {"join":true,"table":7}               -> {"joined":7}
 *     {"id":3,"table":7,"seat":0,"text":..} -> {"update":{...}} to both,
 *                                              {"ack":3,"ply":12} to one
 *
 * A thread appends what has come, in one transaction, with synchronous FULL;
 * "none" leaves that out.  The project's own framing and JSON writer; jansson
 * reads.  Says its port in one line, ends with SIGTERM. */

#include <jansson.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "core/base.h"
#include "protocol/json_out.h"
#include "protocol/ws.h"

#define PAD 200

struct peer {
    uv_tcp_t tcp;
    struct http http;
    struct ws ws;
    bool open, dirty;
    struct peer *dirty_next;
    struct json_out out; /* frames to be written at the end of the turn */
};

struct seats {
    struct peer *peer[2];
    int count;
    uint32_t ply;
};

struct move {
    struct move *next;
    struct seats *table;
    struct peer *mover;
    int64_t number, id;
    uint32_t ply;
    size_t len;
    char text[];
};

#define TABLES_MAX 10000
static struct seats tables[TABLES_MAX];
static struct ws_kit kit;
static struct peer *dirty;
static uv_loop_t loop;

/* ---- the writer ---------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wakes = PTHREAD_COND_INITIALIZER;
static struct move *waiting, **waiting_end = &waiting;
static struct move *done, **done_end = &done;
static uv_async_t woken;
static sqlite3 *db;
static sqlite3_stmt *insert;

static void must(int rc)
{
    if (rc != SQLITE_OK && rc != SQLITE_DONE) {
        fprintf(stderr, "floor_bare: %s\n", sqlite3_errmsg(db));
        exit(1);
    }
}

static void store(const struct move *m)
{
    sqlite3_bind_int64(insert, 1, m->number);
    sqlite3_bind_int64(insert, 2, m->ply);
    sqlite3_bind_text(insert, 3, m->text, (int)m->len, SQLITE_STATIC);
    must(sqlite3_step(insert));
    sqlite3_reset(insert);
}

static void *writer(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (waiting == NULL)
            pthread_cond_wait(&wakes, &lock);
        struct move *batch = waiting, **end = waiting_end;
        waiting = NULL;
        waiting_end = &waiting;
        pthread_mutex_unlock(&lock);
        must(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL));
        for (const struct move *m = batch; m != NULL; m = m->next)
            store(m);
        must(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
        pthread_mutex_lock(&lock);
        *done_end = batch;
        done_end = end;
        pthread_mutex_unlock(&lock);
        uv_async_send(&woken);
    }
    return NULL;
}

/* ---- frames out ----------------------------------------------------------- */

static void flush(uv_prepare_t *prepare)
{
    (void)prepare;
    while (dirty != NULL) {
        struct peer *p = dirty;
        dirty = p->dirty_next;
        p->dirty = false;
        uv_buf_t buf = uv_buf_init((char *)(uintptr_t)json_out_text(&p->out),
                                   (unsigned)p->out.len);
        int n = uv_try_write((uv_stream_t *)&p->tcp, &buf, 1);
        if (n != (int)p->out.len) {
            fprintf(stderr, "floor_bare: somebody does not read\n");
            exit(1);
        }
        json_out_reset(&p->out);
    }
}

/* The writer is a buffer here: frames are lines at its top. */
static void send_bytes(struct peer *p, const void *bytes, size_t len)
{
    out_raw(&p->out, NULL, bytes, len);
    if (p->dirty)
        return;
    p->dirty = true;
    p->dirty_next = dirty;
    dirty = p;
}

static void send_text(struct peer *p, struct json_out *o)
{
    struct ws_outgoing *outgoing = ws_outgoing_new(WS_OPCODE_TEXT,
                                                   json_out_text(o), o->len);
    struct bytes frame = ws_outgoing_frame(outgoing, &kit, &p->ws);
    send_bytes(p, frame.data, frame.len);
    ws_outgoing_unref(outgoing);
}

/* ---- moves ----------------------------------------------------------------- */

static void tell(const struct move *m)
{
    static char pad[PAD + 1];
    struct json_out o;

    if (pad[0] == '\0')
        memset(pad, 'u', PAD);
    json_out_init(&o);
    out_object(&o, NULL);
    out_object(&o, "update");
    out_int(&o, "table", m->number);
    out_int(&o, "ply", m->ply);
    out_string(&o, "text", pad);
    out_end(&o);
    out_end(&o);
    for (int i = 0; i < m->table->count; i++)
        send_text(m->table->peer[i], &o);
    json_out_reset(&o);
    out_object(&o, NULL);
    out_int(&o, "ack", m->id);
    out_int(&o, "ply", m->ply);
    out_end(&o);
    send_text(m->mover, &o);
    json_out_done(&o);
}

static void tell_all(struct move *m)
{
    while (m != NULL) {
        struct move *next = m->next;
        tell(m);
        free(m);
        m = next;
    }
}

static void on_woken(uv_async_t *async)
{
    (void)async;
    pthread_mutex_lock(&lock);
    *done_end = NULL;
    struct move *m = done;
    done = NULL;
    done_end = &done;
    pthread_mutex_unlock(&lock);
    tell_all(m);
}

static void take_move(struct peer *p, const json_t *message, int64_t number,
                      const char *text, size_t len)
{
    struct move *m = malloc(sizeof(*m) + len);

    ASSERT(m != NULL);
    *m = (struct move){
        .table = &tables[number],
        .mover = p,
        .number = number,
        .id = json_integer_value(json_object_get(message, "id")),
        .ply = ++tables[number].ply,
        .len = len,
    };
    memcpy(m->text, text, len);
    if (db == NULL) {
        tell_all(m);
        return;
    }
    pthread_mutex_lock(&lock);
    bool first = waiting == NULL;
    *waiting_end = m;
    waiting_end = &m->next;
    if (first)
        pthread_cond_signal(&wakes);
    pthread_mutex_unlock(&lock);
}

static void take_message(struct peer *p, const char *text, size_t len)
{
    json_t *message = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    int64_t number = json_integer_value(json_object_get(message, "table"));

    if (number <= 0 || number >= TABLES_MAX) {
        fprintf(stderr, "floor_bare: no table\n");
        exit(1);
    }
    if (json_is_true(json_object_get(message, "join"))) {
        struct json_out o;
        struct seats *t = &tables[number];
        ASSERT(t->count < 2);
        t->peer[t->count++] = p;
        json_out_init(&o);
        out_object(&o, NULL);
        out_int(&o, "joined", number);
        out_end(&o);
        send_text(p, &o);
        json_out_done(&o);
    } else {
        take_move(p, message, number, text, len);
    }
    json_decref(message);
}

/* ---- connections ------------------------------------------------------------ */

static void take_frames(struct peer *p, struct bytes_in *in)
{
    struct ws_message m;

    while (in->len > 0) {
        if (ws_read(&p->ws, &kit, in, 0, &m) != WS_TEXT)
            return;
        take_message(p, (const char *)m.bytes.data, m.bytes.len);
    }
}

static void take_head(struct peer *p, struct bytes_in *in)
{
    char head[HTTP_ANSWER_BYTES_MAX];
    struct ws_answer agreed;

    enum http_event event = http_read(&p->http, in);
    if (event == HTTP_WANTS_MORE)
        return;
    if (event != HTTP_HAS_UPGRADE ||
        ws_handshake(p->http.request, &agreed) != 0) {
        fprintf(stderr, "floor_bare: no WebSocket\n");
        exit(1);
    }
    agreed.deflate = false;
    size_t n = ws_answer_head(head, sizeof(head), &agreed, NULL, NULL);
    send_bytes(p, head, n);
    http_done(&p->http);
    ws_init(&p->ws, &(struct ws_options){.side = WS_SERVER});
    p->open = true;
    take_frames(p, in);
}

static void alloc(uv_handle_t *handle, size_t wanted, uv_buf_t *buf)
{
    static char room[65536];
    (void)handle, (void)wanted;
    *buf = uv_buf_init(room, sizeof(room));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct peer *p = stream->data;
    struct bytes_in in = {(uint8_t *)buf->base, n > 0 ? (size_t)n : 0};

    if (n < 0)
        uv_read_stop(stream); /* the run is over */
    else if (p->open)
        take_frames(p, &in);
    else
        take_head(p, &in);
}

static void on_connection(uv_stream_t *server, int status)
{
    struct peer *p = calloc(1, sizeof(*p));

    ASSERT(p != NULL && status == 0);
    http_init(&p->http);
    json_out_init(&p->out);
    p->tcp.data = p;
    uv_tcp_init(&loop, &p->tcp);
    int err = uv_accept(server, (uv_stream_t *)&p->tcp);
    ASSERT(err == 0);
    uv_tcp_nodelay(&p->tcp, 1);
    uv_read_start((uv_stream_t *)&p->tcp, alloc, on_read);
}

/* ---- beginning --------------------------------------------------------------- */

static void open_store(const char *dir)
{
    char path[512];
    pthread_t thread;

    snprintf(path, sizeof(path), "%s/bare.db", dir);
    must(sqlite3_open(path, &db));
    must(sqlite3_exec(db,
                      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                      "CREATE TABLE log (id INTEGER PRIMARY KEY, number "
                      "INTEGER, ply INTEGER, line TEXT) STRICT",
                      NULL, NULL, NULL));
    must(sqlite3_prepare_v2(db,
                            "INSERT INTO log (number, ply, line) "
                            "VALUES (?,?,?)",
                            -1, &insert, NULL));
    int err = pthread_create(&thread, NULL, writer, NULL);
    ASSERT(err == 0);
}

int main(int argc, char **argv)
{
    struct sockaddr_in where;
    uv_tcp_t server;
    uv_prepare_t turn;
    int len = sizeof(where);

    if (argc != 2)
        return 64;
    uv_loop_init(&loop);
    uv_async_init(&loop, &woken, on_woken);
    uv_prepare_init(&loop, &turn);
    uv_prepare_start(&turn, flush);
    ws_kit_init(&kit, NULL, NULL);
    if (strcmp(argv[1], "none") != 0)
        open_store(argv[1]);
    uv_ip4_addr("127.0.0.1", 0, &where);
    uv_tcp_init(&loop, &server);
    if (uv_tcp_bind(&server, (const struct sockaddr *)&where, 0) < 0 ||
        uv_listen((uv_stream_t *)&server, 511, on_connection) < 0 ||
        uv_tcp_getsockname(&server, (struct sockaddr *)&where, &len) < 0)
        return 1;
    printf("{\"port\": %d}\n", ntohs(where.sin_port));
    fflush(stdout);
    return uv_run(&loop, UV_RUN_DEFAULT);
}
