/* What push services are given: after the RFCs' own examples, and read by the
 * one whom it is for. */

#include <criterion/criterion.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "server/io/webpush.h"

#define BASE64 sodium_base64_VARIANT_URLSAFE_NO_PADDING

static size_t from_base64(const char *text, uint8_t *to, size_t size)
{
    size_t len;

    cr_assert_eq(sodium_base642bin(to, size, text, strlen(text), NULL, &len,
                                   NULL, BASE64),
                 0);
    return len;
}

static const char browser_key[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8p"
    "ZGH6SRpkNtoIAiw4";
static const char browser_auth[] = "BTBZMqHH6r4Tts7J_aSIgg";
static const char watermelon[] = "When I grow up, I want to be a watermelon";

/* RFC 8291, appendix A, byte for byte. */
Test(webpush, example_of_rfc_8291)
{
    static const char wanted[] =
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
    struct webpush_once once;
    uint8_t body[WEBPUSH_BODY_MAX];
    char text[500];

    from_base64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", once.scalar,
                sizeof(once.scalar));
    from_base64("DGv6ra1nlYgDCS1FRnbzlw", once.salt, sizeof(once.salt));
    size_t len = webpush_encrypt_once(browser_key, browser_auth, watermelon,
                                      strlen(watermelon), 0, &once, body);
    cr_assert_gt(len, 0);
    sodium_bin2base64(text, sizeof(text), body, len, BASE64);
    cr_assert_str_eq(text, wanted);
}

/* Each message is another one, as long as others a little shorter or longer,
 * and never longer than a push service takes. */
Test(webpush, padded)
{
    static char text[WEBPUSH_TEXT_MAX + 1];
    uint8_t a[WEBPUSH_BODY_MAX], b[WEBPUSH_BODY_MAX];

    memset(text, 'x', sizeof(text));
    size_t of_1 = webpush_encrypt(browser_key, browser_auth, text, 1, a);
    size_t of_500 = webpush_encrypt(browser_key, browser_auth, text, 500, b);
    cr_assert_eq(of_1, of_500);
    cr_assert_neq(memcmp(a, b, 16), 0);
    cr_assert_neq(memcmp(a + 21, b + 21, 65), 0);
    size_t most = webpush_encrypt(browser_key, browser_auth, text,
                                  WEBPUSH_TEXT_MAX, a);
    cr_assert(most > 0 && most <= WEBPUSH_BODY_MAX);
    cr_assert_eq(webpush_encrypt(browser_key, browser_auth, text,
                                 WEBPUSH_TEXT_MAX + 1, a),
                 0);
}

/* What browsers did not give: no point of the curve, too short, no base64. */
Test(webpush, bad_keys)
{
    char off_curve[sizeof(browser_key)];
    uint8_t body[WEBPUSH_BODY_MAX];

    memcpy(off_curve, browser_key, sizeof(browser_key));
    off_curve[40] = off_curve[40] == 'A' ? 'B' : 'A';
    cr_expect_eq(webpush_encrypt(off_curve, browser_auth, "x", 1, body), 0);
    cr_expect_eq(webpush_encrypt(browser_key + 4, browser_auth, "x", 1, body),
                 0);
    cr_expect_eq(webpush_encrypt(browser_key, "BTBZMqHH6r4", "x", 1, body), 0);
    cr_expect_eq(webpush_encrypt("", "", "x", 1, body), 0);
    cr_expect_eq(webpush_encrypt("!!", browser_auth, "x", 1, body), 0);
    cr_expect_neq(webpush_encrypt(browser_key, "BTBZMqHH6r4Tts7J_aSIgg==", "x",
                                  1, body),
                  0);
}

/* Whether SIGNED, "head.claims", has been signed with RS by the key KEY64. */
static bool verified(const char *text, size_t len, const uint8_t rs[64],
                     const char *key64)
{
    uint8_t point[65], der[80], *end = der;
    EVP_PKEY *key = NULL;
    char group[] = "prime256v1";

    cr_assert_eq(from_base64(key64, point, sizeof(point)), 65);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, 65),
        OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    cr_assert(EVP_PKEY_fromdata_init(ctx) == 1 &&
              EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) == 1);
    ECDSA_SIG *sig = ECDSA_SIG_new();
    ECDSA_SIG_set0(sig, BN_bin2bn(rs, 32, NULL), BN_bin2bn(rs + 32, 32, NULL));
    int n = i2d_ECDSA_SIG(sig, &end);
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    bool good = EVP_DigestVerifyInit_ex(md, NULL, "SHA256", NULL, NULL, key,
                                        NULL) == 1 &&
                EVP_DigestVerify(md, der, (size_t)n, (const uint8_t *)text,
                                 len) == 1;
    EVP_MD_CTX_free(md);
    ECDSA_SIG_free(sig);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
    return good;
}

/* What says who we are is a JWT of ES256 for that service, good for half a day,
 * signed by the key that browsers know; and always the same key of the same
 * secret. */
Test(webpush, authorization)
{
    char header[3000], key[WEBPUSH_KEY_SIZE], other[WEBPUSH_KEY_SIZE];
    char claims[1000] = "";
    uint8_t rs[64];

    webpush_key("a secret", key);
    webpush_key("another secret", other);
    cr_assert_str_neq(key, other);
    size_t len = webpush_authorization("a secret", "https://push.example",
                                       "mailto:a@b.c", 1000, header,
                                       sizeof(header));
    cr_assert_eq(len, strlen(header));
    cr_assert_eq(strncmp(header, "vapid t=", 8), 0);
    char *token = header + 8, *end = strstr(token, ", k=");
    cr_assert_not_null(end);
    cr_assert_str_eq(end + 4, key);
    *end = '\0';
    char *middle = strchr(token, '.'), *last = strrchr(token, '.');
    cr_assert_eq(from_base64(last + 1, rs, sizeof(rs)), 64);
    cr_assert(verified(token, (size_t)(last - token), rs, key));
    cr_assert(!verified(token, (size_t)(last - token), rs, other));
    *last = '\0';
    from_base64(middle + 1, (uint8_t *)claims, sizeof(claims) - 1);
    cr_assert_str_eq(claims, "{\"aud\":\"https://push.example\",\"exp\":44200,"
                             "\"sub\":\"mailto:a@b.c\"}");
    *middle = '\0';
    memset(claims, 0, sizeof(claims));
    from_base64(token, (uint8_t *)claims, sizeof(claims) - 1);
    cr_assert_str_eq(claims, "{\"typ\":\"JWT\",\"alg\":\"ES256\"}");
}
