#include "ascii.h"

#include <stdint.h>

char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

char ascii_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

int ascii_compare_n(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char x = (unsigned char)ascii_lower(a[i]);
        unsigned char y = (unsigned char)ascii_lower(b[i]);
        if (x != y)
            return x < y ? -1 : 1;
        if (x == '\0')
            return 0;
    }
    return 0;
}

int ascii_compare(const char *a, const char *b)
{
    return ascii_compare_n(a, b, SIZE_MAX);
}
