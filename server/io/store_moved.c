/* store_moved.c -- whether the files that are open still have their names.
 *
 * Somebody may move, replace or remove the store's file, its WAL or the index of
 * that while they are open.  Everything goes on then, in files that nobody will
 * find: at the next start what was stored since is gone.  So the names are looked
 * at every few seconds, and before a backup and a check, which open the file by
 * its name.  Once they are others' nothing is written any more, and what is
 * open is copied to a file of its own, which can be restored. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base.h"
#include "store_inner.h"

static const char *const suffixes[STORE_FILES] = {"", "-wal", "-shm"};

/* What has the name of file I now; 0, or an errno. */
static int look(const struct store *s, size_t i, struct stat *st)
{
    char path[4200];

    snprintf(path, sizeof(path), "%s%s", s->path, suffixes[i]);
    return stat(path, st) == 0 ? 0 : errno;
}

void store_files_note(struct store *s)
{
    struct stat st;

    for (size_t i = 0; i < STORE_FILES; i++)
        if (look(s, i, &st) == 0)
            s->files[i] = (struct store_file){true, st.st_dev, st.st_ino};
}

/* A name that cannot be looked at proves nothing. */
static bool is_other(const struct store *s, size_t i)
{
    const struct store_file *f = &s->files[i];
    struct stat st;

    if (!f->known)
        return false;
    int error = look(s, i, &st);
    if (error != 0)
        return error == ENOENT || error == ENOTDIR;
    return st.st_dev != f->device || st.st_ino != f->inode;
}

bool store_files_moved(struct store *s)
{
    char what[160];

    for (size_t i = 0; i < STORE_FILES; i++) {
        if (!is_other(s, i))
            continue;
        snprintf(what, sizeof(what),
                 "sobremesa.db%s was moved, replaced or removed while the "
                 "server had it open",
                 suffixes[i]);
        store_lost(s, what);
        return true;
    }
    return false;
}

void store_watch_files(struct store *s)
{
    if (!s->engine->file)
        return;
    store_lock(s);
    s->look_at_files = true;
    pthread_cond_signal(&s->checkpointer_wakes);
    store_unlock(s);
}

void store_rescue(struct store *s)
{
    char path[4200], name[64], error[512] = "";
    time_t now = time(NULL);
    struct tm tm;

    gmtime_r(&now, &tm);
    strftime(name, sizeof(name), "rescued-%Y%m%dT%H%M%SZ.db", &tm);
    snprintf(path, sizeof(path), "%s/%s", s->dir, name);
    if (store_copy(s->checkpointer_sql.db, path, (int64_t)now * 1000, NULL,
                   error, sizeof(error)) != 0) {
        store_say(s, LOG_ERROR,
                  "what was stored until now could not be copied: %s; before "
                  "the server ends, put the files back where they were",
                  error);
        return;
    }
    store_lock(s);
    size_t len = strlen(s->health.damage);
    snprintf(s->health.damage + len, sizeof(s->health.damage) - len,
             "; all that was stored until then is in %s", name);
    store_unlock(s);
    store_say(s, LOG_ERROR,
              "all that was stored until now is in %s: stop the server, then "
              "sobremesactl restore %s",
              path, path);
}
