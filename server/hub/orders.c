/* orders.c -- see orders.h. */

#include "orders.h"

#include <stdlib.h>

#include "inner.h"

/* What stands for SEAT of T, or NULL. */
static struct order *order_of(const struct table *t, int seat)
{
    struct order *o = t->orders != NULL && seat < t->seats
                          ? &t->orders->seat[seat]
                          : NULL;

    return o != NULL && o->kind != ORDER_NONE ? o : NULL;
}

size_t orders_bytes(const struct orders *o)
{
    return o != NULL ? bytes_held(sizeof(*o)) : 0;
}

static struct orders *orders_of(struct table *t)
{
    if (t->orders == NULL)
        t->orders = calloc(1, sizeof(*t->orders));
    ASSERT(t->orders != NULL);
    return t->orders;
}

static void drop(struct change *c, int seat)
{
    c->table->orders->seat[seat].kind = ORDER_NONE;
    c->ordered |= RULES_BIT(seat);
}

/* ---- while entries are added --------------------------------------------- */

/* Whether O of SEAT is still meant after E. */
static bool is_meant(const struct table *t, int seat, const struct order *o,
                     const struct entry *e, const struct rules_events *events)
{
    if (t->state != TABLE_PLAYING || t->seat[seat] != o->account)
        return false;
    if (o->kind == ORDER_PASS &&
        rules_round(t->rules, t->rules_state) != o->round)
        return false;
    switch (e->kind) {
    case ENTRY_REWIND:
    case ENTRY_RESTORED: return false;
    case ENTRY_UNDO:
    case ENTRY_MISS:
    case ENTRY_RESIGN:
    case ENTRY_REPLACED: return o->kind == ORDER_PASS && e->seat != seat;
    case ENTRY_MOVE:
        return o->kind == ORDER_PASS ||
               (e->seat != seat && rules_harmless(t->rules, events, seat));
    default: return true; /* the game is as it was */
    }
}

void orders_hear(struct change *c, const struct entry *e,
                 const struct rules_events *events)
{
    const struct table *t = c->table;
    const struct order *o;

    c->orders_over |= e->kind == ENTRY_RESTORED;
    for (int seat = 0; seat < t->seats; seat++)
        if ((o = order_of(t, seat)) != NULL &&
            !is_meant(t, seat, o, e, events))
            drop(c, seat);
}

/* ---- carrying them out --------------------------------------------------- */

/* Until when no order is carried out at T, or 0. */
static int64_t paused_until(const struct table *t)
{
    return t->clocks != NULL ? t->clocks->timing.clock.paused_until_ms : 0;
}

static bool is_held(const struct hub *hub, const struct table *t)
{
    int64_t until = paused_until(t);
    return until > hub->now_ms && until > table_changed(t);
}

/* Who is asked at T and has an order, as bits. */
static uint16_t ordered(const struct table *t)
{
    uint16_t seats = 0;

    for (int seat = 0; t->state == TABLE_PLAYING && seat < t->seats; seat++)
        if (order_of(t, seat) != NULL &&
            (t->rules_state->acting & ~t->resigned & RULES_BIT(seat)) != 0)
            seats |= RULES_BIT(seat);
    return seats;
}

/* The move that O of SEAT, which is asked, is now; false: none. */
static bool move_of(const struct table *t, int seat, const struct order *o,
                    struct rules_move *move)
{
    if (o->kind == ORDER_PASS)
        return rules_pass(t->rules, t->rules_state, seat, move);
    *move = o->move;
    return rules_check(t->rules, t->rules_state, seat, move) == RULES_OK;
}

bool orders_next(struct change *c, struct entry *e)
{
    const struct table *t = c->table;
    uint16_t seats = ordered(t);

    if (seats == 0 || is_held(c->hub, t))
        return false;
    *e = (struct entry){.kind = ENTRY_MOVE};
    for (int seat = 0; seat < t->seats; seat++) {
        if ((seats & RULES_BIT(seat)) == 0)
            continue;
        const struct order *o = order_of(t, seat);
        bool can = move_of(t, seat, o, &e->u.move);
        if (can && c->order_moves[seat] < LIMIT_ORDER_MOVES) {
            c->order_moves[seat]++;
            c->ordered |= RULES_BIT(seat);
            c->unasked |= (uint16_t)~t->rules_state->acting;
            e->seat = (uint16_t)seat;
            return true;
        }
        if (can || o->kind == ORDER_ANSWER)
            drop(c, seat);
    }
    return false;
}

int64_t orders_held(const struct hub *hub, const struct table *t)
{
    return ordered(t) != 0 && is_held(hub, t) ? paused_until(t) : 0;
}

/* Whether anything at T is to be played or to go. */
static bool is_due(const struct hub *hub, const struct table *t)
{
    uint16_t seats = ordered(t);
    struct rules_move move;

    if (t->orders != NULL && t->orders->unreadable[0] != 0)
        return true;
    if (seats == 0 || is_held(hub, t))
        return false;
    for (int seat = 0; seat < t->seats; seat++)
        if ((seats & RULES_BIT(seat)) != 0 &&
            (order_of(t, seat)->kind == ORDER_ANSWER ||
             move_of(t, seat, order_of(t, seat), &move)))
            return true;
    return false;
}

static void taken_up(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

bool orders_take_up(struct hub *hub, struct table *t, struct request *q)
{
    if (!t->readable || hub->restoring > 0 || !is_due(hub, t))
        return false;
    struct change *c = change_begin(hub, q, t);
    change_follow(c);
    change_submit(c, taken_up);
    return true;
}

/* ---- what is stored ------------------------------------------------------ */

/* As text: what is stored, and what its owner is shown but for `round`. */
static void write_order(struct json_out *o, const char *key,
                        const struct table *t, const struct order *order,
                        bool whole)
{
    out_object(o, key);
    out_int(o, "after", order->after);
    if (order->kind == ORDER_PASS) {
        out_string(o, "pass", "round");
        if (whole)
            out_int(o, "round", order->round);
    } else {
        json_move(o, "move", t->rules, t->rules_state, &order->move);
    }
    out_end(o);
}

void orders_write(struct json_out *o, const struct table *t, id_num account)
{
    int seat = t->readable ? table_viewer(t, account) : RULES_WATCHER;
    const struct order *order = seat != RULES_WATCHER ? order_of(t, seat)
                                                      : NULL;

    if (order != NULL && order->account == account)
        write_order(o, "order", t, order, false);
}

static void put_row(struct change *c, id_num account,
                    const struct order *order)
{
    struct op *op = change_op(c, OP_ORDER);
    struct json_out text;

    op->account = account;
    op->u.order.ply = c->table->log.count - 1;
    if (order == NULL)
        return;
    json_out_init(&text);
    write_order(&text, NULL, c->table, order, true);
    op->u.order.body = change_text(c, json_out_text(&text));
    json_out_done(&text);
}

void orders_put(struct change *c)
{
    struct orders *all = c->table != NULL ? c->table->orders : NULL;
    bool over = c->orders_over;

    if (all != NULL)
        over |= c->table->state != TABLE_PLAYING;
    if (over)
        change_op(c, OP_ORDERS_DROP);
    for (int seat = 0; all != NULL && seat < RULES_SEATS_MAX; seat++) {
        const struct order *o = &all->seat[seat];
        if ((c->ordered & RULES_BIT(seat)) == 0)
            continue;
        if (!over)
            put_row(c, o->account, o->kind != ORDER_NONE ? o : NULL);
        change_concerns(c, o->account, "order");
    }
    for (int i = 0; all != NULL && i < RULES_SEATS_MAX; i++) {
        if (all->unreadable[i] != 0 && !over)
            put_row(c, all->unreadable[i], NULL);
        all->unreadable[i] = 0;
    }
    if (over && all != NULL) {
        c->table->orders = NULL;
        free(all);
    }
}

/* Reads what stands for SEAT of T from BODY. */
static bool read_order(const struct table *t, const char *body,
                       struct order *o)
{
    char why[JSON_EXPECTED_MAX];
    struct json_refusal refusal = {0};
    json_t *text = json_parse(body, strlen(body), why);
    const json_t *after = json_object_get(text, "after");
    const json_t *round = json_object_get(text, "round");
    const json_t *move = json_object_get(text, "move");
    bool fine = json_is_integer(after) && json_integer_value(after) >= 0 &&
                json_integer_value(after) < t->log.count;

    if (fine)
        o->after = (uint32_t)json_integer_value(after);
    if (move != NULL) {
        o->kind = ORDER_ANSWER;
        fine = fine && json_move_read(t->rules, t->rules_state, move, false,
                                      &o->move, &refusal) == RULES_OK;
    } else {
        o->kind = ORDER_PASS;
        fine = fine && json_is_integer(round) &&
               json_integer_value(round) ==
                   (json_int_t)rules_round(t->rules, t->rules_state);
        o->round = fine ? (uint32_t)json_integer_value(round) : 0;
    }
    json_decref(text);
    return fine;
}

static void take_up(struct hub *hub, struct table *t, struct request *q)
{
    if (!orders_take_up(hub, t, q))
        result_empty(hub, q);
}

void orders_loaded(struct hub *hub, struct table *t,
                   const struct answer *answer)
{
    size_t bad = 0;

    for (size_t i = 0; i < answer->order_count; i++) {
        const struct order_row *row = &answer->orders[i];
        struct order o = {.account = row->account};
        int seat = table_viewer(t, row->account);
        if (t->state == TABLE_PLAYING && seat != RULES_WATCHER &&
            read_order(t, row->body, &o)) {
            orders_of(t)->seat[seat] = o;
        } else if (bad < RULES_SEATS_MAX) {
            journal_table(hub, t, "order_unreadable");
            orders_of(t)->unreadable[bad++] = row->account;
        }
    }
    if (!is_due(hub, t))
        return;
    struct request *job = job_new(hub);
    job->job = take_up;
    queue_put_first(&t->queue, job);
}

/* ---- table.order --------------------------------------------------------- */

static void answer_order(struct hub *hub, struct request *q)
{
    struct json_out *o = result_begin(hub, q);

    orders_write(o, q->table, q->account);
    result_end(hub, q);
}

/* Whether SEAT of T could come to be asked, and is not; else Q is refused. */
static bool may_order(struct hub *hub, const struct table *t,
                      struct request *q, int seat, int64_t after)
{
    if (after != (int64_t)t->log.count - 1) {
        struct json_out *o = refuse_begin(hub, q, ERR_STALE_PLY);
        out_int(o, "ply", t->log.count - 1);
        refuse_end(hub, q);
        return false;
    }
    if ((t->resigned & RULES_BIT(seat)) != 0 || clocks_gone(t, seat)) {
        refuse(hub, q, ERR_FORBIDDEN);
        return false;
    }
    if ((t->rules_state->acting & RULES_BIT(seat)) != 0) {
        refuse(hub, q, ERR_YOUR_TURN);
        return false;
    }
    return true;
}

/* The order that WANTED is, which is an object; false: Q is refused. */
static bool read_wanted(struct hub *hub, struct table *t, struct request *q,
                        const json_t *wanted, struct order *o)
{
    const json_t *move = json_object_get(wanted, "move");
    struct json_refusal why = {0};

    if ((move != NULL) == (json_object_get(wanted, "pass") != NULL)) {
        refuse_param(hub, q, "/order", "either pass or move");
        return false;
    }
    if (move == NULL) {
        o->kind = ORDER_PASS;
        o->round = rules_round(t->rules, t->rules_state);
        if (o->round == RULES_NO_ROUND)
            refuse(hub, q, ERR_NO_PASS);
        return o->round != RULES_NO_ROUND;
    }
    o->kind = ORDER_ANSWER;
    int refusal = json_move_read(t->rules, t->rules_state, move, false,
                                 &o->move, &why);
    if (refusal != RULES_OK)
        play_refuse(hub, t, q,
                    refusal == RULES_MALFORMED ? RULES_BAD_ARGUMENT : refusal,
                    "/order/move", &why);
    return refusal == RULES_OK;
}

/* O stands for SEAT of T from now on. */
static void give(struct hub *hub, struct table *t, struct request *q, int seat,
                 const struct order *o)
{
    struct change *c = change_begin(hub, q, t);

    orders_of(t)->seat[seat] = *o;
    c->ordered |= RULES_BIT(seat);
    change_submit(c, answer_order);
}

void handle_table_order(struct hub *hub, struct table *t, struct request *q)
{
    const json_t *wanted = param(q, "order");
    int seat = play_seat(hub, t, q);
    struct order o = {0};

    if (seat < 0)
        return;
    o.account = q->account;
    if (play_not_on(t) != ERR_NONE) {
        refuse(hub, q, play_not_on(t));
        return;
    }
    if (json_is_null(wanted)) {
        if (order_of(t, seat) != NULL)
            give(hub, t, q, seat, &o);
        else
            answer_order(hub, q);
        return;
    }
    o.after = t->log.count - 1;
    if (may_order(hub, t, q, seat,
                  json_integer_value(json_object_get(wanted, "after"))) &&
        read_wanted(hub, t, q, wanted, &o))
        give(hub, t, q, seat, &o);
}
