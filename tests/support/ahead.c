#include "ahead.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

enum { MOVES_MAX = 8 }; /* of one seat's orders in a change */

void ahead_open(struct ahead *a, struct ahead_counts *count)
{
    *a = (struct ahead){.record = record_new(), .count = count};
}

void ahead_close(struct ahead *a)
{
    record_free(a->record);
    *a = (struct ahead){0};
}

void ahead_seated(struct ahead *a, int seat, id_num account)
{
    a->account[seat] = account;
}

static bool wrong(struct ahead *a, const char *format, ...)
{
    va_list args;
    int n = snprintf(a->why, sizeof(a->why), "ply %zu: ", a->plies);

    va_start(args, format);
    (void)vsnprintf(a->why + n, sizeof(a->why) - (size_t)n, format, args);
    va_end(args);
    return false;
}

/* ---- the rules, as the log has brought them --------------------------------- */

static const struct rules_state *state_of(const struct ahead *a)
{
    return &a->record->audit.any.state;
}

static bool is_on(const struct ahead *a)
{
    return a->record->audit.state == AUDIT_PLAYING;
}

/* Whether SEAT, with an order, is asked. */
static bool is_asked(const struct ahead *a, int seat)
{
    return is_on(a) && a->seat[seat].stands &&
           (state_of(a)->acting & ~a->record->audit.resigned &
            RULES_BIT(seat)) != 0;
}

/* The move that SEAT's order is now, if it can be carried out. */
static bool can(const struct ahead *a, int seat, struct rules_move *move)
{
    const struct ahead_order *o = &a->seat[seat];

    if (o->pass)
        return rules_pass(a->record->rules, state_of(a), seat, move);
    *move = o->move;
    return rules_check(a->record->rules, state_of(a), seat, move) == RULES_OK;
}

/* Whether nature moves, or somebody who has given up. */
static bool goes_by_itself(const struct ahead *a)
{
    return is_on(a) &&
           (state_of(a)->acting &
            (RULES_BIT(RULES_NATURE) | a->record->audit.resigned)) != 0;
}

bool ahead_pass(const struct ahead *a, struct ahead_order *order)
{
    order->pass = true;
    order->round = rules_round(a->record->rules, state_of(a));
    return order->round != RULES_NO_ROUND;
}

/* ---- what does not stand any more ------------------------------------------- */

/* Answers of who is asked that are not legal. */
static void drop_illegal(struct ahead *a)
{
    struct rules_move move;

    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (is_asked(a, seat) && !a->seat[seat].pass && !can(a, seat, &move)) {
            a->seat[seat].stands = false;
            a->count->illegal++;
        }
}

/* Why O of SEAT does not stand after the last line, E; NULL: it does. */
static size_t *reason_to_drop(struct ahead *a, int seat,
                              const struct ahead_order *o,
                              const struct audit_entry *e)
{
    const struct rules *r = a->record->rules;

    if (!is_on(a))
        return &a->count->over;
    if (e->kind == ENTRY_REWIND || e->kind == ENTRY_RESTORED)
        return &a->count->back;
    if (e->kind == ENTRY_UNDO && (e->seat == seat || !o->pass))
        return &a->count->back;
    if ((e->kind == ENTRY_RESIGN || e->kind == ENTRY_REPLACED) &&
        e->seat == seat)
        return &a->count->gone;
    if (o->pass)
        return rules_round(r, state_of(a)) != o->round ? &a->count->rounds
                                                       : NULL;
    if (e->kind == ENTRY_RESIGN || e->kind == ENTRY_REPLACED)
        return &a->count->harmed;
    if (e->kind != ENTRY_MOVE)
        return NULL;
    return e->seat == seat ||
                   !rules_harmless(r, &a->record->audit.events, seat)
               ? &a->count->harmed
               : NULL;
}

static void drop_what_is_over(struct ahead *a)
{
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++) {
        struct ahead_order *o = &a->seat[seat];
        size_t *why = o->stands ? reason_to_drop(a, seat, o, &a->record->entry)
                                : NULL;
        if (why != NULL) {
            o->stands = false;
            ++*why;
        }
    }
}

/* ---- lines -------------------------------------------------------------------- */

static bool read_with(struct ahead *a, const char *line, size_t len,
                      const char *member)
{
    struct record_fault fault = {0};
    char *text = NULL;

    ASSERT(len > 2 && line[len - 1] == '}');
    int n = asprintf(&text, "%.*s,%s}", (int)(len - 1), line, member);
    ASSERT(n > 0);
    bool good = record_line(a->record, text, (size_t)n, &fault);
    free(text);
    return good || wrong(a, "the log: %s", fault.why);
}

/* What could be carried out before a line. */
struct due {
    bool any; /* and had to be, first */
    bool could[RULES_SEATS_MAX];
    struct rules_move move[RULES_SEATS_MAX];
};

static void look_what_is_due(struct ahead *a, struct due *due)
{
    *due = (struct due){0};
    drop_illegal(a);
    if (goes_by_itself(a))
        return;
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++) {
        due->could[seat] = is_asked(a, seat) && a->moved[seat] < MOVES_MAX &&
                           can(a, seat, &due->move[seat]);
        due->any |= due->could[seat];
    }
}

/* The last line is a move that SEAT did not ask for: it is its order. */
static bool by_order(struct ahead *a, int seat, const struct due *due)
{
    struct ahead_order *o = &a->seat[seat];

    if (!due->could[seat])
        return wrong(a,
                     "seat %d moved, who did not ask for it and has no order"
                     " that can be carried out",
                     seat);
    if (memcmp(&due->move[seat], &a->record->entry.move,
               sizeof(struct rules_move)) != 0)
        return wrong(a, "seat %d moved otherwise than it had ordered", seat);
    a->moved[seat]++;
    a->count->passes += o->pass;
    a->count->answers += !o->pass;
    if (!o->pass)
        o->stands = false; /* once */
    return true;
}

/* The next line, which is what seat ASKER asked for, or what came of that: -1. */
static bool read_line(struct ahead *a, const struct ply_row *row, int asker)
{
    char member[80], hex[2 * SHA256_SIZE + 1] = "";
    uint16_t away = a->record->audit.resigned;
    const struct audit_entry *e = &a->record->entry;
    struct due due;

    look_what_is_due(a, &due);
    hex_write(hex, row->chain, SHA256_SIZE);
    (void)snprintf(member, sizeof(member), "\"chain\":\"%s\"", hex);
    if (!read_with(a, row->line, row->len, member))
        return false;
    bool moves = e->kind == ENTRY_MOVE && e->seat != RULES_NATURE &&
                 (away & RULES_BIT(e->seat)) == 0;
    if (due.any && !moves)
        return wrong(a, "an order was not carried out first");
    if (moves && (due.any || e->seat != asker) && !by_order(a, e->seat, &due))
        return false;
    drop_what_is_over(a);
    a->plies++;
    return true;
}

/* A change is whole: nobody is asked whose order could be carried out. */
static bool at_rest(struct ahead *a)
{
    struct rules_move move;

    drop_illegal(a);
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++) {
        if (!is_asked(a, seat) || !can(a, seat, &move))
            continue;
        if (a->moved[seat] < MOVES_MAX)
            return wrong(a, "seat %d is asked, whose order stands", seat);
        a->seat[seat].stands = false;
    }
    return true;
}

bool ahead_read(struct ahead *a, const struct disk_table *t, int asker)
{
    if (a->plies == 0 &&
        !read_with(a, t->row.header, strlen(t->row.header), "\"players\":[]"))
        return false;
    memset(a->moved, 0, sizeof(a->moved));
    for (; a->plies < t->ply_count; asker = -1)
        if (!read_line(a, &t->plies[a->plies], asker))
            return false;
    const char *open = audit_end(&a->record->audit);
    if (open != NULL)
        return wrong(a, "the log ends too soon: %s", open);
    return at_rest(a);
}

/* ---- what is acknowledged, and stored ------------------------------------------- */

void ahead_given(struct ahead *a, int seat, const struct ahead_order *order)
{
    a->seat[seat] = *order;
    a->count->given += order->stands;
}

static const char *stored(const struct disk *d, id_num table, id_num account)
{
    for (size_t i = 0; i < d->order_count; i++)
        if (d->orders[i].table == table && d->orders[i].row.account == account)
            return d->orders[i].row.body;
    return NULL;
}

/* Whether BODY, which is stored or NULL, says what O does. */
static bool says(const struct ahead *a, const char *body,
                 const struct ahead_order *o)
{
    struct json_refusal why = {0};
    struct rules_move move = {0};

    if (body == NULL || !o->stands)
        return body == NULL && !o->stands;
    json_t *text = json_loads(body, 0, NULL);
    const json_t *words = json_object_get(text, "move");
    bool same = json_integer_value(json_object_get(text, "after")) == o->after;
    if (o->pass)
        same = same && words == NULL &&
               json_integer_value(json_object_get(text, "round")) == o->round;
    else
        same = same &&
               json_move_read(a->record->rules, state_of(a), words, false,
                              &move, &why) == RULES_OK &&
               memcmp(&move, &o->move, sizeof(move)) == 0;
    json_decref(text);
    return same;
}

void ahead_unsure(struct ahead *a, const struct disk *d, id_num table,
                  int seat, const struct ahead_order *order)
{
    if (says(a, stored(d, table, a->account[seat]), order))
        ahead_given(a, seat, order);
}

bool ahead_stored(struct ahead *a, const struct disk *d, id_num table)
{
    size_t rows = 0, stand = 0;

    for (size_t i = 0; i < d->order_count; i++)
        rows += d->orders[i].table == table;
    for (int seat = 0; seat < a->record->audit.seats; seat++) {
        const struct ahead_order *o = &a->seat[seat];
        const char *body = stored(d, table, a->account[seat]);
        stand += o->stands;
        if (!says(a, body, o))
            return wrong(a, "of seat %d there is stored %s, and %s stands",
                         seat, body != NULL ? body : "nothing",
                         !o->stands ? "nothing"
                         : o->pass  ? "a pass"
                                    : "an answer");
    }
    return rows == stand ||
           wrong(a, "%zu are stored, and %zu stand", rows, stand);
}
