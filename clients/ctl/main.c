/* main.c -- sobremesactl: the command line, up to the command's name. */

#include "ctl.h"

#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "protocol/files.h"
#include "protocol/version.h"

const char *argp_program_version = "sobremesactl " SOBREMESA_VERSION;

_Noreturn void core_panic(const char *file, int line, const char *what)
{
    (void)fprintf(stderr, "sobremesactl: a bug at %s:%d: %s\n", file, line,
                  what);
    abort();
}

struct arguments {
    const char *admin, *data;
    bool json, yes;
    const struct command *command;
    int first; /* index of its name in argv */
};

static const struct argp_option options[] = {
    {"admin", 'a', "PATH", 0,
     "the server's administration socket (also: SOBREMESA_ADMIN)", 0},
    {"data", 'd', "DIR", 0,
     "the server's data, where admin.sock is (" DEFAULT_DATA "; if it is not "
     "there, an installed service's " DEFAULT_SOCKET " is asked)",
     0},
    {"json", 'j', NULL, 0, "results and refusals as JSON", 0},
    {"yes", 'y', NULL, 0, "do not ask before what cannot be undone", 0},
    {0},
};

/* The command that WORD begins, which is the argument before STATE->next. */
static void take_command(struct argp_state *state, struct arguments *a,
                         const char *word)
{
    const char *next = state->argv[state->next];

    if (command_is_group(word) && next != NULL &&
        (strcmp(next, "--help") == 0 || strcmp(next, "-?") == 0)) {
        group_print(stdout, word);
        exit(STATUS_DONE);
    }
    a->command = command_find(word, next);
    if (a->command == NULL)
        exit(STATUS_USAGE);
    a->first = state->next - (a->command->group == NULL);
    state->next = state->argc; /* the rest is the command's */
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'a': a->admin = arg; return 0;
    case 'd': a->data = arg; return 0;
    case 'j': a->json = true; return 0;
    case 'y': a->yes = true; return 0;
    case ARGP_KEY_ARG: take_command(state, a, arg); return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "what shall I do? Say `status`, for example");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Where the server's socket is, as far as can be known: what was said, what
 * the environment says, in DATA, or where a machine's own daemon has it, even
 * if we may not look there. */
static const char *find_socket(const struct arguments *a, char *buf,
                               size_t size)
{
    const char *named = getenv("SOBREMESA_ADMIN");

    if (a->admin != NULL)
        return a->admin;
    if (a->data == NULL && named != NULL && named[0] != '\0')
        return named;
    (void)snprintf(buf, size, "%s/admin.sock",
                   a->data != NULL ? a->data : DEFAULT_DATA);
    return a->data == NULL && access(buf, F_OK) != 0 && errno == ENOENT &&
                   (access(DEFAULT_SOCKET, F_OK) == 0 || errno == EACCES)
               ? DEFAULT_SOCKET
               : buf;
}

static struct argp make_argp(const char *doc)
{
    return (struct argp){
        .options = options,
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc = doc,
    };
}

_Noreturn void program_help(void)
{
    char name[] = "sobremesactl", help[] = "--help", *doc = command_list();
    char *words[] = {name, help, NULL};
    const struct argp argp = make_argp(doc);

    (void)argp_parse(&argp, 2, words, 0, NULL, NULL);
    abort(); /* it does not come back */
}

int main(int argc, char **argv)
{
    char *doc = command_list();
    const struct argp argp = make_argp(doc);
    struct arguments a = {0};
    char socket_path[4096];

    files_standard();
    (void)setlocale(LC_CTYPE, "");
    output_open();
    argp_err_exit_status = STATUS_USAGE;
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &a) != 0)
        return STATUS_USAGE;
    free(doc);
    struct ctl c = {
        .path = find_socket(&a, socket_path, sizeof(socket_path)),
        .data = a.data != NULL ? a.data : DEFAULT_DATA,
        .json = a.json,
        .yes = a.yes,
        .command = a.command,
    };
    output_json(c.json);
    fields_parse(&c, argc - a.first, argv + a.first);
    int status = c.command->run != NULL ? c.command->run(&c)
                                        : call_command(&c);
    hang_up(&c);
    json_decref(c.given);
    json_decref(c.local);
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain("cannot write the output");
    return status;
}
