#include "scale.h"

#include <stdlib.h>

#ifdef __SANITIZE_ADDRESS__
#define SLOW 1
#else
#define SLOW 0
#endif

size_t scaled(size_t n, size_t sanitized)
{
    const char *runs = getenv("RUNS");
    size_t percent = runs != NULL ? strtoul(runs, NULL, 10) : 100;

    if (SLOW && percent > 100)
        percent = percent * sanitized / 100;
    else if (SLOW && percent > sanitized)
        percent = sanitized;
    n = n * percent / 100;
    return n > 0 ? n : 1;
}
