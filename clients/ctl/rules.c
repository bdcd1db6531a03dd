/* rules.c -- sobremesactl rules check: whether the server's program that came
 * with this one replays the stored tables as another, older one does.
 *
 *     OLD --print-replays PATH -> sobremesad --check-replays PATH -> here
 *
 * Both only read, so it is done before an upgrade while people play. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base.h"
#include "ctl.h"
#include "protocol/game_json.h"
#include "protocol/sbuf_printf.h"

struct check {
    const char *path;       /* of the store */
    char old[PROGRAM_SIZE]; /* the older program, or "" */
    pid_t old_pid, new_pid; /* 0: none */
    int from_old, from_new; /* what they write */
    json_t *found;          /* a list of tables */
    json_t *end;            /* the last that was said */
    bool shows_progress, showed;
};

/* ---- which programs ------------------------------------------------------- */

static bool same_file(const char *a, const char *b)
{
    struct stat is, other;
    return stat(a, &is) == 0 && stat(b, &other) == 0 &&
           is.st_dev == other.st_dev && is.st_ino == other.st_ino;
}

/* The one that was named, or the one in PATH if that is another. */
static void find_old(const struct ctl *c, struct check *k)
{
    char own[PROGRAM_SIZE];

    if (given(c, "old") != NULL)
        (void)snprintf(k->old, sizeof(k->old), "%s", given(c, "old"));
    else if (!program_in_path("sobremesad", k->old) ||
             (program_server(own) && same_file(own, k->old)))
        k->old[0] = '\0';
}

/* ---- running them ---------------------------------------------------------- */

/* Runs PROGRAM with OPTION on the store, reading from IN; *RET_OUT is what it
 * writes.  -1 after a complaint. */
static pid_t run(const struct check *k, const char *program,
                 const char *option, int in, int *ret_out)
{
    char *args[] = {strdup("sobremesad"), strdup(option), strdup(k->path),
                    NULL};
    int fds[2];

    pid_t child = pipe2(fds, O_CLOEXEC) == 0 ? fork() : -1;
    if (child == 0)
        program_become(program, args, in, fds[1]);
    for (size_t i = 0; i < COUNT_OF(args); i++)
        free(args[i]);
    (void)close(in);
    if (child < 0) {
        (void)complain("%s", strerror(errno));
        return -1;
    }
    (void)close(fds[1]);
    *ret_out = fds[0];
    return child;
}

static bool start(struct check *k)
{
    char own[PROGRAM_SIZE];

    if (!program_server(own)) {
        (void)complain("there is no sobremesad here");
        return false;
    }
    k->from_old = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (k->old[0] != '\0') {
        int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        (void)close(k->from_old);
        k->old_pid = run(k, k->old, "--print-replays", nothing, &k->from_old);
        if (k->old_pid < 0)
            return false;
    }
    k->new_pid = run(k, own, "--check-replays", k->from_old, &k->from_new);
    return k->new_pid > 0;
}

/* How a program ended: its status, or -1 if it did not end by itself. */
static int status_of(pid_t child)
{
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

/* ---- what is found --------------------------------------------------------- */

static void show_progress(struct check *k, const json_t *line)
{
    k->showed = true;
    (void)fprintf(stderr, "\r%lld of %lld tables",
                  (long long)member_int(line, "done"),
                  (long long)member_int(line, "total"));
}

static void take_line(struct check *k, json_t *line)
{
    if (json_object_get(line, "table") != NULL)
        (void)json_array_append(k->found, line);
    else if (json_object_get(line, "compared") != NULL)
        k->end = json_incref(line);
    else if (k->shows_progress)
        show_progress(k, line);
}

static void read_all(struct check *k)
{
    char *text = NULL, why[JSON_EXPECTED_MAX];
    FILE *file = fdopen(k->from_new, "r");
    size_t cap = 0;
    ssize_t n;

    ASSERT(file != NULL);
    while ((n = getline(&text, &cap, file)) > 0) {
        json_t *line = json_parse(text, (size_t)n, why);
        take_line(k, line);
        json_decref(line);
    }
    free(text);
    (void)fclose(file);
    if (k->showed)
        (void)fputs("\r\033[K", stderr);
}

/* "state, points", and why it is if it is known. */
static void add_finding(struct grid *g, const json_t *found)
{
    const json_t *what = json_object_get(found, "what");
    char words[64];
    struct sbuf s = sbuf_in(words, sizeof(words));

    for (size_t i = 0; i < json_array_size(what); i++)
        sbuf_printf(&s, "%s%s", i > 0 ? ", " : "",
                    json_string_value(json_array_get(what, i)));
    grid_add(g, "%s", member_text(found, "table"));
    grid_add(g, "%s", member_text(found, "game"));
    grid_add(g, "%lld", (long long)member_int(found, "ply"));
    grid_add(g, "%s", words);
    grid_add(g, "%s", member_text(found, "why"));
}

static void show_found(const struct check *k)
{
    long long different = (long long)member_int(k->end, "different");
    long long tables = (long long)member_int(k->end, "tables");
    bool compared = json_is_true(json_object_get(k->end, "compared"));
    struct grid g;

    if (different > 0) {
        grid_init(&g, "TABLE GAME >PLY WHAT WHY");
        for (size_t i = 0; i < json_array_size(k->found); i++)
            add_finding(&g, json_array_get(k->found, i));
        grid_print(&g, "");
        (void)printf("%lld of %lld tables would be replayed otherwise.\n",
                     different, tables);
    } else if (compared) {
        (void)printf("ok: %lld tables, replayed as before\n", tables);
    } else {
        (void)printf("ok: %lld tables can be replayed\n", tables);
    }
    if (compared)
        return;
    if (k->old[0] != '\0')
        (void)printf("%s does not tell what it makes of them", k->old);
    else
        (void)printf("There is no older program in PATH, nor --old PROGRAM");
    (void)puts(": only what stands in\nthe logs was compared, not states and "
               "points.");
}

static int report(const struct ctl *c, struct check *k)
{
    if (c->json) {
        (void)json_object_set(k->end, "found", k->found);
        print_json(k->end);
    } else {
        show_found(k);
    }
    return json_array_size(k->found) == 0 ? STATUS_DONE : STATUS_FAILED;
}

int rules_command(struct ctl *c)
{
    struct check k = {
        .path = given(c, "path") != NULL ? given(c, "path") : c->data,
        .found = json_array(),
        .shows_progress = !c->json && isatty(STDERR_FILENO),
    };
    int status = STATUS_FAILED;

    find_old(c, &k);
    (void)fflush(NULL);
    if (start(&k)) {
        read_all(&k);
        int ended = status_of(k.new_pid);
        int old = k.old_pid > 0 ? status_of(k.old_pid) : 0;
        /* What does not know --print-replays is of before there was one. */
        if (old != 0 && old != STATUS_USAGE)
            (void)complain("%s failed", k.old);
        else if (ended == 0 && k.end != NULL)
            status = report(c, &k);
        else if (ended != STATUS_FAILED) /* else it has said why */
            (void)complain("the server's program failed");
    }
    json_decref(k.found);
    json_decref(k.end);
    return status;
}
