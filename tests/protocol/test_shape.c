/* test_shape.c -- what a server says is made harmless by the shape it should
 * have, and what is as it should be stays as it is. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/game_json.h"
#include "protocol/methods.h"

#define BAD "\xef\xbf\xbd"

static json_t *cleaned(const struct shape *shape, const char *text)
{
    char why[JSON_EXPECTED_MAX];
    json_t *value = json_parse(text, strlen(text), why);

    cr_assert_not_null(value, "%s", why);
    shape_clean(shape, value);
    return value;
}

static void becomes(const struct shape *shape, const char *text,
                    const char *wanted)
{
    json_t *value = cleaned(shape, text);
    char *is = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);

    cr_assert_str_eq(is, wanted);
    free(is);
    json_decref(value);
}

/* A line has no line feeds, a text has, a name is letters and digits; what is
 * not known is a line, and so is what stands where something else should. */
Test(shape, cleaned)
{
    const struct shape *texts = &methods[M_TABLE_TEXTS].result;
    const struct shape *rules = &methods[M_RULES_TEXT].result;

    becomes(texts,
            "{\"texts\":[{\"body\":\"a\\n\\u001bb\\u0000c\",\"from\":\"x\\ny "
            "\",\"room\":\"\\u202e\",\"new\":\"a\\nb\"}],\"more\":true}",
            "{\"more\":true,\"texts\":[{\"body\":\"a\\n" BAD "b" BAD
            "c\",\"from\":\"x?y?\",\"new\":\"a" BAD "b\",\"room\":\"" BAD
            "\"}]}");
    becomes(rules, "{\"lang\":\"e\\nn\",\"text\":\"# A\\n\\u009bB\"}",
            "{\"lang\":\"e" BAD "n\",\"text\":\"# A\\n" BAD "B\"}");
    becomes(texts, "[[\"a\\nb\"],{\"x\":[\"\\n\"]}]",
            "[[\"a" BAD "b\"],{\"x\":[\"" BAD "\"]}]");
    becomes(NULL, "{\"reason\":\"a\\nb\",\"why\":{\"x\":\"\\u2028\"}}",
            "{\"reason\":\"a" BAD "b\",\"why\":{\"x\":\"" BAD "\"}}");
}

/* A member whose name cannot be shown is none that anybody knows. */
Test(shape, names)
{
    becomes(NULL, "{\"a\":1,\"\\u001b[2J\":2,\"b\\n\":3,\"\\u202e\":4}",
            "{\"a\":1}");
    becomes(&methods[M_RULES_INFO].result, "{\"a\":{\"\\n\":1}}",
            "{\"a\":{}}");
}

/* All that the shape takes is left alone: files, lines of JSON, other scripts,
 * numbers. */
Test(shape, left_alone)
{
    static const char table[] =
        "{\"table\":{\"board_text\":\"[Control]\\r\\n\\tx\","
        "\"seats\":[{\"acting\":true,\"name\":\"ana\"}]}}";
    static const char rules[] = "{\"tables\":{\"csv\":\"a,b\\r\\nc\"}}";
    static const char stored[] =
        "{\"rows\":[{\"body\":\"a\\nb\\u001B\",\"x\":[\"\xe2\x80\xae\"]}]}";
    static const char record[] =
        "{\"lines\":[\"{\\\"haz\\\":\\\"\xe2\x80\xae\\\"}\"]}";

    becomes(&methods[M_TABLE_GET].result, table, table);
    becomes(&methods[M_TABLE_RECORD].result, record, record);
    becomes(&methods[M_RULES_INFO].result, rules, rules);
    becomes(&methods[M_ADMIN_USERS_EXPORT].result, stored, stored);
    becomes(
        NULL,
        "{\"a\":\"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xc3\xa9\",\"b\":-1.5}",
        "{\"a\":\"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xc3\xa9\",\"b\":-1.5}");
}
