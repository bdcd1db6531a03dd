/* test_ws.c -- WebSocket, case by case after the categories of the Autobahn
 * test suite.
 *
 * A case is a line of frames and a line of what comes of them.  Frames:
 *
 *     81:Hello     first byte, and payload as it stands
 *     81*300       that many x as payload
 *     81=c3a9      payload in hex
 *     u81:Hello    masked where it should not be, or not where it should
 *     z81:Hello    payload deflated, and the bit set that says so
 *     !81fe        bytes in hex that are no frame, or none yet
 *
 * and what comes: `t:Hello` or `t#300` and `b:` for messages, `pong:x` for our
 * answer to a ping, `heard:x` for a pong, `closed1000` if they close and
 * `failed1002` if we do; `more` if something is missing.  Every case is fed as
 * a whole, and byte by byte, which a second way in takes, and in pieces of other
 * sizes; the same must come of all. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../../core/base.h"
#include "../../core/sha256.h"
#include "../../core/utf8.h"
#include "../../protocol/http.h"
#include "../../protocol/ws.h"

#define WIRE_MAX 400000

static uint8_t wire[WIRE_MAX];
static size_t wire_len;

/* ---- frames ------------------------------------------------------------- */

static void put(const void *data, size_t len)
{
    cr_assert(wire_len + len <= WIRE_MAX);
    if (len > 0)
        memcpy(wire + wire_len, data, len);
    wire_len += len;
}

static void put_frame(uint8_t first, const uint8_t *payload, size_t len,
                      bool masked)
{
    static const uint8_t mask[4] = {0x37, 0xfa, 0x21, 0x3d};
    uint8_t head[10] = {first};
    size_t n = 2;
    if (len < 126) {
        head[1] = (uint8_t)len;
    } else if (len < 65536) {
        head[1] = 126;
        head[2] = (uint8_t)(len >> 8);
        head[3] = (uint8_t)len;
        n = 4;
    } else {
        head[1] = 127;
        for (int i = 0; i < 8; i++)
            head[2 + i] = (uint8_t)((uint64_t)len >> (56 - 8 * i));
        n = 10;
    }
    if (masked)
        head[1] |= 0x80;
    put(head, n);
    if (masked)
        put(mask, 4);
    size_t at = wire_len;
    put(payload, len);
    for (size_t i = 0; masked && i < len; i++)
        wire[at + i] ^= mask[i % 4];
}

static size_t deflated(uint8_t *out, size_t cap, const uint8_t *data,
                       size_t len, int flush)
{
    z_stream z = {0};
    cr_assert(deflateInit2(&z, 6, Z_DEFLATED, -15, 8, 0) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)data;
    z.avail_in = (uInt)len;
    z.next_out = out;
    z.avail_out = (uInt)cap;
    deflate(&z, flush);
    cr_assert(z.avail_out > 0);
    size_t n = cap - z.avail_out;
    deflateEnd(&z);
    return flush == Z_SYNC_FLUSH ? n - 4 : n;
}

/* The payload that TEXT, as described above, stands for. */
static size_t read_payload(const char *text, size_t len, uint8_t *out)
{
    if (len == 0)
        return 0;
    if (text[0] == '*') {
        size_t n = strtoul(text + 1, NULL, 10);
        memset(out, 'x', n);
        return n;
    }
    if (text[0] == '=') {
        cr_assert(len % 2 == 1 && hex_read(out, text + 1, len / 2));
        return len / 2;
    }
    cr_assert_eq(text[0], ':');
    memcpy(out, text + 1, len - 1);
    return len - 1;
}

static void put_item(const char *item, size_t len, bool masked)
{
    static uint8_t payload[WIRE_MAX], packed[WIRE_MAX];
    if (item[0] == '!') {
        cr_assert(hex_read(payload, item + 1, len / 2));
        put(payload, len / 2);
        return;
    }
    bool unpacked = true;
    for (; item[0] == 'u' || item[0] == 'z'; item++, len--) {
        if (item[0] == 'u')
            masked = !masked;
        else
            unpacked = false;
    }
    uint8_t first;
    cr_assert(hex_read(&first, item, 1));
    size_t n = read_payload(item + 2, len - 2, payload);
    if (unpacked) {
        put_frame(first, payload, n, masked);
        return;
    }
    n = deflated(packed, sizeof(packed), payload, n, Z_SYNC_FLUSH);
    put_frame(first | 0x40, packed, n, masked);
}

static void put_items(const char *items, bool masked)
{
    wire_len = 0;
    while (*items != '\0') {
        items += strspn(items, " ");
        size_t len = strcspn(items, " ");
        if (len > 0)
            put_item(items, len, masked);
        items += len;
    }
}

/* ---- transcripts -------------------------------------------------------- */

struct said {
    char text[6000];
    size_t len;
};

static void say(struct said *s, const char *kind, const struct bytes *b)
{
    size_t room = sizeof(s->text) - s->len;
    const char *between = s->len > 0 ? " " : "";
    int n;
    if (b == NULL)
        n = snprintf(s->text + s->len, room, "%s%s", between, kind);
    else if (b->len > 60)
        n = snprintf(s->text + s->len, room, "%s%s#%zu", between, kind,
                     b->len);
    else
        n = snprintf(s->text + s->len, room, "%s%s:%.*s", between, kind,
                     (int)b->len, (const char *)b->data);
    cr_assert(n >= 0 && (size_t)n < room);
    s->len += (size_t)n;
}

/* What a control frame of ours holds, as the other side reads it. */
static struct bytes payload_of(struct bytes frame, uint8_t first, bool client)
{
    static uint8_t payload[125];
    size_t head = client ? 6 : 2;
    cr_assert(frame.len >= head && frame.data[0] == first);
    size_t len = frame.data[1] & 0x7f;
    cr_assert_eq(frame.data[1] & 0x80, client ? 0x80 : 0);
    cr_assert(len <= 125 && frame.len == head + len);
    for (size_t i = 0; i < len; i++)
        payload[i] = frame.data[head + i] ^
                     (client ? frame.data[2 + i % 4] : 0);
    return (struct bytes){.data = payload, .len = len};
}

static void say_end(struct said *s, const struct ws *w,
                    const struct ws_message *m)
{
    char text[200];
    if (m->bytes.len > 0) {
        struct bytes p = payload_of(m->bytes, 0x88, w->client);
        unsigned code = p.len == 0 ? 1005 : p.data[0] * 256u + p.data[1];
        cr_assert_neq(p.len, 1);
        cr_assert_eq(code, m->code);
        cr_assert(p.len == 0 || utf8_valid(p.data + 2, p.len - 2));
    }
    snprintf(text, sizeof(text), "%s%s%u%s%s",
             m->bytes.len == 0 ? "silently-" : "",
             m->theirs ? "closed" : "failed", m->code,
             m->reason[0] != '\0' ? ":" : "", m->reason);
    say(s, text, NULL);
}

static bool say_events(struct ws *w, struct ws_kit *kit, struct bytes_in *in,
                       int64_t now_ms, struct said *s)
{
    for (;;) {
        struct ws_message m;
        struct bytes p;
        switch (ws_read(w, kit, in, now_ms, &m)) {
        case WS_MORE: cr_assert_eq(in->len, 0); return true;
        case WS_TEXT:
            cr_assert(utf8_valid(m.bytes.data, m.bytes.len));
            say(s, "t", &m.bytes);
            break;
        case WS_BINARY: say(s, "b", &m.bytes); break;
        case WS_PONG: say(s, "heard", &m.bytes); break;
        case WS_REPLY:
            p = payload_of(m.bytes, 0x8a, w->client);
            say(s, "pong", &p);
            break;
        case WS_END:
            say_end(s, w, &m);
            cr_assert(w->ended && w->closing);
            cr_assert(w->message == NULL && w->frame == NULL);
            cr_assert(ws_read(w, kit, in, now_ms, &m) == WS_END);
            cr_assert_eq(m.bytes.len, 0);
            return false;
        }
    }
}

static void random_mask(uint8_t *out, size_t n, void *context)
{
    unsigned *seed = context;
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)rand_r(seed);
}

static void listen(const struct ws_options *o, size_t step, unsigned seed,
                   struct said *s)
{
    struct ws_kit kit;
    struct ws w;
    ws_kit_init(&kit, random_mask, &seed);
    ws_init(&w, o);
    s->len = 0;
    s->text[0] = '\0';
    for (size_t at = 0; at < wire_len;) {
        size_t n = step > 0 ? step : 1 + (size_t)rand_r(&seed) % 40;
        if (n > wire_len - at)
            n = wire_len - at;
        uint8_t *piece = malloc(n);
        memcpy(piece, wire + at, n);
        struct bytes_in in = {.data = piece, .len = n};
        bool more = say_events(&w, &kit, &in, 0, s);
        free(piece);
        at = more ? at + n : wire_len;
    }
    if (ws_pending(&w))
        say(s, "more", NULL);
    ws_done(&w);
    ws_kit_done(&kit);
}

static struct ws_options options;

static void expect_wire(const char *want, const char *what)
{
    static struct said said;
    for (unsigned run = 0; run < 9; run++) {
        size_t step = run == 0 ? wire_len : run < 4 ? run : 0;
        if (run > 4 && wire_len > 1000)
            step = run == 5 ? 997 : 4096 + run;
        listen(&options, step, run, &said);
        cr_expect_str_eq(said.text, want, "run %u of %.200s: %s, not %s", run,
                         what, said.text, want);
        if (strcmp(said.text, want) != 0)
            return;
    }
}

static void expect(const char *items, const char *want)
{
    put_items(items, options.side == WS_SERVER);
    expect_wire(want, items);
}

/* The conformance suites want an echo of either kind of message. */
static void echo(void)
{
    options = (struct ws_options){.side = WS_SERVER, .binary = true};
}

static void echo_deflate(void)
{
    echo();
    options.deflate = true;
}

/* What the server is like otherwise. */
static void serve(void)
{
    options = (struct ws_options){.side = WS_SERVER};
}

static void client(void)
{
    options = (struct ws_options){.side = WS_CLIENT};
}

TestSuite(ws, .init = echo);

/* ---- 1 to 4: frames ----------------------------------------------------- */

/* Category 1: messages of all lengths, around every change in the header. */
Test(ws, messages)
{
    expect("81:", "t:");
    expect("81:Hello", "t:Hello");
    expect("81*125", "t#125");
    expect("81*126", "t#126");
    expect("81*127", "t#127");
    expect("81*128", "t#128");
    expect("81*65535", "t#65535");
    expect("81*65536", "t#65536");
    expect("82:", "b:");
    expect("82:\xfe\xff", "b:\xfe\xff");
    expect("82*125", "b#125");
    expect("82*126", "b#126");
    expect("82*127", "b#127");
    expect("82*65535", "b#65535");
    expect("82*65536", "b#65536");
    expect("81:a 82:b 81:c 81: 81:d", "t:a b:b t:c t: t:d");
}

/* Category 2: pings are answered with what they brought, pongs heard. */
Test(ws, pings)
{
    expect("89:", "pong:");
    expect("89:Hello", "pong:Hello");
    expect("89=01fffefdfcfb01ff", "pong:\x01\xff\xfe\xfd\xfc\xfb\x01\xff");
    expect("89*125", "pong#125");
    expect("89*126", "failed1002");
    expect("89*65536", "failed1002");
    expect("8a:", "heard:");
    expect("8a:x", "heard:x");
    expect("8a*125", "heard#125");
    expect("8a*126", "failed1002");
    expect("8a:x 89:y 81:z", "heard:x pong:y t:z");
    expect("89:1 89:2 89:3 89:4 89:5 89:6 89:7 89:8 89:9 89:10",
           "pong:1 pong:2 pong:3 pong:4 pong:5 pong:6 pong:7 pong:8 pong:9 "
           "pong:10");
}

/* Category 3: reserved bits mean nothing and must not be set. */
Test(ws, reserved_bits)
{
    expect("91:Hello", "failed1002");
    expect("a1:Hello", "failed1002");
    expect("b1:Hello", "failed1002");
    expect("c1:Hello", "failed1002");
    expect("d1:Hello", "failed1002");
    expect("e2:Hello", "failed1002");
    expect("f1:Hello", "failed1002");
    expect("99:Hello", "failed1002");
    expect("c9:Hello", "failed1002");
    expect("f8:", "failed1002");
    expect("81:Hello 91:x", "t:Hello failed1002");
    expect("89:Hello a1:x", "pong:Hello failed1002");
    expect("01:a 90:b", "failed1002");
}

/* Category 4: opcodes that nobody has defined. */
Test(ws, opcodes)
{
    expect("83:", "failed1002");
    expect("84:x", "failed1002");
    expect("81:a 85: 89:b", "t:a failed1002");
    expect("81:a 86:x 89:b", "t:a failed1002");
    expect("81:a 87:x 89:b", "t:a failed1002");
    expect("8b:", "failed1002");
    expect("8c:x", "failed1002");
    expect("81:a 8d: 89:b", "t:a failed1002");
    expect("81:a 8e:x 89:b", "t:a failed1002");
    expect("81:a 8f:x 89:b", "t:a failed1002");
    expect("03:x", "failed1002");
    expect("0b:x", "failed1002");
}

/* ---- 5: fragments ------------------------------------------------------- */

/* Category 5: fragments make messages, with pings between them and no other
 * messages. */
Test(ws, fragments)
{
    expect("09:a", "failed1002");
    expect("09:a 80:b", "failed1002");
    expect("0a:a", "failed1002");
    expect("08=03e8", "failed1002");
    expect("01:frag1 80:frag2", "t:frag1frag2");
    expect("02:frag1 80:frag2", "b:frag1frag2");
    expect("01:a 00:b 00:c 00:d 80:e", "t:abcde");
    expect("01:a 89:ping 80:b", "pong:ping t:ab");
    expect("01:a 8a:pong 80:b", "heard:pong t:ab");
    expect("01:a 89:1 00:b 89:2 80:c 89:3", "pong:1 pong:2 t:abc pong:3");
    expect("01: 80:", "t:");
    expect("01: 00: 80:", "t:");
    expect("01: 00:middle 80:", "t:middle");
    expect("01:a 80: 81:b", "t:a t:b");
    expect("80:x 81:y", "failed1002");
    expect("80: 81:y", "failed1002");
    expect("00:x 80:y", "failed1002");
    expect("81:a 80:b", "t:a failed1002");
    expect("01:a 80:b 80:c", "t:ab failed1002");
    expect("01:a 80:b 00:c 81:d", "t:ab failed1002");
    expect("01:a 81:b", "failed1002");
    expect("01:a 01:b 80:c", "failed1002");
    expect("01:a 82:b", "failed1002");
    expect("01:a", "more");
    expect("01:a 89:b", "pong:b more");
    expect("01*65000 00*500 80*36", "t#65536");
    expect("01*300 80*300 01*300 80*300", "t#600 t#600");
}

/* ---- 6: text ------------------------------------------------------------ */

/* The text as one frame, as a frame for each byte, and deflated. */
static void expect_text(const char *hex, bool valid)
{
    uint8_t text[100];
    size_t len = strlen(hex) / 2;
    char want[200];
    cr_assert(hex_read(text, hex, len));
    cr_assert_eq(utf8_valid(text, len), valid, "%s", hex);
    snprintf(want, sizeof(want), "t:%.*s", (int)len, (const char *)text);

    wire_len = 0;
    put_frame(0x81, text, len, true);
    expect_wire(valid ? want : "failed1007", hex);
    wire_len = 0;
    for (size_t i = 0; i < len; i++)
        put_frame(i == 0 ? 0x01 : 0x00, text + i, 1, true);
    put_frame(len == 0 ? 0x81 : 0x80, NULL, 0, true);
    expect_wire(valid ? want : "failed1007", hex);

    uint8_t packed[200];
    size_t n = deflated(packed, sizeof(packed), text, len, Z_SYNC_FLUSH);
    options.deflate = true;
    wire_len = 0;
    put_frame(0xc1, packed, n, true);
    expect_wire(valid ? want : "failed1007", hex);
    options.deflate = false;
}

/* Category 6: all that UTF-8 is. */
Test(ws, good_text)
{
    static const char *const good[] = {
        "48656c6c6f",             /* Hello */
        "cebae1bdb9cf83cebcceb5", /* a Greek word */
        "48656c6c6f2dc2b540c39fc3b6c3a4c3bcc3a0c3a12d5554462d382121",
        "7f",
        "c280",
        "dfbf",
        "e0a080",
        "ed9fbf",
        "ee8080",
        "efbfbf",
        "f0908080",
        "f48fbfbf",
        "efbfbd",
        "efbfbe",
        "efbbbf",
        "f09fbfbf",
        "f3bfbfbe",
        "61c3a9e282acf09f9880",
        "f1808080",
        "f3bfbfbf",
        "616161616161616161616161616161c3a9616161616161616161",
    };
    for (size_t i = 0; i < COUNT_OF(good); i++)
        expect_text(good[i], true);
}

/* Category 6: all that UTF-8 is not: bytes astray, characters cut off, longer
 * than they need be, surrogates, and more than Unicode has. */
Test(ws, bad_text)
{
    static const char *const bad[] = {
        "cebae1bdb9cf83cebcceb5eda080656469746564",
        "80",
        "bf",
        "8080",
        "80bf80",
        "c0",
        "e0",
        "f0",
        "f8",
        "fc",
        "fe",
        "ff",
        "fffe",
        "c220",
        "e220",
        "e28220",
        "f09f20",
        "f09f9820",
        "c2",
        "df",
        "e080",
        "e282",
        "efbf",
        "f08080",
        "f09f98",
        "f48fbf",
        "c080",
        "c1bf",
        "e08080",
        "e09fbf",
        "f0808080",
        "f08fbfbf",
        "f8808080",
        "f888808080",
        "fc8480808080",
        "eda080",
        "edadbf",
        "edae80",
        "edafbf",
        "edb080",
        "edbebf",
        "edbfbf",
        "eda080edb080",
        "edafbfedbfbf",
        "f4908080",
        "f5808080",
        "f7bfbfbf",
        "fbbfbfbfbf",
        "c3a9c3",
        "6161616161616161616161616161616161616161ff6161616161616161",
        "616161616161616161616161616161616161616161616161616161c3",
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        expect_text(bad[i], false);
}

/* Category 6.4: what is bad is found when it comes, not at the end. */
Test(ws, fails_early)
{
    expect("01=cebae1bdb9cf83f4", "more");
    expect("01=cebae1bdb9cf83f490", "failed1007");
    expect("01=cebae1bdb9cf83f4 00=90", "failed1007");
    expect("01:a 89:b 00=ff", "pong:b failed1007");
    expect("!818537fa213d", "more");
    expect("!818537fa213dc8", "failed1007");
}

/* ---- 7: closing --------------------------------------------------------- */

/* Category 7.1 to 7.5: a close is answered, whatever it says in good form, and
 * nothing counts behind it. */
Test(ws, closes)
{
    expect("81:a 88=03e8", "t:a closed1000");
    expect("88=03e8 88=03e8", "closed1000");
    expect("88=03e8 81:a 89:b", "closed1000");
    expect("01:a 88=03e8 80:b", "closed1000");
    expect("88:", "closed1005");
    expect("88:\x03", "failed1002");
    expect("88=03e8476f6f64", "closed1000:Good");
    expect("88=03e8c3a9", "closed1000:\xc3\xa9");
    expect("88=03e8ceba80", "failed1007");
    expect("88=03e8ce", "failed1007");
    expect("88*126", "failed1002");
    expect("88*65536", "failed1002");

    char want[200] = "closed1000:";
    uint8_t payload[126] = {0x03, 0xe8};
    memset(payload + 2, 'y', 124);
    memset(want + 11, 'y', 123);
    wire_len = 0;
    put_frame(0x88, payload, 125, true);
    expect_wire(want, "the longest reason");
    wire_len = 0;
    put_frame(0x88, payload, 126, true);
    expect_wire("failed1002", "too long a reason");
}

/* Category 7.7 to 7.13: codes that may be sent, and codes that may not. */
Test(ws, close_codes)
{
    static const unsigned good[] = {1000, 1001, 1002, 1003, 1007, 1008,
                                    1009, 1010, 1011, 1012, 1013, 1014,
                                    3000, 3999, 4000, 4999};
    static const unsigned bad[] = {0,    1,    999,  1004, 1005, 1006, 1015,
                                   1016, 1100, 2000, 2999, 5000, 9999, 65535};
    char items[40], want[40];
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        snprintf(items, sizeof(items), "88=%04x", good[i]);
        snprintf(want, sizeof(want), "closed%u", good[i]);
        expect(items, want);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        snprintf(items, sizeof(items), "88=%04x", bad[i]);
        expect(items, "failed1002");
    }
}

/* After our own close messages come no more, the peer's close ends it without
 * another of ours, and so does whatever breaks a rule. */
Test(ws, closes_first)
{
    struct ws_kit kit;
    struct ws w;
    struct said s = {0};
    static const char *const ends[][2] = {
        {"81:a 82*300 89:b 01:c 80:d 81:e 88=03e8", "silently-failed1001"},
        {"80:d 88:", "silently-failed1001"},
        {"81=ff 81*65536 01:x 88=0fa0", "silently-failed1001"},
        {"81:a 83:x", "silently-failed1001"},
        {"81*65537", "silently-failed1001"},
    };
    ws_kit_init(&kit, NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        for (size_t whole = 0; whole < 2; whole++) {
            ws_init(&w, &options);
            put_items("01:begun", true);
            struct bytes_in in = {.data = wire, .len = wire_len};
            if (i == 1)
                cr_assert(say_events(&w, &kit, &in, 0, &s));
            struct bytes b = ws_close(&w, &kit, WS_GOING_AWAY, "bye");
            cr_assert_eq(b.len, 7);
            cr_assert_eq(memcmp(b.data,
                                "\x88\x05\x03\xe9"
                                "bye",
                                7),
                         0);
            cr_assert(w.closing && !w.ended);
            cr_assert_eq(ws_close(&w, &kit, WS_NORMAL, NULL).len, 0);
            cr_assert_eq(ws_ping(&w, &kit, NULL, 0).len, 0);
            s = (struct said){0};
            put_items(ends[i][0], true);
            bool more = true;
            for (size_t at = 0; at < wire_len && more;) {
                size_t n = whole ? wire_len : 1;
                in = (struct bytes_in){.data = wire + at, .len = n};
                more = say_events(&w, &kit, &in, 0, &s);
                at += n;
            }
            cr_expect_str_eq(s.text, ends[i][1], "%zu: %s", i, s.text);
            ws_done(&w);
        }
    }
    ws_kit_done(&kit);
}

/* A close of ours keeps its reason to what fits, and cuts no character. */
Test(ws, cuts_reasons)
{
    struct ws_kit kit;
    struct ws w;
    char reason[300];
    ws_kit_init(&kit, NULL, NULL);
    ws_init(&w, &options);
    for (size_t i = 0; i < 297; i += 3)
        memcpy(reason + i, "\xe2\x82\xac", 4);
    reason[0] = 'a';
    memmove(reason + 1, reason + 3, 290);
    struct bytes b = ws_close(&w, &kit, WS_TRY_LATER, reason);
    struct bytes p = payload_of(b, 0x88, false);
    cr_assert_eq(p.len, 2 + 121);
    cr_assert(utf8_valid(p.data + 2, p.len - 2));
    cr_assert(p.data[0] * 256 + p.data[1] == 1013);
    ws_done(&w);
    ws_kit_done(&kit);
}

/* ---- 9, 10: limits ------------------------------------------------------ */

/* A message of 65 536 bytes is taken and one byte more is not, in one frame or
 * many; it is refused before it has come. */
Test(ws, too_big)
{
    expect("81*65536 81:a", "t#65536 t:a");
    expect("81*65537", "failed1009");
    expect("82*200000", "failed1009");
    expect("01*65536 80:", "t#65536");
    expect("01*65536 80:x", "failed1009");
    expect("01*30000 00*30000 89:a 80*5537", "pong:a failed1009");
    expect("01*65536 00:x", "failed1009");
    expect("!81ff000000000001000137fa21", "more");
    expect("!81ff000000000001000137fa213d", "failed1009");
    expect("!81ff7fffffffffffffff37fa213d01", "failed1009");
}

/* Lengths are written in the shortest way and have 63 bits. */
Test(ws, bad_lengths)
{
    expect("!81fe000537fa213d7f9f4d5158", "failed1002");
    expect("!81fe007d", "failed1002");
    expect("!81fe007e37fa213d", "more");
    expect("!81ff000000000000000537fa213d7f9f4d5158", "failed1002");
    expect("!81ff000000000000ffff", "failed1002");
    expect("!81ff8000000000000000", "failed1002");
    expect("!81ffffffffffffffffff", "failed1002");
    expect("!88fe0002", "failed1002");
    expect("!89ff0000000000010000", "failed1002");
}

/* What the server is asked to mask it masks, and so the other way. */
Test(ws, masks)
{
    expect("u81:Hello", "failed1002");
    expect("u81:", "failed1002");
    expect("u89:", "failed1002");
    expect("u88=03e8", "failed1002");
    expect("01:a u80:b", "failed1002");
    client();
    expect("81:Hello 89:a 8a:b 01:c 80:d", "t:Hello pong:a heard:b t:cd");
    expect("81*65537 81*200000", "t#65537 t#200000");
    expect("88=03e8", "closed1000");
    expect("u81:Hello", "failed1002");
    expect("u89:", "failed1002");
    expect("01:a u80:b", "failed1002");
    expect("83:", "failed1002");
}

/* Outside of /echo binary messages are refused, as soon as they begin. */
Test(ws, text_only, .init = serve)
{
    expect("82:", "failed1003");
    expect("82:x", "failed1003");
    expect("02:x", "failed1003");
    expect("81:a 82*300", "t:a failed1003");
    expect("!828537fa213d01", "failed1003");
}

/* Whoever sends pings, pongs or empty fragments without end is shown the door,
 * and who does so over a long time is not. */
Test(ws, floods)
{
    static const uint8_t firsts[] = {0x89, 0x8a, 0x00};
    struct ws_kit kit;
    struct ws w;
    struct said s;
    ws_kit_init(&kit, NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(firsts); i++) {
        for (int64_t pace = 0; pace < 2; pace++) {
            ws_init(&w, &options);
            int frames = 0, most = pace > 0 ? 3000 : WS_IDLE_FRAMES_MAX;
            wire_len = 0;
            put_frame(0x01, (const uint8_t *)"a", 1, true);
            put_frame(firsts[i], NULL, 0, true);
            struct bytes_in in = {.data = wire, .len = wire_len};
            bool more = true;
            while (more && ++frames <= 3000) {
                s = (struct said){0};
                more = say_events(&w, &kit, &in, frames * pace * 50, &s);
                wire_len = 0;
                put_frame(firsts[i], NULL, 0, true);
                in = (struct bytes_in){.data = wire, .len = wire_len};
            }
            cr_expect_eq(frames, most + 1, "%zu: %d", i, frames);
            if (pace == 0)
                cr_expect_str_eq(s.text, "failed1008");
            ws_done(&w);
        }
    }
    ws_kit_done(&kit);
}

/* ---- 12, 13: compression ------------------------------------------------ */

/* Category 12: compressed messages of all lengths, whole and in fragments, and
 * plain ones between them. */
Test(ws, inflates, .init = echo_deflate)
{
    expect("z81:", "t:");
    expect("z81:Hello", "t:Hello");
    expect("c1=f248cdc9c90700", "t:Hello"); /* RFC 7692, 7.2.3.1 */
    expect("41=f248cd 80=c9c90700", "t:Hello");
    expect("41=f2 00=48cd 89:a 00: 80=c9c90700", "pong:a t:Hello");
    expect("c1=000500faff48656c6c6f00", "t:Hello"); /* 7.2.3.3 */
    expect("c1=f348cdc9c9070000", "t:Hello");       /* 7.2.3.4 */
    expect("c1=f248050000 00=", "failed1007");
    expect("c1=f24805000000ffffcac9c90700", "t:Hello"); /* 7.2.3.5 */
    expect("c1=00", "t:");                              /* 7.2.3.6 */
    expect("z82:bin", "b:bin");
    expect("z81*300", "t#300");
    expect("z81*65535 z81*65536", "t#65535 t#65536");
    expect("81:plain z81:packed 81:plain", "t:plain t:packed t:plain");
    expect("01:a 80:b", "t:ab");
}

/* Category 13 and beyond: what is not to be inflated, or to too much, and bits
 * where they do not belong. */
Test(ws, bad_deflate, .init = echo_deflate)
{
    expect("z81*65537", "failed1009");
    expect("c1:Hello", "failed1007");
    expect("c1=ff", "failed1007");
    expect("c1=", "failed1007");
    expect("c1=f248cdc9", "failed1007");
    expect("41=f248cd c0=c9c90700", "failed1002");
    expect("01:a c0:b", "failed1002");
    expect("z89:", "failed1002");
    expect("z88=03e8", "failed1002");
    expect("a1:Hello", "failed1002");
    expect("d1:Hello", "failed1002");
    expect("f1:Hello", "failed1002");

    static uint8_t packed[70000];
    size_t n;

    /* Noise gets longer, and has as much room as anything else. */
    static uint8_t noise[65536];
    unsigned seed = 3;
    random_mask(noise, sizeof(noise), &seed);
    n = deflated(packed, sizeof(packed), noise, sizeof(noise), Z_SYNC_FLUSH);
    cr_assert_gt(n, sizeof(noise));
    wire_len = 0;
    put_frame(0xc2, packed, n, true);
    expect_wire("b#65536", "noise");
    wire_len = 0;
    put_frame(0x42, noise, 65536, true);
    put_frame(0x80, noise, 1000, true);
    expect_wire("failed1009", "more noise");

    /* A reference to before the message, where the last one was. */
    expect("z81:Hello_Hello c1=f240830000", "t:Hello_Hello failed1007");

    /* Ten million bytes in ten thousand. */
    static uint8_t zeros[10000000];
    n = deflated(packed, sizeof(packed), zeros, sizeof(zeros), Z_SYNC_FLUSH);
    wire_len = 0;
    put_frame(0xc1, packed, n, true);
    expect_wire("failed1009", "a bomb");

    /* Streams that end without end. */
    uint8_t ends[2001] = {0};
    for (size_t i = 0; i + 1 < sizeof(ends); i += 2)
        ends[i] = 0x03;
    wire_len = 0;
    put_frame(0xc1, ends, sizeof(ends), true);
    expect_wire("failed1007", "many ends");
    wire_len = 0;
    put_frame(0xc1, ends + sizeof(ends) - 5, 5, true);
    expect_wire("t:", "two ends");
}

/* ---- both sides --------------------------------------------------------- */

/* What a client writes the server reads, whatever its length, and the other
 * way, plain or compressed, also when they close. */
Test(ws, both_sides)
{
    static const size_t lens[] = {0,   1,   2,   7,    8,    125,   126,  127,
                                  255, 256, 300, 1000, 4096, 65535, 65536};
    unsigned seed = 1;
    struct ws_kit kit;
    struct ws server, player;
    struct ws_message m;
    ws_kit_init(&kit, random_mask, &seed);
    for (size_t i = 0; i < 2 * COUNT_OF(lens); i++) {
        size_t len = lens[i / 2];
        ws_init(&server, &(struct ws_options){.side = WS_SERVER,
                                              .deflate = i % 2 == 1});
        ws_init(&player, &(struct ws_options){.side = WS_CLIENT,
                                              .deflate = i % 2 == 1});
        char *text = malloc(len + 1);
        uint8_t *out = malloc(WS_HEADER_BYTES_MAX + len);
        for (size_t k = 0; k < len; k++)
            text[k] = (char)('a' + (k * k + k / 7) % 26);

        size_t n = ws_write(&player, &kit, WS_OPCODE_TEXT, text, len, out);
        struct bytes_in in = {.data = out, .len = n};
        cr_assert(ws_read(&server, &kit, &in, 0, &m) == WS_TEXT);
        cr_assert(m.bytes.len == len && memcmp(m.bytes.data, text, len) == 0);

        struct ws_outgoing *outgoing = ws_outgoing_new(WS_OPCODE_TEXT, text,
                                                       len);
        struct bytes b = ws_outgoing_frame(outgoing, &kit, &server);
        struct bytes again = ws_outgoing_frame(outgoing, &kit, &server);
        cr_assert(b.data == again.data && b.len == again.len);
        bool packed = (b.data[0] & 0x40) != 0;
        cr_assert_eq(packed, i % 2 == 1 && len >= WS_DEFLATE_BYTES_MIN);
        cr_assert(!packed || b.len < len);
        uint8_t *copy = malloc(b.len);
        memcpy(copy, b.data, b.len);
        in = (struct bytes_in){.data = copy, .len = b.len};
        cr_assert(ws_read(&player, &kit, &in, 0, &m) == WS_TEXT);
        cr_assert(m.bytes.len == len && memcmp(m.bytes.data, text, len) == 0);

        uint8_t frame[200];
        b = ws_ping(&server, &kit, "x", 1);
        memcpy(frame, b.data, b.len);
        in = (struct bytes_in){.data = frame, .len = b.len};
        cr_assert(ws_read(&player, &kit, &in, 0, &m) == WS_REPLY);
        memcpy(frame, m.bytes.data, m.bytes.len);
        in = (struct bytes_in){.data = frame, .len = m.bytes.len};
        cr_assert(ws_read(&server, &kit, &in, 0, &m) == WS_PONG);
        cr_assert(m.bytes.len == 1 && m.bytes.data[0] == 'x');

        b = ws_close(&player, &kit, WS_NORMAL, "done");
        memcpy(frame, b.data, b.len);
        in = (struct bytes_in){.data = frame, .len = b.len};
        cr_assert(ws_read(&server, &kit, &in, 0, &m) == WS_END);
        cr_assert(m.theirs && m.code == 1000);
        cr_assert_str_eq(m.reason, "done");
        memcpy(frame, m.bytes.data, m.bytes.len);
        in = (struct bytes_in){.data = frame, .len = m.bytes.len};
        cr_assert(ws_read(&player, &kit, &in, 0, &m) == WS_END);
        cr_assert(!m.theirs && m.code == 1000 && m.bytes.len == 0);
        cr_assert_eq(ws_write(&player, &kit, WS_OPCODE_TEXT, "", 0, out), 0);
        ws_outgoing_unref(outgoing);
        ws_done(&server);
        ws_done(&player);
        free(copy);
        free(out);
        free(text);
    }
    ws_kit_done(&kit);
}

/* An outgoing message is one memory for all who get it: frame, line and
 * text. */
Test(ws, posts)
{
    struct ws_kit kit;
    struct ws plain, packed;
    ws_kit_init(&kit, NULL, NULL);
    ws_init(&plain, &(struct ws_options){.side = WS_SERVER});
    ws_init(&packed, &(struct ws_options){.side = WS_SERVER, .deflate = true});
    struct ws_outgoing *outgoing = ws_outgoing_new(WS_OPCODE_TEXT, "{}", 2);
    struct bytes b = ws_outgoing_frame(outgoing, &kit, &packed);
    cr_assert(b.len == 4 && memcmp(b.data, "\x81\x02{}", 4) == 0);
    b = ws_outgoing_line(outgoing);
    cr_assert(b.len == 3 && memcmp(b.data, "{}\n", 3) == 0);
    b = ws_outgoing_text(outgoing);
    cr_assert(b.len == 2 && memcmp(b.data, "{}", 2) == 0);
    cr_assert(ws_outgoing_ref(outgoing) == outgoing);
    ws_outgoing_unref(outgoing);
    cr_assert_eq(ws_outgoing_line(outgoing).len, 3);
    ws_outgoing_unref(outgoing);
    ws_outgoing_unref(NULL);

    /* What compression makes longer is not compressed. */
    uint8_t noise[600];
    unsigned seed = 7;
    random_mask(noise, sizeof(noise), &seed);
    outgoing = ws_outgoing_new(WS_OPCODE_BINARY, noise, sizeof(noise));
    b = ws_outgoing_frame(outgoing, &kit, &packed);
    struct bytes same = ws_outgoing_frame(outgoing, &kit, &plain);
    cr_assert(b.data == same.data && b.len == 4 + sizeof(noise));
    ws_outgoing_unref(outgoing);

    /* One message a hundred times costs no more than once. */
    char text[1000];
    memset(text, 'a', sizeof(text));
    outgoing = ws_outgoing_new(WS_OPCODE_TEXT, text, sizeof(text));
    b = ws_outgoing_frame(outgoing, &kit, &packed);
    cr_assert_lt(b.len, 100);
    for (int i = 0; i < 100; i++)
        cr_assert(ws_outgoing_frame(outgoing, &kit, &packed).data == b.data);
    cr_assert_eq(ws_outgoing_frame(outgoing, &kit, &plain).len, 1004);
    ws_outgoing_unref(outgoing);
    ws_kit_done(&kit);
}

size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

/* Only the address sanitizer's allocator tells; without it, nothing. */
static size_t allocated(void)
{
    if (__sanitizer_get_current_allocated_bytes == NULL)
        return 0;
    return __sanitizer_get_current_allocated_bytes();
}

/* An idle connection is its struct and nothing else, one that began a frame
 * has two hundred bytes more, and a length that is only claimed costs nothing. */
Test(ws, is_small)
{
    struct ws_kit kit;
    struct ws w;
    struct ws_message m;
    ws_kit_init(&kit, NULL, NULL);
    cr_assert_leq(sizeof(w), 64);
    ws_init(&w, &options);
    size_t before = allocated();
    put_items("81*65536", true);
    for (size_t i = 0; i + 1 < wire_len; i++) {
        struct bytes_in in = {.data = wire + i, .len = 1};
        cr_assert(ws_read(&w, &kit, &in, 0, &m) == WS_MORE);
        cr_assert(w.cap <= 512 || w.cap <= 2 * w.len);
        cr_assert_lt(allocated() - before, w.cap + 300);
    }
    struct bytes_in last = {.data = wire + wire_len - 1, .len = 1};
    cr_assert(ws_read(&w, &kit, &last, 0, &m) == WS_TEXT);
    cr_assert_null(w.frame);
    cr_assert(ws_read(&w, &kit, &last, 0, &m) == WS_MORE);
    cr_assert_null(w.message);
    cr_assert_eq(allocated(), before);

    put_items("81:a 81*300 89:b 01:c", true);
    struct bytes_in in = {.data = wire, .len = wire_len};
    while (ws_read(&w, &kit, &in, 0, &m) != WS_MORE)
        cr_assert_eq(allocated(), before);
    cr_assert_null(w.frame);
    cr_assert(w.len == 1 && w.cap <= 512);
    ws_done(&w);
    cr_assert_eq(allocated(), before);
    ws_kit_done(&kit);
}

/* ---- handshake ---------------------------------------------------------- */

#define KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define ASKS \
    "Connection: Upgrade\r\nUpgrade: websocket\r\n" \
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " KEY "\r\n"

/* The status of a handshake with these headers, and what is answered. */
static int shake(const char *headers, struct ws_answer *ret)
{
    char text[2000];
    snprintf(text, sizeof(text), "GET /ws HTTP/1.1\r\nHost: a\r\n%s\r\n",
             headers);
    struct http h;
    http_init(&h);
    struct bytes_in in = {.data = (uint8_t *)text, .len = strlen(text)};
    enum http_event event = http_read(&h, &in);
    cr_assert(event == HTTP_HAS_REQUEST || event == HTTP_HAS_UPGRADE);
    int status = ws_handshake(h.request, ret);
    http_done(&h);
    return status;
}

/* The example of RFC 6455 is answered as there. */
Test(handshake, accepts)
{
    struct ws_answer a;
    char text[HTTP_ANSWER_BYTES_MAX];
    cr_assert_eq(shake(ASKS, &a), 0);
    cr_assert_str_eq(a.accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    cr_assert(!a.subprotocol && !a.deflate);
    size_t len = ws_answer_head(text, sizeof(text), &a, NULL, NULL);
    cr_assert_eq(len, strlen(text));
    cr_assert(strncmp(text, "HTTP/1.1 101 Switching Protocols\r\n", 34) == 0);
    cr_expect_not_null(strstr(text, "\r\nUpgrade: websocket\r\n"
                                    "Connection: Upgrade\r\n"
                                    "Sec-WebSocket-Accept: "
                                    "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"));
    cr_expect_null(strstr(text, "Content-Length"), "there is no body");
    a.subprotocol = a.deflate = true;
    ws_answer_head(text, sizeof(text), &a, "Now", "A: b\r\n");
    cr_expect_not_null(strstr(text, "\r\nDate: Now\r\n"));
    cr_expect_not_null(
        strstr(text, "\r\nSec-WebSocket-Protocol: sobremesa.v1\r\n"));
    cr_expect_not_null(
        strstr(text, "\r\nSec-WebSocket-Extensions: permessage-deflate; "
                     "server_no_context_takeover; "
                     "client_no_context_takeover\r\nA: b\r\n\r\n"));
}

/* Version and key are what they have to be, and there is an upgrade at all. */
Test(handshake, refuses)
{
    static const struct {
        int status;
        const char *headers;
    } cases[] = {
        {426, ""},
        {426, "Connection: Upgrade\r\n"},
        {426, "Upgrade: websocket\r\n"},
        {400, "Connection: Upgrade\r\nUpgrade: websocket\r\n"},
        {400, "Connection: Upgrade\r\nUpgrade: websocket\r\n"
              "Sec-WebSocket-Key: " KEY "\r\n"},
        {400, "Connection: Upgrade\r\nUpgrade: websocket\r\n"
              "Sec-WebSocket-Version: 13\r\n"},
#define WITH(version, key) \
    "Connection: Upgrade\r\nUpgrade: websocket\r\n" \
    "Sec-WebSocket-Version: " version "\r\nSec-WebSocket-Key: " key "\r\n"
        {426, WITH("8", KEY)},
        {426, WITH("14", KEY)},
        {426, WITH("13.0", KEY)},
        {400, WITH("13", "")},
        {400, WITH("13", "dGhlIHNhbXBsZSBub25jZQ=")},
        {400, WITH("13", "dGhlIHNhbXBsZSBub25jZQ===")},
        {400, WITH("13", "dGhlIHNhbXBsZSBub25jZR==")},
        {400, WITH("13", "dGhlIHNhbXBsZSBub25j====")},
        {400, WITH("13", "dGhlIHNhbXBsZSBub25jZ-==")},
        {400, WITH("13", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA")},
        {0, WITH("13", "AAAAAAAAAAAAAAAAAAAAAA==")},
    };
    struct ws_answer a;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_eq(shake(cases[i].headers, &a), cases[i].status, "%s",
                     cases[i].headers);
}

/* Who names subprotocols has to name ours among them. */
Test(handshake, subprotocols)
{
#define PROTOCOL(names) ASKS "Sec-WebSocket-Protocol: " names "\r\n"
    struct ws_answer a;
    cr_expect_eq(shake(PROTOCOL("sobremesa.v1"), &a), 0);
    cr_expect(a.subprotocol);
    cr_expect_eq(shake(PROTOCOL("x, sobremesa.v1 ,y"), &a), 0);
    cr_expect(a.subprotocol);
    cr_expect_eq(shake(PROTOCOL("x\r\nSec-WebSocket-Protocol: sobremesa.v1"),
                       &a),
                 0);
    cr_expect(a.subprotocol);
    cr_expect_eq(shake(PROTOCOL("sobremesa.v2"), &a), 400);
    cr_expect_eq(shake(PROTOCOL("sobremesa.v11"), &a), 400);
    cr_expect_eq(shake(PROTOCOL("Sobremesa.v1"), &a), 400);
    cr_expect_eq(shake(PROTOCOL(""), &a), 400);
}

/* Category 13 of the handshake: an offer is agreed to if all of it is
 * understood and can be done; else the next one is looked at. */
Test(handshake, extensions)
{
#define PMD "permessage-deflate"
    static const struct {
        int want; /* 1 agreed, 0 not, -1 refused */
        const char *offer;
    } cases[] = {
        {1, PMD},
        {1, "Permessage-Deflate"},
        {1, PMD "; client_max_window_bits"},
        {1, PMD "; client_max_window_bits=8"},
        {1, PMD ";client_max_window_bits=\"15\""},
        {1, PMD "; server_no_context_takeover; client_no_context_takeover"},
        {1, PMD "; server_max_window_bits=15"},
        {1, "x-webkit-deflate-frame, " PMD},
        {1, "foo; bar=\"b\"; baz, " PMD " ; client_max_window_bits"},
        {1, PMD "; unknown, " PMD},
        {1, PMD "; server_max_window_bits=10, " PMD},
        {1, PMD "\r\nSec-WebSocket-Extensions: foo"},
        {1, ", ," PMD},
        {0, "foo"},
        {0, "permessage-deflatex"},
        {0, "foo; permessage-deflate"},
        {0, PMD "; unknown"},
        {0, PMD "; unknown=1"},
        {0, PMD "; server_max_window_bits"},
        {0, PMD "; server_max_window_bits=10"},
        {0, PMD "; server_max_window_bits=16"},
        {0, PMD "; server_max_window_bits=7"},
        {0, PMD "; server_max_window_bits=015"},
        {0, PMD "; server_max_window_bits=1a"},
        {0, PMD "; client_max_window_bits=16"},
        {0, PMD "; client_max_window_bits=0"},
        {0, PMD "; server_no_context_takeover=1"},
        {0, PMD "; client_no_context_takeover=true"},
        {0, PMD "; server_no_context_takeover; server_no_context_takeover"},
        {0, PMD "; client_max_window_bits; client_max_window_bits=9"},
        {0, ""},
        {-1, PMD ";"},
        {-1, PMD "; =1"},
        {-1, PMD "; client_max_window_bits="},
        {-1, PMD "; client_max_window_bits=\"9"},
        {-1, PMD "; a=\"\""},
        {-1, PMD " foo"},
        {-1, "foo bar, " PMD},
        {-1, "=, " PMD},
        {-1, PMD ", ;"},
        {-1, PMD ", (a)"},
    };
    struct ws_answer a;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char headers[800];
        snprintf(headers, sizeof(headers),
                 ASKS "Sec-WebSocket-Extensions: %s\r\n", cases[i].offer);
        int status = shake(headers, &a);
        cr_expect_eq(status, cases[i].want < 0 ? 400 : 0, "%s",
                     cases[i].offer);
        if (status == 0)
            cr_expect_eq(a.deflate, cases[i].want == 1, "%s", cases[i].offer);
    }
}

static const struct ws_ask example = {
    .host = "a",
    .path = "/ws",
    .deflate = true,
    .nonce = "the sample nonce",
};

/* What a client asks for our server grants, and the client sees it. */
Test(handshake, clients)
{
    char ask_text[1000], answer_text[HTTP_ANSWER_BYTES_MAX];
    struct ws_ask ask = example;
    ask.origin = "http://a";
    ask.bearer = "token";
    for (int deflate = 0; deflate < 2; deflate++) {
        ask.deflate = deflate == 1;
        size_t len = ws_ask_head(ask_text, sizeof(ask_text), &ask);
        cr_assert_eq(len, strlen(ask_text));
        struct http h;
        http_init(&h);
        struct bytes_in in = {.data = (uint8_t *)ask_text, .len = len};
        cr_assert(http_read(&h, &in) == HTTP_HAS_UPGRADE);
        cr_assert_str_eq(h.request->path, "/ws");
        cr_assert_str_eq(h.request->ws_key, KEY);
        cr_assert_str_eq(h.request->origin, "http://a");
        cr_assert_str_eq(http_bearer(h.request->authorization), "token");
        struct ws_answer answer;
        struct ws_told told;
        cr_assert_eq(ws_handshake(h.request, &answer), 0);
        cr_assert(answer.subprotocol && answer.deflate == ask.deflate);
        http_done(&h);
        len = ws_answer_head(answer_text, sizeof(answer_text), &answer, "Now",
                             NULL);
        for (size_t n = 0; n < len; n++)
            cr_assert_eq(ws_ask_check(&ask, answer_text, n, &told), 0);
        strcat(answer_text, "\x81");
        cr_assert_eq(ws_ask_check(&ask, answer_text, len + 1, &told), 1);
        cr_assert(told.status == 101 && told.used == len);
        cr_assert_eq(told.deflate, ask.deflate);
    }
}

#define GRANTS \
    "Upgrade: websocket\r\nConnection: Upgrade\r\n" \
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
#define TAKEN PMD "; server_no_context_takeover"

/* A client takes no answer that is none to its question. */
Test(handshake, clients_are_strict)
{
    static const struct {
        int want, status;
        const char *answer;
    } cases[] = {
        {1, 101, "HTTP/1.1 101 Yes\r\n" GRANTS},
        {1, 101, "HTTP/1.1 101\r\n" GRANTS "X: y\r\n"},
        {1, 101,
         "HTTP/1.1 101 Yes\r\n" GRANTS
         "Sec-WebSocket-Protocol: sobremesa.v1\r\n"},
        {1, 101,
         "HTTP/1.1 101 Yes\r\n" GRANTS "Sec-WebSocket-Extensions: " TAKEN
         "\r\n"},
        {1, 101,
         "HTTP/1.1 101 Yes\r\n" GRANTS "Sec-WebSocket-Extensions: " TAKEN
         "; client_no_context_takeover; server_max_window_bits=9\r\n"},
        {-1, 101,
         "HTTP/1.1 101 Yes\r\n" GRANTS "Sec-WebSocket-Extensions: " PMD
         "\r\n"},
        {-1, 101,
         "HTTP/1.1 101 Yes\r\n" GRANTS "Sec-WebSocket-Extensions: " TAKEN
         "; client_max_window_bits=9\r\n"},
        {-1, 101,
         "HTTP/1.1 101 Yes\r\n" GRANTS "Sec-WebSocket-Extensions: foo\r\n"},
        {-1, 101,
         "HTTP/1.1 101 Yes\r\n" GRANTS "Sec-WebSocket-Extensions: " TAKEN
         ", " TAKEN "\r\n"},
        {-1, 101,
         "HTTP/1.1 101 Yes\r\n" GRANTS "Sec-WebSocket-Protocol: chat\r\n"},
        {-1, 101,
         "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\n"
         "Connection: Upgrade\r\n"},
        {-1, 101,
         "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\n"
         "Connection: Upgrade\r\n"
         "Sec-WebSocket-Accept: S3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"},
        {-1, 401, "HTTP/1.1 401 No\r\n" GRANTS},
        {-1, 200, "HTTP/1.1 200 OK\r\n"},
        {-1, 0, "HTTP/1.1 1010 OK\r\n" GRANTS},
        {-1, 0, "HTTP/1.0 101 Yes\r\n" GRANTS},
        {-1, 0, "SSH-2.0\r\n"},
    };
    struct ws_told told;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[1000];
        snprintf(text, sizeof(text), "%s\r\n", cases[i].answer);
        int got = ws_ask_check(&example, text, strlen(text), &told);
        cr_expect_eq(got, cases[i].want, "%s", text);
        cr_expect_eq(told.status, cases[i].status, "%s", text);
    }
    static char endless[HTTP_HEAD_BYTES_MAX + 1];
    memset(endless, 'x', sizeof(endless));
    cr_expect_eq(ws_ask_check(&example, endless, sizeof(endless), &told), -1);
    cr_expect_eq(ws_ask_check(&example, endless, 100, &told), 0);
}
