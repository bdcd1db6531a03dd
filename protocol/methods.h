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
    M_SERVER_HELLO,
    M_RPC_DISCOVER,
    M_RULES_INFO,
    M_RULES_TEXT,
    M_RULES_SCHEMA,
    M_ACCOUNT_REGISTER,
    M_ACCOUNT_GUEST,
    M_ACCOUNT_KEEP,
    M_ACCOUNT_GET,
    M_ACCOUNT_PASSWORD,
    M_ACCOUNT_RESET,
    M_ACCOUNT_TOKENS_CREATE,
    M_ACCOUNT_TOKENS_LIST,
    M_ACCOUNT_TOKENS_REVOKE,
    M_SESSION_LOGIN,
    M_SESSION_RESUME,
    M_SESSION_LOGOUT,
    M_TABLE_CREATE,
    M_TABLE_LIST,
    M_TABLE_GET,
    M_TABLE_JOIN,
    M_TABLE_INVITE,
    M_TABLE_NONCE,
    M_TABLE_LEAVE,
    M_TABLE_START,
    M_TABLE_RESIGN,
    M_TABLE_WATCH,
    M_TABLE_UNWATCH,
    M_TABLE_MOVE,
    M_TABLE_UNDO,
    M_TABLE_LEGAL,
    M_TABLE_PREVIEW,
    M_TABLE_REPLAY,
    M_TABLE_AT,
    M_TABLE_RECORD,
    M_TABLE_CHAT,
    M_TABLE_TEXTS,
    M_TABLE_READ,
    M_TABLE_NOTE,
    M_ME_TABLES,
    M_ME_NEXT,
    M_ME_WATCH,
    M_ADMIN_STATUS,
    M_ADMIN_TABLES,
    M_ADMIN_TABLE,
    M_ADMIN_ABANDON,
    M_ADMIN_REWIND,
    M_ADMIN_REPLACE,
    M_ADMIN_TEXTS,
    M_ADMIN_TEXTS_REMOVE,
    M_ADMIN_EXPORT,
    M_ADMIN_IMPORT,
    M_ADMIN_ARCHIVE,
    M_ADMIN_USERS,
    M_ADMIN_USER,
    M_ADMIN_USERS_ADD,
    M_ADMIN_USERS_RENAME,
    M_ADMIN_USERS_PASSWORD,
    M_ADMIN_USERS_BAN,
    M_ADMIN_USERS_UNBAN,
    M_ADMIN_USERS_DELETE,
    M_ADMIN_USERS_EXPORT,
    M_ADMIN_SESSIONS,
    M_ADMIN_SESSIONS_END,
    M_ADMIN_LINKS,
    M_ADMIN_LINKS_CREATE,
    M_ADMIN_LINKS_REVOKE,
    M_ADMIN_BROADCAST,
    M_ADMIN_BACKUP,
    M_ADMIN_CHECK,
    M_ADMIN_VACUUM,
    M_ADMIN_PRUNE,
    M_ADMIN_CONFIG,
    M_ADMIN_LOG,
    M_ADMIN_SHUTDOWN,
    M_ADMIN_AUDIT,
    M_ADMIN_MOTD,
    M_ADMIN_MOTD_END,
    M_ADMIN_MAINTENANCE,
    M_ADMIN_MAINTENANCE_END,
    METHODS
};

/* Who may ask. */
enum method_role {
    ROLE_ANYONE, /* without login */
    ROLE_USER,   /* logged in */
    ROLE_ADMIN   /* on the administrator's socket */
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
