/* base32.h -- bytes as letters and the digits 2 to 7, RFC 4648, unpadded. */

#ifndef SERVER_HUB_BASE32_H
#define SERVER_HUB_BASE32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE32_CHARS(bytes) (((bytes)*8 + 4) / 5)

/* N bytes in small letters, or in CAPITALS, and a NUL. */
void base32_write(char *text, const uint8_t *bytes, size_t n, bool capitals);
/* Reads TEXT, in small letters, into at most MAX bytes; how many, or -1 if it is
 * not what base32_write() makes of as many. */
int64_t base32_read(uint8_t *bytes, size_t max, const char *text);

#endif
