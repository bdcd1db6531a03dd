/* resize.c -- preloaded into a client before a terminal.
 *
 * As long as the file that RESIZE names is there, who begins to wait for a key
 * has a window of 20 by 6 just before, once: the signal that tells it has been
 * and gone by the time they wait.
 *
 * The file that TAKEN names is told how many bytes were read as keys, and
 * whether more are waited for, so that who types can know when what they typed
 * was dealt with. */

#include <fcntl.h>
#define poll \
    declared_poll /* as a function that does not read its first argument */
#include <poll.h>
#undef poll
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A wait that is shorter is for the rest of a key. */
#define KEY_MS 50

static struct taken {
    int64_t pid;   /* whose they are: what it starts itself is not looked at */
    int64_t bytes; /* that were read */
    int64_t
        waits; /* 1: all was read, and more is waited for; 2: it has ended */
} * taken;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("TAKEN");
    int fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *at = fd < 0 ? MAP_FAILED
                      : mmap(NULL, sizeof(*taken), PROT_READ | PROT_WRITE,
                             MAP_SHARED, fd, 0);

    if (fd >= 0)
        close(fd);
    if (at == MAP_FAILED)
        return;
    taken = at;
    if (taken->pid == 0)
        taken->pid = getpid();
    else if (taken->pid != getpid())
        taken = NULL;
}

__attribute__((destructor)) static void end(void)
{
    if (taken != NULL && taken->pid == getpid())
        __atomic_store_n(&taken->waits, 2, __ATOMIC_SEQ_CST);
}

static void wait_for_key(int waits)
{
    if (taken != NULL)
        __atomic_store_n(&taken->waits, waits, __ATOMIC_SEQ_CST);
}

static int input_waits(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

    return syscall(SYS_poll, &in, 1, 0) != 0;
}

static void resize(void)
{
    const struct winsize small = {.ws_row = 6, .ws_col = 20};
    const char *flag = getenv("RESIZE");

    if (flag == NULL || input_waits())
        return; /* nobody has to wait */
    if (unlink(flag) == 0)
        (void)ioctl(STDIN_FILENO, TIOCSWINSZ, &small);
}

ssize_t read(int fd, void *buf, size_t nbytes)
{
    if (fd != STDIN_FILENO)
        return syscall(SYS_read, fd, buf, nbytes);
    resize();
    wait_for_key(!input_waits());
    ssize_t n = syscall(SYS_read, fd, buf, nbytes);
    wait_for_key(0);
    if (taken != NULL && n > 0)
        (void)__atomic_add_fetch(&taken->bytes, n, __ATOMIC_SEQ_CST);
    return n;
}

int poll(struct pollfd *fds, nfds_t nfds, int timeout);

int poll(struct pollfd *fds, nfds_t nfds, int timeout)
{
    int keys = nfds > 0 && fds[0].fd == STDIN_FILENO && timeout != 0;

    if (keys)
        resize();
    if (keys && (timeout < 0 || timeout >= KEY_MS))
        wait_for_key(!input_waits());
    int n = (int)syscall(SYS_poll, fds, nfds, timeout);
    wait_for_key(0);
    return n;
}

/* As libuv waits, for keys and whatever else there is. */
int epoll_pwait(int fd, struct epoll_event *events, int max, int timeout,
                const sigset_t *mask)
{
    if (timeout != 0)
        wait_for_key(!input_waits());
    int n = (int)syscall(SYS_epoll_pwait, fd, events, max, timeout, mask,
                         _NSIG / 8);
    wait_for_key(0);
    return n;
}

int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
    return epoll_pwait(fd, events, max, timeout, NULL);
}
