#include "sender.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "core/base.h"
#include "thread.h"

#define VECTORS 64

struct socket_writes {
    struct socket_write *first, **end;
};

struct sender {
    pthread_t thread;
    void *context;
    void (*wake)(void *context);
    void (*sent)(void *context, struct socket_write *s);
    pthread_cond_t more;
    pthread_mutex_t lock; /* for all below */
    struct socket_writes waiting, done;
    bool idle, ending;
};

/* ---- lists ------------------------------------------------------------- */

static void clear(struct socket_writes *list)
{
    *list = (struct socket_writes){.end = &list->first};
}

static void append(struct socket_writes *list, struct socket_write *one)
{
    one->next = NULL;
    *list->end = one;
    list->end = &one->next;
}

static struct socket_write *take_all(struct socket_writes *list)
{
    struct socket_write *first = list->first;
    clear(list);
    return first;
}

/* ---- writing ----------------------------------------------------------- */

ssize_t outs_write(int fd, const struct out *outs, size_t count)
{
    struct iovec vectors[VECTORS];
    struct msghdr message = {.msg_iov = vectors};
    ssize_t n;

    for (; message.msg_iovlen < count && message.msg_iovlen < VECTORS;
         message.msg_iovlen++) {
        const struct bytes *b = &outs[message.msg_iovlen].bytes;
        vectors[message.msg_iovlen] = (struct iovec){
            .iov_base = (void *)(uintptr_t)b->data,
            .iov_len = b->len,
        };
    }
    do
        n = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

/* ---- the thread -------------------------------------------------------- */

/* Writes all that waits, with the lock given up meanwhile. */
static void send_waiting(struct sender *s)
{
    struct socket_write *next, *first = take_all(&s->waiting);

    pthread_mutex_unlock(&s->lock);
    for (struct socket_write *one = first; one != NULL; one = one->next)
        one->result = outs_write(one->fd, one->outs, one->count);
    pthread_mutex_lock(&s->lock);
    if (s->done.first == NULL)
        s->wake(s->context);
    for (; first != NULL; first = next) {
        next = first->next;
        append(&s->done, first);
    }
}

static void *run(void *arg)
{
    struct sender *s = arg;

    pthread_mutex_lock(&s->lock);
    for (;;) {
        if (s->waiting.first != NULL) {
            send_waiting(s);
        } else if (s->ending) {
            break;
        } else {
            s->idle = true;
            pthread_cond_wait(&s->more, &s->lock);
            s->idle = false;
        }
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- the loop's side --------------------------------------------------- */

static void release(struct sender *s)
{
    pthread_cond_destroy(&s->more);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct sender *sender_new(void *context, void (*wake)(void *context),
                          void (*sent)(void *context, struct socket_write *s))
{
    struct sender *s = calloc(1, sizeof(*s));

    ASSERT(s != NULL);
    s->context = context;
    s->wake = wake;
    s->sent = sent;
    clear(&s->waiting);
    clear(&s->done);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->more, NULL);
    if (thread_start(&s->thread, "sender", run, s) == 0)
        return s;
    release(s);
    return NULL;
}

void sender_free(struct sender *s)
{
    if (s == NULL)
        return;
    pthread_mutex_lock(&s->lock);
    s->ending = true;
    pthread_cond_signal(&s->more);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    sender_poll(s);
    release(s);
}

void sender_take(struct sender *s, struct socket_write *one)
{
    pthread_mutex_lock(&s->lock);
    append(&s->waiting, one);
    if (s->idle)
        pthread_cond_signal(&s->more);
    pthread_mutex_unlock(&s->lock);
}

void sender_poll(struct sender *s)
{
    pthread_mutex_lock(&s->lock);
    struct socket_write *next, *done = take_all(&s->done);
    pthread_mutex_unlock(&s->lock);
    for (; done != NULL; done = next) {
        next = done->next;
        s->sent(s->context, done);
    }
}
