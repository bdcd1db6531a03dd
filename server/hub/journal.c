/* journal.c -- what the operator reads of all that: lines in the log, and the
 * numbers of /metrics.
 *
 * A line about a request tells, in this order, what happened, the network
 * address it came from, its connection and its own number, then the rest.  Who
 * bans addresses (deploy/fail2ban/) relies on the address being second. */

#include "inner.h"

void journal_fields(struct hub *hub, enum host_level level, const char *event,
                    const struct request *q, const struct log_field *more,
                    size_t count)
{
    struct log_field fields[LOG_FIELDS_MAX];
    size_t n = 0;

    fields[n++] = log_event(event);
    if (q->address[0] != '\0')
        fields[n++] = log_text("address", q->address);
    if (q->number != 0) {
        fields[n++] = log_number("conn", (int64_t)q->peer);
        fields[n++] = log_number("request", (int64_t)q->number);
    }
    ASSERT(n + count <= LOG_FIELDS_MAX);
    for (size_t i = 0; i < count; i++)
        if (more[i].text == NULL || more[i].text[0] != '\0')
            fields[n++] = more[i];
    hub->host->log(hub->host, level, fields, n);
}

void journal_peer(struct hub *hub, const struct peer *p, const char *event)
{
    struct log_field fields[] = {
        log_event(event),
        log_number("conn", (int64_t)p->id),
        log_text("address", p->info.address),
    };
    size_t count = COUNT_OF(fields) - (p->info.address[0] == '\0');

    hub->host->log(hub->host, LOG_DEBUG, fields, count);
}

void journal_cut(struct hub *hub, const struct peer *p, const char *why)
{
    hub->host->log(hub->host, LOG_WARNING,
                   LOG_FIELDS(log_event("bots_cut"),
                              log_number("conn", (int64_t)p->id),
                              log_text("reason", why)));
}

void journal_table(struct hub *hub, const struct table *t, const char *event)
{
    char id[ID_SIZE];

    id_write(t->id, id);
    hub->host->log(hub->host, LOG_WARNING,
                   LOG_FIELDS(log_event(event), log_text("table", id),
                              log_text("game", t->row.game)));
}

void journal_refused(struct hub *hub, const struct request *q, enum error e)
{
    bool ours = e == ERR_INTERNAL || e == ERR_STORAGE_UNAVAILABLE;
    const char *reason = error_reason(e);

    if (q->method_known)
        journal(hub, q, ours ? LOG_WARNING : LOG_DEBUG, "refused",
                log_text("reason", reason),
                log_text("method", methods[q->method].name),
                log_text("user", q->name));
    else
        journal(hub, q, LOG_DEBUG, "refused", log_text("reason", reason));
}

void journal_login(struct hub *hub, const struct request *q,
                   enum login_result result, const char *user,
                   const char *reason)
{
    hub->counts.logins[result]++;
    if (result == LOGIN_GOOD)
        journal(hub, q, LOG_INFO, "login", log_text("user", user));
    else
        journal(hub, q, LOG_INFO, "login_failed", log_text("user", user),
                log_text("reason", reason));
}

/* ---- how long answers take ---------------------------------------------- */

_Static_assert(LATENCY_CLASSES == METHOD_RATES, "one for each");

static void count_latency(struct latency *l, int64_t took_ms)
{
    int bucket = 0;

    while (bucket < LATENCY_BUCKETS - 1 && took_ms > INT64_C(1) << bucket)
        bucket++;
    l->buckets[bucket]++;
    l->sum_ms += (uint64_t)took_ms;
}

void journal_answered(struct hub *hub, const struct request *q, bool refused)
{
    int64_t took = hub->now_ms > q->came_ms ? hub->now_ms - q->came_ms : 0;

    if (q->number == 0 || !q->method_known)
        return;
    count_latency(&hub->counts.answers[methods[q->method].rate], took);
    if (q->method == M_TABLE_MOVE && !refused)
        count_latency(&hub->counts.moves_stored, took);
}
