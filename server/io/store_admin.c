/* store_admin.c -- what only the administrator asks: lists of people, of their
 * sessions, of what is stored about one of them, of what was changed. */

#include <string.h>

#include "core/base.h"
#include "server/hub/limits.h"
#include "store_inner.h"

int reader_each(struct reader *r, struct sql_stmt *stmt, size_t limit,
                row_cb take)
{
    size_t n = 0;
    int rc;

    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW && n++ < limit)
        take(r, stmt);
    r->ask->answer.more = rc == SQLITE_ROW;
    sql_reset(stmt);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

static void take_account(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;
    column_account(r, stmt, 0, &a->accounts[a->account_count++]);
}

static void take_session(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;
    column_token(r, stmt, &a->tokens[a->token_count++]);
    column_account(r, stmt, TOKEN_COLUMN_COUNT,
                   &a->accounts[a->account_count++]);
}

static void take_link(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;
    column_link(r, stmt, &a->links[a->link_count++]);
}

void column_hours(struct reader *r, struct sql_stmt *stmt, struct hours_row *h)
{
    *h = (struct hours_row){
        .hours = {(int16_t)sql_int(stmt, 0), (int16_t)sql_int(stmt, 1),
                  (uint8_t)sql_int(stmt, 2)},
        .zone = column_word(r, stmt, 3),
        .changed = sql_int64(stmt, 4),
    };
}

/* The columns are those of R_PERSON and the part. */
static struct person_row person_row(struct reader *r, struct sql_stmt *stmt,
                                    enum person_part part)
{
    struct person_row row = {0};

    switch (part) {
    case PERSON_SEATS:
    case PERSON_OWNED:
    case PERSON_INVITES:
        row.u.table.table = column_id(stmt, 0);
        row.u.table.seat = sql_int(stmt, 1);
        row.u.table.state = (uint8_t)sql_int(stmt, 2);
        row.u.table.created = sql_int64(stmt, 3);
        row.u.table.game = column_word(r, stmt, 4);
        if (part != PERSON_SEATS)
            break;
        row.u.table.place = (uint8_t)sql_int(stmt, 5);
        row.u.table.points = sql_int(stmt, 6);
        row.u.table.rated = !sql_is_null(stmt, 7);
        row.u.table.rating = (struct rating){sql_int64(stmt, 7),
                                             sql_int64(stmt, 8)};
        break;
    case PERSON_TEXTS:
        row.u.text.table = column_id(stmt, 0);
        row.u.text.number = (uint64_t)sql_int64(stmt, 1);
        row.u.text.room = (uint8_t)sql_int(stmt, 2);
        row.u.text.at = sql_int64(stmt, 3);
        row.u.text.body = column_text(r, stmt, 4);
        break;
    case PERSON_NOTES:
    case PERSON_STUDIES:
        row.u.note.table = column_id(stmt, 0);
        row.u.note.text = column_word(r, stmt, 1);
        break;
    case PERSON_MARKS:
        row.u.mark.table = column_id(stmt, 0);
        row.u.mark.number = (uint64_t)sql_int64(stmt, 1);
        break;
    case PERSON_KEYS:
        row.u.key.method = column_word(r, stmt, 0);
        row.u.key.key = column_word(r, stmt, 1);
        row.u.key.at = sql_int64(stmt, 2);
        break;
    case PERSON_LINKS:
        row.u.link.purpose = (uint8_t)sql_int(stmt, 0);
        row.u.link.made = sql_int64(stmt, 1);
        row.u.link.expires = sql_int64(stmt, 2);
        row.u.link.uses = sql_int64(stmt, 3);
        row.u.link.email = column_text(r, stmt, 4);
        break;
    case PERSON_HOURS: column_hours(r, stmt, &row.u.hours); break;
    case PERSON_DEVICES: row.u.used = sql_int64(stmt, 0); break;
    case PERSON_TOTP:
        row.u.totp.made = sql_int64(stmt, 0);
        row.u.totp.confirmed = sql_int64(stmt, 1);
        row.u.totp.recovery = sql_int64(stmt, 2);
        break;
    case PERSON_PROXIED: row.u.user = column_word(r, stmt, 0); break;
    case PERSON_ABSENCES: column_absence(stmt, &row.u.absence); break;
    case PERSON_AWAY: row.u.auto_ = sql_int(stmt, 0) != 0; break;
    case PERSON_BLOCKS: column_block(r, stmt, &row.u.block); break;
    case PERSON_RATINGS: column_rating(r, stmt, &row.u.rating); break;
    case PERSON_PARTS: break;
    }
    return row;
}

static void take_part(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;
    a->parts[a->part_count++] = person_row(r, stmt,
                                           r->ask->question.u.person.part);
}

static void take_audit(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->audits[a->audit_count++] = (struct audit_row){
        .number = (uint64_t)sql_int64(stmt, 0),
        .at = sql_int64(stmt, 1),
        .uid = (uint32_t)sql_int64(stmt, 2),
        .table = column_id(stmt, 3),
        .account = column_id(stmt, 4),
        .name = column_text(r, stmt, 5),
        .method = column_word(r, stmt, 6),
        .what = column_word(r, stmt, 7),
    };
}

static int count_pruned(struct reader *r)
{
    const struct question *q = &r->ask->question;
    const int64_t bounds[PRUNE_COUNTS] = {
        [PRUNE_TOKENS] = q->u.prune_at,
        [PRUNE_KEYS] = q->u.prune_at - LIMIT_KEY_MS,
    };
    int rc = SQLITE_OK;

    for (size_t i = 0; i < PRUNE_COUNTS && rc == SQLITE_OK; i++)
        rc = sql_number(r->sql, R_PRUNE + i, ARGS(INT_(bounds[i])), 0,
                        &r->ask->answer.counts[i]);
    return rc;
}

static int count_sizes(struct reader *r)
{
    int64_t *counts = r->ask->answer.counts;
    int rc = SQLITE_OK;

    for (int state = TABLE_OPEN; state <= TABLE_ABANDONED && rc == SQLITE_OK;
         state++)
        rc = sql_number(r->sql, R_TABLES_IN, ARGS(INT_(state)), 0,
                        &counts[SIZE_TABLES + state]);
    if (rc == SQLITE_OK)
        rc = sql_number(r->sql, R_ACCOUNTS_OF, ARGS(INT_(ACCOUNT_USER)), 0,
                        &counts[SIZE_USERS]);
    if (rc == SQLITE_OK)
        rc = sql_number(r->sql, R_ACCOUNTS_OF, ARGS(INT_(ACCOUNT_GUEST)), 0,
                        &counts[SIZE_GUESTS]);
    return rc;
}

int reader_admin(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    size_t limit = q->limit > 0 ? q->limit : 100;
    struct sql_arg most = INT_(limit + 1);
    const char *name = "";

    switch (q->kind) {
    case ASK_ACCOUNTS:
        if (q->u.accounts.after != NULL)
            name = q->u.accounts.after;
        a->accounts = region_take(r->region, limit * sizeof(*a->accounts));
        return reader_each(r,
                           sql_begin(r->sql, R_ACCOUNTS,
                                     ARGS(TEXT_(name),
                                          INT_(q->u.accounts.kind),
                                          INT_(q->u.accounts.banned), most)),
                           limit, take_account);
    case ASK_SESSIONS:
        a->tokens = region_take(r->region, limit * sizeof(*a->tokens));
        a->accounts = region_take(r->region, limit * sizeof(*a->accounts));
        return reader_each(r,
                           sql_begin(r->sql, R_SESSIONS,
                                     ARGS(INT_(q->u.sessions.after),
                                          INT_(q->u.sessions.account), most)),
                           limit, take_session);
    case ASK_LINKS:
        a->links = region_take(r->region, limit * sizeof(*a->links));
        if (q->u.links.table != 0)
            return reader_each(r,
                               sql_begin(r->sql, R_LINKS_TABLE,
                                         ARGS(INT_(q->u.links.purpose),
                                              INT_(q->u.links.after), most,
                                              INT_(q->u.links.table))),
                               limit, take_link);
        return reader_each(r,
                           sql_begin(r->sql, R_LINKS,
                                     ARGS(INT_(q->u.links.purpose),
                                          INT_(q->u.links.after), most)),
                           limit, take_link);
    case ASK_PERSON:
        ASSERT(q->u.person.part < PERSON_PARTS);
        a->parts = region_take(r->region, limit * sizeof(*a->parts));
        return reader_each(r,
                           sql_begin(r->sql, R_PERSON + q->u.person.part,
                                     ARGS(INT_(q->u.person.account), most,
                                          INT_(q->u.person.from))),
                           limit, take_part);
    case ASK_AUDIT:
        a->audits = region_take(r->region, limit * sizeof(*a->audits));
        return reader_each(r,
                           sql_begin(r->sql, R_AUDIT,
                                     ARGS(INT_(q->u.audit.before > 0
                                                   ? q->u.audit.before
                                                   : INT64_MAX),
                                          INT_(q->u.audit.table),
                                          INT_(q->u.audit.account), most)),
                           limit, take_audit);
    case ASK_PRUNE: return count_pruned(r);
    case ASK_SIZES: return count_sizes(r);
    default: return SQLITE_MISUSE;
    }
}
