/* fuzz_line.c -- lines from strangers.
 *
 * The same lines come of the bytes whether they are read at once, byte by byte
 * or in pieces, and they are the lines that are there. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/base.h"
#include "../../protocol/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A hash of all that was said (FNV-1a). */
static void say(uint64_t *sum, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < len; i++)
        *sum = (*sum ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void say_line(uint64_t *sum, struct bytes line)
{
    ASSERT(line.len > 0 && line.len <= LINES_BYTES_MAX);
    ASSERT(memchr(line.data, '\n', line.len) == NULL);
    say(sum, line.data, line.len);
    say(sum, "\n", 1);
}

static uint64_t listen(const uint8_t *data, size_t size, size_t step)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    unsigned seed = (unsigned)size;
    enum lines_event event = LINES_MORE;
    struct lines l;
    lines_init(&l);
    for (size_t at = 0, n; at < size; at += n) {
        n = step > 0 ? step : 1 + (size_t)rand_r(&seed) % 50;
        if (n > size - at)
            n = size - at;
        uint8_t *piece = malloc(n);
        ASSERT(piece != NULL);
        memcpy(piece, data + at, n);
        struct bytes_in in = {.data = piece, .len = n};
        struct bytes line;
        while ((event = lines_read(&l, &in, &line)) == LINES_LINE)
            say_line(&sum, line);
        ASSERT(event != LINES_MORE || in.len == 0);
        free(piece);
        if (event != LINES_MORE)
            break;
    }
    ASSERT(l.cap <= LINES_BYTES_MAX + 1);
    size_t pending = lines_pending(&l);
    say(&sum, &event, sizeof(event));
    say(&sum, &pending, sizeof(pending));
    lines_done(&l);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    uint64_t sum = listen(data, size, size);
    ASSERT(listen(data, size, 1) == sum);
    ASSERT(listen(data, size, 0) == sum);
    return 0;
}
