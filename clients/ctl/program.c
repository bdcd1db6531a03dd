/* program.c -- what sobremesad does for sobremesactl without a server.
 *
 * What a store is only the server knows, so its own program judges and restores
 * one: `sobremesad --verify`, `sobremesad --restore`.  It is looked for beside
 * this one, then in PATH. */

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
static _Noreturn void become(struct ctl *c, const char *option,
                             const char *path, int fd)
{
    char self[PATH_MAX];
    char *args[] = {
        strdup("sobremesad"), strdup("--data"), strdup(c->data),
        strdup(option),       strdup(path),     NULL,
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

/* All that it says, the caller's to free. */
static char *read_all(int fd, size_t *ret_len)
{
    FILE *file = fdopen(fd, "r");
    char *text = NULL;
    size_t cap = 0;

    ASSERT(file != NULL);
    ssize_t n = getdelim(&text, &cap, '\0', file);
    (void)fclose(file);
    *ret_len = n > 0 ? (size_t)n : 0;
    return text;
}

json_t *program_run(struct ctl *c, const char *option, const char *path,
                    bool *ret_good)
{
    int pipe_fds[2], status = 0;
    char why[JSON_EXPECTED_MAX];
    size_t len;

    *ret_good = false;
    (void)fflush(NULL);
    if (pipe(pipe_fds) != 0) {
        (void)complain("%s", strerror(errno));
        return NULL;
    }
    pid_t child = fork();
    if (child == 0)
        become(c, option, path, pipe_fds[1]);
    (void)close(pipe_fds[1]);
    char *text = read_all(pipe_fds[0], &len);
    json_t *told = json_parse(text != NULL ? text : "", len, why);
    free(text);
    if (child < 0 || waitpid(child, &status, 0) != child)
        (void)complain("%s", strerror(errno));
    else
        *ret_good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return told;
}
