/* notices.h -- what the operator of a server says to everybody: an end that is
 * announced, maintenance, the message of the day, links.
 *
 * server.hello tells it to who comes, server.notice to who is there. */

#ifndef TERM_NOTICES_H
#define TERM_NOTICES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOTICE_TEXT_MAX 501
#define NOTICE_LINE_MAX (NOTICE_TEXT_MAX + 120)

struct notices {
    int64_t ahead_ms; /* the server's clock, of this one */
    int64_t ends_ms;  /* by the server's; 0: it stays */
    char end[NOTICE_TEXT_MAX], maintenance[NOTICE_TEXT_MAX];
    char motd[NOTICE_TEXT_MAX]; /* each "" for nothing */
    char rules[NOTICE_TEXT_MAX], privacy[NOTICE_TEXT_MAX];
    char contact[NOTICE_TEXT_MAX];
};

/* Takes the answer of server.hello, and forgets all from before. */
void notices_hello(struct notices *n, const json_t *hello);
/* Takes the parameters of server.notice.  What is to be said of it, of CAP
 * bytes at BUF; false if nothing is. */
bool notices_hear(struct notices *n, const json_t *notice, char *buf,
                  size_t cap);

/* "The server goes down at 18:06, in 10 minutes. TEXT"; false if it stays. */
bool notices_end(const struct notices *n, char *buf, size_t cap);
/* "Read only for now; you can look. TEXT"; false if one can play. */
bool notices_maintenance(const struct notices *n, char *buf, size_t cap);
/* All there is, a line each, the links last; "" if there is nothing.  The
 * caller's to free. */
char *notices_all(const struct notices *n);

#endif
