/* verify.c -- `sobremesa verify`: whether a game record is true.
 *
 * All of it is protocol/record.h's and core/audit.h's work: the daemon and
 * sobremesactl say the same of the same record. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "protocol/record.h"
#include "term.h"

#define RECORD_BYTES_MAX (256u << 20)

struct verify_arguments {
    const char *path;
    bool quiet;
};

static error_t verify_parse(int key, char *arg, struct argp_state *state)
{
    struct verify_arguments *a = state->input;

    switch (key) {
    case 'q': a->quiet = true; return 0;
    default:
        return argument_parse(key, arg, state, &a->path,
                              _("one FILE at a time"),
                              _("which FILE? `-` is the standard input"));
    }
}

int verify_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"quiet", 'q', NULL, 0, N_("no `ok`, only the exit status"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = verify_parse,
        .args_doc = "FILE",
        .doc = DOC(
            N_("Checks the game record FILE (`-`: standard input): plays it "
               "on the rules, draws every draw anew from the seed and the "
               "nonces, and computes every hash. Says `ok`, or which ply is "
               "the first that is wrong, and why (exit status 1)."),
            N_("What is hashed for what stands in protocol/README.md.")),
    };
    struct verify_arguments a = {0};
    struct record_fault fault;
    char text[sizeof(fault.why) + 64];
    size_t len;

    if (command_parse(&argp, "verify", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    char *file = read_whole(a.path, RECORD_BYTES_MAX, &len);
    if (file == NULL)
        return STATUS_FAILED;
    bool good = record_verify(file, len, &fault);
    free(file);
    if (good) {
        if (!a.quiet)
            (void)puts("ok");
        return STATUS_DONE;
    }
    record_fault_text(&fault, text, sizeof(text));
    return complain("%s: %s",
                    strcmp(a.path, "-") == 0 ? _("standard input") : a.path,
                    text);
}
