/* admin_users.c -- people as the administrator sees them: listed, added, given
 * a new password, barred, deleted, handed all that is stored about them; and
 * their sessions.
 *
 * Who is barred, deleted, or has another password loses their sessions with
 * it, in the same transaction; for whoever is logging in meanwhile that is a
 * conflict (OP_REQUIRE_ACCOUNT), and a token that is being looked up is looked
 * up again. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

#define PAGE 200

/* ---- finding ---------------------------------------------------------- */

/* What is kept of the user while the host works. */
struct person {
    struct account_row row;
    int64_t ended; /* connections */
    /* Of one who is deleted. */
    bool gone; /* in the store */
    id_num tables[LIMIT_TABLES + 1];
    size_t count, next;
    int64_t resigned, left;
};

static struct person *person_of(struct request *q)
{
    return q->kept;
}

bool user_found(struct hub *hub, struct request *q,
                const struct answer *answer)
{
    if (answer->account_count == 1 &&
        answer->accounts->kind != ACCOUNT_DELETED)
        return true;
    refuse(hub, q, ERR_NO_SUCH_USER);
    return false;
}

/* Keeps the user; answers and returns false if there is none. */
static bool found(struct hub *hub, struct request *q,
                  const struct answer *answer)
{
    if (!user_found(hub, q, answer))
        return false;
    struct person *p = q->kept = region_take(&q->region, sizeof(*p));
    account_copy(q, &p->row, answer->accounts);
    return true;
}

void user_find(struct hub *hub, struct request *q, answered_cb then)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "user"),
    };
    hub_ask(hub, q, &ask, then);
}

/* ---- ending sessions -------------------------------------------------- */

/* Puts the end of all of ACCOUNT's sessions into C. */
static void put_end(struct change *c, id_num account)
{
    struct op *op = change_op(c, OP_TOKENS_DROP);
    op->account = op->u.token.account = account;
    c->hub->revoked++;
}

/* Tells the connections logged in as ACCOUNT, or by TOKEN if that is not 0,
 * why, and cuts them off; how many. */
static int64_t cut_off(struct hub *hub, id_num account, id_num token,
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

static void answer_ended(struct hub *hub, struct request *q, int64_t ended)
{
    struct json_out *o = result_begin(hub, q);
    out_int(o, "ended", ended);
    result_end(hub, q);
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
        .limit = (size_t)param_int(q, "limit", PAGE),
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
    account_write(o, &person_of(q)->row);
    result_end(hub, q);
}

static void add_hashed(struct hub *hub, struct request *q, const char *hash,
                       bool fits)
{
    struct person *p = person_of(q);

    (void)fits;
    if (hash == NULL) {
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    p->row.password = hash;
    account_put(c, &p->row);
    p->row.password = NULL;
    audit_put(c, q, 0, p->row.id);
    q->conflict = ERR_NAME_TAKEN;
    change_submit(c, user_added);
}

void handle_admin_users_add(struct hub *hub, struct request *q)
{
    struct person *p = q->kept = region_take(&q->region, sizeof(*p));

    p->row = (struct account_row){
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

static void password_set(struct hub *hub, struct request *q)
{
    id_num id = person_of(q)->row.id;
    answer_ended(hub, q, cut_off(hub, id, 0, "session_ended", NULL));
}

static void password_hashed(struct hub *hub, struct request *q,
                            const char *hash, bool fits)
{
    id_num id = person_of(q)->row.id;

    (void)fits;
    if (hash == NULL) {
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_PASSWORD);
    op->account = id;
    op->u.note = change_text(c, hash);
    put_end(c, id);
    audit_put(c, q, 0, id);
    change_submit(c, password_set);
}

static void password_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    if (!found(hub, q, answer))
        return;
    if (person_of(q)->row.kind == ACCOUNT_GUEST)
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
    const struct account_row *row = &person_of(q)->row;
    answer_ended(hub, q, cut_off(hub, row->id, 0, "banned", row));
}

static void ban_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    if (!found(hub, q, answer))
        return;
    struct account_row *row = &person_of(q)->row;
    row->banned_until = param_int(q, "until", BANNED_FOR_GOOD);
    row->banned_reason = json_string_value(param(q, "why"));
    struct change *c = change_begin(hub, q, NULL);
    put_ban(c, row);
    put_end(c, row->id);
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
    if (!found(hub, q, answer))
        return;
    struct account_row *row = &person_of(q)->row;
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

/* ---- deleting --------------------------------------------------------- */

/*     find -> their tables, one after the other: left, or given up
 *          -> the account goes, with sessions, notes, invitations
 *          -> their tables once more: what they joined meanwhile.  That
 *             they have no name any more these learn like any other name
 *             (maintenance.c).
 *
 * If that breaks off in the middle they are still there, and it can be asked
 * for again. */

static void delete_next(struct hub *hub, struct request *q);

static void deleted(struct hub *hub, struct request *q)
{
    const struct person *p = person_of(q);
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
    person_of(q)->left++;
    cleared(hub, q);
}

static void has_resigned(struct hub *hub, struct request *q)
{
    person_of(q)->resigned++;
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
    struct person *p = person_of(q);
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
    struct person *p = person_of(q);

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
    struct question ask = {
        .kind = ASK_MINE,
        .limit = COUNT_OF(person_of(q)->tables),
        .u.mine =
            {
                .account = person_of(q)->row.id,
                .state = -1,
                .running = true,
                .seated = true,
            },
    };
    hub_ask(hub, q, &ask, tables_found);
}

static void account_gone(struct hub *hub, struct request *q)
{
    struct person *p = person_of(q);

    p->gone = true;
    p->ended = cut_off(hub, p->row.id, 0, "account_deleted", NULL);
    maintenance_rename(hub, p->row.id, "");
    ask_tables(hub, q);
}

static void delete_next(struct hub *hub, struct request *q)
{
    struct person *p = person_of(q);

    if (p->next < p->count) {
        q->job = clear_table;
        table_job(hub, q, p->tables[p->next++]);
    } else if (!p->gone) {
        struct change *c = change_begin(hub, q, NULL);
        struct op *op = change_op(c, OP_ACCOUNT_DROP);
        op->account = p->row.id;
        put_end(c, p->row.id);
        audit_put(c, q, 0, p->row.id);
        change_submit(c, account_gone);
    } else {
        deleted(hub, q);
    }
}

static void delete_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    if (found(hub, q, answer))
        ask_tables(hub, q);
}

void handle_admin_users_delete(struct hub *hub, struct request *q)
{
    user_find(hub, q, delete_found);
}

/* ---- all that is stored about somebody -------------------------------- */

static const char *const part_words[] = {
    [PERSON_SEATS] = "seats",     [PERSON_OWNED] = "made",
    [PERSON_INVITES] = "invited", [PERSON_TEXTS] = "texts",
    [PERSON_NOTES] = "notes",     [PERSON_MARKS] = "marks",
    [PERSON_KEYS] = "keys",       [PERSON_LINKS] = "links",
};

/* A table that they sit at, made or are invited to. */
static void write_part_table(struct json_out *o, enum person_part part,
                             const struct person_row *row)
{
    write_id(o, "table", row->u.table.table);
    if (part == PERSON_SEATS && row->u.table.seat < 0)
        out_null(o, "seat");
    else if (part == PERSON_SEATS)
        out_int(o, "seat", row->u.table.seat);
    out_string(o, "game", row->u.table.game);
    out_string(o, "state", table_state_word(row->u.table.state));
    out_int(o, "created", row->u.table.created);
}

static void write_part_text(struct json_out *o, const struct text_row *text)
{
    write_id(o, "table", text->table);
    out_int(o, "number", (int64_t)text->number);
    out_string(o, "room", text->room == ROOM_TABLE ? "table" : "spectators");
    out_int(o, "at", text->at);
    out_string(o, "text", text->body != NULL ? text->body : "");
}

static void write_part_link(struct json_out *o, const struct link_row *link)
{
    out_string(o, "purpose", link_purposes[link->purpose % LINK_PURPOSES]);
    out_int(o, "made", link->made);
    out_int(o, "expires", link->expires);
    out_int(o, "uses", link->uses);
}

static void write_part(struct json_out *o, enum person_part part,
                       const struct person_row *row)
{
    out_object(o, NULL);
    switch (part) {
    case PERSON_SEATS:
    case PERSON_OWNED:
    case PERSON_INVITES: write_part_table(o, part, row); break;
    case PERSON_TEXTS: write_part_text(o, &row->u.text); break;
    case PERSON_NOTES:
        write_id(o, "table", row->u.note.table);
        out_string(o, "text", row->u.note.text);
        break;
    case PERSON_MARKS:
        write_id(o, "table", row->u.mark.table);
        out_int(o, "read", (int64_t)row->u.mark.number);
        break;
    case PERSON_KEYS:
        out_string(o, "method", row->u.key.method);
        out_string(o, "key", row->u.key.key);
        out_int(o, "at", row->u.key.at);
        break;
    case PERSON_LINKS: write_part_link(o, &row->u.link); break;
    case PERSON_PARTS: break;
    }
    out_end(o);
}

static int part_of(const struct request *q)
{
    for (int part = 0; part < PERSON_PARTS; part++)
        if (strcmp(param_text(q, "part"), part_words[part]) == 0)
            return part;
    return -1;
}

static void part_read(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    int part = part_of(q);
    size_t i = 0;
    struct json_out *o = list_begin(hub, q, "rows");

    for (; i < answer->part_count && o->len < LIMIT_PAGE_BYTES; i++)
        write_part(o, (enum person_part)part, &answer->parts[i]);
    bool more = answer->more || i < answer->part_count;
    list_end_at(hub, q, more ? param_int(q, "from", 0) + (int64_t)i : 0);
}

static void account_read(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    const struct account_row *row = &person_of(q)->row;
    struct json_out *o = list_begin(hub, q, "rows");

    out_object(o, NULL);
    write_id(o, "id", row->id);
    out_string(o, "name", row->name);
    out_bool(o, "guest", row->kind == ACCOUNT_GUEST);
    if (row->email != NULL)
        out_string(o, "email", row->email);
    else
        out_null(o, "email");
    out_bool(o, "password", row->password != NULL);
    out_int(o, "created", row->created);
    out_int(o, "seen", row->seen);
    if (row->banned_until != 0) {
        out_object(o, "banned");
        ban_write(o, row);
        out_end(o);
    }
    out_list(o, "tokens");
    for (size_t i = 0; i < answer->token_count && i < PAGE; i++)
        token_write(o, &answer->tokens[i]);
    out_end(o);
    out_end(o);
    list_end(hub, q, 0);
}

static void export_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct question ask = {.kind = ASK_TOKENS, .limit = PAGE};
    int part = part_of(q);

    if (!found(hub, q, answer))
        return;
    if (part < 0) {
        ask.u.account = person_of(q)->row.id;
        hub_ask(hub, q, &ask, account_read);
        return;
    }
    ask.kind = ASK_PERSON;
    ask.u.person.account = person_of(q)->row.id;
    ask.u.person.part = (enum person_part)part;
    ask.u.person.from = (uint64_t)param_int(q, "from", 0);
    hub_ask(hub, q, &ask, part_read);
}

void handle_admin_users_export(struct hub *hub, struct request *q)
{
    user_find(hub, q, export_found);
}

/* ---- sessions --------------------------------------------------------- */

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
        .limit = (size_t)param_int(q, "limit", PAGE),
        .u.sessions = {.account = account},
    };
    if (read_after(hub, q, &ask.u.sessions.after))
        hub_ask(hub, q, &ask, sessions_listed);
}

static void sessions_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    if (found(hub, q, answer))
        ask_sessions(hub, q, person_of(q)->row.id);
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
    answer_ended(hub, q,
                 cut_off(hub, token->account, token->id, "session_ended",
                         NULL));
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
    if (!found(hub, q, answer))
        return;
    struct change *c = change_begin(hub, q, NULL);
    put_end(c, person_of(q)->row.id);
    audit_put(c, q, 0, person_of(q)->row.id);
    change_submit(c, password_set);
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
