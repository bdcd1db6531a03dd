/* admin_sessions.c -- sessions as the administrator sees them: listed, ended.
 *
 * Who is barred, deleted, or has another password loses their sessions with it,
 * in the same transaction; for whoever is logging in meanwhile that is a
 * conflict (OP_REQUIRE_ACCOUNT), and a token that is being looked up is looked
 * up again. */

#include "inner.h"

/* ---- ending them ------------------------------------------------------ */

void sessions_end(struct change *c, id_num account)
{
    struct op *op = change_op(c, OP_TOKENS_DROP);
    op->account = op->u.token.account = account;
    c->hub->revoked++;
}

int64_t sessions_cut(struct hub *hub, id_num account, id_num token,
                     const char *kind, const struct account_row *ban)
{
    size_t at = 0;
    struct peer *p;
    int64_t count = 0;

    while ((p = map_next(&hub->peers, &at)) != NULL) {
        if (p->account == NULL || p->account->id != account ||
            (token != 0 && p->token != token))
            continue;
        struct json_out *o = notice_begin(hub, kind);
        if (ban != NULL)
            ban_write(o, ban);
        notice_end(hub, p);
        peer_drop(hub, p, DROP_POLICY);
        count++;
    }
    return count;
}

void sessions_answer(struct hub *hub, struct request *q, int64_t ended)
{
    struct json_out *o = result_begin(hub, q);
    out_int(o, "ended", ended);
    result_end(hub, q);
}

void sessions_ended(struct hub *hub, struct request *q)
{
    id_num id = user_of(q)->id;
    sessions_answer(hub, q, sessions_cut(hub, id, 0, "session_ended", NULL));
}

/* ---- the list --------------------------------------------------------- */

static void write_session(struct json_out *o, struct hub *hub,
                          const struct token_row *token,
                          const struct account_row *row)
{
    size_t at = 0;
    const struct peer *p;
    int64_t connections = 0;

    while ((p = map_next(&hub->peers, &at)) != NULL)
        connections += p->account != NULL && p->token == token->id;
    out_object(o, NULL);
    write_id(o, "id", token->id);
    out_string(o, "user", row->name);
    out_bool(o, "guest", row->kind == ACCOUNT_GUEST);
    out_string(o, "label", token->label[0] ? token->label : "session");
    out_int(o, "created", token->created);
    if (token->expires == 0)
        out_null(o, "expires");
    else
        out_int(o, "expires", token->expires);
    out_int(o, "connections", connections);
    out_end(o);
}

static void sessions_listed(struct hub *hub, struct request *q,
                            const struct answer *answer)
{
    size_t n = answer->token_count;
    struct json_out *o = list_begin(hub, q, "sessions");

    for (size_t i = 0; i < n; i++)
        if (answer->tokens[i].expires == 0 ||
            answer->tokens[i].expires > hub->now_ms)
            write_session(o, hub, &answer->tokens[i], &answer->accounts[i]);
    list_end(hub, q, answer->more ? answer->tokens[n - 1].id : 0);
}

static void ask_sessions(struct hub *hub, struct request *q, id_num account)
{
    struct question ask = {
        .kind = ASK_SESSIONS,
        .limit = (size_t)param_int(q, "limit", ADMIN_PAGE),
        .u.sessions = {.account = account},
    };
    if (read_after(hub, q, &ask.u.sessions.after))
        hub_ask(hub, q, &ask, sessions_listed);
}

static void sessions_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    if (user_keep(hub, q, answer))
        ask_sessions(hub, q, user_of(q)->id);
}

void handle_admin_sessions(struct hub *hub, struct request *q)
{
    if (param(q, "user") != NULL)
        user_find(hub, q, sessions_found);
    else
        ask_sessions(hub, q, 0);
}

/* One session, whose token is `kept`. */
static void session_ended(struct hub *hub, struct request *q)
{
    const struct token_row *token = q->kept;
    sessions_answer(hub, q,
                    sessions_cut(hub, token->account, token->id,
                                 "session_ended", NULL));
}

/* The list is looked through from just before it: ids are numbers. */
static void session_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    id_num id = 0;

    (void)id_read(param_text(q, "id"), &id);
    if (answer->token_count == 0 || answer->tokens[0].id != id) {
        refuse(hub, q, ERR_NO_SUCH_TOKEN);
        return;
    }
    struct token_row *token = q->kept = region_take(&q->region,
                                                    sizeof(*token));
    *token = answer->tokens[0];
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_TOKEN_DROP);
    op->account = op->u.token.account = token->account;
    op->u.token.id = token->id;
    hub->revoked++;
    audit_put(c, q, 0, token->account);
    change_submit(c, session_ended);
}

static void user_ended(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    if (!user_keep(hub, q, answer))
        return;
    struct change *c = change_begin(hub, q, NULL);
    sessions_end(c, user_of(q)->id);
    audit_put(c, q, 0, user_of(q)->id);
    change_submit(c, sessions_ended);
}

void handle_admin_sessions_end(struct hub *hub, struct request *q)
{
    struct question ask = {.kind = ASK_SESSIONS, .limit = 1};
    id_num id;

    if ((param(q, "id") != NULL) == (param(q, "user") != NULL)) {
        refuse_param(hub, q, "/id", "the id of a session, or `user`");
    } else if (param(q, "user") != NULL) {
        user_find(hub, q, user_ended);
    } else if (id_read(param_text(q, "id"), &id) && id != 0) {
        ask.u.sessions.after = id - 1;
        hub_ask(hub, q, &ask, session_found);
    } else {
        refuse(hub, q, ERR_NO_SUCH_TOKEN);
    }
}
