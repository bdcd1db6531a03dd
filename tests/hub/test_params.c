/* test_params.c -- what every method does with parameters that are not as the
 * table of methods says.  Made from that table, so a new method is tested as
 * soon as it stands there. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/methods.h"
#include "protocol/sbuf_printf.h"
#include "tests/support/test_client.h"

static struct test_client d;
static peer_id anna, admin, thinker;

static void begin(void)
{
    struct peer_info info = {.source = 1,
                             .direct = true,
                             .admin = true,
                             .notices = true};

    test_client_open(&d, 17);
    anna = test_client_user(&d, "anna");
    admin = ++d.peers;
    hub_open(d.world.hub, admin, &info, d.world.now_ms);
    thinker = ++d.peers;
    const struct peer_info thinks = {.direct = true, .bots = true};
    hub_open(d.world.hub, thinker, &thinks, d.world.now_ms);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(params, .init = begin, .fini = end);

static peer_id who(const struct method_info *m)
{
    return m->role == ROLE_ADMIN  ? admin
           : m->role == ROLE_BOTS ? thinker
                                  : anna;
}

/* ---- values made from shapes ------------------------------------------- */

static json_t *text_of(size_t len, enum shape_charset charset)
{
    char *text = malloc(len + 1);

    ASSERT(text != NULL);
    memset(text, charset == CHARSET_HEX ? 'a' : 'x', len);
    text[len] = '\0';
    if (charset == CHARSET_EMAIL && len > 2)
        text[1] = '@';
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

#define BAD_MAX 12

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
        if (s->charset == CHARSET_EMAIL) {
            add(values, &n, json_string("@ana"));
            add(values, &n, json_string("ana@"));
            add(values, &n, json_string("a@b@c"));
            add(values, &n, json_string("ana at home"));
            add(values, &n, json_string("<ana@b>"));
            add(values, &n, json_string("`ana`@b"));
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
           disk->key_count + disk->note_count + disk->hours_count;
}

static void refused(const struct method_info *m, json_t *params,
                    const char *path)
{
    size_t before = stored();
    const json_t *answer = test_client_ask_json(&d, who(m), m->name, params);
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

/* ---- every place in every request ---------------------------------------- */

/* How to get from the parameters of a method to one value somewhere in them. */
struct step {
    const char *name;           /* of a member; NULL: see CHOICE */
    const struct shape *choice; /* of what may be one of several; or NULL: an
                                 * item of a list */
};

struct spot {
    const struct method_info *method;
    struct step steps[8];
    size_t depth;
    const struct shape *shape; /* NULL: of anything a stranger thinks of */
};

/* Parameters that are right but for VALUE, which stands at PLACE. */
static json_t *planted(const struct shape *s, const struct spot *place,
                       size_t depth, json_t *value)
{
    const struct step *step = &place->steps[depth];
    json_t *holder;

    if (depth == place->depth)
        return value;
    if (s == NULL || s->kind == SHAPE_ANY || s->kind == SHAPE_MAP) {
        ASSERT(s == NULL || step->name != NULL);
        holder = json_object();
    } else if (s->kind == SHAPE_ONE_OF) {
        return planted(step->choice, place, depth + 1, value);
    } else {
        holder = good(s);
    }
    if (json_is_array(holder)) {
        json_array_clear(holder);
        json_array_append_new(holder,
                              planted(s->item, place, depth + 1, value));
        return holder;
    }
    const struct shape *inner = s != NULL && s->kind == SHAPE_MAP ? s->item
                                                                  : NULL;
    if (s != NULL && s->kind == SHAPE_OBJECT)
        for (const struct shape_member *m = s->members; m->name; m++)
            if (strcmp(m->name, step->name) == 0)
                inner = m->shape;
    json_object_set_new(holder, step->name,
                        planted(inner, place, depth + 1, value));
    return holder;
}

static void place_path(const struct spot *place, char *path, size_t size)
{
    struct sbuf s = sbuf_in(path, size);

    for (size_t i = 0; i < place->depth; i++) {
        if (place->steps[i].choice != NULL)
            continue;
        const char *name = place->steps[i].name;
        sbuf_printf(&s, "/%s", name != NULL ? name : "0");
    }
}

typedef void (*place_cb)(const struct spot *place, const char *path);

/* Calls EACH for every place that there is below SHAPE. */
static void walk(struct spot *place, const struct shape *shape, place_cb each)
{
    struct step *step = &place->steps[place->depth];
    char path[128];

    ASSERT(place->depth < COUNT_OF(place->steps));
    place->shape = shape;
    place_path(place, path, sizeof(path));
    if (place->depth > 0 && shape->kind != SHAPE_ONE_OF)
        each(place, path);
    place->depth++;
    switch (shape->kind) {
    case SHAPE_OBJECT:
        for (const struct shape_member *m = shape->members; m->name; m++) {
            *step = (struct step){.name = m->name};
            walk(place, m->shape, each);
        }
        if (shape->more) {
            static const struct shape any = {.kind = SHAPE_ANY};
            *step = (struct step){.name = "more"};
            walk(place, &any, each);
        }
        break;
    case SHAPE_LIST:
        *step = (struct step){.name = NULL};
        walk(place, shape->item, each);
        break;
    case SHAPE_MAP:
        *step = (struct step){.name = "something"};
        walk(place, shape->item, each);
        break;
    case SHAPE_ONE_OF:
        for (const struct shape *const *c = shape->choices; *c != NULL; c++) {
            *step = (struct step){.choice = *c};
            walk(place, *c, each);
        }
        break;
    default: break;
    }
    place->depth--;
}

static void walk_all(place_cb each)
{
    for (int i = 0; i < METHODS; i++) {
        struct spot place = {.method = &methods[i]};
        walk(&place, &methods[i].params, each);
    }
}

/* What VALUE, there, is refused with: exactly its place. */
static void refused_at(const struct spot *place, const char *path,
                       json_t *value)
{
    struct shape_fault fault;
    json_t *params = planted(&place->method->params, place, 0, value);

    cr_assert_not(shape_check(&place->method->params, params, &fault), "%s %s",
                  place->method->name, path);
    cr_assert_str_eq(fault.path, path, "%s: %s", place->method->name,
                     fault.expected);
    refused(place->method, params, path);
}

static size_t places;

static void wrong_there(const struct spot *place, const char *path)
{
    places++;
    if (place->shape->kind != SHAPE_ANY)
        refused_at(place, path, json_real(0.5));
}

/* However deep what is wrong lies, the pointer names it and nothing else. */
Test(params, pointers)
{
    places = 0;
    walk_all(wrong_there);
    cr_assert_gt(places, 120);
}

static const char *const hostile[] = {
    "\n", /* forges a line */
    "\r", /* writes over one */
    "\t",           "\x1b[2J",          "\x7f",
    "\xc2\x85", /* next line */
    "\xc2\x9b", /* an escape sequence in one character */
    "\xd8\x9c",     "\xe2\x80\x8e",     "\xe2\x80\x8f",
    "\xe2\x80\xa8", "\xe2\x80\xa9", /* lines and paragraphs */
    "\xe2\x80\xae",                 /* all that follows runs backwards */
    "\xe2\x81\xa6", "\xe2\x81\xaf",     "\xef\xbf\xb9",
    "\xef\xbf\xbf", "\xf3\xa0\x81\x81", /* a tag, which nobody sees */
};

static char exempt[1024];

/* TEXT, of N bytes, behind as many letters as there must be. */
static json_t *long_enough(const struct shape *s, const char *text, size_t n)
{
    char all[512];
    size_t len = s->kind == SHAPE_STRING ? (size_t)s->min : 1;

    memset(all, 'a', len);
    memcpy(all + len, text, n);
    return json_stringn(all, len + n);
}

static void hostile_there(const struct spot *place, const char *path)
{
    const struct shape *s = place->shape;

    if (s->kind != SHAPE_STRING && s->kind != SHAPE_ANY)
        return;
    places++;
    if (s->kind == SHAPE_STRING && s->charset == CHARSET_ANY) {
        snprintf(exempt + strlen(exempt), sizeof(exempt) - strlen(exempt),
                 "%s%s ", place->method->name, path);
        return;
    }
    bool text = s->kind == SHAPE_STRING && s->charset == CHARSET_TEXT;
    bool file = s->kind == SHAPE_STRING && s->charset == CHARSET_FILE;
    bool json = s->kind == SHAPE_STRING && s->charset == CHARSET_JSON;
    for (size_t i = file   ? 3
                    : text ? 1
                           : 0;
         i < (json ? 4 : COUNT_OF(hostile)); i++)
        refused_at(place, path,
                   long_enough(s, hostile[i], strlen(hostile[i])));
    refused_at(place, path, long_enough(s, "\0x", 2));
    if (s->kind == SHAPE_STRING && s->words != NULL)
        refused_at(place, path,
                   json_stringn(s->words[0], strlen(s->words[0]) + 1));
}

/* No text that a person gives, wherever it stands, takes what is not to be
 * shown, nor a NUL; but for passwords, which nobody is shown.  (The lines of
 * records have a reader of their own: they are lines.) */
Test(params, hostile_texts)
{
    places = 0;
    exempt[0] = '\0';
    walk_all(hostile_there);
    cr_assert_gt(places, 80);
    cr_assert_str_eq(
        exempt, "account.register/password "
                "account.keep/password account.delete/password "
                "account.password/old account.password/new "
                "account.email.set/password account.reset/password "
                "account.totp.begin/password account.totp.recovery/password "
                "account.totp.remove/password "
                "session.login/password "
                "table.create/password table.fork/password "
                "table.join/password "
                "admin.users.add/password "
                "admin.users.password/password ");
}

/* The names of members are a stranger's, too: one that cannot be shown is told
 * by what holds it. */
Test(params, hostile_names)
{
    json_t *params = good(&methods[M_TABLE_LIST].params);
    struct shape_fault fault;

    json_object_set_new(params, "\x1b[2J", json_true());
    cr_assert_not(shape_check(&methods[M_TABLE_LIST].params, params, &fault));
    cr_assert_str_eq(fault.path, "");
    refused(&methods[M_TABLE_LIST], params, "");
    params = json_pack("{s:s,s:i,s:{s:b}}", "game", "hacienda", "seats", 2,
                       "options", "\xe2\x80\xae", 1);
    refused(&methods[M_TABLE_CREATE], params, "/options");
}

/* Lines feed where a text may have lines; accents, scripts that run the other
 * way, and what joins letters and emoji are nobody's business. */
Test(params, harmless_texts)
{
    static const char fine[] = "ol\xc3\xa9 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d "
                               "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x8c\xbe "
                               "\xe2\x9d\xa4\xef\xb8\x8f";
    static const struct shape line = {.kind = SHAPE_STRING,
                                      .max = 100,
                                      .charset = CHARSET_LINE};
    static const struct shape text = {.kind = SHAPE_STRING,
                                      .max = 100,
                                      .charset = CHARSET_TEXT};
    static const struct shape file = {.kind = SHAPE_STRING,
                                      .max = 100,
                                      .charset = CHARSET_FILE};
    struct shape_fault fault;
    json_t *value = json_string(fine);

    cr_assert(shape_check(&line, value, &fault), "%s", fault.expected);
    json_string_set(value, "first\nsecond");
    cr_assert(shape_check(&text, value, &fault), "%s", fault.expected);
    json_string_set(value, "first\r\n\tsecond");
    cr_assert(shape_check(&file, value, &fault), "%s", fault.expected);
    json_decref(value);
}

/* What the table of methods takes the hub takes: no valid request is answered
 * with a bad parameter, but where more is asked than a shape can say. */
Test(params, right)
{
    for (int i = 0; i < METHODS; i++) {
        const struct method_info *m = &methods[i];
        if (i == M_BOTS_NEXT) /* answered when there is a question */
            continue;
        const json_t *answer = test_client_ask_json(&d, who(m), m->name,
                                                    good(&m->params));
        cr_assert_str_neq(test_client_reason(answer), "internal_error");
        if (i == M_ACCOUNT_HOURS_SET ||    /* on no day */
            i == M_ACCOUNT_ABSENCE_ADD ||  /* over long ago */
            i == M_NOTICES_CHANNELS_ADD || /* no address */
            i == M_ADMIN_IMPORT ||         /* the first piece has to say so */
            i == M_ADMIN_SESSIONS_END ||   /* one of the two, not none */
            i == M_ADMIN_BACKUP)           /* a path from the root on */
            continue;
        cr_assert_str_neq(test_client_reason(answer), "invalid_params", "%s",
                          m->name);
        if (i == M_SESSION_LOGOUT)
            anna = test_client_user(&d, "berta");
    }
}

/* What is told of the games is as the table of methods says. */
Test(params, games)
{
    static const enum method asked[] = {M_RULES_INFO, M_RULES_SCHEMA};
    struct shape_fault fault;

    for (size_t i = 0; rules_all[i] != NULL; i++) {
        for (size_t k = 0; k < COUNT_OF(asked); k++) {
            const struct method_info *m = &methods[asked[k]];
            const json_t *answer = test_client_ask(&d, anna, m->name, "{s:s}",
                                                   "game", rules_all[i]->name);
            cr_assert(shape_check(&m->result,
                                  json_object_get(answer, "result"), &fault),
                      "%s %s: %s, expected %s", m->name, rules_all[i]->name,
                      fault.path, fault.expected);
        }
    }
}

/* Without a log-in, or an administrator's socket, nothing else is looked at. */
Test(params, roles)
{
    peer_id stranger = test_client_come(&d, 0);

    for (int i = 0; i < METHODS; i++) {
        const struct method_info *m = &methods[i];
        json_t *params = json_pack("{s:b}", "nonsense", 1);
        const json_t *answer = test_client_ask_json(&d, stranger, m->name,
                                                    params);
        REASON(answer, m->role == ROLE_ADMIN || m->role == ROLE_BOTS
                           ? "forbidden"
                       : m->role == ROLE_USER ? "not_authenticated"
                                              : "invalid_params");
        if (m->role == ROLE_ADMIN || m->role == ROLE_BOTS)
            REASON(test_client_ask_json(&d, anna, m->name, good(&m->params)),
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
        json_t *made = test_client_ask(&d, anna, "account.tokens.create",
                                       "{s:s,s:[s]}", "label", "bot", "scopes",
                                       method_scopes[all[s]]);
        peer_id bot = test_client_come(&d, 0);
        FINE(test_client_ask(&d, bot, "session.resume", "{s:s}", "token",
                             test_client_text(made, "token")));
        for (int i = 0; i < METHODS; i++) {
            const struct method_info *m = &methods[i];
            if (m->role != ROLE_USER || i == M_SESSION_LOGOUT)
                continue;
            const json_t *answer = test_client_ask_json(&d, bot, m->name,
                                                        good(&m->params));
            cr_assert_eq(strcmp(test_client_reason(answer), "out_of_scope") ==
                             0,
                         m->scope != all[s] || i == M_ACCOUNT_TOKENS_CREATE,
                         "%s by %s: %s", m->name, method_scopes[all[s]],
                         test_client_reason(answer));
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
            REASON(test_client_ask_json(&d, who(m), m->name, params),
                   "no_such_table");
        }
    }
    cr_assert_eq(d.world.disk.table_count, 0);
}

/* When the server goes, nothing begins any more, whatever it is. */
Test(params, shutting_down)
{
    hub_shutdown(d.world.hub, d.world.now_ms);
    for (int i = 0; i < METHODS; i++)
        REASON(test_client_ask_json(&d, who(&methods[i]), methods[i].name,
                                    good(&methods[i].params)),
               "shutting_down");
}
