#include "usage.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/memory.h"
#include "core/base.h"
#include "language.h"
#include "near.h"
#include "protocol/sbuf_printf.h"
#include "term.h"

/* ---- which option a word is ------------------------------------------------ */

static bool is_end(const struct argp_option *o)
{
    return o == NULL || (o->name == NULL && o->key == 0);
}

const struct argp_option *usage_option(const struct argp *argp,
                                       const char *word, size_t len)
{
    const struct argp_child *child = argp->children;

    for (const struct argp_option *o = argp->options; !is_end(o); o++) {
        bool brief = len == 2 && word[1] == o->key;
        if (brief ||
            (o->name != NULL && len > 2 && strlen(o->name) == len - 2 &&
             memcmp(o->name, word + 2, len - 2) == 0))
            return o;
    }
    for (; child != NULL && child->argp != NULL; child++) {
        const struct argp_option *o = usage_option(child->argp, word, len);
        if (o != NULL)
            return o;
    }
    return NULL;
}

/* What is known of a word that may be an option. */
struct search {
    const char *word; /* `--gam`, LEN bytes without a value */
    size_t len;
    const struct argp_option *found; /* which begins with it */
    struct near near;
};

static void search(const struct argp *argp, struct search *s)
{
    const struct argp_child *child = argp->children;

    for (const struct argp_option *o = argp->options; !is_end(o); o++) {
        if (o->name == NULL || (o->flags & OPTION_HIDDEN) != 0)
            continue;
        near_try(&s->near, o->name);
        if (strncmp(o->name, s->word + 2, s->len - 2) == 0)
            s->found = o;
    }
    for (; child != NULL && child->argp != NULL; child++)
        search(child->argp, s);
}

/* ---- what is wrong ---------------------------------------------------------- */

/* Of a command line the word that is being looked at. */
struct check {
    const struct argp *argp;
    const char *name; /* of the command */
    char **argv;
    int argc, at;
};

static bool wrong(const struct check *c, const char *text)
{
    (void)fprintf(stderr, "%s: %s\n", c->name, text);
    (void)fprintf(stderr, _("`%s --help` says what there is.\n"), c->name);
    return false;
}

static bool needs_value(const struct check *c, const char *option)
{
    char text[200];

    (void)snprintf(text, sizeof(text), _("a value is missing behind %.100s"),
                   option);
    return wrong(c, text);
}

/* `--name`, `--name=value`, `--name value`, or the beginning of a name. */
static bool check_long(struct check *c)
{
    const char *word = c->argv[c->at];
    struct search s = {.word = word, .len = strcspn(word, "=")};
    char hint[64], text[200];

    s.near = near_to(word + 2, s.len - 2);
    s.found = usage_option(c->argp, word, s.len);
    if (s.found == NULL)
        search(c->argp, &s);
    if (s.found == NULL) {
        char meant[40];
        (void)snprintf(meant, sizeof(meant), "--%.30s",
                       s.near.best != NULL ? s.near.best : "");
        s.near.best = s.near.best != NULL ? meant : NULL;
        (void)snprintf(text, sizeof(text), _("there is no option %.*s%s"),
                       s.len < 60 ? (int)s.len : 60, word,
                       near_hint(&s.near, hint, sizeof(hint)));
        return wrong(c, text);
    }
    if (word[s.len] == '=' && s.found->arg == NULL) {
        (void)snprintf(text, sizeof(text), _("--%s takes no value"),
                       s.found->name);
        return wrong(c, text);
    }
    if (s.found->arg != NULL && word[s.len] == '\0' && ++c->at >= c->argc)
        return needs_value(c, word);
    return true;
}

/* `-n3`, `-n 3`, or several that take no value. */
static bool check_short(struct check *c)
{
    const char *word = c->argv[c->at];

    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        char text[60], option[3] = {'-', *letter, '\0'};
        const struct argp_option *o = usage_option(c->argp, option, 2);
        if (o == NULL) {
            (void)snprintf(text, sizeof(text), _("there is no option -%c"),
                           *letter);
            return wrong(c, text);
        }
        if (o->arg == NULL)
            continue;
        return letter[1] != '\0' || ++c->at < c->argc ||
               needs_value(c, option);
    }
    return true;
}

bool usage_check(const struct argp *argp, const char *name, int argc,
                 char **argv, bool in_order)
{
    struct check c = {.argp = argp, .name = name, .argv = argv, .argc = argc};

    for (c.at = 1; c.at < argc; c.at++) {
        const char *word = argv[c.at];
        if (strcmp(word, "--") == 0)
            return true;
        if (word[0] != '-' || word[1] == '\0') {
            if (in_order)
                return true;
            continue;
        }
        if (!(word[1] == '-' ? check_long(&c) : check_short(&c)))
            return false;
    }
    return true;
}

/* ---- what argp complains of ------------------------------------------------- */

static FILE *complaints;
static char *complained;
static size_t complained_len;

/* Behind a complaint argp says where there is help, in its own words. */
static void say_complaints(void)
{
    (void)fclose(complaints);
    char *end = strstr(complained, "\nTry `");
    if (end == NULL) {
        (void)fputs(complained, stderr);
    } else {
        int len = (int)strcspn(end + 6, "'"); /* `NAME --help` */
        (void)fprintf(stderr, "%.*s\n", (int)(end - complained), complained);
        (void)fprintf(stderr, _("`%.*s` says what there is.\n"), len, end + 6);
    }
    free(complained);
}

void usage_listen(struct argp_state *state)
{
    if (complaints == NULL) {
        complaints = open_memstream(&complained, &complained_len);
        if (complaints == NULL || atexit(say_complaints) != 0)
            core_panic(__FILE__, __LINE__, "out of memory");
    }
    state->err_stream = complaints;
}

/* ---- help --------------------------------------------------------------------- */

/* What stands for an argument, in great letters. */
static const char *const stands_for[] = {
    N_("COMMAND"), N_("ARGUMENT"), N_("GAME"),  N_("TABLE"),   N_("NAME"),
    N_("FILE"),    N_("VALUE"),    N_("SEATS"), N_("WORD"),    N_("LINK"),
    N_("SERVER"),  N_("ADDRESS"),  N_("CODE"),  N_("CHANNEL"), N_("KIND"),
    N_("FORM"),    N_("TEXT"),     N_("DIR"),   N_("LEVEL"),   N_("PERCENT"),
};

/* TEXT with the words that stand for something in the language; kept to the
 * program's end. */
static char *in_language(const char *text)
{
    char said[400];
    struct sbuf s = sbuf_in(said, sizeof(said));

    while (*text != '\0') {
        size_t len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        const char *word = NULL;
        for (size_t i = 0; i < COUNT_OF(stands_for) && word == NULL; i++)
            if (strlen(stands_for[i]) == len &&
                memcmp(stands_for[i], text, len) == 0)
                word = _(stands_for[i]);
        len = len > 0 ? len : 1;
        if (word != NULL)
            sbuf_puts(&s, word);
        else
            sbuf_printf(&s, "%.*s", (int)len, text);
        text += len;
    }
    return must_copy(said, strlen(said));
}

#define PARTS_MAX   6
#define OPTIONS_MAX 60

/* A copy of a command's argp that is shown, and never given back: the program
 * ends behind it. */
static struct {
    struct argp argp[PARTS_MAX];
    struct argp_child children[PARTS_MAX][PARTS_MAX];
    struct argp_option options[OPTIONS_MAX];
    size_t parts, count;
} shown;

static const struct argp_option *show_options(const struct argp_option *o)
{
    const struct argp_option *first = &shown.options[shown.count];

    for (; o->name != NULL || o->key != 0; o++) {
        ASSERT(shown.count + 1 < OPTIONS_MAX);
        struct argp_option *copy = &shown.options[shown.count++];
        *copy = *o;
        copy->arg = o->arg != NULL ? in_language(o->arg) : NULL;
    }
    shown.count++; /* what ends them */
    return first;
}

static const struct argp *show(const struct argp *argp)
{
    size_t part = shown.parts++, n = 0;
    ASSERT(part < PARTS_MAX);
    struct argp *to = &shown.argp[part];

    *to = *argp;
    to->help_filter = language_filter;
    if (argp->args_doc != NULL)
        to->args_doc = in_language(argp->args_doc);
    if (argp->options != NULL)
        to->options = show_options(argp->options);
    for (; argp->children != NULL && argp->children[n].argp != NULL; n++) {
        shown.children[part][n] = argp->children[n];
        shown.children[part][n].argp = show(argp->children[n].argp);
    }
    to->children = shown.children[part];
    return to;
}

void usage_help(const struct argp_state *state, unsigned flags)
{
    static const char head[] = N_("Usage:"), other[] = N_("  or:");
    const unsigned ends = ARGP_HELP_EXIT_ERR | ARGP_HELP_EXIT_OK;
    char *text = NULL, *line;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    struct argp_state copy = *state;
    copy.root_argp = show(state->root_argp);
    argp_state_help(&copy, to, flags & ~ends);
    (void)fclose(to);
    for (line = text; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        n += line[n] == '\n';
        const char *said = NULL;
        if (strncmp(line, head, sizeof(head) - 1) == 0)
            said = _(head);
        else if (strncmp(line, other, sizeof(other) - 1) == 0)
            said = _(other);
        size_t left = said == NULL ? 0 : strcspn(line, ":") + 1;
        (void)fputs(said != NULL ? said : "", stdout);
        (void)fwrite(line + left, 1, n - left, stdout);
        line += n;
    }
    free(text);
    exit(finish_output(STATUS_DONE));
}
