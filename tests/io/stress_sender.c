/* stress_sender.c -- the thread that writes and who hands it work, for
 * ThreadSanitizer, under which Criterion cannot run.
 *
 * usage: stress_sender
 *
 * Many sockets with numbered bytes, a new text made for each write and given
 * back at once when it is handed back, as the daemon does it.  Speaks TAP. */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base.h"
#include "server/io/sender.h"

#define PAIRS  48
#define WRITES 60000
#define BYTES  16

static struct pair {
    struct socket_write socket_write; /* first */
    int fd[2];
    struct out out;
    uint8_t *text;
    bool lent;
    uint8_t next, wanted; /* bytes, as they are written and read */
} pairs[PAIRS];
static unsigned long handed_back, wrong, woken;

static void wake(void *context)
{
    (void)context;
    __atomic_fetch_add(&woken, 1, __ATOMIC_RELAXED);
}

static void on_sent(void *context, struct socket_write *s)
{
    struct pair *p = (struct pair *)s;

    (void)context;
    wrong += s->result != BYTES;
    memset(p->text, 0xff, BYTES);
    free(p->text);
    p->text = NULL;
    p->lent = false;
    handed_back++;
}

static void give(struct sender *s, struct pair *p)
{
    p->text = malloc(BYTES);
    ASSERT(p->text != NULL);
    for (int i = 0; i < BYTES; i++)
        p->text[i] = (uint8_t)(p->next + i);
    p->out = (struct out){.bytes = {p->text, BYTES}};
    p->socket_write = (struct socket_write){
        .fd = p->fd[0],
        .outs = &p->out,
        .count = 1,
    };
    p->lent = true;
    p->next = (uint8_t)(p->next + BYTES);
    sender_take(s, &p->socket_write);
}

static void hear(struct pair *p)
{
    uint8_t got[4096];
    ssize_t n;

    while ((n = recv(p->fd[1], got, sizeof(got), MSG_DONTWAIT)) > 0)
        for (ssize_t i = 0; i < n; i++)
            wrong += got[i] != p->wanted++;
}

int main(void)
{
    unsigned long given = 0;

    for (int i = 0; i < PAIRS; i++)
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i].fd) < 0)
            return 1;
    for (int life = 0; life < 3; life++) {
        struct sender *s = sender_new(NULL, wake, on_sent);
        ASSERT(s != NULL);
        unsigned long until = given + WRITES / 3;
        while (given < until) {
            for (int i = 0; i < PAIRS; i++)
                if (!pairs[i].lent) {
                    give(s, &pairs[i]);
                    given++;
                }
            sender_poll(s);
            for (int i = 0; i < PAIRS; i++)
                hear(&pairs[i]);
        }
        sender_free(s); /* with some of it under way */
    }
    for (int i = 0; i < PAIRS; i++)
        hear(&pairs[i]);
    printf("%s 1 - %lu writes, %lu wakes\n", wrong == 0 ? "ok" : "not ok",
           given, woken);
    printf("%s 2 - all were handed back\n",
           handed_back == given ? "ok" : "not ok");
    printf("1..2\n");
    return wrong > 0 || handed_back != given;
}
