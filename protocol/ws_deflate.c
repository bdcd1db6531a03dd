#include "ws_deflate.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "core/base.h"

/* Windows are as large as they get: a peer that wants a smaller one of us is
 * declined (ws_handshake.c).  A small table of hashes, because it is cleared
 * for every message. */
#define WINDOW_BITS  (-15)
#define LEVEL        3
#define MEMORY_LEVEL 5

#define FIRST_SIZE 4096
/* A message may end the stream and begin another, which costs a copy of the
 * window; nobody does it often. */
#define STREAMS_MAX 8
#define HISTORY     32768

struct ws_deflate {
    z_stream unpack;
    z_stream pack;
    uint8_t *buf; /* what was inflated */
    size_t cap;
    uint8_t *packed;
    size_t packed_cap;
};

/* What every message ends with, and is not sent. */
static const uint8_t tail[4] = {0x00, 0x00, 0xff, 0xff};

static struct ws_deflate *deflate_of(struct ws_kit *kit)
{
    if (kit->deflate != NULL)
        return kit->deflate;
    struct ws_deflate *d = calloc(1, sizeof(*d));
    if (d == NULL || inflateInit2(&d->unpack, WINDOW_BITS) != Z_OK ||
        deflateInit2(&d->pack, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        core_panic(__FILE__, __LINE__, "out of memory");
    kit->deflate = d;
    return d;
}

void deflate_free(struct ws_deflate *d)
{
    if (d == NULL)
        return;
    inflateEnd(&d->unpack);
    deflateEnd(&d->pack);
    free(d->buf);
    free(d->packed);
    free(d);
}

/* Room for at least one byte more than LEN, but never for more than MAX + 1:
 * the one too many is how a message that is too long shows. */
static void grow(struct ws_deflate *d, size_t len, size_t max)
{
    if (d->cap > len)
        return;
    size_t cap = d->cap > 0 ? 2 * d->cap : FIRST_SIZE;
    if (cap > max + 1)
        cap = max + 1;
    ASSERT(cap > len);
    d->buf = realloc(d->buf, cap);
    if (d->buf == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    d->cap = cap;
}

/* Goes on after the end of a stream: what follows may refer to what came
 * before. */
static bool restart(struct ws_deflate *d, size_t len)
{
    size_t n = len < HISTORY ? len : HISTORY;
    if (inflateReset(&d->unpack) != Z_OK)
        return false;
    return n == 0 ||
           inflateSetDictionary(&d->unpack, d->buf + len - n, (uInt)n) == Z_OK;
}

/* Inflates N bytes behind *LEN others. */
static int unpack_part(struct ws_deflate *d, const uint8_t *data, size_t n,
                       size_t max, size_t *len, int *streams)
{
    z_stream *z = &d->unpack;
    z->next_in = (Bytef *)(uintptr_t)data;
    z->avail_in = (uInt)n;
    for (;;) {
        grow(d, *len, max);
        size_t room = (d->cap < max + 1 ? d->cap : max + 1) - *len;
        z->next_out = d->buf + *len;
        z->avail_out = (uInt)room;
        int status = inflate(z, Z_SYNC_FLUSH);
        *len += room - z->avail_out;
        if (*len > max)
            return WS_TOO_BIG;
        if (status == Z_STREAM_END) {
            if (++*streams > STREAMS_MAX || !restart(d, *len))
                return WS_BAD_TEXT;
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            return WS_BAD_TEXT;
        }
        if (z->avail_out > 0 && z->avail_in == 0)
            return 0;
        if (status == Z_BUF_ERROR && z->avail_out > 0)
            return WS_BAD_TEXT;
    }
}

/* zlib tells where it stopped by this bit of data_type: between two blocks. */
#define BETWEEN_BLOCKS 128

int deflate_unpack(struct ws_kit *kit, const uint8_t *data, size_t len,
                   size_t max, struct bytes *ret)
{
    struct ws_deflate *d = deflate_of(kit);
    size_t out_len = 0;
    int streams = 0;

    if (inflateReset(&d->unpack) != Z_OK)
        return WS_INTERNAL;
    int code = unpack_part(d, data, len, max, &out_len, &streams);
    if (code == 0)
        code = unpack_part(d, tail, sizeof(tail), max, &out_len, &streams);
    if (code != 0)
        return code;
    if (!(d->unpack.data_type & BETWEEN_BLOCKS))
        return WS_BAD_TEXT; /* cut off */
    *ret = (struct bytes){.data = d->buf, .len = out_len};
    return 0;
}

bool deflate_pack(struct ws_kit *kit, const uint8_t *data, size_t len,
                  struct bytes *ret)
{
    struct ws_deflate *d = deflate_of(kit);
    z_stream *z = &d->pack;
    if (d->packed_cap < len) {
        d->packed = realloc(d->packed, len);
        if (d->packed == NULL)
            core_panic(__FILE__, __LINE__, "out of memory");
        d->packed_cap = len;
    }
    if (deflateReset(z) != Z_OK)
        return false;
    z->next_in = (Bytef *)(uintptr_t)data;
    z->avail_in = (uInt)len;
    z->next_out = d->packed;
    z->avail_out = (uInt)len;
    if (deflate(z, Z_SYNC_FLUSH) != Z_OK || z->avail_out == 0)
        return false;
    size_t n = len - z->avail_out;
    ASSERT(n >= sizeof(tail));
    n -= sizeof(tail);
    ASSERT(memcmp(d->packed + n, tail, sizeof(tail)) == 0);
    *ret = (struct bytes){.data = d->packed, .len = n};
    return true;
}
