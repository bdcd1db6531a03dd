/* sender.h -- writes to sockets, beside the loop.
 *
 * A third of what a move costs the loop is the system's work of sending it: a
 * write goes through all of TCP.  Where a turn has many, a thread does them
 * while the loop goes on. */

#ifndef SERVER_IO_SENDER_H
#define SERVER_IO_SENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "protocol/bytes.h"

/* Bytes on their way out. */
struct out {
    struct bytes bytes; /* what is left of them */
    void *whose;        /* in which they lie ... */
    void (*drop)(void *whose);
};

/* Writes of OUTS, COUNT of them, one at least, what socket FD takes at once:
 * bytes, or -errno.  A write takes 64 outs at most. */
ssize_t outs_write(int fd, const struct out *outs, size_t count);

/* One write.  It is the sender's from sender_take() until it is handed back,
 * and till then the socket stays open and the outs stay as they are. */
struct socket_write {
    struct socket_write *next;
    int fd; /* a socket */
    const struct out *outs;
    size_t count;
    ssize_t result; /* bytes written, or -errno; -EAGAIN: none for now */
};

struct sender;

/* Starts the thread; NULL if there is none to be had.  WAKE is called from it
 * when something is written. */
struct sender *sender_new(void *context, void (*wake)(void *context),
                          void (*sent)(void *context, struct socket_write *s));
/* Writes what was taken, hands it back and ends the thread; NULL is fine. */
void sender_free(struct sender *s);
void sender_take(struct sender *s, struct socket_write *one);
/* Hands back what is written or could not be, by SENT, in the order in which it was taken. */
void sender_poll(struct sender *s);

#endif
