/* look.c -- what a hub does about what it hears of others (news.h): it looks at
 * what it has in memory of that.
 *
 * At a table a job stands before whatever waits there, behind those that were
 * heard of earlier.  A table that is behind reads what it lacks; all who watch it
 * hear of that as when a transaction has failed, and then of the texts behind the
 * last one that they were told (texts_told), each in its turn.
 *
 * People are looked at a few at a time, however many there are; one whom the store
 * could not tell of is looked at again a second later. */

#include <stdlib.h>

#include "inner.h"

#define EFFORT_LOOK 50 /* to begin with a table */

void id_put(struct id_list *list, id_num id)
{
    if (list->count == list->cap) {
        list->cap = list->cap > 0 ? 2 * list->cap : 16;
        list->ids = reallocarray(list->ids, list->cap, sizeof(*list->ids));
        ASSERT(list->ids != NULL);
    }
    list->ids[list->count++] = id;
}

/* ---- texts --------------------------------------------------------------- */

/* Texts of a table that those who watch it are to be shown. */
struct showing {
    struct hub *hub;
    id_num table;
    uint64_t next, last;
    bool over; /* all that there is to be shown was */
    struct text_row row;
};

/* Who cannot be told what was said comes again, and reads it. */
static void showing_done(struct request *q)
{
    const struct showing *s = q->kept;
    struct table *t = table_find(s->hub, s->table);

    if (!s->over && t != NULL)
        watch_drop(s->hub, t);
}

static void show_next(struct hub *hub, struct table *t, struct request *q);

static void show(struct hub *hub, struct request *q)
{
    struct showing *s = q->kept;

    talk_show(hub, q->table, &s->row, q->block_count > 0 ? q : NULL);
    s->next++;
    show_next(hub, q->table, q);
}

static void blocks_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    blocks_keep(q, answer);
    show(hub, q);
}

/* The accounts of those who watch T, but AUTHOR, into TO. */
static size_t readers_of(const struct table *t, id_num author, id_num *to)
{
    size_t n = 0;

    for (const struct watched *w = t->watchers; w != NULL;
         w = w->next_at_table) {
        id_num who = watched_account(w);
        if (who != 0 && who != author)
            to[n++] = who;
    }
    return n;
}

static void text_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct showing *s = q->kept;
    const struct table *t = q->table;
    id_num *others = region_take(&q->region,
                                 (t->watcher_count + 1) * sizeof(*others));

    if (answer->text_count != 1 || answer->texts->number != s->next) {
        s->next++;
        show_next(hub, q->table, q);
        return;
    }
    s->row = *answer->texts;
    s->row.name = region_copy(&q->region, s->row.name);
    s->row.body = region_copy(&q->region, s->row.body);
    q->account = s->row.from;
    q->block_count = 0;
    size_t n = readers_of(t, s->row.from, others);
    if (n == 0 || s->row.body == NULL)
        show(hub, q);
    else
        blocks_ask(hub, q, q->account, others, n, blocks_found);
}

/* Words are asked for only if somebody is there to read them. */
static void show_next(struct hub *hub, struct table *t, struct request *q)
{
    struct showing *s = q->kept;

    if (s->next > s->last || t->watchers == NULL || !t->readable) {
        s->over = true;
        result_empty(hub, q);
        return;
    }
    struct question ask = {
        .kind = ASK_TEXTS,
        .limit = 1,
        .u.texts = {.table = t->id, .room = ROOM_ANY, .before = s->next + 1},
    };
    hub_ask(hub, q, &ask, text_found);
}

/* Those of T's texts from NEXT to LAST are shown before anything else is done
 * there. */
static void show_texts(struct hub *hub, struct table *t, uint64_t next,
                       uint64_t last)
{
    struct request *q = job_new(hub);
    struct showing *s = q->kept = region_take(&q->region, sizeof(*s));

    *s = (struct showing){.hub = hub,
                          .table = t->id,
                          .next = next,
                          .last = last};
    q->job = show_next;
    q->done = showing_done;
    queue_put_first(&t->queue, q);
}

void look_loaded(struct hub *hub, struct table *t)
{
    uint64_t told = t->texts_told;

    t->texts_told = t->texts_last;
    if (!hub->config.shared || t->watchers == NULL || t->texts_last <= told)
        return;
    if (t->texts_last - told > LIMIT_TEXTS_MISSED)
        watch_drop(hub, t);
    else
        show_texts(hub, t, told + 1, t->texts_last);
}

/* Of those that were told, the last ones that are there no more, as nobody knows
 * which they are. */
static void removed_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    for (size_t i = 0; i < answer->text_count; i++)
        if (answer->texts[i].body == NULL)
            talk_show(hub, q->table, &answer->texts[i], NULL);
    result_empty(hub, q);
}

static void show_removed(struct hub *hub, struct table *t, struct request *q)
{
    struct question ask = {
        .kind = ASK_TEXTS,
        .limit = LIMIT_TEXTS_REMOVED,
        .u.texts = {.table = t->id, .room = ROOM_ANY},
    };

    if (!t->readable || t->watchers == NULL)
        result_empty(hub, q);
    else
        hub_ask(hub, q, &ask, removed_found);
}

/* ---- tables -------------------------------------------------------------- */

static bool is_behind(const struct table *t, const struct heard *h)
{
    return h->beside || h->all || h->text > t->texts_last ||
           h->entries > t->log.count;
}

/* A table that is behind reads what it lacks. */
static void catch_up(struct hub *hub, struct table *t, struct request *q)
{
    const struct heard h = *(const struct heard *)q->kept;

    if (t->watchers != NULL && h.removed != 0)
        show_texts(hub, t, h.removed, h.removed);
    if (t->watchers != NULL && h.all) {
        struct request *then = job_new(hub);
        then->job = show_removed;
        queue_put_first(&t->queue, then);
    }
    bool behind = is_behind(t, &h);
    q->table = NULL;
    result_empty(hub, q);
    if (behind)
        table_refetch(hub, t);
}

/* Whether Q is done before what came to T by itself. */
static bool is_look(const struct request *q)
{
    return q->job == catch_up || q->job == show_next || q->job == show_removed;
}

void look_before(struct table *t, struct request *q)
{
    struct request **at = &t->queue.first;

    while (*at != NULL && is_look(*at))
        at = &(*at)->next;
    q->next = *at;
    *at = q;
    if (q->next == NULL)
        t->queue.end = &q->next;
    t->queue.count++;
}

bool look_at_table(struct hub *hub, id_num id, const struct heard *heard)
{
    struct table *t = table_find(hub, id);

    if (t == NULL)
        return false;
    struct request *q = job_new(hub);

    q->job = catch_up;
    q->kept = region_take(&q->region, sizeof(*heard));
    *(struct heard *)q->kept = *heard;
    look_before(t, q);
    return true;
}

bool look_is_due(const struct hub *hub, const struct table *t,
                 const struct request *q)
{
    return t->gaps != hub->news.gaps && !is_look(q);
}

/* ---- people -------------------------------------------------------------- */

/* Who was logged in by what, when somebody began to look. */
struct doubt {
    struct hub *hub;
    uint64_t number;
    size_t count;
    struct logged_in {
        peer_id peer;
        id_num token;
    } in[];
};

static uint64_t number_of(const struct request *q)
{
    return ((const struct doubt *)q->kept)->number;
}

static void put_account(struct hub *hub, struct account *a)
{
    if (!a->listed)
        id_put(&hub->news.accounts, a->id);
    a->listed = true;
}

/* Q is over, whether the store could tell or not. */
static void doubt_done(struct request *q)
{
    const struct doubt *d = q->kept;
    struct account *a = map_get(&d->hub->accounts, q->account);

    d->hub->news.looking--;
    if (a != NULL && a->doubt != 0)
        put_account(d->hub, a);
}

/* All that is to be known of Q's account is. */
static void account_known(struct hub *hub, struct request *q)
{
    struct account *a = map_get(&hub->accounts, q->account);

    if (a != NULL && a->doubt == number_of(q)) {
        a->doubt = 0;
        a->missed_ms = 0;
    }
    result_empty(hub, q);
    look_on(hub);
}

/* What is so at T for who sits in SEAT, or -1, as an event that tells it. */
static const char *event_of(const struct summary *s, int seat)
{
    switch (s->state) {
    case TABLE_OPEN: return seat < 0 ? "invited" : "seated";
    case TABLE_PLAYING:
        return seat >= 0 && (s->acting & RULES_BIT(seat)) != 0 ? "turn"
                                                               : "turn_over";
    case TABLE_ABANDONED: return "abandoned";
    default: return "finished";
    }
}

static int seat_in(const struct summary *s, id_num account)
{
    for (int seat = 0; seat < s->seats; seat++)
        if (s->seat[seat] == account)
            return seat;
    return -1;
}

/* Of what has changed since they are told how it is now; of more than a page of
 * it who comes again. */
static void missed_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    const struct account *a = map_get(&hub->accounts, q->account);

    for (size_t i = 0; a != NULL && i < answer->listed_count; i++) {
        const struct listed *l = &answer->tables[i];
        const struct summary *s = &l->table.summary;
        int seat = seat_in(s, q->account);
        if (s->changed > a->missed_ms || (s->state == TABLE_OPEN && seat < 0))
            watch_tell(hub, q->account, event_of(s, seat), l->table.id, 0);
        if (l->unread > 0)
            watch_tell(hub, q->account, "chat", l->table.id, 0);
    }
    while (answer->more && a != NULL && a->first != NULL) {
        peer_drop(hub, a->first, DROP_OVERLOAD);
        a = map_get(&hub->accounts, q->account);
    }
    account_known(hub, q);
}

static bool is_there(const struct answer *answer, id_num token)
{
    for (size_t i = 0; i < answer->token_count; i++)
        if (answer->tokens[i].id == token)
            return true;
    return false;
}

/* Whoever is there by a token that is not any more is cut off. */
static void tokens_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    const struct doubt *d = q->kept;

    for (size_t i = 0; i < d->count; i++) {
        struct peer *p = peer_find(hub, d->in[i].peer);
        if (p != NULL && p->account != NULL && p->account->id == q->account &&
            p->token == d->in[i].token && !is_there(answer, p->token))
            peer_drop(hub, p, DROP_POLICY);
    }
    const struct account *a = map_get(&hub->accounts, q->account);
    if (a == NULL || a->missed_ms == 0 || a->first == NULL) {
        account_known(hub, q);
        return;
    }
    struct question ask = {
        .kind = ASK_MINE,
        .limit = LIMIT_FOLLOWED,
        .u.mine = {.account = q->account, .state = -1, .newer = a->missed_ms},
    };
    hub_ask(hub, q, &ask, missed_found);
}

static void account_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    const struct account_row *row = answer->accounts;
    const struct account *a = map_get(&hub->accounts, q->account);
    struct question ask = {.kind = ASK_TOKENS, .u.account = q->account};

    if (answer->account_count != 1 || row->kind == ACCOUNT_DELETED ||
        row->banned_until > hub->now_ms)
        account_cut(hub, q->account, 0);
    else if (a != NULL && strcmp(a->name, row->name) != 0)
        account_called(hub, row, 0);
    hub_ask(hub, q, &ask, tokens_found);
}

static void begin_account(struct hub *hub, const struct account *a)
{
    struct request *q = job_new(hub);
    struct question ask = {.kind = ASK_ACCOUNT, .u.account = a->id};
    struct doubt *d = q->kept =
        region_take(&q->region, sizeof(*d) + a->peers * sizeof(d->in[0]));

    d->hub = hub;
    d->number = a->doubt;
    d->count = 0;
    for (const struct peer *p = a->here; p != NULL; p = p->next_here)
        d->in[d->count++] = (struct logged_in){p->id, p->token};
    q->account = a->id;
    q->done = doubt_done;
    hub->news.looking++;
    hub_ask(hub, q, &ask, account_found);
}

/* What is known of A may be wrong until it was looked at. */
static void doubt(struct hub *hub, struct account *a)
{
    a->doubt = ++hub->news.doubts;
    put_account(hub, a);
}

void look_at_account(struct hub *hub, id_num id)
{
    struct account *a = id != 0 ? map_get(&hub->accounts, id) : NULL;

    hub->revoked++;
    if (a == NULL)
        return;
    doubt(hub, a);
    look_on(hub);
}

/* ---- all of it ------------------------------------------------------------- */

/* Those nobody watches are looked at when somebody asks for them. */
void look_at_all(struct hub *hub)
{
    struct news *n = &hub->news;
    size_t at = 0;
    struct account *a;
    const struct table *t;

    n->gaps++;
    deadlines_again(hub);
    n->tables.count = 0;
    while ((t = map_next(&hub->tables, &at)) != NULL)
        if (t->watchers != NULL)
            id_put(&n->tables, t->id);
    hub->revoked++;
    for (at = 0; (a = map_next(&hub->accounts, &at)) != NULL;) {
        if (a->missed_ms == 0 && n->heard_ms != 0)
            a->missed_ms = n->heard_ms - LIMIT_NEWS_LATE_MS;
        a->events++;
        doubt(hub, a);
    }
    look_on(hub);
}

/* Who was heard of last comes first: of the others nobody has said anything. */
static void next_account(struct hub *hub)
{
    struct id_list *list = &hub->news.accounts;
    struct account *a = map_get(&hub->accounts, list->ids[--list->count]);

    if (a == NULL || !a->listed)
        return; /* they have left */
    a->listed = false;
    if (a->doubt != 0)
        begin_account(hub, a);
}

static bool has_room(const struct hub *hub)
{
    return hub->news.accounts.count > 0 && hub->news.looking < LIMIT_LOOKS;
}

void look_on(struct hub *hub)
{
    while (has_room(hub))
        next_account(hub);
}

bool look_works(const struct hub *hub)
{
    return hub->news.tables.count > 0;
}

void look_work(struct hub *hub)
{
    struct id_list *tables = &hub->news.tables;

    while (tables->count > 0 && !work_is_over(hub)) {
        id_num id = tables->ids[--tables->count];
        hub->effort += EFFORT_LOOK;
        if (look_at_table(hub, id, &(struct heard){.all = true}))
            table_go_on(hub, table_find(hub, id));
    }
}

void look_free(struct hub *hub)
{
    free(hub->news.tables.ids);
    free(hub->news.accounts.ids);
}
