/* admin_users.c -- people as the administrator sees them: listed, added, given
 * a new password, barred. */

#include "inner.h"

/* ---- finding ---------------------------------------------------------- */

bool user_found(struct hub *hub, struct request *q,
                const struct answer *answer)
{
    if (answer->account_count == 1 &&
        answer->accounts->kind != ACCOUNT_DELETED)
        return true;
    refuse(hub, q, ERR_NO_SUCH_USER);
    return false;
}

bool user_keep(struct hub *hub, struct request *q, const struct answer *answer)
{
    if (!user_found(hub, q, answer))
        return false;
    q->kept = region_take(&q->region, sizeof(struct account_row));
    account_copy(q, q->kept, answer->accounts);
    return true;
}

struct account_row *user_of(const struct request *q)
{
    return q->kept;
}

void user_find(struct hub *hub, struct request *q, answered_cb then)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "user"),
    };
    hub_ask(hub, q, &ask, then);
}

/* ---- listing ---------------------------------------------------------- */

void person_write(struct json_out *o, const char *key, const struct hub *hub,
                  const struct account_row *row)
{
    const struct account *a = map_get(&hub->accounts, row->id);

    out_object(o, key);
    write_id(o, "id", row->id);
    out_string(o, "name", row->name);
    out_bool(o, "guest", row->kind == ACCOUNT_GUEST);
    if (row->kind == ACCOUNT_BOT)
        out_bool(o, "bot", true);
    out_int(o, "created", row->created);
    out_int(o, "seen", row->seen);
    out_int(o, "connections", a != NULL ? (int64_t)a->peers : 0);
    if (row->banned_until > hub->now_ms) {
        out_object(o, "banned");
        ban_write(o, row);
        out_end(o);
    } else {
        out_null(o, "banned");
    }
    out_end(o);
}

static void users_listed(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    size_t n = answer->account_count;
    struct json_out *o = list_begin(hub, q, "users");

    for (size_t i = 0; i < n; i++)
        person_write(o, NULL, hub, &answer->accounts[i]);
    out_end(o);
    if (answer->more)
        out_string(o, "next", answer->accounts[n - 1].name);
    result_end(hub, q);
}

void handle_admin_users(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_ACCOUNTS,
        .limit = (size_t)param_int(q, "limit", ADMIN_PAGE),
        .u.accounts =
            {
                .after = param_text(q, "after"),
                .kind = -1,
                .banned = param_bool(q, "banned", false) ? hub->now_ms : 0,
            },
    };

    if (param(q, "guests") != NULL)
        ask.u.accounts.kind = param_bool(q, "guests", false) ? ACCOUNT_GUEST
                                                             : ACCOUNT_USER;
    hub_ask(hub, q, &ask, users_listed);
}

/* ---- adding ----------------------------------------------------------- */

static void user_added(struct hub *hub, struct request *q)
{
    struct json_out *o = result_begin(hub, q);
    account_write(o, user_of(q));
    result_end(hub, q);
}

static void add_hashed(struct hub *hub, struct request *q, const char *hash,
                       bool fits)
{
    struct account_row *row = user_of(q);

    (void)fits;
    if (hash == NULL) {
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    row->password = hash;
    account_put(c, row);
    row->password = NULL;
    audit_put(c, q, 0, row->id);
    q->conflict = ERR_NAME_TAKEN;
    change_submit(c, user_added);
}

void handle_admin_users_add(struct hub *hub, struct request *q)
{
    struct account_row *row = q->kept = region_take(&q->region, sizeof(*row));

    if (bots_name(param_text(q, "name"))) {
        refuse(hub, q, ERR_NAME_TAKEN);
        return;
    }
    *row = (struct account_row){
        .id = random_id(hub),
        .kind = ACCOUNT_USER,
        .name = param_text(q, "name"),
        .email = json_string_value(param(q, "email")),
        .created = hub->now_ms,
        .seen = hub->now_ms,
    };
    hash_or_refuse(hub, q, HASH_NEW, "password", NULL, add_hashed);
}

/* ---- passwords -------------------------------------------------------- */

static void password_hashed(struct hub *hub, struct request *q,
                            const char *hash, bool fits)
{
    id_num id = user_of(q)->id;

    (void)fits;
    if (hash == NULL) {
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_PASSWORD);
    op->account = id;
    op->u.note = change_text(c, hash);
    sessions_end(c, id);
    audit_put(c, q, 0, id);
    change_submit(c, sessions_ended);
}

static void password_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    if (bots_refuse(hub, q, answer) || !user_keep(hub, q, answer))
        return;
    if (user_of(q)->kind == ACCOUNT_GUEST)
        refuse(hub, q, ERR_IS_A_GUEST);
    else
        hash_or_refuse(hub, q, HASH_NEW, "password", NULL, password_hashed);
}

void handle_admin_users_password(struct hub *hub, struct request *q)
{
    user_find(hub, q, password_found);
}

/* ---- barring ---------------------------------------------------------- */

static void put_ban(struct change *c, const struct account_row *row)
{
    struct op *op = change_op(c, OP_BAN);

    op->account = row->id;
    op->u.ban.until = row->banned_until;
    op->u.ban.reason = change_text(c, row->banned_reason);
}

static void banned(struct hub *hub, struct request *q)
{
    const struct account_row *row = user_of(q);
    sessions_answer(hub, q, sessions_cut(hub, row->id, 0, "banned", row));
}

static void ban_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    if (bots_refuse(hub, q, answer) || !user_keep(hub, q, answer))
        return;
    struct account_row *row = user_of(q);
    row->banned_until = param_int(q, "until", BANNED_FOR_GOOD);
    row->banned_reason = json_string_value(param(q, "why"));
    struct change *c = change_begin(hub, q, NULL);
    put_ban(c, row);
    sessions_end(c, row->id);
    audit_put(c, q, 0, row->id);
    change_submit(c, banned);
}

void handle_admin_users_ban(struct hub *hub, struct request *q)
{
    if (param_int(q, "until", BANNED_FOR_GOOD) <= hub->now_ms)
        refuse_param(hub, q, "/until", "a time that is still to come");
    else
        user_find(hub, q, ban_found);
}

static void unbanned(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

static void unban_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    if (!user_keep(hub, q, answer))
        return;
    struct account_row *row = user_of(q);
    if (row->banned_until <= hub->now_ms) {
        refuse(hub, q, ERR_NOT_BANNED);
        return;
    }
    row->banned_until = 0;
    row->banned_reason = NULL;
    struct change *c = change_begin(hub, q, NULL);
    put_ban(c, row);
    audit_put(c, q, 0, row->id);
    change_submit(c, unbanned);
}

void handle_admin_users_unban(struct hub *hub, struct request *q)
{
    user_find(hub, q, unban_found);
}
