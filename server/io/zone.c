#include "zone.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define DAY         86400
#define BEFORE_MS   (3 * DAY * INT64_C(1000))
#define YEARS_MAX   9999 /* that there are calendars for */
#define HOURS_SHIFT 167  /* of a time in a footer, either way */

/* ---- the calendar ------------------------------------------------------ */

/* 1 January of YEAR in days since 1970. */
static int64_t year_begins(int64_t year)
{
    int64_t y = year - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 - 719162;
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The year, from 1 on, in which is the moment SECONDS. */
static int64_t year_of(int64_t seconds)
{
    int64_t year = 1970 + seconds / (366 * DAY);

    if (seconds < 0)
        return 1969; /* all that is asked of what lies behind */
    while (year < YEARS_MAX && year_begins(year + 1) * DAY <= seconds)
        year++;
    return year;
}

/* The day of the year, from 0 on, with which MONTH begins. */
static int month_begins(int64_t year, int month)
{
    static const int16_t days[] = {0,   31,  59,  90,  120, 151, 181,
                                   212, 243, 273, 304, 334, 365};
    return days[month - 1] + (month > 2 && is_leap(year));
}

/* The day that D is in YEAR, in days since 1970. */
static int64_t day_in(const struct zone_day *d, int64_t year)
{
    int64_t begins = year_begins(year);

    if (d->kind == '0')
        return begins + d->day;
    if (d->kind == 'J') /* 60 is 1 March in every year */
        return begins + d->day - 1 + (d->day >= 60 && is_leap(year));
    int64_t first = begins + month_begins(year, d->month);
    int64_t next = d->month < 12 ? begins + month_begins(year, d->month + 1)
                                 : year_begins(year + 1);
    int64_t weekday = ((first + 4) % 7 + 7) % 7; /* 1970: Thursday */
    int64_t day = first + (d->day - weekday + 7) % 7 + 7 * (d->week - 1);
    return day < next ? day : day - 7;
}

/* When D comes in YEAR, by clocks that are OFFSET ahead of UTC. */
static int64_t moment_in(const struct zone_day *d, int64_t year,
                         int32_t offset)
{
    return day_in(d, year) * DAY + d->seconds - offset;
}

/* ---- the footer --------------------------------------------------------- */

static bool read_char(const char **at, char c)
{
    if (**at != c)
        return false;
    (*at)++;
    return true;
}

static bool read_number(const char **at, int min, int max, int *ret)
{
    const char *from = *at;
    int n = 0;

    while (**at >= '0' && **at <= '9' && *at - from < 3)
        n = 10 * n + *(*at)++ - '0';
    *ret = n;
    return *at > from && n >= min && n <= max;
}

/* [+-]h[:mm[:ss]], the hours up to MAX. */
static bool read_time(const char **at, int max, int32_t *ret)
{
    bool minus = read_char(at, '-');
    int h, m = 0, s = 0;

    if (!minus)
        read_char(at, '+');
    if (!read_number(at, 0, max, &h) ||
        (read_char(at, ':') &&
         (!read_number(at, 0, 59, &m) ||
          (read_char(at, ':') && !read_number(at, 0, 59, &s)))))
        return false;
    *ret = (minus ? -1 : 1) * (h * 3600 + m * 60 + s);
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* What clocks call themselves then: three letters or more, or what is between
 * < and >. */
static bool read_name(const char **at)
{
    bool quoted = read_char(at, '<');
    const char *from = *at;

    while (is_letter(**at) || (quoted && ((**at >= '0' && **at <= '9') ||
                                          **at == '+' || **at == '-')))
        (*at)++;
    return *at - from >= 3 && (!quoted || read_char(at, '>'));
}

/* The other way round than everybody else: west is positive. */
static bool read_offset(const char **at, int32_t *ret)
{
    int32_t west;

    if (!read_time(at, 24, &west) || west <= -DAY || west >= DAY)
        return false;
    *ret = -west;
    return true;
}

static bool read_day(const char **at, struct zone_day *d)
{
    *d = (struct zone_day){.kind = '0', .seconds = 2 * 3600};
    bool good = false;

    if (read_char(at, 'M')) {
        d->kind = 'M';
        good = read_number(at, 1, 12, &d->month) && read_char(at, '.') &&
               read_number(at, 1, 5, &d->week) && read_char(at, '.') &&
               read_number(at, 0, 6, &d->day);
    } else if (read_char(at, 'J')) {
        d->kind = 'J';
        good = read_number(at, 1, 365, &d->day);
    } else {
        good = read_number(at, 0, 365, &d->day);
    }
    return good &&
           (!read_char(at, '/') || read_time(at, HOURS_SHIFT, &d->seconds));
}

bool zone_rule_read(struct zone_rule *rule, const char *text)
{
    const char *at = text;

    *rule = (struct zone_rule){0};
    if (!read_name(&at) || !read_offset(&at, &rule->standard))
        return false;
    if (*at == '\0')
        return true;
    rule->changes = true;
    rule->summer = rule->standard + 3600;
    if (!read_name(&at) || (*at != ',' && !read_offset(&at, &rule->summer)))
        return false;
    return rule->summer < DAY && read_char(&at, ',') &&
           read_day(&at, &rule->begins) && read_char(&at, ',') &&
           read_day(&at, &rule->ends) && *at == '\0';
}

/* ---- the file ------------------------------------------------------------ */

#define HEADER_BYTES 44
#define TYPE_BYTES   6

struct counts {
    uint32_t isut, isstd, leaps, times, types, chars;
};

static int64_t number_at(const uint8_t *bytes, size_t size)
{
    uint64_t n = bytes[0] & 0x80 ? UINT64_MAX : 0;

    for (size_t i = 0; i < size; i++)
        n = n << 8 | bytes[i];
    return (int64_t)n;
}

static bool read_header(const uint8_t *data, size_t len, struct counts *c)
{
    uint32_t n[6];

    if (len < HEADER_BYTES || memcmp(data, "TZif", 4) != 0 || data[4] < '2')
        return false;
    for (size_t i = 0; i < COUNT_OF(n); i++) {
        n[i] = (uint32_t)number_at(data + 20 + 4 * i, 4);
        if (n[i] > ZONE_BYTES_MAX)
            return false;
    }
    *c = (struct counts){n[0], n[1], n[2], n[3], n[4], n[5]};
    return true;
}

/* Of what follows a header; moments take WIDE bytes each. */
static size_t block_bytes(const struct counts *c, size_t wide)
{
    return c->times * (wide + 1) + c->types * TYPE_BYTES + c->chars +
           c->leaps * (wide + 4) + c->isstd + c->isut;
}

static bool read_changes(struct zone *z, const uint8_t *block,
                         const struct counts *c, int64_t from)
{
    const uint8_t *index = block + 8 * (size_t)c->times;
    const uint8_t *types = index + c->times;
    int64_t before = INT64_MIN;

    z->changes = calloc(c->times + 1, sizeof(*z->changes));
    ASSERT(z->changes != NULL);
    z->first = (int32_t)number_at(types, 4);
    for (uint32_t i = 0; i < c->types; i++) {
        int64_t offset = number_at(types + (size_t)TYPE_BYTES * i, 4);
        if (offset <= -DAY || offset >= DAY)
            return false;
    }
    for (uint32_t i = 0; i < c->times; i++) {
        int64_t since = number_at(block + 8 * (size_t)i, 8);
        if (index[i] >= c->types || (i > 0 && since <= before))
            return false;
        if (since <= from)
            z->count = 0; /* the ones before are over */
        z->changes[z->count++] = (struct zone_change){
            since,
            (int32_t)number_at(types + (size_t)TYPE_BYTES * index[i], 4),
        };
        before = since;
    }
    z->changes = realloc(z->changes, (z->count + 1) * sizeof(*z->changes));
    ASSERT(z->changes != NULL);
    return true;
}

/* TEXT, LEN bytes, is the footer with what is around it: a line. */
static bool read_footer(struct zone *z, const uint8_t *text, size_t len)
{
    char line[128];

    if (len < 2 || len > sizeof(line) || text[0] != '\n' ||
        text[len - 1] != '\n' || memchr(text, '\0', len) != NULL)
        return false;
    memcpy(line, text + 1, len - 2);
    line[len - 2] = '\0';
    z->has_rule = line[0] != '\0';
    return !z->has_rule || zone_rule_read(&z->rule, line);
}

bool zone_read(struct zone *z, const void *data, size_t len, int64_t from_ms)
{
    const uint8_t *at = data;
    struct counts c;

    *z = (struct zone){0};
    /* First what programs of the last century read, then the same anew. */
    if (len > ZONE_BYTES_MAX || !read_header(at, len, &c))
        return false;
    size_t skip = HEADER_BYTES + block_bytes(&c, 4);
    if (skip > len || !read_header(at + skip, len - skip, &c))
        return false;
    at += skip + HEADER_BYTES;
    len -= skip + HEADER_BYTES;
    size_t block = block_bytes(&c, 8);
    if (block <= len && c.leaps == 0 && c.types > 0 &&
        read_changes(z, at, &c, (from_ms - BEFORE_MS) / 1000) &&
        read_footer(z, at + block, len - block))
        return true;
    zone_done(z);
    return false;
}

void zone_done(struct zone *z)
{
    free(z->changes);
    *z = (struct zone){0};
}

/* ---- what holds when -------------------------------------------------------- */

/* Notes that OFFSET holds from SINCE (seconds) on; what is before FROM only if
 * nothing later is. */
static void note(struct hours_offsets *o, int64_t from, int64_t since,
                 int32_t offset)
{
    struct hours_offset *last = &o->at[o->count - 1];

    if (since <= from)
        *last = (struct hours_offset){since > 0 ? since * 1000 : 0, offset};
    else if (since * 1000 == last->since_ms)
        last->seconds = offset;
    else if (last->seconds != offset && o->count < HOURS_OFFSETS_MAX)
        o->at[o->count++] = (struct hours_offset){since * 1000, offset};
}

/* What the rule says from AFTER on. */
static void note_rule(const struct zone_rule *r, int64_t after, int64_t from,
                      int64_t to, struct hours_offsets *o)
{
    int64_t year = year_of(from) - 1, last = year_of(to) + 1;

    for (; year <= last; year++) {
        struct zone_change c[2] = {
            {moment_in(&r->begins, year, r->standard), r->summer},
            {moment_in(&r->ends, year, r->summer), r->standard},
        };
        int first = c[1].since < c[0].since; /* south of the equator */
        for (int i = 0; i < 2; i++) {
            const struct zone_change *is = &c[i ^ first];
            if (is->since > after && is->since <= to)
                note(o, from, is->since, is->offset);
        }
    }
}

void zone_offsets(const struct zone *z, int64_t from_ms,
                  struct hours_offsets *ret)
{
    int64_t from = (from_ms - BEFORE_MS) / 1000;
    int64_t to = (from_ms + HOURS_AHEAD_MS) / 1000;
    int64_t after = INT64_MIN;

    *ret = (struct hours_offsets){.count = 1, .at = {{0, z->first}}};
    for (size_t i = 0; i < z->count; i++) {
        after = z->changes[i].since;
        if (after <= to)
            note(ret, from, after, z->changes[i].offset);
    }
    if (z->has_rule && !z->rule.changes && z->count == 0)
        ret->at[0].seconds = z->rule.standard;
    if (z->has_rule && z->rule.changes)
        note_rule(&z->rule, after, from, to, ret);
}
