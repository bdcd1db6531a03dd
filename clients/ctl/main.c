/* main.c -- sobremesactl: which command it is, and what there is. */

#include "ctl.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "protocol/version.h"

const char *argp_program_version = "sobremesactl " SOBREMESA_VERSION;

/* ---- commands --------------------------------------------------------- */

#define END \
    { \
        NULL, FIELD_TEXT, NULL, NULL, NULL, false \
    }
#define ARGUMENT(name, value) \
    { \
        name, FIELD_TEXT, NULL, value, NULL, false \
    }
#define LIMIT \
    { \
        "limit", FIELD_LIMIT, "limit", "N", \
            "at most N of them (100); 0 is all", false \
    }
#define WHY(text) \
    { \
        "why", FIELD_TEXT, "why", "TEXT", text, false \
    }

/* clang-format off: tables are laid out by hand. */

static const struct field tables_list[] = {
    {"state", FIELD_TEXT, "state", "STATE",
     "open, playing, finished or abandoned", false},
    {"game", FIELD_TEXT, "game", "GAME", "of this game", false},
    LIMIT,
    END,
};
static const struct field table[] = {ARGUMENT("table", "TABLE"), END};
static const struct field table_show[] = {
    ARGUMENT("table", "TABLE"),
    {"plies", FIELD_NUMBER, "plies", "N", "the last N of them (20)", false},
    END,
};
static const struct field table_abandon[] = {
    ARGUMENT("table", "TABLE"),
    WHY("for the audit"),
    END,
};
static const struct field table_rewind[] = {
    ARGUMENT("table", "TABLE"),
    {"ply", FIELD_NUMBER, NULL, "PLY", NULL, false},
    WHY("for the audit"),
    END,
};
static const struct field table_replace[] = {
    ARGUMENT("table", "TABLE"),
    {"seat", FIELD_NUMBER, NULL, "SEAT", NULL, false},
    ARGUMENT("user", "USER"),
    WHY("for the audit"),
    END,
};
static const struct field record_file[] = {ARGUMENT("file", "FILE"), END};
static const struct field users_list[] = {
    {"banned", FIELD_FLAG, "banned", NULL, "only who is barred now", false},
    {"guests", FIELD_FLAG, "guests", NULL, "only guests", false},
    {"guests", FIELD_NO, "no-guests", NULL, "no guests", false},
    LIMIT,
    END,
};
static const struct field user[] = {ARGUMENT("user", "USER"), END};
static const struct field user_add[] = {
    ARGUMENT("name", "NAME"),
    {"email", FIELD_TEXT, "email", "ADDRESS", "where mail reaches the user",
     false},
    {"password", FIELD_SECRET, NULL, NULL, NULL, false},
    END,
};
static const struct field user_password[] = {
    ARGUMENT("user", "USER"),
    {"password", FIELD_SECRET, NULL, NULL, NULL, false},
    END,
};
static const struct field user_ban[] = {
    ARGUMENT("user", "USER"),
    {"until", FIELD_UNTIL, "until", "TIME",
     "30m, 12h, 7d, 2w from now, or 2026-12-31[T20:00]; else for good", false},
    WHY("the user is told"),
    END,
};
static const struct field sessions_list[] = {
    {"user", FIELD_TEXT, NULL, "USER", NULL, true},
    LIMIT,
    END,
};
static const struct field sessions_end[] = {
    {"id", FIELD_TEXT, NULL, "SESSION", NULL, true},
    {"user", FIELD_TEXT, "user", "USER",
     "all of this user's, tokens of bots among them", false},
    END,
};
static const struct field text[] = {ARGUMENT("text", "TEXT"), END};
static const struct field path[] = {
    {"path", FIELD_PATH, NULL, "FILE", NULL, false},
    END,
};
static const struct field prune[] = {
    {"dry_run", FIELD_FLAG, "dry-run", NULL, "only count", false},
    END,
};
static const struct field level[] = {
    {"level", FIELD_TEXT, NULL, "LEVEL", NULL, true},
    END,
};
static const struct field shutdown_fields[] = {
    {"seconds", FIELD_SECONDS, "in", "TIME", "seconds, or 10m, 2h", false},
    {"text", FIELD_TEXT, "say", "TEXT", "people are told", false},
    {"cancel", FIELD_FLAG, "cancel", NULL, "stay after all", false},
    END,
};
static const struct field audit[] = {
    {"table", FIELD_TEXT, "table", "TABLE", "only of this table", false},
    {"user", FIELD_TEXT, "user", "USER", "only of this user", false},
    LIMIT,
    END,
};

const struct command commands[] = {
    {NULL, "status", "How the server is.", "admin.status", NULL, NULL,
     show_status, NULL},
    {NULL, "verify", "Checks tables, named or --all: every draw, every hash.",
     NULL, NULL, NULL, NULL, verify_command},
    {"tables", "list", "All tables, the newest first.", "admin.tables",
     tables_list, "tables", show_tables, NULL},
    {"tables", "show", "One table: seats, last plies.", "admin.table",
     table_show, NULL, show_table, NULL},
    {"tables", "abandon", "Gives a table up: nobody wins.", "admin.abandon",
     table_abandon, NULL, show_ply, NULL},
    {"tables", "rewind", "Takes back all behind PLY; later draws are new.",
     "admin.rewind", table_rewind, NULL, show_ply, NULL},
    {"tables", "replace", "Gives a seat of a running table to USER.",
     "admin.replace", table_replace, NULL, show_ply, NULL},
    {"tables", "export",
     "A table's record, on stdout; a running one's has the seed.", NULL, table,
     NULL, NULL, export_command},
    {"tables", "import", "Keeps a finished game's record under a new id.",
     NULL, record_file, NULL, NULL, import_command},
    {NULL, "export", "As `tables export'.", NULL, table, NULL, NULL,
     export_command},
    {NULL, "import", "As `tables import'.", NULL, record_file, NULL, NULL,
     import_command},
    {"users", "list", "Accounts, by name.", "admin.users", users_list, "users",
     show_users, NULL},
    {"users", "add", "Makes an account; the password comes from stdin.",
     "admin.users.add", user_add, NULL, show_user, NULL},
    {"users", "password", "Sets a password, from stdin; ends all sessions.",
     "admin.users.password", user_password, NULL, show_ended, NULL},
    {"users", "ban", "Bars a user and ends all sessions.", "admin.users.ban",
     user_ban, NULL, show_ended, NULL},
    {"users", "unban", "Lets a user in again.", "admin.users.unban", user,
     NULL, show_done, NULL},
    {"users", "delete", "Deletes an account; it resigns at running tables.",
     "admin.users.delete", user, NULL, show_deleted, NULL},
    {"users", "export", "All that is stored about a user, as JSON.", NULL,
     user, NULL, NULL, user_export_command},
    {"sessions", "list", "Sessions and bots' tokens, of all or of USER.",
     "admin.sessions", sessions_list, "sessions", show_sessions, NULL},
    {"sessions", "end", "Ends a session, or all of a user's.",
     "admin.sessions.end", sessions_end, NULL, show_ended, NULL},
    {NULL, "broadcast", "Says something to everybody who is there.",
     "admin.broadcast", text, NULL, show_told, NULL},
    {NULL, "backup", "Copies the store to a new FILE, while people play.",
     "admin.backup", path, NULL, show_backup, backup_command},
    {NULL, "restore", "Puts a backup in place of the data, without a server.",
     NULL, path, NULL, NULL, restore_command},
    {NULL, "vacuum", "Shrinks the store's file; moves wait meanwhile.",
     "admin.vacuum", NULL, NULL, show_vacuum, NULL},
    {NULL, "prune", "Drops expired sessions and old keys.", "admin.prune",
     prune, NULL, show_prune, NULL},
    {"config", "show", "What is set, and by whom.", "admin.config", NULL, NULL,
     show_config, NULL},
    {"log", "level", "What is logged: error to debug; asks without LEVEL.",
     "admin.log", level, NULL, show_log, NULL},
    {NULL, "shutdown", "Ends the server, at once or in a while.",
     "admin.shutdown", shutdown_fields, NULL, show_end, NULL},
    {NULL, "audit", "Every change made here, the latest first.", "admin.audit",
     audit, "changes", show_audit, NULL},
};
const size_t command_count = COUNT_OF(commands);

/* clang-format on */

_Noreturn void core_panic(const char *file, int line, const char *what)
{
    (void)fprintf(stderr, "sobremesactl: a bug at %s:%d: %s\n", file, line,
                  what);
    abort();
}

/* ---- the command line ------------------------------------------------- */

#define USUAL_DATA   "sobremesa-data"
#define USUAL_SOCKET "/run/sobremesa/admin.sock" /* deploy/ */

struct arguments {
    const char *admin, *data;
    bool json;
    const struct command *command;
    int first; /* index of its name in argv */
};

static const struct argp_option options[] = {
    {"admin", 'a', "PATH", 0,
     "the server's administration socket (also: SOBREMESA_ADMIN)", 0},
    {"data", 'd', "DIR", 0,
     "the server's data, where admin.sock is (./sobremesa-data; if it is not "
     "there, /run/sobremesa has it)",
     0},
    {"json", 'j', NULL, 0, "results as JSON", 0},
    {0},
};

/* The command called WORD, or WORD NEXT; NULL after a complaint. */
static const struct command *find(struct argp_state *state, const char *word,
                                  const char *next)
{
    bool group = false;

    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        const struct command *c = &commands[i];
        if (c->group == NULL && strcmp(c->name, word) == 0)
            return c;
        if (c->group == NULL || strcmp(c->group, word) != 0)
            continue;
        group = true;
        if (next != NULL && strcmp(c->name, next) == 0)
            return c;
    }
    if (group && next != NULL && strcmp(next, "--help") == 0) {
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return NULL;
    }
    if (!group)
        argp_error(state, "there is no command '%s'", word);
    else if (next == NULL)
        argp_error(state, "%s: do what?", word);
    else
        argp_error(state, "there is no command '%s %s'", word, next);
    return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'a': a->admin = arg; return 0;
    case 'd': a->data = arg; return 0;
    case 'j': a->json = true; return 0;
    case ARGP_KEY_ARG:
        a->command = find(state, arg, state->argv[state->next]);
        if (a->command == NULL)
            return EINVAL;
        a->first = state->next - (a->command->group == NULL);
        state->next = state->argc; /* the rest is the command's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "what shall I do? Say `status`, for example");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Where the server's socket is, as far as can be known: what was said, what
 * the environment says, in DATA, or where a machine's own daemon has it. */
static const char *find_socket(const struct arguments *a, char *buf,
                               size_t size)
{
    const char *named = getenv("SOBREMESA_ADMIN");

    if (a->admin != NULL)
        return a->admin;
    if (a->data == NULL && named != NULL && named[0] != '\0')
        return named;
    (void)snprintf(buf, size, "%s/admin.sock",
                   a->data != NULL ? a->data : USUAL_DATA);
    return a->data == NULL && access(buf, F_OK) != 0 &&
                   access(USUAL_SOCKET, F_OK) == 0
               ? USUAL_SOCKET
               : buf;
}

static char *make_doc(void)
{
    static char doc[4096];
    size_t len =
        (size_t)snprintf(doc, sizeof(doc),
                         "Sobremesa: looks after a running server.\v");

    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        const struct command *c = &commands[i];
        char name[32];
        (void)snprintf(name, sizeof(name), "%s%s%s",
                       c->group != NULL ? c->group : "",
                       c->group != NULL ? " " : "", c->name);
        len += (size_t)snprintf(doc + len, sizeof(doc) - len, "  %-15s  %s\n",
                                name, c->text);
    }
    (void)snprintf(doc + len, sizeof(doc) - len,
                   "\nCOMMAND --help tells its arguments.  Exit status: 0 "
                   "done, 1 refused, failed or a record is wrong, 64 wrong "
                   "usage.");
    return doc;
}

int main(int argc, char **argv)
{
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc = make_doc(),
    };
    struct arguments a = {0};
    char socket_path[4096];

    argp_err_exit_status = STATUS_USAGE;
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &a) != 0)
        return STATUS_USAGE;
    struct ctl c = {
        .path = find_socket(&a, socket_path, sizeof(socket_path)),
        .data = a.data != NULL ? a.data : USUAL_DATA,
        .json = a.json,
        .command = a.command,
    };
    argc -= a.first;
    argv += a.first;
    if (c.command->run == NULL || c.command->fields != NULL)
        fields_parse(&c, argc, argv);
    int status = c.command->run != NULL ? c.command->run(&c, argc, argv)
                                        : call_command(&c);
    hang_up(&c);
    json_decref(c.given);
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain("cannot write the output");
    return status;
}
