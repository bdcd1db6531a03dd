#include "rng.h"

#include "base.h"

static uint32_t rotl(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

static void quarter(uint32_t *x, int a, int b, int c, int d)
{
    x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 7);
}

/* The next block of ChaCha20 as Bernstein published it: words 12 and 13 count
 * blocks and 14 and 15 name the stream, where RFC 8439 has a shorter counter
 * and a longer name. */
static void rng_refill(struct rng *rng)
{
    uint32_t *x = rng->block;
    for (int i = 0; i < 16; i++)
        x[i] = rng->input[i];
    for (int round = 0; round < 10; round++) {
        quarter(x, 0, 4, 8, 12);
        quarter(x, 1, 5, 9, 13);
        quarter(x, 2, 6, 10, 14);
        quarter(x, 3, 7, 11, 15);
        quarter(x, 0, 5, 10, 15);
        quarter(x, 1, 6, 11, 12);
        quarter(x, 2, 7, 8, 13);
        quarter(x, 3, 4, 9, 14);
    }
    for (int i = 0; i < 16; i++)
        x[i] += rng->input[i];
    rng->input[12]++;
    if (rng->input[12] == 0)
        rng->input[13]++;
    rng->used = 0;
}

void rng_init(struct rng *rng, const uint8_t seed[RNG_SEED_SIZE],
              uint64_t stream)
{
    /* "expand 32-byte k" */
    static const uint32_t sigma[4] = {
        0x61707865,
        0x3320646e,
        0x79622d32,
        0x6b206574,
    };
    for (int i = 0; i < 4; i++)
        rng->input[i] = sigma[i];
    for (int i = 0; i < 8; i++) {
        rng->input[4 + i] = (uint32_t)seed[4 * i] |
                            (uint32_t)seed[4 * i + 1] << 8 |
                            (uint32_t)seed[4 * i + 2] << 16 |
                            (uint32_t)seed[4 * i + 3] << 24;
    }
    rng->input[12] = rng->input[13] = 0;
    rng->input[14] = (uint32_t)stream;
    rng->input[15] = (uint32_t)(stream >> 32);
    rng->used = 16;
}

uint32_t rng_next(struct rng *rng)
{
    if (rng->used == 16)
        rng_refill(rng);
    return rng->block[rng->used++];
}

/* Lemire's method: keep the high half of a product, redraw the few low halves
 * that would make some results likelier than others.  Those are fewer than N,
 * so the division is seldom needed.
 * (Fast random integer generation in an interval, ACM TOMACS 29.1, 2019.) */
uint32_t rng_below(struct rng *rng, uint32_t n)
{
    ASSERT(n > 0);
    uint64_t product = (uint64_t)rng_next(rng) * n;
    if ((uint32_t)product < n) {
        uint32_t floor = -n % n;
        while ((uint32_t)product < floor)
            product = (uint64_t)rng_next(rng) * n;
    }
    return (uint32_t)(product >> 32);
}

/* Fisher and Yates's, from the end, as Durstenfeld has it. */
void rng_shuffle(struct rng *rng, uint8_t *v, size_t count)
{
    ASSERT(count <= UINT32_MAX);
    for (size_t i = count; i > 1; i--) {
        size_t j = rng_below(rng, (uint32_t)i);
        uint8_t held = v[i - 1];
        v[i - 1] = v[j];
        v[j] = held;
    }
}

size_t rng_pick(struct rng *rng, const uint16_t *counts, size_t kinds)
{
    uint64_t total = 0;
    for (size_t kind = 0; kind < kinds; kind++)
        total += counts[kind];
    ASSERT(total > 0);
    ASSERT(total <= UINT32_MAX);

    uint32_t left = rng_below(rng, (uint32_t)total);
    size_t kind = 0;
    while (left >= counts[kind])
        left -= counts[kind++];
    return kind;
}
