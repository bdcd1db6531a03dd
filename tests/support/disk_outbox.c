/* disk_outbox.c -- what a store of arrays keeps and says of those who are told
 * things. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "disk_lists.h"
#include "server/hub/limits.h"

/* ---- ops ---------------------------------------------------------------- */

static void drop_notice(struct disk *d, uint64_t number)
{
    DROP(struct notice_row, d->notices, d->notice_count, n,
         n->number == number);
}

static void put_notices(struct disk *d, const struct op *op)
{
    for (size_t i = 0; i < op->u.notices.drop_count; i++)
        drop_notice(d, op->u.notices.drop[i]);
    for (size_t i = 0; i < op->u.notices.count; i++) {
        drop_notice(d, op->u.notices.rows[i].number);
        *NEXT(d->notices, d->notice_count) = op->u.notices.rows[i];
        d->notices[d->notice_count - 1].most_ms = 0; /* which is not stored */
    }
}

static void drop_place(struct place *list, size_t *count, struct place gone)
{
    DROP(struct place, list, *count, p,
         p->account == gone.account && p->table == gone.table);
}

static void put_told(struct disk *d, struct place place, bool told)
{
    drop_place(d->told, &d->told_count, place);
    if (told)
        *NEXT(d->told, d->told_count) = place;
}

static void put_muted(struct disk *d, struct place place, bool on)
{
    drop_place(d->muted, &d->muted_count, place);
    if (!on)
        *NEXT(d->muted, d->muted_count) = place;
}

static void put_message(struct disk *d, const struct message_row *row)
{
    DROP(struct message_row, d->messages, d->message_count, m,
         m->id == row->id);
    struct message_row *m = NEXT(d->messages, d->message_count);
    *m = *row;
    m->body = region_copy(&d->region, row->body);
}

static void put_sent(struct disk *d, const struct sent_row *row)
{
    int64_t old = row->at - LIMIT_SENT_MS;

    DROP(struct sent_row, d->sent, d->sent_count, s, s->at <= old);
    struct sent_row *s = NEXT(d->sent, d->sent_count);
    *s = *row;
    s->number = ++d->sent_last;
    s->body = region_copy(&d->region, row->body);
    s->said = region_copy(&d->region, row->said);
}

static void put_wishes(struct disk *d, const struct wishes_row *row)
{
    DROP(struct wishes_row, d->wishes, d->wishes_count, w,
         w->account == row->account);
    struct wishes_row *w = NEXT(d->wishes, d->wishes_count);
    *w = *row;
    w->language = region_copy(&d->region, row->language);
}

static void put_channel(struct disk *d, const struct channel_row *row)
{
    struct region *r = &d->region;

    DROP(struct channel_row, d->channels, d->channel_count, c,
         c->id == row->id);
    struct channel_row *c = NEXT(d->channels, d->channel_count);
    *c = *row;
    c->label = region_copy(r, row->label);
    c->target = region_copy(r, row->target);
    c->secret = region_copy(r, row->secret);
    c->why = region_copy(r, row->why);
}

static void drop_channel(struct disk *d, const struct channel_row *row)
{
    DROP(struct message_row, d->messages, d->message_count, m,
         m->account == row->account && m->channel == row->id);
    DROP(struct channel_row, d->channels, d->channel_count, c,
         c->id == row->id && c->account == row->account);
}

bool disk_outbox_op(struct disk *d, const struct op *op)
{
    struct place place = {op->account, op->table};

    switch (op->kind) {
    case OP_NOTICES: put_notices(d, op); return true;
    case OP_TOLD: put_told(d, place, true); return true;
    case OP_LOOKED: put_told(d, place, false); return true;
    case OP_MESSAGE: put_message(d, &op->u.message); return true;
    case OP_MESSAGE_DROP:
        DROP(struct message_row, d->messages, d->message_count, m,
             m->id == op->u.message.id);
        return true;
    case OP_SENT: put_sent(d, &op->u.sent); return true;
    case OP_WISHES: put_wishes(d, &op->u.wishes); return true;
    case OP_CHANNEL: put_channel(d, &op->u.channel); return true;
    case OP_CHANNEL_DROP: drop_channel(d, &op->u.channel); return true;
    case OP_MUTE: put_muted(d, place, op->u.on); return true;
    case OP_REMINDED: d->reminded = op->u.reminded; return true;
    case OP_OUTBOX_EMPTY:
        d->notice_count = d->message_count = d->told_count = 0;
        d->link_count = 0;
        return true;
    default: return false;
    }
}

void disk_outbox_forget(struct disk *d, id_num id)
{
    DROP(struct message_row, d->messages, d->message_count, m,
         m->account == id);
    DROP(struct place, d->told, d->told_count, p, p->account == id);
    DROP(struct sent_row, d->sent, d->sent_count, s, s->account == id);
    DROP(struct wishes_row, d->wishes, d->wishes_count, w, w->account == id);
    DROP(struct channel_row, d->channels, d->channel_count, c,
         c->account == id);
    DROP(struct place, d->muted, d->muted_count, p, p->account == id);
}

/* ---- the lists ------------------------------------------------------------ */

#define FREE(list) free(d->list)
#define COPY(list, count) \
    d->list = list_copy(d->list, d->count, sizeof(*d->list))

void disk_outbox_free(struct disk *d)
{
    FREE(notices), FREE(messages), FREE(told), FREE(sent);
    FREE(wishes), FREE(channels), FREE(muted);
}

void disk_outbox_copy(struct disk *d)
{
    COPY(notices, notice_count);
    COPY(messages, message_count);
    COPY(told, told_count);
    COPY(sent, sent_count);
    COPY(wishes, wishes_count);
    COPY(channels, channel_count);
    COPY(muted, muted_count);
}

/* ---- questions ------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
    uint64_t x = ((const struct notice_row *)a)->number;
    uint64_t y = ((const struct notice_row *)b)->number;

    return x < y ? -1 : x > y;
}

static int by_id(const void *a, const void *b)
{
    id_num x = ((const struct message_row *)a)->id;
    id_num y = ((const struct message_row *)b)->id;

    return x < y ? -1 : x > y;
}

static int by_channel(const void *a, const void *b)
{
    id_num x = ((const struct channel_row *)a)->id;
    id_num y = ((const struct channel_row *)b)->id;

    return x < y ? -1 : x > y;
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->account != y->account)
        return x->account < y->account ? -1 : 1;
    return x->table < y->table ? -1 : x->table > y->table;
}

static void answer_notices(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    a->notices = ROOM(a, d->notice_count, struct notice_row);
    for (size_t i = 0; i < d->notice_count; i++)
        if (d->notices[i].number > q->u.after)
            a->notices[a->notice_count++] = d->notices[i];
    qsort(a->notices, a->notice_count, sizeof(*a->notices), by_number);
    cut(&a->notice_count, q->limit, a);
}

static void answer_messages(const struct disk *d, const struct question *q,
                            struct answer *a)
{
    a->messages = ROOM(a, d->message_count, struct message_row);
    for (size_t i = 0; i < d->message_count; i++)
        if (d->messages[i].id > q->u.after)
            a->messages[a->message_count++] = d->messages[i];
    qsort(a->messages, a->message_count, sizeof(*a->messages), by_id);
    cut(&a->message_count, q->limit, a);
}

static void answer_told(const struct disk *d, const struct question *q,
                        struct answer *a)
{
    struct place after = {q->u.told.account, q->u.told.table};

    a->places = ROOM(a, d->told_count, struct place);
    for (size_t i = 0; i < d->told_count; i++)
        if (by_place(&d->told[i], &after) > 0)
            a->places[a->place_count++] = d->told[i];
    qsort(a->places, a->place_count, sizeof(*a->places), by_place);
    cut(&a->place_count, q->limit, a);
}

/* Whether they have sat at the same table of a game that began. */
static bool met(const struct disk *d, id_num x, id_num y)
{
    for (size_t i = 0; i < d->table_count; i++) {
        const struct disk_table *t = d->tables[i];
        bool began = t->row.summary.state == TABLE_PLAYING ||
                     t->row.summary.state == TABLE_FINISHED;
        if (began && disk_sat(t, x) && disk_sat(t, y))
            return true;
    }
    return false;
}

static void add_other(const struct disk *d, id_num account, id_num id,
                      struct answer *a)
{
    const struct account_row *row = disk_account(d, id);

    if (row == NULL)
        return;
    a->others[a->other_count++] = (struct other){
        .account = id,
        .kind = row->kind,
        .name = row->name,
        .met = met(d, account, id),
        .away_ms = disk_time_away(d, id),
    };
}

static id_num *tables_of(const struct place *list, size_t count,
                         id_num account, struct answer *a, size_t *ret_count)
{
    id_num *tables = ROOM(a, count, id_num);

    *ret_count = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].account == account)
            tables[(*ret_count)++] = list[i].table;
    return tables;
}

static void answer_channels(const struct disk *d, id_num account,
                            struct answer *a)
{
    a->channels = ROOM(a, d->channel_count, struct channel_row);
    for (size_t i = 0; i < d->channel_count; i++)
        if (d->channels[i].account == account)
            a->channels[a->channel_count++] = d->channels[i];
    qsort(a->channels, a->channel_count, sizeof(*a->channels), by_channel);
}

static void answer_outbox(const struct disk *d, const struct question *q,
                          struct answer *a)
{
    id_num account = q->u.outbox.account;
    const struct account_row *row = disk_account(d, account);

    a->accounts = ROOM(a, 1, struct account_row);
    if (row != NULL)
        a->accounts[a->account_count++] = *row;
    for (size_t i = 0; i < d->wishes_count; i++)
        if (d->wishes[i].account == account) {
            a->wishes = ROOM(a, 1, struct wishes_row);
            *a->wishes = d->wishes[i];
        }
    const struct hours_row *hours = disk_hours(d, account);
    if (hours != NULL) {
        a->hours = ROOM(a, 1, struct hours_row);
        *a->hours = *hours;
    }
    disk_time_absences(d, account, LIMIT_ABSENCES_KEPT, a);
    answer_channels(d, account, a);
    a->muted = tables_of(d->muted, d->muted_count, account, a,
                         &a->muted_count);
    a->told = tables_of(d->told, d->told_count, account, a, &a->told_count);
    for (size_t i = 0; i < d->sent_count; i++)
        if (d->sent[i].account == account && d->sent[i].way == 0)
            a->mailed = d->sent[i].at;
    a->others = ROOM(a, q->u.outbox.other_count, struct other);
    for (size_t i = 0; i < q->u.outbox.other_count; i++)
        add_other(d, account, q->u.outbox.others[i], a);
    disk_these(d, q, a);
}

static void answer_sent(const struct disk *d, const struct question *q,
                        struct answer *a)
{
    a->sent = ROOM(a, d->sent_count, struct sent_row);
    for (size_t i = d->sent_count; i-- > 0;)
        if (d->sent[i].account == q->u.sent.account &&
            (q->u.sent.before == 0 || d->sent[i].number < q->u.sent.before))
            a->sent[a->sent_count++] = d->sent[i];
    cut(&a->sent_count, q->limit, a);
}

static void answer_bounced(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    a->sent = ROOM(a, 1, struct sent_row);
    for (size_t i = 0; i < d->sent_count && a->sent_count == 0; i++)
        if (d->sent[i].message == q->u.after)
            a->sent[a->sent_count++] = d->sent[i];
}

static int by_digest(const void *a, const void *b)
{
    int64_t x = ((const struct wishes_row *)a)->digest_at;
    int64_t y = ((const struct wishes_row *)b)->digest_at;

    return x < y ? -1 : x > y;
}

static void answer_digests(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    struct wishes_row *due = ROOM(a, d->wishes_count, struct wishes_row);
    size_t n = 0;

    for (size_t i = 0; i < d->wishes_count; i++)
        if (d->wishes[i].digest_at > 0 && d->wishes[i].digest_at <= q->u.until)
            due[n++] = d->wishes[i];
    qsort(due, n, sizeof(*due), by_digest);
    a->places = ROOM(a, n, struct place);
    for (size_t i = 0; i < n; i++)
        a->places[a->place_count++].account = due[i].account;
    cut(&a->place_count, q->limit, a);
}

static void answer_invites(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    size_t most = 0;

    for (size_t i = 0; i < d->table_count; i++)
        most += d->tables[i]->invited_count;
    a->places = ROOM(a, most, struct place);
    for (size_t i = 0; i < d->table_count; i++) {
        const struct disk_table *t = d->tables[i];
        for (size_t k = 0; k < t->invited_count; k++)
            if (t->row.summary.state == TABLE_OPEN &&
                t->invited[k].until > 0 && t->invited[k].until <= q->u.until)
                a->places[a->place_count++] = (struct place){
                    .account = t->invited[k].account,
                    .table = t->row.id,
                };
    }
    cut(&a->place_count, q->limit, a);
}

bool disk_outbox_answer(const struct disk *d, const struct question *q,
                        struct answer *a)
{
    switch (q->kind) {
    case ASK_NOTICES: answer_notices(d, q, a); return true;
    case ASK_MESSAGES: answer_messages(d, q, a); return true;
    case ASK_TOLD: answer_told(d, q, a); return true;
    case ASK_OUTBOX: answer_outbox(d, q, a); return true;
    case ASK_SENT: answer_sent(d, q, a); return true;
    case ASK_BOUNCED: answer_bounced(d, q, a); return true;
    case ASK_DIGESTS: answer_digests(d, q, a); return true;
    case ASK_INVITES: answer_invites(d, q, a); return true;
    case ASK_REMINDED: a->reminded = d->reminded; return true;
    default: return false;
    }
}
