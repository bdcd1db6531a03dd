#include "shape.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"
#include "game_json.h"
#include "pointer.h"
#include "sbuf_printf.h"

static const struct shape anything = {.kind = SHAPE_ANY};

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

/* Where a step began. */
struct mark {
    size_t len;
    bool cut;
};

/* Goes to the member NAME, or if that is NULL to the item INDEX. */
static struct mark step_in(struct shape_fault *f, const char *name,
                           size_t index)
{
    struct mark mark = {strlen(f->path), f->cut};

    f->cut = f->cut ||
             !(name != NULL ? pointer_name(f->path, sizeof(f->path), name)
                            : pointer_index(f->path, sizeof(f->path), index));
    return mark;
}

static void step_out(struct shape_fault *f, struct mark mark)
{
    f->path[mark.len] = '\0';
    f->cut = mark.cut;
}

/* ---- strings ---------------------------------------------------------- */

static bool in_charset(enum shape_charset set, uint32_t c)
{
    bool digit = c >= '0' && c <= '9';
    switch (set) {
    case CHARSET_LINE: return utf8_printable(c);
    case CHARSET_TEXT: return utf8_printable(c) || c == '\n';
    case CHARSET_FILE:
        return utf8_printable(c) || c == '\n' || c == '\r' || c == '\t';
    case CHARSET_ID:
        return digit || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '_' || c == '-';
    case CHARSET_HEX:
        return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    case CHARSET_EMAIL:
        return digit || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               (c > 0x20 && c < 0x7f &&
                strchr(EMAIL_SIGNS "@", (int)c) != NULL);
    case CHARSET_JSON: return c >= 0x20;
    case CHARSET_ANY: return true;
    }
    return false;
}

static const char *const charset_names[] = {
    [CHARSET_LINE] = " of printable characters",
    [CHARSET_TEXT] = " of printable characters and line feeds",
    [CHARSET_FILE] = " of printable characters, line ends and tabs",
    [CHARSET_ID] = " of letters, digits, _ and -",
    [CHARSET_HEX] = " of hexadecimal digits",
    [CHARSET_EMAIL] = (" of letters, digits and " EMAIL_SIGNS " around one @"),
    [CHARSET_JSON] = " of JSON, in one line",
    [CHARSET_ANY] = "",
};

/* The first character of TEXT that is not in SET, or -1. */
static int64_t stranger(enum shape_charset set, const char *text, size_t len)
{
    bool printable = set == CHARSET_LINE || set == CHARSET_TEXT ||
                     set == CHARSET_FILE;
    uint32_t code = 0;

    for (size_t i = 0; i < len;) {
        if (printable) /* nearly all of it, at once */
            i += utf8_printable_len(text + i, len - i, set != CHARSET_LINE);
        if (i == len)
            break;
        size_t n = utf8_read(text + i, len - i, &code);
        ASSERT(n > 0); /* jansson takes nothing else */
        if (!in_charset(set, code))
            return code;
        i += n;
    }
    return -1;
}

static bool check_words(const struct shape *shape, const json_t *value,
                        struct shape_fault *f)
{
    struct sbuf expected = sbuf_in(f->expected, sizeof(f->expected));

    sbuf_puts(&expected, "one of");
    for (const char *const *w = shape->words; *w != NULL; w++) {
        if (json_text_is(value, *w))
            return true;
        sbuf_printf(&expected, " \"%s\"", *w);
    }
    return false;
}

/* That TEXT is of SET; WHAT was expected if not. */
static bool check_charset(enum shape_charset set, const char *text, size_t len,
                          const char *what, struct shape_fault *f)
{
    int64_t code = stranger(set, text, len);

    return code < 0 || fail(f, "%s%s, without U+%04llX", what,
                            charset_names[set], (unsigned long long)code);
}

/* Whether TEXT has one @, with something on either side. */
static bool around_at(const char *text, size_t len)
{
    const char *at = memchr(text, '@', len);

    return at != NULL && at > text && at < text + len - 1 &&
           memchr(at + 1, '@', (size_t)(text + len - 1 - at)) == NULL;
}

bool shape_is_email(const char *text)
{
    size_t len = strlen(text);

    return around_at(text, len) && stranger(CHARSET_EMAIL, text, len) < 0;
}

static bool check_string(const struct shape *shape, const json_t *value,
                         struct shape_fault *f)
{
    char what[64];

    if (!json_is_string(value))
        return fail(f, "a string");
    if (shape->words != NULL)
        return check_words(shape, value, f);
    size_t len = json_string_length(value);
    (void)snprintf(what, sizeof(what), "a string of %lld to %lld bytes",
                   (long long)shape->min, (long long)shape->max);
    if ((int64_t)len < shape->min || (int64_t)len > shape->max)
        return fail(f, "%s%s", what, charset_names[shape->charset]);
    if (shape->charset == CHARSET_EMAIL &&
        !around_at(json_string_value(value), len))
        return fail(f, "%s%s", what, charset_names[shape->charset]);
    return check_charset(shape->charset, json_string_value(value), len, what,
                         f);
}

/* ---- values ----------------------------------------------------------- */

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
        struct mark mark = step_in(f, name, 0);
        if (m == NULL && !shape->more)
            return fail(f, "no such member");
        if (!check(m != NULL ? m->shape : &anything, inner, f))
            return false;
        step_out(f, mark);
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
        struct mark mark = step_in(f, NULL, i);
        if (!check(shape->item, json_array_get(value, i), f))
            return false;
        step_out(f, mark);
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
        struct mark mark = step_in(f, name, 0);
        if (!check_charset(CHARSET_LINE, name, strlen(name), "a name", f) ||
            !check(shape->item, inner, f))
            return false;
        step_out(f, mark);
    }
    return true;
}

/* What may be anything: so may what is in it, but for its texts. */
static bool check_any(const struct shape *shape, const json_t *value,
                      struct shape_fault *f)
{
    const struct shape list = {
        .kind = SHAPE_LIST,
        .max = INT64_MAX,
        .item = shape,
    };
    const struct shape map = {.kind = SHAPE_MAP, .item = shape};

    if (json_is_array(value))
        return check_list(&list, value, f);
    if (json_is_object(value))
        return check_map(&map, value, f);
    return !json_is_string(value) ||
           check_charset(shape->charset, json_string_value(value),
                         json_string_length(value), "a string", f);
}

/* Whether VALUE is meant to be as SHAPE: the same type, and of an object the
 * same members. */
static bool meant(const struct shape *shape, const json_t *value)
{
    const char *name;
    json_t *inner;

    switch (shape->kind) {
    case SHAPE_BOOL: return json_is_boolean(value);
    case SHAPE_INT: return json_is_integer(value);
    case SHAPE_STRING: return json_is_string(value);
    case SHAPE_LIST: return json_is_array(value);
    case SHAPE_MAP: return json_is_object(value);
    case SHAPE_OBJECT: break;
    default: return false;
    }
    if (!json_is_object(value))
        return false;
    json_object_foreach((json_t *)(uintptr_t)value, name, inner)
    {
        if (member_find(shape, name) == NULL && !shape->more)
            return false;
    }
    for (const struct shape_member *m = shape->members; m->name; m++)
        if (!m->optional && json_object_get(value, m->name) == NULL)
            return false;
    return true;
}

/* Where there is one choice that VALUE is meant to be, what is wrong is told
 * as of that.  A map, which comes last, is for what is meant to be no other. */
static bool check_choices(const struct shape *shape, const json_t *value,
                          struct shape_fault *f)
{
    struct shape_fault inner, best = {.path = ""};
    size_t count = 0;

    for (const struct shape *const *c = shape->choices; *c != NULL; c++) {
        if ((*c)->kind == SHAPE_MAP && count > 0)
            continue;
        inner = *f;
        if (check(*c, value, &inner))
            return true;
        if (meant(*c, value) && count++ == 0)
            best = inner;
    }
    if (count != 1)
        return fail(f, "%s", shape->text);
    *f = best;
    return false;
}

static bool check(const struct shape *shape, const json_t *value,
                  struct shape_fault *f)
{
    if (shape->null && json_is_null(value))
        return true;
    switch (shape->kind) {
    case SHAPE_ANY: return check_any(shape, value, f);
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
    fault->cut = false;
    if (value != NULL)
        return check(shape, value, fault);
    json_t *empty = json_object();
    ASSERT(empty != NULL);
    bool fits = check(shape, empty, fault);
    json_decref(empty);
    return fits;
}

/* ---- cleaning --------------------------------------------------------- */

static enum shape_charset charset_of(const struct shape *shape)
{
    bool text = shape != NULL && shape->words == NULL &&
                (shape->kind == SHAPE_STRING || shape->kind == SHAPE_ANY);
    return text ? shape->charset : CHARSET_LINE;
}

static void clean_string(enum shape_charset set, json_t *value)
{
    const char *text = json_string_value(value);
    size_t len = json_string_length(value), to = 0;
    bool word = set == CHARSET_ID || set == CHARSET_HEX;
    const char *instead = word ? "?" : "\xef\xbf\xbd";
    uint32_t code = 0;

    if (stranger(set, text, len) < 0)
        return;
    char *clean = malloc(3 * len);
    ASSERT(clean != NULL);
    for (size_t i = 0, n; i < len; i += n) {
        n = utf8_read(text + i, len - i, &code);
        ASSERT(n > 0);
        bool fits = in_charset(set, code);
        size_t size = fits ? n : strlen(instead);
        memcpy(clean + to, fits ? text + i : instead, size);
        to += size;
    }
    (void)json_string_setn(value, clean, to);
    free(clean);
}

/* The shape of what stands in a VALUE of SHAPE as the member NAME, or if that is
 * NULL as an item; NULL if nobody knows. */
static const struct shape *inner_shape(const struct shape *shape,
                                       const char *name)
{
    const struct shape_member *m;

    if (shape == NULL)
        return NULL;
    switch (shape->kind) {
    case SHAPE_ANY: return shape;
    case SHAPE_MAP: return name != NULL ? shape->item : NULL;
    case SHAPE_LIST: return name == NULL ? shape->item : NULL;
    case SHAPE_OBJECT:
        m = name != NULL ? member_find(shape, name) : NULL;
        return m != NULL ? m->shape : NULL;
    default: return NULL;
    }
}

void shape_clean(const struct shape *shape, json_t *value)
{
    const char *name;
    json_t *inner;
    void *next;

    if (json_is_string(value))
        clean_string(charset_of(shape), value);
    for (size_t i = 0; i < json_array_size(value); i++)
        shape_clean(inner_shape(shape, NULL), json_array_get(value, i));
    json_object_foreach_safe(value, next, name, inner)
    {
        if (stranger(CHARSET_LINE, name, strlen(name)) >= 0)
            (void)json_object_del(value, name);
        else
            shape_clean(inner_shape(shape, name), inner);
    }
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
    /* What utf8_printable() is for, but for the tags and the other
         * noncharacters, which lie beyond U+FFFF. */
#define HIDDEN \
    "\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f" \
    "\\ufdd0-\\ufdef\\ufff9-\\ufffb\\ufffe\\uffff]*$"
        [CHARSET_LINE] = "^[^\\u0000-\\u001f" HIDDEN,
        [CHARSET_TEXT] = "^[^\\u0000-\\u0009\\u000b-\\u001f" HIDDEN,
        [CHARSET_FILE] =
            "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f" HIDDEN,
        [CHARSET_ID] = "^[A-Za-z0-9_-]*$",
        [CHARSET_HEX] = "^[0-9A-Fa-f]*$",
        [CHARSET_EMAIL] = "^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+"
                          "@[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+$",
        [CHARSET_JSON] = "^[^\\u0000-\\u001f]*$",
        [CHARSET_ANY] = NULL,
#undef HIDDEN
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
                shape->charset == CHARSET_ID || shape->charset == CHARSET_HEX
                    ? shape->min
                    : 1);
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
