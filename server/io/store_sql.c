#include "store_sql.h"

#include "core/base.h"

int sql_open(struct sql *sql, const char *path, int flags,
             const char *const *texts, size_t count)
{
    ASSERT(sql->db == NULL);
    ASSERT(count <= SQL_STATEMENTS_MAX);

    *sql = (struct sql){.texts = texts, .count = count};
    int rc = sqlite3_open_v2(path, &sql->db, flags | SQLITE_OPEN_NOMUTEX,
                             NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_extended_result_codes(sql->db, 1);
    if (rc == SQLITE_OK)
        rc = sqlite3_busy_timeout(sql->db, 2000);
    if (rc != SQLITE_OK)
        sql_close(sql);
    return rc;
}

void sql_close(struct sql *sql)
{
    if (sql->pq != NULL) {
        pq_close(sql);
        return;
    }
    for (size_t i = 0; i < sql->count; i++) {
        sqlite3_finalize(sql->stmts[i].lite);
        sql->stmts[i].lite = NULL;
    }
    sqlite3_close(sql->db);
    sql->db = NULL;
}

static int bind(sqlite3_stmt *stmt, int at, const struct sql_arg *arg)
{
    switch (arg->kind) {
    case SQL_INT: return sqlite3_bind_int64(stmt, at, arg->number);
    case SQL_TEXT:
        return sqlite3_bind_text(stmt, at, arg->bytes, (int)arg->number,
                                 SQLITE_STATIC);
    case SQL_LIST: break;
    case SQL_BLOB:
        return sqlite3_bind_blob64(stmt, at, arg->bytes,
                                   (sqlite3_uint64)arg->number, SQLITE_STATIC);
    }
    return SQLITE_MISUSE;
}

struct sql_stmt *sql_begin(struct sql *sql, size_t which,
                           const struct sql_arg *args, size_t count)
{
    if (sql->pq != NULL)
        return pq_begin(sql, which, args, count);
    ASSERT(which < sql->count);
    struct sql_stmt *stmt = &sql->stmts[which];
    if (stmt->lite == NULL &&
        sqlite3_prepare_v3(sql->db, sql->texts[which], -1,
                           SQLITE_PREPARE_PERSISTENT, &stmt->lite,
                           NULL) != SQLITE_OK)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (bind(stmt->lite, (int)i + 1, &args[i]) != SQLITE_OK)
            return NULL;
    return stmt;
}

int sql_run(struct sql *sql, size_t which, const struct sql_arg *args,
            size_t count)
{
    struct sql_stmt *stmt = sql_begin(sql, which, args, count);

    if (stmt == NULL)
        return sql_errcode(sql);
    int rc = SQLITE_ROW;
    while (rc == SQLITE_ROW)
        rc = sql_step(stmt);
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int sql_number(struct sql *sql, size_t which, const struct sql_arg *args,
               size_t count, int64_t other, int64_t *ret_number)
{
    struct sql_stmt *stmt = sql_begin(sql, which, args, count);

    if (stmt == NULL)
        return sql_errcode(sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW)
        *ret_number = sql_int64(stmt, 0);
    else if (rc == SQLITE_DONE)
        *ret_number = other;
    sql_reset(stmt);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int sql_queue(struct sql *sql, size_t which, const struct sql_arg *args,
              size_t count)
{
    return sql->pq != NULL ? pq_queue(sql, which, args, count)
                           : sql_run(sql, which, args, count);
}

int sql_post(struct sql *sql, size_t which, const struct sql_arg *args,
             size_t count)
{
    return sql->pq != NULL ? pq_post(sql, which, args, count)
                           : sql_run(sql, which, args, count);
}

/* ---- what came of it ----------------------------------------------------- */

const char *sql_why(struct sql *sql, int rc)
{
    return sql->pq != NULL ? pq_errmsg(sql) : sqlite3_errstr(rc);
}

int sql_errcode(struct sql *sql)
{
    return sql->pq != NULL ? pq_errcode(sql)
                           : sqlite3_extended_errcode(sql->db);
}

const char *sql_errmsg(struct sql *sql)
{
    return sql->pq != NULL ? pq_errmsg(sql) : sqlite3_errmsg(sql->db);
}

int64_t sql_changes(struct sql *sql)
{
    return sql->pq != NULL ? pq_changes(sql) : sqlite3_changes64(sql->db);
}

int64_t sql_last_row(struct sql *sql)
{
    return sql->pq != NULL ? pq_last_row(sql)
                           : sqlite3_last_insert_rowid(sql->db);
}

bool sql_in_transaction(struct sql *sql)
{
    return sql->pq != NULL ? pq_in_transaction(sql)
                           : sqlite3_get_autocommit(sql->db) == 0;
}
