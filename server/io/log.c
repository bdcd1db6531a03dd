#include "log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/utf8.h"
#include "protocol/json_out.h"

#define VALUE_MAX   500 /* bytes of a value, before it is escaped */
#define ESCAPED_MAX (6 * VALUE_MAX + 3)

static const char *const levels[] = {
    "error", "warning", "notice", "info", "debug",
};

static struct log_options log_options = {
    .level = LOG_INFO,
    .addresses = true,
};

void log_configure(const struct log_options *options)
{
    log_options = *options;
}

enum host_level log_level_named(const char *word)
{
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
        if (strcmp(levels[i], word) == 0)
            return (enum host_level)i;
    return LOG_INFO;
}

/* ---- values ------------------------------------------------------------- */

/* The text being made; once something did not fit nothing more is taken. */
struct sink {
    char *buf;
    size_t len;
    bool full;
};

static void put(struct sink *s, const char *text, size_t len)
{
    s->full = s->full || s->len + len >= LOG_LINE_MAX;
    if (s->full)
        return;
    memcpy(s->buf + s->len, text, len);
    s->len += len;
    s->buf[s->len] = '\0';
}

static void put_text(struct sink *s, const char *text)
{
    put(s, text, strlen(text));
}

/* C, as JSON escapes it: those above U+FFFF as two. */
static void put_escaped(struct sink *s, uint32_t c)
{
    char text[16];

    if (c > 0xffff)
        snprintf(text, sizeof(text), "\\u%04" PRIx32 "\\u%04" PRIx32,
                 0xd800 + ((c - 0x10000) >> 10),
                 0xdc00 + ((c - 0x10000) & 0x3ff));
    else
        snprintf(text, sizeof(text), "\\u%04" PRIx32, c);
    put_text(s, text);
}

/* TEXT as a string of JSON, in quotes, with all escaped that does not just show
 * itself. */
static void put_quoted(struct sink *s, const char *text)
{
    char room[ESCAPED_MAX];
    size_t len = strlen(text);
    struct json_out o;
    uint32_t c;

    if (len > VALUE_MAX)
        len = utf8_cut(text, VALUE_MAX);
    json_out_init_fixed(&o, room, sizeof(room));
    out_string_n(&o, NULL, text, len);
    const char *at = json_out_text(&o), *end = at + strlen(at);
    for (size_t n; (n = utf8_read(at, (size_t)(end - at), &c)) > 0; at += n) {
        if (utf8_printable(c))
            put(s, at, n);
        else
            put_escaped(s, c);
    }
}

/* Nothing in it could be taken for the end of a value. */
static bool is_plain(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789"
                                "_-./:+@%,*";
    size_t len = strlen(text);
    return len > 0 && len <= VALUE_MAX && strspn(text, plain) == len;
}

/* ---- lines -------------------------------------------------------------- */

static void put_field(struct sink *s, enum log_form form,
                      const struct log_field *f)
{
    size_t before = s->len;
    char number[24];

    put_text(s, form == LOG_AS_JSON ? ",\"" : s->len > 3 ? " " : "");
    put_text(s, f->key);
    put_text(s, form == LOG_AS_JSON ? "\":" : "=");
    snprintf(number, sizeof(number), "%" PRId64, f->number);
    if (f->text == NULL)
        put_text(s, number);
    else if (form == LOG_AS_TEXT && is_plain(f->text))
        put_text(s, f->text);
    else
        put_quoted(s, f->text);
    if (s->full || s->len + 2 > LOG_LINE_MAX - 1)
        s->len = before; /* whole fields or none */
}

static void put_time(struct sink *s, int64_t now_ms)
{
    time_t seconds = (time_t)(now_ms / 1000);
    struct tm tm;
    char text[32], whole[96];

    gmtime_r(&seconds, &tm);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(whole, sizeof(whole), "{\"time\":\"%s.%03dZ\",\"level\":\"", text,
             (int)(now_ms % 1000));
    put_text(s, whole);
}

void log_compose(const struct log_options *options, enum host_level level,
                 int64_t now_ms, const struct log_field *fields, size_t count,
                 char *to)
{
    static const char *const priorities[] = {"<3>", "<4>", "<5>", "<6>",
                                             "<7>"};
    struct sink s = {.buf = to};

    if (options->form == LOG_AS_JSON) {
        put_time(&s, now_ms);
        put_text(&s, levels[level]);
        put_text(&s, "\"");
    } else {
        put_text(&s, priorities[level]);
    }
    for (size_t i = 0; i < count && !s.full; i++)
        if (options->addresses || strcmp(fields[i].key, "address") != 0)
            put_field(&s, options->form, &fields[i]);
    s.full = false;
    if (options->form == LOG_AS_JSON)
        put_text(&s, "}");
    to[s.len] = '\0';
}

void log_write(enum host_level level, const struct log_field *fields,
               size_t count)
{
    struct timespec now;
    char line[LOG_LINE_MAX];

    if (level > log_options.level)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    log_compose(&log_options, level,
                (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, fields,
                count, line);
    fprintf(stderr, "%s\n", line);
}
