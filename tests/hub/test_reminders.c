/* test_reminders.c -- at tables with a pace people are reminded at half of a turn's
 * time and at four fifths, once each, and never of a turn that is over; and they
 * are told of absences, their own and each other's. */

#include "tests/support/away.h"

TestSuite(reminders, .init = begin_with_mail, .fini = end, .timeout = 600);

#define HOUR (60 * MINUTE)

/* Anna's and Bert's game of HOURS a turn and, as MORE says, whatever else; it is
 * Bert's turn, of which they were told. */
static void bert_plays(char table[16], int hours, json_t *more)
{
    json_t *how = json_pack("{s:s,s:{s:i},s:{s:i,s:s}}", "start", "full",
                            "pace", "free", hours * 3600, "misses", "excused",
                            0, "then", "mild");

    if (more != NULL) {
        json_object_update(how, more);
        json_decref(more);
    }
    FINE(test_client_create(&d, anna, how, table));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    seen(bert, table);
    FINE(move(anna, table));
    pass(65);
    arrived = 0;
}

/* So many minutes, one after the other. */
static void wait_minutes(int64_t minutes)
{
    for (int64_t i = 0; i < minutes; i++)
        test_client_wait(&d, MINUTE);
}

static int64_t due_of_bert(void)
{
    return d.world.disk.tables[0]->row.summary.due[1];
}

static size_t of_kind(enum notice_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < arrived; i++)
        for (size_t k = 0; k < arrivals[i].items; k++)
            n += arrivals[i].kinds[k] == (int)kind;
    return n;
}

/* At half of it and at four fifths, a minute later; then the turn is missed, and
 * there was no third. */
Test(reminders, turn)
{
    char table[16];

    bert_plays(table, 10, NULL);
    wait_minutes(5 * 60 - 3);
    cr_assert_eq(arrived, 0, "too soon");
    wait_minutes(5);
    cr_assert_eq(arrived, 1);
    cr_assert(last()->items == 1 && last()->kinds[0] == NOTICE_REMINDER);
    cr_assert_eq(last()->details[0], NOTICE_PLAIN);
    cr_assert_eq(last()->deadline_ms, due_of_bert());
    wait_minutes(3 * 60 - 5);
    cr_assert_eq(arrived, 1);
    wait_minutes(5);
    cr_assert_eq(arrived, 2);
    cr_assert_eq(last()->kinds[0], NOTICE_REMINDER);
    cr_assert_eq(last()->details[0], NOTICE_LAST);
    wait_minutes(2 * 60);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 2);
    cr_assert_eq(rows_left(), 0);
}

/* Who has moved is not reminded of that, nor who looks within the minute that
 * each notice waits; a turn taken back goes on with what was told of it. */
Test(reminders, moved)
{
    char table[16];

    bert_plays(table, 10, NULL);
    wait_minutes(4 * 60 + 57);
    seen(bert, table);
    wait_minutes(5);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 1, "to look before is no answer");
    FINE(move(bert, table));
    wait_minutes(5);
    undo(bert, table);
    wait_minutes(2 * 60);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 1, "they had been reminded");
    wait_minutes(60);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 2);
    FINE(move(bert, table));
    cr_assert_eq(rows_left(), 1, "of Anna's turn");
    wait_minutes(9 * 60);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 2);
}

/* A crash before a reminder, or just after it was stored, or after it was told,
 * neither loses nor repeats it. */
Test(reminders, crashes)
{
    char table[16];

    bert_plays(table, 10, NULL);
    wait_minutes(2 * 60);
    come_back();
    listen();
    wait_minutes(3 * 60 - 2);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 0);
    for (int i = 0; i < 40; i++) {
        world_crash(&d.world);
        listen();
        for (int k = 0; k < 10; k++)
            test_client_wait(&d, SECOND);
    }
    wait_minutes(10);
    world_crash(&d.world);
    wait_minutes(10);
    cr_assert_eq(d.world.disk.reminder_count, 1);
    cr_assert_eq(d.world.disk.reminders[0].row.stage, 1);
}

/* An outage moves them, as it does the deadline; a gift does, too, and who has
 * time again is told again only when that is nearly over. */
Test(reminders, moved_deadline)
{
    char table[16];
    peer_id admin = test_client_admin(&d);

    bert_plays(table, 10, NULL);
    wait_minutes(60);
    int64_t from = d.world.now_ms;
    d.world.now_ms += 10 * HOUR;
    hub_stood_still(d.world.hub, from, d.world.now_ms);
    wait_minutes(4 * 60 + 50);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 0);
    wait_minutes(15);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 1);
    FINE(test_client_ask(&d, admin, "admin.extend", "{s:s,s:i,s:i}", "table",
                         table, "seat", 1, "seconds", 10 * 3600));
    wait_minutes(9 * 60);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 1, "half of twenty hours");
    wait_minutes(2 * 60);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 2, "four fifths");
}

/* ---- where, and when ------------------------------------------------------- */

static void be_there(peer_id p, int opens, int closes)
{
    FINE(test_client_ask(&d, p, "account.hours.set",
                         "{s:{s:i,s:i,s:[i,i,i,i,i,i,i],s:s}}", "hours",
                         "opens", opens, "closes", closes, "days", 1, 2, 3, 4,
                         5, 6, 7, "zone", "Etc/UTC"));
    test_client_settle(&d);
}

/* Outside their hours nobody is reminded, but where their time is up before they
 * are back: the table does not honour them.  It is 08:00 in UTC. */
Test(reminders, hours)
{
    char slow[16], fast[16];

    be_there(bert, 2 * 60, 9 * 60);
    bert_plays(slow, 30, json_pack("{s:b}", "hours", false));
    bert_plays(fast, 10, NULL);
    wait_minutes(8 * 60 + 10);
    cr_assert_eq(arrived, 2, "%zu", arrived);
    for (size_t i = 0; i < arrived; i++)
        cr_assert(arrivals[i].items == 1 &&
                  arrivals[i].kinds[0] == NOTICE_REMINDER);
    wait_minutes(7 * 60);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 2, "half of the slow one's passed");
    wait_minutes(3 * 60);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 3, "in the morning");
}

/* A digest takes the place of the first reminder, and not of the last. */
Test(reminders, digest)
{
    char table[16];

    FINE(
        test_client_ask(&d, bert, "notices.set", "{s:s}", "digest", "weekly"));
    bert_plays(table, 10, NULL);
    wait_minutes(7 * 60);
    cr_assert_eq(arrived, 0);
    wait_minutes(65);
    cr_assert_eq(arrived, 1);
    cr_assert(last()->kinds[0] == NOTICE_REMINDER &&
              last()->details[0] == NOTICE_LAST);
}

/* Where a turn takes less than an hour nothing is mailed, and all is called. */
Test(reminders, quick)
{
    char table[16];
    const char *channel = add_webhook(bert, "https://example.org/bert");
    json_t *how = json_pack("{s:s,s:{s:i}}", "start", "full", "pace", "free",
                            3599);

    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
    arrived = 0;
    FINE(test_client_create(&d, anna, how, table));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    FINE(move(anna, table));
    wait_minutes(55);
    cr_assert_eq(of_kind(NOTICE_TURN), 1);
    cr_assert_eq(of_kind(NOTICE_REMINDER), 2);
    for (size_t i = 0; i < arrived; i++)
        cr_assert_eq(arrivals[i].channel, CHANNEL_WEBHOOK);
}

/* After how many seconds from now on the next one arrives; MOST if none
 * does. */
static int seconds_to_next(int most)
{
    size_t before = arrived;
    int n = 0;

    while (n < most && arrived == before) {
        test_client_wait(&d, SECOND);
        n++;
    }
    return n;
}

/* Notices wait for an eighth of what a turn takes at most, also when the process
 * died meanwhile, which has to find out again how long that is; and where that is
 * more than people wish, for as long as they wish. */
Test(reminders, an_eighth)
{
    char table[16];
    const char *channel = add_webhook(bert, "https://example.org/bert");
    json_t *how = json_pack("{s:s,s:{s:i,s:i,s:i,s:i}}", "start", "full",
                            "pace", "free", 60, "bank", 100, "add", 5, "cap",
                            100);

    FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}", "channel",
                         channel));
    FINE(test_client_create(&d, anna, how, table));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    FINE(move(anna, table));
    cr_assert_eq(seconds_to_next(60), 20, "an eighth of 160 s");
    cr_assert_eq(last()->kinds[0], NOTICE_TURN);
    FINE(move(bert, table));
    FINE(move(anna, table));
    pass(5);
    come_back();
    listen();
    cr_assert_leq(seconds_to_next(60), 18);
    FINE(move(bert, table));
    FINE(test_client_ask(&d, bert, "notices.set", "{s:i}", "wait", 10));
    FINE(move(anna, table));
    cr_assert_eq(seconds_to_next(60), 10);
}

/* A deadline that passes while a reminder is on its way into the store is decided
 * all the same, whenever in between that is. */
Test(reminders, deadline_meanwhile)
{
    const struct disk *disk = &d.world.disk;
    char table[16];

    for (int64_t ahead = 0; ahead < 120; ahead += 5) {
        bert_plays(table, 10, NULL);
        const struct summary *s =
            &disk->tables[disk->table_count - 1]->row.summary;
        d.world.now_ms = s->due[1] + MISS_AFTER_MS - ahead;
        hub_tick(d.world.hub, d.world.now_ms);
        for (int i = 0; i < 30; i++)
            test_client_wait(&d, SECOND);
        cr_assert_neq(s->state, TABLE_PLAYING, "%d ms before", (int)ahead);
    }
}

/* Who has not said that they want none of it. */
Test(reminders, unwanted)
{
    char table[16];
    json_t *got = test_client_ask(&d, bert, "notices.get", NULL);
    const json_t *mail = json_array_get(test_client_member(got, "channels"),
                                        0);

    FINE(test_client_ask(&d, bert, "notices.channels.set", "{s:s,s:[s]}",
                         "channel",
                         json_string_value(json_object_get(mail, "channel")),
                         "kinds", "turn"));
    bert_plays(table, 10, NULL);
    wait_minutes(9 * 60);
    cr_assert_eq(arrived, 0);
}

/* ---- absences -------------------------------------------------------------- */

static void leave(peer_id p, int64_t ms)
{
    FINE(test_client_ask(&d, p, "account.absence.add", "{s:I}", "until",
                         (json_int_t)(d.world.now_ms + ms)));
    test_client_settle(&d);
}

/* Who plays with somebody is told that they are away, and until when; and that
 * they are back if that is earlier, but not if nobody had been told. */
Test(reminders, fellow_away)
{
    char table[16];

    bert_plays(table, 48, NULL);
    seen(bert, table);
    leave(anna, 3 * DAY);
    pass(70);
    cr_assert_eq(arrived, 1);
    cr_assert(last()->kinds[0] == NOTICE_ABSENCE &&
              last()->details[0] == NOTICE_PLAIN);
    cr_assert_eq(last()->deadline_ms, d.world.disk.absences[0].until_ms);
    seen(bert, table);
    FINE(test_client_ask(&d, anna, "account.absence.end", NULL));
    test_client_settle(&d);
    pass(70);
    cr_assert_eq(arrived, 2);
    cr_assert(last()->kinds[0] == NOTICE_ABSENCE &&
              last()->details[0] == NOTICE_BACK);
    seen(bert, table);
    leave(anna, DAY);
    pass(20);
    FINE(test_client_ask(&d, anna, "account.absence.end", NULL));
    test_client_settle(&d);
    pass(120);
    cr_assert_eq(arrived, 2, "nobody had gone");
    cr_assert_eq(rows_left(), 0);
}

/* Who is away hears nothing, but of what is urgent; then of all at once what is
 * still so, and that their clocks run again. */
Test(reminders, own_absence)
{
    char table[16], other[16];

    bert_plays(table, 48, NULL);
    FINE(move(bert, table));
    leave(bert, 2 * DAY);
    FINE(move(anna, table));
    turn_of_bert(other);
    wait_minutes(47 * 60 + 55);
    cr_assert_eq(arrived, 0, "%zu", arrived);
    wait_minutes(10);
    cr_assert_eq(arrived, 1);
    cr_assert_eq(last()->form, DELIVERY_SUMMARY);
    cr_assert_eq(of_kind(NOTICE_TURN), 2);
    cr_assert_eq(of_kind(NOTICE_ABSENCE), 1);
}

/* One that begins instead of a miss is told at once, and what ends it, though the
 * process dies meanwhile. */
Test(reminders, auto_absence)
{
    char table[16];

    FINE(test_client_ask(&d, bert, "account.absence.auto", "{s:b}", "auto",
                         true));
    bert_plays(table, 24, NULL);
    wait_minutes(24 * 60 + 5);
    cr_assert_eq(of_kind(NOTICE_MISS), 0);
    cr_assert_eq(of_kind(NOTICE_ABSENCE), 1);
    cr_assert_eq(last()->details[0], NOTICE_PLAIN);
    cr_assert_eq(last()->deadline_ms, d.world.disk.absences[0].until_ms);
    size_t before = arrived;
    world_crash(&d.world);
    listen();
    arrived = before;
    for (int i = 0; i < 6 * 24; i++)
        test_client_wait(&d, HOUR);
    cr_assert_eq(arrived, before, "not before it is over");
    for (int i = 0; i < 26 * 60; i++)
        test_client_wait(&d, MINUTE);
    cr_assert_eq(of_kind(NOTICE_ABSENCE), 2);
}

/* Whose move is answered at once by somebody's order is told like anybody whose turn
 * it becomes, though it is their own move that brings it; who has ordered that is
 * told of no turn. */
Test(reminders, ordered)
{
    char table[16];

    bert_plays(table, 10, NULL);
    json_int_t ply = json_integer_value(
        json_object_get(test_client_view(&d, anna, table), "ply"));
    FINE(test_client_ask(&d, anna, "table.order", "{s:s,s:{s:I,s:{s:s,s:s}}}",
                         "table", table, "order", "after", ply, "move", "verb",
                         "place", "cell", "c3"));
    FINE(move(bert, table));
    wait_minutes(5);
    cr_assert_eq(arrived, 1, "%zu", arrived);
    cr_assert_eq(last()->kinds[0], NOTICE_TURN);
    cr_assert_str_eq(last()->target, "bert@example.org");
}
