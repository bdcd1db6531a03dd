/* fail_assert.c -- fails as most tests do; see test_runner.sh. */

#include <criterion/criterion.h>

Test(fail, assertion)
{
    cr_assert_eq(1 + 1, 3);
}
