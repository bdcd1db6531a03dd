#include "term.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "language.h"
#include "near.h"
#include "protocol/asset_folder.h"
#include "protocol/sbuf_printf.h"
#include "usage.h"

void (*term_emergency)(void);
void (*command_look)(const struct argp *argp, const char *name);

/* What a failure is, once somebody has said so. */
static int failed_as = STATUS_FAILED;

/* ---- complaints and files --------------------------------------------- */

static void complain_of(const char *format, va_list args)
{
    char *text;

    if (term_emergency != NULL)
        term_emergency();
    (void)fflush(stdout);
    int n = vasprintf(&text, format, args);
    ASSERT(n >= 0);
    output_line(text);
    (void)fprintf(stderr, "sobremesa: %s\n", text);
    free(text);
}

int complain(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    complain_of(format, args);
    va_end(args);
    return STATUS_FAILED;
}

int complain_as(int status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    complain_of(format, args);
    va_end(args);
    if (failed_as == STATUS_FAILED)
        failed_as = status;
    return STATUS_FAILED;
}

int finish_output(int status)
{
    bool bad = ferror(stdout) != 0;

    errno = 0;
    if (fflush(stdout) != 0 || bad)
        return complain(_("cannot write the output: %s"),
                        errno != 0 ? strerror(errno) : _("it was lost"));
    return status == STATUS_FAILED ? failed_as : status;
}

char *read_whole(const char *path, size_t max, size_t *ret_len)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t len = 0, cap = 0;

    if (file == NULL) {
        (void)complain("%s: %s", path, strerror(errno));
        return NULL;
    }
    for (;;) {
        text = must_grow(text, len + 4096, &cap, 1);
        size_t n = fread(text + len, 1, 4096, file);
        len += n;
        if (n == 0 || len > max)
            break;
    }
    int error = ferror(file) ? errno : 0;
    if (!standard)
        (void)fclose(file);
    if (error != 0 || len > max) {
        if (error != 0)
            (void)complain("%s: %s", path, strerror(error));
        else
            (void)complain(_("%s: longer than %zu bytes"), path, max);
        free(text);
        return NULL;
    }
    text[len] = '\0';
    *ret_len = len;
    return text;
}

/* ---- arguments -------------------------------------------------------- */

bool number_read(const char *text, uint64_t max, uint64_t *ret_number)
{
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || n > max)
        return false;
    *ret_number = n;
    return true;
}

uint64_t number_random(void)
{
    uint32_t n;
    bytes_random(&n, sizeof(n));
    return n;
}

const struct rules *game_find(const char *name)
{
    const struct rules *r = rules_find(name);
    if (r != NULL)
        return r;

    char known[256], hint[64];
    struct sbuf s = sbuf_in(known, sizeof(known));
    struct near near = near_to(name, strlen(name));
    for (size_t i = 0; rules_all[i] != NULL; i++) {
        sbuf_printf(&s, "%s%s", i > 0 ? ", " : "", rules_all[i]->name);
        near_try(&near, rules_all[i]->name);
    }
    (void)complain(_("there is no game '%s'%s%s there are: %s"), name,
                   near_hint(&near, hint, sizeof(hint)),
                   near.best != NULL ? "" : ";", known);
    return NULL;
}

void option_says(const struct rules_option *option, char *buf, size_t cap)
{
    struct sbuf s = sbuf_in(buf, cap);

    if (option->flag)
        sbuf_puts(&s, _("true or false"));
    else if (option->words == NULL)
        sbuf_printf(&s, _("a number from %d to %d"), option->min, option->max);
    for (int i = 0; option->words != NULL && option->words[i] != NULL; i++)
        sbuf_printf(&s, "%s%s",
                    i == 0                         ? ""
                    : option->words[i + 1] == NULL ? _(" or ")
                                                   : ", ",
                    option->words[i]);
}

static bool option_parse(const struct rules *r, const char *text, size_t len,
                         int16_t options[RULES_OPTIONS_MAX])
{
    const char *equals = memchr(text, '=', len);
    size_t name = equals != NULL ? (size_t)(equals - text) : len;
    char expected[JSON_EXPECTED_MAX], hint[64];
    struct near near = near_to(text, name);

    for (int i = 0; r->options[i].name != NULL; i++) {
        const struct rules_option *option = &r->options[i];
        near_try(&near, option->name);
        if (strlen(option->name) != name ||
            memcmp(option->name, text, name) != 0)
            continue;
        if (options[i] != RULES_NONE) {
            (void)complain(_("option %s is given twice"), option->name);
            return false;
        }
        if (equals == NULL && option->flag) { /* its name alone: on */
            options[i] = 1;
            return true;
        }
        if (equals != NULL &&
            option_read(option, equals + 1, len - name - 1, &options[i]))
            return true;
        option_says(option, expected, sizeof(expected));
        (void)complain(_("option %s: expected %s%s"), option->name, expected,
                       option->flag ? _(" (or 1, 0, on, off)") : "");
        return false;
    }
    (void)complain(_("%s has no option '%.*s'%s see `sobremesa games %s`"),
                   r->title, (int)name, text,
                   near.best != NULL ? near_hint(&near, hint, sizeof(hint))
                                     : ";",
                   r->name);
    return false;
}

bool options_parse(const struct rules *r, const char *text,
                   int16_t options[RULES_OPTIONS_MAX])
{
    for (const char *at = text; *at != '\0';) {
        size_t len = strcspn(at, ",");
        if (len > 0 && !option_parse(r, at, len, options))
            return false;
        at += len + (at[len] == ',');
    }
    return true;
}

/* The files of the folder PATH as one text. */
static bool folder_load(const struct rules *r, const char *path,
                        struct json_board *ret_asset)
{
    char why[4096];
    size_t len;
    char *text = asset_folder_read(r, path, &len, why, sizeof(why));

    if (text == NULL)
        return complain("%s", why), false;
    *ret_asset = (struct json_board){.text = text, .len = len};
    return true;
}

const char *asset_title(const struct rules *r)
{
    static const char *const known[] = {N_("boards"), N_("tables of numbers")};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(known[i], r->asset_kind->title) == 0)
            return _(known[i]);
    return r->asset_kind->title;
}

/* A KIND that R does not have, whatever it has instead. */
static void complain_of_kind(const struct rules *r, const char *kind)
{
    const struct rules_asset_kind *own = r->asset_kind;

    (void)complain(_("%s is played without %s of one's choice%s%s"), r->title,
                   strcmp(kind, "board") == 0 ? _("a board") : kind,
                   own != NULL ? _("; there is --") : "",
                   own != NULL ? own->name : "");
}

bool asset_load(const struct rules *r, const char *kind, const char *name,
                struct json_board *ret_asset)
{
    const struct rules_asset_kind *own = r->asset_kind;
    struct stat about;

    *ret_asset = (struct json_board){0};
    if (own == NULL || strcmp(kind, own->name) != 0) {
        complain_of_kind(r, kind);
        return false;
    }
    for (const struct rules_asset *a = r->assets; a->name != NULL; a++) {
        if (strcmp(a->name, name) == 0) {
            ret_asset->name = a->name;
            return true;
        }
    }
    if (own->dataset && stat(name, &about) == 0 && S_ISDIR(about.st_mode))
        return folder_load(r, name, ret_asset);
    ret_asset->text = read_whole(name, own->bytes_max, &ret_asset->len);
    if (ret_asset->text != NULL)
        return true;
    if (strpbrk(name, "./") == NULL) {
        (void)fprintf(stderr, _("sobremesa: built-in %s are"),
                      own->dataset ? own->name : asset_title(r));
        for (const struct rules_asset *a = r->assets; a->name != NULL; a++)
            (void)fprintf(stderr, "%s %s", a == r->assets ? "" : ",", a->name);
        (void)fputc('\n', stderr);
    }
    return false;
}

bool board_load(const struct rules *r, const char *name,
                struct json_board *ret_board)
{
    return asset_load(r, "board", name, ret_board);
}

bool setup_or_complain(const struct rules *r, struct rules_state *s,
                       const struct rules_setup *setup)
{
    struct rules_problem why;

    if (rules_setup(r, s, setup, &why) == RULES_OK)
        return true;
    if (strcmp(why.rule, "bad_seats") == 0)
        (void)complain(_("%s is for %d to %d players, not %d"), r->title,
                       r->seats_min, r->seats_max, setup->seats);
    else if (why.line > 0)
        (void)complain(_("the %s, line %lu: %s (%s)"), r->asset_kind->name,
                       (unsigned long)why.line, _(why.text), why.rule);
    else if (why.option != NULL)
        (void)complain(_("option %s: %s (%s)"), why.option, _(why.text),
                       why.rule);
    else
        (void)complain("%s (%s)", _(why.text), why.rule);
    return false;
}

/* ---- commands ----------------------------------------------------------- */

error_t argument_parse(int key, char *arg, struct argp_state *state,
                       const char **to, const char *more, const char *none)
{
    switch (key) {
    case ARGP_KEY_ARG:
        if (*to != NULL)
            argp_error(state, "%s", more);
        *to = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (none == NULL)
            return ARGP_ERR_UNKNOWN;
        argp_error(state, "%s", none);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* What a command takes, with what all of them take. */
struct whole {
    struct argp argp;
    struct argp_child children[4];
};

static void whole_init(struct whole *w, const struct argp *argp)
{
    size_t n = 0;

    *w = (struct whole){.argp = *argp};
    for (; argp->children != NULL && argp->children[n].argp != NULL; n++)
        w->children[n] = argp->children[n];
    ASSERT(n + 1 < COUNT_OF(w->children));
    w->children[n] = (struct argp_child){&language_argp, 0, NULL, 20};
    w->argp.children = w->children;
    w->argp.help_filter = language_filter;
}

int command_parse(const struct argp *argp, const char *name, int argc,
                  char **argv, void *input)
{
    static struct whole whole; /* it may be looked at afterwards */
    char full[64];

    whole_init(&whole, argp);
    if (command_look != NULL) {
        command_look(&whole.argp, name);
        return STATUS_USAGE;
    }
    (void)snprintf(full, sizeof(full), "sobremesa %s", name);
    if (!usage_check(&whole.argp, full, argc, argv, false))
        return STATUS_USAGE;
    argv[0] = full;
    error_t error = argp_parse(&whole.argp, argc, argv, ARGP_NO_HELP, NULL,
                               input);
    argv[0] = (char *)(uintptr_t) "sobremesa";
    return error == 0 ? STATUS_DONE : STATUS_USAGE;
}
