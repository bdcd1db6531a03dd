#include "sha256.h"

#include "base.h"

/* FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube
 * roots of the first 64 primes. */
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* The standard reads and writes its words high byte first. */
static uint32_t word_read(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | (uint32_t)at[3];
}

static void word_write(uint8_t *at, uint32_t word)
{
    at[0] = (uint8_t)(word >> 24);
    at[1] = (uint8_t)(word >> 16);
    at[2] = (uint8_t)(word >> 8);
    at[3] = (uint8_t)word;
}

/* 6.2.2, step 1: the block's 16 words are stretched to one for each round. */
static void schedule(uint32_t w[64], const uint8_t block[SHA256_BLOCK])
{
    for (int t = 0; t < 16; t++)
        w[t] = word_read(block + 4 * t);
    for (int t = 16; t < 64; t++) {
        uint32_t x = w[t - 15], y = w[t - 2];
        uint32_t sigma0 = rotr(x, 7) ^ rotr(x, 18) ^ x >> 3;
        uint32_t sigma1 = rotr(y, 17) ^ rotr(y, 19) ^ y >> 10;
        w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
    }
}

/* Step 3 for one round, with the standard's letters.  That h becomes g, g
 * becomes f and so on is left to who names them. */
static inline void sha256_round(uint32_t a, uint32_t b, uint32_t c,
                                uint32_t *d, uint32_t e, uint32_t f,
                                uint32_t g, uint32_t *h, uint32_t add)
{
    uint32_t sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    uint32_t sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    uint32_t choice = g ^ (e & (f ^ g));
    uint32_t majority = (a & b) | (c & (a | b));
    uint32_t t1 = *h + sum1 + choice + add;
    *d += t1;
    *h = t1 + sum0 + majority;
}

/* 6.2.2, steps 2 to 4: works the full block into the state.  After eight rounds
 * each letter is where it was. */
static void compress_portably(struct sha256 *s)
{
    const uint32_t *k = round_constants;
    uint32_t w[64];
    uint32_t a = s->state[0], b = s->state[1], c = s->state[2];
    uint32_t d = s->state[3], e = s->state[4], f = s->state[5];
    uint32_t g = s->state[6], h = s->state[7];

    schedule(w, s->block);
    for (int t = 0; t < 64; t += 8) {
        sha256_round(a, b, c, &d, e, f, g, &h, k[t] + w[t]);
        sha256_round(h, a, b, &c, d, e, f, &g, k[t + 1] + w[t + 1]);
        sha256_round(g, h, a, &b, c, d, e, &f, k[t + 2] + w[t + 2]);
        sha256_round(f, g, h, &a, b, c, d, &e, k[t + 3] + w[t + 3]);
        sha256_round(e, f, g, &h, a, b, c, &d, k[t + 4] + w[t + 4]);
        sha256_round(d, e, f, &g, h, a, b, &c, k[t + 5] + w[t + 5]);
        sha256_round(c, d, e, &f, g, h, a, &b, k[t + 6] + w[t + 6]);
        sha256_round(b, c, d, &e, f, g, h, &a, k[t + 7] + w[t + 7]);
    }

    s->state[0] += a, s->state[1] += b, s->state[2] += c;
    s->state[3] += d, s->state[4] += e, s->state[5] += f;
    s->state[6] += g, s->state[7] += h;
}

/* Processors that have instructions for it are five times as fast with them. */
#if defined(__x86_64__) && defined(__SSE2__) && !defined(__clang__) && \
    !defined(SHA256_PORTABLE)
typedef uint32_t words __attribute__((vector_size(16)));
typedef int integers __attribute__((vector_size(16)));
typedef uint8_t octets __attribute__((vector_size(16)));

#define MESSAGE1(a, b) \
    ((words)__builtin_ia32_sha256msg1((integers)(a), (integers)(b)))
#define MESSAGE2(a, b) \
    ((words)__builtin_ia32_sha256msg2((integers)(a), (integers)(b)))
#define ROUNDS2(a, b, add) \
    ((words)__builtin_ia32_sha256rnds2((integers)(a), (integers)(b), \
                                       (integers)(add)))

/* The same four words at a time.  The instructions want the letters as they are
 * shuffled here; two rounds make a, b, e, f of the other four, which those that
 * were a, b, e, f then are. */
__attribute__((target("sha,sse4.1"))) static void
compress_by_instructions(struct sha256 *s)
{
    static const octets high_first = {3,  2,  1, 0, 7,  6,  5,  4,
                                      11, 10, 9, 8, 15, 14, 13, 12};
    words abcd, efgh, w[4];

    memcpy(&abcd, s->state, sizeof(abcd));
    memcpy(&efgh, s->state + 4, sizeof(efgh));
    words abef = __builtin_shuffle(abcd, efgh, (words){5, 4, 1, 0});
    words cdgh = __builtin_shuffle(abcd, efgh, (words){7, 6, 3, 2});
#pragma GCC unroll 16
    for (int t = 0; t < 16; t++) {
        words *at = &w[t & 3], add;
        if (t < 4) {
            octets block;
            memcpy(&block, s->block + 16 * t, sizeof(block));
            *at = (words)__builtin_shuffle(block, high_first);
        } else {
            words *last = &w[(t + 3) & 3];
            words between = __builtin_shuffle(w[(t + 2) & 3], *last,
                                              (words){1, 2, 3, 4});
            between += MESSAGE1(*at, w[(t + 1) & 3]);
            *at = MESSAGE2(between, *last);
        }
        memcpy(&add, round_constants + 4 * t, sizeof(add));
        add += *at;
        cdgh = ROUNDS2(cdgh, abef, add);
        add = __builtin_shuffle(add, (words){2, 3, 2, 3});
        abef = ROUNDS2(abef, cdgh, add);
    }
    abcd += __builtin_shuffle(abef, cdgh, (words){3, 2, 7, 6});
    efgh += __builtin_shuffle(abef, cdgh, (words){1, 0, 5, 4});
    memcpy(s->state, &abcd, sizeof(abcd));
    memcpy(s->state + 4, &efgh, sizeof(efgh));
}

static void sha256_compress(struct sha256 *s)
{
    if (__builtin_cpu_supports("sha"))
        compress_by_instructions(s);
    else
        compress_portably(s);
}
#else
static void sha256_compress(struct sha256 *s)
{
    compress_portably(s);
}
#endif

void sha256_init(struct sha256 *h)
{
    /* 5.3.3: square roots of the first eight primes, as above. */
    *h = (struct sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
    };
}

void sha256_update(struct sha256 *h, const void *data, size_t len)
{
    const uint8_t *in = data;
    size_t held = (size_t)(h->length % SHA256_BLOCK);

    h->length += len;
    while (len > 0) {
        size_t n = SHA256_BLOCK - held;
        if (n > len)
            n = len;
        memcpy(h->block + held, in, n);
        in += n;
        len -= n;
        held += n;
        if (held == SHA256_BLOCK) {
            sha256_compress(h);
            held = 0;
        }
    }
}

void sha256_final(struct sha256 *h, uint8_t out[SHA256_SIZE])
{
    uint64_t bits = h->length * 8;
    size_t held = (size_t)(h->length % SHA256_BLOCK);

    /* 5.1.1: a one bit, zeros, and the length in the last eight bytes of a
     * block, of a further one if they do not fit. */
    h->block[held++] = 0x80;
    if (held > SHA256_BLOCK - 8) {
        memset(h->block + held, 0, SHA256_BLOCK - held);
        sha256_compress(h);
        held = 0;
    }
    memset(h->block + held, 0, SHA256_BLOCK - 8 - held);
    word_write(h->block + SHA256_BLOCK - 8, (uint32_t)(bits >> 32));
    word_write(h->block + SHA256_BLOCK - 4, (uint32_t)bits);
    sha256_compress(h);

    for (int i = 0; i < 8; i++)
        word_write(out + 4 * i, h->state[i]);
}

void sha256(const void *data, size_t len, uint8_t out[SHA256_SIZE])
{
    struct sha256 h;
    sha256_init(&h);
    sha256_update(&h, data, len);
    sha256_final(&h, out);
}

void hex_write(char *out, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
}

int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool hex_read(uint8_t *out, const char *hex, size_t n)
{
    for (size_t i = 0; i < 2 * n; i++)
        if (hex_digit(hex[i]) < 0)
            return false;
    for (size_t i = 0; i < n; i++) {
        int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
