/* print.c -- prints what is generated from the table of methods.
 *
 *     print schema       protocol/schema.json
 *     print openrpc      protocol/openrpc.json
 *     print reference    the reference in protocol/README.md
 *     print hidden       the characters that are never shown, by their numbers
 *
 * `make protocol-docs` writes them; test_schema.py sees that they are current,
 * and test_hidden.mjs that the last are everywhere the same.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"
#include "protocol/game_json.h"
#include "protocol/methods.h"
#include "protocol/version.h"

static void print_json(struct json_out *o)
{
    char why[JSON_EXPECTED_MAX];
    json_t *value = json_parse(json_out_text(o), o->len, why);
    ASSERT(value != NULL);
    char *text = json_dumps(value, JSON_INDENT(1));
    ASSERT(text != NULL);
    (void)puts(text);
    free(text);
    json_decref(value);
}

/* ---- shapes in words -------------------------------------------------- */

static void print_shape(const struct shape *s);

static void print_words(const struct shape *s)
{
    for (const char *const *w = s->words; *w != NULL; w++)
        (void)printf("%s`\"%s\"`", w == s->words ? "" : ", ", *w);
}

static void print_string(const struct shape *s)
{
    static const char *const of[] = {
        [CHARSET_LINE] = "line",
        [CHARSET_TEXT] = "text",
        [CHARSET_FILE] = "text of a file",
        [CHARSET_ID] = "string of `A-Za-z0-9_-`",
        [CHARSET_HEX] = "hex digits",
        [CHARSET_EMAIL] = "mail address",
        [CHARSET_JSON] = "line of JSON",
        [CHARSET_ANY] = "string",
    };
    if (s->words != NULL)
        print_words(s);
    else if (s->min == s->max)
        (void)printf("%lld %s", (long long)s->max, of[s->charset]);
    else
        (void)printf("%s, %lld–%lld bytes", of[s->charset], (long long)s->min,
                     (long long)s->max);
}

static void print_int(const struct shape *s)
{
    const int64_t large = INT64_C(1) << 53;

    if (s->max == large - 1)
        (void)printf(s->min < 0 ? "integer" : "integer ≥ %lld",
                     (long long)s->min);
    else
        (void)printf("integer %lld–%lld", (long long)s->min,
                     (long long)s->max);
}

static void print_object(const struct shape *s)
{
    (void)printf("{");
    for (const struct shape_member *m = s->members; m->name != NULL; m++) {
        (void)printf("%s`%s`%s: ", m == s->members ? "" : ", ", m->name,
                     m->optional ? "?" : "");
        print_shape(m->shape);
    }
    (void)printf(s->more ? "%s…}" : "}", s->members->name != NULL ? ", " : "");
}

static void print_choices(const struct shape *s)
{
    for (const struct shape *const *c = s->choices; *c != NULL; c++) {
        (void)printf("%s", c == s->choices ? "" : " or ");
        print_shape(*c);
    }
}

static void print_whole(const struct shape *s)
{
    switch (s->kind) {
    case SHAPE_ANY: (void)printf("anything"); break;
    case SHAPE_NULL: (void)printf("null"); break;
    case SHAPE_BOOL: (void)printf("boolean"); break;
    case SHAPE_INT: print_int(s); break;
    case SHAPE_STRING: print_string(s); break;
    case SHAPE_OBJECT: print_object(s); break;
    case SHAPE_LIST:
        (void)printf("list of ");
        print_shape(s->item);
        break;
    case SHAPE_MAP:
        (void)printf("object of ");
        print_shape(s->item);
        break;
    case SHAPE_ONE_OF: print_choices(s); break;
    }
    if (s->null)
        (void)printf(", or null");
}

static void print_shape(const struct shape *s)
{
    if (s->name != NULL)
        (void)printf("[%s](#type-%s)", s->name, s->name);
    else
        print_whole(s);
}

/* ---- the reference ---------------------------------------------------- */

static void print_members(const char *what, const struct shape *s)
{
    if (s->kind != SHAPE_OBJECT) {
        (void)printf("\n%s: ", what);
        print_whole(s);
        (void)printf("\n");
        return;
    }
    if (s->members->name == NULL) {
        (void)printf("\n%s: none.\n", what);
        return;
    }
    (void)printf("\n| %s | | |\n|---|---|---|\n", what);
    for (const struct shape_member *m = s->members; m->name != NULL; m++) {
        (void)printf("| `%s`%s | ", m->name, m->optional ? " *optional*" : "");
        print_shape(m->shape);
        (void)printf(" | %s |\n", m->text != NULL ? m->text : "");
    }
    if (s->more)
        (void)printf("| … | | and perhaps more |\n");
}

static void print_method(const struct method_info *m)
{
    static const char *const roles[] = {
        [ROLE_ANYONE] = "anyone",
        [ROLE_USER] = "logged in",
        [ROLE_ADMIN] = "on the administrator's socket",
        [ROLE_BOTS] = "a process that the server has started for that",
    };
    (void)printf("\n### %s\n\n%s\n\nWho: %s", m->name, m->text,
                 roles[m->role]);
    if (m->role == ROLE_USER)
        (void)printf(", scope `%s`", method_scopes[m->scope]);
    (void)printf(".%s\n",
                 m->barrier ? " Later requests of the connection wait for it."
                            : "");
    print_members("Parameters", &m->params);
    print_members("Result", &m->result);
    if (*m->errors == ERR_NONE)
        return;
    (void)printf("\nErrors:");
    for (const enum error *e = m->errors; *e != ERR_NONE; e++)
        (void)printf("%s %d `%s`", e == m->errors ? "" : ",", error_code(*e),
                     error_reason(*e));
    (void)printf(".\n");
}

static void print_reference(void)
{
    (void)printf("## Types\n");
    for (const struct shape *const *t = method_types; *t != NULL; t++) {
        (void)printf("\n<a id=\"type-%s\"></a>**%s**", (*t)->name, (*t)->name);
        if ((*t)->text != NULL)
            (void)printf(" — %s", (*t)->text);
        (void)printf("\n");
        if ((*t)->kind == SHAPE_OBJECT) {
            print_members("Member", *t);
        } else {
            (void)printf("\n");
            print_whole(*t);
            (void)printf("\n");
        }
    }
    (void)printf("\n## Methods\n");
    for (int m = 0; m < METHODS; m++)
        print_method(&methods[m]);
    (void)printf("\n## Notifications\n");
    for (int n = 0; n < NOTIFICATIONS; n++) {
        (void)printf("\n### %s (notification)\n\n%s\n", notifications[n].name,
                     notifications[n].text);
        print_members("Parameters", &notifications[n].params);
    }
    (void)printf("\n## Errors\n\n| code | reason | |\n|---|---|---|\n");
    for (enum error e = ERR_NONE + 1; e < ERRORS; e++)
        (void)printf("| %d | `%s` | %s |\n", error_code(e), error_reason(e),
                     error_sentence(e));
}

static void print_hidden(void)
{
    for (uint32_t c = 0; c < 0x110000; c++)
        if (!utf8_printable(c) && !(c >= 0xd800 && c < 0xe000))
            (void)printf("%x\n", (unsigned)c);
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    struct json_out o;

    json_out_init(&o);
    if (strcmp(what, "schema") == 0) {
        methods_schema(&o, NULL);
        print_json(&o);
    } else if (strcmp(what, "openrpc") == 0) {
        methods_openrpc(&o, NULL, SOBREMESA_VERSION);
        print_json(&o);
    } else if (strcmp(what, "reference") == 0) {
        print_reference();
    } else if (strcmp(what, "hidden") == 0) {
        print_hidden();
    } else {
        (void)fputs("usage: print schema|openrpc|reference|hidden\n", stderr);
        return 64;
    }
    json_out_done(&o);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
