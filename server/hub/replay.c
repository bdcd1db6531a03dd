/* replay.c -- looking back: the log as one was told it, the view at an earlier
 * ply, and the record of a finished game. */

#include <stdio.h>
#include <stdlib.h>

#include "core/text.h"
#include "inner.h"

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

/* What entry PLY was to all who watched. */
static void write_public(struct json_out *o, const struct entry *e)
{
    if (entry_is_told(e))
        entry_tell(o, e);
}

bool replay_events(struct hub *hub, struct json_out *o, struct table *t,
                   struct walk *w, int viewer)
{
    struct entry e;

    out_list(o, "events");
    while (w->past.log.count < t->log.count) {
        if (!walk_step(hub, w, &e))
            return false;
        write_public(o, &e);
        for (size_t k = 0; k < w->events.count; k++)
            if (w->events.at[k].seen_by & RULES_BIT(viewer))
                json_event(o, NULL, t->rules, w->past.rules_state,
                           &w->events.at[k]);
        if (walk_fold(hub, w, UINT64_MAX) != WALK_DONE)
            return false;
    }
    out_end(o);
    return true;
}

/* ---- looking back in slices --------------------------------------------- */

/* What a request that looks back has so far. */
struct look {
    struct walk walk;
    int viewer;
    bool as;       /* chosen by the asker, and not who they are */
    uint32_t from; /* entries before the first to be told ... */
    uint32_t end;  /* ... and with the last */
    bool stepped;  /* over ENTRY, which is not written yet */
    struct entry entry;
    char
        nonce[NONCE_SIZE]; /* its own: the log may grow before it is written */
    struct rules_move redacted;
    struct json_out out;
};

static void look_done(struct request *q)
{
    struct look *look = q->kept;

    walk_done(&look->walk);
    json_out_done(&look->out);
}

/* Begins to look at T as it was with COUNT entries, for the asker of Q. */
static struct look *look_begin(struct table *t, struct request *q, int viewer,
                               uint32_t count)
{
    struct look *look = q->kept = region_take(&q->region, sizeof(*look));

    walk_begin(&look->walk, t, count);
    json_out_init(&look->out);
    look->viewer = viewer;
    q->done = look_done;
    return look;
}

static void answer_look(struct hub *hub, struct request *q)
{
    struct look *look = q->kept;
    result_raw(hub, q, json_out_text(&look->out), look->out.len);
}

void replay_broken(struct hub *hub, const struct table *t, struct request *q)
{
    journal_table(hub, t, "not_replayable");
    refuse(hub, q, ERR_INTERNAL);
}

static void write_entry(struct hub *hub, struct look *look)
{
    const struct table *past = &look->walk.past, *t = past->home;
    const struct entry *e = &look->entry;
    struct json_out *o = &look->out;
    size_t before = o->len;

    out_object(o, NULL);
    out_int(o, "ply", past->log.count - 1);
    out_string(o, "kind", entry_words[e->kind]);
    if (e->seat != ENTRY_NOBODY)
        json_seat(o, "seat", e->seat);
    if (e->kind == ENTRY_MOVE) {
        json_move(o, "move", t->rules, past->rules_state, &look->redacted);
        if (e->seat != RULES_NATURE)
            out_int(o, "decision", e->decision);
    }
    entry_tell_more(o, e);
    if (entry_forms[e->kind].nonce && t->state == TABLE_OPEN)
        out_string(o, "nonce", e->u.nonce);
    out_int(o, "at", e->at);
    json_events(o, "events", t->rules, past->rules_state, &look->walk.events,
                look->viewer);
    if (e->undone)
        out_bool(o, "undone", true);
    out_end(o);
    look->stepped = false;
    hub->effort += (o->len - before) / BYTES_EFFORT;
}

/* Over the next entry; a move is written at once, as its events are not kept.
 * What others take back has to be played again first. */
static bool replay_step(struct hub *hub, struct look *look)
{
    struct walk *w = &look->walk;
    struct entry next;

    log_at(&w->past.home->log, w->past.log.count, &next);
    if (next.kind == ENTRY_MOVE)
        rules_redact_move(w->past.rules, w->past.rules_state, next.seat,
                          &next.u.move, look->viewer, &look->redacted);
    if (!walk_step(hub, w, &look->entry))
        return false;
    if (entry_forms[look->entry.kind].nonce) {
        (void)snprintf(look->nonce, sizeof(look->nonce), "%s",
                       look->entry.u.nonce);
        look->entry.u.nonce = look->nonce;
    }
    look->stepped = true;
    if (next.kind == ENTRY_MOVE)
        write_entry(hub, look);
    return true;
}

/* The page is full, or has what was wanted. */
static void replay_end(struct hub *hub, struct request *q)
{
    struct look *look = q->kept;
    struct json_out *o = &look->out;

    out_end(o);
    if (look->walk.past.log.count < look->end)
        out_int(o, "next", look->walk.past.log.count);
    out_end(o);
    answer_look(hub, q);
}

static bool replay_slice(struct hub *hub, struct table *t, struct request *q)
{
    struct look *look = q->kept;
    struct walk *w = &look->walk;
    uint64_t limit = work_limit(hub);

    walk_attach(w, t);
    while (walk_to(hub, w, look->from, limit) == WALK_DONE) {
        if (look->stepped)
            write_entry(hub, look);
        if (w->past.log.count >= look->end ||
            look->out.len > LIMIT_PAGE_BYTES) {
            replay_end(hub, q);
            return false;
        }
        if (hub->effort >= limit || !replay_step(hub, look))
            break;
    }
    if (!w->broken)
        return true;
    replay_broken(hub, t, q);
    return false;
}

void handle_table_replay(struct hub *hub, struct table *t, struct request *q)
{
    int64_t last = (int64_t)t->log.count - 1;
    int64_t from = param_int(q, "from", 0), to = param_int(q, "to", last);
    int viewer;

    if (!viewer_of(hub, t, q, &viewer))
        return;
    if (to > last)
        to = last;
    if (from > to)
        from = to + 1;
    struct look *look = look_begin(t, q, viewer, (uint32_t)from);
    look->from = (uint32_t)from;
    look->end = (uint32_t)(to + 1);
    out_object(&look->out, NULL);
    out_list(&look->out, "plies");
    work_later(hub, q, replay_slice);
}

/* ---- one ply ------------------------------------------------------------ */

static bool at_slice(struct hub *hub, struct table *t, struct request *q)
{
    struct look *look = q->kept;
    struct table *past = &look->walk.past;
    union rules_any room;
    struct view_header header;

    walk_attach(&look->walk, t);
    enum walked walked = walk_to(hub, &look->walk, look->end, work_limit(hub));
    if (walked == WALK_BROKEN)
        replay_broken(hub, t, q);
    if (walked != WALK_DONE)
        return walked == WALK_MORE;
    entries_conclude(past);
    /* Who had no seat yet, or another one, saw it so. */
    int as = look->as ? look->viewer : table_viewer(past, q->account);
    const struct rules_state *view = view_of(past, past->rules_state, as,
                                             &room);
    view_header_make(past, as, view, &header);
    out_object(&look->out, NULL);
    view_write(&look->out, "view", past, &header, view);
    out_end(&look->out);
    hub->effort += look->out.len / BYTES_EFFORT;
    answer_look(hub, q);
    return false;
}

void handle_table_at(struct hub *hub, struct table *t, struct request *q)
{
    int64_t ply = param_int(q, "ply", -1);
    int viewer;

    if (!viewer_of(hub, t, q, &viewer))
        return;
    if (ply < 0 || ply >= t->log.count) {
        refuse(hub, q, ERR_NO_SUCH_PLY);
        return;
    }
    struct look *look = look_begin(t, q, viewer, (uint32_t)ply + 1);
    look->end = (uint32_t)ply + 1;
    look->as = param(q, "as") != NULL;
    work_later(hub, q, at_slice);
}

/* ---- the record ---------------------------------------------------------- */

/* That are read for a page: their lines are longer than a page may be, nearly
 * always. */
#define RECORD_PLIES 512

/* A page of one: strings of a list, or lines as they are. */
struct page {
    struct json_out *o;
    bool file;
};

static void put_line(const struct page *page, const char *text, size_t len)
{
    if (!page->file) {
        out_string_n(page->o, NULL, text, len);
        return;
    }
    out_raw(page->o, NULL, text, len);
    out_line(page->o);
}

static void write_header(const struct page *page, const struct table *t)
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
        if (t->name[seat][0] == '\0') /* or deleted */
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
    put_line(page, text, (size_t)n);
    free(text);
    json_out_done(&line);
}

static void write_line(const struct page *page, const struct ply_row *row)
{
    char hex[2 * SHA256_SIZE + 1] = "";
    char *text = NULL;

    hex_write(hex, row->chain, SHA256_SIZE);
    int n = asprintf(&text, "%.*s,\"chain\":\"%s\"}", (int)(row->len - 1),
                     row->line, hex);
    ASSERT(n > 0);
    put_line(page, text, (size_t)n);
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
static void write_footer(const struct page *page, const struct table *t,
                         const struct ply_row *row)
{
    struct json_out line;
    struct view_header header;
    char hex[2 * SHA256_SIZE + 1] = "";

    hex_write(hex, row->chain, SHA256_SIZE);
    json_out_init(&line);
    out_object(&line, NULL);
    out_string(&line, "chain", hex);
    if (t->state != TABLE_FINISHED) {
        out_null(&line, "result");
    } else {
        view_header_make(t, RULES_WATCHER, t->rules_state, &header);
        out_object(&line, "result");
        write_numbers(&line, "places", t, header.score.place, NULL);
        out_string(&line, "reason", t->result);
        write_numbers(&line, "totals", t, NULL, header.score.total);
        out_end(&line);
    }
    out_end(&line);
    put_line(page, json_out_text(&line), line.len);
    json_out_done(&line);
}

/* Line 0 is the header, line N + 1 the entry of ply N, and then the footer. */
static void record_read(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct table *t = q->table;
    size_t last = answer->log_count + 1, at = (size_t)param_int(q, "from", 0);
    size_t first = answer->ply_count > 0 ? answer->plies[0].ply : 0;
    size_t end = first + answer->ply_count; /* of the plies that were read */
    size_t header = strlen(t->row.header);

    if (answer->log_count == 0 || header <= 2 ||
        t->row.header[header - 1] != '}') { /* what is stored is damaged */
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    /* Nobody here knows the result of a game by newer rules.  A damaged one is
     * told as it lies there, for whoever looks into it. */
    bool newer = t->rules == NULL || t->revision > t->rules->revision;
    if (newer && t->row.summary.state == TABLE_FINISHED) {
        refuse(hub, q, ERR_NEWER_CORE);
        return;
    }
    struct page page = {
        q->form == FORM_LINES ? file_begin(hub) : list_begin(hub, q, "lines"),
        q->form == FORM_LINES,
    };
    if (end == answer->log_count)
        end = last;
    for (; at <= end && page.o->len <= LIMIT_PAGE_BYTES; at++) {
        if (at == 0)
            write_header(&page, t);
        else if (at < last)
            write_line(&page, &answer->plies[at - 1 - first]);
        else
            write_footer(&page, t, &answer->plies[answer->ply_count - 1]);
    }
    int64_t next = at <= last ? (int64_t)at : 0;
    if (page.file)
        file_end(hub, q, next);
    else
        list_end_at(hub, q, next);
}

void record_ask(struct hub *hub, struct request *q, const struct table *t)
{
    struct question ask = {.kind = ASK_TABLE, .u.table = {.id = t->id}};
    int64_t from = param_int(q, "from", 0);

    /* The first line's entry, and one more for a footer that is alone. */
    if (from > 2)
        ask.u.table.from = from < UINT32_MAX / 2 ? (uint32_t)from - 2
                                                 : UINT32_MAX / 2;
    ask.u.table.until = ask.u.table.from + RECORD_PLIES;
    hub_ask(hub, q, &ask, record_read);
}

void handle_table_record(struct hub *hub, struct table *t, struct request *q)
{
    enum error e = table_may_watch(t, q);

    if (e == ERR_NONE && t->state != TABLE_FINISHED)
        e = ERR_NOT_FINISHED;
    if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        record_ask(hub, q, t);
}
