/* serve.h -- what the files that answer HTTP share; see serve.c. */

#ifndef SERVER_IO_SERVE_H
#define SERVER_IO_SERVE_H

#include <jansson.h>

#include "daemon.h"

/* ---- serve.c ------------------------------------------------------------ */

/* Writes an answer's head with the date, and whether C stays; what else WHAT
 * says.  Who writes the body says serve_done() behind it. */
void serve_head(struct conn *c, const struct http_answer *what);
/* The same with a body of LEN bytes. */
void serve_answer(struct conn *c, const struct http_answer *what,
                  const void *body, size_t len);
/* The request is answered; the next may come. */
void serve_done(struct conn *c);
/* A whole answer that says no more than STATUS; ALLOW is NULL but for 405. */
void serve_status(struct conn *c, int status, const char *allow);

/* ---- serve_who.c -------------------------------------------------------- */

#define SERVE_COOKIE "sobremesa"
#define PREFIX_SIZE  100 /* of a path: longer ones nobody types */

/* As the client sees us, if a proxy we trust stands between. */
const char *serve_scheme(const struct conn *c);
/* Below which path the client sees us, with a slash at its end: "/games/"; "/"
 * if it is not said, or in a way that nobody says it. */
void serve_prefix(const struct conn *c, char path[PREFIX_SIZE]);
/* PROTOCOL, Transports: a direct peer comes over loopback or a Unix socket,
 * without forwarded headers and with a loopback Host. */
struct peer_info serve_info(struct conn *c, bool notices);
/* PROTOCOL, Browsers: an Origin must be our own, or one that is allowed. */
bool serve_origin_ok(const struct conn *c);
/* The token in the request's cookie, copied, or NULL. */
char *serve_cookie(const struct conn *c);

/* ---- serve_call.c ------------------------------------------------------- */

/* Logs C's peer in; its answer, under ID, comes before the one that counts. */
void serve_log_in(struct conn *c, const char *token, json_t *id);
void serve_rpc(struct conn *c);     /* POST /rpc */
void serve_session(struct conn *c); /* POST /session */
void serve_logout(struct conn *c);  /* DELETE /session */
/* /unsubscribe/CODE, of mails (RFC 8058): POST ends them; to open it changes
 * nothing, and leads to a page with a button.  Whether PATH is that. */
bool serve_unsubscribe(struct conn *c, const char *path);
/* /api/v1/tables/ID/record; whether PATH is that. */
bool serve_record(struct conn *c, const char *path);

#endif
