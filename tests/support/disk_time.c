/* disk_time.c -- what a store of arrays keeps and says of when the server was
 * there, and of when people are. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "disk_lists.h"
#include "server/hub/limits.h"

/* ---- ops ---------------------------------------------------------------- */

static void put_outage(struct disk *d, const struct span *row)
{
    DROP(struct span, d->outages, d->outage_count, o,
         o->from_ms == row->from_ms);
    *NEXT(d->outages, d->outage_count) = *row;
}

static void put_sign(struct disk *d, const struct op *op)
{
    int64_t at = op->u.sign.at;

    d->sign = at;
    DROP(struct span, d->outages, d->outage_count, o,
         o->to_ms <= at - LIMIT_OUTAGE_KEPT_MS || o->from_ms > at);
    for (size_t i = 0; i < op->u.sign.count; i++)
        put_outage(d, &op->u.sign.outages[i]);
}

static struct away_row away_of(const struct disk *d, id_num account)
{
    for (size_t i = 0; i < d->away_count; i++)
        if (d->away[i].account == account)
            return d->away[i].row;
    return (struct away_row){0};
}

static bool is_there(const struct disk *d, id_num account)
{
    const struct account_row *row = disk_account(d, account);
    return row != NULL && row->kind != ACCOUNT_DELETED;
}

static void put_absence(struct disk *d, id_num account,
                        const struct absence_row *row)
{
    DROP(struct absence_row, d->absences, d->absence_count, a,
         a->account == account && a->from_ms == row->from_ms);
    if (row->until_ms <= row->from_ms)
        return;
    struct absence_row *a = NEXT(d->absences, d->absence_count);
    *a = *row;
    a->account = account;
}

static void put_away(struct disk *d, const struct op *op)
{
    struct away_row row = op->u.away.row;

    if (!is_there(d, op->account))
        return;
    DROP(struct disk_away, d->away, d->away_count, a,
         a->account == op->account);
    row.changes++;
    *NEXT(d->away, d->away_count) = (struct disk_away){op->account, row};
    DROP(struct absence_row, d->absences, d->absence_count, a,
         a->account == op->account && a->until_ms <= op->u.away.before);
    for (size_t i = 0; i < op->u.away.count; i++)
        put_absence(d, op->account, &op->u.away.absences[i]);
    if (op->u.away.tell)
        disk_time_untold(d, op->account);
}

static void drop_untold(struct disk *d, id_num account, id_num table)
{
    DROP(struct place, d->untold, d->untold_count, p,
         p->account == account && p->table == table);
}

static void put_untold(struct disk *d, id_num account, id_num table)
{
    drop_untold(d, account, table);
    *NEXT(d->untold, d->untold_count) = (struct place){account, table};
}

void disk_time_untold(struct disk *d, id_num account)
{
    for (size_t i = 0; i < d->table_count; i++)
        if (d->tables[i]->row.summary.state <= TABLE_PLAYING &&
            disk_sits(d->tables[i], account))
            put_untold(d, account, d->tables[i]->row.id);
}

static void put_knows(struct disk *d, const struct op *op)
{
    const struct hours_row *hours = disk_hours(d, op->account);

    drop_untold(d, op->account, op->table);
    if ((hours != NULL ? hours->changed : 0) != op->u.knows.hours ||
        away_of(d, op->account).changes != op->u.knows.away)
        put_untold(d, op->account, op->table);
}

/* Those of TABLE; of ACCOUNT, or of all (0). */
static void drop_reminders(struct disk *d, id_num table, id_num account)
{
    DROP(struct disk_reminder, d->reminders, d->reminder_count, r,
         r->table == table && (account == 0 || r->row.account == account));
}

static void put_reminder(struct disk *d, const struct op *op)
{
    drop_reminders(d, op->table, op->u.reminder.account);
    *NEXT(d->reminders, d->reminder_count) =
        (struct disk_reminder){op->table, op->u.reminder};
}

/* Those of TABLE; of ACCOUNT, or of all (0). */
static void drop_orders(struct disk *d, id_num table, id_num account)
{
    DROP(struct disk_order, d->orders, d->order_count, o,
         o->table == table && (account == 0 || o->row.account == account));
}

static void put_order(struct disk *d, const struct op *op)
{
    drop_orders(d, op->table, op->account);
    if (op->u.order.body != NULL)
        *NEXT(d->orders, d->order_count) = (struct disk_order){
            .table = op->table,
            .row = {.account = op->account,
                    .body = region_copy(&d->region, op->u.order.body)},
        };
}

static void put_zone(struct disk *d, const struct zone_row *row)
{
    DROP(struct zone_row, d->zones, d->zone_count, z,
         strcmp(z->name, row->name) == 0);
    *NEXT(d->zones, d->zone_count) =
        (struct zone_row){region_copy(&d->region, row->name),
                          region_copy(&d->region, row->offsets)};
    for (size_t i = 0; i < d->hours_count; i++)
        if (d->hours[i].row.hours.days != 0 &&
            strcmp(d->hours[i].row.zone, row->name) == 0)
            disk_time_untold(d, d->hours[i].account);
}

static bool all_told(const struct disk *d, id_num table)
{
    for (size_t i = 0; i < d->untold_count; i++)
        if (d->untold[i].table == table)
            return false;
    return true;
}

bool disk_time_holds(const struct disk *d, const struct op *op)
{
    switch (op->kind) {
    case OP_AWAY:
        return !is_there(d, op->account) ||
               away_of(d, op->account).changes == op->u.away.row.changes;
    case OP_REQUIRE_TOLD: return all_told(d, op->table);
    case OP_ORDER:
        return op->u.order.ply + 1 == disk_table(d, op->table)->ply_count;
    default: return true;
    }
}

bool disk_time_op(struct disk *d, const struct op *op)
{
    switch (op->kind) {
    case OP_SIGN: put_sign(d, op); return true;
    case OP_AWAY: put_away(d, op); return true;
    case OP_KNOWS: put_knows(d, op); return true;
    case OP_REQUIRE_TOLD: return true; /* it held */
    case OP_ZONE: put_zone(d, &op->u.zone); return true;
    case OP_REMINDER: put_reminder(d, op); return true;
    case OP_REMINDERS_DROP: drop_reminders(d, op->table, 0); return true;
    case OP_ORDER: put_order(d, op); return true;
    case OP_ORDERS_DROP: drop_orders(d, op->table, 0); return true;
    case OP_DUE: disk_table(d, op->table)->due = true; return true;
    default: return false;
    }
}

void disk_time_forget(struct disk *d, id_num account)
{
    DROP(struct disk_away, d->away, d->away_count, a, a->account == account);
    DROP(struct absence_row, d->absences, d->absence_count, a,
         a->account == account);
}

/* ---- all of it ------------------------------------------------------------ */

void disk_time_free(struct disk *d)
{
    free(d->outages);
    free(d->away);
    free(d->absences);
    free(d->untold);
    free(d->reminders);
    free(d->orders);
    free(d->zones);
}

void disk_time_copy(struct disk *d)
{
    d->outages = list_copy(d->outages, d->outage_count, sizeof(*d->outages));
    d->away = list_copy(d->away, d->away_count, sizeof(*d->away));
    d->absences = list_copy(d->absences, d->absence_count,
                            sizeof(*d->absences));
    d->untold = list_copy(d->untold, d->untold_count, sizeof(*d->untold));
    d->zones = list_copy(d->zones, d->zone_count, sizeof(*d->zones));
    d->reminders = list_copy(d->reminders, d->reminder_count,
                             sizeof(*d->reminders));
    d->orders = list_copy(d->orders, d->order_count, sizeof(*d->orders));
}

/* ---- answers -------------------------------------------------------------- */

static int by_begin(const void *a, const void *b)
{
    int64_t x = ((const struct span *)a)->from_ms;
    int64_t y = ((const struct span *)b)->from_ms;

    return x < y ? -1 : x > y;
}

static void answer_outages(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    size_t n = d->outage_count, gone = n > q->limit ? n - q->limit : 0;

    a->sign = d->sign;
    a->outages = ROOM(a, n, struct span);
    if (n > 0)
        memcpy(a->outages, d->outages, n * sizeof(*a->outages));
    qsort(a->outages, n, sizeof(*a->outages), by_begin);
    a->outages += gone;
    a->outage_count = n - gone;
    a->more = gone > 0;
}

static int by_from(const void *a, const void *b)
{
    int64_t x = ((const struct absence_row *)a)->from_ms;
    int64_t y = ((const struct absence_row *)b)->from_ms;

    return x < y ? -1 : x > y;
}

/* Those of ACCOUNT, or, for 0, all that have not begun. */
static void add_absences(const struct disk *d, id_num account, size_t limit,
                         struct answer *a)
{
    a->absences = ROOM(a, d->absence_count, struct absence_row);
    for (size_t i = 0; i < d->absence_count; i++)
        if (account != 0 ? d->absences[i].account == account
                         : !d->absences[i].begun)
            a->absences[a->absence_count++] = d->absences[i];
    qsort(a->absences, a->absence_count, sizeof(*a->absences), by_from);
    cut(&a->absence_count, limit, a);
}

void disk_time_absences(const struct disk *d, id_num account, size_t limit,
                        struct answer *a)
{
    bool more = a->more;

    add_absences(d, account, limit, a);
    a->more = more; /* it is not this that the page is of */
}

int64_t disk_time_away(const struct disk *d, id_num account)
{
    int64_t until = 0;

    for (size_t i = 0; i < d->absence_count; i++)
        if (d->absences[i].account == account && d->absences[i].begun &&
            d->absences[i].until_ms > until)
            until = d->absences[i].until_ms;
    return until;
}

static void answer_away(const struct disk *d, const struct question *q,
                        struct answer *a)
{
    const struct hours_row *hours = disk_hours(d, q->u.account);

    a->away = away_of(d, q->u.account);
    if (hours != NULL) {
        a->hours = ROOM(a, 1, struct hours_row);
        *a->hours = *hours;
    }
    add_absences(d, q->u.account, q->limit, a);
}

static void add_orders(const struct disk *d, id_num table, struct answer *a)
{
    a->orders = ROOM(a, d->order_count, struct order_row);
    for (size_t i = 0; i < d->order_count; i++)
        if (d->orders[i].table == table)
            a->orders[a->order_count++] = d->orders[i].row;
}

void disk_time_table(const struct disk *d, id_num table, struct answer *a)
{
    add_orders(d, table, a);
    a->untold = ROOM(a, d->untold_count, id_num);
    for (size_t i = 0; i < d->untold_count; i++)
        if (d->untold[i].table == table)
            a->untold[a->untold_count++] = d->untold[i].account;
}

static void answer_reminders(const struct disk *d, const struct question *q,
                             struct answer *a)
{
    a->reminders = ROOM(a, d->reminder_count, struct reminder_row);
    for (size_t i = 0; i < d->reminder_count; i++)
        if (d->reminders[i].table == q->u.table.id)
            a->reminders[a->reminder_count++] = d->reminders[i].row;
    cut(&a->reminder_count, q->limit, a);
}

static const char *known_zone(const struct disk *d, const char *name)
{
    for (size_t i = 0; i < d->zone_count; i++)
        if (strcmp(d->zones[i].name, name) == 0)
            return d->zones[i].offsets;
    return NULL;
}

static bool has_zone(const struct answer *a, const char *name)
{
    for (size_t i = 0; i < a->zone_count; i++)
        if (strcmp(a->zones[i].name, name) == 0)
            return true;
    return false;
}

static void answer_zones(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    a->zones = ROOM(a, d->hours_count, struct zone_row);
    for (size_t i = 0; i < d->hours_count; i++) {
        const struct hours_row *row = &d->hours[i].row;
        if (row->hours.days != 0 && !has_zone(a, row->zone))
            a->zones[a->zone_count++] =
                (struct zone_row){row->zone, known_zone(d, row->zone)};
    }
    cut(&a->zone_count, q->limit, a);
}

int64_t disk_time_remind(const struct disk *d, const struct table_row *t)
{
    int64_t next = 0;

    for (size_t i = 0; i < d->order_count; i++)
        if (d->orders[i].table == t->id)
            return 1;
    for (size_t i = 0; i < d->reminder_count; i++)
        if (d->reminders[i].table == t->id &&
            d->reminders[i].row.ply == t->summary.ply &&
            d->reminders[i].row.next > next)
            next = d->reminders[i].row.next;
    return next;
}

bool disk_time_answer(const struct disk *d, const struct question *q,
                      struct answer *a)
{
    switch (q->kind) {
    case ASK_AWAY: answer_away(d, q, a); return true;
    case ASK_ZONES: answer_zones(d, q, a); return true;
    case ASK_STAGES: answer_reminders(d, q, a); return true;
    case ASK_ABSENT: add_absences(d, 0, q->limit, a); return true;
    case ASK_OUTAGES: answer_outages(d, q, a); return true;
    default: return false;
    }
}
