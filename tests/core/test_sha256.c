/* test_sha256.c -- the core's SHA-256 is everybody's. */

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/base.h"
#include "../../core/rng.h"
#include "../../core/sha256.h"

_Static_assert(SHA256_SIZE == crypto_hash_sha256_BYTES, "one size of hash");

static void hash_is(const void *data, size_t len, const char *hex)
{
    uint8_t want[SHA256_SIZE], got[SHA256_SIZE];
    cr_assert(hex_read(want, hex, SHA256_SIZE));
    sha256(data, len, got);
    cr_assert_arr_eq(got, want, SHA256_SIZE);
}

static void fill(struct rng *rng, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)rng_next(rng);
}

/* The examples that NIST publishes with FIPS 180-4: no block, one, two, and
 * many. */
Test(sha256, published_vectors)
{
    static const char two_blocks[] =
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static const char long_one[] =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    static char million[1000000];

    hash_is("", 0,
            "e3b0c44298fc1c149afbf4c8996fb924"
            "27ae41e4649b934ca495991b7852b855");
    hash_is("abc", 3,
            "ba7816bf8f01cfea414140de5dae2223"
            "b00361a396177a9cb410ff61f20015ad");
    hash_is(two_blocks, strlen(two_blocks),
            "248d6a61d20638b8e5c026930c3e6039"
            "a33ce45964ff2167f6ecedd419db06c1");
    hash_is(long_one, strlen(long_one),
            "cf5b16a778af8380036ce59e7b049237"
            "0b249b11e8f07a51afac45037afee9d1");
    memset(million, 'a', sizeof(million));
    hash_is(million, sizeof(million),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
}

/* Every length around every edge of a block agrees with libsodium. */
Test(sha256, agrees_with_libsodium)
{
    uint8_t data[300], ours[SHA256_SIZE], theirs[SHA256_SIZE];
    struct rng rng;

    rng_init(&rng, (const uint8_t[RNG_SEED_SIZE]){1}, 0);
    for (int round = 0; round < 20; round++) {
        for (size_t len = 0; len <= sizeof(data); len++) {
            fill(&rng, data, len);
            sha256(data, len, ours);
            crypto_hash_sha256(theirs, data, len);
            cr_assert_arr_eq(ours, theirs, SHA256_SIZE);
        }
    }
}

/* A text cut into random pieces, empty ones among them, has the hash of the
 * whole. */
Test(sha256, pieces_make_no_difference)
{
    uint8_t data[2000], ours[SHA256_SIZE], theirs[SHA256_SIZE];
    struct rng rng;

    rng_init(&rng, (const uint8_t[RNG_SEED_SIZE]){2}, 0);
    fill(&rng, data, sizeof(data));
    for (int round = 0; round < 3000; round++) {
        size_t len = rng_below(&rng, sizeof(data) + 1), at = 0;
        uint32_t largest = 1 + rng_below(&rng, 200);
        struct sha256 h;

        sha256_init(&h);
        while (at < len) {
            size_t n = rng_below(&rng, largest + 1);
            if (n > len - at)
                n = len - at;
            sha256_update(&h, n > 0 ? data + at : NULL, n);
            at += n;
        }
        sha256_final(&h, ours);
        crypto_hash_sha256(theirs, data, len);
        cr_assert_arr_eq(ours, theirs, SHA256_SIZE);
    }
}

/* A copy of a hash begun goes on by itself, and the first one too. */
Test(sha256, copies_go_on)
{
    struct sha256 h, copy;
    uint8_t out[SHA256_SIZE], want[SHA256_SIZE];

    sha256_init(&h);
    sha256_update(&h, "sobremesa-", 10);
    copy = h;
    sha256_update(&h, "key", 3);
    sha256_update(&copy, "salt", 4);

    sha256_final(&h, out);
    crypto_hash_sha256(want, (const uint8_t *)"sobremesa-key", 13);
    cr_assert_arr_eq(out, want, SHA256_SIZE);
    sha256_final(&copy, out);
    crypto_hash_sha256(want, (const uint8_t *)"sobremesa-salt", 14);
    cr_assert_arr_eq(out, want, SHA256_SIZE);
}

/* The length at the end of a text is 64 bits of bits: both we and libsodium
 * are told that so many gigabytes went before. */
Test(sha256, long_texts)
{
    for (int shift = 26; shift <= 60; shift++) {
        struct sha256 h;
        crypto_hash_sha256_state state;
        uint8_t ours[SHA256_SIZE], theirs[SHA256_SIZE];

        sha256_init(&h);
        crypto_hash_sha256_init(&state);
        h.length = UINT64_C(1) << shift;
        state.count = h.length * 8;
        sha256_update(&h, "abc", 3);
        crypto_hash_sha256_update(&state, (const uint8_t *)"abc", 3);
        sha256_final(&h, ours);
        crypto_hash_sha256_final(&state, theirs);
        cr_assert_arr_eq(ours, theirs, SHA256_SIZE);
    }
}

/* A hash may be written over what was hashed. */
Test(sha256, in_place)
{
    uint8_t bytes[SHA256_SIZE] = {1, 2, 3}, want[SHA256_SIZE];
    crypto_hash_sha256(want, bytes, sizeof(bytes));
    sha256(bytes, sizeof(bytes), bytes);
    cr_assert_arr_eq(bytes, want, SHA256_SIZE);
}

/* Every byte is written as two lower-case digits, nothing after them, and is
 * read back from digits of either case. */
Test(hex, there_and_back)
{
    for (int byte = 0; byte < 256; byte++) {
        char hex[4] = "..!", text[3], upper[3];
        uint8_t in = (uint8_t)byte, back = (uint8_t)~in;

        snprintf(text, sizeof(text), "%02x", byte);
        snprintf(upper, sizeof(upper), "%02X", byte);
        hex_write(hex, &in, 1);
        cr_assert_arr_eq(hex, text, 2);
        cr_assert_eq(hex[2], '!');
        cr_assert(hex_read(&back, hex, 1));
        cr_assert_eq(back, in);
        back = (uint8_t)~in;
        cr_assert(hex_read(&back, upper, 1));
        cr_assert_eq(back, in);
    }
}

/* A character is a digit if it is one of the 22 of C's %x and %X. */
Test(hex, digits)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    for (int c = -128; c < 256; c++) {
        const char *at = c > 0 ? strchr(digits, c) : NULL;
        int want = at == NULL ? -1 : (int)(at - digits);
        cr_assert_eq(hex_digit((char)c), want > 15 ? want - 6 : want);
    }
}

/* Whatever is no digit is refused wherever it stands, with nothing written;
 * no character after it, nor after the last one asked for, is looked at. */
Test(hex, refusals)
{
    static const char wrong[] = {'g', 'G', '/', ':', '@', '`', ' ', 'x', '\0'};
    uint8_t out[4] = {9, 9, 9, 9};

    for (size_t at = 0; at < 8; at++) {
        for (size_t i = 0; i < COUNT_OF(wrong); i++) {
            char *hex = malloc(at + 1); /* so that ASan sees one step more */
            memset(hex, '0', at);
            hex[at] = wrong[i];
            cr_assert_not(hex_read(out, hex, 4));
            cr_assert_eq(out[0], 9);
            free(hex);
        }
    }
    cr_assert(hex_read(out, "0001ff7Fxyz", 4));
    cr_assert(out[0] == 0 && out[1] == 1 && out[2] == 255 && out[3] == 127);
    cr_assert(hex_read(out, "", 0));
}
