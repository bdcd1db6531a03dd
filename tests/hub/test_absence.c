/* test_absence.c -- when people are away: what they may plan, how many days that
 * spends, who begins and ends it, and that nothing of it is lost. */

#include <criterion/criterion.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

#define HOUR INT64_C(3600000)
#define DAY  (24 * HOUR)
/* It is 15 January 2027, 08:00 UTC, when these begin. */
#define JANUARY INT64_C(1800000000000)

THREE_CLIENTS(absence, 1);

static json_t *plan(peer_id p, int64_t from, int64_t until)
{
    return test_client_ask(&d, p, "account.absence.add", "{s:I,s:I}", "from",
                           (json_int_t)from, "until", (json_int_t)until);
}

static json_t *leave(peer_id p, int64_t ms)
{
    return test_client_ask(&d, p, "account.absence.add", "{s:I}", "until",
                           (json_int_t)(d.world.now_ms + ms));
}

static json_t *come_back(peer_id p)
{
    return test_client_ask(&d, p, "account.absence.end", NULL);
}

static json_t *drop(peer_id p, int64_t from)
{
    return test_client_ask(&d, p, "account.absence.end", "{s:I}", "from",
                           (json_int_t)from);
}

static json_t *get(peer_id p)
{
    json_t *answer = test_client_ask(&d, p, "account.absence.get", NULL);

    FINE(answer);
    return answer;
}

static int64_t left(peer_id p)
{
    return test_client_number(get(p), "left");
}

/* How many on the disk have begun. */
static size_t begun(void)
{
    size_t n = 0;

    for (size_t i = 0; i < d.world.disk.absence_count; i++)
        n += d.world.disk.absences[i].begun;
    return n;
}

static size_t count(peer_id p)
{
    return json_array_size(test_client_member(get(p), "absences"));
}

/* Who has said nothing is never away, and has all the days that the operator
 * gives. */
Test(absence, none)
{
    cr_assert(test_client_is(get(anna), "{s:b,s:i,s:i,s:[]}", "auto", false,
                             "budget", 30, "left", 30, "absences"));
    REASON(come_back(anna), "no_such_absence");
}

/* Each 24 hours that begin spend a day; who comes back early has the others
 * again. */
Test(absence, days)
{
    json_t *answer = leave(anna, 3 * DAY + HOUR);

    FINE(answer);
    cr_assert_eq(test_client_number(answer, "left"), 26);
    const json_t *one = json_array_get(test_client_member(answer, "absences"),
                                       0);
    cr_assert_gt(json_integer_value(json_object_get(one, "until")),
                 d.world.now_ms + 3 * DAY);
    cr_assert(json_is_false(json_object_get(one, "auto")));
    cr_assert_eq(left(bert), 30, "everybody has their own");
    test_client_wait(&d, DAY + HOUR);
    FINE(come_back(anna));
    cr_assert_eq(left(anna), 28);
    REASON(come_back(anna), "no_such_absence");
    FINE(leave(anna, HOUR));
    cr_assert_eq(left(anna), 27);
    test_client_wait(&d, 2 * HOUR);
    REASON(come_back(anna), "no_such_absence");
    cr_assert_eq(left(anna), 27);
    cr_assert_eq(count(anna), 2);
}

/* What is planned spends its days at once, begins when it is time, whoever is
 * there, and goes away without a trace if it is dropped before. */
Test(absence, planned)
{
    int64_t from = d.world.now_ms + 10 * DAY;

    FINE(plan(anna, from, from + 2 * DAY));
    cr_assert_eq(left(anna), 28);
    FINE(drop(anna, from));
    cr_assert_eq(left(anna), 30);
    cr_assert_eq(count(anna), 0);
    REASON(drop(anna, from), "no_such_absence");
    FINE(plan(anna, from, from + 2 * DAY));
    test_client_wait(&d, 10 * DAY - HOUR);
    cr_assert_eq(begun(), 0);
    REASON(come_back(anna), "no_such_absence");
    test_client_wait(&d, HOUR + 1);
    cr_assert_eq(begun(), 1);
    FINE(come_back(anna));
    cr_assert_eq(left(anna), 29, "it had begun");
}

/* What lies over the later of two is refused as well as over the first. */
Test(absence, over_the_second)
{
    int64_t now = d.world.now_ms;

    FINE(plan(anna, now + DAY, now + 2 * DAY));
    FINE(plan(anna, now + 10 * DAY, now + 12 * DAY));
    REASON(plan(anna, now + 11 * DAY, now + 13 * DAY), "absent_then");
    REASON(plan(anna, now + 9 * DAY, now + 11 * DAY), "absent_then");
    FINE(plan(anna, now + 5 * DAY, now + 6 * DAY));
    cr_assert_eq(count(anna), 3);
}

/* It begins soon after a start, too, if that was its time. */
Test(absence, planned_crash)
{
    int64_t from = d.world.now_ms + 10 * DAY;

    FINE(plan(anna, from, from + 2 * DAY));
    FINE(plan(bert, from + 3 * DAY, from + 4 * DAY));
    test_client_settle(&d);
    d.world.now_ms = from + DAY;
    world_crash(&d.world);
    test_client_wait(&d, 1000);
    cr_assert_eq(begun(), 1);
    test_client_wait(&d, 2 * DAY);
    cr_assert_eq(begun(), 2);
}

/* What nobody can plan is refused, and changes nothing. */
Test(absence, refused)
{
    int64_t now = d.world.now_ms;

    REASON(plan(anna, now + DAY, now + DAY), "invalid_params");
    REASON(plan(anna, now + 2 * DAY, now + DAY), "invalid_params");
    REASON(leave(anna, -1), "invalid_params");
    REASON(plan(anna, now + 360 * DAY, now + 367 * DAY), "invalid_params");
    REASON(leave(anna, 31 * DAY), "no_absence_left");
    cr_assert_eq(count(anna), 0);
    FINE(plan(anna, now + 10 * DAY, now + 12 * DAY));
    REASON(plan(anna, now + 9 * DAY, now + 10 * DAY + 1), "absent_then");
    REASON(plan(anna, now + 12 * DAY - 1, now + 13 * DAY), "absent_then");
    REASON(plan(anna, now + 9 * DAY, now + 13 * DAY), "absent_then");
    REASON(leave(anna, 11 * DAY), "absent_then");
    FINE(plan(anna, now + 9 * DAY, now + 10 * DAY));
    FINE(plan(anna, now + 12 * DAY, now + 13 * DAY));
    REASON(plan(anna, now + 20 * DAY, now + 47 * DAY), "no_absence_left");
    FINE(plan(anna, now + 20 * DAY, now + 46 * DAY));
    cr_assert_eq(left(anna), 0);
    REASON(leave(anna, HOUR), "no_absence_left");
}

/* Days count for the year in which they begin. */
Test(absence, years)
{
    int64_t new_year = JANUARY - 8 * HOUR + 351 * DAY;

    test_client_wait(&d, 300 * DAY);
    FINE(plan(anna, new_year - 20 * DAY, new_year + 20 * DAY));
    cr_assert_eq(left(anna), 10);
    REASON(plan(anna, new_year - 31 * DAY, new_year - 20 * DAY),
           "no_absence_left");
    REASON(plan(anna, new_year + 20 * DAY, new_year + 31 * DAY),
           "no_absence_left");
    FINE(plan(anna, new_year + 20 * DAY, new_year + 30 * DAY));
    test_client_wait(&d, new_year - d.world.now_ms);
    cr_assert_eq(left(anna), 0);
    test_client_wait(&d, 400 * DAY);
    cr_assert_eq(left(anna), 30);
}

/* No more than twenty are planned. */
Test(absence, too_many)
{
    for (int i = 0; i < LIMIT_ABSENCES; i++) {
        int64_t from = d.world.now_ms + (2 + 3 * i) * DAY;
        FINE(plan(anna, from, from + HOUR));
    }
    int64_t from = d.world.now_ms + 90 * DAY;
    REASON(plan(anna, from, from + HOUR), "too_many_absences");
    FINE(leave(anna, HOUR));
}

/* The operator says how many days there are; none, if they want that. */
Test(absence, budget)
{
    FINE(leave(anna, 5 * DAY));
    d.world.config.absence_days = 3;
    hub_configure(d.world.hub, &d.world.config);
    cr_assert_eq(left(anna), 0);
    cr_assert_eq(test_client_number(get(anna), "budget"), 3);
    FINE(leave(bert, 3 * DAY));
    d.world.config.absence_days = 0;
    hub_configure(d.world.hub, &d.world.config);
    REASON(leave(carl, HOUR), "no_absence_left");
    FINE(come_back(bert));
}

/* The wish for absence instead of a miss is told again, and changes nothing
 * else. */
Test(absence, instead)
{
    static const char wish[] = "account.absence.auto";

    FINE(leave(anna, DAY));
    FINE(test_client_ask(&d, anna, wish, "{s:b}", "auto", true));
    cr_assert(json_is_true(test_client_member(get(anna), "auto")));
    cr_assert_eq(count(anna), 1);
    FINE(come_back(anna));
    cr_assert(json_is_true(test_client_member(get(anna), "auto")));
    FINE(test_client_ask(&d, anna, wish, "{s:b}", "auto", true));
    FINE(test_client_ask(&d, anna, wish, "{s:b}", "auto", false));
    cr_assert(json_is_false(test_client_member(get(anna), "auto")));
}

/* From two devices at once no more days are spent than there are: one is stored,
 * and the other told so. */
Test(absence, at_once)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        test_client_close(&d);
        test_client_open(&d, seed);
        peer_id p = test_client_user(&d, "anna"), q = test_client_come(&d, 0);
        FINE(test_client_ask(&d, q, "session.login", "{s:s,s:s}", "name",
                             "anna", "password", "password"));
        int64_t now = d.world.now_ms + DAY;
        int one = test_client_send(&d, p, "account.absence.add",
                                   json_pack("{s:I,s:I}", "from", now, "until",
                                             now + 20 * DAY));
        int two = test_client_send(&d, q, "account.absence.add",
                                   json_pack("{s:I,s:I}", "from",
                                             now + 30 * DAY, "until",
                                             now + 50 * DAY));
        test_client_settle(&d);
        const char *a = test_client_reason(test_client_answer(&d, one));
        const char *b = test_client_reason(test_client_answer(&d, two));
        cr_assert_neq(a[0] == '\0', b[0] == '\0', "%s, %s", a, b);
        cr_assert_eq(left(p), 10);
    }
}

/* What is stored of it is told to who it is about, and goes with them. */
Test(absence, own)
{
    FINE(leave(anna, DAY));
    FINE(test_client_ask(&d, anna, "account.absence.auto", "{s:b}", "auto",
                         true));
    json_t *wish = test_client_ask(&d, anna, "account.export", "{s:s}", "part",
                                   "away");
    cr_assert(json_is_true(
        json_object_get(json_array_get(test_client_member(wish, "rows"), 0),
                        "auto")));
    json_t *answer = test_client_ask(&d, anna, "account.export", "{s:s}",
                                     "part", "absences");
    const json_t *rows = test_client_member(answer, "rows");
    cr_assert_eq(json_array_size(rows), 1);
    cr_assert_eq(json_integer_value(
                     json_object_get(json_array_get(rows, 0), "until")),
                 d.world.disk.absences[0].until_ms);
    FINE(test_client_ask(&d, anna, "account.delete", "{s:s}", "password",
                         "password"));
    cr_assert_eq(d.world.disk.absence_count, 0);
    cr_assert_eq(d.world.disk.away_count, 0);
}
