#include "json_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"

#define FIRST_SIZE 1024

void json_out_init(struct json_out *o)
{
    *o = (struct json_out){.grows = true};
}

void json_out_init_fixed(struct json_out *o, char *buf, size_t cap)
{
    *o = (struct json_out){.buf = buf, .cap = cap};
}

void json_out_done(struct json_out *o)
{
    if (o->grows)
        free(o->buf);
    *o = (struct json_out){0};
}

void json_out_reset(struct json_out *o)
{
    o->len = 0;
    o->comma = false;
    o->depth = 0;
    o->lists = 0;
}

static void grow(struct json_out *o, size_t n)
{
    size_t cap = o->cap > 0 ? o->cap : FIRST_SIZE;
    while (cap - o->len <= n) {
        ASSERT(cap <= SIZE_MAX / 2);
        cap *= 2;
    }
    char *buf = realloc(o->buf, cap);
    if (buf == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    o->buf = buf;
    o->cap = cap;
}

/* Makes room for N more bytes and a NUL, if the buffer is ours. */
static inline void reserve(struct json_out *o, size_t n)
{
    if (o->grows && o->cap - o->len <= n)
        grow(o, n);
}

static inline void put(struct json_out *o, const char *text, size_t n)
{
    reserve(o, n);
    if (n > 0 && o->len < o->cap) {
        size_t room = o->cap - o->len;
        memcpy(o->buf + o->len, text, n < room ? n : room);
    }
    o->len += n;
}

static inline void put_char(struct json_out *o, char c)
{
    reserve(o, 1);
    if (o->len < o->cap)
        o->buf[o->len] = c;
    o->len++;
}

const char *json_out_text(struct json_out *o)
{
    reserve(o, 0);
    if (o->cap == 0)
        return "";
    o->buf[o->len < o->cap ? o->len : o->cap - 1] = '\0';
    return o->buf;
}

bool json_out_fits(const struct json_out *o)
{
    return o->grows || o->len < o->cap;
}

/* ---- strings ---------------------------------------------------------- */

/* The escape of an ASCII character, or NULL if it stands for itself. */
static const char *escape(unsigned char c, char room[8])
{
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
    }
    if (c >= 0x20) /* 0x7f, too, stands for itself (RFC 8785) */
        return NULL;
    (void)snprintf(room, 8, "\\u%04x", c);
    return room;
}

/* Whether an ASCII character stands for itself (RFC 8785: 0x7f, too). */
static inline bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* Whether eight characters stand for themselves: no high bit, none below 0x20,
 * no quote and no backslash, looked at side by side. */
static inline bool are_plain(uint64_t eight)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t quote = eight ^ (ones * '"'), slash = eight ^ (ones * '\\');
    uint64_t odd = eight | (eight - ones * 0x20) | (quote - ones) |
                   (slash - ones);
    return (odd & high) == 0;
}

/* The LEN characters at TEXT, 1 to 7, side by side; some of them twice. */
static inline uint64_t few(const char *text, size_t len)
{
    uint32_t first, last;

    if (len >= sizeof(first)) {
        memcpy(&first, text, sizeof(first));
        memcpy(&last, text + len - sizeof(last), sizeof(last));
        return (uint64_t)first << 32 | last;
    }
    return UINT64_C(0x2020202020) << 24 |
           (uint64_t)(unsigned char)text[0] << 16 |
           (uint64_t)(unsigned char)text[len / 2] << 8 |
           (unsigned char)text[len - 1];
}

/* How many characters of TEXT stand for themselves before one that may not. */
static size_t plain_len(const char *text, size_t len)
{
    size_t n = 0;
    for (uint64_t eight; len - n >= sizeof(eight); n += sizeof(eight)) {
        memcpy(&eight, text + n, sizeof(eight));
        if (!are_plain(eight))
            return n;
    }
    if (n < len && are_plain(few(text + n, len - n)))
        return len;
    while (n < len && is_plain((unsigned char)text[n]))
        n++;
    return n;
}

static void put_escaped(struct json_out *o, const char *text, size_t len)
{
    const unsigned char *t = (const unsigned char *)text;
    size_t plain = 0; /* bytes before I that are still to be put */
    char room[8];

    for (size_t i = 0; i < len;) {
        size_t n = t[i] < 0x80 ? 1 : utf8_read(t + i, len - i, NULL);
        const char *other = n == 0   ? "\xef\xbf\xbd"
                            : n == 1 ? escape(t[i], room)
                                     : NULL;
        if (other == NULL) {
            plain += n;
            i += n;
            continue;
        }
        put(o, text + i - plain, plain);
        put(o, other, strlen(other));
        plain = 0;
        i++;
    }
    put(o, text + len - plain, plain);
}

static void put_quoted(struct json_out *o, const char *text, size_t len)
{
    size_t plain = plain_len(text, len);

    reserve(o, len + 2);
    if (plain == len && o->len < o->cap && o->cap - o->len > len + 2) {
        char *at = o->buf + o->len;
        at[0] = '"';
        memcpy(at + 1, text, len);
        at[len + 1] = '"';
        o->len += len + 2;
        return;
    }
    put_char(o, '"');
    put(o, text, plain);
    if (plain < len)
        put_escaped(o, text + plain, len - plain);
    put_char(o, '"');
}

/* ---- values ----------------------------------------------------------- */

static bool in_list(const struct json_out *o)
{
    return o->depth == 0 || (o->lists >> (o->depth - 1) & 1u) != 0;
}

/* What stands before a value. */
static void begin(struct json_out *o, const char *key)
{
    ASSERT((key == NULL) == in_list(o));
    if (o->comma && o->depth > 0)
        put_char(o, ',');
    if (key != NULL) {
        put_quoted(o, key, strlen(key));
        put_char(o, ':');
    }
    o->comma = true;
}

static void open_container(struct json_out *o, const char *key, bool list)
{
    begin(o, key);
    ASSERT(o->depth < JSON_DEPTH_MAX);
    put_char(o, list ? '[' : '{');
    o->lists &= ~(UINT32_C(1) << o->depth);
    o->lists |= (uint32_t)list << o->depth;
    o->depth++;
    o->comma = false;
}

void out_object(struct json_out *o, const char *key)
{
    open_container(o, key, false);
}

void out_list(struct json_out *o, const char *key)
{
    open_container(o, key, true);
}

void out_end(struct json_out *o)
{
    ASSERT(o->depth > 0);
    put_char(o, in_list(o) ? ']' : '}');
    o->depth--;
    o->comma = true;
}

void out_string_n(struct json_out *o, const char *key, const char *text,
                  size_t len)
{
    begin(o, key);
    put_quoted(o, text, len);
}

void out_string(struct json_out *o, const char *key, const char *text)
{
    out_string_n(o, key, text, strlen(text));
}

static void put_number(struct json_out *o, int64_t value)
{
    char digits[21];
    size_t at = sizeof(digits);
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        digits[--at] = '-';
    put(o, digits + at, sizeof(digits) - at);
}

void out_int(struct json_out *o, const char *key, int64_t value)
{
    begin(o, key);
    put_number(o, value);
}

void out_bool(struct json_out *o, const char *key, bool value)
{
    begin(o, key);
    put(o, value ? "true" : "false", value ? 4 : 5);
}

void out_null(struct json_out *o, const char *key)
{
    begin(o, key);
    put(o, "null", 4);
}

void out_raw(struct json_out *o, const char *key, const char *json, size_t len)
{
    begin(o, key);
    put(o, json, len);
}

void out_line(struct json_out *o)
{
    ASSERT(o->depth == 0);
    put_char(o, '\n');
    o->comma = false;
}

/* ---- states ----------------------------------------------------------- */

static void sink_open(void *arg, const char *name, bool list)
{
    open_container(arg, name, list);
}

static void sink_close(void *arg, bool list)
{
    struct json_out *o = arg;
    ASSERT(in_list(o) == list);
    out_end(o);
}

static void sink_value(void *arg, const char *name,
                       const struct fields_value *v)
{
    switch (v->type) {
    case FIELDS_NUMBER: out_int(arg, name, v->number); break;
    case FIELDS_WORD: out_string_n(arg, name, v->word, v->word_len); break;
    case FIELDS_BOOL: out_bool(arg, name, v->number != 0); break;
    case FIELDS_NULL: out_null(arg, name); break;
    }
}

struct fields_sink json_sink(struct json_out *o)
{
    return (struct fields_sink){
        .open = sink_open,
        .close = sink_close,
        .value = sink_value,
        .arg = o,
    };
}

/* ---- patches ---------------------------------------------------------- */

/* A step of a pointer (RFC 6901); nothing has been written after it yet. */
static void put_step(struct json_out *o, const struct fields_step *step)
{
    put_char(o, '/');
    if (step->name == NULL) {
        put_number(o, (int64_t)step->index);
        return;
    }
    const char *name = step->name;
    size_t len = strlen(name);
    ASSERT(plain_len(name, len) == len);
    for (size_t n; (n = strcspn(name, "~/")) < len;
         name += n + 1, len -= n + 1) {
        put(o, name, n);
        put(o, name[n] == '~' ? "~0" : "~1", 2);
    }
    put(o, name, len);
}

void out_replace(struct json_out *o, const char *prefix,
                 const struct fields_step *path, size_t depth)
{
    static const char start[] = "\"op\":\"replace\",\"path\":\"";

    out_object(o, NULL);
    put(o, start, sizeof(start) - 1);
    put(o, prefix, strlen(prefix));
    for (size_t i = 0; i < depth; i++)
        put_step(o, &path[i]);
    put_char(o, '"');
    o->comma = true;
}

static void patch_change(void *arg, const struct fields_step *path,
                         size_t depth)
{
    struct json_patch *p = arg;

    ASSERT(p->depth == 0);
    out_replace(p->out, p->prefix, path, depth);
    p->count++;
}

/* The name of what comes next: the value of the operation itself, or what is
 * within it. */
static const char *patch_name(const struct json_patch *p, const char *name)
{
    return p->depth == 0 ? "value" : name;
}

static void patch_open(void *arg, const char *name, bool list)
{
    struct json_patch *p = arg;
    open_container(p->out, patch_name(p, name), list);
    p->depth++;
}

static void patch_close(void *arg, bool list)
{
    struct json_patch *p = arg;
    ASSERT(p->depth > 0);
    sink_close(p->out, list);
    p->depth--;
    if (p->depth == 0)
        out_end(p->out);
}

static void patch_value(void *arg, const char *name,
                        const struct fields_value *v)
{
    struct json_patch *p = arg;
    sink_value(p->out, patch_name(p, name), v);
    if (p->depth == 0)
        out_end(p->out);
}

void json_patch_init(struct json_patch *p, struct json_out *o,
                     const char *prefix)
{
    *p = (struct json_patch){.out = o, .prefix = prefix};
}

struct fields_sink json_patch_sink(struct json_patch *p)
{
    return (struct fields_sink){
        .open = patch_open,
        .close = patch_close,
        .value = patch_value,
        .change = patch_change,
        .arg = p,
    };
}
