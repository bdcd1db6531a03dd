/* test_methods.c -- the table of requests agrees with itself. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/ascii.h"
#include "protocol/methods.h"

static const struct {
    const char *constant, *word;
} rows[METHODS] = {
#define METHOD(constant, word, ...) {#constant, #word},
#include "protocol/methods.def"
#undef METHOD
};

/* What a method is called in C is what it is called on the wire: who knows one
 * finds the other. */
Test(methods, one_name)
{
    for (int m = 0; m < METHODS; m++) {
        const char *name = methods[m].name;
        size_t len = strlen(name);

        cr_assert_eq(strlen(rows[m].constant), len, "%s", name);
        cr_assert_eq(strlen(rows[m].word), len, "%s", name);
        for (size_t i = 0; i < len; i++) {
            char c = name[i] == '.' ? '_' : name[i];
            cr_assert_eq(rows[m].word[i], c, "%s", name);
            cr_assert_eq(rows[m].constant[i], ascii_upper((char)c), "%s",
                         name);
        }
        cr_assert_eq(method_find(name, len), m, "two are called %s", name);
    }
    cr_assert_eq(method_find("table.mov", 9), -1);
    cr_assert_eq(method_find("table.moves", 11), -1);
}

/* A request waits for its table's turn exactly if it cannot do without the
 * table's id: else it would be done at none, or beside the queue. */
Test(methods, at_table)
{
    for (int m = 0; m < METHODS; m++) {
        bool must = false;

        for (const struct shape_member *p = methods[m].params.members;
             p->name != NULL; p++)
            must |= strcmp(p->name, "table") == 0 && !p->optional;
        cr_assert_eq(methods[m].table, must, "%s", methods[m].name);
    }
}
