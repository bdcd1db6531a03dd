/* store_sql.h -- a connection to SQLite with its prepared statements.
 *
 * A connection belongs to one thread.  Its statements are prepared when they
 * are first used, and are always left reset: a statement in the middle would
 * hold a snapshot, and with it the WAL. */

#ifndef SERVER_IO_STORE_SQL_H
#define SERVER_IO_STORE_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SQL_STATEMENTS_MAX 96

struct sql {
    sqlite3 *db;              /* NULL: closed */
    const char *const *texts; /* COUNT of them */
    size_t count;
    sqlite3_stmt *stmts[SQL_STATEMENTS_MAX];
};

struct sql_arg {
    enum { SQL_INT, SQL_TEXT, SQL_BLOB } kind;
    int64_t number; /* or the length; of a text also -1: up to its NUL */
    const void *bytes;
};

/* Arguments of a statement; NULL for a pointer is NULL. */
#define INT_(x)         ((struct sql_arg){SQL_INT, (int64_t)(x), NULL})
#define TEXT_(x)        ((struct sql_arg){SQL_TEXT, -1, (x)})
#define BLOB_(x, n)     ((struct sql_arg){SQL_BLOB, (int64_t)(n), (x)})
#define TEXT_LEN_(x, n) ((struct sql_arg){SQL_TEXT, (int64_t)(n), (x)})
#define ARGS(...) \
    ((const struct sql_arg[]){__VA_ARGS__}), \
        (sizeof((const struct sql_arg[]){__VA_ARGS__}) / \
         sizeof(struct sql_arg))
#define NO_ARGS NULL, 0

/* Opens PATH with FLAGS as sqlite3_open_v2(); SQL must not be open.  Returns
 * an extended result code, as all of these. */
int sql_open(struct sql *sql, const char *path, int flags,
             const char *const *texts, size_t count);
void sql_close(struct sql *sql);

/* Statement WHICH with its arguments, ready to be stepped; or NULL, and
 * sqlite3_extended_errcode() says why.  Texts and blobs must stay until it is
 * reset. */
sqlite3_stmt *sql_begin(struct sql *sql, size_t which,
                        const struct sql_arg *args, size_t count);
/* Runs it to its end. */
int sql_run(struct sql *sql, size_t which, const struct sql_arg *args,
            size_t count);
/* Runs it for its first row's first column, a number; OTHER if there is
 * none. */
int sql_number(struct sql *sql, size_t which, const struct sql_arg *args,
               size_t count, int64_t other, int64_t *ret_number);

#endif
