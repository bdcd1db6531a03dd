/* test_log.c -- lines for the operator, whatever is in them. */

#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "server/io/log.h"

static const struct log_options as_text = {LOG_DEBUG, LOG_AS_TEXT, true};
static const struct log_options as_json = {LOG_DEBUG, LOG_AS_JSON, true};

static char line[LOG_LINE_MAX];

static const char *compose(const struct log_options *options,
                           const struct log_field *fields, size_t count)
{
    memset(line, '!', sizeof(line));
    log_compose(options, LOG_INFO, 1700000000123, fields, count, line);
    return line;
}

#define AS_TEXT(...) compose(&as_text, LOG_FIELDS(__VA_ARGS__))
#define AS_JSON(...) compose(&as_json, LOG_FIELDS(__VA_ARGS__))

/* Plain values stand as they are, all others as strings of JSON. */
Test(log, text)
{
    cr_assert_str_eq(AS_TEXT(log_event("login"),
                             log_text("address", "2001:db8::1"),
                             log_number("conn", -7),
                             log_text("user", "Zoë B."),
                             log_text("why", NULL)),
                     "<6>event=login address=2001:db8::1 conn=-7 "
                     "user=\"Zoë B.\" why=\"\"");
}

Test(log, json)
{
    cr_assert_str_eq(AS_JSON(log_event("login"), log_text("user", "a\"b"),
                             log_number("conn", 7)),
                     "{\"time\":\"2023-11-14T22:13:20.123Z\","
                     "\"level\":\"info\",\"event\":\"login\","
                     "\"user\":\"a\\\"b\",\"conn\":7}");
}

/* No value makes another field or line, or gets a terminal to do anything:
 * quotes, line feeds, ESC, C1, DEL, changes of direction, separators. */
Test(log, forged)
{
    cr_assert_str_eq(
        AS_TEXT(log_text("user", "x\" event=login_failed address=1.2.3.4"),
                log_text("b", "a=b"), log_text("c", "a\\")),
        "<6>user=\"x\\\" event=login_failed address=1.2.3.4\" b=\"a=b\" "
        "c=\"a\\\\\"");
    cr_assert_str_eq(
        AS_TEXT(log_text("a", "1\n<6>event=x"), log_text("b", "\x1b[2J\x7f"),
                log_text("c", "\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8"),
                log_text("d", "\xff\xfe\xc2"),
                log_text("e", "\xf3\xa0\x80\x81")), /* U+E0001, a tag */
        "<6>a=\"1\\n<6>event=x\" b=\"\\u001b[2J\\u007f\" "
        "c=\"\\u009b\\u202e\\u2066\\u2028\" d=\"\xef\xbf\xbd\xef\xbf\xbd"
        "\xef\xbf\xbd\" e=\"\\udb40\\udc01\"");
}

/* What is long is cut between characters, and fields that do not fit are left
 * out whole: each line is JSON. */
Test(log, long_values)
{
    static char text[3000];
    struct log_field fields[LOG_FIELDS_MAX] = {log_event("long")};
    static const char *const pieces[] = {"a", "ö", "\x1b",         "\xff",
                                         "€", "😀", "\xe2\x80\xae", "\""};

    for (size_t p = 0; p < sizeof(pieces) / sizeof(pieces[0]); p++) {
        size_t n = strlen(pieces[p]);
        text[0] = '\0';
        for (size_t at = 0; at + n < sizeof(text); at += n)
            memcpy(text + at, pieces[p], n + 1);
        for (size_t i = 1; i < LOG_FIELDS_MAX; i++)
            fields[i] = log_text("abcdefghijklmnop" + i, text);
        json_t *value = json_loads(compose(&as_json, fields, LOG_FIELDS_MAX),
                                   JSON_REJECT_DUPLICATES, NULL);
        cr_assert_not_null(value, "%s", line);
        cr_assert_geq(json_object_size(value), 5);
        const char *kept = json_string_value(
            json_object_get(value, "bcdefghijklmnop"));
        size_t len = strlen(kept);
        cr_assert(len > 400 && len <= 1500, "%zu", len);
        cr_assert_eq(len % strlen(strcmp(pieces[p], "\xff") ? pieces[p]
                                                            : "\xef\xbf\xbd"),
                     0);
        json_decref(value);
        cr_assert_lt(strlen(compose(&as_text, fields, LOG_FIELDS_MAX)),
                     LOG_LINE_MAX);
    }
}

/* An operator who does not want to keep people's addresses has none. */
Test(log, addresses)
{
    static const struct log_options without = {LOG_DEBUG, LOG_AS_TEXT, false};

    cr_assert_str_eq(compose(&without,
                             LOG_FIELDS(log_event("login"),
                                        log_text("address", "192.0.2.1"),
                                        log_number("conn", 1))),
                     "<6>event=login conn=1");
}

/* The words of the configuration, and the priorities of journald. */
Test(log, levels)
{
    cr_assert_eq(log_level_named("debug"), LOG_DEBUG);
    cr_assert_eq(log_level_named("error"), LOG_ERROR);
    log_compose(&as_text, LOG_ERROR, 0, LOG_FIELDS(log_event("a")), line);
    cr_assert_str_eq(line, "<3>event=a");
    log_compose(&as_text, LOG_DEBUG, 0, LOG_FIELDS(log_event("a")), line);
    cr_assert_str_eq(line, "<7>event=a");
}
