/* commands.h -- what does each of the requests there are.
 *
 * protocol/methods.def is the table: a row is a method's name, who may, what it
 * costs, its parameters and its answer, and names its handler.  Who adds a row
 * writes that function, in whichever file of the hub it belongs to; it need
 * not be declared or listed anywhere, and without it nothing is linked. */

#ifndef SERVER_HUB_COMMANDS_H
#define SERVER_HUB_COMMANDS_H

#include "protocol/methods.h"

struct hub;
struct request;
struct table;

typedef void (*handler)(struct hub *hub, struct request *q);
/* A request that is about a table in memory with nothing under way. */
typedef void (*table_handler)(struct hub *hub, struct table *t,
                              struct request *q);

#define HANDLER_PLAIN(name)   void name(struct hub *hub, struct request *q);
#define HANDLER_BARRIER(name) HANDLER_PLAIN(name)
#define HANDLER_AT_TABLE(name) \
    void name(struct hub *hub, struct table *t, struct request *q);
#define METHOD(constant, word, name, place, ...) HANDLER_##place(handle_##word)
#include "protocol/methods.def"
#undef METHOD
#undef HANDLER_PLAIN
#undef HANDLER_BARRIER
#undef HANDLER_AT_TABLE

/* By enum method: one of the two. */
struct command {
    handler plain;
    table_handler at_table; /* when it is the turn of its table's queue */
};
extern const struct command commands[METHODS];

#endif
