/* table_command.h -- a command whose words are a table and, behind it, what is
 * wanted there: `sobremesa propose TABLE pause 7d`. */

#ifndef TERM_TABLE_COMMAND_H
#define TERM_TABLE_COMMAND_H

#include <argp.h>
#include <stdbool.h>

#include "session.h"

enum { TABLE_COMMAND_JSON = 256 }; /* the key of --json */

struct table_command {
    struct session session;
    const char *table;
    char words[300]; /* behind it, with blanks between */
    bool json;
};

/* Of an argp whose input is a struct table_command that was all zeros. */
error_t table_command_parse(int key, char *arg, struct argp_state *state);
/* Reads the arguments into C, which is all zeros, and logs in; false: *RET_STATUS
 * is how it ended, which was said. */
bool table_command_begin(struct table_command *c, const struct argp *argp,
                         const char *name, int argc, char **argv,
                         int *ret_status);

#endif
