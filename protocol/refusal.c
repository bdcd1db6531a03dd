#include "refusal.h"

#include <stdarg.h>
#include <stdio.h>

struct text {
    char *buf;
    size_t cap, len;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t,
                                                      const char *format, ...)
{
    va_list args;

    if (t->len >= t->cap)
        return;
    va_start(args, format);
    int n = vsnprintf(t->buf + t->len, t->cap - t->len, format, args);
    va_end(args);
    t->len += n > 0 ? (size_t)n : 0;
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
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
    struct text t = {buf, cap, 0};

    if (sentence != NULL && line > 0)
        say(&t, "Line %lld: ", (long long)line);
    say(&t, "%s",
        sentence != NULL  ? sentence
        : message != NULL ? message
                          : "The server refuses.");
    if (expected != NULL && path != NULL && path[0] != '\0')
        say(&t, " %s: expected %s.", path, expected);
    else if (expected != NULL)
        say(&t, " Expected %s.", expected);
    if (wait > 0)
        say(&t, " Try again in %lld s.", (long long)(wait + 999) / 1000);
    return buf;
}
