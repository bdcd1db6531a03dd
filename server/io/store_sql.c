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
    for (size_t i = 0; i < sql->count; i++) {
        sqlite3_finalize(sql->stmts[i]);
        sql->stmts[i] = NULL;
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
    case SQL_BLOB:
        return sqlite3_bind_blob64(stmt, at, arg->bytes,
                                   (sqlite3_uint64)arg->number, SQLITE_STATIC);
    }
    return SQLITE_MISUSE;
}

sqlite3_stmt *sql_begin(struct sql *sql, size_t which,
                        const struct sql_arg *args, size_t count)
{
    ASSERT(which < sql->count);

    sqlite3_stmt *stmt = sql->stmts[which];
    if (stmt == NULL) {
        if (sqlite3_prepare_v3(sql->db, sql->texts[which], -1,
                               SQLITE_PREPARE_PERSISTENT, &stmt,
                               NULL) != SQLITE_OK)
            return NULL;
        sql->stmts[which] = stmt;
    }
    for (size_t i = 0; i < count; i++)
        if (bind(stmt, (int)i + 1, &args[i]) != SQLITE_OK)
            return NULL;
    return stmt;
}

int sql_run(struct sql *sql, size_t which, const struct sql_arg *args,
            size_t count)
{
    sqlite3_stmt *stmt = sql_begin(sql, which, args, count);

    if (stmt == NULL)
        return sqlite3_extended_errcode(sql->db);
    int rc = SQLITE_ROW;
    while (rc == SQLITE_ROW)
        rc = sqlite3_step(stmt);
    sqlite3_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int sql_number(struct sql *sql, size_t which, const struct sql_arg *args,
               size_t count, int64_t other, int64_t *ret_number)
{
    sqlite3_stmt *stmt = sql_begin(sql, which, args, count);

    if (stmt == NULL)
        return sqlite3_extended_errcode(sql->db);
    int rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        *ret_number = sqlite3_column_int64(stmt, 0);
    else if (rc == SQLITE_DONE)
        *ret_number = other;
    sqlite3_reset(stmt);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}
