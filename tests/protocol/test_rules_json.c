/* test_rules_json.c -- what is told of a game's numbers and words. */

#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "core/sha256.h"
#include "protocol/rules_json.h"

static json_t *told_in(const struct rules *r, const struct rules_asset *own,
                       const char *lang)
{
    struct json_out o;

    json_out_init(&o);
    json_rules(&o, NULL, r, own, lang);
    json_t *value = json_loads(json_out_text(&o), 0, NULL);
    cr_assert_not_null(value, "%s", r->name);
    json_out_done(&o);
    return value;
}

static json_t *told(const struct rules *r, const struct rules_asset *own)
{
    return told_in(r, own, NULL);
}

/* What a game says comes in all languages, or in the one that is wanted. */
Test(rules_json, languages)
{
    static const struct {
        const char *wanted, *got;
        size_t n;
    } all[] = {{NULL, "fr", 2},
               {"fr", "fr", 1},
               {"en", "en", 1},
               {"xx", "en", 1}};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        json_t *value = told_in(rules_find("hadara"), NULL, all[i].wanted);
        json_t *says = json_object_get(value, "says");
        cr_assert_eq(json_object_size(says), all[i].n);
        cr_assert_not_null(json_object_get(says, all[i].got));
        json_decref(value);
    }
}

/* The sentences that are computed of a replacement are those that the standard
 * tables bring along, if it is the same. */
Test(rules_json, doubts_are_notes)
{
    const struct rules *r = rules_find("hadara");
    json_t *standard = told(r, NULL), *own = told(r, &r->assets[0]);

    cr_assert_gt(json_array_size(json_object_get(standard, "notes")), 3);
    cr_assert(json_equal(json_object_get(standard, "notes"),
                         json_object_get(own, "notes")));
    json_decref(standard);
    json_decref(own);
}

/* Which tables are in force: the standard ones have a name. */
Test(rules_json, tables)
{
    static const struct rules_asset own = {NULL, "[medals]\n", 9};
    const struct rules *r = rules_find("hadara");
    char hex[2 * SHA256_SIZE + 1] = "";
    uint8_t hash[SHA256_SIZE];

    json_t *value = told(r, NULL);
    json_t *tables = json_object_get(value, "tables");
    cr_assert_str_eq(json_string_value(json_object_get(tables, "name")),
                     "standard");
    cr_assert_str_eq(json_string_value(json_object_get(tables, "csv")),
                     r->assets[0].text);
    cr_assert_eq(json_array_size(json_object_get(value, "boards")), 0);
    json_decref(value);

    value = told(r, &own);
    tables = json_object_get(value, "tables");
    sha256(own.text, own.len, hash);
    hex_write(hex, hash, SHA256_SIZE);
    cr_assert(json_is_null(json_object_get(tables, "name")));
    cr_assert_str_eq(json_string_value(json_object_get(tables, "hash")), hex);
    cr_assert_eq(json_array_size(json_object_get(value, "notes")), 0);
    json_decref(value);

    value = told(rules_find("hacienda"), NULL);
    cr_assert(json_is_null(json_object_get(value, "tables")));
    cr_assert_eq(json_array_size(json_object_get(value, "boards")), 4);
    json_decref(value);
}

/* What effects and cards do is told, word by word. */
Test(rules_json, glossary)
{
    json_t *value = told(rules_find("hadara"), NULL), *item;
    json_t *kind = json_array_get(json_object_get(value, "glossary"), 0);
    size_t i, found = 0;

    cr_assert_str_eq(json_string_value(json_object_get(kind, "kind")),
                     "effect");
    json_array_foreach(json_object_get(kind, "words"), i, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        const char *text = json_string_value(json_object_get(item, "text"));
        found += strcmp(name, "colony_coins") == 0 &&
                 strstr(text, "4 coins") != NULL;
    }
    cr_assert_eq(i, 18);
    cr_assert_eq(found, 1);
    json_decref(value);
}
