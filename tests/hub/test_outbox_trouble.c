/* test_outbox_trouble.c -- people are told although receivers refuse, are slow or
 * gone, the store fails and the process dies. */

#include "tests/support/away.h"

TestSuite(trouble, .init = begin_with_mail, .fini = end, .timeout = 600);

/* ---- again and again -------------------------------------------------------- */

/* A receiver that does not take it now is tried again, as it wants or later each
 * time, by the same ID; after three days no more, and what was said is there to
 * be read. */
Test(trouble, retried)
{
    char table[16];

    say(CHANNEL_MAIL, DELIVERY_RETRY, 30 * MINUTE, "451 later");
    turn_of_bert(table);
    pass(90);
    cr_assert_eq(arrived, 1);
    id_num id = last()->id;
    for (int i = 0; i < 29; i++)
        test_client_wait(&d, MINUTE);
    cr_assert_eq(arrived, 1);
    test_client_wait(&d, 2 * MINUTE);
    cr_assert_eq(arrived, 2);
    say(CHANNEL_MAIL, DELIVERY_RETRY, 0, "451 later");
    for (int i = 0; i < 80; i++)
        test_client_wait(&d, 60 * MINUTE);
    cr_assert(arrived > 10 && arrived < 40, "%zu", arrived);
    for (size_t i = 0; i < arrived; i++)
        cr_assert_eq(arrivals[i].id, id);
    cr_assert_eq(rows_left(), 0);
    json_t *told = test_client_ask(&d, bert, "notices.history", NULL);
    const json_t *sent = json_array_get(test_client_member(told, "sent"), 0);
    cr_assert_str_eq(json_string_value(json_object_get(sent, "result")),
                     "given_up");
    cr_assert_str_eq(json_string_value(json_object_get(sent, "said")),
                     "451 later");
}

/* What is our own fault switches nobody off and takes nobody's three days: it is
 * the operator's, who sees it, and all is told when it is mended. */
Test(trouble, our_fault)
{
    char table[16];
    peer_id admin = test_client_admin(&d);

    /* A reminder would be a message of its own if it came during a try. */
    const json_t *mail = json_array_get(
        test_client_member(test_client_ask(&d, bert, "notices.get", NULL),
                           "channels"),
        0);
    FINE(test_client_ask(&d, bert, "notices.channels.set", "{s:O,s:[s]}",
                         "channel", json_object_get(mail, "channel"), "kinds",
                         "turn"));
    say(CHANNEL_MAIL, DELIVERY_OURS, 0, "535 wrong password");
    turn_of_bert(table);
    pass(90);
    id_num id = last()->id;
    for (int i = 0; i < 5 * 24 * 12; i++)
        test_client_wait(&d, 5 * MINUTE);
    const json_t *way = way_of(admin, CHANNEL_MAIL);
    cr_assert_str_eq(json_string_value(json_object_get(way, "alarm")),
                     "535 wrong password");
    cr_assert_geq(json_integer_value(json_object_get(way, "waiting")), 1);
    arrived = 0;
    say(CHANNEL_MAIL, DELIVERY_DONE, 0, "250 fine");
    for (int i = 0; i < 3; i++)
        test_client_wait(&d, 5 * MINUTE);
    /* It, and perhaps a reminder that came meanwhile. */
    cr_assert(arrived == 1 || arrived == 2, "%zu", arrived);
    cr_assert(arrivals[0].id == id || arrivals[1].id == id);
    cr_assert_eq(rows_left(), 0);
}

/* That it went well long before is no reason to keep the operator from it. */
Test(trouble, our_fault_after_a_good_while)
{
    char table[16];
    peer_id admin = test_client_admin(&d);

    say(CHANNEL_MAIL, DELIVERY_DONE, 0, "250 fine");
    turn_of_bert(table);
    pass(90);
    cr_assert_geq(arrived, 1);
    test_client_wait(&d, 2 * LIMIT_ALARM_MS);
    say(CHANNEL_MAIL, DELIVERY_OURS, 0, "535 wrong password");
    turn_of_bert(table);
    pass(90);
    cr_assert_str_eq(json_string_value(
                         json_object_get(way_of(admin, CHANNEL_MAIL),
                                         "alarm")),
                     "535 wrong password");
}

/* No more mails go in a second than the operator allows. */
Test(trouble, rate_of_mails)
{
    enum { PEOPLE = 8 };
    size_t before = 0;

    d.world.config.mail_rate = 1;
    hub_configure(d.world.hub, &d.world.config);
    for (int i = 0; i < PEOPLE; i++) {
        char name[16], table[16];
        snprintf(name, sizeof(name), "u%d", i);
        peer_id p = test_client_user(&d, name);
        give_mail(name);
        FINE(test_client_create(&d, anna, json_pack("{s:s}", "start", "full"),
                                table));
        FINE(test_client_ask(&d, p, "table.join", "{s:s}", "table", table));
        seen(p, table);
        FINE(move(anna, table));
    }
    for (int i = 0; i < 200 && arrived < PEOPLE; i++) {
        pass(1);
        cr_assert_leq(arrived - before, 2);
        before = arrived;
    }
    cr_assert_eq(arrived, PEOPLE);
}

/* What one receiver alone refuses as our own fault is tried again: it is no alarm,
 * and holds up nobody, as long as others get through. */
Test(trouble, fault_of_one)
{
    char table[16], carls[16];
    peer_id admin = test_client_admin(&d);

    give_mail("carl");
    odd = "carl@example.org";
    odd_says = (struct delivery_outcome){DELIVERY_OURS, 0, "550 5.7.1 no"};
    turn_of_bert(table);
    pass(70);
    cr_assert_eq(arrived, 1);
    FINE(test_client_create(&d, anna, json_pack("{s:[s]}", "invite", "carl"),
                            carls));
    pass(70);
    cr_assert_str_eq(last()->target, odd);
    id_num id = last()->id;
    const json_t *way = way_of(admin, CHANNEL_MAIL);
    cr_assert(json_is_null(json_object_get(way, "alarm")));
    cr_assert_eq(json_integer_value(json_object_get(way, "faults")), 1);
    size_t before = arrived;
    seen(bert, table);
    undo(anna, table);
    FINE(move(anna, table));
    pass(70);
    cr_assert_eq(arrived - before, 2, "Bert's, and Carl's again");
    odd = NULL;
    pass(180);
    cr_assert_eq(arrived - before, 3);
    cr_assert_eq(last()->id, id);
    cr_assert_eq(rows_left(), 0);
}

/* Messages that had to wait tell what is still so, at the pace of their way. */
Test(trouble, after_an_outage)
{
    char table[16], other[16];

    say(CHANNEL_MAIL, DELIVERY_RETRY, 0, "451 later");
    turn_of_bert(table);
    turn_of_bert(other);
    pass(90);
    FINE(move(bert, table));
    say(CHANNEL_MAIL, DELIVERY_DONE, 0, "250 fine");
    pass(300);
    cr_assert(last()->items == 1 && last()->kinds[0] == NOTICE_TURN);
    id_num id;
    cr_assert(id_read(other, &id) && last()->tables[0] == id);
}

/* ---- a new start ------------------------------------------------------------ */

/* A look counts from the first moment on, before it is read what waits: of a
 * notice ... */
Test(trouble, look_at_the_start)
{
    char table[16];

    turn_of_bert(table);
    come_back();
    seen(bert, table);
    pass(120);
    cr_assert_eq(arrived, 0);
}

/* ... and of a message that could not be delivered yet. */
Test(trouble, look_before_messages_are_read)
{
    char table[16];

    say(CHANNEL_MAIL, DELIVERY_RETRY, 0, "451 later");
    turn_of_bert(table);
    pass(90);
    cr_assert_eq(d.world.disk.message_count, 1);
    come_back();
    seen(bert, table);
    size_t before = arrived;
    pass(300);
    cr_assert_eq(arrived, before);
    cr_assert_eq(rows_left(), 0);
}

/* When the store is a backup's copy nothing that waits in it is told, no link in
 * it is good, and everybody is told once what waits for them. */
Test(trouble, restored)
{
    char table[16], other[16];
    peer_id admin = test_client_admin(&d);

    FINE(test_client_ask(&d, admin, "admin.links.create", "{s:s}", "purpose",
                         "register"));
    turn_of_bert(table);
    turn_of_bert(other);
    say(CHANNEL_MAIL, DELIVERY_RETRY, 0, "451 later");
    pass(90);
    cr_assert_eq(d.world.disk.message_count, 1);
    id_num id = last()->id;
    world_crash(&d.world);
    say(CHANNEL_MAIL, DELIVERY_DONE, 0, "250 fine");
    hub_restore(d.world.hub, d.world.now_ms);
    test_client_settle(&d);
    cr_assert(hub_restored(d.world.hub));
    cr_assert_eq(d.world.disk.link_count, 0);
    size_t before = arrived;
    pass(300);
    cr_assert_eq(arrived, before + 1, "%zu", arrived - before);
    cr_assert(last()->id != id && last()->items == 2);
}

/* ---- what is read again ---------------------------------------------------------- */

/* P makes a table and invites Carl, twice with one key and without waiting. */
static void create_twice(peer_id p, int nth, int ids[2])
{
    char key[24];

    (void)snprintf(key, sizeof(key), "once-%d", nth);
    for (int i = 0; i < 2; i++)
        ids[i] = test_client_send(&d, p, "table.create",
                                  json_pack("{s:s,s:i,s:[s],s:s}", "game",
                                            "tictactoe", "seats", 2, "invite",
                                            "carl", "key", key));
}

/* COUNT people have had a mail of a table each, and did not look yet. */
static void put_told(size_t count)
{
    struct disk *disk = &d.world.disk;

    for (size_t i = 1; i <= count; i++)
        *NEXT(disk->told, disk->told_count) = (struct place){i, 7};
}

/* Whether all that waits is known here: else each look asks the store. */
static bool all_is_read(void)
{
    return !outbox_waits(d.world.hub, row_of("carl")->id, 1);
}

/* P looks at TABLE, which is not stored. */
static void look_fails(peer_id p, const char *table)
{
    uint64_t before = d.world.transactions_stored;

    FINE(test_client_ask(&d, p, "table.get", "{s:s}", "table", table));
    d.world.fail_at = d.world.handled + 1;
    REASON(test_client_ask(&d, p, "table.seen", "{s:s}", "table", table),
           "storage_unavailable");
    cr_assert_gt(d.world.transactions_stored, before, "a question failed");
    test_client_settle(&d);
}

/* However much waits it is read at once, page after page, and a change that is not
 * stored has no more read again than it has changed itself. */
Test(trouble, read_again)
{
    char table[16];

    turn_of_bert(table);
    put_told(4000);
    for (id_num i = 1; i <= 700; i++)
        put_rows(i, 1);
    come_back();
    cr_assert(!all_is_read());
    pass(1);
    cr_assert(all_is_read());
    size_t handled = d.world.handled;
    look_fails(bert, table);
    pass(1);
    cr_assert(all_is_read());
    cr_assert_leq(d.world.handled - handled, 12 + LIMIT_DECISIONS);
    pass(90);
    cr_assert_eq(arrived, 1);
    cr_assert_eq(last()->kinds[0], NOTICE_TURN);
}

/* A look that is not stored has dropped nothing: neither the notice, ... */
Test(trouble, look_is_not_stored)
{
    char table[16];

    pass(1);
    turn_of_bert(table);
    look_fails(bert, table);
    pass(90);
    cr_assert_eq(arrived, 1);
    cr_assert_eq(rows_left(), 0);
}

/* ... nor the message, nor that they have a mail of the table. */
Test(trouble, look_at_message_is_not_stored)
{
    char table[16];

    say(CHANNEL_MAIL, DELIVERY_RETRY, 0, "451 later");
    turn_of_bert(table);
    pass(70);
    cr_assert_eq(arrived, 1);
    look_fails(bert, table);
    say(CHANNEL_MAIL, DELIVERY_DONE, 0, "250 fine");
    pass(90);
    cr_assert_eq(arrived, 2);
    cr_assert_eq(arrivals[1].id, arrivals[0].id);
    cr_assert_eq(rows_left(), 0);
    cr_assert_eq(d.world.disk.told_count, 1);
    undo(anna, table);
    FINE(move(anna, table));
    pass(90);
    cr_assert_eq(arrived, 2, "they have a mail");
    seen(bert, table);
    cr_assert_eq(d.world.disk.told_count, 0);
}

/* Whoever sends a request with a key twice in one packet has it done once, is
 * answered twice, and holds up nobody's notices by it, however often. */
Test(trouble, same_key_at_once)
{
    char table[16];

    put_told(2000);
    come_back();
    pass(10);
    turn_of_bert(table);
    for (int n = 0; n < 90; n++) {
        int ids[2];
        create_twice(anna, n, ids);
        test_client_wait(&d, SECOND);
        const json_t *first = test_client_answer(&d, ids[0]);
        const json_t *second = test_client_answer(&d, ids[1]);
        FINE(first);
        FINE(second);
        cr_assert_str_eq(test_client_text(first, "table"),
                         test_client_text(second, "table"));
    }
    cr_assert_eq(arrived, 1);
    cr_assert_eq(last()->kinds[0], NOTICE_TURN);
}

/* ---- too many ---------------------------------------------------------------- */

static size_t rows_of(const char *name)
{
    const struct disk *disk = &d.world.disk;
    id_num account = row_of(name)->id;
    size_t n = 0;

    for (size_t i = 0; i < disk->notice_count; i++)
        n += disk->notices[i].account == account;
    return n;
}

/* Where there are more people than there is room for, those who are there are told
 * as ever, and the rest is read when there is room. */
Test(trouble, too_many_people)
{
    char table[16];

    put_told(600);
    come_back();
    turn_of_bert(table);
    for (id_num i = 0; i < LIMIT_PEOPLE_HELD; i++)
        outbox_made(d.world.hub, (UINT64_C(1) << 40) + i);
    pass(90);
    cr_assert_eq(arrived, 1);
    cr_assert(!all_is_read());
    seen(bert, table);
    cr_assert_eq(d.world.disk.told_count, 600);
    for (int i = 0; i < 21; i++)
        test_client_wait(&d, MINUTE);
    cr_assert(all_is_read());
}

/* For one person no more wait than can be decided in a turn; but that it is their
 * turn is told whatever else waits. */
Test(trouble, too_many_for_one)
{
    for (size_t room = 0; room < 2; room++) {
        char table[16];
        put_rows(row_of("bert")->id, LIMIT_NOTICES_PERSON - room);
        come_back();
        pass(5);
        play(table);
        FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table",
                             table, "text", "hello"));
        cr_assert_eq(rows_of("bert"), LIMIT_NOTICES_PERSON);
        seen(bert, table);
        FINE(move(anna, table));
        cr_assert_eq(rows_of("bert"), LIMIT_NOTICES_PERSON - room + 1);
        pass(120);
        cr_assert_eq(arrived, room + 1);
        cr_assert_eq(last()->kinds[0], NOTICE_TURN);
        cr_assert_eq(rows_left(), 0);
    }
}

/* Invitations are no more than their share, so that nobody keeps others from being
 * told anything by inviting them. */
Test(trouble, too_many_invitations)
{
    char table[16];

    for (int i = 0; i < LIMIT_NOTICES_INVITED + 10; i++)
        FINE(test_client_create(&d, carl,
                                json_pack("{s:[s]}", "invite", "bert"),
                                table));
    cr_assert_eq(rows_of("bert"), LIMIT_NOTICES_INVITED);
    FINE(test_client_create(&d, bert, NULL, table));
    FINE(test_client_ask(&d, anna, "table.join", "{s:s}", "table", table));
    cr_assert_gt(rows_of("bert"), LIMIT_NOTICES_INVITED);
}

/* Of whom there are more than that nevertheless, as from before, all is decided,
 * a part at a time. */
Test(trouble, more_than_may_be)
{
    char table[16];

    turn_of_bert(table);
    put_rows(row_of("bert")->id, 2 * LIMIT_NOTICES_PERSON + 50);
    come_back();
    pass(120);
    cr_assert_eq(arrived, 1);
    cr_assert_eq(rows_left(), 0);
}

/* However many have something to decide, a turn of the timer has only so many
 * decided, and but a few of them at once: players do not wait behind all. */
Test(trouble, few_at_once)
{
    struct disk *disk = &d.world.disk;
    size_t people = 2 * LIMIT_DECISIONS + 10, least = 0, most = 0;

    for (id_num i = 1; i <= people; i++) {
        *NEXT(disk->accounts, disk->account_count) =
            (struct account_row){.id = i, .kind = ACCOUNT_USER, .name = "x"};
        put_rows(i, 1);
        disk->notices[disk->notice_count - 1].at = d.world.now_ms - DAY;
    }
    world_crash(&d.world);
    for (int i = 0; i < 20 && rows_left() > 0; i++) {
        size_t before = rows_left();
        d.world.now_ms += 1000;
        hub_tick(d.world.hub, d.world.now_ms);
        do {
            size_t waits = world_waits(&d.world);
            most = i > 0 && waits > most ? waits : most; /* not a start's */
        } while (world_step(&d.world));
        cr_assert_leq(before - rows_left(), LIMIT_DECISIONS);
        least += before > rows_left();
    }
    cr_assert_eq(least, 3);
    cr_assert_lt(most, LIMIT_DECISIONS_AT_ONCE + 4); /* and the tick's own */
    cr_assert_eq(rows_left(), 0);
}

/* ---- what changes meanwhile ---------------------------------------------------- */

/* Where no mail is sent any more none is kept either: nothing new, and nothing
 * that waits. */
Test(trouble, no_mail_any_more)
{
    char table[16];

    say(CHANNEL_MAIL, DELIVERY_RETRY, 0, "451 later");
    turn_of_bert(table);
    pass(70);
    cr_assert_eq(d.world.disk.message_count, 1);
    d.world.config.mail = false;
    hub_configure(d.world.hub, &d.world.config);
    say(CHANNEL_MAIL, DELIVERY_DONE, 0, "250 fine");
    size_t before = arrived;
    pass(120);
    cr_assert_eq(rows_left(), 0);
    seen(bert, table);
    undo(anna, table);
    FINE(move(anna, table));
    pass(70);
    cr_assert_eq(rows_left(), 0);
    cr_assert_eq(d.world.disk.told_count, 0, "as if they had been told");
    cr_assert_eq(arrived, before);
}

/* Who is deleted is told nothing any more, neither of what waited to be decided nor
 * of what their server had not taken yet. */
Test(trouble, deleted)
{
    char table[16], other[16];

    say(CHANNEL_MAIL, DELIVERY_RETRY, 0, "451 later");
    turn_of_bert(table);
    pass(70);
    turn_of_bert(other);
    cr_assert_eq(d.world.disk.message_count, 1);
    FINE(test_client_ask(&d, bert, "account.delete", "{s:s}", "password",
                         "password"));
    say(CHANNEL_MAIL, DELIVERY_DONE, 0, "250 fine");
    size_t before = arrived;
    pass(300);
    cr_assert_eq(arrived, before);
    cr_assert_eq(d.world.disk.message_count, 0);
}

/* A mail about an account that is refused, as too many went there, changes nothing
 * of what is known to wait: a look at where nothing does reaches no store. */
Test(trouble, refused_mail)
{
    char table[16];
    peer_id stranger = test_client_come(&d, 0);

    turn_of_bert(table);
    seen(bert, table);
    pass(5);
    for (int i = 0; i < 2; i++) {
        FINE(test_client_ask(&d, stranger, "account.reset.send", "{s:s}",
                             "email", "bert@example.org"));
        test_client_settle(&d);
        uint64_t before = d.world.transactions_stored;
        seen(bert, table);
        cr_assert_eq(d.world.transactions_stored, before, "mail %d", i);
    }
    cr_assert_eq(d.world.disk.mailed_count, 1);
}
