/* courier_sendmail.c -- a mail, by a program of this machine that takes it as
 * sendmail(8) does and queues it.
 *
 * No shell is in between, and no pipe that somebody would have to wait for: the
 * mail is a file without a name, and so is what the program says. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "core/base.h"
#include "courier_inner.h"

static const char scheme[] = "sendmail:";

bool sendmail_wanted(const struct settings *s)
{
    return strncmp(s->c.mail_server, scheme, strlen(scheme)) == 0;
}

/* A file that has LEN bytes of TEXT, at its beginning; or -1. */
static int file_of(const char *text, size_t len)
{
    int fd = memfd_create("mail", MFD_CLOEXEC);

    while (fd >= 0 && len > 0) {
        ssize_t n = write(fd, text, len);
        if (n <= 0) {
            close(fd);
            return -1;
        }
        text += n;
        len -= (size_t)n;
    }
    if (fd >= 0)
        (void)lseek(fd, 0, SEEK_SET);
    return fd;
}

/* 0, or an error number. */
static int start(struct transfer *p, const struct settings *s, int mail_fd)
{
    char *const program = region_copy(&p->region,
                                      s->c.mail_server + strlen(scheme));
    char *const argv[] = {program,
                          region_copy(&p->region, "-i"),
                          region_copy(&p->region, "-f"),
                          region_copy(&p->region, mail_bounces(s)),
                          region_copy(&p->region, "--"),
                          region_copy(&p->region, p->d.target),
                          NULL};
    /* Nothing of ours: neither proxies nor where systemd listens. */
    char path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
    char *const env[] = {path, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none, pipe;

    sigemptyset(&none);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, mail_fd, 0);
    posix_spawn_file_actions_adddup2(&files, p->said_fd, 1);
    posix_spawn_file_actions_adddup2(&files, p->said_fd, 2);
    posix_spawnattr_init(&attr);
    /* The courier's thread gets no signals; the program is to. */
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &pipe);
    posix_spawnattr_setflags(&attr,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int err = posix_spawn(&p->pid, program, &files, &attr, argv, env);
    if (err != 0)
        p->pid = 0;
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    return err;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

bool sendmail_begin(struct transfer *p, const struct settings *s)
{
    mail_write(p, s);
    int mail_fd = file_of(p->body, p->body_len);
    p->said_fd = file_of("", 0);
    int err = mail_fd < 0 || p->said_fd < 0 ? errno : start(p, s, mail_fd);
    close_fd(&mail_fd);
    if (err == 0)
        p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0);
    if (err == 0 && p->pidfd >= 0)
        return true;
    if (p->pid > 0)
        sendmail_ended(p, true);
    close_fd(&p->said_fd);
    transfer_ends(p, DELIVERY_OURS, "sendmail does not start: %s",
                  strerror(err != 0 ? err : errno));
    return false;
}

/* What the program said last, in a line. */
static void read_said(struct transfer *p)
{
    off_t size = lseek(p->said_fd, 0, SEEK_END);
    off_t from = size > REPLY_MAX - 1 ? size - (REPLY_MAX - 1) : 0;
    ssize_t n = pread(p->said_fd, p->reply, REPLY_MAX - 1, from);

    if (n < 0)
        n = 0;
    while (n > 0 && p->reply[n - 1] <= ' ' && p->reply[n - 1] > 0)
        n--;
    p->reply[n] = '\0';
    for (char *at = p->reply; *at != '\0'; at++)
        if (*at == '\n')
            *at = ' ';
}

static enum delivery_result judge(int status)
{
    switch (status) {
    case EX_OK: return DELIVERY_DONE;
    case EX_NOUSER:
    case EX_NOHOST: return DELIVERY_GONE;
    case EX_TEMPFAIL: return DELIVERY_RETRY;
    default: return DELIVERY_OURS;
    }
}

void sendmail_ended(struct transfer *p, bool late)
{
    int status = 0;

    if (late)
        kill(p->pid, SIGKILL);
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    p->pid = 0;
    read_said(p);
    close_fd(&p->pidfd);
    close_fd(&p->said_fd);
    if (late)
        transfer_ends(p, DELIVERY_RETRY, "sendmail took too long");
    else if (!WIFEXITED(status))
        transfer_ends(p, DELIVERY_OURS, "sendmail was ended by signal %d",
                      WTERMSIG(status));
    else if (WEXITSTATUS(status) == EX_OK)
        transfer_ends(p, DELIVERY_DONE, "queued by sendmail");
    else
        transfer_ends(p, judge(WEXITSTATUS(status)),
                      "sendmail ended with %d: %s", WEXITSTATUS(status),
                      p->reply);
}
