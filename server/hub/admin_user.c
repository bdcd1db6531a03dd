/* admin_user.c -- one user, as the administrator sees them: shown, with tables,
 * sessions and limits; called something else. */

#include <stdio.h>

#include "inner.h"

/* ---- shown ------------------------------------------------------------- */

struct portrait {
    struct account_row row;
    bool totp;
    int64_t sessions, tokens;
};

static void write_tables(struct json_out *o, const struct answer *answer)
{
    out_list(o, "tables");
    for (size_t i = 0; i < answer->listed_count && i < LIMIT_TABLES; i++) {
        const struct listed *l = &answer->tables[i];
        out_object(o, NULL);
        write_id(o, "table", l->table.id);
        out_string(o, "game", l->table.game);
        out_string(o, "state", table_state_word(l->table.summary.state));
        out_bool(o, "waits", l->waits);
        out_end(o);
    }
    out_end(o);
}

static void write_limits(struct json_out *o)
{
    out_object(o, "limits");
    out_int(o, "tables", LIMIT_TABLES);
    out_int(o, "sessions", LIMIT_SESSIONS);
    out_int(o, "tokens", LIMIT_TOKENS);
    out_end(o);
}

static void show_tables(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    const struct portrait *p = q->kept;
    struct json_out *o = result_begin(hub, q);

    person_write(o, "user", hub, &p->row);
    if (p->row.email != NULL)
        out_string(o, "email", p->row.email);
    else
        out_null(o, "email");
    out_bool(o, "email_confirmed", p->row.confirmed != 0);
    out_bool(o, "password", p->row.password != NULL);
    out_bool(o, "totp", p->totp);
    out_int(o, "sessions", p->sessions);
    out_int(o, "tokens", p->tokens);
    write_tables(o, answer);
    write_limits(o);
    out_int(o, "login_wait_ms", login_slowed(hub, p->row.name));
    result_end(hub, q);
}

static void show_tokens(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct portrait *p = q->kept;

    for (size_t i = 0; i < answer->token_count; i++) {
        const struct token_row *t = &answer->tokens[i];
        bool over = t->expires != 0 && t->expires <= hub->now_ms;
        p->sessions += !over && t->label[0] == '\0';
        p->tokens += !over && t->label[0] != '\0';
    }
    seats_ask(hub, q, p->row.id, LIMIT_TABLES, show_tables);
}

static void show_factors(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct portrait *p = q->kept;
    struct question ask = {.kind = ASK_TOKENS, .u.account = p->row.id};

    p->totp = factors_on(&answer->factors);
    hub_ask(hub, q, &ask, show_tokens);
}

static void show_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    if (!user_found(hub, q, answer))
        return;
    struct portrait *p = q->kept = region_take(&q->region, sizeof(*p));
    account_copy(q, &p->row, answer->accounts);
    factors_ask(hub, q, p->row.id, show_factors);
}

void handle_admin_user(struct hub *hub, struct request *q)
{
    user_find(hub, q, show_found);
}

/* ---- called something else --------------------------------------------- */

static void renamed(struct hub *hub, struct request *q)
{
    struct account_row *row = q->kept;

    row->name = param_text(q, "name");
    account_renamed(hub, row, 0);
    struct json_out *o = result_begin(hub, q);
    account_write(o, row);
    result_end(hub, q);
}

static void rename_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    if (bots_refuse(hub, q, answer) || !user_found(hub, q, answer))
        return;
    if (bots_name(param_text(q, "name"))) {
        refuse(hub, q, ERR_NAME_TAKEN);
        return;
    }
    struct account_row *row = q->kept = region_take(&q->region, sizeof(*row));
    account_copy(q, row, answer->accounts);
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_NAME);
    op->account = row->id;
    op->u.note = change_text(c, param_text(q, "name"));
    audit_put(c, q, 0, row->id);
    q->conflict = ERR_NAME_TAKEN;
    change_submit(c, renamed);
}

void handle_admin_users_rename(struct hub *hub, struct request *q)
{
    user_find(hub, q, rename_found);
}
