/* methods.h -- every request there is, and every notification.
 *
 * One table: the server dispatches on it, parameters are checked against it,
 * and the JSON Schema, the OpenRPC document and the reference in README.md are
 * printed from it.  The numbers of methods are an enum only within one build;
 * on the wire they have names. */

#ifndef PROTOCOL_METHODS_H
#define PROTOCOL_METHODS_H

#include "errors.h"
#include "shape.h"

enum method {
#define METHOD(constant, ...) M_##constant,
#include "methods.def"
#undef METHOD
    METHODS
};

/* Who may ask. */
enum method_role {
    ROLE_ANYONE, /* without login */
    ROLE_USER,   /* logged in */
    ROLE_ADMIN,  /* on the administrator's socket */
    ROLE_BOTS    /* a process of the server's that thinks for bots */
};

/* What a request costs, for the rate limits; see limits.h of the server. */
enum method_rate {
    RATE_CHEAP,
    RATE_READ,
    RATE_WRITE,
    RATE_MOVE,
    RATE_LOGIN,
    METHOD_RATES
};

/* What a token's scopes are about. */
enum method_scope { SCOPE_READ, SCOPE_PLAY, SCOPE_ACCOUNT, SCOPES };
extern const char *const method_scopes[]; /* ends with NULL */

/* What is stored of somebody besides the account itself, part by part, as
 * account.export tells it; ends with NULL. */
extern const char *const person_parts[];

struct method_info {
    const char *name;
    enum method_role role;
    enum method_rate rate;
    enum method_scope scope;
    bool barrier; /* later requests of the connection wait for it */
    bool table;   /* its parameter `table` names the table it is about */
    struct shape params, result;
    const enum error *errors; /* besides the common ones; ends with ERR_NONE */
    const char *text;
};

extern const struct method_info methods[METHODS];

/* The method of that name, or -1. */
int method_find(const char *wanted, size_t len);

enum notification {
    N_TABLE_UPDATE,
    N_TABLE_CHAT,
    N_ME_EVENT,
    N_SERVER_NOTICE,
    NOTIFICATIONS
};

struct notification_info {
    const char *name;
    struct shape params;
    const char *text;
};

extern const struct notification_info notifications[NOTIFICATIONS];

/* The named shapes that others refer to; ends with NULL. */
extern const struct shape *const method_types[];

/* The document that rpc.discover answers with. */
void methods_openrpc(struct json_out *o, const char *key, const char *version);
/* One JSON Schema (draft-07) of everything: `definitions` holds the types and,
 * for each method, METHOD.params and METHOD.result, for each notification
 * NAME.params. */
void methods_schema(struct json_out *o, const char *key);

#endif
