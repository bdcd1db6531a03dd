/* test_outbox.c -- people who are away are told what concerns them: once, of
 * what is still so, and never of what they have seen. */

#include "tests/support/away.h"

TestSuite(notices, .init = begin_with_mail, .fini = end, .timeout = 600);

/* ---- when ----------------------------------------------------------------- */

/* Who does not come for a minute is told of their turn: what game, with whom,
 * and nothing else; and once. */
Test(notices, turn)
{
    char table[16];

    turn_of_bert(table);
    pass(45);
    cr_assert_eq(arrived, 0, "too soon");
    pass(30);
    cr_assert_eq(arrived, 1);
    cr_assert(last()->channel == CHANNEL_MAIL && last()->items == 1 &&
              last()->kinds[0] == NOTICE_TURN);
    cr_assert_str_eq(last()->target, "bert@example.org");
    cr_assert_str_eq(last()->names, "anna");
    cr_assert_str_eq(last()->game, "Tic-tac-toe");
    pass(300);
    cr_assert_eq(arrived, 1);
    cr_assert_eq(rows_left(), 0);
}

/* A look says that they know; an open page, coming back, and a bot's token do
 * not. */
Test(notices, look)
{
    char table[16];

    turn_of_bert(table);
    pass(10);
    seen(bert, table);
    pass(120);
    cr_assert_eq(arrived, 0);

    char other[16];
    turn_of_bert(other);
    FINE(test_client_ask(&d, bert, "table.watch", "{s:s}", "table", other));
    FINE(test_client_ask(&d, bert, "me.watch", NULL));
    json_t *made = test_client_ask(&d, bert, "account.tokens.create",
                                   "{s:s,s:[s,s]}", "label", "bot", "scopes",
                                   "read", "play");
    peer_id bot = test_client_come(&d, 0);
    FINE(test_client_ask(&d, bot, "session.resume", "{s:s}", "token",
                         test_client_text(made, "token")));
    REASON(test_client_ask(&d, bot, "table.seen", "{s:s}", "table", other),
           "out_of_scope");
    pass(120);
    cr_assert_eq(arrived, 1);
}

/* What was answered, taken back or is over needs no telling. */
Test(notices, reason_gone)
{
    char table[16];

    turn_of_bert(table);
    pass(20);
    FINE(move(bert, table));
    pass(120);
    turn_of_bert(table);
    pass(20);
    undo(anna, table);
    pass(120);
    cr_assert_eq(arrived, 0);
    cr_assert_eq(rows_left(), 0);
}

/* Twenty moves in a minute are one mail, as is what happens at forty tables at
 * once. */
Test(notices, coalesced)
{
    char tables[40][16];

    for (int i = 0; i < 40; i++)
        play(tables[i]);
    for (int i = 0; i < 40; i++)
        seen(bert, tables[i]);
    for (int i = 0; i < 40; i++)
        FINE(move(anna, tables[i]));
    for (int i = 0; i < 3; i++) {
        FINE(move(bert, tables[0]));
        FINE(move(anna, tables[0]));
    }
    pass(300);
    cr_assert_eq(arrived, 1, "%zu", arrived);
    cr_assert_eq(last()->items, 40);
}

/* Of a table that they have a mail about they get no other until they have
 * looked; then again. */
Test(notices, once_until_seen)
{
    char table[16];

    turn_of_bert(table);
    pass(90);
    cr_assert_eq(arrived, 1);
    FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table", table,
                         "text", "hello?"));
    undo(anna, table);
    FINE(move(anna, table));
    pass(120);
    cr_assert_eq(arrived, 1);
    seen(bert, table);
    undo(anna, table);
    FINE(move(anna, table));
    pass(120);
    cr_assert_eq(arrived, 2);
}

/* Whoever wants it at once has it at once, each time. */
Test(notices, at_once)
{
    char table[16];

    FINE(test_client_ask(&d, bert, "notices.set", "{s:b}", "at_once", true));
    turn_of_bert(table);
    pass(3);
    cr_assert_eq(arrived, 1);
    undo(anna, table);
    FINE(move(anna, table));
    pass(3);
    cr_assert_eq(arrived, 2);
}

/* Outside their hours nothing comes; when they begin, what is still so does: it
 * is Friday 08:00 in UTC. */
Test(notices, hours)
{
    char table[16];

    FINE(test_client_ask(&d, bert, "account.hours.set",
                         "{s:{s:i,s:i,s:[i,i,i,i,i],s:s}}", "hours", "opens",
                         10 * 60, "closes", 20 * 60, "days", 1, 2, 3, 4, 5,
                         "zone", "Etc/UTC"));
    turn_of_bert(table);
    for (int i = 0; i < 115; i++)
        test_client_wait(&d, MINUTE);
    cr_assert_eq(arrived, 0);
    for (int i = 0; i < 10; i++)
        test_client_wait(&d, MINUTE);
    cr_assert_eq(arrived, 1);
}

/* ---- where ---------------------------------------------------------------- */

/* A browser whose keys have so many characters: 87 and 22 have those there are. */
static json_t *add_browser(peer_id p, size_t p256dh, size_t auth)
{
    char keys[2][200] = {""};

    memset(keys[0], 'B', p256dh);
    memset(keys[1], 'A', auth);
    return test_client_ask(&d, p, "notices.channels.add", "{s:s,s:s,s:s,s:s}",
                           "way", "push", "target", "https://push.example.org",
                           "p256dh", keys[0], "auth", keys[1]);
}

/* The keys of every browser are taken, and none that are longer. */
Test(notices, browser)
{
    REASON(add_browser(bert, 89, 22), "invalid_params");
    REASON(add_browser(bert, 87, 25), "invalid_params");
    FINE(add_browser(bert, 88, 24));
    FINE(add_browser(bert, 87, 22));

    /* One that subscribes again is the same channel, as old as it is. */
    const struct disk *disk = &d.world.disk;
    struct channel_row first = disk->channels[disk->channel_count - 1];
    size_t count = disk->channel_count;
    pass(60);
    FINE(add_browser(bert, 87, 22));
    const struct channel_row *now = &disk->channels[disk->channel_count - 1];
    cr_assert_eq(disk->channel_count, count);
    cr_assert_eq(now->id, first.id);
    cr_assert_eq(now->made, first.made);
    cr_assert_gt(now->changed, first.changed);
}

/* A webhook is called once a test of it was answered, and told what is wanted
 * there; three an account, none for guests. */
Test(notices, webhook)
{
    char table[16];
    const char *channel = add_webhook(bert, "https://example.org/bert");

    turn_of_bert(table);
    pass(90);
    cr_assert_eq(arrived, 1, "nothing goes to who was not tried");
    say(CHANNEL_WEBHOOK, DELIVERY_RETRY, 0, "503");
    json_t *tried = test_client_ask(&d, bert, "notices.channels.test", "{s:s}",
                                    "channel", channel);
    cr_assert(json_is_false(test_client_member(tried, "delivered")));
    cr_assert_str_eq(test_client_text(tried, "state"), "untried");
    REASON(test_client_ask(&d, bert, "notices.channels.test", "{s:s}",
                           "channel", channel),
           "rate_limited");
    pass(15);
    say(CHANNEL_WEBHOOK, DELIVERY_DONE, 0, "200");
    tried = test_client_ask(&d, bert, "notices.channels.test", "{s:s}",
                            "channel", channel);
    cr_assert_str_eq(test_client_text(tried, "state"), "on");
    FINE(test_client_ask(&d, bert, "notices.channels.set", "{s:s,s:[s]}",
                         "channel", channel, "kinds", "finished"));
    size_t before = arrived;
    char other[16];
    turn_of_bert(other);
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", other));
    pass(120);
    cr_assert_eq(arrived - before, 2);
    cr_assert(last()->items == 1 && last()->kinds[0] == NOTICE_FINISHED);
    (void)add_webhook(bert, "https://example.org/2");
    (void)add_webhook(bert, "https://example.org/3");
    REASON(test_client_ask(&d, bert, "notices.channels.add", "{s:s,s:s}",
                           "way", "webhook", "target", "https://x.org"),
           "too_many_channels");
    peer_id guest = test_client_come(&d, 0);
    FINE(test_client_ask(&d, guest, "account.guest", NULL));
    REASON(test_client_ask(&d, guest, "notices.channels.add", "{s:s,s:s}",
                           "way", "webhook", "target", "https://x.org"),
           "forbidden");
}

/* A receiver that is gone for good is switched off, and both the others and the
 * page say so; a test that is answered turns it on again. */
Test(notices, dead)
{
    char table[16];
    const char *channel = add_webhook(bert, "https://example.org/bert");
    size_t count;

    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
    say(CHANNEL_WEBHOOK, DELIVERY_GONE, 0, "404 not found");
    turn_of_bert(table);
    pass(200);
    const json_t *heard = test_client_heard(&d, bert, "server.notice", &count);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(json_string_value(json_object_get(heard, "kind")),
                     "channel_off");
    cr_assert(last()->channel == CHANNEL_MAIL && last()->items == 1 &&
              last()->kinds[0] == NOTICE_ACCOUNT);
    size_t before = arrived;
    char other[16];
    turn_of_bert(other);
    pass(200);
    cr_assert_eq(arrived, before + 1, "the mail");
    say(CHANNEL_WEBHOOK, DELIVERY_DONE, 0, "200");
    json_t *tried = test_client_ask(&d, bert, "notices.channels.test", "{s:s}",
                                    "channel", channel);
    cr_assert_str_eq(test_client_text(tried, "state"), "on");
}

/* ---- to whom ---------------------------------------------------------------- */

/* Who is barred or was deleted is told nothing, nor who has no address that is
 * known to be theirs. */
Test(notices, nobody)
{
    char table[16];

    turn_of_bert(table);
    row_of("bert")->banned_until = BANNED_FOR_GOOD;
    pass(120);
    cr_assert_eq(arrived, 0);
    row_of("bert")->banned_until = 0;
    row_of("bert")->confirmed = 0;
    turn_of_bert(table);
    pass(120);
    cr_assert_eq(arrived, 0);
    cr_assert_eq(rows_left(), 0);
}

/* For who has only just come nothing is stored, not for a moment: there is nowhere
 * yet where they could be told.  Elsewhere they may have said something, so after
 * some minutes they are asked about again, and not only when they are slow. */
Test(notices, newcomers)
{
    const size_t *rows = &d.world.disk.notice_count;
    char table[16];

    FINE(test_client_create(&d, anna, json_pack("{s:s}", "start", "full"),
                            table));
    FINE(test_client_ask(&d, carl, "table.join", "{s:s}", "table", table));
    FINE(move(anna, table));
    cr_assert_eq(*rows, 0);
    row_of("carl")->email = "carl@example.org";
    row_of("carl")->confirmed = d.world.now_ms;
    FINE(move(carl, table));
    test_client_wait(&d, 9 * MINUTE);
    FINE(move(anna, table));
    cr_assert_eq(*rows, 0);
    test_client_wait(&d, 2 * MINUTE);
    FINE(move(carl, table));
    cr_assert_eq(*rows, 1, "of Anna's turn");
    pass(3);
    cr_assert_eq(*rows, 0, "she still has no channel");
    FINE(move(anna, table));
    cr_assert_eq(*rows, 1, "of Carl's");
    pass(3);
    cr_assert_eq(*rows, 1);
    pass(90);
    cr_assert_eq(arrived, 1);
    cr_assert_str_eq(last()->target, "carl@example.org");
}

/* People they never played with can have five invitations a day told, guests
 * none, and friends as many as they like. */
Test(notices, strangers)
{
    char table[16];
    peer_id guest = test_client_come(&d, 0);

    FINE(test_client_ask(&d, guest, "account.guest", NULL));
    FINE(test_client_create(&d, guest, json_pack("{s:[s]}", "invite", "bert"),
                            table));
    pass(120);
    cr_assert_eq(arrived, 0, "of a guest");
    for (int i = 0; i < 8; i++)
        FINE(test_client_create(&d, carl,
                                json_pack("{s:[s]}", "invite", "bert"),
                                table));
    pass(120);
    cr_assert_eq(arrived, 1);
    cr_assert_eq(last()->items, 5);
    play(table);
    for (int i = 0; i < 8; i++)
        FINE(test_client_create(&d, anna,
                                json_pack("{s:[s]}", "invite", "bert"),
                                table));
    pass(120);
    cr_assert_geq(last()->items, 8);
}

/* A table that they want to hear nothing of is not spoken of. */
Test(notices, muted)
{
    char table[16];

    play(table);
    seen(bert, table);
    FINE(test_client_ask(&d, bert, "notices.mute", "{s:s,s:b}", "table", table,
                         "muted", true));
    FINE(move(anna, table));
    pass(120);
    cr_assert_eq(arrived, 0);
}

/* Who has not been here for ninety days gets a mail a week, after a year none. */
Test(notices, away)
{
    char table[16];

    row_of("bert")->seen = d.world.now_ms - 91 * DAY;
    for (int i = 0; i < 3; i++) {
        turn_of_bert(table);
        row_of("bert")->seen = d.world.now_ms - 91 * DAY;
        pass(120);
    }
    cr_assert_eq(arrived, 1);
    test_client_wait(&d, 8 * DAY);
    size_t before = arrived;
    turn_of_bert(table);
    row_of("bert")->seen = d.world.now_ms - 366 * DAY;
    pass(120);
    cr_assert_eq(arrived, before);
}

/* ---- long waits ------------------------------------------------------------- */

/* A question that waits for three days is reminded of, once. */
Test(notices, reminder)
{
    char table[16];

    pass(2);
    turn_of_bert(table);
    pass(90);
    cr_assert_eq(arrived, 1);
    for (int i = 0; i < 10 * 24; i++)
        test_client_wait(&d, 60 * MINUTE);
    pass(90);
    cr_assert_eq(arrived, 2);
    cr_assert_eq(last()->kinds[0], NOTICE_REMINDER);
    cr_assert_geq(last()->at_ms, arrivals[0].at_ms + 2 * DAY);
}

/* A digest takes the place of the rest, comes once a day, and not if there is
 * nothing. */
Test(notices, digest)
{
    char table[16];

    FINE(test_client_ask(&d, bert, "notices.set", "{s:s,s:I}", "digest",
                         "daily", "digest_at",
                         (json_int_t)(d.world.now_ms + 60 * MINUTE)));
    turn_of_bert(table);
    pass(300);
    cr_assert_eq(arrived, 0);
    for (int i = 0; i < 60; i++)
        test_client_wait(&d, MINUTE);
    pass(10);
    cr_assert_eq(arrived, 1);
    cr_assert(last()->form == DELIVERY_DIGEST && last()->items == 1);
    FINE(move(bert, table));
    for (int i = 0; i < 25; i++)
        test_client_wait(&d, 60 * MINUTE);
    pass(10);
    cr_assert_eq(arrived, 1, "an empty one");
}

/* ---- the operator's ---------------------------------------------------------- */

/* A mail that came back switches its address off. */
Test(notices, bounce)
{
    char table[16], id[16];
    peer_id admin = test_client_admin(&d);

    turn_of_bert(table);
    pass(90);
    id_write(last()->id, id);
    FINE(test_client_ask(&d, admin, "admin.notices.bounce", "{s:s,s:s}",
                         "message", id, "said", "no such user"));
    const json_t *channel = json_array_get(
        test_client_member(test_client_ask(&d, bert, "notices.get", NULL),
                           "channels"),
        0);
    cr_assert_str_eq(json_string_value(json_object_get(channel, "state")),
                     "off");
    seen(bert, table);
    turn_of_bert(table);
    pass(120);
    cr_assert_eq(arrived, 1);
    REASON(test_client_ask(&d, admin, "admin.notices.bounce", "{s:s}",
                           "message", "aaaaaaaaaaaab"),
           "no_such_message");
}

/* The code of a mail ends those of its kinds, for whoever has it, and no others;
 * one in which a letter is another ends nothing. */
Test(notices, unsubscribe)
{
    char table[16], code[64];
    peer_id stranger = test_client_come(&d, 0);

    turn_of_bert(table);
    pass(90);
    cr_assert_eq(strlen(last()->unsubscribe), 45);
    for (size_t i = 0; i < 45; i += 4) {
        strcpy(code, last()->unsubscribe);
        code[i] = code[i] == 'a' ? 'b' : 'a';
        REASON(test_client_ask(&d, stranger, "notices.unsubscribe", "{s:s}",
                               "code", code),
               "no_such_link");
        pass(70);
    }
    FINE(test_client_ask(&d, stranger, "notices.unsubscribe", "{s:s}", "code",
                         last()->unsubscribe));
    FINE(test_client_ask(&d, stranger, "notices.unsubscribe", "{s:s}", "code",
                         last()->unsubscribe));
    seen(bert, table);
    turn_of_bert(table);
    pass(120);
    cr_assert_eq(arrived, 1, "no more of that kind");
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table));
    pass(120);
    cr_assert_eq(arrived, 2);
    cr_assert_eq(last()->kinds[0], NOTICE_FINISHED);
}

/* A mail that its server has not taken yet tells no more of what its reader wants
 * to hear no more of; if that is all, it is not sent. */
Test(notices, unsubscribed_while_it_waits)
{
    char table[16], other[16];

    turn_of_bert(other);
    play(table);
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table));
    say(CHANNEL_MAIL, DELIVERY_RETRY, 0, "451 later");
    pass(90);
    cr_assert_eq(last()->items, 2);
    json_t *told = test_client_ask(&d, bert, "notices.get", NULL);
    const json_t *mail = json_array_get(test_client_member(told, "channels"),
                                        0);
    FINE(test_client_ask(&d, bert, "notices.channels.set", "{s:O,s:[s]}",
                         "channel", json_object_get(mail, "channel"), "kinds",
                         "finished"));
    say(CHANNEL_MAIL, DELIVERY_DONE, 0, "250 fine");
    pass(300);
    cr_assert(last()->items == 1 && last()->kinds[0] == NOTICE_FINISHED);

    play(table);
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table));
    say(CHANNEL_MAIL, DELIVERY_RETRY, 0, "451 later");
    pass(90);
    size_t before = arrived;
    FINE(test_client_ask(&d, bert, "notices.unsubscribe", "{s:s}", "code",
                         last()->unsubscribe));
    say(CHANNEL_MAIL, DELIVERY_DONE, 0, "250 fine");
    pass(600);
    cr_assert_eq(arrived, before);
    cr_assert_eq(rows_left(), 0);
}

/* The operator has somebody sent a test by each way that they have, hears what
 * came of each, and nothing is switched on or off by it. */
Test(notices, tried_by_the_operator)
{
    peer_id admin = test_client_admin(&d);

    (void)add_webhook(bert, "https://example.org/bert");
    FINE(add_browser(bert, 87, 22));
    say(CHANNEL_WEBHOOK, DELIVERY_GONE, 0, "HTTP 404");
    json_t *told = test_client_ask(&d, admin, "admin.notices.test", "{s:s}",
                                   "user", "bert");
    const json_t *tests = test_client_member(told, "tests");
    FINE(told);
    cr_assert_eq(json_array_size(tests), 3);
    cr_assert_eq(arrived, 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *t = json_array_get(tests, i);
        bool hook = json_object_get(t, "form") != NULL;
        cr_assert_eq(json_is_true(json_object_get(t, "delivered")), !hook);
        cr_assert_str_eq(json_string_value(json_object_get(t, "said")),
                         hook ? "HTTP 404" : "250 fine");
        cr_assert_str_eq(json_string_value(json_object_get(t, "state")),
                         hook ? "untried" : "on");
        cr_assert_eq(arrivals[i].form, DELIVERY_TEST);
    }
    told = test_client_ask(&d, admin, "admin.notices.test", "{s:s}", "user",
                           "anna");
    cr_assert_eq(json_array_size(test_client_member(told, "tests")), 0);
    REASON(test_client_ask(&d, admin, "admin.notices.test", "{s:s}", "user",
                           "nobody"),
           "no_such_user");
}
