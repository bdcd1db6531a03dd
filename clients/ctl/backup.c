/* backup.c -- sobremesactl backup: a copy by the server, which looks at all of it
 * before it gets its name; with --rotate, then the old ones go.
 *
 * What goes was made by --rotate (its name says so), is a file, and goes only
 * after a new one is there, whole.  Nothing else in the directory is touched. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "ctl.h"
#include "rotate.h"

struct backups {
    int64_t *times;
    size_t count, cap;
};

static void add(struct backups *b, int64_t time)
{
    if (b->count == b->cap) {
        b->cap = b->cap > 0 ? 2 * b->cap : 64;
        b->times = reallocarray(b->times, b->cap, sizeof(*b->times));
        ASSERT(b->times != NULL);
    }
    b->times[b->count++] = time;
}

/* Those in the directory. */
static void find(DIR *dir, struct backups *b)
{
    const struct dirent *entry;
    struct stat is;
    int64_t time;

    while ((entry = readdir(dir)) != NULL)
        if (rotate_name_read(entry->d_name, &time) &&
            fstatat(dirfd(dir), entry->d_name, &is, AT_SYMLINK_NOFOLLOW) ==
                0 &&
            S_ISREG(is.st_mode))
            add(b, time);
}

/* Removes those whose time is over; their names are in GONE. */
static int remove_old(const char *path, DIR *dir, const struct backups *b,
                      json_t *gone)
{
    bool *keep = calloc(b->count + 1, sizeof(*keep));
    char name[ROTATE_NAME_SIZE];
    int status = STATUS_DONE;

    ASSERT(keep != NULL);
    rotate_keep(b->times, b->count, keep);
    for (size_t i = 0; i < b->count; i++) {
        if (keep[i])
            continue;
        rotate_name(b->times[i], name);
        if (unlinkat(dirfd(dir), name, 0) == 0)
            (void)json_array_append_new(gone, json_string(name));
        else
            status = complain("%s/%s cannot be removed: %s", path, name,
                              strerror(errno));
    }
    free(keep);
    return status;
}

/* The server's copy PATH, as its result or NULL after a complaint. */
static json_t *copy(struct ctl *c, const char *path)
{
    json_t *error;

    out_string(call_begin(c, "admin.backup"), "path", path);
    json_t *result = call_end(c, &error);
    if (result == NULL) {
        (void)complain_error(error);
        return NULL;
    }
    /* The server writes it, and what it calls /tmp, say, may be its own. */
    if (access(path, F_OK) == 0)
        return result;
    json_decref(result);
    (void)complain("%s: the server made it where only the server sees it "
                   "(under systemd its /tmp is its own, and ends with it); "
                   "name a place that both see",
                   path);
    return NULL;
}

static void tell(struct ctl *c, const char *path, const json_t *result)
{
    const json_t *gone = json_object_get(result, "removed");

    if (c->json) {
        print_json(result);
        return;
    }
    (void)printf("%s: %" PRId64 " bytes.\n", path,
                 member_int(result, "bytes"));
    for (size_t i = 0; i < json_array_size(gone); i++)
        (void)printf("%s is no longer needed and was removed.\n",
                     json_string_value(json_array_get(gone, i)));
}

static int rotate(struct ctl *c, const char *path)
{
    char name[ROTATE_NAME_SIZE], *file = NULL;
    struct backups b = {0};
    int status = STATUS_FAILED;
    DIR *dir = opendir(path);

    if (dir == NULL)
        return complain("%s: %s", path, strerror(errno));
    rotate_name((int64_t)time(NULL), name);
    int n = asprintf(&file, "%s/%s", path, name);
    ASSERT(n > 0);
    json_t *result = copy(c, file);
    if (result != NULL) {
        json_t *gone = json_array();
        find(dir, &b);
        status = remove_old(path, dir, &b, gone);
        (void)json_object_set_new(result, "path", json_string(file));
        (void)json_object_set_new(result, "removed", gone);
        tell(c, file, result);
    }
    json_decref(result);
    free(b.times);
    free(file);
    (void)closedir(dir);
    return status;
}

int backup_command(struct ctl *c)
{
    const char *path = given(c, "path");

    if (!dial(c))
        return STATUS_FAILED;
    if (chosen(c, "rotate"))
        return rotate(c, path);
    json_t *result = copy(c, path);
    if (result == NULL)
        return STATUS_FAILED;
    tell(c, path, result);
    json_decref(result);
    return STATUS_DONE;
}
