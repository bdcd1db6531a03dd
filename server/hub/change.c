/* change.c -- a change from its beginning until the host has it; see change.h.
 */

#include <stdlib.h>

#include "core/fair.h"
#include "inner.h"

struct change *change_begin(struct hub *hub, struct request *q,
                            struct table *t)
{
    struct change *c = hub->spare;

    ASSERT(t == NULL || t->busy == 0);
    hub->spare = NULL;
    if (c == NULL) {
        c = calloc(1, sizeof(*c));
        ASSERT(c != NULL);
        audience_init(&c->audience);
    }
    c->hub = hub;
    c->request = q;
    c->table = t;
    c->id = ++hub->last;
    c->row_count = c->concern_count = 0;
    transaction_init(&c->transaction);
    return c;
}

void change_free(struct change *c)
{
    if (c == NULL)
        return;
    audience_done(&c->audience);
    free(c->rows);
    free(c);
}

/* ---- rows ---------------------------------------------------------------- */

struct op *change_op(struct change *c, enum op_kind kind)
{
    struct op *op = transaction_add(&c->transaction, kind);

    if (c->table != NULL)
        op->table = c->table->id;
    return op;
}

char *change_text(struct change *c, const char *text)
{
    return region_copy(&c->transaction.region, text);
}

void change_call(struct change *c, id_num account, const char *name)
{
    struct op *op = change_op(c, OP_NAMED);

    op->account = account;
    op->u.note = change_text(c, name);
    table_know(c->table, account, name);
}

void change_concerns(struct change *c, id_num account, const char *kind)
{
    ASSERT(c->concern_count < CONCERNS_MAX);
    if (account != 0)
        c->concerns[c->concern_count++] = (struct concern){account, kind};
}

/* ---- entries ------------------------------------------------------------- */

static struct ply_row *next_row(struct change *c)
{
    if (c->row_count == c->row_cap) {
        c->row_cap = c->row_cap ? 2 * c->row_cap : 64;
        c->rows = realloc(c->rows, c->row_cap * sizeof(*c->rows));
        ASSERT(c->rows != NULL);
    }
    return &c->rows[c->row_count++];
}

/* Chains E, which comes next, to what is there, and keeps its line. */
static void chain(struct change *c, struct entry *e)
{
    struct table *t = c->table;
    struct json_out *line = &c->hub->line;
    uint32_t ply = t->log.count;
    uint8_t salt[SHA256_SIZE], head[SHA256_SIZE];

    json_out_reset(line);
    line_write(line, t, ply, e);
    const char *text = json_out_text(line);
    if (ply == 0) {
        fair_chain_start(t->row.header, strlen(t->row.header), head);
    } else {
        if (t->salts.length == 0)
            fair_salts(t->row.seed, &t->salts);
        fair_salt_of(&t->salts, ply, salt);
        fair_chain_next(t->chain, salt, text, line->len, head);
    }
    memcpy(t->chain, head, sizeof(t->chain));
    e->check = chain_fold(head);
    struct ply_row *row = next_row(c);
    row->ply = ply;
    row->line = region_text(&c->transaction.region, text, line->len);
    row->len = line->len;
    memcpy(row->chain, head, sizeof(row->chain));
    c->hub->counts.plies++;
}

/* When the entry that is added now was made: now, but never before the one
 * before it, whatever becomes of the clock.  Its line is chained. */
static int64_t time_of_next(const struct change *c)
{
    const struct table *t = c->table;
    int64_t before = t->log.count > 0 ? table_changed(t) : t->row.created;
    return c->hub->now_ms > before ? c->hub->now_ms : before;
}

/* What there is before the first entry is what people know. */
static void look(struct change *c)
{
    c->before = (struct summary){0};
    if (c->table->log.count > 0)
        table_summary(c->table, &c->before);
    memcpy(c->behind, c->table->chain, sizeof(c->behind));
    audience_begin(&c->audience, c->table);
}

static void put(struct change *c, const struct entry *entry)
{
    struct table *t = c->table;
    struct entry e = *entry;

    if (c->row_count == 0)
        look(c);
    e.at = time_of_next(c);
    if (e.kind == ENTRY_MOVE && e.seat != RULES_NATURE)
        e.decision = table_asked_ply(t, e.seat);
    chain(c, &e);
    log_append(&t->log, &e);
    bool applied = entry_apply(c->hub, t, &e, &c->events) &&
                   history_fold(c->hub, t, UINT64_MAX) == WALK_DONE;
    ASSERT(applied); /* whoever adds it has seen to that */
    entries_conclude(t);
    audience_hear(&c->audience, t, &e, &c->events);
}

/* What happens at T without anybody's doing, or false. */
static bool comes_by_itself(const struct table *t, struct entry *e)
{
    uint16_t absent = t->rules_state->acting & t->resigned;
    struct rng rng;

    *e = (struct entry){.kind = ENTRY_MOVE, .seat = RULES_NATURE};
    if (t->rules_state->acting & RULES_BIT(RULES_NATURE)) {
        rng_init(&rng, t->key, t->draws);
        rules_chance(t->rules, t->rules_state, &rng, &e->u.move);
        return true;
    }
    if (absent == 0)
        return false;
    e->seat = (uint16_t)__builtin_ctz(absent);
    rules_default_move(t->rules, t->rules_state, e->seat, &e->u.move);
    return true;
}

void change_add(struct change *c, const struct entry *e)
{
    struct entry next;

    c->hub->counts.moves += e->kind == ENTRY_MOVE;
    put(c, e);
    while (c->table->state == TABLE_PLAYING &&
           comes_by_itself(c->table, &next))
        put(c, &next);
}

/* ---- what comes of it ---------------------------------------------------- */

size_t concerns_between(const struct table *t, const struct summary *was,
                        const struct summary *is,
                        struct concern to[2 * RULES_SEATS_MAX])
{
    bool playing = is->state == TABLE_PLAYING;
    bool same = was->state == is->state;
    size_t n = 0;

    for (int seat = 0; seat < t->seats; seat++) {
        bool before = playing && same && (was->acting & RULES_BIT(seat)) != 0;
        bool after = playing && (is->acting & RULES_BIT(seat)) != 0;
        if (!same)
            to[n++] = (struct concern){
                t->seat[seat],
                playing                       ? "started"
                : is->state == TABLE_FINISHED ? "finished"
                                              : "abandoned",
            };
        /* Others' moves, undos and an operator may take a question away as well
         * as an answer does. */
        if (before != after)
            to[n++] = (struct concern){
                t->seat[seat],
                after ? "turn" : "turn_over",
            };
    }
    return n;
}

static void put_plies(struct change *c)
{
    struct op *op = change_op(c, OP_PLIES);
    size_t bytes = c->row_count * sizeof(*c->rows);

    if (c->rows[0].ply > 0) {
        uint8_t *behind = region_take(&c->transaction.region, SHA256_SIZE);
        op->u.plies.expect = memcpy(behind, c->behind, SHA256_SIZE);
    }
    op->u.plies.rows = region_take(&c->transaction.region, bytes);
    memcpy(op->u.plies.rows, c->rows, bytes);
    op->u.plies.count = c->row_count;
    op->u.plies.summary = c->after;
}

/* All that follows from the entries.  Whatever has to be stored with them
 * because of them, like deadlines, notices and ratings, is put in here. */
static void derive(struct change *c)
{
    struct concern found[2 * RULES_SEATS_MAX];

    if (c->row_count == 0)
        return;
    table_summary(c->table, &c->after);
    size_t n = concerns_between(c->table, &c->before, &c->after, found);
    for (size_t i = 0; i < n; i++)
        change_concerns(c, found[i].account, found[i].kind);
    put_plies(c);
}

/* Tells people, as soon as it is stored. */
static void update(struct change *c)
{
    if (c->row_count > 0)
        audience_update(c->hub, &c->audience, c->table, c->id);
    for (size_t i = 0; i < c->concern_count; i++)
        watch_tell(c->hub, c->concerns[i].account, c->concerns[i].kind,
                   c->table, c->id);
}

void change_submit(struct change *c, stored_cb then)
{
    struct hub *hub = c->hub;
    struct table *t = c->table;

    derive(c);
    update(c);
    if (c->row_count > 0) {
        t->changing = true;
        t->last = c->before;
    }
    hub_store(hub, c->id, &c->transaction, t, c->request, then);
    ASSERT(hub->spare == NULL);
    hub->spare = c;
}
