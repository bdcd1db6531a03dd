/* outbox_test.c -- whether somebody can be told things: a test, of which it is
 * heard what came of it. */

#include "admin.h"
#include "outbox_inner.h"

const char *outbox_push_secret(const struct hub *hub, struct region *r)
{
    uint8_t hash[SHA256_SIZE];
    char *text = region_take(r, 2 * sizeof(hash) + 1);

    secret_hash(hub, SECRET_NOTICES, "push", "", 0, hash);
    hex_write(text, hash, sizeof(hash));
    return text;
}

struct delivery outbox_test_of(struct hub *hub, struct request *q,
                               const struct channel_row *row,
                               const char *account, const char *language,
                               const char *challenge)
{
    bool asks = row->way == CHANNEL_WEBHOOK && row->form == WEBHOOK_GENERIC;

    return (struct delivery){
        .channel = row->way,
        .form = DELIVERY_TEST,
        .target = row->target,
        .webhook = row->form,
        .secret = row->secret,
        .push_secret = outbox_push_secret(hub, &q->region),
        .id = random_id(hub),
        .language = language,
        .account = account,
        .now_ms = hub->now_ms,
        .server = hub->config.server_name,
        .url = hub->config.url,
        .challenge = asks ? challenge : NULL,
    };
}

/* ---- the operator's ------------------------------------------------------- */

struct test {
    struct outbox_place place;
    struct channel_row list[LIMIT_CHANNELS];
    struct delivery_outcome outcomes[LIMIT_CHANNELS];
    size_t count, at;
    const char *account, *language;
    char challenge[TOKEN_CHARS + 1];
};

static void write_tested(struct json_out *o, const struct channel_row *row,
                         const struct delivery_outcome *outcome)
{
    out_object(o, NULL);
    write_id(o, "channel", row->id);
    out_string(o, "way", channel_words[row->way]);
    if (row->way == CHANNEL_WEBHOOK)
        out_string(o, "form", webhook_words[row->form]);
    out_string(o, "label", row->label);
    out_string(o, "state", channel_state_words[row->state]);
    out_bool(o, "delivered", outcome->result == DELIVERY_DONE);
    out_string(o, "said", outcome->said);
    out_end(o);
}

static void answer_tests(struct hub *hub, struct request *q)
{
    const struct test *t = q->kept;
    struct json_out *o = result_begin(hub, q);

    out_list(o, "tests");
    for (size_t i = 0; i < t->count; i++)
        write_tested(o, &t->list[i], &t->outcomes[i]);
    out_end(o);
    result_end(hub, q);
}

static void test_next(struct hub *hub, struct request *q);

static void note(struct request *q, const struct delivery_outcome *o)
{
    struct test *t = q->kept;
    struct delivery_outcome *outcome = &t->outcomes[t->at++];

    *outcome = *o;
    outcome->said = region_copy(&q->region, o->said);
}

static void tested(struct hub *hub, struct request *q, uint64_t about,
                   const struct delivery_outcome *o)
{
    const struct test *t = q->kept;

    (void)about;
    outbox_place_give(hub, &t->place);
    note(q, o);
    test_next(hub, q);
}

static void test_next(struct hub *hub, struct request *q)
{
    static const struct delivery_outcome later = {
        .result = DELIVERY_LATER,
        .said = "more important things are under way there, try later",
    };
    struct test *t = q->kept;

    while (t->at < t->count) {
        const struct channel_row *row = &t->list[t->at];
        if (outbox_place_take(hub, &t->place, row->way, row->target) > 0) {
            note(q, &later);
            continue;
        }
        struct delivery d = outbox_test_of(hub, q, row, t->account,
                                           t->language, t->challenge);
        hub_deliver(hub, q, 0, &d, tested);
        return;
    }
    answer_tests(hub, q);
}

static void keep(struct request *q, struct test *t, size_t n,
                 const struct channel_row list[])
{
    for (size_t i = 0; i < n; i++) {
        struct channel_row *row = &t->list[t->count++];
        *row = list[i];
        row->label = region_copy(&q->region, row->label);
        row->target = region_copy(&q->region, row->target);
        row->secret = region_copy(&q->region, row->secret);
    }
}

static void channels_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    struct channel_row list[LIMIT_CHANNELS];
    id_num account = user_of(q)->id;
    struct wishes_row wishes = outbox_wishes(answer, account);
    struct test *t = region_take(&q->region, sizeof(*t));

    keep(q, t, channels_of(answer, list), list);
    t->account = user_of(q)->name;
    t->language = region_copy(&q->region, wishes.language);
    token_random(hub, t->challenge, TOKEN_CHARS);
    q->kept = t;
    test_next(hub, q);
}

static void test_keyed(struct hub *hub, struct request *q)
{
    outbox_ask(hub, q, user_of(q)->id, NULL, 0, channels_found);
}

static void test_stored(struct hub *hub, struct request *q)
{
    secret_use(hub, q, SECRET_NOTICES, test_keyed);
}

static void user_there(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    if (!user_keep(hub, q, answer))
        return;
    struct change *c = change_begin(hub, q, NULL);
    audit_put(c, q, 0, user_of(q)->id);
    change_submit(c, test_stored);
}

/* By each way that they have, one after the other. */
void handle_admin_notices_test(struct hub *hub, struct request *q)
{
    user_find(hub, q, user_there);
}
