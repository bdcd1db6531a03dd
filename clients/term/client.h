/* client.h -- somebody before a server: the link, the table on hand, and what
 * goes on at the other tables.
 *
 * What the lobby, a table on the full screen and one in lines have in common.
 * One table is on hand at a time; of the others it knows which wait. */

#ifndef TERM_CLIENT_H
#define TERM_CLIENT_H

#include "notices.h"
#include "online.h"

/* Tables of one's own that are asked for: as many as one may sit at. */
#define CLIENT_TABLES 200

struct client;

struct client_owner {
    /* Anything is new: connection, table, lists.  EVENTS as for an online's
     * owner; SIZE_MAX if it is not about the table on hand. */
    void (*changed)(void *context, size_t first);
    /* Something to be said. */
    void (*said)(void *context, bool bad, const char *text);
    /* The same of the operator's words, which everybody should have read. */
    void (*noticed)(void *context, const char *text);
    void *context;
};

struct client {
    struct session session;
    struct client_owner owner;
    /* read-only */
    struct online *online; /* the table on hand, or NULL */
    struct notices notices;
    json_t *mine;  /* tables of one's own, as me.tables lists them */
    bool listed;   /* MINE was asked for on the connection that there is */
    int waiting;   /* how many of them wait for you, that on hand not
                            * among them */
    char next[40]; /* the one that waits longest; "" */
    /* private */
    bool asking, again;
    bool refused;  /* a list, or news of what is one's own: asked for again */
    char seen[40]; /* the table that was said to be looked at ... */
    uint64_t seen_ms;     /* ... and when */
    int64_t told_ends_ms; /* of the notices, what was said of them last */
    char told_maintenance[NOTICE_TEXT_MAX];
    uv_timer_t timer; /* of client_wait() */
    uv_poll_t poll;
    bool polls, readable;
};

/* Connects, as session_open().  C's session holds the command line's part. */
bool client_open(struct client *c, enum session_as as);
void client_close(struct client *c);

/* Takes the table ID on hand, NULL for none; that before is let go. */
void client_take(struct client *c, const char *id);
/* Lists again. */
void client_refresh(struct client *c);
/* Somebody has come to the table on hand, or typed something there: the server
 * is told, now and then, so that nobody is told of what they have seen. */
void client_seen(struct client *c);
/* "Reconnecting in 3 s: ..." into BUF; false while all is well. */
bool client_trouble(const struct client *c, char *buf, size_t cap);

/* Waits until FD, which is no file, can be read or anything else happened:
 * true for the former; at most TIMEOUT_MS. */
bool client_wait(struct client *c, int fd, uint64_t timeout_ms);

#endif
