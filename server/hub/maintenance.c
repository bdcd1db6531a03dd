/* maintenance.c -- what the hub does of itself, asked by nobody: open tables
 * that nobody starts are given up, tables learn of another name, guests whose
 * time is over go.  A little at a time, so that nobody waits for it, and
 * nothing during maintenance, when nobody could do anything about it. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"
#include "rebuild.h"

#define HOUR_MS     (3600 * INT64_C(1000))
#define SOON_MS     (10 * INT64_C(1000)) /* there was more than one step's */
#define GUESTS_STEP 16
#define TABLES_STEP 100

/* Whether nothing is to be begun. */
static bool resting(const struct hub *hub)
{
    return hub->closing || notices_read_only(hub)[0] != '\0';
}

static void job_stored(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

/* ---- open tables --------------------------------------------------------- */

static void abandon(struct hub *hub, struct table *t, struct request *q)
{
    if (!t->readable || t->state != TABLE_OPEN || resting(hub) ||
        table_changed(t) + hub->config.open_table_ms > hub->now_ms) {
        result_empty(hub, q);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    change_add(c,
               &(struct entry){.kind = ENTRY_ABANDON, .seat = ENTRY_NOBODY});
    change_submit(c, job_stored);
}

static void sweep_page(struct hub *hub, struct request *q, id_num after);

static void swept(struct hub *hub, struct request *q,
                  const struct answer *answer)
{
    id_num last = 0;

    for (size_t i = 0; i < answer->listed_count; i++) {
        const struct table_row *row = &answer->tables[i].table;
        last = row->id;
        if (row->summary.changed + hub->config.open_table_ms > hub->now_ms)
            continue;
        struct request *job = job_new(hub);
        job->job = abandon;
        table_job(hub, job, row->id);
    }
    if (answer->more && last != 0 && !resting(hub))
        sweep_page(hub, q, last);
    else
        result_empty(hub, q);
}

static void sweep_page(struct hub *hub, struct request *q, id_num after)
{
    struct question ask = {
        .kind = ASK_TABLES,
        .limit = TABLES_STEP,
        .u.tables =
            {
                .state = TABLE_OPEN,
                .all = true,
                .after = after,
            },
    };
    hub_ask(hub, q, &ask, swept);
}

/* ---- names -------------------------------------------------------------- */

/* T knows that ACCOUNT has another name.  One that is over learns of none by a ply,
 * its log is closed: it says from now on what the store says. */
static void know_name(struct table *t, id_num account, const char *name)
{
    int seat = table_viewer(t, account);

    table_know(t, account, name);
    if (t->state > TABLE_PLAYING && seat != RULES_WATCHER)
        snprintf(t->name[seat], sizeof(t->name[0]), "%s", name);
}

/* Somebody at T has another name: a ply, as it changes what people see. */
static void rename_seat(struct hub *hub, struct table *t, struct request *q)
{
    const char *name = q->kept;
    int seat = table_viewer(t, q->account);
    bool shown = seat != RULES_WATCHER && t->state <= TABLE_PLAYING &&
                 strcmp(t->name[seat], name) != 0;

    if (!t->readable) {
        result_empty(hub, q);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    struct op *op = change_op(c, OP_RENAMED);
    op->account = q->account;
    know_name(t, q->account, name);
    if (shown)
        change_add(c, &(struct entry){
                          .kind = ENTRY_RENAME,
                          .seat = (uint16_t)seat,
                      });
    change_submit(c, job_stored);
}

static struct request *rename_job(struct hub *hub, id_num account,
                                  const char *name)
{
    struct request *job = job_new(hub);

    job->account = account;
    job->kept = region_text(&job->region, name, strlen(name));
    job->job = rename_seat;
    return job;
}

static void rename_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    for (size_t i = 0; i < answer->listed_count; i++)
        table_job(hub, rename_job(hub, q->account, q->kept),
                  answer->tables[i].table.id);
    result_empty(hub, q);
}

/* At the tables in memory that are over, at once. */
static void rename_over(struct hub *hub, id_num account, const char *name)
{
    size_t at = 0;
    struct table *t;

    while ((t = map_next(&hub->tables, &at)) != NULL)
        if (t->state > TABLE_PLAYING &&
            table_viewer(t, account) != RULES_WATCHER)
            know_name(t, account, name);
}

void maintenance_rename(struct hub *hub, id_num account, const char *name)
{
    rename_over(hub, account, name);
    struct request *q = rename_job(hub, account, name);
    seats_ask(hub, q, account, LIMIT_TABLES, rename_found);
}

void maintenance_due(struct hub *hub, struct table *t, id_num account,
                     const char *name)
{
    queue_put_first(&t->queue, rename_job(hub, account, name));
}

static void only_load(struct hub *hub, struct table *t, struct request *q)
{
    presence_check(hub, t);
    result_empty(hub, q);
}

/* A table that is loaded then finds out what is due; one that was there already
 * may know nothing of it yet. */
static void renames_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    for (size_t i = 0; i < answer->listed_count; i++) {
        struct request *job = job_new(hub);
        job->job = only_load;
        table_job(hub, job, answer->tables[i].table.id);
    }
    if (answer->more)
        hub->renames_ms = hub->now_ms + SOON_MS;
    result_empty(hub, q);
}

/* ---- guests ------------------------------------------------------------- */

static void leave(struct hub *hub, struct table *t, struct request *q)
{
    int seat = table_viewer(t, q->account);

    if (!t->readable || seat == RULES_WATCHER || t->state != TABLE_OPEN) {
        result_empty(hub, q);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    lobby_leave(c, seat);
    change_submit(c, job_stored);
}

static void guest_dropped(struct hub *hub, struct request *q)
{
    account_cut(hub, q->account, 0);
    result_empty(hub, q);
}

/* From open tables they get up first; they go another time. */
static void guest_tables(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    const int64_t *seen = q->kept;

    for (size_t i = 0; i < answer->listed_count; i++) {
        struct request *job = job_new(hub);
        job->account = q->account;
        job->job = leave;
        table_job(hub, job, answer->tables[i].table.id);
    }
    if (answer->listed_count > 0 ||
        map_get(&hub->accounts, q->account) != NULL) {
        result_empty(hub, q);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_GUEST_DROP);
    op->account = q->account;
    op->u.at = *seen;
    q->conflict = ERR_FORBIDDEN; /* they have come back: nothing happens */
    change_submit(c, guest_dropped);
}

static void guests_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    for (size_t i = 0; i < answer->account_count; i++) {
        struct request *job = job_new(hub);
        int64_t *seen = region_take(&job->region, sizeof(*seen));
        *seen = *(const int64_t *)q->kept;
        job->kept = seen;
        job->account = answer->accounts[i].id;
        seats_ask(hub, job, job->account, LIMIT_TABLES, guest_tables);
    }
    /* Some may stay for another reason: it goes on behind them. */
    hub->guests_after = 0;
    hub->guests_at = 0;
    if (answer->account_count == GUESTS_STEP) {
        hub->guests_after = answer->accounts[GUESTS_STEP - 1].id;
        hub->guests_at = answer->accounts[GUESTS_STEP - 1].seen;
        hub->guests_ms = hub->now_ms + SOON_MS;
    }
    result_empty(hub, q);
}

static void look_for_guests(struct hub *hub)
{
    struct request *q = job_new(hub);
    int64_t *seen = q->kept = region_take(&q->region, sizeof(*seen));

    /* When they were seen is stored to the hour; nobody who could still come
     * back is touched. */
    *seen = hub->now_ms - hub->config.guest_ms - 2 * SEEN_MS;
    struct question ask = {
        .kind = ASK_GUESTS,
        .limit = GUESTS_STEP,
        .u.guests =
            {
                .until = *seen,
                .after = hub->guests_after,
                .after_seen = hub->guests_at,
            },
    };
    hub_ask(hub, q, &ask, guests_found);
}

/* ---- when --------------------------------------------------------------- */

/* Whether it is time, and when it is the next time. */
static bool is_due(const struct hub *hub, int64_t *at, int64_t every)
{
    if (hub->now_ms < *at)
        return false;
    *at = hub->now_ms + every;
    return true;
}

/* How often to look for what lasts LIFE: its end need not come to the
 * minute. */
static int64_t pace(int64_t life)
{
    return life / 16 < HOUR_MS ? life / 16 : HOUR_MS;
}

void maintenance_tick(struct hub *hub)
{
    const struct hub_config *c = &hub->config;
    struct question renames = {.kind = ASK_RENAMES, .limit = TABLES_STEP};

    rebuild_tick(hub);
    if (resting(hub))
        return;
    if (c->open_table_ms != 0 &&
        is_due(hub, &hub->sweep_ms, pace(c->open_table_ms)))
        sweep_page(hub, job_new(hub), 0);
    if (c->guest_ms != 0 && is_due(hub, &hub->guests_ms, pace(c->guest_ms)))
        look_for_guests(hub);
    invitations_tick(hub);
    absence_tick(hub);
    zones_tick(hub);
    if (is_due(hub, &hub->renames_ms, HOUR_MS))
        hub_ask(hub, job_new(hub), &renames, renames_found);
}
