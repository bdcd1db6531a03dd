#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "core/base.h"

void *must_alloc(size_t size)
{
    void *p = calloc(1, size > 0 ? size : 1);
    if (p == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    return p;
}

void *must_grow(void *items, size_t count, size_t *cap, size_t size)
{
    if (count < *cap)
        return items;
    size_t more = *cap > 0 ? *cap : 64;
    while (more <= count)
        more *= 2;
    void *p = reallocarray(items, more, size);
    if (p == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    *cap = more;
    return p;
}

char *must_copy(const char *text, size_t len)
{
    char *copy = must_alloc(len + 1);
    memcpy(copy, text, len);
    return copy;
}

void bytes_random(void *out, size_t n)
{
    if (getrandom(out, n, 0) != (ssize_t)n)
        core_panic(__FILE__, __LINE__, "the system has no chance to give");
}
