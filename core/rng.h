/* rng.h -- reproducible chance.
 *
 * A stream is named by a 32-byte seed and a number, that of the draw in the
 * table's log: ChaCha20 keyed by the seed.  Players see many of its results
 * and must not be able to work out the next, which rules out the usual small
 * generators; and naming streams by draw lets any one be checked later
 * against the revealed seed without replaying those before it.
 *
 * The seed of a table's draws is the key that fair.h makes of the table's own
 * seed and the players' nonces.
 *
 * Everything here is part of the game record: strangers recompute draws from
 * README.md, in other languages.  How many words a function takes, and what
 * it makes of them, can therefore never change; another need is another
 * function. */

#ifndef CORE_RNG_H
#define CORE_RNG_H

#include <stddef.h>
#include <stdint.h>

#define RNG_SEED_SIZE 32

struct rng {
    uint32_t input[16]; /* key, block counter and stream number */
    uint32_t block[16];
    unsigned used; /* words of BLOCK already handed out */
};

/* Goes to the beginning of stream number STREAM of SEED. */
void rng_init(struct rng *rng, const uint8_t seed[RNG_SEED_SIZE],
              uint64_t stream);

/* The next four bytes of the stream, the low one first. */
uint32_t rng_next(struct rng *rng);

/* An unbiased number in 0..N-1.  N must not be 0.  Takes one word w of the
 * stream, and another as long as the low half of the 64-bit product w * N is
 * less than 2^32 mod N; the number is the product's high half.  For N = 1
 * that is one word and always 0. */
uint32_t rng_below(struct rng *rng, uint32_t n);

/* Puts V in an order of which all are equally likely: for i from COUNT - 1
 * down to 1, V[i] changes places with V[rng_below(i + 1)]. */
void rng_shuffle(struct rng *rng, uint8_t *v, size_t count);

/* Draws from a bag that holds COUNTS[k] things of each kind k < KINDS: the
 * kind of the thing drawn, which is left in the bag.  The bag must not be
 * empty.  Takes one rng_below() of the number of things; with the things laid
 * out in the order of their kinds and numbered from 0, it names the one. */
size_t rng_pick(struct rng *rng, const uint16_t *counts, size_t kinds);

#endif
