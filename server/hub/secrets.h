/* secrets.h -- keys that are made in the store, once, and are there for good.
 *
 * So whoever has the store has them: a backup, and all servers that share it.
 * They are read, or made, when one is first needed, and never told. */

#ifndef SERVER_HUB_SECRETS_H
#define SERVER_HUB_SECRETS_H

#include <stdbool.h>
#include <stdint.h>

#include "commands.h"
#include "core/sha256.h"

enum secret {
    SECRET_ADDRESSES, /* hashes of addresses are keyed with it */
    SECRET_NOTICES,   /* what ends mails of a kind, the key of Web Push */
    SECRETS
};

struct known_secret {
    bool known;
    uint8_t key[SHA256_SIZE];
};

/* Goes on with THEN when WHICH is known: at once if it is, or never, and Q is
 * refused, if the store cannot say. */
void secret_use(struct hub *hub, struct request *q, enum secret which,
                handler then);
/* HMAC-SHA-256 of LEN bytes, keyed with WHICH, which is known; LABEL keeps what
 * is hashed for one purpose from being good for another. */
void secret_hash(const struct hub *hub, enum secret which, const char *label,
                 const char *text, size_t len, uint8_t out[SHA256_SIZE]);

#endif
