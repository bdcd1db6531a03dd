/* test_utf8.c -- characters are read as they are written, and those that do
 * something to a terminal or to the line around them are told apart. */

#include <criterion/criterion.h>
#include <string.h>

#include "../../core/utf8.h"

static size_t write_code(uint32_t c, unsigned char *to)
{
    if (c < 0x80) {
        to[0] = (unsigned char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (unsigned char)(0xc0 | c >> 6);
        to[1] = (unsigned char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (unsigned char)(0xe0 | c >> 12);
        to[1] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        to[2] = (unsigned char)(0x80 | (c & 0x3f));
        return 3;
    }
    to[0] = (unsigned char)(0xf0 | c >> 18);
    to[1] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
    to[2] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
    to[3] = (unsigned char)(0x80 | (c & 0x3f));
    return 4;
}

/* Every code point there is, and every beginning of one: surrogates and what
 * lies beyond the last are none. */
Test(utf8, all)
{
    unsigned char text[4];

    for (uint32_t c = 0; c < 0x120000; c++) {
        bool there = c < 0x110000 && !(c >= 0xd800 && c < 0xe000);
        size_t n = write_code(c, text);
        uint32_t code = 0;
        cr_assert_eq(utf8_read(text, n, &code), there ? n : 0, "%x", c);
        cr_assert(!there || code == c, "%x", c);
        cr_assert_eq(utf8_valid(text, n), there, "%x", c);
        for (size_t k = 0; k < n; k++)
            cr_assert_eq(utf8_read(text, k, NULL), 0, "%x", c);
    }
}

/* Two bytes that are no character are none in any reading. */
Test(utf8, pairs)
{
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0; second < 256; second++) {
            unsigned char text[] = {(unsigned char)first,
                                    (unsigned char)second};
            size_t n = utf8_read(text, 2, NULL);
            bool whole = n == 2 || (n == 1 && utf8_read(text + 1, 1, NULL));
            cr_assert_eq(utf8_valid(text, 2), whole, "%x %x", first, second);
        }
    }
}

/* What must never be shown as it is, from the Unicode Character Database: the
 * general categories Cc, Zl and Zp, the property Bidi_Control, and the ranges
 * of tags, annotations and noncharacters. */
static bool must_hide(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e ||
           c == 0x200f || c == 0x2028 || c == 0x2029 ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x206f) ||
           (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c < 0xe0080) ||
           (c >= 0xd800 && c < 0xe000) || (c >= 0xfdd0 && c < 0xfdf0) ||
           (c & 0xffff) >= 0xfffe || c >= 0x110000;
}

Test(utf8, printable)
{
    for (uint32_t c = 0; c < 0x120000; c++)
        cr_assert_eq(utf8_printable(c), !must_hide(c), "%x", c);
}

/* A text is printable as far as its characters are, and as they are whole. */
Test(utf8, printable_len)
{
    static const struct {
        const char *text;
        bool lines;
        size_t len;
    } all[] = {
        {"", false, 0},          {"all of it", false, 9},
        {"a\nb", false, 1},      {"a\nb", true, 3},
        {"a\r\nb", true, 1},     {"\xc3\xa9\xc2\x9b", false, 2},
        {"x\xe2\x80", false, 1}, {"x\xe2\x80\xae", true, 1},
        {"x\x7f", true, 1},      {"\xf0\x9f\x90\x84!", false, 5},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        cr_assert_eq(utf8_printable_len(all[i].text, strlen(all[i].text),
                                        all[i].lines),
                     all[i].len, "%zu", i);
}

/* A text that is cut is cut between characters, at or before the place. */
Test(utf8, cut)
{
    static const char text[] = "a\xc3\xa9\xf0\x9f\x90\x84z";
    static const size_t at[] = {0, 1, 1, 3, 3, 3, 3, 7, 8};

    for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++)
        cr_assert_eq(utf8_cut(text, i), at[i], "%zu", i);
}
