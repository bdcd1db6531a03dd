/* seats.c -- seats that change hands while the game goes on: one that is offered
 * is taken over, one that is gone is taken back; and time that is given. */

#include "inner.h"

/* Whether ACCOUNT had a seat at T, or has one. */
static bool had_seat(const struct table *t, id_num account)
{
    struct log_reader r;
    struct entry e;

    log_reader_at(&r, &t->log, 0);
    while (log_read(&r, &e))
        if (entry_forms[e.kind].account && e.u.account == account)
            return true;
    return false;
}

static bool is_on(struct hub *hub, struct table *t, struct request *q)
{
    enum error e = table_may_see(t, q);

    if (e == ERR_NONE && t->state != TABLE_PLAYING)
        e = t->state == TABLE_OPEN ? ERR_NOT_STARTED : ERR_GAME_OVER;
    if (e != ERR_NONE)
        refuse(hub, q, e);
    return e == ERR_NONE;
}

static void ply_stored(struct hub *hub, struct request *q)
{
    struct json_out *o = result_begin(hub, q);

    out_int(o, "ply", q->ply);
    result_end(hub, q);
}

static void say(struct change *c, const struct entry *e)
{
    c->request->ply = c->table->log.count;
    change_add(c, e);
    change_submit(c, ply_stored);
}

/* ---- one that is offered ------------------------------------------------- */

static enum error may_take(const struct hub *hub, const struct table *t,
                           const struct request *q, const struct entry *e)
{
    if (e->seat >= t->seats)
        return ERR_NO_SUCH_SEAT;
    if (t->row.join_password != NULL && !lobby_welcome(t, q->account))
        return ERR_FORBIDDEN;
    if (table_viewer(t, q->account) != RULES_WATCHER)
        return ERR_ALREADY_SEATED;
    if (blocks_there(t, q, e->seat))
        return ERR_BLOCKED;
    if (!clocks_may_say(hub, t, e) || blocks_shut(t, q, e->seat))
        return ERR_NOT_OFFERED;
    return had_seat(t, q->account) ? ERR_WAS_SEATED : ERR_NONE;
}

static struct entry taking(const struct table *t, const struct request *q)
{
    int64_t seat = param_int(q, "seat", 0);
    bool voted = t->clocks != NULL && seat < t->seats &&
                 timing_offered_by_vote(&t->clocks->timing, (int)seat);

    return (struct entry){
        .kind = ENTRY_REPLACED,
        .seat = (uint16_t)seat,
        .more.why = voted ? WHY_VOTE : WHY_OPEN,
        .u.account = q->account,
    };
}

static void take_counted(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct table *t = q->table;
    const struct entry e = taking(t, q);
    enum error why = may_take(hub, t, q, &e);
    const struct account *a = map_get(&hub->accounts, q->account);

    if (why == ERR_NONE && answer->listed_count >= LIMIT_TABLES)
        why = ERR_TOO_MANY_TABLES;
    if (why != ERR_NONE) {
        refuse(hub, q, why);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    blocks_require(c, e.seat);
    change_concerns(c, t->seat[e.seat], "unseated");
    change_call(c, q->account, a != NULL ? a->name : q->name);
    say(c, &e);
}

static void take_admitted(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    (void)answer;
    lobby_count(hub, q, take_counted);
}

void handle_table_take(struct hub *hub, struct table *t, struct request *q)
{
    const struct entry e = taking(t, q);

    if (!is_on(hub, t, q))
        return;
    enum error why = may_take(hub, t, q, &e);
    if (why != ERR_NONE)
        refuse(hub, q, why);
    else
        results_admit(hub, q, t->row.rated, take_admitted);
}

/* ---- one that is gone ------------------------------------------------------ */

void handle_table_return(struct hub *hub, struct table *t, struct request *q)
{
    int seat = table_viewer(t, q->account);

    if (!is_on(hub, t, q))
        return;
    if (seat == RULES_WATCHER) {
        refuse(hub, q, ERR_NOT_SEATED);
        return;
    }
    const struct entry e = {
        .kind = ENTRY_REPLACED,
        .seat = (uint16_t)seat,
        .more.why = WHY_SELF,
        .u.account = q->account,
    };
    if (t->clocks == NULL || !t->clocks->timing.clock.seat[seat].gone ||
        (t->resigned & RULES_BIT(seat)) != 0)
        refuse(hub, q, ERR_NOT_GONE);
    else if (!clocks_may_say(hub, t, &e))
        refuse(hub, q, ERR_TOO_MANY_RETURNS);
    else
        say(change_begin(hub, q, t), &e);
}

/* ---- time that is given --------------------------------------------------- */

void handle_table_give(struct hub *hub, struct table *t, struct request *q)
{
    int seat = table_viewer(t, q->account);

    if (!is_on(hub, t, q))
        return;
    const struct entry e = {
        .kind = ENTRY_GIVE,
        .seat = (uint16_t)seat,
        .more.to = (uint8_t)(1 - seat),
        .more.seconds = (int32_t)param_int(q, "seconds", 0),
    };
    if (seat == RULES_WATCHER)
        refuse(hub, q, ERR_NOT_SEATED);
    else if (t->clocks == NULL)
        refuse(hub, q, ERR_NO_PACE);
    else if (t->seats != 2)
        refuse(hub, q, ERR_FORBIDDEN);
    else if (!clocks_may_say(hub, t, &e))
        refuse(hub, q, ERR_GIVEN_ENOUGH);
    else
        say(change_begin(hub, q, t), &e);
}
