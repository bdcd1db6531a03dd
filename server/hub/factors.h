/* factors.h -- second factors: what an account asks for besides its password. */

#ifndef SERVER_HUB_FACTORS_H
#define SERVER_HUB_FACTORS_H

#include "change.h"
#include "map.h"
#include "peer.h"
#include "request.h"

/* A code that was right, to be used up. */
struct factor_use {
    enum { FACTOR_NONE, FACTOR_TOTP, FACTOR_RECOVERY } by;
    uint64_t step; /* of a code by time, ... */
    int64_t made;  /* ... and the key it was by */
    uint8_t recovery[SHA256_SIZE];
};

/* Asks what is known of ACCOUNT's factors, and of Q's `code` and `device`. */
void factors_ask(struct hub *hub, struct request *q, id_num account,
                 answered_cb then);
/* Whether a log-in needs a code. */
bool factors_on(const struct factors *f);
/* Whether Q's `code` is one of ACCOUNT's, who is called NAME; it is put into USE
 * then, else Q is refused.
 * Each try takes one from those that may be wrong; factor_forgiven() gives it
 * back. */
bool factor_judge(struct hub *hub, struct request *q, id_num account,
                  const char *name, const struct factors *f,
                  struct factor_use *use);
void factor_forgiven(struct hub *hub, id_num account);
/* Has C use it up: a conflict if somebody was faster. */
void factor_put(struct change *c, id_num account,
                const struct factor_use *use);
/* The member `totp` of one's own account. */
void factors_write(struct json_out *o, const struct factors *f);

/* What ACCOUNT has left, in MAP; it is full if nothing was known of it. */
struct account_bucket {
    id_num account;
    struct bucket bucket;
};
struct bucket *account_bucket(struct map *map, id_num account);
/* Those that are full again, as each is FULL_MS after its last use, go. */
void account_buckets_forget(struct map *map, int64_t now_ms, int64_t full_ms);

#endif
