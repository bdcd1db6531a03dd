/* ws.h -- WebSocket (RFC 6455, RFC 7692) of both sides, without sockets.
 *
 *     the request  -> ws_handshake() -> ws_answer_head() -> 101
 *     bytes        -> ws_read()      -> messages, and bytes to send back
 *     messages     -> ws_outgoing_new()  -> bytes that many connections share
 *
 * What belongs to one connection is in struct ws, some forty bytes.  A frame
 * that lies in the input as a whole is unmasked and handed on where it lies.
 * Only for one that comes in pieces something is kept, two hundred bytes and
 * only as long as pieces are missing; its payload is collected in memory that
 * grows with what has come.  The two ways meet before anything is judged, and
 * the tests feed everything both ways.
 *
 * Compression carries nothing over from message to message, so one pair of
 * zlib streams and one buffer, in struct ws_kit, serve all connections of a
 * thread, and a message is compressed once for all who get it.
 *
 * Running out of memory ends the process. */

#ifndef PROTOCOL_WS_H
#define PROTOCOL_WS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "http.h"

#define WS_SUBPROTOCOL       "sobremesa.v1"
#define WS_MESSAGE_BYTES_MAX 65536   /* to the server; over: 1009 */
#define WS_ANSWER_BYTES_MAX  1048576 /* from the server */
#define WS_CONTROL_BYTES_MAX 125     /* payload of ping, pong and close */
#define WS_REASON_BYTES_MAX  123
#define WS_HEADER_BYTES_MAX  14
#define WS_DEFLATE_BYTES_MIN 256 /* shorter ones are not compressed */
/* Pings, pongs and empty fragments in any WS_WINDOW_MS; over: 1008. */
#define WS_IDLE_FRAMES_MAX 256
#define WS_WINDOW_MS       10000

enum ws_code {
    WS_NORMAL = 1000,
    WS_GOING_AWAY = 1001,
    WS_PROTOCOL_ERROR = 1002,
    WS_UNSUPPORTED = 1003, /* binary */
    WS_NO_CODE = 1005,     /* the peer gave none; never sent */
    WS_BAD_TEXT = 1007,    /* not UTF-8, or not to be inflated */
    WS_POLICY = 1008,
    WS_TOO_BIG = 1009,
    WS_INTERNAL = 1011,
    WS_TRY_LATER = 1013,
};

enum ws_event {
    WS_MORE,   /* all of IN is used up */
    WS_TEXT,   /* a message, valid UTF-8 */
    WS_BINARY, /* a message; only with ws_options.binary */
    WS_PONG,   /* the peer is alive; BYTES is what our ping said */
    WS_REPLY,  /* write BYTES (the answer to a ping) and go on */
    WS_END,    /* write BYTES if there are any, then close the connection */
};

enum ws_side { WS_SERVER, WS_CLIENT };

/* Fills OUT with N bytes that nobody can guess; for the masks of clients. */
typedef void (*ws_random_cb)(uint8_t *out, size_t n, void *context);

/* What the connections of one thread share, in the caller's memory: under 200
 * bytes, and some 160 kB more from the first compressed message on. */
struct ws_kit {
    /* private */
    ws_random_cb random;
    void *context;
    struct ws_deflate *deflate; /* NULL until needed */
    uint8_t reply[WS_HEADER_BYTES_MAX + WS_CONTROL_BYTES_MAX];
};

/* RANDOM may be NULL where there are only servers. */
void ws_kit_init(struct ws_kit *kit, ws_random_cb random, void *context);
void ws_kit_done(struct ws_kit *kit);

struct ws_options {
    enum ws_side side;
    bool deflate;               /* agreed on in the handshake */
    bool binary;                /* taken as well as text; otherwise 1003 */
    uint32_t message_bytes_max; /* 0: what the side should take */
};

/* One connection after its handshake, in the caller's memory. */
struct ws {
    /* read-only */
    bool deflate; /* compressed messages may be sent */
    bool closing; /* ws_close() has been called, or all is over */
    bool ended;   /* WS_END has been said */
    /* private */
    bool client;
    bool binary;
    bool more;      /* a message has begun and its last frame not come */
    uint8_t opcode; /* of that message */
    bool squeezed;  /* that message is compressed */
    uint8_t utf8;   /* where in a character its text stops */
    bool given;     /* MESSAGE is one that the caller has had */
    uint16_t code;  /* what our close said */
    uint16_t idle_frames;
    uint32_t window_end; /* when idle_frames begins anew, in ms, modulo 2^32 */
    uint32_t len;        /* of MESSAGE */
    uint32_t cap;
    uint32_t message_bytes_max;
    uint8_t *message;         /* the message so far, if it came in pieces */
    struct ws_partial *frame; /* the frame so far, if it came in pieces */
};

void ws_init(struct ws *w, const struct ws_options *options);
/* Frees what W holds; it may be used again after ws_init(). */
void ws_done(struct ws *w);

/* What ws_read() has to say beside the event. */
struct ws_message {
    struct bytes bytes; /* of the message, or to be written */
    size_t inflated;    /* bytes of it that came compressed */
    uint16_t code;      /* at WS_END: the code that was sent or came first */
    bool theirs;        /* at WS_END: the peer closed, not we */
    char reason[WS_REASON_BYTES_MAX + 1]; /* at WS_END, if THEIRS */
};

/* Takes bytes from the front of IN up to the next event; all connections of
 * KIT on one thread.  NOW_MS is any clock that does not go back.
 *
 * RET->bytes may lie in IN's memory, in W's or in KIT's.  A message is good
 * until the next ws_read() with that KIT or ws_done(): so answers to it can be
 * written meanwhile.  Other bytes are good until the next call of any kind.
 *
 * WS_END comes once the closing is complete (the peer's close was answered, or
 * answers ours) or the peer broke the rules: then BYTES is the close frame
 * that says so.  It leaves the rest of IN alone and is the answer to every
 * later call, with nothing more to write.  After ws_close() messages no longer
 * come; the caller waits for WS_END for as long as it sees fit. */
enum ws_event ws_read(struct ws *w, struct ws_kit *kit, struct bytes_in *in,
                      int64_t now_ms, struct ws_message *ret);

/* Whether a frame or message has begun and not ended. */
bool ws_pending(const struct ws *w);
/* Bytes of memory that they take, about. */
size_t ws_held(const struct ws *w);

/* Begins to close: the frame to write, which tells CODE and REASON (NULL for
 * none; cut to WS_REASON_BYTES_MAX bytes).  Nothing may be written after it.
 * No bytes if W is closing already.  Good until the next call with KIT. */
struct bytes ws_close(struct ws *w, struct ws_kit *kit, enum ws_code code,
                      const char *reason);

/* A ping with up to WS_CONTROL_BYTES_MAX bytes of DATA, to be written.  No
 * bytes if W is closing.  Good until the next call with KIT. */
struct bytes ws_ping(struct ws *w, struct ws_kit *kit, const void *data,
                     size_t len);

/* ---- sending: servers --------------------------------------------------- */

enum ws_opcode { WS_OPCODE_TEXT = 1, WS_OPCODE_BINARY = 2 };

/* A message framed once, to be written to any number of connections.  It is
 * counted: whoever keeps its bytes, say until a write is done, holds a
 * reference.  Not for several threads at once. */
struct ws_outgoing;

/* A message of LEN bytes, which are copied; one reference. */
struct ws_outgoing *ws_outgoing_new(enum ws_opcode opcode, const void *data,
                                    size_t len);
struct ws_outgoing *ws_outgoing_ref(struct ws_outgoing *p);
/* Takes NULL. */
void ws_outgoing_unref(struct ws_outgoing *p);

/* The frame for W, a server's connection that is not closing: compressed if
 * both sides agreed to that and it is worth while.  What compression makes is
 * kept with P for the next.  Good as long as P. */
struct bytes ws_outgoing_frame(struct ws_outgoing *p, struct ws_kit *kit,
                               const struct ws *w);
/* The same message as a line (lines.h), and as it is, for an HTTP body. */
struct bytes ws_outgoing_line(const struct ws_outgoing *p);
struct bytes ws_outgoing_text(const struct ws_outgoing *p);

/* For who keeps a message themselves, with room before it: writes the header
 * of its frame, not compressed, so that it ends at END; says how long it is,
 * at most WS_HEADER_BYTES_MAX. */
size_t ws_header(uint8_t *end, enum ws_opcode opcode, size_t len);

/* ---- sending: clients --------------------------------------------------- */

/* Writes a masked frame of LEN bytes of DATA to OUT, which has room for
 * WS_HEADER_BYTES_MAX + LEN bytes, and says how many it wrote: none if W is
 * closing.  OUT must not lie within DATA. */
size_t ws_write(struct ws *w, struct ws_kit *kit, enum ws_opcode opcode,
                const void *data, size_t len, uint8_t *out);

/* ---- handshake: servers ------------------------------------------------- */

#define WS_ACCEPT_SIZE 29 /* of Sec-WebSocket-Accept, with its NUL */

struct ws_answer {
    char accept[WS_ACCEPT_SIZE];
    bool subprotocol; /* the client offered ours */
    bool deflate;     /* the client offered it in a way that we can; unless
                       * the caller sets it false, it is agreed on */
};

/* Judges REQUEST, which wanted GET of a path where WebSocket is spoken.  0,
 * with RET filled in, or the status to refuse with: 426 if it does not ask for
 * an upgrade, or for another version than 13, 400 if it does so in bad form or
 * offers subprotocols and ours is not among them.  Who may is not judged. */
int ws_handshake(const struct http_request *request, struct ws_answer *ret);

/* Writes the answer 101 to BUF, as http_head() does.  DATE and MORE as in
 * struct http_answer, NULL for none; MORE is short. */
size_t ws_answer_head(char *buf, size_t cap, const struct ws_answer *answer,
                      const char *date, const char *more);

/* ---- handshake: clients ------------------------------------------------- */

#define WS_NONCE_SIZE 16

struct ws_ask {
    const char *host;   /* as in Host: with the port, if it is not 80 */
    const char *path;   /* "/ws" */
    const char *origin; /* NULL for none */
    const char *bearer; /* a token; NULL for none */
    bool deflate;       /* offer it */
    uint8_t nonce[WS_NONCE_SIZE]; /* random */
};

/* Writes the request to BUF, as snprintf() does. */
size_t ws_ask_head(char *buf, size_t cap, const struct ws_ask *ask);

/* What the server said to ASK. */
struct ws_told {
    int status;   /* of its answer, 0 if it made no sense */
    bool deflate; /* agreed on: for ws_options */
    size_t used;  /* bytes of the head; what follows is for ws_read() */
};

/* Looks at all LEN bytes that have come so far.  1 if the connection is made
 * and RET filled in, 0 if the head is not complete yet, -1 if it will not do:
 * RET->status says more.  One over HTTP_HEAD_BYTES_MAX bytes will not do. */
int ws_ask_check(const struct ws_ask *ask, const void *data, size_t len,
                 struct ws_told *ret);

#endif
