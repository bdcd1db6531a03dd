/* test_rng.c -- chance is ChaCha20, unbiased, and taken from the stream
 * exactly as core/README.md tells strangers.
 *
 * The seeds are fixed, so a statistical test passes always or never. */

#include <criterion/criterion.h>
#include <signal.h>
#include <sodium.h>
#include <string.h>

#include "../../core/base.h"
#include "../../core/rng.h"

_Static_assert(RNG_SEED_SIZE == crypto_stream_chacha20_KEYBYTES,
               "a seed is a key of ChaCha20");

enum { NONCE = crypto_stream_chacha20_NONCEBYTES, BLOCK = 64 };

static const uint8_t zero_seed[RNG_SEED_SIZE];

static void seed_number(uint8_t seed[RNG_SEED_SIZE], uint32_t number)
{
    memset(seed, 0, RNG_SEED_SIZE);
    for (int i = 0; i < 4; i++)
        seed[i] = (uint8_t)(number >> 8 * i);
}

/* The stream as bytes, as ChaCha20 is published. */
static void take_bytes(struct rng *rng, uint8_t *out, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint32_t word = rng_next(rng);
        for (int b = 0; b < 4; b++)
            out[4 * i + (size_t)b] = (uint8_t)(word >> 8 * b);
    }
}

/* libsodium's idea of LEN bytes of the stream from BLOCK_NUMBER on. */
static void sodium_bytes(uint8_t *out, size_t len, const uint8_t *seed,
                         uint64_t stream, uint64_t block_number)
{
    uint8_t nonce[NONCE];
    for (int b = 0; b < NONCE; b++)
        nonce[b] = (uint8_t)(stream >> 8 * b);
    memset(out, 0, len);
    crypto_stream_chacha20_xor_ic(out, out, len, nonce, block_number, seed);
}

/* An rng whose next word is WORD, and then one that is always good. */
static struct rng rng_of_word(uint32_t word)
{
    struct rng rng = {.used = 14};
    rng.block[14] = word;
    rng.block[15] = UINT32_MAX;
    return rng;
}

/* Pearson's statistic for COUNT cells that should hold EXPECTED each. */
static double chi_square(const uint32_t *cells, size_t count, double expected)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double off = (double)cells[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

/* The first block of the all-zero key and nonce, and the first 16 bytes for
 * the key ending in 1, the nonce ending in 1 and the nonce beginning with 1:
 * test vectors of draft-agl-tls-chacha20poly1305-04, section 7, whose nonce
 * has our 64 bits. */
Test(rng, published_vectors)
{
    static const uint8_t zero[64] = {
        0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a,
        0xe5, 0x53, 0x86, 0xbd, 0x28, 0xbd, 0xd2, 0x19, 0xb8, 0xa0, 0x8d,
        0xed, 0x1a, 0xa8, 0x36, 0xef, 0xcc, 0x8b, 0x77, 0x0d, 0xc7, 0xda,
        0x41, 0x59, 0x7c, 0x51, 0x57, 0x48, 0x8d, 0x77, 0x24, 0xe0, 0x3f,
        0xb8, 0xd8, 0x4a, 0x37, 0x6a, 0x43, 0xb8, 0xf4, 0x15, 0x18, 0xa1,
        0x1c, 0xc3, 0x87, 0xb6, 0x69, 0xb2, 0xee, 0x65, 0x86,
    };
    static const uint8_t key_one[16] = {
        0x45, 0x40, 0xf0, 0x5a, 0x9f, 0x1f, 0xb2, 0x96,
        0xd7, 0x73, 0x6e, 0x7b, 0x20, 0x8e, 0x3c, 0x96,
    };
    static const uint8_t nonce_last_one[16] = {
        0xde, 0x9c, 0xba, 0x7b, 0xf3, 0xd6, 0x9e, 0xf5,
        0xe7, 0x86, 0xdc, 0x63, 0x97, 0x3f, 0x65, 0x3a,
    };
    static const uint8_t nonce_first_one[16] = {
        0xef, 0x3f, 0xdf, 0xd6, 0xc6, 0x15, 0x78, 0xfb,
        0xf5, 0xcf, 0x35, 0xbd, 0x3d, 0xd3, 0x3b, 0x80,
    };
    uint8_t seed[RNG_SEED_SIZE] = {0}, got[64];
    struct rng rng;

    rng_init(&rng, seed, 0);
    take_bytes(&rng, got, 16);
    cr_assert_arr_eq(got, zero, 64);

    rng_init(&rng, seed, UINT64_C(1) << 56);
    take_bytes(&rng, got, 4);
    cr_assert_arr_eq(got, nonce_last_one, 16);

    rng_init(&rng, seed, 1);
    take_bytes(&rng, got, 4);
    cr_assert_arr_eq(got, nonce_first_one, 16);

    seed[31] = 1;
    rng_init(&rng, seed, 0);
    take_bytes(&rng, got, 4);
    cr_assert_arr_eq(got, key_one, 16);
}

/* Random seeds and streams, small and large, agree with libsodium over many
 * blocks. */
Test(rng, agrees_with_libsodium)
{
    uint8_t ours[40 * BLOCK], theirs[40 * BLOCK], seed[RNG_SEED_SIZE];
    struct rng source, rng;

    rng_init(&source, zero_seed, 1);
    for (int round = 0; round < 500; round++) {
        take_bytes(&source, seed, RNG_SEED_SIZE / 4);
        uint64_t stream = (uint64_t)rng_next(&source) << 32;
        stream |= rng_next(&source);
        stream >>= rng_below(&source, 64);

        rng_init(&rng, seed, stream);
        take_bytes(&rng, ours, sizeof(ours) / 4);
        sodium_bytes(theirs, sizeof(theirs), seed, stream, 0);
        cr_assert_arr_eq(ours, theirs, sizeof(ours));
    }
}

/* The block counter is one of 64 bits: its low word carries into the high
 * one, as it does in libsodium, and not into the stream number. */
Test(rng, counter_carries)
{
    static const uint32_t highs[] = {0, 1, 7, UINT32_MAX - 1, UINT32_MAX};
    const uint64_t stream = UINT64_C(0x0123456789abcdef);
    uint8_t ours[6 * BLOCK], theirs[6 * BLOCK], seed[RNG_SEED_SIZE];

    seed_number(seed, 99);
    for (size_t i = 0; i < COUNT_OF(highs); i++) {
        struct rng rng;
        rng_init(&rng, seed, stream);
        rng.input[12] = UINT32_MAX - 2;
        rng.input[13] = highs[i];
        take_bytes(&rng, ours, sizeof(ours) / 4);
        cr_assert_eq(rng.input[12], 3);
        cr_assert_eq(rng.input[13], highs[i] + 1);
        cr_assert_eq(rng.input[14], (uint32_t)stream);

        /* Block by block: over the end of all 2^64 libsodium will not go. */
        for (uint64_t b = 0; b < 6; b++) {
            uint64_t at = ((uint64_t)highs[i] << 32 | (UINT32_MAX - 2)) + b;
            sodium_bytes(theirs + b * BLOCK, BLOCK, seed, stream, at);
        }
        cr_assert_arr_eq(ours, theirs, sizeof(ours));
    }
}

/* Each result of rng_below() comes of exactly floor(2^32 / N) words, and the
 * words beside them of its neighbours or of another try.  The product rises
 * with the word, so looking at the ends of each run of words shows it for all
 * 2^32. */
static void exactly_fair(uint32_t n, uint32_t r)
{
    const uint64_t all = UINT64_C(1) << 32;
    uint64_t first = (r * all + all % n + n - 1) / n;
    uint64_t last = (((uint64_t)r + 1) * all + n - 1) / n - 1;
    cr_assert_eq(last - first + 1, all / n);

    const uint64_t inside[2] = {first, last};
    for (int i = 0; i < 2; i++) {
        struct rng rng = rng_of_word((uint32_t)inside[i]);
        cr_assert_eq(rng_below(&rng, n), r);
        cr_assert_eq(rng.used, 15u, "a good word was thrown away");
    }
    if (first > 0) {
        struct rng rng = rng_of_word((uint32_t)first - 1);
        uint32_t got = rng_below(&rng, n);
        cr_assert(rng.used == 16 || got + 1 == r);
    }
    if (last < UINT32_MAX) {
        struct rng rng = rng_of_word((uint32_t)last + 1);
        uint32_t got = rng_below(&rng, n);
        cr_assert(rng.used == 16 || got == r + 1);
    }
}

/* rng_below() is unbiased to the last word, for small bounds and for those
 * where a careless one would be worst. */
Test(rng, below_is_exact)
{
    static const uint32_t large[] = {
        65535,      65536,      65537,      1000003,    0x55555555,
        0x55555556, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaaa,
        0xc0000000, 0xfffffffe, 0xffffffff,
    };
    for (uint32_t n = 1; n <= 400; n++)
        for (uint32_t r = 0; r < n; r++)
            exactly_fair(n, r);
    for (size_t i = 0; i < COUNT_OF(large); i++) {
        uint32_t n = large[i];
        for (uint32_t k = 0; k < 1000; k++) {
            exactly_fair(n, k);
            exactly_fair(n, n / 2 + k);
            exactly_fair(n, n - 1 - k);
        }
    }
}

/* With the bound 3 * 2^30 a quarter of all words is refused; those and no
 * others make rng_below() take the next word. */
Test(rng, below_redraws)
{
    const uint32_t n = UINT32_C(3) << 30;
    struct rng rng, twin;
    uint32_t redrawn = 0;

    rng_init(&rng, zero_seed, 2);
    rng_init(&twin, zero_seed, 2);
    for (int i = 0; i < 10000; i++) {
        uint32_t word = rng_next(&twin);
        while (word % 4 == 0) { /* the low half is then 0, the least is 2^30 */
            redrawn++;
            word = rng_next(&twin);
        }
        cr_assert_eq(rng_below(&rng, n), (uint64_t)word * n >> 32);
    }
    cr_assert(redrawn > 3000 && redrawn < 3700);
}

/* A bound of 1 takes one word of the stream like any other, and a power of
 * two never a second one. */
Test(rng, below_takes_one_word)
{
    struct rng rng, twin;

    rng_init(&rng, zero_seed, 3);
    rng_init(&twin, zero_seed, 3);
    for (int i = 0; i < 200; i++) {
        cr_assert_eq(rng_below(&rng, 1), 0u);
        rng_next(&twin);
        for (int bits = 1; bits < 32; bits++) {
            uint32_t top = rng_next(&twin) >> (32 - bits);
            cr_assert_eq(rng_below(&rng, UINT32_C(1) << bits), top);
        }
    }
}

/* A die's faces come up equally often (5 degrees of freedom; 20.5 is passed
 * once in a thousand seeds), within one stream and over the beginnings of
 * many, which is how a table uses them. */
Test(rng, below_looks_fair)
{
    enum { THROWS = 600000 };
    uint32_t along[6] = {0}, across[6] = {0};
    uint8_t seed[RNG_SEED_SIZE];
    struct rng rng;

    seed_number(seed, 4);
    rng_init(&rng, seed, 0);
    for (int i = 0; i < THROWS; i++)
        along[rng_below(&rng, 6)]++;
    for (uint64_t stream = 0; stream < THROWS; stream++) {
        rng_init(&rng, seed, stream);
        across[rng_below(&rng, 6)]++;
    }
    cr_assert_lt(chi_square(along, 6, THROWS / 6), 20.5);
    cr_assert_lt(chi_square(across, 6, THROWS / 6), 20.5);
}

/* All 24 orders of four things are equally likely (23 degrees of freedom;
 * 49.7 is passed once in a thousand seeds), and nothing is lost. */
Test(rng, shuffle_looks_fair)
{
    enum { ROUNDS = 240000 };
    uint32_t orders[256] = {0}, cells[24];
    size_t found = 0;
    struct rng rng;

    rng_init(&rng, zero_seed, 5);
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t v[4] = {0, 1, 2, 3};
        rng_shuffle(&rng, v, 4);
        cr_assert_eq(1 << v[0] | 1 << v[1] | 1 << v[2] | 1 << v[3], 15);
        orders[v[0] << 6 | v[1] << 4 | v[2] << 2 | v[3]]++;
    }
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        if (orders[i] > 0) {
            cr_assert_lt(found, COUNT_OF(cells));
            cells[found++] = orders[i];
        }
    }
    cr_assert_eq(found, COUNT_OF(cells));
    cr_assert_lt(chi_square(cells, 24, ROUNDS / 24), 49.7);
}

/* A shuffle is its documented exchanges, from the end down; one thing or none
 * takes nothing of the stream. */
Test(rng, shuffle_is_as_documented)
{
    struct rng rng, twin;

    rng_init(&rng, zero_seed, 6);
    rng_init(&twin, zero_seed, 6);
    for (size_t count = 0; count <= 200; count++) {
        uint8_t v[200], w[200];
        for (size_t i = 0; i < count; i++)
            v[i] = w[i] = (uint8_t)i;
        rng_shuffle(&rng, v, count);
        for (size_t i = count; i-- > 1;) {
            uint32_t j = rng_below(&twin, (uint32_t)i + 1);
            uint8_t held = w[i];
            w[i] = w[j], w[j] = held;
        }
        cr_assert(count == 0 || memcmp(v, w, count) == 0);
        cr_assert_eq(rng.used, twin.used);
    }
}

/* rng_pick() is one rng_below() of the number of things, which names one of
 * them laid out in the order of their kinds: random bags, many of whose kinds
 * have run out. */
Test(rng, pick_is_as_documented)
{
    struct rng source, rng, twin;

    rng_init(&source, zero_seed, 7);
    rng_init(&rng, zero_seed, 8);
    rng_init(&twin, zero_seed, 8);
    for (int round = 0; round < 20000; round++) {
        uint16_t counts[12];
        size_t kinds = 1 + rng_below(&source, 12), laid[12 * 9], total = 0;
        for (size_t kind = 0; kind < kinds; kind++) {
            counts[kind] = (uint16_t)rng_below(&source, 10);
            if (rng_below(&source, 3) == 0)
                counts[kind] = 0;
            for (uint16_t i = 0; i < counts[kind]; i++)
                laid[total++] = kind;
        }
        if (total == 0)
            continue;
        size_t want = laid[rng_below(&twin, (uint32_t)total)];
        cr_assert_eq(rng_pick(&rng, counts, kinds), want);
        cr_assert_eq(rng.used, twin.used);
    }
}

/* Kinds come up in proportion to their counts, those with none never (3
 * degrees of freedom; 16.3 is passed once in a thousand seeds). */
Test(rng, pick_looks_fair)
{
    static const uint16_t counts[] = {0, 7, 1, 0, 0, 30, 2, 0};
    enum { THINGS = 40, ROUNDS = 400000 };
    uint32_t got[COUNT_OF(counts)] = {0};
    double sum = 0;
    struct rng rng;

    rng_init(&rng, zero_seed, 9);
    for (int i = 0; i < ROUNDS; i++)
        got[rng_pick(&rng, counts, COUNT_OF(counts))]++;
    for (size_t kind = 0; kind < COUNT_OF(counts); kind++) {
        if (counts[kind] == 0)
            cr_assert_eq(got[kind], 0u);
        else
            sum += chi_square(&got[kind], 1,
                              (double)ROUNDS / THINGS * counts[kind]);
    }
    cr_assert_lt(sum, 16.3);
}

/* A bag of nearly 2^32 things is counted without overflow, and its first and
 * last thing can be drawn. */
Test(rng, pick_from_a_large_bag)
{
    static uint16_t counts[65537];
    memset(counts, 0xff, sizeof(counts));
    struct rng first = rng_of_word(1), last = rng_of_word(UINT32_MAX);
    cr_assert_eq(rng_pick(&first, counts, COUNT_OF(counts)), 0u);
    cr_assert_eq(rng_pick(&last, counts, COUNT_OF(counts)), 65536u);
}

/* No number is below 0: asking for one is a bug. */
Test(rng, below_zero_is_a_bug, .signal = SIGABRT)
{
    struct rng rng;
    rng_init(&rng, zero_seed, 0);
    rng_below(&rng, 0);
}

/* Nothing can be drawn from an empty bag: trying to is a bug. */
Test(rng, pick_from_nothing_is_a_bug, .signal = SIGABRT)
{
    static const uint16_t counts[3];
    struct rng rng;
    rng_init(&rng, zero_seed, 0);
    rng_pick(&rng, counts, COUNT_OF(counts));
}

/* Nor can a bag hold 2^32 things or more. */
Test(rng, pick_from_too_much_is_a_bug, .signal = SIGABRT)
{
    static uint16_t counts[65538];
    struct rng rng;
    memset(counts, 0xff, sizeof(counts));
    rng_init(&rng, zero_seed, 0);
    rng_pick(&rng, counts, COUNT_OF(counts));
}
