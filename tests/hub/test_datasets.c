/* test_datasets.c -- an operator's own numbers for a game: new tables have them,
 * say so, and keep them whatever the operator has tomorrow. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sha256.h"
#include "core/text.h"
#include "tests/support/test_client.h"

static struct test_client d;
static peer_id anna, bert;
static char own[32768], hash[2 * SHA256_SIZE + 1];
/* The first is another game's, so that each game's own has to be found. */
static struct dataset sets[] = {{.game = "chess"}, {.game = "hadara"}, {0}};

/* The standard numbers but for one: a gold medal costs 8 in the first
 * epoch. */
static void begin(void)
{
    const struct rules *r = rules_find("hadara");
    const char *text = r->assets[0].text;
    const char *at = strstr(text, "\n1,5,7,5,7,");
    uint8_t sum[SHA256_SIZE];

    cr_assert_not_null(at);
    snprintf(own, sizeof(own), "%.*s\n1,5,8,5,8,%s", (int)(at - text), text,
             at + strlen("\n1,5,7,5,7,"));
    sha256(own, strlen(own), sum);
    hex_write(hash, sum, SHA256_SIZE);
    sets[1].asset = (struct rules_asset){.text = own, .len = strlen(own)};
    test_client_open(&d, 61);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    d.world.config.idle_table_ms = 1000;
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(datasets, .init = begin, .fini = end, .timeout = 600);

/* From now on the operator has these, or none. */
static void operator_has(const struct dataset *datasets)
{
    d.world.config.datasets = datasets;
    hub_configure(d.world.hub, &d.world.config);
}

static void create(const char *game, char table[16])
{
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i}",
                                   "game", game, "seats", 2);

    FINE(made);
    snprintf(table, 16, "%s", test_client_text(made, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
}

/* What table.get says of the table's numbers; its board is none. */
static const json_t *numbers(const char *table)
{
    const json_t *got = test_client_member(
        test_client_ask(&d, bert, "table.get", "{s:s}", "table", table),
        "table");

    cr_assert(json_is_null(json_object_get(got, "board")));
    return json_object_get(got, "tables");
}

/* What the header of the table's record has of them. */
static json_t *in_record(const char *table)
{
    char *text = test_client_record(&d, bert, table, NULL), why[256];

    cr_assert(test_client_verify(text, why, sizeof(why)), "%s", why);
    json_t *header = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL);
    cr_assert(json_is_null(json_object_get(header, "board")));
    json_t *tables = json_incref(json_object_get(header, "tables"));
    json_decref(header);
    free(text);
    return tables;
}

/* A table that is made while the operator has own numbers is played with them
 * to its end, also when it was out of memory and they have others; it says
 * which they are, and its record holds them. */
Test(datasets, kept)
{
    char with[16], without[16], other[16];
    struct hub_counts counts;

    operator_has(sets);
    create("hadara", with);
    create("tictactoe", other);
    cr_assert_str_eq(json_string_value(numbers(with)), hash);
    cr_assert(json_is_null(numbers(other)));
    operator_has(NULL);
    create("hadara", without);
    cr_assert(json_is_null(numbers(without)));
    test_client_wait(&d, 5000);
    hub_counts(d.world.hub, &counts);
    cr_assert_eq(counts.tables, 0, "all are out of memory");
    cr_assert_str_eq(json_string_value(numbers(with)), hash);
    FINE(test_client_ask(&d, bert, "table.resign", "{s:s}", "table", with));
    FINE(test_client_ask(&d, bert, "table.resign", "{s:s}", "table", without));
    json_t *tables = in_record(with);
    cr_assert_eq(json_object_size(tables), 1);
    cr_assert_str_eq(json_string_value(json_object_get(tables, "csv")), own);
    json_decref(tables);
    tables = in_record(without);
    cr_assert(tables == NULL || json_is_null(tables));
    json_decref(tables);
}
