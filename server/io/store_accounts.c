/* store_accounts.c -- what is stored of how people come in: tokens, links,
 * addresses and what was sent there, second factors, devices. */

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/limits.h"
#include "store_inner.h"

#define HASH_(x) BLOB_((x), SHA256_SIZE)

/* Runs STATEMENT, which nothing but the file can keep from it. */
static enum outcome put(struct writer *w, enum writer_statement statement,
                        const struct sql_arg *args, size_t count)
{
    return writer_judge(w, sql_run(&w->sql, statement, args, count), BUG);
}

/* ---- tokens and links ---------------------------------------------------- */

/* Tokens whose time is over go when the account gets another: so an account
 * that logs in every day does not grow. */
static enum outcome put_token(struct writer *w, const struct token_row *t)
{
    enum outcome outcome = put(w, W_TOKENS_OLD,
                               ARGS(INT_(t->account), INT_(t->created)));

    if (outcome != DONE)
        return outcome;
    return put(w, W_TOKEN,
               ARGS(INT_(t->id), INT_(t->account), HASH_(t->hash),
                    TEXT_(t->label), INT_(t->scopes), INT_(t->created),
                    INT_(t->expires)));
}

static enum outcome put_link(struct writer *w, const struct link_row *l)
{
    enum outcome outcome = put(w, W_LINKS_OLD,
                               ARGS(INT_(l->made - LIMIT_LINK_KEPT_MS)));

    if (outcome != DONE)
        return outcome;
    return put(w, W_LINK,
               ARGS(INT_(l->id), HASH_(l->hash), INT_(l->purpose),
                    INT_(l->account), INT_(l->table), INT_(l->maker),
                    INT_(l->made), INT_(l->expires), INT_(l->uses),
                    TEXT_(l->email)));
}

static enum outcome link_op(struct writer *w, const struct op *op)
{
    const struct link_row *l = &op->u.link;

    switch (op->kind) {
    case OP_LINK: return put_link(w, l);
    case OP_LINK_USE:
        /* Of two who come with the last use of one the second is a
         * conflict. */
        return writer_change(w, W_LINK_USE, ARGS(INT_(l->id), INT_(l->used)));
    case OP_LINK_DROP: return put(w, W_LINK_DROP, ARGS(INT_(l->id)));
    case OP_LINKS_DROP:
        return put(w, W_LINKS_DROP,
                   ARGS(INT_(l->account), INT_(l->purpose), INT_(l->id),
                        INT_(l->made)));
    default:
        return put(w, W_LINKS_DROP_EMAIL,
                   ARGS(TEXT_(l->email), INT_(l->purpose), INT_(l->id),
                        INT_(l->made)));
    }
}

/* ---- addresses ----------------------------------------------------------- */

static enum outcome put_mailed(struct writer *w, const struct mailed_row *m)
{
    enum outcome outcome = put(w, W_MAILED_OLD,
                               ARGS(INT_(m->at - LIMIT_MAILED_DAY_MS)));

    if (outcome != DONE)
        return outcome;
    return writer_change(w, W_MAILED,
                         ARGS(HASH_(m->address), INT_(m->kind), INT_(m->at),
                              INT_(m->at - LIMIT_MAILED_PAUSE_MS),
                              INT_(m->at - LIMIT_MAILED_DAY_MS),
                              INT_(LIMIT_MAILED_DAY)));
}

/* What waits to be confirmed there waits in vain. */
static enum outcome stop_mail(struct writer *w, const struct op *op)
{
    struct sql_arg address = TEXT_(op->u.email.address);
    enum outcome outcome = put(w, W_MAIL_STOP,
                               ARGS(HASH_(op->u.email.hash),
                                    INT_(op->u.email.at)));

    if (outcome == DONE)
        outcome = put(w, W_MAIL_STOPPED, ARGS(address));
    if (outcome == DONE)
        outcome = put(w, W_MAIL_LINKS, ARGS(address));
    return outcome;
}

static enum outcome email_op(struct writer *w, const struct op *op)
{
    switch (op->kind) {
    case OP_EMAIL:
        return put(w, W_EMAIL, ARGS(INT_(op->account), TEXT_(op->u.note)));
    case OP_EMAIL_CONFIRM:
        return writer_change(w, W_EMAIL_CONFIRM,
                             ARGS(INT_(op->account),
                                  TEXT_(op->u.email.address),
                                  INT_(op->u.email.at),
                                  INT_(LIMIT_EMAIL_ACCOUNTS),
                                  HASH_(op->u.email.hash)));
    case OP_MAILED: return put_mailed(w, &op->u.mailed);
    case OP_MAIL_STOP: return stop_mail(w, op);
    case OP_MAIL_ALLOW:
        return writer_change(w, W_MAIL_ALLOW, ARGS(HASH_(op->u.email.hash)));
    default:
        return writer_change(w, W_SECRET,
                             ARGS(TEXT_(op->u.secret.name),
                                  TEXT_(op->u.secret.value)));
    }
}

/* ---- devices and second factors -------------------------------------------- */

static enum outcome put_device(struct writer *w, const struct op *op)
{
    struct sql_arg account = INT_(op->account);
    enum outcome outcome = put(w, W_DEVICE,
                               ARGS(account, HASH_(op->u.device.hash),
                                    INT_(op->u.device.at)));

    if (outcome != DONE)
        return outcome;
    return put(w, W_DEVICES_OLD, ARGS(account, INT_(LIMIT_DEVICES)));
}

static enum outcome put_totp(struct writer *w, const struct totp_row *t)
{
    enum outcome outcome =
        put(w, W_TOTP,
            ARGS(INT_(t->account), BLOB_(t->key, sizeof(t->key)),
                 INT_(t->made), INT_(t->confirmed), INT_(t->removed)));

    if (outcome != DONE)
        return outcome;
    return put(w, W_GUEST_RECOVERY, ARGS(INT_(t->account)));
}

static enum outcome drop_totp(struct writer *w, id_num account)
{
    enum outcome outcome = put(w, W_GUEST_TOTP, ARGS(INT_(account)));

    if (outcome != DONE)
        return outcome;
    return put(w, W_GUEST_RECOVERY, ARGS(INT_(account)));
}

static enum outcome put_recovery(struct writer *w, const struct op *op)
{
    enum outcome outcome = put(w, W_GUEST_RECOVERY, ARGS(INT_(op->account)));

    for (size_t i = 0; i < op->u.recovery.count && outcome == DONE; i++)
        outcome = put(w, W_RECOVERY,
                      ARGS(INT_(op->account),
                           HASH_(op->u.recovery.hashes[i])));
    return outcome;
}

static enum outcome factor_op(struct writer *w, const struct op *op)
{
    switch (op->kind) {
    case OP_DEVICE: return put_device(w, op);
    case OP_TOTP: return put_totp(w, &op->u.totp);
    case OP_TOTP_USE:
        return writer_change(w, W_TOTP_USE,
                             ARGS(INT_(op->account), INT_(op->u.totp_use.step),
                                  INT_(op->u.totp_use.made),
                                  INT_(op->u.totp_use.at)));
    case OP_TOTP_DROP: return drop_totp(w, op->account);
    case OP_RECOVERY: return put_recovery(w, op);
    default:
        return writer_change(w, W_RECOVERY_USE,
                             ARGS(INT_(op->account), HASH_(op->u.hash)));
    }
}

/* ---- blocks ----------------------------------------------------------------- */

static enum outcome block_op(struct writer *w, const struct op *op)
{
    const struct block_row *b = &op->u.block;

    switch (op->kind) {
    case OP_BLOCK:
        return writer_change(w, W_BLOCK,
                             ARGS(INT_(b->account), INT_(b->other),
                                  INT_(b->at), INT_(LIMIT_BLOCKS)));
    case OP_BLOCK_DROP:
        return put(w, W_BLOCK_DROP, ARGS(INT_(b->account), INT_(b->other)));
    default:
        return writer_there(w, W_APART,
                            ARGS(INT_(op->account), INT_(op->u.other)));
    }
}

enum outcome writer_account_op(struct writer *w, const struct op *op)
{
    const struct token_row *t = &op->u.token;

    switch (op->kind) {
    case OP_TOKEN: return put_token(w, t);
    case OP_TOKEN_DROP:
        return put(w, W_TOKEN_DROP, ARGS(INT_(t->id), INT_(t->account)));
    case OP_TOKENS_DROP:
        return put(w, W_TOKENS_DROP, ARGS(INT_(t->account), INT_(t->id)));
    case OP_LINK:
    case OP_LINK_USE:
    case OP_LINK_DROP:
    case OP_LINKS_DROP:
    case OP_LINKS_DROP_EMAIL: return link_op(w, op);
    case OP_EMAIL:
    case OP_EMAIL_CONFIRM:
    case OP_MAILED:
    case OP_MAIL_STOP:
    case OP_MAIL_ALLOW:
    case OP_SECRET: return email_op(w, op);
    case OP_DEVICE:
    case OP_TOTP:
    case OP_TOTP_USE:
    case OP_TOTP_DROP:
    case OP_RECOVERY:
    case OP_RECOVERY_USE: return factor_op(w, op);
    case OP_BLOCK:
    case OP_BLOCK_DROP:
    case OP_REQUIRE_APART: return block_op(w, op);
    default: return BUG;
    }
}

/* ---- questions ----------------------------------------------------------- */

static int read_totp(struct reader *r, struct factors *f)
{
    struct totp_row *t = &f->totp;
    id_num account = r->ask->question.u.factors.account;
    struct sql_stmt *stmt = sql_begin(r->sql, R_TOTP, ARGS(INT_(account)));

    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW) {
        *t = (struct totp_row){
            .account = account,
            .made = sql_int64(stmt, 1),
            .confirmed = sql_int64(stmt, 2),
            .removed = sql_int64(stmt, 3),
        };
        const void *key = sql_blob(stmt, 0);
        f->has_totp = sql_bytes(stmt, 0) == sizeof(t->key);
        if (f->has_totp)
            memcpy(t->key, key, sizeof(t->key));
    }
    sql_reset(stmt);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int ask_factors(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct factors *f = &r->ask->answer.factors;
    struct sql_arg account = INT_(q->u.factors.account);
    int64_t n = 0;

    int rc = sql_number(r->sql, R_DEVICE,
                        ARGS(account, HASH_(q->u.factors.device)), 0, &n);
    f->device = n > 0;
    if (rc == SQLITE_OK)
        rc = sql_number(r->sql, R_RECOVERY, ARGS(account), 0, &f->recovery);
    if (rc == SQLITE_OK)
        rc = sql_number(r->sql, R_RECOVERY_CODE,
                        ARGS(account, HASH_(q->u.factors.recovery)), 0, &n);
    f->is_recovery = n > 0;
    return rc == SQLITE_OK ? read_totp(r, f) : rc;
}

static int ask_stopped(struct reader *r)
{
    const struct question *q = &r->ask->question;
    int64_t n = 0;

    int rc = sql_number(r->sql, R_STOPPED, ARGS(HASH_(q->u.hash)), 0, &n);
    r->ask->answer.stopped = n > 0;
    return rc;
}

void column_block(struct reader *r, struct sql_stmt *stmt, struct block_row *b)
{
    *b = (struct block_row){
        .account = column_id(stmt, 0),
        .other = column_id(stmt, 1),
        .at = sql_int64(stmt, 2),
        .name = column_text(r, stmt, 3),
    };
}

/* Adds the blocks that STMT finds to A, which has room for MOST. */
static int read_blocks(struct reader *r, struct sql_stmt *stmt, size_t most)
{
    struct answer *a = &r->ask->answer;
    int rc;

    if (stmt == NULL)
        return sql_errcode(r->sql);
    if (a->blocks == NULL)
        a->blocks = region_take(r->region, (most + 1) * sizeof(*a->blocks));
    while ((rc = sql_step(stmt)) == SQLITE_ROW && a->block_count < most)
        column_block(r, stmt, &a->blocks[a->block_count++]);
    sql_reset(stmt);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* The numbers of COUNT accounts, as statements want them. */
static const char *account_numbers(struct reader *r, const id_num *accounts,
                                   size_t count)
{
    size_t most = count * 21 + 3, len = 1; /* of a number and a comma */
    char *text = region_take(r->region, most);

    text[0] = '[';
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, most - len, "%s%lld",
                                i > 0 ? "," : "", (long long)accounts[i]);
    snprintf(text + len, most - len, "]");
    return text;
}

static int ask_blocked(struct reader *r)
{
    const struct question *q = &r->ask->question;
    size_t n = q->u.blocked.count;
    struct sql_arg account = INT_(q->u.blocked.account);
    const char *others = account_numbers(r, q->u.blocked.others, n);

    int rc = read_blocks(r,
                         sql_begin(r->sql, R_BLOCKS_OF,
                                   ARGS(account, TEXT_(others))),
                         2 * n);
    if (rc == SQLITE_OK)
        rc = read_blocks(r,
                         sql_begin(r->sql, R_BLOCKS_BY,
                                   ARGS(account, TEXT_(others))),
                         2 * n);
    return rc;
}

int reader_account(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;

    switch (q->kind) {
    case ASK_EMAIL:
        return reader_accounts(r,
                               sql_begin(r->sql, R_EMAIL,
                                         ARGS(TEXT_(q->u.email))),
                               &a->accounts, &a->account_count);
    case ASK_SECRET:
        return reader_text(r, sql_begin(r->sql, R_SECRET,
                                        ARGS(TEXT_(q->u.name))));
    case ASK_STOPPED: return ask_stopped(r);
    case ASK_BLOCKS:
        return read_blocks(r,
                           sql_begin(r->sql, R_BLOCKS,
                                     ARGS(INT_(q->u.account))),
                           LIMIT_BLOCKS);
    case ASK_BLOCKED: return ask_blocked(r);
    default: return ask_factors(r);
    }
}
