/* commands.c -- the table of commands.h. */

#include "commands.h"

#define COMMAND_PLAIN(name)    .plain = (name)
#define COMMAND_BARRIER(name)  .plain = (name)
#define COMMAND_AT_TABLE(name) .at_table = (name)
#define METHOD(constant, word, name, place, ...) \
    [M_##constant] = {COMMAND_##place(handle_##word)},

const struct command commands[METHODS] = {
#include "protocol/methods.def"
};
