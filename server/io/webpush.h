/* webpush.h -- what a browser's push service is given: a message that only the
 * browser can read (RFC 8291), and who we are (VAPID, RFC 8292).  With
 * OpenSSL's libcrypto alone. */

#ifndef SERVER_IO_WEBPUSH_H
#define SERVER_IO_WEBPUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEBPUSH_POINT  65 /* bytes of an uncompressed point of P-256 */
#define WEBPUSH_SCALAR 32
#define WEBPUSH_AUTH   16
#define WEBPUSH_SALT   16
/* A push service takes 4096 bytes at least: so much is left of them. */
#define WEBPUSH_TEXT_MAX 3992
#define WEBPUSH_BODY_MAX 4096
#define WEBPUSH_KEY_SIZE 88 /* a point in base64url, and the NUL */

/* The key by which browsers know us, of SECRET, a text that nobody else has:
 * as applicationServerKey wants it. */
void webpush_key(const char *secret, char ret[WEBPUSH_KEY_SIZE]);

/* The value of the header Authorization for the service at AUDIENCE, an origin;
 * CONTACT is where its operators may write to, mailto: or https:.  As
 * snprintf(). */
size_t webpush_authorization(const char *secret, const char *audience,
                             const char *contact, int64_t now_s, char *out,
                             size_t size);

/* Of one message: random, and no other message's. */
struct webpush_once {
    uint8_t scalar[WEBPUSH_SCALAR]; /* from 1 to the order - 1 */
    uint8_t salt[WEBPUSH_SALT];
};

/* Writes TEXT as a body that only the browser reads whose keys, base64url as it
 * gave them, are P256DH and AUTH, padded so that its length tells little.  Its
 * length, or 0 if the keys are none. */
size_t webpush_encrypt(const char *p256dh, const char *auth, const char *text,
                       size_t len, uint8_t out[WEBPUSH_BODY_MAX]);
/* The same with ONCE given, padded to PAD bytes at least: for tests. */
size_t webpush_encrypt_once(const char *p256dh, const char *auth,
                            const char *text, size_t len, size_t pad,
                            const struct webpush_once *once,
                            uint8_t out[WEBPUSH_BODY_MAX]);

#endif
