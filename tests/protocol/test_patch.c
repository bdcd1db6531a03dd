/* JSON Patch as RFC 6902 has it: the examples of its appendix A, what cannot be
 * done, and that what cannot be done changes nothing. */

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "protocol/patch.h"

static json_t *parse(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    cr_assert_not_null(value, "%s", text);
    return value;
}

/* Applies PATCH to DOCUMENT; WANTED is what that makes, NULL: nothing. */
static void try(const char *what, const char *document, const char *patch,
                const char *wanted)
{
    char why[PATCH_WHY_MAX] = "";
    json_t *before = parse(document), *copy = json_deep_copy(before);
    json_t *operations = parse(patch);
    json_t *made = patch_apply(before, operations, why);

    cr_expect(json_equal(before, copy), "%s: the document stays", what);
    if (wanted == NULL) {
        cr_expect_null(made, "%s: it cannot be done", what);
        cr_expect_neq(why[0], '\0', "%s: and why is said", what);
    } else {
        json_t *value = parse(wanted);
        cr_expect(made != NULL && json_equal(made, value), "%s: %s", what,
                  why);
        json_decref(value);
    }
    json_decref(made);
    json_decref(operations);
    json_decref(copy);
    json_decref(before);
}

Test(patch, examples_of_the_appendix)
{
    static const char *const examples[][4] = {
        {"A.1", "{\"foo\":\"bar\"}",
         "[{\"op\":\"add\",\"path\":\"/baz\",\"value\":\"qux\"}]",
         "{\"baz\":\"qux\",\"foo\":\"bar\"}"},
        {"A.2", "{\"foo\":[\"bar\",\"baz\"]}",
         "[{\"op\":\"add\",\"path\":\"/foo/1\",\"value\":\"qux\"}]",
         "{\"foo\":[\"bar\",\"qux\",\"baz\"]}"},
        {"A.3", "{\"baz\":\"qux\",\"foo\":\"bar\"}",
         "[{\"op\":\"remove\",\"path\":\"/baz\"}]", "{\"foo\":\"bar\"}"},
        {"A.4", "{\"foo\":[\"bar\",\"qux\",\"baz\"]}",
         "[{\"op\":\"remove\",\"path\":\"/foo/1\"}]",
         "{\"foo\":[\"bar\",\"baz\"]}"},
        {"A.5", "{\"baz\":\"qux\",\"foo\":\"bar\"}",
         "[{\"op\":\"replace\",\"path\":\"/baz\",\"value\":\"boo\"}]",
         "{\"baz\":\"boo\",\"foo\":\"bar\"}"},
        {"A.6",
         "{\"foo\":{\"bar\":\"baz\",\"waldo\":\"fred\"},"
         "\"qux\":{\"corge\":\"grault\"}}",
         "[{\"op\":\"move\",\"from\":\"/foo/waldo\",\"path\":"
         "\"/qux/thud\"}]",
         "{\"foo\":{\"bar\":\"baz\"},"
         "\"qux\":{\"corge\":\"grault\",\"thud\":\"fred\"}}"},
        {"A.7", "{\"foo\":[\"all\",\"grass\",\"cows\",\"eat\"]}",
         "[{\"op\":\"move\",\"from\":\"/foo/1\",\"path\":\"/foo/3\"}]",
         "{\"foo\":[\"all\",\"cows\",\"eat\",\"grass\"]}"},
        {"A.8", "{\"baz\":\"qux\",\"foo\":[\"a\",2,\"c\"]}",
         "[{\"op\":\"test\",\"path\":\"/baz\",\"value\":\"qux\"},"
         "{\"op\":\"test\",\"path\":\"/foo/1\",\"value\":2}]",
         "{\"baz\":\"qux\",\"foo\":[\"a\",2,\"c\"]}"},
        {"A.9", "{\"baz\":\"qux\"}",
         "[{\"op\":\"test\",\"path\":\"/baz\",\"value\":\"bar\"}]", NULL},
        {"A.10", "{\"foo\":\"bar\"}",
         "[{\"op\":\"add\",\"path\":\"/child\",\"value\":"
         "{\"grandchild\":{}}}]",
         "{\"foo\":\"bar\",\"child\":{\"grandchild\":{}}}"},
        {"A.11", "{\"foo\":\"bar\"}",
         "[{\"op\":\"add\",\"path\":\"/baz\",\"value\":\"qux\",\"xyz\":123}]",
         "{\"foo\":\"bar\",\"baz\":\"qux\"}"},
        {"A.12", "{\"foo\":\"bar\"}",
         "[{\"op\":\"add\",\"path\":\"/baz/bat\",\"value\":\"qux\"}]", NULL},
        {"A.14", "{\"/\":9,\"~1\":10}",
         "[{\"op\":\"test\",\"path\":\"/~01\",\"value\":10}]",
         "{\"/\":9,\"~1\":10}"},
        {"A.15", "{\"/\":9,\"~1\":10}",
         "[{\"op\":\"test\",\"path\":\"/~01\",\"value\":\"10\"}]", NULL},
        {"A.16", "{\"foo\":[\"bar\"]}",
         "[{\"op\":\"add\",\"path\":\"/foo/-\",\"value\":[\"abc\","
         "\"def\"]}]",
         "{\"foo\":[\"bar\",[\"abc\",\"def\"]]}"},
    };

    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
        try(examples[i][0], examples[i][1], examples[i][2], examples[i][3]);
}

Test(patch, whole_documents)
{
    try("replaced", "[1]",
        "[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"a\":1}}]",
        "{\"a\":1}");
    try("added", "[1]", "[{\"op\":\"add\",\"path\":\"\",\"value\":7}]", "7");
    try("empty", "[1]", "[]", "[1]");
    try("tested", "[1]", "[{\"op\":\"test\",\"path\":\"\",\"value\":[1]}]",
        "[1]");
    try("copied", "{\"a\":[1]}",
        "[{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\"},"
        "{\"op\":\"add\",\"path\":\"/b/0\",\"value\":0}]",
        "{\"a\":[1],\"b\":[0,1]}");
    try("moved to itself", "{\"a\":1}",
        "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a\"}]", "{\"a\":1}");
    try("a null", "{\"a\":1}",
        "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":null}]",
        "{\"a\":null}");
    try("an empty name", "{\"\":1}",
        "[{\"op\":\"replace\",\"path\":\"/\",\"value\":2}]", "{\"\":2}");
}

/* Each is refused although an operation before it could be done. */
Test(patch, what_cannot_be_done)
{
    static const char *const bad[] = {
        "{\"op\":\"replace\",\"path\":\"/none\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/list/3\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/list/-\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/list/01\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/list/1x\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/list/\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/list/99999999999999999999\","
        "\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"a\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/a~2\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/a~\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":1}",
        "{\"op\":\"replace\",\"path\":\"/a\"}",
        "{\"op\":\"add\",\"path\":\"/list/4\",\"value\":1}",
        "{\"op\":\"add\",\"path\":\"/a/b\",\"value\":1}",
        "{\"op\":\"remove\",\"path\":\"/none\"}",
        "{\"op\":\"remove\",\"path\":\"/list/3\"}",
        "{\"op\":\"remove\",\"path\":\"\"}",
        "{\"op\":\"move\",\"from\":\"/none\",\"path\":\"/b\"}",
        "{\"op\":\"move\",\"from\":\"/list\",\"path\":\"/list/0\"}",
        "{\"op\":\"move\",\"path\":\"/b\"}",
        "{\"op\":\"copy\",\"from\":\"/none\",\"path\":\"/b\"}",
        "{\"op\":\"test\",\"path\":\"/none\",\"value\":null}",
        "{\"op\":\"spin\",\"path\":\"/a\",\"value\":1}",
        "{\"path\":\"/a\",\"value\":1}",
        "{\"op\":\"replace\",\"value\":1}",
        "7",
    };
    char patch[300];

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        (void)snprintf(patch, sizeof(patch),
                       "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":2},"
                       "%s]",
                       bad[i]);
        try(bad[i], "{\"a\":1,\"list\":[1,2,3]}", patch, NULL);
    }
    try("no list", "{\"a\":1}", "{}", NULL);
}

Test(patch, pointers)
{
    json_t *document = parse("{\"a/b\":[{\"m~n\":5}],\"\":6}");

    cr_expect_eq(patch_find(document, ""), document);
    cr_expect_eq(json_integer_value(patch_find(document, "/a~1b/0/m~0n")), 5);
    cr_expect_eq(json_integer_value(patch_find(document, "/")), 6);
    cr_expect_null(patch_find(document, "/a~1b/1"));
    cr_expect_null(patch_find(document, "x"));
    json_decref(document);
}
