/* lines.h -- the line transport: one JSON object a line.
 *
 *     bytes -> lines_read() -> a line at a time -> message.h
 *
 * A line ends with \n; a \r before it does not belong to it.  Empty lines are
 * passed over.  A line that lies in the input as a whole is handed on where it
 * lies; only one that comes in pieces is collected, in memory that grows with
 * what has come and is given back when the line has been read.  So an idle
 * connection costs the struct and nothing else.
 *
 * Whether a line is UTF-8 and JSON is not looked at here: the message parser
 * answers that with -32700 and the connection lives on. */

#ifndef PROTOCOL_LINES_H
#define PROTOCOL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

#define LINES_BYTES_MAX 65536 /* of a line, without its end */

enum lines_event {
    LINES_MORE,     /* all of IN is used up */
    LINES_LINE,     /* here is a line */
    LINES_TOO_LONG, /* over LINES_BYTES_MAX: answer -32600, then close */
    LINES_HTTP,     /* a web page speaks: close without a word */
};

/* One connection's reader, in the caller's memory. */
struct lines {
    /* private */
    uint8_t *part; /* the line so far, if it came in pieces */
    uint32_t len;  /* bytes of it */
    uint32_t cap;  /* bytes there is room for */
    uint8_t ended; /* the event that ended it all, or 0 */
    bool read;     /* PART is a line that the caller has had */
};

void lines_init(struct lines *l);
/* Frees what L holds; it may be used again after lines_init(). */
void lines_done(struct lines *l);

/* Takes bytes from the front of IN up to the next event.  With LINES_LINE,
 * RET is the line without its end, one byte at least; it lies in IN's memory
 * or in L's and is good until the next call for L.
 *
 * LINES_TOO_LONG comes as soon as the line is too long, LINES_HTTP as soon as
 * a line has begun like a request of HTTP (a method in either case and a
 * space) or with the name of a header that every request has (`Host:`).
 * Either is the last: it leaves the rest of IN alone and is the answer to
 * every later call. */
enum lines_event lines_read(struct lines *l, struct bytes_in *in,
                            struct bytes *ret);

/* Bytes of a line that has begun and not ended: a peer that keeps some for
 * long is slow on purpose. */
size_t lines_pending(const struct lines *l);

/* Bytes of memory that it takes. */
size_t lines_held(const struct lines *l);

/* Writes TEXT and its end to OUT, LEN + 1 bytes, and says how many.  TEXT must
 * not hold a \n; compact JSON never does.  What many connections get is better
 * written once: ws_outgoing_line(). */
size_t lines_write(uint8_t *out, const void *text, size_t len);

#endif
