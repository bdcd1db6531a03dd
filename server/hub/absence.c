/* absence.c -- when people are away; see absence.h. */

#include "inner.h"
#include "outbox.h"
#include "presence.h"

#define HOUR_MS (60 * LIMIT_MINUTE_MS)
#define SOON_MS 1000

/* ---- days ----------------------------------------------------------------- */

/* 1 January of YEAR, UTC. */
static int64_t year_begins(int64_t year)
{
    int64_t y = year - 1;
    return (y * 365 + y / 4 - y / 100 + y / 400 - 719162) * LIMIT_DAY_MS;
}

static int64_t year_of(int64_t ms)
{
    int64_t year = 1970 + ms / (366 * LIMIT_DAY_MS);

    while (year_begins(year + 1) <= ms)
        year++;
    return year;
}

/* Those that A spends of YEAR. */
static int days_in(const struct absence_row *a, int64_t year)
{
    int days = 0;

    for (int64_t at = a->from_ms; at < a->until_ms; at += LIMIT_DAY_MS)
        days += year_of(at) == year;
    return days;
}

static int left_in(const struct hub *hub, const struct answer *answer,
                   int64_t year)
{
    int left = hub->config.absence_days;

    for (size_t i = 0; i < answer->absence_count; i++)
        left -= days_in(&answer->absences[i], year);
    return left > 0 ? left : 0;
}

int absence_left(const struct hub *hub, const struct answer *answer)
{
    return left_in(hub, answer, year_of(hub->now_ms));
}

static bool affords(const struct hub *hub, const struct answer *answer,
                    const struct absence_row *a)
{
    int64_t last = year_of(a->until_ms);

    for (int64_t year = year_of(a->from_ms); year <= last; year++)
        if (days_in(a, year) > left_in(hub, answer, year))
            return false;
    return true;
}

/* ---- which ------------------------------------------------------------------ */

const struct absence_row *absence_now(const struct answer *answer,
                                      int64_t now_ms)
{
    for (size_t i = 0; i < answer->absence_count; i++)
        if (answer->absences[i].from_ms <= now_ms &&
            answer->absences[i].until_ms > now_ms)
            return &answer->absences[i];
    return NULL;
}

/* The one that begins first of those that end behind FROM_MS, or NULL. */
static const struct absence_row *next_behind(const struct answer *answer,
                                             int64_t from_ms)
{
    for (size_t i = 0; i < answer->absence_count; i++)
        if (answer->absences[i].until_ms > from_ms)
            return &answer->absences[i];
    return NULL;
}

/* The one that begins at FROM_MS and is not over, or NULL. */
static const struct absence_row *
one_from(const struct hub *hub, const struct answer *answer, int64_t from_ms)
{
    for (size_t i = 0; i < answer->absence_count; i++)
        if (answer->absences[i].from_ms == from_ms &&
            answer->absences[i].until_ms > hub->now_ms)
            return &answer->absences[i];
    return NULL;
}

static size_t planned(const struct hub *hub, const struct answer *answer)
{
    size_t n = 0;

    for (size_t i = 0; i < answer->absence_count; i++)
        n += answer->absences[i].from_ms > hub->now_ms;
    return n;
}

int64_t absence_instead(const struct hub *hub, const struct answer *answer)
{
    const struct absence_row *next = next_behind(answer, hub->now_ms);
    struct absence_row a = {.from_ms = hub->now_ms};

    if (!answer->away.auto_)
        return hub->now_ms;
    for (int days = LIMIT_ABSENCE_AUTO_DAYS; days > 0; days--) {
        a.until_ms = a.from_ms + days * LIMIT_DAY_MS;
        if (next != NULL && next->from_ms < a.until_ms)
            a.until_ms = next->from_ms;
        if (affords(hub, answer, &a))
            return a.until_ms;
    }
    return hub->now_ms;
}

/* ---- telling ------------------------------------------------------------------ */

void absence_write(struct json_out *o, const struct absence_row *row)
{
    out_int(o, "from", row->from_ms);
    out_int(o, "until", row->until_ms);
    out_bool(o, "auto", row->auto_);
}

static void tell(struct hub *hub, struct request *q,
                 const struct answer *answer)
{
    struct json_out *o = result_begin(hub, q);

    out_bool(o, "auto", answer->away.auto_);
    out_int(o, "budget", hub->config.absence_days);
    out_int(o, "left", absence_left(hub, answer));
    out_list(o, "absences");
    for (size_t i = 0; i < answer->absence_count; i++) {
        const struct absence_row *row = &answer->absences[i];
        if (row->until_ms + LIMIT_ABSENCE_AHEAD_MS <= hub->now_ms)
            continue;
        out_object(o, NULL);
        absence_write(o, row);
        out_end(o);
    }
    out_end(o);
    result_end(hub, q);
}

static void ask_away(struct hub *hub, struct request *q, answered_cb then)
{
    presence_ask(hub, q, q->account, then);
}

void handle_account_absence_get(struct hub *hub, struct request *q)
{
    ask_away(hub, q, tell);
}

/* ---- changing it --------------------------------------------------------------- */

/* What is stored of an absence, for what comes of it. */
struct kept_absence {
    struct absence_row row;
    bool tell; /* tables */
};

static void come_of(struct hub *hub, const struct request *q)
{
    const struct kept_absence *k = q->kept;

    outbox_changed(hub, q->account);
    if (k->tell)
        presence_tell(hub, q->account);
    else if (k->row.from_ms < hub->absences_ms)
        hub->absences_ms = k->row.from_ms;
}

static void stored(struct hub *hub, struct request *q)
{
    come_of(hub, q);
    ask_away(hub, q, tell);
}

/* Stores ROW (NULL: none is another) as a change of those in ANSWER. */
static void store(struct hub *hub, struct request *q,
                  const struct answer *answer, bool by_itself,
                  const struct absence_row *row, stored_cb then)
{
    struct kept_absence *k = q->kept = region_take(&q->region, sizeof(*k));
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_AWAY);

    k->row.from_ms = INT64_MAX;
    op->account = q->account;
    op->u.away.row = answer->away;
    op->u.away.row.auto_ = by_itself;
    op->u.away.before = hub->now_ms - LIMIT_ABSENCE_KEPT_MS;
    if (row != NULL) {
        k->row = *row;
        k->tell = row->begun;
        op->u.away.absences = region_take(&c->transaction.region,
                                          sizeof(*row));
        *op->u.away.absences = *row;
        op->u.away.count = 1;
        op->u.away.tell = row->begun;
        if (row->begun)
            outbox_away(c, q->account, row);
    }
    q->conflict = ERR_CONTENDED; /* by themselves, on another device */
    change_submit(c, then);
}

/* Why nobody could be away then, or ERR_NONE. */
static enum error unfit(const struct hub *hub, const struct answer *answer,
                        const struct absence_row *a)
{
    const struct absence_row *next = next_behind(answer, a->from_ms);

    if (next != NULL && next->from_ms < a->until_ms)
        return ERR_ABSENT_THEN;
    if (!a->begun && planned(hub, answer) >= LIMIT_ABSENCES)
        return ERR_TOO_MANY_ABSENCES;
    return affords(hub, answer, a) ? ERR_NONE : ERR_NO_ABSENCE_LEFT;
}

static void add_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    struct absence_row a = {
        .from_ms = param_int(q, "from", hub->now_ms),
        .until_ms = param_int(q, "until", 0),
    };

    if (a.from_ms <= hub->now_ms) {
        a.from_ms = hub->now_ms;
        a.begun = true;
    }
    if (a.until_ms <= a.from_ms ||
        a.until_ms > hub->now_ms + LIMIT_ABSENCE_AHEAD_MS) {
        refuse_param(hub, q, "/until",
                     "a time after `from`, within a year from now");
        return;
    }
    enum error e = unfit(hub, answer, &a);
    if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        store(hub, q, answer, answer->away.auto_, &a, stored);
}

void handle_account_absence_add(struct hub *hub, struct request *q)
{
    ask_away(hub, q, add_found);
}

/* One that has begun was at least a moment long, as tables may know of it. */
static void end_found(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    int64_t from = param_int(q, "from", -1);
    const struct absence_row *is = from >= 0
                                       ? one_from(hub, answer, from)
                                       : absence_now(answer, hub->now_ms);

    if (is == NULL) {
        refuse(hub, q, ERR_NO_SUCH_ABSENCE);
        return;
    }
    struct absence_row a = *is;
    a.until_ms = a.from_ms;
    if (a.from_ms <= hub->now_ms) {
        a.begun = true;
        a.until_ms += a.from_ms < hub->now_ms ? hub->now_ms - a.from_ms : 1;
    }
    store(hub, q, answer, answer->away.auto_, &a, stored);
}

void handle_account_absence_end(struct hub *hub, struct request *q)
{
    ask_away(hub, q, end_found);
}

static void auto_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    bool wanted = param_bool(q, "auto", false);

    if (wanted == answer->away.auto_)
        tell(hub, q, answer);
    else
        store(hub, q, answer, wanted, NULL, stored);
}

void handle_account_absence_auto(struct hub *hub, struct request *q)
{
    ask_away(hub, q, auto_found);
}

/* ---- those that begin ----------------------------------------------------------- */

static void begun(struct hub *hub, struct request *q)
{
    come_of(hub, q);
    result_empty(hub, q);
}

static void begin_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    const int64_t *from = q->kept;
    struct absence_row a = {0};

    for (size_t i = 0; i < answer->absence_count; i++)
        if (answer->absences[i].from_ms == *from)
            a = answer->absences[i];
    if (a.from_ms == 0 || a.begun) { /* they have another plan by now */
        result_empty(hub, q);
        return;
    }
    a.begun = true;
    store(hub, q, answer, answer->away.auto_, &a, begun);
}

static void begin_one(struct hub *hub, const struct absence_row *a)
{
    struct request *job = job_new(hub);
    int64_t *from = region_take(&job->region, sizeof(*from));

    *from = a->from_ms;
    job->kept = from;
    job->account = a->account;
    ask_away(hub, job, begin_found);
}

static void instead_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct absence_row a = {
        .from_ms = hub->now_ms,
        .until_ms = absence_instead(hub, answer),
        .auto_ = true,
        .begun = true,
    };

    if (a.until_ms > a.from_ms && absence_now(answer, hub->now_ms) == NULL)
        store(hub, q, answer, true, &a, begun);
    else
        result_empty(hub, q);
}

void absence_begin(struct hub *hub, id_num account)
{
    struct request *job = job_new(hub);

    job->account = account;
    ask_away(hub, job, instead_found);
}

/* As long as there are some whose time has come it looks again soon. */
static void look_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    for (size_t i = 0; i < answer->absence_count; i++) {
        const struct absence_row *a = &answer->absences[i];
        bool now = a->from_ms <= hub->now_ms;
        int64_t next = now ? hub->now_ms + SOON_MS : a->from_ms;
        if (now)
            begin_one(hub, a);
        if (next < hub->absences_ms)
            hub->absences_ms = next;
    }
    result_empty(hub, q);
}

void absence_tick(struct hub *hub)
{
    struct question ask = {.kind = ASK_ABSENT, .limit = LIMIT_ABSENCES_STEP};

    if (hub->now_ms < hub->absences_ms)
        return;
    hub->absences_ms = hub->now_ms + HOUR_MS;
    hub_ask(hub, job_new(hub), &ask, look_found);
}
