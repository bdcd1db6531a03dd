/* channel_methods.c -- where people say they are to be told things. */

#include "outbox_inner.h"

/* ---- which ---------------------------------------------------------------- */

/* The channel that Q names among those of ANSWER; else Q is refused. */
static bool named(struct hub *hub, struct request *q,
                  const struct answer *answer, struct channel_row *ret)
{
    id_num id;

    if (id_read(param_text(q, "channel"), &id) &&
        channel_find(answer, id, ret))
        return true;
    refuse(hub, q, ERR_NO_SUCH_CHANNEL);
    return false;
}

static void changed(struct hub *hub, struct request *q)
{
    outbox_changed(hub, q->account);
    result_empty(hub, q);
}

/* ---- adding --------------------------------------------------------------- */

/* Of a subscription's two keys, a point of P-256 and 16 bytes, in base64. */
#define P256DH_MAX 88
#define AUTH_MAX   24

struct adding {
    struct channel_row row;
    char secret[TOKEN_CHARS + 1];             /* made for it, or "" */
    char keys[P256DH_MAX + 1 + AUTH_MAX + 1]; /* a space between them */
};

static bool is_push(const struct request *q)
{
    return strcmp(param_text(q, "way"), channel_words[CHANNEL_PUSH]) == 0;
}

static void added(struct hub *hub, struct request *q)
{
    const struct adding *a = q->kept;

    outbox_changed(hub, q->account);
    struct json_out *o = result_begin(hub, q);
    write_id(o, "channel", a->row.id);
    if (a->secret[0] != '\0')
        out_string(o, "secret", a->secret);
    result_end(hub, q);
}

/* A browser subscribes again and again: that is one channel. */
static bool is_there(const struct answer *answer, struct channel_row *row)
{
    for (size_t i = 0; i < answer->channel_count; i++) {
        const struct channel_row *c = &answer->channels[i];
        if (c->way != row->way || strcmp(c->target, row->target) != 0)
            continue;
        row->id = c->id;
        row->made = c->made;
        row->kinds = c->kinds;
        return true;
    }
    return false;
}

static enum error may_add(const struct answer *answer, enum channel way)
{
    size_t n = 0;

    if (answer->account_count == 0 ||
        (way == CHANNEL_WEBHOOK && answer->accounts->kind != ACCOUNT_USER))
        return ERR_FORBIDDEN;
    for (size_t i = 0; i < answer->channel_count; i++)
        n += answer->channels[i].way == way;
    return n >= (way == CHANNEL_PUSH ? LIMIT_PUSHES : LIMIT_WEBHOOKS)
               ? ERR_TOO_MANY_CHANNELS
               : ERR_NONE;
}

static void add_webhook(struct hub *hub, struct request *q, struct adding *a)
{
    int form = outbox_word(webhook_words, WEBHOOK_FORMS,
                           param_text(q, "form"));

    a->row.way = CHANNEL_WEBHOOK;
    a->row.form = form < 0 ? WEBHOOK_GENERIC : (uint8_t)form;
    a->row.state = CHANNEL_UNTRIED;
    if (param(q, "secret") != NULL)
        a->row.secret = param_text(q, "secret");
    if (a->row.form != WEBHOOK_GENERIC || a->row.secret != NULL)
        return;
    token_random(hub, a->secret, TOKEN_CHARS);
    a->row.secret = a->secret;
}

/* Browsers are asked by nobody else: there is nothing to try. */
static void add_push(const struct request *q, struct adding *a)
{
    a->row.way = CHANNEL_PUSH;
    a->row.state = CHANNEL_ON;
    (void)snprintf(a->keys, sizeof(a->keys), "%s %s", param_text(q, "p256dh"),
                   param_text(q, "auth"));
    a->row.secret = a->keys;
}

static void add_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    struct adding *a = q->kept = region_take(&q->region, sizeof(*a));
    enum channel way = is_push(q) ? CHANNEL_PUSH : CHANNEL_WEBHOOK;

    a->row = (struct channel_row){
        .id = random_id(hub),
        .account = q->account,
        .kinds = channel_usual_kinds[way],
        .made = hub->now_ms,
        .changed = hub->now_ms,
        .label = param_text(q, "label"),
        .target = param_text(q, "target"),
    };
    if (way == CHANNEL_PUSH)
        add_push(q, a);
    else
        add_webhook(hub, q, a);
    enum error e = may_add(answer, way);
    if (e == ERR_TOO_MANY_CHANNELS && is_there(answer, &a->row))
        e = ERR_NONE;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    (void)is_there(answer, &a->row);
    struct change *c = change_begin(hub, q, NULL);
    channel_put(c, &a->row);
    change_submit(c, added);
}

void handle_notices_channels_add(struct hub *hub, struct request *q)
{
    const char *target = param_text(q, "target");

    if (strncmp(target, "https://", 8) != 0 &&
        strncmp(target, "http://", 7) != 0)
        refuse_param(hub, q, "/target", "an address that begins https://");
    else if (is_push(q) && !outbox_has_push(hub))
        refuse_param(hub, q, "/way", "one of the ways there are");
    else if (is_push(q) && (strlen(param_text(q, "p256dh")) > P256DH_MAX ||
                            param(q, "p256dh") == NULL))
        refuse_param(hub, q, "/p256dh", "the subscription's key");
    else if (is_push(q) && (strlen(param_text(q, "auth")) > AUTH_MAX ||
                            param(q, "auth") == NULL))
        refuse_param(hub, q, "/auth", "the subscription's secret");
    else
        outbox_ask(hub, q, q->account, NULL, 0, add_found);
}

/* ---- changing ------------------------------------------------------------- */

static uint32_t kinds_of(const json_t *list)
{
    uint32_t kinds = OF_KIND(NOTICE_ACCOUNT);

    for (size_t i = 0; i < json_array_size(list); i++) {
        int kind = outbox_word(notice_words, NOTICE_KINDS,
                               json_string_value(json_array_get(list, i)));
        if (kind >= 0)
            kinds |= OF_KIND(kind);
    }
    return kinds;
}

static void set_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    struct channel_row row;

    if (!named(hub, q, answer, &row))
        return;
    if (param(q, "kinds") != NULL)
        row.kinds = kinds_of(param(q, "kinds"));
    if (param(q, "label") != NULL)
        row.label = param_text(q, "label");
    struct change *c = change_begin(hub, q, NULL);
    channel_put(c, &row);
    change_submit(c, changed);
}

void handle_notices_channels_set(struct hub *hub, struct request *q)
{
    outbox_ask(hub, q, q->account, NULL, 0, set_found);
}

static void remove_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct channel_row row;

    if (!named(hub, q, answer, &row))
        return;
    if (row.way == CHANNEL_MAIL) {
        refuse(hub, q, ERR_NO_SUCH_CHANNEL);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_CHANNEL_DROP);
    op->account = q->account;
    op->u.channel.id = row.id;
    op->u.channel.account = q->account;
    change_submit(c, changed);
}

void handle_notices_channels_remove(struct hub *hub, struct request *q)
{
    outbox_ask(hub, q, q->account, NULL, 0, remove_found);
}

/* ---- trying --------------------------------------------------------------- */

struct trial {
    struct channel_row row;
    struct outbox_place place;
    bool delivered;
    char challenge[TOKEN_CHARS + 1];
    char said[LIMIT_SAID_BYTES + 1];
};

static void trial_stored(struct hub *hub, struct request *q)
{
    const struct trial *t = q->kept;

    outbox_changed(hub, q->account);
    struct json_out *o = result_begin(hub, q);
    out_bool(o, "delivered", t->delivered);
    out_string(o, "state", channel_state_words[t->row.state]);
    if (t->said[0] != '\0')
        out_string(o, "said", t->said);
    else
        out_null(o, "said");
    result_end(hub, q);
}

/* Its receiver has answered; but it may be another one now, or gone. */
static void tried_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct trial *t = q->kept;
    struct channel_row is;

    if (!channel_find(answer, t->row.id, &is) ||
        strcmp(is.target, t->row.target) != 0) {
        refuse(hub, q, ERR_NO_SUCH_CHANNEL);
        return;
    }
    is.state = t->row.state = CHANNEL_ON;
    is.changed = hub->now_ms;
    is.why = NULL;
    struct change *c = change_begin(hub, q, NULL);
    channel_put(c, &is);
    change_submit(c, trial_stored);
}

static void tried(struct hub *hub, struct request *q, uint64_t about,
                  const struct delivery_outcome *o)
{
    struct trial *t = q->kept;

    (void)about;
    outbox_place_give(hub, &t->place);
    t->delivered = o->result == DELIVERY_DONE;
    (void)snprintf(t->said, sizeof(t->said), "%s", o->said);
    if (!t->delivered || t->row.state == CHANNEL_ON) {
        trial_stored(hub, q);
        return;
    }
    outbox_ask(hub, q, q->account, NULL, 0, tried_found);
}

static void keep_row(struct request *q, struct trial *t,
                     const struct channel_row *row)
{
    t->row = *row;
    t->row.label = region_copy(&q->region, row->label);
    t->row.target = region_copy(&q->region, row->target);
    t->row.secret = region_copy(&q->region, row->secret);
    t->row.why = region_copy(&q->region, row->why);
}

/* There is no place for it now: that was no test. */
static void put_off(struct hub *hub, struct request *q, int64_t wait_ms)
{
    struct outbox_person *p = outbox_find(hub, q->account);

    if (p != NULL)
        p->tested_ms = 0;
    refuse_for(hub, q, ERR_RATE_LIMITED, wait_ms);
}

static void test_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct wishes_row wishes = outbox_wishes(answer, q->account);
    struct channel_row row;

    if (!named(hub, q, answer, &row))
        return;
    struct trial *t = q->kept = region_take(&q->region, sizeof(*t));
    keep_row(q, t, &row);
    int64_t wait_ms = outbox_place_take(hub, &t->place, row.way, row.target);
    if (wait_ms > 0) {
        put_off(hub, q, wait_ms);
        return;
    }
    token_random(hub, t->challenge, TOKEN_CHARS);
    struct delivery d =
        outbox_test_of(hub, q, &t->row, q->name,
                       region_copy(&q->region, wishes.language), t->challenge);
    hub_deliver(hub, q, 0, &d, tried);
}

static void test_keyed(struct hub *hub, struct request *q)
{
    outbox_ask(hub, q, q->account, NULL, 0, test_found);
}

/* Whoever has an address called is not to have it called without end. */
void handle_notices_channels_test(struct hub *hub, struct request *q)
{
    struct outbox_person *p = outbox_person(hub, q->account);

    if (p == NULL) {
        refuse(hub, q, ERR_BUSY);
        return;
    }
    if (p->tested_ms != 0 && hub->now_ms < p->tested_ms + LIMIT_TEST_MS) {
        refuse_for(hub, q, ERR_RATE_LIMITED,
                   p->tested_ms + LIMIT_TEST_MS - hub->now_ms);
        return;
    }
    p->tested_ms = hub->now_ms;
    secret_use(hub, q, SECRET_NOTICES, test_keyed);
}
