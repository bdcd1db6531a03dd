/* memory.h -- memory and randomness for a client.  Where the system has none
 * left, the process ends. */

#ifndef COMMON_MEMORY_H
#define COMMON_MEMORY_H

#include <stddef.h>

/* SIZE bytes, zeroed. */
void *must_alloc(size_t size);
/* ITEMS with room for one more than COUNT of SIZE bytes each; *CAP is how many
 * there is room for. */
void *must_grow(void *items, size_t count, size_t *cap, size_t size);
/* LEN bytes of TEXT, terminated. */
char *must_copy(const char *text, size_t len);

/* N bytes, at most 256, from the system's chance. */
void bytes_random(void *out, size_t n);

#endif
