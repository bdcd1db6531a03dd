#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "core/base.h"

#define FIRST_SIZE 512

void lines_init(struct lines *l)
{
    *l = (struct lines){0};
}

static void drop_part(struct lines *l)
{
    free(l->part);
    l->part = NULL;
    l->len = 0;
    l->cap = 0;
    l->read = false;
}

void lines_done(struct lines *l)
{
    drop_part(l);
}

static void keep(struct lines *l, const uint8_t *data, size_t n)
{
    if (l->cap - l->len < n) {
        size_t cap = l->cap > 0 ? l->cap : FIRST_SIZE;
        while (cap - l->len < n)
            cap *= 2;
        if (cap > LINES_BYTES_MAX + 1)
            cap = LINES_BYTES_MAX + 1; /* with a CR; there is never more */
        ASSERT(cap - l->len >= n);
        l->part = realloc(l->part, cap);
        if (l->part == NULL)
            core_panic(__FILE__, __LINE__, "out of memory");
        l->cap = (uint32_t)cap;
    }
    if (n > 0)
        memcpy(l->part + l->len, data, n);
    l->len += (uint32_t)n;
}

/* Whether the line that begins with DATA is a request's first, or the header
 * that none goes without.  How the rest of it reads makes no difference, so
 * that it is found out at the same byte however the bytes come. */
static bool begins_like_http(const uint8_t *data, size_t len)
{
    static const char *const begins[] = {
        "GET ",     "HEAD ",  "POST ",  "PUT ", "DELETE ", "CONNECT ",
        "OPTIONS ", "TRACE ", "PATCH ", "PRI ", "HOST:",
    };
    if (len > 0 && data[0] == '{')
        return false; /* as nearly always */
    for (size_t i = 0; i < COUNT_OF(begins); i++) {
        size_t n = strlen(begins[i]);
        if (len >= n && ascii_compare_n((const char *)data, begins[i], n) == 0)
            return true;
    }
    return false;
}

/* No beginning above is longer, so no more of a line need be looked at. */
#define BEGIN_BYTES_MAX 8

/* The first BEGIN_BYTES_MAX bytes of a line of which L has some. */
static bool joint_begins_like_http(const struct lines *l, const uint8_t *data,
                                   size_t len)
{
    uint8_t begin[BEGIN_BYTES_MAX];
    size_t have = l->len;
    if (have >= sizeof(begin))
        return false; /* was looked at when it came */
    size_t more = sizeof(begin) - have;
    if (more > len)
        more = len;
    if (have > 0)
        memcpy(begin, l->part, have);
    if (more > 0)
        memcpy(begin + have, data, more);
    return begins_like_http(begin, have + more);
}

static enum lines_event finish(struct lines *l, enum lines_event event)
{
    drop_part(l);
    l->ended = (uint8_t)event;
    return event;
}

/* A line of LEN bytes with perhaps a CR at its end, which is not counted. */
static bool is_too_long(size_t len, uint8_t last)
{
    return len > LINES_BYTES_MAX + 1 ||
           (len == LINES_BYTES_MAX + 1 && last != '\r');
}

enum lines_event lines_read(struct lines *l, struct bytes_in *in,
                            struct bytes *ret)
{
    if (l->ended != 0)
        return (enum lines_event)l->ended;
    if (l->read)
        drop_part(l);

    while (in->len > 0) {
        const uint8_t *data = in->data;
        const uint8_t *mark = memchr(data, '\n', in->len);
        size_t n = mark != NULL ? (size_t)(mark - data) : in->len;
        if (joint_begins_like_http(l, data, n))
            return finish(l, LINES_HTTP);
        if (n > 0 && is_too_long(l->len + n, data[n - 1]))
            return finish(l, LINES_TOO_LONG);

        size_t used = mark != NULL ? n + 1 : n;
        in->data += used;
        in->len -= used;
        if (mark == NULL || l->len > 0)
            keep(l, data, n);
        if (mark == NULL)
            break;
        if (l->len > 0) {
            data = l->part;
            n = l->len;
        }
        if (n > 0 && data[n - 1] == '\r')
            n--;
        if (n == 0) {
            drop_part(l);
            continue;
        }
        l->read = l->len > 0;
        *ret = (struct bytes){.data = data, .len = n};
        return LINES_LINE;
    }
    return LINES_MORE;
}

size_t lines_pending(const struct lines *l)
{
    return l->read ? 0 : l->len;
}

size_t lines_held(const struct lines *l)
{
    return l->cap;
}

size_t lines_write(uint8_t *out, const void *text, size_t len)
{
    ASSERT(len == 0 || memchr(text, '\n', len) == NULL);
    if (len > 0)
        memcpy(out, text, len);
    out[len] = '\n';
    return len + 1;
}
