/* test_sender.c -- the thread that writes to sockets. */

#include <criterion/criterion.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base.h"
#include "server/io/sender.h"
#include "tests/support/until.h"

#define PAIRS 8

static atomic_int woken;
static int sent_count;
static struct socket_write *sent[1000];

static void wake(void *context)
{
    (void)context;
    atomic_fetch_add(&woken, 1);
}

static void on_sent(void *context, struct socket_write *s)
{
    cr_assert_eq(context, &sent_count);
    sent[sent_count++] = s;
}

static struct sender *begin(void)
{
    struct sender *s = sender_new(&sent_count, wake, on_sent);
    cr_assert_not_null(s);
    return s;
}

static bool have_come_back(struct sender *s, int count)
{
    sender_poll(s);
    return sent_count >= count;
}

static void wait_for(struct sender *s, int count)
{
    UNTIL(sent_count >= count || have_come_back(s, count));
    cr_assert_eq(sent_count, count);
}

static struct out out_of(const char *text)
{
    return (struct out){
        .bytes = {(const uint8_t *)text, strlen(text)},
    };
}

/* Every socket gets its texts, each in order, and all come back with what was
 * written; somebody is woken for it. */
Test(sender, writes)
{
    struct out outs[3] = {out_of("one "), out_of("two "), out_of("three.")};
    struct socket_write one[PAIRS] = {0};
    struct sender *s = begin();
    int fd[PAIRS][2];
    char got[64];

    for (int i = 0; i < PAIRS; i++) {
        cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd[i]), 0);
        one[i] =
            (struct socket_write){.fd = fd[i][0], .outs = outs, .count = 3};
        sender_take(s, &one[i]);
    }
    wait_for(s, PAIRS);
    cr_assert_gt(atomic_load(&woken), 0);
    for (int i = 0; i < PAIRS; i++) {
        cr_assert_eq(sent[i], &one[i], "in the order in which it was taken");
        cr_assert_eq(one[i].result, 14);
        cr_assert_eq(read(fd[i][1], got, sizeof(got)), 14);
        cr_assert_arr_eq(got, "one two three.", 14);
        close(fd[i][0]);
        close(fd[i][1]);
    }
    sender_free(s);
}

/* A socket that takes nothing now, and one whose other side has gone. */
Test(sender, cannot)
{
    static char much[65536];
    struct out out = {.bytes = {(const uint8_t *)much, sizeof(much)}};
    struct sender *s = begin();
    int full[2], gone[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, full), 0);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, gone), 0);
    while (send(full[0], much, sizeof(much), MSG_DONTWAIT) > 0)
        continue;
    close(gone[1]);
    struct socket_write at_full = {.fd = full[0], .outs = &out, .count = 1};
    struct socket_write at_gone = {.fd = gone[0], .outs = &out, .count = 1};
    sender_take(s, &at_full);
    sender_take(s, &at_gone);
    wait_for(s, 2);
    cr_assert_eq(at_full.result, -EAGAIN);
    cr_assert_eq(at_gone.result, -EPIPE);
    sender_free(s);
    close(full[0]);
    close(full[1]);
    close(gone[0]);
}

/* What it took is written and comes back even at its end. */
Test(sender, ends)
{
    static struct socket_write one[100];
    struct out out = out_of("x");
    struct sender *s = begin();
    int fd[2];
    char got[101];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    for (int i = 0; i < 100; i++) {
        one[i] = (struct socket_write){.fd = fd[0], .outs = &out, .count = 1};
        sender_take(s, &one[i]);
    }
    sender_free(s);
    cr_assert_eq(sent_count, 100);
    for (int i = 0; i < 100; i++)
        cr_assert(sent[i] == &one[i] && one[i].result == 1);
    cr_assert_eq(recv(fd[1], got, sizeof(got), MSG_DONTWAIT), 100);
    close(fd[0]);
    close(fd[1]);
}
