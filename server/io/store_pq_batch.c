/* store_pq_batch.c -- what the writer does at the beginning and at the end of a
 * batch on PostgreSQL, for all of its transactions at once.
 *
 * The rows of the tables are locked in the order of their ids, whoever asks, so
 * nobody waits for somebody who waits for them; what is not in a row of `tables`
 * is written while each transaction is judged. */

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "store_inner.h"

/* ---- lists as arguments ---------------------------------------------------- */

/* As pg_type.h has them: what a list is of, and the list. */
enum { OID_INT8 = 20, OID_TEXT = 25, OID_BYTEA = 17 };
enum { OID_INT8S = 1016, OID_TEXTS = 1009, OID_BYTEAS = 1001 };

/* A PostgreSQL array of one dimension, as it travels. */
struct list {
    char *bytes;
    size_t len, cap;
    unsigned type;
};

static void list_put(struct list *l, const void *bytes, size_t len)
{
    if (l->len + len > l->cap) {
        l->cap = 2 * (l->len + len);
        l->bytes = realloc(l->bytes, l->cap);
        ASSERT(l->bytes != NULL);
    }
    memcpy(l->bytes + l->len, bytes, len);
    l->len += len;
}

static void list_word(struct list *l, uint32_t word)
{
    uint32_t there = htonl(word);
    list_put(l, &there, sizeof(there));
}

static struct list list_of(unsigned type, size_t count)
{
    struct list l = {.type = type == OID_INT8   ? OID_INT8S
                             : type == OID_TEXT ? OID_TEXTS
                                                : OID_BYTEAS};

    list_word(&l, count > 0);
    list_word(&l, 1); /* there may be NULLs */
    list_word(&l, type);
    if (count > 0) {
        list_word(&l, (uint32_t)count);
        list_word(&l, 1); /* where the indices begin */
    }
    return l;
}

static void list_number(struct list *l, int64_t number)
{
    list_word(l, 8);
    list_word(l, (uint32_t)((uint64_t)number >> 32));
    list_word(l, (uint32_t)number);
}

static void list_bytes(struct list *l, const void *bytes, size_t len)
{
    list_word(l, bytes != NULL ? (uint32_t)len : UINT32_MAX);
    if (bytes != NULL)
        list_put(l, bytes, len);
}

#define LIST_(l) \
    ((struct sql_arg){SQL_LIST, (int64_t)(l).len, (l).bytes, (l).type})

static void lists_free(struct list *lists, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(lists[i].bytes);
}

/* ---- judging --------------------------------------------------------------- */

/* The tables that BATCH is about, some of them more than once. */
static struct list tables_of(const struct work_queue *batch, size_t *ret_count)
{
    size_t count = 0;

    for (int pass = 0; pass < 2; pass++) {
        struct list ids = list_of(OID_INT8, count);
        for (const struct work *at = batch->first; at; at = at->next) {
            const struct transaction_work *u =
                (const struct transaction_work *)at;
            for (const struct op *op = u->transaction.first; op != NULL;
                 op = op->next) {
                if (op_table(op) == 0)
                    continue;
                if (pass == 0)
                    count++;
                else
                    list_number(&ids, (int64_t)op_table(op));
            }
        }
        *ret_count = count;
        if (pass > 0 || count == 0)
            return ids;
        free(ids.bytes);
    }
    return (struct list){0};
}

/* Locks the rows of the tables IDS and remembers them. */
static int judge_tables(struct store *s, const struct list *ids)
{
    struct sql *sql = &s->writer.sql;
    struct sql_stmt *stmt = sql_begin(sql, W_JUDGE, ARGS(LIST_(*ids)));
    int rc;

    if (stmt == NULL)
        return sql_errcode(sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        struct cached_table *h = calloc(1, sizeof(*h));
        ASSERT(h != NULL);
        rc = cache_read(stmt, h);
        if (rc != SQLITE_OK) {
            free(h);
            break;
        }
        cache_put(s, h);
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int judge_seats(struct store *s, const struct list *ids)
{
    struct sql *sql = &s->writer.sql;
    struct sql_stmt *stmt = sql_begin(sql, W_JUDGE_SEATS, ARGS(LIST_(*ids)));
    int rc;

    if (stmt == NULL)
        return sql_errcode(sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        struct cached_table *h = map_get(&s->writer.cache.map,
                                         (id_num)sql_int64(stmt, 0));
        if (h != NULL)
            cache_seat(h, sql_int64(stmt, 1), (id_num)sql_int64(stmt, 2));
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int batch_begin(struct store *s, const struct work_queue *batch)
{
    size_t count;
    struct list ids = tables_of(batch, &count);
    int rc = sql_queue(&s->writer.sql, W_BEGIN, NO_ARGS);

    if (rc == SQLITE_OK)
        rc = pq_news_begin(s);
    if (rc == SQLITE_OK && count > 0)
        rc = judge_tables(s, &ids);
    if (rc == SQLITE_OK && count > 0)
        rc = judge_seats(s, &ids);
    free(ids.bytes);
    return rc;
}

/* ---- gathering ------------------------------------------------------------- */

int batch_append(struct store *s, struct cached_table *h, const struct op *op,
                 int64_t *ret_first)
{
    struct postgresql *p = s->postgresql;

    for (size_t i = 0; i < op->u.plies.count; i++) {
        const struct ply_row *row = &op->u.plies.rows[i];
        if (p->row_count == p->row_cap) {
            p->row_cap = p->row_cap > 0 ? 2 * p->row_cap : 64;
            p->rows = reallocarray(p->rows, p->row_cap, sizeof(*p->rows));
            ASSERT(p->rows != NULL);
        }
        p->rows[p->row_count++] = (struct batch_row){h->number, row};
        h->tip.ply = row->ply;
        h->tip.row = row->ply + 1;
        memcpy(h->tip.chain, row->chain, sizeof(row->chain));
        s->writer.rows++;
    }
    *ret_first = 0;
    return SQLITE_OK;
}

/* That is among what the batch writes at its end: H was touched. */
int batch_tip(struct store *s, struct cached_table *h,
              const struct summary *summary, bool changed, int64_t first)
{
    (void)s;
    (void)h;
    (void)summary;
    (void)changed;
    (void)first;
    return SQLITE_OK;
}

int batch_drop_log(struct store *s, struct cached_table *h)
{
    return sql_run(&s->writer.sql, W_LOG_DROP, ARGS(INT_(h->number)));
}

/* ---- writing --------------------------------------------------------------- */

/* Puts the rows that wait into the log. */
static int write_rows(struct store *s)
{
    struct postgresql *p = s->postgresql;
    size_t count = p->row_count;
    struct list l[] = {
        list_of(OID_INT8, count),
        list_of(OID_INT8, count),
        list_of(OID_TEXT, count),
        list_of(OID_BYTEA, count),
    };
    int rc = SQLITE_OK;

    for (size_t i = 0; i < count; i++) {
        const struct ply_row *ply = p->rows[i].ply;
        list_number(&l[0], p->rows[i].number);
        list_number(&l[1], ply->ply);
        list_bytes(&l[2], ply->line, ply->len);
        list_bytes(&l[3], ply->chain, sizeof(ply->chain));
    }
    if (count > 0)
        rc = sql_queue(&s->writer.sql, W_LOG_APPEND,
                       ARGS(LIST_(l[0]), LIST_(l[1]), LIST_(l[2]),
                            LIST_(l[3])));
    p->row_count = p->row_kept = 0;
    lists_free(l, COUNT_OF(l));
    return rc;
}

static void list_tip(struct list l[6], const struct cached_table *h)
{
    uint8_t packed[SUMMARY_BYTES_MAX];
    size_t len = summary_pack(&h->tip.summary, packed);

    list_number(&l[0], h->number);
    list_number(&l[1], h->tip.ply);
    list_bytes(&l[2], h->tip.row != 0 ? h->tip.chain : NULL, SHA256_SIZE);
    list_bytes(&l[3], packed, len);
    list_number(&l[4], h->tip.summary.state);
    list_number(&l[5], h->tip.summary.seats);
}

/* Writes where the logs end that this batch has changed. */
static int write_tips(struct store *s)
{
    size_t count = 0;
    int rc = SQLITE_OK;
    struct cached_table *h = s->writer.cache.touched;

    for (; h != NULL; h = h->touched_next)
        count++;
    struct list l[] = {
        list_of(OID_INT8, count),  list_of(OID_INT8, count),
        list_of(OID_BYTEA, count), list_of(OID_BYTEA, count),
        list_of(OID_INT8, count),  list_of(OID_INT8, count),
    };
    for (h = s->writer.cache.touched; h != NULL; h = h->touched_next)
        list_tip(l, h);
    if (count > 0)
        rc = sql_queue(&s->writer.sql, W_TIPS,
                       ARGS(LIST_(l[0]), LIST_(l[1]), LIST_(l[2]), LIST_(l[3]),
                            LIST_(l[4]), LIST_(l[5])));
    lists_free(l, COUNT_OF(l));
    return rc;
}

/* What takes a log away has to find all of it. */
int batch_next(struct store *s, const struct transaction *transaction)
{
    struct postgresql *p = s->postgresql;
    int rc = SQLITE_OK;

    for (const struct op *op = transaction->first;
         op != NULL && rc == SQLITE_OK; op = op->next)
        if (op->kind == OP_ARCHIVE)
            rc = write_rows(s);
    p->row_kept = p->row_count;
    pq_news_next(p, transaction);
    return rc;
}

void batch_undo(struct store *s)
{
    s->postgresql->row_count = s->postgresql->row_kept;
    pq_news_undo(s->postgresql);
}

/* Of a COMMIT without an answer nobody knows what became. */
int batch_commit(struct store *s)
{
    struct writer *w = &s->writer;
    int rc = write_rows(s);

    if (rc == SQLITE_OK)
        rc = write_tips(s);
    if (rc == SQLITE_OK)
        rc = pq_news_write(s);
    if (rc == SQLITE_OK)
        rc = pq_news_prune(s);
    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_COMMIT, NO_ARGS);
    if (rc == SQLITE_OK)
        pq_news_tell(s);
    if (rc != SQLITE_OK && pq_lost(&w->sql)) {
        store_lock(s);
        s->postgresql->in_doubt = true;
        store_unlock(s);
    }
    return rc;
}

/* What was learned counted for this batch: the rows are not locked any more. */
void batch_end(struct store *s)
{
    struct writer *w = &s->writer;

    s->postgresql->row_count = s->postgresql->row_kept = 0;
    pq_news_end(s->postgresql);
    w->undo_count = 0;
    store_lock(s);
    struct table_cache old = w->cache;
    w->cache = (struct table_cache){0};
    store_unlock(s);
    cache_done(&old);
}
