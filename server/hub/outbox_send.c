/* outbox_send.c -- messages: stored, handed to the host when it is their turn,
 * tried again, and what became of them.
 *
 *     stored -> waits -> asked what is true -> handed to the host
 *                 ^                                   |
 *                 +---- not now, or our own fault ----+-> settled: stored as
 *                                                         sent, and gone
 *
 * What a message tells is found out each time, so that one that had to wait for
 * days tells nothing old.  Its row is dropped by the transaction that says what
 * became of it: a crash before that has it sent again, with the same ID. */

#include <stdlib.h>

#include "outbox_inner.h"
#include "unsubscribe.h"

#define AGAIN_MS 1000

static const char *const form_words[] = {
    [DELIVERY_NOTICES] = "notices", [DELIVERY_DIGEST] = "digest",
    [DELIVERY_SUMMARY] = "summary", [DELIVERY_ACCOUNT] = "account",
    [DELIVERY_TEST] = "test",
};

static const char *const mail_words[ACCOUNT_MAILS] = {
    [ACCOUNT_MAIL_CONFIRM] = "confirm", [ACCOUNT_MAIL_RESET] = "reset",
    [ACCOUNT_MAIL_CHANGED] = "changed", [ACCOUNT_MAIL_DEVICE] = "device",
    [ACCOUNT_MAIL_TOTP] = "totp",
};

#define WORD(name, word) [NOTICE_##name] = (word),
const char *const notice_words[NOTICE_KINDS] = {NOTICE_KINDS_ALL(WORD)};
#undef WORD
#define WORD(name, word) [CHANNEL_##name] = (word),
const char *const channel_words[CHANNELS] = {CHANNELS_ALL(WORD)};
#undef WORD

int outbox_word(const char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; word != NULL && i < count; i++)
        if (words[i] != NULL && strcmp(words[i], word) == 0)
            return (int)i;
    return -1;
}

/* ---- messages ------------------------------------------------------------- */

static struct outbox_message *message_begin(struct hub *hub,
                                            struct outbox_person *p, id_num id)
{
    struct outbox_message *m = calloc(1, sizeof(*m));

    ASSERT(m != NULL);
    m->id = id;
    m->person = p;
    m->made_ms = hub->now_ms;
    m->next = p->messages;
    p->messages = m;
    map_put(&hub->outbox->messages, id, m);
    return m;
}

/* M leaves when C is stored, and is forgotten if it is not. */
static void expect(struct change *c, struct outbox_message *m)
{
    struct outbox *o = c->hub->outbox;

    m->state = MESSAGE_EXPECTED;
    m->after = c->id;
    m->next_fresh = o->fresh;
    o->fresh = m;
    c->outbox.messages = true;
}

void outbox_stored(struct hub *hub, transaction_id transaction, bool stored)
{
    struct outbox_message **at = &hub->outbox->fresh, *m;

    while ((m = *at) != NULL) {
        if (m->after != transaction) {
            at = &m->next_fresh;
            continue;
        }
        *at = m->next_fresh;
        if (stored && !m->dropped)
            outbox_message_queue(hub, m, hub->now_ms);
        else
            outbox_message_free(hub, m);
    }
}

struct outbox_message *outbox_message_new(struct hub *hub,
                                          struct outbox_person *p,
                                          const struct channel_row *to,
                                          enum delivery_form form)
{
    struct outbox_message *m = message_begin(hub, p, random_id(hub));

    m->channel = to->id;
    m->way = to->way;
    m->form = (uint8_t)form;
    outbox_queue_join(hub->outbox, m, to->target);
    return m;
}

void outbox_message_free(struct hub *hub, struct outbox_message *m)
{
    struct outbox *o = hub->outbox;
    struct outbox_message **at = &m->person->messages;

    o->outdated = true; /* what is being read may have it */
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    outbox_queue_leave(o, m);
    map_take(&o->messages, m->id);
    region_done(&m->region);
    free(m->items);
    free(m);
}

/* Whether A, of the same table, says what B does, or more. */
static bool says(enum notice_kind a, enum notice_kind b)
{
    return a == b || (a == NOTICE_REMINDER && b == NOTICE_TURN);
}

void outbox_item_put(struct outbox_message *m, const struct outbox_item *item)
{
    for (size_t i = 0; i < m->item_count; i++) {
        struct outbox_item *old = &m->items[i];
        if (old->table != item->table)
            continue;
        if (says(item->kind, old->kind))
            *old = *item;
        if (says(old->kind, item->kind))
            return;
    }
    if (m->item_count == LIMIT_MESSAGE_ITEMS)
        return; /* they will see the rest when they come */
    m->items = realloc(m->items, (m->item_count + 1) * sizeof(*m->items));
    ASSERT(m->items != NULL);
    m->items[m->item_count++] = *item;
}

void outbox_message_queue(struct hub *hub, struct outbox_message *m,
                          int64_t due_ms)
{
    m->after = 0;
    m->state = MESSAGE_WAITS;
    outbox_queue_put(hub->outbox, m, due_ms);
}

/* ---- as the store has them -------------------------------------------------- */

static void write_text(struct json_out *o, const char *key, const char *text)
{
    if (text != NULL)
        out_string(o, key, text);
}

static void write_items(struct json_out *o, const struct outbox_message *m,
                        bool all)
{
    out_list(o, "items");
    for (size_t i = 0; i < m->item_count; i++) {
        const struct outbox_item *item = &m->items[i];
        out_object(o, NULL);
        out_string(o, "kind", notice_words[item->kind % NOTICE_KINDS]);
        write_id(o, "table", item->table);
        if (all) {
            out_int(o, "ply", item->ply);
            write_id(o, "maker", item->maker);
            out_int(o, "detail", item->detail);
        }
        out_end(o);
    }
    out_end(o);
}

/* What M tells; ALL: with what nobody but its receiver is to know. */
static void write_body(struct json_out *o, const struct outbox_message *m,
                       bool all)
{
    const struct account_notice *n = &m->mail;

    out_object(o, NULL);
    out_string(o, "form", form_words[m->form]);
    if (m->form == DELIVERY_ACCOUNT) {
        out_string(o, "mail", mail_words[n->mail]);
        write_text(o, "to", all ? n->to : NULL);
        write_text(o, "name", all ? n->name : NULL);
        write_text(o, "address", all ? n->address : NULL);
    }
    write_items(o, m, all);
    out_end(o);
}

static const char *body_of(struct change *c, const struct outbox_message *m,
                           bool all)
{
    struct json_out *o = &c->hub->line;

    json_out_reset(o);
    write_body(o, m, all);
    return region_text(&c->transaction.region, json_out_text(o), o->len);
}

void outbox_message_put(struct change *c, struct outbox_message *m)
{
    struct op *op = change_op(c, OP_MESSAGE);

    if (m->state == MESSAGE_NEW)
        expect(c, m);
    op->account = m->person->account;
    op->u.message = (struct message_row){
        .id = m->id,
        .account = m->person->account,
        .channel = m->channel,
        .way = m->way,
        .made = m->made_ms,
        .due = m->due.at_ms,
        .failing = m->failing_ms,
        .tries = m->tries,
        .body = body_of(c, m, true),
    };
}

static const char *text_of(struct outbox_message *m, const json_t *body,
                           const char *key)
{
    return region_copy(&m->region,
                       json_string_value(json_object_get(body, key)));
}

static id_num id_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    id_num id = 0;

    return text != NULL && id_read(text, &id) ? id : 0;
}

static void read_mail(struct outbox_message *m, const json_t *body)
{
    int mail = outbox_word(mail_words, ACCOUNT_MAILS,
                           json_string_value(json_object_get(body, "mail")));

    m->mail = (struct account_notice){
        .mail = mail < 0 ? ACCOUNT_MAIL_CHANGED : (enum account_mail)mail,
        .account = m->person->account,
        .to = text_of(m, body, "to"),
        .name = text_of(m, body, "name"),
        .address = text_of(m, body, "address"),
    };
}

static void read_body(struct outbox_message *m, const json_t *body)
{
    const json_t *items = json_object_get(body, "items");
    int form = outbox_word(form_words, COUNT_OF(form_words),
                           json_string_value(json_object_get(body, "form")));

    m->form = form < 0 ? DELIVERY_NOTICES : (uint8_t)form;
    if (m->form == DELIVERY_ACCOUNT)
        read_mail(m, body);
    for (size_t i = 0; i < json_array_size(items); i++) {
        const json_t *item = json_array_get(items, i);
        int kind = outbox_word(notice_words, NOTICE_KINDS,
                               json_string_value(
                                   json_object_get(item, "kind")));
        if (kind < 0)
            continue;
        outbox_item_put(
            m,
            &(struct outbox_item){
                (uint8_t)kind,
                id_of(item, "table"),
                (uint32_t)json_integer_value(json_object_get(item, "ply")),
                id_of(item, "maker"),
                (uint8_t)json_integer_value(json_object_get(item, "detail")),
            });
    }
}

struct outbox_message *outbox_message_read(struct hub *hub,
                                           const struct message_row *row)
{
    char why[JSON_EXPECTED_MAX];
    struct outbox_person *p = outbox_person_always(hub, row->account);
    json_t *body = json_parse(row->body, strlen(row->body), why);

    if (row->way >= CHANNELS || !json_is_object(body)) {
        json_decref(body);
        return NULL;
    }
    struct outbox_message *m = message_begin(hub, p, row->id);
    m->channel = row->channel;
    m->way = row->way;
    m->made_ms = row->made;
    m->failing_ms = row->failing;
    m->tries = row->tries;
    m->unsure = true; /* it may have left before the process ended */
    outbox_queue_join(hub->outbox, m, NULL);
    read_body(m, body);
    json_decref(body);
    return m;
}

/* ---- accounts -------------------------------------------------------------- */

void outbox_account(struct change *c, const struct account_notice *n)
{
    struct hub *hub = c->hub;
    struct outbox_person *p = outbox_person_always(hub, n->account);
    struct channel_row to = {.way = CHANNEL_MAIL};
    struct outbox_message *m = outbox_message_new(hub, p, &to,
                                                  DELIVERY_ACCOUNT);
    struct region *r = &m->region;
    m->mail = *n;
    m->mail.to = region_copy(r, n->to);
    m->mail.name = region_copy(r, n->name);
    m->mail.address = region_copy(r, n->address);
    outbox_message_put(c, m);
}

/* ---- what became of one ----------------------------------------------------- */

void outbox_tell_account(struct change *c, id_num account)
{
    struct op *op = outbox_op(c, 1, 0);

    op->u.notices.count = 1;
    op->u.notices.rows[0] = (struct notice_row){
        .number = outbox_number(c->hub),
        .account = account,
        .kind = NOTICE_ACCOUNT,
        .at = c->hub->now_ms,
    };
    outbox_add(c->hub, op->u.notices.rows);
}

static void settled(struct hub *hub, struct request *q)
{
    struct outbox_job *k = q->kept;

    if (k->off != NULL) {
        channel_told(hub, k->off);
        outbox_changed(hub, k->off->account);
    }
    outbox_message_free(hub, k->message);
    k->message = NULL;
    result_empty(hub, q);
}

/* What the store could not do or say is tried again. */
static void job_over(struct request *q)
{
    struct outbox_job *k = q->kept;
    struct outbox_message *m = k->message;

    if (k->off != NULL)
        k->person->off = 0;
    if (m != NULL) {
        if (m->state == MESSAGE_ASKED)
            m->state = MESSAGE_WAITS;
        outbox_queue_end(k->hub->outbox, m);
        outbox_queue_put(k->hub->outbox, m, outbox_again_ms(k));
    }
    outbox_job_done(q);
}

/* Stores what became of M, which is known. */
static void settle(struct hub *hub, struct outbox_message *m,
                   const struct channel_row *off)
{
    struct request *q = outbox_job(hub, m->person);
    struct outbox_job *k = q->kept;

    k->message = m;
    q->done = job_over;
    m->state = MESSAGE_SETTLED;
    struct change *c = change_begin(hub, q, NULL);
    change_op(c, OP_MESSAGE_DROP)->u.message.id = m->id;
    if (!m->dropped && m->person->account != 0) {
        struct op *op = change_op(c, OP_SENT);
        op->u.sent = (struct sent_row){
            .account = m->person->account,
            .message = m->id,
            .channel = m->channel,
            .way = m->way,
            .result = m->result,
            .at = hub->now_ms,
            .body = body_of(c, m, false),
            .said = change_text(c, m->said),
        };
    }
    if (off != NULL) {
        m->person->off = off->id;
        channel_put(c, off);
        outbox_tell_account(c, off->account);
        k->off = region_take(&q->region, sizeof(*k->off));
        *k->off = *off;
        k->off->why = region_copy(&q->region, off->why);
    }
    change_submit(c, settled);
}

/* ---- channels that are dead --------------------------------------------------- */

static void off_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    struct outbox_job *k = q->kept;
    struct outbox_message *m = k->message;
    struct channel_row c;

    k->message = NULL;
    /* Another message may have found it gone, too, and is about to say so. */
    if (!channel_find(answer, m->channel, &c) || c.state != CHANNEL_ON ||
        m->person->off == c.id) {
        settle(hub, m, NULL);
        result_empty(hub, q);
        return;
    }
    c.state = CHANNEL_OFF;
    c.changed = hub->now_ms;
    c.why = m->said;
    settle(hub, m, &c);
    result_empty(hub, q);
}

/* M's receiver is gone: its channel is switched off. */
static void switch_off(struct hub *hub, struct outbox_message *m)
{
    struct request *q = outbox_job(hub, m->person);
    struct outbox_job *k = q->kept;

    k->message = m;
    q->done = job_over;
    m->state = MESSAGE_SETTLED;
    outbox_ask(hub, q, m->person->account, NULL, 0, off_found);
}

/* ---- our own faults ----------------------------------------------------------- */

/* The operator is told once of each, and when it is over. */
static void alarm(struct hub *hub, struct outbox_way *way, int number,
                  const char *said)
{
    if (way->alarm_ms == 0)
        way->alarm_since_ms = hub->now_ms;
    if (way->alarm_ms == 0 || strcmp(way->alarm, said) != 0)
        hub->host->log(hub->host, LOG_ERROR,
                       LOG_FIELDS(log_event("notices_failing"),
                                  log_text("channel", channel_words[number]),
                                  log_text("why", said)));
    snprintf(way->alarm, sizeof(way->alarm), "%s", said);
    way->alarm_ms = hub->now_ms + LIMIT_ALARM_MS;
}

static void all_clear(struct hub *hub, struct outbox_way *way, int number)
{
    if (way->alarm_ms == 0)
        return;
    hub->host->log(hub->host, LOG_NOTICE,
                   LOG_FIELDS(log_event("notices_mended"),
                              log_text("channel", channel_words[number])));
    way->alarm_ms = 0;
    way->alarm[0] = '\0';
}

/* ---- trying again --------------------------------------------------------------- */

static int64_t pause_of(int32_t tries)
{
    int64_t ms = LIMIT_RETRY_MS;

    while (tries-- > 1 && ms < LIMIT_RETRY_MAX_MS)
        ms *= 2;
    return ms < LIMIT_RETRY_MAX_MS ? ms : LIMIT_RETRY_MAX_MS;
}

static void retry_stored(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

/* Its receiver does not take it now; after three days nobody waits for that. */
static void try_again(struct hub *hub, struct outbox_message *m,
                      int64_t after_ms)
{
    int64_t pause;

    if (m->failing_ms == 0)
        m->failing_ms = hub->now_ms;
    m->tries++;
    if (hub->now_ms - m->failing_ms >= LIMIT_FAILING_MS) {
        settle(hub, m, NULL);
        return;
    }
    pause = pause_of(m->tries);
    if (after_ms > pause)
        pause = after_ms < LIMIT_FAILING_MS ? after_ms : LIMIT_FAILING_MS;
    m->unsure = false;
    outbox_message_queue(hub, m, hub->now_ms + pause);
    struct request *q = outbox_job(hub, m->person);
    struct change *c = change_begin(hub, q, NULL);
    outbox_message_put(c, m);
    change_submit(c, retry_stored);
}

/* Its server has enough to do; that is no try. */
static void put_off(struct hub *hub, struct outbox_message *m)
{
    outbox_queue_judge(hub, m, true);
    outbox_message_queue(hub, m, m->due.at_ms);
}

/* Whether its server had M wait for nothing.  Whose mail it is has no say in how
 * fast the mail server is. */
static bool was_slow(const struct hub *hub, const struct outbox_message *m,
                     const struct delivery_outcome *o)
{
    return m->way != CHANNEL_MAIL && o->result == DELIVERY_RETRY &&
           hub->now_ms - m->handed_ms >= LIMIT_SLOW_MS;
}

/* What is said of us: if others get through it is this one's; else all wait for the
 * operator. */
static void our_fault(struct hub *hub, struct outbox_message *m)
{
    struct outbox_way *way = &hub->outbox->ways[m->way];

    if (way->done_ms != 0 && hub->now_ms - way->done_ms < LIMIT_ALARM_MS) {
        try_again(hub, m, 0);
        return;
    }
    m->failing_ms = 0;
    alarm(hub, way, m->way, m->said);
    m->unsure = false;
    outbox_message_queue(hub, m, way->alarm_ms);
}

static void note_outcome(struct hub *hub, struct outbox_message *m,
                         const struct delivery_outcome *o)
{
    struct outbox_way *way = &hub->outbox->ways[m->way];

    hub->counts.delivered[m->way][o->result]++;
    outbox_queue_judge(hub, m, was_slow(hub, m, o));
    snprintf(m->said, sizeof(m->said), "%s", o->said);
    m->result = (uint8_t)o->result;
    if (o->result == DELIVERY_DONE)
        way->done_ms = hub->now_ms;
    if (o->result != DELIVERY_OURS)
        all_clear(hub, way, m->way);
}

static void delivered(struct hub *hub, struct request *q, uint64_t about,
                      const struct delivery_outcome *o)
{
    struct outbox_message *m = map_get(&hub->outbox->messages, about);

    (void)q;
    if (m == NULL || m->state != MESSAGE_HANDED)
        return; /* none of ours */
    outbox_queue_end(hub->outbox, m);
    if (o->result != DELIVERY_LATER)
        note_outcome(hub, m, o);
    switch (o->result) {
    case DELIVERY_DONE: settle(hub, m, NULL); break;
    case DELIVERY_RETRY: try_again(hub, m, o->after_ms); break;
    case DELIVERY_GONE: switch_off(hub, m); break;
    case DELIVERY_OURS: our_fault(hub, m); break;
    case DELIVERY_LATER: put_off(hub, m); break;
    }
    outbox_send(hub);
}

/* ---- saying it ------------------------------------------------------------------ */

/* Of the clocks of ZONE. */
static int32_t offset_then(struct hub *hub, const char *zone, int64_t at_ms)
{
    struct hours_offsets offsets;

    if (!hub->host->zone(hub->host, zone, at_ms, &offsets))
        return 0;
    return hours_offset_at(&offsets, at_ms);
}

/* Until when what ITEM tells ACCOUNT is so, or 0. */
static int64_t moment_of(const struct hub *hub, const struct answer *answer,
                         id_num account, const struct outbox_item *item)
{
    const struct listed *l = outbox_table(answer, item->table);
    const struct other *by = outbox_other(answer, item->maker);
    const struct absence_row *own = absence_now(answer, hub->now_ms);

    if (item->kind == NOTICE_TURN || item->kind == NOTICE_REMINDER)
        return l != NULL ? outbox_deadline(hub, l, account) : 0;
    if (item->kind != NOTICE_ABSENCE || item->detail != NOTICE_PLAIN)
        return 0;
    return l != NULL ? (by != NULL ? by->away_ms : 0)
                     : (own != NULL ? own->until_ms : 0);
}

static void say_item(struct hub *hub, struct region *r,
                     const struct answer *answer, id_num account,
                     const struct outbox_item *from, struct delivery_item *to)
{
    const struct listed *l = outbox_table(answer, from->table);
    const struct other *by = outbox_other(answer, from->maker);

    *to = (struct delivery_item){
        .kind = from->kind,
        .detail = from->detail,
        .table = from->table,
        .ply = from->ply,
        .by = by != NULL && by->name[0] != '\0' ? by->name : NULL,
    };
    to->deadline_ms = moment_of(hub, answer, account, from);
    if (to->deadline_ms != 0 && answer->hours != NULL)
        to->offset_s = offset_then(hub, answer->hours->zone, to->deadline_ms);
    if (from->kind == NOTICE_ABSENCE && from->detail == NOTICE_BACK &&
        l == NULL && absence_left(hub, answer) == 0)
        to->detail = NOTICE_SPENT;
    if (l == NULL)
        return;
    const struct rules *rules = rules_find(l->table.game);
    const char **names = region_take(r, RULES_SEATS_MAX * sizeof(*names));
    to->game = rules != NULL ? rules->title : l->table.game;
    to->names = names;
    for (int seat = 0; seat < l->table.summary.seats; seat++)
        if (l->table.summary.seat[seat] != account && l->name[seat] != NULL &&
            l->name[seat][0] != '\0')
            names[to->name_count++] = l->name[seat];
    if (from->kind == NOTICE_CHAT)
        to->texts = (uint32_t)(l->unread < 1000 ? l->unread : 1000);
}

/* M as the host is handed it; false if nothing of it is true any more, or
 * wanted: since it was decided they may have said no more of that kind. */
static bool say(struct hub *hub, struct region *r, struct outbox_message *m,
                const struct channel_row *to, const struct answer *answer,
                struct delivery *d)
{
    struct delivery_item *items = region_take(r, (m->item_count + 1) *
                                                     sizeof(*items));
    struct wishes_row wishes = outbox_wishes(answer, m->person->account);
    size_t n = 0;

    for (size_t i = 0; i < m->item_count;) {
        if (!channel_wants(to, m->items[i].kind) ||
            !outbox_true(hub, answer, m->person->account, &m->items[i])) {
            m->items[i] = m->items[--m->item_count];
            continue;
        }
        say_item(hub, r, answer, m->person->account, &m->items[i++],
                 &items[n++]);
    }
    *d = (struct delivery){
        .channel = m->way,
        .form = m->form,
        .id = m->id,
        .language = region_copy(r, wishes.language),
        .zone = answer->hours != NULL ? answer->hours->zone : NULL,
        .account = answer->account_count > 0 ? answer->accounts->name : NULL,
        .now_ms = hub->now_ms,
        .server = hub->config.server_name,
        .url = hub->config.url,
        .items = items,
        .item_count = n,
    };
    return n > 0;
}

static void hand(struct hub *hub, struct outbox_message *m,
                 const struct delivery *d)
{
    m->state = MESSAGE_HANDED;
    m->handed_ms = hub->now_ms;
    hub_deliver(hub, NULL, m->id, d, delivered);
}

/* There is nothing to be sent of M after all. */
static void drop(struct hub *hub, struct outbox_message *m)
{
    m->dropped = true;
    outbox_queue_end(hub->outbox, m);
    settle(hub, m, NULL);
}

/* N is M's mail with all that it needs. */
static void hand_mail(struct hub *hub, struct outbox_message *m,
                      const struct account_notice *n)
{
    struct delivery d = {
        .channel = CHANNEL_MAIL,
        .form = DELIVERY_ACCOUNT,
        .target = n->to,
        .id = m->id,
        .language = n->language,
        .account = n->name,
        .now_ms = hub->now_ms,
        .server = hub->config.server_name,
        .url = hub->config.url,
        .account_mail = (uint8_t)n->mail,
        .link = n->link,
        .refuse_link = n->refuse_link,
        .address = n->address,
    };

    hand(hub, m, &d);
}

static void mail_ready(struct hub *hub, struct request *q)
{
    struct outbox_job *k = q->kept;
    struct outbox_message *m = k->message;

    k->message = NULL;
    if (q->mail.notice->to != NULL)
        hand_mail(hub, m, q->mail.notice);
    else
        drop(hub, m);
    result_empty(hub, q);
}

/* Who is no more is written to no more. */
static void mail_asked(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct outbox_job *k = q->kept;
    struct outbox_message *m = k->message;
    struct account_notice *n = region_take(&q->region, sizeof(*n));
    struct wishes_row wishes = outbox_wishes(answer, m->person->account);

    *n = m->mail;
    n->language = region_copy(&q->region, wishes.language);
    if (answer->account_count > 0 &&
        answer->accounts->kind != ACCOUNT_DELETED) {
        email_links(hub, q, n, m->made_ms, mail_ready);
        return;
    }
    k->message = NULL;
    drop(hub, m);
    result_empty(hub, q);
}

/* The code by which M's reader has no more mails of what it is about. */
static const char *unsubscribe_of(const struct hub *hub, struct request *q,
                                  const struct outbox_message *m)
{
    char *code = region_take(&q->region, UNSUBSCRIBE_CHARS + 1);
    uint32_t kinds = 0;

    for (size_t i = 0; i < m->item_count; i++)
        kinds |= OF_KIND(m->items[i].kind);
    kinds &= ~OF_KIND(NOTICE_ACCOUNT);
    if (m->way != CHANNEL_MAIL || kinds == 0)
        return NULL;
    unsubscribe_write(hub, m->person->account, kinds, code);
    return code;
}

static void asked(struct hub *hub, struct request *q,
                  const struct answer *answer)
{
    struct outbox_job *k = q->kept;
    struct outbox_message *m = k->message;
    struct channel_row to;
    struct delivery d;

    k->message = NULL;
    if (!outbox_may_tell(hub, answer) ||
        !channel_find(answer, m->channel, &to) ||
        (to.way == CHANNEL_MAIL && !hub->config.mail) ||
        !say(hub, &q->region, m, &to, answer, &d)) {
        drop(hub, m);
    } else if (!outbox_queue_goes(hub, m, to.target)) {
        m->state = MESSAGE_WAITS;
    } else {
        d.target = to.target;
        d.secret = to.secret;
        d.webhook = to.form;
        d.push_secret = outbox_push_secret(hub, &q->region);
        d.unsubscribe = unsubscribe_of(hub, q, m);
        hand(hub, m, &d);
    }
    result_empty(hub, q);
}

static void ask_keyed(struct hub *hub, struct request *q)
{
    const struct outbox_job *k = q->kept;
    const struct outbox_message *m = k->message;

    outbox_ask(hub, q, m->person->account, m->items, m->item_count,
               m->form == DELIVERY_ACCOUNT ? mail_asked : asked);
}

static void ask(struct hub *hub, struct outbox_message *m)
{
    struct request *q = outbox_job(hub, m->person);
    struct outbox_job *k = q->kept;

    k->message = m;
    q->done = job_over;
    m->state = MESSAGE_ASKED;
    secret_use(hub, q, SECRET_NOTICES, ask_keyed);
}

/* ---- whose turn it is --------------------------------------------------------------- */

static void settle_again(struct hub *hub, struct outbox_message *m)
{
    outbox_queue_end(hub->outbox, m);
    if (m->result == DELIVERY_GONE && !m->dropped)
        switch_off(hub, m);
    else
        settle(hub, m, NULL);
}

/* The next message of WAY that may go now, or NULL. */
static struct outbox_message *next_of(struct hub *hub, struct outbox_way *way,
                                      int number)
{
    const struct due *first = due_first(&way->queue);
    size_t most = way->alarm_ms != 0 ? 1 : LIMIT_DELIVERIES;

    if (first == NULL || first->at_ms > hub->now_ms ||
        way->alarm_ms > hub->now_ms || !outbox_way_has_room(hub, number, most))
        return NULL;
    return outbox_queue_next(hub, way);
}

void outbox_send(struct hub *hub)
{
    struct outbox_message *m;

    if (hub->closing)
        return;
    for (int number = 0; number < CHANNELS; number++) {
        struct outbox_way *way = &hub->outbox->ways[number];
        while ((m = next_of(hub, way, number)) != NULL) {
            if (m->state == MESSAGE_SETTLED)
                settle_again(hub, m);
            else
                ask(hub, m);
        }
    }
}

/* ---- looks -------------------------------------------------------------------------- */

static bool forget_table(struct outbox_message *m, id_num table)
{
    size_t before = m->item_count;

    for (size_t i = 0; i < m->item_count;)
        if (m->items[i].table == table)
            m->items[i] = m->items[--m->item_count];
        else
            i++;
    return m->item_count < before;
}

void outbox_messages_looked(struct change *c, struct outbox_person *p,
                            id_num table)
{
    struct outbox_message *next;

    for (struct outbox_message *m = p->messages; m != NULL; m = next) {
        next = m->next;
        if (m->state == MESSAGE_HANDED || m->state == MESSAGE_SETTLED ||
            m->form == DELIVERY_ACCOUNT || !forget_table(m, table))
            continue;
        outbox_ahead(c, p->account);
        if (m->item_count > 0) {
            outbox_message_put(c, m);
            continue;
        }
        change_op(c, OP_MESSAGE_DROP)->u.message.id = m->id;
        m->dropped = true;
        if (m->state == MESSAGE_WAITS)
            outbox_message_free(c->hub, m);
    }
}
