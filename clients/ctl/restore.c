/* restore.c -- sobremesactl restore: a backup in place of the server's data.
 *
 * What is in a backup only the server knows, so its own program does it:
 * `sobremesad --restore`, which is looked for beside this one, then in PATH.
 * The server must not be running; it sees to that itself. */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base.h"
#include "ctl.h"
#include "protocol/game_json.h"

/* Becomes the server's program, whose output goes to FD. */
static _Noreturn void become(struct ctl *c, int fd)
{
    char self[PATH_MAX];
    char *args[] = {
        strdup("sobremesad"), strdup("--data"),         strdup(c->data),
        strdup("--restore"),  strdup(given(c, "path")), NULL,
    };
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 16);

    (void)dup2(fd, STDOUT_FILENO);
    if (n > 0) {
        self[n] = '\0';
        char *slash = strrchr(self, '/');
        memcpy(slash + 1, "sobremesad", sizeof("sobremesad"));
        (void)execv(self, args);
    }
    (void)execvp("sobremesad", args);
    (void)complain("cannot run sobremesad: %s", strerror(errno));
    _exit(STATUS_FAILED);
}

/* Its one line of JSON, or NULL. */
static json_t *read_told(int fd)
{
    char text[8192], why[JSON_EXPECTED_MAX];
    size_t len = 0;
    ssize_t n;

    while (len < sizeof(text) &&
           (n = read(fd, text + len, sizeof(text) - len)) > 0)
        len += (size_t)n;
    return json_parse(text, len, why);
}

int restore_command(struct ctl *c)
{
    int pipe_fds[2], status = 0;

    (void)fflush(NULL);
    if (pipe(pipe_fds) != 0)
        return complain("%s", strerror(errno));
    pid_t child = fork();
    if (child == 0)
        become(c, pipe_fds[1]);
    (void)close(pipe_fds[1]);
    json_t *told = child > 0 ? read_told(pipe_fds[0]) : NULL;
    (void)close(pipe_fds[0]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return complain("%s", strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || told == NULL) {
        json_decref(told);
        return STATUS_FAILED; /* it has said why */
    }
    if (c->json) {
        print_json(told);
    } else {
        (void)printf("%s is in place.\n", given(c, "path"));
        if (member_text(told, "kept")[0] != '\0')
            (void)printf("What was there before is kept in %s.\n",
                         member_text(told, "kept"));
        (void)puts("Start the server: running tables go on, with new draws.");
    }
    json_decref(told);
    return STATUS_DONE;
}
