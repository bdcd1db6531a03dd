/* email.c -- see email.h. */

#include "email.h"

#include <stdio.h>

#include "base32.h"
#include "inner.h"
#include "protocol/shape.h"
#include "url.h"

#define DAY_MS      (24 * 3600 * INT64_C(1000))
#define EMAIL_BYTES 254
/* What says "never": its proof, then the address. */
#define PROOF_BYTES 16
#define NEVER_BYTES (PROOF_BYTES + EMAIL_BYTES)
#define NEVER_CHARS BASE32_CHARS(NEVER_BYTES)

/* ---- addresses ----------------------------------------------------------- */

/* By what the store knows ADDRESS, whatever its case. */
static void email_hash(const struct hub *hub, const char *address,
                       uint8_t hash[SHA256_SIZE])
{
    char small[EMAIL_BYTES + 1];
    size_t n = 0;

    for (; n < EMAIL_BYTES && address[n] != '\0'; n++)
        small[n] = (char)(address[n] >= 'A' && address[n] <= 'Z'
                              ? address[n] | 0x20
                              : address[n]);
    secret_hash(hub, SECRET_ADDRESSES, "address", small, n, hash);
}

/* The address of ROW that waits to be confirmed, or NULL. */
static const char *waiting(const struct account_row *row)
{
    const char *email = row->confirmed != 0 ? row->pending : row->email;

    return email != NULL && shape_is_email(email) ? email : NULL;
}

static int64_t mails_wait(struct hub *hub, const struct request *q)
{
    struct peer *p = peer_find(hub, q->peer);
    struct source *s = p ? map_get(&hub->sources, p->info.source) : NULL;

    if (s == NULL || !peer_is_limited(hub, p))
        return 0;
    return bucket_take(&s->mails, hub->now_ms, LIMIT_MAILS_DAY,
                       DAY_MS / LIMIT_MAILS_DAY);
}

bool mails_refuse(struct hub *hub, struct request *q)
{
    int64_t wait = mails_wait(hub, q);

    if (wait == 0)
        return false;
    refuse_for(hub, q, ERR_RATE_LIMITED, wait);
    return true;
}

void email_tell(struct change *c, const struct account_row *row,
                enum account_mail mail, const char *from)
{
    if (!c->hub->config.mail || row->confirmed == 0)
        return;
    outbox_account(c, &(struct account_notice){
                          .mail = mail,
                          .account = row->id,
                          .name = row->name,
                          .to = row->email,
                          .address = from,
                      });
}

/* ---- mails that anybody may cause ------------------------------------------- */

/* One of these, until it is counted and lies in the outbox.  Nobody is told what
 * becomes of it. */
struct mailing {
    id_num account; /* 0: whose address that is */
    const char *to;
};

static void mailing_stored(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

static void put_mailed(struct change *c, enum mailed kind, const char *address)
{
    struct op *op = change_op(c, OP_MAILED);

    op->u.mailed.kind = (uint8_t)kind;
    op->u.mailed.at = c->hub->now_ms;
    email_hash(c->hub, address, op->u.mailed.address);
    c->request->conflict = ERR_FORBIDDEN; /* too many: nothing happens */
}

static void ask_keyed(struct hub *hub, struct request *q)
{
    const struct mailing *m = q->kept;
    struct change *c = change_begin(hub, q, NULL);

    put_mailed(c, MAILED_CONFIRM, m->to);
    outbox_account(c, &(struct account_notice){
                          .mail = ACCOUNT_MAIL_CONFIRM,
                          .account = m->account,
                          .to = m->to,
                      });
    change_submit(c, mailing_stored);
}

static struct request *mailing_new(struct hub *hub, const char *to)
{
    struct request *job = job_new(hub);
    struct mailing *m = job->kept = region_take(&job->region, sizeof(*m));

    m->to = region_copy(&job->region, to);
    return job;
}

static void ask_whose(struct hub *hub, id_num account, const char *address)
{
    struct request *job = mailing_new(hub, address);
    struct mailing *m = job->kept;

    m->account = account;
    secret_use(hub, job, SECRET_ADDRESSES, ask_keyed);
}

void email_ask(struct hub *hub, const struct request *q,
               const struct account_row *row, const char *address)
{
    if (hub->config.mail && shape_is_email(address) && mails_wait(hub, q) == 0)
        ask_whose(hub, row->id, address);
}

/* ---- a link that sets a password ---------------------------------------------- */

/* The same is stored whether anybody has the address or not, but for the mail. */
static void reset_known(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    const struct mailing *m = q->kept;
    const struct account_row *row = answer->accounts;
    struct change *c = change_begin(hub, q, NULL);

    put_mailed(c, MAILED_RESET, m->to);
    if (answer->account_count > 0)
        outbox_account(c, &(struct account_notice){
                              .mail = ACCOUNT_MAIL_RESET,
                              .account = row->id,
                              .name = answer->account_count == 1 ? row->name
                                                                 : NULL,
                              .to = row->email,
                          });
    change_submit(c, mailing_stored);
}

static void reset_keyed(struct hub *hub, struct request *q)
{
    const struct mailing *m = q->kept;
    struct question ask = {.kind = ASK_EMAIL, .u.email = m->to};

    hub_ask(hub, q, &ask, reset_known);
}

/* Who asks is answered before anything is looked up. */
void handle_account_reset_send(struct hub *hub, struct request *q)
{
    if (!hub->config.mail) {
        refuse(hub, q, ERR_NO_MAIL);
        return;
    }
    if (mails_refuse(hub, q))
        return;
    struct request *job = mailing_new(hub, param_text(q, "email"));
    journal(hub, q, LOG_INFO, "password_reset_asked");
    result_empty(hub, q);
    secret_use(hub, job, SECRET_ADDRESSES, reset_keyed);
}

/* ---- an address of one's own ---------------------------------------------------- */

static void email_set(struct hub *hub, struct request *q)
{
    struct account_row *row = q->kept;
    const char *email = json_string_value(param(q, "email"));

    journal(hub, q, LOG_INFO, email != NULL ? "email_set" : "email_removed",
            log_text("user", q->name));
    outbox_changed(hub, row->id);
    if (email != NULL &&
        (row->confirmed == 0 || strcmp(row->email, email) != 0))
        email_ask(hub, q, row, email);
    result_empty(hub, q);
}

static void set_proven(struct hub *hub, struct request *q)
{
    struct account_row *row = q->kept;

    login_forgiven(hub, q, q->name);
    struct change *c = change_begin(hub, q, NULL);
    account_still(c, row);
    q->conflict = ERR_BAD_CREDENTIALS;
    struct op *op = change_op(c, OP_EMAIL);
    op->account = row->id;
    op->u.note = change_text(c, json_string_value(param(q, "email")));
    if (op->u.note == NULL)
        email_tell(c, row, ACCOUNT_MAIL_CHANGED, NULL);
    change_submit(c, email_set);
}

static void set_compared(struct hub *hub, struct request *q, const char *hash,
                         bool fits)
{
    (void)hash;
    if (fits) {
        set_proven(hub, q);
        return;
    }
    journal_login(hub, q, LOGIN_FAILED, q->name, "bad_password");
    refuse(hub, q, ERR_BAD_CREDENTIALS);
}

static void set_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    if (!user_keep(hub, q, answer))
        return;
    struct account_row *row = user_of(q);
    if (row->kind == ACCOUNT_GUEST)
        refuse(hub, q, ERR_IS_A_GUEST);
    else if (row->password == NULL && param(q, "password") == NULL &&
             account_is_owner(hub, q))
        set_proven(hub, q); /* who comes by a proxy has none to say */
    else
        hash_or_refuse(hub, q, HASH_LOGIN, "password", row->password,
                       set_compared);
}

static void ask_self(struct hub *hub, struct request *q, answered_cb then)
{
    struct question ask = {.kind = ASK_ACCOUNT, .u.account = q->account};
    hub_ask(hub, q, &ask, then);
}

void handle_account_email_set(struct hub *hub, struct request *q)
{
    if (!login_refuse(hub, q, q->name))
        ask_self(hub, q, set_found);
}

static void send_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    if (!user_keep(hub, q, answer))
        return;
    const char *address = waiting(user_of(q));
    if (address == NULL) {
        refuse(hub, q, ERR_NO_EMAIL);
    } else if (!mails_refuse(hub, q)) {
        ask_whose(hub, q->account, address);
        result_empty(hub, q);
    }
}

void handle_account_email_send(struct hub *hub, struct request *q)
{
    if (hub->config.mail)
        ask_self(hub, q, send_found);
    else
        refuse(hub, q, ERR_NO_MAIL);
}

/* ---- confirmed -------------------------------------------------------------------- */

struct confirmation {
    id_num link;
    const char *email;
    struct account_row account;
};

static void confirmed(struct hub *hub, struct request *q)
{
    const struct confirmation *k = q->kept;

    outbox_changed(hub, k->account.id);
    journal(hub, q, LOG_INFO, "email_confirmed",
            log_text("user", k->account.name));
    struct json_out *o = result_begin(hub, q);
    account_write(o, &k->account);
    result_end(hub, q);
}

static void confirm_keyed(struct hub *hub, struct request *q)
{
    const struct confirmation *k = q->kept;
    struct change *c = change_begin(hub, q, NULL);

    link_use(c, k->link);
    struct op *op = change_op(c, OP_EMAIL_CONFIRM);
    op->account = k->account.id;
    op->u.email.address = change_text(c, k->email);
    op->u.email.at = hub->now_ms;
    email_hash(hub, k->email, op->u.email.hash);
    if (k->account.confirmed != 0 && strcmp(k->account.email, k->email) != 0)
        email_tell(c, &k->account, ACCOUNT_MAIL_CHANGED, NULL);
    q->conflict = ERR_LINK_USED;
    change_submit(c, confirmed);
}

static void confirm_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    enum error e = link_judge(hub, answer, LINK_CONFIRM);

    if (e == ERR_NONE &&
        (answer->account_count != 1 || answer->links->email == NULL ||
         answer->accounts->kind != ACCOUNT_USER))
        e = ERR_NO_SUCH_LINK;
    if (e != ERR_NONE) {
        journal(hub, q, LOG_INFO, "email_confirm_failed",
                log_text("reason", error_reason(e)));
        refuse(hub, q, e);
        return;
    }
    struct confirmation *k = q->kept = region_take(&q->region, sizeof(*k));
    k->link = answer->links->id;
    k->email = region_copy(&q->region, answer->links->email);
    account_copy(q, &k->account, answer->accounts);
    login_forgiven(hub, q, NULL);
    secret_use(hub, q, SECRET_ADDRESSES, confirm_keyed);
}

void handle_account_email_confirm(struct hub *hub, struct request *q)
{
    if (!login_refuse(hub, q, NULL))
        link_find(hub, q, param_text(q, "code"), confirm_found);
}

/* ---- never again ------------------------------------------------------------------ */

/* What says that nothing is to be sent to ADDRESS any more, for as long as the
 * mail is kept: so it is not stored, but can be made by nobody else. */
static void never_write(const struct hub *hub, const char *address,
                        char code[NEVER_CHARS + 1])
{
    uint8_t proof[SHA256_SIZE], bytes[NEVER_BYTES];
    size_t len = strlen(address);

    ASSERT(len <= EMAIL_BYTES);
    secret_hash(hub, SECRET_ADDRESSES, "never", address, len, proof);
    memcpy(bytes, proof, PROOF_BYTES);
    memcpy(bytes + PROOF_BYTES, address, len);
    base32_write(code, bytes, PROOF_BYTES + len, false);
}

/* The address that CODE is about, in Q's region; or NULL if it is none.  How long
 * comparing takes tells nothing: both sides are hashed. */
static const char *never_read(const struct hub *hub, struct request *q,
                              const char *code)
{
    uint8_t bytes[NEVER_BYTES], proof[SHA256_SIZE];
    uint8_t given[SHA256_SIZE], wanted[SHA256_SIZE];
    int64_t n = base32_read(bytes, sizeof(bytes), code);

    if (n <= PROOF_BYTES)
        return NULL;
    char *address = region_text(&q->region, (char *)bytes + PROOF_BYTES,
                                (size_t)n - PROOF_BYTES);
    secret_hash(hub, SECRET_ADDRESSES, "never", address,
                (size_t)n - PROOF_BYTES, proof);
    sha256(bytes, PROOF_BYTES, given);
    sha256(proof, PROOF_BYTES, wanted);
    return memcmp(given, wanted, sizeof(given)) == 0 ? address : NULL;
}

static void never_stored(struct hub *hub, struct request *q)
{
    journal(hub, q, LOG_INFO, "mail_stopped");
    result_empty(hub, q);
}

static void stop(struct hub *hub, struct request *q, const char *address)
{
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_MAIL_STOP);

    op->u.email.address = change_text(c, address);
    op->u.email.at = hub->now_ms;
    email_hash(hub, address, op->u.email.hash);
    change_submit(c, never_stored);
}

static void never_keyed(struct hub *hub, struct request *q)
{
    const char *address = never_read(hub, q, param_text(q, "code"));

    if (address == NULL) {
        journal(hub, q, LOG_INFO, "mail_stop_failed",
                log_text("reason", error_reason(ERR_NO_SUCH_LINK)));
        refuse(hub, q, ERR_NO_SUCH_LINK);
        return;
    }
    login_forgiven(hub, q, NULL);
    stop(hub, q, address);
}

void handle_account_email_never(struct hub *hub, struct request *q)
{
    if (!login_refuse(hub, q, NULL))
        secret_use(hub, q, SECRET_ADDRESSES, never_keyed);
}

static void allowed(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

static void allow_keyed(struct hub *hub, struct request *q)
{
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_MAIL_ALLOW);

    email_hash(hub, param_text(q, "email"), op->u.email.hash);
    q->conflict = ERR_MAIL_ALLOWED;
    audit_put(c, q, 0, 0);
    change_submit(c, allowed);
}

void handle_admin_mail_allow(struct hub *hub, struct request *q)
{
    secret_use(hub, q, SECRET_ADDRESSES, allow_keyed);
}

/* ---- links ------------------------------------------------------------------------- */

/* How long the link of such a MAIL is good; 0: it has none. */
static int64_t life_of(enum account_mail mail)
{
    return mail == ACCOUNT_MAIL_CONFIRM ? LIMIT_CONFIRM_MS
           : mail == ACCOUNT_MAIL_RESET ? LIMIT_RESET_MAIL_MS
                                        : 0;
}

static struct account_notice *notice_of(const struct request *q)
{
    return q->mail.notice;
}

static const char *url_of(struct hub *hub, struct request *q,
                          const char *purpose, const char *code)
{
    const char *url = hub->config.url != NULL ? hub->config.url : "";
    char *path = region_take(&q->region, strlen(purpose) + 3);

    (void)sprintf(path, "#%s/", purpose);
    return url_below(&q->region, url, path, code);
}

static void links_stored(struct hub *hub, struct request *q)
{
    q->mail.then(hub, q);
}

/* Those of earlier mails go; those of this one, which were made when it was tried
 * before, may have arrived. */
static void drop_older(struct change *c, const struct link_row *l)
{
    bool confirm = l->purpose == LINK_CONFIRM;
    struct op *op = change_op(c,
                              confirm ? OP_LINKS_DROP : OP_LINKS_DROP_EMAIL);

    op->account = l->account;
    op->u.link.account = l->account;
    op->u.link.purpose = l->purpose;
    op->u.link.email = change_text(c, l->email);
    op->u.link.made = c->request->mail.made_ms;
}

static void make_link(struct hub *hub, struct request *q)
{
    struct account_notice *n = notice_of(q);
    bool confirm = n->mail == ACCOUNT_MAIL_CONFIRM;
    char code[TOKEN_CHARS + 1], never[NEVER_CHARS + 1];
    struct change *c = change_begin(hub, q, NULL);
    struct link_row l = {
        .id = random_id(hub),
        .purpose = confirm ? LINK_CONFIRM : LINK_RESET,
        .account = confirm ? n->account : 0,
        .made = hub->now_ms,
        .expires = hub->now_ms + life_of(n->mail),
        .uses = 1,
        .email = change_text(c, n->to),
    };

    token_random(hub, code, TOKEN_CHARS);
    sha256(code, TOKEN_CHARS, l.hash);
    drop_older(c, &l);
    struct op *op = change_op(c, OP_LINK);
    op->account = l.account;
    op->u.link = l;
    n->link = url_of(hub, q, link_purposes[l.purpose], code);
    if (confirm) {
        never_write(hub, n->to, never);
        n->refuse_link = url_of(hub, q, "never", never);
    }
    change_submit(c, links_stored);
}

static void do_not_send(struct hub *hub, struct request *q)
{
    notice_of(q)->to = NULL;
    q->mail.then(hub, q);
}

/* Whether the account, or one of them, still has the address, or still waits for
 * it. */
static void owner_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    const struct account_notice *n = notice_of(q);
    const char *address = NULL;

    if (answer->account_count > 0)
        address = n->mail == ACCOUNT_MAIL_CONFIRM ? waiting(answer->accounts)
                                                  : answer->accounts->email;
    if (address != NULL && strcmp(address, n->to) == 0)
        make_link(hub, q);
    else
        do_not_send(hub, q);
}

static void stopped_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    const struct account_notice *n = notice_of(q);
    struct question ask = {.kind = ASK_ACCOUNT, .u.account = n->account};

    if (n->mail == ACCOUNT_MAIL_RESET)
        ask = (struct question){.kind = ASK_EMAIL, .u.email = n->to};
    if (answer->stopped)
        do_not_send(hub, q);
    else if (life_of(n->mail) == 0)
        q->mail.then(hub, q);
    else
        hub_ask(hub, q, &ask, owner_found);
}

static void links_keyed(struct hub *hub, struct request *q)
{
    struct question ask = {.kind = ASK_STOPPED};

    email_hash(hub, notice_of(q)->to, ask.u.hash);
    hub_ask(hub, q, &ask, stopped_found);
}

void email_links(struct hub *hub, struct request *q, struct account_notice *n,
                 int64_t made_ms, handler then)
{
    int64_t life_ms = life_of(n->mail);

    q->mail.notice = n;
    q->mail.made_ms = made_ms;
    q->mail.then = then;
    if (life_ms != 0 && made_ms + life_ms <= hub->now_ms)
        do_not_send(hub,
                    q); /* who asked for it has asked again, or given up */
    else
        secret_use(hub, q, SECRET_ADDRESSES, links_keyed);
}
