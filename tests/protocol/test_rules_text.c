/* test_rules_text.c -- the rules for people: there for every game, made of what
 * programs can show, and true where that can be counted. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/rules_text.h"
#include "tests/support/doc.h"
#include "tests/support/rules_page.h"

static struct page_table table;

/* ---- what pages are made of -------------------------------------------- */

/* Every game has both pages in English, under its title. */
Test(rules_text, there_for_every_game)
{
    static const char *const details[] = {"summary", "detailed"};
    char title[128];

    for (size_t i = 0; rules_all[i] != NULL; i++) {
        for (size_t k = 0; k < COUNT_OF(details); k++) {
            const char *text = page_text(rules_all[i]->name, details[k]);
            snprintf(title, sizeof(title), "# %s in %s\n", rules_all[i]->title,
                     k == 0 ? "short" : "full");
            cr_assert_eq(strncmp(text, title, strlen(title)), 0, "%s", title);
        }
    }
    for (const struct rules_text *t = rules_texts; t->game != NULL; t++) {
        cr_assert_not_null(rules_find(t->game), "%s", t->game);
        cr_assert_eq(t, rules_text_find(t->game, t->detail, t->lang));
        cr_assert_lt(strlen(t->text), 65536);
    }
}

/* A region does not matter, and English does for what there is not. */
Test(rules_text, languages)
{
    static const struct {
        const char *game, *lang, *is;
    } cases[] = {
        {"hacienda", "fr", "fr"},    {"hacienda", "fr-CA", "fr"},
        {"hacienda", "FR_be", "fr"}, {"hacienda", "de", "en"},
        {"hacienda", "f", "en"},     {"hacienda", "", "en"},
        {"hacienda", "frr", "en"},   {"hacienda", "en-GB", "en"},
        {"hadara", "fr", "en"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_assert_str_eq(
            rules_text_find(cases[i].game, "summary", cases[i].lang)->lang,
            cases[i].is, "%s", cases[i].lang);
    cr_assert_null(rules_text_find("chess", "summary", NULL));
    cr_assert_null(rules_text_find("hacienda", "short", NULL));
}

static size_t cells(const char *line, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += line[i] == '|';
    return n;
}

/* Pairs of marks within N bytes; emphasis does not cross a paragraph. */
static void check_marks(const char *text, size_t n)
{
    size_t ticks = 0, stars = 0;

    for (size_t i = 0; i < n; i++) {
        ticks += text[i] == '`';
        if (text[i] == '*') {
            cr_assert(i + 1 < n && text[i + 1] == '*', "%.*s", (int)n, text);
            stars++;
            i++;
        }
    }
    cr_assert_eq(ticks % 2, 0, "%.*s", (int)n, text);
    cr_assert_eq(stars % 2, 0, "%.*s", (int)n, text);
}

/* Only headings, paragraphs, lists of one level, tables, **words** and `words`:
 * the kinds of Markdown that every client shows. */
Test(rules_text, plain_kinds_of_markdown)
{
    for (const struct rules_text *t = rules_texts; t->game != NULL; t++) {
        size_t columns = 0, begun = 0;
        for (const char *at = t->text; *at != '\0';) {
            size_t n = strcspn(at, "\n");
            size_t offset = (size_t)(at - t->text);
            bool is_row = at[0] == '|';
            cr_assert(is_row || n <= 80, "%s: %.*s", t->game, (int)n, at);
            cr_assert(n == 0 || at[n - 1] != ' ', "%.*s", (int)n, at);
            cr_assert_null(memchr(at, '\t', n));
            cr_assert_neq(at[0], '>', "%.*s", (int)n, at);
            cr_assert_null(memmem(at, n, "](", 2), "%.*s", (int)n, at);
            cr_assert_null(memmem(at, n, "<", 1), "%.*s", (int)n, at);
            if (at[0] == '#')
                cr_assert(strncmp(at, "# ", 2) == 0 ||
                          strncmp(at, "## ", 3) == 0 ||
                          strncmp(at, "### ", 4) == 0);
            if (is_row) {
                cr_assert(columns == 0 || columns == cells(at, n), "%.*s",
                          (int)n, at);
                columns = cells(at, n);
                cr_assert_leq(columns, PAGE_CELLS_MAX + 1);
            } else {
                columns = 0;
            }
            if (n == 0) {
                check_marks(t->text + begun, offset - begun);
                begun = offset;
            }
            at += n + 1;
        }
    }
}

/* ---- what they speak of ------------------------------------------------- */

static bool speaks_of(const char *text, const char *word)
{
    char marked[128];
    snprintf(marked, sizeof(marked), "`%s`", word);
    return strstr(text, marked) != NULL;
}

/* The detailed page names every move and option, and what the options are. */
Test(rules_text, every_verb_and_option)
{
    for (size_t i = 0; rules_all[i] != NULL; i++) {
        const struct rules *r = rules_all[i];
        const char *text = page_text(r->name, "detailed");
        char seats[64];
        for (const struct rules_word *w = r->verbs; w->name != NULL; w++)
            cr_assert(w->nature || speaks_of(text, w->name), "%s: %s", r->name,
                      w->name);
        for (const struct rules_option *o = r->options; o->name; o++) {
            cr_assert(speaks_of(text, o->name), "%s: %s", r->name, o->name);
            for (int v = 0; o->words != NULL && v <= o->max - o->min; v++)
                cr_assert(speaks_of(text, o->words[v]), "%s", o->words[v]);
        }
        for (const struct rules_part *p = r->parts; p->name != NULL; p++)
            cr_assert_not_null(strcasestr(text, p->name[0] == 'i' &&
                                                        p->name[1] == 'n'
                                                    ? "interim"
                                                    : p->name),
                               "%s: %s", r->name, p->name);
        snprintf(seats, sizeof(seats), "%d to %d players", r->seats_min,
                 r->seats_max);
        if (r->seats_min == r->seats_max)
            snprintf(seats, sizeof(seats), "%d players", r->seats_min);
        cr_assert_not_null(strstr(text, seats), "%s: %s", r->name, seats);
    }
}

/* ---- a table against what is played --------------------------------------- */

/* The number NAME in the object WITHIN of what is shown of a table. */
static int shown(const struct doc *doc, const char *within, const char *name)
{
    int i = 0;
    while (i < doc->used && strcmp(doc->node[i].name, within) != 0)
        i++;
    while (i < doc->used && strcmp(doc->node[i].name, name) != 0)
        i++;
    cr_assert_lt(i, doc->used, "%s/%s", within, name);
    return (int)doc->node[i].number;
}

/* Sets a table of Hacienda up and deals. */
static void deal(struct doc *doc, int seats)
{
    static const uint8_t key[RNG_SEED_SIZE] = "rules";
    static struct rules_events events;
    static union rules_any any;
    const struct rules *r = rules_find("hacienda");
    struct rules_setup setup = {.seats = seats};
    struct rules_move move;
    struct rng rng;

    cr_assert_eq(rules_setup(r, &any.state, &setup, NULL), RULES_OK);
    rng_init(&rng, key, 0);
    while (any.state.acting & RULES_BIT(RULES_NATURE)) {
        rules_chance(r, &any.state, &rng, &move);
        cr_assert_eq(rules_apply(r, &any.state, RULES_NATURE, &move, &events),
                     RULES_OK);
    }
    doc_show(doc, r, &any.state);
}

/* Hacienda's table of the setup, against tables that are set up. */
Test(rules_text, numbers_of_hacienda)
{
    struct doc doc = doc_new();
    const char *langs[] = {"en", "fr"};

    page_table(page_text("hacienda", "detailed"), "| players | 2 |", &table);
    cr_assert_eq(table.rows, 4);
    for (int seats = 2; seats <= 5; seats++) {
        int column = seats - 1;
        deal(&doc, seats);
        cr_assert_eq(page_number(&table, 0, column),
                     shown(&doc, "animals_removed", "animals_removed"));
        cr_assert_eq(page_number(&table, 1, column),
                     shown(&doc, "left", "haciendas"));
        cr_assert_eq(page_number(&table, 2, column),
                     shown(&doc, "supply", "land"));
        cr_assert_eq(page_number(&table, 3, column),
                     shown(&doc, "supply", "animals"));
        cr_assert_eq(page_number(&table, 3, column),
                     shown(&doc, "animals_aside", "animals_aside"));
    }
    doc_free(&doc);
    /* Both summaries name the same prices in the same order. */
    for (size_t i = 0; i < COUNT_OF(langs); i++) {
        const char *text =
            rules_text_find("hacienda", "summary", langs[i])->text;
        static const int prices[] = {2, 3, 12, 12};
        page_table(text, "| action |", &table);
        cr_assert_eq(table.rows, 7);
        for (size_t k = 0; k < COUNT_OF(prices); k++)
            cr_assert_eq(atoi(table.cell[k][1]), prices[k], "%s", langs[i]);
    }
}
