/* table.c -- a table in memory.
 *
 * The log is all there is; everything else is a cache of it.  Moves that were
 * not taken back make the state; `played` lists their plies.  What changes it is
 * a change (change.h), and how is in entry.c. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

struct table *table_find(const struct hub *hub, id_num id)
{
    return id == 0 ? NULL : map_get(&hub->tables, id);
}

/* The entry that put SEAT's question, by the state alone. */
static uint32_t asked_ply(const struct table *t, int seat)
{
    uint32_t asked = t->rules_state->asked[seat];
    return asked == 0 ? t->start_ply : t->played[asked - 1].ply;
}

uint32_t table_asked_ply(const struct table *t, int seat)
{
    uint32_t ply = asked_ply(t, seat);
    return ply > t->asked_ply[seat] ? ply : t->asked_ply[seat];
}

int64_t table_decision(const struct table *t, int seat)
{
    if (t->state != TABLE_PLAYING || !rules_can_move(t->rules_state, seat) ||
        (t->resigned & RULES_BIT(seat)) || clocks_gone(t, seat))
        return -1;
    return table_asked_ply(t, seat);
}

/* The same for the last COUNT plies that were played; no more than 64. */
static enum rules_undo undoable(const struct table *t, int seat, size_t count,
                                uint32_t *ply)
{
    struct rules_done done[64];
    size_t at, from = t->played_count - count;

    for (size_t i = 0; i < count; i++) {
        const struct played *p = &t->played[from + i];
        done[i] = (struct rules_done){(uint16_t)p->seat, (uint16_t)p->flags};
    }
    enum rules_undo why = rules_undo(done, count, seat, &at);
    if (why == RULES_UNDO_YES)
        *ply = t->played[from + at].ply;
    return why;
}

enum rules_undo table_undoable(const struct table *t, int seat, uint32_t *ply)
{
    enum rules_undo why = RULES_UNDO_NOTHING;

    if (t->resigned & RULES_BIT(seat))
        return RULES_UNDO_FINAL;
    /* Sixty-four plies are more than any step of simultaneous moves has; mostly
     * the last few tell. */
    for (size_t n = 4; n <= 64 && why == RULES_UNDO_NOTHING; n *= 4) {
        bool all = n >= t->played_count;
        why = undoable(t, seat, all ? t->played_count : n, ply);
        if (all)
            break;
    }
    return why == RULES_UNDO_YES && clocks_fixed(t, seat, *ply)
               ? RULES_UNDO_FINAL
               : why;
}

/* ---- who -------------------------------------------------------------- */

int table_viewer(const struct table *t, id_num account)
{
    for (int seat = 0; account != 0 && seat < t->seats; seat++)
        if (t->seat[seat] == account)
            return seat;
    return RULES_WATCHER;
}

static bool is_invited(const struct table *t, id_num account)
{
    for (size_t i = 0; i < t->invited_count; i++)
        if (t->invited[i].account == account)
            return true;
    return false;
}

struct access table_access(const struct table *t, id_num account)
{
    return access_of(account, t->owner, t->seat, t->seats,
                     is_invited(t, account));
}

enum error table_may_see(const struct table *t, const struct request *q)
{
    return access_sees(table_access(t, q->account), &t->row)
               ? ERR_NONE
               : ERR_NO_SUCH_TABLE;
}

enum error table_may_watch(const struct table *t, const struct request *q)
{
    enum error e = table_may_see(t, q);
    if (e != ERR_NONE)
        return e;
    return access_watches(table_access(t, q->account), &t->row)
               ? ERR_NONE
               : ERR_SPECTATORS_NOT_ALLOWED;
}

int64_t table_changed(const struct table *t)
{
    return t->log.last_at;
}

static int64_t time_of(const struct table *t, uint32_t ply)
{
    struct entry e;

    if (ply == t->log.count - 1)
        return t->log.last_at;
    log_at(&t->log, ply, &e);
    return e.at;
}

void table_summary(const struct table *t, struct summary *s)
{
    *s = (struct summary){
        .state = t->state,
        .seats = t->seats,
        .ply = t->log.count - 1,
        .changed = table_changed(t),
        .quiet = voting_quiet(t),
        .asked = (uint8_t)voting_waits(t),
    };
    s->asked_until = s->asked != 0 ? t->votes.ends : 0;
    for (int seat = 0; seat < t->seats; seat++) {
        s->seat[seat] = t->seat[seat];
        if (t->state != TABLE_PLAYING ||
            !(t->rules_state->acting & RULES_BIT(seat)))
            continue;
        s->acting |= RULES_BIT(seat);
        s->since[seat] = time_of(t, table_asked_ply(t, seat));
    }
    if (t->clocks == NULL || t->state != TABLE_PLAYING)
        return;
    for (int seat = 0; seat < t->seats; seat++) {
        s->due[seat] = clock_due(&t->clocks->timing.clock, seat);
        if (timing_offered(&t->clocks->timing, seat))
            s->offered |= (uint8_t)(1u << seat);
    }
}

bool table_playable_by(const struct table *t, int seats)
{
    struct rules_setup setup = t->setup;
    union rules_any trial;

    setup.seats = seats;
    return rules_setup(t->rules, &trial.state, &setup, NULL) == RULES_OK;
}

/* ---- names -------------------------------------------------------------- */

void table_know(struct table *t, id_num account, const char *name)
{
    size_t i = 0;
    while (i < t->known_count && t->known[i].id != account)
        i++;
    if (i == t->known_count) {
        t->known = realloc(t->known, (i + 1) * sizeof(*t->known));
        ASSERT(t->known != NULL);
        t->known_count++;
    }
    t->known[i].id = account;
    snprintf(t->known[i].name, sizeof(t->known[i].name), "%s", name);
}

/* ---- taking back ------------------------------------------------------- */

bool table_rewindable(const struct table *t, uint32_t ply)
{
    struct log_reader r;
    struct entry e;

    if (t->played_count > 0 && t->played[t->played_count - 1].ply > ply)
        return true;
    log_reader_at(&r, &t->log, ply + 1);
    while (log_read(&r, &e))
        if (entry_resigns(&e) && !e.undone &&
            (t->resigned & RULES_BIT(e.seat)))
            return true;
    return false;
}

/* ---- being there -------------------------------------------------------- */

static struct table *table_new(struct hub *hub, id_num id)
{
    struct table *t = calloc(1, sizeof(*t));

    ASSERT(t != NULL);
    t->id = id;
    t->gaps = hub->news.gaps;
    queue_init(&t->queue);
    map_put(&hub->tables, id, t);
    memory_used(hub, t);
    return t;
}

struct table *table_make(struct hub *hub, const struct answer *answer)
{
    struct table *t = table_new(hub, answer->table->id);

    t->readable = load_row(t, answer);
    ASSERT(t->readable);
    return t;
}

/* ---- leaving memory --------------------------------------------------- */

/* Frees what was loaded; who watches and who waits stay, and the beginning of
 * the log if it is to be KEPT. */
static void unload(struct hub *hub, struct table *t, bool kept)
{
    memory_gone(hub, t);
    load_done(hub, t);
    watch_forget(t);
    clocks_free(t->clocks);
    free(t->orders);
    region_done(&t->region);
    free(t->known);
    if (!kept) {
        history_done(t);
        log_done(&t->log);
        free(t->played);
        free(t->rules_state);
    }
    struct table was = *t;
    *t = (struct table){
        .id = was.id,
        .lost = was.lost,
        .last = was.last,
        .queue = was.queue,
        .texts_told = was.texts_told,
        .watchers = was.watchers,
        .watcher_count = was.watcher_count,
        .used_ms = was.used_ms,
        .looks = was.looks,
    };
    if (t->queue.first == NULL)
        t->queue.end = &t->queue.first;
    if (!kept)
        return;
    t->log = was.log;
    t->played = was.played;
    t->played_count = was.played_count;
    t->played_cap = was.played_cap;
    t->folded = was.folded;
    t->rules_state = was.rules_state;
    t->snapshots = was.snapshots;
    t->snapshot_count = was.snapshot_count;
    t->snapshot_cap = was.snapshot_cap;
    t->snapshot_every = was.snapshot_every;
    if (t->snapshot_count == 0)
        return; /* its entries say the rest */
    memcpy(t->key, was.key, sizeof(t->key));
    memcpy(t->nonce, was.nonce, sizeof(t->nonce));
}

void table_sleep(struct hub *hub, struct table *t)
{
    unload(hub, t, false);
    t->sleeps = true;
    memory_used(hub, t);
}

static void wake(struct hub *hub, struct table *t)
{
    t->sleeps = false;
    memory_used(hub, t);
    table_load(hub, t);
}

void table_forget(struct hub *hub, struct table *t, enum error e)
{
    struct queue queue = t->queue;
    struct request *q;

    if (queue.first == NULL)
        queue.end = &queue.first;
    queue_init(&t->queue);
    watch_drop(hub, t);
    unload(hub, t, false);
    map_take(&hub->tables, t->id);
    if (e == ERR_NO_SUCH_TABLE)
        deadlines_drop(hub, t->id);
    free(t);
    while ((q = queue_take(&queue)) != NULL)
        if (e == ERR_NO_SUCH_TABLE)
            lobby_unknown(hub, q);
        else
            refuse(hub, q, e);
}

/* How many entries of T's log were stored when it was last heard of. */
static uint32_t count_stored(const struct table *t)
{
    return t->lost ? t->last.ply + 1 : t->log.count;
}

void table_refetch(struct hub *hub, struct table *t)
{
    /* Clocks are folded from all that there is. */
    unload(hub, t,
           t->readable && t->clocks == NULL &&
               history_back(t, count_stored(t)));
    memory_used(hub, t);
    table_load(hub, t);
}

void table_reload(struct hub *hub, struct table *t)
{
    unload(hub, t, false);
    memory_used(hub, t);
    table_load(hub, t);
}

/* ---- requests --------------------------------------------------------- */

enum error table_unreadable(const struct table *t)
{
    return t->archived ? ERR_ARCHIVED : ERR_NEWER_CORE;
}

void table_handle(struct hub *hub, struct table *t, struct request *q)
{
    q->table = t;
    if (news_first(hub, t, q))
        return;
    if (q->job != NULL)
        q->job(hub, t, q);
    else if (!t->readable && methods[q->method].role != ROLE_ADMIN &&
             table_may_see(t, q) != ERR_NONE)
        lobby_unknown(hub, q);
    else if (!t->readable && (t->archived || q->method != M_ADMIN_EXPORT))
        refuse(hub, q, table_unreadable(t));
    else if (!blocks_first(hub, t, q))
        commands[q->method].at_table(hub, t, q);
}

void table_go_on(struct hub *hub, struct table *t)
{
    id_num id = t->id;
    struct request *q;
    bool used = false;

    if (t->sleeps && t->queue.count > 0)
        wake(hub, t);
    while (t != NULL && t->busy == 0 && (q = queue_take(&t->queue)) != NULL) {
        table_handle(hub, t, q);
        t = table_find(hub, id);
        used = true;
    }
    if (t != NULL && t->busy == 0 && t->archived)
        table_forget(hub, t, ERR_NONE);
    else if (t != NULL && used)
        memory_used(hub, t);
}

void table_request(struct hub *hub, struct request *q)
{
    id_num id;

    q->judged = false; /* it may be another table by now */
    if (id_read(param_text(q, "table"), &id))
        table_job(hub, q, id);
    else
        refuse(hub, q, ERR_NO_SUCH_TABLE);
}

/* Q waits for table ID, which is loaded if it is not there. */
static struct table *put(struct hub *hub, struct request *q, id_num id)
{
    struct table *t = table_find(hub, id);
    bool there = t != NULL;

    if (!there)
        t = table_new(hub, id);
    queue_put(&t->queue, q);
    if (!there)
        table_load(hub, t);
    return t;
}

void table_job(struct hub *hub, struct request *q, id_num id)
{
    const struct table *t = table_find(hub, id);

    if (t != NULL && t->queue.count >= LIMIT_TABLE_REQUESTS)
        refuse(hub, q, ERR_TOO_MANY_REQUESTS);
    else
        table_go_on(hub, put(hub, q, id));
}

void table_requeue(struct hub *hub, struct request *q)
{
    table_go_on(hub, put(hub, q, q->home));
}
