/* store_time.c -- when the server was there, and people are: the ops and
 * questions of outages and absences, and of tables that have to be told. */

#include "core/base.h"
#include "server/hub/limits.h"
#include "store_inner.h"

/* ---- ops ---------------------------------------------------------------- */

static int put_sign(struct writer *w, const struct op *op)
{
    int64_t at = op->u.sign.at;
    int rc = sql_run(&w->sql, W_SIGN, ARGS(INT_(at)));

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_OUTAGES_OLD,
                     ARGS(INT_(at - LIMIT_OUTAGE_KEPT_MS), INT_(at)));
    for (size_t i = 0; i < op->u.sign.count && rc == SQLITE_OK; i++) {
        const struct span *o = &op->u.sign.outages[i];
        rc = sql_run(&w->sql, W_OUTAGE,
                     ARGS(INT_(o->from_ms), INT_(o->to_ms)));
    }
    return rc;
}

static int put_absence(struct writer *w, id_num account,
                       const struct absence_row *a)
{
    if (a->until_ms <= a->from_ms)
        return sql_run(&w->sql, W_ABSENCE_DROP,
                       ARGS(INT_(account), INT_(a->from_ms)));
    return sql_run(&w->sql, W_ABSENCE,
                   ARGS(INT_(account), INT_(a->from_ms), INT_(a->until_ms),
                        INT_(a->auto_), INT_(a->begun)));
}

/* Of who was deleted meanwhile nothing is kept. */
static enum outcome put_away(struct writer *w, const struct op *op)
{
    const struct away_row *row = &op->u.away.row;
    struct sql_arg account = INT_(op->account);
    enum outcome outcome = writer_there(w, W_IS_THERE, ARGS(account));

    if (outcome != DONE)
        return outcome == CONFLICT ? DONE : outcome;
    int rc = sql_run(&w->sql, W_AWAY,
                     ARGS(account, INT_(row->changes), INT_(row->auto_)));
    if (rc == SQLITE_OK && sql_changes(&w->sql) == 0)
        return CONFLICT;
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_ABSENCES_OLD,
                     ARGS(account, INT_(op->u.away.before)));
    for (size_t i = 0; i < op->u.away.count && rc == SQLITE_OK; i++)
        rc = put_absence(w, op->account, &op->u.away.absences[i]);
    if (rc == SQLITE_OK && op->u.away.tell)
        rc = sql_run(&w->sql, W_UNTOLD, ARGS(account));
    return writer_judge(w, rc, BUG);
}

/* The table's number, or an outcome that is not DONE. */
static enum outcome number_of(struct store *s, const struct op *op,
                              int64_t *ret_number)
{
    struct cached_table *h = NULL;
    int rc = cache_find(s, op->table, &h);

    if (rc != SQLITE_OK || h == NULL)
        return writer_judge(&s->writer, rc != SQLITE_OK ? rc : SQLITE_RANGE,
                            BUG);
    *ret_number = h->number;
    return DONE;
}

static enum outcome put_knows(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    int64_t number = 0;
    enum outcome outcome = number_of(s, op, &number);

    if (outcome != DONE)
        return outcome;
    int rc = sql_run(&w->sql, W_KNOWS, ARGS(INT_(number), INT_(op->account)));
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_TOLD_ALL,
                     ARGS(INT_(number), INT_(op->account),
                          INT_(op->u.knows.hours), INT_(op->u.knows.away)));
    return writer_judge(w, rc, BUG);
}

static enum outcome put_due(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    int64_t number = 0;
    enum outcome outcome = number_of(s, op, &number);

    return outcome != DONE
               ? outcome
               : writer_judge(w, sql_run(&w->sql, W_DUE, ARGS(INT_(number))),
                              BUG);
}

static enum outcome require_told(struct store *s, const struct op *op)
{
    int64_t number = 0;
    enum outcome outcome = number_of(s, op, &number);

    return outcome != DONE
               ? outcome
               : writer_there(&s->writer, W_REQUIRE_TOLD, ARGS(INT_(number)));
}

static enum outcome put_reminder(struct store *s, const struct op *op)
{
    const struct reminder_row *row = &op->u.reminder;
    int64_t number = 0;
    enum outcome outcome = number_of(s, op, &number);

    if (outcome != DONE)
        return outcome;
    int rc =
        op->kind == OP_REMINDERS_DROP
            ? sql_run(&s->writer.sql, W_REMINDERS_DROP, ARGS(INT_(number)))
            : sql_run(&s->writer.sql, W_REMINDER,
                      ARGS(INT_(number), INT_(row->account), INT_(row->turn),
                           INT_(row->stage), INT_(row->ply), INT_(row->next)));
    return writer_judge(&s->writer, rc, BUG);
}

static int put_zone(struct writer *w, const struct zone_row *row)
{
    int rc = sql_run(&w->sql, W_ZONE,
                     ARGS(TEXT_(row->name), TEXT_(row->offsets)));

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_ZONE_UNTOLD, ARGS(TEXT_(row->name)));
    return rc;
}

enum outcome writer_time_op(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;

    switch (op->kind) {
    case OP_SIGN: return writer_judge(w, put_sign(w, op), BUG);
    case OP_AWAY: return put_away(w, op);
    case OP_KNOWS: return put_knows(s, op);
    case OP_REQUIRE_TOLD: return require_told(s, op);
    case OP_ZONE: return writer_judge(w, put_zone(w, &op->u.zone), BUG);
    case OP_REMINDER:
    case OP_REMINDERS_DROP: return put_reminder(s, op);
    case OP_DUE: return put_due(s, op);
    default: return BUG;
    }
}

/* ---- rows --------------------------------------------------------------- */

void column_absence(struct sql_stmt *stmt, struct absence_row *a)
{
    *a = (struct absence_row){
        .account = column_id(stmt, 0),
        .from_ms = sql_int64(stmt, 1),
        .until_ms = sql_int64(stmt, 2),
        .auto_ = sql_int(stmt, 3) != 0,
        .begun = sql_int(stmt, 4) != 0,
    };
}

/* Nearly nobody has any: there is room for one, for two, four, and so on. */
static struct absence_row *next_absence(struct reader *r)
{
    struct answer *a = &r->ask->answer;
    size_t n = a->absence_count++;

    if ((n & (n - 1)) == 0) {
        struct absence_row *before = a->absences;
        a->absences = region_take(r->region, (2 * n + 1) * sizeof(*before));
        if (n > 0)
            memcpy(a->absences, before, n * sizeof(*before));
    }
    return &a->absences[n];
}

static void take_absence(struct reader *r, struct sql_stmt *stmt)
{
    column_absence(stmt, next_absence(r));
}

static void take_away(struct reader *r, struct sql_stmt *stmt)
{
    r->ask->answer.away = (struct away_row){
        .auto_ = sql_int(stmt, 0) != 0,
        .changes = sql_int64(stmt, 1),
    };
}

static void take_hours(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->hours = region_take(r->region, sizeof(*a->hours));
    column_hours(r, stmt, a->hours);
}

static void take_sign(struct reader *r, struct sql_stmt *stmt)
{
    r->ask->answer.sign = sql_int64(stmt, 0);
}

static void take_outage(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->outages[a->outage_count++] = (struct span){
        sql_int64(stmt, 0),
        sql_int64(stmt, 1),
    };
}

static void take_reminder(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->reminders[a->reminder_count++] = (struct reminder_row){
        .account = column_id(stmt, 0),
        .turn = (uint32_t)sql_int64(stmt, 1),
        .stage = (uint8_t)sql_int(stmt, 2),
        .ply = (uint32_t)sql_int64(stmt, 3),
        .next = sql_int64(stmt, 4),
    };
}

static void take_zone(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->zones[a->zone_count++] = (struct zone_row){
        column_word(r, stmt, 0),
        column_text(r, stmt, 1),
    };
}

/* ---- questions ------------------------------------------------------------ */

/* Room in the answer for so many: one more is asked for than fits. */
#define ROOM(list, most) \
    ((list) = region_take(r->region, ((most) + 1) * sizeof(*(list))))

int reader_absences(struct reader *r, id_num account, size_t limit)
{
    return reader_each(r,
                       sql_begin(r->sql, R_ABSENCES,
                                 ARGS(INT_(account),
                                      INT_((int64_t)limit + 1))),
                       limit, take_absence);
}

static int ask_away(struct reader *r)
{
    struct sql_arg account = INT_(r->ask->question.u.account);
    size_t limit = r->ask->question.limit;
    int rc = reader_each(r, sql_begin(r->sql, R_AWAY, ARGS(account)), 1,
                         take_away);

    if (rc == SQLITE_OK)
        rc = reader_each(r,
                         sql_begin(r->sql, R_PERSON + PERSON_HOURS,
                                   ARGS(account, INT_(1), INT_(0))),
                         1, take_hours);
    return rc == SQLITE_OK
               ? reader_absences(r, r->ask->question.u.account, limit)
               : rc;
}

static int ask_absent(struct reader *r)
{
    size_t limit = r->ask->question.limit;

    return reader_each(r,
                       sql_begin(r->sql, R_ABSENT,
                                 ARGS(INT_((int64_t)limit + 1))),
                       limit, take_absence);
}

/* They come the other way round, as it is the last that are wanted. */
static void turn_round(struct answer *a)
{
    for (size_t i = 0, k = a->outage_count; i + 1 < k; i++) {
        struct span last = a->outages[--k];
        a->outages[k] = a->outages[i];
        a->outages[i] = last;
    }
}

static int ask_outages(struct reader *r)
{
    struct answer *a = &r->ask->answer;
    size_t limit = r->ask->question.limit;
    int rc = reader_each(r, sql_begin(r->sql, R_SIGN, NO_ARGS), 1, take_sign);

    if (rc != SQLITE_OK)
        return rc;
    ROOM(a->outages, limit);
    rc = reader_each(r,
                     sql_begin(r->sql, R_OUTAGES,
                               ARGS(INT_((int64_t)limit + 1))),
                     limit, take_outage);
    turn_round(a);
    return rc;
}

static int ask_zones(struct reader *r)
{
    size_t limit = r->ask->question.limit;

    ROOM(r->ask->answer.zones, limit);
    return reader_each(r,
                       sql_begin(r->sql, R_ZONES,
                                 ARGS(INT_((int64_t)limit + 1))),
                       limit, take_zone);
}

/* A row for each of who had a seat there. */
static int ask_reminders(struct reader *r)
{
    size_t limit = r->ask->question.limit;
    int64_t number = 0;
    int rc = sql_number(r->sql, R_TABLE_NUMBER,
                        ARGS(INT_(r->ask->question.u.table.id)), 0, &number);

    if (rc != SQLITE_OK)
        return rc;
    ROOM(r->ask->answer.reminders, limit);
    return reader_each(r, sql_begin(r->sql, R_REMINDERS, ARGS(INT_(number))),
                       limit, take_reminder);
}

int reader_time(struct reader *r)
{
    switch (r->ask->question.kind) {
    case ASK_AWAY: return ask_away(r);
    case ASK_ABSENT: return ask_absent(r);
    case ASK_ZONES: return ask_zones(r);
    case ASK_STAGES: return ask_reminders(r);
    case ASK_OUTAGES: return ask_outages(r);
    default: return SQLITE_MISUSE;
    }
}
