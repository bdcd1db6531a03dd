/* base.h -- the little that the core asks of its host.
 *
 * The core is built without a C library for the browser, so this is all of it:
 * memcpy and memset, and somewhere to go when an assertion fails. */

#ifndef CORE_BASE_H
#define CORE_BASE_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int byte, size_t n);

/* Supplied by each program: says what broke, and does not return. */
_Noreturn void core_panic(const char *file, int line, const char *what);

/* For bugs, never for input.  Stays on in every build; the page, where words
 * weigh, is told the place alone. */
#ifdef __wasm__
#define ASSERT(cond) \
    ((cond) ? (void)0 : core_panic(__FILE__, __LINE__, "assertion"))
#else
#define ASSERT(cond) ((cond) ? (void)0 : core_panic(__FILE__, __LINE__, #cond))
#endif

/* A sentence for people in the tables of a game.  The page has these from the
 * server, which tells them in rules.info. */
#ifdef __wasm__
#define SAYS(sentence) ""
#else
#define SAYS(sentence) sentence
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
