/* admin.c -- what only the administrator's socket may ask for: how the server
 * is, what was changed in it and by whom, and the server's own affairs.
 *
 * Every change that comes through that socket puts a row into the list of
 * changes, in the transaction that makes it; what is no transaction is noted
 * before it is done.  Only the end comes whether it can be noted or not. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

/* ---- how it is -------------------------------------------------------- */

static void write_end(struct json_out *o, const struct hub *hub)
{
    if (hub->ends_ms == 0)
        out_null(o, "ends");
    else
        out_int(o, "ends", hub->ends_ms);
}

static void write_remark(struct json_out *o, const char *key, const char *text)
{
    if (text[0] != '\0')
        out_string(o, key, text);
    else
        out_null(o, key);
}

static void tell_status(struct hub *hub, struct request *q, const char *store)
{
    struct hub_counts c;

    hub_counts(hub, &c);
    struct json_out *o = result_begin(hub, q);
    out_raw(o, "store", store, strlen(store));
    out_string(o, "version", hub->config.version);
    out_int(o, "now", hub->now_ms);
    out_int(o, "started", hub->started_ms);
    write_end(o, hub);
    /* Whoever looks does not count. */
    bool here = map_get(&hub->peers, q->peer) != NULL;
    out_int(o, "peers", (int64_t)c.peers - here);
    out_int(o, "tables", (int64_t)c.tables);
    out_int(o, "accounts", (int64_t)c.accounts);
    out_int(o, "requests", (int64_t)c.requests);
    out_int(o, "refused", (int64_t)c.refused);
    out_int(o, "moves", (int64_t)c.moves);
    out_int(o, "plies", (int64_t)c.plies);
    out_int(o, "updates", (int64_t)c.updates);
    out_int(o, "units", (int64_t)c.transactions);
    out_int(o, "units_failed", (int64_t)c.transactions_failed);
    out_int(o, "deadlines", (int64_t)hub->deadlines.tables.count);
    write_remark(o, "motd", notices_motd(hub));
    write_remark(o, "maintenance", notices_read_only(hub));
    result_end(hub, q);
}

void handle_admin_status(struct hub *hub, struct request *q)
{
    hub_operate(hub, q, OPERATION_STORE, "", tell_status);
}

static void tell_check(struct hub *hub, struct request *q, const char *store)
{
    struct json_out *o = result_begin(hub, q);

    out_raw(o, "store", store, strlen(store));
    result_end(hub, q);
}

void handle_admin_check(struct hub *hub, struct request *q)
{
    const char *what = param_bool(q, "stop", false)    ? "stop"
                       : param_bool(q, "start", false) ? "check"
                                                       : "";

    hub_operate(hub, q, OPERATION_STORE, what, tell_check);
}

/* ---- what was changed -------------------------------------------------- */

/* The row has no names, for it is kept for good; the log, which is not, has who
 * was asked for and, of a new or another name, which. */
void audit_put(struct change *c, const struct request *q, id_num table,
               id_num account)
{
    /* Secrets, names, what is known from elsewhere. */
    static const char *const silent[] = {
        "password", "email", "name",  "user",  "proxied", "said",
        "id",       "table", "lines", "first", "last",
    };
    json_t *rest = json_copy(q->params);
    ASSERT(rest != NULL);
    for (size_t i = 0; i < COUNT_OF(silent); i++)
        json_object_del(rest, silent[i]);
    char *what = json_dumps(rest, JSON_COMPACT | JSON_SORT_KEYS);
    ASSERT(what != NULL);
    struct op *op = change_op(c, OP_AUDIT);
    op->u.audit = (struct audit_row){
        .at = c->hub->now_ms,
        .uid = q->uid,
        .table = table,
        .account = account,
        .method = methods[q->method].name,
        .what = change_text(c, what),
    };
    if (q->tries == 0) /* it was said before */
        journal(c->hub, q, LOG_NOTICE, "admin",
                log_text("method", methods[q->method].name),
                log_number("uid", q->uid),
                log_text("user", param_text(q, "user")),
                log_text("name", param_text(q, "name")),
                log_text("table", param_text(q, "table")),
                log_text("params", what));
    free(what);
    json_decref(rest);
}

static void write_audit(struct json_out *o, const struct audit_row *row)
{
    out_object(o, NULL);
    out_int(o, "number", (int64_t)row->number);
    out_int(o, "at", row->at);
    out_int(o, "uid", row->uid);
    out_string(o, "method", row->method);
    write_id(o, "table", row->table);
    write_id(o, "account", row->account);
    if (row->name == NULL)
        out_null(o, "user");
    else
        out_string(o, "user", row->name);
    out_raw(o, "params", row->what, strlen(row->what));
    out_end(o);
}

static void audit_listed(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    size_t n = answer->audit_count;
    struct json_out *o = list_begin(hub, q, "changes");

    for (size_t i = 0; i < n; i++)
        write_audit(o, &answer->audits[i]);
    list_end_at(hub, q,
                answer->more ? (int64_t)answer->audits[n - 1].number : 0);
}

static void ask_audit(struct hub *hub, struct request *q, id_num account)
{
    struct question ask = {
        .kind = ASK_AUDIT,
        .limit = (size_t)param_int(q, "limit", 100),
        .u.audit = {.account = account,
                    .before = (uint64_t)param_int(q, "before", 0)},
    };

    if (param(q, "table") != NULL &&
        !id_read(param_text(q, "table"), &ask.u.audit.table))
        refuse(hub, q, ERR_NO_SUCH_TABLE);
    else
        hub_ask(hub, q, &ask, audit_listed);
}

static void audit_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    if (answer->account_count == 1)
        ask_audit(hub, q, answer->accounts->id);
    else
        refuse(hub, q, ERR_NO_SUCH_USER);
}

void handle_admin_audit(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "user"),
    };

    if (param(q, "user") != NULL)
        hub_ask(hub, q, &ask, audit_found);
    else
        ask_audit(hub, q, 0);
}

void audit_first(struct hub *hub, struct request *q, stored_cb then)
{
    struct change *c = change_begin(hub, q, NULL);

    audit_put(c, q, 0, 0);
    change_submit(c, then);
}

void audit_if_possible(struct hub *hub, struct request *q, stored_cb then)
{
    q->regardless = true;
    audit_first(hub, q, then);
}

/* ---- telling everybody ------------------------------------------------- */

static void broadcast(struct hub *hub, struct request *q)
{
    struct json_out *o = notice_begin(hub, "broadcast");
    out_string(o, "text", param_text(q, "text"));
    size_t told = notice_end(hub, NULL);
    const struct peer *self = map_get(&hub->peers, q->peer);
    bool heard = self != NULL && self->info.notices && !self->dropped;
    o = result_begin(hub, q);
    out_int(o, "told", (int64_t)told - heard);
    result_end(hub, q);
}

void handle_admin_broadcast(struct hub *hub, struct request *q)
{
    audit_if_possible(hub, q, broadcast);
}

/* ---- the end ----------------------------------------------------------- */

static void tell_end(struct hub *hub)
{
    struct json_out *o = notice_begin(hub, "shutdown");
    out_int(o, "at", hub->ends_ms);
    if (hub->ends_text != NULL)
        out_string(o, "text", hub->ends_text);
    notice_end(hub, NULL);
}

/* People are told again so many seconds before. */
static const int64_t reminders_ms[] = {3600000, 600000, 60000, 10000};

static int reminders_due(const struct hub *hub)
{
    int due = 0;
    while (due < (int)COUNT_OF(reminders_ms) &&
           hub->ends_ms - hub->now_ms <= reminders_ms[due])
        due++;
    return due;
}

/* Of the list of changes, for what must not wait for it. */
static void noted(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

static void note_aside(struct hub *hub, struct request *q)
{
    struct change *c = change_begin(hub, job_new(hub), NULL);

    audit_put(c, q, 0, 0);
    change_submit(c, noted);
}

static void tell_shutdown(struct hub *hub, struct request *q)
{
    struct json_out *o = result_begin(hub, q);
    write_end(o, hub);
    result_end(hub, q);
}

static void cancel(struct hub *hub, struct request *q)
{
    if (hub->ends_ms == 0) {
        refuse(hub, q, ERR_NO_SHUTDOWN);
        return;
    }
    note_aside(hub, q);
    hub->ends_ms = 0;
    notice_begin(hub, "shutdown_cancelled");
    notice_end(hub, NULL);
    tell_shutdown(hub, q);
}

void handle_admin_shutdown(struct hub *hub, struct request *q)
{
    const char *text = json_string_value(param(q, "text"));

    if (param_bool(q, "cancel", false)) {
        cancel(hub, q);
        return;
    }
    note_aside(hub, q);
    region_done(&hub->ends_region);
    hub->ends_text = region_copy(&hub->ends_region, text);
    hub->ends_ms = hub->now_ms + 1000 * param_int(q, "seconds", 0);
    hub->reminded = reminders_due(hub);
    if (hub->ends_ms > hub->now_ms)
        tell_end(hub);
    tell_shutdown(hub, q);
    admin_tick(hub);
}

void admin_tick(struct hub *hub)
{
    if (hub->ends_ms == 0 || hub->closing)
        return;
    if (hub->now_ms >= hub->ends_ms) {
        hub->ends_ms = 0;
        hub->host->operate(hub->host, 0, OPERATION_END, "");
        return;
    }
    int due = reminders_due(hub);
    if (due > hub->reminded)
        tell_end(hub);
    hub->reminded = due;
}

/* ---- what the process does --------------------------------------------- */

/* RESULT, or an empty one, is the answer. */
static void operated(struct hub *hub, struct request *q, const char *result)
{
    const char *text = result != NULL ? result : "{}";
    result_raw(hub, q, text, strlen(text));
}

static void back_up(struct hub *hub, struct request *q)
{
    hub_operate(hub, q, OPERATION_BACKUP, param_text(q, "path"), operated);
}

void handle_admin_backup(struct hub *hub, struct request *q)
{
    if (param_text(q, "path")[0] != '/')
        refuse_param(hub, q, "/path", "a path from the root on");
    else
        audit_if_possible(hub, q, back_up);
}

static void vacuum(struct hub *hub, struct request *q)
{
    hub_operate(hub, q, OPERATION_VACUUM, "", operated);
}

void handle_admin_vacuum(struct hub *hub, struct request *q)
{
    audit_first(hub, q, vacuum);
}

void handle_admin_config(struct hub *hub, struct request *q)
{
    hub_operate(hub, q, OPERATION_CONFIG, "", operated);
}

static void set_log_level(struct hub *hub, struct request *q)
{
    hub_operate(hub, q, OPERATION_LOG_LEVEL, param_text(q, "level"), operated);
}

void handle_admin_log(struct hub *hub, struct request *q)
{
    if (param(q, "level") != NULL)
        audit_if_possible(hub, q, set_log_level);
    else
        set_log_level(hub, q);
}

/* ---- what is over ------------------------------------------------------ */

struct pruning {
    int64_t now_ms;
    int64_t counts[PRUNE_COUNTS];
};

static void pruned(struct hub *hub, struct request *q)
{
    const struct pruning *p = q->kept;
    struct json_out *o = result_begin(hub, q);

    out_int(o, "tokens", p->counts[PRUNE_TOKENS]);
    out_int(o, "keys", p->counts[PRUNE_KEYS]);
    result_end(hub, q);
}

static void prune_counted(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct pruning *p = q->kept;

    memcpy(p->counts, answer->counts, sizeof(p->counts));
    if (param_bool(q, "dry_run", false)) {
        pruned(hub, q);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_PRUNE);
    op->u.at = p->now_ms;
    audit_put(c, q, 0, 0);
    change_submit(c, pruned);
}

void handle_admin_prune(struct hub *hub, struct request *q)
{
    struct pruning *p = q->kept = region_take(&q->region, sizeof(*p));
    struct question ask = {.kind = ASK_PRUNE};

    ask.u.prune_at = p->now_ms = hub->now_ms;
    hub_ask(hub, q, &ask, prune_counted);
}
