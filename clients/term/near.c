#include "near.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/ascii.h"

#define LETTERS_MAX 31 /* of words that are compared */

struct near near_to(const char *text, size_t len)
{
    /* A third of the letters may be wrong; of a short word, one. */
    return (struct near){
        .text = text,
        .len = len,
        .wrong = (len / 3 > 1 ? len / 3 : 1) + 1,
    };
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return ascii_lower(a) == ascii_lower(b);
}

/* How many letters were put in, left out, changed, or exchanged with the one
 * behind them to make B of A: row[i % 3][k] is that of the first I letters of
 * A and K of B. */
static size_t distance(const char *a, size_t a_len, const char *b,
                       size_t b_len)
{
    size_t row[3][LETTERS_MAX + 1] = {{0}};

    for (size_t k = 0; k <= b_len; k++)
        row[0][k] = k;
    for (size_t i = 1; i <= a_len; i++) {
        size_t *now = row[i % 3];
        const size_t *before = row[(i - 1) % 3], *twice = row[(i + 1) % 3];
        now[0] = i;
        for (size_t k = 1; k <= b_len; k++) {
            now[k] = least(least(before[k], now[k - 1]) + 1,
                           before[k - 1] + !same(a[i - 1], b[k - 1]));
            if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) &&
                same(a[i - 2], b[k - 1]))
                now[k] = least(now[k], twice[k - 2] + 1);
        }
    }
    return row[a_len % 3][b_len];
}

void near_try(struct near *n, const char *word)
{
    size_t len = strlen(word);

    if (n->len > LETTERS_MAX || len > LETTERS_MAX)
        return;
    size_t wrong = distance(n->text, n->len, word, len);
    /* Nothing of it right is no likeness. */
    if (wrong < n->wrong && wrong < len) {
        n->wrong = wrong;
        n->best = word;
    }
}

const char *near_hint(const struct near *n, char *buf, size_t cap)
{
    buf[0] = '\0';
    if (n->best != NULL)
        (void)snprintf(buf, cap, _("; did you mean %s?"), n->best);
    return buf;
}
