/* test_tls.c -- TLS as the terminal client speaks it, against OpenSSL's server
 * in the same process: in pieces of any size, with whatever the server may want
 * of an open connection.  Whom it trusts is tried in test_wss.py. */

#include <criterion/criterion.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../clients/common/tls.h"

#define BIG 300000

struct pair {
    struct tls_trust *trust;
    struct tls *client;
    SSL_CTX *context;
    SSL *server;
    BIO *to, *from;
    size_t step; /* bytes that come at once */
    char *heard; /* by the client */
    size_t heard_len;
};

/* A certificate for localhost, signed by itself, and a file that has it. */
static void make_certificate(SSL_CTX *context, char *path)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *x = X509_new();
    X509_NAME *name = X509_get_subject_name(x);

    X509_set_version(x, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
    X509_gmtime_adj(X509_getm_notBefore(x), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x), 3600);
    X509_set_pubkey(x, key);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               (const unsigned char *)"localhost", -1, -1, 0);
    X509_set_issuer_name(x, name);
    cr_assert_gt(X509_sign(x, key, EVP_sha256()), 0);
    cr_assert_eq(SSL_CTX_use_certificate(context, x), 1);
    cr_assert_eq(SSL_CTX_use_PrivateKey(context, key), 1);
    FILE *file = fdopen(mkstemp(path), "w");
    cr_assert_eq(PEM_write_X509(file, x), 1);
    fclose(file);
    X509_free(x);
    EVP_PKEY_free(key);
}

static void pair_init(struct pair *p, int version, size_t step)
{
    char path[] = "/tmp/test_tls.XXXXXX", why[TLS_WHY_MAX];

    *p = (struct pair){.step = step};
    p->context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_max_proto_version(p->context, version);
    make_certificate(p->context, path);
    p->server = SSL_new(p->context);
    p->to = BIO_new(BIO_s_mem());
    p->from = BIO_new(BIO_s_mem());
    SSL_set_bio(p->server, p->to, p->from);
    SSL_set_accept_state(p->server);
    p->trust = tls_trust_new(path, why);
    cr_assert_not_null(p->trust, "%s", why);
    unlink(path);
    p->client = tls_new(p->trust, "localhost");
    /* Connections outlive it. */
    tls_trust_free(p->trust);
    p->heard = malloc(BIG * 2);
}

static void pair_done(struct pair *p)
{
    tls_free(p->client);
    SSL_free(p->server);
    SSL_CTX_free(p->context);
    free(p->heard);
}

/* What the server has said goes to the client; whether there was anything. */
static bool down(struct pair *p)
{
    char some[20000];
    bool any = false;

    for (;;) {
        int n = BIO_read(p->from, some,
                         p->step < sizeof(some) ? (int)p->step
                                                : (int)sizeof(some));
        if (n <= 0)
            return any;
        any = true;
        tls_feed(p->client, some, (size_t)n);
        for (size_t got = 1; got > 0;) {
            got = tls_read(p->client, p->heard + p->heard_len,
                           BIG * 2 - p->heard_len);
            p->heard_len += got;
        }
    }
}

/* The other way. */
static bool up(struct pair *p)
{
    char some[20000];
    bool any = false;

    for (;;) {
        size_t n = tls_take(p->client, some,
                            p->step < sizeof(some) ? p->step : sizeof(some));
        if (n == 0)
            return any;
        any = true;
        BIO_write(p->to, some, (int)n);
    }
}

/* Both ways until nobody has anything to say.  The server looks at what came,
 * which does what TLS wants of it, and reads none of it. */
static void settle(struct pair *p)
{
    char first;
    size_t n;

    for (bool more = true; more;) {
        more = up(p);
        (void)SSL_peek_ex(p->server, &first, 1, &n);
        more = down(p) || more;
    }
}

static void serve(struct pair *p, const char *text, size_t len)
{
    size_t n;
    cr_assert_eq(SSL_write_ex(p->server, text, len, &n), 1);
    cr_assert_eq(n, len);
}

static void hears(struct pair *p, const char *text, size_t len)
{
    cr_assert_eq(p->heard_len, len);
    cr_assert(memcmp(p->heard, text, len) == 0);
    p->heard_len = 0;
}

/* Reads LEN bytes at the server, which have to be TEXT. */
static void served(struct pair *p, const char *text, size_t len)
{
    char *buf = malloc(len + 1);
    size_t at = 0, n;

    while (at < len && SSL_read_ex(p->server, buf + at, len - at, &n) == 1)
        at += n;
    cr_assert_eq(at, len);
    cr_assert(memcmp(buf, text, len) == 0);
    free(buf);
}

static char *big(void)
{
    char *text = malloc(BIG);
    for (size_t i = 0; i < BIG; i++)
        text[i] = (char)('a' + i * 7 % 26);
    return text;
}

/* Large messages go both ways, however the bytes come. */
Test(tls, pieces)
{
    static const size_t steps[] = {1, 2, 5, 1000, 16389, 20000};
    static const int versions[] = {TLS1_2_VERSION, TLS1_3_VERSION};
    char *text = big();

    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) * 2; i++) {
        struct pair p;
        pair_init(&p, versions[i % 2], steps[i / 2]);
        cr_assert_eq(tls_state(p.client), TLS_SHAKING);
        settle(&p);
        cr_assert_eq(tls_state(p.client), TLS_OPEN, "%s", tls_why(p.client));
        cr_assert_eq(SSL_version(p.server), versions[i % 2]);
        cr_assert_str_eq(SSL_get_servername(p.server,
                                            TLSEXT_NAMETYPE_host_name),
                         "localhost");
        tls_write(p.client, "hello", 5);
        tls_write(p.client, text, BIG);
        settle(&p);
        served(&p, "hello", 5);
        served(&p, text, BIG);
        serve(&p, text, BIG);
        serve(&p, "!", 1);
        settle(&p);
        cr_assert_eq(p.heard[p.heard_len - 1], '!');
        p.heard_len--;
        hears(&p, text, BIG);
        pair_done(&p);
    }
    free(text);
}

/* The server wants another handshake: what is said meanwhile comes after it,
 * whole and in order. */
Test(tls, renegotiation)
{
    struct pair p;
    pair_init(&p, TLS1_2_VERSION, 100);
    settle(&p);
    tls_write(p.client, "one ", 4);
    settle(&p);
    served(&p, "one ", 4);

    cr_assert_eq(SSL_renegotiate(p.server), 1);
    SSL_do_handshake(p.server); /* asks for it */
    down(&p);
    cr_assert_eq(tls_state(p.client), TLS_OPEN);
    tls_write(p.client, "two ", 4);
    tls_write(p.client, "three", 5);
    settle(&p);
    cr_assert_eq(tls_state(p.client), TLS_OPEN, "%s", tls_why(p.client));
    served(&p, "two three", 9);
    serve(&p, "four", 4);
    settle(&p);
    hears(&p, "four", 4);
    pair_done(&p);
}

/* New keys under TLS 1.3, and tickets, pass without being noticed. */
Test(tls, new_keys)
{
    struct pair p;
    pair_init(&p, TLS1_3_VERSION, 3);
    settle(&p);
    cr_assert_eq(SSL_key_update(p.server, SSL_KEY_UPDATE_REQUESTED), 1);
    serve(&p, "after it", 8);
    settle(&p);
    hears(&p, "after it", 8);
    cr_assert_eq(SSL_new_session_ticket(p.server), 1);
    serve(&p, "and more", 8);
    settle(&p);
    hears(&p, "and more", 8);
    tls_write(p.client, "so it is", 8);
    settle(&p);
    served(&p, "so it is", 8);
    pair_done(&p);
}

/* Whoever ends it says so, and is told so. */
Test(tls, the_end)
{
    struct pair p;
    char none;
    size_t n;

    pair_init(&p, TLS1_3_VERSION, 1000);
    settle(&p);
    tls_close(p.client);
    settle(&p);
    cr_assert_eq(SSL_read_ex(p.server, &none, 1, &n), 0);
    cr_assert_eq(SSL_get_error(p.server, 0), SSL_ERROR_ZERO_RETURN);
    pair_done(&p);

    pair_init(&p, TLS1_2_VERSION, 1000);
    settle(&p);
    serve(&p, "last", 4);
    SSL_shutdown(p.server);
    settle(&p);
    hears(&p, "last", 4);
    cr_assert_eq(tls_state(p.client), TLS_CLOSED);
    tls_write(p.client, "too late", 8);
    tls_feed(p.client, "too late", 8);
    tls_close(p.client);
    settle(&p);
    cr_assert_eq(SSL_read_ex(p.server, &none, 1, &n), 0);
    cr_assert_eq(SSL_get_error(p.server, 0), SSL_ERROR_ZERO_RETURN);
    pair_done(&p);
}

/* A byte that was changed on the way ends it, with a reason; nothing of the
 * record is heard. */
Test(tls, changed)
{
    for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
        struct pair p;
        char some[1000];
        pair_init(&p, version, 1000);
        settle(&p);
        serve(&p, "pay 1 to ana", 12);
        int n = BIO_read(p.from, some, sizeof(some));
        some[n - 3] ^= 1;
        tls_feed(p.client, some, (size_t)n);
        cr_assert_eq(tls_read(p.client, p.heard, BIG), 0);
        cr_assert_eq(tls_state(p.client), TLS_FAILED);
        cr_assert(strstr(tls_why(p.client), "TLS with localhost fails: "));
        cr_assert_gt(tls_take(p.client, some, sizeof(some)), 0);
        tls_close(p.client);
        cr_assert_eq(tls_take(p.client, some, sizeof(some)), 0);
        pair_done(&p);
    }
}
