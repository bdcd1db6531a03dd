/* test_rules_text_hadara.c -- what Hadara's page says, against the numbers that
 * are played with. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/games/hadara/hadara.h"
#include "tests/support/rules_page.h"

static struct page_table table;

static void numbers(const struct page_table *t, int row, int column,
                    const uint8_t *is, int count)
{
    for (int i = 0; i < count; i++)
        cr_assert_eq(page_number(t, row, column + i), is[i],
                     "row %d, column %d", row, column + i);
}

Test(rules_text, numbers_of_hadara)
{
    const struct hadara_tables *is = &hadara_standard[hadara_versions - 1];
    const char *text = page_text("hadara", "detailed");

    page_table(text, "| initiative | side |", &table);
    cr_assert_eq(table.rows, HADARA_SETUPS * SIDES);
    for (int i = 0; i < table.rows; i++) {
        const struct hadara_setup *s = &is->setup[i / SIDES][i % SIDES];
        cr_assert_eq(page_number(&table, i, 0), i / SIDES + 1);
        cr_assert_str_eq(table.cell[i][1], i % SIDES == SIDE_A ? "A" : "B");
        cr_assert_eq(page_number(&table, i, 2), s->coins);
        numbers(&table, i, 3, s->value, TRACKS);
    }
    page_table(text, "| level | military |", &table);
    cr_assert_eq(table.rows, HADARA_LEVELS);
    for (int i = 0; i < table.rows; i++) {
        const struct hadara_level *l = &is->level[i];
        numbers(&table, i, 1,
                (uint8_t[]){l->requirement, l->plunder, l->integrate,
                            l->points},
                4);
    }
    page_table(text, "| statue | culture |", &table);
    cr_assert_eq(table.rows, HADARA_STATUES);
    for (int i = 0; i < table.rows; i++) {
        const struct hadara_statue *s = &is->statue[i];
        numbers(&table, i, 1, (uint8_t[]){s->requirement, s->points, s->bonus},
                3);
    }
    page_table(text, "| epoch | silver | gold |", &table);
    cr_assert_eq(table.rows, HADARA_EPOCHS);
    for (int i = 0; i < table.rows; i++) {
        const struct hadara_prices *p = &is->prices[i];
        numbers(&table, i, 1,
                (uint8_t[]){p->silver, p->gold, p->silver_reduced,
                            p->gold_reduced},
                4);
    }
}

/* Hadara's effects all stand there, with their epoch and star. */
Test(rules_text, every_effect)
{
    static const char *const epochs[] = {"I", "II", "III"};
    const char *text = page_text("hadara", "detailed");
    char row[128];

    for (int effect = 0; effect < EFFECTS; effect++) {
        snprintf(row, sizeof(row), "| `%s` | %s%s |",
                 hadara_effect_words[effect],
                 epochs[effect / EFFECTS_PER_EPOCH],
                 hadara_effect_starred(effect) ? ", star" : "");
        cr_assert_not_null(strstr(text, row), "%s", row);
    }
}
