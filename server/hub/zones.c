/* zones.c -- time zones that are not what they were; see zones.h. */

#include "zones.h"

#include <inttypes.h>
#include <stdio.h>

#include "inner.h"

/* ---- as text -------------------------------------------------------------- */

void zone_write(struct sbuf *s, const struct hours_offsets *offsets)
{
    char one[40];

    for (int i = 0; i < offsets->count; i++) {
        snprintf(one, sizeof(one), "%s%" PRId64 ":%" PRId32, i > 0 ? "," : "",
                 offsets->at[i].since_ms, offsets->at[i].seconds);
        sbuf_puts(s, one);
    }
}

bool zone_read_text(const char *text, struct hours_offsets *ret)
{
    int used = 0;

    ret->count = 0;
    while (text != NULL && *text != '\0' && ret->count < HOURS_OFFSETS_MAX) {
        struct hours_offset *o = &ret->at[ret->count];
        if (sscanf(text, "%" SCNd64 ":%" SCNd32 "%n", &o->since_ms,
                   &o->seconds, &used) != 2)
            return false;
        ret->count++;
        text += used;
        text += *text == ',';
    }
    return ret->count > 0;
}

/* ---- comparing ------------------------------------------------------------ */

/* Whether tables have to be told what IS, of the zone that ROW is about. */
static bool differs(const struct hub *hub, const struct zone_row *row,
                    const struct hours_offsets *is)
{
    struct hours_offsets was;

    return !zone_read_text(row->offsets, &was) ||
           !hours_same_zone(&was, is, hub->now_ms);
}

static void told(struct hub *hub, struct request *q)
{
    hub->renames_ms = hub->now_ms;
    result_empty(hub, q);
}

/* A zone that the system has no more is left as it was.  Each of the others is looked
 * for among all hours, and moves wait meanwhile: so a few at a time. */
static void compare(struct hub *hub, struct request *q,
                    const struct answer *answer)
{
    struct change *c = change_begin(hub, q, NULL);
    char text[HOURS_OFFSETS_MAX * 40];
    size_t n = 0;

    for (size_t i = 0; i < answer->zone_count && n < LIMIT_ZONES_AT_ONCE;
         i++) {
        const struct zone_row *row = &answer->zones[i];
        struct hours_offsets is;
        if (!hub->host->zone(hub->host, row->name, hub->now_ms, &is) ||
            !differs(hub, row, &is))
            continue;
        struct sbuf s = sbuf_in(text, sizeof(text));
        zone_write(&s, &is);
        struct op *op = change_op(c, OP_ZONE);
        op->u.zone.name = change_text(c, row->name);
        op->u.zone.offsets = change_text(c, text);
        n++;
    }
    if (n == LIMIT_ZONES_AT_ONCE)
        hub->zones_ms = hub->now_ms; /* on with the next tick */
    if (n > 0)
        hub->host->log(hub->host, LOG_NOTICE,
                       LOG_FIELDS(log_event("zones_changed"),
                                  log_number("count", (int64_t)n)));
    change_submit(c, told);
}

void zones_tick(struct hub *hub)
{
    struct question ask = {.kind = ASK_ZONES, .limit = LIMIT_ZONES};

    if (hub->now_ms < hub->zones_ms || hub->closing)
        return;
    hub->zones_ms = hub->now_ms + LIMIT_ZONES_MS;
    hub_ask(hub, job_new(hub), &ask, compare);
}

void hub_zones(struct hub *hub)
{
    hub->zones_ms = 0;
}
