#include "log_writer.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "thread.h"

#define QUEUE_BYTES ((size_t)256 << 10)
#define END_LOOKS   200      /* at an end for which is waited, */
#define END_LOOK_NS 10000000 /* so far apart */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    pthread_t thread;
    bool running, stop;
    bool stuck; /* the end came while it was: nobody waits for it again */
    uint64_t dropped, gap; /* ever, and since the log said so */
    size_t first, count;   /* what BYTES holds, around its end */
    char bytes[QUEUE_BYTES];
} queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .filled = PTHREAD_COND_INITIALIZER,
};

/* All of it, or what can be: who cannot be told of an error is not. */
static void write_out(const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(STDERR_FILENO, text, len);
        if (n > 0) {
            text += n;
            len -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
            (void)poll(&room, 1, -1);
        } else if (n == 0 || errno != EINTR)
            return;
    }
}

static bool is_file(void)
{
    struct stat st;

    return fstat(STDERR_FILENO, &st) == 0 && S_ISREG(st.st_mode);
}

/* ---- the queue; its lock is held ------------------------------------------------ */

static void put_in(const char *text, size_t len)
{
    size_t at = (queue.first + queue.count) % QUEUE_BYTES;
    size_t here = QUEUE_BYTES - at < len ? QUEUE_BYTES - at : len;

    memcpy(queue.bytes + at, text, here);
    memcpy(queue.bytes, text + here, len - here);
    queue.count += len;
}

/* The first line, which stays there until it is written. */
static size_t copy_line(char to[LOG_LINE_MAX + 1])
{
    size_t n = 0;

    while (n < queue.count && n < LOG_LINE_MAX + 1) {
        to[n] = queue.bytes[(queue.first + n) % QUEUE_BYTES];
        if (to[n++] == '\n')
            break;
    }
    return n;
}

/* ---- the thread ----------------------------------------------------------------- */

/* Writes the first line, or that some are missing behind the last one. */
static void write_next(void)
{
    char line[LOG_LINE_MAX + 1];
    size_t len = copy_line(line), taken = len;

    if (len == 0) {
        len = log_gap_line(queue.gap, line);
        queue.gap = 0;
    }
    pthread_mutex_unlock(&queue.lock);
    write_out(line, len);
    pthread_mutex_lock(&queue.lock);
    queue.first = (queue.first + taken) % QUEUE_BYTES;
    queue.count -= taken;
}

static void *run(void *unused)
{
    pthread_mutex_lock(&queue.lock);
    while (!queue.stop || queue.count > 0 || queue.gap > 0) {
        if (queue.count > 0 || queue.gap > 0)
            write_next();
        else
            pthread_cond_wait(&queue.filled, &queue.lock);
    }
    queue.running = false;
    pthread_mutex_unlock(&queue.lock);
    return unused;
}

void log_writer_begin(void)
{
    pthread_mutex_lock(&queue.lock);
    if (!queue.running && !queue.stuck && !is_file()) {
        queue.stop = false;
        queue.running = thread_start(&queue.thread, "log", run, NULL) == 0;
    }
    pthread_mutex_unlock(&queue.lock);
}

static bool is_running(void)
{
    pthread_mutex_lock(&queue.lock);
    bool running = queue.running;
    pthread_mutex_unlock(&queue.lock);
    return running;
}

void log_writer_end(void)
{
    const struct timespec pause = {.tv_nsec = END_LOOK_NS};

    if (!is_running())
        return;
    pthread_mutex_lock(&queue.lock);
    queue.stop = true;
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
    for (int i = 0; i < END_LOOKS && is_running(); i++)
        (void)nanosleep(&pause, NULL);
    pthread_mutex_lock(&queue.lock);
    bool stuck = queue.stuck = queue.running;
    pthread_mutex_unlock(&queue.lock);
    if (stuck)
        pthread_detach(queue.thread);
    else
        pthread_join(queue.thread, NULL);
}

/* ---- who logs ------------------------------------------------------------------- */

void log_writer_put(const char *line, size_t len)
{
    pthread_mutex_lock(&queue.lock);
    bool running = queue.running;
    if (running && queue.gap == 0 && len <= QUEUE_BYTES - queue.count) {
        put_in(line, len);
        pthread_cond_signal(&queue.filled);
    } else if (running) {
        queue.gap++;
        queue.dropped++;
    }
    pthread_mutex_unlock(&queue.lock);
    if (!running)
        write_out(line, len);
}

uint64_t log_writer_dropped(void)
{
    pthread_mutex_lock(&queue.lock);
    uint64_t dropped = queue.dropped;
    pthread_mutex_unlock(&queue.lock);
    return dropped;
}
