/* test_sbuf.c -- bounded strings: never beyond the buffer, always terminated,
 * and as long as they would have been. */

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sbuf.h"
#include "protocol/sbuf_printf.h"

/* Whatever room there is, the string is the beginning of the whole one, its
 * length that of the whole one, and what lies behind the buffer is untouched. */
Test(sbuf, is_a_beginning_of_the_whole)
{
    static const char whole[] = "ply 12, -7: ana, ben.";
    size_t size = sizeof(whole);

    for (size_t cap = 0; cap <= size + 2; cap++) {
        char *buf = malloc(cap + 1);
        cr_assert_not_null(buf);
        memset(buf, '#', cap + 1);
        struct sbuf s = sbuf_in(buf, cap);
        cr_assert(cap == 0 || buf[0] == '\0');
        sbuf_puts(&s, "ply ");
        sbuf_int(&s, 12);
        sbuf_putc(&s, ',');
        sbuf_printf(&s, " %d: %s", -7, "ana");
        sbuf_put(&s, ", ben.!!", 6);
        cr_assert_eq(s.len, size - 1);
        cr_assert_eq(sbuf_fits(&s), cap >= size);
        if (cap > 0) {
            size_t len = cap < size ? cap - 1 : size - 1;
            cr_assert_eq(strlen(buf), len);
            cr_assert_eq(memcmp(buf, whole, len), 0);
        }
        cr_assert_eq(buf[cap], '#');
        free(buf);
    }
    struct sbuf none = sbuf_in(NULL, 0);
    sbuf_puts(&none, whole);
    sbuf_printf(&none, "%s", whole);
    cr_assert_eq(none.len, 2 * (size - 1));
}

/* What did not fit may be taken back, and then something shorter has room. */
Test(sbuf, is_cut)
{
    char buf[8];
    struct sbuf s = sbuf_in(buf, sizeof(buf));

    sbuf_puts(&s, "one");
    size_t before = s.len;
    sbuf_puts(&s, " and many more");
    cr_assert_not(sbuf_fits(&s));
    sbuf_cut(&s, before);
    cr_assert_str_eq(buf, "one");
    sbuf_puts(&s, " two");
    cr_assert(sbuf_fits(&s));
    cr_assert_str_eq(buf, "one two");
}

/* Numbers are written as printf() writes them, the least one, too. */
Test(sbuf, writes_numbers)
{
    static const int numbers[] = {0, 9, 10, -1, -10, INT_MAX, INT_MIN};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        char buf[16], wanted[16];
        struct sbuf s = sbuf_in(buf, sizeof(buf));
        sbuf_int(&s, numbers[i]);
        (void)snprintf(wanted, sizeof(wanted), "%d", numbers[i]);
        cr_assert_str_eq(buf, wanted);
        cr_assert_eq(s.len, strlen(wanted));
    }
}
