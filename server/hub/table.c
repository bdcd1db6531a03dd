/* table.c -- a table in memory, and changing it by one unit.
 *
 * The log is all there is; everything else is a cache of it.  Moves that were
 * not taken back make the state; `played` lists their plies.  A table that is
 * changed is changed in memory at once, but nothing of it is heard of before
 * the unit is stored, and if it is not the table is dropped and loaded anew. */

#include <stdio.h>
#include <stdlib.h>

#include "core/fair.h"
#include "inner.h"

struct table *table_find(const struct hub *hub, id_num id)
{
    return id == 0 ? NULL : map_get(&hub->tables, id);
}

/* The entry that put SEAT's question, by the state alone. */
static uint32_t asked_ply(const struct table *t, int seat)
{
    uint32_t asked = t->now->asked[seat];
    return asked == 0 ? t->start_ply : t->played[asked - 1].ply;
}

/* The ply at which SEAT, who can move, was asked to. */
static uint32_t put_ply(const struct table *t, int seat)
{
    uint32_t ply = asked_ply(t, seat);
    return ply > t->put[seat] ? ply : t->put[seat];
}

int64_t table_decision(const struct table *t, int seat)
{
    if (t->state != TABLE_PLAYING || !rules_can_move(t->now, seat) ||
        (t->resigned & RULES_BIT(seat)))
        return -1;
    return put_ply(t, seat);
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
    return why;
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
        if (t->invited[i] == account)
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
    };
    for (int seat = 0; seat < t->seats; seat++) {
        s->seat[seat] = t->seat[seat];
        if (t->state != TABLE_PLAYING || !(t->now->acting & RULES_BIT(seat)))
            continue;
        s->acting |= RULES_BIT(seat);
        s->since[seat] = time_of(t, put_ply(t, seat));
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

void table_call(struct hub *hub, struct table *t, int seat, id_num account,
                const char *name)
{
    struct op *op = unit_add(&hub->unit, OP_NAMED);

    op->table = t->id;
    op->account = account;
    op->u.note = region_text(&hub->unit.region, name, strlen(name));
    snprintf(t->name[seat], sizeof(t->name[0]), "%s", name);
    table_know(t, account, name);
}

/* ---- changing --------------------------------------------------------- */

void table_begin(struct hub *hub, struct table *t)
{
    ASSERT(t->busy == 0 && hub->row_count == 0);
    hub->from = t->log.count > 0 ? t->log.count - 1 : 0;
    hub->before = (struct summary){0};
    if (t->log.count > 0)
        table_summary(t, &hub->before);
    t->last = hub->before;
    watch_before(hub, t);
}

/* Chains E, which comes next, puts its line into the unit and E into the log.
 */
static void log_store(struct hub *hub, struct table *t, struct entry *e,
                      const char *text)
{
    uint32_t ply = t->log.count;
    uint8_t salt[SHA256_SIZE], chain[SHA256_SIZE];

    json_out_reset(&hub->line);
    line_write(&hub->line, t, ply, e, text);
    const char *line = json_out_text(&hub->line);
    if (ply == 0) {
        fair_chain_start(t->row.header, strlen(t->row.header), chain);
    } else {
        if (t->salts.length == 0)
            fair_salts(t->row.seed, &t->salts);
        fair_salt_of(&t->salts, ply, salt);
        fair_chain_next(t->chain, salt, line, hub->line.len, chain);
    }
    memcpy(t->chain, chain, sizeof(t->chain));
    e->check = chain_fold(chain);
    log_append(&t->log, e);
    if (hub->row_count == hub->row_cap) {
        hub->row_cap = hub->row_cap ? 2 * hub->row_cap : 64;
        hub->rows = realloc(hub->rows, hub->row_cap * sizeof(*hub->rows));
        ASSERT(hub->rows != NULL);
    }
    struct ply_row *row = &hub->rows[hub->row_count++];
    row->ply = ply;
    row->line = region_text(&hub->unit.region, line, hub->line.len);
    row->len = hub->line.len;
    memcpy(row->chain, chain, sizeof(row->chain));
    hub->counts.plies++;
}

/* When the entry that is added now was made: now, but never before the one
 * before it, whatever becomes of the clock.  Its line is chained. */
static int64_t time_of_next(const struct hub *hub, const struct table *t)
{
    int64_t before = t->log.count > 0 ? table_changed(t) : t->row.created;
    return hub->now > before ? hub->now : before;
}

void table_add(struct hub *hub, struct table *t, enum entry_kind kind,
               int seat, uint32_t other, const char *text)
{
    struct entry e = {
        .kind = (uint8_t)kind,
        .seat = (uint16_t)seat,
        .other = other,
        .at = time_of_next(hub, t),
    };

    if (kind == ENTRY_JOIN || kind == ENTRY_REPLACED)
        e.u.account = t->seat[seat];
    log_store(hub, t, &e, text);
    if (kind == ENTRY_JOIN || kind == ENTRY_LEAVE || kind == ENTRY_REPLACED)
        watch_seats(hub, t);
    if (entry_events[kind] != NULL && kind != ENTRY_START)
        watch_event(hub, t, entry_events[kind], seat);
}

static void play_ply(struct hub *hub, struct table *t, int seat,
                     const struct rules_move *move)
{
    struct entry e = {
        .kind = ENTRY_MOVE,
        .seat = (uint16_t)seat,
        .other = seat == RULES_NATURE ? 0 : put_ply(t, seat),
        .u.move = *move,
        .at = time_of_next(hub, t),
    };

    /* The words of a move are those before it. */
    log_store(hub, t, &e, NULL);
    played_add(t, t->log.count - 1, seat);
    bool fine = history_play(hub, t, &e);
    ASSERT(fine);
    history_snapshot(hub, t);
    watch_events(hub, t);
}

void table_settle(struct hub *hub, struct table *t)
{
    struct rules_move move;
    struct rng rng;

    while (t->state == TABLE_PLAYING && !rules_over(t->now)) {
        uint16_t absent = t->now->acting & t->resigned;
        if (t->now->acting & RULES_BIT(RULES_NATURE)) {
            rng_init(&rng, t->key, t->draws++);
            rules_chance(t->rules, t->now, &rng, &move);
            play_ply(hub, t, RULES_NATURE, &move);
        } else if (absent != 0) {
            int seat = __builtin_ctz(absent);
            rules_mildest(t->rules, t->now, seat, &move);
            play_ply(hub, t, seat, &move);
        } else {
            return;
        }
    }
    if (t->state == TABLE_PLAYING) {
        t->state = TABLE_FINISHED;
        t->result = "finished";
    }
}

void table_play(struct hub *hub, struct table *t, int seat,
                const struct rules_move *move)
{
    play_ply(hub, t, seat, move);
    hub->counts.moves++;
    table_settle(hub, t);
}

void table_start(struct hub *hub, struct table *t, uint32_t kept)
{
    table_add(hub, t, ENTRY_START, ENTRY_NOBODY, kept, NULL);
    t->start_ply = t->log.count - 1;
    seats_keep(t, kept);
    table_make_key(t);
    bool fine = history_first(t);
    ASSERT(fine);
    t->state = TABLE_PLAYING;
    watch_seats(hub, t);
    watch_event(hub, t, entry_events[ENTRY_START], ENTRY_NOBODY);
    table_settle(hub, t);
}

void table_take_back(struct hub *hub, struct table *t, int seat, uint32_t at)
{
    bool fine = played_forget(t, at) &&
                history_fold(hub, t, UINT64_MAX) == WALK_DONE;
    ASSERT(fine);
    table_add(hub, t, ENTRY_UNDO, seat, at, NULL);
    t->put[seat] = t->log.count - 1;
    t->undos[seat]++;
    table_settle(hub, t);
}

void table_abandon(struct hub *hub, struct table *t)
{
    table_give_up(t);
    table_add(hub, t, ENTRY_ABANDON, ENTRY_NOBODY, 0, NULL);
}

bool table_rewindable(const struct table *t, uint32_t ply)
{
    struct log_reader r;
    struct entry e;

    if (t->played_count > 0 && t->played[t->played_count - 1].ply > ply)
        return true;
    log_reader_at(&r, &t->log, ply + 1);
    while (log_read(&r, &e))
        if (e.kind == ENTRY_RESIGN && !e.undone &&
            (t->resigned & RULES_BIT(e.seat)))
            return true;
    return false;
}

void table_rewind(struct hub *hub, struct table *t, uint32_t ply)
{
    ASSERT(t->state == TABLE_PLAYING && ply >= t->start_ply);
    entries_forget_since(t, ply);
    bool fine = history_fold(hub, t, UINT64_MAX) == WALK_DONE;
    ASSERT(fine);
    table_add(hub, t, ENTRY_REWIND, ENTRY_NOBODY, ply, NULL);
    seats_put_all(t);
    table_settle(hub, t);
}

void table_replace(struct hub *hub, struct table *t, int seat, id_num account,
                   const char *name)
{
    char id[ID_SIZE];

    id_write(account, id);
    seat_take_over(t, seat, account);
    table_call(hub, t, seat, account, name);
    table_add(hub, t, ENTRY_REPLACED, seat, 0, id);
    t->put[seat] = t->log.count - 1;
}

unit_id table_end(struct hub *hub, struct table *t, struct request *q,
                  stored_cb then)
{
    struct op *op = unit_add(&hub->unit, OP_PLIES);
    size_t bytes = hub->row_count * sizeof(*hub->rows);

    ASSERT(hub->row_count > 0);
    op->table = t->id;
    op->u.plies.expect = (int64_t)hub->rows[0].ply - 1;
    op->u.plies.rows = region_take(&hub->unit.region, bytes);
    memcpy(op->u.plies.rows, hub->rows, bytes);
    op->u.plies.count = hub->row_count;
    table_summary(t, &op->u.plies.now);
    hub->row_count = 0;
    t->changing = true;
    unit_id unit = hub_store(hub, t, q, then);
    watch_after(hub, t, unit);
    return unit;
}

/* ---- being there -------------------------------------------------------- */

static struct table *table_new(struct hub *hub, id_num id)
{
    struct table *t = calloc(1, sizeof(*t));

    ASSERT(t != NULL);
    t->id = id;
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

/* Frees what was loaded; who watches and who waits stay. */
static void unload(struct hub *hub, struct table *t)
{
    memory_gone(hub, t);
    load_done(hub, t);
    watch_forget(t);
    region_done(&t->region);
    history_done(t);
    log_done(&t->log);
    free(t->played);
    free(t->now);
    free(t->known);
    *t = (struct table){
        .id = t->id,
        .lost = t->lost,
        .last = t->last,
        .queue = t->queue,
        .watchers = t->watchers,
        .watcher_count = t->watcher_count,
        .used_ms = t->used_ms,
        .looks = t->looks,
    };
    if (t->queue.first == NULL)
        t->queue.end = &t->queue.first;
}

void table_forget(struct hub *hub, struct table *t, enum error e)
{
    struct queue queue = t->queue;
    struct request *q;

    if (queue.first == NULL)
        queue.end = &queue.first;
    queue_init(&t->queue);
    watch_drop(hub, t);
    unload(hub, t);
    map_take(&hub->tables, t->id);
    free(t);
    while ((q = queue_take(&queue)) != NULL)
        if (e == ERR_NO_SUCH_TABLE)
            lobby_unknown(hub, q);
        else
            refuse(hub, q, e);
}

void table_reload(struct hub *hub, struct table *t)
{
    unload(hub, t);
    memory_used(hub, t);
    table_load(hub, t);
}

/* ---- requests --------------------------------------------------------- */

enum error table_unreadable(const struct table *t)
{
    return t->archived ? ERR_ARCHIVED : ERR_NEWER_CORE;
}

static void handle(struct hub *hub, struct table *t, struct request *q)
{
    q->table = t;
    if (q->errand != NULL)
        q->errand(hub, t, q);
    else if (!t->readable && methods[q->method].role != ROLE_ADMIN &&
             table_may_see(t, q) != ERR_NONE)
        lobby_unknown(hub, q);
    else if (!t->readable && (t->archived || q->method != M_ADMIN_EXPORT))
        refuse(hub, q, table_unreadable(t));
    else
        commands[q->method].at_table(hub, t, q);
}

void table_go_on(struct hub *hub, struct table *t)
{
    id_num id = t->id;
    struct request *q;
    bool used = false;

    while (t != NULL && t->busy == 0 && (q = queue_take(&t->queue)) != NULL) {
        handle(hub, t, q);
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

    if (id_read(param_text(q, "table"), &id))
        table_errand(hub, q, id);
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

void table_errand(struct hub *hub, struct request *q, id_num id)
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
