/* table_links.c -- personal links: who opens one may sit down at a table.
 *
 * Who made an open table makes them.  The link is one of links.c, good for so many
 * people and so long; who needs it to come in uses it up in the transaction that
 * seats them, so that of all who come at once no more get in than it is for, and a
 * crash loses no use and gives none back. */

#include "inner.h"

/* Whether Q is by who made T, which is still open; else refuses it. */
static bool may_manage(struct hub *hub, const struct table *t,
                       struct request *q)
{
    enum error e = table_may_see(t, q);

    if (e == ERR_NONE && q->account != t->owner)
        e = ERR_FORBIDDEN;
    if (e == ERR_NONE && t->state != TABLE_OPEN)
        e = ERR_ALREADY_STARTED;
    if (e != ERR_NONE)
        refuse(hub, q, e);
    return e == ERR_NONE;
}

static void ask_links(struct hub *hub, struct request *q, id_num after,
                      size_t limit, answered_cb then)
{
    struct question ask = {
        .kind = ASK_LINKS,
        .limit = limit,
        .u.links =
            {
                .purpose = LINK_TABLE,
                .table = q->table->id,
                .after = after,
            },
    };
    hub_ask(hub, q, &ask, then);
}

static void create_counted(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    if (answer->link_count >= LIMIT_TABLE_LINKS)
        refuse(hub, q, ERR_TOO_MANY_LINKS);
    else
        link_make(change_begin(hub, q, q->table), LINK_TABLE, 0, q->table->id);
}

void handle_table_links_create(struct hub *hub, struct table *t,
                               struct request *q)
{
    if (!may_manage(hub, t, q))
        return;
    if (param_int(q, "until", INT64_MAX) <= hub->now_ms)
        refuse_param(hub, q, "/until", "a time that is still to come");
    else
        ask_links(hub, q, 0, LIMIT_TABLE_LINKS, create_counted);
}

static void listed(struct hub *hub, struct request *q,
                   const struct answer *answer)
{
    struct json_out *o = list_begin(hub, q, "links");

    for (size_t i = 0; i < answer->link_count; i++)
        link_write(o, NULL, &answer->links[i]);
    list_end(hub, q, 0);
}

void handle_table_links_list(struct hub *hub, struct table *t,
                             struct request *q)
{
    if (may_manage(hub, t, q))
        ask_links(hub, q, 0, LIMIT_TABLE_LINKS, listed);
}

static void revoke_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct change *c = link_drop(hub, q->table, q, answer);

    if (c != NULL)
        change_submit(c, link_dropped);
}

void handle_table_links_revoke(struct hub *hub, struct table *t,
                               struct request *q)
{
    id_num id;

    if (!may_manage(hub, t, q))
        return;
    if (id_read(param_text(q, "link"), &id) && id != 0)
        ask_links(hub, q, id - 1, 1, revoke_found);
    else
        refuse(hub, q, ERR_NO_SUCH_LINK);
}
