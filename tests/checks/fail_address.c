/* fail_address.c -- writes past the end; only asan sees it.  For
 * test_runner.sh. */

#include <criterion/criterion.h>
#include <stdlib.h>

Test(fail, address)
{
    volatile size_t size = 16;
    volatile char *past = malloc(size);
    past[size] = 1;
    free((void *)past);
}
