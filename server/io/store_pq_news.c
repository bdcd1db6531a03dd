/* store_pq_news.c -- several servers on one database (store_config.node): what
 * each of them tells the others, and how it hears that there is something.
 *
 * They write one at a time: a batch begins by taking an advisory lock, which goes
 * with its transaction.  So each sees all that the others have stored, as one who
 * is alone does, and rows of `news` get their numbers in the order in which they
 * come to be there.  Who stands still in the middle is cut off by the server after
 * some seconds (idle_in_transaction_session_timeout).
 *
 * After a batch with news there is a NOTIFY, in a transaction of its own: within
 * the batch's it would hold the lock of all that notify while the disk is waited
 * for.  One that is lost costs its hearers until they ask by themselves. */

#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "server/hub/limits.h"
#include "store_inner.h"
#include "thread.h"

#define RETRY_MS 1000 /* between attempts to listen again */

/* ---- who writes ------------------------------------------------------------ */

/* FNV-1a, folded to the 32 bits that a lock's second key has. */
static int32_t node_key(const char *node)
{
    uint32_t sum = 2166136261u;

    for (; *node != '\0'; node++)
        sum = (sum ^ (unsigned char)*node) * 16777619u;
    return (int32_t)(sum & INT32_MAX);
}

int pq_news_lock(const struct postgresql *p, char *text, size_t size)
{
    if (p->node == NULL)
        return snprintf(text, size, "SELECT pg_try_advisory_lock(%d)::int",
                        APPLICATION_ID);
    /* AND does not try the second one where the first is not to be had. */
    return snprintf(text, size,
                    "SELECT CASE WHEN pg_try_advisory_lock_shared(%d) "
                    "THEN pg_try_advisory_lock(%d, %d) ELSE false END::int",
                    APPLICATION_ID, APPLICATION_ID, (int)node_key(p->node));
}

int pq_news_begin(struct store *s)
{
    if (s->postgresql->node == NULL)
        return SQLITE_OK;
    return sql_queue(&s->writer.sql, W_TURN, ARGS(INT_(APPLICATION_ID)));
}

/* ---- what is told ---------------------------------------------------------- */

void pq_news_next(struct postgresql *p, const struct transaction *transaction)
{
    p->news_kept = p->news_len;
    if (p->node == NULL || transaction->news == NULL)
        return;
    size_t len = strlen(transaction->news);
    if (p->news_len + len + 2 > p->news_cap) {
        p->news_cap = 2 * (p->news_len + len + 2);
        p->news = realloc(p->news, p->news_cap);
        ASSERT(p->news != NULL);
    }
    memcpy(p->news + p->news_len, transaction->news, len);
    memcpy(p->news + p->news_len + len, "\n", 2);
    p->news_len += len + 1;
}

void pq_news_undo(struct postgresql *p)
{
    p->news_len = p->news_kept;
}

void pq_news_end(struct postgresql *p)
{
    p->news_len = p->news_kept = 0;
}

int pq_news_write(struct store *s)
{
    const struct postgresql *p = s->postgresql;
    int rc = SQLITE_OK;

    if (p->news_len > 0)
        rc = sql_queue(&s->writer.sql, W_NEWS,
                       ARGS(TEXT_LEN_(p->news, p->news_len)));
    return rc;
}

/* Old rows go once a minute, in the batch that is under way. */
int pq_news_prune(struct store *s)
{
    struct postgresql *p = s->postgresql;
    int64_t now_us = store_now_us();

    if (p->news_len == 0 ||
        (p->pruned_us != 0 && now_us - p->pruned_us < 60 * INT64_C(1000000)))
        return SQLITE_OK;
    p->pruned_us = now_us;
    return sql_queue(&s->writer.sql, W_NEWS_OLD,
                     ARGS(INT_(LIMIT_NEWS_KEPT_MS)));
}

/* Nobody waits for that; if it fails the next batch finds the connection gone. */
void pq_news_tell(struct store *s)
{
    const struct postgresql *p = s->postgresql;

    if (p->news_len > 0)
        (void)sql_post(&s->writer.sql, W_NOTIFY, ARGS(TEXT_(p->node)));
}

/* ---- what is asked --------------------------------------------------------- */

static struct news_row *room_for(struct answer *a, size_t *cap)
{
    if (a->news_count == *cap) {
        struct news_row *more = region_take(&a->region,
                                            2 * *cap * sizeof(*more));
        memcpy(more, a->news, a->news_count * sizeof(*more));
        a->news = more;
        *cap *= 2;
    }
    return &a->news[a->news_count++];
}

/* TEXT, lines, as rows of NUMBER. */
static void take_lines(struct answer *a, size_t *cap, uint64_t number,
                       const char *text)
{
    char *line = region_copy(&a->region, text), *end;

    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        *room_for(a, cap) = (struct news_row){.number = number, .text = line};
    }
}

int reader_news(struct reader *r)
{
    struct answer *a = &r->ask->answer;
    uint64_t after = r->ask->question.u.after;
    size_t batches = 0, limit = r->ask->question.limit, cap = 16;
    int64_t last = 0, first = 0;
    int rc;

    if (r->store->postgresql == NULL || r->store->postgresql->node == NULL)
        return SQLITE_OK; /* nobody else has it */
    rc = sql_number(r->sql, R_NEWS_LAST, NO_ARGS, 0, &last);
    if (rc == SQLITE_OK)
        rc = sql_number(r->sql, R_NEWS_FIRST, NO_ARGS, 0, &first);
    a->news_last = (uint64_t)last;
    if (rc != SQLITE_OK || after == UINT64_MAX)
        return rc;
    a->news_lost = after > (uint64_t)last || after + 1 < (uint64_t)first;
    if (a->news_lost)
        return SQLITE_OK;
    a->news = region_take(&a->region, cap * sizeof(*a->news));
    struct sql_stmt *stmt = sql_begin(r->sql, R_NEWS,
                                      ARGS(INT_(after), INT_(limit + 1)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW && batches++ < limit)
        take_lines(a, &cap, (uint64_t)sql_int64(stmt, 0), sql_text(stmt, 1));
    a->more = batches > limit;
    sql_reset(stmt);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* ---- hearing --------------------------------------------------------------- */

static void say_news(struct store *s)
{
    struct work *w = calloc(1, sizeof(*w));

    ASSERT(w != NULL);
    w->kind = WORK_NEWS;
    store_lock(s);
    bool wake = store_done(s, w);
    store_unlock(s);
    if (wake)
        s->owner.wake(s->owner.context);
}

/* Waits for CONN, or for so long; false at the end. */
static bool wait_for(const struct store *s, const PGconn *conn, int ms)
{
    struct pollfd fds[] = {
        {.fd = s->postgresql->stop[0], .events = POLLIN},
        {.fd = conn != NULL ? PQsocket(conn) : -1, .events = POLLIN},
    };

    while (poll(fds, COUNT_OF(fds), ms) < 0 && errno == EINTR)
        ;
    return fds[0].revents == 0;
}

static PGconn *connect_listener(const struct store *s)
{
    PGconn *conn = pq_connect(s->postgresql->url);
    PGresult *result = NULL;

    if (PQstatus(conn) == CONNECTION_OK)
        result = PQexec(conn, "LISTEN sobremesa");
    bool good = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    if (good)
        return conn;
    PQfinish(conn);
    return NULL;
}

/* Whether what has come on CONN is of somebody else. */
static bool heard(const struct store *s, PGconn *conn)
{
    bool others = false;
    PGnotify *n;

    while ((n = PQnotifies(conn)) != NULL) {
        others |= strcmp(n->extra, s->postgresql->node) != 0;
        PQfreemem(n);
    }
    return others;
}

/* While nobody listened there may have been anything. */
static void *listen_on(void *store)
{
    struct store *s = store;
    bool go_on = true;

    while (go_on) {
        PGconn *conn = connect_listener(s);
        if (conn != NULL)
            say_news(s);
        while (go_on && conn != NULL) {
            go_on = wait_for(s, conn, -1);
            if (go_on && PQconsumeInput(conn) != 1)
                break;
            if (go_on && heard(s, conn))
                say_news(s);
        }
        PQfinish(conn);
        if (go_on)
            go_on = wait_for(s, NULL, RETRY_MS);
    }
    return NULL;
}

int pq_news_listen(struct store *s)
{
    struct postgresql *p = s->postgresql;

    if (p->node == NULL)
        return SQLITE_OK;
    if (pipe(p->stop) != 0) {
        p->stop[0] = p->stop[1] = -1;
        return SQLITE_NOMEM;
    }
    p->listening = thread_start(&p->listener, "listener", listen_on, s) == 0;
    return p->listening ? SQLITE_OK : SQLITE_NOMEM;
}

void pq_news_close(struct postgresql *p)
{
    if (p == NULL)
        return;
    if (p->listening) {
        ssize_t n = write(p->stop[1], "", 1);
        ASSERT(n == 1);
        pthread_join(p->listener, NULL);
    }
    p->listening = false;
    for (int i = 0; i < 2; i++)
        if (p->stop[i] >= 0)
            close(p->stop[i]);
    p->stop[0] = p->stop[1] = -1;
}
