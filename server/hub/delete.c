/* delete.c -- somebody is deleted, by the administrator or by themselves, who
 * then say their password again, if they have one.
 *
 *     find -> their tables, one after the other: left, or given up
 *          -> the account goes, with sessions, notes, invitations
 *          -> their tables once more: what they joined meanwhile.  That
 *             they have no name any more these learn like any other name
 *             (maintenance.c).
 *
 * If that breaks off in the middle they are still there, and it can be asked
 * for again. */

#include "inner.h"

/* What is kept of them meanwhile. */
struct leaver {
    struct account_row row;
    bool own;      /* by themselves */
    int64_t ended; /* connections */
    bool gone;     /* in the store */
    id_num tables[LIMIT_TABLES + 1];
    size_t count, next;
    int64_t resigned, left;
};

static struct leaver *leaver_of(const struct request *q)
{
    return q->kept;
}

static void delete_next(struct hub *hub, struct request *q);

static void deleted(struct hub *hub, struct request *q)
{
    const struct leaver *p = leaver_of(q);
    struct json_out *o = result_begin(hub, q);

    out_int(o, "ended", p->ended);
    out_int(o, "resigned", p->resigned);
    out_int(o, "left", p->left);
    result_end(hub, q);
}

static void cleared(struct hub *hub, struct request *q)
{
    q->job = NULL;
    q->table = NULL;
    delete_next(hub, q);
}

static void has_left(struct hub *hub, struct request *q)
{
    leaver_of(q)->left++;
    cleared(hub, q);
}

static void has_resigned(struct hub *hub, struct request *q)
{
    leaver_of(q)->resigned++;
    cleared(hub, q);
}

/* Takes who has SEAT away from the table. */
static void clear_seat(struct change *c, int seat)
{
    if (c->table->state == TABLE_OPEN) {
        lobby_leave(c, seat);
        change_submit(c, has_left);
        return;
    }
    change_add(c,
               &(struct entry){.kind = ENTRY_RESIGN, .seat = (uint16_t)seat});
    change_submit(c, has_resigned);
}

static void clear_table(struct hub *hub, struct table *t, struct request *q)
{
    struct leaver *p = leaver_of(q);
    int seat = t->readable ? table_viewer(t, p->row.id) : RULES_WATCHER;

    if (seat == RULES_WATCHER || t->state > TABLE_PLAYING ||
        (t->resigned & RULES_BIT(seat))) {
        cleared(hub, q);
        return;
    }
    clear_seat(change_begin(hub, q, t), seat);
}

static void tables_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct leaver *p = leaver_of(q);

    p->next = 0;
    p->count = answer->listed_count < COUNT_OF(p->tables)
                   ? answer->listed_count
                   : COUNT_OF(p->tables);
    for (size_t i = 0; i < p->count; i++)
        p->tables[i] = answer->tables[i].table.id;
    delete_next(hub, q);
}

static void ask_tables(struct hub *hub, struct request *q)
{
    seats_ask(hub, q, leaver_of(q)->row.id, COUNT_OF(leaver_of(q)->tables),
              tables_found);
}

static void account_gone(struct hub *hub, struct request *q)
{
    struct leaver *p = leaver_of(q);

    struct peer *asks = p->own ? peer_find(hub, q->peer) : NULL;

    p->gone = true;
    if (asks != NULL) { /* who is still to hear of it */
        watch_leave(hub, asks);
        account_leave(hub, asks);
    }
    p->ended = sessions_cut(hub, p->row.id, 0, "account_deleted", NULL);
    maintenance_rename(hub, p->row.id, "");
    ask_tables(hub, q);
}

static void drop_account(struct hub *hub, struct request *q)
{
    struct leaver *p = leaver_of(q);
    struct change *c = change_begin(hub, q, NULL);

    if (p->own) { /* their password is the one they said */
        account_still(c, &p->row);
        q->conflict = ERR_BAD_CREDENTIALS;
    } else {
        audit_put(c, q, 0, p->row.id);
    }
    change_op(c, OP_ACCOUNT_DROP)->account = p->row.id;
    sessions_end(c, p->row.id);
    change_submit(c, account_gone);
}

static void delete_next(struct hub *hub, struct request *q)
{
    struct leaver *p = leaver_of(q);

    if (p->next < p->count) {
        q->job = clear_table;
        table_job(hub, q, p->tables[p->next++]);
    } else if (!p->gone) {
        drop_account(hub, q);
    } else {
        deleted(hub, q);
    }
}

static struct leaver *leaver_new(struct request *q,
                                 const struct account_row *row)
{
    struct leaver *p = q->kept = region_take(&q->region, sizeof(*p));

    account_copy(q, &p->row, row);
    return p;
}

/* ---- by the administrator ------------------------------------------------ */

static void delete_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    if (bots_refuse(hub, q, answer) || !user_found(hub, q, answer))
        return;
    (void)leaver_new(q, answer->accounts);
    ask_tables(hub, q);
}

void handle_admin_users_delete(struct hub *hub, struct request *q)
{
    user_find(hub, q, delete_found);
}

/* ---- by themselves -------------------------------------------------------- */

static void own_proven(struct hub *hub, struct request *q)
{
    login_forgiven(hub, q, q->name);
    journal(hub, q, LOG_NOTICE, "account_deleted", log_text("user", q->name));
    ask_tables(hub, q);
}

static void own_refused(struct hub *hub, struct request *q, const char *why)
{
    journal_login(hub, q, LOGIN_FAILED, q->name, why);
    refuse(hub, q, ERR_BAD_CREDENTIALS);
}

static void own_compared(struct hub *hub, struct request *q, const char *hash,
                         bool fits)
{
    (void)hash;
    if (fits)
        own_proven(hub, q);
    else
        own_refused(hub, q, "bad_password");
}

static void own_token(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    if (answer->token_count == 1 &&
        answer->tokens->account == leaver_of(q)->row.id)
        own_proven(hub, q);
    else
        own_refused(hub, q, "bad_token");
}

static void own_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    const char *token = param_text(q, "token");
    struct question ask = {.kind = ASK_TOKEN};

    if (!user_found(hub, q, answer))
        return;
    struct leaver *p = leaver_new(q, answer->accounts);
    p->own = true;
    if (p->row.password != NULL) {
        hash_or_refuse(hub, q, HASH_LOGIN, "password", p->row.password,
                       own_compared);
        return;
    }
    if (param(q, "password") == NULL && param(q, "token") == NULL &&
        account_is_owner(hub, q)) {
        own_proven(hub, q);
        return;
    }
    sha256(token, strlen(token), ask.u.hash);
    hub_ask(hub, q, &ask, own_token);
}

void handle_account_delete(struct hub *hub, struct request *q)
{
    if (!login_refuse(hub, q, q->name))
        account_ask_self(hub, q, own_found);
}
