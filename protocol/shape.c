#include "shape.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"

/* ---- checking --------------------------------------------------------- */

static bool fail(struct shape_fault *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(struct shape_fault *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(f->expected, sizeof(f->expected), format, args);
    va_end(args);
    return false;
}

/* Adds a step to the path; returns its former length. */
static size_t step_in(struct shape_fault *f, const char *name, size_t index)
{
    size_t len = strlen(f->path), room = sizeof(f->path) - len;
    if (name == NULL) {
        snprintf(f->path + len, room, "/%zu", index);
        return len;
    }
    size_t at = len;
    if (at + 1 < sizeof(f->path))
        f->path[at++] = '/';
    for (; *name != '\0' && at + 2 < sizeof(f->path); name++) {
        if (*name == '~' || *name == '/') {
            f->path[at++] = '~';
            f->path[at++] = *name == '~' ? '0' : '1';
        } else {
            f->path[at++] = *name;
        }
    }
    f->path[at] = '\0';
    return len;
}

static bool in_charset(enum shape_charset set, unsigned char c)
{
    bool digit = c >= '0' && c <= '9';
    switch (set) {
    case CHARSET_UTF8: return true;
    case CHARSET_LINE: return c >= 0x20 && c != 0x7f;
    case CHARSET_ID:
        return digit || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '_' || c == '-';
    case CHARSET_HEX:
        return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }
    return false;
}

static const char *const charset_names[] = {
    [CHARSET_UTF8] = "",
    [CHARSET_LINE] = " without control characters",
    [CHARSET_ID] = " of letters, digits, _ and -",
    [CHARSET_HEX] = " of hexadecimal digits",
};

static bool check_words(const struct shape *shape, const char *text,
                        struct shape_fault *f)
{
    size_t at = (size_t)snprintf(f->expected, sizeof(f->expected), "one of");
    for (const char *const *w = shape->words; *w != NULL; w++) {
        if (strcmp(*w, text) == 0)
            return true;
        if (at < sizeof(f->expected))
            at += (size_t)snprintf(f->expected + at, sizeof(f->expected) - at,
                                   " \"%s\"", *w);
    }
    return false;
}

static bool check_string(const struct shape *shape, const json_t *value,
                         struct shape_fault *f)
{
    if (!json_is_string(value))
        return fail(f, "a string");
    const char *text = json_string_value(value);
    size_t len = json_string_length(value);
    if (shape->words != NULL)
        return check_words(shape, text, f);
    bool fits = (int64_t)len >= shape->min && (int64_t)len <= shape->max;
    for (size_t i = 0; i < len && fits; i++)
        fits = in_charset(shape->charset, (unsigned char)text[i]);
    return fits ||
           fail(f, "a string of %lld to %lld bytes%s", (long long)shape->min,
                (long long)shape->max, charset_names[shape->charset]);
}

static bool check(const struct shape *shape, const json_t *value,
                  struct shape_fault *f);

static const struct shape_member *member_find(const struct shape *shape,
                                              const char *name)
{
    for (const struct shape_member *m = shape->members; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

static bool check_object(const struct shape *shape, const json_t *value,
                         struct shape_fault *f)
{
    const char *name;
    json_t *inner;

    if (!json_is_object(value))
        return fail(f, "an object");
    json_object_foreach((json_t *)(uintptr_t)value, name, inner)
    {
        const struct shape_member *m = member_find(shape, name);
        if (m == NULL && shape->more)
            continue;
        size_t len = step_in(f, name, 0);
        if (m == NULL)
            return fail(f, "no such member");
        if (!check(m->shape, inner, f))
            return false;
        f->path[len] = '\0';
    }
    for (const struct shape_member *m = shape->members; m->name; m++) {
        if (m->optional || json_object_get(value, m->name) != NULL)
            continue;
        step_in(f, m->name, 0);
        return fail(f, "this member, which is missing");
    }
    return true;
}

static bool check_list(const struct shape *shape, const json_t *value,
                       struct shape_fault *f)
{
    if (!json_is_array(value))
        return fail(f, "a list");
    size_t n = json_array_size(value);
    if ((int64_t)n < shape->min || (int64_t)n > shape->max)
        return fail(f, "a list of %lld to %lld", (long long)shape->min,
                    (long long)shape->max);
    for (size_t i = 0; i < n; i++) {
        size_t len = step_in(f, NULL, i);
        if (!check(shape->item, json_array_get(value, i), f))
            return false;
        f->path[len] = '\0';
    }
    return true;
}

static bool check_map(const struct shape *shape, const json_t *value,
                      struct shape_fault *f)
{
    const char *name;
    json_t *inner;

    if (!json_is_object(value))
        return fail(f, "an object");
    json_object_foreach((json_t *)(uintptr_t)value, name, inner)
    {
        size_t len = step_in(f, name, 0);
        if (!check(shape->item, inner, f))
            return false;
        f->path[len] = '\0';
    }
    return true;
}

static bool check_choices(const struct shape *shape, const json_t *value,
                          struct shape_fault *f)
{
    struct shape_fault inner;
    for (const struct shape *const *c = shape->choices; *c != NULL; c++) {
        inner = *f;
        if (check(*c, value, &inner))
            return true;
    }
    return fail(f, "%s", shape->text);
}

static bool check(const struct shape *shape, const json_t *value,
                  struct shape_fault *f)
{
    if (shape->null && json_is_null(value))
        return true;
    switch (shape->kind) {
    case SHAPE_ANY: return true;
    case SHAPE_NULL: return json_is_null(value) || fail(f, "null");
    case SHAPE_BOOL: return json_is_boolean(value) || fail(f, "true or false");
    case SHAPE_INT:
        return (json_is_integer(value) &&
                json_integer_value(value) >= shape->min &&
                json_integer_value(value) <= shape->max) ||
               fail(f, "an integer from %lld to %lld", (long long)shape->min,
                    (long long)shape->max);
    case SHAPE_STRING: return check_string(shape, value, f);
    case SHAPE_OBJECT: return check_object(shape, value, f);
    case SHAPE_LIST: return check_list(shape, value, f);
    case SHAPE_MAP: return check_map(shape, value, f);
    case SHAPE_ONE_OF: return check_choices(shape, value, f);
    }
    return false;
}

bool shape_check(const struct shape *shape, const json_t *value,
                 struct shape_fault *fault)
{
    fault->path[0] = fault->expected[0] = '\0';
    if (value != NULL)
        return check(shape, value, fault);
    json_t *empty = json_object();
    ASSERT(empty != NULL);
    bool fits = check(shape, empty, fault);
    json_decref(empty);
    return fits;
}

/* ---- the schema ------------------------------------------------------- */

static void type_of(struct json_out *o, const struct shape *shape,
                    const char *type)
{
    if (!shape->null) {
        out_string(o, "type", type);
        return;
    }
    out_list(o, "type");
    out_string(o, NULL, type);
    out_string(o, NULL, "null");
    out_end(o);
}

static void string_schema(struct json_out *o, const struct shape *shape)
{
    static const char *const patterns[] = {
        [CHARSET_UTF8] = NULL,
        [CHARSET_LINE] = "^[^\\u0000-\\u001f\\u007f]*$",
        [CHARSET_ID] = "^[A-Za-z0-9_-]*$",
        [CHARSET_HEX] = "^[0-9A-Fa-f]*$",
    };
    type_of(o, shape, "string");
    if (shape->words != NULL) {
        out_list(o, "enum");
        for (const char *const *w = shape->words; *w != NULL; w++)
            out_string(o, NULL, *w);
        if (shape->null)
            out_null(o, NULL);
        out_end(o);
        return;
    }
    /* The schema counts characters, of which there are no more than bytes. */
    if (shape->min > 0)
        out_int(o, "minLength",
                shape->charset <= CHARSET_LINE ? 1 : shape->min);
    out_int(o, "maxLength", shape->max);
    if (patterns[shape->charset] != NULL)
        out_string(o, "pattern", patterns[shape->charset]);
}

static void object_schema(struct json_out *o, const struct shape *shape,
                          const char *prefix)
{
    bool required = false;

    type_of(o, shape, "object");
    out_object(o, "properties");
    for (const struct shape_member *m = shape->members; m->name; m++) {
        shape_schema(o, m->name, m->shape, prefix);
        required = required || !m->optional;
    }
    out_end(o);
    if (required) {
        out_list(o, "required");
        for (const struct shape_member *m = shape->members; m->name; m++)
            if (!m->optional)
                out_string(o, NULL, m->name);
        out_end(o);
    }
    out_bool(o, "additionalProperties", shape->more);
}

void shape_schema_whole(struct json_out *o, const char *key,
                        const struct shape *shape, const char *prefix)
{
    out_object(o, key);
    if (shape->text != NULL)
        out_string(o, "description", shape->text);
    switch (shape->kind) {
    case SHAPE_ANY: break;
    case SHAPE_NULL: out_string(o, "type", "null"); break;
    case SHAPE_BOOL: type_of(o, shape, "boolean"); break;
    case SHAPE_INT:
        type_of(o, shape, "integer");
        out_int(o, "minimum", shape->min);
        out_int(o, "maximum", shape->max);
        break;
    case SHAPE_STRING: string_schema(o, shape); break;
    case SHAPE_OBJECT: object_schema(o, shape, prefix); break;
    case SHAPE_LIST:
        type_of(o, shape, "array");
        shape_schema(o, "items", shape->item, prefix);
        if (shape->min > 0)
            out_int(o, "minItems", shape->min);
        out_int(o, "maxItems", shape->max);
        break;
    case SHAPE_MAP:
        type_of(o, shape, "object");
        shape_schema(o, "additionalProperties", shape->item, prefix);
        break;
    case SHAPE_ONE_OF:
        out_list(o, "anyOf");
        for (const struct shape *const *c = shape->choices; *c != NULL; c++)
            shape_schema(o, NULL, *c, prefix);
        out_end(o);
        break;
    }
    out_end(o);
}

void shape_schema(struct json_out *o, const char *key,
                  const struct shape *shape, const char *prefix)
{
    char ref[96];

    if (shape->name == NULL) {
        shape_schema_whole(o, key, shape, prefix);
        return;
    }
    snprintf(ref, sizeof(ref), "%s%s", prefix, shape->name);
    out_object(o, key);
    out_string(o, "$ref", ref);
    out_end(o);
}
