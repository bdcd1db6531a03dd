/* sha256.h -- the hash of commitments, keys and the game record.
 *
 * SHA-256 after FIPS 180-4.  It is the core's own because the browser's build
 * has no library, and pages served without TLS have no crypto.subtle either;
 * the tests compare it with libsodium's.
 *
 *     init -> update, any number of times -> final
 *
 * How a text is cut into updates makes no difference.  Hashes travel as
 * lower-case hex, hence the helpers at the end. */

#ifndef CORE_SHA256_H
#define CORE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE  32 /* bytes of a hash */
#define SHA256_BLOCK 64 /* bytes the algorithm takes at a time */

/* A hash being computed, in the caller's memory.  Plain data: a copy goes on
 * from the same place, so a common beginning need be hashed only once. */
struct sha256 {
    uint32_t state[8];
    uint64_t length;             /* bytes hashed so far */
    uint8_t block[SHA256_BLOCK]; /* begins with the LENGTH % 64 last ones */
};

void sha256_init(struct sha256 *h);

/* Hashes LEN bytes more.  DATA may be NULL if LEN is 0. */
void sha256_update(struct sha256 *h, const void *data, size_t len);

/* Writes the hash of everything since sha256_init() to OUT.  H is used up and
 * must be initialised before it can serve again. */
void sha256_final(struct sha256 *h, uint8_t out[SHA256_SIZE]);

/* All three at once.  OUT may lie within DATA. */
void sha256(const void *data, size_t len, uint8_t out[SHA256_SIZE]);

/* Writes N bytes as 2 * N lower-case digits to OUT, with no NUL after them. */
void hex_write(char *out, const uint8_t *bytes, size_t n);

/* The value of a hex digit of either case, or -1 for any other character. */
int hex_digit(char c);

/* Reads N bytes from the first 2 * N characters of HEX, digits of either case,
 * and does not look at what follows them.  False, with OUT untouched, if one
 * of them is no digit; it looks no further than that one, so a string that
 * ends too early is safe to pass.  Where the protocol wants lower case and
 * nothing else, compare with what hex_write() makes of the bytes. */
bool hex_read(uint8_t *out, const char *hex, size_t n);

#endif
