/* program.c -- what sobremesad does for sobremesactl without a server.
 *
 * What a store is only the server knows, so its own program judges and restores
 * one: `sobremesad --verify`, `sobremesad --restore`.  It is looked for beside
 * this one, then in PATH. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base.h"
#include "ctl.h"
#include "protocol/game_json.h"

#define NAME "sobremesad"

bool program_in_path(const char *name, char path[PROGRAM_SIZE])
{
    const char *at = getenv("PATH");

    while (at != NULL && *at != '\0') {
        size_t len = strcspn(at, ":");
        int n = snprintf(path, PROGRAM_SIZE, "%.*s/%s", (int)len, at, name);
        if (len > 0 && n > 0 && n < PROGRAM_SIZE && access(path, X_OK) == 0)
            return true;
        at += len + (at[len] == ':');
    }
    return false;
}

bool program_server(char path[PROGRAM_SIZE])
{
    ssize_t n = readlink("/proc/self/exe", path, PROGRAM_SIZE - sizeof(NAME));

    if (n > 0) {
        path[n] = '\0';
        memcpy(strrchr(path, '/') + 1, NAME, sizeof(NAME));
        if (access(path, X_OK) == 0)
            return true;
    }
    return program_in_path(NAME, path);
}

_Noreturn void program_become(const char *program, char *const *args, int in,
                              int out)
{
    if ((in == STDIN_FILENO || dup2(in, STDIN_FILENO) >= 0) &&
        dup2(out, STDOUT_FILENO) >= 0)
        (void)execv(program, args);
    (void)complain("cannot run %s: %s", program, strerror(errno));
    _exit(STATUS_FAILED);
}

/* Becomes the server's program, whose output goes to FD. */
static _Noreturn void become(struct ctl *c, const char *option,
                             const char *path, int fd)
{
    char program[PROGRAM_SIZE];
    char *args[] = {
        strdup(NAME),   strdup("--data"), strdup(c->data),
        strdup(option), strdup(path),     NULL,
    };

    if (!program_server(program)) {
        (void)complain("there is no " NAME " here");
        _exit(STATUS_FAILED);
    }
    program_become(program, args, STDIN_FILENO, fd);
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
