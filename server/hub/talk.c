/* talk.c -- what people say at tables, what they have read, their own notes and
 * studies.
 * None of it is part of the log or of a view. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

static const char *const room_words[] = {"table", "spectators"};

static int room_of(const struct request *q)
{
    return strcmp(param_text(q, "room"), "spectators") == 0 ? ROOM_SPECTATORS
                                                            : ROOM_TABLE;
}

/* Players talk at the table; the others beside it, where players do not listen
 * while they play.  Everybody who may watch may read the table's. */
static enum error may_use(const struct table *t, const struct request *q,
                          int room, bool write)
{
    struct access s = table_access(t, q->account);
    enum error e = table_may_watch(t, q);

    if (e != ERR_NONE)
        return e;
    if (!access_reads(s, t->state, (uint8_t)room) ||
        (write && room == ROOM_TABLE && !s.sits))
        return ERR_FORBIDDEN;
    return ERR_NONE;
}

/* ---- saying ------------------------------------------------------------- */

static void write_text(struct json_out *o, const struct text_row *row)
{
    char id[ID_SIZE];

    id_write(row->table, id);
    out_int(o, "text", (int64_t)row->number);
    out_string(o, "table", id);
    out_string(o, "room", room_words[row->room]);
    if (row->name != NULL && row->name[0] != '\0')
        out_string(o, "from", row->name);
    else
        out_null(o, "from");
    out_int(o, "at", row->at);
    if (row->body != NULL)
        out_string(o, "body", row->body);
    else
        out_null(o, "body");
}

static struct message *chat_message(struct hub *hub,
                                    const struct text_row *row)
{
    struct json_out *o = &hub->out;

    json_out_reset(o);
    out_object(o, NULL);
    out_string(o, "jsonrpc", "2.0");
    out_string(o, "method", notifications[N_TABLE_CHAT].name);
    out_object(o, "params");
    write_text(o, row);
    out_end(o);
    out_end(o);
    return message_new(json_out_text(o), o->len);
}

/* To those who watch T and may read it, but who blocks who asks Q (NULL: nobody),
 * when TRANSACTION is stored. */
static void show_watchers(struct hub *hub, const struct table *t,
                          const struct text_row *row, const struct request *q,
                          transaction_id transaction)
{
    struct message *message = chat_message(hub, row);

    for (const struct watched *w = t->watchers; w != NULL;
         w = w->next_at_table) {
        id_num who = watched_account(w);
        if (!access_reads(table_access(t, who), t->state, row->room) ||
            (q != NULL && blocks_by(q, who)))
            continue;
        hub->host->send(hub->host, w->peer->id, message, transaction);
    }
    message_unref(message);
}

void talk_show(struct hub *hub, const struct table *t,
               const struct text_row *row, const struct request *q)
{
    show_watchers(hub, t, row, q, 0);
}

static void spread(struct change *c, const struct text_row *row)
{
    const struct table *t = c->table;

    show_watchers(c->hub, t, row, c->request, c->id);
    for (int seat = 0; row->room == ROOM_TABLE && seat < t->seats; seat++)
        if (t->seat[seat] != row->from &&
            !blocks_by(c->request, t->seat[seat]))
            change_concerns(c, t->seat[seat], "chat");
}

static void chat_stored(struct hub *hub, struct request *q)
{
    q->table->texts_told = q->table->texts_last;
    key_answer(hub, q);
}

static void chat_keyed(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct table *t = q->table;
    const char *body = param_text(q, "text");
    struct json_out o;

    if (key_answered(hub, q, answer))
        return;
    struct change *c = change_begin(hub, q, t);
    struct op *op = change_op(c, OP_TEXT);
    op->account = q->account;
    op->u.text = (struct text_row){
        .number = ++t->texts_last,
        .table = t->id,
        .from = q->account,
        .name = q->name,
        .room = (uint8_t)room_of(q),
        .at = hub->now_ms,
        .body = change_text(c, body),
    };
    struct text_row row = op->u.text;
    row.body = body;
    json_out_init(&o);
    out_object(&o, NULL);
    out_int(&o, "text", (int64_t)row.number);
    out_end(&o);
    key_keep(c, &o);
    json_out_done(&o);
    spread(c, &row);
    change_submit(c, chat_stored);
}

void handle_table_chat(struct hub *hub, struct table *t, struct request *q)
{
    enum error e = may_use(t, q, room_of(q), true);

    if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        key_ask(hub, q, chat_keyed);
}

/* ---- reading ------------------------------------------------------------ */

/* An answer holds the last texts that fit into it: the first of them. */
static size_t first_fitting(const struct answer *answer)
{
    size_t i = answer->text_count, bytes = 0;

    while (i > 0) {
        const char *body = answer->texts[i - 1].body;
        bytes += 300; /* all but the body */
        for (; body != NULL && *body != '\0'; body++)
            bytes += (unsigned char)*body < ' ' ? 6 : 2;
        if (bytes > LIMIT_PAGE_BYTES)
            break;
        i--;
    }
    return i;
}

static void texts_read(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    size_t first = first_fitting(answer);
    struct json_out *o = list_begin(hub, q, "texts");

    for (size_t i = first; i < answer->text_count; i++) {
        out_object(o, NULL);
        write_text(o, &answer->texts[i]);
        out_end(o);
    }
    out_end(o);
    out_int(o, "read", (int64_t)answer->mark);
    out_bool(o, "more", answer->more || first > 0);
    result_end(hub, q);
}

void handle_table_texts(struct hub *hub, struct table *t, struct request *q)
{
    struct question ask = {
        .kind = ASK_TEXTS,
        .limit = (size_t)param_int(q, "limit", 50),
        .u.texts =
            {
                .table = t->id,
                .account = q->account,
                .room = (uint8_t)room_of(q),
                .before = (uint64_t)param_int(q, "before", 0),
            },
    };
    enum error e = may_use(t, q, room_of(q), false);

    if (e != ERR_NONE)
        refuse(hub, q, e);
    else
        hub_ask(hub, q, &ask, texts_read);
}

static void done_stored(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

void handle_table_read(struct hub *hub, struct table *t, struct request *q)
{
    enum error e = table_may_watch(t, q);

    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    if ((uint64_t)param_int(q, "text", 0) > t->texts_last) {
        refuse(hub, q, ERR_NO_SUCH_TEXT);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    struct op *op = change_op(c, OP_MARK);
    op->account = q->account;
    op->u.number = (uint64_t)param_int(q, "text", 0);
    change_submit(c, done_stored);
}

/* ---- notes -------------------------------------------------------------- */

static void answer_note(struct hub *hub, struct request *q, const char *note)
{
    struct json_out *o = result_begin(hub, q);

    out_string(o, "text", note);
    result_end(hub, q);
}

static void note_stored(struct hub *hub, struct request *q)
{
    answer_note(hub, q, param_text(q, "text"));
}

static void note_read(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    answer_note(hub, q, answer->text != NULL ? answer->text : "");
}

/* Tells what somebody has written down of T, as ASK_NOTE or ASK_STUDY, or, if it
 * is sent with the request, stores it by that op. */
static void write_down(struct hub *hub, struct table *t, struct request *q,
                       enum question_kind kind, enum op_kind put)
{
    const char *note = param_text(q, "text");
    enum error e = table_may_watch(t, q);

    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    if (param(q, "text") == NULL) {
        struct question ask = {
            .kind = kind,
            .u.note = {.table = t->id, .account = q->account},
        };
        hub_ask(hub, q, &ask, note_read);
        return;
    }
    struct change *c = change_begin(hub, q, t);
    struct op *op = change_op(c, put);
    op->account = q->account;
    op->u.note = change_text(c, note);
    change_submit(c, note_stored);
}

void handle_table_note(struct hub *hub, struct table *t, struct request *q)
{
    write_down(hub, t, q, ASK_NOTE, OP_NOTE);
}

void handle_table_study(struct hub *hub, struct table *t, struct request *q)
{
    q->conflict = ERR_TOO_MANY_STUDIES;
    write_down(hub, t, q, ASK_STUDY, OP_STUDY);
}

/* ---- the administrator's ----------------------------------------------- */

static void all_read(struct hub *hub, struct request *q,
                     const struct answer *answer)
{
    size_t first = first_fitting(answer);
    struct json_out *o = list_begin(hub, q, "texts");

    for (size_t i = answer->text_count; i-- > first;) {
        out_object(o, NULL);
        write_text(o, &answer->texts[i]);
        out_end(o);
    }
    bool more = answer->text_count > 0 && (answer->more || first > 0);
    list_end_at(hub, q, more ? (int64_t)answer->texts[first].number : 0);
}

void handle_admin_texts(struct hub *hub, struct table *t, struct request *q)
{
    struct question ask = {
        .kind = ASK_TEXTS,
        .limit = (size_t)param_int(q, "limit", 100),
        .u.texts =
            {
                .table = t->id,
                .room = ROOM_ANY,
                .before = (uint64_t)param_int(q, "before", 0),
            },
    };
    hub_ask(hub, q, &ask, all_read);
}

/* Whoever watches gets the text once more, without a body. */
static void removal_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct table *t = q->table;
    uint64_t number = (uint64_t)param_int(q, "text", 0);

    if (answer->text_count != 1 || answer->texts->number != number ||
        answer->texts->body == NULL) {
        refuse(hub, q, ERR_NO_SUCH_TEXT);
        return;
    }
    struct text_row row = *answer->texts;
    row.body = NULL;
    struct change *c = change_begin(hub, q, t);
    struct op *op = change_op(c, OP_TEXT_DROP);
    op->u.text = (struct text_row){
        .number = number,
        .table = t->id,
        .at = hub->now_ms,
    };
    audit_put(c, q, t->id, row.from);
    q->conflict = ERR_NO_SUCH_TEXT;
    show_watchers(hub, t, &row, NULL, c->id);
    change_submit(c, done_stored);
}

void handle_admin_texts_remove(struct hub *hub, struct table *t,
                               struct request *q)
{
    struct question ask = {
        .kind = ASK_TEXTS,
        .limit = 1,
        .u.texts =
            {
                .table = t->id,
                .room = ROOM_ANY,
                .before = (uint64_t)param_int(q, "text", 0) + 1,
            },
    };
    hub_ask(hub, q, &ask, removal_found);
}
