/* config_file.c -- the file, and its lines.
 *
 * inih reads it; which line it is at it does not tell the handler, so lines are
 * counted where it takes them from.  A line that begins with a space goes on
 * with the value before it, unless it looks like a setting. */

#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "config_inner.h"
#include "io/regular.h"
#include "protocol/sbuf_printf.h"

struct reading {
    struct config *c;
    FILE *file;
    int line;
    bool goes_on;                /* it goes on with the value before it */
    char value[CONFIG_TEXT_MAX]; /* of the key it goes on with */
    int failed;                  /* the first line with a mistake, or 0 ... */
    char why[CONFIG_TEXT_MAX];   /* ... and what it is */
};

static void fail(struct reading *r, const char *why)
{
    if (r->failed != 0)
        return;
    r->failed = r->line;
    snprintf(r->why, sizeof(r->why), "%s", why);
}

static bool looks_like_setting(const char *text)
{
    size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    return name > 0 && text[name + strspn(text + name, " \t")] == '=';
}

/* The next line into TO, of SIZE bytes, with its newline; false if there is none.
 * Of a line that is too long, or has a byte 0, r->failed tells. */
static bool read_line(char *to, size_t size, struct reading *r)
{
    bool has_zero = false;
    size_t n = 0, len = 0;
    int c;

    while ((c = getc(r->file)) != EOF && c != '\n') {
        has_zero = has_zero || c == 0;
        if (n < size - 2)
            to[n++] = (char)c;
        len++;
    }
    to[n] = '\n';
    to[n + 1] = '\0';
    if (c == EOF && len == 0)
        return false;
    r->line++;
    if (len > n) {
        char why[200];
        snprintf(why, sizeof(why),
                 "this line is longer than %zu bytes; a value may go on in "
                 "the next line, behind a space",
                 size - 2);
        fail(r, why);
    } else if (has_zero) {
        fail(r, "this line has a byte 0");
    }
    return true;
}

/* One line into TO, of SIZE bytes, as fgets() does. */
static char *take_line(char *to, int size, void *stream)
{
    struct reading *r = stream;
    size_t space;

    if (!read_line(to, (size_t)size, r))
        return NULL;
    space = strspn(to, " \t");
    r->goes_on = space > 0 && !looks_like_setting(to + space);
    if (space > 0 && !r->goes_on)
        memmove(to, to + space, strlen(to + space) + 1);
    return to;
}

/* Adds VALUE to that of the line before; false if it gets too long. */
static bool join(struct reading *r, const char *value)
{
    size_t len = r->goes_on ? strlen(r->value) : 0;
    struct sbuf s = sbuf_in(r->value + len, sizeof(r->value) - len);
    if (len > 0)
        sbuf_putc(&s, ' ');
    sbuf_puts(&s, value);
    return sbuf_fits(&s);
}

static int take_setting(void *user, const char *section, const char *key,
                        const char *value)
{
    struct reading *r = user;
    char name[128], why[CONFIG_TEXT_MAX];

    if (r->failed != 0)
        return 1;
    snprintf(name, sizeof(name), "%s.%s", section, key);
    int *line = config_line(r->c, name);
    if (section[0] == '\0') {
        fail(r, "a setting stands below its [section]");
    } else if (line != NULL && *line != 0 && !r->goes_on) {
        snprintf(why, sizeof(why), "%s was set in line %d already", name,
                 *line);
        fail(r, why);
    } else if (!join(r, value)) {
        fail(r, "the value is too long");
    } else if (!config_set(r->c, FROM_FILE, name, r->value, why,
                           sizeof(why))) {
        fail(r, why);
    } else if (line != NULL && !r->goes_on) {
        *line = r->line;
    }
    return 1;
}

bool config_read_file(struct config *c, char *why, size_t size)
{
    struct reading r = {.c = c, .file = regular_open(c->file, why, size)};

    if (r.file == NULL)
        return false;
    int line = ini_parse_stream(take_line, &r, take_setting, &r);
    bool unread = ferror(r.file) != 0;
    fclose(r.file);
    if (unread) {
        snprintf(why, size, "cannot read all of %s", c->file);
        return false;
    }
    if (line > 0 && (r.failed == 0 || line < r.failed)) {
        r.failed = line;
        snprintf(r.why, sizeof(r.why),
                 "this is neither [section] nor key = value");
    }
    if (line >= 0 && r.failed == 0)
        return true;
    snprintf(why, size, "%s:%d: %s", c->file, r.failed, r.why);
    return false;
}
