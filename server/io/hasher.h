/* hasher.h -- passwords, on threads of their own.
 *
 * argon2id takes 20 ms and 19 MiB; so it is done on cores - 1 threads (at
 * least one), neither on the loop nor on what serves the store, and the line
 * of those waiting is short, with few places in it for each address. */

#ifndef SERVER_IO_HASHER_H
#define SERVER_IO_HASHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASHER_WAITING_MAX 64
#define HASHER_SOURCE_MAX  4

struct hasher;

/* HASH is NULL if PASSWORD was compared. */
typedef void (*hasher_done_cb)(void *context, uint64_t id, const char *hash,
                               bool fits);

/* WAKE may be called on any thread; then hasher_poll() is to be called.  NULL
 * if threads cannot be had. */
struct hasher *hasher_new(void *context, void (*wake)(void *context),
                          hasher_done_cb done);
void hasher_free(struct hasher *h);
/* As host.h's hash(). */
bool hasher_add(struct hasher *h, uint64_t id, uint64_t source,
                const char *password, size_t len, const char *against);
void hasher_poll(struct hasher *h);
/* How many passwords wait. */
size_t hasher_waiting(struct hasher *h);

#endif
