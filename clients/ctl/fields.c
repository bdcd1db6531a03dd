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

#include "core/base.h"
#include "ctl.h"

#define FIELDS_MAX 8
#define OPTION_KEY 1000 /* and the field's place */

const char *given(const struct ctl *c, const char *name)
{
    return json_string_value(json_object_get(c->given, name));
}

/* ---- values ----------------------------------------------------------- */

/* "90", "10m", "2h", "7d", "2w" as seconds, -1 for what is none; USUAL is the
 * unit of a bare number, 0: it needs one. */
static int64_t read_span(const char *text, int64_t usual)
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
        return usual > 0 ? n * usual : -1;
    return letter != NULL && end[1] == '\0' ? n * seconds[letter - letters]
                                            : -1;
}

/* A time to come, in milliseconds; -1 for what is none. */
static int64_t read_until(const char *text)
{
    static const char *const forms[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M",
                                        "%Y-%m-%d %H:%M"};
    int64_t seconds = read_span(text, 0);

    if (seconds >= 0)
        return now_ms() + seconds * 1000;
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        struct tm local = {.tm_isdst = -1};
        const char *end = strptime(text, forms[i], &local);
        if (end != NULL && *end == '\0')
            return (int64_t)mktime(&local) * 1000;
    }
    return -1;
}

static json_t *read_path(const char *text)
{
    char cwd[PATH_MAX];

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
    case FIELD_FLAG: return json_true();
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
        *ret_expected = "30m, 12h, 7d, 2w or 2026-12-31[T20:00]";
        n = read_until(text);
        return n < 0 ? NULL : json_integer(n);
    case FIELD_SECONDS:
        *ret_expected = "seconds, or 10m, 2h";
        n = read_span(text, 1);
        return n < 0 ? NULL : json_integer(n);
    case FIELD_PATH: *ret_expected = "a path"; return read_path(text);
    case FIELD_TEXT:
    case FIELD_SECRET: break;
    }
    *ret_expected = "a text in UTF-8";
    return json_string(text);
}

/* ---- secrets ---------------------------------------------------------- */

static char *read_secret(const char *prompt)
{
    struct termios was, quiet;
    char *line = NULL;
    size_t cap = 0;
    bool terminal = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &was) == 0;

    if (terminal) {
        (void)fputs(prompt, stderr);
        quiet = was;
        quiet.c_lflag &= ~(tcflag_t)ECHO;
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
    }
    ssize_t n = getline(&line, &cap, stdin);
    if (terminal) {
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
        (void)fputc('\n', stderr);
    }
    if (n <= 0) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

/* A password: typed twice, or a line of the standard input.  It never stands
 * in a command line, where others could see it. */
static json_t *ask_secret(void)
{
    char *first = read_secret("Password: ");
    char *again = isatty(STDIN_FILENO) ? read_secret("Again: ") : NULL;
    bool same = again == NULL || first == NULL || strcmp(first, again) == 0;
    json_t *value = first != NULL && same ? json_string(first) : NULL;

    if (first == NULL)
        (void)complain("there is no password on the standard input");
    else if (!same)
        (void)complain("these are two passwords");
    else if (value == NULL)
        (void)complain("the password is not UTF-8");
    free(first);
    free(again);
    return value;
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

static const struct field *argument(const struct command *command, size_t n)
{
    const struct field *f = command->fields;

    for (; f != NULL && f->name != NULL; f++)
        if (is_argument(f) && n-- == 0)
            return f;
    return NULL;
}

static void take(struct argp_state *state, const struct field *f,
                 const char *text)
{
    struct parsing *p = state->input;
    const char *expected = NULL;
    json_t *value = read_value(f, text, &expected);

    if (value == NULL)
        argp_error(state, "%s%s: expected %s, not '%s'",
                   f->option != NULL ? "--" : "",
                   f->option != NULL ? f->option : f->value, expected, text);
    (void)json_object_set_new(p->c->given, f->name, value);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct parsing *p = state->input;
    const struct command *command = p->c->command;
    const struct field *f;

    if (key >= OPTION_KEY && key < OPTION_KEY + FIELDS_MAX) {
        take(state, &command->fields[key - OPTION_KEY], arg);
        return 0;
    }
    switch (key) {
    case ARGP_KEY_ARG:
        f = argument(command, p->next);
        if (f == NULL)
            argp_error(state, "what is '%s'?", arg);
        else
            take(state, f, arg);
        p->next++;
        return 0;
    case ARGP_KEY_END:
        f = argument(command, p->next);
        if (f != NULL && !f->optional)
            argp_error(state, "which %s?", f->value);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* "TABLE PLY [FILE]" */
static void write_args(const struct command *command, char *text, size_t size)
{
    const struct field *f;
    size_t len = 0;

    text[0] = '\0';
    for (size_t n = 0; (f = argument(command, n)) != NULL; n++)
        len += (size_t)snprintf(text + len, size - len,
                                f->optional ? "%s[%s]" : "%s%s",
                                n > 0 ? " " : "", f->value);
}

void fields_parse(struct ctl *c, int argc, char **argv)
{
    struct argp_option options[FIELDS_MAX + 1] = {{0}};
    const struct field *f = c->command->fields;
    struct parsing p = {.c = c};
    char args[128], name[64];
    size_t count = 0;

    for (int i = 0; f != NULL && f[i].name != NULL; i++) {
        ASSERT(i < FIELDS_MAX);
        if (f[i].option == NULL)
            continue;
        options[count++] = (struct argp_option){
            .name = f[i].option,
            .key = OPTION_KEY + i,
            .arg = f[i].kind == FIELD_FLAG || f[i].kind == FIELD_NO
                       ? NULL
                       : f[i].value,
            .doc = f[i].text,
        };
    }
    write_args(c->command, args, sizeof(args));
    /* A list of none is never freed by argp. */
    struct argp argp = {count > 0 ? options : NULL,
                        parse,
                        args,
                        c->command->text,
                        NULL,
                        NULL,
                        NULL};
    (void)snprintf(name, sizeof(name), "sobremesactl %s%s%s",
                   c->command->group != NULL ? c->command->group : "",
                   c->command->group != NULL ? " " : "", c->command->name);
    argv[0] = name;
    c->given = json_object();
    if (argp_parse(&argp, argc, argv, 0, NULL, &p) != 0)
        exit(STATUS_USAGE);
    for (int i = 0; f != NULL && f[i].name != NULL; i++) {
        if (f[i].kind == FIELD_LIMIT &&
            json_object_get(c->given, f[i].name) == NULL)
            (void)json_object_set_new(c->given, f[i].name, json_integer(100));
        if (f[i].kind != FIELD_SECRET)
            continue;
        json_t *secret = ask_secret();
        if (secret == NULL)
            exit(STATUS_FAILED);
        (void)json_object_set_new(c->given, f[i].name, secret);
    }
}
