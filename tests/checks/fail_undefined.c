/* fail_undefined.c -- counts too far; only asan sees it.  For
 * test_runner.sh. */

#include <criterion/criterion.h>
#include <limits.h>

Test(fail, undefined)
{
    volatile int many = INT_MAX;
    many = many + 1;
}
