/* admin_delete.c -- somebody is deleted.
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
    struct question ask = {
        .kind = ASK_MINE,
        .limit = COUNT_OF(leaver_of(q)->tables),
        .u.mine =
            {
                .account = leaver_of(q)->row.id,
                .state = -1,
                .running = true,
                .seated = true,
            },
    };
    hub_ask(hub, q, &ask, tables_found);
}

static void account_gone(struct hub *hub, struct request *q)
{
    struct leaver *p = leaver_of(q);

    p->gone = true;
    p->ended = sessions_cut(hub, p->row.id, 0, "account_deleted", NULL);
    maintenance_rename(hub, p->row.id, "");
    ask_tables(hub, q);
}

static void delete_next(struct hub *hub, struct request *q)
{
    struct leaver *p = leaver_of(q);

    if (p->next < p->count) {
        q->job = clear_table;
        table_job(hub, q, p->tables[p->next++]);
    } else if (!p->gone) {
        struct change *c = change_begin(hub, q, NULL);
        struct op *op = change_op(c, OP_ACCOUNT_DROP);
        op->account = p->row.id;
        sessions_end(c, p->row.id);
        audit_put(c, q, 0, p->row.id);
        change_submit(c, account_gone);
    } else {
        deleted(hub, q);
    }
}

static void delete_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    if (!user_found(hub, q, answer))
        return;
    struct leaver *p = q->kept = region_take(&q->region, sizeof(*p));
    account_copy(q, &p->row, answer->accounts);
    ask_tables(hub, q);
}

void handle_admin_users_delete(struct hub *hub, struct request *q)
{
    user_find(hub, q, delete_found);
}
