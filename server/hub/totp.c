/* totp.c -- see totp.h.  The HMAC is OpenSSL's. */

#include "totp.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

#include "base32.h"
#include "core/base.h"

#define SHA1_SIZE 20

uint32_t totp_code(const uint8_t key[TOTP_KEY_BYTES], uint64_t step)
{
    uint8_t counter[8], mac[SHA1_SIZE];

    for (size_t i = 0; i < sizeof(counter); i++)
        counter[i] = (uint8_t)(step >> (56 - 8 * i));
    ASSERT(HMAC(EVP_sha1(), key, TOTP_KEY_BYTES, counter, sizeof(counter), mac,
                NULL) != NULL);
    /* RFC 4226, 5.3: the last four bits say where the code lies. */
    const uint8_t *at = mac + (mac[SHA1_SIZE - 1] & 15);
    uint32_t number = (uint32_t)(at[0] & 127) << 24 | (uint32_t)at[1] << 16 |
                      (uint32_t)at[2] << 8 | at[3];
    return number % 1000000;
}

uint64_t totp_step(const uint8_t key[TOTP_KEY_BYTES], uint32_t code,
                   int64_t now_ms)
{
    uint64_t now = (uint64_t)now_ms / TOTP_STEP_MS, found = 0;

    for (uint64_t step = now - 1; step <= now + 1; step++)
        if (totp_code(key, step) == code)
            found = step;
    return found;
}

void totp_key_text(const uint8_t key[TOTP_KEY_BYTES],
                   char text[TOTP_KEY_CHARS + 1])
{
    base32_write(text, key, TOTP_KEY_BYTES, true);
}

static bool is_digits(const char *text, size_t len)
{
    return len == TOTP_DIGITS && strspn(text, "0123456789") == len;
}

struct factor_code factor_code_read(const char *text)
{
    struct factor_code c = {0};
    char plain[FACTOR_CODE_MAX + 1];
    size_t len = 0;

    for (; *text != '\0' && len < FACTOR_CODE_MAX; text++) {
        bool capital = *text >= 'A' && *text <= 'Z';
        if (*text != ' ' && *text != '-')
            plain[len++] = (char)(capital ? *text | 0x20 : *text);
    }
    plain[len] = '\0';
    c.is_totp = is_digits(plain, len);
    c.is_recovery = len == RECOVERY_CHARS;
    for (size_t i = 0; c.is_totp && i < len; i++)
        c.digits = 10 * c.digits + (uint32_t)(plain[i] - '0');
    if (c.is_recovery)
        sha256(plain, len, c.recovery);
    return c;
}
