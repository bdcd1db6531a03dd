/* tls.h -- TLS 1.2 and later for one connection, as its client: bytes in and
 * out, without a socket.
 *
 *     what came          -> tls_feed()   -> tls_read()  -> what was said
 *     what is to be said -> tls_write()  -> tls_take()  -> what is to be sent
 *
 *     tls_new() -> shaking hands -> open -> closed, or failed
 *
 * After each of these calls there may be something to send: the handshake goes
 * on by itself, and so does what the server may want of an open connection.
 *
 * The certificate is always looked at: that somebody trusted has issued it,
 * that its time has come and not gone, and that it is for this host.  There is
 * no way to leave that out.  What is wrong is told as a sentence. */

#ifndef COMMON_TLS_H
#define COMMON_TLS_H

#include <stddef.h>

#define TLS_WHY_MAX 400

/* Whom to trust: for all connections to a server. */
struct tls_trust;

/* Trusts whom the system trusts (or what SSL_CERT_FILE and SSL_CERT_DIR name
 * instead), and the certificates in CA_FILE, PEM, if that is not NULL.  NULL
 * with WHY (TLS_WHY_MAX) filled in if that file will not do. */
struct tls_trust *tls_trust_new(const char *ca_file, char *why);
/* Connections may outlive it.  NULL is fine. */
void tls_trust_free(struct tls_trust *trust);

enum tls_state {
    TLS_SHAKING, /* hands; nothing can be said yet */
    TLS_OPEN,
    TLS_CLOSED, /* by the server, as it should be done */
    TLS_FAILED  /* see tls_why(); what is to be sent tells the server */
};

struct tls;

/* Begins the handshake with HOST, a name or an IP address without brackets. */
struct tls *tls_new(struct tls_trust *trust, const char *host);
/* NULL is fine. */
void tls_free(struct tls *t);

enum tls_state tls_state(const struct tls *t);
/* Why it has failed: a sentence. */
const char *tls_why(const struct tls *t);

/* Takes what came from the server; then call tls_read() until it has no more,
 * and only then look at the state. */
void tls_feed(struct tls *t, const void *data, size_t len);
/* What the server said: how many of at most CAP bytes it put into BUF; 0 if
 * there are none now. */
size_t tls_read(struct tls *t, void *buf, size_t cap);

/* Says something; only while open, otherwise nobody hears it. */
void tls_write(struct tls *t, const void *data, size_t len);
/* Says that this was all; nothing may be written after it. */
void tls_close(struct tls *t);
/* What is to be sent, as tls_read(). */
size_t tls_take(struct tls *t, void *buf, size_t cap);

#endif
