/* scale.h -- how much of its usual work a test does.
 *
 * Tests that play at random find more the longer they play.  RUNS in the
 * environment says how much of the usual they do, in percent: 10 for `make
 * quick`, 30 for `make test`, 1000 for a night. */

#ifndef TESTS_SUPPORT_SCALE_H
#define TESTS_SUPPORT_SCALE_H

#include <stddef.h>

/* RUNS percent of N, or all of it; under a sanitizer, which is slow, at most
 * SANITIZED percent, and more only if RUNS is above 100.  At least one. */
size_t scaled(size_t n, size_t sanitized);

#endif
