/* main.c -- sobremesa, the terminal client: which command it is.
 *
 * Each command has its own options and help; see term.h for what they have in
 * common, README.md for what they do. */

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "protocol/sbuf_printf.h"
#include "term.h"

const char *argp_program_version = "sobremesa " SOBREMESA_VERSION;

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
};

static const struct command commands[] = {
    {"register", register_command, "make an account on a server"},
    {"login", login_command, "log in"},
    {"guest", guest_command, "log in as a guest, without a password"},
    {"logout", logout_command, "log out"},
    {"reset", reset_command, "set a new password by a link"},
    {"whoami", whoami_command, "who you are, and where"},
    {"lobby", lobby_command, "your tables, and those you could join"},
    {"create", create_command, "make a table"},
    {"join", join_command, "take a seat at a table"},
    {"play", play_command, "play at a table, or here without a server"},
    {"watch", watch_command, "look on at a table"},
    {"replay", replay_command, "look at a game again, step by step"},
    {"bot", bot_command, "sit at tables and move at random"},
    {"games", games_command, "the games, their moves, options and boards"},
    {"rules", rules_command, "a game's rules, in short and in full"},
    {"board", board_command, "check, show, generate or convert a board"},
    {"script", script_command, "play moves from a file and show what comes"},
    {"verify", verify_command, "check a game record: every draw, every hash"},
};

_Noreturn void core_panic(const char *file, int line, const char *what)
{
    if (term_emergency != NULL)
        term_emergency();
    (void)fprintf(stderr, "sobremesa: a bug at %s:%d: %s\n", file, line, what);
    abort();
}

static const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

struct choice {
    const struct command *command;
    int first; /* index of its name in argv */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct choice *choice = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        choice->command = command_find(arg);
        if (choice->command == NULL)
            argp_error(state, "there is no command '%s'", arg);
        choice->first = state->next - 1;
        state->next = state->argc; /* the rest is the command's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "what shall I do? Say `play`, for example");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static char doc[2048];
    struct sbuf s = sbuf_in(doc, sizeof(doc));

    sbuf_puts(&s, "Sobremesa: board games that wait for you, in the "
                  "terminal.\v");
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        sbuf_printf(&s, "  %-8s %s\n", commands[i].name, commands[i].text);
    sbuf_puts(&s, "\n`sobremesa COMMAND --help` tells more. Exit status: 0 "
                  "done, 1 refused or failed, 64 wrong usage.");
    const struct argp argp = {
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc = doc,
    };
    struct choice choice = {0};

    (void)setlocale(LC_ALL, "");
    output_open();
    argp_err_exit_status = STATUS_USAGE;
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice) != 0)
        return STATUS_USAGE;
    return finish_output(
        choice.command->run(argc - choice.first, argv + choice.first));
}
