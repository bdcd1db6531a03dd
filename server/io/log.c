#include "log.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "core/utf8.h"
#include "log_writer.h"
#include "protocol/json_out.h"
#include "protocol/sbuf_printf.h"

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

/* C, as JSON escapes it: those above U+FFFF as two. */
static void put_escaped(struct sbuf *s, uint32_t c)
{
    if (c > 0xffff)
        sbuf_printf(s, "\\u%04" PRIx32 "\\u%04" PRIx32,
                    0xd800 + ((c - 0x10000) >> 10),
                    0xdc00 + ((c - 0x10000) & 0x3ff));
    else
        sbuf_printf(s, "\\u%04" PRIx32, c);
}

/* TEXT as a string of JSON, in quotes, with all escaped that does not just show
 * itself. */
static void put_quoted(struct sbuf *s, const char *text)
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
            sbuf_put(s, at, n);
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

static void put_field(struct sbuf *s, enum log_form form,
                      const struct log_field *f)
{
    size_t before = s->len;

    sbuf_puts(s, form == LOG_AS_JSON ? ",\"" : s->len > 3 ? " " : "");
    sbuf_puts(s, f->key);
    sbuf_puts(s, form == LOG_AS_JSON ? "\":" : "=");
    if (f->text == NULL)
        sbuf_printf(s, "%" PRId64, f->number);
    else if (form == LOG_AS_TEXT && is_plain(f->text))
        sbuf_puts(s, f->text);
    else
        put_quoted(s, f->text);
    if (s->len + 2 >= s->cap)
        sbuf_cut(s, before); /* whole fields or none */
}

static void put_time(struct sbuf *s, int64_t now_ms)
{
    time_t seconds = (time_t)(now_ms / 1000);
    struct tm tm;
    char text[32];

    gmtime_r(&seconds, &tm);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
    sbuf_printf(s, "{\"time\":\"%s.%03dZ\",\"level\":\"", text,
                (int)(now_ms % 1000));
}

void log_compose(const struct log_options *options, enum host_level level,
                 int64_t now_ms, const struct log_field *fields, size_t count,
                 char *to)
{
    static const char *const priorities[] = {"<3>", "<4>", "<5>", "<6>",
                                             "<7>"};
    struct sbuf s = sbuf_in(to, LOG_LINE_MAX);

    if (options->form == LOG_AS_JSON) {
        put_time(&s, now_ms);
        sbuf_puts(&s, levels[level]);
        sbuf_puts(&s, "\"");
    } else {
        sbuf_puts(&s, priorities[level]);
    }
    for (size_t i = 0; i < count; i++)
        if (options->addresses || strcmp(fields[i].key, "address") != 0)
            put_field(&s, options->form, &fields[i]);
    if (options->form == LOG_AS_JSON)
        sbuf_puts(&s, "}");
}

/* The line as it is written now, with its newline; its length. */
static size_t compose_now(enum host_level level,
                          const struct log_field *fields, size_t count,
                          char line[LOG_LINE_MAX + 1])
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    log_compose(&log_options, level,
                (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, fields,
                count, line);
    size_t len = strlen(line);
    line[len] = '\n';
    return len + 1;
}

void log_write(enum host_level level, const struct log_field *fields,
               size_t count)
{
    char line[LOG_LINE_MAX + 1];

    if (level <= log_options.level)
        log_writer_put(line, compose_now(level, fields, count, line));
}

size_t log_gap_line(uint64_t count, char *to)
{
    const struct log_field fields[] = {
        log_event("log_gap"),
        log_number("lines", (int64_t)count),
        log_text("text",
                 "nobody read the log: so many lines are missing here"),
    };

    return compose_now(LOG_WARNING, fields, 3, to);
}
