#include "pointer.h"

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"

bool pointer_name(char *path, size_t cap, const char *name)
{
    size_t start = strlen(path), at = start, len = strlen(name);

    if (utf8_printable_len(name, len, false) < len || at + 1 >= cap)
        return false;
    path[at++] = '/';
    for (; *name != '\0' && at + 2 < cap; name++) {
        if (*name == '~' || *name == '/') {
            path[at++] = '~';
            path[at++] = *name == '~' ? '0' : '1';
        } else {
            path[at++] = *name;
        }
    }
    path[*name == '\0' ? at : start] = '\0';
    return *name == '\0';
}

bool pointer_index(char *path, size_t cap, size_t index)
{
    char digits[24];

    (void)snprintf(digits, sizeof(digits), "%zu", index);
    return pointer_name(path, cap, digits);
}

void pointer_within(char *path, size_t cap, const char *prefix)
{
    size_t before = strlen(prefix), len = strlen(path);

    ASSERT(before < cap);
    while (before + len >= cap)
        do
            len--;
        while (path[len] != '/');
    memmove(path + before, path, len);
    memcpy(path, prefix, before);
    path[before + len] = '\0';
}
