#include "table_state.h"

#include <stdbool.h>
#include <string.h>

#include "core/base.h"

static const char *const words[] = {TABLE_STATES};

const char *table_state_word(int state)
{
    bool known = state >= 0 && state < (int)COUNT_OF(words);
    return words[known ? state : TABLE_ARCHIVED];
}

int table_state_read(const char *word)
{
    for (int i = 0; i < (int)COUNT_OF(words); i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}
