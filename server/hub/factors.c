/* factors.c -- second factors: begun, confirmed, asked for, taken away.
 *
 *     begin    -> a key is stored, and asked for by nobody yet
 *     confirm  -> a code of it is right: it is on, and there are codes for
 *                 recovery, of which only hashes are stored
 *     log-in   -> password, then a code; the transaction of the session uses it
 *                 up, so it is good once, even if two come with it
 *
 * Who guesses codes knows the password already; they are slowed by account,
 * from wherever they come. */

#include "factors.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/sbuf.h"
#include "inner.h"
#include "protocol/sbuf_printf.h"

#define URI_SIZE 512

/* ---- how often one may be wrong --------------------------------------------- */

struct bucket *account_bucket(struct map *map, id_num account)
{
    struct account_bucket *b = map_get(map, account);

    if (b == NULL) {
        b = calloc(1, sizeof(*b));
        ASSERT(b != NULL);
        b->account = account;
        map_put(map, account, b);
    }
    return &b->bucket;
}

void account_buckets_forget(struct map *map, int64_t now_ms, int64_t full_ms)
{
    size_t at = 0;
    struct account_bucket *b;

    while ((b = map_next(map, &at)) != NULL) {
        if (now_ms < b->bucket.at_ms + full_ms)
            continue;
        free(map_take(map, b->account));
        at--; /* another may have moved here */
    }
}

static bool too_many_codes(struct hub *hub, struct request *q, id_num account)
{
    int64_t wait = bucket_take(account_bucket(&hub->codes, account),
                               hub->now_ms, LIMIT_CODES_BURST, LIMIT_CODES_MS);

    if (wait == 0)
        return false;
    refuse_for(hub, q, ERR_RATE_LIMITED, wait);
    return true;
}

void factor_forgiven(struct hub *hub, id_num account)
{
    account_bucket(&hub->codes, account)->left_ms += LIMIT_CODES_MS;
}

/* ---- codes ------------------------------------------------------------------- */

void factors_ask(struct hub *hub, struct request *q, id_num account,
                 answered_cb then)
{
    const char *device = param_text(q, "device");
    struct factor_code code = factor_code_read(param_text(q, "code"));
    struct question ask = {.kind = ASK_FACTORS};

    ask.u.factors.account = account;
    sha256(device, strlen(device), ask.u.factors.device);
    memcpy(ask.u.factors.recovery, code.recovery, SHA256_SIZE);
    hub_ask(hub, q, &ask, then);
}

bool factors_on(const struct factors *f)
{
    return f->has_totp && f->totp.confirmed != 0 && f->totp.removed == 0;
}

/* What CODE is good for. */
static struct factor_use use_of(const struct hub *hub, const char *code,
                                const struct factors *f)
{
    struct factor_code typed = factor_code_read(code);
    struct factor_use use = {.by = FACTOR_NONE, .made = f->totp.made};

    if (typed.is_totp)
        use.step = totp_step(f->totp.key, typed.digits, hub->now_ms);
    if (use.step != 0)
        use.by = FACTOR_TOTP;
    if (!typed.is_recovery || !f->is_recovery)
        return use;
    use.by = FACTOR_RECOVERY;
    memcpy(use.recovery, typed.recovery, SHA256_SIZE);
    return use;
}

bool factor_judge(struct hub *hub, struct request *q, id_num account,
                  const char *name, const struct factors *f,
                  struct factor_use *use)
{
    if (too_many_codes(hub, q, account))
        return false;
    *use = use_of(hub, param_text(q, "code"), f);
    if (use->by != FACTOR_NONE)
        return true;
    journal_login(hub, q, LOGIN_FAILED, name, "bad_code");
    refuse(hub, q, ERR_BAD_CODE);
    return false;
}

void factor_put(struct change *c, id_num account, const struct factor_use *use)
{
    struct op *op;

    if (use->by == FACTOR_NONE)
        return;
    c->request->conflict = ERR_BAD_CODE;
    op = change_op(c, use->by == FACTOR_TOTP ? OP_TOTP_USE : OP_RECOVERY_USE);
    op->account = account;
    if (use->by == FACTOR_RECOVERY) {
        memcpy(op->u.hash, use->recovery, SHA256_SIZE);
        return;
    }
    op->u.totp_use.step = use->step;
    op->u.totp_use.made = use->made;
    op->u.totp_use.at = c->hub->now_ms;
}

void factors_write(struct json_out *o, const struct factors *f)
{
    out_object(o, "totp");
    out_bool(o, "on", factors_on(f));
    out_int(o, "recovery", f->recovery);
    if (f->has_totp && f->totp.removed != 0)
        out_int(o, "removed", f->totp.removed);
    else
        out_null(o, "removed");
    out_end(o);
}

/* ---- one's own ----------------------------------------------------------------- */

/* What is kept while somebody changes theirs. */
struct factoring {
    struct account_row account;
    answered_cb then; /* when the password is right and the factors known */
    uint8_t key[TOTP_KEY_BYTES];
    char codes[RECOVERY_CODES][RECOVERY_CHARS + 1];
};

static struct factoring *factoring_of(const struct request *q)
{
    return q->kept;
}

static void self_compared(struct hub *hub, struct request *q, const char *hash,
                          bool fits)
{
    struct factoring *k = factoring_of(q);

    (void)hash;
    if (!fits) {
        journal_login(hub, q, LOGIN_FAILED, q->name, "bad_password");
        refuse(hub, q, ERR_BAD_CREDENTIALS);
        return;
    }
    login_forgiven(hub, q, q->name);
    factors_ask(hub, q, k->account.id, k->then);
}

static void self_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct factoring *k = factoring_of(q);

    if (!user_found(hub, q, answer))
        return;
    account_copy(q, &k->account, answer->accounts);
    if (k->account.kind == ACCOUNT_GUEST)
        refuse(hub, q, ERR_IS_A_GUEST);
    else
        hash_or_refuse(hub, q, HASH_LOGIN, "password", k->account.password,
                       self_compared);
}

/* Goes on with THEN if Q's `password` is that of who asks. */
static void with_password(struct hub *hub, struct request *q, answered_cb then)
{
    struct question ask = {.kind = ASK_ACCOUNT, .u.account = q->account};
    struct factoring *k = q->kept = region_take(&q->region, sizeof(*k));

    k->then = then;
    if (!login_refuse(hub, q, q->name))
        hub_ask(hub, q, &ask, self_found);
}

/* NAME as part of an address. */
static void put_escaped(struct sbuf *s, const char *name)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
                                "qrstuvwxyz0123456789-._~";

    for (; *name != '\0'; name++)
        sbuf_printf(s, strchr(plain, *name) != NULL ? "%c" : "%%%02X",
                    (unsigned char)*name);
}

/* As authenticators read it: github.com/google/google-authenticator/wiki. */
static void uri_of(const struct hub *hub, const char *user, const char *key,
                   char uri[URI_SIZE])
{
    struct sbuf s = sbuf_in(uri, URI_SIZE);

    sbuf_puts(&s, "otpauth://totp/");
    put_escaped(&s, hub->config.server_name);
    sbuf_puts(&s, ":");
    put_escaped(&s, user);
    sbuf_printf(&s, "?secret=%s&issuer=", key);
    put_escaped(&s, hub->config.server_name);
}

static void begun(struct hub *hub, struct request *q)
{
    const struct factoring *k = factoring_of(q);
    char key[TOTP_KEY_CHARS + 1], uri[URI_SIZE];

    totp_key_text(k->key, key);
    uri_of(hub, k->account.name, key, uri);
    struct json_out *o = result_begin(hub, q);
    out_string(o, "key", key);
    out_string(o, "uri", uri);
    result_end(hub, q);
}

static void begin_known(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct factoring *k = factoring_of(q);

    if (factors_on(&answer->factors)) {
        refuse(hub, q, ERR_TOTP_ON);
        return;
    }
    hub->host->random(hub->host, k->key, sizeof(k->key));
    struct change *c = change_begin(hub, q, NULL);
    account_still(c, &k->account);
    q->conflict = ERR_BAD_CREDENTIALS;
    struct op *op = change_op(c, OP_TOTP);
    op->account = op->u.totp.account = k->account.id;
    op->u.totp.made = hub->now_ms;
    memcpy(op->u.totp.key, k->key, sizeof(k->key));
    change_submit(c, begun);
}

void handle_account_totp_begin(struct hub *hub, struct request *q)
{
    with_password(hub, q, begin_known);
}

/* New codes for recovery in C; their texts are kept for the answer alone. */
static void put_recovery(struct change *c, id_num account)
{
    struct factoring *k = factoring_of(c->request);
    struct op *op = change_op(c, OP_RECOVERY);
    uint8_t(*hashes)[SHA256_SIZE] =
        region_take(&c->transaction.region, RECOVERY_CODES * sizeof(*hashes));

    op->account = account;
    op->u.recovery.hashes = hashes;
    op->u.recovery.count = RECOVERY_CODES;
    for (int i = 0; i < RECOVERY_CODES; i++) {
        token_random(c->hub, k->codes[i], RECOVERY_CHARS);
        sha256(k->codes[i], RECOVERY_CHARS, hashes[i]);
    }
}

/* In groups of four, as people copy them. */
static void write_recovery(struct hub *hub, struct request *q)
{
    const struct factoring *k = factoring_of(q);
    struct json_out *o = result_begin(hub, q);

    factor_forgiven(hub, q->account);
    out_list(o, "recovery");
    for (int i = 0; i < RECOVERY_CODES; i++) {
        char text[RECOVERY_CHARS + 4];
        const char *c = k->codes[i];
        (void)snprintf(text, sizeof(text), "%.4s-%.4s-%.4s-%.4s", c, c + 4,
                       c + 8, c + 12);
        out_string(o, NULL, text);
    }
    out_end(o);
    result_end(hub, q);
}

static void on(struct hub *hub, struct request *q)
{
    journal(hub, q, LOG_INFO, "totp_on", log_text("user", q->name));
    write_recovery(hub, q);
}

static void confirm_known(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    const struct factors *f = &answer->factors;
    struct factor_use use;

    if (!f->has_totp || f->totp.removed != 0) {
        refuse(hub, q, ERR_TOTP_OFF);
    } else if (f->totp.confirmed != 0) {
        refuse(hub, q, ERR_TOTP_ON);
    } else if (factor_judge(hub, q, q->account, q->name, f, &use)) {
        struct change *c = change_begin(hub, q, NULL);
        factor_put(c, q->account, &use);
        put_recovery(c, q->account);
        change_submit(c, on);
    }
}

void handle_account_totp_confirm(struct hub *hub, struct request *q)
{
    q->kept = region_take(&q->region, sizeof(struct factoring));
    factors_ask(hub, q, q->account, confirm_known);
}

/* A change of Q's account that its `code` is used up for; NULL if Q was
 * refused. */
static struct change *change_by_code(struct hub *hub, struct request *q,
                                     const struct answer *answer)
{
    struct factoring *k = factoring_of(q);
    struct factor_use use;

    if (!factors_on(&answer->factors)) {
        refuse(hub, q, ERR_TOTP_OFF);
        return NULL;
    }
    if (!factor_judge(hub, q, q->account, q->name, &answer->factors, &use))
        return NULL;
    struct change *c = change_begin(hub, q, NULL);
    account_still(c, &k->account);
    factor_put(c, k->account.id, &use);
    return c;
}

static void recovery_known(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    struct change *c = change_by_code(hub, q, answer);

    if (c == NULL)
        return;
    put_recovery(c, q->account);
    change_submit(c, write_recovery);
}

void handle_account_totp_recovery(struct hub *hub, struct request *q)
{
    with_password(hub, q, recovery_known);
}

static void off(struct hub *hub, struct request *q)
{
    factor_forgiven(hub, q->account);
    journal(hub, q, LOG_INFO, "totp_off", log_text("user", q->name));
    result_empty(hub, q);
}

static void remove_known(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct change *c = change_by_code(hub, q, answer);

    if (c == NULL)
        return;
    change_op(c, OP_TOTP_DROP)->account = q->account;
    change_submit(c, off);
}

void handle_account_totp_remove(struct hub *hub, struct request *q)
{
    with_password(hub, q, remove_known);
}

/* ---- the administrator's --------------------------------------------------------- */

static void removed(struct hub *hub, struct request *q)
{
    id_num account = user_of(q)->id;
    struct peer *p;
    size_t at = 0;

    while ((p = map_next(&hub->peers, &at)) != NULL) {
        if (p->account == NULL || p->account->id != account)
            continue;
        struct json_out *o = notice_begin(hub, "broadcast");
        out_string(o, "text",
                   "Whoever runs this server has taken your second factor"
                   " away: a log-in needs your password alone.");
        notice_end(hub, p);
    }
    result_empty(hub, q);
}

static void removal_known(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    const struct factors *f = &answer->factors;
    const struct account_row *row = user_of(q);

    if (!f->has_totp || f->totp.removed != 0) {
        refuse(hub, q, ERR_TOTP_OFF);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_TOTP);
    op->account = op->u.totp.account = row->id;
    op->u.totp.made = f->totp.made;
    op->u.totp.removed = hub->now_ms;
    email_tell(c, row, ACCOUNT_MAIL_TOTP, NULL);
    audit_put(c, q, 0, row->id);
    change_submit(c, removed);
}

static void removal_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    if (user_keep(hub, q, answer))
        factors_ask(hub, q, user_of(q)->id, removal_known);
}

void handle_admin_users_totp_remove(struct hub *hub, struct request *q)
{
    user_find(hub, q, removal_found);
}
