/* test_clock.c -- how long each seat has, against a clock that is wound up by
 * hand, minute by minute. */

#include <criterion/criterion.h>
#include <string.h>

#include "../../core/base.h"
#include "../../core/clock.h"

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
/* A Monday, midnight UTC. */
#define MONDAY (INT64_C(20780) * DAY)

enum { FIRST = 1, SECOND };

static struct clock clock_of(int32_t free, int32_t bank, int32_t add,
                             int32_t cap)
{
    struct pace pace = {free, bank, add, cap};
    struct clock c;

    cr_assert(pace_valid(&pace));
    clock_begin(&c, &pace, 2, 1);
    return c;
}

/* Those of ACTING are waited for from AT on, in a turn of that number. */
static void turns(struct clock *c, int64_t at, uint16_t acting, uint32_t turn)
{
    struct rules_moment now = {.acting = acting, .turn = turn};

    clock_turns(c, at, &now);
}

/* ---- pace ------------------------------------------------------------------- */

/* From half a minute to ninety days, and a bank never above its cap. */
Test(clock, pace_valid)
{
    static const struct pace good[] = {
        {30, 0, 0, 0},
        {0, 30, 0, 30},
        {86400, 0, 0, 0},
        {90 * 86400, 0, 0, 0},
        {0, 300, 5, 300},
        {0, 300, 5, 900},
        {60, 300, 5, 90 * 86400},
        {86400, 0, 3600, 86400},
    };
    static const struct pace bad[] = {
        {0, 0, 0, 0},
        {29, 0, 0, 0},
        {15, 14, 0, 14},
        {-1, 300, 0, 300},
        {300, -1, 0, 0},
        {300, 0, -1, 0},
        {90 * 86400 + 1, 0, 0, 0},
        {90 * 86400, 1, 0, 1},
        {0, 300, 5, 299},
        {0, 300, 0, 301},
        {0, 300, 5, INT32_MAX},
        {INT32_MAX, INT32_MAX, 0, INT32_MAX},
        {300, 0, INT32_MAX, 600},
    };

    for (size_t i = 0; i < COUNT_OF(good); i++)
        cr_expect(pace_valid(&good[i]), "%zu", i);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_expect(!pace_valid(&bad[i]), "%zu", i);
}

/* ---- turns ------------------------------------------------------------------ */

/* A turn that ends within the free time costs nothing; what it takes beyond
 * that is gone from the bank, and its end adds up to the cap. */
Test(clock, a_turn)
{
    struct clock c = clock_of(60, 300, 10, 305);
    int64_t at = MONDAY;

    turns(&c, at, 1, FIRST);
    cr_expect_eq(clock_due(&c, 0), at + 6 * MINUTE);
    cr_expect_eq(clock_due(&c, 1), 0);

    at += 45000;
    clock_advance(&c, at);
    turns(&c, at, 2, FIRST);
    cr_expect_eq(clock_bank(&c, 0), 305000); /* the cap */
    cr_expect_eq(clock_due(&c, 0), 0);
    cr_expect_eq(clock_due(&c, 1), at + 6 * MINUTE);

    at += 100000;
    clock_advance(&c, at);
    turns(&c, at, 1, SECOND);
    cr_expect_eq(clock_bank(&c, 1), 300000 - 40000 + 10000);
    cr_expect_eq(clock_due(&c, 0), at + 60000 + 305000);
}

/* Who is waited for in the same turn still has the same deadline, whatever
 * others do meanwhile; another turn of theirs is another. */
Test(clock, the_same_turn)
{
    struct clock c = clock_of(60, 300, 10, 300);

    turns(&c, MONDAY, 3, FIRST);
    clock_advance(&c, MONDAY + MINUTE);
    turns(&c, MONDAY + MINUTE, 1, FIRST);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 6 * MINUTE);
    /* While others are asked something for its sake it stands still. */
    clock_advance(&c, MONDAY + 90000);
    cr_expect_eq(clock_bank(&c, 0), 270000);
    turns(&c, MONDAY + 90000, 2, FIRST);
    cr_expect_eq(clock_due(&c, 0), 0);
    clock_advance(&c, MONDAY + HOUR);
    turns(&c, MONDAY + HOUR, 1, FIRST);
    cr_expect_eq(clock_due(&c, 0), MONDAY + HOUR + 270000);
    clock_advance(&c, MONDAY + HOUR + 30000);
    turns(&c, MONDAY + HOUR + 30000, 1, SECOND);
    cr_expect_eq(c.seat[0].bank_ms, 250000);
    cr_expect_eq(clock_due(&c, 0), MONDAY + HOUR + 30000 + 310000);
}

/* Where turns have no numbers one begins with each question, though others be
 * asked meanwhile. */
Test(clock, questions)
{
    struct rules_moment both = {.acting = 3,
                                .asked = 3,
                                .turn = RULES_NO_TURN};
    struct rules_moment other = {.acting = 3,
                                 .asked = 2,
                                 .turn = RULES_NO_TURN};
    struct clock c = clock_of(60, 0, 0, 0);

    clock_asked(&c, &both);
    clock_turns(&c, MONDAY, &both);
    clock_advance(&c, MONDAY + 50000);
    clock_asked(&c, &other);
    clock_turns(&c, MONDAY + 50000, &other);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 60000);
    cr_expect_eq(clock_due(&c, 1), MONDAY + 110000);
    other.asked = 0;
    clock_turns(&c, MONDAY + 50000, &other);
    cr_expect_eq(clock_due(&c, 1), MONDAY + 110000);
}

/* A table without a pace has no clock that runs. */
Test(clock, none)
{
    struct pace none = {0};
    struct clock c;

    clock_begin(&c, &none, 2, 1);
    turns(&c, MONDAY, 3, FIRST);
    clock_advance(&c, MONDAY + 1000 * DAY);
    cr_expect_eq(clock_due(&c, 0), 0);
}

/* ---- what no clock runs in ---------------------------------------------------- */

/* An outage counts for nobody, once, whatever else there is at the time; one
 * that reaches beyond now counts until then. */
Test(clock, outages)
{
    struct clock c = clock_of(3600, 0, 0, 0);

    turns(&c, MONDAY, 3, FIRST);
    clock_outage(&c, MONDAY + 10 * MINUTE, MONDAY + 20 * MINUTE);
    clock_advance(&c, MONDAY + 15 * MINUTE);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 70 * MINUTE);
    /* another within what is left of it */
    clock_outage(&c, MONDAY + 16 * MINUTE, MONDAY + 30 * MINUTE);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 80 * MINUTE);
    clock_outage(&c, MONDAY + 17 * MINUTE, MONDAY + 25 * MINUTE);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 80 * MINUTE);
    clock_pause(&c, MONDAY + 40 * MINUTE);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 90 * MINUTE);
    clock_advance(&c, MONDAY + 35 * MINUTE);
    clock_pause(&c, MONDAY + 35 * MINUTE); /* it ends early */
    cr_expect_eq(clock_due(&c, 1), MONDAY + 85 * MINUTE);
    clock_advance(&c, MONDAY + 80 * MINUTE);
    cr_expect_eq(clock_due(&c, 1), MONDAY + 85 * MINUTE);
}

/* Nothing counts while somebody is away; a turn that this interrupted has a day
 * again when it ends, or what each has, and a turn that came meanwhile has all. */
Test(clock, absence)
{
    struct clock c = clock_of(2 * 86400, 0, 0, 0);

    turns(&c, MONDAY, 1, FIRST);
    clock_absent(&c, 0, MONDAY + DAY + 20 * HOUR, MONDAY + 5 * DAY);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 6 * DAY);
    clock_advance(&c, MONDAY + 3 * DAY);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 6 * DAY);
    clock_back(&c, 0, MONDAY + 3 * DAY);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 4 * DAY);
    clock_absent(&c, 0, MONDAY + 3 * DAY, MONDAY + 8 * DAY);
    clock_advance(&c, MONDAY + 8 * DAY + HOUR);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 9 * DAY);

    clock_absent(&c, 1, MONDAY + 8 * DAY, MONDAY + 10 * DAY);
    turns(&c, MONDAY + 8 * DAY + HOUR, 2, FIRST);
    cr_expect_eq(clock_due(&c, 1), MONDAY + 12 * DAY);
}

/* More than a day that was left stays, and an absence of less than that takes
 * nothing. */
Test(clock, absence_takes_nothing)
{
    struct clock c = clock_of(4 * 86400, 0, 0, 0);

    turns(&c, MONDAY, 1, FIRST);
    clock_absent(&c, 0, MONDAY + DAY, MONDAY + 2 * DAY);
    clock_advance(&c, MONDAY + 3 * DAY);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 5 * DAY);
}

/* ---- hours -------------------------------------------------------------------- */

static const struct clock_hours office = {
    {9 * 60, 17 * 60, 0x1f},
    {1, {{0, 0}}},
};

/* Hours move time and give none: five windows of eight hours are a week. */
Test(clock, hours_week)
{
    struct clock c = clock_of(7 * 86400, 0, 0, 0);

    clock_hours(&c, 0, &office);
    turns(&c, MONDAY + 9 * HOUR, 1, FIRST);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 4 * DAY + 17 * HOUR);
    clock_advance(&c, MONDAY + 9 * HOUR + 30 * DAY);
    turns(&c, MONDAY + 9 * HOUR + 30 * DAY, 2, FIRST);
}

/* Where it does not come out even, time is up when all of it has passed. */
Test(clock, hours_uneven)
{
    struct clock c = clock_of(31, 0, 0, 0);

    clock_hours(&c, 0, &office);
    turns(&c, MONDAY + 9 * HOUR, 1, FIRST);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 9 * HOUR + 7381);
}

/* Those that are changed hold from the next turn on. */
Test(clock, hours_change)
{
    struct clock c = clock_of(7 * 86400, 0, 0, 0);

    turns(&c, MONDAY, 1, FIRST);
    clock_hours(&c, 0, &office);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 7 * DAY);
    clock_advance(&c, MONDAY + 9 * HOUR);
    turns(&c, MONDAY + 9 * HOUR, 1, SECOND);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 4 * DAY + 17 * HOUR);
}

/* The longest time that HOURS leave out, in three weeks from AT on, by OFFSETS. */
static int64_t longest_gap(const struct clock_hours *hours, int64_t at)
{
    struct hours_window w = hours_window(&hours->hours, &hours->offsets, at);
    int64_t longest = 0;

    for (int64_t end = at + 21 * DAY; w.to_ms < end;) {
        struct hours_window next = hours_window(&hours->hours, &hours->offsets,
                                                w.to_ms);
        if (next.from_ms - w.to_ms > longest)
            longest = next.from_ms - w.to_ms;
        w = next;
    }
    return longest;
}

/* Whether the days that DAYS leaves out follow one another. */
static bool one_weekend(uint8_t days)
{
    int begins = 0;

    for (int day = 0; day < 7; day++)
        begins += (days >> day & 1) != 0 && (days >> (day + 1) % 7 & 1) == 0;
    return begins <= 1;
}

/* However narrow hours are, wherever and whenever a turn begins, and whatever it
 * may take: it ends no later than without them by more than the longest gap
 * between two windows, and no sooner either; by a day more where the two days off
 * are apart, and by what a night of summer time moves. */
Test(clock, hours_gain)
{
    static const struct hours_offsets zones[] = {
        {1, {{0, 0}}},
        {3,
         {{0, 3600}, {MONDAY + 70 * DAY, 7200}, {MONDAY + 280 * DAY, 3600}}},
        {1, {{0, -34200}}},
    };
    uint64_t dice = 1;
    int weekends = 0;

    for (int i = 0; i < 20000; i++) {
        uint32_t n[6];
        for (int k = 0; k < 6; k++) {
            dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407u;
            n[k] = (uint32_t)(dice >> 33);
        }
        int opens = (int)(n[0] % 1440), open = 240 + (int)(n[1] % 1201);
        struct clock_hours hours = {
            {(int16_t)opens, (int16_t)((opens + open) % 1440),
             (uint8_t)(0x7f & ~(1u << n[2] % 7) & ~(1u << n[2] / 7 % 7))},
            zones[i % 3],
        };
        struct clock c = clock_of(30 + (int32_t)(n[3] % (60 * 86400)), 0, 0,
                                  0);
        int64_t at = MONDAY + n[4] % (300 * 86400) * INT64_C(1000);
        cr_assert(hours_valid(&hours.hours));
        clock_hours(&c, 0, &hours);
        turns(&c, at, 3, FIRST);
        int64_t gained = clock_due(&c, 0) - clock_due(&c, 1);
        int64_t bound = longest_gap(&hours, at - 7 * DAY) + 10;
        bool apart = !one_weekend(hours.hours.days);
        weekends += !apart;
        if (apart)
            bound += DAY;
        if (i % 3 == 1)
            bound += HOUR +
                     HOUR * HOURS_WEEK_MINUTES / hours_week(&hours.hours);
        cr_assert(gained <= bound && gained >= -bound,
                  "run %d: %lld ms, of %lld", i, (long long)gained,
                  (long long)bound);
    }
    cr_assert_gt(weekends, 1000);
}

/* ---- misses ------------------------------------------------------------------- */

/* The first is excused: the turn has as much again, from when that was decided,
 * and its end takes all of the bank. */
Test(clock, excused)
{
    struct clock c = clock_of(3600, 600, 0, 600);

    turns(&c, MONDAY, 1, FIRST);
    cr_expect(clock_excuses(&c, 0));
    clock_advance(&c, MONDAY + 70 * MINUTE + 2000);
    clock_excuse(&c, 0);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 130 * MINUTE + 2000);
    cr_expect_not(clock_excuses(&c, 0));
    cr_expect(clock_excuses(&c, 1));
    clock_advance(&c, MONDAY + 80 * MINUTE);
    turns(&c, MONDAY + 80 * MINUTE, 2, FIRST);
    cr_expect_eq(clock_bank(&c, 0), 0);
    cr_expect_eq(c.seat[0].missed, 0);
}

/* Each that is not excused makes the next turn shorter, the third in a row has
 * the seat gone; one in time gives an eighth back. */
Test(clock, missed)
{
    struct clock c = clock_of(0, 8 * 3600, 0, 8 * 3600);
    int64_t at = MONDAY;

    for (int turn = 0; turn < 3; turn++) {
        static const int64_t hours[] = {8, 4, 2};
        turns(&c, at, 1, turn % 2 ? SECOND : FIRST);
        cr_expect_eq(clock_due(&c, 0), at + hours[turn] * HOUR, "%d", turn);
        at = clock_due(&c, 0) + 2000;
        clock_advance(&c, at);
        cr_expect_eq(clock_bank(&c, 0), 0);
        struct clock in_time = c;
        turns(&in_time, at, 2, FIRST);
        cr_expect_eq(clock_bank(&in_time, 0), turn == 0 ? 0 : HOUR);
        clock_miss(&c, 0, false);
        cr_expect_eq(c.seat[0].gone, turn == 2);
        turns(&c, at, 2, FIRST);
        cr_expect_eq(clock_bank(&c, 0), 0);
    }
    turns(&c, at, 1, SECOND);
    cr_expect_eq(clock_due(&c, 0), 0, "it is played for");
    clock_return(&c, 0);
    turns(&c, at, 1, SECOND);
    cr_expect_eq(clock_due(&c, 0), at + HOUR);
}

/* Who takes a seat over has what everybody began with. */
Test(clock, substitutes)
{
    struct clock c = clock_of(3600, 600, 0, 600);

    clock_hours(&c, 0, &office);
    turns(&c, MONDAY, 1, FIRST);
    clock_advance(&c, MONDAY + DAY);
    clock_miss(&c, 0, true);
    turns(&c, MONDAY + DAY, 1, FIRST);
    cr_expect_eq(clock_due(&c, 0), 0);
    clock_substitute(&c, 0);
    turns(&c, MONDAY + DAY, 1, FIRST);
    cr_expect_eq(clock_due(&c, 0), MONDAY + DAY + 70 * MINUTE);
    cr_expect(clock_excuses(&c, 0));
}

/* A gift helps at once, above the cap, and in a turn that was shortened, too. */
Test(clock, gifts)
{
    struct clock c = clock_of(3600, 600, 60, 600);

    turns(&c, MONDAY, 1, FIRST);
    clock_give(&c, 0, HOUR);
    cr_expect_eq(clock_due(&c, 0), MONDAY + 130 * MINUTE);
    turns(&c, MONDAY, 2, FIRST);
    cr_expect_eq(clock_bank(&c, 0), 70 * MINUTE, "nothing is added to it");
    clock_miss(&c, 1, false);
    turns(&c, MONDAY, 2, SECOND);
    clock_give(&c, 1, HOUR);
    cr_expect_eq(clock_due(&c, 1), MONDAY + 35 * MINUTE + HOUR);
}

/* However long nobody moved, it is counted at once: ten thousand years. */
Test(clock, aeons)
{
    struct clock c = clock_of(90 * 86400, 0, 0, 0);

    clock_hours(&c, 0, &office);
    turns(&c, MONDAY, 1, FIRST);
    clock_advance(&c, MONDAY + 3652500 * DAY);
    cr_expect(clock_due(&c, 0) <= MONDAY + 3652500 * DAY);
    clock_give(&c, 0, 3652500 * DAY);
    cr_expect(clock_due(&c, 0) > MONDAY + 3652500 * DAY);
}

/* ---- against one that is wound up by hand --------------------------------------- */

static uint32_t random_state = 77;

static uint32_t below(uint32_t n)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % n;
}

static struct clock_hours some_hours(void)
{
    struct clock_hours h = {.offsets = {1, {{0, 0}}}};

    do {
        h.hours.opens = (int16_t)below(HOURS_MINUTES);
        h.hours.closes = (int16_t)below(HOURS_MINUTES);
        h.hours.days = (uint8_t)below(128);
    } while (!hours_valid(&h.hours));
    /* clocks that are put forward and back within the weeks that are played */
    h.offsets.count = (uint8_t)(1 + below(4));
    h.offsets.at[0] = (struct hours_offset){0, 3600 * ((int)below(25) - 12)};
    for (int i = 1; i < h.offsets.count; i++)
        h.offsets.at[i] = (struct hours_offset){
            MONDAY + i * 5 * DAY + below(48) * HOUR,
            h.offsets.at[0].seconds + (i % 2 ? 3600 : 0),
        };
    return h;
}

#define NEVER (MONDAY + 100000 * DAY)

/* What is blocked, minute by minute. */
struct calendar {
    int64_t outage[3][2], pause[2], absence[2];
};

static bool in(const int64_t span[2], int64_t at)
{
    return span[0] <= at && at < span[1];
}

static bool counts(const struct calendar *k, const struct clock_hours *h,
                   int64_t at)
{
    for (int i = 0; i < 3; i++)
        if (in(k->outage[i], at))
            return false;
    if (in(k->pause, at) || in(k->absence, at))
        return false;
    static struct hours_window w;
    if (h == NULL)
        return true;
    if (at < w.from_ms || at >= w.to_ms || at == MONDAY)
        w = hours_window(&h->hours, &h->offsets, at);
    return at >= w.from_ms;
}

static struct calendar some_calendar(void)
{
    struct calendar k = {0};
    int64_t at = MONDAY;

    for (int i = 0; i < 3; i++) {
        k.outage[i][0] = at += below(3 * 1440) * MINUTE;
        k.outage[i][1] = at += (2 + below(600)) * MINUTE;
    }
    k.pause[0] = MONDAY + below(8 * 1440) * MINUTE;
    k.pause[1] = k.pause[0] + (1 + below(4 * 1440)) * MINUTE;
    k.absence[0] = MONDAY + below(8 * 1440) * MINUTE;
    k.absence[1] = k.absence[0] + (1 + below(4 * 1440)) * MINUTE;
    return k;
}

/* Tells C the next thing that K says, of those that were not TOLD; false if
 * time is up before. */
static bool tell(struct clock *c, const struct calendar *k, bool told[5])
{
    const int64_t *span[] = {k->outage[0], k->outage[1], k->outage[2],
                             k->pause, k->absence};
    int next = -1;

    for (int i = 0; i < 5; i++)
        if (!told[i] && (next < 0 || span[i][0] < span[next][0]))
            next = i;
    if (next < 0 || clock_due(c, 0) <= span[next][0])
        return false;
    told[next] = true;
    if (next < 3) {
        clock_outage(c, span[next][0], span[next][1]);
        return true;
    }
    clock_advance(c, span[next][0]);
    if (next == 3)
        clock_pause(c, span[next][1]);
    else
        clock_absent(c, 0, span[next][0], span[next][1]);
    return true;
}

/* What a clock says is what comes of counting each minute that counts; but what
 * an absence gives back is more, and never less. */
Test(clock, by_hand)
{
    for (int run = 0; run < 300; run++) {
        struct clock_hours hours = some_hours();
        struct clock_hours *h = below(4) ? &hours : NULL;
        struct calendar k = some_calendar();
        bool away = below(2) == 0;
        if (!away)
            k.absence[0] = k.absence[1] = NEVER;
        int32_t period = (int32_t)(3600 + below(10 * 86400));
        struct clock c = clock_of(0, period, 0, period);

        if (h != NULL)
            clock_hours(&c, 0, h);
        turns(&c, MONDAY, 1, FIRST);
        bool told[5] = {false};
        while (tell(&c, &k, told))
            ;
        int64_t due = clock_due(&c, 0), week = HOURS_WEEK_MINUTES;
        int64_t need = period * INT64_C(1000) *
                       (h != NULL ? hours_week(&h->hours) : week);
        int64_t at = MONDAY;
        for (int64_t done = 0; done < need; at += MINUTE)
            done += counts(&k, h, at) ? MINUTE * week : 0;
        if (away && due > at)
            continue;
        cr_expect(due <= at && due > at - MINUTE,
                  "run %d: due %lld, by hand %lld", run,
                  (long long)(due - MONDAY), (long long)(at - MONDAY));
    }
}
