/* test_zones.c -- time zones as the system keeps them: read whole or not at
 * all, by their names alone, and right for ever. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../core/base.h"
#include "../../server/io/zones.h"

#define HOUR INT64_C(3600000)
#define DAY  (24 * HOUR)

/* 22 November 2026, 12:00 UTC. */
static const int64_t now = INT64_C(1795348800000);

static struct zones *system_zones(int64_t from_ms)
{
    int bad;
    struct zones *z = zones_new(ZONES_DIR, from_ms, &bad);

    cr_assert_eq(bad, 0, "%d", bad);
    return z;
}

static int32_t offset_at(const struct hours_offsets *o, int64_t ms)
{
    int i = o->count - 1;

    while (i > 0 && o->at[i].since_ms > ms)
        i--;
    return o->at[i].seconds;
}

/* As libc has it, which reads the same files another way. */
static int32_t offset_of_libc(int64_t ms)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;

    localtime_r(&seconds, &tm);
    return (int32_t)tm.tm_gmtoff;
}

/* Each zone there is has at each moment the offset that libc says, from today,
 * and in years that no file lists: hour by hour where it changes, and halfway
 * between. */
Test(zones, libc)
{
    static const int64_t years[] = {0, 1, 13, 60, 300};
    FILE *list = fopen(ZONES_DIR "/zone1970.tab", "r");
    char line[1024], name[65];
    int count = 0;

    cr_assert_not_null(list);
    for (size_t y = 0; y < COUNT_OF(years); y++) {
        int64_t from = now + years[y] * 366 * DAY;
        struct zones *z = system_zones(now);
        rewind(list);
        while (fgets(line, sizeof(line), list) != NULL) {
            struct hours_offsets o;
            if (line[0] == '#' ||
                sscanf(line, "%*[^\t]\t%*[^\t]\t%64[^\t\n]", name) != 1)
                continue;
            setenv("TZ", name, 1);
            tzset();
            cr_assert(zones_offsets(z, name, from, &o), "%s", name);
            for (int64_t ms = from; ms < from + HOURS_AHEAD_MS; ms += 4 * DAY)
                cr_assert_eq(offset_at(&o, ms), offset_of_libc(ms),
                             "%s at %lld", name, (long long)ms);
            for (int i = 1; i < o.count; i++) {
                int64_t at = o.at[i].since_ms;
                cr_assert_eq(offset_of_libc(at), o.at[i].seconds, "%s", name);
                cr_assert_eq(offset_of_libc(at - 1000), o.at[i - 1].seconds,
                             "%s", name);
            }
            count++;
        }
        zones_free(z);
    }
    fclose(list);
    cr_assert_gt(count, 1000);
}

/* What people's browsers say is known, too, where that is another name of the
 * same; and there is always UTC. */
Test(zones, names)
{
    static const char *const good[] = {
        "Europe/Paris",     "Europe/Amsterdam", "Asia/Calcutta", "Etc/UTC",
        "America/New_York", "Australia/LHI",    "UTC",           "Europe/Kiev",
    };
    static const char *const bad[] = {
        "",
        "/",
        "Europe",
        "Europe/",
        "/Europe/Paris",
        "Europe//Paris",
        "europe/paris",
        "Europe/Paris ",
        "../../etc/passwd",
        "/etc/localtime",
        "posix/Europe/Paris",
        "right/Europe/Paris",
        "localtime",
        "posixrules",
        "zone1970.tab",
        "Europe/../Europe/Paris",
        "Europe/Paris\n",
        "EST5EDT,M3.2.0,M11.1.0",
        "Europe/Paris/Europe/Paris/Europe/Paris/Europe/Paris/Europe/Paris/x",
    };
    struct zones *z = system_zones(now);
    struct hours_offsets o;
    int none;

    for (size_t i = 0; i < COUNT_OF(good); i++)
        cr_expect(zones_offsets(z, good[i], now, &o), "%s", good[i]);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_expect(!zones_offsets(z, bad[i], now, &o), "%s", bad[i]);
    zones_free(z);

    z = zones_new("/nowhere", now, &none);
    cr_expect_eq(none, -1);
    cr_expect_eq(zones_count(z), 1);
    cr_expect(zones_offsets(z, "Etc/UTC", now, &o));
    cr_expect(o.count == 1 && o.at[0].seconds == 0);
    zones_free(z);
}

static void put(const char *dir, const char *name, const void *bytes,
                size_t len)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fwrite(bytes, 1, len, file);
    fclose(file);
}

/* A list that names what is none, or outside, has these left out and counted;
 * the rest of it is read, links to links included. */
Test(zones, hostile_list)
{
    static const char list[] = "# a comment\tx\ty\n"
                               "XX\t+0+0\tFine\n"
                               "XX\t+0+0\tMissing\n"
                               "XX\t+0+0\tText\n"
                               "XX\t+0+0\t../outside\n"
                               "XX\t+0+0\t/etc/localtime\n"
                               "XX\t+0+0\tfolder\n"
                               "XX\t+0+0\tfifo\n"
                               "half a line\n";
    static const char links[] = "L Again Again2\nL Fine Again\n"
                                "L Missing Other\nL Fine ../outside\n";
    char dir[] = "/tmp/zones-XXXXXX", file[4096], path[64];
    struct hours_offsets o;
    int bad;

    cr_assert_not_null(mkdtemp(dir));
    FILE *paris = fopen(ZONES_DIR "/Europe/Paris", "r");
    size_t len = fread(file, 1, sizeof(file), paris);
    fclose(paris);
    put(dir, "Fine", file, len);
    put(dir, "Text", "TZif?", 5);
    put(dir, "zone1970.tab", list, strlen(list));
    put(dir, "tzdata.zi", links, strlen(links));
    snprintf(path, sizeof(path), "%s/folder", dir);
    cr_assert_eq(mkdir(path, 0700), 0);
    snprintf(path, sizeof(path), "%s/fifo", dir);
    cr_assert_eq(mkfifo(path, 0600), 0);

    struct zones *z = zones_new(dir, now, &bad);
    cr_expect_eq(bad, 6, "%d", bad);
    cr_expect_eq(zones_count(z), 4);
    cr_expect(zones_offsets(z, "Again2", now, &o));
    cr_expect_eq(offset_at(&o, now), 3600);
    cr_expect(!zones_offsets(z, "Other", now, &o));
    zones_free(z);
}

/* ---- files made here ---------------------------------------------------- */

struct bytes {
    uint8_t at[1024];
    size_t len;
};

static void number(struct bytes *b, int64_t n, size_t size)
{
    while (size-- > 0)
        b->at[b->len++] = (uint8_t)(n >> (8 * size));
}

static void header(struct bytes *b, int times, int types)
{
    memcpy(b->at + b->len, "TZif2", 5);
    b->len += 20;
    number(b, 0, 4);
    number(b, 0, 4);
    number(b, 0, 4);
    number(b, times, 4);
    number(b, types, 4);
    number(b, 4, 4);
}

/* A file with TIMES changes, one a year from 2026 on, between 1 h and 2 h ahead
 * of UTC. */
static struct bytes a_file(int times, const char *footer)
{
    struct bytes b = {{0}, 0};

    header(&b, 0, 1);
    b.len += 6 + 4;
    header(&b, times, 2);
    for (int i = 0; i < times; i++)
        number(&b, (now + i * 365 * DAY) / 1000, 8);
    for (int i = 0; i < times; i++)
        number(&b, 1 - i % 2, 1);
    for (int type = 0; type < 2; type++) {
        number(&b, 3600 * (type + 1), 4);
        number(&b, 0, 2);
    }
    b.len += 4;
    b.len += (size_t)snprintf((char *)b.at + b.len, 100, "\n%s\n", footer);
    return b;
}

static bool reads(const struct bytes *b)
{
    struct zone z;
    /* Of its own length, so that a byte too far is seen. */
    uint8_t *copy = malloc(b->len + !b->len);
    memcpy(copy, b->at, b->len);
    bool good = zone_read(&z, copy, b->len, now);
    free(copy);
    if (good)
        zone_done(&z);
    return good;
}

/* A file that is cut anywhere, or has one number that cannot be, is none. */
Test(zones, broken)
{
    struct bytes whole = a_file(3, "CET-1CEST,M3.5.0,M10.5.0/3"), b;
    size_t second = 44 + 10, block = second + 44;

    cr_assert(reads(&whole));
    for (b = whole; b.len > 0;) {
        b.len--;
        cr_expect(!reads(&b), "cut at %zu", b.len);
    }
    static const struct {
        int at;
        uint8_t byte;
    } wrong[] = {
        {0, 'x'},          {4, 0},
        {4, '1'},          {24, 0xff},
        {39, 9},           {44 + 10, 'x'},
        {44 + 10 + 31, 1}, {44 + 10 + 35, 4},
        {44 + 10 + 39, 0}, {44 + 10 + 39, 200},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        b = whole;
        b.at[wrong[i].at] = wrong[i].byte;
        cr_expect(!reads(&b), "%zu", i);
    }
    b = whole; /* the second change is not behind the first */
    memcpy(b.at + block + 8, b.at + block, 8);
    cr_expect(!reads(&b));
    b = whole; /* of a type that there is not */
    b.at[block + 24] = 2;
    cr_expect(!reads(&b));
    b = whole; /* a day ahead of UTC */
    memcpy(b.at + block + 27, "\0\1\x51\x80", 4);
    cr_expect(!reads(&b));
    b = whole;
    b.at[b.len - 2] = '\n';
    cr_expect(!reads(&b));
}

/* Footers by POSIX and by RFC 9636; and what is none. */
Test(zones, footers)
{
    static const char *const good[] = {
        "JST-9",
        "<+0530>-5:30",
        "EST5EDT,M3.2.0,M11.1.0",
        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
        "IST-1GMT0,M10.5.0,M3.5.0/1",
        "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
        "EST5EDT,0/0,J365/25",
        "IST-2IDT,M3.4.4/26,M10.5.0",
        "AAA+1:02:03BBB,J60/-167:59:59,365/167",
    };
    static const char *const bad[] = {
        "J",
        "JST",
        "JST-25",
        "JST-9:60",
        "JST-9 ",
        "<+0530-5:30",
        "<>5",
        "EST5EDT",
        "EST5EDT,M3.2.0",
        "EST5EDT,M3.2.0,",
        "EST5EDT,M3.2.0,M11.1.0,",
        "EST5EDT,M13.2.0,M11.1.0",
        "EST5EDT,M0.2.0,M11.1.0",
        "EST5EDT,M3.6.0,M11.1.0",
        "EST5EDT,M3.0.0,M11.1.0",
        "EST5EDT,M3.2.7,M11.1.0",
        "EST5EDT,J0,M11.1.0",
        "EST5EDT,J366,M11.1.0",
        "EST5EDT,366,M11.1.0",
        "EST5EDT,M3.2.0/168,M11.1.0",
        "EST5EDT,M3.2.0/,M11.1.0",
        "EST-24EDT,M3.2.0,M11.1.0",
        "AAA-23:30BBB,M3.2.0,M11.1.0",
        "EST5555",
    };
    struct zone_rule rule;

    for (size_t i = 0; i < COUNT_OF(good); i++)
        cr_expect(zone_rule_read(&rule, good[i]), "%s", good[i]);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_expect(!zone_rule_read(&rule, bad[i]), "%s", bad[i]);
}

/* What FOOTER says from FROM on, of a zone that lists no change behind it. */
static struct hours_offsets by_footer(const char *footer, int64_t from)
{
    struct bytes b = a_file(0, footer);
    struct hours_offsets o;
    struct zone z;

    cr_assert(zone_read(&z, b.at, b.len, from), "%s", footer);
    zone_offsets(&z, from, &o);
    zone_done(&z);
    return o;
}

/* Summer begins and ends where the rule says: in the north, south of the
 * equator, on Lord Howe by half an hour, in Ireland backwards, at a time of the
 * day before; and with a rule for all the year, or none, nothing changes. */
Test(zones, summers)
{
    struct hours_offsets o = by_footer("CET-1CEST,M3.5.0,M10.5.0/3", now);
    cr_assert_eq(o.count, 3);
    cr_expect_eq(o.at[0].since_ms, INT64_C(1792890000000)); /* 25 Oct. 2026 */
    cr_expect_eq(o.at[0].seconds, 3600);
    cr_expect_eq(o.at[1].since_ms, INT64_C(1806195600000)); /* 28 March */
    cr_expect_eq(o.at[1].seconds, 7200);
    cr_expect_eq(o.at[2].since_ms, INT64_C(1824944400000)); /* 31 October */
    cr_expect_eq(o.at[2].seconds, 3600);

    o = by_footer("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", now);
    cr_assert_eq(o.count, 3);
    cr_expect_eq(o.at[0].seconds, 39600);
    cr_expect_eq(o.at[1].since_ms, INT64_C(1806764400000)); /* 4 April */
    cr_expect_eq(o.at[1].seconds, 37800);
    cr_expect_eq(o.at[2].since_ms, INT64_C(1822491000000)); /* 3 October */

    o = by_footer("IST-1GMT0,M10.5.0,M3.5.0/1", now);
    cr_assert_eq(o.count, 3);
    cr_expect_eq(o.at[0].seconds, 0);
    cr_expect_eq(o.at[1].since_ms, INT64_C(1806195600000));
    cr_expect_eq(o.at[1].seconds, 3600);

    o = by_footer("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", now);
    cr_assert_eq(o.count, 3);
    cr_expect_eq(o.at[1].since_ms, INT64_C(1806195600000));
    cr_expect_eq(o.at[1].seconds, -3600);

    o = by_footer("EST5EDT,0/0,J365/25", now);
    for (int i = 0; i < o.count; i++)
        cr_expect_eq(o.at[i].seconds, -14400);
    o = by_footer("<+0545>-5:45", now);
    cr_expect(o.count == 1 && o.at[0].seconds == 20700);
    o = by_footer("", now);
    cr_expect(o.count == 1 && o.at[0].seconds == 3600);
}

/* Listed changes come before the rule's, and the last of them holds for ever if
 * there is none. */
Test(zones, listed_first)
{
    struct bytes b = a_file(3, "");
    struct hours_offsets o;
    struct zone z;

    cr_assert(zone_read(&z, b.at, b.len, now - 10 * DAY));
    zone_offsets(&z, now - 10 * DAY, &o);
    cr_assert_eq(o.count, 3);
    cr_expect_eq(o.at[0].seconds, 3600);
    cr_expect_eq(o.at[1].since_ms, now);
    cr_expect_eq(o.at[1].seconds, 7200);
    cr_expect_eq(o.at[2].since_ms, now + 365 * DAY);
    zone_offsets(&z, now + 10000 * DAY, &o);
    cr_expect_eq(o.count, 1);
    cr_expect_eq(o.at[0].since_ms, now + 2 * 365 * DAY);
    cr_expect_eq(o.at[0].seconds, 7200);
    zone_done(&z);

    b = a_file(1, "CET-1CEST,M3.5.0,M10.5.0/3");
    cr_assert(zone_read(&z, b.at, b.len, now - 90 * DAY));
    zone_offsets(&z, now - 90 * DAY, &o);
    cr_assert_eq(o.count, 2);
    cr_expect_eq(o.at[0].seconds, 3600, "not what the rule says in August");
    cr_expect_eq(o.at[1].since_ms, now);
    zone_done(&z);
}
