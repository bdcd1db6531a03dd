#include "sbuf_printf.h"

#include <stdio.h>

void sbuf_vprintf(struct sbuf *s, const char *format, va_list args)
{
    bool room = s->len < s->cap;
    int n = vsnprintf(room ? s->buf + s->len : NULL,
                      room ? s->cap - s->len : 0, format, args);
    s->len += n > 0 ? (size_t)n : 0;
}

void sbuf_printf(struct sbuf *s, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    sbuf_vprintf(s, format, args);
    va_end(args);
}
