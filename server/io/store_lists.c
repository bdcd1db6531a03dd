/* store_lists.c -- questions about many tables.
 *
 * What lists choose by (state, seats, game, who is invited) is always right in
 * the file; what they show of a table that has moved is with the writer until
 * it is written, see store_heads.c. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "store_inner.h"

/* Takes what the writer knows, if it is newer than PLY of the file. */
static void overlay(struct reader *r, id_num id, int64_t ply,
                    struct summary *now)
{
    struct tip known;

    if (reader_tip(r, id, &known) && known.ply > ply)
        *now = known.now;
}

/* ---- one of a list ----------------------------------------------------- */

static int name_of(struct reader *r, id_num account, const char **ret_name)
{
    sqlite3_stmt *stmt = sql_begin(r->sql, R_NAME, ARGS(INT_(account)));

    if (stmt == NULL)
        return sqlite3_extended_errcode(r->sql->db);
    int rc = sqlite3_step(stmt);
    *ret_name = rc == SQLITE_ROW ? column_text(r, stmt, 0) : NULL;
    sqlite3_reset(stmt);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* What the asker has not read at table NUMBER, of what they may read: who
 * plays does not listen beside the table until their game is over. */
static int unread(struct reader *r, int64_t number, struct listed *l)
{
    id_num asker = r->ask->question.account;
    bool sits = false;
    int64_t mark, n = 0;

    for (int i = 0; i < RULES_SEATS_MAX; i++)
        sits |= l->table.now.seat[i] == asker;
    int rc = sql_number(r->sql, R_MARK, ARGS(INT_(number), INT_(asker)), -1,
                        &mark);
    if (rc == SQLITE_OK && (sits || mark >= 0))
        rc = sql_number(
            r->sql, R_UNREAD,
            ARGS(INT_(number), INT_(mark),
                 INT_(sits && l->table.now.state == TABLE_PLAYING ? 0 : 1),
                 INT_(asker)),
            0, &n);
    l->unread = (uint64_t)n;
    return rc;
}

static int of_asker(struct reader *r, int64_t number, struct listed *l)
{
    int64_t invited;

    if (r->ask->question.account == 0)
        return SQLITE_OK;
    int rc = sql_number(r->sql, R_IS_INVITED,
                        ARGS(INT_(number), INT_(r->ask->question.account)), 0,
                        &invited);
    if (rc != SQLITE_OK)
        return rc;
    l->invited = invited != 0;
    return unread(r, number, l);
}

static int listed(struct reader *r, int64_t number, struct listed *l)
{
    struct table_row *t = &l->table;
    struct tip tip;

    sqlite3_stmt *stmt = sql_begin(r->sql, R_LISTED, ARGS(INT_(number)));
    if (stmt == NULL)
        return sqlite3_extended_errcode(r->sql->db);
    int rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        reader_table(r, stmt, t, &number, &tip);
    sqlite3_reset(stmt);
    if (rc != SQLITE_ROW)
        return rc == SQLITE_DONE ? SQLITE_CORRUPT : rc;
    rc = reader_seats(r, number, &t->now);
    overlay(r, t->id, tip.ply, &t->now);
    for (int i = 0; i < RULES_SEATS_MAX && rc == SQLITE_OK; i++)
        if (t->now.seat[i] != 0)
            rc = name_of(r, t->now.seat[i], &l->name[i]);
    return rc == SQLITE_OK ? of_asker(r, number, l) : rc;
}

/* ---- ASK_TABLES -------------------------------------------------------- */

/* The numbers of the tables, newest first, COUNT of them at most. */
static int choose(struct reader *r, int64_t before, int64_t *numbers,
                  size_t *count)
{
    const struct question *q = &r->ask->question;
    size_t which = (q->mine ? R_TABLES_MINE : R_TABLES) +
                   (q->state >= 0 ? 1u : 0u) + (q->game != NULL ? 2u : 0u);
    const struct sql_arg args[] = {
        INT_(before),     INT_(q->account), INT_(q->all),   INT_(*count),
        INT_(q->running), INT_(q->state),   TEXT_(q->game),
    };
    /* A statement has no more parameters than it speaks of. */
    size_t n = q->game != NULL ? 7 : q->state >= 0 ? 6 : 5;
    size_t found = 0;
    int rc;

    sqlite3_stmt *stmt = sql_begin(r->sql, which, args, n);
    if (stmt == NULL)
        return sqlite3_extended_errcode(r->sql->db);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW && found < *count)
        numbers[found++] = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    *count = found;
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* Fills the answer with the tables NUMBERS, but not with more than wanted. */
static int fill(struct reader *r, const int64_t *numbers, size_t count)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    int rc = SQLITE_OK;

    a->more = count > q->limit;
    if (a->more)
        count = q->limit;
    a->tables = region_take(r->region, (count + 1) * sizeof(*a->tables));
    for (size_t i = 0; i < count && rc == SQLITE_OK; i++)
        rc = listed(r, numbers[i], &a->tables[a->listed_count++]);
    return rc;
}

int reader_tables(struct reader *r)
{
    const struct question *q = &r->ask->question;
    int64_t before = INT64_MAX;
    size_t count = q->limit + 1;

    if (q->after != 0) {
        int rc = sql_number(r->sql, R_TABLE_NUMBER, ARGS(INT_(q->after)), 0,
                            &before);
        if (rc != SQLITE_OK)
            return rc;
    }
    int64_t *numbers = region_take(r->region, count * sizeof(*numbers));
    int rc = choose(r, before, numbers, &count);
    return rc == SQLITE_OK ? fill(r, numbers, count) : rc;
}

/* ---- ASK_MINE ---------------------------------------------------------- */

struct mine {
    int64_t number;
    id_num id;
    int64_t at; /* since when it waits, or when it changed */
    bool waits;
};

/* Those that wait, the longest first; then the last changed first. */
static int by_urgency(const void *a, const void *b)
{
    const struct mine *x = a, *y = b;

    if (x->waits != y->waits)
        return x->waits ? -1 : 1;
    if (x->at != y->at)
        return (x->at < y->at) == x->waits ? -1 : 1;
    return x->id > y->id ? -1 : x->id < y->id;
}

/* Reads a row of R_MINE; false if it is not asked for. */
static bool read_mine(struct reader *r, sqlite3_stmt *stmt, struct mine *m)
{
    const struct question *q = &r->ask->question;
    struct summary now = {.state = (uint8_t)sqlite3_column_int(stmt, 2)};
    const char *game = (const char *)sqlite3_column_text(stmt, 3);
    const void *packed = sqlite3_column_blob(stmt, 4);

    m->number = sqlite3_column_int64(stmt, 0);
    m->id = column_id(stmt, 1);
    now_unpack(&now, packed, (size_t)sqlite3_column_bytes(stmt, 4));
    overlay(r, m->id, sqlite3_column_int64(stmt, 5), &now);
    if ((q->state >= 0 && now.state != q->state) ||
        (q->newer != 0 && now.state > TABLE_PLAYING &&
         now.changed <= q->newer) ||
        (q->game != NULL && (game == NULL || strcmp(q->game, game) != 0)))
        return false;
    m->waits = false;
    m->at = now.changed;
    if (sqlite3_column_type(stmt, 6) == SQLITE_NULL)
        return true;
    int seat = sqlite3_column_int(stmt, 6);
    if (seat >= 0 && seat < RULES_SEATS_MAX && now.state == TABLE_PLAYING &&
        (now.acting >> seat & 1) != 0) {
        m->waits = true;
        m->at = now.since[seat];
    }
    return true;
}

/* Where the list goes on behind what was said last: that may have gone, or be
 * elsewhere now. */
static size_t behind(const struct question *q, const struct mine *all,
                     size_t count)
{
    struct mine last = {
        .id = q->after,
        .at = q->after_at,
        .waits = q->after_waits,
    };
    size_t i = 0;

    while (q->after != 0 && i < count && by_urgency(&all[i], &last) <= 0)
        i++;
    return i;
}

int reader_mine(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    void *array = NULL;
    size_t count = 0, cap = 0;
    int rc;

    sqlite3_stmt *stmt = sql_begin(r->sql, R_MINE,
                                   ARGS(INT_(q->account), INT_(q->running),
                                        INT_(q->seated)));
    if (stmt == NULL)
        return sqlite3_extended_errcode(r->sql->db);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        struct mine *m = reader_next(&array, &count, &cap, sizeof(*m));
        if (!read_mine(r, stmt, m))
            count--;
    }
    sqlite3_reset(stmt);
    struct mine *all = array;
    if (count > 0)
        qsort(all, count, sizeof(*all), by_urgency);
    size_t from = behind(q, all, count), n = count - from;
    if (n > q->limit)
        n = q->limit + 1;
    int64_t *numbers = region_take(r->region, (n + 1) * sizeof(*numbers));
    for (size_t i = 0; i < n; i++)
        numbers[i] = all[from + i].number;
    if (rc == SQLITE_DONE)
        rc = fill(r, numbers, n);
    for (size_t i = 0; all != NULL && i < a->listed_count; i++) {
        a->tables[i].waits = all[from + i].waits;
        a->tables[i].at = all[from + i].at;
    }
    free(all);
    return rc;
}

/* ---- ASK_RENAMES ------------------------------------------------------- */

int reader_renames(struct reader *r)
{
    struct answer *a = &r->ask->answer;
    size_t limit = r->ask->question.limit;
    int rc;

    sqlite3_stmt *stmt = sql_begin(r->sql, R_RENAMES, ARGS(INT_(limit)));
    if (stmt == NULL)
        return sqlite3_extended_errcode(r->sql->db);
    a->tables = region_take(r->region, (limit + 1) * sizeof(*a->tables));
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
        a->tables[a->listed_count++].table.id = column_id(stmt, 0);
    sqlite3_reset(stmt);
    a->more = a->listed_count == limit;
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}
