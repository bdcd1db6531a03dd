/* link.h -- the connection to a server: requests out, answers and news in.
 *
 *     link_new() -> connecting -> (logging in) -> ready -> lost -> waiting ...
 *
 * It lives on a libuv loop and keeps itself alive: when the connection breaks
 * it comes again after a while, longer each time, logs in by its token, and
 * says what was not answered once more, in the same order.  That is harmless,
 * as nothing counts twice that has a decision, a ply or a `key`.  What the
 * server cannot do just now (no disk, going down, too fast) is asked again
 * by itself, too.  Only a server that was never reached, or that does not know
 * the token, ends it.
 *
 * A server is `HOST:PORT` or a path (a Unix socket), where lines are spoken,
 * or `ws://HOST[:PORT][/PATH]` for WebSocket, `wss://HOST[:PORT][/PATH]` for
 * WebSocket in TLS: port 80 and 443, path /ws; of a PATH that ends with a slash
 * what is in it called ws.  With TLS the server has to
 * prove that it is HOST, see tls.h; one that cannot counts as not reached. */

#ifndef COMMON_LINK_H
#define COMMON_LINK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#define LINK_SERVER_DEFAULT "127.0.0.1:7070"
#define LINK_WHY_MAX        400

struct link;

/* A refusal. */
struct link_error {
    const char *reason; /* its stable word */
    const json_t *data; /* an object, or NULL */
    const char *text;   /* a sentence for people */
};

/* The answer to a request: RESULT, the link's own, or else ERROR. */
typedef void (*link_answer_cb)(void *context, const json_t *result,
                               const struct link_error *error);

enum link_state {
    LINK_CONNECTING,
    LINK_READY,
    LINK_WAITING, /* for the next try, see link_wait_ms() */
    LINK_FAILED   /* it will not come again */
};

/* Whose link it is hears of it; each may be NULL. */
struct link_owner {
    /* Connected and logged in; requests made here come before those that are
     * said once more. */
    void (*ready)(void *context);
    /* There is another state, see link_state(). */
    void (*changed)(void *context);
    /* A notification. */
    void (*told)(void *context, const char *method, const json_t *params);
    void *context;
};

/* Connects to SERVER as soon as LOOP runs; TOKEN logs in, NULL for nobody.
 * CA_FILE has certificates to be trusted beside the system's, NULL for none; it
 * is looked at only for TLS.  NULL, with WHY (LINK_WHY_MAX) filled in, if
 * SERVER is no such address or CA_FILE will not do. */
struct link *link_new(uv_loop_t *loop, const char *server, const char *token,
                      const char *ca_file, const struct link_owner *owner,
                      char *why);
/* Ends it at once; LOOP has to run once more for its memory.  NULL is fine. */
void link_free(struct link *l);

enum link_state link_state(const struct link *l);
/* Why the connection was lost or did not come about: a sentence. */
const char *link_why(const struct link *l);
/* The stable word of the server's refusal to log in, if it is for that that it
 * failed; or "". */
const char *link_reason(const struct link *l);
/* Milliseconds until the next try. */
uint64_t link_wait_ms(const struct link *l);
/* Tries now. */
void link_hurry(struct link *l);
/* The user's name, once logged in; else "". */
const char *link_user(const struct link *l);
/* Logs in by TOKEN from the next connection on; NAME is whose it is. */
void link_become(struct link *l, const char *token, const char *name);

/* Asks; PARAMS (may be NULL) is taken over.  CB is called once, never from
 * within, unless the link is freed first. */
void link_call(struct link *l, const char *method, json_t *params,
               link_answer_cb cb, void *context);
/* Asks and waits, running the loop: the result, the caller's to free, or NULL
 * with WHY (LINK_WHY_MAX) a sentence and REASON (64 bytes; may be NULL) the
 * stable word, "" if there is no connection.  Does not come again. */
json_t *link_ask(struct link *l, const char *method, json_t *params, char *why,
                 char *reason);
/* Answers for CONTEXT are heard by nobody any more. */
void link_forget(struct link *l, const void *context);
/* A key for what would be harmful twice: 32 letters that nobody guesses. */
#define LINK_KEY_SIZE 33
void link_key(char key[LINK_KEY_SIZE]);

#endif
