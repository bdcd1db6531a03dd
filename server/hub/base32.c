/* base32.c -- see base32.h. */

#include "base32.h"

#include <string.h>

static const char small[] = "abcdefghijklmnopqrstuvwxyz234567";
static const char large[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

void base32_write(char *text, const uint8_t *bytes, size_t n, bool capitals)
{
    const char *digits = capitals ? large : small;
    uint32_t bits = 0;
    int have = 0;

    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | bytes[i];
        for (have += 8; have >= 5; have -= 5)
            *text++ = digits[bits >> (have - 5) & 31];
    }
    if (have > 0)
        *text++ = digits[bits << (5 - have) & 31];
    *text = '\0';
}

int64_t base32_read(uint8_t *bytes, size_t max, const char *text)
{
    uint32_t bits = 0;
    size_t n = 0;
    int have = 0;

    for (; *text != '\0'; text++) {
        const char *digit = strchr(small, *text);
        if (digit == NULL)
            return -1;
        bits = bits << 5 | (uint32_t)(digit - small);
        have += 5;
        if (have < 8)
            continue;
        if (n == max)
            return -1;
        have -= 8;
        bytes[n++] = (uint8_t)(bits >> have);
    }
    /* What is left over is less than a digit, and nothing. */
    if (have >= 5 || (bits & ((1u << have) - 1)) != 0)
        return -1;
    return (int64_t)n;
}
