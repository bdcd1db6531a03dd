/* tzdata.c -- the time zones of the system, as the daemon has them: all in
 * memory, so that the hub can ask in the middle of something.  When the operator
 * has the configuration read again, and once a week, they are read anew on a
 * thread: the system's are updated now and then. */

#include <stdlib.h>

#include "core/base.h"
#include "daemon.h"
#include "log.h"

#define WEEK_MS (7 * 24 * 3600 * INT64_C(1000))

struct reading {
    uv_work_t work; /* first */
    struct daemon *daemon;
    struct zones *zones;
    int64_t now_ms;
    int bad;
};

static const char *place(void)
{
    const char *dir = getenv("TZDIR"); /* as libc has it */

    return dir != NULL && dir[0] != '\0' ? dir : ZONES_DIR;
}

static void take(struct daemon *d, struct zones *zones, int bad)
{
    zones_free(d->zones);
    d->zones = zones;
    d->zones_ms = daemon_clock(d) + WEEK_MS;
    if (d->hub != NULL)
        hub_zones(d->hub);
    if (bad < 0)
        log_line(LOG_WARNING, log_event("no_zones"), log_text("dir", place()),
                 log_text("text", "the system has no list of time zones; "
                                  "install tzdata"));
    else if (bad > 0)
        log_line(LOG_WARNING, log_event("bad_zones"), log_text("dir", place()),
                 log_number("count", bad));
}

static void read_zones(uv_work_t *work)
{
    struct reading *r = (struct reading *)work;
    r->zones = zones_new(place(), r->now_ms, &r->bad);
}

static void zones_read(uv_work_t *work, int status)
{
    struct reading *r = (struct reading *)work;

    if (status == 0)
        take(r->daemon, r->zones, r->bad);
    free(r);
}

void tzdata_begin(struct daemon *d)
{
    int bad;
    struct zones *zones = zones_new(place(), daemon_now(), &bad);

    take(d, zones, bad);
}

void tzdata_again(struct daemon *d)
{
    struct reading *r = calloc(1, sizeof(*r));

    ASSERT(r != NULL);
    r->daemon = d;
    r->now_ms = daemon_now();
    d->zones_ms = INT64_MAX;
    uv_queue_work(&d->loop, &r->work, read_zones, zones_read);
}

void tzdata_tick(struct daemon *d)
{
    if (!d->ending && daemon_clock(d) >= d->zones_ms)
        tzdata_again(d);
}
