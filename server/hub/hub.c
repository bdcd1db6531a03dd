/* hub.c -- who is connected; the hub's own beginning, days and end. */

#include <stdlib.h>

#include "inner.h"
#include "outbox.h"
#include "rebuild.h"

/* ---- chance ----------------------------------------------------------- */

id_num random_id(struct hub *hub)
{
    id_num id = 0;
    while (id == 0) {
        hub->host->random(hub->host, &id, sizeof(id));
        id &= INT64_MAX;
    }
    return id;
}

/* ---- peers ------------------------------------------------------------ */

struct peer *peer_find(const struct hub *hub, peer_id id)
{
    return map_get(&hub->peers, id);
}

void peer_drop(struct hub *hub, struct peer *p, enum drop_reason reason)
{
    if (p->dropped)
        return;
    p->dropped = true;
    watch_leave(hub, p);
    account_leave(hub, p);
    hub->host->drop(hub->host, p->id, reason);
}

void hub_open(struct hub *hub, peer_id peer, const struct peer_info *info,
              int64_t now_ms)
{
    struct peer *p = calloc(1, sizeof(*p));

    hub->now_ms = now_ms;
    ASSERT(p != NULL && peer != 0 && peer_find(hub, peer) == NULL);
    p->id = peer;
    p->info = *info;
    if (info->bots)
        bots_came(hub, peer);
    queue_init(&p->waiting);
    map_put(&hub->peers, peer, p);
    journal_peer(hub, p, "connected");

    struct source *s = map_get(&hub->sources, info->source);
    if (s == NULL && info->source != 0) {
        s = calloc(1, sizeof(*s));
        ASSERT(s != NULL);
        s->id = info->source;
        map_put(&hub->sources, s->id, s);
    }
    if (s != NULL)
        s->peers++;
}

void hub_close(struct hub *hub, peer_id peer, int64_t now_ms)
{
    struct peer *p = map_take(&hub->peers, peer);
    struct request *q;

    hub->now_ms = now_ms;
    if (p == NULL)
        return;
    journal_peer(hub, p, "disconnected");
    watch_leave(hub, p);
    account_leave(hub, p);
    if (p->info.bots)
        bots_left(hub, peer);
    struct source *s = map_get(&hub->sources, p->info.source);
    if (s != NULL)
        s->peers--;
    while ((q = queue_take(&p->waiting)) != NULL)
        request_done(hub, q); /* finds no peer: nothing but freed */
    free(p);
}

/* ---- the hub ---------------------------------------------------------- */

struct hub *hub_new(struct host *host, const struct hub_config *config,
                    int64_t now_ms)
{
    struct hub *hub = calloc(1, sizeof(*hub));

    if (hub == NULL)
        return NULL;
    hub->choices = calloc(RULES_MOVES_MAX, sizeof(*hub->choices));
    hub->outbox = outbox_new();
    if (hub->choices == NULL || hub->outbox == NULL) {
        outbox_free(hub->outbox);
        free(hub->choices);
        free(hub);
        return NULL;
    }
    hub->host = host;
    hub->config = *config;
    hub->now_ms = hub->started_ms = now_ms;
    json_out_init(&hub->out);
    json_out_init(&hub->line);
    queue_init(&hub->next);
    notices_begin(hub);
    outages_begin(hub);
    deadlines_begin(hub);
    bots_begin(hub);
    return hub;
}

void hub_configure(struct hub *hub, const struct hub_config *config)
{
    hub->config = *config;
    notices_tell(hub);
}

static void free_tables(struct hub *hub)
{
    size_t at = 0;
    struct table *t;
    while ((t = map_next(&hub->tables, &at)) != NULL) {
        t->busy = 0;
        table_forget(hub, t, ERR_SHUTTING_DOWN);
        at = 0;
    }
}

void hub_free(struct hub *hub)
{
    size_t at = 0;
    struct peer *p;
    struct pending *pending;
    void *value;

    if (hub == NULL)
        return;
    while ((p = map_next(&hub->peers, &at)) != NULL) {
        hub_close(hub, p->id, hub->now_ms);
        at = 0;
    }
    keys_drop_all(hub);
    work_drop_all(hub);
    free_tables(hub);
    bots_done(hub);
    for (at = 0; (pending = map_next(&hub->pending, &at)) != NULL;) {
        if (pending->request != NULL)
            request_done(hub, pending->request);
        free(pending);
    }
    work_drop_all(hub); /* what was to follow those that are done */
    for (at = 0; (value = map_next(&hub->sources, &at)) != NULL;)
        free(value);
    for (at = 0; (value = map_next(&hub->accounts, &at)) != NULL;)
        free(value);
    for (at = 0; (value = map_next(&hub->failed, &at)) != NULL;)
        free(value);
    for (at = 0; (value = map_next(&hub->codes, &at)) != NULL;)
        free(value);
    for (at = 0; (value = map_next(&hub->told, &at)) != NULL;)
        free(value);
    map_done(&hub->peers);
    map_done(&hub->tables);
    map_done(&hub->pending);
    map_done(&hub->sources);
    map_done(&hub->accounts);
    map_done(&hub->failed);
    map_done(&hub->codes);
    map_done(&hub->told);
    json_out_done(&hub->out);
    json_out_done(&hub->line);
    change_free(hub->spare);
    free(hub->choices);
    import_free(hub->import);
    rebuild_free(hub->rebuild);
    outbox_free(hub->outbox);
    outages_done(hub);
    look_free(hub);
    deadlines_done(&hub->deadlines);
    region_done(&hub->ends_region);
    free(hub);
}

size_t hub_owes(const struct hub *hub, peer_id peer)
{
    const struct peer *p = map_get(&hub->peers, peer);
    return p != NULL ? p->requests : 0;
}

bool hub_idle(const struct hub *hub)
{
    return hub->pending.count == 0 && hub->slices.count == 0 &&
           hub->loads.count == 0;
}

void hub_counts(const struct hub *hub, struct hub_counts *counts)
{
    *counts = hub->counts;
    counts->peers = hub->peers.count;
    counts->tables = hub->tables.count;
    counts->tables_bytes = hub->tables_bytes;
    counts->accounts = hub->accounts.count;
    counts->bots_there = hub->bots.thinkers;
    counts->bots_asked = hub->bots.due.count;
}

void hub_shutdown(struct hub *hub, int64_t now_ms)
{
    hub->now_ms = now_ms;
    hub->closing = true;
    notice_begin(hub, "shutdown");
    notice_end(hub, NULL);
    outages_end(hub);
}

/* Sources that have been quiet long enough to be strangers again. */
static void forget_sources(struct hub *hub)
{
    size_t at = 0;
    struct source *s;
    while ((s = map_next(&hub->sources, &at)) != NULL) {
        int64_t last = s->accounts.at_ms > s->failed.at_ms ? s->accounts.at_ms
                                                           : s->failed.at_ms;
        if (s->mails.at_ms > last)
            last = s->mails.at_ms;
        int64_t rate = 0;
        for (int r = 0; r < RATES; r++)
            if (s->rates[r].at_ms > rate)
                rate = s->rates[r].at_ms;
        if (s->peers > 0 || hub->now_ms - last < 24 * 3600 * INT64_C(1000) ||
            hub->now_ms - rate < 120 * INT64_C(1000))
            continue;
        free(map_take(&hub->sources, s->id));
        at--; /* another may have moved here */
    }
}

int64_t hub_tick(struct hub *hub, int64_t now_ms)
{
    hub->now_ms = now_ms;
    memory_tick(hub);
    forget_sources(hub);
    outages_tick(hub);
    news_tick(hub);
    account_buckets_forget(&hub->codes, now_ms,
                           LIMIT_CODES_BURST * LIMIT_CODES_MS);
    account_buckets_forget(&hub->told, now_ms, 24 * 3600 * INT64_C(1000));
    maintenance_tick(hub);
    outbox_tick(hub);
    deadlines_tick(hub);
    bots_tick(hub);
    admin_tick(hub);
    return now_ms + 1000;
}
