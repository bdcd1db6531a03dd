/* outbox.c -- what the outbox has in memory, and its timer; see outbox.h.
 *
 * The store is what counts.  Here is kept for whom something waits, so that a
 * turn of the timer asks nothing if nothing is due, and so that a change knows
 * which rows it makes needless.  All of it is read at the start, page after page,
 * and what a transaction concerned that failed once more. */

#include <stdlib.h>

#include "outbox_inner.h"

#define PAGE 500
/* Who is unknown is asked about so late: who plays has moved by then. */
#define UNKNOWN_MS 2000
#define SOON_MS    1000
#define FORGET_MS  (10 * LIMIT_MINUTE_MS) /* who is not needed for so long */

/* ---- lists ---------------------------------------------------------------- */

/* Room for one more of SIZE bytes behind COUNT. */
static void *room(void *list, size_t count, size_t *cap, size_t size)
{
    if (count < *cap)
        return list;
    *cap = *cap > 0 ? 2 * *cap : 4;
    list = realloc(list, *cap * size);
    ASSERT(list != NULL);
    return list;
}

/* ---- people --------------------------------------------------------------- */

struct outbox_person *outbox_find(const struct hub *hub, id_num account)
{
    return account != 0 ? map_get(&hub->outbox->people, account) : NULL;
}

struct outbox_person *outbox_person_always(struct hub *hub, id_num account)
{
    struct outbox *o = hub->outbox;
    struct outbox_person *p = outbox_find(hub, account);

    if (p == NULL) {
        p = calloc(1, sizeof(*p));
        ASSERT(p != NULL);
        p->account = account;
        map_put(&o->people, account, p);
    }
    p->used_ms = hub->now_ms;
    return p;
}

struct outbox_person *outbox_person(struct hub *hub, id_num account)
{
    if (hub->outbox->people.count >= LIMIT_PEOPLE_HELD &&
        outbox_find(hub, account) == NULL)
        return NULL;
    return outbox_person_always(hub, account);
}

/* What the store has, too. */
static void forget_lists(struct outbox *o, struct outbox_person *p)
{
    due_take(&o->queue, &p->due);
    o->row_count -= p->row_count;
    free(p->rows);
    free(p->told);
    p->rows = NULL;
    p->told = NULL;
    p->row_count = p->row_cap = 0;
    p->told_count = p->told_cap = 0;
}

static void person_free(struct outbox *o, struct outbox_person *p)
{
    map_take(&o->people, p->account);
    forget_lists(o, p);
    free(p->looks);
    free(p);
}

static bool is_needed(const struct outbox_person *p)
{
    return p->row_count > 0 || p->told_count > 0 || p->look_count > 0 ||
           p->messages != NULL || p->jobs > 0;
}

static void forget_people(struct hub *hub)
{
    struct outbox *o = hub->outbox;
    struct outbox_person *p;
    size_t at = 0;

    if (hub->now_ms < o->forget_ms)
        return;
    o->forget_ms = hub->now_ms + FORGET_MS;
    for (int i = 0; i < CHANNELS; i++)
        outbox_queue_forget(&o->ways[i], hub->now_ms);
    while ((p = map_next(&o->people, &at)) != NULL)
        if (!is_needed(p) && p->used_ms + FORGET_MS < hub->now_ms) {
            person_free(o, p);
            at--; /* another may have moved here */
        }
}

void outbox_changed(struct hub *hub, id_num account)
{
    struct outbox_person *p = outbox_find(hub, account);

    if (p == NULL)
        return;
    p->known = p->nowhere = false;
    p->changes++;
    if (p->row_count > 0)
        due_put(&hub->outbox->queue, &p->due, hub->now_ms);
}

void outbox_made(struct hub *hub, id_num account)
{
    struct outbox_person *p = outbox_person(hub, account);

    if (p == NULL)
        return;
    p->known = p->nowhere = true;
    p->known_ms = hub->now_ms;
}

/* Somewhere else they may have said something: who has no channel is asked about
 * again now and then. */
static bool is_known(const struct hub *hub, const struct outbox_person *p)
{
    return p->known && (!p->nowhere || hub->now_ms - p->known_ms < FORGET_MS);
}

bool outbox_is_nowhere(const struct hub *hub, const struct outbox_person *p)
{
    return p->nowhere && is_known(hub, p);
}

bool outbox_is_told(const struct outbox_person *p, id_num table)
{
    for (size_t i = 0; i < p->told_count; i++)
        if (p->told[i] == table)
            return true;
    return false;
}

void outbox_tell(struct outbox_person *p, id_num table)
{
    if (table == 0 || outbox_is_told(p, table))
        return;
    p->told = room(p->told, p->told_count, &p->told_cap, sizeof(*p->told));
    p->told[p->told_count++] = table;
}

static bool untell(struct outbox_person *p, id_num table)
{
    for (size_t i = 0; i < p->told_count; i++)
        if (p->told[i] == table) {
            p->told[i] = p->told[--p->told_count];
            return true;
        }
    return false;
}

/* ---- notices -------------------------------------------------------------- */

/* Rising, as rows go to the end of the tree; and whatever the clock does between
 * two starts not one that is there, nor one that another hub takes meanwhile. */
uint64_t outbox_number(struct hub *hub)
{
    struct outbox *o = hub->outbox;
    uint64_t now = ((uint64_t)hub->now_ms << 20) + news_place(hub, 1u << 19);

    if (o->last == 0) {
        uint32_t some = 0;
        hub->host->random(hub->host, &some, sizeof(some));
        o->last = now + (some >> 13);
    }
    o->last = o->last >= now ? o->last + 1 : now;
    return o->last;
}

/* Whether ROW is of before a look at its table. */
static bool looked_since(const struct outbox_person *p,
                         const struct notice_row *row)
{
    for (size_t i = 0; i < p->look_count; i++)
        if (p->looks[i].table == row->table &&
            p->looks[i].number >= row->number)
            return true;
    return false;
}

static bool looked_at(const struct outbox_person *p, id_num table)
{
    for (size_t i = 0; i < p->look_count; i++)
        if (p->looks[i].table == table)
            return true;
    return false;
}

static bool has_row(const struct outbox_person *p, uint64_t number)
{
    for (size_t i = 0; i < p->row_count; i++)
        if (p->rows[i].number == number)
            return true;
    return false;
}

static void keep_row(struct hub *hub, struct outbox_person *p,
                     const struct notice_row *row)
{
    struct outbox *o = hub->outbox;

    p->rows = room(p->rows, p->row_count, &p->row_cap, sizeof(*p->rows));
    p->rows[p->row_count++] = *row;
    o->row_count++;
    int64_t at = is_known(hub, p) ? outbox_told_at(p, row)
                                  : hub->now_ms + UNKNOWN_MS;
    if (p->jobs == 0 && (p->due.place == 0 || p->due.at_ms > at))
        due_put(&o->queue, &p->due, at);
}

static size_t rows_of(const struct outbox_person *p, enum notice_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < p->row_count; i++)
        n += p->rows[i].kind == kind;
    return n;
}

bool outbox_has_room(const struct hub *hub, const struct outbox_person *p,
                     enum notice_kind kind)
{
    if (p == NULL)
        return true;
    if (outbox_is_nowhere(hub, p))
        return false;
    switch (kind) {
    case NOTICE_TURN:
    case NOTICE_ANSWER:
    case NOTICE_REMINDER: return true;
    case NOTICE_INVITED:
        if (rows_of(p, kind) >= LIMIT_NOTICES_INVITED)
            return false;
        break;
    default: break;
    }
    return p->row_count < LIMIT_NOTICES_PERSON;
}

void outbox_add(struct hub *hub, const struct notice_row *row)
{
    struct outbox *o = hub->outbox;
    struct outbox_person *p = NULL;

    if (o->row_count < LIMIT_NOTICES_HELD)
        p = outbox_person(hub, row->account);
    if (p != NULL) {
        keep_row(hub, p, row);
        return;
    }
    if (o->rest == 0 || o->rest > row->number)
        o->rest = row->number;
    if (o->low == 0 || o->low > row->number)
        o->low = row->number;
}

void outbox_take(struct hub *hub, struct outbox_person *p, size_t i)
{
    memmove(&p->rows[i], &p->rows[i + 1],
            (p->row_count - i - 1) * sizeof(*p->rows));
    p->row_count--;
    hub->outbox->row_count--;
}

struct op *outbox_op(struct change *c, size_t count, size_t drop_count)
{
    struct region *r = &c->transaction.region;
    struct op *op = change_op(c, OP_NOTICES);

    op->u.notices.rows = region_take(r, count * sizeof(struct notice_row));
    op->u.notices.drop = region_take(r, drop_count * sizeof(uint64_t));
    return op;
}

/* ---- what a change has of it ---------------------------------------------- */

void outbox_ahead(struct change *c, id_num account)
{
    struct outbox_share *share = &c->outbox;

    if (share->account != 0 && share->account != account)
        share->all = true;
    share->account = account;
}

static void ahead_from(struct outbox_share *share, uint64_t number)
{
    if (share->notices == 0 || share->notices > number)
        share->notices = number;
}

void outbox_sum_up(struct change *c)
{
    for (const struct op *op = c->transaction.first; op != NULL;
         op = op->next) {
        if (op->kind != OP_NOTICES)
            continue;
        for (size_t i = 0; i < op->u.notices.count; i++)
            ahead_from(&c->outbox, op->u.notices.rows[i].number);
        for (size_t i = 0; i < op->u.notices.drop_count; i++)
            ahead_from(&c->outbox, op->u.notices.drop[i]);
    }
}

/* ---- looks ---------------------------------------------------------------- */

/* Whether all that the store has is here. */
static bool is_read(const struct outbox *o)
{
    return o->rest == 0 && o->told_read && !o->told_rest && o->messages_read;
}

/* While not all is here, what is to come is judged by it. */
static void keep_look(struct hub *hub, id_num account, id_num table)
{
    struct outbox_person *p = outbox_person(hub, account);
    size_t i = 0;

    if (p == NULL)
        return;
    while (i < p->look_count && p->looks[i].table != table)
        i++;
    if (i == p->look_count) {
        p->looks = room(p->looks, p->look_count, &p->look_cap,
                        sizeof(*p->looks));
        p->look_count++;
    }
    p->looks[i] = (struct outbox_look){table, outbox_number(hub)};
    hub->outbox->looks = true;
}

static size_t rows_at(const struct outbox_person *p, id_num table)
{
    size_t n = 0;

    for (size_t i = 0; i < p->row_count; i++)
        n += p->rows[i].table == table;
    return n;
}

/* Drops what waits for P at TABLE. */
static void drop_rows(struct change *c, struct outbox_person *p, id_num table)
{
    size_t n = rows_at(p, table);

    if (n == 0)
        return;
    struct op *op = outbox_op(c, 0, n);
    for (size_t i = p->row_count; i-- > 0;) {
        if (p->rows[i].table != table)
            continue;
        op->u.notices.drop[op->u.notices.drop_count++] = p->rows[i].number;
        outbox_take(c->hub, p, i);
    }
}

void outbox_looked(struct change *c, id_num account, id_num table)
{
    struct hub *hub = c->hub;
    struct outbox *o = hub->outbox;
    struct outbox_person *p = outbox_find(hub, account);

    if (!is_read(o))
        keep_look(hub, account, table);
    if (p != NULL) {
        drop_rows(c, p, table);
        outbox_messages_looked(c, p, table);
    }
    if ((p != NULL && untell(p, table)) || !o->told_read || o->told_rest) {
        struct op *op = change_op(c, OP_LOOKED);
        op->account = account;
        op->table = table;
        outbox_ahead(c, account);
    }
}

bool outbox_waits(const struct hub *hub, id_num account, id_num table)
{
    const struct outbox *o = hub->outbox;
    const struct outbox_person *p = outbox_find(hub, account);

    if (!is_read(o))
        return true;
    if (p == NULL)
        return false;
    for (const struct outbox_message *m = p->messages; m != NULL; m = m->next)
        for (size_t i = 0; i < m->item_count; i++)
            if (m->items[i].table == table)
                return true;
    return rows_at(p, table) > 0 || outbox_is_told(p, table);
}

/* ---- jobs ----------------------------------------------------------------- */

int64_t outbox_again_ms(const struct outbox_job *k)
{
    return k->again_ms - (k->hub->outbox->set_back_ms - k->set_back_ms);
}

/* However it ended, what still waits is looked at again. */
void outbox_job_done(struct request *q)
{
    struct outbox_job *k = q->kept;
    struct outbox_person *p = k->person;

    if (--p->jobs == 0 && p->row_count > 0 && p->due.place == 0)
        due_put(&k->hub->outbox->queue, &p->due, outbox_again_ms(k));
}

struct request *outbox_job(struct hub *hub, struct outbox_person *p)
{
    struct request *q = job_new(hub);
    struct outbox_job *k = q->kept = region_take(&q->region, sizeof(*k));

    *k = (struct outbox_job){hub, p, .again_ms = hub->now_ms + SOON_MS,
                             .set_back_ms = hub->outbox->set_back_ms,
                             .changes = p->changes};
    q->account = p->account;
    q->done = outbox_job_done;
    p->jobs++;
    return q;
}

static void add_once(id_num *list, size_t *count, id_num id)
{
    for (size_t i = 0; i < *count; i++)
        if (list[i] == id)
            return;
    if (id != 0)
        list[(*count)++] = id;
}

void outbox_ask(struct hub *hub, struct request *q, id_num account,
                const struct outbox_item *items, size_t count,
                answered_cb then)
{
    id_num *ids = region_take(&q->region, (2 * count + 1) * sizeof(*ids));
    struct question ask = {
        .kind = ASK_OUTBOX,
        .limit = count + 1,
        .u.outbox = {.account = account, .tables = ids, .others = ids + count},
    };

    for (size_t i = 0; i < count; i++) {
        add_once(ids, &ask.u.outbox.table_count, items[i].table);
        add_once(ids + count, &ask.u.outbox.other_count, items[i].maker);
    }
    hub_ask(hub, q, &ask, then);
}

/* ---- reading -------------------------------------------------------------- */

static void read_more(struct hub *hub);

static void read_end(struct request *q)
{
    struct outbox *o = q->kept;

    o->reading = false;
}

static struct request *read_begin(struct hub *hub)
{
    struct request *q = job_new(hub);

    q->kept = hub->outbox;
    q->done = read_end;
    hub->outbox->reading = true;
    hub->outbox->outdated = false;
    return q;
}

/* What Q asked for is here: the next page, if there is one. */
static void read_on(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
    read_more(hub);
}

static void forget_looks(struct outbox *o)
{
    struct outbox_person *p;
    size_t at = 0;

    while (o->looks && (p = map_next(&o->people, &at)) != NULL)
        p->look_count = 0;
    o->looks = false;
}

/* Puts the rows of ANSWER where they belong; numbers of those that are needless
 * in DROP.  Returns where to read on, 0 if that was all. */
static uint64_t take_rows(struct hub *hub, const struct answer *answer,
                          uint64_t *drop, size_t *ret_count)
{
    struct outbox *o = hub->outbox;
    size_t n = answer->notice_count;

    *ret_count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct notice_row *row = &answer->notices[i];
        struct outbox_person *p = outbox_person(hub, row->account);
        if (p == NULL || o->row_count >= LIMIT_NOTICES_HELD)
            return row->number;
        if (o->last < row->number)
            o->last = row->number;
        if (looked_since(p, row))
            drop[(*ret_count)++] = row->number;
        else if (!has_row(p, row->number))
            keep_row(hub, p, row);
    }
    return answer->more ? answer->notices[n - 1].number + 1 : 0;
}

static void rows_read(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    struct outbox *o = hub->outbox;
    uint64_t *drop = region_take(&q->region,
                                 (answer->notice_count + 1) * sizeof(*drop));
    uint64_t before = o->rest;
    size_t n;

    o->rest = take_rows(hub, answer, drop, &n);
    if (o->low != 0 && (o->rest == 0 || o->rest > o->low))
        o->rest = o->low; /* there was no room for it meanwhile */
    if (n == 0 && o->rest != 0 && o->rest <= before) {
        result_empty(hub, q); /* later there may be room */
        return;
    }
    if (n == 0) {
        read_on(hub, q);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = outbox_op(c, 0, n);
    memcpy(op->u.notices.drop, drop, n * sizeof(*drop));
    op->u.notices.drop_count = n;
    change_submit(c, read_on);
}

/* Puts places of ANSWER where they belong, and how far that is; false if there is
 * no room for more.  Of a look since that was asked the answer knows nothing. */
static bool take_told(struct hub *hub, const struct answer *answer)
{
    struct outbox *o = hub->outbox;

    for (size_t i = 0; i < answer->place_count; i++) {
        const struct place *told = &answer->places[i];
        if (o->told_end != 0 && told->account > o->told_end)
            break;
        struct outbox_person *p = outbox_person(hub, told->account);
        if (p == NULL)
            return false;
        if (!looked_at(p, told->table))
            outbox_tell(p, told->table);
        o->told_after = *told;
    }
    return true;
}

/* Whoever there is no room for may have a mail too many; all others are not to
 * wait for that. */
static void told_read(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    struct outbox *o = hub->outbox;
    size_t n = answer->place_count;

    if (o->outdated) {
        read_on(hub, q);
        return;
    }
    o->told_rest = !take_told(hub, answer);
    o->told_read = o->told_rest || !answer->more ||
                   (o->told_end != 0 &&
                    answer->places[n - 1].account > o->told_end);
    read_on(hub, q);
}

/* What was looked at before it was read is not told. */
static void forget_looked(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct change *c = change_begin(hub, q, NULL);

    for (size_t i = 0; i < answer->message_count; i++) {
        struct outbox_person *p = outbox_find(hub,
                                              answer->messages[i].account);
        for (size_t k = 0; p != NULL && k < p->look_count; k++)
            outbox_messages_looked(c, p, p->looks[k].table);
    }
    change_submit(c, read_on);
}

static void messages_read(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct outbox *o = hub->outbox;
    bool looked = false;

    if (o->outdated) {
        read_on(hub, q);
        return;
    }
    for (size_t i = 0; i < answer->message_count; i++) {
        const struct message_row *row = &answer->messages[i];
        o->messages_after = row->id;
        if (map_get(&o->messages, row->id) != NULL)
            continue;
        struct outbox_message *m = outbox_message_read(hub, row);
        if (m == NULL)
            continue;
        outbox_message_queue(hub, m, row->due);
        looked = looked || m->person->look_count > 0;
    }
    o->messages_read = !answer->more;
    if (looked)
        forget_looked(hub, q, answer);
    else
        read_on(hub, q);
}

/* Reads what may be missing here, a page of it; a page behind another is asked
 * for when that is there.  If the store does not answer it is tried again at the
 * next tick. */
static void read_more(struct hub *hub)
{
    struct outbox *o = hub->outbox;
    struct question ask = {.limit = PAGE};

    if (o->reading || hub->closing || hub->restoring > 0)
        return;
    if (!o->messages_read) {
        ask.kind = ASK_MESSAGES;
        ask.u.after = o->messages_after;
        hub_ask(hub, read_begin(hub), &ask, messages_read);
    } else if (!o->told_read ||
               (o->told_rest && o->people.count + PAGE < LIMIT_PEOPLE_HELD)) {
        ask.kind = ASK_TOLD;
        ask.u.told.account = o->told_after.account;
        ask.u.told.table = o->told_after.table;
        hub_ask(hub, read_begin(hub), &ask, told_read);
    } else if (o->rest != 0 && o->row_count + PAGE < LIMIT_NOTICES_HELD) {
        ask.kind = ASK_NOTICES;
        ask.u.after = o->rest - 1;
        o->low = 0;
        hub_ask(hub, read_begin(hub), &ask, rows_read);
    } else if (o->rest == 0) {
        forget_looks(o);
    }
}

/* ---- what was lost -------------------------------------------------------- */

/* Forgets what waits for P from that number on. */
static void lose_rows(struct outbox *o, struct outbox_person *p, uint64_t from)
{
    size_t n = 0;

    for (size_t i = 0; i < p->row_count; i++)
        if (p->rows[i].number < from)
            p->rows[n++] = p->rows[i];
    o->row_count -= p->row_count - n;
    p->row_count = n;
}

/* Forgets what the store knows of P, but for notices.  Messages that are under
 * way find out for themselves. */
static void lose_person(struct hub *hub, struct outbox_person *p)
{
    struct outbox_message *next;

    p->told_count = 0;
    for (struct outbox_message *m = p->messages; m != NULL; m = next) {
        next = m->next;
        if (m->state == MESSAGE_WAITS)
            outbox_message_free(hub, m);
    }
}

/* It is to be read again of which tables ACCOUNT, or everybody (0), has a mail;
 * of everybody, too, if that was not over. */
static void read_told_again(struct outbox *o, id_num account)
{
    if (!o->told_read || o->told_rest)
        account = 0;
    o->told_after = (struct place){.account = account};
    o->told_end = account;
    o->told_read = o->told_rest = false;
    o->outdated = true;
}

static void read_messages_again(struct outbox *o)
{
    o->messages_read = false;
    o->messages_after = 0;
    o->outdated = true;
}

static void lose_all(struct hub *hub)
{
    struct outbox_person *p;
    size_t at = 0;

    while ((p = map_next(&hub->outbox->people, &at)) != NULL)
        lose_person(hub, p);
}

static void lose_rows_from(struct outbox *o, uint64_t from)
{
    struct outbox_person *p;
    size_t at = 0;

    while ((p = map_next(&o->people, &at)) != NULL)
        lose_rows(o, p, from);
    if (o->rest == 0 || o->rest > from)
        o->rest = from;
    if (o->low == 0 || o->low > from)
        o->low = from;
}

void outbox_lost(struct hub *hub, const struct outbox_share *share,
                 bool perhaps)
{
    struct outbox *o = hub->outbox;
    uint64_t from = share->all ? 1 : share->notices;
    struct outbox_person *p = outbox_find(hub, share->account);

    if (share->all)
        lose_all(hub);
    else if (p != NULL)
        lose_person(hub, p);
    if (from > 0)
        lose_rows_from(o, from);
    if (share->all || share->account != 0)
        read_told_again(o, share->all ? 0 : share->account);
    if (share->all || share->account != 0 || (share->messages && perhaps))
        read_messages_again(o);
}

/* ---- the timer ------------------------------------------------------------ */

static void decide_due(struct hub *hub)
{
    struct outbox *o = hub->outbox;
    struct due *d;

    while (o->decisions_left > 0 && o->deciding < LIMIT_DECISIONS_AT_ONCE &&
           o->messages_read && o->told_read &&
           (d = due_first(&o->queue)) != NULL && d->at_ms <= hub->now_ms) {
        struct outbox_person *p = (struct outbox_person *)d;
        int64_t first = is_known(hub, p) ? outbox_first_due(p) : hub->now_ms;
        due_take(&o->queue, d);
        if (p->row_count == 0 || p->jobs > 0)
            continue;
        if (first > hub->now_ms) { /* those that it was for are gone */
            due_put(&o->queue, &p->due, first);
            continue;
        }
        outbox_decide(hub, p);
        o->decisions_left--;
    }
}

static void decide_next(struct hub *hub, struct work *w)
{
    (void)w;
    hub->outbox->decisions_wait = false;
    decide_due(hub);
}

static void decide_none(struct hub *hub, struct work *w)
{
    (void)w;
    hub->outbox->decisions_wait = false;
}

void outbox_decision_over(struct request *q)
{
    struct outbox_job *k = q->kept;
    struct outbox *o = k->hub->outbox;

    outbox_job_done(q);
    o->deciding--;
    if (o->decisions_left == 0 || o->decisions_wait)
        return;
    o->decisions_wait = true;
    o->decisions = (struct work){.step = decide_next, .drop = decide_none};
    fair_queue_put(k->hub, &k->hub->slices, &o->decisions);
}

static void person_set_back(struct outbox_person *p, int64_t ms)
{
    for (size_t i = 0; i < p->row_count; i++)
        p->rows[i].at -= ms;
    p->known_ms -= ms;
    p->used_ms -= ms;
    if (p->tested_ms != 0)
        p->tested_ms -= ms;
}

/* Whoever sets the clock back by an hour keeps nobody waiting for one: what was to
 * be in a minute is in a minute.  Whatever it says otherwise, only lengths of time
 * matter here. */
static void mind_clock(struct hub *hub)
{
    struct outbox *o = hub->outbox;
    int64_t ms = o->tick_ms - hub->now_ms;
    struct outbox_person *p;

    o->tick_ms = hub->now_ms;
    if (ms <= 0)
        return;
    o->set_back_ms += ms;
    o->remind_ms -= ms;
    o->digest_ms -= ms;
    o->forget_ms -= ms;
    due_advance(&o->queue, ms);
    for (size_t at = 0; (p = map_next(&o->people, &at)) != NULL;)
        person_set_back(p, ms);
    for (int way = 0; way < CHANNELS; way++)
        outbox_queue_set_back(&o->ways[way], ms);
}

void outbox_tick(struct hub *hub)
{
    mind_clock(hub);
    if (hub->closing || hub->restoring > 0)
        return;
    read_more(hub);
    hub->outbox->decisions_left = LIMIT_DECISIONS;
    decide_due(hub);
    outbox_send(hub);
    outbox_remind(hub);
    forget_people(hub);
}

/* ---- beginning and end ------------------------------------------------------ */

struct outbox *outbox_new(void)
{
    struct outbox *o = calloc(1, sizeof(*o));

    if (o != NULL)
        o->rest = 1;
    return o;
}

void outbox_free(struct outbox *o)
{
    struct outbox_person *p;
    struct outbox_message *m;
    size_t at = 0;

    if (o == NULL)
        return;
    while ((m = map_next(&o->messages, &at)) != NULL) {
        region_done(&m->region);
        free(m->items);
        free(m);
    }
    for (at = 0; (p = map_next(&o->people, &at)) != NULL;) {
        free(p->rows);
        free(p->told);
        free(p->looks);
        free(p);
    }
    for (int way = 0; way < CHANNELS; way++)
        outbox_queue_done(&o->ways[way]);
    due_done(&o->queue);
    map_done(&o->people);
    map_done(&o->messages);
    free(o);
}
