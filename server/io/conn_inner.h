/* conn_inner.h -- what the files of a connection share; see conn.c. */

#ifndef SERVER_IO_CONN_INNER_H
#define SERVER_IO_CONN_INNER_H

#include "daemon.h"

/* ---- conn_in.c ---------------------------------------------------------- */

/* Has the loop tell what comes, or no more. */
bool conn_read(struct conn *c);
void conn_pause(struct conn *c);
/* Gets in line if there is something to be worked on, and is read from if
 * there is not. */
void conn_go_on(struct conn *c);
/* The same when something has changed that it may have waited for. */
void conn_look_again(struct conn *c);
/* The hub answered, or has something more to answer. */
void conn_count_asked(struct conn *c);
/* Tells how much of it waits in memory; who hoards most goes if it is too
 * much. */
void conn_weigh(struct conn *c);
void conn_drop_input(struct conn *c);

/* ---- conn_out.c --------------------------------------------------------- */

/* It need not be looked at any more; see conn_wait(). */
void conn_unwait(struct conn *c);
/* Queues the frame of POST, which is taken over. */
void conn_send_ws(struct conn *c, struct ws_outgoing *outgoing);
/* Whether it has enough to take before it says more. */
bool conn_is_full(const struct conn *c);
/* It does not take its output. */
void conn_cut(struct conn *c);
void conn_free_outs(struct out *outs, size_t count);

/* ---- conn.c ------------------------------------------------------------- */

/* By the loop's clock. */
int64_t conn_clock(const struct conn *c);
/* All is said: waits for the other side to go. */
void conn_hang_up(struct conn *c);
/* Of a connection that is closed, once nobody writes to its socket. */
void conn_close_socket(struct conn *c);

#endif
