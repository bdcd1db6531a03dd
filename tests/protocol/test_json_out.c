/* The JSON writer: what it writes, jansson must read back as it was meant. */

#include <criterion/criterion.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/json_out.h"

static json_t *parsed(struct json_out *o)
{
    json_error_t error;
    json_t *v = json_loadb(json_out_text(o), o->len,
                           JSON_DECODE_ANY | JSON_ALLOW_NUL |
                               JSON_REJECT_DUPLICATES,
                           &error);
    cr_assert(v != NULL, "%s: %s", error.text, json_out_text(o));
    return v;
}

/* Nesting, commas and all kinds of values come out in the shortest form. */
Test(json_out, shape)
{
    struct json_out o;
    json_out_init(&o);
    out_object(&o, NULL);
    out_int(&o, "a", 0);
    out_list(&o, "b");
    out_end(&o);
    out_object(&o, "c");
    out_end(&o);
    out_list(&o, "d");
    out_bool(&o, NULL, true);
    out_bool(&o, NULL, false);
    out_null(&o, NULL);
    out_object(&o, NULL);
    out_string(&o, "e", "f");
    out_end(&o);
    out_raw(&o, NULL, "[1,2]", 5);
    out_end(&o);
    out_end(&o);
    cr_assert_str_eq(json_out_text(&o),
                     "{\"a\":0,\"b\":[],\"c\":{},\"d\":"
                     "[true,false,null,{\"e\":\"f\"},[1,2]]}");
    json_out_done(&o);
}

/* Integers to the ends of their range. */
Test(json_out, integers)
{
    static const int64_t all[] = {
        0,
        1,
        -1,
        9,
        10,
        -10,
        1234567890,
        INT64_MAX,
        INT64_MIN,
        INT64_MIN + 1,
        (INT64_C(1) << 53) - 1,
    };
    struct json_out o;
    json_out_init(&o);
    out_list(&o, NULL);
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        out_int(&o, NULL, all[i]);
    out_end(&o);
    json_t *v = parsed(&o);
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        cr_assert_eq(json_integer_value(json_array_get(v, i)), all[i]);
    json_decref(v);
    json_out_done(&o);
}

/* Every character below U+0100 and some beyond survive, as values and as
 * keys; NUL too. */
Test(json_out, every_escape)
{
    for (unsigned c = 0; c < 0x100; c++) {
        char text[4];
        size_t n = 0;
        text[n++] = 'a';
        if (c >= 0x80)
            text[n++] = (char)(0xc0 | c >> 6);
        text[n++] = (char)(c < 0x80 ? c : (0x80 | (c & 0x3f)));
        text[n] = '\0';
        struct json_out o;
        json_out_init(&o);
        out_object(&o, NULL);
        out_string_n(&o, "v", text, n);
        if (c != 0)
            out_int(&o, text, 1);
        out_end(&o);
        json_t *v = parsed(&o);
        const json_t *s = json_object_get(v, "v");
        cr_assert_eq(json_string_length(s), n);
        cr_assert_arr_eq(json_string_value(s), text, n);
        cr_assert(c == 0 || json_object_get(v, text) != NULL);
        json_decref(v);
        json_out_done(&o);
    }
}

/* What has to be escaped is found wherever it stands in a text, as these are
 * looked at in pieces; what is next to it in the alphabet is left alone. */
Test(json_out, escapes_everywhere)
{
    static const char odd[] = "\"\\\x01\x1f\n !#[]~\x7f";
    const char *other[] = {"\\\"", "\\\\", "\\u0001", "\\u001f", "\\n"};
    struct json_out o;

    json_out_init(&o);
    for (size_t len = 1; len <= 20; len++)
        for (size_t at = 0; at < len; at++)
            for (size_t i = 0; odd[i] != '\0'; i++) {
                char text[21] = "aaaaaaaaaaaaaaaaaaaa", wanted[32];
                const char plain[2] = {odd[i], '\0'};
                text[at] = odd[i];
                text[len] = '\0';
                (void)snprintf(wanted, sizeof(wanted), "\"%.*s%s%s\"", (int)at,
                               text, i < COUNT_OF(other) ? other[i] : plain,
                               text + at + 1);
                json_out_reset(&o);
                out_string(&o, NULL, text);
                cr_assert_str_eq(json_out_text(&o), wanted);
            }
    json_out_done(&o);
}

/* The form of each escape is that of RFC 8785. */
Test(json_out, canonical_escapes)
{
    struct json_out o;
    json_out_init(&o);
    out_string(&o, NULL,
               "\"\\\b\f\n\r\t\x01\x1f/\x7f\xc3\xa9\xe2\x82\xac"
               "\xf0\x9f\x90\x84");
    cr_assert_str_eq(json_out_text(&o),
                     "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001"
                     "\\u001f/\x7f\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x84\"");
    json_out_done(&o);
}

/* Bytes that are no UTF-8 become U+FFFD, one for each. */
Test(json_out, bad_utf8)
{
    static const struct {
        const char *in;
        size_t bad;
    } all[] = {
        {"\x80", 1},
        {"\xc0\xaf", 2},
        {"\xc3", 1},
        {"\xc3(", 1},
        {"\xe0\x80\x80", 3},
        {"\xed\xa0\x80", 3},
        {"\xf4\x90\x80\x80", 4},
        {"\xf5\x80\x80\x80", 4},
        {"\xff", 1},
        {"\xe2\x82", 2},
        {"\xf0\x8f\xbf\xbf", 4},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct json_out o;
        json_out_init(&o);
        out_string(&o, NULL, all[i].in);
        json_t *v = parsed(&o);
        const char *at = json_string_value(v);
        size_t bad = 0;
        while ((at = strstr(at, "\xef\xbf\xbd")) != NULL) {
            bad++;
            at += 3;
        }
        cr_assert_eq(bad, all[i].bad, "case %zu", i);
        json_decref(v);
        json_out_done(&o);
    }
}

/* A buffer of the caller's is never overrun, and the length needed is told
 * however small it is. */
Test(json_out, fixed)
{
    static const char whole[] = "{\"key\":\"va\\u0001lue\",\"n\":-12}";
    for (size_t cap = 0; cap < sizeof(whole) + 3; cap++) {
        char *buf = malloc(cap + 1);
        buf[cap] = '#';
        struct json_out o;
        json_out_init_fixed(&o, cap > 0 ? buf : NULL, cap);
        out_object(&o, NULL);
        out_string(&o, "key", "va\x01lue");
        out_int(&o, "n", -12);
        out_end(&o);
        cr_assert_eq(o.len, sizeof(whole) - 1);
        cr_assert_eq(json_out_fits(&o), cap >= sizeof(whole));
        const char *text = json_out_text(&o);
        cr_assert_eq(strlen(text), cap == 0              ? 0
                                   : cap < sizeof(whole) ? cap - 1
                                                         : sizeof(whole) - 1);
        cr_assert_eq(strncmp(text, whole, strlen(text)), 0);
        cr_assert_eq(buf[cap], '#');
        json_out_done(&o);
        free(buf);
    }
}

/* A growing buffer grows, is used again after a reset, and holds lines. */
Test(json_out, grows)
{
    struct json_out o;
    json_out_init(&o);
    for (int round = 0; round < 2; round++) {
        json_out_reset(&o);
        for (int i = 0; i < 5000; i++) {
            out_object(&o, NULL);
            out_int(&o, "i", i);
            out_end(&o);
            out_line(&o);
        }
        size_t lines = 0;
        for (const char *c = json_out_text(&o); *c != '\0'; c++)
            lines += *c == '\n';
        cr_assert_eq(lines, 5000);
        cr_assert_eq(strncmp(json_out_text(&o), "{\"i\":0}\n{\"i\":1}\n", 16),
                     0);
    }
    json_out_done(&o);
}

/* A member without a name is a bug, and so is a name in a list. */
Test(json_out, no_key, .signal = SIGABRT)
{
    struct json_out o;
    json_out_init(&o);
    out_object(&o, NULL);
    out_int(&o, NULL, 1);
}

Test(json_out, key_in_list, .signal = SIGABRT)
{
    struct json_out o;
    json_out_init(&o);
    out_list(&o, NULL);
    out_int(&o, "a", 1);
}
