/* store_ops.c -- what each op of a transaction writes. */

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/limits.h"
#include "store_inner.h"

#define LINE_MAX_BYTES (1 << 20) /* far more than any ply; SQLite takes more */

/* ---- ops -------------------------------------------------------------- */

static enum outcome bug(struct writer *w, const char *why)
{
    snprintf(w->why, sizeof(w->why), "%s", why);
    return BUG;
}

enum outcome writer_judge(struct writer *w, int rc, enum outcome taken)
{
    switch (rc & 0xff) {
    case SQLITE_OK: return DONE;
    case SQLITE_CONSTRAINT:
        if (rc == SQLITE_CONSTRAINT_UNIQUE && taken != BUG)
            return taken;
        return bug(w, sql_errmsg(&w->sql));
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
    case SQLITE_RANGE: return bug(w, sql_errmsg(&w->sql));
    default: w->rc = rc; return BROKEN;
    }
}

/* Who sits at tables that are not over is known there by the name they had; that
 * they learn of another one is the hub's affair, which must not be forgotten. */
static enum outcome put_account(struct writer *w, const struct account_row *a)
{
    int rc = sql_run(&w->sql, W_RENAMES, ARGS(INT_(a->id), TEXT_(a->name)));

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_ACCOUNT,
                     ARGS(INT_(a->id), INT_(a->kind), TEXT_(a->name),
                          TEXT_(a->password), TEXT_(a->email),
                          INT_(a->created), INT_(a->seen)));
    return writer_judge(w, rc, CONFLICT);
}

static enum outcome put_name(struct writer *w, id_num id, const char *name)
{
    int rc = sql_run(&w->sql, W_RENAMES, ARGS(INT_(id), TEXT_(name)));

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_NAME, ARGS(INT_(id), TEXT_(name)));
    return writer_judge(w, rc, CONFLICT);
}

enum outcome writer_change(struct writer *w, enum writer_statement statement,
                           const struct sql_arg *args, size_t count)
{
    int rc = sql_run(&w->sql, statement, args, count);

    if (rc == SQLITE_OK && sql_changes(&w->sql) == 0)
        return CONFLICT;
    return writer_judge(w, rc, BUG);
}

enum outcome writer_there(struct writer *w, enum writer_statement statement,
                          const struct sql_arg *args, size_t count)
{
    int64_t n = 0;
    int rc = sql_number(&w->sql, statement, args, count, 0, &n);

    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    return n > 0 ? DONE : CONFLICT;
}

static enum outcome still(struct writer *w, const struct account_row *a)
{
    return writer_there(w, W_REQUIRE_ACCOUNT,
                        ARGS(INT_(a->id), INT_(a->kind), TEXT_(a->password),
                             INT_(a->banned_until)));
}

/* They may have come back since the hub asked: then it is a conflict. */
static enum outcome drop_guest(struct writer *w, id_num id, int64_t seen)
{
    enum outcome outcome = writer_there(w, W_GUEST,
                                        ARGS(INT_(id), INT_(seen)));
    int rc = SQLITE_OK;

    if (outcome != DONE)
        return outcome;
    rc = writer_outbox_forget(w, id);
    for (int i = W_GUEST_TOKENS; i <= W_GUEST_DROP && rc == SQLITE_OK; i++)
        rc = sql_run(&w->sql, (enum writer_statement)i, ARGS(INT_(id)));
    /* Games and talk that name them keep the row, which says nothing. */
    if (rc == SQLITE_OK && sql_changes(&w->sql) == 0)
        rc = sql_run(&w->sql, W_GUEST_EMPTY, ARGS(INT_(id)));
    return writer_judge(w, rc, BUG);
}

/* Logs name the account, so its row stays; nothing else of it does. */
static enum outcome drop_account(struct writer *w, id_num id)
{
    int rc = sql_run(&w->sql, W_RENAMES, ARGS(INT_(id), TEXT_("")));

    if (rc == SQLITE_OK)
        rc = writer_outbox_forget(w, id);
    for (int i = W_GUEST_TOKENS; i <= W_GUEST_PROXIED && rc == SQLITE_OK; i++)
        rc = sql_run(&w->sql, (enum writer_statement)i, ARGS(INT_(id)));
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_GUEST_EMPTY, ARGS(INT_(id)));
    return writer_judge(w, rc, BUG);
}

/* Of two who change them at once the second is a conflict; of who was deleted
 * meanwhile nothing is kept. */
static enum outcome put_hours(struct writer *w, const struct op *op)
{
    const struct hours_row *h = &op->u.hours.row;
    enum outcome outcome = writer_there(w, W_IS_THERE,
                                        ARGS(INT_(op->account)));

    if (outcome != DONE)
        return outcome == CONFLICT ? DONE : outcome;
    int rc = sql_run(&w->sql, W_HOURS,
                     ARGS(INT_(op->account), INT_(op->u.hours.was),
                          INT_(h->hours.opens), INT_(h->hours.closes),
                          INT_(h->hours.days), TEXT_(h->zone),
                          INT_(h->changed)));
    if (rc == SQLITE_OK && sql_changes(&w->sql) == 0)
        return CONFLICT;
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_UNTOLD, ARGS(INT_(op->account)));
    return writer_judge(w, rc, BUG);
}

static enum outcome put_proxied(struct writer *w, const struct op *op)
{
    const char *user = op->u.proxied.user;
    enum outcome outcome = DONE;

    if (op->u.proxied.is_new)
        outcome = writer_there(w, W_IS_PROXIED, ARGS(TEXT_(user)));
    if (outcome != DONE)
        return outcome;
    int rc = sql_run(&w->sql, W_PROXIED_DROP,
                     ARGS(INT_(op->account), TEXT_(user)));
    if (rc == SQLITE_OK && user != NULL)
        rc = sql_run(&w->sql, W_PROXIED, ARGS(INT_(op->account), TEXT_(user)));
    return writer_judge(w, rc, BUG);
}

static enum outcome put_audit(struct writer *w, const struct audit_row *a)
{
    int rc = sql_run(&w->sql, W_AUDIT,
                     ARGS(INT_(a->at), INT_(a->uid), TEXT_(a->method),
                          INT_(a->table), INT_(a->account), TEXT_(a->what)));
    return writer_judge(w, rc, BUG);
}

static enum outcome prune(struct writer *w, int64_t now_ms)
{
    int rc = sql_run(&w->sql, W_PRUNE_TOKENS, ARGS(INT_(now_ms)));

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_PRUNE_KEYS, ARGS(INT_(now_ms - LIMIT_KEY_MS)));
    return writer_judge(w, rc, BUG);
}

/* A key that is there and not a day old means that the request was granted
 * while this one was under way. */
static enum outcome put_key(struct writer *w, const struct op *op)
{
    int64_t old = op->u.key.at - LIMIT_KEY_MS;
    int rc = sql_run(&w->sql, W_KEY,
                     ARGS(INT_(op->account), TEXT_(op->u.key.method),
                          TEXT_(op->u.key.key), INT_(op->u.key.at),
                          TEXT_(op->u.key.answer), INT_(old)));
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    if (sql_changes(&w->sql) == 0)
        return CONFLICT;
    return writer_judge(w, sql_run(&w->sql, W_KEYS_OLD, ARGS(INT_(old))), BUG);
}

/* ---- tables ----------------------------------------------------------- */

/* What is kept of a table with who is there, for lists that begin with them. */
static int put_state(struct writer *w, int64_t number,
                     const struct summary *summary, int64_t ended)
{
    int rc = sql_run(&w->sql, W_PLAYERS_STATE,
                     ARGS(INT_(number), INT_(summary->state), INT_(ended)));

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_INVITES_STATE,
                     ARGS(INT_(number), INT_(summary->state), INT_(ended)));
    return rc;
}

/* When a table that is over was, else 0. */
static int64_t ended_at(const struct summary *summary)
{
    return summary->state > TABLE_PLAYING ? summary->changed : 0;
}

static enum outcome put_seats(struct writer *w, int64_t number,
                              const struct summary *summary, bool moved)
{
    int64_t ended = ended_at(summary);
    int rc = put_state(w, number, summary, ended);

    if (rc == SQLITE_OK && moved)
        rc = sql_run(&w->sql, W_STOOD_UP, ARGS(INT_(number)));
    for (int i = 0; moved && i < RULES_SEATS_MAX && rc == SQLITE_OK; i++)
        if (summary->seat[i] != 0)
            rc = sql_run(&w->sql, W_SEATED,
                         ARGS(INT_(number), INT_(summary->state), INT_(ended),
                              INT_(summary->seat[i]), INT_(i)));
    return writer_judge(w, rc, BUG);
}

static enum outcome put_table(struct store *s, const struct table_row *t)
{
    struct writer *w = &s->writer;
    uint8_t packed[SUMMARY_BYTES_MAX];
    size_t len = summary_pack(&t->summary, packed);

    if (t->id == 0)
        return bug(w, "a table without an id");
    int rc = sql_run(&w->sql, W_TABLE,
                     ARGS(INT_(t->id), INT_(t->owner), TEXT_(t->game),
                          INT_(t->created), INT_(t->private_), INT_(t->rated),
                          INT_(t->spectators), INT_(t->start_full),
                          TEXT_(t->join_password), INT_(t->summary.state),
                          INT_(t->summary.seats), BLOB_(packed, len),
                          INT_(t->terms != NULL)));
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, CONFLICT);
    int64_t number = sql_last_row(&w->sql);
    struct cached_table *h = cache_add(s, t->id, number);
    cache_touch(s, h, true);
    h->tip.summary = t->summary;
    rc = sql_run(&w->sql, W_SETUP,
                 ARGS(INT_(number), TEXT_(t->seed), TEXT_(t->header),
                      TEXT_(t->options), TEXT_(t->board),
                      BLOB_(t->asset, t->asset_len), TEXT_(t->terms)));
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    return put_seats(w, number, &t->summary, true);
}

/* What lists choose by is written at once; whom a table waits for, later.  One
 * that is over is listed by when it changed. */
int sqlite_tip(struct store *s, struct cached_table *h,
               const struct summary *summary, bool changed, int64_t first)
{
    uint8_t packed[SUMMARY_BYTES_MAX];

    if (!changed) {
        cache_dirty(s, h, first);
        return SQLITE_OK;
    }
    size_t len = summary_pack(summary, packed);
    return sql_run(&s->writer.sql, W_CHANGED,
                   ARGS(INT_(h->number), INT_(h->tip.row), INT_(h->tip.ply),
                        BLOB_(packed, len), INT_(summary->state),
                        INT_(summary->seats)));
}

static enum outcome put_summary(struct store *s, struct cached_table *h,
                                const struct summary *summary, int64_t first)
{
    struct writer *w = &s->writer;
    const struct summary *was = &h->tip.summary;
    bool moved = memcmp(was->seat, summary->seat, sizeof(summary->seat)) != 0;
    bool changed = moved || was->state != summary->state ||
                   was->seats != summary->seats ||
                   summary->state > TABLE_PLAYING;

    h->tip.summary = *summary;
    h->tip.summary.ply = (uint32_t)h->tip.ply;
    int rc = s->engine->tip(s, h, summary, changed, first);
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    return changed ? put_seats(w, h->number, summary, moved) : DONE;
}

/* Whether the plies of OP were made behind the last one of H. */
static bool continues(const struct op *op, const struct cached_table *h)
{
    const uint8_t *expect = op->u.plies.expect;

    if (expect == NULL || h->tip.ply < 0)
        return expect == NULL && h->tip.ply < 0;
    return memcmp(expect, h->tip.chain, SHA256_SIZE) == 0;
}

/* Whether no statement for the plies of OP, which continue H, can fail but by
 * the file: a lone append has no savepoint. */
static bool storable(const struct op *op, const struct cached_table *h)
{
    for (size_t i = 0; i < op->u.plies.count; i++)
        if (op->u.plies.rows[i].ply != h->tip.ply + 1 + (int64_t)i ||
            op->u.plies.rows[i].line == NULL ||
            op->u.plies.rows[i].len > LINE_MAX_BYTES)
            return false;
    return op->u.plies.count > 0;
}

/* A row of the log; SUMMARY, if not NULL, packed in LEN bytes, goes with it. */
static int put_ply(struct store *s, struct cached_table *h,
                   const struct ply_row *row, const uint8_t *summary,
                   size_t len)
{
    struct writer *w = &s->writer;
    int rc = sql_run(&w->sql, W_PLY,
                     ARGS(INT_(h->number), INT_(h->tip.row), INT_(row->ply),
                          TEXT_LEN_(row->line, row->len),
                          BLOB_(row->chain, sizeof(row->chain)),
                          BLOB_(summary, len)));

    if (rc != SQLITE_OK)
        return rc;
    h->tip.row = w->cache.last_row = sql_last_row(&w->sql);
    w->rows++;
    if (row->ply % MILESTONE_PLIES != MILESTONE_PLIES - 1)
        return SQLITE_OK;
    return sql_run(&w->sql, W_MILESTONE,
                   ARGS(INT_(h->number), INT_(row->ply), INT_(h->tip.row)));
}

int sqlite_append(struct store *s, struct cached_table *h, const struct op *op,
                  int64_t *ret_first)
{
    uint8_t packed[SUMMARY_BYTES_MAX];
    size_t len = summary_pack(&op->u.plies.summary, packed);
    int rc = SQLITE_OK;

    for (size_t i = 0; i < op->u.plies.count && rc == SQLITE_OK; i++) {
        const struct ply_row *row = &op->u.plies.rows[i];
        bool last = i + 1 == op->u.plies.count;
        rc = put_ply(s, h, row, last ? packed : NULL, len);
        h->tip.ply = row->ply;
        memcpy(h->tip.chain, row->chain, sizeof(row->chain));
        if (i == 0)
            *ret_first = h->tip.row;
    }
    return rc;
}

static enum outcome put_plies(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    struct cached_table *h;
    int64_t first = 0;

    int rc = cache_find(s, op->table, &h);
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    if (h == NULL)
        return bug(w, "plies of no table");
    if (!continues(op, h))
        return CONFLICT;
    if (!storable(op, h)) {
        snprintf(w->why, sizeof(w->why),
                 "%zu plies that are none, behind %lld", op->u.plies.count,
                 (long long)h->tip.ply);
        return BUG;
    }
    cache_touch(s, h, false);
    enum outcome outcome = writer_judge(w, s->engine->append(s, h, op, &first),
                                        BUG);
    if (outcome != DONE)
        return outcome;
    return put_summary(s, h, &op->u.plies.summary, first);
}

/* ---- logs that go elsewhere, and come back --------------------------------- */

/* The tree of the log is the largest there is, and has no index: the rows of the
 * table are found from its last one back. */
int sqlite_drop_log(struct store *s, struct cached_table *h)
{
    struct sql *sql = &s->writer.sql;
    int64_t last = 0;

    int rc = sql_run(sql, W_LOG_DROP, ARGS(INT_(h->tip.row)));
    if (rc == SQLITE_OK)
        rc = sql_run(sql, W_MILESTONES_DROP, ARGS(INT_(h->number)));
    if (rc == SQLITE_OK)
        rc = sql_number(sql, W_LAST, NO_ARGS, 0, &last);
    if (rc == SQLITE_OK)
        rc = cache_shorter(s, last);
    return rc;
}

static int drop_log(struct store *s, struct cached_table *h,
                    const struct op *op)
{
    struct writer *w = &s->writer;
    struct sql_arg number = INT_(h->number);

    int rc = sql_run(&w->sql, W_ARCHIVED,
                     ARGS(number, INT_(op->u.archive.at), INT_(h->tip.ply + 1),
                          BLOB_(op->u.archive.chain, SHA256_SIZE)));
    if (rc == SQLITE_OK)
        rc = s->engine->drop_log(s, h);
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_SET_ASIDE, ARGS(number));
    if (rc == SQLITE_OK)
        rc = put_state(w, h->number,
                       &(struct summary){.state = TABLE_ARCHIVED},
                       h->tip.summary.changed);
    return rc;
}

/* Nothing of the transaction may come behind this: what it does to the cached
 * table is not taken back by itself. */
static enum outcome archive(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    struct cached_table *h;

    ASSERT(op->next == NULL);
    int rc = cache_find(s, op->table, &h);
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    if (h == NULL || h->tip.summary.state != TABLE_FINISHED)
        return CONFLICT;
    if (memcmp(h->tip.chain, op->u.archive.chain, SHA256_SIZE) != 0)
        return CONFLICT;
    cache_touch(s, h, false);
    enum outcome outcome = writer_judge(w, drop_log(s, h, op), BUG);
    if (outcome != DONE)
        return outcome;
    cache_clean(s, h);
    h->tip.row = 0;
    h->tip.ply = -1;
    h->tip.summary.state = TABLE_ARCHIVED;
    h->tip.summary.ply = 0;
    w->shrunk = true;
    return DONE;
}

static enum outcome bring_back(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    struct cached_table *h;

    int rc = cache_find(s, op->table, &h);
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    if (h == NULL)
        return CONFLICT;
    enum outcome outcome = writer_there(
        w, W_IS_ARCHIVED,
        ARGS(INT_(h->number), BLOB_(op->u.archive.chain, SHA256_SIZE)));
    if (outcome != DONE)
        return outcome;
    return writer_judge(w,
                        sql_run(&w->sql, W_UNARCHIVED, ARGS(INT_(h->number))),
                        BUG);
}

id_num op_table(const struct op *op)
{
    bool text = op->kind == OP_TEXT || op->kind == OP_TEXT_DROP;

    if (op->kind == OP_TABLE)
        return op->u.table_row.id;
    return text ? op->u.text.table : op->table;
}

/* ---- what belongs to a table ------------------------------------------- */

static enum outcome put_beside(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    const struct text_row *t = &op->u.text;
    struct cached_table *h;

    int rc = cache_find(s, op_table(op), &h);
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    if (h == NULL)
        return bug(w, "something of no table");
    struct sql_arg number = INT_(h->number), account = INT_(op->account);
    switch (op->kind) {
    case OP_INVITE:
        rc = sql_run(&w->sql, W_INVITE,
                     ARGS(number, account, INT_(h->tip.summary.state),
                          INT_(ended_at(&h->tip.summary)),
                          INT_(op->u.invite.seat), INT_(op->u.invite.inviter),
                          INT_(op->u.invite.until)));
        break;
    case OP_INVITE_DROP:
        return writer_change(w, W_INVITE_DROP, ARGS(number, account));
    case OP_REMATCH:
        rc = sql_run(&w->sql, W_REMATCH, ARGS(number, INT_(op->u.rematch)));
        if (rc == SQLITE_OK && sql_changes(&w->sql) == 0)
            return CONFLICT;
        break;
    case OP_RENAMED:
        rc = sql_run(&w->sql, W_RENAMED, ARGS(number, account));
        break;
    case OP_NAMED:
        rc = sql_run(&w->sql, W_RENAMED, ARGS(number, account));
        if (rc == SQLITE_OK)
            rc = sql_run(&w->sql, W_NAMED,
                         ARGS(number, account, TEXT_(op->u.note)));
        break;
    case OP_TEXT:
        rc = sql_run(&w->sql, W_TEXT,
                     ARGS(number, INT_(t->number), INT_(t->room),
                          INT_(t->from), INT_(t->at), TEXT_(t->body)));
        if (rc == SQLITE_OK && sql_changes(&w->sql) == 0)
            return CONFLICT;
        break;
    case OP_TEXT_DROP:
        rc = sql_run(&w->sql, W_TEXT_DROP,
                     ARGS(number, INT_(t->number), INT_(t->at)));
        if (rc == SQLITE_OK && sql_changes(&w->sql) == 0)
            return CONFLICT;
        break;
    case OP_MARK:
        rc = sql_run(&w->sql, W_MARK,
                     ARGS(number, account, INT_(op->u.number)));
        break;
    case OP_NOTE:
        if (op->u.note[0] == '\0')
            rc = sql_run(&w->sql, W_NOTE_DROP, ARGS(number, account));
        else
            rc = sql_run(&w->sql, W_NOTE,
                         ARGS(number, account, TEXT_(op->u.note)));
        break;
    case OP_STUDY:
        if (op->u.note[0] == '\0') {
            rc = sql_run(&w->sql, W_STUDY_DROP, ARGS(number, account));
            break;
        }
        rc = sql_run(&w->sql, W_STUDY,
                     ARGS(number, account, TEXT_(op->u.note),
                          INT_(LIMIT_STUDIES)));
        if (rc == SQLITE_OK && sql_changes(&w->sql) == 0)
            return CONFLICT;
        break;
    case OP_ORDER:
        if (op->u.order.ply != h->tip.ply)
            return CONFLICT;
        if (op->u.order.body == NULL)
            rc = sql_run(&w->sql, W_ORDER_DROP, ARGS(number, account));
        else
            rc = sql_run(&w->sql, W_ORDER,
                         ARGS(number, account, TEXT_(op->u.order.body)));
        break;
    case OP_ORDERS_DROP:
        rc = sql_run(&w->sql, W_ORDERS_DROP, ARGS(number));
        break;
    default: return BUG;
    }
    return writer_judge(w, rc, BUG);
}

enum outcome writer_op(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    const struct token_row *t = &op->u.token;

    switch (op->kind) {
    case OP_ACCOUNT: return put_account(w, &op->u.account_row);
    case OP_REQUIRE_ACCOUNT: return still(w, &op->u.account_row);
    case OP_SEEN:
        return writer_judge(w,
                            sql_run(&w->sql, W_SEEN,
                                    ARGS(INT_(op->account), INT_(op->u.at))),
                            BUG);
    case OP_GUEST_DROP: return drop_guest(w, op->account, op->u.at);
    case OP_BAN:
        return writer_judge(w,
                            sql_run(&w->sql, W_BAN,
                                    ARGS(INT_(op->account),
                                         INT_(op->u.ban.until),
                                         TEXT_(op->u.ban.reason))),
                            BUG);
    case OP_PASSWORD:
        return writer_judge(w,
                            sql_run(&w->sql, W_PASSWORD,
                                    ARGS(INT_(op->account),
                                         TEXT_(op->u.note))),
                            BUG);
    case OP_NAME: return put_name(w, op->account, op->u.note);
    case OP_ACCOUNT_DROP: return drop_account(w, op->account);
    case OP_HOURS: return put_hours(w, op);
    case OP_PROXIED: return put_proxied(w, op);
    case OP_AUDIT: return put_audit(w, &op->u.audit);
    case OP_PRUNE: return prune(w, op->u.at);
    case OP_REQUIRE_TOKEN:
        return writer_there(w, W_REQUIRE_TOKEN,
                            ARGS(INT_(t->id), INT_(t->account)));
    case OP_TABLE: return put_table(s, &op->u.table_row);
    case OP_PLIES: return put_plies(s, op);
    case OP_RESULTS: return writer_results(s, op);
    case OP_RATINGS_ANEW:
    case OP_RATINGS_GONE: return writer_ratings(s, op);
    case OP_ARCHIVE: return archive(s, op);
    case OP_RETURN: return bring_back(s, op);
    case OP_KEY: return put_key(w, op);
    case OP_INVITE:
    case OP_INVITE_DROP:
    case OP_REMATCH:
    case OP_RENAMED:
    case OP_NAMED:
    case OP_TEXT:
    case OP_TEXT_DROP:
    case OP_MARK:
    case OP_NOTE:
    case OP_STUDY:
    case OP_ORDER:
    case OP_ORDERS_DROP: return put_beside(s, op);
    case OP_NOTICES:
    case OP_TOLD:
    case OP_LOOKED:
    case OP_MESSAGE:
    case OP_MESSAGE_DROP:
    case OP_SENT:
    case OP_WISHES:
    case OP_CHANNEL:
    case OP_CHANNEL_DROP:
    case OP_MUTE:
    case OP_REMINDED:
    case OP_OUTBOX_EMPTY: return writer_outbox_op(s, op);
    case OP_AWAY:
    case OP_KNOWS:
    case OP_REQUIRE_TOLD:
    case OP_ZONE:
    case OP_REMINDER:
    case OP_REMINDERS_DROP:
    case OP_DUE:
    case OP_SIGN: return writer_time_op(s, op);
    default: return writer_account_op(w, op);
    }
}
