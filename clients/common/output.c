#include "output.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "core/base.h"
#include "core/utf8.h"

struct door {
    FILE *to;
    bool ascii;   /* the terminal takes nothing else */
    char held[4]; /* the beginning of a character */
    size_t held_len;
};

static struct door out, err;
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
static void put_instead(const struct door *d, uint32_t code)
{
    if (code == '\t')
        (void)fputc(' ', d->to);
    else if (as_json)
        put_escape(d->to, code);
    else
        (void)fputs(d->ascii ? "?" : "\xef\xbf\xbd", d->to);
}

/* How many bytes at the beginning of TEXT go through as they are. */
static size_t passing(const struct door *d, const char *text, size_t len)
{
    size_t n = utf8_printable_len(text, len, true);

    if (d->ascii)
        for (size_t i = 0; i < n; i++)
            if ((unsigned char)text[i] >= 0x80)
                return i;
    return n;
}

/* Shows what it can of TEXT; returns how much of it that was: all but the
 * beginning of a character at the end. */
static size_t show(const struct door *d, const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        size_t n = passing(d, text + at, len - at);
        (void)fwrite(text + at, 1, n, d->to);
        at += n;
        if (at == len)
            break;
        uint32_t code = 0xfffd;
        n = utf8_read(text + at, len - at, &code);
        if (n == 0 && len - at < sizeof(d->held) &&
            utf8_walk(UTF8_OK, text + at, len - at) != UTF8_BAD)
            return at;
        put_instead(d, code);
        at += n > 0 ? n : 1;
    }
    return len;
}

/* ---- streams ---------------------------------------------------------- */

static ssize_t door_write(void *cookie, const char *text, size_t len)
{
    struct door *d = cookie;
    size_t at = 0;

    while (d->held_len > 0 && at < len) {
        d->held[d->held_len++] = text[at++];
        size_t n = show(d, d->held, d->held_len);
        d->held_len -= n;
        memmove(d->held, d->held + n, d->held_len);
    }
    if (d->held_len == 0) {
        size_t n = show(d, text + at, len - at);
        d->held_len = len - at - n;
        memcpy(d->held, text + at + n, d->held_len);
    }
    return fflush(d->to) == 0 && !ferror(d->to) ? (ssize_t)len : 0;
}

/* Nothing more comes: half a character is none. */
static int door_close(void *cookie)
{
    struct door *d = cookie;

    for (; d->held_len > 0; d->held_len--)
        put_instead(d, 0xfffd);
    return fflush(d->to);
}

/* Stands before TO, whose number is FD; MODE as setvbuf() wants it. */
static FILE *door_open(struct door *d, FILE *to, int fd, int mode)
{
    const cookie_io_functions_t does = {.write = door_write,
                                        .close = door_close};

    *d = (struct door){
        .to = to,
        .ascii = isatty(fd) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
    };
    (void)setvbuf(to, NULL, _IOFBF, BUFSIZ);
    FILE *door = fopencookie(d, "w", does);
    ASSERT(door != NULL);
    (void)setvbuf(door, NULL, mode, mode == _IONBF ? 0 : BUFSIZ);
    return door;
}

static void close_doors(void)
{
    (void)fclose(shown);
    stdout = out.to;
}

void output_open(void)
{
    shown = door_open(&out, stdout, STDOUT_FILENO,
                      isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    stdout = shown;
    stderr = door_open(&err, stderr, STDERR_FILENO, _IONBF);
    (void)atexit(close_doors);
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
