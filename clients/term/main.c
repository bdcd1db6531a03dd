/* main.c -- sobremesa, the terminal client: which command it is.
 *
 * Each command has its own options and help; see term.h for what they have in
 * common, README.md for what they do. */

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "protocol/files.h"
#include "protocol/sbuf_printf.h"
#include "language.h"
#include "near.h"
#include "session.h"
#include "term.h"
#include "usage.h"

const struct command commands[] = {
    {"register", register_command, N_("make an account on a server")},
    {"login", login_command, N_("log in")},
    {"guest", guest_command, N_("log in as a guest, without a password")},
    {"logout", logout_command, N_("log out")},
    {"reset", reset_command, N_("set a new password by a link")},
    {"whoami", whoami_command, N_("who you are, and where")},
    {"export", export_command,
     N_("all that a server keeps of you, in a file")},
    {"delete", delete_command, N_("delete your account")},
    {"lobby", lobby_command, N_("your tables, and those you could join")},
    {"tables", tables_command, N_("your tables, in lines")},
    {"waiting", waiting_command, N_("how many tables wait for you")},
    {"notices", notices_command,
     N_("how you are told things when you are away")},
    {"hours", hours_command, N_("when you are there")},
    {"absence", absence_command, N_("when you are away")},
    {"block", block_command, N_("whom you do not want to meet")},
    {"unblock", unblock_command, N_("meet somebody again")},
    {"ratings", ratings_command, N_("how well you play, and who plays best")},
    {"results", results_command, N_("what became of your games")},
    {"email", email_command, N_("your address")},
    {"factor", factor_command, N_("a second factor for logging in")},
    {"create", create_command, N_("make a table")},
    {"fork", fork_command, N_("play on from where another table is, or was")},
    {"rematch", rematch_command, N_("play again with the same people")},
    {"join", join_command, N_("take a seat at a table")},
    {"link", link_command,
     N_("a link by which others sit down at your table")},
    {"decline", decline_command, N_("decline an invitation")},
    {"play", play_command, N_("play at a table, or here without a server")},
    {"learn", learn_command,
     N_("be led through a first game, without a server")},
    {"take-over", take_over_command,
     N_("play on in a seat whose player has not come")},
    {"return", return_command, N_("take back your own seat")},
    {"give", give_command, N_("give your opponent time")},
    {"propose", propose_command, N_("ask the others to agree on something")},
    {"vote", vote_command, N_("agree to what others ask for, or not")},
    {"order", order_command,
     N_("have a table play for you as soon as you are asked")},
    {"watch", watch_command, N_("look on at a table")},
    {"replay", replay_command, N_("look at a game again, step by step")},
    {"record", record_command, N_("the record of a game that is over")},
    {"bot", bot_command, N_("sit at tables and play by itself")},
    {"arena", arena_command, N_("let bots play each other, and count")},
    {"games", games_command, N_("the games, their moves, options and boards")},
    {"rules", rules_command, N_("a game's rules, in short and in full")},
    {"board", board_command, N_("check, show, generate or convert a board")},
    {"script", script_command,
     N_("play moves from a file and show what comes")},
    {"verify", verify_command,
     N_("check a game record: every draw, every hash")},
    {"complete", complete_command, N_("what a word could be, for shells")},
    {0},
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
    for (size_t i = 0; commands[i].name != NULL; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void refuse_command(const struct argp_state *state, const char *name)
{
    struct near near = near_to(name, strlen(name));
    char hint[64];

    for (size_t i = 0; commands[i].name != NULL; i++)
        near_try(&near, commands[i].name);
    argp_error(state, _("there is no command '%s'%s"), name,
               near_hint(&near, hint, sizeof(hint)));
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
            refuse_command(state, arg);
        choice->first = state->next - 1;
        state->next = state->argc; /* the rest is the command's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, _("what shall I do? Say `play`, for example"));
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Whether WORD is an option that commands have and the program itself has
 * not. */
static bool is_of_commands(const struct argp *argp, const char *word)
{
    size_t len = strcspn(word, "=");

    return word[0] == '-' && usage_option(argp, word, len) == NULL &&
           usage_option(&session_argp, word, len) != NULL;
}

int main(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&language_argp, 0, NULL, 20},
        {0},
    };
    static char doc[8192];
    struct sbuf s = sbuf_in(doc, sizeof(doc));

    files_standard();
    (void)setlocale(LC_ALL, "");
    language_start(argc, argv);
    sbuf_printf(&s, "%s\v",
                _("Sobremesa: board games that wait for you, in the "
                  "terminal."));
    for (size_t i = 0; commands[i].name != NULL; i++)
        sbuf_printf(&s, "  %-9s %s\n", commands[i].name, _(commands[i].text));
    sbuf_printf(&s, "\n%s",
                _("`sobremesa COMMAND --help` tells more. Exit status: 0 "
                  "done, 1 refused or failed, 64 wrong usage, 69 no server, "
                  "77 not logged in."));
    const struct argp argp = {
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc = doc,
        .children = children,
    };
    struct choice choice = {0};

    output_open();
    argp_err_exit_status = STATUS_USAGE;
    if (argc > 1 && is_of_commands(&argp, argv[1])) {
        (void)complain(_("%s stands behind the command"), argv[1]);
        return STATUS_USAGE;
    }
    if (!usage_check(&argp, "sobremesa", argc, argv, true))
        return STATUS_USAGE;
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP, NULL,
                   &choice) != 0)
        return STATUS_USAGE;
    return finish_output(
        choice.command->run(argc - choice.first, argv + choice.first));
}
