/* invitations.c -- who is asked to an open table: invited, declined, over.
 *
 * An invitation lets somebody join whom nothing else lets in, and ends with the
 * start.  Before that whoever has it may decline it, and one that nobody has
 * answered goes when its time is over: a job looks for these, so it counts for up
 * to a minute longer.  Who made it is told of either. */

#include "invitations.h"

#include "inner.h"

/* How often it is looked for what is over, and how many at once. */
#define EVERY_MS     (60 * INT64_C(1000))
#define INVITES_STEP 100

struct invitation invitation_by(const struct hub *hub, id_num inviter,
                                id_num account)
{
    return (struct invitation){
        .account = account,
        .inviter = inviter,
        .until = hub->now_ms + LIMIT_INVITATION_MS,
    };
}

/* ---- inviting ----------------------------------------------------------- */

/* Few tables have any, and many are in memory: their room grows with them. */
static void make_room(struct table *t)
{
    size_t room = t->invited_room < 4 ? 4 : 2 * t->invited_room;
    struct invitation *more;

    if (t->invited_count < t->invited_room)
        return;
    more = region_take(&t->region, room * sizeof(*more));
    for (size_t i = 0; i < t->invited_count; i++)
        more[i] = t->invited[i];
    t->invited = more;
    t->invited_room = room;
}

void invitations_let_in(struct change *c, const struct invitation *who,
                        const char *name)
{
    struct table *t = c->table;
    struct op *op = change_op(c, OP_INVITE);
    id_num account = who->account;

    op->account = account;
    op->u.invite = *who;
    make_room(t);
    t->invited[t->invited_count++] = *who;
    table_know(t, account, name);
}

void invitations_add(struct change *c, const struct invitation *who,
                     const char *name)
{
    invitations_let_in(c, who, name);
    change_concerns(c, who->account, "invited");
}

static void done(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

/* Whom a block keeps from the table is let in, so that it looks as with others,
 * but not told, and does not see it. */
static void invitee_known(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    const struct invitation *who = q->kept;

    for (size_t i = 0; i < answer->block_count; i++)
        if (answer->blocks[i].account == q->account) {
            refuse(hub, q, ERR_BLOCKED);
            return;
        }
    struct change *c = change_begin(hub, q, q->table);
    if (answer->block_count > 0)
        invitations_let_in(c, who, param_text(q, "name"));
    else
        invitations_add(c, who, param_text(q, "name"));
    change_submit(c, done);
}

/* Asks what is between WHO, who may be invited, and those at their table. */
static void ask_blocks(struct hub *hub, struct request *q,
                       const struct invitation *who)
{
    const struct table *t = q->table;
    id_num others[RULES_SEATS_MAX + 1];
    size_t n = 0;

    for (int seat = 0; seat < t->seats; seat++)
        if (t->seat[seat] != 0)
            others[n++] = t->seat[seat];
    others[n++] = t->owner;
    struct invitation *kept = q->kept = region_take(&q->region, sizeof(*kept));
    *kept = *who;
    blocks_ask(hub, q, who->account, others, n, invitee_known);
}

static void invitee_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct table *t = q->table;
    id_num id = answer->account_count == 1 ? answer->accounts->id : 0;
    enum error e = ERR_NONE;

    if (id == 0 || answer->accounts->kind == ACCOUNT_DELETED)
        e = ERR_NO_SUCH_USER;
    else if (answer->accounts->kind == ACCOUNT_BOT)
        e = ERR_IS_A_BOT;
    else if (table_viewer(t, id) != RULES_WATCHER)
        e = ERR_ALREADY_INVITED;
    for (size_t i = 0; i < t->invited_count; i++)
        if (t->invited[i].account == id)
            e = ERR_ALREADY_INVITED;
    if (e == ERR_NONE && t->invited_count >= LIMIT_INVITED)
        e = ERR_TOO_MANY_INVITED;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct invitation who = invitation_by(hub, q->account, id);
    who.until = param_int(q, "until", who.until);
    ask_blocks(hub, q, &who);
}

void handle_table_invite(struct hub *hub, struct table *t, struct request *q)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "name"),
    };
    if (lobby_own_seat(hub, t, q) < 0)
        return;
    if (param_int(q, "until", INT64_MAX) <= hub->now_ms)
        refuse_param(hub, q, "/until", "a time that is still to come");
    else
        hub_ask(hub, q, &ask, invitee_found);
}

/* ---- declining ------------------------------------------------------------ */

const struct invitation *invitation_of(const struct table *t, id_num account)
{
    for (size_t i = 0; i < t->invited_count; i++)
        if (t->invited[i].account == account)
            return &t->invited[i];
    return NULL;
}

/* Adds to C that WHO, one of its table's, is none any more, and KIND to what
 * concerns who made it; unless NULL. */
static void take_back(struct change *c, const struct invitation *who,
                      const char *kind)
{
    struct table *t = c->table;
    size_t i = (size_t)(who - t->invited);
    id_num inviter = who->inviter != 0 ? who->inviter : t->owner;

    change_op(c, OP_INVITE_DROP)->account = who->account;
    t->invited_count--;
    memmove(&t->invited[i], &t->invited[i + 1],
            (t->invited_count - i) * sizeof(*t->invited));
    if (kind != NULL)
        change_concerns(c, inviter, kind);
}

void handle_table_decline(struct hub *hub, struct table *t, struct request *q)
{
    const struct invitation *own = invitation_of(t, q->account);
    enum error e = table_may_see(t, q);

    if (e == ERR_NONE && t->state != TABLE_OPEN)
        e = ERR_ALREADY_STARTED;
    if (e == ERR_NONE && table_viewer(t, q->account) != RULES_WATCHER)
        e = ERR_ALREADY_SEATED;
    if (e == ERR_NONE && own == NULL)
        e = ERR_NO_INVITATION;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    take_back(c, own, "declined");
    change_submit(c, done);
}

/* ---- those that are over ---------------------------------------------------- */

/* Q's account was invited to T, and has answered by sitting down, or not. */
static void expire(struct hub *hub, struct table *t, struct request *q)
{
    const struct invitation *is = invitation_of(t, q->account);

    if (!t->readable || t->state != TABLE_OPEN || is == NULL ||
        is->until == 0 || is->until > hub->now_ms) {
        result_empty(hub, q);
        return;
    }
    bool sits = table_viewer(t, q->account) != RULES_WATCHER;
    q->account = 0; /* nobody's doing, and all are told */
    struct change *c = change_begin(hub, q, t);
    take_back(c, is, sits ? NULL : "expired");
    change_submit(c, done);
}

static void over_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    for (size_t i = 0; i < answer->place_count; i++) {
        struct request *job = job_new(hub);
        job->account = answer->places[i].account;
        job->job = expire;
        table_job(hub, job, answer->places[i].table);
    }
    result_empty(hub, q);
}

void invitations_tick(struct hub *hub)
{
    struct question ask = {
        .kind = ASK_INVITES,
        .limit = INVITES_STEP,
        .u.until = hub->now_ms,
    };

    if (hub->now_ms < hub->invites_ms)
        return;
    hub->invites_ms = hub->now_ms + EVERY_MS;
    hub_ask(hub, job_new(hub), &ask, over_found);
}
