/* request.h -- a request that is not answered yet, and those that wait. */

#ifndef SERVER_HUB_REQUEST_H
#define SERVER_HUB_REQUEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "commands.h"
#include "host.h"
#include "hub.h"
#include "work.h"

struct hub;
struct keyed;
struct request;
struct table;

#define ID_TEXT_MAX 392 /* a request's id as JSON: 64 bytes, escaped */

typedef void (*answered_cb)(struct hub *hub, struct request *q,
                            const struct answer *answer);
typedef void (*hashed_cb)(struct hub *hub, struct request *q, const char *hash,
                          bool fits);
typedef void (*stored_cb)(struct hub *hub, struct request *q);
/* RESULT is JSON, or NULL. */
typedef void (*operated_cb)(struct hub *hub, struct request *q,
                            const char *result);

/* How the answer to a request is written; a refusal is always a message. */
enum answer_form {
    FORM_MESSAGE, /* as JSON-RPC has it */
    FORM_RESULT,  /* by hub_session(): the result alone, without the token */
    FORM_LINES    /* by hub_record(): no JSON */
};

/* A request that is not answered yet.  It belongs to whoever works on it: the
 * handler, the queue of a table or of a peer, or what is pending with the
 * host. */
struct request {
    struct request *next; /* in a queue */
    peer_id peer;         /* who may be gone by now */
    uint64_t number;      /* of all requests since the start; 0: a job */
    int64_t came_ms;
    char address[ADDRESS_SIZE]; /* the peer's, which may be gone by now */
    bool method_known;
    enum method method;
    json_t *params;       /* an object */
    id_num account;       /* who asks; 0: nobody */
    char name[25];        /* theirs, who may be gone by now */
    struct table *table;  /* that it keeps busy, or NULL */
    uint8_t form;         /* enum answer_form */
    const char *token;    /* FORM_RESULT: of the session that it begins */
    enum error error;     /* that it is being refused with */
    struct region region; /* for what its handler keeps */
    void *kept;
    uint32_t ply; /* what a move is answered with */
    /* The hub's own affair with a table, which no peer asked for; or NULL. */
    table_handler job;
    /* What to do when the host has done its part. */
    answered_cb answered;
    answered_cb admitted; /* they may sit down; see results_admit() */
    hashed_cb hashed;
    stored_cb stored;
    bool regardless; /* what STORED does is done also if nothing could be */
    struct keyed *keyed; /* its key, which it holds, or NULL */
    enum error conflict; /* to answer if the transaction conflicts */
    /* Between who asks and whom it is about, once JUDGED; see blocks.h. */
    const struct block_row *blocks;
    size_t block_count;
    bool judged;
    bool fresh; /* what others did to its table was heard */
    int tries;  /* that found their table as it was no more */
    operated_cb operated;
    struct {
        handler then; /* when it is there */
        int which;    /* enum secret */
        uint8_t made[SHA256_SIZE];
    } secret;
    struct {
        handler then;
        struct account_notice *notice; /* that needs links */
        int64_t made_ms;
    } mail;
    struct {
        void (*then)(struct hub *hub, struct request *q, uint16_t seats);
        uint16_t seats; /* whose time is up, as bits, and who of them is ... */
        int seat;       /* ... asked about */
    } missing;          /* presence_before_miss() */
    uint32_t uid;       /* of the process that asks, on a Unix socket */
    struct work work;
    uint64_t spent; /* on its slices */
    id_num home;    /* the table that its next slice is about, or 0 */
    table_slice slice;
    /* Frees what is in KEPT but not in its region; or NULL. */
    void (*done)(struct request *q);
    char id[]; /* as JSON */
};

struct queue {
    struct request *first, **end;
    size_t count;
};

void queue_init(struct queue *queue);
void queue_put(struct queue *queue, struct request *q);
void queue_put_first(struct queue *queue, struct request *q);
struct request *queue_take(struct queue *queue); /* NULL: it is empty */

/* A parameter, which is there and as methods.def says; or NULL, "", ABSENT
 * if it is not there. */
json_t *param(const struct request *q, const char *name);
const char *param_text(const struct request *q, const char *name);
int64_t param_int(const struct request *q, const char *name, int64_t absent);
bool param_bool(const struct request *q, const char *name, bool absent);

/* ID is JSON. */
struct request *request_new(const char *id);
/* A request that nobody made, for what the hub does of itself. */
struct request *job_new(struct hub *hub);
/* Nothing is kept of what was done for Q: it begins anew, a job with what it
 * was given. */
void request_reset(struct request *q);
/* Q was answered, or nobody is there to hear it; it is freed. */
void request_done(struct hub *hub, struct request *q);

#endif
