/* change.c -- a change from its beginning until the host has it; see change.h.
 */

#include <stdlib.h>

#include "core/fair.h"
#include "inner.h"
#include "outbox.h"

static void begin_at(struct change *c, struct table *t)
{
    c->table = t;
    c->row_count = c->concern_count = 0;
    c->moves = 0;
    c->ordered = c->unasked = 0;
    memset(c->order_moves, 0, sizeof(c->order_moves));
    c->orders_over = false;
}

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
        json_out_init(&c->news);
    }
    c->hub = hub;
    c->request = q;
    c->id = ++hub->last;
    c->first = NULL;
    begin_at(c, t);
    c->outbox = (struct outbox_share){0};
    transaction_init(&c->transaction);
    return c;
}

void change_free(struct change *c)
{
    if (c == NULL)
        return;
    audience_done(&c->audience);
    json_out_done(&c->news);
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
        c->concerns[c->concern_count++] = (struct concern){.account = account,
                                                           .kind = kind};
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

/* Chains E, the last entry, to what is there, and keeps its line. */
static void chain(struct change *c, const struct entry *e)
{
    struct table *t = c->table;
    struct json_out *line = &c->hub->line;
    uint32_t ply = t->log.count - 1;
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
    log_check(&t->log, ply, chain_fold(head));
    struct ply_row *row = next_row(c);
    row->ply = ply;
    row->line = region_text(&c->transaction.region, text, line->len);
    row->len = line->len;
    memcpy(row->chain, head, sizeof(row->chain));
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
    if (c->table->clocks != NULL)
        outages_cut(c->hub);
    if (c->table->log.count > 0)
        table_summary(c->table, &c->before);
    c->asked = voting_waits(c->table);
    c->vote = c->table->votes.ply;
    c->may = c->table->rules_state != NULL ? c->table->rules_state->may : 0;
    memcpy(c->behind, c->table->chain, sizeof(c->behind));
    audience_begin(&c->audience, c->table);
}

/* An entry tells what it makes of the clocks, so it is applied before it is
 * chained. */
void change_put(struct change *c, const struct entry *entry)
{
    struct table *t = c->table;
    struct entry e = *entry;

    if (c->row_count == 0)
        look(c);
    e.at = time_of_next(c);
    if (e.kind == ENTRY_MOVE && e.seat != RULES_NATURE)
        e.decision = table_asked_ply(t, e.seat);
    clocks_outages(c->hub, t, &e);
    log_append(&t->log, &e);
    bool applied = entry_apply(c->hub, t, &e, &c->events) &&
                   history_fold(c->hub, t, UINT64_MAX) == WALK_DONE;
    ASSERT(applied); /* whoever adds it has seen to that */
    entries_conclude(t);
    orders_hear(c, &e, &c->events);
    clocks_tell(t, &e);
    chain(c, &e);
    history_snapshot(c->hub, t);
    audience_hear(&c->audience, t, &e, &c->events);
    if (t->clocks != NULL &&
        (e.kind == ENTRY_JOIN || e.kind == ENTRY_REPLACED))
        presence_later(c, e.u.account);
}

/* What happens at T without anybody's doing, or false. */
static bool comes_by_itself(const struct table *t, struct entry *e)
{
    uint16_t absent = (uint16_t)(t->rules_state->acting &
                                 (t->resigned | clocks_forced(t)));
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
    if ((t->resigned & RULES_BIT(e->seat)) == 0)
        e->more.made = MADE_MILD;
    rules_default_move(t->rules, t->rules_state, e->seat, &e->u.move);
    return true;
}

void change_follow(struct change *c)
{
    struct entry next;

    if (bots_alone(c->table)) /* for nobody it is not played on */
        change_put(c, &(struct entry){.kind = ENTRY_ABANDON,
                                      .seat = ENTRY_NOBODY});
    while (c->table->state == TABLE_PLAYING) {
        bool by_itself = comes_by_itself(c->table, &next);
        if (!by_itself && !orders_next(c, &next))
            break;
        c->moves += !by_itself;
        change_put(c, &next);
    }
}

void change_add(struct change *c, const struct entry *e)
{
    c->moves += e->kind == ENTRY_MOVE;
    change_put(c, e);
    change_follow(c);
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
        bool after = playing && (is->acting & RULES_BIT(seat)) != 0 &&
                     !clocks_gone(t, seat);
        if (!same)
            to[n++] = (struct concern){
                .account = t->seat[seat],
                .kind = playing                       ? "started"
                        : is->state == TABLE_FINISHED ? "finished"
                                                      : "abandoned",
            };
        /* Others' moves, undos and an operator may take a question away as well
         * as an answer does. */
        if (before != after)
            to[n++] = (struct concern){
                .account = t->seat[seat],
                .kind = after ? "turn" : "turn_over",
            };
    }
    return n;
}

/* Who was asked before and is asked now, and was not while somebody's order was
 * carried out in between, is asked anew by that; even if the change is theirs they
 * may have gone by now, as they had to expect to wait. */
static void concern_anew(struct change *c)
{
    uint16_t anew = c->unasked & c->before.acting & c->after.acting;

    for (int seat = 0; seat < c->table->seats; seat++)
        if ((anew & RULES_BIT(seat)) != 0 &&
            c->before.state == TABLE_PLAYING &&
            c->after.state == TABLE_PLAYING && !clocks_gone(c->table, seat) &&
            c->table->seat[seat] != 0) {
            change_concerns(c, c->table->seat[seat], "turn");
            c->concerns[c->concern_count - 1].anew = true;
        }
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

static void derive_from_entries(struct change *c)
{
    struct concern found[2 * RULES_SEATS_MAX];

    table_summary(c->table, &c->after);
    size_t n = concerns_between(c->table, &c->before, &c->after, found);
    for (size_t i = 0; i < n; i++)
        change_concerns(c, found[i].account, found[i].kind);
    concern_anew(c);
    voting_concerns(c);
    put_plies(c);
    if (c->table->clocks != NULL && c->before.state == TABLE_PLAYING &&
        c->after.state != TABLE_PLAYING)
        change_op(c, OP_REMINDERS_DROP);
    if (c->after.state == TABLE_FINISHED && c->before.state != TABLE_FINISHED)
        results_derive(c);
}

/* All that follows from the entries.  Whatever has to be stored with them
 * because of them, like deadlines, notices and ratings, is put in here. */
static void derive(struct change *c)
{
    if (c->row_count > 0)
        derive_from_entries(c);
    orders_put(c);
    outbox_change(c);
}

/* Tells people, as soon as it is stored. */
static void update(struct change *c)
{
    if (c->row_count > 0)
        audience_update(c->hub, &c->audience, c->table, c->id);
    for (size_t i = 0; i < c->concern_count; i++)
        watch_tell(c->hub, c->concerns[i].account, c->concerns[i].kind,
                   c->table->id, c->id);
}

/* C has all that is about its table. */
static void settle(struct change *c)
{
    struct table *t = c->table;

    derive(c);
    update(c);
    news_table(c);
    if (c->row_count == 0)
        return;
    t->adding = (struct added){(uint32_t)c->row_count, c->moves};
    t->last = c->before;
    if (t->clocks != NULL || c->before.quiet != c->after.quiet)
        deadlines_change(c->hub, t, &c->after);
}

void change_also(struct change *c, struct table *t)
{
    ASSERT(c->first == NULL && c->table != NULL && t->busy == 0);
    settle(c);
    c->first = c->table;
    begin_at(c, t);
}

void change_submit(struct change *c, stored_cb then)
{
    struct hub *hub = c->hub;
    bool two = c->first != NULL;

    settle(c);
    outbox_sum_up(c);
    news_end(c);
    hub_store(hub, c->id, &c->transaction, two ? c->first : c->table,
              two ? c->table : NULL, c->request, c->outbox, then);
    ASSERT(hub->spare == NULL);
    hub->spare = c;
}
