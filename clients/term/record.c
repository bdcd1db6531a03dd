/* record.c -- `sobremesa record`: the record of a game that is over, as a file
 * that `verify`, `replay` and `script` read. */

#include <stdio.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "session.h"

struct record_arguments {
    struct session session;
    const char *table;
};

static error_t record_parse(int key, char *arg, struct argp_state *state)
{
    struct record_arguments *a = state->input;

    if (key == ARGP_KEY_INIT) {
        session_hand_on(state, &a->session);
        return 0;
    }
    return argument_parse(key, arg, state, &a->table, _("one TABLE at a time"),
                          _("which TABLE?"));
}

static void print_lines(const json_t *lines)
{
    output_json(true);
    for (size_t i = 0; i < json_array_size(lines); i++)
        (void)puts(json_string_value(json_array_get(lines, i)));
    output_json(false);
}

int record_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = record_parse,
        .args_doc = "TABLE",
        .doc = DOC(
            N_("Writes the record of a game that is over to the standard "
               "output: every draw of chance, every move, in lines of JSON."),
            N_("`sobremesa verify` checks it, `replay` shows it, `script` "
               "plays it.")),
        .children = session_children,
    };
    struct record_arguments a = {0};

    if (command_parse(&argp, "record", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_ANYBODY, NULL))
        return STATUS_FAILED;
    json_t *lines = session_ask_all(&a.session, "table.record",
                                    json_pack("{ss}", "table", a.table),
                                    "lines");
    int status = lines != NULL ? STATUS_DONE : STATUS_FAILED;
    print_lines(lines);
    json_decref(lines);
    session_close(&a.session);
    return status;
}
