/* account.c -- accounts: made, kept, looked up, their passwords changed. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

#define DAY_MS (24 * 3600 * INT64_C(1000))

void account_put(struct change *c, const struct account_row *row)
{
    struct op *op = change_op(c, OP_ACCOUNT);

    op->account = row->id;
    op->u.account_row = *row;
    op->u.account_row.name = change_text(c, row->name);
    op->u.account_row.password = change_text(c, row->password);
    op->u.account_row.email = change_text(c, row->email);
}

void account_still(struct change *c, const struct account_row *row)
{
    struct op *op = change_op(c, OP_REQUIRE_ACCOUNT);

    op->account = row->id;
    op->u.account_row = *row;
    op->u.account_row.name = op->u.account_row.email = NULL;
    op->u.account_row.password = change_text(c, row->password);
}

size_t account_cut(struct hub *hub, id_num account, peer_id but)
{
    const struct account *a = map_get(&hub->accounts, account);
    struct peer *p = a != NULL ? a->here : NULL;
    size_t cut = 0;

    hub->revoked++;
    while (p != NULL) {
        struct peer *next = p->next_here;
        if (p->id != but) {
            peer_drop(hub, p, DROP_POLICY);
            cut++;
        }
        p = next;
    }
    return cut;
}

bool account_is_owner(const struct hub *hub, const struct request *q)
{
    const struct peer *p = peer_find(hub, q->peer);

    return p != NULL && p->scopes == ALL_SCOPES;
}

/* Keeps a copy of ROW with Q. */
void account_copy(struct request *q, struct account_row *kept,
                  const struct account_row *row)
{
    *kept = *row;
    kept->name = region_copy(&q->region, row->name);
    kept->password = region_copy(&q->region, row->password);
    kept->email = region_copy(&q->region, row->email);
    kept->pending = region_copy(&q->region, row->pending);
    kept->banned_reason = region_copy(&q->region, row->banned_reason);
}

void ban_write(struct json_out *o, const struct account_row *row)
{
    if (row->banned_until == BANNED_FOR_GOOD)
        out_null(o, "until");
    else
        out_int(o, "until", row->banned_until);
    if (row->banned_reason == NULL)
        out_null(o, "why");
    else
        out_string(o, "why", row->banned_reason);
}

void account_write(struct json_out *o, const struct account_row *row)
{
    user_write(o, "user", row);
}

void user_write(struct json_out *o, const char *key,
                const struct account_row *row)
{
    char id[ID_SIZE];

    id_write(row->id, id);
    out_object(o, key);
    out_string(o, "id", id);
    out_string(o, "name", row->name);
    out_bool(o, "guest", row->kind == ACCOUNT_GUEST);
    if (row->kind == ACCOUNT_BOT)
        out_bool(o, "bot", true);
    out_end(o);
}

void account_called(struct hub *hub, const struct account_row *row,
                    peer_id but)
{
    struct account *a = map_get(&hub->accounts, row->id);
    char text[64];

    if (a == NULL)
        return; /* nobody is logged in as it */
    snprintf(a->name, sizeof(a->name), "%s", row->name);
    snprintf(text, sizeof(text), "You are %s from now on.", row->name);
    for (const struct peer *p = a->here; p != NULL; p = p->next_here) {
        if (p->id == but)
            continue;
        struct json_out *o = notice_begin(hub, "broadcast");
        out_string(o, "text", text);
        account_write(o, row);
        notice_end(hub, p);
    }
}

void account_renamed(struct hub *hub, const struct account_row *row,
                     peer_id but)
{
    maintenance_rename(hub, row->id, row->name);
    account_called(hub, row, but);
}

/* ---- new ones ----------------------------------------------------------- */

/* Whether one more account may come from where Q comes from. */
static bool may_make(struct hub *hub, struct request *q)
{
    struct peer *p = peer_find(hub, q->peer);
    struct source *s = p ? map_get(&hub->sources, p->info.source) : NULL;

    if (s == NULL || !peer_is_limited(hub, p))
        return true;
    int64_t most = hub->config.accounts_day != 0 ? hub->config.accounts_day
                                                 : LIMIT_ACCOUNTS_DAY;
    int64_t wait = bucket_take(&s->accounts, hub->now_ms, most, DAY_MS / most);
    if (wait == 0)
        return true;
    refuse_for(hub, q, ERR_TOO_MANY_ACCOUNTS, wait);
    return false;
}

static void register_hashed(struct hub *hub, struct request *q,
                            const char *hash, bool fits)
{
    struct entrance *e = entrance_of(q);
    (void)fits;
    if (hash == NULL) {
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    e->account.password = region_text(&q->region, hash, strlen(hash));
    session_enter(change_begin(hub, q, NULL));
}

static const char *param_or_null(const struct request *q, const char *name)
{
    return json_string_value(param(q, name));
}

/* Whether TEXT is the operator's invitation; how long that takes says nothing
 * of how much of it is right. */
static bool is_invitation(const struct hub *hub, const char *text)
{
    uint8_t given[SHA256_SIZE], wanted[SHA256_SIZE];
    const char *invitation = hub->config.invitation;

    if (invitation == NULL || invitation[0] == '\0')
        return false;
    sha256(text, strlen(text), given);
    sha256(invitation, strlen(invitation), wanted);
    return memcmp(given, wanted, sizeof(given)) == 0;
}

static void invited_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    enum error e = link_judge(hub, answer, LINK_REGISTER);

    if (e != ERR_NONE) {
        journal(hub, q, LOG_INFO, "invitation_failed",
                log_text("reason", e == ERR_NO_SUCH_LINK ? "no_such_code"
                                                         : error_reason(e)));
        refuse(hub, q, e == ERR_NO_SUCH_LINK ? ERR_NOT_INVITED : e);
        return;
    }
    login_forgiven(hub, q, NULL);
    entrance_of(q)->link = answer->links->id;
    entrance_of(q)->admitted(hub, q);
}

/* Goes on with THEN if Q may make an account that stays: anybody, who was
 * invited, by the operator's code or by a link, or nobody, as the operator wants
 * it. */
static void admit(struct hub *hub, struct request *q, handler then)
{
    const char *invite = param_or_null(q, "invite");

    if (hub->config.registration == REGISTRATION_OPEN) {
        then(hub, q);
    } else if (hub->config.registration == REGISTRATION_CLOSED) {
        refuse(hub, q, ERR_REGISTRATION_CLOSED);
    } else if (invite == NULL) {
        refuse(hub, q, ERR_NOT_INVITED);
    } else if (login_refuse(hub, q, NULL)) {
        return; /* too many guesses */
    } else if (is_invitation(hub, invite)) {
        login_forgiven(hub, q, NULL);
        then(hub, q);
    } else {
        entrance_of(q)->admitted = then;
        link_find(hub, q, invite, invited_found);
    }
}

static void register_admitted(struct hub *hub, struct request *q)
{
    struct entrance *e = entrance_of(q);

    if (!may_make(hub, q))
        return;
    if (bots_name(param_text(q, "name"))) {
        refuse(hub, q, ERR_NAME_TAKEN);
        return;
    }
    e->made = true;
    e->account = (struct account_row){
        .id = random_id(hub),
        .kind = ACCOUNT_USER,
        .name = param_text(q, "name"),
        .email = param_or_null(q, "email"),
        .created = hub->now_ms,
        .seen = hub->now_ms,
    };
    hash_or_refuse(hub, q, HASH_NEW, "password", NULL, register_hashed);
}

void handle_account_register(struct hub *hub, struct request *q)
{
    if (!session_refuse_second(hub, q))
        admit(hub, q, register_admitted);
}

void handle_account_guest(struct hub *hub, struct request *q)
{
    struct entrance *e = entrance_of(q);
    char digits[9], *name = region_take(&q->region, 25);

    if (session_refuse_second(hub, q))
        return;
    if (!hub->config.guests) {
        refuse(hub, q, ERR_REGISTRATION_CLOSED);
        return;
    }
    if (!may_make(hub, q))
        return;
    token_random(hub, digits, 8);
    snprintf(name, 25, "guest-%s", digits);
    e->made = true;
    e->account = (struct account_row){
        .id = random_id(hub),
        .kind = ACCOUNT_GUEST,
        .name = name,
        .created = hub->now_ms,
        .seen = hub->now_ms,
    };
    session_enter(change_begin(hub, q, NULL));
}

/* ---- an account's own affairs ------------------------------------------ */

static void kept_stored(struct hub *hub, struct request *q)
{
    struct entrance *e = entrance_of(q);

    hub->counts.registered++;
    journal(hub, q, LOG_INFO, "registered", log_text("user", e->account.name),
            log_text("was", q->name));
    account_renamed(hub, &e->account, q->peer);
    if (e->account.email != NULL)
        email_ask(hub, q, &e->account, e->account.email);
    struct json_out *o = result_begin(hub, q);
    account_write(o, &e->account);
    result_end(hub, q);
}

static void keep_hashed(struct hub *hub, struct request *q, const char *hash,
                        bool fits)
{
    struct entrance *e = entrance_of(q);

    (void)fits;
    if (hash == NULL) {
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    account_still(c, &e->account);
    e->account.kind = ACCOUNT_USER;
    e->account.name = param_text(q, "name");
    e->account.email = param_or_null(q, "email");
    e->account.password = region_text(&q->region, hash, strlen(hash));
    account_put(c, &e->account);
    if (e->link != 0)
        link_use(c, e->link);
    q->conflict = ERR_NAME_TAKEN;
    change_submit(c, kept_stored);
}

static void keep_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct entrance *e = entrance_of(q);

    if (answer->account_count != 1 ||
        answer->accounts->kind != ACCOUNT_GUEST) {
        refuse(hub, q, ERR_NOT_A_GUEST);
        return;
    }
    account_copy(q, &e->account, answer->accounts);
    hash_or_refuse(hub, q, HASH_NEW, "password", NULL, keep_hashed);
}

void account_ask_self(struct hub *hub, struct request *q, answered_cb then)
{
    struct question ask = {.kind = ASK_ACCOUNT, .u.account = q->account};
    hub_ask(hub, q, &ask, then);
}

static void keep_admitted(struct hub *hub, struct request *q)
{
    account_ask_self(hub, q, keep_found);
}

void handle_account_keep(struct hub *hub, struct request *q)
{
    if (bots_name(param_text(q, "name")))
        refuse(hub, q, ERR_NAME_TAKEN);
    else
        admit(hub, q, keep_admitted);
}

static void password_stored(struct hub *hub, struct request *q)
{
    int64_t ended = (int64_t)account_cut(hub, q->account, q->peer);
    journal(hub, q, LOG_INFO, "password_changed", log_text("user", q->name));
    struct json_out *o = result_begin(hub, q);
    out_int(o, "ended", ended);
    result_end(hub, q);
}

static void password_hashed(struct hub *hub, struct request *q,
                            const char *hash, bool fits)
{
    struct entrance *e = entrance_of(q);
    struct peer *p = peer_find(hub, q->peer);

    (void)fits;
    if (hash == NULL) {
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    account_still(c, &e->account);
    q->conflict = ERR_BAD_CREDENTIALS;
    struct op *op = change_op(c, OP_PASSWORD);
    op->account = q->account;
    op->u.note = change_text(c, hash);
    op = change_op(c, OP_TOKENS_DROP);
    op->account = q->account;
    op->u.token.account = q->account;
    op->u.token.id = p != NULL ? p->token : 0;
    change_submit(c, password_stored);
}

static void password_compared(struct hub *hub, struct request *q,
                              const char *hash, bool fits)
{
    (void)hash;
    if (!fits) {
        journal_login(hub, q, LOGIN_FAILED, q->name, "bad_old_password");
        refuse(hub, q, ERR_BAD_CREDENTIALS);
        return;
    }
    login_forgiven(hub, q, q->name);
    hash_or_refuse(hub, q, HASH_NEW, "new", NULL, password_hashed);
}

static void password_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    struct entrance *e = entrance_of(q);

    if (answer->account_count != 1 || answer->accounts->password == NULL) {
        refuse(hub, q, ERR_NOT_A_GUEST);
        return;
    }
    account_copy(q, &e->account, answer->accounts);
    hash_or_refuse(hub, q, HASH_LOGIN, "old", e->account.password,
                   password_compared);
}

void handle_account_password(struct hub *hub, struct request *q)
{
    if (!login_refuse(hub, q, q->name))
        account_ask_self(hub, q, password_found);
}

static void write_email(struct json_out *o, const struct account_row *row)
{
    if (row->email == NULL)
        return;
    out_string(o, "email", row->email);
    out_bool(o, "email_confirmed", row->confirmed != 0);
    if (row->pending != NULL)
        out_string(o, "email_pending", row->pending);
}

static void got_self(struct hub *hub, struct request *q,
                     const struct answer *answer)
{
    const struct account_row *row = user_of(q);
    struct json_out *o = result_begin(hub, q);

    account_write(o, row);
    out_int(o, "created", row->created);
    out_bool(o, "has_password", row->password != NULL);
    write_email(o, row);
    factors_write(o, &answer->factors);
    result_end(hub, q);
}

static void got_account(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    if (answer->account_count != 1 ||
        answer->accounts->kind == ACCOUNT_DELETED) {
        refuse(hub, q, ERR_NO_SUCH_USER);
        return;
    }
    const struct account_row *row = answer->accounts;
    if (row->id == q->account) {
        (void)user_keep(hub, q, answer);
        factors_ask(hub, q, row->id, got_self);
        return;
    }
    struct json_out *o = result_begin(hub, q);
    account_write(o, row);
    out_int(o, "created", row->created);
    result_end(hub, q);
}

void handle_account_get(struct hub *hub, struct request *q)
{
    if (param(q, "name") == NULL) {
        account_ask_self(hub, q, got_account);
        return;
    }
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "name"),
    };
    hub_ask(hub, q, &ask, got_account);
}
