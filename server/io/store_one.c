/* store_one.c -- questions about one account, one table, one of anything. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "store_inner.h"

/* ---- columns ---------------------------------------------------------- */

bool column_hash(struct sql_stmt *stmt, int at, uint8_t hash[SHA256_SIZE])
{
    const void *bytes = sql_blob(stmt, at);

    if (bytes == NULL || sql_bytes(stmt, at) != SHA256_SIZE)
        return false;
    memcpy(hash, bytes, SHA256_SIZE);
    return true;
}

void column_account(struct reader *r, struct sql_stmt *stmt, int at,
                    struct account_row *a)
{
    *a = (struct account_row){
        .id = column_id(stmt, at),
        .kind = (uint8_t)sql_int(stmt, at + 1),
        .name = column_word(r, stmt, at + 2),
        .password = column_text(r, stmt, at + 3),
        .email = column_text(r, stmt, at + 4),
        .created = sql_int64(stmt, at + 5),
        .seen = sql_int64(stmt, at + 6),
        .banned_until = sql_int64(stmt, at + 7),
        .banned_reason = column_text(r, stmt, at + 8),
        .confirmed = sql_int64(stmt, at + 9),
        .pending = column_text(r, stmt, at + 10),
    };
}

void column_token(struct reader *r, struct sql_stmt *stmt, struct token_row *t)
{
    *t = (struct token_row){
        .id = column_id(stmt, 0),
        .account = column_id(stmt, 1),
        .label = column_word(r, stmt, 3),
        .scopes = (uint16_t)sql_int(stmt, 4),
        .created = sql_int64(stmt, 5),
        .expires = sql_int64(stmt, 6),
    };
    column_hash(stmt, 2, t->hash);
}

void column_link(struct reader *r, struct sql_stmt *stmt, struct link_row *l)
{
    *l = (struct link_row){
        .id = column_id(stmt, 0),
        .purpose = (uint8_t)sql_int(stmt, 2),
        .account = column_id(stmt, 3),
        .table = column_id(stmt, 4),
        .maker = column_id(stmt, 5),
        .made = sql_int64(stmt, 6),
        .expires = sql_int64(stmt, 7),
        .uses = sql_int64(stmt, 8),
        .used = sql_int64(stmt, 9),
        .email = column_text(r, stmt, 10),
    };
    column_hash(stmt, 1, l->hash);
}

void *reader_keep(struct reader *r, void *array, size_t count, size_t size)
{
    void *kept = NULL;

    if (array != NULL) {
        kept = region_take(r->region, count * size);
        memcpy(kept, array, count * size);
    }
    free(array);
    return kept;
}

/* ---- accounts --------------------------------------------------------- */

int reader_accounts(struct reader *r, struct sql_stmt *stmt,
                    struct account_row **ret_rows, size_t *ret_count)
{
    void *rows = NULL;
    size_t count = 0, cap = 0;
    int rc;

    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        struct account_row *a = reader_next(&rows, &count, &cap, sizeof(*a));
        column_account(r, stmt, 0, a);
    }
    sql_reset(stmt);
    *ret_rows = reader_keep(r, rows, count, sizeof(**ret_rows));
    *ret_count = count;
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int ask_names(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    size_t n = 0;
    int rc = SQLITE_OK;

    while (q->u.names[n] != NULL)
        n++;
    a->accounts = region_take(r->region, (n + 1) * sizeof(*a->accounts));
    for (size_t i = 0; i < n && rc == SQLITE_OK; i++) {
        struct account_row *found;
        size_t count;
        rc = reader_accounts(r,
                             sql_begin(r->sql, R_ACCOUNT_NAME,
                                       ARGS(TEXT_(q->u.names[i]))),
                             &found, &count);
        if (rc == SQLITE_OK && count == 1)
            a->accounts[a->account_count++] = *found;
    }
    return rc;
}

static int ask_link(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    struct sql_stmt *stmt =
        sql_begin(r->sql, R_LINK, ARGS(BLOB_(q->u.hash, sizeof(q->u.hash))));

    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW) {
        a->links = region_take(r->region, sizeof(*a->links));
        a->link_count = 1;
        column_link(r, stmt, a->links);
    }
    sql_reset(stmt);
    if (rc != SQLITE_ROW)
        return rc == SQLITE_DONE ? SQLITE_OK : rc;
    if (a->links->account == 0 && a->links->purpose != LINK_RESET)
        return SQLITE_OK;
    if (a->links->account == 0)
        return reader_accounts(r,
                               sql_begin(r->sql, R_EMAIL_EXACT,
                                         ARGS(TEXT_(a->links->email))),
                               &a->accounts, &a->account_count);
    return reader_accounts(r,
                           sql_begin(r->sql, R_ACCOUNT,
                                     ARGS(INT_(a->links->account))),
                           &a->accounts, &a->account_count);
}

static int ask_token(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    struct sql_stmt *stmt =
        sql_begin(r->sql, R_TOKEN, ARGS(BLOB_(q->u.hash, sizeof(q->u.hash))));

    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW) {
        a->tokens = region_take(r->region, sizeof(*a->tokens));
        a->accounts = region_take(r->region, sizeof(*a->accounts));
        a->token_count = a->account_count = 1;
        column_token(r, stmt, a->tokens);
        column_account(r, stmt, TOKEN_COLUMN_COUNT, a->accounts);
        rc = SQLITE_DONE;
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int ask_tokens(struct reader *r)
{
    struct answer *a = &r->ask->answer;
    void *rows = NULL;
    size_t cap = 0;
    int rc;

    struct sql_stmt *stmt = sql_begin(r->sql, R_TOKENS,
                                      ARGS(INT_(r->ask->question.u.account)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        struct token_row *t = reader_next(&rows, &a->token_count, &cap,
                                          sizeof(*t));
        column_token(r, stmt, t);
    }
    sql_reset(stmt);
    a->tokens = reader_keep(r, rows, a->token_count, sizeof(*a->tokens));
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* ---- one table -------------------------------------------------------- */

bool column_ply(struct reader *r, struct sql_stmt *stmt, int at,
                struct ply_row *p)
{
    p->ply = (uint32_t)sql_int64(stmt, at);
    p->line = column_word(r, stmt, at + 1);
    p->len = sql_bytes(stmt, at + 1);
    return column_hash(stmt, at + 2, p->chain);
}

/* Reads row ROW of the log, which must be ply PLY (-1: any) of table NUMBER. */
static int read_ply(struct reader *r, int64_t number, int64_t row, int64_t ply,
                    struct ply_row *p, int64_t *ret_before)
{
    struct sql_stmt *stmt = sql_begin(r->sql, R_PLY, ARGS(INT_(row)));

    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW) {
        rc = SQLITE_OK;
        *ret_before = sql_int64(stmt, 1);
        if (!column_ply(r, stmt, 2, p) || sql_int64(stmt, 0) != number ||
            p->ply != ply || *ret_before >= row)
            r->gone = true;
    } else if (rc == SQLITE_DONE) {
        rc = SQLITE_OK;
        r->gone = true;
    }
    sql_reset(stmt);
    return rc;
}

/* Where the log that ends at TIP is to be read back from so that ply UNTIL is on
 * the way: the end, or the first milestone behind it. */
static int find_end(struct reader *r, int64_t number,
                    const struct log_tip *tip, int64_t until, int64_t *ret_row,
                    int64_t *ret_ply)
{
    *ret_row = tip->row;
    *ret_ply = tip->ply;
    if (tip->ply - until < MILESTONE_PLIES)
        return SQLITE_OK;
    struct sql_stmt *stmt = sql_begin(r->sql, R_MILESTONE,
                                      ARGS(INT_(number), INT_(until)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW && sql_int64(stmt, 0) <= tip->ply) {
        *ret_ply = sql_int64(stmt, 0);
        *ret_row = sql_int64(stmt, 1);
    }
    sql_reset(stmt);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int sqlite_read_log(struct reader *r, int64_t number,
                    const struct log_tip *tip)
{
    struct answer *a = &r->ask->answer;
    void *rows = NULL;
    size_t cap = 0;
    int64_t from = r->ask->question.u.table.from, row, ply;
    int64_t until = r->ask->question.u.table.until;

    if (until == 0)
        until = INT64_MAX;
    a->log_count = (size_t)(tip->ply + 1);
    int rc = find_end(r, number, tip, until, &row, &ply);
    for (; row > 0 && ply >= from && rc == SQLITE_OK && !r->gone; ply--) {
        struct ply_row passed, *p = &passed;
        if (ply < until)
            p = reader_next(&rows, &a->ply_count, &cap, sizeof(*p));
        rc = read_ply(r, number, row, ply, p, &row);
    }
    if (ply >= from)
        r->gone = true; /* something is missing at its beginning */
    /* They came the last first. */
    struct ply_row *p = reader_keep(r, rows, a->ply_count, sizeof(*p));
    for (size_t i = 0, j = a->ply_count; p != NULL && i + 1 < j; i++) {
        struct ply_row swap = p[--j];
        p[j] = p[i];
        p[i] = swap;
    }
    a->plies = p;
    return rc;
}

static int read_orders(struct reader *r, int64_t number)
{
    struct answer *a = &r->ask->answer;
    void *rows = NULL;
    size_t cap = 0;
    int rc;

    struct sql_stmt *stmt = sql_begin(r->sql, R_ORDERS, ARGS(INT_(number)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        struct order_row *row = reader_next(&rows, &a->order_count, &cap,
                                            sizeof(*row));
        *row = (struct order_row){
            .account = column_id(stmt, 0),
            .body = column_word(r, stmt, 1),
        };
    }
    sql_reset(stmt);
    a->orders = reader_keep(r, rows, a->order_count, sizeof(*a->orders));
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int read_names(struct reader *r, int64_t number)
{
    struct answer *a = &r->ask->answer;

    int rc = reader_accounts(r, sql_begin(r->sql, R_NAMES, ARGS(INT_(number))),
                             &a->names, &a->name_count);
    for (size_t i = 0; i < a->name_count; i++)
        a->names[i].password = a->names[i].email = a->names[i].pending = NULL;
    return rc;
}

/* Ids that STATEMENT finds of the table. */
static int read_ids(struct reader *r, enum reader_statement statement,
                    int64_t number, id_num **ret_ids, size_t *ret_count)
{
    void *ids = NULL;
    size_t cap = 0;
    int rc;

    struct sql_stmt *stmt = sql_begin(r->sql, statement, ARGS(INT_(number)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW)
        *(id_num *)reader_next(&ids, ret_count, &cap,
                               sizeof(id_num)) = column_id(stmt, 0);
    sql_reset(stmt);
    *ret_ids = reader_keep(r, ids, *ret_count, sizeof(id_num));
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Who is invited there. */
static int read_invited(struct reader *r, int64_t number)
{
    struct answer *a = &r->ask->answer;
    void *rows = NULL;
    size_t cap = 0;
    int rc;

    struct sql_stmt *stmt = sql_begin(r->sql, R_INVITED, ARGS(INT_(number)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        struct invitation *row = reader_next(&rows, &a->invited_count, &cap,
                                             sizeof(*row));
        *row = (struct invitation){
            .account = column_id(stmt, 0),
            .seat = (uint8_t)sql_int(stmt, 1),
            .inviter = column_id(stmt, 2),
            .until = sql_int64(stmt, 3),
        };
    }
    sql_reset(stmt);
    a->invited = reader_keep(r, rows, a->invited_count, sizeof(*a->invited));
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Whose names have changed, and what the table's log says they are. */
static int read_renames(struct reader *r, int64_t number)
{
    struct answer *a = &r->ask->answer;
    void *rows = NULL;
    size_t cap = 0;
    int rc;

    struct sql_stmt *stmt = sql_begin(r->sql, R_RENAMED, ARGS(INT_(number)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        struct account_row *row = reader_next(&rows, &a->rename_count, &cap,
                                              sizeof(*row));
        *row = (struct account_row){
            .id = column_id(stmt, 0),
            .name = column_word(r, stmt, 1),
        };
    }
    sql_reset(stmt);
    a->renames = reader_keep(r, rows, a->rename_count, sizeof(*a->renames));
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* The table's row; its number is 0 if there is none. */
static int read_table(struct reader *r, int64_t *ret_number,
                      struct log_tip *tip)
{
    struct answer *a = &r->ask->answer;
    struct sql_stmt *stmt = sql_begin(r->sql, R_TABLE,
                                      ARGS(INT_(r->ask->question.u.table.id)));

    *ret_number = 0;
    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW) {
        struct table_row *t = region_take(r->region, sizeof(*t));
        int at = TABLE_COLUMN_COUNT;
        reader_table(r, stmt, t, ret_number, tip);
        t->seed = column_word(r, stmt, at);
        t->header = column_word(r, stmt, at + 1);
        if (!sql_is_null(stmt, at + 2)) {
            const void *asset = sql_blob(stmt, at + 2);
            t->asset_len = sql_bytes(stmt, at + 2);
            t->asset = region_text(r->region, asset != NULL ? asset : "",
                                   t->asset_len);
        }
        a->table = t;
        rc = SQLITE_DONE;
    }
    sql_reset(stmt);
    if (rc != SQLITE_DONE)
        return rc;
    if (a->table != NULL)
        return reader_seats(r, *ret_number, &a->table->summary);
    return SQLITE_OK;
}

static int ask_table(struct reader *r, const struct log_tip *known)
{
    struct answer *a = &r->ask->answer;
    int64_t number, last = 0;
    struct log_tip tip;

    int rc = read_table(r, &number, &tip);
    if (rc != SQLITE_OK || a->table == NULL)
        return rc;
    if (a->table->summary.state == TABLE_ARCHIVED)
        known = NULL; /* from before it was */
    if (known != NULL && known->ply > tip.ply) {
        tip = *known;
        a->table->summary = known->summary;
    }
    rc = r->store->engine->read_log(r, number, &tip);
    if (rc == SQLITE_OK)
        rc = read_names(r, number);
    if (rc == SQLITE_OK)
        rc = read_invited(r, number);
    if (rc == SQLITE_OK)
        rc = read_orders(r, number);
    if (rc == SQLITE_OK)
        rc = read_ids(r, R_UNTOLD, number, &a->untold, &a->untold_count);
    if (rc == SQLITE_OK)
        rc = read_renames(r, number);
    if (rc == SQLITE_OK)
        rc = sql_number(r->sql, R_TEXTS_LAST, ARGS(INT_(number)), 0, &last);
    a->texts_last = (uint64_t)last;
    return rc;
}

static int ask_rematch(struct reader *r)
{
    struct sql_stmt *stmt = sql_begin(r->sql, R_REMATCH,
                                      ARGS(INT_(r->ask->question.u.table.id)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW) {
        r->ask->answer.rematch = column_id(stmt, 0);
        rc = SQLITE_DONE;
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* ---- texts, keys, notes ------------------------------------------------ */

int reader_text(struct reader *r, struct sql_stmt *stmt)
{
    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW) {
        r->ask->answer.text = column_word(r, stmt, 0);
        rc = SQLITE_DONE;
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int read_texts(struct reader *r, int64_t number, size_t limit)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    int64_t before = q->u.texts.before > 0 ? (int64_t)q->u.texts.before
                                           : INT64_MAX;
    int rc;

    struct sql_stmt *stmt = sql_begin(r->sql, R_TEXTS,
                                      ARGS(INT_(number), INT_(q->u.texts.room),
                                           INT_(before), INT_(limit + 1),
                                           INT_(q->u.texts.account)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    /* They come the last first, and one more than is wanted. */
    struct text_row *rows = region_take(r->region, limit * sizeof(*rows));
    size_t n = 0;
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        if (n == limit) {
            a->more = true;
            continue;
        }
        rows[limit - ++n] = (struct text_row){
            .number = (uint64_t)sql_int64(stmt, 0),
            .table = q->u.texts.table,
            .from = column_id(stmt, 1),
            .name = column_word(r, stmt, 4),
            .room = (uint8_t)sql_int(stmt, 5),
            .at = sql_int64(stmt, 2),
            .body = column_text(r, stmt, 3),
        };
    }
    sql_reset(stmt);
    a->texts = rows + (limit - n);
    a->text_count = n;
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int ask_texts(struct reader *r)
{
    const struct question *q = &r->ask->question;
    int64_t number, mark = 0;

    int rc = sql_number(r->sql, R_TABLE_NUMBER, ARGS(INT_(q->u.texts.table)),
                        0, &number);
    if (rc == SQLITE_OK)
        rc = read_texts(r, number, q->limit);
    if (rc == SQLITE_OK)
        rc = sql_number(r->sql, R_MARK,
                        ARGS(INT_(number), INT_(q->u.texts.account)), 0,
                        &mark);
    r->ask->answer.mark = (uint64_t)mark;
    return rc;
}

/* What somebody wrote down of a table, by READ. */
static int ask_note(struct reader *r, size_t read)
{
    const struct question *q = &r->ask->question;
    int64_t number;

    int rc = sql_number(r->sql, R_TABLE_NUMBER, ARGS(INT_(q->u.note.table)), 0,
                        &number);
    if (rc != SQLITE_OK)
        return rc;
    return reader_text(r,
                       sql_begin(r->sql, read,
                                 ARGS(INT_(number), INT_(q->u.note.account))));
}

/* ---- which ------------------------------------------------------------ */

int reader_one(struct reader *r, const struct log_tip *known)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;

    switch (q->kind) {
    case ASK_ACCOUNT:
        return reader_accounts(r,
                               sql_begin(r->sql, R_ACCOUNT,
                                         ARGS(INT_(q->u.account))),
                               &a->accounts, &a->account_count);
    case ASK_ACCOUNT_NAME:
        return reader_accounts(r,
                               sql_begin(r->sql, R_ACCOUNT_NAME,
                                         ARGS(TEXT_(q->u.name))),
                               &a->accounts, &a->account_count);
    case ASK_PROXIED:
        return reader_accounts(r,
                               sql_begin(r->sql, R_PROXIED,
                                         ARGS(TEXT_(q->u.name))),
                               &a->accounts, &a->account_count);
    case ASK_ACCOUNTS_NAME: return ask_names(r);
    case ASK_GUESTS:
        return reader_accounts(r,
                               sql_begin(r->sql, R_GUESTS,
                                         ARGS(INT_(q->u.guests.until),
                                              INT_(q->limit),
                                              INT_(q->u.guests.after_seen),
                                              INT_(q->u.guests.after))),
                               &a->accounts, &a->account_count);
    case ASK_TOKEN: return ask_token(r);
    case ASK_LINK: return ask_link(r);
    case ASK_TOKENS: return ask_tokens(r);
    case ASK_EMAIL:
    case ASK_SECRET:
    case ASK_STOPPED:
    case ASK_BLOCKS:
    case ASK_BLOCKED:
    case ASK_FACTORS: return reader_account(r);
    case ASK_TABLE: return ask_table(r, known);
    case ASK_KEY:
        return reader_text(
            r, sql_begin(r->sql, R_KEY,
                         ARGS(INT_(q->u.key.account), TEXT_(q->u.key.method),
                              TEXT_(q->u.key.key), INT_(q->u.key.newer))));
    case ASK_TEXTS: return ask_texts(r);
    case ASK_NOTE: return ask_note(r, R_NOTE);
    case ASK_STUDY: return ask_note(r, R_STUDY);
    case ASK_REMATCH: return ask_rematch(r);
    default: return SQLITE_MISUSE;
    }
}
