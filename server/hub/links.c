/* links.c -- one-time links: whoever has one may do a thing once, or a few
 * times, without a log-in.  There is one kind of them for all purposes.
 *
 * The text of a link is 32 random characters, 160 bits, and only its SHA-256
 * is stored: it is found by that, so how long looking takes says nothing of how
 * near a guess is, and every guess takes from what an address may get wrong.
 * Using it up is an op of the transaction that does what it is good for, so it
 * is used once even by two who come together. */

#include <stdio.h>

#include "core/ascii.h"
#include "inner.h"

const char *const link_purposes[LINK_PURPOSES] = {
    [LINK_REGISTER] = "register",
    [LINK_RESET] = "reset",
    [LINK_CONFIRM] = "confirm",
    [LINK_TABLE] = "table",
};

/* ---- using them -------------------------------------------------------- */

void link_find(struct hub *hub, struct request *q, const char *text,
               answered_cb then)
{
    struct question ask = {.kind = ASK_LINK};

    sha256(text, strlen(text), ask.u.hash);
    hub_ask(hub, q, &ask, then);
}

enum error link_judge(const struct hub *hub, const struct answer *answer,
                      enum link_purpose purpose)
{
    const struct link_row *l = answer->links;

    if (answer->link_count == 0 || l->purpose != purpose)
        return ERR_NO_SUCH_LINK;
    if (l->uses == 0)
        return ERR_LINK_USED;
    return l->expires == 0 || l->expires > hub->now_ms ? ERR_NONE
                                                       : ERR_LINK_EXPIRED;
}

void link_use(struct change *c, id_num id)
{
    struct op *op = change_op(c, OP_LINK_USE);

    op->u.link.id = id;
    op->u.link.used = c->hub->now_ms;
}

/* Drops all links of PURPOSE for ACCOUNT but the one with ID. */
static void drop_others(struct change *c, enum link_purpose purpose,
                        id_num account, id_num id)
{
    struct op *op = change_op(c, OP_LINKS_DROP);

    op->account = op->u.link.account = account;
    op->u.link.purpose = (uint8_t)purpose;
    op->u.link.id = id;
}

/* ---- a new password ---------------------------------------------------- */

struct reset {
    id_num link;
    const char *email; /* that the link was sent to, or NULL */
    struct account_row account;
};

/* The connection may be one of those that end: the answer leaves first. */
static void reset_stored(struct hub *hub, struct request *q)
{
    const struct reset *r = q->kept;
    id_num account = r->account.id;

    journal(hub, q, LOG_INFO, "password_reset",
            log_text("user", r->account.name));
    struct json_out *o = result_begin(hub, q);
    account_write(o, &r->account);
    result_end(hub, q);
    account_cut(hub, account, 0);
}

static void reset_hashed(struct hub *hub, struct request *q, const char *hash,
                         bool fits)
{
    const struct reset *r = q->kept;
    id_num account = r->account.id;

    (void)fits;
    if (hash == NULL) {
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    link_use(c, r->link);
    struct op *op = change_op(c, OP_PASSWORD);
    op->account = account;
    op->u.note = change_text(c, hash);
    op = change_op(c, OP_TOKENS_DROP);
    op->account = op->u.token.account = account;
    drop_others(c, LINK_RESET, account, r->link);
    if (r->email != NULL) {
        op = change_op(c, OP_LINKS_DROP_EMAIL);
        op->u.link.purpose = LINK_RESET;
        op->u.link.id = r->link;
        op->u.link.email = change_text(c, r->email);
    }
    hub->revoked++;
    q->conflict = ERR_LINK_USED;
    change_submit(c, reset_stored);
}

/* Several accounts may have the address that a link was sent to. */
static void refuse_several(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    struct json_out *o = refuse_begin(hub, q, ERR_WHICH_USER);

    out_list(o, "names");
    for (size_t i = 0; i < answer->account_count; i++)
        out_string(o, NULL, answer->accounts[i].name);
    out_end(o);
    refuse_end(hub, q);
}

/* Whose password it is: the account's that the link is for, or the one with
 * NAME, "": whichever there is. */
static const struct account_row *reset_whose(const struct answer *answer,
                                             const char *name)
{
    for (size_t i = 0; i < answer->account_count; i++)
        if (answer->accounts[i].kind == ACCOUNT_USER &&
            (name[0] == '\0' ||
             ascii_compare(answer->accounts[i].name, name) == 0))
            return &answer->accounts[i];
    return NULL;
}

static void reset_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    enum error e = link_judge(hub, answer, LINK_RESET);
    const char *name = param_text(q, "name");
    const struct account_row *row = reset_whose(answer, name);

    if (e == ERR_NONE && row == NULL)
        e = ERR_NO_SUCH_LINK;
    if (e != ERR_NONE) {
        journal(hub, q, LOG_INFO, "password_reset_failed",
                log_text("reason", error_reason(e)));
        refuse(hub, q, e);
        return;
    }
    login_forgiven(hub, q, NULL);
    if (answer->account_count > 1 && name[0] == '\0') {
        refuse_several(hub, q, answer);
        return;
    }
    struct reset *r = q->kept = region_take(&q->region, sizeof(*r));
    r->link = answer->links->id;
    r->email = region_copy(&q->region, answer->links->email);
    account_copy(q, &r->account, row);
    hash_or_refuse(hub, q, HASH_NEW, "password", NULL, reset_hashed);
}

void handle_account_reset(struct hub *hub, struct request *q)
{
    if (!login_refuse(hub, q, NULL))
        link_find(hub, q, param_text(q, "code"), reset_found);
}

/* ---- what one is for -------------------------------------------------------- */

/* The link of Q is good, and about the accounts of ANSWER, or about a table that
 * WHERE knows and one of these has made it for. */
static void tell_link(struct hub *hub, struct request *q,
                      const struct link_row *l, const struct answer *answer,
                      const struct answer *where)
{
    struct json_out *o = result_begin(hub, q);

    out_string(o, "purpose", link_purposes[l->purpose % LINK_PURPOSES]);
    out_list(o, "users");
    for (size_t i = 0; answer != NULL && i < answer->account_count; i++)
        user_write(o, NULL, &answer->accounts[i]);
    out_end(o);
    if (where != NULL) {
        const struct other *by = where->others;
        out_object(o, "table");
        write_summary(o, hub, &where->tables->table, where->tables->name);
        out_end(o);
        if (where->other_count > 0 && by->name != NULL)
            out_string(o, "by", by->name);
    }
    if (l->email != NULL)
        out_string(o, "email", l->email);
    else
        out_null(o, "email");
    if (l->expires != 0)
        out_int(o, "expires", l->expires);
    else
        out_null(o, "expires");
    result_end(hub, q);
}

static void table_told(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    if (answer->listed_count == 0)
        refuse(hub, q,
               ERR_NO_SUCH_LINK); /* its maker left it, and it is shut */
    else if (answer->tables->table.summary.state != TABLE_OPEN)
        refuse(hub, q, ERR_ALREADY_STARTED);
    else
        tell_link(hub, q, q->kept, NULL, answer);
}

/* Tells of the table that L is for what who made L may see of it. */
static void ask_table(struct hub *hub, struct request *q,
                      const struct link_row *l)
{
    struct link_row *kept = q->kept = region_take(&q->region, sizeof(*kept));
    struct question ask = {
        .kind = ASK_OUTBOX,
        .limit = 1,
        .u.outbox =
            {
                .account = l->maker,
                .tables = &l->table,
                .table_count = 1,
                .others = &l->maker,
                .other_count = 1,
            },
    };

    *kept = *l;
    kept->email = NULL;
    hub_ask(hub, q, &ask, table_told);
}

static void link_told(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    const struct link_row *l = answer->links;
    enum error e = answer->link_count == 0
                       ? ERR_NO_SUCH_LINK
                       : link_judge(hub, answer,
                                    (enum link_purpose)l->purpose);

    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    login_forgiven(hub, q, NULL);
    if (l->purpose == LINK_TABLE)
        ask_table(hub, q, l);
    else
        tell_link(hub, q, l, answer, NULL);
}

void handle_account_link(struct hub *hub, struct request *q)
{
    if (!login_refuse(hub, q, NULL))
        link_find(hub, q, param_text(q, "code"), link_told);
}

/* ---- the administrator's ----------------------------------------------- */

void link_write(struct json_out *o, const char *key, const struct link_row *l)
{
    out_object(o, key);
    write_id(o, "id", l->id);
    out_string(o, "purpose", link_purposes[l->purpose % LINK_PURPOSES]);
    write_id(o, "account", l->account);
    write_id(o, "table", l->table);
    out_int(o, "made", l->made);
    if (l->expires == 0)
        out_null(o, "expires");
    else
        out_int(o, "expires", l->expires);
    out_int(o, "uses", l->uses);
    if (l->used == 0)
        out_null(o, "used");
    else
        out_int(o, "used", l->used);
    out_end(o);
}

static enum link_purpose purpose_of(const struct request *q)
{
    enum link_purpose purpose = LINK_REGISTER;

    while (purpose + 1 < LINK_PURPOSES &&
           strcmp(param_text(q, "purpose"), link_purposes[purpose]) != 0)
        purpose++;
    return purpose;
}

/* The answer has the text, and nothing else. */
static void link_made(struct hub *hub, struct request *q)
{
    const struct new_link *m = q->kept;
    const char *url = hub->config.url != NULL ? hub->config.url : "";
    char address[TOKEN_CHARS + 16];

    (void)snprintf(address, sizeof(address), "#%s/%s",
                   m->row.purpose == LINK_TABLE
                       ? "join"
                       : link_purposes[m->row.purpose],
                   m->text);
    struct json_out *o = result_begin(hub, q);
    link_write(o, "link", &m->row);
    out_string(o, "code", m->text);
    out_string(o, "address", address);
    out_string(o, "url", url);
    result_end(hub, q);
}

void link_make(struct change *c, enum link_purpose purpose, id_num account,
               id_num table)
{
    struct hub *hub = c->hub;
    struct request *q = c->request;
    struct new_link *m = q->kept = region_take(&q->region, sizeof(*m));
    int64_t default_ms = purpose == LINK_RESET ? LIMIT_RESET_MS
                                               : LIMIT_INVITATION_MS;

    token_random(hub, m->text, TOKEN_CHARS);
    m->row = (struct link_row){
        .id = random_id(hub),
        .purpose = (uint8_t)purpose,
        .account = account,
        .table = table,
        .maker = q->account,
        .made = hub->now_ms,
        .expires = param_int(q, "until", hub->now_ms + default_ms),
        .uses = param_int(q, "uses", 1),
    };
    sha256(m->text, TOKEN_CHARS, m->row.hash);
    struct op *op = change_op(c, OP_LINK);
    op->account = account;
    op->u.link = m->row;
    change_submit(c, link_made);
}

static void make_link(struct hub *hub, struct request *q, id_num account)
{
    struct change *c = change_begin(hub, q, NULL);

    if (account != 0)
        drop_others(c, purpose_of(q), account, 0);
    audit_put(c, q, 0, account);
    link_make(c, purpose_of(q), account, 0);
}

static void link_user_found(struct hub *hub, struct request *q,
                            const struct answer *answer)
{
    if (answer->account_count != 1 ||
        answer->accounts->kind == ACCOUNT_DELETED)
        refuse(hub, q, ERR_NO_SUCH_USER);
    else if (bots_refuse(hub, q, answer))
        return;
    else if (answer->accounts->kind == ACCOUNT_GUEST)
        refuse(hub, q, ERR_IS_A_GUEST);
    else
        make_link(hub, q, answer->accounts->id);
}

void handle_admin_links_create(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "user"),
    };
    bool reset = purpose_of(q) == LINK_RESET;

    if (param_int(q, "until", INT64_MAX) <= hub->now_ms)
        refuse_param(hub, q, "/until", "a time that is still to come");
    else if (reset != (param(q, "user") != NULL))
        refuse_param(hub, q, "/user",
                     reset ? "whose password it is to set"
                           : "nobody: an invitation is for who has it");
    else if (reset && param_int(q, "uses", 1) != 1)
        refuse_param(hub, q, "/uses", "1, for a password");
    else if (reset)
        hub_ask(hub, q, &ask, link_user_found);
    else
        make_link(hub, q, 0);
}

static void links_listed(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    size_t n = answer->link_count;
    struct json_out *o = list_begin(hub, q, "links");

    for (size_t i = 0; i < n; i++)
        link_write(o, NULL, &answer->links[i]);
    list_end(hub, q, answer->more ? answer->links[n - 1].id : 0);
}

void handle_admin_links(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_LINKS,
        .limit = (size_t)param_int(q, "limit", 200),
        .u.links = {.purpose = (uint8_t)purpose_of(q)},
    };

    if (read_after(hub, q, &ask.u.links.after))
        hub_ask(hub, q, &ask, links_listed);
}

void link_dropped(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

struct change *link_drop(struct hub *hub, struct table *t, struct request *q,
                         const struct answer *answer)
{
    id_num id = 0;

    (void)id_read(param_text(q, "link"), &id);
    if (answer->link_count == 0 || answer->links->id != id) {
        refuse(hub, q, ERR_NO_SUCH_LINK);
        return NULL;
    }
    struct change *c = change_begin(hub, q, t);
    change_op(c, OP_LINK_DROP)->u.link.id = id;
    return c;
}

/* The list is looked through from just before it: ids are numbers. */
static void revoke_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct change *c = link_drop(hub, NULL, q, answer);

    if (c == NULL)
        return;
    audit_put(c, q, 0, answer->links->account);
    change_submit(c, link_dropped);
}

void handle_admin_links_revoke(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_LINKS,
        .limit = 1,
        .u.links = {.purpose = (uint8_t)purpose_of(q)},
    };
    id_num id;

    if (id_read(param_text(q, "link"), &id) && id != 0) {
        ask.u.links.after = id - 1;
        hub_ask(hub, q, &ask, revoke_found);
    } else {
        refuse(hub, q, ERR_NO_SUCH_LINK);
    }
}
