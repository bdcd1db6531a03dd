#include "tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base.h"
#include "lang.h"
#include "memory.h"
#include "protocol/sbuf_printf.h"

#define NAMES_MAX 3 /* of a certificate that are told */

struct tls_trust {
    SSL_CTX *context;
};

struct tls {
    SSL *ssl;
    BIO *in, *out; /* the SSL's own */
    enum tls_state state;
    bool heard; /* something came */
    char host[256];
    char why[TLS_WHY_MAX];
    uint8_t *unsent; /* said while the server wants another handshake */
    size_t unsent_len, unsent_cap;
};

/* ---- what is wrong with a certificate ------------------------------------ */

/* Adds NAME, which a stranger wrote, as far as it is one; whole or not. */
static void add_name(struct sbuf *s, const char *name, size_t len)
{
    size_t before = s->len;

    for (size_t i = 0; i < len; i++)
        if (name[i] <= ' ' || name[i] > '~')
            return;
    if (len > 0)
        sbuf_printf(s, "%s%.*s", before > 0 ? ", " : "", (int)len, name);
    if (!sbuf_fits(s))
        sbuf_cut(s, before);
}

/* The hosts that CERTIFICATE is for, the first of them; "" if it tells none. */
static void say_names(X509 *certificate, char *buf, size_t cap)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name,
                                            NULL, NULL);
    int count = sk_GENERAL_NAME_num(names); /* -1: there are none */
    struct sbuf s = sbuf_in(buf, cap);
    char text[INET6_ADDRSTRLEN];

    for (int i = 0; i < count && i < NAMES_MAX; i++) {
        int type;
        const ASN1_STRING *name =
            GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, i), &type);
        if (type != GEN_DNS && type != GEN_IPADD)
            continue;
        const char *data = (const char *)ASN1_STRING_get0_data(name);
        size_t len = (size_t)ASN1_STRING_length(name);
        if (type == GEN_DNS)
            add_name(&s, data, len);
        else if ((len == 4 || len == 16) &&
                 inet_ntop(len == 4 ? AF_INET : AF_INET6, data, text,
                           sizeof(text)) != NULL)
            add_name(&s, text, strlen(text));
    }
    if (count > NAMES_MAX)
        add_name(&s, "...", 3);
    GENERAL_NAMES_free(names);
}

/* "2026-11-22" */
static void say_day(const ASN1_TIME *time, char *buf, size_t cap)
{
    struct tm tm;

    if (ASN1_TIME_to_tm(time, &tm) != 1 ||
        strftime(buf, cap, "%Y-%m-%d", &tm) == 0)
        (void)snprintf(buf, cap, "?");
}

static void say_unfit(struct tls *t, X509_STORE_CTX *store)
{
    int error = X509_STORE_CTX_get_error(store);
    X509 *certificate = X509_STORE_CTX_get_current_cert(store);
    char text[200] = "";

    switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
        say_day(X509_get0_notAfter(certificate), text, sizeof(text));
        (void)snprintf(t->why, sizeof(t->why),
                       _("The certificate of %.200s has expired, on %.20s."),
                       t->host, text);
        return;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        say_day(X509_get0_notBefore(certificate), text, sizeof(text));
        (void)
            snprintf(t->why, sizeof(t->why),
                     _("The certificate of %.200s is good only from %.20s on: "
                       "is the clock of this computer right?"),
                     t->host, text);
        return;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        if (certificate != NULL)
            say_names(certificate, text, sizeof(text));
        (void)snprintf(t->why, sizeof(t->why),
                       _("The certificate is not for %.160s%s%s."), t->host,
                       text[0] != '\0' ? _(", but for ") : "", text);
        return;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        (void)snprintf(
            t->why, sizeof(t->why),
            _("The issuer of the certificate of %.160s is not trusted "
              "here (see --ca-file)."),
            t->host);
        return;
    default:
        (void)snprintf(t->why, sizeof(t->why),
                       _("The certificate of %.160s will not do: %.160s."),
                       t->host, X509_verify_cert_error_string(error));
    }
}

/* Called for each certificate of the chain; the first that is wrong counts. */
static int on_certificate(int good, X509_STORE_CTX *store)
{
    SSL *ssl =
        X509_STORE_CTX_get_ex_data(store,
                                   SSL_get_ex_data_X509_STORE_CTX_idx());
    struct tls *t = SSL_get_app_data(ssl);

    if (good == 0 && t->why[0] == '\0')
        say_unfit(t, store);
    return good;
}

/* ---- whom to trust ----------------------------------------------------- */

/* A certificate has no password: nobody is asked for one. */
static int no_password(char *buf, int size, int writing, void *context)
{
    (void)buf;
    (void)size;
    (void)writing;
    (void)context;
    return -1;
}

/* Adds all certificates of FILE; how many, or -1 if one of them is none. */
static int add_certificates(X509_STORE *store, FILE *file)
{
    BIO *bio = BIO_new_fp(file, BIO_NOCLOSE);
    int count = 0;

    ERR_clear_error();
    for (;;) {
        X509 *certificate = PEM_read_bio_X509_AUX(bio, NULL, no_password,
                                                  NULL);
        if (certificate == NULL)
            break;
        int added = X509_STORE_add_cert(store, certificate);
        X509_free(certificate);
        if (added != 1)
            break;
        count++;
    }
    unsigned long error = ERR_peek_last_error();
    bool end = ERR_GET_LIB(error) == ERR_LIB_PEM &&
               ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
    ERR_clear_error();
    BIO_free(bio);
    return end ? count : -1;
}

static bool add_ca_file(X509_STORE *store, const char *path, char *why)
{
    FILE *file = fopen(path, "re");
    int first = file != NULL ? getc(file) : EOF;

    if (file == NULL || ferror(file) != 0) {
        (void)snprintf(why, TLS_WHY_MAX, "%.300s: %s", path, strerror(errno));
        if (file != NULL)
            (void)fclose(file);
        return false;
    }
    (void)ungetc(first, file);
    int count = add_certificates(store, file);
    (void)fclose(file);
    if (count > 0)
        return true;
    (void)snprintf(why, TLS_WHY_MAX,
                   count == 0
                       ? _("%.300s: there is no certificate in it (PEM)")
                       : _("%.300s: a certificate in it is damaged"),
                   path);
    return false;
}

struct tls_trust *tls_trust_new(const char *ca_file, char *why)
{
    struct tls_trust *trust = must_alloc(sizeof(*trust));
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());

    trust->context = context;
    if (context == NULL ||
        SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_default_verify_paths(context) != 1) {
        (void)snprintf(why, TLS_WHY_MAX, _("TLS is out of order here: %s"),
                       ERR_reason_error_string(ERR_peek_error()));
        tls_trust_free(trust);
        return NULL;
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, on_certificate);
    (void)SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    X509_VERIFY_PARAM *param = SSL_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_hostflags(param,
                                    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    /* What stands in CA_FILE need not be a root: it may as well be the
     * certificate of the server itself. */
    (void)X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_PARTIAL_CHAIN);
    if (ca_file != NULL &&
        !add_ca_file(SSL_CTX_get_cert_store(context), ca_file, why)) {
        tls_trust_free(trust);
        return NULL;
    }
    return trust;
}

void tls_trust_free(struct tls_trust *trust)
{
    if (trust == NULL)
        return;
    SSL_CTX_free(trust->context);
    free(trust);
}

/* ---- a connection ------------------------------------------------------- */

/* What came of a call that has not done what it should. */
static void judge(struct tls *t, int result)
{
    const char *reason;

    switch (SSL_get_error(t->ssl, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return; /* when more has come */
    case SSL_ERROR_ZERO_RETURN: t->state = TLS_CLOSED; return;
    default: break;
    }
    t->state = TLS_FAILED;
    reason = ERR_reason_error_string(ERR_peek_error());
    if (t->why[0] == '\0')
        (void)snprintf(t->why, sizeof(t->why),
                       _("TLS with %.200s fails: %.120s."), t->host,
                       reason != NULL ? reason : _("no reason given"));
    ERR_clear_error();
}

static void shake(struct tls *t)
{
    ERR_clear_error();
    int result = SSL_do_handshake(t->ssl);
    if (result == 1)
        t->state = TLS_OPEN;
    else
        judge(t, result);
}

/* While the server wants another handshake nothing can be said. */
static void push(struct tls *t)
{
    size_t n = 0;

    if (t->state != TLS_OPEN || t->unsent_len == 0)
        return;
    ERR_clear_error();
    int result = SSL_write_ex(t->ssl, t->unsent, t->unsent_len, &n);
    if (result != 1) {
        judge(t, result);
        return;
    }
    ASSERT(n == t->unsent_len); /* all or nothing */
    t->unsent_len = 0;
}

/* The name goes to the server in the clear, so that one that has several can
 * choose; an address does not. */
static bool set_host(SSL *ssl, const char *host)
{
    unsigned char address[sizeof(struct in6_addr)];

    if (inet_pton(AF_INET, host, address) == 1 ||
        inet_pton(AF_INET6, host, address) == 1)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
    return SSL_set1_host(ssl, host) == 1 &&
           SSL_set_tlsext_host_name(ssl, host) == 1;
}

struct tls *tls_new(struct tls_trust *trust, const char *host)
{
    static const unsigned char alpn[] = "\x08http/1.1";
    struct tls *t = must_alloc(sizeof(*t));

    ASSERT(host[0] != '\0'); /* OpenSSL would take that for any host */
    ASSERT(strlen(host) < sizeof(t->host));
    (void)snprintf(t->host, sizeof(t->host), "%s", host);
    t->ssl = SSL_new(trust->context);
    t->in = BIO_new(BIO_s_mem());
    t->out = BIO_new(BIO_s_mem());
    if (t->ssl == NULL || t->in == NULL || t->out == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    SSL_set_bio(t->ssl, t->in, t->out);
    (void)SSL_set_app_data(t->ssl, t);
    SSL_set_connect_state(t->ssl);
    if (!set_host(t->ssl, host) ||
        SSL_set_alpn_protos(t->ssl, alpn, sizeof(alpn) - 1) != 0)
        core_panic(__FILE__, __LINE__, "a host that TLS does not take");
    shake(t);
    return t;
}

void tls_free(struct tls *t)
{
    if (t == NULL)
        return;
    SSL_free(t->ssl); /* with what came and is to be sent */
    free(t->unsent);
    free(t);
}

enum tls_state tls_state(const struct tls *t)
{
    return t->state;
}

const char *tls_why(const struct tls *t)
{
    return t->why;
}

void tls_feed(struct tls *t, const void *data, size_t len)
{
    ASSERT(len <= INT32_MAX);
    if (len == 0 || t->state == TLS_CLOSED || t->state == TLS_FAILED)
        return;
    /* Whoever speaks TLS begins with a handshake or an alert. */
    uint8_t first = *(const uint8_t *)data;
    if (!t->heard && first != SSL3_RT_HANDSHAKE && first != SSL3_RT_ALERT) {
        (void)snprintf(t->why, sizeof(t->why),
                       _("%.200s speaks no TLS at this port."), t->host);
        t->state = TLS_FAILED;
        return;
    }
    t->heard = true;
    if (BIO_write(t->in, data, (int)len) != (int)len)
        core_panic(__FILE__, __LINE__, "out of memory");
    if (t->state == TLS_SHAKING)
        shake(t);
}

size_t tls_read(struct tls *t, void *buf, size_t cap)
{
    size_t n = 0;

    if (t->state != TLS_OPEN)
        return 0;
    ERR_clear_error();
    int result = SSL_read_ex(t->ssl, buf, cap, &n);
    if (result != 1)
        judge(t, result);
    push(t);
    return result == 1 ? n : 0;
}

void tls_write(struct tls *t, const void *data, size_t len)
{
    if (t->state != TLS_OPEN || len == 0)
        return;
    t->unsent = must_grow(t->unsent, t->unsent_len + len, &t->unsent_cap, 1);
    memcpy(t->unsent + t->unsent_len, data, len);
    t->unsent_len += len;
    push(t);
}

void tls_close(struct tls *t)
{
    if (t->state != TLS_OPEN && t->state != TLS_CLOSED)
        return;
    ERR_clear_error();
    (void)SSL_shutdown(t->ssl); /* its answer is not waited for */
    ERR_clear_error();
}

size_t tls_take(struct tls *t, void *buf, size_t cap)
{
    int n = BIO_read(t->out, buf, cap < INT32_MAX ? (int)cap : INT32_MAX);
    return n > 0 ? (size_t)n : 0;
}
