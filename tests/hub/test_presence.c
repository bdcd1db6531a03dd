/* test_presence.c -- tables are told of when people are there: hours and absences
 * come into their logs and are reckoned with, instead of a miss, too; and whatever
 * breaks off, no table is left behind. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/hub/inner.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(presence, 3);

#define SECOND INT64_C(1000)
#define HOUR   (3600 * SECOND)
#define DAY    (24 * HOUR)

static char table[16];

/* ---- people at a table ------------------------------------------------------ */

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

/* Anna makes a table with so many hours for each turn, no miss of which is
 * excused. */
static void open_table(int hours)
{
    FINE(test_client_create(&d, anna,
                            json_pack("{s:s,s:{s:i},s:{s:i,s:s}}", "start",
                                      "full", "pace", "free", hours * 3600,
                                      "misses", "excused", 0, "then", "mild"),
                            table));
}

static void play(void)
{
    open_table(24);
    FINE(at(bert, "table.join"));
    test_client_settle(&d);
}

static json_t *move(peer_id p)
{
    json_t *legal = at(p, "table.legal");
    const json_t *moves = test_client_member(legal, "moves");

    FINE(legal);
    return test_client_ask(&d, p, "table.move", "{s:s,s:O,s:O}", "table",
                           table, "decision",
                           test_client_member(legal, "decision"), "move",
                           json_array_get(moves, 0));
}

static json_int_t number(int seat, const char *name)
{
    json_t *answer = at(carl, "table.watch");

    FINE(answer);
    FINE(at(carl, "table.unwatch"));
    const json_t *seats = json_object_get(test_client_member(answer, "view"),
                                          "seats");
    return json_integer_value(
        json_object_get(json_array_get(seats, (size_t)seat), name));
}

static void leave(peer_id p, int64_t ms)
{
    FINE(test_client_ask(&d, p, "account.absence.add", "{s:I}", "until",
                         (json_int_t)(d.world.now_ms + ms)));
    test_client_settle(&d);
}

static void be_there(peer_id p, int opens, int closes)
{
    FINE(test_client_ask(&d, p, "account.hours.set",
                         "{s:{s:i,s:i,s:[i,i,i,i,i,i,i],s:s}}", "hours",
                         "opens", opens, "closes", closes, "days", 1, 2, 3, 4,
                         5, 6, 7, "zone", "Europe/Paris"));
    test_client_settle(&d);
}

/* ---- what is in logs ---------------------------------------------------------- */

/* How many plies of KIND T's log has on the disk, and the last of them. */
static size_t plies(const struct disk_table *t, const char *kind,
                    char last[400])
{
    char member[32];
    size_t n = 0;

    snprintf(member, sizeof(member), "\"kind\":\"%s\"", kind);
    for (size_t i = 0; i < t->ply_count; i++) {
        if (strstr(t->plies[i].line, member) == NULL)
            continue;
        n++;
        if (last != NULL)
            snprintf(last, 400, "%s", t->plies[i].line);
    }
    return n;
}

static size_t told(const char *kind)
{
    return plies(d.world.disk.tables[d.world.disk.table_count - 1], kind,
                 NULL);
}

/* The record is true, once the game is over. */
static void verified(void)
{
    char why[400];
    size_t pages;

    FINE(at(anna, "table.resign"));
    char *text = test_client_record(&d, anna, table, &pages);
    cr_assert(test_client_verify(text, why, sizeof(why)), "%s", why);
    free(text);
}

/* ---- hours -------------------------------------------------------------------- */

/* Who has hours when they sit down has them from their first turn on; who changes
 * them, from their next one; a table that knows is told nothing. */
Test(presence, hours)
{
    be_there(anna, 540, 1320);
    open_table(12);
    test_client_settle(&d);
    cr_assert_eq(told("hours"), 1, "of who made it");
    be_there(bert, 600, 1200);
    FINE(at(bert, "table.join"));
    test_client_settle(&d);
    cr_assert_eq(told("hours"), 2, "of who sat down");
    /* It is 09:00 in Paris, and 12 hours are 6.5 of the 13 of a day. */
    json_int_t due = number(0, "due");
    cr_assert(due > d.world.now_ms + 6 * HOUR &&
              due < d.world.now_ms + 7 * HOUR);
    FINE(move(anna));
    FINE(move(bert));
    test_client_wait(&d, HOUR);
    leave(anna, 8 * DAY); /* which keeps the game from its end */
    test_client_wait(&d, 7 * DAY);
    FINE(test_client_ask(&d, bert, "account.hours.set", "{s:n}", "hours"));
    test_client_settle(&d);
    cr_assert_eq(told("hours"), 3);
    verified();
}

/* A table that was made to honour none is told of none. */
Test(presence, not_honoured)
{
    be_there(anna, 540, 1320);
    FINE(test_client_create(&d, anna,
                            json_pack("{s:{s:i}}", "pace", "free", 600),
                            table));
    FINE(at(bert, "table.join"));
    leave(bert, DAY);
    cr_assert(told("hours") == 0 && told("absent") == 0);
    cr_assert_eq(d.world.disk.untold_count, 0);
}

/* What the system tells of a zone is compared with what tables were told, each
 * week, at a start and when it was read anew: those in memory and those on the
 * disk are told, whatever breaks off, and only when something has changed. */
Test(presence, zones)
{
    be_there(anna, 8 * 60, 21 * 60);
    for (int i = 0; i < 2; i++) {
        open_table(60 * 24);
        FINE(at(bert, "table.join"));
        test_client_settle(&d);
    }
    cr_assert_eq(told("hours"), 1);
    for (int i = 0; i < 8; i++)
        test_client_wait(&d, DAY);
    cr_assert_eq(d.world.disk.zone_count, 1);
    cr_assert_eq(told("hours"), 1, "nothing has changed");
    d.world.no_summer = true;
    test_client_wait(&d, 60 * SECOND);
    cr_assert_eq(told("hours"), 1, "nobody has looked");
    for (int i = 0; i < 8; i++)
        test_client_wait(&d, DAY);
    for (int i = 0; i < 20; i++)
        test_client_wait(&d, 30 * SECOND);
    cr_assert_eq(told("hours"), 2);
    cr_assert_eq(plies(d.world.disk.tables[0], "hours", NULL), 2);

    d.world.no_summer = false;
    hub_zones(d.world.hub);
    hub_tick(d.world.hub, d.world.now_ms);
    for (int i = 0; i < 30; i++) {
        world_step(&d.world);
        world_crash(&d.world);
        hub_tick(d.world.hub, d.world.now_ms);
    }
    for (int i = 0; i < 40; i++)
        test_client_wait(&d, 30 * SECOND);
    cr_assert_eq(d.world.disk.untold_count, 0);
    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(plies(d.world.disk.tables[i], "hours", NULL), 3);
}

/* ---- absences ------------------------------------------------------------------- */

/* No clock runs of who is away; others see until when, a move ends nothing, and
 * who comes back has what there was, a day at least. */
Test(presence, absence)
{
    play();
    json_int_t due = number(0, "due");
    leave(anna, 3 * DAY);
    cr_assert_eq(told("absent"), 1);
    cr_assert_eq(number(0, "absent"), d.world.disk.absences[0].until_ms);
    cr_assert_gt(number(0, "due"), due + 2 * DAY);
    test_client_wait(&d, 2 * DAY);
    cr_assert_eq(number(0, "missed"), 0);
    FINE(move(anna));
    FINE(move(bert));
    cr_assert_gt(number(0, "absent"), d.world.now_ms);
    FINE(test_client_ask(&d, anna, "account.absence.end", NULL));
    test_client_settle(&d);
    cr_assert_eq(told("back"), 1);
    cr_assert_eq(number(0, "absent"), 0);
    due = number(0, "due");
    cr_assert(due > d.world.now_ms + DAY - HOUR &&
              due < d.world.now_ms + DAY + HOUR);
    verified();
}

/* What is planned begins at tables when it is time, and who sits down while they
 * are away is away there. */
Test(presence, planned)
{
    play();
    int64_t from = d.world.now_ms + 5 * HOUR;
    FINE(test_client_ask(&d, anna, "account.absence.add", "{s:I,s:I}", "from",
                         (json_int_t)from, "until",
                         (json_int_t)(from + 2 * DAY)));
    test_client_wait(&d, 4 * HOUR);
    cr_assert_eq(told("absent"), 0);
    test_client_wait(&d, 2 * HOUR);
    cr_assert_eq(told("absent"), 1);
    verified();
    play();
    cr_assert_eq(told("absent"), 1);
    cr_assert_eq(number(0, "absent"), from + 2 * DAY);
    verified();
}

/* Who wishes for it is absent instead of missing a turn, for seven days, or for
 * what is left; then they do miss it. */
Test(presence, instead_of_a_miss)
{
    FINE(test_client_ask(&d, anna, "account.absence.auto", "{s:b}", "auto",
                         true));
    d.world.config.absence_days = 9;
    hub_configure(d.world.hub, &d.world.config);
    play();
    FINE(move(anna));
    FINE(move(bert));
    for (int i = 0; i < 25; i++)
        test_client_wait(&d, HOUR);
    cr_assert(told("absent") == 1 && told("miss") == 0);
    json_int_t until = number(0, "absent");
    cr_assert(until > d.world.now_ms + 6 * DAY &&
              until < d.world.now_ms + 7 * DAY);
    for (int i = 0; i < 24 * 8 + 2; i++)
        test_client_wait(&d, HOUR);
    cr_assert(told("absent") == 2 && told("miss") == 0);
    for (int i = 0; i < 24 * 3 + 2; i++)
        test_client_wait(&d, HOUR);
    cr_assert_eq(told("miss"), 1);
    FINE(move(bert));
    verified();
}

/* As long as a table has to be told of something no miss is decided there. */
Test(presence, no_miss_meanwhile)
{
    play();
    test_client_wait(&d, DAY - HOUR);
    int id = test_client_send(&d, anna, "account.absence.add",
                              json_pack("{s:I}", "until",
                                        d.world.now_ms + 2 * DAY));
    while (d.world.disk.untold_count == 0 && world_step(&d.world))
        continue;
    cr_assert_gt(d.world.disk.untold_count, 0);
    (void)id;
    d.world.now_ms += 2 * HOUR;
    world_crash(&d.world);
    d.world.now_ms += 3 * HOUR; /* time to find back is over */
    for (int i = 0; i < 60; i++)
        test_client_wait(&d, SECOND);
    cr_assert(told("absent") == 1 && told("miss") == 0);
    cr_assert_eq(d.world.disk.untold_count, 0);
}

/* However many miss their turns, each is decided, at tables that honour absences,
 * too: who is asked about is nobody's whose place is not free again. */
Test(presence, many_misses)
{
    for (int i = 0; i < 3 * LIMIT_DEADLINES; i++)
        play();
    size_t made = d.world.disk.table_count; /* others take their place */
    test_client_wait(&d, 24 * HOUR + 3 * SECOND);
    for (int i = 0; i < 60; i++)
        test_client_wait(&d, SECOND);
    for (size_t i = 0; i < made; i++)
        cr_assert_eq(plies(d.world.disk.tables[i], "miss", NULL), 1, "%zu", i);
    cr_assert_eq(d.world.hub->deadlines.looking, 0);
}

/* ---- crashes ---------------------------------------------------------------------- */

/* Who sits at as many tables as one may goes away and comes back, while the
 * process dies between any two steps and the disk fails: all tables know of it in
 * the end, once. */
Test(presence, many_tables)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        test_client_close(&d);
        test_client_open(&d, seed);
        anna = test_client_user(&d, "anna");
        bert = test_client_user(&d, "bert");
        for (int i = 0; i < LIMIT_TABLES; i++)
            play();
        test_client_settle(&d);
        for (int back = 0; back < 2; back++) {
            if (back == 0)
                leave(anna, 20 * DAY);
            else
                FINE(test_client_ask(&d, anna, "account.absence.end", NULL));
            d.world.fail_per_1000 = d.world.deaf_per_1000 = 20;
            for (int i = 0; i < 12; i++) {
                for (uint32_t k = world_dice(&d.world, 60); k > 0; k--)
                    world_step(&d.world);
                world_crash(&d.world);
                hub_tick(d.world.hub, d.world.now_ms);
            }
            d.world.fail_per_1000 = d.world.deaf_per_1000 = 0;
            for (int i = 0; i < 100 && d.world.disk.untold_count > 0; i++)
                test_client_wait(&d, 10 * SECOND);
            cr_assert_eq(d.world.disk.untold_count, 0);
            for (size_t i = 0; i < LIMIT_TABLES; i++)
                cr_assert_eq(plies(d.world.disk.tables[i],
                                   back ? "back" : "absent", NULL),
                             1, "%zu, seed %d", i, (int)seed);
            anna = test_client_come(&d, 0);
            FINE(test_client_ask(&d, anna, "session.login", "{s:s,s:s}",
                                 "name", "anna", "password", "password"));
        }
    }
}
