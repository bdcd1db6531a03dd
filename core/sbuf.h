/* sbuf.h -- a string in a buffer of fixed size.
 *
 *     struct sbuf s = sbuf_in(buf, sizeof(buf));
 *     sbuf_puts(&s, "ply ");
 *     sbuf_int(&s, 12);
 *
 * What has no room is left out, but counted, so that LEN says as snprintf()
 * does how long the string would have been.  After each call the string is
 * terminated, if there is room for anything at all.  With formats:
 * protocol/sbuf_printf.h. */

#ifndef CORE_SBUF_H
#define CORE_SBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sbuf {
    char *buf;  /* the caller's; may be NULL if CAP is 0 */
    size_t cap; /* bytes of it, for the NUL as well */
    size_t len; /* read-only: bytes wanted so far, without the NUL */
};

/* An empty string in CAP bytes at BUF. */
struct sbuf sbuf_in(char *buf, size_t cap);

void sbuf_putc(struct sbuf *s, char c);
void sbuf_puts(struct sbuf *s, const char *text);
/* LEN bytes of TEXT. */
void sbuf_put(struct sbuf *s, const char *text, size_t len);
/* NUMBER in decimal digits. */
void sbuf_int(struct sbuf *s, int32_t number);

/* Back to when it was LEN bytes long. */
void sbuf_cut(struct sbuf *s, size_t len);

/* Whether all of it is there. */
static inline bool sbuf_fits(const struct sbuf *s)
{
    return s->len < s->cap;
}

#endif
