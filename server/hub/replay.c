/* replay.c -- looking back: the log as one was told it, the view at an earlier
 * ply, and the record of a finished game. */

#include <stdio.h>
#include <stdlib.h>

#include "core/text.h"
#include "inner.h"

/* Room for the rest of an answer below LIMIT_ANSWER_BYTES. */
#define ENOUGH_BYTES (LIMIT_ANSWER_BYTES - 128 * 1024)

/* Whose eyes Q looks through; answers and returns false if it may not. */
static bool viewer_of(struct hub *hub, struct table *t, struct request *q,
                      int *viewer)
{
    const json_t *as = param(q, "as");
    enum error e = table_may_watch(t, q);

    *viewer = table_viewer(t, q->account);
    if (e == ERR_NONE && as != NULL && t->state != TABLE_FINISHED)
        e = ERR_NOT_FINISHED;
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return false;
    }
    if (as == NULL)
        return true;
    if (json_is_integer(as)) {
        if (json_integer_value(as) < 0 || json_integer_value(as) >= t->seats) {
            refuse(hub, q, ERR_NO_SUCH_SEAT);
            return false;
        }
        *viewer = (int)json_integer_value(as);
    } else if (json_text_is(as, "watcher")) {
        *viewer = RULES_WATCHER;
    } else if (json_text_is(as, "all")) {
        *viewer = RULES_ALL;
    } else {
        refuse_param(hub, q, "/as", "a seat, \"watcher\" or \"all\"");
        return false;
    }
    return true;
}

/* ---- the log ------------------------------------------------------------ */

/* States kept on a walk, so that a ply that is taken back, mostly the last one,
 * does not need all before it played again. */
#define STEPS 16

/* A walk through the log with the state as it was. */
struct walk {
    struct table *t;
    struct rules_state *s;
    struct rules_state *step[STEPS]; /* before played[i], at i % STEPS */
    size_t first;                    /* played[first] is the first of them */
    uint32_t *played;
    size_t count;
    bool started;
};

/* From the beginning, or from where PAST is if that is not NULL. */
static void walk_init(struct walk *w, struct table *t,
                      const struct table *past)
{
    size_t size = t->rules->state_size;

    *w = (struct walk){.t = t};
    w->s = calloc(1, size);
    w->played = calloc(t->log_count, sizeof(*w->played));
    ASSERT(w->s != NULL && w->played != NULL);
    for (int i = 0; i < STEPS; i++) {
        w->step[i] = malloc(size);
        ASSERT(w->step[i] != NULL);
    }
    if (past == NULL || past->now == NULL)
        return;
    memcpy(w->s, past->now, size);
    for (size_t i = 0; i < past->played_count; i++)
        w->played[i] = past->played[i];
    w->count = w->first = past->played_count;
    w->started = true;
}

static void walk_done(struct walk *w)
{
    for (int i = 0; i < STEPS; i++)
        free(w->step[i]);
    free(w->s);
    free(w->played);
}

/* Plays played[I], which comes next. */
static void walk_play(struct walk *w, size_t i, struct rules_events *events)
{
    const struct entry *e = &w->t->log[w->played[i]];

    memcpy(w->step[i % STEPS], w->s, w->t->rules->state_size);
    if (i >= w->first + STEPS)
        w->first = i - STEPS + 1;
    rules_apply(w->t->rules, w->s, e->seat, &e->u.move, events);
}

/* Something behind played[I], which had been reached, counts no more: goes back
 * to there and plays the rest again. */
static void walk_again(struct walk *w, size_t i, struct rules_events *events)
{
    if (i >= w->first) {
        memcpy(w->s, w->step[i % STEPS], w->t->rules->state_size);
    } else {
        rules_setup(w->t->rules, w->s, &w->t->setup, NULL);
        i = w->first = 0;
    }
    for (; i < w->count; i++)
        walk_play(w, i, events);
}

static void walk_back(struct walk *w, uint32_t ply,
                      struct rules_events *events)
{
    size_t i = w->count;

    while (i > 0 && w->played[i - 1] != ply)
        i--;
    if (i-- == 0)
        return;
    memmove(&w->played[i], &w->played[i + 1],
            (w->count - i - 1) * sizeof(*w->played));
    w->count--;
    walk_again(w, i, events);
}

/* Takes back all behind PLY. */
static void walk_to(struct walk *w, uint32_t ply, struct rules_events *events)
{
    size_t i = w->count;

    while (i > 0 && w->played[i - 1] > ply)
        i--;
    if (i == w->count)
        return;
    w->count = i;
    walk_again(w, i, events);
}

/* Goes over entry PLY; EVENTS are those of a move. */
static void walk_step(struct walk *w, uint32_t ply,
                      struct rules_events *events)
{
    const struct entry *e = &w->t->log[ply];

    events->count = 0;
    switch (e->kind) {
    case ENTRY_START:
        rules_setup(w->t->rules, w->s, &w->t->setup, NULL);
        w->started = true;
        break;
    case ENTRY_MOVE:
        w->played[w->count] = ply;
        walk_play(w, w->count++, events);
        break;
    case ENTRY_UNDO:
        walk_back(w, e->other, events);
        events->count = 0;
        break;
    case ENTRY_REWIND:
        walk_to(w, e->other, events);
        events->count = 0;
        break;
    default: break;
    }
}

/* What entry PLY was to all who watched. */
static void write_public(struct json_out *o, const struct entry *e)
{
    if (entry_events[e->kind] == NULL)
        return;
    out_object(o, NULL);
    out_string(o, "kind", entry_events[e->kind]);
    if (e->seat == ENTRY_NOBODY)
        out_null(o, "seat");
    else
        out_int(o, "seat", e->seat);
    out_end(o);
}

void replay_events(struct hub *hub, struct json_out *o, struct table *t,
                   const struct table *past, int viewer)
{
    struct walk w;

    walk_init(&w, t, past);
    out_list(o, "events");
    for (size_t ply = past->log_count; ply < t->log_count; ply++) {
        walk_step(&w, (uint32_t)ply, &hub->events);
        write_public(o, &t->log[ply]);
        for (size_t k = 0; k < hub->events.count; k++)
            if (hub->events.at[k].seen_by & RULES_BIT(viewer))
                json_event(o, NULL, t->rules, w.s, &hub->events.at[k]);
    }
    out_end(o);
    walk_done(&w);
}

static void write_entry(struct hub *hub, struct json_out *o,
                        const struct walk *w, uint32_t ply, int viewer,
                        const struct rules_move *told)
{
    const struct table *t = w->t;
    const struct entry *e = &t->log[ply];

    out_object(o, NULL);
    out_int(o, "ply", ply);
    out_string(o, "kind", entry_words[e->kind]);
    if (e->seat != ENTRY_NOBODY)
        json_seat(o, "seat", e->seat);
    if (e->kind == ENTRY_MOVE) {
        json_move(o, "move", t->rules, w->s, told);
        if (e->seat != RULES_NATURE)
            out_int(o, "decision", e->other);
    }
    if (e->kind == ENTRY_UNDO)
        out_int(o, "undoes", e->other);
    if (e->kind == ENTRY_REWIND)
        out_int(o, "to", e->other);
    if (e->kind == ENTRY_NONCE && e->seat < RULES_SEATS_MAX &&
        t->state == TABLE_OPEN)
        out_string(o, "nonce", t->nonce[e->seat]);
    out_int(o, "at", e->at);
    json_events(o, "events", t->rules, w->s, &hub->events, viewer);
    if (e->undone)
        out_bool(o, "undone", true);
    out_end(o);
}

static void table_replay(struct hub *hub, struct table *t, struct request *q)
{
    int64_t last = (int64_t)t->log_count - 1;
    int64_t from = param_int(q, "from", 0), to = param_int(q, "to", last);
    int64_t next = -1;
    struct rules_move told;
    struct walk w;
    int viewer;

    if (!viewer_of(hub, t, q, &viewer))
        return;
    if (to > last)
        to = last;
    walk_init(&w, t, NULL);
    struct json_out *o = result_begin(hub, q);
    out_object(o, "result");
    out_list(o, "plies");
    for (int64_t ply = 0; ply <= to && next < 0; ply++) {
        const struct entry *e = &t->log[ply];
        if (e->kind == ENTRY_MOVE)
            rules_told(t->rules, w.s, e->seat, &e->u.move, viewer, &told);
        walk_step(&w, (uint32_t)ply, &hub->events);
        if (ply < from)
            continue;
        if (o->len > ENOUGH_BYTES)
            next = ply;
        else
            write_entry(hub, o, &w, (uint32_t)ply, viewer, &told);
    }
    out_end(o);
    if (next >= 0)
        out_int(o, "next", next);
    out_end(o);
    walk_done(&w);
    result_end(hub, q, 0);
}

/* ---- one ply ------------------------------------------------------------ */

static void table_at(struct hub *hub, struct table *t, struct request *q)
{
    size_t count = (size_t)param_int(q, "ply", -1) + 1;
    union rules_any room;
    const struct rules_state *view;
    struct table *past;
    struct head head;
    int viewer, as;

    if (!viewer_of(hub, t, q, &viewer))
        return;
    if (count > t->log_count) {
        refuse(hub, q, ERR_NO_SUCH_PLY);
        return;
    }
    past = table_past(hub, t, count);
    /* Who had no seat yet, or another one, saw it so. */
    as = param(q, "as") == NULL ? table_viewer(past, q->account) : viewer;
    view = view_of(past, past->now, as, &room);
    head_make(past, as, view, &head);
    struct json_out *o = result_begin(hub, q);
    out_object(o, "result");
    view_write(o, "view", past, &head, view);
    out_end(o);
    table_past_free(past);
    result_end(hub, q, 0);
}

/* ---- the record ---------------------------------------------------------- */

static void write_header(struct json_out *o, const struct table *t)
{
    struct json_out line;
    char id[ID_SIZE];
    size_t len = strlen(t->row.header);

    ASSERT(len > 2 && t->row.header[len - 1] == '}');
    json_out_init(&line);
    out_list(&line, NULL);
    for (int seat = 0; seat < t->seats; seat++) {
        id_write(t->seat[seat], id);
        out_object(&line, NULL);
        if (t->seat[seat] == 0) {
            out_null(&line, "account");
        } else {
            out_string(&line, "account", id);
        }
        if (t->name[seat][0] == '\0') /* or he is deleted */
            out_null(&line, "name");
        else
            out_string(&line, "name", t->name[seat]);
        out_end(&line);
    }
    out_end(&line);
    char *text = NULL;
    int n = asprintf(&text, "%.*s,\"players\":%s}", (int)(len - 1),
                     t->row.header, json_out_text(&line));
    ASSERT(n > 0);
    out_string_n(o, NULL, text, (size_t)n);
    free(text);
    json_out_done(&line);
}

static void write_line(struct json_out *o, const struct ply_row *row)
{
    char hex[2 * SHA256_SIZE + 1] = "";
    char *text = NULL;

    hex_write(hex, row->chain, SHA256_SIZE);
    int n = asprintf(&text, "%.*s,\"chain\":\"%s\"}", (int)(row->len - 1),
                     row->line, hex);
    ASSERT(n > 0);
    out_string_n(o, NULL, text, (size_t)n);
    free(text);
}

static void write_numbers(struct json_out *o, const char *key,
                          const struct table *t, const uint8_t *small,
                          const int32_t *large)
{
    out_list(o, key);
    for (int seat = 0; seat < t->seats; seat++)
        out_int(o, NULL, small != NULL ? small[seat] : large[seat]);
    out_end(o);
}

/* Behind the line of ROW; the result is null while there is none. */
static void write_footer(struct json_out *o, const struct table *t,
                         const struct ply_row *row)
{
    struct json_out line;
    struct head head;
    char hex[2 * SHA256_SIZE + 1] = "";

    hex_write(hex, row->chain, SHA256_SIZE);
    json_out_init(&line);
    out_object(&line, NULL);
    out_string(&line, "chain", hex);
    if (t->state != TABLE_FINISHED) {
        out_null(&line, "result");
    } else {
        head_make(t, RULES_WATCHER, t->now, &head);
        out_object(&line, "result");
        write_numbers(&line, "places", t, head.score.place, NULL);
        out_string(&line, "reason", t->result);
        write_numbers(&line, "totals", t, NULL, head.score.total);
        out_end(&line);
    }
    out_end(&line);
    out_string_n(o, NULL, json_out_text(&line), line.len);
    json_out_done(&line);
}

/* Line 0 is the header, line N + 1 the entry of ply N, and then the footer. */
void record_read(struct hub *hub, struct request *q,
                 const struct answer *answer)
{
    struct table *t = q->table;
    size_t from = (size_t)param_int(q, "from", 0);
    size_t last = answer->ply_count + 1, at = from;
    size_t header = strlen(t->row.header);

    if (answer->ply_count == 0 || header <= 2 ||
        t->row.header[header - 1] != '}') { /* what is stored is damaged */
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    /* Nobody here knows the result of a game by newer rules.  A damaged one is
     * told as it lies there, for whoever looks into it. */
    bool newer = t->rules == NULL || t->revision > t->rules->revision;
    if (newer && t->row.now.state == TABLE_FINISHED) {
        refuse(hub, q, ERR_NEWER_CORE);
        return;
    }
    struct json_out *o = result_begin(hub, q);

    out_object(o, "result");
    out_list(o, "lines");
    for (; at <= last && o->len <= ENOUGH_BYTES; at++) {
        if (at == 0)
            write_header(o, t);
        else if (at < last)
            write_line(o, &answer->plies[at - 1]);
        else
            write_footer(o, t, &answer->plies[answer->ply_count - 1]);
    }
    out_end(o);
    if (at <= last)
        out_int(o, "next", (int64_t)at);
    out_end(o);
    result_end(hub, q, 0);
}

static void table_record(struct hub *hub, struct table *t, struct request *q)
{
    struct question ask = {.kind = ASK_TABLE, .table = t->id};
    enum error e = table_may_watch(t, q);

    if (e == ERR_NONE && t->state != TABLE_FINISHED)
        e = ERR_NOT_FINISHED;
    if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        hub_ask(hub, q, &ask, record_read);
}

const table_handler replay_handlers[METHODS] = {
    [M_TABLE_REPLAY] = table_replay,
    [M_TABLE_AT] = table_at,
    [M_TABLE_RECORD] = table_record,
};
