/* outbox_decide.c -- what has waited its time: whether it is still so, and who
 * is told of it where. */

#include <stdlib.h>

#include "outbox_inner.h"

/* What a digest does not take the place of. */
#define AT_ANY_RATE \
    (OF_KIND(NOTICE_MISS) | OF_KIND(NOTICE_INVITED) | OF_KIND(NOTICE_ACCOUNT))

/* What people hear of while they are away. */
#define IN_ABSENCE \
    (OF_KIND(NOTICE_MISS) | OF_KIND(NOTICE_VOTE) | OF_KIND(NOTICE_ACCOUNT))

/* ---- what is true --------------------------------------------------------- */

const struct listed *outbox_table(const struct answer *answer, id_num table)
{
    for (size_t i = 0; i < answer->listed_count; i++)
        if (answer->tables[i].table.id == table)
            return &answer->tables[i];
    return NULL;
}

const struct other *outbox_other(const struct answer *answer, id_num account)
{
    for (size_t i = 0; i < answer->other_count; i++)
        if (answer->others[i].account == account)
            return &answer->others[i];
    return NULL;
}

static bool is_in(const id_num *list, size_t count, id_num id)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == id)
            return true;
    return false;
}

static int seat_of(const struct summary *s, id_num account)
{
    for (int seat = 0; seat < s->seats; seat++)
        if (s->seat[seat] == account)
            return seat;
    return -1;
}

bool outbox_may_tell(const struct hub *hub, const struct answer *answer)
{
    const struct account_row *a = answer->accounts;

    return answer->account_count == 1 && a->kind != ACCOUNT_DELETED &&
           a->banned_until <= hub->now_ms;
}

int64_t outbox_deadline(const struct hub *hub, const struct listed *l,
                        id_num account)
{
    const struct summary *s = &l->table.summary;
    int seat = seat_of(s, account);

    return seat >= 0 && s->state == TABLE_PLAYING && s->due[seat] != 0
               ? outages_due(hub, s->due[seat], s->changed)
               : 0;
}

/* Whether it is still so that somebody is away, or back. */
static bool absence_true(const struct hub *hub, const struct answer *answer,
                         const struct outbox_item *item)
{
    const struct other *by = outbox_other(answer, item->maker);
    bool away = item->table == 0 ? absence_now(answer, hub->now_ms) != NULL
                                 : by != NULL && by->away_ms > hub->now_ms;

    return away == (item->detail == NOTICE_PLAIN);
}

/* Rows whose reason is gone for certain went when it did; here is judged what
 * nobody saw go. */
bool outbox_true(const struct hub *hub, const struct answer *answer,
                 id_num account, const struct outbox_item *item)
{
    const struct listed *l = outbox_table(answer, item->table);

    if (item->kind == NOTICE_ACCOUNT)
        return true;
    if (item->kind == NOTICE_ABSENCE && item->table == 0)
        return absence_true(hub, answer, item);
    if (l == NULL || is_in(answer->muted, answer->muted_count, item->table))
        return false;
    const struct summary *s = &l->table.summary;
    int seat = seat_of(s, account);
    bool plays = s->state == TABLE_PLAYING && seat >= 0;
    bool asked = plays && (s->acting & RULES_BIT(seat)) != 0;
    switch (item->kind) {
    case NOTICE_TURN: return asked;
    case NOTICE_REMINDER:
        return asked && (s->due[seat] != 0 ||
                         s->since[seat] + LIMIT_REMINDER_MS <= hub->now_ms);
    case NOTICE_ANSWER: return plays && !asked;
    case NOTICE_ABSENCE: return plays && absence_true(hub, answer, item);
    case NOTICE_INVITED:
        return s->state == TABLE_OPEN && seat < 0 && l->invited;
    case NOTICE_VOTE: /* over sooner, it is dropped */
    case NOTICE_STARTED: return plays;
    case NOTICE_FINISHED: return s->state > TABLE_PLAYING && seat >= 0;
    case NOTICE_CHAT: return l->unread > 0;
    case NOTICE_SEATED:
    case NOTICE_REWOUND: return s->state <= TABLE_PLAYING && seat >= 0;
    case NOTICE_UNSEATED: return s->state <= TABLE_PLAYING;
    default: return true;
    }
}

static struct wishes_row usual_wishes(id_num account)
{
    return (struct wishes_row){
        .account = account,
        .wait_s = LIMIT_NOTICE_WAIT_S,
        .language = "",
    };
}

struct wishes_row outbox_wishes(const struct answer *answer, id_num account)
{
    return answer->wishes != NULL ? *answer->wishes : usual_wishes(account);
}

void outbox_wishes_put(struct change *c, id_num account,
                       const struct wishes_row *wishes)
{
    struct op *op = change_op(c, OP_WISHES);

    op->account = account;
    op->u.wishes = *wishes;
    op->u.wishes.language = change_text(c, wishes->language);
}

void outbox_language_put(struct change *c, id_num account,
                         const char *language)
{
    struct wishes_row w = usual_wishes(account);

    w.language = language;
    outbox_wishes_put(c, account, &w);
}

/* ---- a decision ----------------------------------------------------------- */

struct decision {
    struct hub *hub;
    struct change *change;
    struct outbox_job *job;
    struct outbox_person *person;
    const struct answer *answer;
    struct channel_row channels[LIMIT_CHANNELS];
    size_t channel_count;
    struct wishes_row wishes;
    bool counted;              /* WISHES is to be stored */
    int64_t hours_ms, away_ms; /* when they are there again, by their hours and
                                * absence; now, if they are */
};

/* From who they never played with so many invitations a day, and none from who
 * is nobody in particular. */
static bool invites_too_much(struct decision *d,
                             const struct outbox_item *item)
{
    const struct other *by = outbox_other(d->answer, item->maker);
    int64_t day = d->hub->now_ms / LIMIT_DAY_MS;

    if (by != NULL && by->met)
        return false;
    if (by == NULL || by->kind != ACCOUNT_USER)
        return true;
    if (d->wishes.day != day) {
        d->wishes.day = day;
        d->wishes.strangers = 0;
    }
    if (d->wishes.strangers >= LIMIT_STRANGERS)
        return true;
    d->wishes.strangers++;
    d->counted = true;
    return false;
}

/* Who was not here for long is written to seldom, and then no more. */
bool outbox_may_mail(const struct hub *hub, const struct outbox_person *p,
                     const struct answer *answer)
{
    int64_t away = hub->now_ms - answer->accounts->seen;
    int64_t last = answer->mailed;

    for (const struct outbox_message *m = p->messages; m != NULL; m = m->next)
        if (m->way == CHANNEL_MAIL && m->form != DELIVERY_ACCOUNT)
            last = hub->now_ms;
    if (!hub->config.mail || away >= LIMIT_GONE_MS)
        return false;
    return away < LIMIT_AWAY_MS || last + 7 * LIMIT_DAY_MS <= hub->now_ms;
}

/* What those of ROW's table agreed on about time; false if it has no pace. */
static bool terms_of(const struct table_row *row, struct terms *ret)
{
    char why[JSON_EXPECTED_MAX];

    if (row->terms == NULL)
        return false;
    json_t *is = json_parse(row->terms, strlen(row->terms), why);
    bool timed = json_terms_read(is, ret);
    json_decref(is);
    return timed;
}

/* A game of minutes, of which a mail would come too late. */
static bool is_quick(const struct listed *l)
{
    struct terms terms;

    return l != NULL && terms_of(&l->table, &terms) &&
           terms.pace.free + terms.pace.bank < LIMIT_QUICK_S;
}

int64_t outbox_most_ms(const struct terms *terms)
{
    const struct pace *pace = &terms->pace;
    return (pace->free + pace->bank) * INT64_C(1000) / LIMIT_NOTICE_PART;
}

int64_t outbox_most_ms_at(const struct table_row *row)
{
    struct terms terms;
    return terms_of(row, &terms) ? outbox_most_ms(&terms) : INT64_MAX;
}

/* Whether ITEM is told by way of C. */
static bool goes(const struct decision *d, const struct channel_row *c,
                 const struct outbox_item *item)
{
    unsigned kind = OF_KIND(item->kind);
    bool last = item->kind == NOTICE_REMINDER && item->detail == NOTICE_LAST;

    if (!channel_wants(c, item->kind))
        return false;
    if (d->wishes.digest != 0 && (kind & AT_ANY_RATE) == 0 && !last)
        return false;
    if (c->way == CHANNEL_MAIL &&
        is_quick(outbox_table(d->answer, item->table)))
        return false;
    return c->way != CHANNEL_MAIL || d->wishes.at_once || item->table == 0 ||
           item->kind == NOTICE_REMINDER ||
           !outbox_is_told(d->person, item->table);
}

/* The message of P that takes up what is new for channel C. */
static struct outbox_message *open_message(struct outbox_person *p, id_num c,
                                           enum delivery_form form)
{
    for (struct outbox_message *m = p->messages; m != NULL; m = m->next)
        if (m->channel == c && m->state == MESSAGE_WAITS && !m->unsure &&
            !m->dropped && m->form == form &&
            m->item_count < LIMIT_MESSAGE_ITEMS)
            return m;
    return NULL;
}

/* Who has a mail about a table gets no other until they have looked. */
static void mark_told(struct decision *d, id_num table)
{
    if (table == 0 || outbox_is_told(d->person, table))
        return;
    struct op *op = change_op(d->change, OP_TOLD);
    op->account = d->person->account;
    op->table = table;
    outbox_ahead(d->change, d->person->account);
    outbox_tell(d->person, table);
}

/* Items that go to channel C, COUNT of ITEMS, in one message. */
static void tell_by(struct decision *d, const struct channel_row *c,
                    const struct outbox_item *items, size_t count)
{
    struct outbox_message *m = NULL;
    enum delivery_form form = DELIVERY_NOTICES;

    for (size_t i = 0; i < count; i++)
        if (items[i].kind == NOTICE_ABSENCE && items[i].table == 0 &&
            items[i].detail == NOTICE_BACK)
            form = DELIVERY_SUMMARY; /* of all that had to wait */
    if (c->way == CHANNEL_MAIL &&
        !outbox_may_mail(d->hub, d->person, d->answer))
        return;
    for (size_t i = 0; i < count; i++) {
        if (!goes(d, c, &items[i]))
            continue;
        if (m == NULL)
            m = open_message(d->person, c->id, form);
        if (m == NULL)
            m = outbox_message_new(d->hub, d->person, c, form);
        outbox_item_put(m, &items[i]);
    }
    if (m == NULL)
        return;
    outbox_message_put(d->change, m);
    for (size_t i = 0; c->way == CHANNEL_MAIL && i < m->item_count; i++)
        mark_told(d, m->items[i].table);
}

static void put_wishes(struct decision *d)
{
    if (!d->counted)
        return;
    outbox_wishes_put(d->change, d->person->account, &d->wishes);
}

/* ---- its steps ------------------------------------------------------------ */

/* Whether row I of P is decided now: its time has come, or nearly. */
static bool is_ripe(const struct hub *hub, const struct outbox_person *p,
                    size_t i)
{
    return outbox_told_at(p, &p->rows[i]) <=
           hub->now_ms + LIMIT_NOTICE_ALONG_MS;
}

/* Whether somebody's time at the table of ROW is up before AT_MS, which is not to
 * be waited for then. */
static bool presses(const struct decision *d, const struct notice_row *row,
                    int64_t at_ms)
{
    const struct listed *l = outbox_table(d->answer, row->table);
    int64_t due = l != NULL ? outbox_deadline(d->hub, l, row->account) : 0;

    return due != 0 && due < at_ms;
}

/* Until when ROW waits as they are away, or it is not their hours; now, if it does
 * not. */
static int64_t held_until(const struct decision *d,
                          const struct notice_row *row)
{
    bool own = row->kind == NOTICE_ABSENCE && row->table == 0 &&
               row->detail == NOTICE_PLAIN;

    if (d->away_ms > d->hub->now_ms && !own &&
        (OF_KIND(row->kind) & IN_ABSENCE) == 0)
        return d->away_ms;
    return presses(d, row, d->hours_ms) ? d->hub->now_ms : d->hours_ms;
}

/* When the first row of P is due. */
int64_t outbox_first_due(const struct outbox_person *p)
{
    int64_t at = INT64_MAX;

    for (size_t i = 0; i < p->row_count; i++)
        if (outbox_told_at(p, &p->rows[i]) < at)
            at = outbox_told_at(p, &p->rows[i]);
    return at;
}

/* When the first of them may be told. */
static int64_t first_told(const struct decision *d)
{
    const struct outbox_person *p = d->person;
    int64_t first = INT64_MAX;

    for (size_t i = 0; i < p->row_count; i++) {
        int64_t at = outbox_told_at(p, &p->rows[i]);
        int64_t held = held_until(d, &p->rows[i]);
        if (held > at)
            at = held;
        if (at < first)
            first = at;
    }
    return first;
}

/* Whether the answer knows of it. */
static bool was_asked(const struct outbox_job *k, const struct notice_row *row)
{
    for (size_t i = 0; i < k->item_count; i++)
        if (k->items[i].table == row->table)
            return row->number <= k->last;
    return false;
}

/* Rows that were read tell how long they may wait only by their table. */
static void learn_most(struct decision *d)
{
    struct outbox_person *p = d->person;

    for (size_t i = 0; i < p->row_count; i++) {
        struct notice_row *row = &p->rows[i];
        const struct listed *l = outbox_table(d->answer, row->table);
        if (row->most_ms == 0 && was_asked(d->job, row))
            row->most_ms = l != NULL ? outbox_most_ms_at(&l->table)
                                     : INT64_MAX;
    }
}

static void learn(struct decision *d)
{
    struct outbox_person *p = d->person;

    p->known = true;
    p->known_ms = d->hub->now_ms;
    p->nowhere = true;
    for (size_t i = 0; i < d->channel_count; i++)
        if (d->channels[i].state == CHANNEL_ON)
            p->nowhere = false;
    p->wait_ms = d->wishes.at_once ? 0 : d->wishes.wait_s * INT64_C(1000);
    learn_most(d);
}

static void decision_stored(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
    outbox_send(hub);
}

/* Takes the rows that are decided, whose numbers go into OP; those that may be
 * told of are items. */
static size_t take_ripe(struct decision *d, bool all, struct op *op,
                        struct outbox_item *items)
{
    struct outbox_person *p = d->person;
    size_t n = 0;

    for (size_t i = 0; i < p->row_count;) {
        const struct notice_row *row = &p->rows[i];
        struct outbox_item item = {row->kind, row->table, row->ply, row->maker,
                                   row->detail};
        if (!was_asked(d->job, row) ||
            !(all || (is_ripe(d->hub, p, i) &&
                      held_until(d, row) <= d->hub->now_ms))) {
            i++;
            continue;
        }
        bool fine = !all && outbox_true(d->hub, d->answer, p->account, &item);
        if (fine && item.kind == NOTICE_INVITED && invites_too_much(d, &item))
            fine = false;
        if (fine)
            items[n++] = item;
        op->u.notices.drop[op->u.notices.drop_count++] = row->number;
        outbox_take(d->hub, p, i);
    }
    return n;
}

/* NOBODY: all that waits for them goes untold. */
static void decide(struct decision *d, struct request *q, bool nobody)
{
    struct outbox_person *p = d->person;
    size_t most = p->row_count;
    struct outbox_item *items = region_take(&q->region,
                                            (most + 1) * sizeof(*items));

    d->change = change_begin(d->hub, q, NULL);
    struct op *op = outbox_op(d->change, 0, most);
    size_t n = take_ripe(d, nobody, op, items);
    for (size_t i = 0; i < d->channel_count && n > 0; i++)
        tell_by(d, &d->channels[i], items, n);
    put_wishes(d);
    change_submit(d->change, decision_stored);
}

/* Waits until AT_MS. */
static void wait(struct hub *hub, struct request *q, int64_t at_ms)
{
    struct outbox_job *k = q->kept;

    k->again_ms = at_ms;
    result_empty(hub, q);
}

static void asked(struct hub *hub, struct request *q,
                  const struct answer *answer)
{
    struct outbox_job *k = q->kept;
    struct outbox_person *p = k->person;
    struct decision d = {
        .hub = hub,
        .job = k,
        .person = p,
        .answer = answer,
        .wishes = outbox_wishes(answer, p->account),
    };

    if (k->changes != p->changes) { /* the answer may be of before */
        k->changes = p->changes;
        outbox_ask(hub, q, p->account, k->items, k->item_count, asked);
        return;
    }
    d.channel_count = channels_of(answer, d.channels);
    learn(&d);
    if (p->row_count == 0) {
        result_empty(hub, q);
        return;
    }
    bool nobody = p->nowhere || !outbox_may_tell(hub, answer);
    const struct absence_row *away = absence_now(answer, hub->now_ms);
    d.away_ms = away != NULL ? away->until_ms : hub->now_ms;
    (void)hours_inside(hub, answer->hours, &d.hours_ms);
    int64_t due = first_told(&d);
    if (!nobody && due > hub->now_ms)
        wait(hub, q, due);
    else if (!nobody && hub->outbox->messages.count >= LIMIT_MESSAGES_HELD)
        wait(hub, q, hub->now_ms + LIMIT_MINUTE_MS);
    else
        decide(&d, q, nobody);
}

void outbox_decide(struct hub *hub, struct outbox_person *p)
{
    struct request *q = outbox_job(hub, p);
    struct outbox_job *k = q->kept;

    q->done = outbox_decision_over;
    hub->outbox->deciding++;
    k->last = hub->outbox->last;
    size_t count = p->row_count < LIMIT_NOTICES_PERSON ? p->row_count
                                                       : LIMIT_NOTICES_PERSON;
    k->items = region_take(&q->region, (count + 1) * sizeof(*k->items));
    for (size_t i = 0; i < count; i++)
        k->items[k->item_count++] = (struct outbox_item){
            .kind = p->rows[i].kind,
            .table = p->rows[i].table,
            .maker = p->rows[i].kind == NOTICE_INVITED ||
                             p->rows[i].kind == NOTICE_ABSENCE
                         ? p->rows[i].maker
                         : 0,
        };
    outbox_ask(hub, q, p->account, k->items, k->item_count, asked);
}
