#include "game_json_inner.h"

#include <stdarg.h>
#include <stdio.h>

#include "pointer.h"

int json_refuse(struct json_refusal *why, int code, const char *path,
                const char *format, ...)
{
    va_list args;

    why->code = code;
    if (why->path[0] == '\0' && path[0] != '\0')
        (void)pointer_name(why->path, sizeof(why->path), path);
    va_start(args, format);
    (void)vsnprintf(why->expected, sizeof(why->expected), format, args);
    va_end(args);
    return code;
}

void sbuf_words(struct sbuf *s, const char *const *words, int count)
{
    for (int i = 0; count < 0 ? words[i] != NULL : i < count; i++)
        sbuf_printf(s, "%s%s", i > 0 ? ", " : "", words[i]);
}

bool json_int16(const json_t *value, int16_t *ret_value)
{
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < INT16_MIN + 2 || n > INT16_MAX)
        return false;
    *ret_value = (int16_t)n;
    return true;
}
