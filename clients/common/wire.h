/* wire.h -- one connection to a server, from the look-up of its name to its
 * end: messages out and in.
 *
 *     wire_start() -> look-up -> connect -> TLS -> WebSocket -> open
 *
 * TLS and WebSocket only where the server's address asks for them.  Each wire
 * is a single try: who wants another connection makes another wire.
 *
 * wire.c knows sockets, tls.h TLS, protocol/ws.h and lines.h what the bytes
 * mean; what the messages mean is link.h's affair. */

#ifndef COMMON_WIRE_H
#define COMMON_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "protocol/ws.h"

#define WIRE_WHY_MAX 400

enum wire_scheme { WIRE_TCP, WIRE_PATH, WIRE_WS, WIRE_WSS };

struct tls_trust;

/* A server's address, and what all connections to it share. */
struct wire_server {
    /* read-only */
    enum wire_scheme scheme;
    char host[256], port[8], path[512];
    /* private */
    struct ws_kit ws;
    struct tls_trust *trust; /* NULL but for WIRE_WSS */
};

/* Reads TEXT, as in link.h.  CA_FILE (may be NULL) as in tls.h.  False, with
 * WHY (WIRE_WHY_MAX) filled in and nothing to be undone, if it is no such
 * address or CA_FILE will not do. */
bool wire_server_init(struct wire_server *s, const char *text,
                      const char *ca_file, char *why);
void wire_server_done(struct wire_server *s);

/* Whose wire it is hears of it, from within the loop or wire_start(). */
struct wire_owner {
    /* Messages may pass. */
    void (*open)(void *context);
    void (*message)(void *context, const char *text, size_t len);
    /* It did not come about or is at its end; WHY is a sentence.  Nothing more
     * will be heard, and the wire waits to be closed. */
    void (*lost)(void *context, const char *why);
    void *context;
};

struct wire;

/* SERVER has to be there until wire_close(). */
struct wire *wire_new(uv_loop_t *loop, struct wire_server *server,
                      const struct wire_owner *owner);
void wire_start(struct wire *w);
/* Ends it, in whatever state; its owner hears nothing more.  W is freed once
 * the loop has let go of it, and not to be used any more. */
void wire_close(struct wire *w);

/* Sends a message; only while open. */
void wire_send(struct wire *w, const char *text, size_t len);
/* When the server was heard of last, by uv_now(). */
uint64_t wire_heard_ms(const struct wire *w);

#endif
