/* hours.h -- the hours in which somebody is there: a daily window of their
 * clocks, on some days of the week.
 *
 * Clocks change, so the hours of a person are not enough: what their zone is
 * behind or before UTC, and from when on, comes with them as struct
 * hours_offsets.  That is all that the rules for clocks know of a zone; who
 * has one makes such a list of it (server/io/zones.h).
 *
 * A window is one of moments: it begins when the clocks there show `opens` or
 * later for the first time and ends when they so show `closes`.  So a night in
 * which they are put back is longer, one in which they are put forward is
 * shorter, no moment is twice in a window, and one that `opens` at an hour that
 * is left out begins with the next. */

#ifndef CORE_HOURS_H
#define CORE_HOURS_H

#include <stdbool.h>
#include <stdint.h>

#define HOURS_MINUTES      1440 /* of a day */
#define HOURS_WEEK_MINUTES (7 * HOURS_MINUTES)
/* The narrowest hours there are: a window of 4 hours, on five days a week. */
#define HOURS_MINUTES_MIN 240
#define HOURS_DAYS_MIN    5
/* How far ahead offsets are told, and how many there may be: the zones that
 * change most do so four times a year. */
#define HOURS_AHEAD_MS    (400 * 24 * 3600 * INT64_C(1000))
#define HOURS_OFFSETS_MAX 12
#define HOURS_ALL_DAYS    0x7f

struct hours {
    int16_t opens, closes; /* minutes of the day, below HOURS_MINUTES; CLOSES
                            * at or before OPENS: on the next day */
    uint8_t days;          /* on which it opens: bit 0 is Monday */
};

struct hours_offset {
    int64_t since_ms; /* the first moment at which it holds */
    int32_t seconds;  /* local time less UTC, below a day */
};

/* The first holds at all times before it, too, and the last for ever. */
struct hours_offsets {
    uint8_t count;                             /* 1 to HOURS_OFFSETS_MAX */
    struct hours_offset at[HOURS_OFFSETS_MAX]; /* rising */
};

struct hours_window {
    int64_t from_ms, to_ms; /* TO is outside */
};

/* Whether these are hours that somebody may have. */
bool hours_valid(const struct hours *h);

/* The window in which NOW_MS (UTC) is, or the next one; H is valid. */
struct hours_window hours_window(const struct hours *h,
                                 const struct hours_offsets *offsets,
                                 int64_t now_ms);

/* When somebody may next be spoken to: NOW_MS itself if it is inside, else the
 * moment at which they begin. */
int64_t hours_next(const struct hours *h, const struct hours_offsets *offsets,
                   int64_t now_ms);

/* How much of the time from FROM_MS to TO_MS, which is not before it, is inside,
 * in milliseconds. */
int64_t hours_count(const struct hours *h, const struct hours_offsets *offsets,
                    int64_t from_ms, int64_t to_ms);

/* The first moment at which MS milliseconds from FROM_MS on were inside. */
int64_t hours_pass(const struct hours *h, const struct hours_offsets *offsets,
                   int64_t from_ms, int64_t ms);

/* Minutes of a week that are inside, where no clocks change; of
 * HOURS_WEEK_MINUTES. */
int hours_week(const struct hours *h);

#endif
