#include "rotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base.h"

#define DAY 86400

/* ---- names ------------------------------------------------------------ */

#define FORMAT "sobremesa-%Y%m%dT%H%M%SZ.db"

void rotate_name(int64_t time, char name[ROTATE_NAME_SIZE])
{
    time_t seconds = (time_t)time;
    struct tm utc;

    gmtime_r(&seconds, &utc);
    ASSERT(strftime(name, ROTATE_NAME_SIZE, FORMAT, &utc) > 0);
}

bool rotate_name_read(const char *name, int64_t *ret_time)
{
    char again[ROTATE_NAME_SIZE];
    struct tm utc = {0};

    if (strptime(name, FORMAT, &utc) == NULL)
        return false;
    int64_t time = (int64_t)timegm(&utc);
    rotate_name(time, again); /* so nothing else is taken for one of these */
    if (strcmp(name, again) != 0)
        return false;
    *ret_time = time;
    return true;
}

/* ---- which stay ------------------------------------------------------- */

static int64_t day_of(int64_t time)
{
    return time / DAY;
}

/* They begin on Mondays; 1970 began on a Thursday. */
static int64_t week_of(int64_t time)
{
    return (day_of(time) + 3) / 7;
}

static int64_t month_of(int64_t time)
{
    time_t seconds = (time_t)time;
    struct tm utc;

    gmtime_r(&seconds, &utc);
    return (int64_t)utc.tm_year * 12 + utc.tm_mon;
}

static int newest_first(const void *a, const void *b)
{
    const int64_t *const *x = a, *const *y = b;

    return (**x < **y) - (**x > **y);
}

/* Keeps the newest of each of the last COUNT periods. */
static void keep_newest(const int64_t *const *order, size_t count,
                        const int64_t *times, bool *keep,
                        int64_t (*period_of)(int64_t), int periods)
{
    int64_t last = INT64_MAX;

    for (size_t i = 0; i < count && periods > 0; i++) {
        int64_t period = period_of(*order[i]);
        if (period == last)
            continue;
        keep[order[i] - times] = true;
        last = period;
        periods--;
    }
}

void rotate_keep(const int64_t *times, size_t count, bool *keep)
{
    const int64_t **order = calloc(count + 1, sizeof(*order));

    ASSERT(order != NULL);
    for (size_t i = 0; i < count; i++) {
        order[i] = &times[i];
        keep[i] = false;
    }
    qsort(order, count, sizeof(*order), newest_first);
    keep_newest(order, count, times, keep, day_of, ROTATE_DAYS);
    keep_newest(order, count, times, keep, week_of, ROTATE_WEEKS);
    keep_newest(order, count, times, keep, month_of, ROTATE_MONTHS);
    free(order);
}
