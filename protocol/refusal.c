#include "refusal.h"

#include <stdio.h>

#include "sbuf_printf.h"

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void say_expected(struct sbuf *s, const char *path,
                         const char *expected)
{
    if (path != NULL && path[0] != '\0')
        sbuf_printf(s, "%s: expected %s", path, expected);
    else
        sbuf_printf(s, "%sxpected %s", s->len > 0 ? "E" : "e", expected);
}

const char *refusal_text(const json_t *error, char *buf, size_t cap)
{
    const json_t *data = json_object_get(error, "data");
    const char *message = text_of(error, "message");
    const char *sentence = text_of(data, "sentence");
    const char *expected = text_of(data, "expected");
    const char *path = text_of(data, "path");
    json_int_t line = json_integer_value(json_object_get(data, "line"));
    json_int_t wait = json_integer_value(
        json_object_get(data, "retry_after_ms"));
    struct sbuf s = sbuf_in(buf, cap);

    if (sentence != NULL && line > 0)
        sbuf_printf(&s, "Line %lld: ", (long long)line);
    sbuf_printf(&s, "%s",
                sentence != NULL  ? sentence
                : message != NULL ? message
                                  : "The server refuses.");
    if (expected != NULL) {
        sbuf_puts(&s, " ");
        say_expected(&s, path, expected);
        sbuf_puts(&s, ".");
    }
    if (wait > 0)
        sbuf_printf(&s, " Try again in %lld s.",
                    (long long)(wait + 999) / 1000);
    return buf;
}

const char *refusal_read_text(const char *within,
                              const struct json_refusal *why, char *buf,
                              size_t cap)
{
    char path[JSON_PATH_MAX + 16];
    struct sbuf s = sbuf_in(buf, cap);

    (void)snprintf(path, sizeof(path), "%s%s", within, why->path);
    if (why->sentence != NULL)
        sbuf_printf(&s, "%s: %s", path, why->sentence);
    else
        say_expected(&s, path, why->expected);
    return buf;
}
