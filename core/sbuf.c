#include "sbuf.h"

#include "base.h"

/* Where the string ends is a NUL. */
static void terminate(struct sbuf *s)
{
    if (s->cap > 0)
        s->buf[s->len < s->cap ? s->len : s->cap - 1] = '\0';
}

struct sbuf sbuf_in(char *buf, size_t cap)
{
    struct sbuf s = {.buf = buf, .cap = cap};
    terminate(&s);
    return s;
}

void sbuf_put(struct sbuf *s, const char *text, size_t len)
{
    if (s->len < s->cap && len > 0) {
        size_t room = s->cap - s->len;
        memcpy(s->buf + s->len, text, len < room ? len : room);
    }
    s->len += len;
    terminate(s);
}

void sbuf_putc(struct sbuf *s, char c)
{
    if (s->len < s->cap)
        s->buf[s->len] = c;
    s->len++;
    terminate(s);
}

void sbuf_puts(struct sbuf *s, const char *text)
{
    size_t len = 0;
    while (text[len] != '\0')
        len++;
    sbuf_put(s, text, len);
}

void sbuf_int(struct sbuf *s, int32_t number)
{
    char digits[11];
    size_t at = sizeof(digits);
    uint32_t rest = number < 0 ? 0u - (uint32_t)number : (uint32_t)number;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        digits[--at] = '-';
    sbuf_put(s, digits + at, sizeof(digits) - at);
}

void sbuf_cut(struct sbuf *s, size_t len)
{
    ASSERT(len <= s->len);
    s->len = len;
    terminate(s);
}
