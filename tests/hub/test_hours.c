/* test_hours.c -- when people are there: what they may say, how often, and what
 * they are told of it. */

#include <criterion/criterion.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

#define HOUR INT64_C(3600000)
#define WEEK (7 * 24 * HOUR)

THREE_CLIENTS(hours, 1);

static json_t *set(peer_id p, int opens, int closes, const char *days,
                   const char *zone)
{
    json_t *list = json_loads(days, 0, NULL);

    return test_client_ask(&d, p, "account.hours.set", "{s:{s:i,s:i,s:o,s:s}}",
                           "hours", "opens", opens, "closes", closes, "days",
                           list, "zone", zone);
}

#define ALL_DAYS "[1,2,3,4,5,6,7]"

static void is_set(peer_id p, int opens, const char *zone)
{
    json_t *answer = test_client_ask(&d, p, "account.hours.get", NULL);
    const json_t *hours = test_client_member(answer, "hours");

    FINE(answer);
    cr_assert_eq(json_integer_value(json_object_get(hours, "opens")), opens);
    cr_assert_str_eq(json_string_value(json_object_get(hours, "zone")), zone);
}

/* Who has said nothing is there always, and may say something at once; what they
 * said is told again, to them alone. */
Test(hours, said)
{
    json_t *answer = test_client_ask(&d, anna, "account.hours.get", NULL);
    int64_t now = d.world.now_ms;

    cr_assert(json_is_null(test_client_member(answer, "hours")));
    cr_assert(json_is_true(test_client_member(answer, "inside")));
    cr_assert_leq(test_client_number(answer, "next"), now);
    cr_assert_leq(test_client_number(answer, "may_change"), now);
    FINE(set(anna, 540, 1320, "[1,2,3,4,5]", "Europe/Paris"));
    is_set(anna, 540, "Europe/Paris");
    answer = test_client_ask(&d, bert, "account.hours.get", NULL);
    cr_assert(json_is_null(test_client_member(answer, "hours")));
}

/* The moment they begin next is told, by the clocks of their zone: 1 800 000 000
 * is Friday 09:00 in Paris. */
Test(hours, next)
{
    int64_t friday = INT64_C(1800000000000) - 9 * HOUR;
    json_t *answer = set(anna, 22 * 60, 7 * 60, "[1,2,3,4,5]", "Europe/Paris");

    FINE(answer);
    cr_assert(json_is_false(test_client_member(answer, "inside")));
    cr_assert_eq(test_client_number(answer, "next"), friday + 22 * HOUR);
    answer = set(bert, 22 * 60, 7 * 60, "[1,2,3,4,6]", "Etc/UTC");
    cr_assert_eq(test_client_number(answer, "next"), friday + 47 * HOUR);
    test_client_wait(&d, 14 * HOUR);
    answer = test_client_ask(&d, anna, "account.hours.get", NULL);
    cr_assert(json_is_true(test_client_member(answer, "inside")));
    cr_assert_leq(test_client_number(answer, "next"), d.world.now_ms);
}

/* What are no hours, and whose clocks nobody knows, is refused, and changes
 * nothing. */
Test(hours, refused)
{
    static const char *const zones[] = {
        "Europe/Nowhere",
        "../../etc/passwd",
        "/etc/localtime",
        "europe/paris",
    };

    REASON(set(anna, 540, 779, ALL_DAYS, "Europe/Paris"), "invalid_params");
    REASON(set(anna, 1400, 100, ALL_DAYS, "Europe/Paris"), "invalid_params");
    REASON(set(anna, 540, 1440, ALL_DAYS, "Europe/Paris"), "invalid_params");
    REASON(set(anna, -1, 1000, ALL_DAYS, "Europe/Paris"), "invalid_params");
    REASON(set(anna, 540, 1000, "[1,2,3,4]", "Etc/UTC"), "invalid_params");
    REASON(set(anna, 540, 1000, "[1,2,3,4,4]", "Etc/UTC"), "invalid_params");
    REASON(set(anna, 540, 1000, "[1,2,3,4,8]", "Etc/UTC"), "invalid_params");
    REASON(set(anna, 540, 1000, "[0,1,2,3,4]", "Etc/UTC"), "invalid_params");
    for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++)
        REASON(set(anna, 540, 1320, ALL_DAYS, zones[i]), "no_such_zone");
    json_t *answer = test_client_ask(&d, anna, "account.hours.get", NULL);
    cr_assert(json_is_null(test_client_member(answer, "hours")));
}

/* They change once in seven days, and not to want any is a change, too; the same
 * again is none. */
Test(hours, once_a_week)
{
    FINE(set(anna, 540, 1320, ALL_DAYS, "Europe/Paris"));
    int64_t since = d.world.now_ms;
    FINE(set(anna, 540, 1320, ALL_DAYS, "Europe/Paris"));
    json_t *refused = set(anna, 541, 1320, ALL_DAYS, "Europe/Paris");
    REASON(refused, "hours_too_soon");
    int64_t wait = json_integer_value(
        json_object_get(json_object_get(json_object_get(refused, "error"),
                                        "data"),
                        "retry_after_ms"));
    cr_assert(wait > WEEK - HOUR && wait <= WEEK);
    REASON(test_client_ask(&d, anna, "account.hours.set", "{s:n}", "hours"),
           "hours_too_soon");
    test_client_wait(&d, since + WEEK - HOUR - d.world.now_ms);
    REASON(set(anna, 540, 1320, ALL_DAYS, "Etc/UTC"), "hours_too_soon");
    is_set(anna, 540, "Europe/Paris");
    test_client_wait(&d, HOUR + 1);
    FINE(test_client_ask(&d, anna, "account.hours.set", "{s:n}", "hours"));
    json_t *answer = test_client_ask(&d, anna, "account.hours.get", NULL);
    cr_assert(json_is_null(test_client_member(answer, "hours")));
    REASON(set(anna, 540, 1320, ALL_DAYS, "Etc/UTC"), "hours_too_soon");
    test_client_wait(&d, WEEK + 1);
    FINE(set(anna, 600, 1320, ALL_DAYS, "Etc/UTC"));
    is_set(anna, 600, "Etc/UTC");
}

/* From two devices at once one is stored, and the other told so. */
Test(hours, at_once)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        test_client_close(&d);
        test_client_open(&d, seed);
        peer_id p = test_client_user(&d, "anna"), q = test_client_come(&d, 0);
        FINE(test_client_ask(&d, q, "session.login", "{s:s,s:s}", "name",
                             "anna", "password", "password"));
        static const char text[] = "{s:{s:i,s:i,s:[i,i,i,i,i],s:s}}";
        int one = test_client_send(&d, p, "account.hours.set",
                                   json_pack(text, "hours", "opens", 1,
                                             "closes", 600, "days", 1, 2, 3, 4,
                                             5, "zone", "Etc/UTC"));
        int two = test_client_send(&d, q, "account.hours.set",
                                   json_pack(text, "hours", "opens", 2,
                                             "closes", 600, "days", 1, 2, 3, 4,
                                             5, "zone", "Etc/UTC"));
        test_client_settle(&d);
        const char *a = test_client_reason(test_client_answer(&d, one));
        const char *b = test_client_reason(test_client_answer(&d, two));
        bool first = a[0] == '\0';
        cr_assert_neq(first, b[0] == '\0', "%s, %s", a, b);
        a = first ? b : a;
        cr_assert(strcmp(a, "contended") == 0 ||
                      strcmp(a, "hours_too_soon") == 0,
                  "%s", a);
        is_set(p, first ? 1 : 2, "Etc/UTC");
    }
}
