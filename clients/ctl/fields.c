/* fields.c -- arguments and options of a command as the parameters of a
 * request. */

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "clients/common/input.h"
#include "core/base.h"
#include "ctl.h"
#include "protocol/sbuf_printf.h"

#define OPTION_KEY 1000 /* and the field's place */

const char *given(const struct ctl *c, const char *name)
{
    return json_string_value(json_object_get(c->given, name));
}

bool chosen(const struct ctl *c, const char *name)
{
    return json_object_get(c->local, name) != NULL;
}

bool field_is_flag(const struct field *f)
{
    return f->kind == FIELD_FLAG || f->kind == FIELD_NO ||
           f->kind == FIELD_LOCAL;
}

/* ---- values ----------------------------------------------------------- */

/* "90", "10m", "2h", "7d", "2w" as seconds, -1 for what is none; DEFAULT_UNIT
 * is that of a bare number, 0: it needs one. */
static int64_t read_span(const char *text, int64_t default_unit)
{
    static const char letters[] = "smhdw";
    static const int64_t seconds[] = {1, 60, 3600, 86400, 7 * 86400};
    char *end;

    errno = 0;
    long long n = strtoll(text, &end, 10);
    if (end == text || errno != 0 || n < 0 || n > 100000000)
        return -1;
    const char *letter = *end != '\0' ? strchr(letters, *end) : NULL;
    if (*end == '\0')
        return default_unit > 0 ? n * default_unit : -1;
    return letter != NULL && end[1] == '\0' ? n * seconds[letter - letters]
                                            : -1;
}

/* A time to come, in milliseconds; -1 for what is none. */
static int64_t read_until(const char *text)
{
    static const char *const forms[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M",
                                        "%Y-%m-%d %H:%M"};
    static const char *const zoned[] = {"%Y-%m-%dT%H:%M%z",
                                        "%Y-%m-%d %H:%M %z"};
    int64_t seconds = read_span(text, 0);

    if (seconds >= 0)
        return now_ms() + seconds * 1000;
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        struct tm local = {.tm_isdst = -1};
        const char *end = strptime(text, forms[i], &local);
        int day = local.tm_mday;
        if (end == NULL || *end != '\0')
            continue;
        int64_t at = (int64_t)mktime(&local) * 1000;
        return local.tm_mday == day ? at : -1; /* 30 February is none */
    }
    for (size_t i = 0; i < COUNT_OF(zoned); i++) {
        struct tm there = {0};
        const char *end = strptime(text, zoned[i], &there);
        long off = there.tm_gmtoff; /* timegm() would change it */
        int day = there.tm_mday;
        if (end == NULL || *end != '\0')
            continue;
        int64_t at = ((int64_t)timegm(&there) - off) * 1000;
        return there.tm_mday == day ? at : -1;
    }
    return -1;
}

static json_t *read_path(const char *text)
{
    char cwd[PATH_MAX];

    if (text[0] == '\0')
        return NULL;
    if (text[0] == '/' || getcwd(cwd, sizeof(cwd)) == NULL)
        return json_string(text);
    return json_sprintf("%s/%s", strcmp(cwd, "/") == 0 ? "" : cwd, text);
}

/* The value of F given as TEXT, or NULL and what was expected. */
static json_t *read_value(const struct field *f, const char *text,
                          const char **ret_expected)
{
    char *end;
    int64_t n;

    switch (f->kind) {
    case FIELD_FLAG:
    case FIELD_LOCAL: return json_true();
    case FIELD_NO: return json_false();
    case FIELD_LIMIT:
    case FIELD_NUMBER:
        *ret_expected = "a number";
        errno = 0;
        n = strtoll(text, &end, 10);
        if (end == text || *end != '\0' || errno != 0 || n < 0)
            return NULL;
        return json_integer(n);
    case FIELD_UNTIL:
        *ret_expected = "30m, 12h, 7d, 2w or 2026-12-31[T20:00[Z]]";
        n = read_until(text);
        return n < 0 ? NULL : json_integer(n);
    case FIELD_BEFORE:
        *ret_expected = "2026-12-31[T20:00[Z]], or 12h, 90d, 52w";
        n = read_span(text, 0);
        n = n >= 0 ? now_ms() - n * 1000 : read_until(text);
        return n < 0 ? NULL : json_integer(n);
    case FIELD_SECONDS:
        *ret_expected = "seconds, or 10m, 2h";
        n = read_span(text, 1);
        return n < 0 ? NULL : json_integer(n);
    case FIELD_PATH: *ret_expected = "a path"; return read_path(text);
    case FIELD_TEXT:
    case FIELD_TEXTS:
    case FIELD_SECRET: break;
    }
    *ret_expected = "a text in UTF-8";
    return json_string(text);
}

#define SECRET_SIZE 257 /* a password of 256 bytes */

/* ---- secrets ---------------------------------------------------------- */

static enum input read_secret(const char *prompt, char secret[SECRET_SIZE])
{
    struct termios was, quiet;
    size_t len;
    bool terminal = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &was) == 0;

    if (terminal) {
        (void)fputs(prompt, stderr);
        quiet = was;
        quiet.c_lflag &= ~(tcflag_t)ECHO;
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
    }
    enum input read = input_line(stdin, secret, SECRET_SIZE, &len);
    if (terminal) {
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
        (void)fputc('\n', stderr);
    }
    return read;
}

/* A password: typed twice, or a line of the standard input.  It never stands
 * in a command line, where others could see it. */
static json_t *ask_secret(void)
{
    char first[SECRET_SIZE], again[SECRET_SIZE];
    bool same = true;
    json_t *value = NULL;

    enum input read = read_secret("Password: ", first);
    if (read == INPUT_LINE && isatty(STDIN_FILENO))
        same = read_secret("Again: ", again) == INPUT_LINE &&
               strcmp(first, again) == 0;
    if (read == INPUT_END)
        (void)complain("there is no password on the standard input");
    else if (read == INPUT_LONG)
        (void)complain("the password is too long");
    else if (read == INPUT_NUL)
        (void)complain("the password has a character of number 0");
    else if (!same)
        (void)complain("these are two passwords");
    else if ((value = json_string(first)) == NULL)
        (void)complain("the password is not UTF-8");
    return value;
}

/* ---- questions -------------------------------------------------------- */

/* The question with what was given for each {name}. */
static void print_question(const struct ctl *c)
{
    const char *at = c->command->question;
    char name[32];
    int len;

    while (*at != '\0') {
        if (sscanf(at, "{%31[a-z_]}%n", name, &len) == 1) {
            const json_t *value = json_object_get(c->given, name);
            char *text = json_is_string(value)
                             ? strdup(json_string_value(value))
                             : json_dumps(value, JSON_ENCODE_ANY);
            (void)fputs(text != NULL ? text : "", stderr);
            free(text);
            at += len;
        } else {
            (void)fputc(*at++, stderr);
        }
    }
    (void)fputs("? [y/N] ", stderr);
}

/* Whoever types a command is asked before what cannot be undone; a script is
 * not, so what ran without --yes goes on. */
static bool agreed(const struct ctl *c)
{
    const struct command *command = c->command;
    char line[16];
    size_t len;

    if (command->question == NULL || c->yes || !isatty(STDIN_FILENO) ||
        !isatty(STDOUT_FILENO) || (command->asks != NULL && !command->asks(c)))
        return true;
    print_question(c);
    enum input read = input_line(stdin, line, sizeof(line), &len);
    if (read == INPUT_END)
        (void)fputc('\n', stderr);
    return read == INPUT_LINE && (line[0] == 'y' || line[0] == 'Y');
}

/* ---- parsing ---------------------------------------------------------- */

struct parsing {
    struct ctl *c;
    size_t next; /* argument */
};

static bool is_argument(const struct field *f)
{
    return f->option == NULL && f->kind != FIELD_SECRET;
}

const struct field *argument(const struct command *command, size_t n)
{
    for (const struct field *f = command->fields; f->name != NULL; f++)
        if (is_argument(f) && n-- == 0)
            return f;
    return NULL;
}

static void take(struct parsing *p, const struct field *f, const char *text)
{
    const char *expected = NULL;
    json_t *value = read_value(f, text, &expected);
    json_t *into = f->kind == FIELD_LOCAL ? p->c->local : p->c->given;

    if (value == NULL)
        exit(misused(p->c, "%s%s: expected %s, not '%s'",
                     f->option != NULL ? "--" : "",
                     f->option != NULL ? f->option : f->value, expected,
                     text));
    if (f->kind != FIELD_TEXTS) {
        (void)json_object_set_new(into, f->name, value);
        return;
    }
    json_t *list = json_object_get(into, f->name);
    if (list == NULL) {
        list = json_array();
        (void)json_object_set_new(into, f->name, list);
    }
    (void)json_array_append_new(list, value);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct parsing *p = state->input;
    const struct command *command = p->c->command;
    const struct field *f;

    if (key >= OPTION_KEY && key < OPTION_KEY + FIELDS_MAX) {
        take(p, &command->fields[key - OPTION_KEY], arg);
        return 0;
    }
    switch (key) {
    case 'j': p->c->json = true; return 0;
    case 'y': p->c->yes = true; return 0;
    case ARGP_KEY_ARG:
        f = argument(command, p->next);
        if (f == NULL)
            exit(misused(p->c, "what is '%s'?", arg));
        take(p, f, arg);
        p->next += f->kind != FIELD_TEXTS;
        return 0;
    case ARGP_KEY_END:
        f = argument(command, p->next);
        if (f != NULL && !f->optional)
            exit(misused(p->c, "which %s?", f->value));
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* What argp is to know of a command. */
struct shape {
    struct argp argp;
    struct argp_option options[FIELDS_MAX + 3];
    char args[128];
    char name[NAME_SIZE + 16];
    char *doc;
};

/* "TABLE PLY [FILE]" */
static void write_args(const struct command *command, char *text, size_t size)
{
    struct sbuf s = sbuf_in(text, size);
    const struct field *f;

    for (size_t n = 0; (f = argument(command, n)) != NULL; n++)
        sbuf_printf(&s, f->optional ? "%s[%s%s]" : "%s%s%s", n > 0 ? " " : "",
                    f->value, f->kind == FIELD_TEXTS ? "..." : "");
}

/* One line, the arguments and the longer text. */
static char *make_doc(const struct command *command)
{
    const struct field *f;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    ASSERT(to != NULL);
    (void)fputs(command->text, to);
    for (size_t n = 0; (f = argument(command, n)) != NULL; n++)
        if (f->text != NULL)
            (void)fprintf(to, "\n  %-10s %s", f->value, f->text);
    if (command->help != NULL)
        (void)fprintf(to, "\v%s", command->help);
    (void)fclose(to);
    ASSERT(text != NULL);
    return text;
}

static void shape_init(struct shape *s, const struct command *command)
{
    char name[NAME_SIZE];

    *s = (struct shape){.doc = make_doc(command)};
    struct argp_option *o = s->options;
    for (int i = 0; command->fields[i].name != NULL; i++) {
        const struct field *f = &command->fields[i];
        if (f->option != NULL)
            *o++ = (struct argp_option){
                .name = f->option,
                .key = OPTION_KEY + i,
                .arg = field_is_flag(f) ? NULL : f->value,
                .doc = f->text,
            };
    }
    if (command->question != NULL)
        *o++ = (struct argp_option){.name = "yes",
                                    .key = 'y',
                                    .doc = "do not ask first"};
    *o = (struct argp_option){.name = "json",
                              .key = 'j',
                              .doc = "the result as JSON"};
    write_args(command, s->args, sizeof(s->args));
    (void)snprintf(s->name, sizeof(s->name), "sobremesactl %s",
                   command_name(command, name));
    s->argp = (struct argp){
        .options = s->options,
        .parser = parse,
        .args_doc = s->args,
        .doc = s->doc,
    };
}

_Noreturn void fields_help(const struct command *command)
{
    struct ctl c = {.command = command};
    struct parsing p = {.c = &c};
    struct shape s;
    char help[] = "--help";

    shape_init(&s, command);
    char *words[] = {s.name, help, NULL};
    (void)argp_parse(&s.argp, 2, words, 0, NULL, &p);
    abort(); /* it does not come back */
}

/* What was not given and has a value all the same. */
static void complete(struct ctl *c)
{
    if (c->command->always.name != NULL)
        (void)json_object_set_new(c->given, c->command->always.name,
                                  json_string(c->command->always.value));
    for (const struct field *f = c->command->fields; f->name != NULL; f++) {
        if (f->kind == FIELD_LIMIT &&
            json_object_get(c->given, f->name) == NULL)
            (void)json_object_set_new(c->given, f->name, json_integer(100));
        if (f->kind != FIELD_SECRET)
            continue;
        json_t *secret = ask_secret();
        if (secret == NULL)
            exit(STATUS_FAILED);
        (void)json_object_set_new(c->given, f->name, secret);
    }
}

void fields_parse(struct ctl *c, int argc, char **argv)
{
    struct parsing p = {.c = c};
    struct shape s;

    shape_init(&s, c->command);
    argv[0] = s.name;
    c->given = json_object();
    c->local = json_object();
    if (argp_parse(&s.argp, argc, argv, 0, NULL, &p) != 0)
        exit(STATUS_USAGE);
    free(s.doc);
    if (c->json)
        complain_in_json();
    complete(c);
    if (!agreed(c))
        exit(complain("nothing was changed"));
}
