/* config_args.c -- the command line; see config.h. */

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "config_inner.h"
#include "protocol/version.h"

const char *argp_program_version = "sobremesad " SOBREMESA_VERSION;

enum {
    OPT_DATA = 1000,
    OPT_HTTP,
    OPT_LINES,
    OPT_LINES_UNIX,
    OPT_ADMIN,
    OPT_SET,
    OPT_CHECK,
    OPT_RESTORE,
    OPT_VERIFY,
    OPT_PRINT_REPLAYS,
    OPT_CHECK_REPLAYS
};

static const struct argp_option options[] = {
    {"config", 'c', "FILE", 0, "read this configuration", 0},
    {"data", OPT_DATA, "DIR", 0, "keep everything here", 0},
    {"http", OPT_HTTP, "ADDR:PORT|off", 0, "where browsers go", 0},
    {"lines", OPT_LINES, "ADDR:PORT|off", 0, "where lines of JSON go", 0},
    {"lines-unix", OPT_LINES_UNIX, "PATH|off", 0, "the same, as a socket", 0},
    {"admin", OPT_ADMIN, "PATH|off", 0, "the administrator's socket", 0},
    {"set", OPT_SET, "section.key=value", 0, "any setting of the file", 0},
    {"check-config", OPT_CHECK, NULL, 0, "say whether it is good, and end", 0},
    {"restore", OPT_RESTORE, "FILE", 0,
     "put this backup in place of the data, and end", 0},
    {"verify", OPT_VERIFY, "FILE", 0,
     "say whether this backup, or store, is whole and true, and end", 0},
    {"print-replays", OPT_PRINT_REPLAYS, "PATH", 0,
     "say what the tables in PATH, a store or its directory, come to, and end",
     0},
    {"check-replays", OPT_CHECK_REPLAYS, "PATH", 0,
     "compare with what another version printed, on stdin, and end", 0},
    {0},
};

static void add_set(struct config *c, struct argp_state *state,
                    const char *name, const char *value)
{
    size_t most = sizeof(c->set) / sizeof(c->set[0]);
    int n;

    if (c->set_count == most)
        argp_error(state, "at most %zu settings", most);
    n = name != NULL
            ? snprintf(c->set[c->set_count], CONFIG_TEXT_MAX, "%s=%s", name,
                       value)
            : snprintf(c->set[c->set_count], CONFIG_TEXT_MAX, "%s", value);
    if (n < 0 || n >= CONFIG_TEXT_MAX)
        argp_error(state, "a setting is too long");
    if (strchr(c->set[c->set_count], '=') == NULL)
        argp_error(state, "--set takes section.key=value");
    c->set_count++;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct config *c = state->input;

    switch (key) {
    case 'c':
        if (snprintf(c->file, sizeof(c->file), "%s", arg) >=
            (int)sizeof(c->file))
            argp_error(state, "the path is too long");
        return 0;
    case OPT_DATA: add_set(c, state, "server.data", arg); return 0;
    case OPT_HTTP: add_set(c, state, "http.listen", arg); return 0;
    case OPT_LINES: add_set(c, state, "lines.listen", arg); return 0;
    case OPT_LINES_UNIX: add_set(c, state, "lines.unix", arg); return 0;
    case OPT_ADMIN: add_set(c, state, "admin.socket", arg); return 0;
    case OPT_SET: add_set(c, state, NULL, arg); return 0;
    case OPT_CHECK: c->check_only = true; return 0;
    case OPT_RESTORE:
        if (snprintf(c->restore, sizeof(c->restore), "%s", arg) >=
            (int)sizeof(c->restore))
            argp_error(state, "the path is too long");
        return 0;
    case OPT_VERIFY:
        if (snprintf(c->verify, sizeof(c->verify), "%s", arg) >=
            (int)sizeof(c->verify))
            argp_error(state, "the path is too long");
        return 0;
    case OPT_PRINT_REPLAYS: c->print_replays = arg; return 0;
    case OPT_CHECK_REPLAYS: c->check_replays = arg; return 0;
    case ARGP_KEY_ARG: argp_error(state, "what is %s?", arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* A mistake, of which somebody may have written what is in it. */
static void print_fault(const char *why)
{
    size_t len = strlen(why);
    uint32_t code;

    fputs("sobremesad: ", stderr);
    for (size_t n; len > 0; why += n, len -= n) {
        n = utf8_read(why, len, &code);
        if (n > 0 && utf8_printable(code)) {
            fwrite(why, 1, n, stderr);
        } else {
            n = n > 0 ? n : 1;
            for (size_t i = 0; i < n; i++)
                fprintf(stderr, "\\x%02x", (unsigned char)why[i]);
        }
    }
    fputc('\n', stderr);
}

void config_read(struct config *c, int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Hosts board games that are played whenever people have time."
               "\vWhen it is ready it prints one line of JSON that says where"
               " it listens.",
    };
    char why[CONFIG_TEXT_MAX];

    *c = (struct config){0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, c);
    int status = config_together(c, why, sizeof(why));
    if (status == 0)
        return;
    print_fault(why);
    exit(status);
}
