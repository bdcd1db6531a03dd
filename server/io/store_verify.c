/* store_verify.c -- a store or a backup's copy judged without a server, and
 * without a byte written: the file, then each table's log, every draw and every
 * hash of it, by the verifier of records. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base.h"
#include "protocol/record.h"
#include "store_inner.h"

enum { V_TABLES, V_ENDS, V_PLY, VERIFY_STATEMENTS };

static const char *const texts[VERIFY_STATEMENTS] = {
    [V_TABLES] = ("SELECT t.number, t.id, s.header FROM tables t "
                  "JOIN setups s ON s.number = t.number ORDER BY t.number"),
    /* `tables.head` may be behind. */
    [V_ENDS] = "SELECT number, max(id) FROM log GROUP BY number",
    [V_PLY] = "SELECT before, line, hex(chain) FROM log WHERE id = ?",
};

struct verifying {
    struct sql sql;
    void *context;
    store_wrong_cb wrong;
    struct store_verdict *verdict;
    struct map ends; /* number -> struct end */
};

/* The last row of a table's log. */
struct end {
    int64_t row;
};

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

/* Rows of the log from the last one back, as lines of a record. */
static int read_lines(struct verifying *v, int64_t row, char ***ret_lines,
                      size_t *ret_count)
{
    void *lines = NULL;
    size_t count = 0, cap = 0;
    int rc = SQLITE_OK;

    while (row > 0 && rc == SQLITE_OK) {
        sqlite3_stmt *stmt = sql_begin(&v->sql, V_PLY, ARGS(INT_(row)));
        if (stmt == NULL) {
            rc = sqlite3_extended_errcode(v->sql.db);
            break;
        }
        rc = sqlite3_step(stmt);
        row = 0;
        if (rc == SQLITE_ROW) {
            char *chain = strdup((const char *)sqlite3_column_text(stmt, 2));
            char **line = reader_next(&lines, &count, &cap, sizeof(*line));
            ASSERT(chain != NULL);
            for (char *c = chain; *c != '\0'; c++)
                *c = (char)(*c >= 'A' && *c <= 'F' ? *c | 0x20 : *c);
            int len = sqlite3_column_bytes(stmt, 1);
            int n = asprintf(line, "%.*s,\"chain\":\"%s\"}",
                             len > 0 ? len - 1 : 0,
                             (const char *)sqlite3_column_text(stmt, 1),
                             chain);
            ASSERT(n > 0);
            free(chain);
            row = sqlite3_column_int64(stmt, 0);
        }
        sqlite3_reset(stmt);
        rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
    }
    *ret_lines = lines;
    *ret_count = count;
    return rc;
}

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

static bool check_line(struct record *r, const char *line, char *why,
                       size_t size)
{
    struct record_fault fault;

    if (record_line(r, line, strlen(line), &fault))
        return true;
    record_fault_text(&fault, why, size);
    return false;
}

/* The header names no players: no hash vouches for them. */
static bool check_lines(const char *header, char *const *lines, size_t count,
                        char *why, size_t size)
{
    struct record *r = record_new();
    size_t len = strlen(header);
    char *first = NULL;

    int n = asprintf(&first, "%.*s,\"players\":[]}",
                     (int)(len > 0 ? len - 1 : 0), header);
    ASSERT(n > 0);
    bool good = check_line(r, first, why, size);
    while (count > 0 && good)
        good = check_line(r, lines[--count], why, size);
    free(first);
    record_free(r);
    return good;
}

static int verify_table(struct verifying *v, sqlite3_stmt *stmt)
{
    const char *header = (const char *)sqlite3_column_text(stmt, 2);
    int64_t number = sqlite3_column_int64(stmt, 0);
    const struct end *end = number > 0 ? map_get(&v->ends, (uint64_t)number)
                                       : NULL;
    char why[512] = "it has no log", **lines = NULL;
    size_t count = 0;

    v->verdict->tables++;
    if (header != NULL && !knows(header)) {
        v->verdict->newer++;
        return SQLITE_OK;
    }
    int rc = end != NULL ? read_lines(v, end->row, &lines, &count) : SQLITE_OK;
    if (rc == SQLITE_OK &&
        (count == 0 || header == NULL ||
         !check_lines(header, lines, count, why, sizeof(why)))) {
        v->verdict->wrong++;
        v->wrong(v->context, column_id(stmt, 1), why);
    }
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
    return rc;
}

/* ---- all of it -------------------------------------------------------- */

static int find_ends(struct verifying *v)
{
    sqlite3_stmt *stmt = sql_begin(&v->sql, V_ENDS, NO_ARGS);
    int rc;

    if (stmt == NULL)
        return sqlite3_extended_errcode(v->sql.db);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        struct end *end = malloc(sizeof(*end));
        int64_t number = sqlite3_column_int64(stmt, 0);
        ASSERT(end != NULL);
        end->row = sqlite3_column_int64(stmt, 1);
        if (number > 0)
            map_put(&v->ends, (uint64_t)number, end);
        else
            free(end);
    }
    sqlite3_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int verify_tables(struct verifying *v)
{
    int rc = find_ends(v);
    sqlite3_stmt *stmt = sql_begin(&v->sql, V_TABLES, NO_ARGS);

    if (rc == SQLITE_OK && stmt == NULL)
        rc = sqlite3_extended_errcode(v->sql.db);
    while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
        rc = verify_table(v, stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int store_verify(const char *path, void *context, store_wrong_cb wrong,
                 struct store_verdict *verdict, char *error, size_t size)
{
    struct verifying v = {
        .context = context,
        .wrong = wrong,
        .verdict = verdict,
    };
    struct stat is;
    void *end;

    *verdict = (struct store_verdict){0};
    error[0] = '\0';
    if (stat(path, &is) != 0) {
        int err = errno;
        snprintf(error, size, "cannot read %s: %s", path, strerror(err));
        return -err;
    }
    int rc = store_open_to_read(&v.sql, path, texts, VERIFY_STATEMENTS);
    if (rc == SQLITE_OK)
        rc = store_file_check(v.sql.db, NULL, error, size);
    if (rc == SQLITE_OK)
        rc = verify_tables(&v);
    if (rc != SQLITE_OK && error[0] == '\0')
        snprintf(error, size, "%s: %s", path, sqlite3_errstr(rc));
    sql_close(&v.sql);
    for (size_t at = 0; (end = map_next(&v.ends, &at)) != NULL;)
        free(end);
    map_done(&v.ends);
    return rc == SQLITE_OK         ? 0
           : rc == SQLITE_MISMATCH ? -EPROTO
           : store_is_damage(rc)   ? -EUCLEAN
                                   : -EIO;
}
