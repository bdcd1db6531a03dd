/* hours.c -- windows of local clocks as moments. */

#include "hours.h"

#include "base.h"

#define MINUTE_MS INT64_C(60000)
#define DAY_MS    (HOURS_MINUTES * MINUTE_MS)
#define WEEK_MS   (HOURS_WEEK_MINUTES * MINUTE_MS)
/* Clocks that change concern no window that is farther away. */
#define MARGIN_MS (2 * DAY_MS)
/* A window reaches into the next day. */
#define DAYS_BACK 1
/* Two days a week have none, and whenever clocks change they may leave out as
 * much as two: Samoa once left out one. */
#define DAYS_AHEAD (7 + 2 * HOURS_OFFSETS_MAX)

static int days_open(const struct hours *h)
{
    int days = 0;

    for (int day = 0; day < 7; day++)
        days += h->days >> day & 1;
    return days;
}

/* Of each of these days. */
static int minutes_open(const struct hours *h)
{
    int minutes = h->closes - h->opens;

    return minutes > 0 ? minutes : minutes + HOURS_MINUTES;
}

bool hours_valid(const struct hours *h)
{
    if (h->opens < 0 || h->opens >= HOURS_MINUTES || h->closes < 0 ||
        h->closes >= HOURS_MINUTES || h->days > HOURS_ALL_DAYS)
        return false;
    return days_open(h) >= HOURS_DAYS_MIN &&
           minutes_open(h) >= HOURS_MINUTES_MIN;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t days_of(int64_t ms)
{
    return ms >= 0 ? ms / DAY_MS : -((DAY_MS - 1 - ms) / DAY_MS);
}

/* 1970 began on a Thursday. */
static int weekday(int64_t day)
{
    return (int)(((day + 3) % 7 + 7) % 7);
}

static int64_t local(const struct hours_offsets *o, int64_t ms)
{
    int i = o->count - 1;

    while (i > 0 && o->at[i].since_ms > ms)
        i--;
    return ms + o->at[i].seconds * INT64_C(1000);
}

/* The first moment at which clocks show LOCAL_MS or later. */
static int64_t first_shown(const struct hours_offsets *o, int64_t local_ms)
{
    int last = o->count - 1;

    for (int i = 0; i <= last; i++) {
        int64_t ms = local_ms - o->at[i].seconds * INT64_C(1000);
        if (i < last && ms >= o->at[i + 1].since_ms)
            continue;
        return i > 0 && ms < o->at[i].since_ms ? o->at[i].since_ms : ms;
    }
    ASSERT(false);
    return local_ms;
}

struct hours_window hours_window(const struct hours *h,
                                 const struct hours_offsets *offsets,
                                 int64_t now_ms)
{
    struct hours_window window = {now_ms, now_ms};
    int64_t today = days_of(local(offsets, now_ms));

    ASSERT(hours_valid(h) && offsets->count > 0 &&
           offsets->count <= HOURS_OFFSETS_MAX);
    for (int64_t day = today - DAYS_BACK; day <= today + DAYS_AHEAD; day++) {
        int64_t opens = day * DAY_MS + h->opens * MINUTE_MS;
        int64_t closes = day * DAY_MS + h->closes * MINUTE_MS;
        if ((h->days >> weekday(day) & 1) == 0)
            continue;
        if (h->closes <= h->opens)
            closes += DAY_MS;
        window.from_ms = first_shown(offsets, opens);
        window.to_ms = first_shown(offsets, closes);
        /* One that is all left out is none. */
        if (window.to_ms > now_ms && window.from_ms < window.to_ms)
            return window;
    }
    ASSERT(false);
    return window;
}

int64_t hours_next(const struct hours *h, const struct hours_offsets *offsets,
                   int64_t now_ms)
{
    struct hours_window window = hours_window(h, offsets, now_ms);

    return window.from_ms > now_ms ? window.from_ms : now_ms;
}

/* The part of the next window that is not before FROM_MS. */
static struct hours_window rest(const struct hours *h,
                                const struct hours_offsets *offsets,
                                int64_t from_ms)
{
    struct hours_window window = hours_window(h, offsets, from_ms);

    if (window.from_ms < from_ms)
        window.from_ms = from_ms;
    return window;
}

/* How many whole weeks from FROM_MS on are alike, as no clocks change in them
 * nor a while before and after. */
static int64_t weeks_alike(const struct hours_offsets *o, int64_t from_ms)
{
    int64_t end = INT64_MAX;

    for (int i = 1; i < o->count; i++) {
        int64_t change = o->at[i].since_ms;
        if (from_ms >= change + MARGIN_MS)
            continue;
        end = change - MARGIN_MS;
        break;
    }
    return end > from_ms ? (end - from_ms) / WEEK_MS : 0;
}

int64_t hours_count(const struct hours *h, const struct hours_offsets *offsets,
                    int64_t from_ms, int64_t to_ms)
{
    int64_t inside = 0;

    while (from_ms < to_ms) {
        int64_t weeks = lesser(weeks_alike(offsets, from_ms),
                               (to_ms - from_ms) / WEEK_MS);
        inside += weeks * hours_week(h) * MINUTE_MS;
        from_ms += weeks * WEEK_MS;
        struct hours_window window = rest(h, offsets, from_ms);
        if (window.from_ms < to_ms)
            inside += lesser(window.to_ms, to_ms) - window.from_ms;
        from_ms = window.to_ms;
    }
    return inside;
}

int64_t hours_pass(const struct hours *h, const struct hours_offsets *offsets,
                   int64_t from_ms, int64_t ms)
{
    int64_t week_ms = hours_week(h) * MINUTE_MS;

    while (ms > 0) {
        /* The last moment of a week may be the first of a longer time outside. */
        int64_t weeks = lesser(weeks_alike(offsets, from_ms),
                               (ms - 1) / week_ms);
        ms -= weeks * week_ms;
        from_ms += weeks * WEEK_MS;
        struct hours_window window = rest(h, offsets, from_ms);
        int64_t length = window.to_ms - window.from_ms;
        if (length >= ms)
            return window.from_ms + ms;
        ms -= length;
        from_ms = window.to_ms;
    }
    return from_ms;
}

int hours_week(const struct hours *h)
{
    return days_open(h) * minutes_open(h);
}
