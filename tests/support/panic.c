/* panic.c -- where an assertion of the core leads in a test: out, loudly.
 *
 * Criterion sees the abort as a crash of the one test; a test that wants it
 * says .signal = SIGABRT. */

#include <stdio.h>
#include <stdlib.h>

#include "../../core/base.h"

_Noreturn void core_panic(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}
