#include "test_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/record.h"

static void heard(struct world *w, peer_id peer, const char *text, size_t len)
{
    struct test_client *d = w->arg;
    size_t size = (d->count + 1) * sizeof(*d->messages);

    d->messages = realloc(d->messages, size);
    ASSERT(d->messages != NULL);
    json_t *value = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    if (value == NULL) /* a file's page, as it is */
        value = json_stringn(text, len);
    ASSERT(value != NULL && len <= 1 << 20);
    d->messages[d->count++] = (struct test_client_message){peer, value, len};
}

static void dropped(struct world *w, peer_id peer)
{
    struct test_client *d = w->arg;
    if (peer < COUNT_OF(d->cut))
        d->cut[peer] = true;
}

void test_client_open(struct test_client *d, uint64_t seed)
{
    *d = (struct test_client){0};
    world_init(&d->world, seed, heard, dropped, d);
}

void test_client_close(struct test_client *d)
{
    world_done(&d->world);
    for (size_t i = 0; i < d->count; i++)
        json_decref(d->messages[i].text);
    free(d->messages);
}

peer_id test_client_come(struct test_client *d, uint64_t source)
{
    struct peer_info info = {
        .source = source != 0 ? source : 1,
        .direct = source == 0,
        .notices = true,
    };
    hub_open(d->world.hub, ++d->peers, &info, d->world.now_ms);
    return d->peers;
}

peer_id test_client_admin(struct test_client *d)
{
    struct peer_info info = {
        .source = 1,
        .direct = true,
        .admin = true,
        .uid = 77,
    };
    hub_open(d->world.hub, ++d->peers, &info, d->world.now_ms);
    return d->peers;
}

peer_id test_client_user(struct test_client *d, const char *name)
{
    peer_id p = test_client_come(d, 0);
    json_t *answer = test_client_ask(d, p, "account.register", "{s:s,s:s}",
                                     "name", name, "password", "password");
    ASSERT(test_client_reason(answer)[0] == '\0');
    return p;
}

int test_client_send(struct test_client *d, peer_id p, const char *method,
                     json_t *params)
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

json_t *test_client_create(struct test_client *d, peer_id p, json_t *more,
                           char table[16])
{
    json_t *params = more != NULL ? more : json_object();

    json_object_set_new(params, "game", json_string("tictactoe"));
    json_object_set_new(params, "seats", json_integer(2));
    json_t *answer = test_client_ask_json(d, p, "table.create", params);
    if (test_client_reason(answer)[0] == '\0')
        snprintf(table, 16, "%s", test_client_text(answer, "table"));
    return answer;
}

json_t *test_client_move(struct test_client *d, peer_id p, const char *table)
{
    json_t *legal = test_client_ask(d, p, "table.legal", "{s:s}", "table",
                                    table);

    ASSERT(test_client_reason(legal)[0] == '\0');
    return test_client_ask(d, p, "table.move", "{s:s,s:O,s:O}", "table", table,
                           "decision", test_client_member(legal, "decision"),
                           "move",
                           json_array_get(test_client_member(legal, "moves"),
                                          0));
}

json_t *test_client_view(struct test_client *d, peer_id p, const char *table)
{
    json_t *answer = test_client_ask(d, p, "table.watch", "{s:s}", "table",
                                     table);

    ASSERT(test_client_reason(answer)[0] == '\0');
    answer = test_client_member(answer, "view");
    test_client_ask(d, p, "table.unwatch", "{s:s}", "table", table);
    return answer;
}

json_t *test_client_answer(const struct test_client *d, int id)
{
    for (size_t i = d->count; i-- > 0;)
        if (json_integer_value(json_object_get(d->messages[i].text, "id")) ==
            id)
            return d->messages[i].text;
    return NULL;
}

json_t *test_client_ask_json(struct test_client *d, peer_id p,
                             const char *method, json_t *params)
{
    int id = test_client_send(d, p, method, params);

    while (test_client_answer(d, id) == NULL && world_step(&d->world))
        continue;
    json_t *answer = test_client_answer(d, id);
    ASSERT(answer != NULL);
    return answer;
}

json_t *test_client_ask(struct test_client *d, peer_id p, const char *method,
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
    return test_client_ask_json(d, p, method, object);
}

const char *test_client_reason(const json_t *answer)
{
    const char *reason = json_string_value(json_object_get(
        json_object_get(json_object_get(answer, "error"), "data"), "reason"));
    return reason != NULL ? reason : "";
}

json_t *test_client_member(const json_t *answer, const char *name)
{
    return json_object_get(json_object_get(answer, "result"), name);
}

const char *test_client_text(const json_t *answer, const char *name)
{
    const char *text = json_string_value(test_client_member(answer, name));
    return text != NULL ? text : "";
}

int64_t test_client_number(const json_t *answer, const char *name)
{
    return json_integer_value(test_client_member(answer, name));
}

bool test_client_is(const json_t *answer, const char *expected, ...)
{
    const json_t *result = json_object_get(answer, "result");
    va_list args;

    va_start(args, expected);
    json_t *value = json_vpack_ex(NULL, 0, expected, args);
    va_end(args);
    ASSERT(value != NULL);
    bool same = json_equal(result, value);
    if (!same) {
        (void)json_dumpf(answer, stderr, JSON_COMPACT | JSON_SORT_KEYS);
        (void)fputs("\nis not\n", stderr);
        (void)json_dumpf(value, stderr, JSON_COMPACT | JSON_SORT_KEYS);
        (void)fputs("\n", stderr);
    }
    json_decref(value);
    return same;
}

json_t *test_client_heard(const struct test_client *d, peer_id p,
                          const char *method, size_t *ret_count)
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

void test_client_settle(struct test_client *d)
{
    while (world_step(&d->world))
        continue;
}

void test_client_wait(struct test_client *d, int64_t ms)
{
    test_client_settle(d); /* that does not take so long */
    d->world.now_ms += ms;
    hub_tick(d->world.hub, d->world.now_ms);
    test_client_settle(d);
}

char *test_client_record(struct test_client *d, peer_id p, const char *table,
                         size_t *ret_pages)
{
    char *text = NULL;
    size_t len = 0, pages = 0;
    FILE *f = open_memstream(&text, &len);
    json_int_t from = 0;

    ASSERT(f != NULL);
    for (const json_t *next = json_true(); next != NULL; pages++) {
        json_t *page = test_client_ask(d, p, "table.record", "{s:s,s:I}",
                                       "table", table, "from", from);
        const json_t *lines = test_client_member(page, "lines");
        ASSERT(test_client_reason(page)[0] == '\0');
        for (size_t i = 0; i < json_array_size(lines); i++)
            (void)fprintf(f, "%s\n",
                          json_string_value(json_array_get(lines, i)));
        next = test_client_member(page, "next");
        from = json_integer_value(next);
    }
    if (ret_pages != NULL)
        *ret_pages = pages;
    int failed = fclose(f);
    ASSERT(failed == 0);
    return text;
}

bool test_client_verify(const char *text, char *why, size_t size)
{
    struct record_fault fault;

    if (record_verify(text, strlen(text), &fault))
        return true;
    record_fault_text(&fault, why, size);
    return false;
}

/* The lines of a page of a log; the first that is wrong, or NULL. */
static const char *judge_lines(struct record *r, const json_t *lines,
                               struct record_fault *fault)
{
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        if (!record_line(r, line, strlen(line), fault))
            return line;
    }
    return NULL;
}

bool test_client_judge(struct test_client *d, const char *table, char *why,
                       size_t size)
{
    struct record *r = record_new();
    struct record_fault fault = {0};
    peer_id admin = test_client_admin(d);
    const char *wrong = NULL;
    char text[400];
    int64_t from = 0;

    do {
        json_t *page = test_client_ask(d, admin, "admin.export", "{s:s,s:I}",
                                       "table", table, "from",
                                       (json_int_t)from);
        wrong = judge_lines(r, test_client_member(page, "lines"), &fault);
        from = test_client_number(page, "next");
    } while (from != 0 && wrong == NULL);
    if (wrong != NULL) {
        record_fault_text(&fault, text, sizeof(text));
        (void)snprintf(why, size, "%s\n%s", text, wrong);
    }
    record_free(r);
    return wrong == NULL;
}
