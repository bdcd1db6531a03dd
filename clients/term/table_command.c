/* table_command.c -- the arguments of a command about a table. */

#include "table_command.h"

#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "protocol/sbuf_printf.h"
#include "term.h"

error_t table_command_parse(int key, char *arg, struct argp_state *state)
{
    struct table_command *c = state->input;
    size_t len = strlen(c->words);
    struct sbuf s = sbuf_in(c->words + len, sizeof(c->words) - len);

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &c->session); return 0;
    case TABLE_COMMAND_JSON: c->json = true; return 0;
    case ARGP_KEY_ARG:
        if (c->table == NULL)
            c->table = session_table(&c->session, arg);
        else
            sbuf_printf(&s, "%s%s", len > 0 ? " " : "", arg);
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, _("which one?")); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

bool table_command_begin(struct table_command *c, const struct argp *argp,
                         const char *name, int argc, char **argv,
                         int *ret_status)
{
    *ret_status = STATUS_USAGE;
    if (command_parse(argp, name, argc, argv, c) != STATUS_DONE)
        return false;
    *ret_status = STATUS_FAILED;
    return session_open(&c->session, SESSION_SOMEBODY, NULL);
}
