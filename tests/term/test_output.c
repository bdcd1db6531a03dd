/* test_output.c -- the filter of the clients' output: whatever is printed, in
 * whatever pieces, what comes out is printable UTF-8. */

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/output.h"
#include "core/utf8.h"

static FILE *caught;

/* Behind the filter, whose other side is a file. */
static void begin(void)
{
    (void)setlocale(LC_ALL, "");
    caught = tmpfile();
    cr_assert_not_null(caught);
    cr_assert_eq(dup2(fileno(caught), STDOUT_FILENO), STDOUT_FILENO);
    output_open();
}

TestSuite(output, .init = begin);

/* What has come out so far. */
static size_t came(char *buf, size_t cap)
{
    (void)fflush(stdout);
    ssize_t n = pread(fileno(caught), buf, cap - 1, 0);
    cr_assert_geq(n, 0);
    buf[n] = '\0';
    return (size_t)n;
}

static void shows(const char *text)
{
    char buf[4096];

    (void)came(buf, sizeof(buf));
    cr_assert_str_eq(buf, text);
}

/* By whatever function it is printed. */
Test(output, everything)
{
    printf("%s\n", "a\x1b[2Jb");
    (void)puts("\xc2\x9b");
    (void)fputs("\xe2\x80\xae\n", stdout);
    (void)fputc('\r', stdout);
    (void)putchar('\t');
    (void)fwrite("x\0\xff\xc3", 1, 4, stdout);
    printf("\xa9\n"); /* the rest of a character */
    shows("a\xef\xbf\xbd[2Jb\n\xef\xbf\xbd\n\xef\xbf\xbd\n\xef\xbf\xbd x"
          "\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\n");
}

/* As JSON nothing is lost. */
Test(output, json)
{
    output_json(true);
    printf("{\"a\":\"\xc2\x9b\xe2\x80\xae\x7f\xf3\xa0\x81\x81\xc3\xa9\"}\n");
    output_json(false);
    printf("\x7f\n");
    shows("{\"a\":\"\\u009b\\u202e\\u007f\\udb40\\udc41\xc3\xa9\"}\n"
          "\xef\xbf\xbd\n");
}

/* The program's own words to the terminal go by; what is before and after them
 * does not, and all comes in order. */
Test(output, own)
{
    printf("a\x1b");
    output_own(true);
    printf("\x1b[1m");
    output_own(false);
    printf("b\x1b");
    (void)fflush(stdout);
    (void)fputs("\x1b[0m", output_terminal());
    (void)fflush(output_terminal());
    shows("a\xef\xbf\xbd\x1b[1mb\xef\xbf\xbd\x1b[0m");
}

/* Any bytes, in pieces of any length: what comes out is printable, and the same
 * as in one piece. */
Test(output, pieces)
{
    static char in[3000], whole[16384], pieces[16384];
    static const char *const some[] = {
        "a",        "\n",           "\x1b[31m",         "\xc2\x9b", "\xc3\xa9",
        "\xe2\x80", "\xe2\x80\xae", "\xf0\x9f\x90\x84", "\xf0\x9f", "\xff",
    };
    size_t len = 0, before;

    srand(7);
    while (len + 8 < sizeof(in)) {
        const char *piece =
            some[(size_t)rand() % (sizeof(some) / sizeof(*some))];
        memcpy(in + len, piece, strlen(piece));
        len += strlen(piece);
    }
    in[len++] = '\n';
    (void)fwrite(in, 1, len, stdout);
    before = came(whole, sizeof(whole));
    cr_assert_eq(utf8_printable_len(whole, before, true), before);
    for (size_t at = 0; at < len;) {
        size_t n = (size_t)rand() % 6;
        n = n < len - at ? n : len - at;
        (void)fwrite(in + at, 1, n, stdout);
        (void)fflush(stdout);
        at += n;
    }
    (void)came(pieces, sizeof(pieces));
    cr_assert_str_eq(pieces + before, whole);
}

/* Columns as terminals count them: wide, joined, unprintable. */
Test(output, width)
{
    cr_assert_eq(output_width("abc"), 3);
    cr_assert_eq(output_width("\xc3\xa9"), 1);
    cr_assert_eq(output_width("e\xcc\x81"), 1);
    cr_assert_eq(output_width("\xe6\xbc\xa2"), 2);
    cr_assert_eq(output_width("\x1b\xc2\x9b\xff"), 3);
}
