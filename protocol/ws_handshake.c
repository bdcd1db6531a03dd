/* ws_handshake.c -- from HTTP to WebSocket (RFC 6455, 4; RFC 7692, 7). */

#include "core/ascii.h"
#include "ws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* ---- SHA-1 and base64 --------------------------------------------------- */

/* Nothing is kept secret with this one: Sec-WebSocket-Accept only shows that
 * the server speaks WebSocket. */
#define SHA1_SIZE  20
#define SHA1_BLOCK 64

static uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

/* FIPS 180-4, 6.1.2. */
static void sha1_block(uint32_t state[5], const uint8_t *block)
{
    uint32_t w[80];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 |
               (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 80; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);

    uint32_t a = state[0], b = state[1], c = state[2];
    uint32_t d = state[3], e = state[4];
    for (int t = 0; t < 80; t++) {
        uint32_t f = t < 20   ? (b & c) ^ (~b & d)
                     : t < 40 ? b ^ c ^ d
                     : t < 60 ? (b & c) ^ (b & d) ^ (c & d)
                              : b ^ c ^ d;
        uint32_t k = t < 20   ? 0x5a827999
                     : t < 40 ? 0x6ed9eba1
                     : t < 60 ? 0x8f1bbcdc
                              : 0xca62c1d6;
        uint32_t next = rotate(a, 5) + f + e + k + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

/* Of a text that makes two blocks with what is put behind it: a key and the
 * GUID, 60 characters, do. */
static void sha1_of_two_blocks(const char *text, size_t len,
                               uint8_t out[SHA1_SIZE])
{
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                         0xc3d2e1f0};
    uint8_t blocks[2 * SHA1_BLOCK] = {0};
    ASSERT(len > SHA1_BLOCK - 9 && len <= 2 * SHA1_BLOCK - 9);
    memcpy(blocks, text, len);
    blocks[len] = 0x80;
    blocks[sizeof(blocks) - 2] = (uint8_t)(8 * len >> 8);
    blocks[sizeof(blocks) - 1] = (uint8_t)(8 * len);
    sha1_block(state, blocks);
    sha1_block(state, blocks + SHA1_BLOCK);
    for (int i = 0; i < SHA1_SIZE; i++)
        out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz"
                             "0123456789+/";

static void base64_write(char *out, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i += 3) {
        uint32_t three = (uint32_t)data[i] << 16;
        if (i + 1 < len)
            three |= (uint32_t)data[i + 1] << 8;
        if (i + 2 < len)
            three |= data[i + 2];
        *out++ = base64[three >> 18];
        *out++ = base64[three >> 12 & 63];
        *out++ = i + 1 < len ? base64[three >> 6 & 63] : '=';
        *out++ = i + 2 < len ? base64[three & 63] : '=';
    }
    *out = '\0';
}

#define KEY_SIZE 25 /* 16 bytes in base64, with a NUL */

/* 22 digits, the last with nothing in its lower bits, and "==". */
static bool is_key(const char *key)
{
    return strspn(key, base64) == 22 && strcmp(key + 22, "==") == 0 &&
           strchr("AQgw", key[21]) != NULL;
}

static void accept_of(const char *key, char out[WS_ACCEPT_SIZE])
{
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char text[KEY_SIZE + sizeof(guid)];
    uint8_t hash[SHA1_SIZE];
    int len = snprintf(text, sizeof(text), "%s%s", key, guid);
    ASSERT(len == KEY_SIZE - 1 + sizeof(guid) - 1);
    sha1_of_two_blocks(text, (size_t)len, hash);
    base64_write(out, hash, sizeof(hash));
}

/* ---- Sec-WebSocket-Extensions ------------------------------------------- */

static const char extension[] = "permessage-deflate";
static const char no_memory[] =
    "permessage-deflate; server_no_context_takeover; "
    "client_no_context_takeover";

/* A walk through a list of extensions, after the grammar of RFC 6455, 9.1. */
struct walk {
    const char *at;
    bool bad;
};

struct word {
    const char *text; /* NULL if there is none */
    size_t len;
};

static void skip_blanks(struct walk *w)
{
    w->at += strspn(w->at, " \t");
}

static struct word walk_token(struct walk *w)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789!#$%&'*+-.^_`|~";
    skip_blanks(w);
    struct word word = {.text = w->at, .len = strspn(w->at, allowed)};
    w->at += word.len;
    if (word.len == 0)
        w->bad = true;
    skip_blanks(w);
    return word;
}

/* Whether C comes next; if so, steps over it. */
static bool walk_past(struct walk *w, char c)
{
    skip_blanks(w);
    if (*w->at != c)
        return false;
    w->at++;
    return true;
}

/* A quoted value must read as a token, too. */
static struct word walk_value(struct walk *w)
{
    if (!walk_past(w, '='))
        return (struct word){0};
    bool quoted = walk_past(w, '"');
    struct word word = walk_token(w);
    if (quoted && !walk_past(w, '"'))
        w->bad = true;
    return word;
}

static bool says(struct word word, const char *text)
{
    return word.len == strlen(text) &&
           ascii_compare_n(word.text, text, word.len) == 0;
}

/* A window's size, 8 to 15, or 0 for what is none. */
static int window_bits(struct word value)
{
    if (value.text == NULL || value.len > 2 || value.text[0] == '0')
        return 0;
    int bits = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (value.text[i] < '0' || value.text[i] > '9')
            return 0;
        bits = 10 * bits + value.text[i] - '0';
    }
    return bits >= 8 && bits <= 15 ? bits : 0;
}

/* One extension with its parameters. */
struct offer {
    bool ours; /* permessage-deflate */
    bool good; /* all its parameters are known, in order, and come once */
    bool server_no_takeover;
    bool client_no_takeover;
    bool server_bits_given;
    bool client_bits_given;
    int server_bits; /* if given; 0 for bad ones */
    int client_bits;
};

static void read_parameter(struct offer *o, struct word name,
                           struct word value)
{
    bool *given = says(name, "server_no_context_takeover")
                      ? &o->server_no_takeover
                  : says(name, "client_no_context_takeover")
                      ? &o->client_no_takeover
                  : says(name, "server_max_window_bits")
                      ? &o->server_bits_given
                  : says(name, "client_max_window_bits")
                      ? &o->client_bits_given
                      : NULL;
    if (given == NULL || *given) {
        o->good = false;
        return;
    }
    *given = true;
    int bits = window_bits(value);
    if (given == &o->server_bits_given) {
        o->server_bits = bits;
        o->good = o->good && bits != 0;
    } else if (given == &o->client_bits_given) {
        /* In an offer it may go without a value. */
        o->client_bits = bits;
        o->good = o->good && (bits != 0 || value.text == NULL);
    } else {
        o->good = o->good && value.text == NULL;
    }
}

static struct offer walk_offer(struct walk *w)
{
    struct word name = walk_token(w);
    struct offer o = {.good = true};
    o.ours = !w->bad && says(name, extension);
    while (!w->bad && walk_past(w, ';')) {
        struct word parameter = walk_token(w);
        struct word value = walk_value(w);
        if (!w->bad)
            read_parameter(&o, parameter, value);
    }
    return o;
}

/* The next extension of the list.  False at its end, or if it is bad. */
static bool walk_next(struct walk *w, struct offer *ret)
{
    while (walk_past(w, ','))
        ;
    if (w->bad || *w->at == '\0')
        return false;
    *ret = walk_offer(w);
    if (*w->at != '\0' && *w->at != ',')
        w->bad = true;
    return !w->bad;
}

/* 1 if the list offers what we can do, 0 if not, -1 if it is none.  A window
 * of ours that is smaller than the largest is not among what we can do. */
static int find_deflate(const char *list)
{
    struct walk w = {.at = list};
    struct offer o;
    int found = 0;
    while (walk_next(&w, &o)) {
        if (o.ours && o.good && (!o.server_bits_given || o.server_bits == 15))
            found = 1;
    }
    return w.bad ? -1 : found;
}

/* ---- servers ------------------------------------------------------------ */

/* The name of a subprotocol means what it says, unlike a token of HTTP. */
static bool offers_ours(const char *list)
{
    size_t len = strlen(WS_SUBPROTOCOL);
    for (const char *at = list; *at != '\0';) {
        at += strspn(at, " \t,");
        size_t n = strcspn(at, " \t,");
        if (n == len && memcmp(at, WS_SUBPROTOCOL, len) == 0)
            return true;
        at += n;
    }
    return false;
}

int ws_handshake(const struct http_request *request, struct ws_answer *ret)
{
    if (!request->upgrade)
        return 426;
    if (request->ws_version == NULL || request->ws_key == NULL)
        return 400;
    if (strcmp(request->ws_version, "13") != 0)
        return 426;
    if (!is_key(request->ws_key))
        return 400;
    if (request->ws_protocol != NULL && !offers_ours(request->ws_protocol))
        return 400;
    int deflate = request->ws_extensions != NULL
                      ? find_deflate(request->ws_extensions)
                      : 0;
    if (deflate < 0)
        return 400;
    *ret = (struct ws_answer){
        .subprotocol = request->ws_protocol != NULL,
        .deflate = deflate > 0,
    };
    accept_of(request->ws_key, ret->accept);
    return 0;
}

/* What snprintf() says, as a size. */
static size_t size_of(int n)
{
    ASSERT(n >= 0);
    return (size_t)n;
}

size_t ws_answer_head(char *buf, size_t cap, const struct ws_answer *answer,
                      const char *date, const char *more)
{
    char lines[512];
    size_t len = size_of(
        snprintf(lines, sizeof(lines),
                 "Upgrade: websocket\r\n"
                 "Connection: Upgrade\r\n"
                 "Sec-WebSocket-Accept: %s\r\n"
                 "%s%s%s%s%s",
                 answer->accept,
                 answer->subprotocol
                     ? "Sec-WebSocket-Protocol: " WS_SUBPROTOCOL "\r\n"
                     : "",
                 answer->deflate ? "Sec-WebSocket-Extensions: " : "",
                 answer->deflate ? no_memory : "",
                 answer->deflate ? "\r\n" : "", more != NULL ? more : ""));

    ASSERT(len < sizeof(lines));
    return http_head(buf, cap,
                     &(struct http_answer){.status = 101,
                                           .date = date,
                                           .more = lines});
}

/* ---- clients ------------------------------------------------------------ */

size_t ws_ask_head(char *buf, size_t cap, const struct ws_ask *ask)
{
    char key[KEY_SIZE];
    base64_write(key, ask->nonce, sizeof(ask->nonce));
    return size_of(
        snprintf(buf, cap,
                 "GET %s HTTP/1.1\r\n"
                 "Host: %s\r\n"
                 "Upgrade: websocket\r\n"
                 "Connection: Upgrade\r\n"
                 "Sec-WebSocket-Version: 13\r\n"
                 "Sec-WebSocket-Key: %s\r\n"
                 "Sec-WebSocket-Protocol: " WS_SUBPROTOCOL "\r\n"
                 "%s%s%s%s%s%s%s%s%s"
                 "\r\n",
                 ask->path, ask->host, key,
                 ask->deflate ? "Sec-WebSocket-Extensions: " : "",
                 ask->deflate ? no_memory : "", ask->deflate ? "\r\n" : "",
                 ask->origin != NULL ? "Origin: " : "",
                 ask->origin != NULL ? ask->origin : "",
                 ask->origin != NULL ? "\r\n" : "",
                 ask->bearer != NULL ? "Authorization: Bearer " : "",
                 ask->bearer != NULL ? ask->bearer : "",
                 ask->bearer != NULL ? "\r\n" : ""));
}

/* What an answer's headers have told. */
struct answered {
    bool upgrade;
    bool connection;
    bool accept;
    bool deflate;
};

static bool has_name(const char *line, const char *name, const char **value)
{
    size_t len = strlen(name);
    if (ascii_compare_n(line, name, len) != 0 || line[len] != ':')
        return false;
    *value = line + len + 1 + strspn(line + len + 1, " \t");
    return true;
}

/* We offered compression that remembers nothing, and windows of any size. */
static bool takes_our_offer(const char *list)
{
    struct walk w = {.at = list};
    struct offer o, more;
    return walk_next(&w, &o) && !walk_next(&w, &more) && !w.bad && o.ours &&
           o.good && o.server_no_takeover && !o.client_bits_given;
}

/* One header line, without its end.  False if it will not do. */
static bool read_answer_line(const struct ws_ask *ask, const char *line,
                             struct answered *a)
{
    const char *value;
    if (has_name(line, "Upgrade", &value)) {
        a->upgrade = ascii_compare(value, "websocket") == 0;
    } else if (has_name(line, "Connection", &value)) {
        a->connection = a->connection || http_has_token(value, "upgrade");
    } else if (has_name(line, "Sec-WebSocket-Accept", &value)) {
        char key[KEY_SIZE], accept[WS_ACCEPT_SIZE];
        base64_write(key, ask->nonce, sizeof(ask->nonce));
        accept_of(key, accept);
        if (strcmp(value, accept) != 0)
            return false;
        a->accept = true;
    } else if (has_name(line, "Sec-WebSocket-Protocol", &value)) {
        return strcmp(value, WS_SUBPROTOCOL) == 0;
    } else if (has_name(line, "Sec-WebSocket-Extensions", &value)) {
        if (!ask->deflate || a->deflate || !takes_our_offer(value))
            return false;
        a->deflate = true;
    }
    return true;
}

/* HEAD ends with its last header line, and a NUL; it is taken apart. */
static bool read_answer(const struct ws_ask *ask, char *head,
                        struct ws_told *ret)
{
    struct answered a = {0};
    char *line = head;
    for (bool first = true; line != NULL; first = false) {
        char *mark = strstr(line, "\r\n");
        char *next = mark != NULL ? mark + 2 : NULL;
        size_t len = mark != NULL ? (size_t)(mark - line) : strlen(line);
        while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t'))
            len--;
        line[len] = '\0';
        if (first) {
            if (strncmp(line, "HTTP/1.1 ", 9) != 0 ||
                strspn(line + 9, "0123456789") != 3 ||
                (line[12] != ' ' && line[12] != '\0'))
                return false;
            ret->status = (int)strtol(line + 9, NULL, 10);
            if (ret->status != 101)
                return false;
        } else if (!read_answer_line(ask, line, &a)) {
            return false;
        }
        line = next;
    }
    ret->deflate = a.deflate;
    return a.upgrade && a.connection && a.accept;
}

int ws_ask_check(const struct ws_ask *ask, const void *data, size_t len,
                 struct ws_told *ret)
{
    *ret = (struct ws_told){0};
    const char *mark = memmem(data, len, "\r\n\r\n", 4);
    size_t head_len = mark != NULL ? (size_t)(mark - (const char *)data) : len;
    if (head_len > HTTP_HEAD_BYTES_MAX)
        return -1;
    if (mark == NULL)
        return 0;
    char *head = malloc(head_len + 1);
    if (head == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    memcpy(head, data, head_len);
    head[head_len] = '\0';
    bool good = strlen(head) == head_len && read_answer(ask, head, ret);
    free(head);
    ret->used = head_len + 4;
    return good ? 1 : -1;
}
