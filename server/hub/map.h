/* map.h -- from numbers to things: peers, tables, accounts, what is pending.
 *
 * Open addressing, linear probing, backward shift; keys are not 0.  The map
 * does not own what it points to. */

#ifndef SERVER_HUB_MAP_H
#define SERVER_HUB_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map {
    struct map_slot {
        uint64_t key; /* 0: empty */
        void *value;
    } * slots;
    size_t size; /* a power of two, or 0 */
    size_t count;
};

void map_done(struct map *m);
/* The value of KEY, or NULL. */
void *map_get(const struct map *m, uint64_t key);
/* Sets it; VALUE is not NULL. */
void map_put(struct map *m, uint64_t key, void *value);
/* Removes KEY and returns its value, or NULL. */
void *map_take(struct map *m, uint64_t key);
/* The next value from slot *AT on (0 to begin with), or NULL at the end.
 * Values may be changed on the way, the map not. */
void *map_next(const struct map *m, size_t *at);

/* A key for a text: from MAP_KEY_START on, one byte after the other (FNV-1a).
 * Somebody may choose texts that have the same, or 0. */
#define MAP_KEY_START UINT64_C(0xcbf29ce484222325)
uint64_t map_key(uint64_t key, unsigned char byte);

#endif
