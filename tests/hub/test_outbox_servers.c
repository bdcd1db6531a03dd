/* test_outbox_servers.c -- people are told although those who receive messages are
 * slow or gone, and whatever changes while one is under way. */

#include "server/hub/inner.h"
#include "server/hub/outbox_inner.h"
#include "tests/support/away.h"

TestSuite(servers, .init = begin_with_mail, .fini = end, .timeout = 600);

/* ---- servers that are slow ------------------------------------------------------ */

static bool slow;

/* Whoever is called there does not answer while it is slow. */
static bool is_slow(struct world *w, const struct delivery *delivery)
{
    (void)w;
    return slow && strstr(delivery->target, "slow") != NULL;
}

/* COUNT people have three webhooks each at a host that is slow, and a notice that
 * was due long ago. */
static void put_slow_people(size_t count, const char *table)
{
    struct disk *disk = &d.world.disk;
    id_num id;

    cr_assert(id_read(table, &id));
    for (id_num i = 1; i <= count; i++) {
        *NEXT(disk->accounts, disk->account_count) =
            (struct account_row){.id = i, .kind = ACCOUNT_USER, .name = "x"};
        for (id_num k = 0; k < LIMIT_WEBHOOKS; k++)
            *NEXT(disk->channels, disk->channel_count) = (struct channel_row){
                .id = 3 * i + k,
                .account = i,
                .way = CHANNEL_WEBHOOK,
                .form = WEBHOOK_NTFY,
                .state = CHANNEL_ON,
                .kinds = ~0u,
                .label = "",
                .target = "https://slow.example/topic",
            };
        put_rows(i, 1);
        disk->notices[disk->notice_count - 1].kind = NOTICE_UNSEATED;
        disk->notices[disk->notice_count - 1].table = id;
        disk->notices[disk->notice_count - 1].at = d.world.now_ms - DAY;
    }
}

static int64_t under_way(peer_id admin)
{
    return json_integer_value(
        json_object_get(way_of(admin, CHANNEL_WEBHOOK), "under_way"));
}

static size_t arrived_at(const char *target)
{
    size_t n = 0;

    for (size_t i = 0; i < arrived && i < ARRIVALS; i++)
        n += strcmp(arrivals[i].target, target) == 0;
    return n;
}

/* A host that does not answer has no more than its share of what is under way,
 * less once it is known to be slow, and others' are told as soon as ever; also
 * after a start, when it is not known yet who is told where.  When it answers
 * again all that waited gets there. */
Test(servers, slow_host)
{
    static const char target[] = "https://example.org/bert";
    char table[16], other[16];
    const char *channel = add_webhook(bert, target);

    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
    FINE(test_client_create(&d, carl, NULL, table));
    put_slow_people(30, table);
    d.world.underway = is_slow;
    slow = true;
    for (int i = 0; i < 2; i++) {
        come_back();
        peer_id admin = test_client_admin(&d);
        pass(20);
        cr_assert_eq(d.world.disk.message_count, 90);
        cr_assert_eq(under_way(admin), LIMIT_DELIVERIES_HOST);
        cr_assert_gt(json_integer_value(
                         json_object_get(way_of(admin, CHANNEL_WEBHOOK),
                                         "oldest")),
                     0, "nothing may go, and the operator sees since when");
        arrived = 0;
        turn_of_bert(other);
        pass(65);
        cr_assert_eq(arrived_at(target), 1, "after start %d", i);
        say(CHANNEL_WEBHOOK, DELIVERY_RETRY, 0, "Timeout was reached");
        slow = false;
        test_client_settle(&d);
        slow = true;
        pass(20);
        cr_assert_eq(under_way(admin), 1);
        say(CHANNEL_WEBHOOK, DELIVERY_DONE, 0, "HTTP 200");
    }
    slow = false;
    arrived = 0;
    for (int i = 0; i < 30 * 60 && rows_left() > 0; i++)
        pass(1);
    cr_assert_eq(arrived, 90);
    cr_assert_eq(rows_left(), 0);
}

static int send_test(peer_id p, const char *channel)
{
    return test_client_send(&d, p, "notices.channels.test",
                            json_pack("{s:s}", "channel", channel));
}

static int64_t retry_after(const json_t *answer)
{
    return json_integer_value(
        json_object_get(json_object_get(json_object_get(answer, "error"),
                                        "data"),
                        "retry_after_ms"));
}

/* Tests keep the pace at which a host is called, and messages that are ready go
 * before them. */
Test(servers, tests_keep_the_pace)
{
    static const char target[] = "https://slow.example/all";
    char channel[16], table[16];

    (void)snprintf(channel, sizeof(channel), "%s", add_webhook(bert, target));
    const char *carls = add_webhook(carl, target);
    int first = send_test(bert, channel);
    test_client_settle(&d);
    FINE(test_client_answer(&d, first));
    int second = send_test(carl, carls);
    test_client_settle(&d);
    const json_t *answer = test_client_answer(&d, second);
    REASON(answer, "rate_limited");
    cr_assert(retry_after(answer) > 0 && retry_after(answer) <= SECOND);
    test_client_wait(&d, retry_after(answer));
    second = send_test(carl, carls);
    test_client_settle(&d);
    FINE(test_client_answer(&d, second));

    /* Bert's message waits for a host that had enough. */
    say(CHANNEL_WEBHOOK, DELIVERY_LATER, 0, "enough is under way");
    turn_of_bert(table);
    arrived = 0;
    for (int i = 0; i < 90 && arrived_at(target) == 0; i++)
        pass(1);
    d.world.now_ms += 2 * SECOND; /* it is ready; nobody has looked yet */
    second = send_test(carl, carls);
    test_client_settle(&d);
    REASON(test_client_answer(&d, second), "rate_limited");
}

/* However many try where nobody answers, no more than so many are under way, and
 * messages find room. */
Test(servers, tests_are_bounded)
{
    static const char target[] = "https://example.org/bert";
    enum { ALL = LIMIT_TESTS + 2 };
    int ids[ALL];
    char channel[16], table[16];
    size_t refused = 0;

    (void)snprintf(channel, sizeof(channel), "%s", add_webhook(bert, target));
    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
    d.world.underway = is_slow;
    slow = true;
    for (int i = 0; i < ALL; i++) {
        char name[16], url[40];
        (void)snprintf(name, sizeof(name), "u%d", i);
        (void)snprintf(url, sizeof(url), "https://slow%d.example/x", i);
        peer_id p = test_client_user(&d, name);
        ids[i] = send_test(p, add_webhook(p, url));
        test_client_settle(&d);
        pass(1);
    }
    for (int i = 0; i < ALL; i++) {
        const json_t *answer = test_client_answer(&d, ids[i]);
        if (answer == NULL)
            continue;
        REASON(answer, "rate_limited");
        cr_assert_gt(retry_after(answer), 0);
        refused++;
    }
    cr_assert_eq(refused, ALL - LIMIT_TESTS);
    arrived = 0;
    turn_of_bert(table);
    pass(65);
    cr_assert_eq(arrived_at(target), 1);
    slow = false;
    test_client_settle(&d);
    for (int i = 0; i < LIMIT_TESTS; i++)
        FINE(test_client_answer(&d, ids[i]));
    pass(10);
    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
}

/* What its host has no time for waits for it, longer each time, and that is neither
 * a try nor a failure. */
Test(servers, later)
{
    char table[16];
    peer_id admin = test_client_admin(&d);
    const char *channel = add_webhook(bert, "https://example.org/bert");

    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
    row_of("bert")->confirmed = 0;
    say(CHANNEL_WEBHOOK, DELIVERY_LATER, 0, "enough is under way");
    turn_of_bert(table);
    arrived = 0;
    pass(65 + 1 + 2 + 4 + 8 + 16 + 32 + 64 + 64 + 64);
    cr_assert(arrived == 9 || arrived == 10, "%zu", arrived);
    for (size_t i = 1; i < arrived; i++) {
        int64_t gap = arrivals[i].at_ms - arrivals[i - 1].at_ms;
        int64_t least = SECOND << (i < 7 ? i - 1 : 6);
        cr_assert(gap >= least && gap < least + 3 * SECOND, "%zu", i);
        cr_assert_eq(arrivals[i].id, arrivals[0].id);
    }
    cr_assert_eq(d.world.disk.messages->tries, 0);
    const json_t *way = way_of(admin, CHANNEL_WEBHOOK);
    cr_assert_eq(json_integer_value(json_object_get(way, "retried")), 0);
    say(CHANNEL_WEBHOOK, DELIVERY_DONE, 0, "HTTP 200");
    pass(65);
    cr_assert_eq(rows_left(), 0);
}

/* ---- what changes meanwhile ---------------------------------------------------- */

static size_t channels_left(peer_id p)
{
    json_t *told = test_client_ask(&d, p, "notices.get", NULL);

    FINE(told);
    return json_array_size(test_client_member(told, "channels"));
}

/* A channel that is removed while it is tried stays removed, whatever its
 * receiver says then. */
Test(servers, removed_while_tried)
{
    const char *channel = add_webhook(bert, "https://slow.example/bert");

    cr_assert_eq(channels_left(bert), 2);
    d.world.underway = is_slow;
    slow = true;
    int id = test_client_send(&d, bert, "notices.channels.test",
                              json_pack("{s:s}", "channel", channel));
    test_client_settle(&d);
    cr_assert_null(test_client_answer(&d, id));
    FINE(test_client_ask(&d, bert, "notices.channels.remove", "{s:s}",
                         "channel", channel));
    slow = false;
    test_client_settle(&d);
    REASON(test_client_answer(&d, id), "no_such_channel");
    cr_assert_eq(channels_left(bert), 1);
}

/* Two messages to a receiver that is gone switch it off once, and its owner is
 * told once. */
Test(servers, off_once)
{
    char table[16], other[16];
    const char *channel = add_webhook(bert, "https://slow.example/bert");
    size_t count;

    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
    d.world.underway = is_slow;
    slow = true;
    turn_of_bert(table);
    pass(70);
    turn_of_bert(other);
    pass(70);
    say(CHANNEL_WEBHOOK, DELIVERY_GONE, 0, "HTTP 410");
    slow = false;
    size_t before = arrived;
    pass(120);
    test_client_heard(&d, bert, "server.notice", &count);
    cr_assert_eq(count, 1);
    cr_assert_eq(arrived - before, 3, "both, and a mail that says so");
    cr_assert_eq(last()->kinds[0], NOTICE_ACCOUNT);
    cr_assert_eq(rows_left(), 0);
}

/* How often P heard that a channel of theirs is off. */
static size_t times_off(peer_id p)
{
    size_t count = 0;

    for (size_t i = 0; i < d.count; i++) {
        const json_t *params = json_object_get(d.messages[i].text, "params");
        const char *kind = json_string_value(json_object_get(params, "kind"));
        count += d.messages[i].peer == p && kind != NULL &&
                 strcmp(kind, "channel_off") == 0;
    }
    return count;
}

/* A channel is off, and its owner told so, when that is stored. */
Test(servers, off_when_stored)
{
    char table[16];
    const char *channel = add_webhook(bert, "https://example.org/bert");

    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
    say(CHANNEL_WEBHOOK, DELIVERY_GONE, 0, "HTTP 410");
    turn_of_bert(table);
    for (int i = 0; i < 90 && times_off(bert) == 0; i++)
        pass(1);
    cr_assert_eq(times_off(bert), 1);

    /* The mail of it comes back; at first the store fails. */
    peer_id admin = test_client_admin(&d);
    char id[ID_SIZE];
    for (int i = 0; i < 90 && last()->channel != CHANNEL_MAIL; i++)
        pass(1);
    test_client_settle(&d);
    id_write(last()->id, id);
    d.world.fail_per_1000 = 1000;
    REASON(test_client_ask(&d, admin, "admin.notices.bounce", "{s:s}",
                           "message", id),
           "storage_unavailable");
    test_client_settle(&d);
    cr_assert_eq(times_off(bert), 1);
    d.world.fail_per_1000 = 0;
    FINE(test_client_ask(&d, admin, "admin.notices.bounce", "{s:s}", "message",
                         id));
    cr_assert_eq(times_off(bert), 2);
}

/* The same of what a receiver itself said. */
Test(servers, gone_when_stored)
{
    static const char target[] = "https://slow.example/bert";
    char table[16];
    const char *channel = add_webhook(bert, target);

    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
    d.world.underway = is_slow;
    slow = true;
    turn_of_bert(table);
    pass(70);
    say(CHANNEL_WEBHOOK, DELIVERY_GONE, 0, "HTTP 410");
    d.world.fail_per_1000 = 1000;
    slow = false;
    test_client_settle(&d);
    cr_assert_eq(arrived_at(target), 2, "the test, and this");
    cr_assert_eq(times_off(bert), 0);
    d.world.fail_per_1000 = 0;
    pass(70);
    cr_assert_eq(times_off(bert), 1);
    cr_assert_eq(arrived_at(target), 2, "it is not sent again");
}

/* A question about Bert's wishes that is answered late, with what was so when it was
 * asked. */
static struct answer late;
static ask_id late_id;
static bool is_armed;
static void (*ask_now)(struct host *host, ask_id id,
                       const struct question *question);

static void ask_late(struct host *host, ask_id id,
                     const struct question *question)
{
    if (!is_armed || question->kind != ASK_OUTBOX) {
        ask_now(host, id, question);
        return;
    }
    is_armed = false;
    late_id = id;
    disk_answer(&d.world.disk, question, &late);
}

/* Who adds a channel while it is being decided where they are told is told there,
 * though the answer does not know of it yet. */
Test(servers, added_while_asked)
{
    static const char target[] = "https://example.org/bert";
    char table[16];

    row_of("bert")->confirmed = 0;
    ask_now = d.world.host.ask;
    d.world.host.ask = ask_late;
    turn_of_bert(table);
    is_armed = true;
    for (int i = 0; i < 90 && is_armed; i++)
        pass(1);
    cr_assert(!is_armed);
    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         add_webhook(bert, target)));
    arrived = 0;
    hub_answered(d.world.hub, late_id, &late, d.world.now_ms);
    answer_done(&late);
    test_client_settle(&d);
    pass(70);
    cr_assert_eq(arrived_at(target), 1);
    cr_assert_eq(last()->kinds[0], NOTICE_TURN);
}

/* Who sets the clock back by an hour keeps nobody waiting for one: neither a notice,
 * nor a message that is tried again, nor one at a host that was just called. */
Test(servers, clock_is_set_back)
{
    static const char target[] = "https://example.org/bert";
    char table[16];

    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         add_webhook(bert, target)));
    row_of("bert")->confirmed = 0;
    pass(5);
    arrived = 0;
    turn_of_bert(table);
    pass(5);
    d.world.now_ms -= 60 * MINUTE;
    say(CHANNEL_WEBHOOK, DELIVERY_RETRY, 0, "HTTP 500");
    pass(70);
    cr_assert_eq(arrived, 1);
    d.world.now_ms -= 60 * MINUTE;
    say(CHANNEL_WEBHOOK, DELIVERY_DONE, 0, "HTTP 200");
    pass(70);
    cr_assert_eq(arrived, 2);
    d.world.now_ms -= 60 * MINUTE;
    seen(bert, table);
    undo(anna, table);
    FINE(move(anna, table));
    pass(70);
    cr_assert_eq(arrived, 3);
    cr_assert_eq(rows_left(), 0);
}

/* Whoever nobody has anything to tell is forgotten after ten minutes, found at the next
 * look ten minutes later at most; also if the clock was set back meanwhile. */
Test(servers, forgotten)
{
    const struct outbox *o = d.world.hub->outbox;
    char table[16];

    (void)add_webhook(bert, "https://example.org/bert");
    turn_of_bert(table);
    pass(70);
    seen(bert, table);
    for (int back = 0; back < 2; back++) {
        pass(30);
        cr_assert_gt(o->people.count, 0);
        pass(8 * 60);
        cr_assert_gt(o->people.count, 0, "within ten minutes");
        pass(13 * 60);
        cr_assert_eq(o->people.count, 0);
        FINE(move(bert, table));
        FINE(move(anna, table));
        pass(5);
        seen(bert, table);
        d.world.now_ms -= 600 * MINUTE;
    }
}

/* ---- what is in one message ---------------------------------------------------- */

/* What was put last of a table, and how much there is. */
static void has(const struct outbox_message *m, size_t at, int kind,
                uint32_t ply, size_t count)
{
    cr_assert_eq(m->item_count, count);
    cr_assert(m->items[at].kind == kind && m->items[at].ply == ply);
}

static void put(struct outbox_message *m, id_num table, int kind, uint32_t ply)
{
    const struct outbox_item item = {
        .kind = (uint8_t)kind,
        .table = table,
        .ply = ply,
    };
    outbox_item_put(m, &item);
}

/* A message says one thing of a table once, as it was last; that somebody is reminded
 * says that it is their turn, and not the other way round; and it has an end. */
Test(servers, once_in_a_message)
{
    struct outbox_message m = {0};

    put(&m, 7, NOTICE_TURN, 3);
    put(&m, 7, NOTICE_TURN, 5);
    has(&m, 0, NOTICE_TURN, 5, 1);
    put(&m, 8, NOTICE_TURN, 6);
    has(&m, 1, NOTICE_TURN, 6, 2);
    put(&m, 7, NOTICE_REMINDER, 5);
    has(&m, 0, NOTICE_REMINDER, 5, 2);
    put(&m, 7, NOTICE_TURN, 9);
    has(&m, 0, NOTICE_REMINDER, 5, 2);
    put(&m, 7, NOTICE_UNSEATED, 10);
    has(&m, 2, NOTICE_UNSEATED, 10, 3);
    for (id_num table = 100; table < 200; table++)
        put(&m, table, NOTICE_TURN, 1);
    cr_assert_eq(m.item_count, LIMIT_MESSAGE_ITEMS);
    has(&m, 1, NOTICE_TURN, 6, LIMIT_MESSAGE_ITEMS);
    free(m.items);
}
