/* secrets.c -- see secrets.h. */

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>

#include "inner.h"

static const char *const names[SECRETS] = {
    [SECRET_ADDRESSES] = "addresses",
    [SECRET_NOTICES] = "notices",
};

#define HEX_CHARS (2 * SHA256_SIZE)

static void go_on(struct hub *hub, struct request *q)
{
    hub->secrets[q->secret.which].known = true;
    q->secret.then(hub, q);
}

static void secret_stored(struct hub *hub, struct request *q)
{
    memcpy(hub->secrets[q->secret.which].key, q->secret.made, SHA256_SIZE);
    go_on(hub, q);
}

static void make(struct hub *hub, struct request *q)
{
    char hex[HEX_CHARS + 1] = "";
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_SECRET);

    hub->host->random(hub->host, q->secret.made, SHA256_SIZE);
    hex_write(hex, q->secret.made, SHA256_SIZE);
    op->u.secret.name = names[q->secret.which];
    op->u.secret.value = change_text(c, hex);
    q->conflict = ERR_CONTENDED; /* somebody else made it */
    change_submit(c, secret_stored);
}

static void secret_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct known_secret *s = &hub->secrets[q->secret.which];

    if (answer->text == NULL)
        make(hub, q);
    else if (!hex_read(s->key, answer->text, SHA256_SIZE))
        refuse(hub, q, ERR_INTERNAL);
    else
        go_on(hub, q);
}

void secret_use(struct hub *hub, struct request *q, enum secret which,
                handler then)
{
    struct question ask = {.kind = ASK_SECRET, .u.name = names[which]};

    q->secret.which = which;
    q->secret.then = then;
    if (hub->secrets[which].known)
        then(hub, q);
    else
        hub_ask(hub, q, &ask, secret_found);
}

void secret_hash(const struct hub *hub, enum secret which, const char *label,
                 const char *text, size_t len, uint8_t out[SHA256_SIZE])
{
    uint8_t said[512];
    size_t n = strlen(label) + 1;

    ASSERT(hub->secrets[which].known && n + len <= sizeof(said));
    memcpy(said, label, n);
    memcpy(said + n, text, len);
    ASSERT(HMAC(EVP_sha256(), hub->secrets[which].key, SHA256_SIZE, said,
                n + len, out, NULL) != NULL);
}
