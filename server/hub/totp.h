/* totp.h -- one-time passwords by time, RFC 6238, and codes in their place.
 *
 * Six digits of an HMAC-SHA-1 of the number of half minutes since 1970: what
 * every authenticator takes.  A code is good in its own half minute, the one
 * before and the one after, as clocks differ.  That each is good once, and how
 * often one may guess, is not decided here. */

#ifndef SERVER_HUB_TOTP_H
#define SERVER_HUB_TOTP_H

#include <stdbool.h>
#include <stdint.h>

#include "transaction.h"

#define TOTP_STEP_MS    30000
#define TOTP_DIGITS     6
#define TOTP_KEY_CHARS  32 /* of a key in base32 */
#define RECOVERY_CODES  10
#define RECOVERY_CHARS  16 /* 80 bits */
#define FACTOR_CODE_MAX 32 /* bytes of what people type */

/* The code of STEP. */
uint32_t totp_code(const uint8_t key[TOTP_KEY_BYTES], uint64_t step);
/* The last step near NOW_MS of which CODE is the code; 0 if it is of none. */
uint64_t totp_step(const uint8_t key[TOTP_KEY_BYTES], uint32_t code,
                   int64_t now_ms);
/* KEY as people type it, and a NUL. */
void totp_key_text(const uint8_t key[TOTP_KEY_BYTES],
                   char text[TOTP_KEY_CHARS + 1]);

/* What somebody typed: with spaces, hyphens and capitals as they like. */
struct factor_code {
    bool is_totp; /* DIGITS are there, else RECOVERY may be */
    bool is_recovery;
    uint32_t digits;
    uint8_t recovery[SHA256_SIZE]; /* the hash of such a code */
};
struct factor_code factor_code_read(const char *text);

#endif
