/* fuzz_record.c -- game records from strangers.
 *
 * Once as they are; and once with commitment and chain made to fit, as
 * somebody could who has the seed, so that what is behind the hashes is tried
 * as well.  No record may crash it, and one that is true stays so. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/canonical.h"
#include "protocol/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void set_hash(json_t *object, const char *name, const uint8_t *hash)
{
    char hex[2 * SHA256_SIZE + 1] = "";
    hex_write(hex, hash, SHA256_SIZE);
    (void)json_object_set_new(object, name, json_string(hex));
}

static bool is_word(const char *text)
{
    return text != NULL && strlen(text) < 64;
}

/* The header's text, or NULL; its seed into SEED. */
static void mend_header(json_t *line, char seed[FAIR_SEED_SIZE],
                        uint8_t chain[SHA256_SIZE])
{
    const char *table = json_string_value(json_object_get(line, "table"));
    const char *game = json_string_value(json_object_get(line, "game"));
    const char *text = json_string_value(json_object_get(line, "seed"));
    int64_t revision = json_integer_value(json_object_get(line, "revision"));
    struct json_out o;

    memset(seed, '0', FAIR_SEED_DIGITS);
    seed[FAIR_SEED_DIGITS] = '\0';
    if (text != NULL && fair_seed_ok(text))
        memcpy(seed, text, FAIR_SEED_SIZE);
    if (is_word(table) && is_word(game)) {
        fair_commitment(table, game, (uint32_t)revision, seed, chain);
        set_hash(line, "commitment", chain);
    }
    json_out_init(&o);
    (void)canonical_write(&o, line, "players");
    fair_chain_start(json_out_text(&o), o.len, chain);
    json_out_done(&o);
}

static void mend_ply(json_t *line, const char *seed, uint64_t ply,
                     uint8_t chain[SHA256_SIZE])
{
    uint8_t salt[SHA256_SIZE];
    struct json_out o;

    json_out_init(&o);
    (void)canonical_write(&o, line, "chain");
    fair_salt(seed, ply, salt);
    if (ply > 0)
        fair_chain_next(chain, salt, json_out_text(&o), o.len, chain);
    set_hash(line, "chain", chain);
    json_out_done(&o);
}

/* Reads all with every hash made to fit. */
static void read_mended(const char *text, size_t len)
{
    char why[JSON_EXPECTED_MAX], seed[FAIR_SEED_SIZE];
    uint8_t chain[SHA256_SIZE];
    struct record *r = record_new();
    struct record_fault fault;
    uint64_t ply = 0;
    bool good = true;

    for (uint64_t n = 0; good && len > 0; n++) {
        const char *newline = memchr(text, '\n', len);
        size_t size = newline != NULL ? (size_t)(newline - text) : len;
        json_t *line = json_parse(text, size, why);
        good = json_is_object(line);
        if (good && n == 0)
            mend_header(line, seed, chain);
        else if (good && json_object_get(line, "ply") != NULL)
            mend_ply(line, seed, ply++, chain);
        else if (good)
            set_hash(line, "chain", chain);
        char *whole = good ? json_dumps(line, JSON_COMPACT) : NULL;
        good = whole != NULL && record_line(r, whole, strlen(whole), &fault);
        free(whole);
        json_decref(line);
        text += size + (newline != NULL);
        len -= size + (newline != NULL);
    }
    if (good)
        (void)record_end(r, &fault);
    record_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct record_fault fault;
    const char *text = (const char *)data;

    if (record_verify(text, len, &fault) && !record_verify(text, len, &fault))
        abort();
    read_mended(text, len);
    return 0;
}
