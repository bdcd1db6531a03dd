/* host.h -- all that the hub asks of the world.
 *
 * The hub decides; a host does.  The daemon's host is libuv and SQLite
 * (server/io/), the simulator's is arrays and a number called now
 * (tests/sim/).  Nothing under server/hub includes <uv.h> or <sqlite3.h>.
 *
 * Nothing here waits.  What the hub wants to know from the store or from a
 * slow computation it asks for, and is told later by hub_answered() and
 * hub_hashed(); what people who are away are told it has delivered, and hears
 * of it by hub_delivered(); what it wants stored it hands over as one transaction, and is
 * told by hub_stored().  A table has at most one transaction under way: until
 * then its further requests queue in the hub, so nothing is ever built on a
 * ply that may still be lost.
 *
 *     request -> hub -> transaction -> [stored] -> updates, then answers, leave
 *                            -> [failed] -> they are thrown away; the hub
 *                               refuses, forgets the table, loads it anew
 *
 * Every function may be called from inside hub_*(), and none calls back into
 * the hub before it has returned. */

#ifndef SERVER_HUB_HOST_H
#define SERVER_HUB_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hours.h"
#include "delivery.h"
#include "id.h"
#include "logline.h"
#include "protocol/errors.h"
#include "transaction.h"

/* A connection, by number: slot and generation, never reused while it could
 * be confused with an earlier one.  0 is none. */
typedef uint64_t peer_id;
typedef uint64_t transaction_id; /* 0: no transaction, say it at once */
typedef uint64_t ask_id;

#define MESSAGE_ROOM 16

/* A message on its way out, shared by all who receive it: the text of one JSON
 * object.  Freed when the last reference is dropped.  The host may hang on it
 * what it makes of the text once for all of them, and write what has to stand
 * before it and instead of its NUL. */
struct message {
    uint32_t refs;
    uint32_t len;
    bool answer;      /* asked for; else a notification */
    enum error error; /* why what was asked for is refused */
    int64_t next;     /* hub_record(): where the next page begins */
    char *token;      /* hub_session(): what is not in TEXT; or NULL */
    void *made;       /* the host's, or NULL ... */
    void (*unmake)(void *made); /* ... which this frees */
    char room[MESSAGE_ROOM];
    char text[]; /* LEN bytes and a NUL */
};

struct message *message_new(const char *text, size_t len); /* one reference */
struct message *message_ref(struct message *p);
void message_unref(struct message *p);

enum drop_reason {
    DROP_SHUTDOWN, /* 1001 */
    DROP_POLICY,   /* 1008: banned, token revoked */
    DROP_OVERLOAD  /* 1013 */
};

/* What the operator wants of the process itself. */
enum operation_kind {
    OPERATION_BACKUP,    /* a copy of the store to the path TEXT */
    OPERATION_VACUUM,    /* the store's file without its holes */
    OPERATION_CONFIG,    /* what is set, to what, and by whom */
    OPERATION_STORE,     /* how the store is; "check" begins to look at all of
                          * its file, "stop" ends that */
    OPERATION_LOG_LEVEL, /* TEXT from now on; a word, or "" to ask */
    OPERATION_END        /* the process's */
};

/* Passwords stand in lines by what they are for, so that a flood of one kind
 * keeps nobody else out. */
enum hash_kind {
    HASH_LOGIN, /* compared with an account's */
    HASH_NEW,   /* an account's, to be stored */
    HASH_TABLE, /* a table's */
    HASH_KINDS
};

struct host {
    /* Queues MESSAGE, a reference of which the host takes itself, for PEER.
     * It leaves when TRANSACTION is stored, and never if TRANSACTION fails.
     * What is sent to one peer for one transaction leaves in the order
     * given. */
    void (*send)(struct host *host, peer_id peer, struct message *message,
                 transaction_id transaction);
    /* Lets what is queued out, then closes.  hub_close() follows later. */
    void (*drop)(struct host *host, peer_id peer, enum drop_reason reason);
    /* Fills BUF from the system's generator, for seeds, ids and tokens. */
    void (*random)(struct host *host, void *buf, size_t len);
    /* Stores TRANSACTION, whose contents the host takes over: all of it or
     * nothing.  hub_stored() follows.  IDs rise. */
    void (*store)(struct host *host, transaction_id id,
                  struct transaction *transaction);
    /* Asks the store; QUESTION and what it points to is copied.  It is answered
     * from what is stored when the answer is made, all transactions handed
     * over before included.  hub_answered() follows. */
    void (*ask)(struct host *host, ask_id id, const struct question *question);
    /* Hashes PASSWORD (AGAINST is NULL), LEN bytes of whatever value, or
     * compares it with the hash AGAINST, off the loop, few at a time; a NULL
     * password costs the same and fits nothing.  SOURCE tells addresses apart.
     * False when KIND, or SOURCE's share of it, is full; else hub_hashed()
     * follows. */
    bool (*hash)(struct host *host, ask_id id, enum hash_kind kind,
                 uint64_t source, const char *password, size_t len,
                 const char *against);
    /* Carries DELIVERY to its receiver; it and what it points to is copied.
     * hub_delivered() follows, at the process's end at the latest. */
    void (*deliver)(struct host *host, ask_id id,
                    const struct delivery *delivery);
    /* The key that belongs to SECRET, a text that nobody else has: browsers
     * subscribe with it. */
    void (*push_key)(struct host *host, const char *secret,
                     char ret[PUSH_KEY_SIZE]);
    /* Does what the operator wants; TEXT is copied.  hub_operated() follows, but
     * for OPERATION_END. */
    void (*operate)(struct host *host, ask_id id, enum operation_kind kind,
                    const char *text);
    /* What the clocks of the zone NAME (IANA: "Europe/Paris") are behind or
     * before UTC, from some days before FROM_MS to HOURS_AHEAD_MS after; false
     * if there is no zone of that name. */
    bool (*zone)(struct host *host, const char *name, int64_t from_ms,
                 struct hours_offsets *ret_offsets);
    /* One line for the operator, of COUNT FIELDS. */
    void (*log)(struct host *host, enum host_level level,
                const struct log_field *fields, size_t count);
};

#endif
