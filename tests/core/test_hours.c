/* test_hours.c -- when somebody is there, by clocks that change. */

#include <criterion/criterion.h>

#include "../../core/base.h"
#include "../../core/hours.h"

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

#define WORKDAYS 0x1f

static const struct hours_offsets utc = {1, {{0, 0}}};

/* Midnight UTC of a day, by its number of days since 1970. */
static int64_t utc_day(int64_t year, int month, int day)
{
    int64_t y = year - (month <= 2);
    int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return (y * 365 + y / 4 - y / 100 + y / 400 + in_year - 719468) * DAY;
}

static void expect(const struct hours *h, const struct hours_offsets *o,
                   int64_t now, int64_t from, int64_t to)
{
    struct hours_window w = hours_window(h, o, now);

    cr_expect_eq(w.from_ms, from, "from %lld, not %lld, at %lld",
                 (long long)w.from_ms, (long long)from, (long long)now);
    cr_expect_eq(w.to_ms, to, "to %lld, not %lld, at %lld", (long long)w.to_ms,
                 (long long)to, (long long)now);
    cr_expect_eq(hours_next(h, o, now), now >= from ? now : from);
}

/* Hours are a window of four hours or more, over midnight or not, on five days
 * or more. */
Test(hours, valid)
{
    static const struct hours good[] = {
        {0, 240, WORKDAYS}, {1200, 0, WORKDAYS},       {1439, 239, 0x7f},
        {0, 0, 0x7f},       {1439, 1438, 0x7f ^ 0x11}, {540, 540, WORKDAYS},
    };
    static const struct hours bad[] = {
        {0, 239, WORKDAYS}, {1200, 1439, WORKDAYS}, {1201, 0, WORKDAYS},
        {1439, 238, 0x7f},  {540, 1000, 0x0f},      {540, 1000, 0xff},
        {540, 1440, 0x7f},  {1440, 300, 0x7f},      {-1, 300, 0x7f},
        {540, -1, 0x7f},    {540, 1000, 0},
    };

    for (size_t i = 0; i < COUNT_OF(good); i++)
        cr_expect(hours_valid(&good[i]), "%zu", i);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_expect(!hours_valid(&bad[i]), "%zu", i);
}

/* A window's first moment is inside and its end is not; on days without one the
 * next one comes, a weekend later. */
Test(hours, a_week)
{
    struct hours h = {9 * 60, 17 * 60 + 30, WORKDAYS};
    int64_t friday = utc_day(2026, 11, 20), monday = friday + 3 * DAY;
    int64_t from = friday + 9 * HOUR, to = friday + 17 * HOUR + 30 * MINUTE;

    expect(&h, &utc, friday, from, to);
    expect(&h, &utc, from - 1, from, to);
    expect(&h, &utc, from, from, to);
    expect(&h, &utc, to - 1, from, to);
    expect(&h, &utc, to, monday + 9 * HOUR, monday + 17 * HOUR + 30 * MINUTE);
    expect(&h, &utc, friday + 2 * DAY, monday + 9 * HOUR,
           monday + 17 * HOUR + 30 * MINUTE);
}

/* One over midnight is of the day on which it opens; one that closes when it
 * opens lasts a day; both before 1970, too. */
Test(hours, over_midnight)
{
    struct hours h = {20 * 60, 60, WORKDAYS};
    int64_t friday = utc_day(2026, 11, 20);

    expect(&h, &utc, friday + DAY + 30 * MINUTE, friday + 20 * HOUR,
           friday + 25 * HOUR);
    expect(&h, &utc, friday + DAY + HOUR, friday + 3 * DAY + 20 * HOUR,
           friday + 4 * DAY + HOUR);
    h = (struct hours){600, 600, 0x7f};
    expect(&h, &utc, friday, friday - 14 * HOUR, friday + 10 * HOUR);
    expect(&h, &utc, friday + 10 * HOUR, friday + 10 * HOUR,
           friday + 34 * HOUR);
    expect(&h, &utc, -DAY, -DAY - 14 * HOUR, -DAY + 10 * HOUR);
}

/* Clocks are read where the person is: they are ahead of UTC, or behind. */
Test(hours, elsewhere)
{
    struct hours h = {9 * 60, 17 * 60, WORKDAYS};
    struct hours_offsets nepal = {1, {{0, 20700}}},
                         hawaii = {1, {{0, -36000}}};
    int64_t friday = utc_day(2026, 11, 20);

    expect(&h, &nepal, friday, friday + 3 * HOUR + 15 * MINUTE,
           friday + 11 * HOUR + 15 * MINUTE);
    expect(&h, &hawaii, friday, friday - 5 * HOUR, friday + 3 * HOUR);
    expect(&h, &hawaii, friday + 3 * HOUR, friday + 19 * HOUR,
           friday + 27 * HOUR);
}

/* The night in which clocks are put back is an hour longer, that in which they
 * are put forward an hour shorter, and hours during the day move by one. */
Test(hours, summer_time)
{
    struct hours night = {22 * 60, 7 * 60, 0x7f}, day = {540, 1020, 0x7f};
    int64_t spring = utc_day(2027, 3, 28), autumn = utc_day(2026, 10, 25);
    struct hours_offsets paris = {
        3, {{0, 7200}, {autumn + HOUR, 3600}, {spring + HOUR, 7200}}};

    expect(&night, &paris, autumn, autumn - 4 * HOUR, autumn + 6 * HOUR);
    expect(&night, &paris, spring, spring - 3 * HOUR, spring + 5 * HOUR);
    expect(&day, &paris, autumn - DAY, autumn - DAY + 7 * HOUR,
           autumn - DAY + 15 * HOUR);
    expect(&day, &paris, autumn, autumn + 8 * HOUR, autumn + 16 * HOUR);
    expect(&day, &paris, spring, spring + 7 * HOUR, spring + 15 * HOUR);
}

/* An hour that comes twice opens and closes what it does the first time; so
 * hours and all the other hours leave nothing out and overlap nowhere. */
Test(hours, twice)
{
    int64_t autumn = utc_day(2026, 10, 25);
    struct hours_offsets paris = {2, {{0, 7200}, {autumn + HOUR, 3600}}};
    struct hours late = {150, 1320, 0x7f}, rest = {1320, 150, 0x7f};
    int64_t half_past_two = autumn + 30 * MINUTE;

    expect(&late, &paris, autumn, half_past_two, autumn + 21 * HOUR);
    expect(&rest, &paris, autumn, autumn - 4 * HOUR, half_past_two);
    expect(&rest, &paris, half_past_two, autumn + 21 * HOUR,
           autumn + DAY + 90 * MINUTE);
}

/* One that opens in an hour that is left out opens with the next; one in a day
 * that is left out, as Samoa's 30 December 2011, is none. */
Test(hours, left_out)
{
    int64_t spring = utc_day(2027, 3, 28), samoa = utc_day(2011, 12, 30);
    struct hours_offsets paris = {2, {{0, 3600}, {spring + HOUR, 7200}}};
    struct hours_offsets apia = {2, {{0, -36000}, {samoa + 10 * HOUR, 50400}}};
    struct hours early = {150, 600, 0x7f}, day = {540, 1020, 0x7f};

    expect(&early, &paris, spring, spring + HOUR, spring + 8 * HOUR);
    expect(&day, &apia, samoa + 3 * HOUR, samoa + 19 * HOUR,
           samoa + 27 * HOUR);
}

/* Offsets that no zone has, a day ahead and a day behind in turns, end in a
 * window all the same. */
Test(hours, absurd)
{
    struct hours h = {540, 780, 0x1f};
    struct hours_offsets o = {.count = HOURS_OFFSETS_MAX};

    for (int i = 0; i < HOURS_OFFSETS_MAX; i++)
        o.at[i] = (struct hours_offset){i * DAY, i % 2 ? 86399 : -86399};
    for (int64_t now = -5 * DAY; now < 20 * DAY; now += 7 * HOUR) {
        struct hours_window w = hours_window(&h, &o, now);
        cr_expect_gt(w.to_ms, now);
        cr_expect_lt(w.from_ms, w.to_ms);
    }
}
