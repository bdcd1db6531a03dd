/* rematch.c -- what was played at a table that is over is played again, by those
 * who sat there: at a new table of the same settings, where the seats are turned
 * by one, so that who was second begins.
 *
 * Whoever asks first makes it and sits there; the others are invited, each to the
 * seat that is theirs by turn, for as long as it takes them to answer; bots come
 * along.  The first table remembers the new one, so that who asks later is told
 * of that, or of the one that was opened in its place; unless it was given up:
 * then there is another.  Two who ask at once
 * are asked for one after the other, as anything at a table is; the store judges
 * between servers. */

#include "inner.h"

/* Where who sat in SEAT sits when T is played again. */
static int turned(const struct table *t, int seat)
{
    return (seat + t->seats - 1) % t->seats;
}

/* Why what was played at T is not played again for who asks Q, or ERR_NONE. */
static enum error may_rematch(const struct table *t, const struct request *q)
{
    enum error e = table_may_see(t, q);

    if (e == ERR_NONE && table_viewer(t, q->account) == RULES_WATCHER)
        e = ERR_NOT_SEATED;
    if (e == ERR_NONE && t->state < TABLE_FINISHED)
        e = ERR_NOT_FINISHED;
    /* By now everybody knows what others had in their hands there. */
    if (e == ERR_NONE && t->setup.position != NULL)
        e = ERR_IS_A_FORK;
    return e;
}

/* The same of the bots that play there, at as many of the asker's tables as
 * ANSWER tells. */
static enum error may_bring_bots(const struct hub *hub, const struct table *t,
                                 const struct answer *answer)
{
    bool substitute = t->clocks != NULL &&
                      t->clocks->timing.terms.policy == POLICY_BOT;
    bool seated = bots_at(hub, t) != 0;

    if ((substitute || seated) && !bots_there(hub))
        return ERR_NO_BOTS;
    return seated && bots_tables(hub, answer) >= LIMIT_BOT_TABLES
               ? ERR_TOO_MANY_BOT_TABLES
               : ERR_NONE;
}

/* All who sat at WAS but who asks, and who has been deleted since. */
static void invite_others(struct change *c, const struct table *was)
{
    for (int seat = 0; seat < was->seats; seat++) {
        id_num account = was->seat[seat];
        if (account == c->request->account || was->name[seat][0] == '\0' ||
            bot_of(c->hub, account) != NULL)
            continue;
        const struct invitation who = {
            .account = account,
            .seat = (uint8_t)(turned(was, seat) + 1),
            .inviter = c->request->account,
        };
        if (blocks_by(c->request, account))
            invitations_let_in(c, &who, was->name[seat]);
        else
            invitations_add(c, &who, was->name[seat]);
    }
}

static void seat_bots(struct change *c, const struct table *was)
{
    for (int seat = 0; seat < was->seats; seat++) {
        const struct bot *bot = bot_of(c->hub, was->seat[seat]);
        if (bot != NULL)
            bots_seat(c, turned(was, seat), bot->level);
    }
}

/* The answer: that table ID is where it is played again. */
static void write_where(struct json_out *o, id_num id, bool made)
{
    write_id(o, "table", id);
    out_bool(o, "made", made);
}

static void make_rematch(struct hub *hub, struct request *q)
{
    const struct table *was = q->table;
    struct change *c = change_begin(hub, q, q->table);
    struct op *op = change_op(c, OP_REMATCH);
    struct table *t = table_like(hub, was, was->seats, q->account);
    int seat = turned(was, table_viewer(was, q->account));
    struct json_out o;

    t->row.start_full = true; /* as many as there were */
    op->u.rematch = t->id;
    change_also(c, t);
    lobby_put_row(c);
    invite_others(c, was);
    change_add(c, &(struct entry){.kind = ENTRY_CREATE, .seat = ENTRY_NOBODY});
    lobby_seat(c, seat);
    if (param(q, "nonce") != NULL)
        lobby_nonce(c, seat, param_text(q, "nonce"));
    seat_bots(c, was);
    lobby_start_if_full(c);
    json_out_init(&o);
    out_object(&o, NULL);
    write_where(&o, t->id, true);
    out_end(&o);
    key_keep(c, &o);
    json_out_done(&o);
    change_submit(c, key_answer);
}

static void rematch_counted(struct hub *hub, struct request *q,
                            const struct answer *answer)
{
    enum error e = may_bring_bots(hub, q->table, answer);

    if (blocks_there(q->table, q, -1))
        e = ERR_BLOCKED;
    if (answer->listed_count >= LIMIT_TABLES)
        e = ERR_TOO_MANY_TABLES;
    if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        make_rematch(hub, q);
}

static void rematch_known(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    if (answer->rematch == 0) {
        /* What came to nothing is played again only where it was opened. */
        if (q->table->state == TABLE_FINISHED)
            lobby_count(hub, q, rematch_counted);
        else
            refuse(hub, q, ERR_NOT_FINISHED);
        return;
    }
    write_where(result_begin(hub, q), answer->rematch, false);
    result_end(hub, q);
}

void handle_table_rematch(struct hub *hub, struct table *t, struct request *q)
{
    struct question ask = {.kind = ASK_REMATCH, .u.table = {.id = t->id}};
    enum error e = may_rematch(t, q);

    if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        hub_ask(hub, q, &ask, rematch_known);
}
