#include "store_pq.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "store_sql.h"

#define ARGS_MAX 16
#define SENT_MAX 64 /* before what came of it is read */

/* What the server has been sent and has not told the outcome of yet. */
struct sent {
    enum { SENT_PREPARE, SENT_RUN, SENT_SYNC } kind;
    struct sql_stmt *stmt;
    bool commit;
};

struct pq {
    PGconn *conn;
    const struct pq_text *others;
    struct sent sent[SENT_MAX];
    size_t sent_count;
    int rc; /* of the last that was waited for, and why */
    char why[256];
    int64_t changes, last_row;
};

/* ---- what went wrong --------------------------------------------------- */

/* The code of SQLite that asks for the same. */
static int code_of(const char *state)
{
    static const struct {
        const char *state; /* it begins with this */
        int rc;
    } codes[] = {
        {"23505", SQLITE_CONSTRAINT_UNIQUE},
        {"23", SQLITE_CONSTRAINT},
        {"22", SQLITE_MISMATCH}, /* what cannot be stored */
        {"54", SQLITE_TOOBIG},
        {"53100", SQLITE_FULL},
        {"53", SQLITE_NOMEM},
        {"40", SQLITE_BUSY}, /* a deadlock */
        {"25006", SQLITE_READONLY},
        {"08", SQLITE_IOERR},
        {"57P", SQLITE_IOERR}, /* it shuts down */
    };

    for (size_t i = 0; state != NULL && i < COUNT_OF(codes); i++)
        if (strncmp(state, codes[i].state, strlen(codes[i].state)) == 0)
            return codes[i].rc;
    return SQLITE_ERROR;
}

/* TEXT without the end of its line. */
static void keep_why(struct pq *pq, int rc, const char *text)
{
    pq->rc = rc;
    snprintf(pq->why, sizeof(pq->why), "%s", text);
    pq->why[strcspn(pq->why, "\n")] = '\0';
}

static int lost(struct pq *pq)
{
    if (pq->rc == SQLITE_OK || PQstatus(pq->conn) != CONNECTION_OK)
        keep_why(pq, SQLITE_IOERR, PQerrorMessage(pq->conn));
    return pq->rc;
}

/* ---- connections -------------------------------------------------------- */

static void unheard(void *context, const char *message)
{
    (void)context;
    (void)message;
}

/* Plans are made once for a connection: with other ones a statement that takes a
 * list would now and then read all of a large table.  A process that stands still
 * in the middle of a transaction holds up the others for some seconds only; one
 * whose host is gone without a word gives up its locks as soon as that shows,
 * which by the system's own settings takes two hours. */
static const char settings[] =
    "SET plan_cache_mode = force_generic_plan;"
    "SET enable_seqscan = off; SET enable_hashjoin = off;"
    "SET enable_mergejoin = off; SET jit = off;"
    "SET idle_in_transaction_session_timeout = '3s';"
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;"
    "SET tcp_keepalives_count = 3; SET tcp_user_timeout = '20s';"
    "SET client_encoding = 'UTF8'; SET standard_conforming_strings = on;"
    "SET client_min_messages = warning; SET bytea_output = 'hex'";

static int greet(struct sql *sql, char *why, size_t size)
{
    struct pq *pq = sql->pq;
    const char *encoding = PQparameterStatus(pq->conn, "server_encoding");

    if (PQserverVersion(pq->conn) < 150000) {
        snprintf(why, size, "the server is older than PostgreSQL 15");
        return SQLITE_MISMATCH;
    }
    if (encoding == NULL || strcmp(encoding, "UTF8") != 0) {
        snprintf(why, size, "the database's encoding is not UTF8");
        return SQLITE_MISMATCH;
    }
    int rc = pq_exec(sql, settings, NULL);
    if (rc != SQLITE_OK)
        snprintf(why, size, "%s", pq->why);
    return rc;
}

PGconn *pq_connect(const char *url)
{
    /* What the URL says of these counts, as it comes behind them.  A server that
     * is not there any more is given up after some 25 seconds. */
    static const char *const defaults[][2] = {
        {"fallback_application_name", "sobremesad"},
        {"connect_timeout", "5"},
        {"target_session_attrs", "read-write"},
        {"keepalives_idle", "10"},
        {"keepalives_interval", "5"},
        {"keepalives_count", "3"},
        {"tcp_user_timeout", "20000"},
    };
    const char *names[COUNT_OF(defaults) + 2] = {NULL};
    const char *values[COUNT_OF(defaults) + 2] = {NULL};

    for (size_t i = 0; i < COUNT_OF(defaults); i++) {
        names[i] = defaults[i][0];
        values[i] = defaults[i][1];
    }
    names[COUNT_OF(defaults)] = "dbname";
    values[COUNT_OF(defaults)] = url;
    PGconn *conn = PQconnectdbParams(names, values, 1);
    ASSERT(conn != NULL);
    PQsetNoticeProcessor(conn, unheard, NULL);
    return conn;
}

int pq_open(struct sql *sql, const char *url, const char *const *texts,
            const struct pq_text *others, size_t count, char *why, size_t size)
{
    ASSERT(sql->db == NULL && sql->pq == NULL);
    ASSERT(count <= SQL_STATEMENTS_MAX);
    struct pq *pq = calloc(1, sizeof(*pq));
    ASSERT(pq != NULL);
    *sql = (struct sql){.texts = texts, .count = count, .pq = pq};
    pq->others = others;
    for (size_t i = 0; i < count; i++)
        sql->stmts[i].pq = pq;
    pq->conn = pq_connect(url);
    int rc = SQLITE_IOERR;
    if (PQstatus(pq->conn) == CONNECTION_OK)
        rc = greet(sql, why, size);
    else
        snprintf(why, size, "%s", PQerrorMessage(pq->conn));
    why[strcspn(why, "\n")] = '\0';
    if (rc != SQLITE_OK)
        pq_close(sql);
    return rc;
}

void pq_close(struct sql *sql)
{
    struct pq *pq = sql->pq;

    if (pq == NULL)
        return;
    for (size_t i = 0; i < sql->count; i++)
        pq_reset(&sql->stmts[i]);
    PQfinish(pq->conn);
    free(pq);
    *sql = (struct sql){0};
}

bool pq_lost(const struct sql *sql)
{
    return sql->pq == NULL || PQstatus(sql->pq->conn) != CONNECTION_OK;
}

int pq_exec(struct sql *sql, const char *text, int64_t *ret_number)
{
    struct pq *pq = sql->pq;

    if (pq->sent_count > 0 || PQexitPipelineMode(pq->conn) != 1) {
        keep_why(pq, SQLITE_MISUSE, "a statement is under way");
        return pq->rc;
    }
    PGresult *result = PQexec(pq->conn, text);
    ExecStatusType status = PQresultStatus(result);
    pq->rc = SQLITE_OK;
    if (status == PGRES_TUPLES_OK && PQntuples(result) > 0 &&
        ret_number != NULL)
        *ret_number = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    else if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        keep_why(pq, code_of(PQresultErrorField(result, PG_DIAG_SQLSTATE)),
                 PQerrorMessage(pq->conn));
    if (PQstatus(pq->conn) != CONNECTION_OK)
        pq->rc = SQLITE_IOERR;
    PQclear(result);
    return pq->rc;
}

/* ---- sending ------------------------------------------------------------ */

/* As pg_type.h has them. */
#define OID_BYTEA 17
#define OID_INT8  20
#define OID_TEXT  25

static void put_int64(char to[8], int64_t number)
{
    for (int i = 0; i < 8; i++)
        to[i] = (char)((uint64_t)number >> (56 - 8 * i));
}

static Oid type_of(const struct sql_arg *arg)
{
    switch (arg->kind) {
    case SQL_INT: return OID_INT8;
    case SQL_TEXT: return OID_TEXT;
    case SQL_BLOB: return OID_BYTEA;
    case SQL_LIST: break;
    }
    return (Oid)arg->type;
}

static void note(struct pq *pq, struct sent sent)
{
    ASSERT(pq->sent_count < SENT_MAX);
    pq->sent[pq->sent_count++] = sent;
}

static bool prepare(struct sql *sql, size_t which, const char *name,
                    const struct sql_arg *args, size_t count)
{
    struct pq *pq = sql->pq;
    Oid types[ARGS_MAX];
    const char *other = pq->others[which].sql;
    char *made = other == NULL ? pq_translate(sql->texts[which]) : NULL;

    for (size_t i = 0; i < count; i++)
        types[i] = type_of(&args[i]);
    bool good = PQsendPrepare(pq->conn, name, other != NULL ? other : made,
                              (int)count, types) == 1;
    free(made);
    sql->stmts[which].prepared = good;
    if (good)
        note(pq, (struct sent){SENT_PREPARE, &sql->stmts[which], false});
    return good;
}

static bool send_run(struct sql *sql, size_t which, const char *name,
                     const struct sql_arg *args, size_t count)
{
    struct pq *pq = sql->pq;
    char numbers[ARGS_MAX][8];
    const char *values[ARGS_MAX];
    int lengths[ARGS_MAX], formats[ARGS_MAX];

    for (size_t i = 0; i < count; i++) {
        const struct sql_arg *arg = &args[i];
        values[i] = arg->bytes;
        lengths[i] = (int)arg->number;
        formats[i] = 1;
        if (arg->kind == SQL_INT) {
            put_int64(numbers[i], arg->number);
            values[i] = numbers[i];
            lengths[i] = 8;
        } else if (arg->bytes != NULL && arg->number < 0)
            lengths[i] = (int)strlen(arg->bytes);
    }
    if (PQsendQueryPrepared(pq->conn, name, (int)count, values, lengths,
                            formats, 1) != 1)
        return false;
    const char *text = sql->texts[which];
    bool commit = text != NULL && strcmp(text, "COMMIT") == 0;
    note(pq, (struct sent){SENT_RUN, &sql->stmts[which], commit});
    return true;
}

static bool send_statement(struct sql *sql, size_t which,
                           const struct sql_arg *args, size_t count)
{
    struct pq *pq = sql->pq;
    char name[24];

    ASSERT(which < sql->count && count <= ARGS_MAX);
    if (PQpipelineStatus(pq->conn) == PQ_PIPELINE_OFF &&
        PQenterPipelineMode(pq->conn) != 1)
        return false;
    snprintf(name, sizeof(name), "s%zu", which);
    return (sql->stmts[which].prepared ||
            prepare(sql, which, name, args, count)) &&
           send_run(sql, which, name, args, count);
}

/* ---- reading ------------------------------------------------------------ */

static void take_counts(struct pq *pq, PGresult *result)
{
    const char *changed = PQcmdTuples(result);

    if (changed[0] != '\0')
        pq->changes = strtoll(changed, NULL, 10);
}

/* The outcome of SENT; only the first trouble is told. */
static void judge(struct pq *pq, const struct sent *sent, PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;

    if (good && sent->commit && strcmp(PQcmdStatus(result), "COMMIT") != 0 &&
        pq->rc == SQLITE_OK)
        keep_why(pq, SQLITE_ABORT, "the transaction was taken back");
    if (good && sent->kind == SENT_RUN)
        take_counts(pq, result);
    if (good)
        return;
    if (sent->kind == SENT_PREPARE)
        sent->stmt->prepared = false;
    if (pq->rc == SQLITE_OK && status != PGRES_PIPELINE_ABORTED)
        keep_why(pq, code_of(PQresultErrorField(result, PG_DIAG_SQLSTATE)),
                 PQresultErrorMessage(result));
}

/* Reads the outcome of all that was sent; the rows of the last one that ran are
 * KEEP's, if that is not NULL. */
static int read_all(struct pq *pq, struct sql_stmt *keep)
{
    size_t last = 0;

    pq->rc = SQLITE_OK;
    for (size_t i = 0; i < pq->sent_count; i++)
        if (pq->sent[i].kind == SENT_RUN)
            last = i;
    for (size_t i = 0; i < pq->sent_count; i++) {
        PGresult *result = PQgetResult(pq->conn);
        if (result == NULL || PQstatus(pq->conn) != CONNECTION_OK) {
            PQclear(result);
            pq->sent_count = 0;
            keep_why(pq, SQLITE_IOERR, PQerrorMessage(pq->conn));
            return pq->rc;
        }
        if (pq->sent[i].kind != SENT_SYNC) {
            judge(pq, &pq->sent[i], result);
            PGresult *end = PQgetResult(pq->conn);
            ASSERT(end == NULL);
        }
        if (i == last && keep != NULL && pq->rc == SQLITE_OK) {
            keep->rows = result;
            keep->row = -1;
        } else
            PQclear(result);
    }
    pq->sent_count = 0;
    return pq->rc;
}

static bool sync(struct pq *pq)
{
    if (PQpipelineSync(pq->conn) != 1)
        return false;
    note(pq, (struct sent){SENT_SYNC, NULL, false});
    return true;
}

/* ---- statements --------------------------------------------------------- */

/* Room for two statements, each prepared, and what ends them. */
static int make_room(struct pq *pq)
{
    if (pq->sent_count + 6 <= SENT_MAX)
        return SQLITE_OK;
    return sync(pq) ? read_all(pq, NULL) : lost(pq);
}

struct sql_stmt *pq_begin(struct sql *sql, size_t which,
                          const struct sql_arg *args, size_t count)
{
    struct pq *pq = sql->pq;
    struct sql_stmt *stmt = &sql->stmts[which];

    pq_reset(stmt);
    pq->changes = 0;
    if (make_room(pq) != SQLITE_OK)
        return NULL;
    if (!send_statement(sql, which, args, count) || !sync(pq)) {
        (void)lost(pq);
        return NULL;
    }
    if (read_all(pq, stmt) != SQLITE_OK)
        return NULL;
    if (PQntuples(stmt->rows) > 0 && PQfsize(stmt->rows, 0) == 8) {
        stmt->row = 0;
        pq->last_row = pq_int64(stmt, 0);
        stmt->row = -1;
    }
    return stmt;
}

int pq_queue(struct sql *sql, size_t which, const struct sql_arg *args,
             size_t count)
{
    struct pq *pq = sql->pq;

    if (make_room(pq) != SQLITE_OK)
        return pq->rc;
    return send_statement(sql, which, args, count) ? SQLITE_OK : lost(pq);
}

int pq_post(struct sql *sql, size_t which, const struct sql_arg *args,
            size_t count)
{
    struct pq *pq = sql->pq;
    int rc = pq_queue(sql, which, args, count);

    if (rc == SQLITE_OK && (!sync(pq) || PQflush(pq->conn) < 0))
        rc = lost(pq);
    return rc;
}

int pq_errcode(const struct sql *sql)
{
    return sql->pq->rc;
}

const char *pq_errmsg(const struct sql *sql)
{
    return sql->pq->why;
}

int64_t pq_changes(const struct sql *sql)
{
    return sql->pq->changes;
}

int64_t pq_last_row(const struct sql *sql)
{
    return sql->pq->last_row;
}

bool pq_in_transaction(const struct sql *sql)
{
    return sql->pq->sent_count > 0 ||
           PQtransactionStatus(sql->pq->conn) != PQTRANS_IDLE;
}

/* ---- rows --------------------------------------------------------------- */

int pq_step(struct sql_stmt *stmt)
{
    return ++stmt->row < PQntuples(stmt->rows) ? SQLITE_ROW : SQLITE_DONE;
}

void pq_reset(struct sql_stmt *stmt)
{
    PQclear(stmt->rows);
    stmt->rows = NULL;
}

bool pq_is_null(const struct sql_stmt *stmt, int at)
{
    return PQgetisnull(stmt->rows, stmt->row, at) != 0;
}

/* Numbers of any width, and truth, which is a byte. */
int64_t pq_int64(const struct sql_stmt *stmt, int at)
{
    const char *bytes = PQgetvalue(stmt->rows, stmt->row, at);
    int len = PQgetlength(stmt->rows, stmt->row, at);
    uint64_t number = len > 0 && (bytes[0] & 0x80) != 0 ? UINT64_MAX : 0;

    ASSERT(len <= 8);
    for (int i = 0; i < len; i++)
        number = number << 8 | (uint8_t)bytes[i];
    return (int64_t)number;
}

const char *pq_text(const struct sql_stmt *stmt, int at)
{
    return pq_is_null(stmt, at) ? NULL : PQgetvalue(stmt->rows, stmt->row, at);
}

size_t pq_bytes(const struct sql_stmt *stmt, int at)
{
    return (size_t)PQgetlength(stmt->rows, stmt->row, at);
}

/* ---- what is spelled differently ------------------------------------------ */

/* A name's worth, as of an index. */
static size_t word_len(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
}

static const struct {
    const char *lite, *here;
} words[] = {
    {"INSERT OR IGNORE INTO", "INSERT INTO"}, /* see pq_translate() */
    {"CROSS JOIN", "JOIN"},  /* which only tells SQLite's planner something */
    {" COLLATE BINARY", ""}, /* all texts compare so */
    {"json_each(", "json_numbers("},
    {"t.head", "t.ply + 1"},
};

/* What of TEXT is a word of the above, or is told to SQLite's planner alone: its
 * length, and what comes in its place. */
static size_t different(const char *text, const char **ret_here)
{
    static const char hint[] = "INDEXED BY ";

    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strncmp(text, words[i].lite, strlen(words[i].lite)) == 0) {
            *ret_here = words[i].here;
            return strlen(words[i].lite);
        }
    *ret_here = "";
    if (strncmp(text, hint, strlen(hint)) == 0)
        return strlen(hint) + word_len(text + strlen(hint));
    return 0;
}

/* The next UNION or ORDER BY of TEXT that is in no parentheses, or its end. */
static const char *arm_end(const char *text)
{
    int depth = 0;

    for (; *text != '\0'; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && (strncmp(text, "UNION ", 6) == 0 ||
                           strncmp(text, "ORDER BY ", 9) == 0))
            break;
    }
    return text;
}

/* SQLite reads the arms of a UNION side by side and ends where the page is full.
 * PostgreSQL would read each to its end: so each gets the order and the limit of
 * all, which changes nothing as none has a row twice.  Frees TEXT. */
static char *limit_arms(char *text)
{
    const char *at = text, *end = arm_end(text), *order = end;
    size_t size;
    char *made = NULL;

    while (strncmp(order, "UNION ", 6) == 0)
        order = arm_end(order + 1);
    if (order == end || strstr(order, " LIMIT ") == NULL)
        return text;
    FILE *to = open_memstream(&made, &size);
    ASSERT(to != NULL);
    for (;;) {
        fprintf(to, "(%.*s%s) ", (int)(end - at), at, order);
        if (end == order)
            break;
        at = end + strcspn(end, "S"); /* of SELECT */
        fprintf(to, "%.*s", (int)(at - end), end);
        end = arm_end(at);
    }
    fputs(order, to);
    int err = fclose(to);
    ASSERT(err == 0);
    free(text);
    return made;
}

/* Parameters without a number are numbered as they come. */
char *pq_translate(const char *lite)
{
    bool ignore = strncmp(lite, words[0].lite, strlen(words[0].lite)) == 0;
    size_t size, len;
    const char *here;
    char *made = NULL;
    int number = 0;

    FILE *to = open_memstream(&made, &size);
    ASSERT(to != NULL);
    while (*lite != '\0') {
        if (*lite == '?' && (lite[1] < '0' || lite[1] > '9')) {
            fprintf(to, "$%d", ++number);
            lite++;
        } else if (*lite == '?') {
            fputc('$', to);
            lite++;
        } else if ((len = different(lite, &here)) > 0) {
            fputs(here, to);
            lite += len;
        } else
            fputc(*lite++, to);
    }
    if (ignore)
        fputs(" ON CONFLICT DO NOTHING", to);
    int err = fclose(to);
    ASSERT(err == 0);
    return limit_arms(made);
}
