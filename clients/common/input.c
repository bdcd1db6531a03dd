#include "input.h"

#include <stdbool.h>
#include <string.h>

#include "core/base.h"

enum input input_line(FILE *file, char *to, size_t size, size_t *ret_len)
{
    size_t n = 0;
    int c;

    ASSERT(size > 0);
    /* Room for "\r" as well, which does not stay. */
    while ((c = getc(file)) != EOF && c != '\n' && n < size)
        to[n++] = (char)c;
    bool more = c != EOF && c != '\n';
    bool none = c == EOF && n == 0;
    if (!more && n > 0 && to[n - 1] == '\r')
        n--;
    bool fits = !more && n < size;
    if (!fits)
        n = size - 1;
    to[n] = '\0';
    *ret_len = n;
    return none                          ? INPUT_END
           : memchr(to, '\0', n) != NULL ? INPUT_NUL
           : fits                        ? INPUT_LINE
                                         : INPUT_LONG;
}
