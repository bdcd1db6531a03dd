#include "desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/record.h"

static void heard(struct world *w, peer_id peer, const char *text, size_t len)
{
    struct desk *d = w->arg;
    size_t size = (d->count + 1) * sizeof(*d->messages);

    d->messages = realloc(d->messages, size);
    ASSERT(d->messages != NULL);
    json_t *value = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    ASSERT(value != NULL && len <= 1 << 20);
    d->messages[d->count++] = (struct desk_message){peer, value, len};
}

static void dropped(struct world *w, peer_id peer)
{
    struct desk *d = w->arg;
    if (peer < COUNT_OF(d->cut))
        d->cut[peer] = true;
}

void desk_open(struct desk *d, uint64_t seed)
{
    *d = (struct desk){0};
    world_init(&d->world, seed, heard, dropped, d);
}

void desk_close(struct desk *d)
{
    world_done(&d->world);
    for (size_t i = 0; i < d->count; i++)
        json_decref(d->messages[i].text);
    free(d->messages);
}

peer_id desk_come(struct desk *d, uint64_t source)
{
    struct peer_info info = {
        .source = source != 0 ? source : 1,
        .direct = source == 0,
        .notices = true,
    };
    hub_open(d->world.hub, ++d->peers, &info, d->world.now_ms);
    return d->peers;
}

peer_id desk_user(struct desk *d, const char *name)
{
    peer_id p = desk_come(d, 0);
    json_t *answer = desk_ask(d, p, "account.register", "{s:s,s:s}", "name",
                              name, "password", "password");
    ASSERT(desk_reason(answer)[0] == '\0');
    return p;
}

int desk_send(struct desk *d, peer_id p, const char *method, json_t *params)
{
    json_t *request = json_pack("{s:s,s:i,s:s,s:o}", "jsonrpc", "2.0", "id",
                                ++d->ids, "method", method, "params",
                                params != NULL ? params : json_object());
    char *text = json_dumps(request, JSON_COMPACT);

    ASSERT(text != NULL);
    hub_message(d->world.hub, p, text, strlen(text), d->world.now_ms);
    free(text);
    json_decref(request);
    return d->ids;
}

json_t *desk_create(struct desk *d, peer_id p, json_t *more, char table[16])
{
    json_t *params = more != NULL ? more : json_object();

    json_object_set_new(params, "game", json_string("tictactoe"));
    json_object_set_new(params, "seats", json_integer(2));
    json_t *answer = desk_ask_json(d, p, "table.create", params);
    if (desk_reason(answer)[0] == '\0')
        snprintf(table, 16, "%s", desk_text(answer, "table"));
    return answer;
}

json_t *desk_answer(const struct desk *d, int id)
{
    for (size_t i = d->count; i-- > 0;)
        if (json_integer_value(json_object_get(d->messages[i].text, "id")) ==
            id)
            return d->messages[i].text;
    return NULL;
}

json_t *desk_ask_json(struct desk *d, peer_id p, const char *method,
                      json_t *params)
{
    int id = desk_send(d, p, method, params);

    while (desk_answer(d, id) == NULL && world_step(&d->world))
        continue;
    json_t *answer = desk_answer(d, id);
    ASSERT(answer != NULL);
    return answer;
}

json_t *desk_ask(struct desk *d, peer_id p, const char *method,
                 const char *params, ...)
{
    va_list args;
    json_t *object = NULL;

    if (params != NULL) {
        va_start(args, params);
        object = json_vpack_ex(NULL, 0, params, args);
        va_end(args);
        ASSERT(object != NULL);
    }
    return desk_ask_json(d, p, method, object);
}

const char *desk_reason(const json_t *answer)
{
    const char *reason = json_string_value(json_object_get(
        json_object_get(json_object_get(answer, "error"), "data"), "reason"));
    return reason != NULL ? reason : "";
}

json_t *desk_member(const json_t *answer, const char *name)
{
    return json_object_get(json_object_get(answer, "result"), name);
}

const char *desk_text(const json_t *answer, const char *name)
{
    const char *text = json_string_value(desk_member(answer, name));
    return text != NULL ? text : "";
}

int64_t desk_number(const json_t *answer, const char *name)
{
    return json_integer_value(desk_member(answer, name));
}

json_t *desk_heard(const struct desk *d, peer_id p, const char *method,
                   size_t *ret_count)
{
    json_t *last = NULL;
    size_t n = 0;

    for (size_t i = 0; i < d->count; i++) {
        const char *name = json_string_value(
            json_object_get(d->messages[i].text, "method"));
        if (d->messages[i].peer != p || name == NULL ||
            strcmp(name, method) != 0)
            continue;
        last = json_object_get(d->messages[i].text, "params");
        n++;
    }
    if (ret_count != NULL)
        *ret_count = n;
    return last;
}

void desk_settle(struct desk *d)
{
    while (world_step(&d->world))
        continue;
}

void desk_wait(struct desk *d, int64_t ms)
{
    d->world.now_ms += ms;
    hub_tick(d->world.hub, d->world.now_ms);
    desk_settle(d);
}

char *desk_record(struct desk *d, peer_id p, const char *table,
                  size_t *ret_pages)
{
    char *text = NULL;
    size_t len = 0, pages = 0;
    FILE *f = open_memstream(&text, &len);
    json_int_t from = 0;

    ASSERT(f != NULL);
    for (const json_t *next = json_true(); next != NULL; pages++) {
        json_t *page = desk_ask(d, p, "table.record", "{s:s,s:I}", "table",
                                table, "from", from);
        const json_t *lines = desk_member(page, "lines");
        ASSERT(desk_reason(page)[0] == '\0');
        for (size_t i = 0; i < json_array_size(lines); i++)
            (void)fprintf(f, "%s\n",
                          json_string_value(json_array_get(lines, i)));
        next = desk_member(page, "next");
        from = json_integer_value(next);
    }
    if (ret_pages != NULL)
        *ret_pages = pages;
    int failed = fclose(f);
    ASSERT(failed == 0);
    return text;
}

bool desk_verify(const char *text, char *why, size_t size)
{
    struct record_fault fault;

    if (record_verify(text, strlen(text), &fault))
        return true;
    record_fault_text(&fault, why, size);
    return false;
}
