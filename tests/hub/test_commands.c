/* test_commands.c -- every request there is has its handler. */

#include <criterion/criterion.h>

#include "server/hub/commands.h"

/* None is missing, and each is of the kind by which it is called: at its table,
 * or as it comes. */
Test(commands, one_for_each_method)
{
    for (int m = 0; m < METHODS; m++) {
        bool table = methods[m].table;
        cr_assert_eq(commands[m].at_table != NULL, table, "%s",
                     methods[m].name);
        cr_assert_eq(commands[m].plain != NULL, !table, "%s", methods[m].name);
    }
}
