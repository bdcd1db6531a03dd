/* store_pq.h -- PostgreSQL behind store_sql.h.
 *
 * The connection is in libpq's pipeline mode: what nobody waits for is sent
 * along with the next statement that somebody does wait for, so BEGIN, savepoints
 * and what a batch writes at its end cost no round trip of their own.
 *
 * Statements are written for SQLite.  What PostgreSQL spells differently
 * everywhere is put right by pq_translate(), a statement that is another one
 * there has a text of its own (store_pq_texts.c). */

#ifndef SERVER_IO_STORE_PQ_H
#define SERVER_IO_STORE_PQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sql;
struct sql_arg;
struct sql_stmt;

/* A statement that is another one on PostgreSQL; NULL: it is the same. */
struct pq_text {
    const char *sql;
};

/* Connects to URL, or whatever else libpq takes, to run TEXTS or, where there is
 * one, what OTHERS has in their place.  A result code; why is in WHY. */
int pq_open(struct sql *sql, const char *url, const char *const *texts,
            const struct pq_text *others, size_t count, char *why,
            size_t size);
void pq_close(struct sql *sql);
/* A connection of one's own to URL, by the same settings: PQfinish() it. */
struct pg_conn *pq_connect(const char *url);
/* Runs TEXT, which may be several statements, and waits; between statements of
 * the others and without arguments.  *RET_NUMBER, if not NULL, is the first
 * column of the first row, a number, or stays. */
int pq_exec(struct sql *sql, const char *text, int64_t *ret_number);
/* Whether the connection is known to be gone. */
bool pq_lost(const struct sql *sql);

/* As those of store_sql.h. */
struct sql_stmt *pq_begin(struct sql *sql, size_t which,
                          const struct sql_arg *args, size_t count);
int pq_queue(struct sql *sql, size_t which, const struct sql_arg *args,
             size_t count);
int pq_post(struct sql *sql, size_t which, const struct sql_arg *args,
            size_t count);
int pq_errcode(const struct sql *sql);
const char *pq_errmsg(const struct sql *sql);
int64_t pq_changes(const struct sql *sql);
int64_t pq_last_row(const struct sql *sql);
bool pq_in_transaction(const struct sql *sql);
int pq_step(struct sql_stmt *stmt);
void pq_reset(struct sql_stmt *stmt);
bool pq_is_null(const struct sql_stmt *stmt, int at);
int64_t pq_int64(const struct sql_stmt *stmt, int at);
const char *pq_text(const struct sql_stmt *stmt, int at);
size_t pq_bytes(const struct sql_stmt *stmt, int at);

/* LITE, a statement as SQLite takes it, as PostgreSQL does; the caller's to
 * free. */
char *pq_translate(const char *lite);

#endif
