/* hasher.h -- passwords, on threads of their own.
 *
 * argon2id takes 20 ms and 19 MiB; so it is done on cores - 1 threads (at
 * least one), neither on the loop nor on what serves the store.
 *
 * Who waits stands in the queue of what the password is for (hub/host.h).  The
 * queues are served in turns, log-ins every other time, so a flood of one kind
 * slows the others by a known factor and takes none of their places.  Within a
 * queue an address that has nobody waiting finds a place until all are taken;
 * its second needs half of them to be free, its third three quarters, its
 * fourth seven eighths.  So one address, or thirty that flood, leave places for
 * the next, and while nobody floods a household logs in at once. */

#ifndef SERVER_IO_HASHER_H
#define SERVER_IO_HASHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/hub/host.h"

/* In a queue: at worst some five seconds' work on one thread. */
#define HASHER_WAITING_MAX 64u
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
bool hasher_add(struct hasher *h, uint64_t id, enum hash_kind kind,
                uint64_t source, const char *password, size_t len,
                const char *against);
void hasher_poll(struct hasher *h);
/* How many passwords wait. */
size_t hasher_waiting(struct hasher *h);

#endif
