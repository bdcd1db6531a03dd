/* fail_crash.c -- dies of a broken promise in the core; see test_runner.sh. */

#include <criterion/criterion.h>

#include "../../core/base.h"

Test(fail, crash)
{
    int one = 1;
    ASSERT(one == 2);
}
