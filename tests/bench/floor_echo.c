/* floor_echo.c -- what the loop and the sockets cost: bytes over TCP, and
 * back.  Says its port in one line, ends with SIGTERM. */

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

static void on_written(uv_write_t *write, int status)
{
    (void)status;
    free(write->data);
    free(write);
}

static void on_closed(uv_handle_t *handle)
{
    free(handle);
}

static void alloc(uv_handle_t *handle, size_t wanted, uv_buf_t *buf)
{
    static char room[65536];
    (void)handle, (void)wanted;
    *buf = uv_buf_init(room, sizeof(room));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    if (n < 0) {
        uv_close((uv_handle_t *)stream, on_closed);
        return;
    }
    uv_buf_t out = uv_buf_init(buf->base, (unsigned)n);
    int done = uv_try_write(stream, &out, 1);
    if (done == n)
        return;
    uv_write_t *write = malloc(sizeof(*write));
    size_t from = done > 0 ? (size_t)done : 0, left = (size_t)n - from;
    char *copy = malloc(left);
    if (write == NULL || copy == NULL)
        abort();
    for (size_t i = 0; i < left; i++)
        copy[i] = buf->base[from + i];
    write->data = copy;
    out = uv_buf_init(copy, (unsigned)left);
    uv_write(write, stream, &out, 1, on_written);
}

static void on_connection(uv_stream_t *server, int status)
{
    uv_tcp_t *tcp = malloc(sizeof(*tcp));
    if (tcp == NULL || status < 0)
        abort();
    uv_tcp_init(server->loop, tcp);
    if (uv_accept(server, (uv_stream_t *)tcp) < 0)
        abort();
    uv_tcp_nodelay(tcp, 1);
    uv_read_start((uv_stream_t *)tcp, alloc, on_read);
}

int main(void)
{
    uv_loop_t *loop = uv_default_loop();
    struct sockaddr_in where;
    uv_tcp_t server;
    int len = sizeof(where);

    uv_ip4_addr("127.0.0.1", 0, &where);
    uv_tcp_init(loop, &server);
    if (uv_tcp_bind(&server, (const struct sockaddr *)&where, 0) < 0 ||
        uv_listen((uv_stream_t *)&server, 511, on_connection) < 0 ||
        uv_tcp_getsockname(&server, (struct sockaddr *)&where, &len) < 0)
        return 1;
    printf("{\"port\": %d}\n", ntohs(where.sin_port));
    fflush(stdout);
    return uv_run(loop, UV_RUN_DEFAULT);
}
