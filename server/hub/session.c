/* session.c -- who is logged in on which connection, and how they came to be.
 *
 * Log-ins that fail cost the same work whether the name exists or not, and the
 * more of them an account or an address has seen, the slower they get. */

#include <stdio.h>
#include <stdlib.h>

#include "core/ascii.h"
#include "inner.h"
#include "outbox.h"

struct entrance *entrance_of(struct request *q)
{
    if (q->kept == NULL)
        q->kept = region_take(&q->region, sizeof(struct entrance));
    return q->kept;
}

/* ---- who is logged in ------------------------------------------------- */

static struct account *account_ref(struct hub *hub,
                                   const struct account_row *row)
{
    struct account *a = map_get(&hub->accounts, row->id);

    if (a == NULL) {
        a = calloc(1, sizeof(*a));
        ASSERT(a != NULL);
        a->id = row->id;
        map_put(&hub->accounts, a->id, a);
    }
    a->seen = row->seen;
    snprintf(a->name, sizeof(a->name), "%s", row->name);
    a->peers++;
    return a;
}

static void unlink_here(struct account *a, const struct peer *p)
{
    struct peer **at = &a->here;

    while (*at != p)
        at = &(*at)->next_here;
    *at = p->next_here;
}

void account_leave(struct hub *hub, struct peer *p)
{
    struct account *a = p->account;

    watch_me(hub, p, false);
    if (a != NULL)
        unlink_here(a, p);
    p->account = NULL;
    p->token = 0;
    p->scopes = 0;
    if (a == NULL || --a->peers > 0)
        return;
    map_take(&hub->accounts, a->id);
    free(a);
}

static void log_in(struct hub *hub, struct request *q,
                   const struct account_row *row,
                   const struct token_row *token)
{
    struct peer *p = peer_find(hub, q->peer);

    if (p == NULL)
        return;
    account_leave(hub, p);
    p->account = account_ref(hub, row);
    p->next_here = p->account->here;
    p->account->here = p;
    p->token = token->id;
    p->scopes = token->scopes;
}

/* A connection has one account; another log-in needs another connection, or a
 * logout, so that nothing said in between is another's. */
bool session_refuse_second(struct hub *hub, struct request *q)
{
    struct peer *p = peer_find(hub, q->peer);
    if (p == NULL || p->account == NULL)
        return false;
    refuse(hub, q, ERR_ALREADY_LOGGED_IN);
    return true;
}

/* ---- logging in ------------------------------------------------------- */

static void journal_entered(struct hub *hub, const struct request *q,
                            const struct entrance *e)
{
    bool guest = e->account.kind == ACCOUNT_GUEST;

    if (!e->made) {
        journal_login(hub, q, LOGIN_GOOD, e->account.name, NULL);
        return;
    }
    ++*(guest ? &hub->counts.guests : &hub->counts.registered);
    journal(hub, q, LOG_INFO, guest ? "guest" : "registered",
            log_text("user", e->account.name));
}

/* Begins the answer to Q, which has begun a session of TOKEN; that is TOLD,
 * unless somebody keeps it from who asks. */
static struct json_out *session_begin(struct hub *hub, struct request *q,
                                      const char *token, bool told)
{
    struct json_out *o = result_begin(hub, q);

    if (q->form == FORM_RESULT)
        q->token = token;
    else if (told)
        out_string(o, "token", token);
    return o;
}

static void entered(struct hub *hub, struct request *q)
{
    struct entrance *e = entrance_of(q);

    log_in(hub, q, &e->account, &e->token);
    journal_entered(hub, q, e);
    if (e->factor.by != FACTOR_NONE)
        factor_forgiven(hub, e->account.id);
    if (e->made)
        outbox_made(hub, e->account.id);
    if (e->made && e->account.email != NULL)
        email_ask(hub, q, &e->account, e->account.email);
    struct json_out *o = session_begin(hub, q, e->text, true);
    account_write(o, &e->account);
    if (e->device[0] != '\0')
        out_string(o, "device", e->device);
    result_end(hub, q);
}

static void refuse_banned(struct hub *hub, struct request *q,
                          const struct account_row *row)
{
    struct json_out *o = refuse_begin(hub, q, ERR_BANNED);
    ban_write(o, row);
    refuse_end(hub, q);
}

/* Keeps in mind where somebody comes from; of what is new they are told where
 * they confirmed an address. */
static void put_device(struct change *c, struct entrance *e)
{
    struct hub *hub = c->hub;
    const struct request *q = c->request;
    const char *known = param_text(q, "device");
    struct op *op = change_op(c, OP_DEVICE);

    op->account = e->account.id;
    op->u.device.at = hub->now_ms;
    if (e->known_device) {
        sha256(known, strlen(known), op->u.device.hash);
        return;
    }
    token_random(hub, e->device, TOKEN_CHARS);
    sha256(e->device, TOKEN_CHARS, op->u.device.hash);
    if (!e->made &&
        bucket_take(account_bucket(&hub->told, e->account.id), hub->now_ms,
                    LIMIT_DEVICE_MAILS_DAY, LIMIT_DEVICE_MAIL_MS) == 0)
        email_tell(c, &e->account, ACCOUNT_MAIL_DEVICE,
                   q->address[0] != '\0' ? q->address : NULL);
}

/* Stores the session of ENTRANCE, with its account if that is new. */
void session_enter(struct change *c)
{
    struct hub *hub = c->hub;
    struct request *q = c->request;
    struct entrance *e = entrance_of(q);
    bool guest = e->account.kind == ACCOUNT_GUEST;

    token_make(hub, &e->token, e->account.id, "", ALL_SCOPES,
               guest ? 0 : hub->config.session_ms, e->text);
    if (e->made) {
        account_put(c, &e->account);
        if (param(q, "language") != NULL)
            outbox_language_put(c, e->account.id, param_text(q, "language"));
        if (e->proxied != NULL)
            proxied_put(c, e->account.id, e->proxied, true);
        if (e->link != 0)
            link_use(c, e->link);
        q->conflict = ERR_NAME_TAKEN;
    } else {
        /* The password that was compared may be the old one by now. */
        account_still(c, &e->account);
        q->conflict = ERR_BAD_CREDENTIALS;
    }
    factor_put(c, e->account.id, &e->factor);
    if (!guest && e->proxied == NULL)
        put_device(c, e);
    token_put(c, &e->token);
    change_submit(c, entered);
}

void hash_or_refuse(struct hub *hub, struct request *q, enum hash_kind kind,
                    const char *password, const char *against, hashed_cb then)
{
    if (hub_hash(hub, q, kind, password, against, then))
        return;
    refuse_for(hub, q, ERR_RATE_LIMITED, 1000);
}

/* ---- failed log-ins --------------------------------------------------- */

/* A number for NAME, whatever its case. */
static uint64_t name_number(const char *name)
{
    uint64_t number = MAP_KEY_START;

    for (; *name != '\0'; name++)
        number = map_key(number, (unsigned char)(*name | 0x20));
    return number;
}

/* Where it is kept in mind that NAME came in from SOURCE. */
static size_t known_place(const char *name, uint64_t source)
{
    return (size_t)(map_key(name_number(name) ^ source, 0) >> 32) %
           LIMIT_KNOWN;
}

/* Whether it has.  Else a stranger who fails as NAME without end would keep its
 * owner out. */
static bool is_known(const struct hub *hub, const char *name, uint64_t source)
{
    size_t at = known_place(name, source);
    return hub->known[at].source == source &&
           ascii_compare(hub->known[at].name, name) == 0;
}

/* The bucket of failed log-ins for a name, whether there is such an account or
 * not.  There are so many places; names that collide are slowed together. */
static struct bucket *failed_name(struct hub *hub, const char *name)
{
    uint64_t place = name_number(name) % LIMIT_FAILED_NAMES + 1;
    struct bucket *b = map_get(&hub->failed, place);
    if (b == NULL) {
        b = calloc(1, sizeof(*b));
        ASSERT(b != NULL);
        map_put(&hub->failed, place, b);
    }
    return b;
}

/* Every attempt takes from both buckets, or from that of the address alone where
 * nobody is named or who it is has come in from there; one that succeeds gives
 * back. */
static int64_t login_wait(struct hub *hub, struct request *q, const char *name)
{
    struct peer *p = peer_find(hub, q->peer);
    struct source *s = p ? map_get(&hub->sources, p->info.source) : NULL;
    int64_t wait = 0;

    if (p == NULL || !peer_is_limited(hub, p))
        return 0;
    if (s != NULL)
        wait = bucket_take(&s->failed, hub->now_ms, LIMIT_FAILED_BURST,
                           LIMIT_FAILED_SOURCE_MS);
    if (wait == 0 && name != NULL && !is_known(hub, name, p->info.source))
        wait = bucket_take(failed_name(hub, name), hub->now_ms,
                           LIMIT_FAILED_BURST, LIMIT_FAILED_NAME_MS);
    return wait;
}

/* Answers and returns true if there have been too many failures. */
bool login_refuse(struct hub *hub, struct request *q, const char *name)
{
    int64_t wait = login_wait(hub, q, name);
    if (wait == 0)
        return false;
    refuse_for(hub, q, ERR_RATE_LIMITED, wait);
    return true;
}

int64_t login_slowed(struct hub *hub, const char *name)
{
    struct bucket b = *failed_name(hub, name);
    return bucket_take(&b, hub->now_ms, LIMIT_FAILED_BURST,
                       LIMIT_FAILED_NAME_MS);
}

void login_forgiven(struct hub *hub, struct request *q, const char *name)
{
    struct peer *p = peer_find(hub, q->peer);
    struct source *s = p ? map_get(&hub->sources, p->info.source) : NULL;

    if (s != NULL)
        s->failed.left_ms += LIMIT_FAILED_SOURCE_MS;
    if (name == NULL)
        return;
    failed_name(hub, name)->left_ms += LIMIT_FAILED_NAME_MS;
    if (s != NULL) {
        size_t at = known_place(name, p->info.source);
        hub->known[at].source = p->info.source;
        snprintf(hub->known[at].name, sizeof(hub->known[at].name), "%s", name);
    }
}

/* Ends sessions that are over, and the oldest if there are too many. */
static void drop_old_sessions(struct change *c, const struct answer *answer)
{
    int64_t now_ms = c->hub->now_ms;
    const struct token_row *oldest = NULL;
    size_t count = 0;

    for (size_t i = 0; i < answer->token_count; i++) {
        const struct token_row *token = &answer->tokens[i];
        if (token->label[0] != '\0')
            continue;
        if (token->expires == 0 || token->expires > now_ms) {
            count++;
            if (oldest == NULL || token->created < oldest->created)
                oldest = token;
            continue;
        }
        struct op *op = change_op(c, OP_TOKEN_DROP);
        op->account = op->u.token.account = token->account;
        op->u.token.id = token->id;
    }
    if (count < LIMIT_SESSIONS)
        return;
    struct op *op = change_op(c, OP_TOKEN_DROP);
    op->account = op->u.token.account = oldest->account;
    op->u.token.id = oldest->id;
}

static void login_counted(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct change *c = change_begin(hub, q, NULL);

    drop_old_sessions(c, answer);
    session_enter(c);
}

void session_let_in(struct hub *hub, struct request *q)
{
    struct entrance *e = entrance_of(q);
    struct question ask = {.kind = ASK_TOKENS, .u.account = e->account.id};

    if (e->account.banned_until > hub->now_ms) {
        journal_login(hub, q, LOGIN_BANNED, e->account.name, "banned");
        refuse_banned(hub, q, &e->account);
    } else {
        hub_ask(hub, q, &ask, login_counted);
    }
}

/* The password is right. */
static void login_factors(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct entrance *e = entrance_of(q);
    const char *name = param_text(q, "name");
    bool on = factors_on(&answer->factors);

    e->known_device = answer->factors.device;
    if (on && param(q, "code") == NULL) {
        login_forgiven(hub, q, name);
        journal(hub, q, LOG_INFO, "login_needs_code",
                log_text("user", e->account.name));
        refuse(hub, q, ERR_CODE_REQUIRED);
        return;
    }
    if (on && !factor_judge(hub, q, e->account.id, e->account.name,
                            &answer->factors, &e->factor))
        return;
    login_forgiven(hub, q, name);
    session_let_in(hub, q);
}

static void login_hashed(struct hub *hub, struct request *q, const char *hash,
                         bool fits)
{
    struct entrance *e = entrance_of(q);

    (void)hash;
    if (!fits || e->account.id == 0) {
        journal_login(hub, q, LOGIN_FAILED, param_text(q, "name"),
                      "bad_credentials");
        refuse(hub, q, ERR_BAD_CREDENTIALS);
    } else {
        factors_ask(hub, q, e->account.id, login_factors);
    }
}

static void login_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct entrance *e = entrance_of(q);
    const char *against = NULL;

    if (answer->account_count == 1 &&
        answer->accounts->kind != ACCOUNT_DELETED) {
        account_copy(q, &e->account, answer->accounts);
        against = e->account.password;
    }
    /* Nobody, or a guest: the same work, and nothing fits. */
    hash_or_refuse(hub, q, HASH_LOGIN, against ? "password" : NULL, against,
                   login_hashed);
}

void handle_session_login(struct hub *hub, struct request *q)
{
    if (session_refuse_second(hub, q) ||
        login_refuse(hub, q, param_text(q, "name")))
        return;
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "name"),
    };
    hub_ask(hub, q, &ask, login_found);
}

/* ---- resuming and leaving --------------------------------------------- */

static bool token_good(const struct hub *hub, const struct answer *answer)
{
    return answer->token_count == 1 && answer->account_count == 1 &&
           (answer->tokens->expires == 0 ||
            answer->tokens->expires > hub->now_ms) &&
           answer->accounts->kind != ACCOUNT_DELETED;
}

static void resume(struct hub *hub, struct request *q)
{
    struct entrance *e = entrance_of(q);

    log_in(hub, q, &e->account, &e->token);
    journal(hub, q, LOG_DEBUG, "resumed", log_text("user", e->account.name));
    struct json_out *o = session_begin(hub, q, param_text(q, "token"), false);
    account_write(o, &e->account);
    result_end(hub, q);
}

/* A guest who was away for long lives on while they sit at a running table. */
static void guest_counted(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct entrance *e = entrance_of(q);
    bool seated = false;

    for (size_t i = 0; i < answer->listed_count; i++) {
        const struct summary *s = &answer->tables[i].table.summary;
        for (int seat = 0; seat < s->seats; seat++)
            seated = seated || s->seat[seat] == e->account.id;
    }
    if (seated)
        resume(hub, q);
    else
        refuse(hub, q, ERR_TOKEN_EXPIRED);
}

static void ask_token(struct hub *hub, struct request *q);

static void resume_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct entrance *e = entrance_of(q);

    /* A token was revoked meanwhile, which may have been this one. */
    if (e->revoked != hub->revoked) {
        ask_token(hub, q);
        return;
    }
    if (!token_good(hub, answer)) {
        refuse(hub, q, ERR_TOKEN_EXPIRED);
        return;
    }
    if (answer->accounts->banned_until > hub->now_ms) {
        refuse_banned(hub, q, answer->accounts);
        return;
    }
    account_copy(q, &e->account, answer->accounts);
    e->token = *answer->tokens;
    if (e->account.kind != ACCOUNT_GUEST || hub->config.guest_ms == 0 ||
        e->account.seen + hub->config.guest_ms + SEEN_MS > hub->now_ms) {
        proxied_resume(hub, q, resume);
        return;
    }
    struct question ask = {
        .kind = ASK_MINE,
        .limit = LIMIT_TABLES,
        .u.mine = {.account = e->account.id, .state = TABLE_PLAYING},
    };
    hub_ask(hub, q, &ask, guest_counted);
}

/* When an account was seen is stored to the hour. */
static void touch_stored(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

void account_touch(struct hub *hub, struct peer *p)
{
    struct account *a = p->account;

    if (a == NULL || hub->now_ms - a->seen < SEEN_MS || hub->closing)
        return;
    a->seen = hub->now_ms;
    struct change *c = change_begin(hub, job_new(hub), NULL);
    struct op *op = change_op(c, OP_SEEN);
    op->account = a->id;
    op->u.at = hub->now_ms;
    change_submit(c, touch_stored);
}

static void ask_token(struct hub *hub, struct request *q)
{
    const char *text = param_text(q, "token");
    struct question ask = {.kind = ASK_TOKEN};

    entrance_of(q)->revoked = hub->revoked;
    sha256(text, strlen(text), ask.u.hash);
    hub_ask(hub, q, &ask, resume_found);
}

void handle_session_resume(struct hub *hub, struct request *q)
{
    if (!session_refuse_second(hub, q))
        ask_token(hub, q);
}

static void logged_out(struct hub *hub, struct request *q)
{
    struct peer *p = peer_find(hub, q->peer);
    id_num token = p != NULL ? p->token : 0;

    if (p != NULL) {
        watch_leave(hub, p);
        account_leave(hub, p);
    }
    result_empty(hub, q);
    if (token != 0)
        token_drop_sessions(hub, token);
}

void handle_session_logout(struct hub *hub, struct request *q)
{
    struct peer *p = peer_find(hub, q->peer);
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_TOKEN_DROP);

    op->account = q->account;
    op->u.token.account = q->account;
    op->u.token.id = p != NULL ? p->token : 0;
    change_submit(c, logged_out);
}
