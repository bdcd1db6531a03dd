/* store_verify.c -- a store or a backup's copy judged without a server, and
 * without a byte written: the file, then each table's log, every draw and every
 * hash of it, by the verifier of records. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base.h"
#include "regular.h"
#include "store_inner.h"
#include "store_replay.h"

/* ---- opening ---------------------------------------------------------- */

static bool is_there(const char *path, const char *behind)
{
    char *name = NULL;
    struct stat is;
    int n = asprintf(&name, "%s%s", path, behind);

    ASSERT(n > 0);
    bool there = stat(name, &is) == 0;
    free(name);
    return there;
}

/* PATH as SQLite wants a file to be named that nobody changes. */
static char *unchanging(const char *path)
{
    char *uri = malloc(3 * strlen(path) + 32), *to = uri;

    ASSERT(uri != NULL);
    to += sprintf(to, "file:");
    for (; *path != '\0'; path++)
        if (strchr("%?#", *path) != NULL)
            to += sprintf(to, "%%%02X", (unsigned)*path);
        else
            *to++ = *path;
    strcpy(to, "?immutable=1");
    return uri;
}

/* A file by itself is read as it lies there.  With a WAL beside it SQLite has
 * to be let in properly: somebody may have it open. */
int store_open_to_read(struct sql *sql, const char *path,
                       const char *const *statements, size_t count)
{
    if (is_there(path, "-wal") || is_there(path, "-journal"))
        return sql_open(sql, path, SQLITE_OPEN_READONLY, statements, count);
    char *uri = unchanging(path);
    int rc = sql_open(sql, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                      statements, count);
    free(uri);
    return rc;
}

/* ---- a table ---------------------------------------------------------- */

/* Whether this program knows the rules that the header names. */
static bool knows(const char *header)
{
    char why[JSON_EXPECTED_MAX];
    json_t *h = json_parse(header, strlen(header), why);
    const char *game = json_string_value(json_object_get(h, "game"));
    const struct rules *rules = game != NULL ? rules_find(game) : NULL;
    bool known = h == NULL || game == NULL ||
                 (rules != NULL &&
                  json_integer_value(json_object_get(h, "revision")) <=
                      rules->revision);

    json_decref(h);
    return known;
}

static void verify_table(struct replay *r, const struct walked_table *t,
                         void *context, store_wrong_cb wrong,
                         struct store_verdict *verdict)
{
    char why[sizeof(r->fault.why) + 64];

    verdict->tables++;
    if (!knows(t->header)) {
        verdict->newer++;
        return;
    }
    replay_begin(r, t);
    while (replay_next(r))
        continue;
    if (!r->failed)
        return;
    record_fault_text(&r->fault, why, sizeof(why));
    verdict->wrong++;
    wrong(context, t->id, t->whole ? why : r->fault.why);
}

/* ---- all of it -------------------------------------------------------- */

static int verify_file(const char *path, char *error, size_t size)
{
    struct sql sql = {0};

    error[0] = '\0';
    int rc = store_open_to_read(&sql, path, NULL, 0);
    if (rc == SQLITE_OK)
        rc = store_file_check(sql.db, NULL, error, size);
    if (rc != SQLITE_OK && error[0] == '\0')
        snprintf(error, size, "%s: %s", path, sqlite3_errstr(rc));
    sql_close(&sql);
    return rc == SQLITE_OK         ? 0
           : rc == SQLITE_MISMATCH ? -EPROTO
           : store_is_damage(rc)   ? -EUCLEAN
                                   : -EIO;
}

int store_verify(const char *path, void *context, store_wrong_cb wrong,
                 struct store_verdict *verdict, char *error, size_t size)
{
    struct store_walk *walk;
    struct walked_table table;
    struct replay replay;
    int more;

    *verdict = (struct store_verdict){0};
    int err = regular_check(path, error, size);
    if (err == 0)
        err = verify_file(path, error, size);
    if (err == 0)
        err = store_walk_open(path, &walk, error, size);
    if (err != 0)
        return err;
    store_walk_mistrust(walk);
    replay_init(&replay);
    while ((more = store_walk_next(walk, &table, error, size)) > 0)
        verify_table(&replay, &table, context, wrong, verdict);
    replay_done(&replay);
    store_walk_close(walk);
    return more;
}
