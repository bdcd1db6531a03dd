/* outbox_queue.c -- whose message is next.
 *
 *     a way -> servers that it leads to, by when the first message to each may go
 *           -> messages that wait for that server, by when they are due
 *
 * A server that is slow keeps messages to itself waiting and nobody else's: only
 * so many are under way to one, just one if it let the last one wait, and of those
 * that are ready comes first who was served longest ago.  All mail goes to one,
 * the mail server.
 *
 * To which a message goes is known where it is made; of one that was read from
 * the store when it is asked where its reader is told, and until then it waits
 * with all others of which that is not known.
 *
 * A test of a channel is no message and does not wait: it has a place at its
 * server, if there is one that no message is ready for, or comes later. */

#include <stdlib.h>

#include "core/sha256.h"
#include "outbox_inner.h"
#include "push_service.h"
#include "url.h"

/* A little early: who carries it waits for the rest. */
#define GAP_MS (LIMIT_HOST_MS - 100)

/* Keys of servers without a name. */
enum { MAIL_SERVER = 1, UNKNOWN_SERVER, KEYS };

/* ---- servers -------------------------------------------------------------- */

static struct outbox_way *way_of(struct outbox *o,
                                 const struct outbox_message *m)
{
    return &o->ways[m->way];
}

/* People choose hosts: so it is a hash that nobody can aim with. */
static uint64_t key_of(const char *host)
{
    uint8_t hash[SHA256_SIZE];
    uint64_t key;

    sha256(host, strlen(host), hash);
    memcpy(&key, hash, sizeof(key));
    return key < KEYS ? KEYS : key;
}

static struct outbox_server *server_make(struct outbox_way *way, uint64_t key)
{
    struct outbox_server *s = map_get(&way->servers, key);

    if (s != NULL)
        return s;
    s = calloc(1, sizeof(*s));
    ASSERT(s != NULL);
    s->key = key;
    s->most = LIMIT_DELIVERIES;
    map_put(&way->servers, key, s);
    return s;
}

/* The one that leads to TARGET (NULL: who knows), which is by way NUMBER. */
static struct outbox_server *server_of(struct outbox_way *way, int number,
                                       const char *target)
{
    char host[LIMIT_HOST_BYTES + 1];
    struct outbox_server *s;

    if (number == CHANNEL_MAIL)
        return server_make(way, MAIL_SERVER);
    if (target == NULL || !url_host(target, host)) {
        s = server_make(way, UNKNOWN_SERVER);
        s->most = LIMIT_DELIVERIES_HOST;
        return s;
    }
    s = server_make(way, key_of(host));
    bool service = number == CHANNEL_PUSH && push_is_service(host);
    s->most = service ? LIMIT_DELIVERIES_SERVICE : LIMIT_DELIVERIES_HOST;
    s->gap_ms = service ? 0 : GAP_MS;
    return s;
}

static bool has_room(const struct outbox_server *s)
{
    return s->busy < (s->held > 0 ? 1 : s->most);
}

/* Puts S where it belongs among WAY's, when it or its messages have changed. */
static void arrange(struct outbox_way *way, struct outbox_server *s)
{
    const struct due *first = due_first(&s->queue);

    if (first == NULL || !has_room(s)) {
        due_take(&way->queue, &s->due);
    } else {
        int64_t at = first->at_ms > s->next_ms ? first->at_ms : s->next_ms;
        due_put(&way->queue, &s->due, at > s->served_ms ? at : s->served_ms);
    }
}

/* One of S's messages is under way from now on. */
static void serve(struct outbox_server *s, int64_t now_ms)
{
    s->busy++;
    s->served_ms = now_ms;
    s->next_ms = now_ms + s->gap_ms;
}

void outbox_queue_forget(struct outbox_way *way, int64_t now_ms)
{
    struct outbox_server *s;

    for (size_t at = 0; (s = map_next(&way->servers, &at)) != NULL;) {
        if (s->messages > 0 || s->busy > 0 || s->next_ms > now_ms)
            continue;
        map_take(&way->servers, s->key);
        due_done(&s->queue);
        free(s);
        at--; /* another may have moved here */
    }
}

static void set_back(int64_t *at_ms, int64_t ms)
{
    if (*at_ms != 0) /* which says something else */
        *at_ms -= ms;
}

void outbox_queue_set_back(struct outbox_way *way, int64_t ms)
{
    struct outbox_server *s;

    for (size_t at = 0; (s = map_next(&way->servers, &at)) != NULL;) {
        s->next_ms -= ms;
        s->served_ms -= ms;
        due_advance(&s->queue, ms);
    }
    due_advance(&way->queue, ms);
    set_back(&way->done_ms, ms);
    set_back(&way->alarm_ms, ms);
    set_back(&way->alarm_since_ms, ms);
}

/* ---- ways ----------------------------------------------------------------- */

bool outbox_way_has_room(struct hub *hub, int number, size_t most)
{
    struct outbox_way *way = &hub->outbox->ways[number];
    int64_t rate = LIMIT_CALL_RATE;

    if (number == CHANNEL_MAIL)
        rate = hub->config.mail_rate > 0 ? hub->config.mail_rate
                                         : LIMIT_MAIL_RATE;
    return way->busy < most &&
           bucket_take(&way->rate, hub->now_ms, rate, 1000 / rate) == 0;
}

/* ---- places of tests ------------------------------------------------------ */

/* How long until a test may have a place at S, which is WAY's, or 0. */
static int64_t place_wait(struct hub *hub, int number,
                          const struct outbox_server *s)
{
    const struct due *first = due_first(&s->queue);

    if (hub->outbox->tests >= LIMIT_TESTS || !has_room(s) ||
        (first != NULL && first->at_ms <= hub->now_ms))
        return LIMIT_HOST_MS;
    if (s->next_ms > hub->now_ms)
        return s->next_ms - hub->now_ms;
    return outbox_way_has_room(hub, number, LIMIT_DELIVERIES) ? 0
                                                              : LIMIT_HOST_MS;
}

int64_t outbox_place_take(struct hub *hub, struct outbox_place *place,
                          int number, const char *target)
{
    struct outbox_way *way = &hub->outbox->ways[number];
    struct outbox_server *s = server_of(way, number, target);
    int64_t wait_ms = place_wait(hub, number, s);

    if (wait_ms > 0)
        return wait_ms;
    *place = (struct outbox_place){way, s};
    hub->outbox->tests++;
    way->busy++;
    serve(s, hub->now_ms);
    arrange(way, s);
    return 0;
}

void outbox_place_give(struct hub *hub, const struct outbox_place *place)
{
    hub->outbox->tests--;
    place->way->busy--;
    place->server->busy--;
    arrange(place->way, place->server);
}

/* ---- messages ------------------------------------------------------------- */

void outbox_queue_join(struct outbox *o, struct outbox_message *m,
                       const char *target)
{
    struct outbox_way *way = way_of(o, m);

    ASSERT(m->server == NULL);
    m->server = server_of(way, m->way, target);
    m->server->messages++;
    due_put(&way->ages, &m->age, m->made_ms);
}

void outbox_queue_leave(struct outbox *o, struct outbox_message *m)
{
    struct outbox_way *way = way_of(o, m);
    struct outbox_server *s = m->server;

    outbox_queue_end(o, m);
    if (m->due.place != 0)
        way->waiting--;
    due_take(&s->queue, &m->due);
    due_take(&way->ages, &m->age);
    m->server = NULL;
    s->messages--;
    arrange(way, s);
}

void outbox_queue_put(struct outbox *o, struct outbox_message *m,
                      int64_t due_ms)
{
    struct outbox_way *way = way_of(o, m);

    if (m->due.place == 0)
        way->waiting++;
    due_put(&m->server->queue, &m->due, due_ms);
    arrange(way, m->server);
}

struct outbox_message *outbox_queue_next(struct hub *hub,
                                         struct outbox_way *way)
{
    struct outbox_server *s = (struct outbox_server *)due_first(&way->queue);

    if (s == NULL || s->due.at_ms > hub->now_ms)
        return NULL;
    struct outbox_message *m = (struct outbox_message *)due_first(&s->queue);
    due_take(&s->queue, &m->due);
    m->busy = true;
    way->waiting--;
    way->busy++;
    serve(s, hub->now_ms);
    arrange(way, s);
    return m;
}

bool outbox_queue_goes(struct hub *hub, struct outbox_message *m,
                       const char *target)
{
    struct outbox_way *way = way_of(hub->outbox, m);
    struct outbox_server *old = m->server, *s = server_of(way, m->way, target);
    int64_t due_ms = m->due.at_ms;

    if (s == old)
        return true;
    bool goes = has_room(s) && s->next_ms <= hub->now_ms;
    outbox_queue_leave(hub->outbox, m);
    outbox_queue_join(hub->outbox, m, target);
    if (goes) {
        m->busy = true;
        way->busy++;
        serve(s, hub->now_ms);
        arrange(way, s);
    } else {
        outbox_queue_put(hub->outbox, m, due_ms);
    }
    return goes;
}

void outbox_queue_end(struct outbox *o, struct outbox_message *m)
{
    struct outbox_way *way = way_of(o, m);

    if (!m->busy)
        return;
    m->busy = false;
    way->busy--;
    m->server->busy--;
    arrange(way, m->server);
}

void outbox_queue_judge(struct hub *hub, struct outbox_message *m, bool slow)
{
    struct outbox_server *s = m->server;

    if (!slow) {
        s->held = 0;
    } else {
        s->next_ms = hub->now_ms + (LIMIT_HOLD_MS << s->held);
        s->held += s->held < LIMIT_HOLDS;
    }
    arrange(way_of(hub->outbox, m), s);
}

void outbox_queue_done(struct outbox_way *way)
{
    struct outbox_server *s;
    size_t at = 0;

    while ((s = map_next(&way->servers, &at)) != NULL) {
        due_done(&s->queue);
        free(s);
    }
    due_done(&way->queue);
    due_done(&way->ages);
    map_done(&way->servers);
}
