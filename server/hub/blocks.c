/* blocks.c -- people who do not want to meet.
 *
 * A block is known to who made it alone.  Whom it keeps from a table that has not
 * begun is answered as if that table were private: it is in no list, and there is
 * no such table.  Whom it keeps from a seat that is offered is answered as if it
 * had just been taken back.  Who blocks is told so.  Whoever both sit with already
 * stays, and what they play together goes on.
 *
 * The store knows all blocks, the hub none: a request asks for those between who
 * asks and those it is about before anything is decided, and a transaction by
 * which two would meet says that they are to be apart. */

#include "blocks.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "inner.h"

/* ---- asking --------------------------------------------------------------- */

bool blocks_own(const struct request *q, id_num account)
{
    for (size_t i = 0; i < q->block_count; i++)
        if (q->blocks[i].account == q->account &&
            q->blocks[i].other == account)
            return true;
    return false;
}

bool blocks_by(const struct request *q, id_num account)
{
    for (size_t i = 0; i < q->block_count; i++)
        if (q->blocks[i].account == account &&
            q->blocks[i].other == q->account)
            return true;
    return false;
}

typedef bool (*blocks_fn)(const struct request *q, id_num account);

static bool any_at(const struct table *t, const struct request *q, int but,
                   blocks_fn is)
{
    for (int seat = 0; seat < t->seats; seat++)
        if (seat != but && t->seat[seat] != 0 && is(q, t->seat[seat]))
            return true;
    return t->state == TABLE_OPEN && is(q, t->owner);
}

bool blocks_there(const struct table *t, const struct request *q, int but)
{
    return any_at(t, q, but, blocks_own);
}

bool blocks_shut(const struct table *t, const struct request *q, int but)
{
    return any_at(t, q, but, blocks_by);
}

void blocks_keep(struct request *q, const struct answer *answer)
{
    struct block_row *rows =
        region_take(&q->region, (answer->block_count + 1) * sizeof(*rows));

    for (size_t i = 0; i < answer->block_count; i++)
        rows[i] = answer->blocks[i];
    q->blocks = rows;
    q->block_count = answer->block_count;
}

void blocks_ask(struct hub *hub, struct request *q, id_num account,
                const id_num *others, size_t count, answered_cb then)
{
    struct question ask = {
        .kind = ASK_BLOCKED,
        .u.blocked = {.account = account, .others = others, .count = count},
    };
    hub_ask(hub, q, &ask, then);
}

/* ---- before a request ------------------------------------------------------ */

/* Whether T is hidden from whom somebody there blocks, if that is who asks. */
static bool may_hide(const struct table *t, const struct request *q)
{
    return t->state == TABLE_OPEN &&
           table_viewer(t, q->account) == RULES_WATCHER;
}

/* Whether it is asked of all who watch, too. */
static bool about_watchers(const struct request *q)
{
    return q->method == M_TABLE_JOIN || q->method == M_TABLE_CHAT;
}

static bool is_judged(const struct table *t, const struct request *q)
{
    if (q->account == 0 || !t->readable ||
        methods[q->method].role == ROLE_ADMIN)
        return false;
    return may_hide(t, q) || q->method == M_TABLE_TAKE ||
           q->method == M_TABLE_CHAT || q->method == M_TABLE_REMATCH;
}

static void known(struct hub *hub, struct request *q,
                  const struct answer *answer)
{
    blocks_keep(q, answer);
    q->judged = true;
    table_handle(hub, q->table, q);
}

bool blocks_first(struct hub *hub, struct table *t, struct request *q)
{
    size_t n = 0;

    if (!is_judged(t, q))
        return false;
    if (q->judged) {
        bool shut = may_hide(t, q) && blocks_shut(t, q, -1);
        if (shut)
            lobby_unknown(hub, q);
        return shut;
    }
    id_num *others = region_take(&q->region,
                                 (RULES_SEATS_MAX + t->watcher_count + 1) *
                                     sizeof(*others));
    for (int seat = 0; seat < t->seats; seat++)
        if (t->seat[seat] != 0 && t->seat[seat] != q->account)
            others[n++] = t->seat[seat];
    if (t->owner != q->account && table_viewer(t, t->owner) == RULES_WATCHER)
        others[n++] = t->owner;
    for (const struct watched *w = t->watchers; w != NULL && about_watchers(q);
         w = w->next_at_table) {
        id_num who = watched_account(w);
        if (who != 0 && who != q->account &&
            table_viewer(t, who) == RULES_WATCHER)
            others[n++] = who;
    }
    if (n == 0)
        return false;
    blocks_ask(hub, q, q->account, others, n, known);
    return true;
}

/* ---- as part of a change ---------------------------------------------------- */

static void require(struct change *c, id_num other)
{
    id_num account = c->request->account;

    if (other == 0 || other == account || bot_of(c->hub, other) != NULL)
        return;
    struct op *op = change_op(c, OP_REQUIRE_APART);
    op->account = account;
    op->u.other = other;
}

void blocks_require(struct change *c, int but)
{
    const struct table *t = c->table;

    for (int seat = 0; seat < t->seats; seat++)
        if (seat != but)
            require(c, t->seat[seat]);
    if (t->state == TABLE_OPEN && table_viewer(t, t->owner) == RULES_WATCHER)
        require(c, t->owner);
}

void blocks_hide(struct table *t, const struct request *q)
{
    struct watched *w = t->watchers;

    while (w != NULL) {
        struct watched *next = w->next_at_table;
        id_num who = watched_account(w);
        if (blocks_own(q, who) && table_viewer(t, who) == RULES_WATCHER)
            watched_free(w);
        w = next;
    }
}

/* ---- one's own --------------------------------------------------------------- */

void block_write(struct json_out *o, const struct block_row *b)
{
    out_string(o, "name", b->name != NULL ? b->name : "");
    out_int(o, "at", b->at);
}

static int by_name(const void *a, const void *b)
{
    return ascii_compare(((const struct block_row *)a)->name,
                         ((const struct block_row *)b)->name);
}

static void listed(struct hub *hub, struct request *q,
                   const struct answer *answer)
{
    struct json_out *o = list_begin(hub, q, "blocks");

    if (answer->block_count > 0)
        qsort(answer->blocks, answer->block_count, sizeof(*answer->blocks),
              by_name);

    for (size_t i = 0; i < answer->block_count; i++) {
        out_object(o, NULL);
        block_write(o, &answer->blocks[i]);
        out_end(o);
    }
    list_end(hub, q, 0);
}

void handle_account_blocks_list(struct hub *hub, struct request *q)
{
    struct question ask = {.kind = ASK_BLOCKS, .u.account = q->account};

    hub_ask(hub, q, &ask, listed);
}

static void done(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

/* Whether OTHER is not to see T because of ACCOUNT, who blocks them. */
static bool is_parted(const struct table *t, id_num account, id_num other)
{
    return t->readable && t->state == TABLE_OPEN &&
           table_viewer(t, other) == RULES_WATCHER &&
           (t->owner == account || table_viewer(t, account) != RULES_WATCHER);
}

void blocks_part(struct hub *hub, id_num account, id_num other)
{
    const struct account *a = map_get(&hub->accounts, other);
    const struct peer *p = a != NULL ? a->here : NULL;

    for (; p != NULL; p = p->next_here)
        for (struct watched *w = p->watched, *next; w != NULL; w = next) {
            next = w->next;
            if (is_parted(w->table, account, other))
                watched_free(w);
        }
}

static void blocked(struct hub *hub, struct request *q)
{
    const struct block_row *b = q->kept;

    blocks_part(hub, b->account, b->other);
    done(hub, q);
}

static void other_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    bool on = q->method == M_ACCOUNT_BLOCKS_ADD;

    if ((on && bots_refuse(hub, q, answer)) || !user_found(hub, q, answer))
        return;
    if (answer->accounts->id == q->account) {
        refuse_param(hub, q, "/name", "somebody else's");
        return;
    }
    struct block_row *b = region_take(&q->region, sizeof(*b));
    *b = (struct block_row){
        .account = q->account,
        .other = answer->accounts->id,
        .at = hub->now_ms,
    };
    q->kept = b;
    q->conflict = ERR_TOO_MANY_BLOCKED;
    struct change *c = change_begin(hub, q, NULL);
    change_op(c, on ? OP_BLOCK : OP_BLOCK_DROP)->u.block = *b;
    change_submit(c, on ? blocked : done);
}

static void find_other(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "name"),
    };
    hub_ask(hub, q, &ask, other_found);
}

void handle_account_blocks_add(struct hub *hub, struct request *q)
{
    find_other(hub, q);
}

void handle_account_blocks_remove(struct hub *hub, struct request *q)
{
    find_other(hub, q);
}
