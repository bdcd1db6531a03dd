/* admin_tables.c -- tables as the administrator sees and mends them: listed,
 * shown, given up, taken back to an earlier ply, a seat given to another.
 *
 * Whatever is done to a table is a ply of its log like all else, so who watches
 * it is told, records tell of it, and anybody can check what came of it. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"
#include "outbox.h"

/* ---- lists ------------------------------------------------------------ */

void handle_admin_tables(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_TABLES,
        .limit = (size_t)param_int(q, "limit", 200),
        .u.tables =
            {
                .state = state_param(q),
                .game = json_string_value(param(q, "game")),
                .all = true,
            },
    };

    if (ask.u.tables.game != NULL && rules_find(ask.u.tables.game) == NULL)
        refuse(hub, q, ERR_NO_SUCH_GAME);
    else if (read_after(hub, q, &ask.u.tables.after))
        hub_ask(hub, q, &ask, tables_listed);
}

/* ---- one table -------------------------------------------------------- */

/* What a rewind has to know, and nothing that is hidden: a move's verb. */
static void write_tail(struct json_out *o, const struct table *t, size_t count)
{
    uint32_t from = t->log.count > count ? t->log.count - (uint32_t)count : 0;
    struct log_reader r;
    struct entry e;

    out_list(o, "plies");
    log_reader_at(&r, &t->log, from);
    while (log_read(&r, &e)) {
        out_object(o, NULL);
        out_int(o, "ply", r.ply - 1);
        out_string(o, "kind", entry_words[e.kind]);
        if (e.seat != ENTRY_NOBODY)
            json_seat(o, "seat", e.seat);
        if (e.kind == ENTRY_MOVE)
            out_string(o, "verb", t->rules->verbs[e.u.move.verb].name);
        out_int(o, "at", e.at);
        if (e.undone)
            out_bool(o, "undone", true);
        out_end(o);
    }
    out_end(o);
}

void handle_admin_table(struct hub *hub, struct table *t, struct request *q)
{
    const char *names[RULES_SEATS_MAX];
    struct table_row row = t->row;

    table_summary(t, &row.summary);
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        names[seat] = t->name[seat];
    struct json_out *o = result_begin(hub, q);
    out_object(o, "table");
    write_summary(o, hub, &row, names);
    write_id(o, "owner", t->owner);
    out_int(o, "revision", t->revision);
    out_string(o, "commitment", t->commitment);
    out_list(o, "resigned");
    for (int seat = 0; seat < t->seats; seat++)
        if (t->resigned & RULES_BIT(seat))
            out_int(o, NULL, seat);
    out_end(o);
    if (t->result == NULL)
        out_null(o, "reason");
    else
        out_string(o, "reason", t->result);
    out_int(o, "started",
            t->rules_state != NULL ? (int64_t)t->start_ply : INT64_C(0));
    out_int(o, "draws", (int64_t)t->draws);
    out_int(o, "watchers", (int64_t)t->watcher_count);
    out_int(o, "texts", (int64_t)t->texts_last);
    write_tail(o, t, (size_t)param_int(q, "plies", 20));
    out_end(o);
    result_end(hub, q);
}

/* ---- mending ---------------------------------------------------------- */

static void ply_stored(struct hub *hub, struct request *q)
{
    struct json_out *o = result_begin(hub, q);
    out_int(o, "ply", q->ply);
    result_end(hub, q);
}

/* Does E to T, and what is about ACCOUNT, as Q wants it. */
static void mend(struct change *c, const struct entry *e, id_num account)
{
    struct request *q = c->request;

    change_add(c, e);
    q->ply = c->table->log.count - 1;
    audit_put(c, q, c->table->id, account);
    change_submit(c, ply_stored);
}

void handle_admin_abandon(struct hub *hub, struct table *t, struct request *q)
{
    if (t->state > TABLE_PLAYING) {
        refuse(hub, q, ERR_GAME_OVER);
        return;
    }
    mend(change_begin(hub, q, t),
         &(struct entry){.kind = ENTRY_ABANDON, .seat = ENTRY_NOBODY}, 0);
}

/* Answers and returns false unless a game is going on. */
static bool is_on(struct hub *hub, struct table *t, struct request *q)
{
    if (t->state == TABLE_PLAYING)
        return true;
    refuse(hub, q, t->state == TABLE_OPEN ? ERR_NOT_STARTED : ERR_GAME_OVER);
    return false;
}

void handle_admin_rewind(struct hub *hub, struct table *t, struct request *q)
{
    int64_t ply = param_int(q, "ply", -1);

    if (!is_on(hub, t, q))
        return;
    if (ply < 0 || ply >= (int64_t)t->log.count) {
        refuse(hub, q, ERR_NO_SUCH_PLY);
    } else if (ply < t->start_ply) {
        struct json_out *o = refuse_begin(hub, q, ERR_BEFORE_START);
        out_int(o, "started", t->start_ply);
        refuse_end(hub, q);
    } else if (!table_rewindable(t, (uint32_t)ply)) {
        refuse(hub, q, ERR_NOTHING_TO_REWIND);
    } else {
        struct change *c = change_begin(hub, q, t);
        for (int seat = 0; seat < t->seats; seat++)
            change_concerns(c, t->seat[seat], "rewound");
        mend(c,
             &(struct entry){
                 .kind = ENTRY_REWIND,
                 .seat = ENTRY_NOBODY,
                 .to = (uint32_t)ply,
             },
             0);
    }
}

/* ---- another player --------------------------------------------------- */

/* The newcomer is told that it is their turn: the seat was waited for before, so
 * nobody else will tell them. */
static void tell_replaced(struct change *c, int seat, id_num newcomer)
{
    change_concerns(c, c->table->seat[seat], "unseated");
    change_concerns(c, newcomer, "seated");
    if (c->table->rules_state->acting & RULES_BIT(seat))
        change_concerns(c, newcomer, "turn");
}

static void newcomer_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    struct table *t = q->table;
    int64_t seat = param_int(q, "seat", 0);
    const struct account_row *who = answer->accounts;
    enum error e = ERR_NONE;

    if (answer->account_count != 1 || who->kind == ACCOUNT_DELETED)
        e = ERR_NO_SUCH_USER;
    else if (t->row.rated && who->kind != ACCOUNT_USER)
        e = ERR_RATED_GUEST;
    else if (who->banned_until > hub->now_ms)
        e = ERR_BANNED;
    else if (table_viewer(t, who->id) != RULES_WATCHER)
        e = ERR_ALREADY_SEATED;
    else if (results_began_elsewhere(t, who->id, (int)seat))
        e = ERR_WAS_SEATED;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    tell_replaced(c, (int)seat, who->id);
    change_call(c, who->id, who->name);
    mend(c,
         &(struct entry){
             .kind = ENTRY_REPLACED,
             .seat = (uint16_t)seat,
             .more.why = t->clocks != NULL ? WHY_OPERATOR : WHY_UNTOLD,
             .u.account = who->id,
         },
         who->id);
}

void handle_admin_replace(struct hub *hub, struct table *t, struct request *q)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "user"),
    };

    if (!is_on(hub, t, q))
        return;
    if (param_int(q, "seat", 0) >= t->seats)
        refuse(hub, q, ERR_NO_SUCH_SEAT);
    else
        hub_ask(hub, q, &ask, newcomer_found);
}

/* ---- after a restore -------------------------------------------------- */

static void restore_done(struct hub *hub, struct request *q)
{
    hub->restoring--;
    result_empty(hub, q);
}

/* People may have seen what the lost plies drew: this table draws others. */
static void restored(struct hub *hub, struct table *t, struct request *q)
{
    if (!t->readable) {
        journal_table(hub, t, "not_restored");
    } else if (t->state <= TABLE_PLAYING) {
        struct change *c = change_begin(hub, q, t);
        change_add(c, &(struct entry){
                          .kind = ENTRY_RESTORED,
                          .seat = ENTRY_NOBODY,
                      });
        change_submit(c, restore_done);
        return;
    }
    restore_done(hub, q);
}

static void restore_page(struct hub *hub, struct request *q, int state,
                         id_num after);

static void restore_listed(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    id_num last = 0;

    for (size_t i = 0; i < answer->listed_count; i++) {
        struct request *job = job_new(hub);
        last = answer->tables[i].table.id;
        job->job = restored;
        hub->restoring++;
        table_job(hub, job, last);
    }
    if (answer->more && last != 0)
        restore_page(hub, q, (int)q->ply, last);
    else if (q->ply == TABLE_PLAYING)
        restore_page(hub, q, TABLE_OPEN, 0);
    else
        restore_done(hub, q);
}

static void restore_page(struct hub *hub, struct request *q, int state,
                         id_num after)
{
    struct question ask = {
        .kind = ASK_TABLES,
        .limit = 100,
        .u.tables =
            {
                .state = state,
                .all = true,
                .after = after,
            },
    };
    q->ply = (uint32_t)state;
    hub_ask(hub, q, &ask, restore_listed);
}

void hub_restore(struct hub *hub, int64_t now_ms)
{
    hub->now_ms = now_ms;
    hub->restoring = 1;
    restore_page(hub, job_new(hub), TABLE_PLAYING, 0);
    outbox_restore(hub);
}

bool hub_restored(const struct hub *hub)
{
    return hub->restoring == 0;
}
