#include "webpush.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"

#define RECORD      4096
#define TAG         16
#define HEADER      (WEBPUSH_SALT + 4 + 1 + WEBPUSH_POINT)
#define PAD_BLOCK   512
#define VALID_S     (12 * 3600) /* RFC 8292 allows a day */
#define HASH        32
#define SCALAR_WIDE 48 /* bytes that are spread evenly below the order */

/* ---- base64url -------------------------------------------------------- */

static void put_base64(char *out, size_t size, const void *data, size_t len)
{
    sodium_bin2base64(out, size, data, len,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* Exactly LEN bytes; padded or not, as browsers' code has it. */
static bool get_base64(const char *text, uint8_t *to, size_t len)
{
    size_t got = 0, chars = strlen(text);

    while (chars > 0 && text[chars - 1] == '=')
        chars--;
    return sodium_base642bin(to, len, text, chars, NULL, &got, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
           got == len;
}

/* ---- P-256 ------------------------------------------------------------ */

static void derive_key(const void *secret, size_t secret_len, const void *salt,
                       size_t salt_len, const void *info, size_t info_len,
                       uint8_t *out, size_t len)
{
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret,
                                          secret_len),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt,
                                          salt_len),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info,
                                          info_len),
        OSSL_PARAM_construct_end(),
    };

    ASSERT(ctx != NULL && EVP_KDF_derive(ctx, out, len, params) == 1);
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_free(kdf);
}

/* The point that belongs to SCALAR. */
static void point_of(const uint8_t scalar[WEBPUSH_SCALAR],
                     uint8_t point[WEBPUSH_POINT])
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *p = EC_POINT_new(group);
    BIGNUM *n = BN_bin2bn(scalar, WEBPUSH_SCALAR, NULL);

    ASSERT(p != NULL && n != NULL &&
           EC_POINT_mul(group, p, n, NULL, NULL, NULL) == 1 &&
           EC_POINT_point2oct(group, p, POINT_CONVERSION_UNCOMPRESSED, point,
                              WEBPUSH_POINT, NULL) == WEBPUSH_POINT);
    BN_clear_free(n);
    EC_POINT_free(p);
    EC_GROUP_free(group);
}

/* A key of POINT, with SCALAR if that is not NULL; NULL if there is none. */
static EVP_PKEY *key_of(const uint8_t point[WEBPUSH_POINT],
                        const uint8_t *scalar)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *n = scalar != NULL ? BN_bin2bn(scalar, WEBPUSH_SCALAR, NULL)
                               : NULL;
    EVP_PKEY *key = NULL;

    ASSERT(ctx != NULL && build != NULL);
    OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME,
                                    "prime256v1", 0);
    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point,
                                     WEBPUSH_POINT);
    if (n != NULL)
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, n);
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    if (EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &key,
                          n != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
                          params) != 1)
        key = NULL;
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    BN_clear_free(n);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

/* The scalar that belongs to WIDE: each nearly as likely as any other. */
static void scalar_of(const uint8_t wide[SCALAR_WIDE],
                      uint8_t scalar[WEBPUSH_SCALAR])
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *n = BN_bin2bn(wide, SCALAR_WIDE, NULL), *order = BN_new();

    ASSERT(group != NULL && ctx != NULL && n != NULL && order != NULL &&
           EC_GROUP_get_order(group, order, ctx) == 1 &&
           BN_sub_word(order, 1) == 1 && BN_mod(n, n, order, ctx) == 1 &&
           BN_add_word(n, 1) == 1 &&
           BN_bn2binpad(n, scalar, WEBPUSH_SCALAR) == WEBPUSH_SCALAR);
    BN_clear_free(n);
    BN_free(order);
    BN_CTX_free(ctx);
    EC_GROUP_free(group);
}

/* ---- who we are: RFC 8292 --------------------------------------------- */

static void own_key(const char *secret, uint8_t scalar[WEBPUSH_SCALAR],
                    uint8_t point[WEBPUSH_POINT])
{
    static const char info[] = "sobremesa web push key";
    uint8_t wide[SCALAR_WIDE];

    derive_key(secret, strlen(secret), "", 0, info, sizeof(info) - 1, wide,
               sizeof(wide));
    scalar_of(wide, scalar);
    point_of(scalar, point);
    sodium_memzero(wide, sizeof(wide));
}

void webpush_key(const char *secret, char ret[WEBPUSH_KEY_SIZE])
{
    uint8_t scalar[WEBPUSH_SCALAR], point[WEBPUSH_POINT];

    own_key(secret, scalar, point);
    put_base64(ret, WEBPUSH_KEY_SIZE, point, sizeof(point));
    sodium_memzero(scalar, sizeof(scalar));
}

/* ES256: r and s, 32 bytes each; OpenSSL has them as DER. */
static void sign(EVP_PKEY *key, const char *text, size_t len, uint8_t rs[64])
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    uint8_t der[80];
    size_t der_len = sizeof(der);

    ASSERT(ctx != NULL &&
           EVP_DigestSignInit_ex(ctx, NULL, "SHA256", NULL, NULL, key, NULL) ==
               1 &&
           EVP_DigestSign(ctx, der, &der_len, (const uint8_t *)text, len) ==
               1);
    const uint8_t *at = der;
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &at, (long)der_len);
    ASSERT(sig != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(sig), rs, 32) == 32 &&
           BN_bn2binpad(ECDSA_SIG_get0_s(sig), rs + 32, 32) == 32);
    ECDSA_SIG_free(sig);
    EVP_MD_CTX_free(ctx);
}

size_t webpush_authorization(const char *secret, const char *audience,
                             const char *contact, int64_t now_s, char *out,
                             size_t size)
{
    static const char head[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    char claims[1024], head64[64], claims64[1400], text[1500], key64[88];
    uint8_t scalar[WEBPUSH_SCALAR], point[WEBPUSH_POINT], rs[64];
    char rs64[88];

    /* Neither has a character that JSON would have to escape: the guard and the
     * configuration say so. */
    int n = snprintf(claims, sizeof(claims),
                     "{\"aud\":\"%s\",\"exp\":%lld,\"sub\":\"%s\"}", audience,
                     (long long)now_s + VALID_S, contact);
    ASSERT(n > 0 && (size_t)n < sizeof(claims));
    own_key(secret, scalar, point);
    EVP_PKEY *key = key_of(point, scalar);
    ASSERT(key != NULL);
    put_base64(head64, sizeof(head64), head, sizeof(head) - 1);
    put_base64(claims64, sizeof(claims64), claims, (size_t)n);
    n = snprintf(text, sizeof(text), "%s.%s", head64, claims64);
    sign(key, text, (size_t)n, rs);
    put_base64(rs64, sizeof(rs64), rs, sizeof(rs));
    put_base64(key64, sizeof(key64), point, sizeof(point));
    EVP_PKEY_free(key);
    sodium_memzero(scalar, sizeof(scalar));
    return (size_t)snprintf(out, size, "vapid t=%s.%s, k=%s", text, rs64,
                            key64);
}

/* ---- what only the browser reads: RFC 8291, 8188 ----------------------- */

/* What both know: of our SCALAR and THEIRS.  False if that is no point. */
static bool share(const uint8_t scalar[WEBPUSH_SCALAR],
                  const uint8_t ours[WEBPUSH_POINT],
                  const uint8_t theirs[WEBPUSH_POINT], uint8_t out[HASH])
{
    EVP_PKEY *key = key_of(ours, scalar), *peer = key_of(theirs, NULL);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    size_t len = HASH;

    bool good = ctx != NULL && peer != NULL &&
                EVP_PKEY_derive_init(ctx) == 1 &&
                EVP_PKEY_derive_set_peer(ctx, peer) == 1 &&
                EVP_PKEY_derive(ctx, out, &len) == 1 && len == HASH;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(peer);
    EVP_PKEY_free(key);
    return good;
}

static void seal(const uint8_t key[16], const uint8_t nonce[12],
                 const uint8_t *text, size_t len, uint8_t *out)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int n;

    ASSERT(
        ctx != NULL &&
        EVP_EncryptInit_ex2(ctx, EVP_aes_128_gcm(), key, nonce, NULL) == 1 &&
        EVP_EncryptUpdate(ctx, out, &n, text, (int)len) == 1 &&
        EVP_EncryptFinal_ex(ctx, out + n, &n) == 1 &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, TAG, out + len) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

/* The key and the nonce of a message. */
static void message_keys(const uint8_t shared[HASH], const uint8_t *auth,
                         const uint8_t theirs[WEBPUSH_POINT],
                         const uint8_t ours[WEBPUSH_POINT],
                         const uint8_t salt[WEBPUSH_SALT], uint8_t key[16],
                         uint8_t nonce[12])
{
    static const char info[] = "WebPush: info";
    static const char key_info[] = "Content-Encoding: aes128gcm";
    static const char nonce_info[] = "Content-Encoding: nonce";
    uint8_t who[sizeof(info) + 2 * WEBPUSH_POINT], ikm[HASH];

    memcpy(who, info, sizeof(info)); /* these with their NUL */
    memcpy(who + sizeof(info), theirs, WEBPUSH_POINT);
    memcpy(who + sizeof(info) + WEBPUSH_POINT, ours, WEBPUSH_POINT);
    derive_key(shared, HASH, auth, WEBPUSH_AUTH, who, sizeof(who), ikm,
               sizeof(ikm));
    derive_key(ikm, HASH, salt, WEBPUSH_SALT, key_info, sizeof(key_info), key,
               16);
    derive_key(ikm, HASH, salt, WEBPUSH_SALT, nonce_info, sizeof(nonce_info),
               nonce, 12);
    sodium_memzero(ikm, sizeof(ikm));
}

size_t webpush_encrypt_once(const char *p256dh, const char *auth,
                            const char *text, size_t len, size_t pad,
                            const struct webpush_once *once,
                            uint8_t out[WEBPUSH_BODY_MAX])
{
    uint8_t theirs[WEBPUSH_POINT], their_auth[WEBPUSH_AUTH], shared[HASH];
    uint8_t ours[WEBPUSH_POINT], key[16], nonce[12];
    uint8_t plain[WEBPUSH_TEXT_MAX + 1] = {0};

    ASSERT(len <= WEBPUSH_TEXT_MAX && pad <= WEBPUSH_TEXT_MAX);
    point_of(once->scalar, ours);
    if (!get_base64(p256dh, theirs, sizeof(theirs)) ||
        !get_base64(auth, their_auth, sizeof(their_auth)) ||
        !share(once->scalar, ours, theirs, shared))
        return 0;
    message_keys(shared, their_auth, theirs, ours, once->salt, key, nonce);
    memcpy(plain, text, len);
    plain[len] = 2; /* the last record; noughts follow */
    size_t plain_len = (len > pad ? len : pad) + 1;
    memcpy(out, once->salt, WEBPUSH_SALT);
    memcpy(out + WEBPUSH_SALT, (uint8_t[]){0, 0, RECORD >> 8, RECORD & 0xff},
           4);
    out[WEBPUSH_SALT + 4] = WEBPUSH_POINT;
    memcpy(out + WEBPUSH_SALT + 5, ours, WEBPUSH_POINT);
    seal(key, nonce, plain, plain_len, out + HEADER);
    sodium_memzero(key, sizeof(key));
    sodium_memzero(shared, sizeof(shared));
    return HEADER + plain_len + TAG;
}

size_t webpush_encrypt(const char *p256dh, const char *auth, const char *text,
                       size_t len, uint8_t out[WEBPUSH_BODY_MAX])
{
    struct webpush_once once;
    uint8_t wide[SCALAR_WIDE];
    size_t pad = (len + PAD_BLOCK - 1) / PAD_BLOCK * PAD_BLOCK;

    if (len > WEBPUSH_TEXT_MAX)
        return 0;
    randombytes_buf(wide, sizeof(wide));
    scalar_of(wide, once.scalar);
    randombytes_buf(once.salt, sizeof(once.salt));
    size_t n = webpush_encrypt_once(p256dh, auth, text, len,
                                    pad > WEBPUSH_TEXT_MAX ? WEBPUSH_TEXT_MAX
                                                           : pad,
                                    &once, out);
    sodium_memzero(&once, sizeof(once));
    return n;
}
