#include "canonical.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define NUMBER_MAX ((INT64_C(1) << 53) - 1)

/* Names are in the order of their UTF-16 units, which is that of their bytes
 * but where a character past U+FFFF meets one from U+E000 on: those two change
 * places. */
static int rank(unsigned char c)
{
    if (c >= 0xf0)
        return 0xee;
    return c >= 0xee ? c + 0x10 : c;
}

static int by_name(const void *a, const void *b)
{
    const unsigned char *x = *(const unsigned char *const *)a;
    const unsigned char *y = *(const unsigned char *const *)b;

    while (*x != '\0' && *x == *y)
        x++, y++;
    int left = rank(*x), right = rank(*y);
    return left != right ? left - right : *x - *y;
}

static bool write_value(struct json_out *o, const char *key,
                        const json_t *value, const char *without);

static bool write_object(struct json_out *o, const char *key,
                         const json_t *object, const char *without)
{
    json_t *members = (json_t *)(uintptr_t)object, *value;
    size_t n = json_object_size(object), count = 0;
    const char **names = calloc(n + 1, sizeof(*names));
    const char *name;
    bool good = true;

    ASSERT(names != NULL);
    json_object_foreach(members, name, value)
    {
        if (without == NULL || strcmp(name, without) != 0)
            names[count++] = name;
    }
    qsort(names, count, sizeof(*names), by_name);
    out_object(o, key);
    for (size_t i = 0; i < count; i++)
        good = write_value(o, names[i], json_object_get(object, names[i]),
                           NULL) &&
               good;
    out_end(o);
    free(names);
    return good;
}

static bool write_list(struct json_out *o, const char *key, const json_t *list)
{
    bool good = true;

    out_list(o, key);
    for (size_t i = 0; i < json_array_size(list); i++)
        good = write_value(o, NULL, json_array_get(list, i), NULL) && good;
    out_end(o);
    return good;
}

static bool write_value(struct json_out *o, const char *key,
                        const json_t *value, const char *without)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return write_object(o, key, value, without);
    case JSON_ARRAY: return write_list(o, key, value);
    case JSON_STRING:
        out_string_n(o, key, json_string_value(value),
                     json_string_length(value));
        return true;
    case JSON_INTEGER:
        out_int(o, key, json_integer_value(value));
        return json_integer_value(value) <= NUMBER_MAX &&
               json_integer_value(value) >= -NUMBER_MAX;
    case JSON_TRUE: out_bool(o, key, true); return true;
    case JSON_FALSE: out_bool(o, key, false); return true;
    case JSON_NULL: out_null(o, key); return true;
    case JSON_REAL: out_null(o, key); return false;
    }
    return false;
}

bool canonical_write(struct json_out *o, const json_t *value,
                     const char *without)
{
    ASSERT(value != NULL);
    return write_value(o, NULL, value, without);
}
