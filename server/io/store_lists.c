/* store_lists.c -- questions about many tables.
 *
 * What lists choose by (state, seats, game, who is invited) is always right in
 * the file; what they show of a table that has moved is with the writer until
 * it is written, see store_cache.c. */

#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "server/hub/access.h"
#include "store_inner.h"

/* Takes what the writer knows, if it is newer than PLY of the file. */
static void overlay(struct reader *r, id_num id, int64_t ply,
                    struct summary *summary)
{
    struct log_tip known;

    if (reader_tip(r, id, &known) && known.ply > ply)
        *summary = known.summary;
}

/* A table that is to be on the page. */
struct chosen {
    int64_t number;
    id_num id;
    int64_t at;    /* ASK_MINE: when it is due, since when it waits, or when it
                 * changed */
    uint8_t waits; /* enum listed_waits */
};

/* ---- a page ------------------------------------------------------------ */

/* What a statement is to find something for: a page takes the same number of
 * statements however long it is. */
struct wanted {
    char *text; /* a JSON array */
    size_t len;
};

#define NUMBER_BYTES 21 /* of a number and what parts it from the next */

static struct wanted wanted_begin(struct reader *r, size_t numbers)
{
    struct wanted w = {
        .text = region_take(r->region, numbers * NUMBER_BYTES + 3)};
    w.text[w.len++] = '[';
    return w;
}

static void wanted_add(struct wanted *w, char before, int64_t number)
{
    if (before != '\0' && w->text[w->len - 1] != '[')
        w->text[w->len++] = before;
    w->len += (size_t)sprintf(w->text + w->len, "%lld", (long long)number);
}

static const char *wanted_text(struct wanted *w)
{
    w->text[w->len] = ']';
    w->text[w->len + 1] = '\0';
    return w->text;
}

/* One of the page while it is made. */
struct page_row {
    struct listed listed;
    int64_t number;
    int64_t ply;  /* in the file */
    int64_t mark; /* of the asker, -1: none */
    bool found;
};

struct page {
    struct page_row *rows;
    size_t count;
    const char *numbers; /* as statements want them */
};

static id_num account_of(const struct question *q)
{
    switch (q->kind) {
    case ASK_MINE: return q->u.mine.account;
    case ASK_OUTBOX: return q->u.outbox.account;
    default: return q->u.tables.account;
    }
}

static struct access asker(const struct reader *r, const struct page_row *row)
{
    const struct table_row *t = &row->listed.table;

    struct access s = access_of(account_of(&r->ask->question), t->owner,
                                t->summary.seat, t->summary.seats,
                                row->listed.invited);
    s.shut = row->listed.shut;
    return s;
}

/* The row that column AT of STMT is about. */
static struct page_row *row_of(const struct page *p, struct sql_stmt *stmt,
                               int at)
{
    int64_t i = sql_int64(stmt, at);

    ASSERT(i >= 0 && (size_t)i < p->count);
    return &p->rows[i];
}

typedef void (*page_row_cb)(struct reader *r, struct sql_stmt *stmt,
                            const struct page *p);

/* Calls EACH for all that STMT finds. */
static int for_each(struct reader *r, struct sql_stmt *stmt,
                    const struct page *p, page_row_cb each)
{
    int rc;

    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW)
        each(r, stmt, p);
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void take_table(struct reader *r, struct sql_stmt *stmt,
                       const struct page *p)
{
    struct page_row *row = row_of(p, stmt, TABLE_COLUMN_COUNT);
    struct log_tip tip;

    reader_table(r, stmt, &row->listed.table, &row->number, &tip);
    row->ply = tip.ply;
    row->listed.invited = sql_int(stmt, TABLE_COLUMN_COUNT + 1) != 0;
    row->listed.shut = sql_int(stmt, TABLE_COLUMN_COUNT + 2) != 0;
    row->found = true;
}

static void take_seat(struct reader *r, struct sql_stmt *stmt,
                      const struct page *p)
{
    struct page_row *row = row_of(p, stmt, 0);
    int64_t seat = sql_int64(stmt, 1);

    (void)r;
    if (seat >= 0 && seat < RULES_SEATS_MAX)
        row->listed.table.summary.seat[seat] = column_id(stmt, 2);
}

static void take_mark(struct reader *r, struct sql_stmt *stmt,
                      const struct page *p)
{
    (void)r;
    row_of(p, stmt, 0)->mark = sql_int64(stmt, 1);
}

static void take_unread(struct reader *r, struct sql_stmt *stmt,
                        const struct page *p)
{
    (void)r;
    row_of(p, stmt, 0)->listed.unread = (uint64_t)sql_int64(stmt, 1);
}

/* The tables, who sits there, and what has happened since the file knew. */
static int read_tables(struct reader *r, const struct page *p)
{
    struct sql_arg numbers = TEXT_(p->numbers);

    int rc =
        for_each(r,
                 sql_begin(r->sql, R_LISTED,
                           ARGS(numbers, INT_(account_of(&r->ask->question)))),
                 p, take_table);
    if (rc == SQLITE_OK)
        rc = for_each(r, sql_begin(r->sql, R_LISTED_SEATS, ARGS(numbers)), p,
                      take_seat);
    for (size_t i = 0; i < p->count && rc == SQLITE_OK; i++) {
        struct table_row *t = &p->rows[i].listed.table;
        if (!p->rows[i].found)
            return SQLITE_CORRUPT; /* a table without a setup */
        overlay(r, t->id, p->rows[i].ply, &t->summary);
    }
    return rc;
}

/* ---- names ------------------------------------------------------------- */

/* A seat whose account's name is wanted. */
struct seat_name {
    id_num account;
    const char **name;
};

static int by_account(const void *a, const void *b)
{
    id_num x = ((const struct seat_name *)a)->account;
    id_num y = ((const struct seat_name *)b)->account;

    return x < y ? -1 : x > y;
}

static size_t seats_taken(const struct page *p, struct seat_name *seats)
{
    size_t n = 0;

    for (size_t i = 0; i < p->count; i++)
        for (int seat = 0; seat < RULES_SEATS_MAX; seat++) {
            struct listed *l = &p->rows[i].listed;
            if (l->table.summary.seat[seat] == 0)
                continue;
            seats[n].account = l->table.summary.seat[seat];
            seats[n++].name = &l->name[seat];
        }
    qsort(seats, n, sizeof(*seats), by_account);
    return n;
}

/* The first of the COUNT seats that are ACCOUNT's; COUNT if none is. */
static size_t first_of(const struct seat_name *seats, size_t count,
                       id_num account)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (seats[middle].account < account)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Who sits somewhere by what the writer knows is asked for, too: so it is not
 * enough to look at `players`. */
static int read_names(struct reader *r, const struct page *p)
{
    size_t most = p->count * RULES_SEATS_MAX;
    struct seat_name *seats = region_take(r->region,
                                          (most + 1) * sizeof(*seats));
    size_t n = seats_taken(p, seats);
    struct wanted ids = wanted_begin(r, n);
    int rc;

    for (size_t i = 0; i < n; i++)
        if (i == 0 || seats[i].account != seats[i - 1].account)
            wanted_add(&ids, ',', (int64_t)seats[i].account);
    struct sql_stmt *stmt = sql_begin(r->sql, R_LISTED_NAMES,
                                      ARGS(TEXT_(wanted_text(&ids))));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        id_num account = column_id(stmt, 0);
        const char *name = column_text(r, stmt, 1);
        size_t i = first_of(seats, n, account);
        for (; i < n && seats[i].account == account; i++)
            *seats[i].name = name;
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* ---- what is unread ------------------------------------------------------ */

/* Of what the asker may read: for who sits there, or has read there before. */
static int read_unread(struct reader *r, const struct page *p)
{
    struct sql_arg account = INT_(account_of(&r->ask->question));
    struct wanted w = wanted_begin(r, 6 * p->count);

    int rc = for_each(r,
                      sql_begin(r->sql, R_LISTED_MARKS,
                                ARGS(TEXT_(p->numbers), account)),
                      p, take_mark);
    if (rc != SQLITE_OK)
        return rc;
    for (size_t i = 0; i < p->count; i++) {
        const struct page_row *row = &p->rows[i];
        const struct table_row *t = &row->listed.table;
        struct access s = asker(r, row);
        if (!s.sits && row->mark < 0)
            continue;
        if (w.len > 1)
            w.text[w.len++] = ',';
        w.text[w.len++] = '[';
        wanted_add(&w, ',', (int64_t)i);
        wanted_add(&w, ',', row->number);
        wanted_add(&w, ',', row->mark);
        wanted_add(&w, ',',
                   access_reads(s, t->summary.state, ROOM_SPECTATORS)
                       ? ROOM_SPECTATORS
                       : ROOM_TABLE);
        w.text[w.len++] = ']';
    }
    return for_each(r,
                    sql_begin(r->sql, R_LISTED_UNREAD,
                              ARGS(TEXT_(wanted_text(&w)), account)),
                    p, take_unread);
}

/* Fills the answer with the tables CHOSEN, but not with more than wanted, and
 * only with those that the asker may see. */
static int fill(struct reader *r, const struct chosen *chosen, size_t count)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;

    a->more = count > q->limit;
    if (a->more)
        count = q->limit;
    if (count == 0)
        return SQLITE_OK;
    struct page p = {
        .rows = region_take(r->region, count * sizeof(*p.rows)),
        .count = count,
    };
    struct wanted w = wanted_begin(r, count);
    for (size_t i = 0; i < count; i++) {
        wanted_add(&w, ',', chosen[i].number);
        p.rows[i] = (struct page_row){
            .listed = {.waits = chosen[i].waits, .at = chosen[i].at},
            .mark = -1,
        };
    }
    p.numbers = wanted_text(&w);
    int rc = read_tables(r, &p);
    if (rc == SQLITE_OK)
        rc = read_names(r, &p);
    if (rc == SQLITE_OK && q->kind != ASK_TABLES)
        rc = read_unread(r, &p);
    a->tables = region_take(r->region, count * sizeof(*a->tables));
    for (size_t i = 0; i < count && rc == SQLITE_OK; i++) {
        const struct page_row *row = &p.rows[i];
        if (q->kind == ASK_TABLES && q->u.tables.offered && row->listed.shut)
            continue; /* a seat there is none for them */
        if ((q->kind == ASK_TABLES && q->u.tables.all) ||
            access_sees(asker(r, row), &row->listed.table))
            a->tables[a->listed_count++] = p.rows[i].listed;
    }
    return rc;
}

/* ---- ASK_TABLES -------------------------------------------------------- */

/* A bit for each enum table_state that is asked for by STATE. */
static unsigned states_of(int state)
{
    return state >= 0 ? 1u << state : (1u << TABLE_ARCHIVED) - 1;
}

/* How many rows a statement is asked for of which only a step tells whether they
 * are wanted: SQLite reads as it steps, PostgreSQL sends them all. */
static int64_t some_rows(const struct reader *r)
{
    return r->store->engine->file ? INT64_MAX : 256;
}

/* Those among the public ones with a pace at which a seat is offered now, of some
 * rows from *BEFORE on, which moves on; *RET_MORE: there may be others. */
static int look_offered(struct reader *r, int64_t *before,
                        struct chosen *chosen, size_t count, size_t *found,
                        bool *ret_more)
{
    int64_t rows = 0, limit = some_rows(r);
    int rc = SQLITE_ROW;

    struct sql_stmt *stmt = sql_begin(r->sql, R_OFFERED,
                                      ARGS(INT_(*before), INT_(limit)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while (*found < count && (rc = sql_step(stmt)) == SQLITE_ROW) {
        const void *packed = sql_blob(stmt, 2);
        struct summary now = {.state = TABLE_PLAYING};
        (void)summary_unpack(&now, packed, sql_bytes(stmt, 2));
        overlay(r, column_id(stmt, 1), sql_int64(stmt, 3), &now);
        *before = sql_int64(stmt, 0);
        rows++;
        if (now.offered != 0)
            chosen[(*found)++].number = *before;
    }
    sql_reset(stmt);
    *ret_more = rows == limit && *found < count;
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

static int choose_offered(struct reader *r, int64_t before,
                          struct chosen *chosen, size_t *count)
{
    size_t found = 0;
    bool more = true;
    int rc = SQLITE_OK;

    while (more && rc == SQLITE_OK)
        rc = look_offered(r, &before, chosen, *count, &found, &more);
    *count = found;
    return rc;
}

/* The numbers of the tables, newest first, COUNT of them at most. */
static int choose(struct reader *r, int64_t before, struct chosen *chosen,
                  size_t *count)
{
    const struct question *q = &r->ask->question;
    size_t which = q->u.tables.mine  ? R_TABLES_MINE
                   : q->u.tables.all ? R_TABLES
                                     : R_TABLES_SEEN;
    size_t found = 0;
    int rc = SQLITE_ROW;

    /* A statement has no more parameters than it speaks of. */
    const struct sql_arg args[] = {
        INT_(before),
        INT_(q->u.tables.account),
        INT_(states_of(q->u.tables.state)),
        INT_(*count),
        TEXT_(q->u.tables.game),
    };
    size_t n = q->u.tables.game != NULL ? 5 : 4;
    struct sql_stmt *stmt =
        sql_begin(r->sql, which + (q->u.tables.game != NULL), args, n);
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while (found < *count && (rc = sql_step(stmt)) == SQLITE_ROW)
        chosen[found++].number = sql_int64(stmt, 0);
    sql_reset(stmt);
    *count = found;
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

int reader_tables(struct reader *r)
{
    const struct question *q = &r->ask->question;
    int64_t before = INT64_MAX;
    size_t count = q->limit + 1;

    if (q->u.tables.after != 0) {
        int rc = sql_number(r->sql, R_TABLE_NUMBER,
                            ARGS(INT_(q->u.tables.after)), 0, &before);
        if (rc != SQLITE_OK)
            return rc;
    }
    struct chosen *chosen = region_take(r->region, count * sizeof(*chosen));
    int rc;
    /* A page of which the asker sees nothing says nothing of where it ended. */
    do {
        count = q->limit + 1;
        rc = q->u.tables.offered ? choose_offered(r, before, chosen, &count)
                                 : choose(r, before, chosen, &count);
        if (rc == SQLITE_OK)
            rc = fill(r, chosen, count);
        if (count > q->limit)
            before = chosen[q->limit - 1].number;
    } while (rc == SQLITE_OK && r->ask->answer.more &&
             r->ask->answer.listed_count == 0 && q->limit > 0);
    return rc;
}

/* ---- ASK_MINE ---------------------------------------------------------- */

/* Those of the list so far. */
struct mines {
    void *array; /* of struct chosen */
    size_t count, cap;
    struct chosen last; /* of the page before; id 0: there is none */
};

static unsigned mine_states(const struct question *q)
{
    unsigned running = 1u << TABLE_OPEN | 1u << TABLE_PLAYING;
    unsigned states = states_of(q->u.mine.state);

    return q->u.mine.running ? states & running : states;
}

/* Those that wait, by when they are due, then the longest first; then the last
 * changed first. */
static int by_urgency(const void *a, const void *b)
{
    const struct chosen *x = a, *y = b;

    if (x->waits != y->waits)
        return x->waits > y->waits ? -1 : 1;
    if (x->at != y->at)
        return (x->at < y->at) == (x->waits != LISTED_CALM) ? -1 : 1;
    return x->id > y->id ? -1 : x->id < y->id;
}

/* Reads a row of R_MINE...; false if it is not asked for: that may have gone,
 * or be elsewhere in the list now. */
static bool read_mine(struct reader *r, struct sql_stmt *stmt,
                      const struct chosen *last, struct chosen *m)
{
    const struct question *q = &r->ask->question;
    struct summary now = {.state = (uint8_t)sql_int(stmt, 2)};
    const void *packed = sql_blob(stmt, 3);
    int seat = sql_int(stmt, 5);

    summary_unpack(&now, packed, sql_bytes(stmt, 3));
    *m = (struct chosen){
        .number = sql_int64(stmt, 0),
        .id = column_id(stmt, 1),
    };
    overlay(r, m->id, sql_int64(stmt, 4), &now);
    if ((mine_states(q) >> now.state & 1) == 0 ||
        (q->u.mine.newer != 0 && now.state > TABLE_PLAYING &&
         now.changed <= q->u.mine.newer))
        return false;
    m->at = sql_int64(stmt, 6);
    if (m->at == 0)
        m->at = now.changed;
    if (!sql_is_null(stmt, 5) && seat >= 0 && seat < RULES_SEATS_MAX &&
        now.state == TABLE_PLAYING && (now.acting >> seat & 1) != 0) {
        m->waits = now.due[seat] != 0 ? LISTED_DUE : LISTED_WAITS;
        m->at = now.due[seat] != 0 ? now.due[seat] : now.since[seat];
    }
    return last->id == 0 || by_urgency(m, last) > 0;
}

/* How far a list has come in what is found by when it changed, the last first. */
struct progress {
    size_t wanted;         /* rows that may be on the page */
    int64_t full;          /* when the one changed that filled it */
    int64_t ended, number; /* of the last row */
    int64_t rows;          /* of the last statement; -1: the page is full */
};

/* Adds what STMT finds.  What it finds by when it changed ends where the page is
 * full, but for those of the same moment. */
static int collect(struct reader *r, struct sql_stmt *stmt, struct mines *all,
                   struct progress *p)
{
    size_t limit = r->ask->question.limit;
    int rc;

    if (stmt == NULL)
        return sql_errcode(r->sql);
    for (p->rows = 0; (rc = sql_step(stmt)) == SQLITE_ROW; p->rows++) {
        p->number = sql_int64(stmt, 0);
        p->ended = sql_int64(stmt, 6);
        if (p->wanted > limit && p->ended < p->full) {
            p->rows = -1;
            break;
        }
        struct chosen *m = reader_next(&all->array, &all->count, &all->cap,
                                       sizeof(*m));
        if (!read_mine(r, stmt, &all->last, m))
            all->count--;
        else if (++p->wanted > limit && p->full == INT64_MIN)
            p->full = p->ended;
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

static const struct progress nothing_yet = {.full = INT64_MIN};

/* Those in STATE that are over, which changed at UNTIL or before. */
static int collect_ended(struct reader *r, int state, int64_t until,
                         struct mines *all)
{
    const struct question *q = &r->ask->question;
    struct progress p = nothing_yet;
    int64_t limit = some_rows(r);
    int rc;

    p.ended = until;
    p.number = INT64_MAX;
    do
        rc = collect(r,
                     sql_begin(r->sql, R_MINE_ENDED,
                               ARGS(INT_(q->u.mine.account), INT_(state),
                                    INT_(q->u.mine.newer), INT_(p.ended),
                                    INT_(p.number), INT_(limit))),
                     all, &p);
    while (rc == SQLITE_OK && p.rows == limit);
    return rc;
}

/* What may be on the page: all that is not over, which LIMIT_TABLES bounds, and
 * of what is over as much as the page takes. */
static int collect_all(struct reader *r, struct mines *all)
{
    const struct question *q = &r->ask->question;
    unsigned states = mine_states(q);
    int64_t until = all->last.id != 0 && !all->last.waits ? all->last.at
                                                          : INT64_MAX;
    int rc = SQLITE_OK;

    for (int state = TABLE_OPEN; state < TABLE_ARCHIVED; state++) {
        struct progress p = nothing_yet;
        if ((states >> state & 1) == 0 || rc != SQLITE_OK)
            continue;
        if (state > TABLE_PLAYING)
            rc = collect_ended(r, state, until, all);
        else
            rc = collect(r,
                         sql_begin(r->sql, R_MINE,
                                   ARGS(INT_(q->u.mine.account), INT_(state))),
                         all, &p);
    }
    struct progress p = nothing_yet;
    if (rc == SQLITE_OK && !q->u.mine.seated &&
        (states >> TABLE_OPEN & 1) != 0)
        rc = collect(r,
                     sql_begin(r->sql, R_MINE_INVITED,
                               ARGS(INT_(q->u.mine.account))),
                     all, &p);
    return rc;
}

int reader_mine(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct mines found = {
        .last = {.id = q->u.mine.after,
                 .at = q->u.mine.after_at,
                 .waits = q->u.mine.after_waits},
    };

    int rc = collect_all(r, &found);
    struct chosen *all = found.array;
    if (found.count > 0)
        qsort(all, found.count, sizeof(*all), by_urgency);
    size_t n = found.count > q->limit ? q->limit + 1 : found.count;
    if (rc == SQLITE_OK)
        rc = fill(r, all, n);
    free(all);
    return rc;
}

/* ---- ASK_DUE ------------------------------------------------------------ */

/* Before when nobody is to be reminded at L, of that NUMBER, if that is
 * known. */
static int reminded_next(struct reader *r, int64_t number, int64_t ply,
                         struct listed *l)
{
    struct log_tip known;

    if (reader_tip(r, l->table.id, &known) && known.ply > ply)
        ply = known.ply;
    return sql_number(r->sql, R_REMINDED_NEXT, ARGS(INT_(number), INT_(ply)),
                      0, &l->at);
}

int reader_due(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    size_t limit = q->limit;
    int64_t after = 0;
    int rc = SQLITE_OK;

    if (q->u.behind != 0)
        rc = sql_number(r->sql, R_TABLE_NUMBER, ARGS(INT_(q->u.behind)), 0,
                        &after);
    if (rc != SQLITE_OK)
        return rc;
    struct sql_stmt *stmt = sql_begin(r->sql, R_DUE,
                                      ARGS(INT_(after), INT_(limit)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    a->tables = region_take(r->region, (limit + 1) * sizeof(*a->tables));
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        struct listed *l = &a->tables[a->listed_count++];
        struct table_row *t = &l->table;
        int64_t ply = sql_int64(stmt, 2);
        const void *packed = sql_blob(stmt, 1);
        t->id = column_id(stmt, 0);
        t->summary.state = TABLE_PLAYING;
        (void)summary_unpack(&t->summary, packed, sql_bytes(stmt, 1));
        overlay(r, t->id, ply, &t->summary);
        rc = reminded_next(r, sql_int64(stmt, 3), ply, l);
        if (rc != SQLITE_OK)
            break;
    }
    sql_reset(stmt);
    a->more = a->listed_count == limit;
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* ---- ASK_OUTBOX ---------------------------------------------------------- */

int reader_these(struct reader *r)
{
    const struct question *q = &r->ask->question;
    size_t n = 0;
    struct chosen *chosen = region_take(r->region,
                                        (q->u.outbox.table_count + 1) *
                                            sizeof(*chosen));

    for (size_t i = 0; i < q->u.outbox.table_count; i++) {
        int rc = sql_number(r->sql, R_TABLE_NUMBER,
                            ARGS(INT_(q->u.outbox.tables[i])), 0,
                            &chosen[n].number);
        if (rc != SQLITE_OK)
            return rc;
        n += chosen[n].number != 0;
    }
    return fill(r, chosen, n);
}

/* ---- ASK_RENAMES ------------------------------------------------------- */

int reader_renames(struct reader *r)
{
    struct answer *a = &r->ask->answer;
    size_t limit = r->ask->question.limit;
    int rc;

    struct sql_stmt *stmt = sql_begin(r->sql, R_RENAMES, ARGS(INT_(limit)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    a->tables = region_take(r->region, (limit + 1) * sizeof(*a->tables));
    while ((rc = sql_step(stmt)) == SQLITE_ROW)
        a->tables[a->listed_count++].table.id = column_id(stmt, 0);
    sql_reset(stmt);
    a->more = a->listed_count == limit;
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}
