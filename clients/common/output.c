#include "output.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "core/base.h"
#include "core/utf8.h"

struct filter {
    FILE *to;
    bool ascii;   /* the terminal takes nothing else */
    char held[4]; /* the beginning of a character */
    size_t held_len;
};

static struct filter out, err;
static FILE *shown; /* stdout as people's texts see it */
static bool as_json;

/* ---- characters ------------------------------------------------------- */

static void put_escape(FILE *to, uint32_t code)
{
    if (code > 0xffff) {
        code -= 0x10000;
        (void)fprintf(to, "\\u%04x", 0xd800 + (code >> 10));
        code = 0xdc00 + (code & 0x3ff);
    }
    (void)fprintf(to, "\\u%04x", code);
}

/* Something that cannot be shown as it is. */
static void put_instead(const struct filter *f, uint32_t code)
{
    if (code == '\t')
        (void)fputc(' ', f->to);
    else if (as_json)
        put_escape(f->to, code);
    else
        (void)fputs(f->ascii ? "?" : "\xef\xbf\xbd", f->to);
}

/* How many bytes at the beginning of TEXT go through as they are. */
static size_t passing(const struct filter *f, const char *text, size_t len)
{
    size_t n = utf8_printable_len(text, len, true);

    if (f->ascii)
        for (size_t i = 0; i < n; i++)
            if ((unsigned char)text[i] >= 0x80)
                return i;
    return n;
}

/* Shows what it can of TEXT; returns how much of it that was: all but the
 * beginning of a character at the end. */
static size_t show(const struct filter *f, const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        size_t n = passing(f, text + at, len - at);
        (void)fwrite(text + at, 1, n, f->to);
        at += n;
        if (at == len)
            break;
        uint32_t code = 0xfffd;
        n = utf8_read(text + at, len - at, &code);
        if (n == 0 && len - at < sizeof(f->held) &&
            utf8_walk(UTF8_OK, text + at, len - at) != UTF8_BAD)
            return at;
        put_instead(f, code);
        at += n > 0 ? n : 1;
    }
    return len;
}

/* ---- streams ---------------------------------------------------------- */

static ssize_t filter_write(void *cookie, const char *text, size_t len)
{
    struct filter *f = cookie;
    size_t at = 0;

    while (f->held_len > 0 && at < len) {
        f->held[f->held_len++] = text[at++];
        size_t n = show(f, f->held, f->held_len);
        f->held_len -= n;
        memmove(f->held, f->held + n, f->held_len);
    }
    if (f->held_len == 0) {
        size_t n = show(f, text + at, len - at);
        f->held_len = len - at - n;
        memcpy(f->held, text + at + n, f->held_len);
    }
    return fflush(f->to) == 0 && !ferror(f->to) ? (ssize_t)len : 0;
}

/* Nothing more comes: half a character is none. */
static int filter_close(void *cookie)
{
    struct filter *f = cookie;

    for (; f->held_len > 0; f->held_len--)
        put_instead(f, 0xfffd);
    return fflush(f->to);
}

/* Stands before TO, whose number is FD; MODE as setvbuf() wants it. */
static FILE *filter_open(struct filter *f, FILE *to, int fd, int mode)
{
    const cookie_io_functions_t does = {.write = filter_write,
                                        .close = filter_close};

    *f = (struct filter){
        .to = to,
        .ascii = isatty(fd) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
    };
    (void)setvbuf(to, NULL, _IOFBF, BUFSIZ);
    FILE *stream = fopencookie(f, "w", does);
    ASSERT(stream != NULL);
    (void)setvbuf(stream, NULL, mode, mode == _IONBF ? 0 : BUFSIZ);
    return stream;
}

static void close_filters(void)
{
    (void)fclose(shown);
    stdout = out.to;
}

void output_open(void)
{
    shown = filter_open(&out, stdout, STDOUT_FILENO,
                        isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    stdout = shown;
    stderr = filter_open(&err, stderr, STDERR_FILENO, _IONBF);
    (void)atexit(close_filters);
}

void output_json(bool json)
{
    (void)fflush(stdout);
    as_json = json;
}

void output_own(bool own)
{
    (void)fflush(stdout);
    if (shown != NULL)
        stdout = own ? out.to : shown;
}

FILE *output_terminal(void)
{
    (void)fflush(stdout);
    return shown != NULL ? out.to : stdout;
}

/* ---- text ------------------------------------------------------------- */

int output_width(const char *text)
{
    size_t left = strlen(text);
    int width = 0;

    while (left > 0) {
        uint32_t code = 0;
        size_t n = utf8_read(text, left, &code);
        int w = n > 0 && utf8_printable(code) ? wcwidth((wchar_t)code) : 1;
        width += w < 0 ? 1 : w;
        text += n > 0 ? n : 1;
        left -= n > 0 ? n : 1;
    }
    return width;
}

void output_line(char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\n')
            *text = ' ';
}
