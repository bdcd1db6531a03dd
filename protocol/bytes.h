/* bytes.h -- what goes into the framing and what comes out of it.
 *
 * http.h, ws.h and lines.h all work alike.  They have no sockets; somebody
 * reads bytes from somewhere and shows them with a struct bytes_in, and a
 * `_read` function takes from its front what it needs for the next event:
 *
 *     struct bytes_in in = {buffer, count};
 *     for (;;) {
 *         switch (lines_read(&lines, &in, &line)) {
 *         case LINES_MORE:    return;        in.len is 0: read on
 *         case LINES_LINE:    handle(line);  and go on
 *         ...
 *
 * So the caller may stop between any two events, keep what is left of IN and
 * go on later: that is how a greedy peer is made to wait.  How the bytes are
 * cut into pieces never makes a difference to the events. */

#ifndef PROTOCOL_BYTES_H
#define PROTOCOL_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Bytes to be read.  DATA and LEN move on as they are used.  The memory is the
 * caller's, but what was taken may be changed in place (WebSocket payload is
 * unmasked there) and results may point to it. */
struct bytes_in {
    uint8_t *data;
    size_t len;
};

/* Bytes to look at, or to write; whose they are is said where they come
 * from. */
struct bytes {
    const uint8_t *data;
    size_t len;
};

#endif
