/* outbox_remind.c -- questions that wait for long, digests, and what is told
 * when the store is a backup's copy. */

#include "outbox_inner.h"

#define TABLES_PAGE  100
#define DIGESTS_PAGE 100
#define DIGESTS_MS   LIMIT_MINUTE_MS
#define SOON_MS      1000
#define RESTORED     1 /* reminded.since of a store that is a copy */

static void done(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

/* ---- reminders ------------------------------------------------------------ */

/* Where the search for questions that wait for long is. */
struct search {
    struct outbox *outbox;
    struct reminded_row at;
    bool more;
};

static void search_page(struct hub *hub, struct request *q);

static void search_over(struct request *q)
{
    struct search *s = q->kept;
    s->outbox->reminding = false;
}

static void page_stored(struct hub *hub, struct request *q)
{
    const struct search *s = q->kept;

    if (s->more)
        search_page(hub, q);
    else
        result_empty(hub, q);
}

/* The notice of a question put to SEAT of T, if the search is for it.  Who has a
 * deadline is reminded by deadlines.c; but what a backup's copy has told is not
 * known. */
static bool remind_of(struct hub *hub, const struct search *s,
                      const struct table_row *t, int seat,
                      struct notice_row *row)
{
    const struct summary *is = &t->summary;
    int64_t since = is->since[seat];
    bool timed = is->due[seat] != 0;
    enum notice_kind kind = !timed && since + LIMIT_REMINDER_MS <= hub->now_ms
                                ? NOTICE_REMINDER
                                : NOTICE_TURN;

    if ((is->acting & RULES_BIT(seat)) == 0 || is->seat[seat] == 0 ||
        since <= s->at.since || since > s->at.until ||
        (timed && s->at.since != RESTORED) ||
        !outbox_has_room(hub, outbox_find(hub, is->seat[seat]), kind))
        return false;
    *row = (struct notice_row){
        .number = outbox_number(hub),
        .account = is->seat[seat],
        .table = t->id,
        .ply = is->ply,
        .kind = (uint8_t)kind,
        .at = hub->now_ms,
        .most_ms = outbox_most_ms_at(t),
    };
    return true;
}

/* How far the search is goes into the transaction of what it has found: a crash
 * reminds nobody twice. */
static void page_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct search *s = q->kept;
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = outbox_op(c, answer->listed_count * RULES_SEATS_MAX, 0);

    for (size_t i = 0; i < answer->listed_count; i++) {
        const struct table_row *t = &answer->tables[i].table;
        s->at.after = t->id;
        for (int seat = 0; seat < t->summary.seats; seat++)
            op->u.notices.count +=
                remind_of(hub, s, t, seat,
                          &op->u.notices.rows[op->u.notices.count]);
    }
    for (size_t i = 0; i < op->u.notices.count; i++)
        outbox_add(hub, &op->u.notices.rows[i]);
    s->more = answer->more;
    if (!s->more)
        s->at = (struct reminded_row){s->at.until, s->at.until, 0};
    change_op(c, OP_REMINDED)->u.reminded = s->at;
    change_submit(c, page_stored);
}

static void search_page(struct hub *hub, struct request *q)
{
    const struct search *s = q->kept;
    struct question ask = {
        .kind = ASK_TABLES,
        .limit = TABLES_PAGE,
        .u.tables =
            {
                .state = TABLE_PLAYING,
                .all = true,
                .after = s->at.after,
            },
    };
    hub_ask(hub, q, &ask, page_found);
}

/* Goes on with a search that was broken off, or begins the next one. */
static void search_begin(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct search *s = q->kept;
    int64_t until = hub->now_ms - LIMIT_REMINDER_MS;

    s->at = answer->reminded;
    if (s->at.since == 0) { /* nobody is told of what was before there was
                             * this */
        struct change *c = change_begin(hub, q, NULL);
        change_op(c, OP_REMINDED)->u.reminded = (struct reminded_row){
            until,
            until,
            0,
        };
        change_submit(c, done);
        return;
    }
    if (s->at.until <= s->at.since) {
        s->at.until = until;
        s->at.after = 0;
    }
    if (s->at.until > s->at.since)
        search_page(hub, q);
    else
        result_empty(hub, q);
}

static void search(struct hub *hub)
{
    struct outbox *o = hub->outbox;
    struct question ask = {.kind = ASK_REMINDED};

    if (o->reminding || hub->now_ms < o->remind_ms)
        return;
    o->remind_ms = hub->now_ms + LIMIT_REMINDER_EVERY_MS;
    o->reminding = true;
    struct request *q = job_new(hub);
    struct search *s = q->kept = region_take(&q->region, sizeof(*s));
    s->outbox = o;
    q->done = search_over;
    hub_ask(hub, q, &ask, search_begin);
}

/* ---- digests -------------------------------------------------------------- */

static void digest_over(struct request *q)
{
    struct outbox_job *k = q->kept;

    k->hub->outbox->digesting--;
    outbox_job_done(q);
}

/* When the next one is after W's. */
static int64_t next_digest(const struct hub *hub, const struct wishes_row *w)
{
    int64_t every = w->digest * LIMIT_DAY_MS, at = w->digest_at;

    if (every == 0)
        return 0;
    if (at <= hub->now_ms)
        at += ((hub->now_ms - at) / every + 1) * every;
    return at;
}

/* What there is for channel C, in one message. */
static void digest_by(struct hub *hub, struct change *c,
                      const struct outbox_job *k, const struct answer *answer,
                      const struct channel_row *to)
{
    struct outbox_message *m = NULL;

    if (to->way == CHANNEL_MAIL && !outbox_may_mail(hub, k->person, answer))
        return;
    for (size_t i = 0; i < k->item_count; i++) {
        const struct outbox_item *item = &k->items[i];
        if (!channel_wants(to, item->kind) ||
            !outbox_true(hub, answer, k->person->account, item))
            continue;
        if (m == NULL)
            m = outbox_message_new(hub, k->person, to, DELIVERY_DIGEST);
        outbox_item_put(m, item);
    }
    if (m != NULL)
        outbox_message_put(c, m);
}

static void digest_asked(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct outbox_job *k = q->kept;
    struct channel_row list[LIMIT_CHANNELS];
    struct wishes_row w = outbox_wishes(answer, k->person->account);
    int64_t next;

    struct change *c = change_begin(hub, q, NULL);
    const struct absence_row *away = absence_now(answer, hub->now_ms);
    if (away != NULL) {
        next = away->until_ms;
    } else if (hours_inside(hub, answer->hours, &next)) {
        size_t n = outbox_may_tell(hub, answer) ? channels_of(answer, list)
                                                : 0;
        for (size_t i = 0; i < n; i++)
            digest_by(hub, c, k, answer, &list[i]);
        next = next_digest(hub, &w);
    }
    w.digest_at = next;
    outbox_wishes_put(c, k->person->account, &w);
    change_submit(c, done);
}

/* What waits for them is the digest; if nothing does there is none. */
static void digest_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct outbox_job *k = q->kept;

    k->items = region_take(&q->region,
                           (2 * answer->listed_count + 1) * sizeof(*k->items));
    for (size_t i = 0; i < answer->listed_count; i++) {
        const struct listed *l = &answer->tables[i];
        struct outbox_item item = {.table = l->table.id,
                                   .ply = l->table.summary.ply};
        item.kind = NOTICE_TURN;
        if (l->waits)
            k->items[k->item_count++] = item;
        item.kind = NOTICE_CHAT;
        if (l->unread > 0)
            k->items[k->item_count++] = item;
    }
    outbox_ask(hub, q, k->person->account, k->items, k->item_count,
               digest_asked);
}

static void digest(struct hub *hub, id_num account)
{
    struct outbox_person *p = outbox_person(hub, account);
    struct question ask = {
        .kind = ASK_MINE,
        .limit = LIMIT_MESSAGE_ITEMS / 2,
        .u.mine =
            {
                .account = account,
                .state = -1,
                .running = true,
                .seated = true,
            },
    };

    if (p == NULL || p->jobs > 0)
        return; /* the next time */
    struct request *q = outbox_job(hub, p);
    q->done = digest_over;
    hub->outbox->digesting++;
    hub_ask(hub, q, &ask, digest_found);
}

static void digests_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    for (size_t i = 0; i < answer->place_count; i++)
        digest(hub, answer->places[i].account);
    if (answer->more)
        hub->outbox->digest_ms = hub->now_ms + SOON_MS;
    result_empty(hub, q);
}

static void digests(struct hub *hub)
{
    struct outbox *o = hub->outbox;
    struct question ask = {
        .kind = ASK_DIGESTS,
        .limit = DIGESTS_PAGE,
        .u.until = hub->now_ms,
    };

    if (o->digesting > 0 || hub->now_ms < o->digest_ms ||
        o->messages.count >= LIMIT_MESSAGES_HELD)
        return;
    o->digest_ms = hub->now_ms + DIGESTS_MS;
    hub_ask(hub, job_new(hub), &ask, digests_found);
}

void outbox_remind(struct hub *hub)
{
    search(hub);
    digests(hub);
}

/* ---- after a restore ------------------------------------------------------- */

static void emptied(struct hub *hub, struct request *q)
{
    hub->restoring--;
    hub->outbox->remind_ms = 0;
    outbox_lost(hub, &(struct outbox_share){.all = true}, false);
    result_empty(hub, q);
}

/* What waits in a copy may have been told since it was made, and links in it
 * used; all questions there are, however old, are looked for. */
void outbox_restore(struct hub *hub)
{
    struct change *c = change_begin(hub, job_new(hub), NULL);

    hub->restoring++;
    change_op(c, OP_OUTBOX_EMPTY);
    change_op(c, OP_REMINDED)->u.reminded = (struct reminded_row){
        .since = RESTORED,
        .until = hub->now_ms,
    };
    change_submit(c, emptied);
}
