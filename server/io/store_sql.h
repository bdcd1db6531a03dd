/* store_sql.h -- a connection to a database with its prepared statements.
 *
 * A connection belongs to one thread.  Its statements are prepared when they
 * are first used, and are always left reset: a statement in the middle would
 * hold a snapshot, and with it the WAL.
 *
 * It is SQLite or, opened by pq_open(), PostgreSQL: what ops write and questions
 * read goes through this and does not know which.  Result codes are SQLite's
 * extended ones. */

#ifndef SERVER_IO_STORE_SQL_H
#define SERVER_IO_STORE_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store_pq.h"

#define SQL_STATEMENTS_MAX 192

/* A statement of a connection, which has it. */
struct sql_stmt {
    sqlite3_stmt *lite; /* NULL: not prepared yet */
    /* Of PostgreSQL. */
    struct pq *pq;          /* NULL: it is SQLite's */
    struct pg_result *rows; /* NULL: it does not run */
    int row;
    bool prepared;
};

struct sql {
    sqlite3 *db;              /* NULL: closed, or not SQLite */
    struct pq *pq;            /* NULL: closed, or not PostgreSQL */
    const char *const *texts; /* COUNT of them */
    size_t count;
    struct sql_stmt stmts[SQL_STATEMENTS_MAX];
};

struct sql_arg {
    enum { SQL_INT, SQL_TEXT, SQL_BLOB, SQL_LIST } kind;
    int64_t number; /* or the length; of a text also -1: up to its NUL */
    const void *bytes;
    unsigned type; /* of a list, which only PostgreSQL takes: its OID */
};

/* Arguments of a statement; NULL for a pointer is NULL. */
#define INT_(x)         ((struct sql_arg){SQL_INT, (int64_t)(x), NULL, 0})
#define TEXT_(x)        ((struct sql_arg){SQL_TEXT, -1, (x), 0})
#define BLOB_(x, n)     ((struct sql_arg){SQL_BLOB, (int64_t)(n), (x), 0})
#define TEXT_LEN_(x, n) ((struct sql_arg){SQL_TEXT, (int64_t)(n), (x), 0})
#define ARGS(...) \
    ((const struct sql_arg[]){__VA_ARGS__}), \
        (sizeof((const struct sql_arg[]){__VA_ARGS__}) / \
         sizeof(struct sql_arg))
#define NO_ARGS NULL, 0

/* Opens the file PATH with FLAGS as sqlite3_open_v2(); SQL must not be open.
 * Returns a result code, as all of these. */
int sql_open(struct sql *sql, const char *path, int flags,
             const char *const *texts, size_t count);
void sql_close(struct sql *sql);

/* Statement WHICH with its arguments, ready to be stepped; or NULL, and
 * sql_errcode() says why.  Texts and blobs must stay until it is reset. */
struct sql_stmt *sql_begin(struct sql *sql, size_t which,
                           const struct sql_arg *args, size_t count);
/* Runs it to its end. */
int sql_run(struct sql *sql, size_t which, const struct sql_arg *args,
            size_t count);
/* Runs it for its first row's first column, a number; OTHER if there is
 * none. */
int sql_number(struct sql *sql, size_t which, const struct sql_arg *args,
               size_t count, int64_t other, int64_t *ret_number);

/* The same for whom nobody waits: PostgreSQL gets it with the next statement
 * that is waited for, which then ends as this one if this one fails. */
int sql_queue(struct sql *sql, size_t which, const struct sql_arg *args,
              size_t count);
/* The same, sent now: a transaction's end, or one of its own. */
int sql_post(struct sql *sql, size_t which, const struct sql_arg *args,
             size_t count);

/* What RC means of a call of SQL's, for people. */
const char *sql_why(struct sql *sql, int rc);
/* What the last call ended with, and in words. */
int sql_errcode(struct sql *sql);
const char *sql_errmsg(struct sql *sql);
/* How many rows the last statement that changes any changed; the number that
 * the last row got that was put in. */
int64_t sql_changes(struct sql *sql);
int64_t sql_last_row(struct sql *sql);
/* Whether a transaction is under way. */
bool sql_in_transaction(struct sql *sql);

/* ---- rows ------------------------------------------------------------- */

/* The next row: SQLITE_ROW, SQLITE_DONE behind the last one, or what else came
 * of it. */
static inline int sql_step(struct sql_stmt *stmt)
{
    return stmt->pq == NULL ? sqlite3_step(stmt->lite) : pq_step(stmt);
}

/* NULL is fine. */
static inline void sql_reset(struct sql_stmt *stmt)
{
    if (stmt != NULL && stmt->pq == NULL)
        sqlite3_reset(stmt->lite);
    else if (stmt != NULL)
        pq_reset(stmt);
}

/* Column AT of the row that STMT stands at.  NULL is 0, NULL and of no bytes;
 * texts and blobs stay until the next step, and sql_bytes() comes after the one
 * of them that it is about. */
static inline bool sql_is_null(struct sql_stmt *stmt, int at)
{
    return stmt->pq == NULL
               ? sqlite3_column_type(stmt->lite, at) == SQLITE_NULL
               : pq_is_null(stmt, at);
}

static inline int64_t sql_int64(struct sql_stmt *stmt, int at)
{
    return stmt->pq == NULL ? sqlite3_column_int64(stmt->lite, at)
                            : pq_int64(stmt, at);
}

static inline int sql_int(struct sql_stmt *stmt, int at)
{
    return stmt->pq == NULL ? sqlite3_column_int(stmt->lite, at)
                            : (int)pq_int64(stmt, at);
}

static inline const char *sql_text(struct sql_stmt *stmt, int at)
{
    return stmt->pq == NULL ? (const char *)sqlite3_column_text(stmt->lite, at)
                            : pq_text(stmt, at);
}

static inline const void *sql_blob(struct sql_stmt *stmt, int at)
{
    return stmt->pq == NULL ? sqlite3_column_blob(stmt->lite, at)
                            : pq_text(stmt, at);
}

static inline size_t sql_bytes(struct sql_stmt *stmt, int at)
{
    return stmt->pq == NULL ? (size_t)sqlite3_column_bytes(stmt->lite, at)
                            : pq_bytes(stmt, at);
}

#endif
