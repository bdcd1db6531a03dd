/* admin_record.c -- records out and in: admin.export, admin.import.
 *
 * An import comes in pieces, as a message has a limit and a record has none:
 * one at a time, of one connection; who begins another drops it.
 *
 * admin.archive takes the log of a finished game out of the store once the
 * record lies elsewhere; an import of that record brings the table back. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"
#include "protocol/record.h"

void handle_admin_export(struct hub *hub, struct table *t, struct request *q)
{
    record_ask(hub, q, t);
}

/* ---- archiving -------------------------------------------------------- */

/* Whoever asks for it here from now on is told, and nobody keeps it loaded. */
static void archived(struct hub *hub, struct request *q)
{
    struct table *t = table_find(hub, q->table->id);
    struct json_out *o = result_begin(hub, q);

    out_int(o, "plies", (int64_t)t->log.count);
    result_end(hub, q);
    t->archived = true;
    t->readable = false;
    watch_end(t);
}

void handle_admin_archive(struct hub *hub, struct table *t, struct request *q)
{
    const uint8_t *chain = t->chain;
    char hex[2 * SHA256_SIZE + 1] = "";

    hex_write(hex, chain, SHA256_SIZE);
    if (t->state != TABLE_FINISHED) {
        refuse(hub, q, ERR_NOT_FINISHED);
        return;
    }
    if (strcmp(param_text(q, "chain"), hex) != 0) {
        refuse(hub, q, ERR_BAD_RECORD);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    audit_put(c, q, t->id, 0);
    struct op *op = change_op(c, OP_ARCHIVE);
    op->u.archive.at = hub->now_ms;
    memcpy(op->u.archive.chain, chain, SHA256_SIZE);
    q->conflict = ERR_BAD_RECORD;
    change_submit(c, archived);
}

/* ---- importing -------------------------------------------------------- */

#define IMPORT_BYTES_MAX (64u << 20)
#define EFFORT_JUDGED    40 /* of any line, besides what a large state takes */

struct import {
    peer_id peer;
    uint64_t number;
    struct record *record;
    struct region region; /* the rows and their texts */
    struct ply_row *rows;
    size_t count, cap, bytes;
    int64_t lines, created, changed;
    bool whole; /* it is only to be stored */
    const char *header;
    id_num seat[RULES_SEATS_MAX]; /* accounts, as at the table's making */
};

void import_free(struct import *import)
{
    if (import == NULL)
        return;
    record_free(import->record);
    region_done(&import->region);
    free(import->rows);
    free(import);
}

static void drop(struct hub *hub)
{
    import_free(hub->import);
    hub->import = NULL;
}

static void begin(struct hub *hub, struct request *q)
{
    drop(hub);
    hub->import = calloc(1, sizeof(*hub->import));
    ASSERT(hub->import != NULL);
    hub->import->peer = q->peer;
    hub->import->number = ++hub->last;
    hub->import->record = record_new();
}

/* Follows who has which seat: by its number before empty ones were removed. */
static bool keep_seat(struct import *m)
{
    const struct record *r = m->record;
    int seat = r->entry.seat;

    switch (r->entry.kind) {
    case ENTRY_JOIN: return id_read(r->account, &m->seat[seat]);
    case ENTRY_LEAVE: m->seat[seat] = 0; return true;
    case ENTRY_REPLACED:
        return id_read(r->account, &m->seat[r->audit.from[seat]]);
    default: return true;
    }
}

/* What the line that was just read leaves to be stored. */
static bool keep_line(struct import *m)
{
    struct record *r = m->record;
    const char *text = region_text(&m->region, json_out_text(&r->text),
                                   r->text.len);

    if (m->lines == 1) {
        m->header = text;
        m->created = json_integer_value(json_object_get(r->header, "created"));
        return true;
    }
    if (r->audit.ply == m->count) /* it was the footer */
        return true;
    if (m->count == m->cap) {
        m->cap = m->cap ? 2 * m->cap : 256;
        m->rows = reallocarray(m->rows, m->cap, sizeof(*m->rows));
        ASSERT(m->rows != NULL);
    }
    struct ply_row *row = &m->rows[m->count];
    *row = (struct ply_row){(uint32_t)m->count, text, r->text.len, {0}};
    memcpy(row->chain, r->chain, sizeof(row->chain));
    m->count++;
    m->changed = json_integer_value(json_object_get(r->line, "at"));
    return keep_seat(m);
}

static void refuse_record(struct hub *hub, struct request *q,
                          const struct record_fault *fault)
{
    char text[sizeof(fault->why) + 64];

    record_fault_text(fault, text, sizeof(text));
    drop(hub);
    struct json_out *o = refuse_begin(hub, q, ERR_BAD_RECORD);
    out_int(o, "line", (int64_t)fault->line);
    if (fault->place == RECORD_PLY)
        out_int(o, "ply", (int64_t)fault->ply);
    out_string(o, "why", text);
    refuse_end(hub, q);
}

/* Reads one more line of Q; answers and returns false if it is wrong. */
static bool take_line(struct hub *hub, struct request *q, const json_t *line)
{
    struct import *m = hub->import;
    struct record_fault fault = {0};
    size_t len = json_string_length(line);

    bool good = record_line(m->record, json_string_value(line), len, &fault);
    m->lines++;
    m->bytes += len;
    hub->effort += EFFORT_JUDGED;
    if (m->record->rules != NULL)
        hub->effort += m->record->rules->state_size / 32;
    if (good && (!keep_line(m) || m->bytes > IMPORT_BYTES_MAX)) {
        fault = (struct record_fault){.line = (uint64_t)m->lines};
        snprintf(fault.why, sizeof(fault.why), "this server cannot keep it");
        good = false;
    }
    if (!good)
        refuse_record(hub, q, &fault);
    return good;
}

/* A member of the header as text, NULL for null. */
static const char *member_text(struct region *region, const json_t *value)
{
    if (value == NULL || json_is_null(value))
        return NULL;
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
    ASSERT(text != NULL);
    const char *copy = region_text(region, text, strlen(text));
    free(text);
    return copy;
}

static void make_row(struct import *m, id_num id, struct table_row *row)
{
    const struct record *r = m->record;
    const char *options = member_text(&m->region,
                                      json_object_get(r->header, "options"));

    *row = (struct table_row){
        .id = id,
        .game = r->rules->name,
        .created = m->created,
        .spectators = true,
        .seed = r->audit.seed,
        .header = m->header,
        .options = options != NULL ? options : "{}",
        .terms = terms_text(&m->region,
                            r->audit.timed ? &r->audit.timing.terms : NULL),
        .board = board_text(&m->region, r->rules, &r->board),
    };
    if (r->board.text != NULL) {
        row->asset = r->board.text;
        row->asset_len = r->board.len;
    }
    row->summary.seats = (uint8_t)json_integer_value(
        json_object_get(r->header, "seats"));
}

/* The lines are C's from now on. */
static void put_plies(struct change *c, struct import *m, id_num id)
{
    struct op *op = change_op(c, OP_PLIES);
    struct region *region = &c->transaction.region;
    const struct audit *a = &m->record->audit;

    op->table = id;
    op->u.plies.count = m->count;
    op->u.plies.rows = region_take(region,
                                   m->count * sizeof(*op->u.plies.rows));
    memcpy(op->u.plies.rows, m->rows, m->count * sizeof(*m->rows));
    region_join(region, &m->region);
    struct summary *now = &op->u.plies.summary;
    *now = (struct summary){
        .state = TABLE_FINISHED,
        .seats = a->seats,
        .ply = (uint32_t)(m->count - 1),
        .changed = m->changed,
    };
    for (int seat = 0; seat < a->seats; seat++)
        now->seat[seat] = m->seat[a->from[seat]];
}

static void import_stored(struct hub *hub, struct request *q)
{
    const id_num *ids = q->kept;
    struct json_out *o = result_begin(hub, q);
    char id[ID_SIZE];

    id_write(ids[0], id);
    out_int(o, "lines", (int64_t)ids[1]);
    out_string(o, "table", id);
    result_end(hub, q);
}

/* Keeps what came as a new table; or, if it is BACK from an archive, as the one
 * that it was. */
static void keep(struct hub *hub, struct request *q,
                 const struct table_row *back)
{
    struct import *m = hub->import;
    struct change *c = change_begin(hub, q, NULL);
    struct table_row row;
    struct op *op;

    id_num *ids = q->kept = region_take(&q->region, 2 * sizeof(*ids));
    ids[0] = back != NULL ? back->id : random_id(hub);
    ids[1] = (id_num)m->lines;
    if (back != NULL) {
        op = change_op(c, OP_RETURN);
        memcpy(op->u.archive.chain, m->record->chain, SHA256_SIZE);
        q->conflict = ERR_BAD_RECORD;
    } else {
        make_row(m, ids[0], &row);
        op = change_op(c, OP_TABLE);
        table_row_copy(&op->u.table_row, &row, &c->transaction.region);
    }
    op->table = ids[0];
    put_plies(c, m, ids[0]);
    audit_put(c, q, ids[0], 0);
    drop(hub);
    change_submit(c, import_stored);
}

/* What this server has under the id that the record was made for. */
static void looked_up(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    const struct import *m = hub->import;

    if (m == NULL || m->peer != q->peer || !m->whole)
        refuse_param(hub, q, "/first", "true: no record is on its way in");
    else if (answer->table != NULL &&
             answer->table->summary.state == TABLE_ARCHIVED)
        keep(hub, q, answer->table);
    else
        keep(hub, q, NULL);
}

/* All lines are there. */
static void finish(struct hub *hub, struct request *q)
{
    struct import *m = hub->import;
    struct record_fault fault;
    struct question ask = {.kind = ASK_TABLE};

    if (!record_end(m->record, &fault)) {
        refuse_record(hub, q, &fault);
        return;
    }
    if (!audit_has_result(m->record->audit.state)) {
        drop(hub);
        refuse(hub, q, ERR_NOT_FINISHED);
        return;
    }
    m->whole = true;
    if (id_read(m->record->table, &ask.u.table.id))
        hub_ask(hub, q, &ask, looked_up);
    else
        keep(hub, q, NULL);
}

/* How far a message of an import is. */
struct piece {
    uint64_t import; /* its number */
    size_t at;       /* lines read */
};

static bool import_slice(struct hub *hub, struct table *t, struct request *q)
{
    const json_t *lines = param(q, "lines");
    struct piece *piece = q->kept;
    uint64_t limit = work_limit(hub);

    (void)t;
    if (hub->import == NULL || hub->import->number != piece->import) {
        /* Somebody else has begun another one meanwhile. */
        refuse_param(hub, q, "/first", "true: no record is on its way in");
        return false;
    }
    while (piece->at < json_array_size(lines)) {
        if (hub->effort >= limit)
            return true;
        if (!take_line(hub, q, json_array_get(lines, piece->at++)))
            return false;
    }
    if (param_bool(q, "last", false)) {
        finish(hub, q);
        return false;
    }
    int64_t count = hub->import->lines;
    struct json_out *o = result_begin(hub, q);
    out_int(o, "lines", count);
    result_end(hub, q);
    return false;
}

void handle_admin_import(struct hub *hub, struct request *q)
{
    if (param_bool(q, "first", false)) {
        begin(hub, q);
    } else if (hub->import == NULL || hub->import->peer != q->peer ||
               hub->import->whole) {
        refuse_param(hub, q, "/first", "true: no record is on its way in");
        return;
    }
    struct piece *piece = q->kept = region_take(&q->region, sizeof(*piece));
    piece->import = hub->import->number;
    work_later(hub, q, import_slice);
}
