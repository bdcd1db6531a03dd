/* near.h -- which word somebody meant who typed another one.
 *
 *     struct near n = near_to(text, len);
 *     near_try(&n, ...)      each word that there is
 *     n.best                 the nearest, or NULL if none is near enough */

#ifndef TERM_NEAR_H
#define TERM_NEAR_H

#include <stddef.h>

struct near {
    const char *text; /* what was typed, LEN bytes of it */
    size_t len;
    const char *best; /* of those tried; NULL: none is near */
    size_t wrong;     /* letters by which it differs */
};

struct near near_to(const char *text, size_t len);
void near_try(struct near *n, const char *word);

/* "; did you mean BEST?", or "" where nothing is near; cut at CAP. */
const char *near_hint(const struct near *n, char *buf, size_t cap);

#endif
