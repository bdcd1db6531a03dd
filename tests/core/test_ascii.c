/* test_ascii.c -- great and small letters are the same, and nothing else is. */

#include <criterion/criterion.h>
#include <limits.h>

#include "core/ascii.h"

Test(ascii, letters)
{
    int changed = 0;

    for (int c = CHAR_MIN; c <= CHAR_MAX; c++) {
        char low = ascii_lower((char)c), up = ascii_upper((char)c);
        cr_expect_eq(low, c >= 'A' && c <= 'Z' ? c + 32 : c, "%d", c);
        cr_expect_eq(up, c >= 'a' && c <= 'z' ? c - 32 : c, "%d", c);
        changed += low != c;
    }
    cr_expect_eq(changed, 26);
}

Test(ascii, compared)
{
    cr_expect_eq(ascii_compare("IRIS", "iris"), 0);
    cr_expect_eq(ascii_compare("", ""), 0);
    cr_expect_lt(ascii_compare("Ana", "ANAB"), 0);
    cr_expect_gt(ascii_compare("anab", "ANA"), 0);
    cr_expect_lt(ascii_compare("ana", "BEN"), 0);
    cr_expect_gt(ascii_compare("Ben", "ana"), 0);
    /* Bytes that are no letters of ASCII come behind, and are only themselves. */
    cr_expect_lt(ascii_compare("z", "\xc3\xa4"), 0);
    cr_expect_neq(ascii_compare("\xc3\xa4", "\xc3\x84"), 0);
    cr_expect_neq(ascii_compare("[", "{"), 0);
    cr_expect_neq(ascii_compare("@", "`"), 0);
}

Test(ascii, beginnings)
{
    cr_expect_eq(ascii_compare_n("Bearer x", "bearer y", 7), 0);
    cr_expect_neq(ascii_compare_n("Bearer x", "bearer y", 8), 0);
    cr_expect_eq(ascii_compare_n("a", "b", 0), 0);
    cr_expect_eq(ascii_compare_n("ab", "AB", 99), 0);
    cr_expect_lt(ascii_compare_n("ab", "ABC", 99), 0);
}
