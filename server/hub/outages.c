/* outages.c -- when the server was not there for people; see outages.h. */

#include <stdlib.h>

#include "inner.h"

#define SHARE 10 /* of an outage, which it lasts longer */

/* ---- the list ------------------------------------------------------------- */

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Those that are over for so long that no table can know less go, and as many
 * as there is no room for. */
static void forget(struct outages *s, int64_t before_ms)
{
    uint32_t n = 0;

    while (n < s->count &&
           (s->count - n >= LIMIT_OUTAGES || s->at[n].to_ms <= before_ms))
        n++;
    if (n == 0)
        return;
    s->count -= n;
    memmove(s->at, s->at + n, s->count * sizeof(*s->at));
}

/* From FROM_MS to TO_MS there was one; it has to begin behind the last one, for
 * logs to tell it. */
static void add(struct outages *s, int64_t from_ms, int64_t to_ms)
{
    if (s->count > 0)
        from_ms = later(from_ms, s->at[s->count - 1].from_ms + 1);
    if (to_ms <= from_ms)
        return;
    forget(s, to_ms - LIMIT_OUTAGE_KEPT_MS);
    if (s->count == s->cap) {
        s->cap = s->cap > 0 ? 2 * s->cap : 16;
        s->at = realloc(s->at, s->cap * sizeof(*s->at));
        ASSERT(s->at != NULL);
    }
    s->at[s->count++] = (struct span){from_ms, to_ms};
    s->unstored++;
}

/* Has the list tell what goes on up to now, if it has it up to a moment before
 * BEFORE_MS. */
static void cut(struct outages *s, struct trouble *t, int64_t before_ms,
                int64_t now_ms)
{
    if (t->since_ms == 0 || t->told_ms >= before_ms || now_ms <= t->told_ms)
        return;
    add(s, t->told_ms, now_ms);
    t->told_ms = now_ms;
}

/* The same of all, in their order. */
static void cut_all(struct hub *hub, int64_t before_ms)
{
    struct outages *s = &hub->outages;
    bool first = s->refused.told_ms < s->rest.told_ms;

    cut(s, first ? &s->refused : &s->rest, before_ms, hub->now_ms);
    cut(s, first ? &s->rest : &s->refused, before_ms, hub->now_ms);
}

static int64_t with_grace(int64_t from_ms, int64_t to_ms)
{
    int64_t grace = (to_ms - from_ms) / SHARE;

    if (grace < LIMIT_GRACE_MIN_MS)
        grace = LIMIT_GRACE_MIN_MS;
    return to_ms + (grace < LIMIT_GRACE_MAX_MS ? grace : LIMIT_GRACE_MAX_MS);
}

/* One that began at FROM_MS is over now; the list has it up to TOLD_MS. */
static void over(struct hub *hub, int64_t from_ms, int64_t told_ms,
                 const char *why)
{
    struct host *host = hub->host;
    int64_t to_ms = with_grace(from_ms, hub->now_ms);

    cut_all(hub, told_ms); /* logs tell them by when they began */
    add(&hub->outages, told_ms, to_ms);
    host->log(host, LOG_NOTICE,
              LOG_FIELDS(log_event("outage"), log_text("why", why),
                         log_number("from", from_ms),
                         log_number("to", to_ms)));
    struct json_out *o = notice_begin(hub, "outage");
    out_int(o, "from", from_ms);
    out_int(o, "to", to_ms);
    notice_end(hub, NULL);
}

static void trouble_begins(struct trouble *t, int64_t at_ms)
{
    if (t->since_ms == 0)
        *t = (struct trouble){at_ms, at_ms};
}

static void trouble_ends(struct hub *hub, struct trouble *t, const char *why)
{
    struct trouble was = *t;

    if (was.since_ms == 0)
        return;
    *t = (struct trouble){0};
    over(hub, was.since_ms, was.told_ms, why);
}

/* ---- signs of life ---------------------------------------------------------- */

struct signing {
    struct outages *outages;
    int64_t at_ms, began_ms;
    size_t count; /* of outages that go with it */
};

static void sign_over(struct request *q)
{
    const struct signing *k = q->kept;
    k->outages->signing_ms = 0;
}

static void sign(struct hub *hub);

/* What is in the list goes into the store before any log tells it. */
static void sign_soon(struct hub *hub)
{
    if (hub->outages.unstored > 0 && hub->outages.signing_ms == 0)
        sign(hub);
}

static void sign_stored(struct hub *hub, struct request *q)
{
    struct outages *s = &hub->outages;
    const struct signing *k = q->kept;

    s->sign_ms = k->at_ms;
    s->unstored -= k->count < s->unstored ? k->count : s->unstored;
    int64_t began = later(k->began_ms, s->still_ms);
    if (hub->now_ms - began >= LIMIT_STILL_MS)
        over(hub, began, began, "store_slow");
    result_empty(hub, q);
    sign_soon(hub);
}

/* Has OP take what of the list is not stored, and what of maintenance there was
 * until now: its row is written over as long as that goes on. */
static void put_outages(struct hub *hub, struct op *op, struct span *rows)
{
    const struct outages *s = &hub->outages;
    size_t n = s->unstored;

    if (n > 0)
        memcpy(rows, s->at + s->count - n, n * sizeof(*rows));
    if (s->rest.since_ms != 0 && s->rest.told_ms < hub->now_ms)
        rows[n++] = (struct span){s->rest.told_ms, hub->now_ms};
    op->u.sign.outages = rows;
    op->u.sign.count = n;
}

/* That of a clock that is behind says nothing new. */
static void sign(struct hub *hub)
{
    struct outages *s = &hub->outages;
    struct request *q = job_new(hub);
    struct signing *k = q->kept = region_take(&q->region, sizeof(*k));

    if (s->unstored > s->count)
        s->unstored = s->count;
    *k = (struct signing){s, later(hub->now_ms, s->sign_ms), hub->now_ms,
                          s->unstored};
    q->done = sign_over;
    s->signing_ms = hub->now_ms;
    s->next_ms = hub->now_ms + LIMIT_SIGN_MS;
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_SIGN);
    op->u.sign.at = k->at_ms;
    put_outages(hub, op,
                region_take(&c->transaction.region,
                            (s->unstored + 1) * sizeof(struct span)));
    change_submit(c, sign_stored);
}

/* A store that refuses is tried all the time, to know when it is over. */
static bool sign_is_due(const struct hub *hub)
{
    const struct outages *s = &hub->outages;

    if (s->signing_ms != 0)
        return false;
    return s->refused.since_ms != 0 || s->unstored > 0 ||
           hub->now_ms >= s->next_ms ||
           hub->now_ms < s->next_ms - LIMIT_SIGN_MS;
}

/* ---- what keeps moves away -------------------------------------------------- */

void outages_heard(struct hub *hub, enum transaction_result result)
{
    struct outages *s = &hub->outages;

    if (!s->known)
        return; /* it is behind the last sign, and will be found */
    if (result == TRANSACTION_FAILED) {
        trouble_begins(&s->refused,
                       s->signing_ms != 0 ? s->signing_ms : hub->now_ms);
    } else if (result == TRANSACTION_STORED && s->refused.since_ms != 0) {
        trouble_ends(hub, &s->refused, "store_refused");
        sign_soon(hub);
    }
}

void hub_stood_still(struct hub *hub, int64_t from_ms, int64_t now_ms)
{
    struct outages *s = &hub->outages;
    int64_t from = later(from_ms, s->sign_ms);

    hub->now_ms = now_ms;
    s->still_ms = now_ms;
    thinking_stood_still(hub, now_ms - from_ms);
    if (s->known && from < now_ms)
        over(hub, from, from, "stood_still");
    sign_soon(hub);
}

static void watch_maintenance(struct hub *hub)
{
    struct outages *s = &hub->outages;

    if (notices_read_only(hub)[0] != '\0')
        trouble_begins(&s->rest, hub->now_ms);
    else
        trouble_ends(hub, &s->rest, "maintenance");
}

/* The clock was wrong before: what it said of times that are still to come is
 * forgotten. */
static void believe(struct hub *hub)
{
    struct outages *s = &hub->outages;

    s->sign_ms = hub->now_ms;
    s->behind_ms = 0;
    while (s->count > 0 && s->at[s->count - 1].from_ms > hub->now_ms)
        s->count--;
    for (size_t i = 0; i < s->count; i++)
        if (s->at[i].to_ms > hub->now_ms)
            s->at[i].to_ms = hub->now_ms;
    s->unstored = s->count;
}

static void watch_clock(struct hub *hub)
{
    struct outages *s = &hub->outages;
    struct host *host = hub->host;
    int64_t behind = s->sign_ms - hub->now_ms;

    if (behind <= 0) {
        s->behind_ms = 0;
    } else if (s->behind_ms == 0 || hub->now_ms < s->behind_ms) {
        s->behind_ms = hub->now_ms;
        if (behind >= LIMIT_LEAP_MS)
            host->log(host, LOG_WARNING,
                      LOG_FIELDS(log_event("clock_behind"),
                                 log_number("ms", behind)));
    } else if (hub->now_ms - s->behind_ms >= LIMIT_BEHIND_MS &&
               s->signing_ms == 0) {
        believe(hub);
    }
}

/* ---- beginning, days, end ---------------------------------------------------- */

static void asked(struct request *q)
{
    struct outages *s = q->kept;

    s->asking = false;
    s->answered = true;
}

static void found(struct hub *hub, struct request *q,
                  const struct answer *answer)
{
    struct outages *s = &hub->outages;

    s->known = true;
    s->count = 0;
    for (size_t i = 0; i < answer->outage_count; i++)
        add(s, answer->outages[i].from_ms, answer->outages[i].to_ms);
    s->unstored = 0;
    s->sign_ms = answer->sign;
    if (s->sign_ms != 0 && s->sign_ms < hub->now_ms)
        over(hub, s->sign_ms, s->sign_ms, "start");
    result_empty(hub, q);
    sign(hub);
    load_work(hub);
}

void outages_begin(struct hub *hub)
{
    struct outages *s = &hub->outages;
    struct question ask = {.kind = ASK_OUTAGES, .limit = LIMIT_OUTAGES};
    struct request *q = job_new(hub);

    s->asking = true;
    q->kept = s;
    q->done = asked;
    hub_ask(hub, q, &ask, found);
}

void outages_done(struct hub *hub)
{
    free(hub->outages.at);
}

void outages_tick(struct hub *hub)
{
    struct outages *s = &hub->outages;

    if (hub->closing)
        return;
    if (!s->known) {
        if (!s->asking)
            outages_begin(hub);
        return;
    }
    watch_clock(hub);
    watch_maintenance(hub);
    if (sign_is_due(hub))
        sign(hub);
}

void outages_end(struct hub *hub)
{
    if (hub->outages.known)
        sign(hub);
}

/* ---- who asks --------------------------------------------------------------- */

bool outages_waits(const struct hub *hub)
{
    return hub->outages.asking && !hub->outages.answered;
}

bool outages_known(const struct hub *hub)
{
    return hub->outages.known;
}

int64_t outages_due(const struct hub *hub, int64_t due_ms, int64_t changed_ms)
{
    const struct outages *s = &hub->outages;
    int64_t counted = changed_ms;

    for (uint32_t i = 0; i < s->count; i++) {
        const struct span *o = &s->at[i];
        if (o->from_ms <= changed_ms || o->from_ms >= due_ms ||
            o->to_ms <= counted)
            continue;
        due_ms += o->to_ms - (o->from_ms > counted ? o->from_ms : counted);
        counted = o->to_ms;
    }
    return due_ms;
}

bool outages_decide(const struct hub *hub)
{
    const struct outages *s = &hub->outages;
    bool slow = s->signing_ms != 0 &&
                hub->now_ms - s->signing_ms >= LIMIT_STILL_MS;

    return s->known && !hub->closing && hub->restoring == 0 && !slow &&
           s->refused.since_ms == 0 && hub->now_ms >= s->sign_ms &&
           notices_read_only(hub)[0] == '\0';
}

void outages_cut(struct hub *hub)
{
    cut_all(hub, INT64_MAX);
}

void handle_server_outages(struct hub *hub, struct request *q)
{
    const struct outages *s = &hub->outages;
    int64_t since = param_int(q, "since", 0), next = 0;
    int64_t after = param_int(q, "after", -1);
    size_t n = 0;

    if (!s->known) {
        refuse(hub, q, ERR_STORAGE_UNAVAILABLE);
        return;
    }
    struct json_out *o = list_begin(hub, q, "outages");
    for (size_t i = 0; i < s->count && next == 0; i++) {
        const struct span *is = &s->at[i];
        if (is->to_ms <= since || is->from_ms <= after)
            continue;
        out_list(o, NULL);
        out_int(o, NULL, is->from_ms);
        out_int(o, NULL, is->to_ms);
        out_end(o);
        if (++n == LIMIT_OUTAGES_PAGE && i + 1 < s->count)
            next = is->from_ms;
    }
    list_end_at(hub, q, next);
}
