/* fail_leak.c -- loses memory; only asan sees it, after the test has passed.
 * For test_runner.sh. */

#include <criterion/criterion.h>
#include <stdlib.h>

Test(fail, leak)
{
    char *volatile lost = malloc(16);
    lost[0] = 1;
    lost = NULL;
}
