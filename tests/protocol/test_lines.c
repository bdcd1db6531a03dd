/* test_lines.c -- a line at a time, however the bytes come. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/base.h"
#include "../../protocol/lines.h"

/* What came of some bytes: `[line]` for each, and how it ended. */
struct said {
    char text[400];
};

static void say(struct said *s, const struct bytes *line, const char *end)
{
    size_t at = strlen(s->text), room = sizeof(s->text) - at;
    if (end != NULL)
        snprintf(s->text + at, room, "%s", end);
    else if (line->len > 40)
        snprintf(s->text + at, room, "[%zu]", line->len);
    else
        snprintf(s->text + at, room, "[%.*s]", (int)line->len,
                 (const char *)line->data);
}

/* STEP is the size of the pieces, 0 for pieces of any size.  Each piece has
 * memory of its own, so that reading past it, or later, shows. */
static void listen(const char *bytes, size_t len, size_t step, unsigned seed,
                   struct said *s)
{
    struct lines l;
    bool over = false;
    lines_init(&l);
    s->text[0] = '\0';
    for (size_t at = 0, n; at < len && !over; at += n) {
        n = step > 0 ? step : 1 + (size_t)rand_r(&seed) % 9;
        if (n > len - at)
            n = len - at;
        uint8_t *piece = malloc(n);
        memcpy(piece, bytes + at, n);
        struct bytes_in in = {.data = piece, .len = n};
        for (bool more = true; more && !over;) {
            struct bytes line;
            switch (lines_read(&l, &in, &line)) {
            case LINES_MORE: more = false; break;
            case LINES_LINE: say(s, &line, NULL); break;
            case LINES_TOO_LONG:
                cr_assert(lines_read(&l, &in, &line) == LINES_TOO_LONG);
                say(s, NULL, "too long");
                over = true;
                break;
            case LINES_HTTP:
                cr_assert(lines_read(&l, &in, &line) == LINES_HTTP);
                say(s, NULL, "http");
                over = true;
                break;
            }
        }
        cr_assert(over || in.len == 0);
        free(piece);
    }
    if (lines_pending(&l) > 0)
        say(s, NULL, "pending");
    lines_done(&l);
}

static void expect_n(const char *bytes, size_t len, const char *want)
{
    struct said said;
    for (unsigned run = 0; run < 12; run++) {
        size_t step = run == 0 ? len : run < 4 ? run : run == 4 ? 1000 : 0;
        if (len > 1000 && step == 0)
            step = 997 + run;
        listen(bytes, len, step, run, &said);
        cr_assert_str_eq(said.text, want, "run %u of \"%.100s\": %s", run,
                         bytes, said.text);
    }
}

static void expect(const char *bytes, const char *want)
{
    expect_n(bytes, strlen(bytes), want);
}

/* Lines come one by one, without their ends; empty ones do not come. */
Test(lines, reads_lines)
{
    expect("", "");
    expect("{}\n", "[{}]");
    expect("{}\r\n{}\n", "[{}][{}]");
    expect("\n\r\n{\"a\":1}\n\n\n\r\n[]\n", "[{\"a\":1}][[]]");
    expect("a\rb\n\r\r\n", "[a\rb][\r]");
    expect(" \n", "[ ]");
    expect("{}\n{", "[{}]pending");
    expect("{}\n{}", "[{}]pending");
    expect("\xc3\xa9\xff\n", "[\xc3\xa9\xff]");
    expect_n("a\0b\n", 4, "[a]");
}

/* What HTTP begins a line with ends the connection at once, in either case and
 * on any line; what only looks like it does not. */
Test(lines, closes_on_http)
{
    expect("GET / HTTP/1.1\r\n", "http");
    expect("GET ", "http");
    expect("get /", "http");
    expect("POST /rpc", "http");
    expect("PUT /rpc", "http");
    expect("HEAD /", "http");
    expect("DELETE /", "http");
    expect("OPTIONS *", "http");
    expect("PATCH /", "http");
    expect("CONNECT a:1", "http");
    expect("TRACE /", "http");
    expect("PRI * HTTP/2.0", "http");
    expect("{}\nHost: a\n{}\n", "[{}]http");
    expect("{}\n\nhost:a", "[{}]http");
    expect("GET\n", "[GET]");
    expect("GETS x\n", "[GETS x]");
    expect(" GET /\n", "[ GET /]");
    expect("HOST\n:\n", "[HOST][:]");
    expect("{\"GET /\"}\n", "[{\"GET /\"}]");
}

static void expect_long(size_t n, const char *end, const char *want)
{
    char *text = malloc(n + strlen(end) + 1);
    memset(text, 'x', n);
    strcpy(text + n, end);
    expect(text, want);
    free(text);
}

/* A line may have 65 536 bytes, its end not counted, and not one more. */
Test(lines, limits_lines)
{
    expect_long(65536, "\n", "[65536]");
    expect_long(65536, "\r\n{}\n", "[65536][{}]");
    expect_long(65536, "", "pending");
    expect_long(65536, "\r", "pending");
    expect_long(65536, "\r\r\n", "too long");
    expect_long(65536, "\rx", "too long");
    expect_long(65537, "\n", "too long");
    expect_long(65537, "", "too long");
    expect_long(300000, "", "too long");
}

/* A connection between lines holds nothing, and a line that comes byte by byte
 * no more than twice itself. */
Test(lines, is_small)
{
    struct lines l;
    struct bytes line;
    struct bytes_in in;
    lines_init(&l);
    cr_assert_lt(sizeof(l), 32);
    for (size_t i = 0; i < LINES_BYTES_MAX; i++) {
        uint8_t byte = 'x';
        in = (struct bytes_in){.data = &byte, .len = 1};
        cr_assert(lines_read(&l, &in, &line) == LINES_MORE);
        cr_assert_eq(lines_pending(&l), i + 1);
        cr_assert(l.cap <= 512 || l.cap <= 2 * l.len);
    }
    uint8_t end[] = "\n{}\n";
    in = (struct bytes_in){.data = end, .len = 4};
    cr_assert(lines_read(&l, &in, &line) == LINES_LINE);
    cr_assert_eq(line.len, LINES_BYTES_MAX);
    cr_assert_eq(lines_pending(&l), 0);
    cr_assert(lines_read(&l, &in, &line) == LINES_LINE);
    cr_assert(line.data == end + 1 && line.len == 2);
    cr_assert_null(l.part);
    lines_done(&l);
}

/* A line is written with its end. */
Test(lines, writes_lines)
{
    uint8_t out[8];
    cr_assert_eq(lines_write(out, "{}", 2), 3);
    cr_assert_eq(memcmp(out, "{}\n", 3), 0);
    cr_assert_eq(lines_write(out, NULL, 0), 1);
}
