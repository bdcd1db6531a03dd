#include "map.h"

#include <stdlib.h>

#include "core/base.h"

#define SIZE_MIN 16

/* Keys may be chosen by strangers only where they are random ids; the mixing
 * is for those that count up. */
static size_t home(const struct map *m, uint64_t key)
{
    key ^= key >> 32;
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(key >> 32) & (m->size - 1);
}

static size_t find(const struct map *m, uint64_t key)
{
    size_t i = home(m, key);
    while (m->slots[i].key != 0 && m->slots[i].key != key)
        i = (i + 1) & (m->size - 1);
    return i;
}

static void grow(struct map *m)
{
    struct map old = *m;

    m->size = old.size ? 2 * old.size : SIZE_MIN;
    m->slots = calloc(m->size, sizeof(*m->slots));
    ASSERT(m->slots != NULL);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].key != 0)
            m->slots[find(m, old.slots[i].key)] = old.slots[i];
    free(old.slots);
}

void map_done(struct map *m)
{
    free(m->slots);
    *m = (struct map){0};
}

void *map_get(const struct map *m, uint64_t key)
{
    return m->size == 0 ? NULL : m->slots[find(m, key)].value;
}

void map_put(struct map *m, uint64_t key, void *value)
{
    ASSERT(key != 0 && value != NULL);
    if (4 * (m->count + 1) > 3 * m->size)
        grow(m);
    size_t i = find(m, key);
    m->count += m->slots[i].key == 0;
    m->slots[i] = (struct map_slot){key, value};
}

void *map_take(struct map *m, uint64_t key)
{
    if (m->size == 0)
        return NULL;
    size_t hole = find(m, key), mask = m->size - 1;
    void *value = m->slots[hole].value;
    if (m->slots[hole].key == 0)
        return NULL;
    m->count--;
    /* What follows moves back if the hole lies on its way. */
    for (size_t i = (hole + 1) & mask; m->slots[i].key != 0;
         i = (i + 1) & mask) {
        size_t from = home(m, m->slots[i].key);
        if (((i - from) & mask) >= ((i - hole) & mask)) {
            m->slots[hole] = m->slots[i];
            hole = i;
        }
    }
    m->slots[hole] = (struct map_slot){0};
    return value;
}

void *map_next(const struct map *m, size_t *at)
{
    while (*at < m->size) {
        const struct map_slot *slot = &m->slots[(*at)++];
        if (slot->key != 0)
            return slot->value;
    }
    return NULL;
}

uint64_t map_key(uint64_t key, unsigned char byte)
{
    return (key ^ byte) * UINT64_C(0x100000001b3);
}
