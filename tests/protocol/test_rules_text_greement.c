/* test_rules_text_greement.c -- what Greement's page says, against the numbers
 * that are played with. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/games/greement/parts.h"
#include "tests/support/rules_page.h"

static struct page_table table;

/* "VALUE + 1" in TEXT counts 1, "VALUE - 2" counts -2; 0 if it is not there. */
static int change_of(const char *text, const char *value)
{
    const char *at = strstr(text, value);
    if (at == NULL)
        return 0;
    at += strlen(value);
    cr_assert(strncmp(at, " + ", 3) == 0 || strncmp(at, " - ", 3) == 0, "%s",
              text);
    return at[1] == '+' ? atoi(at + 3) : -atoi(at + 3);
}

Test(rules_text, numbers_of_greement)
{
    const char *text = page_text("greement", "detailed");
    int changes[VALUES];

    page_table(text, "| value | start |", &table);
    cr_assert_eq(table.rows, VALUES);
    for (int i = 0; i < VALUES; i++) {
        char word[64];
        snprintf(word, sizeof(word), "`%s`", greement_value_words[i]);
        cr_assert_str_eq(table.cell[i][0], word);
        cr_assert_eq(page_number(&table, i, 1), greement_start_values[i]);
    }
    page_table(text, "| card | copies |", &table);
    cr_assert_eq(table.rows, CARDS);
    for (int i = 0; i < CARDS; i++) {
        cr_assert_str_eq(table.cell[i][0], greement_card_words[i]);
        cr_assert_eq(page_number(&table, i, 1), greement_cards(i));
    }
    page_table(text, "| cards | effect |", &table);
    cr_assert_eq(table.rows, EVENT_DISEASE);
    for (int i = 0; i < table.rows; i++) {
        const struct greement_event_card *is = &greement_event_deck[i];
        cr_assert_eq(page_number(&table, i, 0), is->cards);
        memset(changes, 0, sizeof(changes));
        for (size_t k = 0; k < COUNT_OF(is->change); k++)
            if (is->change[k].by != 0)
                changes[is->change[k].value] = is->change[k].by;
        for (int v = 0; v < VALUES; v++)
            cr_assert_eq(change_of(table.cell[i][1], greement_value_words[v]),
                         changes[v], "%s: %s", greement_event_words[i],
                         greement_value_words[v]);
    }
    page_table(text, "| cards | price | event |", &table);
    cr_assert_eq(table.rows, EVENTS - EVENT_DISEASE);
    for (int i = 0; i < table.rows; i++) {
        int event = EVENT_DISEASE + i;
        cr_assert_eq(page_number(&table, i, 0), greement_event_cards(event));
        cr_assert_eq(page_number(&table, i, 1), greement_event_price(event));
    }
}
