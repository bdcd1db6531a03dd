#include "unsubscribe.h"

#include "outbox_inner.h"

struct stopping {
    id_num account;
    uint32_t kinds;
};

/* The bytes of a code that its proof is about, behind it. */
static void write_about(uint8_t *to, id_num account, uint32_t kinds)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(account >> (56 - 8 * i));
    for (int i = 0; i < 4; i++)
        to[8 + i] = (uint8_t)(kinds >> (24 - 8 * i));
}

void unsubscribe_write(const struct hub *hub, id_num account, uint32_t kinds,
                       char code[UNSUBSCRIBE_CHARS + 1])
{
    uint8_t bytes[UNSUBSCRIBE_BYTES], proof[SHA256_SIZE];
    uint8_t *about = bytes + UNSUBSCRIBE_PROOF;

    write_about(about, account, kinds);
    secret_hash(hub, SECRET_NOTICES, "unsubscribe", (const char *)about,
                UNSUBSCRIBE_BYTES - UNSUBSCRIBE_PROOF, proof);
    memcpy(bytes, proof, UNSUBSCRIBE_PROOF);
    base32_write(code, bytes, sizeof(bytes), false);
}

/* False if CODE is none of ours.  How long comparing takes tells nothing: both
 * sides are hashed. */
static bool read_code(const struct hub *hub, const char *code,
                      struct stopping *ret)
{
    uint8_t bytes[UNSUBSCRIBE_BYTES], given[SHA256_SIZE], wanted[SHA256_SIZE];
    char good[UNSUBSCRIBE_CHARS + 1];

    if (base32_read(bytes, sizeof(bytes), code) != sizeof(bytes))
        return false;
    const uint8_t *about = bytes + UNSUBSCRIBE_PROOF;
    *ret = (struct stopping){0};
    for (int i = 0; i < 8; i++)
        ret->account = ret->account << 8 | about[i];
    for (int i = 0; i < 4; i++)
        ret->kinds = ret->kinds << 8 | about[8 + i];
    unsubscribe_write(hub, ret->account, ret->kinds, good);
    sha256(code, strlen(code), given);
    sha256(good, strlen(good), wanted);
    return memcmp(given, wanted, sizeof(given)) == 0;
}

static void stopped(struct hub *hub, struct request *q)
{
    const struct stopping *s = q->kept;

    journal(hub, q, LOG_INFO, "unsubscribed");
    outbox_changed(hub, s->account);
    result_empty(hub, q);
}

/* Whose address is gone, or changed, has none of these mails anyway. */
static void stop_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    const struct stopping *s = q->kept;
    struct channel_row row;

    if (!channel_find(answer, s->account, &row) ||
        (row.kinds & s->kinds) == 0) {
        result_empty(hub, q);
        return;
    }
    row.kinds &= ~s->kinds;
    row.changed = hub->now_ms;
    struct change *c = change_begin(hub, q, NULL);
    channel_put(c, &row);
    change_submit(c, stopped);
}

static void stop_keyed(struct hub *hub, struct request *q)
{
    struct stopping *s = q->kept = region_take(&q->region, sizeof(*s));

    if (!read_code(hub, param_text(q, "code"), s)) {
        refuse(hub, q, ERR_NO_SUCH_LINK);
        return;
    }
    login_forgiven(hub, q, NULL);
    outbox_ask(hub, q, s->account, NULL, 0, stop_found);
}

void handle_notices_unsubscribe(struct hub *hub, struct request *q)
{
    if (!login_refuse(hub, q, NULL))
        secret_use(hub, q, SECRET_NOTICES, stop_keyed);
}
