/* test_totp.c -- one-time passwords by the RFC's own numbers; how they and the
 * codes in their place may be typed. */

#include <criterion/criterion.h>
#include <string.h>

#include "server/hub/totp.h"

static const uint8_t *const key = (const uint8_t *)"12345678901234567890";

/* RFC 6238, appendix B, of SHA-1; the last six digits of its eight. */
Test(totp, vectors)
{
    static const struct {
        int64_t s;
        uint32_t code;
    } vectors[] = {
        {59, 287082},       {1111111109, 81804},  {1111111111, 50471},
        {1234567890, 5924}, {2000000000, 279037}, {20000000000, 353130},
    };

    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
        cr_assert_eq(totp_code(key, (uint64_t)vectors[i].s / 30),
                     vectors[i].code, "%d", (int)i);
}

/* A code is good for the half minute before and the one after its own, to the
 * millisecond, and no longer. */
Test(totp, window)
{
    uint64_t step = 1000;
    int64_t begin = (int64_t)step * TOTP_STEP_MS;
    uint32_t code = totp_code(key, step);

    cr_assert_eq(totp_step(key, code, begin - TOTP_STEP_MS - 1), 0);
    cr_assert_eq(totp_step(key, code, begin - TOTP_STEP_MS), step);
    cr_assert_eq(totp_step(key, code, begin), step);
    cr_assert_eq(totp_step(key, code, begin + 2 * TOTP_STEP_MS - 1), step);
    cr_assert_eq(totp_step(key, code, begin + 2 * TOTP_STEP_MS), 0);
}

/* The key as people type it: RFC 4648's base32. */
Test(totp, key)
{
    char text[TOTP_KEY_CHARS + 1];

    totp_key_text(key, text);
    cr_assert_str_eq(text, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
}

/* What is typed may have spaces, hyphens and capitals; what is too short or too
 * long is no code of any kind. */
Test(totp, typed)
{
    struct factor_code c = factor_code_read("012 345");
    uint8_t hash[SHA256_SIZE];

    cr_assert(c.is_totp && !c.is_recovery);
    cr_assert_eq(c.digits, 12345);
    c = factor_code_read("ABCD-efgh 2345-wxyz");
    cr_assert(c.is_recovery && !c.is_totp);
    sha256("abcdefgh2345wxyz", 16, hash);
    cr_assert_arr_eq(c.recovery, hash, sizeof(hash));
    static const char *const wrong[] = {
        "",
        "12345",
        "1234567",
        "12345a",
        "abcdefgh2345wxy",
        "abcdefgh2345wxyzz",
        "1111111111111111111111111111111111111111111111111",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        c = factor_code_read(wrong[i]);
        cr_assert(!c.is_totp && !c.is_recovery, "%s", wrong[i]);
    }
}
