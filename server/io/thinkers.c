/* thinkers.c -- the processes that think for bots: started, looked after, ended.
 *
 *     wanted -> runs -> ended -> (a second, twice as long each time) -> wanted
 *
 * Each has one end of a pair of sockets; the other is a connection like any, of
 * which the hub knows what it is.  What goes wrong in one, whatever it is, comes
 * to the same: its connection is gone, or it is, and what is left of it is
 * killed.  Nothing here waits for a process. */

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base.h"
#include "daemon.h"
#include "log.h"

#define CHILD_FD      3
#define AGAIN_MS      1000
#define AGAIN_MAX_MS  60000
#define LIVED_WELL_MS 60000 /* who lived so long is started anew at once */

/* The program lies beside ours. */
static bool find_program(const struct daemon *d, char path[PATH_MAX])
{
    size_t size = PATH_MAX;
    char *last;

    if (d->config.bots_program[0] != '\0') {
        snprintf(path, PATH_MAX, "%s", d->config.bots_program);
        return true;
    }
    if (uv_exepath(path, &size) < 0 || (last = strrchr(path, '/')) == NULL)
        return false;
    size_t room = PATH_MAX - (size_t)(last + 1 - path);
    return snprintf(last + 1, room, "sobremesa-bot") < (int)room;
}

static void on_closed(uv_handle_t *handle)
{
    struct thinker_process *p = handle->data;

    p->closing = false;
}

/* When to start P again: later each time, unless it lived well. */
static void wait_more(struct thinker_process *p, int64_t now_ms)
{
    if (now_ms - p->started_ms >= LIVED_WELL_MS)
        p->wait_ms = 0;
    p->wait_ms = p->wait_ms == 0 ? AGAIN_MS : 2 * p->wait_ms;
    if (p->wait_ms > AGAIN_MAX_MS)
        p->wait_ms = AGAIN_MAX_MS;
    p->again_ms = now_ms + p->wait_ms;
}

static void on_ended(uv_process_t *process, int64_t status, int number)
{
    struct thinker_process *p = process->data;
    struct daemon *d = p->daemon;

    p->runs = false;
    wait_more(p, daemon_clock(d));
    if (!d->ending)
        log_line(LOG_WARNING, log_event("bots_ended"),
                 log_number("pid", process->pid), log_number("status", status),
                 log_number("signal", number),
                 log_number("again_ms", p->wait_ms));
    uv_close((uv_handle_t *)process, on_closed);
}

static void failed(struct thinker_process *p, const char *why)
{
    struct daemon *d = p->daemon;

    wait_more(p, daemon_clock(d));
    log_line(LOG_ERROR, log_event("bots_failed"), log_text("text", why),
             log_number("again_ms", p->wait_ms));
}

/* The hub hears of whoever is at FD. */
static void connect_to(struct thinker_process *p, int fd)
{
    struct daemon *d = p->daemon;
    struct conn *c = conn_new(d, CONN_LINES);
    int error = uv_pipe_init(&d->loop, &c->uv.pipe, 0);

    ASSERT(error == 0);
    c->uv.handle.data = c;
    c->info.direct = true;
    c->info.bots = true;
    if (uv_pipe_open(&c->uv.pipe, fd) < 0) {
        close(fd);
        conn_close(c, false);
        return;
    }
    conn_start(c);
    p->peer = c->peer;
}

/* With nothing of ours but its end, THEIRS, of the sockets: neither our
 * environment nor our output. */
static int spawn(struct thinker_process *p, char *program, int theirs)
{
    char name[] = "sobremesa-bot", option[] = "--fd", fd[] = "3";
    char *args[] = {name, option, fd, NULL};
    char *env[] = {NULL};
    uv_stdio_container_t files[CHILD_FD + 1] = {
        [CHILD_FD] = {.flags = UV_INHERIT_FD, .data.fd = theirs},
    };
    uv_process_options_t options = {
        .exit_cb = on_ended,
        .file = program,
        .args = args,
        .env = env,
        .stdio_count = CHILD_FD + 1,
        .stdio = files,
    };
    char root[] = "/";

    options.cwd = root;
    p->process.data = p;
    return uv_spawn(&p->daemon->loop, &p->process, &options);
}

static void start(struct thinker_process *p)
{
    struct daemon *d = p->daemon;
    char program[PATH_MAX];
    int ends[2];

    p->started_ms = daemon_clock(d);
    p->peer = 0;
    if (!find_program(d, program)) {
        failed(p, "sobremesa-bot is not there");
        return;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
        failed(p, strerror(errno));
        return;
    }
    int error = spawn(p, program, ends[1]);
    close(ends[1]);
    p->closing = true;
    if (error < 0) {
        close(ends[0]);
        uv_close((uv_handle_t *)&p->process, on_closed);
        failed(p, uv_strerror(error));
        return;
    }
    p->runs = true;
    log_line(LOG_INFO, log_event("bots_started"),
             log_number("pid", p->process.pid));
    connect_to(p, ends[0]);
}

/* A process that has no connection any more is of no use. */
static void look_after(struct thinker_process *p)
{
    struct daemon *d = p->daemon;

    if (p->runs && map_get(&d->peers, p->peer) == NULL)
        (void)uv_process_kill(&p->process, SIGKILL);
    else if (!p->runs && !p->closing && daemon_clock(d) >= p->again_ms)
        start(p);
}

void thinkers_tick(struct daemon *d)
{
    if (d->ending)
        return;
    for (int i = 0; i < THINKER_PROCESSES_MAX; i++) {
        struct thinker_process *p = &d->thinkers[i];
        p->daemon = d;
        if (i < d->config.bots_processes)
            look_after(p);
        else if (p->runs) /* there were to be more before a reload */
            (void)uv_process_kill(&p->process, SIGKILL);
    }
}

void thinkers_end(struct daemon *d)
{
    for (int i = 0; i < THINKER_PROCESSES_MAX; i++)
        if (d->thinkers[i].runs)
            (void)uv_process_kill(&d->thinkers[i].process, SIGKILL);
}
