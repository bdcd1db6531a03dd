/* listen.c -- where connections come in.
 *
 * Sockets come from the system manager (system.h), or are opened here.  A Unix
 * socket that a killed daemon left behind, where nobody listens any more, is
 * replaced.
 * The administrator's is made with mode 0600, and who connects there must be
 * us or root. */

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base.h"
#include "daemon.h"
#include "log.h"
#include "server/hub/limits.h"
#include "system.h"

#define BACKLOG 511
/* Taken in by one turn of the loop; the others wait for the next. */
#define ACCEPTS_MAX  16
#define KEEP_ALIVE_S 60 /* lines have no ping of their own */
/* What the system keeps of what a connection has said and nobody has read: a
 * message, twice that with what it needs itself.  It would let it grow to 6 MB,
 * or to what comes in single bytes: a thousandth of that, but thousands of
 * pieces, which it takes milliseconds of our time to put in order. */
#define RECEIVE_BYTES LIMIT_MESSAGE_BYTES

/* ---- addresses ----------------------------------------------------------- */

static void address_text(const struct sockaddr_storage *from, char *to,
                         size_t size)
{
    char name[64] = "";
    if (from->ss_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)from;
        uv_ip6_name(in6, name, sizeof(name));
        snprintf(to, size, "[%s]:%d", name, ntohs(in6->sin6_port));
    } else {
        const struct sockaddr_in *in = (const struct sockaddr_in *)from;
        uv_ip4_name(in, name, sizeof(name));
        snprintf(to, size, "%s:%d", name, ntohs(in->sin_port));
    }
}

/* A number for where AT is; IPv6 by the /64 that one customer has. */
static uint64_t source_of(const uint8_t at[16], bool *loopback, char *name,
                          size_t size)
{
    static const uint8_t self[16] = {[15] = 1};
    uint64_t source = 0;

    if (network_is_v4(at)) {
        *loopback = at[12] == 127;
        uv_inet_ntop(AF_INET, at + 12, name, size);
        for (int i = 12; i < 16; i++)
            source = source << 8 | at[i];
        return UINT64_C(1) << 32 | source;
    }
    *loopback = memcmp(at, self, sizeof(self)) == 0;
    uv_inet_ntop(AF_INET6, at, name, size);
    for (int i = 0; i < 8; i++)
        source = source << 8 | at[i];
    return source | UINT64_C(1) << 63;
}

uint64_t listen_source(const char *text, size_t len,
                       char address[static ADDRESS_SIZE])
{
    uint8_t at[16];
    bool loopback;

    if (network_read_address(text, len, at))
        return source_of(at, &loopback, address, ADDRESS_SIZE);
    snprintf(address, ADDRESS_SIZE, "unknown");
    /* No address: whatever it is, it is the same next time. */
    uint64_t source = MAP_KEY_START;
    for (size_t i = 0; i < len; i++)
        source = map_key(source, (unsigned char)text[i]);
    return source | UINT64_C(3) << 62;
}

/* ---- accepting ------------------------------------------------------------ */

/* Who is at the other end of a TCP connection, into C. */
static bool look_at_tcp(struct conn *c)
{
    struct sockaddr_storage from = {0};
    int len = sizeof(from);
    char name[ADDRESS_SIZE];
    bool loopback = false;
    uint8_t at[16];

    if (uv_tcp_getpeername(&c->uv.tcp, (struct sockaddr *)&from, &len) < 0)
        return false;
    (void)network_address((const struct sockaddr *)&from, at);
    c->info.source = source_of(at, &loopback, name, sizeof(name));
    memcpy(c->info.address, name, sizeof(name));
    c->info.direct = loopback;
    c->proxy = c->kind == CONN_HTTP &&
               networks_have_address(&c->daemon->config.proxy_networks, at);
    c->daemon->proxied += c->proxy;
    uv_tcp_nodelay(&c->uv.tcp, 1);
    uv_tcp_keepalive(&c->uv.tcp, 1, KEEP_ALIVE_S);
    return true;
}

static bool look_at_unix(struct conn *c, bool admin)
{
    struct ucred who;
    socklen_t len = sizeof(who);
    uv_os_fd_t fd;

    if (uv_fileno(&c->uv.handle, &fd) < 0 ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0)
        return false;
    c->info.source = UINT64_C(1) << 62 | who.uid;
    c->info.direct = true;
    c->info.admin = admin;
    c->info.uid = who.uid;
    return !admin || who.uid == geteuid() || who.uid == 0;
}

/* Who comes through a proxy is counted when they tell where from; the
 * administrator always gets in. */
static bool room_for(struct conn *c)
{
    struct daemon *d = c->daemon;
    bool counted = conn_count(c, c->info.source, c->info.direct) ||
                   (c->proxy && !c->info.direct);

    if (c->info.admin)
        return true;
    if (counted && (int64_t)d->conn_count <= d->config.connections)
        return true;
    d->turned_away++;
    return false;
}

static void on_connection(uv_stream_t *stream, int status)
{
    struct listener *l = stream->data;
    struct daemon *d = l->daemon;

    if (status < 0 || d->ending)
        return;
    l->waits = d->accepts >= ACCEPTS_MAX;
    if (l->waits) /* and libuv waits with it: nothing was accepted */
        return;
    d->accepts++;
    struct conn *c = conn_new(d, l->kind);
    c->uv.handle.data = c;
    int error = l->unix_socket ? uv_pipe_init(&d->loop, &c->uv.pipe, 0)
                               : uv_tcp_init(&d->loop, &c->uv.tcp);
    ASSERT(error == 0);
    c->uv.handle.data = c;
    d->accepted++;
    c->info.notices = true;
    if (uv_accept(stream, &c->uv.stream) < 0 ||
        !(l->unix_socket ? look_at_unix(c, l->admin) : look_at_tcp(c)) ||
        !room_for(c)) {
        conn_close(c, false);
        return;
    }
    conn_start(c);
}

void listen_more(struct daemon *d)
{
    d->accepts = 0;
    for (int i = 0; i < LISTENERS; i++) {
        struct listener *l = &d->listeners[i];
        if (l->open && l->waits)
            on_connection(&l->uv.stream, 0);
    }
}

/* ---- listening ------------------------------------------------------------ */

static int fail(char *why, size_t size, const char *what, const char *where,
                int error)
{
    snprintf(why, size, "%s %s: %s", what, where, uv_strerror(error));
    return -1;
}

/* A port that somebody else has is the usual reason, and then it is told what
 * to type. */
static int fail_tcp(char *why, size_t size, const struct listener *l,
                    const char *where, int error)
{
    bool http = l->kind == CONN_HTTP;

    if (error != UV_EADDRINUSE)
        return fail(why, size, "cannot listen at", where, error);
    snprintf(
        why, size,
        "cannot listen at %s: another program has this port; take another "
        "with %s ADDRESS:PORT, or %s in the configuration",
        where, http ? "--http" : "--lines",
        http ? "http.listen" : "lines.listen");
    return -1;
}

static int begin(struct daemon *d, struct listener *l, char *why, size_t size)
{
    l->daemon = d;
    l->uv.handle.data = l;
    int room = RECEIVE_BYTES;
    if (!l->unix_socket) /* those it takes in get it from here */
        (void)uv_recv_buffer_size(&l->uv.handle, &room);
    int error = uv_listen(&l->uv.stream, BACKLOG, on_connection);
    if (error < 0 && !l->unix_socket)
        return fail_tcp(why, size, l, l->where, error);
    if (error < 0)
        return fail(why, size, "cannot listen at", l->where, error);
    l->open = true;
    return 0;
}

static int listen_tcp(struct daemon *d, struct listener *l, int fd,
                      const char *where, char *why, size_t size)
{
    struct sockaddr_storage at;
    int len = sizeof(at), error;

    error = uv_tcp_init(&d->loop, &l->uv.tcp);
    ASSERT(error == 0);
    l->uv.handle.data = l;
    snprintf(l->where, sizeof(l->where), "%s", where);
    if (fd >= 0) {
        error = uv_tcp_open(&l->uv.tcp, fd);
    } else if (!config_address(where, &at)) {
        uv_close(&l->uv.handle, NULL);
        snprintf(why, size, "%s is not ADDRESS:PORT", where);
        return -1;
    } else {
        error = uv_tcp_bind(&l->uv.tcp, (struct sockaddr *)&at, 0);
    }
    if (error == 0)
        error = begin(d, l, why, size);
    else
        error = fail_tcp(why, size, l, where, error);
    if (error == 0 &&
        uv_tcp_getsockname(&l->uv.tcp, (struct sockaddr *)&at, &len) == 0)
        address_text(&at, l->where, sizeof(l->where));
    if (error != 0)
        uv_close(&l->uv.handle, NULL);
    return error;
}

static int unix_socket(const char *path, struct sockaddr_un *ret_at)
{
    *ret_at = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(ret_at->sun_path, sizeof(ret_at->sun_path), "%s", path);
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* Whether nobody listens any more at the socket PATH. */
static bool is_left(const char *path)
{
    struct sockaddr_un at;
    struct stat st;

    if (lstat(path, &st) != 0 || !S_ISSOCK(st.st_mode))
        return false;
    int fd = unix_socket(path, &at);
    if (fd < 0)
        return false;
    bool left = connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0 &&
                errno == ECONNREFUSED;
    close(fd);
    return left;
}

/* Makes the socket file; one that a killed daemon left is replaced.  libuv would
 * remove at the end whatever has the name by then, so it gets the socket only. */
static int bind_unix(struct listener *l, const char *path, mode_t mode)
{
    struct sockaddr_un at;
    struct stat st;

    if (is_left(path))
        unlink(path);
    int fd = unix_socket(path, &at);
    if (fd < 0)
        return -errno;
    mode_t before = umask(0777 & ~mode);
    int error = bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 ? -errno : 0;
    umask(before);
    if (error == 0)
        error = uv_pipe_open(&l->uv.pipe, fd);
    if (error != 0) {
        close(fd);
        return error;
    }
    if (lstat(path, &st) == 0) {
        snprintf(l->path, sizeof(l->path), "%s", path);
        l->device = st.st_dev;
        l->inode = st.st_ino;
    }
    return 0;
}

/* Removes the socket file, but not the one that another daemon has put there. */
static void remove_socket(const struct listener *l)
{
    struct stat st;

    if (l->path[0] != '\0' && lstat(l->path, &st) == 0 &&
        st.st_dev == l->device && st.st_ino == l->inode)
        unlink(l->path);
}

static int listen_unix(struct daemon *d, struct listener *l, int fd,
                       const char *path, mode_t mode, char *why, size_t size)
{
    struct sockaddr_un longest;
    struct stat st;
    size_t len = sizeof(l->where);
    int error;

    if (fd < 0 && strlen(path) >= sizeof(longest.sun_path)) {
        snprintf(why, size, "%s is too long for a socket's path", path);
        return -1;
    }
    error = uv_pipe_init(&d->loop, &l->uv.pipe, 0);
    ASSERT(error == 0);
    l->uv.handle.data = l;
    l->unix_socket = true;
    snprintf(l->where, sizeof(l->where), "%s", path);
    error = fd >= 0 ? uv_pipe_open(&l->uv.pipe, fd) : bind_unix(l, path, mode);
    if (error == 0)
        error = begin(d, l, why, size);
    else if (error == UV_EADDRINUSE && fd < 0) {
        snprintf(why, size, "cannot listen at %s: %s", path,
                 lstat(path, &st) == 0 && S_ISSOCK(st.st_mode)
                     ? "another server has this socket"
                     : "there is a file");
        error = -1;
    } else
        error = fail(why, size, "cannot listen at", path, error);
    if (error == 0 && fd >= 0)
        uv_pipe_getsockname(&l->uv.pipe, l->where, &len);
    if (error != 0)
        uv_close(&l->uv.handle, NULL);
    return error;
}

int listen_all(struct daemon *d, char *why, size_t size)
{
    const struct config *c = &d->config;
    int fds[SYSTEM_SOCKETS];

    d->listeners[LISTEN_HTTP].kind = CONN_HTTP;
    for (int i = LISTEN_LINES; i < LISTENERS; i++)
        d->listeners[i].kind = CONN_LINES;
    d->listeners[LISTEN_ADMIN].admin = true;
    if (system_sockets(fds, why, size) < 0)
        return -1;
    if ((c->http[0] != '\0' || fds[SYSTEM_HTTP] >= 0) &&
        listen_tcp(d, &d->listeners[LISTEN_HTTP], fds[SYSTEM_HTTP], c->http,
                   why, size))
        return -1;
    if ((c->lines[0] != '\0' || fds[SYSTEM_LINES] >= 0) &&
        listen_tcp(d, &d->listeners[LISTEN_LINES], fds[SYSTEM_LINES], c->lines,
                   why, size))
        return -1;
    if ((c->lines_unix[0] != '\0' || fds[SYSTEM_LINES_UNIX] >= 0) &&
        listen_unix(d, &d->listeners[LISTEN_LINES_UNIX],
                    fds[SYSTEM_LINES_UNIX], c->lines_unix, 0666, why, size))
        return -1;
    if (c->admin[0] != '\0' && listen_unix(d, &d->listeners[LISTEN_ADMIN], -1,
                                           c->admin, 0600, why, size))
        return -1;
    return 0;
}

void listen_stop(struct daemon *d)
{
    for (int i = 0; i < LISTENERS; i++) {
        struct listener *l = &d->listeners[i];
        if (!l->open)
            continue;
        l->open = false;
        uv_close(&l->uv.handle, NULL);
        remove_socket(l);
    }
}
