/* crowd_heard.c -- what people make of what they hear, and what must be true
 * of it; see crowd.h. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "crowd.h"

int64_t json_number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static const char *json_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

static int table_index(const struct crowd *c, const char *id)
{
    for (size_t i = 0; i < c->tables; i++)
        if (strcmp(c->table[i], id) == 0)
            return (int)i;
    return -1;
}

static const struct disk_table *on_disk(struct crowd *c, int table)
{
    id_num id = 0;
    HOLDS(c, id_read(c->table[table], &id));
    const struct disk_table *t = disk_table(&c->world.disk, id);
    HOLDS(c, t != NULL);
    return t;
}

/* ---- patches (RFC 6902, as far as updates use it) ---------------------- */

static void patch_one(struct crowd *c, json_t *view, const json_t *op)
{
    char path[256], *step, *rest;
    json_t *at = view, *value = json_object_get(op, "value");

    snprintf(path, sizeof(path), "%s", json_text(op, "path"));
    HOLDS(c, path[0] == '/');
    HOLDS(c, strcmp(json_text(op, "op"), "replace") == 0 && value != NULL);
    step = strtok_r(path + 1, "/", &rest);
    for (;;) {
        char *next = strtok_r(NULL, "/", &rest);
        bool list = json_is_array(at);
        size_t i = list ? strtoul(step, NULL, 10) : 0;
        json_t *was = list ? json_array_get(at, i) : json_object_get(at, step);
        HOLDS(c, was != NULL);
        if (next != NULL) {
            at = was;
            step = next;
            continue;
        }
        /* A copy: later operations may reach into it. */
        value = json_deep_copy(value);
        if (list)
            json_array_set_new(at, i, value);
        else
            json_object_set_new(at, step, value);
        return;
    }
}

static void check_hash(struct crowd *c, const json_t *view, const char *hash)
{
    uint8_t sum[SHA256_SIZE];
    char hex[2 * SHA256_SIZE + 1] = "";
    char *text = json_dumps(view, JSON_COMPACT | JSON_SORT_KEYS);

    sha256(text, strlen(text), sum);
    free(text);
    hex_write(hex, sum, sizeof(sum));
    HOLDS(c, strcmp(hex, hash) == 0);
}

/* The chain that is told is the one on the disk. */
static void check_chain(struct crowd *c, int table, int64_t ply,
                        const char *chain)
{
    const struct disk_table *t = on_disk(c, table);
    char hex[2 * SHA256_SIZE + 1] = "";

    HOLDS(c, ply >= 0 && (size_t)ply < t->ply_count);
    hex_write(hex, t->plies[ply].chain, SHA256_SIZE);
    HOLDS(c, strcmp(hex, chain) == 0);
}

/* ---- views ------------------------------------------------------------- */

void crowd_forget_view(struct person *p, int table)
{
    json_decref(p->view[table]);
    p->view[table] = NULL;
}

/* P has heard of the ply of their view of TABLE: it is stored, and plies never
 * go back, whoever crashed in between. */
static void saw(struct crowd *c, struct person *p, int table)
{
    const json_t *view = p->view[table];
    int64_t ply = json_number(view, "ply");
    const char *state = json_text(view, "state");

    HOLDS(c, ply >= p->seen[table]);
    HOLDS(c, (size_t)ply < on_disk(c, table)->ply_count);
    p->seen[table] = ply;
    c->over[table] = strcmp(state, "finished") == 0 ||
                     strcmp(state, "abandoned") == 0;
}

static void hear_update(struct crowd *c, struct person *p,
                        const json_t *params)
{
    int table = table_index(c, json_text(params, "table"));
    const char *hash = json_text(params, "view_hash");
    const json_t *patch = json_object_get(params, "patch");

    HOLDS(c, table >= 0);
    c->count.updates++;
    if (p->view[table] == NULL)
        return;
    if (json_number(params, "from") != json_number(p->view[table], "ply")) {
        crowd_watch(c, p, table, true);
        return;
    }
    HOLDS(c, json_number(params, "ply") > json_number(params, "from"));
    for (size_t i = 0; i < json_array_size(patch); i++)
        patch_one(c, p->view[table], json_array_get(patch, i));
    HOLDS(c, json_number(p->view[table], "ply") == json_number(params, "ply"));
    saw(c, p, table);
    p->chain[table][0] = '\0';
    if (hash[0] != '\0') {
        check_hash(c, p->view[table], hash);
        snprintf(p->chain[table], sizeof(p->chain[table]), "%s",
                 json_text(params, "chain"));
        check_chain(c, table, json_number(params, "ply"), p->chain[table]);
    }
    json_decref(p->legal[table]);
    p->legal[table] = NULL;
    /* Who has lost their seat may hear no more of it, but this. */
    const struct table_row *row = &on_disk(c, table)->row;
    if (json_is_null(json_object_get(p->view[table], "you")) &&
        (!row->spectators || row->private_))
        p->watching[table] = false;
}

/* What P knows of a table that they leave is forgotten, unless they have asked
 * already to go on from it. */
static void hear_unwatch(struct person *p, int table)
{
    bool goes_on = false;

    for (size_t i = 0; i < p->asked_count; i++)
        goes_on |= p->asked[i].method == M_TABLE_WATCH &&
                   p->asked[i].table == table;
    if (!goes_on)
        crowd_forget_view(p, table);
    p->watching[table] = false;
}

static void hear_watch(struct crowd *c, struct person *p,
                       const struct asked *a, const json_t *result)
{
    json_t *view = json_object_get(result, "view");
    const json_t *updates = json_object_get(result, "updates");
    int t = a->table;

    if (!p->logged_in)
        return; /* cut off on the way: no updates came before it */
    if (view != NULL) {
        if (p->view[t] != NULL &&
            json_number(p->view[t], "ply") == json_number(view, "ply")) {
            /* A fresh view of the same ply is the one that patches made. */
            HOLDS(c, json_equal(view, p->view[t]));
            c->count.compared++;
        }
        json_decref(p->view[t]);
        p->view[t] = json_deep_copy(view);
        saw(c, p, t);
    }
    /* They may have heard more since they asked, as they watched until then. */
    int64_t since = json_number(a->params, "since");
    bool ahead = json_array_size(updates) > 0 && p->view[t] != NULL &&
                 json_number(p->view[t], "ply") > since;
    for (size_t i = 0; i < json_array_size(updates); i++) {
        const json_t *update = json_array_get(updates, i);
        HOLDS(c, i > 0 || json_number(update, "from") == since);
        hear_update(c, p, update);
        c->count.resumed++;
    }
    p->watching[t] = p->view[t] != NULL;
    /* They asked again on the way, and were refused as too much waits there. */
    if (ahead || (p->view[t] == NULL && json_array_size(updates) > 0))
        return;
    HOLDS(c, p->view[t] != NULL &&
                 json_number(p->view[t], "ply") == json_number(result, "ply"));
    snprintf(p->chain[t], sizeof(p->chain[t]), "%s",
             json_text(result, "chain"));
    check_chain(c, t, json_number(result, "ply"), p->chain[t]);
    json_decref(p->legal[t]);
    p->legal[t] = NULL;
}

/* The view at the ply that one has the view of is that view. */
static void hear_at(struct crowd *c, struct person *p, const struct asked *a,
                    const json_t *result)
{
    const json_t *view = json_object_get(result, "view");
    const json_t *mine = p->view[a->table];

    if (mine == NULL || json_number(view, "ply") != json_number(mine, "ply") ||
        !json_equal(json_object_get(view, "you"),
                    json_object_get(mine, "you")))
        return;
    HOLDS(c, json_equal(view, mine));
    c->count.looked_back++;
}

/* ---- what was acknowledged ---------------------------------------------- */

/* The word for what a request of that kind is in the log, or NULL. */
static const char *kind_of(enum method m)
{
    switch (m) {
    case M_TABLE_JOIN: return "join";
    case M_TABLE_LEAVE: return "leave";
    case M_TABLE_NONCE: return "nonce";
    case M_TABLE_START: return "start";
    case M_TABLE_RESIGN: return "resign";
    case M_TABLE_MOVE: return "move";
    case M_TABLE_UNDO: return "undo";
    default: return NULL;
    }
}

static void check_one(struct crowd *c, const struct acked *a)
{
    const struct disk_table *t = on_disk(c, a->table);
    json_t *line, *what;

    HOLDS(c, (size_t)a->ply < t->ply_count);
    line = json_loads(t->plies[a->ply].line, 0, NULL);
    const char *kind = json_text(line, "kind");
    /* The last to join a table has started it; that is the same
     * transaction. */
    HOLDS(c,
          strcmp(kind, kind_of(a->method)) == 0 ||
              (a->method == M_TABLE_LEAVE && strcmp(kind, "abandon") == 0) ||
              /* They had given up by a miss. */
              (a->method == M_TABLE_RESIGN && strcmp(kind, "miss") == 0));
    what = json_object_get(line, a->method == M_TABLE_MOVE   ? "move"
                                 : a->method == M_TABLE_UNDO ? "undoes"
                                                             : "kind");
    char *text = json_dumps(what,
                            JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    HOLDS(c, a->says == NULL || strcmp(text, a->says) == 0);
    free(text);
    json_decref(line);
}

void crowd_check_acked(struct crowd *c)
{
    for (size_t i = 0; i < c->acked_count; i++)
        check_one(c, &c->acked[i]);
}

/* The same thing is done once, and no ply is two things. */
static void check_once(struct crowd *c, const struct acked *a, bool duplicate)
{
    for (size_t i = 0; i < c->acked_count; i++) {
        const struct acked *b = &c->acked[i];
        if (b->table != a->table)
            continue;
        bool same = b->who == a->who && b->method == a->method &&
                    b->decision == a->decision && b->says != NULL &&
                    a->says != NULL && strcmp(b->says, a->says) == 0;
        HOLDS(c, !same || (b->ply == a->ply && duplicate));
        HOLDS(c, same || b->ply != a->ply || a->says == NULL);
    }
}

static void hear_ply(struct crowd *c, const struct person *p,
                     const struct asked *a, const json_t *result)
{
    const json_t *what =
        json_object_get(a->params, a->method == M_TABLE_MOVE ? "move" : "ply");
    bool duplicate = json_is_true(json_object_get(result, "duplicate"));
    struct acked one = {
        .who = p,
        .method = a->method,
        .table = a->table,
        .ply = json_number(result, "ply"),
        .decision = json_number(a->params, "decision"),
    };

    if (!json_is_integer(json_object_get(result, "ply")))
        return;
    if (a->method == M_TABLE_MOVE || a->method == M_TABLE_UNDO)
        one.says = json_dumps(what,
                              JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    /* After a join that started it the answer names the last ply. */
    if (a->method != M_TABLE_JOIN && a->method != M_TABLE_START &&
        a->method != M_TABLE_LEAVE && a->method != M_TABLE_NONCE) {
        check_one(c, &one);
        check_once(c, &one, duplicate);
    } else {
        HOLDS(c, (size_t)one.ply < on_disk(c, a->table)->ply_count);
        return;
    }
    c->count.duplicates += duplicate;
    if (duplicate) {
        for (size_t i = 0; i < c->acked_count; i++)
            if (c->acked[i].ply == one.ply && c->acked[i].table == one.table) {
                free(one.says);
                return;
            }
    }
    c->count.moves += a->method == M_TABLE_MOVE;
    c->count.undos += a->method == M_TABLE_UNDO;
    c->count.resigns += a->method == M_TABLE_RESIGN;
    c->acked = realloc(c->acked, (c->acked_count + 1) * sizeof(*c->acked));
    ASSERT(c->acked != NULL);
    c->acked[c->acked_count++] = one;
}

/* What was said at a table is on the disk in the same words. */
static void hear_chat(struct crowd *c, const struct asked *a,
                      const json_t *result)
{
    const struct disk_table *t = on_disk(c, a->table);
    int64_t n = json_number(result, "text");

    HOLDS(c, n >= 1 && (size_t)n <= t->text_count);
    HOLDS(c, strcmp(t->texts[n - 1].body, json_text(a->params, "text")) == 0);
    c->count.chats++;
}

/* ---- records ------------------------------------------------------------ */

static void hear_record(struct crowd *c, struct person *p,
                        const struct asked *a, const json_t *result)
{
    const json_t *lines = json_object_get(result, "lines");
    const json_t *next = json_object_get(result, "next");
    struct record_fault fault;
    char why[sizeof(fault.why) + 64];

    if (json_number(a->params, "from") == 0)
        c->record_len = 0;
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        size_t len = strlen(line);
        c->record = realloc(c->record, c->record_len + len + 1);
        ASSERT(c->record != NULL);
        memcpy(c->record + c->record_len, line, len);
        c->record_len += len;
        c->record[c->record_len++] = '\n';
    }
    if (next != NULL) {
        crowd_ask(c, p, M_TABLE_RECORD, a->table,
                  json_pack("{s:I}", "from", json_integer_value(next)));
        return;
    }
    if (!record_verify(c->record, c->record_len, &fault)) {
        record_fault_text(&fault, why, sizeof(why));
        crowd_broken(c, __FILE__, __LINE__, why);
    }
    c->record_whole = true;
}

/* ---- answers ------------------------------------------------------------ */

static void hear_created(struct crowd *c, const json_t *result)
{
    const char *id = json_text(result, "table");
    id_num number = 0;

    HOLDS(c,
          id_read(id, &number) && disk_table(&c->world.disk, number) != NULL);
    if (table_index(c, id) < 0 && c->tables < TABLES_MAX)
        snprintf(c->table[c->tables++], sizeof(c->table[0]), "%s", id);
}

static void hear_result(struct crowd *c, struct person *p,
                        const struct asked *a, const json_t *result)
{
    switch (a->method) {
    case M_ACCOUNT_REGISTER:
    case M_ACCOUNT_GUEST:
        snprintf(p->token, sizeof(p->token), "%s", json_text(result, "token"));
        p->logged_in = true;
        break;
    case M_SESSION_RESUME: p->logged_in = true; break;
    case M_TABLE_CREATE: hear_created(c, result); break;
    case M_TABLE_WATCH: hear_watch(c, p, a, result); break;
    case M_TABLE_UNWATCH: hear_unwatch(p, a->table); break;
    case M_TABLE_AT: hear_at(c, p, a, result); break;
    case M_TABLE_LEGAL:
        json_decref(p->legal[a->table]);
        p->legal[a->table] = json_deep_copy(result);
        break;
    case M_TABLE_CHAT: hear_chat(c, a, result); break;
    case M_ADMIN_REWIND: c->count.rewinds++; break;
    case M_ADMIN_REPLACE: c->count.replaced++; break;
    case M_ADMIN_ABANDON: c->count.ended++; break;
    case M_TABLE_RECORD: hear_record(c, p, a, result); break;
    default:
        if (kind_of(a->method) != NULL)
            hear_ply(c, p, a, result);
    }
}

static void hear_answer(struct crowd *c, struct person *p, const json_t *text)
{
    int id = (int)json_number(text, "id");
    const json_t *result = json_object_get(text, "result");
    struct shape_fault fault;
    size_t i = 0;

    if (json_is_null(json_object_get(text, "id")) || id == -1)
        return; /* nonsense was refused */
    while (i < p->asked_count && p->asked[i].id != id)
        i++;
    HOLDS(c, i < p->asked_count); /* nothing is answered twice */
    struct asked a = p->asked[i];
    p->asked[i] = p->asked[--p->asked_count];
    if (result != NULL) {
        bool fits = shape_check(&methods[a.method].result, result, &fault);
        if (!fits)
            fprintf(stderr, "# result of %s at %s: expected %s\n",
                    methods[a.method].name, fault.path, fault.expected);
        HOLDS(c, fits);
        hear_result(c, p, &a, result);
    } else {
        const json_t *error = json_object_get(text, "error");
        const json_t *data = json_object_get(error, "data");
        HOLDS(c, json_text(data, "reason")[0] != '\0');
        c->count.refused++;
        c->count.stale += json_number(error, "code") == 2003;
    }
    json_decref(a.params);
}

/* What is said at a table is heard in its order, and once. */
static void hear_text(struct crowd *c, struct person *p, const json_t *params)
{
    int table = table_index(c, json_text(params, "table"));
    int64_t number = json_number(params, "text");

    HOLDS(c, table >= 0);
    if (json_is_null(json_object_get(params, "body")))
        return; /* it is removed */
    HOLDS(c, number > p->text[table]);
    p->text[table] = number;
    c->count.texts++;
}

static void hear_notification(struct crowd *c, struct person *p,
                              const char *method, const json_t *params)
{
    struct shape_fault fault;
    int n = 0;

    while (n < NOTIFICATIONS && strcmp(method, notifications[n].name) != 0)
        n++;
    HOLDS(c, n < NOTIFICATIONS);
    HOLDS(c, shape_check(&notifications[n].params, params, &fault));
    if (n == N_TABLE_UPDATE)
        hear_update(c, p, params);
    if (n == N_TABLE_CHAT)
        hear_text(c, p, params);
}

void crowd_heard(struct world *w, peer_id peer, const char *text, size_t len)
{
    struct crowd *c = w->arg;
    struct person *p = crowd_person(c, peer);
    json_error_t why;
    json_t *value = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);

    crowd_trace(c, peer, text, len);
    if (getenv("SHOW") != NULL)
        fprintf(stderr, "< %s %.300s\n", p != NULL ? p->name : "-", text);
    if (!json_is_object(value))
        fprintf(stderr, "# %s: %.300s\n", why.text,
                text + (why.position > 150 ? why.position - 150 : 0));
    HOLDS(c, json_is_object(value));
    HOLDS(c, len <= 1 << 20);
    const char *method = json_string_value(json_object_get(value, "method"));
    if (p == NULL) {
        /* gone meanwhile */
    } else if (method == NULL) {
        hear_answer(c, p, value);
    } else {
        hear_notification(c, p, method, json_object_get(value, "params"));
    }
    json_decref(value);
}
