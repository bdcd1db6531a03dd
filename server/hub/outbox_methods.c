/* outbox_methods.c -- what people say of how they are told things, and what they
 * and the operator see of it. */

#include "admin.h"
#include "outbox_inner.h"

/* ---- looks ---------------------------------------------------------------- */

static void done(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

/* Most looks are at tables of which nothing waits: they reach no store. */
void handle_table_seen(struct hub *hub, struct table *t, struct request *q)
{
    enum error e = table_may_see(t, q);

    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    if (!outbox_waits(hub, q->account, t->id)) {
        result_empty(hub, q);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    outbox_looked(c, q->account, t->id);
    change_submit(c, done);
}

/* ---- wishes --------------------------------------------------------------- */

static const char *const digest_words[] = {
    [0] = "never",
    [1] = "daily",
    [7] = "weekly",
};

static void write_wishes(struct json_out *o, const struct wishes_row *w)
{
    out_int(o, "wait", w->wait_s);
    out_bool(o, "at_once", w->at_once);
    out_string(o, "digest",
               digest_words[w->digest == 7   ? 7
                            : w->digest != 0 ? 1
                                             : 0]);
    if (w->digest_at != 0)
        out_int(o, "digest_at", w->digest_at);
    else
        out_null(o, "digest_at");
    out_string(o, "language", w->language);
}

bool outbox_has_push(const struct hub *hub)
{
    const char *url = hub->config.url;
    return url != NULL && strncmp(url, "https://", 8) == 0;
}

static void write_push_key(struct json_out *o, const struct hub *hub,
                           struct request *q)
{
    char key[PUSH_KEY_SIZE];

    if (!outbox_has_push(hub))
        return;
    hub->host->push_key(hub->host, outbox_push_secret(hub, &q->region), key);
    out_string(o, "push_key", key);
}

static void write_ways(struct json_out *o, const struct hub *hub)
{
    out_list(o, "ways");
    if (hub->config.mail)
        out_string(o, NULL, channel_words[CHANNEL_MAIL]);
    if (outbox_has_push(hub))
        out_string(o, NULL, channel_words[CHANNEL_PUSH]);
    out_string(o, NULL, channel_words[CHANNEL_WEBHOOK]);
    out_end(o);
}

void outbox_settings_write(struct json_out *o, const struct answer *answer,
                           id_num account)
{
    struct channel_row list[LIMIT_CHANNELS];
    struct wishes_row wishes = outbox_wishes(answer, account);
    size_t n = channels_of(answer, list);

    write_wishes(o, &wishes);
    out_list(o, "channels");
    for (size_t i = 0; i < n; i++)
        channel_write(o, &list[i]);
    out_end(o);
    out_list(o, "muted");
    for (size_t i = 0; i < answer->muted_count; i++)
        write_id(o, NULL, answer->muted[i]);
    out_end(o);
}

void outbox_settings_ask(struct hub *hub, struct request *q, id_num account,
                         answered_cb then)
{
    outbox_ask(hub, q, account, NULL, 0, then);
}

static void got(struct hub *hub, struct request *q,
                const struct answer *answer)
{
    struct json_out *o = result_begin(hub, q);

    outbox_settings_write(o, answer, q->account);
    write_ways(o, hub);
    write_push_key(o, hub, q);
    result_end(hub, q);
}

static void get_keyed(struct hub *hub, struct request *q)
{
    outbox_settings_ask(hub, q, q->account, got);
}

void handle_notices_get(struct hub *hub, struct request *q)
{
    secret_use(hub, q, SECRET_NOTICES, get_keyed);
}

static void wished(struct hub *hub, struct request *q)
{
    outbox_changed(hub, q->account);
    result_empty(hub, q);
}

/* How many days from one digest to the next Q asks for; W's if it does not. */
static int32_t digest_of(const struct request *q, const struct wishes_row *w)
{
    const char *word = param_text(q, "digest");

    if (strcmp(word, "daily") == 0)
        return 1;
    if (strcmp(word, "weekly") == 0)
        return 7;
    return word[0] != '\0' ? 0 : w->digest;
}

static void set_digest(const struct hub *hub, const struct request *q,
                       struct wishes_row *w)
{
    int32_t days = digest_of(q, w);

    if (days != w->digest)
        w->digest_at = hub->now_ms + days * LIMIT_DAY_MS;
    w->digest = days;
    if (param_int(q, "digest_at", 0) > hub->now_ms)
        w->digest_at = param_int(q, "digest_at", 0);
    if (days == 0)
        w->digest_at = 0;
}

static void set_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    struct wishes_row w = outbox_wishes(answer, q->account);

    w.wait_s = (int32_t)param_int(q, "wait", w.wait_s);
    w.at_once = param_bool(q, "at_once", w.at_once);
    set_digest(hub, q, &w);
    if (param(q, "language") != NULL)
        w.language = param_text(q, "language");
    struct change *c = change_begin(hub, q, NULL);
    outbox_wishes_put(c, q->account, &w);
    change_submit(c, wished);
}

void handle_notices_set(struct hub *hub, struct request *q)
{
    outbox_ask(hub, q, q->account, NULL, 0, set_found);
}

/* ---- tables that somebody wants to hear nothing of --------------------------- */

static void mute_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    bool muted = param_bool(q, "muted", true);

    if (muted && answer->muted_count >= LIMIT_MUTED) {
        refuse(hub, q, ERR_TOO_MANY_MUTED);
        return;
    }
    struct change *c = change_begin(hub, q, q->table);
    struct op *op = change_op(c, OP_MUTE);
    op->account = q->account;
    op->u.on = !muted;
    change_submit(c, done);
}

void handle_notices_mute(struct hub *hub, struct table *t, struct request *q)
{
    enum error e = table_may_see(t, q);

    if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        outbox_ask(hub, q, q->account, NULL, 0, mute_found);
}

/* ---- what was sent -------------------------------------------------------- */

static const char *const result_words[DELIVERY_RESULTS] = {
    [DELIVERY_DONE] = "delivered",
    [DELIVERY_RETRY] = "given_up",
    [DELIVERY_GONE] = "gone",
    [DELIVERY_OURS] = "fault",
};

static void write_said(struct json_out *o, const char *key, const char *said)
{
    if (said != NULL && said[0] != '\0')
        out_string(o, key, said);
    else
        out_null(o, key);
}

void outbox_sent_write(struct json_out *o, const struct sent_row *s)
{
    out_object(o, NULL);
    out_int(o, "at", s->at);
    out_string(o, "way", channel_words[s->way % CHANNELS]);
    write_id(o, "channel", s->channel);
    out_raw(o, "what", s->body, strlen(s->body));
    out_string(o, "result", result_words[s->result % DELIVERY_RESULTS]);
    write_said(o, "said", s->said);
    out_end(o);
}

static void history_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    size_t n = answer->sent_count;
    struct json_out *o = list_begin(hub, q, "sent");

    for (size_t i = 0; i < n; i++)
        outbox_sent_write(o, &answer->sent[i]);
    list_end_at(hub, q,
                answer->more ? (int64_t)answer->sent[n - 1].number : 0);
}

void handle_notices_history(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_SENT,
        .limit = (size_t)param_int(q, "limit", 50),
        .u.sent =
            {
                .account = q->account,
                .before = (uint64_t)param_int(q, "before", 0),
            },
    };
    hub_ask(hub, q, &ask, history_found);
}

/* ---- the operator's ------------------------------------------------------- */

/* As it is known without looking at all of them: nobody waits for that. */
void hub_outbox(const struct hub *hub, struct outbox_counts *counts)
{
    const struct outbox *o = hub->outbox;
    const struct due *d = due_first(&o->queue);

    *counts = (struct outbox_counts){.waiting = o->row_count};
    if (d != NULL && ((const struct outbox_person *)d)->row_count > 0)
        counts->oldest = ((const struct outbox_person *)d)->rows[0].at;
    for (int i = 0; i < CHANNELS; i++) {
        const struct outbox_way *way = &o->ways[i];
        d = due_first(&way->ages);
        counts->ways[i] = (struct outbox_way_counts){
            .waiting = way->waiting + way->busy,
            .busy = way->busy,
            .oldest = d != NULL ? d->at_ms : 0,
            .alarm_since = way->alarm_ms != 0 ? way->alarm_since_ms : 0,
        };
    }
}

static void write_at(struct json_out *o, const char *key, int64_t at)
{
    if (at != 0)
        out_int(o, key, at);
    else
        out_null(o, key);
}

static void write_way(struct json_out *o, const struct hub *hub, int i,
                      const struct outbox_way_counts *way)
{
    const uint64_t *delivered = hub->counts.delivered[i];

    out_object(o, NULL);
    out_string(o, "way", channel_words[i]);
    out_int(o, "waiting", (int64_t)way->waiting);
    write_at(o, "oldest", way->oldest);
    out_int(o, "under_way", (int64_t)way->busy);
    out_int(o, "delivered", (int64_t)delivered[DELIVERY_DONE]);
    out_int(o, "retried", (int64_t)delivered[DELIVERY_RETRY]);
    out_int(o, "gone", (int64_t)delivered[DELIVERY_GONE]);
    out_int(o, "faults", (int64_t)delivered[DELIVERY_OURS]);
    write_said(o, "alarm", hub->outbox->ways[i].alarm);
    write_at(o, "alarm_since", way->alarm_since);
    out_end(o);
}

void handle_admin_notices(struct hub *hub, struct request *q)
{
    struct outbox_counts counts;

    hub_outbox(hub, &counts);
    struct json_out *o = result_begin(hub, q);
    out_int(o, "waiting", (int64_t)counts.waiting);
    write_at(o, "oldest", counts.oldest);
    out_list(o, "ways");
    for (int i = 0; i < CHANNELS; i++)
        write_way(o, hub, i, &counts.ways[i]);
    out_end(o);
    result_end(hub, q);
}

/* ---- mails that came back --------------------------------------------------- */

struct bounce {
    id_num channel, account;
    struct channel_row off; /* with an account if it is switched off */
};

static void bounce_stored(struct hub *hub, struct request *q)
{
    const struct bounce *b = q->kept;

    if (b->off.account != 0)
        channel_told(hub, &b->off);
    outbox_changed(hub, b->account);
    struct json_out *o = result_begin(hub, q);
    out_bool(o, "off", true);
    result_end(hub, q);
}

static void bounce_channel(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    struct bounce *b = q->kept;
    const char *said = param_text(q, "said");
    struct channel_row row;

    struct change *c = change_begin(hub, q, NULL);
    audit_put(c, q, 0, b->account);
    if (channel_find(answer, b->channel, &row) && row.state == CHANNEL_ON) {
        row.state = CHANNEL_OFF;
        row.changed = hub->now_ms;
        row.why = said[0] != '\0' ? said : "mail came back";
        channel_put(c, &row);
        outbox_tell_account(c, b->account);
        b->off = (struct channel_row){
            .id = row.id,
            .account = row.account,
            .why = row.why,
        };
    }
    change_submit(c, bounce_stored);
}

static void bounce_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    if (answer->sent_count == 0 || answer->sent->way != CHANNEL_MAIL) {
        refuse(hub, q, ERR_NO_SUCH_MESSAGE);
        return;
    }
    struct bounce *b = q->kept = region_take(&q->region, sizeof(*b));
    *b = (struct bounce){.channel = answer->sent->channel,
                         .account = answer->sent->account};
    outbox_ask(hub, q, b->account, NULL, 0, bounce_channel);
}

void handle_admin_notices_bounce(struct hub *hub, struct request *q)
{
    struct question ask = {.kind = ASK_BOUNCED};
    id_num id;

    if (!id_read(param_text(q, "message"), &id)) {
        refuse(hub, q, ERR_NO_SUCH_MESSAGE);
        return;
    }
    ask.u.after = id;
    hub_ask(hub, q, &ask, bounce_found);
}
