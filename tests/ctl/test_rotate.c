/* test_rotate.c -- which backups stay. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clients/ctl/rotate.h"

#define DAY   INT64_C(86400)
#define TIMES 2000

static int64_t times[TIMES];
static bool keep[TIMES];
static size_t count;

/* A new one at TIME; then those go that are not to stay. */
static void back_up(int64_t time)
{
    size_t left = 0;

    times[count++] = time;
    rotate_keep(times, count, keep);
    for (size_t i = 0; i < count; i++)
        if (keep[i])
            times[left++] = times[i];
    count = left;
}

static bool there(const char *name)
{
    int64_t time;

    cr_assert(rotate_name_read(name, &time), "%s", name);
    for (size_t i = 0; i < count; i++)
        if (times[i] == time)
            return true;
    return false;
}

/* After years of a backup every night there are those of the last seven days,
 * of the last four Sundays, and of the last day of each of twelve months. */
Test(rotate, years)
{
    int64_t first, last;

    cr_assert(rotate_name_read("sobremesa-20240101T030000Z.db", &first));
    cr_assert(rotate_name_read("sobremesa-20261118T030000Z.db", &last));
    for (int64_t at = first; at <= last; at += DAY)
        back_up(at);
    static const char *const stay[] = {
        "20261118", "20261117", "20261116", "20261115", "20261114",
        "20261113", "20261112", "20261108", "20261101", "20261031",
        "20260930", "20260831", "20260731", "20260630", "20260531",
        "20260430", "20260331", "20260228", "20260131", "20251231",
    };
    char name[ROTATE_NAME_SIZE];
    for (size_t i = 0; i < sizeof(stay) / sizeof(stay[0]); i++) {
        snprintf(name, sizeof(name), "sobremesa-%sT030000Z.db", stay[i]);
        cr_assert(there(name), "%s", name);
    }
    cr_assert_eq(count, sizeof(stay) / sizeof(stay[0]), "%zu", count);
}

/* Many on one day: its last one stays, and those of the days before. */
Test(rotate, a_busy_day)
{
    back_up(100 * DAY);
    for (int i = 0; i < 500; i++)
        back_up(101 * DAY + i);
    cr_assert_eq(count, 2);
    cr_assert_eq(times[0] + times[1], 201 * DAY + 499);
}

/* None are lost because none were made for long; of a clock that goes back the
 * newest stays all the same, and the one that was just made. */
Test(rotate, pauses)
{
    for (int i = 0; i < 5; i++)
        back_up((1000 + i) * DAY);
    back_up(3000 * DAY);
    cr_assert_eq(count, 6);
    back_up(2999 * DAY);
    cr_assert_eq(count, 7);
    count = 0;
    rotate_keep(times, count, keep);
    back_up(5);
    cr_assert_eq(count, 1);
}

/* Only names that it gives itself are names of backups. */
Test(rotate, names)
{
    static const char *const others[] = {
        "",
        "sobremesa.db",
        "sobremesa-20261122T041536Z.db.old",
        "sobremesa-20261122T041536Z.db-wal",
        "sobremesa-20261122T041536Z.db.sobremesa-part",
        "Sobremesa-20261122T041536Z.db",
        "sobremesa-20261322T041536Z.db",
        "sobremesa-20260230T041536Z.db",
        "sobremesa-2026112T041536Z.db",
        "sobremesa- 20261122T041536Z.db",
        "x/sobremesa-20261122T041536Z.db",
    };
    char name[ROTATE_NAME_SIZE];
    int64_t time;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        cr_assert_not(rotate_name_read(others[i], &time), "%s", others[i]);
    cr_assert(rotate_name_read("sobremesa-20261122T041536Z.db", &time));
    cr_assert_eq(time, 1795320936);
    rotate_name(time, name);
    cr_assert_str_eq(name, "sobremesa-20261122T041536Z.db");
}
