/* fuzz_ws.c -- frames from strangers, to either side.
 *
 * The first byte chooses the side and what was agreed on, the rest is fed to
 * it.  The same comes of the bytes whether they are read at once, byte by byte,
 * which a second way in takes, or in pieces.  Text is UTF-8, nothing is longer
 * than it may be, what is sent back is one frame as the other side wants it, and
 * all memory is given back. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/base.h"
#include "../../core/utf8.h"
#include "../../protocol/ws.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MESSAGE_MAX 3000 /* small, so that the fuzzer gets there */

/* A hash of all that was said (FNV-1a). */
static void say(uint64_t *sum, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < len; i++)
        *sum = (*sum ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void no_mask(uint8_t *out, size_t n, void *context)
{
    (void)context;
    memset(out, 0, n);
}

static void check_reply(struct bytes b, bool client, uint8_t first)
{
    ASSERT(b.len >= 2 && b.data[0] == first);
    ASSERT((b.data[1] & 0x80) == (client ? 0x80 : 0));
    ASSERT(b.len == (client ? 6u : 2u) + (b.data[1] & 0x7f));
}

static bool say_events(struct ws *w, struct ws_kit *kit, struct bytes_in *in,
                       int64_t now_ms, uint64_t *sum)
{
    for (;;) {
        struct ws_message m;
        enum ws_event event = ws_read(w, kit, in, now_ms, &m);
        if (event == WS_MORE) {
            ASSERT(in->len == 0);
            return true;
        }
        say(sum, &event, sizeof(event));
        say(sum, &m.bytes.len, sizeof(m.bytes.len));
        say(sum, m.bytes.data, m.bytes.len);
        switch (event) {
        case WS_TEXT:
            ASSERT(utf8_valid(m.bytes.data, m.bytes.len));
            ASSERT(m.bytes.len <= MESSAGE_MAX);
            break;
        case WS_BINARY: ASSERT(w->binary && m.bytes.len <= MESSAGE_MAX); break;
        case WS_REPLY: check_reply(m.bytes, w->client, 0x8a); break;
        case WS_PONG: ASSERT(m.bytes.len <= WS_CONTROL_BYTES_MAX); break;
        case WS_END:
            say(sum, &m.code, sizeof(m.code));
            say(sum, m.reason, strlen(m.reason));
            if (m.bytes.len > 0)
                check_reply(m.bytes, w->client, 0x88);
            ASSERT(w->ended && w->message == NULL && w->frame == NULL);
            return false;
        case WS_MORE: break;
        }
    }
}

/* Pieces of STEP bytes, or of changing sizes if it is 0. */
static uint64_t listen(uint8_t how, const uint8_t *data, size_t size,
                       size_t step)
{
    static struct ws_kit kit;
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    unsigned seed = (unsigned)size;
    struct ws w;
    if (kit.random == NULL)
        ws_kit_init(&kit, no_mask, NULL);
    ws_init(&w, &(struct ws_options){
                    .side = how & 1 ? WS_CLIENT : WS_SERVER,
                    .deflate = (how & 2) != 0,
                    .binary = (how & 4) != 0,
                    .message_bytes_max = MESSAGE_MAX,
                });
    if (how & 8)
        ws_close(&w, &kit, WS_GOING_AWAY, NULL);
    for (size_t at = 0; at < size;) {
        size_t n = step > 0 ? step : 1 + (size_t)rand_r(&seed) % 50;
        if (n > size - at)
            n = size - at;
        uint8_t *piece = malloc(n);
        ASSERT(piece != NULL);
        memcpy(piece, data + at, n);
        struct bytes_in in = {.data = piece, .len = n};
        bool more = say_events(&w, &kit, &in, 0, &sum);
        free(piece);
        if (!more)
            break;
        at += n;
    }
    ASSERT(w.cap <= 2 * MESSAGE_MAX);
    bool pending = ws_pending(&w);
    say(&sum, &pending, sizeof(pending));
    ws_done(&w);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    uint64_t sum = listen(data[0], data + 1, size - 1, size);
    ASSERT(listen(data[0], data + 1, size - 1, 1) == sum);
    ASSERT(listen(data[0], data + 1, size - 1, 0) == sum);
    return 0;
}
