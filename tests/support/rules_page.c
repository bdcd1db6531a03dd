#include "rules_page.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/rules_text.h"

const char *page_text(const char *game, const char *detail)
{
    const struct rules_text *t = rules_text_find(game, detail, NULL);
    cr_assert_not_null(t, "%s %s", game, detail);
    return t->text;
}

void page_table(const char *text, const char *head, struct page_table *t)
{
    const char *at = strstr(text, head);

    memset(t, 0, sizeof(*t));
    cr_assert_not_null(at, "%s", head);
    for (at = strchr(at, '\n') + 1; *at == '|'; at = strchr(at, '\n') + 1) {
        if (at[1] == '-')
            continue;
        const char *from = at + 2;
        for (int i = 0; *from != '\n' && i < PAGE_CELLS_MAX; i++) {
            const char *to = strchr(from, '|');
            snprintf(t->cell[t->rows][i], PAGE_CELL_SIZE, "%.*s",
                     (int)(to - from - 1), from);
            from = to + 1 + (to[1] == ' ');
        }
        t->rows++;
    }
}

int page_number(const struct page_table *t, int row, int column)
{
    char *end;
    long n = strtol(t->cell[row][column], &end, 10);
    cr_assert(end != t->cell[row][column] && *end == '\0', "'%s'",
              t->cell[row][column]);
    return (int)n;
}
