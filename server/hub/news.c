/* news.c -- see news.h. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

/* ---- what others are told ------------------------------------------------ */

static void out_id(struct json_out *o, const char *key, id_num id)
{
    char text[ID_SIZE];

    id_write(id, text);
    out_string(o, key, text);
}

static id_num node_of(struct hub *hub)
{
    if (hub->news.node == 0)
        hub->news.node = random_id(hub);
    return hub->news.node;
}

static void begin(struct change *c)
{
    if (c->news.len > 0)
        return;
    out_object(&c->news, NULL);
    out_id(&c->news, "node", node_of(c->hub));
    out_list(&c->news, "tables");
}

/* Whether OP changes what others have in memory of its table, besides its log. */
static bool is_beside(const struct op *op)
{
    switch (op->kind) {
    case OP_INVITE:
    case OP_INVITE_DROP:
    case OP_ORDER:
    case OP_NAMED:
    case OP_RENAMED:
    case OP_ARCHIVE:
    case OP_RETURN: return true;
    default: return false;
    }
}

/* Whose time is up is looked for by others, too: this hub may be gone by then. */
static void put_late(struct change *c)
{
    int64_t late, remind;

    deadlines_of(c->hub, c->table, &c->after, &late, &remind);
    out_int(&c->news, "late", late < INT64_MAX ? late : 0);
    out_int(&c->news, "remind", remind < INT64_MAX ? remind : 0);
}

void news_table(struct change *c)
{
    const struct table *t = c->table;
    struct json_out *o = &c->news;
    uint64_t text = 0, removed = 0;
    bool beside = false;

    if (!c->hub->config.shared || t == NULL)
        return;
    for (const struct op *op = c->transaction.first; op; op = op->next) {
        if (op->kind == OP_TEXT)
            text = op->u.text.number;
        if (op->kind == OP_TEXT_DROP)
            removed = op->u.text.number;
        beside |= op->table == t->id && is_beside(op);
    }
    if (c->row_count == 0 && c->concern_count == 0 && text == 0 &&
        removed == 0 && !beside)
        return;
    begin(c);
    out_object(o, NULL);
    out_id(o, "table", t->id);
    out_int(o, "entries", t->log.count);
    if (text != 0)
        out_int(o, "text", (int64_t)text);
    if (removed != 0)
        out_int(o, "removed", (int64_t)removed);
    if (beside)
        out_bool(o, "beside", true);
    if (c->row_count > 0 &&
        (t->clocks != NULL || c->before.quiet != c->after.quiet))
        put_late(c);
    out_list(o, "told");
    for (size_t i = 0; i < c->concern_count; i++) {
        out_list(o, NULL);
        out_id(o, NULL, c->concerns[i].account);
        out_string(o, NULL, c->concerns[i].kind);
        out_end(o);
    }
    out_end(o);
    out_end(o);
}

/* Whose name, ban, password or tokens are not what they were by OP, or 0. */
static id_num account_of(const struct op *op)
{
    switch (op->kind) {
    case OP_ACCOUNT:
    case OP_BAN:
    case OP_PASSWORD:
    case OP_NAME:
    case OP_GUEST_DROP:
    case OP_ACCOUNT_DROP: return op->account;
    case OP_TOKEN_DROP:
    case OP_TOKENS_DROP: return op->u.token.account;
    default: return 0;
    }
}

void news_end(struct change *c)
{
    struct json_out *o = &c->news;
    id_num last = 0;

    if (!c->hub->config.shared)
        return;
    for (const struct op *op = c->transaction.first; op; op = op->next)
        if (account_of(op) != 0 || op->kind == OP_BLOCK)
            begin(c);
    if (o->len == 0)
        return;
    out_end(o);
    out_list(o, "accounts");
    for (const struct op *op = c->transaction.first; op; op = op->next) {
        id_num account = account_of(op);
        if (account != 0 && account != last)
            out_id(o, NULL, account);
        last = account != 0 ? account : last;
    }
    out_end(o);
    out_list(o, "blocks");
    for (const struct op *op = c->transaction.first; op; op = op->next) {
        if (op->kind != OP_BLOCK)
            continue;
        out_list(o, NULL);
        out_id(o, NULL, op->u.block.account);
        out_id(o, NULL, op->u.block.other);
        out_end(o);
    }
    out_end(o);
    out_end(o);
    c->transaction.news = change_text(c, json_out_text(o));
    json_out_reset(o);
}

/* ---- hearing ------------------------------------------------------------- */

static id_num id_in(const json_t *value)
{
    const char *text = json_string_value(value);
    id_num id;

    return text != NULL && id_read(text, &id) ? id : 0;
}

static uint64_t number_in(const json_t *line, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(line, key));
}

/* A moment, or INT64_MAX: never. */
static int64_t when(const json_t *line, const char *key)
{
    int64_t ms = json_integer_value(json_object_get(line, key));
    return ms != 0 ? ms : INT64_MAX;
}

static void hear_table(struct hub *hub, const json_t *line,
                       struct id_list *heard)
{
    id_num id = id_in(json_object_get(line, "table"));
    const json_t *told = json_object_get(line, "told");

    for (size_t i = 0; i < json_array_size(told); i++) {
        const json_t *pair = json_array_get(told, i);
        const char *kind = json_string_value(json_array_get(pair, 1));
        if (kind != NULL)
            watch_tell(hub, id_in(json_array_get(pair, 0)), kind, id, 0);
    }
    if (json_object_get(line, "late") != NULL)
        deadlines_heard(hub, id, when(line, "late"), when(line, "remind"));
    struct heard h = {
        .entries = number_in(line, "entries"),
        .text = number_in(line, "text"),
        .removed = number_in(line, "removed"),
        .beside = json_is_true(json_object_get(line, "beside")),
    };
    if (look_at_table(hub, id, &h))
        id_put(heard, id);
}

/* Puts the tables that are to be looked at into HEARD. */
static void hear(struct hub *hub, const char *text, struct id_list *heard)
{
    char why[JSON_EXPECTED_MAX];
    json_t *line = json_parse(text, strlen(text), why);
    const json_t *tables = json_object_get(line, "tables");
    const json_t *accounts = json_object_get(line, "accounts");
    const json_t *blocks = json_object_get(line, "blocks");

    if (id_in(json_object_get(line, "node")) != node_of(hub)) {
        for (size_t i = 0; i < json_array_size(tables); i++)
            hear_table(hub, json_array_get(tables, i), heard);
        for (size_t i = 0; i < json_array_size(accounts); i++)
            look_at_account(hub, id_in(json_array_get(accounts, i)));
        for (size_t i = 0; i < json_array_size(blocks); i++) {
            const json_t *pair = json_array_get(blocks, i);
            id_num whom = id_in(json_array_get(pair, 1));
            if (whom != 0)
                blocks_part(hub, id_in(json_array_get(pair, 0)), whom);
        }
    }
    json_decref(line);
}

static void ask_for_more(struct hub *hub);

/* ANSWER, to ASK_NEWS; what was heard of already by another one is passed
 * over.  No table goes on before all of it is heard: what waits there may be
 * about the last line. */
static void take(struct hub *hub, const struct answer *answer)
{
    struct news *n = &hub->news;
    struct id_list heard = {0};

    /* Another server may have taken the database's place, and know less. */
    if (!n->begun || answer->news_lost || answer->news_last < n->seen) {
        n->begun = true;
        n->seen = answer->news_last;
        look_at_all(hub);
        return;
    }
    for (size_t i = 0; i < answer->news_count; i++) {
        const struct news_row *row = &answer->news[i];
        if (row->number <= n->seen)
            continue;
        n->seen = row->number;
        hear(hub, row->text, &heard);
    }
    for (size_t i = 0; i < heard.count; i++) {
        struct table *t = table_find(hub, heard.ids[i]);
        if (t != NULL)
            table_go_on(hub, t);
    }
    free(heard.ids);
    if (answer->more)
        ask_for_more(hub);
}

/* ---- asking -------------------------------------------------------------- */

static void ask(struct hub *hub, struct request *q, answered_cb then)
{
    struct question question = {
        .kind = ASK_NEWS,
        .limit = LIMIT_NEWS,
        .u.after = hub->news.begun ? hub->news.seen : UINT64_MAX,
    };
    hub_ask(hub, q, &question, then);
}

static void found(struct hub *hub, struct request *q,
                  const struct answer *answer)
{
    struct news *n = &hub->news;

    n->asking = false;
    take(hub, answer);
    if (!answer->more)
        n->heard_ms = n->asked_ms;
    result_empty(hub, q);
    if (n->again)
        ask_for_more(hub);
}

/* One question at a time: what comes meanwhile is asked for after it. */
static void ask_for_more(struct hub *hub)
{
    struct news *n = &hub->news;

    n->again = n->asking;
    if (n->asking)
        return;
    n->asking = true;
    n->asked_ms = hub->now_ms;
    ask(hub, job_new(hub), found);
}

static void found_first(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    look_before(q->table, q);
    q->fresh = !answer->more;
    take(hub, answer);
}

bool news_first(struct hub *hub, struct table *t, struct request *q)
{
    if (!hub->config.shared)
        return false;
    if (look_is_due(hub, t, q)) {
        q->judged = false;
        queue_put_first(&t->queue, q);
        (void)look_at_table(hub, t->id, &(struct heard){.all = true});
        return true;
    }
    if (q->fresh || q->job != NULL ||
        (q->method == M_TABLE_MOVE && play_fits(t, q)))
        return false;
    ask(hub, q, found_first);
    return true;
}

uint64_t news_place(struct hub *hub, uint64_t range)
{
    return hub->config.shared ? node_of(hub) % range : 0;
}

int64_t news_patience(struct hub *hub)
{
    if (!hub->config.shared)
        return 0;
    return LIMIT_PATIENCE_MS + (int64_t)news_place(hub, LIMIT_PATIENCE_MS);
}

int64_t news_margin(const struct hub *hub)
{
    return hub->config.shared ? LIMIT_NEWS_LATE_MS : 1;
}

void hub_news(struct hub *hub, int64_t now_ms)
{
    hub->now_ms = now_ms;
    if (hub->config.shared && !hub->closing)
        ask_for_more(hub);
}

void news_tick(struct hub *hub)
{
    if (!hub->config.shared || hub->closing)
        return;
    /* One that was refused, as the store could not tell, is not under way. */
    hub->news.asking = false;
    ask_for_more(hub);
    look_on(hub);
}
