/* fair.h -- draws that can be checked, and a record that cannot be altered.
 *
 * The server draws a table's seed when the table is created, and publishes at
 * once a hash that commits it to this seed.  Each seat may then give a nonce.
 * Seed and nonces together make the key of the table's draws: the server can
 * no longer answer the nonces with another seed, and no player can aim a
 * nonce, not knowing the seed.  When the table has finished the seed is
 * published, and anyone can check all of it.  What remains is a server in
 * league with the seat that gives its nonce last; that nonce could be tried
 * out against the seed.
 *
 *     creation           start              each draw n
 *     seed, commitment   + nonces -> key -> rng_init(key, n), see rng.h
 *
 * The record is chained: every line's hash goes into the next one's, so the
 * last vouches for all before it.
 *
 * This module knows only which text is hashed for what (protocol/README.md,
 * "Fair draws and the game record"), so that the server, `sobremesa verify`
 * and the browser cannot differ in it.  The texts have single spaces,
 * lower-case hex and no newline: `printf %s TEXT | sha256sum` checks each.
 * TABLE and GAME are ids as the protocol spells them, so there is no space
 * within.  Seeds and nonces are hashed as the characters they are, never
 * converted.
 *
 * Results are bytes; hex_write() makes of them what is published. */

#ifndef CORE_FAIR_H
#define CORE_FAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sha256.h"

#define FAIR_SEED_DIGITS      64
#define FAIR_SEED_SIZE        65 /* characters of a seed with its NUL */
#define FAIR_NONCE_DIGITS_MIN 32
#define FAIR_NONCE_DIGITS_MAX 64

/* Whether a string is a seed, 64 hex digits, or a nonce, 32 to 64 of them, in
 * either case.  Ask this of what comes from outside: the functions below
 * assert it.  As nothing but digits can stand in a nonce, no two lists of
 * nonces make the same text. */
bool fair_seed_ok(const char *seed);
bool fair_nonce_ok(const char *nonce);

/* Hash of `sobremesa-commit TABLE GAME REVISION SEED`: what the server
 * publishes when the table is created. */
void fair_commitment(const char *table, const char *game, uint32_t revision,
                     const char *seed, uint8_t out[SHA256_SIZE]);

/* Hash of `sobremesa-key SEED NONCE0 NONCE1 ...`: the key of the table's
 * draws, for rng_init().  NONCES holds one for each seat that plays, in seat
 * order, NULL where none was given, which is hashed as `-`; it may be NULL
 * itself if nobody gave one. */
void fair_key(const char *seed, const char *const *nonces, size_t seats,
              uint8_t key[SHA256_SIZE]);

/* Hash of `sobremesa-salt SEED PLY`: keeps a chain head, which everyone is
 * shown during play, from betraying a hidden ply to somebody who tries all it
 * could be. */
void fair_salt(const char *seed, uint64_t ply, uint8_t salt[SHA256_SIZE]);

/* The same for many plies of one game: SALTS, plain data, has hashed what they
 * have in common. */
void fair_salts(const char *seed, struct sha256 *salts);
void fair_salt_of(const struct sha256 *salts, uint64_t ply,
                  uint8_t salt[SHA256_SIZE]);

/* Chain 0, that of the table's creation: hash of the record's header line
 * without `players`, LEN bytes in RFC 8785 form, without its newline. */
void fair_chain_start(const char *line, size_t len,
                      uint8_t chain[SHA256_SIZE]);

/* Hash of `CHAIN SALT LINE`, the chain of a later ply: CHAIN is that of the
 * ply before, SALT the ply's own, and LINE its line without `chain`, LEN bytes
 * in RFC 8785 form and without the newline.  NEXT may be CHAIN itself. */
void fair_chain_next(const uint8_t chain[SHA256_SIZE],
                     const uint8_t salt[SHA256_SIZE], const char *line,
                     size_t len, uint8_t next[SHA256_SIZE]);

/* For play without a server, from a number the player can type (`--seed S`):
 * the seed is the hex of the hash of `sobremesa-offline S`, S in decimal.
 * SEED receives it with a NUL. */
void fair_seed_of_number(uint64_t number, char seed[FAIR_SEED_SIZE]);

/* The key of that seed with SEATS seats, none of which gave a nonce. */
void fair_key_of_number(uint64_t number, size_t seats,
                        uint8_t key[SHA256_SIZE]);

#endif
