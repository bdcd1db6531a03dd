#include "fair.h"

#include "base.h"

/* The texts are never put together in memory: each piece is hashed as it
 * comes.  Pieces that follow another bring their space with them. */

static void add_text(struct sha256 *h, const char *text)
{
    size_t len = 0;
    while (text[len] != '\0')
        len++;
    sha256_update(h, text, len);
}

static void add_word(struct sha256 *h, const char *word)
{
    add_text(h, " ");
    add_text(h, word);
}

static void add_number(struct sha256 *h, uint64_t number)
{
    char word[21]; /* 2^64 has 20 digits; filled from the end */
    size_t at = sizeof(word) - 1;
    word[at] = '\0';
    do {
        word[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    add_word(h, word + at);
}

static void add_hash(struct sha256 *h, const uint8_t hash[SHA256_SIZE])
{
    char hex[2 * SHA256_SIZE];
    hex_write(hex, hash, SHA256_SIZE);
    sha256_update(h, hex, sizeof(hex));
}

/* Whether TEXT is MIN to MAX hex digits and nothing else.  Looks no further
 * than the first character that is no digit, nor past MAX + 1 of them. */
static bool is_hex(const char *text, size_t min, size_t max)
{
    size_t n = 0;
    while (n < max && hex_digit(text[n]) >= 0)
        n++;
    return n >= min && text[n] == '\0';
}

bool fair_seed_ok(const char *seed)
{
    return is_hex(seed, FAIR_SEED_DIGITS, FAIR_SEED_DIGITS);
}

bool fair_nonce_ok(const char *nonce)
{
    return is_hex(nonce, FAIR_NONCE_DIGITS_MIN, FAIR_NONCE_DIGITS_MAX);
}

void fair_commitment(const char *table, const char *game, uint32_t revision,
                     const char *seed, uint8_t out[SHA256_SIZE])
{
    struct sha256 h;
    ASSERT(fair_seed_ok(seed));

    sha256_init(&h);
    add_text(&h, "sobremesa-commit");
    add_word(&h, table);
    add_word(&h, game);
    add_number(&h, revision);
    add_word(&h, seed);
    sha256_final(&h, out);
}

void fair_key(const char *seed, const char *const *nonces, size_t seats,
              uint8_t key[SHA256_SIZE])
{
    struct sha256 h;
    ASSERT(fair_seed_ok(seed));

    sha256_init(&h);
    add_text(&h, "sobremesa-key");
    add_word(&h, seed);
    for (size_t seat = 0; seat < seats; seat++) {
        const char *nonce = nonces != NULL ? nonces[seat] : NULL;
        ASSERT(nonce == NULL || fair_nonce_ok(nonce));
        add_word(&h, nonce != NULL ? nonce : "-");
    }
    sha256_final(&h, key);
}

void fair_salts(const char *seed, struct sha256 *salts)
{
    ASSERT(fair_seed_ok(seed));
    sha256_init(salts);
    add_text(salts, "sobremesa-salt");
    add_word(salts, seed);
}

void fair_salt_of(const struct sha256 *salts, uint64_t ply,
                  uint8_t salt[SHA256_SIZE])
{
    struct sha256 h = *salts;
    add_number(&h, ply);
    sha256_final(&h, salt);
}

void fair_salt(const char *seed, uint64_t ply, uint8_t salt[SHA256_SIZE])
{
    struct sha256 salts;
    fair_salts(seed, &salts);
    fair_salt_of(&salts, ply, salt);
}

void fair_chain_start(const char *line, size_t len, uint8_t chain[SHA256_SIZE])
{
    sha256(line, len, chain);
}

void fair_chain_next(const uint8_t chain[SHA256_SIZE],
                     const uint8_t salt[SHA256_SIZE], const char *line,
                     size_t len, uint8_t next[SHA256_SIZE])
{
    struct sha256 h;
    sha256_init(&h);
    add_hash(&h, chain);
    add_text(&h, " ");
    add_hash(&h, salt);
    add_text(&h, " ");
    sha256_update(&h, line, len);
    sha256_final(&h, next);
}

void fair_seed_of_number(uint64_t number, char seed[FAIR_SEED_SIZE])
{
    struct sha256 h;
    uint8_t hash[SHA256_SIZE];

    sha256_init(&h);
    add_text(&h, "sobremesa-offline");
    add_number(&h, number);
    sha256_final(&h, hash);
    hex_write(seed, hash, SHA256_SIZE);
    seed[FAIR_SEED_DIGITS] = '\0';
}

void fair_key_of_number(uint64_t number, size_t seats,
                        uint8_t key[SHA256_SIZE])
{
    char seed[FAIR_SEED_SIZE];
    fair_seed_of_number(number, seed);
    fair_key(seed, NULL, seats, key);
}
