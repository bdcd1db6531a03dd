/* test_params.c -- what every method does with parameters that are not as the
 * table of methods says.  Made from that table, so a new method is tested as
 * soon as it stands there. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/methods.h"
#include "tests/support/desk.h"

static struct desk d;
static peer_id anna, admin;

static void begin(void)
{
    struct peer_info info = {.source = 1,
                             .direct = true,
                             .admin = true,
                             .notices = true};

    desk_open(&d, 17);
    anna = desk_user(&d, "anna");
    admin = ++d.peers;
    hub_open(d.world.hub, admin, &info, d.world.now);
}

static void end(void)
{
    desk_close(&d);
}

TestSuite(params, .init = begin, .fini = end);

static peer_id who(const struct method_info *m)
{
    return m->role == ROLE_ADMIN ? admin : anna;
}

/* ---- values made from shapes ------------------------------------------- */

static json_t *text_of(size_t len, enum shape_charset charset)
{
    char *text = malloc(len + 1);

    ASSERT(text != NULL);
    memset(text, charset == CHARSET_HEX ? 'a' : 'x', len);
    text[len] = '\0';
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *good(const struct shape *s);

static json_t *good_object(const struct shape *s)
{
    json_t *object = json_object();

    for (const struct shape_member *m = s->members; m->name != NULL; m++)
        if (!m->optional)
            json_object_set_new(object, m->name, good(m->shape));
    return object;
}

/* A value that S takes, the least there is. */
static json_t *good(const struct shape *s)
{
    json_t *list;

    switch (s->kind) {
    case SHAPE_ANY: return json_string("anything");
    case SHAPE_NULL: return json_null();
    case SHAPE_BOOL: return json_true();
    case SHAPE_INT: return json_integer(s->min);
    case SHAPE_STRING:
        return s->words != NULL ? json_string(s->words[0])
                                : text_of((size_t)s->min, s->charset);
    case SHAPE_OBJECT: return good_object(s);
    case SHAPE_MAP: return json_object();
    case SHAPE_ONE_OF: return good(s->choices[0]);
    case SHAPE_LIST:
        list = json_array();
        for (int64_t i = 0; i < s->min; i++)
            json_array_append_new(list, good(s->item));
        return list;
    }
    return NULL;
}

#define BAD_MAX 8

static void add(json_t **bad, size_t *n, json_t *value)
{
    ASSERT(*n < BAD_MAX && value != NULL);
    bad[(*n)++] = value;
}

static json_t *long_list(const struct shape *s, int64_t n)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; i++)
        json_array_append_new(list, good(s->item));
    return list;
}

/* Values that S does not take: another type, just too small, just too large,
 * other letters. */
static size_t bad(const struct shape *s, json_t **values)
{
    size_t n = 0;

    if (s->kind == SHAPE_ANY)
        return 0;
    add(values, &n, json_real(0.5));
    if (!s->null)
        add(values, &n, json_null());
    add(values, &n,
        s->kind == SHAPE_STRING ? json_integer(7) : json_string("word"));
    switch (s->kind) {
    case SHAPE_INT:
        add(values, &n, json_integer(s->min - 1));
        add(values, &n, json_integer(s->max + 1));
        break;
    case SHAPE_STRING:
        if (s->words != NULL) {
            add(values, &n, json_string("no such word"));
            break;
        }
        if (s->min > 0)
            add(values, &n, text_of((size_t)s->min - 1, s->charset));
        add(values, &n, text_of((size_t)s->max + 1, s->charset));
        if (s->charset == CHARSET_ID || s->charset == CHARSET_HEX) {
            json_t *text = text_of((size_t)s->min, s->charset);
            char *copy = strdup(json_string_value(text));
            copy[0] = '%';
            add(values, &n, json_string(copy));
            free(copy);
            json_decref(text);
        }
        break;
    case SHAPE_LIST:
        if (s->min > 0)
            add(values, &n, json_array());
        if (s->max <= 1000)
            add(values, &n, long_list(s, s->max + 1));
        break;
    case SHAPE_OBJECT:
        if (s->members[0].name != NULL && !s->members[0].optional)
            add(values, &n, json_object());
        break;
    default: break;
    }
    return n;
}

/* ---- the tests --------------------------------------------------------- */

/* What requests that are refused must leave as it is. */
static size_t stored(void)
{
    const struct disk *disk = &d.world.disk;
    return disk->account_count + disk->token_count + disk->table_count +
           disk->key_count + disk->note_count;
}

static void refused(const struct method_info *m, json_t *params,
                    const char *path)
{
    size_t before = stored();
    const json_t *answer = desk_ask_json(&d, who(m), m->name, params);
    const json_t *data = json_object_get(json_object_get(answer, "error"),
                                         "data");
    const char *where = json_string_value(json_object_get(data, "path"));
    const char *expected = json_string_value(
        json_object_get(data, "expected"));

    REASON(answer, "invalid_params");
    cr_assert_eq(json_integer_value(
                     json_object_get(json_object_get(answer, "error"),
                                     "code")),
                 -32602);
    cr_assert(where != NULL && strncmp(where, path, strlen(path)) == 0,
              "%s: %s is not %s", m->name, where, path);
    cr_assert(expected != NULL && expected[0] != '\0', "%s%s", m->name, path);
    cr_assert_eq(stored(), before);
}

/* A parameter nobody knows is refused, by its name. */
Test(params, unknown)
{
    for (int i = 0; i < METHODS; i++) {
        json_t *params = good(&methods[i].params);
        if (methods[i].params.more || methods[i].params.kind != SHAPE_OBJECT) {
            json_decref(params);
            continue;
        }
        json_object_set_new(params, "nonsense", json_true());
        refused(&methods[i], params, "/nonsense");
    }
}

/* Each that must be there is missed, by its name. */
Test(params, missing)
{
    for (int i = 0; i < METHODS; i++) {
        const struct shape_member *m = methods[i].params.members;
        for (; m->name != NULL; m++) {
            char path[64];
            if (m->optional)
                continue;
            json_t *params = good(&methods[i].params);
            json_object_del(params, m->name);
            snprintf(path, sizeof(path), "/%s", m->name);
            refused(&methods[i], params, path);
        }
    }
}

/* Each that is of another type, too short, too long, too many or of other
 * letters is refused, and the answer says where and what was expected. */
Test(params, wrong)
{
    size_t tried = 0;

    for (int i = 0; i < METHODS; i++) {
        const struct shape_member *m = methods[i].params.members;
        for (; m->name != NULL; m++) {
            json_t *values[BAD_MAX];
            size_t n = bad(m->shape, values);
            for (size_t k = 0; k < n; k++) {
                char path[64];
                json_t *params = good(&methods[i].params);
                json_object_set_new(params, m->name, values[k]);
                snprintf(path, sizeof(path), "/%s", m->name);
                refused(&methods[i], params, path);
                tried++;
            }
        }
    }
    cr_assert(tried > 300, "%zu", tried);
}

/* What the table of methods takes the hub takes: no valid request is answered
 * with a bad parameter, but where more is asked than a shape can say. */
Test(params, right)
{
    for (int i = 0; i < METHODS; i++) {
        const struct method_info *m = &methods[i];
        const json_t *answer = desk_ask_json(&d, who(m), m->name,
                                             good(&m->params));
        cr_assert_str_neq(desk_reason(answer), "internal_error");
        if (i == M_ADMIN_IMPORT ||       /* the first piece has to say so */
            i == M_ADMIN_SESSIONS_END || /* one of the two, not none */
            i == M_ADMIN_BACKUP)         /* a path from the root on */
            continue;
        cr_assert_str_neq(desk_reason(answer), "invalid_params", "%s",
                          m->name);
        if (i == M_SESSION_LOGOUT)
            anna = desk_user(&d, "berta");
    }
}

/* Without a log-in, or an administrator's socket, nothing else is looked at. */
Test(params, roles)
{
    peer_id stranger = desk_come(&d, 0);

    for (int i = 0; i < METHODS; i++) {
        const struct method_info *m = &methods[i];
        json_t *params = json_pack("{s:b}", "nonsense", 1);
        const json_t *answer = desk_ask_json(&d, stranger, m->name, params);
        REASON(answer, m->role == ROLE_ADMIN  ? "forbidden"
                       : m->role == ROLE_USER ? "not_authenticated"
                                              : "invalid_params");
        if (m->role == ROLE_ADMIN)
            REASON(desk_ask_json(&d, anna, m->name, good(&m->params)),
                   "forbidden");
    }
}

/* A token does what its scopes say, whichever method it is; one that may not
 * read makes none that may. */
Test(params, scopes)
{
    static const enum method_scope all[] = {SCOPE_READ, SCOPE_PLAY,
                                            SCOPE_ACCOUNT};

    for (size_t s = 0; s < COUNT_OF(all); s++) {
        json_t *made = desk_ask(&d, anna, "account.tokens.create",
                                "{s:s,s:[s]}", "label", "bot", "scopes",
                                method_scopes[all[s]]);
        peer_id bot = desk_come(&d, 0);
        FINE(desk_ask(&d, bot, "session.resume", "{s:s}", "token",
                      desk_text(made, "token")));
        for (int i = 0; i < METHODS; i++) {
            const struct method_info *m = &methods[i];
            if (m->role != ROLE_USER || i == M_SESSION_LOGOUT)
                continue;
            const json_t *answer = desk_ask_json(&d, bot, m->name,
                                                 good(&m->params));
            cr_assert_eq(strcmp(desk_reason(answer), "out_of_scope") == 0,
                         m->scope != all[s] || i == M_ACCOUNT_TOKENS_CREATE,
                         "%s by %s: %s", m->name, method_scopes[all[s]],
                         desk_reason(answer));
        }
    }
}

/* Tables that are not there are said not to be there, by every method that is
 * about one; whatever their id looks like. */
Test(params, no_table)
{
    static const char *const ids[] = {"aaaaaaaaaaaab", "aaaaaaaaaaaaa", "x",
                                      "AAAAAAAAAAAAB",
                                      "abcdefghijklmnopqrstuvwxyz234567"};

    for (int i = 0; i < METHODS; i++) {
        const struct method_info *m = &methods[i];
        for (size_t k = 0; m->table && k < COUNT_OF(ids); k++) {
            json_t *params = good(&m->params);
            json_object_set_new(params, "table", json_string(ids[k]));
            REASON(desk_ask_json(&d, who(m), m->name, params),
                   "no_such_table");
        }
    }
    cr_assert_eq(d.world.disk.table_count, 0);
}

/* When the server goes, nothing begins any more, whatever it is. */
Test(params, shutting_down)
{
    hub_shutdown(d.world.hub, d.world.now);
    for (int i = 0; i < METHODS; i++)
        REASON(desk_ask_json(&d, who(&methods[i]), methods[i].name,
                             good(&methods[i].params)),
               "shutting_down");
}
