/* table.c -- a table in memory: its log, what follows from it, and changing
 * it by one unit.
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

/* ---- the log ---------------------------------------------------------- */

static struct entry *log_add(struct table *t)
{
    if (t->log_count == t->log_cap) {
        t->log_cap = t->log_cap ? 2 * t->log_cap : 64;
        t->log = realloc(t->log, t->log_cap * sizeof(*t->log));
        ASSERT(t->log != NULL);
    }
    struct entry *e = &t->log[t->log_count++];
    *e = (struct entry){.seat = ENTRY_NOBODY};
    return e;
}

static void played_add(struct table *t, uint32_t ply)
{
    if (t->played_count == t->played_cap) {
        t->played_cap = t->played_cap ? 2 * t->played_cap : 64;
        t->played = realloc(t->played, t->played_cap * sizeof(*t->played));
        ASSERT(t->played != NULL);
    }
    t->played[t->played_count++] = ply;
}

static struct rules_state *state_new(const struct table *t)
{
    struct rules_state *s = calloc(1, t->rules->state_size);
    ASSERT(s != NULL);
    return s;
}

static void make_key(struct table *t)
{
    const char *nonces[RULES_SEATS_MAX];
    for (int seat = 0; seat < t->seats; seat++)
        nonces[seat] = t->nonce[seat][0] != '\0' ? t->nonce[seat] : NULL;
    fair_key(t->row.seed, nonces, t->seats, t->key);
}

/* Seats that stay empty are removed; the others close up. */
static void keep_seats(struct table *t, uint32_t kept)
{
    int to = 0;
    for (int seat = 0; seat < t->seats; seat++) {
        if (!(kept & (1u << seat)))
            continue;
        t->seat[to] = t->seat[seat];
        memmove(t->name[to], t->name[seat], sizeof(t->name[0]));
        memmove(t->nonce[to], t->nonce[seat], sizeof(t->nonce[0]));
        to++;
    }
    t->seats = (uint8_t)to;
    t->setup.seats = to;
}

static bool first_state(struct table *t)
{
    free(t->now);
    t->now = state_new(t);
    return rules_setup(t->rules, t->now, &t->setup, NULL) == RULES_OK;
}

/* Plays, from the first state on, those of PLIES that are played. */
static bool replay(const struct table *t, const uint32_t *plies, size_t count,
                   struct rules_state *s, struct rules_events *events)
{
    if (rules_setup(t->rules, s, &t->setup, NULL) != RULES_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct entry *e = &t->log[plies[i]];
        if (rules_apply(t->rules, s, e->seat, &e->u.move, events) != RULES_OK)
            return false;
        e->flags = events->flags;
    }
    return true;
}

/* The entry that put SEAT's question, by the state alone. */
static uint32_t asked_ply(const struct table *t, int seat)
{
    uint32_t asked = t->now->asked[seat];
    return asked == 0 ? t->start_ply : t->played[asked - 1];
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
        const struct entry *e = &t->log[t->played[from + i]];
        done[i] = (struct rules_done){e->seat, e->flags};
    }
    enum rules_undo why = rules_undo(done, count, seat, &at);
    if (why == RULES_UNDO_YES)
        *ply = t->played[from + at];
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

enum error table_may_see(const struct table *t, const struct request *q)
{
    if (!t->row.private_ || (q->account != 0 && q->account == t->owner) ||
        table_viewer(t, q->account) != RULES_WATCHER ||
        is_invited(t, q->account))
        return ERR_NONE;
    return ERR_NO_SUCH_TABLE;
}

enum error table_may_watch(const struct table *t, const struct request *q)
{
    enum error e = table_may_see(t, q);
    if (e != ERR_NONE)
        return e;
    if (t->row.spectators || table_viewer(t, q->account) != RULES_WATCHER)
        return ERR_NONE;
    return ERR_SPECTATORS_NOT_ALLOWED;
}

void table_summary(const struct table *t, struct summary *s)
{
    *s = (struct summary){
        .state = t->state,
        .seats = t->seats,
        .ply = (uint32_t)(t->log_count - 1),
        .changed = t->log[t->log_count - 1].at,
    };
    for (int seat = 0; seat < t->seats; seat++) {
        s->seat[seat] = t->seat[seat];
        if (t->state != TABLE_PLAYING || !(t->now->acting & RULES_BIT(seat)))
            continue;
        s->acting |= RULES_BIT(seat);
        s->since[seat] = t->log[put_ply(t, seat)].at;
    }
}

bool table_playable_by(const struct table *t, int seats)
{
    struct rules_setup setup = t->setup;
    union rules_any trial;

    setup.seats = seats;
    return rules_setup(t->rules, &trial.state, &setup, NULL) == RULES_OK;
}

/* ---- changing --------------------------------------------------------- */

void table_begin(struct hub *hub, struct table *t)
{
    ASSERT(t->busy == 0 && hub->row_count == 0);
    hub->from = t->log_count > 0 ? (uint32_t)(t->log_count - 1) : 0;
    hub->before = (struct summary){0};
    if (t->log_count > 0)
        table_summary(t, &hub->before);
    t->last = hub->before;
    watch_before(hub, t);
}

/* Chains the last entry and puts its line into the unit. */
static void log_store(struct hub *hub, struct table *t, const char *text)
{
    uint32_t ply = (uint32_t)(t->log_count - 1);
    struct entry *e = &t->log[ply];
    uint8_t salt[SHA256_SIZE];

    json_out_reset(&hub->line);
    line_write(&hub->line, t, ply, text);
    const char *line = json_out_text(&hub->line);
    if (ply == 0) {
        fair_chain_start(t->row.header, strlen(t->row.header), e->chain);
    } else {
        if (t->salts.length == 0)
            fair_salts(t->row.seed, &t->salts);
        fair_salt_of(&t->salts, ply, salt);
        fair_chain_next(t->log[ply - 1].chain, salt, line, hub->line.len,
                        e->chain);
    }
    if (hub->row_count == hub->row_cap) {
        hub->row_cap = hub->row_cap ? 2 * hub->row_cap : 64;
        hub->rows = realloc(hub->rows, hub->row_cap * sizeof(*hub->rows));
        ASSERT(hub->rows != NULL);
    }
    struct ply_row *row = &hub->rows[hub->row_count++];
    row->ply = ply;
    row->line = region_text(&hub->unit.region, line, hub->line.len);
    row->len = hub->line.len;
    memcpy(row->chain, e->chain, sizeof(row->chain));
    hub->counts.plies++;
}

/* When the entry that was added last was made: now, but never before the one
 * before it, whatever becomes of the clock.  Its line is chained. */
static int64_t time_of_next(const struct hub *hub, const struct table *t)
{
    int64_t before = t->log_count > 1 ? t->log[t->log_count - 2].at
                                      : t->row.created;
    return hub->now > before ? hub->now : before;
}

void table_add(struct hub *hub, struct table *t, enum entry_kind kind,
               int seat, uint32_t other, const char *text)
{
    struct entry *e = log_add(t);

    e->kind = (uint8_t)kind;
    e->seat = (uint16_t)seat;
    e->other = other;
    if (kind == ENTRY_JOIN || kind == ENTRY_REPLACED)
        e->u.account = t->seat[seat];
    e->at = time_of_next(hub, t);
    log_store(hub, t, text);
    if (kind == ENTRY_JOIN || kind == ENTRY_LEAVE || kind == ENTRY_REPLACED)
        watch_seats(hub, t);
    if (entry_events[kind] != NULL && kind != ENTRY_START)
        watch_event(hub, t, entry_events[kind], seat);
}

static void play_ply(struct hub *hub, struct table *t, int seat,
                     const struct rules_move *move)
{
    struct entry *e = log_add(t);

    e->kind = ENTRY_MOVE;
    e->seat = (uint16_t)seat;
    e->other = seat == RULES_NATURE ? 0 : put_ply(t, seat);
    e->u.move = *move;
    e->at = time_of_next(hub, t);
    log_store(hub, t, NULL); /* the words of a move are those before it */
    int refusal = rules_apply(t->rules, t->now, seat, move, &hub->events);
    ASSERT(refusal == RULES_OK);
    e->flags = hub->events.flags;
    played_add(t, (uint32_t)(t->log_count - 1));
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
    t->start_ply = (uint32_t)(t->log_count - 1);
    keep_seats(t, kept);
    make_key(t);
    bool fine = first_state(t);
    ASSERT(fine);
    t->state = TABLE_PLAYING;
    watch_seats(hub, t);
    watch_event(hub, t, entry_events[ENTRY_START], ENTRY_NOBODY);
    table_settle(hub, t);
}

static bool forget_played(struct table *t, uint32_t ply)
{
    size_t i = t->played_count;
    while (i > 0 && t->played[i - 1] != ply)
        i--;
    if (i == 0)
        return false;
    memmove(&t->played[i - 1], &t->played[i],
            (t->played_count - i) * sizeof(*t->played));
    t->played_count--;
    t->log[ply].undone = true;
    return true;
}

void table_take_back(struct hub *hub, struct table *t, int seat, uint32_t at)
{
    bool fine = forget_played(t, at) &&
                replay(t, t->played, t->played_count, t->now, &hub->events);
    ASSERT(fine);
    table_add(hub, t, ENTRY_UNDO, seat, at, NULL);
    t->put[seat] = (uint32_t)(t->log_count - 1);
    t->undos[seat]++;
    table_settle(hub, t);
}

/* Nobody plays on; a game that was going on has that for its result. */
static void give_up_on(struct table *t)
{
    t->state = TABLE_ABANDONED;
    t->result = t->now != NULL ? "abandoned" : NULL;
}

void table_abandon(struct hub *hub, struct table *t)
{
    give_up_on(t);
    table_add(hub, t, ENTRY_ABANDON, ENTRY_NOBODY, 0, NULL);
}

/* Marks what counts behind PLY as taken back. */
static void forget_since(struct table *t, uint32_t ply)
{
    while (t->played_count > 0 && t->played[t->played_count - 1] > ply)
        t->log[t->played[--t->played_count]].undone = true;
    for (size_t i = ply + 1; i < t->log_count; i++) {
        struct entry *e = &t->log[i];
        if (e->kind != ENTRY_RESIGN || e->undone)
            continue;
        e->undone = true;
        t->resigned &= (uint16_t)~RULES_BIT(e->seat);
    }
}

/* Every question is put anew, by the last ply. */
static void put_all(struct table *t)
{
    for (int seat = 0; seat < t->seats; seat++)
        t->put[seat] = (uint32_t)(t->log_count - 1);
}

bool table_rewindable(const struct table *t, uint32_t ply)
{
    if (t->played_count > 0 && t->played[t->played_count - 1] > ply)
        return true;
    for (size_t i = ply + 1; i < t->log_count; i++)
        if (t->log[i].kind == ENTRY_RESIGN && !t->log[i].undone &&
            (t->resigned & RULES_BIT(t->log[i].seat)))
            return true;
    return false;
}

void table_rewind(struct hub *hub, struct table *t, uint32_t ply)
{
    ASSERT(t->state == TABLE_PLAYING && ply >= t->start_ply);
    forget_since(t, ply);
    bool fine = replay(t, t->played, t->played_count, t->now, &hub->events);
    ASSERT(fine);
    table_add(hub, t, ENTRY_REWIND, ENTRY_NOBODY, ply, NULL);
    put_all(t);
    table_settle(hub, t);
}

/* Whoever has the seat now plays, even if it had been given up. */
static void take_over(struct table *t, int seat, id_num account)
{
    t->seat[seat] = account;
    t->resigned &= (uint16_t)~RULES_BIT(seat);
}

void table_replace(struct hub *hub, struct table *t, int seat, id_num account,
                   const char *name)
{
    char id[ID_SIZE];

    id_write(account, id);
    take_over(t, seat, account);
    table_call(hub, t, seat, account, name);
    table_add(hub, t, ENTRY_REPLACED, seat, 0, id);
    t->put[seat] = (uint32_t)(t->log_count - 1);
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
    t->used_ms = hub->now;
    t->changing = true;
    unit_id unit = hub_store(hub, t, q, then);
    watch_after(hub, t, unit);
    return unit;
}

/* ---- loading ---------------------------------------------------------- */

/* The setup that the row tells of, into T.  False if this server cannot. */
static bool take_setup(struct table *t)
{
    char why[JSON_EXPECTED_MAX];
    struct json_refusal refusal;
    struct json_board board = {0};
    json_t *options = json_parse(t->row.options, strlen(t->row.options), why);
    json_t *header = json_parse(t->row.header, strlen(t->row.header), why);
    int64_t revision = json_integer_value(json_object_get(header, "revision"));
    bool fine = options != NULL && header != NULL && t->rules != NULL &&
                revision >= 1 && revision <= t->rules->revision &&
                json_options_read(t->rules, options, t->options, &refusal) ==
                    RULES_OK;

    int64_t seats = json_integer_value(json_object_get(header, "seats"));
    fine = fine && seats >= 1 && seats <= RULES_SEATS_MAX;
    t->revision = (uint16_t)revision;
    t->seats = t->seats_made = fine ? (uint8_t)seats : 0;
    t->setup = (struct rules_setup){
        .seats = t->seats,
        .revision = t->revision,
        .options = t->options,
        .asset = t->row.asset,
        .asset_len = t->row.asset_len,
    };
    if (fine && t->row.asset == NULL && t->row.board != NULL) {
        json_t *value = json_parse(t->row.board, strlen(t->row.board), why);
        fine = value != NULL && json_board_read(t->rules, value, 0, &board,
                                                &refusal) == RULES_OK;
        t->setup.asset_name = board.name;
        json_board_done(&board);
        json_decref(value);
    }
    json_decref(options);
    json_decref(header);
    return fine;
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

static void set_name(struct table *t, int seat)
{
    for (size_t i = 0; i < t->known_count; i++)
        if (t->known[i].id == t->seat[seat])
            snprintf(t->name[seat], sizeof(t->name[0]), "%s",
                     t->known[i].name);
}

/* What an entry, already in the log, makes of the table. */
static bool take_entry(struct table *t, const struct entry *e,
                       const char *text)
{
    uint32_t ply = (uint32_t)(t->log_count - 1);

    switch (e->kind) {
    case ENTRY_JOIN:
        if (e->seat >= t->seats)
            return false;
        t->seat[e->seat] = e->u.account;
        set_name(t, e->seat);
        return true;
    case ENTRY_LEAVE:
        if (e->seat >= t->seats)
            return false;
        t->seat[e->seat] = 0;
        t->name[e->seat][0] = t->nonce[e->seat][0] = '\0';
        return true;
    case ENTRY_NONCE:
        if (e->seat >= t->seats)
            return false;
        snprintf(t->nonce[e->seat], sizeof(t->nonce[0]), "%s", text);
        return true;
    case ENTRY_START:
        if (t->now != NULL)
            return false;
        keep_seats(t, e->other);
        make_key(t);
        t->start_ply = ply;
        t->state = TABLE_PLAYING;
        return first_state(t);
    case ENTRY_MOVE:
        t->draws += e->seat == RULES_NATURE;
        played_add(t, ply);
        return true;
    case ENTRY_UNDO:
        if (e->seat >= t->seats || e->other >= ply ||
            t->log[e->other].kind != ENTRY_MOVE || t->log[e->other].undone)
            return false;
        t->put[e->seat] = ply;
        t->undos[e->seat]++;
        return forget_played(t, e->other);
    case ENTRY_RESIGN:
        if (e->seat >= t->seats)
            return false;
        t->resigned |= RULES_BIT(e->seat);
        return true;
    case ENTRY_REWIND:
        if (t->now == NULL || e->other >= ply || e->other < t->start_ply)
            return false;
        forget_since(t, e->other);
        put_all(t);
        return true;
    case ENTRY_REPLACED:
        if (e->seat >= t->seats)
            return false;
        take_over(t, e->seat, e->u.account);
        set_name(t, e->seat);
        t->put[e->seat] = ply;
        return true;
    case ENTRY_ABANDON: give_up_on(t); return true;
    case ENTRY_RESTORED: t->draws += UINT64_C(1) << 32; return true;
    default: return true;
    }
}

static bool take_line(struct table *t, const struct ply_row *row)
{
    char why[JSON_EXPECTED_MAX], text[65];
    struct entry e;
    json_t *line = json_parse(row->line, row->len, why);
    bool fine = line != NULL && row->ply == t->log_count &&
                line_read(t, line, t->now, &e, text);

    json_decref(line);
    if (!fine)
        return false;
    memcpy(e.chain, row->chain, sizeof(e.chain));
    *log_add(t) = e;
    return take_entry(t, &e, text);
}

/* Whether a game of two, one of whom resigned, is over. */
static bool resigned_away(const struct table *t)
{
    int left = 0;
    for (int seat = 0; seat < t->seats; seat++)
        left += !(t->resigned & RULES_BIT(seat));
    return t->resigned != 0 && left <= 1;
}

/* What the state says about the table. */
static void conclude(struct table *t)
{
    if (t->state != TABLE_PLAYING || !(resigned_away(t) || rules_over(t->now)))
        return;
    t->state = TABLE_FINISHED;
    t->result = resigned_away(t) ? "resigned" : "finished";
}

struct table *table_past(struct hub *hub, const struct table *t, size_t count)
{
    struct table *past = calloc(1, sizeof(*past));

    ASSERT(past != NULL && count >= 1 && count <= t->log_count);
    *past = (struct table){
        .id = t->id,
        .owner = t->owner,
        .rules = t->rules,
        .row = t->row,
        .setup = t->setup,
        .revision = t->revision,
        .known = t->known,
        .known_count = t->known_count,
        .seats = t->seats_made,
        .seats_made = t->seats_made,
        .state = TABLE_OPEN,
    };
    past->setup.seats = t->seats_made;
    for (size_t i = 0; i < count; i++) {
        struct entry *e = log_add(past);
        *e = t->log[i];
        e->undone = false;
        bool fine = take_entry(past, e, "");
        ASSERT(fine);
    }
    if (past->now != NULL) {
        bool fine = replay(past, past->played, past->played_count, past->now,
                           &hub->events);
        ASSERT(fine);
        conclude(past);
    }
    return past;
}

void table_past_free(struct table *past)
{
    free(past->log);
    free(past->played);
    free(past->now);
    free(past);
}

/* The names as the log's last line knows them. */
static void take_names(struct table *t, const struct answer *answer)
{
    for (size_t i = 0; i < answer->name_count; i++)
        table_know(t, answer->names[i].id, answer->names[i].name);
    for (size_t i = 0; i < answer->rename_count; i++)
        table_know(t, answer->renames[i].id, answer->renames[i].name);
}

static bool take_log(struct hub *hub, struct table *t,
                     const struct answer *answer)
{
    t->state = TABLE_OPEN;
    for (size_t i = 0; i < answer->ply_count; i++)
        if (!take_line(t, &answer->plies[i]))
            return false;
    if (t->now == NULL)
        return t->log_count > 0;
    if (!replay(t, t->played, t->played_count, t->now, &hub->events))
        return false;
    conclude(t);
    return true;
}

void table_row_copy(struct table_row *to, const struct table_row *from,
                    struct region *r)
{
    *to = *from;
    to->game = region_copy(r, from->game);
    to->door = region_copy(r, from->door);
    to->seed = region_copy(r, from->seed);
    to->header = region_copy(r, from->header);
    to->options = region_copy(r, from->options);
    to->board = region_copy(r, from->board);
    to->asset = from->asset != NULL
                    ? region_text(r, from->asset, from->asset_len)
                    : NULL;
}

static void take_row(struct table *t, const struct answer *answer)
{
    const struct table_row *from = answer->table;
    struct region *r = &t->region;

    table_row_copy(&t->row, from, r);
    t->owner = from->owner;
    t->rules = rules_find(t->row.game);
    t->texts_last = answer->texts_last;
    t->invited_count = answer->invited_count;
    t->invited = region_take(r, (LIMIT_INVITED + 1) * sizeof(*t->invited));
    if (t->invited_count > LIMIT_INVITED)
        t->invited_count = LIMIT_INVITED;
    for (size_t i = 0; i < t->invited_count; i++)
        t->invited[i] = answer->invited[i];
}

/* As the header tells it: that of an imported table was made for the id that it
 * had where it was played. */
static void commit_text(struct table *t)
{
    char why[JSON_EXPECTED_MAX];
    json_t *header = json_parse(t->row.header, strlen(t->row.header), why);
    const char *text = json_string_value(
        json_object_get(header, "commitment"));

    if (text != NULL)
        snprintf(t->commitment, sizeof(t->commitment), "%s", text);
    json_decref(header);
}

/* Asks for all of T, which is in memory but for its contents. */
static void load(struct hub *hub, struct table *t)
{
    struct owed *owed = calloc(1, sizeof(*owed));
    struct question ask = {.kind = ASK_TABLE, .table = t->id};

    ASSERT(owed != NULL);
    owed->id = t->busy = ++hub->last;
    owed->table = t;
    map_put(&hub->owed, owed->id, owed);
    hub->host->ask(hub->host, owed->id, &ask);
}

static struct table *table_new(struct hub *hub, id_num id)
{
    struct table *t = calloc(1, sizeof(*t));

    ASSERT(t != NULL);
    t->id = id;
    t->used_ms = hub->now;
    queue_init(&t->queue);
    map_put(&hub->tables, id, t);
    return t;
}

/* The log says nothing yet of names that have changed: it does before anything
 * else happens here. */
static void renames_due(struct hub *hub, struct table *t,
                        const struct answer *answer)
{
    for (size_t i = 0; i < answer->rename_count; i++)
        for (size_t k = 0; k < answer->name_count; k++)
            if (answer->names[k].id == answer->renames[i].id)
                chores_due(hub, t, answer->names[k].id, answer->names[k].name);
}

void table_loaded(struct hub *hub, struct table *t,
                  const struct answer *answer)
{
    if (answer->failed) {
        table_forget(hub, t, ERR_STORAGE_UNAVAILABLE);
        return;
    }
    if (answer->table == NULL) {
        table_forget(hub, t, ERR_NO_SUCH_TABLE);
        return;
    }
    take_row(t, answer);
    take_names(t, answer);
    t->readable = take_setup(t) && take_log(hub, t, answer);
    commit_text(t);
    if (t->readable) {
        watch_resumed(hub, t);
        renames_due(hub, t, answer);
        return;
    }
    /* Nobody can be told of it; who sits there is known from the row. */
    journal_table(hub, t, "not_replayable");
    watch_drop(hub, t);
    t->state = TABLE_OPEN;
    t->seats = t->row.now.seats < RULES_SEATS_MAX ? t->row.now.seats
                                                  : RULES_SEATS_MAX;
    memcpy(t->seat, t->row.now.seat, sizeof(t->seat));
    for (int seat = 0; seat < t->seats; seat++)
        set_name(t, seat);
}

struct table *table_make(struct hub *hub, const struct answer *answer)
{
    struct table *t = table_new(hub, answer->table->id);

    take_row(t, answer);
    t->readable = take_setup(t);
    ASSERT(t->readable);
    commit_text(t);
    return t;
}

/* ---- leaving memory --------------------------------------------------- */

/* Frees what was loaded; who watches and who waits stay. */
static void unload(struct table *t)
{
    watch_forget(t);
    region_done(&t->region);
    free(t->log);
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
    unload(t);
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
    unload(t);
    load(hub, t);
}

/* ---- requests --------------------------------------------------------- */

static table_handler handler_of(enum method m)
{
    static const table_handler *const lists[] = {
        play_handlers,        lobby_table_handlers,
        list_table_handlers,  watch_handlers,
        replay_handlers,      talk_handlers,
        admin_table_handlers, admin_record_table_handlers,
    };
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (lists[i][m] != NULL)
            return lists[i][m];
    return NULL;
}

static void handle(struct hub *hub, struct table *t, struct request *q)
{
    table_handler work = handler_of(q->method);

    t->used_ms = hub->now;
    q->table = t;
    if (q->errand != NULL)
        q->errand(hub, t, q);
    else if (!t->readable && methods[q->method].role != ROLE_ADMIN &&
             table_may_see(t, q) != ERR_NONE)
        lobby_unknown(hub, q);
    else if (!t->readable && q->method != M_ADMIN_EXPORT)
        refuse(hub, q, ERR_NEWER_CORE);
    else if (work == NULL)
        refuse(hub, q, ERR_INTERNAL);
    else
        work(hub, t, q);
}

void table_go_on(struct hub *hub, struct table *t)
{
    id_num id = t->id;
    struct request *q;

    while (t != NULL && t->busy == 0 && (q = queue_take(&t->queue)) != NULL) {
        handle(hub, t, q);
        t = table_find(hub, id);
    }
}

void table_request(struct hub *hub, struct request *q)
{
    id_num id;

    if (id_read(param_text(q, "table"), &id))
        table_errand(hub, q, id);
    else
        refuse(hub, q, ERR_NO_SUCH_TABLE);
}

void table_errand(struct hub *hub, struct request *q, id_num id)
{
    struct table *t = table_find(hub, id);

    if (t == NULL) {
        t = table_new(hub, id);
        load(hub, t);
    }
    if (t->queue.count >= LIMIT_TABLE_REQUESTS) {
        refuse(hub, q, ERR_TOO_MANY_REQUESTS);
        return;
    }
    queue_put(&t->queue, q);
    table_go_on(hub, t);
}
