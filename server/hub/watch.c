/* watch.c -- who watches which table, and what they are sent.
 *
 * A change of a table is told to each kind of viewer once: one patch from the
 * view they have to the view they are to have, written straight from the two
 * states, shared by all who have the same.  A peer's viewer may change on the
 * way, by taking or leaving a seat, or when seats close up at the start; their
 * patch leads from the one view to the other. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

/* ---- subscriptions ---------------------------------------------------- */

static struct watched *watched_find(const struct peer *p,
                                    const struct table *t)
{
    struct watched *w = p->watched;
    while (w != NULL && w->table != t)
        w = w->next;
    return w;
}

static void unlink_from_table(struct watched *w)
{
    struct watched **at = &w->table->watchers;
    while (*at != w)
        at = &(*at)->next_at_table;
    *at = w->next_at_table;
    w->table->watcher_count--;
}

static void unlink_from_peer(struct watched *w)
{
    struct watched **at = &w->peer->watched;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    w->peer->watched_count--;
}

void watch_forget(struct table *t)
{
    for (int i = 0; i < VIEWERS; i++) {
        free(t->headers[i]);
        t->headers[i] = NULL;
    }
}

void watched_free(struct watched *w)
{
    unlink_from_table(w);
    unlink_from_peer(w);
    if (w->table->watchers == NULL)
        watch_forget(w->table);
    free(w);
}

void watch_leave(struct hub *hub, struct peer *p)
{
    (void)hub;
    while (p->watched != NULL)
        watched_free(p->watched);
}

void watch_end(struct table *t)
{
    while (t->watchers != NULL)
        watched_free(t->watchers);
}

void watch_drop(struct hub *hub, struct table *t)
{
    while (t->watchers != NULL) {
        struct peer *p = t->watchers->peer;
        watched_free(t->watchers);
        peer_drop(hub, p, DROP_OVERLOAD);
    }
}

id_num watched_account(const struct watched *w)
{
    return w->peer->account != NULL ? w->peer->account->id : 0;
}

/* ---- notifications ---------------------------------------------------- */

/* Everything of a notification before its params. */
void notify_begin(struct json_out *o, enum notification n)
{
    json_out_reset(o);
    out_object(o, NULL);
    out_string(o, "jsonrpc", "2.0");
    out_string(o, "method", notifications[n].name);
}

struct message *notify_end(struct json_out *o)
{
    out_end(o);
    return message_new(json_out_text(o), o->len);
}

/* ---- changes ---------------------------------------------------------- */

static bool renamed_since(const struct table *t, uint32_t ply)
{
    struct log_reader r;
    struct entry e;

    log_reader_at(&r, &t->log, ply);
    while (log_read(&r, &e))
        if (e.kind == ENTRY_RENAME)
            return true;
    return false;
}

/* The update from what viewer WAS saw of PAST to what viewer IS sees of T, as
 * the next object in O.  False if the way there is broken: then O is good for
 * nothing. */
static bool write_missed(struct hub *hub, struct json_out *o, const char *key,
                         struct table *t, struct walk *w, int was, int is)
{
    const struct table *past = &w->past;
    union rules_any room_was, room_is;
    const struct rules_state *before, *after;
    struct view_header from, to;
    char id[ID_SIZE];

    before = view_of(past, past->rules_state, was, &room_was);
    after = view_of(t, t->rules_state, is, &room_is);
    view_header_make(past, was, before, &from);
    view_header_make(t, is, after, &to);
    /* The log does not say who was called what before. */
    if (renamed_since(t, past->log.count))
        for (int seat = 0; seat < from.seats; seat++)
            from.seat[seat].name[0] = '\0';
    id_write(t->id, id);
    out_object(o, key);
    out_string(o, "table", id);
    out_int(o, "from", from.ply);
    out_int(o, "ply", to.ply);
    out_list(o, "patch");
    view_diff(o, t, &from, before, &to, after);
    out_end(o);
    bool fine = replay_events(hub, o, t, w, is);
    out_end(o);
    return fine;
}

/* ---- what concerns an account ------------------------------------------ */

void watch_me(struct hub *hub, struct peer *p, bool on)
{
    (void)hub;
    if (p->watches_me == on || p->account == NULL)
        return;
    p->watches_me = on;
    struct peer **at = &p->account->first;
    if (on) {
        p->next_of_account = *at;
        *at = p;
        return;
    }
    while (*at != p)
        at = &(*at)->next_of_account;
    *at = p->next_of_account;
}

void watch_tell(struct hub *hub, id_num account, const char *kind,
                id_num table, transaction_id transaction)
{
    struct account *a = account != 0 ? map_get(&hub->accounts, account) : NULL;
    struct json_out *o = &hub->out;
    char id[ID_SIZE];

    if (a == NULL)
        return;
    a->events++;
    if (a->first == NULL)
        return;
    /* Whoever comes back with it is told of all from this moment on. */
    int64_t seq = hub->now_ms - news_margin(hub);
    hub->seq = seq > hub->seq ? seq : hub->seq;
    id_write(table, id);
    notify_begin(o, N_ME_EVENT);
    out_object(o, "params");
    out_int(o, "seq", hub->seq);
    out_string(o, "kind", kind);
    out_string(o, "table", id);
    out_end(o);
    struct message *message = notify_end(o);
    for (struct peer *p = a->first; p != NULL; p = p->next_of_account)
        hub->host->send(hub->host, p->id, message, transaction);
    message_unref(message);
}

/* ---- after a change ----------------------------------------------------- */

void watch_failed(struct table *t)
{
    for (struct watched *w = t->watchers; w != NULL; w = w->next_at_table) {
        w->viewer = w->was_viewer;
        w->ply = w->was_ply;
    }
}

/* Tells all who saw T as FIRST did, and are to see it as FIRST is, what they
 * have missed: found out and written once, however many they are.  False if
 * that cannot be found out. */
static bool resume(struct hub *hub, struct table *t,
                   const struct watched *first)
{
    struct json_out *o = &hub->out;
    uint32_t ply = first->ply;
    int was = first->viewer, is = table_viewer(t, watched_account(first));

    struct walk *past = walk_past(hub, t, ply + 1);
    notify_begin(o, N_TABLE_UPDATE);
    bool fine = past != NULL &&
                write_missed(hub, o, "params", t, past, was, is);
    walk_free(past);
    if (!fine)
        return false;
    struct message *message = notify_end(o);
    for (struct watched *w = t->watchers; w != NULL; w = w->next_at_table) {
        if (w->ply != ply || w->viewer != was ||
            table_viewer(t, watched_account(w)) != is)
            continue;
        hub->host->send(hub->host, w->peer->id, message, 0);
        w->viewer = w->was_viewer = is;
        w->ply = w->was_ply = t->log.count - 1;
    }
    message_unref(message);
    return true;
}

static void tell_lost(struct hub *hub, const struct table *t)
{
    struct concern found[2 * RULES_SEATS_MAX];
    struct summary is;

    table_summary(t, &is);
    size_t n = concerns_between(t, &t->last, &is, found);
    for (size_t i = 0; i < n; i++)
        watch_tell(hub, found[i].account, found[i].kind, t->id, 0);
}

/* T was loaded after a transaction had failed.  If that is stored all the same
 * nobody has heard of it yet. */
void watch_resumed(struct hub *hub, struct table *t)
{
    struct watched *w = t->watchers;

    while (w != NULL && (w->ply + 1 >= t->log.count || resume(hub, t, w)))
        w = w->next_at_table;
    if (w != NULL) { /* they come again, and are shown all of it */
        journal_table(hub, t, "not_replayable");
        watch_drop(hub, t);
    }
    if (t->lost && t->last.ply + 1 < t->log.count)
        tell_lost(hub, t);
    t->lost = false;
}

/* ---- requests --------------------------------------------------------- */

/* Whether one update can lead on from the ply that the asker says they have
 * the view of: it is not long ago, and the chain is that one. */
static bool may_lead_on(const struct table *t, const struct request *q)
{
    int64_t since = param_int(q, "since", -1), last = t->log.count - 1;
    uint8_t chain[SHA256_SIZE];
    const char *hex = param_text(q, "chain");
    struct entry e;

    if (since < 0 || since > last || last - since > LIMIT_MISSED_PLIES ||
        strlen(hex) != sizeof(chain) * 2 ||
        !hex_read(chain, hex, sizeof(chain)))
        return false;
    log_at(&t->log, (uint32_t)since, &e);
    return e.check == chain_fold(chain);
}

/* T at that ply, if it can, and they were the same viewer; else NULL. */
static struct walk *seen_by(struct hub *hub, const struct table *t,
                            const struct request *q, int viewer)
{
    if (!may_lead_on(t, q))
        return NULL;
    struct walk *w = walk_past(hub, t, (uint32_t)param_int(q, "since", 0) + 1);
    if (w == NULL)
        journal_table(hub, t, "not_replayable");
    else if (table_viewer(&w->past, q->account) == viewer)
        return w;
    walk_free(w);
    return NULL;
}

static void write_whole(struct json_out *o, const struct table *t, int viewer)
{
    union rules_any room;
    struct view_header header;

    const struct rules_state *view = view_of(t, t->rules_state, viewer, &room);
    view_header_make(t, viewer, view, &header);
    view_write(o, "view", t, &header, view);
}

static enum error subscribe(struct hub *hub, struct table *t,
                            const struct request *q, int viewer)
{
    struct peer *p = peer_find(hub, q->peer);

    /* Who has logged in or out since they asked is somebody else now. */
    if (p == NULL || !p->info.notices || p->dropped ||
        (p->account != NULL ? p->account->id : 0) != q->account)
        return ERR_NONE;
    struct watched *w = watched_find(p, t);
    if (w == NULL) {
        if (p->watched_count >= LIMIT_WATCHED)
            return ERR_TOO_MANY_WATCHED;
        if (t->watcher_count >= LIMIT_WATCHERS && viewer == RULES_WATCHER)
            return ERR_TOO_MANY_WATCHERS;
        w = calloc(1, sizeof(*w));
        ASSERT(w != NULL);
        w->peer = p;
        w->table = t;
        w->next = p->watched;
        w->next_at_table = t->watchers;
        p->watched = t->watchers = w;
        p->watched_count++;
        t->watcher_count++;
    }
    w->viewer = w->was_viewer = viewer;
    w->ply = w->was_ply = t->log.count - 1;
    w->check = param_bool(q, "check", false);
    return ERR_NONE;
}

/* Whether this connection has seen the table with other eyes. */
static bool has_changed(const struct hub *hub, const struct table *t,
                        const struct request *q, int viewer)
{
    const struct peer *p = peer_find(hub, q->peer);
    const struct watched *w = p != NULL ? watched_find(p, t) : NULL;
    return w != NULL && w->viewer != viewer;
}

static struct json_out *watched_begin(struct hub *hub, const struct table *t,
                                      struct request *q)
{
    char hex[2 * SHA256_SIZE + 1] = "";
    struct json_out *o = result_begin(hub, q);

    hex_write(hex, t->chain, SHA256_SIZE);
    out_int(o, "ply", t->log.count - 1);
    out_string(o, "chain", hex);
    return o;
}

/* What VIEWER has missed since W, as a member of O; false as write_missed(). */
static bool write_updates(struct hub *hub, struct json_out *o, struct table *t,
                          struct walk *w, int viewer)
{
    out_list(o, "updates");
    bool fine = w->past.log.count == t->log.count ||
                write_missed(hub, o, NULL, t, w, viewer, viewer);
    out_end(o);
    return fine;
}

/* Who cannot be told what they have missed is shown all of it. */
static void watch_now(struct hub *hub, struct table *t, struct request *q)
{
    int viewer = table_viewer(t, q->account);
    enum error e = table_may_watch(t, q);
    bool changed = has_changed(hub, t, q, viewer);

    if (e == ERR_NONE)
        e = subscribe(hub, t, q, viewer);
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct walk *w = changed ? NULL : seen_by(hub, t, q, viewer);
    struct json_out *o = watched_begin(hub, t, q);
    if (w == NULL) {
        write_whole(o, t, viewer);
    } else if (!write_updates(hub, o, t, w, viewer)) {
        journal_table(hub, t, "not_replayable");
        o = watched_begin(hub, t, q);
        write_whole(o, t, viewer);
    }
    walk_free(w);
    orders_write(o, t, q->account);
    hub->effort += o->len / BYTES_EFFORT;
    result_end(hub, q);
}

static bool watch_slice(struct hub *hub, struct table *t, struct request *q)
{
    watch_now(hub, t, q);
    return false;
}

/* To find out what who comes back has missed takes as long as to look back, and
 * waits for its turn like that: those who lost their connections all at once
 * come back all at once. */
void handle_table_watch(struct hub *hub, struct table *t, struct request *q)
{
    if (param(q, "since") != NULL)
        work_later(hub, q, watch_slice);
    else
        watch_now(hub, t, q);
}

void handle_table_unwatch(struct hub *hub, struct table *t, struct request *q)
{
    struct peer *p = peer_find(hub, q->peer);
    struct watched *w = p != NULL ? watched_find(p, t) : NULL;
    enum error e = w != NULL ? ERR_NONE : table_may_see(t, q);

    if (w != NULL)
        watched_free(w);
    if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        result_empty(hub, q);
}
