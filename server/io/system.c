#include "system.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define FIRST_FD 3

void system_notify(const char *text)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t len = path != NULL ? strlen(path) : 0;

    if (len == 0 || len >= sizeof(to.sun_path))
        return;
    memcpy(to.sun_path, path, len);
    if (to.sun_path[0] == '@')
        to.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    /* Who does not read it is not waited for: the watchdog is asked again. */
    (void)sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT,
                 (struct sockaddr *)&to,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
    close(fd);
}

/* The environment may be our parent's: then it says for whom it is. */
static bool is_for_us(const char *variable)
{
    const char *pid = getenv(variable);
    return pid == NULL || atol(pid) == getpid();
}

bool system_watches(void)
{
    return getenv("WATCHDOG_USEC") != NULL && is_for_us("WATCHDOG_PID");
}

/* ---- sockets ------------------------------------------------------------ */

static const char *const names[SYSTEM_SOCKETS] = {"http", "lines",
                                                  "lines-unix"};

/* What NAME, up to LEN, is for; by its order if it says nothing. */
static int use_of(const char *name, size_t len, const int *fds)
{
    for (int use = 0; use < SYSTEM_SOCKETS; use++)
        if (strlen(names[use]) == len && memcmp(names[use], name, len) == 0)
            return use;
    return fds[SYSTEM_HTTP] < 0 ? SYSTEM_HTTP : SYSTEM_LINES;
}

static bool listens(int fd, int use)
{
    int listening = 0, type = 0, family = 0;
    socklen_t size = sizeof(int);

    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) < 0 ||
        getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0 ||
        getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) < 0)
        return false;
    bool is_unix = family == AF_UNIX;
    bool is_tcp = family == AF_INET || family == AF_INET6;
    return listening && type == SOCK_STREAM &&
           (use == SYSTEM_LINES_UNIX ? is_unix : is_tcp);
}

static int take(int fds[static SYSTEM_SOCKETS], int count, const char *given,
                char *why, size_t size)
{
    for (int fd = FIRST_FD; fd < FIRST_FD + count; fd++) {
        size_t len = given != NULL ? strcspn(given, ":") : 0;
        int use = use_of(given, len, fds);

        if (fds[use] >= 0) {
            snprintf(why, size,
                     "the socket %d that was handed over is one too many for "
                     "%s",
                     fd, names[use]);
            return -1;
        }
        if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || !listens(fd, use)) {
            snprintf(why, size,
                     "the socket %d that was handed over does not listen as "
                     "%s needs it",
                     fd, names[use]);
            return -1;
        }
        fds[use] = fd;
        if (given != NULL)
            given = given[len] == ':' ? given + len + 1 : NULL;
    }
    return 0;
}

int system_sockets(int fds[static SYSTEM_SOCKETS], char *why, size_t size)
{
    const char *count = getenv("LISTEN_FDS");
    int result = 0;

    for (int use = 0; use < SYSTEM_SOCKETS; use++)
        fds[use] = -1;
    if (count != NULL && getenv("LISTEN_PID") != NULL &&
        is_for_us("LISTEN_PID"))
        result = take(fds, atoi(count), getenv("LISTEN_FDNAMES"), why, size);
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDNAMES");
    return result;
}
