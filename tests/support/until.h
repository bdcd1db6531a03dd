/* until.h -- the one wait of tests in C: for a condition, which is looked at again
 * and again.  What never comes ends a test by its .timeout.
 *
 *     UNTIL(store_writable(f.store)); */

#ifndef TESTS_SUPPORT_UNTIL_H
#define TESTS_SUPPORT_UNTIL_H

#include <unistd.h>

#define UNTIL_PAUSE_US 1000

#define UNTIL(condition) \
    while (!(condition)) \
    usleep(UNTIL_PAUSE_US)

#endif
