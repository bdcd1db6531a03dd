/* hours.c -- when people are there, as they say: their setting, kept by account
 * (core/hours.h); what obeys it asks hours_next(). */

#include "inner.h"
#include "outbox.h"

/* How far ahead the offsets that a table knows are compared with those of today;
 * they reach further, so that it is told anew before they end. */
#define COMPARED_MS (HOURS_AHEAD_MS / 2)

/* Asks for the hours of Q's account. */
static void ask_hours(struct hub *hub, struct request *q, answered_cb then)
{
    struct question ask = {
        .kind = ASK_PERSON,
        .limit = 1,
        .u.person = {.account = q->account, .part = PERSON_HOURS},
    };
    hub_ask(hub, q, &ask, then);
}

void hours_write(struct json_out *o, const struct hours_row *row)
{
    out_object(o, "hours");
    out_int(o, "opens", row->hours.opens);
    out_int(o, "closes", row->hours.closes);
    out_list(o, "days");
    for (int day = 0; day < 7; day++)
        if (row->hours.days >> day & 1)
            out_int(o, NULL, day + 1);
    out_end(o);
    out_string(o, "zone", row->zone);
    out_end(o);
}

bool hours_inside(struct hub *hub, const struct hours_row *row,
                  int64_t *ret_next)
{
    struct hours_offsets offsets;
    struct host *host = hub->host;

    *ret_next = hub->now_ms;
    /* Hours that cannot be told hold nothing back. */
    if (row != NULL && hours_valid(&row->hours) &&
        host->zone(host, row->zone, hub->now_ms, &offsets))
        *ret_next = hours_next(&row->hours, &offsets, hub->now_ms);
    return *ret_next <= hub->now_ms;
}

int32_t hours_offset_at(const struct hours_offsets *o, int64_t ms)
{
    int i = o->count - 1;

    while (i > 0 && o->at[i].since_ms > ms)
        i--;
    return o->at[i].seconds;
}

/* Whether B says the same as A wherever A changes, from NOW_MS on for a
 * while. */
static bool follows(const struct hours_offsets *a,
                    const struct hours_offsets *b, int64_t now_ms)
{
    if (hours_offset_at(a, now_ms) != hours_offset_at(b, now_ms))
        return false;
    for (int i = 1; i < a->count; i++)
        if (a->at[i].since_ms > now_ms &&
            a->at[i].since_ms <= now_ms + COMPARED_MS &&
            hours_offset_at(b, a->at[i].since_ms) != a->at[i].seconds)
            return false;
    return true;
}

bool hours_same_zone(const struct hours_offsets *a,
                     const struct hours_offsets *b, int64_t now_ms)
{
    return follows(a, b, now_ms) && follows(b, a, now_ms);
}

/* Answers Q with ROW, which may be NULL. */
static void tell_hours(struct hub *hub, struct request *q,
                       const struct hours_row *row)
{
    bool none = row == NULL || row->hours.days == 0;
    struct json_out *o = result_begin(hub, q);
    int64_t next;

    if (none)
        out_null(o, "hours");
    else
        hours_write(o, row);
    out_bool(o, "inside", hours_inside(hub, none ? NULL : row, &next));
    out_int(o, "next", next);
    out_int(o, "may_change",
            row != NULL ? row->changed + LIMIT_HOURS_MS : hub->now_ms);
    result_end(hub, q);
}

static const struct hours_row *found(const struct answer *answer)
{
    return answer->part_count > 0 ? &answer->parts[0].u.hours : NULL;
}

static void hours_read(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    tell_hours(hub, q, found(answer));
}

void handle_account_hours_get(struct hub *hub, struct request *q)
{
    ask_hours(hub, q, hours_read);
}

/* ---- others ------------------------------------------------------------- */

/* What Q asks for. */
static struct hours_row wanted_by(const struct request *q)
{
    const json_t *hours = param(q, "hours");
    struct hours_row row = {.zone = ""};

    if (json_is_null(hours))
        return row;
    row.hours.opens = (int16_t)json_integer_value(
        json_object_get(hours, "opens"));
    row.hours.closes = (int16_t)json_integer_value(
        json_object_get(hours, "closes"));
    row.zone = json_string_value(json_object_get(hours, "zone"));
    const json_t *days = json_object_get(hours, "days");
    for (size_t i = 0; i < json_array_size(days); i++)
        row.hours.days |=
            (uint8_t)(1u << (json_integer_value(json_array_get(days, i)) - 1));
    return row;
}

static bool same(const struct hours_row *a, const struct hours_row *b)
{
    return a->hours.opens == b->hours.opens &&
           a->hours.closes == b->hours.closes &&
           a->hours.days == b->hours.days && strcmp(a->zone, b->zone) == 0;
}

static void hours_stored(struct hub *hub, struct request *q)
{
    outbox_changed(hub, q->account);
    presence_tell(hub, q->account);
    tell_hours(hub, q, q->kept);
}

static void hours_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    const struct hours_row none = {.zone = ""}, *is = found(answer);
    struct hours_row *row = q->kept = region_take(&q->region, sizeof(*row));

    *row = wanted_by(q);
    if (same(row, is != NULL ? is : &none)) {
        tell_hours(hub, q, is);
        return;
    }
    if (is != NULL && hub->now_ms < is->changed + LIMIT_HOURS_MS) {
        refuse_for(hub, q, ERR_HOURS_TOO_SOON,
                   is->changed + LIMIT_HOURS_MS - hub->now_ms);
        return;
    }
    row->changed = hub->now_ms;
    q->conflict = ERR_CONTENDED; /* by themselves, on another device */
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_HOURS);
    op->account = q->account;
    op->u.hours.row = *row;
    op->u.hours.row.zone = change_text(c, row->zone);
    op->u.hours.was = is != NULL ? is->changed : 0;
    change_submit(c, hours_stored);
}

void handle_account_hours_set(struct hub *hub, struct request *q)
{
    struct hours_row row = wanted_by(q);
    struct hours_offsets offsets;
    bool none = json_is_null(param(q, "hours"));

    if (!none && !hours_valid(&row.hours))
        refuse_param(hub, q, "/hours", "4 hours or more, on 5 days or more");
    else if (!none &&
             !hub->host->zone(hub->host, row.zone, hub->now_ms, &offsets))
        refuse(hub, q, ERR_NO_SUCH_ZONE);
    else
        ask_hours(hub, q, hours_found);
}
