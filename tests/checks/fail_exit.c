/* fail_exit.c -- leaves before it has tested anything; see test_runner.sh. */

#include <criterion/criterion.h>
#include <stdlib.h>

Test(fail, leaves)
{
    exit(0);
}

Test(fail, leaves_badly)
{
    exit(3);
}
