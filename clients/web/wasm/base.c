/* base.c -- what the core wants of its host (core/base.h), in WebAssembly. */

#include "core/base.h"

/* Shows what broke, and does not return. */
__attribute__((import_module("env"), import_name("panic"))) void
host_panic(const char *file, int line, const char *what);

_Noreturn void core_panic(const char *file, int line, const char *what)
{
    host_panic(file, line, what);
    __builtin_trap();
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n-- > 0)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    unsigned char *t = to;
    while (n-- > 0)
        *t++ = (unsigned char)byte;
    return to;
}
