/* zone.h -- a time zone, read from what the system keeps of it: TZif, RFC 9636
 * (and RFC 8536 before it), with the rule in its footer for all the years that
 * the file does not list.
 *
 * Neither libc's reader nor anybody else's will do: libc has one zone for the
 * whole process, GLib opens any path it is given, ICU has data of its own. */

#ifndef SERVER_IO_ZONE_H
#define SERVER_IO_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hours.h"

#define ZONE_BYTES_MAX 65536 /* of a file; the longest has 4 kB */

/* A day of each year, as POSIX's TZ has it, and a time on it. */
struct zone_day {
    char kind; /* 'M': DAY (0 is Sunday) of WEEK (5: the last) of MONTH; 'J':
                * DAY from 1 on without 29 February; '0': DAY from 0 on */
    int month, week, day;
    int32_t seconds; /* local time; less than 0 or over a day at times */
};

/* What holds behind the last change that is listed. */
struct zone_rule {
    int32_t standard, summer; /* offsets in seconds */
    bool changes;             /* there is a summer: */
    struct zone_day begins;   /* by standard time */
    struct zone_day ends;     /* by summer time */
};

struct zone_change {
    int64_t since; /* seconds since 1970 */
    int32_t offset;
};

struct zone {
    int32_t first; /* the offset before any change */
    struct zone_change *changes;
    size_t count;
    bool has_rule;
    struct zone_rule rule;
};

/* Reads the LEN bytes of a file.  Changes before FROM_MS need not be kept but
 * for the last.  False, and nothing to free, if that is no whole TZif of version
 * 2 or later, if it counts leap seconds, or says what cannot be. */
bool zone_read(struct zone *z, const void *data, size_t len, int64_t from_ms);
/* Reads a footer; false if TEXT is none. */
bool zone_rule_read(struct zone_rule *rule, const char *text);
void zone_done(struct zone *z);

/* What holds from some days before FROM_MS, so that a window that is open then
 * can be told, to HOURS_AHEAD_MS after. */
void zone_offsets(const struct zone *z, int64_t from_ms,
                  struct hours_offsets *ret);

#endif
