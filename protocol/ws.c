/* ws.c -- frames and messages.
 *
 * A piece is some payload of one frame, and the frame's header.  Pieces come
 * in one of two ways, and the rest of the file does not know which:
 *
 *     all of a frame is there    take_whole()   nothing is kept
 *     some of it, or it is bad   take_part()    the header is kept meanwhile
 *
 * Both read the header with read_header() and unmask where the bytes lie.  Then
 *
 *     judge()      at a frame's first piece: may it come here and now?
 *     add_data()   pieces of text, to a message
 *     add_control()  ping, pong and close */

#include "ws.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"
#include "ws_deflate.h"

#define FIRST_SIZE 512

enum opcode { CONTINUATION = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING, PONG };

#define RSV1 4 /* the message is compressed (RFC 7692) */

/* What stands before a frame's payload. */
struct header {
    uint8_t opcode;
    uint8_t rsv; /* 4, 2 and 1 for the three reserved bits */
    bool fin;
    bool masked;
    uint8_t mask[4];
    uint64_t len; /* of the payload */
};

struct piece {
    struct header header;
    bool first; /* of its frame */
    bool last;
    bool stays; /* DATA is good until the caller's next call */
    const uint8_t *data;
    size_t len;
};

/* A frame of which some is missing. */
struct ws_partial {
    struct header header;
    uint64_t done; /* bytes of payload that have come */
    bool started;  /* the header is complete */
    uint8_t bytes_len;
    uint8_t bytes[WS_HEADER_BYTES_MAX];    /* of the header */
    uint8_t control[WS_CONTROL_BYTES_MAX]; /* payload of a control frame */
};

/* ---- frames out --------------------------------------------------------- */

/* FIRST is the frame's first byte.  Writes a header to OUT, without a mask,
 * and says how long it is. */
static size_t put_header(uint8_t *out, uint8_t first, size_t len, bool masked)
{
    uint8_t mask = masked ? 0x80 : 0;
    out[0] = first;
    if (len < 126) {
        out[1] = (uint8_t)(mask | len);
        return 2;
    }
    int bytes = len <= UINT16_MAX ? 2 : 8;
    out[1] = (uint8_t)(mask | (bytes == 2 ? 126 : 127));
    for (int i = 0; i < bytes; i++)
        out[2 + i] = (uint8_t)((uint64_t)len >> (8 * (bytes - 1 - i)));
    return 2 + (size_t)bytes;
}

/* Masks or unmasks, from the first byte of a payload on. */
static void mask_bytes(uint8_t *out, const uint8_t *data, size_t len,
                       const uint8_t mask[4])
{
    uint8_t twice[8];
    uint64_t key, eight;
    memcpy(twice, mask, 4);
    memcpy(twice + 4, mask, 4);
    memcpy(&key, twice, sizeof(key));
    size_t i = 0;
    for (; len - i >= sizeof(eight); i += sizeof(eight)) {
        memcpy(&eight, data + i, sizeof(eight));
        eight ^= key;
        memcpy(out + i, &eight, sizeof(eight));
    }
    for (; i < len; i++)
        out[i] = data[i] ^ mask[i % 4];
}

/* A whole frame as this side has to send it. */
static size_t put_frame(const struct ws *w, struct ws_kit *kit, uint8_t opcode,
                        const void *data, size_t len, uint8_t *out)
{
    size_t n = put_header(out, 0x80 | opcode, len, w->client);
    if (!w->client) {
        if (len > 0)
            memcpy(out + n, data, len);
        return n + len;
    }
    ASSERT(kit->random != NULL);
    uint8_t *mask = out + n;
    kit->random(mask, 4, kit->context);
    mask_bytes(mask + 4, data, len, mask);
    return n + 4 + len;
}

static struct bytes put_control(const struct ws *w, struct ws_kit *kit,
                                uint8_t opcode, const void *data, size_t len)
{
    ASSERT(len <= WS_CONTROL_BYTES_MAX);
    size_t n = put_frame(w, kit, opcode, data, len, kit->reply);
    return (struct bytes){.data = kit->reply, .len = n};
}

/* Cuts TEXT where a character ends. */
static size_t reason_len(const char *text)
{
    size_t len = strnlen(text, WS_REASON_BYTES_MAX + 1);
    if (len <= WS_REASON_BYTES_MAX)
        return len;
    return utf8_cut(text, WS_REASON_BYTES_MAX);
}

static struct bytes put_close(const struct ws *w, struct ws_kit *kit,
                              uint16_t code, const char *reason)
{
    uint8_t payload[WS_CONTROL_BYTES_MAX];
    if (code == WS_NO_CODE)
        return put_control(w, kit, CLOSE, NULL, 0);
    size_t len = reason != NULL ? reason_len(reason) : 0;
    payload[0] = (uint8_t)(code >> 8);
    payload[1] = (uint8_t)code;
    if (len > 0)
        memcpy(payload + 2, reason, len);
    return put_control(w, kit, CLOSE, payload, 2 + len);
}

struct bytes ws_close(struct ws *w, struct ws_kit *kit, enum ws_code code,
                      const char *reason)
{
    if (w->closing)
        return (struct bytes){0};
    w->closing = true;
    w->code = (uint16_t)code;
    return put_close(w, kit, w->code, reason);
}

struct bytes ws_ping(struct ws *w, struct ws_kit *kit, const void *data,
                     size_t len)
{
    if (w->closing)
        return (struct bytes){0};
    return put_control(w, kit, PING, data, len);
}

size_t ws_write(struct ws *w, struct ws_kit *kit, enum ws_opcode opcode,
                const void *data, size_t len, uint8_t *out)
{
    ASSERT(w->client);
    if (w->closing)
        return 0;
    return put_frame(w, kit, (uint8_t)opcode, data, len, out);
}

/* ---- frames out, for many ----------------------------------------------- */

/* BYTES holds room for a header, the message, and the end of a line. */
#define ROOM (WS_HEADER_BYTES_MAX - 4) /* no mask */

struct ws_outgoing {
    uint32_t refs;
    uint8_t opcode;
    uint8_t header_len;
    bool tried; /* to compress it */
    size_t len;
    size_t packed_len;
    uint8_t *packed; /* a frame; NULL if there is none */
    uint8_t bytes[];
};

struct ws_outgoing *ws_outgoing_new(enum ws_opcode opcode, const void *data,
                                    size_t len)
{
    struct ws_outgoing *p = malloc(sizeof(*p) + ROOM + len + 1);
    uint8_t header[WS_HEADER_BYTES_MAX];
    if (p == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    *p =
        (struct ws_outgoing){.refs = 1, .opcode = (uint8_t)opcode, .len = len};
    size_t n = put_header(header, 0x80 | p->opcode, len, false);
    p->header_len = (uint8_t)n;
    memcpy(p->bytes + ROOM - n, header, n);
    if (len > 0)
        memcpy(p->bytes + ROOM, data, len);
    p->bytes[ROOM + len] = '\n';
    return p;
}

struct ws_outgoing *ws_outgoing_ref(struct ws_outgoing *p)
{
    ASSERT(p->refs > 0 && p->refs < UINT32_MAX);
    p->refs++;
    return p;
}

void ws_outgoing_unref(struct ws_outgoing *p)
{
    if (p == NULL)
        return;
    ASSERT(p->refs > 0);
    if (--p->refs > 0)
        return;
    free(p->packed);
    free(p);
}

/* Worth while only if shorter. */
static void pack(struct ws_outgoing *p, struct ws_kit *kit)
{
    struct bytes b;
    uint8_t header[WS_HEADER_BYTES_MAX];
    p->tried = true;
    if (!deflate_pack(kit, p->bytes + ROOM, p->len, &b))
        return;
    size_t n = put_header(header, 0xc0 | p->opcode, b.len, false);
    p->packed = malloc(n + b.len);
    if (p->packed == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    memcpy(p->packed, header, n);
    memcpy(p->packed + n, b.data, b.len);
    p->packed_len = n + b.len;
}

struct bytes ws_outgoing_frame(struct ws_outgoing *p, struct ws_kit *kit,
                               const struct ws *w)
{
    ASSERT(!w->client && !w->closing);
    if (w->deflate && p->len >= WS_DEFLATE_BYTES_MIN) {
        if (!p->tried)
            pack(p, kit);
        if (p->packed != NULL)
            return (struct bytes){.data = p->packed, .len = p->packed_len};
    }
    return (struct bytes){.data = p->bytes + ROOM - p->header_len,
                          .len = p->header_len + p->len};
}

size_t ws_header(uint8_t *end, enum ws_opcode opcode, size_t len)
{
    uint8_t header[WS_HEADER_BYTES_MAX];
    size_t n = put_header(header, (uint8_t)(0x80 | opcode), len, false);

    memcpy(end - n, header, n);
    return n;
}

struct bytes ws_outgoing_line(const struct ws_outgoing *p)
{
    return (struct bytes){.data = p->bytes + ROOM, .len = p->len + 1};
}

struct bytes ws_outgoing_text(const struct ws_outgoing *p)
{
    return (struct bytes){.data = p->bytes + ROOM, .len = p->len};
}

/* ---- frames in ---------------------------------------------------------- */

static uint64_t read_number(const uint8_t *data, size_t bytes)
{
    uint64_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n = n << 8 | data[i];
    return n;
}

/* Reads the header at the front of LEN bytes of DATA: how long it is, 0 if
 * some of it is missing, -1 if no frame begins like that. */
static int read_header(const uint8_t *data, size_t len, struct header *ret)
{
    if (len < 2)
        return 0;
    *ret = (struct header){
        .opcode = data[0] & 0x0f,
        .rsv = data[0] >> 4 & 7,
        .fin = (data[0] & 0x80) != 0,
        .masked = (data[1] & 0x80) != 0,
        .len = data[1] & 0x7f,
    };
    size_t n = 2;
    if (ret->opcode >= CLOSE && (!ret->fin || ret->len > WS_CONTROL_BYTES_MAX))
        return -1;
    if (ret->len >= 126) {
        size_t bytes = ret->len == 126 ? 2 : 8;
        if (len < n + bytes)
            return 0;
        ret->len = read_number(data + n, bytes);
        if (ret->len < (bytes == 2 ? 126 : 65536) || ret->len > INT64_MAX)
            return -1; /* a shorter form would have done, or too long */
        n += bytes;
    }
    if (ret->masked) {
        if (len < n + sizeof(ret->mask))
            return 0;
        memcpy(ret->mask, data + n, sizeof(ret->mask));
        n += sizeof(ret->mask);
    }
    return (int)n;
}

/* The next LEN bytes of a frame's payload, of which DONE have come before:
 * takes them from the front of IN, and unmasks them there. */
static const uint8_t *take_payload(struct bytes_in *in, const struct header *h,
                                   uint64_t done, size_t len)
{
    uint8_t *data = in->data;
    uint8_t mask[4];

    if (h->masked) {
        for (size_t i = 0; i < sizeof(mask); i++)
            mask[i] = h->mask[(done + i) % sizeof(mask)];
        mask_bytes(data, data, len, mask);
    }
    in->data += len;
    in->len -= len;
    return data;
}

/* False if it is not all there, or no frame: that is take_part()'s affair. */
static bool take_whole(struct bytes_in *in, struct piece *p)
{
    struct header h;
    int n = read_header(in->data, in->len, &h);

    if (n <= 0 || in->len - (size_t)n < h.len)
        return false;
    in->data += n;
    in->len -= (size_t)n;
    *p = (struct piece){
        .header = h,
        .first = true,
        .last = true,
        .stays = true,
        .data = take_payload(in, &h, 0, (size_t)h.len),
        .len = (size_t)h.len,
    };
    return true;
}

static struct ws_partial *partial_new(void)
{
    struct ws_partial *f = calloc(1, sizeof(*f));
    if (f == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    return f;
}

static void drop_frame(struct ws *w)
{
    free(w->frame);
    w->frame = NULL;
}

/* 1 for a piece, 0 if all of IN is used up, -1 if this is no frame. */
static int take_part(struct ws *w, struct bytes_in *in, struct piece *p)
{
    if (w->frame == NULL)
        w->frame = partial_new();
    struct ws_partial *f = w->frame;
    bool first = !f->started;

    while (!f->started) {
        if (in->len == 0)
            return 0;
        f->bytes[f->bytes_len++] = *in->data++;
        in->len--;
        int n = read_header(f->bytes, f->bytes_len, &f->header);
        if (n < 0)
            return -1;
        f->started = n > 0;
    }
    uint64_t missing = f->header.len - f->done;
    size_t n = missing < in->len ? (size_t)missing : in->len;
    *p = (struct piece){
        .header = f->header,
        .first = first,
        .last = n == missing,
        .data = take_payload(in, &f->header, f->done, n),
        .len = n,
    };
    f->done += n;
    return 1;
}

/* ---- messages ----------------------------------------------------------- */

static void drop_message(struct ws *w)
{
    free(w->message);
    w->message = NULL;
    w->len = 0;
    w->cap = 0;
    w->given = false;
}

static void keep(struct ws *w, const uint8_t *data, size_t n)
{
    if (w->cap - w->len < n) {
        size_t cap = w->cap > 0 ? w->cap : FIRST_SIZE;
        while (cap - w->len < n)
            cap *= 2;
        w->message = realloc(w->message, cap);
        if (w->message == NULL)
            core_panic(__FILE__, __LINE__, "out of memory");
        w->cap = (uint32_t)cap;
    }
    if (n > 0)
        memcpy(w->message + w->len, data, n);
    w->len += (uint32_t)n;
}

static enum ws_event end(struct ws *w)
{
    w->closing = true;
    w->ended = true;
    w->more = false;
    drop_message(w);
    drop_frame(w);
    return WS_END;
}

/* The peer broke a rule: says so, unless a close was sent already. */
static enum ws_event fail(struct ws *w, struct ws_kit *kit, int code,
                          const char *why, struct ws_message *ret)
{
    if (!w->closing) {
        ret->bytes = put_close(w, kit, (uint16_t)code, why);
        w->code = (uint16_t)code;
    }
    ret->code = w->code;
    return end(w);
}

/* Frames that bring nothing may come, but not too many. */
static bool is_flood(struct ws *w, int64_t now_ms)
{
    uint32_t now = (uint32_t)now_ms;
    if (w->idle_frames == 0 || now - w->window_end < UINT32_MAX / 2) {
        w->window_end = now + WS_WINDOW_MS;
        w->idle_frames = 0;
    }
    return ++w->idle_frames > WS_IDLE_FRAMES_MAX;
}

/* What deflate cannot make shorter it makes a little longer: by five bytes for
 * every block, and blocks are not that small. */
static uint32_t bytes_max(const struct ws *w, bool squeezed)
{
    uint32_t max = w->message_bytes_max;
    return squeezed ? max + max / 256 + 64 : max;
}

/* Whether a frame may come here and now: 0, or the code that says why not. */
static int judge(struct ws *w, const struct piece *p, int64_t now_ms,
                 const char **why)
{
    const struct header *h = &p->header;
    bool control = h->opcode >= CLOSE;
    bool begins = h->opcode == TEXT || h->opcode == BINARY;

    *why = w->client ? "masked" : "not masked";
    if (h->masked == w->client)
        return WS_PROTOCOL_ERROR;
    *why = "reserved bits";
    if (h->rsv != 0 && (h->rsv != RSV1 || !w->deflate || !begins))
        return WS_PROTOCOL_ERROR;
    *why = "unknown opcode";
    if (h->opcode > PONG || (h->opcode > BINARY && !control))
        return WS_PROTOCOL_ERROR;
    *why = "bad close";
    if (h->opcode == CLOSE && h->len == 1)
        return WS_PROTOCOL_ERROR;
    *why = "too many frames";
    if ((control || h->len == 0) && is_flood(w, now_ms))
        return WS_POLICY;
    if (control)
        return 0;
    *why = "bad fragments";
    if (begins == w->more)
        return WS_PROTOCOL_ERROR;
    *why = "text only";
    if (h->opcode == BINARY && !w->binary)
        return WS_UNSUPPORTED;
    *why = "too big";
    uint32_t have = begins ? 0 : w->len;
    if (h->len > bytes_max(w, begins ? h->rsv != 0 : w->squeezed) - have)
        return WS_TOO_BIG;
    return 0;
}

/* A message is complete. */
static enum ws_event deliver(struct ws *w, struct ws_kit *kit,
                             const uint8_t *data, size_t len,
                             struct ws_message *ret)
{
    ret->bytes = (struct bytes){.data = data, .len = len};
    if (w->squeezed) {
        int code = deflate_unpack(kit, data, len, w->message_bytes_max,
                                  &ret->bytes);
        if (code != 0)
            return fail(w, kit, code,
                        code == WS_TOO_BIG ? "too big" : "not deflated", ret);
        ret->inflated = ret->bytes.len;
        w->utf8 = (uint8_t)utf8_walk(UTF8_OK, ret->bytes.data, ret->bytes.len);
    }
    if (w->opcode == TEXT && w->utf8 != UTF8_OK)
        return fail(w, kit, WS_BAD_TEXT, "not UTF-8", ret);
    return w->opcode == TEXT ? WS_TEXT : WS_BINARY;
}

static enum ws_event add_data(struct ws *w, struct ws_kit *kit,
                              const struct piece *p, struct ws_message *ret)
{
    if (w->closing) {
        if (p->last)
            w->more = !p->header.fin;
        return WS_MORE;
    }
    if (p->first && p->header.opcode != CONTINUATION) {
        w->opcode = p->header.opcode;
        w->squeezed = p->header.rsv != 0;
        w->utf8 = UTF8_OK;
        w->more = true;
    }
    if (w->opcode == TEXT && !w->squeezed) {
        w->utf8 = (uint8_t)utf8_walk((enum utf8)w->utf8, p->data, p->len);
        if (w->utf8 == UTF8_BAD)
            return fail(w, kit, WS_BAD_TEXT, "not UTF-8", ret);
    }

    bool last = p->last && p->header.fin;
    bool whole = last && p->first && w->len == 0 && p->stays;
    if (!whole)
        keep(w, p->data, p->len);
    if (!last)
        return WS_MORE;
    w->more = false;
    if (whole)
        return deliver(w, kit, p->data, p->len, ret);
    w->given = true;
    return deliver(w, kit, w->message, w->len, ret);
}

/* What a close frame may say: RFC 6455, 7.4, and what IANA has added. */
static bool is_code(unsigned code)
{
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

static enum ws_event on_close(struct ws *w, struct ws_kit *kit,
                              const uint8_t *data, size_t len,
                              struct ws_message *ret)
{
    uint16_t code = WS_NO_CODE;
    if (len > 0) {
        code = (uint16_t)(data[0] << 8 | data[1]);
        if (!is_code(code))
            return fail(w, kit, WS_PROTOCOL_ERROR, "bad close", ret);
        if (!utf8_valid(data + 2, len - 2))
            return fail(w, kit, WS_BAD_TEXT, "not UTF-8", ret);
    }
    ret->code = w->code;
    if (!w->closing) {
        ret->code = code;
        ret->theirs = true;
        if (len > 2)
            memcpy(ret->reason, data + 2, len - 2);
        ret->bytes = put_close(w, kit, code, NULL);
        w->code = code;
    }
    return end(w);
}

static enum ws_event add_control(struct ws *w, struct ws_kit *kit,
                                 const struct piece *p, struct ws_message *ret)
{
    const uint8_t *data = p->data;
    size_t len = p->len;
    if (!p->stays) {
        struct ws_partial *f = w->frame;
        ASSERT(len <= f->done && f->done <= WS_CONTROL_BYTES_MAX);
        if (len > 0)
            memcpy(f->control + f->done - len, data, len);
        data = f->control;
        len = (size_t)f->done;
    }
    if (!p->last)
        return WS_MORE;
    if (p->header.opcode == CLOSE)
        return on_close(w, kit, data, len, ret);
    if (w->closing)
        return WS_MORE;
    if (p->header.opcode == PING) {
        ret->bytes = put_control(w, kit, PONG, data, len);
        return WS_REPLY;
    }
    if (len > 0)
        memcpy(kit->reply, data, len);
    ret->bytes = (struct bytes){.data = kit->reply, .len = len};
    return WS_PONG;
}

static enum ws_event add(struct ws *w, struct ws_kit *kit,
                         const struct piece *p, int64_t now_ms,
                         struct ws_message *ret)
{
    const char *why;
    int code = p->first ? judge(w, p, now_ms, &why) : 0;
    if (code != 0)
        return fail(w, kit, code, why, ret);
    enum ws_event event = p->header.opcode >= CLOSE
                              ? add_control(w, kit, p, ret)
                              : add_data(w, kit, p, ret);
    if (p->last && !p->stays)
        drop_frame(w);
    return event;
}

enum ws_event ws_read(struct ws *w, struct ws_kit *kit, struct bytes_in *in,
                      int64_t now_ms, struct ws_message *ret)
{
    *ret = (struct ws_message){0};
    if (w->given)
        drop_message(w);
    while (!w->ended) {
        struct piece piece;
        int taken = in->len == 0 ? 0
                    : w->frame == NULL && take_whole(in, &piece)
                        ? 1
                        : take_part(w, in, &piece);
        if (taken == 0)
            return WS_MORE;
        if (taken < 0)
            return fail(w, kit, WS_PROTOCOL_ERROR, "no frame", ret);
        enum ws_event event = add(w, kit, &piece, now_ms, ret);
        if (event != WS_MORE)
            return event;
    }
    ret->code = w->code;
    return WS_END;
}

/* ---- a connection ------------------------------------------------------- */

void ws_kit_init(struct ws_kit *kit, ws_random_cb random, void *context)
{
    *kit = (struct ws_kit){.random = random, .context = context};
}

void ws_kit_done(struct ws_kit *kit)
{
    deflate_free(kit->deflate);
    kit->deflate = NULL;
}

void ws_init(struct ws *w, const struct ws_options *options)
{
    bool client = options->side == WS_CLIENT;
    uint32_t max = client ? WS_ANSWER_BYTES_MAX : WS_MESSAGE_BYTES_MAX;
    if (options->message_bytes_max > 0)
        max = options->message_bytes_max;
    *w = (struct ws){
        .deflate = options->deflate,
        .client = client,
        .binary = options->binary,
        .message_bytes_max = max,
    };
}

void ws_done(struct ws *w)
{
    drop_message(w);
    drop_frame(w);
}

bool ws_pending(const struct ws *w)
{
    return w->more || w->frame != NULL;
}

size_t ws_held(const struct ws *w)
{
    return w->cap + (w->frame != NULL ? sizeof(*w->frame) : 0);
}
