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
        return bug(w, sqlite3_errmsg(w->sql.db));
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
    case SQLITE_RANGE: return bug(w, sqlite3_errmsg(w->sql.db));
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

/* DONE if STATEMENT counts something, else a conflict. */
static enum outcome there(struct writer *w, enum writer_statement statement,
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
    return there(w, W_REQUIRE_ACCOUNT,
                 ARGS(INT_(a->id), INT_(a->kind), TEXT_(a->password),
                      INT_(a->banned_until)));
}

/* They may have come back since the hub asked: then it is a conflict. */
static enum outcome drop_guest(struct writer *w, id_num id, int64_t seen)
{
    enum outcome outcome = there(w, W_GUEST, ARGS(INT_(id), INT_(seen)));
    int rc = SQLITE_OK;

    if (outcome != DONE)
        return outcome;
    for (int i = W_GUEST_TOKENS; i <= W_GUEST_DROP && rc == SQLITE_OK; i++)
        rc = sql_run(&w->sql, (enum writer_statement)i, ARGS(INT_(id)));
    /* Games and talk that name them keep the row, which says nothing. */
    if (rc == SQLITE_OK && sqlite3_changes(w->sql.db) == 0)
        rc = sql_run(&w->sql, W_GUEST_EMPTY, ARGS(INT_(id)));
    return writer_judge(w, rc, BUG);
}

/* Logs name the account, so its row stays; nothing else of it does. */
static enum outcome drop_account(struct writer *w, id_num id)
{
    int rc = sql_run(&w->sql, W_RENAMES, ARGS(INT_(id), TEXT_("")));

    for (int i = W_GUEST_TOKENS; i <= W_GUEST_NOTES && rc == SQLITE_OK; i++)
        rc = sql_run(&w->sql, (enum writer_statement)i, ARGS(INT_(id)));
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_GUEST_EMPTY, ARGS(INT_(id)));
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

/* Tokens whose time is over go when the account gets another: so an account
 * that logs in every day does not grow. */
static enum outcome put_token(struct writer *w, const struct token_row *t)
{
    int rc = sql_run(&w->sql, W_TOKENS_OLD,
                     ARGS(INT_(t->account), INT_(t->created)));
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_TOKEN,
                     ARGS(INT_(t->id), INT_(t->account),
                          BLOB_(t->hash, sizeof(t->hash)), TEXT_(t->label),
                          INT_(t->scopes), INT_(t->created),
                          INT_(t->expires)));
    return writer_judge(w, rc, BUG);
}

static enum outcome put_link(struct writer *w, const struct link_row *l)
{
    int rc = sql_run(&w->sql, W_LINKS_OLD,
                     ARGS(INT_(l->made - LIMIT_LINK_KEPT_MS)));

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_LINK,
                     ARGS(INT_(l->id), BLOB_(l->hash, sizeof(l->hash)),
                          INT_(l->purpose), INT_(l->account), INT_(l->table),
                          INT_(l->maker), INT_(l->made), INT_(l->expires),
                          INT_(l->uses)));
    return writer_judge(w, rc, BUG);
}

/* Of two who come with the last use of one the second is a conflict. */
static enum outcome use_link(struct writer *w, const struct link_row *l)
{
    int rc = sql_run(&w->sql, W_LINK_USE, ARGS(INT_(l->id), INT_(l->used)));

    if (rc == SQLITE_OK && sqlite3_changes(w->sql.db) == 0)
        return CONFLICT;
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
    if (sqlite3_changes(w->sql.db) == 0)
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
                     ARGS(INT_(number), INT_(summary->state)));
    return rc;
}

static enum outcome put_seats(struct writer *w, int64_t number,
                              const struct summary *summary, bool moved)
{
    int64_t ended = summary->state > TABLE_PLAYING ? summary->changed : 0;
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
                          INT_(t->summary.seats), BLOB_(packed, len)));
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, CONFLICT);
    int64_t number = sqlite3_last_insert_rowid(w->sql.db);
    struct cached_table *h = cache_add(s, t->id, number);
    cache_touch(s, h, true);
    h->tip.summary = t->summary;
    rc = sql_run(&w->sql, W_SETUP,
                 ARGS(INT_(number), TEXT_(t->seed), TEXT_(t->header),
                      TEXT_(t->options), TEXT_(t->board),
                      BLOB_(t->asset, t->asset_len)));
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    return put_seats(w, number, &t->summary, true);
}

/* What lists choose by is written at once; whom a table waits for, later.  One
 * that is over is listed by when it changed. */
static enum outcome put_summary(struct store *s, struct cached_table *h,
                                const struct summary *summary,
                                int64_t first_row)
{
    struct writer *w = &s->writer;
    const struct summary *was = &h->tip.summary;
    bool moved = memcmp(was->seat, summary->seat, sizeof(summary->seat)) != 0;
    bool changed = moved || was->state != summary->state ||
                   was->seats != summary->seats ||
                   summary->state > TABLE_PLAYING;
    uint8_t packed[SUMMARY_BYTES_MAX];

    h->tip.summary = *summary;
    h->tip.summary.ply = (uint32_t)h->tip.ply;
    if (!changed) {
        cache_dirty(s, h, first_row);
        return DONE;
    }
    size_t len = summary_pack(summary, packed);
    int rc = sql_run(&w->sql, W_CHANGED,
                     ARGS(INT_(h->number), INT_(h->tip.row), INT_(h->tip.ply),
                          BLOB_(packed, len), INT_(summary->state),
                          INT_(summary->seats)));
    if (rc != SQLITE_OK)
        return writer_judge(w, rc, BUG);
    return put_seats(w, h->number, summary, moved);
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

static enum outcome put_plies(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    uint8_t packed[SUMMARY_BYTES_MAX];
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
    size_t len = summary_pack(&op->u.plies.summary, packed);
    for (size_t i = 0; i < op->u.plies.count; i++) {
        const struct ply_row *row = &op->u.plies.rows[i];
        bool last = i + 1 == op->u.plies.count;
        sqlite3_stmt *stmt =
            sql_begin(&w->sql, W_PLY,
                      ARGS(INT_(h->number), INT_(h->tip.row), INT_(row->ply),
                           TEXT_LEN_(row->line, row->len),
                           BLOB_(row->chain, sizeof(row->chain)),
                           BLOB_(last ? packed : NULL, len)));
        if (stmt == NULL)
            return writer_judge(w, sqlite3_extended_errcode(w->sql.db), BUG);
        rc = sqlite3_step(stmt);
        sqlite3_reset(stmt);
        if (rc != SQLITE_DONE)
            return writer_judge(w, rc, BUG);
        h->tip.row = w->cache.last_row = sqlite3_last_insert_rowid(w->sql.db);
        h->tip.ply = row->ply;
        memcpy(h->tip.chain, row->chain, sizeof(row->chain));
        first = first == 0 ? h->tip.row : first;
        w->rows++;
    }
    return put_summary(s, h, &op->u.plies.summary, first);
}

/* ---- logs that go elsewhere, and come back --------------------------------- */

/* The tree of the log is the largest there is, and has no index: the rows of the
 * table are found from its last one back. */
static int drop_log(struct store *s, struct cached_table *h,
                    const struct op *op)
{
    struct writer *w = &s->writer;
    struct sql_arg number = INT_(h->number);
    int64_t last = 0;

    int rc = sql_run(&w->sql, W_ARCHIVED,
                     ARGS(number, INT_(op->u.archive.at), INT_(h->tip.ply + 1),
                          BLOB_(op->u.archive.chain, SHA256_SIZE)));
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_LOG_DROP, ARGS(INT_(h->tip.row)));
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_SET_ASIDE, ARGS(number));
    if (rc == SQLITE_OK)
        rc = put_state(w, h->number,
                       &(struct summary){.state = TABLE_ARCHIVED}, 0);
    if (rc == SQLITE_OK)
        rc = sql_number(&w->sql, W_LAST, NO_ARGS, 0, &last);
    if (rc == SQLITE_OK)
        rc = cache_shorter(s, last);
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
    enum outcome outcome =
        there(w, W_ENDS_WITH,
              ARGS(INT_(h->tip.row), BLOB_(op->u.archive.chain, SHA256_SIZE)));
    if (outcome != DONE)
        return outcome;
    cache_touch(s, h, false);
    outcome = writer_judge(w, drop_log(s, h, op), BUG);
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
    enum outcome outcome =
        there(w, W_IS_ARCHIVED,
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
                     ARGS(number, account, INT_(h->tip.summary.state)));
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
        if (rc == SQLITE_OK && sqlite3_changes(w->sql.db) == 0)
            return CONFLICT;
        break;
    case OP_TEXT_DROP:
        rc = sql_run(&w->sql, W_TEXT_DROP,
                     ARGS(number, INT_(t->number), INT_(t->at)));
        if (rc == SQLITE_OK && sqlite3_changes(w->sql.db) == 0)
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
    case OP_AUDIT: return put_audit(w, &op->u.audit);
    case OP_PRUNE: return prune(w, op->u.at);
    case OP_TOKEN: return put_token(w, t);
    case OP_REQUIRE_TOKEN:
        return there(w, W_REQUIRE_TOKEN, ARGS(INT_(t->id), INT_(t->account)));
    case OP_TOKEN_DROP:
        return writer_judge(w,
                            sql_run(&w->sql, W_TOKEN_DROP,
                                    ARGS(INT_(t->id), INT_(t->account))),
                            BUG);
    case OP_TOKENS_DROP:
        return writer_judge(w,
                            sql_run(&w->sql, W_TOKENS_DROP,
                                    ARGS(INT_(t->account), INT_(t->id))),
                            BUG);
    case OP_LINK: return put_link(w, &op->u.link);
    case OP_LINK_USE: return use_link(w, &op->u.link);
    case OP_LINK_DROP:
        return writer_judge(
            w, sql_run(&w->sql, W_LINK_DROP, ARGS(INT_(op->u.link.id))), BUG);
    case OP_LINKS_DROP:
        return writer_judge(w,
                            sql_run(&w->sql, W_LINKS_DROP,
                                    ARGS(INT_(op->u.link.account),
                                         INT_(op->u.link.purpose),
                                         INT_(op->u.link.id))),
                            BUG);
    case OP_TABLE: return put_table(s, &op->u.table_row);
    case OP_PLIES: return put_plies(s, op);
    case OP_ARCHIVE: return archive(s, op);
    case OP_RETURN: return bring_back(s, op);
    case OP_KEY: return put_key(w, op);
    case OP_INVITE:
    case OP_RENAMED:
    case OP_NAMED:
    case OP_TEXT:
    case OP_TEXT_DROP:
    case OP_MARK:
    case OP_NOTE: return put_beside(s, op);
    }
    return BUG;
}
