/* lobby.c -- tables before their game: joined, left, started, and who is
 * invited. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

/* ---- seats -------------------------------------------------------------- */

void lobby_seat(struct change *c, int seat)
{
    const struct request *q = c->request;
    const struct account *a = map_get(&c->hub->accounts, q->account);

    change_call(c, q->account, a != NULL ? a->name : q->name);
    change_add(c, &(struct entry){
                      .kind = ENTRY_JOIN,
                      .seat = (uint16_t)seat,
                      .u.account = q->account,
                  });
}

int lobby_free_seat(const struct table *t)
{
    for (int seat = 0; seat < t->seats; seat++)
        if (t->seat[seat] == 0)
            return seat;
    return -1;
}

/* The start with the seats KEPT. */
static void start(struct change *c, uint32_t kept)
{
    change_add(c, &(struct entry){
                      .kind = ENTRY_START,
                      .seat = ENTRY_NOBODY,
                      .kept = kept,
                  });
}

void lobby_start_if_full(struct change *c)
{
    const struct table *t = c->table;

    if (t->row.start_full && lobby_free_seat(t) < 0)
        start(c, (1u << t->seats) - 1);
}

static void give_nonce(struct change *c, int seat, const char *nonce)
{
    change_add(c, &(struct entry){
                      .kind = ENTRY_NONCE,
                      .seat = (uint16_t)seat,
                      .u.nonce = nonce,
                  });
}

/* Asks for the tables that count against the account's limit. */
void lobby_count(struct hub *hub, struct request *q, answered_cb then)
{
    struct question ask = {
        .kind = ASK_MINE,
        .limit = LIMIT_TABLES,
        .u.mine =
            {
                .account = q->account,
                .state = -1,
                .running = true,
                .seated = true,
            },
    };
    hub_ask(hub, q, &ask, then);
}

/* The answer, with the last ply so far. */
static void keep_ply(struct change *c, int64_t seat)
{
    struct json_out o;

    json_out_init(&o);
    out_object(&o, NULL);
    if (seat >= 0)
        out_int(&o, "seat", seat);
    out_int(&o, "ply", (int64_t)c->table->log.count - 1);
    out_end(&o);
    key_keep(c, &o);
    json_out_done(&o);
}

/* ---- who may join ------------------------------------------------------- */

/* Whether they need no password: made it, are invited or sit there. */
bool lobby_welcome(const struct table *t, id_num account)
{
    return access_belongs(table_access(t, account));
}

/* What became of the password of a table.join. */
struct join_attempt {
    enum error unfit; /* how it is refused if it does not fit */
    bool fits;
};

static bool password_fits(const struct request *q)
{
    const struct join_attempt *k = q->kept;
    return k != NULL && k->fits;
}

/* Whether Q, a table.join, gets in as things stand. */
static bool may_enter(const struct table *t, const struct request *q)
{
    return lobby_welcome(t, q->account) || password_fits(q) ||
           (t->row.join_password == NULL && !t->row.private_);
}

/* Why Q may not take SEAT (-1: none is free), or ERR_NONE. */
static enum error may_join(const struct table *t, const struct request *q,
                           int seat)
{
    if (!may_enter(t, q))
        return t->row.private_ ? ERR_NO_SUCH_TABLE : ERR_WRONG_PASSWORD;
    if (table_viewer(t, q->account) != RULES_WATCHER)
        return ERR_ALREADY_SEATED;
    if (t->state != TABLE_OPEN)
        return ERR_ALREADY_STARTED;
    if (seat < 0)
        return ERR_TABLE_FULL;
    if (seat >= t->seats)
        return ERR_NO_SUCH_SEAT;
    if (t->log.count >= LIMIT_LOBBY_PLIES)
        return ERR_TOO_MANY_PLIES;
    return t->seat[seat] != 0 ? ERR_SEAT_TAKEN : ERR_NONE;
}

static void join_counted(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct table *t = q->table;
    int seat = (int)param_int(q, "seat", lobby_free_seat(t));
    enum error e = may_join(t, q, seat);

    if (e == ERR_NONE && answer->listed_count >= LIMIT_TABLES)
        e = ERR_TOO_MANY_TABLES;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    lobby_seat(c, seat);
    if (param(q, "nonce") != NULL)
        give_nonce(c, seat, param_text(q, "nonce"));
    keep_ply(c, seat);
    lobby_start_if_full(c);
    change_submit(c, key_answer);
}

/* ---- passwords ---------------------------------------------------------- */

/* By what the guesses of an account are counted, along with failed log-ins but
 * apart from those as its name, which cannot look so. */
static const char *guesser(const struct request *q, char text[ID_SIZE + 1])
{
    text[0] = ':';
    id_write(q->account, text + 1);
    return text;
}

static void join_password_compared(struct hub *hub, struct request *q,
                                   const char *hash, bool fits)
{
    struct join_attempt *k = q->kept;
    char text[ID_SIZE + 1];

    (void)hash;
    if (!fits) {
        journal(hub, q, LOG_INFO, "table_password_failed",
                log_text("user", q->name));
        refuse(hub, q, k->unfit);
        return;
    }
    login_forgiven(hub, q, guesser(q, text));
    k->fits = true;
    table_request(hub, q); /* which may be full or have started by now */
}

/* Compares the password of Q, a table.join, with JOIN_PASSWORD, or with NULL
 * does the same work for nothing; if it does not fit Q is refused with UNFIT.
 * The table does not wait for it. */
static void check_join_password(struct hub *hub, struct request *q,
                                const char *join_password, enum error unfit)
{
    struct join_attempt *k = q->kept = region_take(&q->region, sizeof(*k));
    char text[ID_SIZE + 1];

    *k = (struct join_attempt){.unfit = unfit};
    q->table = NULL;
    if (!login_refuse(hub, q, guesser(q, text)))
        hash_or_refuse(hub, q, HASH_TABLE, join_password ? "password" : NULL,
                       join_password, join_password_compared);
}

void lobby_unknown(struct hub *hub, struct request *q)
{
    if (q->method == M_TABLE_JOIN && param(q, "password") != NULL)
        check_join_password(hub, q, NULL, ERR_NO_SUCH_TABLE);
    else
        refuse(hub, q, ERR_NO_SUCH_TABLE);
}

/* ---- joining and leaving ------------------------------------------------ */

static void join_keyed(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    const struct table *t = q->table;
    enum error e;

    if (key_answered(hub, q, answer))
        return;
    e = may_join(t, q, (int)param_int(q, "seat", lobby_free_seat(t)));
    if (!may_enter(t, q) && param(q, "password") != NULL)
        check_join_password(hub, q, t->row.join_password, e);
    else if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        lobby_count(hub, q, join_counted);
}

void handle_table_join(struct hub *hub, struct table *t, struct request *q)
{
    (void)t;
    key_ask(hub, q, join_keyed);
}

/* The seat of who asks, at a table that has not started; else answers. */
static int open_seat(struct hub *hub, struct table *t, struct request *q)
{
    int seat = table_viewer(t, q->account);
    enum error e = table_may_see(t, q);

    if (e == ERR_NONE && seat == RULES_WATCHER)
        e = ERR_NOT_SEATED;
    if (e == ERR_NONE && t->state != TABLE_OPEN)
        e = ERR_ALREADY_STARTED;
    if (e == ERR_NONE)
        return seat;
    refuse(hub, q, e);
    return -1;
}

void lobby_leave(struct change *c, int seat)
{
    const struct table *t = c->table;
    bool empty = true;

    change_add(c,
               &(struct entry){.kind = ENTRY_LEAVE, .seat = (uint16_t)seat});
    for (int i = 0; i < t->seats; i++)
        empty = empty && t->seat[i] == 0;
    if (empty)
        change_add(c, &(struct entry){.kind = ENTRY_ABANDON,
                                      .seat = ENTRY_NOBODY});
}

void handle_table_leave(struct hub *hub, struct table *t, struct request *q)
{
    int seat = open_seat(hub, t, q);

    if (seat < 0)
        return;
    struct change *c = change_begin(hub, q, t);
    lobby_leave(c, seat);
    keep_ply(c, -1);
    change_submit(c, key_answer);
}

void handle_table_nonce(struct hub *hub, struct table *t, struct request *q)
{
    const char *nonce = param_text(q, "nonce");
    int seat = open_seat(hub, t, q);

    if (seat < 0)
        return;
    if (strcmp(t->nonce[seat], nonce) == 0) { /* said again */
        struct json_out *o = result_begin(hub, q);
        out_int(o, "ply", (int64_t)t->log.count - 1);
        out_bool(o, "duplicate", true);
        result_end(hub, q);
        return;
    }
    if (t->nonce[seat][0] != '\0') {
        refuse(hub, q, ERR_NONCE_GIVEN);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    give_nonce(c, seat, nonce);
    keep_ply(c, -1);
    change_submit(c, key_answer);
}

void handle_table_start(struct hub *hub, struct table *t, struct request *q)
{
    uint32_t kept = 0;
    int count = 0;
    enum error e = table_may_see(t, q);

    for (int seat = 0; seat < t->seats; seat++) {
        kept |= t->seat[seat] != 0 ? 1u << seat : 0;
        count += t->seat[seat] != 0;
    }
    if (e == ERR_NONE && q->account != t->owner)
        e = ERR_FORBIDDEN;
    if (e == ERR_NONE && t->state != TABLE_OPEN)
        e = ERR_ALREADY_STARTED;
    if (e == ERR_NONE && !table_playable_by(t, count))
        e = ERR_TOO_FEW_SEATED;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    start(c, kept);
    keep_ply(c, -1);
    change_submit(c, key_answer);
}

/* ---- invitations -------------------------------------------------------- */

void lobby_invite(struct change *c, id_num account, const char *name)
{
    struct table *t = c->table;
    struct op *op = change_op(c, OP_INVITE);

    op->account = account;
    t->invited[t->invited_count++] = account;
    table_know(t, account, name);
    change_concerns(c, account, "invited");
}

static void invited_stored(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

static void invitee_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct table *t = q->table;
    id_num id = answer->account_count == 1 ? answer->accounts->id : 0;
    enum error e = ERR_NONE;

    if (id == 0 || answer->accounts->kind == ACCOUNT_DELETED)
        e = ERR_NO_SUCH_USER;
    else if (table_viewer(t, id) != RULES_WATCHER)
        e = ERR_ALREADY_INVITED;
    for (size_t i = 0; i < t->invited_count; i++)
        if (t->invited[i] == id)
            e = ERR_ALREADY_INVITED;
    if (e == ERR_NONE && t->invited_count >= LIMIT_INVITED)
        e = ERR_TOO_MANY_INVITED;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    lobby_invite(c, id, param_text(q, "name"));
    change_submit(c, invited_stored);
}

void handle_table_invite(struct hub *hub, struct table *t, struct request *q)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "name"),
    };
    if (open_seat(hub, t, q) >= 0)
        hub_ask(hub, q, &ask, invitee_found);
}
