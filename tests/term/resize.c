/* resize.c -- preloaded: the window gets another size at the worst moment.  As
 * long as the file that RESIZE names is there, who begins to wait for a key has
 * 20 by 6 just before, once: the signal that tells it has been and gone by the
 * time they wait. */

#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void resize(void)
{
    const struct winsize small = {.ws_row = 6, .ws_col = 20};
    const char *flag = getenv("RESIZE");
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

    if (flag == NULL || syscall(SYS_poll, &in, 1, 0) != 0)
        return; /* nobody has to wait */
    if (unlink(flag) == 0)
        (void)ioctl(STDIN_FILENO, TIOCSWINSZ, &small);
}

ssize_t read(int fd, void *buf, size_t nbytes)
{
    if (fd == STDIN_FILENO)
        resize();
    return syscall(SYS_read, fd, buf, nbytes);
}

int poll(struct pollfd *fds, nfds_t nfds, int timeout)
{
    if (nfds > 0 && fds[0].fd == STDIN_FILENO && timeout != 0)
        resize();
    return (int)syscall(SYS_poll, fds, nfds, timeout);
}
