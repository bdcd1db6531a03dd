/* operate.c -- what the operator wants of the process itself; see host.h.
 *
 * The hub is told next turn, never from within its own call. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base.h"
#include "daemon.h"
#include "log.h"

struct operation {
    struct operation *next;
    struct daemon *daemon;
    ask_id id;
    bool busy;
    char *error, *result; /* NULL: none; ours */
    char text[];          /* what it is about */
};

static void done(struct operation *op, const char *error, const char *result)
{
    struct operation **at = &op->daemon->operations;

    op->error = error != NULL ? strdup(error) : NULL;
    op->result = result != NULL ? strdup(result) : NULL;
    while (*at != NULL)
        at = &(*at)->next;
    *at = op;
    uv_async_send(&op->daemon->woken);
}

void operate_poll(struct daemon *d)
{
    struct operation *op;

    while ((op = d->operations) != NULL) {
        d->operations = op->next;
        hub_operated(d->hub, op->id, op->busy, op->error, op->result,
                     daemon_now());
        free(op->error);
        free(op->result);
        free(op);
    }
}

/* Ends OP with the object in O. */
static void done_with(struct operation *op, struct json_out *o)
{
    out_end(o);
    done(op, NULL, json_out_text(o));
    json_out_done(o);
}

/* ---- the store -------------------------------------------------------- */

static void backup_going(void *context, const struct store_progress *p)
{
    struct operation *op = context;
    struct json_out o;
    struct stat file = {0};

    if (!p->finished)
        return;
    if (p->error != NULL) {
        done(op, p->error, NULL);
        return;
    }
    (void)stat(op->text, &file);
    log_line(LOG_NOTICE, log_event("backup"), log_text("path", op->text),
             log_number("bytes", file.st_size));
    json_out_init(&o);
    out_object(&o, NULL);
    out_int(&o, "bytes", file.st_size);
    done_with(op, &o);
}

static void vacuum_done(void *context, const struct store_progress *p)
{
    struct operation *op = context;
    struct json_out o;

    if (p->error != NULL) {
        done(op, p->error, NULL);
        return;
    }
    json_out_init(&o);
    out_object(&o, NULL);
    out_int(&o, "before", p->total);
    out_int(&o, "after", p->done);
    done_with(op, &o);
}

static void back_up(struct operation *op)
{
    struct stat there;

    if (lstat(op->text, &there) == 0) {
        done(op, strerror(EEXIST), NULL);
        return;
    }
    op->busy = !store_backup(op->daemon->store, op->text, op, backup_going);
    if (op->busy)
        done(op, NULL, NULL);
}

static void vacuum(struct operation *op)
{
    op->busy = !store_vacuum(op->daemon->store, op, vacuum_done);
    if (op->busy)
        done(op, NULL, NULL);
}

static void write_check(struct json_out *o, const struct store_health *h)
{
    static const char *const words[] = {
        [CHECK_NEVER] = "never",     [CHECK_RUNNING] = "running",
        [CHECK_WHOLE] = "whole",     [CHECK_DAMAGED] = "damaged",
        [CHECK_STOPPED] = "stopped", [CHECK_FAILED] = "failed",
    };

    out_object(o, "check");
    out_string(o, "state", words[h->check]);
    if (h->check_ms == 0)
        out_null(o, "at");
    else
        out_int(o, "at", h->check_ms);
    if (h->check == CHECK_RUNNING) {
        out_int(o, "done", h->check_done);
        out_int(o, "total", h->check_total);
    }
    out_end(o);
}

static void write_backup(struct json_out *o, const struct store_health *h)
{
    if (h->backup_ms == 0) {
        out_null(o, "backup");
        return;
    }
    out_object(o, "backup");
    out_int(o, "at", h->backup_ms);
    out_int(o, "bytes", h->backup_bytes);
    out_end(o);
}

static void tell_store(struct operation *op)
{
    struct store *store = op->daemon->store;
    struct store_health h;
    struct store_stats s;
    struct json_out o;

    if (strcmp(op->text, "check") == 0)
        (void)store_check(store);
    else if (strcmp(op->text, "stop") == 0)
        store_check_stop(store);
    store_health(store, &h);
    store_stats(store, &s);
    json_out_init(&o);
    out_object(&o, NULL);
    out_int(&o, "bytes", (int64_t)s.file_bytes);
    out_int(&o, "free", (int64_t)s.free_bytes);
    out_int(&o, "wal", (int64_t)s.wal_bytes);
    out_bool(&o, "writable", s.writable);
    if (h.damage[0] == '\0')
        out_null(&o, "damage");
    else
        out_string(&o, "damage", h.damage);
    write_check(&o, &h);
    write_backup(&o, &h);
    done_with(op, &o);
}

/* ---- the process ------------------------------------------------------ */

/* What is in force, beside what the file says by now. */
static void show_config(struct operation *op)
{
    const struct config *c = &op->daemon->config;
    struct config next = *c;
    char why[CONFIG_TEXT_MAX];
    struct json_out o;
    bool good = config_again(&next, why, sizeof(why));

    json_out_init(&o);
    out_object(&o, NULL);
    config_write(c, good ? &next : NULL, &o, "settings");
    if (!good)
        out_string(&o, "problem", why);
    if (good)
        config_free_datasets(next.dataset);
    done_with(op, &o);
}

static void set_log_level(struct operation *op)
{
    struct config *c = &op->daemon->config;
    struct json_out o;

    if (op->text[0] != '\0') {
        log_line(LOG_NOTICE, log_event("log_level"), log_text("to", op->text));
        config_override(c, "log.level", op->text);
        daemon_log(op->daemon);
    }
    json_out_init(&o);
    out_object(&o, NULL);
    out_string(&o, "level", c->log_level);
    done_with(op, &o);
}

void operate(struct daemon *d, ask_id id, enum operation_kind kind,
             const char *text)
{
    size_t len = strlen(text);
    struct operation *op = calloc(1, sizeof(*op) + len + 1);

    ASSERT(op != NULL);
    op->daemon = d;
    op->id = id;
    memcpy(op->text, text, len);
    switch (kind) {
    case OPERATION_BACKUP: back_up(op); return;
    case OPERATION_VACUUM: vacuum(op); return;
    case OPERATION_STORE: tell_store(op); return;
    case OPERATION_CONFIG: show_config(op); return;
    case OPERATION_LOG_LEVEL: set_log_level(op); return;
    case OPERATION_END: break;
    }
    free(op);
    d->end_wanted = true;
    uv_async_send(&d->woken);
}
