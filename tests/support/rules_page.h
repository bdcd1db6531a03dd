/* rules_page.h -- tables in the rules for people, for tests of what they say. */

#ifndef TESTS_SUPPORT_RULES_PAGE_H
#define TESTS_SUPPORT_RULES_PAGE_H

enum { PAGE_ROWS_MAX = 64, PAGE_CELLS_MAX = 8, PAGE_CELL_SIZE = 512 };

/* The rows of a table without its head. */
struct page_table {
    char cell[PAGE_ROWS_MAX][PAGE_CELLS_MAX][PAGE_CELL_SIZE];
    int rows;
};

/* The page of GAME in English; without one the test fails, as it does
 * wherever these do not find what they are asked for. */
const char *page_text(const char *game, const char *detail);

/* The table in TEXT whose head begins with HEAD. */
void page_table(const char *text, const char *head, struct page_table *t);

/* The number that is the cell in ROW and COLUMN, both from 0. */
int page_number(const struct page_table *t, int row, int column);

#endif
